"""Terms that a solver's own type checker refuses make an assertion unknown; they do not end the run."""

from __future__ import annotations

import pytest

from remuda.base.source import Source
from remuda.options import Options
from remuda.portfolio.run import run
from remuda.results.report import Verdict

POLYMORPHIC = """
type F a; var H: <a>[F a]a; const fi: F int;
procedure main() modifies H; { H[fi] := 3; assert H[fi] == 3; }
"""


@pytest.mark.parametrize(("solver", "verdict"), [("z3", Verdict.PROVED), ("cvc5", Verdict.UNKNOWN)])
def test_polymorphic_map(solver: str, verdict: Verdict) -> None:
    (result,) = run([Source("program.bpl", POLYMORPHIC)], Options(solver=solver), send=lambda _: None).assertions
    assert result.verdict is verdict
    assert (verdict is Verdict.PROVED) or "a term that cvc5 does not take" in result.reason
