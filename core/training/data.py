"""Data to learn from: points in the plane made from a seed, a line, or the rows of a CSV file."""

from __future__ import annotations

import csv
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

import numpy as np

from cadena.core.graph.fault import Refused
from cadena.core.storage.files import contents


class DataTable(NamedTuple):
    """Named columns of numbers, an example in each row."""

    names: tuple[str, ...]
    rows: np.ndarray

    def column(self, name: str) -> int:
        """The number of a column. Raises Refused where there is none of this name."""
        if name not in self.names:
            what = "the data has no column {name}"
            raise Refused(what, "choose one of {known}", name=name, known=", ".join(self.names[:20]))
        return self.names.index(name)


Maker = Callable[[np.random.Generator, int, float], np.ndarray]


@dataclass(frozen=True)
class DataKind:
    """Data that can be chosen: its title, how it is made, how many examples and how much noise it has by itself."""

    title: str
    columns: tuple[str, ...] = ()
    make: Maker | None = None
    examples: int = 200
    noise: float = 0.1


def _xor(random: np.random.Generator, count: int, noise: float) -> np.ndarray:
    corners = np.array([[0.0, 0.0], [0.0, 1.0], [1.0, 0.0], [1.0, 1.0]])[np.arange(count) % 4]
    labels = corners[:, 0] != corners[:, 1]
    return np.column_stack([corners + noise * random.normal(size=corners.shape), labels])


def _moons(random: np.random.Generator, count: int, noise: float) -> np.ndarray:
    upper = (count + 1) // 2
    angles = np.concatenate([np.linspace(0.0, np.pi, upper), np.linspace(0.0, np.pi, count - upper)])
    labels = np.arange(count) >= upper
    x = np.where(labels, 1.0 - np.cos(angles), np.cos(angles))
    y = np.where(labels, 0.5 - np.sin(angles), np.sin(angles))
    return _labelled(random, x, y, labels, noise)


def _circles(random: np.random.Generator, count: int, noise: float) -> np.ndarray:
    outer = (count + 1) // 2
    angles = 2.0 * np.pi * np.concatenate([np.arange(outer) / outer, np.arange(count - outer) / max(count - outer, 1)])
    labels = np.arange(count) >= outer
    radius = np.where(labels, 0.5, 1.0)
    return _labelled(random, radius * np.cos(angles), radius * np.sin(angles), labels, noise)


def _spiral(random: np.random.Generator, count: int, noise: float) -> np.ndarray:
    first = (count + 1) // 2
    along = np.concatenate([np.linspace(0.1, 1.0, first), np.linspace(0.1, 1.0, count - first)])
    labels = np.arange(count) >= first
    angles = 3.0 * np.pi * along + np.pi * labels
    return _labelled(random, along * np.cos(angles), along * np.sin(angles), labels, noise)


def _line(random: np.random.Generator, count: int, noise: float) -> np.ndarray:
    x = np.linspace(-1.0, 1.0, count)
    return np.column_stack([x, 2.0 * x - 1.0 + noise * random.normal(size=count)])


def _labelled(
    random: np.random.Generator, x: np.ndarray, y: np.ndarray, labels: np.ndarray, noise: float
) -> np.ndarray:
    points = np.column_stack([x, y])
    return np.column_stack([points + noise * random.normal(size=points.shape), labels])


PLANE = ("x1", "x2", "y")
DOCUMENT, CSV = "document", "csv"
DATA = {
    DOCUMENT: DataKind("own inputs"),
    "xor": DataKind("XOR", PLANE, _xor, examples=4, noise=0.0),
    "moons": DataKind("moons", PLANE, _moons),
    "circles": DataKind("circles", PLANE, _circles, noise=0.05),
    "spiral": DataKind("spiral", PLANE, _spiral, noise=0.02),
    "line": DataKind("line", ("x", "y"), _line, examples=50),
    CSV: DataKind("CSV file"),
}


def generated(kind: str, seed: int, examples: int | None = None, noise: float | None = None) -> DataTable:
    """The data of a kind that is made from a seed: equal seeds give equal bits."""
    record = DATA[kind]
    assert record.make is not None
    count = record.examples if examples is None else examples
    rows = record.make(np.random.default_rng(seed), count, record.noise if noise is None else noise)
    return DataTable(record.columns, rows)


def read_csv(path: Path) -> DataTable:
    """The numbers of a CSV file; a first row that holds no numbers names the columns, else they are x1, x2 ... and y.

    It is read within the limits of a document: a device is refused, and a silent pipe is not waited for. Raises
    Refused for a file that cannot be read, for rows of different lengths and for cells that are no numbers.
    """
    try:
        text = contents(path).decode("utf-8-sig")
    except UnicodeDecodeError:
        raise Refused("{file} is not UTF-8 text", "choose another file", file=path) from None
    dialect = ";" if text.partition("\n")[0].count(";") > text.partition("\n")[0].count(",") else ","
    try:
        lines = [(number, row) for number, row in enumerate(csv.reader(text.splitlines(), delimiter=dialect), 1) if row]
    except csv.Error as error:
        raise Refused("{file} is no CSV file ({reason})", "choose another file", file=path, reason=error) from None
    names: tuple[str, ...] = ()
    if lines and not any(map(_is_number, lines[0][1])):
        names, lines = tuple(cell.strip() for cell in lines[0][1]), lines[1:]
    if not lines:
        raise Refused("{file} holds no rows of numbers", "choose another file", file=path)
    width = len(names) or len(lines[0][1])
    names = names or (*(f"x{number}" for number in range(1, width)), "y")
    _check_names(path, names)
    return DataTable(names, np.array([_numbers(path, number, row, width) for number, row in lines]))


def _check_names(path: Path, names: tuple[str, ...]) -> None:
    seen = set[str]()
    for name in names:
        if name in seen:
            raise Refused("{file} has two columns {name}", "rename one of them", file=path, name=name)
        seen.add(name)


def _is_number(cell: str) -> bool:
    try:
        float(cell)
    except ValueError:
        return False
    return True


def _numbers(path: Path, number: int, row: list[str], width: int) -> list[float]:
    if len(row) != width:
        what = "{file}, line {line}: {count} cells, where the first row has {width}"
        raise Refused(what, "correct it", file=path, line=number, count=len(row), width=width)
    for cell in row:
        if not _is_number(cell):
            what = "{file}, line {line}: {cell!r} is not a number"
            raise Refused(what, "correct it", file=path, line=number, cell=cell[:40])
    return [float(cell) for cell in row]
