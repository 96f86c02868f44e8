"""Canonical texts of programs, and keys of the parts of a program that a proof depends on.

A key identifies a formula up to the names of local variables and labels: two programs with the same key have the same
formula, even if they differ elsewhere. Two things guarantee that. First, no two symbols of a program have the same
name in the texts, even if they have the same name in the source. Second, a text contains everything that the formula
is made of: bodies, the effects of calls and the contracts that are assumed after them, definitions of the functions
that occur, axioms, unique constants, and datatypes. Positions in the source are in no text.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Final, final

from remuda import __version__
from remuda.ir.edit import terms_of
from remuda.ir.program import Assert, Assign, Assume, Call, Havoc, Yield
from remuda.terms.symbols import Constructor, Function, Variable, VariableKind
from remuda.terms.term import Binder, Term

if TYPE_CHECKING:
    from remuda.ir.program import Attributes, Check, Procedure, Program, Statement
    from remuda.terms.types import Type
    from remuda.transforms.error_bit import ErrorBitResult
    from remuda.vc.interface import Interface

FORMAT: Final = "1"  # the version of the texts: a new one invalidates everything that is stored


def digest(*parts: str) -> str:
    """A hash of texts; different lists of texts have different hashes."""
    hashed = hashlib.sha256()
    for part in parts:
        data = part.encode("utf-8", "surrogatepass")
        hashed.update(b"%d:" % len(data))
        hashed.update(data)
    return hashed.hexdigest()


@final
class Fingerprints:
    """Digests of the parts of an instrumented program, each made when it is first needed."""

    def __init__(self, code: ErrorBitResult, faces: Mapping[str, Interface]) -> None:
        self._code = code
        self._program: Program = code.program
        self._faces = faces
        self._symbols = Symbols(code)
        self._bodies: dict[str, tuple[str, frozenset[Function]]] = {}
        self._contracts: dict[str, tuple[str, frozenset[Function]]] = {}
        self._definitions: dict[Function, tuple[str, frozenset[Function]]] = {}
        self._callees: dict[str, list[str]] = {}
        self._called: dict[tuple[str, ...], tuple[str, ...]] = {}
        self._below: dict[str, frozenset[Check]] = {}
        self._background: tuple[str, frozenset[Function]] | None = None

    @property
    def symbols(self) -> Symbols:
        return self._symbols

    def of_proof(self, entry: str, inlined: Iterable[str], *, reach: bool) -> str:
        """The key of the formula that starts at the entry, and in which exactly these procedures are inlined."""
        procedures = sorted(set(inlined))
        faces = sorted({*self._called_by(procedures), *procedures})
        bodies = [(name, *self._body(name)) for name in procedures]
        known = [(name, *self._face(name)) for name in faces]
        background, used = self.background()
        functions = self._closure(used.union(*(each[2] for each in (*bodies, *known))))
        return digest(
            FORMAT,
            __version__,
            "reach" if reach else "fail",
            entry,
            background,
            *(text for name, body, _ in bodies for text in ("body", name, body)),
            *(text for name, face, _ in known for text in ("call", name, face)),
            *(text for function in functions for text in ("function", *function)),
        )

    def ways_to(self, check: Check, inlined: Sequence[str]) -> str:
        """The calls in these procedures that lead to an assertion: only these may fail in a search for it alone."""
        called = self._called_by(inlined)
        return digest(check.identifier, *(name for name in called if check in self._checks_below(name)))

    def of_everything(self, entries: Iterable[str]) -> str:
        """The key of all code that the entries reach, with the attributes that bounds depend on."""
        reached = dict.fromkeys(entries)
        work = list(reached)
        while work:
            name = work.pop()
            for callee in self.callees(name):
                if callee not in reached:
                    reached[callee] = None
                    work.append(callee)
        bodies = [name for name in reached if self._program.procedures[name].blocks is not None]
        attributes = [
            f"{name} {_attribute_text(self._program.procedures[name].attributes)} {self._program.procedures[name].loop_of}"
            for name in sorted(reached)
        ]
        keys = [self.of_proof(entry, bodies, reach=False) for entry in sorted(entries)]
        return digest(*keys, *attributes)

    def of_body(self, name: str) -> str:
        """The digest of a procedure's body, of the functions in it and of the background, without its callees."""
        body, used = self._body(name)
        background, more = self.background()
        functions = self._closure(used | more)
        return digest(FORMAT, __version__, name, body, background, *(text for each in functions for text in each))

    def of_face(self, name: str) -> str:
        """The digest of a procedure's effect on its caller, and of the functions in the contracts that are
        assumed."""
        face, used = self._face(name)
        return digest(face, *(text for each in self._closure(used) for text in each))

    def failures_of(self, name: str) -> list[str]:
        """The assertions that may fail in a call of a procedure."""
        return [name, *sorted(check.identifier for check in self._checks_below(name)), ""]

    def callees(self, name: str) -> list[str]:
        if name not in self._callees:
            statements = (each for block in self._program.procedures[name].blocks or () for each in block.statements)
            self._callees[name] = list(dict.fromkeys(each.procedure for each in statements if isinstance(each, Call)))
        return self._callees[name]

    def _called_by(self, names: Sequence[str]) -> tuple[str, ...]:
        case = tuple(names)
        if case not in self._called:
            self._called[case] = tuple(sorted({callee for name in names for callee in self.callees(name)}))
        return self._called[case]

    # --- parts

    def _checks_below(self, name: str) -> frozenset[Check]:
        if name not in self._below:
            self._below[name] = frozenset(self._code.below(name)) if name in self._code.failed else frozenset()
        return self._below[name]

    def _body(self, name: str) -> tuple[str, frozenset[Function]]:
        if name not in self._bodies:
            writer = Writer(self._symbols)
            writer.procedure(self._program.procedures[name])
            self._bodies[name] = writer.result()
        return self._bodies[name]

    def _face(self, name: str) -> tuple[str, frozenset[Function]]:
        if name not in self._contracts:
            procedure, face = self._program.procedures[name], self._faces[name]
            writer = Writer(self._symbols)
            writer.line("in", *map(writer.variable, (*procedure.inputs, *face.inputs)))
            writer.line("out", *map(writer.variable, (*procedure.outputs, *face.outputs)))
            writer.line("open" if procedure.blocks is not None else "no body")
            for condition in procedure.ensures:
                writer.line("ensures", writer.terms([condition.term])[0])
            self._contracts[name] = writer.result()
        return self._contracts[name]

    def background(self) -> tuple[str, frozenset[Function]]:
        """The text of what every formula assumes, such as axioms, and the functions in it."""
        if self._background is None:
            program = self._program
            datatypes = sorted(
                digest(repr(each.type), *(f"{one.name!r}{one.fields!r}" for one in each.constructors))
                for each in program.datatypes
            )
            unique = sorted(self._symbols.variable(each) for each in program.unique_constants)
            used: set[Function] = set()
            axioms = []
            for axiom in program.axioms:
                writer = Writer(self._symbols)
                writer.line("axiom", writer.terms([axiom.term])[0])
                text, functions = writer.result()
                axioms.append(text)
                used |= functions
            text = digest("datatypes", *datatypes, "unique", *unique, "axioms", *sorted(axioms))
            self._background = (text, frozenset(used))
        return self._background

    def _closure(self, functions: Iterable[Function]) -> list[tuple[str, str]]:
        """The names and definitions of functions, and of those that occur in their definitions."""
        found: dict[Function, str] = {}
        work = list(functions)
        while work:
            function = work.pop()
            if function not in found:
                found[function], used = self._definition(function)
                work.extend(used)
        return sorted((self._symbols.function(each), text) for each, text in found.items())

    def _definition(self, function: Function) -> tuple[str, frozenset[Function]]:
        if function not in self._definitions:
            writer = Writer(self._symbols)
            writer.line("parameters", *map(writer.variable, function.parameters))
            writer.line("result", repr(function.result), repr(function.builtin))
            if function.body is not None:
                writer.line("body", writer.terms([function.body])[0])
            self._definitions[function] = writer.result()
        return self._definitions[function]


@final
class Symbols:
    """The names of symbols that are not local to a procedure. No two symbols of a program have the same name."""

    def __init__(self, code: ErrorBitResult) -> None:
        program = code.program
        self._types: dict[Type, str] = {}
        taken: dict[str, int] = {}
        self._variables: dict[Variable, str] = {code.reach: "!reach"}
        for check, target in code.targets.items():
            self._variables[target] = self._fresh(taken, f"!target {check.identifier!r}")
        for name, flag in code.may_fail.items():
            self._variables[flag] = f"!may_fail {name!r}"
        for each in dict.fromkeys((*program.globals, *program.constants, *program.unique_constants)):
            if each not in self._variables:
                self._variables[each] = self._fresh(taken, f"{each.kind.value} {each.name!r} {self.type(each.type)}")
        self._taken = taken
        self._functions: dict[Function, str] = {}
        for function in program.functions:
            self._functions[function] = self._fresh(taken, f"function {function.name!r}")
        self._named = {name: each for each, name in self._variables.items()}
        self._named_functions = {name: each for each, name in self._functions.items()}

    @staticmethod
    def _fresh(taken: dict[str, int], name: str) -> str:
        count = taken[name] = taken.get(name, 0) + 1
        return name if count == 1 else f"{name} #{count}"

    def type(self, type_: Type) -> str:
        found = self._types.get(type_)
        if found is None:
            found = self._types[type_] = repr(type_)
        return found

    def variable(self, variable: Variable) -> str:
        found = self._variables.get(variable)
        if found is None:
            name = f"?{variable.kind.value} {variable.name!r} {self.type(variable.type)}"
            found = self._variables[variable] = self._fresh(self._taken, name)
        return found

    def function(self, function: Function) -> str:
        found = self._functions.get(function)
        if found is None:
            found = self._functions[function] = self._fresh(self._taken, f"?function {function.name!r}")
        return found

    def variable_named(self, name: str) -> Variable | None:
        return self._named.get(name)

    def function_named(self, name: str) -> Function | None:
        return self._named_functions.get(name)


@final
class Writer:
    """Writes one text. Locals and terms are numbers in the order of their first occurrence; a shared term is written
    once."""

    def __init__(self, symbols: Symbols) -> None:
        self._symbols = symbols
        self._locals: dict[Variable, str] = {}
        self._numbers: dict[Term, str] = {}
        self._functions: set[Function] = set()
        self.lines: list[str] = []

    def result(self) -> tuple[str, frozenset[Function]]:
        return digest(*self.lines), frozenset(self._functions)

    def line(self, *words: str) -> None:
        self.lines.append("\t".join(words))

    def variable(self, variable: Variable) -> str:
        if variable.kind not in {VariableKind.LOCAL, VariableKind.BOUND}:
            return self._symbols.variable(variable)
        known = self._locals.get(variable)
        if known is None:
            known = f"%{len(self._locals)} {variable.kind.value} {self._symbols.type(variable.type)}"
            self._locals[variable] = known
        return known

    def terms(self, roots: Sequence[Term]) -> list[str]:
        """The names of terms, which get a line of their own each."""
        numbers = self._numbers
        stack = list(reversed(roots))
        while stack:
            term = stack[-1]
            missing = [argument for argument in term.args if argument not in numbers] if term not in numbers else []
            if missing:
                stack.extend(reversed(missing))
                continue
            stack.pop()
            if term not in numbers:
                self.line(term.op, self._payload(term), *[numbers[argument] for argument in term.args])
                numbers[term] = f"t{len(numbers)}"
        return [numbers[root] for root in roots]

    def _payload(self, term: Term) -> str:
        payload = term.payload
        match payload:
            case None:
                return ""
            case Variable():
                return self.variable(payload)
            case Function():
                self._functions.add(payload)
                return self._symbols.function(payload)
            case Constructor():
                return _constructor_text(payload)
            case Binder():
                return f"{[self.variable(each) for each in payload.variables]} {payload.triggers} {payload.weight}"
            case (Constructor() as constructor, index):
                return f"{_constructor_text(constructor)} {index}"
            case _:
                return f"{type(payload).__name__} {payload!r} {self._symbols.type(term.type)}"

    def procedure(self, procedure: Procedure) -> None:
        self.line("in", *map(self.variable, procedure.inputs))
        self.line("out", *map(self.variable, procedure.outputs))
        numbers = {block.label: str(number) for number, block in enumerate(procedure.blocks or ())}
        for block in procedure.blocks or ():
            for statement in block.statements:
                self._statement(statement)
            self.line("goto", *[numbers[label] for label in block.successors])

    def _statement(self, statement: Statement) -> None:
        terms = self.terms(terms_of(statement))
        match statement:
            case Assign(targets=targets):
                self.line("assign", *map(self.variable, targets), ":=", *terms)
            case Havoc(variables=variables):
                self.line("havoc", *map(self.variable, variables))
            case Assume():
                self.line("assume", *terms)
            case Assert(check=check):
                self.line("assert", repr(check.identifier), *terms)
            case Call(procedure=procedure, results=results, is_async=is_async):
                kind = "start" if is_async else "call"
                self.line(kind, repr(procedure), *terms, "->", *map(self.variable, results))
            case Yield():
                self.line("yield")


def _constructor_text(constructor: Constructor) -> str:
    return f"{constructor.name!r} {constructor.datatype!r}"


def _attribute_text(attributes: Attributes) -> str:
    """The text of attributes. Those of procedures that bounds depend on have numbers and strings only."""
    said = []
    for each in attributes:
        arguments = [
            f"{one.op} {one.payload!r}" if isinstance(one, Term) and not one.args and one.op != "var" else repr(one)
            for one in each.arguments
            if not isinstance(one, Term) or not one.args
        ]
        said.append(f"{each.name!r} {arguments}")
    return ", ".join(said)
