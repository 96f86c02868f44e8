"""The examples in the documentation are run."""

from __future__ import annotations

import doctest
import re
from pathlib import Path

import pytest

DOCS = Path(__file__).parent.parent / "docs"


@pytest.mark.parametrize("page", ["api.md"])
def test_examples_in_the_documentation_are_true(page: str) -> None:
    failures, examples = doctest.testfile(str(DOCS / page), module_relative=False)
    assert examples > 0
    assert failures == 0


def test_links_between_pages_lead_somewhere() -> None:
    pages = [*DOCS.parent.glob("*.md"), *DOCS.rglob("*.md")]
    links = [(page, link) for page in pages for link in re.findall(r"\]\(([^)#:]+)[)#]", page.read_text("utf-8"))]
    assert [f"{page.name}: {link}" for page, link in links if not (page.parent / link).exists()] == []
