"""cvc5's models. They are part of the solver's state, so they end with the next assertion or query."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, final

from cvc5 import Kind, SkolemId

from remuda.base.errors import InternalError, Unsupported
from remuda.smt.cvc5_terms import ROUNDING_MODES, Cvc5Binding
from remuda.smt.model_values import (
    Branch,
    Cases,
    Split,
    data_split,
    decision_cases,
    leaf,
    map_split,
    nan_value,
    read_value,
    table_of,
)
from remuda.terms.types import (
    INT,
    REAL,
    BoolType,
    BvType,
    DataType,
    FloatType,
    IntType,
    MapType,
    NamedType,
    RealType,
    RoundingType,
    Type,
)
from remuda.terms.values import Element, FloatValue, FunctionTable, Interpretation, MapValue, Value

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from remuda.smt.translation import Translation
    from remuda.terms.symbols import Function, Variable

Node = Any  # cvc5's own term

_MODE_NAMES = {mode: name for name, mode in ROUNDING_MODES.items()}

_DIVISIONS = {
    "div": (SkolemId.INT_DIV_BY_ZERO, INT),
    "mod": (SkolemId.MOD_BY_ZERO, INT),
    "realdiv": (SkolemId.DIV_BY_ZERO, REAL),
}


@final
class Cvc5Model:
    """One model. `is_current` tells whether the solver is still in the state that has it."""

    __slots__ = ("_binding", "_elements", "_is_current", "_translation", "_truth")

    def __init__(self, binding: Cvc5Binding, translation: Translation, is_current: Callable[[], bool]) -> None:
        self._binding = binding
        self._translation = translation
        self._is_current = is_current
        self._truth: dict[Node, bool] = {}
        self._elements: dict[Node, Element] = {}

    def is_true(self, native: Node) -> bool:
        known = self._truth.get(native)
        if known is None:
            known = self._evaluate(native) == self._binding.true
            self._truth[native] = known
        return known

    def value(self, native: Node, type_: Type) -> Value:
        return read_value(self._evaluate(native), type_, self._split)

    def interpretation(self, constants: Sequence[Variable], functions: Sequence[Function]) -> Interpretation:
        interpretation = Interpretation()
        for constant in constants:
            native = self._translation.variables.get(constant)
            if native is not None:
                interpretation.constants[constant] = self.value(native, constant.type)
        for function in functions:
            declaration = self._translation.declaration(function)
            if declaration is not None:
                domain = [parameter.type for parameter in function.parameters]
                interpretation.functions[function] = self._table(declaration, domain, function.result)
        for name, (skolem, type_) in _DIVISIONS.items():
            declaration = self._binding.manager.mkSkolem(skolem)
            interpretation.division_by_zero[name] = self._table(declaration, [type_], type_)
        return interpretation

    def _evaluate(self, native: Node) -> Node:
        if not self._is_current():
            message = "a model of cvc5 was read after the solver had moved on"
            raise InternalError(message)
        try:
            return self._binding.solver.getValue(native)
        except RuntimeError as error:
            raise Unsupported(None, f"reading a value from cvc5 ({error})") from error

    # --- functions

    def _table(self, declaration: Node, domain: Sequence[Type], result: Type) -> FunctionTable:
        if not domain:
            return FunctionTable({}, self.value(declaration, result))
        cases = self._lambda_cases(self._evaluate(declaration), len(domain))
        return table_of(cases, domain, result, self._split)

    def _lambda_cases(self, node: Node, arity: int) -> Cases:
        """cvc5 shows a function as `(lambda (x y) (ite (= x 3) (ite (= y 4) 5 6) 6))`."""
        if node.getKind() != Kind.LAMBDA:
            raise _unreadable(node)
        positions = {variable: position for position, variable in enumerate(node[0])}
        cases = decision_cases(node[1], arity, lambda native: self._branch(native, positions))
        if cases is None:
            raise _unreadable(node)
        return cases

    def _branch(self, node: Node, positions: dict[Node, int]) -> Branch | None:
        kind = node.getKind()
        if kind == Kind.ITE:
            return self._turned(node[0], node[1], node[2], positions)
        if kind in {Kind.EQUAL, Kind.AND, Kind.OR, Kind.NOT} or node in positions:
            return self._turned(node, self._binding.true, self._binding.false, positions)
        return None

    def _turned(self, condition: Node, then: Node, otherwise: Node, positions: dict[Node, int]) -> Branch:
        """The branch on a condition, with negations and disjunctions taken apart."""
        kind = condition.getKind()
        if kind == Kind.NOT:
            return self._turned(condition[0], otherwise, then, positions)
        if kind == Kind.OR:
            first, *rest = condition
            for alternative in reversed(rest):
                otherwise = self._binding.manager.mkTerm(Kind.ITE, alternative, then, otherwise)
            return self._turned(first, then, otherwise, positions)
        conjuncts = list(condition) if kind == Kind.AND else [condition]
        return Branch([self._equation(conjunct, positions) for conjunct in conjuncts], then, otherwise)

    def _equation(self, condition: Node, positions: dict[Node, int]) -> tuple[int, Node]:
        """The variable and the literal of `variable == literal`, `variable` or `!variable`."""
        variable, literal = condition, self._binding.true
        if condition.getKind() == Kind.EQUAL:
            variable, literal = condition
            if variable not in positions:
                variable, literal = literal, variable
        elif condition.getKind() == Kind.NOT:
            variable, literal = condition[0], self._binding.false
        if variable not in positions or literal in positions:
            raise _unreadable(condition)
        return positions[variable], literal

    # --- values

    def _split(self, node: Node, type_: Type) -> Split:
        match type_:
            case BoolType() if node.isBooleanValue():
                return leaf(bool(node.getBooleanValue()))
            case IntType() if node.isIntegerValue():
                return leaf(int(node.getIntegerValue()))
            case RealType() if node.isRealValue() or node.isIntegerValue():
                return leaf(node.getRealValue())
            case BvType() if node.isBitVectorValue():
                return leaf(int(node.getBitVectorValue(2), 2))
            case FloatType() if node.isFloatingPointValue():
                return leaf(_float(node, type_))
            case RoundingType() if node.isRoundingModeValue():
                return leaf(_MODE_NAMES[node.getRoundingModeValue()])
            case NamedType() if node.isUninterpretedSortValue():
                return leaf(self._element(node, type_))
            case DataType() if node.getKind() == Kind.APPLY_CONSTRUCTOR:
                constructor, *arguments = node
                return data_split(self._binding.constructors[constructor], arguments)
            case MapType(domain, value):
                return self._map(node, domain, value)
            case _:
                raise _unreadable(node)

    def _element(self, node: Node, type_: Type) -> Element:
        """Elements are numbered in the order in which they are met."""
        element = self._elements.get(node)
        if element is None:
            taken = sum(other.type == type_ for other in self._elements.values())
            element = Element(type_, taken)
            self._elements[node] = element
        return element

    def _map(self, node: Node, domain: tuple[Type, ...], value: Type) -> Split:
        if not domain:
            inner = self._split(node, value)
            return Split(inner.parts, lambda read: MapValue(inner.combine(read), {}))
        entries: list[tuple[Sequence[Node], Node]] = []
        while node.getKind() == Kind.STORE:
            node, index, stored = node
            entries.append(([index] if len(domain) == 1 else list(index)[1:], stored))
        if not node.isConstArray():
            raise _unreadable(node)
        return map_split(Cases(entries, node.getConstArrayBase()), domain, value)


def _float(node: Node, type_: FloatType) -> FloatValue:
    if node.isFloatingPointNaN():
        return nan_value(type_)
    _, _, vector = node.getFloatingPointValue()
    return FloatValue(int(vector.getBitVectorValue(2), 2), type_.significand, type_.exponent)


def _unreadable(node: Node) -> Unsupported:
    text = str(node)
    shown = text if len(text) <= 100 else f"{text[:100]}..."
    return Unsupported(None, f"the model value {shown}")
