"""Types whose sizes are computed at run time: where their lengths are computed, and their `sizeof`."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from remuda.frontends.c.clang.conversions import convert, decay
from remuda.frontends.c.clang.literals import literal
from remuda.frontends.c.syntax.ast import (
    AddressOf,
    Binary,
    Comma,
    CompoundLiteral,
    Expression,
    Initializer,
    Name,
    Part,
    Variable,
)
from remuda.frontends.c.syntax.types import (
    BOOL,
    VOID,
    CType,
    FloatingType,
    IntegerType,
    Machine,
    PointerType,
    VariableArrayType,
    size_of,
)

if TYPE_CHECKING:
    from remuda.base.source import Span

_TYPE_NAME: Final = re.compile(
    r"(?:sizeof|__\w+)\s*\(\s*(?P<base>[\w\s]*?)\s*(?P<stars>[*\s]*)\s*(?P<arrays>\[.*)?\)", re.DOTALL
)
_QUALIFIERS: Final = frozenset(
    {"const", "volatile", "restrict", "signed", "int", "register", "struct", "union", "enum"}
)
_WIDTHS: Final = {"char": 8, "short": 16, "": 32, "long long": 64}
_FLOATS: Final = {"float": 32, "double": 64}


def initialize_lengths(lengths: Sequence[Variable], sizes: Sequence[Expression]) -> bool:
    """Initialise the variables that keep lengths with the sizes in a declarator, both from the inside out. Other
    expressions before the sizes are inside of `typeof`. The result is False if there are too few sizes."""
    if len(sizes) < len(lengths):
        return False
    for length, size in zip(reversed(lengths), reversed(sizes), strict=False):
        length.span = size.span
        value = convert(decay(size), length.type)
        length.initializer = Initializer((Part((), value),), zero_rest=False, span=size.span)
    return True


def after_lengths(lengths: Sequence[Variable], expression: Expression) -> Expression:
    """An expression that is evaluated after the lengths of the types in it, those of outer arrays first."""
    for length in lengths:
        literal_ = CompoundLiteral(length.type, length.span, length)
        expression = Comma(expression.type, expression.span, literal_, expression)
    return expression


def size_of_object(operand: Expression, type_: CType, machine: Machine, span: Span) -> Expression | None:
    """`sizeof` of an expression whose type has a computed size: the expression is evaluated."""
    size = computed_size(operand.type, type_, machine, span)
    if size is None or isinstance(operand, Name):
        return size
    return Comma(type_, span, AddressOf(PointerType(operand.type), span, operand), size)


def computed_size(of: CType, type_: CType, machine: Machine, span: Span) -> Expression | None:
    """The size of a type as an expression of another type; None if it is unknown."""
    lengths: list[Variable] = []
    while isinstance(of, VariableArrayType):
        if of.length is None:
            return None
        lengths.append(of.length)
        of = of.element
    size = size_of(of, machine)
    if size is None:
        return None
    product: Expression = literal(size, type_, span)
    for length in reversed(lengths):
        value = convert(Name(length.type, span, length), type_)
        product = Binary(type_, span, "*", value, product)
    return product


def size_of_type_name(
    sizes: Sequence[Expression], named: CType | None, type_: CType, machine: Machine, span: Span
) -> Expression | None:
    """`sizeof(T[n][m])`: libclang shows the lengths (from the inside out, then some of them again) and the type that a
    name stands for, but not the type itself, which is read from the text."""
    match = _TYPE_NAME.fullmatch(span.text)
    if match is None:
        return None
    count = _count_groups(match["arrays"] or "")
    base = _base_size(match["base"], match["stars"], named, type_, machine, span)
    if count is None or base is None or len(sizes) < count:
        return None
    product = base
    for size in sizes[:count]:
        product = Binary(type_, span, "*", convert(decay(size), type_), product)
    return product


def _base_size(
    words: str, stars: str, named: CType | None, type_: CType, machine: Machine, span: Span
) -> Expression | None:
    if stars.strip():
        return literal(machine.pointer_bytes, type_, span)
    if named is not None:
        return computed_size(named, type_, machine, span)
    written = written_type(words, None, machine)
    size = None if written is None else size_of(written, machine)
    return None if size is None else literal(size, type_, span)


def written_type(text: str, named: CType | None, machine: Machine) -> CType | None:
    """The type that a text without brackets stands for; `named` is what a name in it refers to."""
    words, stars = text.split("*", maxsplit=1)[0].split(), text.count("*")
    rest = " ".join(word for word in words if word not in _QUALIFIERS and word != "unsigned")
    base: CType | None
    if named is not None:
        base = named
    elif not words or "(" in text:
        base = None
    elif rest in _FLOATS:
        base = FloatingType(_FLOATS[rest], rest)
    elif rest == "_Bool":
        base = BOOL
    elif rest == "void":
        base = VOID
    else:
        width = machine.long_width if rest == "long" else _WIDTHS.get(rest)
        base = None if width is None else IntegerType(width, signed="unsigned" not in words, name=" ".join(words))
    for _ in range(stars):
        base = None if base is None else PointerType(base)
    return base


def _count_groups(text: str) -> int | None:
    """The number of adjacent pairs of brackets."""
    count = depth = 0
    for character in text:
        if depth == 0 and character not in "[ \t\r\n":
            return None
        if character == "[":
            count += depth == 0
            depth += 1
        elif character == "]":
            depth -= 1
    return count if depth == 0 else None


def offset_of(
    steps: Sequence[tuple[int, CType] | Expression], type_: CType, machine: Machine, span: Span
) -> Expression | None:
    """`offsetof` of a member with a computed index. A step is an offset with the type there, or an index."""
    total: Expression = literal(0, type_, span)
    here: CType | None = None
    for step in steps:
        if isinstance(step, tuple):
            offset, here = step
            total = Binary(type_, span, "+", total, literal(offset, type_, span))
            continue
        element = getattr(here, "element", None)
        size = None if element is None else size_of(element, machine)
        if size is None or not isinstance(decay(step).type, IntegerType):
            return None
        scaled = Binary(type_, span, "*", convert(decay(step), type_), literal(size, type_, span))
        total, here = Binary(type_, span, "+", total, scaled), element
    return total
