"""How much is set, and when: never without bound, never while something is painted, in a thread."""

from __future__ import annotations

import threading
import traceback
from collections import OrderedDict

import numpy as np
import pytest
from PySide6.QtGui import QImage
from PySide6.QtWidgets import QApplication

from cadena.core.front import compile
from cadena.core.graph.document import Document, Node
from cadena.core.methods.names import Method
from cadena.core.methods.reverse import step_text
from cadena.core.notation import calls
from cadena.core.notation.names import latex_name
from cadena.gui.export.picture import render
from cadena.gui.formulas import typesetter
from cadena.gui.formulas.typesetter import setting
from cadena.gui.look.theme import LIGHT
from cadena.gui.panels.parts.formula_view import FormulaView
from tests.gui.look.test_text_cleaning import renamed_long
from tests.gui.user import settle
from tests.waiting import until

ASK = typesetter.Typesetter.ask  # before the tests of the window set all at once
IS_SET = typesetter.is_set
MAX_LETTERS = 400  # of one part of a formula


@pytest.fixture
def nothing_is_known(monkeypatch, qapp) -> None:
    until(lambda: typesetter.typesetter._work is None, "formulas of an earlier test are still being set", settle)
    monkeypatch.setattr(typesetter, "_cache", OrderedDict())


@pytest.fixture
def given(monkeypatch, nothing_is_known) -> list[str]:
    """All that is given to ziamath."""
    found, real = list[str](), typesetter._set
    monkeypatch.setattr(typesetter, "_set", lambda latex: (found.append(latex), real(latex))[1])
    return found


@pytest.fixture
def in_the_thread(monkeypatch, nothing_is_known) -> None:
    """Formulas come when the thread has set them, as they do for a user."""
    monkeypatch.setattr(typesetter.Typesetter, "ask", ASK)
    monkeypatch.setattr(typesetter, "is_set", IS_SET)


@pytest.mark.parametrize("count", [100, 3000, 100_000])
def test_a_long_name_gave_all_its_letters_to_the_typesetter(user, given, count):
    """17 s at 3,000 letters, at each step, on the interface's thread."""
    user.session.open(renamed_long(count), None)
    for name in (*user.session.document.nodes, None):
        user.session.select([name] if name else ())
        for time in np.arange(0.5, len(user.session.timeline)):
            user.session.set_time(time)
            settle()
    assert given and max(map(len, given)) < MAX_LETTERS


def wide(count: int) -> Document:
    """A stack of many numbers, and an operation that is not known with as many operands and words about it."""
    leaves = [Node(f"w{number}", "parameter", value=1.0) for number in range(count)]
    names = tuple(leaf.name for leaf in leaves)
    stack = Node("s", "stack", inputs=names)
    odd = Node("odd", r"\frac{" * count, inputs=names, attributes={"axis" * count: "v" * count})
    return Document({node.name: node for node in (*leaves, stack, Node("y", "sum", inputs=("s",)), odd)}, output="y")


def test_of_ten_thousand_operands_a_few_are_written():
    document = wide(10_000)
    for name in ("s", "odd"):
        latex = calls.latex_call(document, name)
        assert len(latex) < MAX_LETTERS and r"\ldots" in latex and "w_{9999}" in latex
        assert "…" in calls.plain_call(document, name)


def test_the_steps_of_many_operands_write_a_few():
    timeline = compile(wide(300)).run().timeline
    for index in range(len(timeline)):
        assert len(step_text.step_latex(timeline, index)) < 2 * MAX_LETTERS
        assert len(step_text.step_sentence(timeline, index)) < 2 * MAX_LETTERS


def test_an_endless_formula_is_shown_as_the_beginning_and_end_of_its_source(given):
    made = setting("x + " * 10_000 + "y")
    assert not given
    assert made.svg is None and made.text.startswith("x + x") and made.text.endswith("+ y")
    assert len(made.text) == typesetter.MAX_SOURCE


def test_what_lies_deeper_weighs_more():
    flat, deep = " + ".join(["x"] * 9), "x"
    for _ in range(8):
        deep = rf"\frac{{1}}{{1 + {deep}}}"
    assert typesetter.weight(deep) > 5 * typesetter.weight(flat)


def test_no_step_of_a_lesson_is_too_long_to_be_set(user):
    user.session.choose_method("symbolic")
    assert max(map(typesetter.weight, user.session.timeline.formulas)) < typesetter.MAX_WEIGHT / 10


@pytest.fixture
def set_while_painting(monkeypatch, nothing_is_known) -> list[str]:
    """What is set while a widget paints itself."""
    found, real = list[str](), typesetter._set

    def watched(latex: str):
        if any(frame.f_code.co_name == "paintEvent" for frame, _ in traceback.walk_stack(None)):
            found.append(latex)
        return real(latex)

    monkeypatch.setattr(typesetter, "_set", watched)
    return found


@pytest.mark.parametrize("method", ["reverse", "forward", "difference", "symbolic"])
def test_nothing_is_set_while_the_window_is_painted(user, set_while_painting, method):
    user.session.set_method(Method(method))
    user.session.select(["c"])
    for time in (0.3, 1.9, 4.5, len(user.session.timeline) - 0.4):
        user.session.set_time(time)
        typesetter._cache.clear()
        user.window.repaint()
        settle()
    assert not set_while_painting


def test_a_formula_that_takes_long_comes_when_it_is_set(qtbot, in_the_thread, monkeypatch):
    monkeypatch.setattr(typesetter, "QUICK", -1)
    view = FormulaView(LIGHT, 20.0, 10.0)
    qtbot.addWidget(view)
    view.resize(400, 60)
    view.show_latex(r"\frac{a}{b} = 7")
    assert view.lines(400).placed == ()
    qtbot.waitUntil(lambda: bool(view.lines(400).placed))
    assert [item.latex for item in view.lines(400).placed] == [r"\frac{a}{b}", "=", "7"]
    assert view.heightForWidth(400) > 20


def test_only_the_newest_wishes_are_kept(qtbot, in_the_thread, monkeypatch):
    begun, free = threading.Event(), threading.Event()
    real, own = typesetter._set, typesetter.Typesetter()  # that of all windows has wishes of those left open, too

    wishes = [f"x_{{{number}}}" for number in range(3 * typesetter.MAX_WAITING)]

    def held(latex: str):
        if latex == wishes[0]:
            begun.set()
            assert free.wait()
        return real(latex)

    monkeypatch.setattr(typesetter, "_set", held)
    own.ask(wishes[:1])
    until(begun.is_set, "the thread sets nothing", QApplication.processEvents)
    for wish in wishes[1:]:
        own.ask([wish])
    with qtbot.waitSignal(own.formulas_set):
        free.set()
    kept = set(wishes) & set(typesetter._cache)
    assert {wishes[0], wishes[-1]} <= kept and len(kept) <= typesetter.MAX_WAITING + 1


def test_cards_show_their_expressions_when_these_have_come(user, in_the_thread, qtbot):
    user.session.choose_method("symbolic")
    user.session.show_live()
    settle()
    user.canvas.zoom_to_fit()
    for latex in user.session.timeline.formulas:
        setting(latex)
    user.canvas._layers.forget()
    with_formulas = user.canvas.grab().toImage()
    typesetter._cache.clear()
    user.canvas._layers.forget()
    assert user.canvas.grab().toImage() != with_formulas
    qtbot.waitUntil(lambda: user.canvas.grab().toImage() == with_formulas)


@pytest.mark.parametrize("ending", [".png", ".svg"])
def test_a_picture_waits_for_its_formulas(user, in_the_thread, tmp_path, ending):
    user.session.choose_method("symbolic")
    timeline, pictures = user.session.timeline, []
    for number in range(3):
        out = tmp_path / f"{number}{ending}"
        render(timeline, out, step=len(timeline))
        pictures.append(out.read_bytes())
        typesetter._cache.clear()
    assert 0.98 < len(pictures[0]) / len(pictures[1]) < 1.02
    assert pictures[1] == pictures[2]  # in the first one letters may lie 1/64 pixel off: Qt's type was new
    if ending == ".png":
        assert not QImage(str(tmp_path / "0.png")).isNull()


def test_two_threads_read_each_others_glyphs(nothing_is_known):
    """ziamath reads its fonts through one place in a file that all threads share."""
    formulas = [rf"\frac{{\partial w_{{{number}}}}}{{\partial \sigma}} + {number}" for number in range(12)]
    expected = [setting(latex) for latex in formulas]
    typesetter._cache.clear()
    threads = [threading.Thread(target=lambda: [setting(latex) for latex in formulas]) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [setting(latex) for latex in formulas] == expected


def test_a_name_in_a_formula_keeps_both_its_ends():
    assert latex_name("accumulated_loss_of_the_last_layer") == r"\mathrm{accumulated\_\ldots \_last\_layer}"
    assert latex_name("w" + "1" * 30) == r"\mathrm{w11111111111\ldots 11111111111}"
