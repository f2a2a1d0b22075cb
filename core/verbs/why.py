"""`cadena why FILE [NAME]`: why a gradient is None, or 0 everywhere, in a sentence."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace

from cadena.core.doctor.findings.reasons import Reasons
from cadena.core.front import compile
from cadena.core.notation.in_script import line_of
from cadena.core.text.numbers import short
from cadena.core.text.plain_text import ascii_minus
from cadena.core.verbs.printing import complain_of_faults, plain, print_json, print_line
from cadena.core.verbs.request import check_names, requested_document
from cadena.core.verbs.wording import REMEDIES

FINE = "The gradient of {name} is {gradient}: neither None nor 0."
ALL_FINE = "No leaf has a gradient that is None or 0."


def add_options(verb: ArgumentParser) -> None:
    """The options that this verb has alone."""
    wanted = "the node whose gradient is None or 0 (default: every leaf of which it is)"
    verb.add_argument("name", nargs="?", metavar="NAME", help=wanted)


def why(options: Namespace) -> int:
    """Exit status 0: what is None or 0 need not be wrong."""
    document = requested_document(options)
    check_names(document, "NAME", [options.name] if options.name else [], options.file)
    run = compile(document).run()
    reasons = Reasons(run)
    names = [options.name] if options.name else reasons.leaves()
    gradients = {name: run.gradient(name) if name in run.plan.index else None for name in names}
    if options.json:
        entries = [
            {
                "name": name,
                "gradient": plain(gradients[name]),
                "line": line_of(document, name) or None,
                "reasons": [clause.worded(REMEDIES) for clause in reasons.of(name)],
            }
            for name in names
        ]
        print_json({"output": run.program.output, "gradients": entries})
    else:
        lines = [sentence for name in names for sentence in reasons.sentences(name, REMEDIES)]
        if options.name and not lines:
            lines = [FINE.format(name=options.name, gradient=short(gradients[options.name]))]
        for line in lines or [ALL_FINE]:
            print_line(ascii_minus(line[0].upper() + line[1:]))
    complain_of_faults(run.program.faults, options.file, document)
    return 0
