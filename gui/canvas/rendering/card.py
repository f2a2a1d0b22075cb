"""The content of a card at a moment, as a value: made from the scene, painted by `cards`, identified by its keys."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from dataclasses import dataclass, field, replace

import numpy as np
from PySide6.QtCore import QRectF

from cadena.core.graph.document import Node
from cadena.core.graph.frames import CollapsedFrame, Folded, color_of
from cadena.core.layout.arrange import INSET
from cadena.core.methods.reverse.activity import Activity
from cadena.core.methods.reverse.timeline import Line
from cadena.core.notation.in_script import shown_name
from cadena.core.ops.primitive import REGISTRY
from cadena.core.rewriting.switching import way_off
from cadena.core.teaching.hiding import MARK
from cadena.gui.canvas.rendering import frames, ports
from cadena.gui.canvas.rendering.cache_keys import Same
from cadena.gui.canvas.rendering.geometry import TITLE_HEIGHT, VALUE_SHARE
from cadena.gui.canvas.rendering.scene import Scene
from cadena.gui.canvas.rendering.wires import blend

LEAF_RADIUS, RADIUS = 18.0, 9.0
NONE, WANTED = "–", "needs an operand"
TINT = 0.18  # the share of a frame's colour in the title of its card
Rgb = tuple[int, int, int]
LARGE = 4096  # elements; larger arrays are identified by the object


@dataclass(frozen=True)
class Card:
    """The content of one card. `lines` of another method take the places of value and gradient."""

    box: QRectF
    node: Node
    value: np.ndarray | None
    gradient: np.ndarray | None
    runs: bool = True
    has_gradient: bool = True  # sooner or later
    lines: tuple[Line, Line] | None = None
    shape: tuple[int, ...] = ()
    ground: str | None = None  # the role whose number arrives
    edge: str | None = None  # the role that lights its edge
    used: frozenset[str] = frozenset()  # the roles of its lines whose numbers the step uses
    faulty: bool = False
    selected: bool = False
    hovered: bool = False
    dimmed: bool = False
    output: bool = False
    function: bool = False  # whether the node calls one
    off: str = ""  # "bypassed" or "muted" where its operation is not carried out
    folded: str = ""  # what it stands for: how many parts of a repeat, or the number of nodes
    label: str = ""  # what is painted as its name, where that is another one: w[0] for w_0
    tint: Rgb | None = None  # what the ground of its title says on a scale
    marked: Mapping[str, np.ndarray] = field(default_factory=dict)  # elements (flat) to mark, by the role of their line

    @property
    def title(self) -> str:
        """What is painted as its name."""
        return self.label or self.node.name

    @property
    def rows(self) -> tuple[Line, Line]:
        """The two lines under the title."""
        return self.lines or (
            Line("value", "value", self.value, expected=self.runs),
            Line("gradient", "gradient", self.gradient, expected=self.has_gradient),
        )

    @property
    def face_key(self) -> Hashable:
        """Equal for cards that look the same wherever they lie, but for their numbers."""
        flags = (self.selected, self.hovered, self.dimmed, self.output, self.function, self.gradient is not None)
        marks = (self.ground, self.edge, self.faulty, *flags)
        size = self.box.size().toTuple()
        filled = tuple(None if row.empty else row.role for row in self.rows)
        return self.title, self.node.op, self.off, self.folded, self.tint, self.shape, size, marks, filled

    @property
    def numbers_key(self) -> Hashable:
        """Equal for cards of one face that show the same numbers."""
        elements = (self.used, *((role, at.tobytes()) for role, at in self.marked.items()))
        if not self.lines:  # as most
            return self.runs, self.has_gradient, _key_of(self.value), _key_of(self.gradient), elements
        rows = tuple((row.role, row.label, row.latex, row.text, row.digits, row.expected) for row in self.lines)
        return rows, tuple(_key_of(row.number) for row in self.lines), elements

    @property
    def is_stack(self) -> bool:
        """Whether it stands for several operations."""
        return self.function or bool(self.folded)

    @property
    def radius(self) -> float:
        return LEAF_RADIUS if self.is_leaf else RADIUS

    @property
    def inset(self) -> float:
        return INSET + (2.0 if self.is_leaf else 0.0) if not self.shape else INSET

    @property
    def row_areas(self) -> tuple[QRectF, QRectF]:
        """The areas of its two lines."""
        upper = self.box.adjusted(0.0, TITLE_HEIGHT, 0.0, 0.0)
        share = 0.5 if self.shape else VALUE_SHARE
        lower = upper.adjusted(0.0, share * upper.height(), 0.0, 0.0)
        upper.setBottom(lower.top())
        return upper, lower

    @property
    def is_leaf(self) -> bool:
        return self.node.is_leaf and not self.folded


def _key_of(array: np.ndarray | None) -> Hashable:
    if array is None:
        return None
    if array.size > LARGE:
        return Same(array)
    return array.dtype.char, array.tobytes()


def card_of(scene: Scene, name: str, lit: Activity, faulty: frozenset[str], tint: Rgb | None = None) -> Card:
    """The card of a node at the scene's moment."""
    frame, plan = scene.frame, scene.frame.run.plan
    number = plan.index[name]
    lights = scene.decorations.lit_ports
    lines = None if frame.timeline.goes_back else frame.lines(name)  # of another method
    if scene.hidden.hides_at(name):
        lines = scene.hidden.lines(name, frame.lines(name))
    card = Card(
        lines=lines,
        box=scene.geometry.face(name),
        node=scene.document.nodes[name],
        value=None if scene.hidden.hides("values", name) else frame.value(name),
        gradient=None if scene.hidden.hides("gradients", name) else frame.gradient(name),
        runs=plan.shapes[number] is not None,
        has_gradient=plan.reached[number],
        shape=plan.shapes[number] or (),
        ground=lit.grounds.get(name),
        used=lit.used.get(name, frozenset()),
        edge=lit.edges.get(name),
        faulty=name in faulty,
        selected=name in scene.selection,
        hovered=name == scene.hovered,
        dimmed=scene.shown.dims(name) or (lights is not None and all(name != node for node, _ in lights)),
        tint=tint,
        output=name == scene.document.output,
        function=scene.document.function_of(name) is not None,
        off=way_off(scene.document, name),
        folded=folded_text(scene, name),
        label=name_on(scene, name),
        marked={role: at for (node, role), at in scene.elements.items() if node == name},
    )
    if card.lines is None and not card.runs and not card.folded and ports.is_unfinished(card.node):
        card = replace(card, lines=(Line("muted", "", text=WANTED), card.rows[1]))
    fold = scene.geometry.folds.get(name)
    return _of_folded(scene, card, fold, lit, faulty) if fold else card


def _of_folded(scene: Scene, card: Card, fold: Folded, lit: Activity, faulty: frozenset[str]) -> Card:
    """The card of a block or a frame: with the numbers of its result, or with the names of its results and operands.

    What lights one of its nodes lights it.
    """
    tint = card.tint
    if isinstance(fold, CollapsedFrame) and tint is None:
        color = frames.color_in(scene.theme, color_of(scene.document, fold.title))
        pale = blend(scene.theme.color("card"), color, TINT)
        tint = pale.red(), pale.green(), pale.blue()
    known, stands_in = scene.geometry.numbers, scene.geometry.stands_in
    members = [name for name in (*lit.grounds, *lit.edges) if name in known and stands_in(name) == fold.last]
    card = replace(
        card, function=False, off="", faulty=bool(faulty) and not faulty.isdisjoint(fold.members),
        ground=next((lit.grounds[name] for name in members if name in lit.grounds), None),
        edge=next((lit.edges[name] for name in members if name in lit.edges), None), used=frozenset(),
        tint=tint,
    )  # fmt: skip
    if len(fold.results) == 1:
        return card
    wires = ((end, slot) for end, slot in scene.geometry.ports_of(fold.last) if slot is not None)
    entering = (scene.document.source_of(*wire) for wire in wires)
    rows = {"out": fold.results, "in": dict.fromkeys(source for source in entering if source)}
    lines = [Line("text", side, text=", ".join(shown_name(scene.document, name) for name in names) or NONE)
             for side, names in rows.items()]  # fmt: skip
    return replace(card, lines=(lines[0], lines[1]), value=None, gradient=None, shape=())


def name_on(scene: Scene, name: str) -> str:
    """What stands on a card as its name: of a fold its title, or its size; a mark where names are hidden."""
    if (fold := scene.geometry.folds.get(name)) is not None:
        if isinstance(fold, CollapsedFrame):
            return f"{frames.COLLAPSED} {fold.title}" if scene.editable else fold.title
        return fold.title
    return MARK if scene.hidden.hides("names", name) else shown_name(scene.document, name)


def folded_text(scene: Scene, name: str) -> str:
    """The size of the block or the frame that is folded to this card; else ""."""
    if (fold := scene.geometry.folds.get(name)) is None:
        return ""
    if isinstance(fold, CollapsedFrame):
        return f"{len(fold.members)} nodes"
    return fold.size


def symbol(node: Node) -> str:
    """The operation as mathematics; that of a leaf, and one that is not known, by its name."""
    return REGISTRY[node.op].symbol if node.op in REGISTRY else node.op
