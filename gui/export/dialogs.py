"""The dialogs of what is taken home: a picture in a chosen size, a film, a handout, exercise sheets, code."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import partial
from pathlib import Path

from PySide6.QtCore import QLocale, QMimeData
from PySide6.QtGui import QGuiApplication, QShowEvent
from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QDialog,
    QHBoxLayout,
    QPlainTextEdit,
    QPushButton,
    QSpinBox,
    QWidget,
)

from cadena.core.graph.fault import Refused
from cadena.core.html_page import exercise_page
from cadena.core.languages.record import LANGUAGES
from cadena.core.teaching.class_list import class_list
from cadena.core.teaching.exercise_sheet import asked_of, sheet_for
from cadena.core.verbs.render import is_sequence
from cadena.gui.export import exercise_pdf, handout, pdf, picture
from cadena.gui.export.encoder import ffmpeg
from cadena.gui.export.exports import Exports
from cadena.gui.export.film import FPS, USUAL_FPS, Film, checked, writing
from cadena.gui.export.handout import PAPERS
from cadena.gui.look.text_cleaning import PlainLabel
from cadena.gui.look.theme import THEMES, Theme
from cadena.gui.look.wording import capitalized
from cadena.gui.session.session import Session
from cadena.gui.widgets.boxes import AlignedForm, column_of
from cadena.gui.widgets.mnemonics import give_mnemonics

PICTURES = "PNG picture (*.png);;SVG drawing (*.svg);;PDF page (*.pdf)"
FILMS = "MP4 film (*.mp4);;GIF animation (*.gif);;Numbered pictures (*.png);;PDF, one page a step (*.pdf)"
HANDOUTS = "PDF (*.pdf)"
EXERCISES = f"{HANDOUTS};;Page of HTML (*.html)"
AS_NEEDED = "as the graph needs"
SIZES = ("1280 × 720", "1920 × 1080", "3840 × 2160", "800 × 600")
SPEEDS = ("0.25", "0.5", "1", "2", "4")
SMALLEST, LARGEST = 100, 8192  # pixels of a side
NUMBER = "-%04d"  # behind the name of numbered pictures


class ExportDialog(QDialog):
    """Settings in a form, a sentence, and a button that saves."""

    title = ""

    def __init__(self, parent: QWidget, session: Session, exporter: Exports, theme: Theme) -> None:
        super().__init__(parent)
        self.setWindowTitle(self.title)
        self.session, self.exporter = session, exporter
        self.form, self.sentence = AlignedForm(), PlainLabel(wordWrap=True)
        self.save, self.close_button = QPushButton("Save…"), QPushButton("Close")
        self.save.setDefault(True)
        self.save.clicked.connect(self.ask_and_save)
        self.close_button.clicked.connect(self.close)
        self.buttons = QHBoxLayout()
        self.buttons.addStretch()
        for button in (self.close_button, self.save):
            self.buttons.addWidget(button)
        self.column = column_of(self)
        self.column.addLayout(self.form)
        self.column.addWidget(self.sentence)
        self.column.addLayout(self.buttons)
        self.sizes, self.themes = QComboBox(editable=True), QComboBox()
        self.themes.addItems(list(THEMES))
        self.themes.setCurrentText(theme.name)
        self.save.setToolTip("Choose a file, and write it")
        self.close_button.setToolTip("Close without writing")
        self.add_fields()
        give_mnemonics(self)
        self.setMinimumWidth(420)

    def add_fields(self) -> None:
        """Put the settings into the form."""

    def ask_and_save(self) -> None:
        """Ask for a place and save there."""

    def add_size_and_theme(self, *sizes: str) -> None:
        self.sizes.addItems([*sizes, *SIZES])
        _name(self.sizes, "Size in pixels", "Width × height in pixels; another can be typed")
        _name(self.themes, "Colours", "The theme in which it is painted")
        self.form.add("Size", self.sizes)
        self.form.add("Colours", self.themes)

    @property
    def theme(self) -> Theme:
        return THEMES[self.themes.currentText()]

    def size_in_pixels(self) -> tuple[int, int] | None:
        """The chosen or typed size; None for as needed. Raises Refused for a text that is no size."""
        text = self.sizes.currentText().strip()
        if text == AS_NEEDED:
            return None
        match = re.fullmatch(r"(\d{1,5})\s*[x×]\s*(\d{1,5})", text)
        width, height = (int(match[1]), int(match[2])) if match else (0, 0)
        if not SMALLEST <= min(width, height) <= max(width, height) <= LARGEST:
            remedy = "write width × height, each from {least} to {most} pixels, such as 1600 × 900"
            raise Refused("{text} is not a size", remedy, text=text or "nothing", least=SMALLEST, most=LARGEST)
        return width, height

    def say(self, refusal: Refused) -> None:
        """Show why something cannot be."""
        self.tell(f"{capitalized(refusal)}.")

    def tell(self, text: str) -> None:
        """Show a sentence below the settings, which keep their height."""
        self.sentence.setText(text)
        self._make_room()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._make_room()

    def _make_room(self) -> None:
        """Grow with the lines of the sentence; Qt would take them from the fields."""
        needed = self.column.totalHeightForWidth(self.width())
        if self.isVisible() and needed > self.height():
            self.resize(self.width(), needed)


class PictureDialog(ExportDialog):
    """The step that is shown as a picture of a chosen size, to a file or to the clipboard."""

    title = "Export picture"

    def add_fields(self) -> None:
        self.add_size_and_theme(AS_NEEDED)
        self.copy = QPushButton("Copy")
        self.copy.setToolTip("Put the picture on the clipboard, as pixels and as a drawing")
        self.copy.clicked.connect(self.copy_picture)
        self.buttons.insertWidget(1, self.copy)

    def ask_and_save(self) -> None:
        try:
            size = self.size_in_pixels()
            if (path := self.exporter.export_place(".png", PICTURES)) is None:
                return
        except Refused as refusal:
            self.say(refusal)
            return
        self.close()
        pieces = partial(picture.writing_shown, self.session, path, self.theme.name, size, self.exporter.places())
        self.exporter.paint(path, pieces)

    def copy_picture(self) -> None:
        """Put the picture on the clipboard; a program that takes it chooses pixels or drawing."""
        try:
            page = picture.shown_sheet(self.session, self.size_in_pixels(), self.theme, self.exporter.places())
            image, drawing = picture.image_of(page), picture.PAINTERS[".svg"](page)
        except Refused as refusal:
            self.say(refusal)
            return
        copied = QMimeData()
        copied.setImageData(image)
        copied.setData("image/svg+xml", drawing)
        QGuiApplication.clipboard().setMimeData(copied)
        self.session.message.emit("Copied the picture")
        self.close()


LENGTH = "{frames} frames, {seconds} seconds"
WITHOUT_FFMPEG = "Numbered pictures (.png) and pages (.pdf) need nothing"


class FilmDialog(ExportDialog):
    """A section of the steps as a film, numbered pictures or pages."""

    title = "Export film"

    def add_fields(self) -> None:
        count = len(self.session.timeline)
        self.first = QSpinBox(minimum=0, maximum=max(count - 1, 0), value=0)
        self.last = QSpinBox(minimum=min(count, 1), maximum=count, value=count)
        self.fps = QSpinBox(minimum=1, maximum=60, value=USUAL_FPS)
        self.fps.setToolTip(f"Frames a second; a GIF has at most {FPS['.gif']}")
        self.speed = QComboBox()
        self.speed.addItems(SPEEDS)
        self.speed.setCurrentText("1")
        _name(self.first, "From step", "The step with which the film begins")
        _name(self.last, "To step", "The step with which the film ends")
        _name(self.speed, "Speed", "How fast the steps are played, 1 as on the canvas")
        _name(self.fps, "Frames a second", self.fps.toolTip())
        self.form.add("From step", self.first)
        self.form.add("To step", self.last)
        self.add_size_and_theme()
        self.form.add("Speed", self.speed)
        self.form.add("Frames a second", self.fps)
        for field in (self.first, self.last, self.fps):
            field.setMinimumHeight(self.speed.sizeHint().height())
        for changed in (self.first.valueChanged, self.last.valueChanged, self.fps.valueChanged):
            changed.connect(self._show_length)
        self.speed.currentTextChanged.connect(self._show_length)
        self._show_length()

    def film(self, fps: int) -> Film:
        """The film that is asked for. Raises Refused for a section or a size that cannot be."""
        size, first, last = self.size_in_pixels(), self.first.value(), self.last.value()
        assert size is not None
        speed = float(self.speed.currentText())
        return checked(
            Film(self.session.timeline, first, last, self.theme, size, fps, speed, picture.title_of(self.session))
        )

    def _show_length(self) -> None:
        try:
            film = self.film(self.fps.value())
        except Refused as refusal:
            self.say(refusal)
            return
        length = LENGTH.format(frames=len(film), seconds=f"{len(film) / film.fps:.1f}")
        try:
            ffmpeg()
        except Refused as refusal:  # say so before asking for a file name
            self.tell(f"{length}. {capitalized(refusal)}. {WITHOUT_FFMPEG}.")
        else:
            self.tell(f"{length}.")

    def ask_and_save(self) -> None:
        try:
            self.film(self.fps.value())
            if (path := self.exporter.export_place(".mp4", FILMS)) is None:
                return
            film = self.film(min(self.fps.value(), FPS.get(path.suffix.lower(), 60)))
            path, pieces, amount = _pieces(film, path)
        except Refused as refusal:
            self.say(refusal)
            return
        self.close()
        self.exporter.paint(path, lambda: pieces, amount, pictures=is_sequence(path))


def _pieces(film: Film, path: Path) -> tuple[Path, Iterator[int], int]:
    """Where and how a film is written, and in how many pieces. Raises Refused where it cannot be."""
    suffix = path.suffix.lower()
    if suffix == ".pdf":
        pages = pdf.step_pages(film.timeline, film.begin, film.end, film.size, film.theme)
        return path, pdf.writing(pages, path), film.end - film.begin
    if suffix == ".png":
        path = path.with_stem(path.stem + NUMBER)
    else:
        ffmpeg()  # that it is missing is said here
    return path, writing(film, path), len(film)


class HandoutDialog(ExportDialog):
    """The graph and a table of its steps on paper."""

    title = "Export handout"

    def add_fields(self) -> None:
        self.paper = paper_chooser()
        self.blanks = QCheckBox("Leave the numbers blank, and add a key of the answers")
        self.blanks.setToolTip("For a class: the key with all numbers follows on pages of its own")
        self.form.add("Paper", self.paper)
        self.form.addRow(self.blanks)

    def ask_and_save(self) -> None:
        try:
            timeline = handout.checked(self.session.timeline)
            if (path := self.exporter.export_place(".pdf", HANDOUTS)) is None:
                return
        except Refused as refusal:
            self.say(refusal)
            return
        title, blanks, paper = picture.title_of(self.session), self.blanks.isChecked(), self.paper.currentText()
        self.close()
        pieces = partial(handout.writing, timeline, title, blanks, paper, path)
        self.exporter.paint(path, pieces, handout.amount(timeline, blanks))


class ExerciseDialog(ExportDialog):
    """A sheet for each student of a class, with numbers that follow from the name."""

    title = "Export exercise sheet"

    def add_fields(self) -> None:
        self.names, self.paper = QPlainTextEdit(), paper_chooser()
        self.names.setPlaceholderText("Anna Müller\nBen Okafor")
        self.names.setTabChangesFocus(True)
        _name(self.names, "Students", "One name a line; the numbers of a sheet follow from the name")
        self.form.add("Students", self.names)
        self.form.add("Paper", self.paper)
        self.names.setFocus()  # without names there is no sheet
        self.tell("cadena grade ANSWERS.csv SHEET.cadena scores the answers.")

    def ask_and_save(self) -> None:
        title, paper, document = picture.title_of(self.session), self.paper.currentText(), self.session.whole
        try:
            students, asked = class_list(self.names.toPlainText()), asked_of(document)
            sheet_for(document, students[0], asked)  # raises Refused before a file name is asked for
            if (path := self.exporter.export_place(".pdf", EXERCISES)) is None:
                return
        except Refused as refusal:
            self.say(refusal)
            return
        self.close()
        sheets = (sheet_for(document, student, asked) for student in students)
        if path.suffix.lower() == ".html":
            pieces, amount = partial(exercise_page.writing, sheets, title, path), len(students)
        else:
            pieces, amount = partial(exercise_pdf.writing, sheets, title, paper, path), 2 * len(students)
        self.exporter.paint(path, pieces, amount)


class CodeDialog(ExportDialog):
    """The graph in a language."""

    title = "Export code"

    def add_fields(self) -> None:
        self.language = QComboBox()
        for name, code in LANGUAGES.items():
            self.language.addItem(code.title, name)
        _name(self.language, "Language", "The library, the text or the drawing that the graph is written for")
        self.language.currentIndexChanged.connect(self._describe)
        self.form.add("Language", self.language)
        self._describe()

    def _describe(self) -> None:
        suffix = LANGUAGES[self.language.currentData()].suffix
        self.tell(f"Writes a {suffix} file, with large arrays in a file beside it.")

    def ask_and_save(self) -> None:
        self.close()
        self.exporter.code(self.language.currentData())


def paper_chooser() -> QComboBox:
    """The sizes of paper, with the one of the user's country chosen."""
    paper = QComboBox()
    paper.addItems(list(PAPERS))
    imperial = QLocale().measurementSystem() == QLocale.MeasurementSystem.ImperialUSSystem
    paper.setCurrentText("Letter" if imperial else "A4")
    _name(paper, "Paper", "The size of the pages")
    return paper


def _name(widget: QWidget, name: str, tip: str) -> None:
    """Give a field a name for screen readers, and a tip."""
    widget.setAccessibleName(name)
    widget.setToolTip(tip)


DIALOGS: dict[str, type[ExportDialog]] = {
    "picture": PictureDialog, "film": FilmDialog, "handout": HandoutDialog, "exercise": ExerciseDialog,
    "code": CodeDialog,
}  # fmt: skip
