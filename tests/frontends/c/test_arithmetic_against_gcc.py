"""Random constant expressions have the values of gcc: one C program prints all of them.

printf("%llx", (unsigned long long)(unsigned int)((int)7 + (int)-9));        compared with the value of the term
"""

from __future__ import annotations

import math
import random
import shutil
import struct
import subprocess
from typing import TYPE_CHECKING, Final

import pytest

from remuda.frontends.c.arithmetic.integers import shape_of
from remuda.frontends.c.arithmetic.protocol import create_arithmetic
from remuda.frontends.c.syntax.types import BOOL, CHAR, INT, LP64, UNSIGNED, UNSIGNED_CHAR, FloatingType, IntegerType
from remuda.replay.evaluate import Evaluator
from remuda.replay.scopes import Environment
from remuda.terms.store import Terms
from remuda.terms.values import FloatValue

if TYPE_CHECKING:
    from pathlib import Path

    from remuda.frontends.c.syntax.types import CType
    from remuda.terms.term import Term

SHORT: Final = IntegerType(16, signed=True, name="short")
UNSIGNED_SHORT: Final = IntegerType(16, signed=False, name="unsigned short")
LONG: Final = IntegerType(64, signed=True, name="long")
UNSIGNED_LONG: Final = IntegerType(64, signed=False, name="unsigned long")
PROMOTED: Final = (INT, UNSIGNED, LONG, UNSIGNED_LONG)
INTEGERS: Final = (BOOL, CHAR, UNSIGNED_CHAR, SHORT, UNSIGNED_SHORT, *PROMOTED)
FLOAT: Final = FloatingType(32, "float")
DOUBLE: Final = FloatingType(64, "double")
LONG_DOUBLE: Final = FloatingType(128, "long double")
FLOATS: Final = (FLOAT, DOUBLE, LONG_DOUBLE)
RELATIONS: Final = ("<", ">", "<=", ">=", "==", "!=")

PROLOGUE: Final = """
#include <stdio.h>
#include <string.h>
static void integer(unsigned long long value) { printf("%llx\\n", value); }
static void floating(double value) {
  unsigned long long bits;
  memcpy(&bits, &value, sizeof bits);
  if (value != value) printf("nan\\n"); else printf("%llx\\n", bits);
}
int main(void) {
"""

Question = tuple[str, str]  # a C statement that prints the answer, and the answer expected


class Questions:
    """Makes expressions as C and as terms."""

    def __init__(self, integers: str, seed: int) -> None:
        self.arithmetic = create_arithmetic(Terms(), LP64, integers)
        self.random = random.Random(seed)

    def integer(self, type_: IntegerType) -> tuple[str, int]:
        shape = shape_of(type_, LP64)
        corners = (shape.smallest, -1, 0, 1, 2, 9, shape.largest)
        value = self.random.choice((self.random.choice(corners), self.random.randint(shape.smallest, shape.largest)))
        value = min(max(value, shape.smallest), shape.largest)
        return f"({type_})0x{value % (1 << 64):x}ULL", value

    def floating(self) -> str:
        chosen = self.random
        if chosen.random() < 0.3:
            return chosen.choice(("0.0", "1.0", "0.1", "3.5e38", "1e-45", "16777217.0", "9007199254740993.0"))
        if chosen.random() < 0.3:
            return float.hex(chosen.uniform(-1, 1) * 2.0 ** chosen.randint(-70, 70)).lstrip("-")
        return repr(abs(chosen.uniform(-1000, 1000)))

    def answer(self, term: Term, type_: CType) -> str:
        if isinstance(type_, FloatingType):
            value = Evaluator().evaluate(self.arithmetic.convert(term, type_, DOUBLE), Environment())
            assert isinstance(value, FloatValue)
            number = struct.unpack("<d", struct.pack("<Q", value.bits))[0]
            return "nan" if math.isnan(number) else f"{value.bits:x}"
        value = Evaluator().evaluate(term, Environment())
        assert isinstance(value, int)
        return f"{value % (1 << shape_of(type_, LP64).width):x}"

    def question(self, text: str, term: Term, type_: CType) -> Question:
        if isinstance(type_, FloatingType):
            return f"floating({text});", self.answer(term, type_)
        assert isinstance(type_, IntegerType)
        unsigned = f"unsigned {type_.name}" if type_.signed else type_.name
        return f"integer(({unsigned})({text}));", self.answer(term, type_)

    # --- kinds of expressions

    def binary(self) -> Question:
        arithmetic, type_ = self.arithmetic, self.random.choice(PROMOTED)
        op = self.random.choice(("+", "-", "*", "/", "%", "&", "|", "^", "<<", ">>", *RELATIONS))
        (first, left), (second, right) = self.integer(type_), self.integer(type_)
        if op in {"<<", ">>"}:
            right %= type_.width
            second = str(right)
        if op in {"/", "%"} and right in {0, -1}:
            second, right = f"({type_})3", 3
        one, two = arithmetic.literal(left, type_), arithmetic.literal(right, type_)
        text = f"{first} {op} {second}"
        if op in RELATIONS:
            return self.question(text, arithmetic.from_bool(arithmetic.compare(op, one, two, type_), INT), INT)
        return self.question(text, arithmetic.binary(op, one, two, type_), type_)

    def conversion(self) -> Question:
        source, target = self.random.choice(INTEGERS), self.random.choice((*INTEGERS, *FLOATS))
        text, value = self.integer(source)
        term = self.arithmetic.convert(self.arithmetic.literal(value, source), source, target)
        return self.question(f"({target}){text}", term, target)

    def float_binary(self) -> Question:
        arithmetic, type_ = self.arithmetic, self.random.choice(FLOATS)
        op = self.random.choice(("+", "-", "*", "/", *RELATIONS))
        texts = [self.floating(), self.floating()]
        if self.random.random() < 0.2:
            texts[1] = texts[0]
        left, right = (arithmetic.float_literal(text, type_) for text in texts)
        suffix = {"float": "f", "double": "", "long double": "L"}[type_.name]
        right = arithmetic.unary("-", right, type_)
        text = f"{texts[0]}{suffix} {op} -{texts[1]}{suffix}"
        if op in RELATIONS:
            return self.question(text, arithmetic.from_bool(arithmetic.compare(op, left, right, type_), INT), INT)
        return self.question(text, arithmetic.binary(op, left, right, type_), type_)

    def float_conversion(self) -> Question:
        arithmetic, source = self.arithmetic, self.random.choice(FLOATS)
        target = self.random.choice((BOOL, *PROMOTED, *FLOATS))
        text = self.floating()
        term = arithmetic.float_literal(text, source)
        fits = Evaluator().evaluate(arithmetic.fits(term, source, target), Environment())
        if isinstance(target, IntegerType) and not fits and not target.is_bool:
            target = BOOL
        suffix = {"float": "f", "double": "", "long double": "L"}[source.name]
        return self.question(f"({target}){text}{suffix}", arithmetic.convert(term, source, target), target)


@pytest.mark.skipif(shutil.which("gcc") is None, reason="gcc is not installed")
@pytest.mark.parametrize("integers", ["bits", "math"])
def test_constant_expressions(integers: str, tmp_path: Path) -> None:
    maker = Questions(integers, seed=5)
    kinds = (maker.binary, maker.conversion, maker.float_binary, maker.float_conversion)
    questions = [kind() for kind in kinds for _ in range(150)]
    source, program = tmp_path / "questions.c", tmp_path / "questions"
    lines = [f"  {statement}" for statement, _ in questions]
    source.write_text("\n".join([PROLOGUE, *lines, "  return 0;", "}", ""]), encoding="utf-8")
    flags = ("-w", "-std=gnu11", "-O0", "-fwrapv", "-ffp-contract=off")
    subprocess.run(["gcc", *flags, "-o", program, source], check=True, timeout=120)
    answers = subprocess.run([program], check=True, capture_output=True, text=True, timeout=20).stdout.split()
    wrong = [
        (statement, expected, answer)
        for (statement, expected), answer in zip(questions, answers, strict=True)
        if expected != answer
    ]
    assert wrong == []
