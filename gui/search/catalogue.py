"""What can be found by typing, and the one search for it: the palette, the add box and Ctrl+K are views of both."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import NamedTuple

from cadena.core.graph.document import LEAVES, Function, Value
from cadena.core.graph.fault import Refused
from cadena.core.notation.reading import read_value, write_value
from cadena.core.ops.primitive import REGISTRY, Primitive
from cadena.core.text.numbers import number_of
from cadena.gui.session.graph_edits import Edit

LEAVES_CATEGORY, FUNCTIONS_CATEGORY = "Leaves", "Functions"
NO_FUNCTIONS: Mapping[str, Function] = {}
MIN_IN_DOC = 3  # letters: shorter words would be found in every help text
WHOLE = 5  # the last level at which a query has whole words, or the beginnings of words
ERRORS = {4: 1, 5: 1, 6: 2}  # letters that may be wrong, missing or swapped in a word of so many
FAR = 100
GROUPS = ("Do", "Go to", "Learn")


# Signs that are written in several ways; capital Σ is a sum, and small σ the sigmoid.
LOOKALIKES = str.maketrans({"Σ": "∑", "Π": "∏", "⋅": "·", "∙": "·", "∗": "*", "ˆ": "^"})
WITHIN_CAPITALS = re.compile(r"(?<=[a-z])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")  # between the words of "MSELoss"


class _Texts(NamedTuple):
    """An entry as the search reads it, in lower case; each name stands between two line ends, a space before each word.

    So what begins with some letters is looked for in one string, not in each of many.
    """

    name: str
    names: str  # with its title, symbol and synonyms
    words: str  # all words of these
    keywords: str
    doc: str
    whole: str  # all of it: what does not stand in here is not found


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
    edit: Edit | None = None  # what is made of the document where it is chosen
    usable: bool = True  # whether it can be carried out now; what cannot comes later
    group: str = ""  # one of GROUPS, where they are listed in groups
    behind: int = 0  # how many levels it comes behind others that match as well

    @property
    def is_leaf(self) -> bool:
        return self.category == LEAVES_CATEGORY

    @property
    def is_function(self) -> bool:
        return self.category == FUNCTIONS_CATEGORY

    @cached_property
    def texts(self) -> _Texts:
        name = _plain(self.name)
        names = [name, *(_plain(text) for text in (self.title, self.symbol, *self.synonyms) if text)]
        words, keywords, doc = map(
            _words, (" ".join(names), _plain(f"{self.keywords} {self.category}"), _plain(self.doc))
        )
        all_names = "\n".join(("", *names, ""))
        return _Texts(name, all_names, words, keywords, doc, all_names + words + keywords + doc)

    @cached_property
    def all_words(self) -> frozenset[str]:
        return frozenset(f"{self.texts.words}{self.texts.keywords}".split())


# --- what there is

LEAF_DOCS = {
    "parameter": "A number or array to be learned, such as a weight or a bias; its gradient is wanted.",
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
    own = (_of_function(name, function) for name, function in functions.items() if not function.off)
    return (*(_LEAVES if leaves else ()), *own, *map(_of_record, records))


def changes(functions: Mapping[str, Function]) -> tuple[Entry, ...]:
    """What the operation of a node can be changed to, each with its number of operands."""
    return tuple(replace(entry, detail=_operands(entry, functions)) for entry in operations(functions, leaves=False))


def _operands(entry: Entry, functions: Mapping[str, Function]) -> str:
    if entry.is_function:
        return number_of(len(functions[entry.name].inputs), "operand")
    record = REGISTRY[entry.name]
    return "any number of operands" if record.variadic else number_of(len(record.slots), "operand")


def _of_record(record: Primitive) -> Entry:
    phrase = re.sub(r"{\w+}", "", record.phrase)
    keywords = f"{phrase} {record.keywords}"
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

FILLERS = frozenset("how to make do can i get the a an my is it of in with for please where what".split())


def search(query: str, entries: Sequence[Entry]) -> list[Entry]:
    """The entries that `query` means, the nearest first; all for an empty query.

    Where nothing has its words, what a library calls so ("torch.mm(a, b)", "reduce_sum"), before it those with words
    that are spelled much the same; last, always, those whose name has its letters in this order ("zf" for Zoom to Fit).
    """
    wanted = _plain(query)
    if not wanted:
        return sorted(entries, key=lambda entry: not entry.usable)
    texts = [entry.texts for entry in entries]
    near = sorted(_near(wanted, texts)) or _from_libraries(query, texts)
    near = sorted((level + _drawback(entries[place]), place) for level, place in near)
    is_spelled_right = bool(near) and near[0][0] <= WHOLE
    misspelled = [] if is_spelled_right else _misspelled(wanted, entries)
    places = dict.fromkeys(place for _, place in (*misspelled, *near, *_scattered(wanted, texts)))
    rest = " ".join(word for word in wanted.split() if word not in FILLERS)
    if not places and rest not in ("", wanted):
        return search(rest, entries)
    return [entries[place] for place in places]


def _drawback(entry: Entry) -> int:
    """By how many levels an entry comes later than its name deserves."""
    return entry.behind + (not entry.usable)


def nothing(query: str) -> str:
    """What a list says where the search finds nothing."""
    return f"Nothing matches “{query.strip()}”; try another name or word."


def _plain(text: str) -> str:
    """In lower case, with a space for what separates words: cross_entropy and cross-entropy are alike."""
    text = text.translate(LOOKALIKES)
    return re.sub(r"(?<=[^\W_])[\s_-]+(?=[^\W_]|$)", " ", " ".join(text.split())).casefold().strip()


def _words(text: str) -> str:
    """The words of a text, and each sign by itself, without punctuation, and with a space before each."""
    return "".join(f" {word.strip('.,;:()“”…') or word}" for word in text.split())


def _near(wanted: str, texts: Sequence[_Texts]) -> Iterator[tuple[int, int]]:
    """The places of the entries that match the query, with their distances."""
    words = wanted.split()
    places: Iterable[int] = range(len(texts))
    for word in words:
        places = [place for place in places if word in texts[place].whole]
    for place in places:
        level = _level(wanted, words, texts[place])
        if level is not None:
            yield level, place


def _level(wanted: str, words: Sequence[str], texts: _Texts) -> int | None:
    """The distance of an entry from the query: 0 is its name, None is no match."""
    if wanted == texts.name:
        return 0
    if f"\n{wanted}" in texts.names:
        if f"\n{wanted}\n" in texts.names:
            return 1
        starts = [name[len(wanted)] for name in texts.names.split("\n") if name.startswith(wanted)]
        return 3 if all(letter.isalnum() for letter in starts) else 2  # lesson 1 is not lesson 17
    levels = [_level_of_word(word, texts) for word in words]
    return max((level for level in levels if level is not None), default=None) if None not in levels else None


def _level_of_word(word: str, texts: _Texts) -> int | None:
    start = f" {word}"
    if start in texts.words:
        return 4
    if start in texts.keywords:
        return 5
    if word in texts.names:
        return 6
    return 7 if len(word) >= MIN_IN_DOC and start in texts.doc else None


def _from_libraries(query: str, texts: Sequence[_Texts]) -> list[tuple[int, int]]:
    """The places of the operations that a library calls so, in a call or with its module; then what is near that."""
    called = query.strip().partition("(")[0]
    last = called.rpartition(".")[2]
    if not called.replace(".", "_").isidentifier() or not last.strip("_"):
        return []
    from cadena.core.languages.library_names import operations_called

    meant = [_plain(name) for name in operations_called(called)]
    exact = [(meant.index(each.name), place) for place, each in enumerate(texts) if each.name in meant]
    names = (name for name in (_plain(last), _plain(WITHIN_CAPITALS.sub(" ", last))) if name != _plain(query))
    near = next((places for name in names if (places := sorted(_near(name, texts)))), [])
    return [*sorted(exact), *near]


def _misspelled(wanted: str, entries: Sequence[Entry]) -> list[tuple[int, int]]:
    """The places of the entries that have a word much like each that is wanted, with how far they are from it."""
    known = frozenset().union(*(entry.all_words for entry in entries))
    near = [_alike(word, known) for word in wanted.split()]
    ranking = []
    for place, entry in enumerate(entries if all(near) else ()):
        if any(alike.keys().isdisjoint(entry.all_words) for alike in near):
            continue
        names = entry.texts.words.split()
        rank = max(min(alike[word] + (word not in names) for word in alike.keys() & entry.all_words) for alike in near)
        ranking.append((rank + _drawback(entry), len(entry.texts.name.split()), place))
    return [(rank, place) for rank, _, place in sorted(ranking)]  # of equals the one of fewest words


def _alike(word: str, known: Collection[str]) -> dict[str, int]:
    """The words that may be meant by one that is misspelled, or that begin so, with their rank."""
    from rapidfuzz import process
    from rapidfuzz.distance import OSA

    count, letters = len(word), sorted(word)
    alike = {
        other: 0 for other in known
        if other.startswith(word) or (len(other) == count and sorted(other) == letters)
    }  # fmt: skip
    errors = ERRORS.get(min(count, max(ERRORS)), 0)
    for penalty, length in ((1, None), (0, count), (0, count + 1)) if errors else ():
        choices = {other: other[:length] for other in known if length is None or len(other) > length}
        for _, distance, other in process.extract(word, choices, scorer=OSA.distance, score_cutoff=errors, limit=None):
            alike[other] = min(alike.get(other, FAR), 2 * int(distance) - penalty)
    return alike


def _scattered(wanted: str, texts: Sequence[_Texts]) -> list[tuple[int, int]]:
    """The places of the entries whose name has these letters in order, from the start of a word; the closest first."""
    letters = re.compile(r"\b" + ".*?".join(re.escape(letter) for letter in wanted.replace(" ", "")))
    matches = ((place, letters.search(each.name)) for place, each in enumerate(texts))
    return sorted((match.end() - match.start(), place) for place, match in matches if match)
