"""The graph as text above the canvas: it follows every edit, and edits the graph as it is typed."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QFontMetricsF
from PySide6.QtTest import QTest

from cadena.core.expressions.graph_text import MAX_NODES, graph_text
from cadena.core.expressions.reading import parse
from cadena.core.graph import edits
from cadena.core.graph.document import Document
from cadena.core.teaching.lessons import open_lesson
from cadena.core.text.numbers import short
from cadena.gui.look.theme import THEMES
from tests.gui.canvas.pictures import count_of
from tests.gui.user import settle
from tests.waiting import until

LESSON_1 = graph_text(open_lesson("1")).text


def bar(user):
    return user.window.expressions


def text(user) -> str:
    return bar(user).editor.toPlainText()


def results(user) -> list[tuple[str, str]]:
    return [(first.text, second.text) for first, second in bar(user).editor.results.values()]


def show(user, document: Document) -> None:
    user.session.open(document, None)
    settle()


def letters(user, typed: str) -> None:
    """Type without Enter."""
    QTest.keyClicks(bar(user).editor, typed)
    settle()


def begin(user) -> None:
    """The keys go to the bar, the cursor to the end of its text."""
    user.press("E")
    assert bar(user).editor.hasFocus()


def begin_anew(user, typed: str) -> None:
    begin(user)
    user.press("Ctrl+A")
    letters(user, typed)


# --- from an empty document


def test_a_newcomer_builds_lesson_1_from_the_bar(user):
    show(user, Document({}))
    assert bar(user).editor.note == "y = w*x + b"
    begin(user)
    for line in ("b1 = w0*a1 + w1*a2", "b2 = w2*a1", "L = 15 - (w3*b1 + w4*b2)"):
        user.type(line)
    for line in ("w0 = 2", "w1 = 5", "w2 = 9", "w3 = 7", "w4 = 3", "a1 = input(4)", "a2 = input(3)"):
        user.type(line)
    user.press("Esc")
    lesson, built = open_lesson("1"), user.session.document
    assert built.output == "L" and user.session.run.value("L") == -254.0
    assert user.session.run.gradient("w0") == -28.0
    assert len(built.nodes) == len(lesson.nodes)
    for name in ("w0", "w1", "w2", "w3", "w4", "a1", "a2"):
        assert built.nodes[name] == lesson.nodes[name]
    canvas = user.canvas
    assert all(
        canvas.scene.camera.visible(canvas.scene.view).contains(canvas.places.card(name)) for name in built.nodes
    )


def test_each_line_is_one_step_to_undo(user):
    show(user, Document({}))
    begin(user)
    user.type("y = w*x + b")
    user.type("L = (y - 3)**2")
    assert user.session.history.undo_label == "Edit expression"
    user.press("Ctrl+Z")
    assert "L" not in user.session.document.nodes and text(user) == "y = w*x + b"
    user.press("Ctrl+Z")
    assert not user.session.document.nodes and text(user) == ""
    user.press("Ctrl+Y")
    user.press("Ctrl+Y")
    assert text(user) == "y = w*x + b\nL = (y - 3)**2"


def test_arrays_are_typed_as_lists_and_by_their_shape(user):
    show(user, Document({}))
    begin(user)
    for line in ("W = random(6, 6)", "X = [[1, 2], [3, 4]]", "y = sum(W)"):
        user.type(line)
    assert user.session.run.value("W").shape == (6, 6) and user.session.run.value("X").shape == (2, 2)
    assert results(user)[0][0] == "6 × 6"


# --- both ways


def test_the_graph_follows_each_letter_and_is_one_step(user):
    steps = len(user.session.history.past)
    begin_anew(user, LESSON_1.replace("15", "16").replace("\n", ";"))
    assert user.session.document.nodes["k"].value == 16.0 and user.session.run.value("L") == -253.0
    assert len(user.session.history.past) == steps + 1
    user.press("Esc")
    assert user.session.document.nodes["k"].value == 15.0 and text(user) == LESSON_1
    assert len(user.session.history.past) == steps


def test_the_text_follows_edits_of_the_graph(user):
    assert text(user) == LESSON_1
    user.rename("b1", "hidden")
    assert "hidden = w0*a1 + w1*a2" in text(user) and "w3*hidden" in text(user)
    user.press("Ctrl+Z")
    user.set_value("k", "16")
    assert "16 - (" in text(user)
    user.press("Ctrl+Z")
    assert text(user) == LESSON_1


def test_places_values_and_names_stay_where_the_text_is_edited_elsewhere(user):
    before = user.session.document
    begin(user)
    user.type(" + w4")
    after = user.session.document
    assert all(after.layout[name] == at for name, at in before.layout.items() if name != "L")
    assert all(after.nodes[name] == node for name, node in before.nodes.items() if name != "L")


def test_spaces_that_were_typed_stay(user):
    show(user, Document({}))
    begin(user)
    user.type("y   =  w * x")
    user.press("Esc")
    user.press("Esc")
    user.set_value("w", "7")
    assert text(user) == "y   =  w * x"


# --- mistakes


def test_a_mistake_is_marked_at_its_place_and_the_graph_stays(user):
    before = user.session.document
    begin(user)
    letters(user, " ^ 2")
    assert user.session.document is before
    label, (mark,) = bar(user).mistake, bar(user).editor.extraSelections()
    assert label.isVisible() and label.text() == "^ is no power in Python; write ** for a power."
    assert mark.cursor.blockNumber() == 2
    assert results(user) == results(user)[:2]  # the line that is wrong shows no numbers
    for _ in range(3):
        user.press("Backspace")
    letters(user, "*2")
    assert not label.isVisible() and not bar(user).editor.extraSelections()


def test_a_mistake_had_the_colour_of_the_light_theme_in_every_theme(user):
    begin(user)
    letters(user, " ^ 2")
    for theme in THEMES.values():
        user.window.choose_theme(theme.name)
        settle()
        image = bar(user).mistake.grab().toImage()
        inner = image.copy(image.rect().adjusted(4, 4, -4, -4))  # without its outline
        assert count_of(inner, theme.fault) > 20, theme.name
    user.window.choose_theme("light")
    settle()


def test_what_is_not_complete_yet_is_no_mistake_until_it_is_left(user):
    begin(user)
    letters(user, " +")
    assert not bar(user).mistake.isVisible()
    user.canvas.setFocus()
    settle()
    assert bar(user).mistake.isVisible() and text(user).endswith(" +")
    begin(user)
    user.press("Ctrl+Z")
    assert text(user) == LESSON_1 and not bar(user).mistake.isVisible()


def test_text_with_a_mistake_outlives_other_edits(user):
    begin(user)
    letters(user, " ^ 2")
    user.set_value("w0", "5")
    assert text(user).endswith(" ^ 2") and user.session.document.nodes["w0"].value == 5.0


# --- results and steps


def test_nothing_is_shown_before_it_is_computed(user):
    user.session.set_time(0)
    settle()
    assert results(user) == [("·", "·")] * 3
    user.pass_questions()
    user.session.set_time(16)
    settle()
    assert results(user) == [("23", "−7"), ("36", "−3"), ("−254", "1")]
    assert bar(user).editor.now == (0, "gradient")
    user.session.set_time(3)
    settle()
    assert results(user)[0] == ("23", "·") and bar(user).editor.now == (0, "value")


def test_hidden_numbers_are_hidden_here_too(user):
    user.session.set_time(21)
    user.session.set_hidden(user.session.hidden.toggled("gradients"))
    settle()
    assert {second for _, second in results(user)} == {"?"}


def test_ctrl_enter_takes_what_was_typed_and_leaves_the_bar(user):
    """It was the key of a command that could not be done then."""
    begin_anew(user, "L = 2*w")
    user.press("Ctrl+Return")
    assert list(user.session.document.nodes) and user.canvas.hasFocus() and not user.window.toast.isVisible()
    begin_anew(user, "L = 2*(")
    user.press("Ctrl+Return")
    assert bar(user).editor.hasFocus() and bar(user).mistake.isVisible()
    user.press("Esc")


# --- sliders


def test_the_sliders_of_what_is_trained_stood_still(user):
    show(user, parse("L = (w*x + b - y)**2"))
    rows, session = bar(user).sliders.rows, user.session
    session.learning.change(rate=0.01)
    seen = set()

    def look():
        if session.learns:
            seen.add(rows["w"].slider.value())
            assert [row.text for row in rows.values()] == [short(session.frame.value(name)) for name in rows]

    session.learningChanged.connect(look)
    user.press("Ctrl+R")
    until(lambda: len(seen) > 3, "the slider stands still", settle)
    user.press("Esc")
    session.learningChanged.disconnect(look)
    until(lambda: session.learning._work is None, "the step never ends", settle)
    assert rows["w"].text == short(session.document.nodes["w"].value)
    user.press("Ctrl+Z")
    assert rows["w"].text == "1"


def test_a_slider_comes_back_from_where_a_training_had_run(user):
    show(user, edits.set_value(parse("L = w*b"), "w", 2.0))
    user.session.learning.change(rate=0.5)
    row = bar(user).sliders.rows["w"]
    place = row.slider.value()
    user.press("Ctrl+R")
    until(lambda: not user.session.learns, "it goes on", settle)
    assert abs(user.session.document.nodes["w"].value) > 50.0
    user.press("Ctrl+Z")
    assert row.text == "2" and row.slider.value() == place


def test_values_had_no_room_beside_their_sliders(user):
    show(user, parse("L = w"))
    row = bar(user).sliders.rows["w"]
    for value, text_ in ((0.7441, "0.7441"), (-1.3124e-46, "−1.3·10⁻⁴⁶"), (123456.0, "123 456")):
        user.session.edit(lambda document, value=value: edits.set_value(document, "w", value), "Set w")
        metrics = QFontMetricsF(row._fitting_font)
        assert row.text.replace("\u202f", " ") == text_ and metrics.horizontalAdvance(row.text) <= row._room
        assert row.width() - row._room >= row.slider.geometry().right()


def test_sliders_change_the_numbers_live_and_a_drag_is_one_step(user):
    row = bar(user).sliders.rows["w0"]
    assert list(bar(user).sliders.rows) == ["w0", "w1", "w2", "w3", "w4", "a1", "a2"]
    row.slider.setFocus()
    for _ in range(3):
        QTest.keyPress(row.slider, Qt.Key.Key_Right)
    QTest.keyRelease(row.slider, Qt.Key.Key_Right)
    settle()
    assert user.session.document.nodes["w0"].value > 2.0 and row.text != "2"
    assert user.session.history.undo_label == "Set w0"
    user.session.undo()
    settle()
    assert user.session.document.nodes["w0"].value == 2.0 and row.text == "2"


def test_the_range_of_a_slider_grows_with_its_number(user):
    row = bar(user).sliders.rows["w0"]
    user.set_value("w0", "300")
    assert row.text == "300" and row.slider.value() < 0.9 * row.slider.maximum()
    user.set_value("w0", "350")
    assert row.slider.value() < 0.9 * row.slider.maximum()


# --- what cannot be said


def test_an_open_slot_is_told_below_the_lines(user):
    user.session.edit(lambda document: edits.disconnect(document, "m1", 0), "Disconnect")
    settle()
    assert "m1 has no expression: it waits for an operand" in bar(user).editor.note


def test_a_large_graph_shows_the_expressions_of_selected_nodes(user):
    document = parse("\n".join(f"h{number + 1} = sin(h{number})" for number in range(MAX_NODES)))
    show(user, document)
    assert text(user) == "" and bar(user).editor.note == "401 nodes: select some to see their expression"
    user.session.select(["h2"])
    settle()
    assert text(user) == "h2 = sin(sin(h0))"
    begin(user)
    user.type(" + 1")
    assert user.session.document.nodes["h2"].op == "add" and user.session.document.nodes["h3"].inputs == ("h2",)


# --- room


def test_a_low_window_has_one_line_until_the_bar_is_used(user):
    user.window.resize(1280, 720)
    settle()
    assert bar(user).height() == 40
    begin(user)
    assert bar(user).height() == 106
    user.press("Esc")
    assert bar(user).height() == 40 and user.canvas.hasFocus()


def test_the_bar_grows_to_five_lines(user):
    user.window.resize(1600, 1000)
    settle()
    assert bar(user).height() == 106
    begin(user)
    for number in range(6):
        user.type(f"p{number} = {number}")
    assert bar(user).height() == 5 * 28 + 22


def test_names_are_offered_and_tab_takes_one(user):
    begin(user)
    letters(user, " + sigm")
    assert bar(user).editor.completion.is_open
    user.press("Tab")
    letters(user, "(w0)")
    assert "sigmoid(w0)" in text(user)
