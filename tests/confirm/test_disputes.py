"""Failures that the machine for C does not show: other executions are tried, then the flat memory model."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest

from remuda.base.reasons import NO_REASON, TIMEOUT, Reason
from remuda.base.source import Source
from remuda.confirm import disputes
from remuda.confirm.disputes import disputed, judged
from remuda.engines import other_executions
from remuda.options import Options
from remuda.portfolio import attempt
from remuda.portfolio import run as session
from remuda.prepare.load import load
from remuda.results.report import AssertionResult, Location, Report, Verdict

if TYPE_CHECKING:
    from collections.abc import Sequence

    from remuda.frontends.c.lowering.display import CPresentation
    from remuda.ir.program import Program

HEAD = "int nd(void); void __VERIFIER_assert(int);\n"


def verify(text: str, **options: Any) -> Report:  # noqa: ANN401 - of any option
    return session.run([Source("program.c", HEAD + text)], Options(houdini=False, **options), send=lambda _: None)


def only(report: Report) -> AssertionResult:
    (result,) = report.assertions
    return result


def test_another_path_fails() -> None:
    """Any value may be read out of bounds, so that both paths fail in the translation; only one does on the machine."""
    text = """
    int a[2];
    int main(void) {
      int x = nd(), y = nd(), r = 1;
      if (x == 7) r = a[x];
      else if (y == 5) r = 3;
      __VERIFIER_assert(r != 3);
    }
    """
    assert only(verify(text)).confirmed == ("replayed", "machine")


@pytest.mark.parametrize(
    "condition",
    ["12 / x != 3", "x < 0 || x > 40 || (1 << x) != 64", "x < 0 || x > 2 || a[x] == 5"],
    ids=["division", "shift", "bounds"],
)
def test_other_numbers_fail_on_the_same_path(condition: str) -> None:
    text = f"int a[2]; int main(void) {{ int x = nd(); __VERIFIER_assert({condition}); }}"
    result = next(each for each in verify(text).assertions if each.kind == "assert")
    assert result.verdict is Verdict.VIOLATED
    assert result.confirmed == ("replayed", "machine")


def test_what_is_always_undefined_is_unknown() -> None:
    text = "int a[2]; int main(void) { int s = nd(); if (s >= 2 && s <= 9) __VERIFIER_assert(a[s] != 3); }"
    result = only(verify(text))
    assert result.verdict is Verdict.UNKNOWN
    assert "something undefined happens before: an access to 4 bytes at offset" in result.reason
    assert result.reason.endswith("the same in the flat memory model")


def test_paths_are_left_out_for_one_assertion_only() -> None:
    """The first assertion is on the path that is left out; the second is behind it, and the third is elsewhere."""
    text = """
    int a[2];
    int main(void) {
      int x = nd(), y = nd();
      if (x == 7) { __VERIFIER_assert(a[x] != 3); __VERIFIER_assert(y != 1); }
      else __VERIFIER_assert(x != 7);
    }
    """
    first, second, third = verify(text).assertions
    assert first.verdict is Verdict.UNKNOWN
    assert second.verdict is Verdict.UNKNOWN  # nothing gets there without the access out of bounds
    assert third.verdict is Verdict.PROVED


def test_deeper_executions_are_tried() -> None:
    """Short executions read out of bounds; one that goes round twice does not."""
    text = """
    int a[2];
    int main(void) {
      int n = nd(), i = 0, r = 0;
      while (i < n) { i++; r = i < 2 ? a[i + 6] : i; }
      __VERIFIER_assert(r != 2);
    }
    """
    result = only(verify(text, bound=4, unroll=False))
    assert result.verdict is Verdict.UNKNOWN  # every execution that goes round reads out of bounds first
    text = text.replace("a[i + 6]", "n == 1 ? a[i + 6] : i")
    result = only(verify(text, bound=4, unroll=False))
    assert (result.verdict, result.confirmed) == (Verdict.VIOLATED, ("replayed", "machine"))


def test_nothing_is_claimed_of_what_was_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without the paths that read out of bounds the assertion holds, which must not be said."""
    monkeypatch.setattr(disputes, "MOST_SIZE", 0)
    branches = " ".join(f"if (y == {number}) r = a[x + {number}];" for number in range(2))
    text = f"int a[2]; int main(void) {{ int x = 7, y = nd(), r = 1; {branches} __VERIFIER_assert(r == 1); }}"
    for paths in (0, 1, 5):
        monkeypatch.setattr(other_executions, "MOST_PATHS", paths)
        result = only(verify(text))
        assert result.verdict is Verdict.UNKNOWN
        assert result.reason.endswith(disputes.TOO_LARGE)


# --- the flat memory model as the judge


def mistranslate(monkeypatch: pytest.MonkeyPatch, right: str, wrong: str) -> None:
    """Regions get another program than the machine for C and the flat model."""

    def load_wrong(sources: Sequence[Source], options: Options, *, believes: bool = True) -> tuple[Program, Options]:
        program, rest = load(sources, options, believes=believes)
        if options.memory_model == "flat":
            return program, rest
        assert right in sources[0].text
        mistaken, _ = load([Source(sources[0].name, sources[0].text.replace(right, wrong))], options)
        presentation: CPresentation = mistaken.presentation  # type: ignore[assignment]
        original: CPresentation = program.presentation  # type: ignore[assignment]
        presentation.reproduction.unit = original.reproduction.unit
        return mistaken, rest

    monkeypatch.setattr(attempt, "load", load_wrong)


def test_the_flat_model_proves_what_regions_violate(monkeypatch: pytest.MonkeyPatch) -> None:
    mistranslate(monkeypatch, "+ 1", "+ 2")
    report = verify("int main(void) { int x = nd() & 7; x = x + 1; __VERIFIER_assert(x < 9); }")
    result = only(report)
    assert result.verdict is Verdict.PROVED
    assert "by the flat memory model alone" in result.reason
    (note,) = [note for note in report.notes if note.startswith("disagreement: ")]
    assert "on the machine for C, nothing fails" in note


def test_the_flat_model_violates_what_regions_cannot_show(monkeypatch: pytest.MonkeyPatch) -> None:
    mistranslate(monkeypatch, "== 4", "== 3")
    report = verify("int main(void) { int x = nd(), r = x == 4; __VERIFIER_assert(!r || nd() == 1); }")
    result = only(report)
    assert result.verdict is Verdict.VIOLATED
    assert "machine" in result.confirmed
    assert not report.notes


def test_what_is_not_confirmed_in_the_flat_model_does_not_count() -> None:
    place = Location("a.c", 1, 1)
    old = AssertionResult("a", "assert", "x", place, Verdict.UNKNOWN, Reason("why"))
    other = AssertionResult("b", "assert", "y", place, Verdict.UNKNOWN, TIMEOUT)
    report = Report("a.c", [old, other])
    assert disputed(report, {"a"}) == [old]
    weak = replace(
        old, verdict=Verdict.VIOLATED, confirmed=("replayed",), unconfirmed=("machine: not run",), why=NO_REASON
    )
    assert judged(report, [old], Report("a.c", [weak])) == [
        replace(old, why=Reason("why").but("in the flat memory model: machine: not run"))
    ]
    elsewhere = replace(old, verdict=Verdict.PROVED, location=Location("a.c", 2, 1))
    assert [each.verdict for each in judged(report, [old], Report("a.c", [elsewhere]))] == [Verdict.UNKNOWN]
    assert report.notes == []
