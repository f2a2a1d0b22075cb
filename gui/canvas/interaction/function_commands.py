"""Commands for functions and composite operations on the canvas: make, rename, expand, fold."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QRectF, QSizeF

from cadena.core.graph.document import Backward
from cadena.core.graph.edits import fresh_name
from cadena.core.graph.fault import Refused
from cadena.core.layout.arrange import complete
from cadena.core.ops.primitive import REGISTRY
from cadena.core.rewriting import atoms
from cadena.core.rewriting.function_edits import inline, make_function, rename_function
from cadena.gui.canvas.interaction.editors import InPlaceEditor
from cadena.gui.canvas.interaction.fields import Fields
from cadena.gui.canvas.rendering.geometry import NUMBER_CARD, TITLE_HEIGHT
from cadena.gui.canvas.rendering.view import CanvasView
from cadena.gui.look.wording import worded
from cadena.gui.session import graph_edits
from cadena.gui.session.graph_edits import Edit, named


class FunctionCommands:
    """Each command is one undo step."""

    def __init__(self, view: CanvasView, fields: Fields) -> None:
        self.session, self.view, self._fields = view.session, view, fields

    def is_call(self, name: str) -> bool:
        """Whether a node calls a function of the document."""
        document = self.session.document
        return name in document.nodes and document.function_of(name) is not None

    def custom_gradient(self, name: str) -> Backward | None:
        """The custom gradient of the function that a node calls."""
        document = self.session.document
        function = document.function_of(name) if name in document.nodes else None
        return function.gradient if function is not None else None

    # --- functions

    def start_function(self) -> None:
        """Ask on the canvas for the name of a function made of the selected nodes."""
        names = self.session.selection
        document = self.session.document
        try:
            changed = make_function(document, names, fresh_name([*document.functions, *REGISTRY], "f1"))
        except Refused as refusal:
            self.session.message.emit(worded(refusal))
            return
        result = next(name for name in changed.nodes if changed.nodes[name] is not document.nodes[name])

        def edit(typed: str) -> Edit:
            return Edit(lambda now: make_function(now, names, typed.strip()), label)

        label = f"Make a function of {named(names)}"
        self._ask_name(result, label, edit, "function name…")

    def start_function_rename(self, name: str) -> None:
        """Ask on the canvas for another name of the function that a node calls."""
        old = self.session.document.nodes[name].op

        def edit(typed: str) -> Edit:
            return Edit(lambda now: rename_function(now, old, typed.strip()), label)

        label = f"Rename the function {old}"
        self._ask_name(name, label, edit, old)

    def _ask_name(self, name: str, label: str, edit: Callable[[str], Edit], prompt: str) -> None:
        self.view.show_node(name)
        editor = InPlaceEditor(self.view, name, "", lambda: self._name_field(name), edit, label)
        editor.setPlaceholderText(prompt)
        editor.committed.connect(lambda _: self.session.select([name]))
        editor.place()
        self._fields.edit_with(editor)

    def _name_field(self, name: str) -> QRectF:
        """Over the card's title, and wide enough for a name."""
        area = self.view.places.name_area(name)
        return QRectF(area.topLeft(), QSizeF(max(area.width(), 1.4 * NUMBER_CARD[0]), TITLE_HEIGHT))

    def inline_call(self, name: str) -> None:
        """Replace a call by the nodes of its function."""
        self._edit_and_select(lambda document: complete(inline(document, name)), f"Replace {name} by its nodes", name)

    def toggle_gradient_use(self, name: str) -> None:
        """Switch the custom gradient of the function that a node calls on or off."""
        if gradient := self.custom_gradient(name):
            self.session.edit(*graph_edits.use_gradient(self.session.document.nodes[name].op, not gradient.used))

    def remove_gradient(self, name: str) -> None:
        """Remove the custom gradient; the chain rule takes its place."""
        self.session.edit(*graph_edits.remove_gradient(self.session.document.nodes[name].op))

    # --- composite operations

    def expand(self, name: str) -> None:
        """Replace a composite operation by elementary ones, with a message where these differ from it."""
        op = self.session.document.nodes[name].op
        self._edit_and_select(lambda document: atoms.expand(document, name), f"Expand {name}", name)
        if self.session.document.nodes[name].op != op and (difference := atoms.difference(op)):
            self.session.message.emit(f"{difference[0].upper()}{difference[1:]}.")

    def fold(self) -> None:
        """Fold the selected pieces back into the operations that they came from."""
        names, fitted = sorted(self.session.selection), self.view.shows_all
        groups = [group for name in names if (group := atoms.group_of(self.session.document, name))]
        if self.session.edit(lambda document: atoms.fold(document, names), "Fold back"):
            self.session.select([group.name for group in groups])
            if fitted:
                self.view.zoom_to_fit()

    def _edit_and_select(self, change, label: str, name: str) -> None:
        """Make an edit that puts several nodes into the place of one, select their result and show them all."""
        before, fitted = self.session.document.nodes, self.view.shows_all
        if not self.session.edit(change, label):
            return
        self.session.select([name])
        if fitted:  # the whole graph was in view, and stays so
            self.view.zoom_to_fit()
        else:
            self.view.reveal([one for one in self.session.document.nodes if one not in before or one == name])
