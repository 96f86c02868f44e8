"""Models of library functions: they agree with a compiler's library, or report that they do not compute a result.

The programs in `tests/programs/c` have assertions that the models prove. Those without inputs must also hold when the
programs run.
"""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from remuda.base.source import Source
from remuda.frontends.c.library.formats import conversions, longest, shortest
from remuda.frontends.c.library.table import LIBRARY
from remuda.frontends.c.memory.library_flows import LIBRARY_FLOWS
from remuda.options import Options
from remuda.portfolio.run import run
from remuda.results.report import Report, Verdict
from remuda.session import verify_files
from tests.patience import PATIENCE

PROGRAMS = sorted((Path(__file__).parents[2] / "programs" / "c").glob("library*.c"))
OWN = "library_own"  # its functions are not those of the library
INPUTS = """
#include <stdlib.h>
void __VERIFIER_assert(int condition) { if (!condition) abort(); }
int nondet_int(void) { return (int)random() % 300 - 20; }
unsigned nondet_uint(void) { return (unsigned)random(); }
double nondet_double(void) { return (double)random() / 7; }
"""


def verify(
    folder: Path, body: str, *, headers: str = "stdlib.h string.h stdio.h math.h", **options: object
) -> Report:
    """The report on a program that consists of this body of main."""
    lines = [f"#include <{header}>" for header in headers.split()]
    lines += ["extern void __VERIFIER_assert(int);", "extern int nondet_int(void);", f"int main(void) {{ {body} }}"]
    program = folder / "program.c"
    program.write_text("\n".join(lines))
    return verify_files([str(program)], Options(timeout=PATIENCE, check_ir=True, **options))  # type: ignore[arg-type]


def verdicts(report: Report) -> list[str]:
    return [result.verdict.value for result in report.assertions]


@pytest.mark.skipif(shutil.which("gcc") is None, reason="there is no compiler to compare with")
@pytest.mark.parametrize("program", [path for path in PROGRAMS if path.stem != OWN], ids=lambda path: path.stem)
def test_proved_assertions_hold_when_the_program_runs(program: Path, tmp_path: Path) -> None:
    if "violated" in program.read_text() or "unknown" in program.read_text():
        pytest.skip("the program may fail an assertion, and gcc would stop there")
    inputs = tmp_path / "inputs.c"
    inputs.write_text(INPUTS)
    binary = tmp_path / "program"
    flags = ["-w", "-O0", "-fno-builtin", "-D_GNU_SOURCE", "-std=gnu11"]
    subprocess.run(["gcc", *flags, str(program), str(inputs), "-o", str(binary), "-lm"], check=True, timeout=60)
    assert subprocess.run([str(binary)], check=False, timeout=10).returncode == 0


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ('int x = 1; scanf("%d", &x); __VERIFIER_assert(x == 1);', "violated"),
        ("char text[4] = \"abc\"; memset(text, 'x', 2); __VERIFIER_assert(text[2] == 'c');", "proved"),
        ('char *p = getenv("HOME"); __VERIFIER_assert(p != 0);', "violated"),
        ('char *p = getenv("A=B"); __VERIFIER_assert(p == 0);', "proved"),
        ("double x = sin(1.0); __VERIFIER_assert(x > 0.84147 && x < 0.84148);", "proved"),
        ("double x = sin(1.0); __VERIFIER_assert(x == 0.8414709848078965);", "unknown"),
        ("double x = sin(nondet_int()); __VERIFIER_assert(x <= 1);", "unknown"),
        ("float x = exp2f(3.0f); __VERIFIER_assert(x > 7.999f && x < 8.001f);", "proved"),
        ("__VERIFIER_assert(sleep(3) <= 3 && usleep(3) <= 0);", "proved"),
        ("__VERIFIER_assert(sleep(3) <= 2);", "violated"),
        ('int n = printf("%d", 3); __VERIFIER_assert(n >= 0);', "unknown"),
        ("abort(); __VERIFIER_assert(0);", "unreachable"),
        ("if (nondet_int()) exit(1); __VERIFIER_assert(1);", "proved"),
        ("int x = nondet_int(); __VERIFIER_assert(abs(x) >= 0);", "violated"),
        ("int x = nondet_int(); if (x > -5) __VERIFIER_assert(abs(x) >= 0);", "proved"),
        ("__VERIFIER_assert(rand() <= RAND_MAX && rand() != 77);", "violated"),
        ("char s[4] = {'a', 'b', 0, 'd'}; __VERIFIER_assert(strlen(s) == 2);", "proved"),
        ('char s[8]; if (sprintf(s, "%c%%", 65) == 2) __VERIFIER_assert(s[2] == 0);', "proved"),
        ("int *p = malloc(4); __VERIFIER_assert(*p == 0);", "violated"),
        ("int *p = calloc(1, 4); __VERIFIER_assert(*p == 0 && p != 0);", "proved"),
        ("long a = 5, b; memcpy(&b, &a, sizeof b); __VERIFIER_assert(b == 5);", "proved"),
        (("int a[3] = {1, 2, 3}; char *c = (char *)a; c[0] = 7; int b[3]; memcpy(b, a, sizeof a);"
         " __VERIFIER_assert(b[0] == 7 && b[2] == 3);"), "proved"),
        ("float f = 1.5f; unsigned u; memcpy(&u, &f, 4); __VERIFIER_assert(u == 0x3fc00000);", "proved"),
    ],
)  # fmt: skip
def test_a_model_knows_what_c_says_and_no_more(tmp_path: Path, body: str, expected: str) -> None:
    assert verdicts(verify(tmp_path, body)) == [expected]


@pytest.mark.parametrize(
    "body",
    [
        "int a[3] = {3, 1, 2}; qsort(a, 3, sizeof a[0], 0); __VERIFIER_assert(a[0] == 1);",
        'char s[9] = "a,b"; char *t = strtok(s, ","); __VERIFIER_assert(t == s);',
        'int n; printf("x%n", &n); __VERIFIER_assert(n == 1);',
        'char s[9], t[9] = "abc"; sprintf(s, "%s", t); __VERIFIER_assert(s[0] == \'a\');',
        "int x = 5; memset(&x, 0, 2); __VERIFIER_assert(x == 0);",
        "char s[2] = {'a', 'b'}; __VERIFIER_assert(strlen(s) == 2);",
        'char *end, s[3] = "12"; __VERIFIER_assert(strtol(s, &end, 10) == 12);',
        'char s[9]; scanf("%s", s); __VERIFIER_assert(s[0] != 0);',
        'int x, n; __VERIFIER_assert(scanf("%d%n", &x, &n) <= 1);',
    ],
)
def test_functions_without_a_model_prevent_claims(tmp_path: Path, body: str) -> None:
    assert set(verdicts(verify(tmp_path, body))) == {"unknown"}


def test_assumptions_are_listed_once(tmp_path: Path) -> None:
    report = verify(tmp_path, "int *p = malloc(4), *q = malloc(4); *p = (int)cos(2); __VERIFIER_assert(p != q);")
    assert report.assertions[0].verdict is Verdict.PROVED
    sentences = [assumption.text for assumption in report.assumed]
    assert sentences.count("there is always enough memory: allocation succeeds") == 1
    assert sentences.count("cos of constants is assumed to be right to one part in a million") == 1


def test_ranges_are_checked_on_request(tmp_path: Path) -> None:
    body = "char s[4]; memset(s, 0, 4); memset(s, 0, (unsigned long)nondet_int());"
    report = verify(tmp_path, body, check=("bounds",))
    found = {result.location.column: result.verdict.value for result in report.assertions if result.kind == "bounds"}
    assert "violated" in found.values()


def test_functions_that_copy_memory_are_known_to_the_analysis_of_pointers() -> None:
    names = ["memcpy", "__builtin_memcpy", "__memcpy_chk", "strcpy", "strdup", "realloc", "memchr", "strlen", "scanf"]
    assert [name for name in names if name not in LIBRARY or name not in LIBRARY_FLOWS] == []


def test_formats_are_read() -> None:
    assert [part.kind for part in conversions("%5d%%%-3s|%lld")] == ["d", "%", "s", "d"]
    assert [part.is_stored for part in conversions("%*d%3[a-z]%s", is_input=True)] == [False, True, True]
    assert longest("%d!") == len("-2147483648!")
    assert longest("%s") is None
    assert longest("%.3s %5c") == len("abc ") + 5
    assert shortest("ab%d%s") == len("ab1")


@pytest.mark.parametrize(("call", "is_assumed"), [("mtx_init(&m, mtx_plain)", True), ("mtx_lock(&m)", False)])
def test_that_making_mutexes_succeeds_is_assumed(call: str, is_assumed: bool) -> None:
    text = f"#include <assert.h>\n#include <threads.h>\nmtx_t m; int main(void) {{ assert({call} == 0); }}"
    report = run([Source("mutex.c", text)], Options(), send=lambda _: None)
    assert any("mutexes" in assumption.text for assumption in report.assumed) == is_assumed
