"""`remuda completion`: the script with which a shell completes Remuda's commands."""

from __future__ import annotations

import click
from click.shell_completion import get_completion_class

from remuda.cli.commands import SETTINGS
from remuda.cli.reporter import Reporter

EPILOG = """\b
Examples:
  eval "$(remuda completion bash)"             # in ~/.bashrc
  eval "$(remuda completion zsh)"              # in ~/.zshrc
  remuda completion fish | source              # in ~/.config/fish/config.fish
"""


@click.command(context_settings=SETTINGS, epilog=EPILOG, short_help="Print a shell completion script.")
@click.argument("shell", type=click.Choice(("bash", "zsh", "fish")))
@click.pass_context
def completion(context: click.Context, shell: str) -> int:
    """Print the completion script of a shell."""
    reporter = context.find_object(Reporter) or Reporter()
    completer = get_completion_class(shell)
    assert completer is not None
    root = context.find_root().command
    reporter.output(completer(root, {}, "remuda", "_REMUDA_COMPLETE").source())
    return 0
