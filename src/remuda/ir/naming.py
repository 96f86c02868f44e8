"""Printed names for all symbols of a program, by identity, and the declarations that the printed text needs.

Boogie has separate name spaces for types, for variables and constants, and for functions and procedures. So do the
names here.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, final

from remuda.base.errors import InternalError
from remuda.ir.names import Names, escape, legal_name
from remuda.ir.operator_text import declaration, operator_name, signed_value_declaration
from remuda.terms.types import INT, BvType, DataType, FloatType, MapType, NamedType

if TYPE_CHECKING:
    from collections.abc import Sequence

    from remuda.ir.program import Program
    from remuda.terms.symbols import Constructor, Function, Variable
    from remuda.terms.term import Term
    from remuda.terms.types import Type


@final
class ProgramNaming:
    """The names of one program. It collects declared operators and types in the order of their first use."""

    def __init__(self, program: Program) -> None:
        self.operators: dict[object, tuple[str, str]] = {}  # name and declaration, by what identifies the operator
        self.constructors: dict[str, int] = {}  # of uninterpreted types: printed name and arity
        self._types: dict[Type, str] = {}
        self._type_names = Names()
        self._named: dict[tuple[str, int], str] = {}
        self._function_names = Names()
        self._procedures = {name: self._function_names.claim(name) for name in program.procedures}
        self._functions = {function: self._function_names.claim(function.name) for function in program.functions}
        self._declared_constructors: dict[Constructor, str] = {}
        self._fields: dict[tuple[Constructor, int], str] = {}
        for datatype in program.datatypes:
            self._types[datatype.type] = self._type_names.claim_type(_flat_name(datatype.type))
            for constructor in datatype.constructors:
                self._name_constructor(constructor)
        for type_ in program.types:
            self.type(type_)
        self._global_names = Names()
        self._globals = {
            variable: self._global_names.claim(variable.name)
            for variable in dict.fromkeys((*program.globals, *program.constants, *program.unique_constants))
        }
        self._scope_names = self._global_names
        self._scope: dict[Variable, str] = {}

    # --- scopes of variables

    def open_scope(self, variables: Sequence[Variable], *, hides_globals: bool = False) -> None:
        """Name the variables of a procedure or a function, and drop those of the previous one."""
        self._scope_names = Names(None if hides_globals else self._global_names)
        self._scope = {variable: self._scope_names.claim(variable.name) for variable in dict.fromkeys(variables)}

    def close_scope(self) -> None:
        self._scope_names = self._global_names
        self._scope = {}

    def inner_scope(self) -> Names:
        return Names(self._scope_names)

    def variable(self, variable: Variable) -> str:
        name = self._scope.get(variable) or self._globals.get(variable)
        if name is None:
            raise InternalError(f"{variable!r} is not in scope where it is printed")
        return name

    # --- functions

    def procedure(self, name: str) -> str:
        return self._procedures[name]

    def function(self, function: Function) -> str:
        name = self._functions.get(function)
        if name is None:
            raise InternalError(f"{function!r} is not declared in the program that is printed")
        return name

    def constructor(self, constructor: Constructor) -> str:
        return self._declared_constructors[constructor]

    def field_names(self, constructor: Constructor) -> list[str]:
        """The names of the fields, as parameters of the constructor."""
        names = Names()
        return [names.claim(name) for name, _ in constructor.fields]

    def field(self, constructor: Constructor, index: int) -> str:
        return self._fields[constructor, index]

    def tester(self, constructor: Constructor) -> str:
        return f"is#{_plain(self._declared_constructors[constructor])}"

    def _name_constructor(self, constructor: Constructor) -> None:
        """Name a constructor. Boogie derives the names of selectors and testers, so these must be free too."""
        names = self._function_names
        fields = [_plain(name) for name in self.field_names(constructor)]
        base = legal_name(constructor.name)
        name, number = base, 0
        while any(candidate in names for candidate in _derived_names(name, fields)):
            number += 1
            name = f"{base}#{number}"
        for derived in _derived_names(name, fields):
            names.claim(derived)
        self._declared_constructors[constructor] = escape(name)
        for index, field in enumerate(fields):
            self._fields[constructor, index] = f"{field}#{name}"

    # --- operators

    def operator(self, term: Term) -> str:
        if term.op == "float":
            return self._float_literal(term.type)
        key = (term.op, term.payload, term.type, *(argument.type for argument in term.args))
        found = self.operators.get(key)
        if found is None:
            name = self._function_names.claim(operator_name(term))
            if term.op == "bv2int":
                text = self._signed_value(name, term.args[0].type)
            else:
                text = declaration(term, name)
            found = self.operators[key] = (name, text)
        return found[0]

    def _float_literal(self, type_: Type) -> str:
        """The function that makes a float from its bits: Boogie's literals cannot express every float."""
        assert isinstance(type_, FloatType)
        bits = BvType(type_.significand + type_.exponent)
        key = ("to_fp_bits", type_, type_, bits)
        if key not in self.operators:
            name = self._function_names.claim(f"$to_fp_bits.{bits.width}.{type_.significand}e{type_.exponent}")
            builtin = f"(_ to_fp {type_.exponent} {type_.significand})"
            self.operators[key] = (name, f'function {{:builtin "{builtin}"}} {name}(x: {bits}) returns ({type_});')
        return self.operators[key][0]

    def _signed_value(self, name: str, type_: Type) -> str:
        assert isinstance(type_, BvType)
        key = ("bv2nat", None, INT, type_)
        if key not in self.operators:
            unsigned = self._function_names.claim(f"$bv2nat.{type_.width}")
            text = f'function {{:bvbuiltin "bv2nat"}} {unsigned}(x: {type_}) returns (int);'
            self.operators[key] = (unsigned, text)
        return signed_value_declaration(name, type_.width, self.operators[key][0])

    # --- types

    def type(self, type_: Type) -> str:
        """The type as it is printed; inner types are named first, without recursion."""
        stack = [type_]
        while stack:
            current = stack[-1]
            missing = [part for part in _type_parts(current) if part not in self._types]
            if missing and current not in self._types:
                stack.extend(missing)
                continue
            stack.pop()
            if current not in self._types:
                self._types[current] = self._compose(current)
        return self._types[type_]

    def _compose(self, type_: Type) -> str:
        match type_:
            case MapType(domain, range_):
                return f"[{', '.join(self._types[part] for part in domain)}]{self._types[range_]}"
            case NamedType(name, arguments):
                return " ".join((self._type_constructor(name, len(arguments)), *map(self._atomic, arguments)))
            case DataType():
                raise InternalError(f"the datatype {type_} is not declared in the program that is printed")
        return str(type_)

    def _atomic(self, type_: Type) -> str:
        text = self._types[type_]
        return f"({text})" if " " in text or text.startswith("[") else text

    def _type_constructor(self, name: str, arity: int) -> str:
        written = self._named.get((name, arity))
        if written is None:
            written = self._named[name, arity] = self._type_names.claim_type(name)
            self.constructors[written] = arity
        return written


def _type_parts(type_: Type) -> tuple[Type, ...]:
    match type_:
        case MapType(domain, range_):
            return (*domain, range_)
        case NamedType(_, arguments):
            return arguments
    return ()


def _derived_names(constructor: str, fields: Sequence[str]) -> list[str]:
    return [constructor, f"is#{constructor}", *(f"{field}#{constructor}" for field in fields)]


def _flat_name(type_: DataType) -> str:
    """The name of an instance of a datatype, such as `List.int`: Boogie 2.4 has no datatypes with parameters."""
    return ".".join((type_.name, *(str(argument).replace(" ", ".") for argument in type_.arguments)))


def _plain(written: str) -> str:
    return written.removeprefix("\\")
