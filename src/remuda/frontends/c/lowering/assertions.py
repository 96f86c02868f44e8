"""What the macro `assert` expands to: a condition, and a call of a function of the library if it is false.

((c) ? (void)0 : __assert_fail("c", "file.c", 7, "main"))           in most libraries
({ if (c) ; else __assert_fail("c", "file.c", 7, "main"); })        in new ones
"""

from __future__ import annotations

from typing import Final

from remuda.frontends.c.syntax import ast
from remuda.frontends.c.syntax.walk import called_function

FAILURES: Final = ("__assert_fail", "__assert_perror_fail", "__assert", "__assert_rtn")


def failed_assertion(node: ast.Expression) -> ast.Call | None:
    """The call that says that an assertion failed, if this is one."""
    at = node
    while isinstance(at, ast.Cast):
        at = at.operand
    if not isinstance(at, ast.Call):
        return None
    function = called_function(at)
    return at if function is not None and function.name in FAILURES else None


def message_of(call: ast.Call) -> str:
    """The condition that failed: `x > 0` in `__assert_fail("x > 0", ...)`."""
    for argument in call.arguments:
        at = argument
        while isinstance(at, ast.Cast):
            at = at.operand
        if isinstance(at, ast.StringLiteral):
            return "".join(chr(unit % 256) for unit in at.units[:-1])
    return f"{call.span.text} is not reached"
