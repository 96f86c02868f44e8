"""The order of passes, in one place: from the program a front end made to the one that engines search."""

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


MEMORY_PASSES: Final = 3  # how often what is known of addresses, and what is known then of memory, is looked for
LARGE: Final = 600  # statements and blocks from which on a program is worth a look without its memory


@final
@dataclass(frozen=True, slots=True)
class Prepared:
    """A program ready to be searched.

    `entries` are the procedures that the user starts in. `base` is the program that traces are replayed on: the
    user's, with contracts as assertions. `lift` takes a trace of the instrumented program to one of `base`.
    `checks` are the assertions of `base`, in order.
    `looping` is the program before its loops became procedures.
    `searched` is the program before it was instrumented, and `lift_searched` takes traces of that to `base`.
    `has_threads` says that there are schedules to search, `schedules` which of them, if that is a limit: None
    where threads share nothing, so that schedules make no difference. `called` says what a procedure or loop of the
    base program is called in the instrumented one. `growth` is what lifting assertions made of the program's size.
    `base_claims` is what may be claimed after the passes that made `base`, and `claims` after all passes. (That schedules
    are left out is not among them: `schedules` says so.)
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
        """The assertions of these names; all, if there are none."""
        for identifier in identifiers:
            if identifier not in self.checks:
                raise UsageError(
                    f"--assertion: there is no assertion {identifier}; a run without --assertion lists them"
                )
        return [self.checks[each] for each in dict.fromkeys(identifiers)] or list(self.checks.values())


def prepare(program: Program, options: Options, *, forgets_memory: bool = False) -> Prepared:
    """Run all passes before the search; with `forgets_memory`, on the program without what its maps hold."""
    made = Passes(hook=_check if options.check_ir else None)
    if forgets_memory:
        program = made.apply(ForgetVariables(map_globals(program)), program)
    base = _base_program(program, options, made)
    entries, is_horn = chosen_entries(program, options), options.engine == "horn"
    return _prepare_base(base, made.claims, entries, options, schedules_of(options), whole_state=is_horn)


def with_stated_assertions(program: Program, options: Options) -> Program:
    """The program with its loops, and its assertions where they were written, if executions go on after failures."""
    made = Passes(hook=_check if options.check_ir else None)
    base = _base_program(program, options, made, is_judged=False)
    return _prepare_base(base, made.claims, chosen_entries(program, options), options, schedules_of(options)).looping


def with_tracked(prepared: Prepared, tracked: frozenset[Variable]) -> Prepared:
    """The same program with any value wherever another global is read. What is proved of it is proved.

    Globals are forgotten last, so that bounds mean the same with and without.
    """
    others = frozenset(variable for variable in prepared.searched.globals if variable not in tracked)
    forgetful = ForgetVariables(others).apply(prepared.searched)
    claims = prepared.claims.after(ForgetVariables.name, forgetful.trust)
    return replace(prepared, instrumented=InsertErrorBit().apply(forgetful.program), claims=claims)


def without_lifting(prepared: Prepared, options: Options) -> Prepared | None:
    """The same program with its assertions where they were, as long as it is large and has memory.

    The entry with the bodies of all that may fail is then a formula too large for some solvers, which nothing interrupts.
    """
    if not options.lift or not is_large_with_memory(prepared):
        return None
    return _prepare_again(prepared, replace(options, lift=False), schedules_of(options))


def is_large_with_memory(prepared: Prepared) -> bool:
    """Whether much of the program, its memory, may have nothing to do with its assertions."""
    return not prepared.has_threads and bool(map_globals(prepared.base)) and size(prepared.base) >= LARGE


def for_facts(prepared: Prepared, options: Options) -> Prepared:
    """The same program with every loop as it is written, so that what is found of a loop is true of all its iterations."""
    options = replace(options, unroll=False, lift=False)
    return _prepare_again(prepared, options, schedules_of(options), whole_state=True)


def for_proofs(prepared: Prepared, options: Options) -> Prepared:
    """The same program, in which more can be said of loops; its bounds are others."""
    return _prepare_again(prepared, options, schedules_of(options), whole_state=True)


def with_schedules(prepared: Prepared, options: Options, schedules: Schedules) -> Prepared:
    """The same program, to be searched for other schedules."""
    return _prepare_again(prepared, options, schedules)


def schedules_of(options: Options) -> Schedules:
    return Schedules(options.rounds) if options.delays is None else Schedules.with_delays(options.delays)


def _prepare_again(
    prepared: Prepared, options: Options, schedules: Schedules, *, whole_state: bool = False
) -> Prepared:
    """The passes from the base program on, with other options."""
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
        lifted = LiftAssertions().apply(reached)  # one thread fails, and it is the entry's own
        facts = lifted.thread_facts(thread_facts(reached))
        growth = size(lifted.program) / max(1, size(reached))
        reached = passes.take(LiftAssertions.name, lifted.result())
    sequential = Sequentialize(schedules, facts).apply(reached)  # schedules are choices of a program without threads
    is_complete = sequential.trust.proofs
    current = passes.take(Sequentialize.name, replace(sequential, trust=replace(sequential.trust, proofs=True)))
    current = looping = passes.apply(MakeReducible(), current)  # every cycle is a natural loop
    if options.unroll and options.stack_depth is None:
        current = passes.apply(UnrollLoops(), current)  # counted loops cost no bound
    current = passes.apply(ExtractLoops(whole_state), current)  # loops are procedures, so one bound limits both
    bodies = body_names(reached) if has_threads else {}
    if lifted is not None:
        current = lifted.mark_recursion(current, bodies)
    elif options.lift:
        lifted = LiftAssertions().apply(current)  # assertions are in the entry, where recursion becomes a cycle
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
    """What a procedure, or a loop in one, is called in a program whose threads run one after another."""
    procedure, slash, loop = name.partition("/")
    return f"{bodies.get(procedure, procedure)}{slash}{loop}"


def base_program(program: Program, options: Options) -> Program:
    """The program whose assertions are judged: entries chosen, contracts made explicit."""
    return _base_program(program, options, Passes(hook=_check if options.check_ir else None))


def _base_program(program: Program, options: Options, passes: Passes, *, is_judged: bool = True) -> Program:
    """Unless it `is_judged`, assertions stand where they were written, even if executions are to go on after failures."""
    program = replace(
        program, entries=chosen_entries(program, options), cooperative=_is_cooperative(program, options)
    )
    if starts_threads(program) and identity_calls(program):
        program = passes.apply(SeparateEntries(), program)  # only what starts an execution is the first thread
    if options.property == "reach-end" or any(variable in program.wheres for variable in program.globals):
        program = passes.apply(SeparateEntries(), program)  # starting and being called are not the same
    if program.wheres or options.property == "reach-end":
        program = passes.apply(SeparateEntries(), program)  # what holds at the start holds there only
    if options.lift:
        program = passes.apply(SeparateEntries(), program)  # an entry that has all assertions is not called
    program = passes.apply(KnownProcedures(), program)  # names that mean something
    stops = options.on_failure == "stop"
    if not stops:
        program = passes.apply(SeparateEntries(), program)  # what is asked of calls is assumed at the start only
    program = passes.apply(LowerContracts(stops=stops), program)  # contracts are assertions and assumptions
    program = passes.apply(NestSections(), program)  # a step of the library ends no section that it is in
    program = passes.apply(PrepareThreads(), program)  # threads are plain bodies that know who they are
    if options.property == "reach-end":
        program = passes.apply(ReachEnd(), program)  # the one failure is the entry's end
    elif not stops and is_judged:
        program = passes.apply(JudgeAlone(), program)  # failures end nothing
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
    """Where executions start: what the options say, or else what the program says."""
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
