"""A method is a folder with a record: what others do differently for one method stands in its record."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from cadena.core.methods.names import METHODS, VARIANTS
from tests.sources import nodes

ROOT = Path(__file__).parents[3]
NAMES = {*METHODS, *VARIANTS}
OWNERS = tuple(f"core/methods/{name}/" for name in METHODS)
ROOMS = ("core/methods", "core/verbs", "core/teaching/lessons.py", "gui")


def decisions(code: str) -> list[str]:
    """The comparisons of a method's name, or the name of a timeline's method, with the name of a method."""
    found = []
    for node in nodes(code):
        if isinstance(node, ast.Compare):
            sides = [node.left, *node.comparators]
            constants = {part.value for side in sides for part in ast.walk(side) if isinstance(part, ast.Constant)}
            if constants & NAMES and any(_is_method(side) for side in sides):
                found.append(ast.unparse(node))
    return found


def _is_method(node: ast.AST) -> bool:
    text = ast.unparse(node)
    return text in ("method", "mode", "options.mode", "name") or text.endswith((".method", "method.name", "_mode"))


def files() -> list[Path]:
    found = [
        path for room in ROOMS for path in ([ROOT / room] if room.endswith(".py") else (ROOT / room).rglob("*.py"))
    ]
    return [path for path in found if not str(path.relative_to(ROOT)).startswith(OWNERS)]


SETTINGS = (  # the widget of one method's settings or result, which another method does not have
    "gui/panels/methods/differences_settings.py",
    "gui/panels/methods/error_plot.py",
    "gui/panels/inspector/expression_view.py",
    "gui/panels/plots/tangent_settings.py",
)


def test_nobody_else_decides_by_the_name_of_a_method():
    """Comparing, the command line, cards, tooltips and the steps asked for "reverse", "forward" or "symbolic"."""
    wrong = {str(path.relative_to(ROOT)): decisions(path.read_text("utf-8")) for path in files()}
    assert {path: found for path, found in wrong.items() if found and path not in SETTINGS} == {}


@pytest.mark.parametrize(
    ("code", "is_found"),
    [
        ('if method == "reverse": pass', True),
        ('if frame.timeline.method != "reverse": pass', True),
        ('if options.mode in ("forward", "difference"): pass', True),
        ('if step.phase == "reverse": pass', False),
        ('if method == "other": pass', False),
    ],
)
def test_the_reader_of_decisions_sees_every_form(code, is_found):
    assert bool(decisions(code)) is is_found


def test_each_variant_has_a_label_of_its_own():
    assert len(VARIANTS) == sum(len(record.variants) for record in METHODS.values())
    assert sum(record.is_built_in for record in METHODS.values()) == 1
