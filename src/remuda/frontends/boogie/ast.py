"""The syntax tree of Boogie: names are not resolved, and types are not checked.

Nodes are plain slotted classes. The parser builds them once, and the resolver reads them once. Spans are offsets
(`start`, `end`) into the source text, because building a Span for each node would cost more than parsing it.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction
from typing import final

# --- types


@final
@dataclass(slots=True, eq=False)
class NameType:
    """`bool`, `int`, `real`, `bv32`, `float24e8`, a declared type or synonym, or a type variable, with
    arguments: `Field int`."""

    start: int
    end: int
    name: str
    arguments: list[TypeNode] = field(default_factory=list)


@final
@dataclass(slots=True, eq=False)
class MapTypeNode:
    """`<parameters>[domain]range`."""

    start: int
    end: int
    parameters: list[str]
    domain: list[TypeNode]
    range: TypeNode


TypeNode = NameType | MapTypeNode

# --- expressions


@final
@dataclass(slots=True, eq=False)
class Literal:
    """`kind` is bool, int, real, bv, float, string or rounding.

    `value`: bool, int, Fraction, (value, width), the text of a float literal, the text without quotes, or a
    rounding mode's name.
    """

    start: int
    end: int
    kind: str
    value: bool | int | Fraction | tuple[int, int] | str


@final
@dataclass(slots=True, eq=False)
class Name:
    start: int
    end: int
    name: str


@final
@dataclass(slots=True, eq=False)
class Unary:
    """`operator` is `!` or `-`."""

    start: int
    end: int
    operator: str
    operand: Expression


@final
@dataclass(slots=True, eq=False)
class Binary:
    """`operator` in ASCII: `<==> ==> <== || && == != < <= > >= <: ++ + - * / div mod **`. Also `is` (right
    side: a Name)."""

    start: int
    end: int
    operator: str
    left: Expression
    right: Expression


@final
@dataclass(slots=True, eq=False)
class Chain:
    """Three or more operands of one associative operator (`&&`, `||`, `+`, `*`, `++`), without nesting, so that the
    depth does not grow with the number of operands."""

    start: int
    end: int
    operator: str
    operands: list[Expression]


@final
@dataclass(slots=True, eq=False)
class Application:
    """`f(a, b)`; `int(x)` and `real(x)` are applications of `int` and `real`."""

    start: int
    end: int
    function: str
    arguments: list[Expression]


@final
@dataclass(slots=True, eq=False)
class Select:
    """`m[i, j]`."""

    start: int
    end: int
    map: Expression
    indices: list[Expression]


@final
@dataclass(slots=True, eq=False)
class Update:
    """`m[i, j := v]`."""

    start: int
    end: int
    map: Expression
    indices: list[Expression]
    value: Expression


@final
@dataclass(slots=True, eq=False)
class Extract:
    """`x[high:low]`."""

    start: int
    end: int
    operand: Expression
    high: int
    low: int


@final
@dataclass(slots=True, eq=False)
class FieldAccess:
    """`d->f`."""

    start: int
    end: int
    operand: Expression
    field: str


@final
@dataclass(slots=True, eq=False)
class FieldUpdate:
    """`d->(f := e)`."""

    start: int
    end: int
    operand: Expression
    field: str
    value: Expression


@final
@dataclass(slots=True, eq=False)
class Old:
    start: int
    end: int
    operand: Expression


@final
@dataclass(slots=True, eq=False)
class Conditional:
    """`if c then a else b`."""

    start: int
    end: int
    condition: Expression
    then: Expression
    otherwise: Expression


@final
@dataclass(slots=True, eq=False)
class Coercion:
    """`e : T`, as in `(e : int)`."""

    start: int
    end: int
    operand: Expression
    type: TypeNode


@final
@dataclass(slots=True, eq=False)
class Quantified:
    """`kind` is forall, exists or lambda. `triggers` without the `nopats`."""

    start: int
    end: int
    kind: str
    type_parameters: list[str]
    variables: list[VariableDeclaration]
    attributes: list[AttributeNode]
    triggers: list[list[Expression]]
    body: Expression


@final
@dataclass(slots=True, eq=False)
class Let:
    """`(var x, y := e, f; body)`."""

    start: int
    end: int
    variables: list[VariableDeclaration]
    values: list[Expression]
    attributes: list[AttributeNode]
    body: Expression


@final
@dataclass(slots=True, eq=False)
class CodeExpression:
    """`|{ var x: int; A: ...; return e; }|`: true if every execution returns true."""

    start: int
    end: int
    locals: list[VariableDeclaration]
    body: list[StatementNode]


@final
@dataclass(slots=True, eq=False)
class WildcardExpression:
    """`*`, as a condition or a call argument."""

    start: int
    end: int


Expression = (
    Literal
    | Name
    | Unary
    | Binary
    | Chain
    | Application
    | Select
    | Update
    | Extract
    | FieldAccess
    | FieldUpdate
    | Old
    | Conditional
    | Coercion
    | Quantified
    | Let
    | CodeExpression
    | WildcardExpression
)


@final
@dataclass(slots=True, eq=False)
class AttributeNode:
    start: int
    end: int
    name: str
    arguments: list[Expression]  # strings are Literals of kind string


@final
@dataclass(slots=True, eq=False)
class VariableDeclaration:
    """One declared variable; `a, b: T` gives two that share `type`. `name` is "" for an unnamed parameter."""

    start: int
    end: int
    name: str
    type: TypeNode | None  # None only for `let` variables
    where: Expression | None = None
    attributes: list[AttributeNode] = field(default_factory=list)


# --- statements; every one may carry attributes


@final
@dataclass(slots=True, eq=False)
class LabelStatement:
    start: int
    end: int
    name: str


@final
@dataclass(slots=True, eq=False)
class AssertStatement:
    """`kind` is assert or assume."""

    start: int
    end: int
    kind: str
    condition: Expression
    attributes: list[AttributeNode]


@final
@dataclass(slots=True, eq=False)
class HavocStatement:
    start: int
    end: int
    names: list[Name]
    attributes: list[AttributeNode]


@final
@dataclass(slots=True, eq=False)
class AssignStatement:
    """`x, m[i][j], d->f := a, b, c`: targets are Name, Select (of Name, Select ...), FieldAccess, or, to
    unpack a datatype as in `Pair(x, y) := p`, Application of a constructor to Names."""

    start: int
    end: int
    targets: list[Expression]
    values: list[Expression]
    attributes: list[AttributeNode]


@final
@dataclass(slots=True, eq=False)
class CallStatement:
    """`results` are Names or wildcards (`*` discards nothing: any value); `arguments` may be wildcards."""

    start: int
    end: int
    procedure: str
    arguments: list[Expression]
    results: list[Name | WildcardExpression]
    attributes: list[AttributeNode]
    is_async: bool = False
    is_forall: bool = False
    is_free: bool = False


@final
@dataclass(slots=True, eq=False)
class ParCallStatement:
    """`par call P(x) | Q(y)`."""

    start: int
    end: int
    calls: list[CallStatement]
    attributes: list[AttributeNode]


@final
@dataclass(slots=True, eq=False)
class IfStatement:
    """`condition` None is `*`. `otherwise` None is no else branch; `else if` is a one-statement list."""

    start: int
    end: int
    condition: Expression | None
    then: list[StatementNode]
    otherwise: list[StatementNode] | None
    attributes: list[AttributeNode]


@final
@dataclass(slots=True, eq=False)
class Invariant:
    start: int
    end: int
    condition: Expression
    is_free: bool
    attributes: list[AttributeNode]


@final
@dataclass(slots=True, eq=False)
class WhileStatement:
    start: int
    end: int
    condition: Expression | None
    invariants: list[Invariant]
    body: list[StatementNode]
    attributes: list[AttributeNode]


@final
@dataclass(slots=True, eq=False)
class BreakStatement:
    """`break` or `break label`."""

    start: int
    end: int
    label: str | None


@final
@dataclass(slots=True, eq=False)
class GotoStatement:
    start: int
    end: int
    labels: list[Name]


@final
@dataclass(slots=True, eq=False)
class ReturnStatement:
    """`value` in code expressions only."""

    start: int
    end: int
    value: Expression | None = None


@final
@dataclass(slots=True, eq=False)
class YieldStatement:
    start: int
    end: int
    attributes: list[AttributeNode]


@final
@dataclass(slots=True, eq=False)
class AtomicStatement:
    """`atomic { ... }` (Ultimate)."""

    start: int
    end: int
    body: list[StatementNode]


@final
@dataclass(slots=True, eq=False)
class ForkStatement:
    """`fork ids procedure(arguments)` (Ultimate)."""

    start: int
    end: int
    identifiers: list[Expression]
    procedure: str
    arguments: list[Expression]


@final
@dataclass(slots=True, eq=False)
class JoinStatement:
    """`join ids assign results` (Ultimate)."""

    start: int
    end: int
    identifiers: list[Expression]
    results: list[Name]


StatementNode = (
    LabelStatement
    | AssertStatement
    | HavocStatement
    | AssignStatement
    | CallStatement
    | ParCallStatement
    | IfStatement
    | WhileStatement
    | BreakStatement
    | GotoStatement
    | ReturnStatement
    | YieldStatement
    | AtomicStatement
    | ForkStatement
    | JoinStatement
)

# --- declarations


@final
@dataclass(slots=True, eq=False)
class TypeDeclaration:
    """`type C a b;` or, with `synonym`, `type S a = [a]int;`. `{:datatype}` sits in `attributes`."""

    start: int
    end: int
    name: str
    parameters: list[str]
    synonym: TypeNode | None
    attributes: list[AttributeNode]


@final
@dataclass(slots=True, eq=False)
class DatatypeDeclaration:
    """`datatype List<T> { Nil(), Cons(head: T, tail: List T) }`."""

    start: int
    end: int
    name: str
    parameters: list[str]
    constructors: list[tuple[str, list[VariableDeclaration]]]
    attributes: list[AttributeNode]


@final
@dataclass(slots=True, eq=False)
class ConstantDeclaration:
    """`parents`: the names after `extends` / `<:`, None if there is no such clause.

    `unique_parents` are those after the word `unique`.
    """

    start: int
    end: int
    variables: list[VariableDeclaration]
    is_unique: bool
    parents: list[str] | None
    unique_parents: list[str]
    is_complete: bool
    attributes: list[AttributeNode]


@final
@dataclass(slots=True, eq=False)
class GlobalDeclaration:
    start: int
    end: int
    variables: list[VariableDeclaration]
    attributes: list[AttributeNode]


@final
@dataclass(slots=True, eq=False)
class FunctionDeclaration:
    start: int
    end: int
    name: str
    type_parameters: list[str]
    parameters: list[VariableDeclaration]
    result: VariableDeclaration
    body: Expression | None
    attributes: list[AttributeNode]


@final
@dataclass(slots=True, eq=False)
class AxiomDeclaration:
    start: int
    end: int
    condition: Expression
    attributes: list[AttributeNode]


@final
@dataclass(slots=True, eq=False)
class Specification:
    """`kind` is requires, ensures or modifies (then `names`, else `condition`)."""

    start: int
    end: int
    kind: str
    is_free: bool
    condition: Expression | None
    names: list[Name]
    attributes: list[AttributeNode]


@final
@dataclass(slots=True, eq=False)
class Body:
    """`start`, `end`: the braces."""

    start: int
    end: int
    locals: list[VariableDeclaration]
    statements: list[StatementNode]


@final
@dataclass(slots=True, eq=False)
class ProcedureDeclaration:
    """A procedure, with its body if that is given in place; `start`, `end` span the signature's name."""

    start: int
    end: int
    name: str
    type_parameters: list[str]
    inputs: list[VariableDeclaration]
    outputs: list[VariableDeclaration]
    specifications: list[Specification]
    body: Body | None
    attributes: list[AttributeNode]


@final
@dataclass(slots=True, eq=False)
class ImplementationDeclaration:
    start: int
    end: int
    name: str
    type_parameters: list[str]
    inputs: list[VariableDeclaration]
    outputs: list[VariableDeclaration]
    body: Body
    attributes: list[AttributeNode]


Declaration = (
    TypeDeclaration
    | DatatypeDeclaration
    | ConstantDeclaration
    | GlobalDeclaration
    | FunctionDeclaration
    | AxiomDeclaration
    | ProcedureDeclaration
    | ImplementationDeclaration
)
