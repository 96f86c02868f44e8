"""Replaces `fork`, `join` and `atomic` (Ultimate's Boogie) by asynchronous calls and atomic sections.

    fork e P(x);              async call P$fork(x, e);      P$fork runs P, then adds its results to the stored results
                                                            of threads named e: result$P[e, ended$P[e]]
    join e assign y;          call y := join$1(e);          join$1 waits for results, and removes those of a thread
    atomic { S }              call corral_atomic_begin(); S  call corral_atomic_end();

Any number of threads may have the same name: a join takes the results of one of them. A name may have several parts.
A join is for threads whose names have the same number and types of parts, and whose results have the types of the
assigned variables (without `assign`, any types). Results of threads named e are numbered from `none$P[e]`, an
arbitrary constant, up to `ended$P[e]`, so there are none at the start of an execution.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final, final

from remuda.base.names import FreshNames
from remuda.base.source import Span
from remuda.frontends.boogie.calls import arguments_of
from remuda.frontends.boogie.typecheck import Failure, close
from remuda.ir.program import Assign, Assume, Block, Call, Havoc, Procedure
from remuda.ir.threads import ATOMIC_BEGIN, ATOMIC_END
from remuda.terms.symbols import Variable, VariableKind
from remuda.terms.term import postorder
from remuda.terms.types import INT, MapType, Type

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from remuda.frontends.boogie import ast
    from remuda.frontends.boogie.declare import Table
    from remuda.frontends.boogie.lower import BodyLowerer
    from remuda.ir.program import Statement
    from remuda.terms.term import Term

Types = tuple[Type, ...]

SECTION: Final = "an atomic block that calls a procedure with an atomic block or a join"


@final
@dataclass(slots=True, eq=False)
class _Fork:
    """The threads that start in one procedure, with names of the same types."""

    procedure: str
    wrapper: str
    names: Types
    outputs: Types
    span: Span
    ended: Variable
    none: Variable
    results: tuple[Variable, ...]


@final
@dataclass(frozen=True, slots=True)
class _Join:
    """A procedure that waits for a thread. `is_inside` says that it is in an atomic block, which it must not end."""

    procedure: str
    names: Types
    results: Types | None  # None: any types
    is_inside: bool
    span: Span


@final
@dataclass(slots=True, eq=False)
class _Sections:
    """The procedures that are called in atomic sections, and those that contain or end one."""

    calls_inside: dict[str, Span] = field(default_factory=dict)  # procedures called in an atomic block
    ending: dict[str, None] = field(default_factory=dict)  # procedures with an atomic block or a join


@final
class Threads:
    """The procedures and variables that forks and joins of a program need; `finish` adds them to the program."""

    def __init__(self, table: Table) -> None:
        self._table = table
        self._terms = table.terms
        self._procedures = FreshNames(table.procedures)
        self._variables = FreshNames(table.variables)
        self._forks: dict[tuple[str, Types], _Fork] = {}
        self._joins: dict[tuple[Types, Types | None, bool], _Join] = {}
        self._sections = _Sections()
        self._has_sections = False

    # --- statements

    def fork(self, lowerer: BodyLowerer, node: ast.ForkStatement) -> None:
        evaluator = lowerer.evaluator
        symbol = self._table.procedures.get(node.procedure)
        names = _names(lowerer, node.identifiers)
        if symbol is None:
            evaluator.fail(node, f"fork of undeclared procedure: {node.procedure}")
            return
        if symbol.declaration.type_parameters:
            evaluator.unsupported(node, "a fork of a polymorphic procedure")
            return
        if len(node.arguments) != len(symbol.inputs):
            evaluator.fail(
                node, f"{node.procedure} takes {len(symbol.inputs)} arguments, but {len(node.arguments)} are given"
            )
            return
        arguments = arguments_of(lowerer, node, symbol)
        if arguments is None or names is None:
            return
        fork = self._fork(node.procedure, _types(names), tuple(symbol.outputs), lowerer.span(node))
        lowerer.emit(Call(fork.wrapper, (*arguments, *names), (), lowerer.span(node), is_async=True))

    def join(self, lowerer: BodyLowerer, node: ast.JoinStatement, *, is_inside: bool) -> None:
        names = _names(lowerer, node.identifiers)
        targets = [lowerer.target(name) for name in node.results]
        found = tuple(target for target in targets if target is not None)
        if names is None or len(found) < len(targets):
            return
        if len(set(found)) < len(found):
            lowerer.evaluator.fail(node, "a join assigns to a variable more than once")
            return
        results = tuple(variable.type for variable in found) if node.results else None
        join = self._join(_types(names), results, lowerer.span(node), is_inside=is_inside)
        self._sections.ending[lowerer.frame.procedure] = None
        lowerer.emit(Call(join.procedure, tuple(names), found, lowerer.span(node)))

    def begin(self, lowerer: BodyLowerer, span: Span) -> None:
        self._has_sections = True
        self._sections.ending[lowerer.frame.procedure] = None
        lowerer.emit(Call(ATOMIC_BEGIN, (), (), span))

    def end(self, lowerer: BodyLowerer, span: Span) -> None:
        lowerer.emit(Call(ATOMIC_END, (), (), span))

    def note_call_inside(self, procedure: str, span: Span) -> None:
        """Note a call in an atomic block."""
        self._sections.calls_inside.setdefault(procedure, span)

    # --- their procedures and variables

    def _fork(self, procedure: str, names: Types, outputs: Types, span: Span) -> _Fork:
        found = self._forks.get((procedure, names))
        if found is None:
            counted = MapType(names, INT)
            found = self._forks[procedure, names] = _Fork(
                procedure,
                self._procedures.make(f"{procedure}$fork"),
                names,
                outputs,
                span,
                self._variable(f"ended${procedure}", counted, VariableKind.GLOBAL),
                self._variable(f"none${procedure}", counted, VariableKind.CONSTANT),
                tuple(
                    self._variable(f"result{number}${procedure}", MapType((*names, INT), output), VariableKind.GLOBAL)
                    for number, output in enumerate(outputs, 1)
                ),
            )
        return found

    def _join(self, names: Types, results: Types | None, span: Span, *, is_inside: bool) -> _Join:
        key = names, results, is_inside
        if key not in self._joins:
            name = self._procedures.make(f"join${len(self._joins) + 1}")
            self._joins[key] = _Join(name, names, results, is_inside, span)
        return self._joins[key]

    def _variable(self, name: str, type_: Type, kind: VariableKind) -> Variable:
        return Variable(self._variables.make(name), type_, kind)

    # --- the program around them

    def finish(self, made: dict[str, Procedure], wheres: dict[Variable, Term]) -> None:
        """Add the procedures and variables that forks, joins and atomic blocks refer to."""
        self._check_sections(made)
        for fork in self._forks.values():
            if any(_mentions_globals(condition.term) for condition in made[fork.procedure].requires):
                # Checking it at the fork and checking it at the start of the thread would be different programs.
                self._table.problems.unsupported(
                    fork.span, "a fork of a procedure that requires something of globals"
                )
            made[fork.wrapper] = self._wrapper(fork, made[fork.procedure])
            self._table.globals.extend((fork.ended, *fork.results))
            self._table.constants.append(fork.none)
            wheres[fork.ended] = self._terms.eq(self._terms.var(fork.ended), self._terms.var(fork.none))
        for join in self._joins.values():
            made[join.procedure] = self._joining(join)
        if self._has_sections or any(not join.is_inside for join in self._joins.values()):
            for name in (ATOMIC_BEGIN, ATOMIC_END):
                declared = made.get(name)
                if declared is None:
                    made[name] = Procedure(name, (), (), self._some_span())
                elif declared.blocks is not None:
                    self._table.problems.unsupported(
                        declared.span, f"a program with atomic blocks and its own {name}"
                    )

    def _some_span(self) -> Span:
        return next(iter(self._table.procedures.values())).span

    def _wrapper(self, fork: _Fork, procedure: Procedure) -> Procedure:
        """The procedure that runs a thread's procedure, and stores its results."""
        terms, span = self._terms, fork.span
        inputs = tuple(_local(variable.name, variable.type) for variable in procedure.inputs)
        names = _locals("name$", fork.names)
        outputs = _locals("result$", fork.outputs)
        ended, place = terms.var(fork.ended), [terms.var(name) for name in names]
        number = terms.select(ended, place)
        values = [terms.store(ended, place, terms.arithmetic("add", number, terms.integer(1)))]
        values += [
            terms.store(terms.var(result), [*place, number], terms.var(output))
            for result, output in zip(fork.results, outputs, strict=True)
        ]
        statements: tuple[Statement, ...] = (
            Call(procedure.name, tuple(terms.var(variable) for variable in inputs), outputs, _silent(span)),
            Assign((fork.ended, *fork.results), tuple(values), span),
        )
        block = Block("start", statements, (), span)
        modifies = (*procedure.modifies, fork.ended, *fork.results)
        return Procedure(fork.wrapper, (*inputs, *names), (), span, outputs, (block,), modifies=modifies)

    def _joining(self, join: _Join) -> Procedure:
        """The procedure that removes the results of one ended thread, in one step."""
        forks = [
            fork
            for fork in self._forks.values()
            if fork.names == join.names and (join.results is None or fork.outputs == join.results)
        ]
        names, results = _locals("name$", join.names), _locals("result$", join.results or ())
        number = _local("number$", INT)
        span = join.span
        begin, end = ((), ()) if join.is_inside else (_section(ATOMIC_BEGIN, span), _section(ATOMIC_END, span))
        labels = [f"from${fork.wrapper}" for fork in forks]
        blocks = [
            Block(label, self._take(fork, names, results, number, span), ("joined",), span)
            for label, fork in zip(labels, forks, strict=True)
        ]
        if forks:
            start = Block("start", begin, tuple(labels), span)
            blocks = [start, *blocks, Block("joined", end, (), span)]
        else:
            blocks = [Block("start", (Assume(self._terms.false, span),), (), span)]
        changed = tuple(variable for fork in forks for variable in (fork.ended, *fork.results))
        return Procedure(join.procedure, names, results, span, (number,), tuple(blocks), modifies=changed)

    def _take(
        self, fork: _Fork, names: Sequence[Variable], results: Sequence[Variable], number: Variable, span: Span
    ) -> tuple[Statement, ...]:
        """The statements that take any one result, and give its number to the last one."""
        terms = self._terms
        place = [terms.var(name) for name in names]
        ended, chosen = terms.var(fork.ended), terms.var(number)
        last = terms.arithmetic("sub", terms.select(ended, place), terms.integer(1))
        first = terms.select(terms.var(fork.none), place)
        known = terms.and_([terms.le(first, chosen), terms.le(chosen, last)])
        targets, values = [fork.ended], [terms.store(ended, place, last)]
        for target, result in zip(results, fork.results, strict=False):
            targets.append(target)
            values.append(terms.select(terms.var(result), [*place, chosen]))
        for result in fork.results:
            left = terms.var(result)
            targets.append(result)
            values.append(terms.store(left, [*place, chosen], terms.select(left, [*place, last])))
        return (Havoc((number,), span), Assume(known, span), Assign(tuple(targets), tuple(values), span))

    def _check_sections(self, made: dict[str, Procedure]) -> None:
        """Check that no procedure called in an atomic section ends it, because sections do not nest."""
        for name, span in self._sections.calls_inside.items():
            reached = {name: None}
            work = [name]
            while work:
                for callee in _callees(made[work.pop()]):
                    if callee in made and callee not in reached:
                        reached[callee] = None
                        work.append(callee)
            if not self._sections.ending.keys().isdisjoint(reached):
                self._table.problems.unsupported(span, SECTION)


def _mentions_globals(term: Term) -> bool:
    return any(part.op == "var" and part.payload.kind is VariableKind.GLOBAL for part in postorder((term,)))


def _names(lowerer: BodyLowerer, nodes: Iterable[ast.Expression]) -> list[Term] | None:
    """The parts of a thread's name."""
    values = [lowerer.evaluator.evaluate(node) for node in nodes]
    known = [close(value) for value in values if not isinstance(value, Failure)]
    return known if len(known) == len(values) else None


def _types(terms: Iterable[Term]) -> Types:
    return tuple(term.type for term in terms)


def _local(name: str, type_: Type) -> Variable:
    return Variable(name, type_, VariableKind.LOCAL)


def _locals(stem: str, types: Types) -> tuple[Variable, ...]:
    return tuple(_local(f"{stem}{number}", type_) for number, type_ in enumerate(types, 1))


def _section(name: str, span: Span) -> tuple[Statement, ...]:
    return (Call(name, (), (), _silent(span)),)


def _silent(span: Span) -> Span:
    """The span of a generated statement."""
    return Span(span.source, span.start, span.start)


def _callees(procedure: Procedure) -> Iterable[str]:
    return (
        statement.procedure
        for block in procedure.blocks or ()
        for statement in block.statements
        if isinstance(statement, Call) and not statement.is_async
    )
