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
    Role.Window: "window", Role.WindowText: "text", Role.Base: "field", Role.AlternateBase: "card", Role.Text: "text",
    Role.Button: "field", Role.ButtonText: "text", Role.BrightText: "fault", Role.ToolTipBase: "card",
    Role.ToolTipText: "text", Role.Highlight: "ink", Role.HighlightedText: "on_ink", Role.PlaceholderText: "muted",
    Role.Link: "ink", Role.LinkVisited: "ink", Role.Accent: "ink", Role.Mid: "border", Role.Dark: "border",
    Role.Light: "card", Role.Midlight: "raised", Role.Shadow: "border",
}  # fmt: skip

USUAL_FONT = 16  # pixels of a desktop's font, up to which our own type is as large as the theme has it

# Properties of widgets choose a variant, for example widget.setProperty("heading", True): `quiet` has no ground until
# the mouse is there, `bare` has neither ground nor outline, `primary` is the one main thing, `label` a caption,
# `segment` a part of a switch that stands in a `trough`, `low` stands in a row of text, `floating` lies above others,
# `hairline` is a line, `toast` is ink on the canvas, `fault` is wrong.
SHEET = Template("""
* { outline: none; }
QMainWindow::separator { background: $hairline; width: ${line}px; height: ${line}px; }
QToolTip { background: $card; color: $text; border: ${line}px solid $hairline; padding: 8px 12px; }

QLabel { background: transparent; }
QLabel[label="true"] { color: $muted; font-size: ${caption}px; }
QLabel[heading="true"] { font-weight: 600; }
QLabel[fault="true"] { color: $fault; }
QLabel[remark="true"] { background: $field; color: $text; border: ${line}px solid $hairline; }

QLineEdit, QPlainTextEdit, QTextEdit, QSpinBox, QComboBox, QPushButton, QToolButton {
  background: $field; color: $text; border: ${thick}px solid $rim; border-radius: ${corner}px;
  padding: ${pad}px ${wide}px;
  selection-background-color: $ink; selection-color: $on_ink; placeholder-text-color: $muted; }
QPushButton, QToolButton, QComboBox { font-weight: 500; }
QToolButton { padding: ${pad}px; }
QLineEdit, QPlainTextEdit, QTextEdit, QSpinBox { border: ${line}px solid $border; padding: ${deep}px ${broad}px; }
QPlainTextEdit:focus, QTextEdit:focus { border: ${thick}px solid $ink; padding: ${pad}px ${wide}px; }
QLineEdit:focus, QLineEdit[awaits="true"], QSpinBox:focus { border-color: $ink; }
QPlainTextEdit[code="true"], QPlainTextEdit[code="true"]:focus { background: $window; border-radius: 0; padding: 0;
  border: ${thick}px solid transparent; }
QPlainTextEdit[code="true"]:focus { border-color: $border; }
QTextEdit[plain="true"], QTextEdit[plain="true"]:focus { background: transparent; border: none; border-radius: 0;
  padding: 0; }
QListWidget[plain="true"], QListWidget[plain="true"]:focus { background: transparent; border: none; padding: 0; }
QFrame[choice="true"] { background: $card; border: ${line}px solid $border; border-radius: ${corner}px; }
QFrame[choice="true"]:hover, QFrame[choice="true"]:focus { border-color: $ink; }
QFrame[choice="true"][chosen="true"] { background: $gradient_ground; border-color: $gradient; }
QLineEdit[begin="true"], QLineEdit[begin="true"]:focus { background: $card; border-radius: 12px; padding: 0 16px; }
QPushButton[begin="true"] { background: $card; border: ${line}px solid $border; padding: ${tall}px ${broad}px; }
QPushButton[begin="true"]:hover { background: $hover; }
QPushButton[begin="true"]:pressed { background: $pressed; }
QPushButton[begin="true"]:focus { border-color: $ink; }
QLineEdit[bare="true"], QLineEdit[bare="true"]:focus { background: transparent; border: none; padding: 0 ${pad}px; }
QFrame[hairline="true"] { background: $hairline; border: none; }
QLineEdit[search="true"] { border-color: $rim; }
QLineEdit[search="true"]:focus { border-color: $ink; }
QLineEdit:read-only { background: transparent; }
QLineEdit[quiet="true"] { background: transparent; border-color: transparent; padding-left: 1px; padding-right: 1px; }
QLineEdit[quiet="true"]:hover { border-color: $border; }
QLineEdit[quiet="true"]:focus { background: $field; border-color: $ink; }
QLineEdit[quiet="true"][label="true"] { color: $muted; font-size: ${caption}px; padding: 1px; }
QLineEdit[fault="true"], QLineEdit[fault="true"]:focus, QComboBox[fault="true"], QComboBox[fault="true"]:focus {
  border-color: $fault; }

QPushButton:hover, QToolButton:hover, QComboBox:hover { background: $hover; }
QPushButton:pressed, QToolButton:pressed, QComboBox:on { background: $pressed; }
QToolButton[quiet="true"], QPushButton[quiet="true"] { background: transparent; border-color: transparent; }
QToolButton[quiet="true"]:hover, QPushButton[quiet="true"]:hover { background: $hover; }
QToolButton[quiet="true"]:pressed, QPushButton[quiet="true"]:pressed { background: $pressed; }
QPushButton:checked, QToolButton:checked, QPushButton[primary="true"], QToolButton[primary="true"],
QDialog QPushButton:default {
  background: $ink; color: $on_ink; border-color: $ink; font-weight: 600; }
QPushButton:disabled, QToolButton:disabled, QComboBox:disabled, QLineEdit:disabled, QSpinBox:disabled,
QPushButton[primary="true"]:disabled, QToolButton[primary="true"]:disabled {
  background: $field; color: $faint; border-color: $rim; }
QPushButton[low="true"] { padding-top: 0; padding-bottom: 0; }
QToolButton[quiet="true"]:disabled, QPushButton[quiet="true"]:disabled { background: transparent;
  border-color: transparent; }
QToolButton::menu-indicator { image: none; }

QFrame[trough="true"] { background: $field; border: ${line}px solid $rim; border-radius: ${corner}px; }
QPushButton[segment="true"], QToolButton[segment="true"] { background: transparent; color: $muted;
  border: ${line}px solid transparent; border-radius: 6px; padding: ${few}px ${pad}px; }
QPushButton[segment="true"]:hover, QToolButton[segment="true"]:hover { background: $hover; color: $text; }
QPushButton[segment="true"]:checked, QToolButton[segment="true"]:checked { background: transparent; color: $text;
  border-color: $seam; font-weight: 600; }

QFrame[floating="true"] { background: $card; border: ${line}px solid $hairline; border-radius: ${corner}px; }
QFrame[toast="true"] { background: $ink; border-radius: ${corner}px; }
QFrame[toast="true"] QLabel { color: $on_ink; }
QFrame[toast="true"] QPushButton { color: $on_ink; background: transparent; border-color: transparent;
  font-weight: 600; }
QFrame[banner="true"] QPushButton { background: $card; }
QFrame[banner="true"] QPushButton:hover { background: $hover; }

QComboBox QLineEdit, QComboBox QLineEdit:focus { background: transparent; border: none; padding: 0; }
QComboBox[quiet="true"] { background: transparent; border-color: transparent; }
QComboBox[quiet="true"]:hover { background: $hover; }
QComboBox::drop-down { border: none; width: ${arrow}px; }
QComboBox::down-arrow { image: url($icons/chevron-$name.svg); width: ${mark}px; height: ${mark}px; }
QComboBox { combobox-popup: 0; }
QComboBox QAbstractItemView::item { padding: ${pad}px; border-radius: 6px; }
QSpinBox { qproperty-alignment: AlignCenter; }
QSpinBox::up-button, QSpinBox::down-button { border: none; width: ${arrow}px; }
QSpinBox::up-arrow { image: url($icons/chevron-up-$name.svg); width: ${mark}px; height: ${mark}px; }
QSpinBox::down-arrow { image: url($icons/chevron-$name.svg); width: ${mark}px; height: ${mark}px; }
QSpinBox::up-arrow:off, QSpinBox::up-arrow:disabled, QSpinBox::down-arrow:off, QSpinBox::down-arrow:disabled {
  image: none; }
QComboBox QAbstractItemView, QMenu { background: $card; color: $text; border: ${line}px solid $hairline; padding: 6px;
  border-radius: ${corner}px; selection-background-color: $picked; selection-color: $text; }
QMenu::item { padding: ${tall}px 24px; border-radius: 6px; }
QMenu::indicator { width: ${mark}px; height: ${mark}px; border-radius: 4px; margin-left: ${pad}px; }
QMenu::indicator:checked { background: $ink; image: url($icons/check-$name.svg); }
QMenu::right-arrow { image: url($icons/chevron-right-$name.svg); width: ${mark}px; height: ${mark}px;
  margin-right: ${pad}px; }
QMenu::item:selected { background: $picked; color: $text; }
QMenu::item:disabled { color: $faint; }
QMenu::separator { height: ${line}px; background: $hairline; margin: 6px; }
QMenuBar { background: $window; color: $text; padding: 2px; font-weight: 500; }
QMenuBar::item { background: transparent; padding: ${pad}px ${wide}px; border-radius: ${corner}px; }
QToolButton#qt_menubar_ext_button { background: transparent; border: none; padding: 0;
  image: url($icons/chevron-$name.svg); }
QMenuBar::item:selected { background: $hover; color: $text; }
QMenuBar::item:pressed { background: $pressed; color: $text; }

QCheckBox { spacing: 12px; color: $text; background: transparent; padding: 2px; border: ${thick}px solid transparent;
  border-radius: 6px; }
QCheckBox:disabled { color: $faint; }
QCheckBox::indicator { width: ${mark}px; height: ${mark}px; border: ${line}px solid $border; border-radius: 4px;
  background: $card; }
QCheckBox::indicator:hover { border-color: $ink; }
QCheckBox::indicator:checked { background: $ink; border-color: $ink; image: url($icons/check-$name.svg); }

QScrollArea, QScrollArea > QWidget > QWidget { background: transparent; border: none; }
QScrollBar:vertical { background: transparent; width: ${bar}px; margin: 0; }
QScrollBar:horizontal { background: transparent; height: ${bar}px; margin: 0; }
QScrollBar::handle { background: $border; border-radius: ${round}px; margin: 3px; }
QScrollBar::handle:vertical { min-height: 28px; }
QScrollBar::handle:horizontal { min-width: 28px; }
QScrollBar::handle:hover { background: $muted; }
QScrollBar::handle:disabled { background: transparent; }
QScrollBar::add-line, QScrollBar::sub-line { width: 0; height: 0; }
QScrollBar::add-page, QScrollBar::sub-page { background: transparent; }

QAbstractItemView { background: $card; color: $text; alternate-background-color: $card;
  border: ${line}px solid $hairline; border-radius: ${corner}px; gridline-color: $hairline;
  selection-background-color: $picked; selection-color: $text; }
QAbstractItemView:focus { border-color: $ink; }
QAbstractItemView[bare="true"], QAbstractItemView[bare="true"]:focus { background: transparent; border: none; }
QTableView[bare="true"] { border: ${line}px solid transparent; }
QTableView[bare="true"]:focus { border: ${line}px solid $ink; }
QListWidget[bare="true"]::item { padding: ${few}px ${pad}px; border-radius: 6px; }
QTreeWidget[bare="true"]::item { padding: 0 12px; }
QTreeWidget[bare="true"]::item:selected, QTreeWidget[bare="true"]::item:hover { background: transparent;
  color: $text; }
QAbstractItemView::item:hover { background: $hover; }
QAbstractItemView::item:selected { background: $picked; }
QTableView QLineEdit { border-radius: 0; padding: 0 2px; }
QHeaderView, QHeaderView:focus { background: transparent; border: none; border-radius: 0; }
QHeaderView::section, QTableCornerButton::section { background: $card; color: $muted; border: none; padding: 2px 6px;
  border-bottom: ${line}px solid $hairline; font-size: ${caption}px; }

QTabBar::tab { background: transparent; color: $muted; border: none; border-bottom: ${under}px solid transparent;
  margin-right: 4px; padding: ${tall}px ${wide}px; font-weight: 500; }
QTabBar::tab:hover { color: $text; background: $hover; }
QTabBar::tab:selected { color: $text; border-bottom-color: $ink; }
QTabBar[panel="true"]::tab { padding: 0; margin: 0; }
QTabBar[panel="true"]::tab:selected { font-weight: 600; }
QTabBar::scroller { width: ${arrow}px; }
QTabBar QToolButton { padding: 0 3px; }

QSlider { min-height: ${slot}px; }
QSlider::groove:horizontal { height: 4px; border-radius: 2px; background: $track; }
QSlider::sub-page:horizontal { height: 4px; border-radius: 2px; background: $value_strong; }
QSlider::handle:horizontal { width: ${knob}px; margin: -${lift}px 0; border-radius: ${half}px; background: $card;
  border: ${thick}px solid $value_strong; }
QSlider::handle:horizontal:focus, QSlider::handle:horizontal:hover { background: $value_ground; }
QSlider::handle:horizontal:focus { border-color: $ink; }

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
    return SHEET.substitute(colors, icons=icons, **_derived(theme), **lengths(theme))


def _derived(theme: Theme) -> dict[str, str]:
    """Colours of states. Where all grounds are one, as for a poor projector, controls get an outline instead."""
    flat, muted = theme.field == theme.window, theme.color("muted")
    return {
        "seam": "transparent" if flat else theme.hairline,
        "rim": theme.border if flat else "transparent",
        "picked": theme.color(picked(theme)).name(),
        "pressed": theme.hover if flat else theme.hairline,
        "track": theme.muted if flat else theme.hover,
        "faint": f"rgba({muted.red()}, {muted.green()}, {muted.blue()}, 55%)",
    }


def picked(theme: Theme) -> str:
    """The role of the ground of a chosen row: the one that stands out from cards."""
    return "hover" if theme.dark or theme.field == theme.window else "field"


def lengths(theme: Theme) -> dict[str, int]:
    """The lengths of the style sheet, in pixels."""
    kind, line = theme.type, round(theme.line)
    thick, pad, wide, mark = line + 1, round(5 * kind), round(10 * kind), round(14 * kind)
    knob, bar = round(10 * kind), round(9 + 2 * kind)
    padding = {
        "few": pad - 2,
        "pad": pad,
        "deep": pad + 1,
        "tall": pad + 2,
        "wide": wide,
        "broad": wide + 1,
    }  # with thinner outlines
    slider = {"knob": knob, "half": knob // 2 + thick, "lift": knob // 2 + thick - 2, "slot": knob + 2 * thick + 2}
    rest = {
        "corner": look.RADIUS,
        "caption": round(look.CAPTION * kind),
        "bar": bar,
        "round": bar // 2 - 3,
    }
    return {
        "line": line,
        "thick": thick,
        "under": line + 2,
        "mark": mark,
        "arrow": mark + 10,
        **padding,
        **slider,
        **rest,
    }
