"""The one table of options: command line, configuration file, documentation and API all read it.

A field's metadata holds its topic, its help text and, where the choice is closed, its choices. Commands name the
topics that they obey (`cli/flags.py`), so the topic decides which commands take an option.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum
from typing import Any, Final, final


@final
class Topic(Enum):
    """The topics of options: the headings of `--help` and of docs/options.md, in their order."""

    CHECKED = "What is checked"
    SELECTION = "Which assertions"
    BOUNDS = "Bounds"
    LIMITS = "Limits"
    INPUT = "Input"
    MEANING = "Meaning of the program"
    CONFIRMATION = "Confirmation by execution"
    THREADS = "Threads"
    PROOFS = "Proofs without a search"
    SEARCH = "Search"
    SHARING = "Shared instances"
    SOLVER = "Solver"
    REUSE = "Reuse of earlier runs"
    DEBUGGING = "Debugging"


def option(
    default: Any,  # noqa: ANN401 - fields have all kinds of types
    topic: Topic,
    text: str,
    *,
    choices: tuple[str, ...] = (),
    metavar: str = "",
    short: str = "",
    zero: bool = False,
    unset: str = "",
) -> Any:  # noqa: ANN401
    """A field with its topic and its help text: what the option does, as a clause without its default.

    `short` is a second, one-letter name of its flag, and `zero` allows 0 seconds. `unset` describes the behaviour of
    a default that is not a value, such as `None`.
    """
    metadata = {
        "topic": topic,
        "help": text,
        "choices": choices,
        "metavar": metavar,
        "short": short,
        "zero": zero,
        "unset": unset,
    }
    return field(default=default, metadata=metadata)


ENGINES: Final = ("auto", "dag", "stratified", "alternating", "static", "horn", "isolation")
MERGES: Final = ("first", "random", "random-pick", "max-descendants", "optimal", "none")
INLINES: Final = ("lazy", "all")
DISJOINTS: Final = ("control", "data")
SEARCHES: Final = ("auto", "over", "under", "mixed")
SCHEDULINGS: Final = ("auto", "cooperative", "preemptive")
SOLVERS: Final = ("auto", "z3", "cvc5", "bitwuzla")
PROPERTIES: Final = ("assertions", "unreach-call", "reach-end", "no-overflow", "valid-memsafety")
FAILURES: Final = frozenset({"assertions", "unreach-call"})  # the properties that say that no assertion fails
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
    """The options of a run. They are frozen: a run never changes its options."""

    entry: tuple[str, ...] = option(
        (),
        Topic.CHECKED,
        "start executions in this procedure; `*` stands for every procedure with a body",
        metavar="NAME",
        unset="those marked `{:entrypoint}`, else main, else all; in C main",
    )
    property: str = option(
        "assertions",
        Topic.CHECKED,
        "property to check: no assertion fails (`assertions`; `unreach-call` also calls a program without assertions"
        " proved), no execution reaches the end of the entry procedure (`reach-end`), or, in C, no overflow"
        " (`no-overflow`) and no invalid memory access (`valid-memsafety`) occurs",
        choices=PROPERTIES,
    )
    check: tuple[str, ...] = option(
        (),
        Topic.CHECKED,
        f"C: generate assertions for these kinds of errors too, separated by commas: {', '.join(CHECKS)}; or for a set"
        f" of kinds: {', '.join(CHECK_SETS)}",
        metavar="KINDS",
    )
    error_label: tuple[str, ...] = option(
        (), Topic.CHECKED, "C: treat reaching this label as a failing assertion", metavar="NAME"
    )
    on_failure: str = option(
        "stop",
        Topic.CHECKED,
        "end an execution at the first assertion that it fails (`stop`), or let it go on, so that each assertion is"
        " judged as if it were the only one (`continue`)",
        choices=ON_FAILURE,
    )
    assertion: tuple[str, ...] = option(
        (),
        Topic.SELECTION,
        "check only the assertion with this identifier, as reports print it",
        metavar="ID",
        unset="all assertions",
    )
    stop_at_first: bool = option(False, Topic.SELECTION, "end the run as soon as one assertion is violated")
    reachability: bool = option(True, Topic.SELECTION, "distinguish unreachable from proved assertions")
    bound: int = option(
        8,
        Topic.BOUNDS,
        "limit on how often a procedure may be on the call stack, and on how many iterations a loop may begin; the"
        " search raises it from 1",
        metavar="N",
    )
    bound_for: tuple[tuple[str, int], ...] = option(
        (),
        Topic.BOUNDS,
        "bound for one procedure or loop; NAME is a procedure, a loop as `remuda show loops` prints it, or"
        " PROCEDURE:LINE",
        metavar="NAME=N",
        unset="--bound",
    )
    stack_depth: int | None = option(
        None,
        Topic.BOUNDS,
        "limit on the depth of the call stack; every iteration of a loop counts as a call",
        metavar="N",
        unset="no limit",
    )
    timeout: float | None = option(
        None, Topic.LIMITS, "wall-clock limit for the whole run", metavar="SECONDS", unset="no limit"
    )
    memory: int | None = option(None, Topic.LIMITS, "memory limit for the whole run", metavar="MB", unset="no limit")
    jobs: int | None = option(
        None,
        Topic.LIMITS,
        "number of worker processes; with 1, strategies take turns",
        metavar="N",
        unset="the number of processors",
    )
    language: str = option(
        "auto", Topic.INPUT, "language of the input; `auto` decides by the file name", choices=LANGUAGES
    )
    arch: str = option(
        "lp64",
        Topic.INPUT,
        "C: sizes of types on the target machine: 64-bit (`lp64`) or 32-bit (`ilp32`)",
        choices=ARCHITECTURES,
    )
    include_dir: tuple[str, ...] = option(
        (), Topic.INPUT, "C: search this folder for included files", metavar="DIR", short="-I"
    )
    define: tuple[str, ...] = option((), Topic.INPUT, "C: define this macro", metavar="NAME[=VALUE]", short="-D")
    include: tuple[str, ...] = option((), Topic.INPUT, "C: include this file before all others", metavar="FILE")
    std: str = option("gnu11", Topic.INPUT, "C: version of the language standard", metavar="NAME")
    compile_commands: str = option(
        "",
        Topic.INPUT,
        "C: take the compiler flags of each file from this compilation database, in addition to the flags given here",
        metavar="FILE",
    )
    integers: str = option(
        "bits",
        Topic.MEANING,
        "C: machine integers (`bits`), or mathematical integers, which never wrap (`math`)",
        choices=INTEGERS,
    )
    memory_model: str = option(
        "regions",
        Topic.MEANING,
        "C: memory as regions that no pointer can confuse (`regions`), or as one array of bytes (`flat`), which is slow"
        " but simple enough to settle disputes",
        choices=MEMORY_MODELS,
    )
    volatile: str = option(
        "outside",
        Topic.MEANING,
        "C: `volatile` objects that yield an arbitrary value at every read: all of them (`inputs`), those that"
        " something outside the program may change (`outside`), or none (`memory`)",
        choices=VOLATILES,
    )
    ignore_free_ensures: bool = option(
        False,
        Topic.MEANING,
        "Boogie: do not assume `free ensures` of procedures with a body; another tool may have added them",
    )
    test_case: str = option(
        "",
        Topic.CONFIRMATION,
        "C: write a program for each violated assertion into this folder; the program fails the assertion when it is"
        " built and run",
        metavar="DIR",
    )
    confirm: tuple[str, ...] = option(
        (),
        Topic.CONFIRMATION,
        "C: confirm violations also by building the failing execution with the sanitizers of the C compiler and running"
        " it on this machine",
        choices=CONFIRMATIONS,
    )
    challenge: float | None = option(
        None,
        Topic.CONFIRMATION,
        "C: seconds of execution on random inputs, which may refute what is proved or bounded; 0 turns it off",
        metavar="SECONDS",
        zero=True,
        unset="a tenth of the time that the verdict took",
    )
    rounds: int = option(
        3,
        Topic.THREADS,
        "number of rounds of context switches that the search covers, if the program starts threads",
        metavar="N",
    )
    delays: int | None = option(
        None,
        Topic.THREADS,
        "cover the schedules that delay threads at most N times in total, instead of --rounds",
        metavar="N",
        unset="--rounds decides",
    )
    scheduling: str = option(
        "auto",
        Topic.THREADS,
        "switch between threads at `yield` only (`cooperative`) or anywhere (`preemptive`); `auto` is `cooperative` if"
        " the program contains a `yield`",
        choices=SCHEDULINGS,
    )
    modular: bool = option(
        False,
        Topic.PROOFS,
        "check each procedure separately, against the contracts and invariants that the program states",
    )
    houdini: bool | None = option(
        None,
        Topic.PROOFS,
        "infer contracts of procedures and invariants of loops before the search, and assume in it those that hold",
        unset="after the search only, to prove bounded assertions",
    )
    candidates: str = option(
        "",
        Topic.PROOFS,
        "infer also which of the contracts and invariants in FILE hold; its lines are as --print-invariants writes them"
        " (in `verify`, turns on --houdini)",
        metavar="FILE",
    )
    print_invariants: bool = option(False, Topic.PROOFS, "print the inferred contracts and invariants")
    isolate: bool | None = option(
        None,
        Topic.PROOFS,
        "prove assertions in the smallest loop or procedure that suffices, before the search",
        unset="after the search only, briefly, to prove bounded assertions, unless --no-houdini",
    )
    backend: str = option(
        "remuda",
        Topic.PROOFS,
        "verifier for isolated loops and procedures; `boogie`, and for C `cbmc`, must be installed (in `verify`, turns"
        " on --isolate)",
        choices=BACKENDS,
    )
    engine: str = option(
        "auto",
        Topic.SEARCH,
        "search strategy: call sites share instances of procedures (`dag`) or do not (`stratified`), the search starts"
        " at the procedure of an assertion (`alternating`), all calls are inlined up to the bound (`static`), contracts"
        " come from Horn clauses (`horn`), or nothing but isolated loops and procedures is tried (`isolation`); `auto`"
        " is `dag`, or `stratified` for programs of bit-vectors only",
        choices=ENGINES,
    )
    inline: str = option(
        "lazy",
        Topic.SEARCH,
        "inline calls when the search needs them (`lazy`), or all of them up to the bound (`all`)",
        choices=INLINES,
    )
    search: str = option(
        "auto",
        Topic.SEARCH,
        "choose calls to inline on abstract counterexamples (`over`), in unsatisfiable cores (`under`), or both"
        " (`mixed`); `auto` is `over`, or `mixed` with --lift",
        choices=SEARCHES,
    )
    summaries: str = option(
        "modset",
        Topic.SEARCH,
        "over-approximate a call that is not inlined by any change of the globals that it may modify (`modset`), or of"
        " all globals (`none`)",
        choices=SUMMARIES,
    )
    lift: bool = option(
        False, Topic.SEARCH, "move all assertions into the entry procedure before the search (deep-assert)"
    )
    unroll: bool = option(
        True,
        Topic.SEARCH,
        "unroll loops with a constant number of iterations, which then do not count towards the bound",
    )
    implications: str = option(
        "auto",
        Topic.SEARCH,
        "skip assertions that others imply: those that the code and earlier assertions imply, if there are many"
        " (`auto`); those that follow from pairwise implications, the strongest checked first (`forward`) or the"
        " weakest first (`backward`); or none (`off`)",
        choices=IMPLICATIONS,
    )
    at_a_time: int | None = option(
        None,
        Topic.SEARCH,
        "number of assertions per search; each search begins anew",
        metavar="N",
        unset="all, or 64 if there are more than 200",
    )
    abstract: bool | None = option(
        None,
        Topic.SEARCH,
        "track few globals at first, and more after each spurious counterexample",
        unset="in turns with a search that tracks all, for large programs with memory",
    )
    refine: str = option(
        "core",
        Topic.SEARCH,
        "algorithm that selects the globals to track after a spurious counterexample",
        choices=REFINEMENTS,
    )
    seed: int = option(
        1,
        Topic.SEARCH,
        "seed of random choices: random inputs, and the random strategies of --merge",
        metavar="N",
    )
    merge: str = option(
        "first",
        Topic.SHARING,
        "strategy that selects the instance a call shares, among those that it may share (--engine dag)",
        choices=MERGES,
    )
    disjoint: str = option(
        "control",
        Topic.SHARING,
        "evidence that no execution makes two calls, so that they may share an instance: control flow (`control`), or"
        " also the conditions on the way (`data`)",
        choices=DISJOINTS,
    )
    solver: str = option(
        "auto",
        Topic.SOLVER,
        "SMT solver; `auto` is z3, or for programs of bit-vectors only bitwuzla and z3 in turns",
        choices=SOLVERS,
    )
    joins: str = option(
        "auto",
        Topic.SOLVER,
        "encoding of values where paths join; `auto` is the one that suits the solver",
        choices=JOINS,
    )
    alternate: float = option(
        10.0,
        Topic.SOLVER,
        "seconds after which a search takes turns with a second one that has other solver settings",
        metavar="SECONDS",
    )
    summaries_dir: str = option(
        "",
        Topic.REUSE,
        "keep what is learned about procedures and assertions in this folder, and reuse what still holds in later runs",
        metavar="DIR",
    )
    state: str = option(
        "",
        Topic.REUSE,
        "keep in FILE which globals had to be tracked, for later runs on this program or an edited one (--abstract)",
        metavar="FILE",
    )
    check_ir: bool = option(False, Topic.DEBUGGING, "check that the program is well-formed after every transform")
