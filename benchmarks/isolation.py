"""Measures what isolating loops saves and costs: three commands.

    python -m benchmarks.isolation table TASKS/c/qicc --out results
    python -m benchmarks.isolation wide --loops 100
    python -m benchmarks.isolation hits TASKS/c/loops TASKS/c/ssh ... --out hits.jsonl

`table` repeats Table 1 and Fig. 3 of Akhundov's paper: CBMC alone, CBMC on isolated loops, Remuda with and without
isolation, each in a separate process, one after another. The two-sum programs are made here, the others are taken
from the folder. `wide` measures a program with many independent loops, with one job and with two. `hits` counts the
tasks with assertions in loops that a fragment decides, and measures the costs; it continues an existing file of
results.
"""

from __future__ import annotations

import argparse
import json
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Final, final

from remuda.analysis.callgraph import call_graph
from remuda.analysis.loops import find_loops
from remuda.bench.plots import plots_available, save
from remuda.bench.run import find_tasks
from remuda.bench.tables import markdown_table
from remuda.ir.program import Assert, Call
from remuda.options import Options
from remuda.prepare.load import load
from remuda.prepare.read import read_source
from remuda.tasks import Task, expected, task_options

REMUDA: Final = (sys.executable, "-m", "remuda")
STUB: Final = re.compile(r"^\s*int __CPROVER_(assert|assume)\(.*\}\s*$", re.MULTILINE)
SIZES: Final = (10, 30, 100, 200, 500, 1000, 3000, 10_000)
PROGRAMS: Final = {  # file, and the unwinding that suffices for CBMC, if any
    "factorial sum": ("factorial_sum0.c", None),
    "loop mult.": ("loop_mult20.c", 22),
    "constraint board": ("constraint_board.c", None),
}
CONFIGS: Final = ("--no-isolate", "--isolate")

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
    """Listing 1 of the paper; without a size, the size is an input."""
    if size is not None:
        return TWO_SUM.format(declared="", size=size, body=f"  static int numbers[{size}];")
    return TWO_SUM.format(
        declared="int size;\nvoid *malloc(__SIZE_TYPE__);\nint nondet(void);\n",
        size="size",
        body="  size = nondet();\n  int *numbers = malloc(size * sizeof(int));",
    )


def wide_program(loops: int) -> str:
    """A program with loops one after another, each with an assertion that follows from its own code."""
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
    """A verdict as the tool reports it, and wall-clock seconds; no verdict if the time ran out."""

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
    """Run each tool that has not exceeded the limit before on a program. CBMC gets the sufficient unwinding, if it is
    known."""
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


@final
@dataclass(frozen=True, slots=True)
class Hit:
    """The result of one task with one set of flags; `in_fragments` counts the assertions that were proved in
    fragments."""

    task: str
    suite: str
    config: str
    expected: str | None
    verdict: str
    seconds: float
    in_fragments: int


def has_assertions_in_loops(task: Task) -> bool:
    """Whether executions may reach an assertion inside a loop, or below a call inside one."""
    program, _ = load([read_source(str(path)) for path in task.inputs], task_options(task, Options()))
    graph = call_graph(program)
    in_loops = {
        name: {label for loop in find_loops(procedure).loops if len(loop.blocks) > 1 for label in loop.blocks}
        for name in graph.reachable()
        if (procedure := program.procedures[name]).blocks is not None
    }
    called = [
        statement.procedure
        for name, labels in in_loops.items()
        for block in program.procedures[name].blocks or ()
        for statement in block.statements
        if isinstance(statement, Call) and block.label in labels
    ]
    below = set(graph.reachable(called))
    return any(
        isinstance(statement, Assert)
        for name, labels in in_loops.items()
        for block in program.procedures[name].blocks or ()
        if name in below or block.label in labels
        for statement in block.statements
    )


def decide(task: Task, config: str, seconds: float) -> Hit:
    command = [*REMUDA, "verify", str(task.path), "--json", "-", "--jobs", "1", f"--timeout={seconds:g}", config]
    reports: list[dict[str, Any]] = []

    def read(output: str) -> str:
        start = output.find("{")
        reports.append(json.loads(output[start:]) if start >= 0 else {})
        return str(reports[0].get("verdict", "error"))

    ended = run(command, seconds + 10, read)
    results = reports[0].get("assertions", ()) if reports else ()
    alone = sum("without the rest of the program" in (result["reason"] or "") for result in results)
    suite = task.path.absolute().parent.name
    return Hit(str(task.path), suite, config, expected(task), ended.verdict or "unknown", ended.seconds, alone)


def hits(given: argparse.Namespace) -> int:
    out = Path(given.out)
    done = [Hit(**json.loads(line)) for line in out.read_text(encoding="utf-8").splitlines()] if out.exists() else []
    known = {(each.task, each.config) for each in done}
    with out.open("a", encoding="utf-8") as file:
        for task in find_tasks(given.tasks):
            missing = [config for config in CONFIGS if (str(task.path), config) not in known]
            if not missing or not has_assertions_in_loops(task):
                continue
            progress(str(task.path))
            for config in missing:
                done.append(decide(task, config, given.timeout))
                file.write(json.dumps(asdict(done[-1])) + "\n")
                file.flush()
    sys.stdout.write(hit_table(done))
    return 10 if any(map(is_wrong, done)) else 0


def is_wrong(hit: Hit) -> bool:
    return (hit.verdict, hit.expected) in {("violated", "true"), ("proved", "false")}


def hit_table(done: Sequence[Hit]) -> str:
    """A row for each suite. A task is a hit if it is proved, and an assertion of it was proved in a fragment."""
    plain, isolated = CONFIGS
    heads = ["suite", "tasks", "of them hit", "proved", "proved, isolated", "s", "s, isolated", "wrong"]
    rows = [heads]
    for suite in (*dict.fromkeys(each.suite for each in done), None):
        runs = {
            config: [each for each in done if each.config == config and suite in {each.suite, None}]
            for config in CONFIGS
        }
        hit = sum(each.in_fragments > 0 and each.verdict == "proved" for each in runs[isolated])
        proved = [sum(each.verdict == "proved" for each in runs[config]) for config in (plain, isolated)]
        took = [f"{sum(each.seconds for each in runs[config]):.0f}" for config in (plain, isolated)]
        wrong = sum(map(is_wrong, runs[plain] + runs[isolated]))
        rows.append([suite or "all", str(len(runs[plain])), str(hit), *map(str, proved), *took, str(wrong)])
    return markdown_table(rows)


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
    third = commands.add_parser("hits", help="how many tasks a fragment decides")
    third.add_argument("tasks", nargs="+", help="task definitions, or folders of them")
    third.add_argument("--timeout", type=float, default=30.0)
    third.add_argument("--out", required=True, help="a file that takes a line for each run")
    third.set_defaults(command=hits)
    given = parser.parse_args(argv)
    command: Callable[[argparse.Namespace], int] = given.command
    return command(given)


if __name__ == "__main__":
    sys.exit(main())
