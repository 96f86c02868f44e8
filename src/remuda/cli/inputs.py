"""Interprets the files on the command line: a program, or a task definition that names a program and options."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from remuda.base.errors import UsageError
from remuda.cli.config import load_config
from remuda.cli.flags import build_options, given_config, given_options, only, taken_options

if TYPE_CHECKING:
    from collections.abc import Sequence

    import click

    from remuda.options import Options
    from remuda.tasks import Task

TASK_SUFFIXES: Final = (".yml", ".yaml")
DATABASE_SUFFIX: Final = ".json"


def resolve(context: click.Context, files: Sequence[str], spec: str | None = None) -> tuple[list[str], Options]:
    """The files to read and the options to use: defaults, configuration, task, property file, flags, in this order;
    later ones override earlier ones.

    Options that the command does not take keep their defaults, even if a configuration or a task sets them.
    """
    taken = taken_options(context.command)
    given = {**_asked(spec), **given_options(context)}
    options = build_options(load_config(given_config(context)), given)
    if len(files) == 1 and files[0].lower().endswith(DATABASE_SUFFIX):
        from remuda.prepare.load import files_of_database

        return files_of_database(files[0], options), replace(only(options, taken), compile_commands=files[0])
    task = find_task(files)
    if task is None:
        return list(files), only(options, taken)

    from remuda.tasks import task_options

    return [str(path) for path in task.inputs], only(task_options(task, options, given), taken)


def _asked(spec: str | None) -> dict[str, Any]:
    """The options that a property file sets."""
    if spec is None:
        return {}

    from remuda.property_files import read_property

    return read_property(Path(spec)).changes()


def find_task(files: Sequence[str]) -> Task | None:
    """The task, if the only file is a task definition."""
    if not any(file.lower().endswith(TASK_SUFFIXES) for file in files):
        return None
    if len(files) > 1:
        raise UsageError("a task definition names its own files; give no other files")

    from remuda.tasks import load_task

    return load_task(Path(files[0]))
