"""Checks a program against the invariants that `ir/program.py` states.

    check(program) == [Complaint("Push/entry", "successor done does not exist")]

Every term is checked once for each procedure that uses it, and its types are checked only once.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, assert_never, final

from remuda.ir.program import Assert, Assign, Assume, Call, Havoc, Yield
from remuda.ir.term_check import own_type_errors, type_errors
from remuda.terms.symbols import Variable, VariableKind
from remuda.terms.types import BOOL

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from remuda.ir.program import Attributes, Block, Check, Condition, Procedure, Program, Statement
    from remuda.terms.symbols import Constructor, Function
    from remuda.terms.term import Term
    from remuda.terms.types import Type

__all__ = ["Complaint", "check", "type_errors"]


@final
@dataclass(frozen=True, slots=True)
class Complaint:
    """A broken invariant. `where` is a procedure, `procedure/block`, or the description of a declaration."""

    where: str
    message: str


def check(program: Program) -> list[Complaint]:
    """All broken invariants, in the order of the program."""
    checker = _Checker(program)
    checker.declarations()
    for name, procedure in program.procedures.items():
        checker.procedure(name, procedure)
    return checker.complaints


@final
class _Checker:
    def __init__(self, program: Program) -> None:
        self.complaints: list[Complaint] = []
        self._program = program
        self._where = ""
        self._constants = {*program.constants, *program.unique_constants}
        self._globals = set(program.globals)
        self._functions: set[Function] = set(program.functions)
        self._constructors: set[Constructor] = {
            constructor for datatype in program.datatypes for constructor in datatype.constructors
        }
        self._checks: dict[str, Check] = {}
        self._well_typed: set[Term] = set()  # or already reported
        self._open: dict[Term, frozenset[Variable]] = {}  # the bound variables that are free in a term
        self._scoped: dict[bool, set[Term]] = {}  # terms that are in scope here, by whether `old` is allowed

    def complain(self, message: str) -> None:
        self.complaints.append(Complaint(self._where, message))

    # --- declarations

    def declarations(self) -> None:
        program = self._program
        self._where = "program"
        self._distinct(program.globals, "global")
        self._kind(program.globals, VariableKind.GLOBAL)
        self._kind((*program.constants, *program.unique_constants), VariableKind.CONSTANT)
        for variable in program.thread_locals:
            if variable not in self._globals:
                self.complain(f"thread-local {variable.name} is not a global of the program")
        for entry in program.entries:
            if entry not in program.procedures:
                self.complain(f"entry {entry} does not exist")
        for index, axiom in enumerate(program.axioms, start=1):
            self._enter(f"axiom {index}")
            self._boolean(axiom.term, self._constants)
            self._attributes(axiom.attributes, self._constants)
        for function in program.functions:
            self._function(function)
        for variable in program.globals:
            self._enter(f"global {variable.name}")
            self._where_clause(variable, self._constants | self._globals)

    def _function(self, function: Function) -> None:
        self._enter(f"function {function.name}")
        self._kind(function.parameters, VariableKind.BOUND)
        self._distinct(function.parameters, "parameter")
        if function.body is not None:
            self._typed(function.body, function.result, "body")
            self._in_scope(function.body, self._constants, bound=frozenset(function.parameters))

    def _where_clause(self, variable: Variable, scope: set[Variable]) -> None:
        condition = self._program.wheres.get(variable)
        if condition is not None:
            self._boolean(condition, scope)

    def _kind(self, variables: Iterable[Variable], kind: VariableKind) -> None:
        for variable in variables:
            if variable.kind is not kind:
                self.complain(f"{variable.name} is declared {kind.value} but is {variable.kind.value}")

    def _distinct(self, variables: Sequence[Variable], what: str) -> None:
        for variable, count in Counter(variables).items():
            if count > 1:
                self.complain(f"{what} {variable.name} occurs {count} times")

    # --- procedures

    def procedure(self, name: str, procedure: Procedure) -> None:
        self._enter(name)
        if procedure.name != name:
            self.complain(f"the procedure is named {procedure.name}")
        variables = (*procedure.inputs, *procedure.outputs, *procedure.locals)
        self._kind(variables, VariableKind.LOCAL)
        self._distinct(variables, "variable")
        for variable in procedure.modifies:
            if variable not in self._globals:
                self.complain(f"modifies {variable.name}, which is not a global of the program")
        before = self._constants | self._globals | set(procedure.inputs)
        after = before | set(procedure.outputs)
        for condition in procedure.requires:
            self._condition(condition, before, old_allowed=False)
        for condition in procedure.ensures:
            self._condition(condition, after, old_allowed=True)
        # All other terms have the same scope, so terms that occur in several places are checked once.
        self._scoped = {}
        scope = after | set(procedure.locals)
        self._attributes(procedure.attributes, scope)
        for variable in variables:
            self._where_clause(variable, scope)
        if procedure.blocks is not None:
            self._blocks(procedure, procedure.blocks, scope)

    def _condition(self, condition: Condition, scope: set[Variable], *, old_allowed: bool) -> None:
        self._scoped = {}  # `requires` and `ensures` have scopes of their own
        self._boolean(condition.term, scope, old_allowed=old_allowed)
        self._attributes(condition.attributes, scope)
        if condition.check is not None:
            self._check(condition.check)

    def _blocks(self, procedure: Procedure, blocks: Sequence[Block], scope: set[Variable]) -> None:
        if not blocks:
            self.complain("the body has no blocks")
        labels = Counter(block.label for block in blocks)
        for label, count in labels.items():
            if count > 1:
                self.complain(f"label {label} occurs {count} times")
        assignable = self._globals | set(procedure.outputs) | set(procedure.locals)
        for block in blocks:
            self._where = f"{procedure.name}/{block.label}"
            for statement in block.statements:
                self._statement(statement, scope, assignable)
            self._successors(block, labels)

    def _successors(self, block: Block, labels: Mapping[str, int]) -> None:
        for label in block.successors:
            if label not in labels:
                self.complain(f"successor {label} does not exist")

    # --- statements

    def _statement(self, statement: Statement, scope: set[Variable], assignable: set[Variable]) -> None:
        match statement:
            case Assign():
                self._fit([target.type for target in statement.targets], statement.values, "assignment", scope)
                self._targets(statement.targets, assignable)
            case Havoc():
                self._targets(statement.variables, assignable)
            case Assume():
                self._boolean(statement.condition, scope)
            case Assert():
                self._boolean(statement.condition, scope)
                self._check(statement.check)
            case Call():
                self._call(statement, scope, assignable)
            case Yield():
                pass
            case _:
                assert_never(statement)
        self._attributes(statement.attributes, scope)

    def _targets(self, variables: Sequence[Variable], assignable: set[Variable]) -> None:
        for variable in variables:
            if variable not in assignable:
                self.complain(f"{variable.name} may not be assigned here")
        self._distinct(variables, "target")

    def _call(self, call: Call, scope: set[Variable], assignable: set[Variable]) -> None:
        callee = self._program.procedures.get(call.procedure)
        if callee is None:
            self.complain(f"procedure {call.procedure} does not exist")
            return
        self._fit([parameter.type for parameter in callee.inputs], call.arguments, f"call of {callee.name}", scope)
        expected = [parameter.type for parameter in callee.outputs]
        actual = [variable.type for variable in call.results]
        if actual != expected:
            self.complain(f"call of {callee.name} gives {_list(expected)}, which are assigned to {_list(actual)}")
        self._targets(call.results, assignable)

    def _fit(self, expected: Sequence[Type], terms: Sequence[Term], what: str, scope: set[Variable]) -> None:
        actual = [term.type for term in terms]
        if actual != expected:
            self.complain(f"{what} needs {_list(expected)}, not {_list(actual)}")
        for term in terms:
            self._types(term)
            self._in_scope(term, scope)

    def _check(self, check_: Check) -> None:
        if self._checks.setdefault(check_.identifier, check_) is not check_:
            self.complain(f"two assertions are identified as {check_.identifier}")

    # --- terms

    def _enter(self, where: str) -> None:
        self._where = where
        self._scoped = {}

    def _attributes(self, attributes: Attributes, scope: set[Variable]) -> None:
        for attribute in attributes:
            for argument in attribute.arguments:
                if not isinstance(argument, str):
                    self._types(argument)
                    self._in_scope(argument, scope, old_allowed=True)

    def _boolean(self, term: Term, scope: set[Variable], *, old_allowed: bool = False) -> None:
        self._typed(term, BOOL, "condition")
        self._in_scope(term, scope, old_allowed=old_allowed)

    def _typed(self, term: Term, expected: Type, what: str) -> None:
        if term.type != expected:
            self.complain(f"the {what} is {term.type}, not {expected}")
        self._types(term)

    def _types(self, root: Term) -> None:
        """Check the types of the subterms that were not checked before, and find their free bound variables."""
        for term in _new_terms(root, self._well_typed):
            for error in own_type_errors(term):
                self.complain(error)
            if term.op == "apply" and term.payload not in self._functions:
                self.complain(f"function {term.payload.name} is not declared")
            elif term.op == "construct" and term.payload not in self._constructors:
                self.complain(f"constructor {term.payload.name} is not declared")
            self._find_open(term)

    def _find_open(self, term: Term) -> None:
        if term.op == "var":
            if term.payload.kind is VariableKind.BOUND:
                self._open[term] = frozenset((term.payload,))
            return
        found = [self._open[argument] for argument in term.args if argument in self._open]
        if not found:
            return
        free = found[0] if len(found) == 1 else frozenset().union(*found)
        if term.op in {"forall", "exists", "lambda"}:
            free = free.difference(term.payload.variables)
        if free:
            self._open[term] = free

    def _in_scope(
        self,
        root: Term,
        scope: set[Variable],
        *,
        old_allowed: bool = False,
        bound: frozenset[Variable] = frozenset(),
    ) -> None:
        unbound = self._open.get(root, frozenset()) - bound
        for variable in sorted(unbound, key=lambda variable: variable.name):
            self.complain(f"bound variable {variable.name} is used outside its binder")
        for term in _new_terms(root, self._scoped.setdefault(old_allowed, set())):
            if term.op == "old" and not old_allowed:
                self.complain("`old` outside `ensures`")
            elif term.op == "var" and term.payload.kind is not VariableKind.BOUND and term.payload not in scope:
                self.complain(f"{term.payload.name} is not in scope")


def _new_terms(root: Term, seen: set[Term]) -> Iterable[Term]:
    """The subterms not seen before, arguments first; they count as seen from now on."""
    if root in seen:
        return
    if not root.args:
        seen.add(root)
        yield root
        return
    stack: list[tuple[Term, bool]] = [(root, False)]
    while stack:
        term, ready = stack.pop()
        if ready:
            yield term
        elif term not in seen:
            seen.add(term)
            stack.append((term, True))
            stack.extend([(argument, False) for argument in reversed(term.args) if argument not in seen])


def _list(types: Iterable[Type]) -> str:
    return f"({', '.join(map(str, types))})"
