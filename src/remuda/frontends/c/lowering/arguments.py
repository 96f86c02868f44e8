"""What `main` is given: `argv` and the environment, arrays of texts that end with a null pointer.

The pointers and the texts are two objects that the program does not name. Text number k begins at a multiple of k, so
that the contents of the first object can be written down for any number of arguments; the texts are anything, but each
ends within its length.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, final

from remuda.frontends.c.lowering.reachable import nodes_of
from remuda.frontends.c.syntax import ast
from remuda.frontends.c.syntax.ast import CastKind
from remuda.frontends.c.syntax.types import CHAR, INT, ArrayType, IntegerType, PointerType
from remuda.terms.symbols import Variable, VariableKind

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from remuda.frontends.c.lowering.context import FunctionContext
    from remuda.frontends.c.syntax.types import CType
    from remuda.terms.term import Term

MOST_ARGUMENTS: Final = 1000
LONGEST: Final = 1024  # bytes of a text, with its end: so that all of them fit into one object on any machine


@final
@dataclass(frozen=True, slots=True, eq=False)
class Texts:
    """What `argv` or `envp` points to."""

    parameter: ast.Variable
    pointers: ast.Variable
    contents: ast.Variable


def texts_of(entry: ast.Function) -> list[Texts]:
    """The arrays of texts among the parameters of `main`, if its body uses them."""
    if entry.name != "main":
        return []
    mentioned = {node.target for node in nodes_of(entry) if isinstance(node, ast.Name)}
    return [
        _texts(parameter, parameter.type.target)
        for parameter in entry.parameters[1:3]
        if parameter in mentioned and isinstance(parameter.type, PointerType) and _is_text(parameter.type.target)
    ]


def _is_text(type_: CType) -> bool:
    return isinstance(type_, PointerType) and isinstance(type_.target, IntegerType) and type_.target.width == 8


def _texts(parameter: ast.Variable, pointer: CType) -> Texts:
    contents = ArrayType(ArrayType(CHAR, LONGEST), MOST_ARGUMENTS)
    return Texts(
        parameter,
        ast.Variable(parameter.name, ArrayType(pointer, MOST_ARGUMENTS + 1), ast.Storage.EXTERN, parameter.span),
        ast.Variable(f"{parameter.name}[...]", contents, ast.Storage.EXTERN, parameter.span),
    )


def caller(entry: ast.Function, texts: Sequence[Texts]) -> ast.Function:
    """A function that calls `main` with these objects; only the analysis of memory reads it."""
    span = entry.span
    zero = ast.IntegerLiteral(INT, span, 0)
    statements: list[ast.Statement] = []
    for each in texts:
        pointer = each.parameter.type
        assert isinstance(pointer, PointerType)
        first = ast.Index(pointer.target, span, _decayed(each.pointers), zero)
        row = ast.Index(ArrayType(CHAR, LONGEST), span, _decayed(each.contents), zero)
        text = ast.Cast(PointerType(CHAR), span, CastKind.ARRAY_TO_POINTER, row)
        value = ast.Cast(pointer.target, span, CastKind.POINTER, text)
        statements.append(ast.ExpressionStatement(span, ast.Assign(pointer.target, span, first, value)))
    given = {each.parameter: each.pointers for each in texts}
    arguments = tuple(_decayed(given[each]) if each in given else zero for each in entry.parameters)
    name = ast.Name(entry.type, span, entry)
    called = ast.Cast(PointerType(entry.type), span, CastKind.FUNCTION_TO_POINTER, name)
    statements.append(ast.ExpressionStatement(span, ast.Call(entry.type.result, span, called, arguments)))
    return ast.Function("", entry.type, span, body=ast.Compound(span, tuple(statements), span))


def _decayed(array: ast.Variable) -> ast.Expression:
    assert isinstance(array.type, ArrayType)
    name = ast.Name(array.type, array.span, array)
    return ast.Cast(PointerType(array.type.element), array.span, CastKind.ARRAY_TO_POINTER, name)


def give_texts(context: FunctionContext, texts: Texts, count: Term) -> Term:
    """Write `count` pointers (a term of `size_t`) and the ends of the texts. The result is the address of the first
    pointer."""
    program = context.program
    storage, arithmetic, terms = program.storage, program.arithmetic, program.terms
    size_type = storage.size_type

    def number(value: int) -> Term:
        return arithmetic.literal(value, size_type)

    def binary(op: str, left: Term, right: Term) -> Term:
        return arithmetic.binary(op, left, right, size_type)

    def compare(op: str, left: Term, right: Term) -> Term:
        return arithmetic.compare(op, left, right, size_type)

    pointers, contents = [_address(context, each) for each in (texts.pointers, texts.contents)]
    width = program.unit.machine.pointer_bytes
    _note_sizes(context, texts, count)

    def pointer_at(at: Term) -> Term:
        index = binary("/", binary("-", at, pointers), number(width))
        text = binary("+", contents, binary("*", index, number(LONGEST)))
        return terms.ite(compare("<", index, count), text, number(0))

    def pointer_cell(at: Term) -> Term:
        """A cell of the first object: a pointer, or a byte of one."""
        region = program.memory.object_cell(texts.pointers, 0, _element(texts.pointers))
        if not region.is_bytes:
            return pointer_at(at)
        position = binary("%", binary("-", at, pointers), number(width))
        cells = arithmetic.bytes_of(pointer_at(at), size_type)
        cell = cells[0]
        for place, other in enumerate(cells[1:], 1):
            cell = terms.ite(compare("==", position, number(place)), other, cell)
        return cell

    _fill(context, texts.pointers, (MOST_ARGUMENTS + 1) * width, _element(texts.pointers), pointer_cell)
    region = program.memory.object_cell(texts.contents, 0, CHAR)
    if region.width == CHAR.width:
        map_ = terms.var(storage.map_of(region))

        def text_cell(at: Term) -> Term:
            position = binary("%", binary("-", at, contents), number(LONGEST))
            zero = arithmetic.literal(0, IntegerType(region.width, signed=False))
            return terms.ite(compare("==", position, number(LONGEST - 1)), zero, terms.select(map_, (at,)))

        _fill(context, texts.contents, MOST_ARGUMENTS * LONGEST, CHAR, text_cell)
    return pointers


def _note_sizes(context: FunctionContext, texts: Texts, count: Term) -> None:
    """Set the sizes of both objects, for checks of pointers and bounds. The lengths of the texts are unknown, so whether
    accesses stay within them is not decided."""
    program, storage = context.program, context.program.storage
    if storage.validity is None:
        return
    arithmetic, size_type, span = program.arithmetic, storage.size_type, texts.parameter.span
    pointers = arithmetic.binary("+", count, arithmetic.literal(1, size_type), size_type)
    width = arithmetic.literal(program.unit.machine.pointer_bytes, size_type)
    size = arithmetic.binary("*", pointers, width, size_type)
    family = program.memory.object_family(texts.pointers)
    storage.validity.allocated(context.blocks, family, _address(context, texts.pointers), size, span)
    lengths = f"the lengths of the texts in {texts.parameter.name}"
    program.opaque(lengths, span)
    length = context.unknown(size_type, span, lengths)
    most = arithmetic.literal(MOST_ARGUMENTS * LONGEST, size_type)
    context.blocks.assume(arithmetic.compare("<=", length, most, size_type), span)
    family = program.memory.object_family(texts.contents)
    storage.validity.allocated(context.blocks, family, _address(context, texts.contents), length, span)


def _element(array: ast.Variable) -> CType:
    assert isinstance(array.type, ArrayType)
    return array.type.element


def _address(context: FunctionContext, variable: ast.Variable) -> Term:
    storage = context.program.storage
    return storage.literal(storage.object_address(variable))


def _fill(
    context: FunctionContext, array: ast.Variable, size: int, element: CType, cell: Callable[[Term], Term]
) -> None:
    """`memory := (lambda at :: if at is in the object then cell(at) else memory[at])`."""
    program, terms = context.program, context.program.terms
    storage, arithmetic = program.storage, program.arithmetic
    variable = storage.map_of(program.memory.object_cell(array, 0, element))
    at = Variable("at", storage.address_type, VariableKind.BOUND)
    here, start = terms.var(at), _address(context, array)
    inside = terms.and_(
        (
            arithmetic.compare("<=", start, here, storage.size_type),
            arithmetic.compare("<", here, storage.behind(start, size), storage.size_type),
        )
    )
    body = terms.ite(inside, cell(here), terms.select(terms.var(variable), (here,)))
    context.blocks.assign(variable, terms.lambda_((at,), body), array.span)
