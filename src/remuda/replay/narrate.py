"""Describes a replayed execution as readable steps.

call    Push(x = 3)
assign  m[i] := v;        m[4] = 3
branch  assume n > 0;     n = 1
fail    assert top == 0;  top = 1
"""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, Final

from remuda.ir.edit import terms_of
from remuda.ir.program import Assert, Assume, Call, attribute
from remuda.replay.show import place_text, reading_text, value_text
from remuda.results.report import Location, TraceStep
from remuda.terms.term import postorder

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from collections.abc import Set as AbstractSet

    from remuda.base.source import Span
    from remuda.ir.program import Program, Statement
    from remuda.replay.interpreter import Replay
    from remuda.replay.steps import Reading, Step
    from remuda.terms.symbols import Variable
    from remuda.terms.types import Type
    from remuda.terms.values import Value

TEXT_LIMIT: Final = 240
RECORD_PREFIX: Final = "boogie_si_record_"
# The names of variables that Remuda makes for threads, which steps do not show.
AROUND_THREADS: Final = ("$thread", "$fork")
THREAD_NAMES: Final = ("name$", "thread$")
NO_THREADS: Final = "none$"

Values = tuple[tuple[str, str], ...]
NONE: Final[Mapping[Variable, Value]] = MappingProxyType({})


def narrate(replay: Replay, program: Program, constants: Mapping[Variable, Value] = NONE) -> tuple[TraceStep, ...]:
    """The steps of the execution, without empty ones. `constants` are the values of the program's constants."""
    story: list[TraceStep] = []
    used = _used_constants(replay.steps, constants)
    read = {reading.variable for step in replay.steps for reading in step.reads}
    last = len(replay.steps) - 1
    for position, step in enumerate(replay.steps):
        if step.printed:
            story.append(_tell(step, "print", _printed_values(step)))
        if replay.ok and position == last:
            story.append(_tell(step, "fail", _texts(step.reads)))
            continue
        told = _narrate_start(step, read, used) if step.kind == "start" else _narrate_step(step, program)
        if told is not None:
            story.append(told)
    return tuple(story)


def _narrate_start(step: Step, read: AbstractSet[Variable], constants: Values) -> TraceStep:
    """The first values of the variables that the execution reads (it reads few of a program's globals), or the
    arguments of a new thread."""
    if step.thread != 1:
        text = f"thread {step.thread} starts in {_given_name(step.procedure)}"
        values = _texts(_visible(step.sets))
        return TraceStep("start", 0, step.procedure, location_of(step.span), text, values, step.thread)
    values = _texts(reading for reading in _visible(step.sets) if reading.variable in read)
    text = f"execution starts in {step.procedure}"
    return TraceStep("start", 0, step.procedure, location_of(step.span), text, (*values, *constants))


def _used_constants(steps: Sequence[Step], constants: Mapping[Variable, Value]) -> Values:
    """The constants in statements that were executed; those of the last, which fails, come first."""
    if not constants:
        return ()
    statements = dict.fromkeys(id(step.statement) for step in reversed(steps))
    by_identity = {id(step.statement): step.statement for step in steps}
    last, *others = statements
    executed = [by_identity[one] for one in (last, *reversed(others))]
    roots = [term for statement in executed if statement is not None for term in terms_of(statement)]
    used = dict.fromkeys(term.payload for term in postorder(roots) if term.op == "var")
    return tuple(
        (constant.name, value_text(constants[constant], constant.type))
        for constant in used
        if constant in constants and not constant.name.startswith(NO_THREADS)
    )


def _narrate_step(step: Step, program: Program) -> TraceStep | None:
    match step.kind:
        case "assign":
            return _narrate_change(step, "assign", _elements_read(step))
        case "havoc":
            return _narrate_change(step, "havoc", ())
        case "assume":
            return _narrate_assumption(step)
        case "call":
            return _narrate_call(step, program)
        case "leave":
            return _tell(step, "return", _texts(_visible(step.sets)))
        case _:
            return None  # the call shows the same as `enter`; an assertion that holds and a yield change nothing


def _narrate_change(step: Step, kind: str, reads: Sequence[Reading]) -> TraceStep | None:
    sets = _visible(step.sets)
    if not sets:
        return None
    return _tell(step, kind, _texts((*sets, *reads)))


def _narrate_assumption(step: Step) -> TraceStep | None:
    assert isinstance(step.statement, Assume)
    reads = _visible(step.reads)
    if not reads or step.statement.condition.op == "bool":
        return None
    return _tell(step, "branch" if step.branch else "assume", _texts(reads))


def _narrate_call(step: Step, program: Program) -> TraceStep | None:
    assert isinstance(step.statement, Call)
    call = step.statement
    if call.span.start == call.span.end:
        return None  # it is not in the source
    callee = program.procedures[call.procedure]
    if callee.blocks is None and call.procedure.startswith(RECORD_PREFIX):
        names = _recorded_names(call, callee.inputs)
        return _tell(step, "record", _pairs(names, step.arguments, [each.type for each in callee.inputs]))
    inputs = callee.inputs
    arguments = tuple(
        pair
        for pair in _pairs([each.name for each in inputs], step.arguments, [each.type for each in inputs])
        if not pair[0].startswith(THREAD_NAMES)
    )
    return _tell(step, "call", _unique((*arguments, *_texts(_visible(step.sets)))))


def _recorded_names(call: Call, parameters: Sequence[Variable]) -> list[str]:
    """The names of recorded values: `{:cexpr "text"}` has the first one; otherwise, it is the variable passed."""
    names = [
        argument.payload.name if argument.op == "var" else parameter.name
        for argument, parameter in zip(call.arguments, parameters, strict=True)
    ]
    expression = attribute(call.attributes, "cexpr")
    if names and expression is not None and isinstance(next(iter(expression.arguments), None), str):
        names[0] = str(expression.arguments[0])
    return names


def _printed_values(step: Step) -> Values:
    """`{:print "x is", x}`: each text with the value after it; a value without a text is named by its term."""
    found = attribute(step.statement.attributes, "print") if step.statement else None
    assert found is not None
    pairs: list[tuple[str, str]] = []
    label = ""
    for argument, value in zip(found.arguments, step.printed, strict=True):
        if isinstance(argument, str):
            if label:
                pairs.append((label, ""))
            label = argument
            continue
        name = label or (argument.payload.name if argument.op == "var" else "value")
        pairs.append((name, "not evaluable" if value is None else value_text(value, argument.type)))
        label = ""
    if label:
        pairs.append((label, ""))
    return tuple(pairs)


# --- parts of a step


def _tell(step: Step, kind: str, values: Values) -> TraceStep:
    span = step.statement.span if step.statement is not None else step.span
    text = statement_text(step.statement, span)
    if step.negated:
        text = f"!({text})"
    return TraceStep(kind, step.depth, step.procedure, location_of(span), text, values, step.thread)


def location_of(span: Span) -> Location:
    line, column = span.source.position(span.start)
    return Location(span.source.name, line, column)


def statement_text(statement: Statement | None, span: Span) -> str:
    """The source text on one line, cut where it gets long."""
    raw = span.source.text[span.start : min(span.end, span.start + 8 * TEXT_LIMIT)]
    text = "on entry" if raw.startswith("{") else " ".join(raw.split())  # a body stands for actions before it
    if isinstance(statement, Assert) and (not text or statement.check.kind == "reach-end"):
        text = statement.check.description  # its position is that of the procedure's name
    return text if len(text) <= TEXT_LIMIT else f"{text[: TEXT_LIMIT - 3]}..."


def _visible(readings: Iterable[Reading]) -> tuple[Reading, ...]:
    """Without the variables that Remuda made, which have a `$` inside their names."""
    return tuple(reading for reading in readings if "$" not in reading.variable.name[1:])


def _given_name(procedure: str) -> str:
    """The user's name of a procedure that Remuda has wrapped for a thread."""
    name = procedure
    for suffix in AROUND_THREADS:
        name = name.removesuffix(suffix)
    return name


def _elements_read(step: Step) -> tuple[Reading, ...]:
    """The map elements that an assignment reads; plain variables were shown when they were set.

    Elements that the assignment also sets are left out, because they have another value after it.
    """
    changed = {place_text(reading) for reading in step.sets}
    reads = _visible(reading for reading in step.reads if reading.path)
    return tuple(reading for reading in reads if place_text(reading) not in changed)


def _texts(readings: Iterable[Reading]) -> Values:
    return _unique(reading_text(reading) for reading in readings)


def _unique(pairs: Iterable[tuple[str, str]]) -> Values:
    return tuple(dict.fromkeys(pairs))


def _pairs(names: Sequence[str], values: Sequence[Value], types: Sequence[Type]) -> Values:
    return tuple((name, value_text(value, type_)) for name, value, type_ in zip(names, values, types, strict=True))
