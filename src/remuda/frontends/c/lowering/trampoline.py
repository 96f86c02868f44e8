"""Mutually recursive functions over trees of any depth, without Python's call stack.

A function is a generator that yields the calls it needs and is sent their results; one that needs none may just return
its result:

    def size(node):
        if node is None:
            return 0
        return sizes(node)

    def sizes(node):
        left = yield size(node.left)
        right = yield size(node.right)
        return left + right + 1

    complete(size(tree))
"""

from __future__ import annotations

from types import GeneratorType
from typing import Any

Steps = Any  # a generator, or a result


def complete(call: Steps) -> Any:  # noqa: ANN401 - the result is whatever the functions return
    """Run a generator and all that it calls."""
    if type(call) is not GeneratorType:
        return call
    stack = [call]
    value: Any = None
    while stack:
        try:
            called = stack[-1].send(value)
        except StopIteration as stop:
            stack.pop()
            value = stop.value
        else:
            if type(called) is GeneratorType:
                stack.append(called)
                value = None
            else:
                value = called
    return value
