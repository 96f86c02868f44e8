"""Whole-tool tests: every assertion of a golden program gets the verdict on its line. Missing and extra results fail."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from remuda.session import verify_files
from tests.configurations import CONFIGURATIONS as SEARCHES
from tests.configurations import Configuration, in_turn
from tests.golden_programs import C_PROGRAMS, PROGRAMS, expected_by_line, header, options_of, verdicts_by_line
from tests.patience import PATIENCE

CONFIGURATIONS = [
    pytest.param("stratified", "z3", "equations", id="stratified-z3"),
    pytest.param("static", "z3", "equations", id="static-z3"),
    pytest.param("stratified", "z3", "ite", id="ite-z3"),
    pytest.param("stratified", "z3", "mixed", id="mixed-z3"),
    pytest.param("stratified", "cvc5", "equations", id="stratified-cvc5"),
]
# Lines with violations that the machine for C cannot show, because it does not have mathematical integers, objects
# that pointers from outside lead to, or words that are read from standard input.
NOT_ON_MACHINE = {
    "check_library_math": {9},
    "flat_library": {20, 22},
    "flat_pointers": {59},
    "library_words": {11},
}
IN_TURN = 3  # other ways to search for each program of the fast run


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda path: path.stem)
@pytest.mark.parametrize(("engine", "solver", "joins"), CONFIGURATIONS)
def test_every_assertion_gets_the_verdict_on_its_line(program: Path, engine: str, solver: str, joins: str) -> None:
    text = program.read_text()
    if solver not in header(text, "solvers").split() and header(text, "solvers"):
        pytest.skip(f"{program.name} is beyond {solver}")
    options = replace(options_of(text), engine=engine, solver=solver, joins=joins, check_ir=True, timeout=PATIENCE)
    report = verify_files([str(program)], options)
    assert verdicts_by_line(report) == expected_by_line(text)
    for result in report.assertions:
        assert (result.trace is not None) == (result.verdict.value == "violated")


@pytest.mark.parametrize("program", C_PROGRAMS, ids=lambda path: path.stem)
def test_every_assertion_of_a_c_program_gets_the_verdict_on_its_line(program: Path) -> None:
    text = program.read_text()
    report = verify_files([str(program)], replace(options_of(text), check_ir=True, timeout=PATIENCE))
    assert verdicts_by_line(report) == expected_by_line(text)
    violated = [result for result in report.assertions if result.verdict.value == "violated"]
    not_shown = {result.location.line for result in violated if "machine" not in result.confirmed}
    assert not_shown <= NOT_ON_MACHINE.get(program.stem, set()), [result.unconfirmed for result in violated]


@pytest.mark.parametrize("program", [*PROGRAMS, *C_PROGRAMS], ids=lambda path: path.stem)
def test_trying_to_prove_what_is_bounded_changes_nothing_else(program: Path) -> None:
    text = program.read_text()
    report = verify_files([str(program)], replace(options_of(text), houdini=None, check_ir=True, timeout=PATIENCE))
    found = verdicts_by_line(report)
    for line, expected in expected_by_line(text).items():
        assert [each for each in found[line] if each in {"violated", "unknown"}] == [
            each for each in expected if each in {"violated", "unknown"}
        ]
        assert len(found[line]) == len(expected)
        assert found[line].count("bounded") <= expected.count("bounded")


@pytest.mark.parametrize("turn", range(len(PROGRAMS)), ids=[path.stem for path in PROGRAMS])
def test_the_verdict_is_the_same_however_it_is_searched_for(turn: int) -> None:
    for configuration in in_turn(turn, IN_TURN):
        check_search(PROGRAMS[turn], configuration)


@pytest.mark.slow
@pytest.mark.parametrize("program", PROGRAMS, ids=lambda path: path.stem)
@pytest.mark.parametrize("configuration", SEARCHES, ids=lambda configuration: configuration.name)
def test_the_verdict_is_the_same_for_every_search(program: Path, configuration: Configuration) -> None:
    check_search(program, configuration)


def check_search(program: Path, configuration: Configuration) -> None:
    text = program.read_text()
    options = configuration.options(replace(options_of(text), check_ir=True, timeout=PATIENCE))
    assert verdicts_by_line(verify_files([str(program)], options)) == expected_by_line(text), configuration.name
