"""The page: self-contained, small, safe against what files hold; and the frame in which a notebook shows it."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from base64 import b64encode
from dataclasses import replace
from hashlib import sha256
from html import unescape
from html.parser import HTMLParser

import numpy as np

import cadena
from cadena.core.capture.captured import Captured
from cadena.core.graph.document import Document, Node
from cadena.core.html_page.page import MAX_NODES, in_notebook, play_page
from cadena.core.teaching.lessons import lessons, open_lesson

HOSTILE = "</script><img src=x onerror=alert(1)>\"'&\u2028"
ADDRESS = re.compile(r"(?:src|href|url|@import|fetch|XMLHttpRequest|WebSocket)\s*[=(]|https?://[^\s\"'<]+")
NAMESPACES = {"http://www.w3.org/2000/svg", "http://www.w3.org/1998/Math/MathML"}


class Elements(HTMLParser):
    """The elements of a page with their attributes, and the texts of its scripts."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))


def embedded(page: str) -> dict:
    return json.loads(re.search(r'<script type="application/json" id="content">(.*?)</script>', page, re.DOTALL)[1])


def hostile() -> Document:
    """A graph whose title, operation and note are markup; names are checked to be identifiers before."""
    document = cadena.parse("w = 3.0\nL = w * 2")
    nodes = {**document.nodes, "bad": Node("bad", HOSTILE, inputs=("w",), extra={"recorded": HOSTILE})}
    return replace(document, nodes=nodes, title=HOSTILE)


def test_lesson_1_takes_less_than_a_megabyte_and_so_does_every_lesson():
    sizes = {lesson.number: len(cadena.page(open_lesson(lesson.name)).encode()) for lesson in lessons()}
    assert sizes[1] < 150_000 and max(sizes.values()) < 1_000_000


def test_a_page_asks_for_nothing_outside():
    page = cadena.page(open_lesson("1"))
    assert set(ADDRESS.findall(page)) <= NAMESPACES
    assert "default-src 'none'" in page


def test_the_policy_allows_the_very_program_and_style_of_the_page():
    page = cadena.page(open_lesson("1"))
    for tag, directive in (("script", "script-src"), ("style", "style-src")):
        text = re.search(rf"<{tag}>(.*?)</{tag}>", page, re.DOTALL)[1]
        assert f"{directive} 'sha256-{b64encode(sha256(text.encode()).digest()).decode()}'" in page


def test_nothing_from_a_file_becomes_markup():
    page = cadena.page(hostile())
    elements = Elements(page).elements
    assert [tag for tag, _ in elements].count("script") == 2 and "img" not in {tag for tag, _ in elements}
    assert not [name for _, attributes in elements for name in attributes if name.startswith("on")]
    data = embedded(page)
    assert data["title"].startswith("</script>") and data["nodes"][-1]["symbol"].startswith("</script>")


def test_a_page_opens_at_a_step_and_in_a_theme():
    timeline = cadena.compile(open_lesson("1")).run().timeline
    page = play_page(timeline, "A <title>", "dark", 12)
    assert 'data-theme="dark"' in page and embedded(page)["start"] == 12 and "<h1>A &lt;title&gt;</h1>" in page


def test_a_notebook_shows_a_document_as_it_shows_a_capture():
    document = cadena.parse("w = 3.0\nL = w**2")
    shown = document._repr_html_()
    assert shown == Captured(document)._repr_html_() == in_notebook(document)
    (frame,) = [attributes for tag, attributes in Elements(shown).elements if tag == "iframe"]
    assert frame["sandbox"] == "allow-scripts" and frame["srcdoc"] == cadena.page(document)
    assert "<svg" in shown.partition("</iframe>")[2]


def test_a_frame_in_a_notebook_holds_hostile_texts_too():
    shown = in_notebook(hostile(), notes=[HOSTILE])
    outside = [tag for tag, _ in Elements(shown).elements]
    assert "script" not in outside and "img" not in outside
    assert unescape(re.search(r'srcdoc="([^"]*)"', shown)[1]) == cadena.page(hostile())


def test_remarks_of_a_capture_stand_below():
    captured = Captured(cadena.parse("w = 3.0\nL = w * 2"), np.array(6.0), notes=("i0: <holds> the recorded value",))
    html = captured._repr_html_()
    assert "<p>i0: &lt;holds&gt; the recorded value</p>" in html and "<holds>" not in html


def test_a_graph_that_is_too_large_is_still_and_says_why():
    nodes = {f"n{index}": Node(f"n{index}", "constant", value=1.0) for index in range(MAX_NODES + 1)}
    sentence = "A page plays graphs of up to 400 nodes and 2000 steps; this has 401 and 0; choose an output"
    assert sentence in cadena.page(Document(nodes)) and sentence in in_notebook(Document(nodes))
    assert "<iframe" not in in_notebook(Document(nodes))


def test_a_page_needs_neither_qt_nor_the_library_that_sets_formulas_for_the_window():
    code = (
        "import sys, cadena; cadena.parse('w = 3.0; L = w**2')._repr_html_(); "
        "sys.exit(any(name.split('.')[0] in ('PySide6', 'ziamath') for name in sys.modules))"
    )
    folder = cadena.__path__[0]
    code = f"import sys; sys.path.insert(0, {folder!r}); {code}"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
