"""The names of the functions of the library.

Compilers have `__builtin_memcpy` for `memcpy`, and replace it by `__memcpy_chk`, which has further arguments at the
end.
"""

from __future__ import annotations

from typing import Final

_WITH_CHECKS: Final = frozenset(
    {"memcpy", "memmove", "mempcpy", "memset", "strcpy", "stpcpy", "strncpy", "strcat", "strncat", "fgets", "read"}
)
_OTHER_CHECKS: Final = frozenset({"sprintf", "snprintf", "vsprintf", "vsnprintf"})  # with arguments in between

OVERFLOW_NAMES: Final = tuple(
    f"__builtin_{sign}{operation}{width}_overflow"
    for operation in ("add", "sub", "mul")
    for sign, width in (("", ""), *((sign, width) for sign in "su" for width in ("", "l", "ll")))
)
_OPERATIONS: Final = ("add", "sub", "and", "or", "xor", "nand")
ATOMIC_NAMES: Final = (
    *(f"__sync_fetch_and_{name}" for name in _OPERATIONS),
    *(f"__sync_{name}_and_fetch" for name in _OPERATIONS),
    *(f"__atomic_fetch_{name}" for name in _OPERATIONS),
    *(f"__atomic_{name}_fetch" for name in _OPERATIONS),
    *("__sync_lock_test_and_set", "__sync_lock_release", "__sync_bool_compare_and_swap"),
    *("__sync_val_compare_and_swap", "__atomic_exchange_n", "__atomic_load_n", "__atomic_store_n"),
    *("__atomic_compare_exchange_n", "__atomic_clear"),
)


def aliases(name: str) -> tuple[str, ...]:
    """A name, and other names for the same function. (Clang has an atomic operation for each size.)"""
    if name.startswith("__sync_"):
        return (name, *(f"{name}_{size}" for size in (1, 2, 4, 8, 16)))
    if name.startswith("__"):
        return (name,)
    plain = (name, f"__builtin_{name}")
    if name in _WITH_CHECKS or name in _OTHER_CHECKS:
        return (*plain, f"__{name}_chk", f"__builtin___{name}_chk")
    return plain
