"""`remuda show ussa`: sequences of guarded instructions as text."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Final

from remuda.base.source import Source
from remuda.cli.main import main
from remuda.cli.show_ussa import ussa_text
from remuda.frontends.boogie.load import load
from remuda.vc.ussa import Ussa, unwind

if TYPE_CHECKING:
    import pytest

    from remuda.ir.program import Program

EXAMPLE: Final = Path(__file__).parents[2] / "examples" / "implications.c"


def text_of(boogie: str, look: str = "inline", root: str = "main") -> list[str]:
    """The lines, without spaces that only align them."""
    program = load([Source("a.bpl", boogie)])
    lines = ussa_text(program, sequence(program, look, root)).splitlines()
    return [" ".join(line.split()) for line in lines]


def sequence(program: Program, look: str, root: str = "main") -> Ussa:
    (found,) = unwind(program, [root], lambda *_: look, 1000)
    assert isinstance(found, Ussa)
    return found


def instructions(lines: list[str]) -> list[str]:
    return [line.partition(" -> ")[2] for line in lines]


def test_the_assertions_of_the_papers_figure_have_its_guards(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["show", "ussa", "--integers", "math", "--bound", "2", str(EXAMPLE)]) == 0
    first, *lines = capsys.readouterr().out.splitlines()
    assert first == "entry main up to bound 2"
    steps = [line.partition(") ")[2].strip().split(" -> ") for line in lines]
    assert [(guard.strip(), text) for guard, text in steps if text.startswith("assert")] == [
        ("y_2 <= x_2 && 0 <= y_2", "assert 0 <= x_2"),
        ("y_2 <= x_2 && 0 <= y_2", "assert 0 <= z_2"),
        ("true", "assert f.a_2 + f.b_2 <= f.i_8"),
        ("true", "assert 0 <= z_5"),
        ("true", "assert x_3 + y_3 <= z_5"),
        ("true", "assert x_3 <= z_5 - y_3"),
    ]
    written = [text for _, text in steps]
    assert "f.i_4 := phi(f.i_2, f.i_3, f.i_1 < f.a_2)" in written
    assert [text for text in written if text.startswith(("f.a", "f.b"))][:2] == ["f.a_1 := x_3", "f.b_1 := y_3"]


def test_lines_are_numbered_and_aligned() -> None:
    boogie = "procedure main(x: int) { var z: int; if (x >= 0) { z := x; assert z >= 0; } assert z < 9; }"
    program = load([Source("a.bpl", boogie)])
    assert ussa_text(program, sequence(program, "inline")) == (
        "(1)  0 <= x_0 -> z_1 := x_0\n"
        "(2)  0 <= x_0 -> assert 0 <= z_1\n"
        "(3)  true     -> z_2 := phi(z_1, z_0, 0 <= x_0)\n"
        "(4)  true     -> assert z_2 < 9\n"
    )


def test_a_long_guard_does_not_move_the_others() -> None:
    long = " && ".join(f"x != {number}" for number in range(20))
    boogie = f"procedure main(x: int) {{ if ({long}) {{ assert x > 0; }} assert x > 1; }}"
    program = load([Source("a.bpl", boogie)])
    assert "\n(2)  true -> assert 1 < x_0\n" in ussa_text(program, sequence(program, "inline"))


def test_more_than_two_ways_are_nested() -> None:
    boogie = """procedure main() returns (x: int) {
      goto a, b, c;
      a: x := 1; goto d;
      b: x := 2; goto d;
      c: x := 3; goto d;
      d: assert x > 0;
    }"""
    assert text_of(boogie)[-2:] == [
        "(4) true -> x_4 := phi(x_1, phi(x_2, x_3, !choice_1 && choice_2), choice_1)",
        "(5) true -> assert 0 < x_4",
    ]


def test_a_chain_of_many_ways() -> None:
    ways = range(200)
    jumps = ", ".join(f"a{way}" for way in ways)
    blocks = " ".join(f"a{way}: x := {way}; goto z;" for way in ways)
    lines = text_of(f"procedure main() returns (x: int) {{ goto {jumps}; {blocks} z: assert x >= 0; }}")
    assert lines[-2].startswith("(201) true -> x_201 := phi(x_1, phi(x_2, ")


def test_inlined_calls() -> None:
    boogie = """procedure f(a: int) returns (r: int) { var i: int; i := a + 1; r := i; }
    procedure main() { var x: int; call x := f(1); call x := f(x); }"""
    assert instructions(text_of(boogie)) == [
        "f.a_1 := 1",
        "f.i_1 := f.a_1 + 1",
        "f.r_1 := f.i_1",
        "x_1 := f.r_1",
        "f.a_2 := x_1",
        "f.i_2 := f.a_2 + 1",
        "f.r_2 := f.i_2",
        "x_2 := f.r_2",
    ]


def test_variables_that_a_call_or_a_loop_may_change_are_arbitrary() -> None:
    boogie = """var g: int;
    procedure f() returns (r: int) modifies g; { g := 0; }
    procedure e() { }
    procedure main() modifies g; { var x: int;
      call x := f();
      call e();
      while (x < 3) { x := x + 1; }
      havoc g;
    }"""
    assert instructions(text_of(boogie, look="havoc"))[:5] == [
        "g_1 := any value, by the call of f at line 5",
        "x_1 := any value, by the call of f at line 5",
        "the call of e at line 6 may not end",
        "x_2 := any value, by the loop at line 7",
        "x_3 := x_2 + 1",
    ]
    assert instructions(text_of(boogie, look="havoc"))[-1] == "g_2 := any value"


def test_names_are_never_shared() -> None:
    boogie = """const x_1: int; const k: int;
    procedure main(x: int) { var y, x_2: int; y := x_1 + k; havoc y; x_2 := y; assert x_2 > x; }
    """
    assert instructions(text_of(boogie.replace("var y", "var x_0, y"))) == [
        "y_1 := x_1 + k",
        "y_2 := any value",
        "x_2_1 := y_2",
        "assert x_0 < x_2_1",
    ]
    boogie = "const x_1: int; procedure main() { var x: int; havoc x; assert x > x_1; }"
    assert instructions(text_of(boogie)) == ["x_2 := any value", "assert x_1 < x_2"]


def test_guards_with_disjunctions_are_in_parentheses() -> None:
    boogie = "procedure main(p, q: bool) { if (p) { if (p ==> q) { if (q <==> p) { assert q; } } } }"
    assert text_of(boogie) == ["(1) p_0 && (p_0 ==> q_0) && (q_0 <==> p_0) -> assert q_0"]


def test_every_procedure_alone(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "a.bpl"
    file.write_text(
        "procedure f(x: int) { assert x > 0; }\nprocedure g() { }\n"
        "procedure {:entrypoint} main() { call g(); call f(1); assert true; }\n"
    )
    assert main(["show", "ussa", "--scope", "procedures", str(file)]) == 0
    output = capsys.readouterr().out
    assert [line for line in output.splitlines() if line.startswith("procedure")] == ["procedure f", "procedure main"]
    file.write_text("procedure {:entrypoint} main() { }\n")
    assert main(["show", "ussa", "--scope", "procedures", str(file)]) == 0
    assert main(["show", "ussa", str(file)]) == 0
    assert capsys.readouterr().out == "no assertions\nentry main\nno steps\n"


def test_a_program_without_a_sequence_is_explained(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "a.bpl"
    file.write_text("var g: int; procedure t() modifies g; { g := 1; }\n"
                    "procedure {:entrypoint} main() modifies g; { async call t(); assert g == 0; }\n")  # fmt: skip
    assert main(["show", "ussa", str(file)]) == 1
    assert "a program with threads" in capsys.readouterr().err
    file.write_text("procedure {:entrypoint} main(x: int) { assert x > 0; call main(x); call main(x); }")
    assert main(["show", "ussa", "--bound", "40", str(file)]) == 1
    assert "lower --bound, or use --scope procedures" in capsys.readouterr().err
