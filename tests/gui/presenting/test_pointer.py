"""What a speaker points with: a pointer, a spotlight, a magnifier, on the stage and in the window."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QEvent, QPoint, QPointF, Qt
from PySide6.QtGui import QColor, QMouseEvent
from PySide6.QtWidgets import QApplication

from cadena.gui.canvas.rendering import painting
from cadena.gui.presenting.pointer import AIDS
from tests.gui.user import NO_KEY, calm, settle

KEYS = {"pointer": "P", "spotlight": "S", "magnifier": "M"}


@pytest.fixture(autouse=True)
def nothing_stays_in_hand(shared_user):
    yield
    shared_user.window.stage.pointing.put_away()
    shared_user.session.select([])


@pytest.fixture(params=[True, False], ids=["stage", "window"])
def speaker(user, request):
    """A user who presents, or does not."""
    if request.param:
        user.press("F5")
        calm(user.window)  # the graph has its share of the height when the layouts have come to rest
    return user


def take(user, aid: str) -> None:
    """Take an aid, or put it away, with the mouse over nothing."""
    if user.window.presenting:
        user.press(KEYS[aid])
    else:
        user.do(f"stage.{aid}")
    move_to(user, QPoint(2, 2))


def pointing(user):
    return user.window.stage.pointing


def move_to(user, place: QPoint) -> None:
    """The mouse as the system reports it to the window, wherever in it."""
    handle, none = user.window.windowHandle(), Qt.MouseButton.NoButton
    overall = QPointF(user.window.mapToGlobal(place))
    event = QMouseEvent(QEvent.Type.MouseMove, QPointF(place), overall, none, none, NO_KEY)
    QApplication.sendEvent(handle, event)
    settle()


def on_window(user, place: QPoint) -> QPoint:
    return user.canvas.mapTo(user.window, place)


def pixel(user, place: QPoint) -> QColor:
    return user.window.grab().toImage().pixelColor(place)


@pytest.mark.parametrize("aid", AIDS)
def test_a_key_takes_an_aid_and_esc_puts_it_away(speaker, aid):
    presenting = speaker.window.presenting
    speaker.session.select(["b1"])
    take(speaker, aid)
    assert pointing(speaker).aid == aid and pointing(speaker).isVisible()
    assert speaker.window.menus.action(f"stage.{aid}").isChecked()
    speaker.press("Esc")
    assert not pointing(speaker).aid and not pointing(speaker).isVisible()
    assert speaker.window.presenting == presenting and speaker.session.selection == {"b1"}
    speaker.press("Esc")
    assert not speaker.window.presenting


@pytest.mark.parametrize("aid", AIDS)
def test_the_same_key_puts_it_away_and_another_takes_its_place(speaker, aid):
    other = AIDS[AIDS.index(aid) - 1]
    take(speaker, aid)
    take(speaker, other)
    assert pointing(speaker).aid == other
    take(speaker, other)
    assert not pointing(speaker).aid and not pointing(speaker).isVisible()


@pytest.mark.parametrize("aid", AIDS)
def test_a_clickers_keys_go_on_working(user, aid):
    user.session.reduce_motion = True
    user.press("F5")
    take(user, aid)
    for step in (1, 2, 3):
        user.press("PgDown")
        assert user.session.time == step
    user.press("PgUp")
    user.press("B")
    assert user.session.time == 2 and user.window.stage.curtain.isVisible()
    assert pixel(user, user.window.rect().center()).name() == "#000000"
    user.press("PgDown")
    assert not user.window.stage.curtain.isVisible() and pointing(user).aid == aid
    user.press("F5")
    assert not user.window.presenting and not pointing(user).aid


def test_the_pointer_is_at_the_mouse_also_beside_the_graph(speaker):
    take(speaker, "pointer")
    for widget in (speaker.canvas, speaker.window.step_band.title, speaker.window.transport):
        place = widget.mapTo(speaker.window, widget.rect().center())
        before = pixel(speaker, place)
        move_to(speaker, place)
        assert (pointing(speaker).geometry().center() - place).manhattanLength() <= 2
        shown = pixel(speaker, place)
        assert shown.blue() < before.blue() and shown.red() > 100, "there is no yellow at the mouse"
    take(speaker, "pointer")


def test_the_spotlight_leaves_light_at_the_mouse_alone(speaker):
    lit, dark = (on_window(speaker, speaker.name_of(name) + QPoint(0, -25)) for name in ("w0", "L"))
    before = pixel(speaker, lit), pixel(speaker, dark)
    take(speaker, "spotlight")
    for here, there in ((lit, dark), (dark, lit)):
        move_to(speaker, here)
        assert pixel(speaker, here) == before[here is dark]
        assert pixel(speaker, there).lightness() < 0.6 * before[there is dark].lightness()


def test_the_mouse_still_works_below(speaker):
    for aid in AIDS:
        take(speaker, aid)
        place = speaker.name_of("b1")
        move_to(speaker, on_window(speaker, place))
        speaker.click(place)
        assert speaker.session.selection == {"b1"}, aid
        speaker.session.select([])


def test_the_magnifier_takes_the_node_under_the_mouse_else_the_selected_one_else_that_of_the_step(speaker):
    speaker.session.set_time(3.0)
    at = speaker.session.frame.step
    take(speaker, "magnifier")
    glass = pointing(speaker)
    assert glass.node == (at.operand or at.node)
    speaker.session.select(["w3"])
    assert glass.node == "w3"
    move_to(speaker, on_window(speaker, speaker.name_of("a2")))
    assert glass.node == "a2"
    move_to(speaker, QPoint(2, 2))
    assert glass.node == "w3"
    speaker.session.select([])
    speaker.session.set_time(4.0)
    assert glass.node == (speaker.session.frame.step.operand or speaker.session.frame.step.node)


def test_the_magnified_card_is_whole_and_much_larger(speaker):
    take(speaker, "magnifier")
    canvas, glass = speaker.canvas, pointing(speaker)
    ground = canvas.rect().translated(canvas.mapTo(speaker.window, QPoint()))
    for name in ("w0", "a1", "L", "c"):
        move_to(speaker, on_window(speaker, speaker.name_of(name)))
        assert glass.node == name and ground.adjusted(-1, -1, 1, 1).contains(glass.geometry())
        card = canvas.camera.transform.mapRect(canvas.places.card(name))
        assert glass.zoom >= 1.5 * canvas.camera.zoom and glass.height() > 1.5 * card.height()


def test_the_magnifier_shows_what_the_card_shows_and_no_label_on_it(user, monkeypatch):
    """A label of the wire lay over the gradient of the card."""
    user.press("F5")
    user.press("End")
    take(user, "magnifier")
    scenes = []
    paint = painting.static_layer.paint
    monkeypatch.setattr(
        painting.static_layer,
        "paint",
        lambda painter, scene, **how: scenes.append(scene) or paint(painter, scene, **how),
    )
    move_to(user, on_window(user, user.name_of("m1")))
    pointing(user).grab()
    scene = scenes[-1]
    assert scene.frame is user.session.frame or scene.frame.time == user.session.time
    assert not scene.labelled and scene.camera.visible(scene.view).contains(user.canvas.places.card("m1"))


def test_without_a_node_nothing_is_magnified(user):
    user.press("Ctrl+N")
    take(user, "magnifier")
    assert pointing(user).aid == "magnifier" and not pointing(user).isVisible()
    user.press("Esc")


def test_moving_the_light_paints_no_more_of_the_window_than_where_it_was_and_is(user):
    user.press("F5")
    take(user, "spotlight")
    corner = on_window(user, user.canvas.rect().bottomLeft()) + QPoint(20, -20)
    move_to(user, corner)
    painted = []
    glass = pointing(user)
    paint = glass._paint_dark
    glass._paint_dark = lambda painter, area: painted.append(area) or paint(painter, area)
    move_to(user, corner + QPoint(9, -5))
    assert painted and all(
        area.width() * area.height() < user.window.width() * user.window.height() / 3 for area in painted
    )
    del glass._paint_dark


def test_an_aid_lays_no_work_on_the_rest_of_the_canvas(user):
    """The pointer is as large as it looks: a frame of the canvas is not composed with a cover for the whole window."""
    user.press("F5")
    for aid in ("pointer", "magnifier"):
        take(user, aid)
        assert pointing(user).width() < user.canvas.width() / 2 and pointing(user).height() < user.canvas.height()
    assert pointing(user).testAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
