"""Makes a C program from a failing execution, which fails in the same way when it is built and run.

The program's own text stays the same except for three kinds of edits: a call after each error label reports it, the
definitions of functions that verifiers know by name are renamed, and uninitialised local variables are initialised
with the values that they had. Definitions of the functions that inputs come from are added around it.

    int x = __VERIFIER_nondet_int();          int __VERIFIER_nondet_int(void) { ... returns 7, then -1 ... }

If executions continue after failures (`--on-failure continue`), so does the program: assertions report and return.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Final, TypeGuard, final

from remuda.frontends.c.c_text import ASSERTS, ASSUMES, declared, is_plain, literal, signature
from remuda.frontends.c.lowering.entries import SPACE
from remuda.frontends.c.lowering.reachable import nodes_of
from remuda.frontends.c.memory.allocators import ALLOCATORS
from remuda.frontends.c.syntax import ast
from remuda.frontends.c.syntax.layouts import Layouts
from remuda.frontends.c.syntax.types import (
    CHAR,
    ArrayType,
    PointerType,
    RecordType,
    VoidType,
    is_scalar,
)
from remuda.frontends.c.syntax.walk import called_function, preorder, strip
from remuda.ir.program import FailingProgram
from remuda.terms.values import FloatValue

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Sequence

    from remuda.base.source import Source, Span
    from remuda.frontends.c.syntax.types import CType, Machine
    from remuda.ir.program import Check, Execution, Input
    from remuda.terms.values import Value


@final
@dataclass(frozen=True, slots=True)
class CallSite:
    """A call of a function that inputs come from. Compilers may evaluate arguments in another order than Remuda does,
    so inputs belong to calls and not just to functions."""

    function: ast.Function
    place: str
    span: Span = field(compare=False)

    @property
    def type(self) -> CType:
        return self.function.type.result

    @property
    def name(self) -> str:
        return self.function.name


Leaf = tuple[str, "Value"]  # a designator of a part of a value (empty for a scalar), and the value of the part
Supply = ast.Function | ast.Variable | CallSite  # the source of an input

ERRORS: Final = ("__VERIFIER_error", "reach_error")
MEANT: Final = (*ASSERTS, *ERRORS, *ASSUMES)
OPERATIONS: Final = ("div", "overflow", "shift")
UNUSED: Final = (ast.Binary, ast.Unary, ast.Member, ast.Index, ast.Dereference)  # as statements, these do nothing
SANITIZERS: Final = {
    "bounds": "-fsanitize=address,undefined -fno-sanitize-recover=all",
    "pointer": "-fsanitize=address,undefined -fno-sanitize-recover=all",
    "leak": "-fsanitize=address",
    "div": "-fsanitize=undefined -fno-sanitize-recover=all",
    "overflow": "-fsanitize=undefined -fno-sanitize-recover=all",
    "shift": "-fsanitize=undefined -fno-sanitize-recover=all",
}
MEMORY: Final = "memory$"  # the prefix of the names of maps with the contents of memory
LEAF: Final = "\t"  # separates the key of an input from the part of it
GIVING_BYTES: Final = ("__VERIFIER_nondet_memory", "__CPROVER_havoc_slice")
BYTES: Final = "bytes"  # the prefix of the keys of bytes that a call writes
SYSTEM: Final = frozenset({"stdin", "stdout", "stderr", "environ", "errno", "optarg", "optind", "opterr", "optopt"})
REPORT: Final = (  # `write` under another name, because the program may declare it its own way
    'extern long remuda_write(int, const void *, __SIZE_TYPE__) __asm__("write");',
    "extern void __sanitizer_print_stack_trace(void) __attribute__((weak));",
    "void remuda_violated(const char *what) {",
    '  remuda_write(2, "violated: ", 10);',
    "  remuda_write(2, what, __builtin_strlen(what));",
    '  remuda_write(2, "\\n", 1);',
)
ABORT: Final = (*REPORT, "  __builtin_abort();", "}")
# The function that `assert` of the library calls returns instead of ending the program. Compilers must not rely on
# its header, which declares it `noreturn`. The definition has another name in C, because headers differ in parameters.
RETURNING: Final = ("#define __assert_fail remuda_assert_fail", "#define __noreturn__ __cold__")
GO_ON: Final = (
    *REPORT,
    "  if (__sanitizer_print_stack_trace) __sanitizer_print_stack_trace();",
    "}",
    'void remuda_assertion_failed(const char *) __asm__("remuda_assert_fail");',
    "void remuda_assertion_failed(const char *what) { remuda_violated(what); }",
)
ALLOCATING: Final = ALLOCATORS | {
    "alloca",
    "__builtin_alloca",
    "realloc",
    "reallocarray",
    "aligned_alloc",
    "memalign",
}


@final
@dataclass(slots=True, eq=False)
class Reproduction:
    """The facts about a program that its failing executions are reproduced from."""

    entries: tuple[ast.Function, ...] = ()
    functions: tuple[ast.Function, ...] = ()  # the functions that executions may call, with or without a body
    error_labels: frozenset[str] = frozenset()
    machine: Machine | None = None
    unit: ast.Unit | None = None
    has_threads: bool = False
    stops: bool = True  # where an assertion fails, executions end
    supplies: dict[str, Supply] = field(default_factory=dict)

    def key(self, supply: ast.Variable | CallSite) -> str:
        """The key that names the source of an input."""
        kind = "call" if isinstance(supply, CallSite) else supply.storage.value
        key = f"{kind} {supply.name} {supply.span}"
        self.supplies[key] = supply
        return key

    def test_case(self, check: Check, execution: Execution, sources: Sequence[Source]) -> FailingProgram:
        entry = execution.procedures[0].removesuffix("$start")
        start = next(function for function in self.entries if function.name == entry)
        writer = _Writer(self, check, execution.inputs, start)
        text = writer.text(sources)
        undefined = tuple(function.name for function in self.functions if function.body is None)
        reads_unset = any(name.startswith(MEMORY) for name in execution.unset)
        procedures = frozenset(execution.procedures)
        unset = tuple(self._unset(start, procedures)) if reads_unset else ()
        unset += tuple(dict.fromkeys(self._outside(procedures)))
        return FailingProgram(text, writer.missing, unset, undefined, self.has_threads)

    def _outside(self, procedures: frozenset[str]) -> Iterator[str]:
        """Inputs that no definition in the program can set."""
        for function in self.functions:
            for node in nodes_of(function) if function.name in procedures else ():
                if isinstance(node, ast.Declaration):
                    for variable in node.variables:
                        if _reads_itself(variable):
                            yield f"the first contents of {variable.name} (line {variable.span.line})"
                elif isinstance(node, ast.Name):
                    yield from _decided_elsewhere(node.target)

    def _unset(self, entry: ast.Function, procedures: frozenset[str]) -> Iterator[str]:
        """Memory whose initial contents the program cannot set: of uninitialised objects, and behind pointers to
        memory outside of the program."""
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
                yield from self._padded_in(function)

    def _padded_in(self, function: ast.Function) -> Iterator[str]:
        """Initialised objects of a function whose padding may be anything."""
        if self.machine is None:
            return
        layouts = Layouts(self.machine)
        for node in nodes_of(function):
            for variable in node.variables if isinstance(node, ast.Declaration) else ():
                is_ours = variable.storage is ast.Storage.LOCAL and variable.initializer is not None
                is_record = isinstance(variable.type, RecordType) and not layouts.has_union(variable.type)
                if is_ours and is_record and layouts.gaps(variable.type, variable.span):
                    yield f"the padding of {variable.name} (line {variable.span.line})"


@final
class _Writer:
    def __init__(self, program: Reproduction, check: Check, inputs: Sequence[Input], entry: ast.Function) -> None:
        self._program = program
        self._check = check
        self._entry = entry
        self._values: dict[Supply, list[Leaf]] = {}
        self._missing: dict[str, None] = {}  # inputs that the program cannot set, as the source writes them
        self._bytes: dict[str, list[tuple[str, bytearray]]] = {}  # by function: calls, and the bytes that they write
        self._edits: dict[str, list[tuple[int, int, str]]] = {}  # by source: start, end, and the new text
        if program.has_threads:
            self._missing["the order in which threads run"] = None
        for input_ in inputs:
            key, _, leaf = input_.supply.partition(LEAF)
            supply = program.supplies.get(key)
            if self._is_given_bytes(key):
                self._add_bytes(key, leaf, input_.value)
                continue
            if supply is None or supply.name in SYSTEM:
                self._missing[input_.source or (supply.name if supply is not None else key or "a first value")] = None
            else:
                place = supply.function if isinstance(supply, CallSite) and not _is_written(supply) else supply
                self._values.setdefault(place, []).append((leaf, input_.value))
                if isinstance(supply.type, PointerType) and input_.value != 0:
                    self._missing[f"what {input_.source or supply.name} points to"] = None

    def _is_given_bytes(self, key: str) -> bool:
        """Whether an input consists of bytes written by a function that the new program can define."""
        kind, _, rest = key.partition(" ")
        name = rest.partition(" ")[0]
        is_ours = any(each.name == name and each.body is None for each in self._program.functions)
        return kind == BYTES and name in GIVING_BYTES and is_ours

    def _add_bytes(self, key: str, leaf: str, value: Value) -> None:
        """Add a cell that a call writes. The offsets of a call increase, so a smaller one begins the next call."""
        offset, width = map(int, leaf.split(":"))
        bits = value.bits if isinstance(value, FloatValue) else int(value) if isinstance(value, int) else 0
        calls = self._bytes.setdefault(key.split(" ")[1], [])
        if not calls or calls[-1][0] != key or len(calls[-1][1]) > offset:
            calls.append((key, bytearray()))
        data = calls[-1][1]
        data += bytes(offset - len(data)) + (bits % (1 << width)).to_bytes(width // 8, "little")

    @property
    def missing(self) -> tuple[str, ...]:
        return tuple(self._missing)

    def text(self, sources: Sequence[Source]) -> str:
        self._edit_labels()
        self._edit_unused()
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
        if not self._program.stops:
            lines.append(" *\n * The program goes on after assertions that fail, and reports each of them.")
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
        lines += [f"{signature(function)};" for function in defined if self._rename(function)]
        for position, supply in enumerate(self._values):
            if isinstance(supply, CallSite):
                lines.append(f"{signature(supply.function, _input(position))};")
                self._edit(supply.span, supply.name, _input(position))
            elif _is_local(supply) and self._give(supply, position):
                lines.append(f"{declared(supply.type, _input(position))}(void);")
        if not self._program.stops:
            lines += RETURNING
        lines.append("#define main remuda_main")
        return lines

    def _epilogue(self) -> list[str]:
        lines = ["#undef main"]
        if not self._program.stops:
            lines.append("#undef __noreturn__")
        lines += self._reports()
        for position, (supply, values) in enumerate(self._values.items()):
            lines += self._supply(supply, values, position)
        for position, (name, calls) in enumerate(self._bytes.items()):
            lines += self._giving(name, [data for _, data in calls], position)
        supplies = self._program.supplies.values()
        asked = dict.fromkeys(supply.function if isinstance(supply, CallSite) else supply for supply in supplies)
        for supply in asked:
            if supply not in self._values:
                lines += _unused(supply)
        return [*lines, *self._main()]

    def _reports(self) -> list[str]:
        what = _quoted(f"{self._check.span}: {self._check.description}")
        # If the program continues, the failing function may be another one than that of the check.
        failed = what if self._program.stops else _quoted("an assertion")
        lines = [*(ABORT if self._program.stops else GO_ON)]
        for function in self._meant():
            if function.body is not None and not self._is_renamed(function):
                continue
            if function.name in ERRORS:
                lines.append(f"{signature(function)} {{ remuda_violated({what}); __builtin_trap(); }}")
            elif function.parameters or function.type.parameters or not function.type.has_prototype:
                deed = f"remuda_violated({failed})" if function.name in ASSERTS else "__builtin_exit(0)"
                back = "" if isinstance(function.type.result, VoidType) else " return 0;"
                lines.append(f"{signature(function)} {{ if (!a0) {deed};{back} }}")
        return lines

    def _meant(self) -> list[ast.Function]:
        return [function for function in self._program.functions if function.name in MEANT]

    # --- inputs

    def _supply(self, supply: Supply, values: Sequence[Leaf], position: int) -> list[str]:
        """The definition that gives an input its values."""
        if isinstance(supply, CallSite):
            table, body = _queue(supply.type, values, position)
            return [table, f"{signature(supply.function, _input(position))} {body}"]
        if isinstance(supply, ast.Function):
            table, body = _queue(supply.type.result, values, position)
            return [table, f"{signature(supply)} {body}"]
        if supply.storage is ast.Storage.EXTERN:
            qualifier = "volatile " if supply.is_volatile else ""
            return [f"{qualifier}{declared(supply.type, supply.name)} = {_wholes(values, supply.type)[0]};"]
        if supply.storage is ast.Storage.LOCAL:
            table, body = _queue(supply.type, values, position)
            return [table, f"{declared(supply.type, _input(position))}(void) {body}"]
        return []

    def _giving(self, name: str, calls: Sequence[bytearray], position: int) -> list[str]:
        """The definition of a function that writes the bytes of one call after the other."""
        function = next(each for each in self._program.functions if each.name == name)
        data = ", ".join(str(byte) for each in calls for byte in each)
        sizes = ", ".join(str(len(each)) for each in calls)
        return [
            f"static const unsigned char remuda_bytes_{position}[] = {{{data}}};",
            f"static const unsigned long remuda_sizes_{position}[] = {{{sizes}}};",
            f"{signature(function)} {{",
            "  static unsigned long call, at;",
            f"  unsigned long size = call < {len(calls)} ? remuda_sizes_{position}[call++] : 0;",
            f"  __builtin_memcpy(a0, remuda_bytes_{position} + at, size < a1 ? size : a1);",
            "  at += size;",
            "}",
        ]

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
                lines.append(f"  static {declared(space, f'remuda_{parameter.name}')};")
                arguments.append(f"(void *)remuda_{parameter.name}")
            else:
                lines.append(f"  static {declared(parameter.type, f'remuda_{parameter.name}')};")
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
        """Replace text. Text from a macro cannot be replaced; the result says whether it was."""
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

    def _edit_unused(self) -> None:
        """Use the value of the statement that fails, because compilers remove statements whose value is unused."""
        span = self._check.span
        if self._check.kind not in (*OPERATIONS, "bounds", "pointer"):
            return
        for function in self._program.functions:
            if function.body is None or function.body.span.source is not span.source:
                continue
            for node in nodes_of(function):
                if isinstance(node, ast.ExpressionStatement) and node.span.start <= span.start < node.span.end:
                    used = strip(node.expression, ast.CastKind.TO_VOID, ast.CastKind.LVALUE_TO_RVALUE)
                    is_bits = isinstance(used, ast.Member) and used.field.bits is not None
                    if isinstance(used, UNUSED) and is_scalar(used.type) and not is_bits:
                        edits = self._edits.setdefault(span.source.name, [])
                        edits.append((used.span.start, used.span.start, "({ volatile __auto_type remuda_used = ("))
                        edits.append((used.span.end, used.span.end, "); })"))
                        return

    def _rename(self, function: ast.Function) -> bool:
        plain = all(is_plain(type_) for type_ in (function.type.result, *function.type.parameters))
        return plain and self._edit(function.span, function.name, f"remuda_own_{function.name}")

    def _is_renamed(self, function: ast.Function) -> bool:
        edits = self._edits.get(function.span.source.name, ())
        return any(start == function.span.start for start, _, _ in edits)

    def _give(self, variable: ast.Variable, position: int) -> bool:
        """Initialise a local variable. The result says whether that is possible."""
        plain = is_scalar(variable.type) and is_plain(variable.type)
        done = plain and self._edit(variable.span, variable.name, f"{variable.name} = {_input(position)}()")
        if not done:
            self._missing[f"{variable.name} at {variable.span}"] = None
        return done


def bytes_key(name: str, span: Span) -> str:
    """The key of the bytes from outside that a call writes."""
    return f"{BYTES} {name} {span}"


def _unset_in(function: ast.Function, supplied: Collection[Supply]) -> Iterator[str]:
    for node in nodes_of(function):
        if isinstance(node, ast.Declaration):
            for variable in node.variables:
                is_ours = variable.storage is ast.Storage.LOCAL and variable.initializer is None
                if is_ours and not (variable in supplied and is_scalar(variable.type)):
                    yield f"the first contents of {variable.name} (line {variable.span.line})"
        elif isinstance(node, ast.Call):
            callee = called_function(node)
            if callee is not None and callee.name in ALLOCATING and callee.body is None:
                yield f"the first contents of what {callee.name} gives (line {node.span.line})"


def _reads_itself(variable: ast.Variable) -> bool:
    """`int x = x + 1;`"""
    if variable.storage is not ast.Storage.LOCAL or variable.initializer is None:
        return False
    return any(
        isinstance(node, ast.Cast)
        and node.kind is ast.CastKind.LVALUE_TO_RVALUE
        and isinstance(node.operand, ast.Name)
        and node.operand.target is variable
        for part in variable.initializer.parts
        for node in preorder(part.value)
    )


def _decided_elsewhere(target: ast.Variable | ast.Function) -> Iterator[str]:
    """What other files decide: whether a symbol is defined, and its size."""
    is_outside = target.body is None if isinstance(target, ast.Function) else target.storage is ast.Storage.EXTERN
    if is_outside and target.is_weak:
        yield f"whether {target.name} is defined"
    if is_outside and isinstance(target.type, ArrayType) and target.type.length is None:
        yield f"the size of {target.name}"


def _input(position: int) -> str:
    return f"remuda_input_{position}"


def _is_local(supply: Supply) -> TypeGuard[ast.Variable]:
    return isinstance(supply, ast.Variable) and supply.storage is ast.Storage.LOCAL


def _is_written(site: CallSite) -> bool:
    """Whether a call is in the text itself, not in a macro, so that the function can be replaced there."""
    types = (site.function.type.result, *site.function.type.parameters)
    return site.span.text.startswith(site.name) and all(is_plain(type_) for type_ in types)


def _unused(supply: ast.Function | ast.Variable) -> list[str]:
    """The definition of a function or variable that the failing execution does not use."""
    if isinstance(supply, ast.Variable):
        is_ours = supply.storage is ast.Storage.EXTERN and supply.name not in SYSTEM
        return [f"{declared(supply.type, supply.name)};"] if is_ours else []
    if supply.body is not None:
        return []
    result = supply.type.result
    if isinstance(result, VoidType):
        return [f"{signature(supply)} {{ }}"]
    return [f"{signature(supply)} {{ static {declared(result, 'none')}; return none; }}"]


def _queue(type_: CType, values: Sequence[Leaf], position: int) -> tuple[str, str]:
    """A table of values, and an expression for the next one. It repeats the last value if there are more calls than
    in the failing execution."""
    wholes = _wholes(values, type_)
    last = len(wholes) - 1
    return (
        f"static {declared(type_, f'remuda_values_{position}[]')} = {{{', '.join(wholes)}}};",
        f"{{ static int at; return remuda_values_{position}[at < {last} ? at++ : {last}]; }}",
    )


def _wholes(values: Sequence[Leaf], type_: CType) -> list[str]:
    """Values as C writes them; a record is put together from its parts."""
    if is_scalar(type_):
        return [literal(value, type_) for _, value in values]
    wholes: list[dict[str, str]] = []
    for leaf, value in values:
        if not wholes or leaf in wholes[-1]:
            wholes.append({})
        wholes[-1][leaf] = literal(value, type_)
    return ["{" + ", ".join(f"{leaf} = {value}" for leaf, value in whole.items()) + "}" for whole in wholes]


def _comment(text: str) -> str:
    return " ".join(text.split()).replace("*/", "* /")


def _quoted(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", " ")
    return f'"{escaped}"'
