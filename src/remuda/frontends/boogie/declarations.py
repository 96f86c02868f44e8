"""Parses the declarations of Boogie; after an error, it continues with the next declaration."""

from __future__ import annotations

from collections.abc import Callable
from typing import final

from remuda.frontends.boogie.ast import (
    AttributeNode,
    AxiomDeclaration,
    ConstantDeclaration,
    DatatypeDeclaration,
    Declaration,
    FunctionDeclaration,
    GlobalDeclaration,
    ImplementationDeclaration,
    NameType,
    ProcedureDeclaration,
    Specification,
    TypeDeclaration,
    VariableDeclaration,
)
from remuda.frontends.boogie.cursor import Cursor, SyntaxFailure
from remuda.frontends.boogie.expressions import ExpressionParser
from remuda.frontends.boogie.statements import DECLARATION_STARTS, StatementParser
from remuda.frontends.boogie.tokens import END, IDENTIFIER
from remuda.frontends.boogie.type_syntax import TypeParser


@final
class DeclarationParser:
    """Parses declarations. Those with a name have the span of the name, the others that of the whole declaration."""

    def __init__(self, cursor: Cursor) -> None:
        self._cursor = cursor
        self._types = TypeParser(cursor)
        self._expressions = ExpressionParser(cursor, self._types)
        self._statements = StatementParser(cursor, self._expressions)
        self._found: list[Declaration] = []
        self._parsers: dict[str, Callable[[], None]] = {
            "type": self._type_declarations,
            "const": self._constants,
            "function": self._function,
            "axiom": self._axiom,
            "var": self._globals,
            "procedure": self._procedure,
            "implementation": self._implementation,
        }

    def program(self) -> list[Declaration]:
        """All declarations; errors are reported to the cursor."""
        cursor = self._cursor
        while cursor.kind != END:
            try:
                self._declaration()
            except SyntaxFailure as failure:
                cursor.report(failure)
                self._resume()
        return self._found

    def _declaration(self) -> None:
        cursor = self._cursor
        if cursor.is_word("datatype"):
            self._datatype()
            return
        parser = self._parsers.get(cursor.kind)
        if parser is None:
            raise cursor.failure("a declaration")
        cursor.position += 1
        parser()

    def _resume(self) -> None:
        """Skip to the next token that may start a declaration; a `var` in braces belongs to a body."""
        cursor = self._cursor
        depth = 0
        while (kind := cursor.kind) != END and kind not in DECLARATION_STARTS:
            if kind == "var" and depth == 0:
                return
            if kind == "{":
                depth += 1
            elif kind == "}" and depth:
                depth -= 1
            cursor.position += 1

    # --- types

    def _type_declarations(self) -> None:
        """Parse `type {:a} C a b, S a = [a]int;`. Older Boogie has `type finite C;`, where `finite` has no effect on
        verification."""
        cursor = self._cursor
        attributes = self._expressions.attributes()
        if cursor.is_word("finite") and cursor.kinds[cursor.position + 1] == IDENTIFIER:
            cursor.position += 1
        self._type_declaration(attributes)
        while cursor.take(","):
            self._type_declaration(attributes)
        cursor.expect(";")

    def _type_declaration(self, attributes: list[AttributeNode]) -> None:
        cursor = self._cursor
        token = cursor.identifier()
        parameters = []
        while cursor.kind == IDENTIFIER:
            parameters.append(cursor.texts[cursor.identifier()])
        synonym = self._types.type() if cursor.take("=") else None
        start, end, name = cursor.starts[token], cursor.ends[token], cursor.texts[token]
        self._found.append(TypeDeclaration(start, end, name, parameters, synonym, attributes))

    def _datatype(self) -> None:
        cursor = self._cursor
        cursor.position += 1
        attributes = self._expressions.attributes()
        token = cursor.identifier()
        parameters = self._types.parameters()
        cursor.expect("{")
        constructors = [self._constructor()]
        while cursor.take(","):
            constructors.append(self._constructor())
        cursor.expect("}")
        cursor.take(";")
        start, end, name = cursor.starts[token], cursor.ends[token], cursor.texts[token]
        self._found.append(DatatypeDeclaration(start, end, name, parameters, constructors, attributes))

    def _constructor(self) -> tuple[str, list[VariableDeclaration]]:
        token = self._cursor.identifier()
        return self._cursor.texts[token], self._formals("fields", allow_where=False)

    # --- constants, variables, functions, axioms

    def _constants(self) -> None:
        cursor = self._cursor
        start = cursor.starts[cursor.position - 1]
        attributes = self._expressions.attributes()
        is_unique = cursor.take("unique")
        names = cursor.names()
        cursor.expect(":")
        kind = self._types.type()
        unique: list[str] = []
        parents = self._parents(unique) if cursor.kind in ("extends", "<:") else None
        is_complete = parents is not None and cursor.take("complete")
        if not self._used_axioms():
            cursor.expect(";")
        variables = [VariableDeclaration(name.start, name.end, name.name, kind) for name in names]
        end = cursor.previous_end()
        self._found.append(
            ConstantDeclaration(start, end, variables, is_unique, parents, unique, is_complete, attributes)
        )

    def _parents(self, unique: list[str]) -> list[str]:
        """Parse `extends unique a, b`, or `extends` alone; the names after `unique` are added to `unique` too."""
        cursor = self._cursor
        cursor.position += 1
        found: list[str] = []
        while found or cursor.kind in ("unique", IDENTIFIER):
            is_unique = cursor.take("unique")
            found.append(cursor.texts[cursor.identifier()])
            if is_unique:
                unique.append(found[-1])
            if not cursor.take(","):
                break
        return found

    def _globals(self) -> None:
        cursor = self._cursor
        start = cursor.starts[cursor.position - 1]
        attributes = self._expressions.attributes()
        variables = self._expressions.variables("global variables", allow_where=True)
        cursor.expect(";")
        self._found.append(GlobalDeclaration(start, cursor.previous_end(), variables, attributes))

    def _axiom(self) -> None:
        cursor = self._cursor
        start = cursor.starts[cursor.position - 1]
        attributes = self._expressions.attributes()
        condition = self._expressions.expression()
        cursor.expect(";")
        self._found.append(AxiomDeclaration(start, cursor.previous_end(), condition, attributes))

    def _used_axioms(self) -> bool:
        """Parse `uses { axiom a; axiom b; }` after a constant or function: these are ordinary axioms."""
        cursor = self._cursor
        if not cursor.is_word("uses"):
            return False
        cursor.position += 1
        cursor.expect("{")
        while cursor.take("axiom"):
            self._axiom()
        cursor.expect("}")
        return True

    def _function(self) -> None:
        cursor = self._cursor
        attributes = self._expressions.attributes()
        token = cursor.identifier()
        type_parameters = self._types.parameters()
        parameters = self._function_parameters()
        result = self._function_result()
        body = None
        if cursor.take("{"):
            body = self._expressions.expression()
            cursor.expect("}")
            self._used_axioms()
        elif not self._used_axioms() and not cursor.take(";"):
            raise cursor.failure("';' or '{'")
        start, end, name = cursor.starts[token], cursor.ends[token], cursor.texts[token]
        self._found.append(
            FunctionDeclaration(start, end, name, type_parameters, parameters, result, body, attributes)
        )

    def _function_parameters(self) -> list[VariableDeclaration]:
        cursor = self._cursor
        cursor.expect("(")
        parameters: list[VariableDeclaration] = []
        if not cursor.take(")"):
            parameters.append(self._variable_or_type())
            while cursor.take(","):
                parameters.append(self._variable_or_type())
            cursor.expect(")")
        if any(parameter.name for parameter in parameters):
            self._share_types(parameters)
        return parameters

    def _share_types(self, parameters: list[VariableDeclaration]) -> None:
        """Correct `(x, y: int)`, where `x` was parsed as a type, but is a name with the type that follows."""
        following = None
        for parameter in reversed(parameters):
            kind = parameter.type
            if parameter.name:
                following = kind
            elif following is None or not isinstance(kind, NameType) or kind.arguments:
                raise self._cursor.complaint("some parameters before this have a name and some have not")
            else:
                parameter.name, parameter.type = kind.name, following

    def _function_result(self) -> VariableDeclaration:
        cursor = self._cursor
        if cursor.take(":"):
            kind = self._types.type()
            return VariableDeclaration(kind.start, kind.end, "", kind)
        if not cursor.take("returns"):
            raise cursor.failure("'returns' or ':'")
        cursor.expect("(")
        result = self._variable_or_type()
        cursor.expect(")")
        return result

    def _variable_or_type(self) -> VariableDeclaration:
        """Parse `x: T`, or only `T`."""
        cursor = self._cursor
        attributes = self._expressions.attributes()
        kind = self._types.type()
        if cursor.kind != ":":
            return VariableDeclaration(kind.start, kind.end, "", kind, None, attributes)
        if cursor.kinds[cursor.position - 1] != IDENTIFIER or not isinstance(kind, NameType) or kind.arguments:
            raise cursor.complaint("expected an identifier before ':'")
        cursor.position += 1
        return VariableDeclaration(kind.start, kind.end, kind.name, self._types.type(), None, attributes)

    # --- procedures

    def _procedure(self) -> None:
        cursor = self._cursor
        attributes = self._expressions.attributes()
        token = cursor.identifier()
        type_parameters = self._types.parameters()
        inputs, outputs = self._signature("parameters", allow_where=True)
        has_body = not cursor.take(";")
        specifications = []
        while cursor.kind in ("requires", "ensures", "modifies", "free"):
            specifications.append(self._specification())
        if has_body and cursor.kind != "{":
            raise cursor.failure("';', '{' or a specification")
        body = self._statements.body() if has_body else None
        start, end, name = cursor.starts[token], cursor.ends[token], cursor.texts[token]
        self._found.append(
            ProcedureDeclaration(start, end, name, type_parameters, inputs, outputs, specifications, body, attributes)
        )

    def _implementation(self) -> None:
        cursor = self._cursor
        attributes = self._expressions.attributes()
        token = cursor.identifier()
        type_parameters = self._types.parameters()
        inputs, outputs = self._signature("the parameters of an implementation", allow_where=False)
        body = self._statements.body()
        start, end, name = cursor.starts[token], cursor.ends[token], cursor.texts[token]
        self._found.append(
            ImplementationDeclaration(start, end, name, type_parameters, inputs, outputs, body, attributes)
        )

    def _signature(
        self, owner: str, *, allow_where: bool
    ) -> tuple[list[VariableDeclaration], list[VariableDeclaration]]:
        """Parse `(inputs) returns (outputs)`."""
        inputs = self._formals(owner, allow_where=allow_where)
        outputs = self._formals(owner, allow_where=allow_where) if self._cursor.take("returns") else []
        return inputs, outputs

    def _formals(self, owner: str, *, allow_where: bool) -> list[VariableDeclaration]:
        cursor = self._cursor
        cursor.expect("(")
        if cursor.take(")"):
            return []
        found = self._expressions.variables(owner, allow_where=allow_where)
        cursor.expect(")")
        return found

    def _specification(self) -> Specification:
        """Parse `free requires {:a} e;` or `modifies x, y;`."""
        cursor = self._cursor
        start = cursor.starts[cursor.position]
        is_free = cursor.take("free")
        kind = cursor.kind
        if kind not in ("requires", "ensures", "modifies"):
            raise cursor.failure("'requires', 'ensures' or 'modifies'")
        cursor.position += 1
        attributes = self._expressions.attributes()
        condition = None if kind == "modifies" else self._expressions.expression()
        names = cursor.names() if kind == "modifies" and cursor.kind != ";" else []
        cursor.expect(";")
        return Specification(start, cursor.previous_end(), kind, is_free, condition, names, attributes)
