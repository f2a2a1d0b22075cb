"""One self-contained page of HTML that plays the steps of a graph, without any request; and what a notebook shows.

The page is data, one program and one style sheet. Its policy allows just these two, by their hashes: nothing that comes
from a document, whatever its names and titles hold, can run in it.
"""

from __future__ import annotations

import json
from base64 import b64encode
from collections.abc import Sequence
from functools import cache
from hashlib import sha256
from html import escape
from importlib.resources import files
from string import Template
from typing import Any

from cadena.core.front import compile
from cadena.core.graph.document import Document
from cadena.core.graph.fault import Refused
from cadena.core.html_page import notebook_picture
from cadena.core.methods.reverse.timeline import Timeline
from cadena.core.text.plain_text import cleaned

MAX_NODES, MAX_STEPS = (
    400,
    2000,
)  # of a larger graph nobody follows a single number, and a browser takes long to draw it
HEIGHT = 640  # pixels of the frame in a notebook
STILL_PAGE = (
    '<!doctype html><html lang="en"><head><meta charset="utf-8"><title>{title}</title><style>{style}</style></head>'
    '<body><main><header><h1>{title}</h1></header><section id="band"><p id="title">{why}</p>{picture}</section></main>'
    "</body></html>"
)
SCROLLED = '<div style="max-height:600px;overflow:auto;background:#f5f6f8;border-radius:8px">{picture}</div>'
EXACT = 2.0**53  # above, a whole number is longer than the float
THEMES = ("auto", "light", "dark", "projector")


def play_page(timeline: Timeline, title: str = "", theme: str = "auto", step: int = 0) -> str:
    """The page that plays `timeline`; it opens after `step` steps. The title is the document's unless one is given.

    Raises Refused for a graph too large to be followed on a page.
    """
    from cadena.core.html_page.content import content

    check_size(timeline)
    document = timeline.run.program.document
    data = content(timeline) | {"start": step}
    style, script = resource("player.css"), resource("player.js")
    return Template(resource("page.html")).substitute(
        title=escape(cleaned(title or document.title or "Cadena")),
        theme=theme if theme in THEMES else "auto",
        style=style,
        style_hash=digest(style),
        script=script,
        script_hash=digest(script),
        picture=notebook_picture.svg(document),
        content=_in_html(data),
    )


def check_size(timeline: Timeline) -> None:
    """Raise Refused for more nodes or steps than a page plays."""
    nodes, steps = len(timeline.run.program.document.nodes), len(timeline)
    if nodes > MAX_NODES or steps > MAX_STEPS:
        raise Refused(
            "a page plays graphs of up to {most_nodes} nodes and {most_steps} steps; this has {nodes} and {steps}",
            "choose an output with fewer nodes before it, or make functions of its parts",
            most_nodes=MAX_NODES,
            most_steps=MAX_STEPS,
            nodes=nodes,
            steps=steps,
        )


def page(document: Document) -> str:
    """One self-contained page, as HTML, that plays the steps of `document`; a still one where the graph is too large
    or cannot run."""
    try:
        return play_page(compile(document).run().timeline)
    except Refused as refusal:
        return _still_page(document, refusal)


def in_notebook(document: Document, notes: Sequence[str] = ()) -> str:
    """The page in a frame of its own, so that several live in one notebook, with the still picture below for places
    that show no frames, and with remarks."""
    remarks = [f"<p>{escape(cleaned(note))}</p>" for note in notes]
    try:
        inside = play_page(compile(document).run().timeline)
    except Refused as refusal:
        return "\n".join(["<div>", _still(document), f"<p>{_sentence(refusal)}</p>", *remarks, "</div>"])
    label = escape(cleaned(document.title or "Computation graph"))
    frame = (
        f'<iframe srcdoc="{escape(inside)}" sandbox="allow-scripts" title="{label}" '
        f'style="width:100%;height:{HEIGHT}px;border:1px solid #dfe3e9;border-radius:8px"></iframe>'
    )
    below = f"<details><summary>Still picture</summary>{_still(document)}</details>"
    return "\n".join(["<div>", frame, below, *remarks, "</div>"])


def _still(document: Document) -> str:
    """The picture in a box that scrolls."""
    return SCROLLED.format(picture=notebook_picture.svg(document))


def _still_page(document: Document, refusal: Refused) -> str:
    title = escape(cleaned(document.title or "Cadena"))
    style, picture, why = resource("player.css"), notebook_picture.svg(document), _sentence(refusal)
    return STILL_PAGE.format(title=title, style=style, picture=picture, why=why)


def _sentence(refusal: Refused) -> str:
    sentence = escape(cleaned(refusal.worded()))
    return f"{sentence[:1].upper()}{sentence[1:]}."


@cache
def resource(name: str) -> str:
    """The text of a file of the page."""
    return files("cadena.resources").joinpath("page", name).read_text("utf-8")


def digest(text: str) -> str:
    """The hash by which a page's policy allows a text."""
    return b64encode(sha256(text.encode()).digest()).decode()


def _in_html(data: object) -> str:
    """JSON that neither ends its element nor begins another, whatever its texts hold."""
    text = json.dumps(_whole(data), separators=(",", ":"), ensure_ascii=False, allow_nan=False)
    return text.replace("&", r"\u0026").replace("<", r"\u003c").replace(">", r"\u003e")


def _whole(data: Any) -> Any:
    """Write 0 for 0.0, which is the same to JavaScript: the page of a lesson is half a kilobyte shorter."""
    if isinstance(data, dict):
        return {key: _whole(value) for key, value in data.items()}
    if isinstance(data, list | tuple):
        return [_whole(value) for value in data]
    return int(data) if isinstance(data, float) and data.is_integer() and abs(data) < EXACT else data
