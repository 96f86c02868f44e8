"""Candidates: the kept set is inductive, and the greatest one."""

from __future__ import annotations

import json
from itertools import combinations
from random import Random
from typing import TYPE_CHECKING

import pytest

from remuda.base.errors import Unsupported
from remuda.cli.main import main
from remuda.contracts.houdini import Inference, infer
from remuda.engines.houdini import Failing, Holding, greatest_inductive
from remuda.frontends.boogie.load import load
from remuda.options import Options
from remuda.terms.symbols import Variable, VariableKind
from remuda.terms.types import BOOL
from tests.oracle import source
from tests.random_candidates import random_candidates

if TYPE_CHECKING:
    from collections.abc import Collection
    from pathlib import Path

LOOP = """
const {:existential true} b0, b1, b2: bool;
const {:existential true} b3, b4: bool;
var g: int;
procedure main() modifies g;
{
  var i: int;
  g := 0; i := 0;
  while (i < 10)
    invariant b0 ==> i <= 10;
    invariant b1 ==> i < 10;
    invariant b2 ==> g >= 0;
  { call Inc(i); i := i + 1; }
  assert i == 10;
  assert g >= 0;
  assert g == 3;
}
procedure Inc(k: int) modifies g;
  requires b3 ==> k < 10;
  ensures b4 ==> g >= old(g);
{ if (k < 10) { g := g + 1; } else { g := g - 1; } }
"""


def inferred(text: str) -> Inference:
    return infer(load([source(text)]), Options())


def kept(text: str) -> list[str]:
    return [candidate.name for candidate in inferred(text).inferred.kept]


def test_kept_candidates_and_assertions_that_follow() -> None:
    found = inferred(LOOP)
    assert kept(LOOP) == ["b0", "b2", "b3", "b4"]
    assert {each.name: check and check.kind for each, check in found.inferred.dropped.items()} == {"b1": "invariant"}
    assert [check.description for check in found.failing] == ["g == 3"]
    assert len(found.assertions) == 3


def test_candidates_that_depend_on_a_dropped_one_are_dropped() -> None:
    """No fact starts the chain, so the last call drops all of its candidates."""
    chain = "".join(f"procedure P{n}(x: int) requires b{n} ==> x > 0; {{ call P{n + 1}(x); }}\n" for n in range(5))
    constants = "".join(f"const {{:existential true}} b{n}: bool;\n" for n in range(6))
    last = "procedure P5(x: int) requires b5 ==> x > 0; { assert x > 0; }\n"
    text = constants + chain + last + "procedure main() { call P0(VALUE); }"
    assert kept(text.replace("VALUE", "1")) == [f"b{n}" for n in range(6)]
    none = inferred(text.replace("VALUE", "0"))
    assert none.inferred.kept == []
    assert [check.kind for check in none.failing] == ["assert"]


def test_the_text_has_what_was_found() -> None:
    text = inferred(LOOP).text
    assert "existential" not in text
    for line in ("requires k < 10;", "ensures old(g) <= g;", "assert i <= 10;", "assert 0 <= g;"):
        assert line in text
    load([source(text)])


def is_inductive(text: str, subset: frozenset[str], names: list[str]) -> bool:
    """Whether exactly these candidates survive if no others are there."""
    for name in names:
        text = text.replace(
            f"const {{:existential true}} {name}: bool;",
            f"const {{:existential true}} {name}: bool;" if name in subset else f"const {name}: bool; axiom !{name};",
        )
    return set(kept(text)) == subset if subset else True


@pytest.mark.parametrize("seed", range(12))
def test_the_result_is_the_greatest_inductive_set(seed: int) -> None:
    text = random_candidates(Random(seed))
    names = [each for each in (f"b{number}" for number in range(40)) if f" {each}: bool;" in text]
    found = frozenset(kept(text))
    assert is_inductive(text, found, names)
    dropped = [name for name in names if name not in found]
    for count in (1, 2):
        for more in combinations(dropped[:5], count):
            assert not is_inductive(text, found.union(more), names)


def test_threads_are_refused() -> None:
    text = "const {:existential true} b: bool; procedure main() { async call P(); } procedure P() requires b ==> false; { }"
    with pytest.raises(Unsupported, match="asynchronous call"):
        inferred(text)


def test_the_command_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path, annotated = tmp_path / "loop.bpl", tmp_path / "annotated.bpl"
    path.write_text(LOOP)
    assert main(["houdini", str(path), "-o", str(annotated)]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[:4] == ["kept     b0", "kept     b2", "kept     b3", "kept     b4"]
    assert lines[4] == f"dropped  b1: fails at {path}:11:5: b1 ==> i < 10"
    assert lines[-1].startswith("4 of 5 candidates kept; 2 of 3 other assertions follow")
    assert annotated.read_text() == inferred(LOOP).text
    assert main(["houdini", str(path), "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["kept"] == ["b0", "b2", "b3", "b4"]


class _Implication:
    """A procedure in which `conclusion` holds only if `premise` does, and whose refutations have no cores."""

    def __init__(self, premise: Variable | None, conclusion: Variable) -> None:
        self.premise = premise
        self.conclusion = conclusion

    def ask(self, believed: Collection[Variable]) -> Failing | Holding:
        holds = self.premise in believed or self.conclusion not in believed
        return Holding(frozenset()) if holds else Failing({self.conclusion: None})


def test_the_result_does_not_depend_on_cores() -> None:
    a, b, c = (Variable(name, BOOL, VariableKind.CONSTANT) for name in "abc")
    questions = {"P": _Implication(b, c), "Q": _Implication(a, b), "R": _Implication(None, a)}
    assert greatest_inductive([a, b, c], questions).kept == []
    del questions["R"]
    assert greatest_inductive([a, b, c], questions).kept == [a, b, c]
