"""How the output depends on a node, in the inspector."""

from __future__ import annotations

from cadena.core.front import compile
from cadena.core.graph import edits
from cadena.core.teaching.lessons import open_lesson
from cadena.gui.formulas import pictures
from cadena.gui.look.theme import LIGHT, NUMBER
from cadena.gui.panels.inspector.derivation_view import DerivationView
from cadena.gui.panels.parts.formula_view import pieces
from tests.core.graphs import graph


def test_a_long_sum_of_contributions_was_set_in_letters_of_four_pixels(qtbot):
    """It had nowhere to break, and was made smaller until it fitted the inspector."""
    uses = {f"y{number}": ("sin", "w") for number in range(8)}
    total = {f"t{number}": ("add", f"t{number - 1}" if number else "y0", f"y{number}") for number in range(8)}
    document = edits.set_output(graph(w=0.7, **uses, **total), "t7")
    view = DerivationView(LIGHT)
    qtbot.addWidget(view)
    view.resize(260, 600)
    run = compile(document).run()
    view.follow(run.timeline.frame(float(len(run.timeline))), "w")
    for piece in pieces(view._result.parts):
        pictures.setting(piece)
    lines = view._result.lines(260)
    assert lines.size == NUMBER and len({item.baseline for item in lines.placed}) > 2 and lines.width <= 260


def test_the_product_follows_its_factors_and_what_1_more_does(qtbot):
    run = compile(open_lesson("1")).run()
    view = DerivationView(LIGHT)
    qtbot.addWidget(view)
    view.resize(300, 600)
    view.follow(run.timeline.frame(float(len(run.timeline))), "b1")
    assert len([row for row in view._rows if not row.isHidden()]) == 3
    assert view._product.text() == "Product" and view._result.parts[-1].latex.endswith("{-7}")
    assert view.growth.text() == "L falls from −254 to −261: by 7, exactly."


def test_what_1_more_does_is_not_said_before_the_gradient_is_there(qtbot):
    run = compile(open_lesson("1")).run()
    view = DerivationView(LIGHT)
    qtbot.addWidget(view)
    view.follow(run.timeline.frame(10.0), "b1")
    assert view.growth.isHidden() and view._product.isHidden() and not view._result.parts


def test_a_node_with_several_uses_has_a_sum(qtbot):
    run = compile(open_lesson("two_paths")).run()
    view = DerivationView(LIGHT)
    qtbot.addWidget(view)
    view.follow(run.timeline.frame(float(len(run.timeline))), "a1")
    assert view._product.text() == "Sum"


def test_the_sum_over_a_batch_is_called_so_and_a_product_of_matrices_is_none(qtbot):
    """ "Sum" stood before Xᵀ ∂L/∂Z, and before the bare gradient of a bias."""
    rows = {"X": ("input", [[1.0, 2.0], [3.0, 4.0]]), "W": [[1.0, 0.0], [0.0, 1.0]], "b": [0.5, -0.5]}
    run = compile(graph(**rows, Z=("matmul", "X", "W"), A=("add", "Z", "b"), L=("sum", "A"))).run()
    view = DerivationView(LIGHT)
    qtbot.addWidget(view)
    words = {}
    for name in ("b", "W"):
        view.follow(run.timeline.frame(float(len(run.timeline))), name)
        words[name] = view._product.text(), sum("bmatrix" in part.latex for part in view._result.parts)
    assert words == {"b": ("Sum", 3), "W": ("Result", 2)}  # two rows and their sum; both factors, set as one piece
