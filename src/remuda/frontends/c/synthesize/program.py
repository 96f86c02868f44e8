"""A C file, the points in it for assertions, and its text with assertions or recordings there.

file = read_program(source, ParseOptions())
file.points                             -- the points, with their variables
file.with_assertions({3: [predicate]})  -- the text that asserts a predicate at point 3
file.recording()                        -- the text that calls `remuda_record` at every point
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Final, final

from remuda.base.errors import InputError
from remuda.base.predicates import Kind, Moment, Observed, Point, Predicate, mentioned
from remuda.base.source import Source
from remuda.frontends.c.clang.parse import ParseOptions, parse
from remuda.frontends.c.isolate.tokens import Tokens
from remuda.frontends.c.isolate.usage import is_intrinsic, written
from remuda.frontends.c.lowering.reachable import nodes_of
from remuda.frontends.c.syntax import ast
from remuda.frontends.c.syntax.types import IntegerType, PointerType
from remuda.frontends.c.syntax.walk import called_function
from remuda.frontends.c.synthesize.conditions import can_be_written, condition
from remuda.frontends.c.synthesize.constants import Constants, constants_of
from remuda.frontends.c.synthesize.flow import Place, Reached, reached_places
from remuda.frontends.c.synthesize.sites import (
    INSERT,
    REPLACE,
    Edit,
    Site,
    Sites,
    apply,
    directive_words,
    spelled,
    start_of_declaration,
)

if TYPE_CHECKING:
    from remuda.frontends.c.syntax.types import CType
    from remuda.frontends.c.synthesize.constants import Subject

MOST_VARIABLES: Final = 14  # at one point: those that the function uses most
ASSERT: Final = "__CPROVER_assert"  # verifiers know it in any file, whatever its body is
PROTOTYPE: Final = f"extern void {ASSERT}(int condition, const char *description);"
CHOICE: Final = "__VERIFIER_nondet_remuda"  # whether an assertion counts this time, if they are independent
CHOICE_PROTOTYPE: Final = f"extern int {CHOICE}(void);"
RECORD: Final = "remuda_record"
MOMENTS: Final = {Moment.ENTRY: "entry of", Moment.EXIT: "exit of", Moment.LOOP: "loop in"}
LONGEST_WIDTH: Final = 64


@final
class SynthesisProgram:
    """The result of `read_program` for a file."""

    def __init__(self, source: Source, unit: ast.Unit, options: ParseOptions) -> None:
        self.source: Final = source
        self.unit: Final = unit
        self.constants: Final[Constants] = constants_of(unit)
        self._options = options
        self._tokens = Tokens(source.text)
        words = {token.text for token in self._tokens.all if token.kind == "word"}
        self._macros = {*directive_words(self._tokens), *(each.partition("=")[0] for each in options.defines)}
        self._prefix = "remuda_"
        while any(word.startswith(self._prefix) for word in words):
            self._prefix += "_"
        self._result = f"{self._prefix}result"
        self._sites: dict[int, Site] = {}
        self._entries: dict[str, Site] = {}
        self._old: dict[str, dict[str, str]] = {}  # by function: the names of values at its entry, and of what
        self._globals = {each.name: each for each in unit.variables if each.storage is not ast.Storage.STATIC}
        self.points: Final = tuple(self._find_points())

    # --- points

    def _find_points(self) -> Iterator[Point]:
        sites = Sites(self.source, self._tokens, self._result)
        number = 0
        for function in self._functions():
            entry = sites.find(function, function)
            if entry is None:
                continue
            self._entries[function.name] = entry
            counts = _mentions(function)
            self._old[function.name] = dict(self._kept(function))
            for reached in sorted(reached_places(function), key=lambda each: _order(function, each.place)):
                site = sites.find(function, reached.place)
                if site is None:
                    continue
                variables = tuple(self._variables(function, reached, counts))
                if variables:
                    number += 1
                    self._sites[number] = site
                    line = reached.place.span.line
                    if isinstance(reached.place, ast.Compound):
                        line = reached.place.end.line
                    yield Point(number, function.name, _moment(reached.place), line, variables)

    def _functions(self) -> list[ast.Function]:
        """The functions that the file defines, in the order of the text, without those that verifiers know."""
        found = [
            function
            for function in self.unit.functions.values()
            if function.body is not None and function.span.source is self.source and not is_intrinsic(function.name)
        ]
        return sorted(found, key=lambda function: function.span.start)

    def _kept(self, function: ast.Function) -> Iterator[tuple[str, str]]:
        """The parameters that change, whose first values matter at an exit."""
        changed = {
            target.target
            for node in nodes_of(function)
            for target in written(node)
            if isinstance(target, ast.Name) and isinstance(target.target, ast.Variable)
        }
        for parameter in function.parameters:
            if parameter in changed and self._kind(parameter) is not None:
                yield f"{self._prefix}old_{parameter.name}", parameter.name

    def _variables(
        self, function: ast.Function, reached: Reached, counts: Counter[ast.Variable]
    ) -> Iterator[Observed]:
        names = dict(reached.names)
        for variable in counts:
            if self._is_global(variable):
                names.setdefault(variable.name, variable)
        parameters = set(function.parameters)
        is_entry = isinstance(reached.place, ast.Function)
        usable = [
            variable
            for variable in names.values()
            if variable is not None
            and self._kind(variable) is not None
            and (variable in parameters or variable in counts)
            and (variable in reached.has_value or self._is_global(variable))
            and (not is_entry or variable in parameters or self._is_global(variable))
        ]
        usable.sort(key=lambda variable: (-counts[variable], variable.span.start, variable.name))
        chosen = usable[:MOST_VARIABLES]
        is_exit = isinstance(reached.place, ast.Return | ast.Compound)
        if isinstance(reached.place, ast.Return) and reached.place.value is not None:
            observed = self._observed(self._result, function.type.result, function)
            if observed is not None and spelled(function.type.result) is not None:
                yield observed
        for variable in chosen:
            observed = self._observed(variable.name, variable.type, variable)
            if observed is not None:
                yield observed
        by_name = {each.name: each for each in function.parameters}
        for old, name in self._old[function.name].items() if is_exit else ():
            observed = self._observed(old, by_name[name].type, by_name[name], is_old=True)
            if observed is not None:
                yield observed

    def _is_global(self, variable: ast.Variable) -> bool:
        return self._globals.get(variable.name) is variable

    def _kind(self, variable: ast.Variable) -> Kind | None:
        if variable.is_volatile or variable.name in self._macros or not variable.name.isidentifier():
            return None
        return _kind_of(variable.type)

    def _observed(self, name: str, type_: CType, subject: Subject, *, is_old: bool = False) -> Observed | None:
        kind = _kind_of(type_)
        if kind is None:
            return None
        constants, assigned = self.constants.of(subject), self.constants.all_of(subject)
        if isinstance(type_, IntegerType):
            if kind is Kind.BOOLEAN:
                return Observed(name, "bool", kind, 0, 1, constants, assigned, is_old)
            bits = type_.width - type_.signed
            low = -(1 << bits) if type_.signed else 0
            group = f"{'signed' if type_.signed else 'unsigned'}{type_.width}"
            return Observed(name, group, kind, low, (1 << bits) - 1, constants, assigned, is_old)
        return Observed(name, str(type_), kind, 0, None, is_old=is_old)

    # --- texts

    def with_assertions(
        self, chosen: Mapping[int, Sequence[Predicate]], *, independent: bool = False
    ) -> tuple[str, dict[int, Sequence[Predicate]]]:
        """The program with predicates asserted at points, by number; and those predicates that are in it. The others
        are missing because a macro has changed their text.

        An execution ends with the first assertion that it fails. Independent assertions may also be skipped, so that
        they hide no later ones.
        """
        points = {point.number: point for point in self.points}
        kept: dict[int, Sequence[Predicate]] = {}
        for number, predicates in chosen.items():
            written_ = [each for each in predicates if can_be_written(each, points[number])]
            if written_:
                kept[number] = written_
        while kept:
            text = self._asserting(kept, f"if ({CHOICE}()) " if independent else "")
            wrong = self._misread(text, kept)
            if not wrong:
                return text, kept
            kept = {number: each for number, each in kept.items() if points[number].function not in wrong}
        return self.source.text, {}

    def _asserting(self, kept: Mapping[int, Sequence[Predicate]], choice: str) -> str:
        points = {point.number: point for point in self.points}

        def statements(point: Point) -> str:
            what = f'"{MOMENTS[point.moment]} {point.function}"'
            return " ".join(f"{choice}{ASSERT}({condition(each)}, {what});" for each in kept[point.number])

        used: dict[str, set[str]] = {}
        for number, predicates in kept.items():
            names = used.setdefault(points[number].function, set())
            names.update(name for predicate in predicates for name in mentioned(predicate))
        # A file that calls it itself may declare it or not.
        prototypes = [] if ASSERT in self.unit.functions else [PROTOTYPE]
        prototype = " ".join([*prototypes, CHOICE_PROTOTYPE] if choice else prototypes)
        edits = self._edits([points[number] for number in kept], statements, used, prototype)
        return apply(self.source.text, edits)

    def recording(self) -> str:
        """The program with a call at every point that records the values of its variables.

        Its own bodies for the inputs of verifiers are not used.
        """

        def statements(point: Point) -> str:
            values = [
                f"(long long){'(__UINTPTR_TYPE__)' if each.kind is Kind.ADDRESS else ''}{each.name}"
                for each in point.variables
            ]
            return f"{RECORD}({', '.join([str(point.number), str(len(values)), *values])});"

        used = {name: set(old) for name, old in self._old.items()}
        prototype = f"extern void {RECORD}(int, int, ...);"
        edits = [edit for site in self._ticks() for edit in site.edits(f"{RECORD}(0, 0);")]
        edits += [*self._edits(self.points, statements, used, ""), *self._own_inputs()]
        if edits:
            first = min(each.span.start for each in self.unit.functions.values() if self._is_here(each))
            start = start_of_declaration(self._tokens, first)
            edits.append(Edit(start, INSERT - 1, start, f"{prototype} "))
        return apply(self.source.text, edits)

    def _is_here(self, function: ast.Function) -> bool:
        return function.body is not None and function.span.source is self.source

    def _ticks(self) -> Iterator[Site]:
        """Edits that count the iterations of loops without a point, so that executions end there, too."""
        known = set(self._sites.values())
        sites = Sites(self.source, self._tokens, self._result)
        for function in filter(self._is_here, self.unit.functions.values()):
            nodes = nodes_of(function)
            labels = {node.name: node.span.start for node in nodes if isinstance(node, ast.Label)}
            for node in nodes:
                site = None
                if isinstance(node, ast.Goto) and labels.get(node.label, node.span.start) < node.span.start:
                    site = sites.jump(node)
                elif isinstance(node, ast.While | ast.DoWhile | ast.For):
                    site = sites.find(function, node)
                if site is not None and site not in known:
                    known.add(site)
                    yield site

    def _edits(
        self,
        points: Sequence[Point],
        statements: Callable[[Point], str],
        used: Mapping[str, set[str]],
        prototype: str,
    ) -> list[Edit]:
        edits: list[Edit] = []
        for name in dict.fromkeys(point.function for point in points):
            old = [(new, of) for new, of in self._old[name].items() if new in used.get(name, ())]
            if old:
                kept = " ".join(f"__typeof__({of}) {new} = {of};" for new, of in old)
                # Before the assertions at the entry, which have the same position.
                edits += [
                    Edit(each.start, INSERT - 1, each.end, each.text) for each in self._entries[name].edits(kept)
                ]
        for point in points:
            edits += self._sites[point.number].edits(statements(point))
        if prototype and points:
            first = min((self.unit.functions[point.function].span.start for point in points), default=0)
            start = start_of_declaration(self._tokens, first)
            edits.append(Edit(start, INSERT, start, f"{prototype} "))
        return edits

    def _own_inputs(self) -> Iterator[Edit]:
        for function in self.unit.functions.values():
            body = function.body
            if body is None or not is_intrinsic(function.name) or function.name in self._macros:
                continue
            token = self._tokens.at(function.span.start)
            if function.span.source is not self.source or token is None or token.text != function.name:
                continue
            start = start_of_declaration(self._tokens, function.span.start)
            header = self.source.text[start : body.span.start]
            if "nondet" in function.name and "static" not in header.split():
                yield Edit(start, INSERT, start, f"{' '.join(header.split())}; ")
                yield Edit(token.start, REPLACE, token.end, f"{self._prefix}own_{function.name}")

    # --- whether texts are right

    def _misread(self, text: str, kept: Mapping[int, Sequence[Predicate]]) -> set[str]:
        """The functions that lack some of their assertions, or are not valid any more."""
        points = {point.number: point for point in self.points}
        asserted = Counter(points[number].function for number, each in kept.items() for _ in each)
        try:
            unit = parse(Source(self.source.name, text), self._options)
        except InputError as error:
            return self._at_lines({each.span.line for each in error.diagnostics}, asserted)
        return {
            name
            for name, count in asserted.items()
            if name not in unit.functions
            or _assertions(unit.functions[name]) != _assertions(self.unit.functions[name]) + count
        }

    def _at_lines(self, lines: set[int], asserted: Mapping[str, int]) -> set[str]:
        """The functions on these lines; all functions if there is none."""
        found = set()
        for name in asserted:
            body = self.unit.functions[name].body
            assert body is not None
            first, last = body.span.line, body.end.line
            if any(first <= line <= last for line in lines):
                found.add(name)
        return found or set(asserted)


def read_program(source: Source, options: ParseOptions) -> SynthesisProgram:
    """Read a file. Raises `InputError` if it is not a valid program."""
    return SynthesisProgram(source, parse(source, options), options)


def _kind_of(type_: CType) -> Kind | None:
    match type_:
        case IntegerType(is_bool=True):
            return Kind.BOOLEAN
        case IntegerType(width=width) if width <= LONGEST_WIDTH:
            return Kind.NUMBER
        case PointerType():
            return Kind.ADDRESS
        case _:
            return None


def _moment(place: Place) -> Moment:
    match place:
        case ast.Function():
            return Moment.ENTRY
        case ast.Return() | ast.Compound():
            return Moment.EXIT
        case _:
            return Moment.LOOP


def _order(function: ast.Function, place: Place) -> tuple[int, int]:
    """The key that sorts points by their position in the text, the entry first."""
    if place is function:
        return (0, 0)
    return (1, place.end.start) if isinstance(place, ast.Compound) else (1, place.span.start)


def _mentions(function: ast.Function) -> Counter[ast.Variable]:
    return Counter(
        node.target
        for node in nodes_of(function)
        if isinstance(node, ast.Name) and isinstance(node.target, ast.Variable)
    )


def _assertions(function: ast.Function) -> int:
    count = 0
    for node in nodes_of(function):
        if isinstance(node, ast.Call):
            callee = called_function(node)
            count += callee is not None and callee.name == ASSERT
    return count
