"""The real CBMC gives the same verdict on every assertion of the C programs of the tests, where both answer.

CBMC runs with the bound of the program, without unwinding assertions. An assertion is assumed after it, as in Remuda;
so an assertion that is only reached after a violation is not reached. Differences of CBMC 5.12 are listed with the
reasons.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Final

import pytest

from remuda.session import verify_files
from tests.golden_programs import options_of
from tests.peers.cbmc import OTHERWISE, SECONDS, ask_cbmc, our_failures

pytestmark = pytest.mark.peer("cbmc")

FOLDER: Final = Path(__file__).parents[1] / "programs" / "c"
# The generated checks have other names in CBMC: tests/frontends/c/test_checks.py compares them.
# In the others nothing is claimed, so there is nothing to compare.
UNCLAIMED: Final = frozenset(
    {
        *("library_unmodelled", "memory_wild", "memory_wild_copy", "pointers_address_in_a_double"),
        *("control_assembly", "library_error_number_set", "threads_recursive_c11"),
    }
)
PROGRAMS: Final = sorted(
    path for path in FOLDER.glob("*.c") if not path.stem.startswith("check_") and path.stem not in UNCLAIMED
)


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda path: path.stem)
def test_cbmc_agrees(program: Path, tmp_path: Path) -> None:
    if program.stem in OTHERWISE:
        pytest.skip(f"CBMC is wrong: {OTHERWISE[program.stem]}")
    options = replace(options_of(program.read_text()), timeout=SECONDS)
    theirs = ask_cbmc(program, options, tmp_path)
    if isinstance(theirs, str):
        pytest.skip(f"CBMC does not answer: {theirs}")
    ours = our_failures(verify_files([str(program)], options))
    compared = {line: fails for line, fails in ours.items() if line in theirs}
    assert compared
    assert compared == {line: theirs[line] for line in compared}
