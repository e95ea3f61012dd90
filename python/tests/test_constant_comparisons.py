"""Branches on a constant that is compared with itself: decided when the function is compiled."""

import pytest

from pyopt import njit

CONDITIONS = (
    "c == c",
    "c <= c",
    "c != c",
    "c < c",
    "not (c < c)",
    "c is c",
    "c is not c",
    "-c == -c",
    "(-c) <= (-c)",
    "c == c == c",
    "c == c and c <= c",
    "c < c or c == c",
)


@pytest.mark.parametrize("constant", ["5", "2.5", "None", "True", '"text"'])
@pytest.mark.parametrize("condition", CONDITIONS)
@pytest.mark.filterwarnings("ignore::SyntaxWarning")
def test_branches(condition, constant):
    # Once for each address that what is erased may have had.
    source = f"def f(x):\n    c = {constant}\n    if {condition}:\n        return x\n    return -x\n"
    names = {}
    exec(source, names)
    try:
        expected = names["f"](3)
    except TypeError:
        pytest.skip(f"Python has no order or sign of {constant}")
    if " is " in condition and constant[0] in '"2':
        pytest.skip("identity of such constants is an implementation's matter, which compiled code refuses")
    for _ in range(5):
        assert njit(names["f"])(3) == expected


@pytest.mark.parametrize("condition", ["c == c", "c <= c", "not (c < c)", "c is c"])
def test_loops(condition):
    source = f"""
def f(x):
    c = 5
    while {condition}:
        x += c
        if x > 40:
            break
    return x
"""
    names = {}
    exec(source, names)
    for x in (0, 38, 100):
        assert njit(names["f"])(x) == names["f"](x)
