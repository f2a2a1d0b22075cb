"""Cards: the name and the operation over two rows, the value and the gradient, which fill up as the pass goes."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from dataclasses import replace
from functools import cache

import numpy as np
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPainterPath, QPen

from cadena.core.layout.arrange import MAP_GAP, WORD
from cadena.core.methods.reverse.timeline import Line
from cadena.core.ops.primitive import REGISTRY
from cadena.core.teaching.hiding import MARK
from cadena.core.text.numbers import shape_text, short
from cadena.gui.canvas.rendering import derivatives, heatmap
from cadena.gui.canvas.rendering.card import Card, symbol
from cadena.gui.canvas.rendering.geometry import NUMBER_CARD, TITLE_HEIGHT, Geometry
from cadena.gui.canvas.rendering.text_fitting import CENTER, MIN_TYPE, RIGHT, fitted, width, write
from cadena.gui.formulas import pictures
from cadena.gui.look.heat_colors import ink
from cadena.gui.look.theme import CAPTION, CARD_NAME, CARD_NUMBER, GAP, LABEL, OPERATION, Theme

EDGE, GIVER, RECEIVER = 1.4, 2.4, 3.2  # the lines around cards: at rest, and those of the two cards of a step
SELECTED, OUTSIDE = 2.0, 3.0  # the width of the second outline of a selected card, and the gap before it
RING, RING_RADIUS = 2.0, 7.0  # around a number that the step uses
TAB = 22.0  # the height of the tab on the output's card
FULL, PLAIN, COMPACT = 0.8, 0.45, 0.24  # zooms from which a card shows all; larger type, no labels; name and value
DIMMED = 0.4  # opacity
OFF = Qt.PenStyle.DashLine  # around a card whose operation is not carried out
STACK = (9.0, 4.5)  # how far the cards behind that of several operations look out, to the right and upwards
MIN_NUMBER = 9.0  # pixels on the screen: the least height of a value and a gradient side by side
LARGER = 1.3  # the type where there are no labels
NOT_YET, NEVER = "·", "–"
NUMBER_WEIGHT, SIGN_WEIGHT, DOT = 700, 500, 1.4  # the weights of type; how much larger the mark NOT_YET is set
TINTED = ("gradient", "tangent")  # roles whose rows have a ground as soon as they hold a number
FOLDED_SHARE = 0.35  # of its title, for the operations of a folded chain
NAME_SHARE = 0.7  # a long name, and the kind beside it, are set this much smaller before the name is shortened
MIN_NAME = 5.5  # pixels on the screen: the least height of a name
FORMULA_SHARE, MIN_FORMULA = 1.1, 11.0  # of the type; canvas units below which a formula is shortened instead
LABEL_SHARE = 0.8  # a number gives way to its label down to this share of its size; then the label goes


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
        _tab(painter, card, theme)
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
    """The card without words: its rows as areas, their hairlines, and its outline."""
    role, thickness = _outline(card)
    width_ = max(thickness * theme.line, 1.0 / zoom)
    if card.selected:
        painter.setPen(QPen(theme.color("ink"), max(SELECTED * theme.line, 1.5 / zoom)))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        out = width_ / 2 + OUTSIDE + SELECTED * theme.line / 2
        painter.drawRoundedRect(card.box.adjusted(-out, -out, out, out), card.radius + out, card.radius + out)
    pen = QPen(theme.color(role), width_, OFF if card.off else Qt.PenStyle.SolidLine)
    painter.setBrush(theme.color("card"))
    painter.setPen(QPen(theme.color("border"), max(EDGE * theme.line, 1.0 / zoom)))
    for off in STACK if card.is_stack else ():
        painter.drawRoundedRect(card.box.translated(off, -off), card.radius, card.radius)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.drawRoundedRect(card.box, card.radius, card.radius)
    for top, bottom, ground in _bands(card, theme, zoom):
        if ground is not None:
            painter.setBrush(ground)
            painter.drawPath(_band(card.box, card.radius, top, bottom))
        if top > card.box.top():
            painter.fillRect(QRectF(card.box.left(), top - 0.5, card.box.width(), 1.0), theme.color("hairline"))
    painter.setPen(pen)
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.drawRoundedRect(card.box, card.radius, card.radius)


def _outline(card: Card) -> tuple[str, float]:
    """The role of the colour of a card's outline, and how wide it is."""
    if card.faulty:
        return "fault", RECEIVER
    if card.edge:
        return strong(card.edge), RECEIVER if card.ground else GIVER
    return "text" if card.hovered else "border", EDGE


def strong(role: str) -> str:
    """The tone of a role that fills and draws."""
    return f"{role}_strong" if role in ("value", "gradient") else role


def _bands(card: Card, theme: Theme, zoom: float) -> Iterator[tuple[float, float, QColor | None]]:
    """Top, bottom and ground of the parts of a card: its name over its two rows, or from afar over one for both."""
    bottom = card.box.bottom()
    if _is_far(theme, zoom):
        middle = card.box.top() + _name_share(card) * card.box.height()
        grounds = list(filter(None, (_ground(card, line, theme) for line in reversed(card.rows))))
        yield card.box.top(), middle, _title_ground(card, theme)
        yield middle, bottom, grounds[0] if grounds else None
        return
    upper, lower = card.row_areas
    yield card.box.top(), upper.top(), _title_ground(card, theme)
    for line, row in zip(card.rows, (upper, lower), strict=True):
        yield row.top(), row.bottom(), _ground(card, line, theme)


def _ground(card: Card, line: Line, theme: Theme) -> QColor | None:
    """The ground of a row: strong while its number arrives; then values lie on the card's own, all others on theirs."""
    if line.empty:
        return None
    if card.ground == line.role:
        return theme.color(strong(line.role))
    return theme.color(f"{line.role}_ground") if line.role in TINTED else None


def _title_ground(card: Card, theme: Theme) -> QColor | None:
    if card.tint is not None:
        return QColor(*card.tint)
    if card.faulty:
        return theme.color("fault_ground")
    return theme.color("parameter") if card.node.op == "parameter" and card.is_leaf else None


def _band(box: QRectF, radius: float, top: float, bottom: float) -> QPainterPath:
    """The part of a rounded box between two heights."""
    whole, part = QPainterPath(), QPainterPath()
    whole.addRoundedRect(box, radius, radius)
    part.addRect(QRectF(box.left(), top, box.width(), bottom - top))
    return whole & part


def _name_share(card: Card) -> float:
    """The part of a card's height that its name takes, seen from afar."""
    return 0.5 if not card.shape else 0.36


def _name_ink(card: Card, theme: Theme) -> QColor:
    return ink(card.tint) if card.tint is not None else theme.color("text")


def _title(painter: QPainter, card: Card, theme: Theme, least: float) -> None:
    row = QRectF(card.box.left(), card.box.top(), card.box.width(), TITLE_HEIGHT)
    row.adjust(card.inset, 0.0, -card.inset, 0.0)
    size = min(CARD_NAME * theme.type, 0.9 * row.height())
    least = min(NAME_SHARE * size, least)
    kind = _kind(painter, card, theme, row, size, least)
    name = row.adjusted(0.0, 0.0, -kind - GAP / 2 if kind else 0.0, 0.0)
    write(painter, card.title, name, size, _name_ink(card, theme), bold=True, least=least)
    quiet = theme.color("muted") if card.tint is None else ink(card.tint)
    if card.shape:
        room = name.adjusted(width(card.title, round(size), True) + GAP * 0.75, 0.0, 0.0, 0.0)
        _shape(painter, card.shape, room, theme, quiet)


def _least_name(zoom: float) -> float:
    """The height below which a name is shortened. In large type, too: a name is worth more whole than large."""
    return max(NAME_SHARE * CARD_NAME, MIN_NAME / zoom)


def _shape(painter: QPainter, shape: tuple[int, ...], room: QRectF, theme: Theme, color: QColor) -> None:
    """The shape of a tensor beside its name, where there is room for it."""
    text, size = shape_text(shape), round(CAPTION * theme.type)
    if width(text, size) <= room.width():
        write(painter, text, room, size, color)


def _kind(painter: QPainter, card: Card, theme: Theme, row: QRectF, name_size: float, least: float) -> float:
    """Paint the kind of the node at the right of its title, where it gives way to the name. Returns its width."""
    if card.node.op == "parameter" and card.is_leaf:
        return _knobs(painter, row, theme.color("muted") if card.tint is None else ink(card.tint), theme.line)
    text, size, role = symbol(card.node), CAPTION * theme.type, "muted"
    if card.folded:
        text = card.folded
    elif card.off:
        text = card.off
    elif card.function:
        text, size, role = f"ƒ {card.node.op}", LABEL * theme.type, "text"
    elif not card.node.is_leaf:
        size = (CARD_NAME if text.isascii() and re.fullmatch(r"[\w ]+", text) else OPERATION) * theme.type
        role = "text" if card.node.op in REGISTRY else "fault"
    most = _kind_room(card, theme, row, width(text, round(min(size, least))), name_size, least)
    if not most:
        return 0.0
    weight = SIGN_WEIGHT if role == "text" else False
    text, size = fitted(text, round(size), weight, most)
    color = theme.color(role) if card.tint is None else ink(card.tint)
    write(painter, text, row, size, color, bold=weight, align=RIGHT)
    return width(text, round(size), weight)


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
    wide, middle, knob = 16.0, row.center().y(), 2.6
    left = row.right() - wide
    painter.setPen(QPen(color, 1.5 * line**0.5))
    painter.setBrush(Qt.BrushStyle.NoBrush)
    for offset, share in ((-4.0, 0.66), (4.0, 0.34)):
        at = QPointF(left + wide * share, middle + offset)
        painter.drawLine(QPointF(left, at.y()), at - QPointF(knob, 0.0))
        painter.drawLine(at + QPointF(knob, 0.0), QPointF(row.right(), at.y()))
        painter.drawEllipse(at, knob, knob)
    return wide


def _lines(painter: QPainter, card: Card, theme: Theme, zoom: float, labels: bool) -> None:
    for line, area in zip(card.rows, card.row_areas, strict=True):
        row = area.adjusted(card.inset, 0.0, -card.inset, 0.0)
        if card.shape and not line.text:
            word = QRectF(row.left(), row.top(), row.width(), WORD)
            write(painter, line.label, word, min(CAPTION * theme.type, WORD), _label_ink(card, line, theme))
            _array_line(painter, card, line, row.adjusted(0.0, WORD, 0.0, -MAP_GAP), theme, zoom)
        elif derivatives.is_vector(line.number, card.shape):
            derivatives.paint(painter, line.number, row.adjusted(0.0, 4.0, 0.0, -4.0), theme, line.role, zoom)
        else:
            _number_line(painter, card, line, row, theme, labels)


def _label_ink(card: Card, line: Line, theme: Theme) -> QColor:
    """The colour of a row's word, on the ground of the row."""
    if line.empty or line.role not in (*TINTED, card.ground):
        return theme.color("muted")
    return theme.color("on_strong" if card.ground == line.role else line.role)


def _number_ink(card: Card, line: Line, theme: Theme) -> QColor:
    return theme.color("on_strong" if card.ground == line.role and not line.empty else line.ink)


def _takes_label(line: Line, room: float, theme: Theme) -> bool:
    """Whether a number fits beside its label without much smaller type."""
    size = round(CARD_NUMBER * theme.type)
    if line.latex:
        formula_ = pictures.cached(line.latex[0])
        return formula_ is None or formula_.size(size * FORMULA_SHARE).width() <= room
    return fitted(_text(line), size, NUMBER_WEIGHT, room)[1] >= size * (1.0 if line.empty else LABEL_SHARE)


def _text(line: Line) -> str:
    if line.empty:
        return NOT_YET if line.expected else NEVER
    return line.text or short(line.number, line.digits)


def _number_line(painter: QPainter, card: Card, line: Line, row: QRectF, theme: Theme, labels: bool) -> None:
    """A number or a formula at the right of its label, where there is room for both."""
    beside = width(line.label, round(CAPTION * theme.type)) + GAP * (1.25 if line.role in card.used else 0.5)
    if labels and _takes_label(line, row.width() - beside, theme):
        write(painter, line.label, row, CAPTION * theme.type, _label_ink(card, line, theme))
        row = row.adjusted(beside, 0.0, 0.0, 0.0)
    if line.latex:
        _formula(painter, line, row, theme, _number_ink(card, line, theme).name())
        return
    if line.role == "muted":  # words that want nothing done at once
        write(painter, line.text, row, CAPTION * theme.type, theme.color("muted"))
        return
    size, text = (LABEL if line.text not in ("", MARK) else CARD_NUMBER) * theme.type, _text(line)
    if line.empty and line.expected:
        size *= DOT
    weight, least = (True, CAPTION * theme.type) if line.text else (NUMBER_WEIGHT, MIN_TYPE)
    write(painter, text, row, size, _number_ink(card, line, theme), bold=weight, align=RIGHT, least=least)
    if line.role in card.used and not line.empty:
        shown, size = fitted(text, min(round(size), round(row.height() * 0.96)), weight, row.width())
        wide, high = min(width(shown, size, weight) + 1.5 * GAP, row.width() + GAP), min(1.2 * size, row.height() - 4.0)
        _ring(painter, QRectF(row.right() + GAP * 0.75 - wide, row.center().y() - high / 2, wide, high), line, theme)


def _ring(painter: QPainter, around: QRectF, line: Line, theme: Theme) -> None:
    """The mark of a number that the step uses."""
    painter.setPen(QPen(theme.color(strong(line.role)), RING * theme.line**0.5))
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.drawRoundedRect(around, RING_RADIUS, RING_RADIUS)


def _formula(painter: QPainter, line: Line, row: QRectF, theme: Theme, color: str) -> None:
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
    pictures.paint(painter, latex, size, color, QPointF(row.right() - formula_.width * scale, middle))


def _array_line(painter: QPainter, card: Card, line: Line, room: QRectF, theme: Theme, zoom: float) -> None:
    """The map of an array, or the mark that there is none yet in its room."""
    if line.number is None:
        size = CARD_NUMBER * theme.type * (DOT if line.expected else 1.0)
        write(painter, _text(line), room, size, theme.color("muted"), bold=NUMBER_WEIGHT, align=CENTER)
    elif derivatives.is_vector(line.number, card.shape):
        derivatives.paint(painter, line.number, room, theme, line.role, zoom)
    else:
        role = "on_strong" if card.ground == line.role else line.role
        heatmap.paint(painter, line.number, room, theme, role, zoom, line.role, card.marked.get(line.role))
        if line.role in card.used:
            place = heatmap.area(heatmap.thinned(heatmap.as_matrix(line.number)).shape, room)
            _ring(painter, place.adjusted(-3.0, -3.0, 3.0, 3.0), line, theme)


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
    """The value, and the gradient at its right if both can be read; the gradient alone while it arrives."""
    (value, gradient), size = (_number_from_afar(line) for line in card.rows), card.box.height() * 0.4
    if card.shape and not value:
        text = shape_text(card.shape)
        if width(text, math.ceil(MIN_NAME / zoom), True) <= room.width():
            write(painter, text, room, size * 0.6, theme.color("muted"), bold=True, align=CENTER)
        return
    inks = [_number_ink(card, line, theme) for line in card.rows]
    if gradient and card.ground == card.rows[1].role:
        write(painter, gradient, room, size, inks[1], bold=True, align=CENTER)
        return
    both = width(f"{value}  {gradient}", round(size), True)
    smaller = size * min(1.0, room.width() / max(both, 1.0))
    if not gradient or smaller * zoom < MIN_NUMBER:
        write(painter, value, room, size, inks[0], bold=True, align=CENTER)
        return
    write(painter, value, room, smaller, inks[0], bold=True)
    write(painter, gradient, room, smaller, inks[1], bold=True, align=RIGHT)


def _number_from_afar(line: Line) -> str:
    """A number as text; nothing for what is no single number."""
    if line.number is None or line.text or line.number.size != 1:
        return line.text if line.role != "muted" else ""
    return short(line.number.item(), line.digits)


def tab_area(box: QRectF, radius: float, theme: Theme) -> QRectF:
    """The area of the tab on an output's card."""
    wide = width("output", round(CAPTION * theme.type), True) + 2.5 * GAP
    high = min(TAB * theme.type**0.5, TAB + 4.0)
    return QRectF(box.right() - radius - wide, box.top() - high, wide, high)


def _tab(painter: QPainter, card: Card, theme: Theme) -> None:
    place = tab_area(card.box, card.radius, theme)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(theme.color("ink"))
    painter.drawPath(_band(place.adjusted(0.0, 0.0, 0.0, 2.0 * GAP), 6.0, place.top(), place.bottom()))
    write(painter, "output", place, round(CAPTION * theme.type), theme.color("on_ink"), bold=True, align=CENTER)
