"""`cadena paths FILE --from NAME`: a gradient as the sum over all paths to the output, in formulas or as JSON."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from typing import Any

import numpy as np

from cadena.core.front import compile
from cadena.core.methods.reverse.paths import MAX_LISTED, Path, PathSum
from cadena.core.teaching.calculation import calculation
from cadena.core.text.plain_text import ascii_minus
from cadena.core.verbs.printing import complain_of_causes, plain, print_json, print_line
from cadena.core.verbs.request import check_names, requested_document

NO_PATH = "No gradient flows from {output} back to {name}."
TOO_MANY = "The paths are not listed: they are more than {most}."


def add_options(verb: ArgumentParser) -> None:
    """The options that this verb has alone."""
    verb.add_argument("--from", dest="start", metavar="NAME", required=True, help="the node that the paths come from")


def paths(options: Namespace) -> int:
    """Exit status 0, or 1 when the graph has faults; each is a line on standard error."""
    document = requested_document(options)
    check_names(document, "--from", [options.start], options.file)
    leaves = [name for name, node in document.nodes.items() if node.is_leaf]
    run = compile(document, wrt=leaves).run()
    paths = PathSum(run, options.start)
    if options.json:
        print_json(_report(paths))
    else:
        _print_calculation(paths)
    return complain_of_causes(run, run.faults, options.file)


def _print_calculation(paths: PathSum) -> None:
    if paths.gradient is None:
        print_line(NO_PATH.format(output=paths.run.program.output or "the output", name=paths.name))
        return
    for line in calculation(paths, "text").splitlines():
        print_line(ascii_minus(line))
    if paths.summary.number > MAX_LISTED:
        print_line(TOO_MANY.format(most=MAX_LISTED))


def _report(paths: PathSum) -> dict[str, Any]:
    """The paths for other programs; `count` tells all, and `paths` is empty where they are too many to list."""
    return {
        "from": paths.name,
        "to": paths.run.program.output,
        "paths": [_path(paths, path) for path in paths.listed],
        "sum": plain(paths.gradient),
        "count": 0 if paths.gradient is None else paths.summary.number,
    }


def _path(paths: PathSum, path: Path) -> dict[str, Any]:
    """A path from its beginning on; a factor is null where the rule is no product, as that of a matrix product."""
    slopes = [paths.slope(*wire) for wire in path.wires]
    factors = [None if slope is None else plain(np.asarray(slope)) for slope in slopes]
    return {"nodes": list(path.nodes), "factors": factors, "product": plain(path.product)}
