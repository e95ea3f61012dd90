"""Constants of compiled code that containers and structures keep, after the code is gone."""

import gc

import numpy as np
import pytest

from pyopt import njit, typed, types
from pyopt.experimental import jitclass, structref


@structref.register
class PairType(types.StructRef):
    """A structure of two fields of any types."""


class Pair(structref.StructRefProxy):
    """Its objects in Python."""

    def __new__(cls, first, second):
        """Make one."""
        return structref.StructRefProxy.__new__(cls, first, second)

    first = property(njit(lambda self: self.first))
    second = property(njit(lambda self: self.second))


structref.define_proxy(Pair, PairType, ["first", "second"])


@jitclass({"name": types.unicode_type, "note": types.optional(types.unicode_type)})
class Named:
    """An object with texts."""

    def __init__(self, name):
        """Keep a text."""
        self.name = name
        self.note = None


def in_list(number):
    """A list of texts."""
    text = f"the text of function {number}"
    made = typed.List.empty_list(types.unicode_type)

    @njit
    def fill(items):
        items.append(text)
        items.append(text[4:8])
        items.append("")

    fill(made)
    return list(made), lambda: list(made), [text, "text", ""]


def in_dict(number):
    """A dict that a function makes."""
    key, value = f"key {number}", f"value {number}é".encode()

    @njit
    def make():
        made = typed.Dict()
        made[key] = (value, 1)
        return made

    made = make()
    return dict(made), lambda: dict(made), {key: (value, 1)}


def in_structure(number):
    """A structure of views of a constant array."""
    table = np.arange(60).reshape(6, 10) * number

    @njit
    def make():
        return Pair(table[::-2, 1::3], (table.T[5:5], table[3]))

    made = make()
    expected = [table[::-2, 1::3].tolist(), [], table[3].tolist()]

    def read():
        return [one.tolist() for one in (made.first, *made.second)]

    return read(), read, expected


def in_class(number):
    """An object whose texts are constants."""
    text = f"name {number}"

    @njit
    def make():
        made = Named(text)
        made.note = text + "" if number < 0 else text[1:]
        return made

    made = make()
    return (made.name, made.note), lambda: (made.name, made.note), (text, text[1:])


@pytest.mark.parametrize("make", [in_list, in_dict, in_structure, in_class])
def test_code_is_gone(make):
    """What is kept has memory of its own: other code takes the place of that which had it."""
    kept = [make(number) for number in range(12)]
    gc.collect()
    others = [make(number) for number in range(100, 112)]
    for before, read, expected in kept + others:
        assert before == expected
        assert read() == expected


def test_readonly_argument():
    """A readonly array that is passed isn't copied."""
    array = np.arange(6.0)
    array.flags.writeable = False
    pair = Pair(array, 1)
    array.flags.writeable = True
    array[0] = 7
    assert pair.first.tolist() == array.tolist()
    assert not pair.first.flags.writeable
