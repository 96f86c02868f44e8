"""Reads and writes places, with the checks that an access needs. In programs with threads, each is one step."""

from __future__ import annotations

from contextlib import AbstractContextManager, nullcontext
from typing import TYPE_CHECKING, final

from remuda.frontends.c.library.threads import one_step
from remuda.frontends.c.lowering.beliefs import BROKEN, OUTSIDE, holds
from remuda.frontends.c.lowering.display import input_, shown
from remuda.frontends.c.lowering.places import MemoryPlace, Place, RecordValue, RegisterPlace
from remuda.frontends.c.syntax.types import BOOL, UNSIGNED_CHAR, IntegerType, is_scalar
from remuda.ir.program import Assign, Havoc
from remuda.terms.symbols import VariableKind

if TYPE_CHECKING:
    from remuda.base.source import Span
    from remuda.frontends.c.lowering.context import FunctionContext
    from remuda.frontends.c.syntax.types import CType
    from remuda.terms.term import Term


@final
class Accesses:
    """The accesses of one function."""

    def __init__(self, context: FunctionContext) -> None:
        self._context = context
        program = context.program
        self._blocks = context.blocks
        self._terms = program.terms
        self._arithmetic = program.arithmetic
        self._layouts = program.layouts
        self._storage = program.storage
        self._checks = context.checks
        self._first_values = context.first_values

    def read(self, place: Place, span: Span) -> Term | RecordValue:
        if isinstance(place, MemoryPlace):
            with self._with_its_checks(place, span):
                return self._read_memory(place, span)
        if is_scalar(place.type):
            self._first_values.read(place.variables[0], span)
        if place.is_volatile:
            return self.any_value(place.type, span, place.bits)
        variables = tuple([self._terms.var(variable) for variable in place.variables])
        value = variables[0] if is_scalar(place.type) else RecordValue(variables)
        is_shared = bool(place.variables) and place.variables[0].kind is VariableKind.GLOBAL
        return self._in_one_step(value, span) if is_shared else value

    def _read_memory(self, place: MemoryPlace, span: Span) -> Term | RecordValue:
        self._checks.access(place)
        if place.is_volatile:
            return self.any_value(place.type, span, place.bits)
        self._believe(place, span)
        return self._in_one_step(self._storage.read(place, span), span)

    def _with_its_checks(self, place: MemoryPlace, span: Span) -> AbstractContextManager[None]:
        """No other thread runs between the checks of an access and the access: what was checked still holds."""
        is_checked = self._checks.watch_memory and place.origin is not None
        return one_step(self._context, span) if is_checked else nullcontext()

    def _believe(self, place: MemoryPlace, span: Span) -> None:
        """Assert that an access stays where the points-to analysis believes it to be."""
        for condition in place.inside:
            self._context.believe(condition, span, f"{OUTSIDE}, in {' '.join(span.text.split())},")
        doubt = place.doubt
        if doubt is None:
            return
        program, address, beliefs = self._context.program, doubt.address, doubt.pointer
        if doubt.find is not None:
            size = self._layouts.size(place.type, span)
            address, beliefs = place.address, doubt.find(doubt.offset, size)
        if beliefs:
            condition = holds(program, address, beliefs, wild=doubt.is_wild)
            self._context.believe(condition, span, f"{BROKEN}, in {' '.join(span.text.split())},")

    def _in_one_step(self, value: Term | RecordValue, span: Span) -> Term | RecordValue:
        """Save the value in a variable if other threads may change what it was read from."""
        if self._context.program.threads is None:
            return value
        if isinstance(value, RecordValue):
            return RecordValue(
                tuple([self._blocks.save(each, self._blocks.position(), span) for each in value.scalars])
            )
        return self._blocks.save(value, self._blocks.position(), span)

    def any_value(self, type_: CType, span: Span, bits: int | None = None) -> Term | RecordValue:
        leaves, source = self._layouts.leaves(type_, span), f"volatile {span.text}"
        made = tuple([self._context.unknown(leaf.type, span, source, leaf.bits or bits) for leaf in leaves])
        return made[0] if is_scalar(type_) else RecordValue(made)

    def write(
        self, place: Place, value: Term | RecordValue, span: Span, target: str = "", *, is_any: bool = False
    ) -> None:
        """Assign a place. `target` is its name in the source, for traces; `is_any` says that the value is
        arbitrary."""
        if not isinstance(value, RecordValue):
            value = self._cut(value, place)
        attributes = shown(target, value, place.type) if target else ()
        if isinstance(place, MemoryPlace):
            with self._with_its_checks(place, span):
                self._checks.access(place)
                self._checks.write(place)
                self.trust_write(place, span)
                self._storage.write(self._blocks, place, value, span, attributes, is_any=is_any)
            return
        values = value.scalars if isinstance(value, RecordValue) else (value,)
        if place.variables:
            self._blocks.add(Assign(place.variables, values, span, attributes))
            self._first_values.set(place.variables, span)

    def trust_write(self, place: MemoryPlace, span: Span) -> None:
        """Assert the same for a write, whose address must also not come from an unknown integer."""
        self._believe(place, span)
        if place.is_wild:
            self._context.unsupported("a write through a pointer made of an unknown integer", span)

    def _cut(self, value: Term, place: Place) -> Term:
        """The part of a value that fits into the place, if that is a bit-field."""
        if place.bits is None:
            return value
        assert isinstance(place.type, IntegerType)
        return self._arithmetic.extract_bits(value, place.type, 0, place.bits, signed=place.type.signed)

    def forget(self, place: Place, span: Span, source: str, supply: str = "", *, is_input: bool = False) -> None:
        """Give a place any value. `is_input` says that a program that reproduces the execution has to set it."""
        if isinstance(place, RegisterPlace):
            leaves = self._layouts.leaves(place.type, span)
            if place.variables:
                attributes = input_("", place.type, supply) if (supply or is_input) and is_scalar(place.type) else ()
                self._blocks.add(Havoc(place.variables, span, attributes))
                self._first_values.set(place.variables, span)
            for variable, leaf in zip(place.variables, leaves, strict=True):
                self._context.restrict(self._terms.var(variable), leaf.type, span, leaf.bits or place.bits)
            return
        types = [leaf.type for leaf in self._layouts.leaves(place.type, span)]
        if self._layouts.has_union(place.type):  # then a `_Bool` may be the view of a byte that is neither 0 nor 1
            types = [UNSIGNED_CHAR if type_ == BOOL else type_ for type_ in types]
        supply = supply if is_scalar(place.type) else ""
        made = tuple([self._context.unknown(type_, span, source, supply=supply) for type_ in types])
        self.write(place, made[0] if is_scalar(place.type) else RecordValue(made), span, is_any=True)
