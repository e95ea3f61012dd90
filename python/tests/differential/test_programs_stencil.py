"""Stencils from Python, from compiled and from parallel functions, against the kernel in the interpreter."""

import numpy as np
import pytest
from arrays import LAYOUTS_2D, laid_out, matrix, vector
from compare import assert_same, clone, compile_once

from pyopt import njit, stencil

CALLERS = {
    "python": lambda kernel, count: kernel,
    "serial": lambda kernel, count: _caller(kernel, count, False),
    "parallel": lambda kernel, count: _caller(kernel, count, True),
}
MODES = pytest.mark.parametrize("mode", CALLERS)
_callers = {}


def _caller(kernel, count, parallel):
    key = (kernel, count, parallel)
    if key not in _callers:
        function = [lambda a: kernel(a), lambda a, b: kernel(a, b)][count - 1]
        _callers[key] = compile_once(function, parallel=True) if parallel else compile_once(function)
    return _callers[key]


class Centred:
    """An array as a kernel sees it at one element."""

    def __init__(self, array, at):
        self.array, self.at = array, at

    def __getitem__(self, offset):
        offset = offset if isinstance(offset, tuple) else (offset,)
        found = self.array[tuple(one + two for one, two in zip(self.at, offset, strict=True))]
        return found.item() if found.dtype.kind in "iu" else found


def interpreted(kernel, low, high, array, *others, cval=0, standard=(), dtype=None):
    """Apply a kernel's Python function to every element whose neighbourhood is inside the array."""
    result = np.full(array.shape, cval, dtype or np.float64)
    for at in np.ndindex(*array.shape):
        inside = all(
            0 <= place + first and place + last < extent
            for place, first, last, extent in zip(at, low, high, array.shape, strict=True)
        )
        if inside:
            rest = [one if index in standard else Centred(one, at) for index, one in enumerate(others)]
            result[at] = kernel.py_func(Centred(array, at), *rest)
    return result


@stencil
def five_point(a):
    return 0.2 * (a[0, 0] + a[-1, 0] + a[1, 0] + a[0, -1] + a[0, 1])


@stencil
def five_point_renamed(grid):
    return 0.2 * (grid[0, 0] + grid[-1, 0] + grid[1, 0] + grid[0, -1] + grid[0, 1])


@stencil
def five_point_reordered(a):
    return (a[0, 1] + a[0, -1] + a[0, 0] + a[1, 0] + a[-1, 0]) * 0.2


@stencil
def laplacian(a):
    centre = a[0, 0]
    around = a[-1, 0] + a[1, 0] + a[0, -1] + a[0, 1]
    return around - 4.0 * centre


@stencil
def weighted(a):
    return a[0, 0] * 0.5 + 0.125 * a[-1, 0] + 0.125 * a[1, 0] + 0.125 * a[0, -1] + 0.125 * a[0, 1]


@stencil
def nine_point(a):
    total = a[-1, -1] + a[-1, 0] + a[-1, 1]
    total += a[0, -1] + a[0, 0] + a[0, 1]
    total += a[1, -1] + a[1, 0] + a[1, 1]
    return total / 9.0


@stencil
def wide(a):
    return a[-2, 0] + a[2, 0] - a[0, -3] * a[0, 3]


@stencil
def one_sided(a):
    return a[0, 0] - a[-1, 0] - a[0, -2]


@stencil
def only_forward(a):
    return a[1, 2] - a[0, 0]


@stencil
def branching(a):
    if a[0, 0] > a[1, 0]:
        return a[0, 0] - a[1, 0]
    return a[0, 1] + a[0, -1]


@stencil
def clipped(a):
    value = a[-1, 0] + a[1, 0]
    return max(min(value, 5.0), -5.0)


@stencil
def with_root(a):
    return np.sqrt(a[0, 1] * a[0, 1] + a[1, 0] * a[1, 0])


@stencil(cval=2.5)
def with_border(a):
    return a[0, 1] + a[1, 0]


@stencil(neighborhood=((-1, 1), (-2, 2)))
def looped(a):
    total = 0.0
    for i in range(-1, 2):
        for j in range(-2, 3):
            total += a[i, j]
    return total


@stencil(neighborhood=((-2, 2), (-2, 2)))
def wider_than_needed(a):
    return a[0, 0] + a[0, 1]


KERNELS = {
    "five_point": (five_point, (-1, -1), (1, 1), 0),
    "five_point_renamed": (five_point_renamed, (-1, -1), (1, 1), 0),
    "five_point_reordered": (five_point_reordered, (-1, -1), (1, 1), 0),
    "laplacian": (laplacian, (-1, -1), (1, 1), 0),
    "weighted": (weighted, (-1, -1), (1, 1), 0),
    "nine_point": (nine_point, (-1, -1), (1, 1), 0),
    "wide": (wide, (-2, -3), (2, 3), 0),
    "one_sided": (one_sided, (-1, -2), (0, 0), 0),
    "only_forward": (only_forward, (0, 0), (1, 2), 0),
    "branching": (branching, (0, -1), (1, 1), 0),
    "clipped": (clipped, (-1, 0), (1, 0), 0),
    "with_root": (with_root, (0, 0), (1, 1), 0),
    "with_border": (with_border, (0, 0), (1, 1), 2.5),
    "looped": (looped, (-1, -2), (1, 2), 0),
    "wider_than_needed": (wider_than_needed, (-2, -2), (2, 2), 0),
}


@MODES
@pytest.mark.parametrize("name", KERNELS)
def test_kernels(name, mode):
    kernel, low, high, cval = KERNELS[name]
    for shape in ((7, 9), (3, 3), (1, 1), (0, 4), (40, 50)):
        a = matrix(*shape)
        (kept,) = clone((a,))
        got = CALLERS[mode](kernel, 1)(a)
        assert_same(got, interpreted(kernel, low, high, a, cval=cval))
        assert_same(a, kept, where="input")


@MODES
@pytest.mark.parametrize("layout", LAYOUTS_2D)
@pytest.mark.parametrize("name", ["five_point", "wide", "looped"])
def test_layouts(name, layout, mode):
    kernel, low, high, cval = KERNELS[name]
    a = matrix(8, 11, "f8", layout)
    assert_same(CALLERS[mode](kernel, 1)(a), interpreted(kernel, low, high, a, cval=cval))


@stencil
def integers(a):
    return a[-1, 0] * 2 - a[0, 1]


@MODES
@pytest.mark.parametrize("dtype", ["i8", "i4", "f4", "u1"])
def test_other_types(dtype, mode):
    a = matrix(6, 7, dtype)
    if dtype == "f4":
        got = CALLERS[mode](five_point, 1)(a)
        np.testing.assert_allclose(got, interpreted(five_point, (-1, -1), (1, 1), a), rtol=1e-6)
    else:
        got = CALLERS[mode](integers, 1)(a)
        assert got.dtype.kind in "iu"
        np.testing.assert_array_equal(got.astype("i8"), interpreted(integers, (-1, 0), (0, 1), a, dtype="i8"))


@stencil
def three_point(a):
    return (a[-1] + a[0] + a[1]) / 3.0


@stencil(cval=-1.0)
def difference(x):
    return x[1] - x[-1]


@stencil
def cube(a):
    return a[0, 0, 1] + a[0, -1, 0] + a[1, 0, 0]


@MODES
def test_other_ranks(mode):
    for n in (0, 1, 2, 3, 50):
        a = vector(n)
        assert_same(CALLERS[mode](three_point, 1)(a), interpreted(three_point, (-1,), (1,), a))
        assert_same(CALLERS[mode](difference, 1)(a), interpreted(difference, (-1,), (1,), a, cval=-1.0))
    a = np.arange(60.0).reshape(3, 4, 5)
    for one in (a, a[::-1], np.asfortranarray(a)):
        assert_same(CALLERS[mode](cube, 1)(one), interpreted(cube, (0, -1, 0), (1, 0, 1), one))


@stencil
def two_arrays(a, b):
    return a[-1, 0] * b[0, 0] + b[1, 1]


@stencil(standard_indexing=("w",))
def convolution(a, w):
    return w[0] * a[-1] + w[1] * a[0] + w[2] * a[1]


@MODES
def test_two_arrays(mode):
    a, b = matrix(6, 8), matrix(6, 8, seed=2)
    for one in (a, laid_out(a, "reversed"), laid_out(a, "F")):
        got = CALLERS[mode](two_arrays, 2)(one, b)
        assert_same(got, interpreted(two_arrays, (-1, 0), (1, 1), one, b))


@MODES
def test_absolute_indices(mode):
    a, w = vector(30), np.array([0.25, 0.5, 0.25])
    got = CALLERS[mode](convolution, 2)(a, w)
    assert_same(got, interpreted(convolution, (-1,), (1,), a, w, standard=(0,)))


FACTOR = 0.125


@stencil
def with_global(a):
    return FACTOR * (a[0, 1] - a[0, -1])


@njit
def squared(x):
    return x * x


@stencil
def with_call(a):
    return squared(a[0, 1]) + squared(a[1, 0])


@MODES
def test_globals_and_calls(mode):
    a = matrix(6, 7)
    assert_same(CALLERS[mode](with_global, 1)(a), interpreted(with_global, (0, -1), (0, 1), a))
    expected = interpreted(_PlainCall, (0, 0), (1, 1), a)
    assert_same(CALLERS[mode](with_call, 1)(a), expected)


class _PlainCall:
    """The kernel ``with_call`` without the compiled callee."""

    @staticmethod
    def py_func(a):
        return a[0, 1] * a[0, 1] + a[1, 0] * a[1, 0]


# Inside larger functions


def smoothed(a, times):
    for _ in range(times):
        a = five_point(a)
    return a


def stencil_and_expression(a, times):
    b = five_point(a) * times + a
    return b - laplacian(b)


def stencil_in_branch(a, times):
    if times > 1:
        r = laplacian(a)
    else:
        r = five_point(a)
    return r + 1.0


def expected_smoothed(a, times):
    for _ in range(times):
        a = interpreted(five_point, (-1, -1), (1, 1), a)
    return a


@pytest.mark.parametrize("parallel", [False, True])
def test_stencils_in_functions(parallel):
    options = {"parallel": True} if parallel else {}
    a = matrix(9, 10)
    for times in (0, 1, 3):
        assert_same(compile_once(smoothed, **options)(a, times), expected_smoothed(a, times))
    b = interpreted(five_point, (-1, -1), (1, 1), a) * 2 + a
    expected = b - interpreted(laplacian, (-1, -1), (1, 1), b)
    assert_same(compile_once(stencil_and_expression, **options)(a, 2), expected)
    for times, kernel in ((1, five_point), (2, laplacian)):
        expected = interpreted(kernel, (-1, -1), (1, 1), a) + 1.0
        assert_same(compile_once(stencil_in_branch, **options)(a, times), expected)


@MODES
def test_output_arrays(mode):
    a = matrix(6, 7)
    out = np.full((6, 7), 9.0)
    if mode == "python":
        assert five_point(a, out=out) is out
    else:
        function = njit(parallel=True) if mode == "parallel" else njit
        function(lambda a, target: five_point(a, out=target))(a, out)
    expected = interpreted(five_point, (-1, -1), (1, 1), a)
    border = np.ones((6, 7), bool)
    border[1:-1, 1:-1] = False
    # Without cval= the border of a given array is left alone.
    expected[border] = 9.0
    assert_same(out, expected)
