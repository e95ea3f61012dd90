"""Broadcasting of dimensions that are known to be 1 where a function is compiled."""

import itertools

import numpy as np
import pytest

from pyopt import njit


def outer(a, b, m):
    return a[:, None] * b + m


def both(a, b, m):
    return a.reshape(len(a), 1) - b[None, :] * 2.0


def cube(a, b, m):
    return m[:, None, :] + a[None, :, None] * b[None, None, :]


def scaled(a, b, m):
    return m / a[:, np.newaxis] + (a[:, None] + 1.0)


def one_by_one(a, b, m):
    return a[:, None][:1] + b[None, :][:, :1] + m


def filled(a, b, m):
    m[...] = a[:, None]
    m += b[None, :]
    return m


def first_column(a, b, m):
    # The source lies in the target.
    m[...] = m[:, 0][:, None]
    return m


def first_row(a, b, m):
    m[...] = m[0][None, :] + m[:, 0][:, None]
    return m


def twice(a, b, m):
    column = a[:, None] + 1.0
    return (column * column) + m, column


def chosen(a, b, m):
    return np.where(a[:, None] > b[None, :], a[:, None], m)


FUNCTIONS = (outer, both, cube, scaled, one_by_one, filled, first_column, first_row, twice, chosen)


@pytest.mark.parametrize("function", FUNCTIONS, ids=lambda function: function.__name__)
@pytest.mark.parametrize("parallel", [False, True])
def test_as_numpy(function, parallel):
    compiled = njit(parallel=parallel, boundscheck=True)(function)
    random = np.random.default_rng(5)
    for rows, columns, backwards in itertools.product((0, 1, 2, 7), (0, 1, 3, 8), (False, True)):
        a, b, m = random.random(rows), random.random(columns), random.random((rows, columns))
        if backwards:
            a, b, m = a[::-1], b[::-1], m[::-1, ::-1]
        cases = [(a, b, m), (a, b[:1], m), (a, b, m[:1])]
        for case in cases:
            outcomes = []
            for run in (function, compiled):
                arguments = [one.copy() if not backwards else one[...] + 0.0 for one in case]
                try:
                    with np.errstate(all="ignore"):
                        result = run(*arguments)
                        results = result if isinstance(result, tuple) else (result,)
                        outcomes.append((*results, arguments[2]))
                except (ValueError, IndexError) as error:
                    outcomes.append(type(error))
            if isinstance(outcomes[0], type):
                assert outcomes[0] is outcomes[1], (rows, columns)
                continue
            for expected, found in zip(*outcomes, strict=True):
                np.testing.assert_array_equal(expected, found)
