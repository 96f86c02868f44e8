"""Decides whether a proof by CBMC of a fragment holds in the program, and which changes of its text that needs.

A fragment starts with any values in its variables and in all static objects. But a pointer with any value points to
no object that CBMC knows: reads through it give the same value for every index, whatever is written in between. So
the text replaces reads through pointers from outside by any values, and fragments that write through one are refused.
So are all constructs for which CBMC 5.12 has another semantics than the lowering.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Final, final

from remuda.frontends.c.isolate.loops import FRAMES, JUMPS
from remuda.frontends.c.isolate.render import Wrap
from remuda.frontends.c.isolate.usage import (
    has_side_effects,
    is_intrinsic,
    is_volatile,
    root_of,
    root_variable,
    usage_of,
    written,
)
from remuda.frontends.c.lowering.reachable import is_lasting, nodes_of
from remuda.frontends.c.syntax import ast
from remuda.frontends.c.syntax.types import FloatingType, IntegerType, PointerType, RecordType, UnsupportedType
from remuda.frontends.c.syntax.walk import Node, called_function, children, preorder

if TYPE_CHECKING:
    from remuda.base.source import Source
    from remuda.frontends.c.isolate.mentions import FileText
    from remuda.frontends.c.isolate.moves import Move
    from remuda.frontends.c.isolate.tokens import Tokens

# Functions without a body that may have pointers as arguments: they change nothing that a program sees.
HARMLESS: Final = frozenset({"printf", "puts", "fprintf", "fputs", "fflush", "perror", "putchar", "exit", "abort"})
FORBIDDEN: Final = (
    frozenset({"malloc", "calloc", "realloc", "free", "longjmp", "siglongjmp", "_longjmp"}) | JUMPS | FRAMES
)
THREADS: Final = re.compile(r"pthread_create|thrd_create|clone|fork|vfork|signal|sigaction|__CPROVER_ASYNC\w*")
_RANGE: Final = re.compile(r"\[[^\[\]]*\.\.\.[^\[\]]*\]")  # a designator; CBMC initialises the first element only
_KIND: Final = ast.CastKind
_NOT_UNDERSTOOD: Final = (
    ast.Assembly,
    ast.ComputedGoto,
    ast.LabelAddress,
    ast.UnsupportedExpression,
    ast.UnsupportedStatement,
    ast.VariadicArgument,
)


class Refused(Exception):
    """A proof of the fragment would not be sound; the message says why."""


@final
class Soundness:
    """Decides which fragments of one program can be proved."""

    def __init__(self, source: Source, unit: ast.Unit, file: FileText, tokens: Tokens) -> None:
        self.source = source
        self.tokens = tokens
        self.partly_constant: Final = file.partly_constant
        self.everywhere = self._everywhere(unit)  # why nothing can be proved of any fragment
        self.addressed: Final = usage_of(
            node for function in unit.functions.values() for node in nodes_of(function)
        ).addressed
        self._regions: dict[tuple[ast.Function, Move | None], Region] = {}

    def _everywhere(self, unit: ast.Unit) -> str:
        for name in unit.functions:
            if THREADS.fullmatch(name):
                return f"the program calls {name}"
        if _RANGE.search(self.source.text):
            return "the program initialises a range of elements"
        if unit.warnings:
            return f"the order of evaluation matters at line {unit.warnings[0][0].line}"
        return ""

    def region(self, function: ast.Function, move: Move | None) -> Region:
        """The code that is executed from the start of a loop's body on, or (None) of the function."""
        key = (function, move)
        if key not in self._regions:
            self._regions[key] = Region(self, function, move)
        return self._regions[key]


@final
class Region:
    """The code of a fragment: its own, and the functions that it may call."""

    def __init__(self, program: Soundness, owner: ast.Function, move: Move | None) -> None:
        self._program = program
        self._owner = owner
        self._move = move
        roots: list[Node] = []
        if move is None:
            assert owner.body is not None
            roots.append(owner.body)
        else:
            roots.append(move.loop.node.body)
            if move.assumes and move.loop.node.condition is not None:
                roots.append(move.loop.node.condition)
        self._own: Final = [node for root in roots for node in preorder(root)]
        self._roots: Final = roots
        self.functions: Final = self._called()

    def _called(self) -> tuple[ast.Function, ...]:
        found: dict[ast.Function, None] = {}
        waiting: list[Sequence[Node]] = [self._own]
        while waiting:
            for node in waiting.pop():
                function = called_function(node) if isinstance(node, ast.Call) else None
                if function is not None and function.body is not None and not is_intrinsic(function.name):
                    if function not in found:
                        found[function] = None
                        waiting.append(nodes_of(function))
        return tuple(found)

    def _nodes(self) -> Iterator[Node]:
        yield from self._own
        for function in self.functions:
            if self._move is not None or function is not self._owner:
                yield from nodes_of(function)

    # --- refusal

    def check(self) -> None:
        """Raise `Refused` if a proof would not be sound."""
        if self._program.everywhere:
            raise Refused(self._program.everywhere)
        if self._move is not None and self._owner in self.functions:
            for capture in self._move.captures:
                if is_lasting(capture.variable):
                    raise Refused(f"{capture.name} is static, and its function is called again")
        if self._move is None and self._owner.type.is_variadic:
            raise Refused("it takes variable arguments")
        for node in self._nodes():
            self._check_node(node)
            self._check_order(node)
        self.any_reads()

    def _check_node(self, node: Node) -> None:
        line = node.span.line
        if is_volatile(node):
            raise Refused(f"it uses a volatile object at line {line}")
        for target in written(node):
            if not self._is_known_object(target):
                raise Refused(f"it writes through a pointer at line {line}")
        match node:
            case ast.Call():
                self._check_call(node)
            case ast.Name(target=ast.Variable() as variable):
                if is_lasting(variable) and (variable.span.start, variable.name) in self._program.partly_constant:
                    raise Refused(f"parts of {variable.name} are constant")
            case ast.Member(field=field) if field.bits is not None and _is_bool(field.type):
                raise Refused(f"it uses a bit-field of type _Bool at line {line}")
            case ast.Cast(kind=_KIND.POINTER_TO_INTEGER):
                raise Refused(f"it computes with an address at line {line}")
            case ast.Binary(op="<" | ">" | "<=" | ">=" | "-", left=left, right=right):
                if isinstance(left.type, PointerType) and isinstance(right.type, PointerType):
                    raise Refused(f"it computes with addresses at line {line}")
            case _ if isinstance(node, _NOT_UNDERSTOOD):
                raise Refused(f"there is something at line {line} that is not understood")
        if isinstance(node, ast.Expression):
            self._check_type(node)

    @staticmethod
    def _check_type(node: ast.Expression) -> None:
        line = node.span.line
        match node.type:
            case FloatingType(width=width) if width > 64:
                raise Refused(f"it uses a long double at line {line}")
            case IntegerType(signed=False, name=name) if name.startswith("enum "):
                raise Refused(f"it uses an enumeration at line {line}")  # CBMC takes them to be signed
            case UnsupportedType(name=name):
                raise Refused(f"it uses the type {name} at line {line}")
            case RecordType(fields=fields) if any(field.is_volatile for field in fields):
                raise Refused(f"it uses a volatile object at line {line}")

    def _check_call(self, call: ast.Call) -> None:
        line = call.span.line
        function = called_function(call)
        if function is None:
            raise Refused(f"it calls a function through a pointer at line {line}")
        name = function.name
        if is_intrinsic(name) or function.body is not None:
            return
        if name in FORBIDDEN or name.startswith(("__CPROVER_", "__atomic_", "__sync_")):
            raise Refused(f"it calls {name} at line {line}")
        for argument in call.arguments:
            if isinstance(argument.type, PointerType) and not (name in HARMLESS and _is_text(argument.type)):
                raise Refused(f"{name}, which has no body, is given a pointer at line {line}")

    # --- the order of evaluation

    @cached_property
    def _changing(self) -> frozenset[ast.Function]:
        """The functions that change something that outlives them."""
        found = {function for function in self.functions if any(map(_changes_more, nodes_of(function)))}
        grows = True
        while grows:
            grows = False
            for function in self.functions:
                if function not in found and any(map(found.__contains__, _callees(nodes_of(function)))):
                    found.add(function)
                    grows = True
        return frozenset(found)

    def _check_order(self, node: Node) -> None:
        """Refuse expressions whose value depends on the order: CBMC calls functions before it reads other
        operands."""
        if not isinstance(node, ast.Statement):
            return
        whole = [child for child in children(node) if isinstance(child, ast.Expression)]
        if isinstance(node, ast.For):  # its parts are not evaluated together
            whole = [part for part in (node.condition, node.step) if part is not None]
        groups = [whole] if isinstance(node, ast.Declaration) else [[part] for part in whole]
        for group in groups:
            changes = [
                each
                for part in group
                for each in preorder(part)
                if self._is_changing(each) and not (each is part and not isinstance(each, ast.Call))
            ]
            if changes and (len(changes) > 1 or self._reads_beside(group, changes[0])):
                raise Refused(f"the order of evaluation matters at line {node.span.line}")

    def _is_changing(self, node: Node) -> bool:
        match node:
            case ast.Call():
                return called_function(node) in self._changing
            case ast.Assign(target=target) | ast.CompoundAssign(target=target) | ast.Step(operand=target):
                return not isinstance(target, ast.Name)  # clang warns about plain variables
            case _:
                return False

    def _reads_beside(self, whole: Sequence[ast.Expression], change: Node) -> bool:
        """Whether an expression reads something that a change in it may affect."""
        target: ast.Expression | None = None
        if len(whole) == 1 and isinstance(whole[0], ast.Assign):
            target = whole[0].target
        changed = {root_variable(each) for each in written(change)}
        waiting: list[Node] = list(whole)
        while waiting:
            node = waiting.pop()
            if node is change or (node is target and isinstance(node, ast.Name)):
                continue
            match node:
                case ast.Name(target=ast.Variable() as variable):
                    if is_lasting(variable) or variable in self._program.addressed or variable in changed:
                        return True
                case ast.Dereference() | ast.Index() | ast.StatementExpression():
                    return True
                case ast.Member(is_arrow=True):
                    return True
            waiting.extend(children(node))
        return False

    # --- pointers

    @cached_property
    def _known(self) -> frozenset[ast.Variable]:
        """The parameters that only point to objects that the fragment itself names."""
        callable_ = [each for each in self.functions if each is not self._owner]
        known = {
            parameter
            for function in callable_
            for parameter in _unchanged_parameters(function)
            if isinstance(parameter.type, PointerType)
        }
        passed: list[tuple[ast.Variable, ast.Expression]] = []
        for node in self._nodes():
            function = called_function(node) if isinstance(node, ast.Call) else None
            if isinstance(node, ast.Call) and function is not None and function in callable_:
                passed += zip(function.parameters, node.arguments, strict=False)
                known -= set(function.parameters[len(node.arguments) :])  # called without a prototype
        shrinks = True
        while shrinks:
            lost = {parameter for parameter, argument in passed if not _points_to_known(argument, known)}
            shrinks = not known.isdisjoint(lost)
            known -= lost
        return frozenset(known)

    def _is_known_object(self, lvalue: ast.Expression) -> bool:
        return _is_known(lvalue, self._known)

    def any_reads(self) -> list[Wrap]:
        """Edits that replace every read through a pointer from outside by any value."""
        found: dict[tuple[int, int], Wrap] = {}
        waiting: list[Node] = [*self._roots]
        waiting += [each.body for each in self.functions if each.body is not None]
        while waiting:
            node = waiting.pop()
            match node:
                case ast.Cast(kind=_KIND.LVALUE_TO_RVALUE, operand=operand) if not self._is_known_object(operand):
                    if not isinstance(root_of(operand), ast.Call):
                        found[operand.span.start, operand.span.end] = self._any(operand)
                        continue
            waiting.extend(children(node))
        return list(found.values())

    def _any(self, lvalue: ast.Expression) -> Wrap:
        line, text = lvalue.span.line, lvalue.span.text
        tokens = self._program.tokens.within(lvalue.span.start, lvalue.span.end)
        match lvalue:
            case ast.Dereference():
                is_written = text.startswith("*")
            case ast.Index():
                is_written = text.endswith("]")
            case ast.Member(field=field):
                is_written = len(tokens) > 2 and tokens[-2].text in {".", "->"} and tokens[-1].text == field.name
                if field.bits is not None:
                    raise Refused(f"it reads a bit-field through a pointer at line {line}")
            case _:
                is_written = False
        if lvalue.span.source is not self._program.source or not is_written:
            raise Refused(f"a macro reads through a pointer at line {line}")
        if has_side_effects(lvalue):
            raise Refused(f"it reads through a pointer and changes something at line {line}")
        return Wrap(lvalue.span.start, lvalue.span.end, "({ __typeof__(", ") remuda_any; remuda_any; })")

    # --- loops that are cut

    def changed_by(self, move: Move) -> list[ast.Variable] | None:
        """The variables outside of a loop that it may change; None if they are unknown."""
        nodes = list(preorder(move.loop.node))
        if any(function in self._changing for function in _callees(nodes)):
            return None
        found: dict[ast.Variable, None] = {}
        body = move.text.body
        locals_ = {each.name for each in _declared(move.loop.function)}
        for node in nodes:
            for target in written(node):
                variable = root_variable(target)
                is_inside = variable is not None and body[0] <= variable.span.start < body[1]
                if variable is None or (is_lasting(variable) and (is_inside or variable.name in locals_)):
                    return None
                if not is_inside:
                    found[variable] = None
        return list(found)


def _declared(function: ast.Function) -> Iterator[ast.Variable]:
    yield from function.parameters
    for node in nodes_of(function):
        if isinstance(node, ast.Declaration):
            yield from (each for each in node.variables if each.storage is not ast.Storage.STATIC)


def _is_text(type_: PointerType) -> bool:
    """Whether a pointer only leads to characters, or to nothing that a program sees."""
    return not isinstance(type_.target, IntegerType) or type_.target.width == 8


def _is_bool(type_: object) -> bool:
    return isinstance(type_, IntegerType) and type_.is_bool


def _callees(nodes: Iterable[Node]) -> Iterator[ast.Function]:
    for node in nodes:
        function = called_function(node) if isinstance(node, ast.Call) else None
        if function is not None:
            yield function


def _changes_more(node: Node) -> bool:
    """Whether a node writes something that is not a local variable."""
    for target in written(node):
        variable = root_variable(target)
        if variable is None or is_lasting(variable):
            return True
    return False


def _unchanged_parameters(function: ast.Function) -> list[ast.Variable]:
    usage = usage_of(nodes_of(function))
    changed = {variable for variable, _ in usage.writes} | usage.addressed
    return [parameter for parameter in function.parameters if parameter not in changed]


def _is_known(lvalue: ast.Expression, known: Iterable[ast.Variable]) -> bool:
    """Whether an lvalue is a part of an object that the fragment names itself."""
    root = root_of(lvalue)
    match root:
        case ast.Dereference(operand=pointer) | ast.Index(base=pointer) | ast.Member(base=pointer, is_arrow=True):
            return _points_to_known(pointer, known)
        case ast.Name() | ast.CompoundLiteral() | ast.StringLiteral():
            return True
        case _:
            return False


def _points_to_known(pointer: ast.Expression, known: Iterable[ast.Variable]) -> bool:
    """Whether a pointer certainly points to an object that the fragment names itself."""
    while True:
        match pointer:
            case ast.Cast(kind=_KIND.NOTHING | _KIND.POINTER, operand=operand):
                pointer = operand
            case ast.AddressOf(operand=lvalue) | ast.Cast(kind=_KIND.ARRAY_TO_POINTER, operand=lvalue):
                root = root_of(lvalue)
                match root:
                    case ast.Dereference(operand=inner) | ast.Index(base=inner):
                        pointer = inner
                    case ast.Member(base=inner, is_arrow=True):
                        pointer = inner
                    case _:
                        return isinstance(root, ast.Name | ast.CompoundLiteral | ast.StringLiteral)
            case ast.Cast(kind=_KIND.LVALUE_TO_RVALUE, operand=ast.Name(target=ast.Variable() as variable)):
                return variable in known
            case ast.Binary(op="+" | "-", left=left, right=right):
                pointer = left if isinstance(left.type, PointerType) else right
            case _:
                return False
