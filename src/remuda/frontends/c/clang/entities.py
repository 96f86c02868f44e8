"""The variables and functions of one translation unit, made when something first refers to them.

Preprocessed files declare thousands of entities that they never use; only those in use cost anything. Entities with
linkage are found by name, because they may be declared many times; others by their declaration.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, final

from remuda.frontends.c.clang import kinds
from remuda.frontends.c.clang.attributes import Marks, read_marks
from remuda.frontends.c.clang.conversions import adjusted
from remuda.frontends.c.clang.native import VISIT_CONTINUE, VISITOR, Cursor, Library
from remuda.frontends.c.syntax.ast import Function, Storage, Variable
from remuda.frontends.c.syntax.types import INT, ArrayType, FunctionType

if TYPE_CHECKING:
    from remuda.base.source import Span
    from remuda.frontends.c.clang.places import Places
    from remuda.frontends.c.clang.types import Types
    from remuda.frontends.c.syntax.link import Linker

RENAMED: Final = "__remuda_renamed"  # the prefix of names that clang reserves and the program defines itself

ERROR_NUMBER: Final = "__errno_location"  # the function behind `errno`


@final
class Entities:
    """The entities that names stand for, and the definitions that wait to be converted."""

    def __init__(self, library: Library, types: Types, places: Places, linker: Linker) -> None:
        self._linker = linker
        self._library = library
        self._types = types
        self._places = places
        self._known: dict[int | None, Variable | Function] = {}
        self._functions: dict[str, Function] = {}
        self._variables: dict[str, Variable] = {}
        self._file_scope: dict[str, list[Cursor]] = {}  # the declarations of variables and functions
        self._marks: dict[str, Marks] = {}  # of names that have linkage
        self._positions: dict[int | None, int] = {}  # of the declarations of file scope
        self._order: dict[Variable | Function, tuple[float, int]] = {}  # by their positions in the file
        self.current = 0  # the position of what is being converted
        self.pending_functions: list[tuple[Function, Cursor]] = []
        self.pending_variables: list[tuple[Variable, Cursor]] = []
        self.static_variables: list[Variable] = []
        self._error_number: Variable | None = None
        self.constructors: list[tuple[int, Function]] = []  # with their priorities, in the order of the file
        self.destructors: list[tuple[int, Function]] = []

    # --- file scope

    def scan(self, unit: Cursor) -> int:
        """Read the declarations of file scope, and request the entities that other units can see. The result is the
        number of declarations."""
        library = self._library
        found: list[Cursor] = []

        def visit(cursor: Cursor, _parent: Cursor, _: object) -> int:
            found.append(cursor)
            return VISIT_CONTINUE

        library.visitChildren(unit, VISITOR(visit), None)
        visible: list[Cursor] = []
        marked: list[Cursor] = []
        for position, cursor in enumerate(found):
            self._positions[cursor.data0] = position
            if cursor.kind in {kinds.VARIABLE, kinds.FUNCTION}:
                self._file_scope.setdefault(self.name(cursor), []).append(cursor)
                if library.Cursor_hasAttrs(cursor):
                    marked.append(cursor)
                if self._is_definition(cursor) and library.getCursorLinkage(cursor) != kinds.INTERNAL_LINKAGE:
                    visible.append(cursor)
        visible += [cursor for cursor in marked if self._acts_unasked(cursor)]
        for cursor in visible:
            self.entity(cursor)
        for cursor in visible:
            self._note_runs(cursor)
        return len(found)

    def _acts_unasked(self, cursor: Cursor) -> bool:
        """Whether a declaration matters although nothing refers to it: constructors and destructors, symbols that
        something outside may refer to, and aliases of something that is defined here."""
        marks = self.marks(self.name(cursor), cursor)
        if marks.is_kept and self._is_definition(cursor):
            return True
        if cursor.kind == kinds.FUNCTION and self._library.isCursorDefinition(cursor):
            return marks.constructor is not None or marks.destructor is not None
        return marks.alias is not None and not marks.is_weak

    def _note_runs(self, cursor: Cursor) -> None:
        if cursor.kind != kinds.FUNCTION or not self._library.isCursorDefinition(cursor):
            return
        marks, function = self.marks(self.name(cursor), cursor), self.entity(cursor)
        assert isinstance(function, Function)
        for priority, runs in ((marks.constructor, self.constructors), (marks.destructor, self.destructors)):
            if priority is not None and (priority, function) not in runs:
                runs.append((priority, function))

    def marks(self, name: str, used: Cursor) -> Marks:
        """The marks of a name with linkage, from all its declarations."""
        found = self._marks.get(name)
        if found is None:
            found = self._marks[name] = read_marks(self._library, self._file_scope.get(name) or [used])
        return found

    def _is_definition(self, cursor: Cursor) -> bool:
        """Whether a declaration is a definition, or a tentative one."""
        if cursor.kind == kinds.FUNCTION:
            return bool(self._library.isCursorDefinition(cursor))
        if self._library.Cursor_getStorageClass(cursor) != kinds.STORAGE_EXTERN:
            return True
        return bool(self._library.isCursorDefinition(cursor))

    def functions(self) -> dict[str, Function]:
        return dict(sorted(self._functions.items(), key=lambda entry: self._order[entry[1]]))

    def unused(self) -> tuple[Span, ...]:
        """The static functions that nothing refers to, which are not converted."""
        return tuple(
            self._places.span_of_extent(cursor)
            for name, declarations in self._file_scope.items()
            if name not in self._functions
            for cursor in declarations
            if cursor.kind == kinds.FUNCTION and self._library.isCursorDefinition(cursor)
        )

    def variables(self) -> tuple[Variable, ...]:
        everything = [*self._variables.values(), *self.static_variables]
        return tuple(sorted(everything, key=lambda variable: self._order[variable]))

    def enter(self, definition: Cursor) -> None:
        """Begin to convert a definition."""
        self.current = self._positions.get(definition.data0, self.current)

    # --- entities

    def name(self, declaration: Cursor) -> str:
        return self._library.text(self._library.getCursorSpelling(declaration)).removeprefix(RENAMED)

    def entity(self, declaration: Cursor) -> Variable | Function:
        """The variable or function that is declared."""
        found = self._known.get(declaration.data0)
        if found is None:
            found = self._function(declaration) if declaration.kind == kinds.FUNCTION else self.variable(declaration)
            self._known[declaration.data0] = found
        return found

    def variable(self, declaration: Cursor) -> Variable:
        found = self._known.get(declaration.data0)
        if found is not None:
            assert isinstance(found, Variable)
            return found
        library = self._library
        has_linkage = library.getCursorLinkage(declaration) != kinds.NO_LINKAGE
        if declaration.kind == kinds.VARIABLE and has_linkage:
            made = self._linked_variable(self.name(declaration), declaration)
        elif declaration.kind == kinds.VARIABLE and (
            library.Cursor_getStorageClass(declaration) == kinds.STORAGE_STATIC
        ):
            made = self._make(declaration, Storage.STATIC)
            self.add_static(made, declaration)
        else:
            is_parameter = declaration.kind == kinds.PARAMETER
            made = self._make(declaration, Storage.PARAMETER if is_parameter else Storage.LOCAL)
        self._known[declaration.data0] = made
        return made

    def add_static(self, variable: Variable, cursor: Cursor) -> None:
        """Add a static object whose name is not of file scope."""
        self.static_variables.append(variable)
        self._remember(variable, cursor)

    def _make(self, declaration: Cursor, storage: Storage) -> Variable:
        qualified = self._types.qualified_of_cursor(declaration)
        name, library = self.name(declaration), self._library
        asked = read_marks(library, [declaration]).alignment
        return Variable(
            name,
            adjusted(qualified.type) if storage is Storage.PARAMETER else qualified.type,
            storage,
            self._places.span_of_name(declaration, name),
            is_volatile=qualified.is_volatile,
            is_thread_local=bool(library.getCursorTLSKind(declaration)),
            alignment=max(1, asked, library.Type_getAlignOf(library.getCursorType(declaration))),
        )

    def _linked_variable(self, name: str, used: Cursor) -> Variable:
        """The variable of a name, from all its declarations of file scope."""
        found = self._variables.get(name)
        if found is not None:
            return found
        declarations = self._file_scope.get(name, [used])
        marks = self.marks(name, used)
        if marks.alias is not None:
            aliased = self._aliased(name, marks, used)
            if isinstance(aliased, Variable):
                self._variables[name] = aliased
                return aliased
        definitions = [declaration for declaration in declarations if self._is_definition(declaration)]
        last = declarations[-1]  # it has the composite type
        variable = self._make(last, Storage.GLOBAL if definitions else Storage.EXTERN)
        variable.is_static = self._library.getCursorLinkage(last) == kinds.INTERNAL_LINKAGE
        variable.is_weak = marks.is_weak
        if self._library.Cursor_getStorageClass(last) == kinds.STORAGE_REGISTER:
            variable.is_volatile = True  # a register of the machine, which other code changes, too
        if definitions and isinstance(variable.type, ArrayType) and variable.type.length is None:
            variable.type = ArrayType(variable.type.element, 1)  # as C defines it for a tentative definition
        if not variable.is_static:
            has_value = any(self._library.Cursor_getVarDeclInitializer(each).data1 for each in definitions)
            variable = self._linker.variable(variable, marks.label or name, has_value=has_value)
        variable.alignment = max(variable.alignment, marks.alignment)
        self._variables[name] = variable
        self._remember(variable, declarations[0])
        for declaration in definitions:
            if self._library.Cursor_getVarDeclInitializer(declaration).data1:
                span = self._places.span_of_name(declaration, name)
                symbol = marks.label or name
                if variable.is_static or self._linker.initializes(symbol, span, is_weak=marks.is_weak):
                    variable.span = span
                    self.pending_variables.append((variable, declaration))
        return variable

    def _function(self, declaration: Cursor) -> Function:
        name = self.name(declaration)
        found = self._functions.get(name)
        if found is not None:
            return found
        library = self._library
        definition = self._definition(name, declaration)
        defines = definition.kind == kinds.FUNCTION
        best = definition if defines else declaration
        marks = self.marks(name, declaration)
        if marks.alias is not None and not defines:
            aliased = self._aliased(name, marks, declaration)
            if isinstance(aliased, Function):
                self._functions[name] = aliased
                return aliased
        type_ = self._types.of_cursor(best)
        function = Function(
            name,
            type_ if isinstance(type_, FunctionType) else FunctionType(INT, (), has_prototype=False),
            self._places.span_of_name(best, name),
            is_static=library.getCursorLinkage(best) == kinds.INTERNAL_LINKAGE and marks.alias is None,
            is_noreturn=marks.is_noreturn or self._has_noreturn_type(declaration),
            is_inline=bool(library.Cursor_isFunctionInlined(best)),
            is_weak=marks.is_weak,
            symbol=marks.alias or marks.label or "",
            obstacle="a function that another one chooses (`ifunc`)" if marks.is_chosen_at_start else "",
        )
        if not function.is_static:
            function, defines = self._linker.function(function, defines=defines)
        self._functions[name] = function
        self._remember(function, best)
        if defines:
            self.pending_functions.append((function, definition))
        return function

    def _definition(self, name: str, declaration: Cursor) -> Cursor:
        """The definition of a function. A file may define a function twice, if the first definition is only for
        inlining (`gnu_inline`): then the last one counts."""
        declarations = self._file_scope.get(name, ())
        definitions = [each for each in declarations if self._library.isCursorDefinition(each)]
        return definitions[-1] if definitions else self._library.getCursorDefinition(declaration)

    def _aliased(self, name: str, marks: Marks, used: Cursor) -> Variable | Function | None:
        """The symbol that a name is an alias of, if this file declares that."""
        assert marks.alias is not None
        targets = self._file_scope.get(marks.alias) or self._labelled(marks.alias)
        if not targets:
            return None
        target = self.entity(targets[-1])
        if not marks.is_weak and self._library.getCursorLinkage(used) != kinds.INTERNAL_LINKAGE:
            self._linker.alias(marks.label or name, target, self._places.span_of_name(used, name))
        return target

    def _labelled(self, symbol: str) -> list[Cursor]:
        """The declarations that set the symbol of an entity (`__asm__("symbol")`)."""
        for name, declarations in self._file_scope.items():
            if self._library.Cursor_hasAttrs(declarations[-1]) and self.marks(name, declarations[-1]).label == symbol:
                return declarations
        return []

    def function_named(self, name: str) -> Function | None:
        """The function of file scope with a name."""
        declarations = self._file_scope.get(name)
        found = None if declarations is None else self.entity(declarations[-1])
        return found if isinstance(found, Function) else None

    def builtin(self, name: str, type_: FunctionType, span: Span) -> Function:
        """A function that clang treats as an operator, and therefore never declares."""
        found = self._functions.get(name)
        if found is None:
            found, _ = self._linker.function(Function(name, type_, span), defines=False)
            self._functions[name] = found
            self._order[found] = (-1, 0)
        return found

    def error_number(self, span: Span) -> Variable | None:
        """`errno`, where a header makes it `*__errno_location()`; None if the program defines that function itself."""
        if any(self._is_definition(each) for each in self._file_scope.get(ERROR_NUMBER, [])):
            return None
        if self._error_number is None:
            made = Variable("errno", INT, Storage.GLOBAL, span, is_thread_local=True)
            self._error_number = self._linker.variable(made, "errno", has_value=False)
            self._variables.setdefault("errno", self._error_number)
            self._order.setdefault(self._error_number, (-1, 0))
        return self._error_number

    def _has_noreturn_type(self, declaration: Cursor) -> bool:
        type_ = self._types.of_cursor(declaration)
        return isinstance(type_, FunctionType) and type_.is_noreturn

    def _remember(self, entity: Variable | Function, cursor: Cursor) -> None:
        """Note where an entity is declared. One that is not of file scope comes right before the current
        definition."""
        position = self._positions.get(cursor.data0, self.current - 0.5)
        self._order.setdefault(entity, (position, self._library.getCursorLocation(cursor).code))
