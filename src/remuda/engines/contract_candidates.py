"""Candidate contracts of procedures: questions for Houdini.

A contract is assumed where it is believed to hold: at the start of the procedure, and after every call of it. It must hold
where it is not: a `requires` at every call, an `ensures` at the end. All of that is in one formula per procedure:

    body  &&  (believed: assumed contracts)  &&  (for some believed contract, control is there and it does not hold)

A model takes away every contract that fails in it, not just one.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, final

from remuda.engines.houdini import Failing, Holding, Inferred, greatest_inductive
from remuda.ir.program import Call
from remuda.smt.solver import Sat, Unknown, Unsat
from remuda.terms.symbols import Variable, VariableKind
from remuda.terms.term import postorder, variables_of
from remuda.terms.types import BOOL
from remuda.transforms.add_contracts import AddContracts, Candidate, Contract
from remuda.transforms.separate_calls import SeparateCalls
from remuda.vc.passive import ProcedureVC, procedure_vc

if TYPE_CHECKING:
    from remuda.ir.program import Procedure, Program
    from remuda.smt.solver import Native, Solver
    from remuda.terms.store import Terms
    from remuda.terms.term import Term
    from remuda.vc.interface import Interface

IMPLIED_SECONDS: Final = 0.2

QUANTIFIERS: Final = frozenset({"forall", "exists"})

NewSolver = Callable[[], "Solver"]  # that knows what every formula of the program takes for granted


def has_quantifier(*conditions: Term) -> bool:
    return any(term.op in QUANTIFIERS for term in postorder(conditions))


@final
@dataclass(frozen=True, slots=True)
class Effort:
    """How long a question may take, and all of them together; `now` is the clock."""

    seconds: float
    deadline: float
    now: Callable[[], float]

    def left(self) -> float:
        return min(self.seconds, self.deadline - self.now())

    def within(self, seconds: float) -> Effort:
        """All questions together in so many seconds, from now on."""
        return Effort(min(self.seconds, seconds), min(self.deadline, self.now() + seconds), self.now)


def infer_contracts(
    program: Program,
    faces: Mapping[str, Interface],
    candidates: Sequence[Candidate],
    new_solver: NewSolver,
    joins: str,
    effort: Effort,
) -> Inferred:
    """The candidates that hold. No procedure of the program has loops or assertions."""
    by_procedure: dict[str, list[Candidate]] = {}
    for candidate in candidates:
        by_procedure.setdefault(candidate.contract.procedure, []).append(candidate)
    owing = _owing(program, by_procedure)
    guarded = AddContracts([each.guarded(program.terms) for each in candidates]).apply(program).program
    guarded = SeparateCalls(owing).apply(guarded).program
    guards = frozenset(each.guard for each in candidates)
    questions: dict[str, _Procedure] = {}
    for name in owing:
        vc = procedure_vc(guarded, name, faces, joins)
        obligations = list(_obligations(guarded, vc, faces, by_procedure))
        questions[name] = _Procedure(guarded, vc, obligations, guards, new_solver, effort)
    return greatest_inductive([each.guard for each in candidates], questions)


def _owing(program: Program, candidates: Mapping[str, Sequence[Candidate]]) -> list[str]:
    """The procedures that have to see to it that some candidate holds: at their end, or where they call others."""
    ensuring = {name for name, own in candidates.items() if any(each.contract.ensures is not None for each in own)}
    required = {name for name, own in candidates.items() if any(each.contract.requires is not None for each in own)}

    def calls(procedure: Procedure) -> bool:
        statements = (each for block in procedure.blocks or () for each in block.statements)
        return any(isinstance(each, Call) and each.procedure in required for each in statements)

    return [
        name
        for name, procedure in program.procedures.items()
        if procedure.blocks is not None and (name in ensuring or (required and calls(procedure)))
    ]


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
        model = answer.model if isinstance(answer, Sat) else answer.candidate  # what may be wrong may be dropped, too
        if model is not None:
            failing = [guard for guard, native in self._violated if guard in believed and model.is_true(native)]
            if failing:
                return Failing(dict.fromkeys(failing))
        guilty = [each for each in owed if has_quantifier(each.condition)] or owed  # more often why nobody knows
        return Failing(dict.fromkeys(each.guard for each in guilty))

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


def without_implied(
    terms: Terms, contracts: Sequence[Contract], new_solver: NewSolver, effort: Effort
) -> list[Contract]:
    """Contracts less those that follow from earlier ones of the same procedure: the search is told of all that is left."""
    left: list[Contract] = []
    by_procedure: dict[str, list[Contract]] = {}
    for contract in contracts:
        by_procedure.setdefault(contract.procedure, []).append(contract)
    for own in by_procedure.values():
        solver = new_solver()
        others: dict[tuple[str, Variable], Term] = {}
        for contract in own:
            said = terms.and_(_said(terms, contract, others))
            negated = Variable("negated$", BOOL, VariableKind.CONSTANT)
            literal = solver.translate(terms.var(negated))
            solver.add(solver.implies(literal, solver.not_(solver.translate(said))))
            answer = solver.check((literal,), IMPLIED_SECONDS) if effort.left() > 0 else Unknown("timeout")
            if not isinstance(answer, Unsat):
                solver.add(solver.translate(said))
                left.append(contract)
    return left


def _said(terms: Terms, contract: Contract, others: dict[tuple[str, Variable], Term]) -> list[Term]:
    """What a contract says of the state that a call starts in, of that state once the call has returned, and of the one
    after it: three sets of names, because what a callee may require tells its caller nothing."""

    def named(state: str, variable: Variable) -> Term:
        if (state, variable) not in others:
            copy = Variable(f"{variable.name}${state}", variable.type, VariableKind.CONSTANT)
            others[state, variable] = terms.var(copy)
        return others[state, variable]

    def required(term: Term) -> Term | None:
        is_variable = term.op == "var" and term.payload.kind is not VariableKind.CONSTANT
        return named("required", term.payload) if is_variable else None

    def ensured(term: Term) -> Term | None:
        return named("before", term.args[0].payload) if term.op == "old" else None

    requires = [contract.requires] if contract.requires is not None else []
    ensures = [contract.ensures] if contract.ensures is not None else []
    return [*terms.rewrite(requires, required), *terms.rewrite(ensures, ensured)]
