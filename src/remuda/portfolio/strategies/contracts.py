"""Finds contracts of procedures and invariants of loops, so that searches may rely on them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Final

from remuda.base.clock import now
from remuda.contracts.inference import Aside, infer, jobs_of, solve, with_contracts
from remuda.ir.edit import size
from remuda.portfolio.budgets import CONTRACTS, CONTRACTS_ASIDE
from remuda.portfolio.strategies.exchange import read, written

if TYPE_CHECKING:
    from remuda.contracts.inference import Found
    from remuda.ir.program import Check
    from remuda.options import Options
    from remuda.portfolio.attempt import Attempt
    from remuda.prepare.pipeline import Prepared

LARGE: Final = 5000  # statements and blocks from which on a search begins before contracts are looked for
DOING: Final = "inferring contracts and invariants"
SOLVING: Final = "solving Horn clauses"


def with_asked_contracts(attempt: Attempt, prepared: Prepared) -> Prepared:
    """The program with the contracts that the options ask for before the search."""
    options = attempt.options
    is_horn = options.engine == "horn" and not options.abstract  # what to track must be known first
    if (not options.houdini and not is_horn) or are_postponed(options, prepared):
        return prepared
    return with_inferred(attempt, prepared, attempt.until(CONTRACTS), attempt.wanted(), is_horn=is_horn)


def are_postponed(options: Options, prepared: Prepared) -> bool:
    """Whether finding contracts takes so long that a search without them may be over before."""
    is_asked = bool(options.houdini) and options.engine in {"auto", "dag", "stratified"}
    is_plain = not options.abstract and not options.candidates and not options.print_invariants
    return is_asked and is_plain and prepared.schedules is None and size(prepared.base) >= LARGE


def infer_aside(attempt: Attempt, prepared: Prepared) -> Aside | None:
    """Begin to look for contracts in another process, if there may be one."""
    if jobs_of(attempt.options) <= 1:
        return None
    return Aside(prepared, attempt.options, attempt.until(CONTRACTS_ASIDE))


def with_inferred(
    attempt: Attempt, prepared: Prepared, until: float, checks: Sequence[Check], *, is_horn: bool
) -> Prepared:
    """The program with what is found out about it in this process."""

    known = read(prepared, attempt.job.shared)
    if known:
        prepared = with_contracts(prepared, known)

    def find() -> Found:
        if is_horn:
            return solve(prepared, attempt.options, until, checks)
        return infer(prepared, attempt.options, until)

    return with_found(attempt, prepared, find, SOLVING if is_horn else DOING)


def with_found(attempt: Attempt, prepared: Prepared, find: Callable[[], Found], doing: str = DOING) -> Prepared:
    """The program with the contracts that `find` gives."""
    began = now()
    attempt.say(doing)
    found = find()
    statistics = attempt.report.statistics
    statistics.candidates += found.count
    statistics.contracts += len(found.contracts)
    statistics.houdini_seconds += now() - began
    if attempt.options.print_invariants:
        from remuda.contracts.annotate import in_words

        attempt.report.invariants += in_words(prepared, found.contracts)
    if attempt.has_others and (shared := written(prepared, found.contracts)) is not None:
        attempt.share(shared)
    if not found.telling:
        return prepared
    strengthened = with_contracts(prepared, found.telling)
    if attempt.recall is not None:
        attempt.recall.strengthened(prepared.instrumented, strengthened.instrumented, found)
    return strengthened
