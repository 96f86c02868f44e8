"""Verdicts of earlier runs, where nothing that they rest on has changed.

A proof rests on the bodies of the procedures that were inlined when the formula was refuted with nothing blocked, and on
what is known of the calls in them: nothing else of the program is in the formula. So it is stored under the key of that
(`session.fingerprints`), with how the program of the proof is made from the one that is verified (`Recipe`), and counts for
every program with the same key. What was searched up to a bound counts for the same program and options only.

Where something has changed, it is known still which calls were inlined and which globals were tracked when the proof was
found. To begin there costs one question instead of a whole search: whether the proof still goes through.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, fields
from typing import TYPE_CHECKING, Any, Final, TypeVar, final

from remuda.engines.outcome import Outcome
from remuda.engines.stratified import NOT_REACHED
from remuda.results.report import Verdict
from remuda.session.fingerprints import Fingerprints, digest
from remuda.session.outcomes import is_final
from remuda.session.pipeline import with_tracked, without_lifting
from remuda.session.summary_store import Row, SummaryStore
from remuda.vc.interface import interfaces

if TYPE_CHECKING:
    from collections.abc import Callable

    from remuda.engines.bounds import Bounds
    from remuda.engines.outcome import Ground, NamedShape
    from remuda.ir.program import Check
    from remuda.options import Options
    from remuda.session.pipeline import Prepared
    from remuda.terms.symbols import Variable
    from remuda.transforms.error_bit import ErrorBitResult

T = TypeVar("T")

KNOWN: Final = "known from an earlier run, unchanged since"
MOST_HINTS: Final = 3  # earlier proofs that are tried on a changed program, for each entry

# Options that say nothing about what a proof proves.
ANY_PROOF: Final = frozenset(
    {
        *("engine", "merge", "disjoint", "seed", "inline", "search", "alternate", "solver", "bound", "bound_for"),
        *("assertion", "stop_at_first", "joins", "abstract", "refine", "houdini", "candidates", "isolate", "backend"),
        *(
            "state",
            "jobs",
            "print_invariants",
            "timeout",
            "memory",
            "test_case",
            "check_ir",
            "summaries_dir",
            "entry",
        ),
    }
)
# Options that say nothing about how far a search went that was not cut short.
ANY_SEARCH: Final = frozenset(
    {"assertion", "state", "jobs", "print_invariants", "timeout", "memory", "test_case", "check_ir", "summaries_dir"}
)


@final
@dataclass(frozen=True, slots=True)
class Recipe:
    """How the program that a proof was found in comes about."""

    base: str = "plain"  # the prepared program; or "unlifted": the one without its assertions lifted
    tracked: tuple[str, ...] | None = None  # the globals whose values it knows; None: all

    @staticmethod
    def of(body: Mapping[str, Any]) -> Recipe:
        tracked = body["tracked"]
        return Recipe(str(body["base"]), None if tracked is None else tuple(map(str, tracked)))


@final
@dataclass(frozen=True, slots=True, eq=False)
class Hint:
    """How assertions were proved of a program that has changed since."""

    program: Prepared
    shape: NamedShape
    checks: tuple[Check, ...]
    seconds: float


@final
class Recall:
    """What is known of a program from earlier runs, and what this one adds to it."""

    def __init__(self, store: SummaryStore, prepared: Prepared, options: Options) -> None:
        self._store = store
        self._prepared = prepared
        self._options = options
        self._for_proofs = _options_text(options, ANY_PROOF)
        self._programs: dict[Recipe, Prepared | None] = {}
        self._prints: dict[int, tuple[ErrorBitResult, Fingerprints]] = {}  # by the identity of what is kept with them
        self._recipes: dict[int, Recipe] = {}
        self._keys: dict[tuple[Recipe, str, tuple[str, ...], bool], str | None] = {}
        self._stored: set[tuple[str, str]] = set()
        self._forgotten: dict[tuple[str, str], list[Check]] = {}  # by entry and ground: proofs that do not count
        self._grounds: dict[str, Mapping[str, Any]] = {}
        self.made(prepared.instrumented, Recipe())

    # --- reading

    def proofs(self, entry: str, checks: Sequence[Check]) -> list[Outcome]:
        """Verdicts without a bound that hold from this entry as they did."""
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
                    found.append(Outcome(check, verdict, KNOWN if is_reached else f"{NOT_REACHED}; {KNOWN}"))
                    break
            else:
                if rows[slot] and rows[slot][0].key in self._grounds:
                    self._forgotten.setdefault((entry, rows[slot][0].key), []).append(check)
        return found

    def hints(self, entry: str) -> list[Hint]:
        """How assertions that `proofs` knows nothing of any more were proved from this entry, those of many first."""
        alike: dict[tuple[Recipe, NamedShape], Hint] = {}
        for key, checks in ((key, checks) for (of, key), checks in self._forgotten.items() if of == entry):
            body = self._grounds[key]
            recipe, shape = _read(Recipe.of, body.get("recipe")), _read(_shape_of, body.get("shape"))
            program = None if recipe is None else self._program(recipe)
            if recipe is None or program is None or shape is None:
                continue
            before = alike.get((recipe, shape))
            seconds = body.get("seconds")
            limit = float(seconds) if isinstance(seconds, int | float) else 0.0
            together = (*(() if before is None else before.checks), *checks)
            alike[recipe, shape] = Hint(
                program, shape, together, max(limit, 0.0 if before is None else before.seconds)
            )
        return sorted(alike.values(), key=lambda hint: -len(hint.checks))[:MOST_HINTS]

    def bounded(self, checks: Sequence[Check], bounds: Bounds) -> list[Outcome]:
        """Verdicts up to a bound, over all entries, of a program and options that are the same."""
        slots = {check: digest("bounded", check.identifier) for check in checks}
        rows = self._store.load("bounded", slots.values())
        if not any(rows.values()):
            return []
        key = self._of_everything(bounds)
        found = []
        for check, slot in slots.items():
            for row in rows[slot]:
                bound = row.body.get("bound")
                is_bounded = row.body.get("verdict") in {Verdict.BOUNDED.value, Verdict.UNREACHABLE.value}
                if row.key == key and isinstance(bound, int) and is_bounded:
                    self._stored.add((slot, key))
                    verdict = Verdict(row.body["verdict"])
                    reason = KNOWN if verdict is Verdict.BOUNDED else f"{NOT_REACHED}; {KNOWN}"
                    found.append(Outcome(check, verdict, reason, bound))
                    break
        return found

    def _still_holds(self, entry: str, check: Check, row: Row) -> bool:
        body = self._grounds.get(row.key)
        if body is None or row.body.get("verdict") not in {Verdict.PROVED.value, Verdict.UNREACHABLE.value}:
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
        """Remember how a program that is searched came about. Of others nothing is stored."""
        self._recipes[id(code)] = recipe
        self._fingerprints(code)

    def made_tracking(self, code: ErrorBitResult, tracked: Iterable[Variable]) -> None:
        """The prepared program without what other globals hold."""
        self.made(code, Recipe(tracked=tuple(sorted({variable.name for variable in tracked}))))

    def made_unlifted(self, code: ErrorBitResult) -> None:
        self.made(code, Recipe("unlifted"))

    def keep(self, outcomes: Iterable[Outcome]) -> None:
        """Store those that are proofs."""
        rows: list[Row] = []
        for outcome in outcomes:
            ground = outcome.ground
            if ground is None or not is_final(outcome):
                continue
            recipe = self._recipes.get(id(ground.code))
            if recipe is not None:
                rows += self._rows(outcome, ground, recipe)
        self._store.save(rows)

    def keep_bounded(self, outcomes: Iterable[Outcome], bounds: Bounds) -> None:
        """Store verdicts over all entries that hold up to the bound of a search that came to its end."""
        rows = []
        for outcome in outcomes:
            slot = digest("bounded", outcome.check.identifier)
            key = self._of_everything(bounds)
            if (slot, key) not in self._stored:
                self._stored.add((slot, key))
                rows.append(Row("bounded", slot, key, {"verdict": outcome.verdict.value, "bound": outcome.bound}))
        self._store.save(rows)

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
            body = {
                "entry": ground.entry,
                "inlined": ground.inlined,
                "reach": ground.reach,
                "recipe": asdict(recipe),
                "shape": ground.shape,
                "seconds": round(ground.seconds, 3),
            }
            rows.append(Row("ground", key, "", body))
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

    def _make(self, recipe: Recipe) -> Prepared | None:
        prepared: Prepared | None = self._prepared
        if recipe.base == "unlifted":
            prepared = without_lifting(self._prepared, self._options)
        elif recipe.base != "plain":
            return None
        if prepared is None or recipe.tracked is None:
            return prepared
        names = set(recipe.tracked)
        return with_tracked(prepared, frozenset(each for each in prepared.searched.globals if each.name in names))

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
            program, repr(said), repr(sorted(bounds.chains.items())), _options_text(self._options, ANY_SEARCH)
        )


def _options_text(options: Options, without: frozenset[str]) -> str:
    return repr([(each.name, getattr(options, each.name)) for each in fields(options) if each.name not in without])


def _read(reader: Callable[[Any], T], body: Any) -> T | None:  # noqa: ANN401 - whatever is in the file
    """What a row says, if it says it in the way of this version."""
    try:
        return reader(body)
    except (KeyError, TypeError, ValueError):
        return None


def _shape_of(body: Any) -> NamedShape:  # noqa: ANN401
    return tuple((int(number), str(callee), int(count), int(child)) for number, callee, count, child in body)
