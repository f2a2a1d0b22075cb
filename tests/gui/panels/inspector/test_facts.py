"""What is known of a node at a moment, by each method."""

from __future__ import annotations

import pytest

from cadena.core.methods.names import Method
from cadena.gui.formulas import typesetter
from cadena.gui.look.theme import LIGHT
from cadena.gui.panels.inspector.facts import OTHER_WAYS, Facts
from tests.gui.panels.conftest import matrices
from tests.gui.user import settle
from tests.waiting import until


@pytest.mark.parametrize("method", ["difference", "symbolic"])
def test_what_a_method_never_gives_does_not_come_later(session, show, method):
    """ "not yet" stood at the end of all steps, for a gradient that only reverse mode gives."""
    facts = show(Facts(LIGHT))
    session.set_method(Method(method))
    for time in (0.0, float(len(session.timeline))):
        session.set_time(time)
        facts.follow(session.frame, "m")
        assert facts.gradient.number.text() == "none" and facts.gradient.number.hint == OTHER_WAYS
    session.set_time(0.0)
    facts.follow(session.frame, "w0")
    assert facts.gradient.number.text() == "not yet"


def test_a_matrix_that_was_set_late_stayed_cut(session, show, monkeypatch):
    session.open(matrices(), None)
    facts = show(Facts(LIGHT), 300, 300)
    monkeypatch.setattr(typesetter.Typesetter, "ask", lambda self, formulas: None)  # painting asks for them
    typesetter._cache.clear()
    session.show_live()
    name = next(name for name, node in session.document.nodes.items() if node.is_leaf)
    facts.follow(session.frame, name)
    until(lambda: facts.value.height() > 30, "the matrix stays cut", settle)
    assert facts.value.height() >= facts.value.matrix.heightForWidth(facts.value.width())
