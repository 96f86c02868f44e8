"""Candidate contracts that users state: procedures with `{:template}`, and files of candidates.

    procedure {:template} all();  ensures s == 0 || s == 1;                       for every procedure and loop
    procedure {:template} all();  ensures {:pre} old(s) == 0; ensures {:post} t == 1;      old(s) == 0 ==> t == 1

    Acquire     requires held == 0                 a line of a file, as --print-invariants writes them
    main/while  invariant bvsle(i, n)
    *           ensures s == 0 || s == 1           for every procedure and loop

The conditions only apply to executions that do not fail, and an entry procedure has no preconditions.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations
from typing import TYPE_CHECKING, Final, final

from remuda.base.errors import Diagnostic, InputError
from remuda.base.source import Span
from remuda.frontends.boogie.conditions import ConditionReader
from remuda.ir.program import attribute
from remuda.terms.symbols import VariableKind
from remuda.terms.term import postorder, variables_of
from remuda.transforms.add_contracts import Contract, invariant
from remuda.transforms.extract_loops import INPUT

if TYPE_CHECKING:
    from remuda.base.source import Source
    from remuda.ir.program import Procedure, Program
    from remuda.terms.term import Term
    from remuda.transforms.error_bit import ErrorBitResult
    from remuda.vc.interface import Interface

LINE: Final = re.compile(r"(?P<procedure>\S+)[ \t]+(?P<kind>\w+)[ \t]+(?P<condition>\S.*)")
KINDS: Final = ("requires", "ensures", "invariant")
EVERYWHERE: Final = "*"
COMMENTS: Final = ("//", "#")
WORD: Final = re.compile(r"[A-Za-z_'~#$^.?`\\][\w'~#$^.?`\\]*")


def stated_candidates(
    code: ErrorBitResult, faces: Mapping[str, Interface], base: Program, file: Source | None
) -> list[Contract]:
    """The contracts of the procedures and loops of a program that was made from `base`, in the names of `base`. They
    only mention the procedure's interface, because only its variables have values at a call."""
    stated = _Stated(code, faces, base)
    found = list(stated.of_templates(base.templates))
    if file is not None:
        found += stated.of_file(file)
    return found


@final
class _Stated:
    def __init__(self, code: ErrorBitResult, faces: Mapping[str, Interface], base: Program) -> None:
        self._code = code
        self._faces = faces
        self._base = base
        self._program: Program = code.program
        self._terms = code.program.terms
        self._shared = {each.name for each in (*code.program.globals, *code.program.constants)}
        self._bodies = [each for each in self._program.procedures.values() if each.blocks is not None]

    # --- templates

    def of_templates(self, templates: Sequence[Procedure]) -> Iterator[Contract]:
        for template in templates:
            for condition in template.requires:
                yield from self._everywhere("requires", condition.term)
            for condition in template.ensures:
                if not any(attribute(condition.attributes, name) for name in ("pre", "post")):
                    yield from self._everywhere("ensures", condition.term)
        conditions = [condition for template in templates for condition in template.ensures]
        before = [each.term for each in conditions if attribute(each.attributes, "pre")]
        premises = [*before, *(self._terms.and_(pair) for pair in combinations(before, 2))]
        for condition in conditions:
            if attribute(condition.attributes, "post"):
                yield from self._everywhere("ensures", condition.term)
                for premise in premises:
                    yield from self._everywhere("ensures", self._terms.implies(premise, condition.term))

    def _everywhere(self, kind: str, condition: Term) -> Iterator[Contract]:
        for procedure in self._bodies:
            if self._is_about(procedure, condition):
                is_start = procedure.name in self._program.entries and kind != "ensures"
                if not is_start:
                    yield self._contract(procedure, kind, condition)

    def _is_about(self, procedure: Procedure, condition: Term) -> bool:
        face = self._faces[procedure.name]
        known = {*self._program.constants, *face.inputs, *face.outputs}
        return all(each in known or each.kind is VariableKind.BOUND for each in variables_of([condition]))

    def _contract(self, procedure: Procedure, kind: str, condition: Term) -> Contract:
        """The contract for a condition; a condition on one state of a loop is an invariant."""
        terms, name = self._terms, procedure.name
        is_of_one_state = not any(term.op == "old" for term in postorder([condition]))
        if procedure.loop_of is not None and is_of_one_state and self._is_about_globals(condition):
            return invariant(terms, procedure, condition)
        if kind == "requires":
            return Contract(name, requires=condition)
        failed = self._code.failed.get(name)
        return Contract(name, ensures=condition if failed is None else terms.or_([terms.var(failed), condition]))

    def _is_about_globals(self, condition: Term) -> bool:
        kinds = {VariableKind.GLOBAL, VariableKind.CONSTANT, VariableKind.BOUND}
        return all(each.kind in kinds for each in variables_of([condition]))

    # --- files

    def of_file(self, file: Source) -> Iterator[Contract]:
        reader = ConditionReader(self._program, file)
        position = 0
        for line in file.text.splitlines(keepends=True):
            start, position = position, position + len(line)
            if line.strip() and not line.lstrip().startswith(COMMENTS):
                yield from self._of_line(
                    reader, file, start + len(line) - len(line.lstrip()), start + len(line.rstrip())
                )

    def _of_line(self, reader: ConditionReader, file: Source, start: int, end: int) -> Iterator[Contract]:
        parts = LINE.fullmatch(file.text, start, end)
        if parts is None or parts["kind"] not in KINDS:
            raise _wrong(file, start, end, f"a candidate is `NAME KIND CONDITION`, where KIND is {', '.join(KINDS)}")
        name, kind = parts["procedure"], parts["kind"]
        chosen = self._bodies if name == EVERYWHERE else [each for each in self._bodies if each.name == name]
        # The procedure of the loop: unrolled loops and unused procedures no longer exist.
        owner = name.partition("/")[0]
        if name != EVERYWHERE and not chosen and self._base.procedures.get(owner) is None:
            raise _wrong(file, start, parts.end("procedure"), f"there is no procedure {owner}")
        words = set(WORD.findall(parts["condition"]))
        for procedure in chosen:
            is_start = procedure.name in self._program.entries
            if is_start and kind != "ensures":
                if name == EVERYWHERE:
                    continue
                raise _wrong(file, start, end, f"executions start in {name}: nothing can be required of that")
            names = self._names(procedure, kind)
            if words.isdisjoint(self._hidden(procedure).difference(names, self._shared)):
                condition = reader.read(parts.start("condition"), end, names, with_old=kind == "ensures")
                if not self._is_about(procedure, condition):
                    continue
                is_invariant = kind == "invariant" and procedure.loop_of is not None
                yield (
                    invariant(self._terms, procedure, condition)
                    if is_invariant
                    else self._contract(procedure, kind, condition)
                )

    def _names(self, procedure: Procedure, kind: str) -> dict[str, Term]:
        """The terms of names. In an invariant of a loop, names are those of the source, not of the loop's
        procedure."""
        terms = self._terms
        own = [*procedure.inputs, *procedure.outputs] if kind == "ensures" else procedure.inputs
        names = {each.name: terms.var(each) for each in own}
        if kind != "ensures":
            names |= {each.name.removeprefix(INPUT): terms.var(each) for each in procedure.inputs}
        return names

    def _hidden(self, procedure: Procedure) -> set[str]:
        """The names of the source that the program no longer has."""
        base = self._base.procedures.get(procedure.name.partition("/")[0])
        own = () if base is None else (*base.inputs, *base.outputs, *base.locals)
        return {each.name for each in (*self._base.globals, *self._base.constants, *own)}


def _wrong(file: Source, start: int, end: int, message: str) -> InputError:
    return InputError([Diagnostic(Span(file, start, end), message)])
