"""What `remuda verify FILE` costs without flags: two commands.

    python -m benchmarks.defaults families
    python -m benchmarks.defaults cores RESULTS

`families` runs programs of the papers at fixed sizes, the quick start, and empty programs, and prints verdicts and
processor time. `cores` reads the results of

    remuda bench TASKS ... --config "one=--jobs 1" --config "two=--jobs 2" --out RESULTS

and compares wall time on the slowest tasks that both solve.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from typing import Final, final

from benchmarks.families import dag_fig2, fmcad14_fig1
from benchmarks.isolation import two_sum
from benchmarks.refinement import family_program
from remuda.bench.records import read_records
from remuda.bench.tables import markdown_table

REMUDA: Final = (sys.executable, "-m", "remuda", "verify", "--json", "-")
TWO_SUM_SIZES: Final = (10, 100, 1000, 10_000)
GLOBALS: Final = 400
SLOWEST: Final = 40
LIMIT: Final = 60.0  # seconds for one program

REVERSAL: Final = """\
#include <assert.h>
#include <string.h>
char nondet_char(void);
void reverse(char *s) {
  int n = strlen(s);
  for (int i = 0, j = n - 1; i < j; i++, j--) { char t = s[i]; s[i] = s[j]; s[j] = t; }
}
int main(void) {
  char a[10], b[10];
  for (int i = 0; i < 9; i++) { a[i] = nondet_char(); __CPROVER_assume(a[i] != 0); b[i] = a[i]; }
  a[9] = b[9] = 0;
  reverse(a);
  for (int i = 0; i < 9; i++) assert(a[i] == b[LAST - i]);
  return 0;
}
"""


@final
@dataclass(frozen=True, slots=True)
class Program:
    name: str
    suffix: str
    text: str
    expected: str


def programs() -> list[Program]:
    """Correct and wrong programs at the sizes that matter."""
    found = [
        Program("Fig. 1 of FMCAD'14, n = 100", "bpl", fmcad14_fig1(100), "proved"),
        Program("the same, wrong", "bpl", fmcad14_fig1(100, buggy=True), "violated"),
        Program("Fig. 2 of PLDI'15, N = 400", "bpl", dag_fig2(400), "proved"),
        Program("the same, wrong", "bpl", dag_fig2(400, buggy=True), "violated"),
        Program("string reversal, 9 characters", "c", REVERSAL.replace("LAST", "8"), "proved"),
        Program("the same, wrong", "c", REVERSAL.replace("LAST", "7"), "violated"),
        Program(f"{GLOBALS} globals", "bpl", family_program(GLOBALS), "proved"),
    ]
    for size in TWO_SUM_SIZES:
        found.append(Program(f"2-Sum, size {size}", "c", two_sum(size), "proved"))
        if size <= 1000:
            wrong = two_sum(size).replace(f"j < {size}, ", f"j < {size - 2}, ")
            found.append(Program("the same, wrong", "c", wrong, "violated"))
    found.append(Program("the quick start", "bpl", Path("examples/quickstart.bpl").read_text("utf-8"), "violated"))
    found.append(Program("an empty program", "bpl", "procedure main() { }\n", "nothing-checked"))
    found.append(Program("an empty program", "c", "int main(void) { return 0; }\n", "nothing-checked"))
    return found


def run(program: Program, folder: Path) -> list[str]:
    """A row: verdict, processor seconds with those of all processes, and wall seconds."""
    file = folder / f"program.{program.suffix}"
    file.write_text(program.text, encoding="utf-8")
    before, began = os.times(), time.monotonic()
    command = (*REMUDA, f"--timeout={LIMIT:g}", str(file))
    ended = subprocess.run(command, capture_output=True, text=True, check=False)
    after, wall = os.times(), time.monotonic() - began
    cpu = after.children_user + after.children_system - before.children_user - before.children_system
    verdict = str(json.loads(ended.stdout)["verdict"])
    told = verdict if verdict == program.expected else f"{verdict}, not {program.expected}"
    return [f"{program.name} ({'C' if program.suffix == 'c' else 'Boogie'})", told, f"{cpu:.2f}", f"{wall:.2f}"]


def families() -> str:
    with tempfile.TemporaryDirectory() as folder:
        rows = [run(program, Path(folder)) for program in programs()]
    return markdown_table([["program", "verdict", "CPU s", "wall s"], *rows])


def cores(results: Path) -> str:
    """How much less wall time two processors take than one."""
    seconds: dict[str, dict[str, float]] = {}
    for record in read_records(results / "results.jsonl"):
        if record.solved:
            seconds.setdefault(record.task, {})[record.config] = record.seconds
    both = [each for each in seconds.values() if {"one", "two"} <= each.keys()]
    slowest = sorted(both, key=lambda each: -each["one"])[:SLOWEST]
    ratios = [each["one"] / max(each["two"], 0.001) for each in slowest]
    rows = [["tasks", "one processor, s", "two, s", "median ratio", "least", "most"]]
    one, two = (sum(each[name] for each in slowest) for name in ("one", "two"))
    told = [median(ratios), min(ratios), max(ratios)] if ratios else []
    rows.append([str(len(slowest)), f"{one:.0f}", f"{two:.0f}", *(f"{each:.2f}" for each in told)])
    return markdown_table(rows)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(dest="command", required=True)
    commands.add_parser("families")
    commands.add_parser("cores").add_argument("results", type=Path)
    given = parser.parse_args()
    print(families() if given.command == "families" else cores(given.results))  # noqa: T201
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
