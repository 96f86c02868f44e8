"""Evaluates polymorphic maps, and equalities of types with parameters.

A polymorphic map is a record with one map for each ground instance:

    h[o, f] with f: Field int       becomes      h.int[o, f]
    h[o, f := 3]                    becomes      record(h.int[o, f := 3], h.bool, ...)

If an instance was not known at the start of this pass over the program, it is noted, and there is another pass.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from remuda.frontends.boogie.type_inference import (
    Proxy,
    ground,
    instantiate,
    is_open,
    is_too_large,
    parts,
    prune,
    unify,
    with_parts,
)
from remuda.frontends.boogie.typecheck import FAILURE, OTHER_TYPES, Known, Value
from remuda.terms.symbols import Variable, VariableKind
from remuda.terms.types import DataType, MapType, NamedType, Type

if TYPE_CHECKING:
    from collections.abc import Sequence

    from remuda.frontends.boogie.evaluate import Evaluator
    from remuda.terms.term import Term


def _component(evaluator: Evaluator, node: Any, type_: DataType, proxies: dict[str, Type]) -> int | None:  # noqa: ANN401
    """The index of the record's field for an instance of the map; None if it was not known before this pass."""
    arguments = tuple([ground(proxy) for proxy in proxies.values()])
    if evaluator.table.only_checking:
        return None
    if any(is_too_large(argument) for argument in arguments):
        evaluator.unsupported(node, "polymorphic recursion")
        return None
    evaluator.note_instance(arguments)
    evaluator.doubt_nested(arguments)
    evaluator.table.instances.add_map(type_, arguments)
    layout = evaluator.table.types.map_layout(type_)
    return layout.index(arguments) if arguments in layout else None


def select_instance(evaluator: Evaluator, node: Any, type_: DataType, map_: Known, indices: list[Known]) -> Value:  # noqa: ANN401
    schema = evaluator.table.types.schemas[type_]
    proxies: dict[str, Type] = {name: Proxy(name) for name in schema.parameters}
    if not evaluator.fit(node, [instantiate(part, proxies) for part in schema.domain], indices):
        return FAILURE
    result = instantiate(schema.range, proxies)

    def build(args: Sequence[Term]) -> Term:
        position = _component(evaluator, node, type_, proxies)
        if position is None:
            return _unknown(evaluator, ground(result))
        constructor = evaluator.table.types.constructors(type_)[0]
        return evaluator.terms.select(evaluator.terms.field(constructor, position, args[0]), args[1:])

    return evaluator.combine(result, (map_, *indices), build)


def update_instance(
    evaluator: Evaluator,
    node: Any,  # noqa: ANN401
    type_: DataType,
    map_: Known,
    indices: list[Known],
    value: Known,
) -> Value:
    schema = evaluator.table.types.schemas[type_]
    proxies: dict[str, Type] = {name: Proxy(name) for name in schema.parameters}
    expected = instantiate(schema.range, proxies)
    if not evaluator.fit(node, [instantiate(part, proxies) for part in schema.domain], indices):
        return FAILURE
    if not unify(value.type, expected):
        return evaluator.fail(node, f"the map's values have type {expected}, and this has type {prune(value.type)}")

    def build(args: Sequence[Term]) -> Term:
        position = _component(evaluator, node, type_, proxies)
        if position is None:
            return args[0]
        constructor = evaluator.table.types.constructors(type_)[0]
        fields = [evaluator.terms.field(constructor, index, args[0]) for index in range(len(constructor.fields))]
        fields[position] = evaluator.terms.store(fields[position], args[1:-1], args[-1])
        return evaluator.terms.construct(constructor, fields)

    return evaluator.combine(type_, (map_, *indices, value), build)


def _unknown(evaluator: Evaluator, type_: Type) -> Term:
    """A placeholder during a pass that will be repeated."""
    return evaluator.terms.var(Variable("unknown", type_, VariableKind.CONSTANT))


def ground_if_closed(type_: Type) -> Type:
    return prune(type_) if is_open(type_) else ground(type_)


def flexible_unify(left: Type, right: Type) -> list[tuple[Type, Type]] | None:
    """The instances of type parameters that make the types equal; None if there are none. Skolem types are
    parameters.

    Each occurrence of `other types` may be a different type.
    """
    skolems: dict[Type, Proxy] = {}
    others: list[Proxy] = []

    def loosen(type_: Type) -> Type:
        type_ = prune(type_)
        if type_ == OTHER_TYPES:
            others.append(Proxy(OTHER_TYPES.name))
            return others[-1]
        if isinstance(type_, NamedType) and not type_.arguments and "#" in type_.name:
            return skolems.setdefault(type_, Proxy(type_.name))
        if isinstance(type_, MapType):
            return MapType(tuple([loosen(part) for part in type_.domain]), loosen(type_.range))
        if isinstance(type_, (NamedType, DataType)) and type_.arguments:
            return type_.__class__(type_.name, tuple([loosen(part) for part in type_.arguments]))
        return type_

    if not unify(loosen(left), loosen(right)):
        return None
    originals: dict[Proxy, Type] = {proxy: type_ for type_, proxy in skolems.items()}
    originals.update(dict.fromkeys(others, OTHER_TYPES))
    bindings = [(type_, _restored(proxy.target, originals)) for proxy, type_ in originals.items() if proxy.target]
    # A skolem type that `other types` includes is treated like any type that occurs.
    turned = [(type_, needed) if needed != OTHER_TYPES else (needed, type_) for type_, needed in bindings]
    return [(type_, needed) for type_, needed in turned if type_ != needed]


def _restored(type_: Type, originals: dict[Proxy, Type]) -> Type:
    """The type with their original types in place of proxies without a target."""
    type_ = prune(type_)
    if isinstance(type_, Proxy):
        return originals[type_]
    inner = parts(type_)
    return with_parts(type_, tuple([_restored(part, originals) for part in inner])) if inner else type_
