"""Proves assertions in single loops and procedures, and announces each proof at once."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from remuda.base import clock
from remuda.base.reasons import Reason
from remuda.contracts.assumed_facts import with_facts
from remuda.engines.outcome import Announce, Outcome
from remuda.engines.stratified import NOT_REACHED
from remuda.isolation.isolate import ONE_ITERATION, IsolatedProof, Isolation, Way
from remuda.isolation.provers import REACHING_QUESTIONS, new_prover, own_prover
from remuda.options import FAILURES
from remuda.results.report import Verdict

if TYPE_CHECKING:
    from remuda.base.source import Source
    from remuda.ir.program import Check, Program
    from remuda.options import Options
    from remuda.prepare.pipeline import Prepared
    from remuda.results.report import Statistics

FACTS_SHARE = 3  # inferring facts about loops takes at most the time divided by this


def prove_in_fragments(
    prepared: Prepared,
    options: Options,
    statistics: Statistics,
    sources: Sequence[Source],
    checks: Sequence[Check],
    ways: Sequence[Way],
    deadline: float,
    hear: Announce,
) -> None:
    """Prove assertions in the fragments of a program without threads. Those that no execution reaches are announced
    again, as unreachable."""
    program = prepared.looping

    def facts() -> Program:
        now = clock.now()
        return with_facts(prepared, options, now + (deadline - now) / FACTS_SHARE)

    def tell(check: Check, proof: IsolatedProof) -> None:
        hear(Outcome(check, Verdict.PROVED, Reason(str(proof))))

    isolation = Isolation(program, new_prover(program, options, statistics, facts, sources), options.jobs)
    proofs = isolation.prove(checks, ways, deadline, tell)
    # Every query shows for one assertion that it is reached, so this does not pay for many proofs.
    is_short = 0 < len(proofs) <= REACHING_QUESTIONS
    if is_short and options.reachability and options.property in FAILURES:
        own = own_prover(isolation.tree, program, options, statistics, ONE_ITERATION, deadline)
        for check in own.unreachable(program.entries, list(proofs)):
            hear(Outcome(check, Verdict.UNREACHABLE, NOT_REACHED))
