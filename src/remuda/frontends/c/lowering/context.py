"""What the lowering of every function shares, and what belongs to one function."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import PurePath
from typing import TYPE_CHECKING, final

from remuda.base.errors import Unsupported
from remuda.frontends.c.lowering.blocks import Blocks
from remuda.frontends.c.lowering.checks import Checks
from remuda.frontends.c.lowering.display import CPresentation, format_of, input_
from remuda.frontends.c.lowering.first_values import FirstValues
from remuda.frontends.c.lowering.places import RegisterPlace
from remuda.frontends.c.lowering.trusted import Trusted
from remuda.frontends.c.syntax.types import FloatingType, IntegerType, VoidType
from remuda.ir.program import Assert, Check
from remuda.terms.symbols import Variable, VariableKind

if TYPE_CHECKING:
    from remuda.base.source import Span
    from remuda.frontends.c.arithmetic.protocol import Arithmetic
    from remuda.frontends.c.lowering.blocks import OpenBlock
    from remuda.frontends.c.lowering.options import LoweringOptions
    from remuda.frontends.c.lowering.storage import Storage
    from remuda.frontends.c.lowering.threads import Threads
    from remuda.frontends.c.lowering.volatile import Volatiles
    from remuda.frontends.c.memory.model import MemoryModel
    from remuda.frontends.c.reproduce import CallSite
    from remuda.frontends.c.syntax import ast
    from remuda.frontends.c.syntax.layouts import Layouts
    from remuda.frontends.c.syntax.types import CType, VariableArrayType
    from remuda.terms.store import Terms
    from remuda.terms.term import Term

DESCRIPTION_LENGTH = 100


@final
@dataclass(slots=True, eq=False)
class ProgramContext:
    """The parts of the lowering that exist once for a program."""

    unit: ast.Unit
    options: LoweringOptions
    terms: Terms
    arithmetic: Arithmetic
    layouts: Layouts
    memory: MemoryModel
    storage: Storage
    volatiles: Volatiles
    registers: dict[ast.Variable, RegisterPlace] = field(default_factory=dict)  # globals without an address
    trusted: Trusted = field(default_factory=Trusted)
    recursive: frozenset[str] = frozenset()
    dynamic: frozenset[ast.Variable] = frozenset()  # automatic objects without a constant address
    beliefs: dict[str, None] = field(default_factory=dict)  # assertions that check the points-to analysis
    error_number: ast.Variable | None = None  # `errno`, if the program uses it
    threads: Threads | None = None  # None: no thread is ever started
    has_special_mutexes: bool = False  # some mutexes are initialised to be of another kind than the default
    presentation: CPresentation = field(default_factory=CPresentation)
    released: frozenset[int] = frozenset()  # families of blocks that the program frees
    given_texts: frozenset[ast.Variable] = frozenset()  # the contents of `argv` and `envp`, which are inputs
    label_numbers: dict[str, int] = field(default_factory=dict)  # the addresses of labels
    _ordinals: dict[tuple[str, str, str], int] = field(default_factory=dict)

    def register(self, variable: ast.Variable, kind: VariableKind) -> RegisterPlace:
        """New IR variables for an object: one for each scalar in it."""
        made = self.scalars(variable.name, variable.type, variable.span, kind)
        return RegisterPlace(variable.type, made, is_volatile=self.is_input(variable))

    def scalars(self, name: str, type_: CType, span: Span, kind: VariableKind) -> tuple[Variable, ...]:
        """A new variable for each scalar of a type, with the name that the source has for it."""
        made: list[Variable] = []
        for leaf in self.layouts.leaves(type_, span):
            variable = Variable(name + leaf.name, self.arithmetic.type_of(leaf.type), kind)
            self.presentation.formats[variable] = format_of(leaf.type)
            made.append(variable)
        return tuple(made)

    def check(self, function: str, kind: str, span: Span, description: str) -> Check:
        file = PurePath(span.source.name).name
        ordinal = self._ordinals.get((file, function, kind), 0) + 1
        self._ordinals[file, function, kind] = ordinal
        line = " ".join(description.split())
        short = line if len(line) <= DESCRIPTION_LENGTH else line[: DESCRIPTION_LENGTH - 3] + "..."
        return Check(f"{file}:{function}:{kind}:{ordinal}", kind, short, span)

    def zero(self, type_: CType) -> Term:
        if isinstance(type_, FloatingType):
            return self.arithmetic.float_literal("0", type_)
        return self.arithmetic.literal(0, type_)

    def is_input(self, variable: ast.Variable) -> bool:
        """Whether reading a variable gives any value, because it is volatile."""
        return variable.is_volatile and self.changes_outside(variable)

    def changes_outside(self, variable: ast.Variable | None, *, is_register: bool = False) -> bool:
        """Whether something outside the program may change a volatile object (None: what a pointer points to)."""
        if self.volatiles.is_input(variable, is_register=is_register):
            return True
        belief = self.volatiles.belief(variable)
        if belief:
            self.assume(belief)
        return False

    def assume(self, sentence: str) -> None:
        """Add an assumption to the report."""
        self.trusted.add(sentence)

    def assume_about(self, name: str, belief: str) -> None:
        """Add an assumption about a function; the report has one line for all functions with the same assumption."""
        self.trusted.add_about(name, belief)

    def compared(self, span: Span, *families: int | None) -> None:
        """Note that pointers are compared for equality. `malloc` may reuse the address of a freed block (C11
        7.22.3p1); in the model it never does."""
        if None not in families and not self.released.isdisjoint(families):
            self.trusted.address(span)

    def guess(self, what: str, span: Span) -> None:
        """Note that the model has any value here where the program has one: a failure because of it may be
        spurious."""
        self.presentation.guessed[span] = what

    def is_given(self, text: ast.Expression) -> bool:
        """Whether a text can only be one of `argv` or `envp`, so that its contents are an input."""
        family = self.memory.family(text)
        sole = None if family is None or not self.given_texts else self.memory.sole_objects().get(family)
        return any(sole is each for each in self.given_texts)

    def opaque(self, what: str, span: Span) -> None:
        """Note that the program gets a pointer to memory of unknown size here."""
        self.presentation.opaque[span] = what


@final
class FunctionContext:
    """The parts of the lowering that exist once for each function."""

    def __init__(self, program: ProgramContext, function: ast.Function) -> None:
        self.program = program
        self.function = function
        self.blocks = Blocks(program.terms, function.span)
        self.registers: dict[ast.Variable, RegisterPlace] = {}
        self.addresses: dict[ast.Variable, Term] = {}  # of objects whose address differs between activations
        self.outputs: tuple[Variable, ...] = self._outputs()
        self.inputs: list[Variable] = []
        self.exit = self.blocks.new("exit", function.span)
        self.labels: dict[str, OpenBlock] = {}
        self.addressed_labels: dict[str, int] = {}  # the labels whose addresses this function takes
        self.is_outermost = False  # the execution ends with the function
        self.has_labels = False  # jumps may lead past declarations
        self.checks = Checks(self)
        self.first_values = FirstValues(self)
        self.last_check = ""  # the identifier of the last assertion

    def _outputs(self) -> tuple[Variable, ...]:
        result = self.function.type.result
        if isinstance(result, VoidType):
            return ()
        return self.program.scalars("result", result, self.function.span, VariableKind.LOCAL)

    def length(self, type_: VariableArrayType, span: Span) -> Term:
        """The length of an array, which was computed at the declaration of its type."""
        place = None if type_.length is None else self.registers.get(type_.length)
        if place is None:
            raise Unsupported(span, "an array whose length is computed elsewhere")
        return self.program.terms.var(place.variables[0])

    def label(self, name: str, span: Span) -> OpenBlock:
        if name not in self.labels:
            self.labels[name] = self.blocks.new(name, span)
        return self.labels[name]

    def label_number(self, name: str) -> int:
        """The address of a label, as a number: the same in all functions, so that static tables can contain it."""
        numbers = self.program.label_numbers
        number = numbers.setdefault(name, len(numbers) + 1)
        self.addressed_labels[name] = number
        return number

    def demand(self, condition: Term, kind: str, span: Span, description: str) -> None:
        """Add an assertion. If its kind is not among the kinds asked for, assume the condition instead."""
        asked = self.program.options.asked
        if asked and kind not in asked and kind != "unsupported":
            self.blocks.assume(condition, span)
            return
        check = self.program.check(self.function.name, kind, span, description)
        self.last_check = check.identifier
        self.blocks.add(Assert(condition, check, span))

    def unsupported(self, construct: str, span: Span) -> None:
        """End executions at a construct that is not modelled. If one gets here, verdicts become `unknown`."""
        terms = self.program.terms
        self.demand(terms.false, "unsupported", span, construct)
        self.blocks.assume(terms.false, span)

    def believe(self, condition: Term, span: Span, construct: str) -> None:
        """Assert a belief of the points-to analysis. Executions that break it are not modelled."""
        if condition is not self.program.terms.true:
            self.demand(condition, "unsupported", span, construct)
            self.program.beliefs[self.last_check] = None
            self.blocks.assume(condition, span)

    def unknown(self, type_: CType, span: Span, source: str, bits: int | None = None, supply: str = "") -> Term:
        """Any value of a scalar type, or of a bit-field of `bits` bits. `source` says where it comes from, `supply`
        how a program that reproduces the execution can supply it (`Reproduction.key`)."""
        variable = self.blocks.temporary(self.program.arithmetic.type_of(type_), "input")
        value = self.blocks.havoc(variable, span, input_(source, type_, supply))
        self.restrict(value, type_, span, bits)
        return value

    def supply(self, supply: ast.Variable | CallSite) -> str:
        """The key of an input, by which a program that reproduces the execution finds its source."""
        return self.program.presentation.reproduction.key(supply)

    def restrict(self, value: Term, type_: CType, span: Span, bits: int | None = None) -> None:
        """Assume that an unknown value is in the range of its type or bit-field."""
        arithmetic = self.program.arithmetic
        self.blocks.assume(arithmetic.in_range(value, type_), span)
        if bits is not None and isinstance(type_, IntegerType):
            kept = arithmetic.extract_bits(value, type_, 0, bits, signed=type_.signed)
            self.blocks.assume(arithmetic.compare("==", value, kept, type_), span)
