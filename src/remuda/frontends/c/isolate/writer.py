"""The text of a program in which the bodies of loops are functions.

    while (n < 1000) { assert(x == 1); n += x; }

becomes

    static void main_loop1(int *n, int x)
    {
    __CPROVER_assume((*n) < 1000);
    { assert(x == 1); (*n) += x; }
    }
    ...
    while (n < 1000) { main_loop1(&n, x); }

Lines keep their numbers: replacements are filled up with line breaks, and `#line` is before moved text. Text for
verifiers only is behind `#ifdef __CPROVER__`; for compilers, the program behaves like the original.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import TYPE_CHECKING, Final, final

from remuda.frontends.c.isolate.render import Replacement, Wrap, padding, render
from remuda.frontends.c.isolate.tokens import Tokens, is_line_marker
from remuda.frontends.c.isolate.usage import is_input
from remuda.frontends.c.lowering.assertions import FAILURES
from remuda.frontends.c.lowering.intrinsics import CLAIMS
from remuda.frontends.c.lowering.reachable import nodes_of
from remuda.frontends.c.syntax import ast
from remuda.frontends.c.syntax.types import IntegerType
from remuda.frontends.c.syntax.walk import called_function

if TYPE_CHECKING:
    from remuda.base.source import Source
    from remuda.frontends.c.isolate.mentions import FileText, FunctionText
    from remuda.frontends.c.isolate.moves import Move, Range

ASSERTIONS: Final = ("assert", "__VERIFIER_assert", "__CPROVER_assert")
ERRORS: Final = ("reach_error", "__VERIFIER_error")
ASSUMPTIONS: Final = ("__VERIFIER_assume", "__CPROVER_assume")


@final
@dataclass(frozen=True, slots=True)
class Changes:
    """The changes in a fragment's text besides moved loops: parts with text around them, and loops that are cut, each
    with the variables that it may change."""

    wraps: Sequence[Wrap] = ()
    cuts: Mapping[Move, Sequence[ast.Variable]] = field(default_factory=dict)


@final
class Writer:
    """Writes one file, with the loops that move."""

    def __init__(
        self, source: Source, unit: ast.Unit, file: FileText, tokens: Tokens, moves: Mapping[str, Sequence[Move]]
    ) -> None:
        self._source = source
        self._text: Final = source.text
        self._unit = unit
        self._file = file
        self._tokens = tokens
        self._moves = moves
        self._inside: Final[dict[Move | None, list[Move]]] = {}
        by_loop = {move.loop: move for each in moves.values() for move in each}
        for move in by_loop.values():
            around = (by_loop.get(loop) for loop in move.loop.around()[1:])
            self._inside.setdefault(next((each for each in around if each is not None), None), []).append(move)
        self._fixed: Final = [*self._line_markers(), *self._joined_assertions()]

    def write(self, changes: Changes) -> str:
        """The whole file."""
        wraps = [*changes.wraps, *self._definitions_of_intrinsics()]
        for function in self._file.functions:
            moves = self._moves.get(function.name)
            if moves:
                # The inner ones come last in the list, and are called by the outer ones.
                moved = [self._function(move, function, changes) for move in reversed(moves)]
                own = self._prototype(function)
                before = "\n" + "".join([own, *moved]) + self.line(function.start)
                wraps.append(Wrap(function.start, function.end, before, ""))
        replaced = [self._replacement(move, None, changes) for move in self._inside.get(None, [])]
        body = render(self._text, 0, len(self._text), wraps, [*self._fixed, *replaced])
        return f"{self._prelude()}{self.line(0)}{body}\n"

    def line(self, offset: int) -> str:
        """The directive that gives the following text its original position."""
        name = self._source.name.replace("\\", "\\\\").replace('"', '\\"')
        return f'#line {self._source.position(offset)[0]} "{name}"\n'

    # --- moved loops

    def _function(self, move: Move, function: FunctionText, changes: Changes) -> str:
        parameters = ", ".join(capture.parameter() for capture in move.captures) or "void"
        assumed = ""
        if move.assumes and move.text.condition is not None:
            condition = self._part(move.text.condition, move, function, changes).strip()
            assert move.loop.node.condition is not None
            type_ = move.loop.node.condition.type
            is_plain = isinstance(type_, IntegerType) and type_.name == "int"
            # `__CPROVER_assume` may be a macro, which takes a comma for the end of its argument.
            condition = condition if is_plain and "," not in condition else f"!!({condition})"
            assumed = (
                f"#ifdef __CPROVER__\n{self.line(move.text.condition[0])}__CPROVER_assume({condition});\n#endif\n"
            )
        body = self._part(move.text.body, move, function, changes)
        return f"static void {move.name}({parameters})\n{{\n{assumed}{self.line(move.text.body[0])}{body}\n}}\n"

    def _part(self, part: Range, move: Move | None, function: FunctionText, changes: Changes) -> str:
        """A part of the text, rewritten for the function of a loop's body (None: for its own function)."""
        pointers = frozenset() if move is None else move.pointers()
        places = {(variable.span.start, variable.name) for variable in pointers}
        seen: dict[int, Wrap] = {}
        for mention in function.mentions:
            if part[0] <= mention.start < part[1] and (mention.declared.start, mention.declared.name) in places:
                end = mention.start + len(mention.declared.name)
                seen[mention.start] = Wrap(mention.start, end, "(*", ")")
        returns = [] if move is None else move.loop.continues
        replaced = [
            *self._fixed,
            *(
                self._replacement(each, move, changes)
                for each in self._inside.get(move, [])
                if part[0] <= each.text.whole[0] and each.text.whole[1] <= part[1]
            ),
            *(Replacement(each.span.start, each.span.start + len("continue"), "return") for each in returns),
        ]
        return render(self._text, *part, [*seen.values(), *changes.wraps], replaced)

    def _replacement(self, move: Move, around: Move | None, changes: Changes) -> Replacement:
        """The text that replaces a loop's body, or a loop that is cut."""
        call = f"{{ {move.name}({', '.join(self._arguments(move, around))}); }}"
        start, end = move.text.body
        if move in changes.cuts:
            start, end = move.text.whole
            call = self._cut(move, around, call, changes)
        return Replacement(start, end, call + padding(self._text, start, end, call))

    @staticmethod
    def _arguments(move: Move, around: Move | None) -> list[str]:
        pointers = frozenset() if around is None else around.pointers()
        found = []
        for capture in move.captures:
            is_pointer = capture.variable in pointers
            if capture.by_pointer:
                found.append(capture.name if is_pointer else f"&{capture.name}")
            else:
                found.append(f"(*{capture.name})" if is_pointer else capture.name)
        return found

    def _cut(self, move: Move, around: Move | None, call: str, changes: Changes) -> str:
        """The text of a cut loop: what the loop changes gets any value; then comes one iteration that ends the
        execution, or the code behind the loop (of `do`: one iteration and the code behind)."""
        function = next(each for each in self._file.functions if each.name == move.loop.function.name)
        text = move.text
        pointers = frozenset() if around is None else around.pointers()
        havoc = " ".join(
            _any_value(f"(*{variable.name})" if variable in pointers else variable.name)
            for variable in changes.cuts[move]
        )
        start, condition, step = (
            "" if part is None else self._part(part, around, function, changes)
            for part in (text.start, text.condition, text.step)
        )
        if isinstance(move.loop.node, ast.DoWhile):
            return f"{{ {havoc} {call} __CPROVER_assume(!({condition})); }}"
        return f"{{ {start}; {havoc} if ({condition or '1'}) {{ {call} {step}; __CPROVER_assume(0); }} }}"

    def _prototype(self, function: FunctionText) -> str:
        """A declaration of the function around a loop, for a body that calls it: the body comes before it now."""
        made = self._unit.functions[function.name]
        assert made.body is not None
        if not any(isinstance(node, ast.Name) and node.target is made for node in nodes_of(made)):
            return ""
        return f"{self._text[function.start : made.body.span.start]};\n"

    # --- what is changed everywhere

    def _line_markers(self) -> list[Replacement]:
        """Remove line markers, so that positions are those in this file, not in the files that it was made from."""
        return [
            Replacement(token.start, token.end, "\n" * token.text.count("\n"))
            for token in self._tokens.all
            if is_line_marker(token)
        ]

    def _joined_assertions(self) -> list[Replacement]:
        """Join the lines of an assertion, so that all verifiers agree on its line."""
        places = {
            node.span.start
            for function in self._unit.functions.values()
            for node in nodes_of(function)
            if isinstance(node, ast.Call) and node.span.source is self._source and is_claim(node)
        }
        found = []
        for place in sorted(places):
            first = self._tokens.at(place)
            opening = None if first is None else self._tokens.next(first.end)
            closing = None if opening is None else self._tokens.closing(opening)
            if closing is None:
                continue
            tokens = self._tokens.within(place, closing.end)
            for token, following in pairwise(tokens):
                if "\n" in self._text[token.end : following.start]:
                    found.append(Replacement(token.end, following.start, " "))
            lines = sum(self._text.count("\n", each.start, each.end) for each in found if each.start >= place)
            found.append(Replacement(closing.start, closing.end, ")" + "\n" * lines))
        return found

    def _definitions_of_intrinsics(self) -> list[Wrap]:
        """Hide definitions of functions that verifiers know by name."""
        found = []
        for name, start, end, defines in self._file.declarations:
            if name in ASSERTIONS or name in ERRORS or name in ASSUMPTIONS:
                if not defines:
                    end = self._end_of_declaration(end)
                found.append(
                    Wrap(start, end, f"\n#ifndef __CPROVER__\n{self.line(start)}", f"\n#endif\n{self.line(end)}")
                )
            elif defines and is_input(name):
                body = self._unit.functions[name].body
                if body is not None:
                    before = f"\n#ifdef __CPROVER__\n;\n#else\n{self.line(body.span.start)}"
                    found.append(Wrap(body.span.start, end, before, f"\n#endif\n{self.line(end)}"))
        return found

    def _end_of_declaration(self, end: int) -> int:
        token = self._tokens.next(end)
        while token is not None and token.text != ";":
            if token.text in {",", "{", "="}:  # declared together with something else, which verifiers reject
                return end
            closing = self._tokens.closing(token)
            token = self._tokens.next(token.end if closing is None else closing.end)
        return end if token is None else token.end

    def _prelude(self) -> str:
        """Definitions of the names that verifiers know. A failed assertion ends the execution."""
        used = self._unit.functions
        lines = [
            f"#define {name}(c, ...) {_claim(f'remuda_{name}', f'!!({self._conversion(name)}(c))')}"
            for name in ASSERTIONS
            if name in used
        ]
        lines += [f"#define {name}(...) {_claim(f'remuda_{name}', '0')}" for name in ERRORS if name in used]
        lines += [
            f"#define {name}(c) __CPROVER_assume(!!({self._conversion(name)}(c)))"
            for name in ASSUMPTIONS
            if name in used
        ]
        return "".join(f"{line}\n" for line in ("#ifdef __CPROVER__", *lines, "#endif"))

    def _conversion(self, name: str) -> str:
        """The conversion of a condition to the type of the declared parameter."""
        type_ = self._unit.functions[name].type
        if type_.has_prototype and type_.parameters and isinstance(type_.parameters[0], IntegerType):
            return f"({type_.parameters[0].name})"
        return ""


def _claim(name: str, condition: str) -> str:
    """A macro that asserts a condition, and ends the execution if it fails. These macros may use each other, so each
    has a variable of its own."""
    return f'({{ int {name} = {condition}; __CPROVER_assert({name}, "claim"); __CPROVER_assume({name}); }})'


ERROR_STATEMENT: Final = f"{_claim('remuda_label', '0')};"


def _any_value(lvalue: str) -> str:
    """Assign any value, as a record, because arrays cannot be assigned."""
    record = f"struct {{ __typeof__({lvalue}) part; }}"
    return f"{{ __typeof__({lvalue}) remuda_any; *({record} *)&{lvalue} = *({record} *)&remuda_any; }}"


def is_claim(call: ast.Call) -> bool:
    """Whether a call is an assertion."""
    function = called_function(call)
    return function is not None and (function.name in CLAIMS or function.name in FAILURES)
