"""The options of `cadena render`: what is written, of which steps, how large and in which colours."""

from __future__ import annotations

import argparse
import os
import re
from pathlib import Path

from cadena.core.graph.fault import Refused
from cadena.core.text.wording import Listing

THEMES = ("light", "dark", "projector", "contrast")
FILMS = (".mp4", ".gif")
ENDINGS = (".png", ".svg", ".pdf", ".html", *FILMS)
NUMBERED = re.compile(r"%0?\d*d")  # the place of the number in the names of a sequence
MIN_SIDE, MAX_SIDE = 16, 16_384  # pixels
MAX_FPS, MIN_SPEED, MAX_SPEED = 60, 0.05, 20.0
OUT = (
    "the file to write: .png or .svg; .pdf, one page a step; .html, a page that plays; .mp4 or .gif; or pictures of a "
    "film: names such as film-%%04d.png, or a folder/"
)
STEP = "show what step N leaves, as `cadena steps` counts; 0: before the first (default: the last; a page: 0)"


def add_options(verb: argparse.ArgumentParser) -> None:
    """Add the options of this verb."""
    option = verb.add_argument
    option("-o", "--out", metavar="OUT", type=_file_to_write, required=True, help=OUT)
    option("--step", metavar="N", type=int, help=STEP)
    option("--from-step", metavar="N", type=int, help="films and PDFs begin after step N (default: 0)")
    option("--to-step", metavar="N", type=int, help="films and PDFs end with step N (default: the last)")
    option("--fps", metavar="N", type=_fps, help="frames a second of a film (default: 30; of a .gif: 20)")
    option("--speed", metavar="X", type=_speed, help="of a film: 2 is twice as fast (default: 1)")
    option("--size", metavar="WxH", type=_size, help="in pixels, such as 1600x900 (default: what fits the graph)")
    option("--theme", choices=THEMES, help="the colours (default: light; a page: the system's)")


def check_options(options: argparse.Namespace) -> None:
    """Raise Refused for an option that means nothing for the kind of file that is asked for."""
    ending = options.out.suffix.lower()
    is_film = is_filmed(options.out)
    useless = {
        "step": is_film,
        "from_step": not is_film and ending != ".pdf",
        "to_step": not is_film and ending != ".pdf",
        "fps": not is_film,
        "speed": not is_film,
        "size": ending == ".html",
    }
    for name, is_useless in useless.items():
        if is_useless and getattr(options, name) is not None:
            raise Refused(
                "{out}: --{option} means nothing for such a file",
                "leave it out, or choose another ending",
                out=options.out,
                option=name.replace("_", "-"),
            )


def is_filmed(out: Path) -> bool:
    """Whether a name stands for a film, or for a sequence of its pictures."""
    return out.suffix.lower() in FILMS or is_sequence(out)


def is_sequence(out: Path) -> bool:
    """Whether a name stands for many pictures: with a place for their number, or a folder."""
    is_folder = os.path.isdir(out)  # noqa: PTH112, which raises nothing where nobody may look
    return is_folder or not out.suffix or (out.suffix.lower() == ".png" and bool(NUMBERED.search(out.name)))


def _file_to_write(name: str) -> Path:
    path = Path(name)
    if path.suffix.lower() not in ENDINGS and not name.endswith(("/", os.sep)) and not os.path.isdir(path):  # noqa: PTH112
        raise Refused(
            "argument -o/--out: {name} is nothing that can be rendered",
            "choose a name that ends in {endings}",
            name=name,
            endings=Listing(ENDINGS, "or").worded(),
        )
    return path


def _size(text: str) -> tuple[int, int]:
    match = re.fullmatch(r"(\d{1,5})[x×](\d{1,5})", text)
    size = (int(match[1]), int(match[2])) if match else (0, 0)
    if not MIN_SIDE <= min(size) <= max(size) <= MAX_SIDE:
        remedy = "write WIDTHxHEIGHT, each from {least} to {most}, such as 1600x900"
        raise Refused("argument --size: {text} is not a size", remedy, text=text, least=MIN_SIDE, most=MAX_SIDE)
    return size


def _fps(text: str) -> int:
    if not re.fullmatch(r"\d{1,3}", text) or not 1 <= int(text) <= MAX_FPS:
        raise Refused(
            "argument --fps: {text} is no number of frames", "write one from 1 to {most}", text=text, most=MAX_FPS
        )
    return int(text)


def _speed(text: str) -> float:
    if not re.fullmatch(r"\d{0,2}\.?\d{1,3}", text) or not MIN_SPEED <= float(text) <= MAX_SPEED:
        remedy = "write one from {least} to {most}"
        raise Refused("argument --speed: {text} is no speed", remedy, text=text, least=MIN_SPEED, most=MAX_SPEED)
    return float(text)
