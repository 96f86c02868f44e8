"""Replace a map that is accessed at constant indices only by variables for its elements.

before:  m := m[64 := 1][68 := x];     y := m[68];
after:   m$68 := x;                    y := m$68;

The fields of global objects are such maps in programs from C, once addresses are known (`transforms.fix_indices`). A
variable is cheaper than a map wherever it is compared, merged, or copied for every round of a schedule; elements that
are never read cost nothing. Statements keep their positions.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, ClassVar, Final, final

from remuda.base.names import FreshNames
from remuda.ir.edit import plain_attributes, terms_of, with_terms
from remuda.ir.passes import PassResult, unchanged
from remuda.ir.program import Assign, Assume, Call, Havoc, Procedure, Program, Statement
from remuda.ir.trace import Choose, Event, Trace
from remuda.terms.symbols import Variable, VariableKind
from remuda.terms.term import postorder, variables_of
from remuda.terms.types import BOOL, INT, BvType, MapType
from remuda.terms.values import MapValue, Value

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from remuda.terms.store import Terms
    from remuda.terms.term import Term

MOST_PLACES: Final = 64  # of one map; more variables than that are no cheaper

Index = tuple["Term", ...]


@final
@dataclass(frozen=True, slots=True)
class SplitMaps:
    """The pass, for global maps. Contracts must be statements already."""

    name: ClassVar[str] = "split-maps"

    def apply(self, program: Program) -> PassResult:
        read = _places_read(program)
        if not read:
            return PassResult(program, unchanged)
        places = _places(program, read)
        return PassResult(_Splitting(program.terms, places.variables).split(program), places.lift)


# --- which maps


def _places_read(program: Program) -> dict[Variable, list[Index]]:
    """The maps that can be split, and where they are read."""
    candidates = {
        variable
        for variable in program.globals
        if isinstance(variable.type, MapType) and _is_plain(variable.type) and variable not in program.thread_locals
    }
    candidates.difference_update(variables_of(program.wheres.values()), program.wheres)
    read: dict[Variable, dict[Index, None]] = {variable: {} for variable in candidates}

    def look(roots: Iterable[Term]) -> None:
        for term in postorder([*roots]):
            if term.op == "select" and _is_map(term.args[0], candidates) and _are_literals(term.args[1:]):
                read[term.args[0].payload][term.args[1:]] = None
                continue
            candidates.difference_update(each.payload for each in term.args if each.op == "var")

    for statement in _statements(program):
        if isinstance(statement, Call):
            candidates.difference_update(statement.results)
        for target, value in _assigned(statement):
            rest, stored = _peel(value)
            if rest.op != "var" or rest.payload is not target:
                candidates.discard(target)
                stored, rest = [], value
            look(written for _, written in stored)
            if rest is value:
                candidates.difference_update([value.payload] if value.op == "var" else ())
                look([value])
        if not isinstance(statement, Assign):
            roots = terms_of(statement)
            candidates.difference_update(each.payload for each in roots if each.op == "var")
            look(roots)
    for procedure in program.procedures.values():
        contract = [condition.term for condition in (*procedure.requires, *procedure.ensures)]
        candidates.difference_update(each.payload for each in postorder(contract) if each.op == "var")
        candidates.difference_update(procedure.modifies if procedure.blocks is None else ())
    found = ((variable, list(read[variable])) for variable in program.globals if variable in candidates)
    return {variable: indices for variable, indices in found if 0 < len(indices) <= MOST_PLACES}


def _is_plain(type_: MapType) -> bool:
    return all(each in {BOOL, INT} or isinstance(each, BvType) for each in (*type_.domain, type_.range))


def _is_map(term: Term, candidates: set[Variable]) -> bool:
    return term.op == "var" and term.payload in candidates


def _are_literals(terms: Iterable[Term]) -> bool:
    return all(term.op in {"bool", "int", "bv"} for term in terms)


def _assigned(statement: Statement) -> Iterator[tuple[Variable, Term]]:
    if isinstance(statement, Assign):
        yield from zip(statement.targets, statement.values, strict=True)


def _peel(value: Term) -> tuple[Term, list[tuple[Index, Term]]]:
    """The base of a map, and the values stored into it at constant indices, the last first."""
    stored: list[tuple[Index, Term]] = []
    while value.op == "store" and _are_literals(value.args[1:-1]):
        stored.append((value.args[1:-1], value.args[-1]))
        value = value.args[0]
    return value, stored


def _statements(program: Program) -> Iterator[Statement]:
    for procedure in program.procedures.values():
        for block in procedure.blocks or ():
            yield from block.statements


# --- the split program


def _places(program: Program, read: Mapping[Variable, list[Index]]) -> _Places:
    fresh = FreshNames(variable.name for variable in program.globals)
    places = _Places(program.terms)
    for map_, indices in read.items():
        assert isinstance(map_.type, MapType)
        variables = {}
        for index in indices:
            name = fresh.make(f"{map_.name}${'.'.join(str(_value(each)) for each in index)}".replace("-", "minus"))
            variables[index] = Variable(name, map_.type.range, VariableKind.GLOBAL)
            places.of[variables[index]] = map_, index
        places.variables[map_] = variables
    return places


def _value(literal: Term) -> Value:
    value: Value = literal.payload[0] if literal.op == "bv" else literal.payload
    return value


@final
@dataclass(frozen=True, slots=True)
class _Splitting:
    """The rewriting of a program."""

    terms: Terms
    variables: Mapping[Variable, Mapping[Index, Variable]]

    def split(self, program: Program) -> Program:
        return replace(
            program,
            procedures={name: self._procedure(procedure) for name, procedure in program.procedures.items()},
            globals=self._all(program.globals),
        )

    def _all(self, variables: Iterable[Variable]) -> tuple[Variable, ...]:
        """Variables, with those in place of the maps that are split."""
        return tuple(
            each
            for variable in variables
            for each in (self.variables[variable].values() if variable in self.variables else (variable,))
        )

    def _procedure(self, procedure: Procedure) -> Procedure:
        blocks = procedure.blocks and tuple(
            replace(block, statements=tuple(self._statement(statement) for statement in block.statements))
            for block in procedure.blocks
        )
        return replace(procedure, blocks=blocks, modifies=self._all(procedure.modifies))

    def _statement(self, statement: Statement) -> Statement:
        """The new statement, without attributes that mention terms: traces use those of the original."""
        statement = replace(statement, attributes=plain_attributes(statement))
        match statement:
            case Assign():
                return self._assignment(statement)
            case Havoc():
                return replace(statement, variables=self._all(statement.variables))
            case _:
                return with_terms(statement, tuple(self._read(terms_of(statement))))

    def _assignment(self, statement: Assign) -> Statement:
        pairs: list[tuple[Variable, Term]] = []
        for target, value in _assigned(statement):
            variables = self.variables.get(target)
            if variables is None:
                pairs.append((target, value))
                continue
            last: dict[Index, Term] = {}
            for index, written in _peel(value)[1]:
                last.setdefault(index, written)
            pairs += [(variables[index], written) for index, written in last.items() if index in variables]
        if not pairs:
            return Assume(self.terms.true, statement.span)
        targets, values = zip(*pairs, strict=True)
        return replace(statement, targets=targets, values=tuple(self._read(values)))

    def _read(self, roots: Iterable[Term]) -> list[Term]:
        def leaf(term: Term) -> Term | None:
            if term.op == "select" and term.args[0].op == "var" and term.args[0].payload in self.variables:
                return self.terms.var(self.variables[term.args[0].payload][term.args[1:]])
            return None

        return self.terms.rewrite([*roots], leaf)


# --- traces


@final
@dataclass(frozen=True, slots=True)
class _Places:
    """The variables of each map, and the element that each variable stands for."""

    terms: Terms
    variables: dict[Variable, dict[Index, Variable]] = field(default_factory=dict)
    of: dict[Variable, tuple[Variable, Index]] = field(default_factory=dict)

    def lift(self, trace: Trace) -> Trace:
        """The same execution, with values for maps."""
        events = [self._event(event) for event in trace.events]
        return replace(trace, initial=self._with_maps(trace.initial), events=tuple(events))

    def _event(self, event: Event) -> Event:
        if not isinstance(event, Choose):
            return event
        return Choose(self._with_maps(event.values), self._of_maps(event.terms))

    def _of_maps(self, terms: Mapping[Variable, Term]) -> dict[Variable, Term]:
        selections = {each: self.terms.select(self.terms.var(map_), index) for each, (map_, index) in self.of.items()}
        return (
            dict(zip(terms, self.terms.substitute(tuple(terms.values()), selections), strict=True)) if terms else {}
        )

    def _with_maps(self, values: Mapping[Variable, Value]) -> dict[Variable, Value]:
        told: dict[Variable, Value] = {}
        maps: dict[Variable, dict[tuple[Value, ...], Value]] = {}
        for variable, value in values.items():
            place = self.of.get(variable)
            if place is None:
                told[variable] = value
            else:
                map_, index = place
                maps.setdefault(map_, {})[tuple(_value(each) for each in index)] = value
        for map_, entries in maps.items():
            assert isinstance(map_.type, MapType)
            elsewhere: Value = False if map_.type.range == BOOL else 0  # nothing reads it
            told[map_] = MapValue(elsewhere, entries)
        return told
