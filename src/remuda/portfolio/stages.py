"""What one process does for a program, one strategy after another: options are edits of this list."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Protocol

from remuda.portfolio.strategies.earlier_runs import Keep, TakeOver
from remuda.portfolio.strategies.isolation import Isolation
from remuda.portfolio.strategies.proofs import Proofs
from remuda.portfolio.strategies.search import Search

if TYPE_CHECKING:
    from remuda.options import Options
    from remuda.portfolio.attempt import Attempt


class Strategy(Protocol):
    """Decides assertions of an attempt. Between two steps, the rest can go on in a copy of the process."""

    def steps(self, attempt: Attempt) -> Iterator[None]: ...


def stages(options: Options) -> tuple[Strategy, ...]:
    """The strategies for a program that is prepared."""
    if options.engine == "isolation":
        return (Isolation(is_alone=True),)
    return tuple(
        strategy
        for suits, strategy in (
            (bool(options.summaries_dir), TakeOver()),
            (bool(options.isolate), Isolation(is_alone=False)),
            (True, Search()),
            (True, Proofs()),
            (bool(options.summaries_dir), Keep()),
        )
        if suits
    )
