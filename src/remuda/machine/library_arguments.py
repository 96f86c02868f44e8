"""The arguments of library functions: pointers, sizes, bytes and texts."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from remuda.frontends.c.syntax.types import IntegerType
from remuda.machine.memory import Pointer
from remuda.machine.outcomes import not_modelled
from remuda.machine.settings import BYTES

if TYPE_CHECKING:
    from remuda.base.source import Span
    from remuda.machine.calls import Site
    from remuda.machine.intrinsics import Model
    from remuda.machine.memory import Value
    from remuda.machine.run import Execution

MOST_BYTES: Final = 1 << 20  # that come from outside at once
BYTE: Final = IntegerType(8, signed=False, name="unsigned char")


def pointer_of(execution: Execution, value: Any) -> Pointer:  # noqa: ANN401 - an argument of any type
    """An argument that must be a pointer, even without a prototype."""
    return value if isinstance(value, Pointer) else execution.memory.at_address(int(value))


def size_from(execution: Execution, value: Any) -> int:  # noqa: ANN401
    number: int = value
    return number & ((1 << execution.target.pointer_width) - 1)


def write_bytes(execution: Execution, target: Pointer, data: bytes, span: Span) -> None:
    if data:
        object_ = execution.memory.check(target, 0, len(data), span, write=True)
        execution.memory.touch(object_, target.offset, len(data))
        object_.data[target.offset : target.offset + len(data)] = data


def bytes_from_outside(execution: Execution, site: Site, size: int) -> bytes:
    """Bytes from outside that a function writes. The question is asked even for zero bytes."""
    if size > MOST_BYTES:
        raise not_modelled(site.span, f"{site.name} of {size} bytes")
    type_ = IntegerType(8 * max(1, size), signed=False, name="bytes")
    value = execution.ask(BYTES, site.name, site.span, type_)
    assert isinstance(value, int)
    return value.to_bytes(max(1, size), "little")[:size]


def byte_at(execution: Execution, pointer: Pointer, index: int, span: Span) -> int:
    object_ = execution.prepare_read(pointer, index, 1, BYTE, span)
    return object_.data[pointer.offset + index]


def text_at(execution: Execution, pointer: Pointer, span: Span, limit: int | None = None) -> bytes:
    """The characters before the final zero, up to a limit."""
    found = bytearray()
    while limit is None or len(found) < limit:
        character = byte_at(execution, pointer, len(found), span)
        if not character:
            break
        found.append(character)
    return bytes(found)


def any_number(execution: Execution, site: Site, _: list[Any]) -> Value | None:
    """A number that comes from outside."""
    return execution.ask_value("library", site.name, site.span, site.node.type)


def between(low: int, high: int) -> Model:
    """A number in a range that comes from outside."""

    def model(execution: Execution, site: Site, _: list[Any]) -> Value | None:
        value = execution.ask_value("library", site.name, site.span, site.node.type)
        return low + (value - low) % (high - low + 1) if isinstance(value, int) else value

    return model


def no_meaning(_: Execution, site: Site, __: list[Any]) -> Value | None:
    raise not_modelled(site.span, site.name)
