"""Expressions as Python's syntax trees, with the places of mistakes. They are never evaluated."""

from __future__ import annotations

import ast
import keyword
import re
import textwrap
import warnings
from collections.abc import Collection
from typing import Any

from cadena.core.graph.fault import Refused
from cadena.core.text.plain_text import elided
from cadena.core.text.wording import Clause

MAX_LETTERS = 2_000_000  # of a text: as many as some ten thousand long lines
MAX_IN_PIECE = 40  # letters of the text that a sentence shows
MAX_DEPTH = 60  # brackets within brackets; each takes a few levels of Python's stack
TOO_DEEP = Clause("this is nested more than {most} deep", "give a part of it a name of its own", {"most": MAX_DEPTH})
ONLY = "only assignments and expressions are read"
EXAMPLE = "write one such as L = (w*x + b)**2"
# Signs of other writings for the ones that Python has, letter for letter, so that places stay.
SIGNS = str.maketrans("−–×⋅∗÷\u00a0\u2009\u202f", "--***/   ")
MIDDLE_DOT = "·"  # times, but Python takes it for a letter: so do names that have one
CLOSING = {"(": ")", "[": "]", "{": "}"}
INSTEAD = {"²": "**2", "³": "**3", "√": "sqrt(x)", "∞": "inf", "∑": "sum(x)", "≤": "<=", "≥": ">=", "≠": "!="}
NO_NAME = ("{word} is a word of Python and no name", "choose another, such as {word}_")
TOO_LARGE = ("the number is too large", "write one below 1.8e308")
QUOTES = ("'", '"')
VALUES = ("None", "True", "False")


class Misread(Refused):
    """A mistake in a text, with its place: `line` and `column`, counted from 1, and the `piece` that is wrong."""

    @property
    def line(self) -> int:
        return int(self.operands["line"])

    @property
    def column(self) -> int:
        return int(self.operands["column"])

    @property
    def piece(self) -> str:
        return str(self.operands["piece"])

    @property
    def mistake(self) -> Clause:
        """The mistake and its remedy, without the place."""
        clause: Clause = self.operands["mistake"]
        return clause


class Source:
    """A text with its syntax tree, and the places of its parts."""

    def __init__(self, text: str, names: Collection[str] = ()) -> None:
        """`names` are those that are known: one with a middle dot in it keeps that."""
        plain = text.replace("\r\n", "\n").replace("\r", "\n").translate(SIGNS)
        if MIDDLE_DOT in plain and not any(MIDDLE_DOT in name for name in names):
            plain = plain.replace(MIDDLE_DOT, "*")
        self.text = textwrap.dedent(plain)
        self.lines = self.text.split("\n")
        first = next((place for place, line in enumerate(self.lines) if line.strip()), 0)
        self._margin = len(plain.split("\n")[first]) - len(self.lines[first])

    def tree(self) -> list[ast.stmt]:
        """The statements of the text. Raises Misread where it is not Python, or too much of it."""
        if len(self.text) > MAX_LETTERS:
            raise self.misread_at(1, 0, "", "the text has more than {most} letters", "split it up", most=MAX_LETTERS)
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")  # Python's, about 1if x else 2: nobody asked for it
                body = ast.parse(self.text).body
        except SyntaxError as error:
            raise self._mistake(error) from None
        except (RecursionError, MemoryError):  # so does Python's parser tell of deep nesting
            raise self._too_deep() from None
        except ValueError:  # half a character, or a character 0
            line, column, sign = self._odd_letter()
            raise self.misread_at(line, column, sign, "this is no letter", "remove it") from None
        if not body:
            raise self.misread_at(1, 0, "", "there is no expression", EXAMPLE)
        return body

    def piece(self, tree: ast.AST) -> str:
        """The text of a part, as it was written; of several lines the first."""
        line, column, end_line, end_column = _ends(tree)
        encoded = self.lines[line - 1].encode()
        last = end_column if end_line == line else len(encoded)
        return encoded[column:last].decode(errors="replace").rstrip()

    def misread(self, tree: ast.AST, what: str, remedy: str, /, **operands: Any) -> Misread:
        """The error for a part of the tree."""
        line, column, _, _ = _ends(tree)
        before = self.lines[line - 1].encode()[:column].decode(errors="replace")
        return self.misread_at(line, len(before), self.piece(tree), what, remedy, **operands)

    def misread_at(self, line: int, column: int, piece: str, what: str, remedy: str, /, **operands: Any) -> Misread:
        """The error for a piece of the text that begins after `column` letters of a line."""
        margin = self._margin if self.lines[line - 1].strip() else 0
        place = {"line": line, "column": column + margin + 1, "piece": elided(piece, MAX_IN_PIECE)}
        template = (
            "line {line}, column {column}: {piece}: {mistake}" if piece else "line {line}, column {column}: {mistake}"
        )
        return Misread(template, **place, mistake=Clause(what, remedy, operands))

    def too_deep(self, tree: ast.AST) -> Misread:
        """The error for what is nested too deeply to be read."""
        return self.misread(tree, TOO_DEEP.what, TOO_DEEP.remedy, **TOO_DEEP.operands)

    def _too_deep(self) -> Misread:
        """The same where Python did not come to the end of it: most likely the longest line."""
        line = max(range(len(self.lines)), key=lambda place: len(self.lines[place]))
        return self.misread_at(line + 1, 0, self.lines[line], TOO_DEEP.what, TOO_DEEP.remedy, **TOO_DEEP.operands)

    def _odd_letter(self) -> tuple[int, int, str]:
        for number, line in enumerate(self.lines, 1):
            for column, sign in enumerate(line):
                if sign == "\0" or "\ud800" <= sign <= "\udfff":
                    return number, column, sign
        return 1, 0, ""

    # --- what Python says about a text that it cannot read, in our words

    def _mistake(self, error: SyntaxError) -> Misread:
        if error.lineno is None or "\0" in self.text:
            line, column, piece = self._odd_letter()
            return self.misread_at(line, column, piece, "this is no letter", "remove it")
        line = min(error.lineno, len(self.lines))
        row = self.lines[line - 1]
        column = min(max((error.offset or 1) - 1, 0), len(row))
        while not row.strip() and line > 1:  # what is missing is missing in the line before
            line -= 1
            row = self.lines[line - 1]
            column = len(row)
        if match := re.match(r"\s*([a-z]+)\b", row):
            word, at = match[1], match.start(1)
            if re.match(r"\s*=(?!=)", row[match.end() :]) and keyword.iskeyword(word):
                return self.misread_at(line, at, word, *NO_NAME, word=word)
            if keyword.iskeyword(word) and word not in ("not", "lambda", "await"):
                return self.misread_at(line, at, row.strip(), ONLY, EXAMPLE)
        if isinstance(error, IndentationError):
            column = len(row) - len(row.lstrip())
        elif not row.isascii() and (zeros := re.search(r"(?<![\w.])0+[1-9]", row)) and "leading zeros" in error.msg:
            column = zeros.start()  # of which Python tells the place in bytes
        piece = row[column:] if row[column : column + 1] in QUOTES else _word_at(row, column)
        for pattern, what, remedy in MISTAKES:
            if match := re.search(pattern, error.msg):
                sign = match[1] if match.groups() else ""
                closing = CLOSING.get(match[match.lastindex or 0], "")
                remedy = remedy or _instead(sign)
                return self.misread_at(line, column, sign or piece, what, remedy, sign=sign, closing=closing)
        if not row[column:].strip() or not piece:
            return self.misread_at(line, column, "", "something is missing at the end", "complete it")
        if keyword.iskeyword(piece) and piece not in VALUES:
            return self.misread_at(line, column, piece, *NO_NAME, word=piece)
        if _follows_operand(row, column):
            return self.misread_at(line, column, piece, "a sign is missing before it", "write an operator, such as *")
        return self.misread_at(line, column, piece, "this cannot stand here", "correct it, or remove it")


# What Python's sentence looks like -> what we say, and what to do.
MISTAKES = (
    (r"'(.)' was never closed", "this bracket is never closed", "add {closing}"),
    (r"unmatched '(.)'", "this closes nothing", "remove it, or open the bracket before it"),
    (r"parenthesis '(.)' does not match opening parenthesis '(.)'", "this does not close what is open", "put {closing}"
     " before it"),
    (r"invalid character '(.+?)'", "this is no sign of an expression", ""),
    (r"invalid non-printable", "there is a letter that cannot be seen", "remove it"),
    (r"too many nested", TOO_DEEP.what.format(most=MAX_DEPTH), TOO_DEEP.remedy),
    (r"invalid decimal literal", "a number stands right before a name", "write * between them, as in 2*x"),
    (r"leading zeros", "the number begins with 0", "write it without that"),
    (r"Exceeds the limit", *TOO_LARGE),
    (r"unterminated|string literal", "a text is no part of an expression", "remove the quotation mark"),
    (r"cannot assign|illegal target|cannot contain assignment", "this cannot be assigned to", "write one name on the "
     "left of =, and == to compare"),
    (r"indent", "the line is indented", "begin it below the first letter of the others"),
    (r"forgot a comma", "a comma or an operator is missing in it", "write one, such as sum(x, axis=0) or w*x"),
    (r"positional argument follows", "an operand stands after a keyword", "write the operands first"),
    (r"keyword argument repeated", "a keyword is there twice", "write it once"),
)  # fmt: skip


def _instead(sign: str) -> str:
    return f"write {INSTEAD[sign]}" if sign in INSTEAD else "use names, numbers, + - * / ** @ and brackets"


def _ends(tree: ast.AST) -> tuple[int, int, int, int]:
    """Line and column of both ends; columns count bytes."""
    place: Any = tree
    return place.lineno, place.col_offset, place.end_lineno, place.end_col_offset


def _word_at(row: str, column: int) -> str:
    """The word around a place in a line, or the sign there."""
    start = column
    while 0 < start <= len(row) and (row[start - 1].isalnum() or row[start - 1] == "_"):
        start -= 1
    word = re.match(r"\w+", row[start:])
    return word[0] if word else row[column : column + 1].strip()


def _follows_operand(row: str, column: int) -> bool:
    before = row[:column].rstrip()
    return bool(before) and (before[-1].isalnum() or before[-1] in "_)]") and row[column : column + 1] not in ")]}=,"
