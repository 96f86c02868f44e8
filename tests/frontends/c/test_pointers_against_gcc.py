"""Pointer programs have the results of gcc, in every configuration of the verifier.

Each assertion is compared alone: the program built by gcc has printed the value of its expression for every input, so
it is known whether the assertion holds. `unknown` verdicts are sound, but counted: too many would mean that nothing
is tested. The fast run takes the same programs every time; `make slow` takes new ones, and many more. If one fails,
`test_programs_of_hypothesis` finds a smaller one.
"""

from __future__ import annotations

import itertools
import re
import secrets
from collections.abc import Callable, Iterator
from dataclasses import replace
from random import Random
from typing import TYPE_CHECKING, Final

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from remuda.base.source import Source
from remuda.frontends.c.clang.parse import ParseOptions, parse_program
from remuda.frontends.c.syntax.types import ILP32, LP64
from remuda.machine.outcomes import End
from remuda.machine.run import Execution
from remuda.machine.settings import Settings
from remuda.options import Options
from remuda.portfolio.run import run
from remuda.results.report import AssertionResult, Verdict
from tests.frontends.c.gcc import MACHINES, can_run
from tests.frontends.c.pointer_steps import random_program
from tests.frontends.c.pointer_truth import Claim, run_gcc, verifier_program, with_expectations
from tests.frontends.c.random_pointers import PointerProgram
from tests.machine.running import Given
from tests.patience import PATIENCE

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.peer("gcc")

FEW: Final = 80
MANY: Final = 20_000
PARTS: Final = 20  # of the many, for processes that share them
BATCH: Final = 50  # that gcc compiles at once
ENOUGH: Final = Options(bound=8, timeout=PATIENCE, on_failure="continue", houdini=False, isolate=False, check_ir=True)
TARGETS: Final = {"lp64": LP64, "ilp32": ILP32}
HOLDS: Final = frozenset({Verdict.PROVED, Verdict.BOUNDED, Verdict.UNREACHABLE})
Verdicts = dict[int, Verdict]  # by line


def verified(**changes: object) -> Callable[[str, str], Verdicts]:
    """The verdicts of the verifier with other options."""

    def verdicts(text: str, arch: str) -> Verdicts:
        options = replace(ENOUGH, arch=arch, **changes)  # type: ignore[arg-type]
        report = run([Source("pointers.c", text)], options, send=lambda _: None)
        return {each.location.line: claimed(each) for each in report.assertions if each.kind == "assert"}

    return verdicts


def claimed(result: AssertionResult) -> Verdict:
    """The verdict; one up to a smaller bound, because of a timeout, does not count for the whole program."""
    is_cut = result.bound is not None and result.bound < ENOUGH.bound
    return Verdict.UNKNOWN if is_cut and result.verdict in HOLDS else result.verdict


def executed(text: str, arch: str) -> Verdicts:
    """The results of the machine for C: it runs the program with every input, without open verdicts."""
    text = text.replace("__VERIFIER_nondet_pointer()", "(pointer)")
    unit = parse_program([Source("pointers.c", text)], ParseOptions(machine=TARGETS[arch]))
    running = Execution(unit, Settings(volatile_is_input=False, goes_on=True), Given())
    asserted = [number for number, line in enumerate(text.splitlines(), 1) if "__VERIFIER_assert(" in line]
    verdicts = dict.fromkeys(asserted, Verdict.PROVED)
    inputs = re.search(r"__VERIFIER_nondet_int\(\) & (\d+)", text)
    for number in range(int(inputs[1]) + 1 if inputs else 1):
        running.inputs = Given(number)
        outcome = running.run()
        failed = [span.source.position(span.start)[0] for span, _ in outcome.failures]
        verdicts |= dict.fromkeys(failed, Verdict.VIOLATED)
        if outcome.end is not End.EXITED:
            unsure = [line for line, verdict in verdicts.items() if verdict is not Verdict.VIOLATED]
            verdicts |= dict.fromkeys(unsure, Verdict.UNKNOWN)
    return verdicts


# To add a way to verify, name it here: a function from a program and an architecture to a verdict for each line.
CONFIGURATIONS: Final[dict[str, Callable[[str, str], Verdicts]]] = {
    "default": verified(),
    "flat": verified(memory_model="flat"),
    "machine": executed,
}
# The share of assertions that may be left open. The machine does not model atomic additions to pointers.
OPEN: Final = {"default": 0.1, "flat": 0.1, "machine": 0.15}


def is_wrong(claim: Claim, verdict: Verdict | None) -> bool:
    if verdict is None or verdict is Verdict.UNKNOWN:
        return False
    return claim.holds != (verdict in HOLDS)


def judge(text: str, claims: list[Claim], arch: str, configuration: str) -> tuple[int, str]:
    """The number of open assertions, and the errors in the verdicts of the others."""
    verdicts = CONFIGURATIONS[configuration](text, arch)
    found = [(claim, verdicts.get(claim.line)) for claim in claims]
    wrong = [
        f"line {claim.line}: {verdict.value}" for claim, verdict in found if verdict and is_wrong(claim, verdict)
    ]
    message = f"{configuration}, {arch}: {', '.join(wrong)}\n{with_expectations(text, claims)}" if wrong else ""
    return sum(verdict in {None, Verdict.UNKNOWN} for _, verdict in found), message


def compare(seeds: Iterator[int], count: int, folder: Path, arch: str, configuration: str) -> float:
    """Compare this many programs. Returns the share of open assertions."""
    claimed = unanswered = 0
    mistakes = []
    while count > 0:
        numbers = list(itertools.islice(seeds, min(count, BATCH)))
        count -= len(numbers)
        programs = [random_program(Random(number), arch) for number in numbers]
        for number, program, answers in zip(numbers, programs, run_gcc(programs, folder, arch), strict=True):
            if answers is None:
                count += 1  # another one instead
                continue
            text, claims = verifier_program(program, answers, Random(number))
            unknown, message = judge(text, claims, arch, configuration)
            unanswered, claimed = unanswered + unknown, claimed + len(claims)
            if message:
                mistakes.append(f"seed {number}, {message}")
    assert not mistakes, f"{len(mistakes)} programs, the smallest is {min(mistakes, key=len)}"
    return unanswered / claimed


def need(arch: str, folder: Path) -> None:
    if not can_run(MACHINES[arch], folder):
        pytest.skip(f"gcc makes no programs here for {arch}")


# --- the set-up itself


def test_the_same_seed_gives_the_same_program() -> None:
    assert random_program(Random(3), "lp64") == random_program(Random(3), "lp64")


def test_gcc_detects_undefined_programs_and_prints_values_of_every_input(tmp_path: Path) -> None:
    def program(*lines: str, worlds: int = 1) -> PointerProgram:
        return PointerProgram((), ("static int a@[2] = {3, 4};",), (), lines, worlds)

    programs = [
        program("int n = INPUT;", "CHECK(0, a@[n & 1]);", worlds=2),
        program("int k = 2; a@[k] = 1;", "CHECK(0, a@[1]);"),
        program("int *p = a@; p += 2;", "CHECK(0, *p);"),
        program("char *p = (char *)a@; *(int *)(p + 4) = 5;", "CHECK(0, a@[1]);"),
    ]
    assert run_gcc(programs, tmp_path, "lp64") == [[{0: 3}, {0: 4}], None, None, [{0: 5}]]


def test_claims_hold_or_fail_as_they_say(tmp_path: Path) -> None:
    program = PointerProgram(
        (), ("static int a@[4];",), (), ("  int n = INPUT;", "  a@[n] = 1;", "  CHECK(0, a@[2]);"), 4
    )
    answers = run_gcc([program], tmp_path, "lp64")[0]
    assert answers is not None
    seen = set()
    for seed in range(8):
        text, claims = verifier_program(program, answers, Random(seed))
        verdicts = verified()(text, "lp64")
        for claim in claims:
            assert verdicts[claim.line] is (Verdict.PROVED if claim.holds else Verdict.VIOLATED), text
            seen.add(claim.holds)
    assert seen == {False, True}


# --- random programs


@pytest.mark.parametrize("part", range(4))
@pytest.mark.parametrize("configuration", CONFIGURATIONS)
def test_pointers_are_where_gcc_says(configuration: str, part: int, tmp_path: Path) -> None:
    seeds = itertools.count(part * 1_000_000)
    assert compare(seeds, FEW // 4, tmp_path, "lp64", configuration) < OPEN[configuration]


@pytest.mark.parametrize("configuration", CONFIGURATIONS)
def test_pointers_on_the_smaller_machine(configuration: str, tmp_path: Path) -> None:
    need("ilp32", tmp_path)
    assert compare(itertools.count(9_000_000), FEW // 8, tmp_path, "ilp32", configuration) < 0.2


@pytest.mark.slow
@pytest.mark.parametrize("part", range(PARTS))
@pytest.mark.parametrize("arch", MACHINES)
@pytest.mark.parametrize("configuration", CONFIGURATIONS)
def test_many_pointers(configuration: str, arch: str, part: int, tmp_path: Path) -> None:
    need(arch, tmp_path)
    count = MANY // PARTS if arch == "lp64" else MANY // PARTS // 10
    seeds = itertools.count(secrets.randbelow(1 << 40))
    assert compare(seeds, count, tmp_path, arch, configuration) < OPEN[configuration], f"part {part}"


@pytest.mark.slow
@pytest.mark.parametrize("configuration", CONFIGURATIONS)
def test_programs_of_hypothesis(configuration: str, tmp_path: Path) -> None:
    @settings(max_examples=300, deadline=None, suppress_health_check=list(HealthCheck))
    @given(st.randoms(use_true_random=False))
    def agrees(random: Random) -> None:
        program = random_program(random, "lp64")
        answers = run_gcc([program], tmp_path, "lp64")[0]
        if answers is None:
            return
        text, claims = verifier_program(program, answers, Random(1))
        _, message = judge(text, claims, "lp64", configuration)
        assert not message, message

    agrees()
