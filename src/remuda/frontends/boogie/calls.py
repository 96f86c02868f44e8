"""Lowers calls: checks the arguments against the signature, and infers its type parameters."""

from __future__ import annotations

from typing import TYPE_CHECKING

from remuda.frontends.boogie import ast
from remuda.frontends.boogie.type_inference import Proxy, ground, instantiate, prune, unify
from remuda.frontends.boogie.typecheck import Failure, Known, close
from remuda.ir.program import Assume, Attribute, Attributes, Call, Havoc
from remuda.terms.symbols import Variable, VariableKind

if TYPE_CHECKING:
    from collections.abc import Sequence

    from remuda.frontends.boogie.lower import BodyLowerer
    from remuda.frontends.boogie.scope import ProcedureSymbol
    from remuda.terms.term import Term
    from remuda.terms.types import Type


def lower_call(lowerer: BodyLowerer, node: ast.CallStatement) -> None:
    """Emit the call, unless it has errors."""
    symbol = _callee(lowerer, node)
    if symbol is None:
        return
    if node.is_forall:
        _call_forall(lowerer, node, symbol)
        return
    proxies: dict[str, Type] = {name: Proxy(name) for name in symbol.declaration.type_parameters}
    arguments = _arguments(lowerer, node, symbol, proxies)
    results = _results(lowerer, node, symbol, proxies)
    attributes = _attributes(lowerer, node)
    if arguments is None or results is None:
        return
    type_arguments = tuple([ground(proxy) for proxy in proxies.values()])
    name = symbol.name
    if type_arguments:
        lowerer.evaluator.note_instance(type_arguments)
        name = lowerer.frame.instance_of(symbol, type_arguments)
    terms = tuple([close(argument) for argument in _filled(lowerer, node, arguments)])
    span = lowerer.span(node)
    lowerer.note_call(name, span)
    lowerer.emit(Call(name, terms, results, span, attributes, node.is_async))


def arguments_of(lowerer: BodyLowerer, node: ast.ForkStatement, symbol: ProcedureSymbol) -> list[Term] | None:
    """The arguments of a fork of a procedure that is not polymorphic."""
    arguments = _arguments(lowerer, node, symbol, {})
    return None if arguments is None else [close(argument) for argument in _filled(lowerer, node, arguments)]


def _attributes(lowerer: BodyLowerer, node: ast.CallStatement) -> Attributes:
    """The attributes of a call. An attribute `free` of the user is dropped, because `free` marks free calls here."""
    given = lowerer.attributes([attribute for attribute in node.attributes if attribute.name != "free"])
    return (*given, Attribute("free")) if node.is_free else given


def _callee(lowerer: BodyLowerer, node: ast.CallStatement) -> ProcedureSymbol | None:
    evaluator = lowerer.evaluator
    symbol = evaluator.table.procedures.get(node.procedure)
    if symbol is None:
        evaluator.fail(node, f"call to undeclared procedure: {node.procedure}")
        return None
    if len(node.arguments) != len(symbol.inputs):
        evaluator.fail(
            node, f"{node.procedure} takes {len(symbol.inputs)} arguments, but {len(node.arguments)} are given"
        )
        return None
    if not node.is_forall and len(node.results) != len(symbol.outputs):
        evaluator.fail(node, f"{node.procedure} has {len(symbol.outputs)} results, but {len(node.results)} are taken")
        return None
    return symbol


def _arguments(
    lowerer: BodyLowerer,
    node: ast.CallStatement | ast.ForkStatement,
    symbol: ProcedureSymbol,
    proxies: dict[str, Type],
) -> list[Known | Type] | None:
    """The values of the arguments; for a wildcard, its type."""
    evaluator = lowerer.evaluator
    made: list[Known | Type] = []
    for argument, declared in zip(node.arguments, symbol.inputs, strict=True):
        expected = instantiate(declared, proxies) if proxies else declared
        if isinstance(argument, ast.WildcardExpression):
            made.append(expected)
            continue
        value = evaluator.evaluate(argument)
        if isinstance(value, Failure):
            continue
        if value.type is not expected and not unify(value.type, expected):
            message = f"an argument of {node.procedure} must have type {prune(expected)}"
            evaluator.fail(argument, f"{message}, but has type {prune(value.type)}")
            continue
        made.append(value)
    return made if len(made) == len(node.arguments) else None


def _filled(
    lowerer: BodyLowerer, node: ast.CallStatement | ast.ForkStatement, arguments: list[Known | Type]
) -> list[Known]:
    """The arguments, with fresh variables of any value in place of wildcards."""
    if not any(isinstance(argument, ast.WildcardExpression) for argument in node.arguments):
        return arguments  # type: ignore[return-value]
    filled: list[Known] = []
    fresh: list[Variable] = []
    for syntax, argument in zip(node.arguments, arguments, strict=True):
        if isinstance(syntax, ast.WildcardExpression):
            fresh.append(lowerer.fresh_local("any", ground(argument)))  # type: ignore[arg-type]
            filled.append(lowerer.terms.var(fresh[-1]))
        else:
            filled.append(argument)  # type: ignore[arg-type]
    lowerer.emit(Havoc(tuple(fresh), lowerer.span(node)))
    return filled


def _results(
    lowerer: BodyLowerer, node: ast.CallStatement, symbol: ProcedureSymbol, proxies: dict[str, Type]
) -> tuple[Variable, ...] | None:
    evaluator = lowerer.evaluator
    made: list[Variable] = []
    for result, declared in zip(node.results, symbol.outputs, strict=True):
        expected = instantiate(declared, proxies) if proxies else declared
        if isinstance(result, ast.WildcardExpression):
            made.append(lowerer.fresh_local("any", ground(expected)))
            continue
        variable = lowerer.target(result)
        if variable is None:
            return None
        if variable.type is not expected and not unify(variable.type, expected):
            message = f"a result of {node.procedure} has type {prune(expected)}"
            evaluator.fail(result, f"{message}, but {variable.name} has type {variable.type}")
            return None
        if variable in made:
            evaluator.fail(result, f"left-hand side of call contains variable {variable.name} more than once")
            return None
        made.append(variable)
    return tuple(made)


# --- call forall


def _call_forall(lowerer: BodyLowerer, node: ast.CallStatement, symbol: ProcedureSymbol) -> None:
    """Assume the procedure's contract for all values of the wildcards, as a lemma."""
    evaluator = lowerer.evaluator
    declaration = symbol.declaration
    modifies = any(
        specification.kind == "modifies" and specification.names for specification in declaration.specifications
    )
    if symbol.outputs or modifies or declaration.type_parameters:
        evaluator.unsupported(node, "call forall of a procedure that has results or effects or is polymorphic")
        return
    arguments = _arguments(lowerer, node, symbol, {})
    if arguments is None:
        return
    bound: list[Variable] = []
    terms: list[Term] = []
    for syntax, argument, parameter in zip(node.arguments, arguments, declaration.inputs, strict=True):
        if isinstance(syntax, ast.WildcardExpression):
            bound.append(Variable(parameter.name, argument, VariableKind.BOUND))  # type: ignore[arg-type]
            terms.append(lowerer.terms.var(bound[-1]))
        else:
            terms.append(close(argument))  # type: ignore[arg-type]
    premise, conclusion = _contract(lowerer, symbol, terms)
    lemma = lowerer.terms.implies(lowerer.terms.and_(premise), lowerer.terms.and_(conclusion))
    lemma = lowerer.terms.quantifier("forall", bound, lemma) if bound else lemma
    lowerer.emit(Assume(lemma, lowerer.span(node), lowerer.attributes(node.attributes)))


def _contract(
    lowerer: BodyLowerer, symbol: ProcedureSymbol, arguments: Sequence[Term]
) -> tuple[list[Term], list[Term]]:
    evaluator = lowerer.evaluator
    saved = (evaluator.source, evaluator.names, evaluator.environment, evaluator.old_of)
    names = {parameter.name: term for parameter, term in zip(symbol.declaration.inputs, arguments, strict=True)}
    evaluator.enter(symbol.source, dict(names), {}, lambda term: term)  # nothing is modified
    sides: dict[str, list[Term]] = {"requires": [], "ensures": []}
    for specification in symbol.declaration.specifications:
        if specification.condition is not None:
            term = evaluator.condition(specification.condition)
            if term is not None:
                sides[specification.kind].append(term)
    evaluator.enter(*saved)
    return sides["requires"], sides["ensures"]
