"""The script in a document: kept in the file, moved with its text, replaced by a run."""

from __future__ import annotations

from dataclasses import replace

import pytest

from cadena.core.graph.document import Document, Node
from cadena.core.scripts.attached import AttachedScript, script_of, with_graph, with_script
from cadena.core.scripts.running import ScriptResult
from cadena.core.storage.decoding import decode
from cadena.core.storage.encoding import encode

SCRIPT = AttachedScript(
    "import torch\nx = 1\ny = 2\n", "two.py", True, {"x": 2, "y": 3}, {"y": "x[0]"}, ((2, "a loop"),), (3,), 0
)


def graph(*names: str, **fields) -> Document:
    return Document({name: Node(name, "parameter", value=1.0) for name in names}, output=names[0], **fields)


def test_a_script_comes_back_from_the_file():
    document = with_script(graph("x", "y"), SCRIPT)
    assert script_of(decode(encode(document))) == SCRIPT


def test_a_document_without_a_script_has_none():
    assert script_of(graph("x")) is None
    assert "script" not in with_script(with_script(graph("x"), SCRIPT), None).extra


@pytest.mark.parametrize(
    "kept", [1, "import torch", {}, {"text": 3}, {"text": "x", "lines": [1]}, {"text": "x", "lines": {"x": "1"}}]
)
def test_a_file_may_hold_anything_under_its_key(kept):
    assert script_of(graph("x", extra={"script": kept})) is None


def test_other_unknown_keys_of_the_file_stay():
    document = with_script(graph("x", extra={"other": [1]}), SCRIPT)
    assert with_script(document, None).extra == {"other": [1]}


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        ("# new\nimport torch\nx = 1\ny = 2\n", {"x": 3, "y": 4}),
        ("import torch\nx = 1\n\n\ny = 2\n", {"x": 2, "y": 5}),
        ("import torch\nx = 5\ny = 2\n", {"x": 2, "y": 3}),
        ("import torch\ny = 2\n", {"y": 2}),
        ("import torch\nx = 1\ny = 2\nz = 3\n", {"x": 2, "y": 3}),
        ("", {}),
    ],
)
def test_lines_stay_with_what_stands_on_them(text, lines):
    assert SCRIPT.with_text(text).lines == lines


def test_an_edited_text_is_not_what_made_the_graph():
    assert SCRIPT.with_text(SCRIPT.text) is SCRIPT
    assert not SCRIPT.with_text("x = 1").is_current


def test_a_run_keeps_the_places_of_cards_whose_names_stay():
    document = replace(graph("x", "y", title="mine"), layout={"x": (3.0, 4.0), "y": (5.0, 6.0)})
    result = ScriptResult(document=graph("y", "x"), lines={"x": 2, "y": 3}, passes=(3, 3))
    made = with_graph(with_script(document, SCRIPT), AttachedScript(SCRIPT.text), result)
    script = script_of(made)
    assert made.layout == document.layout and made.title == "mine" and made.output == "y"
    assert script is not None and script.is_current and script.lines == {"x": 2, "y": 3} and script.chosen == 1


def test_a_run_arranges_another_graph():
    result = ScriptResult(document=graph("z"), lines={"z": 1}, passes=(1,))
    made = with_graph(graph("x", title="Lesson 1"), AttachedScript("z", "z.py"), result)
    assert set(made.layout) == {"z"} and made.title == "z"
