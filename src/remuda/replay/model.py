"""The evaluator for a trace: the model, completed where the program determines values that the model lacks."""

from __future__ import annotations

from itertools import count
from typing import TYPE_CHECKING

from remuda.ir.trace import Choose, Enter
from remuda.replay.domains import Domains
from remuda.replay.evaluate import Evaluator
from remuda.terms.symbols import VariableKind
from remuda.terms.term import postorder
from remuda.terms.types import NamedType, Type
from remuda.terms.values import DataValue, Element, Interpretation, MapValue, Value

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from remuda.ir.program import Axiom, Program
    from remuda.ir.trace import Trace
    from remuda.replay.evaluate import Definition
    from remuda.terms.symbols import Function, Variable
    from remuda.terms.term import Term


def evaluator_for(program: Program, trace: Trace) -> Evaluator:
    """An evaluator in which uninterpreted types consist of the elements that the trace mentions."""
    interpretation = Interpretation(
        dict(trace.interpretation.constants),
        trace.interpretation.functions,
        trace.interpretation.division_by_zero,
    )
    complete_unique_constants(program, interpretation, Domains(program.datatypes))
    mentioned: dict[Type, list[int]] = {type_: [] for type_ in program.types}
    for element in _elements(_all_values(interpretation, trace)):
        mentioned.setdefault(element.type, []).append(element.index)
    universe = {
        type_: [Element(type_, index) for index in sorted(indices) or [0]] for type_, indices in mentioned.items()
    }
    definitions = {function: definition for function, (_, definition) in definitions_of(program).items()}
    return Evaluator(interpretation, Domains(program.datatypes, universe), definitions=definitions)


def definitions_of(program: Program) -> dict[Function, tuple[Axiom, Definition]]:
    """Functions that an axiom `(forall x :: f(x) == body)` defines, with that axiom.

    A model of quantified axioms is often right only at the instances that the solver has considered. With the axiom
    as the function's body, the axiom is true everywhere; the other axioms are still checked.
    """
    found: dict[Function, tuple[Axiom, Definition]] = {}
    for axiom in program.axioms:
        for function, definition in _readings_as_definition(axiom.term):
            if function not in found and function.body is None and function.builtin is None:
                found[function] = (axiom, definition)
                break
    return found


def _readings_as_definition(term: Term) -> Iterator[tuple[Function, Definition]]:
    if term.op != "forall" or term.args[0].op != "eq":
        return
    variables = term.payload.variables
    left, right = term.args[0].args
    for head, body in ((left, right), (right, left)):
        if head.op != "apply" or any(argument.op != "var" for argument in head.args):
            continue
        parameters = tuple(argument.payload for argument in head.args)
        is_pattern = len(parameters) == len(variables) and all(each in parameters for each in variables)
        if is_pattern and not any(part.op == "apply" and part.payload is head.payload for part in postorder([body])):
            yield head.payload, (parameters, body)


def complete_unique_constants(program: Program, interpretation: Interpretation, domains: Domains) -> None:
    """Give unique constants without a value one that no other constant of their type has."""
    constants = interpretation.constants
    for constant in program.unique_constants:
        if constant not in constants:
            taken = [value for other, value in constants.items() if other.type == constant.type]
            constants[constant] = _fresh(constant, taken, domains)


def open_symbols(term: Term, interpretation: Interpretation) -> list[str]:
    """The names of the constants and functions below the term that the model gives no value to."""
    found: dict[str, None] = {}
    expanded: dict[Function, None] = {}
    work = [term]
    while work:
        for part in postorder([work.pop()]):
            symbol = part.payload
            if part.op == "var" and symbol.kind is VariableKind.CONSTANT and symbol not in interpretation.constants:
                found[symbol.name] = None
            if part.op != "apply" or symbol in expanded:
                continue
            expanded[symbol] = None
            if symbol.body is not None:
                work.append(symbol.body)
            elif symbol not in interpretation.functions:
                found[symbol.name] = None
    return list(found)


def _fresh(constant: Variable, taken: list[Value], domains: Domains) -> Value:
    if isinstance(constant.type, NamedType):
        return next(each for each in (Element(constant.type, index) for index in count()) if each not in taken)
    default = domains.default(constant.type)
    if isinstance(default, int) and not isinstance(default, bool):
        return next(number for number in count() if number not in taken)
    return default


def _all_values(interpretation: Interpretation, trace: Trace) -> Iterator[Value]:
    yield from interpretation.constants.values()
    for table in interpretation.functions.values():
        yield table.default
        for arguments, value in table.entries.items():
            yield from arguments
            yield value
    yield from trace.initial.values()
    for event in trace.events:
        if isinstance(event, Enter | Choose):
            yield from event.values.values()


def _elements(values: Iterable[Value]) -> dict[Element, None]:
    """The elements of uninterpreted types inside the values."""
    found: dict[Element, None] = {}
    seen: set[int] = set()  # of objects that `values` keeps alive: solvers share large maps between events
    work = list(values)
    while work:
        value = work.pop()
        if isinstance(value, Element):
            found[value] = None
        elif isinstance(value, DataValue):
            work.extend(value.fields)
        elif isinstance(value, MapValue) and id(value) not in seen:
            seen.add(id(value))
            work.append(value.default)
            for index, element in value.entries.items():
                work.extend((*index, element))
    return found
