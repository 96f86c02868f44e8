"""cvc5's models. They are part of the solver's state, so they end with the next assertion or query."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, final

from cvc5 import Kind, SkolemId

from remuda.base.errors import InternalError, Unsupported
from remuda.smt.cvc5_terms import ROUNDING_MODES, Cvc5Binding
from remuda.smt.model_functions import body_cases, interpretation_of, unreadable
from remuda.smt.model_values import (
    Cases,
    Elements,
    Split,
    cell_split,
    data_split,
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
from remuda.terms.values import FloatValue, FunctionTable, Interpretation, Value

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
    """One model. `is_current` says whether the solver is still in the state that has it."""

    __slots__ = ("_binding", "_elements", "_is_current", "_translation", "_truth")

    def __init__(self, binding: Cvc5Binding, translation: Translation, is_current: Callable[[], bool]) -> None:
        self._binding = binding
        self._translation = translation
        self._is_current = is_current
        self._truth: dict[Node, bool] = {}
        self._elements = Elements()

    def is_true(self, native: Node) -> bool:
        known = self._truth.get(native)
        if known is None:
            known = self._evaluate(native) == self._binding.true
            self._truth[native] = known
        return known

    def value(self, native: Node, type_: Type) -> Value:
        return read_value(self._evaluate(native), type_, self._split)

    def interpretation(self, constants: Sequence[Variable], functions: Sequence[Function]) -> Interpretation:
        interpretation = interpretation_of(self, self._translation, constants, functions)
        for name, (skolem, type_) in _DIVISIONS.items():
            declaration = self._binding.manager.mkSkolem(skolem)
            interpretation.division_by_zero[name] = self.function_table(declaration, [type_], type_)
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

    def function_table(self, declaration: Node, domain: Sequence[Type], result: Type) -> FunctionTable:
        """cvc5 shows a function as `(lambda (x y) (ite (= x 3) (ite (= y 4) 5 6) 6))`."""
        node = self._evaluate(declaration)
        if node.getKind() != Kind.LAMBDA:
            raise unreadable(self._binding, node)
        positions = {variable: position for position, variable in enumerate(node[0])}
        cases = body_cases(self._binding, node[1], len(domain), positions.get)
        return table_of(cases, domain, result, self._split)

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
                return leaf(self._elements.element(node, type_))
            case DataType() if node.getKind() == Kind.APPLY_CONSTRUCTOR:
                constructor, *arguments = node
                return data_split(self._binding.constructors[constructor], arguments)
            case MapType((), value):
                return cell_split(self._split(node, value))
            case MapType(domain, value):
                return self._map(node, domain, value)
            case _:
                raise unreadable(self._binding, node)

    def _map(self, node: Node, domain: tuple[Type, ...], value: Type) -> Split:
        entries: list[tuple[Sequence[Node], Node]] = []
        while node.getKind() == Kind.STORE:
            node, index, stored = node
            entries.append(([index] if len(domain) == 1 else list(index)[1:], stored))
        if not node.isConstArray():
            raise unreadable(self._binding, node)
        return map_split(Cases(entries, node.getConstArrayBase()), domain, value)


def _float(node: Node, type_: FloatType) -> FloatValue:
    if node.isFloatingPointNaN():
        return nan_value(type_)
    _, _, vector = node.getFloatingPointValue()
    return FloatValue(int(vector.getBitVectorValue(2), 2), type_.significand, type_.exponent)
