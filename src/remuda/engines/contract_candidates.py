"""Candidate contracts of procedures, as queries for Houdini.

A `requires` is assumed at the start of its procedure, and checked at every call; an `ensures` is assumed after every
call, and checked at the end. One formula for each procedure contains all of that:

    body  &&  (all assumed candidates)  &&  (control is at the check of some candidate, and it does not hold)

A model refutes every candidate that fails in it, not just one.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, final

from remuda.base.reasons import TIMEOUT
from remuda.engines.houdini import Failing, Holding, Inferred, greatest_inductive
from remuda.ir.program import Call
from remuda.replay.evaluate import Evaluator
from remuda.replay.scopes import Environment, Scope
from remuda.smt.solver import Sat, Unknown, Unsat
from remuda.terms.symbols import Variable, VariableKind
from remuda.terms.term import postorder, variables_of
from remuda.terms.types import BOOL, MapType
from remuda.transforms.add_contracts import AddContracts, Candidate, Contract
from remuda.transforms.separate_calls import SeparateCalls
from remuda.vc.passive import ProcedureVC, procedure_vc

if TYPE_CHECKING:
    from remuda.ir.program import Procedure, Program
    from remuda.smt.solver import Model, Native, Solver
    from remuda.terms.store import Terms
    from remuda.terms.term import Term
    from remuda.vc.interface import Interface

IMPLIED_SECONDS: Final = 0.2

QUANTIFIERS: Final = frozenset({"forall", "exists"})
# These operators are not evaluated, or evaluated differently than in the model.
NOT_EVALUATED: Final = QUANTIFIERS | {"apply", "lambda", "div", "mod", "realdiv"}

NewSolver = Callable[[], "Solver"]  # makes a solver with the program's axioms and types


def has_quantifier(*conditions: Term) -> bool:
    return any(term.op in QUANTIFIERS for term in postorder(conditions))


@final
@dataclass(frozen=True, slots=True)
class InferenceLimits:
    """The time limit of each query, and of all together; `now` is the clock."""

    seconds: float
    deadline: float
    now: Callable[[], float]

    def left(self) -> float:
        return min(self.seconds, self.deadline - self.now())

    def within(self, seconds: float) -> InferenceLimits:
        """The same limits, with this time for all queries from now on."""
        return InferenceLimits(min(self.seconds, seconds), min(self.deadline, self.now() + seconds), self.now)


def infer_contracts(
    program: Program,
    faces: Mapping[str, Interface],
    candidates: Sequence[Candidate],
    new_solver: NewSolver,
    joins: str,
    effort: InferenceLimits,
) -> Inferred:
    """The candidates that hold. The procedures of the program must not have loops or assertions."""
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
        states = _States(program.terms)
        obligations = list(_obligations(guarded, vc, faces, by_procedure, states))
        questions[name] = _Procedure(guarded, vc, obligations, states, guards, new_solver, effort)
    return greatest_inductive([each.guard for each in candidates], questions)


def _owing(program: Program, candidates: Mapping[str, Sequence[Candidate]]) -> list[str]:
    """The procedures that must check a candidate: at their end, or where they call others."""
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
    """The condition of a candidate, which must hold if `control` is true.

    `said` is the same condition over a few variables, so that their values in a model decide whether it holds,
    without asking the solver; None: they do not.
    """

    guard: Variable
    control: Variable
    condition: Term
    said: Term | None
    variables: tuple[Variable, ...]


@final
class _States:
    """The states of a procedure in which candidates are checked, as variables; `meaning` has the term of each in the
    formula."""

    def __init__(self, terms: Terms) -> None:
        self._terms = terms
        self.meaning: dict[Variable, Term] = {}
        self._names: dict[tuple[object, Variable], Term] = {}

    def name(self, state: object, variable: Variable, meaning: Term) -> Term:
        known = self._names.get((state, variable))
        if known is None:
            made = Variable(f"{variable.name}${len(self._names)}", variable.type, VariableKind.LOCAL)
            known = self._names[state, variable] = self._terms.var(made)
            self.meaning[made] = meaning
        return known

    def obligation(self, guard: Variable, control: Variable, said: Term) -> _Obligation:
        """The obligation of a candidate; `said` is its condition over the variables of these states."""
        (condition,) = self._terms.substitute([said], self.meaning)
        variables = tuple(dict.fromkeys(variables_of([said])))
        is_plain = not any(isinstance(each.type, MapType) for each in variables)
        is_plain = is_plain and not any(term.op in NOT_EVALUATED for term in postorder([said]))
        return _Obligation(guard, control, condition, said if is_plain else None, variables)


def _obligations(
    program: Program,
    vc: ProcedureVC,
    faces: Mapping[str, Interface],
    candidates: Mapping[str, Sequence[Candidate]],
    states: _States,
) -> Iterator[_Obligation]:
    terms = program.terms

    def plain(given: Mapping[Variable, Term], state: object) -> Callable[[Term], Term | None]:
        def leaf(term: Term) -> Term | None:
            if term.op != "var" or term.payload.kind is VariableKind.BOUND:
                return None
            return states.name(state, term.payload, given.get(term.payload, term))

        return leaf

    for number, site in enumerate(vc.calls):
        (before,) = vc.flow.predecessors[site.block]
        inputs = dict(zip(faces[site.callee].inputs, site.inputs, strict=True))
        for each in candidates.get(site.callee, ()):
            if each.contract.requires is not None:
                (said,) = terms.rewrite([each.contract.requires], plain(inputs, number))
                yield states.obligation(each.guard, vc.control[before], said)
    finals = dict(zip(vc.interface.outputs, vc.finals, strict=True))
    at_end = plain(finals, "end")
    assert vc.exit_control is not None

    def leaf(term: Term) -> Term | None:
        if term.op == "old":  # in a formula, a variable stands for its value at the start
            return states.name("start", term.args[0].payload, term.args[0])
        return at_end(term)

    for each in candidates.get(vc.procedure.name, ()):
        if each.contract.ensures is not None:
            (said,) = terms.rewrite([each.contract.ensures], leaf)
            yield states.obligation(each.guard, vc.exit_control, said)


@final
class _Procedure:
    """The formula of a procedure in its own solver, made at the first query."""

    def __init__(
        self,
        program: Program,
        vc: ProcedureVC,
        obligations: Sequence[_Obligation],
        states: _States,
        guards: frozenset[Variable],
        new_solver: NewSolver,
        effort: InferenceLimits,
    ) -> None:
        self._terms = program.terms
        self._vc = vc
        self._obligations = obligations
        self._states = states
        self._guards = guards
        self._new_solver = new_solver
        self._effort = effort
        self._solver: Solver | None = None
        self._literals: dict[Variable, Native] = {}
        self._violated: dict[_Obligation, Native] = {}
        self._controls: dict[Variable, Native] = {}
        self._values: dict[Variable, Native] = {}
        self._evaluator = Evaluator()

    def ask(self, believed: Collection[Variable]) -> Failing | Holding:
        owed = [each for each in self._obligations if each.guard in believed]
        if not owed:
            return Holding(frozenset())
        solver = self._start() if self._solver is None else self._solver
        assumed = {
            literal if each in believed else solver.not_(literal): each for each, literal in self._literals.items()
        }
        answer = solver.check(tuple(assumed), self._effort.left()) if self._effort.left() > 0 else Unknown(TIMEOUT)
        if isinstance(answer, Unsat):
            return Holding(frozenset(assumed[each] for each in answer.core if each in assumed))
        model = answer.model if isinstance(answer, Sat) else answer.candidate  # a wrong model only costs candidates
        if model is not None:
            failing = self._failing(owed, model)
            if failing:
                return Failing(failing)
        guilty = [each for each in owed if has_quantifier(each.condition)] or owed  # these more often cause `unknown`
        return Failing(dict.fromkeys(each.guard for each in guilty))

    def _failing(self, owed: Sequence[_Obligation], model: Model) -> dict[Variable, None]:
        """The candidates that fail in a model. Evaluating a candidate in the solver is slow, so only the few
        variables of the states are read from the model."""
        reached = {control for control, native in self._controls.items() if model.is_true(native)}
        due = [each for each in owed if each.control in reached]
        wanted = dict.fromkeys(variable for each in due if each.said is not None for variable in each.variables)
        values = {variable: model.value(self._values[variable], variable.type) for variable in wanted}
        scope = Scope(Environment(values))
        failing: dict[Variable, None] = {}
        for each in due:
            outcome = None if each.said is None else self._evaluator.outcome(each.said, scope)
            known = outcome is False if isinstance(outcome, bool) else model.is_true(self._violated[each])
            if known:
                failing[each.guard] = None
        return failing

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
            self._controls[each.control] = solver.translate(terms.var(each.control))
            violated = terms.and_([terms.var(each.control), terms.not_(each.condition)])
            self._violated[each] = solver.translate(violated)
        meaning = self._states.meaning
        self._values = {name: solver.translate(term) for name, term in meaning.items()}
        denied = [solver.and_([self._literals[each.guard], native]) for each, native in self._violated.items()]
        solver.add(solver.or_(denied))
        return solver


def without_implied(
    terms: Terms, contracts: Sequence[Contract], new_solver: NewSolver, effort: InferenceLimits
) -> list[Contract]:
    """The contracts without those that follow from earlier ones of the same procedure; the search assumes the
    rest."""
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
            answer = solver.check((literal,), IMPLIED_SECONDS) if effort.left() > 0 else Unknown(TIMEOUT)
            if not isinstance(answer, Unsat):
                solver.add(solver.translate(said))
                left.append(contract)
    return left


def _said(terms: Terms, contract: Contract, others: dict[tuple[str, Variable], Term]) -> list[Term]:
    """The conditions of a contract on the state before a call, on that state after the call has returned, and on the
    state after it. They have three sets of names, because a precondition implies nothing for the caller."""

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
