"""Settings survive a restart and a spoilt settings file."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import QByteArray, QSettings

from cadena.gui.files.settings import RECENT_FILES, THEME_CHOICES, Settings
from cadena.gui.panels.parts.panel_layout import PanelLayout, Side, read, written


@pytest.fixture
def reopened(tmp_path):
    """Settings that are read from the same file anew at each call, as after a restart."""

    def read() -> Settings:
        store = QSettings(str(tmp_path / "settings.ini"), QSettings.Format.IniFormat)
        opened.append(store)
        for earlier in opened:
            earlier.sync()
        return Settings(store)

    opened: list[QSettings] = []
    return read


@pytest.mark.parametrize("name", THEME_CHOICES)
def test_the_theme_is_remembered(reopened, name):
    reopened().theme = name
    assert reopened().theme == name


def test_an_unknown_theme_counts_as_the_systems(reopened):
    reopened().theme = "pink"
    assert reopened().theme == "system"


@pytest.mark.parametrize("on", [True, False])
def test_reduced_motion_is_remembered(reopened, on):
    reopened().reduce_motion = on
    assert reopened().reduce_motion is on


def test_open_panels_are_remembered(reopened):
    assert read(reopened().panel_layout) == PanelLayout()
    layout = PanelLayout().opened("code", "Code", Side.LEFT).opened("paths", "Steps", Side.RIGHT)
    reopened().panel_layout = written(layout)
    assert read(reopened().panel_layout) == layout and read("[3") == PanelLayout()


def test_places_are_remembered(reopened):
    assert reopened().place("window").isEmpty()
    reopened().set_place("window", QByteArray(b"\x00\x01here"))
    assert reopened().place("window") == QByteArray(b"\x00\x01here")


@pytest.mark.parametrize("count", [1, 2, RECENT_FILES + 3])
def test_the_last_files_are_remembered_newest_first(reopened, tmp_path, count):
    paths = [tmp_path / f"{number}.cadena" for number in range(count)]
    for path in paths:
        reopened().remember_file(path)
    assert reopened().recent_files == tuple(reversed(paths))[:RECENT_FILES]


def test_a_file_opened_again_moves_to_the_head(reopened, tmp_path):
    for name in ("a", "b", "a"):
        reopened().remember_file(tmp_path / name)
    assert reopened().recent_files == (tmp_path / "a", tmp_path / "b")


def test_files_can_be_forgotten(reopened, tmp_path):
    for name in ("a", "b"):
        reopened().remember_file(tmp_path / name)
    reopened().forget_file(tmp_path / "a")
    assert reopened().recent_files == (tmp_path / "b",)
    reopened().forget_files()
    assert reopened().recent_files == ()


def test_a_relative_path_is_remembered_as_an_absolute_one(reopened):
    reopened().remember_file(Path("here.cadena"))
    assert reopened().recent_files == (Path("here.cadena").absolute(),)


def test_a_spoilt_file_counts_as_never_set(reopened, tmp_path):
    (tmp_path / "settings.ini").write_bytes(b"[General]\ntheme=@Invalid()\nrecent-files=@ByteArray(x)\n\xff\xfe[[[")
    assert (reopened().theme, reopened().recent_files, reopened().place("window")) == ("system", (), QByteArray())
