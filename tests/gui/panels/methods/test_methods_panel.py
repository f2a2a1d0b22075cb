"""The comparison of all methods: folded until it is wanted, and closed again."""

from __future__ import annotations

from cadena.core.graph.document import Document
from cadena.gui.panels.methods.methods_panel import NOTHING
from tests.gui.user import settle


def test_it_opens_from_the_menu_of_methods_and_closes_again(user):
    """It stood in the inspector below every node."""
    dock, panels = user.window.dock, user.window.panels
    assert panels["methods"].isHidden() and dock.parts.isHidden()
    entry = user.window.header.method.menu().actions()[-1]
    entry.trigger()
    settle()
    assert panels["methods"].isVisible() and entry.isChecked()
    assert [dock.parts.tabText(at) for at in range(dock.parts.count())] == ["Node", "Methods"]
    panel = panels["methods"].content
    assert "w0" in panel.title.text() and panel.table.name == "w0"
    user.session.select(["w1"])
    panel.follow()
    assert panel.table.name == "w1"
    user.canvas.setFocus()
    user.press("Esc")
    user.press("Esc")
    assert user.window.inspector.isVisible() and dock.parts.isHidden() and not entry.isChecked()


def test_without_an_output_it_says_what_is_missing(user):
    user.session.open(Document({}), None)
    user.do("view.methods")
    panel = user.window.panels["methods"].content
    assert panel.title.text() == NOTHING and panel.table.isHidden()
