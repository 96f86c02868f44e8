"""Finds the procedure or loop that `--bound-for NAME=N` names.

    Push             a procedure
    main/outer       a loop, as `remuda show loops` prints it
    main:12          the loop of `main` that begins in line 12
    main.c:12        the loop of the file `main.c` that begins in line 12

Names are looked up in the program as the user wrote it. So an unrolled loop and a procedure without calls have names
too, but their bounds are never used.
"""

from __future__ import annotations

from pathlib import PurePath
from typing import TYPE_CHECKING

from remuda.analysis.loops import find_loops
from remuda.base.errors import UsageError
from remuda.transforms.make_reducible import header_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from remuda.ir.program import Procedure, Program


def own_bounds(program: Program, given: Sequence[tuple[str, int]]) -> dict[str, int]:
    """The bounds, by the names of procedures and loops in a search; if one is bounded twice, the later bound
    holds."""
    return {_meaning(program, name): bound for name, bound in given}


def _meaning(program: Program, name: str) -> str:
    if name in program.procedures:
        return name
    procedure, _, label = name.rpartition("/")
    meant = [loop for loop, own_label, _ in _loops(program, procedure) if own_label == label]
    if not meant:
        place, _, line = name.rpartition(":")
        procedures = [place] if place in program.procedures else _procedures_in(program, place)
        meant = [
            loop
            for procedure in procedures
            for loop, _, own_line in _loops(program, procedure)
            if str(own_line) == line
        ]
    if len(meant) > 1:
        raise UsageError(
            f"--bound-for: {len(meant)} loops begin in {name}; use the names that `remuda show loops` prints"
        )
    if not meant:
        raise UsageError(
            f"--bound-for: there is no procedure or loop {name}; use a name that `remuda show loops` prints"
        )
    return meant[0]


def _procedures_in(program: Program, file: str) -> list[str]:
    """The procedures of a file, which may be given without its folder."""
    return [
        name
        for name, procedure in program.procedures.items()
        if file in {procedure.span.source.name, PurePath(procedure.span.source.name).name}
    ]


def _loops(program: Program, name: str) -> Iterator[tuple[str, str, int]]:
    """The loops of a procedure: the name in a search, the label, and the line."""
    procedure = program.procedures.get(name)
    if procedure is None or procedure.blocks is None:
        return
    found = find_loops(procedure)
    for loop in found.loops:
        yield loop.name, loop.header, _line(procedure, loop.header)
    for region in found.irreducible:
        yield f"{name}/{header_of(region)}", region.blocks[0], _line(procedure, region.blocks[0])


def _line(procedure: Procedure, label: str) -> int:
    span = next(block.span for block in procedure.blocks or () if block.label == label)
    return span.source.position(span.start)[0]
