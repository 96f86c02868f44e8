"""One attempt to verify a program, with the strategies that its options ask for."""

from __future__ import annotations

import gc
import time
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import asdict, replace
from typing import TYPE_CHECKING, final

from remuda.analysis.before import checks_before
from remuda.analysis.bit_programs import is_bit_program
from remuda.base.errors import Unsupported, UsageError
from remuda.confirm.replays import Replays
from remuda.engines.alternating import Alternating
from remuda.engines.assertion_order import AssertionOrder, Derived
from remuda.engines.cegar import CegarSearch
from remuda.engines.fragment_proof import Effort, FragmentProof
from remuda.engines.outcome import TIMEOUT, Announce, Confirm, Confirmation, Outcome
from remuda.engines.solver_setup import SolverSetup, solver_setups
from remuda.engines.stratified import NOT_REACHED, StratifiedSearch
from remuda.engines.turns import Make, Search, Turns
from remuda.implications.order import group_size, in_words, is_worth_comparing, order_of
from remuda.ir.edit import size
from remuda.isolation.isolate import GLANCE_WAYS, QUICK_WAYS, WAYS
from remuda.portfolio.ledger import Ledger
from remuda.portfolio.searches import NotProved, Searches, from_any_state, not_asked
from remuda.prepare.assumptions import assumptions_of
from remuda.prepare.claims import is_final
from remuda.prepare.load import NO_MEMORY, language_of, load
from remuda.prepare.nothing_checked import why_nothing_checked
from remuda.prepare.own_bounds import own_bounds
from remuda.prepare.pipeline import (
    Prepared,
    for_proofs,
    is_large_with_memory,
    prepare,
    with_schedules,
    with_tracked,
    without_lifting,
)
from remuda.replay.narrate import location_of
from remuda.results.progress import Progress
from remuda.results.report import AssertionResult, Location, Report, Statistics, Verdict
from remuda.results.unsupported import UNSUPPORTED, holds_always, may_be_reached, settle
from remuda.store.tracked_state import TrackedState
from remuda.vc.interface import Interface, interfaces

if TYPE_CHECKING:
    from remuda.base.source import Source
    from remuda.contracts.inference import Aside, Found
    from remuda.engines.inlining import Inlining
    from remuda.engines.refinement import Tracked
    from remuda.ir.program import Check, Program
    from remuda.ir.trace import Trace
    from remuda.isolation.isolate import Way
    from remuda.machine.settings import Question
    from remuda.options import Options
    from remuda.portfolio.earlier_runs import EarlierRuns
    from remuda.store.recall import Recall
    from remuda.transforms.sequentialize import Schedules

Send = Callable[[object], None]

# Names of strategies in reports, besides those of searches.
CONTRACTS, HORN, ISOLATION, IMPLICATIONS, RANDOM, SUMMARIES = (
    "contracts",
    "horn",
    "isolation",
    "implications",
    "random executions",
    "summaries",
)

PROGRESS_SECONDS = 0.1
PROOF_SECONDS = 5.0  # for proving what is bounded, or as long as the search has taken
ASKED_PROOF_SECONDS = 40.0  # the same where contracts were asked for
PROOF_BOUND = 2  # how deep to look with contracts
ISOLATION_SECONDS = 60.0  # for loops and procedures alone, before the search
GLANCE_SECONDS = 0.3  # for them after the search, if nobody asks for more, or a share of the time that it took
GLANCE_SHARE = 0.2
GLANCE_SIZE = 3000  # statements and blocks: to copy the loops of larger programs takes longer than that
NOT_ENOUGH = "no loop or procedure alone is enough to prove it, as far as was tried"
NOT_WITH_THREADS = "loops of a program with threads are not looked at alone"
LARGE = 5000  # statements and blocks from which on a search begins before contracts are looked for
INFERENCE_SHARE = 0.4  # of the time, at most, for finding contracts before the search
REACHING_SECONDS = 1.0  # for telling what nothing reaches of what was not searched for, or a share of the time
REACHING_SHARE = 0.2
ASIDE_SHARE = 0.6  # the same while others search
LOOKING = "looking for contracts and invariants"
GUIDED_STEPS = 100_000  # statements of an execution beyond the bound
FORGETFUL_SECONDS = 10.0  # for a proof without memory, or a share of the time
FORGETFUL_SHARE = 0.2
HEAD_START = 0.4  # seconds of the first search before other strategies begin, in other processes
SLACK = 0.1  # seconds by which a turn may be shorter
SHORT_START = 0.5  # seconds of the first turn, where threads make several searches begin at once


def without_memory(sources: Sequence[Source], options: Options, began: float) -> Report | None:
    """The report, if everything holds whatever is read from memory: then it does not matter which accesses meet.

    Calls through pointers reach every function whose address is taken there. The first violation ends the search."""
    now = time.monotonic()
    seconds = FORGETFUL_SECONDS
    if options.timeout is not None:
        seconds = min(seconds, (began + options.timeout - now) * FORGETFUL_SHARE)
    forgetful = replace(
        options,
        memory_model=NO_MEMORY,
        abstract=True,
        houdini=False,
        isolate=False,
        summaries_dir="",
        timeout=now - began + seconds,
    )
    try:
        report = Verification(sources, forgetful, lambda _: None, began).run()
    except NotProved:
        return None
    return report if all(map(holds_always, report.assertions)) else None


@final
class Verification:
    """One attempt to verify a program. `like` is another one of the same program, with the same beliefs."""

    def __init__(
        self,
        sources: Sequence[Source],
        options: Options,
        send: Send,
        began: float,
        *,
        believes: bool = True,
        gives_up: bool = False,  # at broken beliefs: what depends on them is unknown
        only: frozenset[str] | None = None,  # the assertions to look at, if the program has them
        program: Program | None = None,  # as the front end makes it with these options
        choice: int | None = None,  # which of the solvers that suit the program; None: they take turns
        strategy: str = "",  # its name in the report
        effort: float | None = None,  # of the solver, before the last bound of each search
        races: bool = False,  # against other strategies, in other processes
        like: Verification | None = None,
    ) -> None:
        if options.candidates and options.houdini is False:
            raise UsageError("--candidates are looked at by --houdini; leave out --no-houdini")
        if options.modular and (options.isolate or options.engine == "isolation"):
            raise UsageError("--modular looks at procedures alone already; leave out --isolate")
        if options.modular and options.on_failure == "continue":
            raise UsageError("--modular takes every assertion for granted after it; leave out --on-failure continue")
        if options.backend == "cbmc" and (len(sources) != 1 or language_of(sources, options) != "c"):
            raise UsageError("--backend cbmc is for programs that are one C file")
        if options.backend != "remuda" and options.isolate is False:
            raise UsageError(f"--backend {options.backend} looks at isolated loops; leave out --no-isolate")
        self._sources = sources
        options = replace(options, isolate=True) if options.backend != "remuda" else options
        self._options = replace(options, houdini=True) if options.candidates else options
        self._send = send
        self._believes, self._gives_up, self._only = believes, gives_up, only
        if like is not None:
            self._believes, self._gives_up = like._believes, like._gives_up
        self._forgets = options.memory_model == NO_MEMORY
        self._began = began
        self._deadline = None if options.timeout is None else self._began + options.timeout
        self._last_progress = self._began
        self.report = Report(sources[0].name, bound=options.bound)
        self._search_began = began
        self.has_searched = False  # up to the bound, and not everything is decided
        self._not_shown_elsewhere: frozenset[str] = frozenset()
        self._state = TrackedState(options.state)
        self._program = program  # as the front end made it
        self._choice, self._strategy, self._effort, self._races = choice, strategy, effort, races
        self._prepared: Prepared | None = None
        self._ledger: Ledger  # these three from when the program is prepared
        self._replays: Replays
        self._searches: Searches
        self._earlier: EarlierRuns | None = None
        self._last_searches: list[Turns] = []  # it takes long to free solvers: not before the report is made

    def run(self) -> Report:
        """Verify from start to end."""
        for _ in self.steps():
            pass
        return self.conclude(self.results)

    def steps(self) -> Iterator[None]:
        """Decide the assertions step by step: between two steps, the rest can go on in a copy of this process."""
        try:
            if self._options.modular:
                self._modular()
                return
            prepared = self._front_end()
            if not self._races and self.may_do_without_memory:
                proved = without_memory(self._sources, self._options, self._began)
                if proved is not None:
                    self.adopt(proved)
                    return
        except Unsupported as problem:
            self._unsupported(problem)
            return
        try:
            self._earlier = self._earlier_runs(prepared)
            if self._earlier is not None:
                self._earlier.remember(self._wanted(prepared))
            if self._options.isolate or self._options.engine == "isolation":
                self._isolate(prepared)
            self._search_began = time.monotonic()
            yield from self._search(prepared)
            if any(map(self._ledger.is_bounded, self._ledger.outcomes)):
                self.has_searched = True
                yield
            self._prove(prepared)
        except Unsupported as problem:
            place = "" if problem.span is None else f" at {problem.span}"  # a solver does not know where
            self._ledger.leave_open(prepared.checks.values(), f"{problem.construct}{place} is not supported")
        if self._earlier is not None:
            self._earlier.keep()

    @property
    def needs_help(self) -> bool:
        """Whether other strategies should begin: the search takes long, or has ended at its bound."""
        return self.has_searched or time.monotonic() >= self._search_began + HEAD_START - SLACK

    def adopt(self, report: Report) -> None:
        """Take over a report that says everything."""
        self.report, self._prepared = report, None
        self._send(report)

    @property
    def results(self) -> list[AssertionResult]:
        """What is known of each assertion, and of each construct without a meaning."""
        if self._prepared is None:
            return self.report.assertions
        return [self._ledger.result(check) for check in self._prepared.checks.values()]

    @property
    def wanted(self) -> list[str]:
        """The identifiers of what is to be decided."""
        return [] if self._prepared is None else [check.identifier for check in self._wanted(self._prepared)]

    def conclude(self, results: Sequence[AssertionResult]) -> Report:
        """The report, once nothing more can be found out."""
        report, prepared = self.report, self._prepared
        if prepared is not None:
            report.assertions = self._challenged(self._settled(results, prepared), prepared)
            if any(result.reason.startswith(TIMEOUT) for result in report.assertions):
                report.incomplete = TIMEOUT
            self._note_nothing_checked()
            report.statistics.seconds = time.monotonic() - self._began
        return report

    @property
    def may_do_without_memory(self) -> bool:
        """Whether a proof that forgets memory is worth a try: it spares the search the proof of all beliefs."""
        prepared = self._prepared
        assert self._program is not None
        assert prepared is not None
        is_plain = self._options.engine in {"auto", "stratified", "dag"} and self._options.abstract is None
        is_whole = self._only is None and not self._options.summaries_dir and self._options.houdini is None
        is_plain &= self._options.integers != "math" and self._options.memory_model == "regions"
        return bool(self._program.beliefs) and is_plain and is_whole and is_large_with_memory(prepared)

    def _settled(self, results: Sequence[AssertionResult], prepared: Prepared) -> list[AssertionResult]:
        """What may be claimed of all assertions, if executions reach constructs without a meaning."""
        names = {each.identifier for each in results if each.kind == UNSUPPORTED and may_be_reached(each)}
        constructs = [check for check in prepared.checks.values() if check.identifier in names]
        return settle(results, checks_before(prepared.base, constructs) if constructs else None)

    @property
    def program(self) -> Program:
        """As the front end has made it."""
        assert self._program is not None
        return self._program

    @property
    def deadline(self) -> float | None:
        """When searches have to end."""
        return self._deadline

    @property
    def not_shown(self) -> frozenset[str]:
        """The assertions that an execution fails that does not do so on the machine for C."""
        own = () if self._prepared is None else self._replays.not_shown
        return self._not_shown_elsewhere | {each.identifier for each in own}

    @not_shown.setter
    def not_shown(self, identifiers: frozenset[str]) -> None:
        self._not_shown_elsewhere = identifiers

    def _tell(self, result: object) -> None:
        self._send(result)

    def begin_again(self, send: Send) -> None:
        """Go on in another process, which counts its own costs, and has one processor."""
        self._send = send
        self._options = replace(self._options, jobs=1)
        for name, value in asdict(Statistics()).items():  # searches have this very object
            setattr(self.report.statistics, name, value)

    @property
    def size(self) -> int:
        """Of the program that was verified, in statements and blocks."""
        return 0 if self._prepared is None else size(self._prepared.base)

    @property
    def is_late(self) -> bool:
        return self._deadline is not None and time.monotonic() >= self._deadline

    def _challenged(self, results: list[AssertionResult], prepared: Prepared) -> list[AssertionResult]:
        """Run a C program on random inputs for a moment: nothing that is said to hold may fail there."""
        presentation = prepared.base.presentation
        is_dropped = self._forgets and not all(map(holds_always, results))
        if presentation is None or self._options.challenge == 0 or is_dropped:
            return results
        from remuda.confirm.challenge import Challenge

        challenge = Challenge(presentation, self._options, self.report, self._shown_by)
        limit = None if self._options.timeout is None else self._began + self._options.timeout
        found = challenge.challenged(results, time.monotonic() - self._began, limit)
        for old, new in zip(results, found, strict=True):
            if new is not old:
                self._send(new)
        return found

    def _shown_by(
        self, entry: str, told: Sequence[tuple[Question, int | float]], wanted: str
    ) -> AssertionResult | None:
        """The violation that an execution on given inputs ends in, wherever the bound is; that of the wanted assertion,
        if failures end nothing."""
        from remuda.confirm.given_inputs import GivenInputs
        from remuda.replay.guided import guided_trace

        prepared = self._prepared
        assert prepared is not None
        start = next((name for name in prepared.base.entries if name.removesuffix("$start") == entry), None)
        if start is None:
            return None
        trace = guided_trace(prepared.base, start, GivenInputs(told).answer, GUIDED_STEPS, wanted)
        confirmation = None if trace is None else self._replays.replayed(prepared, trace)
        if trace is None or confirmation is None or confirmation.problem:
            return None
        self._ledger.settle(Outcome(trace.check, Verdict.VIOLATED, confirmation=confirmation), RANDOM)
        return self._ledger.result(trace.check)

    def _front_end(self) -> Prepared:
        if self._program is None:
            self._program, self._options = load(self._sources, self._options, believes=self._believes)
        program = self._program
        bounds = own_bounds(program, self._options.bound_for)
        self.report.engine = _engine(self._options, program)
        self.report.statistics.frontend_seconds = time.monotonic() - self._began
        self._keep_time_back(program)
        prepared = prepare(program, self._options, forgets_memory=self._forgets)
        self.report.statistics.growth = prepared.growth
        bounds = {new: bound for name, bound in bounds.items() for new in prepared.called(name)}
        self.report.entries = prepared.entries
        self.report.assumed = assumptions_of(replace(program, entries=prepared.entries))
        options, report, deadline = self._options, self.report, self._deadline
        below = {entry: frozenset(prepared.instrumented.below(entry)) for entry in prepared.base.entries}
        beliefs = () if self._gives_up else program.beliefs
        self._ledger = Ledger(options, below, prepared, self._tell, beliefs)
        self._ledger.strategy = self._strategy or ("lifted" if options.lift else report.engine)
        self._replays = Replays(self._sources, options, report.statistics, deadline)
        self._searches = Searches(
            options,
            report,
            self._replays,
            bounds,
            deadline,
            self._progress,
            self._is_enough,
            only_proofs=self._forgets,
            effort=self._effort,
        )
        self.report.assertions = [self._ledger.result(check) for check in prepared.checks.values()]
        self._prepared = prepared
        self._send(self.report)
        return prepared

    def _keep_time_back(self, program: Program) -> None:
        """Searches end a little before the time is up, if the program is challenged after them."""
        if program.presentation is not None and self._deadline is not None:
            from remuda.confirm.challenge import kept_back

            self._deadline -= kept_back(self._options)

    def _modular(self) -> None:
        """Every procedure alone."""
        from remuda.contracts.modular import verify_modular

        if self._options.property == "reach-end":
            raise UsageError("--modular is about assertions and contracts, not about reaching the end of an entry")
        if self._program is None:
            self._program, self._options = load(self._sources, self._options)
        program, report = self._program, self.report
        report.engine, report.bound = "modular", None
        report.entries = tuple(name for name, each in program.procedures.items() if each.blocks is not None)
        report.assumed = assumptions_of(replace(program, entries=report.entries))
        found = verify_modular(program, self._options)
        report.assertions = settle(
            AssertionResult(
                identifier=check.identifier,
                kind=check.kind,
                description=check.description,
                location=location_of(check.span),
                verdict=Verdict.UNKNOWN if check in found.open else Verdict.PROVED,
                reason=found.open.get(check, ""),
                strategy="modular",
            )
            for check in found.checks
        )
        self._note_nothing_checked()
        report.statistics.seconds = time.monotonic() - self._began

    def _note_nothing_checked(self) -> None:
        assert self._program is not None
        report, is_c = self.report, language_of(self._sources, self._options) == "c"
        program = replace(self._program, entries=report.entries)
        report.nothing_checked = why_nothing_checked(program, report.assertions, self._options, is_c=is_c)

    def _with_contracts(self, prepared: Prepared) -> Prepared:
        """The same program, with what can be found out about its procedures and loops."""
        is_horn = self._options.engine == "horn" and not self._options.abstract  # what to track must be known first
        if (not self._options.houdini and not is_horn) or self._postpones_contracts(prepared):
            return prepared
        return self._infer(prepared, self._inference_deadline(), self._wanted(prepared), horn=is_horn)

    def _inference_deadline(self, share: float = INFERENCE_SHARE) -> float | None:
        now = time.monotonic()
        return None if self._deadline is None else now + (self._deadline - now) * share

    def _infer_aside(self, prepared: Prepared) -> Aside | None:
        """Begin to look for contracts in another process, if there may be one."""
        from remuda.contracts.inference import Aside, jobs_of

        is_possible = jobs_of(self._options) > 1
        return Aside(prepared, self._options, self._inference_deadline(ASIDE_SHARE)) if is_possible else None

    def _postpones_contracts(self, prepared: Prepared) -> bool:
        """Whether finding contracts takes so long that a search without them may be over before."""
        options = self._options
        is_asked = bool(options.houdini) and options.engine in {"auto", "dag", "stratified"}
        is_plain = not options.abstract and not options.candidates and not options.print_invariants
        return is_asked and is_plain and prepared.schedules is None and size(prepared.base) >= LARGE

    def _infer(self, prepared: Prepared, deadline: float | None, checks: Sequence[Check], *, horn: bool) -> Prepared:
        from remuda.contracts.inference import infer, solve

        def look() -> Found:
            if horn:
                return solve(prepared, self._options, deadline, checks)
            return infer(prepared, self._options, deadline)

        return self._strengthened(prepared, look, "solving Horn clauses" if horn else LOOKING)

    def _strengthened(self, prepared: Prepared, look: Callable[[], Found], doing: str) -> Prepared:
        from remuda.contracts.inference import with_contracts

        began = time.monotonic()
        self._send(Progress(seconds=began - self._began, doing=doing))
        found = look()
        statistics = self.report.statistics
        statistics.candidates += found.count
        statistics.contracts += len(found.contracts)
        statistics.houdini_seconds += time.monotonic() - began
        if self._options.print_invariants:
            from remuda.contracts.annotate import in_words

            self.report.invariants += in_words(prepared, found.contracts)
        if not found.telling:
            return prepared
        strengthened = with_contracts(prepared, found.telling)
        if self._recall is not None:
            self._recall.strengthened(prepared.instrumented, strengthened.instrumented, found)
        return strengthened

    def _unsupported(self, problem: Unsupported) -> None:
        """Nothing can be claimed of a program with a construct that has no meaning here."""
        location = location_of(problem.span) if problem.span is not None else Location(self.report.file, 1, 1)
        self.report.assertions = [
            AssertionResult(
                identifier=f"{self.report.file}:unsupported:1",
                kind="unsupported",
                description=problem.construct,
                location=location,
                verdict=Verdict.UNKNOWN,
                reason=f"{problem.construct} is not supported",
            )
        ]
        self.report.statistics.seconds = time.monotonic() - self._began

    def _earlier_runs(self, prepared: Prepared) -> EarlierRuns | None:
        """What earlier runs have left, if that is wanted and assertions can be told from each other by their names."""
        names = {check.identifier for check in prepared.instrumented.targets}
        is_clear = len(names) == len(prepared.instrumented.targets) and not prepared.has_threads
        if not self._options.summaries_dir or not is_clear or self._options.engine == "isolation":
            return None
        from remuda.portfolio.earlier_runs import EarlierRuns

        options, report, deadline = self._options, self.report, self._deadline
        return EarlierRuns(
            prepared, options, report, self._ledger, self._replays, self._searches, self._began, deadline
        )

    def _with_summaries(self, prepared: Prepared) -> Prepared:
        """The same program, with what earlier runs know of its procedures."""
        return prepared if self._earlier is None else self._earlier.with_summaries(prepared)

    @property
    def _recall(self) -> Recall | None:
        return None if self._earlier is None else self._earlier.recall

    # --- isolating

    def _isolate(self, prepared: Prepared) -> None:
        """Prove what loops and procedures are enough for, in half of the time at most."""
        now = time.monotonic()
        seconds = ISOLATION_SECONDS if self._deadline is None else min(ISOLATION_SECONDS, (self._deadline - now) / 2)
        ways = (
            WAYS[self._options.backend] if self._options.engine == "isolation" else QUICK_WAYS[self._options.backend]
        )
        below = self._ledger.below

        def hear(outcome: Outcome) -> None:
            self._ledger.settle(outcome, ISOLATION)
            for entry, checks in below.items():
                if outcome.check in checks:
                    self._ledger.early[entry, outcome.check] = outcome

        wanted = self._ledger.not_early(self._wanted(prepared))
        self._prove_in_fragments(prepared, wanted, ways, now + seconds, hear)

    def _prove_in_fragments(
        self, prepared: Prepared, checks: Sequence[Check], ways: Sequence[Way], deadline: float, hear: Announce
    ) -> None:
        wanted = [check for check in checks if check.kind != UNSUPPORTED]
        if wanted and not prepared.has_threads:  # others may change what a loop relies on
            from remuda.isolation.fragments import prove_in_fragments

            self._send(
                Progress(seconds=time.monotonic() - self._began, doing="looking at loops and procedures alone")
            )
            statistics = self.report.statistics
            prove_in_fragments(prepared, self._options, statistics, self._sources, wanted, ways, deadline, hear)

    # --- searching

    def _search(self, prepared: Prepared) -> Iterator[None]:
        wanted = self._wanted(prepared)
        below = self._ledger.below
        for check in wanted:
            self._ledger.outcomes[check] = []
            self._ledger.waiting[check] = sum(check in checks for checks in below.values())
        for outcome in self._ledger.early.values():
            self._ledger.announce(outcome)
        if self._ledger.early and (not any(self._ledger.waiting.values()) or self._is_enough()):
            return
        if self._options.engine == "isolation":
            self._ledger.leave_open(
                prepared.checks.values(), NOT_WITH_THREADS if prepared.has_threads else NOT_ENOUGH
            )
            return
        order = self._order(prepared, [check for check in wanted if self._ledger.waiting[check]])
        derived = self._take_derived(order)
        prepared = (
            self._with_contracts(self._with_summaries(prepared)) if any(self._ledger.waiting.values()) else prepared
        )
        while (chosen := order.next_round()) and not self._is_enough():
            if self.report.statistics.checked:
                gc.collect()  # searches refer to themselves, and have solvers, whose memory Python does not see
            self.report.statistics.checked += len(chosen)
            yield from self._search_for(chosen, prepared, below)
            for check in chosen:
                result = self._ledger.result(check)
                order.commit(check, result.verdict, result.bound)
            self._take_refuted(order, prepared, chosen)
            derived += self._take_derived(order)
        self._note_unreachable(prepared, derived)

    def _search_for(
        self, wanted: Sequence[Check], prepared: Prepared, below: Mapping[str, Collection[Check]]
    ) -> Iterator[None]:
        """Search for violations of some assertions, from every entry."""
        code = prepared.instrumented
        faces = interfaces(code.program, summaries=self._options.summaries)
        for entry in prepared.base.entries:
            if self._is_enough():
                break
            reached = [
                check for check in wanted if check in below[entry] and (entry, check) not in self._ledger.early
            ]
            checks = [check for check in reached if not self._ledger.violated(check)]
            for check in reached:
                if self._ledger.violated(check):
                    self._ledger.waiting[check] -= 1
            if checks and self._options.engine == "alternating":
                self._alternate(entry, checks, prepared, faces)
            elif checks:
                yield from self._search_from(entry, checks, prepared, faces)
                yield

    # --- what follows from other assertions

    def _order(self, prepared: Prepared, checks: Sequence[Check]) -> AssertionOrder:
        """In which order to look for violations; all at once, if nothing is known of what implies what."""
        assert self._program is not None
        if prepared.has_threads or not is_worth_comparing(self._options, checks):
            return AssertionOrder(checks, {}, "off", stops=True, at_a_time=group_size(self._options, len(checks)))
        self._send(Progress(seconds=time.monotonic() - self._began, doing="comparing assertions"))
        statistics = self.report.statistics
        store = None if self._earlier is None else self._earlier.store
        return order_of(
            self._program, prepared, self._options, checks, statistics, self._deadline, self._believe, store
        )

    def _take_derived(self, order: AssertionOrder) -> list[Check]:
        """Believe what follows; the assertions that do."""
        found = order.derive()
        for each in found:
            self.report.statistics.implied += 1
            self._believe(each)
        return [each.check for each in found]

    def _believe(self, derived: Derived) -> None:
        outcome = Outcome(derived.check, derived.verdict, in_words(derived), derived.bound)
        self._ledger.settle(outcome, IMPLICATIONS)

    def _take_refuted(self, order: AssertionOrder, prepared: Prepared, chosen: Sequence[Check]) -> None:
        """Run executions that failed again, up to assertions that must fail on them, too."""
        for check in chosen:
            trace = self._replays.failing.get(check)
            for other in order.refuted_by(check) if trace is not None else ():
                assert trace is not None
                confirmation = self._replays.fails_on_the_way(prepared, trace, other)
                if confirmation is not None:
                    order.commit(other, Verdict.VIOLATED)
                    self.report.statistics.implied += 1
                    self._ledger.settle(Outcome(other, Verdict.VIOLATED, confirmation=confirmation), IMPLICATIONS)

    def _note_unreachable(self, prepared: Prepared, checks: Sequence[Check]) -> None:
        """Tell those of the assertions that hold, and were not looked for, that nothing reaches, if that is quickly seen."""
        if not checks or not self._options.reachability:
            return
        now = time.monotonic()
        until = now + max(REACHING_SECONDS, REACHING_SHARE * (now - self._began))
        until = until if self._deadline is None else min(until, self._deadline)
        code = prepared.instrumented
        faces = interfaces(code.program, summaries=self._options.summaries)
        setup = solver_setups(code.program, self._options)[0]
        left = list(checks)
        try:
            for entry in prepared.base.entries:
                below = set(code.below(entry))
                asked = [check for check in left if check in below]
                effort = Effort(self._options.bound, 0, len(asked) + 1, until)
                inlining = self._searches.inlining(entry, prepared, faces, setup)
                found = FragmentProof(inlining, code, entry, effort, reaching=True).proved(asked) if asked else []
                self.report.statistics.tree_instances += inlining.tree_size
                left = [check for check in left if check not in below or check in set(found)]
        except Unsupported:  # by the solver
            return
        for check in left:
            if not any(outcome.bound for outcome in self._ledger.outcomes[check]):
                self._ledger.replace(check, [Outcome(check, Verdict.UNREACHABLE, NOT_REACHED)], IMPLICATIONS)

    def _prove(self, prepared: Prepared) -> None:
        """Try to prove what no violation was found of, as long as that takes no longer than the search has taken."""
        ways = self._ways_to_prove(prepared)
        now = time.monotonic()
        patience = ASKED_PROOF_SECONDS if self._postpones_contracts(prepared) else PROOF_SECONDS
        limit = now + max(patience, now - self._began)
        deadline = limit if self._deadline is None else min(limit, self._deadline)
        is_small = size(prepared.looping) <= GLANCE_SIZE
        if self._options.isolate is None and self._options.houdini is not False and is_small:
            seconds = max(GLANCE_SECONDS, GLANCE_SHARE * (now - self._began))
            self._isolate_bounded(prepared, GLANCE_WAYS, min(deadline, now + seconds))
        elif self._options.isolate:
            slow = [way for way in WAYS[self._options.backend] if way not in QUICK_WAYS[self._options.backend]]
            self._isolate_bounded(prepared, slow, deadline)
        if ways and any(map(self._ledger.is_bounded, self._ledger.outcomes)):
            prepared = for_proofs(prepared, self._options) if self._recall is None else self._recall.for_proofs()
            known = self._with_summaries(prepared)
            if known is not prepared:
                bounded = [check for check in self._ledger.outcomes if self._ledger.is_bounded(check)]
                self._prove_with(known, bounded, deadline, SUMMARIES)
        for horn, is_abstract in ways:
            now = time.monotonic()
            bounded = [check for check in self._ledger.outcomes if self._ledger.is_bounded(check)]
            if not bounded or now >= deadline:
                return
            program = self._abstraction(prepared) if is_abstract else prepared
            if program is not None:
                strengthened = self._infer(program, now + (deadline - now) / 2, bounded, horn=horn)
                if strengthened is not program:
                    self._prove_with(strengthened, bounded, deadline, HORN if horn else CONTRACTS)
                    prepared = prepared if is_abstract else strengthened

    def _isolate_bounded(self, prepared: Prepared, ways: Sequence[Way], deadline: float) -> None:
        def hear(outcome: Outcome) -> None:
            known = self._ledger.outcomes[outcome.check]
            self._ledger.replace(outcome.check, [outcome] * len(known), ISOLATION)

        bounded = [check for check in self._ledger.outcomes if self._ledger.is_bounded(check)]
        self._prove_in_fragments(prepared, bounded, ways, deadline, hear)

    def _ways_to_prove(self, prepared: Prepared) -> tuple[tuple[bool, bool], ...]:
        """Whether to solve Horn clauses, and whether those of an abstraction; none where it was done, or is not to be."""
        options = self._options
        if prepared.schedules is not None or options.houdini is False:
            return ()
        if options.engine == "horn":
            return ((True, True), (True, False)) if options.abstract else ()
        is_open = options.houdini is None or self._postpones_contracts(prepared)
        return ((False, False), (True, True), (True, False)) if is_open else ()

    def _abstraction(self, prepared: Prepared) -> Prepared | None:
        """The program with those globals that a search has had to track, if one has done so from every entry."""
        entries = prepared.base.entries
        if not all(map(self._state.knows, entries)):
            return None
        tracked = [self._state.tracked(entry, prepared.searched.globals) for entry in entries]
        return with_tracked(prepared, frozenset().union(*tracked))

    def _prove_with(self, prepared: Prepared, bounded: Sequence[Check], deadline: float, strategy: str) -> None:
        """Take the word of a search that gets by without much looking into calls."""
        code = prepared.instrumented
        faces = interfaces(code.program, summaries=self._options.summaries)
        setup = solver_setups(code.program, self._options)[0]
        heard: dict[Check, list[Outcome]] = {check: [] for check in bounded}
        for entry in prepared.base.entries:
            inlining = self._searches.inlining(entry, prepared, faces, setup)
            search = self._searches.search_in(
                inlining,
                entry,
                prepared,
                lambda outcome: heard[outcome.check].append(outcome),
                confirm=not_asked,
                bound=PROOF_BOUND,
            )
            search.start(bounded)
            is_over = search.advance(deadline)
            self.report.statistics.tree_instances += inlining.tree_size
            if not is_over:
                return
        for check, outcomes in heard.items():
            if len(outcomes) == len(self._ledger.outcomes[check]) and all(map(is_final, outcomes)):
                self._ledger.replace(check, outcomes, strategy)

    def _alternate(self, entry: str, checks: list[Check], prepared: Prepared, faces: Mapping[str, Interface]) -> None:
        """Search from procedures with assertions upwards."""
        setup = solver_setups(prepared.instrumented.program, self._options)[0]

        def make(head: str, cannot_fail: Sequence[str], hear: Announce) -> StratifiedSearch:
            self._searches.use(setup)
            inlining = self._searches.inlining(head, prepared, faces, setup, cannot_fail)
            return self._searches.search_in(inlining, head, prepared, hear, confirm=from_any_state)

        def from_entry(check: Check, cannot_fail: Sequence[str], hear: Announce) -> None:
            def tell(outcome: Outcome) -> None:  # what is known of heads is no part of the program
                hear(replace(outcome, ground=None) if cannot_fail else outcome)

            for _ in self._search_from(entry, [check], prepared, faces, tell, cannot_fail):
                pass

        engine = Alternating(
            prepared.instrumented,
            entry,
            make,
            from_entry,
            self._ledger.announce,
            self._deadline,
            stop_at_first=self._options.stop_at_first,
        )
        engine.run(checks)

    def _search_from(
        self,
        entry: str,
        checks: list[Check],
        prepared: Prepared,
        faces: Mapping[str, Interface],
        announce: Announce | None = None,
        cannot_fail: Sequence[str] = (),
    ) -> Iterator[None]:
        inlinings: list[Inlining] = []

        def maker(setup: SolverSetup, program: Prepared, faces: Mapping[str, Interface]) -> Make:
            def make(hear: Announce) -> StratifiedSearch:
                self._searches.use(setup)
                inlinings.append(self._searches.inlining(entry, program, faces, setup, cannot_fail))
                note = self._ledger.searched if announce is None else lambda _bound, _checks: None
                return self._searches.search_in(inlinings[-1], entry, program, hear, searched=note)

            return make

        def make_with_contracts(hear: Announce) -> Search:
            if aside is None:
                found = self._infer(prepared, self._inference_deadline(), checks, horn=False)
            else:
                found = self._strengthened(prepared, aside.found, LOOKING)
            own_faces = interfaces(found.instrumented.program, summaries=self._options.summaries)
            return maker(setups[0], found, own_faces)(hear)

        setups = solver_setups(prepared.instrumented.program, self._options)
        if self._choice is not None:
            setups = setups[self._choice :][:1] or setups[:1]
        makers = [maker(setup, prepared, faces) for setup in setups]
        is_postponed = self._postpones_contracts(prepared)
        if is_postponed:
            makers.append(make_with_contracts)
        plain = without_lifting(prepared, self._options)
        if plain is not None:
            if self._recall is not None:
                self._recall.made_unlifted(plain.instrumented)
            own_faces = interfaces(plain.instrumented.program, summaries=self._options.summaries)
            makers.insert(0, maker(setups[0], plain, own_faces))
        hunters = self._hunters(entry, prepared, setups, inlinings) if announce is None else []
        are_different = len({setup.solver for setup in setups}) > 1  # then each may know what the others do not
        abstract = self._abstract_maker(entry, prepared, inlinings) if announce is None else None
        if abstract is not None and self._options.abstract:
            makers, hunters, abstract = [abstract], [], None  # alone, as it was asked for
        head_start = min(SHORT_START, self._options.alternate) if hunters else self._options.alternate
        turns = Turns(
            makers,
            announce or self._ledger.announce,
            head_start,
            abstract,
            hunters=hunters,
            ask_all=are_different,
            newest_first=is_postponed,
            pause=HEAD_START if self._races else None,
        )
        aside = self._infer_aside(prepared) if is_postponed else None
        try:
            yield from turns.steps(checks)
        finally:
            if aside is not None:
                aside.close()
        if self.is_late:
            self._last_searches.append(turns)
        self.report.statistics.tree_instances += sum(inlining.tree_size for inlining in inlinings)

    def _hunters(
        self, entry: str, prepared: Prepared, setups: Sequence[SolverSetup], inlinings: list[Inlining]
    ) -> list[Make]:
        """Searches for violations on fewer schedules, or in fewer iterations of loops that would be unrolled."""

        def maker(schedules: Schedules, setup: SolverSetup, *, unroll: bool, only_few_delays: bool = False) -> Make:
            fewer = f"{TIMEOUT} before {prepared.schedules}; {schedules}"

            def make(hear: Announce) -> StratifiedSearch:
                options = replace(self._options, unroll=unroll)
                searched = replace(schedules, delays=schedules.rounds) if only_few_delays else schedules
                part = with_schedules(prepared, options, searched)
                faces = interfaces(part.instrumented.program, summaries=self._options.summaries)
                self._searches.use(setup)
                inlinings.append(self._searches.inlining(entry, part, faces, setup))

                def tell(outcome: Outcome) -> None:
                    if outcome.verdict is Verdict.VIOLATED or not only_few_delays:
                        hear(replace(outcome, schedules=fewer))

                return self._searches.search_in(inlinings[-1], entry, part, tell, eager=only_few_delays)

            return make

        unroll = self._options.unroll
        found: list[Make] = []
        for schedules in prepared.schedules.fewer() if prepared.schedules is not None else ():
            is_first = not found
            found.append(maker(schedules, setups[0], unroll=unroll and is_first))
            if unroll and not is_first and schedules.delays is None:
                found.append(maker(schedules, setups[-1], unroll=True, only_few_delays=True))
        return found

    def _abstract_maker(self, entry: str, prepared: Prepared, inlinings: list[Inlining]) -> Make | None:
        """A search that tracks globals as needed, if that may be worth it."""
        options = self._options
        if options.abstract is False or options.inline == "all" or options.engine == "static":
            return None
        if options.abstract is None and (self._races or not is_large_with_memory(prepared)):
            return None

        def make(hear: Announce) -> CegarSearch:
            part = prepared
            setup = solver_setups(prepared.instrumented.program, options)[0]

            def make_tracking(tracked: Tracked, confirm: Confirm) -> StratifiedSearch:
                nonlocal part
                part = with_tracked(prepared, tracked)
                if self._recall is not None:
                    self._recall.made_tracking(part.instrumented, tracked)
                faces = interfaces(part.instrumented.program, summaries=options.summaries)
                self._searches.use(setup)
                inlinings.append(self._searches.inlining(entry, part, faces, setup))
                return self._searches.search_in(inlinings[-1], entry, part, hear, confirm=confirm)

            def judge(trace: Trace, tracked: Tracked) -> Confirmation | Tracked:
                verdict = self._searches.judge(prepared, part.instrumented.lift(trace), tracked)
                if not isinstance(verdict, Confirmation):
                    self._state.note(entry, verdict)
                return verdict

            known = self._state.tracked(entry, prepared.searched.globals)
            if self._recall is not None:
                known |= self._recall.tracked(entry)
            return CegarSearch(make_tracking, judge, known)

        return make

    def _wanted(self, prepared: Prepared) -> list[Check]:
        chosen = set(prepared.chosen(self._options.assertion))
        if self._only is not None:
            chosen = {check for check in chosen if check.identifier in self._only}
        return [check for check in prepared.checks.values() if check in chosen or check.kind == UNSUPPORTED]

    # --- results

    def _progress(self, bound: int, open_calls: int) -> None:
        now = time.monotonic()
        if now - self._last_progress >= PROGRESS_SECONDS:
            self._last_progress = now
            statistics = self.report.statistics
            self._send(Progress(bound, statistics.instances, open_calls, statistics.solver_calls, now - self._began))

    def _is_enough(self) -> bool:
        """Whether nothing that is still open matters for the report."""
        if self._options.stop_at_first and self._ledger.found_violation():
            return True
        return self._ledger.has_violated_all()


def _engine(options: Options, program: Program) -> str:
    """Sharing instances pays in large programs of integers, not in those of bits: docs/benchmarks.md."""
    if options.engine not in {"auto", "horn"}:
        return options.engine
    return "stratified" if is_bit_program(program) else "dag"
