"""Random C computations, each with a number as its result, on which gcc and a verifier must agree.

    computation = random_computation(Random(7), "_7")
    computation.text       -- declarations and a function `unsigned long long compute_7(void)`

Their behaviour is defined by the language (remaining overflows are found by gcc's sanitizer and left out), except
that they rely on what gcc documents: two's complement, little endian, arithmetic shifts of negative numbers, unions
read as other types. There is always a sequence point between a side effect and reads or other side effects on its
object. Inputs are declared with `INPUT(type, name, number, one, other)`, and have one of two values (which may be the
same).
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from random import Random
from typing import Final, final

NOTHING: Final[frozenset[str]] = frozenset()
INTEGERS: Final = (
    "_Bool",
    "char",
    "signed char",
    "unsigned char",
    "short",
    "unsigned short",
    "int",
    "int",
    "unsigned",
    "unsigned",
    "long",
    "unsigned long",
    "long long",
    "unsigned long long",
)
UNSIGNED: Final = ("unsigned", "unsigned long", "unsigned long long")
LITERALS: Final = (
    "0",
    "1",
    "2",
    "3",
    "7",
    "-1",
    "-5",
    "10",
    "'a'",
    "'\\xff'",
    "127",
    "128",
    "255",
    "256",
    "-129",
    "1000",
    "32767",
    "-32768",
    "65535",
    "65536u",
    "0x7fffffff",
    "0x80000000",
    "0xffffffffu",
    "-2147483647",
    "100L",
    "0xfedcba98UL",
    "-3LL",
    "0x123456789abcdefLL",
    "0xfffffffffffffff0ULL",
    "sizeof(int)",
    "sizeof(long)",
)
FLOATS: Final = ("0.0", "1.0", "-2.5", "0.125f", "3.0f", "1024.0", "-0.75", "1e3", "0.1", "16777217.0")
HOLE: Final = re.compile(r"@(\d+)")  # an index from 0 to a power of two minus one
INDENT: Final = "  "


@final
@dataclass(frozen=True, slots=True)
class Computation:
    """Declarations, and the function in them that computes the number."""

    name: str
    text: str
    inputs: int


@final
@dataclass(frozen=True, slots=True)
class Expression:
    """A C expression, and the objects that evaluating it reads and writes."""

    text: str
    reads: frozenset[str] = NOTHING
    writes: frozenset[str] = NOTHING
    floating: bool = False


@final
@dataclass(frozen=True, slots=True)
class Place:
    """An lvalue. `@3` in it stands for an index from 0 to 3; `address` are the objects read to find the place."""

    text: str
    objects: frozenset[str]
    address: frozenset[str] = NOTHING
    floating: bool = False
    writable: bool = True
    type: str = ""  # if it can be pointed to


@final
@dataclass(frozen=True, slots=True)
class Helper:
    """A function that computations call."""

    name: str
    parameters: int
    reads: frozenset[str]
    writes: frozenset[str]
    floating: bool = False


@final
@dataclass(slots=True)
class Scope:
    """The objects that the statements of one function can use."""

    places: list[Place] = field(default_factory=list)
    helpers: list[Helper] = field(default_factory=list)
    statements: list[Callable[[], list[str]]] = field(default_factory=list)  # special ones of features
    loops: int = 0  # how many surround the statement being written


@final
class Writer:
    """Expressions and plain statements over a scope; features (in `random_c_features`) add to the scope."""

    def __init__(self, random: Random, suffix: str) -> None:
        self.random = random
        self.suffix = suffix
        self.scope = Scope()
        self.counter = 0
        self.inputs = 0
        self.declarations: list[str] = []  # at file scope
        self.locals: list[str] = []  # at the start of the function
        self.observed: list[str] = []  # statements that mix results into the checksum

    # --- choices

    def chance(self, probability: float) -> bool:
        return self.random.random() < probability

    def name(self, stem: str) -> str:
        self.counter += 1
        return f"{stem}{self.counter}{self.suffix}"

    def integer_type(self) -> str:
        return self.random.choice(INTEGERS)

    # --- leaves

    def literal(self) -> Expression:
        return Expression(self.random.choice(LITERALS))

    def filled(self, place: Place, depth: int) -> Expression:
        """A place with indices: its expression reads and writes the objects that finding it reads and writes."""
        reads, writes = set(place.address), NOTHING

        def index(found: re.Match[str]) -> str:
            nonlocal writes
            if self.chance(0.5):
                return str(self.random.randint(0, int(found[1])))
            expression = self.integer(depth - 1)
            if not self._compatible(expression, Expression("", frozenset(reads) | place.objects, writes)):
                return found[1]
            reads.update(expression.reads)
            writes |= expression.writes
            return f"(({expression.text}) & {found[1]})"

        text = HOLE.sub(index, place.text)
        return Expression(text, frozenset(reads), writes, place.floating)

    def read(self, depth: int, *, floating: bool = False) -> Expression:
        places = [place for place in self.scope.places if place.floating == floating]
        if not places:
            return Expression(self.random.choice(FLOATS), floating=True) if floating else self.literal()
        place = self.random.choice(places)
        found = self.filled(place, depth)
        return Expression(found.text, found.reads | place.objects, found.writes, floating)

    def _compatible(self, one: Expression, other: Expression) -> bool:
        """Whether two expressions may be evaluated in any order."""
        return not (one.writes & (other.reads | other.writes)) and not (other.writes & one.reads)

    def both(self, left: Expression, right: Expression, text: str, *, floating: bool = False) -> Expression:
        """`text` with the operands in place of {l} and {r}."""
        if not self._compatible(left, right):
            right = Expression(self.random.choice(FLOATS), floating=True) if right.floating else self.literal()
        return self.in_order(left, right, text, floating=floating)

    def in_order(self, left: Expression, right: Expression, text: str, *, floating: bool = False) -> Expression:
        """As `both`, for operands that a sequence point separates."""
        made = text.replace("{l}", left.text).replace("{r}", right.text)
        return Expression(made, left.reads | right.reads, left.writes | right.writes, floating)

    def apart(self, *names: str, depth: int = 1) -> str:
        """An expression that neither reads nor writes these objects."""
        value = self.integer(depth)
        return self.literal().text if (value.reads | value.writes) & frozenset(names) else value.text

    def around(self, inner: Expression, text: str, *, floating: bool = False) -> Expression:
        return Expression(text.replace("{e}", inner.text), inner.reads, inner.writes, floating)

    # --- integers

    def integer(self, depth: int) -> Expression:
        if depth <= 0:
            return self.read(0) if self.chance(0.7) else self.literal()
        return self.random.choice(self._integer_forms())(depth - 1)

    def _integer_forms(self) -> list[Callable[[int], Expression]]:
        forms: list[Callable[[int], Expression]] = [
            self.read,
            self._wrapping,
            self._wrapping,
            self._narrow,
            self._bitwise,
            self._shift,
            self._divide,
            self._compare,
            self._unary,
            self._cast,
            self._logical,
            self._choice,
            self._comma,
            self._assignment,
            self._step,
            self._statement_expression,
        ]
        if self.scope.helpers:
            forms += [self.call, self.call]
        if any(place.floating for place in self.scope.places):
            forms += [self._float_compare, self._float_to_integer]
        return forms

    def _wrapping(self, depth: int) -> Expression:
        operator = self.random.choice(["+", "-", "*"])
        text = f"(({self.random.choice(UNSIGNED)})({{l}}) {operator} ({{r}}))"
        return self.both(self.integer(depth), self.integer(depth), text)

    def _narrow(self, depth: int) -> Expression:
        """Signed arithmetic on operands that are mostly too small to overflow."""
        operator = self.random.choice(["+", "-", "*"])
        limit = self.random.choice(["(short)", "(signed char)", "(unsigned short)", "(char)"])
        return self.both(self.integer(depth), self.integer(depth), f"({limit}({{l}}) {operator} (short)({{r}}))")

    def _bitwise(self, depth: int) -> Expression:
        operator = self.random.choice(["&", "|", "^"])
        return self.both(self.integer(depth), self.integer(depth), f"(({{l}}) {operator} ({{r}}))")

    def _shift(self, depth: int) -> Expression:
        if self.chance(0.5):
            text = f"(({self.random.choice(UNSIGNED)})({{l}}) << (({{r}}) & {self.random.choice([7, 15, 31])}))"
        else:
            text = f"(({{l}}) >> (({{r}}) & {self.random.choice([3, 15, 31])}))"
        return self.both(self.integer(depth), self.integer(depth), text)

    def _divide(self, depth: int) -> Expression:
        operator, right = self.random.choice(["/", "%"]), self.random.choice(["(({r}) | 1)", "((({r}) & 15) + 1)"])
        if self.chance(0.3):
            right = self.random.choice(["3", "-7", "10u", "-2L", "1000ULL"])
        return self.both(self.integer(depth), self.integer(depth), f"(({{l}}) {operator} {right})")

    def _compare(self, depth: int) -> Expression:
        operator = self.random.choice(["<", ">", "<=", ">=", "==", "!="])
        return self.both(self.integer(depth), self.integer(depth), f"(({{l}}) {operator} ({{r}}))")

    def _unary(self, depth: int) -> Expression:
        operator = self.random.choice(["~", "!", "!!", "-(short)", "-(unsigned)", "+"])
        return self.around(self.integer(depth), f"({operator}({{e}}))")

    def _cast(self, depth: int) -> Expression:
        return self.around(self.integer(depth), f"(({self.integer_type()})({{e}}))")

    def _logical(self, depth: int) -> Expression:
        operator = self.random.choice(["&&", "||"])
        return self.in_order(self.integer(depth), self.integer(depth), f"(({{l}}) {operator} ({{r}}))")

    def _choice(self, depth: int) -> Expression:
        if self.chance(0.2):
            return self.in_order(self.integer(depth), self.integer(depth), "(({l}) ?: ({r}))")
        condition = self.integer(depth)
        branches = self.in_order(self.integer(depth), self.integer(depth), "({l}) : ({r})")
        return self.in_order(condition, branches, "(({l}) ? {r})")

    def _comma(self, depth: int) -> Expression:
        return self.in_order(self.assigning(depth), self.integer(depth), "({l}, ({r}))")

    def _assignment(self, depth: int) -> Expression:
        return self.around(self.assigning(depth, floating=False), "({e})")

    def _step(self, depth: int) -> Expression:
        """Of an unsigned object or of a narrow one; where it overflows, the sanitizer sees it. What type `f++` of a
        bit-field has, compilers disagree about, so it gets one."""
        place = self._target(floating=False)
        if place is None:
            return self.literal()
        found = self.filled(place, depth)
        form = self.random.choice(["({e}++)", "({e}--)", "(++{e})", "(--{e})"])
        if not place.type and form in {"({e}++)", "({e}--)"}:
            form = f"((long long){form})"
        return Expression(form.replace("{e}", found.text), found.reads | place.objects, found.writes | place.objects)

    def _statement_expression(self, depth: int) -> Expression:
        local = self.name("t")
        first, second = self.integer(depth), self.integer(depth)
        body = f"({{ {self.integer_type()} {local} = {{l}}; {local} ^= {{r}}; {local}; }})"
        return self.in_order(first, second, body)

    def call(self, depth: int, *, floating: bool = False) -> Expression:
        helpers = [helper for helper in self.scope.helpers if helper.floating == floating]
        if not helpers:
            return self.literal()
        helper = self.random.choice(helpers)
        arguments = Expression("", helper.reads, helper.writes)
        texts: list[str] = []
        for _ in range(helper.parameters):
            argument = self.integer(depth - 1)
            if not self._compatible(argument, arguments):
                argument = self.literal()
            texts.append(argument.text)
            arguments = Expression("", arguments.reads | argument.reads, arguments.writes | argument.writes)
        text = f"{helper.name}({', '.join(texts)})"
        return Expression(text, arguments.reads, arguments.writes, floating)

    # --- floating point

    def floating(self, depth: int) -> Expression:
        if depth <= 0 or self.chance(0.3):
            return self.read(0, floating=True)
        if self.chance(0.25):
            return self.around(self.integer(depth - 1), "((double)(short)({e}))", floating=True)
        if self.chance(0.2):
            return self.around(self.floating(depth - 1), "((float)({e}))", floating=True)
        text = f"(({{l}}) {self.random.choice(['+', '-', '*', '+', '/'])} ({{r}}))"
        return self.both(self.floating(depth - 1), self.floating(depth - 1), text, floating=True)

    def _float_compare(self, depth: int) -> Expression:
        operator = self.random.choice(["<", ">", "<=", ">=", "==", "!="])
        return self.both(self.floating(depth), self.floating(depth), f"(({{l}}) {operator} ({{r}}))")

    def _float_to_integer(self, depth: int) -> Expression:
        return self.around(self.floating(depth), "WHOLE({e})")

    # --- assignments

    def _target(self, *, floating: bool) -> Place | None:
        places = [place for place in self.scope.places if place.writable and place.floating == floating]
        return self.random.choice(places) if places else None

    def assigning(self, depth: int, *, floating: bool | None = None) -> Expression:
        """An assignment, as an expression without parentheses."""
        wanted = self.chance(0.2) if floating is None else floating
        place = self._target(floating=wanted) or self._target(floating=False)
        if place is None:
            return self.literal()
        value = self.floating(depth) if place.floating else self.integer(depth)
        found = self.filled(place, depth)
        whole = Expression("", found.reads | place.objects, found.writes)
        if value.writes & (whole.reads | whole.writes) or found.writes & (value.reads | place.objects):
            value = Expression("2.5", floating=True) if place.floating else self.literal()
        operator, text = self._operator(place, value.text)
        return Expression(
            f"{found.text} {operator} {text}",
            whole.reads | value.reads,
            whole.writes | value.writes | place.objects,
            place.floating,
        )

    def _operator(self, place: Place, value: str) -> tuple[str, str]:
        if self.chance(0.5):
            return "=", value
        if place.floating:
            return self.random.choice(["+=", "-=", "*="]), value
        match self.random.choice(["arithmetic", "bits", "bits", "divide", "shift"]):
            case "arithmetic":
                return self.random.choice(["+=", "-=", "*="]), f"(unsigned long)({value})"
            case "divide":
                return self.random.choice(["/=", "%="]), f"(({value}) | 1)"
            case "shift":
                return ">>=", f"(({value}) & 7)"
            case _:
                return self.random.choice(["&=", "|=", "^="]), value

    # --- statements

    def statements(self, depth: int, count: int = 0) -> list[str]:
        return [line for _ in range(count or self.random.randint(1, 2)) for line in self.statement(depth)]

    def statement(self, depth: int) -> list[str]:
        if self.scope.statements and self.chance(0.35):
            return self.random.choice(self.scope.statements)()
        if depth > 0 and self.chance(0.5):
            forms = [self._if, self._if, self._for, self._while, self._do, self._switch, self._goto, self._block]
            return self.random.choice(forms)(depth - 1)
        if self.scope.loops and self.chance(0.15):
            return [f"if ({self.integer(1).text}) {self.random.choice(['break', 'continue'])};"]
        if self.chance(0.1):
            return [f"{self.integer(2).text};"]
        return [f"{self.assigning(2).text};"]

    def _if(self, depth: int) -> list[str]:
        lines = [f"if ({self.integer(2).text}) {{", *indented(self.statements(depth))]
        if self.chance(0.5):
            lines += ["} else {", *indented(self.statements(depth))]
        return [*lines, "}"]

    def _block(self, depth: int) -> list[str]:
        local = self.name("b")
        kept = list(self.scope.places)
        lines = [f"{self.integer_type()} {local} = {self.integer(2).text};"]
        self.scope.places.append(Place(local, frozenset({local})))
        lines += self.statements(depth)
        self.scope.places[:] = kept
        return ["{", *indented([*lines, f"MIX({local});"]), "}"]

    def body(self, depth: int) -> list[str]:
        self.scope.loops += 1
        lines = self.statements(depth)
        self.scope.loops -= 1
        return lines

    def _for(self, depth: int) -> list[str]:
        counter, limit = self.name("i"), self.random.randint(0, 4)
        kept = list(self.scope.places)
        self.scope.places.append(Place(counter, frozenset({counter}), writable=False))
        body = self.body(0 if self.scope.loops else depth)
        self.scope.places[:] = kept
        head = self.random.choice(
            [
                f"for (int {counter} = 0; {counter} < {limit}; {counter}++) {{",
                f"for (unsigned {counter} = {limit}; {counter}--; ) {{",
                f"for (signed char {counter} = -{limit}; {counter} < 0; {counter} += 2) {{",
                f"for (long {counter} = {limit}, {self.name('j')} = 1; {counter} > 0; --{counter}) {{",
            ]
        )
        return [head, *indented(body), "}"]

    def _while(self, depth: int) -> list[str]:
        counter, limit = self.name("n"), self.random.randint(0, 4)
        body = self.body(0 if self.scope.loops else depth)
        return [f"{{ int {counter} = {limit};", f"while ({counter}-- > 0) {{", *indented(body), "} }"]

    def _do(self, depth: int) -> list[str]:
        counter, limit = self.name("n"), self.random.randint(0, 3)
        body = self.body(0 if self.scope.loops else depth)
        return [f"{{ unsigned char {counter} = {limit};", "do {", *indented(body), f"}} while ({counter}-- != 0); }}"]

    def _switch(self, depth: int) -> list[str]:
        """Cases in any order, with fall-through, ranges, and the default anywhere."""
        labels = [f"case {value}:" for value in self.random.sample(range(-1, 6), self.random.randint(1, 4))]
        labels = [label if self.chance(0.9) else f"{label[:-1]} ... {label[5:-1]}:" for label in labels]
        if self.chance(0.3):
            labels.append("case 10 ... 40:")
        if self.chance(0.7):
            labels.insert(self.random.randint(0, len(labels)), "default:")
        lines = [f"switch (({self.integer(2).text}) {self.random.choice(['& 7', '% 5', '& 63'])}) {{"]
        for label in labels:
            lines += [label, *indented(self.statements(depth, 1)), *([INDENT + "break;"] if self.chance(0.6) else [])]
        return [*lines, "}"]

    def _goto(self, depth: int) -> list[str]:
        """A jump over statements, into a block, or back (a few times)."""
        label, counter = self.name("L"), self.name("n")
        match self.random.choice(["over", "into", "back"]):
            case "over":
                lines = [f"if ({self.integer(2).text}) goto {label};", *self.statements(depth)]
                return ["{", *indented(lines), f"{label}: ;", "}"]
            case "into":
                lines = [f"if ({self.integer(2).text}) goto {label};", f"if ({self.integer(1).text}) {{"]
                inner = [*self.statements(0), f"{label}:", f"{self.assigning(1).text};"]
                return ["{", *lines, *indented(inner), "} else {", *indented(self.statements(0)), "}", "}"]
            case _:
                loops, self.scope.loops = self.scope.loops, 0  # `break` would leave another loop
                body = self.statements(0)
                self.scope.loops = loops
                back = f"if (++{counter} < {self.random.randint(1, 4)}) goto {label};"
                return [f"{{ int {counter} = 0;", f"{label}:", *indented(body), INDENT + back, "}"]


def indented(lines: list[str]) -> list[str]:
    return [INDENT + line for line in lines]
