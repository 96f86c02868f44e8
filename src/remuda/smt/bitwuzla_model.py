"""Bitwuzla's models. They are part of the solver's state, so they end with the next assertion or query."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, final

from bitwuzla import BitwuzlaException, Kind

from remuda.base.errors import InternalError, Unsupported
from remuda.smt.model_functions import body_cases, interpretation_of, unreadable
from remuda.smt.model_values import Cases, Split, cell_split, leaf, map_split, nan_value, read_value, table_of
from remuda.terms.types import BoolType, BvType, FloatType, MapType, RoundingType, Type
from remuda.terms.values import FloatValue, FunctionTable, Interpretation, Value

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    import bitwuzla

    from remuda.smt.bitwuzla_terms import BitwuzlaBinding
    from remuda.smt.translation import Translation
    from remuda.terms.symbols import Function, Variable

Node = Any  # Bitwuzla's own term


@final
class BitwuzlaModel:
    """One model. `is_current` says whether the solver is still in the state that has it."""

    __slots__ = ("_binding", "_is_current", "_solver", "_translation", "_truth")

    def __init__(
        self,
        solver: bitwuzla.Bitwuzla,
        binding: BitwuzlaBinding,
        translation: Translation,
        is_current: Callable[[], bool],
    ) -> None:
        self._solver = solver
        self._binding = binding
        self._translation = translation
        self._is_current = is_current
        self._truth: dict[Node, bool] = {}

    def is_true(self, native: Node) -> bool:
        known = self._truth.get(native)
        if known is None:
            known = bool(self._evaluate(native).is_true())
            self._truth[native] = known
        return known

    def value(self, native: Node, type_: Type) -> Value:
        return read_value(self._evaluate(native), type_, self._split)

    def interpretation(self, constants: Sequence[Variable], functions: Sequence[Function]) -> Interpretation:
        return interpretation_of(self, self._translation, constants, functions)

    def _evaluate(self, native: Node) -> Node:
        if not self._is_current():
            message = "a model of bitwuzla was read after the solver had moved on"
            raise InternalError(message)
        try:
            return self._solver.get_value(native)
        except BitwuzlaException as error:
            raise Unsupported(None, f"reading a value from bitwuzla ({error})") from error

    def function_table(self, declaration: Node, domain: Sequence[Type], result: Type) -> FunctionTable:
        """Bitwuzla shows a function as `(lambda (x) (lambda (y) (ite (and (= x 3) (= y 4)) 5 6)))`."""
        node = self._evaluate(declaration)
        positions: dict[Node, int] = {}
        for position in range(len(domain)):
            if node.kind() != Kind.LAMBDA:
                raise unreadable(self._binding, node)
            variable, node = node.children()
            positions[variable] = position
        cases = body_cases(self._binding, node, len(domain), positions.get)
        return table_of(cases, domain, result, self._split)

    def _split(self, node: Node, type_: Type) -> Split:
        match type_:
            case BoolType() if node.is_value():
                return leaf(bool(node.is_true()))
            case BvType() if node.is_value():
                return leaf(int(node.value(2), 2))
            case FloatType() if node.is_value():
                return leaf(_float(node, type_))
            case RoundingType() if node.is_value():
                return leaf(str(node.value().name))
            case MapType((), value):
                return cell_split(self._split(node, value))
            case MapType(domain, value):
                return self._map(node, domain, value)
            case _:
                raise unreadable(self._binding, node)

    def _map(self, node: Node, domain: tuple[Type, ...], value: Type) -> Split:
        entries: list[tuple[Sequence[Node], Node]] = []
        while node.kind() == Kind.ARRAY_STORE:
            node, index, stored = node.children()
            entries.append((self._binding.indices(index, domain), stored))
        if node.kind() != Kind.CONST_ARRAY:
            raise unreadable(self._binding, node)
        return map_split(Cases(entries, node.children()[0]), domain, value)


def _float(node: Node, type_: FloatType) -> FloatValue:
    if node.is_fp_value_nan():
        return nan_value(type_)
    return FloatValue(int(node.value(2, fp_as_tuple=False), 2), type_.significand, type_.exponent)
