"""What is hidden until someone asks: all values, gradients or names, or those of chosen nodes.

That belongs to the showing, not to the document; a lesson may open with something hidden, by the "hide" of its view.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace

from cadena.core.graph.document import Document
from cadena.core.methods.reverse.timeline import Line

KINDS = ("values", "gradients", "names")
RESULTS = "results"  # in a file: all gradients, and all values but those of the leaves, which are given
OF_ROLE = {"value": "values", "gradient": "gradients", "tangent": "gradients"}
MARK = "?"  # in the place of what is hidden
# A number in a sentence, not the digits of a name such as w0 nor of "step 3 of 21"; one that is a formula by itself.
PLAIN_NUMBER = r"\d[\d\u202f,]*(?:\.\d+)?(?:·10[⁻⁰¹²³⁴-⁹]+|e[+-]?\d+)?"
IN_TEXT = re.compile(rf"(?<!step )(?<!pass )(?<!of )(?<![\w.])[−-]?(?:{PLAIN_NUMBER}|inf|nan|∞)(?!\w)")
LATEX_NUMBER = re.compile(r"\(?-?(?:\d|\\infty|\\mathrm\{nan\}|\\begin\{bmatrix\}|\\left\(-?\d).*", re.DOTALL)


@dataclass(frozen=True)
class Hidden:
    """`kinds`, of KINDS, are hidden at all nodes, and everything at `nodes`; nothing at those that are `revealed`.

    The nodes in `visible_values` keep their values.
    """

    kinds: frozenset[str] = frozenset()
    nodes: frozenset[str] = frozenset()
    revealed: frozenset[str] = frozenset()
    visible_values: frozenset[str] = frozenset()

    def __bool__(self) -> bool:
        return bool(self.kinds or self.nodes)

    def hides(self, kind: str, *nodes: str) -> bool:
        """Whether this kind is hidden at one of these nodes."""
        return bool(self) and any(
            node not in self.revealed
            and (node in self.nodes or (kind in self.kinds and not (kind == "values" and node in self.visible_values)))
            for node in nodes
        )

    def hides_at(self, node: str) -> bool:
        """Whether anything is hidden at a node."""
        return node not in self.revealed and bool(self.kinds or node in self.nodes)

    def toggled(self, kind: str) -> Hidden:
        """The same with one kind hidden at all nodes, or shown again."""
        return Hidden(self.kinds ^ {kind}, self.nodes, visible_values=self.visible_values)

    def toggled_nodes(self, nodes: Iterable[str]) -> Hidden:
        """The same with these nodes hidden, or shown again where all of them were."""
        chosen = frozenset(nodes)
        hidden = chosen <= self.nodes and not chosen & self.revealed
        others = self.nodes - chosen if hidden else self.nodes | chosen
        return replace(self, nodes=others, revealed=self.revealed - chosen)

    def with_revealed(self, nodes: Iterable[str]) -> Hidden:
        """The same with everything shown at these nodes."""
        return replace(self, revealed=self.revealed | frozenset(nodes))

    def in_text(self, text: str, *nodes: str) -> str:
        """A sentence about these nodes, without its numbers if one of them hides any."""
        return IN_TEXT.sub(MARK, text) if self.hides_numbers(*nodes) else text

    def hides_numbers(self, *nodes: str) -> bool:
        """Whether values or gradients are hidden at one of these nodes."""
        return self.hides("values", *nodes) or self.hides("gradients", *nodes)

    def lines(self, node: str, lines: tuple[Line, Line]) -> tuple[Line, Line]:
        """The lines of a node's card, with a mark in the place of each that is hidden and would show something."""
        first, second = (
            replace(line, number=None, latex=(), text=MARK)
            if self.hides(OF_ROLE.get(line.role, "values"), node) and not line.empty
            else line
            for line in lines
        )
        return first, second

    def painting(self, paint: Callable[[str, str], str], *nodes: str) -> Callable[[str, str], str]:
        """The callback that paints formulas about these nodes, with a mark for each number that is hidden."""

        def painted(role: str, latex: str) -> str:
            hidden = role in OF_ROLE and self.hides(OF_ROLE[role], *nodes) and LATEX_NUMBER.fullmatch(latex)
            return paint(role, MARK if hidden else latex)

        return painted if self else paint


NOTHING_HIDDEN = Hidden()


def hidden_at_first(document: Document) -> Hidden:
    """What a lesson hides when it opens; what is neither a kind nor a node of it is left to the reader of its story."""
    lesson = document.extra.get("lesson")
    view = lesson.get("view") if isinstance(lesson, dict) else None
    names = view.get("hide") if isinstance(view, dict) else None
    if not isinstance(names, list | tuple):
        return NOTHING_HIDDEN
    texts = frozenset(name for name in names if isinstance(name, str))
    kinds, nodes = texts & frozenset(KINDS), (texts - frozenset((*KINDS, RESULTS))) & document.nodes.keys()
    if RESULTS not in texts:
        return Hidden(kinds, nodes)
    leaves = frozenset(name for name, node in document.nodes.items() if node.is_leaf)
    return Hidden(kinds | {"values", "gradients"}, nodes, visible_values=leaves)
