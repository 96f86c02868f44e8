"""Calls, of functions with a body and through pointers.

Models of known functions are in `intrinsics` and `library`; `unknown_functions` has the calls of all other functions
without a body.
"""

from __future__ import annotations

from contextlib import nullcontext
from typing import TYPE_CHECKING, Final, final

from remuda.base.source import Span
from remuda.frontends.c.clang.headers import is_in_system_header
from remuda.frontends.c.library.error_numbers import keeps_error_number
from remuda.frontends.c.library.models import unsupported
from remuda.frontends.c.library.table import LIBRARY
from remuda.frontends.c.library.threads import one_step
from remuda.frontends.c.library.unmodelled import WRITING
from remuda.frontends.c.lowering.beliefs import BROKEN
from remuda.frontends.c.lowering.intrinsics import CLAIMS, INTRINSICS, nondeterministic
from remuda.frontends.c.lowering.places import RecordValue
from remuda.frontends.c.lowering.threads import is_atomic
from remuda.frontends.c.lowering.unknown_functions import call_unknown
from remuda.frontends.c.reproduce import LEAF
from remuda.frontends.c.syntax import ast
from remuda.frontends.c.syntax.ast import CastKind
from remuda.frontends.c.syntax.types import INT, FunctionType, PointerType, VoidType, is_scalar
from remuda.frontends.c.syntax.walk import called_function
from remuda.ir.program import Call

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from remuda.frontends.c.library.models import Model
    from remuda.frontends.c.lowering.context import FunctionContext
    from remuda.frontends.c.lowering.expressions import Expressions
    from remuda.frontends.c.lowering.trampoline import Steps
    from remuda.frontends.c.syntax.layouts import Leaf
    from remuda.frontends.c.syntax.types import CType
    from remuda.terms.symbols import Variable
    from remuda.terms.term import Term


# Functions whose names begin like this are unsupported, unless they have a model.
SYNCHRONIZING: Final = ("pthread_", "sem_", "thrd_", "mtx_", "cnd_", "tss_", "call_once")
COMPILERS: Final = ("__builtin_", "__sync_", "__atomic_", "__c11_atomic_", "__opencl_atomic_", "__scoped_atomic_")


def model_of(function: ast.Function, asked: Collection[str] = ()) -> Model | None:
    """The model that replaces a function's body. Programs may define most functions of the library themselves; then
    there is no model. `asked` are the kinds of assertions that count; none means all kinds."""
    if asked and function.name in CLAIMS and function.body is not None:
        return None
    for name in (function.symbol, function.name):
        model = INTRINSICS.get(name) or nondeterministic(name)
        if model is None and function.body is None:
            model = LIBRARY.get(name)
        if model is not None:
            return model
    return None


@final
class CallLowering:
    """Lowers the calls of one function."""

    def __init__(self, context: FunctionContext, expressions: Expressions) -> None:
        self.context = context
        self.program = context.program
        self.expressions = expressions
        self.accesses = expressions.accesses
        self.addresses = expressions.addresses
        self.blocks = context.blocks
        self.checks = context.checks

    def call(self, node: ast.Call) -> Steps:
        function = called_function(node)
        if function is None:
            return self._through_pointer(node)
        if function.obstacle:
            return unsupported(self, node, function.obstacle)
        if function.is_weak and function.body is None:
            self._demand_presence(function, node)
        model = model_of(function, self.program.options.asked)
        if model is None:
            return self._direct(function, node)
        name = function.symbol or function.name
        is_library = function.body is None and name in LIBRARY
        steps = model(self, node)
        return steps if not is_library or keeps_error_number(name) else self._with_error(steps, node, name)

    def _with_error(self, steps: Steps, node: ast.Call, name: str) -> Steps:
        """A call of a function that may change `errno`."""
        value = yield steps
        self._forget_error(node, name)
        return value

    def _forget_error(self, node: ast.Call, name: str) -> None:
        variable = self.program.error_number
        if variable is not None:
            span = Span(node.span.source, node.span.end, node.span.end)  # not where the result comes from
            self.program.guess(f"errno after a call of {name}", span)
            error = self.context.unknown(INT, span, f"errno after {node.span.text}")
            self.accesses.write(self.addresses.variable(variable), error, span)

    def _demand_presence(self, function: ast.Function, node: ast.Call) -> None:
        """Demand that a weak function is defined: calling an absent one is a call through a null pointer."""
        presence = self.program.storage.presence(function)
        if "pointer" in self.program.options.checks:
            self.context.demand(presence, "pointer", node.span, f"{function.name} is defined")
        self.blocks.assume(presence, node.span)

    def _direct(self, function: ast.Function, node: ast.Call) -> Steps:
        arguments = yield self.expressions.scalars(node.arguments)
        return self._to(function, node, arguments)

    def _to(self, function: ast.Function, node: ast.Call, arguments: Sequence[Term | RecordValue]) -> object:
        """Call a function with argument values that are computed already. The result is the value of the call."""
        if function.body is None:
            if self.program.threads is not None and function.name.startswith(SYNCHRONIZING):
                return unsupported(self, node)  # ignoring a lock would be unsound
            if _has_meaning_elsewhere(function):
                return unsupported(self, node)
            if function.is_noreturn:
                self.program.assume(f"{function.name} has no body: assumed to end the program")
                self.blocks.assume(self.program.terms.false, node.span)
                return self.any_value(node.type, node.span, f"{function.name}()")
            if is_in_system_header(function.span):
                self.program.guess(f"the result of {function.name}", node.span)
                self._forget_error(node, function.name)
            return call_unknown(self, function, node, arguments)
        actuals = self._actuals(function, node, arguments)
        result = function.type.result
        results: tuple[Variable, ...] = ()
        if not isinstance(result, VoidType):
            results = tuple(self._new_result(result, node.span))
        # An atomic function may call another one, whose step is part of its own.
        is_step = is_atomic(function) and not is_atomic(self.context.function)
        with one_step(self.context, node.span, function.name) if is_step else nullcontext():
            self.blocks.add(Call(function.name, tuple(actuals), results, node.span))
        if function.is_noreturn:
            self.blocks.assume(self.program.terms.false, node.span)
        return self._value(results, result, node)

    def _value(self, results: Sequence[Variable], type_: CType, node: ast.Call) -> Term | RecordValue | None:
        if not results:
            return self.any_value(node.type, node.span, "a function of type void")
        values = tuple([self.program.terms.var(variable) for variable in results])
        if isinstance(node.type, VoidType):
            return None
        if is_scalar(type_) and is_scalar(node.type):
            return self.program.arithmetic.convert(values[0], type_, node.type)
        types = [self.program.arithmetic.type_of(leaf.type) for leaf in self._leaves(node)]
        if is_scalar(type_) or is_scalar(node.type) or types != [variable.type for variable in results]:
            return self.any_value(node.type, node.span, "a function of another type")  # through a converted pointer
        return RecordValue(values)

    def _leaves(self, node: ast.Call) -> Sequence[Leaf]:
        return () if isinstance(node.type, VoidType) else self.program.layouts.leaves(node.type, node.span)

    def _actuals(self, function: ast.Function, node: ast.Call, arguments: Sequence[Term | RecordValue]) -> list[Term]:
        """Arguments, converted to the types of the parameters. Without a prototype, number and types may differ."""
        actuals: list[Term] = []
        for position, parameter in enumerate(function.parameters):
            leaves = self.program.layouts.leaves(parameter.type, node.span)
            given = arguments[position] if position < len(arguments) else None
            if isinstance(given, RecordValue) and len(given.scalars) == len(leaves):
                actuals.extend(given.scalars)
            elif given is not None and not isinstance(given, RecordValue) and is_scalar(parameter.type):
                source = node.arguments[position].type
                is_other = isinstance(source, PointerType) != isinstance(parameter.type, PointerType)
                if is_other and not self.program.storage.is_no_object(given):
                    self.program.trusted.address(node.span)
                actuals.append(self.program.arithmetic.convert(given, source, parameter.type))
            else:
                actuals.extend([self._unknown(leaf, node.span, parameter.name) for leaf in leaves])
        return actuals

    def any_value(self, type_: CType, span: Span, source: str, supply: str = "") -> Term | RecordValue | None:
        if isinstance(type_, VoidType):
            return None
        leaves = self.program.layouts.leaves(type_, span)
        parts = [f"{supply}{LEAF}{leaf.name}" if supply else "" for leaf in leaves]
        values = tuple([self._unknown(leaf, span, source, part) for leaf, part in zip(leaves, parts, strict=True)])
        return values[0] if is_scalar(type_) else RecordValue(values)

    def _unknown(self, leaf: Leaf, span: Span, source: str, supply: str = "") -> Term:
        return self.context.unknown(leaf.type, span, source, leaf.bits, supply)

    def run(self, functions: Sequence[ast.Function], span: Span) -> None:
        """Call the functions that the system calls: constructors before `main`, destructors at the end."""
        for function in functions:
            if function.parameters:
                self.context.unsupported(f"the parameters of {function.name}, which the system calls", function.span)
            results = (
                [] if isinstance(function.type.result, VoidType) else self._new_result(function.type.result, span)
            )
            self.blocks.add(Call(function.name, (), tuple(results), span))

    def _new_result(self, type_: CType, span: Span) -> list[Variable]:
        """A new variable for each scalar of a result."""
        leaves = self.program.layouts.leaves(type_, span)
        return [self.blocks.temporary(self.program.arithmetic.type_of(leaf.type), "result") for leaf in leaves]

    # --- through pointers

    def _through_pointer(self, node: ast.Call) -> Steps:
        """A branch for each function that the pointer may point to."""
        pointer, *arguments = yield self.expressions.scalars((node.function, *node.arguments))
        targets = self.program.memory.targets(node)
        position = self.blocks.position()
        pointer = self.blocks.save(pointer, position, node.span) if pointer.args else pointer
        after = self.blocks.new("called", node.span)
        results = self._results(node)
        compare, storage = self.program.arithmetic.compare, self.program.storage
        for target in targets:
            chosen, other = self.blocks.new("target", node.span), self.blocks.new("other", node.span)
            address = storage.literal(storage.function_address(target))
            self.blocks.branch(compare("==", pointer, address, storage.size_type), chosen, other, node.span)
            self.blocks.enter(chosen)
            value = yield self._to_target(target, node, arguments)
            self._keep(results, value, node.span)
            self.blocks.jump(after, node.span)
            self.blocks.enter(other)
        self._no_target(node, results)
        self.blocks.go(after, node.span)
        if _never_returns(node.function.type):
            self.blocks.assume(self.program.terms.false, node.span)
        values = tuple([self.program.terms.var(variable) for variable in results])
        return None if not values else values[0] if is_scalar(node.type) else RecordValue(values)

    def _to_target(self, target: ast.Function, node: ast.Call, arguments: Sequence[Term | RecordValue]) -> Steps:
        if target.body is None and model_of(target) is not None and nondeterministic(target.name) is None:
            self.context.unsupported(f"{target.name} called through a pointer", node.span)
        return self._to(target, node, arguments)

    def _no_target(self, node: ast.Call, results: Sequence[Variable]) -> None:
        """The pointer comes from outside, or points to no function of the program. One that may come from an unknown
        integer is believed to point to one of the functions."""
        if self.program.memory.may_be_wild(node.function):
            self.context.believe(
                self.program.terms.false, node.span, f"{BROKEN}, in {' '.join(node.span.text.split())},"
            )
        self.checks.target(node.function, node.span)
        self.program.assume(
            "calls through pointers that come from outside the program are assumed to return any value and to change"
            " nothing"
        )
        if results:
            self._keep(results, self.any_value(node.type, node.span, f"{node.span.text}"), node.span)

    def _results(self, node: ast.Call) -> tuple[Variable, ...]:
        return () if isinstance(node.type, VoidType) else tuple(self._new_result(node.type, node.span))

    def _keep(self, results: Sequence[Variable], value: object, span: Span) -> None:
        if isinstance(value, RecordValue):
            for variable, scalar in zip(results, value.scalars, strict=True):
                self.blocks.assign(variable, scalar, span)
        elif results and value is not None:
            self.blocks.assign(results[0], value, span)  # type: ignore[arg-type]


def _has_meaning_elsewhere(function: ast.Function) -> bool:
    """Whether compilers or the library define a function that has no model: it may do more than what is assumed about
    unknown functions."""
    name = function.symbol or function.name
    return name.startswith(COMPILERS) or name.removesuffix("64") in WRITING


def _never_returns(pointer: CType) -> bool:
    target = pointer.target if isinstance(pointer, PointerType) else pointer
    return isinstance(target, FunctionType) and target.is_noreturn


def pointee(node: ast.Expression) -> tuple[ast.Expression, CType]:
    """What a pointer argument points to, before it was converted to `void *`."""
    at = node
    while isinstance(at, ast.Cast) and at.kind in {CastKind.POINTER, CastKind.NOTHING}:
        if isinstance(at.operand.type, PointerType):
            at = at.operand
        else:
            break
    assert isinstance(at.type, PointerType)
    return at, at.type.target
