"""Translates calls to instructions: of functions with a body, of the library, and of unknown functions."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, final

from remuda.base.source import Span
from remuda.frontends.c.syntax import ast
from remuda.frontends.c.syntax.types import IntegerType, PointerType, RecordType, VoidType, is_scalar
from remuda.frontends.c.syntax.walk import called_function, written_argument
from remuda.machine.arithmetic import conversion, wrap
from remuda.machine.code import EXTRA, SWITCH, MemoryPlace, may_be_absent
from remuda.machine.extended import Extended
from remuda.machine.intrinsics import CLAIMS, SECTION_BEGINS, intrinsic_of
from remuda.machine.library import LIBRARY
from remuda.machine.memory import DEAD, Pointer, describe
from remuda.machine.outcomes import ANY_RESULT, Cause, End, Stop, not_modelled, undefined
from remuda.machine.threads import Elsewhere, Wait, is_atomic_function

if TYPE_CHECKING:
    from collections.abc import Sequence

    from remuda.frontends.c.syntax.types import CType
    from remuda.machine.arithmetic import Unary
    from remuda.machine.builder import Builder
    from remuda.machine.code import Registers
    from remuda.machine.expressions import Expressions
    from remuda.machine.intrinsics import Model
    from remuda.machine.memory import Value
    from remuda.machine.run import Execution
    from remuda.machine.steps import Steps

FIRST_OF_VARIADIC: Final = frozenset({"va_start", "va_end", "va_copy"})
MEANINGFUL: Final = ("pthread_", "sem_", "thrd_", "mtx_", "cnd_", "call_once", "tss_", "__builtin_")


@final
@dataclass(frozen=True, slots=True, eq=False)
class Site:
    """A call, for the functions of the library."""

    node: ast.Call
    function: ast.Function

    @property
    def span(self) -> Span:
        return self.node.span

    @property
    def name(self) -> str:
        return self.function.name


@final
class Calls:
    """The calls of one function."""

    def __init__(self, builder: Builder, expressions: Expressions) -> None:
        self._builder = builder
        self._execution = builder.execution
        self._expressions = expressions

    def call(self, node: ast.Call) -> Steps:
        function = called_function(node)
        if function is None:
            pointer = yield self._expressions.value(node.function)
            arguments = yield self._arguments(node.arguments)
            return self._computed(node, pointer, arguments)
        if function.obstacle:
            raise not_modelled(node.span, function.obstacle)
        if may_be_absent(function):
            self._require_presence(function, node)
        if function.name.removeprefix("__builtin_") in FIRST_OF_VARIADIC and function.body is None:
            result = yield self._variadic(node, function.name.removeprefix("__builtin_"))
            return result
        if function.name == "__builtin_constant_p":
            return self._builder.constant(int(_is_literal(node.arguments[0])))
        if self._execution.story is None or intrinsic_of(function.symbol or function.name) is None:
            arguments = yield self._arguments(node.arguments)
            return self._to(node, function, arguments)
        outer = self._expressions.watch(*node.arguments)
        arguments = yield self._arguments(node.arguments)
        self._expressions.tell_reads(node.span, outer, is_branch=False)
        return self._to(node, function, arguments)

    def _require_presence(self, function: ast.Function, node: ast.Call) -> None:
        execution = self._execution

        def check(_: Registers) -> None:
            if not execution.is_present(function):
                raise undefined(Cause.POINTER, node.span, f"a call of {function.name}, which is absent")

        self._builder.do(check)

    def _arguments(self, nodes: Sequence[ast.Expression]) -> Steps:
        slots = []
        for node in nodes:
            slot = yield self._expressions.value(node)
            slots.append(slot)
        return slots

    def _to(self, node: ast.Call, function: ast.Function, arguments: list[int]) -> int | None:
        builder, execution = self._builder, self._execution
        d = builder.register()
        name = function.symbol or function.name
        is_claim = name in CLAIMS and execution.only_checks and function.body is not None
        model = None if is_claim else intrinsic_of(name)
        if model is None and function.body is None:
            model = LIBRARY.get(name)
        if model is not None:
            self._model(model, Site(node, function), arguments, d)
            self._set_error(node)
            return self._result(d, node, node.type)
        if function.body is None:
            site = Site(node, function)
            builder.do(lambda r: r.__setitem__(d, unknown(execution, site, [r[slot] for slot in arguments])))
            self._set_error(node)
            return self._result(d, node, node.type)
        self._enter(node, function, arguments, d)
        return self._result(d, node, function.type.result)

    def _model(self, model: Model, site: Site, arguments: list[int], d: int) -> None:
        """Call a function that the machine knows by name. It may wait: then the instruction is executed again."""
        builder, execution, code = self._builder, self._execution, self._builder.code
        here = len(code.instructions)
        builder.point(site.span, enters=site.name in SECTION_BEGINS)
        n = builder.following

        def run_model(r: Registers) -> int:
            try:
                r[d] = model(execution, site, [r[slot] for slot in arguments])
            except Wait as wait:
                return execution.threads.wait(code, r, here, wait)
            except Elsewhere:
                return SWITCH
            return n

        builder.add(run_model)

    def _set_error(self, node: ast.Call) -> None:
        """Let a function without a body set `errno` to a value from outside, whose position is the end of the
        call."""
        builder, execution = self._builder, self._execution
        variable = execution.error_number
        if variable is None:
            return
        place, span = builder.place(variable, node.span), Span(node.span.source, node.span.end, node.span.end)
        assert isinstance(place, MemoryPlace)
        slot = place.slot

        def set_error(r: Registers) -> None:
            value = execution.offered("result", variable.name, span, variable.type)
            if value is not None:
                there: Pointer = r[slot]
                object_ = execution.memory.check(there, 0, 4, span, write=True)
                execution.memory.write_leaf(object_, there.offset, variable.type, value)

        builder.do(set_error)

    def _result(self, d: int, node: ast.Call, type_: CType) -> int | None:
        if isinstance(node.type, VoidType):
            return None
        if type_ == node.type or not is_scalar(type_) or not is_scalar(node.type):
            return d
        return self._expressions.convert(d, type_, node.type, node.span)

    def _enter(self, node: ast.Call, function: ast.Function, arguments: list[int], d: int) -> None:
        """Enter the body of a function."""
        builder, execution = self._builder, self._execution
        own, converted = builder.code, self._converted(node, function.parameters, arguments)
        if is_atomic_function(function):
            builder.point(node.span, enters=True)
        n = builder.following
        types = [argument.type for argument in node.arguments]
        extra = len(function.parameters)

        def enter(r: Registers) -> int:
            values = [None if slot is None else r[slot] for slot in converted]
            more = [(r[slot], type_) for slot, type_ in zip(arguments[extra:], types[extra:], strict=True)]
            execution.enter(function, values, more, own, r, n, d, node.span)
            return SWITCH

        builder.add(enter)

    def _converted(
        self, node: ast.Call, parameters: Sequence[ast.Variable], arguments: list[int]
    ) -> list[int | None]:
        """Arguments, converted to the parameters. Without a prototype they may be of other types, or missing."""
        slots: list[int | None] = []
        for position, parameter in enumerate(parameters):
            if position >= len(arguments):
                slots.append(None)
                continue
            slot, type_ = arguments[position], node.arguments[position].type
            if type_ != parameter.type and is_scalar(type_) and is_scalar(parameter.type):
                slot = self._expressions.convert(slot, type_, parameter.type, node.span)
            slots.append(slot)
        return slots

    def _computed(self, node: ast.Call, pointer: int, arguments: list[int]) -> int | None:
        """A call through a pointer."""
        builder, execution, own = self._builder, self._execution, self._builder.code
        here = len(own.instructions)
        builder.point(node.span)
        d, n, span = builder.register(), builder.following, node.span
        types = [argument.type for argument in node.arguments]

        def enter(r: Registers) -> int:
            function = function_at(r[pointer], span)
            values = [r[slot] for slot in arguments]
            name = function.symbol or function.name
            if function.body is None or intrinsic_of(name) is not None:
                model = intrinsic_of(name) or LIBRARY.get(name) or unknown
                try:
                    r[d] = model(execution, Site(node, function), values)
                except Wait as wait:
                    return execution.threads.wait(own, r, here, wait)
                except Elsewhere:
                    return SWITCH
                return n
            extra = len(function.parameters)
            given = _as_parameters(execution, values, types, function, span)
            more = list(zip(values[extra:], types[extra:], strict=True))
            execution.enter(function, given, more, own, r, n, d, span)
            return SWITCH

        builder.add(enter)
        return None if isinstance(node.type, VoidType) else d

    # --- variable arguments

    def _variadic(self, node: ast.Call, name: str) -> Steps:
        cell = yield self._list(node.arguments[0])
        lists = self._execution.lists
        if name == "va_start":

            def start(r: Registers) -> None:
                lists[r[cell].object, r[cell].offset] = [r[EXTRA] or [], 0]

            self._builder.do(start)
        elif name == "va_copy":
            source = yield self._list(node.arguments[1])
            span = node.span

            def copy(r: Registers) -> None:
                given, at = _given(lists, r[source], span)
                lists[r[cell].object, r[cell].offset] = [given, at]

            self._builder.do(copy)

    def _list(self, node: ast.Expression) -> Steps:
        """The object of a `va_list`: an array on machines of 64 bits, else the variable itself."""
        at = node
        while isinstance(at, ast.Cast) and at.kind is ast.CastKind.LVALUE_TO_RVALUE:
            at = at.operand
        if isinstance(at.type, PointerType) and isinstance(at.type.target, RecordType):
            slot = yield self._expressions.value(node)
            return slot
        place = yield self._expressions.place(at)
        if not isinstance(place, MemoryPlace):
            raise not_modelled(node.span, "a va_list that is passed by value")
        return self._builder.address(place, node.span)

    def variadic_argument(self, node: ast.VariadicArgument) -> Steps:
        cell = yield self._list(node.operand)
        lists, span, type_ = self._execution.lists, node.span, node.type

        def following(r: Registers) -> Value:
            key = (r[cell].object, r[cell].offset)
            given, at = _given(lists, r[cell], span)
            if at >= len(given):
                raise undefined(Cause.OTHER, span, "va_arg reads behind the last argument")
            lists[key] = [given, at + 1]
            value: Value = given[at][0]
            passed: CType = given[at][1]
            if type(passed) is not type(type_) or (is_scalar(type_) and passed != type_):
                return _reinterpreted(value, passed, type_, span)
            return value

        return self._builder.compute(following)


def _given(lists: dict[tuple[object, int], list], cell: Pointer, span: Span) -> list:  # type: ignore[type-arg]
    found = lists.get((cell.object, cell.offset))
    if found is None:
        raise undefined(Cause.OTHER, span, "a va_list is used before va_start")
    return found


def _reinterpreted(value: Value, passed: CType, wanted: CType, span: Span) -> Value:
    """C allows the signed and the unsigned type for each other, if the value is in both."""
    if isinstance(passed, IntegerType) and isinstance(wanted, IntegerType) and passed.width == wanted.width:
        assert isinstance(value, int)
        return wrap(value, wanted)
    if isinstance(passed, PointerType) and isinstance(wanted, PointerType):
        return value
    raise undefined(Cause.OTHER, span, f"va_arg reads {wanted}, and {passed} was passed")


def function_at(pointer: Pointer, span: Span) -> ast.Function:
    """The function that a pointer points to."""
    object_ = pointer.object
    if object_ is None:
        what = "a null pointer" if pointer.offset == 0 else f"the made-up pointer {pointer.offset:#x}"
        raise undefined(Cause.POINTER, span, f"a call through {what}")
    if object_.kind == "outside":
        raise not_modelled(span, "a call through a pointer from outside")
    if object_.function is None or pointer.offset != 0 or object_.limit == DEAD:
        raise undefined(Cause.POINTER, span, f"a call of {describe(object_)}, which is no function")
    return object_.function


def _as_parameters(
    execution: Execution, values: list[Value], types: list[CType], function: ast.Function, span: Span
) -> list[Value | None]:
    made: list[Value | None] = []
    for position, parameter in enumerate(function.parameters):
        if position >= len(values):
            made.append(None)
            continue
        value, type_ = values[position], types[position]
        is_other = type_ != parameter.type and is_scalar(type_) and is_scalar(parameter.type)
        if is_other and isinstance(type_, PointerType) != isinstance(parameter.type, PointerType):
            raise undefined(Cause.OTHER, span, f"{function.name} is called as a function of another type")
        if is_other and not isinstance(type_, PointerType):
            convert: Unary = conversion(type_, parameter.type, span, execution.report)
            assert isinstance(value, int | float | Extended)
            value = convert(value)
        made.append(value)
    return made


def unknown(execution: Execution, site: Site, values: list[Value]) -> Value | None:
    """Call a function without a body: it may change the numbers that its arguments point to, and returns any
    value."""
    means_something = site.name in execution.library or site.name.startswith(MEANINGFUL)
    if means_something:
        raise not_modelled(site.span, site.name)
    for position, value in enumerate(values):
        argument = site.node.arguments[position] if position < len(site.node.arguments) else None
        written = None if argument is None else written_argument(site.function, argument, position)
        if written is None or argument is None or not isinstance(value, Pointer) or not value:
            continue
        if value.object is None or value.object.kind not in {"literal", "outside"}:  # literals must not be written
            execution.forget_written(value, written, site.name, f"{site.name} of {argument.span.text}")
    if site.function.is_noreturn:
        raise Stop(End.EXITED, site.span, f"{site.name} does not return")
    type_ = site.node.type
    if isinstance(type_, VoidType):
        return None
    execution.leave_open(site.span, f"{site.name} {ANY_RESULT}")
    return execution.ask_value("call", site.name, site.span, type_)


def _is_literal(node: ast.Expression) -> bool:
    while isinstance(node, ast.Cast):
        node = node.operand
    return isinstance(node, ast.IntegerLiteral | ast.FloatLiteral | ast.StringLiteral)
