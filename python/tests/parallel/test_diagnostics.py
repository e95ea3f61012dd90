"""What is told of parallel loops: `parallel_diagnostics`, and warnings at their lines."""

import inspect
import io
import warnings

import numpy as np
import pytest

from pyopt import njit, prange
from pyopt.errors import OptionError, ParallelSafetyWarning


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
    assert "loop #0 of chained: reduction sum over 1 dimension" in one
    assert f"line {line_of('d.sum()')}: fused with the loop of array_expr at {__file__}" in two
    refused = (
        "not fused with the loop that computes its operand: the loops aren't known to run over equal spaces"
    )
    assert f"line {line_of('prange')}: {refused}" in two
    assert "reduces by add" in three and "reduces by add" not in two


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


def histogram(values, counts):
    for i in prange(len(values)):
        counts[values[i]] += 1


def own_rows(a):
    for i in prange(a.shape[0]):
        for j in range(a.shape[1]):
            a[i, j] += a[i, a.shape[1] - 1 - j]


@pytest.mark.parametrize(
    ("function", "arguments"),
    [(histogram, (np.arange(5), np.zeros(5))), (own_rows, (np.ones((3, 4)),))],
)
def test_what_cannot_be_told_is_not_warned_of(function, arguments):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        njit(parallel=True)(function)(*arguments)
