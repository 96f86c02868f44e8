"""Which strategies verify a program: the one place where the default is chosen.

The first search runs at once, in any case: it is what `--engine auto` stands for. It ends with an attempt to prove what it
has searched up to the bound: loops alone, contracts, Horn clauses. When it has not ended after a moment, or comes to its
bound, the runners of `auto` join it, in this order, on the processors that are left.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Final, final

from remuda.options import Options
from remuda.portfolio.job import Job
from remuda.portfolio.shared import NOTHING, Shared
from remuda.prepare.load import NO_MEMORY

if TYPE_CHECKING:
    from remuda.portfolio.facts import Facts

FIRST: Final = "search"  # the name of the first search
DEEPER: Final = "deeper"
RANDOM: Final = "random executions"
DEEP: Final = 8  # calls between an entry and an assertion from which on lifting is likely to pay
BRANCHING: Final = 1000  # call paths to assertions, likewise
MANY_GLOBALS: Final = 20
LARGE: Final = 600  # statements
DEEPEST: Final = 64  # the last bound
DEEPER_EFFORT: Final = 1000.0  # of the solver, on the way there: about milliseconds
HEAD_START: Final = 0.6  # seconds of the first search before other strategies begin, in other processes
SLACK: Final = 0.1  # seconds by which a turn may be shorter
SMALL: Final = 300  # statements and blocks: proofs follow a search in the same process, before others begin

# Options that choose a strategy, or how one works: with one of them, it runs alone.
CHOICES: Final = (
    *("engine", "merge", "disjoint", "inline", "search", "alternate", "solver", "joins", "summaries", "unroll"),
    *("abstract", "state", "houdini", "candidates", "print_invariants", "isolate", "backend", "modular", "lift"),
    *("implications", "at_a_time", "summaries_dir", "reachability"),
)
# Searches besides the first one look for violations; to prove is a matter of other strategies.
ONLY_SEARCH: Final = {"houdini": False, "isolate": False}
DEEPER_SEARCH: Final = {"bound": DEEPEST, **ONLY_SEARCH}


@final
@dataclass(frozen=True, slots=True)
class Runner:
    """A strategy: which options differ from the user's (`edits`), and which of the solvers that suit the program it uses.
    `why` says why it suits the program.
    With `is_last`, it begins when the first search has come to its bound. `executes`: it runs executions, and does not search."""

    strategy: str
    why: str
    edits: Mapping[str, Any] = field(default_factory=dict)
    choice: int | None = None
    effort: float | None = None
    is_last: bool = False
    executes: bool = False

    def job(self, options: Options, assertions: frozenset[str], shared: Shared = NOTHING) -> Job:
        """What to do about assertions that are still open; `shared` is known by then."""
        edited = replace(options, challenge=0.0, jobs=1, **self.edits)
        return Job(
            edited,
            self.strategy,
            assertions,
            self.choice,
            self.effort,
            shared=shared,
            executes=self.executes,
        )


def is_open(options: Options) -> bool:
    """Whether no option chooses a strategy, so that all of them may run. The end of an entry is reached by searches only."""
    default = Options()
    return options.property != "reach-end" and all(
        getattr(options, name) == getattr(default, name) for name in CHOICES
    )


def auto(
    facts: Facts, options: Options, *, may_forget_memory: bool = False, has_searched: bool = False
) -> tuple[Runner, ...]:
    """The strategies that join the first search, in the order in which they begin. `has_searched`: it has come to its bound,
    and is about to prove what it can."""
    is_deep = facts.depth >= DEEP or facts.paths >= BRANCHING
    is_sequential = not facts.has_threads
    is_heavy = facts.globals >= MANY_GLOBALS or (facts.maps > 0 and facts.statements >= LARGE)
    has_cycles = facts.loops + facts.recursive > 0
    is_default_bound = options.bound == Options().bound and not options.bound_for and options.stack_depth is None
    goes_deeper = has_cycles and is_default_bound
    has_contracts = facts.contracts > 0 and options.on_failure == "stop"
    may_prove = is_sequential and not has_searched  # else the first search tries the same now
    lifted = Runner(
        "lifted",
        f"assertions are up to {facts.depth} calls deep, on {facts.ways} call paths",
        edits={"lift": True, **ONLY_SEARCH},
    )
    deeper = Runner(
        DEEPER,
        f"no bound was asked for, so {options.bound} is a beginning",
        edits=DEEPER_SEARCH,
        effort=DEEPER_EFFORT,
        is_last=True,
    )
    without_memory = Runner("without memory", "the program is large and has memory", {"memory_model": NO_MEMORY})
    modular = Runner("modular", "the program states contracts or invariants", {"modular": True})
    abstract = Runner("abstract", "many globals, or much memory", edits={"abstract": True, **ONLY_SEARCH})
    second = Runner("second solver", "nothing tells beforehand which solver is faster", edits=ONLY_SEARCH, choice=1)
    executions = Runner(RANDOM, "a single execution may come far beyond the bound", executes=True)
    isolation = Runner("isolation", "the program has loops or recursion", edits={"engine": "isolation"})
    contracts = Runner("contracts", "a search with contracts may prove more", edits={"houdini": True})
    horn = Runner("horn", "Horn clauses may have a solution", edits={"engine": "horn"})
    strategies = (
        (may_forget_memory, without_memory),
        (is_sequential and has_contracts, modular),
        (is_deep, lifted),
        (is_sequential and goes_deeper, executions),
        (has_searched and goes_deeper, deeper),
        (is_sequential and is_heavy, abstract),
        (not has_searched, second),
        (is_sequential and has_cycles, isolation),  # the first search tries only what is quick
        (is_sequential and not is_deep and facts.depth > 0, lifted),
        (may_prove and has_cycles, contracts),
        (may_prove and has_cycles, horn),
        (not has_searched and goes_deeper, deeper),
    )
    return tuple(runner for suits, runner in strategies if suits)
