"""Functions of pthread.h and threads.h.

The value of a `pthread_t` is the number of the thread. A thread that waits for a condition variable may wake up at any
time, as POSIX allows, so that signals change nothing.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, final

from remuda.frontends.c.syntax.types import INT, IntegerType, PointerType, RecordType, VoidType
from remuda.machine.memory import NULL, Pointer
from remuda.machine.outcomes import Cause, not_modelled, undefined
from remuda.machine.threads import Wait

if TYPE_CHECKING:
    from remuda.frontends.c.syntax.types import CType
    from remuda.machine.calls import Site
    from remuda.machine.memory import Object, Value
    from remuda.machine.run import Execution

Model = Callable[["Execution", "Site", list[Any]], "Value | None"]

BUSY: Final = {"pthread_mutex_trylock": 16, "pthread_spin_trylock": 16, "mtx_trylock": 1}  # EBUSY, thrd_busy
DEADLOCK: Final = 35  # EDEADLK
RECURSIVE: Final = 1  # PTHREAD_MUTEX_RECURSIVE, and in the same bit mtx_recursive
KIND: Final = "__kind"
CHECKING: Final = 2  # PTHREAD_MUTEX_ERRORCHECK
JOINED: Final = "joined"
WOKEN: Final = "woken"


@final
@dataclass(slots=True)
class Mutex:
    """A mutex: its kind, the number of the thread that holds it (0: none), and how often the thread has locked it."""

    kind: int = 0
    holder: int = 0
    count: int = 0


# --- threads


def _create(execution: Execution, site: Site, values: list[Any]) -> Value | None:
    """Start a thread: the last two arguments are the function and its argument."""
    function = execution.function_at(values[-2], site.span)
    type_ = _pointed(site, 0)
    if not isinstance(type_, IntegerType):
        raise not_modelled(site.span, f"a thread that is named by {type_}")
    size = type_.width // 8
    object_ = execution.memory.check(values[0], 0, size, site.span, write=True)
    number = execution.threads.create(function, values[-1], site.span)
    execution.memory.write_leaf(object_, values[0].offset, type_, number)
    return 0


def _join(execution: Execution, site: Site, values: list[Any]) -> Value | None:
    phases = execution.threads.current.phases
    thread = execution.threads.numbered(values[0])
    if thread is None:
        raise undefined(Cause.OTHER, site.span, "a thread is joined that does not exist")
    if not thread.has_ended:
        raise Wait(site.span, lambda: thread.has_ended)
    target = values[1]
    if not isinstance(target, Pointer) or not target:
        return 0
    if phases.pop(JOINED, None) is None:  # the result is read in a step of its own
        phases[JOINED] = thread
        raise Wait(site.span, lambda: True)
    is_number = site.name == "thrd_join"
    type_: CType = INT if is_number else PointerType(VoidType())
    size = 4 if is_number else execution.memory.pointer_size
    object_ = execution.memory.check(target, 0, size, site.span, write=True)
    result = thread.result
    if is_number:
        result = result if isinstance(result, int) else 0
    elif not isinstance(result, Pointer):
        result = execution.memory.at_address(result) if isinstance(result, int) else NULL
    execution.memory.write_leaf(object_, target.offset, type_, result)
    return 0


def _exit(execution: Execution, site: Site, values: list[Any]) -> Value | None:
    execution.threads.exit(values[0], site.span)
    return None


def _self(execution: Execution, _: Site, __: list[Any]) -> Value | None:
    return execution.threads.current.number


def _equal(_: Execution, __: Site, values: list[Any]) -> Value | None:
    return int(values[0] == values[1])


def _pointed(site: Site, position: int) -> CType | None:
    type_ = site.node.arguments[position].type
    return type_.target if isinstance(type_, PointerType) else None


# --- mutexes


def _mutex(execution: Execution, site: Site, pointer: Pointer, position: int = 0) -> Mutex:
    object_ = execution.memory.check(pointer, 0, 1, site.span, write=True)
    mutexes: dict[tuple[Object, int], Mutex] = execution.state.setdefault("mutexes", {})
    place = (object_, pointer.offset)
    if place not in mutexes:
        mutexes[place] = Mutex(_initial_kind(execution, site, pointer, position))
    return mutexes[place]


def _initial_kind(execution: Execution, site: Site, pointer: Pointer, position: int) -> int:
    """The kind in the initial value of a mutex, in glibc's member for it: 0 is the default kind."""
    for offset in _offsets_of_kind(_pointed(site, position)):
        blob = execution.memory.read_blob(pointer, offset, INT.width // 8, site.span)
        if blob.known is None or all(blob.known):
            return int.from_bytes(blob.data, "little")
    return 0


def _offsets_of_kind(type_: CType | None) -> list[int]:
    found, waiting = [], [(type_, 0)]
    while waiting:
        record, start = waiting.pop()
        for field in record.fields if isinstance(record, RecordType) else ():
            at = start + field.offset // 8
            waiting.append((field.type, at))
            if field.name == KIND and field.type == INT:
                found.append(at)
    return found


def _init(execution: Execution, site: Site, values: list[Any]) -> Value | None:
    mutex = _mutex(execution, site, values[0])
    given = values[1] if len(values) > 1 else 0
    kinds: dict[tuple[Object | None, int], int] = execution.state.get("kinds of mutexes", {})
    kind = kinds.get((given.object, given.offset), 0) if isinstance(given, Pointer) else given
    mutex.kind, mutex.holder, mutex.count = kind, 0, 0
    return 0


def _set_kind(execution: Execution, site: Site, values: list[Any]) -> Value | None:
    object_ = execution.memory.check(values[0], 0, 1, site.span, write=True)
    execution.state.setdefault("kinds of mutexes", {})[object_, values[0].offset] = values[1]
    return 0


def _is_free(execution: Execution, mutex: Mutex) -> bool:
    own = execution.threads.current.number
    return mutex.holder == 0 or (mutex.holder == own and mutex.kind == RECURSIVE)


def _acquire(execution: Execution, site: Site, mutex: Mutex) -> None:
    number = execution.threads.current.number
    if mutex.holder and not (mutex.holder == number and mutex.kind == RECURSIVE):
        raise Wait(site.span, lambda: mutex.holder == 0)
    mutex.holder = number
    mutex.count += 1


def _lock(execution: Execution, site: Site, values: list[Any]) -> Value | None:
    mutex = _mutex(execution, site, values[0])
    if mutex.kind == CHECKING and mutex.holder == execution.threads.current.number:
        return DEADLOCK
    _acquire(execution, site, mutex)
    return 0


def _try(execution: Execution, site: Site, values: list[Any]) -> Value | None:
    mutex = _mutex(execution, site, values[0])
    if not _is_free(execution, mutex):
        return BUSY[site.name]
    _acquire(execution, site, mutex)
    return 0


def _unlock(execution: Execution, site: Site, values: list[Any]) -> Value | None:
    mutex = _mutex(execution, site, values[0])
    if mutex.holder != execution.threads.current.number:
        execution.leave_open(site.span, "a thread unlocks a mutex that it does not hold")
        mutex.count = 1
    mutex.count -= 1
    if mutex.count == 0:
        mutex.holder = 0
    return 0


def _wait(execution: Execution, site: Site, values: list[Any]) -> Value | None:
    """Unlock the mutex, and later lock it again."""
    mutex, phases = _mutex(execution, site, values[1], 1), execution.threads.current.phases
    if WOKEN not in phases:
        if mutex.holder != execution.threads.current.number:
            execution.leave_open(site.span, "a thread waits with a mutex that it does not hold")
        phases[WOKEN] = mutex.count
        mutex.holder = mutex.count = 0
        raise Wait(site.span, lambda: mutex.holder == 0)
    if mutex.holder:
        raise Wait(site.span, lambda: mutex.holder == 0)
    mutex.holder, mutex.count = execution.threads.current.number, max(1, phases.pop(WOKEN))
    return 0


def _succeed(_: Execution, __: Site, ___: list[Any]) -> Value | None:
    return 0


_PLAIN: Final = (
    *("pthread_mutex_destroy", "pthread_mutexattr_init", "pthread_mutexattr_destroy", "pthread_attr_init"),
    *("pthread_attr_destroy", "pthread_attr_setdetachstate", "pthread_cond_init", "pthread_cond_destroy"),
    *("pthread_cond_signal", "pthread_cond_broadcast", "pthread_detach", "pthread_setcancelstate"),
    *("pthread_setcanceltype", "sched_yield", "pthread_yield", "mtx_destroy", "cnd_init", "cnd_destroy"),
    *("cnd_signal", "cnd_broadcast", "thrd_detach", "thrd_yield", "thrd_sleep", "pthread_spin_destroy"),
)

THREADS: Final[dict[str, Model]] = {
    **dict.fromkeys(("pthread_create", "thrd_create"), _create),
    **dict.fromkeys(("pthread_join", "thrd_join"), _join),
    **dict.fromkeys(("pthread_exit", "thrd_exit"), _exit),
    **dict.fromkeys(("pthread_self", "thrd_current"), _self),
    **dict.fromkeys(("pthread_equal", "thrd_equal"), _equal),
    **dict.fromkeys(("pthread_mutex_init", "mtx_init"), _init),
    "pthread_mutexattr_settype": _set_kind,
    **dict.fromkeys(("pthread_mutex_lock", "mtx_lock"), _lock),
    **dict.fromkeys(("pthread_mutex_trylock", "mtx_trylock"), _try),
    **dict.fromkeys(("pthread_mutex_unlock", "mtx_unlock"), _unlock),
    **dict.fromkeys(("pthread_cond_wait", "cnd_wait"), _wait),
    "pthread_spin_init": lambda execution, site, values: _init(execution, site, values[:1]),
    "pthread_spin_lock": _lock,
    "pthread_spin_trylock": _try,
    "pthread_spin_unlock": _unlock,
    **dict.fromkeys(_PLAIN, _succeed),
}
