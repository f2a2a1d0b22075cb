"""The comparison of methods away from the interface."""

from __future__ import annotations

from typing import Any

from core import Document
from core.methods import compare
from gui.work import Work


class Comparing(Work):
    """One comparison for one leaf; `found` brings the core.methods.Comparison."""

    def __init__(self, document: Document, leaf: str, seed: Any = None) -> None:
        super().__init__(lambda cancelled: compare(document, wrt=[leaf], cancelled=cancelled, seed=seed))
