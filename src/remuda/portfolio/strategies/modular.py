"""Checks every procedure alone, against the contracts and invariants that the program states: `--modular`."""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final, final

from remuda.base.errors import UsageError
from remuda.base.reasons import Reason
from remuda.contracts.modular import verify_modular
from remuda.prepare.assumptions import assumptions_of
from remuda.replay.narrate import location_of
from remuda.results.report import AssertionResult, Verdict
from remuda.results.unsupported import settle

if TYPE_CHECKING:
    from remuda.portfolio.attempt import Attempt

MODULAR: Final = "modular"  # its name in reports


@final
@dataclass(frozen=True, slots=True)
class Modular:
    """What does not follow from contracts is unknown: nothing is searched."""

    def steps(self, attempt: Attempt) -> Iterator[None]:
        if attempt.options.property == "reach-end":
            raise UsageError("--modular is about assertions and contracts, not about reaching the end of an entry")
        program, report = attempt.load(), attempt.report
        report.engine, report.bound = MODULAR, None
        report.entries = tuple(name for name, each in program.procedures.items() if each.blocks is not None)
        report.assumed = assumptions_of(replace(program, entries=report.entries))
        found = verify_modular(program, attempt.options)
        report.assertions = settle(
            AssertionResult(
                identifier=check.identifier,
                kind=check.kind,
                description=check.description,
                location=location_of(check.span),
                verdict=Verdict.UNKNOWN if check in found.open else Verdict.PROVED,
                why=Reason(found.open.get(check, "")),
                strategy=MODULAR,
            )
            for check in found.checks
        )
        report.statistics.seconds = time.monotonic() - attempt.began
        yield from ()
