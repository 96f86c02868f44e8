"""The story of a long execution: its two ends, and how much is between them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from remuda.base.source import Source
from remuda.frontends.c.clang.parse import ParseOptions, parse_program
from remuda.frontends.c.syntax.types import LP64
from remuda.machine.run import Execution
from remuda.machine.settings import Settings
from remuda.machine.story import Kept, Story
from tests.machine.running import Given

if TYPE_CHECKING:
    from remuda.machine.story import Event

TEXT = """
void __VERIFIER_assert(int);
struct pair { int one, other; };
int twice(int n) { return n && n < 1000 || n ? 2 * n : 0; }
int main(void) {
  int a[8], s = 0;
  struct pair pair = {0, 0};
  for (int i = 0; i < 200; i++) {
    a[i % 8] = twice(i);
    int *p = &a[i % 8];
    if (*p % 4 == 0 && i != 7) s += *p;
    pair = (struct pair){i, s};
    __VERIFIER_assert(s >= 0);
  }
  __VERIFIER_assert(s == 1);
  return 0;
}
"""


def story(kept: Kept) -> Story:
    unit = parse_program([Source("program.c", TEXT)], ParseOptions(machine=LP64))
    running = Execution(unit, Settings(volatile_is_input=False), Given(), tells=True, kept=kept)
    running.run()
    assert running.story is not None
    return running.story


@pytest.mark.parametrize(("first", "last"), [(0, 0), (0, 5), (5, 0), (7, 11), (100, 300), (10_000, 5)])
def test_the_ends_are_those_of_the_whole_story(first: int, last: int) -> None:
    whole, ends = story(Kept()).events, story(Kept(first, last))
    assert len(whole) > 1000
    assert [bare(each) for each in ends.events] == [bare(each) for each in whole[:first]]
    rest = whole[first:]
    assert [bare(each) for each in ends.last_events()] == [
        bare(each) for each in rest[len(rest) - min(last, len(rest)) :]
    ]
    assert len(ends.events) + ends.left_out + len(ends.last_events()) == len(whole)
    assert ends.is_complete == (first >= len(whole))


def bare(event: Event) -> tuple[object, ...]:
    """An event without the source that its place is in, which is another object in each run."""
    span = event.span
    return event.kind, span.start, span.end, event.values, event.place, event.variable, event.function, event.depth


@pytest.mark.parametrize("quiet", [1, 500, 5000])
def test_what_is_only_counted_is_not_at_the_end(quiet: int) -> None:
    loud, calm = story(Kept(20, 30)), story(Kept(20, 30, quiet))
    assert calm.left_out == loud.left_out
    assert [bare(each) for each in calm.last_events()] == [bare(each) for each in loud.last_events()]
    assert [bare(each) for each in calm.events] == [bare(each) for each in loud.events]


def test_events_say_where_they_happen() -> None:
    events = story(Kept(6)).events
    assert {(each.function, each.depth) for each in events[1:]} == {("main", 0)}
    calls = [each for each in story(Kept()).events if each.kind == "call"]
    assert [(each.function, each.depth) for each in calls[:2]] == [("start", -1), ("main", 0)]
    assert all(each.variable or each.place for each in story(Kept()).events if each.kind == "assign")
