"""``typed.List``, ``Dict`` and ``Set``: in Python as the built-in ones, and shared with compiled code."""

import copy
import enum
import gc
import pickle
import random
import warnings
from collections import deque

import numpy as np
import pytest
from pyopt._core import memory_stats

from pyopt import errors, njit, typed, types
from pyopt.experimental import jitclass
from pyopt.extending import overload_method
from pyopt.typed import Dict, List, Set


class Color(enum.Enum):
    RED = 1
    GREEN = 2


def stats():
    """Count allocations when what earlier tests had is gone."""
    gc.collect()
    return memory_stats()


def given_back(before):
    (allocations, frees, live), (old_allocations, old_frees, old_live) = stats(), before
    return allocations - old_allocations == frees - old_frees and live == old_live


def outcome(use):
    """Give what a use returns or raises."""
    try:
        return use()
    except (IndexError, KeyError, ValueError) as error:
        return type(error)


LIST_USES = [
    lambda one, n: one.append(n),
    lambda one, n: one.insert(n - 3, n),
    lambda one, n: one.pop(),
    lambda one, n: one.pop(n - 3),
    lambda one, n: one.remove(n),
    lambda one, n: one.index(n),
    lambda one, n: one.count(n),
    lambda one, n: one.reverse(),
    lambda one, n: one.sort(),
    lambda one, n: one.sort(reverse=True),
    lambda one, n: one.sort(key=lambda x: -x),
    lambda one, n: one.extend([n, 2 * n]),
    lambda one, n: one.__setitem__(n - 4, n),
    lambda one, n: one.__delitem__(n - 4),
    lambda one, n: list(one[n - 4 : 3]),
    lambda one, n: list(one[::-2]),
    lambda one, n: one[n - 4],
    lambda one, n: n in one,
    lambda one, n: one.__setitem__(slice(1, n), [7, 8]),
    lambda one, n: one.clear() if n == 0 else None,
]


@pytest.mark.parametrize("seed", range(3))
def test_lists_do_what_lists_do(seed):
    chance = random.Random(seed)
    made, plain = List(), []
    for _ in range(150):
        use, n = chance.choice(LIST_USES), chance.randrange(8)
        assert outcome(lambda: use(made, n)) == outcome(lambda: use(plain, n))
        assert len(made) == len(plain) and list(made) == plain and made == plain


DICT_USES = [
    lambda one, n: one.__setitem__(n, n / 2),
    lambda one, n: one.__setitem__(n + 1, n / 2),
    lambda one, n: one[n],
    lambda one, n: one.__delitem__(n),
    lambda one, n: one.get(n),
    lambda one, n: one.get(n, 9.5),
    lambda one, n: one.pop(n),
    lambda one, n: one.pop(n, 1.5),
    lambda one, n: one.popitem(),
    lambda one, n: one.setdefault(n, 3.5),
    lambda one, n: one.update({n: 1.0, 20: 2.0}),
    lambda one, n: list(one.items()),
    lambda one, n: list(one.values()),
    lambda one, n: n in one,
    lambda one, n: one.clear() if n == 0 else None,
]


@pytest.mark.parametrize("seed", range(3))
def test_dicts_do_what_dicts_do(seed):
    chance = random.Random(seed)
    made, plain = Dict(), {}
    for _ in range(150):
        use, n = chance.choice(DICT_USES), chance.randrange(8)
        assert outcome(lambda: use(made, n)) == outcome(lambda: use(plain, n))
        assert len(made) == len(plain) and list(made) == list(plain) and made == plain


def test_sets_do_what_sets_do():
    made = Set([3, 1, 3])
    assert sorted(made) == [1, 3] and 3 in made and 2 not in made and len(made) == 2
    made.add(2)
    made.discard(1)
    made.discard(8)
    made |= {7}
    assert made == {2, 3, 7} and sorted(made & {2, 7, 9}) == [2, 7]
    with pytest.raises(KeyError):
        made.remove(100)
    assert njit(lambda one: (len(one), 7 in one, sum([item for item in one])))(made) == (3, True, 12)
    made.clear()
    assert len(Set()) == len(made) == 0


def test_compiled_code_shares_lists():
    @njit
    def change(items):
        total = 0
        for item in items:
            total += item
        items.append(total)
        items[0] = -1
        items.extend([5, 6])
        items.insert(1, 100)
        del items[2]
        items += [9]
        return total, len(items), items[-1], 100 in items, items.pop(), items.index(100), items[1:3]

    made, plain = List([1, 2, 3]), [1, 2, 3]
    found, expected = change(made), change.py_func(plain)
    assert found[:-1] == expected[:-1] and list(found[-1]) == expected[-1] and isinstance(found[-1], List)
    assert list(made) == plain

    @njit
    def both(a, b):
        a.append(1)
        return len(b), a is b

    assert both(made, made) == (len(made), True)


def test_compiled_code_shares_dicts():
    @njit
    def count(numbers, found):
        for number in numbers:
            found[number] = found.get(number, 0) + 1
        found.setdefault(-1, 7)
        total = 0
        for key, value in found.items():
            total += key * value
        for key in found:
            total += key
        return total, len(found), 3 in found, found.pop(-1), sum([value for value in found.values()])

    numbers = np.array([1, 3, 1, 2, 1])
    made, plain = Dict.empty(types.int64, types.int64), {0: 0}
    made[0] = 0
    assert count(numbers, made) == count.py_func(numbers, plain) and made == plain
    with pytest.raises(KeyError) as caught:
        njit(lambda one: one[99])(made)
    assert caught.value.args == (99,)
    with pytest.raises(RuntimeError, match="changed size"):
        for key in made:
            made[key + 100] = 1


def test_made_in_compiled_code():
    @njit
    def make(count):
        squares = List.empty_list(types.float64)
        for number in range(count):
            squares.append(number**2)
        table = Dict.empty(types.int64, types.float64)
        table[3] = squares[-1]
        return squares, table, List([1, 2]), Set.empty(types.int64)

    before = stats()
    squares, table, items, empty = make(4)
    assert (list(squares), dict(table), list(items), len(empty)) == (
        [0.0, 1.0, 4.0, 9.0],
        {3: 9.0},
        [1, 2],
        0,
    )
    squares.append(16)
    assert squares[4] == 16.0
    del squares, table, items, empty
    assert given_back(before)


@pytest.mark.parametrize(
    "items",
    [
        [1, 2],
        [1.5, float("inf"), -0.0],
        [True, False],
        [1j, 2.0 + 0j],
        ["text", "zwei ♥", ""],
        [(1, 2.5), (3, 4.5)],
        [Color.RED, Color.GREEN],
        [("a", (1, 2))],
    ],
)
def test_items_of_many_types(items):
    before = stats()
    made = List(items)
    made.append(items[0])
    assert list(made) == items + items[:1]
    assert njit(lambda one: one[0])(made) == items[0]
    assert list(pickle.loads(pickle.dumps(made))) == list(made) == list(copy.copy(made))
    del made
    assert given_back(before)


def test_arrays_and_containers_as_items():
    before = stats()
    arrays = List()
    for count in range(3):
        arrays.append(np.arange(count + 1.0))

    @njit
    def add(arrays, array):
        arrays.append(array)
        arrays[0][0] = 9
        return len(arrays)

    own = np.ones(2)
    assert add(arrays, own) == 4
    own[0] = 5
    assert [one.tolist() for one in arrays] == [[9.0], [0.0, 1.0], [0.0, 1.0, 2.0], [5.0, 1.0]]
    nested = List([List([1]), List([2, 3])])
    nested[0].append(7)
    assert [list(one) for one in nested] == [[1, 7], [2, 3]]
    assert njit(lambda outer: sum([item for inner in outer for item in inner]))(nested) == 13
    table = Dict()
    table[1] = np.arange(2.0)
    table[1][0] = 4
    assert njit(lambda one: one[1].sum())(table) == 5.0
    del arrays, own, nested, table
    assert given_back(before)


def test_fields_of_classes():
    @jitclass([("items", types.ListType(types.int64)), ("table", types.DictType(types.int64, types.float64))])
    class Holder:
        def __init__(self):
            self.items = List.empty_list(types.int64)
            self.table = Dict.empty(types.int64, types.float64)

        def put(self, number):
            self.items.append(number)
            self.table[number] = number / 2

    before = stats()
    holder = Holder()
    holder.put(3)
    holder.items.append(4)
    assert list(holder.items) == [3, 4] and dict(holder.table) == {3: 1.5}
    holder.items = List([9])
    assert list(holder.items) == [9]
    del holder
    assert given_back(before)


def test_shown():
    assert repr(List([1, 2])) == "ListType[int64]([1, 2])" and str(List([1.5])) == "[1.5]"
    assert repr(List()) == "ListType[Undefined]([])"
    assert repr(Dict({1: 2.5})) == "DictType[int64,float64]({1: 2.5})" and str(Dict({1: 2})) == "{1: 2}"
    assert str(types.typeof(List([1]))) == "ListType[int64]" and types.typeof(List([1])) == types.ListType(
        types.int64
    )
    assert str(types.typeof(Dict({1: 2.5}))) == "DictType[int64,float64]"


def test_refusals():
    with pytest.raises(TypeError, match="typed.List has no type yet"):
        njit(lambda one: len(one))(List())
    for made, reason in [
        (lambda: List([["a"]]), "a list of what isn't numbers is Python's list again"),
        (lambda: List([(1, [2])]), "a list of what isn't numbers is Python's list again"),
        (lambda: Set([[1]]), r"can't hold list\(int64\) where it is hashed"),
        (lambda: Dict.empty(types.List(types.int64), types.int64), "where it is hashed"),
    ]:
        with pytest.raises(errors.TypingError, match=reason):
            made()
    with pytest.raises(errors.TypingError, match="must be iterable"):
        njit(lambda: List(3))()
    with pytest.raises((errors.TypingError, errors.UnsupportedError)):
        List([1]).append("text")
    with pytest.raises((errors.TypingError, errors.UnsupportedError)):
        njit(lambda one: one.append(2.5))(List([1]))
    with pytest.raises(IndexError):
        List()[0]
    with pytest.raises(KeyError):
        Dict()[0]
    with pytest.raises(IndexError):
        njit(lambda one: one[5])(List([1]))
    with pytest.raises(AttributeError, match="no attribute 'push'"):
        List().push(1)


def test_prange_is_serial():
    from pyopt import prange

    @njit(parallel=True)
    def fill(items, count):
        for number in prange(count):
            items.append(number)

    items = List.empty_list(types.int64)
    with pytest.warns(errors.PyoptWarning, match="typed container"):
        fill(items, 10000)
    assert sorted(items) == list(range(10000))


def test_functions_of_a_signature():
    signature = types.int64(types.int64)
    plus, twice = njit(signature)(lambda x: x + 1), njit(lambda x: x * 2)
    functions = Dict.empty(types.int64, types.FunctionType(signature))
    functions[1], functions[2] = plus, twice
    listed = List.empty_list(types.FunctionType(signature))
    listed.append(plus)
    listed.append(lambda x: x - 1)

    @njit
    def of_dict(functions, key, x):
        return functions[key](x)

    @njit
    def in_turn(functions, x):
        for function in functions:
            x = function(x) * 10
        return x

    assert (of_dict(functions, 1, 3), of_dict(functions, 2, 3)) == (4, 6)
    assert in_turn(listed, 3) == 390
    assert functions[1] is plus and listed[0] is plus
    # What is taken out later is called later.
    listed[0] = twice
    assert in_turn(listed, 3) == 590


def test_types_are_made_in_compiled_code():
    row = types.float64[::1]

    @njit
    def f():
        texts = Dict.empty(types.unicode_type, row)
        texts["a"] = np.ones(3)
        matrices = Dict.empty(types.int64, types.float64[:, ::1])
        matrices[1] = np.ones((2, 3))
        pairs = List.empty_list(types.UniTuple(types.int64, 2))
        pairs.append((1, 2))
        mixed = List.empty_list(types.Tuple((types.int64, types.float64)))
        mixed.append((1, 2.5))
        return texts["a"].sum() + matrices[1].sum() + pairs[0][1] + mixed[0][1]

    assert f() == 13.5


def test_types_that_compiled_code_does_not_make_are_refused():
    lists = List.empty_list
    for function, message in (
        (lambda: lists(types.float64[::2]), r"float64\[.*\] is no type"),
        (lambda: lists(types.float64[1]), r"float64\[.*\] is no type"),
        (lambda: lists(types.UniTuple(types.int64)), "UniTuple"),
        (lambda: lists(types.Tuple(types.int64)), "Tuple takes a tuple of types"),
        (lambda: lists(types.ListType(types.int64)), "make the type outside of compiled code"),
    ):
        with pytest.raises(errors.TypingError, match=message):
            njit(function)()
    with pytest.raises(errors.TypingError, match="must be a constant"):
        njit(lambda a: lists(types.UniTuple(types.int64, a[0])))([2])


def test_dict_types_are_those_of_typed_dicts():
    kind = types.DictType(types.int64, types.float64)
    made = Dict.empty(types.int64, types.float64)
    assert types.typeof(made) == kind and isinstance(types.typeof(made), types.DictType)
    assert isinstance(types.typeof({1: 2.5}), types.DictType)
    assert kind.keyvalue_type == types.Tuple([types.int64, types.float64])

    @njit(types.float64(kind))
    def f(d):
        return d[1]

    made[1] = 2.5
    assert f(made) == 2.5
    outer = Dict.empty(types.int64, kind)
    outer[3] = made
    assert njit(lambda d: d[3][1])(outer) == 2.5


def test_methods_that_extensions_add_to_dicts():
    @overload_method(types.DictType, "smallest_key")
    def _(self):
        return lambda self: min(list(self.keys()))

    made = Dict.empty(types.int64, types.int64)
    made[4], made[2] = 1, 1
    f = njit(lambda d: d.smallest_key())
    assert f(made) == 2 == f({5: 0, 2: 0})


def test_types_of_containers_that_are_not_there_can_be_named():
    kind = types.ListType(types.List(types.unicode_type))
    assert str(kind) == "ListType[list(unicode_type)]" and kind.is_foreign
    f = njit(types.int64(kind))(lambda x: 1)
    with pytest.raises(errors.UnsupportedError, match=r"the type ListType\[list\(unicode_type\)\]"):
        f(1)


def test_containers_that_are_given_themselves():
    @njit
    def program(n):
        values = typed.List([1, 2, n])
        values.extend(values)
        values += values
        values[1:2] = values
        values[0:3] = [n, n]
        table = typed.Dict({1: n, 2: 3})
        table.update(table)
        return [value for value in values], len(table)

    values = [1, 2, 4]
    values.extend(values)
    values += values
    values[1:2] = values
    values[0:3] = [4, 4]
    assert program(4) == (values, 2)


def test_deques_are_extended_by_themselves():
    @njit
    def program(n):
        items = deque([1, n])
        items.extend(items)
        items += items
        items.extendleft(items)
        return list(items)

    items = deque([1, 4] * 4)
    items.extendleft(items)
    assert program(4) == list(items)


def test_containers_are_made_of_anything_that_is_gone_through():
    def halves(n):
        for i in range(n):
            yield i / 2

    def program(n, rows):
        a = typed.List(range(n))
        b = typed.List(zip(a, [1.5, 2.5, 3.5]))
        c = typed.List(enumerate(range(2)))
        d = typed.Dict(zip([1, 2], "ab"))
        e = typed.List(d)
        f = typed.List(d.items())
        g = typed.List(halves(n))
        h = typed.Set(reversed([1, 2]))
        i = typed.List({1: 2.5}.values())
        j = typed.List()
        j.extend(range(n))
        k = typed.List(rows)
        return len(a), b[1], c[1], d[2], e[1], f[1], g[2], len(h), i[0], len(j), k[1].sum()

    for order in "CF":
        rows = np.arange(6).reshape((2, 3), order=order)
        assert njit(program)(3, rows) == (
            3,
            (1, 2.5),
            (1, 1),
            "b",
            2,
            (2, "b"),
            1.0,
            2,
            2.5,
            3,
            rows[1].sum(),
        )


def test_keys_that_are_tuples_of_other_ints():
    table = Dict.empty(types.UniTuple(types.uint32, 2), types.int64)
    table[1, 2] = 3
    assert (table[1, 2], (1, 2) in table, (1, 3) in table, (1, -1) in table) == (3, True, False, False)
    assert table.get((1, 2), 0) == 3
    with pytest.raises(KeyError):
        table[1, 2 + 2**32]
    with pytest.raises(errors.TypingError, match="is looked up in a dict"):
        table[1, 2, 3]


def test_without_compiler_they_are_those_of_python(monkeypatch):
    from pyopt import config

    monkeypatch.setattr(config, "DISABLE_JIT", 1)
    assert (type(List([1])), type(List.empty_list(types.int64))) == (list, list)
    assert (type(Dict({1: 2})), type(Dict.empty(types.int64, types.int64))) == (dict, dict)
    assert (type(Set([1])), type(Set.empty(types.int64))) == (set, set)
    monkeypatch.undo()
    assert type(List.empty_list(types.int64)) is List


def test_casts_that_may_lose_something_are_told():
    @njit
    def put(items, table, value):
        items.append(value)
        table[value] = value
        return items[0], table[value]

    def run(item, key, kept, value):
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            put(List.empty_list(item), Dict.empty(key, kept), value)
        return {str(one.message) for one in caught if one.category is errors.NumbaTypeSafetyWarning}

    assert run(types.int64, types.int64, types.float64, 1) == set()
    assert run(types.float32, types.int16, types.uint64, 1) == {
        f"unsafe cast from int64 to {name}. Precision may be lost." for name in ("float32", "int16", "uint64")
    }
    assert run(types.float64, types.float64, types.float32, 0.5) == {
        "unsafe cast from float64 to float32. Precision may be lost."
    }
