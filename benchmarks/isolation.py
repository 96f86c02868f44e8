"""What isolating loops saves and costs: three commands.

    python -m benchmarks.isolation table TASKS/c/qicc --out results
    python -m benchmarks.isolation wide --loops 100
    remuda bench TASKS/c/loops ... --config "isolated=--isolate" --config "plain=--no-isolate" --out results

`table` re-makes Table 1 and Fig. 3 of Akhundov's paper: CBMC as it is, CBMC on isolated loops, Remuda with and without
isolation, each a process of its own, one after another. The two-sum programs are made here, the others are taken from
the folder. `wide` looks at a program with many loops that have nothing to do with each other, with one job and with two.
"""

from __future__ import annotations

import argparse
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final, final

from remuda.bench.plots import plots_available, save
from remuda.bench.tables import markdown_table

REMUDA: Final = (sys.executable, "-m", "remuda")
STUB: Final = re.compile(r"^\s*int __CPROVER_(assert|assume)\(.*\}\s*$", re.MULTILINE)
SIZES: Final = (10, 30, 100, 200, 500, 1000, 3000, 10_000)
PROGRAMS: Final = {  # file, and the unwinding that CBMC needs, if any is enough
    "factorial sum": ("factorial_sum0.c", None),
    "loop mult.": ("loop_mult20.c", 22),
    "constraint board": ("constraint_board.c", None),
}

TWO_SUM: Final = """\
void __CPROVER_assert(int condition, const char *description);
{declared}
int has_pair(int *numbers, int wanted) {{
  int found = 0;
  for (int i = 0; i < {size}; i++) {{
    for (int j = 0; j < i; j++) {{
      __CPROVER_assert(j < {size}, "in bounds");
      if (numbers[j] + numbers[i] == wanted) found++;
    }}
  }}
  for (int i = 0; i < {size}; i++) found += numbers[i] == 0;
  return found;
}}

int main(void) {{
{body}
  int wanted;
  return has_pair(numbers, wanted);
}}
"""


def two_sum(size: int | None) -> str:
    """Listing 1 of the paper; with no size, one that is an input."""
    if size is not None:
        return TWO_SUM.format(declared="", size=size, body=f"  static int numbers[{size}];")
    return TWO_SUM.format(
        declared="int size;\nvoid *malloc(__SIZE_TYPE__);\nint nondet(void);\n",
        size="size",
        body="  size = nondet();\n  int *numbers = malloc(size * sizeof(int));",
    )


def wide_program(loops: int) -> str:
    """Loops one after another, each with an assertion that its own code is enough for."""
    bodies = "\n".join(
        f"  for (unsigned i = 0; i < n; i++) {{ unsigned a = nondet() & 16383;"
        f' __CPROVER_assert((a * {k + 3} + {k}) / {k + 3} == a + {k} / {k + 3}, "{k}"); }}'
        for k in range(loops)
    )
    return (
        "void __CPROVER_assert(int condition, const char *description);\nunsigned nondet(void);\n"
        f"int main(void) {{\n  unsigned n = nondet();\n{bodies}\n  return 0;\n}}\n"
    )


@final
@dataclass(frozen=True, slots=True)
class Run:
    """A verdict in the tool's own words, and wall-clock seconds; no verdict if the time ran out."""

    verdict: str
    seconds: float

    def __str__(self) -> str:
        return f"{self.seconds:.1f} {self.verdict}" if self.verdict else f"> {self.seconds:.0f}"


def run(command: Sequence[str], seconds: float, read: Callable[[str], str]) -> Run:
    began = time.monotonic()
    process = subprocess.Popen(
        list(command), stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, start_new_session=True
    )
    try:
        output, _ = process.communicate(timeout=seconds)
    except subprocess.TimeoutExpired:
        process.kill()
        process.communicate()
        return Run("", seconds)
    return Run(read(output), time.monotonic() - began)


def of_remuda(output: str) -> str:
    found = re.search(r"^verdict: (\w+)", output, re.MULTILINE)
    return found.group(1) if found is not None else "no verdict"


def of_cbmc(output: str) -> str:
    if "VERIFICATION SUCCESSFUL" in output:
        return "proved"
    return "failed" if "VERIFICATION FAILED" in output else "no verdict"


def measure(
    text: str, unwind: int | None, seconds: float, folder: Path, given_up: Collection[str] = ()
) -> dict[str, Run]:
    """The same program, once for each tool that has not given up. CBMC is told how far to unwind, where that is known."""
    file = folder / "program.c"
    file.write_text(STUB.sub("", text), encoding="utf-8")
    limit = ["--unwind", str(unwind), "--unwinding-assertions"] if unwind is not None else []
    common = (str(file), "--timeout", str(seconds))
    commands = {
        "CBMC": ["cbmc", str(file), *limit],
        "CBMC, isolated": [*REMUDA, "isolate", "--backend", "cbmc", *common],
        "Remuda": [*REMUDA, "verify", *common],
        "Remuda --isolate": [*REMUDA, "verify", "--isolate", *common],
        "Remuda --no-isolate": [*REMUDA, "verify", "--no-isolate", *common],
    }
    return {
        name: Run("", seconds)
        if name in given_up
        else run(command, seconds, of_cbmc if command[0] == "cbmc" else of_remuda)
        for name, command in commands.items()
    }


def table(given: argparse.Namespace) -> int:
    measured: dict[str, dict[str, Run]] = {}
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        given_up: set[str] = set()
        for size in SIZES:
            progress(f"two-sum {size}")
            runs = measured[f"2-sum, fixed {size}"] = measure(
                two_sum(size), size + 1, given.timeout, folder, given_up
            )
            given_up |= {name for name, each in runs.items() if not each.verdict}
        progress("two-sum variable")
        measured["2-sum, variable"] = measure(two_sum(None), None, given.timeout, folder)
        for title, (file, unwind) in PROGRAMS.items():
            progress(title)
            text = (Path(given.folder) / file).read_text(encoding="utf-8")
            measured[title] = measure(text, unwind, given.timeout, folder)
    sys.stdout.write(report(measured))
    if given.out and plots_available():
        draw(measured, Path(given.out))
    return 0


def report(measured: Mapping[str, Mapping[str, Run]]) -> str:
    tools = list(next(iter(measured.values())))
    rows = [[title, *(str(runs[tool]) for tool in tools)] for title, runs in measured.items()]
    return markdown_table([["program", *tools], *rows])


def draw(measured: Mapping[str, Mapping[str, Run]], folder: Path) -> None:
    from matplotlib.figure import Figure

    figure = Figure(figsize=(6, 4))
    axes = figure.subplots()
    for tool in next(iter(measured.values())):
        points = [(size, measured[f"2-sum, fixed {size}"][tool]) for size in SIZES]
        known = [(size, each.seconds) for size, each in points if each.verdict]
        axes.plot([size for size, _ in known], [seconds for _, seconds in known], marker="o", label=tool)
    axes.set_xscale("log")
    axes.set_yscale("log")
    axes.set_xlabel("size")
    axes.set_ylabel("seconds")
    axes.legend()
    save(figure, folder / "isolation-two-sum")


def wide(given: argparse.Namespace) -> int:
    with tempfile.TemporaryDirectory() as name:
        file = Path(name) / "wide.c"
        file.write_text(wide_program(given.loops), encoding="utf-8")
        runs = {
            jobs: run([*REMUDA, "isolate", str(file), "--jobs", str(jobs)], given.timeout, of_remuda)
            for jobs in (1, 2)
        }
    rows = [[str(jobs), str(each)] for jobs, each in runs.items()]
    sys.stdout.write(markdown_table([["jobs", "seconds"], *rows]))
    sys.stdout.write(f"{runs[1].seconds / runs[2].seconds:.2f} times as fast with two jobs\n")
    return 0


def progress(text: str) -> None:
    sys.stderr.write(f"{text}\n")


def main(argv: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description="What isolating loops saves and costs.")
    commands = parser.add_subparsers(required=True)
    one = commands.add_parser("table", help="Table 1 and Fig. 3")
    one.add_argument("folder", help="where the paper's programs are")
    one.add_argument("--timeout", type=float, default=60.0)
    one.add_argument("--out")
    one.set_defaults(command=table)
    other = commands.add_parser("wide", help="many independent loops, with one and with two jobs")
    other.add_argument("--loops", type=int, default=100)
    other.add_argument("--timeout", type=float, default=300.0)
    other.set_defaults(command=wide)
    given = parser.parse_args(argv)
    command: Callable[[argparse.Namespace], int] = given.command
    return command(given)


if __name__ == "__main__":
    sys.exit(main())
