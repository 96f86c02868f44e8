"""Statements, declarations and initialisers of C."""

from __future__ import annotations

import pytest

from remuda.frontends.c.clang.printed import Shape, shapes
from remuda.frontends.c.syntax.ast import Storage
from tests.frontends.c.parsing import body_of, parse_texts, statements
from tests.frontends.c.tree_text import show


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("if (n) c = 1; else { }", "if @n (= c (integral:char 1)); else {}"),
        ("while (n--) ;", "while (_-- n) ;"),
        ("do n++; while (n < 3);", "do (_++ n); while (< @n 3);"),
        ("for (;;) break;", "for [||] break;"),
        ("for (n = 0; ; ) break;", "for [(= n 0);||] break;"),
        ("for (; n < 3; ) continue;", "for [|(< @n 3)|] continue;"),
        ("for (; ; n++) break;", "for [||(_++ n)] break;"),
        ("for (int i = 0, j; ; i++) break;", "for [int i = {0}; int j;||(_++ i)] break;"),
        ("for (; n < 3; n++) ;", "for [|(< @n 3)|(_++ n)] ;"),
        ("for (n = ({ int k; for (;n;) k = 1; k; ; 2; }); n; ) ;", None),
        ("EACH(n) c++;", "for [|(< @n 3)|(_++ n)] (_++ c);"),
        (
            "switch (c) { case 1: case 'b' ... 'd': break; default: n = 1; }",
            "switch (integral:int @c) {case 1: case 98...100: break; default: (= n 1);}",
        ),
        ("switch (w) { case 0x100000000: ; }", "switch @w {case 4294967296: ;}"),
        ("again: goto again;", "again: goto again;"),
        ("{ __label__ l; l: goto l; }", "{; l: goto l;}"),
        ("void *a = &&end; goto *a; end: ;", "void * a = {&&end};"),
        ('asm volatile ("x" : "=r" (n), [o] "+m" (*p) : "r" (c) : "memory");', "asm(n, (* @p));"),
        ('asm ("nop");', "asm();"),
        ('register int r asm ("eax"); asm ("x" : : "r" (n));', "int r;"),
        ("static int s = 3; s++;", "static int s = {3};"),
        ("extern int e; e = 1;", ";"),
        ("struct { int x; } s = { 1 };", "struct <anonymous> s = {.x=1 ...0};"),
        ("typedef int t; t k;", ";"),
        (
            "int k = n, *q = &k, a[n + 1];",
            "int k = {@n}; int * q = {(& k)}; size_t <length> = {(integral:size_t (+ @n 1))}; int [*] a;",
        ),
        ("return;", "return;"),
        (
            "int a[n][n + 1];",
            "size_t <length> = {(integral:size_t @n)}; size_t <length> = {(integral:size_t (+ @n 1))}; int [*] [*] a;",
        ),
        ("int k __attribute__((__cleanup__(g)));", "int k cleanup g((& k));"),
    ],
)
def test_statements(text: str, expected: str | None) -> None:
    found = statements(text, before="#define EACH(i) for (; i < 3; i++)\nvoid g(int *);")
    assert expected is None or found[0] == expected


def test_local_labels_get_names_of_their_own() -> None:
    assert statements("{ __label__ l; l: goto l; } { __label__ l; l: goto l; }") == [
        "{; l: goto l;}",
        "{; l$2: goto l$2;}",
    ]


def test_the_text_shows_the_parts_of_a_loop() -> None:
    text = 'for (; a; ) { asm volatile ("x;" : "=r" (b), "=r" (c[1]) : "r" (")")); } int r asm("eax"); for (;;) ;'
    assert shapes(text) == [
        Shape("for", (False, True, False)),
        Shape("asm", (True, True, True), 2),
        Shape("for", (False, False, False)),
    ]


def initializer(declaration: str, before: str = "") -> str:
    unit = parse_texts(f"{before}\n{declaration};")
    return show(unit.variables[-1].initializer)


RECORDS = """
struct p { int x, y; }; struct q { struct p a, b[2]; int n; }; union u { int i; char c[4]; struct p p; };
struct n { int a; struct { int b; union { int c; char d; }; }; int e; }; struct flexible { int n; int rest[]; };
struct bits { int a : 3; int : 5; int b : 2; };
"""


@pytest.mark.parametrize(
    ("declaration", "expected"),
    [
        ("int v = 3", "{3}"),
        ("int v = { 3 }", "{3 ...0}"),
        ("int v[3] = { 1, 2 }", "{[0]=1, [1]=2 ...0}"),
        ("int v[] = { [2] = 1, 5, [0] = 4 }", "{[2]=1, [3]=5, [0]=4 ...0}"),
        ("int v[5] = { [1 ... 3] = 7, 8 }", "{[1]=7, [2]=7, [3]=7, [4]=8 ...0}"),
        ("int v[2][2] = { 1, 2, 3 }", "{[0][0]=1, [0][1]=2, [1][0]=3 ...0}"),
        ("int v[2][2] = { { 1 }, 2 }", "{[0][0]=1, [1][0]=2 ...0}"),
        ("int v[2][2] = { [1][0] = 5, 6 }", "{[1][0]=5, [1][1]=6 ...0}"),
        ('char v[] = "hi"', "{'hi\\x00' ...0}"),
        ('char v[2] = { "hi" }', "{'hi' ...0}"),
        ('char v[2][3] = { "a", { "b" } }', "{[0]='a\\x00', [1]='b\\x00' ...0}"),
        ("struct p v = { .y = 1 }", "{.y=1 ...0}"),
        ("struct p v = { y: 1 }", "{.y=1 ...0}"),
        (
            "struct q v = { 1, 2, 3, 4, 5, 6, 7 }",
            "{.a.x=1, .a.y=2, .b[0].x=3, .b[0].y=4, .b[1].x=5, .b[1].y=6, .n=7 ...0}",
        ),
        ("struct q v = { .b[1].y = 5, 6 }", "{.b[1].y=5, .n=6 ...0}"),
        ("struct q v = { .a = { 1, 2 }, .a.x = 3 }", "{.a.y=2, .a.x=3 ...0}"),
        ("struct q v = { .a.x = 3, .a = { 1 } }", "{.a.x=1 ...0}"),
        ("union u v = { 1 }", "{.i=1 ...0}"),
        ('union u v = { .c = "ab" }', "{.c='ab\\x00' ...0}"),
        ("union u v[2] = { { .p = { 1, 2 } }, 3 }", "{[0].p.x=1, [0].p.y=2, [1].i=3 ...0}"),
        ("struct n v = { 1, 2, 3, 4 }", "{.a=1, .<anonymous>.b=2, .<anonymous>.<anonymous>.c=3, .e=4 ...0}"),
        ("struct n v = { .d = 1, 2 }", "{.<anonymous>.<anonymous>.d=(integral:char 1), .e=2 ...0}"),
        ("struct flexible v = { 2, { 5, 6 } }", "{.n=2, .rest[0]=5, .rest[1]=6 ...0}"),
        ("struct bits v = { 1, 2 }", "{.a=1, .b=2 ...0}"),
        ('char *v[] = { 0, "x" }', "{[0]=(integer_to_pointer:char * 0), [1]=&'x\\x00'[0] ...0}"),
        ("struct p v = {}", "{ ...0}"),
    ],
)
def test_initializers(declaration: str, expected: str) -> None:
    assert initializer(declaration, RECORDS) == expected


def test_records_by_value_initialize_whole_members() -> None:
    before = RECORDS + "struct p make(void);"
    assert statements("struct p k; struct q v = { k, make(), .n = 1 };", before=before)[1] == (
        "struct q v = {.a=@k, .b[0]=make(), .n=1 ...0};"
    )


def test_big_tables_with_designators_are_fast() -> None:
    unit = parse_texts("int v[] = {" + ", ".join(f"[{index}] = {index}" for index in range(5000)) + "};")
    assert unit.variables[0].initializer is not None
    assert len(unit.variables[0].initializer.parts) == 5000


def test_variables_of_file_scope() -> None:
    unit = parse_texts(
        "int a[]; int t; int t; int d = 1; extern int e; static int s; static int unused; _Thread_local int l;"
        "int f(void) { static int k; extern int g; return e + s + k + g; }"
    )
    found = {variable.name: (variable.storage, str(variable.type)) for variable in unit.variables}
    assert found == {
        "a": (Storage.GLOBAL, "int [1]"),
        "t": (Storage.GLOBAL, "int"),
        "d": (Storage.GLOBAL, "int"),
        "e": (Storage.EXTERN, "int"),
        "s": (Storage.GLOBAL, "int"),
        "l": (Storage.GLOBAL, "int"),
        "k": (Storage.STATIC, "int"),
        "g": (Storage.EXTERN, "int"),
    }
    assert [variable.name for variable in unit.variables if variable.is_static] == ["s"]
    assert [variable.name for variable in unit.variables if variable.is_thread_local] == ["l"]


def test_only_what_is_used_is_converted() -> None:
    unit = parse_texts(
        "static int a(void) { return 1; } static int b(void) { return a(); } static int c(void) { return b(); } int (*p)(void) = b; int d(int);"
    )
    assert list(unit.functions) == ["a", "b"]


def test_functions() -> None:
    unit = parse_texts(
        "old(a, b) char a; { return a + b; } _Noreturn void stop(void) { for (;;) ; } void die(void) __attribute__((noreturn));"
        "static inline int one(void) { return 1; } int f(void) { die(); return old(1, 2) + one(); }"
    )
    assert body_of(unit, "old") == ["return (+ (integral:int @a) @b);"]
    assert [name for name, function in unit.functions.items() if function.is_noreturn] == ["stop", "die"]
    assert [name for name, function in unit.functions.items() if function.is_static and function.is_inline] == ["one"]
    assert unit.functions["die"].body is None


def test_functions_that_run_by_themselves() -> None:
    text = "__attribute__((constructor)) static void f(void) { } [[gnu::constructor(200)]] void g(void) { }"
    unit = parse_texts(text, "__attribute__((__destructor__)) void h(void) { }")
    assert [(priority, function.name) for priority, function in unit.constructors] == [(200, "g"), (65535, "f")]
    assert [function.name for _, function in unit.destructors] == ["h"]
