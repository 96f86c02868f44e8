"""A function as a list of instructions, each a Python function from the registers of a frame to the next instruction.

Constants, variables without an address, and intermediate values are registers. An instruction that calls a function
or returns from one gives `SWITCH`, and the machine continues in another frame.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final, final

from remuda.frontends.c.syntax import ast
from remuda.frontends.c.syntax.ast import CastKind
from remuda.frontends.c.syntax.types import is_scalar
from remuda.frontends.c.syntax.walk import children, declared_variables, preorder

if TYPE_CHECKING:
    from remuda.frontends.c.syntax.types import CType

Registers = list[Any]
Instruction = Callable[[Registers], int]

SWITCH: Final = -1
EXTRA: Final = 0  # the register with the arguments behind the last parameter
BLOCKS: Final = 1  # the register with the blocks from `alloca`


@final
@dataclass(slots=True, eq=False)
class Code:
    """The instructions of a function. `parameters` are the registers of its arguments, `objects` the registers that
    hold the addresses of its local objects, which end with it, `own` those of variables that each thread has of its
    own."""

    name: str
    instructions: list[Instruction] = field(default_factory=list)
    template: Registers = field(default_factory=lambda: [None, None])
    parameters: list[int] = field(default_factory=list)
    objects: list[int] = field(default_factory=list)
    own: list[tuple[int, ast.Variable]] = field(default_factory=list)


@final
@dataclass(frozen=True, slots=True)
class RegisterPlace:
    """A variable without an address. `pending` has its value from outside, until it is first read or written; None if
    it is always initialised."""

    slot: int
    type: CType
    variable: ast.Variable
    pending: int | None = None


@final
@dataclass(frozen=True, slots=True)
class MemoryPlace:
    """An object or a part of one: a register with a pointer, and an offset from it. A bit-field has its first bit and
    its width."""

    slot: int
    offset: int
    type: CType
    is_volatile: bool = False
    first_bit: int = 0
    bits: int | None = None


Place = RegisterPlace | MemoryPlace


@final
class Label:
    """A position in the code that may not be known yet. `scopes` are the blocks with objects around it; for a label
    of the source, `offset` is its position in the text."""

    __slots__ = ("at", "offset", "scopes")

    def __init__(self, scopes: tuple[Scope, ...] = (), offset: int | None = None) -> None:
        self.at = 0
        self.scopes = scopes
        self.offset = offset


@final
@dataclass(frozen=True, slots=True, eq=False)
class Scope:
    """A block, and the variables that live as long as it is executed: those in memory, and those in registers."""

    statement: ast.Statement
    variables: tuple[ast.Variable, ...]
    registers: tuple[ast.Variable, ...] = ()


def variables_in_memory(function: ast.Function) -> set[ast.Variable]:
    """The variables of a function that need an address: all but scalars that are only read and assigned by name."""
    found: set[ast.Variable] = set()
    assert function.body is not None
    for node in preorder(function.body):
        if isinstance(node, ast.CompoundLiteral):
            found.add(node.variable)
        for child in children(node):
            if isinstance(child, ast.Name) and isinstance(child.target, ast.Variable) and not _is_plain(node, child):
                found.add(child.target)
    for variable in (*function.parameters, *declared_variables(function.body)):
        if not is_scalar(variable.type) or variable.is_volatile or variable.cleanup is not None:
            found.add(variable)
    return found


def is_initialized(variable: ast.Variable) -> bool:
    """Whether a variable has a value before anything can read it; its own initialiser may."""
    parts = () if variable.initializer is None else variable.initializer.parts
    return bool(parts) and not any(
        isinstance(node, ast.Name) and node.target is variable for part in parts for node in preorder(part.value)
    )


def may_be_absent(entity: ast.Variable | ast.Function) -> bool:
    """Whether something is weak, and no file of the program defines it."""
    if isinstance(entity, ast.Function):
        return entity.is_weak and entity.body is None
    return entity.is_weak and entity.storage is ast.Storage.EXTERN


def has_jumps(function: ast.Function) -> bool:
    """Whether jumps may skip declarations."""
    assert function.body is not None
    return any(isinstance(node, ast.Label | ast.Case) for node in preorder(function.body))


def _is_plain(node: ast.Expression | ast.Statement, child: ast.Name) -> bool:
    match node:
        case ast.Cast(kind=CastKind.LVALUE_TO_RVALUE) | ast.Step():
            return True
        case ast.Assign(target=target) | ast.CompoundAssign(target=target):
            return child is target
        case _:
            return False


def changed_variables(root: ast.Expression) -> set[ast.Variable]:
    """The variables that an expression changes before its end: their values have to be read in time."""
    top = root
    while isinstance(top, ast.Cast):
        top = top.operand
    found: set[ast.Variable] = set()
    for node in preorder(root):
        if node is top:
            continue
        match node:
            case ast.Assign(target=ast.Name(target=ast.Variable() as variable)):
                found.add(variable)
            case ast.CompoundAssign(target=ast.Name(target=ast.Variable() as variable)):
                found.add(variable)
            case ast.Step(operand=ast.Name(target=ast.Variable() as variable)):
                found.add(variable)
            case _:
                pass
    return found
