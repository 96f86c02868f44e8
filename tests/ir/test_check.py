"""Each broken invariant yields its complaint, and no other."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import pytest

from remuda.ir.check import Complaint, check, type_errors
from remuda.ir.program import Assign, Attribute, Axiom, Condition, Havoc
from remuda.terms.store import Terms
from remuda.terms.symbols import Constructor, Function
from remuda.terms.term import Binder
from remuda.terms.types import BOOL, INT, REAL, ROUNDING, BvType, DataType, FloatType, MapType, Type
from tests.ir.builders import (
    SPAN,
    assertion,
    assumption,
    bound,
    call,
    constant,
    global_,
    local,
    procedure,
    program,
    straight,
)

if TYPE_CHECKING:
    from remuda.ir.program import Procedure, Program
    from remuda.terms.term import Term

T = Terms()
G, C = global_("g"), constant("c")
IN, OUT, LOCAL, STRANGE = local("in"), local("out"), local("l"), local("strange")
ONE = T.integer(1)
POSITIVE = T.lt(ONE, T.var(G))
CALLEE = procedure("Q", inputs=(IN,), outputs=(OUT,))


def around(*procedures: Procedure, **fields: Any) -> Program:  # noqa: ANN401
    return program(*procedures, CALLEE, terms=T, globals=(G,), constants=(C,), **fields)


def body(*statements: Any, **fields: Any) -> Program:  # noqa: ANN401
    return around(straight("P", *statements, inputs=(IN,), outputs=(OUT,), locals=(LOCAL,), **fields))


def free(term: Term) -> tuple[Condition, ...]:
    return (Condition(term, SPAN, None),)


BREACHES: list[tuple[Program, str, str]] = [
    (around(procedure("P", {"a": ["b"]})), "P/a", "successor b does not exist"),
    (around(procedure("P", {})), "P", "the body has no blocks"),
    (body(Assign((IN,), (ONE,), SPAN)), "P/entry", "in may not be assigned here"),
    (body(Havoc((C,), SPAN)), "P/entry", "c may not be assigned here"),
    (body(Havoc((STRANGE,), SPAN)), "P/entry", "strange may not be assigned here"),
    (body(call("Q", [ONE], [IN])), "P/entry", "in may not be assigned here"),
    (body(Assign((G, G), (ONE, ONE), SPAN)), "P/entry", "target g occurs 2 times"),
    (body(Assign((G,), (T.true,), SPAN)), "P/entry", "assignment needs (int), not (bool)"),
    (body(Assign((G, LOCAL), (ONE,), SPAN)), "P/entry", "assignment needs (int, int), not (int)"),
    (body(call("Nobody")), "P/entry", "procedure Nobody does not exist"),
    (body(call("Q", [], [G])), "P/entry", "call of Q needs (int), not ()"),
    (body(call("Q", [ONE])), "P/entry", "call of Q gives (int), which are assigned to ()"),
    (body(assumption(T.eq(T.old(T.var(G)), ONE))), "P/entry", "`old` outside `ensures`"),
    (body(requires=free(T.eq(T.old(T.var(G)), ONE))), "P", "`old` outside `ensures`"),
    (body(assumption(ONE)), "P/entry", "the condition is int, not bool"),
    (body(assumption(T.eq(T.var(STRANGE), ONE))), "P/entry", "strange is not in scope"),
    (body(requires=free(T.eq(T.var(OUT), ONE))), "P", "out is not in scope"),
    (body(ensures=free(T.eq(T.var(LOCAL), ONE))), "P", "l is not in scope"),
    (body(modifies=(C,)), "P", "modifies c, which is not a global of the program"),
    (body(attributes=(Attribute("a", (T.var(STRANGE),)),)), "P", "strange is not in scope"),
    (body(assumption(T.lt(ONE, T.var(bound("i"))))), "P/entry", "bound variable i is used outside its binder"),
    (body(assumption(T.make("add", (ONE, T.true), None, BOOL))), "P/entry", "`add` does not apply to (int, bool)"),
    (body(assumption(T.apply(Function("f", (), BOOL), ()))), "P/entry", "function f is not declared"),
    (body(assertion(POSITIVE, "a"), assertion(POSITIVE, "a")), "P/entry", "two assertions are identified as a"),
    (around(straight("P", locals=(G,))), "P", "g is declared local but is global"),
    (around(straight("P", inputs=(IN,), outputs=(IN,))), "P", "variable in occurs 2 times"),
    (around(axioms=(Axiom(POSITIVE, SPAN),)), "axiom 1", "g is not in scope"),
    (around(functions=(Function("f", (), INT, T.true),)), "function f", "the body is bool, not int"),
    (around(functions=(Function("f", (), INT, T.var(G)),)), "function f", "g is not in scope"),
    (around(wheres={G: T.lt(ONE, T.var(IN))}), "global g", "in is not in scope"),
    (around(entries=("main",)), "program", "entry main does not exist"),
]


@pytest.mark.parametrize(("broken", "where", "message"), BREACHES, ids=[message for _, _, message in BREACHES])
def test_breach(broken: Program, where: str, message: str) -> None:
    assert check(broken) == [Complaint(where, message)]


def test_repeated_label() -> None:
    first, second = procedure("P", {"a": []}), procedure("P", {"a": ["a"]})
    assert first.blocks is not None
    assert second.blocks is not None
    twice = replace(first, blocks=first.blocks + second.blocks)
    assert check(around(twice)) == [Complaint("P", "label a occurs 2 times")]


def test_misnamed_procedure() -> None:
    broken = around()
    assert isinstance(broken.procedures, dict)
    broken.procedures["R"] = procedure("P")
    assert check(broken) == [Complaint("R", "the procedure is named P")]


def test_well_formed_program() -> None:
    i = bound("i")
    quantified = T.quantifier("forall", (i,), T.lt(T.var(i), T.var(LOCAL)))
    statements = [Assign((G, OUT), (ONE, T.var(IN)), SPAN), assumption(quantified), call("Q", [ONE], [LOCAL])]
    old = T.lt(T.old(T.var(G)), T.var(OUT))
    assert check(body(*statements, assertion(POSITIVE), ensures=free(old), modifies=(G,))) == []


def test_copies_share_their_check() -> None:
    shared = assertion(POSITIVE)
    assert check(body(shared, shared)) == []


def test_an_error_in_a_shared_term_is_reported_once() -> None:
    wrong = T.make("not", (ONE,), None, BOOL)
    found = check(body(assumption(T.make("and", (wrong, wrong), None, BOOL)), assumption(wrong)))
    assert found == [Complaint("P/entry", "`not` does not apply to (int)")]


# --- types of terms

X, P, R = T.var(LOCAL), T.var(local("p", BOOL)), T.var(local("r", REAL))
B8, B4 = T.var(local("b", BvType(8))), T.var(local("s", BvType(4)))
MAP = T.var(local("m", MapType((INT, BOOL), REAL)))
FLOAT = FloatType(24, 8)
F, DOUBLE = T.var(local("f", FLOAT)), T.var(local("d", FloatType(53, 11)))
MODE = T.make("rounding", (), "RNE", ROUNDING)
LIST = DataType("List")
CONS = Constructor("cons", LIST, (("head", INT),))
FUNCTION = Function("f", (bound("n"),), REAL)
INDEX = bound("i")


def made(op: str, args: tuple[Term, ...], type_: Type, payload: object = None) -> Term:
    return T.make(op, args, payload, type_)


WRONG = [
    (made("bool", (), BOOL, 2), "`bool` does not apply to ()"),
    (made("int", (), INT, Fraction(1, 2)), "`int` does not apply to ()"),
    (made("real", (), REAL, 1.5), "`real` does not apply to ()"),
    (made("bv", (), BvType(4), (16, 4)), "`bv` does not apply to ()"),
    (made("bv", (), BvType(5), (1, 4)), "`bv` of () is bv4, not bv5"),
    (made("float", (), FLOAT, (1 << 32, 24, 8)), "`float` does not apply to ()"),
    (made("rounding", (), ROUNDING, "UP"), "`rounding` does not apply to ()"),
    (made("int", (X,), INT, 1), "literal `int` has arguments"),
    (made("apply", (P,), REAL, FUNCTION), "`apply` does not apply to (bool)"),
    (made("not", (X,), BOOL), "`not` does not apply to (int)"),
    (made("and", (P, X), BOOL), "`and` does not apply to (bool, int)"),
    (made("or", (P, X), BOOL), "`or` does not apply to (bool, int)"),
    (made("implies", (P,), BOOL), "`implies` does not apply to (bool)"),
    (made("ite", (P, X, R), INT), "`ite` does not apply to (bool, int, real)"),
    (made("eq", (P, X), BOOL), "`eq` does not apply to (bool, int)"),
    (made("distinct", (X, R), BOOL), "`distinct` does not apply to (int, real)"),
    (made("neg", (P,), INT), "`neg` does not apply to (bool)"),
    (made("add", (X, R), INT), "`add` does not apply to (int, real)"),
    (made("sub", (X, X), REAL), "`sub` of (int, int) is int, not real"),
    (made("div", (R, R), REAL), "`div` does not apply to (real, real)"),
    (made("realdiv", (R, P), REAL), "`realdiv` does not apply to (real, bool)"),
    (made("pow", (X, X), INT), "`pow` does not apply to (int, int)"),
    (made("lt", (X, P), BOOL), "`lt` does not apply to (int, bool)"),
    (made("to_real", (R,), REAL), "`to_real` does not apply to (real)"),
    (made("to_int", (X,), INT), "`to_int` does not apply to (int)"),
    (made("concat", (B8, X), BvType(8)), "`concat` does not apply to (bv8, int)"),
    (made("concat", (B8, B4), BvType(8)), "`concat` of (bv8, bv4) is bv12, not bv8"),
    (made("extract", (B8,), BvType(2), (9, 7)), "`extract` does not apply to (bv8)"),
    (made("bvadd", (B8, B4), BvType(8)), "`bvadd` does not apply to (bv8, bv4)"),
    (made("bvnot", (B8, B8), BvType(8)), "`bvnot` does not apply to (bv8, bv8)"),
    (made("bvult", (B8, B8), BvType(8)), "`bvult` of (bv8, bv8) is bool, not bv8"),
    (made("zero_extend", (B8,), BvType(8), 4), "`zero_extend` of (bv8) is bv12, not bv8"),
    (made("rotate_left", (X,), BvType(8), 4), "`rotate_left` does not apply to (int)"),
    (made("repeat", (B4,), BvType(0), 0), "`repeat` does not apply to (bv4)"),
    (made("bv2nat", (X,), INT), "`bv2nat` does not apply to (int)"),
    (made("int2bv", (X,), BvType(4), 8), "`int2bv` of (int) is bv8, not bv4"),
    (made("select", (MAP, X), REAL), "`select` does not apply to ([int, bool]real, int)"),
    (made("store", (MAP, X, P, X), MAP.type), "`store` does not apply to ([int, bool]real, int, bool, int)"),
    (made("forall", (X,), BOOL, Binder((INDEX,))), "`forall` does not apply to (int)"),
    (made("exists", (P, X), BOOL, Binder((INDEX,))), "`exists` does not apply to (bool, int)"),
    (made("forall", (P,), BOOL, Binder((LOCAL,))), "`forall` does not apply to (bool)"),
    (made("lambda", (P,), BOOL, Binder((INDEX,))), "`lambda` of (bool) is [int]bool, not bool"),
    (made("construct", (P,), LIST, CONS), "`construct` does not apply to (bool)"),
    (made("field", (X,), INT, (CONS, 0)), "`field` does not apply to (int)"),
    (made("is", (X,), BOOL, CONS), "`is` does not apply to (int)"),
    (made("old", (X,), INT), "`old` does not apply to (int)"),
    (made("fp_add", (F, F), FLOAT), "`fp_add` does not apply to (float24e8, float24e8)"),
    (made("fp_lt", (F, DOUBLE), BOOL), "`fp_lt` does not apply to (float24e8, float53e11)"),
    (made("to_fp_bits", (B8,), FLOAT, FLOAT), "`to_fp_bits` does not apply to (bv8)"),
    (made("to_fp_real", (R,), FLOAT, FLOAT), "`to_fp_real` does not apply to (real)"),
    (made("fp_to_ubv", (MODE, F), BvType(4), 8), "`fp_to_ubv` of (rmode, float24e8) is bv8, not bv4"),
    (made("frobnicate", (), INT), "unknown operator `frobnicate`"),
]


@pytest.mark.parametrize(("term", "message"), WRONG, ids=[message for _, message in WRONG])
def test_type_error(term: Term, message: str) -> None:
    assert type_errors(term) == [message]


def test_deep_terms_are_checked_without_recursion() -> None:
    term = X
    for _ in range(100_000):
        term = T.make("add", (term, term), None, INT)
    assert type_errors(term) == []
