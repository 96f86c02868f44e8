"""Drops candidates that some concrete execution contradicts, without a solver."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from random import Random
from typing import TYPE_CHECKING, Final, final

from remuda.base import clock
from remuda.replay.random_runs import RandomRuns

if TYPE_CHECKING:
    from remuda.ir.program import Procedure
    from remuda.replay.scopes import Environment
    from remuda.terms.symbols import Variable
    from remuda.terms.values import Value
    from remuda.transforms.add_contracts import Contract
    from remuda.transforms.error_bit import ErrorBitResult

SEED: Final = 1
RUNS: Final = 12  # from each start procedure
STEPS: Final = 2000  # of each run
MOST_SEEN: Final = 24  # the most starts, and ends, of one procedure that are recorded


@final
class Sampling:
    """Executes a program whose loops are procedures, and whose failures are outputs."""

    def __init__(self, code: ErrorBitResult) -> None:
        constants: dict[Variable, Value] = {
            code.reach: False,
            **dict.fromkeys(code.targets.values(), True),
            **dict.fromkeys(code.may_fail.values(), True),
        }
        self._code = code
        self._runs = RandomRuns(code.program, constants, Random(SEED), self._watch, code.definitions)
        self._alive: dict[str, dict[Contract, None]] = {}
        self._seen: Counter[tuple[str, bool]] = Counter()

    def without_contradicted(
        self, contracts: Sequence[Contract], starts: Iterable[str], seconds: float
    ) -> list[Contract]:
        """The contracts that hold on all sampled executions. These start in arbitrary states, in these procedures."""
        alive = self._alive = {contract.procedure: {} for contract in contracts}
        for contract in contracts:
            alive[contract.procedure][contract] = None
        self._seen.clear()
        deadline = clock.now() + seconds
        for name in starts if self._runs.is_possible else ():
            for _ in range(RUNS - self._seen[name, True]):
                if clock.now() >= deadline:
                    break
                self._runs.run(self._code.program.procedures[name], STEPS)
                clock.spend(STEPS * clock.STATEMENT)
        return [contract for contract in contracts if contract in alive[contract.procedure]]

    def _watch(self, procedure: Procedure, environment: Environment, at_end: bool) -> None:  # noqa: FBT001
        own = self._alive.get(procedure.name)
        if not own or self._seen[procedure.name, at_end] >= MOST_SEEN:
            return
        self._seen[procedure.name, at_end] += 1
        for contract in list(own):
            condition = contract.ensures if at_end else contract.requires
            if condition is not None and self._runs.contradicts(condition, environment):
                del own[contract]
