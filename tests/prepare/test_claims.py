"""Claims that passes forbid are not made, with every engine."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, ClassVar

import pytest

from remuda.base.source import Source
from remuda.ir.passes import Claims, PassResult, Trust, unchanged
from remuda.ir.program import Assume
from remuda.options import ENGINES, Options
from remuda.portfolio.run import run
from remuda.prepare import pipeline
from remuda.results.report import Verdict
from remuda.transforms.drop_unread import DropUnread
from remuda.transforms.prepare_threads import PrepareThreads

if TYPE_CHECKING:
    from remuda.ir.program import Block, Program
    from remuda.results.report import AssertionResult

PROGRAM = """
procedure main() { var x: int; x := 1; call f(x); }
procedure f(x: int) { assert x == 1; assert x == 2; }
"""


@dataclass(frozen=True, slots=True)
class CutEverything:
    """Leaves out every execution: whatever is proved of its program, it does not count."""

    name: ClassVar[str] = "cut-everything"

    def apply(self, program: Program) -> PassResult:
        def cut(block: Block) -> Block:
            return replace(block, statements=(Assume(program.terms.false, block.span), *block.statements))

        procedures = {
            name: replace(each, blocks=each.blocks and tuple(map(cut, each.blocks)))
            for name, each in program.procedures.items()
        }
        return PassResult(replace(program, procedures=procedures), unchanged, Trust(proofs=False))


@dataclass(frozen=True, slots=True)
class Doubtful:
    """A pass that changes nothing, but states that it may have added executions."""

    name: ClassVar[str] = "doubtful"

    def apply(self, program: Program) -> PassResult:
        return PassResult(program, unchanged, Trust(bugs=False))


def results(options: Options) -> list[AssertionResult]:
    return run([Source("program.bpl", PROGRAM)], options, lambda _: None).assertions


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("replaced", [DropUnread, PrepareThreads])
def test_no_proof_is_claimed_after_a_pass_that_forbids_it(
    monkeypatch: pytest.MonkeyPatch, engine: str, replaced: type
) -> None:
    monkeypatch.setattr(pipeline, replaced.__name__, CutEverything)
    for result in results(Options(engine=engine, jobs=1)):
        assert result.verdict is Verdict.UNKNOWN
        assert "the pass cut-everything, which may leave executions out" in result.reason or engine == "isolation"


def test_a_violation_that_is_replayed_counts_after_any_pass(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pipeline, "DropUnread", Doubtful)
    assert [result.verdict for result in results(Options())] == [Verdict.PROVED, Verdict.VIOLATED]


def test_no_violation_is_claimed_if_the_replayed_program_may_have_more_executions(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(pipeline, "PrepareThreads", Doubtful)
    first, second = results(Options())
    assert (first.verdict, second.verdict) == (Verdict.PROVED, Verdict.UNKNOWN)
    assert second.reason == "no violation may be claimed after the pass doubtful, which may add executions"
    assert second.trace is None


def test_claims_add_up() -> None:
    claims = Claims().after("a", Trust()).after("b", Trust(proofs=False)).after("c", Trust(bugs=False))
    assert claims.after("b", Trust(proofs=False)) == Claims(("b",), ("c",))
