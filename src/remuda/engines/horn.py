"""Encodes a program as constrained Horn clauses: rules from which all reachable states follow.

    start of P  &&  body up to a call of Q                    ==>  start of Q
    start of P  &&  body, with the ends of its calls          ==>  end of P
    start of the entry  &&  body, with the ends of its calls  &&  failed  ==>  false

A solution gives every procedure its contract: a condition on its start states, and one on pairs of start and end
states. Loops are procedures that run complete iterations (`transforms.extract_loops`); one condition is both for
them, the invariant. A rule's body mentions the calls on all paths. So ends have an argument that says whether the
call was made; if it was not, the end allows all values.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, final

from remuda.terms.symbols import Function, Variable, VariableKind
from remuda.terms.term import variables_of
from remuda.terms.types import BOOL
from remuda.transforms.add_contracts import Contract, at_end, invariant
from remuda.transforms.separate_calls import SeparateCalls
from remuda.vc.passive import procedure_vc

if TYPE_CHECKING:
    from remuda.ir.program import Check, Procedure
    from remuda.terms.term import Term
    from remuda.transforms.error_bit import ErrorBitResult
    from remuda.vc.interface import Interface
    from remuda.vc.passive import CallSite, ProcedureVC


@final
@dataclass(slots=True)
class HornClauses:
    """Rules without free variables, and the predicates of procedures in them, for which a solution is wanted."""

    rules: list[Term]
    ignored: list[Variable]  # the variables of assertions that are ignored here
    starts: dict[str, Function] = field(default_factory=dict)  # of procedures, except loops
    ends: dict[str, Function] = field(default_factory=dict)  # of procedures, except loops
    invariants: dict[str, Function] = field(default_factory=dict)  # of loops


def horn_clauses(
    code: ErrorBitResult, faces: Mapping[str, Interface], procedures: Iterable[str], checks: Collection[Check]
) -> HornClauses:
    """The rules of these procedures, which must include all of their callees. Only these assertions can fail."""
    return _Encoding(code, faces, tuple(procedures), checks).run()


@final
class _Encoding:
    def __init__(
        self, code: ErrorBitResult, faces: Mapping[str, Interface], names: Sequence[str], checks: Collection[Check]
    ) -> None:
        self._code = code
        self._faces = faces
        self._names = names
        self._program = SeparateCalls(names).apply(code.program).program
        self._terms = self._program.terms
        terms = self._terms
        self._decided = {
            code.reach: terms.false,
            **dict.fromkeys(code.may_fail.values(), terms.true),
            **{target: terms.boolean(check in checks) for check, target in code.targets.items()},
        }
        self._clauses = HornClauses([], [target for check, target in code.targets.items() if check not in checks])

    def run(self) -> HornClauses:
        for name in self._names:
            self._declare(self._program.procedures[name])
        for name in self._names:
            self._encode(procedure_vc(self._program, name, self._faces, "ite"))
        return self._clauses

    def _declare(self, procedure: Procedure) -> None:
        name, face, terms = procedure.name, self._faces[procedure.name], self._terms
        made = Variable("made", BOOL, VariableKind.BOUND)
        if procedure.loop_of is not None:
            parameters = (made, *_bound(face.inputs))
            function = self._clauses.invariants[name] = Function(f"loop${name}", parameters, BOOL)
        else:
            self._clauses.starts[name] = Function(f"start${name}", _bound(face.inputs), BOOL)
            parameters = (made, *_bound(face.inputs), *_bound(face.outputs))
            function = self._clauses.ends[name] = Function(f"end${name}", parameters, BOOL)
        self._rule(
            [terms.not_(terms.var(made))], terms.apply(function, [terms.var(parameter) for parameter in parameters])
        )

    def _encode(self, vc: ProcedureVC) -> None:
        terms, name = self._terms, vc.procedure.name
        inputs = [terms.var(variable) for variable in vc.interface.inputs]
        begins = self._started(name, inputs)
        if name in self._code.program.entries:
            self._rule([], begins)
        order = {label: number for number, label in enumerate(vc.flow.order)}
        ended = [(order[site.block], self._ended(site)) for site in vc.calls]
        for site in vc.calls:
            (before,) = vc.flow.predecessors[site.block]
            earlier = [end for position, end in ended if position < order[site.block]]
            reached = terms.var(vc.control[before])
            self._rule([begins, *vc.constraints, reached, *earlier], self._started(site.callee, site.inputs))
        if vc.procedure.loop_of is not None:
            return
        assert vc.exit_control is not None
        through = [begins, *vc.constraints, terms.var(vc.exit_control), *(end for _, end in ended)]
        self._rule(through, terms.apply(self._clauses.ends[name], [terms.true, *inputs, *vc.finals]))
        if name in self._code.program.entries and name in self._code.failed:
            failed = vc.finals[vc.interface.outputs.index(self._code.failed[name])]
            self._rule([*through, failed], terms.false)

    def _started(self, name: str, inputs: Sequence[Term]) -> Term:
        if name in self._clauses.invariants:
            return self._terms.apply(self._clauses.invariants[name], [self._terms.true, *inputs])
        return self._terms.apply(self._clauses.starts[name], inputs)

    def _ended(self, site: CallSite) -> Term:
        """The condition that a call, if it was made, has ended with these outputs."""
        terms, callee = self._terms, self._program.procedures[site.callee]
        face = self._faces[site.callee]
        made = terms.var(site.control)
        outputs = [terms.var(incarnation) for incarnation in site.outputs]
        if callee.loop_of is None:
            return terms.apply(self._clauses.ends[site.callee], [made, *site.inputs, *outputs])
        before = dict(zip(face.inputs, site.inputs, strict=True))
        after = {**before, **dict(zip(face.outputs, outputs, strict=True))}
        end = at_end(callee)
        state = terms.substitute([end.get(each, terms.var(each)) for each in face.inputs], after)
        return terms.apply(self._clauses.invariants[site.callee], [made, *state])

    def _rule(self, premises: Sequence[Term], conclusion: Term) -> None:
        terms = self._terms
        (body,) = terms.substitute([terms.implies(terms.and_(premises), conclusion)], self._decided)
        free = variables_of([body])
        copies = {each: Variable(each.name, each.type, VariableKind.BOUND) for each in free}
        (bound,) = terms.substitute([body], {each: terms.var(copy) for each, copy in copies.items()})
        self._clauses.rules.append(terms.quantifier("forall", tuple(copies.values()), bound) if copies else bound)


def contracts_of(
    code: ErrorBitResult, faces: Mapping[str, Interface], clauses: HornClauses, solution: Mapping[Function, Term]
) -> list[Contract]:
    """The contracts in a solution, which has conditions over the parameters of predicates: one for each conjunct."""
    terms = code.program.terms

    def conjuncts(function: Function, actuals: Sequence[Term]) -> list[Term]:
        if function not in solution:
            return []
        (said,) = terms.substitute([solution[function]], dict(zip(function.parameters, actuals, strict=True)))
        return [each for each in (said.args if said.op == "and" else (said,)) if each is not terms.true]

    elsewhere = [terms.var(each) for each in (code.reach, *clauses.ignored)]  # where other assertions may fail
    found: list[Contract] = []
    for name, function in clauses.invariants.items():
        inputs = [terms.var(variable) for variable in faces[name].inputs]
        loop = code.program.procedures[name]
        found += [invariant(terms, loop, each) for each in conjuncts(function, [terms.true, *inputs])]
    for name, function in clauses.starts.items():
        if name not in code.program.entries:
            inputs = [terms.var(variable) for variable in faces[name].inputs]
            found += [Contract(name, requires=each) for each in conjuncts(function, inputs)]
    for name, function in clauses.ends.items():
        before = [
            terms.old(terms.var(variable)) if variable.kind is VariableKind.GLOBAL else terms.var(variable)
            for variable in faces[name].inputs
        ]
        after = [terms.var(variable) for variable in faces[name].outputs]
        found += [
            Contract(name, ensures=terms.or_([*elsewhere, each]))
            for each in conjuncts(function, [terms.true, *before, *after])
        ]
    return found


def _bound(variables: Sequence[Variable]) -> tuple[Variable, ...]:
    return tuple(Variable(variable.name, variable.type, VariableKind.BOUND) for variable in variables)
