"""The reference of all operations, made from their records; run as a module, docs/operations.md is written anew."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from cadena.core.notation.definition import definition, derivative
from cadena.core.ops.primitive import REGISTRY, REQUIRED, Attribute, Primitive

PAGE_FILE = Path(__file__).parents[2] / "docs" / "operations.md"
HEAD = """# Operations

Every operation that Cadena knows, made from its record by `make reference`; do not edit it by hand.

y is the result and L the output that is differentiated. An elementwise operation shows its local derivative
∂y/∂x; any other shows how the gradient of its result, ∂L/∂y, becomes that of its operand. Gradients are summed over
axes along which an operand was repeated. n is how many elements a mean is taken over, 1 for a sum; x[i] are elements.
float16, float32 and float64 stay what they are. "Expanded" says where the elementary operations that a composite one
is made of give something else than the one itself.
"""


NO_EDGES = "none; nan and inf are carried on as IEEE arithmetic has it."
TEXTBOOK = "the rules of differentiation, applied to each element"


def page() -> str:
    """The whole page as Markdown."""
    families = {category: [p for p in REGISTRY.values() if p.category == category] for category in REGISTRY.categories}
    contents = [f"- [{category}](#{_anchor(category)}): {_list_of(members)}" for category, members in families.items()]
    sections = [f"## {category}\n\n" + "\n".join(map(entry, members)) for category, members in families.items()]
    return "\n".join([HEAD, *contents, "", *sections])


def _anchor(heading: str) -> str:
    return heading.lower().replace(" ", "-")


def _list_of(members: list[Primitive]) -> str:
    return ", ".join(f"[{primitive.name}](#{primitive.name})" for primitive in members)


def entry(primitive: Primitive) -> str:
    """One operation: name, title, formula, derivatives, attributes, help, edge points and source."""
    lines = [f"### {primitive.name}", "", f"*{primitive.title}*: {primitive.doc}", ""]
    lines += [f"- {_formula(definition(primitive.name), definition(primitive.name, latex=False))}"]
    lines += [f"- {line}" for index in range(len(primitive.slots)) for line in _slot(primitive, index)]
    lines += [f"- {_attribute(attribute)}" for attribute in primitive.attributes]
    if primitive.synonyms:
        lines += [f"- Also known as: {', '.join(f'`{synonym}`' for synonym in primitive.synonyms)}."]
    if primitive.domain.takes:
        lines += [f"- Takes: {primitive.domain.takes}."]
    lines += [f"- Edge points: {primitive.edges or NO_EDGES}"]
    if primitive.definition is not None:
        lines += [f"- Expanded: {primitive.differs or 'the same to rounding'}."]
    lines += [f"- Source: {primitive.source or TEXTBOOK}."]
    return "\n".join([*lines, ""])


def _formula(latex: str, plain: str) -> str:
    """The formula as GitHub renders it (the backticks keep its backslashes), and for those who read the file itself."""
    return f"$`{latex}`$ (`{plain}`)"


def _slot(primitive: Primitive, index: int) -> Iterator[str]:
    slot = primitive.slots[index]
    is_variadic = primitive.variadic and index == len(primitive.slots) - 1
    operands = f"for **{slot.label}** and each further one" if is_variadic else f"for **{slot.label}**"
    both = (derivative(primitive, index), derivative(primitive, index, latex=False)) if slot.differentiable else None
    yield ": ".join((operands, _formula(*both) if both else "no gradient"))


def _attribute(attribute: Attribute) -> str:
    return f"attribute **{attribute.name}**, {attribute.expected}, {_default(attribute.default)}: {attribute.doc}"


def _default(value: Any) -> str:
    if value is REQUIRED:
        return "must be set"
    return "empty by default" if value is None else f"by default `{json.dumps(value)}`"


if __name__ == "__main__":
    PAGE_FILE.write_text(page(), encoding="utf-8")
