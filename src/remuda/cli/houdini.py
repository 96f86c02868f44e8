"""`remuda houdini`: which candidate contracts and invariants hold."""

from __future__ import annotations

import json
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, final

import click

from remuda.base.errors import UsageError
from remuda.cli.commands import SETTINGS
from remuda.cli.flags import PROGRAM, ProgramCommand, takes
from remuda.cli.inputs import resolve
from remuda.cli.limited import INCONCLUSIVE_CODE, exit_code_of, run_within_limits, why_stopped
from remuda.cli.show import files_argument, load, reporter_of
from remuda.cli.transform import write_text
from remuda.options import Topic

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from remuda.contracts.annotate import Annotated
    from remuda.contracts.houdini import Inference
    from remuda.options import Options

EPILOG: Final = """\b
A candidate is a constant that a contract or an invariant depends on:
  const {:existential true} b0: bool;
  procedure P(x: int);  requires b0 ==> x > 0;
\b
Exit codes:
  0 done, 5 a limit was reached (what was found until then is printed),
  1 wrong usage, 2 error in the input, 6 internal error, 130 interrupted
\b
Examples:
  remuda houdini candidates.bpl
  remuda houdini candidates.bpl -o annotated.bpl && boogie annotated.bpl
  remuda houdini --timeout 60 queue.c
  remuda houdini queue.c --candidates guesses.txt
"""

TIME_WAS_UP: Final = "time was up: more candidates may hold, and more assertions may follow"


@final
@dataclass(frozen=True, slots=True)
class Findings:
    """What a worker sends: the report, and the program with what was found, as text."""

    report: str
    program: str
    is_complete: bool


@takes(
    *PROGRAM,
    Topic.LIMITS,
    Topic.THREADS,
    Topic.DEBUGGING,
    also=("candidates", "lift", "unroll", "solver", "joins"),
)
@click.command(
    "houdini",
    cls=ProgramCommand,
    context_settings=SETTINGS,
    epilog=EPILOG,
    short_help="Infer contracts and invariants that hold.",
)
@click.option(
    "-o",
    "--output",
    type=click.Path(dir_okay=False),
    metavar="OUT",
    help="Write the program to this file, with the contracts and invariants that hold.",
)
@click.option("--json", "as_json", is_flag=True, help="Print the result as JSON.")
@files_argument
@click.pass_context
def houdini(context: click.Context, files: tuple[str, ...], *, output: str | None, as_json: bool) -> int:
    """Find the greatest set of candidate contracts and invariants that holds.

    Every procedure is checked separately, against its own contract, those of its callees and the invariants of its
    loops. A program without candidates gets some, from its comparisons and assignments and from Horn clauses. The file of
    -o is for any verifier: candidates that hold are in place, and the others are removed.
    """
    reporter = reporter_of(context)
    paths, options = resolve(context, files)
    found: list[Findings] = []  # the last one counts

    def hear(message: object) -> None:
        assert isinstance(message, Findings)
        found.append(message)

    outcome = run_within_limits(_work, (paths, options, as_json), options, on_message=hear)
    if outcome.result is not None:
        found.append(outcome.result)
    if found:
        reporter.output(found[-1].report)
        if output is not None:
            write_text(output, found[-1].program)
    if outcome.stopped:
        rest = "there may be more to find" if found else "nothing was found before"
        reporter.error(f"remuda: {why_stopped(outcome.stopped, options)}; {rest}")
        return exit_code_of(outcome.stopped)
    return 0 if found[-1].is_complete else INCONCLUSIVE_CODE


def _work(send: Callable[[object], None], paths: Sequence[str], options: Options, as_json: bool) -> Findings:  # noqa: FBT001
    began = time.monotonic()
    deadline = None if options.timeout is None else began + options.timeout
    program, options = load(paths, options)
    if program.existentials and options.candidates:
        raise UsageError(
            "the program has candidates of its own ({:existential}); leave out --candidates, or remove them"
        )
    if program.existentials:
        from remuda.contracts.houdini import infer

        inference = infer(program, options, deadline)
        notes = [] if deadline is None or time.monotonic() < deadline else [TIME_WAS_UP]
        report = to_json(inference, notes) if as_json else to_text(inference, notes)
        return Findings(report, inference.text, is_complete=not notes)
    from remuda.contracts.annotate import annotate

    def findings(annotated: Annotated) -> Findings:
        report = found_json(annotated) if as_json else found_text(annotated)
        return Findings(report, annotated.text, annotated.is_complete)

    return findings(annotate(program, options, lambda annotated: send(findings(annotated))))


def found_text(annotated: Annotated) -> str:
    summary = f"{len(annotated.contracts)} contracts and invariants hold, of {annotated.candidates} candidates"
    notes = [f"note: {each}" for each in notes_of(annotated)]
    return "\n".join([*annotated.contracts, *notes, summary]) + "\n"


def found_json(annotated: Annotated) -> str:
    document = {"contracts": annotated.contracts, "candidates": annotated.candidates, "notes": notes_of(annotated)}
    return json.dumps(document, indent=2) + "\n"


def notes_of(annotated: Annotated) -> list[str]:
    return [*annotated.notes, *([] if annotated.is_complete else ["ended early: more contracts may hold"])]


def to_text(inference: Inference, notes: Sequence[str]) -> str:
    inferred = inference.inferred
    count = len(inferred.kept) + len(inferred.dropped)
    lines = [f"kept     {candidate.name}" for candidate in inferred.kept]
    for candidate, check in inferred.dropped.items():
        where = "not decided" if check is None else f"fails at {check.span}: {check.description}"
        lines.append(f"dropped  {candidate.name}: {where}")
    lines += [
        f"open     {each.span}: {each.description} does not follow from contracts alone" for each in inference.failing
    ]
    lines += [f"note: {each}" for each in notes]
    follow = len(inference.assertions) - len(inference.failing)
    summary = (
        f"{len(inferred.kept)} of {count} candidates kept; {follow} of {len(inference.assertions)} other assertions"
        f" follow ({inference.queries} questions)"
    )
    return "\n".join([*lines, summary]) + "\n"


def to_json(inference: Inference, notes: Sequence[str]) -> str:
    inferred = inference.inferred
    document = {
        "kept": [candidate.name for candidate in inferred.kept],
        "dropped": {
            candidate.name: None if check is None else check.identifier
            for candidate, check in inferred.dropped.items()
        },
        "open": [check.identifier for check in inference.failing],
        "assertions": [check.identifier for check in inference.assertions],
        "solver_calls": inference.queries,
        "notes": notes,
    }
    return json.dumps(document, indent=2) + "\n"
