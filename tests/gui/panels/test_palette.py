"""The palette: operations are found by typing and put onto the canvas by mouse or keys."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QEvent, QObject, QPoint, Qt
from PySide6.QtGui import QDrag
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QWidget

from cadena.core.graph.document import LEAVES
from cadena.core.ops.primitive import REGISTRY
from cadena.core.rewriting.function_edits import inline, make_function
from cadena.gui.look import theme as look
from cadena.gui.look.theme import DARK, LIGHT, PROJECTOR
from cadena.gui.panels.palette import Palette
from cadena.gui.panels.parts.chips import MIME
from tests.gui.mouse import drag_to
from tests.gui.user import settle

Key = Qt.Key


class Watch(QObject):
    """Tells of every widget that is shown."""

    def __init__(self, tell) -> None:
        super().__init__()
        self._tell = tell

    def eventFilter(self, watched, event) -> bool:
        if event.type() is QEvent.Type.Show and isinstance(watched, QWidget):
            self._tell(watched)
        return False


@pytest.fixture
def few(session, show):
    """As it is at first, with the common operations."""
    return show(Palette(session, LIGHT), 212, 700)


@pytest.fixture
def palette(few):
    """With all operations."""
    few.more.click()
    settle()
    return few


@pytest.fixture
def activated(palette):
    heard: list[str] = []
    palette.operationActivated.connect(heard.append)
    return heard


def chip(palette, name):
    return next(item for item in palette.chips if item.operation.name == name)


def names(palette):
    return [item.operation.name for item in palette.chips]


@pytest.fixture
def unfolded(palette):
    for fold in palette.folds:
        fold.setChecked(True)
    return palette


def test_some_25_common_operations_are_shown_and_the_rest_behind_more(few):
    """225 chips hid those that nearly every graph needs."""
    common = "add subtract multiply divide power sqrt exp log sin cos tanh sigmoid relu abs matmul transpose sum mean"
    assert set(names(few)) == {*LEAVES, *common.split(), "maximum", "norm", "softmax", "mse_loss", "cross_entropy"}
    assert few.more.text() == "More…"
    few.more.click()
    assert {"conv2d", "arctan"} & set(names(few)) and few.more.text() == "Fewer"
    few.more.click()
    assert len(few.chips) == 26


def test_the_search_finds_more_than_the_common_operations(few, qtbot):
    qtbot.keyClicks(few.search, "arctan")
    assert names(few)[0] == "arctan"


def test_every_operation_has_its_chip_leaves_first_then_by_category(palette, unfolded):
    assert names(palette)[:3] == list(LEAVES)
    assert set(names(palette)) == {*LEAVES, *REGISTRY}
    categories = list(dict.fromkeys(item.operation.category for item in palette.chips))
    assert categories == ["Leaves", *REGISTRY.categories]


def test_only_the_first_categories_are_unfolded_and_the_others_say_how_much_they_hold(palette):
    assert [fold.text() for fold in palette.folds] == ["Leaves", *REGISTRY.categories]
    assert [fold.isChecked() for fold in palette.folds] == [place < 7 for place in range(len(palette.folds))]
    assert {"multiply", "matmul", "sum"} <= set(names(palette)) and "conv2d" not in names(palette)
    assert f"({sum(one.category == 'Losses' for one in REGISTRY.values())} operations)" in palette.folds[7].toolTip()


def test_a_click_on_a_heading_unfolds_its_category_and_folds_it_again(palette, qtbot):
    layers = next(fold for fold in palette.folds if fold.text() == "Layers")
    qtbot.mouseClick(layers, Qt.MouseButton.LeftButton)
    assert chip(palette, "conv2d").isVisible()
    qtbot.mouseClick(layers, Qt.MouseButton.LeftButton)
    assert "conv2d" not in names(palette)


def test_what_was_unfolded_stays_so_after_a_search_and_in_another_theme(palette, qtbot):
    next(fold for fold in palette.folds if fold.text() == "Layers").click()
    palette.folds[1].click()
    qtbot.keyClicks(palette.search, "sin")
    qtbot.keyClick(palette.search, Key.Key_Escape)
    palette.set_theme(PROJECTOR)
    assert "conv2d" in names(palette) and "multiply" not in names(palette)


def test_another_theme_of_the_same_sizes_made_all_chips_anew_and_scrolled_to_the_top(palette):
    before, focused, bar = palette.chips, palette.chips[40], palette._scroll.verticalScrollBar()
    focused.setFocus()
    bar.setValue(90)
    palette.set_theme(DARK)
    assert palette.chips == before and palette.focusWidget() is focused and bar.value() == 90
    assert all(stop._theme is DARK for stop in (*palette.chips, *palette.folds))
    assert palette.folds[0].font() == look.font(DARK, look.LABEL, bold=True)


def test_another_theme_opens_no_window_of_its_own_and_takes_no_focus(palette, qtbot):
    shown = []
    watch = Watch(lambda widget: shown.append(widget) if widget.isWindow() else None)
    QApplication.instance().installEventFilter(watch)
    palette.set_theme(PROJECTOR)
    QApplication.instance().removeEventFilter(watch)
    assert not shown


def test_the_search_finds_what_is_folded_away(palette, qtbot):
    qtbot.keyClicks(palette.search, "conv2d")
    assert names(palette)[0] == "conv2d"
    qtbot.waitUntil(palette.chips[0].isVisible)


def test_the_arrows_reach_a_heading_and_enter_unfolds_it(palette, qtbot):
    palette.activateWindow()
    last = palette.chips[-1]
    last.setFocus()
    settle()
    qtbot.keyClick(last, Key.Key_Right)
    heading = palette.focusWidget()
    assert heading.text() == REGISTRY.categories[6]
    qtbot.keyClick(heading, Key.Key_Return)
    assert heading.isChecked() and palette.chips[-1].operation.category == REGISTRY.categories[6]


def test_chips_flow_within_the_width_and_do_not_overlap(palette, unfolded, qtbot):
    settle()
    places = [item.geometry().translated(item.parentWidget().pos()) for item in palette.chips]
    assert all(place.right() <= palette.width() for place in places)
    assert not any(a.intersects(b) for i, a in enumerate(places) for b in places[:i])


def test_a_double_click_activates(palette, activated, qtbot):
    qtbot.mouseDClick(chip(palette, "multiply"), Qt.MouseButton.LeftButton)
    assert activated == ["multiply"]


def test_a_single_click_does_nothing(palette, activated, qtbot):
    qtbot.mouseClick(chip(palette, "multiply"), Qt.MouseButton.LeftButton)
    assert not activated


@pytest.mark.parametrize("key", [Key.Key_Return, Key.Key_Space])
def test_enter_and_space_on_a_chip_activate(palette, activated, qtbot, key):
    chip(palette, "exp").setFocus()
    qtbot.keyClick(chip(palette, "exp"), key)
    assert activated == ["exp"]


def test_a_drag_carries_the_operations_name_and_a_ghost(palette, activated, qtbot, monkeypatch):
    dragged = []
    monkeypatch.setattr(QDrag, "exec", lambda drag, *_: dragged.append((drag.mimeData(), drag.pixmap())))
    source = chip(palette, "sum")
    QTest.mousePress(source, Qt.MouseButton.LeftButton, pos=QPoint(5, 5))
    drag_to(source, QPoint(90, 90))
    QTest.mouseRelease(source, Qt.MouseButton.LeftButton, pos=QPoint(90, 90))
    ((data, ghost),) = dragged
    assert bytes(data.data(MIME).data()) == b"sum"
    assert ghost.size() == source.grab().size()
    assert not activated


@pytest.mark.parametrize(
    ("typed", "first"),
    [
        ("sin", "sin"),
        ("×", "multiply"),
        ("relu", "relu"),
        ("hyperbolic tang", "tanh"),
        ("matrix prod", "matmul"),
        ("LOG", "log"),
    ],
)
def test_typing_finds_by_name_symbol_and_title(palette, activated, qtbot, typed, first):
    palette.search.setFocus()
    qtbot.keyClicks(palette.search, typed)
    assert names(palette)[0] == first
    assert palette.chips[0].best
    qtbot.keyClick(palette.search, Key.Key_Return)
    assert activated == [first]


def test_what_is_not_there_is_said_and_enter_does_nothing(palette, activated, qtbot):
    qtbot.keyClicks(palette.search, "qwerty")
    assert not palette.chips
    qtbot.waitUntil(palette._nothing.isVisible)
    assert palette._nothing.text() == "Nothing matches “qwerty”; try another name or word."
    qtbot.keyClick(palette.search, Key.Key_Return)
    assert not activated


def test_escape_brings_all_operations_back(palette, qtbot):
    qtbot.keyClicks(palette.search, "sin")
    qtbot.keyClick(palette.search, Key.Key_Escape)
    assert palette.search.text() == ""
    assert {"parameter", "multiply", "exp"} <= set(names(palette))


def test_arrows_move_among_the_chips_and_back_to_the_search(palette, qtbot):
    palette.activateWindow()
    palette.search.setFocus()
    settle()
    qtbot.keyClick(palette.search, Key.Key_Down)
    assert palette.focusWidget() is palette.chips[0]
    qtbot.keyClick(palette.chips[0], Key.Key_Right)
    assert palette.focusWidget() is palette.chips[1]
    qtbot.keyClick(palette.chips[1], Key.Key_Down)
    below = palette.focusWidget()
    assert below.mapTo(palette, QPoint()).y() > palette.chips[1].mapTo(palette, QPoint()).y()
    for _ in range(4):
        qtbot.keyClick(palette.focusWidget(), Key.Key_Up)
    assert palette.focusWidget() is palette.search


def test_the_tab_key_stops_once_at_the_chips(palette, qtbot):
    palette.activateWindow()
    palette.search.setFocus()
    settle()
    qtbot.keyClick(palette.search, Key.Key_Tab)
    assert palette.focusWidget() is palette.chips[0]
    qtbot.keyClick(palette.chips[0], Key.Key_Tab)
    assert palette.focusWidget() is palette.search


def test_every_tip_tells_title_help_and_how_to_use_it(palette, unfolded):
    for item in palette.chips:
        tip = item.tip()
        assert item.operation.title.casefold() in tip.casefold()
        assert "Drag it onto the canvas" in tip
    assert "y = sin(x)" in chip(palette, "sin").tip()
    assert "∂y/∂x = cos(x)" in chip(palette, "sin").tip()


def test_a_larger_theme_makes_larger_chips(palette):
    before = chip(palette, "exp").sizeHint()
    palette.set_theme(PROJECTOR)
    assert chip(palette, "exp").sizeHint().height() > 1.3 * before.height()


# --- functions of the document


def make_affine(session):
    session.edit(lambda document: make_function(document, ["m", "L"], "affine"), "Make a function")


def test_a_function_of_the_graph_was_not_in_the_palette(palette, session, activated, qtbot):
    make_affine(session)
    assert [fold.text() for fold in palette.folds][:2] == ["Leaves", "Functions"]
    qtbot.mouseDClick(chip(palette, "affine"), Qt.MouseButton.LeftButton)
    assert activated == ["affine"]
    assert chip(palette, "affine").tip().startswith("affine(w0, x0, k)")
    session.undo()
    assert "affine" not in names(palette)


def test_a_function_is_found_by_typing(palette, session, activated, qtbot):
    make_affine(session)
    qtbot.keyClicks(palette.search, "aff")
    qtbot.keyClick(palette.search, Key.Key_Return)
    assert activated == ["affine"]


def test_a_function_that_nothing_calls_can_be_removed_and_one_that_is_called_says_so(palette, session):
    make_affine(session)
    heard = []
    session.message.connect(heard.append)
    remove = palette.menu_of("affine").actions()[1]
    remove.trigger()
    assert heard == ["affine is called by L; replace these by their nodes or remove them first"]
    session.edit(lambda document: inline(document, "L"), "Fold back")
    remove.trigger()
    assert not session.document.functions and "affine" not in names(palette)
