"""What `--bound-for NAME=N` names."""

from __future__ import annotations

from typing import Final

import pytest

import remuda
from remuda.base.errors import UsageError
from remuda.base.source import Source
from remuda.frontends.boogie.load import load
from remuda.prepare.own_bounds import own_bounds

PROGRAM: Final = """procedure main(n: int) {
  var i: int;
  outer: while (i < n) {
    while (*) { i := i + 1; }
    while (*) { } while (*) { }
  }
  goto A, B;
  A: i := i + 1; goto B;
  B: i := i + 2; goto A, C;
  C: assert i != 0;
}
procedure unused() { while (*) { } }
procedure Log();
"""


def meaning(name: str) -> str:
    (found,) = own_bounds(load([Source("program.bpl", PROGRAM)]), [(name, 3)])
    return found


@pytest.mark.parametrize("name", ["main", "unused", "Log", "main/outer", "main/loop_head.4", "unused/loop_head.1"])
def test_procedures_and_loops_have_names(name: str) -> None:
    assert meaning(name) == name


def test_loops_can_be_named_by_their_line() -> None:
    assert meaning("main:3") == "main/outer"
    assert meaning("main:4") == "main/loop_head.4"
    assert meaning("unused:12") == "unused/loop_head.1"


def test_a_cycle_with_two_entries_has_a_name() -> None:
    assert meaning("main/B") == meaning("main:9") == "main/pick$B"


@pytest.mark.parametrize("name", ["nobody", "main/C", "main:2", "main:", "main/", "/", ":", "nobody/outer", "Log:13"])
def test_other_names_are_refused(name: str) -> None:
    with pytest.raises(UsageError, match="there is no procedure or loop"):
        meaning(name)


def test_a_line_with_two_loops_names_none() -> None:
    with pytest.raises(UsageError, match="2 loops begin in main:5"):
        meaning("main:5")


def test_of_two_bounds_for_one_loop_the_later_holds() -> None:
    program = load([Source("program.bpl", PROGRAM)])
    assert own_bounds(program, [("main/outer", 1), ("main:3", 2)]) == {"main/outer": 2}


def test_a_loop_that_is_unrolled_may_be_named() -> None:
    program = "procedure main() { var i: int; i := 0;\nwhile (i < 9) { i := i + 1; }\nassert i != 9; }"
    options = remuda.Options(bound=1, bound_for=(("main:2", 2),))
    assert remuda.verify(program, options).verdict is remuda.Verdict.VIOLATED


def test_a_cycle_with_two_entries_can_have_a_bound_of_its_own() -> None:
    program = """procedure main() { var i: int; i := 0; goto A, B;
      A: i := i + 1; goto B;
      B: i := i + 10; goto A, C;
      C: assert i != 43; }"""
    assert remuda.verify(program, remuda.Options(bound=1)).verdict is remuda.Verdict.BOUNDED
    options = remuda.Options(bound=1, bound_for=(("main/B", 8),))
    assert remuda.verify(program, options).verdict is remuda.Verdict.VIOLATED
