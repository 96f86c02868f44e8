"""Where assertions go in Boogie programs, and of what variables they may be."""

from __future__ import annotations

from typing import Final

from remuda.base.predicates import Comparison, Kind, Moment, OneOf, Predicate
from remuda.base.source import Source
from remuda.frontends.boogie.load import load
from remuda.frontends.boogie.synthesize import BoogieText, condition

PROGRAM: Final = """\
type ref = int; type word = bv8;
var g: int; var m: [int]int; var flag: bool; var w: word;
procedure {:entrypoint} main(n: int) returns (r: int) modifies g, flag, w;
{
  var i, j: int;
  i := 0; flag := n > 3; w := 7bv8;
  while (i < n) { i := i + 1; g := i; }
Again:
  if (i > 0) { i := i - 1; goto Again; }
  if (flag) { r := 2; return; }
  r := 1; // the end
}
procedure Other(g: bool, \\old: int); // no body
implementation Other(x: bool, \\old: int) { }
"""


def test_variables_are_those_with_a_value() -> None:
    points = BoogieText(Source("test.bpl", PROGRAM)).points
    found = [(each.line, each.moment, " ".join(variable.name for variable in each.variables)) for each in points]
    assert found == [
        (6, Moment.ENTRY, "flag n g w"),
        (7, Moment.LOOP, "i flag n g w"),
        (9, Moment.LOOP, "i flag n g w"),
        (10, Moment.EXIT, "i flag n r g w old(flag) old(g) old(w)"),
        (12, Moment.EXIT, "i flag n r g w old(flag) old(g) old(w)"),
        (14, Moment.ENTRY, "x"),
        (14, Moment.EXIT, "x"),
    ]


def test_assertions_stand_where_they_should() -> None:
    text = BoogieText(Source("test.bpl", PROGRAM))
    names = {point.number: "n" if point.function == "main" else "x" for point in text.points}
    chosen: dict[int, list[Predicate]] = {
        number: [Comparison(name, "==", number % 2)] for number, name in names.items()
    }
    written = text.with_assertions(chosen)
    load([Source("test.bpl", written)])
    expected = {
        5: "  assert n == 1; i := 0; flag := n > 3; w := 7bv8;",
        6: "  while (i < n) { assert n == 0; i := i + 1; g := i; }",
        8: "  assert n == 1; if (i > 0) { i := i - 1; goto Again; }",
        9: "  if (flag) { r := 2; assert n == 0; return; }",
        11: "assert n == 1; }",
        13: "implementation Other(x: bool, \\old: int) { assert !x; assert x; }",
    }
    lines = PROGRAM.splitlines()
    assert written.splitlines() == [expected.get(number, line) for number, line in enumerate(lines)]


def test_independent_assertions_may_be_passed_by() -> None:
    text = BoogieText(Source("test.bpl", PROGRAM))
    written = text.with_assertions({2: [Comparison("n", ">=", 0)]}, independent=True)
    assert "while (i < n) { if (*) { assert n >= 0; } i := i + 1;" in written
    load([Source("test.bpl", written)])


def test_conditions_are_those_of_boogie() -> None:
    point = BoogieText(Source("test.bpl", PROGRAM)).points[0]
    kinds = {each.name: each.kind for each in point.variables}
    assert kinds == {"n": Kind.NUMBER, "g": Kind.NUMBER, "flag": Kind.BOOLEAN, "w": Kind.BITS}
    assert condition(Comparison("flag", "==", 0), point) == "!flag"
    assert condition(Comparison("flag", "==", 1), point) == "flag"
    assert condition(Comparison("w", "==", 7), point) == "w == 7bv8"
    assert condition(OneOf("n", (-1, 2)), point) == "n == -1 || n == 2"
    assert condition(Comparison("n", "==", "g", -2), point) == "n == g - 2"
    assert next(each for each in point.variables if each.name == "n").constants == (3,)
    assert next(each for each in point.variables if each.name == "w").constants == (7,)


def test_recordings_are_calls() -> None:
    text, points = BoogieText(Source("test.bpl", PROGRAM)).recording()
    program = load([Source("test.bpl", text)])
    assert list(points.values()) == [1, 2, 3, 4, 5, 6, 7]
    assert set(points) <= set(program.procedures)
    assert "procedure remuda_point_1(p0: bool, p1: int, p2: int, p3: bv8) { }" in text
