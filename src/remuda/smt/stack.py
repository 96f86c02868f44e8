"""Room on the C stack for the solvers.

Solvers recurse over some shapes of formula (Z3 over conjunctions of conjunctions, cvc5 over almost anything), and
the usual 8 MB end at a depth of about fifty thousand, with the whole process. Linux lets the main thread's stack
grow up to the limit that holds when it grows, so raising the limit late is enough.
"""

from __future__ import annotations

import sys
from functools import cache
from typing import Final

_WANTED: Final = 100 << 20  # below the 128 MB that Linux keeps free under a stack


@cache
def raise_stack_limit() -> None:
    """Raise the limit of the stack once per process; never lower it. On other systems than Linux, do nothing."""
    if sys.platform != "linux":
        return
    import resource

    soft, hard = resource.getrlimit(resource.RLIMIT_STACK)
    wanted = _WANTED if hard == resource.RLIM_INFINITY else min(_WANTED, hard)
    if soft != resource.RLIM_INFINITY and soft < wanted:
        resource.setrlimit(resource.RLIMIT_STACK, (wanted, hard))
