"""The code panel in the real window: typing, running, faults, lines and nodes, the graph as code."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QMimeData, Qt, QUrl
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel

from cadena.core.graph.document import Document, as_value
from cadena.core.methods.reverse.activity import Activity
from cadena.core.scripts.attached import AttachedScript, script_of, with_script
from cadena.core.storage.files import load
from cadena.core.teaching.lessons import open_lesson
from cadena.gui.canvas.rendering.card import card_of
from cadena.gui.panels.code.script_page import library_of
from cadena.gui.session import graph_edits
from tests.gui.panels.code.pasting import CONTROL, SCRIPT, paste, run
from tests.gui.user import User, calm, settle
from tests.waiting import until


def test_the_panel_takes_the_place_of_the_palette(user, panel):
    user.window.build()
    assert panel.isVisible() and user.window.operations.isHidden()
    user.do("view.palette")
    assert not panel.isVisible() and user.window.operations.isVisible()
    user.do("view.palette")
    assert user.window.operations.isHidden()


def test_an_opened_panel_left_the_keys_to_the_canvas_although_it_was_empty(user, panel):
    editor = panel.script.editor
    user.do("view.code")
    user.do("view.code")
    assert editor.hasFocus()
    QTest.keyClicks(editor, "x = 1")
    user.do("view.code")
    assert not panel.isVisible() and user.window.canvas.hasFocus()
    user.do("view.code")
    assert panel.isVisible() and not editor.hasFocus()  # the script is looked at, and Space plays


@pytest.mark.parametrize(
    ("lesson", "line"), [("1", "L.backward()"), ("19", "variables({0.1, -0.2, 0.3, 0.4, -0.5, 0.6}, 9)")]
)
def test_a_lesson_shows_its_graph_in_the_language_that_it_names(user, panel, lesson, line):
    user.do("view.code")
    user.session.open(open_lesson(lesson), None)
    user.do("view.code")
    assert not panel.shows_script and not panel.script.editor.hasFocus()
    until(lambda: line in panel.listing.text, "the code of the lesson")
    user.session.open(Document({}), None)
    panel.as_script.click()
    assert panel.shows_script


def test_a_script_is_typed_and_run_by_keys(user, panel):
    editor = panel.script.editor
    for line in SCRIPT.splitlines():
        QTest.keyClicks(editor, line)
        if editor.completion.is_open:
            QTest.keyClick(editor, Qt.Key.Key_Escape)
        QTest.keyClick(editor, Qt.Key.Key_Return)
    assert editor.toPlainText() == SCRIPT
    before = user.session.document
    run(panel)
    document = user.session.document
    assert document.output == "L" and float(user.session.run.value("L")) == 9.0
    assert float(user.session.run.gradient("w")) == -3.0
    assert panel.script.output.text.toPlainText() == "tensor(-3.)\n"
    assert panel.script.output.words.text().startswith("ran in")
    user.session.undo()  # the graph, as one step
    assert user.session.document.nodes == before.nodes and panel.script.script.text == SCRIPT
    user.session.undo()
    assert script_of(user.session.document) is None and editor.toPlainText() == ""


def test_a_fault_is_marked_at_its_line_and_leaves_the_graph(user, panel):
    nodes = user.session.document.nodes
    run(panel, SCRIPT.replace("15 - m", "15 - torch.sine(m)"))
    assert user.session.document.nodes is nodes
    said = "torch.sine is not part of the built-in PyTorch (did you mean sin?)"
    line, fault = panel.script.editor.marks.fault
    assert line == 6 and fault.startswith(said) and panel.script.sentence.text == f"Line 6: {fault}"
    QTest.keyClicks(panel.script.editor, " ")
    assert panel.script.editor.marks.fault[0] == 0 and not panel.script.sentence.text


@pytest.mark.some(2)
@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("x = (1", "Line 1: "),
        ("import torch\nprint(1)", "The script computes no gradient"),
        ("open('x')", "Line 1: a script may not open files"),
        ("import numpy\nimport socket", "Line 2: a script cannot import socket"),
        ("import torch\nw = torch.zeros(10**6, 10**6)", "Line 2: it needs more memory than a script gets"),
        ("import torch\nx = torch.ones(2)\ny = x / missing", "Line 3: "),
    ],
)
def test_what_cannot_run_is_said_in_a_sentence(user, panel, text, sentence):
    nodes = user.session.document.nodes
    run(panel, text)
    assert panel.script.sentence.text.startswith(sentence) and user.session.document.nodes is nodes


def test_an_endless_script_is_cancelled_by_its_button(user, panel):
    nodes = user.session.document.nodes
    paste(panel, "print('begun')\nwhile True:\n    pass\n")
    QTest.mouseClick(panel.act, Qt.MouseButton.LeftButton)
    until(lambda: "begun" in panel.script.output.text.toPlainText(), "nothing is printed", settle)
    assert panel.act.text() == "Cancel" and panel.script.output.words.text().startswith("running")
    QTest.mouseClick(panel.act, Qt.MouseButton.LeftButton)
    settle()
    assert not panel.script.run.running and panel.act.text().startswith("Run")
    assert panel.script.output.words.text().startswith("cancelled") and user.session.document.nodes is nodes


def test_a_script_from_a_file_asks_once_before_it_runs(user, panel, tmp_path):
    path = tmp_path / "chain.py"
    path.write_text(SCRIPT)
    user.answers.path = path
    user.window.menus.run("file.import")
    page = panel.script
    assert page.editor.toPlainText() == SCRIPT and "chain.py" in panel.name.text() and "PyTorch" in panel.name.text()
    QTest.keyClick(page.editor, Qt.Key.Key_Return, CONTROL)
    settle()
    assert page.question.isVisible() and not page.run.running
    QTest.mouseClick(page.question.yes, Qt.MouseButton.LeftButton)
    until(lambda: not page.run.running, "the script runs on", settle)
    assert user.session.document.output == "L" and user.session.document.title == "chain"
    run(panel)
    assert page.question.isHidden() and page.output.words.text().startswith("ran in")


def test_a_script_that_comes_with_a_graph_is_not_run_by_opening_it(user, panel):
    user.session.open(with_script(Document({}), AttachedScript(SCRIPT)), None)
    settle()
    assert panel.script.editor.toPlainText() == SCRIPT and not panel.script.run.running
    QTest.keyClick(panel.script.editor, Qt.Key.Key_Return, CONTROL)
    settle()
    question = panel.script.question
    assert question.isVisible() and not panel.script.run.running
    QTest.mouseClick(question.no, Qt.MouseButton.LeftButton)
    assert question.isHidden() and not panel.script.run.running and user.session.document.nodes == {}
    QTest.mouseClick(panel.act, Qt.MouseButton.LeftButton)
    assert question.isVisible() and not panel.script.run.running


def test_a_dropped_script_opens_in_the_panel(user, tmp_path):
    path = tmp_path / "dropped.py"
    path.write_text(SCRIPT)
    user.drop_file(user.window, path)
    settle()
    assert user.window.panels["code"].isVisible() and script_of(user.session.document).name == "dropped.py"


def test_a_file_dropped_on_the_editor_is_not_pasted_as_its_name(user, panel, tmp_path):
    mime = QMimeData()
    mime.setUrls([QUrl.fromLocalFile(str(tmp_path / "dropped.py"))])
    assert not panel.script.editor.canInsertFromMimeData(mime)


def test_a_file_that_is_no_text_is_refused(user, tmp_path):
    path = tmp_path / "odd.py"
    path.write_bytes(b"\xff\xfe\x00")
    assert not user.window.files.open_path(path)
    assert "no text in UTF-8" in user.window.banner.text.text() and script_of(user.session.document) is None


def test_a_line_selects_its_nodes_and_a_node_marks_its_line(user, panel):
    run(panel, SCRIPT)
    panel.script.editor.setFocus()
    panel.script.editor.go_to(5)
    settle()
    assert user.session.selection == {"m"} and "m" in panel.script.line_words.text()
    user.session.select(["L"])
    assert panel.script.editor.marks.chosen == {6}


def test_the_line_of_the_step_is_marked_while_steps_are_shown(user, panel):
    run(panel, SCRIPT)
    user.session.set_time(0.5)
    assert panel.script.editor.marks.now == (5, "value")
    user.session.set_time(float(len(user.session.timeline)))
    assert panel.script.editor.marks.now == (5, "gradient")
    user.session.show_live()
    assert panel.script.editor.marks.now[0] == 0


def test_another_backward_pass_is_chosen(user, panel):
    steps = "\nfor _ in range(3):\n    L = w * w\n    L.backward()\n    w.data -= 0.1\n"
    run(panel, "import torch\nw = torch.tensor(1., requires_grad=True)" + steps)
    passes = panel.script.output.passes
    assert passes.isVisible() and passes.count() == 3 and passes.currentText().startswith("pass 3")
    value = float(user.session.run.value("w"))
    passes.chosen.emit(passes.itemData(0))
    until(lambda: not panel.script.run.running, "the script runs on", settle)
    settle()  # the graph is run in the next turn of the event loop
    assert float(user.session.run.value("w")) == 1.0 != value and passes.currentText().startswith("pass 1")


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("import torch.nn as nn", "PyTorch"),
        ("import numpy as np\nimport tensorflow as tf", "TensorFlow"),
        ("from jax import grad", "JAX"),
        ("import numpy as np", "numpy"),
        ("x = 1", ""),
        ("import", ""),
    ],
)
def test_the_library_is_told_by_the_imports(text, name):
    assert library_of(text) == name


def test_the_scripts_keys_do_not_reach_the_window(user: User, panel):
    run(panel, SCRIPT)
    size, camera = panel.script.editor.font().pixelSize(), user.canvas.camera
    QTest.keyClick(panel.script.editor, Qt.Key.Key_Plus, CONTROL)
    assert panel.script.editor.font().pixelSize() > size and user.canvas.camera == camera
    QTest.keyClick(panel.script.editor, Qt.Key.Key_0, CONTROL)
    QTest.keyClick(panel.script.editor, Qt.Key.Key_F, CONTROL)
    assert panel.script.find_row.isVisible()
    QTest.keyClick(panel.script.find_row.field, Qt.Key.Key_Escape)
    QTest.keyClick(panel.script.editor, Qt.Key.Key_Escape)
    assert user.canvas.hasFocus()


def test_what_was_typed_last_is_saved(user, panel, tmp_path):
    """Ctrl+S within half a second after the last letter wrote the script without it."""
    user.answers.path = path = tmp_path / "typed.cadena"
    QTest.keyClicks(panel.script.editor, "x = 12")
    user.press("Ctrl+S")
    assert script_of(load(path)).text == "x = 12" and not user.session.modified


def test_a_script_is_not_lost_with_the_graph(user, panel):
    QTest.keyClicks(panel.script.editor, "x = 12")
    user.window.menus.run("file.new")
    assert panel.script.editor.toPlainText() == ""
    user.press("Ctrl+Tab")
    assert panel.script.editor.toPlainText() == "x = 12" and user.session.modified


def test_the_graph_keeps_its_room_in_a_small_window(user, panel):
    user.window.resize(1280, 720)
    settle()
    run(panel, SCRIPT)
    assert user.canvas.width() >= 500 and user.canvas.height() >= 300
    assert panel.act.isVisible() and panel.act.visibleRegion().boundingRect().width() == panel.act.width()


def test_an_element_is_shown_by_its_index(user, panel):
    run(panel, "import torch\nw = torch.tensor([2., 5.], requires_grad=True)\nL = w[0] * w[1]\nL.backward()\n")
    scene = user.canvas.scene
    titles = {name: card_of(scene, name, Activity(), frozenset()).title for name in user.session.document.nodes}
    assert titles == {"w": "w", "w_0": "w[0]", "w_1": "w[1]", "L": "L"}
    panel.script.editor.setFocus()
    panel.script.editor.go_to(3)
    assert panel.script.line_words.whole == "line 3 made w[0], w[1] and L"


def test_an_element_is_read_by_its_index_everywhere(user, panel):
    """The step band, the inspector, lists and messages wrote w_0."""
    run(panel, "import torch\nw = torch.tensor([2., 5.], requires_grad=True)\nL = w[0].log() * w[1]\nL.backward()\n")
    window, session, read = user.window, user.session, list[str]()

    def look() -> None:
        settle()
        read.extend(label.text() for label in window.findChildren(QLabel))

    session.select(["w_0"])
    until(lambda: window.inspector.node.field.text() == "w[0]", "the inspector shows another name", settle)
    look()
    session.set_time(0.5)
    calm(window.step_band)
    look()
    title = "w[0] is the part [0] of w, line 3."
    assert window.step_band.title.text() == title
    session.edit(*graph_edits.set_value("w", as_value([0.0, 5.0])))
    user.do("view.problems")
    look()
    assert session.faults and all(name in " ".join(read) for name in ("w[0]", "w[1]"))
    assert not [text for text in read if "w_0" in text or "w_1" in text]


def test_the_inspector_gives_way_in_a_narrow_window(user):
    """The graph kept two fifths of the width, and its cards were blocks without names."""
    user.window.resize(1280, 720)
    settle()
    user.do("view.code")
    assert user.window.inspector.isHidden()
    assert user.canvas.width() > user.window.width() / 2
    user.do("view.inspector")
    assert user.window.inspector.isVisible() and user.window.panels["code"].isHidden()
    user.do("view.code")
    assert user.window.inspector.isHidden()
    user.do("view.code")
    assert user.window.inspector.isVisible(), "it comes back when the code panel is closed"
    user.window.resize(1600, 900)
    settle()
    user.do("view.code")
    assert user.window.inspector.isVisible()


def test_the_chooser_of_passes_is_read_whole(user, panel):
    """It was elided to "pass 20 …line 19"."""
    loop = "for step in range(20):\n    L = (w - 1) ** 2\n    L.backward()\n"
    run(panel, f"import torch\nw = torch.tensor(2., requires_grad=True)\n{loop}")
    user.window.resize(1280, 720)
    settle()
    assert panel.script.output.passes.shown.currentText == "pass 20 of 20, line 5"


def test_the_inspector_gives_way_where_the_type_grows(user, panel):
    user.window.resize(1600, 900)
    settle()
    assert user.window.inspector.isVisible()
    user.window.choose_theme("projector")
    settle()
    assert user.window.inspector.isHidden() and user.canvas.width() > user.window.width() / 2
    user.do("view.inspector")
    user.do("view.problems")
    assert user.window.inspector.isVisible(), "what is opened by hand stays"
    user.window.choose_theme("light")
    settle()
    assert user.window.inspector.isVisible() and panel.isVisible()


def test_steps_left_the_graph_less_than_half_of_a_low_window_in_the_projectors_type(user, panel):
    user.do("view.code")
    user.window.choose_theme("projector")
    user.window.resize(1280, 720)
    settle()
    assert user.canvas.height() > user.window.band.height()  # with the transport in it
