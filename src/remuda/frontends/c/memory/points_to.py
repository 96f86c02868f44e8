"""What values may point to: a points-to analysis by unification, which tells the fields of objects apart.

A *slot* stands for a value: of a cell in memory, of a variable, of an expression. It refers to an offset in at most one
abstract object (`Node`), and it *flows* into other slots, perhaps with a number added. When a slot that refers to
something flows into another one that does too, the two objects become one. Integers have slots as well, because
pointers may be converted to integers and back; one that never meets a pointer refers to nothing, and joins nothing.

Everything is a worklist over union-find structures: nearly linear in the number of flows and accesses.
"""

from __future__ import annotations

from math import gcd
from typing import TYPE_CHECKING, final

from remuda.frontends.c.memory.abstract_objects import Cell, Node
from remuda.frontends.c.syntax.shapes import Array

if TYPE_CHECKING:
    from collections.abc import Callable

    from remuda.frontends.c.memory.abstract_objects import United
    from remuda.frontends.c.syntax import ast
    from remuda.frontends.c.syntax.types import FloatingType

Place = tuple[Node, int]  # an offset in an object, as it was when the place was made (`PointsTo.locate` tells it now)
Label = tuple[int, str]  # how good a name for a cell is (0 is best), and the name


@final
class Slot:
    """A value. Once it is united with another one, `parent` is that one."""

    __slots__ = ("extent", "is_address", "is_guess", "is_pointer", "node", "offset", "parent", "stride", "successors")

    def __init__(self, node: Node | None = None, offset: int = 0, extent: int = 0) -> None:
        self.parent: Slot | None = None
        self.node = node
        self.offset = offset
        self.extent = extent  # how many bytes it may be moved through, from start to end
        self.stride = 0  # by multiples of how many bytes it is moved; 0 if it is not
        self.is_pointer = node is not None  # refers to something, even if nothing is known of what
        self.is_address = node is not None  # a pointer, or an integer that is converted to one
        self.is_guess = False  # an integer from nowhere that is used as an address
        self.successors: list[tuple[int | None, Slot]] = []  # with what is added; None for a number that is not known


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


@final
class PointsTo:
    """The state of the analysis. Constraints may be added in any order, and at any time before `solve` is done."""

    def __init__(self, reached: Callable[[ast.Call, ast.Function], None]) -> None:
        self._reached = reached  # told which functions a call through a pointer may reach
        self.nodes: list[Node] = []
        self._slots: list[Slot] = []
        self._accesses: dict[tuple[Node, int, int, FloatingType | None], tuple[Slot, Label]] = {}
        self._is_draining = False
        self._unions: United = []
        self._joins: list[tuple[Place, Place, int]] = []
        self._changed: list[Slot] = []
        self._changes = 0  # counts, to know when nothing happens any more

    # --- making things

    def node(self, *, is_object: bool = True, in_memory: bool = True) -> Node:
        made = Node(len(self.nodes), is_object=is_object, in_memory=in_memory)
        self.nodes.append(made)
        return made

    def slot(self, place: Place | None = None, extent: int = 0) -> Slot:
        made = Slot() if place is None else Slot(place[0], place[1], extent)
        self._slots.append(made)
        return made

    def locate(self, place: Place) -> Place:
        root, shift = find_node(place[0])
        return root, root.canonical(place[1] + shift)

    def pointee(self, slot: Slot) -> Place:
        """What a pointer points to; something that nobody else knows, if nothing else is known."""
        slot = find_slot(slot)
        if slot.node is None:
            slot.node = self.node(is_object=False)
            slot.is_guess = not slot.is_pointer
            self._touch(slot)
            self._drain()
            slot = find_slot(slot)
        assert slot.node is not None
        return slot.node, slot.offset

    # --- constraints

    def access(self, place: Place, size: int, floating: FloatingType | None, label: Label) -> Slot:
        """A scalar is read or written: the slot of its value."""
        slot = self._access(place, size, floating, label)
        self._drain()
        return find_slot(slot)

    def array(self, place: Place, array: Array) -> None:
        """An array begins at a place."""
        root, shift = find_node(place[0])
        self._unions += root.add_array(Array(place[1] + shift, array.length, array.stride))
        self._drain()

    def pointer(self, slot: Slot) -> None:
        """A value is a pointer."""
        slot = find_slot(slot)
        if not slot.is_pointer:
            slot.is_pointer = slot.is_address = True
            self._touch(slot)
            self._drain()

    def address(self, slot: Slot) -> None:
        """A value is an integer that is converted to a pointer."""
        slot = find_slot(slot)
        if not slot.is_address:
            slot.is_address = True
            self._touch(slot)
            self._drain()

    def move(self, slot: Slot, stride: int) -> None:
        """A multiple of `stride` is added to a value."""
        slot = find_slot(slot)
        if gcd(slot.stride, stride) != slot.stride:
            slot.stride = gcd(slot.stride, stride)
            self._touch(slot)
            self._drain()

    def flow(self, source: Slot, target: Slot, added: int | None = 0) -> None:
        """A value becomes another one, with a number added."""
        source, target = find_slot(source), find_slot(target)
        if source is target and added == 0:
            return
        source.successors.append((added, target))
        self._flow(source, target, added)
        self._drain()

    def join(self, one: Place, other: Place) -> None:
        """Two objects are copied into each other."""
        self._joins.append((one, other, 0))
        self._drain()

    def call(self, slot: Slot, call: ast.Call) -> None:
        """A call through a pointer."""
        node, _ = find_node(self.pointee(slot)[0])
        node.calls.append(call)
        for function in list(node.functions):
            self._reached(call, function)

    # --- solving

    def solve(self) -> None:
        """Until all constraints hold. Places can come to be told apart again (when an array takes over a fold), so what
        was added early is checked once more at the end."""
        while True:
            before = self._changes
            for (node, offset, size, floating), (slot, label) in list(self._accesses.items()):
                self._unions.append((self._access((node, offset), size, floating, label), slot))
            for slot in self._slots:
                if slot.parent is None:
                    self._process(slot)
            self._drain()
            if before == self._changes and not self._give_guesses():
                return

    def _give_guesses(self) -> bool:
        """Integers from nowhere that are used as addresses: whatever comes from the same one is the same address."""
        sources: dict[Slot, list[Slot]] = {}
        for slot in self._slots:
            if slot.parent is None and slot.node is None:
                for _, target in slot.successors:
                    sources.setdefault(find_slot(target), []).append(slot)
        pending = [slot for slot in self._slots if slot.parent is None and slot.is_address]
        pending = [slot for slot in pending if slot.node is None or slot.is_guess]
        found = dict.fromkeys(pending)
        while pending:
            for source in sources.get(pending.pop(), ()):
                if source not in found:
                    found[source] = None
                    pending.append(source)
        given = [slot for slot in found if slot.node is None]
        for slot in given:
            self.pointee(slot)
        return bool(given)

    def _drain(self) -> None:
        if self._is_draining:
            return
        self._is_draining = True
        while self._unions or self._joins or self._changed:
            if self._unions:
                self._unite(*self._unions.pop())
            elif self._joins:
                self._join(*self._joins.pop())
            else:
                self._process(find_slot(self._changed.pop()))
        self._is_draining = False

    def _access(self, place: Place, size: int, floating: FloatingType | None, label: Label) -> Slot:
        node, offset = place
        root, shift = find_node(node)
        cell = root.cell_at(offset + shift, size)
        if cell is None or (not cell.is_bytes and cell.floating != floating):
            self._changes += 1
            made = Cell(offset + shift, size, self.slot(), floating, (label[0], len(self._slots), label[1]))
            self._unions += root.add_cell(made)
            cell = root.cell_at(offset + shift, size)
            assert cell is not None
        elif label[0] < cell.label[0]:
            cell.label = (label[0], len(self._slots), label[1])
        self._accesses[node, offset, size, floating] = (cell.slot, label)
        return cell.slot

    def _process(self, slot: Slot) -> None:
        """Do what follows from what is known of a slot."""
        if slot.stride and slot.is_address and slot.node is not None:
            root, shift = find_node(slot.node)
            self._unions += root.fold(slot.offset + shift, slot.stride, slot.extent)
        for added, target in slot.successors:
            self._flow(slot, find_slot(target), added)

    def _flow(self, source: Slot, target: Slot, added: int | None) -> None:
        if source.node is None and source.is_pointer:
            source.node = self.node(is_object=False)
            self._touch(source)
        stride = gcd(target.stride, source.stride, 0 if added is not None else 1)
        is_changed = False
        if source.node is not None:
            place = (source.node, source.offset + (added or 0))
            if target.node is None:
                target.node, target.offset = place
                is_changed = True
            else:
                present = (target.node, target.offset)
                here, there = self.locate(place), self.locate(present)
                if here != there:
                    self._joins.append((place, present, max(source.extent, target.extent)))
                    stride = gcd(stride, here[1] - there[1]) if here[0] is there[0] else stride
        if is_changed or source.extent > target.extent or stride != target.stride:
            target.extent = max(source.extent, target.extent)
            target.stride = stride
            self._touch(target)

    def _touch(self, slot: Slot) -> None:
        self._changes += 1
        self._changed.append(slot)

    # --- uniting

    def _unite(self, one: Slot, other: Slot) -> None:
        one, other = find_slot(one), find_slot(other)
        if one is other:
            return
        if len(one.successors) < len(other.successors):
            one, other = other, one
        other.parent = one
        one.successors += other.successors
        other.successors = []
        one.is_pointer = one.is_pointer or other.is_pointer
        one.is_address = one.is_address or other.is_address
        one.is_guess = one.is_guess or other.is_guess
        one.stride = gcd(one.stride, other.stride)
        one.extent = max(one.extent, other.extent)
        if one.node is None:
            one.node, one.offset = other.node, other.offset
        elif other.node is not None:
            self._joins.append(((one.node, one.offset), (other.node, other.offset), one.extent))
        self._touch(one)

    def _join(self, one: Place, other: Place, extent: int) -> None:
        (first, first_shift), (second, second_shift) = find_node(one[0]), find_node(other[0])
        first_offset, second_offset = one[1] + first_shift, other[1] + second_shift
        if first is second:
            if first.canonical(first_offset) != first.canonical(second_offset):
                self._changes += 1
                self._unions += first.join_offsets(first_offset, second_offset, extent)
            return
        self._changes += 1
        shift = first_offset - second_offset
        if _comes_before(second, first, -shift):
            first, second, shift = second, first, -shift
        pairs = [(call, function) for call in first.calls for function in second.functions]
        pairs += [(call, function) for call in second.calls for function in first.functions]
        first.calls += second.calls
        first.functions += second.functions
        second.calls, second.functions = [], []
        second.parent, second.shift = first, shift
        self._unions += first.take_in(second, shift)
        for call, function in pairs:
            self._reached(call, function)


def _comes_before(one: Node, other: Node, shift: int) -> bool:
    """Whether `one` should be what `other` becomes, with offsets that are greater by `shift`: offset 0 is best where
    an object begins, and there should be nothing in front of it."""
    if one.is_object != other.is_object:
        return one.is_object
    if shift != 0:
        return shift > 0
    return len(one.cells) > len(other.cells)
