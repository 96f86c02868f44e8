"""Draws the structure of a program, from plain data.

    call_graph_dot({"main": ["log"], "log": []}, entries=["main"], bodiless=["log"])

returns Graphviz text, which `render_svg` turns into a picture if Graphviz is installed.
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

    from remuda.results.implications import ImplicationGraph


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
    """Fragments and those around them, outer ones on top: loops are ellipses, fragments with assertions are
    filled."""
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
    """One instance of a procedure: the number of its call contexts, and the numbers of the instances that it
    calls."""

    name: str
    contexts: int
    callees: tuple[int, ...]


def inlining_dot(instances: Sequence[DrawnInstance]) -> str:
    """Instances of procedures for Graphviz: shared ones are filled, and show the number of their call contexts."""
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


def implication_dot(graph: ImplicationGraph, *, all_edges: bool = False) -> str:
    """Assertions for Graphviz: stronger ones are on top, equivalent ones in one box, the strongest green, and the
    weakest orange. Those without implications are only counted in the caption."""
    lines = ["digraph implications {", "  node [shape=box, fontname=monospace];"]
    if graph.alone:
        lines.append(f'  label="assertions without any implication: {len(graph.alone)}";')
    for group in graph.groups:
        first = group[0]
        if first in graph.alone:
            continue
        texts = (f"{graph.nodes[number].location}: {graph.nodes[number].description}" for number in group)
        label = "".join(f"{quote_text(text)}\\l" for text in texts)
        colour = "palegreen" if first in graph.strongest else "moccasin" if first in graph.weakest else ""
        style = f", style=filled, fillcolor={colour}" if colour else ""
        lines.append(f'  n{first} [label="{label}"{style}];')
    edges = graph.between_groups if all_edges else graph.reduced_between_groups
    lines.extend(f"  n{stronger} -> n{weaker};" for stronger, targets in edges.items() for weaker in targets)
    return "\n".join((*lines, "}", ""))


def quote(name: str) -> str:
    """A name as a Graphviz identifier."""
    return f'"{quote_text(name)}"'


def quote_text(text: str) -> str:
    """A text, escaped for a Graphviz string."""
    return text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")


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
