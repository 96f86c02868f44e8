"""Types during inference: parameters, proxies, and unification.

Ground types are those of `terms.types`. Inference has two more leaves: a `TypeParameter` in a polymorphic signature,
and a `Proxy`, which stands for one type that is not known yet:

    function f<a>(x: Field a): a;     f(F) with F: Field int     a becomes a proxy, unification makes it int
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, final

from remuda.terms.types import INT, DataType, MapType, NamedType, Type

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

MAXIMAL_DEPTH = 60  # of nested types; hashing and printing recurse over types
MAXIMAL_SIZE = 2000  # in parts; synonyms may double the size of types at every step


@final
@dataclass(frozen=True, slots=True)
class TypeParameter(Type):
    """A type parameter of a polymorphic function, map or procedure, in its signature."""

    name: str

    def __str__(self) -> str:
        return self.name


@final
class Proxy(Type):
    """A type that is to be inferred; `target` is the type once it is known."""

    __slots__ = ("name", "target")

    def __init__(self, name: str) -> None:
        self.name = name
        self.target: Type | None = None

    def __str__(self) -> str:
        return str(self.target) if self.target is not None else f"?{self.name}"


def prune(type_: Type) -> Type:
    """The type without proxies at the top level."""
    while isinstance(type_, Proxy) and type_.target is not None:
        type_ = type_.target
    return type_


def parts(type_: Type) -> tuple[Type, ...]:
    """The types that are the parts of a type."""
    if isinstance(type_, MapType):
        return (*type_.domain, type_.range)
    if isinstance(type_, (NamedType, DataType)):
        return type_.arguments
    return ()


def with_parts(type_: Type, new: tuple[Type, ...]) -> Type:
    """The type with the same constructor and other parts."""
    if isinstance(type_, MapType):
        return MapType(new[:-1], new[-1])
    if isinstance(type_, NamedType):
        return NamedType(type_.name, new)
    assert isinstance(type_, DataType)
    return DataType(type_.name, new)


def same_constructor(left: Type, right: Type) -> bool:
    if left.__class__ is not right.__class__:
        return False
    if isinstance(left, (NamedType, DataType)) and isinstance(right, (NamedType, DataType)):
        return left.name == right.name and len(left.arguments) == len(right.arguments)
    if isinstance(left, MapType) and isinstance(right, MapType):
        return len(left.domain) == len(right.domain)
    return left == right


def unify(left: Type, right: Type) -> bool:
    """Make two types equal by setting the targets of proxies; false if that is impossible."""
    pairs = [(left, right)]
    while pairs:
        left, right = pairs.pop()
        left, right = prune(left), prune(right)
        if left is right:
            continue
        if isinstance(right, Proxy):
            left, right = right, left
        if isinstance(left, Proxy):
            if occurs(left, right):
                return False
            left.target = right
        elif same_constructor(left, right):
            pairs.extend(zip(parts(left), parts(right), strict=True))
        else:
            return False
    return True


def occurs(proxy: Proxy, type_: Type) -> bool:
    return any(leaf is proxy for leaf in leaves(type_))


def leaves(type_: Type) -> Iterator[Type]:
    """The parts of a type that have no parts themselves, without proxies that have a target."""
    stack = [type_]
    while stack:
        current = prune(stack.pop())
        inner = parts(current)
        if inner:
            stack.extend(inner)
        else:
            yield current


def is_open(type_: Type) -> bool:
    """Whether the type contains a proxy without a target."""
    return any(isinstance(leaf, Proxy) for leaf in leaves(type_))


def is_too_large(type_: Type) -> bool:
    """Whether the type exceeds `MAXIMAL_DEPTH` or `MAXIMAL_SIZE`."""
    size = 0
    stack = [(type_, 1)]
    while stack:
        current, level = stack.pop()
        size += 1
        if level > MAXIMAL_DEPTH or size > MAXIMAL_SIZE:
            return True
        stack.extend((part, level + 1) for part in parts(current))
    return False


def instantiate(type_: Type, mapping: Mapping[str, Type]) -> Type:
    """The type with type parameters replaced. Recursion is bounded by `MAXIMAL_DEPTH`."""
    if isinstance(type_, TypeParameter):
        return mapping.get(type_.name, type_)
    inner = parts(type_)
    if not inner:
        return type_
    return with_parts(type_, tuple([instantiate(part, mapping) for part in inner]))


def ground(type_: Type) -> Type:
    """The type with proxies replaced by their targets; a proxy without a target becomes int, as in Boogie."""
    type_ = prune(type_)
    if isinstance(type_, Proxy):
        type_.target = INT
        return INT
    inner = parts(type_)
    if not inner:
        return type_
    return with_parts(type_, tuple([ground(part) for part in inner]))
