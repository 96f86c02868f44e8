"""Expressions of C with everything explicit that C leaves implicit."""

from __future__ import annotations

import pytest

from remuda.frontends.c.syntax import ast
from remuda.frontends.c.syntax.types import ILP32, LP64, Machine
from tests.frontends.c.parsing import parse_texts, statements
from tests.frontends.c.tree_checks import nodes_of


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("n = c;", "(= n (integral:int @c));"),
        ("c = n;", "(= c (integral:char @n));"),
        ("w = n + u;", "(= w (integral:long long (+ (integral:unsigned int @n) @u)));"),
        ("n = c + c;", "(= n (+ (integral:int @c) (integral:int @c)));"),
        ("n = c << w;", "(= n (<< (integral:int @c) @w));"),
        ("c += 1;", "(+= c 1 in int);"),
        ("c += w;", "(+= c @w in long long);"),
        ("c <<= w;", "(<<= c @w in int);"),
        ("p += n;", "(+= p @n in int *);"),
        ("n = -c + ~u;", "(= n (integral:int (+ (integral:unsigned int (- (integral:int @c))) (~ @u))));"),
        ("n = !p && c || w;", "(= n (|| (&& (! @p) (integral:int @c)) @w));"),
        ("n = *p++ - 2[p];", "(= n (- @(* (_++ p)) @@p[2]));"),
        ("n = ++*p;", "(= n (++_ (* @p)));"),
        ("p = 0;", "(= p (integer_to_pointer:int * 0));"),
        ("p = n;", "(= p (integer_to_pointer:int * @n));"),
        ("n = p == &n;", "(= n (== @p (& n)));"),
        ("w = p - &n;", "(= w (integral:long long (- @p (& n))));"),
        ("n = c ? w : u;", "(= n (integral:int (? (integral:int @c) @w : (integral:long long @u))));"),
        ("w = c ?: w;", "(= w (? (integral:long long (integral:int @c))  : @w));"),
        ("n = (c, 5);", "(= n (, @c 5));"),
        ("(void)n;", "(to_void:void! @n);"),
        ("n = (char)w;", "(= n (integral:int (integral:char! @w)));"),
        ("_Bool b = p; b = 2.5;", "_Bool b = {(to_bool:_Bool @p)};"),
        ("float x = n; n = x * 2.0;", "float x = {(integer_to_floating:float @n)};"),
        ("n = 'a' + '\\377' + L'b';", "(= n (+ (+ 97 -1) 98));"),
        ("w = 0xffffffff; ", "(= w (integral:long long 4294967295));"),
        ("w = 0b101 + 017 + 9223372036854775807;", "(= w (+ (integral:long long (+ 5 15)) 9223372036854775807));"),
        ("n = sizeof(int) + sizeof n + _Alignof(short);", "(= n (integral:int (+ (+ 4 4) 2)));"),
        ("int a[n]; n = sizeof a;", "size_t <length> = {(integral:size_t @n)}; int [*] a;"),
        ("n = ({ int k = 1; k + 1; });", "(= n ({int k = {1}; (+ @k 1);}));"),
        ("n = _Generic(w, int: 1, long long: 2);", "(= n 2);"),
        ("n = __builtin_choose_expr(0, p, c);", "(= n (integral:int @c));"),
        ("n = __builtin_types_compatible_p(int, const int);", "(= n 1);"),
        ("n = __builtin_constant_p(n) + __builtin_constant_p(3);", "(= n (+ 0 1));"),
        ("n = __builtin_offsetof(struct { int a; char b[4]; }, b[2]);", "(= n (integral:int 6));"),
        ("p = (int[]){ 1, n };", "(= p &(int [2]){[0]=1, [1]=@n ...0}[0]);"),
        ("__atomic_store_n(p, 3, 5);", "__atomic_store_n(@p, 3, 5);"),
        (
            "n = __atomic_compare_exchange_n(p, &n, 7, 0, 5, 2);",
            "(= n (integral:int __atomic_compare_exchange_n(@p, (& n), 7, (to_bool:_Bool 0), 5, 2)));",
        ),
        ("n = never_declared(c, 1.5f);", "(= n never_declared((integral:int @c), (floating:double 1.5)));"),
        ("__extension__ n++;", "(_++ n);"),
        ('char *s = "a" "\\x01\\n\\"";', "char * s = {&'a\\x01\\n\"\\x00'[0]};"),
        ("const char *s = __func__;", "char * s = {&'f\\x00'[0]};"),
        ("double d = 1e3 + 0x1.8p1 + .5;", "double d = {(+ (+ 1e3 0x1.8p1) .5)};"),
    ],
)
def test_conversions_are_explicit(text: str, expected: str) -> None:
    assert statements(text)[0] == expected


@pytest.mark.parametrize(("machine", "size"), [(ILP32, 4), (LP64, 8)])
def test_the_machine_decides_sizes(machine: Machine, size: int) -> None:
    assert statements("n = (int)sizeof(long);", machine=machine) == [f"(= n ({'integral:int!'} {size}));"]


RECORDS = """
struct inner { int x; struct { int a; union { int b; char c; }; }; };
struct outer { struct inner i, *p; int l[3]; unsigned bits : 3; volatile int v; };
struct outer o, *q; struct inner make(void);
"""


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("n = o.i.x;", "(= n @o.i.x);"),
        ("q->p->a = 1;", "(= @@q->p-><anonymous>.a 1);"),
        ("o.i.c = 1;", "(= o.i.<anonymous>.<anonymous>.c (integral:char 1));"),
        ("n = q->l[n];", "(= n @&@q->l[0][@n]);"),
        ("n = make().b;", "(= n make().<anonymous>.<anonymous>.b);"),
        ("o.i = make();", "(= o.i make());"),
        ("*q = o;", "(= (* @q) @o);"),
        ("o.bits += 9;", "(+= o.bits 9 in int);"),
        ("o.bits <<= u;", "(<<= o.bits @u in int);"),
        ("n = o.bits < -1;", "(= n (< (integral:int @o.bits) (- 1)));"),
    ],
)
def test_members(text: str, expected: str) -> None:
    assert statements(text, before=RECORDS)[0] == expected


def test_calls_through_pointers() -> None:
    before = "int g(int); int (*t[2])(int) = { g, &g };"
    assert statements("n = t[0](c) + (*t[1])(2) + (&g)(3);", before=before) == [
        "(= n (+ (+ @&t[0][0]((integral:int @c)) (* @&t[0][1])(2)) (& g)(3)));"
    ]


def test_variadic_functions() -> None:
    unit = parse_texts(
        "#include <stdarg.h>\nint f(int n, ...) { va_list l; va_start(l, n); int k = va_arg(l, int); va_end(l); return k; }",
        machine=LP64,
    )
    arguments = [node for node in nodes_of(unit) if isinstance(node, ast.VariadicArgument)]
    assert [str(node.type) for node in arguments] == ["int"]


def test_volatile_is_where_it_is_read() -> None:
    unit = parse_texts(
        "volatile int a[2]; struct { volatile int v; int w; } s; int f(volatile int *p) { return a[0] + s.v + s.w + *p; }"
    )
    marked = [type(node).__name__ for node in nodes_of(unit) if getattr(node, "is_volatile", False)]
    assert sorted(marked) == ["Dereference", "Index", "Member", "Variable"]


def test_array_parameters_are_pointers() -> None:
    unit = parse_texts("int f(int argc, char *argv[], int m[2][3]) { argv = argv + 1; return argv[1][0] + m[1][2]; }")
    assert [str(parameter.type) for parameter in unit.functions["f"].parameters] == ["int", "char * *", "int [3] *"]


@pytest.mark.parametrize(
    "text",
    [
        "_Complex double z; z = z + 1;",
        "_Atomic int x; x = x + 1;",
        "n = sizeof(typeof(int[n])[n]);",
    ],
)
def test_constructs_that_are_not_modelled_are_reported(text: str) -> None:
    unit = parse_texts(f"void f(int n) {{ {text} }}")
    assert any(isinstance(node, ast.UnsupportedExpression) for node in nodes_of(unit))
