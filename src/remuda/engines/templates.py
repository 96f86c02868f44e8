"""Guesses contracts from the text of a program: candidates for Houdini.

    e                                  for conditions e of assertions, at every loop of their procedure
    x == c, x != c, c <= x, x <= c     for constants c that x, or a copy of x, is compared with or set to
    x == y, x <= y, y <= x             for variables that are compared, or computed from each other
    old(p) ==> q                       for such conditions p, q on globals and parameters: typestate
    R ==> no failure                   for such conditions R at the start
    x == f(inputs)                     for relevant globals, computed as in the code, perhaps under a condition on the
                                       global nearest to failures

Conditions at the start of a procedure are preconditions, and those at its end are postconditions. At the start of a
loop's procedure, they are invariants of the loop.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations, islice, product
from typing import TYPE_CHECKING, Final, final

from remuda.analysis.effects import effects
from remuda.ir.edit import terms_of
from remuda.ir.program import Assign, Assume, Call, Havoc
from remuda.terms.symbols import VariableKind
from remuda.terms.term import postorder, variables_of
from remuda.terms.types import BOOL, BvType, IntType, MapType, RealType
from remuda.transforms.add_contracts import Contract, at_end, invariant
from remuda.transforms.extract_loops import INPUT

if TYPE_CHECKING:
    from remuda.ir.program import Procedure, Statement
    from remuda.terms.store import Terms
    from remuda.terms.symbols import Variable
    from remuda.terms.term import Term
    from remuda.terms.types import Type
    from remuda.transforms.error_bit import ErrorBitResult
    from remuda.vc.interface import Interface

LITERALS: Final = frozenset({"bool", "int", "real", "bv"})
COMPARISONS: Final = frozenset({"eq", "lt", "le", "bvslt", "bvsle", "bvult", "bvule"})
UNSIGNED: Final = frozenset({"bvult", "bvule"})
MAX_CONSTANTS: Final = 8  # of one variable
MAX_CONDITIONS: Final = 120  # on the state at one place
MAX_STATED: Final = 20  # assertions that may be invariants of one loop
MAX_TYPESTATES: Final = 144  # implications between conditions at the start and at the end


@final
@dataclass(frozen=True, slots=True)
class _Pair:
    """A variable at the start and at the end: a global, or a variable of a loop."""

    variable: Variable
    before: Term
    after: Term


@final
@dataclass(slots=True)
class _Kin:
    """Variables that are copied to each other, and the terms that they are compared with."""

    constants: Counter[Term]
    is_unsigned: bool = False
    is_computed: bool = False  # they are set to other values than constants and each other


@final
class Templates:
    """Collects the comparisons of a program, and makes contracts from them. Loops of the program are procedures, and
    failures are outputs."""

    def __init__(self, code: ErrorBitResult) -> None:
        program = code.program
        self._code = code
        self._program = program
        self._terms: Terms = program.terms
        self._parent: dict[Variable, Variable] = {}
        self._kin: dict[Variable, _Kin] = {}
        self._related: set[tuple[Variable, Variable]] = set()
        statements = [
            statement
            for procedure in program.procedures.values()
            for block in procedure.blocks or ()
            for statement in block.statements
        ]
        for statement in statements:
            self._join_copies(statement)
        for statement in statements:
            self._look_at(statement)

    # --- comparisons

    def _find(self, variable: Variable) -> Variable:
        root = variable
        while (parent := self._parent.get(root, root)) is not root:
            root = parent
        while (parent := self._parent.get(variable, variable)) is not root:
            self._parent[variable], variable = root, parent
        return root

    def _join(self, variable: Variable, value: Term) -> None:
        if value.op == "var" and value.payload.kind is not VariableKind.CONSTANT:
            one, other = self._find(variable), self._find(value.payload)
            if one is not other:
                self._parent[one] = other

    def _join_copies(self, statement: Statement) -> None:
        for target, value in self._transfers(statement):
            self._join(target, value)

    def _transfers(self, statement: Statement) -> Iterator[tuple[Variable, Term]]:
        """The variables that a statement sets, with their values."""
        if isinstance(statement, Assign):
            yield from zip(statement.targets, statement.values, strict=True)
        elif isinstance(statement, Call):
            callee = self._program.procedures[statement.procedure]
            yield from zip(callee.inputs, statement.arguments, strict=True)
            for result, output in zip(statement.results, callee.outputs, strict=True):
                yield result, self._terms.var(output)

    def _look_at(self, statement: Statement) -> None:
        for target, value in self._transfers(statement):
            self._compare(target, value, is_unsigned=False)
            if value.op != "var" and not _is_constant(value):
                self._kin_of(target).is_computed = True
        for target in self._set_at_will(statement):
            self._kin_of(target).is_computed = True
        for term in postorder(terms_of(statement)):
            if term.op in COMPARISONS:
                left, right = term.args
                for one, other in ((left, right), (right, left)):
                    if one.op == "var" and one.payload.kind is not VariableKind.CONSTANT:
                        self._compare(one.payload, other, is_unsigned=term.op in UNSIGNED)

    def _set_at_will(self, statement: Statement) -> Sequence[Variable]:
        """The variables that a statement sets to unknown values."""
        if isinstance(statement, Havoc):
            return statement.variables
        if isinstance(statement, Call):
            callee = self._program.procedures[statement.procedure]
            return (*callee.modifies, *statement.results) if callee.blocks is None else ()
        return ()

    def _kin_of(self, variable: Variable) -> _Kin:
        return self._kin.setdefault(self._find(variable), _Kin(Counter()))

    def _compare(self, variable: Variable, value: Term, *, is_unsigned: bool) -> None:
        kin = self._kin_of(variable)
        kin.is_unsigned |= is_unsigned
        if _is_constant(value):
            kin.constants[value] += 1
            return
        for term in postorder([value]):
            if term.op == "var" and term.type == variable.type and term.payload.kind is not VariableKind.CONSTANT:
                one, other = self._find(variable), self._find(term.payload)
                self._related |= {(one, other), (other, one)}

    # --- contracts

    def propose(self, procedure: Procedure, face: Interface) -> Iterator[Contract]:
        """Candidates for the preconditions, invariants and postconditions of a procedure."""
        return self._of_loop(procedure, face) if procedure.loop_of else self._of_procedure(procedure, face)

    def summaries(self, procedure: Procedure, face: Interface, relevant: Sequence[Variable]) -> Iterator[Contract]:
        """Candidates for postconditions only, strong ones first: the final values of a few globals, the nearest to
        failures first, depending on their first values.

        A change of the nearest one may depend on any value that one of them is compared with.
        """
        terms, name = self._terms, procedure.name
        failed = self._code.failed.get(name)
        unless = [] if failed is None else [terms.var(failed)]
        chosen = [variable for variable in face.inputs if variable in relevant and self._has_states(variable)]
        states = [self._at_start(state) for state in self._states(chosen)]
        if failed is not None:
            yield from self._successes(name, states, failed)
        shown = [variable for variable in face.inputs if variable in relevant]
        compared = [self._at_start(state) for state in self._states(shown)]
        for pair in self._pairs(procedure, face, relevant):
            is_nearest = pair.variable in relevant[:1]
            for condition in self._changes(pair, compared if is_nearest else states):
                yield Contract(name, ensures=terms.or_([*unless, condition]))
            for state in self._states(relevant[:1]) if not is_nearest else ():
                yield Contract(name, ensures=terms.or_([*unless, state, terms.eq(pair.after, pair.before)]))
        for condition in self._known_at_end(name, relevant):
            yield Contract(name, ensures=condition)
        for output in procedure.outputs if procedure.loop_of is None else ():
            for condition in self._results(output, procedure.inputs) if output is not failed else ():
                yield Contract(name, ensures=terms.or_([*unless, condition]))

    def _successes(self, name: str, states: Sequence[Term], failed: Variable) -> Iterator[Contract]:
        terms = self._terms
        succeeds = terms.or_([terms.not_(terms.var(failed)), terms.var(self._code.reach)])
        yield Contract(name, ensures=succeeds)
        for state in states:
            yield Contract(name, ensures=terms.implies(state, succeeds))
        for one, other in islice(combinations(states, 2), MAX_TYPESTATES):
            yield Contract(name, ensures=terms.implies(terms.and_([one, other]), succeeds))

    def _pairs(self, procedure: Procedure, face: Interface, relevant: Collection[Variable]) -> Iterator[_Pair]:
        terms = self._terms
        for variable in face.outputs:
            if variable in relevant:
                yield _Pair(variable, terms.old(terms.var(variable)), terms.var(variable))
        if procedure.loop_of is not None:
            for variable, after in at_end(procedure).items():
                if after.op == "var" and after.payload is not variable and not isinstance(variable.type, MapType):
                    yield _Pair(variable, terms.var(variable), after)

    def _changes(self, pair: _Pair, states: Sequence[Term]) -> Iterator[Term]:
        """The candidates for the change of a variable."""
        terms, variable = self._terms, pair.variable
        same = terms.eq(pair.after, pair.before)
        yield same
        if _is_number(variable.type):
            yield from self._ordered(variable, pair.before, pair.after)
        values = self._constants(variable) if variable.type != BOOL else [terms.true, terms.false]
        after = [terms.eq(pair.after, value) for value in values]
        before = [terms.eq(pair.before, value) for value in values]
        yield from after
        yield from (terms.or_([state, same]) for state in after)
        yield terms.or_([*after, same])
        if not self._has_states(variable):
            return
        yield from (terms.implies(state, same) for state in states)
        for state in before:
            yield from (terms.implies(state, then) for then in after)
        yield terms.implies(terms.or_(before), terms.or_(after))

    def _known_at_end(self, name: str, relevant: Sequence[Variable]) -> Iterator[Term]:
        """The candidates for the final values of the relevant globals and of their copies, if there are few."""
        terms = self._terms
        for variable, values in self._effects[name].items():
            if variable in relevant or any(each in relevant for each in variables_of(values)):
                cases = [terms.eq(terms.var(variable), self._at_start(value)) for value in values]
                yield terms.or_(cases)
                if len(cases) > 1 and variable not in relevant[:1]:
                    yield from (terms.or_([state, case]) for case in cases for state in self._states(relevant[:1]))

    @cached_property
    def _effects(self) -> Mapping[str, Mapping[Variable, tuple[Term, ...]]]:
        return effects(self._program)

    def _has_states(self, variable: Variable) -> bool:
        """Whether a variable always has one of a few constants as its value."""
        if variable.type == BOOL:
            return True
        kin = self._kin.get(self._find(variable))
        return kin is not None and not kin.is_computed and bool(self._constants(variable))

    def _results(self, output: Variable, inputs: Sequence[Variable]) -> Iterator[Term]:
        """The candidates for a result: it has, or does not have, one of a few constants, or the value of an input."""
        terms = self._terms
        states = list(self._states([output]))
        yield from states
        if len(states) > 1 and output.type != BOOL:
            given = [each for each in inputs if each.type == output.type and self._find(each) is self._find(output)]
            same = [terms.eq(terms.var(output), terms.var(each)) for each in given]
            for unless in ([], same) if same else ([],):
                yield terms.or_([*states, *unless])
                yield from (terms.or_([terms.not_(state), *unless]) for state in states)

    @cached_property
    def _stated(self) -> Mapping[str, Sequence[Term]]:
        """The conditions of assertions, by their procedure."""
        stated: dict[str, dict[Term, None]] = {}
        for name, label in self._code.passes:
            procedure = self._program.procedures[name]
            block = next(each for each in procedure.blocks or () if each.label == label)
            conditions = [each.condition for each in block.statements[:1] if isinstance(each, Assume)]
            stated.setdefault(procedure.loop_of or name, {}).update(dict.fromkeys(conditions))
        return {name: tuple(conditions) for name, conditions in stated.items()}

    def _stated_in(self, loop: Procedure, face: Interface) -> Iterator[Term]:
        """The assertions of the procedure that contains a loop, over the variables of the loop at its start."""
        at_start = {variable.name.removeprefix(INPUT): variable for variable in loop.inputs}
        for condition in self._stated.get(loop.loop_of or "", ())[:MAX_STATED]:
            values: dict[Variable, Term] = {}
            for variable in variables_of([condition]):
                own = at_start.get(variable.name)
                if variable.kind is VariableKind.CONSTANT or variable in face.inputs:
                    continue
                if own is None or own.type != variable.type:
                    break
                values[variable] = self._terms.var(own)
            else:
                yield self._terms.substitute([condition], values)[0]

    def _of_loop(self, loop: Procedure, face: Interface) -> Iterator[Contract]:
        terms = self._terms
        for condition in dict.fromkeys((*self._stated_in(loop, face), *self._conditions(face.inputs))):
            yield invariant(terms, loop, condition)
        after = at_end(loop)
        for variable in loop.inputs:
            end = after.get(variable)
            if end is not None and end.op == "var" and end.payload is not variable and _is_number(variable.type):
                for condition in self._ordered(variable, terms.var(variable), end):
                    yield Contract(loop.name, ensures=condition)

    def _of_procedure(self, procedure: Procedure, face: Interface) -> Iterator[Contract]:
        terms, name = self._terms, procedure.name
        failed = self._code.failed.get(name)

        def unless_failed(condition: Term) -> Contract:
            known = [condition] if failed is None else [terms.var(failed), condition]
            return Contract(name, ensures=terms.or_(known))

        before = list(self._conditions(face.inputs))
        if name not in self._program.entries:
            yield from (Contract(name, requires=condition) for condition in before)
        outputs = [variable for variable in face.outputs if variable is not failed]
        after = list(self._conditions(outputs))
        yield from map(unless_failed, after)
        yield from map(unless_failed, self._unchanged(procedure, face))
        if failed is not None:
            before = [self._at_start(condition) for condition in self._states(face.inputs)]
            yield from self._successes(name, before, failed)
        states = product(self._states(face.inputs), self._states(outputs))
        for condition, conclusion in islice(states, MAX_TYPESTATES):
            yield unless_failed(terms.implies(self._at_start(condition), conclusion))

    def _at_start(self, condition: Term) -> Term:
        """The same condition, on the values of globals at the start of a procedure."""

        def leaf(term: Term) -> Term | None:
            if term.op == "var":
                return self._terms.old(term) if term.payload.kind is VariableKind.GLOBAL else term
            return None

        return self._terms.rewrite([condition], leaf)[0]

    def _unchanged(self, procedure: Procedure, face: Interface) -> Iterator[Term]:
        """The candidates that outputs and globals have the values of inputs, or their own first values."""
        terms = self._terms
        for variable in face.outputs:
            if variable.kind is VariableKind.GLOBAL:
                yield terms.eq(terms.var(variable), terms.old(terms.var(variable)))
        for output, parameter in product(procedure.outputs, procedure.inputs):
            if output.type == parameter.type and self._are_related(output, parameter):
                yield terms.eq(terms.var(output), terms.var(parameter))
                if _is_number(output.type):
                    yield from self._ordered(output, terms.var(output), terms.var(parameter))

    def _are_related(self, one: Variable, other: Variable) -> bool:
        first, second = self._find(one), self._find(other)
        return first is second or (first, second) in self._related

    def _states(self, variables: Sequence[Variable]) -> Iterator[Term]:
        """The conditions that a variable has one of the values that it is compared with or set to."""
        for variable in variables:
            term = self._terms.var(variable)
            if variable.type == BOOL:
                yield from (term, self._terms.not_(term))
            else:
                yield from (self._terms.eq(term, value) for value in self._constants(variable))

    def _conditions(self, variables: Sequence[Variable]) -> Iterator[Term]:
        return islice(self._all_conditions(variables), MAX_CONDITIONS)

    def _all_conditions(self, variables: Sequence[Variable]) -> Iterator[Term]:
        terms = self._terms
        yield from self._states(variables)
        for variable in variables:
            term, values = terms.var(variable), self._constants(variable)
            if len(values) > 1 and variable.type != BOOL:
                yield terms.or_([terms.eq(term, value) for value in values])
            for value in values:
                yield terms.not_(terms.eq(term, value))
                if _is_number(variable.type) and value.op in LITERALS:
                    yield from self._ordered(variable, term, value)
        for number, one in enumerate(variables):
            for other in variables[number + 1 :]:
                if one.type == other.type and one.type != BOOL and self._are_related(one, other):
                    left, right = terms.var(one), terms.var(other)
                    yield terms.eq(left, right)
                    if _is_number(one.type):
                        yield from self._ordered(one, left, right)

    def _constants(self, variable: Variable) -> list[Term]:
        kin = self._kin.get(self._find(variable))
        if kin is None or variable.type == BOOL:
            return []
        fitting = (value for value, _ in kin.constants.most_common() if value.type == variable.type)
        return list(islice(fitting, MAX_CONSTANTS))

    def _ordered(self, variable: Variable, left: Term, right: Term) -> Iterator[Term]:
        terms = self._terms
        if not isinstance(variable.type, BvType):
            yield from (terms.le(left, right), terms.le(right, left))
            return
        kin = self._kin.get(self._find(variable))
        for op in ("bvsle", "bvule") if kin is not None and kin.is_unsigned else ("bvsle",):
            yield from (terms.bv(op, (left, right)), terms.bv(op, (right, left)))


def _is_constant(value: Term) -> bool:
    return value.op in LITERALS or (value.op == "var" and value.payload.kind is VariableKind.CONSTANT)


def _is_number(type_: Type) -> bool:
    return isinstance(type_, IntType | RealType | BvType)
