"""One verification, start to end, in the process it is called in."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, final

from remuda.analysis.bit_programs import is_bit_program
from remuda.base.errors import Unsupported, UsageError
from remuda.engines.alternating import Alternating
from remuda.engines.bounded_calls import BoundedCalls, Limits, TooLarge
from remuda.engines.bounds import Bounds, bounds_of
from remuda.engines.cegar import CegarSearch
from remuda.engines.inlining import Inlining
from remuda.engines.merging import Strategy, strategy
from remuda.engines.optimal import FollowPlan, optimal_plan
from remuda.engines.outcome import TIMEOUT, Announce, Confirm, Confirmation, Outcome
from remuda.engines.path_check import PathCheck, Undecided
from remuda.engines.stratified import StratifiedSearch
from remuda.engines.turns import Make, Search, Turns
from remuda.ir.edit import size
from remuda.results.progress import Progress
from remuda.results.report import AssertionResult, Location, Report, Statistics, Verdict
from remuda.results.unsupported import KIND as UNSUPPORTED
from remuda.results.unsupported import settle
from remuda.session.assumptions import assumptions_of
from remuda.session.background import tell_background
from remuda.session.isolation import GLANCE_WAYS, QUICK_WAYS, WAYS
from remuda.session.load import language_of, load
from remuda.session.mounts import Mount, mounts
from remuda.session.outcomes import is_final, severity, within_schedules, worst
from remuda.session.own_bounds import own_bounds
from remuda.session.pipeline import (
    Prepared,
    for_proofs,
    is_large_with_memory,
    prepare,
    with_schedules,
    with_tracked,
    without_lifting,
)
from remuda.session.tracked_state import TrackedState
from remuda.smt.create import create_solver
from remuda.transforms.path_program import path_program
from remuda.vc.interface import Interface, interfaces

if TYPE_CHECKING:
    from remuda.base.source import Source, Span
    from remuda.engines.refinement import Tracked
    from remuda.ir.program import Check, Program
    from remuda.ir.trace import Trace
    from remuda.options import Options
    from remuda.session.inference import Aside, Found
    from remuda.session.isolation import Way
    from remuda.transforms.sequentialize import Schedules

Send = Callable[[object], None]

ERROR_KIND = "error"  # being there is the failure, so that it cannot be reached is all there is to say
LEAK = "leak"
PROGRESS_SECONDS = 0.1
PLAN_SECONDS = 30.0  # for planning the instances of a whole program, and how many there may be
PLAN_NODES = 50_000
PATH_SECONDS = 10.0  # for one question about one path
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
ASIDE_SHARE = 0.6  # the same while others search
LOOKING = "looking for contracts and invariants"
SHORT_START = 0.5  # seconds of the first turn, where threads make several searches begin at once


def run(sources: Sequence[Source], options: Options, send: Send) -> Report:
    """Verify a program. `send` gets the report's beginning, then results and progress as they come."""
    return _Run(sources, options, send).run()


@final
class _Run:
    def __init__(self, sources: Sequence[Source], options: Options, send: Send) -> None:
        if options.candidates and options.houdini is False:
            raise UsageError("--candidates are looked at by --houdini; leave out --no-houdini")
        if options.modular and (options.isolate or options.engine == "isolation"):
            raise UsageError("--modular looks at procedures alone already; leave out --isolate")
        if options.backend == "cbmc" and (len(sources) != 1 or language_of(sources, options) != "c"):
            raise UsageError("--backend cbmc is for programs that are one C file")
        if options.backend != "remuda" and options.isolate is False:
            raise UsageError(f"--backend {options.backend} looks at isolated loops; leave out --no-isolate")
        self._sources = sources
        options = replace(options, isolate=True) if options.backend != "remuda" else options
        self._options = replace(options, houdini=True) if options.candidates else options
        self._send = send
        self._began = time.monotonic()
        self._deadline = None if options.timeout is None else self._began + options.timeout
        self._last_progress = self._began
        self._report = Report(sources[0].name, bound=options.bound)
        self._state = TrackedState(options.state)
        self._prepared: Prepared | None = None
        self._own_bounds: Mapping[str, int] = {}
        self._outcomes: dict[Check, list[Outcome]] = {}
        self._waiting: dict[Check, int] = {}  # how many entries have still to say something
        self._early: dict[
            tuple[str, Check], Outcome
        ] = {}  # by entry, what is decided before contracts are looked for

    def run(self) -> Report:
        report = self._report
        try:
            if self._options.modular:
                return self._modular()
            prepared = self._front_end()
        except Unsupported as problem:
            return self._unsupported(problem)
        try:
            if self._options.isolate or self._options.engine == "isolation":
                self._isolate(prepared)
            self._search(prepared)
            self._prove(prepared)
        except Unsupported as problem:
            self._leave_open(prepared, f"{problem.construct} at {problem.span} is not supported")
        report.assertions = settle(self._result(check) for check in prepared.checks.values())
        if any(result.reason.startswith(TIMEOUT) for result in report.assertions):
            report.incomplete = TIMEOUT
        report.statistics.seconds = time.monotonic() - self._began
        return report

    def _front_end(self) -> Prepared:
        program, self._options = load(self._sources, self._options)
        self._own_bounds = own_bounds(program, self._options.bound_for)
        self._report.engine = _engine(self._options, program)
        self._report.statistics.frontend_seconds = time.monotonic() - self._began
        prepared = prepare(program, self._options)
        self._report.statistics.growth = prepared.growth
        self._own_bounds = {new: bound for name, bound in self._own_bounds.items() for new in prepared.called(name)}
        self._report.entries = prepared.entries
        self._report.assumed = assumptions_of(replace(program, entries=prepared.entries))
        self._report.assertions = [self._result(check) for check in prepared.checks.values()]
        self._prepared = prepared
        self._send(self._report)
        return prepared

    def _modular(self) -> Report:
        """Every procedure alone."""
        from remuda.session.modular import verify_modular

        if self._options.property == "reach-end":
            raise UsageError("--modular is about assertions and contracts, not about reaching the end of an entry")
        program, self._options = load(self._sources, self._options)
        report = self._report
        report.engine, report.bound = "modular", None
        report.entries = tuple(name for name, each in program.procedures.items() if each.blocks is not None)
        report.assumed = assumptions_of(replace(program, entries=report.entries))
        found = verify_modular(program, self._options)
        report.assertions = settle(
            AssertionResult(
                identifier=check.identifier,
                kind=check.kind,
                description=check.description,
                location=_location(check.span),
                verdict=Verdict.UNKNOWN if check in found.open else Verdict.PROVED,
                reason=found.open.get(check, ""),
            )
            for check in found.checks
        )
        report.statistics.seconds = time.monotonic() - self._began
        return report

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
        from remuda.session.inference import Aside, jobs_of

        is_possible = jobs_of(self._options) > 1
        return Aside(prepared, self._options, self._inference_deadline(ASIDE_SHARE)) if is_possible else None

    def _postpones_contracts(self, prepared: Prepared) -> bool:
        """Whether finding contracts takes so long that a search without them may be over before."""
        options = self._options
        is_asked = bool(options.houdini) and options.engine in {"auto", "dag", "stratified"}
        is_plain = not options.abstract and not options.candidates and not options.print_invariants
        return is_asked and is_plain and prepared.schedules is None and size(prepared.base) >= LARGE

    def _infer(self, prepared: Prepared, deadline: float | None, checks: Sequence[Check], *, horn: bool) -> Prepared:
        from remuda.session.inference import infer, solve

        def look() -> Found:
            if horn:
                return solve(prepared, self._options, deadline, checks)
            return infer(prepared, self._options, deadline)

        return self._strengthened(prepared, look, "solving Horn clauses" if horn else LOOKING)

    def _strengthened(self, prepared: Prepared, look: Callable[[], Found], doing: str) -> Prepared:
        from remuda.session.inference import with_contracts

        began = time.monotonic()
        self._send(Progress(seconds=began - self._began, doing=doing))
        found = look()
        statistics = self._report.statistics
        statistics.candidates += found.count
        statistics.contracts += len(found.contracts)
        statistics.houdini_seconds += time.monotonic() - began
        if self._options.print_invariants:
            from remuda.session.annotate import in_words

            self._report.invariants += in_words(prepared, found.contracts)
        return with_contracts(prepared, found.telling) if found.telling else prepared

    def _unsupported(self, problem: Unsupported) -> Report:
        """Nothing can be claimed of a program with a construct that has no meaning here."""
        location = _location(problem.span) if problem.span is not None else Location(self._report.file, 1, 1)
        self._report.assertions = [
            AssertionResult(
                identifier=f"{self._report.file}:unsupported:1",
                kind="unsupported",
                description=problem.construct,
                location=location,
                verdict=Verdict.UNKNOWN,
                reason=f"{problem.construct} is not supported",
            )
        ]
        self._report.statistics.seconds = time.monotonic() - self._began
        return self._report

    # --- isolating

    def _isolate(self, prepared: Prepared) -> None:
        """Prove what loops and procedures are enough for, in half of the time at most."""
        now = time.monotonic()
        seconds = ISOLATION_SECONDS if self._deadline is None else min(ISOLATION_SECONDS, (self._deadline - now) / 2)
        ways = (
            WAYS[self._options.backend] if self._options.engine == "isolation" else QUICK_WAYS[self._options.backend]
        )
        below = {entry: set(prepared.instrumented.below(entry)) for entry in prepared.base.entries}

        def hear(outcome: Outcome) -> None:
            self._outcomes[outcome.check], self._waiting[outcome.check] = [outcome], 0
            self._send(self._result(outcome.check))
            for entry, checks in below.items():
                if outcome.check in checks:
                    self._early[entry, outcome.check] = outcome

        self._prove_in_fragments(prepared, self._wanted(prepared), ways, now + seconds, hear)

    def _prove_in_fragments(
        self, prepared: Prepared, checks: Sequence[Check], ways: Sequence[Way], deadline: float, hear: Announce
    ) -> None:
        wanted = [check for check in checks if check.kind != UNSUPPORTED]
        if wanted and not prepared.has_threads:  # others may change what a loop relies on
            from remuda.session.fragments import prove_in_fragments

            self._send(
                Progress(seconds=time.monotonic() - self._began, doing="looking at loops and procedures alone")
            )
            statistics = self._report.statistics
            prove_in_fragments(prepared, self._options, statistics, self._sources, wanted, ways, deadline, hear)

    # --- searching

    def _search(self, prepared: Prepared) -> None:
        wanted = self._wanted(prepared)
        below = {entry: set(prepared.instrumented.below(entry)) for entry in prepared.base.entries}
        for check in wanted:
            self._outcomes[check] = []
            self._waiting[check] = sum(check in checks for checks in below.values())
        for outcome in self._early.values():
            self._announce(outcome)
        if self._early and (not any(self._waiting.values()) or self._is_enough()):
            return
        if self._options.engine == "isolation":
            self._leave_open(prepared, NOT_WITH_THREADS if prepared.has_threads else NOT_ENOUGH)
            return
        prepared = self._with_contracts(prepared)
        code = prepared.instrumented
        faces = interfaces(code.program, summaries=self._options.summaries)
        for entry in prepared.base.entries:
            if self._is_enough():
                break
            reached = [check for check in wanted if check in below[entry] and (entry, check) not in self._early]
            checks = [check for check in reached if not self._violated(check)]
            for check in reached:
                if self._violated(check):
                    self._waiting[check] -= 1
            if checks and self._options.engine == "alternating":
                self._alternate(entry, checks, prepared, faces)
            elif checks:
                self._search_from(entry, checks, prepared, faces)

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
        if ways and any(map(self._is_bounded, self._outcomes)):
            prepared = for_proofs(prepared, self._options)
        for horn, is_abstract in ways:
            now = time.monotonic()
            bounded = [check for check in self._outcomes if self._is_bounded(check)]
            if not bounded or now >= deadline:
                return
            program = self._abstraction(prepared) if is_abstract else prepared
            if program is not None:
                strengthened = self._infer(program, now + (deadline - now) / 2, bounded, horn=horn)
                if strengthened is not program:
                    self._prove_with(strengthened, bounded, deadline)
                    prepared = prepared if is_abstract else strengthened

    def _isolate_bounded(self, prepared: Prepared, ways: Sequence[Way], deadline: float) -> None:
        def hear(outcome: Outcome) -> None:
            self._outcomes[outcome.check] = [outcome] * len(self._outcomes[outcome.check])
            self._send(self._result(outcome.check))

        bounded = [check for check in self._outcomes if self._is_bounded(check)]
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

    def _prove_with(self, prepared: Prepared, bounded: Sequence[Check], deadline: float) -> None:
        """Take the word of a search that gets by without much looking into calls."""
        code = prepared.instrumented
        faces = interfaces(code.program, summaries=self._options.summaries)
        mount = mounts(code.program, self._options)[0]
        heard: dict[Check, list[Outcome]] = {check: [] for check in bounded}
        for entry in prepared.base.entries:
            inlining = self._inlining(entry, prepared, faces, mount)
            search = self._search_in(
                inlining,
                entry,
                prepared,
                lambda outcome: heard[outcome.check].append(outcome),
                confirm=_not_asked,
                bound=PROOF_BOUND,
            )
            search.start(bounded)
            if not search.advance(deadline):
                return
        for check, outcomes in heard.items():
            if len(outcomes) == len(self._outcomes[check]) and all(map(is_final, outcomes)):
                self._outcomes[check] = outcomes
                self._send(self._result(check))

    def _is_bounded(self, check: Check) -> bool:
        """Whether all that keeps an assertion from being proved is the bound."""
        outcomes = self._outcomes[check]
        return (
            self._waiting[check] == 0
            and all(is_final(each) or severity(each) in {2, 3} for each in outcomes)
            and not all(map(is_final, outcomes))
        )

    def _alternate(self, entry: str, checks: list[Check], prepared: Prepared, faces: Mapping[str, Interface]) -> None:
        """Search from procedures with assertions upwards."""
        mount = mounts(prepared.instrumented.program, self._options)[0]

        def make(head: str, cannot_fail: Sequence[str], hear: Announce) -> StratifiedSearch:
            self._use(mount)
            inlining = self._inlining(head, prepared, faces, mount, cannot_fail)
            return self._search_in(inlining, head, prepared, hear, confirm=_from_any_state)

        def from_entry(check: Check, cannot_fail: Sequence[str], hear: Announce) -> None:
            self._search_from(entry, [check], prepared, faces, hear, cannot_fail)

        engine = Alternating(
            prepared.instrumented,
            entry,
            make,
            from_entry,
            self._announce,
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
    ) -> None:
        inlinings: list[Inlining] = []

        def maker(mount: Mount, program: Prepared, faces: Mapping[str, Interface]) -> Make:
            def make(hear: Announce) -> StratifiedSearch:
                self._use(mount)
                inlinings.append(self._inlining(entry, program, faces, mount, cannot_fail))
                return self._search_in(inlinings[-1], entry, program, hear)

            return make

        def make_with_contracts(hear: Announce) -> Search:
            if aside is None:
                found = self._infer(prepared, self._inference_deadline(), checks, horn=False)
            else:
                found = self._strengthened(prepared, aside.found, LOOKING)
            own_faces = interfaces(found.instrumented.program, summaries=self._options.summaries)
            return maker(herd[0], found, own_faces)(hear)

        herd = mounts(prepared.instrumented.program, self._options)
        makers = [maker(mount, prepared, faces) for mount in herd]
        is_postponed = self._postpones_contracts(prepared)
        if is_postponed:
            makers.append(make_with_contracts)
        plain = without_lifting(prepared, self._options)
        if plain is not None:
            own_faces = interfaces(plain.instrumented.program, summaries=self._options.summaries)
            makers.insert(0, maker(herd[0], plain, own_faces))
        hunters = self._hunters(entry, prepared, herd, inlinings) if announce is None else []
        are_different = len({mount.solver for mount in herd}) > 1  # then each may know what the others do not
        abstract = self._abstract_maker(entry, prepared, inlinings) if announce is None else None
        if abstract is not None and self._options.abstract:
            makers, hunters, abstract = [abstract], [], None  # alone, as it was asked for
        head_start = min(SHORT_START, self._options.alternate) if hunters else self._options.alternate
        turns = Turns(
            makers,
            announce or self._announce,
            head_start,
            abstract,
            hunters=hunters,
            ask_all=are_different,
            newest_first=is_postponed,
        )
        aside = self._infer_aside(prepared) if is_postponed else None
        try:
            turns.run(checks)
        finally:
            if aside is not None:
                aside.close()
        self._report.statistics.tree_instances += sum(inlining.tree_size for inlining in inlinings)

    def _hunters(
        self, entry: str, prepared: Prepared, herd: Sequence[Mount], inlinings: list[Inlining]
    ) -> list[Make]:
        """Searches for violations on fewer schedules, or in fewer iterations of loops that would be unrolled."""

        def maker(schedules: Schedules, mount: Mount, *, unroll: bool, only_few_delays: bool = False) -> Make:
            fewer = f"{TIMEOUT} before {prepared.schedules}; {schedules}"

            def make(hear: Announce) -> StratifiedSearch:
                options = replace(self._options, unroll=unroll)
                searched = replace(schedules, delays=schedules.rounds) if only_few_delays else schedules
                part = with_schedules(prepared, options, searched)
                faces = interfaces(part.instrumented.program, summaries=self._options.summaries)
                self._use(mount)
                inlinings.append(self._inlining(entry, part, faces, mount))

                def tell(outcome: Outcome) -> None:
                    if outcome.verdict is Verdict.VIOLATED or not only_few_delays:
                        hear(replace(outcome, schedules=fewer))

                return self._search_in(inlinings[-1], entry, part, tell, eager=only_few_delays)

            return make

        unroll = self._options.unroll
        found: list[Make] = []
        for schedules in prepared.schedules.fewer() if prepared.schedules is not None else ():
            is_first = not found
            found.append(maker(schedules, herd[0], unroll=unroll and is_first))
            if unroll and not is_first and schedules.delays is None:
                found.append(maker(schedules, herd[-1], unroll=True, only_few_delays=True))
        return found

    def _abstract_maker(self, entry: str, prepared: Prepared, inlinings: list[Inlining]) -> Make | None:
        """A search that tracks globals as needed, if that may be worth it."""
        options = self._options
        if options.abstract is False or options.inline == "all" or options.engine == "static":
            return None
        if options.abstract is None and not is_large_with_memory(prepared):
            return None

        def make(hear: Announce) -> CegarSearch:
            part = prepared
            mount = mounts(prepared.instrumented.program, options)[0]

            def make_tracking(tracked: Tracked, confirm: Confirm) -> StratifiedSearch:
                nonlocal part
                part = with_tracked(prepared, tracked)
                faces = interfaces(part.instrumented.program, summaries=options.summaries)
                self._use(mount)
                inlinings.append(self._inlining(entry, part, faces, mount))
                return self._search_in(inlinings[-1], entry, part, hear, confirm=confirm)

            def judge(trace: Trace, tracked: Tracked) -> Confirmation | Tracked:
                verdict = self._judge(prepared, part.instrumented.lift(trace), tracked)
                if not isinstance(verdict, Confirmation):
                    self._state.note(entry, verdict)
                return verdict

            return CegarSearch(make_tracking, judge, self._state.tracked(entry, prepared.searched.globals))

        return make

    def _judge(self, prepared: Prepared, trace: Trace, tracked: Tracked) -> Confirmation | Tracked:
        """Whether the path of an abstract trace can be run; else what to track so that it is gone."""
        began = time.perf_counter()
        statistics = self._report.statistics
        left = PATH_SECONDS if self._deadline is None else min(PATH_SECONDS, self._deadline - time.monotonic())
        path = PathCheck(path_program(prepared.searched, trace), self._load_path, statistics, max(0.01, left))
        try:
            execution = path.execution()
            if execution is None:
                return path.refine(self._options.refine, tracked)
        except (Undecided, Unsupported) as problem:
            return Confirmation(f"whether a path can be run is not known: {problem}")
        finally:
            statistics.refinements += 1
            statistics.refine_seconds += time.perf_counter() - began
        return self._replayed(prepared, prepared.lift_searched(execution))

    def _load_path(self, program: Program) -> Inlining:
        mount = mounts(program, self._options)[0]
        solver = create_solver(mount.solver, settings=mount.settings)
        tell_background(solver, program)
        return Inlining(program, interfaces(program, summaries="modset"), solver, Statistics(), joins=mount.joins)

    def _inlining(
        self,
        entry: str,
        prepared: Prepared,
        faces: Mapping[str, Interface],
        mount: Mount,
        cannot_fail: Sequence[str] = (),
    ) -> Inlining:
        """The program in a new solver, with nothing of it inlined yet."""
        options, code = self._options, prepared.instrumented
        solver = create_solver(mount.solver, settings=mount.settings)
        tell_background(solver, code.program)
        for definition in code.definitions:
            solver.add(solver.translate(definition))
        for name in cannot_fail:
            solver.add(solver.not_(solver.translate(code.program.terms.var(code.may_fail[name]))))
        return Inlining(
            code.program,
            faces,
            solver,
            self._report.statistics,
            joins=mount.joins,
            merge=self._merge(code.program, entry, self._bounds(prepared)),
            disjoint=options.disjoint,
            keep_depth=options.stack_depth is not None,
        )

    def _use(self, mount: Mount) -> None:
        """Tell the report which solvers run."""
        used = self._report.solver.split(", ") if self._report.solver else []
        self._report.solver = ", ".join(dict.fromkeys((*used, mount.solver)))

    def _search_in(
        self,
        inlining: Inlining,
        entry: str,
        prepared: Prepared,
        announce: Announce,
        confirm: Confirm | None = None,
        *,
        eager: bool = False,
        bound: int | None = None,
    ) -> StratifiedSearch:
        options = self._options
        bounds = self._bounds(prepared)
        return StratifiedSearch(
            inlining,
            prepared.instrumented,
            entry,
            bounds if bound is None else replace(bounds, limit=min(bound, bounds.limit), own={}),
            confirm=confirm or (lambda trace: self._confirm(prepared, trace)),
            announce=announce,
            deadline=self._deadline,
            stop_at_first=options.stop_at_first,
            ask_reachability=options.reachability and options.property == "assertions" and not prepared.has_threads,
            eager=eager or options.engine == "static" or options.inline == "all",
            mode=_mode(options),
            progress=lambda bound: self._progress(bound, len(inlining.open_calls)),
        )

    def _bounds(self, prepared: Prepared) -> Bounds:
        options = self._options
        if prepared.has_threads and options.stack_depth is not None:
            around = 2 if options.lift else 1  # something is around the first thread, and that may be another one
            options = replace(options, stack_depth=options.stack_depth + around)
        return bounds_of(prepared.instrumented.program, options, self._own_bounds)

    def _merge(self, program: Program, entry: str, bounds: Bounds) -> Strategy | None:
        """Which instances are shared; None if none are."""
        options = self._options
        if self._report.engine != "dag" or options.merge == "none":
            return None
        return (
            self._optimal(program, entry, bounds)
            if options.merge == "optimal"
            else strategy(options.merge, options.seed)
        )

    def _optimal(self, program: Program, entry: str, bounds: Bounds) -> Strategy:
        """Plan all instances before the search; `first` where that is too much."""
        began = time.perf_counter()
        now = time.monotonic()
        seconds = PLAN_SECONDS if self._deadline is None else min(PLAN_SECONDS, (self._deadline - now) / 4)
        calls = BoundedCalls(program, bounds, self._options.disjoint)
        try:
            return FollowPlan(optimal_plan(calls, entry, Limits(PLAN_NODES, now + seconds)))
        except TooLarge as problem:
            self._report.notes.append(
                f"--merge optimal is too expensive from {entry} ({problem}); merged as with `first`"
            )
            return strategy("first", self._options.seed)
        finally:
            self._report.statistics.merge_seconds += time.perf_counter() - began

    def _wanted(self, prepared: Prepared) -> list[Check]:
        for identifier in self._options.assertion:
            if identifier not in prepared.checks:
                raise UsageError(f"there is no assertion {identifier}; run without --assertion to list them")
        return [
            check
            for identifier, check in prepared.checks.items()
            if not self._options.assertion or identifier in self._options.assertion or check.kind == UNSUPPORTED
        ]

    def _confirm(self, prepared: Prepared, trace: Trace) -> Confirmation:
        return self._replayed(prepared, prepared.lift(trace))

    def _replayed(self, prepared: Prepared, lifted: Trace) -> Confirmation:
        """Whether a trace of the base program really is an execution that fails, and its story."""
        from remuda.replay.interpreter import replay
        from remuda.replay.narrate import narrate

        began = time.perf_counter()
        result = replay(prepared.base, lifted)
        self._report.statistics.replay_seconds += time.perf_counter() - began
        if not result.ok:
            return Confirmation(result.why)
        assumed = tuple(f"{description} ({span})" for description, span in result.unevaluated)
        presentation = prepared.base.presentation
        if presentation is not None:
            from remuda.replay.retell import inputs_of, retell

            steps = retell(result, prepared.base, presentation)
            reproduction = ""
            if self._options.test_case:
                entry = result.steps[0].procedure
                reproduction = presentation.reproduce(lifted.check, inputs_of(result), entry, self._sources)
            return Confirmation("", steps, assumed, reproduction)
        return Confirmation("", narrate(result, prepared.base, lifted.interpretation.constants), assumed)

    # --- results

    def _announce(self, outcome: Outcome) -> None:
        check = outcome.check
        self._outcomes[check].append(outcome)
        self._waiting[check] -= 1
        if self._waiting[check] == 0 or outcome.verdict is Verdict.VIOLATED:
            self._send(self._result(check))

    def _progress(self, bound: int, open_calls: int) -> None:
        now = time.monotonic()
        if now - self._last_progress >= PROGRESS_SECONDS:
            self._last_progress = now
            statistics = self._report.statistics
            self._send(Progress(bound, statistics.instances, open_calls, statistics.solver_calls, now - self._began))

    def _violated(self, check: Check) -> bool:
        return any(outcome.verdict is Verdict.VIOLATED for outcome in self._outcomes[check])

    def _found_violation(self) -> bool:
        return any(self._violated(check) for check in self._outcomes if check.kind != UNSUPPORTED)

    def _is_enough(self) -> bool:
        return self._options.stop_at_first and self._found_violation()

    def _leave_open(self, prepared: Prepared, reason: str) -> None:
        """Every assertion that a search has not decided for good becomes unknown."""
        for check in prepared.checks.values():
            if self._waiting.get(check, 0) > 0:
                self._outcomes[check].append(Outcome(check, Verdict.UNKNOWN, reason))

    def _missing(self, check: Check) -> list[Outcome]:
        """What stands for the entries that have not said anything, unless they need not."""
        unheard = self._waiting[check] > 0 and not self._violated(check)
        return [Outcome(check, Verdict.UNKNOWN, "not decided when the run ended")] if unheard else []

    def _as_far_as_searched(self, outcome: Outcome) -> Outcome:
        """What was searched when the time ran out holds; with bounds of several kinds it has no simple name."""
        if outcome.verdict is not Verdict.UNKNOWN or outcome.bound is None:
            return outcome
        if self._options.bound_for or self._options.stack_depth is not None or outcome.reason != TIMEOUT:
            reason = f"{outcome.reason}; no violation up to bound {outcome.bound}"
            return Outcome(outcome.check, Verdict.UNKNOWN, reason)
        reason = f"{TIMEOUT} before bound {self._options.bound}"
        return Outcome(outcome.check, Verdict.BOUNDED, reason, outcome.bound)

    def _result(self, check: Check) -> AssertionResult:
        """The verdict over all entries: the worst that any of them gives."""
        outcomes = self._outcomes.get(check)
        if outcomes is None:
            outcome = Outcome(check, Verdict.UNKNOWN, "not checked")
        elif not outcomes and not self._waiting[check]:
            names = ", ".join(self._report.entries[:3])
            outcome = Outcome(check, Verdict.UNREACHABLE, f"no call path from {names} leads to it")
        else:
            outcome = worst([self._as_far_as_searched(each) for each in (*outcomes, *self._missing(check))])
        if check.kind == ERROR_KIND and outcome.verdict is Verdict.UNREACHABLE:
            verdict = Verdict.PROVED if outcome.bound is None else Verdict.BOUNDED
            outcome = Outcome(check, verdict, outcome.reason.partition("; ")[2], outcome.bound)
        if check.kind == LEAK and outcome.verdict is Verdict.VIOLATED and self._options.property == "valid-memsafety":
            outcome = Outcome(check, Verdict.UNKNOWN, "memory that is not freed may be still in use, which is valid")
        if self._prepared is not None:
            outcome = within_schedules(outcome, self._prepared.schedules)
        confirmation = outcome.confirmation
        return AssertionResult(
            identifier=check.identifier,
            kind=check.kind,
            description=check.description,
            location=_location(check.span),
            verdict=outcome.verdict,
            reason=outcome.reason,
            bound=outcome.bound,
            trace=confirmation.steps if confirmation is not None else None,
            assumed=confirmation.assumed if confirmation is not None else (),
            reproduction=confirmation.reproduction if confirmation is not None else "",
        )


def _from_any_state(_: Trace) -> Confirmation:
    """The way to look at violations that start in the middle of an execution."""
    return Confirmation("the execution may not get there")


def _not_asked(_: Trace) -> Confirmation:
    """The way to look at violations where only proofs count."""
    return Confirmation("only proofs are looked for")


def _mode(options: Options) -> str:
    """How calls to inline are found. A lifted entry has many ways to a failure past calls that need no looking into,
    which abstract paths lead through and refutations do not need."""
    return options.search if options.search != "auto" else "mixed" if options.lift else "over"


def _engine(options: Options, program: Program) -> str:
    """Sharing instances pays in large programs of integers, not in those of bits: docs/benchmarks.md."""
    if options.engine not in {"auto", "horn"}:
        return options.engine
    return "stratified" if is_bit_program(program) else "dag"


def _location(span: Span) -> Location:
    line, column = span.source.position(span.start)
    return Location(span.source.name, line, column)
