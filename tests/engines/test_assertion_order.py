"""Which assertions are checked, in which order, and what follows from the answers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random

import pytest

from remuda.base.source import synthetic_span
from remuda.engines.assertion_order import AssertionOrder
from remuda.ir.program import Check
from remuda.results.report import Verdict

Causes = Mapping[str, Sequence[tuple[str, ...]]]


def checks(names: str) -> dict[str, Check]:
    return {name: Check(name, "assert", name, synthetic_span("test")) for name in names}


def played(
    names: str,
    causes: Causes,
    strategy: str,
    failing: str = "",
    *,
    stops: bool = False,
    bounded: str = "",
    at_a_time: int | None = None,
) -> tuple[list[str], dict[str, str]]:
    """The rounds, and the verdicts that were derived, if the assertions in `failing` are those that fail."""
    made = checks(names)
    order = AssertionOrder(
        made.values(),
        {made[name]: [tuple(made[each] for each in cause) for cause in sets] for name, sets in causes.items()},
        strategy,
        stops=stops,
        at_a_time=at_a_time,
    )
    derived: dict[str, str] = {}

    def derive() -> None:
        for each in order.derive():
            bound = "" if each.bound is None else f"({each.bound})"
            derived[each.check.identifier] = f"{each.verdict.value}{bound}"

    derive()
    rounds: list[str] = []
    while chosen := order.next_round():
        rounds.append("".join(check.identifier for check in chosen))
        for check in chosen:
            name = check.identifier
            verdict = Verdict.VIOLATED if name in failing else Verdict.PROVED
            order.commit(check, Verdict.BOUNDED if name in bounded else verdict, 3 if name in bounded else None)
        for check in chosen:
            for other in order.refuted_by(check) if check.identifier in failing else ():
                order.commit(other, Verdict.VIOLATED)
                derived[other.identifier] = "violated"
        derive()
    return rounds, derived


CHAIN: Causes = {"b": [("a",)], "c": [("b",), ("a",)]}


def test_the_strongest_are_checked_first() -> None:
    assert played("abcd", CHAIN, "forward") == (["ad"], {"b": "proved", "c": "proved"})
    assert played("abc", CHAIN, "forward", failing="a") == (["a", "b"], {"c": "proved"})
    assert played("abc", CHAIN, "forward", failing="ab") == (["a", "b", "c"], {})


def test_the_weakest_are_checked_first() -> None:
    assert played("abcd", CHAIN, "backward") == (["cd", "b", "a"], {})
    assert played("abcd", CHAIN, "backward", failing="abc") == (["cd"], {"a": "violated", "b": "violated"})


def test_earlier_verdicts_decide_the_direction() -> None:
    causes: Causes = {"b": [("a",)], "d": [("c",)], "e": [("d",)]}
    assert played("abcde", causes, "auto") == (["ac"], {"b": "proved", "d": "proved", "e": "proved"})
    rounds, derived = played("abcde", causes, "auto", failing="abcde")
    assert (rounds, derived) == (["ac", "be"], {"d": "violated"})


def test_one_search_for_all_that_the_first_has_not_decided() -> None:
    causes: Causes = {"b": [("a",)], "c": [("b",)], "d": [("c",)], "f": [("e",)]}
    assert played("abcdef", causes, "auto", failing="a") == (["ae", "bcd"], {"f": "proved"})
    assert played("abcdef", causes, "forward", failing="a") == (["ae", "b"], dict.fromkeys("fcd", "proved"))


def test_implied_by_a_bounded_assertion_is_bounded() -> None:
    assert played("abc", CHAIN, "forward", bounded="a")[1] == {"b": "bounded(3)", "c": "bounded(3)"}


def test_several_together_imply_one() -> None:
    causes: Causes = {"c": [("a", "b")], "d": [()]}
    assert played("abcd", causes, "auto") == (["ab"], {"c": "proved", "d": "proved"})
    assert played("abcd", causes, "auto", failing="b") == (["ab", "c"], {"d": "proved"})


def test_where_executions_end_at_failures_what_is_implied_holds_in_any_case() -> None:
    for failing in ("", "a"):
        assert played("abc", CHAIN, "forward", failing, stops=True) == (["a"], {"b": "proved", "c": "proved"})
        assert played("abc", CHAIN, "backward", failing, stops=True) == (["abc"], {})


def test_those_that_imply_each_other_are_checked_in_the_end() -> None:
    causes: Causes = {"a": [("b",)], "b": [("a",)]}
    assert played("ab", causes, "forward") == (["ab"], {})
    assert played("ab", causes, "forward", at_a_time=1) == (["a"], {"b": "proved"})


@pytest.mark.parametrize("seed", range(200))
def test_every_strategy_has_the_same_verdicts(seed: int) -> None:
    """Whatever the implications, as long as they are true of what fails."""
    random = Random(seed)
    names = "abcdefgh"
    failing = "".join(name for name in names if random.random() < random.choice([0.1, 0.5, 0.9]))
    causes: dict[str, list[tuple[str, ...]]] = {}
    for name in names:
        for _ in range(random.randint(0, 3)):
            cause = tuple(random.sample([each for each in names if each != name], random.randint(0, 2)))
            if name not in failing or any(each in failing for each in cause):
                causes.setdefault(name, []).append(cause)
    for strategy in ("forward", "backward", "auto"):
        at_a_time = random.choice([None, 1, 3])
        rounds, derived = played(names, causes, strategy, failing, at_a_time=at_a_time)
        assert sorted("".join(rounds) + "".join(derived)) == list(names)  # each once
        for name, verdict in derived.items():
            # A failing assertion of several that together imply another is asked, not concluded.
            assert (verdict == "violated") == (name in failing)
