"""What can be found by typing, and the one search for it: the palette, the add box and Ctrl+K are views of both."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from cadena.core.graph.document import LEAVES, Function, Value
from cadena.core.graph.fault import Refused
from cadena.core.notation.reading import read_value, write_value
from cadena.core.ops.primitive import REGISTRY, Primitive

LEAVES_CATEGORY, FUNCTIONS_CATEGORY = "Leaves", "Functions"
NO_FUNCTIONS: Mapping[str, Function] = {}
MIN_IN_DOC = 3  # letters: shorter words would be found in every help text
CLOSE = 0.7  # share of letters that a misspelled word has in common with the one that was meant


class _Texts(NamedTuple):
    """An entry as the search reads it, in lower case."""

    name: str
    others: tuple[str, ...]  # its title, symbol and synonyms
    words: tuple[str, ...]  # all words of these
    keywords: tuple[str, ...]
    doc: tuple[str, ...]


@dataclass(frozen=True)
class Entry:
    """One thing that can be found: an operation, a leaf, a function, a node, a command, a lesson."""

    name: str
    title: str = ""  # in words
    symbol: str = ""
    category: str = ""  # of an operation; of a command its menu
    doc: str = ""  # a sentence or two of help
    synonyms: tuple[str, ...] = ()
    keywords: str = ""  # further words by which it is found
    detail: str = ""  # what a list says beside it
    keys: str = ""  # the key of a command
    value: Value | None = None  # of a leaf
    run: Callable[[], object] | None = None  # what Ctrl+K does with it

    @property
    def is_leaf(self) -> bool:
        return self.category == LEAVES_CATEGORY

    @property
    def is_function(self) -> bool:
        return self.category == FUNCTIONS_CATEGORY

    @cached_property
    def texts(self) -> _Texts:
        others = tuple(_plain(text) for text in (self.title, self.symbol, *self.synonyms) if text)
        name, keywords = _plain(self.name), _plain(f"{self.keywords} {self.category}")
        words = _words(" ".join((name, *others)))
        return _Texts(name, others, words, _words(keywords), _words(_plain(self.doc)))


# --- what there is

LEAF_DOCS = {
    "parameter": "A number or array to be learned; its gradient is wanted.",
    "input": "Data; its gradient is computed only when asked for.",
    "constant": "A fixed number or array; it never has a gradient.",
}
_LEAVES = (
    Entry("parameter", "parameter", "parameter", LEAVES_CATEGORY, LEAF_DOCS["parameter"], ("weight", "variable"),
          "learned trainable", "its gradient is wanted"),
    Entry("input", "input", "input", LEAVES_CATEGORY, LEAF_DOCS["input"], ("data",), "example", "data"),
    Entry("constant", "constant", "constant", LEAVES_CATEGORY, LEAF_DOCS["constant"], ("number",), "fixed",
          "a fixed number"),
)  # fmt: skip


def operations(functions: Mapping[str, Function] = NO_FUNCTIONS, leaves: bool = True) -> tuple[Entry, ...]:
    """The leaves, the document's own functions, then all operations by category, in the core's order."""
    records = [one for category in REGISTRY.categories for one in REGISTRY.values() if one.category == category]
    own = (_of_function(name, function) for name, function in functions.items())
    return (*(_LEAVES if leaves else ()), *own, *map(_of_record, records))


def _of_record(record: Primitive) -> Entry:
    said = re.sub(r"{\w+}", "", record.phrase)
    keywords = f"{said} {record.keywords}"
    return Entry(record.name, record.title, record.symbol, record.category, record.doc, record.synonyms, keywords)


def _of_function(name: str, function: Function) -> Entry:
    operands = ", ".join(function.inputs)
    doc = function.doc or f"A function of this graph. It takes {operands} and gives {function.output}."
    title, detail = f"{name}({operands})", f"function of {operands}"
    return Entry(name, title, f"ƒ {name}", FUNCTIONS_CATEGORY, doc, keywords="function", detail=detail)


def leaves_of(query: str) -> list[Entry]:
    """A leaf of each kind with the value that is typed; none where it is no value."""
    if not any(letter.isdigit() for letter in query):
        return []
    try:
        value = read_value(query)
    except Refused:
        return []
    return [Entry(op, symbol=f"{op} {write_value(value)}", value=value) for op in reversed(LEAVES)]


# --- the search


def search(query: str, entries: Sequence[Entry]) -> list[Entry]:
    """The entries that `query` means, the nearest first; all for an empty query.

    Where nothing has its words, those with words that are spelled much the same; last, always, those whose name has
    its letters in this order ("zf" for Zoom to Fit).
    """
    wanted = _plain(query)
    if not wanted:
        return list(entries)
    levels = [_level(wanted, entry.texts) for entry in entries]
    near = sorted((level, place) for place, level in enumerate(levels) if level is not None)
    if not near:
        near = _misspelled(wanted, entries)
    found = {place: entries[place] for _, place in near}
    found |= {place: entries[place] for _, place in _scattered(wanted, entries) if place not in found}
    return list(found.values())


def nothing(query: str) -> str:
    """What a list says where the search finds nothing."""
    return f"Nothing matches “{query.strip()}”; try another name or word."


def _plain(text: str) -> str:
    """In lower case, with a space for what separates words: cross_entropy and cross-entropy are alike."""
    return re.sub(r"(?<=[^\W_])[\s_-]+(?=[^\W_]|$)", " ", " ".join(text.casefold().split())).strip()


def _words(text: str) -> tuple[str, ...]:
    """The words of a text, and each sign by itself, without punctuation."""
    return tuple(word.strip(".,;:()“”…") or word for word in text.split())


def _level(wanted: str, texts: _Texts) -> int | None:
    """How far an entry is from what is wanted: 0 is its name, None is not at all."""
    names = (texts.name, *texts.others)
    if wanted in names:
        return 0 if wanted == texts.name else 1
    starts = [name[len(wanted)] for name in names if name.startswith(wanted)]
    if starts:  # lesson 1 is not lesson 17
        return 3 if all(letter.isalnum() for letter in starts) else 2
    levels = [_level_of_word(word, texts, names) for word in wanted.split()]
    return max((level for level in levels if level is not None), default=None) if None not in levels else None


def _level_of_word(word: str, texts: _Texts, names: Iterable[str]) -> int | None:
    if any(known.startswith(word) for known in texts.words):
        return 4
    if any(known.startswith(word) for known in texts.keywords):
        return 5
    if any(word in name for name in names):
        return 6
    return 7 if len(word) >= MIN_IN_DOC and any(known.startswith(word) for known in texts.doc) else None


def _misspelled(wanted: str, entries: Sequence[Entry]) -> list[tuple[int, int]]:
    """The places of the entries that have a word much like each that is wanted, with how far they are from it."""
    known = {word for entry in entries for word in entry.texts.words}
    near = [_alike(word, known) for word in wanted.split()]
    found = []
    for place, entry in enumerate(entries):
        ranks = [min((alike[word] for word in entry.texts.words if word in alike), default=None) for alike in near]
        if None not in ranks:
            found.append((max(rank for rank in ranks if rank is not None), len(entry.texts.name.split()), place))
    return [(rank, place) for rank, _, place in sorted(found)]  # of equals the one of fewest words


def _alike(word: str, known: set[str]) -> dict[str, int]:
    """The words that may be meant by one that is misspelled, with their rank: swapped letters are likeliest."""
    from difflib import get_close_matches

    letters = sorted(word)
    alike = {other: 0 for other in known if other.startswith(word) or sorted(other) == letters}
    for rank, other in enumerate(get_close_matches(word, known, n=len(known) or 1, cutoff=CLOSE), 1):
        alike.setdefault(other, rank)
    return alike


def _scattered(wanted: str, entries: Sequence[Entry]) -> list[tuple[int, int]]:
    """The places of the entries whose name has these letters in order, from the start of a word; the closest first."""
    letters = re.compile(r"\b" + ".*?".join(re.escape(letter) for letter in wanted.replace(" ", "")))
    matches = ((place, letters.search(entry.texts.name)) for place, entry in enumerate(entries))
    return sorted((match.end() - match.start(), place) for place, match in matches if match)
