"""Globals that procedures change and use, through calls and recursion."""

from __future__ import annotations

from remuda.analysis.modifies import modified_globals, used_globals
from remuda.ir.program import Assign, Condition, Havoc
from remuda.terms.store import Terms
from tests.ir.builders import SPAN, assumption, call, global_, local, procedure, program, straight

TERMS = Terms()
X, Y, Z, W = (global_(name) for name in "xyzw")
ONE = TERMS.integer(1)


def positive(*variables: object) -> Condition:
    terms = [TERMS.lt(ONE, TERMS.var(variable)) for variable in (X, Y, Z, W) if variable in variables]
    return Condition(TERMS.and_(terms), SPAN, None)


def test_assigned_havoced_and_received_globals() -> None:
    output = local("r")
    found = modified_globals(
        program(
            straight("P", Assign((Y,), (ONE,), SPAN), Havoc((X,), SPAN), call("Q", (), (Z,))),
            procedure("Q", outputs=(output,)),
            globals=(X, Y, Z, W),
        )
    )
    assert found == {"P": (X, Y, Z), "Q": ()}


def test_declarations_count_without_a_body_only() -> None:
    found = modified_globals(
        program(straight("P", call("Q"), modifies=(X,)), procedure("Q", modifies=(Y,)), globals=(X, Y))
    )
    assert found == {"P": (Y,), "Q": (Y,)}


def test_recursion_shares_one_set() -> None:
    found = modified_globals(
        program(
            straight("A", call("B"), Assign((X,), (ONE,), SPAN)),
            straight("B", call("A"), call("C")),
            straight("C", Assign((Y,), (ONE,), SPAN)),
            globals=(X, Y),
        )
    )
    assert found == {"A": (X, Y), "B": (X, Y), "C": (Y,)}


def test_used_globals_include_what_callees_promise() -> None:
    old = Condition(TERMS.lt(TERMS.old(TERMS.var(Y)), ONE), SPAN, None)
    found = used_globals(
        program(
            straight("P", assumption(TERMS.lt(TERMS.var(X), ONE)), call("Q"), requires=(positive(W),)),
            procedure("Q", ensures=(old,), modifies=(Z,)),
            globals=(X, Y, Z, W),
        )
    )
    assert found == {"P": (X, Y, Z, W), "Q": (Y, Z)}
