"""Converts clang's types to ours, each once. Records are completed after the types that refer to them."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, final

from remuda.frontends.c.clang import kinds
from remuda.frontends.c.clang.native import FIELD_VISITOR, VISIT_CONTINUE, Cursor, Library, Type
from remuda.frontends.c.clang.vectors import has_elements, vector_fields
from remuda.frontends.c.syntax.ast import Storage, Variable
from remuda.frontends.c.syntax.types import (
    BOOL,
    UNSIGNED,
    VOID,
    ArrayType,
    CType,
    Field,
    FloatingType,
    FunctionType,
    IntegerType,
    PointerType,
    RecordType,
    UnsupportedType,
    VariableArrayType,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from remuda.base.source import Span
    from remuda.frontends.c.syntax.link import Linker, Signature
    from remuda.frontends.c.syntax.types import Machine

_NORETURN: Final = "__attribute__((noreturn))"
_WRITTEN_AT: Final = re.compile(r" at [^()]*(?=\))")  # in the names of records that have none


@final
@dataclass(frozen=True, slots=True, eq=False)
class Qualified:
    """A type with the qualifiers that matter. An array is as volatile as its elements."""

    type: CType
    is_volatile: bool
    is_const: bool


@final
class Types:
    """The types of one translation unit."""

    def __init__(self, library: Library, linker: Linker, machine: Machine, nowhere: Span) -> None:
        self._library = library
        self._linker = linker
        self._size_type: Final = IntegerType(machine.pointer_width, signed=False, name="size_t")
        self._nowhere = nowhere
        self._lengths: dict[int | None, Variable] = {}  # of arrays whose lengths are computed
        self._known: dict[int | None, Qualified] = {}
        self._records: dict[int | None, RecordType] = {}
        self._fields: dict[int | None, tuple[Field, RecordType]] = {}
        self._incomplete: list[tuple[RecordType, Sequence[Cursor]]] = []

    def of_cursor(self, cursor: Cursor) -> CType:
        return self.qualified(self._library.getCursorType(cursor)).type

    def qualified_of_cursor(self, cursor: Cursor) -> Qualified:
        return self.qualified(self._library.getCursorType(cursor))

    def qualified(self, type_: Type) -> Qualified:
        found = self._known.get(type_.data0)
        if found is None:
            found = self._convert(type_)
            self._complete_records()
        return found

    def field(self, declaration: Cursor) -> tuple[Field, RecordType]:
        """The field of a declaration, and its record."""
        found = self._fields.get(declaration.data0)
        if found is None:
            self.of_cursor(self._library.getCursorSemanticParent(declaration))
            found = self._fields[declaration.data0]
        return found

    # --- construction

    def _convert(self, type_: Type) -> Qualified:
        """Convert a type, parts before the whole, with an explicit stack. New records have no fields yet."""
        known = self._known
        stack = [type_]
        while stack:
            top = stack[-1]
            if top.data0 in known:
                stack.pop()
                continue
            canonical = self._library.getCanonicalType(top)
            parts = self._parts(canonical)
            missing = [part for part in parts if part.data0 not in known]
            if missing:
                stack.extend(missing)
                continue
            known[top.data0] = self._build(canonical, [known[part.data0] for part in parts])
            stack.pop()
        return known[type_.data0]

    def _parts(self, type_: Type) -> Sequence[Type]:
        library = self._library
        match type_.kind:
            case kinds.POINTER_TYPE:
                return [library.getPointeeType(type_)]
            case kinds.CONSTANT_ARRAY_TYPE | kinds.INCOMPLETE_ARRAY_TYPE | kinds.VARIABLE_ARRAY_TYPE:
                return [library.getArrayElementType(type_)]
            case kinds.VECTOR_TYPE | kinds.EXTENDED_VECTOR_TYPE:
                return [library.getElementType(type_)]
            case kinds.FUNCTION_TYPE:
                count = library.getNumArgTypes(type_)
                return [library.getResultType(type_), *(library.getArgType(type_, index) for index in range(count))]
            case kinds.FUNCTION_WITHOUT_PROTOTYPE_TYPE:
                return [library.getResultType(type_)]
            case kinds.ENUM_TYPE:
                underlying = library.getEnumDeclIntegerType(library.getTypeDeclaration(type_))
                return [underlying] if underlying.kind else []
            case _:
                return []

    def _build(self, type_: Type, parts: Sequence[Qualified]) -> Qualified:
        library = self._library
        is_volatile = bool(library.isVolatileQualifiedType(type_))
        is_const = bool(library.isConstQualifiedType(type_))
        match type_.kind:
            case kinds.POINTER_TYPE:
                made: CType = PointerType(parts[0].type, to_const=parts[0].is_const)
            case kinds.CONSTANT_ARRAY_TYPE:
                made = ArrayType(parts[0].type, library.getArraySize(type_))
            case kinds.INCOMPLETE_ARRAY_TYPE:
                made = ArrayType(parts[0].type, None)
            case kinds.VARIABLE_ARRAY_TYPE:
                made = VariableArrayType(parts[0].type, self._length(type_))
            case kinds.FUNCTION_TYPE:
                parameters = tuple(part.type for part in parts[1:])
                is_variadic, is_noreturn = bool(library.isFunctionTypeVariadic(type_)), self._is_noreturn(type_)
                made = FunctionType(parts[0].type, parameters, is_variadic, is_noreturn=is_noreturn)
            case kinds.FUNCTION_WITHOUT_PROTOTYPE_TYPE:
                is_noreturn = self._is_noreturn(type_)
                made = FunctionType(parts[0].type, (), has_prototype=False, is_noreturn=is_noreturn)
            case kinds.VECTOR_TYPE | kinds.EXTENDED_VECTOR_TYPE if has_elements(parts[0].type):
                made = self._vector(type_, parts[0].type)
            case kinds.ENUM_TYPE:
                made = self._enumeration(type_, parts)
            case kinds.RECORD_TYPE:
                made = self._record(type_)
            case _:
                made = self._simple(type_)
        if isinstance(made, ArrayType | VariableArrayType):
            is_volatile = is_volatile or parts[0].is_volatile
            is_const = is_const or parts[0].is_const
        return Qualified(made, is_volatile, is_const)

    def _length(self, type_: Type) -> Variable:
        """The variable that keeps the length of an array; clang has one type for each place where it is written."""
        found = self._lengths.get(type_.data0)
        if found is None:
            found = self._lengths[type_.data0] = Variable("", self._size_type, Storage.LOCAL, self._nowhere)
        return found

    def computed_lengths(self, cursor: Cursor) -> list[Variable]:
        """The variables that keep the computed lengths in the type of a cursor, those of inner arrays first."""
        found: list[Variable] = []
        waiting = [self.of_cursor(cursor)]
        while waiting:
            match waiting.pop():
                case VariableArrayType(element=element, length=length):
                    waiting.append(element)
                    if length is not None:
                        found.append(length)
                case ArrayType(element=inner) | PointerType(target=inner) | FunctionType(result=inner):
                    waiting.append(inner)
        return found[::-1]

    def _is_noreturn(self, type_: Type) -> bool:
        """Whether functions of a type do not return. Only its spelling shows that, which contains those of its
        parts."""
        count = self._spelling(type_).count(_NORETURN)
        return count > 0 and count > sum(self._spelling(part).count(_NORETURN) for part in self._parts(type_))

    def _simple(self, type_: Type) -> CType:
        if type_.kind == kinds.VOID_TYPE:
            return VOID
        if type_.kind == kinds.BOOL_TYPE:
            return BOOL
        integer = kinds.INTEGER_TYPES.get(type_.kind)
        if integer is not None:
            return IntegerType(8 * self._library.Type_getSizeOf(type_), signed=integer[0], name=integer[1])
        floating = kinds.FLOATING_TYPES.get(type_.kind)
        if floating is not None:
            return FloatingType(8 * self._library.Type_getSizeOf(type_), floating)
        return UnsupportedType(self._spelling(type_))

    def _enumeration(self, type_: Type, parts: Sequence[Qualified]) -> CType:
        underlying = parts[0].type if parts else UNSIGNED
        assert isinstance(underlying, IntegerType)
        name = self._spelling(self._library.getUnqualifiedType(type_))
        name = "enum <anonymous>" if "(" in name else name
        return IntegerType(underlying.width, underlying.signed, underlying.is_bool, name)

    def _spelling(self, type_: Type) -> str:
        return self._library.text(self._library.getTypeSpelling(type_))

    # --- records

    def _vector(self, type_: Type, element: CType) -> RecordType:
        """The type of a vector. Vectors with the same elements have one type."""
        count = self._library.getNumElements(type_)
        tag = f"vector of {count} {element}"
        size, alignment = self._library.Type_getSizeOf(type_), self._library.Type_getAlignOf(type_)
        signature = (tag, element, size)
        record = self._linker.record("struct", tag, signature)
        if record is None:
            fields = vector_fields(element, count)
            record = RecordType("struct", tag, size, alignment, fields, is_complete=True, is_vector=True)
            self._linker.add_record("struct", tag, signature, record)
        return record

    def _record(self, type_: Type) -> RecordType:
        """The record, perhaps without its fields yet, which may refer to the record itself."""
        declaration = self._library.getTypeDeclaration(type_)
        record = self._records.get(declaration.data0)
        if record is None:
            kind = "union" if declaration.kind == kinds.UNION_DECLARATION else "struct"
            tag = self._library.text(self._library.getCursorSpelling(declaration))
            tag = "" if "(" in tag else tag
            size = self._library.Type_getSizeOf(type_)
            fields = self._field_declarations(type_) if size >= 0 else []
            signature = self._signature(size, fields) if size >= 0 else None
            record = self._linker.record(kind, tag, signature)
            if record is None:
                record = RecordType(kind, tag)
                self._linker.add_record(kind, tag, signature, record)
            self._records[declaration.data0] = record
            if size >= 0:
                record.size = size
                record.alignment = self._library.Type_getAlignOf(type_)
                record.is_complete = True
                self._incomplete.append((record, fields))
        return record

    def _field_declarations(self, type_: Type) -> list[Cursor]:
        found: list[Cursor] = []

        def visit(cursor: Cursor, _: object) -> int:
            found.append(cursor)
            return VISIT_CONTINUE

        self._library.Type_visitFields(type_, FIELD_VISITOR(visit), None)
        return [field for field in found if not self._is_padding(field)]

    def _is_padding(self, field: Cursor) -> bool:
        """Bit-fields without a name only move those that follow."""
        library = self._library
        return bool(library.Cursor_isBitField(field)) and not library.text(library.getCursorSpelling(field))

    def _signature(self, size: int, fields: Sequence[Cursor]) -> Signature:
        """A text that distinguishes the layouts of records with the same tag. Records without a tag differ by their
        contents, because units do not agree on their positions."""
        library = self._library
        found: list[object] = [size]
        waiting = list(reversed(fields))
        while waiting:
            field = waiting.pop()
            type_ = library.getCanonicalType(library.getCursorType(field))
            spelling = _WRITTEN_AT.sub("", self._spelling(type_))
            name = _WRITTEN_AT.sub("", library.text(library.getCursorSpelling(field)))
            offset, bits = library.Cursor_getOffsetOfField(field), library.getFieldDeclBitWidth(field)
            found.append((name, offset, bits, spelling))
            if spelling.startswith(("struct (", "union (")) and type_.kind == kinds.RECORD_TYPE:
                waiting.extend(reversed(self._field_declarations(type_)))
        return tuple(found)

    def _complete_records(self) -> None:
        """Set the fields of new records; converting the fields may find more records."""
        while self._incomplete:
            record, declarations = self._incomplete.pop()
            if len(record.fields) != len(declarations):
                record.fields = tuple(self._field(declaration) for declaration in declarations)
            for declaration, field in zip(declarations, record.fields, strict=True):
                self._fields[declaration.data0] = field, record

    def _field(self, declaration: Cursor) -> Field:
        library = self._library
        qualified = self._convert(library.getCursorType(declaration))
        name = library.text(library.getCursorSpelling(declaration))
        return Field(
            "" if "(" in name else name,
            qualified.type,
            library.Cursor_getOffsetOfField(declaration),
            library.getFieldDeclBitWidth(declaration) if library.Cursor_isBitField(declaration) else None,
            qualified.is_volatile,
        )
