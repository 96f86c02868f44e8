"""`remuda.toml`: the options of a project.

    bound = 8
    entry = ["main"]
    [bound_for]
    Push = 2

Keys are the names of options. Without `--config`, a `remuda.toml` in the current folder is used if there is one.
"""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any, Final

from remuda.base.errors import UsageError
from remuda.option_values import read_options

DEFAULT_NAME: Final = "remuda.toml"


def load_config(path: str | None) -> dict[str, Any]:
    """The options of the given file, or else of ./remuda.toml, or else none."""
    if path is None and not Path(DEFAULT_NAME).is_file():
        return {}
    name = path or DEFAULT_NAME
    try:
        text = Path(name).read_text(encoding="utf-8")
        values = tomllib.loads(text)
    except OSError as error:
        raise UsageError(f"cannot read {name}: {error.strerror}") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise UsageError(f"{name}: {error}") from None
    return read_options(values, name)
