"""Programs: what every front end produces, every transform maps, and every engine searches.

It is Boogie's core with ground types. Invariants (`ir.check` reports every breach):

- a procedure's blocks have distinct labels, the first one is the entry, successors exist; a block without
  successors returns;
- statements assign, havoc and pass results to globals and to the procedure's own outputs and locals only;
  inputs are never assigned;
- calls name a procedure of the program and fit its parameters;
- `old` occurs in `ensures` only (in bodies, front ends save the values at the entry in locals);
- terms are well typed and their variables are in scope;
- every assertion has a `Check` whose identifier no other assertion of the original program has (transforms
  that copy code share the Check: it is the same assertion).
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final, Protocol, final

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from remuda.base.source import Source, Span
    from remuda.terms.store import Terms
    from remuda.terms.symbols import Constructor, Function, Variable
    from remuda.terms.term import Term
    from remuda.terms.types import DataType, NamedType
    from remuda.terms.values import Value


@final
@dataclass(frozen=True, slots=True)
class Attribute:
    """An attribute `{:name argument, ...}`: strings stay strings, expressions become terms."""

    name: str
    arguments: tuple[Term | str, ...] = ()


Attributes = tuple[Attribute, ...]

RECURSION: Final = (
    "recursion_of"  # on a loop procedure that stands for calls of these procedures on top of each other
)

SUCCEEDS: Final = "succeeds"  # on a call: only its executions matter that fail no assertion in the callee


@final
@dataclass(frozen=True, slots=True, eq=False)
class Check:
    """The data about an assertion that users see. Checks are compared by identity, and named by `identifier`.

    `identifier` is stable under edits elsewhere: file, procedure, kind and ordinal, as
    `queue.bpl:Push:assert:2`. Kinds: assert, requires, ensures, invariant, reach-end (and, from C, the
    generated ones).
    """

    identifier: str
    kind: str
    description: str
    span: Span


# --- statements


@final
@dataclass(frozen=True, slots=True, eq=False)
class Assign:
    """Parallel assignment. `m[i] := e` is `m := m[i := e]`."""

    targets: tuple[Variable, ...]
    values: tuple[Term, ...]
    span: Span
    attributes: Attributes = ()


@final
@dataclass(frozen=True, slots=True, eq=False)
class Havoc:
    """Give the variables arbitrary values (front ends add the `where` clauses as assumptions)."""

    variables: tuple[Variable, ...]
    span: Span
    attributes: Attributes = ()


@final
@dataclass(frozen=True, slots=True, eq=False)
class Assume:
    """Restrict the executions to those in which the condition is true here."""

    condition: Term
    span: Span
    attributes: Attributes = ()


@final
@dataclass(frozen=True, slots=True, eq=False)
class Assert:
    """Executions in which the condition is false fail `check` here and end."""

    condition: Term
    check: Check
    span: Span
    attributes: Attributes = ()


@final
@dataclass(frozen=True, slots=True, eq=False)
class Call:
    """Run a procedure; `is_async` starts it as a thread of its own instead."""

    procedure: str
    arguments: tuple[Term, ...]
    results: tuple[Variable, ...]
    span: Span
    attributes: Attributes = ()
    is_async: bool = False


@final
@dataclass(frozen=True, slots=True, eq=False)
class Yield:
    """Other threads may run here."""

    span: Span
    attributes: Attributes = ()


Statement = Assign | Havoc | Assume | Assert | Call | Yield


# --- procedures and programs


@final
@dataclass(frozen=True, slots=True, eq=False)
class Block:
    """Statements in order, then a jump to any one of the successors. A block without successors returns."""

    label: str
    statements: tuple[Statement, ...]
    successors: tuple[str, ...]
    span: Span


@final
@dataclass(frozen=True, slots=True, eq=False)
class Condition:
    """A `requires` or `ensures` clause. A free one is assumed and never checked, so it has no `check`."""

    term: Term
    span: Span
    check: Check | None
    attributes: Attributes = ()

    @property
    def free(self) -> bool:
        return self.check is None


@final
@dataclass(frozen=True, slots=True, eq=False)
class Procedure:
    """A procedure; `blocks` is None if it has no body.

    `loop_of` names the procedure that an extracted loop came from. Such a procedure runs complete iterations
    only and cannot fail: a failing iteration is the last, partial one in the procedure itself.
    """

    name: str
    inputs: tuple[Variable, ...]
    outputs: tuple[Variable, ...]
    span: Span
    locals: tuple[Variable, ...] = ()
    blocks: tuple[Block, ...] | None = None
    requires: tuple[Condition, ...] = ()
    ensures: tuple[Condition, ...] = ()
    modifies: tuple[Variable, ...] = ()
    attributes: Attributes = ()
    loop_of: str | None = None


@final
@dataclass(frozen=True, slots=True, eq=False)
class Datatype:
    """The declaration of an algebraic datatype."""

    type: DataType
    constructors: tuple[Constructor, ...]


@final
@dataclass(frozen=True, slots=True, eq=False)
class Axiom:
    term: Term
    span: Span
    attributes: Attributes = ()


@final
@dataclass(frozen=True, slots=True)
class Input:
    """A value that an execution got from outside, with its origin as the source writes it and as the front end names
    it."""

    source: str
    supply: str
    value: Value


@final
@dataclass(frozen=True, slots=True)
class Execution:
    """The inputs of a failing execution, the procedures that it ran, in order, and the maps of which it read an
    element before it wrote one there."""

    inputs: tuple[Input, ...]
    procedures: tuple[str, ...]
    unset: frozenset[str]


@final
@dataclass(frozen=True, slots=True)
class FailingProgram:
    """A program that fails a check when it is compiled and run, made from the inputs of a failing execution.

    `missing` are the inputs that it cannot set, and `unset` the memory that the execution may read before it writes
    there: because of both, it may run differently. `undefined` are the functions that have no body in the original
    program.
    """

    text: str
    missing: tuple[str, ...] = ()
    unset: tuple[str, ...] = ()
    undefined: tuple[str, ...] = ()
    has_threads: bool = False


class Presentation(Protocol):
    """Writes values and executions in the language of the source."""

    def guesses(self, kind: str) -> Mapping[Span, str]:
        """The places where the program gets a value that a model only guesses, with the meaning of each guess; only
        those that matter for assertions of one kind."""
        ...

    def text(self, value: Value, format_: str) -> str:
        """The text of a value, in a format that the front end has put into an attribute or that `format_of` gives."""
        ...

    def format_of(self, variable: Variable) -> str | None:
        """The format of a variable's values; None if the source has no such variable."""
        ...

    def reproduce(self, check: Check, execution: Execution, sources: Sequence[Source]) -> FailingProgram:
        """A program that fails a check in the same way as an execution."""
        ...


@final
@dataclass(frozen=True, slots=True, eq=False)
class Program:
    """A whole program. All its terms come from `terms`.

    `wheres` has the `where` conditions of globals and of variables of procedures. The statements already contain the
    assumptions that follow from them, except for those about globals at the start of an execution.
    `entries` are the procedures in which an execution may start. Every thread has its own copy of the globals in
    `thread_locals`, with arbitrary first values. Threads of a `cooperative` program switch at `yield` only, those of
    other programs anywhere.
    """

    terms: Terms
    procedures: Mapping[str, Procedure]
    entries: tuple[str, ...] = ()
    globals: tuple[Variable, ...] = ()
    constants: tuple[Variable, ...] = ()
    unique_constants: tuple[Variable, ...] = ()
    functions: tuple[Function, ...] = ()
    axioms: tuple[Axiom, ...] = ()
    types: tuple[NamedType, ...] = ()
    datatypes: tuple[Datatype, ...] = ()
    wheres: Mapping[Variable, Term] = field(default_factory=dict)
    assumptions: tuple[str, ...] = ()  # the unproved assumptions of a front end, as text for the report
    thread_locals: tuple[Variable, ...] = ()
    cooperative: bool = False
    existentials: tuple[Variable, ...] = ()  # Boolean constants that stand for candidate contracts and invariants
    templates: tuple[Procedure, ...] = ()  # not procedures: their postconditions are candidates for all procedures
    presentation: Presentation | None = None  # None: values are written as Boogie writes them
    beliefs: frozenset[str] = frozenset()  # assertions that check beliefs, which the front end could do without
    has_unreached_assertions: bool = False  # in functions that no entry reaches, which the front end left out


def attribute(attributes: Attributes, name: str) -> Attribute | None:
    """The first attribute with this name."""
    return next((candidate for candidate in attributes if candidate.name == name), None)
