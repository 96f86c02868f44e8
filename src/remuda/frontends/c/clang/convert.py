"""Converts a parsed translation unit to `ast.Unit`: everything that other units can see, and what that refers to.

Each declaration is collected as a list of nodes, parents before children, and converted from the end of the list: so
all children are converted before their parents, however deep the program nests.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, final

from remuda.frontends.c.clang import kinds
from remuda.frontends.c.clang.entities import Entities
from remuda.frontends.c.clang.expressions import Expressions
from remuda.frontends.c.clang.statements import Statements
from remuda.frontends.c.clang.tree import gather
from remuda.frontends.c.clang.types import Types
from remuda.frontends.c.syntax.ast import Compound, Function, Unit, Variable

_WITH_TYPES: Final = frozenset({kinds.VARIABLE, kinds.PARAMETER, kinds.TYPEDEF, kinds.CAST})

if TYPE_CHECKING:
    from collections.abc import Sequence

    from remuda.frontends.c.clang.native import Cursor, Library
    from remuda.frontends.c.clang.places import Places
    from remuda.frontends.c.clang.tree import Node
    from remuda.frontends.c.syntax.link import Linker
    from remuda.frontends.c.syntax.types import Machine


@final
class Conversion:
    """Converts one translation unit."""

    def __init__(self, library: Library, places: Places, linker: Linker, machine: Machine) -> None:
        self._library = library
        self._machine = machine
        self._types = Types(library, linker, machine, places.nowhere)
        self._entities = Entities(library, self._types, places, linker)
        self._expressions = Expressions(library, self._types, places, self._entities, machine)
        self._statements = Statements(library, places, self._entities, self._expressions)

    def unit(self, root: Cursor) -> Unit | None:
        """The unit; None if it declares nothing at all."""
        entities = self._entities
        if not entities.scan(root):
            return None
        while entities.pending_functions or entities.pending_variables:
            while entities.pending_variables:
                self._global(*entities.pending_variables.pop())
            while entities.pending_functions:
                self._function(*entities.pending_functions.pop())
        return Unit(
            self._machine,
            entities.functions(),
            entities.variables(),
            constructors=tuple(entities.constructors),
            destructors=tuple(entities.destructors),
            unused=entities.unused(),
        )

    def _global(self, variable: Variable, declaration: Cursor) -> None:
        self._expressions.in_function = False
        self._entities.enter(declaration)
        nodes = gather(self._library, declaration)
        self._convert(nodes[1:])
        self._statements.variable(nodes[0])
        assert variable.initializer is not None

    def _function(self, function: Function, definition: Cursor) -> None:
        self._expressions.in_function = True
        self._entities.enter(definition)
        nodes = gather(self._library, definition)
        count = self._library.Cursor_getNumArguments(definition)
        function.parameters = tuple(
            self._entities.variable(self._library.Cursor_getArgument(definition, index)) for index in range(count)
        )
        self._statements.enter(definition, nodes)
        self._find_lengths(nodes)
        self._convert(nodes[1:])
        body = next(child.value for child in nodes[0].children if child.kind == kinds.COMPOUND)
        assert isinstance(body, Compound)
        first = [self._statements.lengths(child) for child in nodes[0].children if child.kind == kinds.PARAMETER]
        front = [statement for statement in first if statement is not None]
        function.body = Compound(body.span, (*front, *body.statements), body.end) if front else body

    def _find_lengths(self, nodes: Sequence[Node]) -> None:
        """Find where the types with computed sizes are written: the sizes are computed there, once. Later text refers
        to these types by name or as the type of something."""
        known: set[Variable] = set()
        for node in nodes[1:]:
            if node.kind in _WITH_TYPES:
                lengths = self._types.computed_lengths(node.cursor)
                node.lengths = [length for length in lengths if length not in known]
                known.update(node.lengths)

    def _convert(self, nodes: Sequence[Node]) -> None:
        expressions, statements = self._expressions, self._statements
        for node in reversed(nodes):
            kind = node.kind
            if kind < kinds.FIRST_EXPRESSION:
                if kind == kinds.VARIABLE:
                    node.value = statements.variable(node)
            elif kind < kinds.FIRST_STATEMENT:
                node.value = expressions.convert(node)
            elif kind == kinds.BIT_CAST:
                node.value = expressions.bit_cast(node)
            elif kind <= kinds.LAST_STATEMENT:
                node.value = statements.convert(node)
