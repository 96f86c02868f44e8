"""Links several translation units into one program.

The units are converted one after the other with one `Linker`: they share entities with external linkage, and records
with the same tag and layout. So nothing needs to be replaced afterwards; only static names that several units use are
made unique at the end.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias, final

from remuda.base.errors import Diagnostic, InputError
from remuda.frontends.c.syntax.ast import Function, Storage, Unit, Variable
from remuda.frontends.c.syntax.types import (
    ArrayType,
    CType,
    FunctionType,
    PointerType,
    RecordType,
    VariableArrayType,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from remuda.base.source import Span

Signature: TypeAlias = tuple[object, ...]


@final
@dataclass(slots=True)
class _Known:
    """A record of the program, and the signature of its layout (None while it is only declared)."""

    record: RecordType
    signature: Signature | None


INLINE, WEAK, TENTATIVE, STRONG = range(4)  # the greatest definition of a symbol wins


@final
@dataclass(frozen=True, slots=True)
class _Definition:
    span: Span
    rank: int


def _rank(function: Function) -> int:
    return INLINE if function.is_inline else WEAK if function.is_weak else STRONG


@final
class Linker:
    """The entities that the units of a program share."""

    def __init__(self) -> None:
        self._functions: dict[str, Function] = {}
        self._definitions: dict[str, _Definition] = {}  # of functions, and of initialised variables
        self._variables: dict[str, Variable] = {}
        self._records: dict[tuple[str, str], list[_Known]] = {}
        self.unit = 0  # the number of the unit that is converted
        self.late: dict[int, Span] = {}  # units with an alias that an earlier unit uses, and where the alias is
        self._conflicts: list[Diagnostic] = []
        self._warnings: list[tuple[Span, str]] = []

    # --- records

    def record(self, kind: str, tag: str, signature: Signature | None) -> RecordType | None:
        """The same record from another unit; a declared record takes the layout of a later definition. None if the
        record is new: then `add_record` follows."""
        known = self._records.get((kind, tag), [])
        if signature is None:  # it is unknown which of several is meant
            return known[0].record if len(known) == 1 else None
        for entry in known:
            if entry.signature == signature:
                return entry.record
        for entry in known:
            if entry.signature is None:
                entry.signature = signature
                return entry.record
        return None

    def add_record(self, kind: str, tag: str, signature: Signature | None, record: RecordType) -> None:
        self._records.setdefault((kind, tag), []).append(_Known(record, signature))

    # --- functions

    def function(self, declared: Function, *, defines: bool) -> tuple[Function, bool]:
        """The function of the program that a unit declares, and whether this unit's body counts."""
        symbol = declared.symbol or declared.name
        found = self._functions.setdefault(symbol, declared)
        if found is not declared and not compatible(found.type, declared.type):
            self._warnings.append((declared.span, f"{declared.name} is declared with another type at {found.span}"))
        found.is_noreturn = found.is_noreturn or declared.is_noreturn
        found.is_weak = found.is_weak and declared.is_weak
        found.obstacle = found.obstacle or declared.obstacle
        if not defines:
            return found, False
        earlier = self._definitions.get(symbol)
        counts = self._defines(symbol, _Definition(declared.span, _rank(declared)))
        if earlier is not None and INLINE in {earlier.rank, _rank(declared)} and earlier.span != declared.span:
            taken, other = (declared.span, earlier.span) if counts else (earlier.span, declared.span)
            self._warnings.append(
                (taken, f"{declared.name} is assumed to be what is called, not the (inline) definition at {other}")
            )
        if not counts:
            return found, False
        found.name, found.symbol = declared.name, declared.symbol
        found.type, found.span, found.is_inline = declared.type, declared.span, declared.is_inline
        return found, True

    def _defines(self, symbol: str, definition: _Definition) -> bool:
        """Whether a definition counts: one that is not weak wins, otherwise the first."""
        earlier = self._definitions.get(symbol)
        if earlier is not None and earlier.rank >= definition.rank:
            if definition.rank == STRONG:
                self._conflict(definition.span, f"{symbol} is defined twice, first at {earlier.span}")
            return False
        self._definitions[symbol] = definition
        return True

    # --- variables

    def variable(self, declared: Variable, symbol: str, *, has_value: bool) -> Variable:
        """The variable of the program that a unit declares; `has_value` says that it is initialised there."""
        found = self._variables.setdefault(symbol, declared)
        if declared.storage is Storage.GLOBAL and not declared.is_weak and not has_value:
            earlier = self._definitions.get(symbol)
            if earlier is None or earlier.rank == WEAK:
                found.initializer = None  # the one of a weak definition does not count
                self._definitions[symbol] = _Definition(declared.span, TENTATIVE)
        if found is declared:
            return found
        if not compatible(found.type, declared.type):
            self._conflict(
                declared.span,
                f"{declared.name} has type {declared.type} here, and {found.type} at {found.span}",
            )
        elif isinstance(found.type, ArrayType) and found.type.length is None:
            found.type = declared.type
        if declared.storage is Storage.GLOBAL:
            found.storage, found.name = Storage.GLOBAL, declared.name
        found.is_volatile = found.is_volatile or declared.is_volatile
        found.is_weak = found.is_weak and declared.is_weak
        return found

    def initializes(self, symbol: str, span: Span, *, is_weak: bool) -> bool:
        """Whether a unit's initialiser of a variable counts."""
        return self._defines(symbol, _Definition(span, WEAK if is_weak else STRONG))

    def alias(self, symbol: str, target: Variable | Function, span: Span) -> None:
        """Make a symbol an alias. Later units see it; if an earlier unit has used the symbol already, this unit has
        to be converted first (`late`)."""
        table = self._variables if isinstance(target, Variable) else self._functions
        if table.get(symbol, target) is not target:
            self.late.setdefault(self.unit, span)
        if isinstance(target, Variable):
            self._variables[symbol] = target
        else:
            self._functions[symbol] = target

    def _conflict(self, span: Span, message: str) -> None:
        self._conflicts.append(Diagnostic(span, message))

    # --- the program

    def program(self, units: Sequence[Unit]) -> Unit:
        """The linked unit; an `InputError` if the units contradict each other."""
        if self._conflicts:
            raise InputError(self._conflicts)
        functions = list(dict.fromkeys(function for unit in units for function in unit.functions.values()))
        variables = list(dict.fromkeys(variable for unit in units for variable in unit.variables))
        _make_names_unique(functions, variables)
        warnings = [warning for unit in units for warning in unit.warnings] + self._warnings
        by_name = {function.name: function for function in functions}
        constructors = [run for unit in units for run in unit.constructors]
        destructors = [run for unit in units for run in unit.destructors]
        return Unit(
            units[0].machine,
            by_name,
            tuple(variables),
            tuple(warnings),
            constructors=tuple(sorted(constructors, key=_priority)),
            destructors=tuple(sorted(destructors, key=_priority)[::-1]),
            unused=tuple(span for unit in units for span in unit.unused),
        )


def _priority(run: tuple[int, Function]) -> int:
    return run[0]


def _make_names_unique(functions: Sequence[Function], variables: Sequence[Variable]) -> None:
    """Rename entities of file scope whose name is taken: static ones, and those whose name is not their symbol. The
    first unit keeps the name."""
    of_file_scope = [variable for variable in variables if variable.storage is not Storage.STATIC]
    everything: list[Function | Variable] = [*functions, *of_file_scope]
    taken: set[str] = set()
    for entity in sorted(everything, key=lambda each: each.is_static):
        name, number = entity.name, 2
        while entity.name in taken:
            entity.name = f"{name}${number}"
            number += 1
        taken.add(entity.name)


def compatible(left: CType, right: CType) -> bool:
    """Whether declarations with these types in two units may be of the same entity. Recursive records are compared
    with an explicit stack, each pair once."""
    waiting = [(left, right)]
    seen: set[tuple[int, int]] = set()
    while waiting:
        one, other = waiting.pop()
        if one is other or (id(one), id(other)) in seen:
            continue
        seen.add((id(one), id(other)))
        match one, other:
            case (PointerType(), PointerType()):
                waiting.append((one.target, other.target))
            case (ArrayType() | VariableArrayType(), ArrayType() | VariableArrayType()):
                if _lengths_differ(one, other):
                    return False
                waiting.append((one.element, other.element))
            case (FunctionType(), FunctionType()):
                if not _same_parameter_count(one, other):
                    return False
                waiting.append((one.result, other.result))
                waiting.extend(zip(one.parameters, other.parameters, strict=False))
            case (RecordType(), RecordType()):
                if not _same_layout(one, other):
                    return False
                pairs = zip(one.fields, other.fields, strict=False)
                waiting.extend((mine.type, theirs.type) for mine, theirs in pairs)
            case _:
                if one != other:
                    return False
    return True


def _lengths_differ(one: ArrayType | VariableArrayType, other: ArrayType | VariableArrayType) -> bool:
    lengths = [array.length for array in (one, other) if isinstance(array, ArrayType) and array.length is not None]
    return len(lengths) == 2 and lengths[0] != lengths[1]


def _same_parameter_count(one: FunctionType, other: FunctionType) -> bool:
    if not (one.has_prototype and other.has_prototype):
        return True
    return len(one.parameters) == len(other.parameters) and one.is_variadic == other.is_variadic


def _same_layout(one: RecordType, other: RecordType) -> bool:
    if (one.kind, one.tag) != (other.kind, other.tag):
        return False
    if not (one.is_complete and other.is_complete):
        return True
    if one.size != other.size or len(one.fields) != len(other.fields):
        return False
    return all(
        (mine.name, mine.offset, mine.bits) == (theirs.name, theirs.offset, theirs.bits)
        for mine, theirs in zip(one.fields, other.fields, strict=True)
    )
