"""Decides whether a failing execution depends on values that were only guessed.

A model of a library function may return any value where the real function computes one. An execution that fails
because of such a value is not an execution of the real program. So this module tracks guessed values through the
steps of a replay: through assignments, elements of maps, arguments and results. The failure depends on a guess if the
assertion, or a condition on the path to it, reads one.

r := input (guessed: sleep)    r2 := r + 1    assume r2 > 3 (reads a guess)    assert false (depends on sleep)
"""

from __future__ import annotations

from typing import TYPE_CHECKING, final

from remuda.ir.program import Assign, Call
from remuda.terms.symbols import VariableKind
from remuda.terms.term import postorder
from remuda.terms.types import MapType

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from remuda.base.source import Span
    from remuda.ir.program import Program
    from remuda.replay.interpreter import Replay
    from remuda.replay.steps import Reading, Step
    from remuda.terms.symbols import Variable
    from remuda.terms.term import Term
    from remuda.terms.values import Value

Key = tuple["Variable", int]  # a variable, and the activation that it belongs to (0: it is global)
Path = tuple[tuple["Value", ...], ...]


def guess_behind(replay: Replay, program: Program, guesses: Mapping[Span, str]) -> str:
    """The guess that the failure depends on, or "" if there is none. `guesses` has the guesses by their positions."""
    if not any(step.kind == "havoc" and step.span in guesses for step in replay.steps):
        return ""
    return _Dependence(program, guesses).of(replay.steps)


@final
class _Dependence:
    """The values that depend on guesses at a step of the replay."""

    def __init__(self, program: Program, guesses: Mapping[Span, str]) -> None:
        self._program = program
        self._guesses = guesses
        self._whole: dict[Key, str] = {}  # scalars, and maps any element of which may depend on a guess
        self._parts: dict[Key, dict[Path, str]] = {}  # elements of maps
        self._activations: dict[tuple[int, int], int] = {}  # by thread and depth
        self._entered = 0
        self._passed: list[str] = []  # the guess behind each argument of the next call
        self._threads: list[list[str]] = []  # the same for the threads, in the order in which they are started

    def of(self, steps: Iterable[Step]) -> str:
        """The guess that the assertion (the last step) reads, or else the first condition on the path to it."""
        first = last = ""
        for step in steps:
            last = self._step(step)
            first = first or last
        return last or first

    def _step(self, step: Step) -> str:
        match step.kind:
            case "havoc":
                guess = self._guesses.get(step.span, "")
                for reading in step.sets:
                    self._mark(self._key(reading.variable, step), reading.path, guess)
            case "assign":
                self._assign(step)
            case "call":
                self._call(step)
            case "enter":
                self._enter(step)
            case "leave":
                self._leave(step)
            case "start" if step.thread > 1:
                self._passed = self._threads[step.thread - 2]
            case "assert":
                return self._read(step)
            case "assume" if step.branch or step.span not in self._guesses:  # others say what can be guessed
                return self._read(step)
            case _:
                pass
        return ""

    # --- what is read

    def _key(self, variable: Variable, step: Step, below: int = 0) -> Key:
        if variable.kind is VariableKind.GLOBAL:
            return variable, 0
        return variable, self._activations.get((step.thread, step.depth + below), 0)

    def _read(self, step: Step) -> str:
        """A guess among what a step reads."""
        return next(filter(None, (self._of_reading(reading, step) for reading in step.reads)), "")

    def _of_reading(self, reading: Reading, step: Step) -> str:
        key = self._key(reading.variable, step)
        return self._whole.get(key, "") or self._parts.get(key, {}).get(reading.path, "")

    def _of_term(self, term: Term, step: Step) -> str:
        """A guess among all that a term may read."""
        for part in postorder([term]):
            if part.op == "var":
                key = self._key(part.payload, step)
                found = self._whole.get(key) or next(iter(self._parts.get(key, {}).values()), "")
                if found:
                    return found
        return ""

    # --- what is set

    def _mark(self, key: Key, path: Path, guess: str) -> None:
        if path:
            parts = self._parts.setdefault(key, {})
            parts[path] = guess
            if not guess:
                del parts[path]
        elif guess:
            self._whole[key] = guess
        else:
            self._whole.pop(key, None)

    def _assign(self, step: Step) -> None:
        assert isinstance(step.statement, Assign)
        guess = self._read(step)
        for target, term in zip(step.statement.targets, step.statement.values, strict=True):
            key = self._key(target, step)
            if not isinstance(target.type, MapType):
                self._mark(key, (), guess)
            elif _is_changed_in_place(target, term):
                for reading in step.sets:
                    if reading.variable is target:
                        self._mark(key, reading.path, guess)
            else:
                self._mark(key, (), guess or self._of_term(term, step))

    def _call(self, step: Step) -> None:
        assert isinstance(step.statement, Call)
        is_read = bool(self._read(step))  # an argument may name a guess that its value does not need
        passed = [self._of_term(argument, step) if is_read else "" for argument in step.statement.arguments]
        if step.statement.is_async:
            self._threads.append(passed)
        self._passed = passed
        for reading in step.sets:  # by a procedure without a body
            self._mark(self._key(reading.variable, step), reading.path, "")

    def _enter(self, step: Step) -> None:
        self._entered += 1
        self._activations[step.thread, step.depth] = self._entered
        inputs = self._program.procedures[step.procedure].inputs
        for variable, guess in zip(inputs, self._passed, strict=False):  # an entry is passed nothing
            self._mark(self._key(variable, step), (), guess)
        self._passed = []

    def _leave(self, step: Step) -> None:
        """Pass the results of a call to the caller, whose step this is."""
        assert isinstance(step.statement, Call)
        outputs = self._program.procedures[step.statement.procedure].outputs
        for output, result in zip(outputs, step.statement.results, strict=True):
            guess = self._whole.get(self._key(output, step, 1), "")
            self._mark(self._key(result, step), (), guess)


def _is_changed_in_place(target: Variable, term: Term) -> bool:
    """Whether an assignment of a map stores elements into it, and leaves the others as they are."""
    while term.op == "store":
        term = term.args[0]
    return term.op == "var" and term.payload is target
