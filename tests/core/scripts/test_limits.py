"""Scripts that try to get out. What they reach for is found by way of modules that they may import."""

from __future__ import annotations

import pytest

from cadena.core.scripts.running import run

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
    assert fault is not None and fault.sentence.endswith("let it do less")


def test_what_the_process_says_is_read_as_text_and_never_believed():
    lies = '{"format": "[1]"}\\n{"lines": {}, "labels": {}, "remarks": [], "passes": []}'
    text = f"import warnings\nos = warnings.sys.modules['os']\nos.write(1, b'''{lies}\\n''')\nos._exit(0)"
    fault = run(text).fault
    assert fault is not None and fault.sentence.startswith("its graph cannot be read: ")
