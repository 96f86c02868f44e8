"""Random C programs that move pointers through memory; gcc and a verifier must agree on their assertions.

    program = random_program(Random(7), "lp64")
    program.lines       -- the body of the program, with checks such as `CHECK(0, p->a[1]);`

The generator knows the target of every pointer, so that programs stay inside objects. Otherwise, they move freely
through members and elements (container_of, headers before data, bytes, integers that are addresses).
Values of integers are not known: gcc computes them. Names at file scope end in `@`, for a suffix.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final, final

from tests.frontends.c.pointer_memory import ALIGNED, Address, Addresses, Memory
from tests.frontends.c.pointer_types import (
    Array,
    Part,
    Pointer,
    Record,
    Scalar,
    Type,
    declaration,
    definition,
    has_union,
    parts,
    path_of,
    pointer,
    record,
    scalars,
)

if TYPE_CHECKING:
    from random import Random

INPUTS: Final = 4  # values of the input: 0, 1, 2, 3
LARGEST: Final = 56  # bytes of a type
ATTEMPTS: Final = 30  # to find something that fits
CONSTANT: Final = re.compile(r"&(o|arena)\d+@(\.\w+|\[\d+\])*")  # addresses that may initialise globals


@final
@dataclass(frozen=True, slots=True)
class PointerProgram:
    """Lines that are independent of each other if the language allows it. `worlds` is the number of inputs."""

    types: tuple[str, ...]
    globals: tuple[str, ...]
    functions: tuple[str, ...]
    lines: tuple[str, ...]
    worlds: int


@final
@dataclass(slots=True)
class Variable:
    """A pointer variable and where it points."""

    name: str
    type: Type
    addresses: Addresses
    is_local: bool
    fixed: bool = False  # never assigned again: the only way to an object in the heap


@final
@dataclass(frozen=True, slots=True)
class Number:
    """An integer expression whose values are known. `locals` are the variables it needs."""

    text: str
    values: tuple[int, ...]
    locals: tuple[str, ...] = ()


@final
@dataclass(frozen=True, slots=True)
class Place:
    """An lvalue. `base` is the pointer variable that it begins with, if there is one."""

    text: str
    addresses: Addresses
    part: Part
    base: Variable | None = None
    locals: tuple[str, ...] = ()


@dataclass(slots=True)
class Writer:
    random: Random
    arch: str
    worlds: int
    memory: Memory = field(init=False)
    scalars: dict[str, Scalar] = field(init=False)
    types: list[str] = field(default_factory=list)
    globals: list[str] = field(default_factory=list)
    functions: list[str] = field(default_factory=list)
    lines: list[str] = field(default_factory=list)
    records: list[Record] = field(default_factory=list)
    variables: list[Variable] = field(default_factory=list)
    numbers: list[Number] = field(default_factory=list)
    written: list[Address] = field(default_factory=list)  # most recent last
    checks: int = 0
    names: int = 0
    indent: str = "  "

    def __post_init__(self) -> None:
        self.memory = Memory(self.worlds, 8 if self.arch == "lp64" else 4)
        self.scalars = scalars(self.arch)

    # --- small things

    def chance(self, probability: float) -> bool:
        return self.random.random() < probability

    def name(self, stem: str) -> str:
        self.names += 1
        return f"{stem}{self.names}"

    def add(self, line: str) -> None:
        self.lines.append(self.indent + line)

    def constant(self) -> int:
        """A new value that fits into every type (but for bit-fields)."""
        self.names += 1
        return 10 + self.names % 110

    def scalar(self) -> Scalar:
        names = ["int", "int", "unsigned int", "unsigned char", "unsigned char", "short", "long", "signed char"]
        return self.scalars[self.random.choice([*names, "unsigned short", "long long", "unsigned long"])]

    # --- integers

    def literal(self, value: int) -> Number:
        return Number(str(value), (value,) * self.worlds)

    def number(self, low: int, high: int) -> Number:
        """An integer expression between two values (inclusive) in all worlds."""
        choices = [each for each in self.numbers if low <= min(each.values) and max(each.values) <= high]
        if choices and self.chance(0.6):
            return self.random.choice(choices)
        if self.numbers and self.chance(0.4):
            number = self.random.choice(self.numbers)
            shift = self.random.randint(low, high) - number.values[0]
            values = tuple(value + shift for value in number.values)
            if low <= min(values) and max(values) <= high and shift:
                sign = "+" if shift > 0 else "-"
                return Number(f"({number.text} {sign} {abs(shift)})", values, number.locals)
        value = self.random.randint(low, high)
        if self.chance(0.3):
            return self.new_number(value)
        return self.literal(value)

    def new_number(self, value: int) -> Number:
        type_ = self.random.choice(["int", "int", "long", "short", "signed char"])
        if self.indent == "  " and self.chance(0.5):
            name = self.name("k")
            self.add(f"{type_} {name} = {value};")
            number = Number(name, (value,) * self.worlds, (f"{type_} {name}",))
        else:
            name = self.name("k") + "@"
            self.globals.append(f"static {type_} {name} = {value};")
            number = Number(name, (value,) * self.worlds)
        self.numbers.append(number)
        return number

    # --- places

    def select(
        self, addresses: Addresses, base: str, part: Part, *, arrow: bool
    ) -> tuple[str, Addresses, tuple[str, ...]]:
        """The text and the place of a part of an object; elements are chosen anew where indices may be variables."""
        text, by, used = base, [part.offset] * self.worlds, ()
        locals_: list[str] = list(used)
        for position, step in enumerate(part.steps):
            if step.text:
                arrowed = arrow and position == 0
                text = f"{text}->{step.text}" if arrowed else f"{text}.{step.text}"
                continue
            if arrow and position == 0:
                text = f"(*{text})"
            index = self.number(0, step.count - 1) if self.chance(0.4) else self.literal(step.index)
            by = [each + (value - step.index) * step.stride for each, value in zip(by, index.values, strict=True)]
            text = f"{text}[{index.text}]"
            locals_ += index.locals
        if not part.steps and arrow:
            text = f"(*{base})"
        return text, self.memory.moved(addresses, by), tuple(locals_)

    def roots(self) -> list[tuple[str, Addresses, Type, Variable | None]]:
        """Objects and pointers, with the type that they show."""
        named = [
            (block.root, (Address(index, 0),) * self.worlds, block.type, None)
            for index, block in enumerate(self.memory.blocks)
            if block.root
        ]
        pointed = [(each.name, each.addresses, each.type, each) for each in self.variables]
        return [*named, *pointed, *pointed]

    def place(self, wanted: Callable[[Part], bool], fits: Callable[[Place], bool]) -> Place | None:
        """A random part of something, as wanted; parts found first by type, then by where they are."""
        for _ in range(ATTEMPTS):
            text, addresses, type_, base = self.random.choice(self.roots())
            found = [part for part in parts(type_) if wanted(part)]
            if not found:
                continue
            part = self.random.choice(found)
            step = None
            if base is not None and self.chance(0.35):
                step = self.number(-3, 3)
                moved = self.memory.moved(addresses, [value * type_.size for value in step.values])
                if not self.memory.is_inside(moved, type_.size):
                    continue
                place = self._indexed(text, moved, part, base, step)
            else:
                chosen, at, locals_ = self.select(addresses, text, part, arrow=base is not None)
                place = Place(chosen, at, part, base, locals_)
            align = 1 if part.bits is not None else part.type.align
            if self.memory.is_inside(place.addresses, part.size, align) and fits(place):
                return place
        return None

    def _indexed(self, text: str, moved: Addresses, part: Part, base: Variable, step: Number) -> Place:
        if self.chance(0.3):
            start, arrow = f"({text} + {step.text})", True
        else:
            start, arrow = (f"{text}[{step.text}]" if self.chance(0.8) else f"({step.text})[{text}]"), False
        chosen, at, locals_ = self.select(moved, start, part, arrow=arrow)
        return Place(chosen, at, part, base, (*step.locals, *locals_))

    def is_readable(self, place: Place) -> bool:
        bits = place.part.bits is not None
        return self.memory.is_readable(place.addresses, place.part.size, bits=bits)

    def readable(self) -> Place | None:
        return self.place(is_scalar, self.is_readable)

    def same_bytes(self, address: Address) -> Place | None:
        """A scalar in the object itself that has the byte in all worlds' first."""
        block = self.memory.blocks[address.block]
        if not block.root:
            return None
        found = [
            part
            for part in parts(block.type)
            if is_scalar(part) and part.offset <= address.offset < part.offset + part.size
        ]
        if not found:
            return None
        part = self.random.choice(found)
        base = (Address(address.block, 0),) * self.worlds
        place = Place(block.root + path_of(part), self.memory.moved(base, [part.offset] * self.worlds), part)
        return place if self.memory.is_inside(place.addresses, part.size) and self.is_readable(place) else None

    # --- what changes

    def note(self, addresses: Addresses, size: int) -> None:
        for world in self.memory.active[:2]:
            block, offset = addresses[world]
            self.written += [Address(block, offset), Address(block, offset + size - 1)]

    def wrote(self, place: Place) -> None:
        if place.part.bits is None:
            self.memory.write(place.addresses, place.part.size)
        self.note(place.addresses, place.part.size)

    def declare(self, type_: Type, text: str, addresses: Addresses) -> Variable:
        """A new pointer variable, or one of the same type that is there already."""
        old = [each for each in self.variables if each.type == type_ and not each.fixed]
        if old and self.chance(0.3):
            variable = self.random.choice(old)
            self.add(f"{variable.name} = {text};")
            self.assign(variable, addresses)
            return variable
        is_local = self.indent != "  " or self.chance(0.6)
        if is_local:
            variable = Variable(self.name("p"), type_, addresses, is_local=True)
            self.add(f"{declaration(type_, '*' + variable.name)} = {text};")
        else:
            variable = Variable(self.name("q") + "@", type_, addresses, is_local=False)
            own = declaration(type_, "*" + variable.name)
            if CONSTANT.fullmatch(text) and self.chance(0.7):
                self.globals.append(f"static {own} = {text};")
            else:
                self.globals.append(f"static {own};")
                self.add(f"{variable.name} = {text};")
        self.variables.append(variable)
        return variable

    def assign(self, variable: Variable, addresses: Addresses) -> None:
        values = list(variable.addresses)
        for world in self.memory.active:
            values[world] = addresses[world]
        variable.addresses = tuple(values)

    def outline(
        self, result: str, text: str, base: Variable | None, locals_: Sequence[str], *, give: bool = True
    ) -> str:
        """The expression itself, or the call of a function for it, which gets the pointer and what else it needs."""
        others = [each.name for each in self.variables if each is not base and each.is_local]
        others += [block.root.strip("(*)") for block in self.memory.blocks if block.is_local]
        if base is None or not self.chance(0.3) or any(mentions(text, each) for each in others):
            return text
        name = self.name("f") + "@"
        own = "p"
        needed = list(dict.fromkeys(locals_))
        parameters = ", ".join([declaration(base.type, f"*{own}"), *needed])
        body = word(base.name).sub(own, text)
        self.functions.append(f"static {result}{name}({parameters}) {{ {'return ' if give else ''}{body}; }}")
        arguments = [base.name, *(each.rsplit(" ", 1)[1] for each in needed)]
        called = name
        if self.chance(0.15):
            called = self.name("fp")
            self.add(f"{result}(*{called})({parameters}) = {name};")
        return f"{called}({', '.join(arguments)})"

    def check(self, text: str) -> None:
        self.add(f"CHECK({self.checks}, {text});")
        self.checks += 1


def word(name: str) -> re.Pattern[str]:
    return re.compile(rf"(?<![\w.>]){name}(?![\w@])")


def mentions(text: str, name: str) -> bool:
    return word(name).search(text) is not None


def is_scalar(part: Part) -> bool:
    return isinstance(part.type, Scalar)


def is_pointer(part: Part) -> bool:
    return isinstance(part.type, Pointer)


# --- types


def random_type(writer: Writer, largest: int) -> Type:
    kind = writer.random.random()
    type_: Type = writer.scalar()
    if kind < 0.25:
        type_ = Array(type_, writer.random.randint(2, 4))
    elif kind < 0.35:
        type_ = Array(Array(type_, writer.random.randint(2, 3)), 2)
    elif kind < 0.6 and writer.records:
        type_ = writer.random.choice(writer.records)
        if writer.chance(0.5):
            type_ = Array(type_, writer.random.randint(2, 3))
    elif kind < 0.7:
        targets = ["", "void", "unsigned char", "int", *(each.name for each in writer.records)]
        type_ = pointer(writer.random.choice(targets), writer.arch)
        if writer.chance(0.3):
            type_ = Array(type_, 2)
    return type_ if type_.size <= largest else writer.scalar()


def random_record(writer: Writer) -> Record:
    kind = "union" if writer.chance(0.3) else "struct"
    tag = f"{kind} {writer.name('U' if kind == 'union' else 'S')}@"
    members: list[tuple[str, Type, int | None]] = []
    for index in range(writer.random.randint(2, 4)):
        name = "abcdef"[index]
        if kind == "struct" and writer.chance(0.06):
            bits = writer.random.choice(["int", "unsigned int", "unsigned char"])
            members.append((name, writer.scalars[bits], writer.random.randint(5, 8)))
        else:
            members.append((name, random_type(writer, LARGEST // 2 - 4), None))
    if kind == "union" and writer.chance(0.6):
        size = record(tag, members).size
        members.append(("bytes", Array(writer.scalars["unsigned char"], size), None))
    if kind == "struct" and writer.chance(0.1):
        members.append(("flex", Array(writer.scalar(), 0), None))
    found = record(tag, members)
    writer.types.append(definition(found))
    if found.size <= LARGEST:
        flexible = bool(members[-1][0] == "flex")
        if not flexible:
            writer.records.append(found)
    return found


# --- objects


def new_object(writer: Writer, type_: Type, *, flexible: bool = False) -> None:
    where = writer.random.choice(["global", "global", "local", "heap", "heap"])
    size, memory = type_.size, writer.memory
    if flexible or where == "heap":
        extra = 0
        if flexible:
            assert isinstance(type_, Record)
            flex = type_.fields[-1]
            assert isinstance(flex.type, Array)
            extra = flex.type.element.size * writer.random.randint(2, 4)
            extra -= (size - flex.offset) if writer.chance(0.1) else 0
        _heap_object(writer, type_, size + max(extra, 0))
        return
    name = writer.name("o") + ("@" if where == "global" else "")
    if where == "global":
        writer.globals.append(f"static {declaration(type_, name)}{_initial(writer, type_)};")
    else:
        writer.add(f"{declaration(type_, name)}; memset(&{name}, 0, sizeof {name});")
    memory.add(name, type_, size, type_.align, is_local=where == "local")


def _initial(writer: Writer, type_: Type) -> str:
    """Values for some parts of a global object."""
    found = [part for part in parts(type_) if is_scalar(part) and part.bits is None and part.steps]
    if not found or has_union(type_) or writer.chance(0.6):
        return ""
    chosen = writer.random.sample(found, min(2, len(found)))
    return f" = {{{', '.join(f'{path_of(part)} = {writer.constant()}' for part in chosen)}}}"


def _heap_object(writer: Writer, type_: Type, size: int) -> None:
    extra = f" + {size - type_.size}" if size > type_.size else ""
    count = 1
    if not extra and writer.chance(0.3):
        count = writer.random.randint(2, 3)
    name = writer.name("h") + ("" if writer.chance(0.5) else "@")
    own = declaration(type_, f"*{name}")
    local = not name.endswith("@")
    if not local:
        writer.globals.append(f"static {own};")
    target = own if local else name
    each = f"sizeof *{name}{extra}"
    if writer.chance(0.5):
        writer.add(f"{target} = calloc({count}, {each});")
    else:
        length = f"{count} * ({each})" if count > 1 else each
        writer.add(f"{target} = malloc({length}); memset({name}, 0, {length});")
    root_type: Type = type_ if count == 1 else Array(type_, count)
    root = f"(*{name})" if count == 1 else name
    block = writer.memory.add(root, root_type, size * count, ALIGNED, is_local=local)
    addresses = (Address(block, 0),) * writer.worlds
    writer.variables.append(Variable(name, type_, addresses, is_local=local, fixed=True))


def new_arena(writer: Writer) -> None:
    """Bytes that a function hands out, from one end or the other."""
    name, top, take = writer.name("arena") + "@", writer.name("top") + "@", writer.name("take") + "@"
    size, backwards = 64, writer.chance(0.6)
    byte = writer.scalars["unsigned char"]
    writer.globals.append(f"static _Alignas({ALIGNED}) unsigned char {name}[{size}];")
    block = writer.memory.add(name, Array(byte, size), size, ALIGNED, is_local=False)
    style = writer.random.choice(["index", "pointer"])
    if style == "index":
        writer.globals.append(f"static unsigned {top} = {size if backwards else 0};")
        if backwards:
            body = f"{top} -= n; return {name} + {top};"
        else:
            body = f"void *r = &{name}[{top}]; {top} += n; return r;"
    else:
        writer.globals.append(f"static unsigned char *{top} = {name}{f' + {size}' if backwards else ''};")
        body = f"{top} -= n; return {top};" if backwards else f"void *r = {top}; {top} += n; return r;"
    writer.functions.append(f"static void *{take}(unsigned n) {{ {body} }}")
    used = 0
    for _ in range(writer.random.randint(1, 3)):
        types: list[Type] = [*writer.records, writer.scalar()]
        type_ = writer.random.choice(types)
        room = -(-type_.size // 8) * 8
        if used + room > size:
            break
        used += room
        start = size - used if backwards else used - room
        name = writer.name("p")
        writer.add(f"{declaration(type_, '*' + name)} = {take}({room});")
        addresses = (Address(block, start),) * writer.worlds
        writer.variables.append(Variable(name, type_, addresses, is_local=True))
