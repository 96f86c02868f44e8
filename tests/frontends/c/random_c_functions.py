"""Features of random C computations: functions that expressions call, and statements of odd shape."""

from __future__ import annotations

from tests.frontends.c.random_c import Helper, Place, Scope, Writer, indented
from tests.frontends.c.random_c_data import observe, only

# --- functions


def _function(writer: Writer, head: str, scope: Scope) -> None:
    """A helper whose body is random, over its own scope."""
    outer, writer.scope = writer.scope, scope
    body = writer.statements(1, 2)
    value = writer.integer(2).text
    writer.scope = outer
    lines = ["unsigned long long h = 0;", *body, f"return h ^ {value};"]
    writer.declarations.append("\n".join([f"{head} {{", *indented(lines), "}"]))


def pure_function(writer: Writer) -> None:
    name, types = writer.name("f"), [writer.integer_type() for _ in range(3)]
    parameters = [Place("j", only("j")), Place("k", only("k"))]
    _function(writer, f"static {types[0]} {name}({types[1]} j, {types[2]} k)", Scope(parameters))
    writer.scope.helpers.append(Helper(name, 2, frozenset(), frozenset()))


def stateful_function(writer: Writer) -> None:
    """With a static local and a global."""
    name, state, global_ = writer.name("f"), writer.name("n"), writer.name("g")
    type_ = writer.integer_type()
    writer.declarations.append(f"static {type_} {global_} = {writer.literal().text};")
    effects = frozenset({state, global_})
    writer.declarations.append(
        f"int {name}(int h) {{ static {writer.integer_type()} {state} = 3; {state} ^= h; {global_} += 1u;"
        f" if ({state} & 1) return {global_}; return {state}; }}"
    )
    writer.scope.places.append(Place(global_, only(global_)))
    writer.scope.helpers.append(Helper(name, 1, effects, effects))
    observe(writer, global_, f"{name}(1)")


def recursive_function(writer: Writer) -> None:
    name, depth = writer.name("f"), writer.random.randint(1, 4)
    type_ = writer.integer_type()
    if writer.chance(0.5):
        text = f"static {type_} {name}(unsigned h, {type_} k) {{ h &= 3; int t[2] = {{1, k}}; "
        text += f"return h == 0 ? t[1] : {name}(h - 1, k ^ {depth}) + (unsigned)t[h & 1]; }}"
    else:
        other = writer.name("f")
        writer.declarations.append(f"static {type_} {name}(unsigned h, {type_} k);")
        writer.declarations.append(f"static long {other}(unsigned h) {{ return h ? {name}(h - 1, 2) + 1u : 5; }}")
        text = f"static {type_} {name}(unsigned h, {type_} k) {{ h &= 3; return h ? {other}(h) - (unsigned long)k : k; }}"
    writer.declarations.append(text)
    writer.scope.helpers.append(Helper(name, 2, frozenset(), frozenset()))


def function_pointers(writer: Writer) -> None:
    names, table, pointer = [writer.name("f") for _ in range(3)], writer.name("fs"), writer.name("fp")
    for name, expression in zip(names, ("h + 1u", "h ^ k", "h > k ? h : -1"), strict=True):
        writer.declarations.append(f"static long {name}(int h, unsigned char k) {{ return {expression}; }}")
    writer.declarations.append(
        f"static long (*{table}[4])(int, unsigned char) = {{{names[0]}, &{names[1]}, {names[2]}, {names[1]}}};"
    )
    writer.locals.append(f"long (*{pointer})(int, unsigned char) = {writer.random.choice(names)};")
    where = only(pointer)
    writer.scope.helpers += [
        Helper(f"{table}[{writer.random.randint(0, 3)}]", 2, frozenset(), frozenset()),
        Helper(f"(*{pointer})", 2, where, frozenset()),
        Helper(pointer, 2, where, frozenset()),
    ]
    writer.scope.statements.append(lambda: [f"{pointer} = {table}[({writer.integer(1).text}) & 3];"])
    observe(writer, f"{pointer} == {names[0]}", f"{pointer}(3, 4)")


def out_parameter(writer: Writer) -> None:
    """A function that writes through pointers it is given."""
    name, swap = writer.name("f"), writer.name("swap")
    type_ = writer.integer_type()
    one, other = writer.name("u"), writer.name("u")
    writer.declarations += [
        f"static void {swap}({type_} *h, {type_} *k) {{ {type_} t = *h; *h = *k; *k = t; }}",
        f"static int {name}({type_} *h, int k) {{ while (k-- > 0) *h ^= k; return *h != 0; }}",
    ]
    writer.locals.append(f"{type_} {one} = {writer.literal().text}, {other}[2] = {{1, {writer.literal().text}}};")
    writer.scope.places += [Place(one, only(one)), Place(f"{other}[@1]", only(other))]
    targets = [f"&{one}", f"&{other}[0]", f"{other} + 1"]

    def use() -> list[str]:
        first, second = writer.random.choice(targets), writer.random.choice(targets)
        return [
            writer.random.choice(
                [f"{swap}({first}, {second});", f"if ({name}({first}, 3)) {swap}({second}, {first});"]
            )
        ]

    writer.scope.statements.append(use)
    observe(writer, one, f"{other}[0]", f"{other}[1]")


def callback(writer: Writer) -> None:
    """A function that is given another one, and something to pass on to it."""
    each, visit, state = writer.name("each"), writer.name("visit"), writer.name("st")
    first, second = writer.integer_type(), writer.integer_type()
    writer.declarations += [
        f"struct {state} {{ {first} sum; {second} *last; }};",
        f"static void {visit}({second} *at, void *data)",
        f"{{ struct {state} *s = data; s->sum ^= *at; *at += 1u; if (s->last) *s->last = 2; s->last = at; }}",
        f"static int {each}({second} *from, int n, void (*f)({second} *, void *), void *data)",
        "{ int i; for (i = 0; i < n; i++) f(from + i, data); return i; }",
    ]
    line, s = writer.name("li"), writer.name("cs")
    writer.locals += [f"{second} {line}[3] = {{5, {writer.literal().text}}};", f"struct {state} {s} = {{1, 0}};"]
    writer.scope.places += [Place(f"{line}[@1]", only(line)), Place(f"{s}.sum", only(s))]

    def use() -> list[str]:
        count = writer.apart(line, s)
        return [f"{each}({line}, ({count}) & 3, {visit}, &{s});", f"if ({s}.last) *{s}.last ^= 3;"]

    writer.scope.statements.append(use)
    observe(writer, f"{s}.sum", f"{line}[0]", f"{line}[1]", f"{line}[2]", f"{s}.last ? {s}.last - {line} : -1")


# --- odd statements


def variable_array(writer: Writer) -> None:
    name, length, counter = writer.name("va"), writer.name("n"), writer.name("i")
    type_ = writer.integer_type()

    def use() -> list[str]:
        target = writer.scope.places[0].text
        loop = f"for (int {counter} = 0; {counter} < {length}; {counter}++)"
        return [
            f"{{ int {length} = 1 + (({writer.integer(1).text}) & 3); {type_} {name}[{length}];",
            f"  {loop} {name}[{counter}] = {counter} * 3;",
            f"  {target} ^= {name}[{length} - 1] + sizeof {name}; }}",
        ]

    writer.scope.statements.append(use)


def computed_goto(writer: Writer) -> None:
    """One for a function: each may lead to the labels of all, which makes loops of them."""
    table = writer.name("lt")
    is_used = False

    def use() -> list[str]:
        nonlocal is_used
        if is_used:
            return [f"{writer.assigning(2).text};"]
        is_used = True
        labels = [writer.name("L") for _ in range(3)]
        first, second = (f"{writer.assigning(1).text};" for _ in range(2))
        return [
            f"{{ static const void *{table}[] = {{&&{labels[0]}, &&{labels[1]}}};",
            f"  goto *{table}[({writer.integer(1).text}) & 1];",
            f"  {labels[0]}: {first} goto {labels[2]};",
            f"  {labels[1]}: {second}",
            f"  {labels[2]}: ; }}",
        ]

    writer.scope.statements.append(use)


def duff(writer: Writer) -> None:
    def use() -> list[str]:
        counter, start = writer.name("n"), writer.integer(1).text
        steps = [f"{writer.assigning(1).text};" for _ in range(3)]
        return [
            f"{{ int {counter} = 1 + (({start}) & 3); int {counter}k = ({counter} + 1) / 2;",
            f"  switch ({counter} % 2) {{ case 0: do {{ {steps[0]}",
            f"    case 1: {steps[1]} }} while (--{counter}k > 0); default: {steps[2]} }} }}",
        ]

    writer.scope.statements.append(use)


def compound_literal(writer: Writer) -> None:
    type_ = writer.integer_type()

    def use() -> list[str]:
        target = writer.scope.places[0].text
        value = writer.apart(target)
        name = writer.name("cl")
        return [
            writer.random.choice(
                [
                    f"{target} ^= (({type_}[4]){{1, {value}, [3] = 7}})[{writer.random.randint(0, 3)}];",
                    f"{{ {type_} *{name} = ({type_}[]){{3, {value}}}; {name}[0] = {name}[1]; {target} ^= *{name}; }}",
                    f"{target} ^= *&({type_}){{{value}}};",
                ]
            )
        ]

    writer.scope.statements.append(use)
