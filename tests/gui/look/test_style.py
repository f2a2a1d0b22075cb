"""The style sheet follows the theme: its colours, its scale, and icons in the right ink."""

from __future__ import annotations

import re
from importlib.resources import files
from types import SimpleNamespace

import pytest
from PySide6.QtCore import QSettings
from PySide6.QtGui import QPalette
from PySide6.QtWidgets import (
    QApplication,
    QComboBox,
    QLabel,
    QLineEdit,
    QSpinBox,
    QStyle,
    QStyleOptionSpinBox,
    QVBoxLayout,
    QWidget,
)

from cadena.core.html_page import notebook_picture
from cadena.gui.files.settings import Settings
from cadena.gui.look import style
from cadena.gui.look.theme import DARK, LABEL, LIGHT, PROJECTOR, THEMES
from tests.gui.user import settle

ALL = pytest.mark.parametrize("theme", THEMES.values(), ids=lambda theme: theme.name)


@pytest.fixture(autouse=True)
def restore(qapp):
    yield
    style.apply(QWidget(), LIGHT)


@ALL
def test_every_colour_of_the_sheet_comes_from_the_theme(theme):
    known = {value for value in vars(theme).values() if isinstance(value, str)}
    assert set(re.findall(r"#[0-9a-f]{6}", style.sheet(theme))) <= known
    assert "$" not in style.sheet(theme)


@ALL
def test_qt_understands_the_whole_sheet(theme, qtbot, recwarn):
    widget = QWidget()
    qtbot.addWidget(widget)
    box = QVBoxLayout(widget)
    for part in (QLabel("a"), QLineEdit("b"), QComboBox()):
        box.addWidget(part)
    style.apply(widget, theme)
    widget.show()
    qtbot.waitExposed(widget)
    assert not recwarn.list


@ALL
def test_the_icons_of_the_sheet_are_there_in_the_themes_ink(theme):
    icons = files("cadena.resources").joinpath("icons")
    assert theme.text in icons.joinpath(f"chevron-{theme.name}.svg").read_text("utf-8")
    assert theme.text in icons.joinpath(f"chevron-up-{theme.name}.svg").read_text("utf-8")
    assert theme.text in icons.joinpath(f"chevron-right-{theme.name}.svg").read_text("utf-8")
    assert theme.on_strong in icons.joinpath(f"check-{theme.name}.svg").read_text("utf-8")


def test_text_and_ground_reach_every_widget_below_the_target(qtbot):
    settle()  # the shared window may still have a theme to put on
    outer = QWidget()
    qtbot.addWidget(outer)
    label = QLabel("a", outer)
    for theme in (DARK, PROJECTOR):
        style.apply(outer, theme)
        outer.show()
        qtbot.waitExposed(outer)
        assert label.palette().color(QPalette.ColorRole.WindowText).name() == theme.text
        assert label.font().pixelSize() == round(LABEL * theme.type)
        assert outer.grab().toImage().pixelColor(outer.width() - 2, outer.height() - 2).name() == theme.window


def test_the_projectors_lines_are_twice_as_thick():
    assert style.lengths(PROJECTOR)["line"] == 2 * style.lengths(LIGHT)["line"]


def test_an_application_can_be_styled_as_a_whole(qapp):
    before = qapp.styleSheet()
    style.apply(qapp, DARK)
    assert DARK.window in QApplication.instance().styleSheet()
    qapp.setStyleSheet(before)


def test_the_page_that_plays_has_the_colours_of_the_themes():
    """A page has no Qt, so its style sheet repeats the colours; here they are compared."""
    css = files("cadena.resources").joinpath("page", "player.css").read_text("utf-8")
    both = dict(re.findall(r"--([\w-]+): light-dark\((#\w+, #\w+)\);", css))
    projector = dict(re.findall(r"--([\w-]+): (#\w+);", css))
    assert len(both) == 31 and both.keys() == projector.keys()
    for name in both:
        role = name.replace("-", "_")
        assert both[name] == f"{getattr(LIGHT, role)}, {getattr(DARK, role)}", name
        assert projector[name] == getattr(PROJECTOR, role), name


def test_the_picture_in_a_notebook_has_the_colours_of_the_light_theme():
    assert {role: getattr(LIGHT, role) for role in notebook_picture.COLORS} == notebook_picture.COLORS


def test_the_type_follows_the_choice_and_stays_one_theme(user):
    """Ctrl+Alt++ makes all type larger, also on cards; the desktop's size comes back."""
    usual = user.window.theme
    user.do("view.larger-type")
    assert user.window.theme.type == 1.125 and user.canvas.theme is user.window.theme
    assert user.window.step_band.title.font().pixelSize() > 0
    user.do("view.smaller-type")
    assert user.window.theme is usual
    for _ in range(10):
        user.do("view.larger-type")
    assert user.window.theme.type == 2.0 == user.window.settings.type_scale
    user.do("view.usual-type")
    assert user.window.theme is usual


def test_type_that_is_no_number_counts_as_never_set(tmp_path):
    store = QSettings(str(tmp_path / "settings.ini"), QSettings.Format.IniFormat)
    for stored, scale in (("large", 1.5), ("nan", 1.5), ("7", 2.0), ("0", 0.75), ("1.25", 1.25)):
        store.setValue("type-scale", stored)
        assert Settings(store, usual_type=1.5).type_scale == scale


def test_the_usual_type_is_the_themes_own_for_usual_fonts(monkeypatch):
    for pixels, scale in ((12, 1.0), (16, 1.0), (20, 1.25), (32, 2.0)):
        monkeypatch.setattr(style, "QFontInfo", lambda font, pixels=pixels: SimpleNamespace(pixelSize=lambda: pixels))
        assert style.usual_type() == scale


@ALL
def test_the_arrows_of_a_number_box_were_two_blank_buttons(theme, qtbot):
    box = QSpinBox(minimum=0, maximum=9, value=5)
    qtbot.addWidget(box)
    style.apply(box, theme)
    box.show()
    option = QStyleOptionSpinBox()
    box.initStyleOption(option)
    picture = box.grab().toImage()
    for part in (QStyle.SubControl.SC_SpinBoxUp, QStyle.SubControl.SC_SpinBoxDown):
        button = box.style().subControlRect(QStyle.ComplexControl.CC_SpinBox, option, part, box)
        pixels = {
            picture.pixelColor(x, y).name()
            for x in range(button.left(), button.right())
            for y in range(button.top(), button.bottom())
        }
        assert theme.text in pixels and "#ffffff" not in pixels - {theme.field, theme.text}
