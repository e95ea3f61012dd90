"""A ``bytearray`` that compiled code makes, against CPython."""

import pytest
from differential.memory import growth

from pyopt import njit
from pyopt.errors import TypingError


def sieve(n):
    is_prime = bytearray([1]) * n
    is_prime[0] = is_prime[1] = 0
    for i in range(2, n):
        if is_prime[i]:
            is_prime[i * i :: i] = bytes(len(range(i * i, n, i)))
    return [i for i in range(n) if is_prime[i]], sum(is_prime)


def edited(n):
    b = bytearray(b"hello")
    b[1:3] = b"XYZ"
    del b[0]
    b += b"!"
    b.append(n)
    b.extend([1, 2])
    b.insert(1, 65)
    last, second = b.pop(), b.pop(1)
    b.remove(ord("l"))
    b.reverse()
    return b, last, second, len(b), b[-1], b[1:4], b[::-2], b.copy()


def asked(n):
    b = bytearray(b"abcab")
    return (
        (b == b"abcab", b != bytearray(b"abc"), b < b"b", b"ca" in b, 98 in b, n in b),
        (b.find(b"b"), b.rfind(b"b"), b.count(b"ab"), b.startswith(b"ab"), b.decode(), b.hex()),
        (b.upper(), b.replace(b"a", b"xy"), b.zfill(n), bytes(b), [x + 1 for x in b]),
        (b + b"d", b"x" + b, b * 2, 2 * b, b + bytearray(n), bool(bytearray()), bytearray("hé", "utf-8")),
    )


def joined(n):
    b = bytearray()
    for i in range(n):
        b += str(i).encode()
    b.extend(b)
    b.clear()
    b.extend(range(n))
    return b


@pytest.mark.parametrize("function", [sieve, edited, asked, joined], ids=lambda one: one.__name__)
def test_like_cpython(function):
    compiled = njit(function)
    for n in (3, 9, 60):
        assert repr(compiled(n)) == repr(function(n))
    assert growth(lambda: compiled(9)) == 0


@pytest.mark.parametrize(
    "expression",
    [
        "bytearray(-1)",
        "bytearray([256])",
        "bytearray(2).append(-1)",
        "bytearray(2)[2]",
        "bytearray(2)[-3]",
        "bytearray().pop()",
        "bytearray(b'a').remove(98)",
    ],
)
def test_errors(expression):
    space = {}
    exec(f"def function():\n    return {expression}\n", space)
    function = space["function"]
    with pytest.raises(Exception) as expected:  # noqa: PT011
        function()
    with pytest.raises(type(expected.value)):
        njit(function)()


def test_what_is_refused():
    with pytest.raises(TypingError, match="float64"):
        njit(lambda: bytearray(1.5))()
