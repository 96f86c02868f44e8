"""Functions of the C library, as programs use them: memory, texts, characters, numbers and the end of the program."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from remuda.frontends.c.syntax.types import IntegerType
from remuda.machine.arithmetic import limits, wrap
from remuda.machine.formats import formatted
from remuda.machine.library_numbers import NUMBERS
from remuda.machine.library_threads import THREADS
from remuda.machine.memory import DEAD, NULL, Object, Pointer, describe
from remuda.machine.outcomes import Cause, End, Stop, not_modelled, undefined
from remuda.machine.threads import Elsewhere

if TYPE_CHECKING:
    from remuda.base.source import Span
    from remuda.machine.calls import Site
    from remuda.machine.intrinsics import Model
    from remuda.machine.memory import Value
    from remuda.machine.run import Execution

ADDRESS_BITS: Final = 40  # that no block is larger than
BYTE: Final = IntegerType(8, signed=False, name="unsigned char")


def _pointer(execution: Execution, value: Any) -> Pointer:  # noqa: ANN401 - an argument of any type
    """An argument that should be a pointer, even if no prototype says so."""
    return value if isinstance(value, Pointer) else execution.memory.at_address(int(value))


def _size(execution: Execution, value: Any) -> int:  # noqa: ANN401
    number: int = value
    return number & ((1 << execution.target.pointer_width) - 1)


# --- allocation


def _new(execution: Execution, site: Site, size: int, *, zero: bool = False) -> Pointer:
    """A new block; null if no machine has so much memory."""
    if size >> min(ADDRESS_BITS, execution.target.pointer_width - 1):
        return NULL
    made = execution.memory.create(f"{site.name} at {site.span}", "heap", size, is_known=zero)
    return Pointer(made, 0)


def _malloc(execution: Execution, site: Site, values: list[Any]) -> Value | None:
    return _new(execution, site, _size(execution, values[0]))


def _aligned_alloc(execution: Execution, site: Site, values: list[Any]) -> Value | None:
    return _new(execution, site, _size(execution, values[1]))


def _calloc(execution: Execution, site: Site, values: list[Any]) -> Value | None:
    size = _size(execution, values[0]) * _size(execution, values[1])
    if size >> execution.target.pointer_width:
        return NULL
    return _new(execution, site, size, zero=True)


def _realloc(execution: Execution, site: Site, values: list[Any]) -> Value | None:
    old, size = _pointer(execution, values[0]), _size(execution, values[1])
    if not old:
        return _new(execution, site, size)
    block = _block(old, site)
    made = _new(execution, site, size)
    if not made:
        return NULL
    kept = execution.memory.read_blob(old, 0, min(size, block.size), site.span)
    execution.memory.write_blob(made, 0, kept, site.span)
    execution.memory.kill(block)
    return made


def _free(execution: Execution, site: Site, values: list[Any]) -> Value | None:
    pointer = _pointer(execution, values[0])
    if pointer:
        execution.memory.kill(_block(pointer, site))
    return None


def _block(pointer: Pointer, site: Site) -> Object:
    """The block that may be freed through a pointer."""
    object_ = pointer.object
    if object_ is None:
        raise undefined(Cause.POINTER, site.span, f"{site.name} of the made-up pointer {pointer.offset:#x}")
    if object_.kind == "outside":
        raise not_modelled(site.span, f"{site.name} of a pointer from outside")
    if object_.kind != "heap":
        raise undefined(Cause.POINTER, site.span, f"{site.name} of {describe(object_)}, which was not allocated")
    if object_.limit == DEAD:
        raise undefined(Cause.POINTER, site.span, f"{site.name} of {describe(object_)}, which was freed before")
    if pointer.offset != 0:
        text = f"{site.name} of a pointer to offset {pointer.offset} of {describe(object_)}"
        raise undefined(Cause.POINTER, site.span, text)
    return object_


def _alloca(execution: Execution, site: Site, values: list[Any]) -> Value | None:
    return execution.allocate_in_frame(_size(execution, values[0]), f"{site.name} at {site.span}")


# --- bytes


def _copy(*, to_end: bool = False, may_overlap: bool = False) -> Model:
    def model(execution: Execution, site: Site, values: list[Any]) -> Value | None:
        target, source = _pointer(execution, values[0]), _pointer(execution, values[1])
        size = _size(execution, values[2])
        if size:
            blob = execution.memory.read_blob(source, 0, size, site.span)
            near = target.object is source.object and abs(target.offset - source.offset) < size
            if near and not may_overlap and target.offset != source.offset:
                raise undefined(Cause.OTHER, site.span, f"{site.name} between parts that overlap")
            execution.memory.write_blob(target, 0, blob, site.span)
        return Pointer(target.object, target.offset + size) if to_end else target

    return model


def _fill(execution: Execution, site: Site, values: list[Any]) -> Value | None:
    target, size = _pointer(execution, values[0]), _size(execution, values[2])
    if size:
        execution.memory.check(target, 0, size, site.span, write=True)  # before as many bytes are made
        _write(execution, target, bytes([values[1] & 255]) * size, site.span)
    return target


def _zero(execution: Execution, site: Site, values: list[Any]) -> Value | None:
    return _fill(execution, site, [values[0], 0, values[1]])


def _write(execution: Execution, target: Pointer, data: bytes, span: Span) -> None:
    if data:
        object_ = execution.memory.check(target, 0, len(data), span, write=True)
        execution.memory.touch(object_, target.offset, len(data))
        object_.data[target.offset : target.offset + len(data)] = data


def _byte(execution: Execution, pointer: Pointer, index: int, span: Span) -> int:
    object_ = execution.prepare_read(pointer, index, 1, BYTE, span)
    return object_.data[pointer.offset + index]


def _compare_bytes(execution: Execution, site: Site, values: list[Any]) -> Value | None:
    left, right = _pointer(execution, values[0]), _pointer(execution, values[1])
    for index in range(_size(execution, values[2])):
        difference = _byte(execution, left, index, site.span) - _byte(execution, right, index, site.span)
        if difference:
            return _sign(execution, site, difference)
    return 0


def _sign(execution: Execution, site: Site, difference: int) -> int:
    """Only the sign of a comparison is known."""
    offered = execution.offered("result", site.name, site.span, site.node.type)
    if isinstance(offered, int) and offered * difference > 0:
        return offered
    execution.leave_open(site.span, f"how large the result of {site.name} is")
    return 1 if difference > 0 else -1


def _find_byte(execution: Execution, site: Site, values: list[Any]) -> Value | None:
    start, wanted = _pointer(execution, values[0]), values[1] & 255
    for index in range(_size(execution, values[2])):
        if _byte(execution, start, index, site.span) == wanted:
            return Pointer(start.object, start.offset + index)
    return NULL


# --- texts


def text_at(execution: Execution, pointer: Pointer, span: Span, limit: int | None = None) -> bytes:
    """The characters before the final zero; at most so many."""
    found = bytearray()
    while limit is None or len(found) < limit:
        character = _byte(execution, pointer, len(found), span)
        if not character:
            break
        found.append(character)
    return bytes(found)


def _length(execution: Execution, site: Site, values: list[Any]) -> Value | None:
    limit = _size(execution, values[1]) if len(values) > 1 else None
    return len(text_at(execution, _pointer(execution, values[0]), site.span, limit))


def _compare_texts(*, is_bounded: bool = False, ignore_case: bool = False) -> Model:
    def model(execution: Execution, site: Site, values: list[Any]) -> Value | None:
        left, right = _pointer(execution, values[0]), _pointer(execution, values[1])
        limit = _size(execution, values[2]) if is_bounded else None
        index = 0
        while limit is None or index < limit:
            one, other = (_byte(execution, each, index, site.span) for each in (left, right))
            if ignore_case:
                one, other = ord(chr(one).lower()), ord(chr(other).lower())
            if one != other:
                return _sign(execution, site, one - other)
            if not one:
                break
            index += 1
        return 0

    return model


def _copy_text(*, to_end: bool = False) -> Model:
    def model(execution: Execution, site: Site, values: list[Any]) -> Value | None:
        target = _pointer(execution, values[0])
        text = text_at(execution, _pointer(execution, values[1]), site.span)
        _write(execution, target, text + b"\0", site.span)
        return Pointer(target.object, target.offset + len(text)) if to_end else target

    return model


def _copy_bounded(execution: Execution, site: Site, values: list[Any]) -> Value | None:
    target, limit = _pointer(execution, values[0]), _size(execution, values[2])
    text = text_at(execution, _pointer(execution, values[1]), site.span, limit)
    _write(execution, target, text.ljust(limit, b"\0"), site.span)
    return target


def _append(execution: Execution, site: Site, values: list[Any]) -> Value | None:
    target = _pointer(execution, values[0])
    limit = _size(execution, values[2]) if len(values) > 2 else None
    start = len(text_at(execution, target, site.span))
    text = text_at(execution, _pointer(execution, values[1]), site.span, limit)
    _write(execution, Pointer(target.object, target.offset + start), text + b"\0", site.span)
    return target


def _find_character(*, last: bool = False, or_end: bool = False) -> Model:
    def model(execution: Execution, site: Site, values: list[Any]) -> Value | None:
        start, wanted = _pointer(execution, values[0]), bytes([values[1] & 255])
        text = text_at(execution, start, site.span) + b"\0"
        at = text.rfind(wanted) if last else text.find(wanted)
        if at < 0:
            return Pointer(start.object, start.offset + len(text) - 1) if or_end else NULL
        return Pointer(start.object, start.offset + at)

    return model


def _find_text(execution: Execution, site: Site, values: list[Any]) -> Value | None:
    start = _pointer(execution, values[0])
    text, wanted = (text_at(execution, _pointer(execution, each), site.span) for each in values[:2])
    at = text.find(wanted)
    return NULL if at < 0 else Pointer(start.object, start.offset + at)


def _span(*, of_set: bool, as_pointer: bool = False) -> Model:
    def model(execution: Execution, site: Site, values: list[Any]) -> Value | None:
        start = _pointer(execution, values[0])
        text, among = (text_at(execution, _pointer(execution, each), site.span) for each in values[:2])
        at = next((position for position, each in enumerate(text) if (each in among) != of_set), len(text))
        if as_pointer:
            return NULL if at == len(text) else Pointer(start.object, start.offset + at)
        return at

    return model


def _duplicate(execution: Execution, site: Site, values: list[Any]) -> Value | None:
    limit = _size(execution, values[1]) if len(values) > 1 else None
    text = text_at(execution, _pointer(execution, values[0]), site.span, limit)
    made = _new(execution, site, len(text) + 1)
    _write(execution, made, text + b"\0", site.span)
    return made


# --- characters


def _class(members: str) -> Model:
    among = frozenset(map(ord, members))
    return lambda _, __, values: 1 if values[0] in among else 0


DIGITS: Final = "0123456789"
UPPER: Final = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
LOWER: Final = UPPER.lower()
GRAPHIC: Final = "".join(map(chr, range(33, 127)))
CHARACTERS: Final[dict[str, Model]] = {
    "isdigit": _class(DIGITS),
    "isupper": _class(UPPER),
    "islower": _class(LOWER),
    "isalpha": _class(UPPER + LOWER),
    "isalnum": _class(DIGITS + UPPER + LOWER),
    "isxdigit": _class(DIGITS + "abcdefABCDEF"),
    "isspace": _class(" \t\n\v\f\r"),
    "isblank": _class(" \t"),
    "isprint": _class(" " + GRAPHIC),
    "isgraph": _class(GRAPHIC),
    "ispunct": _class("".join(each for each in GRAPHIC if each not in DIGITS + UPPER + LOWER)),
    "iscntrl": _class("".join(map(chr, range(32))) + "\x7f"),
    "toupper": lambda _, __, values: values[0] - 32 if 97 <= values[0] <= 122 else values[0],
    "tolower": lambda _, __, values: values[0] + 32 if 65 <= values[0] <= 90 else values[0],
}


# --- numbers


def _absolute(execution: Execution, site: Site, values: list[Any]) -> Value | None:
    type_ = site.node.type
    assert isinstance(type_, IntegerType)
    if abs(values[0]) > limits(type_)[1]:
        execution.report(Cause.OVERFLOW, site.span, f"{site.name} of {values[0]}")
    return wrap(abs(values[0]), type_)


def _input(execution: Execution, site: Site, _: list[Any]) -> Value | None:
    """A number that comes from outside."""
    return execution.ask_value("library", site.name, site.span, site.node.type)


def _random(execution: Execution, site: Site, _: list[Any]) -> Value | None:
    value = execution.ask_value("library", site.name, site.span, site.node.type)
    if isinstance(value, int) and not 0 <= value < 1 << 31:
        raise Stop(End.ASSUMED, site.span, f"{site.name} returns {value}")
    return value


def _parse(execution: Execution, site: Site, values: list[Any]) -> Value | None:
    """`atoi` and its like."""
    text = text_at(execution, _pointer(execution, values[0]), site.span).decode("latin-1").lstrip(" \t\n\v\f\r")
    sign = -1 if text[:1] == "-" else 1
    digits = text[1:] if text[:1] in {"+", "-"} else text
    count = next((at for at, each in enumerate(digits) if each not in DIGITS), len(digits))
    value = sign * int(digits[:count] or "0")
    type_ = site.node.type
    assert isinstance(type_, IntegerType)
    if not limits(type_)[0] <= value <= limits(type_)[1]:
        execution.report(Cause.OVERFLOW, site.span, f"{site.name} of {text}")
    return wrap(value, type_)


def _parse_based(execution: Execution, site: Site, values: list[Any]) -> Value | None:
    """`strtol` and its like: a number in some base, and where it ends."""
    start, base = _pointer(execution, values[0]), values[2]
    whole = text_at(execution, start, site.span).decode("latin-1")
    text = whole.lstrip(" \t\n\v\f\r")
    sign = -1 if text[:1] == "-" else 1
    rest = text[1:] if text[:1] in {"+", "-"} else text
    is_hexadecimal = rest[:2].lower() == "0x" and rest[2:3].lower() in set(DIGITS + "abcdef") and base in {0, 16}
    base = base or (16 if is_hexadecimal else 8 if rest[:1] == "0" else 10)
    rest = rest[2:] if is_hexadecimal else rest
    among = (DIGITS + LOWER)[:base]
    count = next((at for at, each in enumerate(rest.lower()) if each not in among), len(rest))
    end = len(whole) - len(rest) + count if count else 0
    target = _pointer(execution, values[1])
    if target:
        cell = execution.memory.check(target, 0, execution.memory.pointer_size, site.span, write=True)
        execution.memory.store_pointer(cell, target.offset, Pointer(start.object, start.offset + end))
    type_ = site.node.type
    assert isinstance(type_, IntegerType)
    low, high = limits(type_)
    value = sign * int(rest[:count] or "0", base)
    return max(low, min(high, value)) if type_.signed else wrap(value, type_) if abs(value) <= high else high


# --- input and output


def _print(first: int) -> Model:
    def model(execution: Execution, site: Site, values: list[Any]) -> Value | None:
        form = text_at(execution, _pointer(execution, values[first]), site.span)
        types = [argument.type for argument in site.node.arguments[first + 1 :]]
        text = formatted(execution, form, values[first + 1 :], types, site.span)
        execution.output.append(text)
        return _length_of_output(execution, site, len(text))

    return model


def _length_of_output(execution: Execution, site: Site, length: int) -> Value:
    """Output may fail, so its result is open."""
    offered = execution.offered("result", site.name, site.span, site.node.type)
    return length if offered is None else offered


def _print_into(first: int, *, is_bounded: bool) -> Model:
    def model(execution: Execution, site: Site, values: list[Any]) -> Value | None:
        form = text_at(execution, _pointer(execution, values[first]), site.span)
        types = [argument.type for argument in site.node.arguments[first + 1 :]]
        text = formatted(execution, form, values[first + 1 :], types, site.span)
        room = _size(execution, values[1]) if is_bounded else len(text) + 1
        if room:
            _write(execution, _pointer(execution, values[0]), text[: room - 1] + b"\0", site.span)
        return len(text)

    return model


def _put_text(execution: Execution, site: Site, values: list[Any]) -> Value | None:
    text = text_at(execution, _pointer(execution, values[0]), site.span)
    execution.output.append(text + (b"\n" if site.name.endswith("puts") and "f" not in site.name else b""))
    return _length_of_output(execution, site, 1)


def _put_character(execution: Execution, site: Site, values: list[Any]) -> Value | None:
    execution.output.append(bytes([values[0] & 255]))
    return _length_of_output(execution, site, values[0] & 255)


def _error_number(execution: Execution, _: Site, __: list[Any]) -> Value | None:
    """Where `errno` is."""
    if "errno" not in execution.state:
        execution.state["errno"] = Pointer(execution.memory.create("errno", "global", 4), 0)
    place: Pointer = execution.state["errno"]
    return place


def _nothing(_: Execution, __: Site, ___: list[Any]) -> Value | None:
    return 0


# --- the end


def _abort(_: Execution, site: Site, __: list[Any]) -> Value | None:
    raise Stop(End.EXITED, site.span, "abort", code=134)


def _exit(execution: Execution, site: Site, values: list[Any]) -> Value | None:
    execution.exit(values[0], site.span)
    raise Elsewhere


def _exit_at_once(execution: Execution, site: Site, values: list[Any]) -> Value | None:
    execution.exit_at_once(values[0], site.span)


def _at_exit(execution: Execution, site: Site, values: list[Any]) -> Value | None:
    execution.exits.append((_pointer(execution, values[0]), site.span))
    return 0


def _no_meaning(_: Execution, site: Site, __: list[Any]) -> Value | None:
    raise not_modelled(site.span, site.name)


_MODELS: Final[dict[str, Model]] = {
    **CHARACTERS,
    **NUMBERS,
    **THREADS,
    **dict.fromkeys(("malloc", "valloc", "kmalloc", "xmalloc"), _malloc),
    **dict.fromkeys(("aligned_alloc", "memalign"), _aligned_alloc),
    "calloc": _calloc,
    "realloc": _realloc,
    **dict.fromkeys(("free", "cfree", "kfree"), _free),
    "alloca": _alloca,
    "memcpy": _copy(),
    "memmove": _copy(may_overlap=True),
    "mempcpy": _copy(to_end=True),
    "memset": _fill,
    "bzero": _zero,
    **dict.fromkeys(("memcmp", "bcmp"), _compare_bytes),
    "memchr": _find_byte,
    **dict.fromkeys(("strlen", "strnlen"), _length),
    **dict.fromkeys(("strcmp", "strcoll"), _compare_texts()),
    "strncmp": _compare_texts(is_bounded=True),
    "strcasecmp": _compare_texts(ignore_case=True),
    "strncasecmp": _compare_texts(is_bounded=True, ignore_case=True),
    "strcpy": _copy_text(),
    "stpcpy": _copy_text(to_end=True),
    "strncpy": _copy_bounded,
    **dict.fromkeys(("strcat", "strncat"), _append),
    **dict.fromkeys(("strchr", "index"), _find_character()),
    **dict.fromkeys(("strrchr", "rindex"), _find_character(last=True)),
    "strchrnul": _find_character(or_end=True),
    "strstr": _find_text,
    "strspn": _span(of_set=True),
    "strcspn": _span(of_set=False),
    "strpbrk": _span(of_set=False, as_pointer=True),
    **dict.fromkeys(("strdup", "strndup"), _duplicate),
    **dict.fromkeys(("abs", "labs", "llabs", "imaxabs"), _absolute),
    **dict.fromkeys(("atoi", "atol", "atoll"), _parse),
    **dict.fromkeys(("strtol", "strtoul", "strtoll", "strtoull"), _parse_based),
    **dict.fromkeys(("rand", "random", "lrand48"), _random),
    **dict.fromkeys(("getchar", "getc", "fgetc", "clock", "getpid", "getuid"), _input),
    **dict.fromkeys(("srand", "srandom", "fflush", "fclose", "setbuf", "setvbuf"), _nothing),
    "__errno_location": _error_number,
    "printf": _print(0),
    **dict.fromkeys(("fprintf", "dprintf"), _print(1)),
    "sprintf": _print_into(1, is_bounded=False),
    "snprintf": _print_into(2, is_bounded=True),
    **dict.fromkeys(("puts", "fputs", "perror"), _put_text),
    **dict.fromkeys(("putchar", "putc", "fputc"), _put_character),
    **dict.fromkeys(("abort", "quick_exit"), _abort),
    "exit": _exit,
    **dict.fromkeys(("_exit", "_Exit"), _exit_at_once),
    "atexit": _at_exit,
    **dict.fromkeys(
        (
            *("setjmp", "_setjmp", "sigsetjmp", "__sigsetjmp", "longjmp", "_longjmp", "siglongjmp", "fork", "vfork"),
            *("scanf", "fscanf", "sscanf", "fgets", "gets", "read", "fread", "time", "gettimeofday", "qsort"),
            *("bsearch", "strtod", "strtok", "signal"),
            *("vprintf", "vfprintf", "vsprintf", "vsnprintf", "getenv", "rand_r", "drand48", "div", "ldiv", "lldiv"),
            *("clock_gettime", "nanosleep", "posix_memalign", "fopen", "atof", "getline", "raise", "swab"),
        ),
        _no_meaning,
    ),
}

_WITH_CHECKS: Final = frozenset(
    {"memcpy", "memmove", "mempcpy", "memset", "strcpy", "stpcpy", "strncpy", "strcat", "strncat"}
)


def _aliases(name: str) -> tuple[str, ...]:
    if name.startswith("__"):
        return (name,)
    plain = (name, f"__builtin_{name}")
    return (*plain, f"__{name}_chk", f"__builtin___{name}_chk") if name in _WITH_CHECKS else plain


LIBRARY: Final[dict[str, Model]] = {alias: model for name, model in _MODELS.items() for alias in _aliases(name)}
