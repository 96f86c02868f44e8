"""One run of clang on one file: its options, its complaints, and a second attempt that some files need."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from ctypes import byref, c_char_p, c_void_p
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final, final

from remuda.base.errors import Diagnostic, ToolError, UsageError
from remuda.frontends.c.clang import kinds
from remuda.frontends.c.clang.entities import RENAMED
from remuda.frontends.c.clang.native import UnsavedFile, library
from remuda.frontends.c.clang.places import Places

if TYPE_CHECKING:
    from remuda.base.source import Source
    from remuda.frontends.c.clang.native import Library

ERROR_LIMIT: Final = 50
BRACKET_DEPTH: Final = 16_000  # the stack has room for this depth, whatever is in the brackets

# Old programs leave out declarations, result types and casts. Clang calls these errors, but options silence them.
TOLERANCE: Final = (
    "-Wno-everything",
    "-Wunsequenced",
    "-Wno-error",
    "-fgnu-keywords",
    "-fno-color-diagnostics",
    f"-ferror-limit={ERROR_LIMIT}",
    f"-fbracket-depth={BRACKET_DEPTH}",
)

# Remedies for programs that other compilers accept: a complaint of clang, and the options that silence it.
REMEDIES: Final = (
    # A program may define a builtin function of clang. Renaming it everywhere makes it an ordinary function.
    (
        re.compile(
            r"(?:definition of builtin function|cannot redeclare builtin function|conflicting types for) '(__\w+)'"
        ),
        rf"-D\1={RENAMED}\1",
    ),
    (re.compile(r"'(__\w+__)' attribute takes no arguments"), r"-D\1(...)=\1"),  # newer versions take some
    (re.compile(r"unknown type name '(_Float128)'"), r"-D\1=__float128"),
    (re.compile(r"unknown type name '(_Float64x)'"), r"-D\1=long double"),
    (re.compile(r"unknown type name '(_Float64|_Float32x)'"), r"-D\1=double"),
    (re.compile(r"unknown type name '(_Float32)'"), r"-D\1=float"),
    (re.compile(r"'__(?:int\d+|declspec|forceinline|cdecl|stdcall|fastcall|w64)\b"), "-fms-extensions"),
    # A library function that is never declared, and called with unusual arguments.
    (re.compile(r"too (?:few|many) arguments to function call"), "-fno-builtin"),
)
MAXIMAL_TRIES: Final = 4
_CRASHED: Final = {1: "failed", 2: "crashed", 3: "was called wrongly"}
_REFUSED: Final = 4  # what libclang returns for options that it does not know


@final
@dataclass(frozen=True, slots=True)
class Complaints:
    """Clang's diagnostics about a program. The only warnings are those about unsequenced side effects."""

    errors: list[Diagnostic] = field(default_factory=list)
    warnings: list[Diagnostic] = field(default_factory=list)


@contextmanager
def parsed(source: Source, arguments: Sequence[str]) -> Iterator[tuple[Library, Places, c_void_p, Complaints]]:
    """The library, the places of the translation unit, the unit, and clang's complaints."""
    loaded = library()
    index = loaded.createIndex(0, 0)
    unit = c_void_p()
    try:
        unit, places, complaints = _parse(loaded, index, source, arguments)
        first = complaints
        remedies: dict[str, None] = {}
        for _ in range(MAXIMAL_TRIES):
            count = len(remedies)
            remedies.update(dict.fromkeys(_remedies(complaints.errors)))
            if len(remedies) == count:
                break
            loaded.disposeTranslationUnit(unit)
            unit = c_void_p()
            unit, places, complaints = _parse(loaded, index, source, [*arguments, *remedies])
        if complaints.errors:
            complaints = first  # about the program as it is written
        yield loaded, places, unit, complaints
    finally:
        if unit.value is not None:
            loaded.disposeTranslationUnit(unit)
        loaded.disposeIndex(index)


def _remedies(errors: Sequence[Diagnostic]) -> Iterator[str]:
    """Options that may make errors go away, in the order of the errors."""
    for error in errors:
        for pattern, option in REMEDIES:
            match = pattern.search(error.message)
            if match is not None:
                yield match.expand(option)


def _parse(
    loaded: Library, index: c_void_p, source: Source, arguments: Sequence[str]
) -> tuple[c_void_p, Places, Complaints]:
    words = [word.encode("utf-8", "surrogateescape") for word in arguments]
    name = source.name.encode("utf-8", "surrogateescape")
    contents = source.text.encode("utf-8", "surrogateescape")
    unit = c_void_p()
    code = loaded.parseTranslationUnit2(
        index,
        name,
        (c_char_p * len(words))(*words),
        len(words),
        byref(UnsavedFile(name, contents, len(contents))),
        1,
        0,
        byref(unit),
    )
    if code == _REFUSED:
        versions = [word for word in arguments if word.startswith("-std=")]
        raise UsageError(
            f"{source.name}: the C parser libclang does not take {' '.join(versions)}, or another option"
        )
    if code or unit.value is None:
        raise ToolError(f"{source.name}: the C parser libclang {_CRASHED.get(code, 'failed')}")
    places = Places(loaded, unit, source)
    return unit, places, _complaints(loaded, unit, places)


def _complaints(loaded: Library, unit: c_void_p, places: Places) -> Complaints:
    complaints = Complaints()
    for number in range(loaded.getNumDiagnostics(unit)):
        diagnostic = loaded.getDiagnostic(unit, number)
        severity = loaded.getDiagnosticSeverity(diagnostic)
        if severity >= kinds.SEVERITY_WARNING:
            span = places.span_of_location(loaded.getDiagnosticLocation(diagnostic))
            found = Diagnostic(span, loaded.text(loaded.getDiagnosticSpelling(diagnostic)))
            (complaints.errors if severity >= kinds.SEVERITY_ERROR else complaints.warnings).append(found)
        loaded.disposeDiagnostic(diagnostic)
    return complaints
