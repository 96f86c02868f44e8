"""Asks CBMC about one function of a C text.

    answer = ask_cbmc(text, entry="main_loop1_harness", source=source, options=options, unwind=8, seconds=60)
    proved_assertions(assertions, answer)     -- those that hold in every start state

CBMC runs twice: the first run lists the assertions and their places, and the second one checks them. Only its JSON
output is used. An assertion is proved if CBMC finished, and unwound all loops and recursions completely.
"""

from __future__ import annotations

import contextlib
import json
import os
import shutil
import signal
import subprocess
import time
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any, Final, final

from remuda.base.errors import ToolError
from remuda.frontends.c.clang.headers import HEADERS

if TYPE_CHECKING:
    from remuda.base.source import Source, Span
    from remuda.options import Options

ENDED: Final = (0, 10)  # CBMC's exit codes if all assertions hold, and if some fail
WIDTHS: Final = {"lp64": "--64", "ilp32": "--32"}
STANDARDS: Final = {"89": "--c89", "90": "--c89", "99": "--c99"}  # by the last digits of the standard's name
POLL_SECONDS: Final = 0.02
Place = tuple[str, int]  # a file and a line


@final
@dataclass(frozen=True, slots=True)
class Property:
    """One assertion, as CBMC reports it."""

    name: str
    file: str
    line: int
    description: str
    status: str  # SUCCESS, FAILURE, ...


@final
@dataclass(frozen=True, slots=True)
class Answer:
    """CBMC's answer. `message` is empty, or says why nothing is proved."""

    message: str = ""
    properties: tuple[Property, ...] = ()
    seconds: float = 0.0
    proved: Mapping[Place, int] = field(default_factory=dict)  # places whose assertions all hold, with their number


class _NoAnswer(Exception):
    """CBMC gave no answer; the message says why."""


def ask_cbmc(
    text: str,
    *,
    entry: str,
    source: Source,
    options: Options,
    unwind: int,
    seconds: float,
    is_cancelled: Callable[[], bool] = lambda: False,
) -> Answer:
    """CBMC's answer about `text`, which was made from `source`, for executions that start in `entry` in any state.

    Raises `ToolError` if CBMC is not installed; after any other problem, the answer proves nothing.
    """
    program = cbmc_program()
    started = time.monotonic()
    with TemporaryDirectory(prefix="remuda-cbmc-") as folder:
        file = Path(folder) / "program.c"
        file.write_text(_included(options) + text, encoding="utf-8", errors="surrogateescape")
        common = [program, str(file), "--json-ui", "--function", entry, *_flags(source, options)]
        runner = _Runner(Path(folder), started + seconds, is_cancelled)
        try:
            shown = runner.run([*common, "--show-properties"])
            places = _places(shown)
            if not places:
                return Answer("CBMC sees no assertion", seconds=time.monotonic() - started)
            # CBMC would silently turn a loop that is a single call into an assumption that the loop ends.
            exact = ["--no-self-loops-to-assumptions", "--unwinding-assertions"]
            solving = ["--nondet-static", "--unwind", str(unwind), *exact]
            results = _results(runner.run([*common, *solving]))
        except _NoAnswer as problem:
            return Answer(str(problem), seconds=time.monotonic() - started)
    return _judge(places, results, time.monotonic() - started)


def cbmc_program() -> str:
    """The path of CBMC."""
    found = shutil.which("cbmc")
    if found is None:
        raise ToolError("CBMC is not installed: `make peers` (scripts/install-peers) installs it")
    return found


def proved_assertions(assertions: Iterable[Span], answer: Answer) -> list[Span]:
    """The assertions, given by their places, that an answer proves. CBMC only reports lines, so the assertions on one
    line are proved together or not at all."""
    lines: dict[Place, list[Span]] = {}
    for span in assertions:
        lines.setdefault((span.source.name, span.line), []).append(span)
    return [span for place, spans in lines.items() if answer.proved.get(place, 0) >= len(spans) for span in spans]


# --- CBMC's input


def _included(options: Options) -> str:
    return "".join(f'#include "{Path(name).absolute()}"\n' for name in options.include)


def _flags(source: Source, options: Options) -> list[str]:
    """The flags for the target machine and the include paths: Remuda's headers come before those of the system."""
    folders = [str(Path(source.name).absolute().parent), *options.include_dir, str(HEADERS)]
    return [
        WIDTHS[options.arch],
        STANDARDS.get(options.std[-2:], "--c11"),
        *(word for folder in folders for word in ("-I", folder)),
        *(word for define in options.define for word in ("-D", define)),
    ]


# --- CBMC's output


def _places(output: list[dict[str, Any]]) -> dict[str, tuple[str, int, str]]:
    """The file, line and description of each property, by its name."""
    found: dict[str, tuple[str, int, str]] = {}
    for message in output:
        for each in message.get("properties", ()):
            location = each.get("sourceLocation", {})
            if "file" in location and "line" in location:
                found[each["name"]] = (location["file"], int(location["line"]), each.get("description", ""))
            else:
                found[each["name"]] = ("", 0, each.get("description", ""))
    return found


def _results(output: list[dict[str, Any]]) -> dict[str, str]:
    """The status of each property, by its name."""
    results = [each for message in output for each in message.get("result", ())]
    if not any(message.get("cProverStatus") in {"success", "failure"} for message in output):
        raise _NoAnswer("CBMC did not finish")
    return {each["property"]: each["status"] for each in results}


def _judge(places: Mapping[str, tuple[str, int, str]], results: Mapping[str, str], seconds: float) -> Answer:
    properties = tuple(
        Property(name, file, line, description, results.get(name, "UNKNOWN"))
        for name, (file, line, description) in places.items()
    )
    # Properties that the first run did not list are about incomplete unwinding of loops and recursions.
    cut = sorted(name for name, status in results.items() if name not in places and status != "SUCCESS")
    if cut:
        return Answer(f"CBMC did not unwind far enough: {cut[0]}", properties, seconds)
    failed = {(each.file, each.line) for each in properties if each.status != "SUCCESS"}
    proved: dict[Place, int] = {}
    for each in properties:
        place = (each.file, each.line)
        if place not in failed:
            proved[place] = proved.get(place, 0) + 1
    message = "" if proved else "CBMC finds a failure of every assertion"
    return Answer(message, properties, seconds, proved)


@final
class _Runner:
    """Runs commands with a common deadline."""

    def __init__(self, folder: Path, deadline: float, is_cancelled: Callable[[], bool]) -> None:
        self._output = folder / "output.json"
        self._errors = folder / "errors.txt"
        self._deadline = deadline
        self._is_cancelled = is_cancelled

    def run(self, command: list[str]) -> list[dict[str, Any]]:
        """The messages that CBMC writes, as JSON objects. CBMC and its children have ended afterwards."""
        with self._output.open("wb") as output, self._errors.open("wb") as errors:
            process = subprocess.Popen(
                command, stdin=subprocess.DEVNULL, stdout=output, stderr=errors, start_new_session=True
            )
            try:
                code = self._wait(process)
            finally:
                with contextlib.suppress(ProcessLookupError, PermissionError):
                    os.killpg(process.pid, signal.SIGKILL)
                process.wait()
        if code not in ENDED:
            raise _NoAnswer(self._problem(code))
        return self._messages()

    def _wait(self, process: subprocess.Popen[bytes]) -> int:
        while True:
            try:
                return process.wait(POLL_SECONDS)
            except subprocess.TimeoutExpired:
                if self._is_cancelled():
                    raise _NoAnswer("CBMC was stopped") from None
                if time.monotonic() > self._deadline:
                    raise _NoAnswer("CBMC ran out of time") from None

    def _messages(self) -> list[dict[str, Any]]:
        try:
            read = json.loads(self._output.read_text(encoding="utf-8", errors="replace"))
        except ValueError:
            raise _NoAnswer("CBMC's answer is not JSON") from None
        if not isinstance(read, list) or not all(isinstance(each, dict) for each in read):
            raise _NoAnswer("CBMC's answer has an unknown form")
        return read

    def _problem(self, code: int) -> str:
        """The problem, as CBMC describes it if it does."""
        told = ""
        with contextlib.suppress(_NoAnswer):
            errors = [each for each in self._messages() if each.get("messageType") == "ERROR"]
            told = str(errors[0].get("messageText", "")) if errors else ""
        told = told or self._errors.read_text(encoding="utf-8", errors="replace")
        lines = told.strip().splitlines()
        return f"CBMC failed with code {code}" + (f": {lines[0]}" if lines else "")
