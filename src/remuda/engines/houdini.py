"""Houdini: the greatest set of candidates that is inductive (Flanagan and Leino, FME 2001).

    assume all candidates
    repeat for each procedure: drop the candidates that can fail in it while all others are assumed
    until no candidate fails

Candidates are Boolean constants that stand for conditions. The queries of procedures (`Question`) decide where
candidates are assumed and checked. After dropping a candidate, only procedures are asked again whose last
unsatisfiable core contains it. In the end, all procedures are asked again whose last answer is older than the last
drop, so the result does not depend on the correctness of cores.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Protocol, final

if TYPE_CHECKING:
    from remuda.ir.program import Check
    from remuda.terms.symbols import Variable


@final
@dataclass(frozen=True, slots=True)
class Failing:
    """Candidates that fail, at least one, each with the assertion that fails; None: the solver does not know."""

    candidates: Mapping[Variable, Check | None]


@final
@dataclass(frozen=True, slots=True)
class Holding:
    """No candidate fails, and these are the candidates in the core."""

    used: frozenset[Variable]


class Question(Protocol):
    """The query about one procedure."""

    def ask(self, believed: Collection[Variable]) -> Failing | Holding: ...


@final
@dataclass(slots=True)
class Inferred:
    """The remaining candidates, and the reasons why the others were dropped; None: the solver did not know."""

    kept: list[Variable] = field(default_factory=list)
    dropped: dict[Variable, Check | None] = field(default_factory=dict)


def greatest_inductive(candidates: Sequence[Variable], questions: Mapping[str, Question]) -> Inferred:
    """The greatest inductive set of candidates: ask every procedure until no assumed candidate fails."""
    believed = dict.fromkeys(candidates)
    dropped: dict[Variable, Check | None] = {}
    used: dict[str, frozenset[Variable]] = {}
    asked: dict[str, int] = {}  # the number of candidates when a procedure was last asked
    work = dict.fromkeys(questions)
    while work or (work := dict.fromkeys(name for name in questions if asked[name] != len(believed))):
        name = next(iter(work))
        asked[name] = len(believed)
        answer = questions[name].ask(believed.keys())
        if isinstance(answer, Holding):
            used[name] = answer.used
            del work[name]
            continue
        for candidate, check in answer.candidates.items():
            del believed[candidate]
            dropped[candidate] = check
        for other, needed in used.items():
            if not needed.isdisjoint(answer.candidates):
                work[other] = None
    return Inferred(list(believed), dropped)
