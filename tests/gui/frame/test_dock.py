"""The dock: tabs of what applies, one width for every panel, a cross, and Esc."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QScrollArea

from cadena.core.teaching.lessons import open_lesson
from cadena.gui.panels.parts.panel_layout import Side
from cadena.gui.panels.table import PANELS
from tests.gui.user import User, settle

LEFT = Qt.MouseButton.LeftButton


def shown(bar) -> list[str]:
    return [bar.tabText(place) for place in range(bar.count())]


def click(bar, text: str) -> None:
    QTest.mouseClick(bar, LEFT, pos=bar.tabRect(shown(bar).index(text)).center())
    settle()


@pytest.mark.parametrize(("size", "width"), [((1600, 1000), 344), ((1280, 720), 304)])
def test_every_panel_has_the_width_of_the_dock(user: User, size, width):
    user.window.resize(*size)
    settle()
    dock = user.window.dock
    for record in PANELS:
        if record.side is Side.RIGHT:
            if user.window.panels[record.name].isHidden():
                user.window.toggle_panel(record.name)
            settle()
            assert dock.width() == width and dock.open_record is record
            assert user.window.panels[record.name].width() == width


@pytest.mark.parametrize("name", [record.name for record in PANELS if record.side is Side.RIGHT])
def test_what_a_panel_holds_was_cut_at_its_edge_in_a_small_window(user: User, name):
    """The fields of the training and the views of an array, and words of tabs where there were five."""
    user.session.open(open_lesson("16"), None)
    user.session.select(["W1"])
    user.window.resize(1280, 720)
    user.window.open_panel(name)
    settle()
    dock, panel = user.window.dock, user.window.panels[name]
    assert panel.minimumSizeHint().width() <= panel.width() == dock.width()
    for area in filter(QScrollArea.isVisible, panel.findChildren(QScrollArea)):
        if area.widget() is not None:
            assert area.widget().minimumSizeHint().width() <= area.viewport().width()
    for bar in (dock.tabs, dock.parts):
        last = bar.tabRect(bar.count() - 1)
        assert last.right() <= bar.width() and user.window.panels.records[name].panel in shown(dock.tabs)


def test_a_tab_leads_to_the_panel_and_its_part_is_remembered(user: User):
    dock = user.window.dock
    assert shown(dock.tabs) == ["Inspector", "Steps", "Lesson"] and dock.parts.isHidden()
    click(dock.tabs, "Steps")
    assert shown(dock.parts) == ["Predict", "Paths", "Matrices"]
    click(dock.parts, "Paths")
    assert user.window.panels["paths"].isVisible() and user.window.panels["predict"].isHidden()
    click(dock.tabs, "Inspector")
    assert user.window.inspector.isVisible() and user.window.panels["paths"].isHidden()
    click(dock.tabs, "Steps")
    assert user.window.panels["paths"].isVisible()


def test_a_panel_without_a_subject_has_no_tab(user: User):
    user.session.open(open_lesson("5"), None)
    settle()
    dock = user.window.dock
    assert "Numbers" not in shown(dock.tabs)
    names = user.session.document.nodes
    tensor = next(name for name in names if getattr(user.session.run.value(name), "size", 1) > 1)
    user.session.select([tensor])
    assert "Numbers" in shown(dock.tabs)
    user.press("Ctrl+N")
    assert "Lesson" not in shown(dock.tabs) and "Steps" not in shown(dock.tabs)


def test_the_cross_closes_the_dock_and_the_graph_has_its_room(user: User):
    user.window.toggle_panel("paths")
    settle()
    before = user.canvas.width()
    QTest.mouseClick(user.window.dock.close_button, LEFT)
    settle()
    assert user.window.dock.isHidden() and user.canvas.width() == before + 344
    user.do("view.inspector")
    assert user.window.inspector.isVisible()


def test_esc_closes_the_panel_that_has_the_keys(user: User):
    user.window.inspector.graph.title.setFocus()
    user.press("Esc")
    assert user.window.dock.isHidden() and user.canvas.hasFocus()


def test_the_palette_is_for_building(user: User):
    assert user.window.operations.isHidden()
    user.press("B")
    assert user.window.operations.isVisible()
    user.press("B")
    assert user.window.operations.isHidden()


def test_plots_training_and_problems_stand_beside_or_below_the_graph_by_choice(user: User):
    window, panels = user.window, user.window.panels
    user.do("view.contour")
    QTest.mouseClick(window.dock.move_button, LEFT)
    settle()
    assert (
        window.below.isAncestorOf(panels["contour"]) and panels["contour"].isVisible() and window.inspector.isVisible()
    )
    click(window.below.parts, "Error")
    assert window.below.isAncestorOf(panels["error"]) and panels["error"].isVisible()
    user.press("Ctrl+N")
    user.press("Ctrl+Tab")
    assert panels["error"].isVisible()
    QTest.mouseClick(window.below.move_button, LEFT)
    settle()
    assert window.dock.isAncestorOf(panels["error"]) and window.below.isHidden()
    user.do("view.inspector")
    assert window.dock.move_button.isHidden()
