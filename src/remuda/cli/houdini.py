"""`remuda houdini`: which candidate contracts and invariants hold."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Final

import click

from remuda.base.errors import UsageError
from remuda.cli.flags import takes_options
from remuda.cli.inputs import resolve
from remuda.cli.show import files_argument, load, reporter_of
from remuda.cli.transform import output_option, write_text

if TYPE_CHECKING:
    from remuda.contracts.annotate import Annotated
    from remuda.contracts.houdini import Inference

EPILOG: Final = """\b
A candidate is a constant that a contract or an invariant depends on:
  const {:existential true} b0: bool;
  procedure P(x: int);  requires b0 ==> x > 0;
\b
Examples:
  remuda houdini candidates.bpl
  remuda houdini candidates.bpl -o annotated.bpl && boogie annotated.bpl
  remuda houdini queue.c
  remuda houdini queue.c --candidates guesses.txt
"""


@takes_options
@click.command("houdini", epilog=EPILOG, short_help="Find the candidate contracts and invariants that hold.")
@output_option
@click.option("--json", "as_json", is_flag=True, help="Print the result as JSON.")
@files_argument
@click.pass_context
def houdini(context: click.Context, files: tuple[str, ...], *, output: str | None, as_json: bool) -> int:
    """Find the greatest set of candidate contracts and invariants that holds, procedure by procedure.

    Every procedure is checked against its own contract, those of its callees and the invariants of its loops alone.
    With -o the program is written with the candidates that hold in place, and without the others, for any verifier. A
    program without candidates gets some: what it compares and assigns suggests them, and Horn clauses.
    """
    program, options = load(*resolve(context, files, config=None))
    if program.existentials and options.candidates:
        raise UsageError(
            "the program has candidates of its own ({:existential}); --candidates is for programs without"
        )
    if program.existentials:
        from remuda.contracts.houdini import infer

        inference = infer(program, options)
        report, text = to_json(inference) if as_json else to_text(inference), inference.text
    else:
        from remuda.contracts.annotate import annotate

        annotated = annotate(program, options)
        report, text = found_json(annotated) if as_json else found_text(annotated), annotated.text
    reporter_of(context).output(report)
    if output is not None:
        write_text(output, text)
    return 0


def found_text(annotated: Annotated) -> str:
    summary = f"{len(annotated.contracts)} contracts and invariants hold, of {annotated.candidates} candidates"
    notes = [f"note: {each}" for each in annotated.notes]
    return "\n".join([*annotated.contracts, *notes, summary]) + "\n"


def found_json(annotated: Annotated) -> str:
    document = {"contracts": annotated.contracts, "candidates": annotated.candidates, "notes": annotated.notes}
    return json.dumps(document, indent=2) + "\n"


def to_text(inference: Inference) -> str:
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
    return "\n".join([*lines, summary]) + "\n"


def to_json(inference: Inference) -> str:
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
    }
    return json.dumps(document, indent=2) + "\n"
