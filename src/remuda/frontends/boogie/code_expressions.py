"""Code expressions: `|{ ... return e; }|` is true if every execution of its blocks returns true.

    |{ var z: bool; A: z := x; goto B, C; B: assume p; return z; C: return true; }|
                                        (p ==> x) && true

The blocks are acyclic, so this is a weakest precondition, computed backwards with shared subterms. A call of an
`{:inline}` procedure without loops and recursion is its body.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, final

from remuda.frontends.boogie.lower import BodyLowerer, Frame
from remuda.frontends.boogie.type_inference import leaves
from remuda.frontends.boogie.typecheck import OTHER_TYPES
from remuda.ir.program import Assert, Assign, Assume, Block, Call, Havoc, Procedure, Statement, attribute
from remuda.terms.symbols import Variable, VariableKind
from remuda.terms.term import Term, variables_of

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from remuda.frontends.boogie.ast import CodeExpression, VariableDeclaration
    from remuda.frontends.boogie.checks import Checks
    from remuda.frontends.boogie.evaluate import Evaluator
    from remuda.frontends.boogie.scope import ProcedureSymbol
    from remuda.terms.types import Type

MAXIMAL_NESTING = 20


@final
class CodeExpressions:
    """Turns code expressions into terms; installed as the evaluator's `code`."""

    def __init__(
        self,
        evaluator: Evaluator,
        checks: Checks,
        instance_of: Callable[[ProcedureSymbol, tuple[Type, ...]], str],
        lowered: Callable[[str], Procedure | None],
    ) -> None:
        self.evaluator = evaluator
        self.terms = evaluator.terms
        self.checks = checks
        self.instance_of = instance_of
        self.lowered = lowered
        self.procedure = ""
        self._nesting = 0
        self._calling: list[str] = []  # the procedures whose bodies are part of the current code expression

    def evaluate(self, node: CodeExpression) -> Term | None:
        if self._nesting >= MAXIMAL_NESTING:
            self.evaluator.unsupported(node, f"code expressions nested more than {MAXIMAL_NESTING} deep")
            return None
        evaluator = self.evaluator
        saved = evaluator.names, evaluator.root, evaluator.assumed
        evaluator.names = dict(evaluator.names)
        self._nesting += 1
        found = self._lower(node)
        self._nesting -= 1
        evaluator.names, evaluator.root, evaluator.assumed = saved
        return found

    def _lower(self, node: CodeExpression) -> Term | None:
        variables: dict[str, Variable] = {}
        for declaration in node.locals:
            variable = self._declare(declaration)
            if variable is not None:
                if variable.name in variables:
                    message = f"more than one declaration of variable name: {variable.name}"
                    self.evaluator.fail(declaration, message)
                variables[variable.name] = variable
        for name, variable in variables.items():
            self.evaluator.names[name] = self.terms.var(variable)
        frame = Frame(self.procedure, self.evaluator.source, variables, {}, self.instance_of, is_code=True)
        lowerer = BodyLowerer(self.evaluator, self.checks, frame)
        lowerer.lower(node.body, (), node.end)
        if self.evaluator.problems.any:
            return None
        return self._precondition(node, lowerer, list(variables.values()))

    def _declare(self, declaration: VariableDeclaration) -> Variable | None:
        assert declaration.type is not None
        evaluator = self.evaluator
        if declaration.where is not None:
            evaluator.unsupported(declaration, "a where clause in a code expression")
        type_ = evaluator.table.types.resolve(declaration.type, evaluator.source, evaluator.environment)
        if type_ is None:
            return None
        if OTHER_TYPES in leaves(type_):
            evaluator.doubt()
        return Variable(declaration.name, type_, VariableKind.BOUND)

    def _precondition(self, node: CodeExpression, lowerer: BodyLowerer, variables: list[Variable]) -> Term | None:
        blocks = lowerer.builder.blocks
        order = _backwards(blocks, lowerer.entry)
        if order is None:
            self.evaluator.unsupported(node, "a loop in a code expression")
            return None
        if any(not blocks[label].successors and label not in lowerer.returned for label in order):
            self.evaluator.fail(node, "a code expression must return a value")
            return None
        result = self._backwards_over(blocks, order, lowerer.returned)
        return self._for_all(variables, result)

    def _for_all(self, variables: Sequence[Variable], term: Term) -> Term:
        """The term, quantified over those of the variables that occur in it."""
        found = [variable for variable in variables_of([term]) if variable in variables]
        return self.terms.quantifier("forall", found, term) if found else term

    def _backwards_over(self, blocks: Mapping[str, Block], order: Sequence[str], at_end: Mapping[str, Term]) -> Term:
        """The weakest precondition of blocks for the terms of `at_end` at their ends."""
        value: dict[str, Term] = {}
        for label in order:
            block = blocks[label]
            after = self.terms.and_([value[name] for name in block.successors]) if block.successors else at_end[label]
            for statement in reversed(block.statements):
                after = self._statement(statement, after)
            value[label] = after
        return value[order[-1]]

    def _statement(self, statement: Statement, after: Term) -> Term:
        terms = self.terms
        if isinstance(statement, Assume):
            return terms.implies(statement.condition, after)
        if isinstance(statement, Assert):
            return terms.and_((statement.condition, after))
        if isinstance(statement, Assign):
            return self._replace(after, dict(zip(statement.targets, statement.values, strict=True)))
        if isinstance(statement, Havoc):
            fresh = self._fresh(statement.variables)
            renamed = self._replace(after, {old: terms.var(new) for old, new in fresh.items()})
            return terms.quantifier("forall", list(fresh.values()), renamed)
        if isinstance(statement, Call):
            return self._call(statement, after)
        self.evaluator.problems.unsupported(statement.span, "this statement in a code expression")
        return after

    def _fresh(self, variables: Sequence[Variable]) -> dict[Variable, Variable]:
        return {variable: Variable(variable.name, variable.type, VariableKind.BOUND) for variable in variables}

    def _replace(self, term: Term, replacement: Mapping[Variable, Term]) -> Term:
        """The term with variables replaced, except under `old`, which the code does not assign."""

        def leaf(part: Term) -> Term | None:
            if part.op == "old":
                return part
            return replacement.get(part.payload, part) if part.op == "var" else None

        return self.terms.rewrite([term], leaf)[0]

    # --- calls

    def _call(self, call: Call, after: Term) -> Term:
        """The weakest precondition of a call, from the callee's body. Its assignments have no effect outside."""
        procedure = self._callee(call)
        blocks = {} if procedure is None else {block.label: block for block in procedure.blocks or ()}
        order = _backwards(blocks, next(iter(blocks))) if blocks else None
        if procedure is None or order is None:
            self.evaluator.problems.unsupported(call.span, "this call in a code expression")
            return after
        terms = self.terms
        fresh = self._fresh((*procedure.inputs, *procedure.outputs, *procedure.locals))
        own = {variable: terms.var(copy) for variable, copy in fresh.items()}
        results = {result: own[output] for result, output in zip(call.results, procedure.outputs, strict=True)}
        # The body is over the procedure's own variables, so `after` must not contain these.
        at_end = self._replace(after, results)
        self._calling.append(procedure.name)
        before = self._backwards_over(_renamed(self, blocks, own), order, dict.fromkeys(order, at_end))
        self._calling.pop()
        for condition in reversed(procedure.requires):
            premise = self._replace(condition.term, own)
            before = terms.implies(premise, before) if condition.free else terms.and_((premise, before))
        before = self._for_all([fresh[variable] for variable in (*procedure.outputs, *procedure.locals)], before)
        arguments = zip(procedure.inputs, call.arguments, strict=True)
        return self._replace(before, {fresh[variable]: argument for variable, argument in arguments})

    def _callee(self, call: Call) -> Procedure | None:
        """The called procedure, if a code expression may contain its body."""
        evaluator = self.evaluator
        if evaluator.stateless or evaluator.old_level or call.is_async or call.attributes:
            return None
        procedure = self.lowered(call.procedure)
        if procedure is None or procedure.ensures or call.procedure in self._calling:
            return None
        return procedure if attribute(procedure.attributes, "inline") is not None else None


def _renamed(code: CodeExpressions, blocks: Mapping[str, Block], names: Mapping[Variable, Term]) -> dict[str, Block]:
    """The blocks with variables renamed."""
    return {
        label: replace(block, statements=tuple(_rename(code, statement, names) for statement in block.statements))
        for label, block in blocks.items()
    }


def _rename(code: CodeExpressions, statement: Statement, names: Mapping[Variable, Term]) -> Statement:
    def name(variable: Variable) -> Variable:
        found: Variable = names[variable].payload if variable in names else variable
        return found

    def value(term: Term) -> Term:
        return code.terms.substitute([term], names)[0]

    match statement:
        case Assume() | Assert():
            return replace(statement, condition=value(statement.condition))
        case Assign():
            return replace(
                statement, targets=tuple(map(name, statement.targets)), values=tuple(map(value, statement.values))
            )
        case Havoc():
            return replace(statement, variables=tuple(map(name, statement.variables)))
        case Call():
            return replace(
                statement,
                arguments=tuple(map(value, statement.arguments)),
                results=tuple(map(name, statement.results)),
            )
    return statement


def _backwards(blocks: dict[str, Block], entry: str) -> list[str] | None:
    """The labels reachable from the entry, successors first; None if there is a cycle."""
    order: list[str] = []
    state: dict[str, bool] = {}  # False: on the path; True: done
    stack = [(entry, False)]
    while stack:
        label, ready = stack.pop()
        if ready:
            state[label] = True
            order.append(label)
            continue
        if label in state:
            continue
        state[label] = False
        stack.append((label, True))
        for successor in blocks[label].successors:
            if state.get(successor) is False:
                return None
            stack.append((successor, False))
    return order
