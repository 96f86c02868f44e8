"""The constants that a program compares its variables with, or assigns to them.

if (state == 3) state = 4;         state: 3, 4
switch (kind) { case 7: ... }      kind: 7
f(5);                              the parameter of f: 5
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final, final

from remuda.frontends.c.isolate.usage import root_variable, written
from remuda.frontends.c.lowering.reachable import nodes_of
from remuda.frontends.c.syntax import ast
from remuda.frontends.c.syntax.types import IntegerType
from remuda.frontends.c.syntax.walk import called_function, preorder

if TYPE_CHECKING:
    from remuda.frontends.c.syntax.walk import Node

Subject = ast.Variable | ast.Function  # a function stands for its result

COMPARISONS: Final = frozenset({"<", ">", "<=", ">=", "==", "!="})
MOST_INPUTS: Final = 48
_INITIAL: Final = frozenset({ast.Storage.GLOBAL, ast.Storage.STATIC})


@final
@dataclass(slots=True)
class Constants:
    """The constants of each subject."""

    mentioned: dict[Subject, Counter[int]] = field(default_factory=dict)
    assigned: dict[Subject, dict[int, None]] = field(default_factory=dict)
    unknown: set[Subject] = field(default_factory=set)  # subjects that also get other values than constants
    all: Counter[int] = field(default_factory=Counter)

    def of(self, subject: Subject) -> tuple[int, ...]:
        """The constants of a subject, the most frequent first."""
        counts = self.mentioned.get(subject, Counter())
        return tuple(sorted(counts, key=lambda value: (-counts[value], value)))

    def all_of(self, subject: Subject) -> tuple[int, ...] | None:
        """All values that a subject can have; None if they are unknown."""
        if subject in self.unknown or subject not in self.assigned:
            return None
        return tuple(sorted(self.assigned[subject]))

    def inputs(self) -> tuple[int, ...]:
        """Likely values of inputs: the numbers in the program, and their neighbours."""
        common = sorted(self.all, key=lambda value: (-self.all[value], value))[:MOST_INPUTS]
        return tuple(dict.fromkeys(number for value in common for number in (value, value + 1, value - 1)))

    # --- finding them

    def compare(self, subject: Subject, value: int) -> None:
        self.mentioned.setdefault(subject, Counter())[value] += 1

    def assign(self, subject: Subject, value: ast.Expression) -> None:
        constant = number_of(value)
        if constant is None:
            self.unknown.add(subject)
            return
        self.compare(subject, constant)
        self.assigned.setdefault(subject, {})[constant] = None


def constants_of(unit: ast.Unit) -> Constants:
    """The constants of all variables of a program."""
    constants = Constants()
    for variable in unit.variables:
        _initialise(constants, variable)
    called: set[ast.Function] = set()
    named: set[ast.Function] = set()
    for function in unit.functions.values():
        for node in nodes_of(function):
            _visit(constants, function, node)
            if isinstance(node, ast.Call) and (callee := called_function(node)) is not None:
                called.add(callee)
                _pass(constants, callee, node)
            elif isinstance(node, ast.AddressOf) and isinstance(node.operand, ast.Name):
                if isinstance(node.operand.target, ast.Function):
                    named.add(node.operand.target)
    for function in unit.functions.values():
        if function not in called or function in named:  # its arguments are unknown
            constants.unknown.update(function.parameters)
    return constants


def number_of(expression: ast.Expression) -> int | None:
    """The number that an expression is a literal of, with its sign."""
    sign = 1
    at = expression
    while isinstance(at, ast.Unary | ast.Cast):
        if isinstance(at, ast.Unary) and at.op not in {"-", "+"}:
            return None
        sign = -sign if isinstance(at, ast.Unary) and at.op == "-" else sign
        at = at.operand
    return sign * at.value if isinstance(at, ast.IntegerLiteral) else None


def _initialise(constants: Constants, variable: ast.Variable) -> None:
    if variable.storage is ast.Storage.EXTERN:
        constants.unknown.add(variable)
    elif isinstance(variable.type, IntegerType):
        parts = () if variable.initializer is None else variable.initializer.parts
        if parts:
            constants.assign(variable, parts[0].value)
        elif variable.storage in _INITIAL:
            constants.assigned.setdefault(variable, {})[0] = None


def _visit(constants: Constants, function: ast.Function, node: Node) -> None:
    match node:
        case ast.IntegerLiteral(value=value):
            constants.all[value] += 1
        case ast.Binary(op=op, left=left, right=right) if op in COMPARISONS:
            for one, other in ((left, right), (right, left)):
                variable, constant = variable_of(one), number_of(other)
                if variable is not None and constant is not None:
                    constants.compare(variable, constant)
        case ast.Assign(target=ast.Name(target=ast.Variable() as variable), value=value):
            constants.assign(variable, value)
        case ast.Declaration(variables=variables):
            for variable in variables:
                if variable.storage is ast.Storage.LOCAL and variable.initializer is not None:
                    _initialise(constants, variable)
        case ast.Switch(value=value, body=body):
            switched = variable_of(value)
            if switched is not None:
                for low in cases_of(body):
                    constants.compare(switched, low)
        case ast.Return(value=value) if value is not None:
            constants.assign(function, value)
        case ast.AddressOf(operand=operand):
            _forget(constants, operand)
        case _:
            for each in written(node):
                _forget(constants, each)


def _forget(constants: Constants, lvalue: ast.Expression) -> None:
    variable = root_variable(lvalue)
    if variable is not None:
        constants.unknown.add(variable)


def _pass(constants: Constants, function: ast.Function, call: ast.Call) -> None:
    for parameter, argument in zip(function.parameters, call.arguments, strict=False):
        constants.assign(parameter, argument)


def cases_of(body: ast.Statement) -> Iterable[int]:
    """The values of the cases of a switch. (Those of a switch inside of it count too; they do no harm.)"""
    return (node.low for node in preorder(body) if isinstance(node, ast.Case) and node.low is not None)


def variable_of(expression: ast.Expression) -> ast.Variable | None:
    """The variable that an expression consists of, if it only reads one."""
    at = expression
    while isinstance(at, ast.Cast):
        at = at.operand
    return at.target if isinstance(at, ast.Name) and isinstance(at.target, ast.Variable) else None
