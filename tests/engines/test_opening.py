"""Which calls are inlined together."""

from __future__ import annotations

from remuda.options import Options
from remuda.results.report import Verdict
from remuda.session import verify

DEPTH = 30
LEVELS = 5


def doubling() -> str:
    """Procedures that cannot fail, each of which makes two calls in any case."""
    steps = [
        f"procedure P{index}() modifies g; {{ call P{index + 1}(); call P{index + 1}(); }}" for index in range(LEVELS)
    ]
    return "\n".join(
        [
            "var g: int;",
            "procedure {:entrypoint} main() modifies g; { g := 0; call P0(); assert g >= 0; }",
            *steps,
            f"procedure P{LEVELS}() modifies g; {{ g := g + 1; }}",
        ]
    )


def chain() -> str:
    """Procedures that only call the next one."""
    steps = [f"procedure P{index}() modifies g; {{ g := g + 1; call P{index + 1}(); }}" for index in range(DEPTH)]
    return "\n".join(
        [
            "var g: int;",
            "procedure {:entrypoint} main() modifies g; { g := 0; call P0(); assert g == 30; }",
            *steps,
            f"procedure P{DEPTH}() modifies g; {{ g := g + 0; }}",
        ]
    )


def test_certain_calls_do_not_double_without_a_question() -> None:
    report = verify(doubling(), Options(reachability=False))
    assert report.verdict is Verdict.PROVED
    assert report.statistics.instances == 2 ** (LEVELS + 1)
    assert report.statistics.solver_calls > LEVELS


def test_a_chain_of_calls_is_opened_at_once() -> None:
    report = verify(chain(), Options(reachability=False))
    assert report.verdict is Verdict.PROVED
    assert report.statistics.instances == DEPTH + 2
    assert report.statistics.solver_calls <= 4


def branching() -> str:
    """No execution reaches the end of main before the last procedure is inlined."""
    steps = [
        f"procedure P{index}() modifies g; "
        f"{{ if (*) {{ g := g + 1; call P{index + 1}(); }} else {{ g := 1 + g; call P{index + 1}(); }} }}"
        for index in range(LEVELS)
    ]
    return "\n".join(
        [
            "var g: int;",
            f"procedure {{:entrypoint}} main() modifies g; {{ g := 0; call P0(); assert g == {LEVELS}; }}",
            *steps,
            f"procedure P{LEVELS}() modifies g; {{ g := g + 0; }}",
        ]
    )


def test_open_calls_are_not_blocked_in_vain() -> None:
    """Blocking them all is asked about at the start, and then only once there is a path without one."""
    report = verify(branching(), Options(reachability=False))
    assert report.verdict is Verdict.PROVED
    assert report.statistics.instances == LEVELS + 2
    assert report.statistics.solver_calls <= 2 * LEVELS + 6
