"""Random edits of Boogie programs, as people make them: another number, a statement more or less, another contract.

    random_edit(text, random)     -- another text, which may not be a program any more

Some edits take procedures from a second random program: those have the same names, so that much fits.
"""

from __future__ import annotations

import re
from random import Random
from typing import Final

from tests.random_programs import random_program

NUMBER: Final = re.compile(r"(?<![\w:$.])\d+(?![\w.])")
OPERATOR: Final = re.compile(r" (<=|<|==|!=|\+|-|&&|\|\|) ")
OTHER: Final = {"<=": "<", "<": "<=", "==": "!=", "!=": "==", "+": "-", "-": "+", "&&": "||", "||": "&&"}
STATEMENT: Final = re.compile(r"^\s+(?!var\b|goto\b|invariant\b|return\b).*;\s*$")
CONTRACT: Final = re.compile(r"^\s*(free )?(requires|ensures|invariant)\b.*;\s*$")
DECLARATION: Final = re.compile(r"^(axiom|const|var|type|function)\b.*$")
ADDITIONS: Final = (
    "assert g0 <= 1;",
    "assert g1 != 2;",
    "assert 0 <= x;",
    "assume g0 == 0;",
    "assume false;",
    "g0 := 1;",
    "g1 := g0;",
    "g0 := 5;",
    "x := g1;",
    "havoc g0; assume 0 <= g0 && g0 <= 1;",
    "call x := P1(g0);",
    "call x := P2(1);",
    "if (g0 == 1) { g1 := 0; }",
)


def random_edit(text: str, random: Random) -> str:
    """One edit, sometimes two."""
    for _ in range(random.choice([1, 1, 1, 2])):
        text = random.choice(EDITS)(text, random)
    return text


def change_number(text: str, random: Random) -> str:
    places = list(NUMBER.finditer(text))
    if not places:
        return text
    place = random.choice(places)
    return text[: place.start()] + str(random.choice([0, 1, 2, 3])) + text[place.end() :]


def change_operator(text: str, random: Random) -> str:
    places = list(OPERATOR.finditer(text))
    if not places:
        return text
    place = random.choice(places)
    return text[: place.start(1)] + OTHER[place.group(1)] + text[place.end(1) :]


def _lines(text: str, pattern: re.Pattern[str]) -> tuple[list[str], list[int]]:
    lines = text.split("\n")
    return lines, [number for number, line in enumerate(lines) if pattern.match(line)]


def delete_statement(text: str, random: Random) -> str:
    lines, found = _lines(text, STATEMENT)
    if found:
        del lines[random.choice(found)]
    return "\n".join(lines)


def add_statement(text: str, random: Random) -> str:
    lines, found = _lines(text, STATEMENT)
    if found:
        lines.insert(random.choice(found), f"  {random.choice(ADDITIONS)}")
    return "\n".join(lines)


def move_statement(text: str, random: Random) -> str:
    lines, found = _lines(text, STATEMENT)
    if found:
        line = lines[random.choice(found)]
        lines.insert(random.choice(found), line)
    return "\n".join(lines)


def delete_contract(text: str, random: Random) -> str:
    lines, found = _lines(text, CONTRACT)
    if found:
        del lines[random.choice(found)]
    return "\n".join(lines)


def copy_contract(text: str, random: Random) -> str:
    lines, found = _lines(text, CONTRACT)
    if found:
        lines.insert(random.choice(found), lines[random.choice(found)])
    return "\n".join(lines)


def change_declaration(text: str, random: Random) -> str:
    """Globals lose or get a `where`, axioms come and go."""
    lines, found = _lines(text, DECLARATION)
    if random.random() < 0.3:
        return "axiom " + random.choice(["true", "cap(0) == 0", "cap(2) <= 2", "0 < 1"]) + ";\n" + text
    if found:
        number = random.choice(found)
        line = lines[number]
        if line.startswith("axiom"):
            del lines[number]
        elif " where " in line:
            lines[number] = line.partition(" where ")[0] + ";"
    return "\n".join(lines)


def comment(text: str, random: Random) -> str:
    """Nothing that counts."""
    lines = text.split("\n")
    lines.insert(random.randrange(len(lines) + 1), "// an edit")
    return "\n".join(lines)


def splice(text: str, random: Random) -> str:
    """Procedures of another program in place of some of these."""
    other = _procedures(random_program(random, sharing=random.random() < 0.3).text)
    own = _procedures(text)
    for name in own:
        if name in other and random.random() < 0.4:
            own[name] = other[name]
    return "\n".join(own.values())


def swap_bodies(text: str, random: Random) -> str:
    """Procedures in another order."""
    own = _procedures(text)
    head = own.pop("", "")
    names = list(own)
    random.shuffle(names)
    return "\n".join([head, *(own[name] for name in names)])


def other_program(_: str, random: Random) -> str:
    return random_program(random).text


def _procedures(text: str) -> dict[str, str]:
    """Texts by the name of the procedure; what comes before the first has no name."""
    parts = re.split(r"^(?=procedure\b)", text, flags=re.MULTILINE)
    found: dict[str, str] = {}
    for part in parts:
        match = re.match(r"procedure\s+(?:\{[^}]*\}\s*)*(\w+)", part)
        found[match.group(1) if match else ""] = part
    return found


EDITS: Final = (
    change_number,
    change_number,
    change_operator,
    delete_statement,
    add_statement,
    add_statement,
    move_statement,
    delete_contract,
    copy_contract,
    change_declaration,
    comment,
    splice,
    swap_bodies,
    other_program,
)
