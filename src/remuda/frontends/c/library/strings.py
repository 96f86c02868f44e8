"""Models of the functions of string.h on texts that end with a zero."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from remuda.frontends.c.library.models import Model, arguments, guarded, kept, no_meaning, result, unsupported
from remuda.frontends.c.library.ranges import (
    FEW,
    Block,
    Size,
    block,
    byte,
    computed_size,
    number,
    size,
    write_byte,
    write_bytes,
)
from remuda.frontends.c.library.text import (
    character,
    compare_texts,
    count_up,
    counter,
    first_index,
    following,
    horizon,
    is_below,
    is_end,
    is_same,
    lower_case,
    repeat,
    text_length,
    units_of,
)
from remuda.frontends.c.syntax.types import CHAR, INT

if TYPE_CHECKING:
    from remuda.frontends.c.lowering.calls import CallLowering
    from remuda.frontends.c.lowering.trampoline import Steps
    from remuda.frontends.c.syntax import ast
    from remuda.terms.term import Term


def _length(*, is_bounded: bool) -> Model:
    """`strlen`, `strnlen`."""

    def model(calls: CallLowering, node: ast.Call) -> Steps:
        size_type = calls.program.storage.size_type
        values = yield arguments(calls, node, (None, size_type) if is_bounded else (None,))
        source = block(calls, node, 0, values[0])
        limit = size(calls, node, 1, values[1]) if is_bounded else None
        length = text_length(calls, node, source, limit)
        return result(calls, node, length, size_type)

    return guarded(2 if is_bounded else 1, model)


def _check(calls: CallLowering, node: ast.Call, used: Block, extent: Term, *, writes: bool = True) -> None:
    calls.checks.range(used.pointer, used.address, extent, node.span, writes=writes)


def _compare(*, is_bounded: bool, ignore_case: bool = False) -> Model:
    """`strcmp`, `strncmp` and their like."""

    def model(calls: CallLowering, node: ast.Call) -> Steps:
        size_type = calls.program.storage.size_type
        values = yield arguments(calls, node, (None, None, size_type) if is_bounded else (None, None))
        texts = (block(calls, node, 0, values[0]), block(calls, node, 1, values[1]))
        limit = size(calls, node, 2, values[2]) if is_bounded else None
        mapping = lower_case(calls) if ignore_case else None
        return result(calls, node, compare_texts(calls, node, texts, limit, mapping=mapping), INT)

    return guarded(3 if is_bounded else 2, model)


# --- copies


def _copy_text(calls: CallLowering, node: ast.Call, target: Block, source: Block) -> Term:
    """Copy a text with its end. The result is its length."""
    known = horizon(source)
    if known is None:
        length = _copy_loop(calls, node, target, source)
    else:
        length = text_length(calls, node, source)
        write_bytes(calls, node, target, _up_to(calls, node, (target, source), length, known))
    _check(calls, node, source, following(calls, length), writes=False)
    _check(calls, node, target, following(calls, length))
    return length


def _up_to(calls: CallLowering, node: ast.Call, blocks: tuple[Block, Block], length: Term, count: int) -> list[Term]:
    """The first characters of the first block after a copy of a text and its end from the second one, with at most
    `count` characters."""
    target, source = blocks
    terms, values = calls.program.terms, []
    zero = calls.program.arithmetic.literal(0, CHAR)
    for index in range(count):
        here = number(calls, index)
        copied = terms.ite(is_below(calls, here, length), character(calls, node, source, index), zero)
        is_kept = is_below(calls, length, here)
        values.append(terms.ite(is_kept, byte(calls, node, target, here), copied))
    return values


def _copy_loop(calls: CallLowering, node: ast.Call, target: Block, source: Block) -> Term:
    terms, at = calls.program.terms, counter(calls, node)
    index = terms.var(at)

    def goes_on() -> Term:
        value = kept(calls, node, byte(calls, node, source, index))
        write_byte(calls, node, target, index, value)
        return terms.not_(is_end(calls, value))

    repeat(calls, node, goes_on, lambda: count_up(calls, node, at))
    return index


def _copy(*, to_end: bool = False) -> Model:
    """`strcpy`; `stpcpy`, which returns the end of the copy."""

    def model(calls: CallLowering, node: ast.Call) -> Steps:
        values = yield arguments(calls, node, (None, None))
        target, source = block(calls, node, 0, values[0]), block(calls, node, 1, values[1])
        length = _copy_text(calls, node, target, source)
        made = target.behind(calls, length) if to_end else target
        return result(calls, node, made.address, calls.program.storage.pointer)

    return guarded(2, model)


def _copy_bounded(calls: CallLowering, node: ast.Call) -> Steps:
    """`strncpy` writes exactly `n` characters, with zeros behind the end of the text."""
    values = yield arguments(calls, node, (None, None, calls.program.storage.size_type))
    target, source = block(calls, node, 0, values[0]), block(calls, node, 1, values[1])
    limit = size(calls, node, 2, values[2])
    _check(calls, node, target, limit.term)
    if limit.constant is not None and limit.constant <= FEW:
        _copy_few(calls, node, target, source, limit.constant)
    else:
        _copy_padded(calls, node, target, source, limit)
    return result(calls, node, target.address, calls.program.storage.pointer)


def _copy_few(calls: CallLowering, node: ast.Call, target: Block, source: Block, count: int) -> None:
    terms, zero = calls.program.terms, calls.program.arithmetic.literal(0, CHAR)
    known = horizon(source) or count
    is_over = terms.false
    values: list[Term] = []
    for index in range(count):
        value = terms.ite(is_over, zero, character(calls, node, source, index)) if index < known else zero
        values.append(kept(calls, node, value))
        is_over = is_end(calls, values[-1])
    write_bytes(calls, node, target, values)


def _copy_padded(calls: CallLowering, node: ast.Call, target: Block, source: Block, limit: Size) -> None:
    terms, at = calls.program.terms, counter(calls, node)
    index, zero = terms.var(at), calls.program.arithmetic.literal(0, CHAR)
    is_over = calls.blocks.temporary(terms.true.type, "over")
    calls.blocks.assign(is_over, terms.false, node.span)

    def body() -> None:
        value = terms.ite(terms.var(is_over), zero, byte(calls, node, source, index))
        value = kept(calls, node, value)
        write_byte(calls, node, target, index, value)
        calls.blocks.assign(is_over, is_end(calls, value), node.span)
        count_up(calls, node, at)

    repeat(calls, node, lambda: is_below(calls, index, limit.term), body)


def _append(calls: CallLowering, node: ast.Call) -> Steps:
    """`strcat`."""
    values = yield arguments(calls, node, (None, None))
    target, source = block(calls, node, 0, values[0]), block(calls, node, 1, values[1])
    end = target.behind(calls, text_length(calls, node, target))
    _copy_text(calls, node, end, source)
    return result(calls, node, target.address, calls.program.storage.pointer)


def _append_bounded(calls: CallLowering, node: ast.Call) -> Steps:
    """`strncat` appends at most `n` characters, and always an end."""
    values = yield arguments(calls, node, (None, None, calls.program.storage.size_type))
    target, source = block(calls, node, 0, values[0]), block(calls, node, 1, values[1])
    limit = size(calls, node, 2, values[2])
    end = target.behind(calls, text_length(calls, node, target))
    end = Block(end.pointer, kept(calls, node, end.address))
    length = text_length(calls, node, source, limit)
    _check(calls, node, end, following(calls, length))
    if limit.constant is not None and limit.constant <= FEW:
        write_bytes(calls, node, end, _up_to(calls, node, (end, source), length, limit.constant + 1))
    else:
        _append_loop(calls, node, end, source, length)
    return result(calls, node, target.address, calls.program.storage.pointer)


def _append_loop(calls: CallLowering, node: ast.Call, end: Block, source: Block, length: Term) -> None:
    terms, at = calls.program.terms, counter(calls, node)
    index = terms.var(at)

    def body() -> None:
        write_byte(calls, node, end, index, byte(calls, node, source, index))
        count_up(calls, node, at)

    repeat(calls, node, lambda: is_below(calls, index, length), body)
    write_byte(calls, node, end, length, calls.program.arithmetic.literal(0, CHAR))


# --- searches


def _find_character(*, or_end: bool = False) -> Model:
    """`strchr`: the first place of a character (the end counts), or null; `strchrnul`: the same, or the end."""

    def model(calls: CallLowering, node: ast.Call) -> Steps:
        address, wanted, *_ = yield arguments(calls, node, (None, CHAR))
        source, wanted = block(calls, node, 0, address), kept(calls, node, wanted)
        terms, storage = calls.program.terms, calls.program.storage

        def stops(index: Term) -> Term:
            here = byte(calls, node, source, index)
            return terms.or_((is_same(calls, here, wanted), is_end(calls, here)))

        index = first_index(calls, node, source, stops)
        found = source.behind(calls, index).address
        if not or_end:
            is_there = is_same(calls, byte(calls, node, source, index), wanted)
            found = terms.ite(is_there, found, storage.literal(0))
        return result(calls, node, kept(calls, node, found), storage.pointer)

    return guarded(2, model)


def _find_last(calls: CallLowering, node: ast.Call) -> Steps:
    """`strrchr` searches back from the end, which counts as a character."""
    address, wanted, *_ = yield arguments(calls, node, (None, CHAR))
    source, wanted = block(calls, node, 0, address), kept(calls, node, wanted)
    storage = calls.program.storage
    count = kept(calls, node, following(calls, text_length(calls, node, source)))

    def back(steps: Term) -> Term:
        return calls.program.arithmetic.binary("-", count, following(calls, steps), storage.size_type)

    known = horizon(source)
    if known is not None:
        last = _last_of_few(calls, node, source, wanted, known)
        return result(calls, node, kept(calls, node, last), storage.pointer)
    steps = first_index(
        calls,
        node,
        source,
        lambda steps: is_same(calls, byte(calls, node, source, back(steps)), wanted),
        computed_size(count),
    )
    place = source.behind(calls, back(steps)).address
    found = calls.program.terms.ite(is_below(calls, steps, count), place, storage.literal(0))
    return result(calls, node, kept(calls, node, found), storage.pointer)


def _last_of_few(calls: CallLowering, node: ast.Call, source: Block, wanted: Term, count: int) -> Term:
    """The last place of a character in a text that ends within a few characters; null if there is none."""
    terms = calls.program.terms
    found, is_text = calls.program.storage.literal(0), terms.true
    for index in range(count):
        here = character(calls, node, source, index)
        place = source.behind(calls, number(calls, index)).address
        found = terms.ite(terms.and_((is_text, is_same(calls, here, wanted))), place, found)
        is_text = terms.and_((is_text, terms.not_(is_end(calls, here))))
    return found


def _find_text(calls: CallLowering, node: ast.Call) -> Steps:
    """`strstr`: the first occurrence of a string literal, or null."""
    values = yield arguments(calls, node, (None, None))
    source, wanted = block(calls, node, 0, values[0]), block(calls, node, 1, values[1])
    units = units_of(wanted)
    if units is None:
        return unsupported(calls, node, "strstr of a text that is computed")
    terms, storage = calls.program.terms, calls.program.storage

    def stands_at(index: Term) -> Term:
        same = []
        for offset, unit in enumerate(units[:-1]):
            here = source.behind(calls, number(calls, offset))
            letter = calls.program.arithmetic.literal(unit, CHAR)
            same.append(is_same(calls, byte(calls, node, here, index), letter))
        return terms.and_(same)

    def stops(index: Term) -> Term:
        return terms.or_((stands_at(index), is_end(calls, byte(calls, node, source, index))))

    index = first_index(calls, node, source, stops)
    found = terms.ite(stands_at(index), source.behind(calls, index).address, storage.literal(0))
    return result(calls, node, kept(calls, node, found), storage.pointer)


def _span(*, of_set: bool, as_pointer: bool = False) -> Model:
    """`strspn`, `strcspn`: the number of characters from the start that are (not) in a string literal; `strpbrk`."""

    def model(calls: CallLowering, node: ast.Call) -> Steps:
        values = yield arguments(calls, node, (None, None))
        source, chosen = block(calls, node, 0, values[0]), block(calls, node, 1, values[1])
        units = units_of(chosen)
        if units is None:
            return unsupported(calls, node)
        terms, storage = calls.program.terms, calls.program.storage
        literals = [calls.program.arithmetic.literal(unit, CHAR) for unit in units[:-1]]

        def stops(index: Term) -> Term:
            here = byte(calls, node, source, index)
            inside = terms.or_([is_same(calls, here, literal) for literal in literals])
            return terms.or_((is_end(calls, here), terms.not_(inside) if of_set else inside))

        index = first_index(calls, node, source, stops)
        if not as_pointer:
            return result(calls, node, index, storage.size_type)
        is_over = is_end(calls, byte(calls, node, source, index))
        found = terms.ite(is_over, storage.literal(0), source.behind(calls, index).address)
        return result(calls, node, kept(calls, node, found), storage.pointer)

    return guarded(2, model)


STRINGS: Final[dict[str, Model]] = {
    "strlen": _length(is_bounded=False),
    "strnlen": _length(is_bounded=True),
    **dict.fromkeys(("strcmp", "strcoll"), _compare(is_bounded=False)),
    "strncmp": _compare(is_bounded=True),
    "strcasecmp": _compare(is_bounded=False, ignore_case=True),
    "strncasecmp": _compare(is_bounded=True, ignore_case=True),
    "strcpy": _copy(),
    "stpcpy": _copy(to_end=True),
    "strncpy": guarded(3, _copy_bounded),
    "strcat": guarded(2, _append),
    "strncat": guarded(3, _append_bounded),
    **dict.fromkeys(("strchr", "index"), _find_character()),
    "strchrnul": _find_character(or_end=True),
    **dict.fromkeys(("strrchr", "rindex"), guarded(2, _find_last)),
    "strstr": guarded(2, _find_text),
    "strspn": _span(of_set=True),
    "strcspn": _span(of_set=False),
    "strpbrk": _span(of_set=False, as_pointer=True),
    **dict.fromkeys(
        ("strtok", "strtok_r", "strsep", "strlcpy", "strlcat", "stpncpy", "strcasestr", "memrchr", "rawmemchr"),
        no_meaning,
    ),
}
