"""Many exported C++ programs compiled as one: what they share is compiled once."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Iterator, Sequence
from pathlib import Path

from cadena.core.languages.eigen.types import DECOMPOSITIONS, HEAD, HELPERS, TYPES
from tests.core.languages.programs import printed

AT_ONCE = 60
EIGEN = Path("/usr/include/eigen3")
OPTIONS = ("-std=c++17", "-O0", "-w", "-I", str(EIGEN))


def why_not() -> str:
    """What is missing to compile with Eigen; nothing where all is there."""
    if shutil.which("g++") is None:
        return "g++ is missing; apt-get install g++"
    return "" if EIGEN.is_dir() else "Eigen is missing; apt-get install libeigen3-dev"


def own_part(program: str) -> tuple[str, str]:
    """The size of a program's derivatives, and what no other program has: its functions and main."""
    for shared in (HEAD, DECOMPOSITIONS, TYPES, *HELPERS.values()):
        program = program.replace(shared.strip() + "\n", "")
    before, _, rest = program.partition("constexpr int size = ")
    size, _, own = rest.partition(";")
    assert "using Scalar" in before and "#include" not in own
    return size, own.partition("\n")[2]


def together(programs: Sequence[str], scalar: str) -> str:
    """One program that runs all, with a line before what each prints."""
    shared = [HEAD, DECOMPOSITIONS, f"using Scalar = {scalar};\nint size = 0;", TYPES, *HELPERS.values()]
    parts, calls = [], []
    for number, program in enumerate(programs):
        size, own = own_part(program)
        parts.append(f"namespace p{number} {{\n{own.replace('int main() {', 'void run() {')}\n}}")
        calls.append(f'std::cout << "program\\n"; size = {size}; p{number}::run();')
    return "\n\n".join([*shared, *parts, "int main() {", *calls, "}\n"])


def run_all(
    programs: Sequence[str], folder: Path, scalar: str = "double", each: int = 60
) -> Iterator[dict[str, object]]:
    """What each program printed; they are compiled some at a time, since g++ wants a lot of memory for many."""
    for start in range(0, len(programs), AT_ONCE):
        source, binary = folder / f"all{start}.cpp", folder / f"all{start}"
        source.write_text(together(programs[start : start + AT_ONCE], scalar))
        compiled = subprocess.run(["g++", *OPTIONS, str(source), "-o", str(binary)], capture_output=True, text=True)
        assert compiled.returncode == 0, compiled.stderr[:3000]
        done = subprocess.run([str(binary)], capture_output=True, text=True, check=True, cwd=folder)
        yield from map(printed, done.stdout.split("program\n")[1:])
