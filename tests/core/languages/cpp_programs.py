"""Many exported C++ programs compiled as one: what they share is compiled once."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path

from cadena.core.languages.eigen.types import DECOMPOSITIONS, HEAD, HELPERS, TYPES
from tests.core.languages.programs import printed

AT_ONCE = 200  # g++ wants a gigabyte for them
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


def brings(program: str, shared: str) -> bool:
    return shared.strip() + "\n" in program


def decomposes(program: str) -> bool:
    """Whether it includes Eigen's decompositions, which take g++ 18 seconds."""
    return brings(program, DECOMPOSITIONS)


def together(programs: Sequence[str], scalar: str) -> str:
    """One program that runs all, with a line before what each prints."""
    head = [HEAD, *([DECOMPOSITIONS] if any(map(decomposes, programs)) else [])]
    helpers = [text for text in HELPERS.values() if any(brings(program, text) for program in programs)]
    parts, calls = [], []
    for number, program in enumerate(programs):
        size, own = own_part(program)
        parts.append(f"namespace p{number} {{\n{own.replace('int main() {', 'void run() {')}\n}}")
        calls.append(f'std::cout << "program\\n"; size = {size}; p{number}::run();')
    shared = [*head, f"using Scalar = {scalar};\nint size = 0;", TYPES, *helpers]
    return "\n\n".join([*shared, *parts, "int main() {", *calls, "}\n"])


def run_all(programs: Sequence[str], folder: Path, scalar: str = "double") -> list[dict[str, object]]:
    """What each program printed. Those with decompositions are compiled apart, so that the others need none."""
    found: dict[int, dict[str, object]] = {}
    for apart in (False, True):
        alike = [number for number, program in enumerate(programs) if decomposes(program) == apart]
        for start in range(0, len(alike), AT_ONCE):
            numbers = alike[start : start + AT_ONCE]
            made = _run_together([programs[number] for number in numbers], folder / f"{apart}{start}", scalar)
            found.update(zip(numbers, made, strict=True))
    return [found[number] for number in range(len(programs))]


def _run_together(programs: Sequence[str], binary: Path, scalar: str) -> list[dict[str, object]]:
    source = binary.with_suffix(".cpp")
    source.write_text(together(programs, scalar))
    compiled = subprocess.run(["g++", *OPTIONS, str(source), "-o", str(binary)], capture_output=True, text=True)
    assert compiled.returncode == 0, compiled.stderr[:3000]
    done = subprocess.run([str(binary)], capture_output=True, text=True, check=True, cwd=binary.parent)
    return [printed(text) for text in done.stdout.split("program\n")[1:]]
