"""Make every failing assertion visible at the end of the entry procedure (CORRAL, section 4.2).

before:  Q { ...; assert e; ... }                P { ...; call Q(); ... }
after:   Q returns (failed) { failed := false; ...; goto ok, fail;
             ok: assume e; ...;   fail: assume (!e || reach) && target; failed := true; return }
         P returns (failed) { ...; call f := Q(); goto on, out;  on: assume !f; ...;  out: assume f;
             failed := true; return }

`target` is a constant for each Check, with which a search selects the assertions that count; the others are
assumptions. A procedure also ensures `failed ==> may_fail`, a constant that `definitions` relates to the targets in
and below it, so that a call that is not inlined fails only if an assertion below it counts. If `reach` is true, an
assertion fails as soon as it is reached, to find vacuous ones. Procedures that cannot fail do not change. They
include loop procedures: their iterations are complete, so an assertion in one is an assumption.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, ClassVar, final

from remuda.analysis.failing import may_fail
from remuda.base.graph import components
from remuda.base.names import FreshNames
from remuda.ir.program import (
    SUCCEEDS,
    Assert,
    Assign,
    Assume,
    Block,
    Call,
    Check,
    Condition,
    Procedure,
    Program,
    Statement,
    attribute,
)
from remuda.ir.trace import Enter, Event, Leave, Origins, Trace, Visit
from remuda.terms.symbols import Variable, VariableKind
from remuda.terms.types import BOOL

if TYPE_CHECKING:
    from collections.abc import Callable

    from remuda.base.source import Span
    from remuda.terms.term import Term


@final
@dataclass(frozen=True, slots=True)
class ErrorBitResult:
    """The instrumented program and what a search needs to know about it.

    `failed[procedure]` is the output that says whether the procedure failed, and `may_fail[procedure]` the constant that
    it implies; procedures that cannot fail have none. `failures[procedure, label]` is the Check that fails where this block is visited, `passes` the
    one that holds. `calls` and
    `own_checks` restrict the call graph to procedures that can fail. `definitions` must be asserted along with any formula
    of the program: they only say what the added constants mean.
    """

    program: Program
    lift: Callable[[Trace], Trace]
    targets: Mapping[Check, Variable]
    reach: Variable
    failed: Mapping[str, Variable]
    may_fail: Mapping[str, Variable]
    failures: Mapping[tuple[str, str], Check]
    passes: Mapping[tuple[str, str], Check]
    calls: Mapping[str, tuple[str, ...]]
    own_checks: Mapping[str, tuple[Check, ...]]
    definitions: tuple[Term, ...]

    def reached(self, procedure: str) -> dict[str, None]:
        """A procedure, and all that it calls and that can fail."""
        found = {procedure: None}
        work = [procedure]
        while work:
            for callee in self.calls.get(work.pop(), ()):
                if callee not in found:
                    found[callee] = None
                    work.append(callee)
        return found

    def below(self, procedure: str) -> list[Check]:
        """The Checks that can fail in a procedure or in what it calls."""
        checks = (check for name in self.reached(procedure) for check in self.own_checks.get(name, ()))
        return list(dict.fromkeys(checks))


@final
@dataclass(frozen=True, slots=True)
class InsertErrorBit:
    """Failures become a result of the procedure they happen in."""

    name: ClassVar[str] = "error-bit"

    def apply(self, program: Program) -> ErrorBitResult:
        instrumentation = _Instrumentation(program)
        procedures = {name: instrumentation.rewrite(procedure) for name, procedure in program.procedures.items()}
        constants = (
            *program.constants,
            *instrumentation.targets.values(),
            *instrumentation.possible.values(),
            instrumentation.reach,
        )
        instrumented = replace(program, procedures=procedures, constants=constants)
        failures = instrumentation.failures
        origins = Origins(instrumentation.labels)
        return ErrorBitResult(
            program=instrumented,
            lift=lambda trace: origins.lift(_cut_at_failure(trace, failures)),
            targets=instrumentation.targets,
            reach=instrumentation.reach,
            failed=instrumentation.failed,
            may_fail=instrumentation.possible,
            failures=failures,
            passes=instrumentation.passes,
            calls={name: tuple(callees) for name, callees in instrumentation.calls.items()},
            own_checks={name: tuple(checks) for name, checks in instrumentation.own_checks.items()},
            definitions=tuple(instrumentation.definitions()),
        )


def _cut_at_failure(trace: Trace, failures: Mapping[tuple[str, str], Check]) -> Trace:
    """The trace up to the first failure: the rest only returns from the procedures."""
    events: list[Event] = []
    stack: list[str] = []
    for event in trace.events:
        if isinstance(event, Enter):
            stack.append(event.procedure)
        elif isinstance(event, Leave):
            stack.pop()
        elif isinstance(event, Visit) and (stack[-1], event.label) in failures:
            break
        events.append(event)
    return replace(trace, events=tuple(events))


@final
class _Instrumentation:
    """The rewriting of all procedures, with the constants and maps it fills."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self.terms = program.terms
        self.targets: dict[Check, Variable] = {}
        self.reach = Variable("reach$", BOOL, VariableKind.CONSTANT)
        self.failed = {name: Variable("failed$", BOOL, VariableKind.LOCAL) for name in may_fail(program)}
        self.possible = {name: Variable(f"may_fail${name}", BOOL, VariableKind.CONSTANT) for name in self.failed}
        self.failures: dict[tuple[str, str], Check] = {}
        self.passes: dict[tuple[str, str], Check] = {}
        self.calls: dict[str, dict[str, None]] = {}
        self.own_checks: dict[str, dict[Check, None]] = {}
        self.labels: dict[tuple[str, str], str | None] = {}

    def rewrite(self, procedure: Procedure) -> Procedure:
        if procedure.blocks is None:
            return procedure
        if procedure.name in self.failed:
            return _FailingBody(self, procedure).rewrite()
        return self._assume_success(procedure)

    def _assume_success(self, procedure: Procedure) -> Procedure:
        """A loop procedure, or one without assertions below it: whatever it calls succeeds."""
        assert procedure.blocks
        extra: list[Variable] = []
        blocks = []
        for block in procedure.blocks:
            statements: list[Statement] = []
            for statement in block.statements:
                if isinstance(statement, Assert):
                    statements.append(Assume(statement.condition, statement.span, statement.attributes))
                elif isinstance(statement, Call) and statement.procedure in self.failed:
                    failed = self.new_flag(extra)
                    statements.append(replace(statement, results=(*statement.results, failed)))
                    statements.append(Assume(self.terms.not_(self.terms.var(failed)), statement.span))
                else:
                    statements.append(statement)
            blocks.append(replace(block, statements=tuple(statements)))
        return replace(procedure, blocks=tuple(blocks), locals=(*procedure.locals, *extra))

    def new_flag(self, extra: list[Variable]) -> Variable:
        """A local for a callee's failure; one serves every call of a procedure."""
        if not extra:
            extra.append(Variable("callee_failed$", BOOL, VariableKind.LOCAL))
        return extra[0]

    def definitions(self) -> list[Term]:
        """A procedure may fail only if a target in it counts, or a procedure it calls may fail.

        Procedures that call each other share their causes: otherwise, each could be the cause of the other.
        """
        terms = self.terms
        found = []
        for group in components({name: tuple(self.calls.get(name, ())) for name in self.possible}):
            own = [self.targets[check] for name in group for check in self.own_checks.get(name, ())]
            called = [callee for name in group for callee in self.calls.get(name, ()) if callee not in group]
            causes = dict.fromkeys((*own, *(self.possible[callee] for callee in called)))
            cause = terms.or_([terms.var(variable) for variable in causes])
            found += [terms.implies(terms.var(self.possible[name]), cause) for name in group]
        return found

    def target(self, check: Check) -> Variable:
        if check not in self.targets:
            self.targets[check] = Variable(f"target${check.identifier}", BOOL, VariableKind.CONSTANT)
        return self.targets[check]


@final
class _FailingBody:
    """The rewriting of one procedure that can fail."""

    def __init__(self, instrumentation: _Instrumentation, procedure: Procedure) -> None:
        assert procedure.blocks
        self._whole = instrumentation
        self._terms = instrumentation.terms
        self._procedure = procedure
        self._failed = instrumentation.failed[procedure.name]
        self._fresh = FreshNames(block.label for block in procedure.blocks)
        self._extra: list[Variable] = []
        self._blocks: list[Block] = []
        self._base = ""  # the original label, so that names of pieces do not grow
        self._label = ""
        self._pending: list[Statement] = []

    def rewrite(self) -> Procedure:
        procedure = self._procedure
        assert procedure.blocks
        span = procedure.span
        start = self._fresh.make("$start")
        self._note(start)
        clear = Assign((self._failed,), (self._terms.false,), span)
        self._blocks.append(Block(start, (clear,), (procedure.blocks[0].label,), span))
        for block in procedure.blocks:
            self._rewrite_block(block)
        return replace(
            procedure,
            outputs=(*procedure.outputs, self._failed),
            locals=(*procedure.locals, *self._extra),
            blocks=tuple(self._blocks),
            ensures=(*(self._unless_failed(condition) for condition in procedure.ensures), self._promise()),
        )

    def _rewrite_block(self, block: Block) -> None:
        self._base = self._label = block.label
        self._pending = []
        for statement in block.statements:
            if isinstance(statement, Assert):
                self._split_at_assert(statement)
            elif isinstance(statement, Call) and statement.procedure in self._whole.failed:
                self._split_at_call(statement)
            else:
                self._pending.append(statement)
        self._blocks.append(Block(self._label, tuple(self._pending), block.successors, block.span))

    def _split_at_assert(self, statement: Assert) -> None:
        terms = self._terms
        fail = self._fail_block(
            terms.and_(
                [
                    terms.or_([terms.not_(statement.condition), terms.var(self._whole.reach)]),
                    terms.var(self._whole.target(statement.check)),
                ]
            ),
            statement.span,
        )
        self._whole.failures[self._procedure.name, fail] = statement.check
        self._whole.own_checks.setdefault(self._procedure.name, {})[statement.check] = None
        self._branch(fail, statement.condition, statement.span)
        self._whole.passes[self._procedure.name, self._label] = statement.check

    def _split_at_call(self, call: Call) -> None:
        self._whole.calls.setdefault(self._procedure.name, {})[call.procedure] = None
        callee_failed = self._whole.new_flag(self._extra)
        flag = self._terms.var(callee_failed)
        self._pending.append(replace(call, results=(*call.results, callee_failed)))
        if attribute(call.attributes, SUCCEEDS) is not None:
            self._pending.append(Assume(self._terms.not_(flag), call.span))
            return
        self._branch(self._fail_block(flag, call.span), self._terms.not_(flag), call.span)

    def _fail_block(self, condition: Term, span: Span) -> str:
        label = self._fresh.make(f"{self._base}$fail")
        self._note(label)
        statements = (Assume(condition, span), Assign((self._failed,), (self._terms.true,), span))
        self._blocks.append(Block(label, statements, (), span))
        return label

    def _branch(self, fail: str, condition: Term, span: Span) -> None:
        """End the current block with a jump to `fail`, or a jump to a block that assumes the condition."""
        onward = self._fresh.make(f"{self._base}$on")
        self._note(onward)
        self._blocks.append(Block(self._label, tuple(self._pending), (onward, fail), span))
        self._label, self._pending = onward, [Assume(condition, span)]

    def _note(self, label: str) -> None:
        self._whole.labels[self._procedure.name, label] = None

    def _promise(self) -> Condition:
        possible = self._terms.var(self._whole.possible[self._procedure.name])
        return Condition(self._terms.implies(self._terms.var(self._failed), possible), self._procedure.span, None)

    def _unless_failed(self, condition: Condition) -> Condition:
        return replace(condition, term=self._terms.or_([self._terms.var(self._failed), condition.term]))
