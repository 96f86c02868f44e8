"""Writes terms as Boogie text.

    (and (lt x 1) (eq m y))      x < 1 && m == y

A term is a graph that may be deep, and large as a tree. So an explicit stack replaces recursion, and a shared subterm
of a large term is written once, in a `(var s := e; ...)`. Parentheses are written where the grammar needs them, and
around quantifiers and conditionals.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Final, Protocol, final

from remuda.base.errors import Unsupported
from remuda.ir.names import Names
from remuda.ir.operator_text import is_declared_operator
from remuda.terms.term import postorder
from remuda.terms.types import BOOL

if TYPE_CHECKING:
    from remuda.terms.symbols import Constructor, Function, Variable
    from remuda.terms.term import Term
    from remuda.terms.types import Type

_EQUIVALENCE, _IMPLICATION, _JUNCTION, _RELATION, _CONCAT, _SUM, _PRODUCT, _POWER, _UNARY, _POSTFIX, _ATOM = range(11)

LARGEST: Final = 20_000_000  # the most nodes of one term, counted as a tree
_SHARING_PAYS: Final = 2_000  # nodes; smaller terms are easier to read without lets
_SHORT: Final = 6  # a shared term with fewer nodes is repeated


class Naming(Protocol):
    """Gives the names of symbols. `variable` is called for free variables only."""

    def variable(self, variable: Variable) -> str: ...

    def function(self, function: Function) -> str: ...

    def constructor(self, constructor: Constructor) -> str: ...

    def field(self, constructor: Constructor, index: int) -> str: ...

    def tester(self, constructor: Constructor) -> str: ...

    def operator(self, term: Term) -> str: ...

    def type(self, type_: Type) -> str: ...

    def inner_scope(self) -> Names: ...


class SourceNaming:
    """The names of symbols in the source, for messages, which may be ambiguous."""

    def variable(self, variable: Variable) -> str:
        return variable.name

    def function(self, function: Function) -> str:
        return function.name

    def constructor(self, constructor: Constructor) -> str:
        return constructor.name

    def field(self, constructor: Constructor, index: int) -> str:
        return f"{constructor.fields[index][0]}#{constructor.name}"

    def tester(self, constructor: Constructor) -> str:
        return f"is#{constructor.name}"

    def operator(self, term: Term) -> str:
        return term.op

    def type(self, type_: Type) -> str:
        return str(type_)

    def inner_scope(self) -> Names:
        return Names()


def term_text(term: Term, limit: int = 400) -> str:
    """The text of a term for a message; after `limit` nodes the rest is left out."""
    return _Writer(SourceNaming(), limit).text(term)


def boogie_text(term: Term, naming: Naming) -> str:
    """The text of a whole term. A term that would be enormous even with sharing is not supported."""
    if not term.args:
        return _leaf(term, naming)
    return _Writer(naming, None).text(term)


@final
class _Leave:
    """Marks the end of the scope of a binder."""

    __slots__ = ("names", "outer")

    def __init__(self, names: list[str], outer: list[tuple[Variable, str | None]]) -> None:
        self.names = names
        self.outer = outer


if TYPE_CHECKING:
    _Parts = list[str | _Leave | tuple[Term, int]]  # a term comes with the least precedence that needs no parentheses
    _Shape = tuple[int, _Parts]  # the precedence of the whole


@final
class _Writer:
    """Writes one term."""

    __slots__ = ("_bound", "_lets", "_limit", "_naming", "_scope")

    def __init__(self, naming: Naming, limit: int | None) -> None:
        self._naming = naming
        self._limit = limit  # None: the whole term, or an error
        self._scope = naming.inner_scope()
        self._bound: dict[Variable, str] = {}
        self._lets: dict[Term, str] = {}

    def text(self, root: Term) -> str:
        if self._limit is not None:
            return "".join(self._pieces(root, _EQUIVALENCE))
        definitions: list[str] = []
        for shared in _worth_sharing(root):
            text = "".join(self._pieces(shared, _EQUIVALENCE))
            name = self._scope.claim("s")
            definitions.append(f"(var {name} := {text}; ")
            self._lets[shared] = name
        return "".join((*definitions, *self._pieces(root, _EQUIVALENCE), ")" * len(definitions)))

    def _pieces(self, root: Term, minimum: int) -> Iterator[str]:
        lets, bound = self._lets, self._bound
        stack: _Parts = [(root, minimum)]
        budget = LARGEST if self._limit is None else self._limit
        while stack:
            part = stack.pop()
            if isinstance(part, str):
                yield part
            elif isinstance(part, _Leave):
                self._leave(part)
            else:
                term, minimum = part
                budget -= 1
                if budget < 0:
                    if self._limit is None:
                        raise Unsupported(None, f"printing a term of more than {LARGEST} nodes")
                    yield "..."
                    return
                if term in lets:
                    yield lets[term]
                elif term.op == "var":
                    yield bound.get(term.payload) or self._naming.variable(term.payload)
                else:
                    stack.extend(reversed(self._expand(term, minimum)))

    def _expand(self, term: Term, minimum: int) -> _Parts:
        op = term.op
        if op in _BINDERS:
            return self._binder(term)
        rule = _RULES.get(op)
        if rule is not None:
            precedence, parts = rule(term)
        else:
            precedence, parts = _leaf_or_call(term, self._naming)
        return ["(", *parts, ")"] if precedence < minimum else parts

    # --- binders

    def _binder(self, term: Term) -> _Parts:
        binder = term.payload
        body, *triggers = term.args
        if not binder.variables:
            if term.op == "lambda":
                raise Unsupported(None, "printing a lambda without variables")
            return [(body, _ATOM)]
        leave, declarations = self._enter(binder.variables)
        parts: _Parts = [f"({term.op} {declarations} :: "]
        if binder.weight is not None:
            parts.append(f"{{:weight {binder.weight}}} ")
        start = 0
        for count in binder.triggers:
            parts.extend(("{", *_comma(triggers[start : start + count]), "} "))
            start += count
        return [*parts, (body, _EQUIVALENCE), ")", leave]

    def _enter(self, variables: Sequence[Variable]) -> tuple[_Leave, str]:
        outer = [(variable, self._bound.get(variable)) for variable in variables]
        names = [self._scope.claim(variable.name) for variable in variables]
        self._bound.update(zip(variables, names, strict=True))
        types = [self._naming.type(variable.type) for variable in variables]
        return _Leave(names, outer), ", ".join(f"{name}: {type_}" for name, type_ in zip(names, types, strict=True))

    def _leave(self, scope: _Leave) -> None:
        for name in scope.names:
            self._scope.release(name)
        for variable, outer_name in scope.outer:
            if outer_name is None:
                self._bound.pop(variable, None)
            else:
                self._bound[variable] = outer_name


def _worth_sharing(root: Term) -> list[Term]:
    """The subterms of a large term to write once: those that occur several times with the same meaning.

    A term that mentions a bound variable cannot move out of the scope of its binder.
    """
    if not _has_more_nodes(root, _SHARING_PAYS):
        return []
    order = list(postorder((root,)))
    size: dict[Term, int] = {}
    uses: Counter[Term] = Counter()
    for term in order:
        size[term] = 1 + sum([size[argument] for argument in term.args])
        uses.update(term.args)
    if size[root] < 2 * len(order):
        return []
    bound = {variable for term in order if term.op in _BINDERS for variable in term.payload.variables}
    fixed: set[Term] = set()  # terms that may not move
    for term in order:
        if (term.op == "var" and term.payload in bound) or any(argument in fixed for argument in term.args):
            fixed.add(term)
    return [term for term in order if uses[term] > 1 and size[term] >= _SHORT and term not in fixed]


def _has_more_nodes(root: Term, limit: int) -> bool:
    """Whether the term has more nodes than the limit, as a tree. It is fast for small terms, which are the most."""
    stack = [root]
    while stack:
        limit -= 1
        if limit < 0:
            return True
        stack.extend(stack.pop().args)
    return False


# --- the shapes of operators: precedence and parts


def _comma(terms: Sequence[Term]) -> _Parts:
    parts: _Parts = []
    for term in terms:
        if parts:
            parts.append(", ")
        parts.append((term, _EQUIVALENCE))
    return parts


def _infix(symbol: str, precedence: int, left: int, right: int) -> Callable[[Term], _Shape]:
    """The shape of a binary operator, with the least precedence of its operands."""
    text = f" {symbol} "

    def shape(term: Term) -> _Shape:
        return precedence, [(term.args[0], left), text, (term.args[1], right)]

    return shape


def _junction(symbol: str) -> Callable[[Term], _Shape]:
    """The shape of `&&` and `||`, which associate to the left and do not mix."""
    text = f" {symbol} "

    def shape(term: Term) -> _Shape:
        if not term.args:
            return _ATOM, ["true" if term.op == "and" else "false"]
        first = term.args[0]
        parts: _Parts = [(first, _JUNCTION if first.op == term.op else _RELATION)]
        for argument in term.args[1:]:
            parts.extend((text, (argument, _RELATION)))
        return _JUNCTION if len(term.args) > 1 else _EQUIVALENCE, parts

    return shape


def _equality(term: Term) -> _Shape:
    left, right = term.args
    if left.type == BOOL:
        return _EQUIVALENCE, [(left, _EQUIVALENCE), " <==> ", (right, _IMPLICATION)]
    return _RELATION, [(left, _CONCAT), " == ", (right, _CONCAT)]


def _negation(term: Term) -> _Shape:
    (inner,) = term.args
    if inner.op == "eq" and inner.args[0].type != BOOL:
        return _RELATION, [(inner.args[0], _CONCAT), " != ", (inner.args[1], _CONCAT)]
    return _UNARY, ["!", (inner, _UNARY)]


def _minus(term: Term) -> _Shape:
    (inner,) = term.args
    # Some parsers do not read `--x` as two operators.
    return _UNARY, ["-", (inner, _UNARY if inner.op == "var" else _ATOM)]


def _distinct(term: Term) -> _Shape:
    """The shape of `distinct`: pairwise inequalities, because Boogie has no operator for it."""
    parts: _Parts = []
    equal = " <==> " if term.args[0].type == BOOL else " == "
    for index, left in enumerate(term.args):
        for right in term.args[index + 1 :]:
            parts.extend((" && !(" if parts else "!(", (left, _CONCAT), equal, (right, _CONCAT), ")"))
    return (_JUNCTION, parts) if parts else (_ATOM, ["true"])


def _conditional(term: Term) -> _Shape:
    condition, then, otherwise = ((argument, _EQUIVALENCE) for argument in term.args)
    return _ATOM, ["(if ", condition, " then ", then, " else ", otherwise, ")"]


def _extract(term: Term) -> _Shape:
    end, start = term.payload
    return _POSTFIX, [(term.args[0], _POSTFIX), f"[{end}:{start}]"]


def _select(term: Term) -> _Shape:
    return _POSTFIX, [(term.args[0], _POSTFIX), "[", *_comma(term.args[1:]), "]"]


def _store(term: Term) -> _Shape:
    indices = _comma(term.args[1:-1])
    assign = " := " if indices else ":= "
    return _POSTFIX, [(term.args[0], _POSTFIX), "[", *indices, assign, (term.args[-1], _EQUIVALENCE), "]"]


def _call(name: str) -> Callable[[Term], _Shape]:
    def shape(term: Term) -> _Shape:
        return _ATOM, [f"{name}(", *_comma(term.args), ")"]

    return shape


_RULES: Final[dict[str, Callable[[Term], _Shape]]] = {
    "not": _negation,
    "and": _junction("&&"),
    "or": _junction("||"),
    "implies": _infix("==>", _IMPLICATION, _JUNCTION, _IMPLICATION),
    "eq": _equality,
    "distinct": _distinct,
    "ite": _conditional,
    "neg": _minus,
    "add": _infix("+", _SUM, _SUM, _PRODUCT),
    "sub": _infix("-", _SUM, _SUM, _PRODUCT),
    "mul": _infix("*", _PRODUCT, _PRODUCT, _POWER),
    "div": _infix("div", _PRODUCT, _PRODUCT, _POWER),
    "mod": _infix("mod", _PRODUCT, _PRODUCT, _POWER),
    "realdiv": _infix("/", _PRODUCT, _PRODUCT, _POWER),
    "pow": _infix("**", _POWER, _UNARY, _POWER),
    "lt": _infix("<", _RELATION, _CONCAT, _CONCAT),
    "le": _infix("<=", _RELATION, _CONCAT, _CONCAT),
    "to_real": _call("real"),
    "to_int": _call("int"),
    "concat": _infix("++", _CONCAT, _CONCAT, _SUM),
    "extract": _extract,
    "select": _select,
    "store": _store,
    "old": _call("old"),
}
_BINDERS: Final = frozenset({"forall", "exists", "lambda"})


def _leaf_or_call(term: Term, naming: Naming) -> _Shape:
    """The shape of a literal, or of an operator that is written as a function call."""
    match term.op:
        case "apply":
            name = naming.function(term.payload)
        case "construct":
            name = naming.constructor(term.payload)
        case "field":
            name = naming.field(*term.payload)
        case "is":
            name = naming.tester(term.payload)
        case op if is_declared_operator(op):
            name = naming.operator(term)
        case _:
            text = _leaf(term, naming)
            return (_UNARY if text.startswith("-") else _PRODUCT if " " in text else _ATOM), [text]
    return _ATOM, [f"{name}(", *_comma(term.args), ")"]


def _leaf(term: Term, naming: Naming) -> str:
    match term.op:
        case "var":
            return naming.variable(term.payload)
        case "bool":
            return "true" if term.payload else "false"
        case "int":
            return str(term.payload)
        case "real":
            return _real(term.payload)
        case "bv":
            value, width = term.payload
            return f"{value}bv{width}"
        case "float":
            bits, significand, exponent = term.payload
            return f"{naming.operator(term)}({bits}bv{significand + exponent})"
        case "rounding":
            return str(term.payload)
        case "apply" | "construct":  # without arguments
            function = naming.function if term.op == "apply" else naming.constructor
            return f"{function(term.payload)}()"
    raise Unsupported(None, f"printing the operator {term.op}")


def _real(value: Fraction) -> str:
    """The text of a real: a decimal numeral, or a quotient of two if no numeral is exact."""
    rest, digits = value.denominator, 0
    for prime in (2, 5):
        count = 0
        while rest % prime == 0:
            rest //= prime
            count += 1
        digits = max(digits, count)
    if rest != 1:
        return f"{value.numerator}.0 / {value.denominator}.0"
    scaled = str(abs(value.numerator) * 10**digits // value.denominator).rjust(digits + 1, "0")
    sign = "-" if value < 0 else ""
    return f"{sign}{scaled[: len(scaled) - digits]}.{scaled[len(scaled) - digits :] or '0'}"
