"""The graph of implications as one self-contained HTML file: a list of assertions, and an interactive picture.

The page contains two JSON documents: the graph as `--json` writes it, and the positions of its boxes, which are
computed here, so that the page needs no library. The list is plain HTML, and shows the implications of every
assertion without JavaScript too. Program texts contain `<`, `&&` and quotes, and may contain `</script>`, so all
texts in the page are escaped here.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from html import escape
from importlib.resources import files
from pathlib import PurePath
from typing import TYPE_CHECKING, Any, Final

from remuda.results.implication_text import marks_of, summary
from remuda.results.layered import PART_GAP, in_grid, layered

if TYPE_CHECKING:
    from remuda.results.implications import ImplicationGraph
    from remuda.results.layered import Size

LONGEST_TEXT: Final = 38  # characters of an assertion in its box
MOST_MEMBERS: Final = 5  # members of a group that its box names
CHARACTER: Final = 7.25  # widths and heights in pixels, for the fonts in the style sheet
LINE: Final = 16.0
PADDING: Final = 9.0
NARROWEST: Final = 90.0
LEAST_GRID: Final = 1200.0  # width of the boxes without edges

SYMBOLS: Final = {"strongest": "▲", "weakest": "▼", "equivalent": "≡"}
SAFE: Final = {ord("<"): "\\u003c", ord(">"): "\\u003e", ord("&"): "\\u0026", 0x2028: "\\u2028", 0x2029: "\\u2029"}
POLICY: Final = "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'"

PAGE: Final = """\
<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="{policy}">
<title>{title}</title>
<style>
{style}</style>
</head>
<body>
<header>
<h1>Implications between assertions <span class="file">{file}</span></h1>
<p class="summary">{summary}</p>
{notes}</header>
<div class="columns">
<section class="list" aria-label="Assertions">
<div class="controls needs-script">
<input type="search" id="search" placeholder="Search text, place, procedure ( / )" aria-label="Search assertions">
<select id="marks" aria-label="Show">
<option value="">all assertions</option>
<option value="connected">with implications</option>
<option value="strongest">▲ strongest</option>
<option value="weakest">▼ weakest</option>
<option value="equivalent">≡ equivalent</option>
<option value="alone">without implications</option>
</select>
<select id="sort" aria-label="Sort">
<option value="place">by place</option>
<option value="weaker">implying most first</option>
<option value="stronger">implied by most first</option>
<option value="text">by text</option>
</select>
<span id="found" role="status"></span>
</div>
<noscript><p>The picture needs JavaScript. This list has the same content, without implications that follow from others.</p></noscript>
<div class="assertions" id="assertions">
{assertions}</div>
</section>
<main class="picture needs-script" aria-label="Picture">
<div class="controls">
<button type="button" id="fit" title="Show everything (0)">Fit</button>
<button type="button" id="closer" title="Closer (+)" aria-label="Closer">+</button>
<button type="button" id="farther" title="Farther (-)" aria-label="Farther">&minus;</button>
<label><input type="checkbox" id="all-edges"{all_edges}> all edges</label>
<label><input type="checkbox" id="show-alone"> without implications ({alone})</label>
<span class="legend"><span class="strongest">▲ strongest</span> <span class="weakest">▼ weakest</span>
<span class="equivalent">≡ equivalent</span> <span class="below">what it implies</span> <span class="above">what implies it</span></span>
</div>
<div class="stage">
<svg id="picture" tabindex="0" role="application" aria-describedby="help" aria-label="Graph of implications"></svg>
<p id="empty" class="empty" hidden>No implications were found.</p>
<aside id="details" aria-live="polite" hidden></aside>
</div>
<p id="help" class="help">Drag to move, wheel or + and &minus; to zoom, 0 shows everything. Arrow keys go from box to box:
up to stronger assertions, down to weaker ones; Escape lets go.</p>
</main>
</div>
<script type="application/json" id="graph">{graph}</script>
<script type="application/json" id="boxes">{boxes}</script>
<script>
{script}</script>
</body>
</html>
"""


def implication_page(graph: ImplicationGraph, *, all_edges: bool = False) -> str:
    """The whole page. With `all_edges`, it first shows all edges."""
    return PAGE.format(
        policy=POLICY,
        title=escape(f"{PurePath(graph.file).name}: implications"),
        style=_resource("implication_page.css"),
        file=escape(graph.file),
        summary=escape(summary(graph)),
        notes="".join(f'<p class="note">{escape(note)}</p>\n' for note in graph.notes),
        assertions="".join(_procedures(graph)),
        all_edges=" checked" if all_edges else "",
        alone=len(graph.alone),
        graph=embedded(graph.as_json()),
        boxes=embedded(boxes(graph)),
        script=_resource("implication_page.js"),
    )


def embedded(document: Mapping[str, Any]) -> str:
    """JSON for an HTML page, escaped so that it cannot end its element or begin another one."""
    return json.dumps(document, ensure_ascii=False, separators=(",", ":")).translate(SAFE)


# --- the list


def _procedures(graph: ImplicationGraph) -> Iterator[str]:
    by_procedure: dict[str, list[int]] = {}
    for number, node in enumerate(graph.nodes):
        by_procedure.setdefault(node.procedure, []).append(number)
    groups = {group[0]: group for group in graph.groups}
    for procedure, numbers in by_procedure.items():
        yield f'<section class="procedure"><h2>{escape(procedure)} <span class="count">{len(numbers)}</span></h2>\n<ol>\n'
        for number in numbers:
            yield _assertion(graph, groups, number)
        yield "</ol></section>\n"


def _assertion(graph: ImplicationGraph, groups: Mapping[int, Sequence[int]], number: int) -> str:
    node = graph.nodes[number]
    marks = "".join(f' <span class="{mark}">{SYMBOLS[mark]} {mark}</span>' for mark in marks_of(graph, number))
    first = graph.first_of[number]
    equals = groups[first] if number == first else (first,)
    tells = [f"equivalent to {_link(graph, other)}" for other in equals if other != number]
    if number == first:
        tells += [f"implies {_link(graph, weaker)}" for weaker in graph.reduced_between_groups[number]]
    below = "".join(f"<li>{each}</li>" for each in tells)
    return (
        f'<li id="a{number}"><button type="button" data-number="{number}">'
        f'<span class="text">{escape(node.description)}</span>'
        f' <span class="place">{escape(_place(graph, number))}</span>{marks}</button>'
        f"{f'<ul>{below}</ul>' if below else ''}</li>\n"
    )


def _link(graph: ImplicationGraph, number: int) -> str:
    node = graph.nodes[number]
    return f'<a href="#a{number}">{escape(node.description)}</a> ({escape(_place(graph, number))})'


def _place(graph: ImplicationGraph, number: int) -> str:
    location = graph.nodes[number].location
    return f"{PurePath(location.file).name}:{location.line}:{location.column}"


# --- the picture


def boxes(graph: ImplicationGraph) -> dict[str, Any]:
    """The positions of boxes: one for each group of equivalent assertions, stronger ones above those that they imply,
    and those without edges at the bottom. Edges are pairs of boxes, with the points between them."""
    connected = [group for group in graph.groups if group[0] not in graph.alone]
    isolated = [group for group in graph.groups if group[0] in graph.alone]
    texts = {group[0]: _lines(graph, group) for group in graph.groups}
    sizes = {first: _size(lines) for first, lines in texts.items()}
    drawn = layered({group[0]: sizes[group[0]] for group in connected}, graph.reduced_between_groups)
    grid = in_grid({group[0]: sizes[group[0]] for group in isolated}, max(drawn.width, LEAST_GRID))
    top = drawn.height + PART_GAP if connected else 0.0
    places = dict(drawn.places) | {first: (x, y + top) for first, (x, y) in grid.places.items()}
    number_of = {group[0]: number for number, group in enumerate((*connected, *isolated))}
    return {
        "boxes": [
            {
                "members": list(group),
                "x": round(places[group[0]][0], 1),
                "y": round(places[group[0]][1], 1),
                "width": sizes[group[0]][0],
                "height": sizes[group[0]][1],
                "lines": texts[group[0]],
                "alone": group[0] in graph.alone,
            }
            for group in (*connected, *isolated)
        ],
        "edges": [
            [
                number_of[one],
                number_of[other],
                [round(each, 1) for point in drawn.ways.get((one, other), ()) for each in point],
            ]
            for one, targets in graph.reduced_between_groups.items()
            for other in targets
        ],
    }


def _lines(graph: ImplicationGraph, group: Sequence[int]) -> list[str]:
    """The text of a box: the assertion and its place, or equivalent ones with their lines."""
    nodes = [graph.nodes[number] for number in group]
    if len(nodes) == 1:
        return [_short(nodes[0].description), f"{_short(nodes[0].procedure)}, line {nodes[0].location.line}"]
    shown = nodes if len(nodes) <= MOST_MEMBERS + 1 else nodes[:MOST_MEMBERS]
    lines = [f"{_short(node.description)}  :{node.location.line}" for node in shown]
    rest = f", {len(nodes) - len(shown)} more" if len(shown) < len(nodes) else ""
    return [*lines, f"{len(nodes)} equivalent{rest}"]


def _short(text: str) -> str:
    text = " ".join(text.split())
    return text if len(text) <= LONGEST_TEXT else f"{text[: LONGEST_TEXT - 1]}…"


def _size(lines: Sequence[str]) -> Size:
    width = max(map(len, lines)) * CHARACTER + 2 * PADDING + 10.0  # the mark in the corner
    return max(NARROWEST, round(width, 1)), len(lines) * LINE + PADDING


def _resource(name: str) -> str:
    return files("remuda.results").joinpath(name).read_text(encoding="utf-8")
