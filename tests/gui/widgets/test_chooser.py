"""Choosers: what they show of texts that are too long."""

from __future__ import annotations

import pytest

from cadena.gui.look import style
from cadena.gui.look.theme import THEMES
from cadena.gui.widgets.chooser import Chooser, ElidedComboBox


@pytest.mark.parametrize("theme", THEMES.values(), ids=THEMES)
def test_a_chooser_cut_its_text_off_without_a_mark(qtbot, theme):
    box = ElidedComboBox()
    qtbot.addWidget(box)
    box.setStyleSheet(style.sheet(theme))
    box.addItems(["a_name_without_an_end", "x"])
    box.resize(round(120 * theme.type), box.sizeHint().height())
    box.show()
    elided = box.shown.currentText
    assert elided.startswith("a_") and elided.endswith("d") and "…" in elided
    assert box.currentText() == "a_name_without_an_end"
    box.setCurrentIndex(1)
    assert box.shown.currentText == "x"


@pytest.mark.parametrize("theme", THEMES.values(), ids=THEMES)
def test_an_open_list_cut_its_last_entry_and_put_an_arrow_there(qtbot, theme):
    box = ElidedComboBox()
    qtbot.addWidget(box)
    box.setStyleSheet(style.sheet(theme))
    box.addItems(["zeros", "ones", "random", "random for a layer of many"])
    box.resize(80, box.sizeHint().height())
    box.show()
    box.showPopup()
    view, last = box.view(), box.model().index(3, 0)
    assert view.viewport().rect().contains(view.visualRect(last))
    assert view.verticalScrollBar().maximum() == 0
    assert view.viewport().width() >= view.sizeHintForColumn(0)
    box.hidePopup()


def test_an_open_list_stays_when_the_same_is_offered_again(qtbot):
    """Every frame of a training refilled its choosers."""
    box, changes = Chooser(), []
    qtbot.addWidget(box)
    box.show_only(["SGD", "Adam"], "SGD")
    box.model().rowsRemoved.connect(lambda *_: changes.append("removed"))
    box.show_only(["SGD", "Adam"], "Adam")
    assert box.currentData() == "Adam" and not changes
    box.show_only(["SGD", "Adam", "RMSProp"], "RMSProp")
    assert box.currentData() == "RMSProp" and box.count() == 3
