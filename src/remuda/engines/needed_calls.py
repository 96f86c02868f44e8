"""Finds the inlined calls that a proof needs.

A search inlines all calls on abstract counterexamples, even irrelevant ones. With a guard for each inlined call, the
unsatisfiable core of one more query names the relevant ones. The others are left open, and a last query without
guards checks that this is a proof. Such a proof depends on fewer procedures, so fewer edits invalidate it.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import replace
from typing import TYPE_CHECKING

from remuda.smt.solver import Unsat

if TYPE_CHECKING:
    from remuda.engines.inlining import Inlining, Instance
    from remuda.engines.outcome import Ground
    from remuda.ir.program import Check


def with_needed_calls(
    ground: Ground, checks: Collection[Check], load: Callable[[], Inlining], seconds: float
) -> Ground:
    """A smaller ground for a proof that these assertions do not fail, or are not reached; the ground itself if the
    time is too short. `load` loads the program into a new solver."""
    guarded = load()
    guarded.guards = {}
    entry = _begin(guarded, ground, checks)
    guarded.regrow_named(entry, ground.shape, lambda _: True)
    answer = guarded.solver.check(tuple(guarded.guards), seconds * 2 / 3)
    if not isinstance(answer, Unsat):
        return ground
    core = set(answer.core)
    needed = {call for guard, call in guarded.guards.items() if guard in core}
    shape = guarded.named_shape(entry, needed)
    if len(shape) == len(ground.shape):
        return ground
    plain = load()
    entry = _begin(plain, ground, checks)
    plain.regrow_named(entry, shape, lambda _: True)
    if not isinstance(plain.solver.check((), seconds / 3), Unsat):
        return ground
    return replace(ground, inlined=plain.inlined, shape=plain.named_shape(entry))


def _begin(inlining: Inlining, ground: Ground, checks: Collection[Check]) -> Instance:
    """Require that the entry fails one of these assertions."""
    code, solver = ground.code, inlining.solver
    terms = code.program.terms
    checks = set(checks)
    for check, target in code.targets.items():
        if check not in checks:
            solver.add(solver.not_(solver.translate(terms.var(target))))
    reach = solver.translate(terms.var(code.reach))
    solver.add(reach if ground.reach else solver.not_(reach))
    entry = inlining.start(ground.entry)
    vc = entry.compiled.vc
    failed = vc.finals[vc.interface.outputs.index(code.failed[ground.entry])]
    solver.add(inlining.native(entry, failed))
    return entry
