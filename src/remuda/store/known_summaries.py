"""Summaries of procedures from earlier runs: contracts that held. They are reused if the code that they depend on is
unchanged, and checked again otherwise.

A contract without a precondition depends on the procedure's body and on the contracts assumed for its calls. Each
procedure has a row for its contracts, with a key of the body and with the assumed contracts of callees. The row is
valid if all of those are valid too. (They may depend on each other: the induction is over executions, as in Houdini.)
A contract with a precondition depends on all callers. A set with such contracts has one row, with the key of the
whole program.

Contracts that are no longer valid become candidates, and Houdini keeps those that hold.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, final

from remuda.base import clock
from remuda.base.errors import Unsupported
from remuda.contracts.inference import holding, with_contracts
from remuda.store.contract_texts import ContractTexts
from remuda.store.fingerprints import digest
from remuda.store.summary_store import Row, SummaryStore
from remuda.vc.interface import interfaces

if TYPE_CHECKING:
    from remuda.options import Options
    from remuda.prepare.pipeline import Prepared
    from remuda.store.fingerprints import Fingerprints
    from remuda.transforms.add_contracts import Contract

RECHECK_SECONDS: Final = 5.0
NOT_STORED: Final = "?"  # stands for a contract that could not be written


@final
@dataclass(slots=True)
class Loaded:
    """Contracts that hold, by their texts, and the number of candidates that were checked again."""

    contracts: dict[str, Contract]
    checked: int = 0


@final
class KnownSummaries:
    """The summaries of one program. `variant` distinguishes programs that are made from one source in different
    ways."""

    def __init__(
        self, store: SummaryStore, variant: str, prepared: Prepared, prints: Fingerprints, options: Options
    ) -> None:
        self._store = store
        self._variant = variant
        self._prepared = prepared
        self._prints = prints
        self._options = options
        code = prepared.instrumented
        self._program = code.program
        self._texts = ContractTexts(self._program, interfaces(self._program, summaries="modset"), prints.symbols)
        self._bodies = [name for name, each in self._program.procedures.items() if each.blocks is not None]
        self._loaded: Loaded | None = None
        self._stored: set[tuple[str, str, tuple[str, ...]]] = set()

    def text(self, contract: Contract) -> str | None:
        return self._texts.write(contract)

    def read(self, text: str) -> Contract | None:
        return self._texts.read(text)

    # --- reading

    def load(self, deadline: float | None) -> Loaded:
        """The stored contracts that hold."""
        if self._loaded is None:
            self._loaded = self._load(deadline)
        return self._loaded

    def _load(self, deadline: float | None) -> Loaded:
        slots = {name: self._slot(name) for name in self._bodies}
        rows = self._store.load("summary", slots.values())
        sets = self._store.load("summaries", [self._slot("")])[self._slot("")]
        believed: dict[str, Row] = {}
        doubted: dict[str, None] = {}
        for name, slot in slots.items():
            if not rows[slot]:
                continue
            same = [row for row in rows[slot] if row.key == self._key(name)]
            if same:
                believed[name] = same[0]
            else:
                doubted.update(dict.fromkeys(_texts_of(rows[slot][0])))
        known = self._consistent(believed, doubted)
        whole = self._whole_key() if sets else ""
        for row in sets:
            if row.key == whole:
                texts = _texts_of(row)
                read = {text: contract for text in texts if (contract := self._texts.read(text)) is not None}
                if len(read) == len(texts):  # they hold together; a part of them may not
                    known |= read
                else:
                    doubted.update(dict.fromkeys(texts))
                break
        else:
            doubted.update(dict.fromkeys(_texts_of(sets[0]) if sets else ()))
        return self._with_doubted(known, [text for text in doubted if text not in known], deadline)

    def _consistent(self, believed: dict[str, Row], doubted: dict[str, None]) -> dict[str, Contract]:
        """The contracts of the greatest set of rows that only assume contracts of rows in the set."""
        read: dict[str, dict[str, Contract]] = {}
        for name, row in believed.items():
            found = {text: self._texts.read(text) for text in _texts_of(row)}
            if all(each is not None and each.procedure == name and each.requires is None for each in found.values()):
                read[name] = {text: each for text, each in found.items() if each is not None}
            else:
                doubted.update(dict.fromkeys(found))
        while lost := [name for name in read if not _is_supported(believed[name], read)]:
            for name in lost:
                doubted.update(dict.fromkeys(read.pop(name)))
        return {text: each for found in read.values() for text, each in found.items()}

    def _with_doubted(self, known: dict[str, Contract], doubted: Sequence[str], deadline: float | None) -> Loaded:
        candidates = {text: contract for text in doubted if (contract := self._texts.read(text)) is not None}
        if not candidates:
            return Loaded(known)
        limit = clock.now() + RECHECK_SECONDS
        strengthened = with_contracts(self._prepared, list(known.values())) if known else self._prepared
        until = limit if deadline is None else min(limit, deadline)
        try:
            held = set(map(id, holding(strengthened, self._options, until, list(candidates.values()))))
        except Unsupported:  # the solver cannot check them
            return Loaded(known, len(candidates))
        kept = {text: contract for text, contract in candidates.items() if id(contract) in held}
        return Loaded({**known, **kept}, len(candidates))

    # --- writing

    def keep(self, contracts: Iterable[Contract]) -> None:
        """Store contracts that hold together, including those that were loaded."""
        by_procedure: dict[str, dict[str, None]] = {}
        texts: dict[str, None] = {}
        requires = False
        for contract in contracts:
            text = self._texts.write(contract) or NOT_STORED
            by_procedure.setdefault(contract.procedure, {})[text] = None
            texts[text] = None
            requires = requires or contract.requires is not None
        if requires:
            if NOT_STORED not in texts:
                self._store.save([Row("summaries", self._slot(""), self._whole_key(), {"contracts": list(texts)})])
            else:  # the rest may not hold without it, so store it as candidates
                kept = [text for text in texts if text != NOT_STORED]
                self._store.save([Row("summaries", self._slot(""), "", {"contracts": kept})])
            return
        rows = []
        for name, own in by_procedure.items():
            kept = [text for text in own if text != NOT_STORED]
            assumed = {
                callee: sorted(map(digest, by_procedure[callee]))
                for callee in self._prints.callees(name)
                if callee in by_procedure
            }
            case = (name, self._key(name), tuple(kept))
            if kept and case not in self._stored:
                self._stored.add(case)
                rows.append(
                    Row("summary", self._slot(name), self._key(name), {"contracts": kept, "assumed": assumed})
                )
        self._store.save(rows)

    # --- keys

    def _slot(self, name: str) -> str:
        return digest("summary", self._variant, name)

    def _whole_key(self) -> str:
        return self._prints.of_everything(self._program.entries)

    def _key(self, name: str) -> str:
        """The key of a body, and of the effects of its calls: the globals that they change, and whether they fail.
        The stored contracts are not part of it."""
        called = sorted(self._prints.callees(name))
        return digest(
            self._prints.of_body(name),
            *(text for callee in called for text in (callee, self._prints.of_face(callee))),
            *(text for callee in called for text in self._prints.failures_of(callee)),
        )


def _texts_of(row: Row) -> list[str]:
    texts = row.body.get("contracts")
    return [text for text in texts if isinstance(text, str)] if isinstance(texts, list) else []


def _is_supported(row: Row, read: dict[str, dict[str, Contract]]) -> bool:
    assumed = row.body.get("assumed")
    if not isinstance(assumed, dict):
        return False
    return all(
        isinstance(needed, list) and set(map(str, needed)) <= set(map(digest, read.get(callee, {})))
        for callee, needed in assumed.items()
    )
