"""Candidates that a program itself asserts and assumes: `candidate ==> condition`.

No procedure may have calls or loops (see `transforms.call_contracts` and `transforms.cut_loops`).
"""

from __future__ import annotations

import time
from collections.abc import Callable, Collection, Iterator, Sequence
from typing import TYPE_CHECKING, final

from remuda.engines.houdini import Failing, Holding, Inferred, greatest_inductive
from remuda.ir.edit import terms_of
from remuda.smt.solver import Sat, Unsat
from remuda.terms.term import variables_of

if TYPE_CHECKING:
    from remuda.engines.inlining import Inlining
    from remuda.ir.program import Check
    from remuda.smt.solver import Model
    from remuda.terms.symbols import Variable
    from remuda.terms.term import Term
    from remuda.transforms.error_bit import ErrorBitResult

Load = Callable[["ErrorBitResult"], "Inlining"]  # loads the program into a new solver


@final
class AssertedCandidates:
    """The candidates of a program. `failing` are the assertions that do not follow from the contracts alone.

    Each query may take `seconds`, and all of them end at the `deadline`.
    """

    def __init__(
        self,
        code: ErrorBitResult,
        candidates: Sequence[Variable],
        load: Load,
        seconds: float | None = None,
        deadline: float | None = None,
    ) -> None:
        self.code = code
        self.load = load
        self.seconds = seconds
        self.deadline = deadline
        self.candidates = candidates
        self.failing: list[Check] = []
        self.queries = 0
        self._of_check = self._candidates_of_checks()

    def infer(self) -> Inferred:
        bodies = [name for name in self.code.failed if self.code.program.procedures[name].blocks is not None]
        return greatest_inductive(self.candidates, {name: _Procedure(self, name) for name in bodies})

    def left(self) -> float | None:
        """The time limit of the next query; None: no limit."""
        if self.deadline is None:
            return self.seconds
        left = self.deadline - time.monotonic()
        return left if self.seconds is None else min(self.seconds, left)

    def of(self, check: Check) -> Sequence[Variable]:
        """The candidates that an assertion checks."""
        return self._of_check.get(check, ())

    def _candidates_of_checks(self) -> dict[Check, list[Variable]]:
        """The candidates of each assertion, which is an implication with them as premises."""
        candidates = frozenset(self.candidates)
        found: dict[Check, list[Variable]] = {}
        for check, condition in self._conditions():
            found.setdefault(check, []).extend(each for each in _premises(condition) if each in candidates)
        return found

    def _conditions(self) -> list[tuple[Check, Term]]:
        """The condition of each assertion. In an instrumented program, it is the assumption on the path on which the
        assertion does not fail."""
        failing = self.code.failures
        found = []
        for name, procedure in self.code.program.procedures.items():
            blocks = {block.label: block for block in procedure.blocks or ()}
            for block in blocks.values():
                checks = [failing[name, label] for label in block.successors if (name, label) in failing]
                for check in checks:
                    onward = next(label for label in block.successors if (name, label) not in failing)
                    found.append((check, terms_of(blocks[onward].statements[0])[0]))
        return found


@final
class _Procedure:
    """The formula of a procedure in its own solver, with assumption literals for candidates."""

    def __init__(self, whole: AssertedCandidates, name: str) -> None:
        self._whole = whole
        self._name = name
        code = whole.code
        self._inlining = whole.load(code)
        self._solver, terms = self._inlining.solver, code.program.terms
        self._entry = self._inlining.start(name)
        vc = self._entry.compiled.vc
        failed = vc.finals[vc.interface.outputs.index(code.failed[name])]
        self._solver.add(self._inlining.native(self._entry, failed))
        self._solver.add(self._solver.not_(self._solver.translate(terms.var(code.reach))))
        mentioned = set(variables_of(vc.constraints))
        self._literals = {
            each: self._solver.translate(terms.var(each)) for each in whole.candidates if each in mentioned
        }

    def ask(self, believed: Collection[Variable]) -> Failing | Holding:
        whole, solver = self._whole, self._solver
        assumed = {
            literal if each in believed else solver.not_(literal): each for each, literal in self._literals.items()
        }
        while True:
            left = whole.left()
            if left is not None and left <= 0:
                return self._undecided(believed)
            answer = solver.check(tuple(assumed), left)
            whole.queries += 1
            if isinstance(answer, Unsat):
                return Holding(frozenset(assumed[each] for each in answer.core if each in assumed))
            check = self._failing(answer.model) if isinstance(answer, Sat) else None
            if check is None:
                return self._undecided(believed)
            guilty = [each for each in whole.of(check) if each in believed]
            if guilty:
                return Failing({guilty[0]: check})
            whole.failing.append(check)
            target = whole.code.program.terms.var(whole.code.targets[check])
            solver.add(solver.not_(solver.translate(target)))

    def _undecided(self, believed: Collection[Variable]) -> Failing | Holding:
        """The answer if the solver does not know: all candidates that are asserted here may fail."""
        whole = self._whole
        own = whole.code.own_checks[self._name]
        asserted = dict.fromkeys(each for check in own for each in whole.of(check) if each in believed)
        whole.failing += [check for check in own if not whole.of(check) and check not in whole.failing]
        return Failing(dict.fromkeys(asserted)) if asserted else Holding(frozenset())

    def _failing(self, model: Model) -> Check | None:
        for step in self._inlining.walk(self._entry, model):
            if step.kind == "visit":
                check = self._whole.code.failures.get((self._name, step.label))
                if check is not None:
                    return check
        return None


def _premises(condition: Term) -> Iterator[Variable]:
    """The variables that are the premises of an implication; `!b` counts as `b ==> false`."""
    while condition.op == "implies" and condition.args[0].op == "var":
        yield condition.args[0].payload
        condition = condition.args[1]
    if condition.op == "not" and condition.args[0].op == "var":
        yield condition.args[0].payload
