"""Measures what implications between assertions save, as in Table 1 of *Symbolic Detection of Assertion
Dependencies*.

    python -m benchmarks.implications order TASK.yml ... --most 120 --out results.jsonl
    python -m benchmarks.implications groups TASK.yml ... --most 40 --folder DIR
    python -m benchmarks.implications many --assertions 10000

`order` writes assertions into every program (`remuda synthesize`), and checks them one by one, without implications
and in both orders; then with the default for many assertions, and all of them in one search without implications.
Every run is a separate process, and judges every assertion alone (`--on-failure continue`), as in the paper. `groups`
writes such programs, and lists those of their assertions that no other implies, for `benchmarks.summaries sizes`.
`many` makes one program with this many assertions, a tenth of which fail, and prints the costs of `remuda verify` for
it.
"""

from __future__ import annotations

import argparse
import json
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Final, final

from remuda.bench.tables import markdown_table
from remuda.options import Options
from remuda.tasks import Task, load_task, task_options

REMUDA: Final = (sys.executable, "-m", "remuda")
ALONE: Final = ("--on-failure", "continue", "--no-houdini")
CONFIGS: Final = {
    "one by one": (*ALONE, "--at-a-time", "1", "--implications", "off"),
    "forward": (*ALONE, "--at-a-time", "1", "--implications", "forward"),
    "backward": (*ALONE, "--at-a-time", "1", "--implications", "backward"),
    "auto": (*ALONE, "--at-a-time", "1", "--implications", "auto"),
    "together": (*ALONE, "--implications", "off"),
    "together, auto": (*ALONE, "--implications", "auto"),
}
HOLDING: Final = {
    "proved": "holds",
    "unreachable": "holds",
    "bounded": "holds",
}  # one search may decide more than another


@final
@dataclass(frozen=True, slots=True)
class Run:
    """The run of one configuration on one program; `seconds` without reading the program, `verdicts` by assertion."""

    program: str
    config: str
    seconds: float
    checked: int
    implications: int
    implication_seconds: float
    verdicts: dict[str, str]
    incomplete: bool


def flags_of(task: Task) -> list[str]:
    options = task_options(task, Options())
    labels = [flag for label in options.error_label for flag in ("--error-label", label)]
    return ["--arch", options.arch, *labels]


def synthesize(task: Task, most: int, folder: Path) -> Path:
    file = folder / task.inputs[0].name
    command = [*REMUDA, "synthesize", str(task.path), "--most", str(most), "-o", str(file)]
    subprocess.run(command, check=True, capture_output=True)
    return file


def verify(name: str, file: Path, config: str, flags: Sequence[str], seconds: float) -> Run:
    command = [*REMUDA, "verify", str(file), "--json", "-", f"--timeout={seconds:g}", *flags, *CONFIGS[config]]
    ended = subprocess.run(command, capture_output=True, text=True, check=False)
    report: dict[str, Any] = json.loads(ended.stdout[ended.stdout.index("{") :])
    stats = report["stats"]
    return Run(
        name,
        config,
        stats["seconds"] - stats["frontend_seconds"],
        stats["checked"],
        stats["implications"],
        stats["implication_seconds"],
        {result["id"]: result["verdict"] for result in report["assertions"]},
        bool(report["incomplete"]),
    )


def order(given: argparse.Namespace) -> int:
    out = Path(given.out)
    done = [Run(**json.loads(line)) for line in out.read_text(encoding="utf-8").splitlines()] if out.exists() else []
    known = {(each.program, each.config) for each in done}
    with tempfile.TemporaryDirectory() as name, out.open("a", encoding="utf-8") as lines:
        for path in given.tasks:
            task = load_task(Path(path))
            missing = [config for config in CONFIGS if (task.name, config) not in known]
            file = synthesize(task, given.most, Path(name)) if missing else Path()
            for config in missing:
                progress(f"{task.name}: {config}")
                flags = [*flags_of(task), "--bound", str(given.bound)]
                done.append(verify(task.name, file, config, flags, given.timeout))
                lines.write(json.dumps(asdict(done[-1])) + "\n")
                lines.flush()
    sys.stdout.write(table(done))
    different = [text for name in programs_of(done) for text in disagreements(done, name)]
    sys.stdout.write("\n".join(["", *different, f"{len(different)} verdicts differ", ""]))
    return 10 if different else 0


def programs_of(runs: Sequence[Run]) -> list[str]:
    return list(dict.fromkeys(run.program for run in runs))


def of_program(runs: Sequence[Run], program: str) -> dict[str, Run]:
    return {run.config: run for run in runs if run.program == program}


def disagreements(runs: Sequence[Run], program: str) -> list[str]:
    """Assertions that hold in one run and fail in another."""
    found = []
    by_config = of_program(runs, program)
    first = by_config["one by one"].verdicts
    for config, run in by_config.items():
        for assertion, verdict in run.verdicts.items():
            one, other = (HOLDING.get(each, each) for each in (first[assertion], verdict))
            if "unknown" not in {one, other} and one != other:
                found.append(f"{program}, {config}: {assertion} is {verdict}, one by one {first[assertion]}")
    return found


def table(runs: Sequence[Run]) -> str:
    heads = ["program", "assertions", "fail", "implications", "checks F", "checks B", "s to compare", *CONFIGS]
    rows = [heads]
    totals = dict.fromkeys(CONFIGS, 0.0)
    for name in programs_of(runs):
        found = of_program(runs, name)
        for config in CONFIGS:
            totals[config] += found[config].seconds
        rows.append(row(name, found))
    rows.append(["all", *[""] * 6, *(f"{totals[config]:.0f}" for config in CONFIGS)])
    return markdown_table(rows)


def row(name: str, found: Mapping[str, Run]) -> list[str]:
    plain, forward, backward = found["one by one"], found["forward"], found["backward"]
    failing = sum(verdict == "violated" for verdict in plain.verdicts.values())
    counts = (len(plain.verdicts), failing, forward.implications, forward.checked, backward.checked)
    seconds = [f"{run.seconds:.1f}{' (cut)' if run.incomplete else ''}" for run in found.values()]
    return [name, *map(str, counts), f"{forward.implication_seconds:.1f}", *seconds]


def groups(given: argparse.Namespace) -> int:
    """Write programs with assertions, and the strongest of these; of equivalent ones, the first."""
    folder = Path(given.folder)
    folder.mkdir(parents=True, exist_ok=True)
    found: dict[str, list[str]] = {}
    for path in given.tasks:
        task = load_task(Path(path))
        file = synthesize(task, given.most, folder)
        progress(str(file))
        command = [*REMUDA, "implications", str(file), "--json", "-", "--both-directions"]
        graph = json.loads(subprocess.run(command, capture_output=True, text=True, check=True).stdout)
        doubles = {name for group in graph["equivalent"] for name in group[1:]}
        strongest = [each["id"] for each in graph["assertions"] if each["strongest"] and each["id"] not in doubles]
        found[str(file)] = strongest
    (folder / "groups.json").write_text(json.dumps(found, indent=2) + "\n", encoding="utf-8")
    return 0


# --- ten thousand assertions


def many_program(assertions: int) -> str:
    """A program of functions with twenty assertions each, of which others imply most, and one in ten fails for some
    arguments."""
    functions = max(1, assertions // 20)
    lines = ["void __CPROVER_assert(int condition, const char *text);", "int nondet(void);"]
    for number in range(functions):
        lines += [f"int f{number}(int a, int b) {{", "  int s = 0;"]
        lines += ["  if (a < 0 || a > 1000 || b < 0 || b > 1000) return 0;"]
        for step in range(20):
            if step % 5 == 0:
                lines.append(f"  s = a + b + {step};")
            stated = (f"s >= {step // 5}", f"s >= a + {step // 5}", "s - a >= 0", f"s <= 2020 + {number % 3}")
            condition = stated[step % 4] if step % 10 != 9 else f"s != {500 + number % 100}"
            lines.append(f'  __CPROVER_assert({condition}, "{step}");')
        lines += ["  return s;", "}"]
    cases = "\n".join(f"    case {number}: return f{number}(nondet(), nondet());" for number in range(functions))
    return "\n".join([*lines, "int main(void) {", "  switch (nondet()) {", cases, "  }", "  return 0;", "}", ""])


def many(given: argparse.Namespace) -> int:
    with tempfile.TemporaryDirectory() as name:
        file = Path(name) / "many.c"
        file.write_text(many_program(given.assertions), encoding="utf-8")
        began = time.monotonic()
        command = [*REMUDA, "verify", str(file), "--json", "-", f"--timeout={given.timeout:g}"]
        ended = subprocess.run(command, capture_output=True, text=True, check=False)
        seconds = time.monotonic() - began
    report = json.loads(ended.stdout[ended.stdout.index("{") :])
    verdicts = [result["verdict"] for result in report["assertions"]]
    counts = ", ".join(f"{verdicts.count(each)} {each}" for each in dict.fromkeys(verdicts))
    memory = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024
    sys.stdout.write(f"{len(verdicts)} assertions: {counts}; {seconds:.0f} s, {memory:.0f} MB\n")
    return 0


def progress(text: str) -> None:
    sys.stderr.write(f"{text}\n")


def main(argv: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description="What implications between assertions save.")
    commands = parser.add_subparsers(required=True)
    one = commands.add_parser("order", help="Table 1: checking fewer assertions")
    one.add_argument("tasks", nargs="+", help="task definitions of C programs")
    one.add_argument("--most", type=int, default=120, help="assertions to write into a program")
    one.add_argument("--bound", type=int, default=2)
    one.add_argument("--timeout", type=float, default=600.0)
    one.add_argument("--out", required=True, help="a file that takes a line for each run")
    one.set_defaults(command=order)
    two = commands.add_parser("groups", help="programs with assertions, and the strongest of them")
    two.add_argument("tasks", nargs="+", help="task definitions of C programs")
    two.add_argument("--most", type=int, default=40, help="assertions to write into a program")
    two.add_argument("--folder", required=True)
    two.set_defaults(command=groups)
    other = commands.add_parser("many", help="one program with very many assertions")
    other.add_argument("--assertions", type=int, default=10_000)
    other.add_argument("--timeout", type=float, default=1200.0)
    other.set_defaults(command=many)
    given = parser.parse_args(argv)
    command: Callable[[argparse.Namespace], int] = given.command
    return command(given)


if __name__ == "__main__":
    sys.exit(main())
