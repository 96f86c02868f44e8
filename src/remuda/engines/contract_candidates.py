"""Candidate contracts of procedures: questions for Houdini.

A contract is assumed where it is believed to hold: at the start of the procedure, and after every call of it. It must hold
where it is not: a `requires` at every call, an `ensures` at the end. All of that is in one formula per procedure:

    body  &&  (believed: assumed contracts)  &&  (for some believed contract, control is there and it does not hold)

A model takes away every contract that fails in it, not just one.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, final

from remuda.engines.houdini import Failing, Holding, Inferred, greatest_inductive
from remuda.smt.solver import Sat, Unknown, Unsat
from remuda.terms.term import variables_of
from remuda.transforms.add_contracts import AddContracts, Candidate
from remuda.transforms.separate_calls import SeparateCalls
from remuda.vc.interface import Interface, interfaces
from remuda.vc.passive import ProcedureVC, procedure_vc

if TYPE_CHECKING:
    from remuda.ir.program import Program
    from remuda.smt.solver import Native, Solver
    from remuda.terms.symbols import Variable
    from remuda.terms.term import Term

NewSolver = Callable[[], "Solver"]  # that knows what every formula of the program takes for granted


@final
@dataclass(frozen=True, slots=True)
class Effort:
    """How long a question may take, and all of them together; `now` is the clock."""

    seconds: float
    deadline: float
    now: Callable[[], float]

    def left(self) -> float:
        return min(self.seconds, self.deadline - self.now())


def infer_contracts(
    program: Program, candidates: Sequence[Candidate], new_solver: NewSolver, joins: str, effort: Effort
) -> Inferred:
    """The candidates that hold. No procedure of the program has loops or assertions."""
    terms = program.terms
    guarded = AddContracts([each.guarded(terms) for each in candidates]).apply(program).program
    guarded = SeparateCalls().apply(guarded).program
    faces = interfaces(guarded, summaries="modset")
    by_procedure: dict[str, list[Candidate]] = {}
    for candidate in candidates:
        by_procedure.setdefault(candidate.contract.procedure, []).append(candidate)
    guards = frozenset(each.guard for each in candidates)
    questions: dict[str, _Procedure] = {}
    for name, procedure in guarded.procedures.items():
        if procedure.blocks is not None:
            vc = procedure_vc(guarded, name, faces, joins)
            obligations = list(_obligations(guarded, vc, faces, by_procedure))
            if obligations:
                questions[name] = _Procedure(guarded, vc, obligations, guards, new_solver, effort)
    return greatest_inductive([each.guard for each in candidates], questions)


@final
@dataclass(frozen=True, slots=True, eq=False)
class _Obligation:
    """Where `control` is, the condition of a candidate must hold."""

    guard: Variable
    control: Variable
    condition: Term


def _obligations(
    program: Program, vc: ProcedureVC, faces: Mapping[str, Interface], candidates: Mapping[str, Sequence[Candidate]]
) -> Iterator[_Obligation]:
    terms = program.terms
    for site in vc.calls:
        (before,) = vc.flow.predecessors[site.block]
        inputs = dict(zip(faces[site.callee].inputs, site.inputs, strict=True))
        for each in candidates.get(site.callee, ()):
            if each.contract.requires is not None:
                (condition,) = terms.substitute([each.contract.requires], inputs)
                yield _Obligation(each.guard, vc.control[before], condition)
    finals = dict(zip(vc.interface.outputs, vc.finals, strict=True))
    assert vc.exit_control is not None

    def leaf(term: Term) -> Term | None:
        if term.op == "old":
            return term.args[0]  # in a formula, a variable itself is its value at the start
        return finals.get(term.payload, term) if term.op == "var" else None

    for each in candidates.get(vc.procedure.name, ()):
        if each.contract.ensures is not None:
            (condition,) = terms.rewrite([each.contract.ensures], leaf)
            yield _Obligation(each.guard, vc.exit_control, condition)


@final
class _Procedure:
    """The formula of a procedure in a solver of its own, made when it is first asked."""

    def __init__(
        self,
        program: Program,
        vc: ProcedureVC,
        obligations: Sequence[_Obligation],
        guards: frozenset[Variable],
        new_solver: NewSolver,
        effort: Effort,
    ) -> None:
        self._terms = program.terms
        self._vc = vc
        self._obligations = obligations
        self._guards = guards
        self._new_solver = new_solver
        self._effort = effort
        self._solver: Solver | None = None
        self._literals: dict[Variable, Native] = {}
        self._violated: list[tuple[Variable, Native]] = []

    def ask(self, believed: Collection[Variable]) -> Failing | Holding:
        owed = [each for each in self._obligations if each.guard in believed]
        if not owed:
            return Holding(frozenset())
        solver = self._start() if self._solver is None else self._solver
        assumed = {
            literal if each in believed else solver.not_(literal): each for each, literal in self._literals.items()
        }
        answer = solver.check(tuple(assumed), self._effort.left()) if self._effort.left() > 0 else Unknown("timeout")
        if isinstance(answer, Unsat):
            return Holding(frozenset(assumed[each] for each in answer.core if each in assumed))
        if isinstance(answer, Sat):
            failing = [
                guard for guard, native in self._violated if guard in believed and answer.model.is_true(native)
            ]
            if failing:
                return Failing(dict.fromkeys(failing))
        return Failing(dict.fromkeys(each.guard for each in owed))

    def _start(self) -> Solver:
        terms = self._terms
        solver = self._solver = self._new_solver()
        for constraint in self._vc.constraints:
            solver.add(solver.translate(constraint))
        mentioned = dict.fromkeys(variables_of(self._vc.constraints))
        guards = dict.fromkeys(each.guard for each in self._obligations)
        assumed = [each for each in mentioned if each in self._guards]
        self._literals = {each: solver.translate(terms.var(each)) for each in dict.fromkeys((*assumed, *guards))}
        for each in self._obligations:
            violated = terms.and_([terms.var(each.control), terms.not_(each.condition)])
            self._violated.append((each.guard, solver.translate(violated)))
        solver.add(solver.or_([solver.and_([self._literals[guard], violated]) for guard, violated in self._violated]))
        return solver
