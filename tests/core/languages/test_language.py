"""One table serves both directions: what is written with a name is what the name means when it is read."""

from __future__ import annotations

import ast
from contextlib import suppress
from importlib import import_module

import pytest

from cadena.core.languages.language import Site, helpers, literal
from cadena.core.languages.record import LANGUAGES as RECORDS
from cadena.core.languages.record import READ
from cadena.core.ops.primitive import REGISTRY
from cadena.core.run.plan import make_plan
from tests.core.languages.programs import PROGRAMS, of_record

LANGUAGES = {name: writer.language for name, writer in PROGRAMS.items()}


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_operation_has_a_row_or_a_definition_and_no_row_is_of_another(language):
    assert set(LANGUAGES[language].rows) <= set(REGISTRY)
    assert all(REGISTRY[op].definition for op in set(REGISTRY) - set(LANGUAGES[language].rows))
    assert set(LANGUAGES[language].aliases) <= set(REGISTRY)


def sites(op):
    """The places where the operation stands in its examples."""
    for document in of_record(REGISTRY[op]):
        plan = make_plan(document, document.output, None)
        number = plan.index["y"]
        step = plan.instruction_of[number]
        shapes = [plan.shapes[operand] for operand in step.operands]
        yield Site(step.primitive, step.attributes, shapes, plan.shapes[number], "float64")


def read_back(text, language):
    """The operations that a written call may mean, with operands and attributes; none for more than a call."""
    tree = ast.parse(text, mode="eval").body
    if isinstance(tree, ast.Call) and not any(isinstance(item, ast.Starred) for item in tree.args):
        try:
            arguments = [value(item) for item in tree.args]
            keywords = {item.arg: value(item.value) for item in tree.keywords}
        except ValueError:
            return
        for read in language.signatures.get(ast.unparse(tree.func), ()):
            with suppress(TypeError):  # another operation of the same name
                yield read.op, *read.bind(arguments, keywords)


def value(tree):
    if isinstance(tree, ast.Name):
        return tree.id
    if isinstance(tree, ast.List):
        return [value(item) for item in tree.elts]
    return ast.literal_eval(tree)


def same(one, other):
    return literal(one) == literal(other)


@pytest.mark.parametrize("name", LANGUAGES)
def test_what_is_written_means_the_same_when_it_is_read(name):
    language, count = LANGUAGES[name], 0
    for op, row in language.rows.items():
        for site in sites(op) if isinstance(row, str) else ():
            operands = [f"x{slot}" for slot in range(len(site.shapes))]
            found = {meant: (given, rest) for meant, given, rest in read_back(language.write(site, operands), language)}
            if op not in found:
                continue
            given, attributes = found[op]
            assert given == operands, (op, given)
            assert all(same(attributes[key], site[key]) for key in attributes), (op, attributes, site.attributes)
            count += 1
    assert count > 100


def test_torch_reads_methods_operators_and_other_names():
    read = LANGUAGES["torch"].signatures
    assert read["torch.sum"][0].bind(["x", 0], {}) == (["x"], {"axis": 0, "keepdims": False})
    assert read["torch.mm"][0].op == "matmul"
    assert read["*"][0].op == "multiply"
    assert read["torch.var"][0].bind(["x"], {})[1]["ddof"] == 1


def test_a_name_with_an_argument_that_must_be_so_is_another_operation():
    meant = {read.op: read for read in LANGUAGES["torch"].signatures["torch.div"]}
    assert set(meant) == {"divide", "floor_divide"}
    floor = meant["floor_divide"]
    assert floor.bind(["x", "y"], {"rounding_mode": "floor"}) == (["x", "y"], {})
    with pytest.raises(TypeError, match="means floor_divide with rounding_mode='floor' alone"):
        floor.bind(["x", "y"], {})


def test_helpers_are_told_apart_by_their_names():
    found = helpers("def f(x):\n    return x\n\n\n# why\ndef g(x):\n    return f(x)\n")
    assert found == {"f": "def f(x):\n    return x", "g": "# why\ndef g(x):\n    return f(x)"}


@pytest.mark.parametrize("name", LANGUAGES)
def test_a_helper_brings_those_that_it_needs_itself(name):
    language = LANGUAGES[name]
    for helper in language.helpers:
        needed = language.needs([helper])[1]
        assert all(other in needed for other in language.helper_uses[helper] if other in language.helpers)


@pytest.mark.parametrize(
    ("given", "text"),
    [
        ([1, 2], "(1, 2)"), ([1], "(1,)"), (None, "None"), (True, "True"), (float("inf"), 'float("inf")'),
        ([[0, 1], [2, 3]], "((0, 1), (2, 3))"), ("same", '"same"'), (1e-05, "1e-05"), ('a"b', "'a\"b'"),
    ],
)  # fmt: skip
def test_attributes_are_written_as_python_has_them(given, text):
    assert literal(given) == text


def test_every_language_has_a_writer_and_one_that_is_read_the_package_that_reads_it():
    assert all(callable(record.write) for record in RECORDS.values())
    assert {name for name, record in RECORDS.items() if record.reader} <= set(PROGRAMS)
    for record in READ.values():
        reader = import_module(f"{record.reader}.modules")
        assert record.name in reader.MODULES and isinstance(reader.PASSES, list) and callable(reader.operate)
