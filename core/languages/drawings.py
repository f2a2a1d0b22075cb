"""The graph for drawing tools: dot for Graphviz, GraphML for yEd, Gephi and Cytoscape, with values and gradients."""

from __future__ import annotations

from collections.abc import Iterator
from colorsys import hls_to_rgb
from io import BytesIO

import networkx as nx
import numpy as np

from cadena.core.functions.calls import operation
from cadena.core.graph.document import Document, Node
from cadena.core.graph.frames import color_of, frame_of, frames, hue
from cadena.core.graph.memos import memos
from cadena.core.languages.exported import Exported
from cadena.core.run.program import Run
from cadena.core.text.numbers import shape_text
from cadena.core.text.plain_text import cleaned, number_text
from cadena.core.text.progress import Report, one_by_one, stretch

SHAPES = {"parameter": "ellipse", "input": "ellipse", "constant": "plaintext"}
IN_NETWORKX = 0.5  # the share of the work before networkx writes
UNREADABLE = dict.fromkeys((*range(32), 127, 65534, 65535), " ")  # what XML has no place for


def slot_label(document: Document, node: Node, slot: int) -> str:
    """The label of a wire at its end; empty where the operation has one operand."""
    record = operation(document, node.op)
    return "" if record is None or len(node.inputs) < 2 else record.slot(slot).label


def quoted(text: str) -> str:
    """A text in dot's quotes."""
    return '"' + cleaned(text).replace("\\", "\\\\").replace('"', '\\"') + '"'


def dot(run: Run, report: Report) -> Exported:
    """For Graphviz: `dot -Tsvg` draws it. Leaves are round, the output has two borders, frames are clusters."""
    document, output = run.program.document, run.program.output
    lines = [f"digraph {quoted(document.title or str(output))} {{", "    rankdir=LR;", "    node [shape=box];"]
    for name, node in one_by_one(document.nodes.items(), report):
        shown = [name if node.is_leaf else f"{name} = {node.op}", *_numbers(run, name)]
        label = "\\n".join(quoted(line)[1:-1] for line in shown)
        more = f", shape={SHAPES[node.op]}" if node.is_leaf else ""
        lines.append(f'    {quoted(name)} [label="{label}"{more}{", peripheries=2" if name == output else ""}];')
    for node in document.nodes.values():
        for slot, source in enumerate(node.inputs):
            if source is not None:
                label = slot_label(document, node, slot)
                labelled = f" [label={quoted(label)}]" if label else ""
                lines.append(f"    {quoted(source)} -> {quoted(node.name)}{labelled};")
    return Exported("\n".join([*lines, *_clusters(document), *_notes(document), "}"]) + "\n")


def _clusters(document: Document) -> Iterator[str]:
    for number, (title, names) in enumerate(frames(document).items()):
        degrees = hue(color_of(document, title))
        strength = 0.0 if degrees is None else 0.55
        shades = [hls_to_rgb((degrees or 0) / 360.0, light, strength) for light in (0.93, 0.5)]
        colors = [quoted("#" + bytes(round(255 * part) for part in shade).hex()) for shade in shades]
        yield f"    subgraph cluster_{number} {{"
        yield f'        label={quoted(title)}; labeljust=l; style="rounded,filled";'
        yield f"        fillcolor={colors[0]}; color={colors[1]};"
        yield f"        {'; '.join(map(quoted, names))};"
        yield "    }"


def _notes(document: Document) -> Iterator[str]:
    for number, note in memos(document).items():
        label = "\\l".join(quoted(line)[1:-1] for line in note.text.split("\n"))
        yield f'    "note {number}" [shape=note, label="{label}\\l"];'


def _numbers(run: Run, name: str) -> list[str]:
    value, gradient = run.value(name), run.gradient(name)
    shown = [] if value is None else [number_text(value)]
    return shown if gradient is None else [*shown, f"gradient {number_text(gradient)}"]


def graphml(run: Run, report: Report) -> Exported:
    """As networkx writes it; every node has its operation, shape, value and gradient, every edge its slot."""
    document = run.program.document
    graph = nx.MultiDiGraph(title=_readable(document.title), output=str(run.program.output), dtype=run.dtype)
    for name, node in one_by_one(document.nodes.items(), stretch(report, 0.0, IN_NETWORKX)):
        data = {"op": node.op, "value": _listed(run.value(name)), "gradient": _listed(run.gradient(name))}
        value = run.value(name)
        data["shape"] = "" if value is None else shape_text(value.shape)
        data["frame"] = frame_of(document, name)
        data |= {f"attribute_{key}": str(item) for key, item in node.attributes.items()}
        graph.add_node(name, **{key: _readable(text) for key, text in data.items() if text})
    for node in document.nodes.values():
        for slot, source in enumerate(node.inputs):
            if source is not None:
                graph.add_edge(source, node.name, slot=slot, operand=_readable(slot_label(document, node, slot)))
    stream = BytesIO()
    nx.write_graphml(graph, stream)
    return Exported(stream.getvalue().decode())


def _listed(array: np.ndarray | None) -> str:
    return "" if array is None else str(array.tolist())


def _readable(text: str) -> str:
    return text.translate(UNREADABLE)
