"""`cadena new TEXT -o FILE`: a graph from an expression."""

from __future__ import annotations

import os
from argparse import ArgumentParser, Namespace
from dataclasses import replace

from cadena.core.expressions.describing import describe_changes
from cadena.core.expressions.reading import read
from cadena.core.front import compile
from cadena.core.graph import edits
from cadena.core.graph.document import DTYPES, Document
from cadena.core.graph.fault import Refused
from cadena.core.storage.files import save
from cadena.core.verbs.printing import complain_of_faults, print_line
from cadena.core.verbs.request import check_names, with_setting

WHERE = "expression"


def add_options(verb: ArgumentParser) -> None:
    option = verb.add_argument
    option("text", metavar="TEXT", help='statements, a line each or with ; between, such as "L = (w*x + b - y)**2"')
    option("-o", "--out", metavar="FILE", required=True, help="the .cadena file to write")
    option("--set", metavar="NAME=VALUE", action="append", default=[], help="the value of a leaf; repeatable")
    option(
        "--wrt", metavar="NAME,NAME", help="the parameters; all other names are inputs (default: all are parameters)"
    )
    option("--dtype", choices=DTYPES, help="the number type of the graph (default: float64)")
    option("--force", action="store_true", help="write over a file that is there already")


def new(options: Namespace) -> int:
    """Exit status 0 once the file is there; what keeps the graph from running is reported on standard error."""
    if os.path.lexists(options.out) and not options.force:
        raise Refused("{file}: there is such a file already", "choose another name, or --force", file=options.out)
    try:
        reading = read(options.text)
    except Refused as refusal:
        raise refusal.at(WHERE) from None
    document = reading.document
    for setting in options.set:
        document = with_setting(document, setting, WHERE)
    if options.wrt is not None:
        document = _with_gradients(document, [name.strip() for name in options.wrt.split(",")])
    document = replace(document, dtype=options.dtype or document.dtype)
    save(document, options.out)
    print_line(f"{options.out}: {describe_changes(reading.new)}; output {document.output}")
    complain_of_faults(compile(document).run().faults, options.out)
    return 0


def _with_gradients(document: Document, requested: list[str]) -> Document:
    """The document in which these are the parameters; other leaves are inputs."""
    check_names(document, "--wrt", requested, WHERE)
    if inner := next((name for name in requested if not document.nodes[name].is_leaf), None):
        what = "{where}: --wrt: {inner} is computed from its operands"
        raise Refused(what, "choose names that nothing is assigned to", where=WHERE, inner=inner)
    for name, node in document.nodes.items():
        if node.op == "parameter" and name not in requested:
            document = edits.set_operation(document, name, "input")
        elif name in requested:
            document = edits.set_operation(document, name, "parameter")
    return document
