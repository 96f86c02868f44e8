"""Random programs with candidate contracts and invariants, for comparing the sets that are kept.

    text = random_candidates(Random(7))

Procedures call each other, in cycles too, and have loops; candidates are bounds and relations of their results, true
and false ones. There are no other assertions: if one fails, Boogie's Houdini stops too early.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from random import Random

GLOBALS = ("g", "h")


def random_candidates(random: Random) -> str:
    """One program; the same generator state gives the same program."""
    return _Writer(random).write()


class _Writer:
    def __init__(self, random: Random) -> None:
        self.random = random
        self.candidates = 0
        self.procedures = [f"P{number}" for number in range(random.randint(1, 3))]

    def write(self) -> str:
        bodies = [self._procedure(name) for name in self.procedures]
        main = "procedure main() modifies g, h; { g := 0; h := 1; call P0(0); }"
        constants = [f"const {{:existential true}} b{number}: bool;" for number in range(self.candidates)]
        return "\n".join([*constants, "var g, h: int;", main, *bodies])

    def _candidate(self, condition: str) -> str:
        self.candidates += 1
        return f"b{self.candidates - 1} ==> {condition}"

    def _condition(self, names: list[str]) -> str:
        choose = self.random.choice
        right = choose(names) if self.random.random() < 0.3 else str(self.random.randint(-1, 3))
        return f"{choose(names)} {choose(['<=', '>=', '>=', '==', '!=', '<', '>'])} {right}"

    def _value(self, names: list[str]) -> str:
        name = self.random.choice(names)
        return self.random.choice(["0", "1", name, f"{name} + 1", f"{name} + 1", f"{name} - 1"])

    def _procedure(self, name: str) -> str:
        names = ["a", *GLOBALS]
        count = self.random.randint
        requires = [f"  requires {self._candidate(self._condition(names))};" for _ in range(count(0, 3))]
        after = [*names, "old(g)", "old(h)"]
        ensures = [f"  ensures {self._candidate(self._condition(after))};" for _ in range(count(1, 4))]
        body = [line for _ in range(count(1, 3)) for line in self._statement(["x", *names], 2)]
        lines = [f"procedure {name}(a: int) modifies g, h;", *requires, *ensures, "{", "  var x: int;", "  x := a;"]
        return "\n".join([*lines, *(f"  {line}" for line in body), "}"])

    def _statement(self, names: list[str], depth: int) -> list[str]:
        kinds = ["assign", "assign", "call", "assume", *(["if", "while"] if depth else [])]
        match self.random.choice(kinds):
            case "call":
                return [f"call {self.random.choice(self.procedures)}({self._value(names)});"]
            case "assume":
                return [f"assume {self._condition(names)};"]
            case "if":
                return [f"if ({self._condition(names)}) {{", *self._statement(names, depth - 1), "}"]
            case "while":
                invariants = [
                    f"  invariant {self._candidate(self._condition(names))};"
                    for _ in range(self.random.randint(1, 3))
                ]
                return [
                    f"while ({self._condition(names)})",
                    *invariants,
                    "{",
                    *self._statement(names, depth - 1),
                    "}",
                ]
            case _:
                return [f"{self.random.choice(['x', *GLOBALS])} := {self._value(names)};"]
