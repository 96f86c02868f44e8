"""Finds implications between the assertions of a sequence: Alg. 1 (DAI) of *Symbolic Detection of Assertion
Dependencies*.

    A: assert x >= 0;   z := x + 1;   B: assert z >= 0;           A implies B: {x_1 >= 0} z_1 := x_1 + 1 {z_1 >= 0}

A local implication only depends on the instructions between the two assertions (Def. 2), not on those before. Most
assertions are implied by no other one. One query shows that for all pairs with the same second assertion: it may fail
even if all instructions before it are asserted and all other assertions are assumed. Only the remaining pairs are
queried one by one, and those with the same first assertion share a level of one incremental solver.

The other direction, from a later assertion to an earlier one, only makes sense if executions continue after a
failure: if the earlier one fails, the later one fails too. So no instruction between them may end executions.
"""

from __future__ import annotations

import math
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, final

from remuda.base import clock
from remuda.base.reasons import Cause
from remuda.smt.solver import Sat, Unsat
from remuda.terms.types import BOOL
from remuda.transforms.judge_alone import STATED
from remuda.vc.dependency import Dependency
from remuda.vc.ussa import Guard, Kind, Step, Ussa

if TYPE_CHECKING:
    from remuda.smt.solver import Answer, Native, Solver

COPIES: Final = frozenset({"var", "bool", "int", "real", "bv", "float"})
TIMER_SECONDS: Final = 0.01  # that timers may differ by
DEFINING: Final = frozenset({Kind.ASSIGN, Kind.PHI})


@final
@dataclass(slots=True)
class ComparisonLimits:
    """The limits: the most instructions between two assertions, the time of each query, and the deadline. A caller
    can move the deadline to the past, and then gets the implications found so far; an interrupt does the same if
    `ends_at_interrupt`."""

    distance: int
    seconds: float
    deadline: float
    ends_at_interrupt: bool = False  # instead of raising KeyboardInterrupt
    most: int | None = None  # the number of assertions implying one that suffice; None: find all

    def end(self) -> None:
        self.deadline = -math.inf

    @property
    def is_ended(self) -> bool:
        return self.deadline == -math.inf

    def left(self) -> float:
        return min(self.seconds, self.deadline - clock.now())


@final
@dataclass(slots=True)
class ComparisonCost:
    """The costs of finding implications."""

    pairs: int = 0  # the pairs of dependent assertions that are near enough to each other
    queries: int = 0
    seconds: float = 0.0
    is_cut_short: bool = False  # the deadline has passed, or a query took too long


@final
class Implication:
    """The implications in one sequence. `new_solver` makes a solver with the program's axioms and types. With
    `equalities`, copies and constants that were assigned before the first of two assertions are known too."""

    def __init__(
        self,
        ussa: Ussa,
        new_solver: Callable[[], Solver],
        effort: ComparisonLimits,
        cost: ComparisonCost,
        *,
        equalities: bool = False,
    ) -> None:
        self._ussa = ussa
        self._steps = ussa.steps
        self._assertions = ussa.assertions()
        self._new_solver = new_solver
        self._effort = effort
        self._cost = cost
        self._equalities = equalities

    # --- one assertion by another

    def pairs(self, *, both_directions: bool = False) -> list[tuple[int, int]]:
        """The pairs of a stronger assertion and a weaker one that it implies, as positions in the sequence."""
        dependent = self._dependent_pairs()
        found = self._confirmed(self._likely(dependent))
        if both_directions:
            found += self._backwards(dependent)
        return sorted(found)

    def _dependent_pairs(self) -> list[tuple[int, int]]:
        """All pairs of an earlier and a later assertion that may depend on each other."""
        dependency = Dependency(self._steps)
        classes = {index: dependency.classes(self._steps[index]) for index in self._assertions}
        found: list[tuple[int, int]] = []
        for number, later in enumerate(self._assertions):
            for earlier in reversed(self._assertions[:number]):
                if later - earlier - 1 > self._effort.distance:
                    break
                if not classes[earlier].isdisjoint(classes[later]):
                    found.append((earlier, later))
        self._cost.pairs += len(found)
        return found

    def _likely(self, pairs: Sequence[tuple[int, int]]) -> list[list[tuple[int, int]]]:
        """The pairs whose second assertion cannot fail if all before it holds, in three groups: those whose first
        assertion is in the core, those whose first assertion holds by the code alone, and the others."""
        earlier_ones: dict[int, list[int]] = {}
        for earlier, later in pairs:
            earlier_ones.setdefault(later, []).append(earlier)
        formula = _Formula(self._new_solver(), self._ussa)
        cores: dict[int, frozenset[int]] = {}
        for later in self._walk(formula, earlier_ones):
            if self._is_over():
                break
            core = self._refuted(formula, later, earlier_ones[later])
            if core is not None:
                cores[later] = core

        tiers: list[list[tuple[int, int]]] = [[], [], []]
        for later, core in cores.items():
            for earlier in earlier_ones[later]:
                tier = 0 if earlier in core else 1 if cores.get(earlier) == frozenset() else 2
                tiers[tier].append((earlier, later))
        return tiers

    def _walk(self, formula: _Formula, wanted: Mapping[int, object]) -> Iterator[int]:
        """The wanted assertions in order; before each one, it asserts the steps that precede it."""
        at = 0
        for index in wanted:
            for step in range(at, index):
                formula.add(step)
            at = index
            yield index

    def _refuted(self, formula: _Formula, index: int, premises: Sequence[int]) -> frozenset[int] | None:
        """The premises in the core of a proof that an assertion holds; None if it may fail."""
        literals = {formula.premise(premise): premise for premise in premises}
        answer = self._ask(formula, (*literals, formula.failure(index)))
        if not isinstance(answer, Unsat):
            return None
        return frozenset(literals[each] for each in answer.core if each in literals)

    def _confirmed(self, tiers: Sequence[Sequence[tuple[int, int]]]) -> list[tuple[int, int]]:
        """The pairs whose implication follows from the instructions between them."""
        found: list[tuple[int, int]] = []
        counts: Counter[int] = Counter()
        formula = _Formula(self._new_solver(), self._ussa)
        for pairs in tiers:
            later_ones: dict[int, list[int]] = {}
            for earlier, later in pairs:
                later_ones.setdefault(earlier, []).append(later)
            for earlier, laters in later_ones.items():
                if self._is_over():
                    return found
                new = self._confirmed_from(formula, earlier, [each for each in laters if self._needs(counts[each])])
                counts.update(new)
                found += [(earlier, later) for later in new]
        return found

    def _needs(self, count: int) -> bool:
        """Whether more assertions that imply one are wanted than this count."""
        return self._effort.most is None or count < self._effort.most

    def _confirmed_from(self, formula: _Formula, earlier: int, laters: Sequence[int]) -> list[int]:
        found: list[int] = []
        with formula.level():
            if self._equalities:
                formula.add_copies(earlier)
            formula.hold(earlier)
            at = earlier + 1
            for later in sorted(laters):
                for step in range(at, later):
                    formula.add(step)
                at = later
                with formula.level():
                    formula.fail(later)
                    if isinstance(self._ask(formula), Unsat):
                        found.append(later)
        return found

    def _backwards(self, pairs: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
        """The pairs in which the later assertion fails whenever the earlier one does."""
        found: list[tuple[int, int]] = []
        formula = _Formula(self._new_solver(), self._ussa)
        for earlier, later in pairs:
            between = range(earlier + 1, later)
            if self._is_over():
                break
            if any(map(_may_end, (self._steps[index] for index in between))):
                continue
            with formula.level():
                formula.fail(earlier)
                for step in between:
                    formula.add(step)
                formula.hold(later)
                if isinstance(self._ask(formula), Unsat):
                    found.append((later, earlier))
        return found

    # --- assertions by everything before them

    def implied(self) -> dict[int, tuple[int, ...]]:
        """The assertions of the procedure itself that cannot fail if all before them hold, each with the earlier ones
        that the proof needs: none if the code alone suffices."""
        own = [index for index in self._assertions if self._steps[index].level == 0]
        earlier_ones: dict[int, list[int]] = {index: [] for index in own}
        for earlier, later in self._dependent_pairs():
            if later in earlier_ones:
                earlier_ones[later].append(earlier)
        formula = _Formula(self._new_solver(), self._ussa)
        found: dict[int, tuple[int, ...]] = {}
        for index in self._walk(formula, earlier_ones):
            if self._is_over():
                break
            core = self._refuted(formula, index, earlier_ones[index])
            if core is not None:
                found[index] = tuple(sorted(core))
        return found

    # --- queries

    def _ask(self, formula: _Formula, assumptions: Sequence[Native] = ()) -> Answer | None:
        left = self._effort.left()
        if left <= 0:
            self._cost.is_cut_short = True
            return None
        began = time.perf_counter()
        try:
            answer = formula.solver.check(assumptions, left)
        except KeyboardInterrupt:
            if not self._effort.ends_at_interrupt:
                raise
            self._effort.end()
            return None
        spent = time.perf_counter() - began
        self._cost.queries += 1
        self._cost.seconds += spent
        if not isinstance(answer, Sat | Unsat):
            self._cost.is_cut_short = True
            if self._effort.ends_at_interrupt and answer.why.cause is Cause.TIME and spent < left - TIMER_SECONDS:
                self._effort.end()  # Z3 does not tell an interrupt from a time limit, but this one came too early
        return answer

    def _is_over(self) -> bool:
        return clock.now() >= self._effort.deadline


def _may_end(step: Step) -> bool:
    """Whether an instruction may end executions."""
    is_fatal = step.check is not None and step.check.kind not in STATED
    return step.kind in {Kind.ASSUME, Kind.OPAQUE} or is_fatal


@final
class _Formula:
    """The steps of a sequence in one solver."""

    def __init__(self, solver: Solver, ussa: Ussa) -> None:
        self.solver = solver
        self._terms = ussa.terms
        self._steps = ussa.steps
        self._guards: dict[Guard, Native] = {}
        self._literals: dict[tuple[int, bool], Native] = {}

    def add(self, index: int) -> None:
        """Assert the effect of an instruction. Assertions and arbitrary values have none."""
        step, solver = self._steps[index], self.solver
        if step.kind in DEFINING:
            solver.add(self._definition(step))
        elif step.kind is Kind.ASSUME:
            solver.add(self._guarded(step))

    def add_copies(self, before: int) -> None:
        """Assert the known equalities of variables before an instruction."""
        for step in self._steps[:before]:
            if step.kind is Kind.ASSIGN and step.term is not None and step.term.op in COPIES:
                self.solver.add(self._definition(step))

    def hold(self, index: int) -> None:
        self.solver.add(self._guarded(self._steps[index]))

    def fail(self, index: int) -> None:
        self.solver.add(self._failing(self._steps[index]))

    @contextmanager
    def level(self) -> Iterator[None]:
        """A context in which assertions are temporary."""
        self.solver.push()
        yield
        self.solver.pop()

    def premise(self, index: int) -> Native:
        """A literal that makes an assertion hold. It must not be made inside a level, because it is kept after it."""
        return self._literal(index, holds=True)

    def failure(self, index: int) -> Native:
        """A literal that makes an assertion fail. It must not be made inside a level either."""
        return self._literal(index, holds=False)

    def _literal(self, index: int, *, holds: bool) -> Native:
        key = (index, holds)
        if key not in self._literals:
            step, solver = self._steps[index], self.solver
            literal = self._literals[key] = solver.fresh(BOOL)
            solver.add(solver.implies(literal, self._guarded(step) if holds else self._failing(step)))
        return self._literals[key]

    def _definition(self, step: Step) -> Native:
        assert step.target is not None
        assert step.term is not None
        solver = self.solver
        return solver.eq(solver.translate(self._terms.var(step.target)), solver.translate(step.term))

    def _guarded(self, step: Step) -> Native:
        assert step.term is not None
        condition = self.solver.translate(step.term)
        return condition if step.guard is None else self.solver.implies(self._guard(step.guard), condition)

    def _failing(self, step: Step) -> Native:
        assert step.term is not None
        failure = self.solver.not_(self.solver.translate(step.term))
        return failure if step.guard is None else self.solver.and_([self._guard(step.guard), failure])

    def _guard(self, guard: Guard) -> Native:
        """The term of a guard. Outer guards are built first, so each one is built once."""
        chain: list[Guard] = []
        at: Guard | None = guard
        while at is not None and at not in self._guards:
            chain.append(at)
            at = at.outer
        for each in reversed(chain):
            condition = self.solver.translate(each.condition)
            outer = each.outer
            self._guards[each] = condition if outer is None else self.solver.and_([self._guards[outer], condition])
        return self._guards[guard]
