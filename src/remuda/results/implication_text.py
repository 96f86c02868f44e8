"""Implications between assertions as text.

    queue.c:30:7: assertion x >= 0 (strongest)
        implies queue.c:32:7: assertion z >= 0
    queue.c:32:7: assertion z >= 0 (weakest)
    ...
    6 assertions, 2 implications, 9 dependent pairs, 14 questions, 0.1 s

Implications that follow from other lines by transitivity or equivalence are left out.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from remuda.results.implications import ImplicationGraph


def implications_text(graph: ImplicationGraph, *, all_edges: bool = False) -> str:
    """Every assertion with those that it implies, then the costs; with `all_edges` also implications that follow from
    other lines."""
    lines: list[str] = []
    groups = {group[0]: group for group in graph.groups}
    edges = graph.weaker if all_edges else graph.reduced_between_groups
    for number in range(len(graph.nodes)):
        first = graph.first_of[number]
        marks = ", ".join(marks_of(graph, number))
        lines.append(f"{_name(graph, number)} ({marks})" if marks else _name(graph, number))
        if number != first and not all_edges:
            lines.append(f"    equivalent to {_name(graph, first)}")
            continue
        equals = groups[first] if not all_edges else ()
        lines += [f"    equivalent to {_name(graph, other)}" for other in equals if other != number]
        lines += [f"    implies {_name(graph, weaker)}" for weaker in sorted(edges[number])]
    return "".join(f"{line}\n" for line in (*lines, *(f"note: {note}" for note in graph.notes), summary(graph)))


def marks_of(graph: ImplicationGraph, number: int) -> list[str]:
    """The marks of an assertion, such as `strongest`; none if it has no implications."""
    if number in graph.alone:
        return []
    marks = {
        "strongest": number in graph.strongest,
        "weakest": number in graph.weakest,
        "equivalent": number in graph.equivalent,
    }
    return [mark for mark, applies in marks.items() if applies]


def summary(graph: ImplicationGraph) -> str:
    """The numbers of implications and the costs, in one line."""
    extent = "" if graph.bound is None else f" up to bound {graph.bound}"
    return ", ".join(
        (
            _count(len(graph.nodes), "assertion"),
            _count(len(graph.edges), "implication") + extent,
            _count(graph.pairs, "dependent pair"),
            _count(graph.queries, "question"),
            f"{graph.seconds:.1f} s",
        )
    )


def _name(graph: ImplicationGraph, number: int) -> str:
    node = graph.nodes[number]
    return f"{node.location}: {node.description}"


def _count(number: int, what: str) -> str:
    return f"{number} {what}" if number == 1 else f"{number} {what}s"
