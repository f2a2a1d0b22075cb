"""`cadena exercise FILE -o OUT`: an exercise sheet with numbers of each student's own, as a page, a PDF or a file."""

from __future__ import annotations

import os
import re
from argparse import ArgumentParser, Namespace
from collections.abc import Callable, Iterable
from dataclasses import replace
from pathlib import Path

from cadena.core.graph import edits
from cadena.core.graph.document import Document
from cadena.core.graph.fault import Refused
from cadena.core.storage.files import contents, read, save
from cadena.core.teaching.class_list import class_list
from cadena.core.teaching.exercise_sheet import AskedNodes, ExerciseSheet, asked_of, sheet_for
from cadena.core.text.wording import Listing
from cadena.core.verbs.handout import PAPERS
from cadena.core.verbs.request import check_names

ENDINGS = (".html", ".pdf", ".cadena")
PLACE = "{student}"  # in a name: the student's, so that each has a file
IN_FILE_NAME = re.compile(r"[^\w .-]+")
STUDENTS = "a text file with the names of the class, one a line"
WritePdf = Callable[[Iterable[ExerciseSheet], str, str, Path], None]


def add_options(verb: ArgumentParser) -> None:
    """Add the options of this verb."""
    option = verb.add_argument
    out = "the sheet: .html, .pdf or .cadena; with {student} in its name one for each student"
    option("-o", "--out", metavar="OUT", type=_sheet_file, required=True, help=out)
    who = verb.add_mutually_exclusive_group(required=True)
    who.add_argument("--student", metavar="NAME", help="the student, whose numbers follow from the name")
    who.add_argument("--students", metavar="NAMES.txt", help=STUDENTS)
    add_asked(verb)
    option("--paper", choices=PAPERS, default=PAPERS[0], help=f"the size of the paper of a PDF (default: {PAPERS[0]})")
    option("--force", action="store_true", help="write over .cadena files that are there already")


def add_asked(verb: ArgumentParser) -> None:
    """The options that say what a sheet asks for."""
    option = verb.add_argument
    option("--output", metavar="NAME", help="the node whose gradients are asked for (default: the file's output)")
    option("--values", metavar="NAME,NAME", help="the nodes whose values are asked for (default: the output)")
    wanted = "the nodes whose gradients are asked for (default: the parameters, and inputs that want one)"
    option("--wrt", metavar="NAME,NAME", help=wanted)


def _sheet_file(name: str) -> Path:
    path = Path(name)
    if path.suffix.lower() not in ENDINGS:
        what, remedy = "argument -o/--out: {name} is no sheet", "choose a name that ends in {endings}"
        raise Refused(what, remedy, name=name, endings=Listing(ENDINGS, "or").worded())
    return path


def exercise(options: Namespace, write_pdf: WritePdf) -> int:
    """Exit status 0 once all files are there; PDFs are written by `write_pdf`."""
    document, asked = requested_sheet(options, options.file)
    students = (options.student,) if options.students is None else listed_students(options.students)
    places = {student: place_of(options.out, student) for student in students}
    _check_places(options, places)
    try:
        sheets = [sheet_for(document, student, asked) for student in students]
    except Refused as refusal:
        raise refusal.at(options.file) from None
    title = document.title or Path(options.file).stem
    for place in dict.fromkeys(places.values()):
        _write([sheet for sheet in sheets if places[sheet.student] == place], title, place, options.paper, write_pdf)
    return 0


def requested_sheet(options: Namespace, file: str) -> tuple[Document, AskedNodes]:
    """The graph of a sheet, and what it asks for. Raises Refused, with the file, where there is nothing to ask for."""
    document = read(file)
    if options.output is not None:
        check_names(document, "--output", [options.output], file)
        document = edits.set_output(document, options.output)
    values, wrt = (None if text is None else [name.strip() for name in text.split(",")]
                   for text in (options.values, options.wrt))  # fmt: skip
    check_names(document, "--values", values or [], file)
    check_names(document, "--wrt", wrt or [], file)
    try:
        return document, asked_of(document, values, wrt)
    except Refused as refusal:
        raise refusal.at(file) from None


def listed_students(file: str) -> tuple[str, ...]:
    """The names in a file. Raises Refused, with the file, where it is no list of names."""
    try:
        return class_list(text_of(file))
    except Refused as refusal:
        raise refusal.without(file).at(file) from None


def text_of(file: str) -> str:
    """The text in a file. Raises Refused for other encodings than UTF-8, which would spoil names."""
    try:
        return contents(file).decode("utf-8-sig")
    except UnicodeDecodeError:
        raise Refused("{file}: the text is not UTF-8", "save it as UTF-8", file=file) from None


def place_of(out: Path, student: str) -> Path:
    """The file of a student's sheet."""
    return Path(str(out).replace(PLACE, IN_FILE_NAME.sub("_", student).strip(" .") or "_"))


def _check_places(options: Namespace, places: dict[str, Path]) -> None:
    """Raise Refused where sheets would be lost: one file can hold one graph, and one that is there may be a user's."""
    shared = len(set(places.values())) < len(places)
    if shared and (PLACE in str(options.out) or options.out.suffix.lower() == ".cadena"):
        what = "{out}: such a file holds one student, and there are {count}"
        remedy = "put {place} into its name, and tell names apart by letters and digits"
        raise Refused(what, remedy, out=options.out, count=len(places), place=PLACE)
    for place in places.values():
        if place.suffix.lower() == ".cadena" and os.path.lexists(place) and not options.force:
            raise Refused("{file}: there is such a file already", "choose another name, or --force", file=place)


def _write(sheets: list[ExerciseSheet], title: str, place: Path, paper: str, write_pdf: WritePdf) -> None:
    place.parent.mkdir(parents=True, exist_ok=True)
    ending = place.suffix.lower()
    if ending == ".cadena":
        save(replace(sheets[0].document, title=f"{title}: {sheets[0].student}"), place)
    elif ending == ".pdf":
        write_pdf(sheets, title, paper, place)
    else:
        from cadena.core.html_page.exercise_page import writing

        for _ in writing(sheets, title, place):
            pass
