"""Definitions: recognizes axioms that define a function, and simplifies terms with the definitions of functions.

before:  function offset(p: int, i: int): int;    axiom (forall p, i: int :: offset(p, i) == p + 8 * i);
after:   function offset(p: int, i: int): int { p + 8 * i }    (the axiom stays, now trivially true)

Both mean the same. A definition is substituted before the solver sees it, and the interpreter can compute it. An
axiom is a quantifier, which the solver must instantiate and the interpreter cannot check. Tools that generate Boogie
programs write dozens of such axioms.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, final

from remuda.terms.term import postorder

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from remuda.ir.program import Axiom
    from remuda.terms.store import Terms
    from remuda.terms.symbols import Function, Variable
    from remuda.terms.term import Term


def adopt_definitions(terms: Terms, axioms: Sequence[Axiom]) -> None:
    """Give bodies to uninterpreted functions that an axiom defines without recursion; the first axiom counts.

    A function in the trigger of another axiom gets no body: substituting it would remove the terms that instantiate
    that axiom.
    """
    triggered = {axiom: _trigger_functions(axiom.term) for axiom in axioms}
    uses = Counter(function for functions in triggered.values() for function in functions)
    for axiom in axioms:
        for function, parameters, body in _readings(axiom.term):
            elsewhere = uses[function] - (function in triggered[axiom])
            is_open = function.body is None and function.builtin is None and not elsewhere
            if is_open and not _mentions(body, function):
                own = {
                    parameter: terms.var(variable)
                    for parameter, variable in zip(parameters, function.parameters, strict=True)
                }
                function.body = terms.substitute([body], own)[0]
                break


def _trigger_functions(term: Term) -> set[Function]:
    """The functions in the triggers of the quantifiers in a term."""
    triggers = [trigger for part in postorder([term]) if part.op in {"forall", "exists"} for trigger in part.args[1:]]
    return {part.payload for part in postorder(triggers) if part.op == "apply"}


def _readings(term: Term) -> Iterator[tuple[Function, tuple[Variable, ...], Term]]:
    """The ways to read `forall x, y :: f(y, x) == body` as a definition: of the left side, or of the right."""
    if term.op != "forall" or term.args[0].op != "eq":
        return
    variables = term.payload.variables
    left, right = term.args[0].args
    for head, body in ((left, right), (right, left)):
        if head.op == "apply" and all(argument.op == "var" for argument in head.args):
            parameters = tuple(argument.payload for argument in head.args)
            if len(parameters) == len(variables) and set(parameters) == set(variables):
                yield head.payload, parameters, body


def _mentions(body: Term, function: Function) -> bool:
    """Whether the function occurs in a term, or in the definitions of the functions there."""
    seen: set[Function] = set()
    work = [body]
    while work:
        for part in postorder([work.pop()]):
            if part.op == "apply" and part.payload not in seen:
                if part.payload is function:
                    return True
                seen.add(part.payload)
                if part.payload.body is not None:
                    work.append(part.payload.body)
    return False


@final
class Folding:
    """Simplifies terms by what is constant: known variables, defined functions, and constants fixed by axioms."""

    DEPTH = 16  # the greatest depth of definitions in definitions, which ends recursive ones

    def __init__(self, terms: Terms, axioms: Sequence[Axiom]) -> None:
        self._terms = terms
        self._fixed: dict[Variable, Term] = dict(_fixed_constants(axioms))

    def fold(self, roots: Sequence[Term], known: Mapping[Variable, Term]) -> list[Term]:
        """The roots with known variables replaced, and simplified."""
        values = self._terms.substitute(roots, {**self._fixed, **known} if self._fixed else known)
        if not any(value.args for value in values):
            return values
        for _ in range(self.DEPTH):
            expanded = self._terms.rewrite(values, self._expand)
            if expanded == values:
                break
            values = expanded
        return values

    def _expand(self, term: Term) -> Term | None:
        if term.op != "apply" or term.payload.body is None:
            return None
        function = term.payload
        bodies = self._terms.substitute(
            [function.body], {**self._fixed, **dict(zip(function.parameters, term.args, strict=True))}
        )
        return bodies[0]


def _fixed_constants(axioms: Sequence[Axiom]) -> Iterator[tuple[Variable, Term]]:
    """The constants that an axiom `c == literal` fixes, with their values."""
    for axiom in axioms:
        if axiom.term.op == "eq":
            left, right = axiom.term.args
            for constant, value in ((left, right), (right, left)):
                if constant.op == "var" and value.op in {"int", "real", "bv"}:
                    yield constant.payload, value
