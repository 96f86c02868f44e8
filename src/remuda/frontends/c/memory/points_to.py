"""What values may point to: an inclusion-based points-to analysis, sensitive to objects and their fields.

A *slot* stands for a value: of a cell in memory, of a variable, of an expression. It refers to any number of offsets
in abstract objects (`Node`), and it *flows* into other slots, perhaps with a number added: these refer to the same
objects. An access through a slot is to a cell of each object that it refers to. These cells share their contents,
because one map must contain them all, but the objects around them stay separate. Integers have slots as well, because
pointers may be converted to integers and back; an integer that never meets a pointer refers to nothing.

    list.head = &queue.first;  list.head = &request.link;     `list.head->next` is `queue.first.next` and
                                                              `request.link.next`: two cells, in one region

Only objects that are copied into each other as a whole are united, and those that a slot refers to beyond a limit.

A pointer that is moved through an array is *believed* to stay in it (`Node.taker`): otherwise, a pointer to a member
that is an array would unite all members of the struct. The belief has to be checked at each access through a pointer
into such an array, and at each access through a slot that is `is_doubtful`, which is derived from such a pointer by a
step out of the array. Without beliefs (`believes=False`), objects have no arrays, only a period, and everything is
certain. docs/explain/memory.md says why.
"""

from __future__ import annotations

from functools import reduce
from math import gcd
from operator import and_
from typing import TYPE_CHECKING, Final, final

from remuda.frontends.c.memory.abstract_objects import WHOLE, Cell, Node
from remuda.frontends.c.memory.slots import (
    Slot,
    find_node,
    find_slot,
    offsets_in,
    places_of,
    reached_from,
    targets_of,
)
from remuda.frontends.c.syntax.shapes import Array

if TYPE_CHECKING:
    from collections.abc import Callable

    from remuda.frontends.c.memory.abstract_objects import United
    from remuda.frontends.c.memory.slots import Kind, Label, Place, Target
    from remuda.frontends.c.syntax import ast
    from remuda.frontends.c.syntax.types import FloatingType

MOST_OFFSETS: Final = 4  # in one object, that a slot distinguishes
MOST_OBJECTS: Final = 64  # that a slot distinguishes
MANY: Final = 32  # successors; from more, duplicates are removed
BUDGET: Final = 100_000  # targets found in all slots, before the limits become lower


@final
class _Objects:
    """The objects that slots refer to, as bit sets of their indices; valid until the next change."""

    def __init__(self, changes: int) -> None:
        self.changes = changes
        self._found: dict[Slot, int] = {}
        self._shared: dict[Slot, int] = {}

    def of_all(self, origins: list[tuple[Slot, int]]) -> int:
        """The objects that all of these slots refer to. The first slot is the key of the cache."""
        first = origins[0][0]
        found = self._shared.get(first)
        if found is None:
            found = self._shared[first] = reduce(and_, [self.of(slot) for slot, _ in origins])
        return found

    def of(self, slot: Slot) -> int:
        found = self._found.get(slot)
        if found is None:
            found = 0
            for node in find_slot(slot).targets:
                found |= 1 << find_node(node)[0].index
            self._found[slot] = found
        return found


@final
class PointsTo:
    """The state of the analysis. Constraints may be added in any order, and at any time before `solve` is done."""

    def __init__(self, reached: Callable[[ast.Call, ast.Function], None], *, believes: bool = True) -> None:
        self._reached = reached  # called with each function that a call through a pointer may reach
        self._believes = believes
        self.nodes: list[Node] = []
        self.slots: list[Slot] = []
        self._accesses: dict[tuple[Node, int, Kind], tuple[Slot, Label]] = {}
        self._copies: list[tuple[Place, Place, int]] = []
        self._is_draining = False
        self._unions: United = []
        self._joins: list[tuple[tuple[Node, int], tuple[Node, int], int]] = []
        self._queue: list[Slot] = []
        self._changes = 0  # the number of changes, to notice a fixed point
        self._unknowns: dict[tuple[str, bool], Node] = {}
        self._comparisons: dict[tuple[Slot, Slot, bool], None] = {}  # of values; True: for equality
        self._outside: list[tuple[Slot, Slot]] = []  # pointers that are called, and the results that are pointers
        self._forgotten: list[Place] = []  # objects with any contents
        self._changed: list[Place] = []  # the numbers around these places may become any numbers
        self._nowhere: dict[Slot, None] = {}  # values that may be any pointer
        self._origins: list[tuple[Node, Slot]] = []  # unknown values, and what they point to
        self._taken: set[tuple[Slot, Slot, int | None]] = set()  # flows into unknown values, because of comparisons
        self._spent = 0
        self._most_objects = MOST_OBJECTS
        self._most_offsets = MOST_OFFSETS

    # --- nodes and slots

    def node(self, *, is_object: bool = True, in_memory: bool = True, size: int | None = None) -> Node:
        made = Node(len(self.nodes), is_object=is_object, in_memory=in_memory, size=size)
        self.nodes.append(made)
        return made

    def slot(self, place: Place | None = None, extent: int = 0) -> Slot:
        """A new value; if a place is given, a pointer to it, which may be moved through `extent` bytes."""
        made = Slot()
        self.slots.append(made)
        if place is not None:
            made.extent = extent
            made.is_pointer = made.is_address = True
            base, offset = place
            if isinstance(base, Slot):
                base = find_slot(base)
                base.fields.append((offset, made))
                for target in list(targets_of(base)):
                    self._add_moved(made, target, offset)
            else:
                made.is_grounded = True
                self._add_target(made, (base, offset, True))
            self._drain()
        return made

    def pointee(self, slot: Slot) -> Place:
        """What a pointer points to."""
        slot = find_slot(slot)
        if not slot.is_address:
            slot.is_address = True
            self._enqueue(slot)
        return slot, 0

    # --- constraints

    def access(
        self, place: Place, size: int, floating: FloatingType | None, label: Label, *, is_number: bool = False
    ) -> Slot:
        """Access a scalar. The result is the slot of its value, which may be any number if the access is to a
        number."""
        found = self._cell(place, (size, floating, is_number), label)
        found.is_number = found.is_number or is_number
        return found

    def expect(
        self, place: Place, size: int, floating: FloatingType | None, label: Label, *, is_number: bool = False
    ) -> Slot:
        """The slot of a scalar that exists, but need not be accessed."""
        return self._cell(place, (size, floating, is_number), label)

    def _cell(self, place: Place, kind: Kind, label: Label) -> Slot:
        """The slot of a scalar at a place."""
        base, offset = place
        if isinstance(base, Node):
            value = self._access(base, offset, kind, label)
        else:
            base = find_slot(base)
            known = base.accesses.get((offset, kind))
            value = self.slot() if known is None else known[0]
            if known is None or label[0] < known[1][0]:
                base.accesses[offset, kind] = (value, label)
                for target in list(targets_of(base)):
                    self._access_moved(value, target, (offset, kind), label)
        self._drain()
        return find_slot(value)

    def array(self, place: Place, array: Array) -> None:
        """Add an array that begins at a place."""
        base, offset = place
        if isinstance(base, Slot):
            find_slot(base).arrays[Array(offset, array.length, array.stride)] = None
        for node, start, _ in places_of(place):
            self._add_array(node, Array(start, array.length, array.stride))
        self._drain()

    def _add_array(self, root: Node, array: Array) -> None:
        """Add an array. Without beliefs, pointers may leave it, so its stride holds for the whole object."""
        if self._believes:
            self._unions += root.add_array(array)
        else:
            self._unions += root.fold(array.start, array.stride, WHOLE)

    def pointer(self, slot: Slot) -> None:
        """Note that a value is a pointer."""
        slot = find_slot(slot)
        if not slot.is_pointer:
            slot.is_pointer = slot.is_address = True
            self._again(slot)
            self._drain()

    def address(self, slot: Slot) -> None:
        """Note that a value is an integer that is converted to a pointer."""
        slot = find_slot(slot)
        if not slot.is_address:
            slot.is_address = True
            self._again(slot)
            self._drain()

    def loosen(self, slot: Slot) -> None:
        """Note that a value may also be a number that the analysis does not follow."""
        find_slot(slot).is_loose = True

    def move(self, slot: Slot, stride: int) -> None:
        """Add multiples of `stride` to a value."""
        slot = find_slot(slot)
        if gcd(slot.stride, stride) != slot.stride:
            slot.stride = gcd(slot.stride, stride)
            self._again(slot)
            self._drain()

    def flow(self, source: Slot, target: Slot, added: int | None = 0) -> None:
        """Let a value flow into another one, with a number added."""
        source, target = find_slot(source), find_slot(target)
        if source is target and added == 0:
            return
        source.successors.append((added, target))
        self._flow(source, target, added, list(targets_of(source)))
        self._drain()

    def join(self, one: Place, other: Place) -> None:
        """Unite two objects that are copied into each other as a whole."""
        for here, there in ((one, other), (other, one)):
            if isinstance(here[0], Slot):
                find_slot(here[0]).joins.append((there[0], there[1] - here[1]))
        self._join_places(one, other)
        self._drain()

    def copy(self, one: Place, other: Place, size: int) -> None:
        """Copy `size` bytes from one place to another: both have the same cells there."""
        self._copies.append((one, other, size))
        self._copy(one, other, size)
        self._drain()

    def from_nowhere(self, slot: Slot) -> None:
        """Note that a value comes from outside of the program: it may also be any pointer or number."""
        slot = find_slot(slot)
        slot.is_loose = slot.is_loose or not slot.is_pointer
        if slot.is_pointer and slot not in self._nowhere:
            self._nowhere[slot] = None
            origin = self.slot()
            self.pointer(origin)
            self.flow(origin, slot)

    def forget(self, place: Place) -> None:
        """Give everything around a place any contents."""
        self._forgotten.append(place)

    def change(self, place: Place) -> None:
        """Give the numbers around a place any values."""
        self._changed.append(place)

    def call(self, slot: Slot, call: ast.Call, result: Slot | None = None) -> None:
        """Add a call through a pointer. If the function is unknown, so is a pointer that it returns."""
        slot = find_slot(slot)
        if result is not None and find_slot(result).is_pointer:
            self._outside.append((slot, result))
        slot.calls.append(call)
        for node, _, _ in list(targets_of(slot)):
            for function in list(node.functions):
                self._reached(call, function)

    # --- solving

    def solve(self) -> None:
        """Propagate until all constraints hold. Offsets can become distinct again (when an array takes over a fold),
        so early constraints are checked once more at the end."""
        while True:
            before = self._changes
            for (node, offset, kind), (slot, label) in list(self._accesses.items()):
                self._unions.append((self._access(node, offset, kind, label), slot))
            for slot in list(self.slots):
                if slot.parent is None:
                    slot.seen.clear()
                    self._again(slot)
            self._changes = before  # repeating the constraints is no change
            self._drain()
            for one, other, size in self._copies:
                self._copy(one, other, size)
            self._drain()
            if before == self._changes and not (self._forget() or self._give_unknown() or self._take_for_compared()):
                break
        for slot in self.slots:
            if slot.is_number and slot.parent is None:
                for view in map(find_slot, slot.views):
                    view.is_wild = view.is_wild or view.is_address
                    view.is_doubtful = view.is_doubtful or view.is_address
        for place in self._changed:
            for root in dict.fromkeys(node for node, _, _ in places_of(place)):
                for slot in (each for cell in root.ordered_cells() for each in (cell.slot, cell.numbers)):
                    find_slot(slot).is_loose = find_slot(slot).is_loose or not find_slot(slot).is_pointer
        self._spread("is_grounded")
        self._spread("is_doubtful")
        self._spread("is_loose")
        for slot in self.slots:
            slot.is_wild = slot.is_wild or (slot.is_loose and slot.is_address)
        self._spread("is_wild")

    def compare(self, one: Slot, other: Slot, *, for_equality: bool = True) -> None:
        """Relate two values that meet in a comparison or a computation: an unknown value may be equal to the other
        one, or at a distance from it. (If both have the same slot, this relates all objects that it refers to.)"""
        self._comparisons[one, other, for_equality] = None

    def _forget(self) -> bool:
        """Find values from outside the program, among the contents that are forgotten and the results of calls."""
        before = len(self._nowhere)
        for place in self._forgotten:
            for root in dict.fromkeys(node for node, _, _ in places_of(place)):
                for cell in root.ordered_cells():
                    self.from_nowhere(cell.slot)
                    self.from_nowhere(cell.numbers)
        for slot, result in self._outside:
            if any(not root.functions for root, _, _ in targets_of(slot)):
                self.from_nowhere(result)
        return len(self._nowhere) > before

    def _give_unknown(self) -> bool:
        """Let unknown pointers point to new objects; values that come from the same pointer point to the same
        object."""
        empty = [slot for slot in self.slots if slot.parent is None and not slot.targets]
        sources: dict[Slot, list[Slot]] = {}
        for slot in empty:
            for target in [*(each for _, each in slot.successors), *(each for _, each in slot.fields)]:
                sources.setdefault(find_slot(target), []).append(slot)
        pending = [slot for slot in empty if slot.is_address]
        wanted = dict.fromkeys(pending)
        while pending:
            for source in sources.get(pending.pop(), ()):
                if source not in wanted:
                    wanted[source] = None
                    pending.append(source)
        origins = [slot for slot in wanted if all(source is slot for source in sources.get(slot, ()))]
        labels = self._labels_of_unknown()
        for slot in origins or list(wanted)[:1]:  # without origins, the flows form cycles
            if not find_slot(slot).targets:
                find_slot(slot).is_grounded = find_slot(slot).is_pointer
                find_slot(slot).is_wild = not find_slot(slot).is_pointer
                made = self._unknown(labels.get(find_slot(slot)), is_wild=find_slot(slot).is_wild)
                self._add_target(slot, (made, 0, True))
                self._origins.append((made, slot))
        self._drain()
        return bool(wanted)

    def _take_for_compared(self) -> bool:
        """Let an unknown value be what it, or a value derived from it, is compared with. If that points into the
        value's own object, the offset there is the distance between the two."""
        origins: dict[Node, list[tuple[Slot, int]]] = {}
        for node, slot in self._origins:
            root, shift = find_node(node)
            origins.setdefault(root, []).append((slot, shift))
        before = len(self._taken)
        current = {(find_slot(one), find_slot(other), same): None for one, other, same in self._comparisons}
        self._comparisons = current if origins else self._comparisons
        known = _Objects(self._changes)
        for one, other, for_equality in current if origins else ():
            for left, right in ((one, other), (other, one)):
                for root, offset, is_exact in list(targets_of(left)):
                    if root not in origins or not known.of(right) & ~known.of_all(origins[root]):
                        continue
                    for origin, start in origins[root]:
                        if known.of(right) & ~known.of(origin):
                            self._take(right, origin, start - offset if for_equality and is_exact else None)
                            if self._changes != known.changes:
                                known = _Objects(self._changes)
        return len(self._taken) > before

    def _take(self, source: Slot, origin: Slot, added: int | None) -> None:
        source, origin = find_slot(source), find_slot(origin)
        if (source, origin, added) not in self._taken:
            self._taken.add((source, origin, added))
            self.flow(source, origin, added)

    def _spread(self, name: str) -> None:
        """Propagate `is_grounded`, `is_doubtful` and `is_wild` to derived values. Objects do not show these
        properties, because they may have been united with others."""
        pending = [slot for slot in self.slots if slot.parent is None and getattr(slot, name)]
        while pending:
            slot = pending.pop()
            followers = [*(each for _, each in slot.successors), *(each for _, each in slot.fields), *slot.views]
            for follower in map(find_slot, followers):
                if not getattr(follower, name):
                    setattr(follower, name, True)
                    pending.append(follower)

    def _labels_of_unknown(self) -> dict[Slot, str]:
        """The names of the cells of unknown objects, by their contents."""
        roots = dict.fromkeys(find_node(node)[0] for node in self.nodes if not node.is_object)
        return {
            find_slot(cell.slot): cell.label[2]
            for root in roots
            if not root.is_object
            for cell in root.ordered_cells()
        }

    def _unknown(self, label: str | None, *, is_wild: bool) -> Node:
        """An unknown object. Fields of the same name in unknown objects point to one object; otherwise there would be
        infinitely many."""
        found = None if label is None else self._unknowns.get((label, is_wild))
        if found is None:
            found = self.node(is_object=False)
            found.is_wild = is_wild
            if label is not None:
                self._unknowns[label, is_wild] = found
        return found

    def _drain(self) -> None:
        if self._is_draining:
            return
        self._is_draining = True
        while self._unions or self._joins or self._queue:
            if self._unions:
                self._unite(*self._unions.pop())
            elif self._joins:
                self._join(*self._joins.pop())
            else:
                slot = self._queue.pop()
                slot.is_queued = False
                if slot.parent is None:
                    self._process(slot)
        self._is_draining = False

    def _access(self, node: Node, offset: int, kind: Kind, label: Label) -> Slot:
        size, floating, is_number = kind
        root, shift = find_node(node)
        cell = root.cell_at(offset + shift, size)
        if cell is None or (not cell.is_bytes and cell.floating != floating):
            self._changes += 1
            contents, numbers = self.slot(), self.slot()
            contents.successors.append((0, numbers))
            numbers.views.append(contents)
            name = (label[0], len(self.slots), label[1])
            self._unions += root.add_cell(Cell(offset + shift, size, contents, numbers, floating, name))
            cell = root.cell_at(offset + shift, size)
            assert cell is not None
        elif label[0] < cell.label[0]:
            cell.label = (label[0], len(self.slots), label[1])
        slot = cell.numbers if is_number else cell.slot
        self._accesses[node, offset, kind] = (slot, label)
        return slot

    def _access_moved(self, value: Slot, target: Target, at: tuple[int, Kind], label: Label) -> None:
        """Access a scalar at a distance from all offsets that an offset stands for."""
        (root, start, is_exact), (distance, kind) = target, at
        found = ([start + distance], True) if is_exact else root.reach(start, distance)
        if found is None:
            self._unions += root.join_offsets(start, start + distance, WHOLE)
            found = [start + distance], True
        for offset in found[0]:
            self._unions.append((value, self._access(root, offset, kind, label)))

    # --- slots

    def _enqueue(self, slot: Slot) -> None:
        if not slot.is_queued:
            slot.is_queued = True
            self._queue.append(slot)

    def _again(self, slot: Slot) -> None:
        """Propagate all targets of a slot again."""
        self._changes += 1
        slot.fresh = [
            (node, offset, exact) for node, found in slot.targets.items() for offset, exact in found.items()
        ]
        self._enqueue(slot)

    def _add_target(self, slot: Slot, target: Target) -> None:
        slot = find_slot(slot)
        if target in slot.seen:
            return
        slot.seen.add(target)
        (_, offset, is_exact), (root, shift) = target, find_node(target[0])
        offset += shift
        known = offsets_in(slot, root)
        present = list(known)
        least = root.canonical(offset)
        same = [each for each in present if root.canonical(each) == least]
        if same:
            if same != [offset] or not is_exact:
                self._widen(slot, root, same)
            return
        if present and not self._is_elsewhere(root, present[0], offset, slot.extent):
            self.move(slot, present[0] - offset)  # through an array
            return
        self._changes += 1
        self._spend()
        if not present and len(slot.targets) >= self._most_objects:
            first, *others = [(node, next(iter(offsets))) for node, offsets in slot.targets.items()]
            self._joins += [(first, other, slot.extent) for other in (*others[self._most_objects :], (root, offset))]
        elif len(present) >= self._most_offsets:
            for each in (*present[1:], offset):
                self._unions += root.join_offsets(present[0], each, slot.extent)
            known.update(dict.fromkeys(present, False))
            self._again(slot)
        else:
            slot.targets.setdefault(root, {})[offset] = is_exact
            slot.fresh.append((root, offset, is_exact))
            self._enqueue(slot)

    def _widen(self, slot: Slot, root: Node, offsets: list[int]) -> None:
        """Let offsets that a slot refers to stand for their whole class."""
        known = slot.targets[root]
        if any(known[each] for each in offsets):
            known.update(dict.fromkeys(offsets, False))
            self._changes += 1
            slot.fresh += [(root, each, False) for each in offsets]
            self._enqueue(slot)

    def _add_moved(self, slot: Slot, target: Target, added: int) -> None:
        """Let a slot refer to the sums of a constant and all offsets that an offset stands for."""
        root, start, is_exact = target
        found = ([start + added], True) if is_exact else root.reach(start, added)
        if found is None:
            self._unions += root.join_offsets(start, start + added, WHOLE)
            found = [start + added], True
        offsets, is_certain = found
        if not is_certain:
            find_slot(slot).is_doubtful = True
        for offset in offsets:
            self._add_target(slot, (root, offset, is_exact))

    def _spend(self) -> None:
        """Count a target. When there are many, lower the limits: in the end, all targets of a slot are one object."""
        self._spent += 1
        if self._spent > BUDGET and self._most_objects > 1:
            self._spent = 0
            self._most_objects = max(1, self._most_objects // 8)
            self._most_offsets = max(1, self._most_offsets // 2)

    def _is_elsewhere(self, root: Node, present: int, offset: int, extent: int) -> bool:
        """Whether an offset is outside of the array that a pointer points into."""
        taker = root.taker(root.canonical(present), extent, abs(present - offset))
        return taker is None or not taker.start <= offset < taker.end

    def _process(self, slot: Slot) -> None:
        """Propagate the targets of a slot that have not been propagated yet."""
        fresh, slot.fresh = slot.fresh, []
        found: list[Target] = []
        is_moved = bool(slot.stride) and slot.is_address
        for node, offset, is_exact in fresh:
            root, shift = find_node(node)
            found.append((root, offset + shift, is_exact and not is_moved))
        if is_moved:
            for root, offset, _ in found:
                self._unions += root.fold(offset, slot.stride, slot.extent)
        if len(slot.successors) > MANY:
            slot.successors = list({(added, find_slot(target)): None for added, target in slot.successors})
        self._follow(slot, found, slot)

    def _follow(self, slot: Slot, found: list[Target], owner: Slot) -> None:
        """Apply the uses of `owner` to these targets of a slot. `owner` is the slot, or was united with it."""
        for target in found:
            for array in owner.arrays:
                for root, start, _ in reached_from(target, array.start):
                    self._add_array(root, Array(start, array.length, array.stride))
            for at, (value, label) in list(owner.accesses.items()):
                self._access_moved(value, target, at, label)
            for call in list(owner.calls):
                for function in list(target[0].functions):
                    self._reached(call, function)
        for added, follower in list(owner.successors):
            self._flow(slot, find_slot(follower), added, found)
        for offset, follower in list(owner.fields):
            for target in found:
                self._add_moved(follower, target, offset)
        for follower in list(owner.views):
            self._view(slot, find_slot(follower), found)
        for place in list(owner.joins):
            self._join_places((slot, 0), place)

    def _view(self, source: Slot, target: Slot, found: list[Target]) -> None:
        """Read a number as a pointer. Results of arithmetic on numbers are believed to be no pointers."""
        if not self._believes:
            self._flow(source, target, 0, found)
            return
        if source.stride and found:
            target.is_doubtful = True
        if source.extent > target.extent:
            target.extent = source.extent
            self._again(target)
        for each in found:
            self._add_target(target, each)

    def _flow(self, source: Slot, target: Slot, added: int | None, found: list[Target]) -> None:
        moved = 0 if source.is_address else source.stride  # the stride of an address is a fold already
        stride = gcd(target.stride, moved, 0 if added is not None else 1)
        extent = max(source.extent, target.extent)
        if stride != target.stride or extent > target.extent:
            target.stride, target.extent = stride, extent
            self._again(target)
        for each in found:
            self._add_moved(target, each, added or 0)

    # --- uniting

    def _unite(self, one: Slot, other: Slot) -> None:
        one, other = find_slot(one), find_slot(other)
        if one is other:
            return
        if len(one.successors) + len(one.accesses) < len(other.successors) + len(other.accesses):
            one, other = other, one
        found = list(targets_of(one))
        before = (one.is_address, one.stride, one.extent)
        one.is_pointer = one.is_pointer or other.is_pointer
        one.is_address = one.is_address or other.is_address
        one.is_grounded = one.is_grounded or other.is_grounded
        one.is_doubtful = one.is_doubtful or other.is_doubtful
        one.is_wild = one.is_wild or other.is_wild
        one.is_number = one.is_number or other.is_number
        one.is_loose = one.is_loose or other.is_loose
        one.stride = gcd(one.stride, other.stride)
        one.extent = max(one.extent, other.extent)
        other.parent = one
        for kind, (value, label) in other.accesses.items():
            present = one.accesses.setdefault(kind, (value, label))
            self._unions.append((present[0], value))
        self._changes += 1
        if (one.is_address, one.stride, one.extent) != before:
            self._again(one)
        elif found:
            self._follow(one, found, other)
        one.successors += other.successors
        one.fields += other.fields
        one.views += other.views
        one.joins += other.joins
        one.calls += other.calls
        one.arrays.update(other.arrays)
        for node, offsets in other.targets.items():
            for offset, is_exact in offsets.items():
                self._add_target(one, (node, offset, is_exact))
        self._enqueue(one)
        other.targets, other.fresh, other.seen = {}, [], set()
        other.successors, other.fields, other.views, other.joins, other.calls = [], [], [], [], []
        other.accesses, other.arrays = {}, {}

    def _join_places(self, one: Place, other: Place) -> None:
        """Unite all objects that two places may be in."""
        found = [(root, offset) for root, offset, _ in (*places_of(one), *places_of(other))]
        if places_of(one) and places_of(other):
            for place in found[1:]:
                self._joins.append((found[0], place, 0))

    def _copy(self, one: Place, other: Place, size: int) -> None:
        """Give both places the same cells, with the same contents."""
        found: dict[tuple[int, int, FloatingType | None], Label] = {}
        for place in (one, other):
            for root, start, is_exact in places_of(place):
                start = start if is_exact else root.canonical(start)
                distance = 0
                while distance < size:
                    at = root.canonical(start + distance)
                    cell = root.cell_around(at)
                    length = 1
                    if cell is not None:
                        is_whole = not cell.is_bytes and cell.start == at and distance + cell.size <= size
                        length = cell.size if is_whole else 1
                        floating = cell.floating if is_whole else None
                        found.setdefault((distance, length, floating), (cell.label[0], cell.label[2]))
                    distance += length
        for (distance, length, floating), label in found.items():
            for is_number in (False, True):
                kind = (length, floating, is_number)
                here = self._cell((one[0], one[1] + distance), kind, label)
                there = self._cell((other[0], other[1] + distance), kind, label)
                self._unions.append((here, there))

    def _join(self, one: tuple[Node, int], other: tuple[Node, int], extent: int) -> None:
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
        first.functions += [function for function in second.functions if function not in first.functions]
        second.functions = []
        second.parent, second.shift = first, shift
        self._unions += first.take_in(second, shift)


def _comes_before(one: Node, other: Node, shift: int) -> bool:
    """Whether `one` should become the representative of `other`, whose offsets become greater by `shift`. An object
    should begin at offset 0, with nothing in front of it."""
    if one.is_object != other.is_object:
        return one.is_object
    if shift != 0:
        return shift > 0
    return len(one.cells) > len(other.cells)
