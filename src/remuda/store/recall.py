"""Reuses verdicts of earlier runs, if the code that they depend on is unchanged.

A proof rests on the bodies of the procedures that were inlined when the formula was refuted with nothing blocked, and on
what is known of the calls in them: nothing else of the program is in the formula. So it is stored under the key of that
(`store.fingerprints`), with how the program of the proof is made from the one that is verified (`Recipe`), and counts for
every program with the same key. What was searched up to a bound counts for the same program and options only.

If the code has changed, the store still has the calls that were inlined and the globals that were tracked for a proof
or a violation. A search that begins with these asks one query: does the proof still hold, or does the violation still
exist? A violation always comes from the current program, and is replayed on it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import PurePath
from typing import TYPE_CHECKING, Any, Final, TypeVar, final

from remuda.base import clock
from remuda.base.errors import RemudaError
from remuda.base.reasons import NO_REASON, Reason
from remuda.contracts.inference import with_contracts
from remuda.engines.outcome import Outcome
from remuda.engines.stratified import NOT_REACHED
from remuda.jobs.within_limits import PATIENCE_SECONDS
from remuda.jobs.worker import run_limited
from remuda.prepare.claims import is_final
from remuda.prepare.pipeline import for_proofs, with_tracked, without_lifting
from remuda.results.report import Verdict
from remuda.store.fingerprints import Fingerprints, digest
from remuda.store.known_summaries import KnownSummaries, Loaded
from remuda.store.recipes import ANY_PROOF, ANY_SEARCH, Recipe, options_text
from remuda.store.summarise import proofs_of, summarise_proofs
from remuda.store.summary_store import Row, SummaryStore
from remuda.vc.interface import interfaces

if TYPE_CHECKING:
    from collections.abc import Callable

    from remuda.contracts.inference import Found
    from remuda.engines.bounds import Bounds
    from remuda.engines.outcome import Ground, NamedShape
    from remuda.ir.program import Check
    from remuda.options import Options
    from remuda.prepare.pipeline import Prepared
    from remuda.results.report import Statistics
    from remuda.store.summarise import SearchProof
    from remuda.terms.symbols import Variable
    from remuda.transforms.add_contracts import Contract
    from remuda.transforms.error_bit import ErrorBitResult

T = TypeVar("T")

KNOWN: Final = "known from an earlier run, unchanged since"
FINAL: Final = (Verdict.PROVED.value, Verdict.UNREACHABLE.value)
BOUNDED: Final = (Verdict.BOUNDED.value, Verdict.UNREACHABLE.value)
SAVE_SECONDS: Final = 2.0  # between one time that something is stored and the next
MOST_HINTS: Final = 3  # earlier proofs that are tried on a changed program, for each entry


@final
@dataclass(frozen=True, slots=True, eq=False)
class Hint:
    """How assertions were decided in an earlier version of the program: a start for a new search."""

    program: Prepared
    shape: NamedShape
    checks: tuple[Check, ...]
    seconds: float
    tracked: frozenset[Variable] | None = None  # the globals that the program tracks; None: all


@final
class Recall:
    """The results of earlier runs for a program, to which this run adds its own."""

    def __init__(self, store: SummaryStore, prepared: Prepared, options: Options, deadline: float | None) -> None:
        self._store = store
        self._deadline = deadline
        self._prepared = prepared
        self._options = options
        self._for_proofs = options_text(options, ANY_PROOF)
        names = {PurePath(each.span.source.name).name for each in prepared.base.procedures.values()}
        self._file = min(names, default="")
        self._loaded: dict[Recipe, Loaded] = {}
        self._programs: dict[Recipe, Prepared | None] = {}
        self._prints: dict[int, tuple[ErrorBitResult, Fingerprints]] = {}  # by the identity of the program
        self._recipes: dict[int, Recipe] = {}
        self._keys: dict[tuple[Recipe, str, tuple[str, ...], bool], str | None] = {}
        self._stored: set[tuple[str, str]] = set()
        self._forgotten: dict[tuple[str, str], list[Check]] = {}  # by entry and ground: invalid proofs
        self._grounds: dict[str, Mapping[str, Any]] = {}
        self._noted: list[Outcome] = []
        self._saved = clock.now()
        self._tracked_names: dict[str, set[str]] = {}
        self._unreachable: set[tuple[str, Check]] = set()  # earlier verdicts, by entry
        self._books: dict[Recipe, KnownSummaries] = {}
        self._in_force: dict[Recipe, list[Contract]] = {}  # contracts of this run, by the program without contracts
        self.made(prepared.instrumented, Recipe())

    # --- reading

    def proofs(self, entry: str, checks: Sequence[Check]) -> list[Outcome]:
        """The earlier verdicts without a bound that still hold from this entry."""
        slots = {check: self._slot(entry, check) for check in checks}
        rows = self._store.load("proof", slots.values())
        grounds = dict.fromkeys(row.key for found in rows.values() for row in found)
        self._grounds |= {key: found[0].body for key, found in self._store.load("ground", grounds).items() if found}
        found: list[Outcome] = []
        for check, slot in slots.items():
            for row in rows[slot]:
                if self._still_holds(entry, check, row):
                    verdict = Verdict(row.body["verdict"])
                    self._stored.add((slot, row.key))
                    is_reached = verdict is Verdict.PROVED
                    why = NO_REASON if is_reached else NOT_REACHED
                    found.append(Outcome(check, verdict, why.but(KNOWN)))
                    break
            else:
                if rows[slot] and rows[slot][0].body.get("verdict") == Verdict.UNREACHABLE.value:
                    self._unreachable.add((entry, check))
                if rows[slot] and rows[slot][0].key in self._grounds:
                    self._forgotten.setdefault((entry, rows[slot][0].key), []).append(check)
        return found

    def is_as_good(self, entry: str, outcome: Outcome) -> bool:
        """Whether a proof is as strong as the earlier one: `unreachable` is stronger than `proved`."""
        return is_final(outcome) and (
            outcome.verdict is Verdict.UNREACHABLE or (entry, outcome.check) not in self._unreachable
        )

    def hints(self, entry: str) -> list[Hint]:
        """The earlier proofs from this entry that are no longer valid; those of most assertions first."""
        found = [(self._grounds[key], checks) for (of, key), checks in self._forgotten.items() if of == entry]
        return self._alike(entry, found)

    def tracked(self, entry: str) -> frozenset[Variable]:
        """The globals that earlier searches from this entry had to track."""
        names = self._tracked_names.get(entry, set())
        return frozenset(each for each in self._prepared.searched.globals if each.name in names)

    def places(self, entry: str, checks: Sequence[Check]) -> list[Hint]:
        """The earlier violations of assertions from this entry."""
        slots = {check: self._slot(entry, check) for check in checks}
        rows = self._store.load("violation", slots.values())
        return self._alike(entry, [(rows[slot][0].body, [check]) for check, slot in slots.items() if rows[slot]])

    def _alike(self, entry: str, found: Iterable[tuple[Mapping[str, Any], Sequence[Check]]]) -> list[Hint]:
        """One hint for all assertions that were decided with the same program and shape; those of most first."""
        alike: dict[tuple[Recipe, NamedShape], Hint] = {}
        for body, checks in found:
            recipe, shape = _read(Recipe.of, body.get("recipe")), _read(_shape_of, body.get("shape"))
            program = None if recipe is None else self._program(recipe)
            if recipe is None or program is None or shape is None:
                continue
            self._tracked_names.setdefault(entry, set()).update(recipe.tracked or ())
            before = alike.get((recipe, shape))
            seconds = body.get("seconds")
            limit = float(seconds) if isinstance(seconds, int | float) else 0.0
            together = (*(() if before is None else before.checks), *checks)
            longest = max(limit, 0.0 if before is None else before.seconds)
            alike[recipe, shape] = Hint(program, shape, together, longest, self._tracked(recipe))
        return sorted(alike.values(), key=lambda hint: -len(hint.checks))[:MOST_HINTS]

    def bounded(self, checks: Sequence[Check], bounds: Bounds) -> list[Outcome]:
        """The earlier verdicts up to a bound, over all entries, for the same program and options."""
        slots = {check: digest("bounded", check.identifier) for check in checks}
        rows = self._store.load("bounded", slots.values())
        if not any(rows.values()):
            return []
        key = self._of_everything(bounds)
        found = []
        for check, slot in slots.items():
            for row in rows[slot]:
                bound = row.body.get("bound")
                is_bounded = row.body.get("verdict") in BOUNDED
                if row.key == key and isinstance(bound, int) and is_bounded:
                    self._stored.add((slot, key))
                    verdict = Verdict(row.body["verdict"])
                    is_reached = verdict is Verdict.BOUNDED
                    why = NO_REASON if is_reached else Reason(bounds.not_reached).but(bounds.advice)
                    found.append(Outcome(check, verdict, why.but(KNOWN), bound))
                    break
        return found

    def _still_holds(self, entry: str, check: Check, row: Row) -> bool:
        body = self._grounds.get(row.key)
        if body is None or row.body.get("verdict") not in FINAL:
            return False
        inlined = body.get("inlined")
        recipe = _read(Recipe.of, body.get("recipe"))
        program = None if recipe is None else self._program(recipe)
        if recipe is None or program is None or not isinstance(inlined, list) or body.get("entry") != entry:
            return False
        reach = body.get("reach") is True
        if reach != (row.body["verdict"] == Verdict.UNREACHABLE.value):
            return False
        names = tuple(map(str, inlined))
        if not set(names) <= program.instrumented.program.procedures.keys():
            return False
        case = (recipe, entry, names, reach)
        if case not in self._keys:
            prints = self._fingerprints(program.instrumented)
            self._keys[case] = prints.of_proof(entry, names, reach=reach)
        if self._keys[case] != row.key or entry not in names:
            return False
        return row.body.get("ways") == self._fingerprints(program.instrumented).ways_to(check, names)

    # --- writing

    def made(self, code: ErrorBitResult, recipe: Recipe) -> None:
        """Remember how a searched program was made. Only results for such programs are stored."""
        self._recipes[id(code)] = recipe
        self._fingerprints(code)

    def knows(self, code: ErrorBitResult) -> bool:
        """Whether proofs in this program are stored."""
        return id(code) in self._recipes

    def strengthened(self, before: ErrorBitResult, after: ErrorBitResult, found: Found) -> None:
        """Remember that `after` is the program `before` with assumed contracts."""
        recipe = self._recipes.get(id(before))
        if recipe is None or recipe.tracked is not None:
            return
        base = replace(recipe, contracts=())
        book = self._book(base)
        if book is None:
            return
        self._in_force.setdefault(base, []).extend(found.contracts)
        texts = [book.text(contract) for contract in found.telling]
        written = tuple(text for text in texts if text is not None)
        if len(written) == len(texts):
            self.made(after, replace(recipe, contracts=(*recipe.contracts, *written)))

    def made_tracking(self, code: ErrorBitResult, tracked: Iterable[Variable]) -> None:
        """Remember that `code` is the prepared program with only these globals tracked."""
        self.made(code, Recipe(tracked=tuple(sorted({variable.name for variable in tracked}))))

    def made_unlifted(self, code: ErrorBitResult) -> None:
        self.made(code, Recipe("unlifted"))

    def note(self, outcome: Outcome) -> None:
        """Store an outcome soon, in case the run does not finish."""
        self._noted.append(outcome)
        if clock.now() - self._saved > SAVE_SECONDS:
            self.keep(self._noted)
            self._noted, self._saved = [], clock.now()

    def keep(self, outcomes: Iterable[Outcome]) -> None:
        """Store proofs, and the places where violations were found."""
        rows: list[Row] = []
        for outcome in outcomes:
            ground = outcome.ground
            recipe = None if ground is None else self._recipes.get(id(ground.code))
            if ground is None or recipe is None:
                continue
            if is_final(outcome):
                rows += self._rows(outcome, ground, recipe)
            elif outcome.verdict is Verdict.VIOLATED:
                slot = self._slot(ground.entry, outcome.check)
                if ("violation", slot) not in self._stored:
                    self._stored.add(("violation", slot))
                    rows.append(Row("violation", slot, "", _body(ground, recipe)))
        self._store.save(rows)

    def keep_bounded(self, outcomes: Iterable[Outcome], bounds: Bounds) -> None:
        """Store verdicts over all entries that hold up to the bound of a finished search."""
        rows = []
        for outcome in outcomes:
            slot = digest("bounded", outcome.check.identifier)
            key = self._of_everything(bounds)
            if (slot, key) not in self._stored:
                self._stored.add((slot, key))
                rows.append(Row("bounded", slot, key, {"verdict": outcome.verdict.value, "bound": outcome.bound}))
        self._store.save(rows)

    def keep_summaries(self, outcomes: Sequence[Outcome], seconds: float) -> int:
        """Make summaries from the proofs of this run, and store them with all other contracts. Returns the number of
        new ones."""
        deadline = clock.now() + seconds
        count = 0
        by_code: dict[int, list[Outcome]] = {}
        for outcome in outcomes:
            if outcome.ground is not None:
                by_code.setdefault(id(outcome.ground.code), []).append(outcome)
        for key, those in by_code.items():
            recipe = self._recipes.get(key)
            ground = those[0].ground
            if recipe is None or recipe.tracked is not None or ground is None:
                continue
            base = replace(recipe, contracts=())
            program, book = self._program(base), self._book(base)
            if program is not None and book is not None and clock.now() < deadline:
                made = replace(program, instrumented=ground.code)
                contracts = self._summaries_of(made, book, proofs_of(those), deadline)
                count += len(contracts)
                self._in_force.setdefault(base, []).extend(contracts)
        for base, contracts in self._in_force.items():
            book = self._book(base)
            if book is not None:
                book.keep(contracts)
        return count

    def _summaries_of(
        self, program: Prepared, book: KnownSummaries, proofs: Sequence[SearchProof], deadline: float
    ) -> list[Contract]:
        """The summaries that can be written. Spacer runs in its own process, because it may exceed its time limit."""

        def work(_: object) -> list[str]:
            found = summarise_proofs(program, self._options, proofs, deadline)
            return [text for contract in found.contracts if (text := book.text(contract)) is not None]

        seconds = max(0.0, deadline - clock.now()) + PATIENCE_SECONDS
        try:
            texts = run_limited(work, (), seconds=seconds).result or []
        except RemudaError:  # there is no summary if the solver cannot express the formula
            return []
        return [contract for text in texts if (contract := book.read(text)) is not None]

    def close(self) -> None:
        self._store.close()

    def _rows(self, outcome: Outcome, ground: Ground, recipe: Recipe) -> list[Row]:
        prints = self._fingerprints(ground.code)
        case = (recipe, ground.entry, ground.inlined, ground.reach)
        key = self._keys.get(case)
        if key is None:
            key = self._keys[case] = prints.of_proof(ground.entry, ground.inlined, reach=ground.reach)
        slot = self._slot(ground.entry, outcome.check)
        if (slot, key) in self._stored:
            return []
        self._stored.add((slot, key))
        ways = prints.ways_to(outcome.check, ground.inlined)
        rows = [Row("proof", slot, key, {"verdict": outcome.verdict.value, "ways": ways})]
        if ("ground", key) not in self._stored:
            self._stored.add(("ground", key))
            rows.append(Row("ground", key, "", _body(ground, recipe)))
        return rows

    # --- programs and keys

    def _slot(self, entry: str, check: Check) -> str:
        return digest("proof", entry, check.identifier, self._for_proofs)

    def _program(self, recipe: Recipe) -> Prepared | None:
        if recipe not in self._programs:
            made = self._make(recipe)
            self._programs[recipe] = made
            if made is not None:
                self.made(made.instrumented, recipe)
        return self._programs[recipe]

    def for_proofs(self) -> Prepared:
        """The program that is prepared for proofs."""
        program = self._program(Recipe("proofs"))
        assert program is not None
        return program

    def with_summaries(self, prepared: Prepared, statistics: Statistics) -> Prepared:
        """A program that assumes the contracts of earlier runs that still hold."""
        recipe = self._recipes.get(id(prepared.instrumented))
        book = None if recipe is None or recipe.contracts or recipe.tracked is not None else self._book(recipe)
        if recipe is None or book is None:
            return prepared
        is_first = recipe not in self._loaded
        loaded = self._loaded[recipe] = book.load(self._deadline)
        if not loaded.contracts:
            return prepared
        contracts = list(loaded.contracts.values())
        if is_first:
            statistics.summaries_loaded += len(contracts)
            statistics.summaries_rechecked += loaded.checked
            self._in_force.setdefault(recipe, [])[:0] = contracts
        made = self._program(replace(recipe, contracts=tuple(loaded.contracts)))
        return made or prepared

    def _book(self, base: Recipe) -> KnownSummaries | None:
        if base not in self._books:
            program = self._program(base)
            if program is None:
                return None
            variant = digest(
                base.base, self._prepared.base.entries[0] if self._prepared.base.entries else "", self._for_proofs
            )
            prints = self._fingerprints(program.instrumented)
            self._books[base] = KnownSummaries(self._store, f"{self._file} {variant}", program, prints, self._options)
        return self._books[base]

    def _make(self, recipe: Recipe) -> Prepared | None:
        if recipe.contracts:
            return self._make_strengthened(recipe)
        prepared: Prepared | None = self._prepared
        if recipe.base == "unlifted":
            prepared = without_lifting(self._prepared, self._options)
        elif recipe.base == "proofs":
            prepared = for_proofs(self._prepared, self._options)
        elif recipe.base != "plain":
            return None
        if prepared is None or recipe.tracked is None:
            return prepared
        return with_tracked(prepared, self._tracked(recipe) or frozenset())

    def _tracked(self, recipe: Recipe) -> frozenset[Variable] | None:
        if recipe.tracked is None:
            return None
        names = set(recipe.tracked)
        return frozenset(each for each in self._prepared.searched.globals if each.name in names)

    def _make_strengthened(self, recipe: Recipe) -> Prepared | None:
        """The program of a recipe with contracts; None if not all of the contracts are known to hold."""
        base = replace(recipe, contracts=())
        program, book = self._program(base), self._book(base)
        if recipe.tracked is not None or program is None or book is None:
            return None
        loaded = book.load(self._deadline).contracts
        if any(text not in loaded for text in recipe.contracts):
            return None
        return with_contracts(program, [loaded[text] for text in recipe.contracts])

    def _fingerprints(self, code: ErrorBitResult) -> Fingerprints:
        known = self._prints.get(id(code))
        if known is None:
            faces = interfaces(code.program, summaries=self._options.summaries)
            known = self._prints[id(code)] = (code, Fingerprints(code, faces))
        return known[1]

    def _of_everything(self, bounds: Bounds) -> str:
        prints = self._fingerprints(self._prepared.instrumented)
        said = (bounds.limit, sorted(bounds.own.items()), sorted(bounds.extra.items()), bounds.stack_depth)
        program = prints.of_everything(self._prepared.base.entries)
        return digest(
            program, repr(said), repr(sorted(bounds.chains.items())), options_text(self._options, ANY_SEARCH)
        )


def _body(ground: Ground, recipe: Recipe) -> dict[str, Any]:
    return {
        "entry": ground.entry,
        "inlined": ground.inlined,
        "reach": ground.reach,
        "recipe": asdict(recipe),
        "shape": ground.shape,
        "seconds": round(ground.seconds, 3),
    }


def _read(reader: Callable[[Any], T], body: Any) -> T | None:  # noqa: ANN401 - whatever is in the file
    """The content of a row, or None if it does not have the form of this version."""
    try:
        return reader(body)
    except (KeyError, TypeError, ValueError):
        return None


def _shape_of(body: Any) -> NamedShape:  # noqa: ANN401
    return tuple((int(number), str(callee), int(count), int(child)) for number, callee, count, child in body)
