"""Keys of programs: what means the same has the same one, what does not has another."""

from __future__ import annotations

from random import Random

import pytest

from remuda.options import Options
from remuda.prepare.load import load
from remuda.prepare.pipeline import prepare
from remuda.store.fingerprints import Fingerprints, digest
from remuda.vc.interface import interfaces
from tests.oracle import source
from tests.random_programs import random_program

PROGRAM = """
const k: int; axiom k > 0;
function f(x: int): int { x + k }
var g: int; var h: bool; var w: int;
procedure {:entrypoint} main() { var x: int; x := f(g); call p(x); assert g > 0 || w > 7; }
procedure p(a: int) modifies g; { var y: int; y := a; if (y > 0) { g := y; } else { call q(); } }
procedure q() modifies g; { g := 1; assert g == 1; }
"""


def prints(text: str) -> Fingerprints:
    program, options = load([source(text)], Options())
    code = prepare(program, options).instrumented
    return Fingerprints(code, interfaces(code.program, summaries="modset"))


def key(text: str, inlined: tuple[str, ...] = ("main", "p")) -> str:
    return prints(text).of_proof("main", inlined, reach=False)


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("var x: int;", "\n\n// a comment\nvar x: int;"),
        ("var y: int; y := a; if (y > 0) { g := y; }", "var z: int; z := a; if (z > 0) { g := z; }"),
        (
            "procedure p(a: int) modifies g; { var y: int; y := a;",
            "procedure p(b: int) modifies g; { var y: int; y := b;",
        ),
        ("{ g := 1; assert", "{ g := 2; assert"),  # not inlined
        ("var h: bool;", "var h: int;"),  # not mentioned
    ],
)
def test_irrelevant_code_is_in_no_key(before: str, after: str) -> None:
    assert before in PROGRAM
    assert key(PROGRAM.replace(before, after)) == key(PROGRAM)


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("axiom k > 0", "axiom k > 1"),
        ("{ x + k }", "{ x - k }"),
        ("x := f(g)", "x := f(g + 1)"),
        ("assert g > 0", "assert g >= 0"),
        ("if (y > 0)", "if (y > 1)"),
        ("g := 1; assert", "g := 1; w := 8; assert"),  # the globals that a call may change
        ("assert g == 1;", ""),  # whether it may fail
        ("procedure q() modifies g; {", "procedure q() returns (r: int) modifies g; {"),
        ("var g: int;", "var g: int; const unique u: int; const unique v: int;"),
        ("const k: int;", "const unique k: int;"),
    ],
)
def test_relevant_code_is_in_the_key(before: str, after: str) -> None:
    assert before in PROGRAM
    changed = PROGRAM.replace(before, after).replace(
        "call q()", "call r := q()" if "returns" in after else "call q()"
    )
    changed = changed.replace("var y: int;", "var y: int; var r: int;") if "returns" in after else changed
    assert key(changed) != key(PROGRAM)


def test_questions_have_keys_of_their_own() -> None:
    known = prints(PROGRAM)
    keys = {
        known.of_proof("main", ("main", "p"), reach=False),
        known.of_proof("main", ("main", "p"), reach=True),
        known.of_proof("main", ("main", "p", "q"), reach=False),
        known.of_proof("main", ("main",), reach=False),
        known.of_proof("p", ("main", "p"), reach=False),
    }
    assert len(keys) == 5
    assert known.of_proof("main", ("p", "main"), reach=False) in keys


def test_two_symbols_of_one_name_are_two() -> None:
    """Locals of two procedures may have the same name, and so may what transforms add."""
    text = "procedure {:entrypoint} main() { var x: int; var y: int; x := 1; y := 2; assert ADDED < 3; }"
    assert key(text.replace("ADDED", "x + y"), ("main",)) != key(text.replace("ADDED", "x + x"), ("main",))


def test_lists_of_texts_have_different_digests() -> None:
    assert len({digest("ab", "c"), digest("a", "bc"), digest("abc"), digest("abc", ""), digest("", "abc")}) == 5


def test_keys_are_the_same_every_time() -> None:
    for seed in range(10):
        text = random_program(Random(seed)).text
        program, options = load([source(text)], Options())
        entries = prepare(program, options).base.entries
        assert prints(text).of_everything(entries) == prints(text).of_everything(entries)
