"""The facts about a program that its lowering needs from the start: its memory, addresses, and assumptions."""

from __future__ import annotations

from typing import TYPE_CHECKING

from remuda.base.errors import UsageError
from remuda.frontends.c.arithmetic.protocol import create_arithmetic
from remuda.frontends.c.library.table import releases
from remuda.frontends.c.lowering.arguments import caller
from remuda.frontends.c.lowering.context import ProgramContext
from remuda.frontends.c.lowering.layout import slot_bits
from remuda.frontends.c.lowering.order import open_order
from remuda.frontends.c.lowering.reachable import nodes_of, used_literals, used_variables, variables_of
from remuda.frontends.c.lowering.storage import Storage
from remuda.frontends.c.lowering.threads import thread_functions
from remuda.frontends.c.lowering.unchecked import unchecked
from remuda.frontends.c.lowering.uncovered import uncovered
from remuda.frontends.c.lowering.validity import KINDS
from remuda.frontends.c.lowering.volatile import Volatiles
from remuda.frontends.c.memory.flat import FlatMemory
from remuda.frontends.c.memory.regions import analyse
from remuda.frontends.c.syntax import ast
from remuda.frontends.c.syntax.extents import extent_of
from remuda.frontends.c.syntax.layouts import Layouts
from remuda.frontends.c.syntax.types import VariableArrayType
from remuda.frontends.c.syntax.walk import called_function
from remuda.terms.store import Terms

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from remuda.frontends.c.lowering.arguments import Texts
    from remuda.frontends.c.lowering.options import LoweringOptions
    from remuda.frontends.c.memory.model import MemoryModel


def create_context(
    unit: ast.Unit,
    options: LoweringOptions,
    functions: Sequence[ast.Function],
    entries: Sequence[ast.Function],
    texts: Mapping[ast.Function, Sequence[Texts]],
) -> ProgramContext:
    """The context of a program whose entries reach these functions. `texts` are the arguments of `main`."""
    terms = Terms()
    arithmetic = create_arithmetic(terms, unit.machine, options.integers)
    layouts = Layouts(unit.machine)
    callers = [caller(entry, given) for entry, given in texts.items() if given]
    memory = _memory(unit, (*functions, *callers), options)
    slot = _slot(unit, functions, entries, memory)
    watch = not options.checks.isdisjoint(KINDS)
    is_anywhere = options.memory_model == "none"
    storage = Storage(terms, arithmetic, layouts, memory, unit.machine, slot, watch=watch, is_anywhere=is_anywhere)
    has_threads = thread_functions(functions, memory) is not None
    volatiles = Volatiles(options.volatile, unit, functions, has_threads=has_threads)
    context = ProgramContext(unit, options, terms, arithmetic, layouts, memory, storage, volatiles)
    order = open_order(functions, memory)
    if order is not None:
        context.trusted.order(order)
    open_bytes = uncovered(functions, memory, layouts)
    if open_bytes is not None:
        context.trusted.uncovered(open_bytes)
    for kind in unchecked(functions, unit.machine):
        context.trusted.unchecked(kind)
    context.released = _released(functions, memory)
    context.given_texts = frozenset(each.contents for given in texts.values() for each in given)
    if options.memory_model == "flat":
        context.assume("objects have fixed addresses, in the order in which the program reaches them")
    return context


def _memory(unit: ast.Unit, functions: Sequence[ast.Function], options: LoweringOptions) -> MemoryModel:
    match options.memory_model:
        case "regions":
            return analyse(unit, functions, believes=options.believes)
        case "flat" if options.integers == "math":
            raise UsageError("--memory-model flat is for integers as the machine has them, not for --integers math")
        case "flat" | "none":
            return FlatMemory(functions, used_variables(functions))
        case other:
            raise UsageError(f"memory models are `regions` and `flat`, not `{other}`")


def _released(functions: Sequence[ast.Function], memory: MemoryModel) -> frozenset[int]:
    """The families of the blocks that functions free."""
    calls = [node for function in functions for node in nodes_of(function) if isinstance(node, ast.Call)]
    freed = [call for call in calls if (callee := called_function(call)) is not None and releases(callee)]
    families = [memory.family(call.arguments[0]) for call in freed if call.arguments]
    return frozenset(family for family in families if family is not None)


def _slot(
    unit: ast.Unit, functions: Sequence[ast.Function], entries: Sequence[ast.Function], memory: MemoryModel
) -> int:
    """How many bits of an address are the offset in an object."""
    variables = [*used_variables(functions), *(each for function in functions for each in variables_of(function))]
    objects: list[ast.Variable | ast.StringLiteral] = [each for each in variables if memory.in_memory(each)]
    objects += used_literals(functions, used_variables(functions))
    sizes = [extent_of(each, unit.machine) or 0 for each in objects]
    given = sum(len(entry.parameters) for entry in entries)  # each may be a pointer to an object of its own
    return slot_bits(
        unit.machine.pointer_width,
        len(sizes) + given,
        max(sizes, default=0),
        has_computed_lengths=any(isinstance(each.type, VariableArrayType) for each in variables),
    )
