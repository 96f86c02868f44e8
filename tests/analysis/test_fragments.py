"""Local loops, and the fragments around them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from remuda.analysis.fragments import CallerTree, caller_tree
from remuda.analysis.loops import find_loops, why_not_local
from remuda.frontends.boogie.load import load
from remuda.transforms.make_reducible import MakeReducible
from tests.oracle import source

if TYPE_CHECKING:
    from remuda.ir.program import Program


def program(text: str) -> Program:
    return MakeReducible().apply(load([source(text)])).program


def tree(text: str) -> CallerTree:
    return caller_tree(program(text))


def reasons(body: str) -> list[str]:
    """Why each loop of a procedure is not local; empty for those that are."""
    procedure = program(f"procedure main(n: int) {{\nvar i: int;\n{body}\n}}").procedures["main"]
    blocks = {block.label: block for block in procedure.blocks or ()}
    return [why_not_local(loop, blocks) for loop in find_loops(procedure).loops]


def test_a_loop_that_is_left_at_its_head_is_local() -> None:
    assert reasons("while (i < n) { i := i + 1; }") == [""]
    assert reasons("a: goto b, c; b: assume i < n; i := i + 1; goto a; c: return;") == [""]


def test_a_loop_that_is_left_elsewhere_is_not_local_and_the_line_says_where() -> None:
    assert reasons("while (i < n) {\n i := i + 1;\n if (i == 3) {\n break; }\n }") == [
        "left at line 5, not only at its head"
    ]
    assert len([why for why in reasons("while (i < n) { if (i == 3) { return; } i := i + 1; }") if why]) == 1
    assert (
        len([why for why in reasons("while (i < n) { if (i == 3) { goto out; } i := i + 1; } out: return;") if why])
        == 1
    )


def test_an_inner_break_leaves_the_outer_loop_local() -> None:
    assert [bool(why) for why in reasons("while (i < n) { while (true) { if (i > 2) { break; } i := i + 1; } }")] == [
        False,
        True,
    ]


def test_being_stopped_is_not_being_left() -> None:
    assert reasons("while (i < n) { if (i == 3) { assume false; } i := i + 1; }") == [""]


NESTED = """
procedure main(n: int) {
  var i: int;
  outer: while (i < n) { inner: while (i < 7) { assert i < 7; call f(i); } }
  call f(3);
}
procedure f(x: int) { assert x > 0; }
procedure unused() { assert false; }
"""


def test_the_caller_tree() -> None:
    found = tree(NESTED)
    assert list(found.fragments) == ["main", "main/outer", "main/inner", "f"]
    assert found.around("main") is None
    assert found.around("main/inner") == ("main/outer",)
    assert found.around("main/outer") == ("main",)
    assert found.around("f") == ("main/inner", "main")
    assert [len(each.checks) for each in found.fragments.values()] == [0, 0, 1, 1]


def test_procedures_that_call_each_other_are_left_together() -> None:
    found = tree("""
procedure main() { call even(4); }
procedure even(n: int) { call odd(n - 1); }
procedure odd(n: int) { assert n != 9; while (n > 0) { call even(n - 1); } }
""")
    assert found.around("even") == ("main",)
    assert found.around("odd") == ("main",)


def test_an_entry_has_nothing_around_it_even_if_it_is_called() -> None:
    found = tree("""
procedure {:entrypoint} main() { call other(); }
procedure {:entrypoint} other() { assert true; }
""")
    assert found.around("other") is None


def test_inside_a_loop_that_is_not_local_there_may_be_local_ones() -> None:
    found = tree("""
procedure main(n: int) {
  var i: int;
  outer: while (true) { inner: while (i < n) { assert i < n; i := i + 1; } if (i > 5) { break; } }
}
""")
    assert found.around("main/inner") == ("main",)
    assert "main/outer" not in found.fragments
