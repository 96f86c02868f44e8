"""The known content of the memory of a generated program: the targets of pointers, and the bytes that may be read.

A program may have an input. A world is an execution with one of its values, and all facts are about one world.
The values of integers in memory are not known: gcc computes them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final, NamedTuple, final

if TYPE_CHECKING:
    from tests.frontends.c.pointer_types import Type

ALIGNED: Final = 16  # where blocks begin that are not of one type
READABLE: Final = 0
BITS: Final = 1  # bit-fields, with bits that nothing uses: only the bit-fields may be read
UNREADABLE: Final = 2  # padding, the addresses of objects


class Address(NamedTuple):
    block: int
    offset: int


Addresses = tuple[Address, ...]  # one for each world


@final
@dataclass(slots=True)
class Block:
    """An object of the program: what its bytes are, and the pointers in it, world by world.

    `root` is an expression for the whole object of type `type`.
    """

    root: str
    type: Type
    size: int
    align: int
    kinds: list[bytearray]
    pointers: list[dict[int, Addresses]]
    is_local: bool = False


@final
@dataclass(slots=True)
class Memory:
    worlds: int
    pointer_size: int
    blocks: list[Block] = field(default_factory=list)
    active: Sequence[int] = ()  # the worlds in which the next statement is executed

    def __post_init__(self) -> None:
        self.active = range(self.worlds)

    def add(self, root: str, type_: Type, size: int, align: int, *, is_local: bool) -> int:
        kinds = [bytearray(size) for _ in range(self.worlds)]
        self.blocks.append(Block(root, type_, size, align, kinds, [{} for _ in range(self.worlds)], is_local))
        return len(self.blocks) - 1

    def moved(self, addresses: Addresses, by: Sequence[int]) -> Addresses:
        return tuple(Address(each.block, each.offset + step) for each, step in zip(addresses, by, strict=True))

    def is_inside(self, addresses: Addresses, size: int = 0, align: int = 1) -> bool:
        """Whether this many bytes are inside their blocks, and are aligned."""
        return all(
            0 <= offset <= self.blocks[block].size - size
            and offset % align == 0
            and (align <= self.blocks[block].align)
            for block, offset in (addresses[world] for world in self.active)
        )

    def is_readable(self, addresses: Addresses, size: int, *, bits: bool = False) -> bool:
        limit = BITS if bits else READABLE
        return all(
            max(self.blocks[block].kinds[world][offset : offset + size], default=0) <= limit
            for world, (block, offset) in ((world, addresses[world]) for world in self.active)
        )

    def write(self, addresses: Addresses, size: int) -> None:
        for world in self.active:
            block, offset = addresses[world]
            self._forget(world, block, offset, size)
            self.blocks[block].kinds[world][offset : offset + size] = bytes(size)

    def write_pointer(self, addresses: Addresses, value: Addresses) -> None:
        """A pointer is known in all worlds, or else it is not known in any."""
        self.write(addresses, self.pointer_size)
        for world in self.active:
            block, offset = addresses[world]
            self._hide(world, block, offset, self.pointer_size)
            self.blocks[block].pointers[world][offset] = value

    def read_pointer(self, addresses: Addresses) -> Addresses | None:
        found: list[Address] = list(addresses)
        for world in self.active:
            block, offset = addresses[world]
            value = self.blocks[block].pointers[world].get(offset)
            if value is None:
                return None
            found[world] = value[world]
        return tuple(found)

    def copy(
        self, target: Addresses, source: Addresses, size: int, hidden: Sequence[int], shared: Sequence[int]
    ) -> None:
        """Copy bytes; those that are `hidden` may have any value then, and of those that are `shared` some bits."""
        for world in self.active:
            here, begin = source[world]
            block, offset = target[world]
            kinds = bytes(self.blocks[here].kinds[world][begin : begin + size])
            pointers = {
                at - begin: value
                for at, value in self.blocks[here].pointers[world].items()
                if begin <= at and at + self.pointer_size <= begin + size
            }
            self._forget(world, block, offset, size)
            to = self.blocks[block]
            to.kinds[world][offset : offset + size] = kinds
            for at, value in pointers.items():
                to.pointers[world][offset + at] = value
            for byte in hidden:
                to.kinds[world][offset + byte] = UNREADABLE
            for byte in shared:
                to.kinds[world][offset + byte] = max(BITS, to.kinds[world][offset + byte])

    def _forget(self, world: int, block: int, offset: int, size: int) -> None:
        """Pointers that a write overlaps; the bytes of theirs that stay are parts of an address."""
        pointers = self.blocks[block].pointers[world]
        for at in list(pointers):
            if at < offset + size and offset < at + self.pointer_size:
                del pointers[at]

    def _hide(self, world: int, block: int, offset: int, size: int) -> None:
        self.blocks[block].kinds[world][offset : offset + size] = bytes([UNREADABLE]) * size
