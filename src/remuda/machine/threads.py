"""Threads: each has its own frames, and a schedule decides which thread runs.

Other threads may run before each access to memory and each call of the library. In between, a thread has no effects
that another one could see, so these points are enough for every interleaving.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final, Protocol, final

from remuda.frontends.c.syntax.types import PointerType
from remuda.machine.code import BLOCKS, SWITCH, Code
from remuda.machine.outcomes import End, Stop, not_modelled

if TYPE_CHECKING:
    from collections.abc import Callable

    from remuda.base.source import Span
    from remuda.frontends.c.syntax import ast
    from remuda.machine.code import Instruction, Registers
    from remuda.machine.memory import Pointer, Value
    from remuda.machine.run import Execution, Frame

RESULT: Final = 2  # the register for the result of the function that a thread runs
ATOMIC_FUNCTION: Final = "__VERIFIER_atomic_"  # a function whose name begins like this is one step


class Schedule(Protocol):
    """Decides which thread runs. Threads are numbered from 1, in the order of their creation."""

    def begin(self) -> None:
        """Begin a new execution."""
        ...

    def next(self, threads: Threads, span: Span, *, enters: bool) -> int:
        """The thread that runs next, when the current one has come to `span`. `enters`: the current thread is about
        to enter a section in which it cannot be interrupted."""
        ...

    def passed(self, thread: int, span: Span) -> None:
        """Note that a thread executes the instruction at `span`."""
        ...

    def after(self, threads: Threads) -> int:
        """The thread that runs next, when the current one waits or has ended."""
        ...


@final
class Wait(Exception):
    """Raised by a function of the library that waits until a condition holds. It is called again then."""

    def __init__(self, span: Span, until: Callable[[], bool]) -> None:
        self.span = span
        self.until = until
        super().__init__(f"waits at {span}")


@final
class Elsewhere(Exception):
    """Raised by a function of the library that does not return: the execution continues elsewhere."""


@final
@dataclass(slots=True, eq=False)
class Thread:
    """A thread. `at` is where it continues: the code, the registers and the instruction. While it waits, `until` is
    the condition. `sections` are the numbers of frames below the atomic functions that it is in; `phases` is the
    state of library functions that have waited."""

    number: int
    at: tuple[Code, Registers, int]
    frames: list[Frame] = field(default_factory=list)
    sections: list[int] = field(default_factory=list)
    in_section: bool = False
    until: Callable[[], bool] | None = None
    has_ended: bool = False
    result: Value | None = None
    phases: dict[str, Any] = field(default_factory=dict)
    own: dict[ast.Variable, Pointer] = field(default_factory=dict)

    @property
    def is_atomic(self) -> bool:
        return self.in_section or bool(self.sections)

    @property
    def is_ready(self) -> bool:
        return not self.has_ended and (self.until is None or self.until())


@final
class Threads:
    """The threads of an execution."""

    def __init__(self, execution: Execution) -> None:
        self._execution = execution
        self.all: list[Thread] = []
        self.current = Thread(1, (Code("nothing"), [], 0))

    def begin(self, at: tuple[Code, Registers, int]) -> None:
        """Begin an execution with one thread."""
        self.current = Thread(1, at)
        self.all = [self.current]
        self._execution.resume(self.current)
        if self._execution.schedule is not None:
            self._execution.schedule.begin()

    def ready(self) -> list[int]:
        return [thread.number for thread in self.all if thread.is_ready]

    def numbered(self, number: object) -> Thread | None:
        """The thread with a number, if there is one."""
        return self.all[number - 1] if isinstance(number, int) and 1 <= number <= len(self.all) else None

    # --- turns

    def point(self, code: Code, span: Span, here: int, *, enters: bool = False) -> Instruction:
        """An instruction at which other threads may run; the schedule is asked again when the thread is back."""

        def step(registers: Registers) -> int:
            thread, schedule = self.current, self._execution.schedule
            assert schedule is not None
            if not thread.is_atomic:
                number = schedule.next(self, span, enters=enters)
                if number != thread.number:
                    thread.at = (code, registers, here)
                    return self._switch(number, span)
            schedule.passed(thread.number, span)
            return here + 1

        return step

    def wait(self, code: Code, registers: Registers, here: int, wait: Wait) -> int:
        """Let the current thread wait; it executes the instruction again afterwards."""
        thread = self.current
        thread.at, thread.until = (code, registers, here), wait.until
        if thread.is_atomic and not wait.until():
            raise Stop(End.ASSUMED, wait.span, "a thread waits where no other may run")
        if not self.ready():
            raise Stop(End.EXITED, wait.span, "all threads wait for each other")
        schedule = self._execution.schedule
        is_free = schedule is not None and not thread.is_atomic
        number = schedule.after(self) if schedule is not None and is_free else thread.number
        return self._switch(number, wait.span)

    def _switch(self, number: int, span: Span | None) -> int:
        thread = self.all[number - 1] if number <= len(self.all) else None
        if thread is None or not thread.is_ready:
            state = "does not exist" if thread is None else "has ended" if thread.has_ended else "waits"
            raise Stop(End.NOT_MODELLED, span, f"the schedule could not be followed: thread {number} {state}")
        thread.until = None
        self.current = thread
        self._execution.resume(thread)
        return SWITCH

    # --- beginning and end

    def create(self, function: ast.Function, argument: Value, span: Span) -> int:
        """Create a thread, which runs when the schedule chooses it. The result is its number."""
        if self._execution.schedule is None:
            raise not_modelled(span, "a thread")
        if function.body is None or len(function.parameters) > 1:
            raise not_modelled(span, f"a thread that runs {function.name}")
        if any(not isinstance(parameter.type, PointerType) for parameter in function.parameters):
            raise not_modelled(span, f"a thread that runs {function.name}, which takes no pointer,")
        given = [argument] if function.parameters else []
        start = Code(f"thread of {function.name}", template=[None, None, None])
        execution, steps = self._execution, start.instructions
        if is_atomic_function(function):
            steps.append(self.point(start, span, 0, enters=True))
        following = len(steps) + 1

        def call(registers: Registers) -> int:
            execution.enter(function, given, [], start, registers, following, RESULT, span)
            return SWITCH

        def end(registers: Registers) -> int:
            return self.end(registers[RESULT], span)

        steps += [call, self.point(start, function.span, following), end]
        self.all.append(Thread(len(self.all) + 1, (start, start.template, 0)))
        return len(self.all)

    def exit(self, result: Value | None, span: Span) -> None:
        """End the current thread, in whatever function it is."""
        code, registers, following = self._execution.leave_all_frames()
        if self.current.number == 1:
            self.end(result, span)
        else:
            registers[RESULT] = result
            self.current.at = (code, registers, following)
            self._execution.resume(self.current)
        raise Elsewhere

    def end(self, result: Value | None, span: Span) -> int:
        """Continue after the end of the current thread. The program ends with its last thread."""
        thread, schedule = self.current, self._execution.schedule
        thread.has_ended, thread.result, thread.in_section = True, result, False
        thread.sections.clear()
        if schedule is None or all(each.has_ended for each in self.all):
            self._execution.exit(0, None)
            return SWITCH
        if not self.ready():
            raise Stop(End.EXITED, span, "all threads wait for each other")
        assert schedule is not None
        return self._switch(schedule.after(self), span)


def is_atomic_function(function: ast.Function) -> bool:
    """Whether a call of the function is one step."""
    return function.name.startswith(ATOMIC_FUNCTION)


def kill_objects(execution: Execution, code: Code, registers: Registers) -> None:
    """End the lifetimes of a frame's local objects."""
    for slot in code.objects:
        pointer = registers[slot]
        if pointer is not None:
            execution.memory.kill(pointer.object)
    for object_ in registers[BLOCKS] or ():
        execution.memory.kill(object_)
