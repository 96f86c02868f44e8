"""Measures what a folder of summaries saves after an edit, and the sizes of summaries: two commands.

    python -m benchmarks.summaries edit TASKS/c/ntdrivers TASKS/c/ntdrivers-simplified --edits 4 --out edits.jsonl
    python -m benchmarks.summaries sizes groups.json

`edit` verifies each program with an empty folder. Then it edits one function after another, and verifies the edited
program twice: with the folder of the first run, and from scratch. Edits are generated: a new local variable
(`local`), a new statement (`statement`), another number in an assignment (`constant`). Both runs must have the same
verdicts.

For each program of a file, `sizes` compares summaries for all assertions with those for a list of them, such as those
that no other implies (Table 2 of Fedyukovich et al., FASE 2015), as `benchmarks.implications groups` writes it. The
file has programs or tasks, and identifiers of assertions as in reports:

    {"TASKS/c/x.yml": ["x.c:main:assert:1"], "y.bpl": ["y.bpl:Push:assert:2"]}
"""

from __future__ import annotations

import argparse
import json
import re
import resource
import shutil
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from random import Random
from statistics import median
from typing import TYPE_CHECKING, Final, final

from remuda.bench.run import find_tasks
from remuda.bench.tables import markdown_table
from remuda.options import Options
from remuda.prepare.load import load
from remuda.prepare.pipeline import prepare
from remuda.prepare.read import read_source
from remuda.session import verify_files
from remuda.store.summarise import summarise
from remuda.tasks import Task, task_options

if TYPE_CHECKING:
    from remuda.results.report import Report

BODY: Final = re.compile(r"^(?!typedef|extern)[^\n;{}#]*?\b(?P<name>\w+)\([^;{}]*\)[ \t]*\n\{", re.MULTILINE)
NUMBER: Final = re.compile(r"(?<=[^=!<>]= )(?P<number>\d+)(?P<suffix>[UL]*)(?= ?;)")
KINDS: Final = ("local", "statement", "constant")


@final
@dataclass(frozen=True, slots=True)
class Edited:
    """One edit, and the two runs after it; `how` says how the first one found its verdicts."""

    program: str
    function: str
    kind: str
    first: float
    with_folder: float
    scratch: float
    verdict: str
    same: bool
    how: str


def edits(text: str, functions: Sequence[str], count: int, random: Random) -> Iterator[tuple[str, str, str]]:
    """Functions, kinds of edits, and edited texts."""
    bodies = {match["name"]: match.end() for match in BODY.finditer(text) if match["name"] in functions}
    names = sorted(bodies)
    random.shuffle(names)
    for number, name in enumerate(names[:count]):
        start = bodies[name]
        end = text.find("\n}", start)
        kind = KINDS[number % len(KINDS)]
        numbers = [match for match in NUMBER.finditer(text, start, end) if int(match["number"]) < 1000]
        if kind == "constant" and not numbers:
            kind = "statement"
        if kind == "local":
            yield name, kind, f"{text[:start]} int remuda_edit = 7 ; {text[start:]}"
        elif kind == "statement":
            addition = " int remuda_edit ; int remuda_more = remuda_edit > 0 ? 1 : 2 ; "
            yield name, kind, f"{text[:start]}{addition}{text[start:]}"
        else:
            place = random.choice(numbers)
            changed = f"{int(place['number']) + 1}{place['suffix']}"
            yield name, kind, f"{text[: place.start()]}{changed}{text[place.end() :]}"


def verdicts(report: Report) -> list[tuple[str, str]]:
    """The verdicts of a report, with `unreachable` counted as `proved`."""
    words = {"unreachable": "proved"}
    return [(each.identifier, words.get(each.verdict.value, each.verdict.value)) for each in report.assertions]


def timed(file: Path, options: Options) -> tuple[Report, float]:
    """A report, and its CPU seconds, because other programs may run at the same time."""
    began = resource.getrusage(resource.RUSAGE_CHILDREN)
    report = verify_files([str(file)], options)
    ended = resource.getrusage(resource.RUSAGE_CHILDREN)
    return report, ended.ru_utime + ended.ru_stime - began.ru_utime - began.ru_stime


def functions_of(task: Task, options: Options) -> list[str]:
    """The functions that executions can reach."""
    program, left = load([read_source(str(path)) for path in task.inputs], options)
    return list(prepare(program, left).searched.procedures)


def edit_one(task: Task, given: argparse.Namespace, folder: Path) -> Iterator[Edited]:
    (source,) = task.inputs
    options = replace(task_options(task, Options()), timeout=given.timeout, alternate=given.alternate)
    text = source.read_text(encoding="utf-8")
    store = folder / "store"
    file = folder / source.name
    file.write_text(text, encoding="utf-8")
    _, first = timed(file, replace(options, summaries_dir=str(store)))
    functions = functions_of(task, options)
    for name, kind, edited in edits(text, functions, given.edits, Random(given.seed)):
        file.write_text(edited, encoding="utf-8")
        copy = folder / "copy"
        shutil.copytree(store, copy)
        after, seconds = timed(file, replace(options, summaries_dir=str(copy)))
        scratch, scratch_seconds = timed(file, options)
        shutil.rmtree(copy)
        costs = after.statistics
        how = f"{costs.verdicts_reused} known, {costs.verdicts_rechecked} again, {costs.solver_calls} questions"
        same = verdicts(after) == verdicts(scratch)
        yield Edited(
            source.name, name, kind, first, seconds, scratch_seconds, after.verdict.value, same=same, how=how
        )


def edit(given: argparse.Namespace) -> int:
    found: list[Edited] = []
    with Path(given.out).open("a", encoding="utf-8") as out:
        for task in find_tasks(given.tasks):
            sys.stderr.write(f"{task.path}\n")
            with tempfile.TemporaryDirectory() as folder:
                for each in edit_one(task, given, Path(folder)):
                    found.append(each)
                    out.write(json.dumps(asdict(each)) + "\n")
                    out.flush()
    sys.stdout.write(edit_table(found))
    return 0 if all(each.same for each in found) else 10


def edit_table(found: Sequence[Edited]) -> str:
    heads = ["program", "function", "edit", "verdict", "from scratch", "with folder", "times", "how"]
    rows = [
        [
            each.program,
            each.function,
            each.kind,
            each.verdict if each.same else f"{each.verdict}, NOT THE SAME",
            f"{each.scratch:.1f}",
            f"{each.with_folder:.1f}",
            f"{each.scratch / each.with_folder:.1f}",
            each.how,
        ]
        for each in found
    ]
    ratios = [each.scratch / each.with_folder for each in found]
    total = sum(each.scratch for each in found) / max(0.001, sum(each.with_folder for each in found))
    summary = f"median {median(ratios):.1f} times as fast, {total:.1f} in total\n" if ratios else ""
    return markdown_table([heads, *rows]) + summary


@final
@dataclass(frozen=True, slots=True)
class Sizes:
    """The sizes of a program's summaries, for all assertions and for some: nodes of their terms. `apart` are those
    made for one assertion after the other and then combined, `together` those made for all at once."""

    program: str
    assertions: int
    chosen: int
    apart: int
    chosen_apart: int
    together: int
    chosen_together: int


def sizes_of(path: Path, identifiers: Sequence[str], options: Options, seconds: float) -> Sizes:
    """The sizes of all kinds of summaries of one program, with this many seconds for each."""
    inputs = [path]
    if path.suffix == ".yml":
        (task,) = find_tasks([str(path)])
        inputs, options = list(task.inputs), task_options(task, options)
    program, options = load([read_source(str(each)) for each in inputs], options)
    prepared = prepare(program, options)
    every = list(prepared.checks.values())
    # Other assertions are not reachable.
    chosen = [prepared.checks[name] for name in identifiers if name in prepared.checks]
    found = [
        summarise(prepared, options, checks, time.monotonic() + seconds, apart=apart).size
        for apart in (True, False)
        for checks in (every, chosen)
    ]
    return Sizes(path.name, len(every), len(chosen), *found)


def sizes(given: argparse.Namespace) -> int:
    groups = json.loads(Path(given.groups).read_text(encoding="utf-8"))
    # Judge each assertion alone: if executions end at failures, implied assertions need no summaries.
    checks = (given.check,) if given.check else ()
    options = Options(check=checks, integers=given.integers, bound=given.bound, on_failure="continue")
    found: list[Sizes] = []
    for path, names in groups.items():
        sys.stderr.write(f"{path}\n")
        found.append(sizes_of(Path(path), names, options, given.timeout))
    sys.stdout.write(size_table(found))
    return 0


def size_table(found: Sequence[Sizes]) -> str:
    heads = ["program", "assertions", "chosen"]
    heads += ["one by one", "one by one, chosen", "smaller by"]
    heads += ["together", "together, chosen", "smaller by"]
    rows = [
        [
            each.program,
            str(each.assertions),
            str(each.chosen),
            *compared(each.apart, each.chosen_apart),
            *compared(each.together, each.chosen_together),
        ]
        for each in found
    ]
    pairs = {
        "one by one": [(each.apart, each.chosen_apart) for each in found],
        "together": [(each.together, each.chosen_together) for each in found],
        "all one by one, the chosen together": [(each.apart, each.chosen_together) for each in found],
    }
    medians = [
        f"{name}: {median(savings):.0%} smaller in the median of {len(savings)}\n"
        for name, numbers in pairs.items()
        if (savings := [1 - few / many for many, few in numbers if many and few])
    ]
    return markdown_table([heads, *rows]) + "".join(medians)


def compared(many: int, few: int) -> list[str]:
    """Both sizes, and the reduction from the first to the second; 0: no summaries were found."""
    return [str(many), str(few), f"{1 - few / many:.0%}" if many and few else "-"]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(required=True)
    one = commands.add_parser("edit")
    one.add_argument("tasks", nargs="+")
    one.add_argument("--edits", type=int, default=3, help="for each program")
    one.add_argument("--timeout", type=float, default=120.0)
    one.add_argument(
        "--alternate",
        type=float,
        default=10.0,
        help="as the option; more, where other programs slow the machine down",
    )
    one.add_argument("--seed", type=int, default=1)
    one.add_argument("--out", default="edits.jsonl")
    one.set_defaults(run=edit)
    two = commands.add_parser("sizes")
    two.add_argument(
        "groups", metavar="GROUPS", help="JSON file: programs, and the assertions that are chosen of each"
    )
    two.add_argument("--check", default="", help="kinds of generated checks")
    two.add_argument("--integers", default="bits", choices=("bits", "math"))
    two.add_argument("--bound", type=int, default=1, help="only what needs no larger one has summaries")
    two.add_argument("--timeout", type=float, default=60.0, help="seconds for each set of summaries")
    two.set_defaults(run=sizes)
    given = parser.parse_args()
    result: int = given.run(given)
    return result


if __name__ == "__main__":
    sys.exit(main())
