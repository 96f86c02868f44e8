"""What a verdict takes on trust, in words for the report."""

from __future__ import annotations

from typing import TYPE_CHECKING

from remuda.ir.program import Assume
from remuda.ir.threads import PRIMITIVES
from remuda.results.report import Assumption
from remuda.transforms.prune import reachable_procedures

if TYPE_CHECKING:
    from collections.abc import Sequence, Sized

    from remuda.ir.program import Procedure, Program

NAMES = 5  # of variables in one line


def assumptions_of(program: Program) -> list[Assumption]:
    """Axioms, free contracts, `assume` statements, `where` clauses and procedures without a body, as far as an execution
    can meet them. (Front ends say in words what else they believe; of each kind, there is one sentence.)

    `program` is as the front end made it, with the entries of this run.
    """
    found = [Assumption(text, text, text) for text in program.assumptions]
    found += [
        Assumption("axiom", str(axiom.span), f"axiom at {axiom.span}: {_short(axiom.span.text)}")
        for axiom in program.axioms
    ]
    reached = reachable_procedures(program)
    for name, procedure in program.procedures.items():
        if name in reached:
            found += _of_procedure(procedure, is_entry=name in program.entries)
    if (
        program.presentation is None
    ):  # else the source is not Boogie, and what it assumes is no statement of this kind
        found += _of_bodies([procedure for name, procedure in program.procedures.items() if name in reached])
        if program.wheres:
            names = ", ".join(variable.name for variable in list(program.wheres)[:NAMES])
            more = f" and {len(program.wheres) - NAMES} more" if len(program.wheres) > NAMES else ""
            found.append(Assumption("where", names, f"the where clauses of {names}{more}"))
    return found


def _of_bodies(procedures: Sequence[Procedure]) -> list[Assumption]:
    """One line for all statements of a kind that a program assumes things with, and the first place."""
    places: dict[str, dict[str, None]] = {"assume": {}, "free invariant": {}}  # in the order of the source, once each
    for procedure in procedures:
        for block in procedure.blocks or ():
            for statement in block.statements:
                if isinstance(statement, Assume):  # the branches of `if` and `while` are no text of this kind
                    words = tuple(statement.span.text.split(None, 2)[:2])
                    kind = words[0] if words and words[0] == "assume" else " ".join(words)
                    is_stated = statement.condition.op != "bool" or not statement.condition.payload
                    if kind in places and is_stated:
                        places[kind][str(statement.span)] = None
    return [
        Assumption(kind, next(iter(found)), f"{_count(kind, found)}, the first at {next(iter(found))}")
        for kind, found in places.items()
        if found
    ]


def _count(kind: str, found: Sized) -> str:
    noun = f"{kind} statement" if kind == "assume" else kind
    return f"{len(found)} {noun}s" if len(found) > 1 else f"1 {noun}"


def _of_procedure(procedure: Procedure, *, is_entry: bool) -> list[Assumption]:
    name, place = procedure.name, f"{procedure.name} ({procedure.span})"
    if procedure.blocks is None and name in PRIMITIVES and not procedure.modifies and not procedure.ensures:
        return []  # it is known what these do
    if procedure.blocks is None:
        return [Assumption("no body", name, f"{place} has no body: it {_effect(procedure)}")]
    found = []
    free_ensures = sum(condition.free for condition in procedure.ensures)
    if free_ensures:
        found.append(Assumption("free ensures", name, f"{free_ensures} free ensures of {place}"))
    free_requires = sum(condition.free for condition in procedure.requires)
    if free_requires:
        found.append(Assumption("free requires", name, f"{free_requires} free requires of {place}"))
    if is_entry and any(not condition.free for condition in procedure.requires):
        found.append(Assumption("requires", name, f"the requires of {place}, where executions start"))
    return found


def _effect(procedure: Procedure) -> str:
    """What a procedure without a body is believed to do."""
    changed = ", ".join(variable.name for variable in procedure.modifies)
    effect = f"changes only {changed}" if changed else "changes no global"
    returns = " and returns any values" if procedure.outputs else ""
    contract = ", as its ensures say" if procedure.ensures else ""
    callers = "; callers keep its free requires" if any(each.free for each in procedure.requires) else ""
    return f"{effect}{returns}{contract}{callers}"


def _short(text: str) -> str:
    words = " ".join(text.split())
    return words if len(words) <= 100 else f"{words[:97]}..."
