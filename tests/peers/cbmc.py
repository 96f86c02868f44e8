"""The verdicts of CBMC for a program, line by line, and those of Remuda in the same form."""

from __future__ import annotations

import re
import shutil
import subprocess
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from pathlib import Path

    from remuda.options import Options
    from remuda.results.report import Report

SECONDS: Final = 60
DECLARED: Final = re.compile(r"^(extern )?void __VERIFIER_(assert|assume)\(int [a-z]*\);$", re.MULTILINE)
DEFINED: Final = """\
#define __VERIFIER_assert(...) do { \\
  _Bool holds = (__VA_ARGS__); __CPROVER_assert(holds, "claim"); __CPROVER_assume(holds); } while (0)
#define __VERIFIER_assume(...) __CPROVER_assume(__VA_ARGS__)
#line 1
"""
NO_BODY: Final = re.compile(r"no body for function (\S+)")
RESULT: Final = re.compile(r"^\[[^\]]*\] line (\d+) (.*): (SUCCESS|FAILURE|UNKNOWN|ERROR)$", re.MULTILINE)
# What CBMC 5.12 does otherwise than gcc.
OTHERWISE: Final = {
    "bitfields_bool": "it cuts bits off where it should convert to _Bool",
    "bitfields_stepped": "the value of --x.f is not promoted to int",
    "bitfields_stepped_disputed": "there is no verdict to compare: compilers disagree",
    "bitfields_unknown": "a _Bool whose value is not known may be anything",
    "data_bool": "a _Bool whose value is not known may be anything",
    "data_enums": "enumerations are signed, whatever their constants",
    "data_long_double": "its long double has 128 bits",
    "data_ranges": "a range of designators initialises its first element only",
    "entry_arguments": "main is given at least one argument, and any pointers",
    "functions_object_size": "it does not know the size of any object when it compiles",
    "inputs_bytes": "it does not know __VERIFIER_nondet_memory",
    "isolated_volatile": "a volatile object keeps its value",
    "library_error_number": "errno is not zero when the program starts",
    "memory_computed_lengths_narrow": "arrays of any size have room on the stack",
    "memory_filled": "its unwinding cuts the loop that fills memory",
    "memory_padding_automatic": "the padding of an automatic struct is zero",
    "pointers_index_past_array_in_record": "an index outside of its array leads nowhere",
    "scopes_cleanup_behind_literal": "it does not call the functions that the attribute cleanup names",
    "scopes_entered_again": "a jump past a declaration forgets the variable, also if its block is not left",
    "scopes_jumps_back": "a declaration that is executed again makes a new object, also if its block is not left",
    "threads": "pthread_join does not tell what a thread returned",
    "threads_other_locks": "a lock that it does not know does nothing",
    "threads_end": "pthread_join does not tell what a thread returned",
    "volatile_inputs": "a volatile object keeps its value",
    "volatile_kept_handlers": "a volatile object keeps its value",
    "volatile_threads": "a volatile object keeps its value",
    "library_atomics": "__atomic_compare_exchange_n does not tell which value it found",
}


def ask_cbmc(program: Path, options: Options, folder: Path) -> dict[int, bool] | str:
    """Of every line with an assertion, whether one of its assertions fails; or why there is no answer."""
    copy = folder / program.name
    copy.write_text(DEFINED + DECLARED.sub("", program.read_text()))
    command = [shutil.which("cbmc") or "cbmc", "--unwind", str(options.bound + 1), "--no-unwinding-assertions"]
    command += ["--32" if options.arch == "ilp32" else "--64", str(copy)]
    try:
        done = subprocess.run(command, check=False, capture_output=True, text=True, timeout=SECONDS)
    except subprocess.TimeoutExpired:
        return "out of time"
    if "VERIFICATION" not in done.stdout:
        return (done.stdout + done.stderr).strip().splitlines()[-1]
    found: dict[int, bool] = {}
    for line, description, outcome in RESULT.findall(done.stdout):
        if description == "claim" or description.startswith("assertion "):
            found[int(line)] = found.get(int(line), False) or outcome == "FAILURE"
    missing = [name for name in NO_BODY.findall(done.stdout + done.stderr) if "nondet" not in name]
    return f"it has no model of {', '.join(missing)}" if missing else found


def our_failures(report: Report) -> dict[int, bool]:
    """The same of ours, without the lines where we do not know."""
    lines: dict[int, list[str]] = {}
    for result in report.assertions:
        lines.setdefault(result.location.line, []).append(result.verdict.value)
    return {line: "violated" in verdicts for line, verdicts in lines.items() if "unknown" not in verdicts}
