"""The globals that a procedure may change or read, itself or through the procedures it calls.

    procedure P() { x := y; call Q(); }      P modifies x, z      P uses x, y, z
    procedure Q(); modifies z;

Sets of globals are bit masks over the program's globals while they are computed: real programs have thousands
of procedures with hundreds of globals each.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from remuda.analysis.callgraph import CallGraph, call_graph
from remuda.ir.program import Assert, Assign, Assume, Call, Havoc

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from remuda.ir.program import Procedure, Program
    from remuda.terms.symbols import Variable
    from remuda.terms.term import Term

GlobalsByProcedure = dict[str, tuple["Variable", ...]]


def modified_globals(program: Program, graph: CallGraph | None = None) -> GlobalsByProcedure:
    """For every procedure the globals it may change, in the program's order.

    Without a body, a procedure changes what it declares. With one, it changes what its statements and its
    callees change: a declaration permits a change but does not make one, and a global that is declared only
    would needlessly become an output of every call.
    """
    bits = _bits(program)
    own = {name: _own_modified(procedure, bits) for name, procedure in program.procedures.items()}
    return _close(program, graph or call_graph(program), own)


def used_globals(program: Program, graph: CallGraph | None = None) -> GlobalsByProcedure:
    """For every procedure the globals it may change or whose value it may depend on, in the program's order.

    Contracts count, of the procedure itself and of its callees: they are assumed or checked where it is
    called, and `old(g)` reads g.
    """
    bits = _bits(program)
    own = {
        name: _own_modified(procedure, bits) | _read(_terms_of(procedure), bits)
        for name, procedure in program.procedures.items()
    }
    return _close(program, graph or call_graph(program), own)


def _bits(program: Program) -> dict[Variable, int]:
    return {variable: 1 << index for index, variable in enumerate(program.globals)}


def _own_modified(procedure: Procedure, bits: Mapping[Variable, int]) -> int:
    if procedure.blocks is None:
        return _mask(procedure.modifies, bits)
    mask = 0
    for block in procedure.blocks:
        for statement in block.statements:
            match statement:
                case Assign(targets=targets) | Havoc(variables=targets) | Call(results=targets):
                    mask |= _mask(targets, bits)
    return mask


def _mask(variables: Iterable[Variable], bits: Mapping[Variable, int]) -> int:
    mask = 0
    for variable in variables:
        mask |= bits.get(variable, 0)
    return mask


def _terms_of(procedure: Procedure) -> Iterator[Term]:
    """The terms whose values matter to an execution."""
    for condition in (*procedure.requires, *procedure.ensures):
        yield condition.term
    for block in procedure.blocks or ():
        for statement in block.statements:
            match statement:
                case Assign(values=terms) | Call(arguments=terms):
                    yield from terms
                case Assume(condition=term) | Assert(condition=term):
                    yield term


def _read(roots: Iterable[Term], bits: Mapping[Variable, int]) -> int:
    """The globals that occur below the roots. One walk for all roots, because they share subterms."""
    mask = 0
    seen: set[Term] = set()
    stack = list(roots)
    while stack:
        term = stack.pop()
        if term in seen:
            continue
        seen.add(term)
        if term.args:
            stack.extend(term.args)
        elif term.op == "var":
            mask |= bits.get(term.payload, 0)
    return mask


def _close(program: Program, graph: CallGraph, own: Mapping[str, int]) -> GlobalsByProcedure:
    """Add to every procedure what its callees have. Callees come first; a cycle's members share one set."""
    total: dict[str, int] = {}
    for component in graph.components:
        mask = 0
        for name in component:
            mask |= own[name]
            for callee in graph.callees[name]:
                mask |= total.get(callee, 0)
        total.update(dict.fromkeys(component, mask))
    return {name: _decode(total[name], program.globals) for name in program.procedures}


def _decode(mask: int, variables: tuple[Variable, ...]) -> tuple[Variable, ...]:
    found: list[Variable] = []
    while mask:
        lowest = mask & -mask
        found.append(variables[lowest.bit_length() - 1])
        mask ^= lowest
    return tuple(found)
