"""Files that are dropped on the window, good ones and bad ones, with real drop events."""

from __future__ import annotations

from pathlib import Path

import pytest

import cadena
from cadena.core.graph import edits
from cadena.core.graph.document import Document
from tests.gui.user import User, settle

CADENA = b'{"format": "cadena", "version": 1, "nodes": ['
BAD = {  # each with words of what is said of it
    "empty.cadena": (b"", "the file is empty; restore a copy of it"),
    "half.cadena": (CADENA, "; "),
    "picture.png": (b"\x89PNG\r\n\x1a\n\x00", "this is not UTF-8 text; choose a .cadena file"),
    "table.csv": (b"x,y\n1,2\n", "this is not a Cadena file"),
    "model.onnx": (b"\x08\x07", "onnx"),
    "odd.py": (b"\xff\xfe\x00", "no text in UTF-8"),
    "gone.cadena": (None, "there is no such file or folder; check the name"),
}


def graph(folder: Path, name: str) -> Path:
    path = folder / f"{name}.cadena"
    cadena.save(edits.add(Document({}), "parameter", (0.0, 0.0), name, 0.5), path)
    return path


def told(user: User) -> str:
    banner = user.window.banner
    return banner.text.text() if banner.isVisible() else ""


@pytest.mark.parametrize("name", BAD)
def test_a_bad_file_is_answered_above_the_canvas_and_changes_nothing(user, tmp_path, name):
    """A toast said it, in a corner, and was gone before it was read."""
    content, words = BAD[name]
    if content is not None:
        (tmp_path / name).write_bytes(content)
    before, tabs = user.session.document, len(user.window.documents)
    user.drop_file(user.canvas, tmp_path / name)
    assert told(user).startswith(f"{name} was not opened: ") and words in told(user)
    assert user.session.document is before and len(user.window.documents) == tabs
    assert not user.window.toast.isVisible() and not user.session.modified
    whole, banner = user.window.centralWidget(), user.window.banner
    assert banner.mapTo(whole, banner.rect().bottomLeft()).y() <= user.canvas.mapTo(whole, user.canvas.pos()).y()


def test_a_bad_file_says_the_same_wherever_it_comes_from(user, tmp_path):
    bad = tmp_path / "table.csv"
    bad.write_bytes(BAD["table.csv"][0])
    said = set()

    def by_menu() -> None:
        user.answers.path = bad
        user.press("Ctrl+O")

    ways = (
        lambda: user.drop_file(user.canvas, bad), lambda: user.drop_file(user.window, bad), by_menu,
        lambda: user.window.files.open_path(bad),  # as the command line does
        lambda: (user.window.settings.remember_file(bad), user.window.files.open_recent(bad)),
    )  # fmt: skip
    for way in ways:
        user.window.banner.withdraw_all()
        way()
        settle()
        said.add(told(user))
    assert len(said) == 1 and told(user).startswith("table.csv was not opened: this is not a Cadena file")


def test_the_banner_leads_to_another_file_and_goes_with_it(user, tmp_path):
    user.drop_file(user.canvas, tmp_path / "gone.cadena")
    assert [button.text().replace("&", "") for button in user.window.banner.buttons] == ["Open another…", "Close"]
    user.answers.path = graph(tmp_path, "theta")
    user.window.banner.buttons[0].click()
    settle()
    assert set(user.session.document.nodes) == {"theta"} and not told(user)


def test_of_several_dropped_files_the_good_ones_open_and_the_bad_ones_are_named(own_user, tmp_path):
    bad = tmp_path / "table.csv"
    bad.write_bytes(BAD["table.csv"][0])
    own_user.drop_file(own_user.canvas, graph(tmp_path, "first"), bad, graph(tmp_path, "second"))
    settle()
    names = {label.name for label in own_user.window.documents.labels}
    assert {"first", "second"} <= names and told(own_user).startswith("table.csv was not opened")


def test_a_dropped_script_stands_beside_the_graph_to_be_run(user, tmp_path):
    path = tmp_path / "model.py"
    path.write_text("x = 1.0\n")
    user.drop_file(user.canvas, path)
    assert user.window.panels["code"].isVisible() and not told(user)


def test_a_recent_file_that_is_gone_is_answered_above_the_canvas(user, tmp_path):
    path = graph(tmp_path, "theta")
    user.window.settings.remember_file(path)
    path.unlink()
    user.window.files.open_recent(path)
    assert told(user) == f"theta.cadena is no longer in {tmp_path}; it was removed from the list."
