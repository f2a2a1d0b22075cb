"""Output of the verbs: aligned tables, numbers in plain characters, one line for each error, JSON."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, Any
from unicodedata import category

import numpy as np

from cadena.core.graph.document import Document
from cadena.core.graph.fault import Fault
from cadena.core.notation.in_script import line_of_fault
from cadena.core.storage.values import specials_as_texts
from cadena.core.text.plain_text import CONTROLS, aligned, cleaned, with_short_names
from cadena.core.verbs.wording import REMEDIES

if TYPE_CHECKING:
    from cadena.core.front import Run


def complain(message: str) -> None:
    """Print one line on standard error, whatever characters the message quotes.

    Where standard error is closed or full, only the exit status reports the error.
    """
    if sys.stderr is not None:  # else print would write among the results
        with suppress(OSError):
            print(f"cadena: {cleaned(message)}", file=sys.stderr)


def complain_of_faults(faults: Iterable[Fault], file: str, document: Document | None = None) -> int:
    """Print a line for each fault; returns the exit status: 1 when one is not just a hint, 0 otherwise.

    With the `document`, nodes have the line of their script.
    """
    return _complain(((fault, fault.after_node(REMEDIES)) for fault in faults), file, document)


def complain_of_causes(run: Run, faults: Sequence[Fault], file: str) -> int:
    """Print a line for each cause of the faults of `run`, with its consequences; returns the exit status as above."""
    from cadena.core.doctor.findings.causes import causes, worded

    lines = ((one.fault, worded(run, one, REMEDIES, after_node=True)) for one in causes(run, faults))
    return _complain(lines, file, run.program.document)


def _complain(lines: Iterable[tuple[Fault, str]], file: str, document: Document | None) -> int:
    status = 0
    for fault, sentence in lines:
        line = "" if document is None else line_of_fault(document, fault)
        complain(f"{file}: {fault.node}{f' ({line})' if line else ''}: {sentence}")
        status |= fault.severity == "fault"
    return status


def print_line(line: str, keep: str = "") -> None:
    """Print one line on standard output, whatever characters it quotes; those in `keep` as they are."""
    print(with_short_names(cleaned(line, keep)))


def print_json(item: Any) -> None:
    """Print JSON on one line, with characters that control a terminal escaped."""
    written = json.dumps(item, ensure_ascii=False, allow_nan=False)
    if not written.isprintable():
        written = "".join(sign if category(sign) not in CONTROLS else json.dumps(sign)[1:-1] for sign in written)
    print(written)


def plain(array: np.ndarray | None) -> Any:
    """An array for JSON: a number or nested lists, with nan and inf as texts; None stays None."""
    return None if array is None else specials_as_texts(array.tolist())


def print_table(heads: Sequence[str], rows: Sequence[Sequence[str]], numbers: Sequence[str] = ()) -> None:
    """Print columns side by side; those named in `numbers` are aligned right while they are narrow."""
    print(aligned(heads, rows, numbers))
