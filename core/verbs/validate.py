"""`cadena validate FILE`: whether a file can be read, and every fault of its graph."""

from __future__ import annotations

from argparse import Namespace

from cadena.core.front import compile
from cadena.core.storage.files import read
from cadena.core.text.numbers import number_of
from cadena.core.verbs.printing import complain_of_faults, print_line


def validate(options: Namespace) -> int:
    """Exit status 0, or 1 when the graph has faults; each is a line on standard error."""
    document = read(options.file)
    faults = compile(document).run().faults
    nodes = number_of(len(document.nodes), "node") if document.nodes else "no nodes"
    found = number_of(len(faults), "fault") if faults else "no faults"
    print_line(f"{options.file}: {nodes}, {found}")
    return complain_of_faults(faults, options.file)
