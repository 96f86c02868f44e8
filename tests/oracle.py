"""Judges a report about a small program, by running every execution.

    oracle = Oracle.of(text, bound=2)
    oracle.complaints(report)      # [] if every verdict is right

There are two explorations. The exact one runs the program with loops as procedures, up to the bound, and finds the
assertions that fail within the bound. The other one runs the program as the user wrote it, beyond the bound, and so
does not depend on any transform.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, final

from remuda.analysis.callgraph import call_graph
from remuda.analysis.loops import find_loops
from remuda.base.source import Source
from remuda.frontends.boogie.load import load
from remuda.ir.program import Program, attribute
from remuda.prepare.pipeline import base_program
from remuda.replay.explore import ExplorationLimits, Outcomes, explore
from remuda.results.report import AssertionResult, Report, Verdict
from remuda.transforms.extract_loops import ExtractLoops
from remuda.transforms.make_reducible import MakeReducible
from remuda.transforms.unroll_loops import UnrollLoops

if TYPE_CHECKING:
    from collections.abc import Sequence

    from remuda.options import Options

FILE = "random.bpl"
STEPS = 5_000
FEW = 3_000  # statements that an exploration executes in the fast run
FURTHER = 3  # how much further than the bound the program itself is run


def source(text: str) -> Source:
    return Source(FILE, text)


@final
@dataclass(slots=True)
class Found:
    """Identifiers of assertions that fail and that are reached, over all entries."""

    failing: set[str] = field(default_factory=set)
    reached: set[str] = field(default_factory=set)
    complete: bool = True  # every execution was followed to its end
    exact: bool = True  # every execution within the limits was followed to its end

    def add(self, outcomes: Outcomes) -> None:
        assert not outcomes.unevaluated
        self.failing.update(check.identifier for check in outcomes.failing)
        self.reached.update(check.identifier for check in outcomes.reached)
        self.complete &= outcomes.complete
        self.exact &= "steps" not in outcomes.cut


def run_all(program: Program, domain: Sequence[int], limits: ExplorationLimits) -> Found:
    """Every execution from every entry."""
    found = Found()
    for entry in program.entries:
        found.add(explore(program, entry=entry, havoc_domain=domain, limits=limits))
    return found


def loops_of(program: Program) -> dict[tuple[str, str], frozenset[str]]:
    return {
        (name, loop.header): frozenset(loop.blocks)
        for name, procedure in program.procedures.items()
        if procedure.blocks
        for loop in find_loops(procedure).loops
    }


def is_plain(program: Program) -> bool:
    """Whether the limits of an exploration mean what the bound means: no cycle but natural loops outside
    recursion."""
    recursive = call_graph(program).recursive()
    for name, procedure in program.procedures.items():
        if procedure.blocks:
            loops = find_loops(procedure)
            if loops.irreducible or (loops.loops and name in recursive):
                return False
    return True


def tags(program: Program) -> dict[str, int]:
    """The `{:tag n}` of every assertion, by identifier."""
    found: dict[str, int] = {}
    for procedure in program.procedures.values():
        for block in procedure.blocks or ():
            for statement in block.statements:
                check = getattr(statement, "check", None)
                tag = attribute(statement.attributes, "tag")
                if check is not None and tag is not None:
                    found[check.identifier] = int(tag.arguments[0].payload)  # type: ignore[union-attr]
    return found


@final
class Oracle:
    """The explorations of one program."""

    def __init__(self, text: str, options: Options, domain: Sequence[int] = (0, 1), steps: int = STEPS) -> None:
        self.bound = options.bound
        self.lifted = options.lift  # then recursion up to a failing assertion counts once for all, and may go deeper
        program = load([source(text)])
        base = base_program(program, options)
        reducible = MakeReducible().apply(base).program
        unrolled = UnrollLoops().apply(reducible).program if options.unroll else reducible
        extracted = ExtractLoops().apply(unrolled).program
        self.within = run_all(extracted, domain, ExplorationLimits(steps=steps, recursion=self.bound))
        plain = is_plain(base)
        loops = loops_of(base) if plain else {}
        near = ExplorationLimits(steps=steps, recursion=self.bound, iterations=self.bound - 1, loops=loops)
        self.near = run_all(base, domain, near) if plain else Found(exact=False)
        self.further = run_all(base, domain, ExplorationLimits(steps=steps, recursion=self.bound + FURTHER))
        self.base = base

    def complaints(self, report: Report) -> list[str]:
        """The errors in a report's verdicts."""
        found = []
        for result in report.assertions:
            found += [f"{result.identifier}: {result.verdict.value}, but {why}" for why in self._wrong(result)]
        return found

    def _wrong(self, result: AssertionResult) -> list[str]:
        name, verdict = result.identifier, result.verdict
        failing = name in self.within.failing or name in self.near.failing
        wrong = []
        if verdict not in {Verdict.VIOLATED, Verdict.UNKNOWN} and failing:
            wrong.append("it fails within the bound")
        match verdict:
            case Verdict.UNKNOWN if not result.reason.startswith("timeout"):
                wrong.append(f"nothing here is beyond the solvers ({result.reason})")
            case Verdict.VIOLATED:
                if self.within.exact and not self.lifted and name not in self.within.failing:
                    wrong.append("no execution within the bound fails it")
                if self.further.complete and name not in self.further.failing:
                    wrong.append("no execution at all fails it")
                if not result.trace:
                    wrong.append("it has no trace")
                elif result.trace[-1].location.line != result.location.line:
                    wrong.append(f"its trace ends in line {result.trace[-1].location.line}")
            case Verdict.PROVED:
                if name in self.further.failing:
                    wrong.append("it fails beyond the bound")
            case Verdict.UNREACHABLE:
                reached = (
                    self.within.reached if result.bound is not None else self.within.reached | self.further.reached
                )
                if name in reached or name in self.near.reached:
                    wrong.append("it is reached")
            case Verdict.BOUNDED | Verdict.UNKNOWN:
                pass
        return wrong
