"""One verification, start to end, in the process it is called in."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, final

from remuda.analysis.arithmetic import is_mostly_linear
from remuda.base.errors import Unsupported, UsageError
from remuda.engines.bounds import Bounds
from remuda.engines.inlining import Inlining
from remuda.engines.outcome import Confirmation, Outcome
from remuda.engines.stratified import StratifiedSearch
from remuda.ir.program import Check, Program, attribute
from remuda.results.progress import Progress
from remuda.results.report import AssertionResult, Location, Report, Verdict
from remuda.session.assumptions import assumptions_of
from remuda.session.pipeline import Prepared, prepare
from remuda.smt.create import create_solver
from remuda.terms.term import Term
from remuda.vc.interface import Interface, interfaces

if TYPE_CHECKING:
    from remuda.base.source import Source, Span
    from remuda.ir.trace import Trace
    from remuda.options import Options
    from remuda.smt.solver import Solver

Send = Callable[[object], None]

PROGRESS_SECONDS = 0.1


def run(sources: Sequence[Source], options: Options, send: Send) -> Report:
    """Verify a program. `send` gets the report's beginning, then results and progress as they come."""
    return _Run(sources, options, send).run()


@final
class _Run:
    def __init__(self, sources: Sequence[Source], options: Options, send: Send) -> None:
        self._sources = sources
        self._options = options
        self._send = send
        self._began = time.monotonic()
        self._deadline = None if options.timeout is None else self._began + options.timeout
        self._last_progress = self._began
        self._report = Report(sources[0].name, bound=options.bound, engine=_engine(options), solver=options.solver)
        self._one_schedule = ""
        self._outcomes: dict[Check, list[Outcome]] = {}
        self._waiting: dict[Check, int] = {}  # how many entries have still to say something

    def run(self) -> Report:
        report = self._report
        try:
            prepared = self._front_end()
        except Unsupported as problem:
            return self._unsupported(problem)
        try:
            self._search(prepared)
        except Unsupported as problem:
            self._leave_open(prepared, f"{problem.construct} at {problem.span} is not supported")
        report.assertions = [self._result(check) for check in prepared.checks.values()]
        if any(result.reason.startswith("timeout") for result in report.assertions):
            report.incomplete = "timeout"
        report.statistics.seconds = time.monotonic() - self._began
        return report

    def _front_end(self) -> Prepared:
        from remuda.frontends.boogie.load import load

        program = load(self._sources)
        self._report.statistics.frontend_seconds = time.monotonic() - self._began
        prepared = prepare(program, self._options)
        self._one_schedule = prepared.one_schedule
        self._report.entries = prepared.entries
        self._report.assumed = assumptions_of(replace(program, entries=prepared.entries))
        self._report.assertions = [self._result(check) for check in prepared.checks.values()]
        self._send(self._report)
        return prepared

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

    # --- searching

    def _search(self, prepared: Prepared) -> None:
        code = prepared.instrumented
        wanted = self._wanted(prepared)
        below = {entry: set(code.below(entry)) for entry in prepared.base.entries}
        for check in wanted:
            self._outcomes[check] = []
            self._waiting[check] = sum(check in checks for checks in below.values())
        faces = interfaces(code.program, summaries=self._options.summaries)
        for entry in prepared.base.entries:
            if self._options.stop_at_first and self._found_violation():
                break
            checks = [check for check in wanted if check in below[entry] and not self._violated(check)]
            for check in wanted:
                if check in below[entry] and self._violated(check):
                    self._waiting[check] -= 1
            if checks:
                self._search_from(entry, checks, prepared, faces)

    def _search_from(
        self, entry: str, checks: list[Check], prepared: Prepared, faces: Mapping[str, Interface]
    ) -> None:
        options, code = self._options, prepared.instrumented
        solver = create_solver(options.solver, settings=_settings(prepared.base, options))
        _tell_background(solver, code.program)
        for definition in code.definitions:
            solver.add(solver.translate(definition))
        inlining = Inlining(code.program, faces, solver, self._report.statistics, joins=options.joins)
        StratifiedSearch(
            inlining,
            code,
            entry,
            _bounds(code.program, options),
            confirm=lambda trace: self._confirm(prepared, trace),
            announce=self._announce,
            deadline=self._deadline,
            stop_at_first=options.stop_at_first,
            ask_reachability=options.reachability and options.property == "assertions",
            eager=options.engine == "static",
            progress=lambda bound: self._progress(bound, len(inlining.open_calls)),
        ).run(checks)

    def _wanted(self, prepared: Prepared) -> list[Check]:
        for identifier in self._options.assertion:
            if identifier not in prepared.checks:
                raise UsageError(f"there is no assertion {identifier}; run without --assertion to list them")
        return [
            check
            for identifier, check in prepared.checks.items()
            if not self._options.assertion or identifier in self._options.assertion
        ]

    def _confirm(self, prepared: Prepared, trace: Trace) -> Confirmation:
        from remuda.replay.interpreter import replay
        from remuda.replay.narrate import narrate

        began = time.perf_counter()
        lifted = prepared.lift(trace)
        result = replay(prepared.base, lifted)
        self._report.statistics.replay_seconds += time.perf_counter() - began
        if not result.ok:
            return Confirmation(result.why)
        assumed = tuple(f"{description} ({span})" for description, span in result.unevaluated)
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
        return any(self._violated(check) for check in self._outcomes)

    def _leave_open(self, prepared: Prepared, reason: str) -> None:
        """Every assertion that a search has not decided for good becomes unknown."""
        for check in prepared.checks.values():
            if self._waiting.get(check, 0) > 0:
                self._outcomes[check].append(Outcome(check, Verdict.UNKNOWN, reason))

    def _missing(self, check: Check) -> list[Outcome]:
        """What stands for the entries that have not said anything, unless they need not."""
        unheard = self._waiting[check] > 0 and not self._violated(check)
        return [Outcome(check, Verdict.UNKNOWN, "not decided when the run ended")] if unheard else []

    def _result(self, check: Check) -> AssertionResult:
        """The verdict over all entries: the worst that any of them gives."""
        outcomes = self._outcomes.get(check)
        if outcomes is None:
            outcome = Outcome(check, Verdict.UNKNOWN, "not checked")
        elif not outcomes and not self._waiting[check]:
            names = ", ".join(self._report.entries[:3])
            outcome = Outcome(check, Verdict.UNREACHABLE, f"no call path from {names} leads to it")
        else:
            outcome = _worst([*outcomes, *self._missing(check)])
        if self._one_schedule and outcome.verdict is not Verdict.VIOLATED:
            outcome = Outcome(check, Verdict.UNKNOWN, outcome.reason or self._one_schedule)
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
        )


_SEVERITY = {
    Verdict.VIOLATED: 0,
    Verdict.UNKNOWN: 1,
    Verdict.BOUNDED: 2,
    Verdict.PROVED: 4,
    Verdict.UNREACHABLE: 5,
}


def _severity(outcome: Outcome) -> int:
    is_bounded = outcome.verdict is Verdict.UNREACHABLE and outcome.bound is not None
    return 3 if is_bounded else _SEVERITY[outcome.verdict]


def _worst(outcomes: Sequence[Outcome]) -> Outcome:
    """What can be said of all executions; a proof and `unreachable` up to a bound hold together up to the bound."""
    worst = min(outcomes, key=_severity)
    if worst.verdict is Verdict.UNREACHABLE and any(one.verdict is Verdict.PROVED for one in outcomes):
        return Outcome(worst.check, Verdict.BOUNDED, bound=worst.bound)
    return worst


def _settings(program: Program, options: Options) -> dict[str, str]:
    """What suits the program. Z3's older arithmetic is two to ten times faster on driver programs, but has no
    procedure for products of variables."""
    return {"smt.arith.solver": "2"} if options.solver == "z3" and is_mostly_linear(program) else {}


def _engine(options: Options) -> str:
    return "stratified" if options.engine == "auto" else options.engine


def _location(span: Span) -> Location:
    line, column = span.source.position(span.start)
    return Location(span.source.name, line, column)


def _tell_background(solver: Solver, program: Program) -> None:
    """Datatypes, axioms and the distinctness of unique constants."""
    solver.declare_datatypes([(datatype.type, datatype.constructors) for datatype in program.datatypes])
    terms = program.terms
    by_type: dict[object, list[Term]] = {}
    for constant in program.unique_constants:
        by_type.setdefault(constant.type, []).append(terms.var(constant))
    for constants in by_type.values():
        if len(constants) > 1:
            solver.add(solver.translate(terms.distinct(constants)))
    for axiom in program.axioms:
        solver.add(solver.translate(axiom.term))


def _bounds(program: Program, options: Options) -> Bounds:
    extra = {}
    for name, procedure in program.procedures.items():
        found = attribute(procedure.attributes, "SIextraRecBound")
        if found is not None and found.arguments:
            argument = found.arguments[0]
            if isinstance(argument, Term) and argument.op == "int":
                extra[name] = int(argument.payload)
    for name, _ in options.bound_for:
        if name not in program.procedures:
            raise UsageError(
                f"--bound-for: there is no procedure or loop {name}; `remuda show loops` lists the loops"
            )
    return Bounds(options.bound, dict(options.bound_for), extra, options.stack_depth)
