"""What a card shows, and that it fits: names, numbers, labels and marks, in every theme."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from PySide6.QtCore import QRectF
from PySide6.QtGui import QImage, QPainter

from cadena.core.graph.document import LEAVES, Document, Node
from cadena.core.layout.arrange import INSET, tensor_card
from cadena.core.methods.choosing import timeline_of
from cadena.core.methods.names import METHODS, Method
from cadena.core.methods.reverse.activity import Activity, activity
from cadena.core.methods.reverse.timeline import Line
from cadena.core.ops.primitive import REGISTRY
from cadena.core.teaching.lessons import open_lesson
from cadena.gui.canvas.rendering import cards, text_fitting
from cadena.gui.canvas.rendering.card import Card, card_of
from cadena.gui.canvas.rendering.geometry import NUMBER_CARD
from cadena.gui.look.theme import CAPTION, THEMES
from tests.gui.canvas.pictures import parameter, scene
from tests.thorough import in_turn

pytestmark = pytest.mark.usefixtures("qapp")
NUMBERS = (0.0, -254.0, 3.7239e-44, -1.2345e-123, 123456.0, -0.0012345, float("nan"), float("-inf"))


class Written:
    """Keeps what is written on cards, and where, in place of painting it."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.texts: list[str] = []
        self.outside: list[str] = []
        self.sizes: dict[str, int] = {}  # of the last card, as written and as wanted
        self.wanted: dict[str, int] = {}
        self.box = QRectF()
        monkeypatch.setattr(text_fitting, "write", self.write)
        monkeypatch.setattr(cards, "write", self.write)

    def write(self, painter, text, place, pixels, color, bold=False, align=0.0, least=text_fitting.MIN_TYPE) -> None:
        size = min(round(pixels), round(place.height() * 0.96))
        shown, self.sizes[text] = text_fitting.fitted(text, size, bold, place.width(), round(least))
        self.wanted[text] = size
        self.texts.append(shown)
        if not self.box.contains(painter.worldTransform().mapRect(place)) and text != "output":
            self.outside.append(text)

    def on(self, card: Card, theme: str, zoom: float = 1.0) -> list[str]:
        self.texts, self.box = [], card.box
        self.sizes, self.wanted = {}, {}
        image = QImage(600, 400, QImage.Format.Format_RGB32)
        painter = QPainter(image)
        cards.paint(painter, card, THEMES[theme], zoom)
        painter.end()
        return self.texts


@pytest.fixture
def written(monkeypatch) -> Written:
    return Written(monkeypatch)


def number_card(value: float | None, gradient: float | None = None, name: str = "w0", op: str = "parameter") -> Card:
    arrays = [None if number is None else np.asarray(number) for number in (value, gradient)]
    return Card(QRectF(0.0, 0.0, *NUMBER_CARD), Node(name, op), *arrays)


@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize("number", NUMBERS)
def test_every_number_is_written_whole_inside_its_card(written, theme, number):
    from cadena.core.text.numbers import short

    texts = written.on(number_card(number, -number), theme)
    assert texts.count(short(number)) >= 1
    assert short(-number) in texts
    assert not written.outside


@pytest.mark.parametrize("theme", THEMES)
@in_turn("op", [*REGISTRY, *LEAVES, "an_operation_of_a_later_version"], kind=lambda op: "any operation")
def test_the_title_of_every_operation_fits(written, theme, op):
    texts = written.on(number_card(2.0, 3.0, "a_rather_long_name_for_a_node", op), theme)
    assert "…" in texts[1 if op != "parameter" else 0]
    assert not written.outside
    if op in REGISTRY:
        assert REGISTRY[op].symbol in texts


def test_what_is_not_known_yet_is_a_dot_and_what_never_comes_a_dash(written):
    assert written.on(number_card(None), "light").count("·") == 2
    never = Card(QRectF(0.0, 0.0, *NUMBER_CARD), Node("k", "constant"), np.asarray(1.0), None, has_gradient=False)
    assert "–" in written.on(never, "light")


def test_a_word_gives_way_where_its_number_needs_the_room(written):
    assert {"value", "gradient"} <= set(written.on(number_card(2.0, 1.0), "projector"))
    words = set(written.on(number_card(-1.2345e-123, 1.0), "light"))
    assert "gradient" in words and "value" not in words


def test_from_further_away_labels_go_first_then_all_but_name_and_value(written):
    card = number_card(2.0, -28.0)
    assert {"value", "gradient", "2", "−28"} <= set(written.on(card, "light", 1.0))
    middle = written.on(card, "light", 0.55)
    assert "value" not in middle
    assert "−28" in middle
    assert written.on(card, "light", 0.25) == ["w0", "2"]


def test_the_output_carries_the_word(written):
    card = Card(QRectF(0.0, 0.0, *NUMBER_CARD), Node("L", "add"), None, None, output=True)
    assert "output" in written.on(card, "dark")


def test_a_tensor_shows_its_shape_and_its_numbers(written, monkeypatch):
    from cadena.gui.canvas.rendering import heatmap

    monkeypatch.setattr(heatmap, "write", written.write)
    array = np.array([[-1.0, 0.0, 1.0], [2.0, 3.0, 4.0], [-1.0, -5.0, 2.0]])
    card = Card(QRectF(0.0, 0.0, *tensor_card((3, 3))), Node("X", "input"), array, None, shape=(3, 3))
    texts = written.on(card, "light")
    assert "3 × 3" in texts
    assert texts.count("−1") == 2
    assert "−5" in texts
    assert not written.outside


def test_a_card_tells_what_the_frame_shows():
    made = scene(open_lesson("first_chain_rule"), 13.9, selection=frozenset({"w0"}), hovered="b1")
    lit = activity(made.frame, made.live)
    cards_now = {name: card_of(made, name, lit, frozenset({"k"})) for name in made.document.nodes}
    step = made.frame.step
    assert cards_now[step.operand].ground == "gradient"
    assert cards_now[step.node].edge == "gradient"
    assert cards_now["L"].output and cards_now["k"].faulty
    assert cards_now["w0"].selected and cards_now["b1"].hovered
    assert not cards_now["k"].has_gradient and cards_now["w0"].has_gradient
    assert float(cards_now["c"].value) == 269.0 and float(cards_now["c"].gradient) == -1.0
    assert cards_now["w0"].gradient is None


def test_cards_that_look_the_same_have_the_same_key_wherever_they_lie():
    document = Document({name: parameter(name, 1.0) for name in "ab"}, layout={"a": (0.0, 0.0), "b": (9.0, 9.0)})
    moved = Document(document.nodes, layout={"a": (50.0, 70.0), "b": (9.0, 9.0)})
    here, there = (card_of(scene(at), "a", Activity(), frozenset()) for at in (document, moved))
    other = card_of(scene(document), "b", Activity(), frozenset())
    assert here.face_key == there.face_key != other.face_key and here.numbers_key == there.numbers_key
    assert card_of(scene(document), "a", Activity(), frozenset({"a"})).face_key != here.face_key


@pytest.mark.some(10)
@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize("name", [*METHODS][1:])
@pytest.mark.parametrize("lesson", ["first_chain_rule", "custom_layer", "dual_numbers"])
def test_the_lines_of_every_method_stay_inside_their_cards(written, theme, name, lesson):
    made = scene(open_lesson(lesson), theme=theme)
    steps = timeline_of(made.frame.run, Method(name))
    made = replace(made, frame=steps.frame(len(steps)))
    for node in made.document.nodes:
        card = card_of(made, node, Activity(), frozenset())
        assert [line.label for line in card.rows] == [line.label for line in made.frame.lines(node)]
        written.on(card, theme)
        assert not written.outside


def test_cards_with_another_direction_or_formula_look_different():
    made = scene(open_lesson("first_chain_rule"))
    steps = timeline_of(made.frame.run, Method("forward"))
    keys = {
        card_of(replace(made, frame=steps.frame(time)), "a1", Activity(), frozenset()).numbers_key
        for time in (7.5, 8.5, 16.5)
    }
    assert len(keys) == 3


@pytest.mark.parametrize(
    ("zoom", "gradient", "shown"),
    [
        (0.43, -36.0, ["w0", "3", "−36"]),
        (0.43, None, ["w0", "3"]),
        (0.43, -1.23e-40, ["w0", "3"]),
        (0.25, -36.0, ["w0", "3"]),
    ],
)
def test_a_film_of_640_pixels_showed_no_gradient_on_its_cards(written, zoom, gradient, shown):
    assert written.on(number_card(3.0, gradient), "light", zoom) == shown


@pytest.mark.parametrize("zoom", [0.3, 0.5, 1.0, 2.0])
@pytest.mark.parametrize(("value", "told"), [(0.9999, "0.9999"), (0.104994, "0.105"), (-1234.5678, "−1 235")])
def test_a_number_had_other_digits_from_afar(written, zoom, value, told):
    written.on(number_card(value), "light", zoom)
    assert told.replace(" ", "\u202f") in written.texts


@pytest.mark.some(10)
@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize("zoom", [0.55, 0.6, 0.79, 0.8, 1.0, 2.0])
@pytest.mark.parametrize(("name", "op"), [("m_hat_2", "softmax"), ("m_tilde_2", "mean"), ("maximum_2", "maximum")])
def test_a_name_was_cut_at_some_zooms_where_smaller_type_would_fit(written, theme, zoom, name, op):
    assert name in written.on(number_card(2.0, 3.0, name, op), theme, zoom)
    assert not written.outside


@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize("zoom", [0.6, 0.8, 1.0, 2.0])
@in_turn("op", ["matmul", "tanh", "mean", "layer_norm", "softmax"], kind=lambda op: "any operation")
def test_a_name_was_smaller_than_the_symbol_beside_it_that_should_have_given_way(written, theme, zoom, op):
    texts = written.on(number_card(2.0, 3.0, name := f"{op}1", op), theme, zoom)
    room, size = NUMBER_CARD[0] - 2 * INSET, written.sizes[name]
    larger_fits = text_fitting.width(name, size + 1, True) <= room
    assert size >= written.sizes.get(REGISTRY[op].symbol, 0) or not REGISTRY[op].symbol.replace(" ", "").isalnum()
    assert size == written.wanted[name] or not larger_fits
    assert name in texts


@pytest.mark.parametrize("shape", [(1,), (1, 1)])
def test_from_afar_an_array_of_one_element_was_a_shape_in_place_of_its_number(written, shape):
    array = np.full(shape, -2.5)
    card = Card(QRectF(0.0, 0.0, *tensor_card(shape)), Node("b", "parameter"), array, None, shape=shape)
    assert written.on(card, "light", 0.3) == ["b", "−2.5"]


@pytest.mark.parametrize("zoom", [0.5, 0.6, 1.0])
def test_the_number_of_an_array_of_one_element_was_left_out_where_larger_type_had_room(written, monkeypatch, zoom):
    from cadena.gui.canvas.rendering import heatmap

    monkeypatch.setattr(heatmap, "write", written.write)
    card = Card(QRectF(0.0, 0.0, *tensor_card((1,))), Node("b", "parameter"), np.full(1, -2.5), None, shape=(1,))
    assert "−2.5" in written.on(card, "light", zoom)


def test_from_afar_an_array_was_its_shape_alone_while_its_numbers_moved(written, monkeypatch):
    painted: list[tuple[str, tuple[int, ...]]] = []
    monkeypatch.setattr(
        cards.heatmap, "paint", lambda painter, array, room, theme, role, *_, **__: painted.append((role, array.shape))
    )
    node = Node("W", "parameter", value=np.zeros((2, 3)))
    card = Card(QRectF(0.0, 0.0, *tensor_card((2, 3))), node, np.ones((2, 3)), None, shape=(2, 3))
    assert written.on(card, "light", 0.35) == ["W"]
    assert painted == [("value", (2, 3))]
    written.on(replace(card, gradient=np.ones((2, 3))), "light", 0.35)
    assert painted[1:] == [("value", (2, 3)), ("gradient", (2, 3))]
    assert written.on(replace(card, value=None), "light", 0.35) == ["W", "2 × 3"]


@pytest.mark.parametrize("theme", THEMES)
def test_the_names_on_a_folded_card_were_set_in_type_of_7_pixels(written, theme):
    names = f"out  {', '.join(f'n{number}' for number in range(40))}"
    card = Card(QRectF(0.0, 0.0, *NUMBER_CARD), Node("n", "add"), None, None, folded="× 40",
                lines=(Line("text", "", text=names), Line("text", "", text="in  x")))  # fmt: skip
    texts = written.on(card, theme)
    assert written.sizes[names] >= CAPTION and any(text.startswith("out") and "…" in text for text in texts)
