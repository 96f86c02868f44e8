"""Slots: what values may point to, as the points-to analysis has found it so far.

A *slot* stands for a value. Its targets are offsets in abstract objects; slots and objects that have become one with
others are followed to what they are now (`find_slot`, `find_node`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, final

from remuda.frontends.c.memory.abstract_objects import Node

if TYPE_CHECKING:
    from collections.abc import Iterator

    from remuda.frontends.c.syntax import ast
    from remuda.frontends.c.syntax.shapes import Array
    from remuda.frontends.c.syntax.types import FloatingType

Label = tuple[int, str]  # how good a name for a cell is (0 is best), and the name
Kind = tuple[int, "FloatingType | None", bool]  # of an access: size, the type if it is a floating one, is it a number


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
        # Offsets, as the objects had them when they were added, and whether they stand for no others of their class.
        self.targets: dict[Node, dict[int, bool]] = {}
        self.seen: set[Target] = set()  # what was added since the last time that everything was added again
        self.fresh: list[Target] = []  # targets that nothing follows from yet
        self.extent = 0  # how many bytes it may be moved through, from start to end
        self.stride = 0  # by multiples of how many bytes it is moved; 0 if it is not
        self.is_pointer = False  # refers to something, even if nothing is known of what
        self.is_address = False  # a pointer, or an integer that is converted to one
        self.is_grounded = (
            False  # an object of the program, or what a pointer is assumed to point to, is among targets
        )
        self.is_doubtful = False  # some targets are right only if other pointers have stayed in their arrays
        self.is_wild = False  # may be an integer that nothing is known of
        self.is_loose = False  # may be a number that comes of more than targets and constants: wild, if an address
        self.is_number = False  # the contents of a cell that the program reads or writes as a number
        self.is_queued = False
        self.successors: list[tuple[int | None, Slot]] = []  # with what is added; None for a number that is not known
        self.fields: list[tuple[int, Slot]] = []  # pointers into what it points to, at an offset
        self.views: list[Slot] = []  # what it is when it is read as something else
        self.accesses: dict[tuple[int, Kind], tuple[Slot, Label]] = {}  # through it, and the slots of what is there
        self.arrays: dict[Array, None] = {}  # that it points to
        self.joins: list[Place] = []  # objects that are one with those that it points to
        self.copies: list[tuple[Place, int]] = []  # places that so many bytes are copied from or to
        self.calls: list[ast.Call] = []  # through it


Base = Node | Slot  # an object, or what a value points to
Place = tuple[Base, int]  # an offset there; in an object, as it was when the place was made
Target = tuple[Node, int, bool]  # an offset in an object, and whether it is that one alone and not its class


def find_slot(slot: Slot) -> Slot:
    while slot.parent is not None:
        if slot.parent.parent is not None:
            slot.parent = slot.parent.parent
        slot = slot.parent
    return slot


def find_node(node: Node) -> tuple[Node, int]:
    """The node that this one has become, and by how much its offsets are greater."""
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
    for node in [each for each in slot.targets if each.parent is not None]:  # they have become others since
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
    """Where a constant leads. Where that is too many places, `PointsTo` has made them one."""
    root, start, is_exact = target
    found = None if is_exact else root.reach(start, added)
    return [(root, each, is_exact) for each in ([start + added] if found is None else found[0])]
