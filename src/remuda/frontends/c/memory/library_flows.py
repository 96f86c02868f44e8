"""How values flow through functions of the C library and of operating systems, which have no body to analyse.

To add one, write a function that takes the flows and the call, and put it into `LIBRARY_FLOWS`. Functions that are not
here have no effect, and their results point to objects of their own.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Final

from remuda.frontends.c.library.names import ATOMIC_NAMES, OVERFLOW_NAMES, aliases
from remuda.frontends.c.syntax import ast, walk
from remuda.frontends.c.syntax.ast import CastKind
from remuda.frontends.c.syntax.shapes import UNBOUNDED, Array, type_label
from remuda.frontends.c.syntax.types import CHAR, INT, VOID, PointerType, is_scalar

if TYPE_CHECKING:
    from remuda.frontends.c.memory.flows import Flows
    from remuda.frontends.c.memory.slots import Slot

Model = Callable[["Flows", "ast.Call"], None]

SHORT: Final = 256  # bytes that are copied cell by cell


def _slot(flows: Flows, node: ast.Call, position: int) -> Slot | None:
    return flows.values.slots.get(node.arguments[position]) if position < len(node.arguments) else None


def _return(flows: Flows, node: ast.Call, slot: Slot | None) -> None:
    """Add a value to the possible results of the call."""
    if slot is None:
        return
    if node in flows.values.slots:
        flows.values.graph.flow(slot, flows.values.slots[node])
    else:
        flows.values.slots[node] = slot


def _fresh(flows: Flows, node: ast.Call) -> None:
    """Return new memory at each call."""
    _return(flows, node, flows.values.pointer_to((flows.values.graph.node(), 0)))


def _cut_anywhere(flows: Flows, node: ast.Call, pointers: Sequence[ast.Expression]) -> None:
    """Access a number of bytes that may end inside a scalar: then the scalars become single bytes."""
    for pointer in pointers:
        type_ = walk.strip(pointer, CastKind.POINTER, CastKind.NOTHING).type
        size = flows.values.step_size(type_)
        is_row = isinstance(type_, PointerType) and is_scalar(type_.target)
        if is_row and walk.factor(node.arguments[-1]) % size:
            flows.values.graph.array(flows.values.pointed(pointer), Array(0, UNBOUNDED, 1))


def _first(flows: Flows, node: ast.Call) -> None:
    """`memset` returns its first argument. Where it ends must mean the same in all objects that it may get."""
    if node.arguments:
        flows.values.touch_pointed(node.arguments[0])
        if node.arguments[-1] not in flows.values.constants:
            place = flows.values.pointed(node.arguments[0])
            flows.values.graph.join(place, place)
            _cut_anywhere(flows, node, node.arguments[:1])
    _return(flows, node, _slot(flows, node, 0))


def _forget(flows: Flows, node: ast.Call) -> None:
    """`__VERIFIER_nondet_memory`: any contents."""
    _first(flows, node)
    if node.arguments:
        flows.values.graph.forget(flows.values.pointed(node.arguments[0]))


def _within_first(flows: Flows, node: ast.Call) -> None:
    """`strchr` returns a pointer into what its first argument points to."""
    slot = _slot(flows, node, 0)
    if slot is not None:
        flows.values.graph.move(slot, 1)
        _return(flows, node, slot)


def _compare_text(flows: Flows, node: ast.Call) -> None:
    """`strcmp`, `memcmp` read and compare characters."""
    _read_text(flows, node)
    slots = [flows.values.scalar(flows.values.pointed(each), CHAR, (2, "char")) for each in node.arguments[:2]]
    for one, other in itertools.pairwise(slots):
        flows.values.graph.compare(one, other, for_equality=False)


def _read_text(flows: Flows, node: ast.Call) -> None:
    """`strlen` reads what its arguments point to as characters, one after another."""
    for argument in node.arguments:
        pointer = walk.strip(argument, CastKind.POINTER, CastKind.NOTHING)
        if isinstance(pointer.type, PointerType):
            place = flows.values.pointed(argument)
            if argument in flows.values.slots:
                flows.values.graph.move(flows.values.slots[argument], 1)
            flows.values.scalar(place, CHAR, (2, "char"))


def _find_in_text(flows: Flows, node: ast.Call) -> None:
    """`strchr`."""
    _read_text(flows, node)
    _within_first(flows, node)


def _copy_text(flows: Flows, node: ast.Call) -> None:
    """`strcpy`."""
    _read_text(flows, node)
    _copy(flows, node)


def _duplicate_text(flows: Flows, node: ast.Call) -> None:
    """`strdup`."""
    _read_text(flows, node)
    _duplicate(flows, node)


def _write_text(flows: Flows, node: ast.Call) -> None:
    """`fgets`, `sprintf` write characters where the first argument points to."""
    for argument in node.arguments[:1]:
        _read_text(flows, ast.Call(node.type, node.span, node.function, (argument,)))
    if isinstance(node.type, PointerType):
        _return(flows, node, _slot(flows, node, 0))


def _write_wide_text(flows: Flows, node: ast.Call) -> None:
    """`swprintf` writes characters of any type, one after another."""
    for argument in node.arguments[:1]:
        pointer = walk.strip(argument, CastKind.POINTER, CastKind.NOTHING)
        if isinstance(pointer.type, PointerType) and is_scalar(pointer.type.target):
            place, slot = flows.values.pointed(pointer), flows.values.slots.get(pointer)
            if slot is not None:
                flows.values.graph.move(slot, flows.values.step_size(pointer.type))
            flows.values.scalar(place, pointer.type.target, (2, type_label(pointer.type.target)))


def _write_scalars(flows: Flows, node: ast.Call) -> None:
    """`scanf` writes scalars where its arguments point to, by the types of the pointers."""
    for argument in node.arguments:
        pointer = walk.strip(argument, CastKind.POINTER, CastKind.NOTHING)
        if isinstance(pointer.type, PointerType) and not pointer.type.to_const and is_scalar(pointer.type.target):
            slot = flows.values.scalar(
                flows.values.pointed(pointer), pointer.type.target, (2, type_label(pointer.type.target))
            )
            flows.values.graph.loosen(slot)


def _atomic(flows: Flows, node: ast.Call) -> None:
    """`__sync_fetch_and_add` stores values where a pointer leads, and returns or stores the old value."""
    pointer = walk.strip(node.arguments[0], CastKind.POINTER, CastKind.NOTHING) if node.arguments else None
    if pointer is None or not isinstance(pointer.type, PointerType) or not is_scalar(pointer.type.target):
        return
    type_ = pointer.type.target
    label = (2, type_label(type_))
    cell = flows.values.scalar(flows.values.pointed(pointer), type_, label)
    if not any(
        word in walk.called_name(node) for word in ("exchange", "compare", "load", "store", "swap", "test_and_set")
    ):
        flows.values.graph.move(cell, 1)  # what is added to a pointer is not scaled
    for argument in node.arguments[1:]:
        if isinstance(argument.type, PointerType) and argument.type.target == type_:
            other = flows.values.scalar(flows.values.pointed(argument), type_, label)
            flows.values.graph.flow(cell, other)
        if argument in flows.values.slots:
            flows.values.graph.flow(flows.values.slots[argument], cell, None)
    if not isinstance(type_, PointerType):
        flows.values.graph.loosen(cell)
    _return(flows, node, cell)


def _copy(flows: Flows, node: ast.Call) -> None:
    """`memcpy` copies a part of an object to another one; the whole object if the size is unknown."""
    if len(node.arguments) >= 2:
        target, source = flows.values.pointed(node.arguments[0]), flows.values.pointed(node.arguments[1])
        size = flows.values.constants.get(node.arguments[2]) if len(node.arguments) == 3 else None
        flows.values.touch_pointed(node.arguments[0])
        flows.values.touch_pointed(node.arguments[1])
        if size is not None and 0 <= size <= SHORT:
            flows.values.graph.copy(target, source, size)
        else:
            flows.values.graph.join(target, source)
            _cut_anywhere(flows, node, node.arguments[:2])
    _return(flows, node, _slot(flows, node, 0))


def _copy_to_end(flows: Flows, node: ast.Call) -> None:
    """`mempcpy` returns the end of the copy."""
    _copy(flows, ast.Call(node.type, node.span, node.function, node.arguments))
    slot = _slot(flows, node, 0)
    if slot is not None:
        end = flows.values.graph.slot()
        flows.values.graph.pointer(end)
        size = flows.values.constants.get(node.arguments[2]) if len(node.arguments) == 3 else None
        flows.values.graph.flow(slot, end, size)
        _return(flows, node, end)


def _duplicate(flows: Flows, node: ast.Call) -> None:
    """`realloc`, `strdup` return new memory with the old contents."""
    place = (flows.values.graph.node(), 0)
    if node.arguments and isinstance(node.arguments[0].type, PointerType):
        flows.values.graph.join(place, flows.values.pointed(node.arguments[0]))
    _return(flows, node, flows.values.pointer_to(place))


def _store(flows: Flows, node: ast.Call, position: int, slot: Slot | None) -> None:
    """Store a pointer where an argument points to."""
    pointer = node.arguments[position] if position < len(node.arguments) else None
    if slot is not None and pointer is not None and pointer in flows.values.slots:
        kept = flows.values.scalar(flows.values.pointed(pointer), PointerType(VOID), (2, "void_pointer"))
        flows.values.graph.flow(slot, kept)


def _allocate_into(flows: Flows, node: ast.Call) -> None:
    """`posix_memalign(&p, ...)`."""
    _store(flows, node, 0, flows.values.pointer_to((flows.values.graph.node(), 0)))


def _end_of_number(flows: Flows, node: ast.Call) -> None:
    """`strtol(text, &end, ...)`."""
    slot = _slot(flows, node, 0)
    if slot is not None:
        _read_text(flows, ast.Call(node.type, node.span, node.function, node.arguments[:1]))
        flows.values.graph.move(slot, 1)
        _store(flows, node, 1, slot)


def _start_thread(flows: Flows, node: ast.Call) -> None:
    """`pthread_create(&thread, attributes, function, argument)`, `thrd_create(&thread, function, argument)`."""
    if len(node.arguments) >= 3:
        _write_scalars(flows, ast.Call(node.type, node.span, node.function, node.arguments[:1]))
        call = flows.call_back(node, -2, node.arguments[-1:])
        result = flows.values.slots.get(call)
        if result is not None:
            flows.values.graph.flow(result, flows.values.shared("results of threads"))


def _end_thread(flows: Flows, node: ast.Call) -> None:
    """`pthread_exit(result)`."""
    slot = _slot(flows, node, 0)
    if slot is not None:
        flows.values.graph.flow(slot, flows.values.shared("results of threads"))


def _join_thread(flows: Flows, node: ast.Call) -> None:
    """`pthread_join(thread, &result)`."""
    _store(flows, node, 1, flows.values.shared("results of threads"))


def _join_with_number(flows: Flows, node: ast.Call) -> None:
    """`thrd_join(thread, &result)`: the result is an int."""
    if len(node.arguments) > 1:
        _write_scalars(flows, ast.Call(node.type, node.span, node.function, node.arguments[1:2]))


def _mutex(flows: Flows, node: ast.Call, position: int = 0) -> None:
    """The first int in a mutex says whether it is held."""
    if position < len(node.arguments):
        flows.values.scalar(flows.values.pointed(node.arguments[position]), INT, (2, "mutex"))


def _mutex_of_condition(flows: Flows, node: ast.Call) -> None:
    _mutex(flows, node, 1)


def _set_specific(flows: Flows, node: ast.Call) -> None:
    """`pthread_setspecific(key, value)`."""
    slot = _slot(flows, node, 1)
    if slot is not None:
        flows.values.graph.flow(slot, flows.values.shared("values of threads"))


def _get_specific(flows: Flows, node: ast.Call) -> None:
    slot = flows.values.shared("values of threads")
    flows.values.graph.pointer(slot)
    _return(flows, node, slot)


def _expect(flows: Flows, node: ast.Call) -> None:
    """`__builtin_expect(x, y)` is x."""
    _return(flows, node, _slot(flows, node, 0))


_NAMES: Final[dict[Model, str]] = {
    _fresh: "malloc calloc alloca valloc pvalloc memalign aligned_alloc kmalloc kzalloc kcalloc __kmalloc vmalloc vzalloc"
    " kmem_cache_alloc kmem_cache_zalloc xmalloc",
    _duplicate: "realloc reallocarray kmemdup krealloc",
    _duplicate_text: "strdup strndup kstrdup",
    _copy: "memcpy memmove bcopy __memcpy",
    _copy_to_end: "mempcpy",
    _copy_text: "strcpy strncpy strcat strncat stpcpy stpncpy strlcpy strlcat",
    _first: "memset bzero",
    _forget: "__VERIFIER_nondet_memory __CPROVER_havoc_slice",
    _read_text: "strlen strnlen strspn strcspn",
    _compare_text: "strcmp strncmp strcasecmp strncasecmp strcoll memcmp bcmp",
    _write_text: "fgets gets sprintf snprintf vsprintf vsnprintf",
    _write_wide_text: "swprintf vswprintf",
    _find_in_text: "strchr strrchr strstr strpbrk memchr memrchr rawmemchr strchrnul strcasestr index rindex",
    _within_first: "strtok basename dirname",
    _write_scalars: "scanf fscanf sscanf __isoc99_scanf __isoc99_fscanf __isoc99_sscanf time rand_r frexp frexpf frexpl"
    f" modf modff modfl {' '.join(OVERFLOW_NAMES)}",
    _atomic: " ".join(ATOMIC_NAMES),
    _allocate_into: "posix_memalign asprintf vasprintf",
    _end_of_number: "strtol strtoul strtoll strtoull strtod strtof strtold simple_strtoul simple_strtol",
    _start_thread: "pthread_create thrd_create",
    _end_thread: "pthread_exit",
    _join_thread: "pthread_join",
    _join_with_number: "thrd_join",
    _set_specific: "pthread_setspecific",
    _get_specific: "pthread_getspecific",
    _mutex: "pthread_mutex_lock pthread_mutex_trylock pthread_mutex_unlock pthread_mutex_init"
    " pthread_spin_lock pthread_spin_trylock pthread_spin_unlock pthread_spin_init"
    " mtx_lock mtx_trylock mtx_unlock mtx_init",
    _mutex_of_condition: "pthread_cond_wait cnd_wait",
    _expect: "__builtin_expect __builtin_expect_with_probability __builtin_assume_aligned",
}

LIBRARY_FLOWS: Final[dict[str, Model]] = {
    alias: model for model, names in _NAMES.items() for name in names.split() for alias in aliases(name)
}
