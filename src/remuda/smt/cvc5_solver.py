"""cvc5 as a `Solver`, through its Python module."""

from __future__ import annotations

from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, final

from remuda.base import clock
from remuda.base.errors import InternalError, ToolError, Unsupported, UsageError

try:
    import cvc5
except ImportError as error:
    missing = "the solver cvc5 is not installed: pip install cvc5"
    raise ToolError(missing) from error
from cvc5 import Kind

from remuda.base.reasons import MEMORY, TIMEOUT, Reason
from remuda.smt.cvc5_model import Cvc5Model
from remuda.smt.cvc5_terms import Cvc5Binding, nodes_below
from remuda.smt.effort import ask
from remuda.smt.levels import Levels
from remuda.smt.names import UniqueNames
from remuda.smt.solver import Answer, Sat, Unknown, Unsat, incomplete
from remuda.smt.stack import raise_stack_limit
from remuda.smt.translation import Translation

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from remuda.smt.solver import Template
    from remuda.terms.symbols import Constructor, Variable
    from remuda.terms.term import Term
    from remuda.terms.types import DataType, Type

Node = Any  # cvc5's own term

DEFAULT_SETTINGS: Final[Mapping[str, str]] = {
    "dt-nested-rec": "true",  # datatypes that hold maps to themselves
    "incremental": "true",
    "produce-models": "true",
    "produce-unsat-assumptions": "true",
    "seed": "0",
}

# cvc5's substitution recurses in C++; this deep it is far from the end of an 8 MB stack.
UNITS_PER_MILLISECOND: Final = 50  # of what cvc5 calls resources
MOST_UNITS: Final = 20_000 * UNITS_PER_MILLISECOND  # for one question, where work is counted
_SAFE_DEPTH: Final = 2_000


@final
@dataclass(frozen=True, slots=True)
class Cvc5Template:
    """Terms over parameters. Several terms are the arguments of one application, so that one substitution does
    them all and visits what they share once."""

    parameters: list[Node]
    whole: Node
    term_count: int
    is_deep: bool


@final
class Cvc5Solver:
    """One term manager with one solver. Its models are good until the next change or query."""

    name = "cvc5"

    def __init__(self, settings: Mapping[str, str] | None = None) -> None:
        raise_stack_limit()
        self._manager = cvc5.TermManager()
        self._solver = cvc5.Solver(self._manager)
        limit = {"rlimit-per": str(MOST_UNITS)} if clock.counts_work() else {}
        self._configure({**DEFAULT_SETTINGS, **limit, **(settings or {})})
        names = UniqueNames()
        self._binding = Cvc5Binding(self._manager, self._solver, names)
        self._translation = Translation(self._binding, names)
        self._fresh = 0
        self._milliseconds = 0
        self._state = 0  # counts what ends a model
        self._levels = Levels(self._translation.axioms)

    def _configure(self, settings: Mapping[str, str]) -> None:
        for name, value in settings.items():
            try:
                self._solver.setOption(name, value)
            except RuntimeError as error:
                raise UsageError(f"cvc5 rejects the setting {name}={value}: {error}") from error
        self._solver.setLogic("ALL")

    # --- terms

    def declare_datatypes(self, datatypes: Sequence[tuple[DataType, Sequence[Constructor]]]) -> None:
        with _tool_errors():
            self._binding.declare_datatypes(datatypes)

    def translate(self, term: Term) -> Node:
        try:
            return self._translation.translate(term)
        except RuntimeError as error:  # a term that is well typed here, and is not so for cvc5
            words = " ".join(str(error).split())
            raise Unsupported(None, f"a term that cvc5 does not take ({words})") from error

    def fresh(self, type_: Type) -> Node:
        self._fresh += 1
        return self._binding.constant(f"k!!{self._fresh}", type_)

    def template(self, parameters: Sequence[Variable], terms: Sequence[Term]) -> Cvc5Template:
        natives = [self.translate(term) for term in terms]
        constants = [self._translation.variable(parameter) for parameter in parameters]
        whole = self._tuple(natives)
        return Cvc5Template(constants, whole, len(natives), _depth(whole) > _SAFE_DEPTH)

    def instantiate(self, template: Template, actuals: Sequence[Node]) -> list[Node]:
        assert isinstance(template, Cvc5Template)
        parameters = template.parameters
        if len(actuals) != len(parameters):
            raise InternalError(f"a template of {len(parameters)} parameters was given {len(actuals)} actuals")
        with _tool_errors():
            if template.is_deep:
                whole = self._binding.substitute(template.whole, parameters, actuals)
            else:
                whole = template.whole.substitute(parameters, list(actuals)) if parameters else template.whole
        return [whole] if template.term_count == 1 else list(whole)[1:]

    def _tuple(self, natives: Sequence[Node]) -> Node:
        if len(natives) == 1:
            return natives[0]
        if not natives:
            return self._binding.true
        sorts = [native.getSort() for native in natives]
        sort = self._manager.mkFunctionSort(sorts, self._manager.getBooleanSort())
        return self._binding.application(self._manager.mkConst(sort, "tuple"), natives)

    # --- formulas over natives

    def not_(self, native: Node) -> Node:
        return native.notTerm()

    def and_(self, natives: Sequence[Node]) -> Node:
        return self._junction(Kind.AND, natives, self._binding.true)

    def or_(self, natives: Sequence[Node]) -> Node:
        return self._junction(Kind.OR, natives, self._binding.false)

    def _junction(self, kind: Kind, natives: Sequence[Node], unit: Node) -> Node:
        if len(natives) < 2:
            return natives[0] if natives else unit
        return self._manager.mkTerm(kind, *natives)

    def implies(self, premise: Node, conclusion: Node) -> Node:
        return self._manager.mkTerm(Kind.IMPLIES, premise, conclusion)

    def eq(self, left: Node, right: Node) -> Node:
        return self._manager.mkTerm(Kind.EQUAL, left, right)

    # --- assertions and queries

    def add(self, native: Node) -> None:
        self._state += 1
        with _tool_errors():
            self._solver.assertFormula(native)

    def push(self) -> None:
        self._state += 1
        self._levels.push()
        self._solver.push()

    def pop(self) -> None:
        self._levels.pop()
        self._state += 1
        self._solver.pop()

    def check(
        self,
        assumptions: Sequence[Node] = (),
        seconds: float | None = None,
        *,
        thorough: bool = False,  # noqa: ARG002 - cvc5 always builds the models that it can
        rough: bool = False,  # noqa: ARG002 - it has no maps given by lambdas
    ) -> Answer:
        self._assert_axioms()
        return ask(self.effort, lambda left: self._check(assumptions, left), seconds)

    def _check(self, assumptions: Sequence[Node], seconds: float | None) -> Answer:
        self._set_timeout(seconds)
        self._state += 1
        try:
            result = self._solver.checkSatAssuming(*assumptions) if assumptions else self._solver.checkSat()
        except RuntimeError as error:  # a logic that cvc5 has no procedure for shows only here
            return Unknown(incomplete(str(error).strip()))
        if result.isSat():
            return Sat(self._model())
        if result.isUnsat():
            return Unsat(self._core(assumptions))
        return Unknown(_reason(result))

    def effort(self) -> float:
        used: int = self._solver.getStatistics().get("resource::resourceUnitsUsed")["value"]
        return used / UNITS_PER_MILLISECOND

    def text(self) -> str:
        self._assert_axioms()
        lines = ["(set-logic ALL)", *self._declarations()]
        lines += [f"(assert {assertion})" for assertion in self._solver.getAssertions()]
        return "\n".join([*lines, ""])

    def _declarations(self) -> Iterator[str]:
        binding = self._binding
        for sort in binding.declared_sorts:
            yield f"(declare-sort {_symbol(sort.getSymbol())} 0)"
        for group in binding.declared_datatypes:
            names = " ".join(f"({_symbol(sort.getDatatype().getName())} 0)" for sort in group)
            yield f"(declare-datatypes ({names}) ({' '.join(_datatype(sort) for sort in group)}))"
        for symbol in binding.declared_symbols:
            sort = symbol.getSort()
            domain = sort.getFunctionDomainSorts() if sort.isFunction() else []
            result = sort.getFunctionCodomainSort() if sort.isFunction() else sort
            yield f"(declare-fun {symbol} ({' '.join(map(str, domain))}) {result})"

    def _assert_axioms(self) -> None:
        for axiom in self._levels.missing_axioms():
            self.add(axiom)

    def _core(self, assumptions: Sequence[Node]) -> tuple[Node, ...]:
        needed = set(self._solver.getUnsatAssumptions()) if assumptions else set()
        return tuple([assumption for assumption in assumptions if assumption in needed])

    def _model(self) -> Cvc5Model:
        state = self._state
        return Cvc5Model(self._binding, self._translation, lambda: self._state == state)

    def _set_timeout(self, seconds: float | None) -> None:
        if clock.counts_work():
            return  # its limit on work is set when the solver is made
        milliseconds = 0 if seconds is None else max(1, round(seconds * 1000))  # 0 is no limit
        if milliseconds != self._milliseconds:
            self._milliseconds = milliseconds
            self._solver.setOption("tlimit-per", str(milliseconds))


@contextmanager
def _tool_errors() -> Iterator[None]:
    """cvc5 reports everything as RuntimeError."""
    try:
        yield
    except RuntimeError as error:
        raise ToolError(f"cvc5: {str(error).strip()}") from error


def _reason(result: cvc5.Result) -> Reason:
    explanation = result.getUnknownExplanation()
    if explanation in {cvc5.UnknownExplanation.TIMEOUT, cvc5.UnknownExplanation.RESOURCEOUT}:
        return TIMEOUT
    if explanation == cvc5.UnknownExplanation.MEMOUT:
        return MEMORY
    return incomplete(explanation.name.lower())


def _depth(root: Node) -> int:
    depths: dict[Node, int] = {}
    for node in nodes_below([root], depths):
        depths[node] = 1 + max((depths[child] for child in node), default=0)
    return depths[root]


def _datatype(sort: Any) -> str:  # noqa: ANN401
    return f"({' '.join(_constructor(constructor) for constructor in sort.getDatatype())})"


def _constructor(constructor: Any) -> str:  # noqa: ANN401
    fields = "".join(f" ({_symbol(field.getName())} {field.getCodomainSort()})" for field in constructor)
    return f"({_symbol(constructor.getName())}{fields})"


def _symbol(name: str) -> str:
    """A name as SMT-LIB writes it, between bars unless it is plain."""
    return name if name.replace("_", "a").isalnum() and not name[0].isdigit() else f"|{name}|"
