"""Lowers assignments: `m[i][j] := e` and `d->f := e` become assignments to `m` and `d`.

    m[i][j] := e        m := m[i := m[i][j := e]]
    Pair(a, b) := p     assert p is Pair;  a, b := a#Pair(p), b#Pair(p)

All right-hand sides and indices are evaluated before anything changes.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from remuda.frontends.boogie import ast
from remuda.frontends.boogie.records import access_field, update_field
from remuda.frontends.boogie.type_inference import prune, unify
from remuda.frontends.boogie.typecheck import FAILURE, Failure, Value, close
from remuda.ir.program import Assert, Assign
from remuda.terms.types import DataType

if TYPE_CHECKING:
    from remuda.frontends.boogie.lower import BodyLowerer
    from remuda.terms.symbols import Variable
    from remuda.terms.term import Term


def lower_assignment(lowerer: BodyLowerer, node: ast.AssignStatement) -> None:
    """Emit the assignment, unless it has errors."""
    if len(node.targets) == 1 and isinstance(node.targets[0], ast.Application):
        _unpack(lowerer, node, node.targets[0])
        return
    if len(node.targets) != len(node.values):
        lowerer.evaluator.fail(node, "number of left-hand sides does not match number of right-hand sides")
        return
    targets: list[Variable] = []
    values: list[Term] = []
    complete = True
    for target, value in zip(node.targets, node.values, strict=True):
        made = _single(lowerer, target, value)
        if made is None:
            complete = False
        elif made[0] in targets:
            lowerer.evaluator.fail(node, f"variable {made[0].name} is assigned more than once in parallel assignment")
        else:
            targets.append(made[0])
            values.append(made[1])
    attributes = lowerer.attributes(node.attributes)
    if complete:
        lowerer.emit(Assign(tuple(targets), tuple(values), lowerer.span(node), attributes))


def _single(lowerer: BodyLowerer, target: ast.Expression, node: ast.Expression) -> tuple[Variable, Term] | None:
    """The variable that an assignment sets, and its new value."""
    evaluator = lowerer.evaluator
    value = evaluator.evaluate(node)
    accessors: list[ast.Select | ast.FieldAccess] = []
    while isinstance(target, (ast.Select, ast.FieldAccess)):
        accessors.append(target)
        target = target.map if isinstance(target, ast.Select) else target.operand
    if not isinstance(target, ast.Name):
        evaluator.fail(target, "this cannot be assigned")
        return None
    variable = lowerer.target(target)
    if variable is None:
        return None
    if accessors:
        value = _rebuilt(lowerer, evaluator.terms.var(variable), accessors, value)
    if isinstance(value, Failure):
        return None
    if value.type is not variable.type and not unify(value.type, variable.type):
        evaluator.fail(
            target, f"mismatched types in assignment (cannot assign {prune(value.type)} to {variable.type})"
        )
        return None
    return variable, close(value)


def _rebuilt(lowerer: BodyLowerer, root: Value, accessors: list[ast.Select | ast.FieldAccess], value: Value) -> Value:
    """The root with one of its parts replaced; `accessors` go from the part to the root."""
    evaluator = lowerer.evaluator
    path: list[tuple[ast.Select | ast.FieldAccess, Value, list[Value]]] = []
    current = root
    for accessor in reversed(accessors):
        if isinstance(accessor, ast.Select):
            indices = [evaluator.evaluate(index) for index in accessor.indices]
            path.append((accessor, current, indices))
            inner = accessor is not accessors[0]
            current = evaluator.select(accessor, current, indices) if inner else FAILURE
        else:
            path.append((accessor, current, []))
            current = access_field(evaluator, accessor, current, accessor.field)
    for accessor, container, indices in reversed(path):
        if isinstance(accessor, ast.Select):
            value = evaluator.update(accessor, container, indices, value)
        else:
            value = update_field(evaluator, accessor, container, accessor.field, value)
    return value


def _unpack(lowerer: BodyLowerer, node: ast.AssignStatement, pattern: ast.Application) -> None:
    """Emit `C(x, y) := e`."""
    evaluator = lowerer.evaluator
    if len(node.values) != 1:
        evaluator.fail(node, "number of left-hand sides does not match number of right-hand sides")
        return
    value = evaluator.term(node.values[0], None, "an unpacked value")
    if value is None:
        return
    constructors = evaluator.table.types.constructors(value.type) if isinstance(value.type, DataType) else ()
    found = [constructor for constructor in constructors if constructor.name == pattern.function]
    if not found or len(found[0].fields) != len(pattern.arguments):
        evaluator.fail(pattern, f"{value.type} has no constructor {pattern.function} with these arguments")
        return
    constructor = found[0]
    targets = []
    for argument, (_, type_) in zip(pattern.arguments, constructor.fields, strict=True):
        variable = lowerer.target(argument) if isinstance(argument, ast.Name) else None
        if variable is None:
            continue
        if variable.type != type_:
            evaluator.fail(argument, f"mismatched types in assignment (cannot assign {type_} to {variable.type})")
        if variable in targets:
            evaluator.fail(node, f"variable {variable.name} is assigned more than once in parallel assignment")
        targets.append(variable)
    span = lowerer.span(node)
    check = lowerer.checks.make(lowerer.frame.procedure, "assert", span, span, node.attributes)
    lowerer.emit(Assert(evaluator.terms.is_(constructor, value), check, span))
    if len(targets) == len(constructor.fields):
        fields = tuple(evaluator.terms.field(constructor, index, value) for index in range(len(targets)))
        lowerer.emit(Assign(tuple(targets), fields, span, lowerer.attributes(node.attributes)))
