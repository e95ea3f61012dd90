"""Statements on arrays that are compared at run time: whatever they share, results are NumPy's."""

import itertools
import random

import numpy as np
import pytest

from pyopt import njit, prange

SIZE = 12


def sum_and_difference(a, b, x, y):
    x[:] = a + b
    y[:] = a - b


def chained(a, b, x, y):
    x[:] = a + b
    y[:] = x * 2.0 - b
    x -= y


def in_place(a, b, x, y):
    x += a
    y *= 0.5
    y -= x + b


def shared_temporary(a, b, x, y):
    t = a * b
    x[:] = t + a
    y[:] = t - x
    return t


def with_sum(a, b, x, y):
    x[:] = a - b
    y[:] = a * 3.0
    return y.sum() + x.max()


def fills(a, b, x, y):
    x[:] = 1.5
    y[:] = a
    x += b


def same_parts(a, b, x, y):
    x[1:-1] = a[1:-1] + b[1:-1]
    y[1:-1] = a[1:-1] - b[1:-1]


def shifted_parts(a, b, x, y):
    x[1:] = a[1:] + x[:-1]
    y[1:] = b[:-1] - x[1:]


def loops(a, b, x, y):
    for i in prange(len(x)):
        x[i] = a[i] + b[i]
    for i in prange(len(x)):
        y[i] = a[i] - x[i]


def loops_in_a_loop(a, b, x, y):
    for step in range(3):
        x[:] = a + step
        y[:] = x * b


STATEMENTS = [
    sum_and_difference,
    chained,
    in_place,
    shared_temporary,
    with_sum,
    fills,
    same_parts,
    shifted_parts,
    loops_in_a_loop,
]


def views(buffer):
    """Views of one buffer, all of one size, that overlap each other in all ways.

    None has another step than 1 or -1: NumPy copies vectors of different steps onto each other without
    looking whether they overlap.
    """
    return [
        buffer[:SIZE],
        buffer[1 : SIZE + 1],
        buffer[SIZE - 1 :: -1],
        buffer[SIZE // 2 : SIZE // 2 + SIZE],
        buffer[SIZE + 1 : 1 : -1],
        buffer[2 * SIZE : 3 * SIZE],
        buffer[3 * SIZE - 1 : 2 * SIZE - 1 : -1],
        buffer[3 * SIZE : 4 * SIZE],
    ]


def outcome(function, choices, sizes=None):
    """What a function makes of views of a buffer, or the error that it raises."""
    buffer = np.random.default_rng(5).integers(-3, 4, 4 * SIZE).astype(float)
    arguments = [views(buffer)[choice] for choice in choices]
    if sizes is not None:
        arguments = [array[:size] for array, size in zip(arguments, sizes, strict=True)]
    try:
        result = function(*arguments)
    except ValueError as error:
        return type(error), buffer if sizes is None else None
    return result, buffer


def check(compiled, plain, choices, sizes=None):
    wanted, memory = outcome(plain, choices, sizes)
    found, changed = outcome(compiled, choices, sizes)
    if isinstance(wanted, type):
        assert found == wanted, (choices, sizes)
        return
    np.testing.assert_array_equal(changed, memory, err_msg=f"{choices} {sizes}")
    if wanted is not None:
        np.testing.assert_allclose(found, wanted, rtol=1e-12)


@pytest.mark.parametrize("parallel", [False, True])
@pytest.mark.parametrize("function", STATEMENTS, ids=lambda function: function.__name__)
def test_arrays_share_memory_in_all_ways(function, parallel):
    compiled = njit(parallel=parallel)(function)
    for choices in itertools.product(range(len(views(np.empty(4 * SIZE)))), repeat=4):
        if hash(choices) % 40 == 0 or len(set(choices)) == 1 or choices == (0, 5, 7, 1):
            check(compiled, function, choices)


@pytest.mark.parametrize("parallel", [False, True])
@pytest.mark.parametrize("function", STATEMENTS[:6], ids=lambda function: function.__name__)
def test_sizes_differ(function, parallel):
    compiled = njit(parallel=parallel)(function)
    for sizes in itertools.product((0, 1, 2, SIZE), repeat=4):
        for choices in ((0, 5, 7, 4), (0, 0, 7, 5), (0, 1, 2, 3)):
            check(compiled, function, choices, sizes)


@pytest.mark.parametrize("parallel", [False, True])
def test_loops_of_prange_over_arrays_that_are_apart(parallel):
    compiled = njit(parallel=parallel)(loops)
    for choices in itertools.product((0, 5, 7), repeat=4):
        check(compiled, loops, choices)


def test_loops_are_merged_where_arrays_turn_out_to_be_apart(capsys):
    compiled = njit(parallel=True)(sum_and_difference)
    arrays = [np.ones(5) for _ in range(4)]
    compiled(*arrays)
    compiled.parallel_diagnostics(level=2)
    assert "fused with" in capsys.readouterr().out


def test_matrices_with_a_vector():
    def scaled(a, v, x, y):
        x[:, :] = a * v
        y[:, :] = a + v

    compiled = njit(scaled)
    random_numbers = np.random.default_rng(7)
    for rows, columns in ((3, 4), (1, 4), (0, 4), (4, 1), (4, 4)):
        for shape in ((columns,), (1,)):
            for transposed in (False, True):
                a = random_numbers.random((rows, columns))
                v = random_numbers.random(shape)
                order = "F" if transposed else "C"
                both = [np.zeros((rows, columns), order=order) for _ in "xy"]
                plain = [array.copy() for array in both]
                compiled(a, v, *both)
                scaled(a, v, *plain)
                np.testing.assert_array_equal(both, plain)


def made_program(seed):
    """A function of assignments to whole arrays and parts of them, by chance."""
    chance = random.Random(seed)
    parts = ("[:]", "[1:]", "[:-1]", "[1:-1]")
    lines = [f"def made_{seed}(a, b, x, y):"]
    names = ["a", "b", "x", "y"]
    for number in range(chance.randint(2, 5)):
        part = chance.choice(parts) if chance.random() < 0.4 else "[:]"
        operands = [chance.choice(names) + part for _ in range(chance.randint(1, 3))]
        expression = chance.choice((" + ", " - ", " * ")).join(operands)
        kind = chance.random()
        if kind < 0.2 and part == "[:]":
            lines.append(f"    t{number} = {expression}")
            names.append(f"t{number}")
        elif kind < 0.5:
            lines.append(f"    {chance.choice('xyab')}{part} {chance.choice('+-*')}= {expression}")
        else:
            lines.append(f"    {chance.choice('xyab')}{part} = {expression}")
    lines.append(f"    return {chance.choice(names)}.sum()")
    namespace = {}
    exec("\n".join(lines), namespace)
    return namespace[f"made_{seed}"]


@pytest.mark.parametrize("seed", range(16))
def test_random_statements(seed):
    function = made_program(seed)
    compiled = njit(parallel=seed % 2 == 1)(function)
    chance = random.Random(seed)
    for _ in range(60):
        check(compiled, function, [chance.randrange(8) for _ in range(4)])
    for choices in ((0, 5, 7, 1), (0, 0, 5, 7), (5, 5, 5, 5), (0, 7, 5, 5)):
        check(compiled, function, choices)
