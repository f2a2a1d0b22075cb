"""Arrays written out whole, to be pasted elsewhere: as numpy, CSV, LaTeX or JSON."""

from __future__ import annotations

import csv
import io
import json
import sys
from collections.abc import Callable, Mapping

import numpy as np

from cadena.core.graph.fault import Refused
from cadena.core.storage.values import specials_as_texts
from cadena.core.text.numbers import latex_number

MOST = {"numpy": 1_000_000, "CSV": 1_000_000, "LaTeX": 10_000, "JSON": 1_000_000}  # elements that one text may have
LATEX_DIGITS = 6


def array_text(array: np.ndarray, form: str) -> str:
    """`array` as text in one of FORMS, with all digits of its dtype (in LaTeX, six).

    Raises Refused for an array with more elements than anybody pastes.
    """
    if array.size > MOST[form]:
        what = "{size} elements are too many for one text as {form}"
        raise Refused(what, "save the array as .npy", size=f"{array.size:,}", form=form)
    return FORMS[form](array)


def _numpy(array: np.ndarray) -> str:
    with np.printoptions(nanstr="np.nan", infstr="np.inf", floatmode="unique"):
        text = np.array2string(array, separator=", ", threshold=sys.maxsize, prefix="np.array(")
    return f"np.array({text}, dtype=np.{array.dtype})"


def _csv(array: np.ndarray) -> str:
    """A row for each row; of a vector, for each element; of more axes, an element a row, with its place before it."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    if array.ndim > 2:
        writer.writerow([*(f"axis {axis}" for axis in range(array.ndim)), "element"])
        writer.writerows([*place, element.item()] for place, element in np.ndenumerate(array))
    else:
        writer.writerows(array.reshape(len(array), -1).tolist() if array.ndim else [[array.item()]])
    return text.getvalue()


def _latex(array: np.ndarray) -> str:
    """A matrix, a vector as one row; of more axes, the matrices of the last two, one below the other."""
    if array.ndim == 0:
        return latex_number(array, LATEX_DIGITS)
    rows, columns = (1, array.size) if array.ndim == 1 else array.shape[-2:]
    return "\n".join(map(_latex_matrix, array.reshape(-1, rows, columns)))


def _latex_matrix(matrix: np.ndarray) -> str:
    lines = (" & ".join(latex_number(number, LATEX_DIGITS) for number in row) for row in matrix)
    return "\\begin{bmatrix}\n" + " \\\\\n".join(lines) + "\n\\end{bmatrix}"


def _json(array: np.ndarray) -> str:
    """Nested lists; nan, inf and -inf, which JSON has not, are texts, as in Cadena's files."""
    return json.dumps(specials_as_texts(array.tolist()))


FORMS: Mapping[str, Callable[[np.ndarray], str]] = {"numpy": _numpy, "CSV": _csv, "LaTeX": _latex, "JSON": _json}
