"""The inspector's page for one node: name, facts, value or settings, derivation, and its operation."""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt
from PySide6.QtWidgets import QCheckBox, QHBoxLayout, QPushButton, QWidget

from cadena.core.doctor.findings.reasons import Reasons
from cadena.core.functions.calls import operation
from cadena.core.graph.document import LEAVES, Node, Tensor
from cadena.core.graph.recorded import RECORDED
from cadena.core.methods.reverse.timeline import Frame
from cadena.core.notation import calls
from cadena.core.notation.in_script import line_text, shown_name
from cadena.gui.look import theme as look
from cadena.gui.look.text_cleaning import MAX_IN_NAME, PlainLabel, title
from cadena.gui.look.theme import Theme
from cadena.gui.look.wording import REMEDIES, worded
from cadena.gui.panels.inspector.accumulation_row import AccumulatedFact
from cadena.gui.panels.inspector.attribute_editor import AttributeEditor
from cadena.gui.panels.inspector.derivation_view import DerivationView
from cadena.gui.panels.inspector.expression_view import ExpressionView
from cadena.gui.panels.inspector.facts import Facts
from cadena.gui.panels.inspector.function_page import FunctionPage
from cadena.gui.panels.inspector.operation_help import OperationHelp
from cadena.gui.panels.inspector.paths_fact import PathsFact
from cadena.gui.panels.inspector.value_editor import ValueEditor
from cadena.gui.panels.parts import icons
from cadena.gui.panels.parts.common import Divider, Sentence, Themed, attempt, caption, column_in, leave_keys
from cadena.gui.panels.parts.fields import HeadingField
from cadena.gui.panels.parts.formula_view import FormulaView
from cadena.gui.session import graph_edits
from cadena.gui.session.session import Session
from cadena.gui.widgets.segments import Segments

MOST_NODES = 10_000  # of a graph in which reasons are looked for at once, which takes a fifth of a second


class NodePage(QWidget):
    """Shows and edits the node `name` of the session's document."""

    def __init__(self, session: Session, theme: Theme) -> None:
        super().__init__()
        self.session, self.name = session, ""
        self.field = HeadingField(theme, "Name")
        self.field.editingFinished.connect(self._rename)
        self.subtitle = caption("")  # what kind of node it is
        self.formula = FormulaView(theme, look.SENTENCE, look.NUMBER)
        self.line = PlainLabel(wordWrap=True)  # of the code that computed the node
        self.line.setProperty("label", True)
        self.refusal, self.fault = Sentence(theme, session.named), Sentence(theme, session.named)
        self.facts = Facts(theme)
        self.why = PlainLabel(named=session.named, wordWrap=True)
        self._reasons: Reasons | None = None  # of the run that they were looked for in
        self.paths = PathsFact(session)
        self.kind = _KindSwitch(session)
        self.wanted = QCheckBox("compute its gradient")
        self.wanted.setToolTip("Compute the gradient of this input too")
        self.wanted.clicked.connect(self._want)
        self.value = ValueEditor(session, theme)
        self.attributes = AttributeEditor(session, theme)
        self.derivation, self.help = DerivationView(theme), OperationHelp(theme)
        self.function, self.accumulated = FunctionPage(session, theme), AccumulatedFact(session, theme)
        self.expression = ExpressionView(theme)
        self.output = QPushButton("Make output")
        self.output.setToolTip("The node whose gradients are computed (O)")
        self.output.clicked.connect(self._make_output)
        leave_keys(self.output, self.wanted)
        self._lay_out(theme)
        self.set_theme(theme)

    def _lay_out(self, theme: Theme) -> None:
        self._dividers = [Divider(theme) for _ in range(3)]
        head = QHBoxLayout()
        head.addWidget(self.field, 1)
        head.addWidget(self.subtitle)
        below = QHBoxLayout()
        below.addWidget(self.formula, 1)
        below.addWidget(self.output, 0, Qt.AlignmentFlag.AlignRight)
        column = column_in(self)
        column.addLayout(head)
        column.addLayout(below)
        for widget in (
            self.line, self.refusal, self.fault, self.facts, self.why, self.paths, self.accumulated,
            self._dividers[0], self.kind, self.value, self.wanted, self.attributes, self.function,
            self._dividers[1], self.derivation, self.expression, self._dividers[2],
            self.help,
        ):  # fmt: skip
            column.addWidget(widget)
        column.addStretch(1)

    def set_theme(self, theme: Theme) -> None:
        self.field.set_theme(theme)
        self.output.setIcon(icons.icon("flag", theme))
        self.output.setIconSize(QSize(16, 16) * theme.type)
        parts: tuple[Themed, ...] = (
            self.refusal, self.fault, self.formula, self.facts, self.value, self.attributes, self.derivation,
            self.expression,
        )  # fmt: skip
        for part in (*parts, self.function, self.accumulated, self.help, *self._dividers):
            part.set_theme(theme)

    # --- following the session

    def show_node(self, name: str) -> None:
        """Show another node, or the same one after an edit."""
        node = self.session.document.nodes[name]
        if name != self.name:
            self.name = name
            self.refusal.say("")
        self.field.show_text(shown_name(self.session.document, name))
        primitive = None if node.is_leaf else operation(self.session.document, node.op)
        self.subtitle.setText(title(primitive.title if primitive else node.op, MAX_IN_NAME))
        self.formula.show_latex("" if node.is_leaf else calls.latex_call(self.session.document, name))
        line = line_text(self.session.document, name)
        self.line.setText(line[:1].upper() + line[1:])
        self.line.setVisible(bool(line))
        self._show_faults()
        self._show_leaf(self.session.learnt.nodes[name])
        self.facts.show_value(not (node.is_leaf and isinstance(node.value, Tensor)))
        self.attributes.show_node(node)
        self.function.show_node(name)
        self.accumulated.show_node(name)
        self.paths.show_node(name)
        is_call = node.op in self.session.document.functions  # of its own, or of a node that is off
        self.help.setVisible(not is_call)
        self._dividers[2].setVisible(not is_call)
        if not is_call:
            self.help.show_operation(node.op, str(node.extra.get(RECORDED, "")))
        is_output = name == self.session.document.output
        self.output.setText("output" if is_output else "Make output")
        self.output.setEnabled(not is_output)
        settings = (self.kind, self.value, self.wanted, self.attributes, self.function)
        self._dividers[0].setVisible(not all(part.isHidden() for part in settings))
        self.follow_frame(self.session.frame)

    def _show_faults(self) -> None:
        own = [worded(fault) for fault in self.session.faults if fault.node == self.name]
        self.fault.say(" ".join(f"{message}." for message in own), capital=False)

    def _show_leaf(self, node: Node) -> None:
        self.kind.setVisible(node.is_leaf)
        self.value.setVisible(node.is_leaf and not self.session.hidden.hides("values", node.name))
        self.wanted.setVisible(node.op == "input")
        if node.is_leaf:
            self.kind.show_node(node)
            self.value.show_node(node)
            self.wanted.setChecked(node.gradient)

    def follow_frame(self, frame: Frame) -> None:
        """Show the numbers known at this moment."""
        if self.name in frame.run.plan.index:
            hidden = self.session.hidden
            self.facts.follow(frame, self.name, hidden)
            sentences = [] if hidden or self.session.predicting.on else self._why(frame)
            self.why.setText("\n".join(sentences))
            self.why.setVisible(bool(sentences))
            self.expression.follow(frame, self.name)
            if frame.timeline.goes_back and not hidden.hides_numbers(self.name):
                self.derivation.follow(frame, self.name)
            else:
                self.derivation.hide()
            self.function.follow(frame)
            self._dividers[1].setVisible(not (self.derivation.isHidden() and self.expression.isHidden()))

    def _why(self, frame: Frame) -> list[str]:
        """Why the gradient of a leaf is None or 0, once the reverse pass is through."""
        run, timeline = frame.run, frame.timeline
        is_through = timeline.goes_back and frame.landed >= len(timeline)
        if not is_through or not self.session.document.nodes[self.name].is_leaf or run.program.output is None:
            return []
        if len(run.plan.names) > MOST_NODES:
            return []  # the walk would stop the window; cadena why has the time
        if self._reasons is None or self._reasons.run is not run:
            self._reasons = Reasons(run)
        return [f"{sentence[:1].upper()}{sentence[1:]}." for sentence in self._reasons.sentences(self.name, REMEDIES)]

    # --- editing

    def _rename(self) -> None:
        old, new = self.name, self.field.text().strip()
        if not self.field.typed or old not in self.session.document.nodes:
            return
        refused = attempt(self.session, graph_edits.rename(old, new))
        self.refusal.say(f"{refused}." if refused else "")
        if not refused:
            self.field.accept()
            self.session.select([new])

    def _want(self, wanted: bool) -> None:
        self.session.edit(*graph_edits.want_gradient(self.name, wanted))

    def _make_output(self) -> None:
        self.session.edit(*graph_edits.choose_output(self.name))


KINDS = {
    "parameter": "A number to be found: its gradient is computed",
    "input": "Data: its gradient is computed on request",
    "constant": "A fixed number without a gradient",
}


class _KindSwitch(Segments):
    """Three buttons of which one is down: parameter, input, constant."""

    def __init__(self, session: Session) -> None:
        self.session, self._name = session, ""
        self.buttons = {kind: QPushButton(kind.capitalize()) for kind in LEAVES}
        super().__init__(*self.buttons.values())
        for kind, button in self.buttons.items():
            button.setToolTip(KINDS[kind])
            button.clicked.connect(lambda _=False, kind=kind: self._choose(kind))

    def show_node(self, node: Node) -> None:
        self._name = node.name
        self.choose(self.buttons[node.op])

    def _choose(self, kind: str) -> None:
        if self.session.document.nodes[self._name].op != kind:
            self.session.edit(*graph_edits.change_operation(self._name, kind))
