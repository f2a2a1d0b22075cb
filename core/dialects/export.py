"""`export`: a document as a program, a drawing or a text in another language."""

from __future__ import annotations

from collections.abc import Callable, Collection

from cadena.core.dialects.drawings import dot, graphml
from cadena.core.dialects.eigen_programs import EigenWriter
from cadena.core.dialects.exported import Exported
from cadena.core.dialects.jax_programs import JaxWriter
from cadena.core.dialects.names import LANGUAGES
from cadena.core.dialects.numpy_programs import NumpyWriter
from cadena.core.dialects.python import Writer
from cadena.core.dialects.script import prepare
from cadena.core.dialects.tensorflow_programs import TensorflowWriter
from cadena.core.dialects.texts import latex, markdown
from cadena.core.dialects.torch_programs import TorchWriter
from cadena.core.functions.library_gradient import in_own_words
from cadena.core.graph.document import Document
from cadena.core.graph.fault import Refused
from cadena.core.rewriting import atoms
from cadena.core.run.collecting import no_collection
from cadena.core.run.program import Run, compile
from cadena.core.text.progress import Report, unreported

PROGRAMS: dict[str, type[Writer]] = {
    "numpy": NumpyWriter,
    "torch": TorchWriter,
    "jax": JaxWriter,
    "tensorflow": TensorflowWriter,
}

GraphReader = Callable[[Run, Report], Exported]
READ: dict[str, GraphReader] = {"latex": latex, "dot": dot, "graphml": graphml, "markdown": markdown}


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
        raise Refused(
            "{language} is no language to export to", "choose {known}", language=language, known=", ".join(LANGUAGES)
        )
    if language in PROGRAMS:
        document = sayable(in_own_words(document, language), language)
    with no_collection():
        script = prepare(document, output, wrt)
        report(0.0)
        if language in READ:
            return READ[language](compile(document, script.output, wrt).run(), report)
        if language == "eigen":
            return EigenWriter(script, stem).export()
        return PROGRAMS[language](script, stem).export()


def sayable(document: Document, language: str) -> Document:
    """`document` with the operations taken apart that a language does not know, as far as they have a definition."""
    known = PROGRAMS[language].language.rows
    for name, node in document.nodes.items():
        if node.op not in known and node.op not in document.functions and atoms.has_atoms(node.op):
            document = atoms.expand(document, name)
    return document
