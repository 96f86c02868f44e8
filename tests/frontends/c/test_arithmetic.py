"""Both encodings of C's arithmetic agree with a model of the standard in Python, and with gcc."""

from __future__ import annotations

import math
import struct
from fractions import Fraction
from typing import TYPE_CHECKING, Final

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from remuda.base.errors import Unsupported, UsageError
from remuda.frontends.c.arithmetic.floats import parse_float
from remuda.frontends.c.arithmetic.integers import Shape, shape_of
from remuda.frontends.c.arithmetic.protocol import create_arithmetic
from remuda.frontends.c.syntax.types import (
    BOOL,
    CHAR,
    ILP32,
    INT,
    LP64,
    UNSIGNED,
    UNSIGNED_CHAR,
    VOID,
    FloatingType,
    IntegerType,
    PointerType,
)
from remuda.replay.evaluate import Evaluator
from remuda.replay.scopes import Environment
from remuda.terms.bit_operators import signed
from remuda.terms.store import Terms, contains_op
from remuda.terms.symbols import Variable, VariableKind
from remuda.terms.types import FloatType
from remuda.terms.values import FloatValue
from tests.hypothesis_settings import few

if TYPE_CHECKING:
    from collections.abc import Sequence

    from remuda.frontends.c.arithmetic.protocol import Arithmetic
    from remuda.frontends.c.syntax.types import CType, Machine
    from remuda.terms.term import Term
    from remuda.terms.values import Value

EXAMPLES = few(150)

SHORT: Final = IntegerType(16, signed=True, name="short")
LONG: Final = IntegerType(64, signed=True, name="long")
UNSIGNED_LONG: Final = IntegerType(64, signed=False, name="unsigned long")
HUGE: Final = IntegerType(128, signed=True, name="__int128")
FLOAT: Final = FloatingType(32, "float")
DOUBLE: Final = FloatingType(64, "double")
LONG_DOUBLE: Final = FloatingType(128, "long double")
POINTER: Final = PointerType(INT)

PROMOTED: Final = (INT, UNSIGNED, LONG, UNSIGNED_LONG)
INTEGERS: Final = (BOOL, CHAR, UNSIGNED_CHAR, SHORT, *PROMOTED, HUGE)
MACHINES: Final = (ILP32, LP64)
OPERATORS: Final = ("+", "-", "*", "/", "%", "&", "|", "^", "<<", ">>")
RELATIONS: Final = ("<", ">", "<=", ">=", "==", "!=")

encodings = pytest.mark.parametrize("integers", ["bits", "math"])


def create(integers: str, machine: Machine = LP64) -> tuple[Terms, Arithmetic]:
    terms = Terms()
    return terms, create_arithmetic(terms, machine, integers)


def numbers(shape: Shape) -> st.SearchStrategy[int]:
    low, high = shape.smallest, shape.largest
    corners = {low, low + 1, -2, -1, 0, 1, 2, 3, 7, 8, 31, 32, 64, 255, high // 2, high - 1, high}
    return st.one_of(
        st.sampled_from(sorted(corner for corner in corners if low <= corner <= high)), st.integers(low, high)
    )


@st.composite
def operands(draw: st.DrawFn, types: Sequence[CType], count: int, machine: Machine = LP64) -> tuple[CType, list[int]]:
    type_ = draw(st.sampled_from(types))
    return type_, [draw(numbers(shape_of(type_, machine))) for _ in range(count)]


def as_stored(value: int, type_: CType, integers: str, machine: Machine = LP64) -> Value:
    """The value of a variable of the type."""
    shape = shape_of(type_, machine)
    return value % (1 << shape.width) if integers == "bits" else value


def as_number(value: Value, type_: CType, integers: str, machine: Machine = LP64) -> int:
    """The integer that the value of a term represents."""
    assert isinstance(value, int)
    shape = shape_of(type_, machine)
    return signed(value, shape.width) if integers == "bits" and shape.signed else value


def evaluate(term: Term, values: dict[Variable, Value] | None = None) -> Value:
    return Evaluator().evaluate(term, Environment(dict(values or {})))


class Inputs:
    """The same operands as literals and as variables with values."""

    def __init__(self, integers: str, machine: Machine = LP64) -> None:
        self.terms, self.arithmetic = create(integers, machine)
        self.integers = integers
        self.machine = machine
        self.values: dict[Variable, Value] = {}

    def literal(self, value: int, type_: CType) -> Term:
        return self.arithmetic.literal(value, type_)

    def variable(self, value: int, type_: CType) -> Term:
        variable = Variable(f"v{len(self.values)}", self.arithmetic.type_of(type_), VariableKind.LOCAL)
        self.values[variable] = as_stored(value, type_, self.integers, self.machine)
        return self.terms.var(variable)

    def number(self, term: Term, type_: CType) -> int:
        return as_number(evaluate(term, self.values), type_, self.integers, self.machine)

    def holds(self, term: Term) -> bool:
        value = evaluate(term, self.values)
        assert isinstance(value, bool)
        return value


# --- the model


def exact(op: str, left: int, right: int) -> int | None:
    """The result in mathematical integers; None if C leaves it open whatever the types."""
    match op:
        case "+":
            return left + right
        case "-":
            return left - right
        case "*":
            return left * right
        case "/" | "%":
            if right == 0:
                return None
            quotient = abs(left) // abs(right) * (1 if (left < 0) == (right < 0) else -1)
            return quotient if op == "/" else left - right * quotient
        case "&":
            return left & right
        case "|":
            return left | right
        case "^":
            return left ^ right
        case "<<":
            return left << right if 0 <= right < 128 else None
        case _:
            return left >> right if 0 <= right < 128 else None


def relation(op: str, left: float, right: float) -> bool:
    return {
        "<": left < right,
        ">": left > right,
        "<=": left <= right,
        ">=": left >= right,
        "==": left == right,
        "!=": left != right,
    }[op]


def in_range(value: int, shape: Shape) -> bool:
    return shape.smallest <= value <= shape.largest


# --- operators


@encodings
@EXAMPLES
@given(op=st.sampled_from(OPERATORS), chosen=operands(PROMOTED, 2))
def test_binary_operators(integers: str, op: str, chosen: tuple[CType, list[int]]) -> None:
    type_, (left, right) = chosen
    shape = shape_of(type_, LP64)
    if op in {"<<", ">>"}:
        right %= shape.width
    expected = exact(op, left, right)
    assume(expected is not None)
    assert expected is not None
    inputs = Inputs(integers)
    arithmetic = inputs.arithmetic
    literals = arithmetic.binary(op, inputs.literal(left, type_), inputs.literal(right, type_), type_)
    assert not literals.args
    assert inputs.number(literals, type_) == shape.wrap(expected)
    variable = inputs.variable(left, type_)
    for second in (inputs.variable(right, type_), inputs.literal(right, type_)):
        term = arithmetic.binary(op, variable, second, type_)
        if integers == "bits":
            assert inputs.number(term, type_) == shape.wrap(expected)
        elif not contains_op([term], frozenset({"apply"})):
            assert evaluate(term, inputs.values) == expected


@encodings
@EXAMPLES
@given(op=st.sampled_from(["-", "~", "+"]), chosen=operands(PROMOTED, 1))
def test_unary_operators(integers: str, op: str, chosen: tuple[CType, list[int]]) -> None:
    type_, (value,) = chosen
    shape = shape_of(type_, LP64)
    expected = shape.wrap({"-": -value, "~": ~value, "+": value}[op])
    inputs = Inputs(integers)
    literal = inputs.arithmetic.unary(op, inputs.literal(value, type_), type_)
    assert not literal.args
    assert inputs.number(literal, type_) == expected
    number = inputs.number(inputs.arithmetic.unary(op, inputs.variable(value, type_), type_), type_)
    assert number == expected or (integers == "math" and number == -value)


@encodings
@pytest.mark.parametrize("machine", MACHINES, ids=lambda machine: machine.name)
@EXAMPLES
@given(op=st.sampled_from(RELATIONS), data=st.data())
def test_comparisons(integers: str, machine: Machine, op: str, data: st.DataObject) -> None:
    type_, (left, right) = data.draw(operands((*INTEGERS, POINTER), 2, machine))
    inputs = Inputs(integers, machine)
    literals = inputs.arithmetic.compare(op, inputs.literal(left, type_), inputs.literal(right, type_), type_)
    assert literals is inputs.terms.boolean(relation(op, left, right))
    term = inputs.arithmetic.compare(op, inputs.variable(left, type_), inputs.variable(right, type_), type_)
    assert inputs.holds(term) is relation(op, left, right)


@encodings
@EXAMPLES
@given(chosen=operands((*PROMOTED, POINTER), 1), amount=operands(PROMOTED, 1), op=st.sampled_from(["<<", ">>"]))
def test_amounts_of_shifts_have_their_own_type(
    integers: str, chosen: tuple[CType, list[int]], amount: tuple[CType, list[int]], op: str
) -> None:
    type_, (value,) = chosen
    amount_type, (count,) = amount
    shape = shape_of(type_, LP64)
    inputs = Inputs(integers)
    arithmetic = inputs.arithmetic
    term, by = inputs.variable(value, type_), inputs.variable(count, amount_type)
    is_valid = 0 <= count < shape.width
    assert inputs.holds(arithmetic.valid_shift(by, amount_type, type_)) is is_valid
    if is_valid:
        shifted = arithmetic.binary(op, term, inputs.literal(count, amount_type), type_, amount_type)
        expected = exact(op, value, count)
        assert expected is not None
        if integers == "bits":
            assert inputs.number(shifted, type_) == shape.wrap(expected)
            assert inputs.number(arithmetic.binary(op, term, by, type_, amount_type), type_) == shape.wrap(expected)
        else:
            assert evaluate(shifted, inputs.values) == expected


# --- conversions between integers


@encodings
@EXAMPLES
@given(chosen=operands((*INTEGERS, POINTER), 1), target=st.sampled_from((*INTEGERS, POINTER)))
def test_conversions(integers: str, chosen: tuple[CType, list[int]], target: CType) -> None:
    source, (value,) = chosen
    goal = shape_of(target, LP64)
    expected = int(value != 0) if goal.is_bool else goal.wrap(value)
    inputs = Inputs(integers)
    literal = inputs.arithmetic.convert(inputs.literal(value, source), source, target)
    assert not literal.args
    assert inputs.number(literal, target) == expected
    variable = inputs.variable(value, source)
    number = inputs.number(inputs.arithmetic.convert(variable, source, target), target)
    assert number == expected or (integers == "math" and not goal.is_bool and number == value)
    assert inputs.holds(inputs.arithmetic.fits(variable, source, target)) is in_range(value, goal)
    assert inputs.holds(inputs.arithmetic.is_nonzero(variable, source)) is (value != 0)
    assert inputs.holds(inputs.arithmetic.in_range(variable, source))


@encodings
def test_truth_values_come_back_as_conditions(integers: str) -> None:
    inputs = Inputs(integers)
    arithmetic = inputs.arithmetic
    condition = arithmetic.compare("<", inputs.variable(1, INT), inputs.variable(2, INT), INT)
    for type_ in INTEGERS:
        number = arithmetic.from_bool(condition, type_)
        assert arithmetic.is_nonzero(number, type_) is condition
        wide = arithmetic.convert(number, type_, INT)
        assert arithmetic.compare("!=", wide, arithmetic.literal(0, INT), INT) is condition
        truth = arithmetic.convert(wide, INT, BOOL)
        assert arithmetic.is_nonzero(arithmetic.convert(truth, BOOL, LONG), LONG) is condition
    assert arithmetic.is_nonzero(arithmetic.from_bool(condition, DOUBLE), DOUBLE).op == "not"


# --- overflow


@encodings
@EXAMPLES
@given(op=st.sampled_from(["+", "-", "*", "/", "<<"]), chosen=operands(PROMOTED, 2), data=st.data())
def test_overflow(integers: str, op: str, chosen: tuple[CType, list[int]], data: st.DataObject) -> None:
    type_, (left, right) = chosen
    shape = shape_of(type_, LP64)
    if op == "<<":
        right %= shape.width
    elif data.draw(st.booleans()):
        right = min(
            shape.largest, max(shape.smallest, data.draw(st.sampled_from([-1, 1, 3])) * (shape.largest - left))
        )
    result = exact(op, left, right)
    assume(result is not None)
    assert result is not None
    fine = in_range(result, shape) and not (op == "<<" and left < 0)
    inputs = Inputs(integers)
    first, second = inputs.variable(left, type_), inputs.variable(right, type_)
    one, two = inputs.literal(left, type_), inputs.literal(right, type_)
    no_overflow = inputs.arithmetic.no_overflow
    assert no_overflow(op, one, two, type_) is inputs.terms.boolean(fine)
    assert inputs.holds(no_overflow(op, first, two, type_)) is fine
    if integers == "bits" or op != "<<":
        assert inputs.holds(no_overflow(op, first, second, type_)) is fine
        assert inputs.holds(no_overflow(op, one, second, type_)) is fine
    negation = no_overflow("-", first, None, type_)
    assert inputs.holds(negation) is in_range(-left, shape)


# --- pointers and parts


@encodings
@pytest.mark.parametrize("machine", MACHINES, ids=lambda machine: machine.name)
@EXAMPLES
@given(base=st.integers(0, 2**31), index=operands(INTEGERS, 1), scale=st.sampled_from([1, 4, 12, -1, -8]))
def test_pointers(integers: str, machine: Machine, base: int, index: tuple[CType, list[int]], scale: int) -> None:
    index_type, (count,) = index
    shape = shape_of(POINTER, machine)
    inputs = Inputs(integers, machine)
    arithmetic = inputs.arithmetic
    pointer = inputs.variable(base, POINTER)
    expected = base + count * scale
    moved = arithmetic.add_offset(pointer, inputs.variable(count, index_type), index_type, scale)
    wrapped = shape.wrap(expected)
    assert inputs.number(moved, POINTER) == (wrapped if integers == "bits" else expected)
    if wrapped == expected and abs(count * scale) < 2**31:
        result = IntegerType(machine.long_width, signed=True, name="long")
        difference = arithmetic.pointer_difference(moved, pointer, abs(scale), result)
        assert inputs.number(difference, result) == (count if scale > 0 else -count)
    assert arithmetic.add_offset(pointer, inputs.literal(0, index_type), index_type, scale) is pointer


@encodings
@EXAMPLES
@given(chosen=operands((*INTEGERS, POINTER), 1))
def test_bytes(integers: str, chosen: tuple[CType, list[int]]) -> None:
    type_, (value,) = chosen
    shape = shape_of(type_, LP64)
    inputs = Inputs(integers)
    variable = inputs.variable(value, type_)
    cells = inputs.arithmetic.bytes_of(variable, type_)
    expected = (value % (1 << shape.width)).to_bytes(shape.width // 8, "little")
    assert bytes(inputs.number(cell, UNSIGNED_CHAR) for cell in cells) == expected
    whole = inputs.arithmetic.from_bytes(cells, type_)
    assert inputs.number(whole, type_) == value
    if integers == "bits":
        assert whole is variable


@encodings
@EXAMPLES
@given(chosen=operands((CHAR, UNSIGNED_CHAR, SHORT, *PROMOTED), 2), data=st.data())
def test_bit_fields(integers: str, chosen: tuple[CType, list[int]], data: st.DataObject) -> None:
    type_, (unit, value) = chosen
    shape = shape_of(type_, LP64)
    offset = data.draw(st.integers(0, shape.width - 1))
    bits = data.draw(st.integers(1, shape.width - offset))
    inputs = Inputs(integers)
    arithmetic = inputs.arithmetic
    mask = (1 << bits) - 1
    expected = shape.wrap((unit & ~(mask << offset)) | ((value & mask) << offset))
    changed = arithmetic.insert_bits(inputs.variable(unit, type_), type_, offset, bits, inputs.variable(value, type_))
    assert inputs.number(changed, type_) == expected
    for is_signed in (False, True):
        field = arithmetic.extract_bits(changed, type_, offset, bits, signed=is_signed)
        number = inputs.number(field, type_)
        read = Shape(bits, is_signed).wrap(value)
        assert number == (read if integers == "math" else shape.wrap(read))


# --- floats


def double_of(value: Value) -> float:
    assert isinstance(value, FloatValue)
    layout = {32: "<If", 64: "<Qd"}[value.significand + value.exponent]
    number: float = struct.unpack(f"<{layout[2]}", struct.pack(f"<{layout[1]}", value.bits))[0]
    return number


@pytest.mark.parametrize(
    "text",
    ["0", "0.0", "1.", ".5", "1e10", "1E-3", "0.1", "1e400", "1e-400", "1e99999999", "1e-99999999", "4.9e-324"],
)
def test_decimal_literals(text: str) -> None:
    assert double_of(parse_float(text, FloatType(53, 11))) == float(text)


@pytest.mark.parametrize("text", ["0x1p0", "0x1.8p3", "0X.8P-2", "0x1.fffffffffffffp1023", "0x0.1p-1022", "0xAp+1"])
def test_hexadecimal_literals(text: str) -> None:
    assert double_of(parse_float(text, FloatType(53, 11))) == float.fromhex(text)


@EXAMPLES
@given(st.floats(allow_nan=False))
def test_literals_are_rounded_as_python_rounds_them(number: float) -> None:
    assert double_of(parse_float(repr(number), FloatType(53, 11))) == number
    assert (
        double_of(parse_float(number.hex() if math.isfinite(number) else repr(number), FloatType(53, 11))) == number
    )


def test_special_values() -> None:
    _, arithmetic = create("bits")
    infinite, not_a_number = (evaluate(arithmetic.float_literal(text, DOUBLE)) for text in ("inf", "nan"))
    assert double_of(infinite) == math.inf
    assert math.isnan(double_of(not_a_number))
    assert str(arithmetic.type_of(LONG_DOUBLE)) == "float64e15"
    with pytest.raises(Unsupported):
        arithmetic.type_of(FloatingType(16, "__bf16"))


class FloatInputs(Inputs):
    def floating(self, number: float, type_: FloatingType) -> Term:
        variable = Variable(f"f{len(self.values)}", self.arithmetic.type_of(type_), VariableKind.LOCAL)
        value = evaluate(self.arithmetic.float_literal(repr(number), type_))
        assert isinstance(value, FloatValue)
        self.values[variable] = value
        return self.terms.var(variable)

    def double(self, term: Term) -> float:
        return double_of(evaluate(term, self.values))


@encodings
@EXAMPLES
@given(left=st.floats(), right=st.floats(), op=st.sampled_from(["+", "-", "*", *RELATIONS]))
def test_operators_on_doubles(integers: str, left: float, right: float, op: str) -> None:
    inputs = FloatInputs(integers)
    first, second = inputs.floating(left, DOUBLE), inputs.floating(right, DOUBLE)
    if op in RELATIONS:
        assert inputs.holds(inputs.arithmetic.compare(op, first, second, DOUBLE)) is relation(op, left, right)
        return
    expected = {"+": left + right, "-": left - right, "*": left * right}[op]
    result = inputs.double(inputs.arithmetic.binary(op, first, second, DOUBLE))
    assert result == expected or (math.isnan(result) and math.isnan(expected))
    assert inputs.holds(inputs.arithmetic.is_nonzero(first, DOUBLE)) is (left != 0)


@encodings
@EXAMPLES
@given(number=st.one_of(st.floats(), st.floats(-300, 300), st.sampled_from([2.0**31, 2.0**63, -(2.0**31), -0.5])))
@pytest.mark.parametrize("target", [CHAR, UNSIGNED_CHAR, INT, UNSIGNED, LONG, UNSIGNED_LONG], ids=str)
def test_doubles_to_integers(integers: str, number: float, target: IntegerType) -> None:
    inputs = FloatInputs(integers)
    fits = math.isfinite(number) and in_range(math.trunc(number), shape_of(target, LP64))
    term = inputs.floating(number, DOUBLE)
    assert inputs.holds(inputs.arithmetic.fits(term, DOUBLE, target)) is fits
    literal = inputs.arithmetic.float_literal(repr(number), DOUBLE)
    assert inputs.holds(inputs.arithmetic.fits(literal, DOUBLE, target)) is fits
    if fits:
        for source in (term, literal):
            assert inputs.number(inputs.arithmetic.convert(source, DOUBLE, target), target) == math.trunc(number)


@encodings
@EXAMPLES
@given(chosen=operands((BOOL, CHAR, *PROMOTED), 1))
def test_integers_to_doubles(integers: str, chosen: tuple[CType, list[int]]) -> None:
    source, (value,) = chosen
    inputs = FloatInputs(integers)
    for term in (inputs.variable(value, source), inputs.literal(value, source)):
        assert inputs.double(inputs.arithmetic.convert(term, source, DOUBLE)) == float(value)
        assert inputs.holds(inputs.arithmetic.fits(term, source, DOUBLE)) is (int(float(value)) == value)


@EXAMPLES
@given(number=st.floats(width=64))
def test_conversions_between_floats(number: float) -> None:
    inputs = FloatInputs("bits")
    term = inputs.floating(number, DOUBLE)
    single = inputs.arithmetic.convert(term, DOUBLE, FLOAT)
    try:
        expected = struct.unpack("<f", struct.pack("<f", number))[0]
    except OverflowError:
        expected = math.copysign(math.inf, number)
    result = inputs.double(single)
    assert result == expected or (math.isnan(result) and math.isnan(expected))
    literal = inputs.arithmetic.convert(inputs.arithmetic.float_literal(repr(number), DOUBLE), DOUBLE, FLOAT)
    assert evaluate(literal) == evaluate(single, inputs.values)
    kept = math.isnan(number) or expected == number
    assert inputs.holds(inputs.arithmetic.fits(term, DOUBLE, FLOAT)) is kept
    assert inputs.holds(inputs.arithmetic.fits(single, FLOAT, DOUBLE))


@EXAMPLES
@given(number=st.floats(allow_nan=False), other=st.floats(allow_nan=False))
def test_functions(number: float, other: float) -> None:
    inputs = FloatInputs("bits")
    first, second = inputs.floating(number, DOUBLE), inputs.floating(other, DOUBLE)

    def value(name: str, *arguments: Term) -> float:
        term = inputs.arithmetic.float_function(name, arguments)
        assert term is not None
        return inputs.double(term)

    assert value("fabs", first) == abs(number)
    if number >= 0 and math.isfinite(number):
        assert value("sqrt", first) == math.sqrt(number)
    if math.isfinite(number):
        assert [value(name, first) for name in ("floor", "ceil", "trunc", "rint")] == [
            float(function(Fraction(number))) for function in (math.floor, math.ceil, math.trunc, round)
        ]
        if other != 0:
            assert value("fmod", first, second) == math.fmod(number, other)
    for name, expected in (("isnan", False), ("isinf", math.isinf(number)), ("isfinite", math.isfinite(number))):
        test = inputs.arithmetic.float_function(name, (first,))
        assert test is not None
        assert inputs.holds(test) is expected
    assert inputs.arithmetic.float_function("sin", (first,)) is None


def test_floats_in_bytes() -> None:
    inputs = FloatInputs("bits")
    arithmetic = inputs.arithmetic
    cells = arithmetic.bytes_of(arithmetic.float_literal("1.5", FLOAT), FLOAT)
    assert bytes(inputs.number(cell, UNSIGNED_CHAR) for cell in cells) == struct.pack("<f", 1.5)
    variable = inputs.variable(0x3FC00000, UNSIGNED)
    number = arithmetic.from_bytes(arithmetic.bytes_of(variable, UNSIGNED), FLOAT)
    assert inputs.double(number) == 1.5
    assert arithmetic.from_bytes(arithmetic.bytes_of(number, FLOAT), UNSIGNED) is variable
    assert arithmetic.float_of_bits(variable, FLOAT) is number
    unknown = inputs.floating(1.5, FLOAT)
    with pytest.raises(Unsupported):
        arithmetic.bytes_of(unknown, FLOAT)
    _, mathematical = create("math")
    with pytest.raises(Unsupported):
        mathematical.from_bytes(cells, FLOAT)


@pytest.mark.parametrize(
    ("text", "stored"),  # as x86 does
    [
        ("0.0", "00000000000000000000"),
        ("-0.0", "00000000000000000080"),
        ("1.0", "0000000000000080ff3f"),
        ("-2.5", "00000000000000a000c0"),
        ("1e300", "00e0ac0340e421bfe343"),
        ("0.1", "00d0ccccccccccccfb3f"),
        ("0x1p-1074", "0000000000000080cd3b"),
        ("inf", "0000000000000080ff7f"),
        ("-inf", "0000000000000080ffff"),
    ],
)
def test_long_doubles_in_bytes(text: str, stored: str) -> None:
    inputs = FloatInputs("bits")
    arithmetic = inputs.arithmetic
    literal = arithmetic.convert(arithmetic.float_literal(text, DOUBLE), DOUBLE, LONG_DOUBLE)
    if literal.op != "float":
        literal = arithmetic.float_literal(text, LONG_DOUBLE)  # infinities are not converted at once
    cells = arithmetic.bytes_of(literal, LONG_DOUBLE)
    assert bytes(inputs.number(cell, UNSIGNED_CHAR) for cell in cells).hex() == stored
    padding = [inputs.variable(0xAB, UNSIGNED_CHAR)] * 6
    read = arithmetic.from_bytes([*cells, *padding], LONG_DOUBLE)
    assert evaluate(read, inputs.values) == evaluate(literal)


# --- properties of the encodings


def test_only_mathematical_integers_give_something_up() -> None:
    terms, bits = create("bits")
    assert bits.gives_up == ()
    assert bits.functions == ()
    mathematical = create_arithmetic(terms, LP64, "math")
    assert mathematical.gives_up
    left, right = (terms.var(Variable(name, mathematical.type_of(INT), VariableKind.LOCAL)) for name in "xy")
    for _ in range(2):
        mathematical.binary("&", left, right, INT)
        mathematical.binary("<<", left, right, INT)
    assert [function.name for function in mathematical.functions] == ["$and", "$shift_left"]


@encodings
def test_masks_that_arithmetic_can_express(integers: str) -> None:
    inputs = Inputs(integers)
    for value in (-(2**31), -77, -1, 0, 5, 12345, 2**31 - 1):
        variable = inputs.variable(value, INT)
        for op, masks in (("&", (0, 1, 7, 8, 0xFF00, -1, -8, -(2**31))), ("|", (0, 4, -1)), ("^", (0, 64, -1))):
            for mask in masks:
                term = inputs.arithmetic.binary(op, variable, inputs.literal(mask, INT), INT)
                assert not contains_op([term], frozenset({"apply"}))
                assert inputs.number(term, INT) == exact(op, value, mask)
    yes, no = (
        inputs.arithmetic.from_bool(inputs.arithmetic.is_nonzero(inputs.variable(value, INT), INT), INT)
        for value in (1, 0)
    )
    for op, result in (("&", "and"), ("|", "or"), ("^", "not")):
        term = inputs.arithmetic.binary(op, yes, no, INT)
        assert inputs.number(term, INT) == exact(op, 1, 0)
        assert inputs.arithmetic.is_nonzero(term, INT).op == result


@encodings
def test_values_that_are_no_scalars_are_refused(integers: str) -> None:
    _, arithmetic = create(integers)
    with pytest.raises(Unsupported):
        arithmetic.type_of(VOID)
    with pytest.raises(UsageError):
        create("reals")
