"""Finds points where an interruption makes no difference, because of a lock.

    call corral_atomic_begin();
    assume lock == 0;  lock := 1;      takes the lock, which is free if `lock == 0`
    call corral_atomic_end();
    x := x + 1;                        an interruption here has no effect: every thread that accesses x holds the lock
    lock := 0;                         releases it

A lock is a condition, "it is free", that threads assume and make false in one step. While other threads exist, only a
thread that has done so, the holder, makes it true again. So there is at most one holder. If all accesses to some
globals hold the same lock, other threads do not access them between two steps of the holder, so the first step can as
well happen later (Lipton 1975 calls such a step a both-mover).
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, final

from remuda.analysis.accesses import Access, access_of, read_at_start
from remuda.analysis.dataflow import solve
from remuda.analysis.thread_states import ATOMIC, COMPANY, INTERRUPTIBLE, UNNOTICED
from remuda.ir.edit import targets_of
from remuda.ir.program import Assign, Assume, Call
from remuda.terms.symbols import VariableKind
from remuda.terms.term import postorder

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from remuda.analysis.dataflow import Place, Where
    from remuda.analysis.thread_states import States
    from remuda.ir.program import Block, Procedure, Program, Statement
    from remuda.terms.symbols import Variable
    from remuda.terms.term import Term

Locks = int  # a set of locks, one bit each


def mark_unnoticed(program: Program, states: States, shared: frozenset[Variable]) -> States:
    """The states, with a mark after statements whose accesses to shared globals no other thread can see yet."""
    locks = [] if program.cooperative else _find_locks(program, states)
    if not locks:
        return states
    sites = [site for site in _sites(program, states, locks) if site.access.touches(shared)]
    accessed: dict[Variable, set[Locks]] = {variable: {0} for variable in read_at_start(program)}
    written: dict[Variable, set[Locks]] = {}
    for site in sites:
        if site.company:
            for variable in (site.access.reads | site.access.writes) & shared:
                accessed.setdefault(variable, set()).add(site.held)
            for variable in site.access.writes & shared:
                written.setdefault(variable, set()).add(site.held)
    marked = {place: list(along) for place, along in states.items()}
    for site in sites:
        conflicting = [written.get(variable, set()) for variable in site.access.reads]
        conflicting += [accessed.get(variable, set()) for variable in site.access.writes]
        if all(site.held & held for each in conflicting for held in each):
            marked[site.place][site.index + 1] |= UNNOTICED
    return {place: tuple(along) for place, along in marked.items()}


# --- what locks there are


@final
@dataclass(slots=True, eq=False)
class _Lock:
    """A condition on globals, and where it is assumed and made false."""

    free: Term
    variables: frozenset[Variable]
    taken: set[Where] = field(default_factory=set)


def _find_locks(program: Program, states: States) -> list[_Lock]:
    found: dict[Term, _Lock] = {}
    for name, block in _blocks(program):
        place = name, block.label
        for index, free in _taken_in(program, block, states.get(place, ())):
            lock = found.setdefault(free, _Lock(free, _variables(free)))
            lock.taken.add((place, index))
    return list(found.values())


def _taken_in(program: Program, block: Block, states: tuple[int, ...]) -> Iterator[tuple[int, Term]]:
    """The assignments that make a condition false that was assumed before in the same atomic section."""
    terms = program.terms
    common = {variable for variable in program.globals if variable not in program.thread_locals}
    known: dict[Variable, Term] = {}  # locals that hold what was read from globals in this section
    assumed: list[Term] = []
    for index, (statement, state) in enumerate(zip(block.statements, states, strict=False)):
        if state & (INTERRUPTIBLE | ATOMIC) != ATOMIC or isinstance(statement, Call):
            known.clear()
            assumed.clear()
            continue
        targets = frozenset(targets_of(statement))
        fresh: dict[Variable, Term] = {}
        if isinstance(statement, Assume):
            (condition,) = terms.substitute([statement.condition], known)
            if _variables(condition) and _variables(condition) <= common:
                assumed.append(condition)
        elif isinstance(statement, Assign):
            values = terms.substitute(statement.values, known)
            new = dict(zip(statement.targets, values, strict=True))
            for condition in assumed:
                if _value_after(program, condition, new) is terms.false:
                    yield index, condition
            fresh = {
                target: value
                for target, value in new.items()
                if target.kind is not VariableKind.GLOBAL and _variables(value) <= common - targets
            }
        known = {
            variable: value
            for variable, value in known.items()
            if variable not in targets and _variables(value).isdisjoint(targets)
        } | fresh
        assumed = [condition for condition in assumed if _variables(condition).isdisjoint(targets)]


def _variables(term: Term) -> frozenset[Variable]:
    return frozenset(each.payload for each in postorder([term]) if each.op == "var")


def _value_after(program: Program, condition: Term, new: dict[Variable, Term]) -> Term:
    """A condition after an assignment, as a term over the values before it."""
    (after,) = program.terms.substitute([condition], new)
    return after


# --- held locks


@final
@dataclass(frozen=True, slots=True, eq=False)
class _Site:
    """A statement, what it accesses, and the locks that its thread holds before it and after it."""

    place: Place
    index: int
    access: Access
    company: bool
    held: Locks


@final
@dataclass(frozen=True, slots=True)
class _Effect:
    """The effect of a statement itself on locks: it takes some, and may free some."""

    takes: Locks = 0
    frees: Locks = 0


@final
class _Holding:
    """The dataflow problem: the locks that are certainly held; a procedure has one set for all its callers."""

    def __init__(self, program: Program, locks: list[_Lock]) -> None:
        self._program = program
        self._locks = locks
        self.effects: dict[Where, _Effect] = {}
        for name, block in _blocks(program):
            for index, statement in enumerate(block.statements):
                where = (name, block.label), index
                self.effects[where] = self._effect(statement, where)
        self._changed = self._changed_below()

    def at_start(self) -> Locks:
        return 0

    def either(self, one: Locks, other: Locks) -> Locks:
        return one & other

    def after(self, where: Where, _statement: Statement, held: Locks) -> Locks:
        effect = self.effects[where]
        return (held | effect.takes) & ~effect.frees

    def into(self, call: Call, held: Locks) -> Locks:
        return 0 if call.is_async else held

    def out_of(self, where: Where, call: Call, held: Locks, end: Locks | None) -> Locks | None:
        if call.is_async:
            return self.after(where, call, held)
        changed = self._changed[call.procedure]
        return None if end is None else self.after(where, call, held & ~changed | end & changed)

    def at_end(self, _procedure: Procedure, held: Locks) -> Locks:
        return held

    def _effect(self, statement: Statement, where: Where) -> _Effect:
        written = frozenset(targets_of(statement))
        if isinstance(statement, Call):
            written = access_of(self._program, statement).writes
        takes = frees = 0
        for number, lock in enumerate(self._locks):
            if where in lock.taken:
                takes |= 1 << number
            elif not written.isdisjoint(lock.variables) and not self._leaves(lock, statement):
                frees |= 1 << number
        return _Effect(takes, frees)

    def _leaves(self, lock: _Lock, statement: Statement) -> bool:
        """Whether an assignment does not change a lock, or makes it not free."""
        if not isinstance(statement, Assign):
            return False
        new = dict(zip(statement.targets, statement.values, strict=True))
        after = _value_after(self._program, lock.free, new)
        return after is lock.free or after is self._program.terms.false

    def _changed_below(self) -> dict[str, Locks]:
        """By procedure, the locks that it, or a procedure that it calls, takes or may free."""
        changed = dict.fromkeys(self._program.procedures, 0)
        for ((name, _), _), effect in self.effects.items():
            changed[name] |= effect.takes | effect.frees
        callers: dict[str, dict[str, None]] = {}
        for name, procedure in self._program.procedures.items():
            for call in _calls(procedure):
                callers.setdefault(call.procedure, {})[name] = None
        work = [name for name, locks in changed.items() if locks]
        while work:
            callee = work.pop()
            for caller in callers.get(callee, {}):
                if changed[callee] & ~changed[caller]:
                    changed[caller] |= changed[callee]
                    work.append(caller)
        return changed


def _sites(program: Program, states: States, locks: list[_Lock]) -> list[_Site]:
    """All reached statements, with only those locks that no thread frees without holding them."""
    holding = _Holding(program, locks)
    facts = solve(program, holding)
    found: list[_Site] = []
    valid = (1 << len(locks)) - 1
    for name, block in _blocks(program):
        place = name, block.label
        along = facts.along(name, block)
        for index, (statement, held) in enumerate(zip(block.statements, along, strict=False)):
            if place not in states:
                continue
            after = along[index + 1] if index + 1 < len(along) else 0
            company = bool((states[place][index] | states[place][index + 1]) & COMPANY)
            if company:
                rightly = 0 if isinstance(statement, Call) else held
                valid &= ~(holding.effects[place, index].frees & ~rightly)
            found.append(_Site(place, index, access_of(program, statement), company, held & after))
    return [replace(site, held=site.held & valid) for site in found]


def _blocks(program: Program) -> Iterator[tuple[str, Block]]:
    for name, procedure in program.procedures.items():
        for block in procedure.blocks or ():
            yield name, block


def _calls(procedure: Procedure) -> Iterable[Call]:
    statements = (statement for block in procedure.blocks or () for statement in block.statements)
    return (each for each in statements if isinstance(each, Call) and not each.is_async)
