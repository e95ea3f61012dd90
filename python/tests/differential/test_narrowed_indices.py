"""Indices that are one for several iterations: narrowed, changed in sign, rounded or cut to a truth value.

What tells iterations apart lets loops be interchanged, tiled, jammed, fused and versioned; these do not tell
them apart, so every element has to be what the loops leave there in their own order. Some sizes are beyond
what a tile holds.
"""

import numpy as np
import pytest

from pyopt import njit, prange

CASTS = {
    "uint8": "np.uint8({})",
    "int8": "np.int8({}) + 128",
    "uint16": "np.uint16({} * 257) % 256",
    "int32_and_back": "np.int64(np.int32({} << 25)) % 256",
    "halves": "int(float({}) * 0.5)",
    "rounded_sum": "int(({} >> 1) + 0.5)",
    "truth": "int(bool({}))",
    "unsigned": "np.uint64({}) % np.uint64(200)",
}

SHAPES = {
    "columns": """
def f(a, b):
    for j in range(b.shape[1]):
        {J}
        for i in range(b.shape[0]):
            {I}
            a[p, q] = b[i, j]
""",
    "both": """
def f(a, b):
    for i in range(b.shape[0]):
        {I}
        for j in range(b.shape[1]):
            {J}
            a[p, q] = a[p, q] * 0.5 + b[i, j]
""",
    "transposed": """
def f(a, b):
    for i in range(b.shape[0]):
        {I}
        for j in range(b.shape[1]):
            {J}
            a[p, q] = b[j, i]
""",
    "one_column": """
def f(a, b):
    for j in range(b.shape[1]):
        {J}
        for i in range(b.shape[0]):
            a[i % 256, q] = b[i, j]
""",
    "accumulated": """
def f(a, b):
    for i in range(b.shape[0]):
        {I}
        for j in range(b.shape[1]):
            {J}
            s = 0.0
            for k in range(3):
                s += b[i, k] * b[k, j]
            a[p, q] = a[p, q] - s
""",
}


def function_of(shape, cast):
    text = SHAPES[shape].format(
        I="p = " + CASTS[cast].replace("{}", "i"), J="q = " + CASTS[cast].replace("{}", "j")
    )
    names = {"np": np}
    exec(text, names)
    return names["f"]


@pytest.mark.parametrize("cast", CASTS)
@pytest.mark.parametrize("shape", SHAPES)
def test_iterations_that_store_to_one_element_keep_their_order(shape, cast):
    function = function_of(shape, cast)
    generator = np.random.default_rng(1)
    for size in (300, 512):
        b = generator.integers(-9, 10, (size, size)).astype(float)
        expected, found = np.zeros((256, 256)), np.zeros((256, 256))
        expected_of(function, cast, expected, b)
        njit(function)(found, b)
        np.testing.assert_array_equal(found, expected)


def expected_of(function, cast, a, b):
    """Run the loops in Python, where a cast of NumPy's raises for what doesn't fit."""
    wraps = {
        "uint8": lambda i: i & 255,
        "int8": lambda i: ((i + 128) & 255) - 128 + 128,
        "uint16": lambda i: (i * 257 & 65535) % 256,
        "int32_and_back": lambda i: (((i << 25) + (1 << 31)) % (1 << 32) - (1 << 31)) % 256,
    }
    if cast not in wraps:
        return function(a, b)
    names = {"np": np, "wrap": wraps[cast]}
    for shape, text in SHAPES.items():
        if function.__code__.co_code == function_of(shape, cast).__code__.co_code:
            exec(text.format(I="p = wrap(i)", J="q = wrap(j)"), names)
    return names["f"](a, b)


@pytest.mark.parametrize("parallel", [False, True])
def test_loops_over_arrays_that_meet_at_narrowed_indices(parallel):
    @njit(parallel=parallel)
    def shifted(v, w, n):
        for i in range(n):
            v[np.uint8(i)] = w[i]
        for i in range(n):
            w[np.uint8(i + 1)] = v[np.uint8(i)] + 1
        return v.sum() - w.sum()

    def expected(v, w, n):
        for i in range(n):
            v[i & 255] = w[i]
        for i in range(n):
            w[(i + 1) & 255] = v[i & 255] + 1
        return v.sum() - w.sum()

    v, w = np.arange(256.0), np.arange(600.0)
    ours = [v.copy(), w.copy()]
    assert shifted(*ours, 600) == expected(v, w, 600)
    np.testing.assert_array_equal(ours[0], v)
    np.testing.assert_array_equal(ours[1], w)


def test_parallel_loops_are_not_fused_over_narrowed_indices():
    @njit(parallel=True)
    def f(a, n):
        b = np.zeros(n)
        c = np.zeros(n)
        for i in prange(n):
            b[i] = a[i] * 2
        for i in prange(n):
            c[i] = b[np.uint8(i + 1)]
        return b, c

    a = np.arange(1000.0)
    b, c = f(a, 1000)
    np.testing.assert_array_equal(b, a * 2)
    np.testing.assert_array_equal(c, (a * 2)[(np.arange(1000) + 1) & 255])


def test_ranges_of_narrow_starts_count_from_the_end():
    @njit
    def f(values, starts):
        total = 0
        for i in range(starts.size):
            for k in range(np.int8(starts[i]), 3):
                total = total * 3 + values[k]
        return total

    def expected(values, starts):
        total = 0
        for i in range(starts.size):
            for k in range((int(starts[i]) + 128) % 256 - 128, 3):
                total = total * 3 + values[k]
        return total

    values, starts = np.arange(1, 8), np.array([0, 254, 2, 253])
    assert f(values, starts) == expected(values, starts)
