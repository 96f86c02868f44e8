"""The provers for isolated loops and procedures: Remuda's own engine, Boogie, and CBMC.

Proofs by induction only count if two solvers agree.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final, final

from remuda.analysis.callgraph import call_graph
from remuda.analysis.modifies import modified_globals
from remuda.base import clock
from remuda.base.errors import Unsupported
from remuda.engines.fragment_proof import FragmentLimits, FragmentProof
from remuda.engines.solver_setup import SolverSetup, solver_setups
from remuda.ir.printer import print_program
from remuda.ir.program import Assert
from remuda.transforms.error_bit import ErrorBitResult, InsertErrorBit
from remuda.transforms.extract_loops import ExtractLoops
from remuda.transforms.induct_loops import InductLoops
from remuda.transforms.isolate_loops import IsolateLoops
from remuda.transforms.lone_procedure import HEAD, NUMBER, LoneProcedure
from remuda.vc.interface import interfaces

if TYPE_CHECKING:
    from remuda.analysis.fragments import CallerTree
    from remuda.base.source import Source, Span
    from remuda.frontends.c.isolate.program import Fragment as CFragment
    from remuda.ir.program import Check, Program
    from remuda.isolation.isolate import Prover, Way
    from remuda.options import Options
    from remuda.results.report import Statistics

QUESTIONS: Final = 40  # the most queries about one fragment
REACHING_QUESTIONS: Final = 12  # the most queries about reachability; each shows that one assertion is reached
STATED: Final = frozenset({"assert", "error"})  # kinds of assertions in the C text; Remuda generates the others


def new_prover(
    program: Program,
    options: Options,
    statistics: Statistics,
    facts: Callable[[], Program],
    sources: Sequence[Source],
) -> Callable[[CallerTree, Way, float], Prover]:
    """Makes provers for the fragments of a program; `facts` gives the same program with inferred facts about
    loops."""
    with_facts: list[Program] = []

    def current(way: Way) -> Program:
        if way.with_facts and not with_facts:
            with_facts.append(facts())
        return with_facts[0] if way.with_facts else program

    def own(tree: CallerTree, way: Way, deadline: float) -> Prover:
        return own_prover(tree, current(way), options, statistics, way, deadline)

    def boogie(tree: CallerTree, way: Way, deadline: float) -> Prover:
        from remuda.backends.boogie import boogie_program

        boogie_program()  # raises an error now if it is not installed
        return BoogieProver(*_with_heads(tree, current(way), way), way, deadline)

    def cbmc(tree: CallerTree, way: Way, deadline: float) -> Prover:
        return _cbmc(sources, tree, options, way, deadline)

    return {"remuda": own, "boogie": boogie, "cbmc": cbmc}[options.backend]


def own_prover(
    tree: CallerTree, program: Program, options: Options, statistics: Statistics, way: Way, deadline: float
) -> OwnProver:
    current, heads = _with_heads(tree, program, way)
    code = InsertErrorBit().apply(ExtractLoops().apply(current).program)
    return OwnProver(code, heads, options, statistics, way, deadline)


def _with_heads(tree: CallerTree, program: Program, way: Way) -> tuple[Program, Mapping[str, str]]:
    """The program with a procedure for each fragment, and the names of these procedures."""
    loops = [fragment.loop for fragment in tree.fragments.values() if fragment.loop is not None]
    isolated = IsolateLoops(loops, beside=not way.induction).apply(program)  # copies of the call are cheap
    current = isolated.program
    if way.induction is not None:
        current = InductLoops(way.induction).apply(current).program
    return current, {name: isolated.bodies.get(name, name) for name in tree.fragments}


@final
class OwnProver:
    """Proves assertions in fragments with Remuda's own engine; the fragments are procedures of one program."""

    def __init__(
        self,
        code: ErrorBitResult,
        heads: Mapping[str, str],
        options: Options,
        statistics: Statistics,
        way: Way,
        deadline: float,
    ) -> None:
        self._code = code
        self._heads = heads
        self._options = options
        self._statistics = statistics
        self._way = way
        self._deadline = deadline
        self._faces = interfaces(code.program, summaries=options.summaries)
        self._setups = solver_setups(code.program, options)

    def proved(self, name: str, checks: Sequence[Check]) -> list[Check]:
        head = self._heads[name]
        try:
            proved = self._asked_apart(head, checks)
            if proved and self._way.induction:
                proved = self.asked_of(head, proved, _another(self._setups))
        except Unsupported:  # by a solver
            return []
        return proved

    def _asked_apart(self, head: str, checks: Sequence[Check]) -> list[Check]:
        """The proved assertions: asks about all at once, and if that takes too long, about halves, so that one hard
        assertion does not prevent the proofs of others."""
        proved: list[Check] = []
        work = [list(checks)]
        while work and clock.now() < self._deadline:
            group = work.pop()
            began = clock.now()
            found = self.asked_of(head, group, self._setups[0])
            proved += found
            is_late = clock.now() - began >= self._way.seconds
            if is_late and not found and len(group) > 1:
                work += [group[len(group) // 2 :], group[: len(group) // 2]]
        return proved

    def unreachable(self, entries: Sequence[str], checks: Sequence[Check]) -> list[Check]:
        """The assertions that no execution from the entries reaches, of those that a short search can decide."""
        left = list(checks)
        for entry in entries:
            below = set(self._code.below(entry))
            asked = [check for check in left if check in below]
            try:
                proved = set(self.asked_of(entry, asked, self._setups[0], reaching=True))
            except Unsupported:
                return []
            left = [check for check in left if check not in below or check in proved]
        return left

    def asked_of(
        self, head: str, checks: Sequence[Check], setup: SolverSetup, *, reaching: bool = False
    ) -> list[Check]:
        code = self._code
        below = set(code.below(head))
        wanted = [check for check in checks if check in below]
        if not wanted:
            return []
        inlining = setup.inlining(code, self._faces, self._statistics)
        until = min(self._deadline, clock.now() + self._way.seconds)
        questions = REACHING_QUESTIONS if reaching else QUESTIONS
        effort = FragmentLimits(self._options.bound, self._way.iterations, questions, until)
        proved = FragmentProof(inlining, code, head, effort, reaching=reaching).proved(wanted)
        self._statistics.tree_instances += inlining.tree_size
        return proved


def _another(setups: Sequence[SolverSetup]) -> SolverSetup:
    """Another solver than the one that found the proof, or the same one with another formula."""
    first = setups[0]
    return next((setup for setup in setups if setup.solver != first.solver), replace(setups[-1], joins="ite"))


@final
@dataclass(frozen=True, slots=True)
class BoogieProver:
    """Proves assertions in fragments with Boogie. Assertions that it reports are not asked about again."""

    program: Program
    heads: Mapping[str, str]
    way: Way
    deadline: float

    def proved(self, name: str, checks: Sequence[Check]) -> list[Check]:
        from remuda.backends.boogie import ask_boogie

        head = self.heads[name]
        suspects = [check for check in checks if check in self._below(head)]
        while suspects and (left := min(self.way.seconds, self.deadline - clock.now())) > 0:
            lone = LoneProcedure(head, suspects).apply(self.program).program
            text = print_program(lone, modified_globals(lone))
            answer = ask_boogie(text, procedure=HEAD, seconds=left)
            if answer.message:
                return []
            if not answer.failing:
                return suspects
            lines = text.splitlines()
            failing = {
                suspects[number]
                for line in answer.failing
                for number in range(len(suspects))
                if f"{{:{NUMBER} {number}}}" in lines[line - 1]
            }
            if not failing:
                return []
            suspects = [check for check in suspects if check not in failing]
        return []

    def _below(self, head: str) -> set[Check]:
        reached = call_graph(self.program).reachable([head])
        return {
            statement.check
            for name in reached
            for block in self.program.procedures[name].blocks or ()
            for statement in block.statements
            if isinstance(statement, Assert)
        }


@final
@dataclass(frozen=True, slots=True)
class CbmcProver:
    """Proves assertions in fragments with CBMC, on C text. `ask` gives the places of the assertions that it
    proves."""

    fragments: Mapping[str, CFragment]
    ask: Callable[[CFragment, float], Sequence[Span]]
    way: Way
    deadline: float

    def proved(self, name: str, checks: Sequence[Check]) -> list[Check]:
        fragment = self.fragments.get(name)
        left = min(self.way.seconds, self.deadline - clock.now())
        if fragment is None or fragment.refused or left <= 0:
            return []
        places = {(span.source.name, span.start) for span in self.ask(fragment, left)}
        return [
            check for check in checks if check.kind in STATED and (check.span.source.name, check.span.start) in places
        ]


def _cbmc(sources: Sequence[Source], tree: CallerTree, options: Options, way: Way, deadline: float) -> CbmcProver:
    from remuda.backends.cbmc import ask_cbmc, cbmc_program, proved_assertions
    from remuda.frontends.c.isolate.program import isolate_loops
    from remuda.prepare.load import parse_options

    cbmc_program()  # raises an error now if it is not installed
    source = sources[0]
    isolated = isolate_loops(source, parse_options(options), options.error_label)
    everywhere = [span for each in isolated.fragments if each.move is None for span in isolated.assertions(each)]
    functions = {each.name: each for each in isolated.fragments if each.move is None}
    loops = {(each.span.source.name, each.span.start): each for each in isolated.fragments if each.move is not None}
    found = {
        name: functions.get(fragment.procedure)
        if fragment.loop is None
        else loops.get((fragment.span.source.name, fragment.span.start))
        for name, fragment in tree.fragments.items()
    }

    def ask(fragment: CFragment, seconds: float) -> Sequence[Span]:
        text = isolated.fragment_text(fragment, cut_inner=way.iterations == 0)
        unwind = max(2, way.iterations + 1)
        answer = ask_cbmc(
            text, entry=fragment.harness, source=source, options=options, unwind=unwind, seconds=seconds
        )
        # CBMC reports success for assertions that it does not reach, so only those in the fragment count.
        inside = {span.start for span in isolated.assertions(fragment)}
        return [span for span in proved_assertions(everywhere, answer) if span.start in inside]

    return CbmcProver({name: each for name, each in found.items() if each is not None}, ask, way, deadline)
