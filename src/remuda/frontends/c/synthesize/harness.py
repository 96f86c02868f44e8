"""The C text around a program that records samples: it stores them, supplies inputs, and limits the execution.

Samples go to a file that is mapped into memory, so that they survive a crash of the program. If possible, an
execution ends after a number of samples, and not after some time: then it is the same each time.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Final

from remuda.frontends.c.c_text import ASSERTS, ASSUMES
from remuda.frontends.c.lowering.reachable import nodes_of
from remuda.frontends.c.syntax.ast import Call
from remuda.frontends.c.syntax.types import FloatingType, IntegerType, PointerType, is_scalar
from remuda.frontends.c.syntax.walk import called_function
from remuda.frontends.c.synthesize.conditions import number

if TYPE_CHECKING:
    from remuda.base.predicates import Point
    from remuda.frontends.c.syntax import ast
    from remuda.frontends.c.syntax.types import CType

SAMPLES_NAME: Final = "samples"  # the file that is mapped, in the folder that the program runs in
SEED_NAME: Final = "REMUDA_SEED"
WORDS: Final = 1 << 20  # words of 8 bytes that one execution records
EVENTS: Final = 200_000  # after which an execution ends
FIRST_SAMPLES: Final = 48  # at each point all are recorded up to this number; then fewer and fewer
MEMORY_MB: Final = 1024
OUTPUT_MB: Final = 4
MICROSECONDS: Final = 500_000

# Functions that reach outside of the program's own folder, or wait. Programs call stubs instead, which return inputs.
STUB: Final = "remuda_stub_"
OUTSIDE: Final = frozenset(
    [
        "system",
        "popen",
        "fork",
        "vfork",
        "execl",
        "execlp",
        "execle",
        "execv",
        "execvp",
        "execvpe",
        "execve",
        "fexecve",
        "posix_spawn",
        "posix_spawnp",
        "kill",
        "killpg",
        "unlink",
        "unlinkat",
        "remove",
        "rename",
        "renameat",
        "renameat2",
        "rmdir",
        "mkdir",
        "mkdirat",
        "link",
        "linkat",
        "symlink",
        "symlinkat",
        "mkfifo",
        "mknod",
        "chmod",
        "fchmod",
        "chown",
        "fchown",
        "lchown",
        "truncate",
        "open",
        "open64",
        "openat",
        "openat64",
        "creat",
        "creat64",
        "fopen",
        "fopen64",
        "freopen",
        "opendir",
        "chdir",
        "fchdir",
        "chroot",
        "mount",
        "umount",
        "reboot",
        "ptrace",
        "syscall",
        "socket",
        "connect",
        "bind",
        "listen",
        "accept",
        "send",
        "sendto",
        "sendmsg",
        "sleep",
        "usleep",
        "nanosleep",
        "pause",
        "daemon",
        "setsid",
        "setpgid",
        "setpgrp",
        "setrlimit",
        "prctl",
    ]
)
OWN: Final = {"malloc": "remuda_malloc"}  # functions that the harness replaces by its own
THREADS: Final = frozenset({"pthread_create", "thrd_create"})
ENDS: Final = frozenset({"__VERIFIER_error", "reach_error"})

TEXT: Final = """\
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <unistd.h>
#ifdef __GLIBC__
#include <sys/personality.h>
#endif

static int64_t *remuda_area;
static long remuda_left = @EVENTS@;
static unsigned long remuda_hits[@POINTS@ + 1];
static struct remuda_range { int64_t low, high, *lowest, *highest; } remuda_ranges[@POINTS@ + 1][@COLUMNS@];
static uint64_t remuda_state = 1;
static unsigned remuda_style;
static const long long remuda_constants[] = {@CONSTANTS@};
static char remuda_space[1 << 22];
static unsigned long remuda_spent;

void remuda_end(void) { for (;;) syscall(SYS_exit_group, 0); }

static void remuda_limit(int what, unsigned long most) {
  struct rlimit limit = {most, most};
  setrlimit(what, &limit);
}

__attribute__((constructor(101))) static void remuda_start(int count, char **arguments) {
#ifdef __GLIBC__
  int kind = personality(0xffffffff); /* addresses that do not change from one execution to the next */
  if (kind != -1 && !(kind & ADDR_NO_RANDOMIZE) && personality(kind | ADDR_NO_RANDOMIZE) != -1 && count > 0) {
    if (personality(0xffffffff) & ADDR_NO_RANDOMIZE) execv("/proc/self/exe", arguments);
  }
#endif
  remuda_limit(RLIMIT_CORE, 0);
  remuda_limit(RLIMIT_CPU, 2);
  struct itimerval soon = {{0, 0}, {0, @MICROSECONDS@}}; /* of the processor: others may be busy */
  setitimer(ITIMER_PROF, &soon, 0);
  remuda_limit(RLIMIT_FSIZE, @OUTPUT@ * 1048576ul);
  remuda_limit(RLIMIT_AS, @MEMORY@ * 1048576ul);
  const char *seed = getenv("@SEED_NAME@");
  uint64_t start = seed ? strtoull(seed, 0, 10) : 1;
  remuda_style = start % 4;
  remuda_state = start * 0x9e3779b97f4a7c15ull + 0x2545f4914f6cdd1dull;
  int file = openat(AT_FDCWD, "@SAMPLES@", O_RDWR | O_CLOEXEC);
  if (file < 0) remuda_end();
  void *area = mmap(0, @WORDS@ * 8, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  if (area == MAP_FAILED) remuda_end();
  remuda_area = area;
}

static int64_t *remuda_take(int point, int count) {
  if (!remuda_area || remuda_area[0] < 0 || remuda_area[0] + count + 3 > @WORDS@) return 0;
  int64_t *at = remuda_area + remuda_area[0] + 1;
  at[0] = point;
  at[1] = count;
  remuda_area[0] += count + 2;
  return at + 2;
}

void remuda_record(int point, int count, ...) {
  if (--remuda_left < 0) remuda_end();
  unsigned long hits = ++remuda_hits[point];
  int64_t sample[@COLUMNS@];
  va_list values;
  va_start(values, count);
  for (int i = 0; i < count; i++) sample[i] = va_arg(values, long long);
  va_end(values);
  struct remuda_range *ranges = remuda_ranges[point];
  if (hits <= @FIRST@ || !(hits & (hits - 1)) || hits % 1009 == 0) {
    int64_t *at = remuda_take(point, count);
    for (int i = 0; at && i < count; i++) at[i] = sample[i];
  }
  for (int i = 0; i < count; i++) { /* what is greater or less than ever before is never missed */
    if (hits == 1) ranges[i].low = ranges[i].high = sample[i];
    int64_t **place = 0;
    if (sample[i] > ranges[i].high) ranges[i].high = sample[i], place = &ranges[i].highest;
    if (sample[i] < ranges[i].low) ranges[i].low = sample[i], place = &ranges[i].lowest;
    if (!place || hits <= @FIRST@) continue;
    if (!*place) *place = remuda_take(point, count);
    for (int j = 0; *place && j < count; j++) (*place)[j] = sample[j];
  }
}

static uint64_t remuda_next(void) {
  remuda_state ^= remuda_state << 13;
  remuda_state ^= remuda_state >> 7;
  remuda_state ^= remuda_state << 17;
  return remuda_state * 0x2545f4914f6cdd1dull >> 11;
}

long long remuda_input(void) {
  static const int tiny[] = {80, 15, 30, 10}, constant[] = {95, 85, 75, 45}, small[] = {100, 95, 95, 85};
  int chance = remuda_next() % 100;
  uint64_t value = remuda_next();
  if (chance < tiny[remuda_style]) return value % 3;
  if (chance < constant[remuda_style]) return remuda_constants[value % (sizeof remuda_constants / 8)];
  if (chance < small[remuda_style]) return (long long)(value % 120) - 16;
  return (long long)(value << 12 ^ value);
}

void *remuda_pointer(void) {
  if (remuda_next() % 4 == 0) return 0;
  remuda_spent = (remuda_spent + 4096) % sizeof remuda_space;
  return remuda_space + remuda_spent;
}

void *remuda_malloc(size_t size) { /* what is there at first may be anything; every other run, it is nothing but zeros */
  void **words = calloc(1, size ? size : 1);
  for (size_t i = 0; words && remuda_style % 2 && i < size / sizeof *words && i < 4096; i++) {
    unsigned chance = remuda_next() % 8;
    if (chance < 3) words[i] = remuda_pointer();
    else if (chance == 3) words[i] = (void *)(intptr_t)remuda_input();
  }
  return words;
}
"""


def harness(points: Sequence[Point], constants: Sequence[int]) -> str:
    """The text that is linked with the program. Inputs are often one of the constants."""
    inside = [each for each in constants if -(1 << 63) <= each < 1 << 63] or [0]
    values = {
        "EVENTS": EVENTS,
        "POINTS": len(points),
        "COLUMNS": max((len(point.variables) for point in points), default=1),
        "CONSTANTS": ", ".join(map(number, inside)),
        "MICROSECONDS": MICROSECONDS,
        "OUTPUT": OUTPUT_MB,
        "MEMORY": MEMORY_MB,
        "SEED_NAME": SEED_NAME,
        "SAMPLES": SAMPLES_NAME,
        "WORDS": WORDS,
        "FIRST": FIRST_SAMPLES,
    }
    text = TEXT
    for name, value in values.items():
        text = text.replace(f"@{name}@", str(value))
    return text


def stubs(missing: Iterable[tuple[str, CType | None]]) -> str:
    """Definitions of functions, each with the type of its result: they take any arguments.

    They are in a file of their own, which includes nothing, because their names may be those of the library.
    """
    lines = [
        "long long remuda_input(void);",
        "void *remuda_pointer(void);",
        "void remuda_end(void);",
        *(_stub(name, result) for name, result in missing),
    ]
    return "\n".join(lines) + "\n"


def replaced(unit: ast.Unit) -> dict[str, str]:
    """The functions of the library that a program must not use, and their replacements."""
    used = sorted(name for name in {*OUTSIDE, *OWN} if name in unit.functions and unit.functions[name].body is None)
    return {name: OWN.get(name, f"{STUB}{name}") for name in used}


def starts_threads(unit: ast.Unit) -> bool:
    """Whether the program may start threads, which make the samples of its runs differ."""
    calls = (node for function in unit.functions.values() for node in nodes_of(function) if isinstance(node, Call))
    return any(callee is not None and callee.name in THREADS for callee in map(called_function, calls))


def _stub(name: str, result: CType | None) -> str:
    if name in {*ASSERTS, *ASSUMES}:
        return f"int {name}(int condition) {{ if (!condition) remuda_end(); return 0; }}"
    if name in ENDS:
        return f"void {name}(void) {{ remuda_end(); }}"
    match result:
        case PointerType():
            return f"void *{name}(void) {{ return remuda_pointer(); }}"
        case FloatingType(name=type_):
            return f"{type_} {name}(void) {{ return ({type_})(int)remuda_input() / 4; }}"
        case IntegerType(is_bool=True):
            return f"_Bool {name}(void) {{ return remuda_input() & 1; }}"
        case IntegerType(width=width, signed=signed) if width <= 64:
            size = {8: "char", 16: "short", 32: "int", 64: "long long"}[width]
            type_ = f"{'signed' if signed else 'unsigned'} {size}"
            return f"{type_} {name}(void) {{ return ({type_})remuda_input(); }}"
        case _:
            return f"long long {name}(void) {{ return remuda_input(); }}"


def starter(functions: Sequence[ast.Function]) -> str:
    """A `main` that calls one of the functions with any arguments. It comes after the program's own text."""
    calls = []
    for position, function in enumerate(functions):
        arguments = ", ".join(
            "remuda_pointer()" if isinstance(parameter.type, PointerType) else "remuda_input()"
            for parameter in function.parameters
        )
        calls.append(f"case {position}: {function.name}({arguments}); break;")
    declared = "extern long long remuda_input(void); extern void *remuda_pointer(void);"
    choice = f"switch ((unsigned long long)remuda_input() % {len(functions)})"
    return f"\n#undef main\n{declared}\nint main(void) {{ {choice} {{ {' '.join(calls)} }} return 0; }}\n"


def can_start(function: ast.Function) -> bool:
    """Whether a function can be called with any arguments."""
    is_named = function.name.isidentifier() and function.body is not None
    return is_named and all(is_scalar(parameter.type) for parameter in function.parameters)
