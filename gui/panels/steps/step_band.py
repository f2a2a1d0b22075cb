"""The band under the canvas: a sentence and a formula for the present step, or for the graph that is being built."""

from __future__ import annotations

from dataclasses import dataclass, replace

from PySide6.QtCore import QRectF, QSize, Qt, Signal
from PySide6.QtGui import QFontMetrics, QMouseEvent, QPainter
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QSizePolicy, QStackedLayout, QVBoxLayout, QWidget

from cadena.core.graph.fault import Fault
from cadena.core.methods.names import METHODS
from cadena.core.methods.reverse import derivation, step_text
from cadena.core.methods.reverse.step_parts import step_parts
from cadena.core.methods.reverse.timeline import ARRIVAL, Frame, Paint, Timeline
from cadena.core.notation import calls
from cadena.core.notation.parts import QUAD, FormulaPart, parts_of
from cadena.core.teaching.withheld import in_symbols
from cadena.core.text import numbers
from cadena.gui.background.throttle import Throttle
from cadena.gui.formulas import pictures
from cadena.gui.formulas.typesetter import are_set, set_quickly, typesetter
from cadena.gui.look import theme as look
from cadena.gui.look.text_cleaning import PlainLabel, tip
from cadena.gui.look.theme import Theme
from cadena.gui.look.wording import REMEDIES, worded
from cadena.gui.panels.methods.lanes import LanesView
from cadena.gui.panels.methods.method_settings import MethodSettings
from cadena.gui.panels.parts import icons
from cadena.gui.panels.parts.common import leave_keys
from cadena.gui.panels.parts.formula_view import FormulaView, pieces
from cadena.gui.panels.parts.labels import ElidedLabel, SentenceLabel
from cadena.gui.panels.problems.problems import word
from cadena.gui.panels.steps import current_step
from cadena.gui.session.session import Session

MARGINS, LOW_MARGINS = (24, 12, 24, 10), (24, 6, 24, 4)  # of the band, in pixels; in a low window
FORMULA_HEIGHT, LOW_HEIGHT = 116.0, 100.0  # pixels at `type` 1: a fraction with words under it; in a low window
LOW_WINDOW = 850  # pixels of its height, up to which a window is low
USUAL_TYPE = look.SENTENCE, look.FORMULA  # pixels at `type` 1: the sentence and its formula at the largest
FRACTION = 2.4  # em: the height of a fraction
ROW, ROW_TYPE = 1.3, 18.0  # times its type: the height of a row of a matrix; its least type
BELOW_FORMULA = 0.9  # of its type, at most: that of the sentence above it
LANES_SHARE, BRIEF_LANES_SHARE = 0.58, 0.42  # of the width, at most; the second one in half a window
TITLE_ROOM = 280.0  # pixels at `type` 1: settings that would leave a title less have a row of their own
SPACING = 4
LEAST_FORMULA = 40.0  # pixels at `type` 1: the height below which settings in a row of their own are left out
LEAST_WIDTH = 360.0  # pixels at `type` 1: of the formula, before the lanes beside it
SMALLEST_PATTERN = 0.8  # of its type, to which a long line is set smaller
HOW_TO_PLAY = "Space plays."
SWEEPING = "Space stops; then each step can be read."
OTHER_LOSS = "The cards show {output} and its gradients for the graph's own inputs; the steps follow those of the loss."


@dataclass(frozen=True)
class BandText:
    """The content of the band: a title, a formula in parts or else a text, and the same as a plain sentence."""

    title: str
    parts: tuple[FormulaPart, ...] = ()
    text: str = ""
    spoken: str = ""
    fault: bool = False
    about: Fault | None = None  # which the list of problems has, too


class StepBand(QWidget):
    """The band follows the session, redone only when another step is shown. Its height never changes.

    `panelAsked(name)` when the arrays of the step are to be shown, or no longer.
    """

    panelAsked = Signal(str)
    problemAsked = Signal(object)  # the Fault whose sentence was clicked

    def __init__(self, session: Session, theme: Theme) -> None:
        super().__init__()
        self.session, self._theme = session, theme
        self._key: tuple[object, ...] | None = None
        self._fixed_height: float | None = None  # None: as the theme has it
        self._largest = USUAL_TYPE
        self._brief = self._has_settings = False
        self._about: Fault | None = None  # the fault that the sentence is about
        self._rows = 1  # of a matrix that can be read in the band
        self._prepared: tuple[Timeline, int] | None = None
        self._icon = _FaultIcon(theme)
        self.lanes, self.settings = LanesView(theme), MethodSettings(session)
        self.title = SentenceLabel(theme)
        self.pattern = ElidedLabel()
        self.elements = QPushButton("Matrices")
        self.elements.setToolTip("The arrays of this step, element by element")
        for button in (self.elements, self.settings.sum):
            button.setProperty("low", True)
        self.elements.clicked.connect(lambda: self.panelAsked.emit("matrices"))
        leave_keys(self.elements)
        self.formula = FormulaView(theme, look.FORMULA, look.SENTENCE, fixed=FORMULA_HEIGHT)
        self.text = PlainLabel(wordWrap=True, alignment=Qt.AlignmentFlag.AlignTop)
        self.text.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Ignored)  # its hint keeps old heights
        self._lay_out()
        session.methodChanged.connect(self._follow_anew)
        session.hiddenChanged.connect(self._follow_anew)
        session.selectionChanged.connect(self._follow)
        session.askingChanged.connect(self._follow_anew)
        session.timeChanged.connect(self._follow_time)
        session.playbackChanged.connect(self._follow)
        self._ahead, self._formulas = Throttle(self, self._prepare_next), Throttle(self, self._follow)
        self._edits = Throttle(self, self._follow_anew)
        for signal in (session.runChanged, session.documentChanged):
            signal.connect(self._edits.request)
        session.learningChanged.connect(self._follow_training)
        typesetter.formulas_set.connect(self._fit_sentence)
        self.set_theme(theme)

    def _lay_out(self) -> None:
        self._head, self._row = QHBoxLayout(), QHBoxLayout()
        self._head.setSpacing(6)
        self._head.addWidget(self._icon, 0, Qt.AlignmentFlag.AlignVCenter)
        self._head.addWidget(self.title, 1)
        self._head.addWidget(self.elements, 0, Qt.AlignmentFlag.AlignTop)
        self._head.addWidget(self.settings, 0, Qt.AlignmentFlag.AlignTop)
        self._body = QStackedLayout()
        self._column = column = QVBoxLayout(self)
        column.setSpacing(SPACING)
        column.addLayout(self._head)
        column.addWidget(self.pattern)
        column.addLayout(self._row)
        below = QHBoxLayout()
        below.setSpacing(2 * look.GAP)
        below.addLayout(self._body, 1)
        below.addWidget(self.lanes)
        column.addLayout(below)
        for widget in (self.formula, self.text):  # now that it stands in a widget: else it would show a window
            self._body.addWidget(widget)

    def set_theme(self, theme: Theme) -> None:
        self._asked = theme
        self._show_in(self._fitting())

    def _fitting(self) -> Theme:
        """The theme that was asked for, in type that the window has room for, unless a type was asked for, too."""
        is_free = self.window() is self or self._largest != USUAL_TYPE
        return self._asked if is_free else look.in_room(self._asked, self.window().height())

    def _show_in(self, theme: Theme) -> None:
        self._theme, self._key = theme, None
        self.title.set_theme(theme)
        for button in (self.elements, self.settings.sum):  # no higher than the title beside them
            button.setMaximumHeight(self.title.height())
        self.pattern.setFont(look.font(theme))
        self.pattern.setFixedHeight(self.pattern.fontMetrics().height())
        self.text.setFont(look.font(theme, look.READING))
        self._icon.set_theme(theme)
        self.lanes.set_theme(theme)
        self.formula.set_theme(theme)
        self._place_settings()
        self._follow()

    @property
    def body_height(self) -> int:
        """The height of the formula, or the text in its place."""
        return self.formula.height()

    def set_brief(self, brief: bool) -> None:
        """Leave out the settings of the method, where there is room for the formula alone."""
        if brief != self._brief:
            self._brief = brief
            self._place_settings()
            self._follow_anew()

    def set_largest(self, sentence: float = USUAL_TYPE[0], formula: float = USUAL_TYPE[1]) -> None:
        """Set sentence and formula in this type, in pixels at `type` 1, where the room that they have allows it."""
        if (sentence, formula) != self._largest:
            self._largest = sentence, formula
            self._show_in(self._fitting())

    @property
    def formula_height(self) -> float | None:
        """The room that formula and settings have; None for the usual one."""
        return self._fixed_height

    def set_formula_height(self, pixels: float | None) -> None:
        """Give the formula, or the text in its place, so much room; None for the usual one."""
        if pixels != self._fixed_height:
            self._fixed_height = pixels
            self._place_settings()

    def fit_type(self) -> float:
        """Follow the height of the window; how much larger than usual the type is then."""
        if (theme := self._fitting()) != self._theme:
            self._show_in(theme)
        return self._theme.type

    def resizeEvent(self, event) -> None:
        self._place_settings()

    @property
    def _fault_parts(self) -> tuple[QWidget, ...]:
        """What says what is wrong, where something is."""
        return self._icon, self.title, self.text

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """Lead from the sentence about a fault to its fixes."""
        at = event.position().toPoint()
        is_on = any(part.isVisible() and part.geometry().contains(at) for part in self._fault_parts)
        if self._about is not None and is_on and event.button() is Qt.MouseButton.LeftButton:
            self.problemAsked.emit(self._about)

    def _place_settings(self) -> None:
        """Put the settings beside the title, or in a row of their own where the formula leaves room for one."""
        self._column.setContentsMargins(*self._margins)
        fixed, needed, type_ = self._fixed_height, self.settings.sizeHint(), self._theme.type
        height = round(self.usual_height * type_ if fixed is None else fixed)
        self.pattern.setVisible(self.session.name_patterns)
        height -= self.pattern.height() + SPACING if self.session.name_patterns else 0
        in_title_row = self.width() - needed.width() >= TITLE_ROOM * type_
        below = height - needed.height() - SPACING
        shown = self._has_settings and not self._brief and (in_title_row or below >= LEAST_FORMULA * type_)
        self.settings.setVisible(shown)
        row, other = (self._head, self._row) if in_title_row else (self._row, self._head)
        if row.indexOf(self.settings) < 0:
            other.removeWidget(self.settings)
            row.addWidget(self.settings, 0, Qt.AlignmentFlag.AlignTop | Qt.AlignmentFlag.AlignRight)
        height = below if shown and not in_title_row else height
        share = self.width() * (BRIEF_LANES_SHARE if self._brief else LANES_SHARE)
        self.lanes.setMaximumWidth(max(0, round(min(share, self.width() - LEAST_WIDTH * type_))))
        for widget in (self.formula, self.text, self.lanes):
            widget.setFixedHeight(max(height, 0))
        free = height / type_ - self.formula.caption_height
        self.formula.limit(min(self._largest[1], max(free / FRACTION, look.READING)))
        self._fit_sentence()
        rows = max(1, int(free / (ROW * ROW_TYPE)))
        if rows != self._rows:
            self._rows, self._key = rows, None
            self._follow()

    @property
    def usual_height(self) -> float:
        """The height of the formula in pixels at `type` 1, where nothing else is asked for."""
        return LOW_HEIGHT if self._is_low else FORMULA_HEIGHT

    @property
    def _margins(self) -> tuple[int, ...]:
        if self._largest == USUAL_TYPE:
            return LOW_MARGINS if self._is_low else MARGINS
        share = self._theme.type / look.PROJECTOR.type
        return tuple(round(share * edge) for edge in LOW_MARGINS)

    @property
    def _is_low(self) -> bool:
        return self.window() is not self and self.window().height() < LOW_WINDOW

    # --- following the session

    def _follow_anew(self) -> None:
        self._key = None
        if self.isVisible():
            self._has_settings = self.settings.follow()
            self._place_settings()
        self._follow()

    def showEvent(self, event) -> None:
        self._follow_anew()  # its text is there with the first frame; its formula follows when it has been set

    def _follow_time(self) -> None:
        """Follow with each frame, but for a formula that takes longer than that to be set."""
        self._follow(hurries=True)

    def _follow_training(self) -> None:
        """Count its steps along with the cards; all else follows when it begins and when it ends."""
        if not self.session.learns:
            self._follow_anew()
        elif self.isVisible():
            self.title.show_marked(current_step.training_title(self.session))
            self.title.show_in("text")

    def _key_of(self, frame: Frame) -> tuple[object, ...]:
        """Equal for moments of which the band says the same; those of one step, or of one selection, begin alike."""
        if self.session.playback.sweeps:
            return ("sweep",)
        if self.session.live or frame.step is None:
            return "live", self.session.selection
        return "step", frame.index, frame.number, frame.landed

    def _follow(self, hurries: bool = False) -> None:
        if not self.isVisible():
            return
        frame = self.session.frame
        key = self._key_of(frame)
        if self.pattern.isHidden() is self.session.name_patterns:
            self._key = None
            self._place_settings()
        self.lanes.show_lanes(frame.lanes)
        if key != self._key:
            self._key, shown = key, self._shown(frame)
            if hurries and not (set_quickly if frame.settled else are_set)(pieces(shown.parts)):
                self._key, shown = None, replace(shown, parts=())
                self._formulas.request()
            self._show(shown)
            self.elements.setVisible(self._has_arrays(frame))
            self._show_pattern(self._pattern(frame))
        self.formula.show_until(1.0 if self.session.live else frame.progress)
        if not self.session.playback.playing or frame.progress >= ARRIVAL:
            self._ahead.request()

    def _pattern(self, frame: Frame) -> str:
        """What has happened at the gate of the step, in teachers' words."""
        if not self.session.name_patterns or self.session.live or frame.step is None:
            return ""
        from cadena.core.teaching.patterns import pattern_line  # not before one is wanted

        return pattern_line(frame.timeline, frame.step.index) if frame.landed > frame.step.index else ""

    def _show_pattern(self, line: str) -> None:
        """Show a line, in smaller type where it is long."""
        needed = QFontMetrics(look.font(self._theme)).horizontalAdvance(line)
        share = min(1.0, max(self.pattern.width() / max(needed, 1), SMALLEST_PATTERN))
        self.pattern.setFont(look.font(self._theme, look.LABEL * share))
        self.pattern.setText(line)

    def _has_arrays(self, frame: Frame) -> bool:
        """Whether the step, or in build mode the selected node, has more than numbers in it."""
        nodes, plan, step = self.session.document.nodes, frame.run.plan, frame.step
        if plan.is_of_numbers or not frame.timeline.goes_back:  # the titles of other methods need the room
            return False
        names = self.session.selection if self.session.live else (step.node,) if step else ()
        around = [name for node in names if node in nodes for name in (node, *nodes[node].inputs) if name in plan.index]
        return any(plan.shapes[plan.index[name]] for name in around)

    def _show(self, shown: BandText) -> None:
        self._about = shown.about
        for part in self._fault_parts:
            part.setCursor(Qt.CursorShape.PointingHandCursor if shown.about else Qt.CursorShape.ArrowCursor)
        self._icon.setVisible(shown.fault)
        self.title.show_marked(shown.title)
        self.title.show_in("fault" if shown.fault else "text")
        self.formula.show_parts(shown.parts, shown.spoken)
        self._fit_sentence()
        self.formula.setToolTip(tip(shown.spoken))
        self.text.setText(shown.text)
        self._body.setCurrentWidget(self.formula if shown.parts else self.text)

    def _fit_sentence(self) -> None:
        """Keep the sentence smaller than its formula."""
        largest, of_formula = self._largest
        size = self.formula.type_size if self.formula.parts else of_formula
        self.title.limit(min(largest, BELOW_FORMULA * size))

    def _prepare_next(self) -> None:
        """Set the next step's formula while nothing moves, so that it is ready."""
        frame = self.session.frame
        if self.session.live or frame.step is None or frame.index + 1 == len(frame.whole):
            return
        coming = frame.whole, frame.index + 1
        if coming != self._prepared:
            self._prepared = coming
            typesetter.ask(part.latex for part in step_parts(*coming, self._paint))

    # --- content

    @property
    def _paint(self) -> Paint:
        return pictures.colored(self._theme, self._rows)

    def _shown(self, frame: Frame) -> BandText:
        session = self.session
        if not session.document.nodes:
            return BandText("")
        if session.learns:
            return self._shown_training()
        if session.live and session.learning_stopped:
            title, _, why = session.learning_stopped.partition(": ")
            return BandText(f"{title.rstrip('.')}.", text=why, fault=True)
        if session.playback.sweeps:  # no step is long enough on the screen to be read
            return BandText("The reverse pass: gradients go back from the output.", text=SWEEPING)
        if session.working:
            what = METHODS[session.method.name].result
            text = (
                f"{what.capitalize()} are being computed; the values are shown meanwhile. To stop this, choose another "
                "method."
            )
            return BandText(f"Computing {what} …", text=text)
        if session.method_fault:
            sentence = session.method_fault
            title = f"{METHODS[session.method.name].title} cannot be used here"
            return BandText(title, text=f"{sentence}.", fault=True)
        if not session.live and frame.step is not None:
            return self._shown_step(frame)
        return self._shown_live(frame)

    def _shown_training(self) -> BandText:
        """The rule by which the parameters change; its numbers would not stay long enough to be set."""
        title, trainer = current_step.training_title(self.session), self.session.learning.trainer
        if trainer is None or not trainer.is_shown:
            output = str(self.session.document.output)
            return BandText(title, text=self.session.named(OTHER_LOSS.format(output=output)))
        from cadena.core.training.optimisers import OPTIMISERS  # not before something is trained

        rate = numbers.latex_number(trainer.settings.rate)
        output = calls.shown_latex(self.session.document, str(trainer.original.output))
        slope = rf"\frac{{\partial {output}}}{{\partial w}}"
        rules = (f"g = {self._paint('gradient', slope)}", *OPTIMISERS[trainer.settings.optimiser].rules)
        parts = (FormulaPart(rule.replace("@", rate), QUAD if number else "") for number, rule in enumerate(rules))
        return BandText(title, tuple(parts), spoken="Each step changes every parameter w against its gradient g.")

    def _shown_step(self, frame: Frame) -> BandText:
        assert frame.step is not None
        title, spoken = current_step.step_texts(self.session, frame, frame.step)
        if not frame.number and not self.session.has_played:
            title = f"{title} {HOW_TO_PLAY}"
        around = current_step.around(self.session, frame.step)
        paint = self.session.hidden.painting(self._paint, *around)
        parts = step_parts(frame.whole, frame.index, paint)
        return BandText(title, in_symbols(parts) if self.session.asking.hides_factors else parts, spoken=spoken)

    def _shown_live(self, frame: Frame) -> BandText:
        """The first fault, or none, with the definition and the gradient of the chosen node or output."""
        document, faults = self.session.document, self.session.faults
        chosen = self.session.selection & document.nodes.keys()  # what is chosen may just have gone
        name = next(iter(chosen)) if len(chosen) == 1 else None
        if faults:
            return self._shown_fault(frame, faults, name)
        name = name or document.output
        parts = self._node_parts(frame, name) if name is not None and name in document.nodes else ()
        text = "" if document.output else "Choose an output to see gradients."
        return BandText(current_step.live_title(self.session), parts, text)

    def _shown_fault(self, frame: Frame, faults: tuple[Fault, ...], chosen: str | None) -> BandText:
        """The fault of the chosen node, else the first; a chosen node without a fault shows its formula beneath."""
        fault = next((item for item in faults if item.node == chosen), faults[0])
        count = len(self.session.causes)
        many = f" ({count} problems)" if count > 1 else ""
        named = self.session.named
        title, sentence = named(f"{word(fault)} at {fault.node}{many}"), named(f"{worded(fault)}.")
        if chosen is None or fault.node == chosen or frame.value(chosen) is None:
            return BandText(title, text=sentence, fault=True, about=fault)
        sentence = f"{title}: {named(fault.after_node(REMEDIES))}."
        return BandText(sentence, self._node_parts(frame, chosen), fault=True, about=fault)

    def _node_parts(self, frame: Frame, name: str) -> tuple[FormulaPart, ...]:
        hidden, inputs = self.session.hidden, self.session.document.nodes[name].inputs
        around = (name, *(str(source) for source in inputs))
        if hidden.hides_numbers(*around):
            return parts_of(calls.latex_definition(frame.run, name))
        return node_parts(frame, name, self._paint)


def node_parts(frame: Frame, name: str, paint: Paint) -> tuple[FormulaPart, ...]:
    """The definition of a node with its numbers, and how the output depends on it."""
    run = frame.run
    value = run.value(name)
    if value is None:
        return parts_of(calls.latex_definition(run, name))
    if run.program.document.nodes[name].is_leaf:
        definition = f"{calls.shown_latex(run, name)} = {paint('value', numbers.latex_number(value))}"
    else:
        definition = step_text.value_latex(run, name, paint)
    dependence = derivation.result_latex(run, name, paint) if name != run.program.output else ""
    second = parts_of(dependence) if dependence else ()
    return (*parts_of(definition), *(FormulaPart(part.latex, part.mark or QUAD) for part in second))


class _FaultIcon(QWidget):
    """The fault icon before the title."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self.set_theme(theme)

    def set_theme(self, theme: Theme) -> None:
        self._theme = theme
        self.setFixedSize(QSize(round(20 * theme.type), round(20 * theme.type)))

    def paintEvent(self, event) -> None:
        icons.draw(QPainter(self), "fault", QRectF(self.rect()), self._theme.color("fault"))
