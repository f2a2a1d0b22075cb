"""A number has the same four digits and the same minus sign on card, bar, band, inspector, page and picture."""

from __future__ import annotations

from xml.etree import ElementTree

from cadena.core.expressions.reading import parse
from cadena.core.html_page.content import content
from cadena.core.html_page.notebook_picture import svg
from cadena.core.layout.arrange import arrange
from cadena.core.text.numbers import latex_number, short
from cadena.core.text.painted_text import plain
from cadena.gui.canvas.rendering import cards
from cadena.gui.export.sheet import sheet_of
from cadena.gui.look.theme import LIGHT
from tests.gui.user import calm, settle

TEXT = "x = -1234.56789; k = 0.000123456; y = x*k; w = 123456.789; L = y*w"
VALUES = {"x": "−1\u202f235", "k": "1.235·10⁻⁴", "y": "−0.1524", "w": "123\u202f457", "L": "−18\u202f817"}
GRADIENTS = {"x": "15.24", "k": "−1.524·10⁸", "y": "123\u202f457", "w": "−0.1524", "L": "1"}


def test_a_number_looks_the_same_everywhere(user, monkeypatch):
    written: list[str] = []
    monkeypatch.setattr(cards, "write", lambda painter, text, *rest, **more: written.append(text))
    user.session.open(arrange(parse(TEXT)), None)
    timeline = user.session.timeline
    user.session.set_time(float(len(timeline)))
    settle()
    user.canvas.grab()
    assert {*VALUES.values(), *GRADIENTS.values()} <= set(written)

    bar = [tuple(result.text for result in pair) for pair in user.window.expressions.editor.results.values()]
    assert bar == [(VALUES[name], GRADIENTS[name]) for name in ("y", "L")]

    inspector = user.window.panels["inspector"]
    run, page = timeline.run, content(timeline)
    page_texts = {look.get("text") for look in page["looks"]}
    picture = {item.text for item in ElementTree.fromstring(svg(user.session.document)).iter() if item.text}
    for name, value in VALUES.items():
        user.session.select([name])
        calm(inspector, user.session)
        facts = inspector.node.facts
        assert (facts.value.number.text(), facts.gradient.number.text()) == (value, GRADIENTS[name])
        assert short(run.value(name)) == value and {value, GRADIENTS[name]} <= page_texts & picture

    for index, step in enumerate(timeline):
        user.session.set_time(index + 1.0)
        calm(user.window.step_band, user.session)
        result = run.value(step.node) if step.phase == "forward" else run.gradient(step.operand or step.node)
        latex = " ".join(part.latex for part in user.window.step_band.formula.parts)
        assert latex_number(result) in latex
        if step.phase == "forward":
            assert short(result) in user.window.step_band.title.text()
            assert short(result) in plain(sheet_of(timeline, index + 1, None, LIGHT).sentence)
