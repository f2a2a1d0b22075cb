"""Cards: the name, the operation as mathematics, the value on the upper line, the gradient on the lower."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import numpy as np
from PySide6.QtCore import QPointF, QRectF, QSizeF, Qt
from PySide6.QtGui import QColor, QPainter, QPainterPath, QPen

from cadena.core.methods.reverse.timeline import Line
from cadena.core.ops.primitive import REGISTRY
from cadena.core.teaching.hiding import MARK
from cadena.core.text.numbers import shape_text, short
from cadena.gui.canvas.rendering import derivatives, heatmap
from cadena.gui.canvas.rendering.card import Card, symbol
from cadena.gui.canvas.rendering.geometry import NUMBER_CARD, TITLE_HEIGHT, Geometry
from cadena.gui.canvas.rendering.text_fitting import CENTER, RIGHT, fitted, width, write
from cadena.gui.formulas import pictures
from cadena.gui.look.heat_colors import ink
from cadena.gui.look.theme import CAPTION, CARD_NAME, CARD_NUMBER, GAP, LABEL, Theme

FULL, PLAIN, COMPACT = 0.8, 0.45, 0.24  # zooms from which a card shows all; larger type, no labels; name and value
DIMMED = 0.4  # opacity
OFF = Qt.PenStyle.DashLine  # around a card whose operation is not carried out
STACK = (7.0, 3.5)  # how far the cards behind that of several operations look out, to the right and upwards
MIN_NUMBER = 9.0  # pixels on the screen: the least height of a value and a gradient side by side
LARGER = 1.3  # the type where there are no labels
NOT_YET, NEVER = "·", "–"
FOLDED_SHARE = 0.35  # of its title, for the operations of a folded chain
NAME_SHARE = 0.7  # a long name, and the kind beside it, are set this much smaller before the name is shortened
MIN_NAME = 5.5  # pixels on the screen: the least height of a name
FORMULA_SHARE, MIN_FORMULA = 1.1, 11.0  # of the type; canvas units below which a formula is shortened instead
LABEL_SHARE = 0.72  # a number gives way to its label down to this share of its size; then the label goes


def legible(geometry: Geometry, numbers: np.ndarray, readable: float) -> np.ndarray:
    """Which of these cards are wide enough for a name; `readable` is the zoom times the theme's type."""
    boxes = geometry.boxes[numbers]
    legible_: np.ndarray = (boxes[:, 2] - boxes[:, 0]) * readable >= NUMBER_CARD[0] * COMPACT
    return legible_


def paint(painter: QPainter, card: Card, theme: Theme, zoom: float) -> None:
    """The card in canvas units, with as much detail as `zoom` leaves readable."""
    paint_face(painter, card, theme, zoom)
    paint_numbers(painter, card, theme, zoom)


def paint_face(painter: QPainter, card: Card, theme: Theme, zoom: float) -> None:
    """The card without its numbers; from afar without its name, too, beside which they are written."""
    painter.setOpacity(DIMMED if card.dimmed else 1.0)
    _body(painter, card, theme, zoom)
    if not _is_far(theme, zoom):
        _title(painter, card, _letters(theme, zoom), _least_name(zoom))
    if card.output:
        _flag(painter, card, theme)
    painter.setOpacity(1.0)


def paint_numbers(painter: QPainter, card: Card, theme: Theme, zoom: float) -> None:
    """What a card says that its face does not."""
    painter.setOpacity(DIMMED if card.dimmed else 1.0)
    if _is_far(theme, zoom):
        _from_afar(painter, card, theme, zoom)
    else:
        _lines(painter, card, _letters(theme, zoom), zoom, labels=zoom * theme.type >= FULL)
    painter.setOpacity(1.0)


def _letters(theme: Theme, zoom: float) -> Theme:
    return theme if zoom * theme.type >= FULL else _larger(theme)


def _is_far(theme: Theme, zoom: float) -> bool:
    """Whether name and value alone can be read; in larger type sooner, as it needs more room on the same card."""
    return zoom * theme.type**0.5 < PLAIN


@cache
def _larger(theme: Theme) -> Theme:
    return replace(theme, type=theme.type * LARGER)


def _body(painter: QPainter, card: Card, theme: Theme, zoom: float) -> None:
    if card.selected:
        painter.setPen(QPen(theme.color("text"), max(2.0 * theme.line, 1.5 / zoom)))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        out = 4.0 + theme.line
        painter.drawRoundedRect(card.box.adjusted(-out, -out, out, out), card.radius + out, card.radius + out)
    from_afar = card.gradient is not None and _is_far(theme, zoom)  # it is marked as present, without its number
    role = "fault" if card.faulty else card.edge or ("gradient" if from_afar else None)
    edge = theme.color(role or ("text" if card.hovered else "border"))
    thickness = (2.6 if role else 1.4) * theme.line
    painter.setPen(QPen(edge, max(thickness, 1.0 / zoom), OFF if card.off else Qt.PenStyle.SolidLine))
    painter.setBrush(theme.color(_ground(card)))
    for off in STACK if card.is_stack else ():
        painter.drawRoundedRect(card.box.translated(off, -off), card.radius, card.radius)
    painter.drawRoundedRect(card.box, card.radius, card.radius)
    if card.tint is not None:
        _tint(
            painter,
            card,
            QColor(*card.tint),
            _name_share(card) * card.box.height() if _is_far(theme, zoom) else TITLE_HEIGHT,
        )


def _name_share(card: Card) -> float:
    """The part of a card's height that its name takes, seen from afar."""
    return 0.5 if not card.shape else 0.36


def _tint(painter: QPainter, card: Card, color: QColor, height: float) -> None:
    """Colour the ground of the title; numbers keep theirs, on which they are read best."""
    row = QPainterPath()
    row.addRoundedRect(card.box, card.radius, card.radius)
    above = QPainterPath()
    above.addRect(QRectF(card.box.topLeft(), QSizeF(card.box.width(), height)))
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(color)
    painter.drawPath(row & above)


def _name_ink(card: Card, theme: Theme) -> QColor:
    return ink(card.tint) if card.tint is not None else theme.color("text")


def _ground(card: Card) -> str:
    if card.ground:
        return f"{card.ground}_ground"
    if card.faulty:
        return "fault_ground"
    return "parameter" if card.node.op == "parameter" and card.is_leaf else "card"


def _title(painter: QPainter, card: Card, theme: Theme, least: float) -> None:
    row = QRectF(card.box.left(), card.box.top(), card.box.width(), TITLE_HEIGHT)
    row.adjust(card.inset, 2.0, -card.inset, 0.0)
    size = min(CARD_NAME * theme.type, 0.9 * row.height())
    least = min(NAME_SHARE * size, least)
    kind = _kind(painter, card, theme, row, size, least)
    name = row.adjusted(0.0, 0.0, -kind - GAP / 2 if kind else 0.0, 0.0)
    write(painter, card.title, name, size, _name_ink(card, theme), bold=True, least=least)
    quiet = theme.color("muted") if card.tint is None else ink(card.tint)
    if card.shape:
        _shape(
            painter, card.shape, name.adjusted(width(card.title, round(size), True) + GAP, 0.0, 0.0, 0.0), theme, quiet
        )
    line = row.bottom()
    painter.setPen(QPen(theme.color("border", 0.45), 1.0))
    painter.drawLine(QPointF(card.box.left() + GAP, line), QPointF(card.box.right() - GAP, line))


def _least_name(zoom: float) -> float:
    """The height below which a name is shortened. In large type, too: a name is worth more whole than large."""
    return max(NAME_SHARE * CARD_NAME, MIN_NAME / zoom)


def _shape(painter: QPainter, shape: tuple[int, ...], room: QRectF, theme: Theme, color: QColor) -> None:
    """The shape of a tensor beside its name, where there is room for it."""
    text, size = "×".join(map(str, shape)) if len(shape) > 1 else f"{shape[0]}", round(CAPTION * theme.type)
    if width(text, size) <= room.width():
        write(painter, text, room, size, color)


def _kind(painter: QPainter, card: Card, theme: Theme, row: QRectF, name_size: float, least: float) -> float:
    """Paint the kind of the node at the right of its title, where it gives way to the name. Returns its width."""
    if card.node.op == "parameter" and card.is_leaf:
        return _knobs(painter, row, theme.color("muted") if card.tint is None else ink(card.tint), theme.line)
    text, size, role = symbol(card.node), CAPTION * theme.type, "muted"
    if card.folded:
        text, size, role = card.folded, LABEL * theme.type, "text"
    elif card.off:
        text = card.off
    elif card.function:
        text, size, role = f"ƒ {card.node.op}", CAPTION * theme.type, "text"
    elif not card.node.is_leaf:
        size, role = CARD_NAME * theme.type, "text" if card.node.op in REGISTRY else "fault"
    most = _kind_room(card, theme, row, width(text, round(min(size, least))), name_size, least)
    if not most:
        return 0.0
    text, size = fitted(text, round(size), False, most)
    color = theme.color(role) if card.tint is None else ink(card.tint)
    write(painter, text, row, size, color, align=RIGHT)
    return width(text, round(size))


def _kind_room(card: Card, theme: Theme, row: QRectF, needed: float, name_size: float, least: float) -> float:
    """How wide the kind may be, which needs so much in its smallest type: 0.0 where the name needs its room."""
    half, own = row.width() * 0.5, width(card.title, round(CARD_NAME * theme.type), True)
    if card.folded:
        return max(row.width() * FOLDED_SHARE, row.width() - own - GAP)
    if card.function:  # its name is the kind: it may take all the room that the node's own name leaves
        return max(half, row.width() - own - 1.5 * GAP)
    if width(card.title, round(least), True) > row.width():  # the name is cut anyway
        return min(half, needed)
    left = row.width() - width(card.title, round(name_size), True) - GAP / 2
    if card.off:  # a mark that stands nowhere else
        return min(half, max(needed, left))
    return left if left >= needed else 0.0


def _knobs(painter: QPainter, row: QRectF, color: QColor, line: float) -> float:
    """Paint the mark of a parameter: two sliders, as training moves it."""
    wide, middle = 15.0, row.center().y() + 0.5
    left = row.right() - wide
    painter.setPen(QPen(color, 1.5 * line**0.5))
    for offset, knob in ((-3.5, 0.68), (3.5, 0.3)):
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawLine(QPointF(left, middle + offset), QPointF(row.right(), middle + offset))
        painter.setBrush(color)
        painter.drawEllipse(QPointF(left + wide * knob, middle + offset), 2.4, 2.4)
    return wide


def _lines(painter: QPainter, card: Card, theme: Theme, zoom: float, labels: bool) -> None:
    top = card.box.top() + TITLE_HEIGHT
    height = (card.box.height() - TITLE_HEIGHT) / 2
    row = QRectF(card.box.left() + card.inset, top, card.box.width() - 2 * card.inset, height)
    named = _label_room(card.rows, theme)
    numbers = [line for line in card.rows if not derivatives.is_vector(line.number, card.shape)]
    beside = named if labels and all(_leaves_room(line, row.width() - named, theme) for line in numbers) else 0.0
    for line in card.rows:
        if derivatives.is_vector(line.number, card.shape):
            room = row.adjusted(0.0, 3.0, 0.0, -5.0 if card.shape else -4.0)
            derivatives.paint(painter, line.number, room, theme, line.role, zoom)
        elif card.shape and not line.text:
            marked = card.marked.get(line.role)
            room = row.adjusted(0.0, 4.0, 0.0, -4.0)
            left = _beside_array(painter, line, room, theme) if labels else 0.0
            _array_line(painter, line, room.adjusted(left, 0.0, 0.0, 0.0), theme, zoom, marked)
        else:
            _number_line(painter, line, row.adjusted(0.0, 0.0, 0.0, -1.0), theme, beside)
        row.translate(0.0, height - (3.0 if card.shape else 0.0))


def _label_room(rows: tuple[Line, Line], theme: Theme) -> float:
    return max(width(line.label, round(CAPTION * theme.type)) for line in rows) + GAP / 2


def _leaves_room(line: Line, room: float, theme: Theme) -> bool:
    """Whether a number fits beside its label without much smaller type; otherwise labels are hidden."""
    size = round(CARD_NUMBER * theme.type)
    if line.latex:
        formula_ = pictures.cached(line.latex[0])
        return formula_ is None or formula_.size(size * FORMULA_SHARE).width() <= room
    return line.empty or fitted(_text(line), size, True, room)[1] >= size * LABEL_SHARE


def _text(line: Line) -> str:
    if line.empty:
        return NOT_YET if line.expected else NEVER
    return line.text or short(line.number, line.digits)


def _number_line(painter: QPainter, line: Line, row: QRectF, theme: Theme, beside: float) -> None:
    """A number or a formula at the right of its label, which takes the room `beside` it."""
    if beside:
        write(painter, line.label, row, CAPTION * theme.type, theme.color("muted"))
        row = row.adjusted(beside, 0.0, 0.0, 0.0)
    if line.latex:
        _formula(painter, line, row, theme)
        return
    size = (LABEL if line.text not in ("", MARK) else CARD_NUMBER) * theme.type
    write(painter, _text(line), row, size, theme.color("muted" if line.empty else line.role), bold=True, align=RIGHT)


def _formula(painter: QPainter, line: Line, row: QRectF, theme: Theme) -> None:
    """The longest form of the formula that is legible in its row, at the right."""
    largest, least = CARD_NUMBER * theme.type * FORMULA_SHARE, MIN_FORMULA * theme.type**0.5
    room = row.size()
    for latex in line.latex:
        if (candidate := pictures.cached(latex)) is None:
            return
        formula_, taken = candidate, candidate.size(largest)
        size = largest * min(1.0, room.width() / taken.width(), room.height() / taken.height())
        if size >= least:
            break
    scale = size / pictures.REFERENCE
    middle = row.center().y() + (formula_.ascent - formula_.descent) * scale / 2
    pictures.paint(
        painter, latex, size, getattr(theme, line.role), QPointF(row.right() - formula_.width * scale, middle)
    )


def _beside_array(painter: QPainter, line: Line, room: QRectF, theme: Theme) -> float:
    """The words value and gradient along the left edge of a map, upwards. Returns the width that they take."""
    word = "gradient" if line.role == "gradient" else line.label
    size = min(CAPTION * theme.type, CAPTION * room.height() / max(width(word, round(CAPTION)), 1.0))
    painter.save()
    painter.translate(room.bottomLeft())
    painter.rotate(-90.0)
    write(painter, word, QRectF(0.0, 0.0, room.height(), size * 1.2), size, theme.color(line.role), align=CENTER)
    painter.restore()
    return size * 1.2 + 2.0


def _array_line(
    painter: QPainter, line: Line, room: QRectF, theme: Theme, zoom: float, marked: np.ndarray | None
) -> None:
    if line.number is None:
        write(painter, _text(line), room, CARD_NUMBER * theme.type, theme.color("muted"), bold=True, align=CENTER)
    else:
        heatmap.paint(painter, line.number, room, theme, line.role, zoom, marked=marked)


def _from_afar(painter: QPainter, card: Card, theme: Theme, zoom: float) -> None:
    """The name over the numbers, as large as the card allows; on large cards hardly larger."""
    share = _name_share(card)
    upper = card.box.adjusted(GAP, 3.0, -GAP, -(1.0 - share) * card.box.height())
    lower = card.box.adjusted(GAP, share * card.box.height(), -GAP, -5.0)
    size = min(upper.height(), LARGER * NUMBER_CARD[1] / 2) * 0.8
    least = min(NAME_SHARE * size, _least_name(zoom))
    write(painter, card.title, upper, size, _name_ink(card, theme), bold=True, align=CENTER, least=least)
    if card.shape and any(line.number is not None and line.number.size > 1 for line in card.rows):
        _maps_from_afar(painter, card, lower.adjusted(0.0, 0.0, 0.0, -3.0), theme, zoom)
    else:
        _numbers_from_afar(painter, card, lower, theme, zoom)


def _maps_from_afar(painter: QPainter, card: Card, room: QRectF, theme: Theme, zoom: float) -> None:
    """The value's map, and the gradient's at its right as soon as there is one."""
    maps = [(line.role, line.number) for line in card.rows if line.number is not None and not line.text]
    wide = (room.width() - GAP * (len(maps) - 1)) / len(maps)
    for place, (role, array) in enumerate(maps):
        part = QRectF(room.left() + place * (wide + GAP), room.top(), wide, room.height())
        heatmap.paint(painter, array, part, theme, role, zoom, marked=card.marked.get(role))


def _numbers_from_afar(painter: QPainter, card: Card, room: QRectF, theme: Theme, zoom: float) -> None:
    """The value, and the gradient at its right if both can be read."""
    (value, gradient), size = (_number_from_afar(line) for line in card.rows), card.box.height() * 0.4
    if card.shape and not value:
        write(painter, shape_text(card.shape), room, size * 0.6, theme.color("muted"), bold=True, align=CENTER)
        return
    both = width(f"{value}  {gradient}", round(size), True)
    smaller = size * min(1.0, room.width() / max(both, 1.0))
    if not gradient or smaller * zoom < MIN_NUMBER:
        write(painter, value, room, size, theme.color(card.rows[0].role), bold=True, align=CENTER)
        return
    write(painter, value, room, smaller, theme.color(card.rows[0].role), bold=True)
    write(painter, gradient, room, smaller, theme.color(card.rows[1].role), bold=True, align=RIGHT)


def _number_from_afar(line: Line) -> str:
    """A number as text; nothing for what is no single number."""
    if line.number is None or line.text or line.number.size != 1:
        return line.text
    return short(line.number.item(), line.digits)


def flag_area(box: QRectF, theme: Theme) -> QRectF:
    """The area of the flag of an output with this card, at its upper right corner."""
    size = round(CAPTION * theme.type)
    wide, tall = width("output", size, True) + 2.5 * GAP, TITLE_HEIGHT * 0.42 + size * 0.72
    return QRectF(box.right(), box.top() - tall * 0.45, wide, tall)


def _flag(painter: QPainter, card: Card, theme: Theme) -> None:
    place = flag_area(card.box, theme)
    notch = QPointF(place.right() - place.height() * 0.3, place.center().y())
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(theme.color("text"))
    painter.drawPolygon([place.topLeft(), place.topRight(), notch, place.bottomRight(), place.bottomLeft()])
    cloth = place.adjusted(0.0, 0.0, notch.x() - place.right(), 0.0)
    write(painter, "output", cloth, round(CAPTION * theme.type), theme.color("canvas"), bold=True, align=CENTER)
