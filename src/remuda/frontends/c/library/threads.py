"""Models of pthread.h and threads.h: threads are asynchronous calls, and waiting is an assumption.

pthread_create(&t, 0, f, p)    starts f(p) as a thread, and puts its number into t
pthread_join(t, &r)            waits until it has ended, and reads what it returned
thrd_create(&t, f, p)          as well, for an f that returns an int
pthread_mutex_lock(m)          waits until the first int in *m is 0, and makes it 1, in one step

In a program with threads every read of something shared is a step of its own; functions of the library are one step.
"""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING, Final

from remuda.frontends.c.library.initial_mutexes import WAITING_KINDS
from remuda.frontends.c.library.models import (
    Model,
    arguments,
    constant_of,
    guarded,
    kept,
    name_of,
    result,
    unsupported,
)
from remuda.frontends.c.library.ranges import block
from remuda.frontends.c.lowering.places import RecordValue
from remuda.frontends.c.syntax.types import INT, PointerType, VoidType
from remuda.frontends.c.syntax.walk import called_function
from remuda.ir.program import Assign, Attribute, Call
from remuda.ir.threads import ATOMIC_BEGIN, ATOMIC_END, STEP

if TYPE_CHECKING:
    from collections.abc import Iterator

    from remuda.base.source import Span
    from remuda.frontends.c.lowering.calls import CallLowering
    from remuda.frontends.c.lowering.context import FunctionContext
    from remuda.frontends.c.lowering.trampoline import Steps
    from remuda.frontends.c.syntax import ast
    from remuda.terms.term import Term

BUSY: Final = 16  # EBUSY
THRD_BUSY: Final = 1
MTX_RECURSIVE: Final = 1
ENOUGH: Final = "there is always room for more threads, mutexes and condition variables: making them succeeds"


@contextmanager
def one_step(context: FunctionContext, span: Span, function: str = "") -> Iterator[None]:
    """A section that no other thread interrupts: a function of the library, or a call of `function`. Inside a section
    of the program, it is a part of that (`transforms.nest_sections`)."""
    is_needed = context.program.threads is not None
    mark = (Attribute(STEP, (function,) if function else ()),)
    if is_needed:
        context.blocks.add(Call(ATOMIC_BEGIN, (), (), span, mark))
    yield
    if is_needed:
        context.blocks.add(Call(ATOMIC_END, (), (), span, mark))


def _create(calls: CallLowering, node: ast.Call) -> Steps:
    """`pthread_create` and `thrd_create`: the last two arguments are the function and its argument."""
    storage, program = calls.program.storage, calls.program
    values = yield arguments(calls, node, ())
    functions = program.memory.pointed_functions(node.arguments[-2])
    if program.threads is None or not functions:
        return unsupported(calls, node)
    start = kept(calls, node, values[-2])
    after = calls.blocks.new("created", node.span)
    for function in functions:
        if function.body is None or len(function.parameters) > 1:
            return unsupported(calls, node, f"a thread that runs {function.name}")
        chosen, other = calls.blocks.new("start", node.span), calls.blocks.new("other", node.span)
        address = storage.literal(storage.function_address(function))
        is_this = program.arithmetic.compare("==", start, address, storage.size_type)
        calls.blocks.branch(is_this, chosen, other, node.span)
        calls.blocks.enter(chosen)
        _start(calls, node, function, values)
        calls.blocks.jump(after, node.span)
        calls.blocks.enter(other)
    calls.context.unsupported("a thread that runs a function from outside the program", node.span)
    calls.blocks.go(after, node.span)
    return result(calls, node, program.arithmetic.literal(0, INT), INT)


def _start(calls: CallLowering, node: ast.Call, function: ast.Function, values: list[Term]) -> None:
    """Store the number of a new thread, and then start the thread."""
    threads, storage, terms = calls.program.threads, calls.program.storage, calls.program.terms
    assert threads is not None
    given = (values[-1],) if function.parameters else ()
    number = calls.blocks.temporary(storage.address_type, "thread")
    identity = terms.var(number)
    with one_step(calls.context, node.span):
        following = calls.program.arithmetic.binary(
            "+", terms.var(threads.last), storage.literal(1), storage.size_type
        )
        calls.blocks.add(Assign((number, threads.last), (following, following), node.span))
        ended = terms.store(terms.var(threads.ended), (identity,), terms.false)
        calls.blocks.assign(threads.ended, ended, node.span)
        pointer = block(calls, node, 0, values[0])
        assert isinstance(pointer.pointer.type, PointerType)
        type_ = pointer.pointer.type.target
        place = calls.addresses.pointed(pointer.pointer, pointer.address, type_)
        calls.accesses.write(place, calls.program.arithmetic.convert(identity, storage.size_type, type_), node.span)
        # Last, because the thread may begin in the round of its creator only if that accesses nothing shared any more.
        calls.blocks.add(Call(threads.body_of(function), (*given, identity), (), node.span, is_async=True))


def _join(calls: CallLowering, node: ast.Call) -> Steps:
    """`pthread_join` and `thrd_join`, which read the result of the thread: a pointer or an int."""
    threads, storage, terms = calls.program.threads, calls.program.storage, calls.program.terms
    values = yield arguments(calls, node, (storage.size_type, None))
    if threads is None:
        return unsupported(calls, node)
    identity = kept(calls, node, values[0])
    calls.blocks.assume(terms.select(terms.var(threads.ended), (identity,)), node.span)
    target = kept(calls, node, values[1])
    wanted, after = calls.blocks.new("wanted", node.span), calls.blocks.new("joined", node.span)
    is_null = calls.program.arithmetic.compare("==", target, storage.literal(0), storage.size_type)
    calls.blocks.branch(is_null, after, wanted, node.span)
    calls.blocks.enter(wanted)
    pointer = block(calls, node, 1, target)
    value = terms.select(terms.var(threads.results), (identity,))
    type_ = INT if _is(node, "thrd_join") else storage.pointer
    place = calls.addresses.pointed(pointer.pointer, pointer.address, type_)
    calls.accesses.write(place, calls.program.arithmetic.convert(value, storage.size_type, type_), node.span)
    calls.blocks.go(after, node.span)
    return result(calls, node, calls.program.arithmetic.literal(0, INT), INT)


def _exit(calls: CallLowering, node: ast.Call) -> Steps:
    """End the thread, if the call is in the function that the thread started in."""
    values = yield arguments(calls, node, ())
    threads, context = calls.program.threads, calls.context
    if threads is None or not (context.is_outermost or context.function in threads.bodies):
        return unsupported(calls, node, f"a call of {node.span.text} in a function that threads do not start in")
    if context.outputs and not context.is_outermost:
        given = calls.program.arithmetic.convert(values[0], node.arguments[0].type, context.function.type.result)
        calls.blocks.assign(context.outputs[0], given, node.span)
    calls.blocks.jump(context.exit, node.span)
    return result(calls, node, None, VoidType())


def _self(calls: CallLowering, node: ast.Call) -> Steps:
    storage = calls.program.storage
    if calls.program.threads is None:
        return result(calls, node, storage.literal(1), storage.size_type)
    return result(calls, node, calls.program.terms.var(calls.program.threads.own), storage.size_type)


def _equal(calls: CallLowering, node: ast.Call) -> Steps:
    size_type = calls.program.storage.size_type
    one, other = yield arguments(calls, node, (size_type, size_type))
    same = calls.program.arithmetic.compare("==", one, other, size_type)
    return result(calls, node, calls.program.arithmetic.from_bool(same, INT), INT)


def _is(node: ast.Call, name: str) -> bool:
    function = called_function(node)
    return function is not None and function.name == name


# --- mutexes


def _plain(count: int, model: Model) -> Model:
    """A model that is right only if no mutex of the program has a special kind, such as a recursive one."""

    def checked(calls: CallLowering, node: ast.Call) -> Steps:
        if calls.program.has_special_mutexes:
            return unsupported(calls, node, f"a call of {name_of(node)}, where initial values make mutexes special")
        return model(calls, node)

    return guarded(count, checked)


def _is_free(calls: CallLowering, node: ast.Call, position: int, address: Term) -> Term:
    place = calls.addresses.pointed(block(calls, node, position, address).pointer, address, INT)
    held = calls.program.storage.read(place, node.span)
    assert not isinstance(held, RecordValue)
    return calls.program.arithmetic.compare("==", held, calls.program.arithmetic.literal(0, INT), INT)


def _set(calls: CallLowering, node: ast.Call, position: int, address: Term, state: int) -> None:
    place = calls.addresses.pointed(block(calls, node, position, address).pointer, address, INT)
    calls.accesses.write(place, calls.program.arithmetic.literal(state, INT), node.span)


def _acquire(calls: CallLowering, node: ast.Call, position: int, address: Term) -> None:
    with one_step(calls.context, node.span):
        calls.blocks.assume(_is_free(calls, node, position, address), node.span)
        _set(calls, node, position, address, 1)


def _lock(calls: CallLowering, node: ast.Call) -> Steps:
    values = yield arguments(calls, node, ())
    _acquire(calls, node, 0, kept(calls, node, values[0]))
    return result(calls, node, calls.program.arithmetic.literal(0, INT), INT)


def _try(calls: CallLowering, node: ast.Call) -> Steps:
    busy = THRD_BUSY if _is(node, "mtx_trylock") else BUSY
    values = yield arguments(calls, node, ())
    address, arithmetic = kept(calls, node, values[0]), calls.program.arithmetic
    free = calls.blocks.temporary(calls.program.terms.true.type, "free")
    place = calls.addresses.pointed(block(calls, node, 0, address).pointer, address, INT)
    with one_step(calls.context, node.span):
        calls.blocks.assign(free, _is_free(calls, node, 0, address), node.span)
        calls.accesses.write(place, arithmetic.literal(1, INT), node.span)  # it is locked then, by any thread
    is_free = calls.program.terms.var(free)
    found = calls.program.terms.ite(is_free, arithmetic.literal(0, INT), arithmetic.literal(busy, INT))
    return result(calls, node, found, INT)


def _release(calls: CallLowering, node: ast.Call) -> Steps:
    """`pthread_mutex_unlock`, `pthread_mutex_init`, `mtx_unlock`; `mtx_init` too, and the same of spin locks."""
    values = yield arguments(calls, node, ())
    _set(calls, node, 0, kept(calls, node, values[0]), 0)
    return result(calls, node, calls.program.arithmetic.literal(0, INT), INT)


def _init_of_kind(calls: CallLowering, node: ast.Call) -> Steps:
    """`mtx_init(m, kind)`."""
    kind = constant_of(node.arguments[1])
    if kind is None or kind & MTX_RECURSIVE:
        return unsupported(calls, node, "a mutex that a thread may lock twice")
    return _release(calls, node)


def _set_kind(calls: CallLowering, node: ast.Call) -> Steps:
    """`pthread_mutexattr_settype(a, kind)`: the model has only mutexes that a thread cannot lock twice."""
    if constant_of(node.arguments[1]) not in WAITING_KINDS:
        return unsupported(calls, node, "a mutex that a thread may lock twice")
    return _succeed(calls, node)


def _wait(calls: CallLowering, node: ast.Call) -> Steps:
    """`pthread_cond_wait`, which may wake up at any time (as C allows)."""
    values = yield arguments(calls, node, ())
    address = kept(calls, node, values[1])
    _set(calls, node, 1, address, 0)
    _acquire(calls, node, 1, address)
    return result(calls, node, calls.program.arithmetic.literal(0, INT), INT)


def _succeed(calls: CallLowering, node: ast.Call) -> Steps:
    yield calls.expressions.scalars(node.arguments)
    return result(calls, node, calls.program.arithmetic.literal(0, INT), INT)


_PLAIN: Final = (
    "pthread_mutex_destroy pthread_mutexattr_init pthread_mutexattr_destroy pthread_attr_init"
    " pthread_attr_destroy pthread_attr_setdetachstate pthread_cond_destroy pthread_cond_signal"
    " pthread_cond_broadcast pthread_detach pthread_setcancelstate pthread_setcanceltype sched_yield pthread_yield"
    " pthread_spin_destroy mtx_destroy cnd_destroy cnd_signal cnd_broadcast thrd_detach thrd_yield thrd_sleep"
)


def _making(model: Model) -> Model:
    """A function that creates an object, and never fails in the model."""

    def making(calls: CallLowering, node: ast.Call) -> Steps:
        calls.program.assume(ENOUGH)
        return model(calls, node)

    return making


THREADS: Final[dict[str, Model]] = {
    "pthread_create": _making(guarded(4, _create)),
    "thrd_create": _making(guarded(3, _create)),
    **dict.fromkeys(("pthread_join", "thrd_join"), guarded(2, _join)),
    **dict.fromkeys(("pthread_exit", "thrd_exit"), guarded(1, _exit)),
    **dict.fromkeys(("pthread_self", "thrd_current"), _self),
    **dict.fromkeys(("pthread_equal", "thrd_equal"), guarded(2, _equal)),
    **dict.fromkeys(("pthread_mutex_lock", "mtx_lock"), _plain(1, _lock)),
    **dict.fromkeys(("pthread_mutex_trylock", "mtx_trylock"), _plain(1, _try)),
    **dict.fromkeys(("pthread_mutex_unlock", "mtx_unlock"), _plain(1, _release)),
    "pthread_mutex_init": _making(guarded(1, _release)),
    "mtx_init": _making(guarded(2, _init_of_kind)),
    "pthread_mutexattr_settype": guarded(2, _set_kind),
    **dict.fromkeys(("pthread_cond_wait", "cnd_wait"), _plain(2, _wait)),
    "pthread_spin_init": _making(guarded(2, _release)),
    "pthread_spin_lock": guarded(1, _lock),
    "pthread_spin_trylock": guarded(1, _try),
    "pthread_spin_unlock": guarded(1, _release),
    **dict.fromkeys(_PLAIN.split(), _succeed),
    **dict.fromkeys(("pthread_cond_init", "cnd_init"), _making(_succeed)),
}
