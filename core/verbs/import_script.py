"""`cadena import SCRIPT.py -o FILE`: the graph of a script, which runs in a process of its own within limits."""

from __future__ import annotations

import os
from argparse import Namespace

from cadena.core.graph.fault import Refused
from cadena.core.scripts.limits import MAX_SECONDS
from cadena.core.scripts.running import ScriptResult, run, script_text
from cadena.core.storage.files import save
from cadena.core.verbs.printing import complain_of_faults, print_line


def import_script(options: Namespace) -> int:
    """Exit status 0 once the file is there. What the script prints is printed first, whether it ends well or not."""
    if os.path.lexists(options.out) and not options.force:
        raise Refused("{file}: there is such a file already", "choose another name, or --force", file=options.out)
    chosen = None if options.chosen is None else options.chosen - 1
    seconds = MAX_SECONDS if options.seconds is None else options.seconds
    result = run(script_text(options.script), chosen, seconds)
    for line in result.printed.splitlines():
        print_line(line)
    if (fault := result.fault) is not None:
        where = f"{options.script}: line {fault.line}" if fault.line else options.script
        raise Refused("{where}: {sentence}", where=where, sentence=fault.sentence)
    assert result.document is not None
    save(result.document, options.out)
    print_line(f"{options.out}: {_result_text(result)}")
    for remark in result.remarks:
        print_line(f"{options.out}: {remark.sentence}")
    from cadena.core.front import compile

    complain_of_faults(compile(result.document).run().faults, options.out)
    return 0


def _result_text(result: ScriptResult) -> str:
    """What was made: how many nodes, and of which of several backward passes."""
    assert result.document is not None
    count = len(result.document.nodes)
    several = len(result.passes)
    nodes, output = f"{count} node{'' if count == 1 else 's'}", result.document.output
    if several < 2:
        return f"{nodes}, output {output}"
    return f"{nodes}, output {output}; there are {several} backward passes, choose another with --pass"
