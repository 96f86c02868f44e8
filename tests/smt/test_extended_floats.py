"""Two of the solvers lack the format of `long double` on x86: they refuse every term with this type."""

from __future__ import annotations

import pytest

from remuda.base.source import Source
from remuda.options import SOLVERS, Options
from remuda.portfolio.run import run
from remuda.results.report import Verdict

PROGRAMS = {
    "literal": "int main(void) { long double x = 1.0L; __VERIFIER_assert(x == 1.0L); }",
    "input": "int main(void) { long double x = nd(); __VERIFIER_assert(x < 2 || x >= 2 || x != x); }",
    "conversion": "int main(void) { long double x = number(); __VERIFIER_assert(x < 3e9L); }",
}


@pytest.mark.parametrize("solver", SOLVERS)
@pytest.mark.parametrize("program", PROGRAMS)
def test_long_double(program: str, solver: str) -> None:
    text = f"long double nd(void); int number(void); void __VERIFIER_assert(int);\n{PROGRAMS[program]}"
    (result,) = run([Source("program.c", text)], Options(solver=solver), send=lambda _: None).assertions
    if solver in {"auto", "z3"}:
        assert result.verdict is Verdict.PROVED
    else:
        assert result.verdict is Verdict.UNKNOWN
        assert f"such as `long double`, (with the solver {solver}) is not supported" in result.reason
