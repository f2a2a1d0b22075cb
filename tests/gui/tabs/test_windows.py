"""Several windows of one program."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from PySide6.QtCore import QPoint
from PySide6.QtTest import QTest

from cadena.core.graph.document import Document, Node, as_value
from cadena.gui.window.window import Window
from tests.gui.frame.test_documents import change, copies, graph, names, save
from tests.gui.mouse import drag_to
from tests.gui.tabs.test_bar import LEFT, NO_KEY, open_three, place, tabs
from tests.gui.user import Answers, User, rest, settle
from tests.waiting import MILLISECONDS


@pytest.fixture
def first(own_user) -> Iterator[User]:
    """A user whose other windows are closed in the end."""
    yield own_user
    for window in own_user.window.windows.all[1:]:
        window.files.questions = Answers()
        window.close()
    rest()


def second(user: User) -> User:
    """The user before the newest window."""
    window = user.window.windows.all[-1]
    assert isinstance(window, Window) and window is not user.window
    answers = window.files.questions = Answers()
    assert QTest.qWaitForWindowActive(window, MILLISECONDS)
    settle()
    return User(window, answers)


def test_a_new_window_has_an_empty_graph_and_edits_of_its_own(first):
    first.do("tab.window")
    other = second(first)
    assert other.session.document.nodes == {} and other.session.live
    other.session.edit(lambda _: graph(5.0), "Make")
    assert set(first.session.document.nodes) != {"theta"} and not first.session.modified


def test_a_document_moves_to_a_window_of_its_own_with_its_history(first, tmp_path):
    open_three(first, tmp_path)
    changed = change(first, 9.0)
    first.do("tab.move")
    other = second(first)
    assert names(first) == ["one", "other"] and names(other) == ["third"]
    assert other.session.document is changed and other.session.modified
    assert other.window.recovery.try_to_write() and len(copies(other)) == 1
    other.press("Ctrl+Z")
    assert not other.session.modified and not first.answers.asked


def test_a_tab_that_is_dragged_out_has_a_window_of_its_own(first, tmp_path):
    open_three(first, tmp_path)
    start = place(first, 1)
    QTest.mousePress(tabs(first), LEFT, NO_KEY, start)
    for by in (5, 40, 120, 200):
        drag_to(tabs(first), start + QPoint(0, by))
    QTest.mouseRelease(tabs(first), LEFT, NO_KEY, start + QPoint(0, 200))
    settle()
    assert names(first) == ["one", "third"] and names(second(first)) == ["other"]


def test_a_file_that_is_open_in_another_window_is_shown_there(first, tmp_path):
    one, other = save(tmp_path, "one", "other")
    first.window.files.open_path(one)
    first.do("tab.window")
    beside = second(first)
    beside.window.files.open_path(other)
    beside.window.files.open_path(one)
    settle()
    assert names(beside) == ["other"] and names(first) == ["one"] and first.window.isActiveWindow()


def test_nodes_are_copied_from_one_window_to_another(first):
    first.session.select(["w0", "a1", "m1"])
    first.press("Ctrl+C")
    first.do("tab.window")
    other = second(first)
    other.press("Ctrl+V")
    assert other.session.document.nodes.keys() == {"w0", "a1", "m1"}


def test_quitting_asks_in_every_window_and_stops_where_one_is_kept(first):
    change(first, 7.0)
    first.do("tab.window")
    other = second(first)
    other.session.edit(lambda _: graph(5.0), "Make")
    other.answers.leave, first.answers.leave = "discard", "cancel"
    other.window.tabs.quit()
    settle()
    assert first.window.isVisible() and first.session.modified
    assert other.answers.asked == ["unsaved"] and first.answers.asked == ["unsaved"]
    assert first.window.windows.all == [first.window]


def test_a_window_that_is_closed_goes(first, qtbot):
    first.do("tab.window")
    other = second(first)
    gone: list[bool] = []
    other.window.destroyed.connect(lambda: gone.append(True))
    other.press("Ctrl+W")  # nothing is in it
    rest()
    assert gone == [True] and first.window.windows.all == [first.window]


def test_a_single_document_is_not_moved(first):
    first.window.tabs.move_to_window()
    assert first.window.windows.all == [first.window]


def test_a_closed_window_watched_its_file_on(first, tmp_path):
    """A thread that happened to collect the garbage then took the watcher away, and the program crashed."""
    first.do("tab.window")
    other = second(first)
    other.window.files.open_path(save(tmp_path, "one")[0])
    disk = other.window.files._disk
    assert disk._watcher is not None
    other.window.close()
    assert disk._watcher is None


def test_an_element_is_shown_by_its_index_while_another_window_is_open(first):
    """The names came from the document that was opened last in any window: w[0] became w_0 in the first one."""
    element = Node("w_0", "getitem", ("w",), attributes={"index": "0"})
    script = {"text": "", "labels": {"w_0": "w[0]"}}
    nodes = {"w": Node("w", "parameter", value=as_value([1.0, 2.0])), "w_0": element}
    first.session.edit(lambda _: Document(nodes, output="w_0", extra={"script": script}), "Make")
    first.do("tab.window")
    second(first).session.edit(lambda _: graph(5.0), "Make")
    first.session.message.emit("w_0 is the output")
    assert first.window.toast.text.whole == "w[0] is the output"
    second(first).session.message.emit("w_0 is the output")
    assert second(first).window.toast.text.whole == "w_0 is the output"
