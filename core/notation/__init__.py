"""Numbers, calls and steps written for people: plain text for sentences and labels, LaTeX for formulas."""

from core.notation.calls import latex_call, latex_name, plain_call, plain_name
from core.notation.derivation import derivation, result_latex
from core.notation.steps import before_title, has_local, local_label, step_latex, step_sentence, step_title
from core.numbers import full, latex_number, shape_text, short

__all__ = [
    "before_title",
    "derivation",
    "full",
    "has_local",
    "latex_call",
    "latex_name",
    "latex_number",
    "local_label",
    "plain_call",
    "plain_name",
    "result_latex",
    "shape_text",
    "short",
    "step_latex",
    "step_sentence",
    "step_title",
]
