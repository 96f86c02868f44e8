"""The scaling families: their shape, and that other tools take them for Boogie."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

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


def test_sizes_that_make_no_program() -> None:
    for arguments in (["fig1", "0"], ["fig2", "-1"], ["fig2", "0", "--buggy"]):
        ended = subprocess.run([sys.executable, str(SCRIPT), *arguments], capture_output=True, check=False)
        assert ended.returncode == 2


@pytest.mark.peer("boogie")
@pytest.mark.parametrize("arguments", [("fig1", "1"), ("fig1", "3", "--buggy"), ("fig2", "0"), ("fig2", "3")])
def test_boogie_accepts_them(tmp_path: Path, arguments: tuple[str, ...]) -> None:
    path = tmp_path / "program.bpl"
    path.write_text(generate(*arguments), encoding="utf-8")
    ended = subprocess.run(["boogie", "/noVerify", str(path)], capture_output=True, text=True, check=False)
    assert "0 verified, 0 errors" in ended.stdout
