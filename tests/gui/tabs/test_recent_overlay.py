"""The page of recent files: pictures, pins, and entries taken off."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QFontMetrics, QImage
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QMenu

import cadena
from cadena.core.teaching.lessons import open_lesson
from cadena.gui.background import worker
from cadena.gui.look.theme import LIGHT, font
from cadena.gui.tabs import thumbnails
from cadena.gui.widgets.page_cards import CARD, SIZE, lines
from tests.gui.frame.test_documents import change, graph, save
from tests.gui.user import User, rest, settle
from tests.waiting import until

LEFT, NO_KEY = Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier


@pytest.fixture(autouse=True)
def cache(tmp_path, monkeypatch) -> Path:
    monkeypatch.setattr(thumbnails, "cache_folder", lambda: tmp_path / "cache")
    return tmp_path / "cache"


@pytest.fixture
def recent(user, tmp_path):
    """A user before the page with three recent files; the last one was opened last."""
    for path in save(tmp_path, "one", "other", "third"):
        user.window.files.open_path(path)
        settle()
    user.do("tab.recent")
    yield user
    if user.window.tabs.recents.shown:
        user.window.tabs.recents.toggle()


def page(user: User):
    return user.window.tabs.recents.page


def titles(user: User) -> list[str]:
    return [page(user).list.item(row).text() for row in range(page(user).list.count())]


def pictures(cache: Path) -> list[Path]:
    until(lambda: not worker.running, "a picture is still being written", settle)
    return sorted(cache.glob("*.png")) if cache.exists() else []


def test_recent_files_are_listed_newest_first_and_enter_opens_one(recent):
    assert titles(recent) == ["third", "other", "one"] and QApplication.focusWidget() is page(recent).list
    QTest.keyClick(page(recent).list, Qt.Key.Key_End)
    QTest.keyClick(page(recent).list, Qt.Key.Key_Return)
    settle()
    assert recent.session.path.stem == "one" and not page(recent).isVisible() and recent.canvas.hasFocus()


def test_the_page_began_at_the_row_of_last_time_which_was_another_files(recent):
    QTest.keyClick(page(recent).list, Qt.Key.Key_End)
    recent.press("Esc")
    recent.do("tab.recent")
    assert page(recent).list.currentRow() == 0


def test_a_click_opens_a_file_and_esc_leads_back(recent):
    item = page(recent).list.item(1)
    QTest.mouseClick(page(recent).list.viewport(), LEFT, NO_KEY, page(recent).list.visualItemRect(item).center())
    settle()
    assert recent.session.path.stem == "other"
    recent.do("tab.recent")
    recent.press("Esc")
    assert not page(recent).isVisible() and recent.canvas.hasFocus()


def test_a_pinned_file_comes_first_and_stays_when_the_list_is_cleared(recent):
    QTest.keyClick(page(recent).list, Qt.Key.Key_End)
    QTest.keyClick(page(recent).list, Qt.Key.Key_P)
    assert titles(recent) == ["one", "third", "other"]
    assert page(recent).list.currentItem().data(CARD).words.startswith("Pinned, in ")
    recent.window.settings.forget_files()
    assert [path.stem for path in recent.window.settings.recent_files] == ["one"]
    page(recent).list_files()
    QTest.keyClick(page(recent).list, Qt.Key.Key_P)
    assert recent.window.settings.recent_files == ()


def test_a_file_is_taken_off_the_list_and_stays_on_disk(recent, tmp_path):
    QTest.keyClick(page(recent).list, Qt.Key.Key_Right)
    QTest.keyClick(page(recent).list, Qt.Key.Key_Delete)
    assert titles(recent) == ["third", "one"] and (tmp_path / "other.cadena").exists()


def test_the_menu_of_an_entry_pins_it(recent):
    area = page(recent).list.visualItemRect(page(recent).list.item(2))
    page(recent).list.customContextMenuRequested.emit(area.center())
    settle()
    menu = QApplication.activePopupWidget()
    assert isinstance(menu, QMenu)
    menu.actions()[0].trigger()
    menu.close()
    rest()
    assert titles(recent)[0] == "one"


def test_a_file_that_is_gone_is_a_plain_card_and_a_sentence(recent, tmp_path):
    (tmp_path / "one.cadena").unlink()
    QTest.keyClick(page(recent).list, Qt.Key.Key_End)
    QTest.keyClick(page(recent).list, Qt.Key.Key_Return)
    settle()
    assert "one.cadena is no longer in" in recent.window.banner.text.text()
    assert not page(recent).isVisible()


def test_a_saved_file_has_a_picture(user, tmp_path, cache):
    user.answers.path = path = tmp_path / "mine.cadena"
    others = set(pictures(cache))  # of files that the tests before left open
    user.press("Ctrl+S")
    (picture,) = set(pictures(cache)) - others
    image = QImage(str(picture))
    assert image.size() == SIZE and picture.stat().st_size < 100_000
    shown = thumbnails.picture_of_file(path, user.window.theme).toImage()
    colors = {shown.pixel(x, y) for x in range(0, SIZE.width(), 4) for y in range(0, SIZE.height(), 4)}
    assert len(colors) > 5  # there are cards on it


def test_a_file_that_is_left_has_a_picture_and_one_with_changes_keeps_its_old_one(user, tmp_path, cache):
    (path,) = save(tmp_path, "one")
    user.window.files.open_path(path)
    others = set(pictures(cache))  # of files that the tests before left open
    change(user, 7.0)
    user.do("file.new")
    assert set(pictures(cache)) == others
    user.press("Ctrl+Tab")
    user.press("Ctrl+Z")
    user.press("Ctrl+Tab")
    assert len(set(pictures(cache)) - others) == 1


def test_the_open_file_had_no_picture_among_the_recent_ones(user, tmp_path, cache):
    (path,) = save(tmp_path, "one")
    user.window.files.open_path(path)
    user.do("tab.recent")
    until(lambda: page(user).picture(str(path)) is not None, "the card stays blank", settle)
    assert thumbnails.place_of(path, dark=False) in pictures(cache)
    user.press("Esc")


def test_a_picture_is_painted_anew_only_when_the_file_has_changed(user, tmp_path, cache, monkeypatch):
    (path,) = save(tmp_path, "one")
    painted: list[Path] = []
    paint = thumbnails.whole_picture
    monkeypatch.setattr(thumbnails, "whole_picture", lambda *rest: painted.append(path) or paint(*rest))
    user.window.files.open_path(path)
    for _ in range(3):
        user.do("file.new")
        pictures(cache)
        user.press("Ctrl+W")
    assert len(painted) == 1
    change(user, 7.0)
    user.press("Ctrl+S")
    assert len(painted) == 2


def test_pictures_do_not_add_up_for_ever(user, tmp_path, cache, monkeypatch):
    monkeypatch.setattr(thumbnails, "MOST_KEPT", 2)
    for path in save(tmp_path, "one", "other", "third"):
        user.window.files.open_path(path)
        user.do("file.new")
        pictures(cache)
    assert len(pictures(cache)) == 2


def test_a_cache_that_cannot_be_written_is_no_error(user, tmp_path, cache):
    pictures(cache)  # one of the document of the test before may be on its way
    shutil.rmtree(cache, ignore_errors=True)
    cache.write_text("no folder")
    user.answers.path = tmp_path / "mine.cadena"
    user.press("Ctrl+S")
    until(lambda: not worker.running, "a picture is still being written", settle)
    assert not user.session.modified and thumbnails.picture_of_file(tmp_path / "mine.cadena", user.window.theme) is None


def test_the_pictures_are_on_the_cards(user, tmp_path, cache):
    path = tmp_path / "mine.cadena"
    cadena.save(open_lesson("2"), path)
    user.window.files.open_path(path)
    cadena.save(graph(1.0), tmp_path / "plain.cadena")
    user.window.settings.remember_file(tmp_path / "plain.cadena")
    user.do("file.new")
    pictures(cache)
    user.do("tab.recent")
    assert page(user).picture(str(path)) is not None and page(user).picture(str(tmp_path / "plain.cadena")) is None
    assert not page(user).grab().isNull()
    user.window.resize(1280, 720)
    settle()
    assert page(user).geometry().bottomRight() == user.window.centralWidget().rect().bottomRight() - QPoint(0, 0)
    user.press("Esc")


def test_a_long_path_stays_within_its_card():
    metrics = QFontMetrics(font(LIGHT))
    (line,) = lines("/a" * 200, metrics, 120, 3)
    assert "…" in line and metrics.horizontalAdvance(line) <= 120
