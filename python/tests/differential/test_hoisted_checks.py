"""Loops whose checks run ahead of them: the same errors at the same iteration, and until then the same
writes."""

import math

import numpy as np
import pytest

from pyopt import njit


def quotients(a, b, out):
    for i in range(len(a)):
        out[i] = math.sqrt(a[i]) / b[i] + i


def in_place(a, b, out):
    for i in range(len(a)):
        a[i] = out[i] / a[i]


def written_before(a, b, out):
    for i in range(len(a)):
        out[i] = a[i]
        out[i] = out[i] / b[i]


def neighbours(a, b, out):
    for i in range(1, len(a)):
        out[i] = a[i] / b[i - 1]


def shifted(a, b, out):
    for i in range(len(a) - 3):
        out[i + 3] = a[i] / b[i + 3]


def guarded(a, b, out):
    for i in range(len(a)):
        if a[i] > 2.0:
            out[i] = 1.0 / b[i]
        else:
            out[i] = a[i]


def several(a, b, out):
    for i in range(len(a)):
        if b[i] < -1e9:
            raise OverflowError("too small")
        x = a[i] / b[i]
        if x > 1e9:
            raise ValueError("too large", i)
        out[i] = x


def counted(a, b, out):
    over = 0
    for i in range(len(a)):
        if a[i] / b[i] > 1.0:
            over += 1
        out[i] = over
    return over


def by_one_number(a, b, out):
    divisor = b[-1]
    for i in range(len(a)):
        out[i] = a[i] / divisor


def stops_in_time(a, b, out):
    # Nothing behind the zero may be looked at: the loop is far longer than the array.
    for i in range(100_000_000):
        if b[i] == 0.0:
            raise StopIteration(i)
        out[i % len(out)] = a[i]


def in_rows(a, b, out):
    half = len(a) // 2
    for row in range(2):
        for i in range(half):
            out[row * half + i] = a[row * half + i] / b[row * half + i]


FUNCTIONS = [
    quotients,
    in_place,
    written_before,
    neighbours,
    shifted,
    guarded,
    several,
    counted,
    by_one_number,
    stops_in_time,
    in_rows,
]
SIZES = [3, 15, 16, 17, 40, 255, 256, 257, 600]


def outcome(function, *arguments):
    """The result, or the error with its arguments."""
    try:
        return function(*arguments)
    except Exception as error:
        return type(error), error.args


def check(function, compiled, make):
    """Compare results and every array with CPython's."""
    expected, found = make(), make()
    with np.errstate(all="ignore"):
        wanted = outcome(function, *[Floats(array) for array in expected])
    assert outcome(compiled, *found) == wanted
    for one, other in zip(expected, found, strict=True):
        np.testing.assert_array_equal(one, other)


class Floats:
    """An array whose elements are Python's floats, which raise where NumPy's warn."""

    def __init__(self, array):
        self.array = array

    def __len__(self):
        return len(self.array)

    def __getitem__(self, index):
        return self.array[index].item()

    def __setitem__(self, index, value):
        self.array[index] = value


@pytest.fixture(scope="module", params=FUNCTIONS, ids=lambda function: function.__name__)
def pair(request):
    return request.param, njit(request.param)


def arrays(size, zero, dtype="f8"):
    """Three arrays; the second is zero at one place, if that is in it."""
    random = np.random.default_rng(size)
    a, b, out = random.uniform(1, 4, (3, size)).astype(dtype)
    if zero is not None and zero < size:
        b[zero] = 0.0
    return a, b, out


def places(function, size):
    """Where the zero goes; somewhere, for the function that looks for it."""
    found = {place for place in (0, 1, size // 2, size - 2, size - 1, 255, 256) if place < size}
    return found if function is stops_in_time else found | {None}


@pytest.mark.parametrize("size", SIZES)
def test_a_zero_anywhere(pair, size):
    function, compiled = pair
    for zero in places(function, size):
        check(function, compiled, lambda zero=zero: arrays(size, zero))


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("function", [neighbours, shifted, guarded, by_one_number])
def test_single_precision(function, size):
    compiled = njit(function)
    for zero in places(function, size):
        check(function, compiled, lambda zero=zero: arrays(size, zero, "f4"))


@pytest.mark.parametrize("shift", [0, 1, 5, 300])
@pytest.mark.parametrize("which", ["a", "b"])
def test_what_is_written_is_read(pair, which, shift):
    function, compiled = pair

    def make(zero):
        memory = np.random.default_rng(shift).uniform(1, 4, 1000)
        other = np.random.default_rng(7).uniform(1, 4, 600)
        memory[zero + shift] = 0.0
        shared, out = memory[shift : shift + 600], memory[:600]
        return (shared, other, out) if which == "a" else (other, shared, out)

    for zero in (400, 599):
        if function is not stops_in_time or which == "b":
            check(function, compiled, lambda zero=zero: make(zero))


@pytest.mark.parametrize("step", [1, 2, -1])
def test_views(pair, step):
    function, compiled = pair

    def make():
        return [array[::step] for array in arrays(1200, 1100 if step < 0 else 500)]

    check(function, compiled, make)


def gathered(a, indices, out):
    for i in range(len(indices)):
        out[i] = 1.0 / a[indices[i]]


@pytest.mark.parametrize("last", [-1, 0, 7, 99])
def test_an_index_from_an_array(last):
    compiled = njit(gathered)

    def make():
        a = np.arange(100.0) + 1.0
        a[7] = 0.0
        indices = np.concatenate((np.arange(8, 98), np.full(300, 50), [last, 3]))
        return a, indices, np.zeros(len(indices))

    expected, found = make(), make()
    wanted = outcome(gathered, Floats(expected[0]), expected[1].tolist(), expected[2])
    assert outcome(compiled, *found) == wanted
    np.testing.assert_array_equal(expected[2], found[2])


def bounded(a, out):
    for i in range(len(out)):
        out[i] = a[i] * 2.0


@pytest.mark.parametrize(("size", "room"), [(300, 300), (300, 299), (5, 300), (300, 0), (299, 300)])
def test_bounds(size, room):
    compiled = njit(boundscheck=True)(bounded)
    a, out = np.arange(float(size)), np.zeros(room)
    wanted = min(size, room)
    if room > size:
        with pytest.raises(IndexError):
            compiled(a, out)
    else:
        compiled(a, out)
    np.testing.assert_array_equal(out[:wanted], a[:wanted] * 2.0)
    assert not out[wanted:].any()


def test_vectors_of_logarithms():
    @njit
    def logarithms(a, b, out):
        for i in range(len(a)):
            out[i] = math.log(a[i] / b[i])

    a, b, out = arrays(10, None)
    logarithms(a, b, out)
    assembly = next(iter(logarithms.inspect_asm().values()))
    assert "vdivpd" in assembly
