"""Reads the reports of AddressSanitizer and UndefinedBehaviorSanitizer as a list of complaints.

file.c:12:24: runtime error: division by zero
==7==ERROR: AddressSanitizer: heap-use-after-free on address ...
    #0 0x55 in __interceptor_memcpy ...
    #1 0x56 in main /tmp/file.c:17

A program that continues after failing assertions reports them in the same way:

violated: x > 0
    #0 0x55 in __sanitizer_print_stack_trace ...
    #1 0x56 in remuda_violated ...
    #2 0x57 in main /tmp/file.c:19
"""

from __future__ import annotations

import os
import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Final, final

_RUNTIME_ERROR: Final = re.compile(r"^(?P<file>\S.*?):(?P<line>\d+):\d+: runtime error: (?P<text>.*)$")
_ERROR: Final = re.compile(r"^==\d+==\s*ERROR: (?:Address|Leak)Sanitizer: (?P<text>.*)$")
_VIOLATED: Final = re.compile(r"^violated: (?P<text>.*)$")
_FRAME: Final = re.compile(r"^\s+#\d+ 0x[0-9a-f]+ in (?P<function>\S+) (?P<file>/\S.*?):(?P<line>\d+)(?::\d+)?$")
_ANY_FRAME: Final = re.compile(r"^\s+#\d+ 0x[0-9a-f]+(?: in (?P<function>\S+)|\s+\()")  # some frames have no name
_ADDRESS: Final = re.compile(
    r" (?:on|at|in)(?: unknown)? address(?: 0x[0-9a-f]+)?\b.*$| on 0x[0-9a-f]+.*$|: 0x[0-9a-f]+.*$| 0x[0-9a-f]+\b"
)
_NOWHERE: Final = re.compile(r"^\s+#0 0x[0-9a-f]+\s+\(<unknown module>\)")
WILD_CALL: Final = "call of what is no function"
STATED: Final = "stated"  # an assertion of the program itself
FAILING: Final = frozenset(
    {
        "remuda_violated",
        "remuda_assert_fail",
        "remuda_assertion_failed",
        "__assert_fail",
        "__GI___assert_fail",
        "__assert_perror_fail",
        "__assert",
    }
)

_MEMORY_ERRORS: Final = ("SEGV", "BUS", "unknown-crash", "wild-addr")
_OVERFLOWS: Final = ("buffer-overflow", "buffer-underflow", "container-overflow", "negative-size-param")
# The texts of complaints that show a failure of each kind of check. An access through an invalid pointer may hit any
# memory, so some complaints fit both bounds and pointer checks.
SIGNS: Final[dict[str, tuple[str, ...]]] = {
    "bounds": (
        *_OVERFLOWS,
        *_MEMORY_ERRORS,
        "out of bounds for type",
        "with insufficient space",
        "overflowed to",  # the sum of a pointer and an offset
        "variable length array bound",
        "param-overlap",
    ),
    "pointer": (
        "null pointer",
        "use-after",
        "double-free",
        "which was not malloc",
        "bad-free",
        "alloc-dealloc-mismatch",
        "misaligned address",
        "with insufficient space",
        "param-overlap",
        *_OVERFLOWS,
        *_MEMORY_ERRORS,
    ),
    WILD_CALL: (WILD_CALL,),
    "leak": ("detected memory leaks",),
    "div": ("division by zero", "FPE"),
    "overflow": ("signed integer overflow", "negation of", "cannot be represented in type", "left shift of", "FPE"),
    "shift": ("shift exponent", "left shift of"),
    "conversion": ("outside the range of representable values",),
}


@final
@dataclass(frozen=True, slots=True)
class Frame:
    function: str
    file: str = ""
    line: int = 0


@final
@dataclass(frozen=True, slots=True)
class Complaint:
    """One report of a sanitizer: its first line, and the call stack, the innermost call first."""

    text: str
    frames: tuple[Frame, ...]

    @property
    def headline(self) -> str:
        """The first line without addresses, which change from run to run."""
        return _ADDRESS.sub("", self.text).strip()

    def is_about(self, kind: str) -> bool:
        if kind == STATED:
            return any(frame.function in FAILING for frame in self.frames)
        return any(sign in self.text for sign in SIGNS.get(kind, ()))

    def place(self, files: Collection[str], without: Collection[str] = ()) -> Frame | None:
        """The innermost call in one of the files, except in some functions."""
        start = 0
        for position, frame in enumerate(self.frames):
            if frame.function in FAILING:
                start = position + 1
        for frame in self.frames[start:]:
            if frame.file in files and frame.function not in without:
                return frame
        return None


def complaints_in(output: str) -> list[Complaint]:
    """The complaints in the standard error of a program, in order."""
    found: list[Complaint] = []
    lines = output.splitlines()
    for position, line in enumerate(lines):
        plain = _RUNTIME_ERROR.match(line)
        if plain is not None:
            frame = Frame("", os.path.realpath(plain["file"]), int(plain["line"]))
            found.append(Complaint(plain["text"], (frame,)))
            continue
        violated = _VIOLATED.match(line)
        if violated is not None and position + 1 < len(lines) and _ANY_FRAME.match(lines[position + 1]):
            found.append(Complaint(violated["text"], tuple(_stack(lines[position + 1 :]))))
            continue
        error = _ERROR.match(line)
        if error is not None:
            rest = lines[position + 1 :]
            stack = tuple(_stack(rest))
            called = f", {WILD_CALL}" if _is_nowhere(rest) else ""
            found.append(Complaint(error["text"] + called, stack))
    return found


def _is_nowhere(lines: Sequence[str]) -> bool:
    """Whether the innermost call is outside the program's code, so its caller and its place are unknown."""
    first = next((line for line in lines if line.lstrip().startswith("#0 ")), "")
    return _NOWHERE.match(first) is not None


def _stack(lines: Sequence[str]) -> list[Frame]:
    """The first stack after a headline; later ones are those of the allocation and the release of memory."""
    frames: list[Frame] = []
    for line in lines:
        if _ERROR.match(line):
            break
        whole, named = _FRAME.match(line), _ANY_FRAME.match(line)
        if whole is not None:
            frames.append(Frame(whole["function"], os.path.realpath(whole["file"]), int(whole["line"])))
        elif named is not None:
            frames.append(Frame(named["function"] or ""))
        elif frames:
            break
    return frames
