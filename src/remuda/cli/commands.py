"""The command group. Each command has its own module, which is imported when the command runs."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Final, final

import click

from remuda import __version__

if TYPE_CHECKING:
    from collections.abc import Iterator

# Name, module and attribute of all commands, in the order of `--help`.
COMMANDS: Final = {
    "verify": ("remuda.cli.verify", "verify"),
    "show": ("remuda.cli.show", "show"),
    "isolate": ("remuda.cli.isolate", "isolate"),
    "implications": ("remuda.cli.implications", "implications"),
    "houdini": ("remuda.cli.houdini", "houdini"),
    "synthesize": ("remuda.cli.synthesize", "synthesize"),
    "transform": ("remuda.cli.transform", "transform"),
    "bench": ("remuda.cli.bench", "bench"),
    "completion": ("remuda.cli.completion", "completion"),
}

SETTINGS: Final = {"help_option_names": ["-h", "--help"]}


@final
class LazyGroup(click.Group):
    """A group that imports a command's module only if the command is needed."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002 - click's signature
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002
        if cmd_name not in COMMANDS:
            return None
        module, attribute = COMMANDS[cmd_name]
        command = getattr(importlib.import_module(module), attribute)
        assert isinstance(command, click.Command)
        return command


@click.group(
    cls=LazyGroup,
    context_settings={**SETTINGS, "max_content_width": 110},
    epilog="\b\nExamples:\n  remuda verify queue.bpl\n  remuda verify --help\n  remuda show loops queue.bpl",
)
@click.version_option(__version__, "-V", "--version", prog_name="remuda", message="%(prog)s %(version)s")
def cli() -> None:
    """Verify assertions in C and Boogie programs.

    Every assertion gets a verdict: violated, with an execution that was replayed; proved, for every execution;
    bounded, for all executions up to a stated bound; unreachable; or unknown, with the reason.
    """


def all_commands(width: int | None = None) -> Iterator[click.Context]:
    """The contexts of the group and of all commands; each group comes directly before its commands."""
    waiting: list[tuple[click.Command, click.Context | None, str]] = [(cli, None, "remuda")]
    while waiting:
        command, parent, name = waiting.pop()
        names = SETTINGS["help_option_names"]
        context = click.Context(command, parent, name, terminal_width=width, help_option_names=names)
        yield context
        if isinstance(command, click.Group):
            names_of_members = reversed(command.list_commands(context))
            members = ((command.get_command(context, member), member) for member in names_of_members)
            waiting += [(found, context, member) for found, member in members if found is not None]
