"""Makes a program from source texts, by their language."""

from __future__ import annotations

import os.path
from dataclasses import replace
from pathlib import Path, PurePath
from typing import TYPE_CHECKING, Final

from remuda.base.errors import FileError, UsageError
from remuda.options import CHECK_SETS, CHECKS, PROPERTY_CHECKS

if TYPE_CHECKING:
    from collections.abc import Sequence

    from remuda.base.source import Source
    from remuda.frontends.c.clang.compile_commands import CompileCommand
    from remuda.frontends.c.clang.parse import ParseOptions
    from remuda.ir.program import Program
    from remuda.options import Options

C_SUFFIXES: Final = frozenset({".c", ".i", ".h"})
CPLUSPLUS_SUFFIXES: Final = frozenset({".cc", ".cpp", ".cxx", ".c++", ".C", ".hpp", ".hh", ".hxx", ".ii"})
NO_MEMORY: Final = "none"  # internal memory model: reads give any value, so it finds no violations


def load(sources: Sequence[Source], options: Options, *, believes: bool = True) -> tuple[Program, Options]:
    """The program of all sources together, and the options for the rest of the run.

    With `believes`, pointers in C are assumed to stay in their arrays, and assertions check that (`Program.beliefs`).

    A C program only has the functions that its entries reach; a Boogie program has all procedures, and its entries
    are chosen later.
    """
    if language_of(sources, options) == "c":
        return _load_c(sources, options, believes=believes), replace(options, entry=())
    if options.property in PROPERTY_CHECKS:
        raise UsageError(
            f"--property {options.property} is for C programs, and this one is in Boogie; choose another property"
        )
    if options.test_case:
        raise UsageError("--test-case is for C programs, and this one is in Boogie; leave it out")
    if options.confirm:
        raise UsageError("--confirm is for C programs, and this one is in Boogie; leave it out")
    from remuda.frontends.boogie.load import load as load_boogie

    program = load_boogie(sources)
    return _without_free_ensures(program) if options.ignore_free_ensures else program, options


def _without_free_ensures(program: Program) -> Program:
    """The program without the `free ensures` of procedures with a body. Others have no meaning but their
    contracts."""
    procedures = {
        name: procedure
        if procedure.blocks is None
        else replace(procedure, ensures=tuple(each for each in procedure.ensures if not each.free))
        for name, procedure in program.procedures.items()
    }
    return replace(program, procedures=procedures)


def language_of(sources: Sequence[Source], options: Options) -> str:
    if options.language != "auto":
        return options.language
    languages = set()
    for source in sources:
        suffix = PurePath(source.name).suffix
        if suffix in CPLUSPLUS_SUFFIXES:
            raise FileError(f"{source.name}: this is a C++ file, which Remuda does not read; give C or Boogie files")
        languages.add("c" if suffix in C_SUFFIXES else "boogie")
    if len(languages) > 1:
        raise UsageError(
            "the files are in different languages; give one language at a time, or choose one with --language"
        )
    return languages.pop()


def _load_c(sources: Sequence[Source], options: Options, *, believes: bool) -> Program:
    from remuda.frontends.c.clang.parse import parse_files
    from remuda.frontends.c.lowering.lower import lower
    from remuda.frontends.c.lowering.options import LoweringOptions

    asked = PROPERTY_CHECKS.get(options.property, ())
    lowering = LoweringOptions(
        entries=options.entry,
        integers=options.integers,
        memory_model=options.memory_model,
        volatile=options.volatile,
        error_labels=options.error_label,
        checks=checks_of((*options.check, *asked)),
        asked=frozenset(asked),
        believes=believes,
        stops=options.on_failure == "stop",
    )
    return lower(parse_files(parsing_of(sources, options)), lowering)


def parsing_of(sources: Sequence[Source], options: Options) -> list[tuple[Source, ParseOptions]]:
    """The options to parse each file with: from the flags, and from the compilation database if it has the file."""
    parsing = parse_options(options)
    if not options.compile_commands:
        return [(source, parsing) for source in sources]
    from remuda.frontends.c.clang.compile_commands import read_compile_commands

    commands = {command.file: command for command in read_compile_commands(options.compile_commands, parsing)}
    return [(source, _with(commands.get(_full(source.name)), parsing)) for source in sources]


def _with(command: CompileCommand | None, parsing: ParseOptions) -> ParseOptions:
    return parsing if command is None else command.options


def parse_options(options: Options) -> ParseOptions:
    from remuda.frontends.c.clang.parse import ParseOptions
    from remuda.frontends.c.syntax.types import MACHINES

    return ParseOptions(
        machine=MACHINES[options.arch],
        include_dirs=options.include_dir,
        defines=options.define,
        includes=options.include,
        standard=options.std,
    )


def files_of_database(path: str, options: Options) -> list[str]:
    """The C files that a compilation database compiles."""
    from remuda.frontends.c.clang.compile_commands import read_compile_commands

    files = [command.file for command in read_compile_commands(path, parse_options(options))]
    if not files:
        raise FileError(f"{path}: this compilation database compiles no C file")
    return files


def _full(name: str) -> str:
    return os.path.normpath(Path(name).absolute())


def checks_of(given: Sequence[str]) -> frozenset[str]:
    """The kinds of generated checks that `--check` selects."""
    kinds: set[str] = set()
    for name in (name.strip() for text in given for name in text.split(",")):
        if name in CHECK_SETS:
            kinds.update(CHECK_SETS[name])
        elif name in CHECKS:
            kinds.add(name)
        else:
            known = ", ".join((*CHECKS, *CHECK_SETS))
            raise UsageError(f"there is no check {name!r}; choose from {known}")
    return frozenset(kinds)
