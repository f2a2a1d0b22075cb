"""The canvas: it passes mouse, keys and drops on to gestures, editors and commands, and shows their effect."""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import QEvent, QPointF, QRectF, QSizeF, Qt, QTimer, Signal
from PySide6.QtGui import (
    QContextMenuEvent,
    QDragEnterEvent,
    QDragLeaveEvent,
    QDragMoveEvent,
    QDropEvent,
    QFocusEvent,
    QHelpEvent,
    QKeyEvent,
    QMouseEvent,
    QNativeGestureEvent,
    QPainter,
    QPaintEvent,
    QWheelEvent,
)
from PySide6.QtWidgets import QToolTip, QWidget

from cadena.core.graph.document import Changes, Document
from cadena.core.methods.reverse.activity import activity
from cadena.gui.canvas.interaction import gestures, keyboard
from cadena.gui.canvas.interaction.commands import Commands
from cadena.gui.canvas.interaction.drops import PaletteDrag, operation_of
from cadena.gui.canvas.interaction.edge_pan import EdgePan
from cadena.gui.canvas.interaction.fields import Fields
from cadena.gui.canvas.interaction.function_commands import FunctionCommands
from cadena.gui.canvas.interaction.gestures import Gesture
from cadena.gui.canvas.interaction.keyboard_navigation import KeyWalk
from cadena.gui.canvas.interaction.target import Target
from cadena.gui.canvas.interaction.tip_card import TipCard
from cadena.gui.canvas.interaction.tooltips import facts_of, folded_facts, plain
from cadena.gui.canvas.interaction.wheel import after_pinch, after_wheel
from cadena.gui.canvas.rendering import scrub_mark
from cadena.gui.canvas.rendering.hit_boxes import EMPTY, Hit
from cadena.gui.canvas.rendering.scene import Decorations
from cadena.gui.canvas.rendering.view import CanvasView
from cadena.gui.look.text_cleaning import tip
from cadena.gui.look.theme import Theme
from cadena.gui.session.session import Session

HOW = "The graph. Tab goes from node to node; the Nodes panel has them as a table"
SPEAKING, RESTING = 8000, 500  # milliseconds: of a sentence at the pointer, and until a tooltip comes
BOUNCE = 20  # milliseconds in which a held key comes up and goes down again
Button, Cursor, Event = Qt.MouseButton, Qt.CursorShape, QEvent.Type
CURSORS = dict.fromkeys(("output_port", "input_port"), Cursor.CrossCursor)
CURSORS |= dict.fromkeys(("wire", "block", "badge"), Cursor.PointingHandCursor)


class Canvas(CanvasView):
    """A view to work on. At most one gesture is active at a time; while it lasts, it determines the picture."""

    enterAsked = Signal(str)  # the call whose subgraph is requested
    escaped = Signal()  # by Esc, with nothing left to be put down
    menuAsked = Signal(object, QPointF)  # of the Hit at a pixel of the view
    problemAsked = Signal(object)  # the Fault whose badge was clicked

    def __init__(self, session: Session, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(session, theme, parent)
        self.fields = Fields(self)
        self.commands = Commands(self, self.fields)
        self.functions = FunctionCommands(self, self.fields)
        self.target, self.walk = Target(self), KeyWalk(self.commands)
        self.gesture: Gesture | None = None
        self._button, self._modifiers = Button.NoButton, Qt.KeyboardModifier.NoModifier
        self._entered_by_tab = False  # then the next Tab starts again, whatever is selected
        self._palette_drag = PaletteDrag(self.commands)
        self.space_is_down = self._space_was_used = False
        self._bounce = QTimer(self, singleShot=True, interval=BOUNCE)
        self._bounce.timeout.connect(self._space_is_up)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setAcceptDrops(True)
        self.setAccessibleName("Canvas")
        self.setAccessibleDescription(HOW)
        self.tip, self._tip_soon = TipCard(self, theme), QTimer(self, singleShot=True, interval=RESTING)
        self._tip_soon.timeout.connect(lambda: self._show_tip(self._pointer))
        self._speaks = False  # whether the session's message is about the mouse's action
        self._edge_pan = EdgePan(self, self._pan_at_edge)
        session.documentChanged.connect(self._document_changed)
        session.selectionChanged.connect(self._selection_changed)
        session.message.connect(self._show_at_pointer)
        for changed in (session.documentChanged, session.timeChanged, session.hiddenChanged, session.opened):
            changed.connect(self._hide_tip)

    def set_theme(self, theme: Theme) -> None:
        super().set_theme(theme)
        self.tip.set_theme(theme)
        if self.fields.editor:
            self.fields.editor.place()

    @property
    def document(self) -> Document:
        """The document that is shown: the session's, or the one of the active gesture, or of cards that glide."""
        shown = self.gesture.document if self.gesture else self.commands.arranging.glide.document
        return shown if shown is not None else self.session.document

    @property
    def holds_still(self) -> bool:
        return self.gesture is not None

    @property
    def decorations(self) -> Decorations:
        """The decorations shown in addition to the document."""
        if self.gesture and self.gesture.dragging:
            return self.gesture.decorations
        if self.fields.asked_wire:
            port, end = self.fields.asked_wire
            start = self.hits.place(port)
            return Decorations(loose_wire=(start, end, True) if port[1] is None else (end, start, True))
        hovering = Decorations(
            hovered_wire=self.hovered.wire, selected_wire=self.selected_wire, point=self.commands.wiring.marked_place
        )
        return self._palette_drag.decorations or hovering

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        scrubbing = isinstance(self.gesture, gestures.Scrub) or self.gesture is None
        if scrubbing and gestures.scrubbable(self, self.hovered) is not None:
            with QPainter(self) as painter:
                painter.setRenderHint(QPainter.RenderHint.Antialiasing)
                scrub_mark.paint(painter, self.scene, str(self.hovered.node))

    # --- mouse --------------------------------------------------------------------------------------------------

    def mousePressEvent(self, event: QMouseEvent) -> None:
        self._hide_tip()
        if self.gesture is None:
            self._space_was_used = self._space_was_used or self.space_is_down
            self._button = event.button()
            self.gesture = self._begin(event.button(), event.position(), event.modifiers())
            self._show_cursor()
            self.update()

    def _begin(self, button: Qt.MouseButton, at: QPointF, modifiers: Qt.KeyboardModifier) -> Gesture | None:
        if button == Button.MiddleButton or (button == Button.LeftButton and self.space_is_down):
            return gestures.Pan(self.commands, at, modifiers)
        if button == Button.RightButton and modifiers & Qt.KeyboardModifier.ControlModifier:
            return gestures.Cut(self.commands, at, modifiers, self.ask_menu)
        if button == Button.LeftButton and (fault := self.hit(at).fault) is not None:
            return gestures.Click(self.commands, at, modifiers, partial(self.problemAsked.emit, fault))
        if button == Button.RightButton:
            return gestures.RightButton(self.commands, at, modifiers, self.ask_menu)
        return gestures.begin(self.commands, at, modifiers) if button == Button.LeftButton else None

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        self._pointer, self._modifiers = event.position(), event.modifiers()
        if self.gesture and not event.buttons() & self._button:
            self.cancel_gesture()  # the release went elsewhere, to a dialog or another window
        if self.gesture is None:
            self._hover(self.hit(self._pointer))
            return
        gesture = self.gesture
        gesture.move(self._pointer, self._modifiers)
        if gesture.dragging and not gesture.keeps_hover:
            self._hover(EMPTY)
        if gesture.dragging and gesture.pans_at_edges:
            self._edge_pan.follow(self._pointer, QSizeF(self.size()))
        self._show_cursor()
        self.update()

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        if self.gesture is not None and event.button() == self._button:
            self._pointer, self._speaks = event.position(), True
            self._put_down().end(event.position(), event.modifiers())
            self._speaks = False
            self._hover(self.hit(event.position()))

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        if event.button() != Button.LeftButton or event.modifiers():
            self.mousePressEvent(event)
            return
        met = self.hit(at := event.position())
        if self.commands.open_part(met) or self.unfolds:  # the first click has opened a block, and is enough
            return
        if met.kind == "name":
            self.commands.start_rename(str(met.node))
        elif met.card and (self.session.document.nodes[met.card].is_leaf or self.functions.is_call(met.card)):
            self.open_node(met.card)
        elif met.kind == "empty":
            self.commands.ask_for_node(at)

    def open_node(self, name: str) -> None:
        """Enter a call, else edit the value, on Enter or a double click."""
        if self.functions.is_call(name):
            self.enterAsked.emit(name)
        else:
            self.commands.start_value_edit(name)

    def _put_down(self) -> Gesture:
        """Take the active gesture; none is active afterwards."""
        assert self.gesture is not None
        gesture, self.gesture, self._button = self.gesture, None, Button.NoButton
        self._edge_pan.stop()
        self._show_cursor()
        self.update()
        return gesture

    def cancel_gesture(self) -> None:
        """Restore the state before the active gesture began."""
        if self.gesture:
            self._put_down().cancel()

    def _pan_at_edge(self, way: QPointF) -> None:
        self.move_camera(self.camera.panned(way.x(), way.y()))
        if self.gesture:
            self.gesture.move(self._pointer, self._modifiers)

    def leaveEvent(self, event: QEvent) -> None:
        self._hover(EMPTY)

    def _hover(self, met: Hit) -> None:
        if met != self.hovered:
            self.hovered = met
            self._hide_tip()
            self.update()
        if met != EMPTY and self.tip.isHidden():
            self._tip_soon.start()
        self._show_cursor()

    def _show_tip(self, at: QPointF) -> None:
        """Show the facts of what is under a pixel of the view, clear of the cards of the step."""
        met = EMPTY if self.fields.search or self.fields.editor or self.gesture else self.hit(at)
        fold = self.places.folds.get(met.card or "")
        facts = folded_facts(self.session, fold) if fold else facts_of(self.session, met)
        facts = [fact._replace(label=self.session.named(fact.label), text=self.session.named(fact.text))
                 for fact in facts]  # fmt: skip
        step, lit, card = self.session.frame.step, activity(self.session.frame, self.session.live), self._card_area
        names = {*lit.grounds, *lit.edges, *lit.used, *((step.node, step.operand) if step else ())}
        avoided = [card(name) for name in names if name in self.places.numbers]
        around = card(met.card) if met.card else QRectF(at.x() - 4.0, at.y() - 4.0, 8.0, 8.0)
        if facts:
            to_canvas, _ = self.camera.transform.inverted()
            crowd = lambda area: len(self.places.cards_in(to_canvas.mapRect(QRectF(area))))  # noqa: E731
            self.tip.show_facts(facts, around, avoided, crowd)

    def _card_area(self, name: str) -> QRectF:
        """The card that shows a node, in pixels of the view."""
        return self.camera.transform.mapRect(self.places.card(self.places.stands_in(name)))

    def _hide_tip(self) -> None:
        self._tip_soon.stop()
        self.tip.hide()

    def _show_cursor(self) -> None:
        if self.gesture:
            shape = self.gesture.shown_cursor
        elif self.space_is_down:
            shape = Cursor.OpenHandCursor
        elif gestures.scrubbable(self, self.hovered) is not None:
            shape = Cursor.SizeHorCursor
        else:
            shape = CURSORS.get(self.hovered.kind)
        if shape is None:
            self.unsetCursor()
        elif shape != self.cursor().shape():
            self.setCursor(shape)

    def wheelEvent(self, event: QWheelEvent) -> None:
        self._hide_tip()
        self.move_camera(after_wheel(self.camera, event, self.least_zoom))
        event.accept()

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        """The menu key; the mouse's menu opens when the right button is released without a drag."""
        if event.reason() != QContextMenuEvent.Reason.Mouse:
            name = next(iter(sorted(self.session.selection)), None)
            area = self.places.card(name) if name else self.camera.visible(QSizeF(self.size()))
            self.ask_menu(self.camera.to_view(area.center()))

    def ask_menu(self, at: QPointF) -> None:
        """Ask for the menu of the object at a pixel of the view, which is selected first."""
        self.menuAsked.emit(self.commands.select_met(self.hit(at)), at)

    # --- keys ---------------------------------------------------------------------------------------------------

    def keyPressEvent(self, event: QKeyEvent) -> None:
        self._hide_tip()
        key, modifiers = event.key(), event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier
        chosen = self.session.selection
        if key == Qt.Key.Key_Escape:
            self.escape()
        elif key == Qt.Key.Key_Space and not modifiers:
            if not event.isAutoRepeat():  # else a key still held when the focus comes back would play at its release
                self.press_space()
        elif key in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and len(chosen) == 1:
            self.open_node(next(iter(chosen)))
        elif not keyboard.press(self.commands, key, modifiers):
            super().keyPressEvent(event)

    def keyReleaseEvent(self, event: QKeyEvent) -> None:
        if event.isAutoRepeat():
            return
        if event.key() == Qt.Key.Key_Space:
            self.release_space()
        elif event.key() in keyboard.ARROWS:
            self.session.seal()
        else:
            super().keyReleaseEvent(event)

    def press_space(self, tap_plays: bool = True) -> None:
        """The space bar held pans with the mouse; pressed alone it plays."""
        if self._bounce.isActive():
            self._bounce.stop()
        elif not self.space_is_down:
            self.space_is_down, self._space_was_used = True, self.gesture is not None or not tap_plays
            self._show_cursor()

    def release_space(self) -> None:
        """Handle a release of the space bar, which may be a repetition.

        X11 repeats a held key as releases and presses, and the first of these releases does not always say that it is a
        repetition: only one that no press follows ends the holding.
        """
        if self.space_is_down:
            self._bounce.start()

    def _space_is_up(self) -> None:
        tapped = self.space_is_down and not self._space_was_used
        self.drop_space()
        if tapped:
            self.session.play_or_pause()

    def drop_space(self) -> None:
        """The space bar no longer pans, and does not play: its release goes elsewhere."""
        self._bounce.stop()
        self.space_is_down = False
        self._show_cursor()

    def escape(self) -> None:
        """Cancel the gesture in hand, else go from a wire back to its node, else select nothing, else close the block
        that was opened last; `escaped` where nothing of this is left to do."""
        if self.gesture:
            self.cancel_gesture()
        elif self.walk.leave_wire():
            return
        elif self.session.selection or self.selected_wire:
            self.commands.clear_selection()
        elif not self.close_block():
            self.escaped.emit()

    def focusInEvent(self, event: QFocusEvent) -> None:
        self._entered_by_tab = event.reason() in (Qt.FocusReason.TabFocusReason, Qt.FocusReason.BacktabFocusReason)
        super().focusInEvent(event)

    def focusOutEvent(self, event: QFocusEvent) -> None:
        self.drop_space()
        super().focusOutEvent(event)

    def focusNextPrevChild(self, forward: bool) -> bool:
        """Tab goes from node to node, and after the last one on to the next part of the window."""
        if not self.hasFocus():
            return super().focusNextPrevChild(forward)
        names = list(self.session.document.nodes)
        here = None if self._entered_by_tab else self.walk.here
        self._entered_by_tab = False
        start = names.index(here) if here is not None else (-1 if forward else len(names))
        place = start + (1 if forward else -1)
        if not 0 <= place < len(names):
            if super().focusNextPrevChild(forward) or not names:
                return True
            place %= len(names)
        self.walk.go(names[place])
        return True

    def event(self, event: QEvent) -> bool:
        if (
            event.type() == Event.ShortcutOverride
            and isinstance(event, QKeyEvent)
            and keyboard.keeps(self.commands, event, self.gesture is not None)
        ):
            event.accept()
            return True
        if event.type() == Event.ToolTip and isinstance(event, QHelpEvent):
            self._show_tip(QPointF(event.pos()))
            return True
        if event.type() == Event.WindowDeactivate:
            self.drop_space()  # the release of the key goes to another window
        if event.type() == Event.NativeGesture and isinstance(event, QNativeGestureEvent):
            return self._native_gesture(event)
        return super().event(event)

    def _native_gesture(self, event: QNativeGestureEvent) -> bool:
        if event.gestureType() == Qt.NativeGestureType.ZoomNativeGesture:
            self.move_camera(after_pinch(self.camera, event.position(), event.value(), self.least_zoom))
        return True

    # --- drops --------------------------------------------------------------------------------------------------

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        if operation_of(event.mimeData()):  # files are the window's
            event.acceptProposedAction()

    def dragMoveEvent(self, event: QDragMoveEvent) -> None:
        if op := operation_of(event.mimeData()):
            self._palette_drag.move(op, event.position())
        event.acceptProposedAction()

    def dragLeaveEvent(self, event: QDragLeaveEvent) -> None:
        self._palette_drag.leave()

    def dropEvent(self, event: QDropEvent) -> None:
        event.acceptProposedAction()
        if op := operation_of(event.mimeData()):
            self._pointer, self._speaks = event.position(), True
            self._palette_drag.drop(op, event.position())
            self._speaks = False
            self.setFocus(Qt.FocusReason.OtherFocusReason)

    # --- signals of the session ---------------------------------------------------------------------------------

    def _document_changed(self, changes: Changes) -> None:
        """Abandon a gesture whose document was changed under it, and forget removed nodes and wires."""
        if self.selected_wire and self.session.document.source_of(*self.selected_wire) is None:
            self.commands.select_wire(None)
        self.fields.follow(changes)
        if self.gesture and not self.gesture.is_editing:
            self._put_down().abandon()
        if self.hovered.node is not None and self.hovered.node not in self.session.document.nodes:
            self._hover(EMPTY)

    def _show_at_pointer(self, sentence: str) -> None:
        """Show at the pointer why a drop was refused."""
        if self._speaks:
            at = self.mapToGlobal(self._pointer.toPoint())
            QToolTip.showText(at, tip(self.session.named(f"⚠ {sentence}")), self, self.rect(), SPEAKING)

    def _selection_changed(self) -> None:
        """Select either nodes or a wire, not both; inform a screen reader."""
        if self.session.selection:
            self.commands.select_wire(None)
        chosen = sorted(self.session.selection)
        facts = facts_of(self.session, Hit("node", chosen[0])) if len(chosen) == 1 else ()
        text = plain(facts) or f"{len(chosen)} nodes selected"
        self.setAccessibleDescription(self.session.named(text) if chosen else HOW)
