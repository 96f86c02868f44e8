"""The symbols that a program declares, and the resolution of type expressions.

Types, functions, procedures and variables have separate namespaces. A polymorphic map type is represented by a
datatype whose fields are its ground instances, which are collected during a pass over the program:

    var h: <a>[ref, Field a]a;        h is a record of maps [ref, Field int]int, [ref, Field bool]bool, ...
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, final

from remuda.base.source import Source, Span
from remuda.frontends.boogie.ast import (
    FunctionDeclaration,
    ImplementationDeclaration,
    MapTypeNode,
    NameType,
    ProcedureDeclaration,
    TypeNode,
)
from remuda.frontends.boogie.type_inference import (
    MAXIMAL_DEPTH,
    MAXIMAL_SIZE,
    TypeParameter,
    instantiate,
    is_too_large,
    leaves,
    parts,
)
from remuda.ir.program import Datatype
from remuda.terms.symbols import Constructor
from remuda.terms.types import (
    BOOL,
    INT,
    REAL,
    ROUNDING,
    BvType,
    DataType,
    FloatType,
    MapType,
    NamedType,
    Type,
)

if TYPE_CHECKING:
    from remuda.frontends.boogie.problems import Problems
    from remuda.terms.term import Term

TypeEnvironment = Mapping[str, Type]
ApplicationBuilder = Callable[[Sequence["Term"]], "Term"]

_BITS = re.compile(r"bv(0|[1-9][0-9]*)")
_FLOAT = re.compile(r"float([1-9][0-9]*)e([1-9][0-9]*)")
_BASIC: dict[str, Type] = {
    "bool": BOOL,
    "int": INT,
    "real": REAL,
    "rmode": ROUNDING,
}


@final
@dataclass(slots=True)
class TypeSymbol:
    """A declared type constructor, synonym or datatype."""

    name: str
    parameters: list[str]
    synonym: TypeNode | None
    span: Span
    is_datatype: bool = False
    constructors: list[ConstructorSymbol] = field(default_factory=list)


@final
@dataclass(slots=True)
class ConstructorSymbol:
    """A datatype constructor; its types mention `type_parameters`."""

    name: str
    type_parameters: tuple[str, ...]
    fields: tuple[tuple[str, Type], ...]
    result: DataType


@final
@dataclass(slots=True, eq=False)
class FunctionSymbol:
    """A function; `build` gives the builder of its applications for ground type arguments."""

    name: str
    type_parameters: tuple[str, ...]
    parameters: tuple[Type, ...]
    result: Type
    build: Callable[[tuple[Type, ...]], ApplicationBuilder]
    span: Span
    declaration: FunctionDeclaration | None = None
    builders: dict[tuple[Type, ...], ApplicationBuilder] = field(default_factory=dict)

    def builder(self, type_arguments: tuple[Type, ...]) -> ApplicationBuilder:
        found = self.builders.get(type_arguments)
        if found is None:
            found = self.builders[type_arguments] = self.build(type_arguments)
        return found


@final
@dataclass(slots=True, eq=False)
class ProcedureSymbol:
    """A procedure, with its signature over type parameters, and its implementations."""

    name: str
    declaration: ProcedureDeclaration
    source: Source
    inputs: tuple[Type, ...]
    outputs: tuple[Type, ...]
    implementations: list[tuple[ImplementationDeclaration, Source]] = field(default_factory=list)

    @property
    def span(self) -> Span:
        return Span(self.source, self.declaration.start, self.declaration.end)

    @property
    def has_body(self) -> bool:
        return self.declaration.body is not None or bool(self.implementations)


@final
@dataclass(frozen=True, slots=True)
class MapSchema:
    """A polymorphic map type: `domain` and `range` mention `parameters`."""

    parameters: tuple[str, ...]
    domain: tuple[Type, ...]
    range: Type


@final
class Instances:
    """The ground instances that a program needs, collected in several passes.

    `grew` says that a pass has found new instances, so it must be repeated. `universe` has the types that instantiate
    type parameters, except for those that a polymorphic quantifier chooses. One type may only stand for all others if
    it is used in a uniform way; `uneven` has the quantifiers and functions that do not do so.
    """

    def __init__(self) -> None:
        self.maps: dict[DataType, dict[tuple[Type, ...], None]] = {}
        self.universe: dict[Type, None] = {}
        self.uneven: set[int | str] = set()  # identities of quantifier nodes, names of functions
        self.quantified = False  # whether the program has a polymorphic quantifier
        self.grew = False

    def add_map(self, map_: DataType, arguments: tuple[Type, ...]) -> None:
        known = self.maps.setdefault(map_, {})
        if arguments not in known:
            known[arguments] = None
            self.grew = True

    def add_types(self, types: Sequence[Type]) -> None:
        for type_ in types:
            if type_ not in self.universe:
                self.universe[type_] = None
                self.grew = self.grew or self.quantified

    def add_uneven(self, what: int | str) -> None:
        if what not in self.uneven:
            self.uneven.add(what)
            self.grew = True


@final
class TypeTable:
    """The declared types, and the ground types made from them."""

    def __init__(self, problems: Problems, instances: Instances) -> None:
        self.problems = problems
        self.instances = instances
        self.symbols: dict[str, TypeSymbol] = {}
        self._noted: dict[NamedType | DataType, None] = {}  # ground types, in the order of their first use
        self.schemas: dict[DataType, MapSchema] = {}
        self._datatypes: dict[DataType, Datatype] = {}
        self._map_layouts: dict[DataType, tuple[tuple[Type, ...], ...]] = {}
        self._expanding: list[str] = []
        self._expanded: dict[tuple[str, tuple[Type, ...]], Type | None] = {}

    def declare(self, symbol: TypeSymbol) -> None:
        if symbol.name in self.symbols or symbol.name in _BASIC or _BITS.fullmatch(symbol.name):
            self.problems.report(symbol.span, f"more than one declaration of type name: {symbol.name}")
            return
        self.symbols[symbol.name] = symbol

    # --- resolution

    def resolve(self, node: TypeNode, source: Source, environment: TypeEnvironment, level: int = 0) -> Type | None:
        """The type that a type expression denotes; None after an error."""
        if level > MAXIMAL_DEPTH:
            span = Span(source, node.start, node.end)
            self.problems.unsupported(span, f"a type nested more than {MAXIMAL_DEPTH} deep")
            return None
        if isinstance(node, MapTypeNode):
            return self._resolve_map(node, source, environment, level)
        if not node.arguments:
            simple = environment.get(node.name) or self._simple(node.name)
            if simple is not None:
                return simple
        return self._resolve_name(node, source, environment, level)

    def _simple(self, name: str) -> Type | None:
        symbol = self.symbols.get(name)
        if symbol is not None:
            return None
        found = _BASIC.get(name)
        if found is not None:
            return found
        bits = _BITS.fullmatch(name)
        if bits is not None:
            return BvType(int(bits[1]))
        floating = _FLOAT.fullmatch(name)
        return FloatType(int(floating[1]), int(floating[2])) if floating is not None else None

    def _resolve_name(self, node: NameType, source: Source, environment: TypeEnvironment, level: int) -> Type | None:
        span = Span(source, node.start, node.end)
        symbol = self.symbols.get(node.name)
        if symbol is None:
            if node.name in environment or self._simple(node.name) is not None:
                self.problems.report(span, f"type {node.name} takes no arguments")
            else:
                self.problems.report(span, f"undeclared type: {node.name}")
            return None
        if len(node.arguments) != len(symbol.parameters):
            self.problems.report(
                span,
                f"type {node.name} takes {len(symbol.parameters)} arguments, but {len(node.arguments)} are given",
            )
            return None
        arguments = self._resolve_all(node.arguments, source, environment, level)
        if arguments is None:
            return None
        if symbol.synonym is not None:
            return self._expand(symbol, symbol.synonym, arguments, span, level)
        return self._make(symbol, arguments, span)

    def _resolve_all(
        self, nodes: Sequence[TypeNode], source: Source, environment: TypeEnvironment, level: int
    ) -> tuple[Type, ...] | None:
        types = [self.resolve(node, source, environment, level + 1) for node in nodes]
        found = tuple([type_ for type_ in types if type_ is not None])
        return found if len(found) == len(types) else None

    def _make(self, symbol: TypeSymbol, arguments: tuple[Type, ...], span: Span) -> Type | None:
        constructor = DataType if symbol.is_datatype else NamedType
        made = self._limited(constructor(symbol.name, arguments), span)
        if made is not None:
            self.note(made)
        return made

    def _limited(self, type_: Type, span: Span) -> Type | None:
        if is_too_large(type_):
            self.problems.unsupported(span, f"a type with more than {MAXIMAL_SIZE} parts, or nested too deeply")
            return None
        return type_

    def note(self, type_: Type) -> None:
        """Add a ground uninterpreted type or datatype to the program's types."""
        if isinstance(type_, (NamedType, DataType)) and type_ not in self._noted:
            if not any(isinstance(leaf, TypeParameter) for leaf in leaves(type_)):
                self._noted[type_] = None

    def _expand(
        self, symbol: TypeSymbol, body: TypeNode, arguments: tuple[Type, ...], span: Span, level: int
    ) -> Type | None:
        key = (symbol.name, arguments)
        if key in self._expanded:
            return self._expanded[key]
        if symbol.name in self._expanding:
            self.problems.report(symbol.span, f"type synonym {symbol.name} is defined by itself")
            return None
        self._expanding.append(symbol.name)
        environment = dict(zip(symbol.parameters, arguments, strict=True))
        found = self.resolve(body, symbol.span.source, environment, level + 1)
        self._expanding.pop()
        self._expanded[key] = None if found is None else self._limited(found, span)
        return self._expanded[key]

    def _resolve_map(
        self, node: MapTypeNode, source: Source, environment: TypeEnvironment, level: int
    ) -> Type | None:
        if node.parameters:
            return self._resolve_polymorphic_map(node, source, environment, level)
        domain = self._resolve_all(node.domain, source, environment, level)
        range_ = self.resolve(node.range, source, environment, level + 1)
        return None if domain is None or range_ is None else MapType(domain, range_)

    def _resolve_polymorphic_map(
        self, node: MapTypeNode, source: Source, environment: TypeEnvironment, level: int
    ) -> Type | None:
        span = Span(source, node.start, node.end)
        if len(set(node.parameters)) != len(node.parameters):
            self.problems.report(span, "more than one declaration of a type variable")
            return None
        canonical = tuple(f"t{position}" for position in range(len(node.parameters)))
        own = {name: TypeParameter(new) for name, new in zip(node.parameters, canonical, strict=True)}
        inner = {**environment, **own}
        domain = self._resolve_all(node.domain, source, inner, level)
        range_ = self.resolve(node.range, source, inner, level + 1)
        if domain is None or range_ is None:
            return None
        return self._schema(MapSchema(canonical, domain, range_), span)

    def _schema(self, schema: MapSchema, span: Span) -> Type | None:
        body = MapType(schema.domain, schema.range)
        for leaf in leaves(body):
            if isinstance(leaf, TypeParameter) and leaf.name not in schema.parameters:
                self.problems.unsupported(span, "a polymorphic map type that mentions another type parameter")
                return None
        type_ = DataType(f"<{', '.join(schema.parameters)}>{body}")
        self.schemas[type_] = schema
        self.note(type_)
        return type_

    # --- datatypes and the records behind polymorphic maps

    def constructors(self, type_: DataType) -> tuple[Constructor, ...]:
        """The constructors of a ground datatype."""
        return self.datatype(type_).constructors

    def datatype(self, type_: DataType) -> Datatype:
        found = self._datatypes.get(type_)
        if found is None:
            made = self._map_record(type_) if type_ in self.schemas else self._instantiate(type_)
            found = self._datatypes[type_] = Datatype(type_, tuple(made))
        return found

    def _instantiate(self, type_: DataType) -> list[Constructor]:
        made = []
        for symbol in self.symbols[type_.name].constructors:
            mapping = dict(zip(symbol.type_parameters, type_.arguments, strict=True))
            fields = tuple(
                (name, instantiate_noting(self, field_type, mapping)) for name, field_type in symbol.fields
            )
            made.append(Constructor(symbol.name, type_, fields))
        return made

    def _map_record(self, type_: DataType) -> list[Constructor]:
        layout = self.map_layout(type_)
        fields = [(self._instance_name(arguments), self.map_component(type_, arguments)) for arguments in layout]
        rest = NamedType(f"rest of {type_.name}")  # instances that are not mentioned, in which maps may differ
        self.note(rest)
        return [Constructor(f"record {type_.name}", type_, (*fields, ("rest", rest)))]

    def _instance_name(self, arguments: tuple[Type, ...]) -> str:
        return ", ".join(map(str, arguments))

    def map_layout(self, type_: DataType) -> tuple[tuple[Type, ...], ...]:
        """The instances of a polymorphic map that were known at the start of this pass."""
        found = self._map_layouts.get(type_)
        if found is None:
            found = self._map_layouts[type_] = tuple(self.instances.maps.get(type_, ()))
        return found

    def map_component(self, type_: DataType, arguments: tuple[Type, ...]) -> MapType:
        schema = self.schemas[type_]
        mapping = dict(zip(schema.parameters, arguments, strict=True))
        domain = tuple(instantiate_noting(self, part, mapping) for part in schema.domain)
        return MapType(domain, instantiate_noting(self, schema.range, mapping))

    def used_datatypes(self) -> tuple[Datatype, ...]:
        """The ground datatypes that were noted, and those that their fields need."""
        pending: list[Type] = [type_ for type_ in self._noted if isinstance(type_, DataType)]
        while pending:
            for found in _datatypes_in(pending.pop()):
                if found not in self._datatypes:
                    pending.extend(_field_types(self.datatype(found)))
        return tuple(self._datatypes.values())

    def used_types(self) -> tuple[NamedType, ...]:
        """The ground uninterpreted types that were noted."""
        return tuple(type_ for type_ in self._noted if isinstance(type_, NamedType))


def _field_types(datatype: Datatype) -> list[Type]:
    return [type_ for constructor in datatype.constructors for _, type_ in constructor.fields]


def _datatypes_in(type_: Type) -> list[DataType]:
    found = []
    stack = [type_]
    while stack:
        current = stack.pop()
        stack.extend(parts(current))
        if isinstance(current, DataType):
            found.append(current)
    return found


def instantiate_noting(table: TypeTable, type_: Type, mapping: Mapping[str, Type]) -> Type:
    """The result of `instantiate`; if it is ground, its uninterpreted types are noted."""
    made = instantiate(type_, mapping)
    note_all(table, made)
    return made


def note_all(table: TypeTable, type_: Type) -> None:
    stack = [type_]
    while stack:
        current = stack.pop()
        table.note(current)
        stack.extend(parts(current))
