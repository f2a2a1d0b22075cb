"""The options of `cadena handout`: a PDF with the graph and a table of its steps, for a class."""

from __future__ import annotations

from argparse import ArgumentParser
from pathlib import Path

from cadena.core.graph.fault import Refused

PAPERS = ("A4", "Letter")


def add_options(verb: ArgumentParser) -> None:
    """Add the options of this verb."""
    option = verb.add_argument
    option("-o", "--out", metavar="OUT.pdf", type=_pdf_file, required=True, help="the PDF to write")
    option("--blanks", action="store_true", help="leave the numbers of the steps blank, and add a key of the answers")
    option("--paper", choices=PAPERS, default=PAPERS[0], help=f"the size of the paper (default: {PAPERS[0]})")


def _pdf_file(name: str) -> Path:
    path = Path(name)
    if path.suffix.lower() != ".pdf":
        raise Refused("argument -o/--out: {name} is no PDF", "choose a name that ends in .pdf", name=name)
    return path
