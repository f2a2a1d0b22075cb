"""What a monkey does with all that is drawn beside the cards: frames, notes, bends of wires, views, colours."""

from __future__ import annotations

from PySide6.QtCore import QPoint, QPointF
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLineEdit, QPlainTextEdit

from cadena.core.graph.frames import frames
from cadena.core.graph.memos import memos
from cadena.gui.canvas.rendering import frames as drawn_frames
from cadena.gui.canvas.rendering import note_lines
from tests.fuzz.canvas_acts import NUMBERS, CanvasActs
from tests.gui.canvas.real_hand import CTRL, NONE, Button, Key
from tests.gui.user import drop, operation_dragged, settle

NOTES = ("# Heading", "plain", "$\\frac{a}{b}$ and $x^2$", "$\\nonsense{", "", "two\nlines  ", "λ" * 300)
EXPRESSIONS = ("q = x0*2 + 1", "L1 = (w0 - 1)**2", "tanh(m1)", "sum([1, 2, 3])", "1 +", "x0 @ x0", "if = 2")
LAYING = (
    "align.left align.centre align.right align.top align.middle align.bottom align.across align.down align.straighten "
    "align.arrange align.grid align.cards graph.arrange"
).split()
LOOKING = (
    "view.bookmark view.next-bookmark view.remove-bookmark view.back view.forward view.zoom-selection view.zoom-100 "
    "view.zoom-fit view.fold-repeats view.map color.value color.gradient color.time color.depth highlight.above "
    "highlight.below highlight.off hide.selected hide.nothing view.theme-dark view.theme-light "
    "view.larger-type view.usual-type "
).split()
SWITCHING = "graph.bypass graph.bypass graph.mute graph.mute graph.swap edit.dissolve graph.unroute".split()


class DrawingActs(CanvasActs):
    """Each act makes the thing where there is none."""

    def choose_some(self, most: int = 4) -> list[str]:
        """Select a few nodes, in the canvas."""
        names = list(self.session.document.nodes)
        chosen = self.chance.sample(names, min(len(names), self.chance.randint(1, most)))
        self.session.select(chosen)
        self.canvas.setFocus()
        return chosen

    def _carry_out(self, commands: list[str]) -> str:
        command = self.chance.choice(commands)
        if self.window.menus.by_id[command].enabled():
            self.run(command)
        return f"{command} {sorted(self.session.selection)}"

    def lay_out(self) -> str:
        self.choose_some(6)
        return self._carry_out(LAYING)

    def switch_off(self) -> str:
        self.choose_some(3)
        return self._carry_out(SWITCHING)

    def look(self) -> str:
        self.choose_some(3)
        return self._carry_out(LOOKING)

    def use_frame(self) -> str:
        """Frame a few nodes; or drag, rename, colour or leave a frame."""
        document, how = self.session.document, self.chance.choice(("make", "drag", "rename", "colour", "leave"))
        if how == "make" or not (known := frames(document)) or self.canvas.places.folds:
            self.choose_some()
            self.run("frame.make")
            field = QApplication.focusWidget()
            if isinstance(field, QLineEdit):
                self.type_in(field, self.chance.choice(("layer", "loss", "", "λ" * 60, "a frame")))
                QTest.keyClick(field, Key.Key_Return)
            return "make"
        title = self.chance.choice(list(known))
        if how in ("colour", "leave"):
            self.session.select([self.chance.choice(list(known[title]))])
            self.run(f"frame.{how}")
            return f"{how} {title}"
        area = drawn_frames.title_area(drawn_frames.areas(document, self.canvas.places)[title])
        at = self.hand.at(area.topLeft() + QPointF(12.0, 8.0))
        if how == "drag":
            self.hand.drag(at, self.somewhere(), self.keys_held())
        else:
            self.hand.double_click(at)
        return f"{how} {title}"

    def use_note(self) -> str:
        """Write a note; or drag one, change one, or take its text away."""
        known, how = note_lines.areas(self.session.document), self.chance.choice(("write", "drag", "change", "change"))
        if how == "write" or not known:
            self.canvas.setFocus()
            self.run("note.add")
            return f"write {self._type_note()}"
        at = self.hand.at(known[self.chance.choice(list(known))].topLeft() + QPointF(6.0, 6.0))
        if how == "drag":
            self.hand.drag(at, self.somewhere(), self.keys_held())
            return f"drag {at.toTuple()}"
        self.hand.click(at)
        self.hand.double_click(at)
        return f"change {self._type_note()} of {len(memos(self.session.document))}"

    def _type_note(self) -> str:
        field, text = QApplication.focusWidget(), self.chance.choice(NOTES)
        if not isinstance(field, QPlainTextEdit):
            return "no field"
        field.setPlainText(text)
        match self.chance.choice(("keep", "keep", "leave", "Esc", "go on")):
            case "keep":
                QTest.keyClick(field, Key.Key_Return, CTRL)
            case "leave":
                self.canvas.setFocus()
            case "Esc":
                QTest.keyClick(field, Key.Key_Escape)
        settle()
        return repr(text[:20])

    def a_wire(self) -> tuple[str, str, int] | None:
        """A wire that is in the picture: source, target, slot."""
        nodes, places = self.session.document.nodes, self.canvas.places
        wires = [
            (source, node.name, slot)
            for node in nodes.values()
            for slot, source in enumerate(node.inputs)
            if source in nodes and places.is_shown(node.name) and places.is_shown(source)
        ]
        return self.chance.choice(wires) if wires else None

    def bend_wire(self) -> str:
        """Drag the middle of a wire, or a point that it goes through; a double click takes that out."""
        if (wire := self.a_wire()) is None:
            return "no wire"
        source, target, slot = wire
        places = self.canvas.places
        points = places.reroutes.get(places.row(target, slot), [])
        at = self.hand.at(self.chance.choice(points)) if points else self.hand.wire(source, target, slot)
        if points and self.chance.random() < 0.3:
            self.hand.click(at)
            self.hand.double_click(at)
            return f"take out {wire}"
        self.hand.drag(at, self.somewhere(), self.keys_held())
        return f"{wire} {at.toTuple()}"

    def cut_wires(self) -> str:
        """Ctrl and the right button, across the middle of a wire."""
        wire = self.a_wire()
        middle = self.somewhere() if wire is None else self.hand.wire(*wire)
        reach = QPoint(self.chance.randint(-80, 80), self.chance.randint(10, 120))
        self.hand.drag(middle - reach, middle + reach, CTRL, Button.RightButton)
        return f"{wire} {reach.toTuple()}"

    def drop_on_wire(self) -> str:
        """An operation, or a card that is there, is let go on the middle of a wire."""
        if (wire := self.a_wire()) is None:
            return "no wire"
        at = self.hand.wire(*wire)
        if self.chance.random() < 0.5 and self.canvas.rect().contains(at):
            op = self.chance.choice(("sin", "exp", "add", "matmul", "parameter"))
            drop(self.canvas, operation_dragged(op), at)
            return f"{op} on {wire}"
        name = self.chance.choice(list(self.session.document.nodes))
        self.hand.drag(self.hand.body(name), at, self.keys_held())
        return f"{name} on {wire}"

    def edit_several(self) -> str:
        """One number for several leaves, in the inspector."""
        leaves = [node.name for node in self.session.document.nodes.values() if node.is_leaf]
        chosen = self.chance.sample(leaves, min(len(leaves), 3))
        self.session.select(chosen)
        settle()
        field, text = self.window.inspector.several.number, self.chance.choice(NUMBERS)
        if field.isVisible():
            field.setFocus()
            field.selectAll()
            self.type_in(field, text)
            QTest.keyClick(field, self.chance.choice((Key.Key_Return, Key.Key_Tab, Key.Key_Escape)))
        return f"{chosen} {text}"

    def write_expression(self) -> str:
        """Ctrl+K and an expression, or in the add box."""
        self.canvas.setFocus()
        self.press(self.chance.choice(("Ctrl+K", "A")))
        field, text = QApplication.focusWidget(), self.chance.choice(EXPRESSIONS)
        if not isinstance(field, QLineEdit):
            return "not open"
        self.type_in(field, text)
        settle()
        QTest.keyClick(field, self.chance.choice((Key.Key_Return, Key.Key_Return, Key.Key_Escape)), NONE)
        return text
