"""The gallery of lessons in the window, with real keys and clicks; its pictures go to a cache of the test."""

from __future__ import annotations

import errno
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QFontMetrics, QImage
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from cadena.core.graph.document import Document
from cadena.core.teaching.lessons import lessons
from cadena.gui.lessons import lesson_thumbnails
from cadena.gui.look.theme import LIGHT, font
from cadena.gui.widgets.page_cards import lines
from tests.gui.user import LEFT, settle
from tests.waiting import until


@pytest.fixture
def cache(tmp_path, monkeypatch):
    monkeypatch.setattr(lesson_thumbnails, "cache_folder", lambda: tmp_path / "cache")
    return tmp_path / "cache"


@pytest.fixture
def gallery(user, cache):
    user.press("Ctrl+Shift+L")
    settle()
    repaint(user.window.desk.gallery)
    yield user.window.desk.gallery
    if user.window.desk.gallery_shown:
        user.window.desk.toggle_gallery()


def repaint(gallery):
    """Forget the pictures of the tests before."""
    gallery.pictures._pictures.clear()
    gallery.fit()


def all_painted(gallery):
    until(
        lambda: all(gallery.pictures.picture(lesson.name) for lesson in lessons()),
        "the pictures of all lessons",
        meanwhile=settle,
    )


def title(user):
    return user.session.document.title


def test_every_lesson_has_its_picture(user, gallery, cache):
    all_painted(gallery)
    images = {lesson.name: gallery.pictures.picture(lesson.name).toImage() for lesson in lessons()}
    for image in images.values():
        colors = {image.pixel(x, y) for x in range(0, image.width(), 3) for y in range(0, image.height(), 3)}
        assert len(colors) > 10  # something is painted
    assert images["first_chain_rule"] != images["order_matters"]
    assert len(list(cache.iterdir())) == len(lessons())


def test_pictures_come_from_the_cache_the_next_time(user, gallery, cache, monkeypatch):
    all_painted(gallery)
    kept = {path: path.stat().st_mtime_ns for path in cache.iterdir()}
    monkeypatch.setattr(lesson_thumbnails, "picture_of", lambda *_: pytest.fail("painted again"))
    repaint(gallery)
    all_painted(gallery)
    assert {path: path.stat().st_mtime_ns for path in cache.iterdir()} == kept


def test_a_cache_that_cannot_be_written_or_read_costs_only_time(user, cache):
    cache.write_text("a file where the folder should be")
    user.press("Ctrl+Shift+L")
    gallery = user.window.desk.gallery
    repaint(gallery)
    all_painted(gallery)
    assert gallery.isVisible() and cache.read_text() == "a file where the folder should be"
    user.press("Esc")


def test_a_spoilt_picture_is_painted_again(user, gallery, cache):
    all_painted(gallery)
    for path in cache.iterdir():
        path.write_bytes(b"spoilt")
    repaint(gallery)
    all_painted(gallery)
    assert not any(QImage(str(path)).isNull() for path in cache.iterdir())


def test_half_a_picture_on_a_full_disk_was_kept_for_ever(user, cache, monkeypatch):
    write = Path.write_bytes

    def fill(path: Path, data: bytes) -> None:
        write(path, data[: len(data) // 2])
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(Path, "write_bytes", fill)
    user.press("Ctrl+Shift+L")
    repaint(user.window.desk.gallery)
    all_painted(user.window.desk.gallery)
    assert list(cache.glob("*.png")) == []
    user.press("Esc")


def test_arrows_and_enter_open_a_lesson(user, gallery):
    assert QApplication.focusWidget() is gallery.list
    assert gallery.list.currentItem().text() == "1  first chain rule"
    user.press("Right")
    user.press("Return")
    assert title(user) == "Lesson 2: two paths" and not gallery.isVisible()
    assert QApplication.focusWidget() is user.canvas


def test_a_click_opens_a_lesson(user, gallery):
    item = gallery.list.item(6)
    QTest.mouseClick(
        gallery.list.viewport(), LEFT, Qt.KeyboardModifier.NoModifier, gallery.list.visualItemRect(item).center()
    )
    settle()
    assert title(user) == "Lesson 7: where autodiff fails" and not gallery.isVisible()


def test_escape_and_the_button_lead_back_to_the_graph(user, gallery):
    user.press("Esc")
    assert not gallery.isVisible() and QApplication.focusWidget() is user.canvas and title(user).startswith("Lesson 1")
    user.press("Ctrl+Shift+L")
    QTest.mouseClick(gallery.close_button, LEFT)
    settle()
    assert not gallery.isVisible()


def test_the_open_lesson_is_marked(user, gallery):
    user.press("Esc")
    user.window.files.open_lesson("12")
    user.press("Ctrl+Shift+L")
    assert gallery.list.currentItem().text() == "12  by symbols"


def test_a_lesson_leaves_unsaved_work_open(user, gallery):
    user.press("Esc")
    user.press("Ctrl+N")
    user.session.edit(lambda document: Document({}, title="mine"), "Name it")
    user.press("Ctrl+Shift+L")
    user.press("Return")
    assert title(user).startswith("Lesson ") and not gallery.isVisible() and not user.answers.asked
    user.press("Ctrl+Shift+Tab")
    assert title(user) == "mine"


@pytest.mark.some(2)
@pytest.mark.parametrize("size", [(900, 600), (1280, 720), (1920, 1080)])
@pytest.mark.parametrize("theme", ["light", "projector"])
def test_cards_fill_the_rows_and_none_is_wider_than_the_page(user, gallery, size, theme):
    user.window.resize(*size)
    user.window.choose_theme(theme)
    settle()
    boxes = [gallery.list.visualItemRect(gallery.list.item(row)) for row in range(gallery.list.count())]
    room = gallery.list.viewport().width()
    assert max(box.right() for box in boxes) <= room
    in_a_row = len({box.left() for box in boxes})
    assert in_a_row * boxes[0].width() > 0.9 * room  # no empty column
    assert gallery.geometry().bottom() == gallery.parentWidget().rect().bottom()


def test_a_long_summary_ends_in_dots(qapp):
    metrics = QFontMetrics(font(LIGHT))
    text = "a summary of many words that never ends " * 8
    listed = lines(text, metrics, 200, 3)
    assert len(listed) == 3 and listed[-1].endswith("…")
    assert all(metrics.horizontalAdvance(line) <= 200 for line in listed)
    assert lines("two words", metrics, 200, 3) == ["two words"]
    assert lines("", metrics, 200, 3) == []
