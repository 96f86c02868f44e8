"""Spacer, Z3's solver for constrained Horn clauses: conditions for predicates that make all rules true.

Callers that need certainty must check the result: its terms are translated back one operator at a time, and
conditions without a translation are left out.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from remuda.smt.create import create_solver
from remuda.terms.types import BvType, IntType

if TYPE_CHECKING:
    from remuda.terms.store import Terms
    from remuda.terms.symbols import Constructor, Function, Variable
    from remuda.terms.term import Term
    from remuda.terms.types import DataType


def solve_horn(
    terms: Terms,
    rules: Sequence[Term],
    predicates: Sequence[Function],
    seconds: float,
    datatypes: Sequence[tuple[DataType, Sequence[Constructor]]] = (),
) -> dict[Function, Term] | None:
    """Conditions over the parameters of the predicates; None: there are none, or the time was too short."""
    import z3

    writer = create_solver("z3")
    writer.declare_datatypes(datatypes)
    for rule in rules:
        writer.add(writer.translate(rule))
    model = _model(z3, writer.text(), seconds / 2, is_global=True)
    if model is None:
        model = _model(z3, writer.text(), seconds / 2, is_global=False)
    if model is None:
        return None
    named = {declaration.name(): model[declaration] for declaration in model.decls()}
    found: dict[Function, Term] = {}
    for predicate in predicates:
        said = named.get(predicate.name)
        condition = None if said is None else Reader(terms, predicate.parameters).read(_value(z3, said))
        if condition is not None:
            found[predicate] = condition
    return found


def _model(z3: Any, text: str, seconds: float, *, is_global: bool) -> Any:  # noqa: ANN401
    """A model of the rules. Global guidance (`spacer.global`) proves much more, but fails on some rules with a
    message of Z3, which is suppressed."""
    z3.set_param("fp.spacer.global", is_global)
    solver = z3.SolverFor("HORN", ctx=z3.Context())
    solver.set("timeout", max(1, int(seconds * 1000)))
    with silence():
        try:
            solver.from_string(text)
            return solver.model() if solver.check() == z3.sat else None
        except z3.Z3Exception:  # such a failure, or an unknown theory
            return None


@contextmanager
def silence() -> Iterator[None]:
    """Suppress the standard error of this process."""
    before, nowhere = os.dup(2), os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, 2)
    try:
        yield
    finally:
        os.dup2(before, 2)
        os.close(before)
        os.close(nowhere)


def _value(z3: Any, said: Any) -> Any:  # noqa: ANN401 - Z3's own classes have no types
    return said.else_value() if isinstance(said, z3.FuncInterp) else said


class Reader:
    """Translates Z3's terms to ours, with these terms for Z3's variables. A conjunct without a translation is left
    out, which weakens the condition."""

    def __init__(self, terms: Terms, parameters: Sequence[Variable]) -> None:
        self._terms = terms
        self._parameters = parameters

    def read(self, expression: Any) -> Term | None:  # noqa: ANN401
        import z3

        if z3.is_and(expression):
            parts = [self.read(each) for each in expression.children()]
            return self._terms.and_([part for part in parts if part is not None])
        try:
            return self._term(expression)
        except KeyError:
            return None

    def _term(self, expression: Any) -> Term:  # noqa: ANN401, C901
        """Raises KeyError for what has no term."""
        import z3

        terms = self._terms
        if z3.is_var(expression):
            return terms.var(self._parameters[z3.get_var_index(expression)])
        if z3.is_quantifier(expression):
            raise KeyError("quantifier")
        if z3.is_int_value(expression):
            return terms.integer(expression.as_long())
        if z3.is_bv_value(expression):
            return terms.bitvector(expression.as_long(), expression.size())
        kind = expression.decl().kind()
        args = [self._term(each) for each in expression.children()]
        if kind in _bit_operators():
            return terms.bv(_bit_operators()[kind], args)
        match kind:
            case z3.Z3_OP_TRUE:
                return terms.true
            case z3.Z3_OP_FALSE:
                return terms.false
            case z3.Z3_OP_NOT:
                return terms.not_(args[0])
            case z3.Z3_OP_AND:
                return terms.and_(args)
            case z3.Z3_OP_OR:
                return terms.or_(args)
            case z3.Z3_OP_IMPLIES:
                return terms.implies(*args)
            case z3.Z3_OP_EQ | z3.Z3_OP_IFF:
                return terms.eq(*args)
            case z3.Z3_OP_ITE:
                return terms.ite(*args)
            case z3.Z3_OP_LE:
                return terms.le(*args)
            case z3.Z3_OP_LT:
                return terms.lt(*args)
            case z3.Z3_OP_GE:
                return terms.le(args[1], args[0])
            case z3.Z3_OP_GT:
                return terms.lt(args[1], args[0])
            case z3.Z3_OP_ADD:
                return self._folded("add", args)
            case z3.Z3_OP_SUB:
                return self._folded("sub", args)
            case z3.Z3_OP_MUL:
                return self._folded("mul", args)
            case z3.Z3_OP_UMINUS:
                return terms.neg(args[0])
            case z3.Z3_OP_IDIV if isinstance(args[0].type, IntType):
                return terms.div(*args)
            case z3.Z3_OP_MOD if isinstance(args[0].type, IntType):
                return terms.mod(*args)
            case z3.Z3_OP_SELECT:
                return terms.select(args[0], args[1:])
            case z3.Z3_OP_EXTRACT if isinstance(args[0].type, BvType):
                high, low = expression.params()
                return terms.extract(args[0], high + 1, low)
            case z3.Z3_OP_CONCAT:
                whole = args[0]
                for low_part in args[1:]:
                    whole = terms.concat(whole, low_part)
                return whole
            case _:
                raise KeyError(str(expression.decl()))

    def _folded(self, op: str, args: Sequence[Term]) -> Term:
        whole = args[0]
        for arg in args[1:]:
            whole = self._terms.arithmetic(op, whole, arg)
        return whole


def _bit_operators() -> dict[int, str]:
    """Operators on two bit-vectors, and the comparisons that exist here; others are turned round before."""
    import z3

    return {
        z3.Z3_OP_ULEQ: "bvule",
        z3.Z3_OP_SLEQ: "bvsle",
        z3.Z3_OP_ULT: "bvult",
        z3.Z3_OP_SLT: "bvslt",
        z3.Z3_OP_BAND: "bvand",
        z3.Z3_OP_BOR: "bvor",
        z3.Z3_OP_BNOT: "bvnot",
        z3.Z3_OP_BNEG: "bvneg",
        z3.Z3_OP_BADD: "bvadd",
        z3.Z3_OP_BMUL: "bvmul",
        z3.Z3_OP_BSUB: "bvsub",
    }
