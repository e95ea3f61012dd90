"""Sizes that no memory holds or that wrap around, digits beyond exact powers of ten, bounds beyond a type."""

import numpy as np
import pytest

from pyopt import njit

LARGE = 2**62


def outcome(function, *arguments):
    """What a call gives, or the class of what it raises."""
    try:
        return function(*arguments)
    except (ArithmeticError, LookupError, MemoryError, ValueError) as raised:
        return type(raised)


TOO_LARGE = {
    "tile": (lambda n: np.tile(np.arange(4.0), n)[3], LARGE, ValueError),
    "tile rows": (lambda n: np.tile(np.ones((2, 2)), (2, n)).shape, LARGE, ValueError),
    "repeat unevenly": (lambda n: np.repeat(np.arange(4), np.array([n, n, n, n + 3]))[0], LARGE, MemoryError),
    "bincount": (lambda n: np.bincount(np.array([1, n])).size, 2**63 - 1, MemoryError),
    "bincount weights": (
        lambda n: np.bincount(np.array([1, n]), np.array([0.5, 0.5])).size,
        2**63 - 1,
        MemoryError,
    ),
    "reshape nothing": (lambda n: np.zeros(0).reshape(n, n).sum(), 2**32, ValueError),
    "reshape wrapping": (lambda n: np.zeros(8).reshape(n, 8).sum(), 2**61 + 1, ValueError),
    "reshape open": (lambda n: np.zeros(8).reshape(n, 8, -1).sum(), 2**61, ValueError),
    "frombuffer": (lambda n: np.frombuffer(b"abcdef", np.int16, n)[0], LARGE + 1, ValueError),
    "ljust": (lambda n: len("a".ljust(n)), LARGE, MemoryError),
    "rjust": (lambda n: len("a".rjust(n)), LARGE, MemoryError),
    "center": (lambda n: len(b"a".center(n)), LARGE, MemoryError),
    "zfill": (lambda n: len("-a".zfill(n)), LARGE, MemoryError),
    "text times": (lambda n: len("ab" * n), LARGE, MemoryError),
    "text times less": (lambda n: len("ab" * n), 2**46, MemoryError),
    "to_bytes": (lambda n: len((2).to_bytes(n, "big")), LARGE, MemoryError),
    "list times": (lambda n: len([n, n] * n), LARGE, MemoryError),
    "list of lists times": (lambda n: len([[n], [n]] * n), 2**63 - 1, MemoryError),
    "range": (lambda n: len(range(-n, n)), LARGE, OverflowError),
}


@pytest.mark.parametrize("name", TOO_LARGE)
def test_what_no_memory_holds_is_refused(name):
    function, size, error = TOO_LARGE[name]
    with pytest.raises(error):
        njit(function)(size)


def test_list_that_grows_in_place_beyond_memory_is_as_before():
    @njit
    def grow(items, times):
        try:
            items *= times
        except MemoryError:
            return len(items)
        return -1

    assert grow([1, 2], 2**63 - 1) == 2


@njit
def tiled_nothing(times):
    """Repeat an array without elements."""
    return np.tile(np.zeros((0, 2)), times).shape


def test_repeating_nothing_takes_no_time():
    assert tiled_nothing(2**40) == (0, 2**41)


def test_texts_of_many_characters_are_made():
    @njit
    def made(width):
        return "ä".ljust(width, "ö"), "ab" * width

    padded, repeated = made(20_000_000)
    assert padded == "ä" + "ö" * 19_999_999
    assert repeated == "ab" * 20_000_000


@njit
def rounded(number, digits):
    """Round a float."""
    return round(number, digits)


def test_rounding_beyond_exact_powers_of_ten():
    generator = np.random.default_rng(20)
    cases = [
        (7.7e-298, 300),
        (9.370820005167966e300, -300),
        (1.5, -30),
        (-6e22, -23),
        (4e22, -23),
        (5e-324, 323),
    ]
    cases += [(-1.0, -30), (1.7e308, -308), (-123456e20, -24), (9.5e22, -23), (0.0, 40), (1e-25, 23)]
    for _ in range(2000):
        digits = int(generator.integers(-308, 324))
        size = -digits + int(generator.integers(-3, 18))
        number = float(generator.uniform(-10, 10)) * 10.0 ** min(max(size, -307), 307)
        cases.append((number, digits))
    for number, digits in cases:
        mine, theirs = outcome(rounded, number, digits), outcome(round, number, digits)
        assert (mine, str(mine)) == (theirs, str(theirs)), (number, digits)


@pytest.mark.parametrize("kind", ["int8", "uint8", "int16", "uint32", "int64", "uint64"])
def test_bounds_of_clip_may_be_beyond_the_type(kind):
    @njit
    def between(array, low, high):
        return np.clip(array, low, high)

    @njit
    def constant_bounds(array):
        return np.clip(array, -1, 2**40), np.clip(array, None, 5), np.clip(array, 0, None)

    array = np.array([0, 5, 100], kind)
    for low, high in [(0, 2**40), (-(2**40), 50), (3, 60), (-1, 7)]:
        mine, theirs = between(array, low, high), np.clip(array, low, high)
        assert mine.dtype == theirs.dtype
        np.testing.assert_array_equal(mine, theirs)
    for mine, theirs in zip(constant_bounds(array), constant_bounds.py_func(array), strict=True):
        assert mine.dtype == theirs.dtype
        np.testing.assert_array_equal(mine, theirs)


def test_bounds_of_clip_beyond_all_elements_are_refused():
    @njit
    def between(array, low, high):
        return np.clip(array, low, high)

    for low, high in [(300, 400), (-400, -300)]:
        with pytest.raises(OverflowError, match="out of bounds for int8"):
            between(np.array([100, -5], np.int8), low, high)


@njit
def triangles(size, diagonal):
    """Make triangles up to a diagonal, and from it on."""
    ones = np.ones((size, size + 1))
    return np.tri(size, size + 1, diagonal), np.tril(ones, diagonal), np.triu(ones, diagonal)


@pytest.mark.parametrize("diagonal", [0, -2, 3, 2**63 - 1, -(2**63), 2**62])
def test_diagonals_beyond_a_matrix(diagonal):
    nearest = min(max(diagonal, -10), 10)
    for mine, theirs in zip(triangles(4, diagonal), triangles.py_func(4, nearest), strict=True):
        np.testing.assert_array_equal(mine, theirs)


@njit
def narrow(concentration):
    """Draw from a distribution that is nearly a point."""
    return np.random.vonmises(0.5, concentration)


@pytest.mark.parametrize("concentration", [1e17, 1e30, np.inf])
def test_distribution_on_a_circle_that_is_nearly_a_point(concentration):
    assert abs(narrow(concentration) - 0.5) < 1e-7


@njit
def sort_while_it_grows(items):
    """Sort a list whose keys change it."""

    def key(item):
        items.append(item)
        return -item

    items.sort(key=key)


def test_list_that_changes_while_it_is_sorted():
    for size in (1, 4, 20, 1000):
        with pytest.raises(ValueError, match="list modified during sort"):
            sort_while_it_grows(list(range(size)))


@njit
def sort_while_texts_go(items):
    """Sort a list of texts whose keys leave one in it."""

    def key(item):
        items.clear()
        items.append("zz")
        return item + "!"

    items.sort(key=key)


def test_texts_that_go_while_they_are_sorted():
    with pytest.raises(ValueError, match="list modified during sort"):
        sort_while_texts_go([chr(97 + at % 26) * (at % 7) for at in range(60)])
