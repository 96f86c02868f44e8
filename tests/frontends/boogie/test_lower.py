"""Lowering: the blocks, terms, contracts and instances that Boogie texts become."""

from __future__ import annotations

import re
import shutil
import subprocess
from typing import TYPE_CHECKING, TypeVar

import pytest

from remuda.base.errors import Unsupported
from remuda.base.source import Source
from remuda.frontends.boogie.floats import parse_float
from remuda.frontends.boogie.load import load
from remuda.ir.check import check
from remuda.ir.printer import print_program
from remuda.ir.program import Assert, Assign, Assume, Call, Havoc, Program, Statement
from remuda.terms.term import postorder
from remuda.terms.types import BOOL, INT, FloatType

Kind = TypeVar("Kind")

if TYPE_CHECKING:
    from pathlib import Path

    from remuda.terms.term import Term


def program(text: str, name: str = "dir/test.bpl") -> Program:
    made = load([Source(name, text)])
    assert check(made) == []
    return made


def flow(made: Program, procedure: str = "P") -> dict[str, tuple[str, ...]]:
    """Each block's successors."""
    blocks = made.procedures[procedure].blocks
    assert blocks is not None
    return {block.label: block.successors for block in blocks}


def statements(made: Program, procedure: str = "P") -> list[Statement]:
    blocks = made.procedures[procedure].blocks
    assert blocks is not None
    return [statement for block in blocks for statement in block.statements]


def only(kind: type[Kind], found: list[Statement]) -> list[Kind]:
    return [statement for statement in found if isinstance(statement, kind)]


def ops(term: Term) -> set[str]:
    return {part.op for part in postorder([term])}


# --- control flow


def test_if() -> None:
    made = program("procedure P(x: int) { if (x > 0) { assert true; } else { assert false; } }")
    assert flow(made) == {
        "start": ("then.1", "else.2"),
        "then.1": ("join.3",),
        "else.2": ("join.3",),
        "join.3": (),
    }
    first, second = only(Assume, statements(made))
    assert first.condition.op == "lt"
    assert second.condition is made.terms.not_(first.condition)
    assert first.span.text == "x > 0"


def test_while_with_invariants_and_break() -> None:
    made = program(
        "procedure P() { var i: int; i := 0; while (i < 9) invariant i >= 0; free invariant i < 10; "
        "{ if (i == 5) { break; } i := i + 1; } assert i > 0; }"
    )
    graph = flow(made)
    assert graph["start"] == ("loop_head.1",)
    assert graph["loop_head.1"] == ("loop_body.2", "loop_exit.4")
    assert graph["loop_exit.4"] == ("loop_done.3",)
    assert graph["then.5"] == ("loop_done.3",)
    assert graph["join.7"] == ("loop_head.1",)
    blocks = {block.label: block for block in made.procedures["P"].blocks or ()}
    invariant, free = blocks["loop_head.1"].statements
    assert isinstance(invariant, Assert)
    assert invariant.check.kind == "invariant"
    assert isinstance(free, Assume)


def test_labels_are_kept_and_dead_blocks_dropped() -> None:
    made = program("procedure P() { goto A, B; A: assume true; B: return; assert false; C: goto C; }")
    assert flow(made) == {"start": ("A", "B"), "A": ("B",), "B": ()}


def test_generated_labels_avoid_the_users() -> None:
    made = program("procedure P() { then.1: if (*) { goto then.1; } }")
    assert "then.1" in flow(made)
    assert len(flow(made)) == len(set(flow(made)))


def test_the_entry_block_is_no_jump_target() -> None:
    graph = flow(program("procedure P() { A: goto A, B; B: return; }"))
    assert next(iter(graph)) == "entry"
    assert graph["entry"] == ("A",)


def test_labelled_break_leaves_the_outer_loop() -> None:
    graph = flow(program("procedure P() { L: while (*) { while (*) { break L; } } }"))
    assert graph["loop_body.4"] == ("loop_done.2",)


def test_a_label_names_its_loop() -> None:
    made = program("procedure P() { A: B:\n while (*) { goto B; } if (*) { C: } while (*) { } }")
    graph = flow(made)
    assert graph["A"] == ("B",)
    assert graph["loop_body.1"] == ("B",)
    assert "C" in graph
    assert any(label.startswith("loop_head") for label in graph)  # `C` labels the end of the `if`
    blocks = {block.label: block for block in made.procedures["P"].blocks or ()}
    assert str(blocks["B"].span).endswith(":2:2")


def test_empty_body() -> None:
    assert flow(program("procedure P() { }")) == {"start": ()}


# --- statements


def test_map_and_field_assignments() -> None:
    made = program(
        "datatype D { C(f: [int]int, g: int) } procedure P() { var m: [int][int]int; var d: D; "
        "m[1][2] := 3; d->f[4] := 5; }"
    )
    first, second = only(Assign, statements(made))
    assert (first.values[0].op, first.values[0].args[2].op) == ("store", "store")
    assert second.values[0].op == "construct"


def test_shared_field_is_chosen_by_testers() -> None:
    made = program("datatype S { L(i: int), R(i: int) } procedure P(s: S) { assert s->i == 0; assert s is R; }")
    first, second = only(Assert, statements(made))
    assert "ite" in ops(first.condition)
    assert second.condition.op == "is"


def test_unpacking_asserts_the_constructor() -> None:
    made = program("datatype S { L(i: int), R() } procedure P(s: S) { var x: int; L(x) := s; }")
    assertion, assignment = statements(made)
    assert isinstance(assertion, Assert)
    assert isinstance(assignment, Assign)
    assert assignment.values[0].op == "field"


def test_old_datatypes() -> None:
    made = program(
        "type {:datatype} L; function {:constructor} nil(): L; function {:constructor} cons(h: int, t: L): L;"
        "axiom h#cons(cons(1, nil())) == 1; procedure P(l: L) { assert is#nil(l) || is#cons(l); }"
    )
    assert made.axioms[0].term is made.terms.true
    assert [constructor.name for constructor in made.datatypes[0].constructors] == ["nil", "cons"]


def test_where_clauses_are_assumed() -> None:
    made = program(
        "procedure Q() returns (r: int); procedure P(a: int where a > 0) "
        "{ var x: int where x > a; havoc x; call x := Q(); }"
    )
    kinds = [type(statement) for statement in statements(made)]
    assert kinds == [Assume, Assume, Havoc, Assume, Call]
    assert {variable.name for variable in made.wheres} == {"a", "x"}


def test_old_in_bodies_and_contracts() -> None:
    made = program("var g: int; procedure P() modifies g; ensures g > old(g); { g := old(g) + 1; }")
    procedure = made.procedures["P"]
    assert "old" in ops(procedure.ensures[0].term)
    assert [variable.name for variable in procedure.locals] == ["old$g"]
    first, second = only(Assign, statements(made))
    assert first.targets == procedure.locals
    assert "old" not in ops(second.values[0])


def test_contracts_use_the_implementations_names() -> None:
    made = program("procedure P(x: int); requires x > 0; implementation P(y: int) { assert y > 0; }")
    procedure = made.procedures["P"]
    assert [variable.name for variable in procedure.inputs] == ["y"]
    assert procedure.requires[0].term is only(Assert, statements(made))[0].condition


def test_several_implementations_are_branches() -> None:
    made = program("procedure P(); implementation P() { A: assert true; } implementation P() { A: assert false; }")
    assert flow(made)["entry"] == ("implementation1$A", "implementation2$A")


def test_calls() -> None:
    made = program(
        "procedure Q(a: int) returns (r: int); procedure P() { var b: bool; var x: int; "
        'call x := Q(*); call * := Q(1); async call x := Q(2); call {:verified_under b} {:tag "t"} x := Q(3); }'
    )
    havoc = only(Havoc, statements(made))[0]
    calls = only(Call, statements(made))
    assert calls[0].arguments[0].payload is havoc.variables[0]
    assert calls[1].results[0].name.startswith("any$")
    assert calls[2].is_async
    assert [attribute.name for attribute in calls[3].attributes] == ["verified_under", "tag"]
    assert calls[3].attributes[1].arguments == ("t",)


def test_call_forall_assumes_the_contract() -> None:
    made = program(
        "function f(x: int): int; procedure L(x: int, y: int); requires x > y; ensures f(x) > f(y);"
        "procedure P() { call forall L(*, 3); }"
    )
    assumption = only(Assume, statements(made))[0]
    assert assumption.condition.op == "forall"
    assert assumption.condition.args[0].op == "implies"


def test_checks_are_named() -> None:
    made = program(
        'procedure P(x: int) requires x > 0; { assert x   >\n 0; assert {:msg "hello"} true; } procedure Q() '
        "{ assert true; }"
    )
    first, second = [statement.check for statement in only(Assert, statements(made))]
    assert (first.identifier, first.description) == ("test.bpl:P:assert:1", "x > 0")
    assert (second.identifier, second.description) == ("test.bpl:P:assert:2", "hello")
    requires = made.procedures["P"].requires[0].check
    assert requires is not None
    assert requires.identifier == "test.bpl:P:requires:1"
    assert only(Assert, statements(made, "Q"))[0].check.identifier == "test.bpl:Q:assert:1"


def test_modifies_is_deduplicated_and_need_not_be_complete() -> None:
    made = program("var g, h: int; procedure P() modifies g; modifies g; { h := 1; }")
    assert [variable.name for variable in made.procedures["P"].modifies] == ["g"]


def test_assumption_variables() -> None:
    made = program("procedure P() { var {:assumption} a: bool; havoc a; }")
    kinds = [type(statement) for statement in statements(made)]
    assert kinds == [Assume, Assign, Havoc, Assume]


# --- entries


@pytest.mark.parametrize(
    ("text", "entries"),
    [
        ("procedure {:entrypoint} A(); procedure B(); implementation {:entrypoint} B() { }", ("B",)),
        ("procedure {:entrypoint} A() { } procedure main() { }", ("A",)),
        ("procedure A() { } procedure main() { }", ("main",)),
        ("procedure A() { } procedure main(); procedure C() { }", ("A", "C")),
        ("procedure A<T>(x: T) { }", ("A<T#A>",)),
    ],
)
def test_entries(text: str, entries: tuple[str, ...]) -> None:
    assert program(text).entries == entries


# --- expressions


def test_code_expression_is_a_weakest_precondition() -> None:
    made = program(
        "procedure P(p, x: bool) { assert |{ var z: bool; A: z := x; goto B, C; B: assume p; return z; "
        "C: return true; }|; assert |{ var z: bool; A: return z; }|; }"
    )
    first, second = only(Assert, statements(made))
    inputs = [made.terms.var(variable) for variable in made.procedures["P"].inputs]
    assert first.condition is made.terms.implies(*inputs)
    assert second.condition.op == "forall"


def test_code_expressions_with_loops_are_refused() -> None:
    with pytest.raises(Unsupported):
        program("procedure P() { assert |{ A: goto A, B; B: return true; }|; }")


@pytest.mark.parametrize(
    ("name", "signature", "operator"),
    [
        ("bvugt", "(bv8, bv8): bool", "bvult"),
        ("(_ zero_extend 8)", "(bv8): bv16", "zero_extend"),
        ("sign_extend 8", "(bv8): bv16", "sign_extend"),
        ("(_ int2bv 32)", "(int): bv32", "int2bv"),
        ("bv2nat", "(bv8): int", "bv2nat"),
        ("(_ to_fp 8 24) RNE", "(int): float24e8", "to_fp_real"),
        ("(_ to_fp 8 24)", "(bv32): float24e8", "to_fp_bits"),
        ("fp.add RNE", "(float24e8, float24e8): float24e8", "fp_add"),
        ("(_ fp.to_sbv 32) RTZ", "(float24e8): bv32", "fp_to_sbv"),
        ("MapConst", "(int): [bool]int", "lambda"),
        ("MapAdd", "([int]int, [int]int): [int]int", "lambda"),
        ("div", "(int, int): int", "div"),
        ("mystery", "(int): int", "apply"),
    ],
)
def test_builtins(name: str, signature: str, operator: str) -> None:
    types = re.findall(r"\[\w+\]\w+|\w+", signature)
    arguments = ", ".join(f"a{position}" for position in range(len(types) - 1))
    parameters = ", ".join(f"a{position}: {type_}" for position, type_ in enumerate(types[:-1]))
    made = load(
        [
            Source(
                "b.bpl",
                f'function {{:builtin "{name}"}} f{signature}; function g({parameters}): {types[-1]} {{ f({arguments}) }}',
            )
        ]
    )
    body = made.functions[-1].body
    assert body is not None
    assert body.op == operator


def test_float_literals() -> None:
    assert parse_float("0x5.0e0f24e8") == (0x40A00000, FloatType(24, 8))
    assert parse_float("-0x0.8e0f24e8") == (0xBF000000, FloatType(24, 8))
    assert parse_float("0x2.4e0f53e11") == (0x4002000000000000, FloatType(53, 11))
    assert parse_float("0+oo24e8") == (0x7F800000, FloatType(24, 8))
    assert parse_float("0x1.0000001e0f24e8") is None


def test_triggers_and_weights_are_kept() -> None:
    made = program("function f(x: int): bool; axiom (forall x: int :: {:weight 3} {f(x)} {f(x), f(x + 1)} f(x));")
    binder = made.axioms[0].term.payload
    assert (binder.triggers, binder.weight) == ((1, 2), 3)


# --- polymorphism


def test_functions_are_instantiated() -> None:
    made = program("function f<a>(x: a): a { x } axiom f(1) == 1 && f(true);")
    found = {function.name: function.result for function in made.functions}
    assert found["f<int>"] == INT
    assert found["f<bool>"] == BOOL


def test_types_are_inferred_from_the_context() -> None:
    made = program(
        "type S a; function e<a>(): S a; procedure P(s: S int, t: S bool) { assert s == e(); assert e() == t; }"
    )
    assert {function.name for function in made.functions} == {"e<int>", "e<bool>"}


def test_procedures_are_instantiated_by_calls() -> None:
    made = program(
        "procedure Q<T>(x: T) returns (y: T) { y := x; } procedure P() { var b: bool; call b := Q(true); }"
    )
    assert only(Call, statements(made))[0].procedure == "Q<bool>"
    assert set(made.procedures) == {"Q<T#Q>", "Q<bool>", "P"}


def test_polymorphic_maps_have_a_component_per_instance() -> None:
    made = program(
        "type F a; type H = <a>[F a]a; var h: H; const i: F int; const b: F bool;"
        "procedure P() modifies h; { h[i] := 1; assert h[b]; }"
    )
    assert [name for name, _ in made.datatypes[0].constructors[0].fields] == ["int", "bool", "rest"]


POLYMORPHIC = """
type Field a; type ref; const null: ref;
type Heap = <a>[ref, Field a]a;
var H: Heap;
const unique F: Field int; const unique G: Field bool; const unique R: Field ref;
function read<a>(h: Heap, o: ref, f: Field a): a { h[o, f] }
function id<a>(x: a): a;
axiom (forall<a> x: a :: id(x) == x);
procedure Set(o: ref, v: int) modifies H; ensures H == old(H)[o, F := v]; { H[o, F] := v; }
procedure Frame(o: ref) modifies H;
  ensures (forall<a> p: ref, f: Field a :: p != o ==> H[p, f] == old(H)[p, f]);
{ H[o, F] := 1; H[o, G] := true; }
procedure BadFrame(o: ref, q: ref) modifies H;
  ensures (forall<a> p: ref, f: Field a :: p != o ==> H[p, f] == old(H)[p, f]);
{ H[q, R] := null; }
procedure Use(o: ref, q: ref) modifies H; requires o != q; {
  var x: int;
  x := H[q, F];
  call Frame(o);
  assert H[q, F] == x && read(H, q, F) == x && id(x) == x && id(true);
  assert H[o, F] == 1;
}
procedure Kept() modifies H; ensures (forall<a> p: ref, f: Field a :: f != F ==> H[p, f] == old(H)[p, f]);
{ H[null, F] := 5; }
procedure Lost() modifies H; ensures (forall<a> p: ref, f: Field a :: f != F ==> H[p, f] == old(H)[p, f]);
{ H[null, G] := true; }
procedure Havocked() modifies H; { var h: Heap; h := H; havoc H; assert H == h; }
"""
STRUCTURED = """
var g: int;
procedure Loop(n: int) returns (r: int) requires n >= 0; ensures r == n; ensures g == old(g) + 1; modifies g;
{ r := 0; while (r < n) invariant r <= n; invariant g == old(g); { r := r + 1; } g := g + 1; }
procedure Wrong(n: int) returns (r: int) ensures r == n;
{ r := 0; outer: while (true) invariant r >= 0; { if (r == 5) { break outer; } r := r + 1; } }
procedure Code(x, y: int) requires |{ var z: bool; A: z := false; goto B, C; B: assume 0 <= x; z := 0 <= y; goto D;
  C: assume x < 0; goto D; D: return z; }|; { assert 0 <= x + y; assert x <= y; }
procedure Maps() { var m: [int][int]int; m[1][2] := 3; m[1][3] := 4; assert m[1][2] == 3; assert m[2][2] == 3; }
"""


@pytest.mark.peer("boogie", "z3")
@pytest.mark.parametrize("text", [POLYMORPHIC, STRUCTURED], ids=["polymorphic", "structured"])
def test_boogie_gives_the_lowered_program_the_same_verdicts(tmp_path: Path, text: str) -> None:
    def verdict(name: str, content: str) -> str:
        boogie = shutil.which("boogie")
        assert boogie is not None
        path = tmp_path / name
        path.write_text(content)
        run = subprocess.run([boogie, "/nologo", str(path)], capture_output=True, text=True, check=False)
        found = re.search(r"finished with.*", run.stdout)
        assert found is not None, run.stdout
        return found[0]

    assert verdict("original.bpl", text) == verdict("lowered.bpl", print_program(program(text)))


def test_polymorphic_quantifiers_are_listed_in_the_report() -> None:
    assert program(POLYMORPHIC).assumptions
    assert not program(STRUCTURED).assumptions


# --- what calls mean


def test_a_free_call_is_marked_and_a_users_mark_means_nothing() -> None:
    made = program("procedure Q(); procedure P() { free call Q(); call {:\\free} Q(); }")
    marks = [[attribute.name for attribute in call.attributes] for call in only(Call, statements(made))]
    assert marks == [["free"], []]
    assert "free call Q();" in print_program(made)


def test_where_clauses_of_what_a_bodyless_procedure_changes_are_its_ensures() -> None:
    made = program(
        "var g: int where g > 0; procedure Q() returns (x: int where x > g); modifies g; procedure P() { }"
    )
    assert [condition.free for condition in made.procedures["Q"].ensures] == [True, True]


def test_the_where_clause_of_a_variable_is_not_assumed_after_a_call() -> None:
    made = program("procedure Q() returns (x: int) { } procedure P() { var y: int where y > 0; call y := Q(); }")
    assert [type(statement) for statement in statements(made, "P")] == [Assume, Call]


def test_a_call_in_a_code_expression_is_the_callees_body() -> None:
    made = program(
        "var g: int; procedure {:inline 1} Q(x: int) returns (y: int) modifies g; { g := g + x; y := g; }"
        "procedure P() { assert |{ var z: int; A: call z := Q(2); return z == g; }|; }"
    )
    assert only(Assert, statements(made))[0].condition is made.terms.true


def test_type_constructors_may_repeat_parameter_names() -> None:
    program("type Map _ _; type Pair a a; var m: Map int bool; var p: Pair int int;")


def test_deeply_nested_lambdas_are_refused() -> None:
    deep = "(lambda x: int :: " * 500 + "true" + ")" * 500
    with pytest.raises(Unsupported, match="lambdas nested more than"):
        load([Source("deep.bpl", f"procedure main() {{ assert {deep} == {deep}; }}")])
