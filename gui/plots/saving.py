"""Saving a plot: as a picture, PNG or SVG, or its numbers as a table, CSV."""

from __future__ import annotations

import csv
import io
import os
from pathlib import Path
from typing import TYPE_CHECKING

from pyqtgraph.exporters import ImageExporter
from PySide6.QtCore import QBuffer, QByteArray, QIODevice, QPointF, QRectF
from PySide6.QtGui import QImageWriter, QPainter
from PySide6.QtSvg import QSvgGenerator

from cadena.core.graph.fault import Refused
from cadena.core.storage.files import reason
from cadena.core.storage.replacing import replace_file

if TYPE_CHECKING:
    from cadena.gui.plots.plot import Plot

SHARP = 2  # pixels of a picture for each on the screen


def save(plot: Plot, path: Path) -> None:
    """Write the plot as it is seen, or its numbers, to `path`.

    Raises Refused for another ending than .png, .svg or .csv, or a place that cannot be written; an old file of that
    name is then left as it was.
    """
    writer = WRITERS.get(path.suffix.lower())
    if writer is None:
        raise Refused(
            "{path}: the name of an exported plot ends in .png, .svg or .csv", "choose one of these", path=path
        )
    plot.point_at(None)  # the cross-hair is for the screen
    data = writer(plot)
    try:
        replace_file(Path(os.path.realpath(path)), data)
    except (OSError, ValueError) as error:
        raise Refused("{path}: the plot cannot be saved: {reason}", path=path, reason=reason(error)) from None


def _png(plot: Plot) -> bytes:
    exporter = ImageExporter(plot.plotItem)
    exporter.parameters()["width"] = SHARP * exporter.parameters()["width"]
    data = QByteArray()
    buffer = QBuffer(data)
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    QImageWriter(buffer, QByteArray(b"png")).write(exporter.export(toBytes=True))
    return bytes(data.data())


def _svg(plot: Plot) -> bytes:
    """By Qt's generator: pyqtgraph's SVGExporter cannot read the paths that Qt 6.11 writes."""
    visible = plot.plotItem.sceneBoundingRect()
    data = QByteArray()
    buffer = QBuffer(data)
    generator = QSvgGenerator(QSvgGenerator.SvgVersion.Svg11)  # Tiny 1.2 knows no clipping
    generator.setOutputDevice(buffer)
    generator.setResolution(96)  # a pixel of the plot is a pixel of a browser
    generator.setSize(visible.size().toSize())
    generator.setViewBox(QRectF(QPointF(0.0, 0.0), visible.size()))
    generator.setTitle(plot.accessibleName())
    painter, exporter = QPainter(generator), ImageExporter(plot.plotItem)
    exporter.setExportMode(True, {"painter": painter, "antialias": True, "resolutionScale": 1.0})  # marks as paths
    try:
        painter.fillRect(QRectF(QPointF(0.0, 0.0), visible.size()), plot.backgroundBrush())
        plot.scene().render(painter, QRectF(QPointF(0.0, 0.0), visible.size()), visible)
    finally:
        exporter.setExportMode(False)
        painter.end()
    return bytes(data.data())


def _csv(plot: Plot) -> bytes:
    """The table with all digits: pyqtgraph's exporter would write logarithms, and 1e-11 as 0."""
    text = io.StringIO(newline="")
    csv.writer(text).writerows(plot.table())
    return text.getvalue().encode()


WRITERS = {".png": _png, ".svg": _svg, ".csv": _csv}
