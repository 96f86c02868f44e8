"""Facts about programs: what the choice of strategies rests on."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from benchmarks.families import dag_fig2, fmcad14_fig1
from remuda.base.source import Source
from remuda.cli.main import main
from remuda.options import Options
from remuda.portfolio.facts import MOST_PATHS, Facts, facts_of
from remuda.prepare.load import load
from remuda.prepare.pipeline import chosen_entries

if TYPE_CHECKING:
    import pytest


def facts(text: str, name: str = "program.bpl") -> Facts:
    program, options = load([Source(name, text)], Options())
    return facts_of(replace(program, entries=chosen_entries(program, options)))


def test_depth_and_paths() -> None:
    found = facts(
        "var g: int;\n"
        "procedure {:entrypoint} main() { call P(); call P(); }\n"
        "procedure P() { call Q(); call Q(); }\n"
        "procedure Q() { assert g > 0; }\n"
        "procedure unused() { while (*) { assert false; } }"
    )
    assert (found.depth, found.paths) == (2, 4)
    assert (found.procedures, found.assertions, found.loops, found.globals) == (3, 1, 0, 1)
    assert found.sorts == ("integers",)


def test_recursion_counts_as_one_call() -> None:
    found = facts(
        "procedure {:entrypoint} main() { call even(); }\n"
        "procedure even() { call odd(); }  procedure odd() { if (*) { call even(); } assert false; }"
    )
    assert (found.recursive, found.depth, found.paths) == (2, 1, 1)


def test_numbers_of_paths_end_somewhere() -> None:
    assert facts(fmcad14_fig1(100)).paths == MOST_PATHS
    assert facts(dag_fig2(6)).paths == 2**6


def test_loops_and_contracts() -> None:
    found = facts(
        "procedure main(n: int) requires n > 0; ensures true; {\n"
        "  var i: int; while (i < n) invariant i >= 0; { while (*) { i := i + 1; } } }"
    )
    assert (found.loops, found.nesting, found.contracts) == (2, 2, 3)


def test_an_integer_literal_in_the_source_is_no_integer() -> None:
    """`2` is a float when it divides one, and Bitwuzla can be asked."""
    found = facts("float nd(void); int main(void) { float x = nd() / 2; return x > 1; }", "program.c")
    assert found.sorts == ("bit-vectors", "floats")
    assert found.is_bits


def test_sorts() -> None:
    text = "var m: [int]real; procedure main(x: bv8) { assert (exists i: int :: m[i] > 1.0) || x == 3bv8; }"
    assert facts(text).sorts == ("bit-vectors", "integers", "reals", "maps", "quantifiers")
    assert not facts(text).is_bits


def test_an_unused_variable_counts() -> None:
    assert not facts("procedure main(x: bv8) { var i: int; havoc i; assert x == x; }").is_bits


def test_command(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["show", "facts", "examples/quickstart.bpl"]) == 0
    lines = [line.split() for line in capsys.readouterr().out.splitlines()]
    assert ["depth", "2"] in lines
    assert ["sorts", "integers"] in lines
