"""The document and the run that the options of a verb request."""

from __future__ import annotations

from argparse import Namespace
from dataclasses import replace

from cadena.core.front import Run, compile
from cadena.core.graph import edits
from cadena.core.graph.document import Document, as_array
from cadena.core.graph.fault import Refused
from cadena.core.methods.names import REFERENCE
from cadena.core.notation.reading import read_value
from cadena.core.storage.files import read
from cadena.core.text.wording import choices


def requested_document(options: Namespace) -> Document:
    """The file's document, with the output, the number type and the values that the options give.

    Raises Refused, with the file and the option, where an option cannot be met.
    """
    document = read(options.file)
    for setting in options.set:
        document = with_setting(document, setting, options.file)
    if options.output is not None:
        check_names(document, "--output", [options.output], options.file)
        document = edits.set_output(document, options.output)
    return replace(document, dtype=options.dtype or document.dtype)


def requested_run(options: Namespace) -> Run:
    """One run of that document, with its gradients where `--mode` is reverse."""
    document = requested_document(options)
    wrt = None if options.wrt is None else [name.strip() for name in options.wrt.split(",")]
    check_names(document, "--wrt", wrt or [], options.file)
    _check_leaves(document, wrt or [], options)
    try:
        seed = None if options.seed is None else as_array(read_value(options.seed))
        engine, devices = getattr(options, "engine", "numpy"), getattr(options, "devices", None)
        run = compile(document, wrt=wrt, engine=engine, devices=devices).run(seed=seed)
        _ = run.gradients if options.mode == REFERENCE else run.seed
    except Refused as refusal:
        where = f"{options.file}: --seed" if options.seed is not None else options.file
        raise refusal.at(where) from None
    return run


def with_setting(document: Document, setting: str, file: str) -> Document:
    """The document with the value that `--set NAME=VALUE` gives to a leaf. Raises Refused for what cannot be set."""
    name, equals, value = setting.partition("=")
    name = name.strip()
    if not equals:
        raise Refused(
            "{file}: --set {setting}: a value is missing",
            "write NAME=VALUE, such as w0=2.5",
            file=file,
            setting=setting,
        )
    check_names(document, "--set", [name], file)
    try:
        return edits.set_value(document, name, read_value(value))
    except Refused as refusal:
        raise refusal.at(f"{file}: --set {name}") from None


def _check_leaves(document: Document, names: list[str], options: Namespace) -> None:
    """Raise Refused for a node that is no leaf where its gradient would be left out: reverse mode alone has it."""
    inner = next((name for name in names if not document.nodes[name].is_leaf), None)
    if inner is not None and (options.verb == "check" or options.mode != REFERENCE):
        raise Refused(
            "{file}: --wrt: {inner} is computed from its operands, and its gradient is that of reverse mode alone",
            "choose parameters, inputs or constants, or cadena run with --mode reverse",
            file=options.file,
            inner=inner,
        )


def check_names(document: Document, option: str, names: list[str], file: str) -> None:
    """Raise Refused, with the file and the option, for a name that no node has."""
    for name in names:
        if name not in document.nodes:
            raise Refused(
                "{file}: {option}: there is no node {name!r}",
                "the nodes are {listed}",
                file=file,
                option=option,
                name=name,
                listed=choices(document.nodes),
            )
