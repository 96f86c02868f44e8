"""Models of input and output, of time, and of other requests to the system: the results are any values.

printf("%d", x)         has no effect that a program can see; returns the number of characters
scanf("%d %d", &x, &y)  returns any number n from -1 to 2; the first n variables are read, the others do not change
fgets(s, n, f)          any text with its end, or NULL
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from remuda.frontends.c.library.formats import (
    Conversion,
    conversions,
    is_integer,
    longest,
    plain_length,
    shortest,
    shown_integer,
    shown_text,
)
from remuda.frontends.c.library.models import (
    Model,
    arguments,
    between,
    choice,
    guarded,
    guessed,
    input_between,
    is_null,
    kept,
    literal_of,
    name_of,
    no_effect,
    no_meaning,
    number_of,
    open_result,
    pointed_type,
    result,
    unsupported,
)
from remuda.frontends.c.library.ranges import (
    FEW,
    Block,
    Cell,
    Contents,
    Size,
    block,
    byte,
    cell_type,
    change,
    computed_size,
    fixed_size,
    number,
    size,
    unknown,
    write_bytes,
)
from remuda.frontends.c.library.text import following
from remuda.frontends.c.syntax.types import CHAR, INT, UNSIGNED, IntegerType, VoidType, is_scalar
from remuda.terms.symbols import Variable, VariableKind

if TYPE_CHECKING:
    from collections.abc import Sequence

    from remuda.frontends.c.lowering.calls import CallLowering
    from remuda.frontends.c.lowering.trampoline import Steps
    from remuda.frontends.c.syntax import ast
    from remuda.terms.term import Term

END: Final = -1  # EOF
LARGEST_CHARACTER: Final = 255
LARGEST_INT: Final = (1 << 31) - 1
ANY_DATA: Final = "assumed to read any data, and to return any value that goes with them"
BASES: Final = {"x": 16, "X": 16, "o": 8}


# --- output


def _print(calls: CallLowering, node: ast.Call) -> Steps:
    """`printf`: only `%n` writes into the memory of the program."""
    texts = [literal_of(argument) for argument in node.arguments]
    if any(text is not None and any(part.kind == "n" for part in conversions(text)) for text in texts):
        return unsupported(calls, node, f"%n in a call of {name_of(node)}")
    return no_effect(calls, node)


def _print_into(format_at: int) -> Model:
    """`sprintf`: any text of the length that the format determines."""

    def model(calls: CallLowering, node: ast.Call) -> Steps:
        format_ = literal_of(node.arguments[format_at])
        most = None if format_ is None else longest(format_)
        values = yield arguments(calls, node, ())
        text = None if format_ is None else _known_text(calls, node, format_, format_at + 1, values)
        if text is not None:
            return _write_known(calls, node, values[0], text, len(text) + 1)
        exact = None if format_ is None else _length_of(calls, node, format_, format_at + 1, values)
        if format_ is None or (exact is None and most is None):
            return unsupported(calls, node, f"a call of {name_of(node)}, which may write a text of any length,")
        length = kept(calls, node, exact or input_between(calls, node, shortest(format_), most or 0))
        used = computed_size(kept(calls, node, following(calls, _wide(calls, length))))
        room = used if most is None else fixed_size(calls, most + 1)
        _write_text(calls, node, block(calls, node, 0, values[0]), length, room, room if exact is None else used)
        return result(calls, node, length, INT)

    return guarded(format_at + 1, model)


def _print_bounded(format_at: int) -> Model:
    """`snprintf` returns the length of the text, and writes the part that there is room for."""

    def model(calls: CallLowering, node: ast.Call) -> Steps:
        storage = calls.program.storage
        format_ = literal_of(node.arguments[format_at])
        least, most = (0, None) if format_ is None else (shortest(format_), longest(format_))
        values = yield arguments(calls, node, (None, storage.size_type))
        text = None if format_ is None else _known_text(calls, node, format_, format_at + 1, values)
        room = size(calls, node, 1, values[1])
        if text is not None and room.constant is not None:
            return _write_known(calls, node, values[0], text, room.constant)
        exact = None if format_ is None else _length_of(calls, node, format_, format_at + 1, values)
        full = exact or input_between(calls, node, least, LARGEST_INT if most is None else most)
        if room.constant != 0:
            calls.program.assume(f"{name_of(node)} is assumed to succeed")
            length = kept(calls, node, _at_most(calls, full, room.term))
            used = room if exact is None else _used(calls, node, length, room)
            target = block(calls, node, 0, values[0])
            if text is None:
                _write_text(calls, node, target, length, room, used)
            else:
                _write_cut(calls, node, target, text, used)
        return result(calls, node, full, INT)

    return guarded(format_at + 1, model)


def _known_text(
    calls: CallLowering, node: ast.Call, format_: str, first: int, values: Sequence[Term]
) -> list[Term] | None:
    """The characters of a text, if all arguments are constants, string literals or single characters; else None.
    `first` is the position of the first argument."""
    if name_of(node).startswith("v"):
        return None
    made: list[Term] = []
    end, position = 0, first
    for part in conversions(format_.partition("\0")[0]):
        made += _characters(calls, format_[end : part.start])
        end = part.end
        if part.kind == "%":
            made += _characters(calls, "%")
            continue
        if position >= len(node.arguments):
            return None
        shown = _shown(calls, part, node.arguments[position], values[position])
        if shown is None:
            return None
        made += shown
        position += 1
    made += _characters(calls, format_.partition("\0")[0][end:])
    return made if len(made) < FEW else None


def _length_of(calls: CallLowering, node: ast.Call, format_: str, first: int, values: Sequence[Term]) -> Term | None:
    """The length of the text that a format makes (an int); None if the length for an argument is unknown."""
    parts = conversions(format_.partition("\0")[0])
    shown = [part for part in parts if part.kind != "%"]
    if name_of(node).startswith("v") or len(shown) > len(node.arguments) - first:
        return None
    arithmetic = calls.program.arithmetic
    total = arithmetic.literal(plain_length(format_) + len(parts) - len(shown), INT)
    for position, part in enumerate(shown, first):
        length = _shown_length(calls, part, node.arguments[position], values[position])
        if length is None:
            return None
        total = arithmetic.binary("+", total, length, INT)
    return total


def _shown_length(calls: CallLowering, part: Conversion, argument: ast.Expression, value: Term) -> Term | None:
    arithmetic, width, literal = calls.program.arithmetic, part.width or "0", literal_of(argument)
    if width == "*":
        return None
    if part.kind == "c" and not part.length:
        return arithmetic.literal(max(1, int(width)), INT)
    if part.kind == "s" and literal is not None:
        text = shown_text(part, literal.partition("\0")[0])
        return None if text is None else arithmetic.literal(len(text), INT)
    source = argument.type
    if not isinstance(source, IntegerType) or not is_integer(
        part, source.width, calls.program.unit.machine.pointer_width
    ):
        return None
    is_signed = part.kind in {"d", "i"}
    type_ = IntegerType({"hh": 8, "h": 16}.get(part.length, source.width), signed=is_signed, name="shown")
    count = _digits(calls, arithmetic.convert(value, source, type_), type_, BASES.get(part.kind, 10))
    if is_signed and not {"+", " "} & {*part.flags}:
        is_negative = arithmetic.compare(
            "<", arithmetic.convert(value, source, type_), arithmetic.literal(0, type_), type_
        )
        count = arithmetic.binary("+", count, arithmetic.from_bool(is_negative, INT), INT)
    elif is_signed:
        count = arithmetic.binary("+", count, arithmetic.literal(1, INT), INT)
    least = arithmetic.literal(int(width), INT)
    return calls.program.terms.ite(arithmetic.compare("<", count, least, INT), least, count)


def _digits(calls: CallLowering, value: Term, type_: IntegerType, base: int) -> Term:
    """The number of digits of a number."""
    arithmetic, count = calls.program.arithmetic, calls.program.arithmetic.literal(1, INT)
    power = base
    while power < 1 << (type_.width - type_.signed):
        large = [arithmetic.compare("<=", arithmetic.literal(power, type_), value, type_)]
        if type_.signed:
            large.append(arithmetic.compare("<=", value, arithmetic.literal(-power, type_), type_))
        count = arithmetic.binary("+", count, arithmetic.from_bool(calls.program.terms.or_(large), INT), INT)
        power *= base
    return count


def _wide(calls: CallLowering, length: Term) -> Term:
    return calls.program.arithmetic.convert(length, INT, calls.program.storage.size_type)


def _used(calls: CallLowering, node: ast.Call, length: Term, room: Size) -> Size:
    """The number of bytes that a text and its end take, or 0 if there is no room at all."""
    size_type, terms = calls.program.storage.size_type, calls.program.terms
    is_none = calls.program.arithmetic.compare("==", room.term, number(calls, 0), size_type)
    count = terms.ite(is_none, number(calls, 0), following(calls, _wide(calls, length)))
    return computed_size(kept(calls, node, count))


def _characters(calls: CallLowering, text: str) -> list[Term]:
    return [calls.program.arithmetic.literal(ord(each), CHAR) for each in text]


def _shown(calls: CallLowering, part: Conversion, argument: ast.Expression, value: Term) -> list[Term] | None:
    """The output of a conversion for an argument, if it is known."""
    if part.kind == "c" and part == Conversion("c", "", None, None, "", part.start, part.end):
        return [calls.program.arithmetic.convert(value, argument.type, CHAR)]
    number, literal = number_of(value), literal_of(argument)
    if part.kind == "s" and literal is not None:
        text = shown_text(part, literal.partition("\0")[0])
    elif number is not None and isinstance(argument.type, IntegerType):
        text = shown_integer(part, number, argument.type.width, calls.program.unit.machine.pointer_width)
    else:
        return None
    return None if text is None else _characters(calls, text)


def _write_known(calls: CallLowering, node: ast.Call, address: Term, text: Sequence[Term], room: int) -> Term | None:
    """Write as many characters as there is room for, and a zero. The result is the number of all characters."""
    if room:
        written = [*text[: room - 1], calls.program.arithmetic.literal(0, CHAR)]
        target = block(calls, node, 0, address)
        calls.checks.range(target.pointer, target.address, number(calls, len(written)), node.span, writes=True)
        write_bytes(calls, node, target, written)
    return result(calls, node, calls.program.arithmetic.literal(len(text), INT), INT)


def _write_cut(calls: CallLowering, node: ast.Call, target: Block, text: Sequence[Term], used: Size) -> None:
    """Write characters and a zero, with this number of bytes in all; nothing if it is 0."""
    calls.checks.range(target.pointer, target.address, used.term, node.span, writes=True)
    arithmetic, terms, size_type = calls.program.arithmetic, calls.program.terms, calls.program.storage.size_type
    zero, written = arithmetic.literal(0, CHAR), []
    for index, character in enumerate((*text, zero)):
        here, behind = number(calls, index), number(calls, index + 1)
        is_inside = arithmetic.compare("<", behind, used.term, size_type)
        is_last = arithmetic.compare("==", behind, used.term, size_type)
        old = byte(calls, node, target, here)
        written.append(terms.ite(is_inside, character, terms.ite(is_last, zero, old)))
    write_bytes(calls, node, target, written)


def _at_most(calls: CallLowering, full: Term, room: Term) -> Term:
    """The length of the part of a text that there is room for, without its end."""
    arithmetic, size_type = calls.program.arithmetic, calls.program.storage.size_type
    last = arithmetic.binary("-", room, number(calls, 1), size_type)
    wide = arithmetic.convert(full, INT, size_type)
    is_short = arithmetic.compare("<", wide, last, size_type)
    return arithmetic.convert(calls.program.terms.ite(is_short, wide, last), size_type, INT)


def _write_text(calls: CallLowering, node: ast.Call, target: Block, length: Term, room: Size, used: Size) -> None:
    """Write any characters, a number of them (an int), and a zero; the rest of the room does not change. Only the
    bytes that are written have to be in the object."""
    calls.checks.range(target.pointer, target.address, used.term, node.span, writes=True)
    calls.program.assume_about(name_of(node), "assumed to write any characters, as many as the format says")
    distance = calls.program.arithmetic.convert(length, INT, calls.program.storage.size_type)
    change(calls, node, target, room, _text_up_to(calls, node, target.behind(calls, distance).address))


# --- input


def _character(calls: CallLowering, node: ast.Call) -> Steps:
    yield arguments(calls, node, ())
    return result(calls, node, input_between(calls, node, END, LARGEST_CHARACTER), INT)


def _scan(first: int) -> Model:
    """`scanf` and its like; `first` is the position of the format."""

    def model(calls: CallLowering, node: ast.Call) -> Steps:
        values = yield arguments(calls, node, ())
        format_ = literal_of(node.arguments[first])
        targets = node.arguments[first + 1 :]
        found = None if format_ is None else [part for part in conversions(format_, is_input=True) if part.is_stored]
        if found is not None and any(part.kind == "n" for part in found):  # it stores, but does not count
            return unsupported(calls, node, f"%n in a call of {name_of(node)}")
        if found is not None and len(found) > len(targets):
            return unsupported(calls, node, f"a call of {name_of(node)} with too few arguments")
        count = len(targets) if found is None else len(found)
        done = input_between(calls, node, END, count)
        for index, target in enumerate(targets[:count]):
            is_read = calls.program.arithmetic.compare(">", done, calls.program.arithmetic.literal(index, INT), INT)
            part = None if found is None else found[index]
            address = kept(calls, node, values[first + 1 + index])
            if not _read_into(calls, node, first + 1 + index, address, part, is_read):
                return unsupported(calls, node, f"reading {target.span.text} by {name_of(node)}")
        return result(calls, node, done, INT)

    return guarded(first + 1, model)


def _scan_text(calls: CallLowering, node: ast.Call) -> Steps:
    """`sscanf`: the model does not compute what the program's own text contains."""
    if node.arguments and not calls.program.is_given(node.arguments[0]):
        calls.program.guess(f"the result of {name_of(node)}", node.span)
    return _scan(1)(calls, node)


def _read_into(
    calls: CallLowering, node: ast.Call, position: int, address: Term, part: Conversion | None, is_read: Term
) -> bool:
    """Give what an argument points to any value, under the condition that it is read. The result says whether the
    model can do it."""
    target = block(calls, node, position, address)
    type_ = pointed_type(target.pointer)
    if part is not None and part.is_text:
        if part.room is None:
            return False
        extent = fixed_size(calls, part.room)
        calls.checks.range(target.pointer, target.address, extent.term, node.span, writes=True)
        contents = unknown(calls, node) if part.kind == "c" else _word(calls, node, target, part)
        change(calls, node, target, extent, _if_read(calls, contents, is_read))
        return True
    if not is_scalar(type_) or (part is None and type_ == CHAR):
        return False
    place = calls.addresses.pointed(target.pointer, target.address, type_)
    value = calls.context.unknown(type_, node.span, f"{name_of(node)} of {node.arguments[position].span.text}")
    old = calls.program.storage.read(place, node.span)
    calls.accesses.write(place, calls.program.terms.ite(is_read, value, old), node.span)  # type: ignore[arg-type]
    return True


def _word(calls: CallLowering, node: ast.Call, target: Block, part: Conversion) -> Contents:
    """The text that `%9s` reads: one character or more, no spaces or zeros, and then a zero."""
    if part.kind != "s":  # only characters of a set are read
        calls.program.guess(f"the result of {name_of(node)}", node.span)
    arithmetic, terms, size_type = calls.program.arithmetic, calls.program.terms, calls.program.storage.size_type
    length = input_between(calls, node, 1, int(part.width or "1"))
    end = kept(calls, node, target.behind(calls, _wide(calls, length)).address)
    up_to = _text_up_to(calls, node, end)
    other = arithmetic.literal(ord("x"), CHAR)

    def contents(cell: Cell) -> Term:
        value = up_to(cell)
        is_before = arithmetic.compare("<", cell.address, end, size_type)
        spaces = [between(calls, value, low, high, CHAR) for low, high in ((0, 0), (9, 13), (32, 32))]
        return terms.ite(terms.and_((is_before, terms.or_(spaces))), other, value)

    return contents


def _if_read(calls: CallLowering, contents: Contents, condition: Term) -> Contents:
    """The new contents if the input is read, else the old ones."""
    return lambda cell: calls.program.terms.ite(condition, contents(cell), cell.old)


def _print_wide(calls: CallLowering, node: ast.Call) -> Steps:
    """`swprintf` writes any characters where the first argument points to. Their number is unknown, so everything
    behind it in the object may change."""
    values = yield calls.expressions.scalars(node.arguments)
    target = block(calls, node, 0, values[0])
    type_ = pointed_type(target.pointer)
    if not isinstance(type_, IntegerType):
        calls.context.unsupported(f"{node.span.text}, which writes to {type_}", node.span)
        return result(calls, node, None, INT)
    storage, terms, arithmetic = calls.program.storage, calls.program.terms, calls.program.arithmetic
    region = calls.program.memory.cell(target.pointer, 0, type_)
    map_ = storage.map_of(region)
    at = Variable("at", storage.address_type, VariableKind.BOUND)
    here, old = terms.var(at), terms.select(terms.var(map_), (terms.var(at),))
    is_behind = arithmetic.compare("<=", target.address, here, storage.size_type)
    is_inside = terms.eq(storage.layout.slot(here), storage.layout.slot(target.address))
    new = unknown(calls, node)(Cell(region, cell_type(region), here, old, None, target.address))
    calls.blocks.assign(
        map_, terms.lambda_((at,), terms.ite(terms.and_((is_inside, is_behind)), new, old)), node.span
    )
    calls.program.assume_about(name_of(node), "assumed to write any text into its first argument, and nothing else")
    return result(calls, node, None, INT)


def _read_line(calls: CallLowering, node: ast.Call) -> Steps:
    """`fgets(s, n, f)` returns s, or null if nothing can be read."""
    storage, arithmetic = calls.program.storage, calls.program.arithmetic
    values = yield arguments(calls, node, (None, storage.size_type))
    target = block(calls, node, 0, values[0])
    room = size(calls, node, 1, values[1])
    calls.program.assume_about(name_of(node), ANY_DATA)
    length = calls.context.unknown(INT, node.span, f"length that {name_of(node)} reads")
    zero = arithmetic.literal(0, INT)
    calls.blocks.assume(arithmetic.compare("<=", zero, length, INT), node.span)
    wide = arithmetic.convert(length, INT, storage.size_type)
    calls.blocks.assume(arithmetic.compare("<", wide, room.term, storage.size_type), node.span)
    is_read = choice(calls, node, f"{name_of(node)} reads something")
    calls.checks.range(target.pointer, target.address, room.term, node.span, writes=True)
    end = target.behind(calls, wide).address
    change(calls, node, target, room, _if_read(calls, _text_up_to(calls, node, end), is_read))
    found = calls.program.terms.ite(is_read, target.address, storage.literal(0))
    return result(calls, node, found, storage.pointer)


def _text_up_to(calls: CallLowering, node: ast.Call, end: Term) -> Contents:
    """Any characters before an address, a zero there, and the old contents behind it."""
    arithmetic, terms, size_type = calls.program.arithmetic, calls.program.terms, calls.program.storage.size_type
    any_value = unknown(calls, node, is_input=True)

    def contents(cell: Cell) -> Term:
        at_end = arithmetic.compare("==", cell.address, end, size_type)
        behind = terms.ite(at_end, arithmetic.literal(0, CHAR), cell.old)
        return terms.ite(arithmetic.compare("<", cell.address, end, size_type), any_value(cell), behind)

    return contents


def _read_bytes(buffer_at: int, sizes_at: Sequence[int], *, may_fail: bool) -> Model:
    """`read` and `fread`: at most the requested bytes, in units of the first size if there are two."""

    def model(calls: CallLowering, node: ast.Call) -> Steps:
        storage, arithmetic, terms = calls.program.storage, calls.program.arithmetic, calls.program.terms
        types = [storage.size_type if position in sizes_at else None for position in range(max(sizes_at) + 1)]
        values = yield arguments(calls, node, types)
        target = block(calls, node, buffer_at, values[buffer_at])
        counts = [size(calls, node, at, values[at]) for at in sizes_at]
        total = _product(calls, node, counts)
        calls.program.assume_about(name_of(node), ANY_DATA)
        done = calls.context.unknown(storage.size_type, node.span, node.span.text)
        calls.blocks.assume(arithmetic.compare("<=", done, counts[-1].term, storage.size_type), node.span)
        is_failed = choice(calls, node, f"{name_of(node)} fails") if may_fail else terms.false
        calls.checks.range(target.pointer, target.address, total.term, node.span, writes=True)
        end = target.behind(calls, terms.ite(is_failed, number(calls, 0), done)).address
        contents = unknown(calls, node, is_input=True)
        if may_fail:  # otherwise, an element that is only read in part has any contents
            contents = _before(calls, contents, kept(calls, node, end))
        change(calls, node, target, total, contents)
        signed = IntegerType(storage.size_type.width, signed=True, name="ssize_t")
        count = arithmetic.convert(done, storage.size_type, signed)
        return result(calls, node, terms.ite(is_failed, arithmetic.literal(-1, signed), count), signed)

    return guarded(max(sizes_at) + 1, model)


def _forget(calls: CallLowering, node: ast.Call) -> Steps:
    """`__VERIFIER_nondet_memory(p, n)` gives n bytes any values."""
    values = yield arguments(calls, node, (None, calls.program.storage.size_type))
    target, count = block(calls, node, 0, values[0]), size(calls, node, 1, values[1])
    calls.checks.range(target.pointer, target.address, count.term, node.span, writes=True)
    change(calls, node, target, count, unknown(calls, node, is_input=True))
    return result(calls, node, None, VoidType())


def _before(calls: CallLowering, contents: Contents, end: Term) -> Contents:
    """New contents in front of an address only."""
    compare, size_type = calls.program.arithmetic.compare, calls.program.storage.size_type
    return lambda cell: calls.program.terms.ite(compare("<", cell.address, end, size_type), contents(cell), cell.old)


def _product(calls: CallLowering, node: ast.Call, counts: Sequence[Size]) -> Size:
    if len(counts) == 1:
        return counts[0]
    left, right = counts
    term = calls.program.arithmetic.binary("*", left.term, right.term, calls.program.storage.size_type)
    constant = None
    if left.constant is not None and right.constant is not None:
        constant = left.constant * right.constant
    return Size(kept(calls, node, term), left.factor * right.factor, constant)


# --- time


def _time(calls: CallLowering, node: ast.Call) -> Steps:
    """`time(&t)` also writes what it returns."""
    values = yield arguments(calls, node, ())
    open_result(calls, node)
    now = calls.any_value(node.type, node.span, node.span.text)
    if node.arguments and not is_null(node.arguments[0]):
        target = block(calls, node, 0, values[0])
        type_ = pointed_type(target.pointer)
        if not is_scalar(type_):
            return unsupported(calls, node)
        storage = calls.program.storage
        place = calls.addresses.pointed(target.pointer, target.address, type_)
        is_given = calls.program.arithmetic.is_nonzero(target.address, storage.pointer)
        value = calls.program.arithmetic.convert(now, node.type, type_)  # type: ignore[arg-type]
        old = storage.read(place, node.span)
        calls.accesses.write(place, calls.program.terms.ite(is_given, value, old), node.span)  # type: ignore[arg-type]
    return now


def _status(low: int, high: int) -> Model:
    """A function that changes nothing that a program can see, and returns any number in a range."""

    def model(calls: CallLowering, node: ast.Call) -> Steps:
        yield arguments(calls, node, ())
        return result(calls, node, input_between(calls, node, low, high), INT)

    return model


def _sleep(calls: CallLowering, node: ast.Call) -> Steps:
    """`sleep(n)` returns the number of seconds that are left."""
    asked, *_ = yield arguments(calls, node, (UNSIGNED,))
    open_result(calls, node)
    left = calls.context.unknown(UNSIGNED, node.span, node.span.text)
    calls.blocks.assume(calls.program.arithmetic.compare("<=", left, asked, UNSIGNED), node.span)
    return result(calls, node, left, UNSIGNED)


def _environment(calls: CallLowering, node: ast.Call) -> Steps:
    """`getenv` returns null for a name with an equals sign, because no variable has one."""
    name = literal_of(node.arguments[0])
    if name is None or "=" not in name:
        return no_effect(calls, node)
    return result(calls, node, calls.program.storage.literal(0), calls.program.storage.pointer)


def _fill_in(position: int) -> Model:
    """A function that gives an object of the program any value: `gettimeofday(&t, 0)`."""

    def model(calls: CallLowering, node: ast.Call) -> Steps:
        values = yield arguments(calls, node, ())
        calls.program.assume_about(name_of(node), ANY_DATA)
        if not is_null(node.arguments[position]):
            target = block(calls, node, position, values[position])
            extent = fixed_size(calls, calls.program.layouts.size(pointed_type(target.pointer), node.span))
            is_given = calls.program.arithmetic.is_nonzero(target.address, calls.program.storage.pointer)
            change(calls, node, target, extent, _if_read(calls, unknown(calls, node), is_given))
        return result(calls, node, None, INT)

    return guarded(position + 1, model)


_SILENT: Final = (
    *("puts", "fputs", "fputs_unlocked", "putchar", "putc", "fputc", "putchar_unlocked", "putc_unlocked", "perror"),
    *("fopen", "fopen64", "fdopen", "freopen", "fclose", "fflush", "tmpfile", "fwrite", "write", "open", "close"),
    *("fseek", "ftell", "rewind", "feof", "ferror", "clearerr", "ungetc", "remove", "rename", "unlink"),
    *("lseek", "isatty", "access", "fsync", "syslog", "openlog", "closelog", "psignal", "dup", "dup2", "pause"),
    *("clock", "difftime", "getpid", "getppid", "getuid", "geteuid", "sched_yield", "alarm"),
    *("setenv", "unsetenv", "putenv", "system", "setlocale", "strerror", "strsignal"),
)

IO: Final[dict[str, Model]] = {
    **dict.fromkeys(("printf", "fprintf", "dprintf", "vprintf", "vfprintf", "vdprintf"), _print),
    **dict.fromkeys(("__printf_chk", "__fprintf_chk", "__vprintf_chk", "__vfprintf_chk", "_IO_putc"), _print),
    **dict.fromkeys(("sprintf", "vsprintf"), guessed(_print_into(1))),
    **dict.fromkeys(("snprintf", "vsnprintf"), guessed(_print_bounded(2))),
    **dict.fromkeys(("swprintf", "vswprintf"), guessed(guarded(2, _print_wide))),
    **dict.fromkeys(("asprintf", "vasprintf", "getline", "getdelim", "setvbuf", "setbuf", "gets"), no_meaning),
    **dict.fromkeys(
        ("getchar", "getc", "fgetc", "getchar_unlocked", "getc_unlocked", "_IO_getc"),
        _character,
    ),
    **dict.fromkeys(("scanf", "__isoc99_scanf"), _scan(0)),
    **dict.fromkeys(("fscanf", "__isoc99_fscanf"), _scan(1)),
    **dict.fromkeys(("sscanf", "__isoc99_sscanf"), _scan_text),
    **dict.fromkeys(("vscanf", "vfscanf", "vsscanf"), no_meaning),
    "fgets": guarded(3, _read_line),
    **dict.fromkeys(("read", "recv"), _read_bytes(1, (2,), may_fail=True)),
    "fread": _read_bytes(0, (1, 2), may_fail=False),
    **dict.fromkeys(("__VERIFIER_nondet_memory", "__CPROVER_havoc_slice"), guarded(2, _forget)),
    "time": _time,
    "gettimeofday": _fill_in(0),
    "clock_gettime": _fill_in(1),
    "nanosleep": _fill_in(1),
    **dict.fromkeys(("atexit", "on_exit", "signal", "sigaction"), no_meaning),
    "sleep": guarded(1, _sleep),
    "usleep": _status(-1, 0),
    "getenv": guarded(1, _environment),
    "fileno": _status(-1, LARGEST_INT),
    **dict.fromkeys(_SILENT, no_effect),
}

# Those with a flag and a size before the format.
CHECKED_IO: Final[dict[str, Model]] = {
    **dict.fromkeys(("__sprintf_chk", "__vsprintf_chk", "__builtin___sprintf_chk"), guessed(_print_into(3))),
    **dict.fromkeys(("__snprintf_chk", "__vsnprintf_chk", "__builtin___snprintf_chk"), guessed(_print_bounded(4))),
    **dict.fromkeys(("__builtin___printf_chk", "__builtin___fprintf_chk"), _print),
}
