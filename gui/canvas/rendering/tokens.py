"""Tokens: values, round, travel along the wires, gradients, diamonds, against them, and rest beside their goal."""

from __future__ import annotations

import numpy as np
from PySide6.QtCore import QPointF, QRectF, QSizeF
from PySide6.QtGui import QPainter, QPainterPath, QPen, QPolygonF

from cadena.core.methods.reverse.timeline import Token, ease, travelled
from cadena.core.teaching.hiding import MARK, OF_ROLE
from cadena.core.text.numbers import short
from cadena.gui.canvas.rendering import derivatives, heatmap
from cadena.gui.canvas.rendering.cards import strong
from cadena.gui.canvas.rendering.scene import Scene
from cadena.gui.canvas.rendering.text_fitting import CENTER, width, write
from cadena.gui.canvas.rendering.wire_paths import along, corners_of
from cadena.gui.canvas.rendering.wires import ACTIVE, ARROW
from cadena.gui.formulas import pictures
from cadena.gui.look.theme import GAP, NUMBER, Theme

DISC, DIAMOND = 34.0, QSizeF(50.0, 36.0)
BESIDE, HEAD = 3.0, ARROW + ACTIVE  # between a token and the card at the beginning of its wire, and at the end
LEAST_WAY = 0.2  # of a wire
OVER, WORDS = 10.0, 36.0  # how far a token may lie over the card where its wire begins, and over that where it ends
LEAST_SIZE = 0.8  # of a token that would lie on numbers otherwise
SEED_WAY = 50.0  # how far the seed comes from
DUAL = 0.85  # the size of each half of a dual number
WIDE, MIN_SHARE = 64.0, 0.75  # at `type` 1: a number as wide as this is set smaller, down to this share of the type


def paint(painter: QPainter, scene: Scene, scale: float) -> None:
    """Paint all tokens at the scene's moment, `scale` times their usual size; none in build mode."""
    step = scene.frame.step
    if scene.live:
        return
    # Within one card nothing travels, and its number is not computed: a convolution's contribution takes 60 ms.
    is_inner = step is not None and step.slot is not None and not scene.geometry.shows_wire(step.node, step.slot)
    for token in () if is_inner else scene.frame.tokens:
        if not scene.geometry.shows_wire(token.target, token.slot):
            continue
        path = scene.geometry.wire(token.source, token.target, token.slot)
        half, length = reach(token, scene.theme), path.length()
        size = min(scale, max((length + OVER + WORDS) / (2.0 * half), LEAST_SIZE))
        at = spot(path, half * size, token.fraction)
        if scene.hidden.hides(OF_ROLE[token.kind], token.source, token.target):
            _token(painter, at, np.array(0.0), token.kind, scene.theme, size, mark=MARK)
        else:
            _carried(painter, at, token, scene.theme, size)
    _seed(painter, scene, scale)


def spot(path: QPainterPath, half: float, fraction: float) -> QPointF:
    """Where a token that reaches so far to its sides is on the path of a wire, by length, which Qt does not go by."""
    if not (length := path.length()):
        return path.currentPosition()
    return QPointF(*along(corners_of(path)[None], [place_on(length, half, fraction)])[0, 0].tolist())


def place_on(length: float, half: float, fraction: float) -> float:
    """Where on a wire of this length, as a part of it, a token is that reaches so far to its sides: between the card at
    the wire's beginning and the arrow at its end."""
    # On a short wire a broad token lies over the edges of both cards, and moves all the same: over the words at the
    # left of a card rather than the numbers at the right.
    begin = max(min(half + BESIDE, (0.5 - LEAST_WAY / 2) * length), half - OVER)
    end = max(length - half - HEAD, (0.5 + LEAST_WAY / 2) * length, begin + LEAST_WAY * length)
    return min((begin + fraction * (end - begin)) / length, 1.0)


def reach(token: Token, theme: Theme) -> float:
    """How far a token reaches to its sides."""
    if token.latex:
        formula_ = pictures.cached(token.latex)
        return formula_.size(NUMBER * theme.type).width() / 2 + GAP if formula_ else DISC / 2
    room = _room(token.number, theme, token.digits)
    if token.tangent is not None:
        is_vector = derivatives.is_vector(token.tangent, token.number.shape)
        other = _vector_room(token.tangent) if is_vector else _room(token.tangent, theme)
        return max(_disc_of(room).width(), _disc_of(other).width()) * DUAL / 2
    return (diamond(room).boundingRect() if token.kind == "gradient" else _disc_of(room)).width() / 2


def _carried(painter: QPainter, at: QPointF, token: Token, theme: Theme, scale: float) -> None:
    """A number, a dual number (the value over the derivative, or a vector of them), or a formula."""
    if token.latex:
        _formula(painter, at, token.latex, theme, scale)
    elif token.tangent is None:
        _token(painter, at, token.number, token.kind, theme, scale, token.digits)
    else:
        is_vector = derivatives.is_vector(token.tangent, token.number.shape)
        rooms = _room(token.number, theme), _vector_room(token.tangent) if is_vector else _room(token.tangent, theme)
        above, below = (QPointF(0.0, _disc_of(room).height() / 2 * DUAL * scale) for room in rooms)
        if is_vector:
            _vector_token(painter, at + below, token.tangent, theme, scale * DUAL)
        else:
            _token(painter, at + below, token.tangent, "tangent", theme, scale * DUAL)
        _token(painter, at - above, token.number, "value", theme, scale * DUAL)


def _formula(painter: QPainter, at: QPointF, latex: str, theme: Theme, scale: float) -> None:
    formula_ = pictures.cached(latex)
    if formula_ is None:
        return
    painter.save()
    painter.translate(at)
    painter.scale(scale, scale)
    size = NUMBER * theme.type
    taken = formula_.size(size)
    painter.setPen(QPen(theme.color("canvas"), 2.0 * theme.line))
    painter.setBrush(theme.color("value_strong"))
    _disc(painter, QRectF(-taken.width() / 2, -taken.height() / 2, taken.width(), taken.height()))
    drop = (formula_.ascent - formula_.descent) * size / pictures.REFERENCE / 2
    pictures.paint(painter, latex, size, theme.on_strong, QPointF(-taken.width() / 2, drop))
    painter.restore()


def _token(
    painter: QPainter,
    at: QPointF,
    number: np.ndarray,
    kind: str,
    theme: Theme,
    scale: float,
    digits: int = 4,
    mark: str = "",
) -> None:
    """A number on its way, or a mark in its place."""
    painter.save()
    painter.translate(at)
    painter.scale(scale, scale)
    room = _room(number, theme, digits)
    painter.setPen(QPen(theme.color("canvas"), 2.0 * theme.line))
    painter.setBrush(theme.color(strong(kind)))
    if kind != "gradient":
        _disc(painter, room)
    else:
        painter.drawPolygon(diamond(room))
    if number.ndim:
        heatmap.paint(painter, number, room, theme, "on_strong", kind=kind)
    else:
        line = room.adjusted(0.0, -room.height() / 2, 0.0, room.height() / 2)
        text = mark or short(number, digits)
        write(painter, text, line, _type(text, theme), theme.color("on_strong"), bold=True, align=CENTER)
    painter.restore()


def _vector_token(painter: QPainter, at: QPointF, vector: np.ndarray, theme: Theme, scale: float) -> None:
    """Derivatives along several directions, as on a card but smaller."""
    painter.save()
    painter.translate(at)
    painter.scale(scale, scale)
    room = _vector_room(vector)
    painter.setPen(QPen(theme.color("canvas"), 2.0 * theme.line))
    painter.setBrush(theme.color("tangent"))
    _disc(painter, room)
    derivatives.paint(painter, vector, room, theme, "on_strong")
    painter.restore()


def _vector_room(vector: np.ndarray) -> QRectF:
    """A row of cells for a number's derivatives; blocks in a few lines for those of an array."""
    wide, tall = (min(len(vector) * 36.0, 108.0), 20.0) if vector.ndim == 1 else (84.0, 42.0)
    return QRectF(-wide / 2, -tall / 2, wide, tall)


def _room(number: np.ndarray, theme: Theme, digits: int = 4) -> QRectF:
    """The room of the number itself, around the origin."""
    if number.ndim:
        rows, columns = heatmap.as_matrix(number).shape
        wide, tall = min(max(columns, 1) * 10.0, 30.0), min(max(rows, 1) * 8.0, 18.0)
    else:
        size = _type(short(number, digits), theme)
        wide, tall = width(short(number, digits), size, True), size * 0.74
    return QRectF(-wide / 2, -tall / 2, wide, tall)


def _type(text: str, theme: Theme) -> int:
    """The height of a number's type: smaller for a long one, which would cover the cards on both sides."""
    usual = NUMBER * theme.type
    wide = width(text, round(usual), True)
    return round(usual * min(1.0, max(MIN_SHARE, WIDE * theme.type / wide)))


def _disc_of(room: QRectF) -> QRectF:
    """A disc around a number, drawn out where it is long."""
    half = max(DISC / 2, room.height() / 2 + GAP * 0.8)
    wide = max(half, room.width() / 2 + GAP)
    return QRectF(-wide, -half, 2 * wide, 2 * half)


def _disc(painter: QPainter, room: QRectF) -> None:
    around = _disc_of(room)
    painter.drawRoundedRect(around, around.height() / 2, around.height() / 2)


def diamond(room: QRectF) -> QPolygonF:
    """A diamond whose sides pass the corners of `room` with some air."""
    wide, tall = room.width() / 2 + 4.0, room.height() / 2
    half = max(DIAMOND.height() / 2, tall * 2.1)
    across = max(wide / (1.0 - tall / half), DIAMOND.width() / 2)
    return QPolygonF([QPointF(across, 0.0), QPointF(0.0, half), QPointF(-across, 0.0), QPointF(0.0, -half)])


def _seed(painter: QPainter, scene: Scene, scale: float) -> None:
    """Paint the seed, which comes from the right, against the arrows, where the reverse pass begins."""
    frame = scene.frame
    if frame.step is None or frame.step.phase != "seed" or frame.progress == 0.0:
        return
    left = SEED_WAY * (1.0 - ease(travelled(frame.progress)))
    at = scene.geometry.output_port(frame.step.node) + QPointF(left + DIAMOND.width() / 2 + BESIDE, 0.0)
    if scene.hidden.hides("gradients", frame.step.node):
        _token(painter, at, np.array(0.0), "gradient", scene.theme, scale, mark=MARK)
    else:
        _token(painter, at, np.asarray(frame.run.seed), "gradient", scene.theme, scale)
