"""Verification tasks: SV-COMP task definitions, format 2.0.

A task definition is a small YAML file that names the input, the property and the expected answer:

    format_version: '2.0'
    input_files: 'queue.bpl'
    properties:
      - property_file: ../properties/unreach-call.prp
        expected_verdict: false
    options:
      language: Boogie
      entrypoint: 'main'
      recursion_bound: 3

The base name of the property's file identifies it: `unreach-call` says that no assertion fails, `reach-end` that the
end of the entry procedure is not reached, `no-overflow` that no signed arithmetic of C overflows, and
`valid-memsafety` that all memory accesses of C are valid. Unknown options are ignored, as the format demands.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Literal, final

from remuda.base.errors import FileError
from remuda.options import PROPERTY_CHECKS

if TYPE_CHECKING:
    import yaml

    from remuda.options import Options

PROPERTIES: Final = ("unreach-call", "unreach-label", "reach-end", "no-overflow", "valid-memsafety")
DEEPEST: Final = 100
END_IS_ERROR: Final = "end of the entry procedure is reached"

_ERROR_LABEL: Final = re.compile(r"label (\w+)")

Expectation = Literal["true", "false", "unknown"]
_VERDICTS: Final[dict[bool | None, Expectation | None]] = {True: "true", False: "false", None: None}


@final
@dataclass(frozen=True, kw_only=True, slots=True)
class TaskOptions:
    """The options of a task that Remuda reads; None where the task does not say."""

    language: str | None = None
    entrypoint: str | None = None  # `*`: executions may start in every procedure
    recursion_bound: int | None = None
    stack_depth_bound: int | None = None
    context_bound: int | None = None
    concurrency: bool = False
    data_model: str | None = None
    error_spec: str = ""
    semantics: str = ""
    whole_program_verdict: Expectation | None = None
    unbounded_verdict: Expectation | None = None

    @property
    def modular(self) -> bool:
        """Whether the expected verdict is that of a verifier that checks each procedure separately."""
        return self.semantics.split(";")[0].strip() == "modular"


@final
@dataclass(frozen=True, kw_only=True, slots=True)
class Task:
    """One property of one program, with the expected verdict, if it is known."""

    name: str
    path: Path
    inputs: tuple[Path, ...]
    property_name: str
    verdict: bool | None
    options: TaskOptions


def load_task(path: Path) -> Task:
    """Read a task definition. Paths in it are relative to the file itself."""
    content = _mapping(path, _read_yaml(path), "the file")
    property_name, verdict = _property(path, content)
    return Task(
        name=path.stem,
        path=path,
        inputs=_inputs(path, content),
        property_name=property_name,
        verdict=verdict,
        options=_options(path, content),
    )


def task_options(task: Task, base: Options, explicit: Collection[str] = ()) -> Options:
    """The options for a task: those that the task sets, except where a flag was given explicitly."""
    changes: dict[str, Any] = {}
    wanted = task.options
    if wanted.recursion_bound is not None:
        changes["bound"] = wanted.recursion_bound
    if wanted.stack_depth_bound is not None:
        changes["stack_depth"] = wanted.stack_depth_bound
    if wanted.context_bound:
        changes["rounds"] = wanted.context_bound
    if wanted.entrypoint is not None:
        changes["entry"] = (wanted.entrypoint,)
    if wanted.data_model is not None:
        changes["arch"] = wanted.data_model.lower()
    label = _ERROR_LABEL.match(wanted.error_spec)
    if label is not None:
        changes["error_label"] = (label[1],)
    changes["property"] = _question(task)
    return replace(base, **{name: value for name, value in changes.items() if name not in explicit})


def _question(task: Task) -> str:
    if asks_for_end(task):
        return "reach-end"
    return task.property_name if task.property_name in PROPERTY_CHECKS else "unreach-call"


def asks_for_end(task: Task) -> bool:
    """Whether the property is violated by executions that reach the end of the entry procedure."""
    return task.property_name == "reach-end" or END_IS_ERROR in task.options.error_spec


def expected(task: Task) -> Expectation | None:
    """The answer that is expected of a whole-program verifier; None if the task does not say.

    A modular verifier that finds no error proves the whole program too, but one that finds an error may have
    found only a weak contract.
    """
    verdict = _VERDICTS[task.verdict]
    if not task.options.modular:
        return verdict
    if task.options.whole_program_verdict is not None:
        return task.options.whole_program_verdict
    return "true" if verdict == "true" else "unknown"


def _read_yaml(path: Path) -> object:
    # Imported here, because loading PyYAML takes 20 ms, and runs without a task definition do not need it.
    import yaml

    try:
        text = path.read_text(encoding="utf-8")
    except OSError as error:
        raise FileError(f"{path}: cannot read the task definition: {error.strerror}") from error
    except UnicodeDecodeError as error:
        raise FileError(f"{path}: the task definition is not text in UTF-8") from error
    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    try:
        if _depth(yaml.parse(text, Loader=loader)) > DEEPEST:
            raise FileError(f"{path}: the task definition is nested too deeply")  # because the loader is recursive
        content: object = yaml.load(text, Loader=loader)
    except yaml.YAMLError as error:
        raise FileError(f"{path}: the task definition is not YAML: {_one_line(error)}") from error
    return content


def _depth(events: Iterable[yaml.Event]) -> int:
    """The nesting depth of lists and mappings."""
    import yaml

    depth = deepest = 0
    for event in events:
        if isinstance(event, yaml.CollectionStartEvent):
            depth += 1
            deepest = max(deepest, depth)
        elif isinstance(event, yaml.CollectionEndEvent):
            depth -= 1
    return deepest


def _one_line(error: Exception) -> str:
    return " ".join(str(error).split())


def _mapping(path: Path, value: object, what: str) -> Mapping[str, object]:
    if not isinstance(value, dict) or not all(isinstance(key, str) for key in value):
        raise FileError(f"{path}: {what} must be a mapping of names to values")
    return value


def _inputs(path: Path, content: Mapping[str, object]) -> tuple[Path, ...]:
    named = content.get("input_files")
    names = [named] if isinstance(named, str) else named
    if not isinstance(names, list) or not names or not all(isinstance(name, str) for name in names):
        raise FileError(f"{path}: `input_files` must name one file or a list of files")
    inputs = tuple(path.parent / name for name in names)
    for file in inputs:
        if not file.is_file():
            raise FileError(f"{path}: the input file {file} does not exist")
    return inputs


def _property(path: Path, content: Mapping[str, object]) -> tuple[str, bool | None]:
    """The property that Remuda checks, with its expected verdict; the first in the order of `PROPERTIES` if the task
    has several."""
    properties = content.get("properties")
    if not isinstance(properties, list) or not properties:
        raise FileError(f"{path}: `properties` must list at least one property")
    verdicts: dict[str, bool | None] = {}
    for entry in properties:
        described = _mapping(path, entry, "an entry of `properties`")
        file = described.get("property_file")
        if not isinstance(file, str):
            raise FileError(f"{path}: a property needs a `property_file`")
        verdicts[Path(file).stem] = _boolean(path, described, "expected_verdict")
    for name in PROPERTIES:
        if name in verdicts:
            return name, verdicts[name]
    raise FileError(f"{path}: Remuda checks none of its properties: {', '.join(verdicts)}")


def _options(path: Path, content: Mapping[str, object]) -> TaskOptions:
    given = _mapping(path, content.get("options") or {}, "`options`")
    bound = _number(path, given, "recursion_bound")
    return TaskOptions(
        language=_text(path, given, "language"),
        entrypoint=_text(path, given, "entrypoint"),
        recursion_bound=_number(path, given, "unroll_bound") if bound is None else bound,
        stack_depth_bound=_number(path, given, "stack_depth_bound"),
        context_bound=_number(path, given, "context_bound"),
        concurrency=_boolean(path, given, "concurrency") or False,
        data_model=_text(path, given, "data_model"),
        error_spec=_text(path, given, "error_spec") or "",
        semantics=_text(path, given, "semantics") or "",
        whole_program_verdict=_verdict(path, given, "whole_program_verdict"),
        unbounded_verdict=_verdict(path, given, "unbounded_verdict"),
    )


def _text(path: Path, given: Mapping[str, object], name: str) -> str | None:
    value = given.get(name)
    if value is not None and not isinstance(value, str):
        raise FileError(f"{path}: `{name}` must be a string, not {value!r}")
    return value


def _number(path: Path, given: Mapping[str, object], name: str) -> int | None:
    value = given.get(name)
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, int) or value < 0:
        raise FileError(f"{path}: `{name}` must be a number of 0 or more, not {value!r}")
    return value


def _boolean(path: Path, given: Mapping[str, object], name: str) -> bool | None:
    value = given.get(name)
    if value is not None and not isinstance(value, bool):
        raise FileError(f"{path}: `{name}` must be true or false, not {value!r}")
    return value


def _verdict(path: Path, given: Mapping[str, object], name: str) -> Expectation | None:
    value = given.get(name)
    if value == "unknown":
        return "unknown"
    return _VERDICTS[_boolean(path, given, name)]
