"""Turns expressions into terms: one walk with an explicit stack resolves names, types and polymorphism.

The walk has a stack of work (nodes to visit, and actions to take after their operands) and a stack of values. A value
is a term, or an `Open` expression whose type depends on its context, or FAILURE after an error.

    x + f(y)      work: [close +, f(y), x]  ->  values: [x, f(y)]  ->  values: [add(x, f(y))]
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, final

from remuda.base.source import Source, Span
from remuda.frontends.boogie import ast
from remuda.frontends.boogie.binders import open_let, open_quantified
from remuda.frontends.boogie.builtins import rounding
from remuda.frontends.boogie.floats import parse_float
from remuda.frontends.boogie.polymorphism import flexible_unify, ground_if_closed, select_instance, update_instance
from remuda.frontends.boogie.records import access_field, test_constructor, update_field
from remuda.frontends.boogie.type_inference import (
    Proxy,
    TypeParameter,
    ground,
    instantiate,
    is_open,
    leaves,
    prune,
    unify,
)
from remuda.frontends.boogie.typecheck import (
    ANY_TYPE,
    FAILURE,
    NUMERIC,
    OTHER_TYPES,
    Failure,
    Known,
    Open,
    TermBuilder,
    Value,
    Work,
    binary_rule,
    close,
    unary_rule,
)
from remuda.terms.symbols import VariableKind
from remuda.terms.term import Term
from remuda.terms.types import BOOL, INT, REAL, BvType, DataType, MapType, Type

if TYPE_CHECKING:
    from remuda.frontends.boogie.binders import Binding
    from remuda.frontends.boogie.declare import Table
    from remuda.frontends.boogie.scope import FunctionSymbol


MAXIMAL_WIDTH = 1 << 16
EQUALITIES = frozenset({"==", "!="})
_STAND_INS = frozenset({OTHER_TYPES, ANY_TYPE})


@final
class Evaluator:
    """Evaluates expressions in a changing context: source, local names, type parameters, meaning of `old`."""

    def __init__(self, table: Table) -> None:
        self.table = table
        self.terms = table.terms
        self.problems = table.problems
        self.source = Source("", "")
        self.names: dict[str, Value] = {}
        self.environment: dict[str, Type] = {}
        self.old_of: Callable[[Term], Term] | None = None  # None: `old` is not allowed
        self.old_level = 0
        self.stateless = False  # true in axioms and function bodies, which may not mention globals
        self.assumed = False  # whether the expression is an axiom or assumption, which may be weakened
        self.root: ast.Expression | None = None
        self.bindings: list[Binding] = []
        self.code: Callable[[ast.CodeExpression], Term | None] | None = None
        self.assumptions: dict[str, None] = {}
        self.unions: list[ast.Quantified] = []  # the enclosing quantifiers whose type stands for a union of types
        self.fixed = 0  # the number of enclosing quantifiers with a type that occurs in the program
        self.body_of: str | None = None  # the function whose body is being evaluated

    def enter(
        self,
        source: Source,
        names: dict[str, Value],
        environment: dict[str, Type],
        old_of: Callable[[Term], Term] | None = None,
        *,
        stateless: bool = False,
    ) -> None:
        """Set the context of the next expressions."""
        self.stateless = stateless
        self.source = source
        self.names = names
        self.environment = environment
        self.old_of = old_of

    @contextmanager
    def elsewhere(self) -> Iterator[None]:
        """A context manager that restores the present context at its end."""
        saved = (self.source, self.names, self.environment, self.old_of, self.stateless)
        inner = (self.assumed, self.root, self.old_level, self.unions, self.fixed, self.body_of)
        self.old_level, self.unions, self.fixed, self.body_of = 0, [], 0, None
        yield
        self.source, self.names, self.environment, self.old_of, self.stateless = saved
        self.assumed, self.root, self.old_level, self.unions, self.fixed, self.body_of = inner

    # --- errors

    def span(self, node: ast.Expression | ast.TypeNode | ast.VariableDeclaration | Any) -> Span:  # noqa: ANN401
        return Span(self.source, node.start, node.end)

    def fail(self, node: Any, message: str) -> Failure:  # noqa: ANN401
        self.problems.report(self.span(node), message)
        return FAILURE

    def unsupported(self, node: Any, construct: str) -> Failure:  # noqa: ANN401
        self.problems.unsupported(self.span(node), construct)
        return FAILURE

    # --- entry points

    def term(self, node: ast.Expression, expected: Type | None, what: str) -> Term | None:
        """The term of an expression, which must have the expected type; None after an error."""
        value = self.evaluate(node)
        if value.__class__ is Term and (value.type is expected or expected is None):
            return value
        if isinstance(value, Failure):
            return None
        if expected is not None and not unify(value.type, expected):
            self.fail(node, f"{what} must have type {expected}, but has type {prune(value.type)}")
            return None
        return close(value)

    def condition(self, node: ast.Expression, *, assumed: bool = False) -> Term | None:
        """The term of a Boolean expression; None after an error."""
        self.assumed = assumed
        self.root = node
        found = self.term(node, BOOL, "a condition")
        self.assumed = False
        return found

    def evaluate(self, root: ast.Expression) -> Value:
        leaf = _LEAVES.get(root.__class__)
        if leaf is not None:
            return leaf(self, root)
        work: Work = [root]
        values: list[Value] = []
        while work:
            item = work.pop()
            kind = item.__class__
            if kind is tuple:
                item[0](self, item[1], work, values)
                continue
            leaf = _LEAVES.get(kind)
            if leaf is not None:
                values.append(leaf(self, item))
            else:
                _OPEN[kind](self, item, work, values)
        return values[0]

    def combine(self, type_: Type, parts: Sequence[Known], build: TermBuilder) -> Known:
        """Build a term now if all types are known, otherwise later."""
        for part in parts:
            if part.__class__ is not Term:
                return Open(type_, parts, build)
        if is_open(type_):
            return Open(type_, parts, build)
        return build(parts)  # type: ignore[arg-type]

    # --- leaves

    def name(self, node: ast.Name) -> Value:
        found = self.names.get(node.name)
        if found is not None:
            return found
        term = self.table.variables.get(node.name)
        if term is None:
            if node.name in self.table.broken:
                return FAILURE
            return self.fail(node, f"undeclared identifier: {node.name}")
        if (self.old_level or self.stateless) and term.payload.kind is VariableKind.GLOBAL:
            if self.stateless:
                return self.fail(node, f"cannot refer to a global variable in this context: {node.name}")
            assert self.old_of is not None
            return self.old_of(term)
        return term

    def literal(self, node: ast.Literal) -> Value:
        value = node.value
        if node.kind == "int":
            assert isinstance(value, int)
            return self.terms.integer(value)
        if node.kind == "bool":
            return self.terms.true if value else self.terms.false
        if node.kind == "real":
            return self.terms.real(value)  # type: ignore[arg-type]
        if node.kind == "bv":
            return self._bits(node, *value)  # type: ignore[misc]
        if node.kind == "rounding":
            return rounding(self.terms, str(value))
        if node.kind == "float":
            parsed = parse_float(str(value))
            if parsed is None:
                return self.fail(node, "the float literal has no exact value of its type")
            return self.terms.float_(*parsed)
        return self.fail(node, "a string is not an expression")

    def _bits(self, node: ast.Literal, value: int, width: int) -> Value:
        if width > MAXIMAL_WIDTH:
            return self.unsupported(node, f"a bit-vector of more than {MAXIMAL_WIDTH} bits")
        return self.terms.bitvector(value, width)  # modulo 2^width, as in SMT-LIB

    def wildcard(self, node: ast.WildcardExpression) -> Value:
        return self.fail(node, "`*` is not an expression")

    def code_expression(self, node: ast.CodeExpression) -> Value:
        if self.code is None:
            return self.unsupported(node, "a code expression here")
        return self.code(node) or FAILURE

    # --- operators

    def binary(self, node: ast.Binary | ast.Chain, operator: str, left: Value, right: Value) -> Value:
        if left is FAILURE or right is FAILURE:
            return FAILURE
        assert not isinstance(left, Failure)
        assert not isinstance(right, Failure)
        if left.__class__ is Term and right.__class__ is Term:
            rule = binary_rule(operator, left.type, right.type)
            if rule is not None:
                if operator in EQUALITIES:
                    self._doubt_equality(left.type)
                return rule[1](self.terms, left, right)
        return self._open_binary(node, operator, left, right)

    def _open_binary(self, node: ast.Binary | ast.Chain, operator: str, left: Known, right: Known) -> Value:
        if operator == "<:":
            return self._order(node, left, right)
        if operator in NUMERIC and isinstance(prune(left.type), Proxy) | isinstance(prune(right.type), Proxy):
            unify(left.type, right.type)
        if operator in EQUALITIES and not unify(left.type, right.type):
            return self._unequal_types(node, operator, left, right)
        left_type, right_type = ground_if_closed(left.type), ground_if_closed(right.type)
        if operator in EQUALITIES:
            right_type = left_type  # the types are unified, even if they are not known yet
        rule = binary_rule(operator, left_type, right_type)
        if rule is None:
            message = f"invalid argument types ({left_type} and {right_type}) to binary operator {operator}"
            return self.fail(node, message)
        build = rule[1]

        def build_checked(args: Sequence[Term]) -> Term:
            if operator in EQUALITIES:
                self._doubt_equality(args[0].type)
            return build(self.terms, args[0], args[1])

        return self.combine(rule[0], (left, right), build_checked)

    def _order(self, node: ast.Binary | ast.Chain, left: Known, right: Known) -> Value:
        if not unify(left.type, right.type):
            message = f"invalid argument types ({prune(left.type)} and {prune(right.type)}) to binary operator <:"
            return self.fail(node, message)

        def build(args: Sequence[Term]) -> Term:
            type_ = args[0].type
            if OTHER_TYPES in leaves(type_):
                self.doubt()
            if self.table.only_checking:
                return self.terms.false
            return self.terms.apply(self.table.ordering.order(type_, self.span(node)), args)

        return self.combine(BOOL, (left, right), build)

    def _unequal_types(self, node: ast.Binary | ast.Chain, operator: str, left: Known, right: Known) -> Value:
        """Compare values of different types, which are different; this is only allowed if types are parameters."""
        bindings = flexible_unify(left.type, right.type)
        if bindings is None and (self.table.only_checking or not self.environment):
            message = f"invalid argument types ({prune(left.type)} and {prune(right.type)}) to binary operator "
            return self.fail(node, message + operator)
        if self.table.only_checking:
            return self.terms.false
        for parameter, needed in bindings or ():
            if parameter != OTHER_TYPES or OTHER_TYPES in leaves(needed):
                return self.unsupported(node, "an equality that depends on what a type parameter is")
            self.table.instances.add_types((needed,))
        return self.terms.boolean(operator == "!=")

    def unary(self, node: ast.Unary, operand: Value) -> Value:
        if isinstance(operand, Failure):
            return FAILURE
        if isinstance(prune(operand.type), Proxy):
            unify(operand.type, BOOL if node.operator == "!" else INT)
        rule = unary_rule(node.operator, ground_if_closed(operand.type))
        if rule is None:
            message = f"invalid argument type ({prune(operand.type)}) to unary operator {node.operator}"
            return self.fail(node, message)
        build = rule[1]
        if operand.__class__ is Term:
            return build(self.terms, operand)
        return self.combine(rule[0], (operand,), lambda args: build(self.terms, args[0]))

    def chain(self, node: ast.Chain, operands: list[Value]) -> Value:
        if node.operator not in {"&&", "||"}:
            result = operands[0]
            for operand in operands[1:]:
                result = self.binary(node, node.operator, result, operand)
            return result
        parts: list[Known] = []
        for operand, child in zip(operands, node.operands, strict=True):
            if isinstance(operand, Failure):
                return FAILURE
            if operand.type is not BOOL and not unify(operand.type, BOOL):
                return self.fail(child, f"invalid argument type ({prune(operand.type)}) to operator {node.operator}")
            parts.append(operand)
        build = self.terms.and_ if node.operator == "&&" else self.terms.or_
        return self.combine(BOOL, parts, build)

    def conditional(self, node: ast.Conditional, condition: Value, then: Value, otherwise: Value) -> Value:
        if isinstance(condition, Failure) or isinstance(then, Failure) or isinstance(otherwise, Failure):
            return FAILURE
        if not unify(condition.type, BOOL):
            return self.fail(node.condition, "the condition of if-then-else must have type bool")
        if not unify(then.type, otherwise.type):
            message = f"branches of if-then-else have types {prune(then.type)} and {prune(otherwise.type)}"
            return self.fail(node, message)
        return self.combine(then.type, (condition, then, otherwise), lambda args: self.terms.ite(*args))

    def coercion(self, node: ast.Coercion, operand: Value) -> Value:
        type_ = self.table.types.resolve(node.type, self.source, self.environment)
        if type_ is None or isinstance(operand, Failure):
            return FAILURE
        if not unify(operand.type, type_):
            return self.fail(node, f"{prune(operand.type)} cannot be coerced to {type_}")
        return operand

    def extract(self, node: ast.Extract, operand: Value) -> Value:
        if isinstance(operand, Failure):
            return FAILURE
        type_ = prune(operand.type)
        if not isinstance(type_, BvType):
            return self.fail(node, f"bits can be extracted from bit-vectors only, not from {type_}")
        if not 0 <= node.low <= node.high <= type_.width:
            return self.fail(node, f"bits {node.high}:{node.low} are not within {type_}")
        result = BvType(node.high - node.low)
        return self.combine(result, (operand,), lambda args: self.terms.extract(args[0], node.high, node.low))

    # --- functions

    def application(self, node: ast.Application, arguments: list[Value]) -> Value:
        if node.function in {"int", "real"} and node.function not in self.table.functions:
            return self._conversion(node, arguments)
        symbol = self.table.functions.get(node.function)
        if symbol is None:
            return self.fail(node, f"use of undeclared function: {node.function}")
        if len(arguments) != len(symbol.parameters):
            message = f"{node.function} takes {len(symbol.parameters)} arguments, but {len(arguments)} are given"
            return self.fail(node, message)
        known = [argument for argument in arguments if not isinstance(argument, Failure)]
        if len(known) != len(arguments):
            return FAILURE
        if symbol.type_parameters:
            return self._polymorphic_application(node, symbol, known)
        for argument, type_, child in zip(known, symbol.parameters, node.arguments, strict=True):
            if argument.type is not type_ and not unify(argument.type, type_):
                return self._wrong_argument(child, node.function, type_, argument.type)
        return self.combine(symbol.result, known, symbol.builder(()))

    def _wrong_argument(self, child: ast.Expression, function: str, expected: Type, found: Type) -> Failure:
        return self.fail(
            child, f"an argument of {function} must have type {prune(expected)}, but has type {prune(found)}"
        )

    def _polymorphic_application(self, node: ast.Application, symbol: FunctionSymbol, known: list[Known]) -> Value:
        proxies: dict[str, Type] = {name: Proxy(name) for name in symbol.type_parameters}
        for argument, type_, child in zip(known, symbol.parameters, node.arguments, strict=True):
            expected = instantiate(type_, proxies)
            if not unify(argument.type, expected):
                return self._wrong_argument(child, node.function, expected, argument.type)

        def build(args: Sequence[Term]) -> Term:
            type_arguments = tuple([ground(proxy) for proxy in proxies.values()])
            self.note_instance(type_arguments)
            self._doubt_application(symbol, type_arguments)
            return symbol.builder(type_arguments)(args)

        result = instantiate(symbol.result, proxies)
        undetermined = any(is_open(proxy) for proxy in proxies.values())
        return Open(result, known, build) if undetermined else self.combine(result, known, build)

    def note_instance(self, arguments: tuple[Type, ...]) -> None:
        """Note that type parameters were instantiated with types that polymorphic quantifiers must cover.

        Types that a quantifier over types has chosen itself are ignored.
        """
        if not self.fixed and not self.table.only_checking:
            news = [type_ for type_ in arguments if not any(leaf in _STAND_INS for leaf in leaves(type_))]
            self.table.instances.add_types(news)

    # --- types that stand for a union of types

    def doubt(self) -> None:
        """Note that the current expression may mean something else for a union of types than for each of them."""
        if self.table.only_checking:
            return
        for node in self.unions:
            self.table.instances.add_uneven(id(node))
        if self.body_of is not None:
            self.table.instances.add_uneven(self.body_of)

    def doubt_nested(self, arguments: Sequence[Type]) -> None:
        """Note an instance with a type built from a union: `W a` for all `a` is unrelated to all `b` here, although
        some `b` are `W a`."""
        if any(argument != OTHER_TYPES and OTHER_TYPES in leaves(argument) for argument in arguments):
            self.doubt()

    def _doubt_application(self, symbol: FunctionSymbol, arguments: tuple[Type, ...]) -> None:
        """Note an application with a type parameter that no argument determines: it is a function for each type, not
        one for the union."""
        self.doubt_nested(arguments)
        determined = {leaf for parameter in symbol.parameters for leaf in leaves(parameter)}
        for name, argument in zip(symbol.type_parameters, arguments, strict=True):
            if argument == OTHER_TYPES:
                if TypeParameter(name) not in determined or symbol.name in self.table.instances.uneven:
                    self.doubt()

    def _doubt_equality(self, type_: Type) -> None:
        """Note an equality of structured values: values of different types may be equal if one type stands for
        both."""
        if isinstance(type_, (MapType, DataType)) and OTHER_TYPES in leaves(type_):
            self.doubt()

    def _conversion(self, node: ast.Application, arguments: list[Value]) -> Value:
        if len(arguments) != 1:
            return self.fail(node, f"{node.function} takes one argument")
        argument = arguments[0]
        if isinstance(argument, Failure):
            return FAILURE
        source, target = (REAL, INT) if node.function == "int" else (INT, REAL)
        if not unify(argument.type, source):
            return self.fail(node, f"{node.function} converts {source}, not {prune(argument.type)}")
        convert = self.terms.to_int if node.function == "int" else self.terms.to_real
        return self.combine(target, (argument,), lambda args: convert(args[0]))

    # --- maps

    def select(self, node: Any, map_: Value, indices: Sequence[Value]) -> Value:  # noqa: ANN401
        known = [index for index in indices if not isinstance(index, Failure)]
        if isinstance(map_, Failure) or len(known) != len(indices):
            return FAILURE
        type_ = prune(map_.type)
        if isinstance(type_, MapType):
            if not self.fit(node, type_.domain, known):
                return FAILURE
            return self.combine(type_.range, (map_, *known), lambda args: self.terms.select(args[0], args[1:]))
        if isinstance(type_, DataType) and type_ in self.table.types.schemas:
            return select_instance(self, node, type_, map_, known)
        return self.fail(node, f"only maps have elements, and this has type {type_}")

    def fit(self, node: Any, domain: Sequence[Type], indices: Sequence[Known]) -> bool:  # noqa: ANN401
        if len(domain) != len(indices):
            self.fail(node, f"the map has {len(domain)} indices, but {len(indices)} are given")
            return False
        for expected, index in zip(domain, indices, strict=True):
            if index.type is not expected and not unify(index.type, expected):
                self.fail(node, f"a map index must have type {prune(expected)}, but has type {prune(index.type)}")
                return False
        return True

    def update(self, node: Any, map_: Value, indices: Sequence[Value], value: Value) -> Value:  # noqa: ANN401
        known = [index for index in indices if not isinstance(index, Failure)]
        if isinstance(map_, Failure) or isinstance(value, Failure) or len(known) != len(indices):
            return FAILURE
        type_ = prune(map_.type)
        if isinstance(type_, DataType) and type_ in self.table.types.schemas:
            return update_instance(self, node, type_, map_, known, value)
        if not isinstance(type_, MapType):
            return self.fail(node, f"only maps can be updated, and this has type {type_}")
        if not self.fit(node, type_.domain, known):
            return FAILURE
        if not unify(value.type, type_.range):
            message = f"the map's values have type {prune(type_.range)}, and this has type {prune(value.type)}"
            return self.fail(node, message)
        return self.combine(
            type_, (map_, *known, value), lambda args: self.terms.store(args[0], args[1:-1], args[-1])
        )


# --- the walk


def _pop(values: list[Value], count: int) -> list[Value]:
    if not count:
        return []
    taken = values[-count:]
    del values[-count:]
    return taken


def _open_binary(evaluator: Evaluator, node: ast.Binary, work: Work, values: list[Value]) -> None:
    left, right = node.left, node.right
    if node.operator == "is":
        work.append((_close_is, node))
        work.append(left)
        return
    left_leaf, right_leaf = _LEAVES.get(left.__class__), _LEAVES.get(right.__class__)
    if left_leaf is not None and right_leaf is not None:
        values.append(evaluator.binary(node, node.operator, left_leaf(evaluator, left), right_leaf(evaluator, right)))
        return
    work.append((_close_binary, node))
    work.append(right)
    work.append(left)


def _close_binary(evaluator: Evaluator, node: ast.Binary, _: Work, values: list[Value]) -> None:
    right = values.pop()
    values[-1] = evaluator.binary(node, node.operator, values[-1], right)


def _close_is(evaluator: Evaluator, node: ast.Binary, _: Work, values: list[Value]) -> None:
    values[-1] = test_constructor(evaluator, node, values[-1])


def _open_unary(_: Evaluator, node: ast.Unary, work: Work, __: list[Value]) -> None:
    work.append((_close_unary, node))
    work.append(node.operand)


def _close_unary(evaluator: Evaluator, node: ast.Unary, _: Work, values: list[Value]) -> None:
    values[-1] = evaluator.unary(node, values[-1])


def _open_chain(_: Evaluator, node: ast.Chain, work: Work, __: list[Value]) -> None:
    work.append((_close_chain, node))
    work.extend(reversed(node.operands))


def _close_chain(evaluator: Evaluator, node: ast.Chain, _: Work, values: list[Value]) -> None:
    values.append(evaluator.chain(node, _pop(values, len(node.operands))))


def _open_application(_: Evaluator, node: ast.Application, work: Work, __: list[Value]) -> None:
    work.append((_close_application, node))
    work.extend(reversed(node.arguments))


def _close_application(evaluator: Evaluator, node: ast.Application, _: Work, values: list[Value]) -> None:
    values.append(evaluator.application(node, _pop(values, len(node.arguments))))


def _open_select(_: Evaluator, node: ast.Select, work: Work, __: list[Value]) -> None:
    work.append((_close_select, node))
    work.extend(reversed(node.indices))
    work.append(node.map)


def _close_select(evaluator: Evaluator, node: ast.Select, _: Work, values: list[Value]) -> None:
    indices = _pop(values, len(node.indices))
    values[-1] = evaluator.select(node, values[-1], indices)


def _open_update(_: Evaluator, node: ast.Update, work: Work, __: list[Value]) -> None:
    work.append((_close_update, node))
    work.append(node.value)
    work.extend(reversed(node.indices))
    work.append(node.map)


def _close_update(evaluator: Evaluator, node: ast.Update, _: Work, values: list[Value]) -> None:
    value = values.pop()
    indices = _pop(values, len(node.indices))
    values[-1] = evaluator.update(node, values[-1], indices, value)


def _open_extract(_: Evaluator, node: ast.Extract, work: Work, __: list[Value]) -> None:
    work.append((_close_extract, node))
    work.append(node.operand)


def _close_extract(evaluator: Evaluator, node: ast.Extract, _: Work, values: list[Value]) -> None:
    values[-1] = evaluator.extract(node, values[-1])


def _open_field(_: Evaluator, node: ast.FieldAccess, work: Work, __: list[Value]) -> None:
    work.append((_close_field, node))
    work.append(node.operand)


def _close_field(evaluator: Evaluator, node: ast.FieldAccess, _: Work, values: list[Value]) -> None:
    values[-1] = access_field(evaluator, node, values[-1], node.field)


def _open_field_update(_: Evaluator, node: ast.FieldUpdate, work: Work, __: list[Value]) -> None:
    work.append((_close_field_update, node))
    work.append(node.value)
    work.append(node.operand)


def _close_field_update(evaluator: Evaluator, node: ast.FieldUpdate, _: Work, values: list[Value]) -> None:
    value = values.pop()
    values[-1] = update_field(evaluator, node, values[-1], node.field, value)


def _open_old(evaluator: Evaluator, node: ast.Old, work: Work, values: list[Value]) -> None:
    if evaluator.old_of is None:
        values.append(evaluator.fail(node, "old expressions are allowed in two-state contexts only"))
        return
    evaluator.old_level += 1
    work.append((_close_old, node))
    work.append(node.operand)


def _close_old(evaluator: Evaluator, _: ast.Old, __: Work, ___: list[Value]) -> None:
    evaluator.old_level -= 1


def _open_conditional(_: Evaluator, node: ast.Conditional, work: Work, __: list[Value]) -> None:
    work.append((_close_conditional, node))
    work.append(node.otherwise)
    work.append(node.then)
    work.append(node.condition)


def _close_conditional(evaluator: Evaluator, node: ast.Conditional, _: Work, values: list[Value]) -> None:
    condition, then, otherwise = _pop(values, 3)
    values.append(evaluator.conditional(node, condition, then, otherwise))


def _open_coercion(_: Evaluator, node: ast.Coercion, work: Work, __: list[Value]) -> None:
    work.append((_close_coercion, node))
    work.append(node.operand)


def _close_coercion(evaluator: Evaluator, node: ast.Coercion, _: Work, values: list[Value]) -> None:
    values[-1] = evaluator.coercion(node, values[-1])


_LEAVES: dict[type, Callable[[Evaluator, Any], Value]] = {
    ast.Name: Evaluator.name,
    ast.Literal: Evaluator.literal,
    ast.WildcardExpression: Evaluator.wildcard,
    ast.CodeExpression: Evaluator.code_expression,
}
_OPEN: dict[type, Callable[[Evaluator, Any, Work, list[Value]], None]] = {
    ast.Binary: _open_binary,
    ast.Unary: _open_unary,
    ast.Chain: _open_chain,
    ast.Application: _open_application,
    ast.Select: _open_select,
    ast.Update: _open_update,
    ast.Extract: _open_extract,
    ast.FieldAccess: _open_field,
    ast.FieldUpdate: _open_field_update,
    ast.Old: _open_old,
    ast.Conditional: _open_conditional,
    ast.Coercion: _open_coercion,
    ast.Quantified: open_quantified,
    ast.Let: open_let,
}
