"""The page of implications: its content, and the escaping of texts of programs."""

from __future__ import annotations

import json
from html.parser import HTMLParser
from typing import Any, Final

from remuda.results.implication_page import boxes, implication_page
from remuda.results.implications import ImplicationGraph, Node
from remuda.results.report import Location

NASTY: Final = "s == \"</script><script>alert('&amp;')</script>\" && x<y || a>b <!-- \u2028"
ALONE_WITHOUT_CLOSING: Final = frozenset({"meta", "input", "link", "br"})


def graph_of(*texts: str, edges: tuple[tuple[int, int], ...] = (), file: str = "a.c") -> ImplicationGraph:
    nodes = [
        Node(f"a.c:main:assert:{number}", "main" if number < 3 else "f<&>", text, Location(file, number + 1, 3))
        for number, text in enumerate(texts)
    ]
    return ImplicationGraph(file, tuple(nodes), edges, notes=("a <note>",))


class Reader(HTMLParser):
    """The elements with their attributes, the scripts by identifier, and the text outside of them."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.scripts: dict[str, str] = {}
        self.text = ""
        self._open: list[tuple[str, str]] = []
        self.feed(page)
        self.close()
        assert self._open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))
        if tag not in ALONE_WITHOUT_CLOSING:
            self._open.append((tag, dict(attrs).get("id") or ""))

    def handle_endtag(self, tag: str) -> None:
        assert self._open.pop()[0] == tag

    def handle_data(self, data: str) -> None:
        tag, identifier = self._open[-1] if self._open else ("", "")
        if tag == "script":
            self.scripts[identifier] = self.scripts.get(identifier, "") + data
        else:
            self.text += data

    def document(self, identifier: str) -> Any:  # noqa: ANN401 - JSON
        return json.loads(self.scripts[identifier])


def test_the_page_holds_the_graph() -> None:
    graph = graph_of("x > 1", "x > 0", NASTY, "y", edges=((0, 1), (1, 2), (0, 2)))
    page = Reader(implication_page(graph))
    assert page.document("graph") == graph.as_json()
    assert page.document("boxes") == json.loads(json.dumps(boxes(graph)))
    assert list(page.scripts) == ["graph", "boxes", ""]


def test_texts_are_escaped_everywhere() -> None:
    graph = graph_of(NASTY, NASTY, NASTY, NASTY, edges=((0, 1), (2, 3), (3, 2)), file="<b>&.c")
    text = implication_page(graph)
    page = Reader(text)
    assert "alert('&amp;')" in page.text  # as text
    assert "<script>alert" not in text
    assert "a <note>" in page.text
    assert "f<&>" in page.text
    assert "<b>&.c" in page.text
    assert "b" not in {tag for tag, _ in page.elements}
    assert page.document("graph")["assertions"][0]["description"] == NASTY
    assert "<!--" not in page.scripts["graph"] + page.scripts["boxes"]


def test_nothing_is_loaded_from_elsewhere() -> None:
    text = implication_page(graph_of("x > 1", "x > 0", edges=((0, 1),)))
    page = Reader(text)
    assert {tag for tag, _ in page.elements}.isdisjoint({"link", "img", "iframe", "object", "base"})
    assert all("src" not in attributes for _, attributes in page.elements)
    links = [attributes["href"] for _, attributes in page.elements if "href" in attributes]
    assert links
    assert all(link and link.startswith("#a") for link in links)
    assert "@import" not in text
    assert "url(" not in text
    assert "default-src 'none'" in text


def test_the_list_is_complete_without_a_script() -> None:
    graph = graph_of("x > 2", "x > 1", "x > 0", "2 < x", edges=((0, 1), (1, 2), (0, 2), (0, 3), (3, 0), (3, 1)))
    page = Reader(implication_page(graph))
    buttons = [
        attributes["data-number"]
        for tag, attributes in page.elements
        if tag == "button" and "data-number" in attributes
    ]
    assert sorted(str(number) for number in buttons) == ["0", "1", "2", "3"]
    words = " ".join(page.text.split())
    assert "x > 2 a.c:1:3 ▲ strongest ≡ equivalent" in words
    assert "equivalent to 2 < x (a.c:4:3)implies x > 1 (a.c:2:3)" in words
    assert words.count("implies x > 0") == 1  # by x > 1, and so by all others
    assert "noscript" in {tag for tag, _ in page.elements}


def test_equivalent_assertions_are_one_box() -> None:
    graph = graph_of("x > 1", "1 < x", "x > 0", "y", edges=((0, 1), (1, 0), (1, 2), (0, 2)))
    drawn = boxes(graph)
    assert [each["members"] for each in drawn["boxes"]] == [[0, 1], [2], [3]]
    assert [each["alone"] for each in drawn["boxes"]] == [False, False, True]
    assert drawn["boxes"][0]["lines"] == ["x > 1  :1", "1 < x  :2", "2 equivalent"]
    assert drawn["edges"] == [[0, 1, []]]
    assert drawn["boxes"][0]["y"] < drawn["boxes"][1]["y"] < drawn["boxes"][2]["y"]


def test_long_texts_and_large_groups_are_cut_in_boxes() -> None:
    texts = ["x" * 500, *(f"y {number}" for number in range(20))]
    ring = tuple((number, number % 20 + 1) for number in range(1, 21))
    drawn = boxes(graph_of(*texts, edges=ring))
    group, single = drawn["boxes"]
    assert len(single["lines"][0]) < 50
    assert group["lines"][-1] == "20 equivalent, 15 more"


def test_an_empty_graph_and_all_edges_from_the_start() -> None:
    assert Reader(implication_page(graph_of())).document("boxes") == {"boxes": [], "edges": []}
    page = Reader(implication_page(graph_of("x"), all_edges=True))
    ((_, attributes),) = [each for each in page.elements if each[1].get("id") == "all-edges"]
    assert "checked" in attributes
