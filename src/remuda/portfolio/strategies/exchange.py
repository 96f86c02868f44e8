"""Writes contracts down for other processes, and reads them there."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from remuda.ir.edit import size
from remuda.ir.printer import print_program
from remuda.ir.term_text import term_text
from remuda.portfolio.shared import FoundContracts
from remuda.store.contract_texts import ContractTexts
from remuda.store.fingerprints import Symbols, digest
from remuda.vc.interface import interfaces

if TYPE_CHECKING:
    from collections.abc import Iterable

    from remuda.portfolio.shared import Shared
    from remuda.prepare.pipeline import Prepared
    from remuda.transforms.add_contracts import Contract

LARGEST: Final = (
    5000  # statements and blocks of programs whose contracts are shared: to write larger ones down takes long
)


def written(prepared: Prepared, contracts: Iterable[Contract]) -> FoundContracts | None:
    """Contracts that hold for a program, to be read in another process; None if there are none, or it is too large."""
    found = list(contracts)
    if not found or size(prepared.instrumented.program) > LARGEST:
        return None
    texts = _texts(prepared)
    said = (texts.write(each) for each in found)
    return FoundContracts(_key(prepared), tuple(text for text in said if text is not None))


def read(prepared: Prepared, shared: Shared) -> list[Contract]:
    """The contracts that are known to hold for a program."""
    if not shared.contracts or size(prepared.instrumented.program) > LARGEST:
        return []
    known = shared.contracts.get(_key(prepared), ())
    texts = _texts(prepared) if known else None
    said = [texts.read(text) for text in known] if texts is not None else []
    return [each for each in said if each is not None]


def _texts(prepared: Prepared) -> ContractTexts:
    code = prepared.instrumented
    return ContractTexts(code.program, interfaces(code.program, summaries="modset"), Symbols(code))


def _key(prepared: Prepared) -> str:
    """A name for the program as searches see it."""
    code = prepared.instrumented
    return digest(print_program(code.program, {}), *(term_text(each) for each in code.definitions))
