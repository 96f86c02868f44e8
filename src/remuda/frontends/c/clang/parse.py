"""C files to `ast.Unit`.

`parse` reads one file, `parse_program` several that make up a program. Errors in them raise an `InputError` with all
complaints; constructs that only the lowering cannot model become nodes of their own.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Final, final

from remuda.base.errors import Diagnostic, InputError, Unsupported
from remuda.base.source import Source, Span
from remuda.frontends.c.clang.big_stack import with_big_stack
from remuda.frontends.c.clang.headers import HEADERS
from remuda.frontends.c.syntax.link import Linker
from remuda.frontends.c.syntax.types import LP64, Machine

if TYPE_CHECKING:
    from remuda.frontends.c.syntax.ast import Unit

ORDER: Final = "assumed to be evaluated from left to right, and the right side of an assignment first"
CPLUSPLUS: Final = frozenset({".cc", ".cpp", ".cxx", ".c++", ".C", ".hpp", ".hh", ".hxx", ".ii"})


@final
@dataclass(frozen=True, kw_only=True, slots=True)
class ParseOptions:
    """`defines` are written `NAME` or `NAME=VALUE`; `includes` are files read before the program."""

    machine: Machine = LP64
    include_dirs: tuple[str, ...] = ()
    defines: tuple[str, ...] = ()
    standard: str = "gnu11"
    includes: tuple[str, ...] = ()


def parse(source: Source, options: ParseOptions) -> Unit:
    """One file as a unit."""
    return parse_program([source], options)


def parse_program(sources: Sequence[Source], options: ParseOptions) -> Unit:
    """Several files as one program."""
    return parse_files([(source, options) for source in sources])


def parse_files(files: Sequence[tuple[Source, ParseOptions]]) -> Unit:
    """Several files as one program, each with options of its own (on one machine)."""
    first: list[int] = []  # the files to convert before the others
    while True:
        linker = Linker()
        units = _convert_files(files, first, linker)
        late = {number: span for number, span in linker.late.items() if number not in first}
        if not late:
            break
        first += late
    if linker.late:
        raise Unsupported(next(iter(linker.late.values())), "aliases of files that refer to each other's")
    return linker.program(units)


def _convert_files(files: Sequence[tuple[Source, ParseOptions]], first: Sequence[int], linker: Linker) -> list[Unit]:
    """The units of all files, in the order of the files."""
    units: dict[int, Unit] = {}
    diagnostics: dict[int, Sequence[Diagnostic]] = {}
    for number in (*first, *(each for each in range(len(files)) if each not in first)):
        linker.unit = number
        try:
            units[number] = _parse_file(*files[number], linker)
        except InputError as error:
            diagnostics[number] = error.diagnostics
    if diagnostics:
        raise InputError([each for number in sorted(diagnostics) for each in diagnostics[number]])
    return [units[number] for number in sorted(units)]


def _parse_file(source: Source, options: ParseOptions, linker: Linker) -> Unit:
    _check_language(source)
    return with_big_stack(lambda: _convert(source, options, linker))


def _check_language(source: Source) -> None:
    if Path(source.name).suffix in CPLUSPLUS:
        raise InputError([Diagnostic(Span(source, 0, 0), "this is a C++ file; only C is supported")])
    if not source.text.strip():
        raise InputError([Diagnostic(Span(source, 0, 0), "the file is empty")])


def _convert(source: Source, options: ParseOptions, linker: Linker) -> Unit:
    from remuda.frontends.c.clang.convert import Conversion
    from remuda.frontends.c.clang.session import parsed

    with parsed(source, arguments_of(options)) as (library, places, unit, complaints):
        if complaints.errors:
            raise InputError(complaints.errors)
        root = library.getTranslationUnitCursor(unit)
        made = Conversion(library, places, linker, options.machine).unit(root)
        unordered = tuple((each.span, f"{each.message}: {ORDER}") for each in complaints.warnings)
    if made is None:
        raise InputError([Diagnostic(Span(source, 0, 0), "the file declares nothing")])
    return replace(made, warnings=(*made.warnings, *unordered))


def arguments_of(options: ParseOptions) -> list[str]:
    """Clang's command line. The user's folders come before our small headers; the machine's own are not searched,
    because their programs would depend on the machine that verifies them."""
    from remuda.frontends.c.clang.session import TOLERANCE

    return [
        "-x",
        "c",
        f"-std={options.standard}",
        "-target",
        options.machine.triple,
        "-nostdinc",
        *TOLERANCE,
        *(f"-I{folder}" for folder in options.include_dirs),
        "-isystem",
        str(HEADERS),
        *(f"-D{define}" for define in options.defines),
        *(word for name in options.includes for word in ("-include", name)),
    ]
