"""Stratified inlining: CORRAL, Fig. 2, for every assertion of a program in one search.

    for each bound r:  repeat
        1. block all open calls; satisfiable: a violation (replayed before it counts)
        2. block only the calls beyond r; unsatisfiable with nothing blocked: proved
                                          unsatisfiable: the next r
                                          satisfiable: inline the open calls on the path

All undecided assertions are searched for together: each has a constant that enables it, and a decided one is
disabled. After the last bound, two more kinds of queries classify the remaining ones:

    3. block nothing: assertions that still cannot fail are proved. If a path goes through open calls within the
       bound, these are inlined first, unless that takes too many queries. The other assertions hold up to the bound
    4. let assertions fail as soon as they are reached: those that cannot fail then are unreachable

A violation that only fails in the translated program is not reported, and the search continues with others
(`OtherExecutions`).

`next_query` reads the state, `ask` asks the solver, and only `commit` changes the state.
"""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from enum import Enum
from pathlib import PurePath
from typing import TYPE_CHECKING, final

from remuda.base import clock
from remuda.base.errors import Unsupported
from remuda.base.reasons import EFFORT, TIMEOUT, Cause, Reason
from remuda.engines.failing_paths import failing_checks, reached_checks
from remuda.engines.guesses import with_open_rests, with_plain_defaults
from remuda.engines.model_trace import event_of, values_of
from remuda.engines.other_executions import OtherExecutions
from remuda.engines.outcome import Announce, Confirm, Ground, NamedShape, Outcome
from remuda.ir.trace import Event, Trace
from remuda.results.report import Verdict
from remuda.results.unsupported import UNSUPPORTED
from remuda.smt.solver import Answer, Sat, Unknown, Unsat

if TYPE_CHECKING:
    from remuda.base.source import Span
    from remuda.engines.bounds import Bounds
    from remuda.engines.inlining import Inlining, OpenCall
    from remuda.engines.outcome import Confirmation
    from remuda.ir.program import Check
    from remuda.smt.solver import Model, Native
    from remuda.transforms.error_bit import ErrorBitResult


THOROUGH_SECONDS = 2.0
NOT_REACHED = Reason("no execution reaches it")
NO_EXECUTION = Reason("the solver's answer describes no execution", Cause.INCOMPLETE)
MOST_SHOWN = 3  # places that the bound has cut, in a reason
HOLD_IF_NOT_REACHED = frozenset({"error", UNSUPPORTED})  # kinds of which nobody wants to know more
SLACK = 0.05  # seconds that a solver may stop too early
PROVE_QUERIES = 20  # for inlining more to tell proved from bounded, or half as many as the search has taken


class Phase(Enum):
    """The kind of the next query."""

    UNDER = "under"  # all open calls are blocked
    OVER = "over"  # calls beyond the bound are blocked
    PROVE = "prove"  # nothing is blocked, to distinguish proved from bounded
    REACH = "reach"  # assertions fail when they are reached, to find unreachable ones
    DONE = "done"


@final
@dataclass(frozen=True, slots=True)
class Query:
    phase: Phase
    assumptions: tuple[Native, ...]
    blocked: tuple[Native, ...]  # the assumptions that block calls
    thorough: bool = False  # the model must satisfy quantifiers
    rough: bool = False  # any model suffices that shows which calls to inline


@final
class StratifiedSearch:
    """One search from one entry procedure for all assertions below it."""

    def __init__(
        self,
        inlining: Inlining,
        instrumented: ErrorBitResult,
        entry: str,
        bounds: Bounds,
        *,
        confirm: Confirm,
        announce: Announce,
        deadline: float | None = None,
        is_enough: Callable[[], bool] = lambda: False,
        ask_reachability: bool = True,
        eager: bool = False,
        mode: str = "over",
        progress: Callable[[int], None] = lambda _: None,
        searched: Callable[[int, Iterable[Check]], None] = lambda _bound, _checks: None,
        effort: float | None = None,
    ) -> None:
        """Make a search. It calls `progress` with the bound of each query, and `searched` with each bound that was
        searched without a violation of these assertions. It starts no bound after the solver has spent this `effort`
        (`Solver.effort`)."""
        self._inlining = inlining
        self._solver = inlining.solver
        self._code = instrumented
        self._bounds = bounds
        self._confirm = confirm
        self._announce = announce
        self._deadline = deadline
        self._is_enough = is_enough  # called after a violation: whether the search may end
        self._ask_reachability = ask_reachability
        self._eager = eager
        self._mode = mode
        self._progress = progress
        self._searched = searched
        self._effort = effort
        self._entry_name = entry
        self._pending: dict[Check, None] = {}
        self._suspects: dict[Check, None] = {}  # assertions that have not failed in the current PROVE or REACH phase
        self._groups: list[tuple[Verdict, list[Check]]] = []  # whose reachability is not decided yet
        self._step = bounds.last if eager else 1
        self._phase = Phase.UNDER
        self._asked = dict.fromkeys(Phase, 0)
        self._opened: list[OpenCall] = []  # since the last query that blocked all open calls
        self._is_exact = False  # the next query needs more than a rough model
        self._core: frozenset[Native] = frozenset()  # of the last query that blocked all open calls
        self._second_look: Outcome | None = None  # the outcome that the current query checks again
        self._doubtful: Outcome | None = None  # the outcome to announce if checking again does not help
        self._doubted_path: tuple[Native, ...] = ()
        self._doubted_trace: Trace | None = None
        self._others = OtherExecutions(inlining)
        self._forgotten: list[Check] = []
        self._began = clock.now()
        self._grounds: dict[bool, tuple[int, Ground]] = {}
        self._cut: dict[Check, tuple[tuple[str, Span], ...]] = {}  # calls beyond the bound, on a failing path

    # --- driving

    def start(self, checks: Iterable[Check]) -> None:
        """Prepare to decide the assertions among `checks` that the entry can reach; each is announced once."""
        below = set(self._code.below(self._entry_name))
        self._prepare({check: None for check in checks if check in below})

    def start_after(self, before: StratifiedSearch) -> None:
        """Continue from the state of a search of an abstraction: with its inlined calls, and its bound."""
        self._prepare(dict(before._pending))
        if self._phase is not Phase.DONE:
            self._inlining.regrow(self._entry, before._inlining.shape(before._entry))
            self._step = before._step

    def start_at_end(self, checks: Iterable[Check], shape: NamedShape) -> None:
        """Begin with the inlined calls of an earlier search, if the bound allows them, and with its last query.
        Assertions that are not proved then are announced as if the bound had been searched."""
        self.start(checks)
        if self._phase is not Phase.DONE:
            last = self._step = self._bounds.last
            self._inlining.regrow_named(self._entry, shape, lambda call: not self._bounds.blocks(call, last))
            self._phase = Phase.PROVE
            self._start_phase()

    def look_again(self, checks: Iterable[Check], shape: NamedShape, until: float) -> None:
        """Search for violations with the inlined calls of an earlier search, and all other calls blocked. Violations
        are announced; nothing is claimed about other assertions."""
        self.start(checks)
        if self._phase is not Phase.DONE:
            last = self._bounds.last
            self._inlining.regrow_named(self._entry, shape, lambda call: not self._bounds.blocks(call, last))
        while self._phase is Phase.UNDER and (query := self.next_query()) is not None:
            answer = self.ask(query, until)
            if _is_cut_short(answer) or (isinstance(answer, Unsat) and not query.thorough):
                return
            self.commit(query, answer)

    def advance(self, until: float | None = None) -> bool:
        """Continue until this time, or to the end. Whether the end is reached. An interrupted query is asked again
        later."""
        while (query := self._query_after_news()) is not None:
            answer = self.ask(query, until)
            is_over = until is not None and clock.now() >= until - SLACK and not self._out_of_time()
            if is_over and _is_cut_short(answer):
                return False
            self.commit(query, answer)
            if is_over:
                return self._phase is Phase.DONE
        return True

    def _query_after_news(self) -> Query | None:
        """The next query, after assertions were dropped that were decided elsewhere in the meantime."""
        self._progress(self._step)
        return self.next_query()

    def forget(self, check: Check) -> None:
        """Drop an assertion, because it is decided elsewhere."""
        if check not in self._pending:
            return
        del self._pending[check]
        self._suspects.pop(check, None)
        if self._doubtful is not None and self._doubtful.check is check:
            self._doubtful, self._doubted_path, self._doubted_trace = None, (), None
        if self._second_look is not None and self._second_look.check is check:
            self._second_look = None
        self._others.forget(check)
        for _, group in self._groups:
            if check in group:
                group.remove(check)
        self._switch_off(check)
        self._forgotten.append(check)
        self._end_if_decided()

    @property
    def stopped_at_first(self) -> bool:
        """Whether a violation ended the search before all assertions were decided."""
        return self._phase is Phase.DONE and bool(self._pending)

    def _prepare(self, pending: dict[Check, None]) -> None:
        solver = self._solver
        self._pending = pending
        if not pending:
            self._phase = Phase.DONE
            return
        for check, target in self._code.targets.items():
            if check not in pending:
                solver.add(solver.not_(solver.translate(self._code.program.terms.var(target))))
        self._entry = self._inlining.start(self._entry_name)
        failed = self._code.failed[self._entry_name]
        vc = self._entry.compiled.vc
        final_value = vc.finals[vc.interface.outputs.index(failed)]
        solver.add(self._inlining.native(self._entry, final_value))
        self._reach = solver.translate(self._code.program.terms.var(self._code.reach))
        if self._eager:
            self._inline_everything()

    def _inline_everything(self) -> None:
        """Static inlining: inline all calls within the bound, before the first query."""
        work = deque(self._inlining.open_calls)
        while work:
            call = work.popleft()
            if self._out_of_time():
                self._give_up(TIMEOUT)
                return
            if call in self._inlining.open_calls and not self._bounds.blocks(call, self._step):
                work.extend(self._inlining.inline(call).calls)  # those of a shared instance may be inlined already

    # --- state, ask, commit

    def next_query(self) -> Query | None:
        """The next query, or None if everything is decided."""
        if self._phase is Phase.DONE:
            return None
        controls = dict.fromkeys(call.control for call in self._inlining.open_calls if self._blocked(call))
        negated = tuple(self._solver.not_(control) for control in controls)
        reach = self._reach if self._phase is Phase.REACH else self._solver.not_(self._reach)
        path = self._doubted_path
        rough = self._phase is Phase.OVER and not self._is_exact
        return Query(
            self._phase, (reach, *negated, *path, *self._others.question), negated, thorough=bool(path), rough=rough
        )

    def _blocked(self, call: OpenCall) -> bool:
        """Whether the next query blocks an open call."""
        match self._phase:
            case Phase.UNDER:
                return True
            case Phase.OVER:
                return self._bounds.blocks(call, self._step)
            case Phase.REACH:
                return self._groups[0][0] is Verdict.BOUNDED and self._bounds.blocks(call, self._step)
            case Phase.PROVE | Phase.DONE:
                return False

    def ask(self, query: Query, until: float | None = None) -> Answer:
        """Ask the solver one query, within the remaining time."""
        if self._out_of_time():
            return Unknown(TIMEOUT)
        ends = [end for end in (self._deadline, until) if end is not None]
        seconds = max(0.01, min(ends) - clock.now()) if ends else None
        began = time.perf_counter()
        if query.thorough:
            seconds = THOROUGH_SECONDS if seconds is None else min(seconds, THOROUGH_SECONDS)
        answer = self._solver.check(query.assumptions, seconds, thorough=query.thorough, rough=query.rough)
        statistics = self._inlining.statistics
        statistics.solver_calls += 1
        statistics.solver_seconds += time.perf_counter() - began
        return answer

    def commit(self, query: Query, answer: Answer) -> None:
        """Update the state with the answer to a query."""
        self._asked[query.phase] += 1
        if self._doubtful is not None and not isinstance(answer, Sat):
            self._commit_doubt(self._doubtful, answer)
            return
        if (check := self._others.check) is not None and not isinstance(answer, Sat):
            if not self._others.leave_path():
                self._decide(Outcome(check, Verdict.UNKNOWN))
                self._end_if_decided()
            return
        self._second_look, self._doubtful = self._doubtful, None
        self._doubted_path = ()
        self._is_exact = False
        model = answer.model if isinstance(answer, Sat) else answer.candidate if isinstance(answer, Unknown) else None
        if isinstance(answer, Unknown) and model is None:
            self._give_up(answer.why)
            return
        match query.phase:
            case Phase.UNDER:
                self._commit_under(query, answer, model)
            case Phase.OVER:
                self._commit_over(query, answer, model)
            case Phase.PROVE:
                self._commit_prove(model)
            case Phase.REACH:
                self._commit_reach(query, answer, model)

    def _commit_under(self, query: Query, answer: Answer, model: Model | None) -> None:
        self._opened.clear()
        if model is not None:
            self._violation(model, certain=isinstance(answer, Sat))
        elif _nothing_blocked(query, answer):
            self._all_proved()
        elif self._eager:
            self._phase = Phase.PROVE
            self._start_phase()
        elif self._mode == "under" and isinstance(answer, Unsat):
            self._widen(answer.core)
        else:
            self._core = frozenset(answer.core) if isinstance(answer, Unsat) else frozenset()
            self._phase = Phase.OVER

    def _widen(self, core: Sequence[Native]) -> None:
        """Inline the calls that are blocked in the core; if all of them are beyond the bound, go to the next
        bound."""
        needed = self._in_core(self._inlining.open_calls, frozenset(core))
        within = [call for call in needed if not self._bounds.blocks(call, self._step)]
        for call in within:
            self._inlining.inline(call)
        if not within:
            self._next_bound(needed)

    def _in_core(self, calls: Iterable[OpenCall], core: frozenset[Native]) -> list[OpenCall]:
        return [call for call in calls if self._solver.not_(call.control) in core]

    def _next_bound(self, blocked: Iterable[OpenCall]) -> None:
        """Go to the next bound, after no violation was found up to the current one, which blocked these calls."""
        last = self._bounds.last
        if any(self._bounds.blocks(call, self._step) and not self._bounds.blocks(call, last) for call in blocked):
            self._searched(self._step, tuple(self._pending))
            self._step += 1
            if self._effort is not None and self._solver.effort() > self._effort:
                self._give_up(EFFORT)
        else:
            self._step = last  # further bounds would block the same calls
            self._phase = Phase.PROVE
            self._start_phase()

    def _commit_over(self, query: Query, answer: Answer, model: Model | None) -> None:
        if model is not None:
            opened = self._inlining.open_calls_on_path(self._entry, model)
            if self._mode == "mixed":
                opened = self._in_core(opened, self._core) or opened
            if opened:
                self._open(opened)
                if self._has_new_path():
                    self._phase = Phase.UNDER
            elif query.rough:
                self._is_exact = True
            else:
                self._give_up(_reason(answer))
        elif _nothing_blocked(query, answer):
            self._all_proved()
        else:  # nothing was inlined since the last UNDER query, so it is not repeated
            self._next_bound(self._inlining.open_calls)

    def _open(self, calls: Iterable[OpenCall]) -> None:
        """Inline calls. If a body has only one call, and makes it for certain, inline that one too.

        With several certain calls in a body, the number of instances would double at each level, without any query.
        """
        work = list(calls)[::-1]
        while work:
            call = work.pop()
            if call in self._inlining.open_calls:  # it may be inlined already in a shared instance
                instance = self._inlining.inline(call)
                self._opened.append(call)
                if instance.compiled.certain_call:
                    work.extend(one for one in reversed(instance.calls) if not self._bounds.blocks(one, self._step))

    def _has_new_path(self) -> bool:
        """Whether there are new paths without open calls since the last query that blocked all of them."""
        return self._entry.can_end and any(call.instance.children[call.index].can_end for call in self._opened)

    def _commit_prove(self, model: Model | None) -> None:
        if model is not None and self._look_deeper(model):
            return
        if model is not None:
            self._note_cut(model)
        if model is not None and self._drop_suspects(self._failing(model)):
            return
        if model is not None:
            self._suspects.clear()
        self._leave_level()
        proved = list(self._suspects)
        held = [check for check in self._pending if check not in self._suspects]
        self._start_reachability(proved, held)

    def _look_deeper(self, model: Model) -> bool:
        """Inline the calls within the bound on a path that leads beyond it. Whether there were any."""
        before = self._asked[Phase.UNDER] + self._asked[Phase.OVER]
        if self._asked[Phase.PROVE] > max(PROVE_QUERIES, before // 2):
            return False
        path = self._inlining.open_calls_on_path(self._entry, model)
        within = [call for call in path if not self._bounds.blocks(call, self._step)]
        if within:
            self._leave_level()  # inlined calls are kept
            self._open(within)
            self._solver.push()
            for check in self._pending:
                if check not in self._suspects:
                    self._switch_off(check)
        return bool(within)

    def _note_cut(self, model: Model) -> None:
        """Remember the calls beyond the bound on a failing abstract path."""
        callees = dict.fromkeys(call.callee for call in self._inlining.open_calls_on_path(self._entry, model))
        procedures = self._code.program.procedures
        for check in self._failing(model):
            if check in self._suspects:
                self._cut[check] = tuple((name, procedures[name].span) for name in callees)

    def _commit_reach(self, query: Query, answer: Answer, model: Model | None) -> None:
        verdict, group = self._groups[0]
        if model is not None and self._drop_suspects(reached_checks(self._inlining, self._code, self._entry, model)):
            return
        if model is not None:
            self._suspects.clear()
        self._leave_level()
        for check in group:
            if check in self._suspects:
                bound = self._bounds.limit if query.blocked and not _nothing_blocked(query, answer) else None
                why = NOT_REACHED
                if bound is not None:
                    cut = _cut_text(self._cut.get(check, ()))
                    why = Reason(self._bounds.not_reached).but(cut, self._bounds.advice)
                ground = self._ground(reach=True) if bound is None else None
                self._decide(Outcome(check, Verdict.UNREACHABLE, why, bound, ground=ground))
            else:
                self._decide_held(check, verdict)
        self._groups.pop(0)
        self._next_group()

    # --- phases at the end

    def _start_phase(self) -> None:
        if self._phase is Phase.PROVE:
            self._suspects = dict(self._pending)
            self._solver.push()

    def _leave_level(self) -> None:
        self._solver.pop()
        for check in self._forgotten:  # perhaps they were disabled within the level
            self._switch_off(check)

    def _all_proved(self) -> None:
        self._start_reachability(list(self._pending), [])

    def _start_reachability(self, proved: list[Check], held: list[Check]) -> None:
        self._groups = []
        for verdict, group in ((Verdict.PROVED, proved), (Verdict.BOUNDED, held)):
            asked = []
            for check in group:
                if self._ask_reachability and check.kind not in HOLD_IF_NOT_REACHED:
                    asked.append(check)
                else:
                    self._decide_held(check, verdict)
            if asked:
                self._groups.append((verdict, asked))
        self._next_group()

    def _next_group(self) -> None:
        if not self._groups:
            self._phase = Phase.DONE
            return
        self._phase = Phase.REACH
        self._suspects = dict.fromkeys(self._groups[0][1])
        self._solver.push()
        for _, others in self._groups[1:]:
            for check in others:
                self._switch_off(check)

    def _decide_held(self, check: Check, verdict: Verdict) -> None:
        if verdict is Verdict.PROVED:
            self._decide(Outcome(check, verdict, ground=self._ground(reach=False)))
        else:
            why = Reason(_cut_text(self._cut.get(check, ())))
            self._decide(Outcome(check, verdict, why, self._bounds.limit))

    def _ground(self, *, reach: bool) -> Ground:
        """The ground of the last proof; nothing has been inlined since."""
        inlining = self._inlining
        instances = inlining.statistics.instances
        if (known := self._grounds.get(reach)) is None or known[0] != instances:
            seconds = clock.now() - self._began
            shape = inlining.named_shape(self._entry)
            ground = Ground(self._code, self._entry_name, inlining.inlined, shape, reach, seconds)
            known = self._grounds[reach] = (instances, ground)
        return known[1]

    def _drop_suspects(self, checks: Iterable[Check]) -> bool:
        """Drop assertions from those that have not failed in this phase. Whether some were dropped, and some
        remain."""
        seen = [check for check in checks if check in self._suspects]
        for check in seen:
            del self._suspects[check]
            self._switch_off(check)
        return bool(seen) and bool(self._suspects)

    def _failing(self, model: Model) -> Sequence[Check]:
        return failing_checks(self._inlining, self._code, self._entry, model)

    # --- paths and verdicts

    def _violation(self, model: Model, *, certain: bool) -> None:
        try:
            trace = self._trace(model, certain=certain)
        except Unsupported as problem:  # a value has no finite table
            self._unreadable(model, problem)
            return
        if trace is None:
            self._give_up(NO_EXECUTION)
            return
        confirmation = self._confirm(trace)
        if confirmation.problem and not certain:
            # Only the defaults of maps are guesses, so other defaults may work.
            second = self._confirm(with_plain_defaults(trace))
            confirmation = confirmation if second.problem else second
        if confirmation.is_not_shown and self._others.leave_out(
            trace.check, self._entry, model, _unconfirmed(confirmation, certain=certain)
        ):
            return
        if not confirmation.problem:
            ground = self._ground(reach=False)
            outcome = Outcome(trace.check, Verdict.VIOLATED, confirmation=confirmation, ground=ground)
            if confirmation.assumed and not certain:  # open values may contradict the path
                self._doubtful, self._doubted_path = outcome, self._inlining.path_literals(self._entry, model)
                self._doubted_trace = trace
                return
            self._decide(outcome)
        else:
            outcome = Outcome(trace.check, Verdict.UNKNOWN, _unconfirmed(confirmation, certain=certain))
            if (
                not certain and not confirmation.is_not_shown
            ):  # ask again about this path alone, for a model without guesses
                self._doubtful, self._doubted_path = outcome, self._inlining.path_literals(self._entry, model)
                self._doubted_trace = trace
                return
            self._decide(outcome)
        self._end_if_decided(found=not confirmation.problem and trace.check.kind != UNSUPPORTED)

    def _commit_doubt(self, doubtful: Outcome, answer: Answer) -> None:
        """Checking again found no execution on the path: exclude the path if there is none, otherwise give up.

        The core is excluded, because it contains the other assumptions too: with open calls, or with assertions that
        fail when they are reached, the path may have executions.
        """
        if isinstance(answer, Unsat):
            self._solver.add(self._solver.not_(self._solver.and_(list(answer.core))))
        elif doubtful.verdict is Verdict.VIOLATED:
            self._decide(doubtful)
        elif self._doubted_trace is not None:
            confirmation = self._confirm(with_open_rests(self._doubted_trace))
            if not confirmation.problem:
                doubtful = Outcome(doubtful.check, Verdict.VIOLATED, confirmation=confirmation)
            self._decide(doubtful)
        self._doubtful, self._doubted_path = None, ()
        self._end_if_decided()

    def _unreadable(self, model: Model, problem: Unsupported) -> None:
        """Handle a model with values without a finite table: use the guess that led to it, if any."""
        if self._second_look is not None:
            outcome, self._second_look = self._second_look, None
            self._commit_doubt(outcome, Unknown(_unsupported(problem)))
            return
        for check in self._failing(model):
            self._decide(Outcome(check, Verdict.UNKNOWN, _unsupported(problem)))
        self._end_if_decided()

    def _end_if_decided(self, *, found: bool = False) -> None:
        if not self._pending or (found and self._is_enough()):
            self._phase = Phase.DONE

    def _trace(self, model: Model, *, certain: bool) -> Trace | None:
        """The model's execution as a trace of the instrumented program."""
        events: list[Event] = []
        failing: Check | None = None
        for step in self._inlining.walk(self._entry, model):
            if failing is None and step.kind == "visit":
                failing = self._code.failures.get((step.instance.procedure, step.label))
            event = event_of(step, model)
            if event is None:
                return None
            events.append(event)
        if failing is None or failing not in self._pending:
            return None
        program = self._code.program
        vc = self._entry.compiled.vc
        functions = [function for function in program.functions if function.body is None and function.builtin is None]
        interpretation = model.interpretation(program.constants, functions)
        for table in interpretation.functions.values():
            table.is_complete = certain
        return Trace(
            entry=self._entry_name,
            interpretation=interpretation,
            initial=values_of(self._entry, vc.interface.inputs, vc.interface.inputs, model),
            events=tuple(events),
            check=failing,
        )

    def _decide(self, outcome: Outcome) -> None:
        why = self._others.reasons.get(outcome.check)
        if why is not None and outcome.verdict is not Verdict.VIOLATED:  # not all of its executions were searched
            outcome = Outcome(outcome.check, Verdict.UNKNOWN, why)
        self._others.forget(outcome.check)
        del self._pending[outcome.check]
        self._switch_off(outcome.check)
        self._announce(outcome)

    def _switch_off(self, check: Check) -> None:
        target = self._code.program.terms.var(self._code.targets[check])
        self._solver.add(self._solver.not_(self._solver.translate(target)))

    def _give_up(self, why: Reason) -> None:
        """Claim what is known already, and for the rest nothing beyond the bound that was searched."""
        for verdict, group in self._groups:
            for check in group:
                self._decide_held(check, verdict)
        if self._phase is Phase.PROVE:
            for check in list(self._pending):
                self._decide_held(check, Verdict.BOUNDED)
        searched = min(self._step - 1, self._bounds.limit) if self._step > 1 and not self._eager else None
        for check in list(self._pending):
            self._decide(Outcome(check, Verdict.UNKNOWN, why, searched))
        self._phase = Phase.DONE

    def _out_of_time(self) -> bool:
        return self._deadline is not None and clock.now() >= self._deadline


def _cut_text(calls: Sequence[tuple[str, Span]]) -> str:
    """The text that names calls beyond the bound for users."""
    shown = [f"{name} ({PurePath(span.source.name).name}:{span.line})" for name, span in calls[:MOST_SHOWN]]
    more = len(calls) - len(shown)
    return f"cut at the bound: {', '.join(shown)}{f' and {more} more' if more else ''}" if shown else ""


def _nothing_blocked(query: Query, answer: Answer) -> bool:
    """Whether an unsatisfiable query is a proof: its core contains no blocked call."""
    if not isinstance(answer, Unsat):
        return False
    blocked = set(query.blocked)
    return not any(assumption in blocked for assumption in answer.core)


def _is_cut_short(answer: Answer) -> bool:
    return isinstance(answer, Unknown) and answer.candidate is None


def _unconfirmed(confirmation: Confirmation, *, certain: bool) -> Reason:
    found = "a counterexample" if certain else "a possible counterexample (the solver is incomplete here)"
    return Reason(f"{found} could not be confirmed: {confirmation.problem}", Cause.UNCONFIRMED)


def _unsupported(problem: Unsupported) -> Reason:
    return Reason(str(problem), Cause.UNSUPPORTED)


def _reason(answer: Answer) -> Reason:
    return answer.why if isinstance(answer, Unknown) else NO_EXECUTION
