"""The unproved assumptions that verdicts rest on, as text for the report."""

from __future__ import annotations

from typing import TYPE_CHECKING

from remuda.ir.program import Assume
from remuda.ir.threads import PRIMITIVES
from remuda.results.report import Assumption
from remuda.transforms.prune import reachable_procedures

if TYPE_CHECKING:
    from collections.abc import Sequence, Sized

    from remuda.ir.program import Procedure, Program

NAMES = 5  # the most names of variables in one line


def assumptions_of(program: Program) -> list[Assumption]:
    """The assumptions of a program: axioms, and the free contracts, `assume` statements, `where` clauses and
    procedures without a body that an execution can reach. Front ends add their own assumptions as sentences, one of
    each kind.

    `program` is the program that the front end made, with the entries of this run.
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
    # The assumptions of other languages are no statements of this kind.
    if program.presentation is None:
        found += _of_bodies([procedure for name, procedure in program.procedures.items() if name in reached])
        if program.wheres:
            names = ", ".join(variable.name for variable in list(program.wheres)[:NAMES])
            more = f" and {len(program.wheres) - NAMES} more" if len(program.wheres) > NAMES else ""
            found.append(Assumption("where", names, f"the where clauses of {names}{more}"))
    return found


def _of_bodies(procedures: Sequence[Procedure]) -> list[Assumption]:
    """One assumption for each kind of assuming statements, with the place of the first one."""
    places: dict[str, dict[str, None]] = {"assume": {}, "free invariant": {}}  # in the order of the source, once each
    for procedure in procedures:
        for block in procedure.blocks or ():
            for statement in block.statements:
                if isinstance(statement, Assume):  # those from `if` and `while` have other texts
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
        return []  # their meaning is built in
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
    """The assumed effect of a procedure without a body."""
    changed = ", ".join(variable.name for variable in procedure.modifies)
    effect = f"changes only {changed}" if changed else "changes no global"
    returns = " and returns any values" if procedure.outputs else ""
    contract = ", as its ensures say" if procedure.ensures else ""
    callers = "; callers keep its free requires" if any(each.free for each in procedure.requires) else ""
    return f"{effect}{returns}{contract}{callers}"


def _short(text: str) -> str:
    words = " ".join(text.split())
    return words if len(words) <= 100 else f"{words[:97]}..."
