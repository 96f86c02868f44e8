"""The values that are read from a model are those that the solver found."""

from __future__ import annotations

from fractions import Fraction

import pytest

from remuda.base.errors import Unsupported
from remuda.smt.create import create_solver
from remuda.smt.model_values import Branch, Cases, decision_cases
from remuda.smt.solver import Sat
from remuda.terms.symbols import Constructor, VariableKind
from remuda.terms.types import BOOL, INT, REAL, ROUNDING, BvType, DataType, FloatType, MapType, NamedType
from remuda.terms.values import DataValue, Element, FloatValue, FunctionTable, MapValue
from tests.smt.samples import (
    BYTE,
    FLOAT,
    NAN_AS_FLOAT,
    ONE_AS_FLOAT,
    WITH_INTEGERS,
    Letters,
    each_solver,
    each_with_integers,
    function,
    model_of,
    variable,
)

L = Letters()
T = L.terms
POINT = NamedType("Field", (INT,))


@each_solver
def test_values_of_simple_types(name: str) -> None:
    solver = create_solver(name)
    mode = T.var(variable("mode", ROUNDING))
    equations = [
        (L.p, T.true, True),
        (L.q, T.false, False),
        (L.a, L.bv(0xAB), 0xAB),
        (L.f, L.single(ONE_AS_FLOAT), FloatValue(ONE_AS_FLOAT, 24, 8)),
        (L.g, L.single(NAN_AS_FLOAT), FloatValue(NAN_AS_FLOAT, 24, 8)),
        (mode, L.rounding("RTN"), "RTN"),
    ]
    model = model_of(solver, *(L.eq(left, right) for left, right, _ in equations))
    for left, _, expected in equations:
        assert model.value(solver.translate(left), left.type) == expected


@each_with_integers
def test_values_of_numbers(name: str) -> None:
    solver = create_solver(name)
    huge = -(10**40)
    equations = [
        (L.x, L.integer(huge), huge),
        (L.r, L.real(-7, 3), Fraction(-7, 3)),
        (L.s, L.real(5), Fraction(5)),
    ]
    model = model_of(solver, *(L.eq(left, right) for left, right, _ in equations))
    for left, _, expected in equations:
        assert model.value(solver.translate(left), left.type) == expected


@each_solver
def test_every_float_class_is_read(name: str) -> None:
    solver = create_solver(name)
    bits = [0, 1 << 31, 0x7F800000, 0xFF800000, 1, 0x00800000]
    floats = [T.var(variable(f"f{position}", FLOAT)) for position in range(len(bits))]
    model = model_of(solver, *(L.eq(left, L.single(right)) for left, right in zip(floats, bits, strict=True)))
    assert [model.value(solver.translate(term), FLOAT) for term in floats] == [FloatValue(b, 24, 8) for b in bits]


@each_solver
def test_unconstrained_booleans_are_false(name: str) -> None:
    solver = create_solver(name)
    model = model_of(solver, L.p)
    assert model.is_true(solver.translate(L.p))
    assert not model.is_true(solver.translate(L.q))
    assert not model.is_true(solver.translate(T.not_(L.p)))


@each_solver
def test_unconstrained_values_are_completed(name: str) -> None:
    solver = create_solver(name)
    model = model_of(solver, T.true)
    assert isinstance(model.value(solver.translate(L.a), BYTE), int)


@each_solver
def test_maps(name: str) -> None:
    solver = create_solver(name)
    type_ = MapType((BYTE, BOOL), BYTE)
    map_ = T.var(variable("m", type_))
    model = model_of(
        solver,
        L.eq(T.select(map_, [L.bv(1), T.true]), L.bv(10)),
        L.eq(T.select(map_, [L.bv(1), T.false]), L.bv(11)),
        L.eq(T.select(map_, [L.bv(2), T.true]), L.bv(12)),
    )
    value = model.value(solver.translate(map_), type_)
    assert isinstance(value, MapValue)
    assert [value.get(index) for index in [(1, True), (1, False), (2, True)]] == [10, 11, 12]


@each_solver
def test_maps_of_maps_and_maps_without_index(name: str) -> None:
    solver = create_solver(name)
    inner = MapType((BYTE,), BOOL)
    outer = T.var(variable("m", MapType((BYTE,), inner)))
    cell = T.var(variable("c", MapType((), BYTE)))
    model = model_of(
        solver,
        T.select(T.select(outer, [L.bv(2)]), [L.bv(3)]),
        T.not_(T.select(T.select(outer, [L.bv(4)]), [L.bv(3)])),
        L.eq(T.select(cell, []), L.bv(9)),
    )
    value = model.value(solver.translate(outer), outer.type)
    assert isinstance(value, MapValue)
    rows = [value.get((2,)), value.get((4,))]
    assert [row.get((3,)) for row in rows if isinstance(row, MapValue)] == [True, False]
    assert model.value(solver.translate(cell), cell.type) == MapValue(9, {})


@each_solver
def test_a_store_over_a_store_shows_the_last_value(name: str) -> None:
    solver = create_solver(name)
    map_ = T.var(variable("m", MapType((BYTE,), BYTE)))
    base = T.var(variable("base", MapType((BYTE,), BYTE)))
    written = T.store(T.store(base, [L.bv(1)], L.bv(5)), [L.bv(1)], L.bv(6))
    model = model_of(solver, L.eq(map_, written), L.eq(T.select(base, [L.bv(1)]), L.bv(4)))
    value = model.value(solver.translate(map_), map_.type)
    assert isinstance(value, MapValue)
    assert value.get((1,)) == 6


@each_with_integers
def test_elements_are_equal_exactly_if_the_solver_says_so(name: str) -> None:
    solver = create_solver(name)
    first, second, third = (T.var(variable(letter, POINT)) for letter in "uvw")
    model = model_of(solver, L.eq(first, second), T.not_(L.eq(second, third)))
    values = [model.value(solver.translate(term), POINT) for term in (first, second, third)]
    assert values == [Element(POINT, 0), Element(POINT, 0), Element(POINT, 1)]


@each_with_integers
def test_datatype_values_may_be_deep(name: str) -> None:
    list_type = DataType("List")
    nil = Constructor("Nil", list_type, ())
    cons = Constructor("Cons", list_type, (("head", INT), ("tail", list_type)))
    solver = create_solver(name)
    solver.declare_datatypes([(list_type, [nil, cons])])
    value = T.construct(nil, [])
    for head in range(2000):
        value = T.construct(cons, [L.integer(head), value])
    unknown = T.var(variable("list", list_type))
    model = model_of(solver, L.eq(unknown, value))
    read = model.value(solver.translate(unknown), list_type)
    heads = []
    while isinstance(read, DataValue) and read.constructor is cons:
        heads.append(read.fields[0])
        read = read.fields[1]
    assert heads == list(reversed(range(2000)))


@each_solver
def test_interpretation(name: str) -> None:
    solver = create_solver(name)
    kind = POINT if name in WITH_INTEGERS else FLOAT
    binary, predicate, nullary = (
        function("f", [BYTE, BYTE], BYTE),
        function("isNice", [kind], BOOL),
        function("zero", [], BYTE),
    )
    unused = function("unused", [BYTE], BYTE)
    element, other = T.var(variable("e", kind)), T.var(variable("o", kind))
    model = model_of(
        solver,
        L.eq(T.apply(binary, [L.bv(1), L.bv(2)]), L.bv(12)),
        L.eq(T.apply(binary, [L.bv(2), L.bv(1)]), L.bv(21)),
        L.eq(T.apply(binary, [L.bv(1), L.bv(1)]), L.bv(11)),
        T.apply(predicate, [element]),
        T.not_(T.apply(predicate, [other])),
        L.eq(T.apply(nullary, []), L.bv(7)),
        L.eq(L.a, L.bv(5)),
    )
    read = model.interpretation(
        [L.a.payload, L.b.payload, element.payload, other.payload], [binary, predicate, nullary, unused]
    )
    assert read.constants[L.a.payload] == 5
    assert L.b.payload not in read.constants
    assert unused not in read.functions
    table = read.functions[binary]
    assert [table.get(point) for point in [(1, 2), (2, 1), (1, 1)]] == [12, 21, 11]
    assert read.functions[predicate].get((read.constants[element.payload],)) is True
    assert read.functions[predicate].get((read.constants[other.payload],)) is False
    assert read.functions[nullary] == FunctionTable({}, 7)


@each_with_integers
def test_division_by_zero_is_reported(name: str) -> None:
    solver = create_solver(name)
    model = model_of(
        solver,
        L.eq(T.div(L.integer(3), L.integer(0)), L.integer(30)),
        L.eq(T.div(L.integer(4), L.integer(0)), L.integer(40)),
        L.eq(T.mod(L.integer(3), L.integer(0)), L.integer(31)),
        L.eq(T.realdiv(L.real(1), L.real(0)), L.real(5)),
    )
    tables = model.interpretation([], []).division_by_zero
    assert [tables["div"].get((value,)) for value in (3, 4)] == [30, 40]
    assert tables["mod"].get((3,)) == 31
    assert tables["realdiv"].get((Fraction(1),)) == Fraction(5)


def test_irrational_numbers_are_refused() -> None:
    solver = create_solver("z3")
    model = model_of(solver, L.eq(L.op("mul", REAL, L.r, L.r), L.real(2)))
    with pytest.raises(Unsupported, match="model value"):
        model.value(solver.translate(L.r), REAL)


def test_z3_maps_given_by_a_lambda_are_read() -> None:
    solver = create_solver("z3")
    bound = variable("i", INT, VariableKind.BOUND)
    body = T.ite(
        T.or_([L.eq(T.var(bound), L.integer(3)), L.eq(T.var(bound), L.integer(5))]), L.integer(1), L.integer(2)
    )
    answer = solver.check()
    assert isinstance(answer, Sat)
    value = answer.model.value(solver.translate(T.lambda_([bound], body)), MapType((INT,), INT))
    assert value == MapValue(2, {(3,): 1, (5,): 1})


def test_z3_lambdas_that_are_no_table_are_refused() -> None:
    solver = create_solver("z3")
    bound = variable("i", INT, VariableKind.BOUND)
    answer = solver.check()
    assert isinstance(answer, Sat)
    with pytest.raises(Unsupported):
        answer.model.value(solver.translate(T.lambda_([bound], T.var(bound))), MapType((INT,), INT))


TREE = {
    "root": Branch([(0, "0")], "row", "rest"),
    "row": Branch([(1, "0")], "4", "7"),
    "rest": Branch([(0, "0"), (1, "9")], "8", "7"),
}


def test_a_decision_tree_becomes_points() -> None:
    cases = decision_cases("root", 2, TREE.get)
    assert cases == Cases([(["0", "0"], "4")], "7")


def test_a_decision_tree_with_a_whole_row_is_no_table() -> None:
    assert decision_cases("root", 2, {"root": Branch([(0, "0")], "1", "2")}.get) is None


@each_solver
def test_wide_floats_and_vectors(name: str) -> None:
    wide = FloatType(53, 11)
    solver = create_solver(name)
    term = T.var(variable("d", wide))
    vector = T.var(variable("v", BvType(128)))
    model = model_of(solver, L.eq(term, T.float_(0x3FF8000000000000, wide)), L.eq(vector, L.bv(1 << 127, 128)))
    assert model.value(solver.translate(term), wide) == FloatValue(0x3FF8000000000000, 53, 11)
    assert model.value(solver.translate(vector), BvType(128)) == 1 << 127
