"""A report as JSON, in the form that `schema.json` beside this file describes.

Every key is always present; `schema_version` is increased when a key changes its meaning or is removed.
"""

from __future__ import annotations

import json
from importlib import resources
from typing import TYPE_CHECKING, Any, Final

from remuda import __version__

if TYPE_CHECKING:
    from remuda.results.report import AssertionResult, Location, Report, Statistics, TraceStep

SCHEMA_VERSION: Final = 1

Json = dict[str, Any]


def to_json(report: Report) -> Json:
    """The report as plain dictionaries, lists, strings and numbers."""
    return {
        "schema_version": SCHEMA_VERSION,
        "remuda_version": __version__,
        "file": report.file,
        "verdict": report.verdict.value,
        "reason": report.reason or None,
        "bound": report.bound,
        "engine": report.engine,
        "solver": report.solver,
        "entries": list(report.entries),
        "incomplete": report.incomplete or None,
        "assertions": [assertion_json(result) for result in report.assertions],
        "assumed": [assumption.text for assumption in report.assumed],
        "invariants": list(report.invariants),
        "notes": list(report.notes),
        "strategies": [{"name": each.name, "cpu_seconds": round(each.cpu_seconds, 6)} for each in report.strategies],
        "stats": statistics_json(report.statistics),
    }


def assertion_json(result: AssertionResult) -> Json:
    return {
        "id": result.identifier,
        "location": location_json(result.location),
        "kind": result.kind,
        "description": result.description,
        "verdict": result.verdict.value,
        "bound": result.bound,
        "reason": result.reason or None,
        "cause": None if result.cause is None else result.cause.value,
        "assumed": list(result.assumed),
        "confirmed": list(result.confirmed),
        "unconfirmed": list(result.unconfirmed),
        "left_open": list(result.left_open),
        "strategy": result.strategy or None,
        "trace": None if result.trace is None else [step_json(step) for step in result.trace],
    }


def location_json(location: Location) -> Json:
    return {"file": location.file, "line": location.line, "column": location.column}


def step_json(step: TraceStep) -> Json:
    return {
        "kind": step.kind,
        "depth": step.depth,
        "procedure": step.procedure,
        "location": location_json(step.location),
        "text": step.text,
        "values": [{"name": name, "value": value} for name, value in step.values],
        "thread": step.thread,
        "place": step.place or None,
    }


def statistics_json(costs: Statistics) -> Json:
    return {
        "instances": costs.instances,
        "tree_instances": costs.tree_instances,
        **({"growth": round(costs.growth, 4)} if costs.growth is not None else {}),
        "refinements": costs.refinements,
        "refine_seconds": round(costs.refine_seconds, 6),
        "candidates": costs.candidates,
        "contracts": costs.contracts,
        "houdini_seconds": round(costs.houdini_seconds, 6),
        "checked": costs.checked,
        "implied": costs.implied,
        "implications": costs.implications,
        "implication_seconds": round(costs.implication_seconds, 6),
        "verdicts_reused": costs.verdicts_reused,
        "verdicts_rechecked": costs.verdicts_rechecked,
        "summaries_loaded": costs.summaries_loaded,
        "summaries_rechecked": costs.summaries_rechecked,
        "summaries_found": costs.summaries_found,
        "solver_calls": costs.solver_calls,
        "solver_seconds": round(costs.solver_seconds, 6),
        "vc_seconds": round(costs.vc_seconds, 6),
        "merge_seconds": round(costs.merge_seconds, 6),
        "frontend_seconds": round(costs.frontend_seconds, 6),
        "replay_seconds": round(costs.replay_seconds, 6),
        "challenges": costs.challenges,
        "challenge_seconds": round(costs.challenge_seconds, 6),
        "seconds": round(costs.seconds, 6),
    }


def to_text(report: Report) -> str:
    """The JSON document, indented, ending in a line break."""
    return json.dumps(to_json(report), indent=2, ensure_ascii=False) + "\n"


def schema() -> Json:
    """The JSON Schema that every report follows."""
    text = resources.files("remuda.results").joinpath("schema.json").read_text(encoding="utf-8")
    loaded: Json = json.loads(text)
    return loaded
