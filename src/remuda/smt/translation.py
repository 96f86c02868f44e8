"""Translation of terms that all solvers share: the walk, the memo, and the treatment of functions.

A solver's binding supplies a table from operators to builders and a few primitives (`Binding`); this file
calls them in the right order. A function becomes

    function f(int): int;                      an uninterpreted function
    function f(x: int): int { x + 1 }          nothing: `f(t)` becomes `t + 1`
    function f(x: int): int { .. f(x - 1) .. } an uninterpreted function and the axiom
                                               `forall x :: {f(x)} f(x) == .. f(x - 1) ..`
    function {:builtin "op"} f(int): int;      the solver's own `(op t)`
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Protocol, final

from remuda.base.errors import InternalError, Unsupported
from remuda.base.graph import components
from remuda.smt.solver import Native
from remuda.terms.term import Term, postorder

if TYPE_CHECKING:
    from remuda.smt.names import UniqueNames
    from remuda.terms.symbols import Function, Variable
    from remuda.terms.types import Type

Builder = Callable[[Term, list[Native]], Native]


class Binding(Protocol):
    """The part of a solver that the translation needs."""

    @property
    def builders(self) -> Mapping[str, Builder]:
        """The builder of every operator without symbols of its own."""
        ...

    def bind(self, term: Term, bound: Sequence[Native], arguments: list[Native]) -> Native:
        """A quantifier or lambda over constants that stand for its bound variables."""
        ...

    def constant(self, name: str, type_: Type) -> Native: ...

    def declare(self, name: str, domain: Sequence[Type], result: Type) -> Native:
        """An uninterpreted function with at least one argument."""
        ...

    def application(self, declaration: Native, arguments: Sequence[Native]) -> Native: ...

    def substitute(self, native: Native, parameters: Sequence[Native], actuals: Sequence[Native]) -> Native: ...

    def definition(self, bound: Sequence[Native], application: Native, body: Native) -> Native:
        """`forall bound :: {application} application == body`."""
        ...

    def builtin(self, operator: str, parameters: Sequence[Native], result: Type) -> Native:
        """The SMT-LIB operator applied to constants; None if the solver has no such operator."""
        ...


@final
class Translation:
    """One solver's translations so far. A Variable, Function or Term is translated once."""

    __slots__ = (
        "_binding",
        "_bodies",
        "_declarations",
        "_memo",
        "_pending",
        "_recursive",
        "axioms",
        "names",
        "variables",
    )

    def __init__(self, binding: Binding, names: UniqueNames) -> None:
        self.names = names
        self.variables: dict[Variable, Native] = {}
        self.axioms: list[Native] = []  # definitions of recursive functions; must hold at all times
        self._binding = binding
        self._memo: dict[Term, Native] = {}
        self._declarations: dict[Function, Native] = {}
        self._bodies: dict[Function, tuple[list[Native], Native]] = {}
        self._recursive: dict[Function, bool] = {}
        self._pending: list[Function] = []

    def translate(self, root: Term) -> Native:
        native = self._memo.get(root)
        if native is None:
            native = self._walk(root)
            while self._pending:
                self._define(self._pending.pop())
        return native

    def variable(self, variable: Variable) -> Native:
        native = self.variables.get(variable)
        if native is None:
            native = self._binding.constant(self.names.unique(variable.name), variable.type)
            self.variables[variable] = native
        return native

    def declaration(self, function: Function) -> Native | None:
        """The solver's symbol for an uninterpreted function that some translated term applies."""
        return self._declarations.get(function)

    def _walk(self, root: Term) -> Native:
        memo = self._memo
        builders = self._binding.builders
        stack = [root]
        while stack:
            term = stack[-1]
            if term in memo:
                stack.pop()
                continue
            waiting = [argument for argument in term.args if argument not in memo]
            if term.op == "apply":
                waiting += self._missing_body(term.payload)
            if waiting:
                stack += waiting
                continue
            stack.pop()
            arguments = [memo[argument] for argument in term.args]
            builder = builders.get(term.op)
            memo[term] = self._symbolic(term, arguments) if builder is None else builder(term, arguments)
        return memo[root]

    def _symbolic(self, term: Term, arguments: list[Native]) -> Native:
        """A term that depends on a symbol."""
        match term.op:
            case "var":
                return self.variable(term.payload)
            case "apply":
                return self._apply(term.payload, arguments)
            case "forall" | "exists" | "lambda":
                bound = [self.variable(variable) for variable in term.payload.variables]
                return self._binding.bind(term, bound, arguments) if bound else arguments[0]
            case op:
                raise InternalError(f"a solver was given the operator {op}")

    # --- functions

    def _missing_body(self, function: Function) -> list[Term]:
        """The definition to translate before the function can be expanded."""
        body = function.body
        if body is None or function.builtin is not None or body in self._memo or self._is_recursive(function):
            return []
        return [body]

    def _apply(self, function: Function, arguments: list[Native]) -> Native:
        if function.builtin is not None or (function.body is not None and not self._is_recursive(function)):
            parameters, body = self._body(function)
            return self._binding.substitute(body, parameters, arguments) if parameters else body
        declaration = self._declarations.get(function)
        if declaration is None:
            declaration = self._declare(function)
        return self._binding.application(declaration, arguments) if arguments else declaration

    def _declare(self, function: Function) -> Native:
        name = self.names.unique(function.name)
        domain = [parameter.type for parameter in function.parameters]
        if domain:
            declaration = self._binding.declare(name, domain, function.result)
        else:
            declaration = self._binding.constant(name, function.result)
        self._declarations[function] = declaration
        if function.body is not None:
            self._pending.append(function)
        return declaration

    def _body(self, function: Function) -> tuple[list[Native], Native]:
        found = self._bodies.get(function)
        if found is None:
            parameters = [self.variable(parameter) for parameter in function.parameters]
            if function.builtin is None and function.body is not None:
                found = (parameters, self._memo[function.body])
            else:
                found = (parameters, self._builtin(function, parameters))
            self._bodies[function] = found
        return found

    def _builtin(self, function: Function, parameters: list[Native]) -> Native:
        assert function.builtin is not None
        native = self._binding.builtin(function.builtin, parameters, function.result)
        if native is None:
            raise Unsupported(None, f"the built-in function {function.builtin} (as {function.name})")
        return native

    def _define(self, function: Function) -> None:
        assert function.body is not None
        body = self._walk(function.body)
        bound = [self.variable(parameter) for parameter in function.parameters]
        declaration = self._declarations[function]
        application = self._binding.application(declaration, bound) if bound else declaration
        self.axioms.append(self._binding.definition(bound, application, body))

    def _is_recursive(self, function: Function) -> bool:
        """Whether a definition refers to itself, directly or through other definitions."""
        if function not in self._recursive:
            self._recursive.update(_recursion_below(function))
        return self._recursive[function]


def _recursion_below(function: Function) -> dict[Function, bool]:
    """For a defined function and those that its definition needs: is it recursive?"""
    callees: dict[Function, list[Function]] = {}
    stack = [function]
    while stack:
        caller = stack.pop()
        if caller not in callees:
            callees[caller] = _defined_callees(caller)
            stack += callees[caller]
    return {
        member: len(component) > 1 or member in callees[member]
        for component in components(callees)
        for member in component
    }


def _defined_callees(function: Function) -> list[Function]:
    assert function.body is not None
    applied = [term.payload for term in postorder([function.body]) if term.op == "apply"]
    return [callee for callee in dict.fromkeys(applied) if callee.body is not None]
