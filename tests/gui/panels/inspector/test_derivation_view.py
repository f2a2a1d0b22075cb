"""How the output depends on a node, in the inspector."""

from __future__ import annotations

from cadena.core.front import compile
from cadena.core.graph import edits
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
