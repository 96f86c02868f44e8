"""Make the identities of threads explicit, so that an asynchronous call only has a body to run.

before:  async call worker(x);                          call t := corral_getThreadID();
after:   havoc thread$child;  assume 0 < thread$child;
         thread$child, thread$last := thread$last + thread$child, thread$last + thread$child;
         async call worker$thread(x, thread$child);     call t := corral_getThreadID();  (ensures t == thread$self)
         procedure worker$thread(x: int, identity: int) { thread$self := identity; call worker(x); }

`thread$self` and `thread$child` are thread-local. Identities are positive and grow in the order in which threads
start, as in Corral; the first thread has 1. All this is only done if the program uses identities. A procedure without
a body always gets one around it. `corral_yield` becomes `yield`, and without threads every `yield` is removed,
because no other thread can run.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, ClassVar, final

from remuda.base.errors import Unsupported
from remuda.base.names import FreshNames
from remuda.ir.passes import PassResult, unchanged
from remuda.ir.program import Assign, Assume, Block, Call, Condition, Havoc, Procedure, Program, Statement, Yield
from remuda.ir.threads import CHILD_IDENTITY, THREAD_IDENTITY, YIELD, starts_threads, yields
from remuda.terms.symbols import Variable, VariableKind
from remuda.terms.types import INT, BvType, Type

if TYPE_CHECKING:
    from collections.abc import Callable

    from remuda.base.source import Span
    from remuda.terms.term import Term

    Rewrite = Callable[[Statement], tuple[Statement, ...]]


@final
@dataclass(frozen=True, slots=True)
class PrepareThreads:
    """The pass: asynchronous calls become calls of bodies without results, with identities as arguments."""

    name: ClassVar[str] = "prepare-threads"

    def apply(self, program: Program) -> PassResult:
        if not starts_threads(program):
            return PassResult(_rewritten(program, _without_yield) if yields(program) else program, unchanged)
        program = _rewritten(program, lambda statement: _yield_for_call(program, statement))
        return PassResult(_Preparation(program).prepared(), unchanged)


def _rewritten(program: Program, rewrite: Rewrite) -> Program:
    procedures = {
        name: procedure
        if procedure.blocks is None
        else replace(procedure, blocks=tuple(_rewrite_block(block, rewrite) for block in procedure.blocks))
        for name, procedure in program.procedures.items()
    }
    return replace(program, procedures=procedures)


def _rewrite_block(block: Block, rewrite: Rewrite) -> Block:
    statements = tuple(new for statement in block.statements for new in rewrite(statement))
    same = len(statements) == len(block.statements) and all(map(_is, statements, block.statements))
    return block if same else replace(block, statements=statements)


def _is(left: Statement, right: Statement) -> bool:
    return left is right


def _without_yield(statement: Statement) -> tuple[Statement, ...]:
    return () if isinstance(statement, Yield) else (statement,)


def _yield_for_call(program: Program, statement: Statement) -> tuple[Statement, ...]:
    if not isinstance(statement, Call) or statement.is_async or statement.procedure != YIELD:
        return (statement,)
    if program.procedures[YIELD].blocks is not None:
        return (statement,)
    return (Yield(statement.span, statement.attributes),)


@final
@dataclass(frozen=True, slots=True, eq=False)
class _Identities:
    """The variables behind the identities of threads."""

    own: Variable
    child: Variable
    last: Variable

    @staticmethod
    def of(type_: Type) -> _Identities:
        own, child, last = (Variable(f"thread${n}", type_, VariableKind.GLOBAL) for n in ("self", "child", "last"))
        return _Identities(own, child, last)


def identity_calls(program: Program) -> tuple[str, ...]:
    """The called procedures without a body that return the identity of a thread or of its child."""
    called = {
        statement.procedure
        for procedure in program.procedures.values()
        for block in procedure.blocks or ()
        for statement in block.statements
        if isinstance(statement, Call)
    }
    names = [name for name in (THREAD_IDENTITY, CHILD_IDENTITY) if name in called]
    return tuple(name for name in names if program.procedures[name].blocks is None)


@final
class _Preparation:
    def __init__(self, program: Program) -> None:
        self._program = program
        self._terms = program.terms
        self._names = FreshNames(program.procedures)
        self._wrappers: dict[str, Procedure] = {}
        self._askers = identity_calls(program)
        self._identities = self._make_identities()

    def _make_identities(self) -> _Identities | None:
        askers = [self._program.procedures[name] for name in self._askers]
        found = [(output, procedure) for procedure in askers for output in procedure.outputs]
        if not found:
            return None
        first = found[0][0].type
        for output, procedure in found:
            if output.type != first or not (first == INT or isinstance(first, BvType)):
                raise Unsupported(procedure.span, f"thread identities of type {output.type}")
        return _Identities.of(first)

    def prepared(self) -> Program:
        program = _rewritten(self._program, self._statement)
        procedures = {**program.procedures, **{each.name: each for each in self._wrappers.values()}}
        identities = self._identities
        if identities is None:
            return replace(program, procedures=procedures)
        for name in self._askers:
            asked = identities.own if name == THREAD_IDENTITY else identities.child
            procedures[name] = self._answering(procedures[name], asked)
        for name in program.entries:
            procedures[name] = self._first_thread(procedures[name], identities)
        return replace(
            program,
            procedures=procedures,
            globals=(*program.globals, identities.own, identities.child, identities.last),
            thread_locals=(*program.thread_locals, identities.own, identities.child),
        )

    def _statement(self, statement: Statement) -> tuple[Statement, ...]:
        if not isinstance(statement, Call) or not statement.is_async:
            return (statement,)
        procedure = self._program.procedures[statement.procedure]
        identities = self._identities
        if procedure.outputs:
            raise Unsupported(statement.span, "an asynchronous call of a procedure with results")
        if identities is None and procedure.blocks is not None:
            return (statement,)
        wrapper = self._wrapper(procedure, statement.span)
        call = replace(statement, procedure=wrapper.name)
        if identities is None:
            return (call,)
        identity = self._terms.var(identities.child)
        return (*self._new_identity(identities, statement.span), replace(call, arguments=(*call.arguments, identity)))

    def _new_identity(self, identities: _Identities, span: Span) -> tuple[Statement, ...]:
        """Create an identity and note it in one statement, so that no two threads get the same."""
        child, last = self._terms.var(identities.child), self._terms.var(identities.last)
        fresh = self._sum(last, child)
        return (
            Havoc((identities.child,), span),
            Assume(self._is_step(child), span),
            Assign((identities.child, identities.last), (fresh, fresh), span),
        )

    def _number(self, value: int, type_: Type) -> Term:
        return self._terms.bitvector(value, type_.width) if isinstance(type_, BvType) else self._terms.integer(value)

    def _sum(self, left: Term, right: Term) -> Term:
        if isinstance(left.type, BvType):
            return self._terms.bv("bvadd", (left, right))
        return self._terms.arithmetic("add", left, right)

    def _is_step(self, step: Term) -> Term:
        """The condition on the distance between identities: any positive one, but bit-vectors must not run out of
        them."""
        type_ = step.type
        if not isinstance(type_, BvType):
            return self._terms.lt(self._terms.integer(0), step)
        few = self._number(1 << type_.width // 2, type_)
        positive = self._terms.not_(self._terms.eq(step, self._number(0, type_)))
        return self._terms.and_([positive, self._terms.bv("bvule", (step, few))])

    def _wrapper(self, procedure: Procedure, span: Span) -> Procedure:
        if procedure.name not in self._wrappers:
            inputs = tuple(Variable(each.name, each.type, VariableKind.LOCAL) for each in procedure.inputs)
            arguments = tuple(self._terms.var(variable) for variable in inputs)
            statements: tuple[Statement, ...] = (Call(procedure.name, arguments, (), procedure.span),)
            if self._identities is not None:
                identity = Variable("thread$identity", self._identities.own.type, VariableKind.LOCAL)
                inputs = (*inputs, identity)
                own = Assign((self._identities.own,), (self._terms.var(identity),), span)
                statements = (own, *statements)
            name = self._names.make(f"{procedure.name}$thread")
            block = Block("start", statements, (), procedure.span)
            self._wrappers[procedure.name] = Procedure(name, inputs, (), procedure.span, blocks=(block,))
        return self._wrappers[procedure.name]

    def _answering(self, procedure: Procedure, asked: Variable) -> Procedure:
        conditions = [
            Condition(self._terms.eq(self._terms.var(output), self._terms.var(asked)), procedure.span, None)
            for output in procedure.outputs
        ]
        return replace(procedure, ensures=(*procedure.ensures, *conditions))

    def _first_thread(self, procedure: Procedure, identities: _Identities) -> Procedure:
        """The entry, which nothing calls, with a new first block that sets its identity."""
        assert procedure.blocks
        one = self._number(1, identities.own.type)
        first = procedure.blocks[0]
        label = FreshNames(block.label for block in procedure.blocks).make("$thread")
        assign = Assign((identities.own, identities.last), (one, one), procedure.span)
        return replace(procedure, blocks=(Block(label, (assign,), (first.label,), first.span), *procedure.blocks))
