"""What ``isinstance`` and ``type`` say of values, also of those that are arguments."""

from collections import Counter, OrderedDict, defaultdict, deque

import pytest

from pyopt import njit

CLASSES = (
    *("bytearray", "memoryview", "frozenset", "deque", "Counter", "OrderedDict", "defaultdict"),
    *("dict", "set", "list", "tuple", "bytes", "str", "object"),
)
VALUES = (
    *(bytearray(b"1"), memoryview(b"1"), frozenset([1]), deque([1]), Counter("a"), OrderedDict(a=1)),
    *(
        defaultdict(int, a=1),
        {"a": 1},
        {1},
        [1],
        (1,),
        b"a",
        "a",
        1,
        deque(),
        Counter(),
        OrderedDict(),
        [],
        {},
    ),
)


@pytest.mark.parametrize("value", VALUES, ids=lambda value: type(value).__name__)
@pytest.mark.parametrize(
    "form", ["isinstance(value, {})", "isinstance(value, ({}, int))", "type(value) is {}"]
)
def test_classes(value, form):
    space = {"Counter": Counter, "OrderedDict": OrderedDict, "defaultdict": defaultdict, "deque": deque}
    asked = ", ".join(form.format(one) for one in CLASSES)
    exec(f"def answers(value):\n    return {asked}", space)
    assert njit(space["answers"])(value) == space["answers"](value)
