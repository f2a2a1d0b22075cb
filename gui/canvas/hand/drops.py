"""Drops on the canvas: an operation of the palette, or a graph file."""

from __future__ import annotations

from PySide6.QtCore import QMimeData

OPERATION_TYPE = "application/x-cadena-operation"
FILE_ENDING = ".cadena"


def operation_of(data: QMimeData) -> str | None:
    """The operation that is dragged from the palette."""
    return bytes(data.data(OPERATION_TYPE).data()).decode() if data.hasFormat(OPERATION_TYPE) else None


def files_of(data: QMimeData) -> list[str]:
    """The paths of the graph files that are dragged."""
    paths = (url.toLocalFile() for url in data.urls() if url.isLocalFile())
    return [path for path in paths if path.endswith(FILE_ENDING)]
