"""Files of C: complaints, places, several units, limits, headers, compilation databases."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from remuda.base.errors import FileError, InputError, UsageError
from remuda.base.source import Source, Span
from remuda.frontends.c.clang.compile_commands import read_compile_commands
from remuda.frontends.c.clang.headers import HEADERS
from remuda.frontends.c.clang.parse import ParseOptions, parse, parse_program
from remuda.frontends.c.syntax import ast
from remuda.frontends.c.syntax.types import ILP32, INT, LP64, FunctionType, Machine, RecordType
from remuda.prepare.read import read_source
from tests.frontends.c.parsing import body_of, parse_texts
from tests.frontends.c.tree_checks import complaints, nodes_of


def errors_of(*texts: str) -> list[str]:
    with pytest.raises(InputError) as caught:
        parse_texts(*texts)
    return [f"{diagnostic.span}: {diagnostic.message}" for diagnostic in caught.value.diagnostics]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            "int x = ;\nint f(void) { return y; }",
            ["a.c:1:9: expected expression", "a.c:2:22: use of undeclared identifier 'y'"],
        ),
        ('#include "nowhere.h"\nint x;', ["a.c:1:10: 'nowhere.h' file not found"]),
        ("class A { int x; };", None),
        (" \n", ["a.c:1:1: the file is empty"]),
        ("/* nothing */", ["a.c:1:1: the file declares nothing"]),
        ("int x\udce9;", ["a.c:1:6: source file is not valid UTF-8"]),
        (
            "int f(int x) { int g(void) { return x; } return g(); }",
            ["a.c:1:28: function definition is not allowed here"],
        ),
    ],
)
def test_complaints(text: str, expected: list[str] | None) -> None:
    found = errors_of(text)
    assert expected is None or found == expected


def test_cplusplus_is_refused() -> None:
    with pytest.raises(InputError, match=r"C\+\+"):
        parse(Source("a.cpp", "int x;"), ParseOptions())


def test_an_unknown_version_of_c_is_wrong_usage() -> None:
    with pytest.raises(UsageError, match="-std=c77"):
        parse(Source("x.c", "int x;"), ParseOptions(standard="c77"))


def test_files_are_read_whatever_their_encoding(tmp_path: Path) -> None:
    file = tmp_path / "a.c"
    file.write_bytes(b'/* caf\xe9 */ char *s = "\xe9"; int y = 2;')
    unit = parse(read_source(str(file)), ParseOptions())
    assert [variable.span.text for variable in unit.variables] == ["s", "y"]
    with pytest.raises(FileError):
        read_source(str(tmp_path / "none.c"))


@pytest.mark.parametrize(
    "text",
    [
        "f(x) { return g(x); }",  # no types, no declaration
        "int f(p) int *p; { char *c = p; return c; }",  # no casts
        "long __builtin_expect(long a, long b) { return a; } int f(int x) { return __builtin_expect(x, 1); }",
        "void h(void *); void *g(void) __attribute__((__malloc__ (h, 1))); void *f(void) { return g(); }",
        "_Float128 q; int f(void) { return 0; }",
        "__int64 f(void) { return 0; }",
        "void f(void) { exit(); }",
        "int f(void) { return; } void g(void) { return 1; }",
        "char *strcpy(); int printf(); int f(char *s) { strcpy(s, s); return printf(1); }",
        "int f(void) { const int x = 1; int *p = &x; return *p; }",
    ],
)
def test_old_and_strange_programs_are_taken(text: str) -> None:
    assert parse_texts(text).functions["f"].body is not None


def test_renamed_builtins_keep_their_names() -> None:
    unit = parse_texts(
        "long __builtin_expect(long a, long b) { return a; } int f(int x) { return __builtin_expect(x, 1); }"
    )
    assert set(unit.functions) == {"f", "__builtin_expect"}
    assert body_of(unit, "__builtin_expect") == ["return @a;"]


# --- places


def spans(unit: ast.Unit) -> dict[str, str]:
    """The place and the text of each name that is used."""
    return {str(node.span): node.span.text for node in nodes_of(unit) if isinstance(node, ast.Name)}


def test_spans_count_characters() -> None:
    unit = parse_texts("int é = 1; /* ü */ int b;\nint f(void) { return é + /* ö */ b; }")
    assert spans(unit) == {"a.c:2:22": "é", "a.c:2:34": "b"}
    assert [str(variable.span) for variable in unit.variables] == ["a.c:1:5", "a.c:1:24"]


def test_line_markers_do_not_move_spans() -> None:
    unit = parse_texts('# 12 "other.c"\nint b;\n# 99 "more.h" 3\nint f(void) { return b; }')
    assert spans(unit) == {"a.c:4:22": "b"}


def test_macros_stand_where_they_are_used() -> None:
    unit = parse_texts("int b;\n#define TWICE(x) (zero + (x) + (x))\nint zero;\nint f(void) { return TWICE(b); }")
    assert set(spans(unit)) == {"a.c:4:22", "a.c:4:28"}


def test_headers_are_sources_of_their_own(tmp_path: Path) -> None:
    (tmp_path / "h.h").write_text("static int g(int x) {\n  return x + 1;\n}\n")
    main = tmp_path / "m.c"
    main.write_text('#include "h.h"\nint f(void) { return g(1); }\n')
    unit = parse(read_source(str(main)), ParseOptions())
    assert spans(unit) == {f"{tmp_path}/h.h:2:10": "x", f"{main}:2:22": "g"}
    assert str(unit.functions["g"].span) == f"{tmp_path}/h.h:1:12"


def test_operators_span_their_operands() -> None:
    unit = parse_texts("int f(int a, int b) { return ((a) + b) * 2 - -a; }")
    texts = [node.span.text for node in nodes_of(unit) if isinstance(node, ast.Binary)]
    assert sorted(texts) == ["((a) + b) * 2", "((a) + b) * 2 - -a", "(a) + b"]


# --- several units


def test_units_share_what_has_linkage() -> None:
    unit = parse_texts(
        "int x; extern int a[]; static int s = 1; static int h(void) { return s; } int g(int);"
        "int main(void) { return g(x) + h() + a[0]; }",
        "extern int x; int a[3] = { 1 }; static int s = 2; static int h(void) { return s; }"
        "int g(int y) { return x + y + h(); }",
    )
    assert [variable.name for variable in unit.variables] == ["x", "a", "s", "s$2"]
    assert set(unit.functions) == {"main", "g", "h", "h$2"}
    assert body_of(unit, "h$2") == ["return @s$2;"]
    assert body_of(unit, "g") == ["return (+ (+ @x @y) h$2());"]
    assert str(unit.variables[1].type) == "int [3]"


def test_a_static_name_does_not_hide_an_external_one() -> None:
    unit = parse_texts("static int f(void) { return 1; } int g(void) { return f(); }", "int f(void) { return 2; }")
    assert body_of(unit, "f") == ["return 2;"]
    assert body_of(unit, "g") == ["return f$2();"]


def test_units_share_records_of_the_same_layout() -> None:
    record = "struct s { int a; struct s *n; struct { int b; }; };"
    unit = parse_texts(
        f"{record} struct s x; struct opaque *o; struct t {{ int a; }} y;",
        f"{record} extern struct s x; struct opaque {{ int k; }} k; struct t {{ char c; }} z; int f(void) {{ return x.n->a; }}",
    )
    types = {variable.name: variable.type for variable in unit.variables}
    assert types["y"] is not types["z"]
    pointer = types["o"]
    assert getattr(pointer, "target", None) is types["k"]
    assert isinstance(types["k"], RecordType)
    assert types["k"].fields[0].type == INT


def test_contradictions_between_units() -> None:
    assert errors_of(
        "int f(void) { return 1; } int x = 1; int y;", "int f(void) { return 2; } int x = 2; char y;"
    ) == [
        "b.c:1:5: f is defined twice, first at a.c:1:5",
        "b.c:1:31: x is defined twice, first at a.c:1:31",
        "b.c:1:43: y has type char here, and int at a.c:1:42",
    ]


def test_inline_functions_may_be_defined_twice() -> None:
    text = "inline int f(void) { return 1; } int NAME(void) { return f(); }"
    unit = parse_texts(text.replace("NAME", "g"), text.replace("NAME", "h"))
    assert set(unit.functions) == {"f", "g", "h"}


def test_which_inline_definition_is_called_is_an_assumption() -> None:
    unit = parse_texts("inline int f(void) { return 1; } int g(void) { return f(); }", "int f(void) { return 2; }")
    said = "f is assumed to be what is called, not the (inline) definition at a.c:1:12"
    assert [(str(span), message) for span, message in unit.warnings] == [("b.c:1:5", said)]


def test_complaints_of_all_units_are_reported() -> None:
    assert len(errors_of("int x = y;", "int z = w;")) == 2


def test_declarations_that_differ_are_warned_about() -> None:
    unit = parse_texts("double g(int); int f(void) { return g(1); }", "int g(int x) { return x; }")
    assert [message for _, message in unit.warnings] == ["g is declared with another type at a.c:1:8"]


# --- limits


@pytest.mark.parametrize(
    "text",
    [
        "return " + "+".join(["a"] * 10_000) + ";",
        "return " + "(" * 5000 + "a" + ")" * 5000 + ";",
        "return " + "1 + (" * 5000 + "a" + ")" * 5000 + ";",
        "{" * 5000 + "a = 1;" + "}" * 5000,
        "for (; a < 1; ) {" * 1000 + "a = 1;" + "}" * 1000,
        "if (a == 1) a = 2; else " * 2000 + "a = 3;",
        "return " + "a ? 1 : " * 5000 + "a;",
        "a = 1, " * 5000 + "a = 2;",
    ],
)
def test_deep_programs(text: str) -> None:
    unit = parse(Source("a.c", f"int a; int f(void) {{ {text} }}"), ParseOptions())
    assert not list(complaints(unit))


def test_too_deep_programs_are_complaints() -> None:
    text = "int f(void) { return " + "(" * 20_000 + "1" + ")" * 20_000 + "; }"
    with pytest.raises(InputError, match="bracket nesting level"):
        parse(Source("a.c", text), ParseOptions())


# --- headers and databases


@pytest.mark.parametrize("machine", [ILP32, LP64])
def test_our_headers_go_together(machine: Machine) -> None:
    headers = sorted(HEADERS.rglob("*.h"))
    assert headers
    lines = [f"#include <{header.relative_to(HEADERS)}>" for header in headers]
    text = "\n".join(lines + lines) + (
        "\nint main(void) { va_list l; FILE *f = stderr; size_t n = SIZE_MAX; int64_t i = INT64_MIN; double d = DBL_MAX;"
        "assert(f != NULL && n > CHAR_BIT); errno = isnan(d); return LONG_MAX > INT_MAX ? (int)i : UCHAR_MAX; }"
    )
    unit = parse(Source("a.c", text), ParseOptions(machine=machine))
    assert unit.functions["__assert_fail"].is_noreturn
    assert not list(complaints(unit))


def test_options(tmp_path: Path) -> None:
    (tmp_path / "first.h").write_text("#define K 4\n")
    (tmp_path / "second.h").write_text("int b = K;\n")
    source = Source(str(tmp_path / "m.c"), "#include <second.h>\nint a = X + Y;")
    folder = tmp_path / "elsewhere"
    options = ParseOptions(
        include_dirs=(str(folder), str(tmp_path)), defines=("X=2", "Y"), includes=(str(tmp_path / "first.h"),)
    )
    unit = parse_program([source], options)
    assert [variable.name for variable in unit.variables] == ["b", "a"]


def test_compile_commands(tmp_path: Path) -> None:
    database = tmp_path / "compile_commands.json"
    entries = [
        {
            "directory": "/d",
            "file": "a.c",
            "command": 'cc -Iinc -I /abs -DX=1 -D "Y=a b" -std=c99 -m32 -include i.h -c a.c',
        },
        {"directory": "/d", "file": "b.cpp", "arguments": ["c++", "b.cpp"]},
        {"directory": "/d", "file": "a.c", "arguments": ["cc", "a.c"]},
        {"directory": "/d", "file": "/e/c.c", "arguments": ["cc", "-isystem", "s", "-UX", "c.c"]},
    ]
    database.write_text(json.dumps(entries))
    first, second = read_compile_commands(str(database), ParseOptions(defines=("X=0",)))
    assert first.file == "/d/a.c"
    assert first.options == ParseOptions(
        machine=ILP32,
        include_dirs=("/d/inc", "/abs"),
        defines=("X=0", "X=1", "Y=a b"),
        standard="c99",
        includes=("/d/i.h",),
    )
    assert (second.file, second.options) == ("/e/c.c", ParseOptions(include_dirs=("/d/s",)))


@pytest.mark.parametrize(
    "text", ["{", "{}", "[1]", '[{"file": 1}]', '[{"file": "a.c"}]', '[{"file": "a.c", "command": "\\""}]']
)
def test_bad_compile_commands(tmp_path: Path, text: str) -> None:
    database = tmp_path / "compile_commands.json"
    database.write_text(text)
    with pytest.raises(FileError):
        read_compile_commands(str(database), ParseOptions())


# --- the checker itself


def test_the_checker_sees_wrong_trees() -> None:
    span = Span(Source("a.c", ""), 0, 0)
    variable = ast.Variable("x", INT, ast.Storage.LOCAL, span)
    name = ast.Name(INT, span, variable)
    wrong = ast.Binary(INT, span, "+", name, ast.IntegerLiteral(INT, span, 1 << 40))
    body = ast.Compound(span, (ast.ExpressionStatement(span, wrong),), span)
    function = ast.Function("f", FunctionType(INT, ()), span, body=body)
    unit = ast.Unit(ILP32, {"f": function}, ())
    assert len(list(complaints(unit))) == 2


def test_side_effects_in_no_particular_order_are_noticed() -> None:
    text = "int f(int a, int b);\nint g(int i) {\n  return f(i, i++);\n}\nint h(int i) { return i++ && i++; }\n"
    ((span, message),) = parse(Source("a.c", text), ParseOptions()).warnings
    assert (span.line, span.column) == (3, 16)
    assert "unsequenced modification and access to 'i'" in message
