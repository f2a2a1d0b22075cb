"""What a built-in library does not have: the sentence, which says what to do instead."""

from __future__ import annotations

import difflib
from collections.abc import Iterable
from typing import NamedTuple

from cadena.core.languages.record import READ

LIKENESS = 0.7  # of names that are taken for typing errors of each other, from 0 to 1
NOT_PART = " is not part of "  # what each of these sentences says


class OwnLibrary(NamedTuple):
    """The library that a user may have beside the one that is built in."""

    title: str

    @property
    def built_in(self) -> str:
        return f"the built-in {self.title}"

    @property
    def advice(self) -> str:
        return f"run the script with your own {self.title} and cadena.capture"


NUMPY = "NumPy"
TITLES = {name: record.title for name, record in READ.items() if name != "numpy"} | {"autograd": "autograd"}


def own_library(name: str) -> OwnLibrary:
    """The library that something belongs to, by its full name."""
    return OwnLibrary(TITLES.get(name.partition(".")[0], NUMPY))


def missing(owner: str, name: str, known: Iterable[str]) -> AttributeError:
    """The error for a name that `owner`, such as torch.nn, does not have here."""
    return AttributeError(sentence(f"{owner}.{name}", name, known))


def sentence(full: str, name: str, known: Iterable[str]) -> str:
    """What to say of a full name that is not known, with the name that may have been meant."""
    names = [item for item in known if not item.startswith("_")]
    close = difflib.get_close_matches(name, names, 1, LIKENESS) or difflib.get_close_matches(
        name.lower(), names, 1, LIKENESS
    )
    meant = f" (did you mean {close[0]}?)" if close else ""
    library = own_library(full)
    if library.title == NUMPY:  # which is the real one
        return f"{full}{NOT_PART}NumPy{meant}; correct the name"
    return f"{full}{NOT_PART}{library.built_in}{meant}; {library.advice}"
