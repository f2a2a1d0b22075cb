"""Data that a script for JAX or TensorFlow prepares outside of the function, or the tape, that records its graph.

What is computed there is a leaf of its own, and does not follow new numbers of the data that it was computed from.
"""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterator

from cadena.core.scripts.graph import Drawn
from cadena.core.scripts.remark import KEPT, Remark
from cadena.core.scripts.tape import GradientPass, lines_at

SENTENCE = "line {line} computes {name} from {source} outside of the graph, and {name} stays as it was"


def remarks(text: str, item: GradientPass, passes: Collection[int], picture: Drawn) -> Iterator[Remark]:
    """A remark for each variable that was computed from leaves of the graph beside it, and is read by its lines.

    passes: the lines of all backward passes
    """
    nodes, tape = picture.document.nodes, item.tape
    follows = {line for line, call in zip(lines_at(tape.places), tape.calls, strict=True) if call is not None}
    follows |= set(passes)  # gradients do not stand for what they are computed from
    shown = {*picture.lines.values(), item.line}
    simple = [node for node in ast.walk(ast.parse(text)) if isinstance(node, ast.stmt) and not hasattr(node, "body")]
    read = {name for node in simple if not shown.isdisjoint(_span(node)) for name in _names(node, ast.Load)}
    sources = {name: name for name, node in nodes.items() if node.is_leaf}
    for node in sorted(simple, key=lambda node: node.lineno):
        if not isinstance(node, ast.Assign | ast.AnnAssign) or not follows.isdisjoint(_span(node)):
            continue
        source = next((sources[name] for name in sorted(_names(node, ast.Load)) if name in sources), "")
        for name in sorted(_names(node, ast.Store)) if source else ():
            if name == source or (name in nodes and nodes[name].wants_gradient):
                continue
            sources.setdefault(name, source)
            if name in read:
                yield Remark(node.lineno, KEPT, SENTENCE.format(line=node.lineno, name=name, source=source))


def _span(node: ast.stmt) -> range:
    return range(node.lineno, (node.end_lineno or node.lineno) + 1)


def _names(node: ast.stmt, context: type[ast.expr_context]) -> set[str]:
    return {one.id for one in ast.walk(node) if isinstance(one, ast.Name) and isinstance(one.ctx, context)}
