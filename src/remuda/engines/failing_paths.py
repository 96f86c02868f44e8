"""Finds the assertion that fails on the path of a model, and the assertions that the path reaches."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from remuda.engines.inlining import Inlining, Instance, OpenCall
    from remuda.ir.program import Check
    from remuda.smt.solver import Model
    from remuda.transforms.error_bit import ErrorBitResult


def failing_checks(inlining: Inlining, code: ErrorBitResult, entry: Instance, model: Model) -> Sequence[Check]:
    """The assertion that fails on the path; all that may fail, if the path fails inside a call that is not
    inlined."""
    for step in inlining.walk(entry, model):
        if step.kind == "visit":
            check = code.failures.get((step.instance.procedure, step.label))
            if check is not None:
                return (check,)
        elif step.call is not None and _fails(inlining, code, step.call, model):
            terms, solver = code.program.terms, inlining.solver
            return [
                check
                for check in code.below(step.call.callee)
                if model.is_true(solver.translate(terms.var(code.targets[check])))
            ]
    return ()


def reached_checks(inlining: Inlining, code: ErrorBitResult, entry: Instance, model: Model) -> list[Check]:
    """The assertions that the path passes, and the one that it fails."""
    passed = dict.fromkeys(
        check
        for step in inlining.walk(entry, model)
        if step.kind == "visit" and (check := code.passes.get((step.instance.procedure, step.label))) is not None
    )
    return list(passed | dict.fromkeys(failing_checks(inlining, code, entry, model)))


def _fails(inlining: Inlining, code: ErrorBitResult, call: OpenCall, model: Model) -> bool:
    failed = code.failed.get(call.callee)
    if failed is None:
        return False
    site = call.instance.compiled.vc.calls[call.index]
    callee = inlining.compiled(call.callee)
    output = site.outputs[callee.vc.interface.outputs.index(failed)]
    return model.is_true(call.instance.variable(output))
