"""The procedures that threads run, and the variables for the results of threads.

procedure worker$thread(argument, number)
    { self$ := number;  call result := worker(argument);  ended$[number], results$[number] := true, result; }

The first thread has the number 1; `self$` is thread-local, and `threads$` is the last number in use.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, final

from remuda.base.errors import Unsupported
from remuda.frontends.c.lowering.blocks import Blocks
from remuda.frontends.c.lowering.reachable import nodes_of
from remuda.frontends.c.syntax import ast
from remuda.frontends.c.syntax.types import IntegerType, PointerType, VoidType
from remuda.frontends.c.syntax.walk import called_function
from remuda.ir.program import Assign, Call, Procedure
from remuda.ir.threads import ATOMIC_BEGIN, ATOMIC_END
from remuda.terms.symbols import Variable, VariableKind
from remuda.terms.types import BOOL, MapType

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from remuda.base.source import Span
    from remuda.frontends.c.lowering.context import ProgramContext
    from remuda.frontends.c.memory.model import MemoryModel
    from remuda.terms.types import Type

ATOMIC_FUNCTION = "__VERIFIER_atomic_"  # a function whose name begins like this is one step
CREATIONS = {"pthread_create": 4, "thrd_create": 3}  # with the number of their parameters


@final
@dataclass(frozen=True, slots=True, eq=False)
class Threads:
    """The functions that threads start in, the number of the running thread and of the last one, and maps from the
    number of a thread to whether it has ended and to its result."""

    bodies: tuple[ast.Function, ...]
    own: Variable
    last: Variable
    ended: Variable
    results: Variable

    @staticmethod
    def of(bodies: Sequence[ast.Function], address: Type) -> Threads:
        own = Variable("self$", address, VariableKind.GLOBAL)
        last = Variable("threads$", address, VariableKind.GLOBAL)
        ended = Variable("ended$", MapType((address,), BOOL), VariableKind.GLOBAL)
        results = Variable("results$", MapType((address,), address), VariableKind.GLOBAL)
        return Threads(tuple(bodies), own, last, ended, results)

    @property
    def globals(self) -> tuple[Variable, ...]:
        return self.own, self.last, self.ended, self.results

    def first(self, context: ProgramContext, span: Span) -> Assign:
        """The assignment of the first thread's number."""
        one = context.storage.literal(1)
        return Assign((self.own, self.last), (one, one), span)

    def body_of(self, function: ast.Function) -> str:
        """The procedure that runs a function in a thread of its own."""
        return f"{function.name}$thread"

    def procedures(self, context: ProgramContext, span: Span) -> list[Procedure]:
        bodies = [self._body(context, function) for function in self.bodies if function.body is not None]
        atomic = [Procedure(name, (), (), span) for name in (ATOMIC_BEGIN, ATOMIC_END)]
        return [*bodies, *atomic]

    def _body(self, context: ProgramContext, function: ast.Function) -> Procedure:
        terms, span = context.terms, function.span
        blocks = Blocks(terms, span)
        inputs = [
            variable
            for parameter in function.parameters
            for variable in context.scalars(parameter.name, parameter.type, span, VariableKind.LOCAL)
        ]
        result = function.type.result
        outputs = () if isinstance(result, VoidType) else context.scalars("result", result, span, VariableKind.LOCAL)
        blocks.locals.extend(outputs)
        for variable, place in context.registers.items():
            if variable.is_thread_local:
                leaves = context.layouts.leaves(variable.type, span)
                for own, leaf in zip(place.variables, leaves, strict=True):
                    blocks.assign(own, context.zero(leaf.type), span)
        number = Variable("thread$number", context.storage.address_type, VariableKind.LOCAL)
        index = (terms.var(number),)
        blocks.assign(self.own, terms.var(number), span)
        call = Call(function.name, tuple(terms.var(each) for each in inputs), outputs, span)
        begin, end = Call(ATOMIC_BEGIN, (), (), span), Call(ATOMIC_END, (), (), span)
        for statement in (begin, call, end) if is_atomic(function) else (call,):
            blocks.add(statement)
        targets = [self.ended]
        values = [terms.store(terms.var(self.ended), index, terms.true)]
        if len(outputs) == 1 and isinstance(result, PointerType | IntegerType):
            targets.append(self.results)
            value = context.arithmetic.convert(terms.var(outputs[0]), result, context.storage.size_type)
            values.append(terms.store(terms.var(self.results), index, value))
        blocks.add(Assign(tuple(targets), tuple(values), span))
        return Procedure(self.body_of(function), (*inputs, number), (), span, tuple(blocks.locals), blocks.finish())


def is_atomic(function: ast.Function) -> bool:
    """Whether a call of the function is one step."""
    return function.name.startswith(ATOMIC_FUNCTION)


def check_thread_locals(variables: Iterable[ast.Variable], memory: MemoryModel) -> None:
    """Demand that thread-local objects are registers and begin as zero in each thread."""
    for variable in variables:
        if variable.is_thread_local and memory.in_memory(variable):
            raise Unsupported(variable.span, "a thread-local variable whose address is taken")
        if variable.is_thread_local and variable.initializer is not None:
            raise Unsupported(variable.span, "a thread-local variable with an initial value")


def thread_functions(functions: Sequence[ast.Function], memory: MemoryModel) -> list[ast.Function] | None:
    """The functions that threads may start in; None if no thread is ever started."""
    creations = [
        node
        for function in functions
        for node in nodes_of(function)
        if isinstance(node, ast.Call) and _is_creation(node)
    ]
    if not creations:
        return None
    return list(dict.fromkeys(each for node in creations for each in memory.pointed_functions(node.arguments[-2])))


def _is_creation(node: ast.Call) -> bool:
    function = called_function(node)
    if function is None or function.body is not None:
        return False
    return CREATIONS.get(function.name) == len(node.arguments)
