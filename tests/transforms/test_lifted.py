"""The parts of lifting assertions: the note which thread fails, and traces that travel back from copies; and traces past assertions."""

from __future__ import annotations

from typing import TYPE_CHECKING

from remuda.frontends.boogie.load import load
from remuda.ir.program import Assign, Assume, Call
from remuda.ir.trace import Choose, Enter, Leave, Switch, Trace, Visit
from remuda.replay.explore import ExplorationLimits, explore
from remuda.replay.interpreter import replay
from remuda.terms.values import Interpretation
from remuda.transforms.judge_alone import JudgeAlone, cut_traces
from remuda.transforms.lift_assertions import LiftAssertions
from remuda.transforms.lifted_blocks import NONE, Blocks, FailingThread, Pieces
from remuda.transforms.lifted_traces import Entered, LiftedTraces
from tests.ir.builders import SPAN, assertion
from tests.oracle import source

if TYPE_CHECKING:
    from collections.abc import Sequence

    from remuda.ir.trace import Event

THREADS = """
var g: int;
procedure {:entrypoint} main() modifies g; { g := 1; async call Worker(2); async call Quiet(); }
procedure Worker(n: int) { assert g > n; }
procedure Quiet() modifies g; { g := 3; }
"""


def told(events: Sequence[Event]) -> list[str]:
    """Events in a few letters, without values."""
    found = []
    for event in events:
        match event:
            case Enter(procedure):
                found.append(f"enter {procedure}")
            case Visit(label):
                found.append(label)
            case Switch(thread, position):
                found.append(f"switch to {thread} at {position}")
            case Leave():
                found.append("leave")
            case Choose():
                found.append("choose")
    return found


def test_a_jump_into_a_copy_becomes_a_call_that_does_not_return() -> None:
    plan = LiftedTraces(
        labels={("main", "start$fail"): None, ("main", "P$start"): "start"},
        entered={("main", "start$fail"): Entered("P", "start", is_arbitrary=False)},
    )
    program = load([source("procedure {:entrypoint} main() { }")])
    events = (Enter("main", {}), Visit("start"), Visit("start$fail"), Visit("P$start"))
    trace = Trace("main", Interpretation(), {}, events, assertion(program.terms.false).check)
    assert told(plan.lift(trace).events) == ["enter main", "start", "enter P", "start"]


def test_the_thread_that_waits_becomes_the_one_that_fails() -> None:
    program = load([source(THREADS)])
    lifted = LiftAssertions().apply(program)
    ((_, trace),) = explore(
        lifted.program, entry="main", havoc_domain=(0,), limits=ExplorationLimits()
    ).failing.items()
    before = lifted.traces.lift(trace)
    assert told(before.events) == ["enter main", "start", "switch to 2 at 2", "enter Worker", "start"]
    assert replay(program, before).ok


def test_the_thread_that_fails_is_noted_once_with_its_arguments() -> None:
    program = load([source(THREADS)])
    thread = FailingThread(program, ["Worker"])
    call = Call("Worker", (program.terms.integer(7),), (), SPAN)
    assume, note = thread.take(call)
    assert isinstance(assume, Assume)
    assert assume.condition is thread.is_code(NONE)
    assert isinstance(note, Assign)
    assert note.targets == thread.globals
    assert note.values[1:] == call.arguments
    assert [thread.fails(name) for name in ("Worker", "Quiet")] == [True, False]


def test_an_asynchronous_call_begins_a_block() -> None:
    program = load([source(THREADS)])
    blocks = Blocks("main", ("start",), LiftedTraces(), FailingThread(program, ["Worker"]))
    pieces = Pieces(blocks, "start", ("main", "start"))
    for index, name in enumerate(("Quiet", "Worker")):
        pieces.start_thread(Call(name, (program.terms.integer(7),) * (name == "Worker"), (), SPAN), index)
    pieces.close((), SPAN, 2)
    assert {label: block.successors for label, block in blocks.written.items()} == {
        "start": ("start$start",),
        "start$start": ("start$start.1", "start$fails"),
        "start$start.1": ("start$on",),
        "start$fails": ("start$on",),
        "start$on": (),
    }
    assert blocks.traces.takes == {("main", "start$fails"): "Worker"}


def test_an_execution_past_an_assertion_fails_it_where_it_got_past() -> None:
    text = "procedure {:entrypoint} main(x: int) { assert x > 0; assert x > 1; assert x > 2; }"
    program = JudgeAlone().apply(load([source(text)])).program
    failing = explore(program, entry="main", havoc_domain=(0,), limits=ExplorationLimits()).failing
    first, second, third = sorted(failing, key=lambda check: check.identifier)
    (cut,) = cut_traces(program, failing[third], second)
    assert told(cut.events) == ["enter main", "start", "start$on", "start$judged.1"]
    assert cut.check is second
    assert replay(program, cut).ok
    assert list(cut_traces(program, failing[first], third)) == []
