"""Compilation databases: `compile_commands.json`, in which build systems write how each file is compiled.

Only the options that change the meaning of a program count: include folders, definitions, forced includes, the
language standard and the width of the machine.
"""

from __future__ import annotations

import json
import os.path
import shlex
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Final, final

from remuda.base.errors import FileError
from remuda.frontends.c.syntax.types import ILP32, LP64

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from remuda.frontends.c.clang.parse import ParseOptions

_FOLDERS: Final = ("-I", "-isystem", "-iquote", "-idirafter")
_SUFFIXES: Final = frozenset({".c", ".i"})


@final
@dataclass(frozen=True, slots=True)
class CompileCommand:
    """A C file of a project, and the options to parse it with."""

    file: str
    options: ParseOptions


def read_compile_commands(path: str, defaults: ParseOptions) -> tuple[CompileCommand, ...]:
    """The C files of a database in order, each once, with the options of its first entry. Files in other languages
    are left out."""
    try:
        entries = json.loads(Path(path).read_text(encoding="utf-8"))
    except OSError as error:
        raise FileError(f"{path}: {error.strerror or error}") from error
    except ValueError as error:
        raise FileError(f"{path}: this is not a compilation database: {error}") from error
    if not isinstance(entries, list):
        raise FileError(f"{path}: this is not a compilation database: a list is expected")
    found: dict[str, CompileCommand] = {}
    for number, entry in enumerate(entries, 1):
        file, given, words = _read_entry(entry, f"{path}: entry {number}")
        folder = str(Path(path).parent / given)
        if Path(file).suffix in _SUFFIXES:
            full = _join(folder, file)
            found.setdefault(full, CompileCommand(full, _options(words, folder, defaults)))
    return tuple(found.values())


def _read_entry(entry: object, place: str) -> tuple[str, str, list[str]]:
    """The file, the folder that the command runs in, and the command's words."""
    if not isinstance(entry, dict):
        raise FileError(f"{place} is not an object")
    file, folder = entry.get("file"), entry.get("directory", ".")
    if not isinstance(file, str) or not isinstance(folder, str):
        raise FileError(f"{place} has no file")
    arguments, command = entry.get("arguments"), entry.get("command")
    if isinstance(arguments, list):
        return file, folder, [str(word) for word in arguments]
    if not isinstance(command, str):
        raise FileError(f"{place} has neither `arguments` nor `command`")
    try:
        return file, folder, shlex.split(command)
    except ValueError as error:
        raise FileError(f"{place}: {error}") from error


def _options(words: Sequence[str], folder: str, defaults: ParseOptions) -> ParseOptions:
    options = defaults
    for flag, value in _flags(words):
        match flag:
            case "-I" | "-isystem" | "-iquote" | "-idirafter":
                options = replace(options, include_dirs=(*options.include_dirs, _join(folder, value)))
            case "-D":
                options = replace(options, defines=(*options.defines, value))
            case "-U":
                kept = tuple(define for define in options.defines if define.split("=")[0] != value)
                options = replace(options, defines=kept)
            case "-include":
                options = replace(options, includes=(*options.includes, _join(folder, value)))
            case "-std":
                options = replace(options, standard=value)
            case "-m32":
                options = replace(options, machine=ILP32)
            case "-m64":
                options = replace(options, machine=LP64)
    return options


def _flags(words: Sequence[str]) -> Iterator[tuple[str, str]]:
    """The flags that matter, with their values, which may be words of their own."""
    waiting = iter(words)
    for word in waiting:
        if word in {"-m32", "-m64"}:
            yield word, ""
        elif word.startswith("-std="):
            yield "-std", word.removeprefix("-std=")
        else:
            for flag in (*_FOLDERS, "-D", "-U", "-include"):
                if word == flag:
                    yield flag, next(waiting, "")
                    break
                if word.startswith(flag) and flag != "-include":  # `-include-pch` is another flag
                    yield flag, word.removeprefix(flag)
                    break


def _join(folder: str, path: str) -> str:
    return os.path.normpath(Path(folder).absolute() / path)
