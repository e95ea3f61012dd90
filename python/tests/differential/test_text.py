"""Functions on str: in every width in which CPython stores text."""

import numpy as np
import pytest
from compare import check

from pyopt import njit, typeof

TEXTS = ("", "a", "banana", "h\xe9llo", "\u65e5\u672c\u65e5", "\U0001f600a\U0001f600", "\ud800x")


def count(text, wanted):
    found = 0
    for i in range(len(text)):
        if text[i] == wanted:
            found += 1
    return found


def is_palindrome(text):
    i, j = 0, len(text) - 1
    while i < j:
        if text[i] != text[j]:
            return False
        i += 1
        j -= 1
    return True


def compared(one, other):
    return one == other, one != other, one < other, one <= other, one > other, one >= other


def item(text, index):
    return text[index]


def longer(one, other):
    return one if len(one) > len(other) else other


@pytest.mark.parametrize("text", TEXTS, ids=ascii)
def test_text_of_every_width(text):
    check(is_palindrome, text)
    check(lambda t: (t, len(t)), text)
    for other in TEXTS:
        check(count, text, other)
        check(compared, text, other)
        check(longer, text, other)


@pytest.mark.parametrize("index", [0, 2, -1, -3, 3, -4])
def test_items(index):
    for text in ("abc", "ab\xe9", "a\u65e5b", "\U0001f600ab"):
        check(item, text, index)


def test_text_in_tuples():
    check(lambda pair: (pair[1], (pair[0], "constant \u65e5")), ("left", "\xe9"))


def test_the_type_of_text():
    compiled = njit("int64(unicode_type)")(lambda text: len(text))
    assert compiled("abc") == 3
    assert str(typeof("abc")) == "unicode_type"
    assert njit(lambda text: len(text))(np.str_("subclass")) == 8
