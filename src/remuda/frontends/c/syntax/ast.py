"""Typed syntax trees of C: the result of the parser, and the input of the lowering.

Everything that C leaves implicit is explicit: each conversion is a `Cast`, reading a variable is the cast
`lvalue_to_rvalue` of an lvalue, sizes and enumerators are literals, and initialisers name the part of the object for
each value. Nodes are compared by identity and never change.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING, final

if TYPE_CHECKING:
    from collections.abc import Mapping

    from remuda.base.source import Span
    from remuda.frontends.c.syntax.types import CType, Field, FunctionType, Machine


# --- declarations


class Storage(Enum):
    """The lifetime of an object, and its linkage."""

    GLOBAL = "global"  # file scope, defined here (or tentatively)
    EXTERN = "extern"  # file scope, defined elsewhere
    STATIC = "static"  # `static` in a function: one object for the whole execution
    LOCAL = "local"
    PARAMETER = "parameter"


@final
@dataclass(slots=True, eq=False)
class Variable:
    """An object with a name (empty for those that the program does not name). The initialiser is set after construction, because it may mention the variable itself."""

    name: str
    type: CType
    storage: Storage
    span: Span
    is_volatile: bool = False
    is_thread_local: bool = False
    is_static: bool = False  # of file scope, and not visible to other units
    is_weak: bool = False  # if no unit defines it, it may be absent: then its address is null
    alignment: int = 1  # of its address, in bytes, if its declaration demands more than its type
    cleanup: Call | None = None  # the call at the end of the variable's scope
    initializer: Initializer | None = None


@final
@dataclass(slots=True, eq=False)
class Function:
    """A function; `body` is None without a definition. It is set after construction, because functions call each
    other."""

    name: str
    type: FunctionType
    span: Span  # of its name, or of the first use if it was never declared
    parameters: tuple[Variable, ...] = ()
    body: Compound | None = None
    is_static: bool = False
    is_noreturn: bool = False
    is_inline: bool = False  # several units may define it
    is_weak: bool = False  # if no unit defines it, it may be absent: then its address is null
    symbol: str = ""  # its name for the linker, if that is another one
    obstacle: str = ""  # why calls of it are unsupported


@final
@dataclass(frozen=True, slots=True, eq=False)
class Unit:
    """A translation unit, or several linked into one program. Names of file scope are unique in it."""

    machine: Machine
    functions: Mapping[str, Function]
    variables: tuple[Variable, ...]  # of file scope, and the static ones of functions, in order
    warnings: tuple[tuple[Span, str], ...] = ()
    constructors: tuple[tuple[int, Function], ...] = ()  # called before `main`, in this order; with their priorities
    destructors: tuple[tuple[int, Function], ...] = ()  # called when the program ends, in this order
    unused: tuple[Span, ...] = ()  # the definitions of static functions that nothing refers to


@final
@dataclass(frozen=True, slots=True, eq=False)
class Part:
    """The part of an object that a value initialises, as a path from the outside in: each step is a field or an
    index.

    A GNU range `[1 ... 3] = v` is three parts.
    """

    path: tuple[Field | int, ...]
    value: Expression  # of scalar type, or a record by value, or a StringLiteral for a char array


@final
@dataclass(frozen=True, slots=True, eq=False)
class Initializer:
    """The parts in the order of evaluation (a later one may overwrite an earlier one).

    `zero_rest`: everything that no part mentions is zero. A scalar has one part with an empty path.
    """

    parts: tuple[Part, ...]
    zero_rest: bool
    span: Span


# --- expressions


class CastKind(Enum):
    """The kinds of conversions; they have clang's names where clang has them."""

    LVALUE_TO_RVALUE = "lvalue_to_rvalue"  # read the object
    ARRAY_TO_POINTER = "array_to_pointer"  # the address of the first element
    FUNCTION_TO_POINTER = "function_to_pointer"
    INTEGRAL = "integral"  # between integer types, to `_Bool` excluded
    TO_BOOL = "to_bool"  # any scalar to `_Bool`: is it not zero?
    INTEGER_TO_FLOATING = "integer_to_floating"
    FLOATING_TO_INTEGER = "floating_to_integer"
    FLOATING = "floating"
    POINTER = "pointer"  # between pointer types
    INTEGER_TO_POINTER = "integer_to_pointer"  # null pointer constants too
    POINTER_TO_INTEGER = "pointer_to_integer"
    TO_VOID = "to_void"
    TO_UNION = "to_union"
    NOTHING = "nothing"  # the same type, or only other qualifiers


@dataclass(frozen=True, slots=True, eq=False)
class Expression:
    type: CType
    span: Span


@final
@dataclass(frozen=True, slots=True, eq=False)
class IntegerLiteral(Expression):
    """An integer constant: also a character, an enumerator, `sizeof`, `offsetof`, and other folded expressions.
    `value` is in the range of the type, so it may be negative if that is signed."""

    value: int


@final
@dataclass(frozen=True, slots=True, eq=False)
class FloatLiteral(Expression):
    """`text` is the number as C writes it, without suffix."""

    text: str


@final
@dataclass(frozen=True, slots=True, eq=False)
class StringLiteral(Expression):
    """An lvalue of array type. `units` are the values of its characters, the final zero included."""

    units: tuple[int, ...]


@final
@dataclass(frozen=True, slots=True, eq=False)
class Name(Expression):
    """A variable (an lvalue) or a function."""

    target: Variable | Function


@final
@dataclass(frozen=True, slots=True, eq=False)
class Unary(Expression):
    """`-`, `+`, `~` or `!` of an operand (but not `__real__` and the like)."""

    op: str
    operand: Expression


@final
@dataclass(frozen=True, slots=True, eq=False)
class Step(Expression):
    """`++x`, `x--`, ...: `op` is `++` or `--`, `operand` an lvalue."""

    op: str
    operand: Expression
    is_prefix: bool


@final
@dataclass(frozen=True, slots=True, eq=False)
class AddressOf(Expression):
    """`&x` of an lvalue or a function."""

    operand: Expression


@final
@dataclass(frozen=True, slots=True, eq=False)
class Dereference(Expression):
    """`*p`: an lvalue, or a function."""

    operand: Expression
    is_volatile: bool = False


@final
@dataclass(frozen=True, slots=True, eq=False)
class Index(Expression):
    """`p[i]`: an lvalue. `base` is a pointer (perhaps the cast of an array), on whichever side the source has it."""

    base: Expression
    index: Expression
    is_volatile: bool = False


@final
@dataclass(frozen=True, slots=True, eq=False)
class Member(Expression):
    """`r.f`, or `p->f` with `is_arrow`, then `base` is a pointer. An lvalue unless `base` is a value.

    Steps through anonymous structs and unions are Members of their own.
    """

    base: Expression
    field: Field
    is_arrow: bool
    is_volatile: bool = False


@final
@dataclass(frozen=True, slots=True, eq=False)
class Binary(Expression):
    """`* / % + - << >> < > <= >= == != & ^ |` on operands that are converted already.

    With pointers: `p + i`, `i + p`, `p - i`, `p - q` and comparisons; the index is not scaled yet.
    """

    op: str
    left: Expression
    right: Expression


@final
@dataclass(frozen=True, slots=True, eq=False)
class Logical(Expression):
    """`&&` and `||`: of type int, the right side evaluated only if needed. Operands are scalars of any type."""

    op: str
    left: Expression
    right: Expression


@final
@dataclass(frozen=True, slots=True, eq=False)
class Conditional(Expression):
    """`c ? a : b`; with `then` None it is GNU's `c ?: b`, which yields `c` itself, evaluated once (`condition` then has
    the type of the whole)."""

    condition: Expression
    then: Expression | None
    otherwise: Expression


@final
@dataclass(frozen=True, slots=True, eq=False)
class Comma(Expression):
    left: Expression
    right: Expression


@final
@dataclass(frozen=True, slots=True, eq=False)
class Assign(Expression):
    """`target = value`; a value (not an lvalue) of the target's type. Records are assigned whole."""

    target: Expression
    value: Expression


@final
@dataclass(frozen=True, slots=True, eq=False)
class CompoundAssign(Expression):
    """`target op= value`: the target is converted to `computation`, combined with `value` and converted back.

    `value` is converted already (for shifts, promoted by itself). With a pointer target, `value` is an index.
    """

    op: str  # without the `=`
    target: Expression
    value: Expression
    computation: CType


@final
@dataclass(frozen=True, slots=True, eq=False)
class Cast(Expression):
    kind: CastKind
    operand: Expression
    is_explicit: bool = False


@final
@dataclass(frozen=True, slots=True, eq=False)
class Call(Expression):
    """`function` has pointer-to-function type (a cast of a Name, for plain calls)."""

    function: Expression
    arguments: tuple[Expression, ...]


@final
@dataclass(frozen=True, slots=True, eq=False)
class CompoundLiteral(Expression):
    """`(T){...}`: an lvalue; `variable` is the unnamed object."""

    variable: Variable


@final
@dataclass(frozen=True, slots=True, eq=False)
class StatementExpression(Expression):
    """GNU's `({ ...; value; })`: the last statement gives the value, if it is an expression."""

    body: Compound


@final
@dataclass(frozen=True, slots=True, eq=False)
class LabelAddress(Expression):
    """GNU's `&&label`."""

    label: str


@final
@dataclass(frozen=True, slots=True, eq=False)
class VariadicArgument(Expression):
    """`va_arg(list, T)`."""

    operand: Expression


@final
@dataclass(frozen=True, slots=True, eq=False)
class UnsupportedExpression(Expression):
    """`construct` says what it is, for the report."""

    construct: str


# --- statements


@dataclass(frozen=True, slots=True, eq=False)
class Statement:
    span: Span


@final
@dataclass(frozen=True, slots=True, eq=False)
class Compound(Statement):
    statements: tuple[Statement, ...]
    end: Span  # of the closing brace


@final
@dataclass(frozen=True, slots=True, eq=False)
class ExpressionStatement(Statement):
    expression: Expression


@final
@dataclass(frozen=True, slots=True, eq=False)
class Declaration(Statement):
    """The variables that a statement declares (not types, not functions)."""

    variables: tuple[Variable, ...]


@final
@dataclass(frozen=True, slots=True, eq=False)
class Empty(Statement):
    pass


@final
@dataclass(frozen=True, slots=True, eq=False)
class If(Statement):
    condition: Expression
    then: Statement
    otherwise: Statement | None


@final
@dataclass(frozen=True, slots=True, eq=False)
class While(Statement):
    condition: Expression
    body: Statement


@final
@dataclass(frozen=True, slots=True, eq=False)
class DoWhile(Statement):
    body: Statement
    condition: Expression


@final
@dataclass(frozen=True, slots=True, eq=False)
class For(Statement):
    start: Statement | None
    condition: Expression | None
    step: Expression | None
    body: Statement


@final
@dataclass(frozen=True, slots=True, eq=False)
class Switch(Statement):
    """`value` is promoted already. Cases are anywhere in the body."""

    value: Expression
    body: Statement


@final
@dataclass(frozen=True, slots=True, eq=False)
class Case(Statement):
    """`case low:`, `case low ... high:` or, with `low` None, `default:`, and the statement it stands before."""

    low: int | None
    high: int | None
    body: Statement


@final
@dataclass(frozen=True, slots=True, eq=False)
class Label(Statement):
    name: str
    body: Statement


@final
@dataclass(frozen=True, slots=True, eq=False)
class Goto(Statement):
    label: str


@final
@dataclass(frozen=True, slots=True, eq=False)
class ComputedGoto(Statement):
    target: Expression


@final
@dataclass(frozen=True, slots=True, eq=False)
class Break(Statement):
    pass


@final
@dataclass(frozen=True, slots=True, eq=False)
class Continue(Statement):
    pass


@final
@dataclass(frozen=True, slots=True, eq=False)
class Return(Statement):
    value: Expression | None


@final
@dataclass(frozen=True, slots=True, eq=False)
class Assembly(Statement):
    """Inline assembly, of which only the outputs are known."""

    text: str
    outputs: tuple[Expression, ...]  # lvalues


@final
@dataclass(frozen=True, slots=True, eq=False)
class UnsupportedStatement(Statement):
    construct: str
