"""Orders globals by their influence on failures: those that lead to assertions, then those that lead to these.

    procedure Release() { if (held == 0) { call error(); } held := 0; }      held comes first
    procedure Start()   { if (mode == FAST) { held := 1; } }                 then mode
    procedure Restore() { held := saved; }                                   then saved

The order is a heuristic for the search for facts about globals.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from remuda.analysis.callgraph import call_graph
from remuda.analysis.failing import may_fail
from remuda.ir.edit import targets_of, terms_of
from remuda.ir.program import Assert, Assign, Assume
from remuda.terms.symbols import VariableKind
from remuda.terms.term import postorder
from remuda.terms.types import MapType

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from remuda.ir.program import Procedure, Program
    from remuda.terms.symbols import Variable
    from remuda.terms.term import Term


def relevant_globals(program: Program, most: int) -> list[Variable]:
    """A limited number of globals that are not maps, near ones first. The program must still have its assertions."""
    conditions = {name: _tested(procedure) for name, procedure in program.procedures.items()}
    writers: dict[Variable, list[str]] = {}
    sources: dict[Variable, Counter[Variable]] = {}
    for name, procedure in program.procedures.items():
        for statement in (each for block in procedure.blocks or () for each in block.statements):
            for target in targets_of(statement):
                writers.setdefault(target, []).append(name)
            if isinstance(statement, Assign):
                for target, value in zip(statement.targets, statement.values, strict=True):
                    if target.kind is VariableKind.GLOBAL and not isinstance(target.type, MapType):
                        sources.setdefault(target, Counter()).update(_globals_in([value]))
    calls = call_graph(program)
    level = [name for name in may_fail(program) if _asserts(program.procedures[name])]
    seen = set(level)
    found: dict[Variable, None] = {}
    news: list[Variable] = []
    while (level or news) and len(found) < most:
        tested = _in_order(conditions[name] for name in level)
        copied = _in_order(sources[variable] for variable in news if variable in sources)
        news = [each for each in dict.fromkeys((*tested, *copied)) if each not in found]
        found.update(dict.fromkeys(news))
        written = [name for variable in news for name in writers.get(variable, ())]
        around = [name for at in level for name in (*calls.callers[at], *calls.callees[at])]  # no condition here
        level = [name for name in dict.fromkeys(written or around) if name not in seen]
        seen.update(level)
    return list(found)[:most]


def _asserts(procedure: Procedure) -> bool:
    return any(isinstance(each, Assert) for block in procedure.blocks or () for each in block.statements)


def _tested(procedure: Procedure) -> Counter[Variable]:
    """The globals in conditions of a procedure, with their number of occurrences."""
    found: Counter[Variable] = Counter()
    for block in procedure.blocks or ():
        for statement in block.statements:
            if isinstance(statement, Assume | Assert):
                found.update(_globals_in(terms_of(statement)))
    return found


def _globals_in(terms: Iterable[Term]) -> Iterator[Variable]:
    for term in postorder(terms):
        if term.op == "var" and term.payload.kind is VariableKind.GLOBAL and not isinstance(term.type, MapType):
            yield term.payload


def _in_order(counters: Iterable[Counter[Variable]]) -> list[Variable]:
    total: Counter[Variable] = Counter()
    for counter in counters:
        total.update(counter)
    return [variable for variable, _ in total.most_common()]
