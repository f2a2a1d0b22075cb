"""Sentences about faults and refusals, with remedies in terms of the window."""

from __future__ import annotations

from cadena.core.graph.fault import Fault
from cadena.core.text.wording import Clause, Remedies, Remedy, WordedError

REMEDIES: Remedies = {
    Remedy.GIVE_VALUE: "type one in the inspector",
    Remedy.SEE_FAULT: "see its fault in the problems",
    Remedy.SET_ATTRIBUTE: "set it in the inspector",
}


def worded(problem: Fault | WordedError | Clause) -> str:
    """The sentence of a fault or a refusal, as the window shows it."""
    return problem.worded(REMEDIES)


def capitalized(refusal: WordedError) -> str:
    """The sentence with a capital letter, unless it begins with a name."""
    sentence = worded(refusal)
    return sentence if refusal.begins_with_operand else f"{sentence[:1].upper()}{sentence[1:]}"
