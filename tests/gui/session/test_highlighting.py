"""What is lit, what is dimmed and what colours say; pictures that are exported show the same."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtGui import QImage

from cadena.core.graph import edits
from cadena.core.methods.reverse.activity import activity
from cadena.core.teaching.hiding import NOTHING_HIDDEN
from cadena.core.teaching.lessons import open_lesson
from cadena.gui.canvas.rendering.card import card_of
from cadena.gui.canvas.rendering.wires import Looks
from cadena.gui.export import picture
from cadena.gui.look.theme import LIGHT
from cadena.gui.session.highlighting import ALL_SHOWN
from tests.gui.user import settle

ABOVE_B1 = {"b1", "m1", "m2", "w0", "w1", "a1", "a2"}
BELOW_B1 = {"b1", "m3", "c", "L"}


@pytest.fixture
def lesson(user):
    user.session.open(open_lesson("1"), None)
    user.session.show_live()
    user.session.select(["b1"])
    settle()
    yield user
    user.session.set_shown(ALL_SHOWN)


def dimmed(user) -> set[str]:
    scene = user.canvas.scene
    lit = activity(scene.frame, scene.live)
    return {name for name in scene.document.nodes if card_of(scene, name, lit, frozenset()).dimmed}


@pytest.mark.parametrize(
    ("command", "lit"),
    [
        ("highlight.above", ABOVE_B1),
        ("highlight.below", BELOW_B1),
        ("highlight.both", ABOVE_B1 | BELOW_B1),
        ("highlight.chosen", {"b1"}),
    ],
)
def test_what_a_node_depends_on_and_reaches_is_lit(lesson, command, lit):
    before = lesson.canvas.grab().toImage()
    lesson.do(command)
    assert dimmed(lesson) == set(lesson.session.document.nodes) - lit
    assert lesson.canvas.grab().toImage() != before
    lesson.do(command)  # a second time brings all back
    assert dimmed(lesson) == set() and lesson.canvas.grab().toImage() == before


def test_without_a_selection_nothing_is_dimmed(lesson):
    lesson.session.select([])
    lesson.do("highlight.chosen")
    assert dimmed(lesson) == set()


def test_wires_to_dimmed_nodes_are_dimmed(lesson):
    before = Looks(lesson.canvas.scene, activity(lesson.session.frame, True))
    lesson.do("highlight.above")
    after = Looks(lesson.canvas.scene, activity(lesson.session.frame, True))
    assert after.of("m1", ("b1", 0)) == before.of("m1", ("b1", 0))
    assert after.of("b1", ("m3", 1)).color != before.of("b1", ("m3", 1)).color


def test_a_deleted_node_is_forgotten_and_all_are_shown_again(lesson):
    lesson.do("highlight.chosen")
    lesson.press("Del")
    assert dimmed(lesson) == set()
    lesson.press("Ctrl+Z")


def test_another_document_is_shown_in_full(lesson):
    lesson.do("highlight.above")
    lesson.session.open(open_lesson("2"), None)
    settle()
    assert dimmed(lesson) == set()


@pytest.mark.parametrize(
    ("command", "by"),
    [("color.value", "value"), ("color.gradient", "gradient"), ("color.time", "time"), ("color.depth", "depth")],
)
def test_colours_say_what_is_asked_for(lesson, command, by):
    before = lesson.canvas.grab().toImage()
    lesson.do(command)
    lesson.window.toast.hide()  # it says what the key did
    assert lesson.session.shown.by == by and lesson.canvas.grab().toImage() != before
    lesson.do(command)
    lesson.window.toast.hide()
    assert not lesson.session.shown.by and lesson.canvas.grab().toImage() == before


def test_an_exported_picture_shows_what_was_chosen(lesson, tmp_path: Path):
    def exported(name: str) -> QImage:
        list(picture.writing_shown(lesson.session, tmp_path / name, "light"))
        return QImage(str(tmp_path / name))

    exported("warm.png")
    plain = exported("plain.png")
    lesson.do("color.gradient")
    colored = exported("colored.png")
    lesson.do("highlight.chosen")
    lit = exported("lit.png")
    assert plain != colored != lit != plain


def test_an_exported_picture_hides_what_is_hidden(lesson, tmp_path: Path):
    lesson.do("hide.values")
    sheet = picture.shown_sheet(lesson.session, None, LIGHT)
    lesson.session.set_hidden(NOTHING_HIDDEN)
    assert "254" not in sheet.description and sheet.hidden.kinds == {"values"}
    assert "254" in picture.shown_sheet(lesson.session, None, LIGHT).description


def test_a_hidden_number_is_not_in_the_formula_of_an_exported_step(lesson):
    lesson.session.set_time(float(len(lesson.session.timeline)))
    lesson.do("hide.gradients")
    hidden = picture.shown_sheet(lesson.session, None, LIGHT).parts
    lesson.session.set_hidden(NOTHING_HIDDEN)
    assert "-28" in hidden[-1].latex or hidden != picture.shown_sheet(lesson.session, None, LIGHT).parts


def test_an_exported_picture_showed_a_moved_card_at_its_old_place(lesson):
    before = picture.shown_sheet(lesson.session, None, LIGHT)
    lesson.session.edit(lambda document: edits.move(document, {"w0": (-900.0, -900.0)}), "Move w0")
    after = picture.shown_sheet(lesson.session, None, LIGHT)
    assert after.document.layout["w0"] == (-900.0, -900.0) != before.document.layout["w0"]
    assert after.size.height() > before.size.height()
