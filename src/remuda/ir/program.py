"""Programs: what every front end produces, every transform maps, and every engine searches.

It is Boogie's core with ground types. Invariants (`ir.check` reports every breach):

- a procedure's blocks have distinct labels, the first one is the entry, successors exist; a block without
  successors returns;
- statements assign, havoc and pass results to globals and to the procedure's own outputs and locals only;
  inputs are never assigned;
- calls name a procedure of the program and fit its parameters;
- `old` occurs in `ensures` only (front ends save entry values in locals for bodies);
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
    """`{:name argument, ...}`: strings stay strings, expressions become terms."""

    name: str
    arguments: tuple[Term | str, ...] = ()


Attributes = tuple[Attribute, ...]

RECURSION: Final = (
    "recursion_of"  # on a loop procedure that stands for calls of these procedures on top of each other
)

SUCCEEDS: Final = "succeeds"  # on a call of which only executions matter that fail no assertion in it


@final
@dataclass(frozen=True, slots=True, eq=False)
class Check:
    """What an assertion is to the user: compared by identity, named by `identifier`.

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
    """The variables take any values (front ends add the `where` clauses as assumptions)."""

    variables: tuple[Variable, ...]
    span: Span
    attributes: Attributes = ()


@final
@dataclass(frozen=True, slots=True, eq=False)
class Assume:
    """Executions in which the condition is false do not exist."""

    condition: Term
    span: Span
    attributes: Attributes = ()


@final
@dataclass(frozen=True, slots=True, eq=False)
class Assert:
    """Executions in which the condition is false fail `check` here and go no further."""

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
    """Statements in order, then a jump to any one of the successors; none means: return."""

    label: str
    statements: tuple[Statement, ...]
    successors: tuple[str, ...]
    span: Span


@final
@dataclass(frozen=True, slots=True, eq=False)
class Condition:
    """A `requires` or `ensures`. A free one is assumed and never checked, so it has no `check`."""

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
    """A value that an execution got from outside: what it comes from in the words of the source, and the name that the
    front end gave to that."""

    source: str
    supply: str
    value: Value


@final
@dataclass(frozen=True, slots=True)
class Execution:
    """What a failing execution got from outside, the procedures that it ran, the first one first, and the maps that it
    read an element of before anything was written there."""

    inputs: tuple[Input, ...]
    procedures: tuple[str, ...]
    unset: frozenset[str]


@final
@dataclass(frozen=True, slots=True)
class FailingProgram:
    """A program that fails a check when it is compiled and run, made from the inputs of an execution that does.

    `missing` are the inputs that it cannot set, and `unset` what the execution may read before anything is written
    there: with these it may run differently. `undefined` are the functions that the original program has no body of.
    """

    text: str
    missing: tuple[str, ...] = ()
    unset: tuple[str, ...] = ()
    undefined: tuple[str, ...] = ()
    has_threads: bool = False


class Presentation(Protocol):
    """How values and executions are written in the language that a program comes from."""

    def guesses(self, kind: str) -> Mapping[Span, str]:
        """Where the program gets a value that a model only guesses, and what the guess stands for; only what matters
        for assertions of a kind."""
        ...

    def text(self, value: Value, format_: str) -> str:
        """A value in a format that the front end has put into an attribute, or that `format_of` gives."""
        ...

    def format_of(self, variable: Variable) -> str | None:
        """The format of a variable's values; None if the source has no such variable."""
        ...

    def reproduce(self, check: Check, execution: Execution, sources: Sequence[Source]) -> FailingProgram:
        """A program that fails a check like an execution does."""
        ...


@final
@dataclass(frozen=True, slots=True, eq=False)
class Program:
    """A whole program. All its terms come from `terms`.

    `wheres` gives a variable's `where` condition, for globals and procedure variables; statements already
    carry the assumptions that follow from them, except for the globals' at the start of an execution.
    `entries` are the procedures where an execution may start. Every thread has its own copy of the globals in
    `thread_locals`, with arbitrary first values. Threads of a `cooperative` program take turns at `yield` only,
    those of another one anywhere.
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
    assumptions: tuple[str, ...] = ()  # what a front end believed without proof, in words for the report
    thread_locals: tuple[Variable, ...] = ()
    cooperative: bool = False
    existentials: tuple[Variable, ...] = ()  # Boolean constants that stand for candidate contracts and invariants
    templates: tuple[Procedure, ...] = ()  # not procedures: what they promise are candidates for all that are
    presentation: Presentation | None = None  # None: values are written as Boogie writes them
    beliefs: frozenset[str] = frozenset()  # assertions that check what a front end believes, and could do without
    has_unreached_assertions: bool = False  # in functions that no entry reaches, which the front end left out


def attribute(attributes: Attributes, name: str) -> Attribute | None:
    """The first attribute with this name."""
    return next((candidate for candidate in attributes if candidate.name == name), None)
