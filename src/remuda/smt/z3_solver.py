"""Z3 as a `Solver`: the incremental SMT core, called in this process through `z3_native`."""

from __future__ import annotations

import weakref
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, final

from remuda.base import clock
from remuda.base.errors import InternalError, UsageError
from remuda.base.reasons import MEMORY, TIMEOUT, Cause, Reason
from remuda.smt.effort import MILLISECONDS, ask
from remuda.smt.levels import Levels
from remuda.smt.names import UniqueNames
from remuda.smt.solver import Answer, Sat, Unknown, Unsat, incomplete
from remuda.smt.stack import raise_stack_limit
from remuda.smt.translation import Translation
from remuda.smt.z3_model import Z3Model
from remuda.smt.z3_native import Context, Handle, Library, array, check_error, error_message, load_library
from remuda.smt.z3_terms import Z3Binding

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from remuda.smt.solver import Template
    from remuda.terms.symbols import Constructor, Variable
    from remuda.terms.term import Term
    from remuda.terms.types import DataType, Type

# What Boogie gives Z3: no model-based instantiation, so that triggers alone decide which instances are made.
DEFAULT_SETTINGS: Final[Mapping[str, str]] = {
    "auto_config": "false",
    "model.compact": "false",
    "rewriter.flat_and_or": "false",  # flattening a deep chain of `and` or `or` takes quadratic time
    "smt.mbqi": "false",
    "smt.phase_selection": "0",
    "smt.restart_strategy": "0",
    "smt.restart_factor": "1.5",
    "smt.case_split": "1",
    "smt.arith.solver": "6",
    "smt.delay_units": "true",
    "smt.random_seed": "0",
}

_SATISFIABLE: Final = 1
_UNSATISFIABLE: Final = -1
NO_TIMEOUT: Final = 0xFFFFFFFF
UNITS_PER_MILLISECOND: Final = 15_000  # of what Z3 calls resources
LEAST_PATIENCE: Final = 10.0  # seconds of real time for a question that is limited by work,
PATIENCE: Final = 10.0  # and as many for each second of work: a busy machine needs less


@final
@dataclass(frozen=True, slots=True)
class Z3Template:
    """Terms over parameters. Several terms are the arguments of one application, so that one substitution does
    them all and visits what they share once."""

    parameters: Any  # a C array
    parameter_count: int
    whole: Handle
    term_count: int


@final
class Z3Solver:
    """One context with one solver in it."""

    name = "z3"

    def __init__(self, settings: Mapping[str, str] | None = None) -> None:
        settings = {**DEFAULT_SETTINGS, **(settings or {})}
        raise_stack_limit()
        library = load_library()
        _set_globally(library, settings)
        self._owner = Context(library, {"auto_config": settings["auto_config"], "model": "true"})
        context = self._owner.handle
        names = UniqueNames()
        self._library: Library = library
        self._context: Handle = context
        self._binding = Z3Binding(library, context, names)
        self._translation = Translation(self._binding, names)
        self._solver: Handle = library.Z3_mk_simple_solver(context)
        library.Z3_solver_inc_ref(context, self._solver)
        self._limit = z3_limit(None)
        self._levels = Levels(self._translation.axioms)
        self._owner.acquire()
        self._finalizer = weakref.finalize(self, _release, self._owner, self._solver)
        self._finalizer.atexit = False  # the process ends anyway
        self._set_parameters(settings)
        self._check_settings()

    # --- terms

    def declare_datatypes(self, datatypes: Sequence[tuple[DataType, Sequence[Constructor]]]) -> None:
        self._binding.declare_datatypes(datatypes)

    def translate(self, term: Term) -> Handle:
        native: Handle = self._translation.translate(term)
        return native

    def fresh(self, type_: Type) -> Handle:
        constant: Handle = self._library.Z3_mk_fresh_const(self._context, b"k!", self._binding.sort(type_))
        return constant

    def template(self, parameters: Sequence[Variable], terms: Sequence[Term]) -> Z3Template:
        natives = [self.translate(term) for term in terms]
        constants = [self._translation.variable(parameter) for parameter in parameters]
        return Z3Template(array(constants), len(constants), self._tuple(natives), len(natives))

    def instantiate(self, template: Template, actuals: Sequence[Handle]) -> list[Handle]:
        assert isinstance(template, Z3Template)
        count = template.parameter_count
        if len(actuals) != count:
            raise InternalError(f"a template of {count} parameters was given {len(actuals)} actuals")
        library, context = self._library, self._context
        whole = library.Z3_substitute(context, template.whole, count, template.parameters, array(actuals))
        if whole is None:
            check_error(library, context)
        if template.term_count == 1:
            return [whole]
        argument = library.Z3_get_app_arg
        return [argument(context, whole, position) for position in range(template.term_count)]

    def _tuple(self, natives: Sequence[Handle]) -> Handle:
        if len(natives) == 1:
            return natives[0]
        library, context = self._library, self._context
        sorts = array([library.Z3_get_sort(context, native) for native in natives])
        declaration = library.Z3_mk_fresh_func_decl(
            context, b"tuple", len(natives), sorts, library.Z3_mk_bool_sort(context)
        )
        return self._binding.application(declaration, natives)

    # --- formulas over natives

    def not_(self, native: Handle) -> Handle:
        result: Handle = self._library.Z3_mk_not(self._context, native)
        return result

    def and_(self, natives: Sequence[Handle]) -> Handle:
        if len(natives) == 1:
            return natives[0]
        result: Handle = self._library.Z3_mk_and(self._context, len(natives), array(natives))
        return result

    def or_(self, natives: Sequence[Handle]) -> Handle:
        if len(natives) == 1:
            return natives[0]
        result: Handle = self._library.Z3_mk_or(self._context, len(natives), array(natives))
        return result

    def implies(self, premise: Handle, conclusion: Handle) -> Handle:
        return self._binding.implies(premise, conclusion)

    def eq(self, left: Handle, right: Handle) -> Handle:
        result: Handle | None = self._library.Z3_mk_eq(self._context, left, right)
        if result is None:  # the sorts differ
            check_error(self._library, self._context)
            raise InternalError("z3 made no equation")
        return result

    # --- assertions and queries

    def add(self, native: Handle) -> None:
        self._library.Z3_solver_assert(self._context, self._solver, native)
        check_error(self._library, self._context)

    def push(self) -> None:
        self._levels.push()
        self._library.Z3_solver_push(self._context, self._solver)
        check_error(self._library, self._context)

    def pop(self) -> None:
        self._levels.pop()
        self._library.Z3_solver_pop(self._context, self._solver, 1)

    def check(
        self,
        assumptions: Sequence[Handle] = (),
        seconds: float | None = None,
        *,
        thorough: bool = False,
        rough: bool = False,  # noqa: ARG002 - its models are right about lambdas, or it says that it has none
    ) -> Answer:
        self._assert_axioms()
        if thorough:
            return ask(self.effort, lambda left: self._check_afresh(assumptions, left), seconds)
        return ask(self.effort, lambda left: self._check(assumptions, left), seconds)

    def _check(self, assumptions: Sequence[Handle], seconds: float | None) -> Answer:
        library, context, solver = self._library, self._context, self._solver
        self._set_limit(seconds)
        vector = array(assumptions)
        answer = library.Z3_solver_check_assumptions(context, solver, len(assumptions), vector)
        failure = error_message(library, context)
        if failure is not None:
            return Unknown(_reason(failure))
        if answer == _SATISFIABLE:
            return Sat(self._model())
        if answer == _UNSATISFIABLE:
            return Unsat(self._core(assumptions))
        return self._unknown()

    def _check_afresh(self, assumptions: Sequence[Handle], seconds: float | None) -> Answer:
        """Ask a new solver that only has this query, and that builds models of quantifiers.

        It asserts the assumptions, so an answer "unsatisfiable" has all of them in its core.
        """
        library, context = self._library, self._context
        incremental, limit = self._solver, self._limit
        facts = [*self._vector(library.Z3_solver_get_assertions(context, incremental)), *assumptions]
        self._solver, self._limit = library.Z3_mk_simple_solver(context), z3_limit(None)
        library.Z3_solver_inc_ref(context, self._solver)
        try:
            self._set_parameters({"auto_config": "false", "smt.mbqi": "true"})
            self._set_limit(seconds)
            for fact in facts:
                self.add(fact)
            answer = library.Z3_solver_check_assumptions(context, self._solver, 0, None)
            if answer == _SATISFIABLE:
                return Sat(self._model())
            return Unsat(tuple(assumptions)) if answer == _UNSATISFIABLE else self._unknown()
        finally:
            library.Z3_solver_dec_ref(context, self._solver)
            self._solver, self._limit = incremental, limit

    def effort(self) -> float:
        """The work so far. Z3 counts it for the whole context, including that of fresh solvers."""
        library, context = self._library, self._context
        statistics = library.Z3_solver_get_statistics(context, self._solver)
        library.Z3_stats_inc_ref(context, statistics)
        try:
            for index in range(library.Z3_stats_size(context, statistics)):
                if library.Z3_stats_get_key(context, statistics, index) == b"rlimit count":
                    used: int = library.Z3_stats_get_uint_value(context, statistics, index)
                    return used / UNITS_PER_MILLISECOND
        finally:
            library.Z3_stats_dec_ref(context, statistics)
        return 0.0

    def text(self) -> str:
        self._assert_axioms()
        text: bytes = self._library.Z3_solver_to_string(self._context, self._solver)
        check_error(self._library, self._context)
        return text.decode()

    def _assert_axioms(self) -> None:
        for axiom in self._levels.missing_axioms():
            self.add(axiom)

    def _core(self, assumptions: Sequence[Handle]) -> tuple[Handle, ...]:
        library, context = self._library, self._context
        vector = library.Z3_solver_get_unsat_core(context, self._solver)
        check_error(library, context)
        needed = set(self._vector(vector))
        return tuple([assumption for assumption in assumptions if assumption in needed])

    def _vector(self, vector: Handle) -> list[Handle]:
        library, context = self._library, self._context
        library.Z3_ast_vector_inc_ref(context, vector)
        size = library.Z3_ast_vector_size(context, vector)
        elements = [library.Z3_ast_vector_get(context, vector, position) for position in range(size)]
        library.Z3_ast_vector_dec_ref(context, vector)
        return elements

    def _unknown(self) -> Unknown:
        text: bytes = self._library.Z3_solver_get_reason_unknown(self._context, self._solver)
        reason = _reason(text.decode())
        if reason.cause is not Cause.INCOMPLETE:
            return Unknown(reason)
        model = self._library.Z3_solver_get_model(self._context, self._solver)
        if error_message(self._library, self._context) is not None or model is None:
            return Unknown(reason)
        return Unknown(reason, Z3Model(self._owner, self._binding, self._translation, model))

    def _model(self) -> Z3Model:
        model = self._library.Z3_solver_get_model(self._context, self._solver)
        check_error(self._library, self._context)
        return Z3Model(self._owner, self._binding, self._translation, model)

    # --- parameters

    def _set_limit(self, seconds: float | None) -> None:
        limit = z3_limit(seconds)
        if limit != self._limit:
            self._limit = limit
            self._set_parameters(limit)

    def _set_parameters(self, settings: Mapping[str, str]) -> None:
        library, context = self._library, self._context
        parameters = library.Z3_mk_params(context)
        library.Z3_params_inc_ref(context, parameters)
        for name, value in settings.items():
            if name.startswith("smt.") or name in _SOLVER_SETTINGS:
                _set_parameter(library, context, parameters, self._binding.symbol(name), value)
        library.Z3_solver_set_params(context, self._solver, parameters)
        library.Z3_params_dec_ref(context, parameters)

    def _check_settings(self) -> None:
        """Use the solver once, because Z3 only checks its settings at the first use."""
        self._library.Z3_solver_push(self._context, self._solver)
        failure = error_message(self._library, self._context)
        if failure is not None:
            raise UsageError(f"z3 rejects a setting: {failure.splitlines()[0]}")
        self._library.Z3_solver_pop(self._context, self._solver, 1)


_SOLVER_SETTINGS: Final = frozenset({"auto_config", "timeout", "rlimit", "max_memory", "random_seed"})


def _set_globally(library: Library, settings: Mapping[str, str]) -> None:
    """Set options of the whole process, which are the defaults of every new solver.

    Those of some modules (`model.*`, `rewriter.*`, ...) only exist there. And `smt.case_split` counts only if
    `auto_config` is off for the process: set for one solver, both are accepted and ignored. Every solver sets all
    defaults, so that none inherits the options of another one.
    """
    for name, value in settings.items():
        library.Z3_global_param_set(name.encode(), value.encode())


def _set_parameter(library: Library, context: Handle, parameters: Handle, symbol: Handle, value: str) -> None:
    """Set an option. Z3 has a function for each type of value."""
    if value in {"true", "false"}:
        library.Z3_params_set_bool(context, parameters, symbol, value == "true")
    elif value.isdecimal():
        library.Z3_params_set_uint(context, parameters, symbol, int(value))
    elif value.replace(".", "", 1).isdecimal():
        library.Z3_params_set_double(context, parameters, symbol, float(value))
    else:
        text = library.Z3_mk_string_symbol(context, value.encode())
        library.Z3_params_set_symbol(context, parameters, symbol, text)


def z3_limit(seconds: float | None) -> Mapping[str, str]:
    """What limits a question to about so much time, or work: parameters of Z3.

    Z3 counts hardly any work while it multiplies polynomials with large coefficients, so there is a limit on time, too."""
    if not clock.counts_work():
        return {"timeout": _milliseconds(seconds)}
    if seconds is None:
        return {"rlimit": "0", "timeout": _milliseconds(None)}  # 0 is no limit
    units = max(1, round(seconds * MILLISECONDS * UNITS_PER_MILLISECOND))
    patience = LEAST_PATIENCE + PATIENCE * seconds
    return {"rlimit": str(min(NO_TIMEOUT - 1, units)), "timeout": _milliseconds(patience)}


def _milliseconds(seconds: float | None) -> str:
    return str(NO_TIMEOUT if seconds is None else min(NO_TIMEOUT - 1, max(1, round(seconds * MILLISECONDS))))


def _reason(text: str) -> Reason:
    if "keyboard" in text:
        raise KeyboardInterrupt
    if "timeout" in text or "canceled" in text or "resource" in text:
        return TIMEOUT
    if "memory" in text or "memout" in text:
        return MEMORY
    return incomplete(text.strip("()"))


def _release(owner: Context, solver: Handle) -> None:
    owner.library.Z3_solver_dec_ref(owner.handle, solver)
    owner.release()
