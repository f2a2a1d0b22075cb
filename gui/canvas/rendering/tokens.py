"""Tokens: values, round, travel along the wires, gradients, diamonds, against them; and the pulse of arrival."""

from __future__ import annotations

import numpy as np
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QPainter, QPen, QPolygonF

from cadena.core.methods.reverse.activity import ROLES
from cadena.core.methods.reverse.timeline import ARRIVAL, Frame, Token, ease
from cadena.core.teaching.hiding import MARK, OF_ROLE
from cadena.core.text.numbers import short
from cadena.gui.canvas.rendering import derivatives, heatmap
from cadena.gui.canvas.rendering.scene import Scene
from cadena.gui.canvas.rendering.text_fitting import CENTER, width, write
from cadena.gui.formulas import pictures
from cadena.gui.look.theme import GAP, NUMBER, Theme

HEIGHT = 36.0
SEED_WAY = 50.0  # how far the seed comes from
DUAL = 0.85  # the size of each half of a dual number
WIDE, MIN_SHARE = 64.0, 0.65  # at `type` 1: a number as wide as this is set smaller, down to this share of the type
PULSE = 14.0  # how far the ring of an arrival spreads


def paint(painter: QPainter, scene: Scene, scale: float) -> None:
    """Paint all tokens at the scene's moment, `scale` times their usual size; none in build mode."""
    if scene.live:
        return
    _pulse(painter, scene)
    for token in scene.frame.tokens:
        path = scene.geometry.wire(token.source, token.target, token.slot)
        at = path.pointAtPercent(min(max(token.fraction, 0.0), 1.0))
        if scene.hidden.hides(OF_ROLE[token.kind], token.source, token.target):
            _token(painter, at, np.array(0.0), token.kind, scene.theme, scale, mark=MARK)
        else:
            _carried(painter, at, token, scene.theme, scale)
    _seed(painter, scene, scale)


def _carried(painter: QPainter, at: QPointF, token: Token, theme: Theme, scale: float) -> None:
    """A number, a dual number (the value over the derivative, or a vector of them), or a formula."""
    if token.latex:
        _formula(painter, at, token.latex, theme, scale)
    elif token.tangent is None:
        _token(painter, at, token.number, token.kind, theme, scale, token.digits)
    else:
        is_vector = derivatives.is_vector(token.tangent, token.number.shape)
        rooms = _room(token.number, theme), _vector_room(token.tangent) if is_vector else _room(token.tangent, theme)
        above, below = (QPointF(0.0, _half(room) * DUAL * scale) for room in rooms)
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
    painter.setBrush(theme.color("value"))
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
    painter.setBrush(theme.color(kind))
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
        wide, tall = min(max(columns, 1) * 12.0, 48.0), min(max(rows, 1) * 10.0, 34.0)
    else:
        size = _type(short(number, digits), theme)
        wide, tall = width(short(number, digits), size, True), size * 0.74
    return QRectF(-wide / 2, -tall / 2, wide, tall)


def _type(text: str, theme: Theme) -> int:
    """The height of a number's type: smaller for a long one, which would cover the cards on both sides."""
    usual = NUMBER * theme.type
    wide = width(text, round(usual), True)
    return round(usual * min(1.0, max(MIN_SHARE, WIDE * theme.type / wide)))


def _half(room: QRectF) -> float:
    """Half the height of a disc."""
    return max(HEIGHT / 2, room.height() / 2 + GAP * 0.8)


def _disc(painter: QPainter, room: QRectF) -> None:
    """A disc, drawn out where the number is long."""
    half = _half(room)
    wide = max(half, room.width() / 2 + GAP)
    painter.drawRoundedRect(QRectF(-wide, -half, 2 * wide, 2 * half), half, half)


def diamond(room: QRectF) -> QPolygonF:
    """A diamond whose sides pass the corners of `room` with some air."""
    wide, tall = room.width() / 2 + 3.0, room.height() / 2 + 1.0
    half = max(HEIGHT * 0.62, tall * 1.8)
    reach = max(wide / (1.0 - tall / half), half * 1.2)
    return QPolygonF([QPointF(reach, 0.0), QPointF(0.0, half), QPointF(-reach, 0.0), QPointF(0.0, -half)])


def _seed(painter: QPainter, scene: Scene, scale: float) -> None:
    """Paint the seed, which comes from the right, against the arrows, where the reverse pass begins."""
    frame = scene.frame
    if frame.step is None or frame.step.phase != "seed" or not 0.0 < frame.progress < ARRIVAL:
        return
    left = SEED_WAY * (1.0 - ease(frame.progress / ARRIVAL))
    at = scene.geometry.output_port(frame.step.node) + QPointF(left + HEIGHT * 0.7, 0.0)
    if scene.hidden.hides("gradients", frame.step.node):
        _token(painter, at, np.array(0.0), "gradient", scene.theme, scale, mark=MARK)
    else:
        _token(painter, at, np.asarray(frame.run.seed), "gradient", scene.theme, scale)


def arrived(frame: Frame) -> tuple[str, str] | None:
    """The node at which something has just landed, and its role."""
    if frame.step is None or not ARRIVAL <= frame.progress < 1.0:
        return None
    if frame.step.phase == "reverse":
        return str(frame.step.operand), "gradient"
    return frame.step.node, ROLES[frame.step.phase]


def _pulse(painter: QPainter, scene: Scene) -> None:
    """A ring that spreads from the card and fades."""
    landed = arrived(scene.frame)
    if landed is None:
        return
    part = (scene.frame.progress - ARRIVAL) / (1.0 - ARRIVAL)
    out = 3.0 + PULSE * part
    card = scene.geometry.card(landed[0]).adjusted(-out, -out, out, out)
    painter.setPen(QPen(scene.theme.color(landed[1], 0.55 * (1.0 - part)), 4.0 * (1.0 - part) + 1.0))
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.drawRoundedRect(card, 10.0 + out, 10.0 + out)
