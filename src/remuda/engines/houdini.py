"""Houdini: the greatest set of candidates that is inductive (Flanagan and Leino, FME 2001).

    all candidates are believed
    repeat for every procedure, alone: a candidate that fails if all that is believed holds is dropped
    until nothing fails

Candidates are Boolean constants that stand for conditions. What a procedure is asked, and where candidates are assumed in
it, is the business of whoever makes the questions. When a candidate is dropped, only those are asked again whose last
refutation used it, as far as the solver can tell; in the end all are asked whose last answer is from before something was
dropped, so that what is kept does not rest on what solvers say of their refutations.
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
    """Candidates that fail, at least one, and where; None: nobody knows whether they do."""

    candidates: Mapping[Variable, Check | None]


@final
@dataclass(frozen=True, slots=True)
class Holding:
    """Nothing fails, and these were the candidates that it took."""

    used: frozenset[Variable]


class Question(Protocol):
    """What is asked of one procedure."""

    def ask(self, believed: Collection[Variable]) -> Failing | Holding: ...


@final
@dataclass(slots=True)
class Inferred:
    """What is left of the candidates, and where the others failed; None: the solver did not know."""

    kept: list[Variable] = field(default_factory=list)
    dropped: dict[Variable, Check | None] = field(default_factory=dict)


def greatest_inductive(candidates: Sequence[Variable], questions: Mapping[str, Question]) -> Inferred:
    """Ask every procedure until nothing that is believed fails."""
    believed = dict.fromkeys(candidates)
    dropped: dict[Variable, Check | None] = {}
    used: dict[str, frozenset[Variable]] = {}
    asked: dict[str, int] = {}  # how many candidates were believed when a procedure was last asked
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
