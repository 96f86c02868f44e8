"""Random Boogie programs as text, for the properties that engines and transforms must have.

    var g0: int;
    var g1: int;
    procedure {:entrypoint} Main() modifies g0, g1; { var x: int; ... }
    procedure P1(a: int) returns (r: int) modifies g0, g1; { ... }

Every value that is chosen freely is in 0..2 (by an assumption after each havoc and at the start of the entry), and
locals and results are set before they are used. So exploring the domain (0, 1, 2) covers every execution.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from hypothesis import strategies as st

DOMAIN = (0, 1, 2)
ENTRY = "Main"

Lines = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Shape:
    """The features of a generated program. `index` is that of the procedure being written."""

    loops: bool = True
    recursion: bool = False
    calls: bool = True
    procedures: int = 2
    globals: int = 2
    statements: int = 3
    depth: int = 2
    index: int = 0

    @property
    def variables(self) -> tuple[str, ...]:
        """What statements may assign."""
        local = ("x",) if self.index == 0 else ("x", "r")
        return (*(f"g{number}" for number in range(self.globals)), *local)

    @property
    def readable(self) -> tuple[str, ...]:
        return self.variables if self.index == 0 else (*self.variables, "a")

    @property
    def callees(self) -> tuple[int, ...]:
        """Procedures further down; with recursion, this one and those above it too (never the entry)."""
        first = 1 if self.recursion else self.index + 1
        return tuple(range(first, self.procedures))


# --- expressions


def atoms(shape: Shape) -> st.SearchStrategy[str]:
    return st.one_of(st.integers(0, 3).map(str), st.sampled_from(shape.readable))


def expressions(shape: Shape) -> st.SearchStrategy[str]:
    """A constant, a variable, or a sum or difference of two."""
    variables = st.sampled_from(shape.readable)
    operators = st.sampled_from(["+", "-"])
    sums = st.tuples(variables, operators, atoms(shape)).map(lambda parts: f"{parts[0]} {parts[1]} {parts[2]}")
    return st.one_of(atoms(shape), sums)


def conditions(shape: Shape) -> st.SearchStrategy[str]:
    relations = st.sampled_from(["==", "!=", "<", "<="])
    comparison = st.tuples(st.sampled_from(shape.readable), relations, expressions(shape)).map(" ".join)
    both = st.tuples(comparison, st.sampled_from(["&&", "||", "==>"]), comparison).map(
        lambda parts: f"({parts[0]}) {parts[1]} ({parts[2]})"
    )
    return st.one_of(comparison, both)


# --- statements


def _chosen(variable: str) -> Lines:
    return (f"havoc {variable};", f"assume 0 <= {variable} && {variable} <= 2;")


def _indented(lines: Lines) -> Lines:
    return tuple(f"  {line}" for line in lines)


def _branch(parts: tuple[str, Lines, Lines]) -> Lines:
    condition, then, otherwise = parts
    if not otherwise:
        return (f"if ({condition}) {{", *_indented(then), "}")
    return (f"if ({condition}) {{", *_indented(then), "} else {", *_indented(otherwise), "}")


def _loop(parts: tuple[str, Lines]) -> Lines:
    return (f"while ({parts[0]}) {{", *_indented(parts[1]), "}")


def _call(parts: tuple[str, int, str]) -> Lines:
    result, callee, argument = parts
    return (f"call {result} := P{callee}({argument});",)


def simple_statements(shape: Shape) -> list[st.SearchStrategy[Lines]]:
    targets = st.sampled_from(shape.variables)
    found: list[st.SearchStrategy[Lines]] = [
        st.tuples(targets, expressions(shape)).map(lambda parts: (f"{parts[0]} := {parts[1]};",)),
        conditions(shape).map(lambda condition: (f"assert {condition};",)),
        targets.map(_chosen),
        conditions(shape).map(lambda condition: (f"assume {condition};",)),
    ]
    if shape.calls and shape.callees:
        locals_ = st.sampled_from([name for name in shape.variables if not name.startswith("g")])
        found.append(st.tuples(locals_, st.sampled_from(shape.callees), expressions(shape)).map(_call))
    return found


def statements(shape: Shape, depth: int) -> st.SearchStrategy[Lines]:
    """One statement, as lines."""
    found = simple_statements(shape)
    if depth > 0:
        inner = statement_lists(shape, depth - 1)
        guards = st.one_of(conditions(shape), st.just("*"))
        found.append(st.tuples(guards, inner, st.one_of(st.just(()), inner)).map(_branch))
        if shape.loops:
            found.append(st.tuples(guards, inner).map(_loop))
    return st.one_of(found)


def statement_lists(shape: Shape, depth: int) -> st.SearchStrategy[Lines]:
    lists = st.lists(statements(shape, depth), min_size=1, max_size=shape.statements)
    return lists.map(lambda parts: tuple(line for part in parts for line in part))


# --- procedures and programs


def _procedure(shape: Shape, body: Lines) -> str:
    names = [f"g{number}" for number in range(shape.globals)]
    modifies = f"  modifies {', '.join(names)};"
    if shape.index == 0:
        head = f"procedure {{:entrypoint}} {ENTRY}()"
        start = tuple(f"assume 0 <= {name} && {name} <= 2;" for name in names)
    else:
        head = f"procedure P{shape.index}(a: int) returns (r: int)"
        start = ("r := 0;",)
    lines = ("var x: int;", "x := 0;", *start, *body)
    return "\n".join((head, modifies, "{", *_indented(lines), "}"))


def procedures(shape: Shape) -> st.SearchStrategy[str]:
    """The procedure number `shape.index`; the entry always ends with an assertion."""
    bodies = statement_lists(shape, shape.depth)
    if shape.index == 0:
        last = conditions(shape).map(lambda condition: (f"assert {condition};",))
        bodies = st.tuples(bodies, last).map(lambda parts: parts[0] + parts[1])
    return bodies.map(lambda body: _procedure(shape, body))


def programs(shape: Shape | None = None) -> st.SearchStrategy[str]:
    """Whole programs of the given shape."""
    shape = shape or Shape()
    declarations = "\n".join(f"var g{number}: int;" for number in range(shape.globals))
    parts = [procedures(replace(shape, index=index)) for index in range(shape.procedures)]
    return st.tuples(*parts).map(lambda texts: "\n\n".join((declarations, *texts)) + "\n")
