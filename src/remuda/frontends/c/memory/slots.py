"""Slots: what values may point to, as far as the points-to analysis has found it.

A *slot* stands for a value. Its targets are offsets in abstract objects. `find_slot` and `find_node` find the
representative of slots and objects that have been united.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, final

from remuda.frontends.c.memory.abstract_objects import Node

if TYPE_CHECKING:
    from collections.abc import Iterator

    from remuda.frontends.c.syntax import ast
    from remuda.frontends.c.syntax.shapes import Array
    from remuda.frontends.c.syntax.types import FloatingType

Label = tuple[int, str]  # the rank of a name for a cell (0 is best), and the name
Kind = tuple[int, "FloatingType | None", bool]  # of an access: size, floating type, is it a number


@final
class Slot:
    """A value. Once it is united with another one, `parent` is that one."""

    __slots__ = (
        "accesses",
        "arrays",
        "calls",
        "copies",
        "extent",
        "fields",
        "fresh",
        "is_address",
        "is_doubtful",
        "is_grounded",
        "is_loose",
        "is_number",
        "is_pointer",
        "is_queued",
        "is_wild",
        "joins",
        "parent",
        "seen",
        "stride",
        "successors",
        "targets",
        "views",
    )

    def __init__(self) -> None:
        self.parent: Slot | None = None
        # Offsets, as they were in the objects when they were added, and whether each stands for itself alone.
        self.targets: dict[Node, dict[int, bool]] = {}
        self.seen: set[Target] = set()  # what was added since everything was last added again
        self.fresh: list[Target] = []  # targets that have not been propagated yet
        self.extent = 0  # the number of bytes that it may be moved through, from start to end
        self.stride = 0  # it is moved by multiples of this number of bytes; 0 if it is not moved
        self.is_pointer = False  # refers to something, even if that is unknown
        self.is_address = False  # a pointer, or an integer that is converted to one
        self.is_grounded = False  # a target is an object of the program, or what a pointer is assumed to point to
        self.is_doubtful = False  # some targets are right only if other pointers have stayed in their arrays
        self.is_wild = False  # may be an unknown integer
        self.is_loose = False  # may be a number from more than targets and constants: wild, if an address
        self.is_number = False  # the contents of a cell that the program reads or writes as a number
        self.is_queued = False
        self.successors: list[tuple[int | None, Slot]] = []  # with the constant that is added; None: unknown
        self.fields: list[tuple[int, Slot]] = []  # pointers into what it points to, at an offset
        self.views: list[Slot] = []  # the slots of its value when it is read as another type
        self.accesses: dict[tuple[int, Kind], tuple[Slot, Label]] = {}  # with the slots of their cells
        self.arrays: dict[Array, None] = {}  # arrays that it points to
        self.joins: list[Place] = []  # objects that are united with those that it points to
        self.copies: list[tuple[Place, int]] = []  # places that bytes are copied from or to, with their number
        self.calls: list[ast.Call] = []  # calls through it


Base = Node | Slot  # an object, or what a value points to
Place = tuple[Base, int]  # an offset there; in an object, as it was when the place was made
Target = tuple[Node, int, bool]  # an offset in an object, and whether it stands for itself alone and not its class


def find_slot(slot: Slot) -> Slot:
    while slot.parent is not None:
        if slot.parent.parent is not None:
            slot.parent = slot.parent.parent
        slot = slot.parent
    return slot


def find_node(node: Node) -> tuple[Node, int]:
    """The node that this one is united with, and by how much its offsets are greater."""
    root, shift = node, 0
    while root.parent is not None:
        shift += root.shift
        root = root.parent
    total = shift
    while node.parent is not None and node.parent is not root:
        following, step = node.parent, node.shift
        node.parent, node.shift = root, total
        node, total = following, total - step
    return root, shift


def targets_of(slot: Slot) -> Iterator[Target]:
    """What a slot refers to, in the objects as they are now."""
    slot = find_slot(slot)
    is_moved = bool(slot.stride) and slot.is_address
    for node, offsets in slot.targets.items():
        root, shift = find_node(node)
        for offset, is_exact in offsets.items():
            yield root, offset + shift, is_exact and not is_moved


def offsets_in(slot: Slot, root: Node) -> dict[int, bool]:
    """The offsets in one object that a slot refers to."""
    for node in [each for each in slot.targets if each.parent is not None]:  # they have been united with others since
        current, shift = find_node(node)
        known = slot.targets.setdefault(current, {})
        for offset, is_exact in slot.targets.pop(node).items():
            known[offset + shift] = known.get(offset + shift, True) and is_exact
    return slot.targets.get(root, {})


def places_of(place: Place) -> list[Target]:
    """The objects, as they are now, and the offsets that a place may be."""
    base, offset = place
    if isinstance(base, Slot):
        return [there for target in targets_of(base) for there in reached_from(target, offset)]
    root, shift = find_node(base)
    return [(root, offset + shift, True)]


def reached_from(target: Target, added: int) -> list[Target]:
    """The targets after adding a constant. If they are too many, `PointsTo` has united them."""
    root, start, is_exact = target
    found = None if is_exact else root.reach(start, added)
    return [(root, each, is_exact) for each in ([start + added] if found is None else found[0])]
