"""Finds implications between the assertions of a program: for `remuda implications`, and to skip assertions in
`remuda verify`.

There are two scopes. *Procedures*: every procedure alone; its loops and large calls may change all variables that
they assign to any value. These implications hold for every execution. *Program*: all code from the entries, unwound
up to the bound. It finds implications across calls, which hold up to the bound.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Final, final

from remuda.analysis.callgraph import call_graph
from remuda.analysis.controlflow import control_flow
from remuda.base import clock
from remuda.base.errors import Unsupported, UsageError
from remuda.engines.implication import ComparisonCost, ComparisonLimits, Implication
from remuda.engines.solver_setup import solver_setups
from remuda.ir.program import Assert
from remuda.ir.threads import starts_threads
from remuda.prepare.pipeline import prepare
from remuda.results.implications import ImplicationGraph, Node
from remuda.results.report import Location
from remuda.results.unsupported import UNSUPPORTED
from remuda.transforms.unroll_loops import TooManyCopies, UnwindLoops
from remuda.vc.ussa import Look, Refused, Ussa, unwind

if TYPE_CHECKING:
    from remuda.implications.known import KnownImplications
    from remuda.ir.program import Check, Program
    from remuda.options import Options
    from remuda.prepare.pipeline import Prepared
    from remuda.smt.solver import Solver

SMALL_CALLEE: Final = (
    40  # the most statements of a callee, with its own callees, that is inlined for procedures alone
)
INSTEAD: Final = "lower --bound, or use --scope procedures"
MOST_STEPS: Final = 60_000  # the most steps of one sequence
THREADS: Final = "assertions of programs with threads are not compared"


@final
@dataclass(slots=True)
class Found:
    """The implications. `pairs` have a stronger assertion and a weaker one. `bound` is the bound up to which they
    hold, None for every execution."""

    pairs: list[tuple[Check, Check]] = field(default_factory=list)
    cost: ComparisonCost = field(default_factory=ComparisonCost)
    steps: int = 0
    bound: int | None = None
    notes: list[str] = field(default_factory=list)


@final
@dataclass(frozen=True, slots=True)
class Sequences:
    """The sequences of a program, and the procedures in which each assertion occurs."""

    ussas: tuple[Ussa, ...]
    procedures_of: Mapping[Check, frozenset[str]]
    notes: tuple[str, ...]
    is_whole: bool  # the scope is the program, not procedures
    bound: int | None

    def instances(self, ussa: Ussa) -> dict[Check, list[int]]:
        """The assertions that one sequence covers, with their positions in it."""
        found: dict[Check, list[int]] = {}
        for index in ussa.assertions():
            step = ussa.steps[index]
            if step.check is not None and (self.is_whole or step.level == 0):
                found.setdefault(step.check, []).append(index)
        return found


def sequences(program: Program, options: Options, scope: str) -> Sequences:
    """The sequences of a program that still has loops, all of them natural. There are none if it has threads."""
    if starts_threads(program):
        return Sequences((), {}, (THREADS,), scope == "program", None)
    occurrences: dict[Check, set[str]] = {}
    for name, procedure in program.procedures.items():
        for block in procedure.blocks or ():
            for statement in block.statements:
                if isinstance(statement, Assert):
                    occurrences.setdefault(statement.check, set()).add(name)
    where = {check: frozenset(names) for check, names in occurrences.items()}
    if scope == "program":
        return _from_entries(program, options, where)
    with_assertions = frozenset[str]().union(*where.values())
    roots = [name for name in program.procedures if name in with_assertions]
    unwound = list(unwind(program, roots, _look_into_small(program), MOST_STEPS))
    found = tuple(each for each in unwound if isinstance(each, Ussa))
    notes = tuple(
        f"{each.procedure} was not examined: {each.reason}" for each in unwound if isinstance(each, Refused)
    )
    return Sequences(found, where, notes, is_whole=False, bound=None)


def _from_entries(program: Program, options: Options, where: Mapping[Check, frozenset[str]]) -> Sequences:
    try:
        unwound = UnwindLoops(options.bound).apply(program)
    except TooManyCopies:
        raise UsageError(f"loops have too many iterations up to bound {options.bound}; {INSTEAD}") from None
    found: list[Ussa] = []
    for each in unwind(unwound.program, program.entries, _look_up_to(options.bound), MOST_STEPS):
        if isinstance(each, Refused):
            raise UsageError(f"{each.procedure} cannot be unwound: {each.reason}; {INSTEAD}")
        found.append(each)
    is_complete = unwound.trust.proofs and all(ussa.is_complete for ussa in found)
    return Sequences(tuple(found), where, (), is_whole=True, bound=None if is_complete else options.bound)


def _look_up_to(bound: int) -> Look:
    def look(callee: str, around: Sequence[str]) -> str:
        return "inline" if around.count(callee) < bound else "cut"

    return look


def _look_into_small(program: Program) -> Look:
    """A function that inlines callees that are small, with their own callees, and have no loops, so that the bound
    does not matter for them."""
    graph = call_graph(program)
    recursive = graph.recursive()
    sizes: dict[str, int] = {}
    for name in graph.bottom_up():
        procedure = program.procedures[name]
        if procedure.blocks is None:
            sizes[name] = 1
            continue
        own = sum(1 + len(block.statements) for block in procedure.blocks)
        is_simple = name not in recursive and own <= SMALL_CALLEE and control_flow(procedure).is_acyclic
        sizes[name] = own + sum(sizes[callee] for callee in graph.callees[name]) if is_simple else SMALL_CALLEE + 1

    def look(callee: str, _: Sequence[str]) -> str:
        return "inline" if sizes.get(callee, SMALL_CALLEE + 1) <= SMALL_CALLEE else "havoc"

    return look


def find_pairs(
    program: Program,
    given: Sequences,
    options: Options,
    effort: ComparisonLimits,
    *,
    equalities: bool,
    both_directions: bool,
    progress: Callable[[int, int], None] = lambda *_: None,
) -> Found:
    """All pairs of assertions of which the first implies all occurrences of the second."""
    found = Found(bound=given.bound, notes=list(given.notes))
    new_solver = _solver_maker(program, options)
    implied: dict[tuple[Check, Check], int] = {}  # the number of implied occurrences
    places: dict[Check, int] = {}
    seen: dict[Check, set[str]] = {}
    for number, ussa in enumerate(given.ussas):
        progress(number, len(given.ussas))
        instances = given.instances(ussa)
        for check, where in instances.items():
            places[check] = places.get(check, 0) + len(where)
            seen.setdefault(check, set()).add(ussa.procedure)
        found.steps += len(ussa.steps)
        if sum(map(len, instances.values())) == 0 or len(ussa.assertions()) < 2:
            continue
        if clock.now() >= effort.deadline:  # occurrences are still counted
            continue
        one = Implication(ussa, new_solver, effort, found.cost, equalities=equalities)
        try:
            pairs = one.pairs(both_directions=both_directions)
        except Unsupported as problem:  # by the solver
            found.notes.append(f"{ussa.procedure} was not examined: {problem}")
            continue
        counted: set[tuple[Check, int]] = set()
        for stronger, weaker in pairs:
            premise, conclusion = ussa.steps[stronger].check, ussa.steps[weaker].check
            assert premise is not None
            assert conclusion is not None
            if premise is conclusion or weaker not in instances.get(conclusion, ()) or (premise, weaker) in counted:
                continue
            counted.add((premise, weaker))
            implied[premise, conclusion] = implied.get((premise, conclusion), 0) + 1
    for (premise, conclusion), count in implied.items():
        everywhere = given.is_whole or seen[conclusion] == given.procedures_of[conclusion]
        is_real = UNSUPPORTED not in {premise.kind, conclusion.kind}
        if everywhere and is_real and count == places[conclusion]:
            found.pairs.append((premise, conclusion))
    return found


def find_implied(
    program: Program,
    given: Sequences,
    options: Options,
    effort: ComparisonLimits,
    hear: Callable[[Check, tuple[Check, ...]], None] = lambda *_: None,
    known: KnownImplications | None = None,
) -> tuple[dict[Check, tuple[Check, ...]], ComparisonCost]:
    """The assertions that cannot fail if those before them in the same procedure hold, each with the earlier ones
    that the proof needs. `hear` is called with an assertion when this is known for all of its occurrences. `known`
    has results of earlier runs."""
    new_solver = _solver_maker(program, options)
    cost = ComparisonCost()
    needed: dict[Check, dict[Check, None]] = {}
    seen: dict[Check, set[str]] = {}  # the procedures in which all of its occurrences are implied
    found: dict[Check, tuple[Check, ...]] = {}
    for ussa in given.ussas:
        if clock.now() >= effort.deadline:
            break
        implied = None if known is None else known.of(ussa)
        if implied is None:
            try:
                implied = Implication(ussa, new_solver, effort, cost).implied()
            except Unsupported:  # by the solver
                continue
            if known is not None and clock.now() < effort.deadline:
                known.add(ussa, implied)
        for check, places in given.instances(ussa).items():
            if check.kind == UNSUPPORTED or not all(place in implied for place in places):
                continue
            premises = (ussa.steps[premise].check for place in places for premise in implied[place])
            needed.setdefault(check, {}).update((each, None) for each in premises if each is not None)
            seen.setdefault(check, set()).add(ussa.procedure)
            if seen[check] == given.procedures_of[check] and check not in needed[check]:
                found[check] = tuple(needed[check])
                hear(check, found[check])
    if known is not None:
        known.save()
    return found, cost


def _solver_maker(program: Program, options: Options) -> Callable[[], Solver]:
    setup = solver_setups(program, options)[0]
    return lambda: setup.for_program(program)


# --- a whole program


def prepared_sequences(program: Program, options: Options, scope: str) -> tuple[Prepared, Sequences]:
    """The program of a front end, prepared but still with loops, and its sequences."""
    prepared = prepare(program, replace(options, lift=False))
    if prepared.has_threads:
        return prepared, Sequences((), {}, (THREADS,), scope == "program", None)
    return prepared, sequences(prepared.looping, options, scope)


def implication_graph(
    file: str,
    program: Program,
    options: Options,
    effort: ComparisonLimits,
    *,
    scope: str,
    equalities: bool,
    both_directions: bool,
    progress: Callable[[int, int], None] = lambda *_: None,
) -> ImplicationGraph:
    """The implications between the assertions of a front end's program, within the limits of the effort."""
    began = clock.now()
    prepared, given = prepared_sequences(program, options, scope)
    asked = set(prepared.chosen(options.assertion))
    found = find_pairs(
        prepared.looping,
        given,
        options,
        effort,
        equalities=equalities,
        both_directions=both_directions,
        progress=progress,
    )
    everything = [check for check in prepared.checks.values() if check.kind != UNSUPPORTED]
    checks = [check for check in everything if prepared.has_threads or check in given.procedures_of]
    left_out = len(everything) - len(checks)
    pairs = found.pairs
    if options.assertion:  # the chosen assertions, with those that imply them and those that they imply
        pairs = [pair for pair in pairs if not asked.isdisjoint(pair)]
        near = asked.union(*pairs)
        checks = [check for check in checks if check in near]
    numbers = {check: number for number, check in enumerate(checks)}
    notes = [*found.notes, *_limits_met(found.cost, effort)]
    if left_out:
        notes.append(f"assertions of procedures that no entry calls are left out: {left_out}")
    return ImplicationGraph(
        file=file,
        nodes=tuple(_node(check) for check in checks),
        edges=tuple(sorted((numbers[one], numbers[other]) for one, other in pairs)),
        bound=found.bound,
        steps=found.steps,
        pairs=found.cost.pairs,
        queries=found.cost.queries,
        seconds=clock.now() - began,
        notes=tuple(notes),
    )


def _limits_met(cost: ComparisonCost, effort: ComparisonLimits) -> list[str]:
    if effort.is_ended:  # the caller ended it, and needs no note
        return []
    if clock.now() >= effort.deadline:
        return ["the time ran out before the end of the search: there may be more implications"]
    if cost.is_cut_short:
        return [f"some questions had no answer in {effort.seconds:g} s: there may be more implications"]
    return []


def _node(check: Check) -> Node:
    span = check.span
    procedure = check.identifier.rsplit(":", 3)[-3]  # file, procedure, kind, ordinal
    return Node(
        check.identifier, procedure, check.description, Location(span.source.name, *span.source.position(span.start))
    )
