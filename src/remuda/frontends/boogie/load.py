"""Makes a program from Boogie texts: parse, resolve, check types, lower.

A program with polymorphic maps or quantifiers is processed again until there are no new ground instances.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from remuda.base.errors import InputError, Unsupported
from remuda.frontends.boogie.declare import Table, instance_name
from remuda.frontends.boogie.evaluate import Evaluator
from remuda.frontends.boogie.lower import lower_attributes
from remuda.frontends.boogie.parser import parse
from remuda.frontends.boogie.procedures import Procedures
from remuda.frontends.boogie.scope import Instances
from remuda.ir.definitions import adopt_definitions
from remuda.ir.program import Axiom, Call, Program, attribute

if TYPE_CHECKING:
    from remuda.base.errors import Diagnostic
    from remuda.base.source import Source
    from remuda.frontends.boogie.ast import AttributeNode, Declaration
    from remuda.frontends.boogie.typecheck import Value
    from remuda.ir.program import Procedure
    from remuda.terms.symbols import Variable
    from remuda.terms.term import Term

MAXIMAL_READINGS = 8
STARTS = (
    "ULTIMATE.start",
    "main",
)  # names of default entry procedures; the first that exists counts


def load(sources: Sequence[Source]) -> Program:
    """The program of all texts together. Raises an `InputError` with all errors."""
    return elaborate(_parse_all(sources))


def _parse_all(sources: Sequence[Source]) -> list[tuple[Source, list[Declaration]]]:
    parsed: list[tuple[Source, list[Declaration]]] = []
    diagnostics: list[Diagnostic] = []
    for source in sources:
        try:
            parsed.append((source, parse(source)))
        except InputError as error:
            diagnostics.extend(error.diagnostics)
    if diagnostics:
        raise InputError(diagnostics)
    return parsed


def elaborate(parsed: Sequence[tuple[Source, Sequence[Declaration]]]) -> Program:
    """The program of parsed texts: resolve names, check types, and lower."""
    instances = Instances()
    for _ in range(MAXIMAL_READINGS):
        instances.grew = False
        program = _Reading(parsed, instances).program()
        if not instances.grew:
            return program
    raise Unsupported(None, "a program that needs ever more instances of its polymorphic types")


class _Reading:
    """One pass over a program, with the ground instances known so far."""

    def __init__(self, parsed: Sequence[tuple[Source, Sequence[Declaration]]], instances: Instances) -> None:
        self.table = Table(instances)
        self.table.declare(parsed)
        self.evaluator = Evaluator(self.table)
        self.wheres: dict[Variable, Term] = {}
        self.procedures = Procedures(self.evaluator, self.wheres)

    def program(self) -> Program:
        table = self.table
        table.make_all_functions()
        axioms = self._axioms()
        self._global_wheres()
        self.procedures.lower_all()
        self._function_bodies()
        table.problems.check()
        adopt_definitions(table.terms, axioms)
        axioms = (*axioms, *table.ordering.axioms(table.terms))
        datatypes = table.types.used_datatypes()
        templates = _templates(self.procedures.made)
        procedures = {name: each for name, each in self.procedures.made.items() if name not in templates}
        return Program(
            table.terms,
            procedures,
            self._entries(),
            tuple(table.globals),
            tuple(table.constants),
            tuple(table.unique_constants),
            (*table.made_functions, *table.ordering.functions.values()),
            axioms,
            table.types.used_types(),
            datatypes,
            self.wheres,
            tuple(self.evaluator.assumptions),
            tuple(table.thread_locals),
            existentials=tuple(table.existentials),
            templates=tuple(templates.values()),
        )

    def _axioms(self) -> tuple[Axiom, ...]:
        made = []
        for declaration, source in self.table.axioms:
            self.evaluator.enter(source, {}, {}, stateless=True)
            term = self.evaluator.condition(declaration.condition, assumed=True)
            attributes = lower_attributes(self.evaluator, declaration.attributes)
            if term is not None:
                made.append(Axiom(term, self.evaluator.span(declaration), attributes))
        return tuple(made)

    def _global_wheres(self) -> None:
        for variable, declaration, source in self.table.global_wheres:
            assert declaration.where is not None
            self.evaluator.enter(source, {}, {})
            term = self.evaluator.condition(declaration.where, assumed=True)
            if term is not None:
                self.wheres[variable] = term

    def _function_bodies(self) -> None:
        """Make the bodies of functions. They may need further instances, so this continues until none is pending."""
        pending = self.table.pending
        while pending:
            body = pending.pop()
            names: dict[str, Value] = {
                parameter.name: self.table.terms.var(parameter) for parameter in body.function.parameters
            }
            self.evaluator.enter(body.source, names, body.environment, stateless=True)
            self.table.only_checking = body.only_checked
            assert body.declaration.body is not None
            self.evaluator.root = None
            self.evaluator.body_of = body.declaration.name
            body.function.body = self.evaluator.term(
                body.declaration.body, body.function.result, f"the body of {body.function.name}"
            )
            self.evaluator.body_of = None
            self.table.only_checking = False

    # --- entries

    def _entries(self) -> tuple[str, ...]:
        """The entries: marked implementations, or else marked procedures, or else Ultimate's start or `main`, or else
        all procedures with a body."""
        symbols = list(self.table.procedures.values())
        marked = [
            symbol
            for symbol in symbols
            if any(_is_entry(implementation.attributes) for implementation, _ in symbol.implementations)
        ]
        if not marked:
            marked = [symbol for symbol in symbols if _is_entry(symbol.declaration.attributes) and symbol.has_body]
        if not marked:
            with_body = {symbol.name: symbol for symbol in symbols if symbol.has_body}
            marked = [with_body[name] for name in STARTS if name in with_body][:1]
        if not marked:
            marked = [symbol for symbol in symbols if symbol.has_body]
        names = []
        for symbol in marked:
            parameters = symbol.declaration.type_parameters
            types = tuple(self.table.skolem(parameter, symbol.name) for parameter in parameters)
            names.append(instance_name(symbol.name, types))
        return tuple(names)


def _templates(procedures: Mapping[str, Procedure]) -> dict[str, Procedure]:
    """The procedures that only state candidate contracts: they have `{:template}`, no body, and no callers."""
    templates = {
        name: procedure
        for name, procedure in procedures.items()
        if procedure.blocks is None and attribute(procedure.attributes, "template") is not None
    }
    if templates:
        blocks = [block for procedure in procedures.values() for block in procedure.blocks or ()]
        for statement in (each for block in blocks for each in block.statements):
            if isinstance(statement, Call):
                templates.pop(statement.procedure, None)
    return templates


def _is_entry(attributes: Sequence[AttributeNode]) -> bool:
    return any(attribute.name == "entrypoint" for attribute in attributes)
