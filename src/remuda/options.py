"""The one table of options: command line, configuration file, documentation and API all read it.

Each field's metadata holds its help text and, where the choice is closed, its choices.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Final, final


def option(
    default: Any,  # noqa: ANN401 - fields have all kinds of types
    text: str,
    *,
    choices: tuple[str, ...] = (),
    metavar: str = "",
    short: str = "",
    zero: bool = False,
) -> Any:  # noqa: ANN401
    """A field with its help text; `short` is a second, one-letter name of its flag, and `zero` allows 0 seconds."""
    metadata = {"help": text, "choices": choices, "metavar": metavar, "short": short, "zero": zero}
    return field(default=default, metadata=metadata)


ENGINES: Final = ("auto", "dag", "stratified", "alternating", "static", "horn", "isolation")
MERGES: Final = ("first", "random", "random-pick", "max-descendants", "optimal", "none")
INLINES: Final = ("lazy", "all")
DISJOINTS: Final = ("control", "data")
SEARCHES: Final = ("auto", "over", "under", "mixed")
SCHEDULINGS: Final = ("auto", "cooperative", "preemptive")
SOLVERS: Final = ("auto", "z3", "cvc5", "bitwuzla")
PROPERTIES: Final = ("assertions", "unreach-call", "reach-end", "no-overflow", "valid-memsafety")
FAILURES: Final = frozenset({"assertions", "unreach-call"})  # the properties that are about failing assertions
SUMMARIES: Final = ("modset", "none")
REFINEMENTS: Final = ("storm", "hierarchical", "vc", "core")
JOINS: Final = ("auto", "equations", "ite", "mixed", "copies")
BACKENDS: Final = ("remuda", "cbmc", "boogie")
IMPLICATIONS: Final = ("auto", "forward", "backward", "off")
ON_FAILURE: Final = ("stop", "continue")
LANGUAGES: Final = ("auto", "boogie", "c")
ARCHITECTURES: Final = ("lp64", "ilp32")
INTEGERS: Final = ("bits", "math")
MEMORY_MODELS: Final = ("regions", "flat")
VOLATILES: Final = ("inputs", "outside", "memory")
CONFIRMATIONS: Final = ("compiled",)
CHECKS: Final = ("bounds", "pointer", "div", "overflow", "shift", "conversion", "uninitialized", "leak")
CHECK_SETS: Final = {
    "memory": ("bounds", "pointer", "leak"),
    "ub": ("bounds", "pointer", "div", "overflow", "shift", "uninitialized"),
    "all": CHECKS,
}


PROPERTY_CHECKS: Final = {"no-overflow": ("overflow",), "valid-memsafety": ("bounds", "pointer", "leak")}


@final
@dataclass(frozen=True, kw_only=True, slots=True)
class Options:
    """How to verify. Frozen: a run never changes its options."""

    engine: str = option(
        "auto",
        "search strategy (auto: dag, for programs of bit-vectors only stratified; horn: the same, with contracts that"
        " solve the program's Horn clauses; isolation: no search, only loops and procedures alone)",
        choices=ENGINES,
    )
    merge: str = option(
        "first", "which instance a call shares in the dag engine, of those that it may share", choices=MERGES
    )
    disjoint: str = option(
        "control",
        "what keeps calls apart so that they may share instances: control flow, or also what is assumed on the way",
        choices=DISJOINTS,
    )
    seed: int = option(1, "seed of the random merging strategies, and of the inputs of `synthesize`", metavar="N")
    inline: str = option("lazy", "inline calls as the search needs them, or all up to the bound", choices=INLINES)
    search: str = option(
        "auto",
        "how calls to inline are found: on abstract paths, in cores of refutations, or both (auto: over, with --lift"
        " mixed)",
        choices=SEARCHES,
    )
    alternate: float = option(
        10.0,
        "after so long a search takes turns with a second one that has other solver settings",
        metavar="SECONDS",
    )
    solver: str = option(
        "auto",
        "SMT solver (auto: z3, or for programs of bit-vectors only bitwuzla, and z3 in turns)",
        choices=SOLVERS,
    )
    bound: int = option(
        8, "how often a procedure may be on the call stack, and a loop begin an iteration; raised from 1", metavar="N"
    )
    bound_for: tuple[tuple[str, int], ...] = option(
        (),
        "bound for one procedure or loop (NAME as `remuda show loops` prints it, or PROCEDURE:LINE)",
        metavar="NAME=N",
    )
    stack_depth: int | None = option(None, "limit on the depth of the call stack, loops included", metavar="N")
    rounds: int = option(3, "rounds of context switches that are searched if the program starts threads", metavar="N")
    delays: int | None = option(
        None,
        "search the schedules in which threads are delayed so often, all taken together, instead of --rounds",
        metavar="N",
    )
    scheduling: str = option(
        "auto",
        "where threads take turns: at `yield` only, anywhere, or (auto) at `yield` if the program has one",
        choices=SCHEDULINGS,
    )
    entry: tuple[str, ...] = option(
        (), "procedure to start in (default: {:entrypoint}, else main, else all; `*` is all)", metavar="NAME"
    )
    property: str = option(
        "assertions",
        "what must not happen: a failing assertion (unreach-call: the same, and a program without assertions is proved),"
        " reaching the entry's end, or (C) an overflow or a wrong use of memory",
        choices=PROPERTIES,
    )
    assertion: tuple[str, ...] = option((), "check only this assertion (an identifier from the report)", metavar="ID")
    implications: str = option(
        "auto",
        "check fewer assertions, by what they imply: what the code and the assertions before one are enough for (auto,"
        " where there are many), pairs of assertions with the strongest first, or with the weakest first",
        choices=IMPLICATIONS,
    )
    at_a_time: int | None = option(
        None,
        "search for so many assertions at a time, each time anew (default: for all in one search, of more than 200 for 64)",
        metavar="N",
    )
    on_failure: str = option(
        "stop",
        "whether an execution ends at the first assertion that it fails, or goes on, so that each is judged as if it"
        " were the only one",
        choices=ON_FAILURE,
    )
    stop_at_first: bool = option(False, "stop at the first violated assertion")
    summaries: str = option("modset", "what a call not yet inlined may do", choices=SUMMARIES)
    joins: str = option(
        "auto", "how values meet where paths join in the formula (auto: what suits the solver)", choices=JOINS
    )
    abstract: bool | None = option(
        None,
        "search with few globals tracked, and track more where a path fails only for that (default: in turns, for large"
        " programs with memory)",
    )
    state: str = option(
        "",
        "keep in FILE which globals had to be tracked, for the next run on the same program or an edited one",
        metavar="FILE",
    )
    summaries_dir: str = option(
        "",
        "keep in folder DIR what is found out about procedures and assertions, and use what is known there from earlier"
        " runs, as far as it still holds",
        metavar="DIR",
    )
    refine: str = option("core", "how globals to track are found where a path cannot be run", choices=REFINEMENTS)
    houdini: bool | None = option(
        None,
        "find contracts of procedures and invariants of loops that hold, and believe them in the search (default: only"
        " after it, to prove what is bounded)",
    )
    candidates: str = option(
        "",
        "look among the contracts and invariants in FILE, too, for those that hold: lines as --print-invariants writes"
        " them (turns --houdini on)",
        metavar="FILE",
    )
    isolate: bool | None = option(
        None,
        "prove assertions in the smallest loop or procedure that is enough, before the search (default: only after it,"
        " for a moment, to prove what is bounded, unless --no-houdini)",
    )
    backend: str = option(
        "remuda",
        "who looks at isolated loops and procedures (cbmc, for C, and boogie must be installed; turns --isolate on)",
        choices=BACKENDS,
    )
    jobs: int | None = option(
        None,
        "number of worker processes; with 1, strategies take turns (default: the number of processors)",
    )
    ignore_free_ensures: bool = option(
        False, "believe no `free ensures` of procedures with a body: another tool may have put them there"
    )
    modular: bool = option(
        False, "check every procedure alone, against the contracts and invariants that the program states"
    )
    print_invariants: bool = option(False, "print the contracts and invariants that were found to hold")
    lift: bool = option(False, "lift all assertions into the entry procedure before the search (deep-assert)")
    unroll: bool = option(True, "unroll loops with a constant trip count without charging the bound")
    reachability: bool = option(True, "tell assertions that nothing reaches from those that hold")
    timeout: float | None = option(None, "wall-clock limit for the whole run", metavar="SECONDS")
    memory: int | None = option(None, "memory limit for the whole run", metavar="MB")
    language: str = option("auto", "language of the input (auto: what its name says)", choices=LANGUAGES)
    arch: str = option("lp64", "C: sizes of the target machine's types", choices=ARCHITECTURES)
    include_dir: tuple[str, ...] = option((), "C: folder to look for included files in", metavar="DIR", short="-I")
    define: tuple[str, ...] = option((), "C: macro to define", metavar="NAME[=VALUE]", short="-D")
    include: tuple[str, ...] = option((), "C: file to include before all others", metavar="FILE")
    compile_commands: str = option(
        "", "C: compilation database that says how each file is compiled, besides these flags", metavar="FILE"
    )
    std: str = option("gnu11", "C: version of the language", metavar="NAME")
    integers: str = option(
        "bits", "C: integers as the machine has them, or mathematical ones, which never wrap", choices=INTEGERS
    )
    memory_model: str = option(
        "regions",
        "C: memory as regions that no pointer can confuse, or as one array of bytes (flat: slow, but simple enough to"
        " judge disputes)",
        choices=MEMORY_MODELS,
    )
    volatile: str = option(
        "outside",
        "C: reading a `volatile` object gives any value always, if something outside the program may change it, or never",
        choices=VOLATILES,
    )
    check: tuple[str, ...] = option(
        (),
        f"C: check also, separated by commas, {', '.join(CHECKS)}; or a set of them: {', '.join(CHECK_SETS)}",
        metavar="KINDS",
    )
    error_label: tuple[str, ...] = option((), "C: reaching this label is an error", metavar="NAME")
    test_case: str = option(
        "",
        "C: folder to write a program into for each violated assertion, which fails it when built and run",
        metavar="DIR",
    )
    confirm: tuple[str, ...] = option(
        (),
        "C: confirm violations also by building the failing execution with the C compiler's sanitizers and running it"
        " (runs the program on this machine)",
        choices=CONFIRMATIONS,
    )
    challenge: float | None = option(
        None,
        "C: seconds to run the program on random inputs, to challenge what is proved or bounded (default: a tenth of"
        " the time that the verdict took; 0: not at all)",
        metavar="SECONDS",
        zero=True,
    )
    check_ir: bool = option(False, "check the program's well-formedness after every transform")
