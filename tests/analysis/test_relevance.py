"""Which globals failures depend on."""

from __future__ import annotations

from remuda.analysis.relevance import relevant_globals
from remuda.frontends.boogie.load import load
from tests.oracle import source

TEXT = """
var unrelated, oldest, mode, saved, held: int; var memory: [int]int;
procedure Release() modifies held; { assert held == 1; held := 0; }
procedure Start() modifies held; { if (mode == 3) { held := 1; } }
procedure Restore() modifies held, saved; { held := saved; saved := oldest; }
procedure Keep() modifies memory, unrelated; { memory[0] := held; unrelated := held; }
procedure main() modifies held, saved, memory, unrelated;
{ call Start(); call Keep(); call Restore(); call Release(); }
"""


def test_conditions_come_first_then_what_is_copied() -> None:
    program = load([source(TEXT)])
    assert [each.name for each in relevant_globals(program, 9)] == ["held", "mode", "saved", "oldest"]
    assert [each.name for each in relevant_globals(program, 3)] == ["held", "mode", "saved"]
