"""Remainders as indices: on tori and rings, near the range of the divisor, far from it, and at the edges."""

import numpy as np
import pytest

from pyopt import njit, prange

LEAST, GREATEST = -(2**63), 2**63 - 1


def around(n, x):
    """The remainder as the index of an array that says which one it is: those of negative divisors count
    from the end."""
    named = np.arange(np.int64(7))
    place = np.empty(1, np.int64)
    place[0] = x
    return named[(place[0] + 1) % n]


def before(n, x):
    """The divisor is added first; a step as far as they go."""
    named = np.arange(np.int64(7))
    place = np.empty(1, np.int64)
    place[0] = x
    return named[(place[0] - 3 + n) % n] * 10 + named[(place[0] - 64) % n]


def torus(cells, reach):
    height, width = cells.shape
    out = np.zeros((height, width), np.int64)
    for y in range(height):
        for x in range(width):
            total = 0
            for dy in range(-1, 2):
                for dx in range(-reach, reach + 1):
                    total += (dy + 3 * dx) * cells[(y + dy) % height, (x + dx - 2) % width]
            out[y, x] = total
    return out


def ring(values, steps):
    n = values.size
    at = 0
    total = 0.0
    for step in range(steps):
        at = (at + 1) % n
        values[at] += step
        total += values[(at - 1) % n] * step
    return total


def deposit(xs, n):
    grid = np.zeros(8)
    for i in range(xs.size):
        column = int(xs[i])
        grid[column % n] += 1.0
        grid[(column + 1) % n] += xs[i] - column
    return grid


NEAR_POSITION = """
def near(values, n):
    out = np.zeros(n, np.int64)
    for i in {range}(n):
        out[i] = values[(i + {step}) % n] * 3 + values[(i - {step}) % n] * 5
        out[i] += values[({step} + i) % values.size]
    return out
"""


def made(template, **parts):
    """Make a function of text that says which package it is for."""
    scope = {"np": np, "prange": prange}
    exec(template.format(**parts), scope)
    return scope["near"]


def torus_of_rows(cells):
    """The rows are divided among threads."""
    height, width = cells.shape
    out = np.zeros((height, width), np.int64)
    for y in prange(height):
        for x in range(width):
            total = 0
            for dy in range(-1, 2):
                for dx in range(-1, 2):
                    total += (dy + 3 * dx) * cells[(y + dy) % height, (x + dx) % width]
            out[y, x] = total
    return out


def triangle(values, n):
    """A position that is bounded by another one, and by the lesser of two numbers."""
    total = 0
    for i in range(1, n):
        for j in range(i):
            total += values[(j + 1) % i] * 3 + values[(j - 1) % n]
        for j in range(min(i, n - 2)):
            total += values[(j + 1) % i] * 7
    return total


def wide_sum(x, step):
    """Sums of 64-bit integers wrap around in compiled code."""
    return (x + step + 2**63) % 2**64 - 2**63


@pytest.mark.parametrize("n", [-7, -3, -2, -1, 1, 2, 3, 5, 7])
def test_one_remainder(n):
    compiled = njit(around)
    near = [x for center in (0, n, -n, 2 * n) for x in range(center - 4, center + 5)]
    for x in [*near, 1000, -1000, 10**15, -(10**15), LEAST, LEAST + 1, GREATEST - 1, GREATEST]:
        assert compiled(n, x) == np.arange(7)[wide_sum(x, 1) % n], (x, n)


@pytest.mark.parametrize("n", [1, 2, 3, 5, 7])
def test_the_divisor_is_added_before(n):
    compiled = njit(before)
    for x in range(-3 * n - 70, 3 * n + 70):
        assert compiled(n, x) == before(n, x), (x, n)


@pytest.mark.parametrize("divisor", [LEAST, LEAST + 1, GREATEST, GREATEST - 1, 2**62, -(2**62)])
def test_divisors_at_the_edges(divisor):
    @njit
    def remainder(values, x, n):
        values[0] = x
        inside = (values[0] + 1) % n
        if -1 <= inside < 1:
            return values[inside] + 100
        return inside

    for x in [LEAST, LEAST + 5, -(2**62) - 1, -2, -1, 0, 1, 2**62, GREATEST - 5, GREATEST]:
        inside = wide_sum(x, 1) % divisor
        expected = x + 100 if -1 <= inside < 1 else inside
        assert remainder(np.zeros(1, np.int64), x, divisor) == wide_sum(expected, 0), x


def test_dividing_by_zero_raises():
    with pytest.raises(ZeroDivisionError, match="by zero"):
        njit(around)(0, 3)


@pytest.mark.parametrize("shape", [(0, 0), (0, 3), (1, 1), (1, 5), (2, 2), (3, 2), (4, 9), (17, 5)])
@pytest.mark.parametrize("reach", [0, 1, 4])
def test_a_torus(shape, reach):
    cells = np.random.default_rng(3).integers(-9, 9, shape)
    assert np.array_equal(njit(torus)(cells, reach), torus(cells, reach))


@pytest.mark.parametrize("size", [1, 2, 3, 8])
def test_a_ring(size):
    assert njit(ring)(np.ones(size), 50) == ring(np.ones(size), 50)


@pytest.mark.parametrize("n", [-8, -3, 1, 5, 8])
def test_from_floats(n):
    xs = np.random.default_rng(4).uniform(-30, 30, 200)
    assert np.allclose(njit(deposit)(xs, n), deposit(xs, n), rtol=1e-12)


@pytest.mark.parametrize("step", [-65, -64, -2, -1, 0, 1, 2, 3, 64, 65])
def test_steps_from_a_position_below_the_divisor(step):
    function = made(NEAR_POSITION, range="range", step=step)
    compiled = njit(function)
    for n in [0, 1, 2, 3, 4, 5, 63, 64, 65, 66, 130]:
        values = np.random.default_rng(n).integers(-99, 99, n)
        assert np.array_equal(compiled(values, n), function(values, n)), n


@pytest.mark.parametrize("step", [-2, -1, 1, 3])
def test_steps_on_threads(step):
    function = made(NEAR_POSITION, range="range", step=step)
    compiled = njit(parallel=True)(made(NEAR_POSITION, range="prange", step=step))
    for n in [0, 1, 2, 3, 4, 5, 1000, 100_000]:
        values = np.random.default_rng(n).integers(-99, 99, n)
        assert np.array_equal(compiled(values, n), function(values, n)), n


@pytest.mark.parametrize("shape", [(0, 3), (1, 1), (1, 5), (2, 2), (3, 2), (40, 90), (300, 200)])
def test_a_torus_on_threads(shape):
    cells = np.random.default_rng(3).integers(-9, 9, shape)
    expected = torus_of_rows(cells)
    assert np.array_equal(njit(parallel=True)(torus_of_rows)(cells), expected)
    assert np.array_equal(njit(torus_of_rows)(cells), expected)


def test_positions_with_other_bounds():
    compiled = njit(triangle)
    for n in range(12):
        values = np.random.default_rng(n).integers(-99, 99, 12)
        assert compiled(values, n) == triangle(values, n), n
