"""Reads the declarations of a program, before any of its expressions."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, final

from remuda.base.source import Source, Span
from remuda.frontends.boogie.ast import (
    AttributeNode,
    AxiomDeclaration,
    ConstantDeclaration,
    DatatypeDeclaration,
    Declaration,
    FunctionDeclaration,
    GlobalDeclaration,
    ImplementationDeclaration,
    Literal,
    ProcedureDeclaration,
    TypeDeclaration,
    VariableDeclaration,
)
from remuda.frontends.boogie.builtins import find_builtin
from remuda.frontends.boogie.ordering import Ordered, Ordering
from remuda.frontends.boogie.problems import Problems
from remuda.frontends.boogie.scope import (
    ApplicationBuilder,
    ConstructorSymbol,
    FunctionSymbol,
    Instances,
    ProcedureSymbol,
    TypeSymbol,
    TypeTable,
    instantiate_noting,
)
from remuda.frontends.boogie.type_inference import TypeParameter, is_too_large, leaves
from remuda.terms.store import Terms
from remuda.terms.symbols import Function, Variable, VariableKind
from remuda.terms.types import BOOL, DataType, NamedType, Type

if TYPE_CHECKING:
    from remuda.terms.term import Term

MAXIMAL_INSTANCES = 2000  # of polymorphic functions and procedures; more means polymorphic recursion


@final
@dataclass(frozen=True, slots=True)
class PendingBody:
    """A function instance whose body is not yet read."""

    declaration: FunctionDeclaration
    source: Source
    environment: dict[str, Type]
    function: Function
    only_checked: bool  # its types stand for the type parameters, and the program never applies it


@final
class Table:
    """All top-level declarations of a program."""

    def __init__(self, instances: Instances) -> None:
        self.terms = Terms()
        self.problems = Problems()
        self.instances = instances
        self.types = TypeTable(self.problems, instances)
        self.functions: dict[str, FunctionSymbol] = {}
        self.procedures: dict[str, ProcedureSymbol] = {}
        self.variables: dict[str, Term] = {}
        self.broken: set[str] = set()  # variables whose type has an error
        self.globals: list[Variable] = []
        self.assumption_globals: list[Variable] = []
        self.thread_locals: list[Variable] = []
        self.existentials: list[Variable] = []  # Houdini's candidates
        self.constants: list[Variable] = []
        self.unique_constants: list[Variable] = []
        self.global_wheres: list[tuple[Variable, VariableDeclaration, Source]] = []
        self.axioms: list[tuple[AxiomDeclaration, Source]] = []
        self.made_functions: list[Function] = []
        self.ordering = Ordering()
        self._extending: list[tuple[Variable, ConstantDeclaration, Source]] = []
        self.pending: list[PendingBody] = []
        self.only_checking = False  # instances made now only serve to find errors
        self._parameter_types: set[Type] = set()  # the types that stand for functions' type parameters

    def declare(self, program: Sequence[tuple[Source, Sequence[Declaration]]]) -> None:
        """Enter all declarations: types first, because all others mention them."""
        for source, declarations in program:
            for declaration in declarations:
                if isinstance(declaration, TypeDeclaration):
                    self._declare_type(declaration, source)
                elif isinstance(declaration, DatatypeDeclaration):
                    self._declare_datatype(declaration, source)
        for source, declarations in program:
            for declaration in declarations:
                enter = _ENTER.get(declaration.__class__)
                if enter is not None:
                    enter(self, declaration, source)
        for source, declarations in program:
            for declaration in declarations:
                if isinstance(declaration, ImplementationDeclaration):
                    self._declare_implementation(declaration, source)
        self._check_synonyms()
        self._check_datatypes()
        for variable, constants, source in self._extending:
            self._enter_order(variable, constants, source)

    # --- types

    def _declare_type(self, declaration: TypeDeclaration, source: Source) -> None:
        span = Span(source, declaration.start, declaration.end)
        is_datatype = any(attribute.name == "datatype" for attribute in declaration.attributes)
        if declaration.synonym is not None:  # otherwise only the number of parameters matters
            self._check_distinct(declaration.parameters, span)
        self.types.declare(
            TypeSymbol(declaration.name, declaration.parameters, declaration.synonym, span, is_datatype=is_datatype),
        )

    def _declare_datatype(self, declaration: DatatypeDeclaration, source: Source) -> None:
        span = Span(source, declaration.start, declaration.end)
        self._check_distinct(declaration.parameters, span)
        self.types.declare(TypeSymbol(declaration.name, declaration.parameters, None, span, is_datatype=True))

    def _check_distinct(self, parameters: Sequence[str], span: Span) -> None:
        if len(set(parameters)) != len(parameters):
            self.problems.report(span, "more than one declaration of a type variable")

    def _check_synonyms(self) -> None:
        for symbol in list(self.types.symbols.values()):
            if symbol.synonym is not None:
                environment = {name: TypeParameter(name) for name in symbol.parameters}
                self.types.resolve(symbol.synonym, symbol.span.source, environment)

    def _check_datatypes(self) -> None:
        for symbol in list(self.types.symbols.values()):
            if symbol.is_datatype and not symbol.constructors:
                self.problems.report(symbol.span, f"datatype {symbol.name} has no constructors")

    def enter_constructors(self, declaration: DatatypeDeclaration, source: Source) -> None:
        """Enter the constructors of a `datatype` declaration, as functions."""
        environment = {name: TypeParameter(name) for name in declaration.parameters}
        result = DataType(declaration.name, tuple(environment.values()))
        span = Span(source, declaration.start, declaration.end)
        for name, fields in declaration.constructors:
            types = self._signature(fields, source, environment)
            if types is None:
                continue
            names = [field.name or f"#{position}" for position, field in enumerate(fields)]
            parameters = tuple(declaration.parameters)
            symbol = ConstructorSymbol(name, parameters, tuple(zip(names, types, strict=True)), result)
            self._enter_constructor(symbol, span)

    def _enter_constructor(self, symbol: ConstructorSymbol, span: Span) -> None:
        owner = self.types.symbols[symbol.result.name]
        index = len(owner.constructors)
        owner.constructors.append(symbol)
        types = tuple(type_ for _, type_ in symbol.fields)
        build = self._constructor_builder(symbol, index)
        self._enter_function(
            FunctionSymbol(symbol.name, symbol.type_parameters, types, symbol.result, build, span),
        )
        parameters = symbol.type_parameters
        for position, (name, type_) in enumerate(symbol.fields):
            select = self._selector_builder(symbol, index, position)
            selector = FunctionSymbol(f"{name}#{symbol.name}", parameters, (symbol.result,), type_, select, span)
            self.functions.setdefault(selector.name, selector)
        test = self._tester_builder(symbol, index)
        tester = FunctionSymbol(f"is#{symbol.name}", parameters, (symbol.result,), BOOL, test, span)
        self.functions.setdefault(tester.name, tester)

    def _constructor_builder(
        self, symbol: ConstructorSymbol, index: int
    ) -> Callable[[tuple[Type, ...]], ApplicationBuilder]:
        def build(arguments: tuple[Type, ...]) -> ApplicationBuilder:
            constructor = self.types.constructors(DataType(symbol.result.name, arguments))[index]
            return lambda args: self.terms.construct(constructor, args)

        return build

    def _selector_builder(
        self, symbol: ConstructorSymbol, index: int, position: int
    ) -> Callable[[tuple[Type, ...]], ApplicationBuilder]:
        def build(arguments: tuple[Type, ...]) -> ApplicationBuilder:
            constructor = self.types.constructors(DataType(symbol.result.name, arguments))[index]
            return lambda args: self.terms.field(constructor, position, args[0])

        return build

    def _tester_builder(
        self, symbol: ConstructorSymbol, index: int
    ) -> Callable[[tuple[Type, ...]], ApplicationBuilder]:
        def build(arguments: tuple[Type, ...]) -> ApplicationBuilder:
            constructor = self.types.constructors(DataType(symbol.result.name, arguments))[index]
            return lambda args: self.terms.is_(constructor, args[0])

        return build

    # --- variables

    def enter_constants(self, declaration: ConstantDeclaration, source: Source) -> None:
        for variable_declaration in declaration.variables:
            variable = self._enter_variable(variable_declaration, source, VariableKind.CONSTANT)
            if variable is not None:
                self.constants.append(variable)
                if declaration.parents is not None:
                    self._extending.append((variable, declaration, source))
                if declaration.is_unique:
                    self.unique_constants.append(variable)
                if variable.type == BOOL and any(each.name == "existential" for each in declaration.attributes):
                    self.existentials.append(variable)

    def enter_globals(self, declaration: GlobalDeclaration, source: Source) -> None:
        for variable_declaration in declaration.variables:
            variable = self._enter_variable(variable_declaration, source, VariableKind.GLOBAL)
            if variable is not None:
                self.globals.append(variable)
                if is_assumption(variable_declaration) and variable.type == BOOL:
                    self.assumption_globals.append(variable)
                if is_thread_local(declaration, variable_declaration):
                    self.thread_locals.append(variable)
                if variable_declaration.where is not None:
                    self.global_wheres.append((variable, variable_declaration, source))

    def _enter_variable(
        self, declaration: VariableDeclaration, source: Source, kind: VariableKind
    ) -> Variable | None:
        if declaration.name in self.variables or declaration.name in self.broken:
            span = Span(source, declaration.start, declaration.end)
            self.problems.report(span, f"more than one declaration of variable name: {declaration.name}")
            return None
        assert declaration.type is not None
        type_ = self.types.resolve(declaration.type, source, {})
        if type_ is None:
            self.broken.add(declaration.name)
            return None
        variable = Variable(declaration.name, type_, kind)
        self.variables[declaration.name] = self.terms.var(variable)
        return variable

    def _enter_order(self, constant: Variable, declaration: ConstantDeclaration, source: Source) -> None:
        span = Span(source, declaration.start, declaration.end)
        parents: dict[str, Variable] = {}
        for name in declaration.parents or ():
            found = self.variables.get(name)
            if found is None or found.payload.kind is not VariableKind.CONSTANT:
                self.problems.report(span, f"{name}, which {constant.name} extends, is not a constant")
            elif found.type != constant.type:
                message = f"parent of constant has incompatible type ({found.type} instead of {constant.type})"
                self.problems.report(span, message)
            else:
                parents[name] = found.payload
        unique = [parents[name] for name in declaration.unique_parents if name in parents]
        self.ordering.constants.append(
            Ordered(constant, list(parents.values()), unique, declaration.is_complete, span)
        )

    # --- functions

    def enter_function(self, declaration: FunctionDeclaration, source: Source) -> None:
        span = Span(source, declaration.start, declaration.end)
        environment = {name: TypeParameter(name) for name in declaration.type_parameters}
        self._check_distinct(declaration.type_parameters, span)
        types = self._signature([*declaration.parameters, declaration.result], source, environment)
        if types is None:
            return
        names = [parameter.name for parameter in (*declaration.parameters, declaration.result) if parameter.name]
        if len(set(names)) != len(names):
            self.problems.report(
                span, f"more than one declaration of a parameter name in function {declaration.name}"
            )
        *parameters, result = types
        if any(attribute.name == "constructor" for attribute in declaration.attributes):
            self._enter_old_constructor(declaration, tuple(parameters), result, span)
            return
        build = self._function_builder(declaration, source)
        symbol = FunctionSymbol(
            declaration.name, tuple(declaration.type_parameters), tuple(parameters), result, build, span, declaration
        )
        self._enter_function(symbol)

    def _enter_function(self, symbol: FunctionSymbol) -> None:
        if symbol.name in self.functions:
            self.problems.report(symbol.span, f"more than one declaration of function name: {symbol.name}")
            return
        self.functions[symbol.name] = symbol

    def _enter_old_constructor(
        self, declaration: FunctionDeclaration, parameters: tuple[Type, ...], result: Type, span: Span
    ) -> None:
        if not isinstance(result, DataType) or result.name not in self.types.symbols:
            self.problems.report(span, f"constructor {declaration.name} does not return a datatype")
            return
        names = tuple(argument.name for argument in result.arguments if isinstance(argument, TypeParameter))
        if names != tuple(declaration.type_parameters) or len(names) != len(result.arguments):
            self.problems.unsupported(span, "a datatype constructor for special type arguments")
            return
        fields = tuple(
            (parameter.name or f"#{position}", type_)
            for position, (parameter, type_) in enumerate(zip(declaration.parameters, parameters, strict=True))
        )
        self._enter_constructor(ConstructorSymbol(declaration.name, names, fields, result), span)

    def _signature(
        self, declarations: Sequence[VariableDeclaration], source: Source, environment: dict[str, TypeParameter]
    ) -> list[Type] | None:
        types = []
        for declaration in declarations:
            assert declaration.type is not None
            type_ = self.types.resolve(declaration.type, source, environment)
            if type_ is not None:
                types.append(type_)
        return types if len(types) == len(declarations) else None

    def _function_builder(
        self, declaration: FunctionDeclaration, source: Source
    ) -> Callable[[tuple[Type, ...]], ApplicationBuilder]:
        def build(arguments: tuple[Type, ...]) -> ApplicationBuilder:
            return self._function_instance(declaration, source, arguments)

        return build

    def _function_instance(
        self, declaration: FunctionDeclaration, source: Source, arguments: tuple[Type, ...]
    ) -> ApplicationBuilder:
        symbol = self.functions[declaration.name]
        environment = dict(zip(symbol.type_parameters, arguments, strict=True))
        types = [instantiate_noting(self.types, type_, environment) for type_ in symbol.parameters]
        result = instantiate_noting(self.types, symbol.result, environment)
        text = string_attribute(declaration.attributes, "builtin", "bvbuiltin")
        if text is not None:
            builder = find_builtin(text, types, result)
            if builder is not None:
                return lambda args: builder(self.terms, args)
        if any(attribute.name == "smtdefined" for attribute in declaration.attributes):
            self.problems.unsupported(symbol.span, "a function defined by SMT text")
        function = self._make_function(declaration, types, result, arguments, text)
        if self.is_excessive(arguments, len(self.made_functions) - len(self.functions)):
            self.problems.unsupported(symbol.span, "polymorphic recursion")
        elif declaration.body is not None:
            only_checked = self._is_only_checked(arguments)
            self.pending.append(PendingBody(declaration, source, environment, function, only_checked))
        return lambda args: self.terms.apply(function, args)

    def is_excessive(self, arguments: tuple[Type, ...], instances: int) -> bool:
        """Whether there are so many or so large instances that they seem to be infinitely many."""
        return instances > MAXIMAL_INSTANCES or any(is_too_large(argument) for argument in arguments)

    def _make_function(
        self,
        declaration: FunctionDeclaration,
        types: Sequence[Type],
        result: Type,
        arguments: tuple[Type, ...],
        builtin: str | None,
    ) -> Function:
        parameters = tuple(
            Variable(parameter.name or f"#{position}", type_, VariableKind.BOUND)
            for position, (parameter, type_) in enumerate(zip(declaration.parameters, types, strict=True))
        )
        function = Function(instance_name(declaration.name, arguments), parameters, result, builtin=builtin)
        if not self._is_only_checked(arguments):
            self.made_functions.append(function)
        return function

    def make_all_functions(self) -> None:
        """Make the functions that need no application: monomorphic ones, and bodies that must be checked."""
        for symbol in list(self.functions.values()):
            if symbol.declaration is None:
                continue
            if not symbol.type_parameters:
                symbol.builder(())
            elif symbol.declaration.body is not None:
                symbol.builder(self.stand_ins(symbol.type_parameters, symbol.name))

    def stand_ins(self, parameters: Sequence[str], owner: str) -> tuple[Type, ...]:
        """Types that stand for the type parameters, for checking declarations without instances."""
        types = tuple(NamedType(f"{name}#{owner}") for name in parameters)
        self._parameter_types.update(types)
        return types

    def _is_only_checked(self, arguments: tuple[Type, ...]) -> bool:
        """Whether the types of an instance stand for type parameters of functions."""
        return any(leaf in self._parameter_types for argument in arguments for leaf in leaves(argument))

    def skolem(self, parameter: str, owner: str) -> NamedType:
        """An arbitrary type, for a type parameter."""
        type_ = NamedType(f"{parameter}#{owner}")
        self.types.note(type_)
        return type_

    # --- procedures

    def enter_procedure(self, declaration: ProcedureDeclaration, source: Source) -> None:
        span = Span(source, declaration.start, declaration.end)
        if declaration.name in self.procedures:
            self.problems.report(span, f"more than one declaration of procedure name: {declaration.name}")
            return
        environment = {name: TypeParameter(name) for name in declaration.type_parameters}
        self._check_distinct(declaration.type_parameters, span)
        inputs = self._signature(declaration.inputs, source, environment)
        outputs = self._signature(declaration.outputs, source, environment)
        if inputs is not None and outputs is not None:
            self.procedures[declaration.name] = ProcedureSymbol(
                declaration.name, declaration, source, tuple(inputs), tuple(outputs)
            )

    def enter_axiom(self, declaration: AxiomDeclaration, source: Source) -> None:
        self.axioms.append((declaration, source))

    def _declare_implementation(self, declaration: ImplementationDeclaration, source: Source) -> None:
        span = Span(source, declaration.start, declaration.end)
        symbol = self.procedures.get(declaration.name)
        if symbol is None:
            self.problems.report(span, f"implementation given for undeclared procedure: {declaration.name}")
            return
        if len(declaration.type_parameters) != len(symbol.declaration.type_parameters):
            self.problems.report(span, f"mismatched number of type parameters in implementation: {declaration.name}")
            return
        environment = {
            own: TypeParameter(name)
            for own, name in zip(declaration.type_parameters, symbol.declaration.type_parameters, strict=True)
        }
        for nodes, expected, what in (
            (declaration.inputs, symbol.inputs, "in-parameters"),
            (declaration.outputs, symbol.outputs, "out-parameters"),
        ):
            types = self._signature(nodes, source, environment)
            if types is None:
                return
            if len(types) != len(expected):
                self.problems.report(span, f"mismatched number of {what} in implementation: {declaration.name}")
                return
            for node, type_, wanted in zip(nodes, types, expected, strict=True):
                if type_ != wanted:
                    where = Span(source, node.start, node.end)
                    self.problems.report(
                        where, f"mismatched type of {what[:-1]} {node.name}: {type_} instead of {wanted}"
                    )
                    return
        symbol.implementations.append((declaration, source))


def instance_name(name: str, arguments: tuple[Type, ...]) -> str:
    """The name of an instance: `f<int, Field bool>`, or only `f` without type arguments."""
    return f"{name}<{', '.join(map(str, arguments))}>" if arguments else name


def is_assumption(declaration: VariableDeclaration) -> bool:
    """Whether the variable is marked `{:assumption}`."""
    return any(attribute.name == "assumption" for attribute in declaration.attributes)


def is_thread_local(declaration: GlobalDeclaration, variable: VariableDeclaration) -> bool:
    """Whether the global, or its declaration, is marked `{:thread_local}`."""
    return any(attribute.name == "thread_local" for attribute in (*declaration.attributes, *variable.attributes))


def string_attribute(attributes: Sequence[AttributeNode], *names: str) -> str | None:
    """The text of the first attribute that has one of the names and a string argument."""
    for attribute in attributes:
        if attribute.name in names and attribute.arguments:
            argument = attribute.arguments[0]
            if isinstance(argument, Literal) and isinstance(argument.value, str):
                return argument.value
    return None


_ENTER: dict[type, Callable[[Table, Any, Source], None]] = {
    DatatypeDeclaration: Table.enter_constructors,
    ConstantDeclaration: Table.enter_constants,
    GlobalDeclaration: Table.enter_globals,
    FunctionDeclaration: Table.enter_function,
    ProcedureDeclaration: Table.enter_procedure,
    AxiomDeclaration: Table.enter_axiom,
}
