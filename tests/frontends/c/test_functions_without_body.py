"""The memory that a function without a body may change, compared with the declared types.

Such a function gets a pointer to a part of an object, through another function, so that the call does not name the
object. By the rules of C it can reach that part and, if the part is an element of an array, the whole array. In a
block of memory, which has no declared type, it can reach everything. Memory outside of every array around the part
must not change.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

import pytest
from hypothesis import given
from hypothesis import strategies as st

from remuda.base.source import Source
from remuda.options import Options
from remuda.portfolio.run import run
from remuda.results.report import Verdict
from tests.hypothesis_settings import few, many
from tests.patience import PATIENCE

HOLDS: Final = frozenset({Verdict.PROVED, Verdict.BOUNDED, Verdict.UNREACHABLE})
OPTIONS: Final = Options(bound=4, timeout=PATIENCE, on_failure="continue", houdini=False, isolate=False)
Verdicts = frozenset[Verdict]
NUMBERS: Final = ("char", "short", "int", "long")


@dataclass(frozen=True)
class Type:
    """A number, an array (`length` elements of the one part) or a struct of its parts."""

    name: str
    length: int = 0
    parts: tuple[Type, ...] = ()

    @property
    def is_number(self) -> bool:
        return not self.parts

    def declare(self, name: str) -> str:
        return self.parts[0].declare(f"{name}[{self.length}]") if self.length else f"{self.name} {name}"

    def definitions(self) -> Iterator[str]:
        for part in self.parts:
            yield from part.definitions()
        if self.parts and not self.length:
            members = [each.declare(f"m{at}") for at, each in enumerate(self.parts)]
            yield f"{self.name} {{ {'; '.join(members)}; }};"


@dataclass(frozen=True)
class Part:
    """A part of an object: its type, the expression for it, the array that it is an element of, and the largest array
    around it."""

    type: Type
    text: str
    row: str = ""
    around: str = ""

    def parts(self) -> Iterator[Part]:
        yield self
        if self.type.length:
            for index in range(self.type.length):
                row, around = self.row or self.text, self.around or self.text
                yield from Part(self.type.parts[0], f"{self.text}[{index}]", row, around).parts()
        else:
            for at, each in enumerate(self.type.parts):
                yield from Part(each, f"{self.text}.m{at}", "", self.around).parts()


@st.composite
def types(draw: st.DrawFn) -> Type:
    """A struct that contains numbers, arrays and structs."""
    made: list[Type] = [Type(each) for each in NUMBERS]
    for number in range(draw(st.integers(1, 3))):
        parts = draw(st.lists(st.sampled_from(made), min_size=1, max_size=3))
        parts = [Type("", draw(st.integers(1, 3)), (each,)) if draw(st.booleans()) else each for each in parts]
        made.append(Type(f"struct S{number}", 0, tuple(parts)))
    return made[-1]


@st.composite
def programs(draw: st.DrawFn) -> tuple[str, list[Verdicts]]:
    """A program, and for each of its assertions the verdicts that would be wrong."""
    whole = draw(types())
    if draw(st.booleans()):
        whole = Type("", 2, (whole,))
    is_block = draw(st.booleans())
    object_ = Part(whole, "(*block)" if is_block else "object")
    parts = list(object_.parts())
    given_ = draw(st.sampled_from([each for each in parts if not each.type.length]))
    numbers = draw(st.lists(st.sampled_from([each for each in parts if each.type.is_number]), min_size=1, max_size=4))
    target = given_.type.name
    lines = [
        "#include <assert.h>",
        "#include <stdlib.h>",
        *dict.fromkeys(whole.definitions()),
        f"void change({target} *at);",
        f"static void pass({target} *at) {{ change(at); }}",
        *([] if is_block else [f"{whole.declare('object')};"]),
        "int main(void) {",
        *([f"  {whole.declare('(*block)')} = calloc(1, sizeof *block);"] if is_block else []),
        f"  pass(&{given_.text});",
        *(f"  assert({each.text} == 0);" for each in numbers),
        "}",
    ]
    wrong: list[Verdicts] = []
    for number in numbers:
        is_reached = is_block or is_part(number.text, given_.row or given_.text)
        is_near = is_block or is_part(number.text, given_.around or given_.text)
        wrong.append(HOLDS if is_reached else frozenset() if is_near else frozenset({Verdict.VIOLATED}))
    return "\n".join(lines), wrong


def is_part(text: str, whole: str) -> bool:
    return text == whole or text.startswith((f"{whole}.", f"{whole}["))


@few(20)
@given(programs())
def test_reachable_memory_may_change(program: tuple[str, list[Verdicts]]) -> None:
    check_program(*program)


@pytest.mark.slow
@many(1000)
@given(programs())
def test_reachable_memory_may_change_in_many_programs(program: tuple[str, list[Verdicts]]) -> None:
    check_program(*program)


def check_program(text: str, wrong: list[Verdicts]) -> None:
    report = run([Source("without_body.c", text)], OPTIONS, send=lambda _: None)
    for assertion, verdicts in zip(report.assertions, wrong, strict=True):
        assert assertion.verdict not in verdicts, f"{assertion.location}: {assertion.verdict}\n{text}"
