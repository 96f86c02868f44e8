"""The instances of a program's procedures up to the bound, for `remuda show inlining`: sizes, or a picture."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from remuda.base.errors import UsageError
from remuda.engines.bounded_calls import TooLarge
from remuda.export.compression import SECONDS, Unfolder

if TYPE_CHECKING:
    from collections.abc import Iterator

    from remuda.engines.call_dag import CallDag
    from remuda.engines.stacks import Stack
    from remuda.export.compression import Compression
    from remuda.ir.program import Program
    from remuda.options import Options
    from remuda.results.graphs import DrawnInstance

DRAWN: Final = 400  # the most instances; Graphviz takes minutes for more, and the picture would be unreadable
Row = tuple[str, str, str, str]


def inlining_rows(program: Program, options: Options) -> Iterator[list[Row]]:
    """The sizes of the tree and the DAGs of each entry."""
    unfolder = Unfolder(program, options, seconds=SECONDS if options.timeout is None else options.timeout)
    try:
        for compression in unfolder.compressions():
            yield _right_aligned([*_heading(compression), *_strategies(compression)])
    except TooLarge as problem:
        raise UsageError(f"there are too many call stacks to count ({problem}); lower --bound") from None


def _right_aligned(rows: list[Row]) -> list[Row]:
    width = max(len(instances) for _, instances, *_ in rows)
    return [(name, instances.rjust(width), note, seconds) for name, instances, note, seconds in rows]


def _heading(compression: Compression) -> list[Row]:
    return [
        (f"{compression.entry}, bound {compression.bound}", "instances", "", "seconds"),
        ("tree, nothing shared", str(compression.tree), "", ""),
        ("lower bound of any DAG", str(compression.at_least), "", ""),
    ]


def _strategies(compression: Compression) -> Iterator[Row]:
    for name, size in compression.sizes.items():
        if size.instances is None:
            yield name, "-", size.problem, f"{size.seconds:.2f}"
        else:
            yield name, f"{size.instances:.10g}", _note(compression, name, size.instances), f"{size.seconds:.2f}"


def _note(compression: Compression, name: str, instances: float) -> str:
    if instances == compression.at_least:
        return "as small as can be"
    above = compression.above_optimal(name)
    return "" if above is None or name == "optimal" else f"{100 * above:+.1f} %"


def inlining_dot(program: Program, options: Options) -> str:
    """The Graphviz text of the DAG of the strategy that `--merge` names."""
    from remuda.results.graphs import inlining_dot as dot

    unfolder = Unfolder(program, options, nodes=DRAWN)
    drawn: list[DrawnInstance] = []
    for entry in unfolder.entries:
        try:
            drawn += drawn_instances(unfolder.dag(entry, options.merge, options.seed), len(drawn))
        except TooLarge as problem:
            raise UsageError(
                f"the graph is too large to draw: {problem} below {entry}; lower --bound, or choose another --entry"
            ) from None
    return dot(drawn)


def drawn_instances(dag: CallDag[Stack], offset: int = 0) -> list[DrawnInstance]:
    """The nodes as plain data; `offset` is added to their numbers."""
    from remuda.results.graphs import DrawnInstance

    contexts = dag.contexts()
    return [
        DrawnInstance(
            name=node.key.procedure if node.key.cost == 1 else f"{node.key.procedure} [{node.key.cost}]",
            contexts=contexts[node.number],
            callees=tuple(offset + node.callees[call].number for call in sorted(node.callees)),
        )
        for node in dag.nodes
    ]
