"""The attributes of declarations, read from clang's printout of them.

Libclang does not name the kinds of most attributes. In the printout, macros are expanded, and each attribute has one
of few spellings: `__attribute__((NAME(ARGUMENT)))`, `[[gnu::NAME(ARGUMENT)]]`, `[[NAME]]`, or a keyword.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, final

from remuda.frontends.c.clang.printed import print_declaration

if TYPE_CHECKING:
    from collections.abc import Sequence

    from remuda.frontends.c.clang.native import Cursor, Library

_TOKEN: Final = re.compile(
    r"""(?P<string>"(?:\\.|[^"\\])*")|'(?:\\.|[^'\\])+'|(?P<word>[A-Za-z_$][\w$]*)|\d+|[^\s]"""
)
_OPENING: Final = frozenset("([{")
_CLOSING: Final = frozenset(")]}")
_KEYWORDS: Final = frozenset({"_Noreturn", "_Alignas", "alignas", "asm"})
LARGEST_USEFUL: Final = 16  # what `aligned` means without a number
NOT_COMPUTED: Final = 4096  # for an unknown alignment: larger than any in programs
_VENDOR: Final = frozenset({"gnu", "clang"})  # what may stand before a name in double brackets


@final
@dataclass(slots=True)
class Marks:
    """The attributes of all declarations of one name, as far as they matter."""

    is_noreturn: bool = False
    is_weak: bool = False
    is_kept: bool = False  # something outside the program may refer to it, although it is static
    is_chosen_at_start: bool = False  # `ifunc`: a function of the program chooses what is called
    alias: str | None = None  # the symbol that the name stands for as well
    label: str | None = None  # the symbol that the name has instead of itself
    alignment: int = 1  # in bytes
    cleanup: str | None = None  # the function that is called when the scope of a variable ends
    constructor: int | None = None  # the priority of a function that is called before `main`
    destructor: int | None = None  # the priority of a function that is called after `main`


def read_marks(library: Library, declarations: Sequence[Cursor]) -> Marks:
    """The marks of a declared name. (Clang prints an attribute only with the declaration that has it.)"""
    marks = Marks()
    for declaration in declarations:
        if library.Cursor_hasAttrs(declaration):
            for name, argument in attributes(print_declaration(library, declaration, is_terse=True)):
                _mark(marks, name, argument)
    return marks


def _mark(marks: Marks, name: str, argument: str) -> None:
    match name.strip("_").lower():
        case "noreturn":
            marks.is_noreturn = True
        case "used" | "retain" | "interrupt" | "signal":
            marks.is_kept = True
        case "weak":
            marks.is_weak = True
        case "weakref":
            marks.is_weak = True
            marks.alias = argument.strip('"') or marks.alias
        case "alias":
            marks.alias = argument.strip('"')
        case "asm":
            marks.label = argument.strip('"').removeprefix("\\001")
        case "ifunc":
            marks.is_chosen_at_start = True
        case "aligned" | "alignas":
            marks.alignment = max(marks.alignment, _alignment(argument))
        case "cleanup":
            marks.cleanup = argument
        case "constructor":
            marks.constructor = int(argument)
        case "destructor":
            marks.destructor = int(argument)


def _alignment(argument: str) -> int:
    """The alignment that an attribute demands. The value of an expression is unknown, unless it is a number."""
    if not argument:
        return LARGEST_USEFUL
    try:
        return int(argument.rstrip("uUlL"), 0)
    except ValueError:
        return NOT_COMPUTED


def attributes(text: str) -> Iterator[tuple[str, str]]:
    """The attributes of a printed declaration, each with the text of its arguments, without those of parameters and
    of the initialiser."""
    tokens = [match.group() for match in _TOKEN.finditer(text)]
    depth, at = 0, 0
    while at < len(tokens):
        token = tokens[at]
        if depth == 0 and token in {"=", "{"}:
            return
        if depth == 0 and token in {"__attribute__", "__declspec"}:
            end = _closing(tokens, at + 1)
            inner = tokens[at + 2 : end]
            yield from _listed(inner[1:-1] if inner[:1] == ["("] else inner)
            at = end
        elif depth == 0 and tokens[at : at + 2] == ["[", "["]:
            end = _closing(tokens, at)
            yield from _listed(tokens[at + 2 : end - 1])
            at = end
        elif depth == 0 and token in _KEYWORDS:
            end = _closing(tokens, at + 1) if tokens[at + 1 : at + 2] == ["("] else at
            yield token, "".join(tokens[at + 2 : end])
            at = end
        else:
            depth += (token in _OPENING) - (token in _CLOSING)
        at += 1


def _listed(tokens: Sequence[str]) -> Iterator[tuple[str, str]]:
    """The attributes between the brackets."""
    at = 0
    while at < len(tokens):
        name = tokens[at]
        if name == "," or (name in _VENDOR and tokens[at + 1 : at + 2] == [":"]) or name == ":":
            at += 1
            continue
        end = _closing(tokens, at + 1) if tokens[at + 1 : at + 2] == ["("] else at
        yield name, "".join(tokens[at + 2 : end])
        at = end + 1


def _closing(tokens: Sequence[str], opening: int) -> int:
    """The position of the closing bracket for an opening one."""
    depth = 0
    for at in range(opening, len(tokens)):
        depth += (tokens[at] in _OPENING) - (tokens[at] in _CLOSING)
        if depth == 0:
            return at
    return len(tokens) - 1
