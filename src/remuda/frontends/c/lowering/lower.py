"""Lowers a linked unit to a program of the IR.

Each function that an entry may reach becomes a procedure. The procedure where executions start initialises all static
objects first.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, final

from remuda.base.errors import UsageError
from remuda.base.names import some_of
from remuda.frontends.c.library.initial_mutexes import has_special_mutexes
from remuda.frontends.c.library.table import runs_destructors
from remuda.frontends.c.lowering.arguments import texts_of
from remuda.frontends.c.lowering.calls import CallLowering, model_of
from remuda.frontends.c.lowering.context import FunctionContext
from remuda.frontends.c.lowering.display import CPresentation, Landmark
from remuda.frontends.c.lowering.entries import give_arguments
from remuda.frontends.c.lowering.expressions import Expressions
from remuda.frontends.c.lowering.implied import without_implied
from remuda.frontends.c.lowering.intrinsics import ASSERTING
from remuda.frontends.c.lowering.objects import is_dynamic
from remuda.frontends.c.lowering.places import MemoryPlace, RecordValue, RegisterPlace
from remuda.frontends.c.lowering.reachable import (
    nodes_of,
    reachable_functions,
    recursive_functions,
    used_literals,
    used_variables,
    variables_of,
)
from remuda.frontends.c.lowering.scopes import inner_variables
from remuda.frontends.c.lowering.setup import create_context
from remuda.frontends.c.lowering.statements import Statements
from remuda.frontends.c.lowering.threads import Threads, check_thread_locals, thread_functions
from remuda.frontends.c.lowering.trampoline import complete
from remuda.frontends.c.syntax import ast
from remuda.frontends.c.syntax.extents import extent_of
from remuda.frontends.c.syntax.types import INT, ArrayType, size_of
from remuda.frontends.c.syntax.walk import called_function
from remuda.ir.program import Call, Procedure, Program
from remuda.terms.symbols import VariableKind

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from remuda.frontends.c.lowering.arguments import Texts
    from remuda.frontends.c.lowering.context import ProgramContext
    from remuda.frontends.c.lowering.options import LoweringOptions
    from remuda.frontends.c.lowering.validity import Validity
    from remuda.ir.program import Statement
    from remuda.terms.term import Term


_ASSERTION = re.compile(rf"\b({'|'.join(sorted(ASSERTING))})\s*\(")  # in the text of a function


def lower(unit: ast.Unit, options: LoweringOptions) -> Program:
    """The program of a unit. Executions start in the functions that the options name, or in main."""
    entries = _entries(unit, options)
    unasked = [function for _, function in (*unit.constructors, *unit.destructors)]
    functions = reachable_functions(
        [*entries, *unasked], lambda function: function.body is not None and model_of(function, options.asked) is None
    )
    texts = {entry: texts_of(entry) for entry in entries}
    return _Lowering(create_context(unit, options, functions, entries, texts), functions, texts).program()


def _entries(unit: ast.Unit, options: LoweringOptions) -> list[ast.Function]:
    with_body = [function for function in unit.functions.values() if function.body is not None]
    if "*" in options.entries and with_body:
        return with_body
    found = []
    for name in options.entries or ("main",):
        function = unit.functions.get(name)
        if function is None or function.body is None:
            known = [each.name for each in with_body]
            some = some_of(known, "no function with a body")
            raise UsageError(f"there is no function {name} to start in; the program has {some}")
        found.append(function)
    return found


def _is_error_number(variable: ast.Variable) -> bool:
    """Whether a variable is the `errno` of the library."""
    return variable.name == "errno" and variable.type == INT and not variable.is_static


@final
class _Lowering:
    def __init__(
        self,
        context: ProgramContext,
        functions: Sequence[ast.Function],
        entries: Mapping[ast.Function, Sequence[Texts]],
    ) -> None:
        self._context = context
        self._functions = functions
        self._entries = tuple(entries)
        self._texts = entries  # the objects of `argv` and `envp`
        self._variables = used_variables(functions)
        context.error_number = next((each for each in self._variables if _is_error_number(each)), None)
        self._literals = used_literals(functions, self._variables)
        context.storage.literals = tuple(self._literals)
        self._constructors = [function for _, function in context.unit.constructors]
        self._destructors = [function for _, function in context.unit.destructors]
        callees = {function.name: self._callees(function) for function in functions}
        self._called = {name for names in callees.values() for name in names}
        self._called.update(function.name for function in (*self._constructors, *self._destructors))
        context.recursive = recursive_functions(functions, callees)
        bodies = thread_functions(functions, context.memory)
        if bodies is not None:
            context.threads = Threads.of(bodies, context.storage.address_type)
            self._called.update(function.name for function in bodies)
            context.recursive = frozenset(self._called)  # several threads may be in one
            check_thread_locals(self._variables, context.memory)
            context.assume("functions of the library are one step each, that no other thread interrupts")
            context.assume(
                "the values of pthread_t are numbers, one for each thread, in the order in which they start"
            )
        context.has_special_mutexes = has_special_mutexes(functions, self._variables)
        context.dynamic = frozenset(
            variable
            for function in functions
            for variable in variables_of(function)
            if is_dynamic(variable, is_recursive=function.name in context.recursive)
        )
        for variable in self._variables:
            if not context.memory.in_memory(variable):
                context.registers[variable] = context.register(variable, VariableKind.GLOBAL)
        if context.storage.validity is not None:
            self._find_sole_objects(context.storage.validity)

    def _callees(self, function: ast.Function) -> list[str]:
        """The functions that a function may call; one that ends the program calls the destructors."""
        names: dict[str, None] = {}
        for node in nodes_of(function):
            if isinstance(node, ast.Call):
                direct = called_function(node)
                targets = self._context.memory.targets(node) if direct is None else (direct,)
                names.update(dict.fromkeys(target.name for target in targets if target.body is not None))
                if direct is not None and runs_destructors(direct):
                    names.update(dict.fromkeys(target.name for target in self._destructors))
        return list(names)

    def program(self) -> Program:
        context = self._context
        procedures = [
            self._procedure(function)
            for function in self._functions
            if function not in self._entries or function.name in self._called
        ]
        starts = [self._start(entry) for entry in self._entries]
        if context.memory.has_unknown_objects:
            context.assume("pointers of unknown origin are assumed to point to separate objects")
        if context.storage.bared_address is not None:
            context.trusted.address(context.storage.bared_address)
        for span, sentence in context.unit.warnings:
            context.assume(f"{span}: {sentence}")
        for sentence in context.arithmetic.gives_up:
            context.assume(sentence)
        registers = [variable for place in context.registers.values() for variable in place.variables]
        own = [
            variable
            for each, place in context.registers.items()
            if each.is_thread_local
            for variable in place.variables
        ]
        doubtful_truth = context.storage.doubtful_truth
        if doubtful_truth is not None:
            context.trusted.truth(doubtful_truth)
        if context.threads is not None:
            registers += context.threads.globals
            own.append(context.threads.own)
            procedures += context.threads.procedures(context, self._entries[0].span)
        return Program(
            context.terms,
            {procedure.name: procedure for procedure in (*procedures, *starts)},
            tuple(procedure.name for procedure in starts),
            globals=(*registers, *context.storage.globals),
            functions=context.arithmetic.functions,
            assumptions=context.trusted.sentences,
            has_unreached_assertions=self._has_unreached_assertions(),
            thread_locals=tuple(own) if context.threads is not None else (),
            presentation=self._presentation(),
            beliefs=frozenset(context.beliefs),
        )

    def _has_unreached_assertions(self) -> bool:
        """Whether a function that no entry reaches has an assertion."""
        if any(_ASSERTION.search(span.text) for span in self._context.unit.unused):
            return True
        reached = {function.name for function in self._functions}
        return any(
            isinstance(node, ast.Call) and (callee := called_function(node)) is not None and callee.name in ASSERTING
            for function in self._context.unit.functions.values()
            if function.body is not None and function.name not in reached and function.name not in ASSERTING
            for node in nodes_of(function)
        )

    def _presentation(self) -> CPresentation:
        presentation, storage = self._context.presentation, self._context.storage
        reproduction, unit = presentation.reproduction, self._context.unit
        reproduction.entries = tuple(self._entries)
        reproduction.functions = tuple(unit.functions.values())
        reproduction.error_labels = frozenset(self._context.options.error_labels)
        reproduction.machine = unit.machine
        reproduction.unit = unit
        reproduction.has_threads = self._context.threads is not None
        reproduction.stops = self._context.options.stops
        for function, address in storage.functions.items():
            presentation.landmarks[address] = Landmark(function.name, 0)
        for object_, address in storage.objects.items():
            name = object_.name if isinstance(object_, ast.Variable) else " ".join(object_.span.text.split())
            step = 0
            if isinstance(object_.type, ArrayType):
                step = size_of(object_.type.element, self._context.unit.machine) or 0
            size = extent_of(object_, self._context.unit.machine) or 0
            presentation.landmarks[address] = Landmark(name, size, step)
        presentation.has_chosen = self._context.trusted.has_chosen
        return presentation

    def _find_sole_objects(self, validity: Validity) -> None:
        """Find families of one object that has a constant address: they need no map of lengths, and no shadow state
        at all if the object never ends."""
        context = self._context
        for variable in self._variables:  # families with objects of unknown size must be known early
            if context.memory.in_memory(variable) and extent_of(variable, context.unit.machine) is None:
                context.storage.object_address(variable)
        for literal in self._literals:  # and so must families with read-only objects
            context.storage.object_address(literal)
        mortal: dict[ast.Variable, bool | None] = {}  # None: no constant address
        for function in self._functions:
            is_outermost = function in self._entries and function.name not in self._called
            inner = inner_variables(function)
            for variable in variables_of(function):
                if variable in context.dynamic:
                    mortal[variable] = None
                elif "pointer" in context.options.checks:
                    mortal[variable] = not is_outermost or variable in inner
        taken = {context.memory.pointed_family(each) for entry in self._entries for each in entry.parameters}
        given = [each for texts in self._texts.values() for each in texts]
        taken.update(context.memory.object_family(each.contents) for each in given)
        for family, object_ in context.memory.sole_objects().items():
            size = extent_of(object_, context.unit.machine)
            ends = mortal.get(object_, False) if isinstance(object_, ast.Variable) else False
            if family not in taken and size is not None and ends is not None:
                validity.sole[family] = (context.storage.object_address(object_), ends)

    # --- procedures

    def _procedure(self, function: ast.Function) -> Procedure:
        context, _, statements = self._lowerings(function)
        self._parameters(statements, function)
        self._body(context, statements, function)
        if context.outputs and function.name != "main" and context.blocks.is_reached:
            self._context.trusted.unchecked("result")
        context.blocks.go(context.exit, function.span)
        statements.objects.end()
        return _finished(context, function.name)

    def _start(self, entry: ast.Function) -> Procedure:
        """The procedure where executions start: it initialises the program, and continues with the body of the entry.
        If other functions call the entry too, it calls the entry instead."""
        context, expressions, statements = self._lowerings(entry)
        context.is_outermost = True
        self._initialise(expressions, statements)
        calls = CallLowering(context, expressions)
        calls.run(self._constructors, entry.span)
        give_arguments(context, expressions, statements.objects, self._texts[entry])
        if entry.name in self._called:
            self._call(context, expressions, entry)
        else:
            self._body(context, statements, entry)
        storage = self._context.storage
        first: list[Statement] = storage.start(entry.span)
        if self._context.threads is not None:
            first.append(self._context.threads.first(self._context, entry.span))
        context.blocks.first.statements[:0] = first
        context.blocks.go(context.exit, entry.span)
        if entry.name == "main" and entry.body is not None:
            calls.run(self._destructors, entry.body.end)
            context.checks.leak(entry.body.end)
        return _finished(context, f"{entry.name}$start" if entry.name in self._called else entry.name)

    def _lowerings(self, function: ast.Function) -> tuple[FunctionContext, Expressions, Statements]:
        context = FunctionContext(self._context, function)
        expressions = Expressions(context)
        statements = Statements(context, expressions)
        expressions.calls = CallLowering(context, expressions)
        expressions.bodies = statements
        return context, expressions, statements

    def _parameters(self, statements: Statements, function: ast.Function) -> None:
        for parameter in function.parameters:
            statements.objects.parameter(parameter)

    def _body(self, context: FunctionContext, statements: Statements, function: ast.Function) -> None:
        assert function.body is not None
        context.has_labels = any(isinstance(node, ast.Label | ast.Case) for node in nodes_of(function))
        context.addressed_labels.clear()  # initialising the tables of other functions has added their labels
        for node in nodes_of(function):
            if isinstance(node, ast.Declaration):
                for variable in node.variables:
                    if variable.storage is ast.Storage.LOCAL:
                        statements.objects.prepare(variable)
                    else:
                        self._labels(context, variable)
            elif isinstance(node, ast.CompoundLiteral) and node.variable.storage is ast.Storage.LOCAL:
                statements.objects.prepare(node.variable)
            elif isinstance(node, ast.LabelAddress):
                context.label_number(node.label)
        complete(statements.statement(function.body))

    def _labels(self, context: FunctionContext, table: ast.Variable) -> None:
        """Number the labels whose addresses are in a static variable."""
        for node in nodes_of(table):
            if isinstance(node, ast.LabelAddress):
                context.label_number(node.label)

    def _call(self, context: FunctionContext, expressions: Expressions, entry: ast.Function) -> None:
        arguments: list[Term] = []
        for parameter in entry.parameters:
            value = expressions.accesses.read(expressions.addresses.variable(parameter), entry.span)
            arguments.extend(value.scalars if isinstance(value, RecordValue) else (value,))
        results = tuple(context.blocks.temporary(output.type, "result") for output in context.outputs)
        context.blocks.add(Call(entry.name, tuple(arguments), results, entry.span))

    # --- the state at the start

    def _initialise(self, expressions: Expressions, statements: Statements) -> None:
        for literal in self._literals:
            place = complete(expressions.place(literal))
            assert isinstance(place, MemoryPlace)
            if self._context.memory.is_accessed(literal):  # the texts of assertions are many, and never read
                statements.objects.string(literal, place)
        for variable in self._variables:
            target = expressions.addresses.variable(variable)
            if variable.storage is ast.Storage.EXTERN:
                self._context.assume(f"{variable.name} is defined elsewhere: its first value may be anything")
                supply = statements.context.supply(variable)
                if isinstance(target, RegisterPlace):
                    expressions.accesses.forget(target, variable.span, variable.name, supply)
                continue
            statements.objects.zero_padding(variable, target)
            if variable.initializer is None:
                statements.objects.zero(target, variable.span)
            else:
                complete(statements.objects.initialize(target, variable.initializer, variable.name))


def _finished(context: FunctionContext, name: str) -> Procedure:
    blocks = context.blocks.finish()
    kinds = context.program.options.checks
    if kinds:
        blocks = without_implied(blocks, kinds, context.first_values.flags, stops=context.program.options.stops)
    variables = tuple(context.blocks.locals)
    return Procedure(name, tuple(context.inputs), context.outputs, context.function.span, variables, blocks)
