"""Searches for other executions that fail an assertion, if the confirmation of a found one fails.

An execution may fail in the translated program, and not show the failure when it is run. Another execution may show
it: on the same path with other numbers, or on another path.

    same path, every number different      once for a path, if there is such an execution
    same path, every number small          once more: small numbers are indices, sizes and distances of shifts
    another path                           the path is excluded, at most `MOST_PATHS` times

The excluded executions are not known to be correct. So an assertion with excluded executions is violated or unknown;
it is never proved, not even up to a bound.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, final

from remuda.terms.types import BOOL, BvType, IntType

if TYPE_CHECKING:
    from remuda.base.reasons import Reason
    from remuda.engines.inlining import Inlining, Instance
    from remuda.ir.program import Check
    from remuda.smt.solver import Model, Native
    from remuda.terms.store import Terms
    from remuda.terms.term import Term

MOST_PATHS: Final = 3  # the most excluded paths for an assertion
SMALL: Final = range(9)
MANY: Final = 50  # numbers that an execution chooses; more are unlikely to be all small


Number = tuple["Native", list["Native"]]


@final
class OtherExecutions:
    """The state of the search for other executions. `reasons` has, for each assertion, the reason why its first
    failing execution was not confirmed. `check` is the assertion for which another execution on a path is wanted, if
    any, and `question` are the assumptions for it: the path, and other numbers."""

    def __init__(self, inlining: Inlining) -> None:
        self._inlining = inlining
        self._excluded: dict[Check, int] = {}  # the number of excluded paths
        self._path: tuple[Native, ...] = ()
        self._wanted: list[Native] = []  # the conditions that were tried on the path, in order
        self.check: Check | None = None
        self.reasons: dict[Check, Reason] = {}

    @property
    def question(self) -> tuple[Native, ...]:
        return () if self.check is None else (*self._path, *self._wanted[-1:])

    def leave_out(self, check: Check, entry: Instance, model: Model, why: Reason) -> bool:
        """Look for another execution than this one that fails the assertion; False if that was done often enough."""
        self.reasons.setdefault(check, why)
        if self.check is not check:  # else this is the answer to a question about the path
            self.check, self._path, self._wanted = check, self._inlining.path_literals(entry, model), []
        wanted = self._others_on_path(self._numbers(entry, model))
        if wanted is None:
            return self.leave_path()
        solver = self._inlining.solver
        self._wanted.append(solver.fresh(BOOL))
        solver.add(solver.implies(self._wanted[-1], wanted))
        return True

    def _others_on_path(self, numbers: list[Number]) -> Native | None:
        """The next condition on numbers; None if another path is next."""
        solver = self._inlining.solver
        if not numbers or len(self._wanted) > 1:
            return None
        if not self._wanted:
            return solver.not_(solver.or_([is_same for is_same, _ in numbers]))
        if len(numbers) > MANY:
            return None
        differs = solver.not_(solver.and_([is_same for is_same, _ in numbers]))
        return solver.and_([differs, *(solver.or_(is_small) for _, is_small in numbers)])

    def leave_path(self) -> bool:
        """Exclude the path; it ends where its assertion fails, so no other assertion depends on it. False if the
        limit of paths is reached."""
        assert self.check is not None
        check, path, solver = self.check, self._path, self._inlining.solver
        self.forget(check)
        self._excluded[check] = self._excluded.get(check, 0) + 1
        if self._excluded[check] > MOST_PATHS or not path:
            return False
        solver.add(solver.not_(solver.and_(list(path))))
        return True

    def forget(self, check: Check) -> None:
        if self.check is check:
            self.check, self._path, self._wanted = None, (), []

    def _numbers(self, entry: Instance, model: Model) -> list[Number]:
        """For each number that the execution chooses, the literals that it has the model's value, and each small
        value."""
        inlining, solver, terms = self._inlining, self._inlining.solver, self._inlining.program.terms
        found: dict[Native, Number] = {}
        for step in inlining.walk(entry, model):
            for incarnation in step.choice.incarnations if step.choice is not None else ():
                native, type_ = step.instance.variable(incarnation), incarnation.type
                if isinstance(type_, BvType | IntType) and native not in found:
                    value = model.value(native, type_)
                    assert isinstance(value, int)
                    equal = [
                        solver.eq(native, solver.translate(_literal(terms, number, type_)))
                        for number in (value, *SMALL)
                        if isinstance(type_, IntType) or number < 1 << type_.width
                    ]
                    found[native] = equal[0], equal[1:]
        return list(found.values())


def _literal(terms: Terms, number: int, type_: BvType | IntType) -> Term:
    return terms.bitvector(number, type_.width) if isinstance(type_, BvType) else terms.integer(number)
