"""A copy holds the work and where it belongs, apart from each other."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

import cadena
from cadena.core.graph.document import Document, Node
from cadena.core.graph.fault import Refused, TooNew
from cadena.core.graph.subgraphs import OUTPUTS
from cadena.gui.files.recovery.copies import EnteredCall, UnsavedWork, read
from tests.gui.files.recovery.conftest import graph, leave


@pytest.mark.parametrize(
    "kept",
    [
        UnsavedWork((graph(),)),
        UnsavedWork((graph(title="a\nb\r\u2028"),), path=Path("/home/ann/x.cadena"), seen="12ab"),
        UnsavedWork((graph(), graph(3.0), graph(4.0)), (EnteredCall("c"), EnteredCall("d", ("w0", None)))),
        UnsavedWork((graph(),), path=Path(os.fsdecode(b"/tmp/\xff.cadena"))),  # a name that is no text
    ],
)
def test_what_is_kept_is_read_again(folder, kept):
    found = read(leave(folder, kept))
    shown = kept.documents[-1]
    if kept.steps:  # a custom gradient knows its outputs
        shown = Document(shown.nodes, layout=shown.layout, extra={OUTPUTS: ("w0", None)})
    assert found == UnsavedWork((*kept.documents[:-1], shown), kept.steps, kept.path, kept.seen)


def test_a_key_of_the_users_document_decided_where_it_was_saved(folder, tmp_path):
    """It is an unknown key like any other, and comes back unharmed."""
    extra = {"recovered-from": str(tmp_path / "victim.cadena"), "path": "/etc/passwd", "recovery": 7}
    found = read(leave(folder, UnsavedWork((Document({}, extra=extra),))))
    assert found.path is None and found.documents[0].extra == extra


def test_a_copy_of_the_first_version_is_opened_as_work_that_was_never_saved(folder, tmp_path):
    folder.mkdir()
    named = Document(graph().nodes, extra={"recovered-from": str(tmp_path / "victim.cadena"), "notes": "mine"})
    cadena.save(named, folder / "old.cadena")
    found = read(folder / "old.cadena")
    assert found.path is None and found.documents[0].nodes == graph().nodes
    assert found.documents[0].extra == {"notes": "mine"} and found.documents[0].layout.keys() == {"w0"}


@pytest.mark.parametrize(
    "spoil",
    [
        lambda data: b"",
        lambda data: b"\xff\xfe",
        lambda data: data[: len(data) // 2],
        lambda data: data[:-1],
        lambda data: data.split(b"\n")[0] + b"\n",
        lambda data: data + b"{}\n",
        lambda data: data.replace(b'"steps": []', b'"steps": [{"call": 1}]'),
        lambda data: data.replace(b'"path": null', b'"path": 7'),
        lambda data: data.replace(b'"recovery": 1', b'"recovery": "1"'),
        lambda data: b"[" * 100_000,
        lambda data: data.replace(b'"parameter"', b"7"),
    ],
)
def test_a_damaged_copy_is_refused(folder, spoil):
    path = leave(folder, UnsavedWork((graph(),)))
    data = path.read_bytes()
    assert spoil(data) != data
    path.write_bytes(spoil(data))
    with pytest.raises(Refused):
        read(path)


@pytest.mark.parametrize("change", [(b'"recovery": 1', b'"recovery": 2'), (b'"version": 2', b'"version": 99')])
def test_a_copy_of_a_newer_program_is_not_taken_for_damaged(folder, change):
    path = leave(folder, UnsavedWork((graph(),)))
    assert change[0] in path.read_bytes()
    path.write_bytes(path.read_bytes().replace(*change))
    with pytest.raises(TooNew, match="update Cadena"):
        read(path)


def test_a_path_that_depends_on_the_current_folder_is_none(folder):
    path = leave(folder, UnsavedWork((graph(),)))
    head, rest = path.read_bytes().split(b"\n", 1)
    path.write_bytes(json.dumps({**json.loads(head), "path": "x.cadena"}).encode() + b"\n" + rest)
    assert read(path).path is None


def test_a_graph_is_called_as_its_file_or_by_its_title():
    assert UnsavedWork((graph(title="chain"),), path=Path("/x/lesson.cadena")).name == "lesson"
    assert UnsavedWork((graph(title="chain"),)).name == "chain" and UnsavedWork((graph(),)).name == "w0"


def test_nodes_without_a_place_get_one(folder):
    document = Document({name: Node(name, "input", value=1.0) for name in "ab"})
    assert read(leave(folder, UnsavedWork((document,)))).documents[0].layout.keys() == {"a", "b"}
