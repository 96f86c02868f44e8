"""Finds candidates that a short execution contradicts, with one formula for all of them.

All calls below the entry are inlined up to the bound. A model is an execution, and refutes every candidate that does
not hold on it. This is much cheaper than Houdini's queries for each procedure, and most of the remaining candidates
hold.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING, Final, final

from remuda.smt.solver import Sat, Unsat
from remuda.terms.symbols import Variable, VariableKind
from remuda.terms.types import BOOL

if TYPE_CHECKING:
    from remuda.engines.bounds import Bounds
    from remuda.engines.contract_candidates import InferenceLimits
    from remuda.engines.inlining import Inlining, Instance
    from remuda.smt.solver import Native
    from remuda.terms.term import Term
    from remuda.transforms.add_contracts import Contract

MOST_INSTANCES: Final = 200
MOST_MODELS: Final = 8

Violations = dict["Instance", list[tuple["Contract", "Native"]]]


def without_violated(
    inlining: Inlining, entry: str, bounds: Bounds, contracts: Sequence[Contract], effort: InferenceLimits
) -> list[Contract]:
    """The contracts that no execution within the bounds contradicts; if the time is too short, more contracts."""
    first = inlining.start(entry)
    instances = _inline_all(inlining, first, bounds)
    if instances is None:
        return list(contracts)
    solver = inlining.solver
    violations = _violations(inlining, instances, contracts)
    blocked = tuple(solver.not_(call.control) for call in inlining.open_calls)
    alive = dict.fromkeys(contracts)
    for number in range(MOST_MODELS):
        left = [native for found in violations.values() for contract, native in found if contract in alive]
        if not left or effort.left() <= 0:
            break
        wanted = solver.translate(
            inlining.program.terms.var(Variable(f"violated${number}", BOOL, VariableKind.CONSTANT))
        )
        solver.add(solver.implies(wanted, solver.or_(left)))
        answer = solver.check((wanted, *blocked), effort.left())
        if isinstance(answer, Unsat):
            break
        model = answer.model if isinstance(answer, Sat) else answer.candidate  # a wrong model only costs candidates
        if model is None:
            break
        passed = {step.instance for step in inlining.walk(first, model) if step.kind == "enter"}
        for instance, found in violations.items():
            wrong = [(contract, native) for contract, native in found if contract in alive and model.is_true(native)]
            if instance in passed:
                for contract, _ in wrong:
                    alive.pop(contract, None)
            elif wrong:  # the execution does not pass here, so it refutes nothing here
                violations[instance] = [each for each in found if each not in wrong]
    return list(alive)


def _inline_all(inlining: Inlining, first: Instance, bounds: Bounds) -> list[Instance] | None:
    """The instances of all calls within the bounds; None if they would be too many."""
    instances = [first]
    work = deque(inlining.open_calls)
    while work:
        call = work.popleft()
        if call in inlining.open_calls and not bounds.blocks(call, bounds.last):
            if len(instances) >= MOST_INSTANCES:
                return None
            instances.append(inlining.inline(call))
            work.extend(instances[-1].calls)
    return instances


def _violations(inlining: Inlining, instances: Collection[Instance], contracts: Sequence[Contract]) -> Violations:
    by_procedure: dict[str, list[Contract]] = {}
    for contract in contracts:
        by_procedure.setdefault(contract.procedure, []).append(contract)
    terms, solver = inlining.program.terms, inlining.solver
    found: Violations = {}
    for number, instance in enumerate(instances):
        own = by_procedure.get(instance.procedure, ())
        states = _States(inlining, instance, number)
        said = [terms.and_([*states.at_start(each.requires), *states.at_end(each.ensures)]) for each in own]
        found[instance] = [(each, solver.not_(solver.translate(term))) for each, term in zip(own, said, strict=True)]
    return found


@final
class _States:
    """The states at the start and at the end of an instance, as constants."""

    def __init__(self, inlining: Inlining, instance: Instance, number: int) -> None:
        self._inlining = inlining
        self._terms = inlining.program.terms
        self._number = number
        vc = instance.compiled.vc
        self._first = {each: instance.variable(each) for each in vc.interface.inputs}
        finals = zip(vc.interface.outputs, vc.finals, strict=True)
        self._last = {each: inlining.native(instance, value) for each, value in finals}
        self._known: dict[tuple[Variable, bool], Term] = {}

    def at_start(self, condition: Term | None) -> list[Term]:
        return [] if condition is None else self._terms.rewrite([condition], self._required)

    def at_end(self, condition: Term | None) -> list[Term]:
        return [] if condition is None else self._terms.rewrite([condition], self._ensured)

    def _required(self, term: Term) -> Term | None:
        return self._constant(term.payload, at_end=False) if term.op == "var" else None

    def _ensured(self, term: Term) -> Term | None:
        if term.op == "old":
            return self._constant(term.args[0].payload, at_end=False)
        return self._constant(term.payload, at_end=term.payload in self._last) if term.op == "var" else None

    def _constant(self, variable: Variable, *, at_end: bool) -> Term:
        value = (self._last if at_end else self._first).get(variable)
        if value is None:
            return self._terms.var(variable)
        known = self._known.get((variable, at_end))
        if known is None:
            name = f"{variable.name}${'end' if at_end else 'start'}${self._number}"
            known = self._terms.var(Variable(name, variable.type, VariableKind.CONSTANT))
            self._known[variable, at_end] = known
            solver = self._inlining.solver
            solver.add(solver.eq(solver.translate(known), value))
        return known
