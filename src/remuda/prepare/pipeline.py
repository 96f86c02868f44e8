"""The order of passes, in one place: they turn the program of a front end into the one that engines search."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final, final

from remuda.analysis.threads import ThreadFacts, thread_facts
from remuda.base.errors import InternalError, UsageError
from remuda.base.names import some_of
from remuda.ir.edit import size
from remuda.ir.passes import EVERYTHING, Passes
from remuda.ir.program import Assert, Check, Program
from remuda.ir.threads import starts_threads, yields
from remuda.transforms.contracts import LowerContracts
from remuda.transforms.drop_unread import DropUnread
from remuda.transforms.error_bit import ErrorBitResult, InsertErrorBit
from remuda.transforms.extract_loops import ExtractLoops
from remuda.transforms.fix_indices import FixIndices
from remuda.transforms.forget_variables import ForgetVariables, map_globals
from remuda.transforms.judge_alone import JudgeAlone
from remuda.transforms.known_procedures import KnownProcedures
from remuda.transforms.lift_assertions import LiftAssertions, LiftedAssertions
from remuda.transforms.make_reducible import MakeReducible
from remuda.transforms.nest_sections import NestSections
from remuda.transforms.prepare_threads import PrepareThreads, identity_calls
from remuda.transforms.prune import PruneProcedures
from remuda.transforms.reach_end import ReachEnd
from remuda.transforms.separate_entries import SeparateEntries
from remuda.transforms.sequentialize import Schedules, Sequentialize, body_names
from remuda.transforms.skip_arbitrary_writes import SkipArbitraryWrites
from remuda.transforms.split_maps import SplitMaps
from remuda.transforms.unroll_loops import UnrollLoops

if TYPE_CHECKING:
    from remuda.ir.passes import Claims
    from remuda.ir.trace import Trace
    from remuda.options import Options
    from remuda.terms.symbols import Variable


MEMORY_PASSES: Final = 3  # the most rounds of inferring addresses, and then splitting memory at known addresses
LARGE: Final = 600  # statements and blocks from which on a search without the memory pays


@final
@dataclass(frozen=True, slots=True)
class Prepared:
    """A program ready to be searched.

    `entries` are the entry procedures that the user chose. `base` is the program on which traces are replayed: the
    user's program, with contracts as assertions. `lift` turns a trace of the instrumented program into one of `base`.
    `checks` are the assertions of `base`, in order.
    `looping` is the program before its loops became procedures.
    `searched` is the program before it was instrumented, and `lift_searched` turns its traces into those of `base`.
    `has_threads` says whether there are threads. `schedules` are the schedules that the search covers; None if it
    covers all, for example because threads share nothing. `called` gives the names in the instrumented program of a
    procedure or loop of the base program. `growth` is the factor by which lifting assertions enlarged the program.
    `base_claims` is what may be claimed after the passes that made `base`, and `claims` after all passes; they do not
    include the limit of `schedules`.
    """

    entries: tuple[str, ...]
    base: Program
    instrumented: ErrorBitResult
    lift: Callable[[Trace], Trace]
    looping: Program
    searched: Program
    lift_searched: Callable[[Trace], Trace]
    checks: Mapping[str, Check]
    called: Callable[[str], Iterable[str]]
    has_threads: bool = False
    schedules: Schedules | None = None
    growth: float | None = None
    base_claims: Claims = EVERYTHING
    claims: Claims = EVERYTHING

    def chosen(self, identifiers: Sequence[str]) -> list[Check]:
        """The assertions with these identifiers; all assertions if no identifiers are given."""
        for identifier in identifiers:
            if identifier not in self.checks:
                raise UsageError(
                    f"--assertion: there is no assertion {identifier}; a run without --assertion lists them"
                )
        return [self.checks[each] for each in dict.fromkeys(identifiers)] or list(self.checks.values())


def prepare(program: Program, options: Options, *, forgets_memory: bool = False) -> Prepared:
    """Run all passes before the search; with `forgets_memory`, every read of a map in the program gives any value."""
    made = Passes(hook=_check if options.check_ir else None)
    if forgets_memory:
        program = made.apply(ForgetVariables(map_globals(program)), program)
    base = _base_program(program, options, made)
    entries, is_horn = chosen_entries(program, options), options.engine == "horn"
    return _prepare_base(base, made.claims, entries, options, schedules_of(options), whole_state=is_horn)


def with_stated_assertions(program: Program, options: Options) -> Program:
    """The program with its loops, and with its assertions in their places even if executions continue after
    failures."""
    made = Passes(hook=_check if options.check_ir else None)
    base = _base_program(program, options, made, is_judged=False)
    return _prepare_base(base, made.claims, chosen_entries(program, options), options, schedules_of(options)).looping


def with_tracked(prepared: Prepared, tracked: frozenset[Variable]) -> Prepared:
    """The same program, in which every read of an untracked global gives any value. Its proofs hold for the original.

    This is the last pass, so bounds mean the same as in the original.
    """
    others = frozenset(variable for variable in prepared.searched.globals if variable not in tracked)
    forgetful = ForgetVariables(others).apply(prepared.searched)
    claims = prepared.claims.after(ForgetVariables.name, forgetful.trust)
    return replace(prepared, instrumented=InsertErrorBit().apply(forgetful.program), claims=claims)


def without_lifting(prepared: Prepared, options: Options) -> Prepared | None:
    """The same program without lifted assertions, if it is large and has memory; otherwise None.

    After lifting, the entry contains the bodies of all procedures that may fail. The formula of a large program is
    then too large for some solvers, and no limit interrupts them.
    """
    if not options.lift or not is_large_with_memory(prepared):
        return None
    return _prepare_again(prepared, replace(options, lift=False), schedules_of(options))


def is_large_with_memory(prepared: Prepared) -> bool:
    """Whether the program is large and has memory, so that much of it may be irrelevant for its assertions."""
    return not prepared.has_threads and bool(map_globals(prepared.base)) and size(prepared.base) >= LARGE


def for_facts(prepared: Prepared, options: Options) -> Prepared:
    """The same program without unrolled loops, so that facts about a loop hold for all of its iterations."""
    options = replace(options, unroll=False, lift=False)
    return _prepare_again(prepared, options, schedules_of(options), whole_state=True)


def for_proofs(prepared: Prepared, options: Options) -> Prepared:
    """The same program, with the whole state in the interfaces of loops, which helps proofs. Bounds mean something
    else in it."""
    return _prepare_again(prepared, options, schedules_of(options), whole_state=True)


def with_schedules(prepared: Prepared, options: Options, schedules: Schedules) -> Prepared:
    """The same program, prepared for other schedules."""
    return _prepare_again(prepared, options, schedules)


def schedules_of(options: Options) -> Schedules:
    return Schedules(options.rounds) if options.delays is None else Schedules.with_delays(options.delays)


def _prepare_again(
    prepared: Prepared, options: Options, schedules: Schedules, *, whole_state: bool = False
) -> Prepared:
    """Run the passes after the base program again, with other options."""
    base, claims, entries = prepared.base, prepared.base_claims, prepared.entries
    return _prepare_base(base, claims, entries, options, schedules, whole_state=whole_state)


def _prepare_base(
    base: Program,
    base_claims: Claims,
    entries: tuple[str, ...],
    options: Options,
    schedules: Schedules,
    *,
    whole_state: bool = False,
) -> Prepared:
    passes = Passes(base_claims, _check if options.check_ir else None)
    reached = _with_known_memory(passes, base)
    has_threads = starts_threads(reached)
    lifted: LiftedAssertions | None = None
    growth: float | None = None
    facts: ThreadFacts | None = None
    if options.lift and has_threads:
        reached = passes.apply(MakeReducible(), reached)
        lifted = LiftAssertions().apply(reached)  # only one thread can fail, the first one
        facts = lifted.thread_facts(thread_facts(reached))
        growth = size(lifted.program) / max(1, size(reached))
        reached = passes.take(LiftAssertions.name, lifted.result())
    sequential = Sequentialize(schedules, facts).apply(reached)  # schedules become choices, without threads
    is_complete = sequential.trust.proofs
    current = passes.take(Sequentialize.name, replace(sequential, trust=replace(sequential.trust, proofs=True)))
    current = looping = passes.apply(MakeReducible(), current)  # every cycle is a natural loop
    if options.unroll and options.stack_depth is None:
        current = passes.apply(UnrollLoops(), current)  # counted loops cost no bound
    current = passes.apply(ExtractLoops(whole_state), current)  # loops become procedures, so one bound limits both
    bodies = body_names(reached) if has_threads else {}
    if lifted is not None:
        current = lifted.mark_recursion(current, bodies)
    elif options.lift:
        lifted = LiftAssertions().apply(current)  # assertions move to the entry, where recursion becomes a cycle
        growth = size(lifted.program) / max(1, size(current))
        current = _with_loops_of_lifting(passes, lifted)
    instrumented = InsertErrorBit().apply(current)  # failures are visible at the entry's end
    if options.check_ir:
        _check(instrumented.program)

    def called(name: str) -> Iterable[str]:
        names = (name,) if lifted is None else lifted.called(name)
        return (_in_body(each, bodies) for each in names)

    return Prepared(
        entries,
        base,
        instrumented,
        lambda trace: passes.lift(instrumented.lift(trace)),
        looping,
        current,
        passes.lift,
        checks_of(base),
        called,
        has_threads=has_threads,
        schedules=None if is_complete else schedules,
        growth=growth,
        base_claims=base_claims,
        claims=passes.claims,
    )


def _with_known_memory(passes: Passes, base: Program) -> Program:
    """The part that an entry reaches, with what is known of addresses and of memory."""
    reached = passes.apply(PruneProcedures(), base)  # what no entry reaches costs nothing from here on
    for _ in range(MEMORY_PASSES):
        reached = passes.apply(FixIndices(), reached)  # addresses of global objects are known
        split = SplitMaps().apply(reached)  # memory at known addresses is variables, which may hold addresses
        if split.program is reached:
            break
        reached = passes.take(SplitMaps.name, split)
    reached = passes.apply(DropUnread(), reached)  # what nothing reads costs nothing either
    if not starts_threads(reached):
        reached = passes.apply(SkipArbitraryWrites(), reached)  # memory filled with inputs is arbitrary memory
    return reached


def _with_loops_of_lifting(passes: Passes, lifted: LiftedAssertions) -> Program:
    """The lifted program, in which cycles that came of recursion are procedures again."""
    current = passes.take(LiftAssertions.name, lifted.result())
    current = passes.apply(MakeReducible(), current)
    return lifted.mark_recursion(passes.apply(ExtractLoops(), current))


def _in_body(name: str, bodies: Mapping[str, str]) -> str:
    """The name of a procedure, or of a loop in one, in the sequentialized program."""
    procedure, slash, loop = name.partition("/")
    return f"{bodies.get(procedure, procedure)}{slash}{loop}"


def base_program(program: Program, options: Options) -> Program:
    """The program whose assertions are judged: entries chosen, contracts made explicit."""
    return _base_program(program, options, Passes(hook=_check if options.check_ir else None))


def _base_program(program: Program, options: Options, passes: Passes, *, is_judged: bool = True) -> Program:
    """The base program. Unless it `is_judged`, assertions stay in their places even if executions continue after
    failures."""
    program = replace(
        program, entries=chosen_entries(program, options), cooperative=_is_cooperative(program, options)
    )
    if starts_threads(program) and identity_calls(program):
        program = passes.apply(SeparateEntries(), program)  # only the start of an execution is the first thread
    if options.property == "reach-end" or any(variable in program.wheres for variable in program.globals):
        program = passes.apply(SeparateEntries(), program)  # the start of an execution is no call
    if program.wheres or options.property == "reach-end":
        program = passes.apply(SeparateEntries(), program)  # assumptions about the start hold only there
    if options.lift:
        program = passes.apply(SeparateEntries(), program)  # the entry with all assertions is never called
    program = passes.apply(KnownProcedures(), program)  # procedures with a meaning by their names
    stops = options.on_failure == "stop"
    if not stops:
        program = passes.apply(SeparateEntries(), program)  # preconditions are assumed only at the start
    program = passes.apply(LowerContracts(stops=stops), program)  # contracts become assertions and assumptions
    program = passes.apply(NestSections(), program)  # library steps do not end atomic sections
    program = passes.apply(PrepareThreads(), program)  # threads become procedures that know their thread's number
    if options.property == "reach-end":
        program = passes.apply(ReachEnd(), program)  # the only failure is reaching the end of the entry
    elif not stops and is_judged:
        program = passes.apply(JudgeAlone(), program)  # executions continue after failures
    return program


def _is_cooperative(program: Program, options: Options) -> bool:
    return yields(program) if options.scheduling == "auto" else options.scheduling == "cooperative"


def checks_of(program: Program) -> dict[str, Check]:
    """The assertions of a program by identifier, in the order of the source."""
    return {
        statement.check.identifier: statement.check
        for procedure in program.procedures.values()
        for block in procedure.blocks or ()
        for statement in block.statements
        if isinstance(statement, Assert)
    }


def chosen_entries(program: Program, options: Options) -> tuple[str, ...]:
    """The entry procedures: those in the options, or else those of the program."""
    with_body = [name for name, procedure in program.procedures.items() if procedure.blocks is not None]
    if "*" in options.entry:
        return tuple(with_body)
    for name in options.entry:
        if name not in program.procedures:
            raise UsageError(
                f"--entry: there is no procedure {name}; the program has {some_of(with_body, 'no procedure with a body')}"
            )
        if name not in with_body:
            raise UsageError(f"--entry: procedure {name} has no body; choose one that has")
    return options.entry or program.entries


def _check(program: Program) -> None:
    from remuda.ir.check import check

    complaints = check(program)
    if complaints:
        raise InternalError("; ".join(str(complaint) for complaint in complaints[:5]))
