"""Graphs of bad numbers in the window: whatever is worked out and painted, nothing warns on standard error.

Warnings are recorded, those of other threads too, and none may be there at the end.
"""

from __future__ import annotations

import math
import warnings
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from cadena.core.graph.document import Document
from cadena.core.methods.names import Method
from cadena.core.storage import files
from tests.core.graphs import graph
from tests.gui.user import settle
from tests.thorough import some


def graphs() -> Iterator[tuple[str, Document]]:
    yield "float32", replace(graph(x=1e300, y=("square", "x"), z=("sum", "y")), dtype="float32")
    yield "float16", replace(graph(x=[1e300, 7e4, -1e-320], y=("exp", "x"), z=("sum", "y")), dtype="float16")
    odd = [math.nan, math.inf, -math.inf, 5e-324, 1e308, -1e308]
    yield "odd", graph(x=odd, y=("sin", "x"), s=("softmax", "y"), z=("sum", "s"))
    yield "log", graph(x=0.0, k=("constant", 1.0), y=("divide", "k", "x"), l=("log", "y"), z=("multiply", "l", "x"))
    typed = {"a": ("astype", "x", {"dtype": "float16"}), "b": ("multiply", "a", "a")}
    yield "astype", graph(x=[1e300, -1e5, 3.0], **typed, z=("mean", "b"))
    yield "empty", graph(x=np.zeros((0, 3)), m=("mean", "x"), v=("var", "x"), z=("add", "m", "v"))
    yield "variance", graph(x=[1.0], v=("var", "x", {"ddof": 1}), z=("sqrt", "v"))
    yield "matrix", graph(A=[[1e200, 1.0], [np.inf, 0.0]], i=("inv", "A"), s=("sum", "i"), z=("multiply", "s", "s"))
    nodes: dict[str, Any] = {f"w{i}": (-1.0) ** i * 10.0 ** (300 - 18 * i) for i in range(34)}
    nodes |= {f"p{i}": ("multiply", f"w{i}", f"p{i - 1}" if i else "w1") for i in range(34)}
    yield "many", graph(**nodes)
    places = {"x": (1e308, -1e308), "y": (-1e308, 5e-324), "z": (1e154, 1e200)}
    yield "far away", replace(graph(x=2.0, y=("exp", "x"), z=("multiply", "x", "y")), layout=places)


METHODS = [Method("reverse"), Method("forward", width=None), Method("symbolic")]
METHODS += [Method("difference", kind=kind) for kind in ("central", "complex")]


@pytest.mark.parametrize(("name", "document"), [pytest.param(*one, id=one[0]) for one in graphs()])
def test_bad_numbers_and_far_places_warned_while_they_were_painted(user, tmp_path, recwarn, name, document):
    warnings.simplefilter("always")  # also what has warned before
    window, session, canvas = user.window, user.session, user.canvas
    files.save(document, tmp_path / "bad.cadena")
    session.open(files.load(tmp_path / "bad.cadena"), None)
    settle()
    for node in list(document.nodes)[-4:]:
        session.select({node})
        settle()
    for theme in some(("dark", "light"), kind=lambda theme: name):
        window.choose_theme(theme)
        settle()
    for method in METHODS:
        session.set_method(method)
        settle()
        for part in (0.37, 1.0):
            session.set_time(part * len(session.timeline))
            window.grab()
    for zoom in (
        canvas.zoom_to_fit,
        canvas.zoom_out,
        canvas.zoom_out,
        canvas.zoom_reset,
        canvas.commands.arranging.arrange,
    ):
        zoom()
        assert not window.grab().isNull()
    assert [str(warning.message) for warning in recwarn] == []
