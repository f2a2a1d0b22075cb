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
    counts = (_count(len(document.nodes), "node"), _count(len(faults), "fault"))
    print_line(f"{options.file}: {', '.join(counts)}")
    return complain_of_faults(faults, options.file, document)


def _count(number: int, word: str) -> str:
    return number_of(number, word) if number else f"no {word}s"
