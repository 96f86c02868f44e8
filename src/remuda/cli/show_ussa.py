"""Writes unwound sequences of guarded instructions as text, for `remuda show ussa`.

    (1)  true                        -> x_1 := any value
    (2)  true                        -> y_1 := any value
    (3)  y_1 <= x_1 && 0 <= y_1      -> assert 0 <= x_1
    (4)  y_1 <= x_1 && 0 <= y_1      -> z_1 := x_1 + y_1
    (5)  y_1 <= x_1                  -> z_2 := phi(z_1, z_0, 0 <= y_1)

This is the form of Fig. 1b of *Symbolic Detection of Assertion Dependencies for Bounded Model Checking*. The value of
a variable at the start has number 0; others are numbered in the order of the text. Constants of the program have no
number.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Final, assert_never, final

from remuda.ir.names import Names
from remuda.ir.program import Call
from remuda.ir.term_text import SourceNaming, boogie_text
from remuda.terms.symbols import VariableKind
from remuda.terms.types import BOOL
from remuda.vc.ussa import Kind

if TYPE_CHECKING:
    from remuda.base.source import Span
    from remuda.implications.comparison import Sequences
    from remuda.ir.program import Program
    from remuda.terms.symbols import Variable
    from remuda.terms.term import Term
    from remuda.vc.ussa import Guard, Step, Ussa

WIDEST_GUARD: Final = 48  # the widest aligned guard; longer ones shift the rest of their line
LOOSE: Final = frozenset({"or", "implies"})  # operators that need parentheses in `&&`


def sequences_text(program: Program, given: Sequences) -> str:
    """The text of all sequences, each under a line with its name."""
    parts = []
    for ussa in given.ussas:
        extent = f" up to bound {given.bound}" if given.bound is not None else ""
        kind = "entry" if given.is_whole else "procedure"
        parts.append(f"{kind} {ussa.procedure}{extent}\n{ussa_text(program, ussa)}")
    parts += [f"note: {note}\n" for note in given.notes]
    return "\n".join(parts) if parts else "no assertions\n"


def ussa_text(program: Program, ussa: Ussa) -> str:
    """The text of a sequence, with one line for each step."""
    writer = _Writer(program)
    lines = [(writer.guard(step.guard), writer.instruction(step)) for step in ussa.steps]
    if not lines:
        return "no steps\n"
    width = max(len(guard) if len(guard) <= WIDEST_GUARD else 0 for guard, _ in lines)
    margin = len(f"({len(lines)})")
    return "".join(
        f"{f'({number})':>{margin}}  {guard:<{width}} -> {instruction}\n"
        for number, (guard, instruction) in enumerate(lines, 1)
    )


@final
class IncarnationNaming(SourceNaming):
    """Names with numbers: x_0 for the value of `x` at the start, then x_1, x_2, ... in the order of their first
    use."""

    def __init__(self, constants: Iterator[Variable]) -> None:
        self._of: dict[Variable, str] = {each: each.name for each in constants}
        self._taken = set(self._of.values())
        self._next: dict[str, int] = {}

    def variable(self, variable: Variable) -> str:
        if variable not in self._of:
            self._of[variable] = self._number(variable)
        return self._of[variable]

    def inner_scope(self) -> Names:
        return Names()

    def _number(self, variable: Variable) -> str:
        name = variable.name
        at_start = f"{name}_0"
        if variable.kind is not VariableKind.CONSTANT and at_start not in self._taken:
            self._taken.add(at_start)
            return at_start
        number = self._next.get(name, 1)
        while f"{name}_{number}" in self._taken:  # a constant has this name, or two variables share a name
            number += 1
        self._next[name] = number + 1
        self._taken.add(f"{name}_{number}")
        return f"{name}_{number}"


@final
class _Writer:
    """Writes the steps of one sequence, in their order."""

    def __init__(self, program: Program) -> None:
        self._naming = IncarnationNaming(iter((*program.constants, *program.unique_constants)))
        self._guards: dict[Guard, str] = {}
        self._calls = _calls_by_span(program)

    def guard(self, guard: Guard | None) -> str:
        """The text of a guard. Outer guards are written first, so each one is written once."""
        chain: list[Guard] = []
        while guard is not None and guard not in self._guards:
            chain.append(guard)
            guard = guard.outer
        text = "true" if guard is None else self._guards[guard]
        for each in reversed(chain):
            condition = self._condition(each.condition)
            text = self._guards[each] = condition if each.outer is None else f"{text} && {condition}"
        return text

    def _condition(self, condition: Term) -> str:
        """The text of a condition in a conjunction."""
        is_loose = condition.op in LOOSE or (condition.op == "eq" and condition.args[0].type == BOOL)
        return f"({self._text(condition)})" if is_loose else self._text(condition)

    def instruction(self, step: Step) -> str:
        match step.kind:
            case Kind.ASSUME | Kind.ASSERT:
                assert step.term is not None
                return f"{step.kind.value} {self._text(step.term)}"
            case Kind.ASSIGN | Kind.PHI:
                assert step.term is not None
                value = self._text(step.term) if step.kind is Kind.ASSIGN else self._phi(step.term)
                return self._assignment(step, value)
            case Kind.ARBITRARY:
                return self._assignment(step, "any value")
            case Kind.OPAQUE if step.target is None:
                return f"{self._doing(step.span)} may not end"
            case Kind.OPAQUE:
                return self._assignment(step, f"any value, by {self._doing(step.span)}")
            case _:
                assert_never(step.kind)

    def _assignment(self, step: Step, value: str) -> str:
        assert step.target is not None
        return f"{self._naming.variable(step.target)} := {value}"

    def _phi(self, term: Term) -> str:
        """The text of a choice between values: nested if there are more than two."""
        before: list[str] = []
        after: list[str] = []
        while term.op == "ite":
            condition, value, term = term.args
            before.append(f"phi({self._text(value)}, ")
            after.append(f", {self._text(condition)})")
        return "".join((*before, self._text(term), *reversed(after)))

    def _doing(self, span: Span) -> str:
        callee = self._calls.get(span)
        where = f"line {span.line}"
        return f"the loop at {where}" if callee is None else f"the call of {callee} at {where}"

    def _text(self, term: Term) -> str:
        return boogie_text(term, self._naming)


def _calls_by_span(program: Program) -> Mapping[Span, str]:
    return {
        statement.span: statement.procedure
        for procedure in program.procedures.values()
        for block in procedure.blocks or ()
        for statement in block.statements
        if isinstance(statement, Call)
    }
