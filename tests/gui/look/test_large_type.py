"""Large type crops nothing: chips, segments, buttons, fields and their prompts have the room that their words need."""

from __future__ import annotations

import pytest
from PySide6.QtWidgets import QAbstractButton, QComboBox, QLineEdit, QWidget

from tests.gui.user import User, calm, settle

LARGER = 4  # times


def cropped(window: QWidget) -> list[str]:
    """The controls with words that have less room than these need."""
    found = []
    for part in window.findChildren(QWidget):
        if part.visibleRegion().isEmpty() or part.objectName().startswith("qt_"):
            continue
        if (isinstance(part, QAbstractButton) and len(part.text()) > 1) or isinstance(part, QComboBox):
            needed = part.sizeHint() if isinstance(part, QAbstractButton) else part.minimumSizeHint()
            if part.width() < needed.width() - 1 or part.height() < needed.height() - 1:
                found.append(f"{type(part).__name__} {part.accessibleName()}: {part.size()} of {needed}")
        elif isinstance(part, QLineEdit):
            words, metrics = part.text() or part.placeholderText(), part.fontMetrics()
            if part.height() < metrics.height() or metrics.horizontalAdvance(words) > part.width():
                found.append(f"field {words}: {part.size()}")
    return found


def cropped_in_use(user: User) -> list[str]:
    """The controls that are cropped in Build, at a question of the lesson, or while a leaf is selected."""
    found = []
    for prepare in (
        user.session.show_live,
        lambda: user.session.set_time(16.0),
        lambda: user.session.select(["w0"]),
    ):
        prepare()
        settle()
        calm(user.window.inspector)  # which follows a frame later, and is laid out after that
        settle()
        found += cropped(user.window)
    user.session.select([])
    return found


@pytest.mark.some(2)
@pytest.mark.parametrize("theme", ["light", "projector"])
@pytest.mark.parametrize("size", [(1280, 720), (1600, 1000)])
def test_large_type_crops_no_words(own_user, theme, size):
    own_user.window.choose_theme(theme)
    own_user.window.resize(*size)
    assert cropped_in_use(own_user) == []
    for _ in range(LARGER):
        own_user.do("view.larger-type")
    assert cropped_in_use(own_user) == []


@pytest.mark.some(1)
@pytest.mark.parametrize("theme", ["light", "projector"])
def test_large_type_crops_no_words_of_a_dialog(own_user, theme):
    own_user.window.choose_theme(theme)
    for _ in range(LARGER):
        own_user.do("view.larger-type")
    for name in ("file.settings", "file.picture", "file.film", "file.handout", "file.exercise", "file.code"):
        own_user.do(name)
        dialog = own_user.window._pages.page
        settle()
        assert cropped(dialog) == [], name
        dialog.close()


@pytest.mark.parametrize("size", [(1280, 720), (1600, 1000)])
def test_three_sizes_up_the_icons_shrank_and_the_expressions_were_gone(own_user, size):
    window, canvas = own_user.window, own_user.canvas
    window.resize(*size)
    own_user.session.set_time(13.0)
    seen = [look_at(own_user)]
    for _ in range(3):
        own_user.do("view.larger-type")
        calm(window)
        assert window.expressions.isVisible() and canvas.shows_all
        seen.append(look_at(own_user))
    icons, digits, formulas = zip(*seen, strict=True)
    assert list(icons) == sorted(icons) and icons[0] < icons[-1]
    assert list(digits) == sorted(digits) and digits[0] < digits[-1]
    assert all(formula >= 0.97 * formulas[0] for formula in formulas)
    own_user.do("view.usual-type")


def look_at(user) -> tuple[float, ...]:
    """The sizes in pixels of the icons of the transport, of the digits on cards, and of the formula."""
    band, transport = user.window.step_band, user.window.transport
    formula = band.formula.lines(band.formula.width(), band.formula.height()).size
    return transport.play.width(), user.canvas.camera.zoom * user.canvas.theme.type, formula
