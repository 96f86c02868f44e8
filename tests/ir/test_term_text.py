"""Terms as text: parentheses, binders, sharing, depth."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

import pytest

from remuda.ir.term_text import SourceNaming, boogie_text, term_text
from remuda.terms.store import Terms
from remuda.terms.symbols import Constructor, Function
from remuda.terms.types import BOOL, INT, REAL, BvType, DataType, MapType, Type
from tests.ir.builders import bound, global_, local

if TYPE_CHECKING:
    from remuda.terms.term import Term

T = Terms()


def var(name: str, type_: Type = INT) -> Term:
    return T.var(local(name, type_))


X, Y, Z = (var(name) for name in "xyz")
P, Q, R = (var(name, BOOL) for name in "pqr")
M = var("m", MapType((INT, INT), INT))
N = var("n", MapType((), INT))
B = var("b", BvType(32))
ONE = T.integer(1)
CONS = Constructor("cons", DataType("List"), (("head", INT), ("tail", DataType("List"))))
LIST = var("l", DataType("List"))


@pytest.mark.parametrize(
    ("term", "text"),
    [
        (T.and_([P, Q, R]), "p && q && r"),
        (T.make("and", (T.and_([P, Q]), R), None, BOOL), "p && q && r"),
        (T.make("and", (P, T.and_([Q, R])), None, BOOL), "p && (q && r)"),
        (T.and_([T.or_([P, Q]), R]), "(p || q) && r"),
        (T.implies(T.implies(P, Q), T.implies(Q, R)), "(p ==> q) ==> q ==> r"),
        (T.eq(P, T.eq(Q, R)), "p <==> (q <==> r)"),
        (T.eq(T.eq(P, Q), R), "p <==> q <==> r"),
        (T.not_(T.eq(X, Y)), "x != y"),
        (T.not_(T.eq(P, Q)), "!(p <==> q)"),
        (T.not_(T.and_([P, Q])), "!(p && q)"),
        (T.arithmetic("sub", X, T.arithmetic("sub", Y, Z)), "x - (y - z)"),
        (T.arithmetic("sub", T.arithmetic("sub", X, Y), Z), "x - y - z"),
        (T.arithmetic("mul", T.arithmetic("add", X, Y), Z), "(x + y) * z"),
        (T.div(T.arithmetic("mul", X, Y), T.mod(X, Y)), "x * y div (x mod y)"),
        (T.arithmetic("add", X, T.integer(-5)), "x + -5"),
        (T.neg(T.neg(X)), "-(-x)"),
        (T.neg(T.arithmetic("add", X, Y)), "-(x + y)"),
        (T.lt(T.arithmetic("add", X, ONE), Y), "x + 1 < y"),
        (T.eq(T.ite(P, X, Y), Z), "(if p then x else y) == z"),
        (T.select(M, (X, Y)), "m[x, y]"),
        (T.select(T.store(M, (X, Y), ONE), (Y, X)), "m[x, y := 1][y, x]"),
        (T.select(N, ()), "n[]"),
        (T.store(N, (), X), "n[:= x]"),
        (T.select(T.ite(P, M, M), (X, Y)), "m[x, y]"),
        (T.concat(T.extract(B, 32, 8), T.bitvector(3, 8)), "b[32:8] ++ 3bv8"),
        (T.extract(T.concat(B, B), 40, 8), "(b ++ b)[40:8]"),
        (T.bv("bvadd", (B, B)), "bvadd(b, b)"),
        (T.real(Fraction(3, 4)), "0.75"),
        (T.real(Fraction(-7, 1)), "-7.0"),
        (T.make("mul", (T.real(Fraction(1, 3)), T.to_real(X)), None, REAL), "1.0 / 3.0 * real(x)"),
        (T.make("mul", (T.to_real(X), T.real(Fraction(1, 3))), None, REAL), "real(x) * (1.0 / 3.0)"),
        (T.make("pow", (T.real(Fraction(-2)), T.real(Fraction(2))), None, REAL), "-2.0 ** 2.0"),
        (T.distinct((X, Y, Z)), "!(x == y) && !(x == z) && !(y == z)"),
        (T.field(CONS, 0, LIST), "head#cons(l)"),
        (T.is_(CONS, LIST), "is#cons(l)"),
        (T.construct(CONS, (ONE, LIST)), "cons(1, l)"),
        (T.old(T.var(global_("g"))), "old(g)"),
        (T.apply(Function("f", (), INT), ()), "f()"),
    ],
)
def test_operators(term: Term, text: str) -> None:
    assert term_text(term) == text


def test_binders_with_triggers() -> None:
    i, j = bound("i"), bound("j")
    read = T.select(M, (T.var(i), T.var(j)))
    term = T.quantifier("forall", (i, j), T.lt(ONE, read), [[read], [T.var(i), T.var(j)]], weight=3)
    assert term_text(term) == "(forall i: int, j: int :: {:weight 3} {m[i, j]} {i, j} 1 < m[i, j])"
    assert term_text(T.lambda_((i,), T.eq(T.var(i), X))) == "(lambda i: int :: i == x)"


def test_nested_binders_get_different_names_and_sisters_share_one() -> None:
    outer, inner, sister = bound("i"), bound("i"), bound("i")
    nested = T.quantifier("exists", (inner,), T.lt(T.var(outer), T.var(inner)))
    left = T.quantifier("forall", (outer,), nested)
    right = T.quantifier("forall", (sister,), T.lt(X, T.var(sister)))
    text = "(forall i: int :: (exists i#1: int :: i < i#1)) && (forall i: int :: x < i)"
    assert term_text(T.and_((left, right))) == text


def test_a_variable_bound_twice_on_one_path() -> None:
    i = bound("i")
    inner = T.quantifier("exists", (i,), T.lt(X, T.var(i)))
    term = T.quantifier("forall", (i,), T.and_((inner, T.lt(T.var(i), X))))
    assert term_text(term) == "(forall i: int :: (exists i#1: int :: x < i#1) && i < x)"


def test_messages_are_cut() -> None:
    term = X
    for _ in range(1000):
        term = T.arithmetic("add", term, Y)
    assert len(term_text(term, limit=10)) < 20


def test_deep_terms() -> None:
    term = X
    for _ in range(100_000):
        term = T.make("add", (ONE, term), None, INT)
    assert boogie_text(term, SourceNaming()).count("(") == 99_999


def test_shared_terms_are_written_once() -> None:
    term = X
    for _ in range(200):
        term = T.make("mul", (term, term), None, INT)
    text = boogie_text(term, SourceNaming())
    assert text.startswith("(var s := x * x * (x * x); (var s#1 := s * s; ")
    assert len(text) < 10_000


def test_terms_with_bound_variables_stay_in_their_binder() -> None:
    i = bound("i")
    body = T.var(i)
    for _ in range(8):
        body = T.make("add", (body, body), None, INT)
    shared = X
    for _ in range(12):
        shared = T.make("mul", (shared, shared), None, INT)
    term = T.quantifier("forall", (i,), T.lt(body, shared))
    head, _, quantifier = boogie_text(term, SourceNaming()).partition("(forall")
    assert head.startswith("(var s := x * x * (x * x); ")
    assert "i" not in head
    assert "i + i" in quantifier
