"""The scaling families: their shape, and that other tools take them for Boogie."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from benchmarks.families import BOOGIE, FAMILIES, LANGUAGES, C, dag_fig2_calls
from remuda.bench.peers import VERIFIER_FUNCTIONS
from remuda.options import ENGINES, Options
from remuda.results.report import Verdict
from remuda.session import verify

SCRIPT = Path(__file__).parents[2] / "benchmarks" / "families.py"


def generate(*arguments: str) -> str:
    ended = subprocess.run([sys.executable, str(SCRIPT), *arguments], capture_output=True, text=True, check=True)
    return ended.stdout


def test_fig1_calls_twice_down_the_chain() -> None:
    text = generate("fig1", "4")
    assert [text.count(f"call P{index}();") for index in range(1, 6)] == [1, 2, 2, 2, 0]
    assert text.count("assert") == 1
    assert "g := 1;" in text
    assert "g := 1;" not in generate("fig1", "4", "--buggy")


def test_fig2_calls_on_both_sides() -> None:
    text = generate("fig2", "3")
    assert [text.count(f"call P{index}();") for index in range(5)] == [1, 2, 2, 2, 0]
    assert "assert g == 3;" in text
    assert generate("fig2", "3", "--buggy").count("g + 2") == 1


def test_fig2_calls_other_procedures_on_both_sides() -> None:
    text = generate("fig2-calls", "3")
    assert [text.count(f"call P{index}();") for index in range(5)] == [1, 2, 2, 2, 0]
    assert all(text.count(f"call {side}{index}();") == 1 for side in "AB" for index in range(3))
    assert text.count("procedure") == 3 * 3 + 2
    assert generate("fig2-calls", "3", "--buggy").count("g + 2 + 1") == 1


@pytest.mark.parametrize("family", FAMILIES)
def test_both_languages_have_the_same_calls(family: str) -> None:
    boogie, c = (FAMILIES[family](4, language=LANGUAGES[name]) for name in ("boogie", "c"))
    assert boogie.count("call P") == c.count("  P")
    assert boogie.count("assert") == c.count("  __VERIFIER_assert")
    assert (BOOGIE.suffix, C.suffix) == ("bpl", "c")


@pytest.mark.parametrize("engine", [each for each in ENGINES if each != "isolation"])
@pytest.mark.parametrize("family", FAMILIES)
def test_the_families_have_the_stated_properties(family: str, engine: str) -> None:
    for n in (1, 3):
        for buggy, verdict in ((False, Verdict.PROVED), (True, Verdict.VIOLATED)):
            report = verify(FAMILIES[family](n, buggy=buggy), Options(engine=engine, bound=2))
            assert report.verdict is verdict


def test_a_dag_has_one_instance_of_each_procedure() -> None:
    report = verify(dag_fig2_calls(12), Options(engine="dag", reachability=False))
    assert report.verdict is Verdict.PROVED
    assert report.statistics.instances == 3 * 12 + 2
    assert report.statistics.tree_instances == 2**14 - 2


def test_sizes_that_make_no_program() -> None:
    for arguments in (["fig1", "0"], ["fig2", "-1"], ["fig2", "0", "--buggy"], ["fig2-calls", "-1"]):
        ended = subprocess.run([sys.executable, str(SCRIPT), *arguments], capture_output=True, check=False)
        assert ended.returncode == 2


@pytest.mark.peer("boogie")
@pytest.mark.parametrize(
    "arguments", [("fig1", "1"), ("fig1", "3", "--buggy"), ("fig2", "0"), ("fig2", "3"), ("fig2-calls", "2")]
)
def test_boogie_accepts_them(tmp_path: Path, arguments: tuple[str, ...]) -> None:
    path = tmp_path / "program.bpl"
    path.write_text(generate(*arguments), encoding="utf-8")
    ended = subprocess.run(["boogie", "/noVerify", str(path)], capture_output=True, text=True, check=False)
    assert "0 verified, 0 errors" in ended.stdout


@pytest.mark.peer("cbmc")
@pytest.mark.parametrize("family", FAMILIES)
@pytest.mark.parametrize("buggy", [False, True])
def test_cbmc_agrees(tmp_path: Path, family: str, buggy: bool) -> None:
    (tmp_path / "program.c").write_text(FAMILIES[family](3, buggy=buggy, language=C), encoding="utf-8")
    (tmp_path / "functions.c").write_text(VERIFIER_FUNCTIONS, encoding="utf-8")
    command = ["cbmc", "--unwind", "3", "program.c", "functions.c"]
    ended = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert f"VERIFICATION {'FAILED' if buggy else 'SUCCESSFUL'}" in ended.stdout
