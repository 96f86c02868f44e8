"""Printed programs: names, declarations, and the answers of the real Boogie about them."""

from __future__ import annotations

import subprocess
from fractions import Fraction
from typing import TYPE_CHECKING

import pytest

from remuda.base.source import Source
from remuda.frontends.boogie.load import load
from remuda.ir.check import check
from remuda.ir.printer import print_program
from remuda.ir.program import Assign, Assume, Attribute, Axiom, Check, Condition, Datatype, Havoc
from remuda.terms.store import BV_COMPARISONS, Terms
from remuda.terms.symbols import Constructor, Function
from remuda.terms.types import BOOL, INT, REAL, ROUNDING, BvType, DataType, FloatType, MapType, NamedType
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
    from pathlib import Path

    from remuda.ir.program import Program, Statement
    from remuda.terms.term import Term

FLOAT = FloatType(24, 8)
DOUBLE = FloatType(53, 11)


def calls_and_contracts() -> Program:
    """Names that collide or are not legal, contracts, attributes, calls."""
    terms = Terms()
    x, other_x, keyword, odd = global_("x"), global_("x"), global_("type"), global_("a-b")
    parameter, result, hiding = local("p"), local("r"), local("x")
    value = terms.var(parameter)
    grows = terms.lt(terms.old(terms.var(x)), terms.var(result))
    check_ = Check("t:P:ensures:1", "ensures", "", SPAN)
    tag = Attribute("tag", ('say "hi"', terms.integer(3)))
    body: list[Statement] = [
        Assign((x, result), (value, terms.integer(-1)), SPAN),
        Assign((hiding,), (terms.var(other_x),), SPAN),
        Havoc((keyword, odd), SPAN),
        Assume(terms.lt(terms.var(hiding), value), SPAN, (tag, Attribute("quiet"))),
        assertion(terms.le(value, terms.var(odd)), "t:P:assert:1"),
    ]
    first = straight(
        "P",
        *body,
        inputs=(parameter,),
        outputs=(result,),
        locals=(hiding,),
        requires=(Condition(terms.lt(terms.integer(0), value), SPAN, None),),
        ensures=(Condition(grows, SPAN, check_),),
        modifies=(x, other_x, keyword, odd),
        attributes=(Attribute("entrypoint"),),
    )
    second = procedure(
        "call",
        {"goto": ["goto", "b-c"], "b-c": []},
        {"b-c": [call("P", [terms.integer(1)], [x])]},
    )
    globals_ = (x, other_x, keyword, odd)
    wheres = {x: terms.lt(terms.integer(-1), terms.var(x))}
    return program(first, second, terms=terms, globals=globals_, wheres=wheres, entries=("P",))


GOLDEN = """\
var x: int where -1 < x;
var x#1: int;
var \\type: int;
var a_b: int;

procedure {:entrypoint} P(p: int) returns (r: int);
  modifies x, x#1, \\type, a_b;
  free requires 0 < p;
  ensures old(x) < r;

implementation P(p: int) returns (r: int)
{
  var x#2: int;

  entry:
    x, r := p, -1;
    x#2 := x#1;
    havoc \\type, a_b;
    assume {:tag "say \\"hi\\"", 3} {:quiet} x#2 < p;
    assert p <= a_b;
    return;
}

procedure \\call();
  modifies x, x#1, \\type, a_b;

implementation \\call()
{

  \\goto:
    goto \\goto, b_c;

  b_c:
    call x := P(1);
    return;
}

"""


def everything_else() -> Program:
    """Types, datatypes, functions, axioms, quantifiers, maps."""
    terms = Terms()
    field = NamedType("Field", (INT,))
    element = NamedType("bv32")  # not Boogie's
    lists, trees = DataType("List", (INT,)), DataType("List", (BOOL,))
    cons = Constructor("cons", lists, (("head", INT), ("tail", lists)))
    nil, leaf = Constructor("nil", lists, ()), Constructor("cons", trees, (("head", BOOL),))
    red, green = constant("red", element), constant("green", element)
    heap = global_("heap", MapType((element, field), INT))
    cell = global_("cell", MapType((), INT))
    i, f, n = bound("i", element), bound("f", field), bound("n")
    opaque = Function("size", (bound("heap", lists),), INT)
    defined = Function("twice", (n,), INT, terms.arithmetic("add", terms.var(n), terms.var(n)))
    read = terms.select(terms.var(heap), (terms.var(i), terms.var(f)))
    ordered = terms.quantifier("forall", (i, f), terms.lt(terms.integer(0), read), [[read]])
    one = terms.apply(defined, (terms.integer(1),))
    listed = terms.construct(cons, (one, terms.construct(nil, ())))
    local_list = local("l", lists)
    var = terms.var(local_list)
    statements: list[Statement] = [
        Assign((local_list, cell), (listed, terms.store(terms.var(cell), (), one)), SPAN),
        assumption(terms.and_((ordered, terms.is_(cons, var)))),
        assumption(terms.eq(terms.field(cons, 0, var), terms.select(terms.var(cell), ()))),
        assumption(terms.is_(leaf, terms.make("construct", (terms.true,), leaf, trees))),
        assumption(terms.make("is", (terms.construct(leaf, (terms.true,)),), leaf, BOOL)),
        assumption(terms.not_(terms.eq(terms.var(red), terms.var(green)))),
        assumption(terms.eq(terms.lambda_((n,), one), terms.lambda_((n,), terms.var(n)))),
        assumption(terms.lt(terms.apply(opaque, (var,)), terms.mod(one, terms.integer(3)))),
        assumption(terms.lt(terms.real(Fraction(1, 3)), terms.to_real(one))),
        assumption(terms.eq(terms.make("pow", (terms.real(Fraction(2)),) * 2, None, REAL), terms.to_real(one))),
    ]
    zero = terms.lt(terms.integer(-1), terms.apply(opaque, (terms.construct(nil, ()),)))
    return program(
        straight("P", *statements, locals=(local_list,), modifies=(cell,)),
        terms=terms,
        globals=(heap, cell),
        constants=(red,),
        unique_constants=(red, green),
        functions=(opaque, defined),
        axioms=(Axiom(zero, SPAN),),
        types=(element, field),
        datatypes=(Datatype(lists, (cons, nil)), Datatype(trees, (leaf,))),
    )


def operators() -> Program:
    """Every operator that must be declared."""
    terms = Terms()
    b, f, d, r = (local(name, type_) for name, type_ in (("b", BvType(8)), ("f", FLOAT), ("d", DOUBLE), ("r", REAL)))
    bits, single, double, real = (terms.var(variable) for variable in (b, f, d, r))
    mode = terms.make("rounding", (), "RNE", ROUNDING)
    binary = "bvadd bvsub bvmul bvudiv bvurem bvsdiv bvsrem bvsmod bvand bvor bvxor bvnand bvnor bvxnor bvshl bvlshr"
    made = [terms.bv(op, (bits, bits)) for op in (*binary.split(), "bvashr", *sorted(BV_COMPARISONS))]
    made += [terms.bv(op, (bits,)) for op in ("bvnot", "bvneg")]
    made += [
        terms.extend(op, bits, 3) for op in ("zero_extend", "sign_extend", "rotate_left", "rotate_right", "repeat")
    ]
    made += [terms.bv2nat(bits), terms.bv2int(bits), terms.int2bv(terms.integer(5), 8), terms.concat(bits, bits)]
    made += [float_op(terms, f"fp_{op}", [mode, single, single]) for op in ("add", "sub", "mul", "div")]
    made += [float_op(terms, f"fp_{op}", [single, single]) for op in ("rem", "min", "max")]
    made += [float_op(terms, f"fp_{op}", [single]) for op in ("abs", "neg")]
    made += [float_op(terms, f"fp_{op}", [mode, single]) for op in ("sqrt", "roundToIntegral")]
    made += [terms.make(f"fp_{op}", (single, single), None, BOOL) for op in ("leq", "lt", "geq", "gt", "eq")]
    made += [terms.make(f"fp_is{kind}", (single,), None, BOOL) for kind in ("NaN", "Zero", "Infinite", "Negative")]
    made += [
        float_op(terms, "fp_fma", [mode, single, single, single]),
        terms.make("to_fp_real", (mode, real), FLOAT, FLOAT),
        terms.make("to_fp_float", (mode, double), FLOAT, FLOAT),
        terms.make("to_fp_sbv", (mode, bits), FLOAT, FLOAT),
        terms.make("to_fp_ubv", (mode, bits), FLOAT, FLOAT),
        terms.make("to_fp_bits", (terms.bitvector(1, 32),), FLOAT, FLOAT),
        terms.float_(0x3F800000, FLOAT),
        terms.float_(1, DOUBLE),
        terms.make("fp_to_real", (single,), None, REAL),
        terms.make("fp_to_ubv", (mode, single), 8, BvType(8)),
        terms.make("fp_to_sbv", (mode, single), 8, BvType(8)),
    ]
    locals_ = [local(f"v{index}", term.type) for index, term in enumerate(made)]
    assignments = [Assign((variable,), (term,), SPAN) for variable, term in zip(locals_, made, strict=True)]
    return program(straight("P", *assignments, locals=(b, f, d, r, *locals_)), terms=terms)


def sharing() -> Program:
    """A term of a hundred nodes that is astronomic as a tree, partly below a quantifier."""
    terms = Terms()
    x, i = global_("x"), bound("i")
    term = terms.var(x)
    for _ in range(100):
        term = terms.make("add", (term, term), None, INT)
    condition = terms.quantifier("forall", (i,), terms.lt(terms.var(i), term))
    return program(straight("P", assumption(condition)), terms=terms, globals=(x,))


def float_op(terms: Terms, op: str, args: list[Term]) -> Term:
    return terms.make(op, tuple(args), None, FLOAT)


def full_modifies(built: Program) -> str:
    return print_program(built, {"call": built.globals})


def test_golden_text() -> None:
    assert full_modifies(calls_and_contracts()) == GOLDEN


def test_types_and_datatypes() -> None:
    lines = print_program(everything_else()).splitlines()
    for line in (
        "type bv32_;",
        "type Field _;",
        "type {:datatype} List.int;",
        "function {:constructor} cons(head: int, tail: List.int) returns (List.int);",
        "function {:constructor} cons#1(head: bool) returns (List.bool);",
        "const unique red: bv32_;",
        "var heap: [bv32_, Field int]int;",
        "function size(heap: List.int) returns (int);",
        "function twice(n: int) returns (int) { n + n }",
        "axiom -1 < size(nil());",
        "    l, cell := cons(twice(1), nil()), cell[:= twice(1)];",
        "    assume is#cons#1(cons#1(true));",
    ):
        assert line in lines


def test_operators_are_declared_once() -> None:
    text = print_program(operators())
    assert text.count('function {:bvbuiltin "bvadd"} $bvadd.8(x: bv8, y: bv8) returns (bv8);') == 1
    assert 'function {:bvbuiltin "(_ zero_extend 3)"} $zero_extend.8.11(x: bv8) returns (bv11);' in text
    assert text.count("$bv2nat.8(x: bv8) returns (int);") == 1
    assert ":= $to_fp_bits.32.24e8(1065353216bv32);" in text


@pytest.mark.parametrize("build", [calls_and_contracts, everything_else, operators, sharing])
def test_the_programs_are_well_formed(build: object) -> None:
    assert callable(build)
    assert check(build()) == []


@pytest.mark.parametrize("build", [calls_and_contracts, everything_else, operators, sharing])
def test_printing_what_was_read_back_changes_nothing(build: object) -> None:
    assert callable(build)
    first = load([Source("printed.bpl", full_modifies(build()))])
    text = print_program(first)
    assert print_program(load([Source("printed.bpl", text)])) == text


@pytest.mark.peer("boogie")
@pytest.mark.parametrize("build", [calls_and_contracts, everything_else, operators, sharing])
def test_boogie_accepts_it(build: object, tmp_path: Path) -> None:
    assert callable(build)
    file = tmp_path / "printed.bpl"
    file.write_text(full_modifies(build()))
    command = ["boogie", "/noVerify", str(file)]
    output = subprocess.run(command, capture_output=True, text=True, check=False, timeout=60).stdout
    assert "finished with 0 verified, 0 errors" in output, output


def facts() -> Program:
    """Assertions that hold if the printed operators mean what the terms mean."""
    terms = Terms()
    byte = terms.bitvector(255, 8)
    numbers = [
        (terms.make("bv2int", (byte,), None, INT), -1),
        (terms.make("bv2nat", (byte,), None, INT), 255),
        (terms.make("bv2nat", (terms.extend("sign_extend", byte, 8),), None, INT), 0xFFFF),
        (terms.make("bv2nat", (terms.extend("rotate_left", terms.bitvector(0x81, 8), 1),), None, INT), 3),
        (terms.make("bv2nat", (terms.extract(terms.bitvector(0xA5, 8), 8, 4),), None, INT), 10),
        (terms.make("bv2nat", (terms.concat(terms.bitvector(1, 4), terms.bitvector(2, 4)),), None, INT), 18),
        (terms.make("div", (terms.integer(-7), terms.integer(2)), None, INT), -4),
        (terms.make("mod", (terms.integer(-7), terms.integer(2)), None, INT), 1),
        (terms.make("to_int", (terms.real(Fraction(-3, 2)),), None, INT), -2),
    ]
    claims = [terms.make("eq", (term, terms.integer(value)), None, BOOL) for term, value in numbers]
    claims.append(terms.make("bvslt", (byte, terms.bitvector(0, 8)), None, BOOL))
    claims.append(terms.make("lt", (terms.real(Fraction(1, 3)), terms.real(Fraction("0.34"))), None, BOOL))
    return program(*(straight(f"P{index}", assertion(claim, str(index))) for index, claim in enumerate(claims)))


@pytest.mark.peer("boogie", "z3")
def test_boogie_proves_what_holds(tmp_path: Path) -> None:
    built = facts()
    file = tmp_path / "facts.bpl"
    file.write_text(print_program(built))
    output = subprocess.run(["boogie", str(file)], capture_output=True, text=True, check=False, timeout=60).stdout
    assert f"finished with {len(built.procedures)} verified, 0 errors" in output, output
