"""The look of Qt's own widgets: a palette and a style sheet from a Theme; apply it again to change the theme."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from importlib.resources import files
from string import Template

from PySide6.QtCore import Qt
from PySide6.QtGui import QFontDatabase, QFontInfo, QGuiApplication, QPalette
from PySide6.QtWidgets import QApplication, QWidget

from cadena.gui.look import theme as look
from cadena.gui.look.theme import DARK, LIGHT, THEMES, Theme

Role = QPalette.ColorRole
PALETTE = {
    Role.Window: "window", Role.WindowText: "text", Role.Base: "field", Role.AlternateBase: "canvas", Role.Text: "text",
    Role.Button: "field", Role.ButtonText: "text", Role.BrightText: "fault", Role.ToolTipBase: "card",
    Role.ToolTipText: "text", Role.Highlight: "value", Role.HighlightedText: "on_strong", Role.PlaceholderText: "muted",
    Role.Link: "value", Role.LinkVisited: "value", Role.Accent: "value", Role.Mid: "border", Role.Dark: "border",
    Role.Light: "card", Role.Midlight: "field", Role.Shadow: "border",
}  # fmt: skip

USUAL_FONT = 16  # pixels of a desktop's font, up to which our own type is as large as the theme has it

# Properties of widgets choose a variant, for example widget.setProperty("heading", True): `quiet` has no ground until
# the mouse is there, `primary` is the one main thing, `label` a caption, `segment` a part of a switch, `low` stands in
# a row of text, `fault` is wrong.
SHEET = Template("""
* { outline: none; }
QMainWindow::separator { background: $border; width: ${line}px; height: ${line}px; }
QToolTip { background: $card; color: $text; border: ${line}px solid $border; padding: 6px; }

QLabel { background: transparent; }
QLabel[label="true"] { color: $muted; font-size: ${caption}px; }
QLabel[heading="true"] { font-weight: bold; }
QLabel[fault="true"] { color: $fault; }

QLineEdit, QPlainTextEdit, QTextEdit, QComboBox, QSpinBox, QPushButton, QToolButton {
  background: $field; color: $text; border: ${line}px solid $hairline; border-radius: ${corner}px;
  padding: ${pad}px ${wide}px;
  selection-background-color: $value; selection-color: $on_strong; placeholder-text-color: $muted; }
QLineEdit:focus, QPlainTextEdit:focus, QTextEdit:focus, QComboBox:focus, QSpinBox:focus, QPushButton:focus,
QToolButton:focus { border: ${thick}px solid $value; padding: ${tight}px ${narrow}px; }
QToolButton { padding: ${pad}px; }
QToolButton:focus { padding: ${tight}px; }
QPlainTextEdit[code="true"], QPlainTextEdit[code="true"]:focus { background: $window; border-radius: 0; padding: 0;
  border: ${thick}px solid transparent; }
QPlainTextEdit[code="true"]:focus { border-color: $value; }
QTextEdit[plain="true"], QTextEdit[plain="true"]:focus { background: transparent; border: none; border-radius: 0;
  padding: 0; }
QListWidget[plain="true"], QListWidget[plain="true"]:focus { background: transparent; border: none; padding: 0; }
QFrame[choice="true"] { background: $card; border: ${line}px solid $hairline; border-radius: 6px; }
QFrame[choice="true"]:hover, QFrame[choice="true"]:focus { border-color: $text; }
QFrame[choice="true"][chosen="true"] { background: $gradient_ground; border-color: $gradient; }
QLineEdit:read-only { background: transparent; }
QLineEdit[quiet="true"] { background: transparent; border-color: transparent; padding-left: 1px; padding-right: 1px; }
QLineEdit[quiet="true"]:hover { border-color: $hairline; }
QLineEdit[quiet="true"]:focus { background: $field; border-color: $value; }
QLineEdit[quiet="true"][label="true"] { color: $muted; font-size: ${caption}px; padding: 1px; }
QLineEdit[fault="true"], QLineEdit[fault="true"]:focus, QComboBox[fault="true"], QComboBox[fault="true"]:focus {
  border-color: $fault; }

QPushButton:hover, QToolButton:hover { border-color: $value; }
QPushButton:pressed, QToolButton:pressed { background: $value_ground; }
QPushButton:checked, QToolButton:checked, QPushButton[primary="true"], QToolButton[primary="true"] {
  background: $value; color: $on_strong; border-color: $value; font-weight: bold; }
QPushButton:checked:focus, QToolButton:checked:focus, QPushButton[primary="true"]:focus,
QToolButton[primary="true"]:focus { border-color: $text; }
QPushButton:disabled, QToolButton:disabled, QComboBox:disabled, QLineEdit:disabled, QSpinBox:disabled,
QToolButton[primary="true"]:disabled {
  background: $field; color: $muted; border-color: $hairline; border-style: dashed; }
QPushButton[segment="true"], QPushButton[segment="true"]:focus { padding-left: 1px; padding-right: 1px; }
QPushButton[low="true"], QPushButton[low="true"]:focus { padding-top: 0; padding-bottom: 0; }
QPushButton[segment="true"]:checked { font-weight: normal; }
QToolButton[quiet="true"] { background: transparent; border-color: transparent; }
QToolButton[quiet="true"]:hover { background: $field; }
QToolButton[quiet="true"]:focus { border-color: $value; }
QToolButton::menu-indicator { image: none; }

QComboBox QLineEdit, QComboBox QLineEdit:focus { background: transparent; border: none; padding: 0; }
QComboBox::drop-down { border: none; width: ${arrow}px; }
QComboBox::down-arrow { image: url($icons/chevron-$name.svg); width: ${mark}px; height: ${mark}px; }
QComboBox { combobox-popup: 0; }
QComboBox QAbstractItemView::item { padding: ${few}px; }
QSpinBox { qproperty-alignment: AlignCenter; }
QSpinBox::up-button, QSpinBox::down-button { border: none; width: ${arrow}px; }
QSpinBox::up-arrow { image: url($icons/chevron-up-$name.svg); width: ${mark}px; height: ${mark}px; }
QSpinBox::down-arrow { image: url($icons/chevron-$name.svg); width: ${mark}px; height: ${mark}px; }
QSpinBox::up-arrow:off, QSpinBox::up-arrow:disabled, QSpinBox::down-arrow:off, QSpinBox::down-arrow:disabled {
  image: none; }
QLabel[remark="true"] { background: $field; color: $text; border: ${line}px solid $border; }
QComboBox QAbstractItemView, QMenu { background: $card; color: $text; border: ${line}px solid $border; padding: 4px;
  selection-background-color: $value; selection-color: $on_strong; }
QMenu::item { padding: ${pad}px 24px; border-radius: 4px; }
QMenu::item:selected { background: $value; color: $on_strong; }
QMenu::item:disabled { color: $muted; }
QMenu::separator { height: ${line}px; background: $hairline; margin: 4px 8px; }
QMenuBar { background: $window; color: $text; padding: 2px; }
QMenuBar::item { background: transparent; padding: 4px ${wide}px; border-radius: 4px; }
QMenuBar::item:selected, QMenuBar::item:pressed { background: $value; color: $on_strong; }

QCheckBox { spacing: 8px; color: $text; background: transparent; padding: 2px; border: ${line}px solid transparent; }
QCheckBox:focus { border: ${line}px solid $value; border-radius: 4px; }
QCheckBox::indicator { width: ${mark}px; height: ${mark}px; border: ${line}px solid $border; border-radius: 3px;
  background: $card; }
QCheckBox::indicator:checked { background: $value; border-color: $value; image: url($icons/check-$name.svg); }

QScrollArea, QScrollArea > QWidget > QWidget { background: transparent; border: none; }
QScrollBar:vertical { background: transparent; width: ${bar}px; margin: 0; }
QScrollBar:horizontal { background: transparent; height: ${bar}px; margin: 0; }
QScrollBar::handle { background: $border; border-radius: ${round}px; margin: 2px; }
QScrollBar::handle:vertical { min-height: 28px; }
QScrollBar::handle:horizontal { min-width: 28px; }
QScrollBar::handle:hover { background: $value; }
QScrollBar::handle:disabled { background: transparent; }
QScrollBar::add-line, QScrollBar::sub-line { width: 0; height: 0; }
QScrollBar::add-page, QScrollBar::sub-page { background: transparent; }

QAbstractItemView { background: $card; color: $text; alternate-background-color: $canvas;
  border: ${line}px solid $hairline; border-radius: ${corner}px; gridline-color: $hairline;
  selection-background-color: $value; selection-color: $on_strong; }
QAbstractItemView:focus { border: ${line}px solid $value; }
QTableView QLineEdit { border-radius: 0; padding: 0 2px; }
QHeaderView, QHeaderView:focus { background: transparent; border: none; border-radius: 0; }
QHeaderView::section, QTableCornerButton::section { background: $field; color: $muted; border: none; padding: 2px 6px;
  font-size: ${caption}px; }

QTabBar::tab { background: $field; color: $muted; border: ${line}px solid $hairline; border-bottom: none;
  margin-right: 2px; padding: ${tight}px ${narrow}px; border-top-left-radius: ${corner}px;
  border-top-right-radius: ${corner}px; }
QTabBar::tab:hover { color: $text; border-color: $value; }
QTabBar::tab:selected { background: $value_ground; color: $text; border-color: $border;
  border-top: ${thick}px solid $value; }
QTabBar::scroller { width: ${arrow}px; }
QTabBar QToolButton { padding: 0 3px; }

QSlider { min-height: ${slot}px; }
QSlider::groove:horizontal { height: 4px; border-radius: 2px; background: $hairline; }
QSlider::sub-page:horizontal { height: 4px; border-radius: 2px; background: $value; }
QSlider::handle:horizontal { width: ${knob}px; margin: -${lift}px 0; border-radius: ${half}px; background: $card;
  border: ${thick}px solid $value; }
QSlider::handle:horizontal:focus, QSlider::handle:horizontal:hover { background: $value; }

QDockWidget::title { background: $window; padding: ${pad}px ${wide}px; }
QStatusBar { background: $window; color: $text; border-top: ${line}px solid $hairline; }
QStatusBar::item { border: none; }
QSplitter::handle { background: $hairline; }
""")


def chosen_theme(name: str, type_: float = 1.0) -> Theme:
    """The theme for one of settings.THEME_CHOICES, of which "system" is the desktop's; `type_` scales its type."""
    return _in_type(THEMES.get(name) or (DARK if desktop_is_dark() else LIGHT), type_)


@cache
def _in_type(theme: Theme, type_: float) -> Theme:
    return theme if type_ == 1.0 else replace(theme, type=theme.type * type_)


def usual_type() -> float:
    """The scale of type that the system's font asks for; a usual font asks for none."""
    pixels = QFontInfo(QFontDatabase.systemFont(QFontDatabase.SystemFont.GeneralFont)).pixelSize()
    return 1.0 if pixels <= USUAL_FONT else round(pixels / USUAL_FONT, 2)


def desktop_is_dark() -> bool:
    return QGuiApplication.styleHints().colorScheme() == Qt.ColorScheme.Dark


def apply(target: QApplication | QWidget, theme: Theme) -> None:
    """Give `target` and all its parts the colours, the type and the shapes of `theme`.

    Palette and font go to the application: below a style sheet, Qt does not hand them down from a window to its parts.
    """
    QApplication.setPalette(palette(theme))
    QApplication.setFont(look.font(theme))
    target.setStyleSheet(sheet(theme))


def palette(theme: Theme) -> QPalette:
    """The theme's colours in Qt's roles; disabled text is muted."""
    palette_ = QPalette()
    for role, color in PALETTE.items():
        palette_.setColor(role, theme.color(color))
    for role in (Role.WindowText, Role.Text, Role.ButtonText):
        palette_.setColor(QPalette.ColorGroup.Disabled, role, theme.color("muted"))
    return palette_


def sheet(theme: Theme) -> str:
    """The style sheet; every length follows the theme's scale of type and lines."""
    colors = {key: value for key, value in vars(theme).items() if isinstance(value, str)}
    icons = str(files("cadena.resources").joinpath("icons")).replace("\\", "/")
    return SHEET.substitute(colors, icons=icons, **lengths(theme))


def lengths(theme: Theme) -> dict[str, int]:
    """The lengths of the style sheet, in pixels."""
    kind, line = theme.type, round(theme.line)
    thick, pad, wide, mark = line + 1, round(5 * kind), round(10 * kind), round(14 * kind)
    knob, bar = round(12 * kind), round(9 + 2 * kind)
    padding = {"pad": pad, "tight": pad - 1, "wide": wide, "narrow": wide - 1}  # the focus ring takes a pixel of it
    slider = {"knob": knob, "half": knob // 2 + thick, "lift": knob // 2 + thick - 2, "slot": knob + 2 * thick + 2}
    rest = {"corner": look.RADIUS - 2, "caption": round(look.CAPTION * kind), "bar": bar, "round": bar // 2 - 2}
    return {"line": line, "thick": thick, "few": pad - 2, "mark": mark, "arrow": mark + 10, **padding, **slider, **rest}
