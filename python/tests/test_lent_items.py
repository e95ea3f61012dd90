"""Items that containers lend: no reference is taken while nothing may take them out."""

import pytest
from differential.memory import growth

from pyopt import njit
from pyopt.typed import Dict, List


def text(number):
    return "item" + str(number)


text_of = njit(text)


def read(texts):
    found = 0
    for one in texts:
        found += len(one) * 2 + len(one.strip())
    return found


def replaced(texts):
    one = texts[0]
    texts[0] = text_of(7)
    return one + texts[0]


def replaced_in_call(texts):
    one = texts[0]
    replace_first(texts)
    return one + texts[0]


@njit
def replace_first(texts):
    texts[0] = text_of(8)


def cleared(texts):
    one = texts[1]
    texts.clear()
    return one + str(len(texts))


def deleted(texts):
    one = texts[1]
    del texts[1]
    texts.append(text_of(1))
    return one + texts[1]


def popped(texts):
    one = texts[len(texts) - 1]
    other = texts.pop()
    texts.append(text_of(3))
    return one + other


def appended(texts):
    one = texts[0]
    for at in range(100):
        texts.append(text_of(at))
    return one + texts[-1]


def sorted_meanwhile(texts):
    one = texts[0]
    texts.sort()
    return one + texts[0]


def rebound(texts):
    one = texts[0]
    texts = [text_of(5)]
    return one + texts[0]


def only_made_here(number):
    return len([text_of(number), "x"][0].strip())


def nested(number):
    lists = [[text_of(number)], [text_of(number + 1)]]
    inner = lists[0]
    one = inner[0]
    lists[0] = [text_of(number + 2)]
    return one + inner[0] + lists[0][0]


def nested_cleared(number):
    lists = [[text_of(number)], [text_of(number + 1)]]
    one = lists[0][0]
    lists.clear()
    return one + str(len(lists))


def raised(texts):
    found = 0
    try:
        for one in texts:
            found += len(one)
            if found > 9:
                raise ValueError(one + "!")
    except ValueError as error:
        return str(error) + texts[0]
    return ""


def of_tuples(number):
    pairs = [(number + at, text_of(at)) for at in range(5)]
    found = 0
    for at, (count, name) in enumerate(pairs):
        found += count * len(name) + at
        pairs[at] = (at, name + "x")
    return str(found) + pairs[2][1]


def in_table(number):
    table = {text_of(at): [text_of(number + at)] for at in range(20)}
    found = 0
    for key in list(table):
        one = table[key][0]
        table[key] = [one + "y"]
        found += len(one) + len(table[key][0])
        if len(key) > 5:
            values = table[key]
            del table[key]
            found += len(values[0])
    return found * 100 + len(table)


def handed_on(texts):
    return [texts[len(texts) - 1 - at] for at in range(len(texts))][0]


TEXTS = [replaced, replaced_in_call, cleared, deleted, popped, appended, sorted_meanwhile, rebound, raised]
NUMBERS = [only_made_here, nested, nested_cleared, of_tuples, in_table]


def made(function):
    """The function on a list that it has alone, so that what the list drops is gone."""
    compiled = njit(function)

    @njit
    def run(number):
        texts = [text_of(number), text_of(number + 1), text_of(number + 2)]
        return compiled(texts)

    return run


@pytest.mark.parametrize("function", [*TEXTS, read, handed_on], ids=lambda one: one.__name__)
def test_items_stay_as_long_as_they_are_used(function):
    compiled = made(function)
    assert compiled(4) == function([text(4), text(5), text(6)])
    assert growth(lambda: compiled(4)) == 0


@pytest.mark.parametrize("function", NUMBERS, ids=lambda one: one.__name__)
def test_items_of_containers_in_others(function):
    assert njit(function)(4) == function(4)


def test_items_of_typed_containers_that_callees_change():
    @njit
    def change(texts, table):
        texts[0] = text_of(100)
        table["a"] = text_of(200)

    @njit
    def run(texts, table):
        one, other = texts[0], table["a"]
        change(texts, table)
        return one + other + texts[0] + table["a"]

    texts, table = List([text_of(1)]), Dict()
    table["a"] = text_of(2)
    assert run(texts, table) == "item1item2item100item200"


def test_reads_that_need_no_reference_take_none():
    compiled = njit(read)
    compiled(["a"])
    kept = compiled.inspect_ir("typed-lend-items")
    assert "typed.list_get" in kept and "{borrowed}" in kept
    changing = njit(replaced)
    changing(["a"])
    first, *_ = changing.inspect_ir("typed-lend-items").split("typed.list_set")
    assert "typed.list_get" in first and "{borrowed}" not in first
