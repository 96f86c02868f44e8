"""Texts: searches through characters up to a zero, for the models of string functions.

If there is a limit, a string literal or a short array, a search is one term. Otherwise it is a loop, to which the
bound applies as to the loops of the program. A text that does not end within its array is undefined.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Final

from remuda.frontends.c.library.models import kept, literal_of
from remuda.frontends.c.library.ranges import FEW, Block, Size, byte, fixed_size, number
from remuda.frontends.c.syntax import ast
from remuda.frontends.c.syntax.ast import CastKind
from remuda.frontends.c.syntax.types import CHAR, INT, UNSIGNED_CHAR, ArrayType, IntegerType

if TYPE_CHECKING:
    from remuda.frontends.c.lowering.calls import CallLowering
    from remuda.terms.symbols import Variable
    from remuda.terms.term import Term

Mapping = Callable[["Term"], "Term"]  # of characters


# --- loops


def repeat(calls: CallLowering, node: ast.Call, condition: Callable[[], Term], body: Callable[[], None]) -> None:
    """A loop that runs as long as a condition holds."""
    blocks = calls.blocks
    head, inside, after = (blocks.new(name, node.span) for name in ("library", "body", "after"))
    blocks.go(head, node.span)
    blocks.branch(condition(), inside, after, node.span)
    blocks.enter(inside)
    body()
    blocks.jump(head, node.span)
    blocks.enter(after)


def counter(calls: CallLowering, node: ast.Call) -> Variable:
    """A new variable of `size_type` with the value zero."""
    variable = calls.blocks.temporary(calls.program.arithmetic.type_of(calls.program.storage.size_type), "index")
    calls.blocks.assign(variable, number(calls, 0), node.span)
    return variable


def count_up(calls: CallLowering, node: ast.Call, variable: Variable) -> None:
    calls.blocks.assign(variable, following(calls, calls.program.terms.var(variable)), node.span)


def following(calls: CallLowering, index: Term) -> Term:
    return calls.program.arithmetic.binary("+", index, number(calls, 1), calls.program.storage.size_type)


def is_below(calls: CallLowering, index: Term, limit: Term) -> Term:
    return calls.program.arithmetic.compare("<", index, limit, calls.program.storage.size_type)


# --- characters


def is_end(calls: CallLowering, character: Term) -> Term:
    return calls.program.terms.not_(calls.program.arithmetic.is_nonzero(character, CHAR))


def is_same(calls: CallLowering, left: Term, right: Term) -> Term:
    return calls.program.arithmetic.compare("==", left, right, CHAR)


def units_of(source: Block) -> tuple[int, ...] | None:
    """The characters of a string literal up to its first zero, and that zero."""
    text = literal_of(source.pointer)
    if text is None or len(text) > FEW:
        return None
    return (*(ord(character) for character in text.partition("\0")[0]), 0)


def character(calls: CallLowering, node: ast.Call, source: Block, index: int) -> Term:
    """The character at a constant index."""
    units = units_of(source)
    if units is not None and index < len(units):
        return calls.program.arithmetic.literal(units[index], CHAR)
    return byte(calls, node, source, number(calls, index))


def horizon(source: Block) -> int | None:
    """An upper bound of the number of characters before the end of a text; None if there may be many."""
    units = units_of(source)
    if units is not None:
        return len(units)
    match source.pointer:
        case ast.Cast(kind=CastKind.ARRAY_TO_POINTER, operand=array) if source.is_start:
            type_ = array.type
            if isinstance(type_, ArrayType) and isinstance(type_.element, IntegerType) and type_.element.width == 8:
                return type_.length if type_.length is not None and type_.length <= FEW else None
    return None


# --- search


def first_index(
    calls: CallLowering,
    node: ast.Call,
    source: Block,
    stops: Callable[[Term], Term],
    limit: Size | None = None,
) -> Term:
    """The first index at which a condition holds; it must hold at the end of a text. With a limit, the search ends
    there."""
    known = horizon(source) if limit is None else limit.constant
    if known is not None and known <= FEW:
        conditions = [stops(number(calls, index)) for index in range(known)]
        if limit is None:
            _require_end(calls, node, source, conditions)
        found = kept(calls, node, _chain(calls, conditions))
        if limit is not None:
            _check_read(calls, node, source, found, limit)
        return found
    terms, at = calls.program.terms, counter(calls, node)
    index = terms.var(at)

    def goes_on() -> Term:
        more = terms.not_(stops(index))
        return more if limit is None else terms.and_((is_below(calls, index, limit.term), more))

    repeat(calls, node, goes_on, lambda: count_up(calls, node, at))
    _check_read(calls, node, source, index, limit)
    return index


def _check_read(calls: CallLowering, node: ast.Call, source: Block, index: Term, limit: Size | None) -> None:
    """Check that the characters up to an index are in the object. (If some were not, the search would have read those
    behind the array, and the index would be behind its end, too.)"""
    count = following(calls, index)
    if limit is not None:
        count = calls.program.terms.ite(is_below(calls, index, limit.term), count, limit.term)
    calls.checks.range(source.pointer, source.address, count, node.span)


def _chain(calls: CallLowering, conditions: Sequence[Term]) -> Term:
    """The index of the first condition that holds; their number if none does."""
    index = number(calls, len(conditions))
    for at in reversed(range(len(conditions))):
        index = calls.program.terms.ite(conditions[at], number(calls, at), index)
    return index


def _require_end(calls: CallLowering, node: ast.Call, source: Block, ends: Sequence[Term]) -> None:
    """Demand that an array contains the end of a text."""
    if units_of(source) is None:
        condition = calls.program.terms.or_(ends)
        calls.checks.text_end(source.pointer, condition, node.span)
        construct = f"{node.span.text} of a text that has no end"
        calls.context.demand(condition, "unsupported", node.span, construct)
        calls.blocks.assume(condition, node.span)


def text_length(calls: CallLowering, node: ast.Call, source: Block, limit: Size | None = None) -> Term:
    """The number of characters before the zero; at most `limit`."""
    units = units_of(source)
    if units is not None and limit is None:
        return number(calls, len(units) - 1)
    return first_index(calls, node, source, lambda index: is_end(calls, byte(calls, node, source, index)), limit)


# --- order


def compare_texts(
    calls: CallLowering,
    node: ast.Call,
    texts: tuple[Block, Block],
    limit: Size | None,
    *,
    to_zero: bool = True,
    mapping: Mapping | None = None,
) -> Term:
    """An int that is less than, equal to or greater than zero, by the first difference; C fixes only its sign.
    `to_zero`: characters behind the end of a text do not count."""
    length = _common_length(texts, limit, to_zero=to_zero)
    change = mapping or (lambda character: character)
    if length is not None:
        pairs = [tuple([change(character(calls, node, text, index)) for text in texts]) for index in range(length)]
        if limit is None or limit.constant is None or limit.constant > length:
            for text in texts:
                if horizon(text) == length:
                    ends = [_is_decided(calls, pair) for pair in pairs]
                    _require_end(calls, node, text, ends)
        count = _chain(calls, [_is_decided(calls, pair, to_zero=to_zero) for pair in pairs])
        for text in texts:
            if horizon(text) is None:
                _check_read(calls, node, text, count, fixed_size(calls, length))
        is_less, is_greater = _first_difference(calls, pairs, to_zero=to_zero)
    else:
        is_less, is_greater = _search_difference(calls, node, texts, limit, to_zero=to_zero, change=change)
    return _with_sign(calls, node, is_less, is_greater)


def _is_decided(calls: CallLowering, pair: Sequence[Term], *, to_zero: bool = True) -> Term:
    """Whether two characters decide the comparison."""
    terms = calls.program.terms
    is_different = terms.not_(is_same(calls, *pair))
    return terms.or_((is_different, is_end(calls, pair[0]))) if to_zero else is_different


def _common_length(texts: tuple[Block, Block], limit: Size | None, *, to_zero: bool) -> int | None:
    """The number of characters that decide a comparison of two texts, if it is known and not too large."""
    known = [limit.constant] if limit is not None and limit.constant is not None else []
    if to_zero and (limit is None or limit.constant is not None):
        known += [length for length in map(horizon, texts) if length is not None]
    shortest = min(known, default=FEW + 1)
    return shortest if shortest <= FEW else None


def _first_difference(calls: CallLowering, pairs: Sequence[tuple[Term, ...]], *, to_zero: bool) -> tuple[Term, Term]:
    terms = calls.program.terms
    is_less = is_greater = terms.false
    for left, right in reversed(pairs):
        is_equal = is_same(calls, left, right)
        rest = terms.and_((is_equal, terms.not_(is_end(calls, left)))) if to_zero else is_equal
        is_less = terms.or_((_is_lower(calls, left, right), terms.and_((rest, is_less))))
        is_greater = terms.or_((_is_lower(calls, right, left), terms.and_((rest, is_greater))))
    return is_less, is_greater


def _is_lower(calls: CallLowering, left: Term, right: Term) -> Term:
    """Characters compare as `unsigned char`."""
    arithmetic = calls.program.arithmetic
    converted = [arithmetic.convert(each, CHAR, UNSIGNED_CHAR) for each in (left, right)]
    return arithmetic.compare("<", converted[0], converted[1], UNSIGNED_CHAR)


def _search_difference(
    calls: CallLowering,
    node: ast.Call,
    texts: tuple[Block, Block],
    limit: Size | None,
    *,
    to_zero: bool,
    change: Mapping,
) -> tuple[Term, Term]:
    terms, at = calls.program.terms, counter(calls, node)
    index = terms.var(at)
    left, right = (change(byte(calls, node, text, index)) for text in texts)
    is_inside = terms.true if limit is None else is_below(calls, index, limit.term)

    def goes_on() -> Term:
        more = terms.not_(is_end(calls, left)) if to_zero else terms.true
        return terms.and_((is_inside, is_same(calls, left, right), more))

    repeat(calls, node, goes_on, lambda: count_up(calls, node, at))
    for text in texts:
        _check_read(calls, node, text, index, limit)
    is_less = terms.and_((is_inside, _is_lower(calls, left, right)))
    return is_less, terms.and_((is_inside, _is_lower(calls, right, left)))


def _with_sign(calls: CallLowering, node: ast.Call, is_negative: Term, is_positive: Term) -> Term:
    arithmetic, terms = calls.program.arithmetic, calls.program.terms
    zero = arithmetic.literal(0, INT)
    if is_negative is terms.false and is_positive is terms.false:
        return zero
    order = calls.context.unknown(INT, node.span, node.span.text)
    calls.blocks.assume(terms.eq(arithmetic.compare("<", order, zero, INT), is_negative), node.span)
    calls.blocks.assume(terms.eq(arithmetic.compare("<", zero, order, INT), is_positive), node.span)
    return order


LOWER_CASE: Final = 32  # the distance from `A` to `a`


def lower_case(calls: CallLowering) -> Mapping:
    """A character in lower case, in the locale C."""

    def mapping(character: Term) -> Term:
        arithmetic = calls.program.arithmetic
        bounds = [arithmetic.literal(ord(letter), CHAR) for letter in "AZ"]
        parts = (
            arithmetic.compare("<=", bounds[0], character, CHAR),
            arithmetic.compare("<=", character, bounds[1], CHAR),
        )
        is_upper = calls.program.terms.and_(parts)
        moved = arithmetic.binary("+", character, arithmetic.literal(LOWER_CASE, CHAR), CHAR)
        return calls.program.terms.ite(is_upper, moved, character)

    return mapping
