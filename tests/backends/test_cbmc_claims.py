"""Claims about a program whose fragments CBMC checks."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import pytest

from remuda.options import Options
from remuda.results.report import Verdict
from remuda.session.api import verify_files
from tests.patience import PATIENCE

pytestmark = pytest.mark.peer("cbmc")

FAILING: Final = {
    "do": "int main(void) { int x = 0, y = 0; do { x++; y = x; } while (x < 5); assert(y == 1); return 0; }",
    "endless": "int x; int main(void) { for (;;) { x++; if (x > 3) assert(0); } }",
    "condition": """
int f(int x) { assert(x != 3); return x < 5; }
int main(void) { int i = 0; while (f(i)) { i++; } return 0; }
""",
    "step": """
void f(int x) { assert(x != 3); }
int main(void) { for (int i = 0; i < 5; f(i)) i++; return 0; }
""",
    "in the step": "int main(void) { for (int i = 0; i < 5; assert(i != 3)) i++; return 0; }",
    "callee": """
void f(int x) { assert(x != 3); }
int main(void) { int i = 0; while (i < 5) { f(i); i++; } return 0; }
""",
    "late": "int main(void) { int i = 0; while (i < 300) { i++; assert(i != 299); } return 0; }",
}


def verdicts(text: str, folder: Path, options: Options) -> list[Verdict]:
    file = folder / "program.c"
    file.write_text(f"#include <assert.h>\n{text}")
    return [result.verdict for result in verify_files([str(file)], options).assertions]


@pytest.mark.parametrize("text", FAILING.values(), ids=FAILING)
def test_failing_assertions_are_not_claimed(text: str, tmp_path: Path) -> None:
    options = Options(engine="isolation", backend="cbmc", jobs=1, timeout=PATIENCE)
    assert Verdict.PROVED not in verdicts(text, tmp_path, options)


def test_loops_of_other_files_are_others(tmp_path: Path) -> None:
    header = "void f(int x); static int h(void) { int i = 0; "
    header += " " * (70 - len(header)) + "while (i < 5) { f(i); i++; } return i; }"
    program = '#include "h.h"\nint k; int main(void) { '
    program += " " * (70 - len(program) - len("#include <assert.h>\n"))
    program += "while (k < 5) { k++; } h(); return 0; }\nvoid f(int x) { assert(x != 3); }"
    (tmp_path / "h.h").write_text(header)
    options = Options(engine="isolation", backend="cbmc", jobs=1, timeout=PATIENCE)
    assert Verdict.PROVED not in verdicts(program, tmp_path, options)


def test_checks_of_other_kinds_are_not_what_cbmc_was_asked(tmp_path: Path) -> None:
    text = """
#define PUT(i) do { assert((i) < 100); a[i] = 1; } while (0)
int a[10];
int main(void) { int i; for (i = 0; i <= 20; i++) { PUT(i); } return 0; }
"""
    options = Options(engine="isolation", backend="cbmc", jobs=1, timeout=PATIENCE, check=("bounds",))
    assert verdicts(text, tmp_path, options) == [Verdict.PROVED, Verdict.UNKNOWN]
