"""Builds small programs for the tests of the interpreter, over real source text, so that spans are meaningful."""

from __future__ import annotations

from remuda.base.source import Source, Span
from remuda.ir.program import Assert, Assign, Assume, Block, Call, Check, Condition, Havoc, Statement
from remuda.terms.store import Terms
from remuda.terms.symbols import Variable, VariableKind
from remuda.terms.term import Term
from remuda.terms.types import INT, MapType, Type

INT_MAP = MapType((INT,), INT)


class Builder:
    """A store, and short names for the statements the tests need."""

    def __init__(self) -> None:
        self.terms = Terms()

    def span(self, text: str) -> Span:
        """A source of its own with this text."""
        return Span(Source("test.bpl", text), 0, len(text))

    def var(self, name: str, type_: Type = INT, kind: VariableKind = VariableKind.LOCAL) -> Variable:
        return Variable(name, type_, kind)

    def glob(self, name: str, type_: Type = INT) -> Variable:
        return Variable(name, type_, VariableKind.GLOBAL)

    def bound(self, name: str, type_: Type = INT) -> Variable:
        return Variable(name, type_, VariableKind.BOUND)

    def term(self, value: Term | Variable | int | bool) -> Term:
        if isinstance(value, Term):
            return value
        if isinstance(value, Variable):
            return self.terms.var(value)
        return self.terms.boolean(value) if isinstance(value, bool) else self.terms.integer(value)

    def add(self, left: Term | Variable | int, right: Term | Variable | int) -> Term:
        return self.terms.arithmetic("add", self.term(left), self.term(right))

    def sub(self, left: Term | Variable | int, right: Term | Variable | int) -> Term:
        return self.terms.arithmetic("sub", self.term(left), self.term(right))

    def eq(self, left: Term | Variable | int, right: Term | Variable | int) -> Term:
        return self.terms.eq(self.term(left), self.term(right))

    def lt(self, left: Term | Variable | int, right: Term | Variable | int) -> Term:
        return self.terms.lt(self.term(left), self.term(right))

    def le(self, left: Term | Variable | int, right: Term | Variable | int) -> Term:
        return self.terms.le(self.term(left), self.term(right))

    def assign(self, target: Variable, value: Term | Variable | int, text: str = "") -> Assign:
        return Assign((target,), (self.term(value),), self.span(text or f"{target.name} := ...;"))

    def havoc(self, *variables: Variable) -> Havoc:
        names = ", ".join(variable.name for variable in variables)
        return Havoc(variables, self.span(f"havoc {names};"))

    def assume(self, condition: Term, text: str = "assume ...;") -> Assume:
        return Assume(condition, self.span(text))

    def check(self, name: str = "assert:1") -> Check:
        return Check(f"test.bpl:Main:{name}", "assert", "this holds", self.span(name))

    def claim(self, condition: Term, check: Check, text: str = "assert ...;") -> Assert:
        return Assert(condition, check, self.span(text))

    def call(self, name: str, arguments: tuple[Term, ...] = (), results: tuple[Variable, ...] = ()) -> Call:
        return Call(name, arguments, results, self.span(f"call {name}(...);"))

    def block(self, label: str, *statements: Statement, to: tuple[str, ...] = ()) -> Block:
        return Block(label, statements, to, self.span(f"{label}:"))

    def free(self, term: Term) -> Condition:
        return Condition(term, self.span("free"), None)
