"""Writes programs after one transform, as Boogie text for other verifiers."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, final

from remuda.analysis.fragments import CallerTree, caller_tree
from remuda.analysis.modifies import modified_globals
from remuda.ir.edit import size
from remuda.ir.printer import print_program
from remuda.ir.program import Attribute, attribute
from remuda.prepare.load import parse_options
from remuda.prepare.pipeline import base_program, schedules_of
from remuda.prepare.read import read_source
from remuda.transforms.isolate_loops import IsolateLoops
from remuda.transforms.lift_assertions import LiftAssertions
from remuda.transforms.make_reducible import MakeReducible
from remuda.transforms.prune import PruneProcedures
from remuda.transforms.sequentialize import Sequentialize

if TYPE_CHECKING:
    from collections.abc import Mapping

    from remuda.ir.program import Procedure, Program
    from remuda.options import Options


@final
@dataclass(frozen=True, slots=True)
class Transformed:
    """The text, and the numbers of statements and blocks before and after."""

    text: str
    before: int
    after: int
    unit: str = "statements and blocks"

    @property
    def growth(self) -> float:
        return self.after / self.before if self.before else 1.0


def deep_assert(program: Program, options: Options) -> Transformed:
    """The program with all assertions in its entry procedures, and none in a loop."""
    base = PruneProcedures().apply(base_program(program, replace(options, lift=True))).program
    lifted = LiftAssertions().apply(MakeReducible().apply(base).program)
    return _printed(base, lifted.program, lifted.comments)


def sequentialize(program: Program, options: Options) -> Transformed:
    """The program without threads, in which the schedules of the options are choices."""
    base = PruneProcedures().apply(base_program(program, options)).program
    return _printed(base, Sequentialize(schedules_of(options)).apply(base).program, {})


def fragments_of(program: Program, options: Options) -> CallerTree:
    """The loops and procedures in which assertions may be proved."""
    return caller_tree(_with_natural_loops(program, options))


def isolate_loops(program: Program, options: Options) -> Transformed:
    """The program with the body of every local loop in a procedure of its own."""
    base = _with_natural_loops(program, options)
    loops = [fragment.loop for fragment in caller_tree(base).fragments.values() if fragment.loop is not None]
    return _printed(base, IsolateLoops(loops).apply(base).program, {})


@final
@dataclass(frozen=True, slots=True)
class IsolatedC:
    """A C program with loops as functions, and a line for each loop that stays a loop, with the reason."""

    program: Transformed
    left_alone: tuple[str, ...]


def isolate_c_loops(path: str, options: Options) -> IsolatedC:
    """The C program with the body of every local loop in a function of its own."""
    from remuda.frontends.c.isolate.program import isolate_loops as isolate

    source = read_source(path)
    isolated = isolate(source, parse_options(options), options.error_label)
    before, after = source.text.count("\n"), isolated.text.count("\n")
    left_alone = tuple(f"{span}: this loop stays: {reason}" for span, reason in isolated.left_alone)
    return IsolatedC(Transformed(isolated.text, before, after, unit="lines"), left_alone)


def _with_natural_loops(program: Program, options: Options) -> Program:
    return MakeReducible().apply(PruneProcedures().apply(base_program(program, options)).program).program


def _printed(before: Program, after: Program, comments: Mapping[tuple[str, str], str]) -> Transformed:
    marked = {name: _mark_entry(body, is_entry=name in after.entries) for name, body in after.procedures.items()}
    after = replace(after, procedures=marked)
    text = print_program(after, modified_globals(after), comments)
    return Transformed(text, size(before), size(after))


def _mark_entry(procedure: Procedure, *, is_entry: bool) -> Procedure:
    """The procedure with `{:entrypoint}` if and only if executions start in it, for readers of the text."""
    rest = tuple(each for each in procedure.attributes if each.name != "entrypoint")
    given = attribute(procedure.attributes, "entrypoint") or Attribute("entrypoint")
    return replace(procedure, attributes=(given, *rest) if is_entry else rest)
