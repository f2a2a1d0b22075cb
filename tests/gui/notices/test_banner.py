"""The banner stays until it is answered."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel

from cadena.gui.look.theme import LIGHT
from cadena.gui.notices.banner import HEIGHT, Banner, NoticeItem
from cadena.gui.panels.parts import icons
from tests.gui.user import settle


def test_a_banner_offers_its_choices_and_goes_when_one_is_taken(qtbot):
    banner, taken = Banner(LIGHT, icons.draw), []
    qtbot.addWidget(banner)
    banner.ask("Not saved.", ("Save as…", lambda: taken.append("save as")))
    assert banner.isVisible() and banner.text.text() == "Not saved."
    assert [button.text().replace("&", "") for button in banner.buttons] == ["Save as…", "Close"]
    qtbot.mouseClick(banner.buttons[0], Qt.MouseButton.LeftButton)
    assert taken == ["save as"] and not banner.isVisible()


def test_a_banner_can_be_closed(qtbot):
    banner, taken = Banner(LIGHT, icons.draw), []
    qtbot.addWidget(banner)
    banner.ask("Not saved.", ("Save as…", lambda: taken.append("save as")))
    qtbot.mouseClick(banner.buttons[-1], Qt.MouseButton.LeftButton)
    assert taken == [] and not banner.isVisible()


def test_a_choice_may_ask_again(qtbot):
    banner = Banner(LIGHT, icons.draw)
    qtbot.addWidget(banner)
    banner.ask("First.", ("Again", lambda: banner.ask("Second.")))
    qtbot.mouseClick(banner.buttons[0], Qt.MouseButton.LeftButton)
    assert banner.isVisible() and banner.text.text() == "Second." and len(banner.buttons) == 1


def press(qtbot, button) -> None:
    qtbot.mouseClick(button, Qt.MouseButton.LeftButton)


def test_what_was_asked_before_was_lost_when_something_else_was_asked(qtbot):
    banner, taken = Banner(LIGHT, icons.draw), []
    qtbot.addWidget(banner)
    banner.ask("Recovered.", ("Open", lambda: taken.append("open")))
    banner.ask("Not saved.", ("Save as…", lambda: taken.append("save as")))
    assert banner.text.text() == "Not saved." and banner.more.text() == "1 more message" and banner.more.isVisible()
    press(qtbot, banner.buttons[-1])
    assert banner.isVisible() and banner.text.text() == "Recovered." and banner.more.isHidden()
    press(qtbot, banner.buttons[0])
    assert taken == ["open"] and banner.isHidden()


def test_the_same_sentence_is_not_asked_twice(qtbot):
    banner = Banner(LIGHT, icons.draw)
    qtbot.addWidget(banner)
    for sentence in ("Not saved.", "Changed on disk.", "Not saved."):
        banner.ask(sentence)
    assert banner.text.text() == "Not saved." and banner.more.text() == "1 more message"


def test_a_notice_that_is_covered_can_be_withdrawn(qtbot):
    banner = Banner(LIGHT, icons.draw)
    qtbot.addWidget(banner)
    covered = banner.ask("Cannot leave.")
    banner.ask("Not saved.")
    banner.withdraw(covered)
    assert banner.text.text() == "Not saved." and banner.more.isHidden()
    banner.withdraw(covered)  # once more does nothing
    press(qtbot, banner.buttons[0])
    assert banner.isHidden()


def test_a_notice_lists_items_with_choices_of_their_own(qtbot):
    banner, taken = Banner(LIGHT, icons.draw), []
    qtbot.addWidget(banner)
    act = lambda name: ("Open", lambda: taken.append(name))  # noqa: E731
    banner.ask("Recovered.", items=tuple(NoticeItem(name, ("not saved", "12:04"), (act(name),)) for name in "abcdef"))
    assert len(banner.rows) == 6 and banner.rows[1][0].accessibleName() == "Open: b"
    press(qtbot, banner.rows[1][0])
    assert taken == ["b"] and banner.isHidden() and not banner.rows


def test_names_from_files_are_no_markup(qtbot):
    banner = Banner(LIGHT, icons.draw)
    qtbot.addWidget(banner)
    banner.ask("<b>bold</b>", items=(NoticeItem("<i>x</i>", (), ()),))
    assert all(label.textFormat() == Qt.TextFormat.PlainText for label in banner.findChildren(QLabel) if label.text())


def test_a_sentence_of_one_line_is_as_high_as_the_row_and_its_fix_stands_at_the_right(user):
    banner = user.window.banner
    banner.ask("exp(100) overflows in float32.", ("Rewrite as exp(−x)", lambda: None))
    settle()
    assert banner.height() == HEIGHT and banner.text.geometry().right() < banner.buttons[0].geometry().left()
    picture = banner.grab().toImage()
    ground, icon = LIGHT.color("fault_ground"), LIGHT.color("fault")
    assert picture.pixelColor(4, 4) == ground and icon in [picture.pixelColor(25, row) for row in range(HEIGHT)]
    banner.withdraw_all()


def test_an_audience_read_what_a_crash_had_left_behind(user):
    banner = user.window.banner
    banner.ask("Cadena stopped unexpectedly, and one graph was not saved.")
    user.press("F5")
    assert banner.isHidden()
    banner.ask("The file has changed on disk.")
    assert banner.isHidden()
    user.window.files.openFailed.emit("The file cannot be opened.")  # which the speaker has just asked for
    assert banner.isVisible() and banner.text.text() == "The file cannot be opened." and banner.more.isHidden()
    user.press("Esc")
    assert banner.isVisible() and banner.more.text() == "2 more messages"
