"""Searches that take turns decide together what each of them would decide alone."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

import pytest

from remuda import Options, verify
from remuda.base.source import Source, Span
from remuda.engines.stratified import Query, StratifiedSearch
from remuda.engines.turns import Turns
from remuda.ir.program import Check
from remuda.portfolio.run import run
from remuda.results.report import Verdict
from remuda.smt.create import create_solver

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from remuda.engines.turns import Make
    from remuda.smt.solver import Answer, Solver

PROGRAM = """
procedure add(n: int) returns (r: int)
{
  if (n <= 0) { r := 0; } else { call r := add(n - 1); r := r + 1; }
}
procedure main(n: int)
{
  var r: int;
  call r := add(n);
  assert r >= 0;
  assert r < 3;
  assert n <= 0 || r == n;
  if (n > 5 && n < 5) { assert false; }
}
"""

VERDICTS = [Verdict.BOUNDED, Verdict.VIOLATED, Verdict.BOUNDED, Verdict.UNREACHABLE]


@pytest.mark.parametrize("engine", ["dag", "stratified", "static"])
@pytest.mark.parametrize("seconds", [0.001, 0.005, 0.02, 0.1, 1e9])
def test_verdicts_do_not_depend_on_turns(engine: str, seconds: float) -> None:
    report = verify(PROGRAM, Options(engine=engine, bound=6, alternate=seconds, houdini=False))
    assert [result.verdict for result in report.assertions] == VERDICTS


def solvers_made(monkeypatch: pytest.MonkeyPatch, seconds: float) -> int:
    made: list[Solver] = []

    def create(name: str, *, settings: Mapping[str, str]) -> Solver:
        made.append(create_solver(name, settings=settings))
        return made[-1]

    monkeypatch.setattr("remuda.engines.solver_setup.create_solver", create)
    run([Source("program.bpl", PROGRAM)], Options(bound=6, alternate=seconds, houdini=False), lambda _: None)
    return len(made)


def test_the_second_search_begins_when_the_first_one_takes_long(monkeypatch: pytest.MonkeyPatch) -> None:
    assert solvers_made(monkeypatch, 0.001) == 2
    assert solvers_made(monkeypatch, 1e9) == 1


def test_the_first_violation_ends_all_searches() -> None:
    report = verify(PROGRAM, Options(bound=6, alternate=0.001, stop_at_first=True))
    assert [result.verdict for result in report.assertions].count(Verdict.VIOLATED) == 1


def test_assertions_that_all_searches_give_up_are_unknown() -> None:
    sum_of_cubes = "procedure main(x: int, y: int, z: int) { assert x * x * x + y * y * y + z * z * z != 33; }"
    report = verify(sum_of_cubes, Options(alternate=0.05, timeout=1.0))
    assert [result.verdict for result in report.assertions] == [Verdict.UNKNOWN]
    assert report.assertions[0].reason


DOUBTED = """
var m: [int]int;
function f(x: int): int;
axiom (forall x: int :: f(x) > x && f(f(x)) < 3 * x + 7);

procedure main()
{
  var x, y: int;
  assume (forall i: int :: m[i] > f(i) || m[i] < m[i+1]);
  assert m[x] != m[y] + 3;
  assert f(x) != f(y) + 2 || x > y;
}
"""


def test_an_assertion_in_doubt_may_be_decided_elsewhere(monkeypatch: pytest.MonkeyPatch) -> None:
    """While a search checks a path again, another one decides the assertion, and then the time of the first is
    over."""
    commit = StratifiedSearch.commit
    forgotten: list[Check] = []

    def interrupted(self: StratifiedSearch, query: Query, answer: Answer) -> None:
        commit(self, query, answer)
        doubtful = self._doubtful
        if doubtful is not None and not forgotten:
            forgotten.append(doubtful.check)
            self.forget(doubtful.check)
            self._deadline = time.monotonic() - 1

    monkeypatch.setattr(StratifiedSearch, "commit", interrupted)
    report = run([Source("doubted.bpl", DOUBTED)], Options(solver="z3"), send=lambda _: None)
    assert forgotten
    assert len(report.assertions) == 2


class Idle:
    """A search that only records its turns, and ends after the third."""

    stopped_at_first = False

    def __init__(self, name: str, said: list[str]) -> None:
        self._name, self._said = name, said

    def start(self, checks: Iterable[Check]) -> None:
        pass

    def advance(self, until: float | None = None) -> bool:
        assert until is not None
        self._said.append(self._name)
        return self._said.count(self._name) == 3

    def forget(self, check: Check) -> None:
        pass


@pytest.mark.parametrize(("newest_first", "order"), [(False, "ababab"), (True, "abbaba")])
def test_the_newest_may_go_on_first(newest_first: bool, order: str) -> None:
    said: list[str] = []
    makers: list[Make] = [lambda _, name=name: Idle(name, said) for name in "ab"]  # type: ignore[misc]
    check = Check("main:assert:1", "assert", "assert false", Span(Source("main.bpl", ""), 0, 0))
    Turns(makers, lambda _: None, 1.0, newest_first=newest_first).run([check])
    assert "".join(said) == order
