"""Houdini: the greatest set of candidates that is inductive (Flanagan and Leino, FME 2001).

    all candidates are believed
    repeat for every procedure, alone: an assertion that fails takes its candidate away, for all procedures
    until nothing fails that a candidate stands for

Candidates are Boolean constants; they stand for conditions that are asserted in some places and assumed in others as
`candidate ==> condition`. Each procedure has a formula in a solver of its own, in which candidates are assumed or not.
When one is dropped, only the procedures are asked again whose last refutation used it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, final

from remuda.ir.edit import terms_of
from remuda.smt.solver import Sat, Unsat
from remuda.terms.term import variables_of

if TYPE_CHECKING:
    from remuda.engines.inlining import Inlining, Instance
    from remuda.ir.program import Check
    from remuda.smt.solver import Model, Native
    from remuda.terms.symbols import Variable
    from remuda.terms.term import Term
    from remuda.transforms.error_bit import ErrorBitResult

Load = Callable[["ErrorBitResult"], "Inlining"]  # the program in a solver of its own


@final
@dataclass(slots=True)
class Inferred:
    """What is left of the candidates. `dropped` says where a candidate failed, None if the solver did not know;
    `failing` are assertions that do not follow from the contracts alone."""

    kept: list[Variable] = field(default_factory=list)
    dropped: dict[Variable, Check | None] = field(default_factory=dict)
    failing: list[Check] = field(default_factory=list)
    queries: int = 0


@final
@dataclass(slots=True, eq=False)
class _Procedure:
    name: str
    inlining: Inlining
    entry: Instance
    literals: dict[Variable, Native]  # of the candidates that it mentions
    believed: frozenset[Variable] | None = None  # that its last refutation used


@final
class Houdini:
    """Candidates of a program in which every procedure with a body is alone: no calls, no loops."""

    def __init__(
        self, code: ErrorBitResult, candidates: Sequence[Variable], load: Load, seconds: float | None = None
    ) -> None:
        self._code = code
        self._load = load
        self._seconds = seconds
        self._believed = dict.fromkeys(candidates)
        self._result = Inferred()
        self._of_check = self._candidates_of_checks()

    def run(self) -> Inferred:
        names = [name for name in self._code.failed if self._code.program.procedures[name].blocks is not None]
        procedures = {name: self._prepare(name) for name in names}
        work = dict.fromkeys(names)
        while work:
            name = next(iter(work))
            del work[name]
            dropped = self._check(procedures[name])
            for other in procedures.values():
                if other.believed is not None and not other.believed.isdisjoint(dropped):
                    work[other.name] = None
        self._result.kept = list(self._believed)
        return self._result

    def candidates_of(self, check: Check) -> Sequence[Variable]:
        """The candidates that an assertion stands for."""
        return self._of_check.get(check, ())

    def _candidates_of_checks(self) -> dict[Check, list[Variable]]:
        """Which candidates an assertion stands for: those that it is an implication of."""
        found: dict[Check, list[Variable]] = {}
        for check, condition in self._conditions():
            found.setdefault(check, []).extend(each for each in _premises(condition) if each in self._believed)
        return found

    def _conditions(self) -> list[tuple[Check, Term]]:
        """What each assertion says. After instrumentation, that is what is assumed where it does not fail."""
        failing = self._code.failures
        found = []
        for name, procedure in self._code.program.procedures.items():
            blocks = {block.label: block for block in procedure.blocks or ()}
            for block in blocks.values():
                checks = [failing[name, label] for label in block.successors if (name, label) in failing]
                for check in checks:
                    onward = next(label for label in block.successors if (name, label) not in failing)
                    found.append((check, terms_of(blocks[onward].statements[0])[0]))
        return found

    def _prepare(self, name: str) -> _Procedure:
        inlining = self._load(self._code)
        solver, terms = inlining.solver, self._code.program.terms
        entry = inlining.start(name)
        vc = entry.compiled.vc
        failed = vc.finals[vc.interface.outputs.index(self._code.failed[name])]
        solver.add(inlining.native(entry, failed))
        solver.add(solver.not_(solver.translate(terms.var(self._code.reach))))
        mentioned = set(variables_of(vc.constraints))
        literals = {each: solver.translate(terms.var(each)) for each in self._believed if each in mentioned}
        return _Procedure(name, inlining, entry, literals)

    def _check(self, procedure: _Procedure) -> set[Variable]:
        """Ask until nothing fails in a procedure; the candidates that were dropped."""
        solver = procedure.inlining.solver
        dropped: set[Variable] = set()
        while True:
            assumed = {
                literal if each in self._believed else solver.not_(literal): each
                for each, literal in procedure.literals.items()
            }
            answer = solver.check(tuple(assumed), self._seconds)
            self._result.queries += 1
            if isinstance(answer, Unsat):
                procedure.believed = frozenset(assumed[each] for each in answer.core if each in assumed)
                return dropped
            check = self._failing(procedure, answer.model) if isinstance(answer, Sat) else None
            guilty = [each for each in self._of_check.get(check, ()) if each in self._believed] if check else []
            if guilty:
                self._drop(guilty[0], check, dropped)
            elif check is not None:
                self._result.failing.append(check)
                target = self._code.program.terms.var(self._code.targets[check])
                solver.add(solver.not_(solver.translate(target)))
            else:  # whatever is asserted here may fail, for all that is known
                asserted = [each for own in self._code.own_checks[procedure.name] for each in self._of_check[own]]
                for each in asserted:
                    if each in self._believed:
                        self._drop(each, None, dropped)
                self._result.failing += [
                    own for own in self._code.own_checks[procedure.name] if not self._of_check[own]
                ]
                procedure.believed = frozenset()
                return dropped

    def _drop(self, candidate: Variable, check: Check | None, dropped: set[Variable]) -> None:
        del self._believed[candidate]
        self._result.dropped[candidate] = check
        dropped.add(candidate)

    def _failing(self, procedure: _Procedure, model: Model) -> Check | None:
        for step in procedure.inlining.walk(procedure.entry, model):
            if step.kind == "visit":
                check = self._code.failures.get((procedure.name, step.label))
                if check is not None:
                    return check
        return None


def _premises(condition: Term) -> Iterator[Variable]:
    """The variables that a condition is an implication of; `b ==> false` is `!b`."""
    while condition.op == "implies" and condition.args[0].op == "var":
        yield condition.args[0].payload
        condition = condition.args[1]
    if condition.op == "not" and condition.args[0].op == "var":
        yield condition.args[0].payload
