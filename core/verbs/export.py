"""`cadena export FILE --to LANGUAGE -o OUT`: the graph as a program in another language, or as a text or drawing."""

from __future__ import annotations

import os
from argparse import Namespace

from cadena.core.dialects.export import export as exported
from cadena.core.graph.fault import Refused
from cadena.core.storage.files import write
from cadena.core.verbs.printing import print_line
from cadena.core.verbs.request import check_names, requested_document

SHADOWED = frozenset("argparse jax math numpy pathlib scipy tensorflow torch".split())  # what programs import


def export(options: Namespace) -> int:
    """Exit status 0. Large arrays go to a file beside the program, and a line says so."""
    document = requested_document(options)
    wrt = None if options.wrt is None else [name.strip() for name in options.wrt.split(",")]
    check_names(document, "--wrt", wrt or [], options.file)
    if os.path.realpath(options.out) == os.path.realpath(options.file):
        raise Refused("{out}: this is the graph itself", "choose another name for what is written", out=options.out)
    if options.out.suffix == ".py" and options.out.stem in SHADOWED:
        raise Refused(
            "{out}: Python would take this program for the library {library}", "choose another name",
            out=options.out, library=options.out.stem,
        )  # fmt: skip
    try:
        made = exported(document, options.to, wrt=wrt, stem=options.out.stem)
    except Refused as refusal:
        raise refusal.at(options.file) from None
    if made.data is not None:
        beside = options.out.with_name(made.data_name(options.out.stem))
        write(made.data, beside)
        print_line(f"{beside} holds the large arrays of {options.out}; keep them together.")
    write(made.text.encode(), options.out)
    return 0
