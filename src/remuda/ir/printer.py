"""Prints programs as Boogie text that means the same and that other Boogie tools can read.

Names are kept if they are legal; symbols that share a name get numbers. Operators without syntax in Boogie are
declared as functions (see `operator_text`). Attributes of assignments, of `havoc` and of `yield` are left out,
because Boogie has no syntax for them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, assert_never

from remuda.ir.names import Names, escape, legal_name
from remuda.ir.naming import ProgramNaming
from remuda.ir.program import Assert, Assign, Assume, Call, Havoc, Yield, attribute
from remuda.ir.term_text import boogie_text

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from remuda.ir.program import Attribute, Condition, Datatype, Procedure, Program, Statement
    from remuda.terms.symbols import Constructor, Function, Variable
    from remuda.terms.term import Term


def print_program(
    program: Program,
    modifies: Mapping[str, Sequence[Variable]] | None = None,
    comments: Mapping[tuple[str, str], str] | None = None,
) -> str:
    """The text of a program. `modifies` replaces the procedures' own clauses, which may be incomplete; `comments` are
    comments of blocks, by procedure and label."""
    return _Printer(program, modifies or {}, comments or {}).text()


class _Printer:
    __slots__ = ("_comments", "_modifies", "_naming", "_program")

    def __init__(
        self,
        program: Program,
        modifies: Mapping[str, Sequence[Variable]],
        comments: Mapping[tuple[str, str], str],
    ) -> None:
        self._program = program
        self._comments = comments
        self._modifies = modifies
        self._naming = ProgramNaming(program)

    def text(self) -> str:
        """The whole text. Declarations of types and operators come first, but are only known in the end."""
        by_name = sorted(self._program.datatypes, key=lambda datatype: self._naming.type(datatype.type))
        datatypes = [line for datatype in by_name for line in self._datatype(datatype)]
        variables = self._variables()
        functions = [self._function(function) for function in self._program.functions]
        axioms = [
            f"axiom {self._attributes(axiom.attributes)}{self._term(axiom.term)};" for axiom in self._program.axioms
        ]
        procedures = [line for procedure in self._program.procedures.values() for line in self._procedure(procedure)]
        sections = (self._types(), datatypes, self._operators(), variables, functions, axioms, procedures)
        return "\n".join("".join(f"{line}\n" for line in section) for section in sections if section)

    # --- declarations

    def _types(self) -> list[str]:
        """The declarations of types, sorted by name: the order of their first use is not stable."""
        return [f"type {name}{' _' * arity};" for name, arity in sorted(self._naming.constructors.items())]

    def _operators(self) -> list[str]:
        return [text for _, text in self._naming.operators.values()]

    def _datatype(self, datatype: Datatype) -> list[str]:
        name = self._naming.type(datatype.type)
        return [
            f"type {{:datatype}} {name};",
            *(self._constructor(constructor) for constructor in datatype.constructors),
        ]

    def _constructor(self, constructor: Constructor) -> str:
        naming = self._naming
        fields = zip(naming.field_names(constructor), constructor.fields, strict=True)
        parameters = ", ".join(f"{name}: {naming.type(type_)}" for name, (_, type_) in fields)
        result = naming.type(constructor.datatype)
        return f"function {{:constructor}} {naming.constructor(constructor)}({parameters}) returns ({result});"

    def _variables(self) -> list[str]:
        program = self._program
        unique = set(program.unique_constants)
        constants = dict.fromkeys((*program.constants, *program.unique_constants))
        return [
            *(f"const {'unique ' if constant in unique else ''}{self._declare(constant)};" for constant in constants),
            *(self._global(variable) for variable in program.globals),
        ]

    def _global(self, variable: Variable) -> str:
        mark = "{:thread_local} " if variable in self._program.thread_locals else ""
        return f"var {mark}{self._declare(variable)}{self._where(variable)};"

    def _declare(self, variable: Variable) -> str:
        return f"{self._naming.variable(variable)}: {self._naming.type(variable.type)}"

    def _where(self, variable: Variable) -> str:
        condition = self._program.wheres.get(variable)
        return "" if condition is None else f" where {self._term(condition)}"

    def _parameters(self, variables: Iterable[Variable]) -> str:
        return ", ".join([self._declare(variable) for variable in variables])

    def _function(self, function: Function) -> str:
        # Only a body can mention a global constant that a parameter's name would hide.
        self._naming.open_scope(function.parameters, hides_globals=function.body is None)
        builtin = f'{{:builtin "{function.builtin}"}} ' if function.builtin is not None else ""
        parameters = self._parameters(function.parameters)
        body = f" {{ {self._term(function.body)} }}" if function.body is not None else ";"
        self._naming.close_scope()
        result = self._naming.type(function.result)
        return f"function {builtin}{self._naming.function(function)}({parameters}) returns ({result}){body}"

    # --- procedures

    def _procedure(self, procedure: Procedure) -> list[str]:
        naming = self._naming
        naming.open_scope((*procedure.inputs, *procedure.outputs, *procedure.locals))
        attributes = self._attributes(procedure.attributes)
        signature = self._signature(procedure)
        lines = [f"procedure {attributes}{self._signature(procedure, wheres=True)};"]
        modified = self._modifies.get(procedure.name, procedure.modifies)
        if modified:
            lines.append(f"  modifies {', '.join(naming.variable(variable) for variable in modified)};")
        lines.extend(self._condition("requires", condition) for condition in procedure.requires)
        lines.extend(self._condition("ensures", condition) for condition in procedure.ensures)
        if procedure.blocks is not None:
            lines.extend(("", f"implementation {signature}", "{"))
            lines.extend(f"  var {self._declare(variable)}{self._where(variable)};" for variable in procedure.locals)
            lines.extend(self._blocks(procedure))
            lines.append("}")
        naming.close_scope()
        lines.append("")
        return lines

    def _signature(self, procedure: Procedure, *, wheres: bool = False) -> str:
        """The name and the parameters; only a declaration has the `where` clauses of its parameters."""
        inputs, outputs = (
            ", ".join(
                [f"{self._declare(variable)}{self._where(variable) if wheres else ''}" for variable in variables]
            )
            for variables in (procedure.inputs, procedure.outputs)
        )
        results = f" returns ({outputs})" if procedure.outputs else ""
        return f"{self._naming.procedure(procedure.name)}({inputs}){results}"

    def _condition(self, word: str, condition: Condition) -> str:
        free = "free " if condition.free else ""
        return f"  {free}{word} {self._attributes(condition.attributes)}{self._term(condition.term)};"

    def _blocks(self, procedure: Procedure) -> Iterable[str]:
        names = Names()
        blocks = procedure.blocks or ()
        labels = {block.label: names.claim(block.label) for block in blocks}
        for block in blocks:
            comment = self._comments.get((procedure.name, block.label))
            yield ""
            yield f"  {labels[block.label]}:{f'  // {comment}' if comment else ''}"
            yield from self._statements(block.statements)
            targets = ", ".join(labels[label] for label in block.successors)
            yield f"    goto {targets};" if targets else "    return;"

    def _statements(self, statements: Iterable[Statement]) -> Iterable[str]:
        """Statements without repeated assumptions: readers of the text add those of `where` clauses again."""
        assumed: set[Term] = set()  # the conditions of the assumptions directly before the statement
        for statement in statements:
            if isinstance(statement, Assume):
                if statement.condition in assumed and not statement.attributes:
                    continue
                assumed.add(statement.condition)
            else:
                assumed.clear()
            text = self._statement(statement)
            if text:
                yield f"    {text}"

    def _statement(self, statement: Statement) -> str:
        match statement:
            case Assign(targets, values):
                return f"{self._names(targets)} := {self._terms(values)};" if targets else ""
            case Havoc(variables):
                return f"havoc {self._names(variables)};" if variables else ""
            case Assume(condition, _, attributes):
                return f"assume {self._attributes(attributes)}{self._term(condition)};"
            case Assert(condition, _, _, attributes):
                return f"assert {self._attributes(attributes)}{self._term(condition)};"
            case Call():
                return self._call(statement)
            case Yield():
                return "yield;"
            case _:
                assert_never(statement)

    def _call(self, call: Call) -> str:
        is_free = attribute(call.attributes, "free") is not None
        word = f"{'free ' if is_free else ''}{'async ' if call.is_async else ''}call"
        attributes = self._attributes([given for given in call.attributes if given.name != "free"])
        results = f"{self._names(call.results)} := " if call.results else ""
        callee = self._naming.procedure(call.procedure)
        return f"{word} {attributes}{results}{callee}({self._terms(call.arguments)});"

    # --- shared parts

    def _names(self, variables: Iterable[Variable]) -> str:
        return ", ".join([self._naming.variable(variable) for variable in variables])

    def _terms(self, terms: Iterable[Term]) -> str:
        return ", ".join([self._term(term) for term in terms])

    def _term(self, term: Term) -> str:
        return boogie_text(term, self._naming)

    def _attributes(self, attributes: Iterable[Attribute]) -> str:
        texts: list[str] = []
        for given in attributes:
            arguments = [
                _quoted(argument) if isinstance(argument, str) else self._term(argument)
                for argument in given.arguments
            ]
            name = escape(legal_name(given.name))
            texts.append(f"{{:{' '.join((name, ', '.join(arguments))).rstrip()}}} ")
        return "".join(texts)


def _quoted(text: str) -> str:
    """A string literal of Boogie: it has one line, and a backslash is special only before a quote."""
    inner = " ".join(text.splitlines()).replace('\\"', '"').replace('"', '\\"')
    return f'"{inner}"'
