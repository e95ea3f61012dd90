"""Arithmetic on integers that were loaded as bytes or 16 bits, at the edges of what fits fewer than 64."""

import numpy as np
import pytest

from pyopt import njit, prange

DTYPES = [np.uint8, np.int8, np.uint16, np.int16]


def gradient(image, out):
    height, width = image.shape
    for y in range(1, height - 1):
        for x in range(1, width - 1):
            gx = 0
            gy = 0
            for d in range(-1, 2):
                weight = 2 - abs(d)
                gx += weight * (np.int64(image[y + d, x + 1]) - np.int64(image[y + d, x - 1]))
                gy += weight * (np.int64(image[y + 1, x + d]) - np.int64(image[y - 1, x + d]))
            out[y, x] = min(abs(gx) + abs(gy), 255)


def window(image, out):
    """Sums carried through two loops."""
    height, width = image.shape
    for y in range(2, height - 2):
        for x in range(2, width - 2):
            total = 0
            least = np.int64(image[y, x])
            for dy in range(-2, 3):
                for dx in range(-2, 3):
                    total += np.int64(image[y + dy, x + dx]) * (3 * dy - dx)
                    least = min(least, np.int64(image[y + dy, x + dx]))
            out[y, x] = (total >> 3) + least


def squares(image, out):
    """Products of bytes need 32 bits, their sums too; those of 16 bits need 64."""
    height, width = image.shape
    for y in range(height):
        for x in range(width - 3):
            total = 0
            for d in range(4):
                one = np.int64(image[y, x + d])
                total += one * one
            out[y, x] = total


def cubes(image, out):
    height, width = image.shape
    for y in range(height):
        for x in range(width):
            one = np.int64(image[y, x])
            out[y, x] = one * one * one - one * one + one


def thresholds(image, out):
    height, width = image.shape
    for y in range(height):
        for x in range(1, width):
            difference = np.int64(image[y, x]) - np.int64(image[y, x - 1])
            if difference > 32768:
                out[y, x] = 1
            elif difference < -32769:
                out[y, x] = 2
            elif -difference * 3 > 300:
                out[y, x] = 3
            else:
                out[y, x] = max(difference, -5) & 255


def chosen(image, out):
    height, width = image.shape
    for y in range(height):
        for x in range(width):
            one = np.int64(image[y, x])
            other = one * 5 - 40 if one > 7 else -one
            out[y, x] = other if other != 3 else one * 2


def to_floats(image, out):
    height, width = image.shape
    for y in range(height):
        for x in range(1, width):
            out[y, x] = int((np.int64(image[y, x]) * 77 + np.int64(image[y, x - 1]) * 150) / 4.0)


def in_an_index(image, out):
    height, width = image.shape
    for y in range(height):
        for x in range(width):
            out[np.int64(image[y, x]) * 3 % height, x] += np.int64(image[y, x]) * 2 - 1


def with_an_argument(image, out, weight=2**40):
    height, width = image.shape
    for y in range(height):
        for x in range(width):
            out[y, x] = np.int64(image[y, x]) * weight - np.int64(image[y, 0]) * 2


def unbounded(image, out):
    """How often the inner loop runs isn't known."""
    height, width = image.shape
    for y in range(height):
        total = 0
        for x in range(width):
            total += np.int64(image[y, x]) * np.int64(image[y, 0]) * 1000
            out[y, x] = total


FUNCTIONS = [
    gradient,
    window,
    squares,
    cubes,
    thresholds,
    chosen,
    to_floats,
    in_an_index,
    with_an_argument,
    unbounded,
]


def images(dtype):
    """Images with every extreme next to every other."""
    random = np.random.default_rng(8)
    least, greatest = np.iinfo(dtype).min, np.iinfo(dtype).max
    yield random.integers(least, greatest, (37, 91), dtype, endpoint=True)
    yield random.choice(np.array([least, least + 1, 0, greatest - 1, greatest], dtype), (37, 91))
    yield np.full((6, 40), greatest, dtype)
    yield np.full((6, 40), least, dtype)


@pytest.mark.parametrize("function", FUNCTIONS, ids=lambda function: function.__name__)
@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("result", [np.uint8, np.int16, np.int32, np.int64])
def test_as_numpy(function, dtype, result):
    compiled = njit(function)
    for image in images(dtype):
        wide = image.astype(np.int64)
        expected = np.zeros(image.shape, np.int64)
        function(wide, expected)
        found = np.zeros(image.shape, result)
        compiled(image, found)
        assert np.array_equal(found, expected.astype(result))


def rows_on_threads(image, out):
    height, width = image.shape
    for y in prange(1, height - 1):
        for x in range(width):
            total = 0
            for d in range(-1, 2):
                total += np.int64(image[y + d, x]) * (2 - abs(d))
            out[y, x] = total >> 2


@pytest.mark.parametrize("dtype", DTYPES)
def test_on_threads(dtype):
    for image in images(dtype):
        expected, found = np.zeros((2, *image.shape), np.int64)
        rows_on_threads(image.astype(np.int64), expected)
        njit(parallel=True)(rows_on_threads)(image, found)
        assert np.array_equal(found, expected)
