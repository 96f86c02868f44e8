"""Compares Remuda with the real Boogie, program by program: one command, a table, exit code 1 on a disagreement.

    python -m benchmarks.agree_with_boogie FOLDER... --timeout 20 --only printed

There are two comparisons of every program or task definition (`.bpl`, `.yml`):

- `printed`: does Boogie, procedure by procedure, report as many errors in the program that Remuda prints as in the
  original? (Attributes that prevent Boogie from using a quantifier, such as `{:nopats}`, are not printed, so it may
  prove more.)
- `search`: does Boogie's stratified inlining reach the end of the reachability form if and only if Remuda finds a
  violation at the same bound?
"""

from __future__ import annotations

import argparse
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final, final

from remuda.analysis.modifies import modified_globals
from remuda.base.errors import RemudaError
from remuda.bench.peers import FINISHED, Boogie, mark_entries
from remuda.bench.tools import Execution
from remuda.frontends.boogie.load import load
from remuda.ir.printer import print_program
from remuda.options import Options
from remuda.prepare.read import read_source
from remuda.session import error_bit_text, verify_files
from remuda.tasks import load_task, task_options

QUESTIONS: Final = ("printed", "search")
MODULAR_FLAGS: Final = ("/nologo", "/errorLimit:100", "/noinfer")  # inference depends on the shape of the text
FIRST_TRY: Final = 8.0  # seconds
ERROR_LINE: Final = re.compile(r"^\S+?\((\d+),\d+\): Error BP5\d+", re.MULTILINE)


@final
@dataclass(frozen=True, slots=True)
class Comparison:
    """Both answers in one comparison of one program. An answer may be None, for the reason given."""

    name: str
    question: str
    ours: str | None
    theirs: str | None
    reason: str = ""

    @property
    def outcome(self) -> str:
        if self.ours is None or self.theirs is None:
            return "no answer"
        return "agree" if self.ours == self.theirs else "DISAGREE"


@final
@dataclass(frozen=True, slots=True)
class Subject:
    """A program, and the options to run it with."""

    name: str
    files: tuple[str, ...]
    options: Options


# --- Boogie


def run_boogie(path: Path, flags: Sequence[str], seconds: float) -> Execution | None:
    """Boogie's output; None if it takes too long. It is run a second time then, because it sometimes hangs."""
    command = [shutil.which("boogie") or "boogie", *flags, str(path)]
    for limit in (min(seconds, FIRST_TRY), seconds):
        with subprocess.Popen(
            command,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            errors="replace",
            start_new_session=True,
        ) as process:
            try:
                output, errors = process.communicate(timeout=limit)
            except subprocess.TimeoutExpired:
                os.killpg(process.pid, signal.SIGKILL)  # including its solver
                continue
            return Execution(process.returncode, output, errors, 0.0, 0.0, 0.0)
    return None


def modular_answer(path: Path, seconds: float) -> tuple[str | None, str]:
    """The errors that Boogie's own verification reports, such as `2 errors`; or None, with the reason.

    The number of verified implementations is ignored, because it depends on the instances of polymorphic ones.
    """
    execution = run_boogie(path, MODULAR_FLAGS, seconds)
    if execution is not None and "enclosing procedure's modifies clause" in execution.output:
        execution = run_boogie(path, (*MODULAR_FLAGS, "/doModSetAnalysis"), seconds)
    if execution is None:
        return None, "timeout of Boogie"
    finished = FINISHED.search(execution.output)
    if finished is None:
        return None, f"Boogie rejects it: {_first_complaint(execution)}"
    if finished[3].strip(" ,."):
        return None, f"Boogie: {finished[3].strip(' ,.')}"
    return f"{finished[2]} errors", ""


def failing_lines(path: Path, seconds: float) -> set[int] | None:
    """The lines of the assertions that Boogie cannot verify; None if it has no answer."""
    execution = run_boogie(path, MODULAR_FLAGS, seconds)
    if execution is None or FINISHED.search(execution.output) is None:
        return None
    return {int(line) for line in ERROR_LINE.findall(execution.output)}


def search_answer(form: Path, bound: int, seconds: float) -> tuple[str | None, str]:
    """`violated` or `not violated`, by stratified inlining on a program in reachability form."""
    flags = ("/stratifiedInline:1", "/extractLoops", f"/recursionBound:{bound}")
    execution = run_boogie(form, flags, seconds)
    if execution is None:
        return None, "timeout of Boogie"
    answer = Boogie("boogie").read(execution)
    if answer.verdict not in {"violated", "bounded"}:
        return None, f"Boogie: {answer.reason}"
    return ("violated" if answer.verdict == "violated" else "not violated"), ""


def _first_complaint(execution: Execution) -> str:
    lines = [line for line in execution.output.splitlines() if "rror" in line and not line.startswith("Prover")]
    return lines[0].strip()[:120] if lines else "no message"


# --- the comparisons


def ask_printed(subject: Subject, seconds: float, folder: Path) -> Comparison:
    """Boogie on the original (as `theirs`) and on the printed program (as `ours`)."""
    question = "printed"
    if len(subject.files) != 1:
        return Comparison(subject.name, question, None, None, "several files")
    try:
        program = load([read_source(subject.files[0])])
    except RemudaError as problem:
        return Comparison(subject.name, question, None, None, _one_line(problem))
    printed = folder / "printed.bpl"
    printed.write_text(print_program(program, modifies=modified_globals(program)), encoding="utf-8")
    with ThreadPoolExecutor(2) as pool:
        answers = pool.map(lambda path: modular_answer(path, seconds), (Path(subject.files[0]), printed))
        (theirs, missing), (ours, reason) = answers
    if theirs is None:
        return Comparison(subject.name, question, None, None, missing)
    if reason.startswith("Boogie rejects"):
        ours = reason  # Boogie accepted the original, so this is a disagreement
    return Comparison(subject.name, question, ours, theirs, reason)


def ask_search(subject: Subject, seconds: float, folder: Path) -> Comparison:
    question = "search"
    if subject.options.stack_depth is not None:
        return Comparison(subject.name, question, None, None, "Boogie has no limit on the depth of the stack")
    options = replace(subject.options, unroll=False, timeout=seconds)
    form = folder / "form.bpl"
    with ThreadPoolExecutor(1) as pool:
        try:
            form.write_text(mark_entries(error_bit_text(subject.files, options)), encoding="utf-8")
            asked = pool.submit(search_answer, form, options.bound, seconds)
            report = verify_files(subject.files, options)
        except RemudaError as problem:
            return Comparison(subject.name, question, None, None, _one_line(problem))
        theirs, reason = asked.result()
    verdict = report.verdict.value
    if verdict == "unknown":
        reasons = [result.reason for result in report.assertions if result.verdict.value == "unknown"]
        return Comparison(subject.name, question, None, None, f"Remuda: {reasons[0] if reasons else 'unknown'}")
    ours = "violated" if verdict == "violated" else "not violated"
    return Comparison(subject.name, question, ours, theirs, reason)


ASK: Final = {"printed": ask_printed, "search": ask_search}


def _one_line(problem: Exception) -> str:
    return " ".join(str(problem).split())[:160]


# --- subjects


def find_subjects(arguments: Iterable[str], base: Options) -> Iterator[Subject]:
    """Task definitions, and programs without a task definition of the same name beside them, with the base
    options."""
    for argument in arguments:
        path = Path(argument)
        if path.is_dir():
            inner = sorted([*path.rglob("*.yml"), *path.rglob("*.bpl")])
            yield from (_subject(file, base) for file in inner if file.suffix == ".yml" or _stands_alone(file))
        else:
            yield _subject(path, base)


def _stands_alone(path: Path) -> bool:
    return not path.with_suffix(".yml").exists()


def _subject(path: Path, base: Options) -> Subject:
    name = f"{path.parent.name}/{path.stem}"
    if path.suffix == ".bpl":
        return Subject(name, (str(path),), base)
    task = load_task(path)
    return Subject(name, tuple(map(str, task.inputs)), task_options(task, base))


# --- the command


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description="Compare Remuda with the real Boogie.")
    parser.add_argument("paths", nargs="+", help="programs, task definitions, or folders of them")
    parser.add_argument("--timeout", type=float, default=20, help="seconds for one run of either tool")
    parser.add_argument("--bound", type=int, default=Options().bound, help="the bound where a task has none")
    parser.add_argument("--only", choices=QUESTIONS, help="ask one question only")
    given = parser.parse_args(arguments)
    if shutil.which("boogie") is None:
        parser.error("there is no program `boogie` on the search path")
    questions = [given.only] if given.only else list(QUESTIONS)
    totals: Counter[tuple[str, str]] = Counter()
    with tempfile.TemporaryDirectory() as folder:
        for subject in find_subjects(given.paths, Options(bound=given.bound)):
            for question in questions:
                comparison = ASK[question](subject, given.timeout, Path(folder))
                totals[question, comparison.outcome] += 1
                _show(comparison)
    for question in questions:
        counts = ", ".join(f"{totals[question, outcome]} {outcome}" for outcome in ("agree", "no answer", "DISAGREE"))
        sys.stdout.write(f"{question}: {counts}\n")
    return 1 if any(outcome == "DISAGREE" for _, outcome in totals) else 0


def _show(comparison: Comparison) -> None:
    answers = f"ours: {comparison.ours}; Boogie: {comparison.theirs}"
    detail = comparison.reason if comparison.outcome == "no answer" else answers
    sys.stdout.write(f"{comparison.outcome:9}  {comparison.question:7}  {comparison.name}  {detail}\n")
    sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(main())
