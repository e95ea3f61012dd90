"""What is told of parallel loops: `parallel_diagnostics`, and warnings at their lines."""

import inspect
import io
import warnings

import numpy as np
import pytest

from pyopt import njit, prange
from pyopt.errors import OptionError, ParallelSafetyWarning
from pyopt.extending import reduction


@njit(parallel=True)
def chained(a, b):
    c = np.sin(a) * 2
    d = c + b
    total = d.sum()
    for i in prange(3):
        b[i] = total
    return total


def line_of(text):
    lines, first = inspect.getsourcelines(chained.py_func)
    return first + next(at for at, line in enumerate(lines) if text in line)


def reported(function, **options):
    file = io.StringIO()
    function.parallel_diagnostics(file=file, **options)
    return file.getvalue()


def test_levels():
    chained(np.ones(4), np.ones(4))
    one, two, three = (reported(chained, level=level) for level in (1, 2, 3))
    # Loops are marked beside the source, as they were before fusion.
    assert "d = c + b" in one
    marks = {line.partition("|")[0].strip(" -"): line.partition("|")[2] for line in one.splitlines()}
    assert marks["d = c + b"] == " #0" and marks["total = d.sum()"] == " #1"
    assert marks["for i in prange(3):"] == " #2" and marks["return total"] == ""
    assert "Fusing" not in one
    # Loops keep their numbers.
    assert "loop #1 of chained: reduction sum over 1 dimension" in one
    fused = f"#1, line {line_of('d.sum()')}: fused with #0, the loop of array_expr at {__file__}"
    assert f"{fused}:{line_of('d = c + b')}" in two
    refused = (
        "not fused with the loop that computes its operand: the loops aren't known to run over equal spaces"
    )
    computes = f"#1, the loop of reduction sum at {__file__}:{line_of('d.sum()')}"
    assert f"#2, line {line_of('prange')}: {refused} ({computes})" in two
    assert "reduces by add" in three and "reduces by add" not in two


@njit(parallel=True)
def nested(n):
    out = np.zeros((n, n))
    for i in prange(n):
        row = np.zeros(n)
        for j in prange(n):
            row[j] = i * j + n * 2.5
        out[i] = row
    total = 0.0
    for i in prange(n):
        total += n * 1.5
    return out, total


def section(text, title):
    return text.partition(f" {title} ")[2].partition("\n\n-")[0].splitlines()[1:]


def test_nests_before_and_after():
    nested(3)
    four, three = (reported(nested, level=level) for level in (4, 3))
    before = section(four, "Before optimisation")
    inner = next(line for line in before if line.startswith("   +--"))
    number = inner.strip().removeprefix("+--").partition(" ")[0]
    assert inner.endswith(" (serial)")
    marked = next(line for line in four.splitlines() if "for j in prange(n):" in line)
    assert marked.endswith(f"-| {number}")
    after = section(four, "After optimisation")
    assert any(line.startswith(f"   +--{number} (serial)") for line in after)
    assert f"loop {number} of nested: prange over 1 dimension" in four
    # Loops inside of others are told of at the highest level.
    assert not any(line.startswith("   ") for line in section(three, "After optimisation"))


def test_fused_loops_in_nests():
    chained(np.ones(4), np.ones(4))
    two = reported(chained, level=2)
    assert section(two, "Before optimisation") == ["+--#0 (parallel)", "+--#1 (parallel)", "+--#2 (parallel)"]
    assert section(two, "After optimisation")[:2] == ["+--#1 (parallel, fused with #0)", "+--#2 (parallel)"]


def test_hoisting_names_the_source():
    nested(3)
    instructions = "\n".join(section(reported(nested, level=3), "Instruction hoisting"))
    assert "mul" in instructions and "[row[j] = i * j + n * 2.5]" in instructions
    assert "[total += n * 1.5]" in instructions
    allocations = section(reported(nested, level=3), "Allocation hoisting")
    assert any(line.endswith("[row = np.zeros(n)]") for line in allocations), allocations


@reduction(identity=0)
def merged(a, b):
    return a + b


@njit(parallel=True)
def reduces_much(m):
    best, where = -1.0, -1
    low, at = 1.0, -1
    rows = np.zeros(3)
    together = 0
    acc = 0
    for i in prange(len(m)):
        if m[i, 0] > best:
            best, where = m[i, 0], i
        if m[i, 0] < low:
            low, at = m[i, 0], i
        rows += m[i]
        together = merged(together, i)
    for i in prange(len(m)):
        acc = merged(acc, i)
    return best, where, low, at, rows, together, acc


def test_reductions_are_told():
    reduces_much(np.ones((4, 3)))
    told = reported(reduces_much, level=3)
    assert "reduces by max with its place, min with its place, merged(), add of arrays" in told
    assert "reduces by merged()\n" in told


def test_html():
    page = reported(chained, signature=chained.signatures[0], html=True)
    assert page.startswith("<!DOCTYPE html>") and "&lt;" not in page.partition("<body>")[0]
    assert "<h2>Parallel loop listing</h2>" in page


def test_wrong_use():
    with pytest.raises(ValueError, match="between 1 and 4, not 5"):
        chained.parallel_diagnostics(level=5)
    serial = njit(lambda a: a + 1)
    serial(1)
    with pytest.raises(ValueError, match="isn't compiled with parallel=True"):
        serial.parallel_diagnostics()
    with pytest.raises(OptionError):
        njit(parallel={"nonsense": True})


def shifted(a):
    for i in prange(1, len(a)):
        a[i] = a[i - 1] + 1


def one_place(a):
    for i in prange(len(a)):
        a[0] += i


def recurrence(a):
    x = 0.0
    for i in prange(len(a)):
        x = x * 2 + a[i]
    return x


@pytest.mark.parametrize(
    ("function", "offset", "message"),
    [
        (shifted, 2, "an iteration of the prange writes an element that another one reads"),
        (one_place, 2, "every iteration of the prange writes here"),
        (recurrence, 2, "the iterations of this prange run one after another"),
    ],
)
def test_warnings_at_their_lines(function, offset, message):
    with pytest.warns(ParallelSafetyWarning, match=message) as caught:
        njit(parallel=True)(function)(np.ones(5))
    assert len(caught) == 1
    assert caught[0].filename == __file__
    assert caught[0].lineno == function.__code__.co_firstlineno + offset
    # Without threads there is nothing to warn of.
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        njit(function)(np.ones(5))
        njit(parallel={"prange": False})(function)(np.ones(5))


def test_warnings_can_be_errors():
    with warnings.catch_warnings():
        warnings.simplefilter("error", ParallelSafetyWarning)
        with pytest.raises(ParallelSafetyWarning):
            njit(parallel=True)(shifted)(np.ones(5))


def lookup(values, places, a):
    for i in prange(len(values)):
        a[places[i]] = values[i]


def own_rows(values, places, a):
    for i in prange(a.shape[0]):
        for j in range(a.shape[1]):
            a[i, j] += a[i, a.shape[1] - 1 - j]


def own_row_views(values, places, a):
    for i in prange(a.shape[0]):
        row = a[i]
        row[:] = row[::-1] * 2
        row[0] += 1


def pairs(values, places, a):
    for i in prange(len(values) // 2):
        values[2 * i] = values[2 * i + 1]


def from_the_end(values, places, a):
    n = len(values)
    for i in prange(n):
        values[n - 1 - i] += 1


def blocks(values, places, a):
    for i in prange(2):
        for j in range(2):
            values[2 * i + j] = i
        values[2 * i : 2 * i + 2] += 1


def cells(values, places, a):
    for i in prange(9):
        a[i // 3, i % 3] = i


def shifted_around(values, places, a):
    n = len(values)
    for i in prange(n):
        a[0, (i + 1) % n] = values[i]


def halves(values, places, a):
    n = len(values) // 2
    low, high = values[:n], values[n:]
    for i in prange(n):
        low[i] = high[i]


def own_neighbours(values, places, a):
    for i in prange(1, 4):
        a[0, i] = values[i - 1] + values[i + 1]


@pytest.mark.parametrize(
    "function",
    [
        lookup,
        own_rows,
        own_row_views,
        pairs,
        from_the_end,
        blocks,
        cells,
        shifted_around,
        halves,
        own_neighbours,
    ],
)
def test_what_is_right_or_cannot_be_told_is_not_warned_of(function):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        njit(parallel=True)(function)(np.arange(5.0), np.arange(5), np.ones((6, 6)))


def histogram(values, places, a):
    for i in prange(len(values)):
        a[0, places[i]] += values[i]


def remainder(values, places, a):
    for i in prange(len(values)):
        values[i % 4] = i


def quotient(values, places, a):
    for i in prange(len(values)):
        values[i // 2] += 1


def two_ways(values, places, a):
    for i in prange(len(values) - 1):
        values[i] /= values[i + 1]


def one_element(values, places, a):
    for i in prange(len(values)):
        values[0] = i


def all_elements(values, places, a):
    for i in prange(len(values)):
        values[:] = i


def row_below(values, places, a):
    for i in prange(a.shape[0] - 1):
        a[i] = a[i + 1]


def view_of_all_but_one(values, places, a):
    tail = values[1:]
    for i in prange(len(tail)):
        tail[i] = values[i]


def windows(values, places, a):
    for i in prange(len(values) - 2):
        values[i : i + 3] += 1


def spread(values, places, a):
    for i in prange(len(values) - 2):
        for j in range(3):
            values[i + j] += 1


def column_of_first(values, places, a):
    for i in prange(len(values)):
        values[i] = values[0] + 1


@pytest.mark.parametrize(
    ("function", "line", "message"),
    [
        (histogram, 2, "update elements at places that are looked up"),
        (remainder, 2, "writes an element that another one writes"),
        (quotient, 2, "writes an element that another one writes"),
        (two_ways, 2, "writes an element that another one reads"),
        (one_element, 2, "every iteration of the prange writes here"),
        (all_elements, 1, "every iteration assigns to the same array"),
        (row_below, 2, "writes an element that another one reads"),
        (view_of_all_but_one, 3, "writes an element that another one reads"),
        (windows, 2, "writes an element that another one"),
        (spread, 3, "writes an element that another one"),
        (column_of_first, 2, "writes an element that another one reads"),
    ],
)
def test_races_are_warned_of(function, line, message):
    with pytest.warns(ParallelSafetyWarning, match=message) as caught:
        njit(parallel=True)(function)(np.arange(5.0), np.arange(5), np.ones((6, 6)))
    assert [one.lineno for one in caught] == [function.__code__.co_firstlineno + line] * len(caught)
