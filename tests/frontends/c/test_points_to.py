"""The points-to analysis by itself: objects, cells and how they become one."""

from __future__ import annotations

from typing import TYPE_CHECKING

from remuda.frontends.c.memory.abstract_objects import WHOLE, Cell, Node
from remuda.frontends.c.memory.points_to import MOST_OBJECTS, PointsTo
from remuda.frontends.c.memory.slots import find_node, find_slot, targets_of
from remuda.frontends.c.syntax.shapes import UNBOUNDED, Array
from remuda.frontends.c.syntax.types import FloatingType

if TYPE_CHECKING:
    from remuda.frontends.c.syntax import ast

LABEL = (2, "int")
DOUBLE = FloatingType(64)


def graph() -> PointsTo:
    def reached(call: ast.Call, function: ast.Function) -> None:
        raise AssertionError(f"{call} reaches {function}")

    return PointsTo(reached)


def cells(node: Node) -> list[tuple[int, int, bool]]:
    root, _ = find_node(node)
    return [(cell.start, cell.size, cell.is_bytes) for cell in root.ordered_cells()]


def cell(node: Node, offset: int, size: int) -> Cell:
    root, shift = find_node(node)
    found = root.cell_at(offset + shift, size)
    assert found is not None
    return found


# --- cells of one object


def test_fields_are_distinguished() -> None:
    points = graph()
    node = points.node()
    for offset in (0, 4, 8):
        points.access((node, offset), 4, None, LABEL)
    assert cells(node) == [(0, 4, False), (4, 4, False), (8, 4, False)]


def test_elements_of_an_array_are_the_same() -> None:
    points = graph()
    node = points.node()
    points.array((node, 8), Array(0, 40, 8))
    for offset in (0, 8, 20, 44):
        points.access((node, offset), 4, None, LABEL)
    assert cells(node) == [(0, 4, False), (8, 4, False), (12, 4, False)]


def test_arrays_nest() -> None:
    points = graph()
    node = points.node()
    points.array((node, 0), Array(0, 120, 12))
    points.array((node, 16), Array(0, 8, 4))
    for offset in (0, 12, 20, 116):
        points.access((node, offset), 4, None, LABEL)
    assert cells(node) == [(0, 4, False), (4, 4, False)]


def test_arrays_that_overlap_become_one() -> None:
    points = graph()
    node = points.node()
    points.array((node, 0), Array(0, 40, 4))
    points.array((node, 20), Array(0, 60, 6))
    points.access((node, 78), 2, None, LABEL)
    points.access((node, 0), 2, None, LABEL)
    assert cells(node) == [(0, 2, False)]


def test_accesses_that_disagree_make_bytes_of_what_they_share() -> None:
    points = graph()
    node = points.node()
    points.access((node, 0), 4, None, LABEL)
    points.access((node, 8), 8, None, LABEL)
    points.access((node, 2), 1, None, LABEL)
    assert cells(node) == [(0, 4, True), (8, 8, False)]
    points.access((node, 2), 4, None, LABEL)
    assert cells(node) == [(0, 6, True), (8, 8, False)]


def test_an_integer_that_is_read_as_floating_is_bytes() -> None:
    points = graph()
    node = points.node()
    points.access((node, 0), 8, DOUBLE, LABEL)
    assert cell(node, 0, 8).floating == DOUBLE
    points.access((node, 0), 8, None, LABEL)
    assert cell(node, 0, 8).floating is None
    assert cells(node) == [(0, 8, True)]


def test_an_access_wider_than_the_element_makes_the_array_bytes() -> None:
    points = graph()
    node = points.node()
    points.array((node, 0), Array(0, 16, 4))
    points.access((node, 4), 4, None, LABEL)
    points.access((node, 16), 4, None, LABEL)
    points.access((node, 8), 8, None, LABEL)
    assert cells(node) == [(0, 1, True), (16, 4, False)]


def test_an_access_to_bytes_may_be_anywhere_in_them() -> None:
    points = graph()
    whole, part = points.node(size=32), points.node(size=32)
    points.access((whole, 0), 8, None, LABEL)
    points.move(points.slot((whole, 0), WHOLE), 1)
    points.array((part, 8), Array(0, 16, 1))
    points.access((part, 8), 8, None, LABEL)
    for size in (1, 8):
        assert find_node(whole)[0].window(0, size, is_exact=True) == ([], 0, WHOLE)
        assert find_node(part)[0].window(8, size, is_exact=True) == ([], 8, 24 - size)


def test_an_access_into_a_later_array_makes_both_bytes() -> None:
    points = graph()
    node = points.node()
    points.array((node, 4), Array(0, 8, 2))
    points.access((node, 6), 2, None, LABEL)
    points.access((node, 0), 8, None, LABEL)
    assert cells(node) == [(0, 1, True)]


# --- pointers that move


def test_a_pointer_that_moves_everywhere_folds_everything() -> None:
    points = graph()
    node = points.node()
    for offset in (0, 4, 8):
        points.access((node, offset), 4, None, LABEL)
    points.move(points.slot((node, 0), WHOLE), 8)
    assert cells(node) == [(0, 4, False), (4, 4, False)]
    points.move(points.slot((node, 0), WHOLE), 1)
    assert cells(node) == [(0, 1, True)]


def test_a_pointer_into_an_array_stays_there() -> None:
    points = graph()
    node = points.node()
    points.array((node, 4), Array(0, 16, 4))
    for offset in (0, 4, 8, 20):
        points.access((node, offset), 4, None, LABEL)
    points.move(points.slot((node, 4), 16), 4)
    assert cells(node) == [(0, 4, False), (4, 4, False), (20, 4, False)]


def test_a_pointer_to_the_whole_leaves_the_array_at_its_start() -> None:
    points = graph()
    node = points.node()
    points.array((node, 0), Array(0, 16, 1))
    points.access((node, 0), 1, None, LABEL)
    points.access((node, 16), 4, None, LABEL)
    points.move(points.slot((node, 0), WHOLE), 1)
    assert cells(node) == [(0, 1, True)]


def test_a_pointer_moved_before_it_gets_an_array_target_stays_in_the_array() -> None:
    points = graph()
    node, parameter = points.node(), points.slot()
    points.pointer(parameter)
    points.move(parameter, 4)
    inner = points.access(points.pointee(parameter), 4, None, LABEL)
    for offset in (0, 4, 20):
        points.access((node, offset), 4, None, LABEL)
    points.array((node, 4), Array(0, 16, 4))
    points.flow(points.slot((node, 4), 16), parameter)
    points.solve()
    assert cells(node) == [(0, 4, False), (4, 4, False), (20, 4, False)]
    assert find_slot(inner) is find_slot(cell(node, 12, 4).slot)


def test_the_extent_of_a_pointer_counts_even_if_it_comes_late() -> None:
    points = graph()
    node, parameter = points.node(), points.slot()
    points.pointer(parameter)
    points.move(parameter, 1)
    points.array((node, 0), Array(0, 16, 1))
    points.flow(points.slot((node, 0), 16), parameter)
    points.access((node, 16), 4, None, LABEL)
    assert cells(node) == [(16, 4, False)]
    points.flow(points.slot((node, 0), WHOLE), parameter)
    points.solve()
    assert cells(node) == [(0, 1, True)]


def test_an_array_without_end() -> None:
    points = graph()
    node = points.node()
    points.array((node, 4), Array(0, UNBOUNDED, 2))
    points.access((node, 0), 4, None, LABEL)
    points.access((node, 1004), 2, None, LABEL)
    assert cells(node) == [(0, 4, False), (4, 2, False)]


# --- values that flow


def test_two_targets_of_a_pointer_have_what_is_accessed_in_common() -> None:
    points = graph()
    one, other, pointer = points.node(), points.node(), points.slot()
    for node in (one, other):
        points.access((node, 0), 4, None, LABEL)
        points.access((node, 4), 4, None, LABEL)
    points.flow(points.slot((one, 0), WHOLE), pointer)
    points.flow(points.slot((other, 4), WHOLE), pointer)
    points.access(points.pointee(pointer), 4, None, LABEL)
    points.solve()
    assert find_node(one)[0] is not find_node(other)[0]
    assert find_slot(cell(one, 0, 4).slot) is find_slot(cell(other, 4, 4).slot)
    assert find_slot(cell(one, 4, 4).slot) is not find_slot(cell(other, 0, 4).slot)


def test_targets_of_fields_are_separate_unless_an_access_uses_both() -> None:
    points = graph()
    first, second, pointer = points.node(), points.node(), points.slot()
    fields = []
    for node in (first, second):
        fields.append(points.access((node, 8), 8, None, LABEL))
        points.flow(points.slot((points.node(), 0), WHOLE), fields[-1])
        points.flow(points.slot((node, 0), WHOLE), pointer)
    points.solve()
    assert set(targets_of(fields[0])).isdisjoint(targets_of(fields[1]))
    points.access((points.pointee(pointer)[0], 8), 8, None, LABEL)
    points.solve()
    assert set(targets_of(fields[0])) == set(targets_of(fields[1]))


def test_a_few_offsets_in_one_object_are_distinguished() -> None:
    points = graph()
    node, pointer = points.node(), points.slot()
    for offset in range(0, 80, 4):
        points.access((node, offset), 4, None, LABEL)
    for offset in (0, 16, 40):
        points.flow(points.slot((node, offset), WHOLE), pointer)
    points.access(points.pointee(pointer), 4, None, LABEL)
    points.solve()
    assert len(cells(node)) == 20
    assert len({id(find_slot(cell(node, offset, 4).slot)) for offset in (0, 16, 40)}) == 1
    for offset in (8, 24, 56):
        points.flow(points.slot((node, offset), WHOLE), pointer)
    points.solve()
    assert cells(node) == [(0, 4, False), (4, 4, False)]


def test_a_pointer_to_very_many_objects_makes_one_of_them() -> None:
    points = graph()
    pointer, nodes = points.slot(), [points.node() for _ in range(3 * MOST_OBJECTS)]
    for node in nodes:
        points.flow(points.slot((node, 0), WHOLE), pointer)
    points.solve()
    assert len({find_node(node)[0].index for node in nodes}) <= MOST_OBJECTS


def test_a_pointer_that_grows_by_a_constant_ends() -> None:
    points = graph()
    node, pointer = points.node(), points.slot()
    points.pointer(pointer)
    points.flow(points.slot((node, 0), WHOLE), pointer)
    points.flow(pointer, pointer, 12)
    points.access(points.pointee(pointer), 4, None, LABEL)
    points.access((node, 48000), 4, None, LABEL)
    points.solve()
    assert cells(node) == [(0, 4, False)]


def test_a_number_may_be_added_before_anything_is_known() -> None:
    points = graph()
    node, start, field = points.node(), points.slot(), points.slot()
    points.flow(start, field, 8)
    points.flow(points.slot((node, 0), WHOLE), start)
    assert list(targets_of(field)) == [(node, 8, True)]


def test_integers_that_meet_no_pointer_join_nothing() -> None:
    points = graph()
    one, other, index, sums = points.node(), points.node(), points.slot(), [points.slot(), points.slot()]
    for node, sum_ in zip((one, other), sums, strict=True):
        points.flow(points.slot((node, 0), WHOLE), sum_, None)
        points.flow(index, sum_, None)
    points.solve()
    assert find_node(one)[0] is not find_node(other)[0]
    assert not list(targets_of(index))


def test_addresses_from_the_same_unknown_integer_are_the_same() -> None:
    points = graph()
    number, copies = points.slot(), [points.slot(), points.slot()]
    for copy in copies:
        points.flow(number, copy)
        points.address(copy)
        points.pointee(copy)
    points.solve()
    assert list(targets_of(copies[0])) == list(targets_of(copies[1])) != []


def test_pointers_that_go_round_in_circles_point_to_something() -> None:
    points = graph()
    slots = [points.slot() for _ in range(3)]
    for position, slot in enumerate(slots):
        points.pointer(slot)
        points.flow(slot, slots[position - 1])
    points.solve()
    assert len({tuple(targets_of(slot)) for slot in slots}) == 1
    assert list(targets_of(slots[0]))


# --- numbers


def test_a_number_that_is_counted_with_does_not_move_pointers() -> None:
    points = graph()
    node, target = points.node(), points.node()
    points.flow(points.slot((target, 0), WHOLE), points.access((node, 0), 4, None, LABEL))
    points.access((target, 0), 4, None, LABEL)
    points.access((target, 4), 2, None, LABEL)
    points.move(points.access((node, 0), 4, None, LABEL, is_number=True), 1)
    points.pointee(points.access((node, 0), 4, None, LABEL))
    points.solve()
    assert cells(target) == [(0, 4, False), (4, 2, False)]


def test_an_address_that_is_kept_in_a_number_is_found_by_a_pointer() -> None:
    points = graph()
    node, target = points.node(), points.node()
    points.flow(points.slot((target, 0), WHOLE), points.access((node, 0), 8, None, LABEL, is_number=True))
    assert list(targets_of(points.access((node, 0), 8, None, LABEL))) == [(target, 0, True)]


def test_a_number_that_becomes_an_address_moves_it() -> None:
    points = graph()
    node, target, address = points.node(), points.node(), points.slot()
    number = points.access((node, 0), 8, None, LABEL, is_number=True)
    points.flow(points.slot((target, 0), WHOLE), number)
    points.move(number, 8)
    points.flow(number, address)
    points.address(address)
    for offset in (0, 4, 8):
        points.access((target, offset), 4, None, LABEL)
    points.solve()
    assert cells(target) == [(0, 4, False), (4, 4, False)]


# --- copies


def test_copied_bytes_have_their_cells_in_common() -> None:
    points = graph()
    one, other = points.node(), points.node()
    points.access((one, 0), 4, None, LABEL)
    points.access((one, 8), 4, None, LABEL)
    points.access((other, 24), 2, None, LABEL)
    points.copy((one, 0), (other, 16), 10)
    points.solve()
    assert cells(other) == [(16, 4, False), (24, 2, True)]
    assert cells(one) == [(0, 4, False), (8, 4, True)]
    assert find_slot(cell(one, 0, 4).slot) is find_slot(cell(other, 16, 4).slot)


def test_a_long_chain_of_objects_needs_no_recursion() -> None:
    points = graph()
    heads = []
    for _ in range(2):
        node = points.node()
        heads.append(node)
        for _ in range(3000):
            following = points.node()
            points.flow(points.slot((following, 0), WHOLE), points.access((node, 0), 8, None, LABEL))
            node = following
    points.join((heads[0], 0), (heads[1], 0))
    points.solve()
    assert len({find_node(node)[0].index for node in points.nodes}) == 6001
