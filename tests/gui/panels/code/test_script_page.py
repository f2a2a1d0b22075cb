"""A script and its graph, which follow each other's edits in the real window."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QTextCursor
from PySide6.QtTest import QTest
from pytestqt.exceptions import capture_exceptions

from cadena.core.capture import pythons, script_process
from cadena.core.capture.pythons import Python, own_python
from cadena.core.expressions.reading import parse
from cadena.core.graph.document import Document, as_array
from cadena.core.notation.in_script import line_of
from cadena.core.scripts import confinement, running
from cadena.core.scripts.attached import AttachedScript, with_script
from cadena.core.teaching.lessons import open_lesson
from cadena.gui.look.theme import LIGHT
from cadena.gui.panels.code.script_page import ScriptPage
from tests.gui.panels.code.pasting import CONTROL, SCRIPT, paste, run
from tests.gui.user import settle
from tests.waiting import until


def test_a_number_changed_on_a_card_changes_in_the_code_and_back(user, panel):
    run(panel, SCRIPT)
    user.set_value("w", "2.5")
    editor = panel.script.editor
    assert "w = torch.tensor(2.5, requires_grad=True)" in editor.toPlainText()
    editor.setFocus()
    editor.go_to(3)
    editor.find("2.5")
    QTest.keyClicks(editor, "4.")
    panel.script.commit()
    assert user.session.document.nodes["w"].value == 4.0 and panel.script.script.is_current
    user.session.undo()
    assert "2.5" in editor.toPlainText() and user.session.document.nodes["w"].value == 2.5
    user.session.undo()
    assert editor.toPlainText() == SCRIPT and user.session.document.nodes["w"].value == 2.0


def test_a_renamed_card_renames_its_variable(user, panel):
    run(panel, SCRIPT)
    user.canvas.setFocus()
    user.rename("m", "product")
    assert "product = w * x\nL = 15 - product" in panel.script.editor.toPlainText()


def test_what_stays_in_the_graph_says_why(user, panel):
    run(panel, SCRIPT.replace("m = w * x", "for i in range(2):\n    m = w * x"))
    assert "loop of line" not in panel.script.state.text()
    user.set_value("w", "2.5")
    assert "w = torch.tensor(2.5, requires_grad=True)" in panel.script.editor.toPlainText()
    assert panel.script.state.isHidden()
    user.canvas.setFocus()
    user.rename("w", "weight")
    assert panel.script.state.text().startswith("The last edit stays in the graph: line 5 is a loop")


def test_an_edited_script_says_that_the_graph_is_older(user, panel):
    run(panel, SCRIPT)
    paste(panel, SCRIPT.replace("15 - m", "15 + m"))
    panel.script.commit()
    assert panel.script.state.text().startswith("The graph is that of the script before your edits")
    run(panel)
    assert panel.script.state.isHidden() and user.session.document.nodes["L"].op == "add"


def test_a_loop_and_a_branch_say_that_the_graph_is_one_way_through_the_script(user, panel):
    loop = "x = w\nfor _ in range(3):\n    if x > 5:\n        x = x - 1\n    else:\n        x = x * 2\nL = x\n"
    run(panel, f"import torch\nw = torch.tensor(2., requires_grad=True)\n{loop}L.backward()\n")
    said = panel.script.output.remarks.text().split("\n")
    assert said[0] == "the loop of line 4 was unrolled 3 times"
    assert said[1] == "the branch of line 5 followed its values: both ways stand in the graph"
    assert "(define-by-run)" in said[2] and "(define-and-run)" in said[2] and len(said) == 3
    user.set_value("w", "4")  # the graph goes the same way, ((4 * 2) * 2) - 1, where the script would not
    assert float(user.session.run.value(user.session.document.output)) == 15.0
    run(panel, panel.script.editor.toPlainText().replace("tensor(2.", "tensor(4."))
    assert float(user.session.run.value(user.session.document.output)) == 6.0
    run(panel, SCRIPT)
    assert panel.script.output.remarks.text() == ""


def test_undo_in_the_editor_goes_the_way_of_undo_on_the_canvas(user, panel):
    """It took the undo on the canvas back, since that had changed the text last."""
    run(panel, SCRIPT)
    editor = panel.script.editor
    user.set_value("w", "2.5")
    user.set_value("w", "4.5")
    user.canvas.setFocus()
    user.press("Ctrl+Z")
    assert "2.5" in editor.toPlainText()
    editor.setFocus()
    user.press("Ctrl+Z")
    assert editor.toPlainText() == SCRIPT and user.session.document.nodes["w"].value == 2.0
    user.press("Ctrl+Shift+Z")
    assert "2.5" in editor.toPlainText() and user.session.document.nodes["w"].value == 2.5
    user.press("Ctrl+Z")
    QTest.keyClicks(editor, "# typed")
    typed = editor.toPlainText()
    assert typed != SCRIPT
    user.press("Ctrl+Z")
    assert editor.toPlainText() == SCRIPT  # what was typed goes first, without a change of the graph
    user.press("Ctrl+Shift+Z")
    assert editor.toPlainText() == typed


def test_what_was_printed_says_that_it_is_older_than_an_edit(user, panel):
    run(panel, SCRIPT)
    words = panel.script.output.words
    assert words.text().endswith("on traced values")
    user.set_value("w", "2.5")
    assert words.text().endswith("edited since then")
    user.session.undo()
    assert words.text().endswith("on traced values")
    user.drag(user.name_of("w"), user.name_of("w") + QPoint(30, 40))
    assert words.text().endswith("on traced values"), "to move a card changes no number"
    run(panel, SCRIPT.replace("15", "16"))
    assert words.text().endswith("on traced values")


def test_what_is_typed_while_a_script_runs_stays_and_is_not_what_made_the_graph(user, panel):
    """Letters of the last half second were lost as it ended, and the graph's lines were those of the text before."""
    paste(panel, SCRIPT)
    editor = panel.script.editor
    QTest.keyClick(editor, Qt.Key.Key_Return, CONTROL)
    assert panel.script.run.running
    editor.moveCursor(QTextCursor.MoveOperation.Start)
    QTest.keyClick(editor, Qt.Key.Key_Return)
    until(lambda: not panel.script.run.running, "the script runs on", settle)
    settle()
    assert editor.toPlainText() == f"\n{SCRIPT}" and user.session.document.output == "L"
    assert not panel.script.script.is_current and panel.script.state.text().startswith("The graph is that")
    assert line_of(user.session.document, "L") == 7
    run(panel)
    assert panel.script.script.is_current and line_of(user.session.document, "L") == 7


def test_a_second_run_waits_for_the_first(user, panel):
    said: list[str] = []
    user.session.message.connect(said.append)
    paste(panel, "while True:\n    pass\n")
    for _ in range(2):
        QTest.keyClick(panel.script.editor, Qt.Key.Key_Return, CONTROL)
    assert panel.script.run.running and said == ["A script is running; Cancel ends it"]


def test_a_script_that_ends_while_a_function_is_open_changes_nothing_in_it(user, panel):
    user.session.open(open_lesson("8"), None)
    paste(panel, SCRIPT)
    QTest.keyClick(panel.script.editor, Qt.Key.Key_Return, CONTROL)
    document = user.session.document
    call = next(node.name for node in document.nodes.values() if node.op in document.functions)
    user.window.levels.enter(call)
    inner = user.session.document
    assert user.session.levels and panel.script.run.running
    until(lambda: not panel.script.run.running, "the script runs on", settle)
    assert user.session.document is inner
    assert panel.script.output.words.text().startswith("ran while a function was open")


def test_the_graph_that_an_undone_run_brings_back_is_seen_whole(user, panel):
    """The view stayed where the graph of the script had been, with half of the other graph beyond its edge."""
    run(panel, SCRIPT)
    before = user.canvas.camera
    user.canvas.setFocus()
    user.press("Ctrl+Z")
    assert "w4" in user.session.document.nodes and user.canvas.camera != before
    view = user.canvas.camera.visible(user.canvas.rect().toRectF().size())
    assert view.contains(user.canvas.scene.geometry.bounds())


def test_a_deleted_node_that_the_script_still_reads_stays_there_and_says_why(user, panel):
    run(panel, SCRIPT)
    user.click(user.name_of("m"))
    user.press("Delete")
    assert "m" not in user.session.document.nodes and panel.script.editor.toPlainText() == SCRIPT
    assert panel.script.state.text() == "The last edit stays in the graph: line 6 reads m."
    user.press("Ctrl+Z")
    assert "m" in user.session.document.nodes and panel.script.state.isHidden()
    assert panel.script.editor.toPlainText() == SCRIPT


def test_a_script_reads_the_arrays_beside_the_open_file(user, panel, tmp_path):
    np.savez(tmp_path / "a.npz", w=np.array([2.0, 5.0]))
    user.session.mark_saved(tmp_path / "graph.cadena")
    load = 'from pathlib import Path\nimport numpy as np\ndata = np.load(Path(__file__).with_name("a.npz"))\n'
    run(panel, f'{load}import torch\nw = torch.tensor(data["w"], requires_grad=True)\nw.sum().backward()\n')
    assert as_array(user.session.document.nodes["w"].value).tolist() == [2.0, 5.0]


NESTED = """import warnings
warnings.sys.modules['os'].write(1, b'{"fault":' + b'[' * 100_000 + b'\\n')
warnings.sys.modules['os']._exit(0)
"""


def test_an_answer_that_cannot_be_read_left_the_panel_running(panel, monkeypatch):
    run(panel, NESTED)
    assert panel.script.sentence.text == "Its process ended (0); make it do less"
    assert panel.script.output.words.text().startswith("ended after")

    def broken(*_, **__):
        raise RecursionError("too deep")

    monkeypatch.setattr(running, "_result", broken)
    with capture_exceptions() as raised:
        run(panel, SCRIPT)
    assert [kind for kind, *_ in raised] == [RecursionError], "errors of ours are told as such, too"
    assert panel.script.sentence.text == "Something went wrong inside Cadena (RecursionError: too deep)"
    assert panel.script.output.words.text().startswith("ended after") and not panel.script.run.running


def test_a_system_that_cannot_confine_scripts_says_so_until_the_first_has_run(session, show, monkeypatch):
    monkeypatch.setattr(confinement, "offered", lambda: frozenset((confinement.SECCOMP,)))
    page = show(ScriptPage(session, LIGHT))
    session.open(with_script(Document({}), AttachedScript(SCRIPT)), None)
    page.start()
    assert page.caution.isVisible() and page.caution.text().startswith("This system has no Landlock")
    assert page.question.isVisible() and "without files and network" not in page.question.text.text()
    page.question.yes.click()
    assert page.caution.isVisible()
    until(lambda: not page.run.running, "the script runs on", settle)
    assert page.caution.isHidden() and session.document.output == "L"


def test_a_system_that_confines_scripts_takes_no_room_to_say_so(session, show, monkeypatch):
    monkeypatch.setattr(confinement, "offered", lambda: confinement.BOTH)
    page = show(ScriptPage(session, LIGHT))
    session.open(with_script(Document({}), AttachedScript(SCRIPT)), None)
    page.start()
    assert page.caution.isHidden() and page.question.isVisible()
    assert "without files and network" in page.question.text.text()


def test_a_script_runs_with_its_real_library_where_the_python_has_it(user, panel, monkeypatch):
    """The tests of the window have no PyTorch: what a run with it answers is written out here."""
    answer = running.ScriptResult(
        document=parse("loss = w * w"), lines={"loss": 3}, passes=(4, 4), chosen=1, computed_by="PyTorch 2.13.0",
        agreement="agrees", agrees=True,
    )  # fmt: skip
    asked = []

    def run_really(text: str, python: Python, path: Path, chosen: int | None, **settings: object) -> object:
        asked.append((path.name, chosen, python.path))
        return answer

    own = own_python()._replace(torch="2.13.0")
    monkeypatch.setattr(pythons, "own_python", lambda: own)
    monkeypatch.setattr(script_process, "run_really", run_really)
    run(panel, SCRIPT)
    assert asked == [("script.py", None, own.path)]
    assert panel.script.output.words.text().endswith(", with PyTorch 2.13.0")
    assert user.session.document.nodes.keys() == answer.document.nodes.keys()
    assert panel.script.script.lines == {"loss": 3} and panel.script.script.chosen == 1
    user.set_value("w", "2.5")
    assert "w = torch.tensor(2., requires_grad=True)" in panel.script.editor.toPlainText()
    assert panel.script.state.text().endswith("a script that ran with PyTorch itself is left as it is.")


def test_a_script_from_elsewhere_is_not_run_with_the_real_library_unasked(session, show, monkeypatch):
    own = own_python()._replace(torch="2.13.0")
    monkeypatch.setattr(pythons, "own_python", lambda: own)
    session.open(with_script(Document({}), AttachedScript(SCRIPT)), None)
    page = show(ScriptPage(session, LIGHT))
    page.start()
    assert page.question.isVisible() and "may do all that you may. Run it?" in page.question.text.text()
