"""Writes a report as text for users.

    VIOLATED  queue.bpl:14:3  assert size <= limit  [queue.bpl:Push:assert:1]
    PROVED    queue.bpl:20:3  assert size >= 0      [queue.bpl:Pop:assert:1]

    counterexample to queue.bpl:Push:assert:1
      20:3  call Push(3)                    x = 3
      14:3    assert size <= limit          size = 4, limit = 3   <- fails

    verdict: violated (1 violated, 1 proved) in 0.3 s

It uses plain strings only, because every run imports this module, and so its import must be fast.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, final

from remuda.results.condense import ATTRIBUTE, Line, callee, condense
from remuda.results.report import GAP, AssertionResult, Report, Statistics, TraceStep, Verdict

if TYPE_CHECKING:
    from collections.abc import Sequence

    from remuda.results.report import Assumption

ORDER: Final = (Verdict.VIOLATED, Verdict.UNKNOWN, Verdict.BOUNDED, Verdict.UNREACHABLE, Verdict.PROVED)

RESET: Final = "\x1b[0m"
DIM: Final = "\x1b[2m"
BOLD: Final = "\x1b[1m"
COLORS: Final = {
    Verdict.VIOLATED: "\x1b[1;31m",
    Verdict.UNKNOWN: "\x1b[1;35m",
    Verdict.BOUNDED: "\x1b[1;33m",
    Verdict.UNREACHABLE: "\x1b[1;36m",
    Verdict.PROVED: "\x1b[1;32m",
    Verdict.NOTHING_CHECKED: "\x1b[1;33m",
}

DESCRIPTION_LIMIT: Final = 72  # generated conditions can be pages long
STEP_LIMIT: Final = 72
INDENT_LIMIT: Final = 24  # deeper calls differ only in their places
VALUE_LIMIT: Final = 48
TRACE_STEPS: Final = 100
VALUES: Final = 8  # the most values in one line
ASSUMPTION_LIMIT: Final = 240  # hundreds of functions may have no body
ASSUMPTIONS: Final = 6  # more are grouped by kind
NAMES: Final = 5  # the most names of procedures in one line


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class TextStyle:
    """The options of the text. A verbose report leaves nothing out."""

    color: bool = False
    statistics: bool = False
    quiet: bool = False
    verbose: bool = False
    trace_steps: int = TRACE_STEPS

    def paint(self, code: str, text: str) -> str:
        return f"{code}{text}{RESET}" if self.color and text else text


def render(report: Report, style: TextStyle) -> str:
    """The whole report, ending in a line break. A quiet report is only the verdict line."""
    sections = [] if style.quiet else [assertion_lines(report, style), *trace_sections(report, style)]
    if not style.quiet:
        sections.append(invariant_lines(report))
        sections.append(assumption_lines(report, style))
        sections.append([f"note: {note}" for note in report.notes])
    if style.statistics:
        sections.append(statistics_lines(report))
    sections.append([summary_line(report, style)])
    return "\n\n".join("\n".join(section) for section in sections if section) + "\n"


# --- assertions


def assertion_lines(report: Report, style: TextStyle) -> list[str]:
    """One aligned line for each assertion, and below it the reason of its verdict and its assumptions."""
    results = report.assertions
    labels = [verdict_label(result) for result in results]
    places = [str(result.location) for result in results]
    descriptions = [shorten(describe(result), DESCRIPTION_LIMIT) for result in results]
    label_width, place_width, description_width = (
        max(map(len, c), default=0) for c in (labels, places, descriptions)
    )

    lines = []
    for result, label, place, description in zip(results, labels, places, descriptions, strict=True):
        shown = style.paint(COLORS[result.verdict], label) + " " * (label_width - len(label))
        identifier = style.paint(DIM, f"[{result.identifier}]")
        lines.append(f"{shown}  {place:<{place_width}}  {description:<{description_width}}  {identifier}")
        margin = " " * (label_width + 2)
        if result.reason:
            lines.append(f"{margin}reason: {result.reason}")
        lines += [f"{margin}{line}" for line in confirmation_lines(result)]
        lines += [f"{margin}left open: {each}" for each in opened(result.left_open, style)]
        lines += [f"{margin}assumes: {assumption}" for assumption in trusted(result.assumed, style)]
    return lines


def confirmation_lines(result: AssertionResult) -> list[str]:
    """How a violation was confirmed, where that is not by a replay alone."""
    more = bool(result.unconfirmed) or any(way != "replayed" for way in result.confirmed)
    lines = [f"confirmed: {', '.join(result.confirmed)}"] if more else []
    return [*lines, *(f"not confirmed: {way}" for way in result.unconfirmed)]


def verdict_label(result: AssertionResult) -> str:
    """The verdict in capitals, with its bound if it has one."""
    label = result.verdict.value.upper()
    return label if result.bound is None else f"{label}({result.bound})"


def describe(result: AssertionResult) -> str:
    """The description of an assertion, with its kind in front unless the description contains it."""
    text = " ".join(result.description.split())
    return text if text.startswith(result.kind) else f"{result.kind} {text}".rstrip()


def shorten(text: str, limit: int) -> str:
    return text if len(text) <= limit else text[: limit - 3] + "..."


# --- counterexamples


def trace_sections(report: Report, style: TextStyle) -> list[list[str]]:
    return [trace_lines(report, result, style) for result in report.assertions if result.trace is not None]


def trace_lines(report: Report, result: AssertionResult, style: TextStyle) -> list[str]:
    """A counterexample: thread (if there are several), place, step indented by call depth, values at the right."""
    shown = condense(result.trace or (), None if style.verbose else style.trace_steps)
    has_threads = any(step.thread != 1 for step in result.trace or ())
    threads = [f"thread {line.step.thread}  " if has_threads else "" for line in shown]
    places = [step_place(line.step, report.file) for line in shown]
    texts = [indented(line.step, style) for line in shown]
    place_width, text_width = (max(map(len, column), default=0) for column in (places, texts))

    lines = [style.paint(BOLD, f"counterexample to {result.identifier}")]
    for line, thread, place, text in zip(shown, threads, places, texts, strict=True):
        ending = style.paint(COLORS[Verdict.VIOLATED], "  <- fails") if line.step.kind == "fail" else ""
        values = values_text(line.step, style)
        note = style.paint(DIM, folded_text(line))
        mark = "*" if line.cause else " "
        lines.append(f"{mark} {thread}{place:>{place_width}}  {text:<{text_width}}  {values}{note}".rstrip() + ending)
    return [*lines, *trace_legend(result.trace or (), shown)]


def trace_legend(steps: Sequence[TraceStep], shown: Sequence[Line]) -> list[str]:
    """The legend of the marks, and the number of hidden steps."""
    legend = []
    if any(line.cause for line in shown):
        legend.append("  (* sets a value that the failure depends on)")
    if any(line.steps > 1 for line in shown):
        has_gap = any(step.kind == GAP for step in steps)
        what = (
            f"{len(steps)} steps are kept; --verbose shows them"
            if has_gap
            else f"{len(steps)} steps; --verbose shows all of them"
        )
        legend.append(f"  ({what})")
    return legend


def indented(step: TraceStep, style: TextStyle) -> str:
    indent = min(2 * step.depth, INDENT_LIMIT)
    text = step_text(step)
    return " " * indent + (text if style.verbose else shorten(text, STEP_LIMIT - indent))


def values_text(step: TraceStep, style: TextStyle) -> str:
    values = [value_text(name, value) for name, value in step.values]
    if not style.verbose and len(values) > VALUES:
        values = [*values[:VALUES], f"and {len(values) - VALUES} more"]
    return ", ".join(values) + (f"  ({step.place})" if step.place else "")


def folded_text(line: Line) -> str:
    """The text about hidden steps after a line."""
    notes = []
    if line.alike:
        notes.append(f"{count(line.alike, 'more call')} of {callee(line.step)}")
    if line.inside:
        notes.append(f"{count(line.inside, 'step')} inside")
    if line.skipped:
        notes.append(f"{count(line.skipped, 'step')} left out")
    return f"  ({', '.join(notes)})" if notes else ""


def count(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def step_place(step: TraceStep, file: str) -> str:
    """The line and column of a step, with the file if it is not that of the report."""
    place = step.location
    return f"{place.line}:{place.column}" if place.file == file else str(place)


def step_text(step: TraceStep) -> str:
    """The text of a step, without attributes, which are for tools."""
    text = ATTRIBUTE.sub("", " ".join(step.text.split()))
    match step.kind:
        case "branch":
            return f"branch on {text.removeprefix('assume ').removesuffix(';')}"
        case "return":
            return f"back in {step.procedure}"
        case "start" if not text:
            return f"start in {step.procedure}"
        case "print":
            return "print"
    return text


def value_text(name: str, value: str) -> str:
    """The text `name = value`, or only the name for text that the program prints, which has no value."""
    return f"{name} = {shorten(value, VALUE_LIMIT)}" if value else name


# --- assumptions


def invariant_lines(report: Report) -> list[str]:
    return ["found to hold:", *(f"  {line}" for line in report.invariants)] if report.invariants else []


def assumption_lines(report: Report, style: TextStyle) -> list[str]:
    """The assumptions of all verdicts; grouped by kind if there are many."""
    if not report.assumed:
        return []
    everything = [assumption.text for assumption in report.assumed]
    texts = everything
    if not style.verbose and len(everything) > ASSUMPTIONS:
        by_kind: dict[str, list[Assumption]] = {}
        for assumption in report.assumed:
            by_kind.setdefault(assumption.kind, []).append(assumption)
        texts = [group_text(kind, members) for kind, members in by_kind.items()]
    if not style.verbose:
        texts = [shorten(text, ASSUMPTION_LIMIT) for text in texts]
    more = "" if texts == everything else " (--verbose lists everything)"
    return [f"assumed without proof{more}:", *(f"  - {text}" for text in texts)]


def group_text(kind: str, members: Sequence[Assumption]) -> str:
    """One line for all assumptions of a kind."""
    if len(members) == 1:
        return members[0].text
    names = ", ".join(member.name for member in members[:NAMES]) + (", ..." if len(members) > NAMES else "")
    match kind:
        case "axiom":
            return f"{len(members)} axioms, the first at {members[0].name}"
        case "no body":
            return f"{len(members)} procedures without a body: {names}"
        case "requires":
            return f"the requires of {len(members)} procedures, where executions start: {names}"
        case "free ensures" | "free requires":
            return f"{kind} of {len(members)} procedures: {names}"
    return f"{members[0].text} ({len(members) - 1} more like it)"


def trusted(assumed: Sequence[str], style: TextStyle) -> list[str]:
    """The assumptions of one verdict; if there are many, the number of each kind (the text before the colon)."""
    if style.verbose or len(assumed) <= ASSUMPTIONS // 2:
        return list(assumed)
    kinds = Counter(text.partition(":")[0] for text in assumed)
    counted = ", ".join(f"{number} x {kind}" for kind, number in kinds.items())
    return [f"{counted} (--verbose lists everything)"]


def opened(left_open: Sequence[str], style: TextStyle) -> list[str]:
    """The choices that the language leaves open on an execution; if there are many, the first ones with their places,
    and the number of the rest."""
    few = ASSUMPTIONS // 2
    if style.verbose or len(left_open) <= few:
        return list(left_open)
    return [*left_open[:few], f"and {len(left_open) - few} more (--verbose lists everything)"]


# --- the rest


def _instances(costs: Statistics) -> str:
    """The number of instances, and their number without sharing, which a run that is stopped early does not count."""
    more = f" ({costs.tree_instances} without sharing)" if costs.tree_instances >= costs.instances else ""
    return f"{costs.instances}{more}"


def statistics_lines(report: Report) -> list[str]:
    costs = report.statistics
    rows = [
        ("engine, solver", f"{report.engine or '-'}, {report.solver or '-'}"),
        ("entries", ", ".join(report.entries) or "-"),
        ("procedure instances", _instances(costs)),
        *([("growth by lifting", f"{costs.growth:.2f} times")] if costs.growth is not None else []),
        *(
            [
                (
                    "contracts",
                    f"{costs.contracts} of {costs.candidates} candidates in {costs.houdini_seconds:.3f} seconds",
                )
            ]
            if costs.candidates
            else []
        ),
        *(
            [("refinements", f"{costs.refinements} in {costs.refine_seconds:.3f} seconds")]
            if costs.refinements
            else []
        ),
        ("assertions", f"{costs.checked} searched for, {costs.implied} implied"),
        *(
            [("implications", f"{costs.implications} in {costs.implication_seconds:.3f} seconds")]
            if costs.implications
            else []
        ),
        *_from_earlier_runs(costs),
        *_strategies(report),
        ("solver calls", str(costs.solver_calls)),
        ("solver seconds", f"{costs.solver_seconds:.3f}"),
        ("formula seconds", f"{costs.vc_seconds:.3f}"),
        ("sharing seconds", f"{costs.merge_seconds:.3f}"),
        ("front end seconds", f"{costs.frontend_seconds:.3f}"),
        ("replay seconds", f"{costs.replay_seconds:.3f}"),
        ("all seconds", f"{costs.seconds:.3f}"),
    ]
    return ["statistics:", *(f"  {name:<20}  {value}" for name, value in rows)]


def _strategies(report: Report) -> list[tuple[str, str]]:
    """The number of assertions that each strategy decided, and the costs of strategies with their own processes."""
    decided = Counter(result.strategy for result in report.assertions if result.strategy)
    rows = [("decided by", ", ".join(f"{name} {times}" for name, times in decided.most_common()))] if decided else []
    costs = ", ".join(f"{each.name} {each.cpu_seconds:.3f}" for each in report.strategies)
    return [*rows, *([("strategy seconds", costs)] if costs else [])]


def _from_earlier_runs(costs: Statistics) -> list[tuple[str, str]]:
    rows = []
    if costs.verdicts_reused or costs.verdicts_rechecked:
        text = f"{count(costs.verdicts_reused, 'verdict')} as known, {costs.verdicts_rechecked} proved again"
        rows.append(("earlier runs", text))
    if costs.summaries_loaded or costs.summaries_found:
        again = f" ({costs.summaries_rechecked} checked again)" if costs.summaries_rechecked else ""
        rows.append(("summaries", f"{costs.summaries_loaded} known{again}, {costs.summaries_found} new"))
    return rows


def summary_line(report: Report, style: TextStyle) -> str:
    """The line `verdict: bounded (2 proved, 1 bounded up to 4) in 0.3 s`, with the reason if nothing is claimed or if
    the run stopped early."""
    is_proved = report.verdict is Verdict.PROVED
    verdict = style.paint(COLORS[report.verdict], report.verdict.value)
    counts = ", ".join(count_phrases(report)) or ("nothing can fail" if is_proved else "no assertions")
    reason = f"; {report.reason}" if report.reason else ""
    stopped = f"; stopped early: {report.incomplete}" if report.incomplete else ""
    return f"verdict: {verdict} ({counts}) in {report.statistics.seconds:.1f} s{reason}{stopped}"


def count_phrases(report: Report) -> list[str]:
    """The number of assertions with each verdict, separately for each bound, the worst verdict first."""
    counts = Counter((result.verdict, result.bound) for result in report.assertions)
    keys = sorted(counts, key=lambda key: (ORDER.index(key[0]), key[1] is not None, key[1] or 0))
    return [
        f"{counts[verdict, bound]} {verdict.value}" + ("" if bound is None else f" up to {bound}")
        for verdict, bound in keys
    ]
