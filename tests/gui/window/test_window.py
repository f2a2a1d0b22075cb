"""The real window: how it starts, what it remembers, how it looks, and what it does with files."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication

import cadena
from cadena.core.graph import edits
from cadena.core.graph.document import Document
from cadena.core.methods.names import Method
from cadena.core.teaching.lessons import open_lesson
from cadena.gui.export.dialogs import PictureDialog
from cadena.gui.look import theme
from cadena.gui.panels.table import PANELS
from tests.gui.conftest import leave, make_user
from tests.gui.user import User, settle, shown_dialog
from tests.waiting import until


def modify(user: User) -> Document:
    user.set_value("w0", "10")
    return user.session.document


# --- the first start


def test_the_first_start_shows_lesson_1_before_its_first_step(user):
    session = user.session
    assert set(session.document.nodes) >= {"w0", "a1", "b1", "L"} and session.time == 0.0 and not session.live
    assert session.frame.value("L") is None and session.frame.value("w0") == 2.0
    assert user.window.windowTitle().endswith("[*] — Cadena") and "chain rule" in user.window.windowTitle()
    assert not user.window.isWindowModified()


def test_the_whole_lesson_is_in_view(user):
    seen = user.canvas.rect()
    for name in user.session.document.nodes:
        assert seen.contains(user.input_port(name, 0)) and seen.contains(user.output_port(name))


def test_space_plays_at_once(user):
    user.press("Space")
    assert user.session.playback.playing


@pytest.mark.parametrize("size", [(1280, 720), (1920, 1080), (1000, 640)])
@pytest.mark.parametrize("name", ["light", "projector"])
def test_every_part_has_room_at_every_size(user, size, name):
    user.window.choose_theme(name)
    user.window.resize(*size)
    user.window.build()
    settle()
    window = user.window
    assert (window.width(), window.height()) == size
    assert window.canvas.width() >= 300 and window.canvas.height() >= 100
    count = 2 if name == "light" or size[0] > 1280 else 1  # the graph comes first
    panels = (window.inspector, window.operations)[:count]
    for part in (window.header, window.step_band, window.transport, *panels):
        assert part.isVisible() and window.rect().contains(part.mapTo(window, part.rect().bottomRight()))


# --- themes and panels


@pytest.mark.parametrize("name", ["light", "dark", "projector"])
def test_a_theme_is_followed_by_every_part_and_remembered(user, name):
    user.window.choose_theme(name)
    settle()
    look = theme.THEMES[name]
    assert user.canvas.theme is look and user.window.settings.theme == name
    picture = user.window.grab().toImage()
    for part, color in ((user.canvas, look.canvas), (user.window.step_band, look.window)):
        place = part.mapTo(user.window, part.rect().bottomLeft()) * picture.devicePixelRatio()
        assert picture.pixelColor(place.x() + 8, place.y() - 8).name() == color  # within the ring of the focus


def test_keys_choose_themes(user):
    user.do("view.theme-dark")
    assert user.window.theme is theme.DARK and user.window.menus.action("view.theme-dark").isChecked()
    user.do("view.theme-system")
    assert user.window.settings.theme == "system"


def test_the_desktops_theme_is_followed_only_when_asked_for(user, monkeypatch):
    changed = QApplication.styleHints().colorSchemeChanged
    monkeypatch.setattr("cadena.gui.look.style.desktop_is_dark", lambda: True)
    user.window.choose_theme("system")
    assert user.window.theme is theme.DARK
    monkeypatch.setattr("cadena.gui.look.style.desktop_is_dark", lambda: False)
    changed.emit(Qt.ColorScheme.Light)
    assert user.window.theme is theme.LIGHT
    user.window.choose_theme("projector")
    changed.emit(Qt.ColorScheme.Dark)
    assert user.window.theme is theme.PROJECTOR


def test_the_menu_lists_eight_panels_each_of_which_it_opens_and_closes(user):
    entries = user.window.menus.menu("View/Panels").actions()
    titles = ["Inspector", "Steps", "Numbers", "Plots", "Training", "Code", "Problems", "Lesson"]
    assert [entry.text() for entry in entries] == titles
    for entry in entries:
        before = entry.isChecked()
        parts = [user.window.panels[record.name] for record in PANELS if record.panel == entry.text()]
        for shown in (not before, before):
            entry.trigger()
            settle()
            assert any(part.isVisible() for part in parts) is shown and entry.isChecked() is shown


@pytest.mark.parametrize("panel", [record.name for record in PANELS])
def test_every_panel_closes_by_its_cross_and_by_esc(user, qtbot, panel):
    """Problems and Code had no cross, Code none by Esc either."""
    window = user.window
    for way in ("cross", "Esc", "Esc on the canvas"):
        if not window.panels[panel].isVisible():
            window.open_panel(panel)
            settle()
        dock = next(dock for dock in window.docks if dock.isAncestorOf(window.panels[panel]))
        if way == "cross":
            qtbot.mouseClick(dock.close_button, Qt.MouseButton.LeftButton)
            assert dock.isHidden()
        elif way == "Esc" or panel == "inspector":
            dock.close_button.setFocus()
            user.press("Esc")
        else:
            user.canvas.setFocus()
            user.press("Esc")
        assert window.panels[panel].isHidden() and user.canvas.hasFocus(), way


def test_another_document_gives_the_keys_to_the_canvas(user):
    """They went from the inspector's page, which was gone, to "no problems": Space opened the problems."""
    user.session.select(["w0"])
    settle()
    user.window.inspector.node.field.setFocus()
    user.session.open(open_lesson("10"), None)
    user.press("Space")
    assert user.session.playback.playing and QApplication.focusWidget() is user.canvas


def test_a_window_that_was_minimized_keeps_its_view(user):
    user.press("Ctrl++")
    before = user.canvas.camera
    user.window.showMinimized()
    settle()
    user.window.showNormal()
    settle()
    assert user.canvas.camera.zoom == before.zoom


def test_reduced_motion_is_remembered(user):
    user.do("view.reduce-motion")
    assert user.session.reduce_motion and user.window.settings.reduce_motion


def test_places_are_as_they_were_left(qapp, tmp_path):
    first = make_user(tmp_path)
    first.window.resize(800, 700)  # no larger than the screen, which here is small
    first.do("view.inspector")
    first.do("view.code")
    first.window.across.setSizes([320, 480])
    first.window.across.splitterMoved.emit(320, 1)
    width = first.window.left.width()
    leave(first)
    second = make_user(tmp_path, size=None)
    assert second.window.size().toTuple() == (800, 700) and not second.window.inspector.isVisible()
    assert second.window.panels["code"].isVisible() and second.window.left.width() == width
    leave(second)


# --- what the window says


def test_a_refused_edit_is_told_in_a_toast(user):
    user.connect("L", "m1", 0)
    assert "cycle" in user.window.toast.text.text()


def test_problems_are_counted_listed_and_found(user, qtbot):
    user.session.edit(lambda document: edits.disconnect(document, "m1", 0), "Disconnect")
    settle()
    assert user.window.header.problems.text() == "1 problem" and not user.window.problems.isVisible()
    qtbot.mouseClick(user.window.header.problems, Qt.MouseButton.LeftButton)
    assert user.window.problems.isVisible()
    user.window.problems.nodeActivated.emit("m1")
    assert user.session.selection == {"m1"}


def test_an_operation_chosen_in_the_palette_comes_onto_the_canvas(user):
    user.window.operations.operationActivated.emit("sin")
    assert user.session.document.nodes["sin1"].op == "sin" and user.session.selection == {"sin1"}


# --- the command search


def test_the_search_runs_a_command(user):
    user.press("Ctrl+K")
    user.type("dark")
    assert user.window.theme is theme.DARK and user.canvas.hasFocus()


def test_the_search_finds_a_node_and_shows_it(user):
    user.canvas.move_camera(user.canvas.camera.panned(5000.0, 0.0))
    user.press("Ctrl+K")
    user.type("b1")
    assert user.session.selection == {"b1"} and user.canvas.rect().contains(user.name_of("b1"))


def test_the_search_adds_an_operation(user):
    user.press("Ctrl+K")
    user.type("hyperbolic tangent")
    assert "tanh1" in user.session.document.nodes


def test_the_search_opens_a_lesson(user):
    modify(user)
    user.press("Ctrl+K")
    user.type("lesson 2")
    assert not user.session.modified and len(user.window.documents) == 2 and not user.answers.asked


# --- files


def test_the_title_shows_name_and_modified_mark(user, tmp_path):
    modify(user)
    assert user.window.isWindowModified()
    user.answers.path = tmp_path / "mine.cadena"
    user.press("Ctrl+S")
    assert user.window.windowTitle() == "mine[*] — Cadena" and not user.window.isWindowModified()
    user.press("Ctrl+Z")
    assert user.window.isWindowModified()


def test_a_new_graph_is_empty_and_says_how_to_begin(user):
    user.press("Ctrl+N")
    assert user.session.document == Document({}) and user.window.windowTitle() == "untitled[*] — Cadena"
    assert user.window.menus.action("run.build").isChecked()


@pytest.fixture
def file(tmp_path) -> Path:
    path = tmp_path / "small.cadena"
    cadena.save(edits.add(Document({}), "parameter", (3000.0, 3000.0), "theta", 0.5), path)
    return path


def test_a_file_dropped_on_the_canvas_opens_and_is_in_view(user, file):
    user.drop_file(user.canvas, file)
    assert set(user.session.document.nodes) == {"theta"}
    assert user.canvas.rect().contains(user.name_of("theta"))


def test_a_file_dropped_elsewhere_on_the_window_opens_too(user, file):
    user.drop_file(user.window, file)
    assert set(user.session.document.nodes) == {"theta"}


def test_a_dropped_file_does_not_cost_unsaved_work(user, file):
    changed = modify(user)
    user.drop_file(user.canvas, file)
    assert set(user.session.document.nodes) == {"theta"}
    user.press("Ctrl+Tab")
    assert user.session.document is changed and user.session.modified and not user.answers.asked


def test_the_recent_files_stand_right_below_open(user):
    names = [action.text() for action in user.window.menus.menu("File").actions()]
    assert names[names.index("Open…") + 1] == "Open recent"
    assert names.count("Open recent") == 1
    assert names[-1] == "Quit"


def test_recent_files_are_listed_in_the_menu(user, file):
    user.window.files.open_path(file)
    menu = user.window.menus.menu("File/Open recent")
    menu.aboutToShow.emit()
    assert menu.actions()[0].text() == "small.cadena"
    user.press("Ctrl+N")
    menu.actions()[0].trigger()
    assert set(user.session.document.nodes) == {"theta"}


def test_a_save_that_fails_shows_a_banner_with_a_way_out(user, tmp_path):
    changed = modify(user)
    user.answers.path = tmp_path / "none" / "x.cadena"
    user.press("Ctrl+S")
    banner = user.window.banner
    assert banner.isVisible() and "Not saved" in banner.text.text() and user.session.modified
    user.answers.path = tmp_path / "x.cadena"
    banner.buttons[0].click()
    assert cadena.load(tmp_path / "x.cadena") == changed and not banner.isVisible()


@pytest.mark.parametrize("ending", [".png", ".svg"])
def test_a_picture_is_exported(user, tmp_path, ending):
    user.answers.path = tmp_path / f"picture{ending}"
    user.press("Ctrl+Shift+E")
    shown_dialog(user, PictureDialog).save.click()
    assert (tmp_path / f"picture{ending}").stat().st_size > 1000


# --- the end


def test_quit_asks_about_unsaved_work_and_can_be_cancelled(own_user):
    modify(own_user)
    own_user.answers.leave = "cancel"
    own_user.press("Ctrl+Q")
    assert own_user.window.isVisible() and own_user.answers.asked == ["unsaved"]
    own_user.answers.leave = "discard"
    own_user.press("Ctrl+Q")
    assert not own_user.window.isVisible()


def test_a_proper_end_leaves_nothing_to_recover(own_user):
    modify(own_user)
    own_user.window.recovery.try_to_write()
    assert own_user.window.recovery.path.exists()
    own_user.window.close()
    assert not own_user.window.recovery.path.exists()


# --- the plot of error over h


@pytest.mark.parametrize("suffix", [".png", ".svg", ".csv"])
def test_the_menu_of_a_plot_exports_it_to_where_the_user_says(user, monkeypatch, tmp_path, suffix):
    monkeypatch.setattr(user.session.telling, "is_shown", False)  # its questions would hold the plot back
    user.session.open(open_lesson("13"), None)
    settle()
    plot = user.window.panels["error"].open()
    if not plot.isVisible():  # the lesson, or the test before, may have opened it
        user.do("view.error")
    try:
        until(lambda: plot.plot is not None and len(plot.plot.xs) > 0 and not plot.plot.is_quiet, "no plot", settle)
        user.answers.path = tmp_path / f"v{suffix}"
        action = next(action for action in plot.plot.menu().actions() if suffix[1:].upper() in action.text())
        action.trigger()
        assert user.answers.asked == [f"Lesson 13- small differences - error over h{suffix}"]
        assert user.answers.path.stat().st_size > 500
    finally:
        user.window.toggle_panel("error")


def test_ctrl_k_finds_it(user):
    assert any("Error over h" in entry.name for entry in user.window.search.source())


def test_space_plays_while_the_plot_has_the_keys(user, qtbot):
    user.session.open(open_lesson("13"), None)
    user.session.set_method(Method("difference"))
    user.do("view.error")
    try:
        qtbot.waitUntil(lambda: user.window.panels["error"].open().plot is not None)
        user.window.panels["error"].open().plot.setFocus()
        user.press("Space")
        assert user.session.playback.playing
        user.session.playback.pause()
        qtbot.waitUntil(lambda: user.window.panels["error"].open().sweep is not None)
        user.press("Left")
        assert user.session.method.step is not None
    finally:
        user.window.toggle_panel("error")


def test_lesson_13_says_what_opens_the_plot(user):
    text = open_lesson("13").extra["lesson"]["text"]["look"]
    assert f"type “{user.window.menus.by_id['view.error'].text.lower()}”" in text


def test_in_a_low_window_of_the_projector_the_problems_left_the_canvas_a_tenth_of_it(user):
    """1280 x 720, as many projectors have it: 100 pixels of canvas, below them the sentence of the step."""
    window = user.window
    window.choose_theme("projector")
    window.resize(1280, 720)
    user.do("view.problems")
    settle()
    assert window.canvas.height() > 250 and window.step_band.isHidden() and window.transport.isVisible()
    user.do("view.problems")
    settle()
    assert window.step_band.isVisible()
    user.session.open(open_lesson("8"), None)
    user.session.select(["y"])
    user.canvas.setFocus()
    user.do("function.gradient")  # whose choosers take room too
    settle()
    assert window.canvas.height() > 250 and window.step_band.isHidden()
    user.press("Ctrl+Backspace")
    settle()
    assert window.step_band.isVisible()
    window.choose_theme("light")
    user.do("view.problems")
    settle()
    assert window.step_band.isVisible() and window.canvas.height() > 200
    user.do("view.problems")
    window.resize(1600, 1000)
