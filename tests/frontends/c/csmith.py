"""Programs that Csmith writes, with a small header in place of its own.

Csmith's programs guard their arithmetic with functions (`safe_add_func_int32_t_s_s`) and mix the final values of
all globals into a checksum. Here those functions wrap, mask and test instead, the same way for the compiler and for
the verifier, and the checksum is a rotation: Csmith's own needs a table that a verifier would have to work through.
"""

from __future__ import annotations

import re
import subprocess
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from pathlib import Path

SECONDS: Final = 60.0
OPTIONS: Final = (
    "--no-volatiles",
    "--no-argc",
    "--no-packed-struct",
    "--no-float",
    "--concise",
    *("--max-funcs", "3"),
    *("--max-block-depth", "2"),
    *("--max-block-size", "3"),
    *("--max-expr-complexity", "3"),
    *("--max-struct-fields", "4"),
    *("--max-array-dim", "2"),
    *("--max-array-len-per-dim", "4"),
)
SAFE: Final = re.compile(
    r"\bsafe_(add|sub|mul|div|mod|lshift|rshift|unary_minus)_func_(u?)int(\d+)_t_([su](?:_[su])?)\b"
)
WRAPPING: Final = {"add": "+", "sub": "-", "mul": "*"}
DIVIDING: Final = {"div": "/", "mod": "%"}
SHIFTING: Final = {"lshift": "<<", "rshift": ">>"}
TYPES: Final = """\
typedef signed char int8_t; typedef unsigned char uint8_t;
typedef short int16_t; typedef unsigned short uint16_t;
typedef int int32_t; typedef unsigned uint32_t;
typedef long long int64_t; typedef unsigned long long uint64_t;
static unsigned long long h;
#define transparent_crc(value, name, flag) (h = (h << 7 | h >> 57) ^ (unsigned long long)(value))
#define crc32_gentab() ((void)0)
#define crc32_context 0
#define platform_main_begin() ((void)0)
int printf(const char *, ...);
"""
FOR_GCC: Final = '#define platform_main_end(sum, flag) printf("%llu\\n", h)\n'


def for_verifier(value: int) -> str:
    """At the end of the program, the claim that the checksum is a value, and that it is not."""
    return (
        "void __VERIFIER_assert(int);\n#define platform_main_end(sum, flag) "
        f"(__VERIFIER_assert(h == {value}ull), __VERIFIER_assert(h != {value}ull))\n"
    )


def csmith_program(seed: int, folder: Path) -> str:
    """A program that still needs a meaning of `platform_main_end` in front. (Csmith leaves a file in the folder.)"""
    command = ["csmith", "--seed", str(seed), *OPTIONS]
    made = subprocess.run(command, check=True, capture_output=True, text=True, timeout=SECONDS, cwd=folder).stdout
    functions = sorted({found.groups(): found[0] for found in SAFE.finditer(made)}.items())
    safe = "".join(_safe_function(name, *parts) for parts, name in functions)
    return TYPES + safe + made.replace('#include "csmith.h"', "")


def _safe_function(name: str, operation: str, unsigned: str, width: str, kinds: str) -> str:
    type_ = f"{unsigned}int{width}_t"
    if operation == "unary_minus":
        return f"static {type_} {name}({type_} a) {{ return 0ull - a; }}\n"
    if operation in SHIFTING:
        amount = "unsigned" if kinds.endswith("u") else "int"
        left = "(uint64_t)a" if operation == "lshift" else "a"
        body = f"return {left} {SHIFTING[operation]} (b & {int(width) - 1});"
        return f"static {type_} {name}({type_} a, {amount} b) {{ {body} }}\n"
    if operation in WRAPPING:
        body = f"return (uint64_t)a {WRAPPING[operation]} (uint64_t)b;"
    else:
        body = f"return b == 0 || (b == ({type_})-1 && -1 < ({type_})0) ? a : a {DIVIDING[operation]} b;"
    return f"static {type_} {name}({type_} a, {type_} b) {{ {body} }}\n"
