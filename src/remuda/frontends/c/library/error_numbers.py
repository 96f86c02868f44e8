"""The functions of the library that do not change `errno`.

C lets every function of the library change it. In all libraries, functions that only compute and cannot fail do not
change it. Other functions set it to an unknown value.
"""

from __future__ import annotations

from typing import Final

from remuda.frontends.c.library.atomics import ATOMICS
from remuda.frontends.c.library.bits import BITS
from remuda.frontends.c.library.characters import CHARACTERS
from remuda.frontends.c.library.names import aliases
from remuda.frontends.c.library.strings import STRINGS
from remuda.frontends.c.library.threads import THREADS
from remuda.frontends.c.library.unmodelled import HARMLESS

_NUMBERS: Final = (
    *("abs", "labs", "llabs", "imaxabs", "div", "ldiv", "lldiv", "imaxdiv", "rand", "random", "srand", "srandom"),
    *(
        f"{name}{suffix}"
        for name in (
            "fabs",
            "floor",
            "ceil",
            "trunc",
            "round",
            "rint",
            "nearbyint",
            "fmin",
            "fmax",
            "copysign",
            "nan",
        )
        for suffix in ("", "f", "l")
    ),
)
_MEMORY: Final = (
    *("free", "alloca", "memset", "bzero", "memcpy", "memmove", "bcopy", "mempcpy", "memcmp", "bcmp", "memchr"),
    *("__VERIFIER_nondet_memory", "__CPROVER_havoc_slice"),
)
_CONTROL: Final = ("va_start", "va_end", "va_copy", "abort", "exit", "_exit", "_Exit", "quick_exit")
_KEEPING: Final = frozenset(
    alias
    for name in (*_NUMBERS, *_MEMORY, *_CONTROL, *STRINGS, *CHARACTERS, *BITS, *ATOMICS, *THREADS, *HARMLESS)
    for alias in aliases(name)
) - {"strcoll", "__builtin_strcoll"}


def keeps_error_number(name: str) -> bool:
    """Whether a call of a function of the library leaves `errno` as it is. (Names of tests of floats begin like `isnan`.)"""
    return name in _KEEPING or name.removeprefix("__builtin_").lstrip("_").startswith(("is", "fpclassify", "signbit"))
