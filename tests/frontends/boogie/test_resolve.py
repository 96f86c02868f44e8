"""Names and types: accepted programs, and the errors in others, with their places."""

from __future__ import annotations

import shutil
import subprocess
from typing import TYPE_CHECKING

import pytest

from remuda.base.errors import InputError, Unsupported
from remuda.base.source import Source
from remuda.frontends.boogie.load import load

if TYPE_CHECKING:
    from pathlib import Path

    from remuda.ir.program import Program

WRONG = (
    ("var x: int; var x: bool;", "more than one declaration of variable name: x"),
    ("type T; type T;", "more than one declaration of type name: T"),
    ("function f(): int; function f(): int;", "more than one declaration of function name: f"),
    ("procedure P(); procedure P();", "more than one declaration of procedure name: P"),
    ("procedure P(x: int) { var x: int; }", "more than one declaration of variable name: x"),
    ("procedure P() { x := 1; }", "undeclared identifier: x"),
    ("procedure P() { var x: int; x := true; }", "cannot assign bool to int"),
    ("procedure P(x: int) { x := 1; }", "immutable variable: x"),
    ("const c: int; procedure P() { c := 1; }", "immutable variable: c"),
    ("procedure P() { goto A; }", "unknown label: A"),
    ("procedure P() { A: goto B; B: goto A; A: return; }", "more than one declaration of block name: A"),
    ("procedure P() { break; }", "not inside a loop"),
    ("procedure P() { while (true) { break L; } }", "must designate an enclosing statement"),
    ("var g: int; procedure P() requires old(g) == 1; { }", "two-state contexts"),
    ("var g: int; axiom g == 1;", "cannot refer to a global variable"),
    ("var g: int; function f(): int { g }", "cannot refer to a global variable"),
    ("type A = B; type B = A;", "defined by itself"),
    ("type A a; var x: A;", "takes 1 arguments, but 0"),
    ("var x: Undefined;", "undeclared type: Undefined"),
    ("function f(x: int): int; axiom f(true) == 1;", "must have type int, but has type bool"),
    ("function f(x: int): int; axiom f(1, 2) == 1;", "takes 1 arguments, but 2"),
    ("axiom g(1);", "undeclared function: g"),
    ("axiom 1;", "must have type bool"),
    ("axiom 1 == true;", "invalid argument types (int and bool) to binary operator =="),
    ("axiom 1 + true == 2;", "invalid argument types (int and bool) to binary operator +"),
    ("axiom 1bv8 == 1bv9;", "invalid argument types (bv8 and bv9)"),
    ("axiom 1bv8[9:0] == 1bv9;", "are not within bv8"),
    ("axiom (forall x: int, x: int :: x == x);", "more than one declaration of variable name: x"),
    ("procedure Q(x: int) returns (y: int); procedure P() { call Q(1); }", "1 results, but 0"),
    ("procedure Q() returns (y, z: int); procedure P() { var a: int; call a, a := Q(); }", "more than once"),
    ("procedure P() { call R(); }", "undeclared procedure: R"),
    ("implementation P() { }", "undeclared procedure: P"),
    ("procedure P(x: int); implementation P(x: bool) { }", "mismatched type"),
    ("procedure P() { var m: [int]int; m[1], m[2] := 3, 4; }", "more than once in parallel assignment"),
    ("procedure P() { var m: [int]int; m[true] := 1; }", "index must have type int"),
    ("const c: int; procedure P() modifies c; { }", "not a global variable: c"),
    ("function f<a>(x: a): a; axiom f(1) == true;", "invalid argument types (int and bool)"),
    ("function f<a>(x: a, y: a): bool; axiom f(1, true);", "must have type int, but has type bool"),
    ("procedure P<a>(x: a) returns (y: a) { y := 1; }", "cannot assign int to"),
    ("var m: <a>[a]a; procedure P() modifies m; { m[1] := true; }", "values have type"),
    ("procedure P() { return; assert zz; }", "undeclared identifier: zz"),
    ("procedure P() { assume {:foo zz} true; }", "undeclared identifier: zz"),
)

RIGHT = (
    "procedure P() { var g: int; g := g + 1; } var g: bool;",
    "procedure P() { L: while (true) { break L; } }",
    "procedure P() { L: if (true) { break L; } }",
    "type A a = [a]int; var x: A int; var y: [int]int; procedure P() modifies x; { x := y; }",
    "axiom 1 / 2 == 0.5; axiom real(1) == 1.0; axiom int(1.5) == 1; axiom 2.0 ** 2.0 == 4.0;",
    "function f<a>(): a; axiom f() == 1;",
    "function f<a>(x: a): a; axiom f(1) == 1; axiom f(true);",
    "procedure P<a>(x: a) returns (y: a) { y := x; }",
    "axiom (forall<a> x: a :: x == x);",
    "axiom (lambda x: int :: x + 1)[2] == 3;",
    "axiom (var x := 1; x == 1);",
    "type S = [int]bool; var s: S; procedure P() modifies s; { s := (lambda i: int :: i == 3); s[3] := false; }",
    "procedure P(a, b: int) returns (c: int) { c := a + b * (a - b) div 2 mod 3; }",
    "procedure P(x: int); implementation P(y: int) { assert y == y; }",
    'function {:bvbuiltin "bvadd"} add(x: bv8, y: bv8): bv8; axiom add(1bv8, 2bv8) == 3bv8;',
)


def program(text: str) -> Program:
    return load([Source("test.bpl", text)])


def messages(text: str) -> list[str]:
    with pytest.raises(InputError) as caught:
        program(text)
    return [diagnostic.message for diagnostic in caught.value.diagnostics]


@pytest.mark.parametrize(("text", "message"), WRONG)
def test_complaint(text: str, message: str) -> None:
    assert any(message in found for found in messages(text))


@pytest.mark.parametrize("text", RIGHT)
def test_accepted(text: str) -> None:
    program(text)


@pytest.mark.peer("boogie")
def test_boogie_agrees(tmp_path: Path) -> None:
    boogie = shutil.which("boogie")
    assert boogie is not None
    for texts, accepted in (([text for text, _ in WRONG], False), (list(RIGHT), True)):
        for text in texts:
            path = tmp_path / "test.bpl"
            path.write_text(text)
            run = subprocess.run(
                [boogie, "/noVerify", "/nologo", str(path)], capture_output=True, text=True, check=False
            )
            assert ("finished with" in run.stdout) == accepted, text


def test_all_complaints_at_once_with_places() -> None:
    text = "procedure P() {\n  x := 1;\n  assert 5;\n}\naxiom y;\n"
    with pytest.raises(InputError) as caught:
        program(text)
    places = [(found.span.line, found.span.column, found.span.text) for found in caught.value.diagnostics]
    assert sorted(places) == [(2, 3, "x"), (3, 10, "5"), (5, 7, "y")]


def test_a_broken_declaration_is_complained_about_once() -> None:
    assert messages("var x: Missing; procedure P() { x := x; assert x == x; }")[0] == "undeclared type: Missing"
    assert len(messages("axiom (forall x: Missing :: x == x);")) == 1


def test_at_most_fifty_complaints() -> None:
    assert len(messages("".join(f"axiom x{number};" for number in range(100)))) == 50


def test_several_sources_are_one_program() -> None:
    made = load([Source("a.bpl", "var g: int;"), Source("b.bpl", "procedure main() { assert g == 0; }")])
    assert made.entries == ("main",)
    with pytest.raises(InputError) as caught:
        load([Source("a.bpl", "var g: int;"), Source("b.bpl", "procedure main() { assert h == 0; }")])
    assert str(caught.value.diagnostics[0].span) == "b.bpl:1:27"


@pytest.mark.parametrize(
    ("text", "construct"),
    [
        ("procedure P() { assert |{ A: call Q(); return true; }|; } procedure Q() { }", "call in a code expression"),
        (
            "procedure P() { assert |{ A: call Q(); return true; }|; } procedure {:inline} Q() { call Q(); }",
            "call in a code expression",
        ),
        ("type W a; procedure P() { assert (forall<a, b> x: a, y: W b :: x != y); }", "type parameter"),
        ("function d<a>(): a; procedure P() { assert (forall<a> x: a :: x == d()); }", "quantifier over types"),
        (
            "type F a; function g<a>(F a, a): bool; procedure P() { assert (forall<a> f: F a :: (forall x: a :: g(f, x))); }",
            "quantifier over types",
        ),
        ("procedure P() { fork 1 Q(2); } procedure Q<a>(x: a) { }", "a fork of a polymorphic procedure"),
        (
            "var g: int; procedure P() { fork 1 Q(); } procedure Q() requires g > 0; { }",
            "requires something of globals",
        ),
        ("procedure P() { atomic { goto A; } A: }", "goto into or out of an atomic block"),
        ("procedure P() { goto A; atomic { A: } }", "goto into or out of an atomic block"),
        ("procedure P() { atomic { call Q(); } } procedure Q() { call R(); } procedure R() { atomic { } }", "calls"),
        (
            "procedure P() { atomic { call Q(); } } procedure Q() { join 1; }",
            "calls a procedure with an atomic block",
        ),
        ("procedure P() { atomic { } } procedure corral_atomic_end() { }", "its own corral_atomic_end"),
        ("procedure P() { assert |{ A: join 1; return true; }|; }", "join in a code expression"),
        ("var x: " + "[int]" * 500 + "int;", "nested more than"),
        ("type T0 = int;" + "".join(f"type T{i + 1} = [T{i}]T{i};" for i in range(40)) + "var x: T40;", "type"),
        ("type S a; function g<a>(x: a): S a; function f<a>(x: a): bool { f(g(x)) } axiom f(1);", "recursion"),
        ("procedure P<a>(x: a, y: int) { assert x != y; }", "depends on what a type parameter is"),
        ("procedure P() { assert (forall<a> x: a, y: a :: x == y); }", "quantifier over types"),
    ],
)
def test_unsupported(text: str, construct: str) -> None:
    with pytest.raises(Unsupported) as caught:
        program(text)
    assert construct in caught.value.construct


@pytest.mark.parametrize(
    "text",
    [
        "procedure P(b: bool) { assert " + "!(" * 20000 + "b" + ")" * 20000 + "; }",
        "procedure P(b: bool) { assert " + "b ==> " * 20000 + "b; }",
        "procedure P(m: [int]int) { assert 0 < " + "m[" * 20000 + "1" + "]" * 20000 + "; }",
        "procedure P() { assert " + "(forall x: int :: x == x && " * 3000 + "true" + ")" * 3000 + "; }",
        "procedure P(m: int) { assert " + "(var m := m + 1; " * 3000 + "m > 0" + ")" * 3000 + "; }",
        "procedure P(b: bool) { " + "if (b) { " * 3000 + "}" * 3000 + " }",
        "procedure P(b: bool) { if (b) { } " + "else if (b) { } " * 5000 + " }",
        "type S a; function e<a>(): S a; function f<a>(x: S a): S a; procedure P(b: S int) { assert "
        + "f(" * 5000
        + "e()"
        + ")" * 5000
        + " == b; }",
    ],
    ids=["not", "implies", "select", "forall", "let", "if", "else if", "inferred"],
)
def test_depth_does_not_matter(text: str) -> None:
    program(text)


@pytest.mark.parametrize(
    ("statement", "message"),
    [
        ("fork 1 Q();", "fork of undeclared procedure: Q"),
        ("fork 1 P(2);", "P takes 0 arguments, but 1 are given"),
        ("join x;", "undeclared identifier: x"),
        ("join 1 assign y, y;", "a join assigns to a variable more than once"),
    ],
)
def test_complaints_about_forks_and_joins(statement: str, message: str) -> None:
    assert messages(f"procedure P() {{ var y: int; {statement} }}") == [message]
