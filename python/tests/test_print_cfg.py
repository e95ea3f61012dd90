"""Control flow graphs as ``py-print-cfg`` prints them: compared with Numba's dump of the same functions."""

import contextlib
import io
import re
from collections import namedtuple

import pytest
from tools import pyopt, translate

SOURCE = """
def straight(a, b):
    return a * b + a

def branch(a):
    if a > 1:
        return 1
    return 2

def conditional(a, b):
    return (a if a > b else b) + 1

def short_circuit(a, b, c):
    return a and b or c

def chained(a, b, c):
    return a < b < c

def while_sum(n):
    total = 0
    while n > 0:
        total += n
        n -= 1
    return total

def nested(n):
    total = 0
    for i in range(n):
        for j in range(i):
            if i == j:
                continue
            total += j
    return total

def breaks(n):
    for i in range(n):
        if i * i > n:
            break
    else:
        return -1
    return i

def while_in_for(n):
    total = 0
    for i in range(n):
        while total > 3:
            total -= 1
            if total == 7:
                break
        total += i
    return total

def two_loops(n):
    total = 0
    for i in range(n):
        total += i
    for j in range(total):
        total -= j
        if total < 0:
            return j
    return total

def forever(n):
    while True:
        n += 1

def raises(x):
    if x == 0:
        raise ValueError("zero")
    elif x < 0:
        raise TypeError
    return 1 / x

def if_chain(x):
    if x < 1:
        y = 1
    elif x < 2:
        y = 2
    elif x < 3:
        y = 3
    else:
        y = 4
    return y
"""

Loop = namedtuple("Loop", "entries exits header body")
SECTIONS = (
    "adjacency lists",
    "dominators",
    "post-dominators",
    "back edges",
    "loops",
    "node-to-loops",
    "backbone",
)


def sections(text):
    """Read the sections of a dump."""
    found = {}
    for part in re.split(r"^CFG ", text, flags=re.MULTILINE)[1:]:
        title, _, value = part.partition(":")
        found[title] = eval(value, {"Loop": Loop})  # noqa: S307
    return found


@pytest.fixture(scope="module")
def printed(tmp_path_factory):
    """The sections that pyopt prints, by function."""
    path = tmp_path_factory.mktemp("cfg") / "functions.py"
    path.write_text(SOURCE)
    text = pyopt("--py-print-cfg", "-o", "/dev/null", input=translate(path)).decode()
    parts = re.split(r"^CFG of '(\w+)':$", text, flags=re.MULTILINE)[1:]
    return {name: sections(body) for name, body in zip(parts[::2], parts[1::2], strict=True)}


def test_every_section_is_printed_for_every_function(printed):
    assert list(printed) == re.findall(r"def (\w+)", SOURCE)
    for found in printed.values():
        assert tuple(found) == SECTIONS


def test_loops_of_a_nest(printed):
    nest = printed["nested"]
    (outer, around), (inner, within) = sorted(nest["loops"].items())
    assert around.body > within.body
    assert nest["node-to-loops"][inner] == [inner, outer]
    assert {end for _, end in nest["back edges"]} == {outer, inner}


def test_sections_are_numbas(printed):
    pytest.importorskip("numba", reason="Numba isn't installed: only the fixed expectations are checked")
    namespace = {}
    exec(compile(SOURCE, "functions.py", "exec"), namespace)  # noqa: S102
    for name, ours in printed.items():
        assert ours == numba_sections(namespace[name]), name


def numba_sections(function):
    """Give the sections of Numba's dump, with the offsets that CPython has."""
    from numba.core import config
    from numba.core.compiler import run_frontend

    output = io.StringIO()
    config.DUMP_CFG = 1
    try:
        with contextlib.redirect_stdout(output):
            run_frontend(function)
    finally:
        config.DUMP_CFG = 0
    # Numba puts a block of two bytes before the first instruction and joins it with that.
    text = re.sub(r"\d+", lambda number: str(max(int(number[0]) - 2, 0)), output.getvalue())
    return sections(text)
