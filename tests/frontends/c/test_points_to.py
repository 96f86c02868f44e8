"""The points-to analysis by itself: objects, cells and how they become one."""

from __future__ import annotations

from typing import TYPE_CHECKING

from remuda.frontends.c.memory.abstract_objects import WHOLE, Cell, Node
from remuda.frontends.c.memory.points_to import PointsTo, find_node, find_slot
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


def test_fields_are_told_apart() -> None:
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


def test_what_moved_before_it_met_the_array_stays_in_it_afterwards() -> None:
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


def test_two_targets_of_a_pointer_are_one_object() -> None:
    points = graph()
    one, other, pointer = points.node(), points.node(), points.slot()
    points.access((one, 0), 4, None, LABEL)
    points.access((other, 4), 4, None, LABEL)
    points.flow(points.slot((one, 0), WHOLE), pointer)
    points.flow(points.slot((other, 4), WHOLE), pointer)
    assert find_node(one)[0] is find_node(other)[0]
    assert points.locate((one, 0)) == points.locate((other, 4))
    assert len(cells(one)) == 1


def test_what_fields_point_to_becomes_one_with_them() -> None:
    points = graph()
    first, second, pointer = points.node(), points.node(), points.slot()
    targets = [points.node(), points.node()]
    for node, target in zip((first, second), targets, strict=True):
        points.flow(points.slot((target, 0), WHOLE), points.access((node, 8), 8, None, LABEL))
        points.flow(points.slot((node, 0), WHOLE), pointer)
    assert find_node(targets[0])[0] is find_node(targets[1])[0]


def test_two_offsets_of_one_object_are_no_longer_told_apart() -> None:
    points = graph()
    node, pointer = points.node(), points.slot()
    for offset in (0, 4, 8, 12):
        points.access((node, offset), 4, None, LABEL)
    points.flow(points.slot((node, 0), WHOLE), pointer)
    points.flow(points.slot((node, 8), WHOLE), pointer)
    points.solve()
    assert cells(node) == [(0, 4, False), (4, 4, False)]


def test_a_number_may_be_added_before_anything_is_known() -> None:
    points = graph()
    node, start, field = points.node(), points.slot(), points.slot()
    points.flow(start, field, 8)
    points.flow(points.slot((node, 0), WHOLE), start)
    assert points.locate(points.pointee(field)) == points.locate((node, 8))


def test_integers_that_meet_no_pointer_join_nothing() -> None:
    points = graph()
    one, other, index, sums = points.node(), points.node(), points.slot(), [points.slot(), points.slot()]
    for node, sum_ in zip((one, other), sums, strict=True):
        points.flow(points.slot((node, 0), WHOLE), sum_, None)
        points.flow(index, sum_, None)
    points.solve()
    assert find_node(one)[0] is not find_node(other)[0]
    assert find_slot(index).node is None


def test_addresses_from_the_same_unknown_integer_are_the_same() -> None:
    points = graph()
    number, copies = points.slot(), [points.slot(), points.slot()]
    for copy in copies:
        points.flow(number, copy)
        points.address(copy)
        points.pointee(copy)
    points.solve()
    assert points.locate(points.pointee(copies[0])) == points.locate(points.pointee(copies[1]))


def test_a_long_chain_of_objects_becomes_one_without_recursion() -> None:
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
    assert len({find_node(node)[0].index for node in points.nodes}) == 3001
