"""The real window, without a screen, with settings and recovery copies of its own."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QSettings


def make_user(qtbot, folder: Path):
    """A user before the window with lesson 1, as after the first start."""
    from core.lessons import open_lesson
    from gui.recovery import Recovery
    from gui.session import Session
    from gui.settings import Settings
    from gui.window import Window
    from tests.gui.user import Answers, User, settle

    settings = Settings(QSettings(str(folder / "settings.ini"), QSettings.Format.IniFormat))
    session, answers = Session(open_lesson("1")), Answers()
    window = Window(session, settings, Recovery(session, folder / "recovery"), answers)
    window.resize(1600, 1000)
    window.show()
    qtbot.waitActive(window)
    settle()
    return User(window, answers)


@pytest.fixture
def user(qtbot, tmp_path) -> Iterator:
    from tests.gui.user import settle

    made = make_user(qtbot, tmp_path)
    yield made
    made.session.pause()
    made.answers.leave = "discard"
    made.window.close()
    made.window.deleteLater()
    settle()
