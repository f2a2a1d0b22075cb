"""What `cadena render` writes besides pages of HTML: a picture, a PDF with one page a step, a film."""

from __future__ import annotations

from argparse import Namespace
from dataclasses import replace

from cadena.core.methods.reverse.timeline import Timeline
from cadena.core.storage.files import write
from cadena.core.verbs.render import is_filmed
from cadena.gui.export import picture
from cadena.gui.export.film import FPS, SIZE, USUAL_FPS, Film, writing
from cadena.gui.export.pdf import pdf_of, step_pages
from cadena.gui.export.sheet import application
from cadena.gui.look.theme import THEMES


def write_rendered(timeline: Timeline, title: str, options: Namespace) -> None:
    """Write what the ending of the name asks for. Raises Refused where that cannot be."""
    out, theme = options.out, THEMES[options.theme or "light"]
    begin = options.from_step or 0
    end = len(timeline) if options.to_step is None else options.to_step
    if is_filmed(out):
        fps = options.fps or FPS.get(out.suffix.lower(), USUAL_FPS)
        film = Film(timeline, begin, end, theme, options.size or SIZE, fps, options.speed or 1.0, title)
        for _ in writing(film, out):
            pass
        return
    if out.suffix.lower() == ".pdf" and options.step is None:
        application()
        pages = step_pages(timeline, begin, end, options.size, theme)
        write(pdf_of(replace(page, document=replace(page.document, title=title)) for page in pages), out)
        return
    picture.render(timeline, out, options.step, options.size, theme.name, title)
