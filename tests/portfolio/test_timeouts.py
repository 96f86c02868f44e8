"""When the time runs out, what was searched by then is claimed."""

from __future__ import annotations

from remuda import Options, verify
from remuda.results.report import Verdict

PROGRAM = """
procedure add(n: int) returns (r: int)
{
  if (n <= 0) { r := 0; } else { call r := add(n - 1); r := r + 1; }
}
procedure main(n: int)
{
  var r: int;
  call r := add(n);
  assert n <= 0 || r == n;
}
"""
TOO_MUCH = 10_000_000


def test_the_bound_that_was_reached_is_claimed() -> None:
    report = verify(PROGRAM, Options(bound=TOO_MUCH, timeout=3, houdini=False))
    (result,) = report.assertions
    assert (report.verdict, report.incomplete) == (Verdict.BOUNDED, "timeout")
    assert result.verdict is Verdict.BOUNDED
    assert result.bound is not None
    assert 1 <= result.bound < TOO_MUCH
    assert result.reason == f"timeout before bound {TOO_MUCH}"


def test_bounds_of_several_kinds_have_no_simple_name() -> None:
    report = verify(PROGRAM, Options(bound=TOO_MUCH, bound_for=(("add", TOO_MUCH),), timeout=3, houdini=False))
    (result,) = report.assertions
    assert (report.verdict, result.verdict) == (Verdict.UNKNOWN, Verdict.UNKNOWN)
    assert "no violation up to bound" in result.reason
