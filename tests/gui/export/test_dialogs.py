"""What is taken home from the window: settings, a place, progress, and a way to give up; by mouse and keys."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication, QImage
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QWidget

from cadena.core.expressions.reading import parse
from cadena.core.graph.document import Document
from cadena.gui.background.tasks import Tasks
from cadena.gui.export import dialogs
from cadena.gui.export.dialogs import ExerciseDialog, FilmDialog, HandoutDialog, PictureDialog
from cadena.gui.look.theme import DARK
from tests.gui.export.test_film import needs_ffmpeg
from tests.gui.export.test_pdf import pages
from tests.gui.user import User, settle, shown_dialog
from tests.waiting import until


@pytest.fixture(autouse=True)
def _closed(user: User) -> Iterator[None]:
    yield
    if user.window._pages.page is not None:
        user.window._pages.page.hide()
    user.window.activateWindow()
    settle()


def opened(user: User, command: str, kind: type[Any]) -> Any:
    user.window.activateWindow()
    user.canvas.setFocus()
    settle()
    user.do(command)
    dialog = shown_dialog(user, kind)
    assert dialog is not None
    return dialog


def click(widget: QWidget) -> None:
    QTest.mouseClick(widget, Qt.MouseButton.LeftButton)
    settle()


def test_a_picture_has_the_size_and_the_theme_that_are_chosen(user, tmp_path):
    user.session.set_time(21.0)
    dialog = opened(user, "file.picture", PictureDialog)
    dialog.sizes.setCurrentText("900 x 500")
    dialog.themes.setCurrentText("dark")
    user.answers.path = tmp_path / "x.png"
    click(dialog.save)
    image = QImage(str(tmp_path / "x.png"))
    assert (image.width(), image.height()) == (900, 500) and image.pixelColor(0, 0).name() == DARK.window
    assert not dialog.isVisible()


def test_a_picture_is_copied_as_pixels_and_as_a_drawing(user):
    user.session.set_time(13.0)
    dialog = opened(user, "file.picture", PictureDialog)
    dialog.sizes.setCurrentText("800 × 600")
    click(dialog.copy)
    copied = QGuiApplication.clipboard().mimeData()
    assert copied is not None and copied.hasImage() and QGuiApplication.clipboard().image().width() == 800
    assert b"<svg" in copied.data("image/svg+xml").data()


@pytest.mark.parametrize("text", ["", "huge", "50 × 50", "99999 × 100"])
def test_what_is_no_size_is_said_in_one_sentence(user, text, tmp_path):
    dialog = opened(user, "file.picture", PictureDialog)
    dialog.sizes.setCurrentText(text)
    user.answers.path = tmp_path / "x.png"
    click(dialog.save)
    assert "is not a size; write width × height, each from 100 to 8192 pixels" in dialog.sentence.whole
    assert dialog.isVisible() and not list(tmp_path.iterdir())


def test_a_film_says_how_long_it_is_and_that_a_section_cannot_be(user):
    dialog = opened(user, "file.film", FilmDialog)
    assert dialog.sentence.whole.startswith("439 frames, 14.6 seconds.")
    dialog.speed.setCurrentText("2")
    assert dialog.sentence.whole.startswith("250 frames, 8.3 seconds.")
    dialog.first.setValue(10)
    dialog.last.setValue(10)
    assert dialog.sentence.whole.startswith("A film from step 10 to step 10: there is no such section")


def in_small(user: User) -> FilmDialog:
    """The dialog, for a film of a few small frames."""
    dialog = opened(user, "file.film", FilmDialog)
    dialog.sizes.setCurrentText("320 × 180")
    dialog.fps.setValue(3)
    dialog.last.setValue(2)
    return dialog


def test_numbered_pictures_are_written(user, tmp_path):
    dialog = in_small(user)
    user.answers.path = tmp_path / "x.png"
    said: list[str] = []
    user.session.message.connect(said.append)
    click(dialog.save)
    assert len(list(tmp_path.glob("x-*.png"))) == 11 and not dialog.isVisible()
    assert said == ["Exported x-%04d.png"]


@needs_ffmpeg
def test_a_film_is_written_and_the_dialog_closes(user, tmp_path):
    dialog = in_small(user)
    user.answers.path = tmp_path / "x.gif"
    click(dialog.save)
    assert (tmp_path / "x.gif").read_bytes().startswith(b"GIF89a") and not dialog.isVisible()


def test_without_ffmpeg_the_dialog_says_how_to_install_it(user, tmp_path, monkeypatch):
    from cadena.core.graph.fault import Refused
    from cadena.gui.export.encoder import INSTALL, MISSING

    def missing() -> str:
        raise Refused(MISSING, INSTALL)

    monkeypatch.setattr(dialogs, "ffmpeg", missing)
    dialog = opened(user, "file.film", FilmDialog)
    assert "seconds. Films need FFmpeg" in dialog.sentence.whole  # before a name is asked for
    assert dialog.sentence.whole.endswith("pages (.pdf) need nothing.")
    user.answers.path = tmp_path / "x.mp4"
    click(dialog.save)
    assert dialog.sentence.whole.endswith("install it with: pip install imageio-ffmpeg.")
    assert dialog.isVisible() and dialog.save.isEnabled()


def test_the_steps_are_pages_of_a_pdf(user, tmp_path):
    dialog = opened(user, "file.film", FilmDialog)
    dialog.first.setValue(18)
    user.answers.path = tmp_path / "x.pdf"
    click(dialog.save)
    assert pages((tmp_path / "x.pdf").read_bytes()) == 3 and not dialog.isVisible()


@pytest.mark.parametrize(("wanted", "count"), [(False, 2), (True, 4)])
def test_a_handout_has_blanks_if_they_are_wanted(user, tmp_path, wanted, count):
    dialog = opened(user, "file.handout", HandoutDialog)
    if wanted:
        dialog.blanks.click()
    user.answers.path = tmp_path / "x.pdf"
    click(dialog.save)
    assert pages((tmp_path / "x.pdf").read_bytes()) == count and not dialog.isVisible()


def type_names(dialog: ExerciseDialog, *names: str) -> None:
    """Write names into the field as a user does, a line each."""
    click(dialog.names.viewport())
    for name in names:
        QTest.keyClicks(dialog.names, name)
        QTest.keyClick(dialog.names, Qt.Key.Key_Return)
    settle()


@pytest.mark.parametrize("name", ["x.pdf", "x.html"])
def test_each_student_of_a_class_gets_a_sheet(user, tmp_path, name):
    dialog = opened(user, "file.exercise", ExerciseDialog)
    type_names(dialog, "Anna", "Ben")
    user.answers.path = tmp_path / name
    click(dialog.save)
    until(lambda: (tmp_path / name).exists(), "no sheet is written", settle)
    content = (tmp_path / name).read_bytes()
    assert pages(content) == 2 if name == "x.pdf" else content.count(b"<section>") == 2
    assert not dialog.isVisible() and user.session.document == user.session.whole


def test_names_can_be_typed_as_soon_as_a_sheet_is_asked_for(user):
    dialog = opened(user, "file.exercise", ExerciseDialog)
    QTest.keyClicks(QApplication.focusWidget(), "Anna")
    assert dialog.names.toPlainText() == "Anna"


def test_names_that_are_missing_or_twice_are_told_before_a_place_is_asked_for(user, tmp_path):
    dialog = opened(user, "file.exercise", ExerciseDialog)
    user.answers.path = tmp_path / "x.pdf"
    click(dialog.save)
    assert dialog.sentence.whole == "There is no name; write the names of the students, one a line."
    type_names(dialog, "Anna", "anna")
    click(dialog.save)
    assert dialog.sentence.whole == "Line 2: anna is in line 1 already; add what tells the two apart."
    assert dialog.isVisible() and not list(tmp_path.iterdir())


def test_a_graph_that_makes_no_exercise_is_told_in_the_dialog(user, tmp_path):
    user.session.open(parse("L = 1e9 * x"), None)
    settle()
    dialog = opened(user, "file.exercise", ExerciseDialog)
    type_names(dialog, "Anna")
    user.answers.path = tmp_path / "x.pdf"
    click(dialog.save)
    assert dialog.sentence.whole.startswith("No small numbers were found with which")
    assert dialog.isVisible() and not list(tmp_path.iterdir())


def test_numbered_pictures_that_are_given_up_were_said_not_to_be_written(user, tmp_path, monkeypatch):
    monkeypatch.setattr(Tasks, "patience", 0)
    monkeypatch.setattr(Tasks, "unseen", 0)
    dialog = opened(user, "file.film", FilmDialog)
    dialog.sizes.setCurrentText("320 × 180")
    user.answers.path = tmp_path / "x.png"
    click(dialog.save)
    (task,) = user.session.tasks.under_way
    until(lambda: task.is_shown and len(list(tmp_path.iterdir())) > 3, "no picture is written", settle)
    click(user.window.task_notice.rows[0].cancel)
    count = len(list(tmp_path.glob("x-*.png")))
    sentence = f"x-%04d.png: cancelled; the {count} pictures that were written stay"
    assert user.window.toast.text.whole == sentence


@pytest.mark.parametrize(
    ("keys", "kind", "name"),
    [
        ("file.film", FilmDialog, "x.pdf"),
        ("file.handout", HandoutDialog, "x.pdf"),
        pytest.param("file.film", FilmDialog, "x.mp4", marks=needs_ffmpeg),
        pytest.param("file.film", FilmDialog, "x.gif", marks=needs_ffmpeg),
    ],
)
def test_pages_that_took_seconds_could_not_be_given_up(user, tmp_path, monkeypatch, keys, kind, name):
    monkeypatch.setattr(Tasks, "patience", 0)
    monkeypatch.setattr(Tasks, "unseen", 0)
    dialog = opened(user, keys, kind)
    user.answers.path = tmp_path / name
    click(dialog.save)
    notice = user.window.task_notice
    (task,) = user.session.tasks.under_way
    until(lambda: task.is_shown and task.share is not None, "no page is written", settle)
    assert notice.isVisible() and notice.rows[0].text.text() == f"Exporting {name}" and not dialog.isVisible()
    click(notice.rows[0].cancel)
    assert not notice.isVisible() and not list(tmp_path.iterdir())
    assert user.window.toast.text.text() == f"Exporting {name}: cancelled"


def test_a_page_opens_at_the_step_that_is_shown(user, tmp_path):
    user.session.set_time(12.0)
    user.answers.path = tmp_path / "x.html"
    user.do("file.page")
    assert '"start":12' in (tmp_path / "x.html").read_text("utf-8")


def test_an_export_that_cannot_be_saved_says_so(user, tmp_path):
    dialog = opened(user, "file.handout", HandoutDialog)
    user.answers.path = Path(tmp_path / "no" / "x.pdf")
    click(dialog.save)
    assert "cannot be saved" in user.window.banner.text.whole and user.window.banner.isVisible()


def test_without_steps_there_is_nothing_to_film(user):
    user.session.open(Document({}), None)
    settle()
    commands = {command.id: command for command in user.window.menus.commands}
    assert not commands["file.film"].enabled() and not commands["file.handout"].enabled()
    assert not commands["file.exercise"].enabled()
