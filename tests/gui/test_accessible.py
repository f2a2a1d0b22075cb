"""Every control has a name and a description for screen readers, on every page, panel and dialog."""

from __future__ import annotations

from collections.abc import Iterable

import pytest
from PySide6.QtCore import Qt, QTimer
from PySide6.QtGui import QAccessible
from PySide6.QtWidgets import (
    QAbstractSpinBox,
    QApplication,
    QComboBox,
    QDialogButtonBox,
    QHeaderView,
    QLabel,
    QListView,
    QMenu,
    QScrollArea,
    QScrollBar,
    QTabBar,
    QWidget,
)

from cadena.core.teaching.lessons import lessons
from cadena.gui.files.questions import Dialogs
from cadena.gui.panels.table import PANELS
from tests.gui.user import settle

PARTS = (QHeaderView, QScrollBar, QScrollArea)  # of Qt's own controls, which speak for them


def controls(root: QWidget) -> list[QWidget]:
    """All that takes the keys in a widget, seen now or not."""
    in_menus = {widget for menu in root.findChildren(QMenu) for widget in menu.findChildren(QWidget)}  # pyqtgraph's own
    return [widget for widget in (root, *root.findChildren(QWidget)) if is_control(widget) and widget not in in_menus]


def is_control(widget: QWidget) -> bool:
    gives_on = widget.focusProxy() is not None
    if widget.focusPolicy() is Qt.FocusPolicy.NoFocus or gives_on or isinstance(widget, PARTS):
        return False
    around = widget.parent()
    is_list_of_box = isinstance(widget, QListView) and isinstance(getattr(around, "parent", lambda: None)(), QComboBox)
    return not is_list_of_box and not isinstance(around, QComboBox | QAbstractSpinBox | QTabBar)


def silent(root: QWidget) -> list[str]:
    """The controls in a widget of which a screen reader would say too little."""
    return [f"{where(widget)}: {', '.join(lacks)}" for widget in controls(root) if (lacks := lacking(widget))]


def lacking(widget: QWidget) -> list[str]:
    text = QAccessible.queryAccessibleInterface(widget).text
    answers = isinstance(widget.parent(), QDialogButtonBox) or isinstance(widget, QLabel)  # the words of a box say all
    lacks = [] if text(QAccessible.Text.Name) or widget.accessibleName() else ["a name"]
    return lacks + ([] if answers or text(QAccessible.Text.Description) else ["a description"])


def where(widget: QWidget) -> str:
    names = [type(widget).__name__]
    while (widget := widget.parentWidget()) is not None:
        names.append(type(widget).__name__)
    return " in ".join(names[:4])


def seen_windows() -> Iterable[QWidget]:
    return (window for window in QApplication.topLevelWidgets() if window.isVisible())


@pytest.mark.some(2)
@pytest.mark.parametrize("lesson", [one.name for one in lessons()][::3])
def test_every_control_of_the_window_is_named(user, lesson):
    user.window.files.open_lesson(lesson)
    settle()
    for name in list(user.session.document.nodes)[:: max(1, len(user.session.document.nodes) // 4)]:
        user.session.select([name])
        user.window.inspector.follow()
        settle()
        assert silent(user.window) == []


@pytest.mark.some(4)
@pytest.mark.parametrize("panel", [record.name for record in PANELS])
def test_every_control_of_a_panel_is_named(user, panel):
    user.window.files.open_lesson("where_autodiff_fails" if panel == "problems" else "custom_layer")
    user.pass_questions()  # which would hold back the end
    user.session.set_time(float("inf"))
    opened = user.window.panels[panel]
    if opened.isHidden():
        user.window.toggle_panel(panel)
    settle()
    assert (controls(opened) or panel == "text") and silent(opened) == []


@pytest.mark.parametrize("kind", ["picture", "film", "handout", "exercise"])
def test_every_control_of_an_export_is_named(user, kind):
    user.window.open_export(kind)
    settle()
    page = user.window._pages.page
    assert silent(page) == []
    page.close()


@pytest.mark.parametrize("command", ["help.keys", "help.about"])
def test_every_control_of_a_page_is_named(user, command):
    user.window.menus.run(command)
    settle()
    page = user.window._pages.page
    assert controls(page) and silent(page) == []
    page.close()


@pytest.mark.parametrize("command", ["lesson.all", "tab.recent", "compare.reverse"])
def test_every_control_beside_the_graph_is_named(user, command):
    user.window.menus.run(command)
    settle()
    silent_ones = silent(user.window)
    user.window.menus.run("compare.toggle" if command == "compare.reverse" else command)
    settle()
    assert silent_ones == []


def test_every_control_of_the_speakers_window_is_named(user):
    user.window.menus.run("stage.speaker")
    settle()
    others = [window for window in seen_windows() if window is not user.window]
    assert others and [line for window in others for line in silent(window)] == []
    user.window.menus.run("stage.speaker")
    settle()


@pytest.mark.parametrize("question", ["unsaved", "all_unsaved", "changed_on_disk"])
def test_every_answer_to_a_question_is_named(user, question):
    found: list[str] = []

    def look() -> None:
        box = QApplication.activeModalWidget()
        found.extend([*silent(box), f"asked: {bool(controls(box))}"])
        box.reject()

    QTimer.singleShot(0, user.window, look)
    getattr(Dialogs(user.window), question)(["net", "loss"] if question == "all_unsaved" else "net")
    assert found == ["asked: True"]


def test_a_control_without_a_name_is_found(user):
    """What keeps the tests above honest."""
    from PySide6.QtWidgets import QPushButton

    bare = QPushButton()
    assert lacking(bare) == ["a name", "a description"]
