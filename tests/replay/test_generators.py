"""Generated programs are valid, and have the requested features."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest
from hypothesis import find, given, settings

from tests.generators import Shape, programs


def test_smallest_program() -> None:
    text = find(programs(Shape(procedures=1, globals=1)), lambda text: "while" in text)
    assert text.count("while") == 1
    assert text.count("assert") <= 2


@settings(max_examples=50, deadline=None, derandomize=True)
@given(programs(Shape(loops=False)))
def test_loop_free_programs_have_no_loops(text: str) -> None:
    assert "while" not in text
    assert text.count("procedure") == 2


@pytest.mark.peer("boogie")
def test_boogie_accepts_generated_programs(tmp_path: Path) -> None:
    texts: list[str] = []

    @settings(max_examples=15, deadline=None, derandomize=True, database=None)
    @given(programs(Shape(recursion=True, procedures=3)))
    def collect(text: str) -> None:
        texts.append(text)

    collect()
    for number, text in enumerate(texts):
        (tmp_path / f"p{number}.bpl").write_text(text)
    files = [str(tmp_path / f"p{number}.bpl") for number in range(len(texts))]
    for file in files[::3]:
        answer = subprocess.run(
            ["boogie", "-noVerify", file], capture_output=True, text=True, check=False, timeout=60
        )
        assert "0 errors" in answer.stdout or answer.stdout.strip().endswith("verified"), answer.stdout
