"""Property files of SV-COMP: the properties that a verifier must check, in one or a few lines.

CHECK( init(main()), LTL(G ! call(reach_error())) )      unreach-call: assertions hold, errors are not reached
CHECK( init(main()), LTL(G ! label(ERROR)) )             unreach-label: a label is not reached
CHECK( init(main()), LTL(G ! overflow) )                 no-overflow: signed arithmetic does not overflow
CHECK( init(main()), LTL(G valid-deref) )                valid-memsafety, with valid-free and valid-memtrack
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, final

from remuda.base.errors import FileError

if TYPE_CHECKING:
    from pathlib import Path

_CHECK: Final = re.compile(r"CHECK\(\s*init\((?P<entry>\w+)\(\)\)\s*,\s*LTL\(\s*G\s*(?P<formula>.*?)\s*\)\s*\)\s*$")
_CALL: Final = re.compile(r"!\s*call\((?P<name>\w+)\(\)\)")
_LABEL: Final = re.compile(r"!\s*label\((?P<name>\w+)\)")
_OVERFLOW: Final = re.compile(r"!\s*overflow")
_MEMORY: Final = frozenset({"valid-deref", "valid-free", "valid-memtrack"})
ERRORS: Final = frozenset({"reach_error", "__VERIFIER_error"})


@final
@dataclass(frozen=True, slots=True)
class Property:
    """A property: a value of `Options.property`, a label that must not be reached, and the entry procedure."""

    name: str
    error_label: str | None = None
    entry: str = "main"

    def changes(self) -> dict[str, Any]:
        """The options that select this property."""
        changed: dict[str, Any] = {"property": self.name}
        if self.error_label is not None:
            changed["error_label"] = (self.error_label,)
        if self.entry != "main":
            changed["entry"] = (self.entry,)
        return changed


def read_property(path: Path) -> Property:
    """The property that a property file states."""
    try:
        text = path.read_text(encoding="utf-8")
    except OSError as error:
        raise FileError(f"{path}: cannot read the property file: {error.strerror}") from error
    except UnicodeDecodeError as error:
        raise FileError(f"{path}: the property file is not text in UTF-8") from error
    checks = [_CHECK.match(line.strip()) for line in text.splitlines() if line.strip()]
    found = [check for check in checks if check is not None]
    if not found or len(found) < len(checks):
        raise FileError(f"{path}: not a property file: it must consist of lines CHECK( init(main()), LTL(...) )")
    formulas = [" ".join(check["formula"].split()) for check in found]
    return _property(path, formulas, found[0]["entry"])


def _property(path: Path, formulas: list[str], entry: str) -> Property:
    if set(formulas) <= _MEMORY:
        return Property("valid-memsafety", entry=entry)
    if len(formulas) == 1:
        call, label = _CALL.fullmatch(formulas[0]), _LABEL.fullmatch(formulas[0])
        if call is not None and call["name"] in ERRORS:
            return Property("unreach-call", entry=entry)
        if label is not None:
            return Property("unreach-call", label["name"], entry)
        if _OVERFLOW.fullmatch(formulas[0]):
            return Property("no-overflow", entry=entry)
    raise FileError(f"{path}: Remuda cannot check {' and '.join(formulas)}")
