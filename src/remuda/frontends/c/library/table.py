"""Models of library functions, for programs that do not define them themselves.

To add one, write a function that takes the call and returns its value (see `models`), and put it into the table of the
module for such functions. If it reads, writes or copies memory, or returns a pointer into what an argument points to,
put it into `memory.library_flows` as well, so that the points-to analysis knows it:

library_memory      malloc, free, memcpy, ...       library_integers    abs, rand, strtol, ...
library_strings     strlen, strcpy, ...             library_bits        __builtin_clz, __builtin_add_overflow, ...
library_characters  isdigit, toupper, ...           library_floats      fabs, isnan, sin, ...
library_io          printf, scanf, fgets, time, ... library_atomics     __sync_fetch_and_add, ...
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from remuda.frontends.c.library.atomics import ATOMICS
from remuda.frontends.c.library.bits import BITS
from remuda.frontends.c.library.characters import CHARACTERS
from remuda.frontends.c.library.floats import FLOATS
from remuda.frontends.c.library.integers import INTEGERS
from remuda.frontends.c.library.io import CHECKED_IO, IO
from remuda.frontends.c.library.memory import FREEING, MEMORY
from remuda.frontends.c.library.models import guessed, no_meaning, nothing, own_object, result
from remuda.frontends.c.library.names import aliases
from remuda.frontends.c.library.strings import STRINGS
from remuda.frontends.c.library.threads import THREADS
from remuda.frontends.c.library.unmodelled import HARMLESS
from remuda.frontends.c.syntax.types import VoidType

if TYPE_CHECKING:
    from remuda.frontends.c.library.models import Model
    from remuda.frontends.c.lowering.calls import CallLowering
    from remuda.frontends.c.lowering.trampoline import Steps
    from remuda.frontends.c.syntax import ast


RELEASING: Final = frozenset(alias for name in ("realloc", *FREEING) for alias in aliases(name))


def _stop(calls: CallLowering, node: ast.Call) -> Steps:
    """End the execution without a failure."""
    yield calls.expressions.scalars(node.arguments)
    calls.blocks.assume(calls.program.terms.false, node.span)
    return result(calls, node, None, VoidType())


def _exit_at_once(calls: CallLowering, node: ast.Call) -> Steps:
    """End the program without destructors, and check for leaks."""
    yield calls.expressions.scalars(node.arguments)
    calls.checks.leak(node.span)
    calls.blocks.assume(calls.program.terms.false, node.span)
    return result(calls, node, None, VoidType())


def _exit(calls: CallLowering, node: ast.Call) -> Steps:
    """End the program after its destructors."""
    yield calls.expressions.scalars(node.arguments)
    calls.run([function for _, function in calls.program.unit.destructors], node.span)
    calls.checks.leak(node.span)
    calls.blocks.assume(calls.program.terms.false, node.span)
    return result(calls, node, None, VoidType())


_MODELS: Final[dict[str, Model]] = {
    **MEMORY,
    **STRINGS,
    **CHARACTERS,
    **INTEGERS,
    **BITS,
    **ATOMICS,
    **FLOATS,
    **IO,
    **dict.fromkeys(("abort", "quick_exit"), _stop),
    "exit": _exit,
    **dict.fromkeys(("_exit", "_Exit"), _exit_at_once),
    **dict.fromkeys(("va_start", "va_end", "va_copy"), nothing),
    **dict.fromkeys(
        ("__ctype_b_loc", "__ctype_tolower_loc", "__ctype_toupper_loc"), guessed(own_object, is_listed=True)
    ),
    **dict.fromkeys(
        ("setjmp", "_setjmp", "sigsetjmp", "__sigsetjmp", "longjmp", "_longjmp", "siglongjmp"), no_meaning
    ),
    **THREADS,
    **dict.fromkeys(("fork", "vfork"), no_meaning),
    **dict.fromkeys(HARMLESS, guessed(nothing, is_listed=True)),
}

LIBRARY: Final[dict[str, Model]] = {
    **{alias: model for name, model in _MODELS.items() for alias in aliases(name)},
    **CHECKED_IO,
}


def releases(function: ast.Function) -> bool:
    """Whether a call of a function frees the block that its first argument points to."""
    return function.body is None and any(name in RELEASING for name in (function.symbol, function.name))


def runs_destructors(function: ast.Function) -> bool:
    """Whether a call of a function ends the program and runs its destructors."""
    return function.body is None and any(LIBRARY.get(name) is _exit for name in (function.symbol, function.name))
