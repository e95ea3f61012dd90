"""Parallel programs and stencils, compiled and interpreted."""

import subprocess
import sys

import numpy as np
import pytest
from differential import check

from pyopt import get_num_threads, njit, prange, set_num_threads, stencil

RANDOM = np.random.default_rng(11)


def sum_reduction(n):
    total = 0.0
    for i in prange(n):
        total += i * 0.5
    return total


def integer_reduction(n):
    acc = 3
    for k in prange(n):
        if k % 3 != 0:
            acc += k
    return acc


def product_reduction(xs):
    result = 1.0
    for i in prange(len(xs)):
        result *= xs[i]
    return result


def two_reductions(xs):
    low = 1e300
    total = 0.0
    for i in prange(xs.shape[0]):
        total += xs[i]
        low = min(low, xs[i])
    return total, low


def bounds_and_step(xs):
    total = 0.0
    for i in prange(2, len(xs), 3):
        total += xs[i]
    return total


@pytest.mark.parametrize("n", [0, 1, 2, 1000, 100_003])
@pytest.mark.parametrize("function", [sum_reduction, integer_reduction])
def test_reductions_over_ranges(function, n):
    check(function, (n,), parallel=True, rtol=1e-12)


@pytest.mark.parametrize("n", [0, 1, 5, 50_000])
@pytest.mark.parametrize("function", [product_reduction, two_reductions, bounds_and_step])
def test_reductions_over_arrays(function, n):
    xs = RANDOM.random(n) * 1e-4 + 1
    check(function, (xs,), (xs[::-1],), parallel=True, rtol=1e-10)


def row_sums(m):
    out = np.zeros(m.shape[0])
    for i in prange(m.shape[0]):
        acc = 0.0
        for j in range(m.shape[1]):
            acc += m[i, j]
        out[i] = acc
    return out


def scale_rows(m, factor):
    for i in prange(m.shape[0]):
        for j in range(m.shape[1]):
            m[i, j] = m[i, j] * factor + i
    return m


def parallel_mandelbrot(image):
    for i in prange(image.shape[0]):
        for j in range(image.shape[1]):
            x, y, n = 0.0, 0.0, 0
            while x * x + y * y < 4.0 and n < 40:
                x, y = x * x - y * y + j * 0.01 - 2, 2 * x * y + i * 0.01 - 1
                n += 1
            image[i, j] = n


@pytest.mark.parametrize("order", ["C", "F"])
@pytest.mark.parametrize("shape", [(0, 3), (1, 1), (300, 41)])
def test_parallel_rows(shape, order):
    matrix = np.asarray(RANDOM.random(shape), order=order)
    check(row_sums, (matrix,), (matrix[::-1],), parallel=True, rtol=1e-12)
    check(scale_rows, (matrix, 2.5), (matrix[:, ::-1], 3), parallel=True)
    check(parallel_mandelbrot, (np.zeros(shape, "i4", order=order),), parallel=True)


def chain(x, y):
    a = x * 2.0 + y
    b = np.sqrt(a * a + 1.0)
    c = b - x
    return c.sum()


def chain_with_result(x, y):
    a = x + y
    b = a * a
    return b, (b - 1.0).sum()


@pytest.mark.parametrize("n", [0, 1, 7, 100_001])
@pytest.mark.parametrize("function", [chain, chain_with_result])
def test_chains_of_array_expressions(function, n):
    check(function, (RANDOM.random(n), RANDOM.random(n)), parallel=True, rtol=1e-10)


def test_switched_off_transformations_give_the_same():
    xs = RANDOM.random(1000)
    for name in ("fusion", "reduction", "numpy", "prange"):
        check(two_reductions, (xs,), parallel={name: False}, rtol=1e-12)


def test_exceptions_leave_parallel_loops():
    def function(xs):
        for i in prange(len(xs)):
            if xs[i] < 0:
                raise ValueError("negative value")
            xs[i] = 0.0
        return xs

    bad = np.ones(10_000)
    bad[7777] = -1
    check(function, (np.ones(10),), (bad,), parallel=True, written=False)


def test_number_of_threads():
    count = get_num_threads()
    set_num_threads(1)
    assert get_num_threads() == 1
    check(sum_reduction, (100_000,), parallel=True, rtol=1e-12)
    set_num_threads(count)
    for wrong in (0, 100_000):
        with pytest.raises(ValueError, match="number of threads"):
            set_num_threads(wrong)


def test_the_environment_sets_the_number_of_threads():
    program = "import pyopt; print(pyopt.get_num_threads())"
    for value, expected in (("3", "3"), ("x", "PYOPT_NUM_THREADS must be a number")):
        environment = {"PYOPT_NUM_THREADS": value, "PYTHONPATH": ":".join(sys.path)}
        result = subprocess.run(
            [sys.executable, "-c", program], env=environment, capture_output=True, text=True, check=False
        )
        assert expected in result.stdout + result.stderr


# Stencils


@stencil
def five_point(a):
    return 0.25 * (a[0, 1] + a[1, 0] + a[0, -1] + a[-1, 0]) - a[0, 0]


@stencil(cval=1.5)
def lopsided(grid):
    return grid[-2, 1] + grid[0, 0] * 2


@stencil(neighborhood=((-1, 1), (0, 2)))
def summed(m):
    total = 0.0
    for i in range(-1, 2):
        for j in range(0, 3):
            total += m[i, j]
    return total


@stencil
def two_arrays(a, b):
    return a[0, 0] - b[1, 1]


@stencil(standard_indexing=("w",))
def weighted(a, w):
    return w[0] * a[-1] + w[1] * a[0] + w[2] * a[1]


def expected_stencil(kernel, low, high, array, *others, cval=0.0, out=None):
    """Apply a kernel in the interpreter, through views that are centred at each element."""

    class Centred:
        def __init__(self, array, at):
            self.array, self.at = array, at

        def __getitem__(self, offset):
            offset = offset if isinstance(offset, tuple) else (offset,)
            return self.array[tuple(one + two for one, two in zip(self.at, offset, strict=True))]

    result = np.full(array.shape, cval) if out is None else out
    for at in np.ndindex(*array.shape):
        if all(a + lo >= 0 and a + hi < n for a, lo, hi, n in zip(at, low, high, array.shape, strict=True)):
            centred = [one if one.ndim != array.ndim or one.size == 3 else Centred(one, at) for one in others]
            result[at] = kernel(Centred(array, at), *centred)
    return result


GRID = RANDOM.random((9, 11))
CASES = {
    "five_point": (five_point, (-1, -1), (1, 1), (GRID,), 0.0),
    "lopsided": (lopsided, (-2, 0), (0, 1), (GRID,), 1.5),
    "summed": (summed, (-1, 0), (1, 2), (GRID,), 0.0),
    "two_arrays": (two_arrays, (0, 0), (1, 1), (GRID, GRID * 3), 0.0),
    "weighted": (weighted, (-1,), (1,), (RANDOM.random(20), np.array([0.25, 0.5, 0.25])), 0.0),
}


@pytest.mark.parametrize("mode", ["python", "serial", "parallel"])
@pytest.mark.parametrize("name", CASES)
def test_stencils(name, mode):
    kernel, low, high, args, cval = CASES[name]
    expected = expected_stencil(kernel.py_func, low, high, *args, cval=cval)
    if len(args) == 1:
        apply = kernel if mode == "python" else njit(parallel=mode == "parallel")(lambda a: kernel(a))
    else:
        apply = kernel if mode == "python" else njit(parallel=mode == "parallel")(lambda a, b: kernel(a, b))
    np.testing.assert_allclose(apply(*args), expected, rtol=1e-14)
    if args[0].ndim == 2:
        flipped = tuple(np.asfortranarray(one) for one in args)
        np.testing.assert_allclose(apply(*flipped), expected, rtol=1e-14)


@pytest.mark.parametrize("parallel", [False, True])
def test_stencils_into_an_array(parallel):
    out = np.full(GRID.shape, 7.0)
    expected = expected_stencil(five_point.py_func, (-1, -1), (1, 1), GRID, out=out.copy())
    assert five_point(GRID, out=out) is out
    np.testing.assert_allclose(out, expected)
    out = np.full(GRID.shape, 7.0)
    njit(parallel=parallel)(lambda a, target: five_point(a, out=target))(GRID, out)
    np.testing.assert_allclose(out, expected)


def test_a_chain_of_stencils():
    def smooth(a, times):
        for _ in range(times):
            a = five_point(a) + a
        return a

    expected = GRID
    for _ in range(3):
        expected = expected_stencil(five_point.py_func, (-1, -1), (1, 1), expected) + expected
    for parallel in (False, True):
        np.testing.assert_allclose(njit(parallel=parallel)(smooth)(GRID, 3), expected, rtol=1e-13)


def test_broken_stencils():
    @stencil(neighborhood=((-1, 1),))
    def one_dimensional(a):
        return a[0, 1]

    with pytest.raises(ValueError, match="neighborhood"):
        one_dimensional(GRID)

    @stencil
    def not_constant(a, n):
        return a[n]

    with pytest.raises(ValueError, match="constant"):
        not_constant(GRID[0], 1)

    @stencil(cval=1j)
    def wrong_border(a):
        return a[1]

    with pytest.raises(ValueError, match="cval"):
        wrong_border(GRID[0])
