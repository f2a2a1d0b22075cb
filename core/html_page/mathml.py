"""Formulas as MathML, which browsers set and screen readers read; colours are names of roles, for a style sheet."""

from __future__ import annotations

from functools import lru_cache
from xml.etree import ElementTree
from xml.etree.ElementTree import Element

from cadena.core.text.plain_text import cleaned, elided

NAMESPACE = "{http://www.w3.org/1998/Math/MathML}"
MAX_SOURCE = 4000  # letters of LaTeX that are set; of longer ones the beginning is shown as it is
CLOSING = (")", "]", "}", "|", "⊤", "!", "′")  # operators after which a minus sign means a difference
MAX_SHOWN = 100  # letters of such a beginning
TAGS = frozenset(
    "math mrow mi mn mo mtext mspace mstyle mfrac msqrt mroot msub msup msubsup munder mover munderover mtable mtr mtd "
    "mpadded mphantom menclose".split()
)
ATTRIBUTES = frozenset(
    "mathcolor mathvariant stretchy fence form separator columnalign linethickness width accent minsize maxsize "
    "displaystyle scriptlevel".split()
)


def painted(role: str, latex: str) -> str:
    """The paint callback for formulas: the colour is the name of the role."""
    return rf"\textcolor{{{role}}}{{{latex}}}"


@lru_cache(maxsize=4096)
def mathml(latex: str) -> str:
    """LaTeX as MathML, of known elements and attributes alone; the source as text where it cannot be set."""
    if len(latex) <= MAX_SOURCE and (root := _converted(latex)) is not None:
        return ElementTree.tostring(root, "unicode")
    root = Element("math")
    text = ElementTree.SubElement(root, "mtext")
    text.text = elided(cleaned(latex), MAX_SHOWN)
    return ElementTree.tostring(root, "unicode")


def _converted(latex: str) -> Element | None:
    from latex2mathml.converter import convert

    try:
        root = ElementTree.fromstring(convert(latex))
    except Exception:  # whatever the converter and its parser raise: the source is shown instead
        return None
    for element in root.iter():
        _mark_signs(element)
        element.tag = element.tag.removeprefix(NAMESPACE)
        if element.tag not in TAGS:
            return None
        for name in set(element.attrib) - ATTRIBUTES:
            del element.attrib[name]
    return root


def _mark_signs(row: Element) -> None:
    """Set a minus sign that follows another operator close to its number, not like a difference."""
    before: Element | None = None
    for element in row:
        if element.text == "−" and before is not None and before.tag.endswith("mo") and before.text not in CLOSING:
            element.set("form", "prefix")
        before = element
