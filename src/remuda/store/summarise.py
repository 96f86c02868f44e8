"""Makes summaries of the procedures that a proof has inlined, as contracts that hold.

Interpolants are guesses (`engines.summaries`, `smt.interpolation`). Each is a candidate contract, and is checked like
all contracts: the body of the procedure, with the contracts of its callees, must imply it. So a summary holds for
every execution, beyond the bound too, and may be used for other assertions.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final, final

from remuda.base import clock
from remuda.base.errors import Unsupported
from remuda.contracts.inference import holding
from remuda.engines.bounds import bounds_of
from remuda.engines.horn_integers import IntegerClauses, has_bits
from remuda.engines.outcome import Confirmation, Outcome
from remuda.engines.solver_setup import solver_setups
from remuda.engines.stratified import StratifiedSearch
from remuda.engines.summaries import size_of, summary_contracts, summary_rules
from remuda.ir.edit import size
from remuda.prepare.claims import is_final
from remuda.results.report import Statistics
from remuda.smt.interpolation import interpolants
from remuda.vc.interface import interfaces

if TYPE_CHECKING:
    from collections.abc import Mapping

    from remuda.engines.outcome import Ground
    from remuda.engines.summaries import SummaryRules
    from remuda.ir.program import Check, Program
    from remuda.options import Options
    from remuda.prepare.pipeline import Prepared
    from remuda.terms.symbols import Function
    from remuda.terms.term import Term
    from remuda.transforms.add_contracts import Contract

QUERY_SECONDS: Final = 5.0  # of one proof
GUESSING: Final = 0.7  # the share of the time for making guesses; the rest is for checking them
MOST_STATEMENTS: Final = 1500  # statements and blocks of the procedures that a proof has inlined


@final
@dataclass(frozen=True, slots=True)
class Summaries:
    """Contracts that hold, the number of candidates, and the size: the nodes of the terms, shared ones counted
    once."""

    contracts: tuple[Contract, ...]
    candidates: int
    size: int


@final
@dataclass(frozen=True, slots=True, eq=False)
class SearchProof:
    """A proof that assertions cannot fail from an entry, with these procedures inlined."""

    entry: str
    inlined: tuple[str, ...]
    checks: tuple[Check, ...]


def summarise(
    prepared: Prepared, options: Options, checks: Sequence[Check], deadline: float, *, apart: bool = False
) -> Summaries:
    """Summaries that suffice to prove the provable assertions: made for all of them together, or `apart` for each and
    then combined."""
    groups = [[check] for check in checks] if apart else [checks]
    proofs = [proof for group in groups for proof in prove(prepared, options, group, deadline)]
    return summarise_proofs(prepared, options, proofs, deadline)


def summarise_proofs(
    prepared: Prepared, options: Options, proofs: Sequence[SearchProof], deadline: float
) -> Summaries:
    """Summaries that suffice for proofs that have been found."""
    code = prepared.instrumented
    faces = interfaces(code.program, summaries="modset")
    candidates: list[Contract] = []
    last_guess = clock.now() + GUESSING * (deadline - clock.now())
    for proof in proofs:
        seconds = min(QUERY_SECONDS, last_guess - clock.now())
        if seconds <= 0 or _size(code.program, proof.inlined) > MOST_STATEMENTS:
            continue
        rules = summary_rules(code, faces, proof.entry, proof.inlined, proof.checks)
        for solution in _solutions(code.program, rules, seconds):
            candidates += summary_contracts(code, faces, rules, solution, proof.checks)
    unique = {(each.procedure, each.ensures): each for each in candidates}
    kept = holding(prepared, options, deadline, list(unique.values())) if unique else []
    return Summaries(tuple(kept), len(unique), size_of(code, kept))


def proofs_of(outcomes: Sequence[Outcome]) -> list[SearchProof]:
    """The proofs of outcomes; assertions with the same proof share one."""
    together: dict[tuple[str, tuple[str, ...]], dict[Check, None]] = {}
    for outcome in outcomes:
        if outcome.ground is not None and is_final(outcome):
            together.setdefault((outcome.ground.entry, outcome.ground.inlined), {})[outcome.check] = None
    return [SearchProof(entry, inlined, tuple(checks)) for (entry, inlined), checks in together.items()]


def prove(prepared: Prepared, options: Options, checks: Sequence[Check], deadline: float) -> list[SearchProof]:
    """A proof for each entry, of the assertions that a search proves."""
    code = prepared.instrumented
    faces = interfaces(code.program, summaries=options.summaries)
    setup = solver_setups(code.program, options)[0]
    found: list[SearchProof] = []
    for entry in prepared.base.entries:
        inlining = setup.inlining(code, faces, Statistics())
        outcomes: list[Outcome] = []
        search = StratifiedSearch(
            inlining,
            code,
            entry,
            bounds_of(code.program, options, {}),
            confirm=lambda _: Confirmation("only proofs are looked for"),
            announce=outcomes.append,
            deadline=deadline,
            ask_reachability=False,
        )
        try:
            search.start(checks)
            search.advance()
        except Unsupported:
            continue
        grounds: list[Ground] = [each.ground for each in outcomes if each.ground is not None]
        proved = tuple(each.check for each in outcomes if each.ground is not None and is_final(each))
        if proved:
            found.append(SearchProof(entry, grounds[-1].inlined, proved))
    return found


def _solutions(program: Program, rules: SummaryRules, seconds: float) -> Iterator[Mapping[Function, Term]]:
    """The solutions that Spacer finds for the rules over bit-vectors, and for the same rules over integers."""
    terms = program.terms
    datatypes = [(each.type, each.constructors) for each in program.datatypes]
    predicates = tuple(rules.predicates.values())
    if not predicates:
        return
    if not has_bits(rules.rules):
        solution = interpolants(terms, rules.rules, predicates, rules.error, seconds, datatypes)
        if solution is not None:
            yield solution
        return
    solution = interpolants(terms, rules.rules, predicates, rules.error, seconds / 2, datatypes)
    if solution is not None:
        yield solution
        return
    integers = IntegerClauses(terms, rules.rules, (*predicates, rules.error), natural=False)
    others = [integers.predicates[each] for each in predicates]
    guess = interpolants(terms, integers.rules, others, integers.predicates[rules.error], seconds / 2, datatypes)
    if guess is not None:
        yield from integers.taken_back(guess)


def _size(program: Program, names: Sequence[str]) -> int:
    return size(replace(program, procedures={name: program.procedures[name] for name in names}))
