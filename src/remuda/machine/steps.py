"""Generators that call each other through `yield`: trees of any depth without Python's call stack."""

from __future__ import annotations

from types import GeneratorType
from typing import Any

Steps = Any  # a generator, or a result


def complete(call: Steps) -> Any:  # noqa: ANN401 - the result is whatever the functions return
    """Run a generator and all generators that it yields; each is sent the result of what it yielded."""
    stack = [call]
    value: Any = None
    while stack:
        top = stack[-1]
        if type(top) is not GeneratorType:
            value = stack.pop()
            continue
        try:
            stack.append(top.send(value))
            value = None
        except StopIteration as stop:
            stack.pop()
            value = stop.value
    return value
