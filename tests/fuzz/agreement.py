"""What a window keeps from one change to the next, against the same made anew from the document."""

from __future__ import annotations

import numpy as np
from PySide6.QtCore import QPointF

import cadena
from cadena.core.run.program import Run
from cadena.gui.canvas.rendering.geometry import Geometry
from cadena.gui.canvas.rendering.hit_boxes import HitMap
from cadena.gui.session.session import Session
from tests.fuzz.screen import same_picture
from tests.gui.user import User, settle
from tests.waiting import until


def agree(player: User, with_screen: bool = True) -> None:
    """The run, the places and the screen belong to the document, number for number and pixel for pixel."""
    session, canvas = player.session, player.canvas
    until(lambda: canvas.document is session.document, "cards glide for ever", settle)
    if with_screen:
        same_picture(canvas)
    document = session.document
    assert session.selection <= set(document.nodes)
    if not session.learns:  # which shows other numbers than the document's
        _same_run(session.run, _fresh(session))
    shapes = dict(zip(session.program.plan.names, session.program.plan.shapes))
    places, anew = canvas.places, Geometry(document, shapes)
    if places.folds or places.inside or canvas.folds_blocks or getattr(places, "moving", None) is not None:
        return  # the picture is of fewer cards then, or on its way
    assert places.names == anew.names
    for what in ("corners", "boxes", "wires", "wire_ends"):
        np.testing.assert_array_equal(getattr(places, what), getattr(anew, what), what)
    kept, hits = canvas.hits, HitMap(anew)
    for left, top, right, bottom in anew.boxes.tolist():
        middle = QPointF((left + right) / 2, (top + bottom) / 2)
        assert kept.card_at(middle) == hits.card_at(middle)


def _fresh(session: Session) -> Run:
    seed, program = session.state.seed, cadena.compile(session.document)
    output = program.plan.output
    fits = seed is not None and output is not None and program.plan.shapes[output] == seed.shape
    return program.run(seed=seed, target=session.state.target) if fits else program.run()


def _same_run(run: Run, fresh: Run) -> None:
    shapes, anew = (dict(zip(one.plan.names, one.plan.shapes)) for one in (run, fresh))
    assert shapes == anew
    assert {fault.message for fault in run.faults} == {fault.message for fault in fresh.faults}
    for name in anew:
        for kept, new in ((run.value(name), fresh.value(name)), (run.gradient(name), fresh.gradient(name))):
            assert (kept is None) == (new is None), name
            if new is not None:
                np.testing.assert_array_equal(kept, new, name)
