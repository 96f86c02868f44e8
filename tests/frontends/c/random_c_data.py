"""Features of random C computations: objects that statements read and write."""

from __future__ import annotations

from typing import Final

from tests.frontends.c.random_c import Place, Writer, indented

FLOAT_TYPES: Final = ("float", "double", "double")


def only(name: str) -> frozenset[str]:
    return frozenset({name})


def observe(writer: Writer, *texts: str) -> None:
    writer.observed += [f"MIX({text});" for text in texts]


# --- scalars


def scalars(writer: Writer) -> None:
    for _ in range(writer.random.randint(2, 4)):
        name, type_, value = writer.name("x"), writer.integer_type(), writer.literal().text
        if writer.chance(0.4):
            other = writer.literal().text if writer.chance(0.6) else value
            writer.locals.append(f"INPUT({type_}, {name}, {writer.inputs}, {value}, {other});")
            writer.inputs += 1
        else:
            writer.locals.append(f"{writer.random.choice(['', 'register ', ''])}{type_} {name} = {value};")
        writer.scope.places.append(Place(name, only(name)))
        observe(writer, name)


def global_scalars(writer: Writer) -> None:
    for _ in range(writer.random.randint(1, 2)):
        name, type_ = writer.name("g"), writer.integer_type()
        initial = "" if writer.chance(0.3) else f" = {writer.literal().text}"
        writer.declarations.append(f"{writer.random.choice(['static ', ''])}{type_} {name}{initial};")
        writer.scope.places.append(Place(name, only(name), type=type_))
        observe(writer, name)


def floating(writer: Writer) -> None:
    for _ in range(2):
        name, type_ = writer.name("d"), writer.random.choice(FLOAT_TYPES)
        writer.locals.append(f"{type_} {name} = {writer.random.choice(['0.5', '-3.25', '7', '1e2f', '0.1'])};")
        writer.scope.places.append(Place(name, only(name), floating=True))
        observe(writer, f"WHOLE({name} * 16)")


def enumeration(writer: Writer) -> None:
    tag, name = writer.name("E"), writer.name("e")
    first = writer.random.choice(["-3", "0", "5", "'A'"])
    names = [f"{word}{tag}" for word in ("RED", "GREEN", "BLUE")]
    writer.declarations.append(f"enum {tag} {{ {names[0]} = {first}, {names[1]}, {names[2]} = {names[0]} + 20 }};")
    writer.locals.append(f"enum {tag} {name} = {writer.random.choice(names)};")
    writer.scope.places += [
        Place(name, only(name)),
        Place(names[1], frozenset(), writable=False),
        Place(names[2], frozenset(), writable=False),
    ]

    def switch() -> list[str]:
        target = writer.assigning(1).text
        return [f"switch ({name}) {{", *indented([f"case {names[0]}:", f"case {names[2]}: {target}; break;"]), "}"]

    writer.scope.statements.append(switch)
    observe(writer, name, f"({name} < 0)")


# --- arrays and pointers


def array(writer: Writer) -> None:
    name, type_ = writer.name("a"), writer.integer_type()
    initial = writer.random.choice(["{1, 2, 3, 4}", "{[2] = 5, 6, [0] = -1}", "{0}", "{-7, [1 ... 2] = 9}"])
    _declare(writer, f"{type_} {name}[4]", initial)
    writer.scope.places += [Place(f"{name}[@3]", only(name), type=type_), Place(f"(@3)[{name}]", only(name))]
    observe(writer, *(f"{name}[{index}]" for index in range(4)), f"sizeof {name}")

    def sum_up() -> list[str]:
        counter, target = writer.name("i"), writer.scope.places[0].text
        return [f"for (int {counter} = 0; {counter} < 4; {counter}++) {target} ^= {name}[{counter}];"]

    writer.scope.statements.append(sum_up)
    if writer.chance(0.7):
        _element_pointer(writer, name, type_)


def _declare(writer: Writer, declaration: str, initial: str) -> None:
    """At file scope, in the function, or as a static local."""
    text = f"{declaration} = {initial};"
    where = writer.random.choice(["file", "local", "local", "static"])
    if where == "file":
        writer.declarations.append(text)
    else:
        writer.locals.append(text if where == "local" else f"static {text}")


def _element_pointer(writer: Writer, array_name: str, type_: str) -> None:
    """A pointer that always points into the array."""
    name = writer.name("p")
    objects = frozenset({array_name})
    start = writer.random.choice([f"&{array_name}[1]", array_name, f"{array_name} + 2", f"&2[{array_name}]"])
    writer.locals.append(f"{type_} *{name} = {start};")
    writer.scope.places += [
        Place(f"(*{name})", objects, only(name)),
        Place(f"{name}[@3 - ({name} - {array_name})]", objects, only(name)),
        Place(f"({name} - {array_name})", only(name), writable=False),
        Place(f"({name} > {array_name} + @3)", only(name), writable=False),
        Place(f"((unsigned long){name} - (unsigned long){array_name})", only(name), writable=False),
    ]

    def move() -> list[str]:
        index = writer.integer(1)
        return [
            writer.random.choice(
                [
                    f"{name} = {array_name} + (({index.text}) & 3);",
                    f"if ({name} < {array_name} + 3) {name}++;",
                    f"if ({name} != {array_name}) --{name};",
                    f"if ({name} < &{array_name}[3]) *{name}++ = {writer.apart(name, array_name)};",
                    f"if ({name} > {array_name}) *--{name} ^= 5;",
                    f"{name} += 3 - ({name} - {array_name});",
                    f"{name} = (({index.text}) & 1) ? {name} : &{array_name}[0];",
                    f"for ({name} = {array_name}; {name} < {array_name} + 3; {name}++) *{name} ^= {name}[1];",
                ]
            )
        ]

    writer.scope.statements.append(move)
    observe(writer, f"{name} - {array_name}")


def matrix(writer: Writer) -> None:
    name, row, type_ = writer.name("m"), writer.name("r"), writer.integer_type()
    initial = writer.random.choice(["{{1, 2}, {3}}", "{1, 2, 3, 4, 5}", "{[1] = {[3] = 9}}", "{[1][2] = 4, 5}"])
    _declare(writer, f"{type_} {name}[2][4]", initial)
    writer.locals.append(f"{type_} (*{row})[4] = {name} + {writer.random.randint(0, 1)};")
    writer.scope.places += [
        Place(f"{name}[@1][@3]", only(name), type=type_),
        Place(f"(*{row})[@3]", only(name), only(row)),
        Place(f"(*(*({name} + @1) + @3))", only(name)),
    ]
    writer.scope.statements.append(lambda: [f"{row} = &{name}[({writer.integer(1).text}) & 1];"])
    observe(writer, *(f"{name}[{line}][{column}]" for line in range(2) for column in range(4)))


def scalar_pointers(writer: Writer) -> None:
    """Pointers to objects of one type, and a pointer to one of the pointers."""
    type_ = writer.integer_type()
    one, other, pointer, second = (writer.name(stem) for stem in ("u", "v", "q", "w"))
    writer.locals += [f"{type_} {one} = {writer.literal().text}, {other} = {writer.literal().text};"]
    writer.locals += [f"{type_} *{pointer} = &{one}, **{second} = &{pointer};"]
    objects = frozenset({one, other})
    writer.scope.places += [
        Place(one, only(one)),
        Place(other, only(other)),
        Place(f"(*{pointer})", objects, only(pointer)),
        Place(f"(**{second})", objects, frozenset({pointer, second})),
        Place(f"({pointer} == &{one})", only(pointer), writable=False),
    ]

    def aim() -> list[str]:
        chosen = writer.random.choice([one, other])
        return [
            writer.random.choice(
                [
                    f"{pointer} = &{chosen};",
                    f"*{second} = &{chosen};",
                    f"{pointer} = ({writer.integer(2).text}) ? &{one} : &{other};",
                    f"{pointer} = ({type_} *)(unsigned long)&{chosen};",
                    f"if (!!{pointer} && {pointer} != 0) {{ *&*{pointer} |= 1; }}",
                ]
            )
        ]

    writer.scope.statements.append(aim)
    observe(writer, one, other, f"{pointer} == &{one}")


def byte_view(writer: Writer) -> None:
    """The bytes of an integer, through a pointer to characters."""
    name, view = writer.name("z"), writer.name("c")
    type_ = writer.random.choice(["unsigned", "int", "long", "unsigned long long"])
    writer.locals += [
        f"{type_} {name} = {writer.literal().text};",
        f"unsigned char *{view} = (unsigned char *)&{name};",
    ]
    writer.scope.places += [Place(name, only(name)), Place(f"{view}[@3]", only(name), only(view))]
    observe(writer, name)


def string(writer: Writer) -> None:
    text, name, at = (
        writer.random.choice(["hello", "ab\\0c", "\\xff\\177z!", "0123"]),
        writer.name("s"),
        writer.name("k"),
    )
    writer.locals.append(f'{writer.random.choice(["const ", "", "static "])}char {name}[] = "{text}";')
    writer.scope.places += [
        Place(f'"{text}"[@3]', frozenset(), writable=False),
        Place(f"{name}[@3]", only(name), writable=False),
    ]
    if writer.chance(0.5):
        writer.locals.append(f'const char *{at} = "{text}";')
        target = writer.scope.places[0].text
        writer.scope.places.append(Place(f"*{at}", frozenset(), only(at), writable=False))
        writer.scope.statements.append(lambda: [f"while (*{at}) {target} ^= *{at}++;"])
    observe(writer, f"sizeof {name}", *(f"{name}[{index}]" for index in range(4)))


# --- records


def record(writer: Writer) -> None:
    tag, inner = writer.name("S"), writer.name("I")
    types = [writer.integer_type() for _ in range(4)]
    bits = [
        f"{writer.random.choice(['unsigned', 'int', 'signed'])} {name} : {writer.random.randint(1, 15)};"
        for name in "mn"
    ]
    gap = writer.random.choice(["", "int : 0; ", "unsigned : 3; "])
    writer.declarations += [
        f"struct {inner} {{ {types[0]} a; {types[1]} b[2]; }};",
        f"struct {tag} {{ {types[2]} f; {bits[0]} {gap}{bits[1]} struct {inner} in; {types[3]} l; }};",
    ]
    names = [writer.name("s") for _ in range(2)]
    rows = writer.name("t")
    initials = ["{1, 2, 3, {4, {5, 6}}, 7}", "{.l = 4, .in.b[1] = 8, .m = 1}", "{.in = {.a = 3}, 9}", "{0}"]
    for name in names:
        _declare(writer, f"struct {tag} {name}", writer.random.choice(initials))
    _declare(writer, f"struct {tag} {rows}[2]", "{[1] = {.f = 1, .in = {2, {3}}}, [0].n = -1}")
    parts = [".f", ".m", ".n", ".in.a", ".in.b[@1]", ".l"]
    writer.scope.places += [Place(f"{name}{part}", only(name)) for name in names for part in parts]
    writer.scope.places += [Place(f"{rows}[@1]{part}", only(rows)) for part in parts]
    if writer.chance(0.6):
        _record_pointer(writer, tag, (names[0], rows), parts)
    writer.scope.statements.append(lambda: [_copy(writer, (*names, f"{rows}[0]", f"{rows}[1]"))])
    if writer.chance(0.6):
        _record_functions(writer, tag, names)
    observe(writer, *(f"{name}{part.replace('@', '')}" for name in (*names, f"{rows}[0]") for part in parts))


def _copy(writer: Writer, names: tuple[str, ...]) -> str:
    target, source, other = (writer.random.choice(names) for _ in range(3))
    inner = f"{target}.in = {source}.in;" if target != source else f"{target}.l = {source}.f;"
    chosen = f"{target} = ({writer.integer(1).text}) ? {source} : {other};"
    return writer.random.choice([f"{target} = {source};", inner, chosen, f"{target} = {source} = {other};"])


def _record_pointer(writer: Writer, tag: str, objects: tuple[str, str], parts: list[str]) -> None:
    name, (single, rows) = writer.name("p"), objects
    writer.locals.append(f"struct {tag} *{name} = &{single};")
    writer.scope.places += [Place(f"{name}->{part[1:]}", frozenset(objects), only(name)) for part in parts]

    def aim() -> list[str]:
        index = f"({writer.apart(name, single, rows)}) & 1"
        return [
            writer.random.choice(
                [
                    f"{name} = &{rows}[{index}];",
                    f"{name} = {rows} + ({index});",
                    f"{name} = &{single};",
                    f"*{name} = {rows}[{index}];",
                    f"{rows}[{index}] = *{name};",
                    f"(*{name}).in = {single}.in;",
                    f"{{ int *{name}i = &(int){{{name}->m}}; *{name}i += 2; {name}->l = *{name}i; }}",
                ]
            )
        ]

    writer.scope.statements.append(aim)


def _record_functions(writer: Writer, tag: str, names: list[str]) -> None:
    """By value, in and out, and through a pointer."""
    by_value, by_pointer = writer.name("make"), writer.name("change")
    step = writer.literal().text
    writer.declarations += [
        f"static struct {tag} {by_value}(struct {tag} r, int by)",
        f"{{ r.f += (unsigned)by; r.in.b[by & 1] ^= {step}; r.n = by; return r; }}",
        f"static long {by_pointer}(struct {tag} *r, struct {tag} other)",
        "{ r->m ^= 3; r->in = other.in; other.l = 1; return r->in.a; }",
    ]
    first, second = names

    def use() -> list[str]:
        target = writer.scope.places[0].text
        value = f"(int)({writer.apart(target, first, second)})"
        return [
            writer.random.choice(
                [
                    f"{first} = {by_value}({second}, {value});",
                    f"{target} ^= {by_value}({first}, {value}).in.b[1];",
                    f"{target} = {by_value}({by_value}({second}, 3), {value}).n;",
                    f"{target} = {by_pointer}(&{first}, {second});",
                    f"{target} += (unsigned){by_pointer}(&{second}, {by_value}({first}, 1));",
                    f"{second} = (struct {tag}){{.f = {value}, .in.a = 3}};",
                    f"{target} = ((struct {tag}){{.n = 5, .l = {value}}}).l;",
                ]
            )
        ]

    writer.scope.statements.append(use)


def union(writer: Writer) -> None:
    tag, name, copy = writer.name("U"), writer.name("y"), writer.name("y")
    writer.declarations.append(
        f"union {tag} {{ unsigned w; unsigned char c[4]; short s[2]; int i; struct {{ unsigned lo : 5, mid : 13; }} b; }};"
    )
    _declare(writer, f"union {tag} {name}", writer.random.choice(["{7}", "{.s = {1, -2}}", "{.c = {1, 2, 3}}"]))
    _declare(writer, f"union {tag} {copy}", "{.w = 0x01020304}")
    parts = [".w", ".c[@3]", ".s[@1]", ".i", ".b.lo", ".b.mid"]
    writer.scope.places += [Place(f"{each}{part}", only(each)) for each in (name, copy) for part in parts]
    writer.scope.statements.append(lambda: [f"{name} = {copy};"])
    writer.scope.statements.append(lambda: [f"{copy} = ({writer.integer(1).text}) & 1 ? {name} : {copy};"])
    observe(writer, f"{name}.w", f"{copy}.i", f"sizeof(union {tag})")


def nodes(writer: Writer) -> None:
    """A ring of nodes that point to each other."""
    tag, name, at = writer.name("N"), writer.name("o"), writer.name("at")
    type_ = writer.integer_type()
    writer.declarations.append(f"struct {tag} {{ {type_} value; struct {tag} *next; }};")
    writer.locals += [
        f"struct {tag} {name}[3] = {{{{1, &{name}[1]}}, {{2, {name} + 2}}, {{3, {name}}}}}, *{at} = {name};",
    ]
    pointers = frozenset({at, name})
    writer.scope.places += [
        Place(f"{at}->value", only(name), pointers),
        Place(f"{at}->next->value", only(name), pointers),
        Place(f"{name}[@1].next->next->value", only(name), pointers),
        Place(f"({at} - {name})", pointers, writable=False),
    ]

    def follow() -> list[str]:
        visit = f"{{ {at}->value ^= 1; if ({at} == {at}->next || {at} - {name} == 1) break; }}"
        return [
            writer.random.choice(
                [
                    f"{at} = {at}->next;",
                    f"{at}->next = {name} + (({writer.integer(1).text}) & 1);",
                    f"{name}[1] = *{at};",
                    f"for ({at} = {name}; {at}->next != {name} && {at}->value != 3; {at} = {at}->next) {visit}",
                ]
            )
        ]

    writer.scope.statements.append(follow)
    observe(writer, f"{at} - {name}", f"{at}->value", f"{name}[1].next - {name}", f"{name}[0].value")


def heap(writer: Writer) -> None:
    """Blocks of memory: an array, and records in a list that grows and shrinks."""
    tag, first, block, type_ = writer.name("H"), writer.name("hd"), writer.name("hb"), writer.integer_type()
    clear = writer.random.choice(
        [f"calloc(4, sizeof({type_}))", f"memset(malloc(4 * sizeof({type_})), 7, sizeof({type_}[4]))"]
    )
    writer.declarations.append(f"struct {tag} {{ struct {tag} *next; {type_} value, row[2]; }};")
    writer.locals += [f"struct {tag} *{first} = 0;", f"{type_} *{block} = {clear};"]
    if "memset" in clear and type_ == "_Bool":
        writer.locals.append(f"for (int i = 0; i < 4; i++) {block}[i] = i;")
    writer.scope.places.append(Place(f"{block}[@3]", only(block + "*"), only(block)))
    counter = writer.name("n")

    def use() -> list[str]:
        new, target = writer.name("hn"), writer.scope.places[0].text
        fill = f"{new}->next = {first}; {new}->value = {writer.apart(first)}; {new}->row[1] = 4;"
        return [
            writer.random.choice(
                [
                    f"{{ struct {tag} *{new} = malloc(sizeof *{new}); {fill} {first} = {new}; }}",
                    f"if ({first}) {{ struct {tag} *{new} = {first}; {first} = {first}->next; free({new}); }}",
                    f"if ({first}) {first}->value ^= {first}->row[1] + {block}[1];",
                    f"{target} ^= {first} && {first}->next ? {first}->next->value : 3;",
                    f"memcpy({block} + 2, {block}, 2 * sizeof *{block});",
                    f"if ({first} && {first}->next) *{first} = *{first}->next;",
                ]
            )
        ]

    writer.scope.statements += [use, use]
    loop = f"for (struct {tag} *p = {first}; p && {counter} < 4; p = p->next, {counter}++) MIX(p->value);"
    writer.observed += [f"{{ int {counter} = 0; {loop} }}"]
    observe(writer, *(f"{block}[{index}]" for index in range(4)))
