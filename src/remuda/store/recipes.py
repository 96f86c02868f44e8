"""How the program of a stored proof was made, and which options matter for what is stored."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Any, Final, final

if TYPE_CHECKING:
    from remuda.options import Options

# Options that say nothing about what a proof proves.
ANY_PROOF: Final = frozenset(
    {
        *("engine", "merge", "disjoint", "seed", "inline", "search", "alternate", "solver", "bound", "bound_for"),
        *("assertion", "stop_at_first", "joins", "abstract", "refine", "houdini", "candidates", "isolate", "backend"),
        *("state", "jobs", "print_invariants", "timeout", "memory", "test_case", "confirm", "check_ir"),
        *("summaries_dir", "entry"),
    }
)
# Options that say nothing about how far a search went that was not cut short.
ANY_SEARCH: Final = frozenset(
    {
        *("assertion", "state", "jobs", "print_invariants", "timeout", "memory", "test_case", "confirm"),
        *("check_ir", "summaries_dir"),
    }
)


@final
@dataclass(frozen=True, slots=True)
class Recipe:
    """How the program that a proof was found in comes about."""

    base: str = "plain"  # the prepared program; or the one without its assertions lifted; or the one for proofs
    tracked: tuple[str, ...] | None = None  # the globals whose values it knows; None: all
    contracts: tuple[str, ...] = ()  # what it was told of procedures, in the words of `store.contract_texts`

    @staticmethod
    def of(body: Mapping[str, Any]) -> Recipe:
        tracked = body["tracked"]
        names = None if tracked is None else tuple(map(str, tracked))
        return Recipe(str(body["base"]), names, tuple(map(str, body["contracts"])))


def options_text(options: Options, without: frozenset[str]) -> str:
    return repr([(each.name, getattr(options, each.name)) for each in fields(options) if each.name not in without])
