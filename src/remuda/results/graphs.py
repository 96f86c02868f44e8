"""Pictures of a program's structure, made of plain data.

    call_graph_dot({"main": ["log"], "log": []}, entries=["main"], bodiless=["log"])

gives Graphviz text, which `render_svg` turns into a picture where Graphviz is installed.
"""

from __future__ import annotations

import shutil
import subprocess
from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, final

from remuda.base.errors import ToolError

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence


def call_graph_dot(
    callees: Mapping[str, Sequence[str]],
    *,
    entries: Iterable[str] = (),
    bodiless: Iterable[str] = (),
    recursive: Iterable[Sequence[str]] = (),
) -> str:
    """The call graph for Graphviz: entries filled, procedures without a body dashed, recursion in boxes."""
    filled, dashed = frozenset(entries), frozenset(bodiless)
    lines = ["digraph calls {", "  node [shape=box, fontname=monospace];"]
    for name in callees:
        styles = [style for style, names in (("filled", filled), ("dashed", dashed)) if name in names]
        attributes = f' [style="{",".join(styles)}"]' if styles else ""
        lines.append(f"  {quote(name)}{attributes};")
    for index, component in enumerate(recursive):
        members = " ".join(f"{quote(name)};" for name in component)
        lines.append(f'  subgraph cluster_{index} {{ label="recursive"; style=rounded; {members} }}')
    lines.extend(f"  {quote(name)} -> {quote(callee)};" for name, targets in callees.items() for callee in targets)
    return "\n".join((*lines, "}", ""))


def caller_tree_dot(
    around: Mapping[str, Sequence[str]], *, marked: Iterable[str] = (), loops: Iterable[str] = ()
) -> str:
    """Fragments and what is around them, outer ones on top: loops are ellipses, those with assertions filled."""
    filled, round_ones = frozenset(marked), frozenset(loops)
    lines = ["digraph callers {", "  node [shape=box, fontname=monospace];"]
    for name in around:
        shape = ["shape=ellipse"] if name in round_ones else []
        style = ["style=filled"] if name in filled else []
        attributes = f" [{', '.join((*shape, *style))}]" if shape or style else ""
        lines.append(f"  {quote(name)}{attributes};")
    lines.extend(f"  {quote(outer)} -> {quote(name)};" for name, outers in around.items() for outer in outers)
    return "\n".join((*lines, "}", ""))


@final
@dataclass(frozen=True, slots=True)
class DrawnInstance:
    """One instance of a procedure: in how many call contexts it stands, and where its calls lead to, by number."""

    name: str
    contexts: int
    callees: tuple[int, ...]


def inlining_dot(instances: Sequence[DrawnInstance]) -> str:
    """Instances of procedures for Graphviz: shared ones filled, with the number of contexts that they stand for."""
    lines = ["digraph instances {", "  node [shape=box, fontname=monospace];"]
    for number, instance in enumerate(instances):
        if instance.contexts > 1:
            label = f"{instance.name}\n{instance.contexts} contexts"
            lines.append(f"  n{number} [label={quote(label)}, style=filled, fillcolor=lightblue];")
        else:
            lines.append(f"  n{number} [label={quote(instance.name)}];")
    for number, instance in enumerate(instances):
        for callee, calls in Counter(instance.callees).items():
            label = f' [label="{calls} calls"]' if calls > 1 else ""
            lines.append(f"  n{number} -> n{callee}{label};")
    return "\n".join((*lines, "}", ""))


def quote(name: str) -> str:
    """A name as a Graphviz identifier."""
    escaped = name.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
    return f'"{escaped}"'


def render_svg(dot: str, timeout: float = 60.0) -> str:
    """The picture of a Graphviz text."""
    program = shutil.which("dot")
    if program is None:
        raise ToolError("drawing needs Graphviz, whose program `dot` is not installed; the DOT text needs nothing")
    try:
        done = subprocess.run(
            [program, "-Tsvg"], input=dot, capture_output=True, text=True, timeout=timeout, check=False
        )
    except subprocess.TimeoutExpired as error:
        raise ToolError(f"`dot` drew for more than {timeout:g} seconds; the DOT text needs nothing") from error
    if done.returncode != 0:
        raise ToolError(f"`dot` failed: {done.stderr.strip()}")
    return done.stdout
