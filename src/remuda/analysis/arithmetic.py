"""Decides whether a program's arithmetic is linear but for exceptions, which determines the best solver settings.

x * 8, (x + y) div 2, scale(x, 8) with scale(a, b) == a * b     linear
x * y, x div y, scale(x, y)                                     not linear
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from remuda.terms.term import postorder

if TYPE_CHECKING:
    from remuda.ir.program import Program
    from remuda.terms.symbols import Function, Variable
    from remuda.terms.term import Term

PRODUCTS = frozenset({"mul", "div", "mod", "realdiv", "pow"})
NUMBERS = frozenset({"int", "real"})
PER_PRODUCT = 1000  # terms for each product of variables, in a program that is mostly linear


def is_mostly_linear(program: Program) -> bool:
    """Whether at most one term in a thousand multiplies or divides by something other than a number.

    Every term that the program was built from counts, whether or not it is still in use, except in definitions of
    functions: there it depends on what they are applied to.
    """
    defined = [function.body for function in program.functions if function.body is not None]
    defining = [axiom.term for axiom in program.axioms if _is_definition(axiom.term)]
    in_definitions = set(postorder([*defined, *defining]))
    factors: dict[Function, list[tuple[int, ...]]] = {}
    terms = [term for term in program.terms if term not in in_definitions]
    return PER_PRODUCT * sum(_is_product(term, factors) for term in terms) <= len(terms)


def _is_definition(term: Term) -> bool:
    """Whether an axiom repeats a function's body."""
    if term.op != "forall" or term.args[0].op != "eq":
        return False
    return any(side.op == "apply" and side.payload.body is not None for side in term.args[0].args)


def _is_product(term: Term, factors: dict[Function, list[tuple[int, ...]]]) -> bool:
    if term.op in PRODUCTS:
        return not _has_number_factor(term)
    if term.op != "apply" or term.payload.body is None:
        return False
    function = term.payload
    if function not in factors:
        factors[function] = _factors(function)
    return any(
        sum(term.args[position].op not in NUMBERS for position in positions) > 1 for positions in factors[function]
    )


def _has_number_factor(term: Term) -> bool:
    left, right = term.args
    return right.op in NUMBERS or (term.op == "mul" and left.op in NUMBERS)


def _factors(function: Function) -> list[tuple[int, ...]]:
    """For each product in a function's body, the positions of the parameters in it."""
    assert function.body is not None
    place: dict[Variable, int] = {parameter: index for index, parameter in enumerate(function.parameters)}
    found = []
    for term in postorder([function.body]):
        if term.op in PRODUCTS and not _has_number_factor(term):
            used = (part.payload for part in postorder(term.args) if part.op == "var" and part.payload in place)
            found.append(tuple(place[variable] for variable in dict.fromkeys(used)))
    return found
