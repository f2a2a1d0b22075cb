"""Notes at cards: breakpoints, the use of a custom gradient, the gradient accumulated over several backward passes."""

from __future__ import annotations

import numpy as np
from PySide6.QtCore import QPointF, QRectF, QSizeF, Qt
from PySide6.QtGui import QPainter, QPen

from cadena.core.text.numbers import short
from cadena.gui.canvas.rendering.clearance import Obstacles
from cadena.gui.canvas.rendering.contents import MAX_CARDS
from cadena.gui.canvas.rendering.scene import Scene
from cadena.gui.canvas.rendering.text_fitting import CENTER, width, write
from cadena.gui.look.theme import CAPTION, GAP

BREAKPOINT = 8.0  # the radius of the sign
MAX_NOTES = 60  # notes on one picture; of more, each would hide the next
CUSTOM, ASIDE = "custom gradient", "custom gradient off"


def notes(scene: Scene, names: list[str]) -> list[tuple[str, str]]:
    """The node and the text of each note."""
    texts = [(name, text) for name in names if (text := _gradient_note(scene, name))]
    texts += [(name, text) for name, text in scene.remarks if name in names]
    if scene.accumulated is None:
        return texts
    held = scene.accumulated
    sums = [(name, _sum_text(held.gradients[name], held.passes_at(name))) for name in names if name in held.gradients]
    return texts + sums


def _sum_text(total: np.ndarray, passes: int) -> str:
    """A sum of gradients and of how many passes; of an array it is the inspector that shows the numbers."""
    if not passes:
        array = "Σ so far" if total.any() else "Σ 0"  # the first one is under way, or zero_grad has left none
        return array if total.ndim else f"Σ {short(total)}"
    count = f"{passes} pass{'' if passes == 1 else 'es'}"
    return f"Σ of {count}" if total.ndim else f"Σ {short(total)}, {count}"


def _gradient_note(scene: Scene, name: str) -> str:
    function = scene.document.function_of(name)
    if function is None or function.gradient is None:
        return ""
    return CUSTOM if function.gradient.used else ASIDE


def paint(painter: QPainter, scene: Scene, visible: QRectF, obstacles: Obstacles, scale: float) -> None:
    """The notes of the nodes in sight, `scale` times their usual size, in the gradient's colour."""
    theme, size = scene.theme, round(CAPTION * scene.theme.type * scale)
    for name, text in notes(scene, _names_in(scene, visible))[:MAX_NOTES]:
        card = scene.geometry.card(name)
        if width(text, size, True) + 2 * GAP * scale > card.width():
            text = _brief(scene, name, text)  # small cards stand close together
        room = QSizeF(width(text, size, True) + 2 * GAP * scale, size * 1.6)
        place = obstacles.place(room, _spots(card, room))
        painter.setPen(QPen(theme.color("gradient"), 1.2 * theme.line))
        painter.setBrush(theme.color("gradient_ground"))
        painter.drawRoundedRect(place, 4.0, 4.0)
        write(painter, text, place, size, theme.color("gradient"), bold=True, align=CENTER)


def _names_in(scene: Scene, visible: QRectF) -> list[str]:
    """The nodes in sight, as far as they are few and any node may have a note."""
    if not scene.document.functions and not scene.remarks and scene.accumulated is None:
        return []  # as most pictures are, and looking for the cards in sight takes its time
    numbers = scene.geometry.cards_in(visible)
    return [scene.geometry.names[number] for number in numbers.tolist()] if len(numbers) <= MAX_CARDS else []


def paint_breakpoints(painter: QPainter, scene: Scene, visible: QRectF, scale: float) -> None:
    """A pause sign on the corner of each card before whose steps playing pauses."""
    radius = BREAKPOINT * scale * scene.theme.type
    bar = QSizeF(radius * 0.28, radius)
    for name in scene.breakpoints & scene.document.nodes.keys():
        corner = scene.geometry.card(name).topLeft()
        if not visible.contains(corner):
            continue
        painter.setPen(QPen(scene.theme.color("canvas"), 1.5 * scene.theme.line))
        painter.setBrush(scene.theme.color("text"))
        painter.drawEllipse(corner, radius, radius)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(scene.theme.color("canvas"))
        for side in (-1.0, 1.0):
            middle = corner + QPointF(side * radius * 0.3, 0.0)
            painter.drawRect(QRectF(middle - QPointF(bar.width() / 2, bar.height() / 2), bar))


def _brief(scene: Scene, name: str, text: str) -> str:
    """A note for a small card: of a sum of numbers without the passes, whose count the inspector shows too."""
    total = scene.accumulated.gradients.get(name) if scene.accumulated is not None else None
    is_sum = total is not None and not total.ndim and not _gradient_note(scene, name)
    return f"Σ {short(total)}" if is_sum and name not in dict(scene.remarks) else text


def _spots(card: QRectF, room: QSizeF) -> list[tuple[float, float]]:
    """The centers of a note at a card, best first: hanging from its lower edge, then on its upper one."""
    half, middle = room.height() / 2, card.center().x()
    below, above = card.bottom() + half + 2.0, card.top() - half - 2.0
    left = card.left() + room.width() / 2
    return [(middle, below), (middle, above), (left, below), (left, above)]
