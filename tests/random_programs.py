"""Random Boogie programs with many difficult features, for property tests.

    program = random_program(Random(7))
    program.text       -- contracts as contracts
    program.explicit   -- the same program with every contract written out as assertions and assumptions

Every assertion has a number (`assert {:tag 3} x < y;`) that is the same in both texts. Integers with arbitrary first
values are in 0..1 (by a `where` clause, an assumption or a contract), and maps are read at 0 and 1 only after they
have been set there. So exploring the domain (0, 1) covers every execution.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from random import Random
from typing import final

from hypothesis import strategies as st

DOMAIN = (0, 1)
ENTRY = "Main"

Lines = list[str]


@final
@dataclass(frozen=True, slots=True)
class RandomProgram:
    """A program twice: with contracts, and with their meaning written out."""

    text: str
    explicit: str


@final
@dataclass(slots=True)
class _Features:
    """The features of a program."""

    procedures: int
    loops: bool
    recursion: bool
    gotos: bool
    maps: bool
    booleans: bool
    contracts: bool
    library: bool
    constants: bool
    wheres: bool
    old: bool
    entries: bool  # executions start in every procedure
    growth: bool  # values outside the domain
    sharing: bool  # many calls of few procedures, on branches and one after the other
    statements: int
    depth: int


@final
@dataclass(slots=True)
class _Procedure:
    name: str
    starts_at_zero: bool = False  # its own variables
    requires: list[tuple[int, str]] = field(default_factory=list)  # tag 0: free
    ensures: list[tuple[int, str]] = field(default_factory=list)


def random_program(random: Random, *, loops: bool = True, calls: bool = True, sharing: bool = False) -> RandomProgram:
    """One program; the same generator state gives the same program.

    With `sharing` its procedures are called from several places, so that searches can share their instances.
    """
    entries = random.random() < 0.15
    features = _Features(
        procedures=random.randint(3, 5) if sharing else random.randint(1, 3) if calls else 1,
        loops=loops and random.random() < 0.7,
        recursion=random.random() < 0.4,
        gotos=random.random() < 0.35,
        maps=not entries and random.random() < 0.3,
        booleans=random.random() < 0.4,
        contracts=random.random() < 0.4,
        library=calls and random.random() < 0.3,
        constants=random.random() < 0.2,
        wheres=entries or random.random() < 0.4,
        old=random.random() < 0.3,
        entries=entries,
        growth=random.random() < 0.3,
        sharing=sharing,
        statements=random.randint(1, 2) if sharing else random.randint(2, 4),
        depth=random.choice([0, 1, 1] if sharing else [0, 1, 2, 2]),
    )
    return _Writer(random, features).write()


@final
class _Writer:
    def __init__(self, random: Random, features: _Features) -> None:
        self.random = random
        self.features = features
        self.tags = 0
        self.procedures = [_Procedure(ENTRY), *(_Procedure(f"P{n}") for n in range(1, features.procedures))]
        self.library = _Procedure("Lib")
        self.current = self.procedures[0]
        self.loops = 0  # how many surround the statement being written
        self.calls = 0  # how many more the current procedure may make, so that formulas stay small

    def write(self) -> RandomProgram:
        for procedure in self.procedures:
            self.current = procedure
            if self.features.entries and procedure.name != ENTRY:
                procedure.requires.append((self.tag(), "0 <= a && a <= 1"))
            if self.features.contracts:
                self._contract(procedure, is_entry=procedure.name == ENTRY)
        if self.features.library:
            self.current = self.library
            self._contract(self.library, is_entry=False)
            self.library.ensures = [(0, "0 <= r && r <= 1"), (0, "0 <= g0 && g0 <= 1"), *self.library.ensures[:1]]
        declarations = self._declarations()
        texts, explicit = [declarations], [declarations]
        for procedure in self.procedures:
            self.current = procedure
            # Otherwise there are too many executions.
            procedure.starts_at_zero = self.features.sharing and self.chance(0.8)
            self.calls = self._most_calls()
            body = self._body()
            texts.append(self._text(procedure, body))
            explicit.append(self._explicit(procedure, body))
        if self.features.library:
            texts.append(self._library(explicit=False))
            explicit.append(self._library(explicit=True))
        return RandomProgram("\n".join(texts), "\n".join(explicit))

    # --- choices

    def chance(self, probability: float) -> bool:
        return self.random.random() < probability

    def tag(self) -> int:
        self.tags += 1
        return self.tags

    # --- names

    @property
    def integers(self) -> list[str]:
        found = ["g0", "g1", "x"]
        return found if self.current.name == ENTRY else [*found, "r"]

    @property
    def readable(self) -> list[str]:
        found = list(self.integers)
        if self.current.name != ENTRY:
            found.append("a")
        if self.features.constants:
            found += ["c0", "c1"]
        return found

    # --- expressions

    def atom(self) -> str:
        if self.features.maps and self.chance(0.2):
            return f"m[at({self.random.choice(self.readable)})]"
        if self.features.old and self.chance(0.1):
            return self.random.choice(["old(g0)", "old(g0 + g1)", "old(g1)"])
        return self.random.choice(self.readable) if self.chance(0.6) else str(self.random.randint(0, 2))

    def expression(self) -> str:
        kind = self.random.random()
        if kind < 0.4:
            return self.atom()
        if kind < 0.9:
            return f"{self.atom()} {self.random.choice(['+', '-'])} {self.atom()}"
        return f"(if {self.comparison()} then {self.atom()} else {self.atom()})"

    def value(self) -> str:
        """The assigned value, which is small unless the program may have growing values."""
        expression = self.expression()
        return expression if self.features.growth and self.chance(0.5) else f"cap({expression})"

    def comparison(self) -> str:
        if self.features.booleans and self.chance(0.3):
            return self.random.choice(["b", "!b", "t", "!t", "(b <==> t)"])
        operator = self.random.choice(["==", "!=", "<", "<=", "=="])
        left = self.random.choice(self.readable)
        right = self.expression()
        return f"{left} {operator} {right if right != left else 1}"

    def condition(self) -> str:
        if self.chance(0.7):
            return self.comparison()
        return f"({self.comparison()}) {self.random.choice(['&&', '||', '==>'])} ({self.comparison()})"

    def _claim(self) -> str:
        """A condition, or one that `cap` makes true more often than not."""
        if self.chance(0.6):
            return self.condition()
        name = self.random.choice(self.integers)
        return self.random.choice([f"0 <= {name}", f"{name} <= 2", f"{name} < 2 || {name} == 2"])

    # --- statements

    def statement(self, depth: int) -> Lines:
        match self.random.choice(self._kinds(depth)):
            case "assert":
                return [f"assert {{:tag {self.tag()}}} {self._claim()};"]
            case "assume":
                return [f"assume ({self.condition()}) || {self.comparison()};"]
            case "havoc":
                return self._havoc()
            case "call":
                self.calls -= 1
                return [self._call(self.random.choice(self._callees()))]
            case "store":
                return [f"m[at({self.atom()})] := {self.value()};"]
            case "boolean":
                return [f"{self.random.choice(['b', 't'])} := {self.condition()};"]
            case "break":
                return [f"if ({self.random.choice(['*', self.comparison()])}) {{", "  break;", "}"]
            case "if":
                return self._if(depth)
            case "count":
                return self._counting(depth)
            case "while":
                return self._while(depth)
            case _:
                return [self._assignment()]

    def _kinds(self, depth: int) -> list[str]:
        """The kinds of the next statement, each repeated by its weight."""
        kinds = ["assign", "assign", "assert", "assert", "havoc", "assume" if self.chance(0.4) else "assign"]
        if self.calls and self._callees():
            kinds += ["call", "call"]
        if self.features.maps:
            kinds.append("store")
        if self.features.booleans:
            kinds.append("boolean")
        if depth > 0:
            kinds += ["if", "if"]
            if self.features.loops:
                kinds += ["while", "while", "count"]
        if self.loops:
            kinds.append("break")
        return kinds

    def _assignment(self) -> str:
        if self.chance(0.15):
            first, second = self.random.sample(self.integers, 2)
            return f"{first}, {second} := {self.value()}, {self.value()};"
        return f"{self.random.choice(self.integers)} := {self.value()};"

    def _havoc(self) -> Lines:
        chosen = self.random.choice(self.integers)
        if self.features.booleans and self.chance(0.3):
            return [f"havoc b, {chosen};", f"assume 0 <= {chosen} && {chosen} <= 1;"]
        return [f"havoc {chosen};", f"assume 0 <= {chosen} && {chosen} <= 1;"]

    def _if(self, depth: int) -> Lines:
        guard = "*" if self.chance(0.3) else self.condition()
        lines = [f"if ({guard}) {{", *_indented(self.statements(depth - 1)), "}"]
        if self.chance(0.5):
            lines[-1] = "} else {"
            lines += [*_indented(self.statements(depth - 1)), "}"]
        return lines

    def _while(self, depth: int) -> Lines:
        guard = "*" if self.chance(0.3) else self.condition()
        self.loops += 1
        body = self.statements(depth - 1)
        self.loops -= 1
        head = [f"while ({guard})"]
        if self.features.contracts and self.chance(0.2):
            head.append(f"  invariant {{:tag {self.tag()}}} {self.condition()};")
        return [*head, "{", *_indented(body), "}"]

    def _counting(self, depth: int) -> Lines:
        """A loop whose trip count can be seen, unless its body spoils it."""
        counter = self.random.choice(["x", "g1"])
        self.loops += 1
        body = self.statements(depth - 1) if self.chance(0.5) else [f"assert {{:tag {self.tag()}}} {self._claim()};"]
        self.loops -= 1
        limit = self.random.randint(0, 4)
        step = f"{counter} := {counter} + 1;"
        return [f"{counter} := 0;", f"while ({counter} < {limit}) {{", *_indented([*body, step]), "}"]

    def statements(self, depth: int) -> Lines:
        count = self.random.randint(1, self.features.statements)
        return [line for _ in range(count) for line in self.statement(depth)]

    # --- calls and contracts

    def _most_calls(self) -> int:
        if not self.features.sharing:
            return 2 if self.features.recursion else 4
        return 2 if self.features.recursion and self.current in self._recursive() else 4

    def _recursive(self) -> list[_Procedure]:
        """Those that may call each other if instances are to be shared: a large recursion leaves little to share."""
        return self.procedures[max(1, len(self.procedures) - 2) :]

    def _callees(self) -> list[_Procedure]:
        index = next((i for i, each in enumerate(self.procedures) if each is self.current), 0)
        if self.features.sharing and not self.features.entries:
            again = self._recursive() if self.features.recursion and self.current in self._recursive() else []
            return list({each.name: each for each in (*self.procedures[index + 1 :], *again)}.values())
        first = 1 if self.features.recursion else index + 1
        callees = self.procedures[first:]
        if self.features.recursion and self.features.entries:
            callees = self.procedures
        return [*callees, self.library] if self.features.library else callees

    def _call(self, callee: _Procedure) -> str:
        """A call, marked so that `_explicit` can put the callee's preconditions before it."""
        if callee.name == ENTRY:
            return f"call {ENTRY}();"
        results = ["x"] if self.current.name == ENTRY else ["x", "r"]
        if self.chance(0.2):
            results = ["g0", "g1"]
        return f"call {self.random.choice(results)} := {callee.name}({self.expression()});"

    def _calls_to_share(self) -> Lines:
        """Calls of one procedure: on branches, which exclude each other, and maybe after them."""
        callees = self._callees()
        callee = callees[0] if self.chance(0.6) else self.random.choice(callees)
        branches = min(self.calls, self.random.choice([2, 2, 3]))
        lines: Lines = []
        for branch in range(branches):
            guard = "*" if self.chance(0.4) else self.condition()
            if branch == branches - 1:
                lines.append("} else {")
            else:
                lines.append(f"}} else if ({guard}) {{" if lines else f"if ({guard}) {{")
            inner = self.random.choice(callees) if self.chance(0.2) else callee
            lines += _indented([self._call(inner), *([self._assignment()] if self.chance(0.3) else [])])
        lines.append("}")
        self.calls -= branches
        if self.calls and self.chance(0.5):
            self.calls -= 1
            lines.append(self._call(callee))
        if self.features.loops and self.chance(0.2):
            return [f"while ({self.random.choice(['*', self.condition()])}) {{", *_indented(lines), "}"]
        return lines

    def _contract(self, procedure: _Procedure, *, is_entry: bool) -> None:
        if self.chance(0.4) and not is_entry:
            procedure.requires.append(
                (0 if self.chance(0.3) else self.tag(), self._state_condition(["a", "g0", "g1"]))
            )
        if self.chance(0.5):
            results = [] if is_entry else ["r"]
            condition = self._state_condition([*results, "g0", "g1", "old(g0)", "old(g1)"])
            procedure.ensures.append((0 if self.chance(0.3) else self.tag(), condition))

    def _state_condition(self, names: list[str]) -> str:
        operator = self.random.choice(["<=", "==", "!=", "<="])
        right = self.random.choice([*names, "0", "1", "2"])
        return f"{self.random.choice(names)} {operator} {right}"

    # --- bodies

    def _body(self) -> Lines:
        if self.features.gotos and self.chance(0.2 if self.features.sharing else 0.7):
            return self._graph()
        shared = self._calls_to_share() if self.features.sharing and self._callees() and self.chance(0.9) else []
        lines = [*shared, *self.statements(self.features.depth)]
        if shared and self.chance(0.5):
            lines = [*self.statement(0), *lines]
        if self.current.name == ENTRY:
            lines.append(f"assert {{:tag {self.tag()}}} {self._claim()};")
        if self.chance(0.2):
            lines.append("return;")
        return lines

    def _graph(self) -> Lines:
        """Blocks with jumps anywhere: loops, cycles with several entries, blocks that nothing reaches."""
        count = self.random.randint(2, 6)
        lines: Lines = []
        for block in range(count):
            lines.append(f"L{block}:")
            if self.chance(0.3):
                lines.append(f"  assume {self.condition()};")
            for _ in range(self.random.randint(0, 2)):
                lines += _indented(self.statement(0))
            lines.append(f"  {self._jump(block, count)}")
        return lines

    def _jump(self, block: int, count: int) -> str:
        if self.chance(0.15) or (block == count - 1 and self.chance(0.7)):
            return "return;"
        later = list(range(block + 1, count)) or [block]
        pool = later if not self.features.loops or self.chance(0.5) else list(range(count))
        targets = self.random.sample(pool, min(len(pool), self.random.randint(1, 2)))
        return f"goto {', '.join(f'L{target}' for target in targets)};"

    # --- text

    def _declarations(self) -> str:
        lines = ["var g0: int;", "var g1: int;"]
        if self.features.wheres:
            lines = [f"var {name}: int where 0 <= {name} && {name} <= 1;" for name in ("g0", "g1")]
        if self.features.booleans:
            lines.append("var b: bool;")
        if self.features.maps:
            lines += ["var m: [int]int;", "function {:inline} at(i: int): int { if i <= 0 then 0 else 1 }"]
        if self.features.constants:
            lines += [f"const unique c{number}: int; axiom 0 <= c{number} && c{number} <= 1;" for number in (0, 1)]
        lines.append("function {:inline} cap(i: int): int { if i < 0 then 0 else if i > 2 then 2 else i }")
        return "\n".join(lines) + "\n"

    def _globals(self) -> list[str]:
        found = ["g0", "g1"]
        if self.features.booleans:
            found.append("b")
        if self.features.maps:
            found.append("m")
        return found

    def _header(self, procedure: _Procedure) -> str:
        if procedure.name == ENTRY:
            return f"procedure {{:entrypoint}} {ENTRY}()"
        mark = "{:entrypoint} " if self.features.entries else ""
        return f"procedure {mark}{procedure.name}(a: int) returns (r: int)"

    def _locals(self) -> Lines:
        lines = ["var x: int where 0 <= x && x <= 1;" if self.features.wheres else "var x: int;"]
        if self.features.booleans:
            lines.append("var t: bool;")
        return lines

    def _start(self, procedure: _Procedure) -> Lines:
        lines = [] if self.features.wheres else ["assume 0 <= x && x <= 1;"]
        if procedure.starts_at_zero:
            lines.append("x := 0;" if procedure.name == ENTRY else "x, r := 0, 0;")
        if procedure.name != ENTRY:
            return [*lines, "assume 0 <= r && r <= 1;"]
        if not self.features.wheres:
            lines += [f"assume 0 <= {name} && {name} <= 1;" for name in ("g0", "g1")]
        if self.features.maps:
            lines += ["m[0] := g1;", "m[1] := 1;"]
        return lines

    def _text(self, procedure: _Procedure, body: Lines) -> str:
        clauses = [_clause("requires", *each) for each in procedure.requires]
        clauses += [_clause("ensures", *each) for each in procedure.ensures]
        lines = [*self._locals(), *self._start(procedure), *body]
        return _procedure_text(self._header(procedure), [self._modifies(), *clauses], lines)

    def _explicit(self, procedure: _Procedure, body: Lines) -> str:
        """The procedure with its own contract, and those of its callees, as statements."""
        saves = ["var old_g0: int;", "var old_g1: int;"]
        opening = ["old_g0 := g0;", "old_g1 := g1;", *self._start_assumptions(procedure)]
        closing = [_check(tag, _without_old(term)) for tag, term in procedure.ensures if tag]
        closing += [f"assume {_without_old(term)};" for tag, term in procedure.ensures if not tag]
        lines = [*self._locals(), *saves, *opening, *self._start(procedure)]
        for line in body:
            indent = line[: len(line) - len(line.lstrip())]
            before = closing if line.strip() == "return;" else self._call_checks(line.strip())
            lines += [*(indent + each for each in before), line]
        if body[-1].strip() != "return;":
            lines += closing
        return _procedure_text(self._header(procedure), [self._modifies()], lines)

    def _start_assumptions(self, procedure: _Procedure) -> Lines:
        """Preconditions are assumed where executions start; where the procedure is called, they have been checked."""
        return [f"assume {term};" for tag, term in procedure.requires if not tag or self.features.entries]

    def _call_checks(self, line: str) -> Lines:
        if not line.startswith("call ") or line == f"call {ENTRY}();":
            return []
        name, _, rest = line.removesuffix(");").partition(" := ")[2].partition("(")
        callee = next(each for each in (*self.procedures, self.library) if each.name == name)
        return [_check(tag, _with_argument(term, rest)) for tag, term in callee.requires if tag]

    def _modifies(self) -> str:
        return f"  modifies {', '.join(self._globals())};"

    def _library(self, *, explicit: bool) -> str:
        clauses = [] if explicit else [_clause("requires", *each) for each in self.library.requires]
        clauses += [_clause("ensures", *each) for each in self.library.ensures]
        return "\n".join(["procedure Lib(a: int) returns (r: int);", "  modifies g0;", *clauses, ""])


def _indented(lines: Lines) -> Lines:
    return [f"  {line}" for line in lines]


def _clause(keyword: str, tag: int, term: str) -> str:
    return f"  {keyword} {{:tag {tag}}} {term};" if tag else f"  free {keyword} {term};"


def _check(tag: int, term: str) -> str:
    return f"assert {{:tag {tag}}} {term};"


def _without_old(term: str) -> str:
    return term.replace("old(g0)", "old_g0").replace("old(g1)", "old_g1")


def _with_argument(term: str, argument: str) -> str:
    return " ".join(f"({argument})" if word == "a" else word for word in term.split())


def _procedure_text(head: str, clauses: Lines, lines: Lines) -> str:
    return "\n".join([head, *clauses, "{", *_indented(lines), "}", ""])


def programs() -> st.SearchStrategy[RandomProgram]:
    return st.randoms(use_true_random=False).map(random_program)
