"""Every command is defined once; menus, keys, the command search and the page of keys all come from its record."""

from __future__ import annotations

from collections import Counter

import pytest
from PySide6.QtGui import QKeySequence
from PySide6.QtWidgets import QApplication, QDialog, QMenu

from cadena.gui.canvas.rendering.cards import NEVER, NOT_YET
from cadena.gui.commands.menus import MENUS
from cadena.gui.frame.command import Command, key_text
from cadena.gui.frame.help_pages import KeysPage
from cadena.gui.look.theme import LIGHT, THEMES
from cadena.gui.session.graph_edits import set_value
from tests.gui.user import User, calm, shown_dialog


def all_commands(user: User) -> tuple[Command, ...]:
    return user.window.menus.commands


def texts(menu: QMenu) -> list[str]:
    return [action.text() for action in menu.actions() if not action.isSeparator()]


# --- the table


def test_every_command_has_its_own_name(user):
    assert not [name for name, count in Counter(command.id for command in all_commands(user)).items() if count > 1]


def test_no_two_commands_share_a_key(user):
    keys = Counter(QKeySequence(key).toString() for command in all_commands(user) for key in command.keys)
    assert "" not in keys and not [key for key, count in keys.items() if count > 1]


def test_no_two_commands_share_a_key_in_a_presentation(user):
    held = Counter(QKeySequence(key).toString() for item in all_commands(user) for key in item.keys_when(True))
    assert "" not in held and not [key for key, count in held.items() if count > 1]


def test_there_are_some_120_entries_and_60_keys(user, capsys):
    """227 entries and 216 keys hid the best of what there is; all commands without an entry are found by Ctrl+K."""
    entries = sum(len(group) for groups in MENUS.values() for group in groups)
    keyed = [command for command in all_commands(user) if command.keys]
    keys = sum(len(command.keys) for command in keyed)
    with capsys.disabled():
        print(f"\n{entries} menu entries; {len(keyed)} commands have a key, {keys} keys with their alternatives")
    assert entries <= 126 and len(keyed) <= 62 and keys <= 65


def test_every_menu_is_in_the_bar_or_in_a_menu_and_holds_commands_once(user):
    bar = [action.text().replace("&", "") for action in user.window.menuBar().actions()]
    assert bar == [path for path in MENUS if "/" not in path]
    held = [entry for groups in MENUS.values() for group in groups for entry in group]
    assert [entry for entry, count in Counter(held).items() if count > 1] == []
    assert {path for path in MENUS if "/" in path} == {entry for entry in held if "/" in entry}


def test_no_letter_opens_a_tab_or_changes_the_graph_without_undo_in_reach(user):
    """U opened a new tab and E took a node apart, each without a word."""
    letters = [key for command in all_commands(user) for key in command.keys if len(key) == 1]
    assert letters
    for key in letters:
        for node in ("b1", "w0", "a1"):
            user.click(user.name_of(node))
            before, tabs = user.session.document, len(user.window.documents)
            user.press(key)
            assert len(user.window.documents) == tabs, key
            if user.session.document is not before:
                assert user.window.toast.undo.isVisible(), key
                user.press("Ctrl+Z")
            user.press("Esc")


def test_every_command_that_can_be_used_is_found_by_the_search(user):
    usable = [command for command in all_commands(user) if command.enabled() and command.id != "help.search"]
    found = [entry.name for entry in user.window.search.source()]
    assert all(any(title.endswith(command.shown_text) for title in found) for command in usable)


def test_the_page_of_keys_names_every_command_with_its_keys(user, qtbot):
    page = KeysPage(user.window, all_commands(user), LIGHT)
    qtbot.addWidget(page)
    shown = page.text.toPlainText()
    for command in all_commands(user):
        assert command.text in shown and (not command.keys or key_text(command.keys[0]) in shown)


@pytest.mark.parametrize("theme", THEMES.values(), ids=lambda theme: theme.name)
def test_the_page_of_keys_explains_marks_and_colours(user, qtbot, theme):
    page = KeysPage(user.window, all_commands(user), theme)
    qtbot.addWidget(page)
    shown, source = page.text.toPlainText(), page.text.toHtml()
    assert shown.strip().startswith("Marks on a card")
    assert all(mark in shown for mark in (NOT_YET, NEVER))
    for role in ("value", "gradient", "tangent", "fault", "value_low", "value_high", "gradient_low", "gradient_high"):
        assert f"color:{getattr(theme, role)}" in source.replace(" ", ""), role


def test_the_page_of_keys_finds_a_task(user, qtbot):
    user.press("F1")
    page = shown_dialog(user, KeysPage)
    qtbot.keyClicks(page.field, "framnig")
    assert page.text.toPlainText().strip().startswith("Frame selection…")
    page.field.setText("move the view")
    assert "middle button" in page.text.toPlainText()
    page.field.setText("not yet")
    assert page.text.toPlainText().strip().startswith("Not yet: the pass has not come here")
    page.field.setText("qqqq")
    assert page.text.toPlainText() == "Nothing matches “qqqq”; try another name or word."
    page.close()


@pytest.mark.parametrize(("key", "text"), [("Right", "→"), ("Ctrl+Up", "Ctrl+↑"), ("Ctrl++", "Ctrl++"), (".", ".")])
def test_keys_are_shown_as_people_write_them(qapp, key, text):
    assert key_text(key) == text


# --- menus follow the session


def test_undo_names_what_it_takes_back(user):
    undo = user.window.menus.action("edit.undo")
    assert undo.text() == "Undo" and not undo.isEnabled()
    user.set_value("w0", "10")
    calm(user.window.menus)
    assert undo.text() == "Undo Set w0" and undo.isEnabled()
    user.press("Ctrl+Z")
    assert user.window.menus.action("edit.redo").text() == "Redo Set w0" and not undo.isEnabled()


def test_a_key_right_after_an_edit_finds_the_commands_up_to_date(user):
    user.session.edit(*set_value("w0", 10.0))
    user.press("Ctrl+Z")
    user.press("Ctrl+Y")
    assert user.session.document.nodes["w0"].value == 10.0


def test_commands_follow_an_edit_of_themselves_a_frame_later(user, qtbot):
    undo = user.window.menus.action("edit.undo")
    user.session.edit(*set_value("w0", 10.0))
    assert not undo.isEnabled()
    qtbot.waitUntil(undo.isEnabled)


def test_what_needs_a_selection_is_enabled_by_one(user):
    names = ("edit.cut", "edit.copy", "edit.duplicate", "edit.delete", "edit.rename", "graph.output")
    assert not any(user.window.menus.action(name).isEnabled() for name in names)
    user.click(user.name_of("b1"))
    assert all(user.window.menus.action(name).isEnabled() for name in names)
    assert not user.window.menus.action("edit.value").isEnabled()
    user.click(user.name_of("w0"))
    assert user.window.menus.action("edit.value").isEnabled()


def test_play_becomes_pause_while_it_plays(user):
    user.press("Space")
    assert user.session.playback.playing and user.window.menus.action("run.play").text() == "Pause"
    user.press("Space")
    assert not user.session.playback.playing and user.window.menus.action("run.play").text() == "Play"


def test_marks_follow(user):
    assert not user.window.menus.action("run.build").isChecked()
    user.press("B")
    assert user.window.menus.action("run.build").isChecked() and user.session.live
    user.press("B")
    assert not user.window.menus.action("run.build").isChecked()


# --- keys


@pytest.mark.parametrize(("key", "goal"), [("Right", 4.0), ("Left", 2.0), ("Home", 0.0), ("End", 21.0)])
def test_keys_move_through_time(user, key, goal):
    user.session.reduce_motion = True
    user.session.set_time(3.0)
    user.press(key)
    assert user.session.time == goal


@pytest.mark.parametrize(("command", "speed"), [("run.faster", 2.0), ("run.slower", 0.5)])
def test_commands_change_the_speed(user, command, speed):
    user.do(command)
    assert user.session.playback.speed == speed


def test_r_loops(user):
    user.press("R")
    assert user.session.playback.loop and user.window.menus.action("run.loop").isChecked()


def test_arrows_move_cards_in_build_mode_and_time_in_play_mode(user):
    user.session.reduce_motion = True
    user.click(user.name_of("b1"))
    user.press("Right")
    assert user.session.time == 1.0 and not user.session.modified
    user.press("B")
    user.press("Right")
    assert user.session.modified and user.session.live and user.session.history.undo_label == "Move b1"


def test_a_space_in_a_name_field_is_written_and_does_not_play(user):
    user.window.operations.search.setFocus()
    user.press("B")
    user.press("Space")
    assert user.window.operations.search.text() == "b " and not user.session.playback.playing and not user.session.live


def test_delete_in_a_field_deletes_a_letter_and_no_node(user):
    before = user.session.document
    user.click(user.name_of("w0"))
    user.press("F2")
    user.press("Home")
    user.press("Del")
    assert QApplication.focusWidget().text() == "0" and user.session.document is before
    user.press("Esc")
    assert user.session.document is before


def test_copy_paste_duplicate_and_delete_by_key(user):
    count = len(user.session.document.nodes)
    user.click(user.name_of("w0"))
    user.press("Ctrl+C")
    user.press("Ctrl+V")
    assert len(user.session.document.nodes) == count + 1
    user.press("Ctrl+D")
    assert len(user.session.document.nodes) == count + 2
    user.press("Del")
    assert len(user.session.document.nodes) == count + 1
    user.press("Ctrl+A")
    assert len(user.session.selection) == count + 1
    user.press("Ctrl+X")
    assert not user.session.document.nodes


def test_the_kind_of_a_leaf_is_changed(user):
    user.click(user.name_of("a1"))
    user.do("graph.kind-parameter")
    assert user.session.document.nodes["a1"].op == "parameter" and user.session.run.gradient("a1") == -41.0
    user.do("graph.kind-constant")
    assert user.session.document.nodes["a1"].op == "constant" and user.session.run.gradient("a1") is None


def test_a_gradient_of_an_input_is_asked_for_by_key(user):
    user.click(user.name_of("a1"))
    user.press("G")
    assert user.session.run.gradient("a1") == -41.0 and user.window.menus.action("graph.gradient").isChecked()
    user.press("G")
    assert user.session.run.gradient("a1") is None


def test_another_operation_is_chosen_by_key_and_name(user):
    user.click(user.name_of("b1"))
    user.press("C")
    user.type("multiplication")
    assert user.session.document.nodes["b1"].op == "multiply" and user.session.run.value("b1") == 120.0


def test_a_node_is_disconnected(user):
    user.click(user.name_of("b1"))
    user.do("graph.disconnect")
    assert user.session.document.nodes["b1"].inputs == (None, None)
    assert (
        user.session.document.nodes["m3"].inputs == ("w3", None) and user.session.history.undo_label == "Disconnect b1"
    )


def test_an_output_is_chosen_by_key(user):
    user.click(user.name_of("b1"))
    user.press("O")
    assert user.session.document.output == "b1" and user.session.run.gradient("w0") == 4.0


def test_zoom_by_key(user):
    before = user.canvas.camera.zoom
    user.press("Ctrl++")
    assert user.canvas.camera.zoom > before
    user.press("Ctrl+-")
    user.press("Ctrl+-")
    assert user.canvas.camera.zoom < before
    user.do("view.zoom-100")
    assert user.canvas.camera.zoom == 1.0
    user.press("F")
    assert user.canvas.camera.zoom == pytest.approx(before)


def test_a_node_is_added_by_key_and_name(user):
    user.press("A")
    user.type("sin")
    assert user.session.document.nodes["sin1"].op == "sin"


def test_arrange_is_one_undo_step(user):
    before = user.session.document
    user.drag(user.name_of("w0"), user.name_of("L"))
    moved = user.session.document
    user.press("Ctrl+L")
    assert user.session.document.layout != moved.layout
    user.press("Ctrl+Z")
    assert user.session.document == moved
    user.press("Ctrl+Z")
    assert user.session.document == before


@pytest.mark.parametrize("command", ["help.keys", "help.about", "file.settings"])
def test_help_and_settings_open_beside_the_work(user, command):
    user.do(command)
    user.do(command)
    (page,) = (page for page in user.window.findChildren(QDialog) if page.isVisible())
    assert not page.isModal()
    page.close()


def test_escape_with_nothing_to_close_says_nothing(user):
    """It said that “Put away” cannot be done now."""
    user.press("Esc")
    user.press("Esc")
    assert not user.window.toast.isVisible()
