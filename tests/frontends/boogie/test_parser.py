"""The parser: precedence, every construct, the places of errors, and inputs of great depth and length."""

from __future__ import annotations

import time

import pytest

from remuda.base.errors import InputError, Unsupported
from remuda.base.source import Source
from remuda.frontends.boogie.ast import (
    AxiomDeclaration,
    Body,
    Chain,
    Declaration,
    Expression,
    Literal,
    NameType,
    ProcedureDeclaration,
)
from remuda.frontends.boogie.parser import parse
from tests.frontends.boogie.shapes import shape

EXPRESSIONS = [
    ("a ==> b ==> c", "(a ==> (b ==> c))"),
    ("a <== b <== c", "((a <== b) <== c)"),
    ("a <==> b <==> c", "((a <==> b) <==> c)"),
    ("a <==> b ==> c && d", "(a <==> (b ==> (c && d)))"),
    ("a && b && c", "(a && b && c)"),
    ("a || b", "(a || b)"),
    ("(a && b) || c", "((a && b) || c)"),
    ("!a && b == c", "((! a) && (b == c))"),
    ("x + y - z + w", "(((x + y) - z) + w)"),
    ("x + y + z", "(x + y + z)"),
    ("x * y div z mod w", "(((x * y) div z) mod w)"),
    ("x / y % z", "((x / y) mod z)"),
    ("x ++ y + z", "(x ++ (y + z))"),
    ("x ** y ** z", "(x ** (y ** z))"),
    ("-x ** 2", "((- x) ** 2)"),
    ("- - x", "(- (- x))"),
    ("x < y + 1", "(x < (y + 1))"),
    ("a ∧ ¬b ⇒ x ≠ y", "((a && (! b)) ==> (x != y))"),
    ("x <: y", "(x <: y)"),
    ("x : int", "(coercion operand=x type=int)"),
    ("-x : int + 1", "((- (coercion operand=x type=int)) + 1)"),
    (
        "(x : <a>[C a, int]D int [int]a)",
        "(coercion operand=x type=(maptype parameters=[a] domain=[(nametype name=C arguments=[a]) int] range=(nametype name=D arguments=[int (maptype domain=[int] range=a)])))",
    ),
    ("x[7:0]", "(extract operand=x high=7 low=0)"),
    ("m[i, j][k]", "(select map=(select map=m indices=[i j]) indices=[k])"),
    ("m[i, j := v]", "(update map=m indices=[i j] value=v)"),
    ("m[]", "(select map=m)"),
    ("m[:= v]", "(update map=m value=v)"),
    ("-m[i]", "(- (select map=m indices=[i]))"),
    ("d->f->g", "(fieldaccess operand=(fieldaccess operand=d field=f) field=g)"),
    ("d->(f := 1)", "(fieldupdate operand=d field=f value=1)"),
    ("!x is C && y", "(((! x) is C) && y)"),
    ("f()", "(application function=f)"),
    ("f(x, g(y))", "(application function=f arguments=[x (application function=g arguments=[y])])"),
    ("int(x) + real(y)", "((application function=int arguments=[x]) + (application function=real arguments=[y]))"),
    ("old(x + 1)", "(old operand=(x + 1))"),
    ("if a then b else c + 1", "(conditional condition=a then=b otherwise=(c + 1))"),
    (
        "1 + if a then b else if c then d else e",
        "(1 + (conditional condition=a then=b otherwise=(conditional condition=c then=d otherwise=e)))",
    ),
    (
        "(forall<t> x: t, y, z: int :: {:weight 3} {f(x), g(y)} {h(z)} {:nopats f(y)} x == x)",
        "(quantified kind=forall type_parameters=[t] variables=[(variable name=x type=t) (variable name=y type=int) (variable name=z type=int)] attributes=[(attribute name=weight arguments=[3])] triggers=[[(application function=f arguments=[x]) (application function=g arguments=[y])] [(application function=h arguments=[z])]] body=(x == x))",
    ),
    ("(∃ x: int • x > 0)", "(quantified kind=exists variables=[(variable name=x type=int)] body=(x > 0))"),
    (
        "(lambda {:a} x: int :: x)",
        "(quantified kind=lambda variables=[(variable name=x type=int attributes=[(attribute name=a)])] body=x)",
    ),
    ("(forall<t> :: true)", "(quantified kind=forall type_parameters=[t] body=True)"),
    (
        "(var x, y := 1, 2; {:a} x + y)",
        "(let variables=[(variable name=x) (variable name=y)] values=[1 2] attributes=[(attribute name=a)] body=(x + y))",
    ),
    (
        "|{ var b: bool; A: b := true; goto B; B: return b; }|",
        "(code locals=[(variable name=b type=bool)] body=[(label name=A) (assign targets=[b] values=[True]) (goto labels=[B]) (label name=B) (return value=b)])",
    ),
    ("5bv32", "bv:(5, 32)"),
    ("2.5e-1", "real:1/4"),
    ("1e3", "real:1000"),
    ("0x1.8e3f24e8", "float:0x1.8e3f24e8"),
    ("-0x1.8e-3f24e8", "float:-0x1.8e-3f24e8"),
    ("0NaN24e8", "float:0NaN24e8"),
    ("0+oo24e8", "float:0+oo24e8"),
    ("RTZ", "rounding:RTZ"),
    ("roundNearestTiesToEven", "rounding:RNE"),
    ("\\forall", "forall"),
    ("x'~#$^_.?`", "x'~#$^_.?`"),
    ('f("a\\"b")', '(application function=f arguments=[string:a\\"b])'),
    ("is(yield, fork)", "(application function=is arguments=[yield fork])"),
]
STATEMENTS = [
    (
        'assert {:a 1, "b", x + 1} {:c} x;',
        "[(assert kind=assert condition=x attributes=[(attribute name=a arguments=[1 string:b (x + 1)]) (attribute name=c)])]",
    ),
    ("assume x;", "[(assert kind=assume condition=x)]"),
    ("havoc x, y;", "[(havoc names=[x y])]"),
    ("L: x := 1;", "[(label name=L) (assign targets=[x] values=[1])]"),
    (
        "x, m[i][j, k], d->f, n[] := 1, 2, 3, 4;",
        "[(assign targets=[x (select map=(select map=m indices=[i]) indices=[j k]) (fieldaccess operand=d field=f) (select map=n)] values=[1 2 3 4])]",
    ),
    ("Pair(a, b) := p;", "[(assign targets=[(application function=Pair arguments=[a b])] values=[p])]"),
    ("call P();", "[(call procedure=P)]"),
    (
        "call {:a} x, * := P(1, *);",
        "[(call procedure=P arguments=[1 *] results=[x *] attributes=[(attribute name=a)])]",
    ),
    ("call forall P(*);", "[(call procedure=P arguments=[*] is_forall)]"),
    ("async call P();", "[(call procedure=P is_async)]"),
    ("async free call P();", "[(call procedure=P is_async is_free)]"),
    ("par x := P() | Q(1);", "[(parcall calls=[(call procedure=P results=[x]) (call procedure=Q arguments=[1])])]"),
    ("call P() | Q();", "[(parcall calls=[(call procedure=P) (call procedure=Q)])]"),
    (
        "if (x) { } else if (*) { a := 1; } else { }",
        "[(if condition=x otherwise=[(if then=[(assign targets=[a] values=[1])] otherwise=[])])]",
    ),
    (
        "while (*) invariant {:i} a; free invariant b; { break; break L; }",
        "[(while invariants=[(invariant condition=a attributes=[(attribute name=i)]) (invariant condition=b is_free)] body=[(break) (break label=L)])]",
    ),
    ("goto A, B;", "[(goto labels=[A B])]"),
    ("return;", "[(return)]"),
    ("yield;", "[(yield)]"),
    ("atomic { x := 1; }", "[(atomic body=[(assign targets=[x] values=[1])])]"),
    ("fork i, 2 P(x);", "[(fork identifiers=[i 2] procedure=P arguments=[x])]"),
    ("join i, 2 assign x, y;", "[(join identifiers=[i 2] results=[x y])]"),
    ("join 1;", "[(join identifiers=[1])]"),
    (
        "fork := 1; join[0] := 2; atomic: par, async := 1, 2; yield := 3;",
        "[(assign targets=[fork] values=[1]) (assign targets=[(select map=join indices=[0])] values=[2]) (label name=atomic) (assign targets=[par async] values=[1 2]) (assign targets=[yield] values=[3])]",
    ),
]
DECLARATIONS = [
    ("type T;", "[(type name=T)]"),
    (
        "type {:a} T a b, U = int, V a = [a]int;",
        "[(type name=T parameters=[a b] attributes=[(attribute name=a)]) (type name=U synonym=int attributes=[(attribute name=a)]) (type name=V parameters=[a] synonym=(maptype domain=[a] range=int) attributes=[(attribute name=a)])]",
    ),
    ("type finite T;", "[(type name=T)]"),
    ("type T _;", "[(type name=T parameters=[_])]"),
    (
        "datatype D<t> { Nil(), Cons(head: t, tail: D t) }",
        "[(datatype name=D parameters=[t] constructors=[[Nil []] [Cons [(variable name=head type=t) (variable name=tail type=(nametype name=D arguments=[t]))]]])]",
    ),
    ("const c: int;", "[(constant variables=[(variable name=c type=int)])]"),
    (
        "const {:a} unique c, d: T;",
        "[(constant variables=[(variable name=c type=T) (variable name=d type=T)] is_unique attributes=[(attribute name=a)])]",
    ),
    (
        "const c: T extends unique a, b complete;",
        "[(constant variables=[(variable name=c type=T)] parents=[a b] unique_parents=[a] is_complete)]",
    ),
    ("const c: T extends;", "[(constant variables=[(variable name=c type=T)] parents=[])]"),
    ("const c: T <: a;", "[(constant variables=[(variable name=c type=T)] parents=[a])]"),
    (
        "const c: int uses { axiom c > 0; }",
        "[(axiom condition=(c > 0)) (constant variables=[(variable name=c type=int)])]",
    ),
    (
        "function f(int, bool) returns (int);",
        "[(function name=f parameters=[(variable type=int) (variable type=bool)] result=(variable type=int))]",
    ),
    (
        "function {:inline} f<t>(x, y: int, {:a} z: t): t { z }",
        "[(function name=f type_parameters=[t] parameters=[(variable name=x type=int) (variable name=y type=int) (variable name=z type=t attributes=[(attribute name=a)])] result=(variable type=t) body=z attributes=[(attribute name=inline)])]",
    ),
    (
        "function f(x: int) returns (r: int);",
        "[(function name=f parameters=[(variable name=x type=int)] result=(variable name=r type=int))]",
    ),
    ("axiom {:a} true;", "[(axiom condition=True attributes=[(attribute name=a)])]"),
    (
        "var {:a} x, y: int where x > 0, z: bool;",
        "[(global variables=[(variable name=x type=int where=(x > 0)) (variable name=y type=int where=(x > 0)) (variable name=z type=bool)] attributes=[(attribute name=a)])]",
    ),
    ("procedure P();", "[(procedure name=P)]"),
    (
        "procedure {:a} P<t>({:b} x: t where x == x, y: int) returns (r: int); free requires {:c} x; ensures y; modifies; modifies a, b;",
        "[(procedure name=P type_parameters=[t] inputs=[(variable name=x type=t where=(x == x) attributes=[(attribute name=b)]) (variable name=y type=int)] outputs=[(variable name=r type=int)] specifications=[(specification kind=requires is_free condition=x attributes=[(attribute name=c)]) (specification kind=ensures condition=y) (specification kind=modifies) (specification kind=modifies names=[a b])] attributes=[(attribute name=a)])]",
    ),
    (
        "procedure P() requires a; { var {:a} x: int where x > 0, y: T; var z: int; return; }",
        "[(procedure name=P specifications=[(specification kind=requires condition=a)] body=(body locals=[(variable name=x type=int where=(x > 0) attributes=[(attribute name=a)]) (variable name=y type=T attributes=[(attribute name=a)]) (variable name=z type=int)] statements=[(return)]))]",
    ),
    (
        "implementation P(x: int) returns (r: int) { }",
        "[(implementation name=P inputs=[(variable name=x type=int)] outputs=[(variable name=r type=int)] body=(body))]",
    ),
]

REJECTED_EXPRESSIONS = [
    "a && b || c",
    "a || b && c",
    "a ==> b <== c",
    "a <== b ==> c",
    "x < y < z",
    "x == y != z",
    "x <: y <: z",
    "forall x: int :: x",
    "(forall x, y :: true)",
    "(forall x: int where x > 0 :: true)",
    "(lambda x: int :: {f(x)} x)",
    "if a then b",
    "f(x,)",
    "x[7:0, 3]",
    "(7:0)",
    "x : int[3]",
    "x : C < 0",
    "int(x, y)",
    "a = b",
    "*",
    "x y",
    "()",
    "|{ A: return; }|",
    "|{ A: x := 1; }|",
    "|{ A: if (x) { } return x; }|",
]

ERRORS = [
    ("procedure P() { x := 1 }", ["1:24 expected ';' but found '}'"]),
    ("procedure P() { x := ; y := 1 + ; z 3; }",
     ["1:22 expected an expression but found ';'", "1:33 expected an expression but found ';'",
      "1:37 expected ':=' or ':' but found '3'"]),
    ("procedure P() { if (x >) { y := ; } else { } z := ; }",
     ["1:24 expected an expression but found ')'", "1:51 expected an expression but found ';'"]),
    ("procedure P() { x := 1;\nprocedure Q() { y := }",
     ["2:1 expected a statement or '}' but found 'procedure'", "2:22 expected an expression but found '}'"]),
    ("procedure P( { var x: int; }\nvar y int;\naxiom;",
     ["1:14 expected an identifier but found '{'", "2:7 expected ':' but found 'int'",
      "3:6 expected an expression but found ';'"]),
    ("procedure P() { while (true) {", ["1:31 expected a statement or '}' but found the end of file"]),
    ("procedure P() { call", ["1:21 expected an identifier but found the end of file"]),
    ("axiom f(x", ["1:10 expected ',' or ')' but found the end of file"]),
    ("axiom a && b || c;", ["1:14 '&&' and '||' together need parentheses"]),
    ("procedure P() { return x; }", ["1:24 expected ';' but found 'x'"]),
    ("implementation P(x: int where true) { }",
     ["1:25 'where' is not allowed on the parameters of an implementation"]),
    ("function f(x: int, y): int;", ["1:22 some parameters before this have a name and some have not"]),
    ("foo;", ["1:1 expected a declaration but found 'foo'"]),
    ("axiom x /* a /* b */;", ["1:9 this comment is not closed"]),
    ('axiom f("a);\naxiom true;', ["1:9 this string is not closed on its line"]),
    ("axiom a @ b & c;", ["1:9 unexpected character '@' (U+0040)", "1:13 unexpected character '&' (U+0026)"]),
    ("#if X\naxiom true;", ["1:1 only the directive #line is known"]),
    ("\x7fELF\x02\x01\x00\x00" * 5000,
     ["1:1 this does not look like Boogie: unexpected U+007F"]),
    ("axiom 1e999999999;", ["1:7 the exponent of this number is too large"]),
    ("axiom 1bv99999999999;", ["1:7 the width of this bit-vector is too large"]),
]  # fmt: skip

DEEP = [
    "axiom " + "(" * 20_000 + "x" + ")" * 20_000 + ";",
    "axiom " + "!" * 20_000 + "x;",
    "axiom " + "x ==> " * 20_000 + "x;",
    "axiom " + "x - " * 20_000 + "x;",
    "axiom " + "f(" * 20_000 + "x" + ")" * 20_000 + ";",
    "axiom " + "m[" * 20_000 + "x" + "]" * 20_000 + ";",
    "axiom " + "m" + "[x := 1]" * 20_000 + ";",
    "axiom " + "if a then b else " * 20_000 + "x;",
    "axiom " + "(forall x: int :: " * 20_000 + "x" + ")" * 20_000 + ";",
    "axiom " + "(var x := 1; " * 20_000 + "x" + ")" * 20_000 + ";",
    "procedure P() { " + "if (x) { " * 20_000 + "}" * 20_000 + " }",
    "procedure P() { " + "while (x) { " * 20_000 + "}" * 20_000 + " }",
    "procedure P() { if (x) { }" + " else if (x) { }" * 20_000 + " }",
    "var x: " + "[int]" * 20_000 + "int;",
    "var x: " + "(C " * 20_000 + "int" + ")" * 20_000 + ";",
    "axiom x; " + "/*" * 20_000 + "*/" * 20_000,
]


def parse_text(text: str) -> list[Declaration]:
    return parse(Source("t.bpl", text))


def axiom(text: str) -> Expression:
    (declaration,) = parse_text(f"axiom {text};")
    assert isinstance(declaration, AxiomDeclaration)
    return declaration.condition


def body(text: str) -> Body:
    (declaration,) = parse_text(f"procedure P() {{ {text} }}")
    assert isinstance(declaration, ProcedureDeclaration)
    assert declaration.body is not None
    return declaration.body


def complaints(text: str) -> list[str]:
    with pytest.raises(InputError) as caught:
        parse_text(text)
    found = caught.value.diagnostics
    return [f"{each.span.line}:{each.span.column} {each.message}" for each in found]


@pytest.mark.parametrize(("text", "expected"), EXPRESSIONS)
def test_expression(text: str, expected: str) -> None:
    assert shape(axiom(text)) == expected


@pytest.mark.parametrize(("text", "expected"), STATEMENTS)
def test_statement(text: str, expected: str) -> None:
    assert shape(body(text).statements) == expected


@pytest.mark.parametrize(("text", "expected"), DECLARATIONS)
def test_declaration(text: str, expected: str) -> None:
    assert shape(parse_text(text)) == expected


@pytest.mark.parametrize("text", REJECTED_EXPRESSIONS)
def test_rejected_expression(text: str) -> None:
    assert complaints(f"axiom {text};")


@pytest.mark.parametrize(("text", "expected"), ERRORS)
def test_error(text: str, expected: list[str]) -> None:
    assert complaints(text) == expected


@pytest.mark.parametrize("text", DEEP, ids=range(len(DEEP)))
def test_depth(text: str) -> None:
    assert len(parse_text(text)) == 1
    assert len(complaints(text[: len(text) // 2])) == 1


def test_nested_code_expressions_have_a_limit() -> None:
    text = "|{ A: return " * 1000 + "x" + "; }|" * 1000
    assert complaints(f"axiom {text};") == ["1:657 code expressions, triggers and attributes are nested too deeply"]


def test_long_conjunction_is_one_node() -> None:
    condition = axiom(" && ".join(["x"] * 20_000))
    assert isinstance(condition, Chain)
    assert len(condition.operands) == 20_000


def test_spans() -> None:
    text = "axiom  (a + f(b))[i] == - 3 ;"
    (declaration,) = parse_text(text)
    assert isinstance(declaration, AxiomDeclaration)
    assert text[declaration.start : declaration.end] == text
    condition = declaration.condition
    assert text[condition.start : condition.end] == "(a + f(b))[i] == - 3"


def test_body_span_is_its_braces() -> None:
    found = body("if (x) { y := 1; } else { }")
    text = "procedure P() { if (x) { y := 1; } else { } }"
    assert text[found.start : found.end] == "{ if (x) { y := 1; } else { } }"
    assert text[found.statements[0].start : found.statements[0].end] == "if (x) { y := 1; } else { }"


def test_grouped_variables_share_their_type() -> None:
    (first, second) = body("var a, b: C int; ").locals
    assert first.type is second.type
    assert isinstance(first.type, NameType)


def test_hidden_text() -> None:
    text = '\ufeff#line 3 "x"\naxiom {:a "// no /* comment"} x // c "\n /* "a" /* */ // */ + 1;\r\n'
    assert (
        shape(parse_text(text))
        == "[(axiom condition=(x + 1) attributes=[(attribute name=a arguments=[string:// no /* comment])])]"
    )


def test_huge_integer() -> None:
    condition = axiom("9" * 10_000)
    assert isinstance(condition, Literal)
    assert condition.value == 10**10_000 - 1


def test_number_of_complaints_is_bounded() -> None:
    assert len(complaints("axiom ;\n" * 1000)) == 20


def test_structs_are_not_supported() -> None:
    with pytest.raises(Unsupported, match=r"t\.bpl:1:22: a struct"):
        parse_text("procedure P() { x := { base: 1, offset: 2 }; }")
    with pytest.raises(Unsupported, match=r"t\.bpl:1:8: a struct"):
        parse_text("var x: { base: int, offset: int };")


def test_time_grows_with_length_only() -> None:
    start = time.process_time()
    parse_text("procedure P() { " + "assume {:line 3} m[i + 1] == f(x, y) && b;\n" * 20_000 + " }")
    assert time.process_time() - start < 5
