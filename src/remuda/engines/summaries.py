"""Summaries of procedures from a proof: each follows from a body, and implies what the rest of the proof needs.

    body of P, with summaries of its callees                 ==>  summary of P
    body of the entry, with summaries, and it has failed     ==>  error

The rules are those of the procedures that were inlined in the proof; calls of others stay open, as in the proof.
There is one summary for all calls of a procedure. Function summaries by interpolation are from FunFrog (Sery,
Fedyukovich and Sharygina, ATVA 2012). That they get smaller with only the strongest assertions is from *Symbolic
Detection of Assertion Dependencies for Bounded Model Checking* (Fedyukovich et al., FASE 2015), section 4.2.

A rule's body mentions the calls on all paths. So summaries have an argument that says whether the call was made; if
it was not, the summary allows all values.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, final

from remuda.terms.symbols import Function, Variable, VariableKind
from remuda.terms.term import postorder, variables_of
from remuda.terms.types import BOOL
from remuda.transforms.add_contracts import Contract
from remuda.vc.passive import procedure_vc

if TYPE_CHECKING:
    from remuda.ir.program import Check
    from remuda.terms.term import Term
    from remuda.transforms.error_bit import ErrorBitResult
    from remuda.vc.interface import Interface
    from remuda.vc.passive import ProcedureVC


@final
@dataclass(slots=True)
class SummaryRules:
    """Closed rules, and the predicates in them that stand for summaries."""

    error: Function
    rules: list[Term] = field(default_factory=list)
    predicates: dict[str, Function] = field(default_factory=dict)


def summary_rules(
    code: ErrorBitResult,
    faces: Mapping[str, Interface],
    entry: str,
    inlined: Iterable[str],
    checks: Collection[Check],
) -> SummaryRules:
    """The rules of a proof that these assertions cannot fail from the entry."""
    return _Encoding(code, faces, entry, tuple(inlined), checks).run()


@final
class _Encoding:
    def __init__(
        self,
        code: ErrorBitResult,
        faces: Mapping[str, Interface],
        entry: str,
        inlined: Sequence[str],
        checks: Collection[Check],
    ) -> None:
        self._code = code
        self._faces = faces
        self._entry = entry
        self._inlined = inlined
        self._terms = terms = code.program.terms
        wanted = set(checks)
        self._decided = {
            code.reach: terms.false,
            **{target: terms.boolean(check in wanted) for check, target in code.targets.items()},
            **{flag: terms.boolean(not wanted.isdisjoint(code.below(name))) for name, flag in code.may_fail.items()},
        }
        self._rules = SummaryRules(Function("error$", (), BOOL))

    def run(self) -> SummaryRules:
        vcs = [procedure_vc(self._code.program, name, self._faces, "ite") for name in self._inlined]
        called = {site.callee for vc in vcs for site in vc.calls}
        for name in self._inlined:
            if name in called:
                self._declare(name)
        for vc in vcs:
            self._encode(vc)
        return self._rules

    def _declare(self, name: str) -> None:
        face, terms = self._faces[name], self._terms
        made = Variable("made", BOOL, VariableKind.BOUND)
        parameters = (made, *_bound(face.inputs), *_bound(face.outputs))
        function = self._rules.predicates[name] = Function(f"summary${name}", parameters, BOOL)
        self._rule([terms.not_(terms.var(made))], terms.apply(function, [terms.var(each) for each in parameters]))

    def _encode(self, vc: ProcedureVC) -> None:
        terms, name, predicates = self._terms, vc.procedure.name, self._rules.predicates
        summaries = [
            terms.apply(
                predicates[site.callee],
                [terms.var(site.control), *site.inputs, *(terms.var(output) for output in site.outputs)],
            )
            for site in vc.calls
            if site.callee in predicates
        ]
        assert vc.exit_control is not None
        body = [*vc.constraints, terms.var(vc.exit_control), *summaries]
        if name in predicates:
            inputs = [terms.var(variable) for variable in vc.interface.inputs]
            self._rule(body, terms.apply(predicates[name], [terms.true, *inputs, *vc.finals]))
        if name == self._entry and name in self._code.failed:
            failed = vc.finals[vc.interface.outputs.index(self._code.failed[name])]
            self._rule([*body, failed], terms.apply(self._rules.error, []))

    def _rule(self, premises: Sequence[Term], conclusion: Term) -> None:
        terms = self._terms
        (body,) = terms.substitute([terms.implies(terms.and_(premises), conclusion)], self._decided)
        free = variables_of([body])
        copies = {each: Variable(each.name, each.type, VariableKind.BOUND) for each in free}
        (bound,) = terms.substitute([body], {each: terms.var(copy) for each, copy in copies.items()})
        self._rules.rules.append(terms.quantifier("forall", tuple(copies.values()), bound) if copies else bound)


def summary_contracts(
    code: ErrorBitResult,
    faces: Mapping[str, Interface],
    rules: SummaryRules,
    solution: Mapping[Function, Term],
    checks: Collection[Check],
) -> list[Contract]:
    """The contracts in a solution, one for each conjunct: for executions that do not fail, without conditions; and
    for executions that fail, under the condition that only `checks` can fail."""
    terms = code.program.terms
    wanted = set(checks)
    found: list[Contract] = []
    for name, predicate in rules.predicates.items():
        if predicate not in solution:
            continue
        face = faces[name]
        before = [
            terms.old(terms.var(each)) if each.kind is VariableKind.GLOBAL else terms.var(each)
            for each in face.inputs
        ]
        after = [terms.var(each) for each in face.outputs]
        actuals = dict(zip(predicate.parameters, [terms.true, *before, *after], strict=True))
        (said,) = terms.substitute([solution[predicate]], actuals)
        failed = code.failed.get(name)
        for part in said.args if said.op == "and" else (said,):
            if failed is None or failed not in variables_of([part]):
                parts = [part] if failed is None else [terms.or_([terms.var(failed), part])]
            else:
                others = [code.targets[check] for check in code.below(name) if check not in wanted]
                elsewhere = [terms.var(each) for each in (code.reach, *others)]
                (without,) = terms.substitute([part], {failed: terms.false})
                (failing,) = terms.substitute([part], {failed: terms.true})
                parts = [terms.or_([terms.var(failed), without])]
                parts.append(terms.or_([*elsewhere, terms.not_(terms.var(failed)), failing]))
            found += [Contract(name, ensures=each) for each in parts if each is not terms.true]
    return found


def size_of(code: ErrorBitResult, contracts: Iterable[Contract]) -> int:
    """The size of contracts when only their own assertions can fail: the nodes of their terms, shared ones counted
    once."""
    terms = code.program.terms
    unasked = dict.fromkeys((code.reach, *code.targets.values()), terms.false)
    stated = [part for each in contracts for part in (each.requires, each.ensures) if part is not None]
    said = [part for part in terms.substitute(stated, unasked) if part is not terms.true]
    return sum(1 for _ in postorder(said))


def _bound(variables: Sequence[Variable]) -> tuple[Variable, ...]:
    return tuple(Variable(variable.name, variable.type, VariableKind.BOUND) for variable in variables)
