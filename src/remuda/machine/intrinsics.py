"""Functions that verifiers know by name, whatever body the program gives them."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Final

from remuda.frontends.c.syntax.types import VoidType
from remuda.machine.library_arguments import bytes_from_outside, pointer_of, size_from, write_bytes
from remuda.machine.outcomes import Cause, End, Stop, undefined

if TYPE_CHECKING:
    from remuda.machine.calls import Site
    from remuda.machine.memory import Value
    from remuda.machine.run import Execution

Model = Callable[["Execution", "Site", list[Any]], "Value | None"]

NONDETERMINISTIC: Final = re.compile(r"_{0,2}(VERIFIER|CPROVER)_nondet.*")


def _assert(execution: Execution, site: Site, values: list[Any]) -> Value | None:
    if not values[0]:
        argument = " ".join(site.node.arguments[0].span.text.split())
        execution.fail(site.span, f"{argument or site.name} does not hold", ends=False)
    return 0


def _fail(execution: Execution, site: Site, _: list[Any]) -> Value | None:
    execution.fail(site.span, f"{site.name} is reached", ends=site.name not in _ASSERTION_FAILURES)
    return 0


def _assume(_: Execution, site: Site, values: list[Any]) -> Value | None:
    if not values[0]:
        raise Stop(End.ASSUMED, site.span, f"{' '.join(site.span.text.split())} does not hold")
    return 0


def _unreachable(_: Execution, site: Site, __: list[Any]) -> Value | None:
    raise undefined(Cause.OTHER, site.span, f"{site.name} is reached")


def _trap(_: Execution, site: Site, __: list[Any]) -> Value | None:
    raise Stop(End.EXITED, site.span, "trap", code=132)


def _first(_: Execution, __: Site, values: list[Any]) -> Value | None:
    first: Value = values[0]
    return first


def _any(execution: Execution, site: Site, _: list[Any]) -> Value | None:
    if isinstance(site.node.type, VoidType):
        return None
    return execution.ask_value("call", site.name, site.span, site.node.type)


def _any_memory(execution: Execution, site: Site, values: list[Any]) -> Value | None:
    """`__VERIFIER_nondet_memory(p, n)` gives bytes any values."""
    target, size = pointer_of(execution, values[0]), size_from(execution, values[1])
    if size:
        execution.memory.check(target, 0, size, site.span, write=True)
    write_bytes(execution, target, bytes_from_outside(execution, site, size), site.span)
    return None


def _object_size(_: Execution, __: Site, values: list[Any]) -> Value | None:
    return 0 if len(values) > 1 and values[1] & 2 else (1 << 64) - 1


def _nothing(_: Execution, __: Site, ___: list[Any]) -> Value | None:
    return 0


def _section(*, is_begin: bool) -> Model:
    """Begin or end a section that other threads do not interrupt."""

    def model(execution: Execution, _: Site, __: list[Any]) -> Value | None:
        execution.threads.current.in_section = is_begin
        return 0

    return model


SECTION_BEGINS: Final = ("__VERIFIER_atomic_begin", "__CPROVER_atomic_begin")
_ASSERTION_FAILURES: Final = ("__assert_fail", "__assert_perror_fail", "__assert", "__assert_rtn")

# If only other kinds of assertions count, the bodies of these functions run instead.
CLAIMS: Final = frozenset({"assert", "__VERIFIER_assert", "__CPROVER_assert", "__VERIFIER_error", "reach_error"})

_INTRINSICS: Final[dict[str, Model]] = {
    **dict.fromkeys(("assert", "__VERIFIER_assert", "__CPROVER_assert"), _assert),
    **dict.fromkeys(("__VERIFIER_error", "reach_error", *_ASSERTION_FAILURES), _fail),
    **dict.fromkeys(("__VERIFIER_assume", "__CPROVER_assume", "__builtin_assume"), _assume),
    "__builtin_unreachable": _unreachable,
    "__builtin_trap": _trap,
    **dict.fromkeys(("__builtin_expect", "__builtin_expect_with_probability", "__builtin_assume_aligned"), _first),
    **dict.fromkeys(("__builtin_object_size", "__builtin_dynamic_object_size"), _object_size),
    **dict.fromkeys(SECTION_BEGINS, _section(is_begin=True)),
    **dict.fromkeys(("__VERIFIER_atomic_end", "__CPROVER_atomic_end"), _section(is_begin=False)),
    "__builtin_prefetch": _nothing,
}


def intrinsic_of(name: str) -> Model | None:
    if name in {"__VERIFIER_nondet_memory", "__CPROVER_nondet_memory", "__CPROVER_havoc_slice"}:
        return _any_memory
    found = _INTRINSICS.get(name)
    return _any if found is None and NONDETERMINISTIC.fullmatch(name) else found
