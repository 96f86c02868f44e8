"""The statements of random pointer programs: they make and move pointers, write memory, and check values.

Each takes the writer, adds its lines if it is possible, and returns whether it did.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Final

from tests.frontends.c.pointer_disguises import disguised
from tests.frontends.c.pointer_memory import Addresses
from tests.frontends.c.pointer_types import (
    Array,
    Part,
    Pointer,
    Record,
    Scalar,
    Type,
    declaration,
    padding,
    parts,
    path_of,
    pointer_to,
    shared_bytes,
)
from tests.frontends.c.random_pointers import (
    INPUTS,
    Number,
    Place,
    PointerProgram,
    Variable,
    Writer,
    is_pointer,
    is_scalar,
    new_arena,
    new_object,
    random_record,
    random_type,
)

if TYPE_CHECKING:
    from random import Random

Statement = Callable[[Writer], bool]
Derived = tuple[str, Type, Addresses, Variable | None, tuple[str, ...]]  # an expression for a pointer


# --- pointers from others


def address_of(writer: Writer) -> Derived | None:
    place = writer.place(lambda part: part.bits is None and not is_empty(part.type), lambda _: True)
    if place is None:
        return None
    type_ = place.part.type
    is_pointer = any(variable.name == place.text for variable in writer.variables)  # `&` would be its own address
    if isinstance(type_, Array) and (writer.chance(0.7) or is_pointer):
        return place.text, type_.element, place.addresses, place.base, place.locals
    return f"&{place.text}", type_, place.addresses, place.base, place.locals


def is_empty(type_: Type) -> bool:
    """A flexible array member, or what has one: there are no arrays of it."""
    return type_.size == 0 or (isinstance(type_, Record) and is_empty(type_.fields[-1].type))


def moved(writer: Writer) -> Derived | None:
    variable = writer.random.choice(writer.variables)
    size = variable.type.size
    by = writer.number(-4, 4)
    sign = writer.random.choice([1, 1, -1])
    addresses = writer.memory.moved(variable.addresses, [sign * value * size for value in by.values])
    if not size or is_empty(variable.type) or not writer.memory.is_inside(addresses) or not any(by.values):
        return None
    name = variable.name
    if sign < 0:
        text = writer.random.choice([f"{name} - {by.text}", f"&{name}[-{by.text}]"])
    else:
        text = writer.random.choice([f"{name} + {by.text}", f"&{name}[{by.text}]", f"&*({name} + {by.text})"])
    return text.replace("--", "- -"), variable.type, addresses, variable, by.locals


def target_type(writer: Writer) -> Scalar | Record:
    if writer.records and writer.chance(0.5):
        return writer.random.choice(writer.records)
    return writer.scalar()


def cast(writer: Writer) -> Derived | None:
    variable, type_ = writer.random.choice(writer.variables), target_type(writer)
    if not writer.memory.is_inside(variable.addresses, type_.size, type_.align):
        return None
    inner = writer.random.choice(["", "", "(void *)", "(char *)"])
    return f"({pointer_to(type_)}){inner}{variable.name}", type_, variable.addresses, variable, ()


def container(writer: Writer) -> Derived | None:
    """From a part to the record that it is in."""
    if not writer.records:
        return None
    variable, type_ = writer.random.choice(writer.variables), writer.random.choice(writer.records)
    found = [
        part for part in parts(type_)[1:] if part.bits is None and (part.type == variable.type or writer.chance(0.1))
    ]
    if not found:
        return None
    part = writer.random.choice(found)
    text, offsets, locals_ = offset_in(writer, type_, part)
    addresses = writer.memory.moved(variable.addresses, [-offset for offset in offsets])
    if not writer.memory.is_inside(addresses, type_.size, type_.align):
        return None
    bytes_ = writer.random.choice(["char *", "char *", "unsigned char *", "uintptr_t"])
    return f"({pointer_to(type_)})(({bytes_}){variable.name} - {text})", type_, addresses, variable, locals_


def offset_in(writer: Writer, type_: Record, part: Part) -> tuple[str, list[int], tuple[str, ...]]:
    """The offset of a part: elements may be chosen by variables."""
    path, offsets, scaled = "", [part.offset] * writer.worlds, []
    locals_: list[str] = []
    last_scaled = writer.chance(0.3)
    for position, step in enumerate(part.steps):
        if step.text:
            path += f".{step.text}" if position else step.text
            continue
        index = writer.number(0, step.count - 1) if writer.chance(0.5) else writer.literal(step.index)
        offsets = [
            each + (value - step.index) * step.stride for each, value in zip(offsets, index.values, strict=True)
        ]
        locals_ += index.locals
        if last_scaled and position == len(part.steps) - 1:
            scaled.append(f"{index.text} * {writer.random.choice([str(step.stride), f'(long){step.stride}'])}")
        else:
            path += f"[{index.text}]"
    text = f"offsetof({type_.name}, {path})"
    return (f"({' + '.join([text, *scaled])})" if scaled else text), offsets, tuple(locals_)


def by_bytes(writer: Writer) -> Derived | None:
    variable, type_ = writer.random.choice(writer.variables), target_type(writer)
    by = writer.number(-8, 8)
    scale = writer.random.choice([1, 1, 2, 4, 8])
    addresses = writer.memory.moved(variable.addresses, [value * scale for value in by.values])
    if not writer.memory.is_inside(addresses, type_.size, type_.align):
        return None
    bytes_ = writer.random.choice(["char *", "unsigned char *", "uintptr_t", "intptr_t"])
    step = f"{scale} * {by.text}" if scale > 1 else by.text
    return f"({pointer_to(type_)})(({bytes_}){variable.name} + {step})", type_, addresses, variable, by.locals


def loaded(writer: Writer) -> Derived | None:
    place = writer.place(is_pointer, lambda place: writer.memory.read_pointer(place.addresses) is not None)
    if place is None:
        return None
    value = writer.memory.read_pointer(place.addresses)
    assert value is not None
    assert isinstance(place.part.type, Pointer)
    named: list[Scalar | Record] = [*writer.records, *writer.scalars.values()]
    known = {each.name: each for each in named}
    own = known.get(place.part.type.target)
    if own is None or writer.chance(0.3):
        own = target_type(writer)
    if not writer.memory.is_inside(value, own.size, own.align):
        return None
    text = place.text if own.name == place.part.type.target else f"({pointer_to(own)}){place.text}"
    return text, own, value, place.base, place.locals


def chosen(writer: Writer) -> Derived | None:
    """One of two pointers."""
    one = writer.random.choice(writer.variables)
    other = writer.random.choice([each for each in writer.variables if each.type == one.type])
    number = writer.number(0, 3)
    if one is other or number.text.isdigit():
        return None
    limit = writer.random.randint(0, 3)
    addresses = tuple(
        first if value > limit else second
        for value, first, second in zip(number.values, one.addresses, other.addresses, strict=True)
    )
    return f"{number.text} > {limit} ? {one.name} : {other.name}", one.type, addresses, None, ()


def by_difference(writer: Writer) -> Derived | None:
    """As far from one pointer as two others are from each other."""
    one = writer.random.choice(writer.variables)
    alike = [each for each in writer.variables if each.type == one.type]
    other, start = writer.random.choice(alike), writer.random.choice(alike)
    by = []
    for first, second in zip(one.addresses, other.addresses, strict=True):
        if first.block != second.block or not one.type.size or (first.offset - second.offset) % one.type.size:
            return None
        by.append(first.offset - second.offset)
    addresses = writer.memory.moved(start.addresses, by)
    if one is other or is_empty(one.type) or not writer.memory.is_inside(addresses, start.type.size):
        return None
    return f"{start.name} + ({one.name} - {other.name})", start.type, addresses, None, ()


DERIVED: Final = (
    address_of,
    address_of,
    address_of,
    moved,
    moved,
    cast,
    container,
    container,
    container,
    by_bytes,
    by_bytes,
    loaded,
    loaded,
    chosen,
    by_difference,
    disguised,
    disguised,
)


def derive(writer: Writer) -> bool:
    if not writer.variables:
        found = address_of(writer)
    else:
        found = writer.random.choice(DERIVED)(writer)
    if found is None:
        return False
    text, type_, addresses, base, locals_ = found
    if "?" not in text and not isinstance(type_, Array):
        text = writer.outline(pointer_to(type_), text, base, locals_)
    writer.declare(type_, text, addresses)
    return True


# --- pointers that move


def free_variable(writer: Writer) -> Variable | None:
    found = [each for each in writer.variables if not each.fixed and not is_empty(each.type)]
    return writer.random.choice(found) if found else None


def step(writer: Writer) -> bool:
    variable = free_variable(writer)
    if variable is None:
        return False
    by = writer.number(-3, 3)
    sign = writer.random.choice([1, -1])
    addresses = writer.memory.moved(variable.addresses, [sign * value * variable.type.size for value in by.values])
    if not writer.memory.is_inside(addresses) or not any(by.values):
        return False
    name = variable.name
    texts = [f"{name} {'+' if sign > 0 else '-'}= {by.text};"]
    if set(by.values) == {1}:
        texts += [f"{name}{'++' if sign > 0 else '--'};", f"{'++' if sign > 0 else '--'}{name};"]
    if not isinstance(variable.type, Array):
        texts.append(f"{{ {pointer_to(variable.type)}*pp = &{name}; *pp {'+' if sign > 0 else '-'}= {by.text}; }}")
    writer.add(writer.random.choice(texts))
    writer.assign(variable, addresses)
    return True


def atomic_step(writer: Writer) -> bool:
    """Atomic additions to pointers count bytes."""
    variable = free_variable(writer)
    if variable is None or isinstance(variable.type, Array):
        return False
    by = writer.number(-2, 2)
    size = variable.type.size
    addresses = writer.memory.moved(variable.addresses, [value * size for value in by.values])
    if not writer.memory.is_inside(addresses) or not any(by.values):
        return False
    function = writer.random.choice(["__sync_fetch_and_add", "__sync_add_and_fetch"])
    old = variable.addresses if function.startswith("__sync_fetch") else addresses
    text = f"{function}(&{variable.name}, {by.text} * {size})"
    if writer.chance(0.5):
        writer.add(f"{text};")
        writer.assign(variable, addresses)
        return True
    result = Variable(writer.name("p"), variable.type, old, is_local=True)
    writer.add(f"{declaration(variable.type, '*' + result.name)} = {text};")
    writer.assign(variable, addresses)
    writer.variables.append(result)
    return True


# --- writing


def value_for(writer: Writer, part: Part) -> str:
    value = writer.constant()
    if part.bits is not None:
        return str(value % (1 << (part.bits - 1)))
    kind = writer.random.random()
    if kind < 0.2 and writer.numbers:
        return f"{writer.random.choice(writer.numbers).text} + {value % 50}"
    if kind < 0.35 and part.type.size >= 4:
        return f"0x{writer.random.randint(0, 0x7FFFFFFF):x}"
    return str(value)


def store(writer: Writer) -> bool:
    place = writer.place(is_scalar, lambda place: place.part.bits is None or writer.is_readable(place))
    if place is None:
        return False
    value = value_for(writer, place.part)
    locals_ = [*place.locals, *(name for each in writer.numbers if each.text in value for name in each.locals)]
    operator = "="
    if writer.is_readable(place) and place.part.bits is None and writer.chance(0.2):
        operator = writer.random.choice(["^=", "|=", "&="])
    text = writer.outline("void ", f"{place.text} {operator} {value}", place.base, locals_, give=False)
    writer.add(f"{text};")
    writer.wrote(place)
    return True


def store_and_step(writer: Writer) -> bool:
    """`*p++ = 5`, `*--p = 5`"""
    found = [each for each in writer.variables if isinstance(each.type, Scalar) and not each.fixed]
    if not found:
        return False
    variable = writer.random.choice(found)
    direction, before = writer.random.choice([1, -1]), writer.chance(0.5)
    size = variable.type.size
    after = writer.memory.moved(variable.addresses, [direction * size] * writer.worlds)
    target = after if before else variable.addresses
    if not writer.memory.is_inside(after) or not writer.memory.is_inside(target, size, variable.type.align):
        return False
    sign = "++" if direction > 0 else "--"
    text = f"*{sign}{variable.name}" if before else f"*{variable.name}{sign}"
    writer.add(f"{text} = {writer.constant()};")
    writer.memory.write(target, size)
    writer.note(target, size)
    writer.assign(variable, after)
    return True


def store_pointer(writer: Writer) -> bool:
    if not writer.variables:
        return False
    place = writer.place(is_pointer, lambda _: True)
    if place is None:
        return False
    assert isinstance(place.part.type, Pointer)
    variable = writer.random.choice(writer.variables)
    inner = writer.random.choice(["", "", "(void *)", "(uintptr_t)"])
    target = place.part.type.target
    writer.add(f"{place.text} = ({f'{target} *' if target else 'uintptr_t'}){inner}{variable.name};")
    writer.memory.write_pointer(place.addresses, variable.addresses)
    return True


def assign_record(writer: Writer) -> bool:
    def is_record(part: Part) -> bool:
        return isinstance(part.type, Record) and not is_empty(part.type)

    target = writer.place(is_record, lambda _: True)
    if target is None:
        return False
    source = writer.place(lambda part: part.type == target.part.type, lambda place: apart(target, place))
    if source is None:
        return False
    if writer.chance(0.3) and any(is_scalar(part) and part.bits is None for part in parts(target.part.type)):
        return assign_result(writer, target, source)
    writer.add(f"{target.text} = {source.text};")
    copied(writer, target, source)
    return True


def assign_result(writer: Writer, target: Place, source: Place) -> bool:
    """A function gets a record, changes it, and gives it back."""
    type_ = target.part.type
    assert isinstance(type_, Record)
    part = writer.random.choice([part for part in parts(type_) if is_scalar(part) and part.bits is None])
    path = path_of(part)
    name = writer.name("change") + "@"
    writer.functions.append(f"static {type_.name} {name}({type_.name} s, int v) {{ s{path} = v; return s; }}")
    writer.add(f"{target.text} = {name}({source.text}, {writer.constant()});")
    copied(writer, target, source)
    addresses = writer.memory.moved(target.addresses, [part.offset] * writer.worlds)
    writer.memory.write(addresses, part.size)
    writer.note(addresses, part.size)
    return True


def apart(one: Place, other: Place) -> bool:
    return disjoint(one.addresses, other.addresses, one.part.size)


def disjoint(one: Addresses, other: Addresses, size: int) -> bool:
    return all(
        first.block != second.block or abs(first.offset - second.offset) >= size
        for first, second in zip(one, other, strict=True)
    )


def copied(writer: Writer, target: Place, source: Place) -> None:
    type_ = target.part.type
    writer.memory.copy(target.addresses, source.addresses, type_.size, padding(type_), shared_bytes(type_))
    writer.note(target.addresses, type_.size)


def copy_bytes(writer: Writer) -> bool:
    if not writer.variables:
        return False
    target, source = writer.random.choice(writer.variables), writer.random.choice(writer.variables)
    size = writer.random.choice([target.type.size, source.type.size, writer.random.randint(1, 16)])
    memory = writer.memory
    if not size or not memory.is_inside(target.addresses, size) or not memory.is_inside(source.addresses, size):
        return False
    function = writer.random.choice(["memcpy", "memcpy", "memmove", "mempcpy", "mempcpy"])
    if function != "memmove" and not disjoint(target.addresses, source.addresses, size):
        return False
    length = f"sizeof *{target.name}" if size == target.type.size and writer.chance(0.5) else str(size)
    text = f"{function}({target.name}, {source.name}, {length})"
    end = memory.moved(target.addresses, [size if function == "mempcpy" else 0] * writer.worlds)
    memory.copy(target.addresses, source.addresses, size, (), ())
    writer.note(target.addresses, size)
    type_ = target_type(writer)
    if memory.is_inside(end, type_.size, type_.align) and writer.chance(0.7):
        writer.declare(type_, text, end)
    else:
        writer.add(f"{text};")
    return True


def fill_bytes(writer: Writer) -> bool:
    if not writer.variables:
        return False
    target = writer.random.choice(writer.variables)
    size = writer.random.choice([target.type.size, writer.random.randint(1, 12)])
    if not size or not writer.memory.is_inside(target.addresses, size):
        return False
    writer.add(f"memset({target.name}, {writer.random.choice([0, 1, 255, 17])}, {size});")
    writer.memory.write(target.addresses, size)
    writer.note(target.addresses, size)
    return True


# --- loops and recursion


def loop(writer: Writer) -> bool:
    """Writes to one element after another, forwards or backwards, in a loop or a function that calls itself."""
    found = [each for each in writer.variables if not is_empty(each.type) and not isinstance(each.type, Array)]
    if not found:
        return False
    variable = writer.random.choice(found)
    inner = [part for part in parts(variable.type) if is_scalar(part) and part.bits is None]
    if not inner:
        return False
    part = writer.random.choice(inner)
    count, direction = writer.random.randint(2, 3), writer.random.choice([1, -1])
    targets = [
        writer.memory.moved(
            variable.addresses, [direction * index * variable.type.size + part.offset] * writer.worlds
        )
        for index in range(count)
    ]
    whole = [
        writer.memory.moved(variable.addresses, [direction * index * variable.type.size] * writer.worlds)
        for index in range(count)
    ]
    if not all(writer.memory.is_inside(each, variable.type.size, variable.type.align) for each in whole):
        return False
    sign = "+" if direction > 0 else "-"
    path = path_of(part)
    value = writer.constant() % 100
    name, own = variable.name, declaration(variable.type, "*r")
    form = writer.random.choice(["index", "pointer", "recursion", "while"])
    if form == "index":
        writer.add(f"for (int i = 0; i < {count}; i++) {name}[{'-' if direction < 0 else ''}i]{path} = {value} + i;")
    elif form == "pointer":
        end = f"{name} {sign} {count - 1}"
        compare = "<=" if direction > 0 else ">="
        if direction < 0:  # a pointer before the object must not be computed
            writer.add(
                f"{{ int i = {count}; for ({own} = {name}; ; r--) {{ (*r){path} = {value} + i; if (--i == 0) break; }} }}"
            )
        else:
            writer.add(f"for ({own} = {name}; r {compare} {end}; r++) (*r){path} = {value};")
    elif form == "while":
        past = f"{name} + {count}" if direction > 0 else f"{name} + 1"
        first = name if direction > 0 else f"{name} - {count - 1}"
        writer.add(f"{{ {own} = {past}; while (r != {first}) (*--r){path} = {value}; }}")
    else:
        function = writer.name("walk") + "@"
        writer.functions.append(
            f"static void {function}({own}, int n) "
            f"{{ (*r){path} = n + {value}; if (n > 1) {function}(r {sign} 1, n - 1); }}"
        )
        writer.add(f"{function}({name}, {count});")
    for target in targets:
        writer.memory.write(target, part.size)
        writer.note(target, part.size)
    return True


# --- conditions


def conditional(writer: Writer) -> bool:
    """Statements that only some executions reach."""
    if writer.worlds == 1 or writer.indent != "  ":
        return False
    number = writer.numbers[0]
    limit = writer.random.randint(0, 2)
    active = [world for world, value in enumerate(number.values) if value > limit]
    kept, numbers = len(writer.variables), len(writer.numbers)
    writer.add(f"if ({number.text} > {limit}) {{")
    begin = len(writer.lines)
    writer.indent, writer.memory.active = "    ", active
    for _ in range(writer.random.randint(1, 2)):
        writer.random.choice([step, store, store, derive])(writer)
    writer.indent, writer.memory.active = "  ", range(writer.worlds)
    del writer.variables[kept:], writer.numbers[numbers:]
    if len(writer.lines) == begin:
        writer.lines.pop()
        return True
    writer.add("}")
    body = [line.strip() for line in writer.lines[begin - 1 :]]
    del writer.lines[begin - 1 :]
    writer.add(" ".join(body))
    return True


# --- checks


def check(writer: Writer) -> bool:
    place: Place | None = None
    if writer.written and writer.chance(0.7):
        place = writer.same_bytes(writer.random.choice(writer.written[-8:]))
    place = place or writer.readable()
    if place is None:
        return False
    text = place.text
    if place.base is not None:
        text = writer.outline("long long ", place.text, place.base, place.locals)
    writer.check(text)
    return True


def check_pointers(writer: Writer) -> bool:
    if not writer.variables:
        return False
    one = writer.random.choice(writer.variables)
    other = writer.random.choice(writer.variables)
    if one is other:
        return False
    memory = writer.memory
    if not memory.is_inside(one.addresses, 1) or not memory.is_inside(other.addresses, 1):
        return False
    same = all(first.block == second.block for first, second in zip(one.addresses, other.addresses, strict=True))
    texts = [f"(char *){one.name} == (char *){other.name}"]
    if same:
        texts += [f"(char *){one.name} - (char *){other.name}", f"(char *){one.name} < (char *){other.name}"]
        size = one.type.size
        if (
            one.type == other.type
            and size
            and all(
                (first.offset - second.offset) % size == 0
                for first, second in zip(one.addresses, other.addresses, strict=True)
            )
        ):
            texts += [f"{one.name} - {other.name}"]
    writer.check(writer.random.choice(texts))
    return True


STATEMENTS: Final[tuple[tuple[Statement, int], ...]] = (
    (derive, 10),
    (step, 2),
    (atomic_step, 1),
    (store, 8),
    (store_and_step, 3),
    (store_pointer, 4),
    (assign_record, 3),
    (copy_bytes, 3),
    (fill_bytes, 1),
    (loop, 2),
    (conditional, 2),
    (check, 3),
    (check_pointers, 1),
)


def random_program(random: Random, arch: str) -> PointerProgram:
    """One program; the same generator state gives the same one."""
    worlds = INPUTS if random.random() < 0.35 else 1
    writer = Writer(random, arch, worlds)
    if worlds > 1:
        writer.add("int n = INPUT;")
        writer.numbers.append(Number("n", tuple(range(worlds)), ("int n",)))
    flexible: list[Record] = []
    for _ in range(random.randint(1, 3)):
        found = random_record(writer)
        if is_empty(found):
            flexible.append(found)
    for _ in range(random.randint(1, 3)):
        type_ = random_type(writer, 64)
        if random.random() < 0.6 and writer.records:
            type_ = random.choice(writer.records)
        new_object(writer, type_)
    for each in flexible:
        new_object(writer, each, flexible=True)
    if random.random() < 0.2:
        new_arena(writer)
    choices = [statement for statement, weight in STATEMENTS for _ in range(weight)]
    wanted = len(writer.lines) + random.randint(5, 12)
    for _ in range(100):
        if len(writer.lines) >= wanted:
            break
        random.choice(choices)(writer)
    for _ in range(20):
        if writer.checks >= 6:
            break
        check(writer)
    return PointerProgram(
        tuple(writer.types), tuple(writer.globals), tuple(writer.functions), tuple(writer.lines), worlds
    )
