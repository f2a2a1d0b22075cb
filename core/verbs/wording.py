"""Remedies of faults and refusals, in terms of the command line's options."""

from __future__ import annotations

from cadena.core.text.wording import Remedies, Remedy

REMEDIES: Remedies = {
    Remedy.CHOOSE_OUTPUT: "choose one with --output",
    Remedy.GIVE_SEED: "add a sum behind it, or give --seed, which says how much each element counts",
    Remedy.GIVE_VALUE: "give it one with --set {node}=VALUE",
    Remedy.FIX_FAULTS: "fix its faults, which cadena validate lists",
    Remedy.SEE_FAULT: "see its fault, which cadena validate lists",
    Remedy.SET_ATTRIBUTE: "set it among the node's attributes in the file",
    Remedy.WANT_LEAF: "make a leaf a parameter, or name one with --wrt",
}
