"""Isolates the loops of a C file.

isolated = isolate_loops(source, ParseOptions())
isolated.text          -- the program, with the bodies of loops in functions of their own
isolated.fragments     -- the moved bodies, and the functions; each can be checked by itself unless `refused`
isolated.left_alone    -- the loops that cannot be moved, and why
isolated.fragment_text(fragment, cut_inner=True)   -- the text to check
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, final

from remuda.base.errors import InputError
from remuda.base.source import Source, Span
from remuda.frontends.c.clang.parse import ParseOptions, parse
from remuda.frontends.c.isolate.faithful import unfaithful_functions
from remuda.frontends.c.isolate.loops import Loop, find_loops
from remuda.frontends.c.isolate.mentions import FileText, read_mentions
from remuda.frontends.c.isolate.moves import Capture, FunctionMoves, Move, StayError, declaration
from remuda.frontends.c.isolate.render import Wrap
from remuda.frontends.c.isolate.soundness import Refused, Soundness
from remuda.frontends.c.isolate.tokens import Tokens
from remuda.frontends.c.isolate.usage import is_intrinsic
from remuda.frontends.c.isolate.writer import ERROR_STATEMENT, Changes, Writer, is_claim
from remuda.frontends.c.lowering.reachable import nodes_of
from remuda.frontends.c.syntax import ast

if TYPE_CHECKING:
    from collections.abc import Sequence


@final
@dataclass(frozen=True, slots=True, eq=False)
class Fragment:
    """The body of a loop, or a function: the C function `name` in the text.

    A proof from any state holds in the program, for the assertions inside `body`. If `refused` is not empty, it says
    why a proof would not be sound.
    """

    name: str
    span: Span  # of the loop, or of the function's name
    body: Span
    function: str
    parent: str | None  # the fragment around it, if that is the body of a loop, too
    depth: int  # the number of loops around it
    captures: tuple[Capture, ...]
    refused: str
    move: Move | None = None  # None for functions

    @property
    def harness(self) -> str:
        """The name of the function that calls it with any values."""
        return f"{self.name}_harness"


@final
class IsolatedProgram:
    """The result of `isolate_loops` for a file. The file must be the whole program."""

    def __init__(
        self,
        source: Source,
        unit: ast.Unit,
        file: FileText,
        moves: dict[str, list[Move]],
        left_alone: Sequence[tuple[Span, str]],
        error_labels: Sequence[str],
    ) -> None:
        self.source = source
        self.left_alone = tuple(left_alone)
        self._unit = unit
        self._file = file
        self._moves = moves
        self._error_labels = frozenset(error_labels)
        self._tokens = Tokens(source.text)
        self._writer = Writer(source, unit, file, self._tokens, moves)
        self._soundness = Soundness(source, unit, file, self._tokens)

    @cached_property
    def text(self) -> str:
        """The program with its loops isolated."""
        return self._writer.write(Changes())

    @cached_property
    def fragments(self) -> tuple[Fragment, ...]:
        """The bodies of loops, inner ones first, and then the functions."""
        loops = [self._loop(move) for moves in self._moves.values() for move in reversed(moves)]
        return (*loops, *(self._function(each.name) for each in self._file.functions if self._has_body(each.name)))

    def fragment_text(self, fragment: Fragment, *, cut_inner: bool) -> str:
        """The program for a verifier that starts in the fragment's harness, every static object with any value.

        With `cut_inner`, loops inside the fragment and in functions that it calls are cut, if possible: what they may
        change gets any value, and one iteration is left. Only for fragments that are not refused.
        """
        region = self._soundness.region(self._unit.functions[fragment.function], fragment.move)
        inner = self._inner_moves(fragment, {each.name for each in region.functions}) if cut_inner else []
        changed = {move: region.changed_by(move) for move in inner}
        cuts = {move: variables for move, variables in changed.items() if variables is not None}
        text = self._writer.write(Changes([*region.any_reads(), *self._error_statements()], cuts))
        return text + self._harness(fragment)

    def _inner_moves(self, fragment: Fragment, called: set[str]) -> list[Move]:
        """The moved loops inside a fragment, and those of the functions that it calls."""
        found = []
        for move in (each for moves in self._moves.values() for each in moves):
            if fragment.move is None:
                is_inside = move.loop.function.name == fragment.function
            else:
                is_inside = fragment.move.loop in move.loop.around()[1:]
            if is_inside or (move.loop.function.name in called and move is not fragment.move):
                found.append(move)
        return found

    def assertions(self, fragment: Fragment) -> list[Span]:
        """The assertions that a proof of the fragment is about."""
        found = []
        for node in nodes_of(self._unit.functions[fragment.function]):
            is_label = isinstance(node, ast.Label) and node.name in self._error_labels
            if is_label or (isinstance(node, ast.Call) and is_claim(node)):
                span = node.span
                if span.source is self.source and fragment.body.start <= span.start < fragment.body.end:
                    found.append(span)
        return found

    def _error_statements(self) -> list[Wrap]:
        """Statements that make reaching an error label a failure."""
        found = []
        for function in self._unit.functions.values():
            for node in nodes_of(function):
                if isinstance(node, ast.Label) and node.name in self._error_labels:
                    name = self._tokens.at(node.span.start)
                    colon = None if name is None else self._tokens.next(name.end)
                    if colon is not None and colon.text == ":" and node.span.source is self.source:
                        found.append(Wrap(colon.end, colon.end, ERROR_STATEMENT, ""))
        return found

    def _harness(self, fragment: Fragment) -> str:
        arguments = [f"&{each.name}" if each.by_pointer else each.name for each in fragment.captures]
        lines = [f"  {declaration(each.type, each.name)};" for each in fragment.captures]
        lines.append(f"  {fragment.name}({', '.join(arguments)});")
        return f"void {fragment.harness}(void)\n{{\n" + "\n".join(lines) + "\n}\n"

    # --- fragments

    def _has_body(self, name: str) -> bool:
        function = self._unit.functions.get(name)
        return function is not None and function.body is not None and not is_intrinsic(name)

    def _refusal(self, function: ast.Function, move: Move | None) -> str:
        try:
            self._soundness.region(function, move).check()
        except Refused as refusal:
            return str(refusal)
        return ""

    def _loop(self, move: Move) -> Fragment:
        loop = move.loop
        moved = {each.loop: each for each in self._moves[loop.function.name]}
        parent = next((moved[around] for around in loop.around()[1:] if around in moved), None)
        return Fragment(
            move.name,
            loop.node.span,
            Span(self.source, *move.text.body),
            loop.function.name,
            None if parent is None else parent.name,
            loop.depth,
            move.captures,
            self._refusal(loop.function, move),
            move,
        )

    def _function(self, name: str) -> Fragment:
        function = self._unit.functions[name]
        assert function.body is not None
        text = next(each for each in self._file.functions if each.name == name)
        captures = []
        refused = self._refusal(function, None)
        for number, parameter in enumerate(function.parameters):
            declared = text.declared.get((parameter.span.start, parameter.name))
            if declared is None:
                refused = refused or f"the parameter {parameter.name} is not understood"
            else:
                captures.append(Capture(f"argument{number}", declared.type, by_pointer=False, variable=parameter))
        return Fragment(name, function.span, function.body.span, name, None, 0, tuple(captures), refused)


def isolate_loops(source: Source, options: ParseOptions, error_labels: Sequence[str] = ()) -> IsolatedProgram:
    """Move the bodies of all local loops of a file. Raises `InputError` if the file is not a valid program."""
    unit = parse(source, options)
    file = read_mentions(source, options)
    tokens = Tokens(source.text)
    taken = {token.text for token in tokens.all if token.kind == "word"}
    moves: dict[str, list[Move]] = {}
    left_alone: list[tuple[Span, str]] = []
    for text in file.functions:
        function = unit.functions.get(text.name)
        if function is None or function.body is None:
            continue
        loops, gotos = find_loops(function)
        left_alone += [(span, "it is made of gotos") for span in gotos]
        judge = FunctionMoves(function, text, source, tokens)
        places = Counter(loop.node.span.start for loop in loops)
        for loop in loops:
            if places[loop.node.span.start] > 1:
                loop.reasons.append("a macro repeats it")
            try:
                moves.setdefault(text.name, []).append(judge.move(loop, _fresh(loop, taken)))
            except StayError as reason:
                left_alone.append((loop.node.span, str(reason)))
    made = IsolatedProgram(source, unit, file, moves, left_alone, error_labels)
    wrong = _unfaithful(made, unit, moves, options)
    if not wrong:
        return made
    left_alone += [(move.loop.node.span, "macros change its text") for name in wrong for move in moves.pop(name)]
    return IsolatedProgram(source, unit, file, moves, left_alone, error_labels)


def _unfaithful(
    made: IsolatedProgram, unit: ast.Unit, moves: dict[str, list[Move]], options: ParseOptions
) -> list[str]:
    """The functions that have changed by the moves."""
    try:
        again = parse(Source(made.source.name, made.text), options)
    except InputError:
        return list(moves)
    return unfaithful_functions(unit, again, moves)


def _fresh(loop: Loop, taken: set[str]) -> str:
    name = f"{loop.function.name}_loop{loop.number}"
    while name in taken or f"{name}_harness" in taken:
        name += "_"
    return name
