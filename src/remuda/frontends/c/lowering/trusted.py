"""The assumptions of verdicts about a C program, collected during the lowering: few sentences, each for all functions
or places that it is about.

printf, puts: assumed to return any value and to change nothing that the program sees
no undefined behaviour: accesses stay within their objects; signed overflow wraps around; check it with `--check ub`
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, final

if TYPE_CHECKING:
    from remuda.base.source import Span

UNDEFINED: Final = {  # by the kind of check that finds it
    "bounds": "accesses stay within their objects",
    "pointer": "pointers that are followed are valid",
    "div": "divisions have arguments for which C defines a result",
    "shift": "shifts have arguments for which C defines a result",
    "bits": "arguments of __builtin_clz and __builtin_ctz are not zero",
    "conversion": "floats fit into the integers they become",
    "overflow": "signed arithmetic that overflows wraps around",
}

UNCHECKED: Final = {  # undefined behaviour that no check finds
    "types": "objects are accessed by their own types and alignments",
    "const": "objects that are const are not written",
    "result": "functions return a value where one is used",
    "overlap": "memcpy copies between parts that do not overlap",
}


@final
class Trusted:
    """Has each assumption once, in the order of the program; those about the whole program are at the end."""

    def __init__(self) -> None:
        self._sentences: dict[str, None] = {}
        self._about: dict[str, dict[str, None]] = {}  # each assumption, with the functions it is about
        self._undefined: dict[str, None] = {}
        self._unchecked: dict[str, None] = {}
        self._address: Span | None = None  # the first place where it matters which addresses objects have
        self._order: Span | None = None  # the first expression whose value depends on the order of evaluation
        self._wide_field: Span | None = None  # the first use of a bit-field that is wider than an int
        self._uncovered: Span | None = None  # the first write to a part whose rest the program can see
        self._truth: Span | None = None  # the first read as `_Bool` of what is also written as something else
        self._literals: Span | None = None  # the first place where it matters whether literals are one object

    def add(self, sentence: str) -> None:
        self._sentences[sentence] = None

    def add_about(self, name: str, belief: str) -> None:
        """Add a function to an assumption about functions: `NAME, NAME: BELIEF`."""
        self._about.setdefault(belief, {})[name] = None

    def undefined(self, kind: str) -> None:
        """Note an operation that this kind of check is about, if the check is off."""
        self._undefined[kind] = None

    def unchecked(self, kind: str) -> None:
        """Note undefined behaviour that no check finds."""
        self._unchecked[kind] = None

    def address(self, span: Span) -> None:
        """Note that something depends on the order, the alignment or the distance of objects."""
        self._address = self._address or span

    def literals(self, span: Span) -> None:
        """Note a comparison of pointers into string literals."""
        self._literals = self._literals or span

    def uncovered(self, span: Span) -> None:
        """Note that something depends on bytes that C leaves open after a write to a member."""
        self._uncovered = self._uncovered or span

    def truth(self, span: Span) -> None:
        """Note a read of a `_Bool` that may be neither 0 nor 1."""
        self._truth = self._truth or span

    def order(self, span: Span) -> None:
        """Note that something depends on the order of evaluation, which C leaves open."""
        self._order = self._order or span

    def wide_field(self, span: Span) -> None:
        """Note the use of a bit-field that is wider than an int: compilers disagree on its type."""
        self._wide_field = self._wide_field or span

    @property
    def has_chosen(self) -> bool:
        """Whether something depends on a choice that C leaves open, and that the translation makes."""
        chosen = (self._address, self._literals, self._wide_field, self._uncovered, self._truth, self._order)
        return any(each is not None for each in chosen)

    @property
    def sentences(self) -> tuple[str, ...]:
        found = list(self._sentences)
        found += [f"{', '.join(names)}: {belief}" for belief, names in self._about.items()]
        if self._address is not None:
            found.append(
                f"addresses of objects: their order, alignment, gaps and numbers are what the model chose, and none is used again ({self._address})"
            )
        if self._literals is not None:
            found.append(f"every string literal is a separate object, even if texts are equal ({self._literals})")
        if self._wide_field is not None:
            found.append(
                "bit-fields that are wider than int have the type they are declared with, as in clang; gcc computes with"
                f" as many bits as they have ({self._wide_field})"
            )
        if self._uncovered is not None:
            found.append(
                "writes to a member of a struct or union leave all other bytes as they are: padding, and what larger"
                f" members of the union have there ({self._uncovered})"
            )
        if self._truth is not None:
            found.append(
                "what is read as _Bool is 0 or 1, also where it is written as something else; any other byte counts as 1"
                f" ({self._truth})"
            )
        if self._order is not None:
            found.append(
                "operands are evaluated from left to right, the right side of an assignment first, where C leaves the"
                f" order open ({self._order})"
            )
        unchecked = [text for kind, text in UNCHECKED.items() if kind in self._unchecked]
        if unchecked:
            found.append(f"no undefined behaviour that there is no check for: {'; '.join(unchecked)}")
        undefined = [text for kind, text in UNDEFINED.items() if kind in self._undefined]
        if undefined:
            flag = "ub,conversion" if "conversion" in self._undefined else "ub"
            found.append(f"no undefined behaviour: {'; '.join(undefined)}; check it with `--check {flag}`")
        return tuple(found)
