"""`long double` on the machine is that of gcc: bytes, operators, comparisons, conversions and literals."""

from __future__ import annotations

import secrets
from random import Random
from typing import TYPE_CHECKING, Final

import pytest

from remuda.frontends.c.syntax.types import MACHINES as TARGETS
from remuda.machine.extended import from_bytes
from remuda.machine.outcomes import End
from remuda.machine.settings import Settings
from tests.frontends.c.gcc import MACHINES, can_run, compile_and_run
from tests.machine.running import execution, run

if TYPE_CHECKING:
    from pathlib import Path

PAIRS: Final = 150
TEXT: Final = """\
int printf(const char *, ...);
static const unsigned char table[][10] = {
%s};
static const unsigned long long numbers[] = {%s};
union view { long double number; double whole; float single; unsigned long long bits; unsigned char bytes[16]; };
static void tell(long double x) {
  union view view;
  view.number = x;
  if (x != x) { printf("nan "); return; }
  for (int i = 9; i >= 0; i--) printf("%%02x", view.bytes[i]);
  printf(" ");
}
static long double get(int at) {
  union view view;
  for (int i = 0; i < 10; i++) view.bytes[i] = table[at][i];
  return view.number;
}
int main(void) {
  for (int at = 0; at < %d; at++) {
    long double x = get(2 * at), y = get(2 * at + 1), z = x;
    union view view;
    tell(x + y); tell(x - y); tell(x * y); tell(x / y); tell(-x); tell(++z); tell(z--);
    printf("%%d ", (x < y) | (x <= y) << 1 | (x > y) << 2 | (x >= y) << 3 | (x == y) << 4 | (x != y) << 5 | !x << 6);
    double whole = x;
    view.bits = 0, view.whole = whole;
    if (whole == whole) printf("%%llx ", view.bits);
    float single = x;
    view.bits = 0, view.single = single;
    if (single == single) printf("%%llx ", view.bits);
    if (x > -9223372036854775809.0L && x < 0x1p63L) printf("%%lld ", (long long)x);
    if (x > -1 && x < 0x1p64L) printf("%%llu ", (unsigned long long)x);
    if (x > -32769 && x < 32768) printf("%%d ", (short)x);
    printf("%%d ", (_Bool)x);
    tell(numbers[at]); tell((long long)numbers[at]);
    view.bits = numbers[at];
    tell(view.whole); tell(view.single);
    x += view.single;
    tell(x);
    printf("\\n");
  }
  return 0;
}
"""


def operand(random: Random) -> bytes:
    """Ten bytes: numbers of all sizes, some of them close together, and values that are no numbers."""
    exponent = random.choice(
        (
            *(
                0,
                0,
                1,
                0x7FFF,
                0x7FFE,
                0x3FFF,
                0x3FFF + random.randrange(-70, 70),
                0x3FFF + random.randrange(-70, 70),
            ),
            *(random.randrange(1 << 15), 0x3FFF - 1022 - random.randrange(60), 0x3FFF + 1023 + random.randrange(2)),
            *(0x3FFF - 126 - random.randrange(30), 0x3FFF + 127, 0x3FFF + 63),
        )
    )
    digits = random.choice(
        (
            *(
                random.getrandbits(63),
                random.getrandbits(63),
                (1 << 63) - 1 - random.randrange(3),
                random.randrange(3),
            ),
            *(random.getrandbits(8) << 55, (1 << random.randrange(63)) - 1, 1 << random.randrange(63)),
            *((random.getrandbits(23) << 1 | 1) << 39, (random.getrandbits(52) << 1 | 1) << 10),
        )
    )
    has_unit = exponent != 0 and random.random() < 0.95
    return ((random.getrandbits(1) << 15 | exponent) << 64 | int(has_unit) << 63 | digits).to_bytes(10, "little")


def program(random: Random, pairs: int) -> str:
    table = [operand(random) for _ in range(2 * pairs)]
    rows = "".join(f"  {{{', '.join(map(str, row))}}},\n" for row in table)
    numbers = [random.getrandbits(64) >> random.choice((0, 0, 0, 8, 40)) for _ in range(pairs)]
    return TEXT % (rows, ", ".join(f"{number}ull" for number in numbers), pairs)


def compare(text: str, folder: Path, arch: str) -> None:
    running = execution(text, settings=Settings(most_steps=10_000_000), machine=TARGETS[arch])
    outcome = running.run()
    assert outcome.end is End.EXITED, str(outcome)
    told = b"".join(running.output).decode().splitlines()
    wanted = compile_and_run(text, folder, MACHINES[arch]).splitlines()
    assert len(told) == len(wanted) > 0
    for row, (got, right) in enumerate(zip(told, wanted, strict=True)):
        assert got.split() == right.split(), f"{row}\n{text}"


@pytest.mark.peer("gcc")
@pytest.mark.parametrize("arch", MACHINES)
def test_operators_and_conversions(arch: str, tmp_path: Path) -> None:
    if not can_run(MACHINES[arch], tmp_path):
        pytest.skip(f"gcc makes no programs here for {arch}")
    compare(program(Random(1), PAIRS), tmp_path, arch)


@pytest.mark.slow
@pytest.mark.peer("gcc")
def test_many_operators_and_conversions(tmp_path: Path) -> None:
    for _ in range(40):
        compare(program(Random(secrets.randbelow(1 << 40)), PAIRS), tmp_path, "lp64")


LITERALS: Final = """\
int printf(const char *, ...);
static void tell(long double x) {
  union { long double number; unsigned char bytes[16]; } view;
  view.number = x;
  for (int i = 9; i >= 0; i--) printf("%02x", view.bytes[i]);
  printf("\\n");
}
static long double global = 0.3L, list[3] = {1, 2.5f};
struct pair { char c; long double x; };
static struct pair make(long double x) { struct pair p = {1, x}; return p; }
static long double third(int n, long double x, long double y) { return n ? x / y : y; }
int main(void) {
  tell(0.1L); tell(1e-18L); tell(3.6e-4951L); tell(1.7e-4951L); tell(1.8e-4951L); tell(1.189731495357231765e4932L);
  tell(1e4933L); tell(1e-99999L); tell(0.0L); tell(-0.0L); tell(0x1.8p-3L); tell(0x.00001p+16400L); tell(0x1p-16445L);
  tell(0.1); tell(0.1f); tell(16777217.0f); tell(1.00000017881393432617187499f);
  tell(global); tell(list[0] + list[1] + list[2]); tell(make(7.25L).x); tell(third(1, 1, 3)); tell(third(0, 1, 3));
  struct pair p = make(2), q = p, *at = &q;
  at->x *= 1.5L;
  tell(q.x); tell(q.x ? 2.0L : 1); tell((p.x, at->x - 1));
  unsigned char *bytes = (unsigned char *)&p.x;
  bytes[9] |= 0x80;
  tell(p.x);
  return !(p.x == -2);
}
"""


@pytest.mark.peer("gcc")
def test_literals_and_memory(tmp_path: Path) -> None:
    compare(LITERALS, tmp_path, "lp64")


def test_padding_is_open() -> None:
    text = (
        "int main(void) { union { long double x; unsigned char b[16]; } u = {.b = {[12] = 3}}; u.x = 1;"
        " return u.b[9] + u.b[12]; }"
    )
    outcome = run(text)
    assert outcome.code == 0x3F
    assert [each.text for each in outcome.opens] == ["offset 12 of u is read before it has a value"]


def test_the_smallest_normal_number_can_be_stored_in_two_ways() -> None:
    assert from_bytes(bytes(7) + bytes((0x80, 0, 0))) == from_bytes(bytes(7) + bytes((0x80, 1, 0)))


def test_numbers_are_written_for_people() -> None:
    assert str(from_bytes(bytes(7) + bytes((0x80, 0xFF, 0x3F)))) == "1.0"
    assert str(from_bytes(bytes(7) + bytes((0x80, 0xFF, 0xFF)))) == "-oo"
    assert str(from_bytes(bytes((1,)) + bytes(6) + bytes((0x80, 0xFF, 0xBF)))) == "-1.00000000000000000011"
    assert str(from_bytes(bytes(8) + bytes((1, 0)))) == "NaN"
