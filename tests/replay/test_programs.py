"""The replay and the exploration, two executions of the same language, agree on random Boogie programs."""

from __future__ import annotations

from hypothesis import HealthCheck, given, settings

from remuda.base.source import Source
from remuda.frontends.boogie.load import load
from remuda.replay.explore import ExplorationLimits, explore
from remuda.replay.interpreter import replay
from remuda.replay.narrate import narrate
from tests.generators import DOMAIN, ENTRY, Shape, programs

EXAMPLES = settings(max_examples=40, deadline=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow])
LIMITS = ExplorationLimits(steps=4_000, recursion=3)


def witnesses_replay(text: str) -> None:
    program = load([Source("random.bpl", text)])
    outcomes = explore(program, entry=ENTRY, havoc_domain=DOMAIN, limits=LIMITS)
    assert not outcomes.unevaluated
    assert set(outcomes.failing) <= set(outcomes.reached)
    for check, trace in outcomes.failing.items():
        result = replay(program, trace)
        assert result.ok, result.why
        story = narrate(result, program)
        assert story[-1].kind == "fail"
        assert story[-1].location.line == check.span.line


@EXAMPLES
@given(programs())
def test_with_loops(text: str) -> None:
    witnesses_replay(text)


@EXAMPLES
@given(programs(Shape(loops=False, recursion=True, procedures=3)))
def test_with_recursion(text: str) -> None:
    witnesses_replay(text)
