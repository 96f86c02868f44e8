"""Interpolants from Spacer: conditions for predicates between what implies them and what they must exclude.

    A1 ==> I1(x)        A2 && I1(y) ==> I2(z)        B && I1(u) && I2(v) ==> error

has a solution exactly if the formula that all of this comes from is unsatisfiable; each I is over the variables that
its A shares with the rest. Spacer finds conditions without quantifiers, for linear integers and bit-vectors in a
fraction of a second, if it does not rewrite the rules first: it would replace I by A and have nothing left to solve.
Callers that need certainty must check the result.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING, Any, Final

from remuda.smt.create import create_solver
from remuda.smt.spacer import Reader, silence

if TYPE_CHECKING:
    from remuda.terms.store import Terms
    from remuda.terms.symbols import Constructor, Function, Variable
    from remuda.terms.term import Term
    from remuda.terms.types import DataType

KEPT_OFF: Final = ("xform.inline_eager", "xform.inline_linear", "xform.slice", "xform.tail_simplifier_pve")


def interpolants(
    terms: Terms,
    rules: Sequence[Term],
    predicates: Sequence[Function],
    error: Function,
    seconds: float,
    datatypes: Sequence[tuple[DataType, Sequence[Constructor]]] = (),
) -> dict[Function, Term] | None:
    """Conditions over the parameters of the predicates that make all rules true, and `error`, which has no
    parameters, false. Rules are closed implications. None: there are none, or the time was too short."""
    import z3

    writer = create_solver("z3")
    writer.declare_datatypes(datatypes)
    for rule in rules:
        writer.add(writer.translate(rule))
    with silence():
        try:
            answer = _answer(
                z3, writer.text(), {*(each.name for each in predicates), error.name}, error.name, seconds
            )
        except (z3.Z3Exception, RecursionError):  # a theory that it does not know, or a term of too many levels
            return None
    if answer is None:
        return None
    by_name = {predicate.name: predicate for predicate in predicates}
    found: dict[Function, Term] = {}
    for definition in answer.children() if z3.is_and(answer) else [answer]:
        said = _definition(z3, terms, definition, by_name)
        if said is not None:
            found[said[0]] = said[1]
    return found


def _answer(z3: Any, text: str, names: Collection[str], error: str, seconds: float) -> Any:  # noqa: ANN401 - Z3's own classes have no types
    context = z3.Context()
    fixedpoint = z3.Fixedpoint(ctx=context)
    fixedpoint.set("engine", "spacer")
    fixedpoint.set("timeout", max(1, int(seconds * 1000)))
    for name in KEPT_OFF:
        fixedpoint.set(name, False)
    goal = None
    for rule in z3.parse_smt2_string(text, ctx=context):
        variables, body = _opened(z3, rule)
        parts = body.children() if z3.is_or(body) else [body]  # so Z3 has rewritten implications
        if z3.is_implies(body):
            parts = [z3.Not(body.children()[0]), body.children()[1]]
        heads = [part for part in parts if z3.is_app(part) and part.decl().name() in names]
        if len(heads) != 1:
            return None
        (head,) = heads
        premises = [part.children()[0] if z3.is_not(part) else z3.Not(part) for part in parts if not part.eq(head)]
        implication = z3.Implies(z3.And(z3.BoolVal(val=True, ctx=context), *premises), head)
        fixedpoint.register_relation(head.decl())
        fixedpoint.add_rule(z3.ForAll(variables, implication) if variables else implication)
        if head.decl().name() == error:
            goal = head
    if goal is None or fixedpoint.query(goal) != z3.unsat:
        return None
    return fixedpoint.get_answer()


def _opened(z3: Any, rule: Any) -> tuple[list[Any], Any]:  # noqa: ANN401
    """The body of a rule, and constants for its variables."""
    if not z3.is_quantifier(rule):
        return [], rule
    variables = [z3.FreshConst(rule.var_sort(number), f"x{number}") for number in range(rule.num_vars())]
    return variables, z3.substitute_vars(rule.body(), *reversed(variables))


def _definition(z3: Any, terms: Terms, definition: Any, by_name: dict[str, Function]) -> tuple[Function, Term] | None:  # noqa: ANN401
    """`forall x: P(x) == condition`, with variables numbered from the last one on."""
    body = definition.body() if z3.is_quantifier(definition) else definition
    if not z3.is_eq(body):
        return None
    head, condition = body.children()
    predicate = by_name.get(head.decl().name())
    if predicate is None:
        return None
    order = [z3.get_var_index(argument) for argument in head.children()]
    by_index: list[Variable] = list(predicate.parameters)
    for index, parameter in zip(order, predicate.parameters, strict=True):
        by_index[index] = parameter
    try:
        read = Reader(terms, by_index).read(condition)
    except RecursionError:
        return None
    return None if read is None else (predicate, read)
