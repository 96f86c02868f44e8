"""Executions: the state of a running program, and the loop that runs it.

outcome = Execution(unit, Settings(), inputs).run("main")
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Final, NoReturn, final

from remuda.base.errors import Unsupported
from remuda.frontends.c.syntax import ast
from remuda.frontends.c.syntax.layouts import Layouts
from remuda.frontends.c.syntax.shapes import number_ranges
from remuda.frontends.c.syntax.types import (
    INT,
    ArrayType,
    FloatingType,
    IntegerType,
    PointerType,
    VoidType,
    is_scalar,
    size_of,
)
from remuda.machine.arithmetic import float_value, wrap
from remuda.machine.builder import Builder
from remuda.machine.calls import Calls, function_at
from remuda.machine.code import (
    BLOCKS,
    EXTRA,
    SWITCH,
    Code,
    MemoryPlace,
    has_jumps,
    may_be_absent,
    variables_in_memory,
)
from remuda.machine.expressions import Expressions
from remuda.machine.initializers import initialized_size
from remuda.machine.memory import NULL, Blob, Memory, Object, Pointer, describe, row_around
from remuda.machine.outcomes import Cause, End, ExecutionOutcome, Open, Stop, not_modelled, undefined
from remuda.machine.settings import CHANGED, PRESENCE, Inputs, Question, Settings
from remuda.machine.statements import Statements
from remuda.machine.steps import complete
from remuda.machine.story import Kept, Story
from remuda.machine.threads import Threads, is_atomic_function, kill_objects

if TYPE_CHECKING:
    from remuda.base.source import Span
    from remuda.frontends.c.syntax.types import CType
    from remuda.frontends.c.syntax.walk import Written
    from remuda.machine.code import Instruction, Registers
    from remuda.machine.memory import Scalar, Value
    from remuda.machine.threads import Schedule, Thread

RESULT: Final = 2  # the register for the result of the entry
MOST_ARGUMENTS: Final = 1000
TEXT_SIZE: Final = 1024  # of an argument of `main`
SPACE: Final = 4096  # elements behind a pointer parameter of the entry, and of arrays of unknown length
MOST_FRAMES: Final = 200_000
MOST_OPEN: Final = 100
ALL: Final = Kept()

Frame = tuple[Code, "Registers", int, int]  # of a caller: where it goes on, and the register for the result


@final
class Execution:
    """A program that runs, again and again if `run` is called again. Without a schedule it can have one thread only. If it
    `tells`, the last run has a story, of which `kept` events are there."""

    def __init__(
        self,
        unit: ast.Unit,
        settings: Settings,
        inputs: Inputs,
        *,
        schedule: Schedule | None = None,
        tells: bool = False,
        kept: Kept = ALL,
    ) -> None:
        self.unit = unit
        self.error_number = next((each for each in unit.variables if each.name == "errno" and each.type == INT), None)
        self.target = unit.machine
        self.settings = settings
        self.inputs = inputs
        self.schedule = schedule
        self.memory = Memory(unit.machine, settings.most_memory, has_hardware=not settings.strict_pointers)
        self.layouts = Layouts(unit.machine)
        self.story = Story(self.memory, self.layouts, self._place, kept) if tells else None
        self._quiet = kept.quiet
        self.strict_bounds = settings.strict_bounds
        self.strict_conversions = settings.strict_conversions
        self.library = settings.library
        self.volatile_is_input = settings.volatile_is_input
        self.only_checks = settings.only_checks
        self.error_labels = settings.error_labels
        self.lists: dict[tuple[object, int], list[Any]] = {}
        self.output: list[bytes] = []
        self.state: dict[str, Any] = {}  # of library functions
        self._opens: dict[Open, None] = {}
        self._failures: dict[str, tuple[Span, str]] = {}
        self._frames: list[Frame] = []
        self._sections: list[int] = []
        self._current: tuple[Code, Registers, int] = (Code("nothing"), [], 0)
        self.threads = Threads(self)
        self._codes: dict[ast.Function, Code] = {}
        self._lasting: dict[ast.Variable, Pointer] = {}
        self._waiting: list[ast.Variable] = []
        self._images: dict[ast.Variable, Blob] = {}  # the initial values of thread-local variables
        self._first_values: list[Code] = []
        self._functions: dict[ast.Function, Pointer] = {}
        self._literals: dict[ast.StringLiteral, Pointer] = {}
        self._named: dict[str, Pointer] = {}
        self.exits: list[tuple[Pointer, Span]] = []  # the arguments of `atexit`, and the calls
        self._is_ending = False

    # --- running

    def run(self, entry: str = "main") -> ExecutionOutcome:
        steps = 0
        try:
            self._restart()
            self._start(self.unit.functions[entry])
            code, registers, at = self._current
            instructions = code.instructions
            for first, last in ((0, self._quiet), (self._quiet, self.settings.most_steps)):
                for steps in range(first, last):  # noqa: B007 - the number of steps is reported
                    at = instructions[at](registers)
                    if at == SWITCH:
                        code, registers, at = self._current
                        instructions = code.instructions
                if self.story is not None:
                    self.story.end_quiet()
            raise Stop(End.LIMIT, None, f"more than {self.settings.most_steps} steps")
        except Stop as stop:
            return self._outcome(stop, steps)
        except Unsupported as problem:
            return self._outcome(Stop(End.NOT_MODELLED, problem.span, problem.construct), steps)

    def _outcome(self, stop: Stop, steps: int) -> ExecutionOutcome:
        failures = tuple(self._failures.values())
        return ExecutionOutcome(
            stop.end, stop.span, stop.text, stop.cause, stop.code, tuple(self._opens), failures, steps
        )

    def _restart(self) -> None:
        if self.story is not None:
            self.story.restart()
        kept = {id(pointer.object) for group in self._kept() for pointer in group.values()}
        self.memory.restart(kept)
        self.lists.clear()
        self.output.clear()
        self.state.clear()
        self._opens.clear()
        self._failures.clear()
        self.exits.clear()
        self._is_ending = False
        for variable, pointer in self._lasting.items():
            assert pointer.object is not None
            self._clear(pointer.object, variable)
        for code in self._first_values:
            _run_straight(code)

    def _kept(self) -> list[dict[Any, Pointer]]:
        return [self._lasting, self._functions, self._literals, self._named]

    def _start(self, entry: ast.Function) -> None:
        """Call the constructors, and then the entry."""
        start = Code("start", template=[None, None, None])
        calls: list[tuple[ast.Function, list[Value]]] = [(each, []) for _, each in self.unit.constructors]
        calls.append((entry, self._entry_arguments(entry)))
        for number, (function, values) in enumerate(calls, 1):
            start.instructions.append(self._first_call(start, function, values, number))
        if self.schedule is not None:  # other threads may go on while `main` is about to return
            start.instructions.append(self.threads.point(start, entry.span, len(start.instructions)))
        start.instructions.append(self._last_step)
        self.threads.begin((start, start.template, 0))

    def _first_call(self, start: Code, function: ast.Function, values: list[Value], following: int) -> Instruction:
        def call(registers: Registers) -> int:
            self.enter(function, values, [], start, registers, following, RESULT, function.span)
            return SWITCH

        return call

    def _last_step(self, registers: Registers) -> int:
        value = registers[RESULT]
        self.exit(value if isinstance(value, int) else 0, None)
        return SWITCH

    def _entry_arguments(self, entry: ast.Function) -> list[Value]:
        """Any arguments that make sense: each pointer points to an object of its own."""
        values: list[Value] = []
        count = 0
        for position, parameter in enumerate(entry.parameters):
            type_ = parameter.type
            if isinstance(type_, PointerType) and entry.name == "main":
                values.append(self._texts(parameter, count))
                count = 0
            elif isinstance(type_, PointerType):
                size = 1 if isinstance(type_.target, VoidType) else size_of(type_.target, self.target) or 1
                made = self.memory.create(f"*{parameter.name}", "argument", SPACE * size, is_known=False)
                values.append(Pointer(made, 0))
            else:
                value = self.ask_value("parameter", parameter.name, parameter.span, type_)
                if entry.name == "main" and position == 0 and isinstance(value, int):
                    count = value
                    if not 0 <= value <= MOST_ARGUMENTS:
                        raise Stop(End.ASSUMED, parameter.span, f"{value} arguments")
                values.append(value)
        return values

    def _texts(self, parameter: ast.Variable, count: int) -> Pointer:
        """An array of texts, with a null pointer at its end."""
        size = self.memory.pointer_size
        made = self.memory.create(parameter.name, "argument", (count + 1) * size)
        for position in range(count):
            text = self.text_from_outside(f"{parameter.name}[{position}]")
            self.memory.store_pointer(made, position * size, text)
        return Pointer(made, 0)

    def text_from_outside(self, name: str) -> Pointer:
        """Any text, with a zero at the end of its array."""
        text = self.memory.create(name, "argument", TEXT_SIZE, is_known=False)
        assert text.known is not None
        text.known[-1] = 1
        return Pointer(text, 0)

    # --- frames

    def enter(
        self,
        function: ast.Function,
        values: Sequence[Value | None],
        more: list[tuple[Value, CType]],
        caller: Code,
        registers: Registers,
        following: int,
        result: int,
        span: Span,
    ) -> None:
        """Enter another function, whose result goes to a register of the caller."""
        code = self.code_of(function)
        own = code.template.copy()
        for slot, value, parameter in zip(code.parameters, values, function.parameters, strict=True):
            if value is None:
                value = self.ask_value("argument", parameter.name, span, parameter.type)
            own[slot] = value
        own[EXTRA] = more
        if len(self._frames) > MOST_FRAMES:
            raise Stop(End.LIMIT, span, f"more than {MOST_FRAMES} calls inside each other")
        if self.story is not None:
            self.story.called(span, function.parameters, [own[slot] for slot in code.parameters])
        for slot, variable in code.own:
            own[slot] = self._own_object(variable, span)
        if is_atomic_function(function):
            self._sections.append(len(self._frames))
        self._frames.append((caller, registers, following, result))
        self._current = (code, own, 0)

    def leave(self, code: Code, registers: Registers, value: Value | None) -> None:
        """Return from a function; its local objects end."""
        kill_objects(self, code, registers)
        following_code, caller, following, result = self._frames.pop()
        if self._sections and self._sections[-1] == len(self._frames):
            self._sections.pop()
        caller[result] = value
        self._current = (following_code, caller, following)

    def leave_all_frames(self) -> tuple[Code, Registers, int]:
        """Leave all functions of the current thread. The result is its next instruction after the outermost one."""
        code, registers, following = self._current
        while self._frames:
            kill_objects(self, code, registers)
            code, registers, following, _ = self._frames.pop()
        self._sections.clear()
        return code, registers, following

    def _place(self) -> tuple[str, int]:
        """The function that runs, and how many calls it is inside of."""
        return self._current[0].name, len(self._frames) - 1

    def resume(self, thread: Thread) -> None:
        """Continue a thread."""
        self._frames, self._sections, self._current = thread.frames, thread.sections, thread.at

    def exit(self, code: int, span: Span | None) -> None:
        """End the program, after the functions of `atexit`, the last first, and the destructors."""
        functions = [self.function_at(pointer, pointer_span) for pointer, pointer_span in reversed(self.exits)]
        functions += [function for _, function in self.unit.destructors]
        if not functions:
            self.exit_at_once(code, span)
        if self._is_ending:
            raise Stop(End.NOT_MODELLED, span, "a second exit")
        self._is_ending = True
        end = Code("end", template=[None, None, None])
        for following, function in enumerate(functions, 1):
            end.instructions.append(self._first_call(end, function, [], following))
        end.instructions.append(lambda _: self.exit_at_once(code, span))
        self._current = (end, end.template, 0)

    def exit_at_once(self, code: int, span: Span | None) -> NoReturn:
        if self.settings.finds_leaks and self.memory.live_blocks:
            block = self.memory.live_blocks[0]
            raise Stop(End.UNDEFINED, span, f"{describe(block)} is never freed", Cause.LEAK)
        raise Stop(End.EXITED, span, f"exit with {code & 255}", code=code & 255)

    def allocate_in_frame(self, size: int, name: str) -> Pointer:
        """`alloca`: the running instruction's frame keeps the block."""
        made = self.memory.create(name, "local", size, is_known=False)
        registers = self._current[1]
        registers[BLOCKS] = [*(registers[BLOCKS] or ()), made]
        return Pointer(made, 0)

    # --- code

    def code_of(self, function: ast.Function) -> Code:
        found = self._codes.get(function)
        if found is None:
            found = self._codes[function] = self._compile(function)
            self._give_first_values()
        return found

    def _compile(self, function: ast.Function) -> Code:
        assert function.body is not None
        builder = Builder(self, function.name, variables_in_memory(function), has_jumps=has_jumps(function))
        statements = self._parts(builder, function)
        code = builder.code
        for parameter in function.parameters:
            place = builder.place(parameter, parameter.span)
            if not isinstance(place, MemoryPlace):
                code.parameters.append(place.slot)
                continue
            slot = builder.register()
            code.parameters.append(slot)
            size = size_of(parameter.type, self.target)
            assert size is not None
            builder.new_object(parameter, size)
            try:
                builder.write(place, slot, parameter.span)
            except Stop as stop:
                builder.stop(stop)
        complete(statements.body(function.body))
        return code

    def _parts(self, builder: Builder, function: ast.Function | None) -> Statements:
        expressions = Expressions(builder)
        statements = Statements(builder, expressions, function)
        expressions.calls = Calls(builder, expressions)
        expressions.statements = statements
        return statements

    # --- lasting objects

    def lasting(self, variable: ast.Variable, span: Span) -> Pointer:
        """The object of a static variable, which is initialised before its first use."""
        found = self._lasting.get(variable)
        if found is not None:
            return found
        size = size_of(variable.type, self.target)
        is_open = False
        if size is None and isinstance(variable.type, ArrayType):
            is_open = True
            size = SPACE * (size_of(variable.type.element, self.target) or 1)
        if size is None:
            raise not_modelled(span, f"{variable.name}, whose size is not known,")
        size = max(size, initialized_size(variable, self.target))
        object_ = self.memory.create(variable.name, "global", size, type_=variable.type, alignment=variable.alignment)
        object_.is_open = is_open
        found = self._lasting[variable] = Pointer(object_, 0)
        self._waiting.append(variable)
        return found

    def is_present(self, entity: ast.Variable | ast.Function) -> bool:
        """Whether another file defines a weak symbol: the same throughout an execution."""
        key = f"{PRESENCE} {entity.name}"
        if key not in self.state:
            self.state[key] = bool(self.ask(PRESENCE, entity.name, entity.span, INT))
        return bool(self.state[key])

    def _own_object(self, variable: ast.Variable, span: Span) -> Pointer:
        """The current thread's object of a thread-local variable; null, if the symbol is absent."""
        if may_be_absent(variable) and not self.is_present(variable):
            return NULL
        first, thread = self.lasting(variable, span), self.threads.current
        if thread.number == 1 or not variable.is_thread_local:
            return first
        if variable not in thread.own:
            image = self._images[variable]
            object_ = self.memory.create(
                variable.name, "global", len(image.data), type_=variable.type, alignment=variable.alignment
            )
            made = Pointer(object_, 0)
            self.memory.write_blob(made, 0, image, span)
            thread.own[variable] = made
        return thread.own[variable]

    def _give_first_values(self) -> None:
        """Initialise static objects. An initialiser may copy another object, such as a compound literal, which must
        be initialised before. Such objects are found later, so the last ones come first."""
        codes: list[Code] = []
        own: list[ast.Variable] = []
        while self._waiting:
            variable = self._waiting.pop()
            object_ = self._lasting[variable].object
            assert object_ is not None
            self._clear(object_, variable)
            if variable.initializer is not None:
                builder = Builder(self, variable.name, set(), is_straight=True)
                statements = self._parts(builder, None)
                try:
                    statements.initializers.initialize(variable)
                except Stop as stop:
                    builder.stop(stop)
                builder.add(lambda _: SWITCH)
                codes.append(builder.code)
            if variable.is_thread_local:
                own.append(variable)
        for code in reversed(codes):
            self._first_values.append(code)
            _run_straight(code)
        for variable in own:
            made = self._lasting[variable]
            assert made.object is not None
            self._images[variable] = self.memory.read_blob(made, 0, made.object.size, variable.span)

    def _clear(self, object_: Object, variable: ast.Variable) -> None:
        object_.data[:] = bytes(object_.size)
        object_.pointers.clear()
        if variable.storage is ast.Storage.EXTERN and variable.initializer is None:
            object_.known = bytearray(object_.size)
            if is_scalar(variable.type):
                object_.pending = self.offered("extern", variable.name, variable.span, variable.type)

    def function_pointer(self, function: ast.Function) -> Pointer:
        if function not in self._functions:
            object_ = self.memory.create(function.name, "function", 0)
            object_.function = function
            self._functions[function] = Pointer(object_, 0)
        return self._functions[function]

    def function_at(self, pointer: Pointer, span: Span) -> ast.Function:
        return function_at(pointer, span)

    def literal(self, node: ast.StringLiteral) -> Pointer:
        if node not in self._literals:
            assert not isinstance(node.type, VoidType)
            size = size_of(node.type, self.target) or 0
            width = max(1, size // max(1, len(node.units)))
            object_ = self.memory.create(" ".join(node.span.text.split()), "literal", size)
            data = b"".join((unit % (1 << width * 8)).to_bytes(width, "little") for unit in node.units)
            object_.data[:] = data[:size].ljust(size, b"\0")
            object_.is_constant = True
            object_.type = node.type
            self._literals[node] = Pointer(object_, 0)
        return self._literals[node]

    def label_address(self, name: str) -> Pointer:
        if name not in self._named:
            self._named[name] = Pointer(self.memory.create(name, "label", 0), 0)
        return self._named[name]

    # --- questions

    def ask(self, kind: str, name: str, span: Span, type_: CType, part: str = "") -> Scalar:
        """A scalar from outside."""
        value = self._answer(Question(kind, name, span, type_, part, thread=self.threads.current.number))
        if value is None:
            raise Stop(End.NO_INPUT, span, f"no value for {name}")
        return value

    def offered(self, kind: str, name: str, span: Span, type_: CType) -> Scalar | None:
        """A scalar from outside, if there is one."""
        return self._answer(Question(kind, name, span, type_, is_needed=False, thread=self.threads.current.number))

    def _answer(self, question: Question) -> Scalar | None:
        answer, type_ = self.inputs.answer(question), question.type
        if answer is None:
            return None
        if isinstance(type_, PointerType):
            return Pointer(self.memory.outside, int(answer)) if answer else NULL
        if isinstance(type_, FloatingType):
            return float_value(answer, type_)
        assert isinstance(type_, IntegerType)
        return wrap(int(answer), type_)

    def ask_value(self, kind: str, name: str, span: Span, type_: CType) -> Value:
        """A scalar or a record from outside."""
        if is_scalar(type_):
            return self.ask(kind, name, span, type_)
        size = size_of(type_, self.target)
        if size is None:
            raise not_modelled(span, f"a value of type {type_}")
        made = self.memory.create("a value from outside", "local", size)
        for leaf in self.layouts.leaves(type_, span):
            value = self.ask(kind, name, span, leaf.type, leaf.name)
            self.memory.write_leaf(made, leaf.offset, leaf.type, value, leaf.shift, leaf.bits)
        return Blob(made.data, None, made.pointers)

    def forget_written(self, pointer: Pointer, written: Written, function: str, name: str) -> None:
        """Let a function without a body change numbers: at once if they are few, or else when the program reads
        them."""
        size, span = size_of(written.type, self.target) or 0, written.pointer.span
        numbers = number_ranges(written.type, self.target)
        if not numbers:
            return
        is_lone = pointer.object is not None and pointer.offset == 0 and pointer.object.size == size
        object_ = self.memory.check(pointer, 0, 0 if written.is_row and not is_lone else size, span, write=True)
        if written.is_few and (is_lone or not written.is_row):
            for leaf in self.layouts.leaves(written.type, span):
                if not isinstance(leaf.type, PointerType):
                    value = self.ask("library", name, span, leaf.type, leaf.name)
                    at = pointer.offset + leaf.offset
                    self.memory.write_leaf(object_, at, leaf.type, value, leaf.shift, leaf.bits)
            return
        start, end = pointer.offset, pointer.offset + size
        is_sure = not written.is_row or object_.type is not None
        if not is_sure:  # how long the array is in a block of the heap is not known: all of the block, perhaps
            start, end = start % size, object_.size
        elif written.is_row:
            start, end = row_around(object_, pointer.offset, size, self.target)
        ranges = [(at + first, at + last) for at in range(start, end - size + 1, size) for first, last in numbers]
        self.memory.change(object_, ranges, function, is_sure=is_sure)

    # --- what is wrong, and what is open

    def report(self, cause: Cause, span: Span, text: str) -> None:
        """Report undefined behaviour."""
        if self._is_watched(cause, span) or cause not in self.settings.tolerated:
            raise undefined(cause, span, text)
        self.leave_open(span, text)

    def report_if_watched(self, cause: Cause, span: Span, text: str) -> None:
        """Report behaviour that C defines, but that a check is about."""
        if self._is_watched(cause, span):
            raise undefined(cause, span, text)

    def _is_watched(self, cause: Cause, span: Span) -> bool:
        settings = self.settings
        return cause in settings.watched_causes and (span.source.name, span.line) == settings.watched

    def leave_open(self, span: Span, text: str) -> None:
        if len(self._opens) < MOST_OPEN:
            self._opens[Open(span, text)] = None

    def fail(self, span: Span, text: str, *, ends: bool) -> None:
        """Report an assertion that fails."""
        here = (span.source.name, span.line)
        is_watched = here == self.settings.watched and not self.settings.watched_causes
        if ends or not self.settings.goes_on or is_watched:
            raise Stop(End.FAILED, span, text)
        self._failures.setdefault(str(span), (span, text))

    def no_result(self, name: str, span: Span, type_: CType) -> Value:
        """Note that a function ends without a result, which only matters if the caller uses it."""
        self.leave_open(span, f"{name} ends without a result")
        if not is_scalar(type_):
            return Blob(bytearray(size_of(type_, self.target) or 0), None, {})
        return self.offered("result", name, span, type_) or (NULL if isinstance(type_, PointerType) else 0)

    def check_reach(self, pointer: Pointer, span: Span) -> None:
        """Check that a pointer stays within its object, or just behind."""
        object_ = pointer.object
        if object_ is not None and not 0 <= pointer.offset <= object_.size:
            text = f"a pointer to offset {pointer.offset} of {describe(object_)}, which has {object_.size} bytes"
            self.report(Cause.BOUNDS, span, text)

    def prepare_read(self, pointer: Pointer, offset: int, size: int, type_: CType, span: Span) -> Object:
        """The object of a read. Its bytes get values if they have none."""
        object_ = self.memory.check(pointer, offset, size, span)
        at = pointer.offset + offset
        if object_.known is not None and not self.memory.is_known(object_, at, size):
            self._invent(object_, at, size, type_, span)
        return object_

    def _invent(self, object_: Object, at: int, size: int, type_: CType, span: Span) -> None:
        self.memory.settle_copies(object_, at, size)
        if self.memory.is_known(object_, at, size):
            return
        if at in object_.changed:
            self._learn_change(object_, at, size, type_, span)
            return
        value = object_.pending if size_of(type_, self.target) == object_.size else None
        if value is None:
            value = self.ask("memory", f"offset {at} of {describe(object_)}", span, type_)
        if object_.kind not in {"global", "argument"}:
            self.leave_open(span, f"offset {at} of {describe(object_)} is read before it has a value")
        self.memory.settle(object_, at, self.memory.bytes_of(value, type_))

    def _learn_change(self, object_: Object, at: int, size: int, type_: CType, span: Span) -> None:
        """Ask for a number that a function without a body may have changed, when the program reads it."""
        name, is_sure = object_.changed[at]
        text = f"offset {at} of {describe(object_)} after {name}"
        thread = self.threads.current.number
        question = Question(CHANGED, text, span, type_, is_needed=is_sure, thread=thread, offset=at)
        value = self._answer(question)
        if value is None:
            value_bytes = bytes(object_.data[at : at + size])
        else:
            self.leave_open(span, f"{name} may have changed offset {at} of {describe(object_)}: it has no body")
            value_bytes = self.memory.bytes_of(value, type_)
        self.memory.settle(object_, at, value_bytes)


def _run_straight(code: Code) -> None:
    """Run the code of an initialiser, which calls nothing."""
    registers, at = code.template.copy(), 0
    while at != SWITCH:
        at = code.instructions[at](registers)
