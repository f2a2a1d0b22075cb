"""`export`: a document as a program, a drawing or a text in another language."""

from __future__ import annotations

from collections.abc import Collection

from cadena.core.functions.library_gradient import in_own_words
from cadena.core.graph.document import Document
from cadena.core.graph.fault import Refused
from cadena.core.languages.exported import Exported
from cadena.core.languages.record import LANGUAGES
from cadena.core.languages.script import prepare
from cadena.core.rewriting import atoms
from cadena.core.run.program import compile
from cadena.core.text.progress import Report, unreported


def export(
    document: Document,
    language: str,
    output: str | None = None,
    wrt: Collection[str] | None = None,
    stem: str = "program",
    report: Report = unreported,
) -> Exported:
    """`document` in a language: the output (default: the document's) and its gradients.

    A file with the large arrays is to be called `stem`, with the ending .npz, and to lie beside the program. Raises
    Refused, with the node named, where the output cannot run or an operation cannot be said in the language.
    """
    if language not in LANGUAGES:
        raise Refused("cannot export to {language}", "choose {known}", language=language, known=", ".join(LANGUAGES))
    record = LANGUAGES[language]
    if record.table is not None:
        document = sayable(in_own_words(document, language), language)
    script = prepare(document, output, wrt)
    report(0.0)
    exported: Exported
    if record.is_program:
        exported = record.write(script, stem).export()
    else:
        exported = record.write(compile(document, script.output, wrt).run(), report)
    return exported


def sayable(document: Document, language: str) -> Document:
    """`document` with the operations taken apart that a language does not know, as far as they have a definition."""
    known = LANGUAGES[language].write.language.rows
    for name, node in document.nodes.items():
        if node.op not in known and node.op not in document.functions and atoms.has_atoms(node.op):
            document = atoms.expand(document, name)
    return document
