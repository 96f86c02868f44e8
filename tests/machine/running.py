"""Shortcuts for the tests of the machine: run C programs on it, and with gcc."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, final

from remuda.base.source import Source
from remuda.frontends.c.clang.parse import ParseOptions, parse_program
from remuda.frontends.c.syntax.types import LP64, Machine
from remuda.machine.outcomes import Cause, End
from remuda.machine.run import Execution
from remuda.machine.settings import Settings
from tests.frontends.c.gcc import FOR_GCC, MACROS, MAIN, compile_and_run

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from remuda.machine.outcomes import ExecutionOutcome
    from remuda.machine.settings import Question
    from tests.frontends.c.gcc import Machine as GccMachine
    from tests.frontends.c.random_c import Computation

UNDEFINED: Final = "undefined"
FOR_MACHINE: Final = """\
int printf(const char *, ...);
unsigned __VERIFIER_nondet_uint(void);
void *malloc(__SIZE_TYPE__), *calloc(__SIZE_TYPE__, __SIZE_TYPE__), free(void *);
void *memcpy(void *, const void *, __SIZE_TYPE__), *memset(void *, int, __SIZE_TYPE__);
static unsigned inputs;
#define INPUT(type, name, number, one, other) type name = inputs >> number & 1 ? (type)(other) : (type)(one)
"""


@final
class Given:
    """Answers calls from a list, and then with zeros; output has the length that it has."""

    def __init__(self, *numbers: int | float) -> None:
        self._numbers = list(numbers)

    def answer(self, question: Question) -> int | float | None:
        if question.kind != "call":
            return 0 if question.is_needed else None
        return self._numbers.pop(0) if self._numbers else 0


def run(text: str, *numbers: float, settings: Settings | None = None, machine: Machine = LP64) -> ExecutionOutcome:
    return execution(text, *numbers, settings=settings, machine=machine).run()


def execution(text: str, *numbers: float, settings: Settings | None = None, machine: Machine = LP64) -> Execution:
    unit = parse_program([Source("program.c", text)], ParseOptions(machine=machine))
    return Execution(unit, settings or Settings(volatile_is_input=False), Given(*numbers))


def on_machine(computation: Computation, machine: Machine, tolerated: frozenset[Cause] = frozenset()) -> list[str]:
    """The result of a computation for each choice of its inputs: a number, or `undefined`, or why it did not run."""
    text = FOR_MACHINE + MACROS + computation.text
    text += (
        f'int main(void) {{ inputs = __VERIFIER_nondet_uint(); printf("%llu", {computation.name}()); return 0; }}\n'
    )
    settings = Settings(volatile_is_input=False, most_steps=1_000_000, tolerated=tolerated)
    running = execution(text, settings=settings, machine=machine)
    words = []
    for inputs in range(1 << computation.inputs):
        running.inputs = Given(inputs)
        words.append(result_of(running))
    return words


def result_of(running: Execution) -> str:
    """The output of a program, or `undefined`, or its other end."""
    outcome = running.run()
    if outcome.end is End.UNDEFINED:
        return UNDEFINED
    return b"".join(running.output).decode().strip() if outcome.end is End.EXITED else str(outcome)


def with_gcc(computations: Sequence[Computation], folder: Path, machine: GccMachine) -> list[list[str]]:
    """The same results as gcc gives them."""
    calls = "".join(f"  tell({each.name}, {each.inputs});\n" for each in computations)
    text = FOR_GCC + MACROS + "".join(each.text for each in computations) + MAIN + calls + "  return 0;\n}\n"
    return [line.split() for line in compile_and_run(text, folder, machine).splitlines()]
