"""The command line of `cadena`: verbs, options, help. Bad usage is Refused, like all user errors."""

from __future__ import annotations

import argparse
import os
import re
from collections.abc import Callable, Sequence
from importlib import import_module
from pathlib import Path
from typing import Any, NamedTuple, NoReturn

from cadena.core.graph.document import DTYPES
from cadena.core.graph.fault import Refused
from cadena.core.languages.record import LANGUAGES
from cadena.core.methods.difference import KINDS
from cadena.core.methods.names import METHODS
from cadena.core.notation.reading import read_value
from cadena.core.text.wording import Listing

VERSION = "0.1.0"
WINDOW = "window"  # the verb when the first word is none
NOT_YET = ("diff",)
LIKE_NUMBERS = ("--seed", "--step-size")  # options whose values may begin with a minus sign

ALONG = 'the element that --mode difference moves, such as w0 or "W[1, 0]" (default: the first)'
WIDTH = "how many tangents a pass of --mode forward carries, or all (default: 1)"
LARGE_ARRAYS = "the file to write; arrays of more than 1000 elements go into a second file beside it"
EXPLAIN = "look for all fixes and hints, however long it takes; in most graphs that is done unasked"

EXAMPLES = """\
examples:
  cadena run graph.cadena --set w0=2.5 --set "X=[[1, 2], [3, 4]]"
  cadena run graph.cadena --dtype float32 --json
  cadena steps graph.cadena --output c --wrt w0,w1 --mode forward
  cadena steps graph.cadena --mode difference --along "W[1, 0]" --kind complex
  cadena check graph.cadena --dtype float32
  cadena check graph.cadena --mode difference --step-size 1e-5
  cadena export graph.cadena --to torch -o graph.py
  cadena new "L = (w*x + b - y)**2" -o new.cadena --set w=2 --wrt w,b
  cadena render graph.cadena -o step10.svg --step 10 --mode symbolic --size 1600x900

exit status: 0 done; 1 the graph ran, with faults, or methods disagree; 2 bad usage or no such file
"""


class Parser(argparse.ArgumentParser):
    """An argparse parser that raises Refused instead of printing two lines and leaving."""

    def __init__(self, **settings: Any) -> None:
        super().__init__(allow_abbrev=False, **settings)

    def error(self, message: str) -> NoReturn:
        raise Refused("{message}", "see {program} --help", message=message, program=self.prog)

    def _print_message(self, message: str, file: Any = None) -> None:
        """Print a message; argparse's own method ignores an output that cannot be written."""
        print(message, end="", file=file)


class TopParser(Parser):
    """The parser of the program, whose help is written by hand: the most common calls, with examples."""

    def format_help(self) -> str:
        return HELP


def parse(words: Sequence[str]) -> argparse.Namespace:
    """Parse the options in `words`; `verb` holds the name of the verb. Raises Refused for bad usage."""
    first = words[0] if words else ""
    if first in NOT_YET:
        raise Refused("{first} is not in this version", "cadena --help lists what is", first=first)
    if first in ("-h", "--help", "--version"):
        _top().parse_args([first])  # prints, and ends with SystemExit
    verb, typed = (first, words[1:]) if first in VERBS else (WINDOW, words)
    own = typed.index("--") if verb == "import" and "--" in typed else len(typed)
    options, rest = _parser(verb).parse_known_args(_joined(typed[:own]))
    options.arguments = [*typed[own + 1 :]]  # of the script
    if verb == WINDOW and options.file == first and (rest or options.more) and not os.path.lexists(first):
        raise Refused("{first}: this is neither a verb nor a file", "see cadena --help", first=first)
    if rest:
        named = "" if verb == WINDOW else f"{verb} "
        raise Refused("unrecognized arguments: {rest}", "see cadena {verb}--help", rest=" ".join(rest), verb=named)
    return options


def _joined(words: Sequence[str]) -> list[str]:
    """Join options and negative values: argparse takes the value in `--seed -1e-3` for an option."""
    joined: list[str] = []
    for word in words:
        if joined and joined[-1] in LIKE_NUMBERS:
            joined[-1] = f"{joined[-1]}={word}"
        else:
            joined.append(word)
    return joined


def _top() -> Parser:
    top = TopParser(prog="cadena")
    top.add_argument("--version", action="version", version=f"cadena {VERSION}")
    return top


def _parser(verb: str) -> Parser:
    """The parser of one verb; building those of all would take longer than a run of a small graph."""
    record = VERBS[verb]
    parser = Parser(prog="cadena" if verb == WINDOW else f"cadena {verb}", description=record.description)
    parser.set_defaults(verb=verb)
    for add in record.options:
        add(parser)
    return parser


def _file(verb: Parser) -> None:
    verb.add_argument("file", metavar="FILE", help="a .cadena file")


def _file_to_open(verb: Parser) -> None:
    verb.add_argument("file", nargs="?", metavar="FILE")
    verb.add_argument("more", nargs="*", metavar="FILE")


def _lesson(verb: Parser) -> None:
    verb.add_argument("name", nargs="?", metavar="NAME", help="the name or number of a lesson")


def _graph(verb: Parser) -> None:
    _document(verb)
    wanted = "the nodes whose gradients are wanted (default: the parameters)"
    verb.add_argument("--wrt", metavar="NAME,NAME", help=wanted)


def _document(verb: Parser) -> None:
    option = verb.add_argument
    option("--output", metavar="NAME", help="the node whose gradients are computed (default: the file's)")
    option("--set", metavar="NAME=VALUE", action="append", default=[], help="another value for a leaf; repeatable")
    option("--dtype", choices=DTYPES, help="the number type of the run (default: the file's)")


def _language(verb: Parser) -> None:
    option = verb.add_argument
    option("--to", metavar="LANG", required=True, choices=LANGUAGES, help=", ".join(LANGUAGES))
    option("-o", "--out", metavar="OUT", type=Path, required=True, help=LARGE_ARRAYS)


def _request(verb: Parser, mode: str | None = next(iter(METHODS))) -> None:
    _graph(verb)
    option = verb.add_argument
    option("--mode", choices=METHODS, default=mode, help=f"how to differentiate (default: {mode or 'all of them'})")
    option("--seed", metavar="VALUE", help="the gradient of the output, of its shape (default: 1)")
    usual = Listing(("central",) if mode else ("central", "complex")).worded()
    option("--kind", choices=KINDS, help=f"which differences --mode difference takes (default: {usual})")
    option("--step-size", metavar="H", type=_number, help="their step h (default: the best for each element)")


def _script(verb: Parser) -> None:
    option = verb.add_argument
    option("script", metavar="SCRIPT.py", help="the script, whose own arguments may follow after --; or MODEL.onnx")
    option("-o", "--out", metavar="FILE", required=True, help="the .cadena file to write")
    option("--python", metavar="PATH", help="the Python or virtual environment to run it in (default: Cadena's own)")
    option("--pass", metavar="N", dest="chosen", type=_whole, help="which backward pass, from 1 (default: the loss of "
           "the last training step)")  # fmt: skip
    option("--passes", action="store_true", help="list the backward passes")
    option(
        "--seconds", metavar="S", type=_seconds, help="how long it may run (default: without a limit; stand-ins: 10)"
    )
    option("--force", action="store_true", help="write over a file that is there already")


def _request_of_all(verb: Parser) -> None:
    _request(verb, mode=None)


def _steps(verb: Parser) -> None:
    verb.add_argument("--along", metavar="ELEMENT", help=ALONG)
    verb.add_argument("--width", metavar="N", type=_width, default=1, help=WIDTH)


def _explain(verb: Parser) -> None:
    verb.add_argument("--explain", action="store_true", help=EXPLAIN)


def _json(verb: Parser) -> None:
    verb.add_argument("--json", action="store_true", help="print JSON instead, for other programs")


def _number(text: str) -> float:
    try:
        number = read_value(text)
    except Refused as refusal:
        raise refusal.at("argument --step-size") from None
    if not isinstance(number, float):
        raise Refused("argument --step-size: {text} is not a single number", "write one such as 1e-5", text=text)
    return number


def _whole(text: str) -> int:
    if not re.fullmatch(r"0*[1-9]\d{0,8}", text):
        raise Refused("argument --pass: {text} is no backward pass", "write 1, 2, 3 ...", text=text)
    return int(text)


def _seconds(text: str) -> float:
    if not re.fullmatch(r"\d{1,5}(\.\d+)?", text) or not float(text):
        raise Refused("argument --seconds: {text} is no time", "write seconds, such as 30", text=text)
    return float(text)


def _width(text: str) -> int | None:
    """Parse a width; None stands for as many as there are elements."""
    if text != "all" and not re.fullmatch(r"0*[1-9]\d{0,8}", text):
        raise Refused("argument --width: {text} is not a number of tangents", "write 1, 2, 3 ... or all", text=text)
    return None if text == "all" else int(text)


def _own(verb: Parser) -> None:
    """The options that a verb has alone; they are in its module, which is imported for the verb in any case."""
    import_module(f"cadena.core.verbs.{verb.get_default('verb')}").add_options(verb)


class Verb(NamedTuple):
    """A verb: its usage, a summary, the first line of its own help, and its options."""

    usage: str
    summary: str
    description: str
    options: tuple[Callable[[Parser], None], ...]


# In the order of the help. What a verb does is the function of its name in the file of its name, in this folder.
VERBS: dict[str, Verb] = {
    WINDOW: Verb("[FILE ...]", "open the window, on files", "Open the window.", (_file_to_open,)),
    "run": Verb(
        "FILE [options]",
        "values and gradients as a table",
        "Print the value and the gradient of every node as a table.",
        (_file, _request, _own, _explain, _json),
    ),
    "steps": Verb(
        "FILE [options]",
        "the chain rule, or another method, step by step",
        "Print the steps of the chain rule, or of another method, a sentence each.",
        (_file, _request, _steps, _json),
    ),
    "paths": Verb(
        "FILE --from NAME",
        "a gradient as the sum over all paths",
        "Print all paths from a node to the output: of each the product of its local derivatives, and their sum.",
        (_file, _own, _document, _json),
    ),
    "check": Verb(
        "FILE [options]",
        "every gradient by several methods, side by side",
        "Compare the gradients by several methods; exit status 1 when they disagree.",
        (_file, _request_of_all, _explain, _json),
    ),
    "why": Verb(
        "FILE [NAME]",
        "why a gradient is None or 0, in a sentence",
        "Say why the gradient of a node is None, or 0 everywhere: of NAME, or of every leaf of which it is.",
        (_file, _own, _document, _json),
    ),
    "fix": Verb(
        "FILE -o OUT",
        "the doctor's fixes of inf and nan, applied",
        "Fix the operations that make inf and nan, each fix tried before, and save the graph that they give.",
        (_file, _own),
    ),
    "render": Verb(
        "FILE -o OUT",
        "as .png .svg .pdf .html .mp4 .gif",
        "Draw the graph after the steps of a run, or after some of them; or write a page or a film that plays them.",
        (_file, _request, _steps, _own),
    ),
    "handout": Verb(
        "FILE -o OUT.pdf",
        "the graph and a table of its steps; --blanks",
        "Write a handout: the graph and a table of its steps; with blanks, and a key of the answers, for a class.",
        (_file, _request, _steps, _own),
    ),
    "exercise": Verb(
        "FILE -o OUT.pdf",
        "sheets with numbers of each student's own",
        "Write an exercise sheet with numbers that follow from the student's name: as .html, .pdf or .cadena.",
        (_file, _own),
    ),
    "grade": Verb(
        "ANSWERS.csv SHEET",
        "the scores of a class, and its typical mistakes",
        "Judge the answers of a class to its exercise sheets, and count the typical mistakes.",
        (_own, _json),
    ),
    "export": Verb(
        "FILE --to LANG -o OUT",
        "a program in numpy, torch ..., or a text or drawing",
        "Write the graph in another language.",
        (_file, _language, _graph),
    ),
    "import": Verb(
        "SCRIPT.py -o FILE",
        "the graph of a script, or of MODEL.onnx",
        "Run a script and save its graph. A script for PyTorch runs in the Python of your choice, if that has PyTorch, "
        "as your own program; otherwise one for PyTorch, TensorFlow, JAX or numpy runs on stand-ins, within limits. Or "
        "read MODEL.onnx, of which nothing is run.",
        (_script,),
    ),
    "new": Verb(
        '"L = ..." -o FILE', "a graph from an expression", "Make a graph from an expression, and save it.", (_own,)
    ),
    "validate": Verb(
        "FILE",
        "every fault of the graph, a line each",
        "Read a file and report every fault of its graph; exit status 1 when there are any.",
        (_file,),
    ),
    "lessons": Verb(
        "[NAME]",
        "list the lessons, or open one in the window",
        "List the lessons, or open one in the window.",
        (_lesson,),
    ),
    "desktop": Verb(
        "install|uninstall",
        "Cadena in the desktop's menus",
        "Put Cadena into the menus of your desktop and let it open .cadena files; or take exactly that away again.",
        (_own,),
    ),
}


def _usage() -> str:
    """A line for each verb, as the first lines of the help."""
    calls = {f"cadena {'' if name == WINDOW else f'{name} '}{verb.usage}": verb.summary for name, verb in VERBS.items()}
    calls |= {"cadena VERB --help": "the options of a verb", "cadena --version": ""}
    lines = [f"{call:<31}  {summary}".rstrip() for call, summary in calls.items()]
    return "\n       ".join([f"usage: {lines[0]}", *lines[1:]])


HELP = f"{_usage()}\n\n{EXAMPLES}"
