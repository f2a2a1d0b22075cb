"""Pictures of a step: right file, right words, right size; refused with one sentence, and nothing left half written."""

from __future__ import annotations

import os
import subprocess
import sys
import xml.etree.ElementTree as ElementTree
from pathlib import Path
from random import Random
from typing import Any

import pytest
from PySide6.QtCore import QPointF
from PySide6.QtGui import QImage, QPainter
from PySide6.QtSvg import QSvgRenderer

from cadena.core.expressions.reading import parse
from cadena.core.front import compile
from cadena.core.graph import edits
from cadena.core.graph.document import Document
from cadena.core.graph.fault import Refused
from cadena.core.layout.arrange import arrange
from cadena.core.methods.choosing import timeline_of
from cadena.core.methods.names import METHODS, Method
from cadena.core.teaching.lessons import open_lesson
from cadena.gui.export import picture
from cadena.gui.export.dialogs import PictureDialog
from cadena.gui.export.sheet import geometry_of
from cadena.gui.look.theme import DARK, LIGHT, THEMES
from tests.gui.canvas.pictures import count_of, faulty
from tests.gui.user import settle, shown_dialog

pytestmark = pytest.mark.usefixtures("qapp")
LARGE = f"x = 1; y0 = exp(x); {'; '.join(f'y{at} = sin(y{at - 1}*x)' for at in range(1, 41))}; L = y40 + y0"
ROOT = Path(__file__).resolve().parents[3]


@pytest.fixture(scope="module")
def lesson() -> Document:
    return open_lesson("first_chain_rule")


def render(document: Document, out: Path, *options: Any, **more: Any) -> None:
    picture.render(compile(document).run().timeline, out, *options, **more)


def read(path: Path) -> QImage:
    image = QImage(str(path)).convertToFormat(QImage.Format.Format_RGB32)
    assert not image.isNull()
    return image


def drawn(path: Path) -> QImage:
    """An SVG file as an image, as another program would draw it."""
    drawing = QSvgRenderer(str(path))
    assert drawing.isValid()
    image = QImage(drawing.viewBox().size(), QImage.Format.Format_RGB32)
    painter = QPainter(image)
    drawing.render(painter)
    painter.end()
    return image


def test_a_png_has_the_size_asked_for_and_shows_the_graph(lesson, tmp_path):
    render(lesson, tmp_path / "x.png", size=(900, 600))
    image = read(tmp_path / "x.png")
    assert (image.width(), image.height()) == (900, 600)
    assert count_of(image, LIGHT.value) > 100


def test_without_a_size_the_graph_fits_in_at_least_800_by_500(lesson, tmp_path):
    render(Document({"w0": lesson.nodes["w0"]}), tmp_path / "small.png")
    assert (read(tmp_path / "small.png").width(), read(tmp_path / "small.png").height()) == (800, 500)
    kinds = Random(1).choices(("sin", "cos", "exp", "tanh"), k=600)  # of which blocks save no cards
    tree = "; ".join(["a0 = 1", *(f"a{at} = {kinds[at]}(a{at // 2})" for at in range(1, 600))])
    render(arrange(parse(tree)), tmp_path / "large.png")
    assert 800 < max(read(tmp_path / "large.png").width(), read(tmp_path / "large.png").height()) <= 4000


def test_step_0_shows_no_gradient_the_last_step_and_the_default_show_all(lesson, tmp_path):
    for name, step in (("begin", 0), ("end", 21), ("default", None)):
        render(lesson, tmp_path / f"{name}.png", step)
    assert count_of(read(tmp_path / "begin.png"), LIGHT.gradient) == 0
    assert count_of(read(tmp_path / "end.png"), LIGHT.gradient) > 500
    assert count_of(read(tmp_path / "default.png"), LIGHT.gradient) > 500


@pytest.mark.parametrize("name", ["x.png", "x.svg"])
def test_the_picture_of_a_step_has_its_formula_typeset(lesson, name, tmp_path):
    render(lesson, tmp_path / name, 13, (900, 600))
    image = read(tmp_path / name) if name == "x.png" else drawn(tmp_path / name)
    formula = image.copy(0, 520, 450, 60)
    assert (
        formula.width() * formula.height() - count_of(formula, LIGHT.window) > 1000
        and count_of(formula, LIGHT.gradient) > 50
    )
    render(lesson, tmp_path / name, None, (900, 600))  # the whole run has none
    image = read(tmp_path / name) if name == "x.png" else drawn(tmp_path / name)
    assert count_of(image.copy(0, 570, 450, 30), LIGHT.gradient) == 0


def test_the_same_step_is_the_same_file(lesson, tmp_path):
    for name in ("a.png", "b.png", "a.svg", "b.svg"):
        render(lesson, tmp_path / name, 13)
    assert (tmp_path / "a.png").read_bytes() == (tmp_path / "b.png").read_bytes()
    assert (tmp_path / "a.svg").read_bytes() == (tmp_path / "b.svg").read_bytes()


def test_an_svg_says_in_words_what_it_shows_and_needs_no_font(lesson, tmp_path):
    render(lesson, tmp_path / "x.svg", 13, (1200, 700))
    root = ElementTree.fromstring((tmp_path / "x.svg").read_text("utf-8"))
    spaces = {"svg": "http://www.w3.org/2000/svg"}
    assert root.get("viewBox") == "0 0 1200 700"
    assert root.findtext("svg:title", namespaces=spaces) == lesson.title
    assert "step 13 of 21" in str(root.findtext("svg:desc", namespaces=spaces))
    assert not root.findall(".//svg:text", spaces)


def test_a_title_with_control_characters_made_an_svg_that_no_program_reads(lesson, tmp_path):
    out = tmp_path / "out.svg"
    render(edits.set_title(lesson, "a\x1b[31m\x00b\u202e\n<c> & d"), out)
    title = ElementTree.parse(out).find("{http://www.w3.org/2000/svg}title")
    assert title is not None and title.text == "a�[31m�b� <c> & d"


@pytest.mark.parametrize("theme", THEMES)
def test_svg_and_png_show_the_same(theme, lesson, tmp_path):
    render(lesson, tmp_path / "x.png", 13, (900, 600), theme)
    render(lesson, tmp_path / "x.svg", 13, (900, 600), theme)
    color = THEMES[theme].gradient_strong
    flat, vector = count_of(read(tmp_path / "x.png"), color), count_of(drawn(tmp_path / "x.svg"), color)
    assert flat > 1000
    assert abs(flat - vector) < 0.15 * flat


def test_the_theme_is_the_one_asked_for(lesson, tmp_path):
    render(lesson, tmp_path / "x.png", theme="dark")
    assert read(tmp_path / "x.png").pixelColor(0, 0).name() == DARK.window


@pytest.mark.parametrize(
    "document", [Document({}), faulty(), Document({}, title="nothing")], ids=["empty", "faults", "title"]
)
@pytest.mark.parametrize("name", ["x.png", "x.svg"])
def test_every_document_has_a_picture(document, name, tmp_path):
    render(document, tmp_path / name)
    assert (tmp_path / name).stat().st_size > 500


@pytest.mark.parametrize("size", [(1, 1), (16, 16), (3000, 20), (20, 3000)])
def test_every_size_has_a_picture(lesson, size, tmp_path):
    render(lesson, tmp_path / "x.png", 13, size)
    assert (read(tmp_path / "x.png").width(), read(tmp_path / "x.png").height()) == size


@pytest.mark.parametrize(
    ("name", "options", "said"),
    [
        ("x.jpg", {}, ".png, .svg or .pdf"),
        ("x", {}, ".png, .svg or .pdf"),
        ("x.png", {"step": 22}, "from 0 to 21"),
        ("x.png", {"step": -1}, "from 0 to 21"),
        ("x.png", {"theme": "pink"}, "light, dark, projector"),
        ("x.png", {"size": (0, 100)}, "not a size"),
        ("no/such/folder/x.png", {}, "cannot be saved"),
    ],
)
def test_what_cannot_be_drawn_is_refused_in_one_sentence(lesson, name, options, said, tmp_path):
    with pytest.raises(Refused) as refusal:
        render(lesson, tmp_path / name, **options)
    assert said in str(refusal.value)
    assert "\n" not in str(refusal.value)
    assert not list(tmp_path.iterdir())


def test_a_picture_replaces_the_old_one_whole_and_leaves_nothing_beside_it(lesson, tmp_path):
    (tmp_path / "x.png").write_bytes(b"old")
    render(lesson, tmp_path / "x.png")
    assert read(tmp_path / "x.png").width() >= 800
    assert [path.name for path in tmp_path.iterdir()] == ["x.png"]


def test_a_folder_of_that_name_is_refused_and_stays(lesson, tmp_path):
    (tmp_path / "x.png").mkdir()
    with pytest.raises(Refused, match="cannot be saved"):
        render(lesson, tmp_path / "x.png")
    assert (tmp_path / "x.png").is_dir()


def test_it_needs_no_display_and_no_running_application(tmp_path):
    code = (
        "from pathlib import Path; import cadena; from cadena.core.teaching.lessons import open_lesson; "
        "from cadena.gui.export.picture import render; "
        f"render(cadena.compile(open_lesson('two_paths')).run().timeline, Path({str(tmp_path / 'x.svg')!r}), 5)"
    )
    bare = {
        key: value for key, value in os.environ.items() if key not in ("DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM")
    }
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, env=bare, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    assert drawn(tmp_path / "x.svg").width() >= 800


def test_a_picture_shows_the_gradients_of_its_own_run(lesson, tmp_path):
    usual, seeded = tmp_path / "usual.svg", tmp_path / "seeded.svg"
    picture.render(compile(lesson).run().timeline, usual, 10)
    picture.render(compile(lesson, wrt=["w0"]).run(seed=2.0).timeline, seeded, 10)
    assert "1 · (−1)" in usual.read_text("utf-8")
    assert "2 · (−1)" in seeded.read_text("utf-8")


# --- the other methods


def described(timeline, step: int | None, folder: Path) -> str:
    """The words of the picture of a step."""
    picture.render(timeline, folder / "words.svg", step)
    root = ElementTree.fromstring((folder / "words.svg").read_text("utf-8"))
    return str(root.findtext("{http://www.w3.org/2000/svg}desc"))


@pytest.mark.parametrize(
    ("method", "words"),
    [
        ("forward", "Forward mode, pass 1 of 5, along w0, step 2 of 40. m2 is w1 times a2: 5 · 3 = 15; its derivative"),
        ("difference", "Run 1 of 2, at w0 + h, step 2 of 17. m2 is 15 where w0 is larger by h = "),
        ("symbolic", "Symbols, step 2 of 13. m2 = a2*w1."),
    ],
)
def test_a_step_has_the_words_of_its_method(lesson, method, words, tmp_path):
    timeline = timeline_of(compile(lesson).run(), Method(method))
    assert described(timeline, 2, tmp_path).startswith(words)


def test_the_quotient_is_told_once(lesson, tmp_path):
    timeline = timeline_of(compile(lesson).run(), Method("difference"))
    told = described(timeline, len(timeline), tmp_path)
    assert told.startswith("Step 17 of 17. Quotient") and told.count("Quotient") == 1


def test_the_picture_of_the_end_says_what_the_passes_gave(lesson, tmp_path):
    run = compile(lesson).run()
    told = described(timeline_of(run, Method("forward")), None, tmp_path)
    assert told == "After 40 steps: L = −254; ∂L/∂w0: −28; ∂L/∂w1: −21; ∂L/∂w2: −12; ∂L/∂w3: −23; ∂L/∂w4: −36."
    many = timeline_of(compile(open_lesson("one_pass_per_input")).run(), Method("forward"), whole=True)
    assert described(many, None, tmp_path).endswith("; and 7 more.")


@pytest.mark.parametrize("method", METHODS)
def test_every_method_has_pictures_of_its_beginning_middle_and_end(lesson, method, tmp_path):
    timeline = timeline_of(compile(lesson).run(), Method(method))
    made = set()
    for step in (0, len(timeline) // 2, len(timeline), None):
        picture.render(timeline, tmp_path / "x.png", step)
        made.add((tmp_path / "x.png").read_bytes())
    assert len(made) == 4
    picture.render(compile(lesson).run().timeline, tmp_path / "x.png", 0)
    assert ((tmp_path / "x.png").read_bytes() in made) == (method == "reverse")


def save_picture(user) -> None:
    """By the dialog, to where the user answers."""
    user.do("file.picture")
    dialog = shown_dialog(user, PictureDialog)
    dialog.save.click()
    settle()


def test_the_window_exports_the_step_of_the_method_that_is_chosen(user, tmp_path):
    user.session.set_method(Method("forward"))
    user.session.set_time(2.0)
    user.answers.path = tmp_path / "x.svg"
    save_picture(user)
    assert "Forward mode, pass 1 of 5, along w0, step 2 of 40." in (tmp_path / "x.svg").read_text("utf-8")


def test_a_saved_graph_without_a_title_was_exported_without_its_name(user, tmp_path):
    user.window.files._write(tmp_path / "my graph.cadena")
    user.session.edit(lambda document: edits.set_title(document, ""), "Untitle")
    user.answers.path = tmp_path / "x.svg"
    save_picture(user)
    assert "<title>my graph</title>" in (tmp_path / "x.svg").read_text("utf-8")
    user.session.edit(lambda document: edits.set_title(document, "Ours"), "Title")
    save_picture(user)
    assert "<title>Ours</title>" in (tmp_path / "x.svg").read_text("utf-8")


# --- large graphs


def test_a_large_graph_was_exported_with_all_cards_instead_of_its_blocks():
    document = arrange(parse(LARGE))
    timeline = compile(document).run().timeline
    whole, middle = picture.titled_sheet(timeline, None, None, LIGHT, None), len(timeline) // 4
    assert {name: fold.count for name, fold in geometry_of(whole.document, whole.frame, True).folds.items()} == {
        "y40": 40
    }
    frame = timeline.frame(middle)
    opened = geometry_of(whole.document, frame)
    step = timeline[middle - 1]
    assert opened.is_shown(step.node) and not geometry_of(whole.document, frame, True).is_shown(step.node)
    edges = [one.edges for one in opened.open_blocks]
    assert edges and all(opened.bounds().contains(QPointF(left, top)) for left, top, _, _ in edges)


def test_the_picture_of_the_window_has_what_the_user_has_unfolded(user, tmp_path):
    user.session.open(arrange(parse(LARGE)), None)
    settle()
    folded = user.window.exports.places()
    user.do("view.fold-repeats")
    user.canvas.folds.finish()
    unfolded = user.window.exports.places()
    assert len(folded.folds) == 1 and not unfolded.folds
    sizes = [picture.shown_sheet(user.session, None, LIGHT, places).size for places in (folded, unfolded)]
    assert sizes[0].width() < sizes[1].width()
    user.answers.path = tmp_path / "x.png"
    save_picture(user)
    assert read(tmp_path / "x.png").size() == sizes[1]
