"""From a failing execution to a C program that fails the same way when it is built and run.

The program's own text stays as it is, but for three kinds of edits: an error label is followed by a call that reports
it, a definition of a function that verifiers give a meaning of their own is renamed out of the way, and a local
variable without a value is given the one it had. Around it come definitions of the functions that inputs come from.

    int x = __VERIFIER_nondet_int();          int __VERIFIER_nondet_int(void) { ... returns 7, then -1 ... }
"""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Final, TypeGuard, final

from remuda.frontends.c.lowering.entries import SPACE
from remuda.frontends.c.lowering.reachable import nodes_of
from remuda.frontends.c.memory.allocators import ALLOCATORS
from remuda.frontends.c.syntax import ast
from remuda.frontends.c.syntax.types import (
    CHAR,
    ArrayType,
    FloatingType,
    FunctionType,
    IntegerType,
    PointerType,
    VoidType,
    is_scalar,
)
from remuda.frontends.c.syntax.walk import called_function
from remuda.ir.program import TestCase
from remuda.terms.float_values import exact, is_infinite, is_nan, is_negative_bit
from remuda.terms.values import FloatValue, Value

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Sequence

    from remuda.base.source import Source, Span
    from remuda.frontends.c.syntax.types import CType, Machine
    from remuda.ir.program import Check, Input


@final
@dataclass(frozen=True, slots=True)
class CallSite:
    """Where a function is called that inputs come from. Compilers may evaluate arguments in another order than Remuda
    does, so that inputs belong to places and not just to functions."""

    function: ast.Function
    place: str
    span: Span = field(compare=False)

    @property
    def type(self) -> CType:
        return self.function.type.result

    @property
    def name(self) -> str:
        return self.function.name


Leaf = tuple[str, Value]  # a part of a value, as a designator (empty for a scalar), and what it is
Supply = ast.Function | ast.Variable | CallSite  # what an input comes from

ASSERTS: Final = ("assert", "__VERIFIER_assert", "__CPROVER_assert")
ERRORS: Final = ("__VERIFIER_error", "reach_error")
ASSUMES: Final = ("__VERIFIER_assume", "__CPROVER_assume")
MEANT: Final = (*ASSERTS, *ERRORS, *ASSUMES)
SANITIZERS: Final = {
    "bounds": "-fsanitize=address,undefined -fno-sanitize-recover=all",
    "pointer": "-fsanitize=address,undefined -fno-sanitize-recover=all",
    "leak": "-fsanitize=address",
    "div": "-fsanitize=undefined -fno-sanitize-recover=all",
    "overflow": "-fsanitize=undefined -fno-sanitize-recover=all",
    "shift": "-fsanitize=undefined -fno-sanitize-recover=all",
}
LEAF: Final = "\t"  # between what an input comes from and which part of it this is
SYSTEM: Final = frozenset({"stdin", "stdout", "stderr", "environ", "errno", "optarg", "optind", "opterr", "optopt"})
REPORT: Final = (  # `write` under another name, because the program may declare it its own way
    'extern long remuda_write(int, const void *, __SIZE_TYPE__) __asm__("write");',
    "void remuda_violated(const char *what) {",
    '  remuda_write(2, "violated: ", 10);',
    "  remuda_write(2, what, __builtin_strlen(what));",
    '  remuda_write(2, "\\n", 1);',
    "  __builtin_abort();",
    "}",
)
ALLOCATING: Final = ALLOCATORS | {
    "alloca",
    "__builtin_alloca",
    "realloc",
    "reallocarray",
    "aligned_alloc",
    "memalign",
}
INT64_MIN: Final = -(1 << 63)
WORD: Final = (1 << 64) - 1


@final
@dataclass(slots=True, eq=False)
class Reproduction:
    """What is known of a program that its failing executions are made into programs from."""

    entries: tuple[ast.Function, ...] = ()
    functions: tuple[ast.Function, ...] = ()  # those that executions may call, with or without a body
    error_labels: frozenset[str] = frozenset()
    machine: Machine | None = None
    has_threads: bool = False
    supplies: dict[str, Supply] = field(default_factory=dict)

    def key(self, supply: ast.Variable | CallSite) -> str:
        """The name under which an input says where it comes from."""
        kind = "call" if isinstance(supply, CallSite) else supply.storage.value
        key = f"{kind} {supply.name} {supply.span}"
        self.supplies[key] = supply
        return key

    def test_case(
        self, check: Check, inputs: Sequence[Input], procedures: Sequence[str], sources: Sequence[Source]
    ) -> TestCase:
        entry = procedures[0].removesuffix("$start")
        start = next(function for function in self.entries if function.name == entry)
        writer = _Writer(self, check, inputs, start)
        text = writer.text(sources)
        undefined = tuple(function.name for function in self.functions if function.body is None)
        unset = tuple(self._unset(start, frozenset(procedures)))
        return TestCase(text, writer.missing, unset, undefined, self.has_threads)

    def _unset(self, entry: ast.Function, procedures: frozenset[str]) -> Iterator[str]:
        """Memory whose first contents the program cannot set: that of objects without a value, and of pointers into
        what is not part of the program."""
        supplied = set(self.supplies.values())
        for parameter in entry.parameters:
            if isinstance(parameter.type, PointerType):
                yield f"what {parameter.name} points to"
        for supply in self.supplies.values():
            if (
                isinstance(supply, ast.Variable)
                and supply.storage is ast.Storage.EXTERN
                and not is_scalar(supply.type)
            ):
                yield f"the first contents of {supply.name}"
        for function in self.functions:
            if function.name in procedures:
                yield from _unset_in(function, supplied)


@final
class _Writer:
    def __init__(self, program: Reproduction, check: Check, inputs: Sequence[Input], entry: ast.Function) -> None:
        self._program = program
        self._check = check
        self._entry = entry
        self._values: dict[Supply, list[Leaf]] = {}
        self._missing: dict[str, None] = {}  # what the program cannot set, in the words of the source
        self._edits: dict[str, list[tuple[int, int, str]]] = {}  # by source: from, to, what is there instead
        if program.has_threads:
            self._missing["the order in which threads run"] = None
        for input_ in inputs:
            key, _, leaf = input_.supply.partition(LEAF)
            supply = program.supplies.get(key)
            if supply is None or supply.name in SYSTEM:
                self._missing[input_.source] = None
            else:
                place = supply.function if isinstance(supply, CallSite) and not _is_written(supply) else supply
                self._values.setdefault(place, []).append((leaf, input_.value))
                if isinstance(supply.type, PointerType) and input_.value != 0:
                    self._missing[f"what {input_.source or supply.name} points to"] = None

    @property
    def missing(self) -> tuple[str, ...]:
        return tuple(self._missing)

    def text(self, sources: Sequence[Source]) -> str:
        self._edit_labels()
        before, after = [*self._prologue()], [*self._epilogue()]
        parts = [part for source in sources for part in self._source(source)]
        return "\n".join([*self._header(), *before, "", *parts, "", *after, ""])

    # --- around the program

    def _header(self) -> list[str]:
        machine = self._program.machine
        flags = [
            "-std=gnu11",
            "-w",
            "-O0",
            *(["-m32"] if machine is not None and machine.pointer_width == 32 else []),
        ]
        if self._check.kind in SANITIZERS:
            flags.append(SANITIZERS[self._check.kind])
        lines = [
            f"/* Makes this fail: {_comment(self._check.description)}",
            f" * at {self._check.span}",
            " *",
            f" * gcc {' '.join(flags)} FILE.c -lm && ./a.out",
        ]
        if self._check.kind in {"conversion", "uninitialized"}:
            lines.append(" *\n * No compiler notices this when the program runs; follow it in a debugger.")
        if self._missing:
            lines.append(
                " *\n * These inputs cannot be set from outside, and may be others than in the failing execution:"
            )
            lines += [f" *   {_comment(source)}" for source in self._missing]
        return [*lines, " */"]

    def _prologue(self) -> list[str]:
        lines = ["void remuda_violated(const char *what);"]
        asked = [supply for supply in self._values if isinstance(supply, ast.Function)]
        defined = [function for function in (*self._meant(), *asked) if function.body is not None]
        lines += [f"{_signature(function)};" for function in defined if self._rename(function)]
        for position, supply in enumerate(self._values):
            if isinstance(supply, CallSite):
                lines.append(f"{_signature(supply.function, _input(position))};")
                self._edit(supply.span, supply.name, _input(position))
            elif _is_local(supply) and self._give(supply, position):
                lines.append(f"{_declared(supply.type, _input(position))}(void);")
        lines.append("#define main remuda_main")
        return lines

    def _epilogue(self) -> list[str]:
        lines = ["#undef main", *self._reports()]
        for position, (supply, values) in enumerate(self._values.items()):
            lines += self._supply(supply, values, position)
        supplies = self._program.supplies.values()
        asked = dict.fromkeys(supply.function if isinstance(supply, CallSite) else supply for supply in supplies)
        for supply in asked:
            if supply not in self._values:
                lines += _unused(supply)
        return [*lines, *self._main()]

    def _reports(self) -> list[str]:
        what = _quoted(f"{self._check.span}: {self._check.description}")
        lines = [*REPORT]
        for function in self._meant():
            if function.body is not None and not self._is_renamed(function):
                continue
            if function.name in ERRORS:
                lines.append(f"{_signature(function)} {{ remuda_violated({what}); __builtin_trap(); }}")
            elif function.parameters or function.type.parameters or not function.type.has_prototype:
                deed = f"remuda_violated({what})" if function.name in ASSERTS else "__builtin_exit(0)"
                back = "" if isinstance(function.type.result, VoidType) else " return 0;"
                lines.append(f"{_signature(function)} {{ if (!a0) {deed};{back} }}")
        return lines

    def _meant(self) -> list[ast.Function]:
        return [function for function in self._program.functions if function.name in MEANT]

    # --- inputs

    def _supply(self, supply: Supply, values: Sequence[Leaf], position: int) -> list[str]:
        """The definition that gives an input its values."""
        if isinstance(supply, CallSite):
            table, body = _queue(supply.type, values, position)
            return [table, f"{_signature(supply.function, _input(position))} {body}"]
        if isinstance(supply, ast.Function):
            table, body = _queue(supply.type.result, values, position)
            return [table, f"{_signature(supply)} {body}"]
        if supply.storage is ast.Storage.EXTERN:
            return [f"{_declared(supply.type, supply.name)} = {_wholes(values, supply.type)[0]};"]
        if supply.storage is ast.Storage.LOCAL:
            table, body = _queue(supply.type, values, position)
            return [table, f"{_declared(supply.type, _input(position))}(void) {body}"]
        return []

    def _main(self) -> list[str]:
        """The function that the execution starts in, called with its arguments."""
        entry, lines, arguments = self._entry, [], []
        count = 0
        for parameter in entry.parameters:
            values = self._values.get(parameter)
            if values:
                value = values[0][1]
                arguments.append(literal(value, parameter.type))
                count = int(value) if entry.name == "main" and isinstance(value, int) and not count else count
            elif isinstance(parameter.type, PointerType) and entry.name == "main" and count:
                lines.append(f"  static char *remuda_{parameter.name}[{count + 1}];")
                lines.append(f'  for (int i = 0; i < {count}; i++) remuda_{parameter.name}[i] = "";')
                arguments.append(f"(void *)remuda_{parameter.name}")
                count = 0
            elif isinstance(parameter.type, PointerType):
                target = parameter.type.target
                has_size = not isinstance(target, VoidType) and getattr(target, "is_complete", True)
                space = ArrayType(target, SPACE) if has_size else ArrayType(CHAR, SPACE)
                lines.append(f"  static {_declared(space, f'remuda_{parameter.name}')};")
                arguments.append(f"(void *)remuda_{parameter.name}")
            else:
                lines.append(f"  static {_declared(parameter.type, f'remuda_{parameter.name}')};")
                arguments.append(f"remuda_{parameter.name}")
        name = "remuda_main" if entry.name == "main" else entry.name
        return ["int main(void) {", *lines, f"  {name}({', '.join(arguments)});", "  return 0;", "}"]

    # --- the program

    def _source(self, source: Source) -> list[str]:
        path = Path(source.name).absolute()
        edits = self._edits.get(source.name)
        if not edits:
            return [f"#include {_quoted(str(path))}"]
        text, at, parts = source.text, 0, []
        for start, end, instead in sorted(edits):
            parts += [text[at:start], instead]
            at = end
        return [f"#line 1 {_quoted(str(path))}", *"".join([*parts, text[at:]]).split("\n"), '#line 1 "test case"']

    def _edit(self, span: Span, old: str, new: str) -> bool:
        """Whether the text could be replaced: it is not where it seems if it comes from a macro."""
        end = span.start + len(old)
        if span.source.text[span.start : end] != old:
            return False
        self._edits.setdefault(span.source.name, []).append((span.start, end, new))
        return True

    def _edit_labels(self) -> None:
        span = self._check.span
        for label in self._program.error_labels:
            text = span.source.text[span.start :]
            if text.startswith(label) and text[len(label) :].lstrip().startswith(":"):
                colon = span.start + text.index(":") + 1
                what = _quoted(f"{span}: {self._check.description}")
                edit = (colon, colon, f" remuda_violated({what});")
                self._edits.setdefault(span.source.name, []).append(edit)

    def _rename(self, function: ast.Function) -> bool:
        is_plain = all(_is_plain(type_) for type_ in (function.type.result, *function.type.parameters))
        return is_plain and self._edit(function.span, function.name, f"remuda_own_{function.name}")

    def _is_renamed(self, function: ast.Function) -> bool:
        edits = self._edits.get(function.span.source.name, ())
        return any(start == function.span.start for start, _, _ in edits)

    def _give(self, variable: ast.Variable, position: int) -> bool:
        """Initialise a local variable; whether that can be written."""
        plain = is_scalar(variable.type) and _is_plain(variable.type)
        done = plain and self._edit(variable.span, variable.name, f"{variable.name} = {_input(position)}()")
        if not done:
            self._missing[f"{variable.name} at {variable.span}"] = None
        return done


def _unset_in(function: ast.Function, supplied: Collection[Supply]) -> Iterator[str]:
    for node in nodes_of(function):
        if isinstance(node, ast.Declaration):
            for variable in node.variables:
                is_ours = variable.storage is ast.Storage.LOCAL and variable.initializer is None
                if is_ours and not (variable in supplied and is_scalar(variable.type)):
                    yield f"the first contents of {variable.name} ({variable.span})"
        elif isinstance(node, ast.Call):
            callee = called_function(node)
            if callee is not None and callee.name in ALLOCATING and callee.body is None:
                yield f"the first contents of what {callee.name} gives ({node.span})"


def _input(position: int) -> str:
    return f"remuda_input_{position}"


def _is_local(supply: Supply) -> TypeGuard[ast.Variable]:
    return isinstance(supply, ast.Variable) and supply.storage is ast.Storage.LOCAL


def _is_written(site: CallSite) -> bool:
    """Whether the call stands in the text, and not in a macro, and the function can be replaced there."""
    types = (site.function.type.result, *site.function.type.parameters)
    return site.span.text.startswith(site.name) and all(_is_plain(type_) for type_ in types)


def _unused(supply: ast.Function | ast.Variable) -> list[str]:
    """The definition of something that the failing execution does not ask for."""
    if isinstance(supply, ast.Variable):
        is_ours = supply.storage is ast.Storage.EXTERN and supply.name not in SYSTEM
        return [f"{_declared(supply.type, supply.name)};"] if is_ours else []
    if supply.body is not None:
        return []
    result = supply.type.result
    if isinstance(result, VoidType):
        return [f"{_signature(supply)} {{ }}"]
    return [f"{_signature(supply)} {{ static {_declared(result, 'none')}; return none; }}"]


def _queue(type_: CType, values: Sequence[Leaf], position: int) -> tuple[str, str]:
    """A table of values, and what gives the next one, and the last one again if there are more questions than in the
    failing execution."""
    wholes = _wholes(values, type_)
    last = len(wholes) - 1
    return (
        f"static {_declared(type_, f'remuda_values_{position}[]')} = {{{', '.join(wholes)}}};",
        f"{{ static int at; return remuda_values_{position}[at < {last} ? at++ : {last}]; }}",
    )


def _wholes(values: Sequence[Leaf], type_: CType) -> list[str]:
    """Values as C writes them; those of records come in parts."""
    if is_scalar(type_):
        return [literal(value, type_) for _, value in values]
    wholes: list[dict[str, str]] = []
    for leaf, value in values:
        if not wholes or leaf in wholes[-1]:
            wholes.append({})
        wholes[-1][leaf] = literal(value, type_)
    return ["{" + ", ".join(f"{leaf} = {value}" for leaf, value in whole.items()) + "}" for whole in wholes]


def _signature(function: ast.Function, name: str = "") -> str:
    """A declaration with parameters called a0, a1, ..., under another name if one is given."""
    type_ = function.type
    parameters = [_declared(parameter, f"a{position}") for position, parameter in enumerate(type_.parameters)]
    if not type_.has_prototype and not parameters and function.name in {*ASSERTS, *ASSUMES}:
        parameters = ["int a0"]
    if type_.is_variadic and parameters:
        parameters.append("...")
    inside = ", ".join(parameters) if parameters else "void" if type_.has_prototype else ""
    prefix = "static " if function.is_static else ""
    return prefix + _declared(type_.result, f"{name or function.name}({inside})")


def _declared(type_: CType, name: str) -> str:
    """`int *(*name)[3]`: a declaration of a name."""
    match type_:
        case PointerType(target=FunctionType() | ArrayType() as target):
            return _declared(target, f"(*{name})")
        case PointerType(target=target):
            return _declared(target, f"*{name}") if not type_.to_const else f"const {_declared(target, f'*{name}')}"
        case ArrayType(element=element, length=length):
            return _declared(element, f"{name}[{'' if length is None else length}]")
        case FunctionType(result=result, parameters=parameters):
            inside = ", ".join(_declared(parameter, "") for parameter in parameters)
            return _declared(result, f"{name}({inside or ('void' if type_.has_prototype else '')})")
        case _:
            return f"{type_} {name}".rstrip()


def _is_plain(type_: CType) -> bool:
    """Whether a type can be written where no declaration of the program is known yet."""
    while isinstance(type_, PointerType | ArrayType):
        type_ = type_.target if isinstance(type_, PointerType) else type_.element
    if isinstance(type_, IntegerType):
        return not type_.name.startswith("enum")
    return isinstance(type_, FloatingType | VoidType)


def literal(value: Value, type_: CType) -> str:
    """A value as C writes it."""
    match type_:
        case _ if isinstance(value, FloatValue):
            return _float_literal(value)
        case PointerType():
            return f"(void *){value}" if isinstance(value, int) and value < 1 << 31 else f"(void *){value}ull"
        case _ if isinstance(value, int):
            number = _signed(int(value), type_) if isinstance(type_, IntegerType) else int(value)
            if number >= 1 << 64 or number < INT64_MIN:
                high, low = number >> 64 & WORD, number & WORD
                return f"(__int128)((unsigned __int128){high}ull << 64 | {low}ull)"
            if number == INT64_MIN:
                return f"(-{-number - 1}ll - 1)"
            return f"{number}" if abs(number) < 1 << 31 else f"{number}ll" if number < 1 << 63 else f"{number}ull"
        case _:
            return str(value)


def _signed(value: int, type_: IntegerType) -> int:
    wraps = type_.signed and not type_.is_bool and 0 <= value < 1 << type_.width and value >> (type_.width - 1)
    return value - (1 << type_.width) if wraps else value


def _float_literal(value: FloatValue) -> str:
    sign = "-" if is_negative_bit(value) else ""
    if is_nan(value):
        return '__builtin_nan("")'
    if is_infinite(value):
        return f"{sign}__builtin_inf()"
    number = abs(exact(value))
    shift = number.denominator.bit_length() - 1  # denominators are powers of two
    return f"{sign}0x{number.numerator:x}p-{shift}L"


def _comment(text: str) -> str:
    return " ".join(text.split()).replace("*/", "* /")


def _quoted(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", " ")
    return f'"{escaped}"'
