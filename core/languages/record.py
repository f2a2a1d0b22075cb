"""The languages: one record each, from which commands, menus, exports, search and readers of scripts are made."""

from __future__ import annotations

from dataclasses import dataclass
from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from cadena.core.languages.language import Language


@dataclass(frozen=True)
class LanguageRecord:
    """A language that documents are exported to. Listing the records imports neither tables nor writers.

    Attributes:
        name: what `--to` takes, and what scripts in this language import.
        title: the language's own name.
        suffix: of its files.
        writer: `module.name` in this package: of a program a class of (script, stem) with `export`, of any other text a
            function of (run, report).
        lexer: Pygments' name of its grammar.
        alias: the name by which scripts usually know the library, such as np.
        reader: the package that reads scripts in this language; `core.scripts` says what it has.
    """

    name: str
    title: str
    suffix: str
    writer: str
    lexer: str = "python"
    alias: str = ""
    reader: str = ""

    @property
    def write(self) -> Any:
        """The writer."""
        module, _, name = self.writer.rpartition(".")
        return getattr(import_module(f"cadena.core.languages.{module}"), name)

    @property
    def is_program(self) -> bool:
        """Whether its texts are programs, which compute the numbers when they are run."""
        return isinstance(self.write, type)

    @property
    def table(self) -> Language | None:
        """How operations are written in it and read; None for a language that is not of Python's grammar."""
        table: Language | None = getattr(self.write, "language", None)
        return table


LANGUAGES = {
    record.name: record
    for record in (
        LanguageRecord(
            "numpy", "numpy", ".py", "numpy_programs.NumpyWriter", alias="np", reader="cadena.core.scripts.numpy_arrays"
        ),
        LanguageRecord(
            "torch", "PyTorch", ".py", "torch_programs.TorchWriter", reader="cadena.core.scripts.pytorch"
        ),
        LanguageRecord(
            "jax", "JAX", ".py", "jax_programs.JaxWriter", alias="jnp", reader="cadena.core.scripts.jax_arrays"
        ),
        LanguageRecord(
            "tensorflow", "TensorFlow", ".py", "tensorflow_programs.TensorflowWriter", alias="tf",
            reader="cadena.core.scripts.tensor_flow",
        ),
        LanguageRecord("eigen", "C++ with Eigen", ".cpp", "eigen.programs.EigenWriter", "cpp"),
        LanguageRecord("latex", "LaTeX", ".tex", "texts.latex", "tex"),
        LanguageRecord("dot", "DOT", ".dot", "drawings.dot", "graphviz"),
        LanguageRecord("graphml", "GraphML", ".graphml", "drawings.graphml", "xml"),
        LanguageRecord("markdown", "Markdown", ".md", "texts.markdown", "markdown"),
    )
}  # fmt: skip

READ = {name: record for name, record in LANGUAGES.items() if record.reader}  # those of scripts
ENGINES = ("numpy", "torch", "jax")  # what may run a document; the last two by their exported code
