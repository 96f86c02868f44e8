"""Names for printed programs: legal in Boogie and different within a scope.

Symbols are compared by identity, so two symbols may share a name, and a name may be any text:

    x, x, type, a-b        printed as x, x#1, \\type, a_b
"""

from __future__ import annotations

import re
from typing import Final, final

# The keywords of Boogie 2.4, and the few that later versions added.
KEYWORDS: Final = frozenset(
    """
    assert assume async axiom bool break call cast complete const div else ensures exists extends false forall
    free function goto havoc if implementation int invariant lambda mod modifies old par procedure pure real
    requires return returns rmode then true type unique var where while yield
    RNE RNA RTP RTN RTZ roundNearestTiesToEven roundNearestTiesToAway roundTowardPositive roundTowardNegative
    roundTowardZero
    """.split()  # noqa: SIM905
)
_LEGAL = re.compile(r"[A-Za-z'~#$^_.?`][A-Za-z0-9'~#$^_.?`]*")
_ILLEGAL_CHARACTER = re.compile(r"[^A-Za-z0-9'~#$^_.?`]")
_BUILTIN_TYPE = re.compile(r"bv\d+|float\d+e\d+|rmode|string|regex")


def legal_name(text: str) -> str:
    """The text itself if it is an identifier of Boogie, else one that resembles it."""
    if _LEGAL.fullmatch(text):
        return text
    name = _ILLEGAL_CHARACTER.sub("_", text)
    return name if _LEGAL.fullmatch(name) else f"_{name}"


def escape(name: str) -> str:
    """The name as it is written: a backslash makes a keyword an identifier."""
    return f"\\{name}" if name in KEYWORDS else name


@final
class Names:
    """The names of one scope. It never reuses a name of an outer scope."""

    __slots__ = ("_next", "_outer", "_taken")

    def __init__(self, outer: Names | None = None) -> None:
        self._taken: set[str] = set()
        self._next: dict[str, int] = {}
        self._outer = outer

    def __contains__(self, name: str) -> bool:
        scope: Names | None = self
        while scope is not None:
            if name in scope._taken:
                return True
            scope = scope._outer
        return False

    def claim(self, wanted: str) -> str:
        """A unique name for a symbol, as it is printed: the wanted one, or the wanted one with a number."""
        base = legal_name(wanted)
        name = base
        if name in self:
            number = self._next.get(base, 1)
            while (name := f"{base}#{number}") in self:
                number += 1
            self._next[base] = number + 1
        self._taken.add(name)
        return escape(name)

    def claim_type(self, wanted: str) -> str:
        """A unique name for a type, which must differ from the built-in types too."""
        return self.claim(f"{wanted}_" if _BUILTIN_TYPE.fullmatch(wanted) else wanted)

    def release(self, written: str) -> None:
        """Make a name free again, because its scope has ended."""
        self._taken.discard(written.removeprefix("\\"))
