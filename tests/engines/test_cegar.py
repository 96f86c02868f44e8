"""Tracking globals as needed: the results and costs of refinements, and the verdicts.

The theorem and the lemma of the CORRAL paper are about the algorithms alone. So they are tested on queries that a
table answers, and again on the paths in searches of random programs.
"""

from __future__ import annotations

import json
from math import ceil, log2
from random import Random
from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from remuda.base.errors import FileError
from remuda.engines.path_check import PathCheck
from remuda.engines.refinement import Tracked, hierarchical, storm, within
from remuda.options import REFINEMENTS, Options
from remuda.results.report import Verdict
from remuda.terms.symbols import Variable, VariableKind
from remuda.terms.types import INT
from tests.hypothesis_settings import many
from tests.oracle import FEW, Oracle
from tests.patience import PATIENCE
from tests.random_programs import DOMAIN, random_program
from tests.verify_text import verify

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

GLOBALS = [Variable(f"g{number}", INT, VariableKind.GLOBAL) for number in range(64)]


class Table:
    """A path that cannot fail as soon as all globals of one of the sets are tracked; questions are counted."""

    def __init__(self, sets: list[frozenset[int]]) -> None:
        self._sets = [frozenset(GLOBALS[number] for number in each) for each in sets]
        self.queries = 0

    def is_correct(self, tracked: Tracked) -> bool:
        self.queries += 1
        return any(each <= tracked for each in self._sets)

    def is_minimal(self, tracked: Tracked, found: Tracked) -> bool:
        return self.is_correct(found) and not any(self.is_correct(found - {each}) for each in found - tracked)


@st.composite
def questions(draw: st.DrawFn) -> tuple[Table, Tracked, list[Variable]]:
    count = draw(st.integers(0, 24))
    numbers = st.frozensets(st.integers(0, count - 1), max_size=5) if count else st.just(frozenset[int]())
    table = Table(draw(st.lists(numbers, min_size=1, max_size=4)))
    start = frozenset(GLOBALS[number] for number in draw(numbers))
    return table, start, [each for each in GLOBALS[:count] if each not in start]


@settings(max_examples=400, deadline=None, derandomize=True)
@given(questions())
def test_refinements_are_minimal_within_the_bounds_of_the_lemma(
    question: tuple[Table, Tracked, list[Variable]],
) -> None:
    table, tracked, others = question
    everything = frozenset(others)
    for refine, most in ((storm, len(others)), (hierarchical, max(2 * len(others) - 1, 0))):
        table.queries = 0
        found = refine(tracked, others, table.is_correct)
        assert table.queries <= most
        assert tracked <= found <= tracked | everything
        assert table.is_minimal(tracked, found) or (not others and found == tracked)
    found = within(others, tracked, table.is_correct)
    assert found == storm(tracked, others, table.is_correct)


@pytest.mark.parametrize("needed", [1, 2, 3])
def test_few_of_many_cost_few_questions(needed: int) -> None:
    for seed in range(20):
        wanted = frozenset(Random(seed).sample(range(64), needed))
        table = Table([wanted])
        assert hierarchical(frozenset(), GLOBALS, table.is_correct) == {GLOBALS[number] for number in wanted}
        assert table.queries <= 2 * needed * ceil(log2(64)) + 1
        table.queries = 0
        storm(frozenset(), GLOBALS, table.is_correct)
        assert table.queries == 64


# --- on paths of programs


def with_all_refinements(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Have every path refined in every way; the list gets the number of globals that were added each time."""
    original = PathCheck.refine
    seen: list[int] = []

    def refine(self: PathCheck, how: str, tracked: Tracked) -> Tracked:
        found = {each: original(self, each, tracked) for each in REFINEMENTS}
        for each, chosen in found.items():
            assert self.is_correct(chosen), each
            assert not any(self.is_correct(chosen - {one}) for one in chosen - tracked), each
        assert not self.is_correct(tracked)
        seen.append(len(found[how] - tracked))
        return found[how]

    monkeypatch.setattr(PathCheck, "refine", refine)
    return seen


def check_verdicts(seed: int) -> None:
    random = Random(seed)
    options = Options(
        bound=random.choice([1, 2, 3]),
        abstract=True,
        refine=random.choice(REFINEMENTS),
        engine=random.choice(["dag", "stratified"]),
        lift=random.random() < 0.3,
        check_ir=True,
        timeout=PATIENCE,
    )
    text = random_program(random).text
    assert Oracle(text, options, DOMAIN, FEW).complaints(verify(text, options)) == []


def test_all_refinements_are_minimal_and_verdicts_are_right(monkeypatch: pytest.MonkeyPatch) -> None:
    seen = with_all_refinements(monkeypatch)
    for seed in range(40):
        check_verdicts(seed)
    assert len(seen) > 15
    assert all(seen)


@pytest.mark.slow
@many(500)
@given(st.integers(0, 1_000_000))
def test_all_refinements_on_many_programs(seed: int) -> None:
    with pytest.MonkeyPatch.context() as monkeypatch:
        with_all_refinements(monkeypatch)
        check_verdicts(seed)


FEW_MATTER = """
var a, b, c, d, e: int;
var m: [int]int;
procedure {:entrypoint} main() modifies a, b, c, d, e, m;
{
  a, b, c, d, e := 1, 2, 3, 4, 5;
  call Work(); call Work();
  assert b == 4;
  assert m[0] == 7 ==> c == 3;
  assert a == 3;
}
procedure Work() modifies b, d, e, m; { b := b + 1; havoc e; d := e + 2; m[0] := d; }
"""


@pytest.mark.parametrize("refine", REFINEMENTS)
def test_only_what_matters_is_tracked(refine: str, monkeypatch: pytest.MonkeyPatch) -> None:
    tracked: set[str] = set()
    original = PathCheck.refine

    def noted(self: PathCheck, how: str, before: Tracked) -> Tracked:
        found = original(self, how, before)
        tracked.update(variable.name for variable in found)
        return found

    monkeypatch.setattr(PathCheck, "refine", noted)
    report = verify(FEW_MATTER, Options(abstract=True, refine=refine))
    verdicts = [result.verdict for result in report.assertions]
    assert verdicts == [Verdict.PROVED, Verdict.PROVED, Verdict.VIOLATED]
    assert tracked <= {"a", "b", "c"}
    assert report.statistics.refinements >= 2


def test_a_violation_by_abstraction_has_a_trace() -> None:
    text = """
    var g, h: int;
    procedure {:entrypoint} main() modifies g, h; { var x: int; g := 1; h := 2; call x := Add(h); havoc g; assert x + g != 5; }
    procedure Any() returns (r: int); ensures r == old(h) + 1;
    procedure Add(i: int) returns (r: int) { var y: int; call y := Any(); r := i + y; }
    """
    (result,) = verify(text, Options(abstract=True, check_ir=True)).assertions
    assert result.verdict is Verdict.VIOLATED
    assert result.trace is not None
    assert any(step.text == "havoc g;" and ("g", "0") in step.values for step in result.trace)


def make_text(more: Callable[[int], str]) -> str:
    return " ".join(map(more, range(12)))


def test_calls_that_were_inlined_are_inlined_again_at_once() -> None:
    """Every global in turn turns out to matter, deep down."""
    names = ", ".join(f"g{number}" for number in range(12))
    text = f"""
    var {names}: int;
    procedure {{:entrypoint}} main() modifies {names}; {{ {make_text(lambda n: f"g{n} := 0;")} call P0(); }}
    {make_text(lambda n: f"procedure P{n}() {{ assert g{n} == 0; call P{n + 1}(); }}")}
    procedure P12() {{ }}
    """
    report = verify(text, Options(abstract=True))
    assert {result.verdict for result in report.assertions} == {Verdict.PROVED}
    assert report.statistics.refinements == 12


@pytest.mark.parametrize(
    ("text", "verdict"),
    [
        # an argument has its value from before the call
        (
            """
            var g: int;
            procedure P(x: int) returns (r: int); modifies g; ensures r == x;
            procedure {:entrypoint} main() modifies g; { var r: int; g := 1; call r := P(g); assume g == 2; assert r != 1; }
            """,
            Verdict.VIOLATED,
        ),
        # free postconditions of a body are assumed
        (
            """
            var g: int;
            procedure P() modifies g; free ensures g > 0; { g := 0; }
            procedure {:entrypoint} main() modifies g; { call P(); assert false; }
            """,
            Verdict.UNREACHABLE,
        ),
        (
            """
            var g, h: int;
            procedure P(i: int) modifies g; free ensures g == old(g) + i; { havoc g; }
            procedure {:entrypoint} main() modifies g, h; { g := 1; h := 2; call P(h); assert g == 3; }
            """,
            Verdict.PROVED,
        ),
        # a model that the solver is not sure of will do, if it can be replayed
        (
            """
            function f([int]int, int): bool; axiom (forall a: [int]int :: f(a, 0));
            var m: [int]int;
            procedure {:entrypoint} main() modifies m; { havoc m; assume f(m, 0); assert m[1] != 7; }
            """,
            Verdict.VIOLATED,
        ),
    ],
)
def test_paths_mean_what_the_program_does(text: str, verdict: Verdict) -> None:
    (result,) = verify(text, Options(abstract=True, check_ir=True)).assertions
    assert result.verdict is verdict


# --- the state for the next run


def test_the_next_run_begins_with_what_was_tracked(tmp_path: Path) -> None:
    state = tmp_path / "state.json"
    options = Options(abstract=True, state=str(state))
    first = verify(FEW_MATTER, options)
    assert json.loads(state.read_text())["tracked"]["main"] == ["b", "c"]
    edited = FEW_MATTER.replace("a, b", "a, a1, b", 1).replace("modifies a, b", "modifies a, a1, b", 1)
    for text in (FEW_MATTER, edited):
        second = verify(text, options)
        assert [each.verdict for each in second.assertions] == [each.verdict for each in first.assertions]
        assert second.statistics.refinements == 1 < first.statistics.refinements  # the violation


@pytest.mark.parametrize(
    "text", ["", "[]", '{"version": 2, "tracked": {}}', '{"version": 1, "tracked": {"main": [1]}}']
)
def test_other_files_are_no_states(text: str, tmp_path: Path) -> None:
    (tmp_path / "state.json").write_text(text)
    with pytest.raises(FileError, match="not a state file"):
        verify(FEW_MATTER, Options(state=str(tmp_path / "state.json")))


def test_states_that_cannot_be_written_are_said(tmp_path: Path) -> None:
    with pytest.raises(FileError, match="cannot write"):
        verify(FEW_MATTER, Options(abstract=True, state=str(tmp_path / "nowhere" / "state.json")))
