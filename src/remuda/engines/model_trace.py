"""The execution that a model describes, as events of a trace."""

from __future__ import annotations

from typing import TYPE_CHECKING

from remuda.ir.trace import Choose, Enter, Event, Leave, Visit

if TYPE_CHECKING:
    from collections.abc import Sequence

    from remuda.engines.inlining import Instance, Step
    from remuda.smt.solver import Model
    from remuda.terms.symbols import Variable
    from remuda.terms.values import Value


def event_of(step: Step, model: Model) -> Event | None:
    """The event of a step; None if the path goes through a call that is not inlined."""
    instance = step.instance
    match step.kind:
        case "enter":
            procedure = instance.compiled.vc.procedure
            own = (*procedure.outputs, *procedure.locals)
            return Enter(procedure.name, values_of(instance, own, own, model))
        case "visit":
            return Visit(step.label)
        case "leave":
            return Leave()
        case "choose" if step.choice is not None:
            return Choose(values_of(instance, step.choice.variables, step.choice.incarnations, model))
        case _:
            return None


def values_of(
    instance: Instance, variables: Sequence[Variable], incarnations: Sequence[Variable], model: Model
) -> dict[Variable, Value]:
    return {
        variable: model.value(instance.variable(incarnation), variable.type)
        for variable, incarnation in zip(variables, incarnations, strict=True)
    }
