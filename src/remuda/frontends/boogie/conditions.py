"""Reads single conditions in Boogie's syntax, over a finished program of any language.

    bvsle(0bv32, i) && held == old(held)

Names are those of the program's globals and constants, and those that the caller gives. Operators on bit-vectors
without a symbol in Boogie have their SMT-LIB names.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, final

from remuda.base.errors import Diagnostic, InputError
from remuda.base.source import Source, Span
from remuda.frontends.boogie.ast import AxiomDeclaration
from remuda.frontends.boogie.declare import Table
from remuda.frontends.boogie.evaluate import Evaluator
from remuda.frontends.boogie.parser import parse
from remuda.frontends.boogie.scope import FunctionSymbol, Instances
from remuda.frontends.boogie.type_inference import TypeParameter
from remuda.terms.types import BOOL

if TYPE_CHECKING:
    from remuda.ir.program import Program
    from remuda.terms.symbols import Function
    from remuda.terms.term import Term
    from remuda.terms.types import Type

AXIOM = "axiom "
COMPARISONS = ("bvult", "bvule", "bvslt", "bvsle")
OPERATIONS = (
    *("bvadd", "bvsub", "bvmul", "bvudiv", "bvurem", "bvsdiv", "bvsrem", "bvsmod"),
    *("bvand", "bvor", "bvxor", "bvshl", "bvlshr", "bvashr"),
)


@final
class ConditionReader:
    """Reads conditions over one program."""

    def __init__(self, program: Program, source: Source) -> None:
        self._table = Table(Instances())
        self._table.terms = program.terms
        self._table.variables = {
            each.name: program.terms.var(each) for each in (*program.constants, *program.globals)
        }
        self._source = source
        for name in COMPARISONS:
            self._declare_on_bits(name, BOOL)
        for name in OPERATIONS:
            self._declare_on_bits(name, TypeParameter("bits"))
        for function in program.functions:
            self._declare(function)

    def read(self, start: int, end: int, names: Mapping[str, Term], *, with_old: bool) -> Term:
        """The condition at this place of the source, or an `InputError`."""
        text = self._source.text
        # Offsets and lines stay the same.
        before = "".join(each if each == "\n" else " " for each in text[: start - len(AXIOM)])
        part = Source(self._source.name, f"{before}{AXIOM}{text[start:end]};")
        try:
            return self._read(part, names, with_old=with_old)
        except InputError as error:
            spans = [(each.span.start, min(each.span.end, end), each.message) for each in error.diagnostics]
            raise InputError(
                [Diagnostic(Span(self._source, min(first, end - 1), last), message) for first, last, message in spans]
            ) from None

    def _read(self, part: Source, names: Mapping[str, Term], *, with_old: bool) -> Term:
        axiom, *others = parse(part)
        assert isinstance(axiom, AxiomDeclaration)
        if others:
            raise InputError([Diagnostic(Span(part, others[0].start, others[0].end), "one condition on each line")])
        evaluator = Evaluator(self._table)
        evaluator.enter(part, dict(names), {}, self._table.terms.old if with_old else None)
        condition = evaluator.condition(axiom.condition)
        self._table.problems.check()
        assert condition is not None
        return condition

    def _declare_on_bits(self, name: str, result: Type) -> None:
        bits = TypeParameter("bits")
        build = self._table.terms.bv
        self._enter(
            FunctionSymbol(
                name, ("bits",), (bits, bits), result, lambda _: lambda args: build(name, args), self._nowhere
            )
        )

    def _declare(self, function: Function) -> None:
        types = tuple(parameter.type for parameter in function.parameters)
        apply = self._table.terms.apply
        self._enter(
            FunctionSymbol(
                function.name, (), types, function.result, lambda _: lambda args: apply(function, args), self._nowhere
            )
        )

    def _enter(self, symbol: FunctionSymbol) -> None:
        self._table.functions[symbol.name] = symbol

    @property
    def _nowhere(self) -> Span:
        return Span(self._source, 0, 0)
