"""The languages by name, for those who list them and should not wait for their tables."""

from typing import NamedTuple


class CodeFile(NamedTuple):
    """The title of a language, and the ending of its files."""

    title: str
    suffix: str


CODE = {
    "numpy": CodeFile("numpy", ".py"),
    "torch": CodeFile("PyTorch", ".py"),
    "jax": CodeFile("JAX", ".py"),
    "tensorflow": CodeFile("TensorFlow", ".py"),
    "eigen": CodeFile("C++ with Eigen", ".cpp"),
    "latex": CodeFile("LaTeX", ".tex"),
    "dot": CodeFile("DOT", ".dot"),
    "graphml": CodeFile("GraphML", ".graphml"),
    "markdown": CodeFile("Markdown", ".md"),
}
LANGUAGES = tuple(CODE)

ENGINES = ("numpy", "torch", "jax")  # what may run a document; the last two by their exported code
