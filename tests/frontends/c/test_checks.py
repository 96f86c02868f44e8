"""Generated checks: their places and texts, and verdicts that agree with CBMC.

The programs `check_*.c` in `tests/programs/c` have every kind of check with both verdicts.
"""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path
from typing import TYPE_CHECKING, Final

import pytest

from remuda.base.errors import Unsupported, UsageError
from remuda.base.source import Source
from remuda.frontends.c.lowering.layout import slot_bits
from remuda.ir.program import Assert, Assume
from remuda.options import Options
from remuda.prepare.load import load
from remuda.session import verify_files
from tests.frontends.c.check_samples import PRELUDE, SAMPLES, Sample
from tests.patience import PATIENCE

if TYPE_CHECKING:
    from collections.abc import Sequence

    from remuda.ir.program import Program

NODE: Final = "struct node { int value; struct node *next; };"
CBMC_OPTIONS: Final = {
    "bounds": ("--bounds-check", "--pointer-check"),
    "pointer": ("--pointer-check",),
    "leak": ("--memory-leak-check",),
    "div": ("--div-by-zero-check",),
    "overflow": ("--signed-overflow-check",),
    "shift": ("--undefined-shift-check",),
    "conversion": ("--conversion-check", "--float-overflow-check"),
}


def lowered(text: str, *checks: str, **options: object) -> Program:
    """A program of the IR; `text` is all that comes behind the prelude."""
    program, _ = load([Source("program.c", PRELUDE + text)], Options(check=checks, **options))  # type: ignore[arg-type]
    return program


def generated(program: Program) -> list[tuple[str, str]]:
    """The kinds and descriptions of all assertions."""
    return [
        (statement.check.kind, statement.check.description)
        for procedure in program.procedures.values()
        for block in procedure.blocks or ()
        for statement in block.statements
        if isinstance(statement, Assert)
    ]


def checks_of(text: str, *checks: str) -> list[str]:
    return [f"{kind}: {description}" for kind, description in generated(lowered(text, *checks))]


# --- which checks there are


@pytest.mark.parametrize(
    ("body", "kind", "expected"),
    [
        ("a[i] = 1;", "bounds", ["array index i within int a[10]"]),
        (
            "m[i][i + 1] = 1;",
            "bounds",
            ["array index i within int m[3][4]", "array index i + 1 within int m[i][4]"],
        ),
        ("p[i] = 1;", "bounds", ["p[i] within what p points to"]),
        ("p = &p[i];", "bounds", ["p[i] within its object, or just behind"]),
        ("p += i;", "bounds", ["p += i within its object, or just behind"]),
        (
            "n->next->value = i;",
            "bounds",
            ["n->next within what n points to", "n->next->value within what n->next points to"],
        ),
        ("n->value = i;", "pointer", ["n is not NULL", "n points to a live object"]),
        ("free(p);", "pointer", ["p is NULL or the start of an allocated block", "p is not freed twice"]),
        ("f(i);", "pointer", ["f points to a function"]),
        ("i = i / j;", "div", ["no division by zero in i / j"]),
        ("i %= j;", "div", ["no division by zero in i %= j"]),
        ("i = i + j;", "overflow", ["no overflow in i + j"]),
        ("i++;", "overflow", ["no overflow in i++"]),
        ("i = -j;", "overflow", ["no overflow in -j"]),
        ("u = u << j;", "shift", ["shift amount in range in u << j"]),
        ("c = i;", "conversion", ["i fits into char"]),
        ("c += i;", "conversion", ["c += i fits into char"]),
        ("int x; if (i) x = 1; i = x;", "uninitialized", ["x is initialised"]),
    ],
)
def test_a_check_says_in_the_terms_of_c_what_must_hold(body: str, kind: str, expected: Sequence[str]) -> None:
    text = f"""{NODE} int a[10], m[3][4];
    void g(int *p, struct node *n, int i, int j, unsigned u, char c, int (*f)(int)) {{ {body} }}"""
    found = generated(lowered(text, kind, entry=("g",)))
    assert found == [(kind, description) for description in expected]


def test_leaks_are_checked_at_the_end_of_main_and_at_exit() -> None:
    text = "int main(void) { if (nondet_int()) exit(1); return 0; }"
    assert checks_of(text, "leak") == ["leak: all allocated memory is freed"] * 2


@pytest.mark.parametrize(
    "body",
    [
        "a[9] = 1;",
        "*&i = 1;",
        "p = &a[10];",
        "p = a + 10;",
        "i = (int)sizeof(a[20]);",
        "i = j / 2;",
        "i = i | j;",
        "u = u + 1;",
        "u = u << 31;",
        "i = (char)j;",
        "long l = i;",
        "_Bool b = i;",
        "u = (unsigned long)&((struct node *)0)->next;",
        "int x; if (i) x = 1; else x = 2; i = x;",
        "int x = 1; i = x;",
    ],
)
def test_obvious_conditions_make_no_check(body: str) -> None:
    kinds = "bounds,pointer,div,overflow,shift,uninitialized" + (",conversion" if "u = (" not in body else "")
    text = f"{NODE} int a[10]; int main(void) {{ int *p = a; int i = 1, j = nondet_int(); unsigned u = 1u; {body} return 0; }}"
    found = [check for check in checks_of(text, kinds) if "j =" not in check]
    assert found == []


def test_only_what_is_asked_for_is_checked() -> None:
    text = "int a[3]; int main(void) { int *p = a; int i = nondet_int(); return p[i] / i + a[i]; }"
    assert checks_of(text) == []
    assert {check.partition(":")[0] for check in checks_of(text, "div", "overflow")} == {"div", "overflow"}
    assert {check.partition(":")[0] for check in checks_of(text, "memory")} == {"bounds", "pointer", "leak"}
    with pytest.raises(UsageError, match="there is no check 'bound'"):
        lowered(text, "bound")


def test_executions_with_undefined_operations_are_left_out_where_they_are_not_checked() -> None:
    text = "int main(void) { int i = nondet_int(); i = i / (i + 1) + (i << i) + (i >> 3) + i % 4; return i; }"

    def left_out(*checks: str) -> list[str]:
        return [
            statement.span.text
            for block in lowered(text, *checks).procedures["main"].blocks or ()
            for statement in block.statements
            if isinstance(statement, Assume)
        ]

    assert left_out() == ["i / (i + 1)", "i / (i + 1)", "i << i"]  # zero, the overflow of INT_MIN / -1, the amount
    assert left_out("div", "shift") == ["i / (i + 1)"]
    assert left_out("overflow", "shift") == ["i / (i + 1)"]
    assert left_out("ub") == []


# --- what an earlier check or branch decides


def test_a_check_is_not_repeated_while_nothing_changes() -> None:
    text = NODE + "void g(struct node *n) { n->value = 1; n->next = 0; n = n->next; n->value = 2; }"
    found = generated(lowered(text, "pointer", entry=("g",)))
    assert found == [("pointer", "n is not NULL"), ("pointer", "n points to a live object")] * 2


def test_a_branch_decides_a_check() -> None:
    text = NODE + "int g(struct node *n) { return n && n->value; }"
    assert generated(lowered(text, "pointer", entry=("g",))) == [("pointer", "n points to a live object")]


def test_checks_on_one_path_do_not_cover_others() -> None:
    text = NODE + "void g(struct node *n, int i) { if (i) n->value = 1; n->value = 2; }"
    assert len(generated(lowered(text, "pointer", entry=("g",)))) == 4


def test_a_call_may_free_what_was_there() -> None:
    text = NODE + "void h(struct node *n) { free(n); } void g(struct node *n) { n->value = 1; h(n); n->value = 2; }"
    found = [description for _, description in generated(lowered(text, "pointer", entry=("g",)))]
    assert found.count("n points to a live object") == 2
    assert found.count("n is not NULL") == 1


def test_a_flag_that_is_never_read_is_not_set() -> None:
    program = lowered("int main(void) { int x, y; x = 1; if (x) y = 2; return x + y; }", "uninitialized")
    targets = {
        variable.name
        for block in program.procedures["main"].blocks or ()
        for statement in block.statements
        for variable in getattr(statement, "targets", ())
    }
    assert "y$set" in targets
    assert "x$set" not in targets


# --- shadow state


def test_there_is_no_shadow_state_unless_checks_need_it() -> None:
    text = "int main(void) { int *p = malloc(4); free(p); return 0; }"
    names = {variable.name.partition("$")[0] for variable in lowered(text, "overflow", "div").globals}
    assert not names & {"length", "stack", "blocks"}
    assert {"length", "blocks"} <= {variable.name.partition("$")[0] for variable in lowered(text, "leak").globals}


def test_slots_are_shorter_if_there_are_many_objects() -> None:
    assert slot_bits(64, 100_000, 1 << 20, has_computed_lengths=False) == 40
    assert slot_bits(32, 10, 100, has_computed_lengths=False) == 20
    assert slot_bits(32, 10, 3 << 20, has_computed_lengths=False) == 22
    assert slot_bits(32, 4000, 100, has_computed_lengths=False) == 19


def test_slots_are_longer_than_a_stack_if_lengths_of_arrays_are_computed() -> None:
    assert slot_bits(64, 10, 100, has_computed_lengths=True) == 40
    assert slot_bits(32, 10, 100, has_computed_lengths=True) == 24
    assert slot_bits(32, 4000, 100, has_computed_lengths=True) == 19


def test_an_object_that_no_slot_can_take_is_not_supported() -> None:
    text = "char large[1u << 30]; int main(void) { int i = nondet_int(); char *p = large + i; return p[1]; }"
    with pytest.raises(Unsupported, match="bytes"):
        lowered(text, "bounds", arch="ilp32")


# --- against CBMC


@pytest.mark.slow
@pytest.mark.parametrize("sample", SAMPLES, ids=lambda sample: sample.name)
@pytest.mark.parametrize("arch", ["lp64", "ilp32"])
def test_a_check_fails_exactly_where_it_should(sample: Sample, arch: str, tmp_path: Path) -> None:
    report = verify_files([_written(sample, tmp_path)], Options(check=(sample.kind,), arch=arch, timeout=PATIENCE))
    assert report.verdict.value == ("violated" if sample.fails else "proved")
    assert {result.kind for result in report.assertions} == {sample.kind} or not report.assertions


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("cbmc") is None, reason="there is no CBMC to compare with")
@pytest.mark.parametrize(
    "sample", [each for each in SAMPLES if each.kind in CBMC_OPTIONS], ids=lambda each: each.name
)
def test_cbmc_agrees(sample: Sample, tmp_path: Path) -> None:
    command = ["cbmc", "--unwind", "12", *CBMC_OPTIONS[sample.kind], _written(sample, tmp_path)]
    finished = subprocess.run(command, check=False, capture_output=True, text=True, timeout=60)
    fails = "VERIFICATION FAILED" in finished.stdout
    assert fails or "VERIFICATION SUCCESSFUL" in finished.stdout
    assert (fails == sample.fails) == (not sample.cbmc)


def _written(sample: Sample, folder: Path) -> str:
    path = folder / f"{sample.name}.c"
    path.write_text(sample.program)
    return str(path)
