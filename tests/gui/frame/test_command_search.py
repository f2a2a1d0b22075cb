"""The command search finds by a few letters, and is worked by keys or by mouse."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QFocusEvent, QFontMetrics
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QMainWindow, QPushButton, QStyleOptionViewItem, QWidget

from cadena.gui.frame.command_search import MAX_SHOWN, CommandSearch
from cadena.gui.look import theme as look
from cadena.gui.look.theme import LIGHT
from cadena.gui.search.catalogue import GROUPS, Entry, search
from cadena.gui.widgets.key_box import keys_width
from tests.gui.user import settle
from tests.waiting import MILLISECONDS

# --- the field


class Desk:
    """A window with a search over three entries, which note that they were run."""

    def __init__(self, qtbot) -> None:
        self.ran: list[str] = []
        self.window = QMainWindow()
        self.header = QWidget(self.window)
        self.header.resize(800, 52)
        self.search = CommandSearch(self.entries, self.header, LIGHT)
        self.other = QPushButton("other", self.window)
        self.other.move(0, 100)
        self.window.resize(800, 600)
        qtbot.addWidget(self.window)
        self.window.show()
        assert QTest.qWaitForWindowActive(self.window, MILLISECONDS)
        self.other.setFocus()

    def entries(self) -> list[Entry]:
        return [Entry(title, run=lambda title=title: self.ran.append(title)) for title in ("Play", "b1", "sin")]

    @property
    def shown(self) -> list[str]:
        return [found.name for found in self.search.shown]


@pytest.fixture
def desk(qtbot) -> Desk:
    return Desk(qtbot)


def test_opening_takes_the_focus_and_lists_everything(desk):
    desk.search.open()
    assert desk.search.hasFocus() and desk.shown == ["Play", "b1", "sin"]


def test_enter_runs_the_first_that_was_found(desk, qtbot):
    desk.search.open()
    qtbot.keyClicks(desk.search, "si")
    assert desk.shown == ["sin"]
    qtbot.keyClick(desk.search, Qt.Key.Key_Return)
    assert desk.ran == ["sin"] and not desk.shown and not desk.search.hasFocus() and desk.search.text() == ""


def test_arrows_choose_and_stop_at_the_ends(desk, qtbot):
    desk.search.open()
    for key in (Qt.Key.Key_Down, Qt.Key.Key_Down, Qt.Key.Key_Down, Qt.Key.Key_Up):
        qtbot.keyClick(desk.search, key)
    qtbot.keyClick(desk.search, Qt.Key.Key_Return)
    assert desk.ran == ["b1"]


def test_escape_runs_nothing_and_leaves(desk, qtbot):
    desk.search.open()
    qtbot.keyClicks(desk.search, "pl")
    qtbot.keyClick(desk.search, Qt.Key.Key_Escape)
    assert desk.ran == [] and not desk.shown and not desk.search.hasFocus() and desk.search.text() == ""


def test_a_click_runs_what_it_hits(desk, qtbot):
    desk.search.open()
    listed = desk.search.card.list
    place = listed.visualItemRect(listed.topLevelItem(1)).center()
    qtbot.mouseClick(listed.viewport(), Qt.MouseButton.LeftButton, pos=place)
    assert desk.ran == ["b1"]


def test_nothing_found_says_so_and_enter_does_nothing(desk, qtbot):
    desk.search.open()
    qtbot.keyClicks(desk.search, "qqq")
    assert desk.search.card.remark.text().startswith("Nothing") and desk.search.card.list.isHidden()
    qtbot.keyClick(desk.search, Qt.Key.Key_Return)
    assert desk.ran == [] and desk.search.text() == "qqq"


def test_leaving_the_field_closes_the_list(desk):
    desk.search.open()
    desk.other.setFocus()
    assert not desk.shown and not desk.search.card.isVisible() and desk.search.text() == ""


def test_the_card_stays_inside_a_window_that_changes_its_size(desk, monkeypatch):
    monkeypatch.setattr(desk.search, "source", lambda: [Entry(f"node{number}") for number in range(1000)])
    desk.search.open()
    for size in ((800, 600), (1280, 720), (900, 400), (420, 300)):
        desk.window.resize(*size)
        assert desk.window.rect().contains(desk.search.card.geometry())
        assert desk.search.card.rect().contains(desk.search.geometry())


def test_a_long_list_is_cut(desk, monkeypatch):
    monkeypatch.setattr(desk.search, "source", lambda: [Entry(f"node{number}") for number in range(1000)])
    desk.search.open()
    assert len(desk.shown) == MAX_SHOWN


# --- in the window


@pytest.mark.parametrize("typed", ["align left", "zoom to selction"])
def test_a_command_that_could_not_be_done_now_was_said_not_to_exist(user, typed):
    user.press("Esc")
    user.press("Ctrl+K")
    QTest.keyClicks(user.window.search, typed)
    first = user.window.search.shown[0]
    assert typed.split()[0] in first.name.lower()
    assert not first.usable and first.detail.startswith("not now")
    user.press("Return")
    assert "cannot be done now" in user.window.toast.text.text()


def test_high_contrast_found_no_theme(user):
    user.press("Ctrl+K")
    QTest.keyClicks(user.window.search, "high contrast")
    assert user.window.search.shown[0].name == "Theme: Contrast"


@pytest.mark.parametrize(
    ("typed", "by"), [("colour by value", "Value"), ("colour by depth", "Depth"), ("by time", "Time")]
)
def test_what_the_legend_calls_colour_was_found_by_another_word_alone(user, typed, by):
    user.press("Ctrl+K")
    QTest.keyClicks(user.window.search, typed)
    assert user.window.search.shown[0].name == f"Colour by: {by}"


def test_the_sentence_that_nothing_matches_was_elided(user):
    user.press("Ctrl+K")
    QTest.keyClicks(user.window.search, "qqq" * 30)
    remark = user.window.search.card.remark
    assert remark.wordWrap() and remark.height() >= remark.heightForWidth(remark.width())


@pytest.mark.parametrize("key", ["C", "O", "P", "W"])
def test_a_key_whose_command_did_not_fit_did_nothing_in_silence(user, key):
    user.press("Esc")
    before = user.session.document
    user.press(key)
    assert "cannot be done now: select" in user.window.toast.text.text()
    assert user.session.document is before


# --- what people type


@pytest.mark.parametrize(
    ("typed", "first"),
    [
        ("frame", "Frame selection…"), ("framing", "Frame selection…"), ("framnig", "Frame selection…"),
        ("side by side", "Compare with…"), ("trian", "Train"),
        ("video", "Export: Film…"), ("shortcut", "Keys and tasks"),
        ("big text", "Text size: Larger"), ("make text larger", "Text size: Larger"),
        ("how to make the text larger", "Text size: Larger"), ("minmap", "Minimap"), ("undo", "Undo"),
        ("matmul", "matmul"),
    ],
)  # fmt: skip
def test_what_is_meant_comes_first(user, typed, first):
    """ "frame" found a note first, "side by side" hstack, and "trian" the triangles of a matrix."""
    assert search(typed, list(user.window.search.source()))[0].name == first


def test_lern_finds_what_is_to_be_learned(user):
    found = [entry.name for entry in search("lern", list(user.window.search.source()))[:4]]
    assert "All lessons…" in found and "Train" in found


def test_entries_stand_in_groups_and_the_best_one_is_chosen(user):
    user.press("Ctrl+K")
    QTest.keyClicks(user.window.search, "gradi")
    shown, popup = user.window.search.shown, user.window.search.card
    listed = [popup.list.topLevelItem(row).text(0) for row in range(popup.list.topLevelItemCount())]
    groups = list(dict.fromkeys(entry.group for entry in shown))
    assert set(groups) <= set(GROUPS) and len(groups) > 1 and [text for text in listed if text in GROUPS] == groups
    assert popup.row == 0 and popup.list.currentItem().text(0) == shown[0].name
    middle = popup.geometry().center().x() - user.window.rect().center().x()
    assert popup.width() == 560 and abs(middle) <= 1
    user.press("Esc")


@pytest.mark.parametrize("theme", ["light", "projector"])
@pytest.mark.parametrize("size", [(1600, 1000), (1280, 720)])
def test_field_and_keys_are_uncut_at_every_size(own_user, theme, size):
    window, search = own_user.window, own_user.window.search
    window.choose_theme(theme)
    window.resize(*size)
    settle()
    own_user.press("Ctrl+K")
    settle()
    card, rows = search.card, search.card.list
    assert search.height() >= search.fontMetrics().height() + 8 and search.width() > 0.9 * card.width()
    assert card.geometry().top() > window.header.geometry().bottom() and window.rect().contains(card.geometry())
    widest = max(keys_width(entry.keys, window.theme) for entry in search.shown)
    assert rows.columnWidth(2) >= widest > 0
    assert sum(map(rows.columnWidth, range(3))) <= rows.viewport().width()


def test_a_click_on_the_field_in_the_header_opens_the_search(user):
    QTest.mouseClick(user.window.header.finder, Qt.MouseButton.LeftButton)
    assert user.window.search.hasFocus() and user.window.search.shown
    user.press("Esc")
    assert not user.window.search.card.isVisible() and user.canvas.hasFocus()


def test_the_menu_of_the_field_left_no_card_to_come_back_to(user, qtbot):
    """Its own context menu took the focus, and the search was closed under it."""
    user.press("Ctrl+K")
    QTest.keyClicks(user.window.search, "la")
    QApplication.sendEvent(user.window.search, QFocusEvent(QEvent.Type.FocusOut, Qt.FocusReason.PopupFocusReason))
    assert user.window.search.card.isVisible() and user.window.search.text() == "la"
    user.press("Esc")


def test_short_names_are_uncut(user):
    """Of nodes alone, the list left only three dots."""
    user.press("Ctrl+F")
    rows = user.window.search.card.list
    item = rows.topLevelItem(1)
    option = QStyleOptionViewItem()
    rows.initViewItemOption(option)
    option.rect = rows.visualItemRect(item)
    option.rect.setWidth(rows.columnWidth(0))
    rows.itemDelegate().initStyleOption(option, rows.indexFromItem(item, 0))
    room = rows.style().subElementRect(rows.style().SubElement.SE_ItemViewItemText, option, rows).width()
    assert room >= QFontMetrics(look.font(user.window.theme, bold=True)).horizontalAdvance(item.text(0))
    user.press("Esc")
