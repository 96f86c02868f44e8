"""Small programs for tests, in few words.

procedure("P", {"entry": ["a", "b"], "a": [], "b": ["entry"]})      # empty blocks and their successors
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from remuda.base.source import synthetic_span
from remuda.ir.program import Assert, Assume, Block, Call, Check, Procedure, Program
from remuda.terms.store import Terms
from remuda.terms.symbols import Variable, VariableKind
from remuda.terms.types import INT, Type

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from remuda.ir.program import Statement
    from remuda.terms.term import Term

SPAN = synthetic_span("test.bpl")


def local(name: str, type_: Type = INT) -> Variable:
    return Variable(name, type_, VariableKind.LOCAL)


def global_(name: str, type_: Type = INT) -> Variable:
    return Variable(name, type_, VariableKind.GLOBAL)


def constant(name: str, type_: Type = INT) -> Variable:
    return Variable(name, type_, VariableKind.CONSTANT)


def bound(name: str, type_: Type = INT) -> Variable:
    return Variable(name, type_, VariableKind.BOUND)


def assertion(condition: Term, identifier: str = "test.bpl:P:assert:1") -> Assert:
    return Assert(condition, Check(identifier, "assert", "", SPAN), SPAN)


def assumption(condition: Term) -> Assume:
    return Assume(condition, SPAN)


def call(name: str, arguments: Sequence[Term] = (), results: Sequence[Variable] = ()) -> Call:
    return Call(name, tuple(arguments), tuple(results), SPAN)


def blocks(
    edges: Mapping[str, Sequence[str]], statements: Mapping[str, Sequence[Statement]] | None = None
) -> tuple[Block, ...]:
    bodies = statements or {}
    return tuple(Block(label, tuple(bodies.get(label, ())), tuple(targets), SPAN) for label, targets in edges.items())


def procedure(
    name: str,
    edges: Mapping[str, Sequence[str]] | None = None,
    statements: Mapping[str, Sequence[Statement]] | None = None,
    inputs: Sequence[Variable] = (),
    outputs: Sequence[Variable] = (),
    **fields: Any,  # noqa: ANN401
) -> Procedure:
    body = None if edges is None else blocks(edges, statements)
    return Procedure(name, tuple(inputs), tuple(outputs), SPAN, blocks=body, **fields)


def straight(name: str, *statements: Statement, **fields: Any) -> Procedure:  # noqa: ANN401
    """A procedure of one block."""
    return procedure(name, {"entry": []}, {"entry": statements}, **fields)


def program(*procedures: Procedure, terms: Terms | None = None, **fields: Any) -> Program:  # noqa: ANN401
    return Program(terms or Terms(), {one.name: one for one in procedures}, **fields)
