"""The meanings of names in a C file, with their positions in the text.

The typed tree has no nodes for compile-time expressions (`sizeof x`, types, enumerators), but clang's own tree has.
With it, all names can be rewritten in a body that moves to another function.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final, final

from remuda.frontends.c.clang import kinds
from remuda.frontends.c.clang.big_stack import with_big_stack
from remuda.frontends.c.clang.native import FIELD_VISITOR, VISIT_CONTINUE, VISIT_RECURSE, VISITOR, Cursor
from remuda.frontends.c.clang.parse import arguments_of
from remuda.frontends.c.clang.session import parsed

if TYPE_CHECKING:
    from remuda.base.source import Source, Span
    from remuda.frontends.c.clang.native import Library, Type
    from remuda.frontends.c.clang.parse import ParseOptions
    from remuda.frontends.c.clang.places import Places

STORAGE_REGISTER: Final = 7
Place = tuple[int, str]  # where a name is declared, and the name: a macro may declare several in one place

_VARIABLES: Final = frozenset({kinds.VARIABLE, kinds.PARAMETER})
_TYPES: Final = frozenset({kinds.STRUCT_DECLARATION, kinds.UNION_DECLARATION, kinds.ENUM_DECLARATION, kinds.TYPEDEF})
_DECLARATIONS: Final = _VARIABLES | _TYPES | {kinds.ENUMERATOR, kinds.FUNCTION}
_ARRAYS: Final = frozenset({kinds.CONSTANT_ARRAY_TYPE, kinds.INCOMPLETE_ARRAY_TYPE, kinds.VARIABLE_ARRAY_TYPE})
_REFERENCES: Final = frozenset({kinds.NAME, kinds.TYPE_REFERENCE})


@final
@dataclass(frozen=True, slots=True)
class Declared:
    """A declaration in a function. `type` is the text of its type; empty if it has none."""

    name: str
    start: int
    is_variable: bool
    type: str = ""
    is_register: bool = False


@final
@dataclass(frozen=True, slots=True)
class Mention:
    """A name in the text of a function that refers to a declaration in the same function."""

    start: int
    declared: Declared


@final
@dataclass(frozen=True, slots=True)
class FunctionText:
    """The definition of a function: its range in the text, and the names in it."""

    name: str
    start: int
    end: int
    declared: dict[Place, Declared]
    mentions: tuple[Mention, ...]


@final
@dataclass(slots=True)
class FileText:
    """The functions of a file, in order; `functions` are those that it defines.

    `declarations` has every declaration of a function at file scope: its name, where it is, whether it has a body.
    `partly_constant` has the objects that are not constant, but have parts that are.
    """

    functions: list[FunctionText] = field(default_factory=list)
    declarations: list[tuple[str, int, int, bool]] = field(default_factory=list)
    partly_constant: set[Place] = field(default_factory=set)


def read_mentions(source: Source, options: ParseOptions) -> FileText:
    """Read a valid file."""

    def read() -> FileText:
        with parsed(source, arguments_of(options)) as (library, places, unit, _):
            return _Reader(library, places, source).read(library.getTranslationUnitCursor(unit))

    return with_big_stack(read)


@final
class _Reader:
    def __init__(self, library: Library, places: Places, source: Source) -> None:
        self._library = library
        self._places = places
        self._source = source

    def read(self, unit: Cursor) -> FileText:
        result = FileText()
        for cursor in self._below(unit, recurse=False):
            if cursor.kind == kinds.FUNCTION:
                extent = self._extent(cursor)
                if extent is None:
                    continue
                start, end = extent
                defines = bool(self._library.isCursorDefinition(cursor))
                result.declarations.append((self._name(cursor), start, end, defines))
                if defines:
                    result.functions.append(self._function(cursor, start, end, result))
            elif cursor.kind == kinds.VARIABLE:
                self._note_constant_parts(cursor, result)
        return result

    def _below(self, root: Cursor, *, recurse: bool) -> list[Cursor]:
        found: list[Cursor] = []

        def visit(cursor: Cursor, _parent: Cursor, _: object) -> int:
            found.append(cursor)
            return VISIT_RECURSE if recurse else VISIT_CONTINUE

        self._library.visitChildren(root, VISITOR(visit), None)
        return found

    def _function(self, definition: Cursor, start: int, end: int, result: FileText) -> FunctionText:
        declared: dict[Place, Declared] = {}
        known: dict[int | None, Declared] = {}
        mentions: list[Mention] = []
        for cursor in self._below(definition, recurse=True):
            if cursor.kind in _DECLARATIONS:
                made = self._declared(cursor)
                known[cursor.data0] = made
                declared[made.start, made.name] = made
                if cursor.kind == kinds.VARIABLE:
                    self._note_constant_parts(cursor, result)
            elif cursor.kind in _REFERENCES:
                target = known.get(self._library.getCursorReferenced(cursor).data0)
                if target is not None:
                    place = self._places.span_of_location(self._library.getCursorLocation(cursor))
                    mentions.append(Mention(place.start, target))
        return FunctionText(self._name(definition), start, end, declared, tuple(mentions))

    def _declared(self, cursor: Cursor) -> Declared:
        library = self._library
        name = self._name(cursor)
        start = self._name_span(cursor, name).start
        if cursor.kind not in _VARIABLES:
            return Declared(name, start, is_variable=False)
        is_linked = library.getCursorLinkage(cursor) != kinds.NO_LINKAGE
        is_register = library.Cursor_getStorageClass(cursor) == STORAGE_REGISTER
        return Declared(name, start, not is_linked, self._type_text(cursor), is_register)

    def _type_text(self, variable: Cursor) -> str:
        """The text of a variable's type; for a parameter, with arrays and functions adjusted to pointers."""
        library = self._library
        type_ = library.getCursorType(variable)
        if variable.kind == kinds.PARAMETER:
            canonical = library.getCanonicalType(type_)
            if canonical.kind in _ARRAYS:
                return f"__typeof__({library.text(library.getTypeSpelling(library.getArrayElementType(type_)))}) *"
            if canonical.kind in {kinds.FUNCTION_TYPE, kinds.FUNCTION_WITHOUT_PROTOTYPE_TYPE}:
                return f"__typeof__({library.text(library.getTypeSpelling(type_))}) *"
        return library.text(library.getTypeSpelling(type_))

    def _note_constant_parts(self, cursor: Cursor, result: FileText) -> None:
        type_ = self._library.getCursorType(cursor)
        if self._is_constant(type_):
            return
        waiting = [type_]
        while waiting:
            part = self._library.getCanonicalType(waiting.pop())
            for each in self._parts(part):
                if self._library.isConstQualifiedType(self._library.getCanonicalType(each)):
                    name = self._name(cursor)
                    result.partly_constant.add((self._name_span(cursor, name).start, name))
                    return
                waiting.append(each)

    def _is_constant(self, type_: Type) -> bool:
        type_ = self._library.getCanonicalType(type_)
        while type_.kind in _ARRAYS:
            type_ = self._library.getCanonicalType(self._library.getArrayElementType(type_))
        return bool(self._library.isConstQualifiedType(type_))

    def _parts(self, type_: Type) -> Sequence[Type]:
        """The types of the parts of an object. (What a pointer points to is no part.)"""
        if type_.kind in _ARRAYS:
            return [self._library.getArrayElementType(type_)]
        if type_.kind != kinds.RECORD_TYPE:
            return []
        found: list[Type] = []

        def visit(field_: Cursor, _: object) -> int:
            found.append(self._library.getCursorType(field_))
            return VISIT_CONTINUE

        self._library.Type_visitFields(type_, FIELD_VISITOR(visit), None)
        return found

    def _name(self, cursor: Cursor) -> str:
        return self._library.text(self._library.getCursorSpelling(cursor))

    def _name_span(self, cursor: Cursor, name: str) -> Span:
        return self._places.span_of_name(cursor, name)

    def _extent(self, cursor: Cursor) -> tuple[int, int] | None:
        """The start and end of a declaration in the text; None if it is in another file."""
        from remuda.frontends.c.clang.tree import Node

        span = self._places.span(Node(cursor))
        return (span.start, span.end) if span.source is self._source and span.end > span.start else None
