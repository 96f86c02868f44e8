"""Evaluates quantifiers, lambdas and `let`.

A quantifier over types becomes a conjunction (or disjunction) over ground types. It suffices to take the types that
occur in the program, and one more that stands for the union of all others, if every type parameter occurs once in the
types of the bound variables, as `a` or `Field a`:

    forall<a> f: Field a :: P(f)     (forall f: Field int :: P(f)) && ... && (forall f: Field (other) :: P(f))

This is only right if the body treats the union like each type in it. It does not if it applies a function whose type
parameter no argument determines (`default<a>(): a` is one value for each type, not one for the union), binds further
variables of such a type, builds larger types from it, or compares structures of it.

Other polymorphic quantifiers are only accepted if fewer instances weaken an assumption. They get the same instances:
the types that occur in the program, and one more.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product
from typing import TYPE_CHECKING, final

from remuda.frontends.boogie import ast
from remuda.frontends.boogie.type_inference import MAXIMAL_DEPTH, TypeParameter, leaves, prune, unify
from remuda.frontends.boogie.typecheck import ANY_TYPE, FAILURE, OTHER_TYPES, Failure, Known, Value, Work, close
from remuda.terms.symbols import Variable, VariableKind
from remuda.terms.types import BOOL, MapType, NamedType, Type

if TYPE_CHECKING:
    from remuda.frontends.boogie.evaluate import Evaluator
    from remuda.terms.term import Term

MAXIMAL_INSTANCES = 512  # of one quantifier

ALL_TYPES = (
    "Polymorphic quantifiers range over the types that occur in the program and one type that stands for all others."
)
SOME_TYPES = "Polymorphic axioms and assumptions are used at the types that occur in the program and one more."


@final
@dataclass(slots=True, eq=False)
class Binding:
    """The names that a binder hides while its body is evaluated."""

    hidden: list[tuple[str, Value | None]]
    environment: dict[str, Type]
    variables: list[Variable] | None  # None after an error


@final
@dataclass(slots=True, eq=False)
class Instance:
    """A quantifier for one choice of types."""

    node: ast.Quantified
    types: dict[str, Type]
    only_checked: bool = False  # at types that stand for the type parameters themselves
    was_checking: bool = False


@final
@dataclass(slots=True, eq=False)
class Junction:
    """A polymorphic quantifier, and the number of its evaluated instances."""

    node: ast.Quantified
    count: int


def open_quantified(evaluator: Evaluator, node: ast.Quantified, work: Work, values: list[Value]) -> None:
    if not node.type_parameters:
        _push_instance(Instance(node, {}), work)
        return
    choices = _choices(evaluator, node)
    if choices is None:
        values.append(FAILURE)
        return
    work.append((_close_junction, Junction(node, len(choices) + 1)))
    for choice in choices:
        _push_instance(Instance(node, dict(zip(node.type_parameters, choice, strict=True))), work)
    parameters = evaluator.table.stand_ins(node.type_parameters, node.kind)
    checked = Instance(node, dict(zip(node.type_parameters, parameters, strict=True)), only_checked=True)
    _push_instance(checked, work)


def _push_instance(instance: Instance, work: Work) -> None:
    work.append((_close_instance, instance))
    for trigger in reversed(instance.node.triggers):
        work.extend(reversed(trigger))
    work.append(instance.node.body)
    work.append((_enter_instance, instance))


def _enter_instance(evaluator: Evaluator, instance: Instance, _: Work, __: list[Value]) -> None:
    binding = Binding([], evaluator.environment, [])
    evaluator.bindings.append(binding)
    _doubt_outer_types(evaluator, instance.node)
    if instance.types:
        evaluator.environment = {**evaluator.environment, **instance.types}
        instance.was_checking = evaluator.table.only_checking
        evaluator.table.only_checking = instance.was_checking or instance.only_checked
        evaluator.fixed += _is_fixed(instance)
        if OTHER_TYPES in instance.types.values():
            evaluator.unions.append(instance.node)
    for declaration in instance.node.variables:
        _bind_variable(evaluator, declaration, binding)


def _is_fixed(instance: Instance) -> bool:
    return any(type_ not in (OTHER_TYPES, ANY_TYPE) for type_ in instance.types.values())


def _doubt_outer_types(evaluator: Evaluator, node: ast.Quantified) -> None:
    """Mark outer quantifiers as not uniform if the types of bound variables depend on theirs: such variables may only
    range over one type of a union."""
    if not any(OTHER_TYPES in leaves(type_) for type_ in evaluator.environment.values()):
        return
    environment = {**evaluator.environment, **{name: TypeParameter(name) for name in node.type_parameters}}
    for declaration in node.variables:
        assert declaration.type is not None
        type_ = evaluator.table.types.resolve(declaration.type, evaluator.source, environment)
        if type_ is not None and OTHER_TYPES in leaves(type_):
            evaluator.doubt()


def _bind_variable(evaluator: Evaluator, declaration: ast.VariableDeclaration, binding: Binding) -> None:
    assert declaration.type is not None
    if any(name == declaration.name for name, _ in binding.hidden):
        evaluator.fail(declaration, f"more than one declaration of variable name: {declaration.name}")
    type_ = evaluator.table.types.resolve(declaration.type, evaluator.source, evaluator.environment)
    binding.hidden.append((declaration.name, evaluator.names.get(declaration.name)))
    if type_ is None:
        binding.variables = None
        _hide(evaluator, declaration.name)
        return
    variable = Variable(declaration.name, type_, VariableKind.BOUND)
    if binding.variables is not None:
        binding.variables.append(variable)
    evaluator.names[declaration.name] = evaluator.terms.var(variable)


def _hide(evaluator: Evaluator, name: str) -> None:
    """Declare a variable without a known type, so that its uses cause no further errors."""
    evaluator.names[name] = FAILURE


def _leave(evaluator: Evaluator) -> Binding:
    binding = evaluator.bindings.pop()
    evaluator.environment = binding.environment
    for name, value in reversed(binding.hidden):
        if value is None:
            del evaluator.names[name]
        else:
            evaluator.names[name] = value
    return binding


def _close_instance(evaluator: Evaluator, instance: Instance, _: Work, values: list[Value]) -> None:
    _close_body(evaluator, instance.node, values)
    if not instance.types:
        return
    evaluator.table.only_checking = instance.was_checking
    evaluator.fixed -= _is_fixed(instance)
    if OTHER_TYPES in instance.types.values():
        evaluator.unions.pop()
    if instance.only_checked and not isinstance(values[-1], Failure):
        values[-1] = evaluator.terms.boolean(instance.node.kind == "forall")  # changes nothing


def _close_body(evaluator: Evaluator, node: ast.Quantified, values: list[Value]) -> None:
    binding = _leave(evaluator)
    flat = [values.pop() for trigger in node.triggers for _ in trigger]
    flat.reverse()
    body = values.pop()
    if isinstance(body, Failure) or binding.variables is None or any(isinstance(term, Failure) for term in flat):
        values.append(FAILURE)
        return
    terms = [close(term) for term in flat if not isinstance(term, Failure)]
    if node.kind == "lambda":
        values.append(_lambda(evaluator, node, binding.variables, body))
        return
    if not unify(body.type, BOOL):
        values.append(evaluator.fail(node.body, f"a quantifier's body must have type bool, not {prune(body.type)}"))
        return
    triggers = []
    for trigger in node.triggers:
        triggers.append(terms[: len(trigger)])
        del terms[: len(trigger)]
    values.append(
        evaluator.terms.quantifier(node.kind, binding.variables, close(body), triggers, _weight(node.attributes))
    )


def _lambda(evaluator: Evaluator, node: ast.Quantified, variables: list[Variable], body: Known) -> Value:
    if node.type_parameters:
        return evaluator.unsupported(node, "a polymorphic lambda")
    if _range_depth(body.type) >= MAXIMAL_DEPTH:
        return evaluator.unsupported(node, f"lambdas nested more than {MAXIMAL_DEPTH} deep")
    type_ = MapType(tuple([variable.type for variable in variables]), body.type)
    return evaluator.combine(type_, (body,), lambda args: evaluator.terms.lambda_(variables, args[0]))


def _range_depth(type_: Type) -> int:
    """The number of maps in ranges of maps. It is limited, because the comparison of types is recursive."""
    depth = 0
    while isinstance(type_ := prune(type_), MapType):
        depth += 1
        type_ = type_.range
    return depth


def _weight(attributes: list[ast.AttributeNode]) -> int | None:
    for attribute in attributes:
        if attribute.name == "weight" and attribute.arguments:
            argument = attribute.arguments[0]
            if isinstance(argument, ast.Literal) and argument.kind == "int" and isinstance(argument.value, int):
                return argument.value
    return None


def _close_junction(evaluator: Evaluator, junction: Junction, _: Work, values: list[Value]) -> None:
    taken = values[len(values) - junction.count :]
    del values[len(values) - junction.count :]
    parts: list[Term] = []
    for value in taken:
        if isinstance(value, Failure):
            values.append(FAILURE)
            return
        parts.append(close(value))
    parts.reverse()
    join = evaluator.terms.and_ if junction.node.kind == "forall" else evaluator.terms.or_
    values.append(join(parts))


# --- the choice of types


def _choices(evaluator: Evaluator, node: ast.Quantified) -> list[tuple[Type, ...]] | None:
    """The types with which to instantiate a polymorphic quantifier; None after an error."""
    if node.kind == "lambda":
        evaluator.unsupported(node, "a polymorphic lambda")
        return None
    if evaluator.table.only_checking:
        return []
    instances = evaluator.table.instances
    instances.quantified = True
    types = list(instances.universe)
    width = len(node.type_parameters)
    if id(node) not in instances.uneven and _is_dependent_union(evaluator, node):
        evaluator.table.types.note(OTHER_TYPES)
        evaluator.assumptions[ALL_TYPES] = None
        choices = list(product((*types, OTHER_TYPES), repeat=width))
    elif evaluator.assumed and node.kind == "forall" and is_positive(evaluator.root, node):
        evaluator.table.types.note(ANY_TYPE)
        evaluator.assumptions[SOME_TYPES] = None
        choices = list(dict.fromkeys([*product(types, repeat=width), (ANY_TYPE,) * width]))
    else:
        evaluator.unsupported(node, "a quantifier over types in this form")
        return None
    if len(choices) > MAXIMAL_INSTANCES:
        evaluator.unsupported(node, f"a polymorphic quantifier with more than {MAXIMAL_INSTANCES} instances")
        return None
    return choices


def _is_dependent_union(evaluator: Evaluator, node: ast.Quantified) -> bool:
    """Whether each type parameter occurs once in the variables' types, alone or in an uninterpreted type."""
    environment = {**evaluator.environment, **{name: TypeParameter(name) for name in node.type_parameters}}
    uses = dict.fromkeys(node.type_parameters, 0)
    for declaration in node.variables:
        assert declaration.type is not None
        type_ = evaluator.table.types.resolve(declaration.type, evaluator.source, environment)
        if type_ is None:
            return True  # there is an error; the instances may have more
        found = [leaf.name for leaf in leaves(type_) if isinstance(leaf, TypeParameter) and leaf.name in uses]
        if found and not isinstance(type_, (TypeParameter, NamedType)):
            return False
        for name in found:
            uses[name] += 1
    return all(count == 1 for count in uses.values())


def is_positive(root: ast.Expression | None, wanted: ast.Expression) -> bool:
    """Whether the node occurs below the root, and only under an even number of negations."""
    stack: list[tuple[ast.Expression, bool]] = [] if root is None else [(root, True)]
    while stack:
        node, positive = stack.pop()
        if node is wanted:
            return positive
        if isinstance(node, ast.Unary) and node.operator == "!":
            stack.append((node.operand, not positive))
        elif isinstance(node, ast.Chain) and node.operator in {"&&", "||"}:
            stack.extend((operand, positive) for operand in node.operands)
        elif isinstance(node, ast.Binary) and node.operator in {"&&", "||", "==>", "<=="}:
            stack.append((node.left, positive != (node.operator == "==>")))
            stack.append((node.right, positive != (node.operator == "<==")))
        elif isinstance(node, ast.Quantified) and node.kind != "lambda":
            stack.append((node.body, positive))
        elif isinstance(node, ast.Conditional):
            stack.extend(((node.then, positive), (node.otherwise, positive)))
    return False


# --- let


def open_let(_: Evaluator, node: ast.Let, work: Work, __: list[Value]) -> None:
    work.append((_leave_let, node))
    work.append(node.body)
    work.append((_enter_let, node))
    work.extend(reversed(node.values))


def _enter_let(evaluator: Evaluator, node: ast.Let, _: Work, values: list[Value]) -> None:
    binding = Binding([], evaluator.environment, [])
    evaluator.bindings.append(binding)
    count = len(node.values)
    if len(node.variables) != count:
        evaluator.fail(node, "number of variables and number of values differ")
    given = values[len(values) - count :]
    del values[len(values) - count :]
    for declaration, value in zip(node.variables, given, strict=False):
        if any(name == declaration.name for name, _ in binding.hidden):
            evaluator.fail(declaration, f"more than one declaration of variable name: {declaration.name}")
        binding.hidden.append((declaration.name, evaluator.names.get(declaration.name)))
        if isinstance(value, Failure):
            _hide(evaluator, declaration.name)
            continue
        _check_declared_type(evaluator, declaration, value)
        evaluator.names[declaration.name] = value


def _check_declared_type(evaluator: Evaluator, declaration: ast.VariableDeclaration, value: Known) -> None:
    if declaration.type is None:
        return
    type_ = evaluator.table.types.resolve(declaration.type, evaluator.source, evaluator.environment)
    if type_ is not None and not unify(value.type, type_):
        evaluator.fail(declaration, f"{declaration.name} has type {type_}, and its value {prune(value.type)}")


def _leave_let(evaluator: Evaluator, _: ast.Let, __: Work, ___: list[Value]) -> None:
    _leave(evaluator)
