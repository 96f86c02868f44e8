"""Room on the C stack for the parser.

Clang recurses over expressions and blocks, and the usual 8 MB end at a few thousand levels, with the whole process.
A thread can have a larger stack; pages that are never touched cost nothing.
"""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING, Final, TypeVar

from remuda.base.errors import ToolError

if TYPE_CHECKING:
    from collections.abc import Callable

Result = TypeVar("Result")
STACK_BYTES: Final = (512 << 20, 128 << 20, 32 << 20)  # as much as the limits of the process allow
_SETTING: Final = threading.Lock()  # the size is a setting of the process


def with_big_stack(action: Callable[[], Result]) -> Result:
    """Run an action in a thread with a big stack. The result or exception is that of the action."""
    results: list[Result] = []
    errors: list[BaseException] = []

    def run() -> None:
        try:
            results.append(action())
        except BaseException as error:  # noqa: BLE001 (raised again below, in the thread that waits)
            errors.append(error)

    thread = _start(run)
    thread.join()
    if errors:
        raise errors[0]
    return results[0]


def _start(run: Callable[[], None]) -> threading.Thread:
    with _SETTING:
        usual = threading.stack_size()
        try:
            for size in STACK_BYTES:
                threading.stack_size(size)
                thread = threading.Thread(target=run, name="clang", daemon=True)
                try:
                    thread.start()
                except RuntimeError:  # no room in the address space
                    continue
                return thread
        finally:
            threading.stack_size(usual)
    raise ToolError("no memory for the C parser's stack")
