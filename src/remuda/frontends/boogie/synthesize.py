"""Finds the points of Boogie programs for assertions, and writes assertions or recording calls there.

    procedure P(n: int) returns (r: int)
    { var i: int;
      assert n >= 0; i := 0;                             the entry
      while (i < n) { assert i <= n; i := i + 1; }       the start of a loop's body; also of a loop made by `goto`
      r := i; assert r == i; }                           an exit

It only inserts statements, without line breaks, so all lines keep their numbers.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final, final

from remuda.base.predicates import Comparison, Kind, Moment, Observed, OneOf, Point, Predicate
from remuda.frontends.boogie.ast import (
    Application,
    AssignStatement,
    AtomicStatement,
    CallStatement,
    Expression,
    FieldAccess,
    GlobalDeclaration,
    GotoStatement,
    HavocStatement,
    IfStatement,
    ImplementationDeclaration,
    LabelStatement,
    Name,
    NameType,
    ProcedureDeclaration,
    ReturnStatement,
    Select,
    TypeDeclaration,
    WhileStatement,
)
from remuda.frontends.boogie.parser import parse
from remuda.frontends.boogie.tokens import BIT_VECTOR, IDENTIFIER, INTEGER, tokenize

if TYPE_CHECKING:
    from remuda.base.source import Source
    from remuda.frontends.boogie.ast import Body, StatementNode, TypeNode, VariableDeclaration

MOST_VARIABLES: Final = 14  # the most variables of one point: those that the procedure mentions most often
COMPARISONS: Final = frozenset({"==", "!=", "<", "<=", ">", ">=", ":="})
RECORD: Final = "remuda_point_"
_BITS: Final = re.compile(r"bv([1-9][0-9]*)")
_NAME: Final = re.compile(r"[\w'~#$^.?`]+")


@final
@dataclass(slots=True)
class _Body:
    """The points of a body, and the assignments and labels in it."""

    points: list[tuple[int, Moment]] = field(default_factory=list)
    assigned: dict[str, int] = field(default_factory=dict)  # variables, with the offset of their first assignment
    labels: dict[str, tuple[int, int | None]] = field(default_factory=dict)  # offsets, and those after them
    gotos: list[GotoStatement] = field(default_factory=list)


@final
class BoogieText:
    """The text of one file. `points` are in the order of the text."""

    def __init__(self, source: Source) -> None:
        self.source: Final = source
        declarations = parse(source)
        self._synonyms = {
            each.name: each.synonym
            for each in declarations
            if isinstance(each, TypeDeclaration) and each.synonym is not None and not each.parameters
        }
        self._globals = {
            variable.name: variable
            for each in declarations
            if isinstance(each, GlobalDeclaration)
            for variable in each.variables
        }
        self._tokens = tokenize(source)
        self._constants = self._find_constants()
        self._offsets: dict[int, int] = {}
        self._ranges: dict[str, list[tuple[int, int]]] = {}  # of the bodies of a procedure
        self._types: dict[int, list[str]] = {}  # of the variables of a point
        points: list[Point] = []
        for each in declarations:
            if isinstance(each, ProcedureDeclaration | ImplementationDeclaration) and each.body is not None:
                self._ranges.setdefault(each.name, []).append((each.body.start, each.body.end))
                points += self._points_of(each, each.body, len(points))
        self.points: Final = tuple(points)

    def _find_constants(self) -> dict[str, Counter[int]]:
        """The numbers with which names are compared, or which are assigned to them, in the whole file."""
        found: dict[str, Counter[int]] = {}
        kinds, texts = self._tokens.kinds, self._tokens.texts
        for position in range(1, len(kinds) - 1):
            if kinds[position] in COMPARISONS:
                for name, number in ((position - 1, position + 1), (position + 1, position - 1)):
                    if kinds[name] == IDENTIFIER and kinds[number] in {INTEGER, BIT_VECTOR}:
                        value = int(texts[number].partition("bv")[0])
                        found.setdefault(texts[name], Counter())[value] += 1
        return found

    # --- points

    def _points_of(
        self, procedure: ProcedureDeclaration | ImplementationDeclaration, body: Body, count: int
    ) -> Iterator[Point]:
        known = _look(body)
        parameters = {each.name: each for each in (*procedure.inputs, *procedure.outputs)}
        inputs = {each.name for each in procedure.inputs}
        own = {each.name: each for each in body.locals}
        visible: dict[str, VariableDeclaration] = {**self._globals, **parameters, **own}
        mentions = self._mentions(body)
        for offset, moment in sorted(known.points, key=lambda each: each[0]):
            names = [name for name in visible if name in inputs or name in mentions]
            given = {name for name in (*parameters, *own) if known.assigned.get(name, offset) < offset}
            names = [
                name for name in names if name in inputs or name in given or visible[name] is self._globals.get(name)
            ]
            names.sort(key=lambda name: -mentions[name])
            found: list[tuple[Observed, str]] = []
            for name in names:
                observed = self._observed(name, visible[name], name)
                if observed is not None and len(found) < MOST_VARIABLES:
                    found.append(observed)
            if moment is Moment.EXIT:
                changed = [
                    each.name
                    for each, _ in found
                    if each.name in known.assigned and visible[each.name] is self._globals.get(each.name)
                ]
                old = (self._observed(name, visible[name], f"old({name})") for name in changed)
                found += [each for each in old if each is not None]
            if found:
                count += 1
                self._offsets[count] = offset
                self._types[count] = [type_ for _, type_ in found]
                line = self.source.position(offset)[0]
                yield Point(count, procedure.name, moment, line, tuple(observed for observed, _ in found))

    def _mentions(self, body: Body) -> Counter[str]:
        tokens = self._tokens
        first, last = bisect_left(tokens.starts, body.start), bisect_left(tokens.starts, body.end)
        return Counter(tokens.texts[at] for at in range(first, last) if tokens.kinds[at] == IDENTIFIER)

    def _observed(self, name: str, variable: VariableDeclaration, text: str) -> tuple[Observed, str] | None:
        type_ = self._plain(variable.type)
        is_escaped = self.source.text.startswith("\\", variable.start)  # a keyword that is used as a name
        if type_ is None or is_escaped or not _NAME.fullmatch(name):
            return None
        counts = self._constants.get(name, Counter())
        constants = tuple(sorted(counts, key=lambda value: (-counts[value], value)))
        is_old = text != name
        if type_ == "int":
            return Observed(text, type_, Kind.NUMBER, constants=constants, is_old=is_old), type_
        if type_ == "bool":
            return Observed(text, type_, Kind.BOOLEAN, 0, 1, is_old=is_old), type_
        width = int(type_.removeprefix("bv"))
        return Observed(text, type_, Kind.BITS, 0, (1 << width) - 1, constants, is_old=is_old), type_

    def _plain(self, type_: TypeNode | None) -> str | None:
        """The name `int`, `bool` or `bv32` (of any width), if a type is one of these or a synonym of one."""
        seen: set[str] = set()
        while isinstance(type_, NameType) and not type_.arguments and type_.name not in seen:
            if type_.name in {"int", "bool"} or _BITS.fullmatch(type_.name):
                return type_.name
            seen.add(type_.name)
            type_ = self._synonyms.get(type_.name)
        return None

    # --- texts

    def with_assertions(self, chosen: Mapping[int, Sequence[Predicate]], *, independent: bool = False) -> str:
        """The program with predicates asserted at points. Executions may skip independent assertions, so failures of
        these do not hide later ones."""
        points = {point.number: point for point in self.points}
        before, after = ("if (*) { ", "} ") if independent else ("", "")
        return self._inserted(
            (number, "".join(f"{before}assert {condition(each, points[number])}; {after}" for each in predicates))
            for number, predicates in chosen.items()
        )

    def recording(self) -> tuple[str, dict[str, int]]:
        """The program with a call at every point, whose arguments are the values of variables; and the called
        procedures, by point. They have no effect."""
        prefix = RECORD
        while prefix in self.source.text:
            prefix += "_"
        names = {point.number: f"{prefix}{point.number}" for point in self.points}
        calls = (
            (point.number, f"call {names[point.number]}({', '.join(each.name for each in point.variables)}); ")
            for point in self.points
        )
        text = self._inserted(calls)
        declared = []
        for number, types in self._types.items():
            parameters = ", ".join(f"p{position}: {type_}" for position, type_ in enumerate(types))
            declared.append(f"\nprocedure {names[number]}({parameters}) {{ }}")
        return f"{text}{''.join(declared)}\n", {name: number for number, name in names.items()}

    def _inserted(self, texts: Iterable[tuple[int, str]]) -> str:
        pieces: list[str] = []
        at = 0
        for offset, text in sorted((self._offsets[number], text) for number, text in texts):
            pieces += [self.source.text[at:offset], text]
            at = offset
        return "".join([*pieces, self.source.text[at:]])

    def procedures_at(self, lines: Iterable[int]) -> set[str]:
        """The procedures whose bodies are on some lines."""
        wanted = set(lines)
        found = set()
        for name, ranges in self._ranges.items():
            for start, end in ranges:
                first, last = self.source.position(start)[0], self.source.position(end)[0]
                if any(first <= line <= last for line in wanted):
                    found.add(name)
        return found


def condition(predicate: Predicate, point: Point) -> str:
    """The text of a predicate in Boogie."""
    named = {each.name: each for each in point.variables}
    match predicate:
        case OneOf(name=name, values=values):
            return " || ".join(f"{name} == {_number(value, named[name])}" for value in values)
        case Comparison(left=left, op=op, right=int(value)):
            if named[left].kind is Kind.BOOLEAN:
                return left if bool(value) == (op == "==") else f"!{left}"
            return f"{left} {op} {_number(value, named[left])}"
        case Comparison(left=left, op=op, right=right, offset=0):
            return f"{left} {op} {right}"
        case Comparison(left=left, op=op, right=right, offset=offset):
            return f"{left} {op} {right} {'-' if offset < 0 else '+'} {abs(offset)}"


def _number(value: int, variable: Observed) -> str:
    return f"{value}{variable.group}" if variable.kind is Kind.BITS else str(value)


def _look(body: Body) -> _Body:
    """The points, assignments and labels of a body."""
    found = _Body()
    last = body.end - 1  # the closing brace
    first = body.statements[0].start if body.statements else last
    found.points.append((first, Moment.ENTRY))
    waiting = [body.statements]
    while waiting:
        statements = waiting.pop()
        for position, statement in enumerate(statements):
            following = statements[position + 1].start if position + 1 < len(statements) else None
            waiting.extend(_visit(found, statement, following))
    if not body.statements or not isinstance(body.statements[-1], ReturnStatement | GotoStatement):
        found.points.append((last, Moment.EXIT))
    targets: dict[str, int] = {}
    for goto in found.gotos:
        for label in goto.labels:
            targets[label.name] = max(goto.start, targets.get(label.name, 0))
    for name, (start, after) in found.labels.items():
        if after is not None and targets.get(name, 0) > start:
            found.points.append((after, Moment.LOOP))
    return found


def _visit(found: _Body, statement: StatementNode, following: int | None) -> list[list[StatementNode]]:
    """Process one statement. Returns the statements inside it."""
    match statement:
        case LabelStatement(start=start, name=name):
            found.labels[name] = (start, following)
        case GotoStatement():
            found.gotos.append(statement)
        case ReturnStatement(start=start):
            found.points.append((start, Moment.EXIT))
        case AssignStatement(targets=targets):
            _assign(found, statement.end, targets)
        case CallStatement(results=results):
            _assign(found, statement.end, [each for each in results if isinstance(each, Name)])
        case HavocStatement(names=names):
            _assign(found, statement.end, names)
        case IfStatement(then=then, otherwise=otherwise):
            return [then, otherwise or []]
        case WhileStatement(body=body):
            if body:
                found.points.append((body[0].start, Moment.LOOP))
            return [body]
        case AtomicStatement(body=body):
            return [body]
    return []


def _assign(found: _Body, offset: int, targets: Sequence[Expression]) -> None:
    for target in targets:
        at = target
        while isinstance(at, Select | FieldAccess):
            at = at.map if isinstance(at, Select) else at.operand
        unpacked = at.arguments if isinstance(at, Application) else [at]
        for each in unpacked:
            if isinstance(each, Name):
                found.assigned[each.name] = min(offset, found.assigned.get(each.name, offset))
