"""Infers contracts of procedures and invariants of loops before the search, which assumes them.

Small programs are processed as a whole, because preconditions, invariants and postconditions depend on each other.
Large programs are processed procedure by procedure, callees first, with postconditions on the globals that failures
depend on. If the time runs out, the contracts found so far are used.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import islice
from typing import TYPE_CHECKING, Final, final

from remuda.analysis.callgraph import call_graph
from remuda.analysis.relevance import relevant_globals
from remuda.base import clock
from remuda.base.reasons import CANCELLED
from remuda.contracts.stated_candidates import stated_candidates
from remuda.engines.bounded_violations import without_violated
from remuda.engines.bounds import Bounds
from remuda.engines.contract_candidates import InferenceLimits, has_quantifier, infer_contracts, without_implied
from remuda.engines.horn import contracts_of, horn_clauses
from remuda.engines.horn_integers import IntegerClauses, has_bits
from remuda.engines.inlining import Inlining
from remuda.engines.sampling import Sampling
from remuda.engines.solver_setup import SolverSetup, solver_setups
from remuda.engines.templates import Templates
from remuda.ir.edit import size
from remuda.jobs.pool import Job, Pool
from remuda.jobs.processes import processors
from remuda.jobs.worker import Worker, wait
from remuda.prepare.read import read_source
from remuda.results.report import Statistics
from remuda.smt.spacer import solve_horn
from remuda.terms.symbols import Variable, VariableKind
from remuda.terms.term import postorder, variables_of
from remuda.terms.types import BOOL
from remuda.transforms.add_contracts import AddContracts, Candidate, Contract
from remuda.vc.interface import interfaces

if TYPE_CHECKING:
    from remuda.ir.program import Check, Program
    from remuda.options import Options
    from remuda.prepare.pipeline import Prepared
    from remuda.smt.solver import Solver
    from remuda.terms.symbols import Function
    from remuda.terms.term import Term

QUESTION_SECONDS: Final = 5.0
QUICK_SECONDS: Final = 1.0  # of a query about a procedure of a large program
SMALL: Final = 1500  # the most candidates of a program that is processed as a whole
HORN_SIZE: Final = 3000  # the most statements and blocks of a program for which Horn clauses are tried
HORN_SECONDS: Final = 60.0
SAMPLING_SECONDS: Final = 0.2
MORE_SAMPLING_SECONDS: Final = 1.0  # in a large program
WORTH_FORKING: Final = 100  # candidates
MOST_JOBS: Final = 4  # unless --jobs is given
ONCE: Final = Bounds(1)
ONCE_SECONDS: Final = 0.1  # for refuting candidates by short executions of a whole program
RELEVANT: Final = 6  # the number of globals in postconditions of large programs
ORDERS: Final = frozenset({"lt", "le", "bvslt", "bvsle", "bvult", "bvule"})


@final
@dataclass(slots=True)
class Found:
    """The number of candidates, and those that hold, without those that follow from others. A search only assumes the
    `telling` ones; the others are needed to prove these."""

    count: int
    contracts: list[Contract]
    telling: list[Contract] = field(init=False)

    def __post_init__(self) -> None:
        self.telling = self.contracts


def infer(prepared: Prepared, options: Options, deadline: float | None) -> Found:
    """The candidates that the program suggests and that hold."""
    return _Inference(prepared, options, deadline).found()


@final
class Aside:
    """The same inference in another process, while this one continues."""

    def __init__(self, prepared: Prepared, options: Options, deadline: float | None) -> None:
        """Start the inference with `options.jobs` processes, including this one."""
        self._inference = _Inference(prepared, replace(options, jobs=jobs_of(options) - 1), deadline)
        self._suggested = self._inference.suggested  # before the fork, so numbers mean the same in both processes
        self._worker = Worker(self._inference.numbers, ())

    def found(self) -> Found:
        """Wait for the result."""
        numbers = wait(self._worker).result or ()
        return self._inference.found_of([self._suggested[number] for number in numbers])

    def close(self) -> None:
        """End the other process."""
        self._worker.kill(CANCELLED)


def jobs_of(options: Options) -> int:
    """How many processes look for contracts."""
    return options.jobs or min(MOST_JOBS, processors())


def solve(
    prepared: Prepared, options: Options, deadline: float | None, checks: Collection[Check] | None = None
) -> Found:
    """The contracts that hold, of a solution of the program's Horn clauses, in which only these assertions can
    fail."""
    targets = prepared.instrumented.targets
    return _Inference(prepared, options, deadline).solved(targets.keys() if checks is None else checks)


def holding(
    prepared: Prepared, options: Options, deadline: float | None, contracts: Sequence[Contract]
) -> list[Contract]:
    """The contracts that hold together: bodies with the contracts of their callees imply them."""
    return _Inference(prepared, options, deadline).holding(prepared.instrumented.program, contracts)


def with_contracts(prepared: Prepared, contracts: Sequence[Contract]) -> Prepared:
    """The same program, in which contracts that hold are assumed."""
    added = AddContracts(contracts).apply(prepared.instrumented.program)
    instrumented = replace(prepared.instrumented, program=added.program)
    return replace(prepared, instrumented=instrumented, claims=prepared.claims.after(AddContracts.name, added.trust))


def _levels(program: Program) -> list[list[tuple[str, ...]]]:
    """The groups of mutually recursive procedures, by level, callees first. Groups of one level are independent."""
    calls = call_graph(program)
    level_of: dict[str, int] = {}
    levels: list[list[tuple[str, ...]]] = []
    for group in calls.components:
        callees = (level_of[callee] for name in group for callee in calls.callees[name] if callee in level_of)
        level = max(callees, default=-1) + 1
        level_of.update(dict.fromkeys(group, level))
        if level == len(levels):
            levels.append([])
        levels[level].append(tuple(group))
    return levels


@final
class _Inference:
    def __init__(self, prepared: Prepared, options: Options, deadline: float | None) -> None:
        self._code = prepared.instrumented
        self._searched = prepared.searched
        self._program = self._code.program
        self._faces = interfaces(self._program, summaries="modset")
        file = read_source(options.candidates) if options.candidates else None
        self._stated = stated_candidates(self._code, self._faces, prepared.base, file)
        self._templates = Templates(self._code)
        self._setup = self._setup_for(options)
        self._sampling: Sampling | None = None
        self._jobs = jobs_of(options)
        self._effort = InferenceLimits(QUESTION_SECONDS, float("inf") if deadline is None else deadline, clock.now)

    def _setup_for(self, options: Options) -> SolverSetup:
        """The first solver of a search; one that supports quantifiers if candidates contain some."""
        setups = solver_setups(self._program, options)
        said = [part for each in self._stated for part in (each.requires, each.ensures) if part is not None]
        has_quantifiers = has_quantifier(*said)
        return next((setup for setup in setups if setup.solver != "bitwuzla" or not has_quantifiers), setups[0])

    def found(self) -> Found:
        return self._as_a_whole() if self._is_small else self._callees_first()

    def numbers(self, _: object) -> list[int]:
        """The numbers of the contracts that hold, which can be sent between processes."""
        positions = {contract: position for position, contract in enumerate(self.suggested)}
        return [positions[contract] for contract in self.found().contracts]

    def found_of(self, contracts: list[Contract]) -> Found:
        found = Found(len(self.suggested), contracts)
        if not self._is_small:
            found.telling = self._telling(contracts)
        return found

    @cached_property
    def _is_small(self) -> bool:
        return len(list(islice(self._all(), SMALL + 1))) <= SMALL

    @cached_property
    def suggested(self) -> list[Contract]:
        """All candidates."""
        return [*(self._all() if self._is_small else self._summaries()), *self._stated]

    def _as_a_whole(self) -> Found:
        possible = self._possible(self.suggested, self._program.entries)
        for entry in self._program.entries:
            possible = without_violated(self._inlining(), entry, ONCE, possible, self._effort.within(ONCE_SECONDS))
        return self.found_of(self.holding(self._program, possible))

    def _all(self) -> Iterator[Contract]:
        for name, procedure in self._program.procedures.items():
            if procedure.blocks is not None:
                yield from self._templates.propose(procedure, self._faces[name])

    def _summaries(self) -> Iterator[Contract]:
        relevant = relevant_globals(self._searched, RELEVANT)
        for name, procedure in self._program.procedures.items():
            if procedure.blocks is not None:
                yield from self._templates.summaries(procedure, self._faces[name], relevant)

    def _callees_first(self) -> Found:
        self._effort = replace(self._effort, seconds=QUICK_SECONDS)
        found = self.holding(self._program, self._stated)
        program = AddContracts(found).apply(self._program).program
        possible: dict[str, list[Contract]] = {
            name: [] for name, procedure in program.procedures.items() if procedure.blocks is not None
        }
        for contract in self._possible(self.suggested[: -len(self._stated) or None], list(possible)):
            possible[contract.procedure].append(contract)
        for level in _levels(program):
            groups = [[contract for name in group for contract in possible.get(name, ())] for group in level]
            if self._effort.left() > 0:
                new = self._holding_apart(program, [group for group in groups if group])
                found += new
                program = AddContracts(new).apply(program).program
        return self.found_of(found)

    def _telling(self, contracts: Sequence[Contract]) -> list[Contract]:
        """The contracts that a search assumes: those of recursive procedures, which bounds may cut, and those on the
        globals next to failures or on which these depend. Others would only enlarge the formula."""
        relevant = relevant_globals(self._searched, RELEVANT)
        near = {*relevant[:1], *self._code.failed.values()}
        recursive = call_graph(self._program).recursive()

        def is_telling(contract: Contract) -> bool:
            if contract.procedure in recursive or contract.ensures is None:
                return True
            about = set(variables_of([contract.ensures]))
            return not about.isdisjoint(near) or (not about.isdisjoint(relevant) and not _compares(contract.ensures))

        return [each for each in contracts if is_telling(each)]

    def _holding_apart(self, program: Program, groups: Sequence[Sequence[Contract]]) -> list[Contract]:
        """The contracts that hold, of independent groups, which are processed in parallel."""
        if self._jobs == 1 or sum(map(len, groups)) < WORTH_FORKING:
            return [contract for group in groups for contract in self.holding(program, group)]
        batches: list[list[Sequence[Contract]]] = [[] for _ in range(self._jobs)]
        for group in sorted(groups, key=len, reverse=True):
            min(batches, key=lambda batch: sum(map(len, batch))).append(group)
        found: list[Contract] = []
        with Pool[int, list[tuple[int, int]]](self._jobs) as pool:
            for number, batch in enumerate(batches):
                pool.submit(Job(number, self._numbers_of_holding, (program, batch)))
            for number, outcome in pool.results():
                found += [batches[number][group][contract] for group, contract in outcome.result or ()]
        return found

    def _numbers_of_holding(
        self, _: object, program: Program, groups: Sequence[Sequence[Contract]]
    ) -> list[tuple[int, int]]:
        """The contracts that hold, as numbers of groups and of contracts in them, which can be sent between
        processes."""
        found = []
        for number, group in enumerate(groups):
            positions = {contract: position for position, contract in enumerate(group)}
            found += [(number, positions[contract]) for contract in self.holding(program, group)]
        return found

    def solved(self, checks: Collection[Check]) -> Found:
        bodies = [name for name, each in self._program.procedures.items() if each.blocks is not None]
        if size(self._program) > HORN_SIZE:
            return Found(0, [])
        clauses = horn_clauses(self._code, self._faces, bodies, checks)
        predicates = (*clauses.starts.values(), *clauses.ends.values(), *clauses.invariants.values())
        seconds = min(HORN_SECONDS, (self._effort.deadline - clock.now()) / 2)
        contracts = [
            contract
            for solution in self._solutions(clauses.rules, predicates, seconds)
            for contract in contracts_of(self._code, self._faces, clauses, solution)
        ]
        return Found(len(contracts), self.holding(self._program, contracts))

    def _solutions(
        self, rules: Sequence[Term], predicates: Sequence[Function], seconds: float
    ) -> Iterator[Mapping[Function, Term]]:
        terms = self._program.terms
        datatypes = [(each.type, each.constructors) for each in self._program.datatypes]
        if not has_bits(rules):
            solution = solve_horn(terms, rules, predicates, seconds, datatypes)
            if solution is not None:
                yield solution
            return
        for natural in (False, True):
            integers = IntegerClauses(terms, rules, predicates, natural=natural)
            solution = solve_horn(terms, integers.rules, tuple(integers.predicates.values()), seconds / 2, datatypes)
            if solution is not None:
                yield from integers.taken_back(solution)

    def _possible(self, contracts: Sequence[Contract], starts: Sequence[str]) -> list[Contract]:
        """The contracts that sampled executions do not refute; these executions begin in any state, in `starts`."""
        if self._sampling is None:
            self._sampling = Sampling(self._code)
        seconds = SAMPLING_SECONDS if self._is_small else MORE_SAMPLING_SECONDS
        share = (self._effort.deadline - clock.now()) / 10
        return self._sampling.without_contradicted(contracts, starts, min(seconds, share))

    def holding(self, program: Program, contracts: Iterable[Contract]) -> list[Contract]:
        """The greatest set of contracts that hold together, without those that follow from others."""
        candidates = [
            Candidate(Variable(f"candidate${number}", BOOL, VariableKind.CONSTANT), contract)
            for number, contract in enumerate(contracts)
        ]
        inferred = infer_contracts(
            program, self._faces, candidates, self._new_solver, self._setup.joins, self._effort
        )
        kept = frozenset(inferred.kept)
        holding = [each.contract for each in candidates if each.guard in kept]
        return without_implied(program.terms, holding, self._new_solver, self._effort)

    def _inlining(self) -> Inlining:
        return Inlining(self._program, self._faces, self._new_solver(), Statistics(), joins=self._setup.joins)

    def _new_solver(self) -> Solver:
        solver = self._setup.for_code(self._code)
        solver.add(solver.not_(solver.translate(self._program.terms.var(self._code.reach))))
        return solver


def _compares(condition: Term) -> bool:
    """Whether a condition contains an inequality such as `<=`, and not only equalities."""
    return any(term.op in ORDERS for term in postorder([condition]))
