"""Whole-tool tests: every assertion of a golden program gets the verdict on its line. Missing and extra results
fail."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from remuda.session import verify_files
from tests.configurations import CONFIGURATIONS, Configuration, in_turn
from tests.golden_programs import (
    C_PROGRAMS,
    PROGRAMS,
    default_options,
    expected_by_line,
    header,
    options_of,
    sample,
    verdicts_by_line,
)
from tests.patience import PATIENCE

Way = dict[str, str]
FIRST: Way = {"engine": "stratified", "solver": "z3", "joins": "equations"}
OTHERS: list[Way] = [
    {**FIRST, "engine": "static"},
    {**FIRST, "joins": "ite"},
    {**FIRST, "joins": "mixed"},
    {**FIRST, "solver": "cvc5"},
]
# Lines with violations that the machine for C cannot show, because it does not have mathematical integers, objects
# that pointers from outside lead to, or words that are read from standard input.
NOT_ON_MACHINE = {
    "check_library_math": {9},
    "flat_library": {20, 22},
    "flat_pointers": {59},
    "library_words": {11},
}
LONG = {"threads", "threads_atomic"}  # C programs that take longest, for `make slow`
IN_TURN = 1  # other ways to search, for each program of the fast run


@pytest.mark.parametrize("turn", range(len(PROGRAMS)), ids=[path.stem for path in PROGRAMS])
def test_every_assertion_gets_the_verdict_on_its_line(turn: int) -> None:
    """By the first configuration, and by one of the others, which take turns."""
    for configuration in (FIRST, OTHERS[turn % len(OTHERS)]):
        if can_answer(PROGRAMS[turn], configuration):
            check_options(PROGRAMS[turn], configuration)


@pytest.mark.slow
@pytest.mark.parametrize("program", PROGRAMS, ids=lambda path: path.stem)
@pytest.mark.parametrize("configuration", [FIRST, *OTHERS], ids=lambda each: "-".join(each.values()))
def test_every_assertion_gets_the_verdict_on_its_line_in_all_ways(program: Path, configuration: Way) -> None:
    if not can_answer(program, configuration):
        pytest.skip(f"{program.name} is beyond {configuration['solver']}")
    check_options(program, configuration)


def can_answer(program: Path, configuration: Way) -> bool:
    solvers = header(program.read_text(), "solvers").split()
    return not solvers or configuration["solver"] in solvers


def check_options(program: Path, configuration: Way) -> None:
    text = program.read_text()
    options = replace(options_of(text), **configuration, check_ir=True, timeout=PATIENCE)  # type: ignore[arg-type]
    report = verify_files([str(program)], options)
    assert verdicts_by_line(report) == expected_by_line(text), configuration
    for result in report.assertions:
        assert (result.trace is not None) == (result.verdict.value == "violated")


@pytest.mark.parametrize(
    "program",
    [pytest.param(path, id=path.stem, marks=[pytest.mark.slow] * (path.stem in LONG)) for path in C_PROGRAMS],
)
def test_every_assertion_of_a_c_program_gets_the_verdict_on_its_line(program: Path) -> None:
    text = program.read_text()
    report = verify_files([str(program)], replace(options_of(text), check_ir=True, timeout=PATIENCE))
    assert verdicts_by_line(report) == expected_by_line(text)
    violated = [result for result in report.assertions if result.verdict.value == "violated"]
    not_shown = {result.location.line for result in violated if "machine" not in result.confirmed}
    assert not_shown <= NOT_ON_MACHINE.get(program.stem, set()), [result.unconfirmed for result in violated]


SOME = sample([path for path in (*PROGRAMS, *C_PROGRAMS) if path.stem not in LONG])


@pytest.mark.parametrize("turn", range(len(SOME)), ids=[path.stem for path in SOME])
def test_the_default_says_what_it_should(turn: int) -> None:
    """With one process and with two, in turns."""
    check_default(SOME[turn], 1 + turn % 2)


@pytest.mark.slow
@pytest.mark.parametrize("jobs", [1, 2])
@pytest.mark.parametrize("program", [*PROGRAMS, *C_PROGRAMS], ids=lambda path: path.stem)
def test_the_default_says_what_it_should_of_every_program(program: Path, jobs: int) -> None:
    check_default(program, jobs)


def check_default(program: Path, jobs: int) -> None:
    text = program.read_text()
    report = verify_files([str(program)], replace(default_options(text), jobs=jobs))
    found = holding(verdicts_by_line(report))
    expected = [holding(expected_by_line(text, default=default)) for default in (True, False)]
    if jobs == 1:  # time is measured in work
        assert found == expected[0]
    else:  # how much is proved in a few seconds depends on how busy the machine is
        assert found.keys() == expected[0].keys()
        assert all(verdicts in [each.get(line) for each in expected] for line, verdicts in found.items())
    assert not any("disagree" in note for note in report.notes)


def holding(verdicts: dict[int, list[str]]) -> dict[int, list[str]]:
    """`unreachable` counts as `proved`: the verdict of the default depends on the proof that comes first."""
    return {
        line: sorted("proved" if each == "unreachable" else each for each in found)
        for line, found in verdicts.items()
    }


@pytest.mark.parametrize("turn", range(len(PROGRAMS)), ids=[path.stem for path in PROGRAMS])
def test_the_verdict_is_the_same_however_it_is_searched_for(turn: int) -> None:
    for configuration in in_turn(turn, IN_TURN):
        check_search(PROGRAMS[turn], configuration)


@pytest.mark.slow
@pytest.mark.parametrize("program", PROGRAMS, ids=lambda path: path.stem)
@pytest.mark.parametrize("configuration", CONFIGURATIONS, ids=lambda configuration: configuration.name)
def test_the_verdict_is_the_same_for_every_search(program: Path, configuration: Configuration) -> None:
    check_search(program, configuration)


def check_search(program: Path, configuration: Configuration) -> None:
    text = program.read_text()
    options = configuration.options(replace(options_of(text), check_ir=True, timeout=PATIENCE))
    assert verdicts_by_line(verify_files([str(program)], options)) == expected_by_line(text), configuration.name
