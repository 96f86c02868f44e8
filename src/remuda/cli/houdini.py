"""`remuda houdini`: finds the candidate contracts and invariants that hold."""

from __future__ import annotations

import json
import time
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final, final

import click

from remuda.base.errors import UsageError
from remuda.base.reasons import TIMEOUT
from remuda.cli.commands import SETTINGS
from remuda.cli.flags import PROGRAM, ProgramCommand, takes
from remuda.cli.inputs import resolve
from remuda.cli.limited import exit_code_of, why_stopped
from remuda.cli.show import files_argument, load, reporter_of
from remuda.cli.transform import write_text
from remuda.jobs.within_limits import run_within_limits
from remuda.options import Topic

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from remuda.base.reasons import Reason
    from remuda.contracts.annotate import Annotated
    from remuda.contracts.houdini import Inference
    from remuda.options import Options

EPILOG: Final = """\b
A candidate is a constant that a contract or an invariant depends on:
  const {:existential true} b0: bool;
  procedure P(x: int);  requires b0 ==> x > 0;
\b
Exit codes:
  0 done, or a timeout with a result, 5 a limit was reached without one, or memory ran out,
  1 wrong usage, 2 error in the input, 6 internal error, 130 interrupted
\b
Examples:
  remuda houdini candidates.bpl
  remuda houdini candidates.bpl -o annotated.bpl && boogie annotated.bpl
  remuda houdini --timeout 60 queue.c
  remuda houdini queue.c --candidates guesses.txt
"""


@final
@dataclass(frozen=True, slots=True)
class Findings:
    """The result of a worker: lines of text and a summary, the same as data, and the program as text."""

    lines: Sequence[str]
    summary: str
    document: Mapping[str, object]
    notes: Sequence[str]
    program: str


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
    loops. A program without candidates gets some, from its comparisons and assignments and from Horn clauses. The
    file of -o is for any verifier: candidates that hold are in place, and the others are removed.
    """
    reporter = reporter_of(context)
    paths, options = resolve(context, files)
    found: list[Findings] = []  # the last one is the final result

    def hear(message: object) -> None:
        assert isinstance(message, Findings)
        found.append(message)

    outcome = run_within_limits(_work, (paths, options), options, on_message=hear)
    if outcome.result is not None:
        found.append(outcome.result)
    if not found:
        assert outcome.stopped is not None
        reporter.error(f"remuda: {why_stopped(outcome.stopped, options)} before anything was found")
        return exit_code_of(outcome.stopped, has_result=False)
    notes = [*found[-1].notes, *([] if outcome.stopped is None else [ended_early(outcome.stopped, options)])]
    reporter.output(to_json(found[-1], notes) if as_json else to_text(found[-1], notes))
    if output is not None:
        write_text(output, found[-1].program)
    return exit_code_of(outcome.stopped, has_result=True)


def _work(send: Callable[[object], None], paths: Sequence[str], options: Options) -> Findings:
    deadline = None if options.timeout is None else time.monotonic() + options.timeout
    program, options = load(paths, options)
    if program.existentials and options.candidates:
        raise UsageError(
            "the program has candidates of its own ({:existential}); leave out --candidates, or remove them"
        )
    if program.existentials:
        from remuda.contracts.houdini import infer

        findings = of_inference(infer(program, options, deadline))
    else:
        from remuda.contracts.annotate import annotate

        findings = of_annotated(annotate(program, options, lambda annotated: send(of_annotated(annotated))))
    if deadline is None or time.monotonic() < deadline:
        return findings
    return replace(findings, notes=[*findings.notes, ended_early(TIMEOUT, options)])


def ended_early(stopped: Reason, options: Options) -> str:
    return f"{why_stopped(stopped, options)} before the end of the search: more contracts and invariants may hold"


def to_text(findings: Findings, notes: Sequence[str]) -> str:
    return "\n".join([*findings.lines, *(f"note: {each}" for each in notes), findings.summary]) + "\n"


def to_json(findings: Findings, notes: Sequence[str]) -> str:
    return json.dumps({**findings.document, "notes": notes}, indent=2) + "\n"


def of_annotated(annotated: Annotated) -> Findings:
    """The contracts and invariants that were inferred for a program without candidates."""
    summary = f"{len(annotated.contracts)} contracts and invariants hold, of {annotated.candidates} candidates"
    document = {"contracts": annotated.contracts, "candidates": annotated.candidates}
    return Findings(annotated.contracts, summary, document, annotated.notes, annotated.text)


def of_inference(inference: Inference) -> Findings:
    """The results for the candidates that a program states."""
    inferred = inference.inferred
    count = len(inferred.kept) + len(inferred.dropped)
    lines = [f"kept     {candidate.name}" for candidate in inferred.kept]
    for candidate, check in inferred.dropped.items():
        where = "not decided" if check is None else f"fails at {check.span}: {check.description}"
        lines.append(f"dropped  {candidate.name}: {where}")
    lines += [
        f"open     {each.span}: {each.description} does not follow from contracts alone" for each in inference.failing
    ]
    follow = len(inference.assertions) - len(inference.failing)
    summary = (
        f"{len(inferred.kept)} of {count} candidates kept; {follow} of {len(inference.assertions)} other assertions"
        f" follow ({inference.queries} questions)"
    )
    document = {
        "kept": [candidate.name for candidate in inferred.kept],
        "dropped": {
            candidate.name: None if check is None else check.identifier
            for candidate, check in inferred.dropped.items()
        },
        "open": [check.identifier for check in inference.failing],
        "assertions": [check.identifier for check in inference.assertions],
        "solver_calls": inference.queries,
    }
    return Findings(lines, summary, document, [], inference.text)
