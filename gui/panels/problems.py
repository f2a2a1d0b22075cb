"""The list of what is wrong with the graph: an icon, a word and a sentence each; a click goes to the node."""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtWidgets import QFrame, QListWidget, QListWidgetItem, QVBoxLayout, QWidget

from core import Fault
from gui import theme as look
from gui.panels import icons
from gui.session import Session
from gui.theme import Theme

WORDS = {
    "cycle": "Cycle", "open-slot": "Open slot", "missing-input": "Missing operand",
    "too-many-inputs": "Too many operands", "unknown-operation": "Unknown operation", "attribute": "Setting",
    "shape": "Shapes do not fit", "no-value": "No value",
    "inf-value": "Infinite value", "nan-value": "Not a number", "inf-gradient": "Infinite gradient",
    "nan-gradient": "Gradient is not a number", "output": "Output",
}  # fmt: skip
MOST = 200  # faults listed; more say the same again


def word(fault: Fault) -> str:
    """What kind of fault it is, in a word or two."""
    return WORDS.get(fault.kind, fault.kind)


class Problems(QWidget):
    """Lists `session.faults`. `nodeActivated(name)` when a fault is chosen, which also selects its node."""

    nodeActivated = Signal(str)
    countChanged = Signal(int)

    def __init__(self, session: Session, theme: Theme) -> None:
        super().__init__()
        self.session = session
        self._faults: tuple[Fault, ...] | None = None
        self.list = QListWidget()
        self.list.setWordWrap(True)
        self.list.setFrameShape(QFrame.Shape.NoFrame)
        self.list.setResizeMode(QListWidget.ResizeMode.Adjust)
        self.list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.list.setAccessibleName("Problems")
        self.list.itemClicked.connect(self._activate)
        self.list.itemActivated.connect(self._activate)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.addWidget(self.list)
        session.runChanged.connect(self.follow)
        self.set_theme(theme)

    def set_theme(self, theme: Theme) -> None:
        self._theme, self._faults = theme, None
        side = round(16 * theme.type)
        self.list.setIconSize(QSize(side, side))
        self.list.setSpacing(round(2 * theme.type))
        self.list.setFont(look.font(theme))
        self.follow()

    @property
    def summary(self) -> str:
        """ "No problems", "1 problem", "2 problems"."""
        count = len(self.session.faults)
        return "No problems" if not count else f"{count} problem{'' if count == 1 else 's'}"

    def follow(self) -> None:
        """List the faults of the latest run."""
        faults = self.session.faults
        if faults == self._faults:
            return
        before, self._faults = self._faults, faults
        self.list.clear()
        for fault in faults[:MOST]:
            self._add(f"{word(fault)}: {fault.message}.", "fault", fault)
        if len(faults) > MOST:
            self._add(f"{len(faults) - MOST} more problems of these kinds.", "fault")
        if not faults:
            self._add("No problems.", "good")
        if before is None or len(before) != len(faults):
            self.countChanged.emit(len(faults))

    def _add(self, text: str, name: str, fault: Fault | None = None) -> None:
        item = QListWidgetItem(icons.icon(name, self._theme, "fault" if name == "fault" else "muted"), text)
        item.setData(Qt.ItemDataRole.UserRole, fault.node if fault else None)
        item.setFlags(Qt.ItemFlag.ItemIsEnabled | (Qt.ItemFlag.ItemIsSelectable if fault else Qt.ItemFlag.NoItemFlags))
        if fault:
            item.setToolTip(f"Go to {fault.node}")
        self.list.addItem(item)

    def _activate(self, item: QListWidgetItem) -> None:
        name = item.data(Qt.ItemDataRole.UserRole)
        if name in self.session.document.nodes:
            self.session.select([name])
            self.nodeActivated.emit(name)
