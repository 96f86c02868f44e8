"""Programs of several files, whatever the order in which they are given."""

from __future__ import annotations

from pathlib import Path

import pytest

from remuda.options import Options
from remuda.session import verify_files
from tests.golden_programs import expected_by_line

FOLDERS = sorted((Path(__file__).parents[2] / "programs" / "c_linked").iterdir())


@pytest.mark.parametrize("is_reversed", [False, True], ids=["given", "reversed"])
@pytest.mark.parametrize("folder", FOLDERS, ids=lambda path: path.name)
def test_every_assertion_of_linked_files_gets_the_verdict_on_its_line(folder: Path, *, is_reversed: bool) -> None:
    files = sorted(folder.glob("*.c"), reverse=is_reversed)
    report = verify_files([str(file) for file in files], Options(on_failure="continue", houdini=False, check_ir=True))
    found: dict[str, dict[int, list[str]]] = {file.name: {} for file in files}
    for result in report.assertions:
        lines = found[Path(result.location.file).name]
        lines.setdefault(result.location.line, []).append(result.verdict.value)
    assert found == {file.name: expected_by_line(file.read_text()) for file in files}
