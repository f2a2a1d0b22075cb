"""What looks the same after an edit is taken over from what was drawn before: a person changes a few nodes of many.

It is known where cards alone have moved, and in build mode in graphs of numbers, where the look of a node follows from
the node and its two numbers.
"""

from __future__ import annotations

from collections.abc import Collection
from copy import copy
from dataclasses import fields
from functools import cached_property
from itertools import chain, compress

import numpy as np

from cadena.core.methods.reverse.activity import Wire
from cadena.core.run.program import Run
from cadena.gui.canvas.picture.contents import Contents, DrawnCard, DrawnWire, by_rank, lit_by
from cadena.gui.canvas.picture.scene import Scene

OF_EDITS = {"document", "geometry", "frame", "faults", "elements", "accumulated"}  # what an edit makes anew
FOUND_LATER = [name for name, part in vars(Contents).items() if isinstance(part, cached_property)]
LOOKS = [field.name for field in fields(Scene) if field.name not in {*OF_EDITS, "decorations"}]


def in_place(before: Contents, scene: Scene) -> Contents | None:
    """The contents of a scene in which every card and wire is where it was, found before; None where one may not be."""
    one, other, old = before.geometry, scene.geometry, before.scene
    stand = all(getattr(one, part) is getattr(other, part) for part in ("names", "boxes", "wires", "wire_ends"))
    is_seen_alike = (old.camera, old.view, old.theme) == (scene.camera, scene.view, scene.theme)
    if not stand or not is_seen_alike or before.parts or before.rough:
        return None
    after = copy(before)
    for name in FOUND_LATER:
        vars(after).pop(name, None)
    after.scene, after.geometry, after.lit = scene, other, lit_by(scene)
    return after


def take_over(before: Contents, after: Contents) -> None:
    """Give `after` the cards and wires drawn `before` that look the same, where it is known that they do."""
    if not len(after.near) or not _are_alike(before.scene, after.scene):
        return
    names, nodes = after.geometry.names, after.scene.document.nodes
    shown = [names[number] for number in after.near.tolist()]
    rows = after.rows.tolist() if after.in_full and before.in_full else []
    wires = [(names[target], slot) for _, target, slot in after.geometry.wires[rows].tolist()]
    operands = {name: nodes[name].inputs if name in nodes else () for name, _ in wires}
    asked = {*shown, *operands, *filter(None, chain(*operands.values()))}
    alike, equal = _same(before.scene, after.scene, asked)
    _take_cards(before, after, shown, alike)
    if rows:
        carry_alike = {name for name, sources in operands.items() if name in alike and equal.issuperset(sources)}
        _take_wires(before, after, list(zip(rows, wires, strict=True)), carry_alike)


def _take_cards(before: Contents, after: Contents, names: list[str], alike: set[str]) -> None:
    one, other, known = before.geometry, after.geometry, dict[str, DrawnCard]()
    stand = one.boxes is other.boxes and one.names is other.names
    for name in names:
        card = before.shown.get(name) if name in alike else None
        if card is not None and (stand or card.card.box == other.card(name)):
            known[name] = card
    known |= after.cards_of(name for name in names if name not in known)
    after.shown = {name: known[name] for name in names}


def _take_wires(before: Contents, after: Contents, wires: list[tuple[int, Wire]], alike: set[str]) -> None:
    """Take wires, given with their rows, into nodes that are `alike` and have operands of equal values."""
    known, places = dict[Wire, DrawnWire](), list[int]()
    ends = after.geometry.wire_ends[after.rows].tolist()
    for place, (row, wire) in enumerate(wires):
        curve = before.drawn.get(wire) if wire[0] in alike else None
        if curve is not None and list(curve.ends) == ends[place]:
            known[wire] = curve if curve.row == row else curve._replace(row=row)
        else:
            places.append(place)
    after.drawn = by_rank(known | after.curves_at(np.array(places, dtype=np.intp)))


def _are_alike(before: Scene, after: Scene) -> bool:
    """Whether two scenes differ in nodes, their places and numbers alone, of which it is known what looks the same."""
    return (
        (_only_moves(before, after) or all(_is_plain(scene) for scene in (before, after)))
        and all(getattr(before.document, part) is getattr(after.document, part) for part in ("extra", "functions"))
        and (before.document.output, before.document.dtype) == (after.document.output, after.document.dtype)
        and before.decorations.still == after.decorations.still
        and all((one := getattr(before, look)) is (other := getattr(after, look)) or one == other for look in LOOKS)
    )


def _only_moves(before: Scene, after: Scene) -> bool:
    """Whether nothing but the places of cards can differ, of what an edit makes anew."""
    one, other = before.frame, after.frame
    is_same = one.timeline is other.timeline and one.time == other.time
    return is_same and all(
        getattr(before, part) is getattr(after, part) for part in ("faults", "elements", "accumulated")
    )


def _is_plain(scene: Scene) -> bool:
    is_marked = scene.faults or scene.elements or scene.accumulated is not None or scene.shown.by
    return scene.live and not is_marked and scene.frame.timeline.goes_back and scene.frame.run.plan.is_of_numbers


def _same(before: Scene, after: Scene, names: Collection[str]) -> tuple[set[str], set[str]]:
    """Of these nodes those that are the same, with the same numbers, in a scene that is alike, and those of equal
    values. None that is folded is among them."""
    nodes, known, folded = after.document.nodes, before.document.nodes, {*before.geometry.folds, *after.geometry.folds}
    same = [name for name in names if name in nodes and name in known and name not in folded]
    if before.frame.run is after.frame.run:
        return {*same}, {*same}
    is_same = _numbers(before.frame.run, same) == _numbers(after.frame.run, same)
    alike = {name for name in compress(same, is_same.all(axis=0).tolist()) if nodes[name] is known[name]}
    return alike, {*compress(same, is_same[0].tolist())}


def _numbers(run: Run, names: list[str]) -> np.ndarray:
    """The bits of values and gradients of these nodes, and which have a gradient: 3 x nodes. So nan equals nan, and -0
    does not equal 0."""
    numbers = np.array([run.plan.index[name] for name in names], dtype=np.intp)
    columns = [[known[number] for number in numbers.tolist()] for known in (run.values, run.gradients)]
    return np.vstack([np.array(columns, dtype=float).view(np.int64), run.plan.reaches[numbers]])
