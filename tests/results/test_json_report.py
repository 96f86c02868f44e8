"""The JSON report follows its schema, and the schema allows nothing else."""

from __future__ import annotations

import json
from typing import Any

import jsonschema
import pytest

from remuda import __version__
from remuda.base.reasons import TIMEOUT, Cause
from remuda.results.json_report import schema, to_json, to_text
from remuda.results.report import Report, Verdict
from tests.results.sample_reports import mixed_report


def test_the_schema_is_a_schema() -> None:
    jsonschema.Draft202012Validator.check_schema(schema())


@pytest.mark.parametrize("report", [mixed_report(), Report("empty.bpl"), Report("x.bpl", stopped=TIMEOUT)])
def test_reports_follow_the_schema(report: Report) -> None:
    jsonschema.validate(json.loads(to_text(report)), schema())


def test_the_content_of_the_report() -> None:
    document = to_json(mixed_report())
    assert document["verdict"] == "violated"
    assert document["bound"] == 4
    assert document["remuda_version"] == __version__
    assert document["incomplete"] is None
    violated, proved = document["assertions"][:2]
    assert violated["id"] == "queue.bpl:Push:assert:1"
    assert violated["location"] == {"file": "queue.bpl", "line": 14, "column": 3}
    assert [step["kind"] for step in violated["trace"]][-3:] == ["assign", "havoc", "fail"]
    assert violated["trace"][-3]["values"] == [{"name": "size", "value": "4"}]
    assert (proved["verdict"], proved["trace"], proved["reason"]) == ("proved", None, None)
    assert [each["cause"] for each in document["assertions"]] == [None, None, "bound", None, "timeout"]
    assert document["stats"]["tree_instances"] == 9


def test_the_schema_names_every_verdict() -> None:
    of_assertions = schema()["$defs"]["verdict"]["enum"]
    of_files = schema()["properties"]["verdict"]["enum"]
    assert of_assertions == [verdict.value for verdict in Verdict if verdict is not Verdict.NOTHING_CHECKED]
    assert sorted(of_files) == sorted(verdict.value for verdict in Verdict if verdict is not Verdict.UNREACHABLE)


def test_the_schema_names_every_cause_of_verdicts() -> None:
    of_processes = {Cause.CANCELLED, Cause.CRASHED}
    named = schema()["$defs"]["assertion"]["properties"]["cause"]["enum"]
    assert named == [*(cause.value for cause in Cause if cause not in of_processes), None]


def damaged(change: str) -> dict[str, Any]:
    document = to_json(mixed_report())
    match change:
        case "missing":
            del document["assertions"][0]["verdict"]
        case "extra":
            document["stats"]["colour"] = "blue"
        case "verdict":
            document["verdict"] = "safe"
    return document


@pytest.mark.parametrize("change", ["missing", "extra", "verdict"])
def test_damage_is_noticed(change: str) -> None:
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate(damaged(change), schema())
