"""Regions of C programs: accesses that share memory, widths of cells, and variables outside of memory."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import pytest

from remuda.base.errors import InternalError
from remuda.base.source import Source
from remuda.frontends.c.clang.parse import ParseOptions, parse
from remuda.frontends.c.memory.regions import Memory, analyse
from remuda.frontends.c.syntax import ast, walk
from remuda.frontends.c.syntax.types import CHAR, ILP32, INT, LP64, Machine, PointerType, is_scalar

if TYPE_CHECKING:
    from remuda.frontends.c.memory.model import Region

LVALUES = (ast.Dereference, ast.Index, ast.Member)
DECLARATIONS = "typedef unsigned long size_t; void *malloc(size_t); void *memcpy(void *, const void *, size_t);\n"


@dataclass(frozen=True)
class Analysed:
    unit: ast.Unit
    memory: Memory

    def region(self, text: str) -> Region:
        """Of the first lvalue that is written like this."""
        for expression in self._expressions():
            if isinstance(expression, (*LVALUES, ast.Name)) and expression.span.text == text:
                return self.memory.region(expression)
        raise AssertionError(f"there is no {text}")

    def same(self, *texts: str) -> bool:
        return len({self.region(text).index for text in texts}) == 1

    def different(self, *texts: str) -> bool:
        return len({self.region(text).index for text in texts}) == len(texts)

    def variable(self, name: str) -> ast.Variable:
        for variable in self.unit.variables:
            if variable.name == name:
                return variable
        for function in self.unit.functions.values():
            declared = () if function.body is None else tuple(walk.declared_variables(function.body))
            for variable in function.parameters + declared:
                if variable.name == name:
                    return variable
        raise AssertionError(f"there is no {name}")

    def in_memory(self, name: str) -> bool:
        return self.memory.in_memory(self.variable(name))

    def targets(self) -> list[list[str]]:
        """Of the calls through pointers."""
        return [
            [function.name for function in self.memory.targets(call)]
            for call in self._expressions()
            if isinstance(call, ast.Call) and walk.called_function(call) is None
        ]

    def _expressions(self) -> list[ast.Expression]:
        functions = self.unit.functions.values()
        return [expression for function in functions for expression in walk.function_expressions(function)]


def analysed(text: str, machine: Machine = LP64) -> Analysed:
    unit = parse(Source("test.c", DECLARATIONS + text), ParseOptions(machine=machine))
    reachable = [function for function in unit.functions.values() if function.body is not None]
    memory = analyse(unit, reachable)
    found = Analysed(unit, memory)
    for expression in found._expressions():  # everything that is accessed has a region
        if isinstance(expression, LVALUES) and is_scalar(expression.type) and _is_memory(memory, expression):
            memory.region(expression)
    return found


def _is_memory(memory: Memory, lvalue: ast.Expression) -> bool:
    while isinstance(lvalue, ast.Member) and not lvalue.is_arrow:
        lvalue = lvalue.base
    if isinstance(lvalue, ast.Name) and isinstance(lvalue.target, ast.Variable):
        return memory.in_memory(lvalue.target)
    return isinstance(lvalue, LVALUES)


# --- variables in memory


def test_only_what_has_its_address_taken_is_in_memory() -> None:
    found = analysed(
        """
        struct inner { int x; unsigned f : 3; };
        struct outer { struct inner in; long y; };
        struct buffer { int n; char text[4]; };
        union number { int i; float f; };
        union single { int only; };
        struct outer copy(struct outer argument) { argument.in.x++; return argument; }
        int global, shared;
        int main(void) {
            struct outer a = {{1, 2}, 3}, b, c;
            struct buffer text; union number number; union single single;
            int plain = 0, taken, array[2];
            int *p = &taken, *q = &c.in.x, *r = &shared;
            b = copy(a);
            text.n = 1; number.i = 2; single.only = 3; array[0] = 4; global = 5;
            return plain + b.in.f + *p + *q + *r;
        }
        """
    )
    assert not any(map(found.in_memory, ["a", "b", "argument", "plain", "global", "single", "p"]))
    assert all(map(found.in_memory, ["c", "taken", "array", "text", "number", "shared"]))


def test_variables_that_are_not_in_memory_make_no_regions() -> None:
    found = analysed("struct s { int x; } g; int main(void) { struct s s = g; int i = s.x; return i; }")
    assert found.memory.regions == ()


# --- telling things apart


def test_objects_that_no_pointer_confuses_are_apart() -> None:
    found = analysed(
        "int a[4], b[4]; int main(void) { int i = 1; a[i] = 1; b[2] = 2; int x; int *p = &x; return *p; }"
    )
    assert found.different("a[i]", "b[2]", "*p")
    assert [region.name for region in found.memory.regions] == ["a", "b", "x"]


def test_objects_that_a_pointer_may_point_to_are_together() -> None:
    found = analysed(
        "int a[4], b[9], c[4]; int main(int n, char **v) { int *p = n ? a : b; c[0] = 1; a[1] = b[2]; return *p; }"
    )
    assert found.same("a[1]", "b[2]", "*p")
    assert found.different("c[0]", "*p")


def test_fields_are_apart() -> None:
    found = analysed(
        """
        struct node { int data; struct node *next; char name[8]; };
        int main(void) {
            struct node *head = 0;
            for (int i = 0; i < 3; i++) {
                struct node *node = malloc(sizeof *node);
                node->data = i; node->next = head; node->name[i] = 'x'; head = node;
            }
            return head->data;
        }
        """
    )
    assert found.same("node->data", "head->data")
    assert found.different("node->data", "node->next", "node->name[i]")
    assert [(region.name, region.width) for region in found.memory.regions] == [
        ("node.data", 32),
        ("node.next", 64),
        ("node.name", 8),
    ]


def test_each_allocation_has_its_own_memory() -> None:
    found = analysed("int main(void) { int *p = malloc(4), *q = malloc(4); *p = 1; *q = 2; p[3] = 4; return *p; }")
    assert found.different("*p", "*q")
    assert found.same("*p", "p[3]")


def test_functions_that_only_allocate_do_so_at_each_call() -> None:
    found = analysed(
        """
        static int failures;
        void *get(size_t n) { void *x; char *made = malloc(n); x = made; if (!x) failures++; return x; }
        void *more(size_t n) { return get(n + 1); }
        int *start(void) { int *made = malloc(4); *made = 1; return made; }
        int main(void) {
            int *a = get(4), *b = get(4), *c = more(4), *d = start(), *e = start();
            *a = 1; *b = 2; *c = 3; *d = 4; *e = 5;
            return 0;
        }
        """
    )
    assert found.different("*a", "*b", "*c", "*d")
    assert found.same("*d", "*e", "*made")


def test_links_at_different_places_leave_the_rest_apart() -> None:
    found = analysed(
        """
        struct link { struct link *next, *last; };
        struct queue { int length; struct link first; char kind; };
        struct request { char *name; struct link link; short status; int counter; };
        int main(void) {
            struct queue *q = malloc(sizeof *q);
            struct request *r = malloc(sizeof *r);
            q->first.next = &r->link; q->first.next->last = &q->first;
            r->link.next = &q->first;
            q->length = 1; q->kind = 2; r->status = 3; r->counter += 4; r->name = 0;
            struct link *p = q->kind ? &q->first : &r->link;
            return p->next == p;
        }
        """
    )
    assert found.same("q->first.next", "r->link.next", "p->next")
    assert found.different("q->length", "q->kind", "r->status", "r->counter", "r->name", "q->first.next")


def test_a_part_that_is_copied_is_all_that_objects_have_in_common() -> None:
    found = analysed(
        """
        struct one { int n; char name[4]; char *to; }; struct other { char *from; char name[4]; int m; };
        int main(void) {
            struct one *a = malloc(sizeof *a); struct other *b = malloc(sizeof *b);
            a->n = 1; a->to = 0; b->from = 0; b->m = 2;
            memcpy(&b->name[0], &a->name[0], 4);
            return a->name[1] + b->name[2];
        }
        """
    )
    assert found.same("a->name[1]", "b->name[2]")
    assert found.different("a->n", "a->to", "b->from", "b->m", "a->name[1]")


def test_fields_of_elements() -> None:
    found = analysed(
        """
        struct row { int id; int values[4]; };
        struct table { int n; struct row rows[8]; int rest; } table;
        int main(void) {
            int i = 2, j = 3;
            table.n = 1; table.rest = 2; table.rows[i].id = 3;
            table.rows[j].values[i] = 4; table.rows[7].values[3] = 5;
            struct row *row = &table.rows[j];
            int *p = row->values + 1;
            return *p;
        }
        """
    )
    assert found.same("table.rows[j].values[i]", "table.rows[7].values[3]", "*p")
    assert found.different("table.n", "table.rest", "table.rows[i].id", "*p")


def test_an_array_in_a_record_that_a_function_is_given() -> None:
    found = analysed(
        """
        struct message { int kind; int words[4]; int end; } message;
        int sum(int *p, int n) { int s = 0; for (int i = 0; i < n; i++) s += p[i]; return s; }
        int walk(const int *q) { int s = 0; while (*q) { s = s + *q; q = q + 1; } return s; }
        int main(void) { message.kind = 1; message.end = 2; return sum(message.words, 4) + walk(message.words); }
        """
    )
    assert found.same("p[i]", "*q")
    assert found.different("message.kind", "message.end", "p[i]")


def test_bytes_of_a_record_that_begins_with_an_array() -> None:
    found = analysed(
        """
        struct item { char name[4]; int value; } item;
        void clear(void *p, int n) { char *bytes = p; for (int i = 0; i < n; i++) bytes[i] = 0; }
        int main(void) { item.value = 1; clear(&item, sizeof item); return item.value; }
        """
    )
    assert found.same("item.value", "bytes[i]")
    assert found.region("item.value").is_bytes


def test_the_record_around_a_field() -> None:
    found = analysed(
        """
        struct list { struct list *next; };
        struct item { int value; struct list list; };
        int main(void) {
            struct item item;
            struct list *at = &item.list;
            struct item *one = (struct item *)((char *)at - __builtin_offsetof(struct item, list));
            struct item *two = (struct item *)((char *)at - (size_t)&((struct item *)0)->list);
            struct item *three = (struct item *)((size_t)at - 8);
            item.value = 1;
            return one->value + two->value + three->value;
        }
        """
    )
    assert found.same("item.value", "one->value", "two->value", "three->value")
    assert not found.region("item.value").is_bytes


# --- widths


def test_unions() -> None:
    found = analysed(
        """
        union mixed { int word; char bytes[4]; } mixed;
        union same { int number; unsigned flags; } same;
        union real { double d; long l; } real;
        struct holder { union mixed u; int other; } holder;
        int main(void) {
            mixed.word = 1; same.number = 2; real.d = 3; holder.u.word = 4; holder.other = 5;
            return mixed.bytes[1] + same.flags + real.l;
        }
        """
    )
    assert found.same("mixed.word", "mixed.bytes[1]")
    assert found.region("mixed.word").is_bytes
    assert found.same("same.number", "same.flags")
    assert not found.region("same.number").is_bytes
    assert found.region("real.d").is_bytes
    assert found.different("holder.u.word", "holder.other")
    assert not found.region("holder.other").is_bytes


def test_floating_regions() -> None:
    found = analysed("double d[3]; float f[3]; int main(void) { d[0] = 1; f[1] = 2; return 0; }")
    assert str(found.region("d[0]").floating) == "double"
    assert str(found.region("f[1]").floating) == "float"
    assert found.region("f[1]").width == 32


def test_an_integer_that_is_read_byte_by_byte() -> None:
    found = analysed("int main(void) { int x = 1; char *p = (char *)&x; return *p + x; }")
    assert found.same("*p", "x")
    assert found.region("x").is_bytes


def test_bit_fields_share_their_unit() -> None:
    found = analysed(
        """
        struct flags { unsigned a : 3, b : 7; int rest; };
        int main(void) { struct flags f, *p = &f; p->a = 1; p->b = 2; p->rest = 3; return p->a; }
        """
    )
    assert found.same("p->a", "p->b")
    assert found.different("p->a", "p->rest")
    assert found.region("p->a").width == 32


# --- pointers in disguise


def test_addresses_in_integers() -> None:
    found = analysed(
        "int main(void) { int x, y; long n = (long)&x; y = 1; int *q = &y; int *p = (int *)(n + 4 - 4);"
        " return *p + *q + x; }"
    )
    assert found.same("*p", "x")
    assert found.different("*p", "*q")


def test_a_pointer_that_is_copied_byte_by_byte() -> None:
    found = analysed(
        """
        int main(void) {
            int x; int *p = &x; int *q;
            for (int i = 0; i < 8; i++) ((char *)&q)[i] = ((char *)&p)[i];
            return *q + x;
        }
        """
    )
    assert found.same("*q", "x")


def test_pointers_in_memory_that_is_copied() -> None:
    found = analysed(
        """
        struct box { int *to; int n; };
        int main(void) {
            int x, y, z; struct box a = {&x, 1}, b, c, *p = &c; b = a; *p = b;
            struct box d; memcpy(&d, &a, sizeof d);
            int *other = &y; z = 1;
            return *p->to + *d.to + *other + x;
        }
        """
    )
    assert found.same("*p->to", "*d.to", "x")
    assert found.different("*other", "x")


def test_strings_and_variables_that_are_initialised() -> None:
    found = analysed(
        """
        const char *names[] = {"one", "two"}; char text[] = "three"; struct { char *p; } s = {text};
        int main(int argc, char **argv) { return names[argc][1] + s.p[0] + argv[1][2] + text[1]; }
        """
    )
    assert found.same("s.p[0]", "text[1]")
    assert found.different("names[argc][1]", "s.p[0]", "argv[1][2]")
    literal = next(
        node for node in walk.preorder(_value(found.variable("names"))) if isinstance(node, ast.StringLiteral)
    )
    assert found.memory.literal_cell(literal, 2, CHAR) is found.region("names[argc][1]")


def _value(variable: ast.Variable) -> ast.Expression:
    assert variable.initializer is not None
    return variable.initializer.parts[0].value


def test_variadic_arguments() -> None:
    found = analysed(
        """
        int first(int n, ...) {
            __builtin_va_list list; __builtin_va_start(list, n);
            int *p = __builtin_va_arg(list, int *);
            __builtin_va_end(list); return *p;
        }
        int main(void) { int x, y, *q = &y; return first(1, &x) + x + *q; }
        """
    )
    assert found.same("*p", "x")
    assert found.different("*q", "x")


def test_results() -> None:
    found = analysed(
        """
        int *either(int c, int *a, int *b) { return c ? a : b; }
        int *outside(void);
        int main(void) { int x, y; int *p = either(1, &x, &y), *q = outside(), *r = outside(); return *p + *q + *r + x + y; }
        """
    )
    assert found.same("*p", "x", "y")
    assert found.same("*q", "*r")
    assert found.different("*p", "*q")


# --- calls through pointers


def test_targets() -> None:
    found = analysed(
        """
        int add(int a, int b) { return a + b; }
        int sub(int a, int b) { return a - b; }
        int one(int a) { return a; }
        int unused(int a, int b) { return a * b; }
        int (*table[2])(int, int) = {add, sub};
        struct driver { int (*open)(int); } driver = {.open = one};
        int apply(int (*f)(int, int), int x) { return (*f)(x, x) + unused(1, 2); }
        int main(int n, char **v) { return table[n](1, 2) + driver.open(3) + apply(n ? &add : sub, 4); }
        """
    )
    assert found.targets() == [["add", "sub"], ["add", "sub"], ["one"]]
    assert [function.name for function in found.memory.address_taken_functions] == ["add", "sub", "one"]


def test_arguments_and_results_of_calls_through_pointers() -> None:
    found = analysed(
        """
        int *same(int *p) { *p = 1; return p; }
        int main(void) { int x, y; int *other = &y; int *(*f)(int *) = same; return *f(&x) + *other + x; }
        """
    )
    assert found.same("*p", "*f(&x)", "x")
    assert found.different("*other", "x")


def test_only_functions_that_take_the_arguments_are_targets() -> None:
    found = analysed(
        "int one(int a) { return a; } int two(int a, int b) { return a + b; }"
        "int main(int n, char **v) { void *p = n ? (void *)one : (void *)two; return ((int (*)(int))p)(1); }"
    )
    assert found.targets() == [["one"]]


def test_threads() -> None:
    found = analysed(
        """
        int pthread_create(size_t *, const void *, void *(*)(void *), void *);
        int pthread_join(size_t, void **);
        void *run(void *argument) { int *p = argument; *p = 1; return p; }
        int main(void) {
            size_t thread; int x; void *result;
            pthread_create(&thread, 0, run, &x); pthread_join(thread, &result);
            return *(int *)result + x;
        }
        """
    )
    assert found.same("*p", "*(int *)result", "x")


def test_a_function_that_is_read_as_data() -> None:
    found = analysed("int f(void) { return 1; } int main(void) { unsigned char *p = (unsigned char *)f; return *p; }")
    assert found.region("*p").width == 8


# --- asking


def test_cells() -> None:
    found = analysed(
        "struct s { int n; struct s *next; int values[3]; };"
        "int main(void) { struct s a; struct s *p = &a; p->next = p; p->n = 1; p->values[1] = 2; return a.n; }",
        ILP32,
    )
    variable, memory = found.variable("a"), found.memory
    assert memory.object_cell(variable, 0, INT) is found.region("p->n")
    assert memory.object_cell(variable, 4, PointerType(INT)) is found.region("p->next")
    for index in range(3):
        assert memory.object_cell(variable, 8 + 4 * index, INT) is found.region("p->values[1]")
    member = next(node for node in found._expressions() if isinstance(node, ast.Member) and node.is_arrow)
    assert memory.cell(member.base, 16, INT) is found.region("p->values[1]")


def test_code_that_was_not_analysed_has_no_regions() -> None:
    unit = parse(
        Source("test.c", "int g[2]; int f(void) { return g[0]; } int main(void) { return 0; }"), ParseOptions()
    )
    memory = analyse(unit, [unit.functions["main"]])
    lvalue = next(node for node in walk.function_expressions(unit.functions["f"]) if isinstance(node, ast.Index))
    with pytest.raises(InternalError):
        memory.region(lvalue)
    with pytest.raises(InternalError):
        memory.cell(lvalue.base, 0, INT)
    with pytest.raises(InternalError):
        memory.object_cell(unit.variables[0], 0, INT)


def test_memory_that_is_never_accessed_shares_one_region() -> None:
    found = analysed('int puts(const char *); int main(void) { puts("one"); puts("two"); return 0; }')
    literals = [node for node in found._expressions() if isinstance(node, ast.StringLiteral)]
    assert len({found.memory.literal_cell(literal, 1, CHAR).index for literal in literals}) == 1


def test_the_same_program_gives_the_same_regions() -> None:
    text = (
        "struct s { int x; struct s *n; } a[3], b; int *q; int main(int c, char **v) {"
        " struct s *p = c ? a : &b; p->n = &b; q = &p->n->x; return *q + v[0][1]; }"
    )
    assert _summary(text) == _summary(text)


def _summary(text: str) -> list[tuple[int, str, int, bool]]:
    return [(each.index, each.name, each.width, each.is_bytes) for each in analysed(text).memory.regions]


def test_deep_expressions_need_no_recursion() -> None:
    terms = " + ".join(["a[i]"] * 3000)
    found = analysed(f"int a[2]; int main(void) {{ int i = 0; return {terms}; }}")
    assert found.region("a[i]").width == 32
