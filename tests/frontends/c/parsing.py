"""Shortcuts for the tests of the C parser."""

from __future__ import annotations

from typing import TYPE_CHECKING

from remuda.base.source import Source
from remuda.frontends.c.clang.parse import ParseOptions, parse_program
from remuda.frontends.c.syntax.types import ILP32, Machine
from tests.frontends.c.tree_checks import complaints
from tests.frontends.c.tree_text import show

if TYPE_CHECKING:
    from remuda.frontends.c.syntax.ast import Function, Unit


def parse_texts(*texts: str, machine: Machine = ILP32, defines: tuple[str, ...] = ()) -> Unit:
    """The program of some texts, called a.c, b.c, ...; its tree is checked."""
    sources = [Source(f"{chr(ord('a') + number)}.c", text) for number, text in enumerate(texts)]
    unit = parse_program(sources, ParseOptions(machine=machine, defines=defines))
    assert list(complaints(unit)) == []
    return unit


def body_of(unit: Unit, name: str = "f") -> list[str]:
    """The statements of a function, as text."""
    function: Function = unit.functions[name]
    assert function.body is not None
    return [show(statement) for statement in function.body.statements]


def statements(text: str, before: str = "", machine: Machine = ILP32) -> list[str]:
    """What statements in a function become, after some declarations."""
    return body_of(
        parse_texts(f"{before}\nvoid f(int n, char c, unsigned u, long long w, int *p) {{ {text} }}", machine=machine)
    )
