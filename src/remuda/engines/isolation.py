"""Schedules proofs of assertions in fragments: inner fragments first, then those around them (Akhundov, section 3).

An assertion holds if it is proved in every smallest fragment that contains it. If a proof in a fragment fails,
nothing is claimed, and the assertion has to be proved in all fragments around it instead. No proof is tried twice.
Several proofs may run at the same time; if one in an outer fragment succeeds, those in its inner fragments are not
needed.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, final

if TYPE_CHECKING:
    from remuda.analysis.fragments import CallerTree
    from remuda.ir.program import Check


@final
class Schedule:
    """The proofs that were tried, and those to try next."""

    def __init__(self, tree: CallerTree, checks: Iterable[Check]) -> None:
        self._tree = tree
        owners: dict[Check, list[str]] = {}
        for name, fragment in tree.fragments.items():
            for check in fragment.checks:
                owners.setdefault(check, []).append(name)
        self._owners = {check: owners[check] for check in checks if check in owners}
        self._order = sorted(tree.fragments, key=_heights(tree).__getitem__)
        self._begun: set[tuple[str, Check]] = set()
        self._failed: set[tuple[str, Check]] = set()
        self._proved: set[tuple[str, Check]] = set()
        self._open = dict.fromkeys(self._owners)

    @property
    def undecided(self) -> list[Check]:
        return list(self._open)

    def next(self, *, ahead: bool = False) -> tuple[str, list[Check]] | None:
        """The smallest fragment with assertions to prove; with `ahead`, also fragments whose inner ones are still
        being tried."""
        needed: dict[str, list[Check]] = {}
        for check in self._open:
            for name in self._needed(check, ahead=ahead):
                needed.setdefault(name, []).append(check)
        return next(((name, needed[name]) for name in self._order if name in needed), None)

    def begin(self, name: str, checks: Iterable[Check]) -> None:
        self._begun.update((name, check) for check in checks)

    def commit(self, name: str, checks: Sequence[Check], proved: Iterable[Check]) -> list[Check]:
        """Record which assertions were proved in a fragment. Returns the assertions that hold now."""
        found = set(proved)
        for check in checks:
            (self._proved if check in found else self._failed).add((name, check))
        decided = [check for check in self._open if check in found and self._holds(check)]
        for check in decided:
            del self._open[check]
        return decided

    def is_needed(self, name: str, checks: Iterable[Check]) -> bool:
        """Whether a running proof in a fragment is still needed."""
        return any(check in self._open and name in self._live(check) for check in checks)

    def proofs(self, check: Check) -> list[str]:
        """The fragments that an assertion was proved in."""
        return [name for name in self._order if (name, check) in self._proved]

    def _walk(self, check: Check) -> Iterator[str]:
        """The fragments from an assertion outwards, up to those in which it is proved or was not tried yet."""
        seen: set[str] = set()
        work = list(self._owners[check])
        while work:
            name = work.pop(0)
            if name not in seen:
                seen.add(name)
                yield name
                if (name, check) in self._failed:
                    work.extend(self._tree.around(name) or ())

    def _needed(self, check: Check, *, ahead: bool) -> Iterator[str]:
        for name in self._live(check) if ahead else self._walk(check):
            if (name, check) not in self._begun:
                yield name

    def _live(self, check: Check) -> list[str]:
        """All fragments around an assertion that is not proved inside them."""
        found: dict[str, None] = {}
        work = list(self._owners[check])
        while work:
            name = work.pop(0)
            if name not in found and (name, check) not in self._proved:
                found[name] = None
                work.extend(self._tree.around(name) or ())
        return list(found)

    def _holds(self, check: Check) -> bool:
        """Whether every path outwards from the assertion leads through a fragment in which it is proved."""
        seen: dict[str, None] = {}
        work = list(self._owners[check])
        while work:
            name = work.pop()
            if name in seen:
                continue
            seen[name] = None
            if (name, check) not in self._proved:
                around = self._tree.around(name)
                if around is None:
                    return False
                work.extend(around)
        return True


def _heights(tree: CallerTree) -> dict[str, int]:
    """For each fragment, the greatest depth of nested fragments inside it."""
    heights = dict.fromkeys(tree.fragments, 0)
    work = list(tree.fragments)
    while work:
        name = work.pop()
        for around in tree.fragments[name].parents:
            if heights[around] <= heights[name] < len(heights):
                heights[around] = heights[name] + 1
                work.append(around)
    return heights
