"""What procedures make of their variables."""

from __future__ import annotations

from remuda.analysis.effects import effects
from remuda.frontends.boogie.load import load
from remuda.ir.term_text import term_text
from tests.oracle import source


def told(text: str, procedure: str) -> dict[str, list[str]]:
    found = effects(load([source(text)]))[procedure]
    return {variable.name: [term_text(value) for value in values] for variable, values in found.items()}


LEVELS = """
var level, saved, error: int; var Mem: [int]int;
procedure Raise(p: int) modifies level, saved, Mem; { saved := level; level := 2; Mem[p] := saved; }
procedure Restore(to: int) modifies level; { level := to; }
procedure Try(p: int) modifies level, saved, error, Mem; { if (error == 0) { call Raise(p + 1); } }
procedure Nested(p: int) returns (was: int) modifies level, saved, Mem;
{ was := level; call Raise(p); call Restore(was); if (*) { saved := 0; } }
procedure Lost(p: int) modifies level, saved; { var q: int; havoc saved; level := q; }
procedure Again(p: int) modifies level; { if (*) { call Again(p); level := 1; } }
procedure Loop(p: int) modifies level; { while (*) { level := 1; } }
"""


def test_one_path() -> None:
    assert told(LEVELS, "Raise") == {"level": ["2"], "saved": ["level"], "Mem": ["Mem[p := level]"]}
    assert told(LEVELS, "Restore") == {"level": ["to"]}


def test_paths_that_differ() -> None:
    assert told(LEVELS, "Try") == {
        "level": ["2", "level"],
        "saved": ["level", "saved"],
        "Mem": ["Mem[p + 1 := level]", "Mem"],
    }


def test_calls() -> None:
    assert told(LEVELS, "Nested") == {
        "was": ["level"],
        "level": ["level"],
        "saved": ["0", "level"],
        "Mem": ["Mem[p := level]"],
    }


def test_unknown_effects() -> None:
    assert told(LEVELS, "Lost") == {}
    assert told(LEVELS, "Again") == {"level": ["1", "level"]}
    assert told(LEVELS, "Loop") == {}


def test_effects_with_many_terms_or_values() -> None:
    many = " ".join(f"if (*) {{ x := {number}; }}" for number in range(9))
    assert told(f"var x: int; procedure P() modifies x; {{ {many} }}", "P") == {}
    long = " ".join("x := x * x + y;" for _ in range(30))
    assert told(f"var x, y: int; procedure P() modifies x; {{ {long} }}", "P") == {}


def test_a_result_that_is_assigned_to_a_global_the_callee_changes() -> None:
    text = """
    var g: int;
    procedure Set() returns (r: int) modifies g; { g := 1; r := 2; }
    procedure P() modifies g; { call g := Set(); }
    """
    assert told(text, "P") == {"g": ["2"]}
