"""`remuda show`: how Remuda represents a program, before any solver runs."""

from __future__ import annotations

import sys
from dataclasses import replace
from typing import TYPE_CHECKING, Final

import click

from remuda.base.errors import UsageError
from remuda.cli.flags import PROGRAM, ProgramCommand, takes
from remuda.cli.inputs import resolve
from remuda.cli.reporter import Reporter
from remuda.options import Topic

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from remuda.analysis.callgraph import CallGraph
    from remuda.analysis.fragments import CallerTree
    from remuda.base.source import Span
    from remuda.ir.program import Procedure, Program
    from remuda.options import Options

EPILOG: Final = """\b
Examples:
  remuda show ir queue.bpl
  remuda show callgraph --svg queue.bpl > queue.svg
  remuda show callgraph --dot queue.bpl | dot -Tpdf > queue.pdf
  remuda show loops queue.bpl
  remuda show facts queue.c
  remuda show callers --svg queue.c > callers.svg
  remuda show vc --joins equations queue.bpl
  remuda show ussa --bound 2 queue.c
  remuda show ussa --scope procedures queue.bpl
  remuda show inlining --bound 3 queue.bpl
  remuda show inlining --merge optimal --svg queue.bpl > instances.svg
"""

LONGEST_LINE: Final = 60
SCOPES: Final = ("program", "procedures")

files_argument = click.argument("files", nargs=-1, required=True, metavar="FILE...", type=click.Path())


@click.group(epilog=EPILOG, short_help="Show how Remuda represents a program.")
def show() -> None:
    """Show how Remuda represents a program. No solver runs.

    Several FILEs make up one program; a FILE that ends in .yml is a task definition, which names the program.
    """


show.command_class = ProgramCommand


@takes(*PROGRAM)
@show.command("ir", short_help="Print the program in the intermediate language.")
@files_argument
@click.pass_context
def show_ir(context: click.Context, files: tuple[str, ...]) -> int:
    """Print the program in the intermediate language, the core of Boogie."""
    from remuda.ir.printer import print_program

    program, _ = load(*resolve(context, files))
    reporter_of(context).output(print_program(program))
    return 0


@takes(*PROGRAM)
@show.command("callgraph", short_help="Print the call graph.")
@click.option("--dot", is_flag=True, help="Write a graph for Graphviz instead of text.")
@click.option("--svg", is_flag=True, help="Draw the graph as SVG, which needs Graphviz.")
@files_argument
@click.pass_context
def show_callgraph(context: click.Context, files: tuple[str, ...], *, dot: bool, svg: bool) -> int:
    """Print the call graph; entry procedures and recursion are marked."""
    from remuda.analysis.callgraph import call_graph

    check_forms(dot=dot, svg=svg)
    reporter = reporter_of(context)
    program, _ = load(*resolve(context, files))
    graph = call_graph(program)
    if not dot and not svg:
        reporter.output(callgraph_text(program, graph))
        return 0
    draw(reporter, callgraph_dot(program, graph), svg=svg)
    return 0


@takes(*PROGRAM)
@show.command("loops", short_help="Print the loops and their names.")
@files_argument
@click.pass_context
def show_loops(context: click.Context, files: tuple[str, ...]) -> int:
    """Print every loop: its name for --bound-for, its location, its nesting depth, and whether it can be isolated."""
    program, _ = load(*resolve(context, files))
    reporter_of(context).output(loops_text(program))
    return 0


@takes(*PROGRAM, Topic.BOUNDS)
@show.command("facts", short_help="Print features of the program and the plan.")
@files_argument
@click.pass_context
def show_facts(context: click.Context, files: tuple[str, ...]) -> int:
    """Print the features of a program that decide how it is verified, and the plan.

    The features are sizes, kinds of values, loops, calls and assertions. The plan lists the strategies that join the
    first search if it does not end at once, and the reason for each.
    """
    from remuda.portfolio.facts import facts_of
    from remuda.portfolio.plan import auto, is_open

    program, options = load(*resolve(context, files))
    facts = facts_of(program)
    plan = [(runner.strategy, runner.why) for runner in auto(facts, options)] if is_open(options) else []
    text = table(facts.lines())
    if plan:
        text += f"\nplan: one search, and after a moment also\n{table([('', *row) for row in plan])}"
    reporter_of(context).output(text)
    return 0


@takes(*PROGRAM, Topic.DEBUGGING)
@show.command("callers", short_help="Print the fragments that --isolate tries.")
@click.option("--dot", is_flag=True, help="Write a graph for Graphviz instead of text.")
@click.option("--svg", is_flag=True, help="Draw the graph as SVG, which needs Graphviz.")
@files_argument
@click.pass_context
def show_callers(context: click.Context, files: tuple[str, ...], *, dot: bool, svg: bool) -> int:
    """Print the loops and procedures in which --isolate tries to prove assertions, and what encloses each of them.

    A loop with an exit other than its head is part of the fragment around it. Fragments that contain assertions are
    marked.
    """
    from remuda.export.transformed import fragments_of

    check_forms(dot=dot, svg=svg)
    reporter = reporter_of(context)
    tree = fragments_of(*load(*resolve(context, files)))
    if not dot and not svg:
        reporter.output(callers_text(tree))
        return 0
    draw(reporter, callers_dot(tree), svg=svg)
    return 0


@takes(
    *PROGRAM,
    Topic.THREADS,
    Topic.DEBUGGING,
    also=("stack_depth", "engine", "summaries", "lift", "unroll", "solver", "joins"),
)
@show.command("vc", short_help="Print the formulas of procedures.")
@files_argument
@click.pass_context
def show_vc(context: click.Context, files: tuple[str, ...]) -> int:
    """Print the verification condition of every procedure that a search may inline."""
    from remuda.cli.show_vc import vc_text

    program, options = load(*resolve(context, files))
    reporter_of(context).output(vc_text(program, options))
    return 0


@takes(*PROGRAM, Topic.DEBUGGING, also=("bound",))
@show.command("ussa", short_help="Print the unwound program.")
@click.option(
    "--scope",
    type=click.Choice(SCOPES),
    default="program",
    show_default=True,
    help="Unwind the whole program from its entries up to --bound, or every procedure separately, from any state.",
)
@files_argument
@click.pass_context
def show_ussa(context: click.Context, files: tuple[str, ...], *, scope: str) -> int:
    """Print the program unwound up to --bound, as one sequence of guarded instructions and assertions.

    Every variable is assigned once (unwound static single assignment). `remuda implications` compares the assertions
    of these sequences. With --scope procedures, a loop or a large call gives any value to the variables that it may
    modify.
    """
    from remuda.cli.show_ussa import sequences_text
    from remuda.implications.comparison import prepared_sequences

    program, options = load(*resolve(context, files))
    prepared, given = prepared_sequences(program, options, scope)
    if prepared.has_threads:
        raise UsageError(
            "a program with threads has no single sequence of instructions; run `remuda transform sequentialize` first, and"
            " show the program that it writes"
        )
    reporter_of(context).output(sequences_text(prepared.looping, given))
    return 0


@takes(
    *PROGRAM,
    Topic.BOUNDS,
    Topic.THREADS,
    Topic.SHARING,
    Topic.DEBUGGING,
    also=("timeout", "lift", "unroll", "seed"),
)
@show.command("inlining", short_help="Print the numbers of procedure instances.")
@click.option(
    "--dot", is_flag=True, help="Write the instances under --merge as a graph for Graphviz instead of text."
)
@click.option("--svg", is_flag=True, help="Draw the instances under --merge as SVG, which needs Graphviz.")
@files_argument
@click.pass_context
def show_inlining(context: click.Context, files: tuple[str, ...], *, dot: bool, svg: bool) -> int:
    """Print the number of procedure instances up to the bound, as a tree and under each merging strategy.

    --timeout limits each strategy; its default is 60 seconds here. The random strategies run five times.
    """
    from remuda.cli.show_inlining import inlining_dot, inlining_rows

    check_forms(dot=dot, svg=svg)
    reporter = reporter_of(context)
    program, options = load(*resolve(context, files))
    if not dot and not svg:
        for rows in inlining_rows(program, options):
            reporter.output(table(rows))
        return 0
    draw(reporter, inlining_dot(program, options), svg=svg)
    return 0


def check_forms(*, dot: bool, svg: bool) -> None:
    if dot and svg:
        raise UsageError("--dot and --svg exclude each other; give one of them")


def draw(reporter: Reporter, dot: str, *, svg: bool) -> None:
    """Write a graph as Graphviz text or as SVG."""
    from remuda.results.graphs import render_svg

    reporter.output(render_svg(dot) if svg else dot)


def reporter_of(context: click.Context) -> Reporter:
    return context.find_object(Reporter) or Reporter()


def load(files: Sequence[str], options: Options) -> tuple[Program, Options]:
    """The program of the front end, with the chosen entries, and the options for later stages."""
    from remuda.prepare.load import load as load_program
    from remuda.prepare.pipeline import chosen_entries
    from remuda.prepare.read import read_source

    sys.set_int_max_str_digits(0)  # as the worker process of `verify` does
    program, options = load_program([read_source(file) for file in files], options)
    return replace(program, entries=chosen_entries(program, options)), options


# --- the output of the commands


def callgraph_text(program: Program, graph: CallGraph) -> str:
    recursive = graph.recursive()
    rows = [
        (name, callgraph_notes(program, procedure, recursive=name in recursive), ", ".join(graph.callees[name]))
        for name, procedure in program.procedures.items()
    ]
    return table([(name, notes, f"-> {callees}" if callees else "") for name, notes, callees in rows])


def callgraph_notes(program: Program, procedure: Procedure, *, recursive: bool) -> str:
    notes = {
        "entry": procedure.name in program.entries,
        "no body": procedure.blocks is None,
        "recursive": recursive,
    }
    return ", ".join(note for note, applies in notes.items() if applies)


def callgraph_dot(program: Program, graph: CallGraph) -> str:
    from remuda.results.graphs import call_graph_dot

    return call_graph_dot(
        graph.callees,
        entries=program.entries,
        bodiless=[name for name, procedure in program.procedures.items() if procedure.blocks is None],
        recursive=graph.recursive_components(),
    )


def callers_text(tree: CallerTree) -> str:
    rows = []
    for fragment in tree.fragments.values():
        around = tree.around(fragment.name)
        count = len(fragment.checks)
        own = "1 assertion" if count == 1 else f"{count} assertions" if count else ""
        kind = "procedure" if fragment.loop is None else "loop"
        rows.append((fragment.name, str(fragment.span), kind, own, f"in {', '.join(around)}" if around else "entry"))
    return table(rows) if rows else "no procedures\n"


def callers_dot(tree: CallerTree) -> str:
    from remuda.results.graphs import caller_tree_dot

    return caller_tree_dot(
        {name: fragment.parents for name, fragment in tree.fragments.items()},
        marked=[name for name, fragment in tree.fragments.items() if fragment.checks],
        loops=[name for name, fragment in tree.fragments.items() if fragment.loop is not None],
    )


def loops_text(program: Program) -> str:
    rows = [row for procedure in program.procedures.values() if procedure.blocks for row in loop_rows(procedure)]
    return table(rows) if rows else "no loops\n"


def loop_rows(procedure: Procedure) -> Iterator[tuple[str, ...]]:
    """The name, place, nesting depth, locality, size and text of every cycle of a procedure."""
    from remuda.analysis.loops import find_loops, why_not_local

    blocks = {block.label: block for block in procedure.blocks or ()}
    found = find_loops(procedure)
    for loop in found.loops:
        span = blocks[loop.header].span
        locality = why_not_local(loop, blocks) or "local"
        yield loop.name, str(span), f"depth {loop.depth}", locality, block_count(loop.blocks), line_of(span)
    for region in found.irreducible:
        span = blocks[region.blocks[0]].span
        entries = f"{len(region.entries)} entries"
        yield region.name, str(span), entries, "not a natural loop", block_count(region.blocks), line_of(span)


def line_of(span: Span) -> str:
    """The line of the source, cut if it is long."""
    text = " ".join(span.source.line_text(span.line).split())
    return text if len(text) <= LONGEST_LINE else f"{text[: LONGEST_LINE - 3]}..."


def block_count(blocks: Sequence[str]) -> str:
    return "1 block" if len(blocks) == 1 else f"{len(blocks)} blocks"


def table(rows: Sequence[Sequence[str]]) -> str:
    """The text of rows with aligned columns."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    lines = ("  ".join(f"{cell:<{width}}" for cell, width in zip(row, widths, strict=True)).rstrip() for row in rows)
    return "".join(f"{line}\n" for line in lines)
