"""The graph's room, and the rest of the window when nothing happens."""

from __future__ import annotations

from collections import Counter

import pytest
from PySide6.QtCore import QEvent, QObject
from PySide6.QtWidgets import QApplication

from cadena.core.teaching.lessons import open_lesson
from cadena.gui.background import worker
from cadena.gui.files.recovery.keeper import Recovery
from cadena.gui.panels.table import PANELS
from cadena.gui.session.session import Session
from cadena.gui.window.window import Window
from tests.gui.user import calm, rest, settle
from tests.waiting import until

SMALL = (1280, 720)
WORK = {QEvent.Type.LayoutRequest, QEvent.Type.Resize, QEvent.Type.Paint, QEvent.Type.UpdateRequest}
LOOKS = [(theme, presenting) for theme in ("light", "dark", "projector") for presenting in (False, True)]


class Watch(QObject):
    """Counts the events that cost work."""

    def __init__(self) -> None:
        super().__init__()
        self.seen = Counter[str]()

    def eventFilter(self, watched, event) -> bool:
        if event.type() in WORK:
            self.seen[f"{event.type().name} of {type(watched).__name__}"] += 1
        return False


def lay_out(user, theme: str, presenting: bool) -> None:
    user.window.choose_theme(theme)
    if presenting:
        user.press("F5")
    user.window.resize(*SMALL)
    settle()


@pytest.mark.some(1)
@pytest.mark.parametrize(("theme", "presenting"), LOOKS)
def test_a_window_at_rest_was_laid_out_again_and_again(user, theme, presenting):
    """The room of the formula followed the layout, and the layout the room: a whole core was busy with it."""
    lay_out(user, theme, presenting)
    for name in ("1", "5", "13", "17"):
        user.session.open(open_lesson(name), None)
        user.session.set_time(3.0)
        until(lambda: is_calm(user) and not seen_in_a_while(user), "the window never rests", settle)
        assert seen_in_a_while(user) == Counter(), name


def is_calm(user) -> bool:
    """Whether nothing is computed any more, and no panel still has to follow."""
    calm(user.window, user.session)
    return not worker.running


def seen_in_a_while(user) -> Counter[str]:
    watch = Watch()
    QApplication.instance().installEventFilter(watch)
    for _ in range(10):
        rest()
    QApplication.instance().removeEventFilter(watch)
    return watch.seen


def test_the_graph_keeps_half_of_a_low_window_in_the_projectors_type(user):
    """Menu, tools, the lesson's text, the step and the transport left it 43 %."""
    lay_out(user, "projector", presenting=False)
    for lesson in ("1", "5", "7", "12", "14"):
        user.session.open(open_lesson(lesson), None)
        settle()
        close_beside(user)
        until(lambda: 2 * user.canvas.height() >= user.window.height(), f"lesson {lesson} is too low", settle)
        assert user.window.desk.story_shown and user.window.transport.isVisible()
    assert user.window.transport.theme.type == 1.0 < user.window.theme.type
    user.window.choose_theme("light")
    settle()
    assert user.window.transport.theme == user.window.theme


def close_beside(user) -> None:
    """Close what the lesson shows beside or below its graph."""
    for panel in PANELS:
        if user.window.panels[panel.name].isVisible():
            user.window.toggle_panel(panel.name)
    settle()


def test_the_palette_gives_way_to_the_graph_and_a_panel_to_the_one_opened_last(user):
    """In a narrow window; both are there again as soon as there is room."""
    user.window.build()
    palette, inspector, code = user.window.operations, user.window.inspector, user.window.panels["code"]
    lay_out(user, "projector", presenting=False)
    assert palette.isHidden() and inspector.isVisible()
    user.do("view.code")
    assert code.isVisible() and inspector.isHidden()
    user.press("F5")
    assert code.isHidden()
    user.press("Esc")
    assert code.isVisible() and inspector.isHidden(), "as it was before the presentation"
    user.window.choose_theme("light")
    user.window.resize(1600, 1000)
    settle()
    assert code.isVisible() and inspector.isVisible() and palette.isHidden()
    user.do("view.code")
    assert palette.isVisible()


def test_the_inspector_was_lost_after_another_panel_had_taken_its_place(user, tmp_path):
    """The right side stayed empty, now and after the next start, until somebody pressed F7."""
    user.window.resize(*SMALL)
    panels = user.window.panels
    user.window.build()
    for command, name in (("view.tensor", "tensor"), ("view.nodes", "nodes"), ("view.code", "code")):
        side = user.window.inspector if name != "code" else user.window.operations
        user.do(command)
        assert panels[name].isVisible() and side.isHidden()
        user.do(command)
        assert panels[name].isHidden() and side.isVisible(), command
    user.do("view.tensor")
    user.do("view.nodes")
    again = Window(Session(open_lesson("1")), user.window.settings, Recovery(user.session, tmp_path), user.answers)
    again.resize(*SMALL)
    again.show()
    settle()
    assert again.panels["nodes"].isVisible(), "what was open last is there after a start"
    again.toggle_panel("nodes")
    assert again.inspector.isVisible() and again.panels["tensor"].isHidden()
    again.toggle_panel("inspector")
    again.toggle_panel("tensor")
    again.toggle_panel("tensor")
    assert again.inspector.isHidden(), "the user has closed it"
    again.toggle_panel("inspector")
    again.close()
    again.deleteLater()
    settle()
