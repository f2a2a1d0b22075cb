"""The list of problems: what is wrong, in words, the way to the node, and the fixes."""

from __future__ import annotations

from dataclasses import replace

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication

from cadena.core.graph import edits
from cadena.core.graph.document import Document, Node
from cadena.core.graph.fault import Kind
from cadena.core.graph.guards import Guard
from cadena.core.scripts.attached import AttachedScript, with_script
from cadena.core.teaching.lessons import open_lesson
from cadena.gui.look.theme import DARK, LIGHT, PROJECTOR
from cadena.gui.panels.problems.problem_entry import in_lines
from cadena.gui.panels.problems.problems import MAX_ROWS, WORDS, Problems, origin_time
from cadena.gui.session.session import Session
from tests.core.doctor.findings.test_recorded import calls_of_calls
from tests.core.graphs import graph
from tests.gui.panels.conftest import document_of
from tests.waiting import until

LEFT = Qt.MouseButton.LeftButton


@pytest.fixture
def problems(session, show):
    return show(Problems(session, LIGHT), 600, 160)


@pytest.fixture
def failing(qapp, show, qtbot):
    """The list on lesson 7 in float32, all fixes tried."""
    session = Session(open_lesson("7"))
    session.show_live()
    problems = show(Problems(session, LIGHT), 900, 220)
    settle(problems, qtbot)
    yield problems
    problems.doctor.stop()


def settle(problems, qtbot):
    qtbot.waitUntil(lambda: not problems.doctor.busy)


def activate(problems, qtbot):
    """Make its window the one that gets the keys."""
    with qtbot.waitActive(problems):
        problems.activateWindow()


def texts(problems):
    return [entry.accessibleName() for entry in problems.entries]


def break_wires(session):
    session.edit(lambda d: edits.disconnect(edits.disconnect(d, "m", 0), "L", 0), "Disconnect")


def set_x(session, value, qtbot):
    session.edit(lambda d: edits.set_value(d, "x", value), "Set x")
    qtbot.waitUntil(lambda: float(session.run.value("x")) == pytest.approx(value))


def test_without_faults_it_says_so(problems):
    assert texts(problems) == ["No problems."]
    assert problems.summary == "No problems"


def test_each_fault_has_its_word_and_its_sentence(problems, session):
    counts = []
    problems.countChanged.connect(lambda *both: counts.append(both))
    break_wires(session)
    assert len(session.faults) == 2
    for fault, text in zip(session.faults, texts(problems)):
        assert text == f"Open slot: {fault.message}."
    assert problems.summary == "2 problems"
    session.undo()
    assert texts(problems) == ["No problems."]
    assert counts == [(2, 0), (0, 0)]


def test_a_click_selects_the_node_and_asks_to_show_it(problems, session, qtbot):
    break_wires(session)
    shown, pointed = [], []
    problems.nodeActivated.connect(shown.append)
    problems.pointedAt.connect(pointed.append)
    qtbot.mouseClick(problems.entries[0], LEFT)
    assert shown == [session.faults[0].node] and pointed == [session.faults[0]]
    assert session.selection == {session.faults[0].node}
    assert [entry.lit for entry in problems.entries] == [True, False]
    session.select(())
    assert not any(entry.lit for entry in problems.entries)


@pytest.mark.parametrize("key", [Qt.Key.Key_Return, Qt.Key.Key_Space])
def test_the_arrows_go_through_the_list_and_enter_leads_to_the_node(problems, session, qtbot, key):
    break_wires(session)
    shown = []
    problems.nodeActivated.connect(shown.append)
    activate(problems, qtbot)
    problems.focus_first()
    qtbot.keyClick(problems.entries[0], Qt.Key.Key_Down)
    assert QApplication.focusWidget() is problems.entries[1]
    qtbot.keyClick(problems.entries[1], Qt.Key.Key_Down)  # the last one: it stays
    qtbot.keyClick(problems.entries[1], key)
    assert shown == [session.faults[1].node]


def test_a_bad_number_is_told_in_words(problems, session, qtbot):
    session.edit(lambda d: edits.set_value(d, "w0", float("nan")), "Set w0")
    qtbot.waitUntil(lambda: texts(problems)[0].startswith("Not a number: w0"))
    assert problems.summary == "1 problem"


@pytest.mark.parametrize("theme", [DARK, PROJECTOR], ids=["dark", "projector"])
def test_another_theme_keeps_the_list(problems, session, theme):
    break_wires(session)
    before = texts(problems)
    problems.set_theme(theme)
    assert texts(problems) == before


def test_every_kind_of_fault_and_hint_has_a_word():
    assert set(Kind) == set(WORDS)


def test_a_long_list_ends_with_how_many_more_there_are(show):
    leaf = Node("x", "parameter", value=1.0)
    session = Session(
        document_of(leaf, *(Node(f"n{index}", "add", ("x",)) for index in range(MAX_ROWS + 5)), output="x")
    )
    problems = show(Problems(session, LIGHT), 600, 160)
    assert len(problems.entries) == MAX_ROWS + 1
    assert texts(problems)[-1] == "5 more problems of these kinds."


def test_a_hidden_list_counts_and_is_told_when_it_is_shown(session, show):
    problems = Problems(session, LIGHT)
    counts = []
    problems.countChanged.connect(lambda *both: counts.append(both))
    break_wires(session)
    assert counts == [(2, 0)] and problems.entries == []
    show(problems, 600, 160)
    assert len(problems.entries) == 2


# --- lesson 7: the node, the rule, the fix


def test_lesson_7_names_the_node_and_the_rule(failing):
    assert any(text.startswith("Gradient is not a number: u: ") and " 0 · inf" in text for text in texts(failing))
    assert {fault.rule for fault in failing.session.faults} == {"overflow of exp", "0 · inf"}


def test_one_click_applies_the_fix_of_lesson_7_as_one_undo_step(failing, qtbot):
    session, said = failing.session, []
    before = session.document
    activate(failing, qtbot)
    session.done.connect(lambda sentence, _: said.append(sentence))
    entry = failing.entries[0]
    assert entry.buttons[0].text() == "Write exp(−x) for 1 / exp(x)"
    qtbot.mouseClick(entry.buttons[0], LEFT)
    assert float(session.run.gradient("x")) == pytest.approx(-3.78e-44, rel=0.01)
    assert said == [
        "Write exp(−x) for 1 / exp(x): y is the same function of its operands, but exp(−x) is small where exp(x) "
        "overflows."
    ]
    assert not session.faults and not any("nan" in text for text in texts(failing))
    assert QApplication.focusWidget() is failing.entries[0]
    session.undo()
    assert session.document == before


def test_one_cause_was_shown_as_two_problems_with_the_same_buttons(failing):
    first, second = failing.entries
    assert failing.summary == "1 problem" and failing.session.causes[0].results == (second.fault,)
    assert first.sentence.x() < second.sentence.x()  # what follows is indented
    offered = [(button.text(), button.toolTip()) for entry in failing.entries for button in entry.buttons]
    assert first.buttons and len(offered) == len(set(offered))


def test_a_fix_is_reached_and_pressed_with_keys_alone(failing, qtbot):
    activate(failing, qtbot)
    failing.focus_first()
    qtbot.keyClick(failing.entries[0], Qt.Key.Key_Tab)
    button = QApplication.focusWidget()
    assert button is failing.entries[0].buttons[0]
    qtbot.keyClick(button, Qt.Key.Key_Return)
    assert not failing.session.faults


@pytest.mark.parametrize(
    ("x", "kind"),
    [(40.0, None), (51.9, None), (52.0, "vanished-gradient"), (88.7, "vanished-gradient"), (88.73, "nan-gradient")],
)
def test_from_right_to_silently_0_to_nan(failing, qtbot, x, kind):
    session = failing.session
    set_x(session, x, qtbot)
    listed = [entry.fault.kind for entry in failing.entries if entry.fault]
    gradients = [one for one in listed if one.endswith("-gradient") and one != "subnormal-gradient"]
    assert gradients == ([kind] if kind else [])


def test_hints_come_after_faults_and_look_calmer(failing, qtbot):
    set_x(failing.session, 60.0, qtbot)
    settle(failing, qtbot)
    entry = failing.entries[0]
    assert entry.fault.severity == "hint" and entry._icon == "hint"
    assert failing.summary == "No problems, 1 hint"
    assert entry.buttons


def test_while_steps_are_shown_it_goes_to_the_step_that_made_the_nan(failing, qtbot):
    session = failing.session
    session.set_time(0.0)
    entry = next(entry for entry in failing.entries if entry.fault.rule == "0 · inf")
    qtbot.mouseClick(entry, LEFT)
    step = session.frame.step
    assert (step.phase, step.node, step.slot) == ("reverse", "u", 0)
    assert session.frame.gradient("x") is not None


def test_a_number_that_was_given_was_born_in_no_step(session):
    session.edit(lambda d: edits.set_value(d, "w0", float("inf")), "Set w0")
    session.run_now()
    assert origin_time(session.timeline, session.faults[0]) is None


def test_long_buttons_have_several_lines_and_nothing_is_cut(failing):
    failing.set_theme(PROJECTOR)
    failing.resize(300, 400)
    QApplication.processEvents()
    for entry in failing.entries:
        for button in entry.buttons:
            widest = max(button.fontMetrics().horizontalAdvance(line) for line in button.text().split("\n"))
            assert widest <= button.width() and button.geometry().right() <= entry.row.width()
        needed = entry.sentence.heightForWidth(entry.sentence.width())
        assert entry.sentence.height() >= needed


def test_lines_break_between_words(qapp):
    from PySide6.QtGui import QFont, QFontMetrics

    metrics = QFontMetrics(QFont())
    assert in_lines("one two three", metrics, 10_000) == "one two three"
    assert in_lines("one two three", metrics, 1) == "one\ntwo\nthree"


def test_the_hint_about_layers_opens_their_plot(show, qtbot):
    nodes = [Node("s0", "parameter", value=0.5), *(Node(f"s{n}", "sigmoid", (f"s{n - 1}",)) for n in range(1, 11))]
    problems = show(Problems(Session(document_of(*nodes, output="s10")), LIGHT), 900, 220)
    settle(problems, qtbot)
    entry = next(entry for entry in problems.entries if entry.fault.kind == "vanishing-by-layer")
    button = next(button for button in entry.buttons if "by layer" in button.text())
    with qtbot.waitSignal(problems.panelAsked) as asked:
        qtbot.mouseClick(button, LEFT)
    assert asked.args == ["layers"]


def test_the_space_bar_on_an_entry_leads_to_its_node_and_does_not_play(user):
    window = user.window
    user.session.open(open_lesson("7"), None)
    user.session.show_live()
    window.toggle_panel("problems")
    window.problems.focus_first()
    user.press("Space")
    assert user.session.selection == {"u"} and not user.session.playback.playing
    assert window.canvas.pointed == user.session.faults[0]


def test_the_arrows_in_the_plot_go_from_layer_to_layer_and_not_from_step_to_step(user, qtbot):
    window = user.window
    window.toggle_panel("layers")
    layers = window.panels["layers"].open()
    qtbot.waitUntil(lambda: layers.plot is not None)
    layers.plot.setFocus()
    user.press("Left")
    user.press("Left")
    assert layers.caption.text().startswith("Layer 1: ") and user.session.time == 0.0


def test_a_list_with_room_for_all_could_be_scrolled(failing):
    """Entries were taken to need the height that they have in a narrow column."""
    failing.resize(900, sum(entry.height() for entry in failing.entries) + 12)
    QApplication.processEvents()
    assert failing._scroll.verticalScrollBar().maximum() == 0
    failing.resize(900, failing.height() - 30)
    QApplication.processEvents()
    assert failing._scroll.verticalScrollBar().maximum() > 0


def test_the_beginning_of_a_sentence_higher_than_the_list_was_scrolled_away(failing, qtbot):
    failing.resize(320, 120)
    activate(failing, qtbot)
    for entry in failing.entries:
        entry.setFocus()
        QApplication.processEvents()
        top = entry.mapTo(failing._scroll.viewport(), entry.rect().topLeft()).y()
        assert entry.height() <= 120 or abs(top) <= 4
    assert failing.entries[0].height() > 120


def test_a_key_on_an_entry_that_had_just_gone_was_a_traceback(problems, session, qtbot):
    break_wires(session)
    gone = problems.entries[1]
    session.undo()
    assert gone not in problems.entries
    qtbot.keyClick(gone, Qt.Key.Key_Down)
    assert texts(problems) == ["No problems."]


@pytest.mark.parametrize("last", ["sin", "D0"])
def test_functions_that_call_each_other_twice_froze_the_window(user, last):
    user.session.open(calls_of_calls(36, last), None)
    user.do("view.problems")
    user.session.select(["q"])
    panel = user.window.panels["problems"]
    until(lambda: not panel.doctor.busy, "the hints never come", QApplication.processEvents)
    assert any("q: " in text for text in texts(panel))


def test_a_problem_did_not_say_its_line_of_the_script(qapp, show):
    script = {"name": "x.py", "text": "", "lines": {"y": 3}}
    session = Session(replace(graph(x=-1.0, y=("log", "x")), extra={"script": script}))
    session.show_live()
    problems = show(Problems(session, LIGHT), 900, 220)
    assert problems.entries[0].accessibleName().startswith("Not a number, line 3: y = log(x)")
    problems.doctor.stop()


def test_nothing_said_that_no_fix_is_known(qapp, show, qtbot):
    captured = {
        "x": Node("x", "parameter", value=1000.0),
        "y": Node("y", "exp", ("x",), line="train.py:20"),
    }
    session = Session(Document(captured, output="y"))
    session.show_live()
    problems = show(Problems(session, LIGHT), 900, 220)
    (before,) = texts(problems)
    assert before.startswith("Infinite value, line 20 of train.py: y = exp(x)") and "No fix" not in before
    settle(problems, qtbot)
    assert texts(problems) == [f"{before} No fix is known."]
    problems.doctor.stop()


def test_a_graph_of_another_branch_was_shown_without_a_word(problems, session, qtbot):
    """A script whose branch the new numbers would not take: the list says so, and offers to run it again."""
    text = "import torch\nw = torch.tensor(2., requires_grad=True)\nif w > 1:\n    loss = w ** 2\nloss.backward()\n"
    nodes = {
        "w": Node("w", "parameter", value=2.0),
        "k0": Node("k0", "constant", value=1.0),
        "greater1": Node("greater1", "greater", ("w", "k0"), guard=Guard(1.0, "w > 1", 3)),
        "loss": Node("loss", "square", ("w",)),
    }
    document = with_script(Document(nodes, output="loss"), AttachedScript(text))
    session.edit(lambda old: document, "Open")
    assert texts(problems) == ["No problems."]
    session.edit(lambda d: edits.set_value(d, "w", 0.5), "Set w")
    qtbot.waitUntil(lambda: bool(session.faults))
    (text,) = texts(problems)
    assert "line 3 took the branch w > 1; with these numbers it would not" in text
    asked = []
    problems.runScriptAsked.connect(lambda: asked.append(True))
    (button,) = problems.entries[0].buttons
    assert button.text() == "Run the script again"
    button.click()
    assert asked == [True]
