"""The points of a function for assertions, with the variables that are in scope and definitely assigned there.

    int f(int a) {               entry: a
      int i, s = 0;
      for (i = 0; i < a; i++)
        s += i;                  start of the loop's body: a, i, s
      return s;                  exit: a, i, s
    }

A variable is definitely assigned if every path to the point assigns it: one pass over the statements builds a control
flow graph, and a worklist solves it. Assignments in conditional parts of an expression do not count.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final, final

from remuda.frontends.c.lowering.reachable import nodes_of
from remuda.frontends.c.syntax import ast
from remuda.frontends.c.syntax.types import is_scalar
from remuda.frontends.c.syntax.walk import children, preorder

if TYPE_CHECKING:
    from collections.abc import Iterable

LoopNode = ast.While | ast.DoWhile | ast.For
Place = ast.Function | LoopNode | ast.Return | ast.Compound  # a function stands for its entry, its body for its end

_WORD: Final = re.compile(r"[A-Za-z_$]\w*")


@final
@dataclass(frozen=True, slots=True, eq=False)
class Scope:
    """The meanings of names; None for a name of no variable."""

    around: Scope | None
    names: Mapping[str, ast.Variable | None]

    def visible(self) -> dict[str, ast.Variable | None]:
        """All names of the function that are visible here."""
        found: dict[str, ast.Variable | None] = {}
        at: Scope | None = self
        while at is not None:
            for name, variable in at.names.items():
                found.setdefault(name, variable)
            at = at.around
        return found


@final
@dataclass(frozen=True, slots=True, eq=False)
class Reached:
    """A point that executions reach: the names of the function, and which variables are definitely assigned there."""

    place: Place
    names: dict[str, ast.Variable | None]
    has_value: frozenset[ast.Variable]


@final
@dataclass(frozen=True, slots=True)
class _Around:
    """The targets of jumps, as nodes of the graph; `cases` is the node that chooses a case."""

    scope: Scope
    leave: int = -1
    again: int = -1
    cases: int = -1

    def inside(self, names: Mapping[str, ast.Variable | None]) -> _Around:
        return _Around(Scope(self.scope, names), self.leave, self.again, self.cases)


@final
@dataclass(slots=True)
class _Edge:
    target: int
    given: int  # the variables, as bits, that are assigned
    taken: int = 0  # those that lose their value


@final
@dataclass(slots=True)
class _Graph:
    """Nodes are numbers; node 0 is the entry of the function."""

    edges: list[list[_Edge]] = field(default_factory=list)

    def node(self) -> int:
        self.edges.append([])
        return len(self.edges) - 1

    def edge(self, source: int, target: int, given: int = 0, taken: int = 0) -> None:
        self.edges[source].append(_Edge(target, given, taken))

    def solve(self, at_entry: int) -> list[int | None]:
        """For each node, the variables that every path to it assigns; None for unreachable nodes."""
        states: list[int | None] = [None] * len(self.edges)
        states[0] = at_entry
        waiting = [0]
        while waiting:
            source = waiting.pop()
            state = states[source]
            assert state is not None
            for edge in self.edges[source]:
                before = states[edge.target]
                now = (state & ~edge.taken) | edge.given
                after = now if before is None else now & before
                if after != before:
                    states[edge.target] = after
                    waiting.append(edge.target)
        return states


@final
class _Builder:
    def __init__(self, function: ast.Function) -> None:
        self._function = function
        self._graph = _Graph()
        self._bits: dict[ast.Variable, int] = {}
        self._labels: dict[str, int] = {}
        self._gotos: list[tuple[int, str]] = []
        self._computed: list[int] = []
        self._places: list[tuple[Place, int, Scope]] = []

    def reached(self) -> Iterator[Reached]:
        body = self._function.body
        assert body is not None
        entry, end = self._graph.node(), self._graph.node()
        scope = Scope(None, {each.name: each for each in self._function.parameters})
        parameters = 0
        for parameter in self._function.parameters:
            parameters |= self._bit(parameter)
        self._places.append((self._function, entry, scope))
        self._walk(body, entry, end, scope)
        for source, label in self._gotos:
            if label in self._labels:
                self._graph.edge(source, self._labels[label])
        for source in self._computed:
            for target in self._labels.values():
                self._graph.edge(source, target)
        states = self._graph.solve(parameters)
        for place, node, around in self._places:
            state = states[node]
            if state is not None:
                valued = frozenset(variable for variable, bit in self._bits.items() if state & bit)
                yield Reached(place, around.visible(), valued)

    def _bit(self, variable: ast.Variable) -> int:
        if not is_scalar(variable.type):
            return 0
        return self._bits.setdefault(variable, 1 << len(self._bits))

    def _assigned(self, expression: ast.Expression | None) -> int:
        bits = 0
        for variable in () if expression is None else surely_assigned(expression):
            bits |= self._bit(variable)
        return bits

    def _walk(self, body: ast.Compound, entry: int, end: int, scope: Scope) -> None:
        waiting: list[tuple[ast.Statement, int, int, _Around]] = [(body, entry, end, _Around(scope))]
        while waiting:
            statement, before, after, around = waiting.pop()
            waiting.extend(self._statement(statement, before, after, around))

    def _statement(
        self, statement: ast.Statement, before: int, after: int, around: _Around
    ) -> list[tuple[ast.Statement, int, int, _Around]]:
        """Put one statement between two nodes. The result is its parts, with the nodes around them."""
        graph = self._graph
        match statement:
            case ast.Compound():
                return self._compound(statement, before, after, around)
            case ast.ExpressionStatement(expression=expression):
                graph.edge(before, after, self._assigned(expression))
            case ast.If(condition=condition, then=then, otherwise=otherwise):
                test = graph.node()
                graph.edge(before, test, self._assigned(condition))
                if otherwise is None:
                    graph.edge(test, after)
                    return [(then, test, after, around)]
                return [(then, test, after, around), (otherwise, test, after, around)]
            case ast.While() | ast.DoWhile() | ast.For():
                return self._loop(statement, before, after, around)
            case ast.Switch(value=value, body=body):
                choice = graph.node()
                graph.edge(before, choice, self._assigned(value))
                graph.edge(choice, after)
                inside = _Around(around.scope, after, around.again, choice)
                return [(body, graph.node(), after, inside)]
            case ast.Case(body=body):
                graph.edge(around.cases, before)
                return [(body, before, after, around)]
            case ast.Label(name=name, body=body):
                self._labels[name] = before
                return [(body, before, after, around)]
            case ast.Goto(label=label):
                self._gotos.append((before, label))
            case ast.ComputedGoto():
                self._computed.append(before)
            case ast.Break():
                graph.edge(before, around.leave)
            case ast.Continue():
                graph.edge(before, around.again)
            case ast.Return(value=value):
                done = graph.node()
                graph.edge(before, done, self._assigned(value))
                self._places.append((statement, done, around.scope))
            case _:
                graph.edge(before, after)
        return []

    def _compound(
        self, statement: ast.Compound, before: int, after: int, around: _Around
    ) -> list[tuple[ast.Statement, int, int, _Around]]:
        graph = self._graph
        found: list[tuple[ast.Statement, int, int, _Around]] = []
        for each in statement.statements:
            following = graph.node()
            if isinstance(each, ast.Declaration):
                self._declare(each, before, following)
            else:
                found.append((each, before, following, around))
            names = declared_names(each)
            if names:
                around = around.inside(names)
            before = following
        graph.edge(before, after)
        if statement is self._function.body:
            self._places.append((statement, before, around.scope))
        return found

    def _declare(self, declaration: ast.Declaration, before: int, after: int) -> None:
        given = taken = 0
        for variable in declaration.variables:
            if variable.storage is ast.Storage.STATIC or variable.initializer is not None:
                given |= self._bit(variable)
            else:
                taken |= self._bit(variable)
        self._graph.edge(before, after, given, taken)

    def _loop(
        self, loop: LoopNode, before: int, after: int, around: _Around
    ) -> list[tuple[ast.Statement, int, int, _Around]]:
        graph = self._graph
        start, again, test = graph.node(), graph.node(), graph.node()
        found: list[tuple[ast.Statement, int, int, _Around]] = []
        tested = self._assigned(loop.condition)
        match loop:
            case ast.While():
                graph.edge(before, again)
                graph.edge(again, test, tested)
            case ast.DoWhile():
                graph.edge(before, start)
                graph.edge(again, test, tested)
            case ast.For(start=first, step=step):
                head = graph.node()
                if isinstance(first, ast.Declaration):
                    self._declare(first, before, head)
                    around = around.inside(declared_names(first))
                elif first is not None:
                    found.append((first, before, head, around))
                else:
                    graph.edge(before, head)
                graph.edge(head, test, tested)
                graph.edge(again, head, self._assigned(step))
        graph.edge(test, start)
        if not _always_holds(loop.condition):
            graph.edge(test, after)
        self._places.append((loop, start, around.scope))
        return [*found, (loop.body, start, again, _Around(around.scope, after, again, around.cases))]


def _always_holds(condition: ast.Expression | None) -> bool:
    at = condition
    while isinstance(at, ast.Cast):
        at = at.operand
    return at is None or (isinstance(at, ast.IntegerLiteral) and at.value != 0)


def declared_names(statement: ast.Statement) -> dict[str, ast.Variable | None]:
    """The names that a statement declares. Types are not in the tree, so every identifier near them may be a name."""
    match statement:
        case ast.Declaration(variables=variables):
            words = _WORD.findall(statement.span.text) if "enum" in statement.span.text else ()
            return {**dict.fromkeys(words), **{variable.name: variable for variable in variables if variable.name}}
        case ast.Empty():
            return dict.fromkeys(_WORD.findall(statement.span.text))
        case _:
            return {}


def surely_assigned(expression: ast.Expression) -> Iterator[ast.Variable]:
    """The variables that every evaluation of an expression assigns."""
    waiting: list[ast.Expression | ast.Statement] = [expression]
    while waiting:
        node = waiting.pop()
        match node:
            case ast.Assign(target=ast.Name(target=ast.Variable() as variable), value=value):
                yield variable
                waiting.append(value)
            case ast.Logical(left=left):
                waiting.append(left)
            case ast.Conditional(condition=condition):
                waiting.append(condition)
            case ast.StatementExpression():
                pass
            case _:
                waiting.extend(children(node))


def reached_places(function: ast.Function) -> list[Reached]:
    """The entry, the exits and the loops of a function that executions may reach.

    None if statement expressions, which are not analysed, may jump.
    """
    for node in nodes_of(function):
        if isinstance(node, ast.StatementExpression) and _jumps(preorder(node)):
            return []
    return list(_Builder(function).reached())


def _jumps(nodes: Iterable[object]) -> bool:
    jumps = (ast.Goto, ast.ComputedGoto, ast.Label, ast.Return, ast.Break, ast.Continue, ast.Case)
    return any(isinstance(node, jumps) for node in nodes)
