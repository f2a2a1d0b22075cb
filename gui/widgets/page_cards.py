"""Cards with pictures: one page over the graph, for mouse and keyboard."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QRect, QSize, Qt, Signal
from PySide6.QtGui import QFont, QFontMetrics, QKeyEvent, QPainter, QPen, QPixmap, QShowEvent
from PySide6.QtWidgets import (
    QFrame,
    QHBoxLayout,
    QListWidget,
    QListWidgetItem,
    QPushButton,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QVBoxLayout,
)

from cadena.gui.look import theme as look
from cadena.gui.look.text_cleaning import PlainLabel, tip
from cadena.gui.look.theme import Theme
from cadena.gui.widgets.strip import Strip

LEAST_WIDTH = 270  # pixels at `type` 1 of a card; there are as many in a row as fit
SUMMARY_LINES = 3
CARD = Qt.ItemDataRole.UserRole
SIZE = QSize(480, 250)  # pixels of a picture; shown smaller on most pages, so that cards keep their names and numbers


@dataclass(frozen=True)
class PageCard:
    """What a card shows beside its picture: a title, and words below it."""

    name: str  # by which its picture is known
    title: str
    words: str


class CardPage(Strip):
    """`chosen(name)` when a card is to be opened, `closeAsked` when none is.

    `picturesAsked(names)` tells which cards are laid out; a page with pictures has them for `picture` then, or later.
    """

    chosen = Signal(str)
    closeAsked = Signal()
    picturesAsked = Signal(list)

    def __init__(self, theme: Theme, heading: str, hint: str) -> None:
        super().__init__("top", theme)
        self.title, self.close_button = PlainLabel(heading), QPushButton("Close")
        self.close_button.setToolTip("Back to the graph (Esc)")
        self.list = CardList(heading)
        self.list.setItemDelegate(_CardPainter(self))
        self.list.itemClicked.connect(self._choose)
        self.list.opened.connect(lambda: self._choose(self.list.currentItem()))
        self.list.left.connect(self.closeAsked)
        self.close_button.clicked.connect(self.closeAsked)
        self._lay_out(hint)

    def picture(self, name: str) -> QPixmap | None:
        """The picture of a card, if it is there already; a page without pictures has none."""
        return None

    def show_cards(self, cards: Iterable[PageCard]) -> None:
        """Show these cards, the mark on the first."""
        self.list.clear()
        for card in cards:
            item = QListWidgetItem(card.title)
            item.setData(CARD, card)
            item.setToolTip(tip(card.words))
            item.setData(Qt.ItemDataRole.AccessibleDescriptionRole, card.words)
            self.list.addItem(item)
        self.list.setCurrentRow(0)
        self.fit()

    def _lay_out(self, text: str) -> None:
        self.title.setProperty("heading", True)
        hint = PlainLabel(text)
        hint.setProperty("label", True)
        head, column = QHBoxLayout(), QVBoxLayout(self)
        head.addWidget(self.title)
        head.addWidget(hint, 1)
        head.addWidget(self.close_button)
        column.setContentsMargins(2 * look.GAP, look.GAP, 2 * look.GAP, look.GAP)
        column.addLayout(head)
        column.addWidget(self.list, 1)

    def set_theme(self, theme: Theme) -> None:
        super().set_theme(theme)
        self.title.setFont(look.font(theme, look.TITLE, bold=True))
        self.fit()

    @property
    def theme(self) -> Theme:
        return self._theme

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self.fit()
        self.list.setFocus()

    def resizeEvent(self, event) -> None:
        super().resizeEvent(event)
        self.fit()

    def fit(self) -> None:
        """Fill the rows with cards of one width, and ask for pictures that fit them."""
        if not self.isVisible():
            return
        room = self.width() - 4 * look.GAP - self.list.verticalScrollBar().sizeHint().width() - 4
        width = room // max(1, room // round(LEAST_WIDTH * self._theme.type))
        self.list.setGridSize(QSize(width, self.card_height(width)))
        self.picturesAsked.emit([self.list.item(row).data(CARD).name for row in range(self.list.count())])

    def picture_size(self, width: int) -> QSize:
        """The size of the picture on a card of this width."""
        wide = width - 4 * look.GAP
        return QSize(wide, round(wide * SIZE.height() / SIZE.width()))

    def card_height(self, width: int) -> int:
        body, title = (QFontMetrics(font).height() for font in self.fonts)
        return self.picture_size(width).height() + title + SUMMARY_LINES * body + 5 * look.GAP

    @property
    def fonts(self) -> tuple[QFont, QFont]:
        """The fonts of the summary and of the title."""
        return look.font(self._theme, look.LABEL), look.font(self._theme, look.CARD_NAME, bold=True)

    def _choose(self, item: QListWidgetItem | None) -> None:
        if item is not None:
            self.chosen.emit(item.data(CARD).name)


class CardList(QListWidget):
    """A grid of cards."""

    opened, left = Signal(), Signal()

    def __init__(self, name: str) -> None:
        super().__init__()
        self.setViewMode(QListWidget.ViewMode.IconMode)
        self.setResizeMode(QListWidget.ResizeMode.Adjust)
        self.setMovement(QListWidget.Movement.Static)
        self.setVerticalScrollMode(QListWidget.ScrollMode.ScrollPerPixel)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOn)  # the cards keep their width
        bar = self.verticalScrollBar()
        bar.rangeChanged.connect(lambda least, most: bar.setEnabled(most > least))
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setProperty("plain", True)
        self.setMouseTracking(True)
        self.setAccessibleName(name)
        self.setAccessibleDescription("The arrow keys choose, Enter opens, Esc leads back to the graph")

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space):
            self.opened.emit()
        elif event.key() == Qt.Key.Key_Escape:
            self.left.emit()
        else:
            super().keyPressEvent(event)


class _CardPainter(QStyledItemDelegate):
    """Paints a card: its picture, its title and its words."""

    def __init__(self, page: CardPage) -> None:
        super().__init__(page)
        self._page = page

    def sizeHint(self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex) -> QSize:
        return self._page.list.gridSize()

    def paint(
        self, painter: QPainter, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> None:
        page, shown = self._page, index.data(CARD)
        theme, gap = page.theme, look.GAP
        card = option.rect.adjusted(gap // 2, gap // 2, -gap // 2, -gap // 2)
        is_current = bool(option.state & QStyle.StateFlag.State_Selected)
        is_pointed = bool(option.state & QStyle.StateFlag.State_MouseOver)
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(
            QPen(theme.color("ink" if is_current or is_pointed else "border"), theme.line * (1 + is_current))
        )
        painter.setBrush(theme.color("card"))
        painter.drawRoundedRect(card, look.RADIUS, look.RADIUS)
        size = page.picture_size(page.list.gridSize().width())
        place = QRect(card.topLeft(), size).translated((card.width() - size.width()) // 2, gap)
        self._paint_picture(painter, place, page.picture(shown.name))
        words = QRect(place.left(), place.bottom() + gap, place.width(), card.bottom() - place.bottom() - 2 * gap)
        self._paint_words(painter, words, shown)
        painter.restore()

    def _paint_picture(self, painter: QPainter, place: QRect, picture: QPixmap | None) -> None:
        painter.fillRect(place, self._page.theme.color("canvas"))
        if picture is not None:
            painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
            painter.drawPixmap(place, picture)

    def _paint_words(self, painter: QPainter, place: QRect, card: PageCard) -> None:
        body, bold = self._page.fonts
        theme, high = self._page.theme, QFontMetrics(bold).height()
        painter.setFont(bold)
        painter.setPen(theme.color("text"))
        title = QFontMetrics(bold).elidedText(card.title, Qt.TextElideMode.ElideRight, place.width())
        painter.drawText(place, Qt.AlignmentFlag.AlignTop | Qt.AlignmentFlag.AlignLeft, title)
        painter.setFont(body)
        painter.setPen(theme.color("muted"))
        rest = place.adjusted(0, high + look.GAP // 2, 0, 0)
        for number, line in enumerate(lines(card.words, QFontMetrics(body), rest.width(), SUMMARY_LINES)):
            top = rest.top() + number * QFontMetrics(body).height()
            painter.drawText(rest.left(), top + QFontMetrics(body).ascent(), line)


def lines(text: str, metrics: QFontMetrics, width: int, most: int) -> list[str]:
    """The text in at most so many lines of this width; the last one ends in … where some is left."""
    listed, words = list[str](), text.split()
    while words and len(listed) < most:
        count = 1
        while count < len(words) and metrics.horizontalAdvance(" ".join(words[: count + 1])) <= width:
            count += 1
        if len(listed) == most - 1 and count < len(words):
            return [*listed, metrics.elidedText(" ".join(words), Qt.TextElideMode.ElideRight, width)]
        line = " ".join(words[:count])  # one word may be too long alone, such as a path
        listed.append(metrics.elidedText(line, Qt.TextElideMode.ElideMiddle, width))
        words = words[count:]
    return listed
