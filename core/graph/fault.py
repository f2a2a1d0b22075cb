"""What users can get wrong, as values: a fault names the node, what is wrong and what to do; the rest still runs."""

from __future__ import annotations

from dataclasses import dataclass

from cadena.core.text.plain_text import cleaned


@dataclass(frozen=True, slots=True)
class Fault:
    """One sentence about one node. `slot` is set where a single operand is meant, `path` where several nodes are.

    `kind` is one of: cycle, open-slot, missing-input, too-many-inputs, unknown-operation, attribute, shape, no-value,
    inf-value, nan-value, inf-gradient, nan-gradient, output. For numbers gone bad, `node` is where that happened first
    and `rule` says by what arithmetic: "0 · inf", "log of 0", "overflow of exp".

    A hint (`severity`) is about numbers that are finite and yet not to be trusted, and never fails a run. Its kinds:
    vanished-gradient, subnormal-gradient, dead-relu, vanishing-by-layer, exploding-by-layer, lost-digits.
    """

    node: str
    kind: str
    message: str
    slot: int | None = None
    path: tuple[str, ...] = ()
    rule: str = ""
    severity: str = "fault"  # or "hint"

    def __post_init__(self) -> None:
        """What a file says is quoted without its control characters, wherever the sentence comes to be shown."""
        object.__setattr__(self, "message", cleaned(self.message))


class Refused(Exception):
    """An edit, a file or a request that cannot be carried out; the message is one sentence for the user."""

    def __init__(self, message: str = "") -> None:
        super().__init__(cleaned(message))


class TooNew(Refused):
    """A file that only a newer Cadena can read: nothing is wrong with it."""
