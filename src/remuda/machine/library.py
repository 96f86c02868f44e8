"""Functions of the C library, as programs use them: the table, and numbers, errors and the end of the program.

library_memory     malloc, free, memcpy, ...     library_numbers    fabs, __builtin_clz, __sync_fetch_and_add, ...
library_texts      strlen, isdigit, ...          library_io         printf, scanf, fgets, ...
library_threads    pthread_create, mtx_lock, ...
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from remuda.frontends.c.syntax.types import IntegerType
from remuda.machine.arithmetic import limits, wrap
from remuda.machine.library_arguments import any_number, no_meaning, pointer_of, text_at
from remuda.machine.library_io import INPUT_AND_OUTPUT
from remuda.machine.library_memory import MEMORY
from remuda.machine.library_numbers import NUMBERS
from remuda.machine.library_texts import CHARACTERS, DIGITS, LOWER, TEXTS
from remuda.machine.library_threads import THREADS
from remuda.machine.memory import Pointer
from remuda.machine.outcomes import Cause, End, Stop, undefined
from remuda.machine.threads import Elsewhere

if TYPE_CHECKING:
    from remuda.machine.calls import Site
    from remuda.machine.intrinsics import Model
    from remuda.machine.memory import Value
    from remuda.machine.run import Execution


# --- numbers


def _absolute(execution: Execution, site: Site, values: list[Any]) -> Value | None:
    type_ = site.node.type
    assert isinstance(type_, IntegerType)
    if abs(values[0]) > limits(type_)[1]:
        execution.report(Cause.OVERFLOW, site.span, f"{site.name} of {values[0]}")
    return wrap(abs(values[0]), type_)


def _random(execution: Execution, site: Site, _: list[Any]) -> Value | None:
    value = execution.ask_value("library", site.name, site.span, site.node.type)
    if isinstance(value, int) and not 0 <= value < 1 << 31:
        raise Stop(End.ASSUMED, site.span, f"{site.name} returns {value}")
    return value


def _parse(execution: Execution, site: Site, values: list[Any]) -> Value | None:
    """`atoi` and its like."""
    text = text_at(execution, pointer_of(execution, values[0]), site.span).decode("latin-1").lstrip(" \t\n\v\f\r")
    sign = -1 if text[:1] == "-" else 1
    digits = text[1:] if text[:1] in {"+", "-"} else text
    count = next((at for at, each in enumerate(digits) if each not in DIGITS), len(digits))
    value = sign * int(digits[:count] or "0")
    type_ = site.node.type
    assert isinstance(type_, IntegerType)
    if not limits(type_)[0] <= value <= limits(type_)[1]:
        execution.report(Cause.OVERFLOW, site.span, f"{site.name} of {text}")
    return wrap(value, type_)


def _parse_based(execution: Execution, site: Site, values: list[Any]) -> Value | None:
    """`strtol` and its like: a number in some base, and where it ends."""
    start, base = pointer_of(execution, values[0]), values[2]
    if not (base == 0 or 2 <= base <= 36):
        raise undefined(Cause.OTHER, site.span, f"{site.name} with the base {base}")
    whole = text_at(execution, start, site.span).decode("latin-1")
    text = whole.lstrip(" \t\n\v\f\r")
    sign = -1 if text[:1] == "-" else 1
    rest = text[1:] if text[:1] in {"+", "-"} else text
    is_hexadecimal = rest[:2].lower() == "0x" and rest[2:3].lower() in set(DIGITS + "abcdef") and base in {0, 16}
    base = base or (16 if is_hexadecimal else 8 if rest[:1] == "0" else 10)
    rest = rest[2:] if is_hexadecimal else rest
    among = (DIGITS + LOWER)[:base]
    count = next((at for at, each in enumerate(rest.lower()) if each not in among), len(rest))
    end = len(whole) - len(rest) + count if count else 0
    target = pointer_of(execution, values[1])
    if target:
        cell = execution.memory.check(target, 0, execution.memory.pointer_size, site.span, write=True)
        execution.memory.store_pointer(cell, target.offset, Pointer(start.object, start.offset + end))
    type_ = site.node.type
    assert isinstance(type_, IntegerType)
    low, high = limits(type_)
    value = sign * int(rest[:count] or "0", base)
    return max(low, min(high, value)) if type_.signed else wrap(value, type_) if abs(value) <= high else high


# --- errors and the end


def _nothing(_: Execution, __: Site, ___: list[Any]) -> Value | None:
    return 0


def _abort(_: Execution, site: Site, __: list[Any]) -> Value | None:
    raise Stop(End.EXITED, site.span, "abort", code=134)


def _exit(execution: Execution, site: Site, values: list[Any]) -> Value | None:
    execution.exit(values[0], site.span)
    raise Elsewhere


def _exit_at_once(execution: Execution, site: Site, values: list[Any]) -> Value | None:
    execution.exit_at_once(values[0], site.span)


def _at_exit(execution: Execution, site: Site, values: list[Any]) -> Value | None:
    execution.exits.append((pointer_of(execution, values[0]), site.span))
    return 0


_MODELS: Final[dict[str, Model]] = {
    **CHARACTERS,
    **MEMORY,
    **TEXTS,
    **NUMBERS,
    **INPUT_AND_OUTPUT,
    **THREADS,
    **dict.fromkeys(("abs", "labs", "llabs", "imaxabs"), _absolute),
    **dict.fromkeys(("atoi", "atol", "atoll"), _parse),
    **dict.fromkeys(("strtol", "strtoul", "strtoll", "strtoull"), _parse_based),
    **dict.fromkeys(("rand", "random", "lrand48"), _random),
    **dict.fromkeys(("srand", "srandom", "fflush", "fclose", "setbuf", "setvbuf"), _nothing),
    **dict.fromkeys(("clock", "getpid", "getuid"), any_number),
    "abort": _abort,
    "exit": _exit,
    **dict.fromkeys(("_exit", "_Exit", "quick_exit"), _exit_at_once),
    "atexit": _at_exit,
    **dict.fromkeys(
        (
            *("setjmp", "_setjmp", "sigsetjmp", "__sigsetjmp", "longjmp", "_longjmp", "siglongjmp", "fork", "vfork"),
            *("gets", "gettimeofday", "qsort", "bsearch", "strtod", "strtok", "signal", "rand_r", "drand48"),
            *(
                "div",
                "ldiv",
                "lldiv",
                "clock_gettime",
                "nanosleep",
                "posix_memalign",
                "atof",
                "getline",
                "raise",
                "swab",
            ),
        ),
        no_meaning,
    ),
}

_WITH_CHECKS: Final = frozenset(
    {"memcpy", "memmove", "mempcpy", "memset", "strcpy", "stpcpy", "strncpy", "strcat", "strncat"}
)


def _aliases(name: str) -> tuple[str, ...]:
    if name.startswith("__"):
        return (name,)
    plain = (name, f"__builtin_{name}")
    return (*plain, f"__{name}_chk", f"__builtin___{name}_chk") if name in _WITH_CHECKS else plain


LIBRARY: Final[dict[str, Model]] = {alias: model for name, model in _MODELS.items() for alias in _aliases(name)}
