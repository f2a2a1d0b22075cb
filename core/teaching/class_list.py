"""The students of a class, a name a line. Names that differ in case or in spaces alone are one student's."""

from __future__ import annotations

import unicodedata
from difflib import get_close_matches

from cadena.core.graph.fault import Refused


def key_of(student: str) -> str:
    """A name as it is compared: NFKC, folded, single spaces. So "Anna  Müller" and "anna müller" are one student."""
    return " ".join(unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", student).casefold()).split())


def class_list(text: str) -> tuple[str, ...]:
    """The names in a text, in order. Raises Refused where there is none, or one occurs twice."""
    lines = {number: " ".join(line.split()) for number, line in enumerate(text.lstrip("\ufeff").splitlines(), start=1)}
    first_lines = dict[str, int]()
    for number, name in lines.items():
        if name and (first := first_lines.setdefault(key_of(name), number)) != number:
            what = "line {line}: {name} is in line {first} already"
            raise Refused(what, "add what tells the two apart", line=number, name=name, first=first)
    if not first_lines:
        raise Refused("there is no name", "write the names of the students, one a line")
    return tuple(name for name in lines.values() if name)


def known_as(student: str, students: tuple[str, ...]) -> str:
    """The student of the list who has this name. Raises Refused for a name that is not in the list."""
    by_key = {key_of(name): name for name in students}
    if (name := by_key.get(key_of(student))) is not None:
        return name
    near = get_close_matches(key_of(student), by_key, n=1)
    remedy = "is {near} meant?" if near else "add the name to the list, or correct it"
    raise Refused(
        "{student} is not in the list of students", remedy, student=student, near=by_key[near[0]] if near else ""
    )
