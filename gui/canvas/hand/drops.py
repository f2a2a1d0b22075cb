"""Drops on the canvas: an operation of the palette, or a graph file."""

from __future__ import annotations

from PySide6.QtCore import QMimeData

OPERATION_TYPE = "application/x-cadena-operation"
FILE_ENDING = ".cadena"


def operation_of(data: QMimeData) -> str | None:
    """The operation that is dragged from the palette."""
    return bytes(data.data(OPERATION_TYPE).data()).decode() if data.hasFormat(OPERATION_TYPE) else None


def file_of(data: QMimeData) -> str | None:
    """The path of the first graph file that is dragged."""
    paths = (url.toLocalFile() for url in data.urls() if url.isLocalFile())
    return next((path for path in paths if path.endswith(FILE_ENDING)), None)
