"""Lowers procedures: signatures, contracts and bodies, for ground types.

Contracts are over the variables of the implementation, because the IR has one set of parameters:

    procedure P(x: int); requires x > 0;      P(y) requires y > 0 { ... }
    implementation P(y: int) { ... }

Several implementations of one procedure become branches of one body.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, final

from remuda.base.source import Source, Span
from remuda.frontends.boogie.blocks import reachable
from remuda.frontends.boogie.checks import Checks
from remuda.frontends.boogie.code_expressions import CodeExpressions
from remuda.frontends.boogie.declare import instance_name, is_assumption
from remuda.frontends.boogie.lower import BodyLowerer, Frame, lower_attributes
from remuda.frontends.boogie.scope import ProcedureSymbol, instantiate_noting
from remuda.frontends.boogie.threads import Threads
from remuda.frontends.boogie.typecheck import FAILURE
from remuda.ir.program import Assign, Assume, Attributes, Block, Condition, Procedure, Statement
from remuda.terms.symbols import Variable, VariableKind
from remuda.terms.types import BOOL

if TYPE_CHECKING:
    from remuda.frontends.boogie.ast import AttributeNode, Body, Specification, VariableDeclaration
    from remuda.frontends.boogie.evaluate import Evaluator
    from remuda.frontends.boogie.typecheck import Value
    from remuda.terms.term import Term
    from remuda.terms.types import Type


@final
@dataclass(frozen=True, slots=True)
class Implementation:
    """A body with its own names for the parameters."""

    source: Source
    type_parameters: Sequence[str]
    inputs: Sequence[VariableDeclaration]
    outputs: Sequence[VariableDeclaration]
    body: Body


@final
@dataclass(slots=True)
class Draft:
    """A procedure instance under construction."""

    symbol: ProcedureSymbol
    name: str
    environment: dict[str, Type]
    inputs: tuple[Variable, ...]
    outputs: tuple[Variable, ...]
    locals: list[Variable]
    old_locals: dict[Variable, Variable]


@final
class Procedures:
    """Lowers procedures, and the instances of polymorphic ones that calls need."""

    def __init__(self, evaluator: Evaluator, wheres: dict[Variable, Term]) -> None:
        self.evaluator = evaluator
        self.table = evaluator.table
        self.terms = evaluator.terms
        self.wheres = wheres
        self.checks = Checks()
        self.threads = Threads(self.table)
        self.made: dict[str, Procedure] = {}
        self._pending: list[tuple[ProcedureSymbol, tuple[Type, ...]]] = []
        self._requested: dict[str, tuple[ProcedureSymbol, tuple[Type, ...]]] = {}
        self._early: dict[str, Procedure | None] = {}  # lowered for code expressions; None while being lowered
        self.code = CodeExpressions(evaluator, self.checks, self.instance_of, self.lowered)
        evaluator.code = self.code.evaluate

    def lower_all(self) -> None:
        for symbol in list(self.table.procedures.values()):
            parameters = symbol.declaration.type_parameters
            self.instance_of(symbol, tuple(self.table.skolem(name, symbol.name) for name in parameters))
            self._drain()
        if not self.table.problems.any:
            self.threads.finish(self.made, self.wheres)

    def instance_of(self, symbol: ProcedureSymbol, arguments: tuple[Type, ...]) -> str:
        """The name of an instance; the instance itself is lowered later."""
        name = instance_name(symbol.name, arguments)
        if name not in self._requested:
            self._requested[name] = symbol, arguments
            if self.table.is_excessive(arguments, len(self._requested) - len(self.table.procedures)):
                self.table.problems.unsupported(symbol.span, "polymorphic recursion")
            else:
                self._pending.append((symbol, arguments))
        return name

    def _drain(self) -> None:
        while self._pending:
            symbol, arguments = self._pending.pop(0)
            name = instance_name(symbol.name, arguments)
            self.made[name] = self._early.get(name) or self._lower(symbol, name, arguments)

    def lowered(self, name: str) -> Procedure | None:
        """The procedure that a code expression calls; None if it is being lowered at the moment."""
        if name not in self.made and name not in self._early:
            self._early[name] = None
            symbol, arguments = self._requested.get(name) or (self.table.procedures[name], ())
            with self.evaluator.elsewhere():
                own = self.code.procedure
                self._early[name] = self._lower(symbol, name, arguments)
                self.code.procedure = own
        return self.made.get(name) or self._early[name]

    # --- one instance

    def _lower(self, symbol: ProcedureSymbol, name: str, arguments: tuple[Type, ...]) -> Procedure:
        declaration = symbol.declaration
        self.code.procedure = name
        implementations = self._implementations(symbol)
        environment = dict(zip(declaration.type_parameters, arguments, strict=True))
        naming = implementations[0] if implementations else declaration
        inputs = self._parameters(symbol.inputs, naming.inputs, declaration.inputs, environment, "in")
        outputs = self._parameters(symbol.outputs, naming.outputs, declaration.outputs, environment, "out")
        draft = Draft(symbol, name, environment, inputs, outputs, [], {})
        names = self._parameter_names(draft, declaration.inputs, declaration.outputs, symbol.source)
        self.evaluator.enter(symbol.source, names, environment)
        self._parameter_wheres(draft)
        requires, ensures, modifies = self._contract(draft)
        attributes = self._attributes(symbol)
        blocks = self._bodies(draft, implementations) if implementations else None
        if blocks is None:
            ensures = (*ensures, *self._where_ensures(draft, modifies, ensures))
        return Procedure(
            name,
            inputs,
            outputs,
            symbol.span,
            (*draft.locals, *draft.old_locals.values()),
            blocks,
            requires,
            ensures,
            modifies,
            attributes,
        )

    def _implementations(self, symbol: ProcedureSymbol) -> list[Implementation]:
        declaration = symbol.declaration
        found = []
        if declaration.body is not None:
            own = Implementation(
                symbol.source, declaration.type_parameters, declaration.inputs, declaration.outputs, declaration.body
            )
            found.append(own)
        for given, source in symbol.implementations:
            found.append(Implementation(source, given.type_parameters, given.inputs, given.outputs, given.body))
        return found

    def _parameters(
        self,
        types: Sequence[Type],
        names: Sequence[VariableDeclaration],
        fallback: Sequence[VariableDeclaration],
        environment: dict[str, Type],
        stem: str,
    ) -> tuple[Variable, ...]:
        made = []
        for position, (type_, given, other) in enumerate(zip(types, names, fallback, strict=True)):
            name = given.name or other.name or f"{stem}{position}"
            ground = instantiate_noting(self.table.types, type_, environment) if environment else type_
            made.append(Variable(name, ground, VariableKind.LOCAL))
        return tuple(made)

    def _parameter_names(
        self,
        draft: Draft,
        inputs: Sequence[VariableDeclaration],
        outputs: Sequence[VariableDeclaration],
        source: Source,
    ) -> dict[str, Value]:
        """The parameters, by the names of one declaration."""
        names: dict[str, Value] = {}
        declared = zip((*inputs, *outputs), (*draft.inputs, *draft.outputs), strict=True)
        for declaration, variable in declared:
            if not declaration.name:
                continue
            if declaration.name in names:
                self.table.problems.report(
                    Span(source, declaration.start, declaration.end),
                    f"more than one declaration of variable name: {declaration.name}",
                )
            names[declaration.name] = self.terms.var(variable)
        return names

    def _parameter_wheres(self, draft: Draft) -> None:
        declaration = draft.symbol.declaration
        declared = zip((*declaration.inputs, *declaration.outputs), (*draft.inputs, *draft.outputs), strict=True)
        for given, variable in declared:
            self._where(given, variable)

    def _where(self, declaration: VariableDeclaration, variable: Variable) -> None:
        if declaration.where is not None:
            term = self.evaluator.condition(declaration.where, assumed=True)
            if term is not None:
                self.wheres[variable] = term

    def _attributes(self, symbol: ProcedureSymbol) -> Attributes:
        """The declaration's attributes, then those of its implementations."""
        nodes: list[AttributeNode] = list(symbol.declaration.attributes)
        for implementation, _ in symbol.implementations:
            nodes.extend(implementation.attributes)
        return tuple(dict.fromkeys(lower_attributes(self.evaluator, nodes)))

    # --- contracts

    def _contract(self, draft: Draft) -> tuple[tuple[Condition, ...], tuple[Condition, ...], tuple[Variable, ...]]:
        requires: list[Condition] = []
        ensures: list[Condition] = []
        modifies: dict[Variable, None] = {}
        for specification in draft.symbol.declaration.specifications:
            if specification.kind == "modifies":
                modifies.update(dict.fromkeys(self._modified(specification)))
                continue
            self.evaluator.old_of = self.terms.old if specification.kind == "ensures" else None
            condition = self._condition(draft, specification)
            if condition is not None:
                (requires if specification.kind == "requires" else ensures).append(condition)
        self.evaluator.old_of = None
        return tuple(requires), tuple(ensures), tuple(modifies)

    def _condition(self, draft: Draft, node: Specification) -> Condition | None:
        assert node.condition is not None
        term = self.evaluator.condition(node.condition, assumed=node.is_free)
        attributes = lower_attributes(self.evaluator, node.attributes)
        if term is None:
            return None
        source = draft.symbol.source
        span = Span(source, node.start, node.end)
        check = None
        if not node.is_free:
            condition = Span(source, node.condition.start, node.condition.end)
            check = self.checks.make(draft.name, node.kind, span, condition, node.attributes)
        return Condition(term, span, check, attributes)

    def _where_ensures(
        self, draft: Draft, modifies: Sequence[Variable], ensures: Sequence[Condition]
    ) -> Iterator[Condition]:
        """The free postconditions of a procedure without a body: the variables that it changes satisfy their `where`
        clauses."""
        known = {condition.term for condition in ensures if condition.free}
        for variable in (*draft.outputs, *modifies):
            where = self.wheres.get(variable)
            if where is not None and where not in known:
                known.add(where)
                yield Condition(where, draft.symbol.span, None)

    def _modified(self, specification: Specification) -> list[Variable]:
        found = []
        for name in specification.names:
            term = self.table.variables.get(name.name)
            if term is None:
                self.evaluator.name(name)  # reports an error, unless it is a parameter
            if term is None or term.payload.kind is not VariableKind.GLOBAL:
                self.evaluator.fail(
                    name, f"modifies clause with something that is not a global variable: {name.name}"
                )
            else:
                found.append(term.payload)
        return found

    # --- bodies

    def _bodies(self, draft: Draft, implementations: list[Implementation]) -> tuple[Block, ...]:
        made: list[tuple[str, dict[str, Block]]] = []
        several = len(implementations) > 1
        for position, implementation in enumerate(implementations):
            made.append(self._body(draft, implementation, f"implementation{position + 1}$" if several else ""))
        entry, blocks = made[0]
        if several:
            for _, others in made[1:]:
                blocks.update(others)
        prologue = self._prologue(draft)
        targeted = any(entry in block.successors for block in blocks.values())
        if several or targeted or prologue:
            start = self._start_label(blocks)
            block = Block(start, prologue, tuple(label for label, _ in made), draft.symbol.span)
            blocks = {start: block, **blocks}
            entry = start
        if any(successor not in blocks for block in blocks.values() for successor in block.successors):
            return ()  # a label has an error
        return reachable(blocks, entry)

    def _start_label(self, blocks: dict[str, Block]) -> str:
        label = "entry"
        while label in blocks:
            label += "'"
        return label

    def _prologue(self, draft: Draft) -> tuple[Statement, ...]:
        """The statements that save the values that `old` refers to."""
        if not draft.old_locals:
            return ()
        values = tuple([self.terms.var(variable) for variable in draft.old_locals])
        return (Assign(tuple(draft.old_locals.values()), values, draft.symbol.span),)

    def _body(self, draft: Draft, implementation: Implementation, prefix: str) -> tuple[str, dict[str, Block]]:
        source = implementation.source
        names = self._parameter_names(draft, implementation.inputs, implementation.outputs, source)
        environment = dict(zip(implementation.type_parameters, draft.environment.values(), strict=True))
        self.evaluator.enter(source, names, environment, lambda term: self._entry_value(draft, term))
        own = self._declare_locals(implementation, names)
        outputs = {
            given.name: variable for given, variable in zip(implementation.outputs, draft.outputs, strict=True)
        }
        assignable = {**outputs, **{variable.name: variable for variable in own}}
        for declaration, variable in zip(implementation.body.locals, own, strict=True):
            self._where(declaration, variable)
        assumptions = [
            variable
            for declaration, variable in zip(implementation.body.locals, own, strict=True)
            if is_assumption(declaration) and variable.type == BOOL
        ]
        known = frozenset((*assumptions, *self.table.assumption_globals))
        frame = Frame(draft.name, source, assignable, self.wheres, self.instance_of, self.threads, known)
        lowerer = BodyLowerer(self.evaluator, self.checks, frame, prefix)
        span = Span(source, implementation.body.start, implementation.body.end)
        prologue = [
            Assume(self.wheres[variable], span)
            for variable in (*draft.inputs, *draft.outputs, *own)
            if variable in self.wheres
        ]
        prologue.extend(Assume(self.terms.var(variable), span) for variable in assumptions)
        lowerer.lower(implementation.body.statements, prologue, implementation.body.end)
        draft.locals.extend(own)
        draft.locals.extend(frame.fresh_locals)
        return lowerer.entry, lowerer.builder.blocks

    def _declare_locals(self, implementation: Implementation, names: dict[str, Value]) -> list[Variable]:
        own: list[Variable] = []
        for declaration in implementation.body.locals:
            assert declaration.type is not None
            if declaration.name in names:
                message = f"more than one declaration of variable name: {declaration.name}"
                self.evaluator.fail(declaration, message)
            type_ = self.table.types.resolve(declaration.type, implementation.source, self.evaluator.environment)
            variable = Variable(declaration.name, type_ or BOOL, VariableKind.LOCAL)
            own.append(variable)
            names[declaration.name] = FAILURE if type_ is None else self.terms.var(variable)
        return own

    def _entry_value(self, draft: Draft, term: Term) -> Term:
        """The value of a global at the start of the body."""
        variable: Variable = term.payload
        saved = draft.old_locals.get(variable)
        if saved is None:
            saved = draft.old_locals[variable] = Variable(f"old${variable.name}", variable.type, VariableKind.LOCAL)
        return self.terms.var(saved)
