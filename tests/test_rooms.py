"""A room imports only rooms of lower rank; imports under TYPE_CHECKING and inside functions count too."""

from __future__ import annotations

import ast
from pathlib import Path
from typing import TYPE_CHECKING, Final

import pytest

import remuda

if TYPE_CHECKING:
    from collections.abc import Iterator

PACKAGE: Final = Path(remuda.__file__).parent

RANK: Final = {
    "base": 0,
    "options": 0,  # a plain table: it imports nothing
    "option_values": 1,
    "terms": 1,
    "ir": 2,
    "smt": 2,
    "frontends": 3,
    "analysis": 3,
    "results": 3,
    "machine": 4,  # runs C; it reads the syntax trees of the front end, and nothing else of it
    "transforms": 4,
    "vc": 4,
    "replay": 4,
    "engines": 5,
    "backends": 5,  # runs other verifiers
    "jobs": 5,  # runs anything in worker processes; knows nothing of verification
    "tasks": 5,
    "property_files": 5,
    "prepare": 6,
    "export": 7,
    "synthesis": 7,
    "contracts": 7,
    "confirm": 7,
    "isolation": 8,
    "store": 8,
    "implications": 9,
    "portfolio": 10,
    "session": 11,
    "bench": 12,
    "cli": 13,
    "benchexec_tool": 14,
    "__main__": 14,
}


def room_of(file: Path) -> str:
    return file.relative_to(PACKAGE).parts[0].removesuffix(".py")


def imported_modules(tree: ast.AST) -> Iterator[tuple[int, str]]:
    """Every module of ours that a file imports, with the line; `from remuda import x` counts as `remuda.x`."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from ((node.lineno, alias.name) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"line {node.lineno}: relative imports hide which room is meant"
            if node.module == "remuda":
                yield from ((node.lineno, f"remuda.{alias.name}") for alias in node.names)
            else:
                yield node.lineno, node.module or ""


def breaches(room: str, name: str, text: str) -> list[str]:
    """The imports of one file that go sideways or up."""
    found = []
    for line, module in imported_modules(ast.parse(text)):
        parts = module.split(".")
        if parts[0] != "remuda" or len(parts) == 1 or parts[1].startswith("__"):
            continue
        target = parts[1]
        if target != room and RANK[target] >= RANK[room]:
            found.append(f"{name}:{line}: {room} -> {target}")
    return found


def source_files() -> list[Path]:
    return sorted(file for file in PACKAGE.rglob("*.py") if file != PACKAGE / "__init__.py")


def test_every_room_has_a_rank() -> None:
    unranked = {room_of(file) for file in source_files()} - RANK.keys()
    assert not unranked, f"give these a rank in {Path(__file__).name}: {sorted(unranked)}"


def test_rooms_import_only_lower_rooms() -> None:
    found = [
        breach
        for file in source_files()
        for breach in breaches(room_of(file), str(file.relative_to(PACKAGE)), file.read_text(encoding="utf-8"))
    ]
    assert found == []


def test_front_ends_do_not_import_each_other() -> None:
    folder = PACKAGE / "frontends"
    languages = sorted(path.name for path in folder.iterdir() if (path / "__init__.py").exists())
    found = []
    for own in languages:
        others = tuple(f"remuda.frontends.{other}" for other in languages if other != own)
        for file in sorted((folder / own).rglob("*.py")):
            modules = imported_modules(ast.parse(file.read_text(encoding="utf-8")))
            found += [f"{own}/{file.name}:{line}: {module}" for line, module in modules if module.startswith(others)]
    assert found == []


def test_the_machine_shares_only_syntax_trees_with_the_front_end() -> None:
    """It checks the verdicts of the other code, so it must not share errors with it."""
    allowed = ("remuda.base", "remuda.frontends.c.syntax", "remuda.machine")
    found = [
        f"{file.name}:{line}: {module}"
        for file in sorted((PACKAGE / "machine").glob("*.py"))
        for line, module in imported_modules(ast.parse(file.read_text(encoding="utf-8")))
        if module.startswith("remuda") and not module.startswith(allowed)
    ]
    assert found == []


def test_tests_share_helpers_only_through_modules_that_are_no_tests() -> None:
    tests = Path(__file__).parent
    found = [
        f"{file.relative_to(tests)}:{line}: {module}"
        for file in sorted(tests.rglob("*.py"))
        for line, module in imported_modules(ast.parse(file.read_text(encoding="utf-8")))
        if module.startswith("tests.") and module.split(".")[-1].startswith("test_")
    ]
    assert found == []


def test_a_breach_is_noticed() -> None:
    text = "if TYPE_CHECKING:\n    from remuda.engines.base import Engine\ndef f():\n    from remuda import vc\n"
    assert breaches("ir", "x.py", text) == ["x.py:2: ir -> engines", "x.py:4: ir -> vc"]


SMALL_ROOMS: Final = (
    *("prepare", "contracts", "confirm", "isolation", "store", "implications", "portfolio", "synthesis", "export"),
    *("session", "cli"),
)
MOST_LINES: Final = 500  # of a module there, and
MOST_IN_FUNCTION: Final = 60


@pytest.mark.parametrize("room", SMALL_ROOMS)
def test_modules_and_functions_are_short(room: str) -> None:
    long = []
    for file in sorted((PACKAGE / room).rglob("*.py")):
        text = file.read_text(encoding="utf-8")
        if len(text.splitlines()) > MOST_LINES:
            long.append(file.name)
        functions = [node for node in ast.walk(ast.parse(text)) if isinstance(node, ast.FunctionDef)]
        long += [
            f"{file.name}:{node.lineno} {node.name}"
            for node in functions
            if (node.end_lineno or 0) - node.lineno >= MOST_IN_FUNCTION
        ]
    assert long == []
