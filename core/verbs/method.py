"""The gradients and the steps by the method in --mode, with the options of that method."""

from __future__ import annotations

import re
from argparse import Namespace
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

import numpy as np

from cadena.core.front import Run
from cadena.core.graph.fault import Refused
from cadena.core.methods.names import METHODS, REFERENCE, Method
from cadena.core.text.wording import choices
from cadena.core.verbs.request import check_names

if TYPE_CHECKING:
    from cadena.core.methods.answer import Answer
    from cadena.core.methods.reverse.timeline import Timeline

DEFAULTS = {"width": 1}  # of options that are not None where they are left out


@contextmanager
def refusing(options: Namespace) -> Iterator[None]:
    """Add the file, and the requested mode, to a method's refusals."""
    try:
        yield
    except Refused as refusal:
        where = f"{options.file}: --mode {options.mode}" if options.mode else str(options.file)
        raise refusal.at(where) from None


def requested_answer(options: Namespace, run: Run) -> Answer | None:
    """The gradients of `run` by the method in `--mode`; None in reverse mode, whose gradients the run has itself, and
    where a fault keeps the output from running. Raises Refused, with the file, where the method cannot be used.
    """
    check_options(options)
    if METHODS[options.mode].is_built_in or _is_stopped(run):
        return None
    from cadena.core.methods.choosing import answer_of

    with refusing(options):
        _check_output(options, run)
        answer = answer_of(
            run, Method(options.mode, step=options.step_size, kind=options.kind or "central", width=None)
        )
        if answer.fault is not None:
            raise Refused.of(answer.fault)
    return answer


def requested_timeline(options: Namespace, run: Run) -> Timeline:
    """All steps of `run` by the method in `--mode`; those of the forward pass where a fault keeps the output from
    running. Raises Refused, with the file, where the method cannot be used.
    """
    from cadena.core.methods.answer import require_wanted_leaf
    from cadena.core.methods.choosing import timeline_of
    from cadena.core.methods.walk import ValuesTimeline

    check_options(options)
    if METHODS[options.mode].is_built_in:
        return _backward_passes(run)
    if _is_stopped(run):
        return ValuesTimeline(run)
    with refusing(options):
        _check_output(options, run)
        require_wanted_leaf(run)
    method = requested_method(options, run)
    with refusing(options):
        return timeline_of(run, method, whole=True)


def _backward_passes(run: Run) -> Timeline:
    """The steps of reverse mode with as many backward passes as the story of the document asks for."""
    from cadena.core.methods.choosing import timeline_of
    from cadena.core.teaching.story import story_of

    settings = story_of(run.program.document).view.settings
    return run.timeline if settings is None else timeline_of(run, settings.of_method(REFERENCE), whole=True)


def requested_method(options: Namespace, run: Run) -> Method:
    """The method in `--mode`, with the width of forward mode or the kind, step and element of differences."""
    leaf, index = (None, 0) if options.along is None else _element(options.along, run, options.file)
    return Method(options.mode, leaf, index, options.step_size, options.kind or "central", options.width)


def check_options(options: Namespace) -> None:
    """Raise Refused for an option of one method beside another mode; without a mode all methods are used."""
    for record in METHODS.values() if options.mode is not None else ():
        set_ = [name for name in record.options if getattr(options, name, DEFAULTS.get(name)) != DEFAULTS.get(name)]
        if set_ and options.mode != record.name:
            raise Refused(
                "{file}: {option}: this is for {method}",
                "add --mode {mode}, or leave it out",
                file=options.file,
                option=f"--{set_[0].replace('_', '-')}",
                method=record.title.lower(),
                mode=record.name,
            )


def _is_stopped(run: Run) -> bool:
    """Whether a fault keeps the output from running: it is reported, and the other nodes are still shown."""
    return run.program.output is not None and run.plan.output is None


def _check_output(options: Namespace, run: Run) -> None:
    """Raise Refused for an output that is not a single number, unless a seed says how its elements count."""
    from cadena.core.methods.answer import output_number, require_single_number

    output_number(run)
    if options.seed is None:
        require_single_number(run)


def _element(text: str, run: Run, file: str) -> tuple[str, int]:
    """The leaf and the flat index in "W[1, 0]", or in "W", which is its first element."""
    from cadena.core.methods.answer import wanted_leaves

    where, leaves = f"{file}: --along {text}", wanted_leaves(run)
    match = re.fullmatch(r"\s*(\w+)\s*(?:\[([\d\s,]*)\]\s*)?", text)
    if match is None:
        raise Refused("{where}: this is not an element of a leaf", "write one such as w0 or W[1, 0]", where=where)
    name, inside = match.groups()
    check_names(run.program.document, "--along", [name], file)
    if name not in leaves:
        raise Refused(
            "{where}: no gradient of {name} is wanted",
            "choose one of {leaves}",
            where=where,
            name=name,
            leaves=choices(leaves),
        )
    if inside is None:
        return name, 0
    place, shape = tuple(int(number) for number in re.findall(r"\d+", inside)), leaves[name]
    if len(place) != len(shape) or any(index >= size for index, size in zip(place, shape)):
        last = f"{name}[{', '.join(str(size - 1) for size in shape)}]" if shape else name
        raise Refused(
            "{where}: {name} has shape {shape}, so there is no such element",
            "the last one is {last}",
            where=where,
            name=name,
            shape=shape,
            last=last,
        )
    return name, int(np.ravel_multi_index(place, shape)) if shape else 0
