"""The symbols that terms refer to by identity: variables, functions, datatype constructors.

Two symbols with the same name are different symbols. Names matter to users and to the printer only, so a
transform can copy a procedure without inventing names.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING, final

if TYPE_CHECKING:
    from remuda.terms.term import Term
    from remuda.terms.types import DataType, Type


class VariableKind(Enum):
    """The kinds of variables."""

    CONSTANT = "constant"  # never assigned; one value for a whole execution
    GLOBAL = "global"
    LOCAL = "local"  # parameters and results of procedures too
    BOUND = "bound"  # by a quantifier, a lambda or a function definition


@final
@dataclass(frozen=True, slots=True, eq=False)
class Variable:
    """A variable, compared by identity. `name` is its name in the source."""

    name: str
    type: Type
    kind: VariableKind

    def __repr__(self) -> str:
        return f"<{self.kind.value} {self.name}: {self.type}>"


@final
@dataclass(slots=True, eq=False)
class Function:
    """A function, compared by identity.

    Without `body` it is uninterpreted; otherwise `body` defines it over `parameters`. The body is set after
    construction because definitions may be recursive. `builtin` is an SMT-LIB operator without a term operator of
    its own.
    """

    name: str
    parameters: tuple[Variable, ...]
    result: Type
    body: Term | None = None
    builtin: str | None = None

    def __repr__(self) -> str:
        return f"<function {self.name}>"


@final
@dataclass(frozen=True, slots=True, eq=False)
class Constructor:
    """A constructor of a datatype, compared by identity."""

    name: str
    datatype: DataType
    fields: tuple[tuple[str, Type], ...]

    def __repr__(self) -> str:
        return f"<constructor {self.name}>"
