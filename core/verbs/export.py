"""`cadena export FILE --to LANGUAGE -o OUT`: the graph as a program in another language, or as a text or drawing."""

from __future__ import annotations

import os
import sys
from argparse import Namespace
from collections.abc import Collection
from pathlib import Path

from cadena.core.graph.document import Document
from cadena.core.graph.fault import Refused
from cadena.core.languages.export import export as exported
from cadena.core.storage.files import write
from cadena.core.text.progress import Report, unreported
from cadena.core.verbs.printing import print_line
from cadena.core.verbs.request import check_names, requested_document

STANDARD_OUTPUT = "-"
SHADOWED = frozenset("argparse jax math numpy pathlib scipy tensorflow torch".split())  # what programs import


def export(options: Namespace) -> int:
    """Exit status 0. Large arrays go to a file beside the program, and a line says so."""
    document = requested_document(options)
    wrt = None if options.wrt is None else [name.strip() for name in options.wrt.split(",")]
    check_names(document, "--wrt", wrt or [], options.file)
    if str(options.out) == STANDARD_OUTPUT:
        return _printed(document, options, wrt)
    if os.path.realpath(options.out) == os.path.realpath(options.file):
        raise Refused("{out}: this is the graph itself", "choose another name for what is written", out=options.out)
    try:
        beside = write_program(document, options.to, options.out, wrt)
    except Refused as refusal:
        raise refusal.at(options.file) from None
    if beside is not None:
        print_line(f"{beside} holds the large arrays of {options.out}; keep them together.")
    return 0


def _printed(document: Document, options: Namespace, wrt: Collection[str] | None) -> int:
    """Write the program to standard output."""
    try:
        export = exported(document, options.to, wrt=wrt)
        if export.data is not None:
            what, remedy = "the large arrays go to a file beside the program", "give the program a name with -o"
            raise Refused(what, remedy)
    except Refused as refusal:
        raise refusal.at(options.file) from None
    sys.stdout.reconfigure(encoding="utf-8")  # type: ignore[union-attr]
    sys.stdout.write(export.text)
    return 0


def write_program(
    document: Document,
    language: str,
    out: Path,
    wrt: Collection[str] | None = None,
    report: Report = unreported,
) -> Path | None:
    """Write a document as code to a file, its large arrays to one beside it, whose path is returned if there is one.

    Raises Refused where the document cannot be said in the language, or the file not be written.
    """
    if out.suffix == ".py" and out.stem in SHADOWED:
        raise Refused(
            "{out}: Python would take this program for the library {library}", "choose another name",
            out=out, library=out.stem,
        )  # fmt: skip
    stem = os.fsencode(out.stem).decode("utf-8", "replace")  # the program names itself, and is written as UTF-8
    export, beside = exported(document, language, wrt=wrt, stem=stem, report=report), None
    report(1.0)  # the last moment to give it up
    if export.data is not None:
        beside = out.with_name(export.data_name(stem))
        write(export.data, beside)
    write(export.text.encode(), out)
    return beside
