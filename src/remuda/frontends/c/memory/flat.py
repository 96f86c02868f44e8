"""Memory as one array of bytes: `--memory-model flat`.

    int x = 1, *p = &x;  *p = 2;      memory$bytes[x + 0], ..., memory$bytes[x + 3] := 2, 0, 0, 0

This model does not analyse pointers: each one may lead to every byte, and a call through a pointer may reach every
function whose address is taken. It only reads from the syntax which variables and functions have their address taken.
"""

# ruff: noqa: ARG002 - the answers are the same for all arguments

from __future__ import annotations

from typing import TYPE_CHECKING, Final, final

from remuda.frontends.c.memory.model import Region
from remuda.frontends.c.syntax import ast, walk
from remuda.frontends.c.syntax.ast import CastKind
from remuda.frontends.c.syntax.shapes import can_be_split

if TYPE_CHECKING:
    from collections.abc import Sequence

    from remuda.frontends.c.memory.beliefs import Beliefs
    from remuda.frontends.c.syntax.types import CType

BYTES: Final = Region(0, "bytes", 8, is_bytes=True, floating=None)
EVERYTHING: Final = 0  # the family of all objects
THREAD_PARAMETERS: Final = 1  # of the function that a thread runs, at most


@final
class FlatMemory:
    """A `MemoryModel` with one region of bytes, and one family of objects."""

    def __init__(self, functions: Sequence[ast.Function], variables: Sequence[ast.Variable]) -> None:
        """All functions that are reachable, and the variables with static storage that they use."""
        self._variables: dict[ast.Variable, None] = {}  # the variables whose address is taken
        self._functions: dict[ast.Function, None] = {}
        self._makes_pointers = False  # the program converts integers to pointers
        roots: list[walk.Node] = [function.body for function in functions if function.body is not None]
        for variable in variables:
            roots += walk.variable_children(variable)
        for root in roots:
            for node in walk.postorder(root, walk.evaluated):
                self._read(node)

    def _read(self, node: walk.Node) -> None:
        match node:
            case ast.Name(target=ast.Function() as function):
                self._functions[function] = None
            case ast.AddressOf(operand=operand) | ast.Cast(kind=CastKind.ARRAY_TO_POINTER, operand=operand):
                self._take_address(operand)
            case ast.Cast(kind=CastKind.INTEGER_TO_POINTER):
                self._makes_pointers = True

    def _take_address(self, lvalue: ast.Expression) -> None:
        """The address of an object, or of a part of it."""
        pending = [lvalue]
        while pending:
            match pending.pop():
                case ast.Name(target=ast.Variable() as variable) | ast.CompoundLiteral(variable=variable):
                    self._variables[variable] = None
                case ast.Member(base=base, is_arrow=False):
                    pending.append(base)
                case ast.Cast(operand=operand):
                    pending.append(operand)
                case ast.Comma(right=right):
                    pending.append(right)
                case ast.Conditional(condition=condition, then=then, otherwise=otherwise):
                    pending += [condition if then is None else then, otherwise]

    @property
    def has_unknown_objects(self) -> bool:
        """A pointer of unknown origin is an address like any other."""
        return False

    @property
    def has_own_regions(self) -> bool:
        return False

    def in_memory(self, variable: ast.Variable) -> bool:
        return variable in self._variables or not can_be_split(variable.type)

    # --- where scalars are

    def cell(self, pointer: ast.Expression, offset: int, type_: CType) -> Region:
        return BYTES

    def is_declared_element(self, lvalue: ast.Expression) -> bool:
        return False

    def may_leave(self, lvalue: ast.Expression) -> bool:
        return False

    def element_cell(self, lvalue: ast.Expression, offset: int, type_: CType) -> Region:
        return BYTES

    def object_cell(self, variable: ast.Variable, offset: int, type_: CType) -> Region:
        return BYTES

    def padding(self, variable: ast.Variable, offset: int) -> Region:
        return BYTES

    def literal_cell(self, literal: ast.StringLiteral, offset: int, type_: CType) -> Region:
        return BYTES

    def is_wild(self, pointer: ast.Expression) -> bool:
        return False

    def is_outside(self, pointer: ast.Expression) -> bool:
        return self._makes_pointers

    def may_be_wild(self, pointer: ast.Expression) -> bool:
        return False

    def beliefs(self, pointer: ast.Expression, offset: int, size: int) -> Beliefs:
        return ()

    def is_accessed(self, literal: ast.StringLiteral) -> bool:
        return True

    # --- ranges of memory

    def around(self, pointer: ast.Expression) -> tuple[Region, ...]:
        return (BYTES,)

    def numbers(self, pointer: ast.Expression, type_: CType, *, is_row: bool) -> tuple[Region, ...]:
        return (BYTES,)

    def is_lone(self, pointer: ast.Expression, type_: CType) -> bool:
        return False

    def layout(self, pointer: ast.Expression, size: int) -> tuple[tuple[int, Region], ...]:
        return tuple((offset, BYTES) for offset in range(size))

    def grain(self, pointer: ast.Expression) -> int:
        return 1

    def scalars(self, pointer: ast.Expression) -> tuple[int, tuple[tuple[int, int], ...]]:
        return 0, ()

    # --- families

    def family(self, pointer: ast.Expression) -> int:
        return EVERYTHING

    def object_family(self, object_: ast.Variable | ast.StringLiteral) -> int:
        return EVERYTHING

    def pointed_family(self, variable: ast.Variable) -> int:
        return EVERYTHING

    def stored_family(self, pointer: ast.Expression) -> int:
        return EVERYTHING

    def sole_objects(self) -> dict[int, ast.Variable | ast.StringLiteral]:
        return {}

    def is_one_object(self, left: ast.Expression, right: ast.Expression) -> bool:
        return False

    def may_be_neighbours(self, left: ast.Expression, right: ast.Expression) -> bool:
        return False  # as below

    def may_be_literals(self, left: ast.Expression, right: ast.Expression) -> bool:
        return False  # that objects have fixed addresses is assumed of the whole program

    # --- functions

    def targets(self, call: ast.Call) -> tuple[ast.Function, ...]:
        direct = walk.called_function(call)
        if direct is not None:
            return (direct,)
        return tuple(each for each in self._functions if walk.can_take(each, len(call.arguments)))

    def pointed_functions(self, pointer: ast.Expression) -> tuple[ast.Function, ...]:
        direct = walk.named_function(pointer)
        if direct is not None:
            return (direct,)
        return tuple(
            each for each in self._functions if each.body is not None and len(each.parameters) <= THREAD_PARAMETERS
        )
