"""Assumptions about volatile objects are listed."""

from __future__ import annotations

from remuda.base.source import Source
from remuda.options import Options
from remuda.portfolio.run import run

TEXT = """
void __VERIFIER_assert(int);
static volatile int own;
volatile int seen;
int main(void) { volatile int local = 1; own = 1; __VERIFIER_assert(own == 1 && local == 1 && seen == seen); }
"""


def assumed(volatile: str) -> list[str]:
    report = run([Source("volatile.c", TEXT)], Options(volatile=volatile, houdini=False), send=lambda _: None)
    return [each.text for each in report.assumed if "volatile" in each.text]


def test_objects_assumed_to_keep_their_values_are_listed() -> None:
    own, seen = (
        f"the volatile object {name} is assumed to be changed by the program only" for name in ("own", "seen")
    )
    assert assumed("inputs") == []
    assert assumed("outside") == [own]
    assert sorted(assumed("memory")) == [own, seen]
