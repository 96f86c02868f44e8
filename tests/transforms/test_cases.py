"""Programs before and after a pass, side by side: `cases/PASS.bpl` holds both.

    procedure main() { ... }           the program before, as a user writes it
    // becomes:
    procedure main() ...               the program after, as it is printed

`python -m tests.transforms.test_cases` writes the second parts anew, to be read before they are committed.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Final

import pytest

import remuda.transforms
from remuda.frontends.boogie.load import load
from remuda.ir.check import check
from remuda.ir.printer import print_program
from remuda.replay.explore import ExplorationLimits, explore
from remuda.transforms.call_contracts import CallContracts
from remuda.transforms.choose_tracked import choose_tracked
from remuda.transforms.contracts import LowerContracts
from remuda.transforms.cut_loops import CutLoops
from remuda.transforms.drop_unread import DropUnread
from remuda.transforms.extract_loops import ExtractLoops
from remuda.transforms.forget_variables import ForgetVariables
from remuda.transforms.induct_loops import InductLoops
from remuda.transforms.judge_alone import JudgeAlone
from remuda.transforms.known_procedures import KnownProcedures
from remuda.transforms.lift_assertions import LiftAssertions
from remuda.transforms.make_reducible import MakeReducible
from remuda.transforms.path_program import path_program
from remuda.transforms.prepare_threads import PrepareThreads
from remuda.transforms.prune import PruneProcedures
from remuda.transforms.reach_end import ReachEnd
from remuda.transforms.separate_calls import SeparateCalls
from remuda.transforms.separate_entries import SeparateEntries
from remuda.transforms.unroll_loops import UnrollLoops
from tests.oracle import source

if TYPE_CHECKING:
    from collections.abc import Callable

    from remuda.ir.passes import Pass
    from remuda.ir.program import Program
    from remuda.terms.symbols import Variable

FOLDER: Final = Path(__file__).parent / "cases"
BECOMES: Final = "\n// becomes:\n"


def after(*passes: Pass) -> Callable[[Program], Program]:
    def apply(program: Program) -> Program:
        for each in passes:
            program = each.apply(program).program
        return program

    return apply


def named(program: Program, *names: str) -> frozenset[Variable]:
    return frozenset(each for each in program.globals if each.name in names)


def first_failing_path(program: Program) -> Program:
    """The path of the first failing execution that is found."""
    lowered = LowerContracts().apply(program).program
    outcomes = explore(lowered, entry="main", havoc_domain=(0, 1), limits=ExplorationLimits())
    return path_program(lowered, next(iter(outcomes.failing.values()))).program


PASSES: Final[dict[str, Callable[[Program], Program]]] = {
    "call_contracts": after(LowerContracts(), CallContracts()),
    "choose_tracked": lambda program: choose_tracked(program, sorted(named(program, "g", "m"), key=str)).program,
    "contracts": after(LowerContracts()),
    "contracts_modular": after(LowerContracts(modular=True, stops=False)),
    "cut_loops": after(CutLoops()),
    "drop_unread": after(DropUnread()),
    "extract_loops": after(ExtractLoops()),
    "forget_variables": lambda program: after(ForgetVariables(named(program, "g", "m")))(program),
    "induct_loops": after(InductLoops(1)),
    "judge_alone": after(JudgeAlone()),
    "known_procedures": after(KnownProcedures()),
    "known_procedures_with_threads": after(KnownProcedures()),
    "lift_assertions": lambda program: LiftAssertions().apply(program).program,
    "lift_threads": lambda program: LiftAssertions().apply(program).program,
    "make_reducible": after(MakeReducible()),
    "path_program": first_failing_path,
    "prepare_threads": after(PrepareThreads()),
    "prune": after(PruneProcedures()),
    "reach_end": after(ReachEnd()),
    "separate_calls": after(SeparateCalls(("main",))),
    "separate_entries": after(SeparateEntries()),
    "unroll_loops": after(UnrollLoops()),
}


def transformed(name: str, text: str) -> str:
    program = load([source(text)])
    assert program.entries
    result = PASSES[name](program)
    assert check(result) == []
    return print_program(result)


@pytest.mark.parametrize("name", PASSES)
def test_a_program_becomes_what_the_case_says(name: str) -> None:
    before, expected = (FOLDER / f"{name}.bpl").read_text(encoding="utf-8").split(BECOMES)
    assert transformed(name, before) == expected


def test_every_case_is_run() -> None:
    assert {path.stem for path in FOLDER.iterdir()} == set(PASSES)


def test_every_pass_is_imported_by_a_test() -> None:
    tests = [path.read_text(encoding="utf-8") for path in Path(__file__).parents[1].rglob("test_*.py")]
    names = [path.stem for path in Path(*remuda.transforms.__path__).glob("[a-z]*.py")]
    assert [each for each in names if not any(f"remuda.transforms.{each} import" in text for text in tests)] == []


def write_cases() -> None:
    for name in PASSES:
        path = FOLDER / f"{name}.bpl"
        before = path.read_text(encoding="utf-8").split(BECOMES)[0]
        path.write_text(before + BECOMES + transformed(name, before), encoding="utf-8")


if __name__ == "__main__":
    write_cases()
