"""Writes contracts as JSON, and reads them for another program that has the same symbols.

    {"procedure": "inc", "requires": null, "ensures": [["var", "global 'g' IntType()"], ["old", 0], ["int", 1], ["lt", 1, 0]]}

A term is a list of nodes, arguments before the terms that use them; the last one is the term itself. Parameters and
results are numbers, so that their names may change. A contract is checked before it is used: all symbols must exist,
have the same types, and be in the interface of the procedure, and all operators must fit their arguments.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Final, final

from remuda.ir.term_check import type_errors
from remuda.terms.symbols import VariableKind
from remuda.terms.term import postorder, variables_of
from remuda.terms.types import BOOL, INT, BvType
from remuda.transforms.add_contracts import Contract

if TYPE_CHECKING:
    from remuda.ir.program import Procedure, Program
    from remuda.store.fingerprints import Symbols
    from remuda.terms.store import Terms
    from remuda.terms.symbols import Variable
    from remuda.terms.term import Term
    from remuda.vc.interface import Interface

PLAIN: Final = frozenset(
    {"not", "and", "or", "implies", "ite", "eq", "distinct", "neg", "div", "mod", "lt", "le", "old"}
)
ARITHMETIC: Final = frozenset({"add", "sub", "mul"})
EXTENSIONS: Final = frozenset({"zero_extend", "sign_extend"})
LARGEST: Final = 2000  # nodes


@final
class ContractTexts:
    """Writes and reads contracts of one program."""

    def __init__(self, program: Program, faces: Mapping[str, Interface], symbols: Symbols) -> None:
        self._program = program
        self._terms: Terms = program.terms
        self._faces = faces
        self._symbols = symbols

    def write(self, contract: Contract) -> str | None:
        """The text of a contract; None if it contains a term that cannot be written."""
        procedure = self._program.procedures[contract.procedure]
        try:
            parts = [None if each is None else self._nodes(each, procedure) for each in _parts(contract)]
        except KeyError:
            return None
        said = {"procedure": contract.procedure, "requires": parts[0], "ensures": parts[1]}
        text = json.dumps(said, separators=(",", ":"))
        again = self.read(text)
        is_same = again is not None and _parts(again) == _parts(contract)
        return text if is_same else None

    def read(self, text: str) -> Contract | None:
        """The contract in this program; None if a symbol is missing or does not fit."""
        try:
            said = json.loads(text)
            procedure = self._program.procedures[said["procedure"]]
            requires, ensures = (
                None if said[kind] is None else self._term(said[kind], procedure) for kind in ("requires", "ensures")
            )
        except (KeyError, ValueError, TypeError, IndexError, AttributeError, AssertionError):
            return None
        if procedure.blocks is None or (requires is None and ensures is None):
            return None
        if requires is not None and (
            procedure.name in self._program.entries or not self._is_about(procedure, requires)
        ):
            return None
        if ensures is not None and not self._is_about(procedure, ensures):
            return None
        return Contract(procedure.name, requires, ensures)

    # --- writing

    def _nodes(self, root: Term, procedure: Procedure) -> list[list[Any]]:
        own = {each: f"in {number}" for number, each in enumerate(procedure.inputs)}
        own |= {each: f"out {number}" for number, each in enumerate(procedure.outputs)}
        numbers: dict[Term, int] = {}
        nodes: list[list[Any]] = []
        for term in postorder([root]):
            arguments = [numbers[each] for each in term.args]
            match term.op:
                case "var":
                    variable: Variable = term.payload
                    nodes.append(
                        ["var", own[variable] if variable.kind is VariableKind.LOCAL else self._name(variable)]
                    )
                case "bool" | "int":
                    nodes.append([term.op, term.payload])
                case "bv" | "extract":
                    nodes.append([term.op, *term.payload, *arguments])
                case op if op in EXTENSIONS:
                    nodes.append([op, term.payload, *arguments])
                case op if op in PLAIN or op in ARITHMETIC or (op.startswith("bv") and term.payload is None):
                    nodes.append([op, *arguments])
                case _:
                    raise KeyError(term.op)
            numbers[term] = len(nodes) - 1
        if len(nodes) > LARGEST:
            raise KeyError("size")
        return nodes

    def _name(self, variable: Variable) -> str:
        name = self._symbols.variable(variable)
        if self._symbols.variable_named(name) is not variable:
            raise KeyError(name)
        return name

    # --- reading

    def _term(self, nodes: list[list[Any]], procedure: Procedure) -> Term:
        found: list[Term] = []
        for op, *rest in nodes:
            found.append(self._node(op, rest, found, procedure))
        if found[-1].type != BOOL or type_errors(found[-1]):
            raise ValueError(nodes)
        return found[-1]

    def _node(self, op: str, rest: list[Any], found: list[Term], procedure: Procedure) -> Term:
        terms = self._terms
        match op:
            case "var":
                return terms.var(self._variable(str(rest[0]), procedure))
            case "bool":
                return terms.boolean(bool(rest[0]))
            case "int":
                return terms.integer(int(rest[0]))
            case "bv":
                return terms.bitvector(int(rest[0]), int(rest[1]))
            case "extract":
                return terms.extract(_bits(found[rest[2]]), int(rest[0]), int(rest[1]))
        if op in EXTENSIONS:
            return terms.extend(op, _bits(found[rest[1]]), int(rest[0]))
        args = [found[index] for index in rest]
        if op in ARITHMETIC:
            if {each.type for each in args} != {INT}:
                raise ValueError(op)
            return terms.arithmetic(op, *args)
        if op not in PLAIN:
            return terms.bv(op, [_bits(each) for each in args])
        match op:
            case "and" | "or":
                return terms.and_(args) if op == "and" else terms.or_(args)
            case "old":
                if args[0].op != "var" or args[0].payload.kind is not VariableKind.GLOBAL:
                    raise ValueError(op)
                return terms.old(args[0])
            case "distinct":
                return terms.distinct(args)
        makers = {
            "not": terms.not_,
            "implies": terms.implies,
            "ite": terms.ite,
            "eq": terms.eq,
            "neg": terms.neg,
            "div": terms.div,
            "mod": terms.mod,
            "lt": terms.lt,
            "le": terms.le,
        }
        made: Term = makers[op](*args)  # type: ignore[operator]
        return made

    def _variable(self, name: str, procedure: Procedure) -> Variable:
        place, _, number = name.partition(" ")
        if place in {"in", "out"}:
            return (procedure.inputs if place == "in" else procedure.outputs)[int(number)]
        variable = self._symbols.variable_named(name)
        if variable is None:
            raise KeyError(name)
        return variable

    def _is_about(self, procedure: Procedure, condition: Term) -> bool:
        """Whether a condition only mentions the interface: only these variables have values at a call."""
        face = self._faces[procedure.name]
        known = {*self._program.constants, *face.inputs, *face.outputs}
        return all(each in known for each in variables_of([condition]))


def _parts(contract: Contract) -> tuple[Term | None, Term | None]:
    return contract.requires, contract.ensures


def _bits(term: Term) -> Term:
    if not isinstance(term.type, BvType):
        raise ValueError(term)
    return term
