"""Forget the values of some globals: variable abstraction (CORRAL, Fig. 3).

before:  m := m[i := x];   y := m[j] + 1;   assume m[j] > y;   assert (forall k: int :: m[k] > 0)
after:                     havoc v; y := v + 1;   havoc w; assume w > y;   havoc p; assert p            (without m)

A read of a forgotten variable gives any value, so that the program has all its executions, and more: proofs hold for
the original, violations may be spurious. A term under a binder that a read depends on is forgotten as a whole.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, ClassVar, final

from remuda.ir.edit import targets_of, terms_of
from remuda.ir.passes import PassResult, Trust, unchanged
from remuda.ir.program import Assert, Assign, Assume, Block, Call, Havoc, Procedure, Program, Statement, Yield
from remuda.terms.symbols import Variable, VariableKind
from remuda.terms.term import Term, postorder
from remuda.terms.types import MapType

if TYPE_CHECKING:
    from collections.abc import Sequence

BINDERS = frozenset({"forall", "exists", "lambda"})


@final
@dataclass(frozen=True, slots=True)
class ForgetVariables:
    """The pass. It removes the globals. Traces of the result are not traces of the original."""

    name: ClassVar[str] = "forget-variables"
    forgotten: frozenset[Variable]

    def apply(self, program: Program) -> PassResult:
        memory = _Mentions(self.forgotten)
        procedures = {name: self._forget(program, body, memory) for name, body in program.procedures.items()}
        kept = tuple(variable for variable in program.globals if variable not in self.forgotten)
        without = replace(
            program,
            procedures=procedures,
            globals=kept,
            thread_locals=tuple(each for each in program.thread_locals if each not in self.forgotten),
            wheres={variable: term for variable, term in program.wheres.items() if not memory.mentions(term)},
        )
        return PassResult(without, unchanged, Trust(bugs=False))

    def _forget(self, program: Program, procedure: Procedure, memory: _Mentions) -> Procedure:
        procedure = replace(
            procedure,
            requires=tuple(each for each in procedure.requires if not memory.mentions(each.term)),
            ensures=tuple(each for each in procedure.ensures if not memory.mentions(each.term)),
            modifies=tuple(each for each in procedure.modifies if each not in self.forgotten),
        )
        if procedure.blocks is None:
            return procedure
        body = _Body(program, self.forgotten, memory)
        blocks = tuple(map(body.block, procedure.blocks))
        return replace(procedure, blocks=blocks, locals=(*procedure.locals, *body.added))


@final
class _Mentions:
    """Decides which terms mention forgotten variables, once for each term."""

    def __init__(self, forgotten: frozenset[Variable]) -> None:
        self._forgotten = forgotten
        self._known: dict[Term, bool] = {}

    def mentions(self, root: Term) -> bool:
        known = self._known
        if root not in known:
            for term in postorder([root]):
                if term not in known:
                    is_forgotten = term.op == "var" and term.payload in self._forgotten
                    known[term] = is_forgotten or any(known[argument] for argument in term.args)
        return known[root]


@final
class _Body:
    """The rewriting of one body."""

    def __init__(self, program: Program, forgotten: frozenset[Variable], memory: _Mentions) -> None:
        self.added: list[Variable] = []
        self._terms = program.terms
        self._forgotten = forgotten
        self._mentions = memory.mentions
        self._fresh: list[Variable] = []  # of the current statement

    def block(self, block: Block) -> Block:
        statements: list[Statement] = []
        for statement in block.statements:
            self._fresh = []
            changed = self._statement(statement)
            if changed is not None:
                if self._fresh:
                    statements.append(Havoc(tuple(self._fresh), statement.span))
                statements.append(changed)
        return replace(block, statements=tuple(statements))

    def _statement(self, statement: Statement) -> Statement | None:
        """The statement over the other variables; None if nothing is left of it."""
        if not any(target in self._forgotten for target in targets_of(statement)) and not any(
            map(self._mentions, terms_of(statement))
        ):
            return statement
        match statement:
            case Assign(targets, values, span):
                pairs = [pair for pair in zip(targets, values, strict=True) if pair[0] not in self._forgotten]
                if not pairs:
                    return None
                left, right = zip(*pairs, strict=True)
                return Assign(left, self._all(right), span)
            case Havoc(variables, span):
                kept = tuple(variable for variable in variables if variable not in self._forgotten)
                return Havoc(kept, span) if kept else None
            case Assume(condition, span):
                return Assume(self._all((condition,))[0], span)
            case Assert(condition, check, span):
                return Assert(self._all((condition,))[0], check, span)
            case Call():
                results = tuple(
                    self._lost(variable) if variable in self._forgotten else variable
                    for variable in statement.results
                )
                return replace(statement, arguments=self._all(statement.arguments), results=results, attributes=())
            case Yield():
                return statement

    def _all(self, roots: Sequence[Term]) -> tuple[Term, ...]:
        return tuple(self._without(root) for root in roots)

    def _without(self, root: Term) -> Term:
        """The term with any value in place of every read of a forgotten variable."""
        if not self._mentions(root):
            return root
        if self._is_read_under_binder(root):
            return self._any(root)
        if isinstance(root.type, MapType):
            return self._map(root)
        return self._terms.rewrite([root], self._replacement)[0]

    def _map(self, root: Term) -> Term:
        """A map with any values where the written value, or its index, is forgotten."""
        base, stored = peel_stores(root)
        made = self._any(base) if self._mentions(base) else base
        for parts in stored:
            *indices, value = self._all(parts)
            made = self._terms.store(made, tuple(indices), value)
        return made

    def _replacement(self, term: Term) -> Term | None:
        if not self._mentions(term):
            return term
        reads = term.op == "var" or any(isinstance(argument.type, MapType) for argument in term.args)
        return self._any(term) if reads and not isinstance(term.type, MapType) else None

    def _is_read_under_binder(self, root: Term) -> bool:
        return any(term.op in BINDERS and self._mentions(term) for term in postorder([root]))

    def _any(self, term: Term) -> Term:
        made = Variable(f"any${len(self.added)}", term.type, VariableKind.LOCAL)
        self.added.append(made)
        self._fresh.append(made)
        return self._terms.var(made)

    def _lost(self, variable: Variable) -> Variable:
        """A variable that takes a result in place of a forgotten one."""
        made = Variable(f"lost${len(self.added)}", variable.type, VariableKind.LOCAL)
        self.added.append(made)
        return made


def peel_stores(map_: Term) -> tuple[Term, list[tuple[Term, ...]]]:
    """The base of a map, and the indices and values that are stored into it, in order."""
    stored: list[tuple[Term, ...]] = []
    while map_.op == "store":
        stored.append(map_.args[1:])
        map_ = map_.args[0]
    return map_, stored[::-1]


def map_globals(program: Program) -> frozenset[Variable]:
    """The globals that are maps, mostly memory."""
    return frozenset(variable for variable in program.globals if isinstance(variable.type, MapType))
