"""Evaluates terms to values, in the interpretation of a model.

    x + m[i]   with x = 2, i = 3, m = {3: 5, else 0}   is   7

Each operator that evaluates its arguments one by one is a generator that requests the outcome of a term in a
scope; one loop with an explicit stack computes it, so the depth of terms and of recursive functions does not
matter. A term that cannot be evaluated has a `Stuck` outcome, which the connectives ignore where the other
arguments decide: `false && stuck` is false.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from itertools import combinations, islice, product
from typing import TYPE_CHECKING, Any, Final, final

from remuda.base.errors import RemudaError
from remuda.replay.candidates import candidates
from remuda.replay.closures import Closure, ClosureCompared, as_closure, as_value
from remuda.replay.domains import Domains
from remuda.replay.equality import equal
from remuda.replay.floats import FLOAT_OPERATIONS
from remuda.replay.lambdas import same_lambda
from remuda.replay.operators import OPERATIONS
from remuda.replay.quantifiers import Interval, comparisons, intervals
from remuda.replay.scopes import Environment, Scope, Stuck
from remuda.terms.float_values import from_bits
from remuda.terms.store import euclidean_div, euclidean_mod
from remuda.terms.symbols import Function, Variable, VariableKind
from remuda.terms.term import Term, postorder
from remuda.terms.types import INT, FloatType, MapType
from remuda.terms.values import DataValue, FunctionTable, Interpretation, MapValue, Value

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

FUEL: Final = 50_000  # function bodies unfolded plus instances of quantifiers, in one evaluation
RANGE_LIMIT: Final = 10_000  # instances of one quantifier
TRIAL_LIMIT: Final = 2_000  # instances of one quantifier that can decide only one way

Outcome = Value | Stuck
Definition = tuple[tuple[Variable, ...], Term]  # parameters and body of a function that an axiom defines
Steps = Generator[tuple[Term, Scope], Outcome, Outcome]


@final
class NotEvaluable(RemudaError):
    """A term has no value that can be computed: which term, and why."""

    def __init__(self, term: Term, why: str) -> None:
        self.term = term
        self.why = why
        super().__init__(why)


@final
class Evaluator:
    """Evaluates terms under one interpretation.

    Symbols without a value get one when they are first needed and keep it: what the model leaves open may be
    anything, but always the same. The caller's interpretation does not change. `definitions` are for functions
    without a body of their own, and take precedence over the model.
    """

    def __init__(
        self,
        interpretation: Interpretation | None = None,
        domains: Domains | None = None,
        *,
        definitions: Mapping[Function, Definition] | None = None,
        fuel: int = FUEL,
    ) -> None:
        self._definitions = dict(definitions or {})
        self.domains = domains or Domains()
        self.interpretation = _canonical_interpretation(interpretation or Interpretation(), self.domains)
        self.doubts_guesses = False  # whether guesses of an incomplete solver count as no value
        self._limit = fuel
        self._fuel = fuel
        self._lazy: dict[str, Callable[[Term, Scope], Steps]] = {
            "and": self._and,
            "or": self._or,
            "implies": self._implies,
            "ite": self._ite,
            "eq": self._eq,
            "distinct": self._distinct,
            "apply": self._apply,
            "select": self._select,
            "forall": self._quantifier,
            "exists": self._quantifier,
            "lambda": self._lambda,
        }
        self._strict: dict[str, Callable[[Term, Sequence[Any]], Any]] = {
            **OPERATIONS,
            **FLOAT_OPERATIONS,
            "div": self._division("div", euclidean_div),
            "mod": self._division("mod", euclidean_mod),
            "realdiv": self._division("realdiv", lambda left, right: left / right),
            "store": self._store,
            "construct": lambda term, values: DataValue(term.payload, tuple(values)),
            "field": self._field,
            "is": lambda term, values: values[0].constructor is term.payload,
        }

    # --- entry points

    def evaluate(self, term: Term, environment: Environment) -> Value:
        """The term's value, or `NotEvaluable`."""
        outcome = self.outcome(term, Scope(environment))
        if isinstance(outcome, Stuck):
            raise NotEvaluable(outcome.term, outcome.why)
        return outcome

    def outcome(self, term: Term, scope: Scope) -> Outcome:
        """The term's value or why it has none; `scope.memo` has the outcomes of the subterms that were needed."""
        self._fuel = self._limit
        try:
            return self._run(term, scope)
        except RecursionError:
            # Python compares and hashes nested values by recursion.
            return Stuck(term, "a value is nested too deeply to be compared")

    def _run(self, term: Term, scope: Scope) -> Outcome:
        stack: list[tuple[Steps, Term, Scope]] = []
        outcome = self._start(term, scope, stack)
        while stack:
            steps, term, scope = stack[-1]
            try:
                request = next(steps) if outcome is None else steps.send(outcome)
            except StopIteration as stop:
                stack.pop()
                outcome = scope.memo[term] = stop.value
                continue
            except ClosureCompared:
                stack.pop()
                outcome = scope.memo[term] = Stuck(term, "maps given by a lambda are compared")
                continue
            outcome = self._start(*request, stack)
        assert outcome is not None
        return outcome

    def _start(self, term: Term, scope: Scope, stack: list[tuple[Steps, Term, Scope]]) -> Outcome | None:
        """The outcome if it is available; otherwise None, with the steps to it on the stack."""
        outcome = self._at_hand(term, scope)
        if outcome is None:
            steps = self._lazy.get(term.op, self._all_arguments)(term, scope)
            stack.append((steps, term, scope))
        return outcome

    def _at_hand(self, term: Term, scope: Scope) -> Outcome | None:
        known = scope.memo.get(term)
        if known is not None:
            return known
        if term.args:
            return None
        leaf = self._leaf(term, scope)
        if leaf is not None:
            scope.memo[term] = leaf
        return leaf

    # --- leaves

    def _leaf(self, term: Term, scope: Scope) -> Outcome | None:
        match term.op:
            case "var":
                return self.variable(term, scope)
            case "bool" | "int" | "real" | "rounding":
                value: Value = term.payload
                return value
            case "bv":
                number: int = term.payload[0]
                return number
            case "float":
                bits, significand, exponent = term.payload
                return from_bits(bits, FloatType(significand, exponent))
            case _:
                return None

    def variable(self, term: Term, scope: Scope) -> Outcome:
        """A variable's value; one that has none gets one now."""
        variable: Variable = term.payload
        found = scope.find(variable)
        if found is None:
            found = self.interpretation.constants.get(variable)
        if found is not None:
            return found
        if variable.kind is VariableKind.BOUND:
            return Stuck(term, f"the bound variable {variable.name} has no value here")
        return self._choose(variable, scope.environment)

    def _choose(self, variable: Variable, environment: Environment) -> Value:
        value = self.domains.default(variable.type)
        match variable.kind:
            case VariableKind.CONSTANT:
                self.interpretation.constants[variable] = value
            case VariableKind.GLOBAL:
                environment.globals[variable] = value
            case _:
                environment.locals[variable] = value
        return value

    # --- operators that need all their arguments

    def _all_arguments(self, term: Term, scope: Scope) -> Steps:
        if term.op == "old":
            return self._old(term, scope)
        values: list[Value] = []
        for argument in term.args:
            outcome = self._at_hand(argument, scope)
            if outcome is None:
                outcome = yield argument, scope
            if isinstance(outcome, Stuck):
                return outcome
            values.append(outcome)
        operation = self._strict.get(term.op)
        if operation is None:
            return Stuck(term, f"the operator {term.op} is not interpreted")
        result: Outcome | None = operation(term, values)
        return Stuck(term, f"{term.op} has no definite value here") if result is None else result

    def _old(self, term: Term, scope: Scope) -> Outcome:
        value = scope.environment.old.get(term.args[0].payload)
        return Stuck(term, "the old value was not kept") if value is None else value

    def _division(self, name: str, operation: Callable[[Any, Any], Any]) -> Callable[[Term, Sequence[Any]], Any]:
        def divide(term: Term, values: Sequence[Any]) -> Value:
            if values[1] != 0:
                result: Value = operation(values[0], values[1])
                return result
            table = self.interpretation.division_by_zero.get(name)
            if table is None:
                table = FunctionTable({}, self.domains.default(term.type))
                self.interpretation.division_by_zero[name] = table
            # A model may tabulate the dividend alone, or both operands.
            return table.get((values[0],)) if (values[0],) in table.entries else table.get(tuple(values))

        return divide

    def _store(self, term: Term, values: Sequence[Any]) -> Value:
        map_, indices, value = values[0], tuple(values[1:-1]), values[-1]
        closure = as_closure(map_)
        if closure is not None:
            return as_value(closure.set(indices, value))
        assert isinstance(term.type, MapType)
        return self.domains.store(map_, indices, value, term.type.domain)

    def _field(self, term: Term, values: Sequence[Any]) -> Value:
        constructor, index = term.payload
        data = values[0]
        # Selecting from another constructor is total in logic, with any result.
        result: Value = data.fields[index] if data.constructor is constructor else self.domains.default(term.type)
        return result

    # --- connectives

    def _and(self, term: Term, scope: Scope) -> Steps:
        return self._junction(term, scope, decisive=False)

    def _or(self, term: Term, scope: Scope) -> Steps:
        return self._junction(term, scope, decisive=True)

    def _junction(self, term: Term, scope: Scope, *, decisive: bool) -> Steps:
        stuck: Stuck | None = None
        for argument in term.args:
            outcome = yield argument, scope
            if outcome is decisive:
                return decisive
            if isinstance(outcome, Stuck):
                stuck = stuck or outcome
        return stuck or (not decisive)

    def _implies(self, term: Term, scope: Scope) -> Steps:
        premise = yield term.args[0], scope
        if premise is False:
            return True
        conclusion = yield term.args[1], scope
        return conclusion if premise is True or conclusion is True else premise

    def _ite(self, term: Term, scope: Scope) -> Steps:
        condition = yield term.args[0], scope
        if isinstance(condition, Stuck):
            return condition
        return (yield term.args[1 if condition else 2], scope)

    # --- equality

    def _eq(self, term: Term, scope: Scope) -> Steps:
        left = yield term.args[0], scope
        if isinstance(left, Stuck):
            return left
        right = yield term.args[1], scope
        if isinstance(right, Stuck):
            return right
        return (yield from self._equal(term, left, right))

    def _distinct(self, term: Term, scope: Scope) -> Steps:
        values: list[Value] = []
        for argument in term.args:
            outcome = yield argument, scope
            if isinstance(outcome, Stuck):
                return outcome
            values.append(outcome)
        stuck: Stuck | None = None
        for left, right in combinations(values, 2):
            outcome = yield from self._equal(term, left, right)
            if outcome is True:
                return False
            if isinstance(outcome, Stuck):
                stuck = stuck or outcome
        return stuck or True

    def _equal(self, term: Term, left: Value, right: Value) -> Steps:
        if as_closure(left) is not None or as_closure(right) is not None:
            return (yield from self._equal_maps(term, left, right))
        answer = equal(left, right, term.args[0].type, self.domains)
        if answer is False and self.doubts_guesses and not (_is_complete(left) and _is_complete(right)):
            return Stuck(term, "the solver only guessed the rest of a map")
        return Stuck(term, "maps with very many entries are compared") if answer is None else answer

    def _equal_maps(self, term: Term, left: Value, right: Value) -> Steps:
        """Closures are equal if they have the same text; they differ if they differ at an index that one lists."""
        if left is right:
            return True
        clear = True
        for index in [*_listed(left), *_listed(right)]:
            first = yield from self._lookup(term, left, index)
            second = yield from self._lookup(term, right, index)
            if isinstance(first, Stuck) or isinstance(second, Stuck):
                clear = False
            elif first != second:
                return False
        closures = as_closure(left), as_closure(right)
        if clear and closures[0] is not None and closures[1] is not None and same_lambda(closures[0], closures[1]):
            return True
        return Stuck(term, "maps given by a lambda are compared")

    # --- functions and maps

    def _apply(self, term: Term, scope: Scope) -> Steps:
        function: Function = term.payload
        arguments: list[Outcome] = []
        for argument in term.args:
            outcome = yield argument, scope
            arguments.append(outcome)
        parameters, body = function.parameters, function.body
        if body is None and function in self._definitions:
            parameters, body = self._definitions[function]
        if body is None:
            return self._tabulated(term, function, arguments)
        if self._fuel <= 0:
            return Stuck(term, f"the definition of {function.name} does not end within {self._limit} steps")
        self._fuel -= 1
        bound = dict(zip(parameters, arguments, strict=True))
        return (yield body, Scope(Environment(), bound))

    def _tabulated(self, term: Term, function: Function, arguments: Sequence[Outcome]) -> Outcome:
        if function.builtin is not None:
            return Stuck(term, f"the built-in function {function.builtin} is not interpreted")
        values = [argument for argument in arguments if not isinstance(argument, Stuck)]
        if len(values) < len(arguments):
            return next(argument for argument in arguments if isinstance(argument, Stuck))
        table = self.interpretation.functions.get(function)
        if table is None:
            table = FunctionTable({}, self.domains.default(function.result))
            self.interpretation.functions[function] = table
        if self.doubts_guesses and not table.is_complete and tuple(values) not in table.entries:
            return Stuck(term, f"the solver only guessed {function.name} here")
        return table.get(tuple(values))

    def _select(self, term: Term, scope: Scope) -> Steps:
        values: list[Value] = []
        for argument in term.args:
            outcome = yield argument, scope
            if isinstance(outcome, Stuck):
                return outcome
            values.append(outcome)
        return (yield from self._lookup(term, values[0], tuple(values[1:])))

    def _lookup(self, term: Term, map_: Value, indices: tuple[Value, ...]) -> Steps:
        closure = as_closure(map_)
        if closure is None:
            assert isinstance(map_, MapValue)
            if self.doubts_guesses and not map_.is_complete and indices not in map_.entries:
                return Stuck(term, "the solver only guessed the rest of a map")
            return map_.get(indices)
        if indices in closure.entries:
            return closure.entries[indices]
        bound = dict(zip(closure.term.payload.variables, indices, strict=True))
        return (yield closure.term.args[0], closure.scope.inner(bound))

    # --- binders

    def _lambda(self, term: Term, scope: Scope) -> Steps:
        assert isinstance(term.type, MapType)
        body, variables = term.args[0], term.payload.variables
        captured = self._capture(body, variables, scope)
        if not any(part.op == "var" and part.payload in variables for part in postorder([body])):
            outcome = yield body, scope
            return outcome if isinstance(outcome, Stuck) else MapValue(outcome, {})
        every = self.domains.indices(term.type.domain)
        if every is None:
            return as_value(Closure(term, captured, {}))
        values: list[Value] = []
        for index in every:
            outcome = yield body, captured.inner(dict(zip(variables, index, strict=True)))
            if isinstance(outcome, Stuck):
                return outcome
            values.append(outcome)
        return self.domains.tabulated(term.type.domain, values)

    def _capture(self, body: Term, variables: Sequence[Variable], scope: Scope) -> Scope:
        """A scope with the current values of the free variables, because the environment changes later."""
        bound: dict[Variable, Outcome] = {}
        for part in postorder([body]):
            if part.op != "var" or part.payload in variables:
                continue
            if part.payload.kind is not VariableKind.BOUND or scope.find(part.payload) is not None:
                bound[part.payload] = self.variable(part, scope)
        return Scope(Environment(old=scope.environment.old), bound)

    def _quantifier(self, term: Term, scope: Scope) -> Steps:
        decisive = term.op == "exists"
        body, variables = term.args[0], term.payload.variables
        choices = yield from self._exhaustive(term, scope)
        exhaustive = isinstance(choices, list)
        trials = choices if isinstance(choices, list) else self._trials(body, variables, scope)
        stuck: Stuck | None = None
        for combination in trials:
            if self._fuel <= 0:
                return Stuck(term, "too many instances of quantifiers")
            self._fuel -= 1
            outcome = yield body, scope.inner(dict(zip(variables, combination, strict=True)))
            if outcome is decisive:
                return decisive
            if isinstance(outcome, Stuck):
                stuck = stuck or outcome
        if not exhaustive:
            return Stuck(term, f"{term.op} ranges over too many values")
        return stuck or (not decisive)

    def _exhaustive(self, term: Term, scope: Scope) -> Generator[tuple[Term, Scope], Outcome, Any]:
        """All combinations of values that can matter, as a list; None if they are too many."""
        variables: Sequence[Variable] = term.payload.variables
        limits: Mapping[Variable, Interval] = {}
        if any(variable.type == INT for variable in variables):
            limits = yield from self._intervals(term, scope)
        lists: list[Sequence[Value]] = []
        for variable in variables:
            members = _members(limits[variable]) if variable.type == INT else self.domains.members(variable.type)
            if members is None:
                return None
            lists.append(members)
        return _product(lists)

    def _intervals(self, term: Term, scope: Scope) -> Generator[tuple[Term, Scope], Outcome, Any]:
        integers = [variable for variable in term.payload.variables if variable.type == INT]
        # All variables count as bound here: the limits of one must not be read from the value of another.
        facts = comparisons(term.args[0], term.payload.variables, universal=term.op == "forall")
        values: dict[Term, int] = {}
        for fact in facts:
            for side in (fact.low, fact.high):
                if side.variable is None and side.term not in values:
                    outcome = yield side.term, scope
                    if isinstance(outcome, int):
                        values[side.term] = outcome
        return intervals(integers, facts, values)

    def _trials(self, body: Term, variables: Sequence[Variable], scope: Scope) -> Iterable[tuple[Value, ...]]:
        lists = candidates(body, variables, scope, self)
        return list(islice(product(*lists), TRIAL_LIMIT))


def _is_complete(value: Value) -> bool:
    return not isinstance(value, MapValue) or value.is_complete


def _listed(map_: Value) -> list[tuple[Value, ...]]:
    closure = as_closure(map_)
    if closure is not None:
        return list(closure.entries)
    return list(map_.entries) if isinstance(map_, MapValue) else []


def _members(interval: Interval) -> Sequence[Value] | None:
    size = interval.size
    return None if size is None or size > RANGE_LIMIT else interval.members()


def _product(lists: Sequence[Sequence[Value]]) -> list[tuple[Value, ...]] | None:
    size = 1
    for members in lists:
        size *= len(members)
    return None if size > RANGE_LIMIT else list(product(*lists))


def _canonical_interpretation(given: Interpretation, domains: Domains) -> Interpretation:
    """A copy that may be extended, with every value in its one form."""
    return Interpretation(
        {variable: domains.canonical(value, variable.type) for variable, value in given.constants.items()},
        {function: _canonical_table(table, function, domains) for function, table in given.functions.items()},
        dict(given.division_by_zero),
    )


def _canonical_table(table: FunctionTable, function: Function, domains: Domains) -> FunctionTable:
    types = [parameter.type for parameter in function.parameters]
    entries = {
        tuple(map(domains.canonical, arguments, types)): domains.canonical(value, function.result)
        for arguments, value in table.entries.items()
    }
    return FunctionTable(entries, domains.canonical(table.default, function.result), table.is_complete)
