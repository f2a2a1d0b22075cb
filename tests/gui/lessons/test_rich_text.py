from __future__ import annotations

import os

import pytest
from PySide6.QtGui import QTextFormat

from cadena.gui.lessons.rich_text import RichText, with_marks
from cadena.gui.look.theme import LIGHT, PROJECTOR


@pytest.fixture
def view(qtbot):
    view = RichText(LIGHT)
    qtbot.addWidget(view)
    view.resize(500, 200)
    return view


def pictures(view):
    """The heights of the formulas in the text."""
    block, heights = view.document().begin(), []
    while block.isValid():
        for part in block:
            form = part.fragment().charFormat()
            if form.isImageFormat() and form.objectType() == QTextFormat.ObjectTypes.ImageObject.value:
                heights.append(form.toImageFormat().height())
        block = block.next()
    return heights


def painted(view) -> int:
    """The number of pixels that differ from the ground."""
    image = view.grab().toImage()
    ground = image.pixel(0, image.height() - 1)
    return sum(image.pixel(x, y) != ground for x in range(image.width()) for y in range(60))


@pytest.mark.parametrize(
    ("text", "formulas"),
    [
        ("no formula", []),
        ("$x$ and $y_1 + 2$", ["x", "y_1 + 2"]),
        (r"costs \$5 and \$6", []),
        ("costs 5 $ and 6 $", []),
        ("$a\nb$", []),
        ("$$", []),
        (r"$\frac{a}{b}$.", [r"\frac{a}{b}"]),
    ],
)
def test_formulas_stand_between_dollar_signs(text, formulas):
    assert with_marks(text)[1] == formulas


def test_formulas_are_set_in_the_line_and_words_dressed(view):
    view.show_markdown("The **sum** of $x$ and $\\frac{a}{b}$ costs \\$5.")
    heights = pictures(view)
    assert len(heights) == 2 and heights[1] > heights[0]
    assert view.toPlainText() == "The sum of \ufffc and \ufffc costs $5."
    assert view.accessibleName() == "The **sum** of x and \\frac{a}{b} costs \\$5."


def test_a_larger_theme_sets_larger_formulas(view):
    view.show_markdown("$x$")
    (small,) = pictures(view)
    view.set_theme(PROJECTOR)
    assert pictures(view)[0] > 1.3 * small


def test_a_long_text_needs_more_height_in_less_width(view):
    text = "word $x$ " * 60
    assert view.height_of(text, 200) > view.height_of(text, 400) > view.height_of("word", 400) > 0


def test_html_is_shown_as_it_is_and_pictures_of_files_are_not_read(view, tmp_path):
    (tmp_path / "secret.png").write_bytes(b"x")
    view.show_markdown(f"<b>bold</b> ![picture](file://{tmp_path}/secret.png) [link](file:///etc/passwd)")
    assert "<b>bold</b>" in view.toPlainText()
    assert view.loadResource(2, view.source()) is None and not view.openLinks()


def test_the_stop_after_a_formula_stood_alone_on_the_next_line(view):
    view.show_markdown("a1 is used twice: in $m_1$ and in $b_2$.")
    assert view.toPlainText() == "a1 is used twice: in \ufffc and in \ufffc" and len(pictures(view)) == 2
    assert view.accessibleName().endswith("b_2.")


def test_the_stop_after_a_formula_is_seen(view):
    view.show_markdown("Now $x$")
    bare = painted(view)
    view.show_markdown("Now $x$!")
    assert painted(view) > bare


def test_a_formula_that_cannot_be_set_shows_its_source(view):
    view.show_markdown(r"$\undefinedmacro{$ and text")
    assert "and text" in view.toPlainText() and len(pictures(view)) == 1


def test_letters_of_private_use_are_no_formulas(view):
    view.show_markdown("\ue000 $x$ \ue001")
    assert len(pictures(view)) == 1


@pytest.mark.parametrize(
    "template",
    ["look at ![p]({path})", "![p][q]\n\n[q]: {path}", "[![p]({path})](x)", "- ![]({path} 'title')", "!![p]({path})"],
)
def test_a_picture_in_a_text_opened_a_file(view, tmp_path, template):
    """A pipe made the window wait for good; on Windows the path of another machine would have been called up."""
    pipe = tmp_path / "pipe.png"
    os.mkfifo(pipe)
    text = template.format(path=pipe)
    view.show_markdown(text)
    view.show()
    assert view.height_of(text, 300) > 0 and painted(view) > 0
    assert not pictures(view)


def test_an_exclamation_mark_before_a_bracket_is_shown_as_it_is(view):
    view.show_markdown("`a![0]` and wow![1]")
    assert view.toPlainText().replace("\u2060", "") == "a![0] and wow![1]"
