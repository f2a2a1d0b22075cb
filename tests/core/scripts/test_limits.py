"""Scripts that try to get out. What they reach for is found by way of modules that they may import."""

from __future__ import annotations

import subprocess
import sys
from contextlib import suppress
from pathlib import Path

import pytest

from cadena.core.scripts import running
from cadena.core.scripts.running import ScriptFault, run
from tests.waiting import until

pytestmark = pytest.mark.usefixtures("forked_scripts")

SYSTEM = "use the operating system"
ESCAPES = {
    "import warnings\nwarnings.sys.modules['os'].system('id')": SYSTEM,
    "import warnings\nwarnings.sys.modules['os'].fork()": SYSTEM,
    "import warnings\nwarnings.sys.modules['os'].kill(1, 0)": SYSTEM,
    "import random\nrandom._os.listdir('/')": SYSTEM,
    "import random\nrandom._os.unlink('/tmp/nothing')": SYSTEM,
    "import warnings\nwarnings.sys.modules['io'].open('/etc/passwd')": "open files",
    "import torch\nprint(torch.FloatTensor.__globals__['__builtins__']['open']('/etc/passwd'))": "open files",
    "import warnings\nwarnings.sys.modules['os'].open('/tmp/x', 65)": "open files",
    "f = lambda: 0\nf.__code__.replace(co_code=b'')": "make code objects",
    "import warnings\n"
    "warnings.sys.modules['types'].FunctionType((lambda: open('/etc/x')).__code__, warnings.__dict__)()": "open files",
    "w = [c for c in ().__class__.__base__.__subclasses__() if c.__name__ == '_wrap_close'][0]\n"
    "w.__init__.__globals__['system']('id')": SYSTEM,
}


@pytest.mark.parametrize("text", ESCAPES, ids=[text.splitlines()[-1][:40] for text in ESCAPES])
def test_the_process_refuses_what_reaches_outside(text):
    fault = run(text).fault
    assert fault is not None and fault.line == len(text.splitlines())
    assert fault.sentence == f"a script may not {ESCAPES[text]}; leave that out"


@pytest.mark.parametrize("event", ["sys._getframemodulename", "function.__new__"])
def test_a_library_that_made_a_namedtuple_was_refused_under_python_3_12_and_3_14(event):
    """As numpy does where it reads files for the first time."""
    text = f"import warnings\nwarnings.sys.audit('{event}', 0)\nimport torch\n"
    assert run(f"{text}w = torch.tensor(2., requires_grad=True)\nw.backward()").fault is None


@pytest.mark.parametrize("call", ["_exit(3)", "abort()"])
def test_a_process_that_ends_by_itself_is_a_fault(call):
    fault = run(f"import warnings\nwarnings.sys.modules['os'].{call}").fault
    assert fault is not None and fault.sentence.endswith("make it do less")


def test_what_the_process_says_is_read_as_text_and_never_believed():
    lies = '{"format": "[1]"}\\n{"lines": [], "labels": {}, "remarks": [], "passes": []}'
    text = f"import warnings\nos = warnings.sys.modules['os']\nos.write(1, b'''{lies}\\n''')\nos._exit(0)"
    fault = run(text).fault
    assert fault is not None and fault.sentence.startswith("its graph cannot be read: ")


FORGED = """import torch, warnings
os = warnings.sys.modules['os']
GRAPH, ENDS = b'{"format":"cadena","version":1,"nodes":[],', b'}\\n{"passes":[],"lines":[],"labels":{},"remarks":[]}\\n'
data = memoryview(%s)
while data:
    data = data[os.write(1, data):]
os._exit(0)
"""
UNREAD = "its graph cannot be read: "
TOO_MUCH = {
    r"b'[]\n' * 21_000_000": "it answered with more",
    r"b'[' + b'[],' * 21_000_000 + b'0]\n'": "it answered with more",
    r"""b'{"printed":"a"}\n' * 4_000_000""": "it answered with more",
    r"""b'{"format"' + b' ' * 2**27 + b'\n'""": "it answered with more",
    r"""b'{"fault":' + b'[' * 100_000 + b'\n'""": "its process ended",
    r"""b'{"fault":[-1,"x"]}\n{"passes":[1e999],"labels":{}}\n'""": "its process ended",
    """GRAPH + b'"x":' + b'[' * 100_000 + b']' * 100_000 + ENDS""": f"{UNREAD}the file is nested too deeply",
    """GRAPH + b'"x":[' + b'[],' * 3_000_000 + b'0]' + ENDS""": f"{UNREAD}it has more than 2,000,000 values",
    """GRAPH + b'"x":0' + ENDS.replace(b'[],"la', b'[1],"la')""": f"{UNREAD}it comes with the lines of another",
}


@pytest.mark.parametrize("answer", TOO_MUCH, ids=[answer[:30] for answer in TOO_MUCH])
def test_an_answer_of_64_megabytes_or_a_thousand_brackets_took_half_a_minute_or_an_error(answer):
    fault = run(FORGED % answer).fault
    assert fault is not None and fault.sentence.startswith(TOO_MUCH[answer]) and "\n" not in fault.sentence


def test_signs_that_turn_the_order_of_letters_came_in_by_the_labels_of_a_script():
    graph = '{"format":"cadena","version":1,"nodes":[{"name":"x","op":"input","value":1.0}],"output":"x"}'
    told = '{"passes":[1],"lines":[1],"labels":{"x":"a\u202eb"},"remarks":[[1,"lost","a\u202eb",1]]}'
    result = run(FORGED % f"'''{graph}\\n{told}\\n'''.encode()")
    assert result.labels == {"x": "a\ufffdb"} and result.remarks[0].sentence == "a\ufffdb"
    assert run(FORGED % """'{"fault":[1,"a\u202eb"]}\\n'.encode()""").fault == ScriptFault(1, "a\ufffdb")


def test_half_a_pair_of_surrogates_is_printed_as_a_question_mark():
    assert run("print(chr(0xD800) + 'é')").printed == "?é\n"


PARENT = """
import sys
sys.path[:0] = {path!r}
from cadena.core.scripts.running import run

class Watcher:
    def begun(self, child):
        print(child.pid, flush=True)
    def reported(self, text):
        print(text, flush=True)

SCRIPT = '''
import time
print("asleep", end="")
while True:
    try:
        time.sleep(99)
    except Exception:
        pass
'''
run(SCRIPT, seconds=99, watcher=Watcher())
"""


def is_alive(process: int) -> bool:
    """Whether a process runs; one that has ended may wait for somebody to ask for its status."""
    with suppress(OSError):
        return Path(f"/proc/{process}/stat").read_text().rpartition(") ")[2][0] not in "ZX"
    return False


@pytest.mark.skipif(sys.platform != "linux", reason="the processes are read from /proc")
def test_a_script_that_sleeps_outlived_a_killed_program():
    command = [sys.executable, "-c", PARENT.format(path=[path for path in sys.path if path])]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as parent:
        script = int(parent.stdout.readline())
        assert parent.stdout.readline() == "asleep\n" and is_alive(script)
        parent.kill()
        until(lambda: not is_alive(script), "the script outlives the program")


def test_on_other_systems_a_script_ends_as_the_pipe_to_the_program_closes():
    start = running.START.replace("import main; main()", "import sys as s, _end_without_parent as watch")
    start += "; s.platform = 'other'; watch(); import time; print(flush=True); time.sleep(99)"
    command = [start if word == running.START else word for word in running._command()]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=running.ENVIRONMENT) as child:
        child.stdout.readline()
        assert child.poll() is None
        child.stdin.close()
        assert child.wait() == 1
