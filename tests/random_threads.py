"""Random small programs with threads, for comparing verdicts with running every schedule.

    program = random_threads(Random(7))

Threads share two globals in 0..2. There is everything that decides where threads can be interrupted: atomic sections,
in callees too, `yield` (then the program is cooperative), threads started in atomic sections, by threads and by
callees, arguments and results in shared globals, blocking assumptions, thread-local globals, a lock that most
accesses to the globals are made with (some are not, and some threads give it back that do not have it). All values
that start arbitrary lie in 0..1.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, final

if TYPE_CHECKING:
    from random import Random

DOMAIN = (0, 1)
ENTRY = "main"

Lines = list[str]

TAKE = "call corral_atomic_begin(); assume lock == 0; lock := 1; call corral_atomic_end();"


@final
@dataclass(slots=True)
class _Features:
    threads: int
    cooperative: bool
    atomic: bool
    helper: bool
    nested: bool
    thread_local: bool
    contracts: bool
    arbitrary: bool  # how the globals start
    length: int
    lock: bool


def random_threads(random: Random) -> str:
    """One program; the same generator state gives the same program."""
    features = _Features(
        threads=random.choice([1, 1, 2]),
        cooperative=random.random() < 0.3,
        atomic=random.random() < 0.5,
        helper=random.random() < 0.4,
        nested=random.random() < 0.3,
        thread_local=random.random() < 0.2,
        contracts=random.random() < 0.2,
        arbitrary=random.random() < 0.3,
        length=random.choice([1, 2, 2, 3]),
        lock=False,
    )
    if random.random() < 0.3:
        features.lock, features.cooperative, features.length = True, False, min(features.length, 2)
    return _Writer(random, features).write()


@final
class _Writer:
    def __init__(self, random: Random, features: _Features) -> None:
        self.random = random
        self.features = features
        self.readable = ["g0", "g1", "x"]
        self.writable = ["g0", "g1", "x"]
        self.starts: Lines = []  # asynchronous calls still to be written
        self.locked = False  # whether the lock should be held here
        if features.thread_local:
            self.readable.append("t")
            self.writable.append("t")

    def write(self) -> str:
        features = self.features
        procedures = []
        threads = [f"T{number}" for number in range(features.threads)]
        procedures.append(self._main(threads))
        for number, name in enumerate(threads):
            nested = threads[number + 1 :] if features.nested and self.chance(0.5) else []
            procedures.append(self._thread(name, nested[:1]))
        if features.helper:
            procedures.append(self._helper())
        return "\n".join([self._declarations(), *procedures])

    def chance(self, probability: float) -> bool:
        return self.random.random() < probability

    # --- expressions

    def atom(self) -> str:
        return self.random.choice(self.readable) if self.chance(0.7) else str(self.random.randint(0, 2))

    def value(self) -> str:
        if self.chance(0.5):
            return str(self.random.randint(0, 2))
        return self.atom() if self.chance(0.6) else f"cap({self.atom()} + 1)"

    def condition(self) -> str:
        left = self.random.choice(self.readable)
        return f"{left} {self.random.choice(['==', '!=', '<=', '<'])} {self.atom()}"

    def claim(self) -> str:
        """The condition of an assertion, which mostly only few schedules violate."""
        if self.chance(0.4):
            return self.condition()
        return f"!(g0 == {self.random.randint(0, 2)} && g1 == {self.random.randint(0, 2)} && {self.condition()})"

    # --- statements

    def statements(self, count: int, *, inside: bool = False) -> Lines:
        return [line for _ in range(count) for line in self.statement(inside=inside)]

    def statement(self, *, inside: bool) -> Lines:
        kinds = ["assign", "assign", "assign", "assign", "assert", "assume", "if", "havoc"]
        if self.features.helper:
            kinds += ["call", "call"]
        if self.features.atomic and not inside:
            kinds += ["atomic", "atomic"]
        if self.features.cooperative:
            kinds += ["yield", "yield", "yield"]
        if self.starts:
            kinds += ["start", "start"]
        if self.features.lock and not inside and not self.locked:
            kinds = ["locked"] if self.chance(0.8) else kinds
        match self.random.choice(kinds):
            case "assert":
                return [f"assert {self.claim()};"]
            case "assume":
                return [f"assume {self.condition()};"]
            case "if":
                then = self.statements(1, inside=inside)
                return [f"if ({self.condition()}) {{", *(f"  {line}" for line in then), "}"]
            case "havoc":
                return ["havoc x;", "assume 0 <= x && x <= 1;"]
            case "call":
                return [f"call {self.random.choice(self.writable)} := Helper({self.atom()});"]
            case "atomic":
                body = self.statements(self.random.randint(1, 2), inside=True)
                end = [] if self.chance(0.1) else ["call corral_atomic_end();"]
                return ["call corral_atomic_begin();", *body, *end]
            case "locked":
                return self.with_lock()
            case "yield":
                return ["yield;"]
            case "start":
                return [self.starts.pop()]
            case _:
                if self.chance(0.1):
                    return [f"g0, g1 := {self.value()}, {self.value()};"]
                return [f"{self.random.choice(self.writable)} := {self.value()};"]

    def with_lock(self) -> Lines:
        self.locked = True
        body = self.statements(self.random.randint(1, 2))
        self.locked = False
        take = self.random.choice(["call Lock();", TAKE]) if self.chance(0.95) else ""
        give = self.random.choice(["call Unlock();", "lock := 0;"]) if self.chance(0.95) else ""
        if self.chance(0.05):
            body = [f"if ({self.condition()}) {{", *body, "}"]
        if self.chance(0.05):
            give = f"if ({self.condition()}) {{ lock := 0; }}"
        return [take, *body, give]

    # --- procedures

    def _declarations(self) -> str:
        lines = ["var g0: int;", "var g1: int;"]
        if self.features.thread_local:
            lines.append("var {:thread_local} t: int where 0 <= t && t <= 1;")
        if self.features.lock:
            lines += ["var lock: int;", f"procedure Lock() {{ {TAKE} }}", "procedure Unlock() { lock := 0; }"]
        if self.features.atomic or self.features.lock:
            lines += ["procedure corral_atomic_begin();", "procedure corral_atomic_end();"]
        lines.append("function {:inline} cap(i: int): int { if i > 2 then 2 else i }")
        return "\n".join(lines)

    def _main(self, threads: Lines) -> str:
        self.readable = [name for name in self.readable if name != "a"]
        if self.features.arbitrary:
            start = ["assume 0 <= g0 && g0 <= 1;", "assume 0 <= g1 && g1 <= 1;"]
        else:
            start = ["g0 := 0;", "g1 := 0;"]
        lines = [*start, *(["lock := 0;"] if self.features.lock else []), "x := 0;"]
        self.starts = [f"async call {name}({self.atom()});" for name in reversed(threads)]
        lines += self.statements(1 if self.chance(0.3) else 0)
        lines += [self.starts.pop()] if self.starts and self.chance(0.6) else []
        lines += self.statements(self.features.length)
        while self.starts:
            lines.append(self.starts.pop())
        lines += [*self.statements(1), f"assert {self.claim()};"]
        return _procedure(f"{{:entrypoint}} {ENTRY}()", lines)

    def _thread(self, name: str, nested: Lines) -> str:
        self.readable = [*dict.fromkeys([*self.readable, "a"])]
        self.starts = [f"async call {other}({self.atom()});" for other in nested]
        lines = ["x := a;", *self.statements(self.features.length)]
        if self.chance(0.5):
            lines.append(f"assert {self.claim()};")
        contract = f" requires a <= {self.random.randint(1, 2)};" if self.features.contracts else ""
        return _procedure(f"{name}(a: int){contract}", lines)

    def _helper(self) -> str:
        self.starts = []
        self.readable = [*dict.fromkeys([*self.readable, "a"])]
        self.features.helper = False  # it does not call itself
        lines = ["x := a;", *self.statements(1), f"r := {self.value()};"]
        if self.chance(0.5):
            lines.insert(1, f"assert a {self.random.choice(['==', '<='])} {self.random.choice(['g0', 'g1'])};")
        contract = ""
        if self.features.contracts:
            word = "free ensures" if self.chance(0.5) else "ensures"
            contract = f" {word} {self.random.choice(['r <= 1', 'old(g0) <= g0', 'r == g1'])};"
        return _procedure(f"Helper(a: int) returns (r: int){contract}", lines)


def _procedure(header: str, lines: Lines) -> str:
    body = "\n".join(f"  {line}" for line in ["var x: int;", *lines])
    return f"procedure {header}\n{{\n{body}\n}}"
