"""Advice about numpy functions and array methods that cannot be traced: the code to write instead."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

REAL = "traced values are real; write out the sums with np.cos and np.sin"
MODEL = "use np.linalg.eigh of a symmetric matrix, or np.linalg.svd"
JOIN = "join the parts with np.concatenate or np.stack"
CHOOSE = "write x = np.where(condition, values, x)"
LINES = "call the function on each line and join the results with np.stack"
SORTED = "use np.sort, and np.take with places that np.argsort or np.unique finds on plain arrays"
# numpy's function, or its module -> the code to write; for others the advice is to use functions that Cadena knows.
INSTEAD: dict[str, str] = {
    "put": "write x[places] = values with a traced x of one axis",
    "put_along_axis": "write x[rows, places] = values with a traced x",
    "copyto": "write x[...] = values with a traced x, or x = np.where(condition, values, x)",
    "place": CHOOSE,
    "putmask": CHOOSE,
    "fill_diagonal": "write x[range(n), range(n)] = value, with the places as lists and a traced x",
    "insert": JOIN,
    "block": JOIN,
    "resize": "use np.tile and np.reshape",
    "choose": "use np.where or np.select",
    "piecewise": "use np.where or np.select",
    "apply_along_axis": LINES,
    "apply_over_axes": "call the function for one axis after the other",
    "unique": SORTED,
    "unique_values": SORTED,
    "union1d": SORTED,
    "sort_complex": "use np.sort",
    "eig": MODEL,
    "eigvals": MODEL,
    "qr": "use np.linalg.cholesky(a.T @ a), whose transpose is r up to signs",
    "lstsq": "use np.linalg.pinv(a) @ b",
    "geomspace": "use np.exp(np.linspace(np.log(start), np.log(stop), num))",
    "polyfit": "use np.linalg.pinv(np.vander(x, degree + 1)) @ y",
    "nanmax": "use np.max(np.where(np.isnan(x), -np.inf, x))",
    "nanmin": "use np.min(np.where(np.isnan(x), np.inf, x))",
    "nanvar": "use np.nanmean of the squared distances from np.nanmean",
    "nanstd": "use np.nanmean of the squared distances from np.nanmean, and np.sqrt",
    "angle": "traced values are real; use np.arctan2",
    "numpy.fft": REAL,
    "numpy.lib.scimath": "traced values are real; use the function of np itself",
}
# Methods of arrays that change the array itself or return its numbers.
METHODS_INSTEAD: dict[str, str] = {
    "sort": "write x = np.sort(x)",
    "partition": "write x = np.partition(x, kth)",
    "resize": "write x = np.reshape(x, shape), or np.tile",
    "put": INSTEAD["put"],
    "itemset": "write x[place] = value",
    "setfield": "write x[...] = value",
    "setflags": "make a copy with np.copy",
    "byteswap": "use x.astype",
    "view": "use x.astype or np.reshape",
    "getfield": "use x.astype",
    "item": "keep the value as it is, or index it with x[place]",
    "tolist": "write list(x), whose elements are traced",
    "flat": "use np.ravel(x)",
    "choose": INSTEAD["choose"],
    **dict.fromkeys("tobytes tofile dump dumps data ctypes".split(), "save the trace's document with cadena.save"),
}


def refusal(function: Callable[..., Any]) -> TypeError:
    """The error for a numpy function that cannot be traced: its name, and the code to write instead."""
    name = getattr(function, "__name__", str(function))
    module = getattr(function, "__module__", None) or "numpy"
    known = INSTEAD.get(name) or INSTEAD.get(module) or "write it with functions that are: see docs/operations.md"
    where = module.replace("numpy", "np", 1) if module.startswith("numpy") and "._" not in module else "np"
    return TypeError(f"{where}.{name} is not traced; {known}")
