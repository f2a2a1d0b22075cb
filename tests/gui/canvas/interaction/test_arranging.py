"""Cards are aligned, arranged and pushed aside: one undo step each, and they glide to their places."""

from __future__ import annotations

from PySide6.QtCore import QPoint
from PySide6.QtGui import QGuiApplication

from cadena.gui.canvas.interaction.glide_animation import DURATION
from tests.gui.user import User, settle
from tests.waiting import until


def covered(user: User) -> list[tuple[str, str]]:
    places, names = user.canvas.goal, list(user.session.document.nodes)
    return [(a, b) for a in names for b in names if a < b and places.card(a).intersects(places.card(b))]


def select(user: User, *names: str) -> None:
    user.session.select(names)
    user.canvas.setFocus()
    settle()


def test_keys_align_the_selected_cards_in_one_step(user):
    select(user, "w0", "w1", "w2")
    before = user.session.document
    user.do("align.left")
    layout = user.session.document.layout
    assert {layout[name][0] for name in ("w0", "w1", "w2")} == {0.0}
    assert user.session.history.undo_label == "Align cards"
    user.press("Ctrl+Z")
    assert user.session.document == before


def test_one_card_cannot_be_aligned(user):
    select(user, "w0")
    assert not user.window.menus.action("align.left").isEnabled()
    select(user, "w0", "w1")
    assert user.window.menus.action("align.left").isEnabled()
    assert not user.window.menus.action("align.across").isEnabled()


def test_cards_glide_to_their_places_and_come_to_rest(user):
    select(user, "w0", "w1", "w2")
    before, glide = user.session.document.layout, user.canvas.commands.arranging.glide
    user.do("align.across")
    end = user.session.document.layout
    until(lambda: glide.document is None, "the cards glide for ever", settle)
    assert end != before and user.canvas.document.layout == end and glide.state() == glide.State.Stopped


def test_a_glide_began_with_the_cards_at_their_new_places(user):
    """Qt announces no first value that is current already, as before the first glide of a window."""
    select(user, "w0", "w1", "w2")
    before, glide = user.session.document.layout, user.canvas.commands.arranging.glide
    glide.setDuration(60_000)
    glide.setCurrentTime(0)
    user.do("align.across")
    shown = user.canvas.document.layout
    glide.setDuration(DURATION)
    glide.stop_at_once()
    assert shown["w1"] != user.session.document.layout["w1"]
    assert abs(shown["w1"][0] - before["w1"][0]) < 1.0


def test_cards_do_not_glide_where_motion_is_reduced(user):
    user.session.reduce_motion = True
    select(user, "w0", "w1", "w2")
    user.do("align.left")
    assert user.canvas.commands.arranging.glide.document is None


def test_an_edit_ends_the_glide(user):
    select(user, "w0", "w1", "w2")
    user.do("align.right")
    user.press("Ctrl+Z")
    assert user.canvas.document is user.session.document


def test_arranging_all_ends_with_the_whole_graph_in_view(user):
    user.press("Ctrl+L")
    glide = user.canvas.commands.arranging.glide
    until(lambda: glide.document is None, "the cards glide for ever", settle)
    assert user.canvas.shows_all and not covered(user)


def test_the_selected_are_arranged_and_the_others_stay(user):
    select(user, "m1", "m2", "b1", "m3")
    before = user.session.document.layout
    user.do("align.arrange")
    after = user.session.document.layout
    assert all(after[name] == before[name] for name in before if name not in user.session.selection)
    assert not covered(user)


def test_a_straightened_wire_is_level(user):
    select(user, "b2")
    user.do("align.straighten")
    user.canvas.commands.arranging.glide.stop_at_once()
    places = user.canvas.places
    ends = [places.input_port("b2", slot).y() - places.output_port(name).y() for slot, name in enumerate(("w2", "a1"))]
    assert min(map(abs, ends)) < 0.5


def test_a_card_that_grows_pushes_its_neighbours_aside(user):
    """The card of an array covered those beside and below it."""
    before = user.session.document
    user.set_value("w0", "[1, 2, 3]")
    assert not covered(user)
    user.press("Ctrl+Z")
    assert user.session.document == before


def test_duplicates_and_pastes_cover_nothing(user):
    select(user, "m1", "m2", "b1")
    user.press("Ctrl+D")
    user.press("Ctrl+D")
    user.press("Ctrl+C")
    for _ in range(3):
        user.press("Ctrl+V")
    assert len(user.session.document.nodes) == 16 + 5 * 3
    assert not covered(user)


def test_text_without_places_is_laid_out_where_it_is_pasted(user):
    text = (
        '{"format": "cadena", "version": 1, "nodes": [{"name": "p", "op": "parameter", "value": 2.0},'
        ' {"name": "q", "op": "sin", "inputs": ["p"]}]}'
    )
    QGuiApplication.clipboard().setText(text)
    user.press("Ctrl+V")
    assert user.session.selection == {"p", "q"} and not covered(user)


def test_a_dragged_card_snaps_to_its_neighbours_and_not_where_that_is_off(user):
    user.do("view.zoom-100")
    grid, cards = (user.window.menus.action(name) for name in ("align.grid", "align.cards"))
    start = user.name_of("w3")
    user.drag(start, start + QPoint(0, 61))
    first = user.session.document.layout["w3"]
    assert first[0] == 400.0
    user.press("Ctrl+Z")
    for switch in (grid, cards):
        assert switch.isChecked()
        switch.trigger()
        assert not switch.isChecked()
    user.drag(start, start + QPoint(3, 61))
    assert user.session.document.layout["w3"] == (403.0, 61.0)
    for switch in (grid, cards):
        switch.trigger()
    user.press("Ctrl+Z")
    user.drag(start, start + QPoint(3, 61))
    assert user.session.document.layout["w3"][0] == 400.0
