"""Options that a program makes are checked like those of the command line."""

from __future__ import annotations

from typing import Any, Final

import pytest

import remuda
from remuda.base.errors import UsageError
from remuda.option_values import FIELDS, READER_OF, checked
from remuda.options import Options

PROGRAM: Final = "procedure main(x: int) { assert x > 0; }"


def test_every_option_has_a_reader() -> None:
    assert READER_OF.keys() == FIELDS.keys()


def test_right_options_stay_as_they_are() -> None:
    options = Options(bound=3, timeout=1.5, entry=("main",), bound_for=(("main", 0),), stop_at_first=True)
    assert checked(options) == options
    assert checked(Options()) == Options()


@pytest.mark.parametrize(
    ("given", "meant"),
    [
        ({"entry": "main"}, {"entry": ("main",)}),
        ({"bound_for": {"main": 2}}, {"bound_for": (("main", 2),)}),
        ({"timeout": 3}, {"timeout": 3.0}),
        ({"timeout": 10**400}, {"timeout": 1e9}),
        ({"challenge": 0}, {"challenge": 0.0}),
    ],
)
def test_values_are_brought_into_their_form(given: dict[str, Any], meant: dict[str, Any]) -> None:
    assert checked(Options(**given)) == Options(**meant)


@pytest.mark.parametrize(
    ("given", "complaint"),
    [
        ({"engine": "fast"}, "`engine` must be one of"),
        ({"property": "termination"}, "`property` must be one of"),
        ({"bound": 0}, "`bound` must be a number of 1 or more, not 0"),
        ({"bound": None}, "`bound` must be a number of 1 or more, not None"),
        ({"timeout": -1}, "`timeout` must be a number above 0, not -1"),
        ({"timeout": float("nan")}, "`timeout` must be a number above 0, not nan"),
        ({"challenge": -1}, "`challenge` must be a number of 0 or more, not -1"),
        ({"challenge": False}, "`challenge` must be a number of 0 or more, not False"),
        ({"memory": 0}, "`memory` must be a number of 1 or more, not 0"),
        ({"bound_for": (("main", -1),)}, "`bound_for` must be a table of NAME = N"),
        ({"unroll": "yes"}, "`unroll` must be true or false, not 'yes'"),
    ],
)
def test_wrong_options_are_refused(given: dict[str, Any], complaint: str) -> None:
    with pytest.raises(UsageError, match=complaint):
        remuda.verify(PROGRAM, Options(**given))
