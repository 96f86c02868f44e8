"""The features of random C computations: each declares objects, and offers statements that use them."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Final

from tests.frontends.c import random_c_data as data
from tests.frontends.c import random_c_functions as functions
from tests.frontends.c.random_c import Computation, Writer, indented

if TYPE_CHECKING:
    from random import Random

Feature = Callable[[Writer], None]

FEATURES: Final[tuple[Feature, ...]] = (
    data.global_scalars,
    data.floating,
    data.enumeration,
    data.array,
    data.array,
    data.matrix,
    data.scalar_pointers,
    data.scalar_pointers,
    data.byte_view,
    data.string,
    data.record,
    data.record,
    data.record,
    data.union,
    data.nodes,
    data.heap,
    functions.callback,
    functions.pure_function,
    functions.stateful_function,
    functions.recursive_function,
    functions.function_pointers,
    functions.out_parameter,
    functions.variable_array,
    functions.computed_goto,
    functions.duff,
    functions.compound_literal,
)


def random_computation(random: Random, suffix: str, *, floats: bool = True) -> Computation:
    """One computation; the same generator state gives the same one."""
    writer = Writer(random, suffix)
    data.scalars(writer)
    features = [feature for feature in FEATURES if floats or feature is not data.floating]
    for feature in random.sample(features, random.randint(1, 3)):
        feature(writer)
    body = writer.statements(random.choice([1, 1, 2]), random.randint(2, 4))
    name = f"compute{suffix}"
    lines = [
        *writer.declarations,
        f"unsigned long long {name}(void) {{",
        *indented(["unsigned long long h = 0;", *writer.locals, *body, *writer.observed, "return h;"]),
        "}",
    ]
    return Computation(name, "\n".join(lines) + "\n", writer.inputs)
