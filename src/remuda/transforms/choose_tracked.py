"""Leave open which globals are tracked: parameterized variable abstraction (CORRAL, Fig. 5).

before:  m := m[0 := x];                                       assume m[i] > g;
after:   havoc v; m := m[0 := if x$tracked then x else v];     havoc v, w;
                                assume (if m$tracked && i$tracked then m[i] else v) > (if g$tracked then g else w);

For every global there is a Boolean constant. With the constants of some globals true and all others false, the program
does what `forget_variables` makes of it for these globals: it may only do more, the fewer are tracked.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, final

from remuda.ir.edit import plain_attributes, targets_of, terms_of, with_terms
from remuda.ir.program import Assign, Block, Havoc, Procedure, Program, Statement
from remuda.terms.symbols import Variable, VariableKind
from remuda.terms.term import postorder
from remuda.terms.types import BOOL, MapType
from remuda.transforms.forget_variables import BINDERS, peel_stores

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from remuda.terms.term import Term


@final
@dataclass(frozen=True, slots=True)
class ChosenTracking:
    """The program, and for each global that may be tracked or not the constant that decides it."""

    program: Program
    tracked: Mapping[Variable, Variable]


def choose_tracked(program: Program, open_: Iterable[Variable]) -> ChosenTracking:
    """A program without calls in which the globals in `open_` are tracked or not; all others are."""
    tracked = {each: Variable(f"{each.name}$tracked", BOOL, VariableKind.CONSTANT) for each in open_}
    procedures = {
        name: procedure if procedure.blocks is None else _Body(program, tracked).rewrite(procedure)
        for name, procedure in program.procedures.items()
    }
    chosen = replace(program, procedures=procedures, constants=(*program.constants, *tracked.values()))
    return ChosenTracking(chosen, tracked)


@final
class _Body:
    def __init__(self, program: Program, tracked: Mapping[Variable, Variable]) -> None:
        self._terms = program.terms
        self._tracked = tracked
        self._added: list[Variable] = []
        self._fresh: list[Variable] = []  # of the current statement

    def rewrite(self, procedure: Procedure) -> Procedure:
        blocks = tuple(self._block(block) for block in procedure.blocks or ())
        return replace(procedure, blocks=blocks, locals=(*procedure.locals, *self._added))

    def _block(self, block: Block) -> Block:
        statements: list[Statement] = []
        for statement in block.statements:
            self._fresh = []
            targets = targets_of(statement) if isinstance(statement, Assign) else (None,) * len(terms_of(statement))
            terms = tuple(map(self._open, terms_of(statement), targets))
            if self._fresh:
                statements.append(Havoc(tuple(self._fresh), statement.span))
                statements.append(with_terms(replace(statement, attributes=plain_attributes(statement)), terms))
            else:
                statements.append(statement)
        return replace(block, statements=tuple(statements))

    def _open(self, root: Term, target: Variable | None = None) -> Term:
        """The term, with any value in place of every read that depends on an untracked global."""
        if any(term.op in BINDERS and self._condition(term) is not None for term in postorder([root])):
            return self._any_unless_tracked(root)
        if isinstance(root.type, MapType):
            return self._map(root, target)
        return self._terms.rewrite([root], self._replacement)[0]

    def _map(self, root: Term, target: Variable | None) -> Term:
        base, stored = peel_stores(root)
        is_own = base.op == "var" and base.payload is target  # if that is not tracked, nothing reads it
        made = base if is_own else self._any_unless_tracked(base)
        for parts in stored:
            *indices, value = (self._open(part) for part in parts)
            made = self._terms.store(made, tuple(indices), value)
        return made

    def _replacement(self, term: Term) -> Term | None:
        reads = term.op == "var" or any(isinstance(argument.type, MapType) for argument in term.args)
        if not reads or isinstance(term.type, MapType):
            return None
        return self._any_unless_tracked(term)

    def _any_unless_tracked(self, term: Term) -> Term:
        condition = self._condition(term)
        if condition is None:
            return term
        made = Variable(f"any${len(self._added)}", term.type, VariableKind.LOCAL)
        self._added.append(made)
        self._fresh.append(made)
        return self._terms.ite(condition, term, self._terms.var(made))

    def _condition(self, term: Term) -> Term | None:
        """The condition that everything a term depends on is tracked; None if it always is."""
        mentioned = dict.fromkeys(each.payload for each in postorder([term]) if each.op == "var")
        found = [self._terms.var(self._tracked[each]) for each in mentioned if each in self._tracked]
        return self._terms.and_(found) if found else None
