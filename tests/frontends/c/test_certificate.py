"""The points-to analysis has lost nothing, in all programs of the tests and in generated ones."""

from __future__ import annotations

from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Final

import pytest

from remuda.base.source import Source
from remuda.frontends.c.clang.parse import ParseOptions, parse_program
from remuda.frontends.c.memory.flows import Flows
from remuda.frontends.c.syntax.types import LP64
from tests.frontends.c.certificate import faults
from tests.frontends.c.pointer_steps import random_program
from tests.frontends.c.pointer_truth import FOR_VERIFIER

if TYPE_CHECKING:
    from remuda.frontends.c.memory.points_to import PointsTo

PROGRAMS: Final = sorted((Path(__file__).parents[2] / "programs" / "c").glob("*.c"))
SEEDS: Final = range(100)
STORED: Final = """
struct S { int n; int *p; } s;
int x, *q;
int main(void) { s.p = &x; struct S *r = &s; q = r->p; return *q; }
"""


def solved(text: str, *, believes: bool = True) -> PointsTo:
    unit = parse_program([Source("program.c", text)], ParseOptions(machine=LP64))
    flows = Flows(unit.machine, believes=believes)
    flows.read([function for function in unit.functions.values() if function.body is not None])
    return flows.values.graph


def generated(seed: int) -> str:
    program = random_program(Random(seed), "lp64")
    lines = [line.replace("CHECK", "(void)").replace("INPUT", "3") for line in program.lines]
    head = [FOR_VERIFIER, *program.types, *program.globals, *program.functions, "int main(void) {"]
    return "\n".join([*head, *lines, "}", ""]).replace("@", "")


@pytest.mark.parametrize("believes", [True, False])
@pytest.mark.parametrize("program", PROGRAMS, ids=lambda path: path.stem)
def test_no_target_is_missing_in_golden_programs(program: Path, believes: bool) -> None:
    assert not list(faults(solved(program.read_text(), believes=believes)))


@pytest.mark.parametrize("believes", [True, False])
def test_no_target_is_missing_in_generated_programs(believes: bool) -> None:
    assert not {seed: found for seed in SEEDS if (found := list(faults(solved(generated(seed), believes=believes))))}


def test_a_missing_target_of_a_pointer_is_detected() -> None:
    graph = solved(STORED)
    reached = [slot for slot in graph.slots if slot.targets]
    noticed = 0
    for slot in reached:
        kept, slot.targets = slot.targets, {}
        noticed += bool(list(faults(graph)))
        slot.targets = kept
    assert not list(faults(graph))
    assert noticed >= 3  # all but those that nothing flows into


def test_accesses_of_one_place_in_two_cells_are_noticed() -> None:
    graph = solved(STORED)
    for root in graph.nodes:
        for cell in root.ordered_cells():
            kept, cell.slot = cell.slot, graph.slot()
            if list(faults(graph)):
                return
            cell.slot = kept
    pytest.fail("nothing was noticed")
