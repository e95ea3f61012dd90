"""The value of ``yield from``: what the generator that is delegated to returns."""

import pytest

from pyopt import njit
from pyopt.errors import TypingError


def chunk(xs, n):
    total = 0
    for i in range(n):
        yield xs[i]
        total += xs[i]
    return total


def middle(xs, n, k=2):
    a = yield from chunk(xs, n)
    b = yield from chunk(xs, n=k)
    return a + b, a - b


def nested(xs, n):
    s, d = yield from middle(xs, n)
    yield s
    yield d


def guarded(xs, n):
    try:
        s = yield from chunk(xs, n)
        yield s * 100
    except IndexError:
        yield -1
    finally:
        yield -2


def looped(xs, n):
    for k in range(n):
        t = yield from chunk(xs, k)
        if t > 2:
            return
        yield 1000 + t


def early(n):
    if n == 0:
        return 7
    yield n
    return -n


def returns_early(xs, n):
    a = yield from early(0)
    b = yield from early(n)
    yield a * 100 + b


def splits(text):
    word = ""
    for c in text:
        if c == " ":
            yield word
            word = ""
        else:
            word += c
    return word


def words(text):
    last = yield from splits(text)
    yield "<" + last + ">"


@pytest.mark.parametrize("generator", [nested, guarded, looped, returns_early], ids=lambda one: one.__name__)
@pytest.mark.parametrize("n", range(5))
def test_values(generator, n):
    compiled = njit(lambda xs, n: list(generator(xs, n)))
    assert compiled([1, 2, 3, 4], n) == list(generator([1, 2, 3, 4], n))


def test_texts_and_errors():
    assert njit(lambda text: list(words(text)))("ab c de") == list(words("ab c de"))

    def first(xs, n):
        found = []
        for one in nested(xs, n):
            found.append(one)
        return found

    with pytest.raises(IndexError):
        njit(boundscheck=True)(first)([1, 2], 5)


def own(n):
    if n > 0:
        found = yield from own(n - 1)
        yield found
        return found + 1
    return 0


def test_a_generator_that_delegates_to_itself_is_refused():
    with pytest.raises(TypingError, match="in own\\(\\)"):
        njit(lambda n: list(own(n)))(3)
