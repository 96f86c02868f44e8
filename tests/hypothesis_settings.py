"""How many examples Hypothesis tries, and which: the same every time in the fast run, new ones in `make slow`."""

from __future__ import annotations

from hypothesis import HealthCheck, settings


def few(count: int) -> settings:
    """The same programs every time."""
    return settings(max_examples=count, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))


def many(count: int) -> settings:
    return settings(max_examples=count, deadline=None, database=None, suppress_health_check=list(HealthCheck))
