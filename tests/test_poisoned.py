"""A file whose texts hold escape codes, line breaks and marks that reverse letters: nothing of it gets out anywhere.

Each text of a graph that has everything is poisoned in turn, and all at once, and told by every verb, as a table and as
JSON, and by the library.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from copy import deepcopy
from typing import Any
from unicodedata import category

import pytest

import cadena
from cadena import main
from cadena.core.doctor.findings.hints import hints
from cadena.core.doctor.fixes.offers import fixes
from cadena.core.graph import edits
from cadena.core.graph.document import Document, Node
from cadena.core.graph.fault import Fault, Kind, Refused
from cadena.core.methods.reverse.step_text import local_label, step_sentence, step_title
from cadena.core.notation.calls import plain_call
from cadena.core.storage.decoding import decode
from cadena.core.text.plain_text import CONTROLS, aligned, cleaned

POISON = "a\x1b[31m\nforged  row  1\r\tb\x9b2J\x7f\u202ec\u2066d\u200be\u2028f\u2029g\x00"
WRONG = {sign for sign in POISON if category(sign) in CONTROLS}
VERBS = (("run",), ("run", "--json"), ("steps",), ("steps", "--json"), ("check",), ("validate",))


def function(output: str) -> dict[str, Any]:
    nodes = [{"name": "s", "op": "exp", "inputs": ["x"]}, {"name": "t", "op": "multiply", "inputs": ["s", "x"]}]
    back = [{"name": "dx", "op": "multiply", "inputs": ["above", "s"]}]
    gradient = {"inputs": ["x", "s", "above"], "nodes": back, "outputs": ["dx"], "layout": {"dx": [0, 0]}}
    return {"inputs": ["x"], "nodes": nodes, "output": output, "doc": "about it", "gradient": gradient}


GRAPH: dict[str, Any] = {
    "format": "cadena",
    "version": 2,
    "title": "a title",
    "dtype": "float64",
    "output": "y",
    "nodes": [
        {"name": "w", "op": "parameter", "value": [[1.0, 2.0], [3.0, 4.0]], "note": "text"},
        {"name": "k", "op": "input", "value": 2.0, "gradient": True},
        {"name": "e", "op": "einsum", "inputs": ["w", "w"], "attributes": {"subscripts": "ij,jk->ik"}},
        {"name": "c", "op": "astype", "inputs": ["e"], "attributes": {"dtype": "float32"}},
        {"name": "z", "op": "sum", "inputs": ["c"], "attributes": {"axis": [0, 1], "keepdims": False}},
        {"name": "f", "op": "own", "inputs": ["k"]},
        {"name": "g", "op": "other", "inputs": ["k"]},
        {"name": "u", "op": "teleport", "inputs": ["k"], "attributes": {"where": "there"}},
        {"name": "q", "op": "log", "inputs": ["h"]},
        {"name": "h", "op": "negative", "inputs": ["k"]},
        {"name": "p", "op": "add", "inputs": ["z", "f"]},
        {"name": "y", "op": "multiply", "inputs": ["p", "g"]},
    ],
    "layout": {"w": [0, 0]},
    "functions": {"own": function("t"), "other": function("t") | {"gradient": None}},
    "lesson": {"summary": "short", "text": {"idea": "long"}},
}


def places(item: Any, way: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """The way to each text: keys and places, and at the end KEY or VALUE."""
    if isinstance(item, str):
        yield *way, "VALUE"
    elif isinstance(item, dict):
        for key, part in item.items():
            yield *way, key, "KEY"
            yield from places(part, (*way, key))
    elif isinstance(item, list):
        for number, part in enumerate(item):
            yield from places(part, (*way, number))


def poisoned(graph: dict[str, Any], way: tuple[Any, ...], what: str) -> dict[str, Any]:
    """The graph with another text at one place."""
    made = deepcopy(graph)
    inner: Any = made
    *path, last, kind = way
    for step in path:
        inner = inner[step]
    if kind == "VALUE":
        inner[last] = what
    else:
        inner[what] = inner.pop(last)
    return made


PLACES = list(places(GRAPH))


def said(capsys) -> str:
    shown = capsys.readouterr()
    return shown.out + shown.err


def assert_clean(text: str) -> None:
    assert not WRONG & set(text.replace("\n", "")), ascii(text)
    assert not any(line.startswith("forged") for line in text.splitlines())


@pytest.mark.some(60)
@pytest.mark.parametrize("way", PLACES, ids=lambda way: "-".join(map(str, way)))
def test_no_text_of_a_file_reached_the_terminal_raw(way, tmp_path, capsys):
    """The name of an unknown operation printed escape codes and a forged row."""
    path = tmp_path / "poisoned.cadena"
    path.write_text(json.dumps(poisoned(GRAPH, way, POISON)), "utf-8")
    for verb, *options in VERBS:
        assert main.main([verb, str(path), *options]) in (0, 1, 2)
        shown = capsys.readouterr()
        assert_clean(shown.out + shown.err)
        if "--json" in options and shown.out:
            json.loads(shown.out)


def test_a_row_is_a_line_whatever_its_texts(tmp_path, capsys):
    graph = deepcopy(GRAPH)
    for node in graph["nodes"][7:9]:
        node["op"] = POISON
    path = tmp_path / "rows.cadena"
    path.write_text(json.dumps(graph), "utf-8")
    main.main(["run", str(path)])
    lines = capsys.readouterr().out.splitlines()
    assert [line.split()[0] for line in lines[: len(graph["nodes"]) + 1]] == [
        "node",
        *(node["name"] for node in graph["nodes"]),
    ]


def test_json_holds_the_exact_texts_in_escapes(tmp_path, capsys):
    graph = deepcopy(GRAPH)
    graph["nodes"][7]["op"] = POISON
    path = tmp_path / "exact.cadena"
    path.write_text(json.dumps(graph), "utf-8")
    main.main(["run", str(path), "--json"])
    shown = capsys.readouterr().out
    assert_clean(shown)
    assert json.loads(shown)["nodes"]["u"]["op"] == POISON


@pytest.mark.parametrize(
    "options",
    [
        ("--output", POISON),
        ("--wrt", POISON),
        ("--set", f"{POISON}=1"),
        ("--set", f"k={POISON}"),
        ("--seed", POISON),
        ("--mode", "difference", "--along", POISON),
        ("--mode", POISON),
        ("--dtype", POISON),
    ],
    ids=lambda options: options[0],
)
def test_what_is_typed_on_the_command_line_is_quoted_without_its_controls(options, tmp_path, capsys):
    path = tmp_path / "graph.cadena"
    path.write_text(json.dumps(GRAPH), "utf-8")
    for verb in ("run", "steps", "check"):
        assert main.main([verb, str(path), *options]) in (1, 2)
        assert_clean(said(capsys))


@pytest.mark.parametrize("name", [POISON.replace("\0", ""), "x\udc80y"], ids=["controls", "no text"])
def test_the_name_of_a_file_is_quoted_without_its_controls(name, tmp_path, capsys):
    path = tmp_path / name
    for verb in ("run", "steps", "check", "validate", "lessons"):
        assert main.main([verb, str(path)]) == 2
        assert_clean(said(capsys))
    path.write_text(json.dumps(GRAPH), "utf-8")
    for verb in ("run", "validate"):
        main.main([verb, str(path)])
        assert_clean(said(capsys))
    main.main(["run", str(path), "--json"])
    shown = capsys.readouterr().out
    assert_clean(shown)
    assert json.loads(shown)["file"] == str(path)


def told(document: Document) -> Iterator[str]:
    """Every message that the library has for a document."""
    run = cadena.compile(document).run()
    for fault in run.faults:
        yield fault.message
        yield fault.rule
        for fix in fixes(document, run, fault) if fault.rule else ():
            yield from (fix.title, fix.sentence)
    for hint in hints(run, digits=True):
        yield hint.message
    for index, step in enumerate(run.timeline):
        yield step_title(run.timeline, index)
        yield step_sentence(run.timeline, index)
        if step.phase == "reverse" and step.slot is not None:
            yield local_label(run, step.node, step.slot)
    for name in document.nodes:
        yield cleaned(plain_call(document, name))  # with the name of its operation, which is no message


@pytest.mark.parametrize("way", PLACES, ids=lambda way: "-".join(map(str, way)))
def test_no_message_of_the_library_holds_a_files_controls(way):
    data = json.dumps(poisoned(GRAPH, way, POISON)).encode()
    try:
        document = decode(data, where=f"{POISON}.cadena")
    except Refused as refusal:
        messages = [str(refusal)]
    else:
        messages = list(told(document))
    for message in messages:
        assert_clean(message)
        assert len(message.splitlines()) <= 1


@pytest.mark.parametrize(
    "edit",
    [
        lambda document: edits.rename(document, "w", POISON),
        lambda document: edits.rename(document, POISON, "w2"),
        lambda document: edits.add(document, POISON, (0, 0)),
        lambda document: edits.connect(document, POISON, "y", 0),
        lambda document: edits.set_operation(document, "z", POISON),
        lambda document: edits.set_attribute(document, POISON, "axis", 1),
    ],
)
def test_edits_refuse_in_one_line_whatever_was_typed(edit):
    with pytest.raises(Refused) as refusal:
        edit(decode(json.dumps(GRAPH).encode()))
    assert_clean(str(refusal.value))
    assert len(str(refusal.value).splitlines()) == 1


def test_a_fault_is_cleaned_where_its_sentence_is_made():
    assert Fault("x", Kind.SHAPE, "{text}", operands={"text": POISON}, names_node=True).message == cleaned(POISON)
    assert str(Refused(POISON)) == cleaned(POISON) == str(Refused("{text}", text=POISON))


def test_what_is_cleaned_and_what_is_kept():
    assert cleaned("Größe 𝔘 ñ 中 \u00a0 \u202f é ∂ · −") == "Größe 𝔘 ñ 中 \u00a0 \u202f é ∂ · −"
    assert cleaned("a\nb\tc") == "a b c"
    assert cleaned("\x1b[31m\x9b\u202e\ud800") == "�[31m���"
    assert cleaned("a\nb", keep="\n") == "a\nb"
    assert aligned(("a", "b"), [("x\ny", "\x1b")]) == "a    b\nx y  �"


def test_a_long_text_does_not_make_a_table_wide():
    assert max(map(len, aligned(("a", "b"), [("x" * 100_000, "1")]).splitlines())) < 400


def test_a_document_made_in_python_may_name_its_nodes_anyhow():
    document = Document({POISON: Node(POISON, "parameter", value=-1.0), "y": Node("y", "log", inputs=(POISON,))}, "y")
    for fault in cadena.compile(document).run().faults:
        assert_clean(fault.message)
