"""How much time each strategy and each proof attempt may take: the one table of budgets.

Seconds are those of `base.clock`. A budget is about the whole run: `began` is when that did, `deadline` when it has to end.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, final

ENDLESS: Final = float("inf")


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class Budget:
    """`least` seconds, or a share `of_spent` time if that is more, but at most `most`; and never more than a share
    `of_left` of the time until the deadline."""

    least: float
    of_spent: float = 0.0
    most: float = ENDLESS
    of_left: float = 1.0

    def until(self, moment: float, began: float, deadline: float | None) -> float:
        """When the budget is used up, if it is used from this moment on."""
        seconds = min(self.most, max(self.least, self.of_spent * (moment - began)))
        if deadline is not None:
            seconds = min(seconds, (deadline - moment) * self.of_left)
        return moment + seconds


# Before the search, only where options ask for it.
ISOLATION: Final = Budget(least=60.0, of_left=0.5)  # loops and procedures alone
CONTRACTS: Final = Budget(least=ENDLESS, of_left=0.4)
CONTRACTS_ASIDE: Final = Budget(least=ENDLESS, of_left=0.6)  # while a search without contracts runs
IMPLICATIONS: Final = Budget(least=60.0, of_left=0.2)  # comparing assertions
EARLIER_PROOF: Final = Budget(least=5.0, of_left=0.5)  # an earlier run's proof, on a changed program

# The search.
FIRST_PASS: Final = Budget(least=2.0, of_left=0.2)  # all entries up to a small bound, where there are several

# After the search.
REACHABILITY: Final = Budget(least=1.0, of_spent=0.2)  # which of the implied assertions nothing reaches
QUICK_ISOLATION: Final = Budget(least=0.3, of_spent=0.2)  # loops and procedures alone, where no option asks for it
PROOFS: Final = Budget(least=5.0, of_spent=1.0)  # everything that may prove what is bounded
ASKED_PROOFS: Final = Budget(least=40.0, of_spent=1.0)  # the same, where contracts were asked for
SMALLER_PROOFS: Final = Budget(least=1.0, of_spent=0.5, of_left=0.5)  # what proofs need, for later runs
SUMMARIES: Final = Budget(least=1.0, of_spent=0.5, most=10.0, of_left=0.5)  # contracts from proofs, for later runs

# Beside the search, or in place of it.
WITHOUT_MEMORY: Final = Budget(least=10.0, of_left=0.2)
PATIENCE: Final = Budget(least=2.0, of_spent=1.0, most=10.0)  # all other strategies, once the first search has ended
DISPUTE: Final = Budget(least=10.0, of_spent=1.0)  # the flat memory model, where the machine shows no failure
