"""What is known of a program before any search: cheap to compute, and all that the choice of strategies rests on.

procedure main() { call P(); call P(); }   procedure P() { call Q(); call Q(); }   procedure Q() { assert g > 0; }

depth 2 (calls from the entry to the assertion), paths 4 (call paths that lead there)
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Final, final

from remuda.analysis.arithmetic import is_mostly_linear
from remuda.analysis.bit_programs import is_bit_program
from remuda.analysis.callgraph import CallGraph, call_graph, calls_of
from remuda.analysis.loops import find_loops
from remuda.analysis.used_terms import used_terms
from remuda.ir.program import Assert
from remuda.ir.threads import starts_threads
from remuda.terms.types import BvType, DataType, FloatType, IntType, MapType, RealType

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from remuda.ir.program import Block, Program
    from remuda.terms.types import Type

MOST_PATHS: Final = 10**12  # more call paths than that are not told apart
QUANTIFIERS: Final = frozenset({"forall", "exists"})
SORTS: Final[dict[type, str]] = {
    BvType: "bit-vectors",
    FloatType: "floats",
    IntType: "integers",
    RealType: "reals",
    MapType: "maps",
    DataType: "datatypes",
}


@final
@dataclass(frozen=True, kw_only=True, slots=True)
class Facts:
    """Features of a program, never its name. Counts are of procedures that executions may reach."""

    statements: int
    procedures: int  # with a body
    entries: int
    assertions: int
    contracts: int  # preconditions, postconditions and invariants that the program states
    sorts: tuple[str, ...]  # of values, as in `SORTS`, and "quantifiers"
    is_bits: bool  # every value is one that Bitwuzla has
    is_linear: bool  # products of variables are rare
    has_threads: bool
    globals: int
    maps: int  # globals that are maps: the memory of a C program
    recursive: int  # procedures that may call themselves
    loops: int
    nesting: int  # loops inside each other, at most
    depth: int  # calls between an entry and an assertion, at most
    paths: int  # call paths from entries to procedures with assertions; `MOST_PATHS` stands for all that are more

    @property
    def ways(self) -> str:
        """The number of call paths in words."""
        return _text(self.paths)

    def lines(self) -> list[tuple[str, str]]:
        """Names and values for people."""
        return [(field.name.replace("_", " "), _text(getattr(self, field.name))) for field in fields(self)]


def facts_of(program: Program) -> Facts:
    """The facts about a program whose entries are chosen."""
    calls = call_graph(program)
    reached = {name: program.procedures[name] for name in calls.reachable()}
    bodies = {name: procedure for name, procedure in reached.items() if procedure.blocks is not None}
    statements = [each for body in bodies.values() for block in body.blocks or () for each in block.statements]
    loops = [loop for body in bodies.values() for loop in find_loops(body).loops]
    asserting = [name for name, body in bodies.items() if _asserts(body.blocks or ())]
    invariants = sum(isinstance(each, Assert) and each.check.kind == "invariant" for each in statements)
    distances, paths = _ways(program, calls)
    terms = list(used_terms(program))
    types = dict.fromkeys(term.type for term in terms)
    has_quantifiers = any(term.op in QUANTIFIERS for term in terms)
    return Facts(
        statements=len(statements),
        procedures=len(bodies),
        entries=len(program.entries),
        assertions=sum(isinstance(each, Assert) for each in statements),
        contracts=sum(len(each.requires) + len(each.ensures) for each in reached.values()) + invariants,
        sorts=_sorts(types, has_quantifiers=has_quantifiers),
        is_bits=is_bit_program(program),
        is_linear=is_mostly_linear(program),
        has_threads=starts_threads(program),
        globals=len(program.globals),
        maps=sum(isinstance(each.type, MapType) for each in program.globals),
        recursive=len(calls.recursive() & bodies.keys()),
        loops=len(loops),
        nesting=max((loop.depth for loop in loops), default=0),
        depth=max((distances[name] for name in asserting), default=0),
        paths=min(MOST_PATHS, sum(paths[name] for name in asserting)),
    )


def _ways(program: Program, calls: CallGraph) -> tuple[dict[str, int], dict[str, int]]:
    """How many calls lead to each procedure from an entry, at most, and along how many call paths. Recursion counts as
    one call."""
    component_of = {name: component for component in calls.components for name in component}
    distances = dict.fromkeys(program.procedures, 0)
    paths = dict.fromkeys(program.procedures, 0)
    for entry in program.entries:
        paths[entry] += 1
    for component in reversed(calls.components):  # callers first
        together = min(MOST_PATHS, sum(paths[name] for name in component))
        furthest = max(distances[name] for name in component)
        for name in component:
            paths[name], distances[name] = together, furthest
        sites = Counter(call.procedure for name in component for call in calls_of(program.procedures[name]))
        for callee, count in sites.items():
            if component_of[callee] is not component and together:
                paths[callee] = min(MOST_PATHS, paths[callee] + together * count)
                distances[callee] = max(distances[callee], furthest + 1)
    return distances, paths


def _asserts(blocks: Sequence[Block]) -> bool:
    return any(isinstance(statement, Assert) for block in blocks for statement in block.statements)


def _sorts(types: Iterable[Type], *, has_quantifiers: bool) -> tuple[str, ...]:
    present = {type(each) for each in types}
    named = [name for kind, name in SORTS.items() if kind in present]
    return (*named, "quantifiers") if has_quantifiers else tuple(named)


def _text(value: object) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, tuple):
        return ", ".join(value) or "none"
    return f"at least {MOST_PATHS}" if value == MOST_PATHS else str(value)
