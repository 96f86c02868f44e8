"""Decides which assertions a verification checks, because the others follow from them: `--implications`."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import PurePath
from typing import TYPE_CHECKING, Final

from remuda.base import clock
from remuda.engines.assertion_order import AssertionOrder, Derived
from remuda.engines.implication import ComparisonLimits
from remuda.implications.comparison import find_implied, find_pairs, sequences
from remuda.prepare.pipeline import with_stated_assertions
from remuda.results.report import Verdict

if TYPE_CHECKING:
    from remuda.implications.known import KnownImplications
    from remuda.ir.program import Check, Program
    from remuda.options import Options
    from remuda.prepare.pipeline import Prepared
    from remuda.results.report import Statistics
    from remuda.store.summary_store import SummaryStore

MANY: Final = 20  # the least number of assertions for which comparing them pays
DISTANCE: Final = 200  # the most instructions between two assertions
QUERY_SECONDS: Final = 0.2
MOST_NAMED: Final = 3
CAUSES: Final = 3  # the most assertions that imply one: if one of them fails, another one may hold
TOO_MANY: Final = 200  # assertions for one search, whose formula contains all procedures with assertions
GROUP: Final = 64


def is_worth_comparing(options: Options, checks: Sequence[Check]) -> bool:
    """Whether comparing assertions pays; if the user requests it, two assertions suffice."""
    if options.implications == "off" or options.property == "reach-end":
        return False
    return len(checks) >= (MANY if options.implications == "auto" else 2)


def group_size(options: Options, count: int) -> int | None:
    """The number of assertions of each search; None: all."""
    return GROUP if options.at_a_time is None and count > TOO_MANY else options.at_a_time


def order_of(
    program: Program,
    prepared: Prepared,
    options: Options,
    checks: Sequence[Check],
    statistics: Statistics,
    until: float,
    hear: Callable[[Derived], None],
    store: SummaryStore | None = None,
) -> AssertionOrder:
    """The order in which to check assertions. `program` is that of the front end. `hear` is called early with
    assertions that need no check, so that an interrupted run reports them too. `store` has the results of earlier
    runs."""
    now = clock.now()
    stops = options.on_failure == "stop"
    # Implications are found in the program in which assertions are in their original places.
    looping = prepared.looping if stops else with_stated_assertions(program, options)
    given = sequences(looping, options, "procedures")
    effort = ComparisonLimits(DISTANCE, QUERY_SECONDS, until)
    by_name = {check.identifier: check for check in checks}
    causes: dict[Check, list[tuple[Check, ...]]] = {}
    if options.implications == "auto":

        def tell(check: Check, cause: tuple[Check, ...]) -> None:
            if check.identifier in by_name and (stops or not cause):
                hear(Derived(by_name[check.identifier], Verdict.PROVED, cause))

        known = _known(store, looping, options)
        implied, _ = find_implied(looping, given, options, effort, tell, known)
        sets = list(implied.items())
    else:
        effort = replace(effort, most=CAUSES)
        found = find_pairs(looping, given, options, effort, equalities=False, both_directions=False)
        sets = [(weaker, (stronger,)) for stronger, weaker in found.pairs]
    for check, cause in sets:
        # An assertion that is not selected is an assumption if executions end at failures; otherwise it has no effect.
        named = tuple(by_name.get(each.identifier, each) for each in cause)
        if check.identifier in by_name and (stops or all(each.identifier in by_name for each in cause)):
            causes.setdefault(by_name[check.identifier], []).append(named)
    statistics.implications = sum(map(len, causes.values()))
    statistics.implication_seconds = clock.now() - now
    return AssertionOrder(
        checks, causes, options.implications, stops=stops, at_a_time=group_size(options, len(checks) - len(causes))
    )


def _known(store: SummaryStore | None, program: Program, options: Options) -> KnownImplications | None:
    if store is None:
        return None
    from remuda.implications.known import KnownImplications

    return KnownImplications(store, program, options)


def in_words(derived: Derived) -> str:
    """The reason why an assertion need not be checked, as text."""
    if not derived.because:
        return "the code around it implies it"
    names = [_short(check) for check in derived.because[:MOST_NAMED]]
    more = len(derived.because) - len(names)
    return f"implied by {', '.join(names)}{f' and {more} more' if more else ''}"


def _short(check: Check) -> str:
    return f"`{check.description}` at {PurePath(check.span.source.name).name}:{check.span.line}"
