"""Going to another part of the graph, and back."""

from __future__ import annotations

from dataclasses import replace

import pytest
from PySide6.QtCore import QRectF, QSizeF
from PySide6.QtWidgets import QApplication

from cadena.core.graph import edits
from cadena.core.graph.document import Document, Node, as_value
from cadena.gui.commands.navigation import BOOKMARKS
from tests.gui.user import settle


def chain(count: int) -> Document:
    """A long row of operations, far larger than the view."""
    nodes = {"x0": Node("x0", "parameter", value=as_value(1.0))}
    layout = {"x0": (0.0, 0.0)}
    for at in range(1, count):
        nodes[f"x{at}"] = Node(f"x{at}", "sin", inputs=(f"x{at - 1}",))
        layout[f"x{at}"] = (200.0 * at, 150.0 * (at % 7))
    return Document(nodes, output=f"x{count - 1}", layout=layout)


@pytest.fixture
def large(user):
    user.session.open(chain(90), None)
    user.do("view.fold-repeats")
    user.canvas.folds.finish()
    user.session.show_live()
    settle()
    user.canvas.zoom_to_fit()
    user.window.settings.map_shown = True
    user.session.set_shown(replace(user.session.shown, has_map=True))
    return user


def seen(user) -> QRectF:
    return user.canvas.camera.visible(QSizeF(user.canvas.size()))


def test_zoom_to_selection_fills_the_view_with_it(large):
    large.session.select(["x40", "x43"])
    large.press("Shift+F")
    both = large.canvas.places.card("x40").united(large.canvas.places.card("x43"))
    assert seen(large).contains(both) and seen(large).width() < 3 * both.width()


def test_without_a_selection_it_is_not_offered(large):
    before = large.canvas.camera
    large.press("Shift+F")
    assert large.canvas.camera == before


def test_back_and_forward_go_where_jumps_began(large):
    whole = large.canvas.camera
    large.session.select(["x40"])
    large.press("Shift+F")
    near = large.canvas.camera
    large.do("view.zoom-100")
    large.do("view.back")
    assert large.canvas.camera == near
    large.do("view.back")
    assert large.canvas.camera == whole
    large.do("view.back")  # nothing is before the first
    assert large.canvas.camera == whole
    large.do("view.forward")
    assert large.canvas.camera == near


def test_a_new_jump_ends_the_way_forward(large):
    large.session.select(["x40"])
    large.press("Shift+F")
    large.do("view.back")
    large.do("view.zoom-100")
    before = large.canvas.camera
    large.do("view.forward")
    assert large.canvas.camera == before


def test_another_document_has_no_way_back(large):
    large.do("view.zoom-100")
    large.session.open(chain(80), None)
    settle()
    before = large.canvas.camera
    large.do("view.back")
    assert large.canvas.camera == before


@pytest.fixture
def edited(large):
    """With an edit: a graph in which nothing was done gives its tab away."""
    large.session.edit(lambda document: edits.set_value(document, "x0", 2.0), "Set x0")
    yield large
    while len(large.window.documents) > 1:
        large.window.documents.take(len(large.window.documents) - 1)


def test_back_and_forward_lead_through_tabs(edited):
    whole = edited.canvas.camera
    edited.session.select(["x40"])
    edited.press("Shift+F")
    near, count = edited.canvas.camera, len(edited.session.document.nodes)
    edited.do("file.new")
    assert not edited.session.document.nodes and len(edited.window.documents) == 2
    edited.do("view.back")
    assert len(edited.session.document.nodes) == count and edited.canvas.camera == near
    edited.do("view.back")
    assert edited.canvas.camera == whole
    edited.do("view.forward")
    edited.do("view.forward")
    assert not edited.session.document.nodes
    edited.do("view.back")
    assert len(edited.session.document.nodes) == count and edited.canvas.camera == near


def test_the_way_back_was_lost_in_another_tab_and_does_not_lead_to_a_closed_one(edited):
    whole = edited.canvas.camera
    edited.session.select(["x40"])
    edited.press("Shift+F")
    near = edited.canvas.camera
    edited.window.documents.make_room(beside=True)
    edited.session.open(chain(5), None)
    settle()
    edited.do("view.zoom-100")
    edited.window.documents.take(1)
    settle()
    assert edited.canvas.camera == near
    edited.do("view.back")  # to where the other tab was opened
    edited.do("view.back")
    assert edited.canvas.camera == whole


def test_a_node_that_is_found_can_be_read(large):
    assert large.canvas.camera.zoom < 0.4
    large.press("Ctrl+F")
    large.type("x57")
    assert large.session.selection == {"x57"} and large.canvas.hasFocus()
    assert large.canvas.camera.zoom >= 0.6
    assert seen(large).contains(large.canvas.places.card("x57"))
    large.do("view.back")
    assert large.canvas.camera.zoom < 0.4


def test_a_node_was_not_found_by_its_operation(large):
    large.session.edit(lambda now: edits.add(now, "cross_entropy", (0.0, 400.0), "fused"), "Add fused")
    large.press("Ctrl+F")
    large.type("entropy")
    assert large.session.selection == {"fused"}


def test_a_node_that_is_found_lands_in_the_middle(large):
    canvas = large.canvas
    for name in ("x40", "x41", "x89"):  # far off, beside it, and at the end
        canvas.commands.navigation.find(name, canvas.walk.go)
        settle()
        away = seen(large).center() - canvas.places.card(name).center()
        assert abs(away.x()) < 2.0 and abs(away.y()) < 2.0


def test_find_lists_nodes_alone(large):
    large.press("Ctrl+F")
    listed = {entry.name for entry in large.window.search.shown}
    assert listed and listed <= set(large.session.document.nodes)
    large.press("Esc")
    large.press("Ctrl+K")
    assert any(entry.name == "Undo" or entry.name == "New" for entry in large.window.search.shown)
    large.press("Esc")


def test_nothing_is_found_and_nothing_happens(large):
    before = large.canvas.camera
    large.press("Ctrl+F")
    large.type("no such node")
    assert large.canvas.camera == before and large.session.selection == frozenset()
    QApplication.focusWidget() and large.press("Esc")


def test_bookmarks_lead_back_to_their_views(large):
    large.session.select(["x40"])
    large.press("Shift+F")
    near = seen(large).center()
    large.do("view.bookmark")
    large.press("F")
    large.do("view.next-bookmark")
    assert (seen(large).center() - near).manhattanLength() < 1.0
    assert [mark.name for mark in large.canvas.commands.navigation.bookmarks] == ["x40"]
    assert large.session.modified


def test_bookmarks_have_names_of_their_own_and_can_be_undone(large):
    large.do("view.bookmark")
    large.do("view.bookmark")
    names = [mark.name for mark in large.canvas.commands.navigation.bookmarks]
    assert len(set(names)) == 2
    large.press("Ctrl+Z")
    assert [mark.name for mark in large.canvas.commands.navigation.bookmarks] == names[:1]
    large.do("view.remove-bookmark")
    assert large.canvas.commands.navigation.bookmarks == ()


def test_the_menu_lists_the_bookmarks(large):
    menu = large.window.menus.menu(BOOKMARKS)
    before = len(menu.actions())
    large.do("view.bookmark")
    menu.aboutToShow.emit()
    assert len(menu.actions()) == before + 2, "a line and the bookmark"
    large.do("view.remove-bookmark")
    menu.aboutToShow.emit()
    assert len(menu.actions()) == before


def test_without_bookmarks_it_is_said(large):
    said: list[str] = []
    large.session.message.connect(said.append)
    large.do("view.next-bookmark")
    assert "Bookmarks" in said[-1]


def test_the_map_is_a_choice_that_is_remembered(large):
    from cadena.gui.canvas.rendering import minimap

    large.do("view.zoom-100")
    assert minimap.area(large.canvas.scene) is not None
    large.do("view.map")
    assert minimap.area(large.canvas.scene) is None and not large.window.settings.map_shown
    large.do("view.map")
    assert minimap.area(large.canvas.scene) is not None


def test_a_bookmark_of_an_empty_canvas_has_a_name(user):
    user.session.open(Document({}), None)
    settle()
    user.do("view.bookmark")
    assert [mark.name for mark in user.canvas.commands.navigation.bookmarks] == ["the empty canvas"]
