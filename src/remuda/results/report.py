"""The report: the verdict of every assertion, with its reason, and the costs of the run."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum
from typing import final

from remuda.base.reasons import NO_REASON, Cause, Reason


class Verdict(Enum):
    """The claim about an assertion, or about a whole file."""

    VIOLATED = "violated"  # a concrete execution fails it; that execution was replayed on the program
    PROVED = "proved"  # holds on every execution, for every bound
    BOUNDED = "bounded"  # no violation up to the stated bound; no claim beyond it
    UNREACHABLE = "unreachable"  # no execution reaches it (up to the bound, if there is one): it holds vacuously
    UNKNOWN = "unknown"  # no claim; the reason says why
    NOTHING_CHECKED = "nothing-checked"  # only for a file: no assertion was checked, so there is no claim


@final
@dataclass(frozen=True, slots=True)
class Location:
    """A place in the user's source, lines and columns from 1."""

    file: str
    line: int
    column: int

    def __str__(self) -> str:
        return f"{self.file}:{self.line}:{self.column}"


GAP = "gap"  # the kind of a step that stands for those that are left out


@final
@dataclass(frozen=True, slots=True)
class TraceStep:
    """One line of a counterexample.

    `kind`: start, assign, havoc, assume, call, return, branch, print, record, gap, fail. A gap stands for steps of a long
    execution that are left out. `depth` is the number of
    calls the step is inside of. `values` are (source name, printed value) pairs that this step set or used;
    map elements are named with their index, as `m[3]`. `thread` is the thread that makes the step: threads are
    numbered in the order in which they are started, the first is 1. `place` is the part of an object that an assignment
    changes, by the object's name, where the name in `values` says it in another way: `a[3]` of `*p = 9`.
    """

    kind: str
    depth: int
    procedure: str
    location: Location
    text: str
    values: tuple[tuple[str, str], ...] = ()
    thread: int = 1
    place: str = ""


@final
@dataclass(frozen=True, slots=True)
class AssertionResult:
    """The verdict of one assertion.

    `bound` is the bound up to which a `bounded` (or bounded `unreachable`) verdict holds; None if it holds for every
    execution. `assumed` lists the assumptions of the verdict that are not in the report's own list.
    `confirmed` names the ways in which a violation was confirmed ("replayed", ...). `unconfirmed` lists the requested
    ways that cannot show this failure, with the reason: "compiled: not run: the order in which threads run".
    `reproduction` is a program in the language of the source that fails the assertion when it is run, if one was
    requested. `left_open` lists the choices that the language leaves open on the failing execution. `strategy` names
    the strategy that found the verdict.
    """

    identifier: str
    kind: str
    description: str
    location: Location
    verdict: Verdict
    why: Reason = NO_REASON
    bound: int | None = None
    trace: tuple[TraceStep, ...] | None = None
    assumed: tuple[str, ...] = ()
    confirmed: tuple[str, ...] = ()
    unconfirmed: tuple[str, ...] = ()
    reproduction: str = ""
    left_open: tuple[str, ...] = ()
    strategy: str = ""

    @property
    def reason(self) -> str:
        """Why the verdict says no more, or what it rests on; empty if there is nothing to say."""
        return str(self.why)

    @property
    def cause(self) -> Cause | None:
        """The same for programs. A verdict that holds up to a bound has that cause, if no other."""
        is_bounded = self.verdict is Verdict.BOUNDED or self.bound is not None
        return Cause.BOUND if is_bounded and self.why.cause is None else self.why.cause


@final
@dataclass(frozen=True, slots=True)
class StrategyCost:
    """The cost of a strategy of a portfolio: the processor time of its process."""

    name: str
    cpu_seconds: float


@final
@dataclass(frozen=True, slots=True)
class Assumption:
    """An unproved assumption of all verdicts of a run.

    `kind` is its kind ("axiom", "free ensures", ...), `name` distinguishes it from others of its kind (a procedure,
    or a place), and `text` describes it in full.
    """

    kind: str
    name: str
    text: str

    def __str__(self) -> str:
        return self.text


@final
@dataclass(slots=True)
class Statistics:
    """The costs of a run. They are always collected, because collecting them is cheap."""

    instances: int = 0  # procedure bodies in the formula
    tree_instances: int = 0  # the number of instances without sharing, as a tree
    growth: float | None = None  # the factor by which lifting assertions enlarged the program, if they were lifted
    refinements: int = 0  # abstract counterexamples that were examined
    refine_seconds: float = 0.0
    candidates: int = 0  # contracts and invariants that were tried, and the number that hold
    contracts: int = 0
    houdini_seconds: float = 0.0
    checked: int = 0  # assertions that were checked by a search
    implied: int = 0  # assertions that were not, because others or the code around them imply them
    implications: int = 0  # implications that were found between assertions
    implication_seconds: float = 0.0
    verdicts_reused: int = 0  # verdicts of earlier runs that still hold
    verdicts_rechecked: int = 0  # verdicts of earlier runs that were proved again
    summaries_loaded: int = 0  # contracts of earlier runs
    summaries_rechecked: int = 0  # those of them that had to be checked again
    summaries_found: int = 0  # contracts made from proofs of this run
    solver_calls: int = 0
    solver_seconds: float = 0.0
    vc_seconds: float = 0.0  # building templates and instantiating them
    merge_seconds: float = 0.0  # searching for instances to share
    frontend_seconds: float = 0.0
    replay_seconds: float = 0.0
    challenges: int = 0  # executions on random inputs, of C programs
    challenge_seconds: float = 0.0
    seconds: float = 0.0


@final
@dataclass(slots=True)
class Report:
    """All results of a run. It is filled during the run, so a run that is stopped early has a report too."""

    file: str
    assertions: list[AssertionResult] = field(default_factory=list)
    assumed: list[Assumption] = field(default_factory=list)
    bound: int | None = None
    engine: str = ""
    solver: str = ""
    entries: tuple[str, ...] = ()
    statistics: Statistics = field(default_factory=Statistics)
    strategies: list[StrategyCost] = field(default_factory=list)  # those that ran in processes of their own
    invariants: list[str] = field(default_factory=list)  # contracts and invariants that were found, if asked for
    notes: list[str] = field(default_factory=list)  # what went differently than the options ask for
    stopped: Reason | None = None  # why the run ended early, if it did
    nothing_checked: str = ""  # why no assertion was checked; empty if one was, or if having none is what was asked

    @property
    def verdict(self) -> Verdict:
        """The file's verdict: the worst verdict of its assertions (violated, then unknown, bounded, proved).

        A run that stopped before it knew the assertions of the program is `unknown`.
        """
        verdicts = {result.verdict for result in self.assertions}
        if Verdict.VIOLATED in verdicts:
            return Verdict.VIOLATED
        if Verdict.UNKNOWN in verdicts or (self.stopped is not None and not verdicts):
            return Verdict.UNKNOWN
        if Verdict.BOUNDED in verdicts or any(
            result.verdict is Verdict.UNREACHABLE and result.bound is not None for result in self.assertions
        ):
            return Verdict.BOUNDED
        return Verdict.NOTHING_CHECKED if self.nothing_checked else Verdict.PROVED

    @property
    def incomplete(self) -> str:
        """Why the run ended early: "timeout", "interrupted", ...; empty if it did not."""
        return "" if self.stopped is None else str(self.stopped)

    @property
    def reason(self) -> str:
        """Why the file's verdict is `unknown` or `nothing-checked`; empty otherwise."""
        match self.verdict:
            case Verdict.NOTHING_CHECKED:
                return self.nothing_checked
            case Verdict.UNKNOWN:
                return self._unknown_text()
        return ""

    def _unknown_text(self) -> str:
        """The first unknown assertion, the reason, and the number of further ones."""
        unknown = [result for result in self.assertions if result.verdict is Verdict.UNKNOWN]
        if not unknown:
            return f"stopped before the assertions were known: {self.incomplete}"
        first = unknown[0]
        others = f" (and {len(unknown) - 1} more)" if len(unknown) > 1 else ""
        return f"{first.location} is unknown: {first.reason or 'no reason is known'}{others}"


EXIT_CODES = {
    Verdict.PROVED: 0,
    Verdict.VIOLATED: 10,
    Verdict.BOUNDED: 5,
    Verdict.UNREACHABLE: 0,
    Verdict.UNKNOWN: 5,
    Verdict.NOTHING_CHECKED: 3,
}
