"""Splitting texts and bytes, and numbers with digits that are given, against CPython on random ones."""

import random

import numpy as np
import pytest

from pyopt import njit

MADE = random.Random(11)
SPACES = " \t\n\x0b\x0c\r\x1c\x1f"
ALPHABETS = [
    "a ",
    "ab, ",
    SPACES + "x\x00\x1b\x7f!",
    SPACES + "\x85\xa0é\x80ÿ,",
    SPACES + "Ж\u2003,\u3000",
    "🙂, \u1680",
]


def split_everywhere(text):
    return text.split(), [part.split(",") for part in text.split()], text.split(" "), text.split("\x85")


def split_a_few(text, most):
    return text.split(None, most), text.split(",", most), text.split(", ", most)


@pytest.mark.parametrize("alphabet", ALPHABETS)
def test_texts(alphabet):
    everywhere, a_few = njit(split_everywhere), njit(split_a_few)
    for length in [*range(20), 63, 64, 65, 300]:
        for _text in range(10):
            text = "".join(MADE.choices(alphabet, k=length))
            assert everywhere(text) == split_everywhere(text)
            assert a_few(text, length % 4) == split_a_few(text, length % 4)


def split_bytes(whole):
    return whole.split(), whole.split(b","), whole.split(b"\xff")


def test_bytes():
    compiled = njit(split_bytes)
    for length in range(40):
        whole = bytes(MADE.choices(b"a, \t\n\x1c\x85\xa0\xff", k=length))
        assert compiled(whole) == split_bytes(whole)


def written(x):
    return f"{x:.0f} {x:.1f} {x:.3f} {x:9.2f} {x:012.6f} {x:.17f} {x:.18f} {x:.25f}"


def test_digits_that_are_given():
    compiled = njit(written)
    ties = [at / 16 for at in range(-40, 41)] + [at + 0.5 for at in (1e15, 4503599627370495.0)]
    numbers = [0.0, -0.0, 5e-324, 1e-5, 9.9995, 0.99951, 1e16, 1e22, 1e300]
    numbers += [2.0**power for power in (52, 53, 63, 64)]
    random_ones = [MADE.uniform(-1, 1) * 10.0 ** MADE.randint(-20, 20) for _number in range(2000)]
    words = np.frombuffer(MADE.randbytes(8 * 500), np.float64)
    for x in [*ties, *numbers, *random_ones, *words.tolist(), float("inf"), -float("inf"), float("nan")]:
        assert compiled(x) == written(x)
