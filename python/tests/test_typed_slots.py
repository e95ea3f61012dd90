"""Operations of typed containers from Python: those that slots do beside those of compiled code."""

import copy
import gc
import inspect
import pickle
import random
import sys
import threading
import weakref

import numpy as np
import pytest
from memory_checks import holds_its_memory

from pyopt import njit, typed, types
from pyopt.typed import Dict, List, Set

# Items are told by their values, whose types are others.
pytestmark = pytest.mark.filterwarnings("ignore::pyopt.errors.NumbaTypeSafetyWarning")

#: Types of items, with values at their borders.
VALUES = {
    types.int8: [0, 1, -1, 127, -128],
    types.int16: [0, 1, -1, 2**15 - 1, -(2**15)],
    types.int32: [0, 1, -1, 2**31 - 1, -(2**31)],
    types.int64: [0, 1, -1, 2**63 - 1, -(2**63), 256, 257],
    types.uint8: [0, 1, 255],
    types.uint16: [0, 1, 2**16 - 1],
    types.uint32: [0, 1, 2**32 - 1],
    types.uint64: [0, 1, 2**63 - 1],
    types.float32: [0.0, -0.0, 1.5, float("inf"), float("nan"), 2.0**-149],
    types.float64: [0.0, -0.0, 1.1, float("-inf"), float("nan"), 5e-324],
    types.boolean: [True, False],
    types.complex64: [1.5 - 2j, 0j],
    types.complex128: [1.1 - 2j, complex(float("nan"), -0.0)],
    types.unicode_type: ["", "a", "ß", "€uro", "\U0001f600", "\0"],
    types.bytes_type: [b"", b"a\0b"],
    types.Tuple([types.int64, types.float64]): [(1, 2.5), (-1, -0.0)],
}
# A complex number is not looked up among those of half the width.
HASHED = [kind for kind in VALUES if kind != types.complex64]


def same(found, expected):
    return type(found) is type(expected) and repr(found) == repr(expected)


def compiled(container, name, *arguments):
    """Call a method of compiled code as any compiled function is called."""
    return typed._method(container, name)(container, *arguments)


def outcome(use, *arguments):
    """Give what a use gives, or the class and text of what it raises."""
    try:
        return repr(use(*arguments))
    except Exception as error:
        return type(error), str(error)


@pytest.mark.parametrize("kind", VALUES, ids=str)
def test_items_of_lists_are_those_of_compiled_code(kind):
    items, values = List.empty_list(kind), VALUES[kind]
    # The first one of each is compiled, the others are not dispatched.
    for _ in range(3):
        for value in values:
            items.append(value)
    count = len(items)
    assert count == 3 * len(values) == compiled(items, "__len__")
    for at in range(-count, count):
        assert same(items[at], compiled(items, "__getitem__", at))
    if kind not in (types.float32, types.complex64):
        assert all(same(items[at], type(items[at])(values[at])) for at in range(len(values)))
    assert [repr(item) for item in items] == [repr(items[at]) for at in range(count)]
    for at, value in enumerate(reversed(values)):
        items[at - count] = value
        compiled(items, "__setitem__", at + len(values), value)
        assert same(items[at], items[at + len(values)])
    for value in values:
        assert (value in items) is compiled(items, "__contains__", value)
    for left in range(count - 1, -1, -1):
        last = items[left]
        assert same(items.pop(), last) and len(items) == left
    assert outcome(items.pop) == outcome(compiled, items, "pop", -1)
    assert list(items) == []


@pytest.mark.parametrize("kind", HASHED, ids=str)
def test_entries_are_those_of_compiled_code(kind):
    counts, members, values = Dict.empty(kind, types.int64), Set.empty(kind), VALUES[kind]
    for turn in range(3):
        for at, value in enumerate(values):
            counts[value] = at + turn
            members.add(value)
    assert len(counts) == len(members) == compiled(counts, "__len__") == compiled(members, "__len__")
    for value in values:
        assert outcome(lambda value=value: counts[value]) == outcome(compiled, counts, "__getitem__", value)
        assert (value in counts) is (value in members) is compiled(counts, "__contains__", value)
        assert counts.get(value, "none") == counts.get(value, "none")
    assert [repr(key) for key in counts] == [repr(key) for key in counts.keys()]
    assert [repr(key) for key in members] == [repr(key) for key in counts]
    if kind not in (types.float32, types.float64, types.complex128):
        assert list(counts.items()) == [(key, counts[key]) for key in counts]
        assert list(counts.values()) == [counts[key] for key in counts]
    for value in values:
        assert outcome(counts.__delitem__, value) in (
            "None",
            (KeyError, outcome(lambda: counts[value])[1]),
        )
        members.discard(value)
        assert value not in counts and value not in members
        assert outcome(lambda value=value: counts[value]) == outcome(compiled, counts, "__getitem__", value)


@pytest.mark.parametrize("kind", VALUES, ids=str)
def test_values_of_dicts_are_those_of_compiled_code(kind):
    table = Dict.empty(types.int64, kind)
    for turn in range(2):
        for at, value in enumerate(VALUES[kind]):
            table[at + turn] = value
    for key in table:
        assert same(table[key], compiled(table, "__getitem__", key))
        assert same(table.get(key), table[key]) and same(table.get(key), table[key])
    assert [repr(value) for value in table.values()] == [repr(table[key]) for key in table]
    assert repr(list(table.items())) == repr([(key, table[key]) for key in table])
    assert table.get(99) is None and table.get(99, "none") == "none" and table.get(key=99) is None


ARGUMENTS = [
    *(
        0,
        -1,
        5,
        -6,
        True,
        False,
        2**62,
        2**63 - 1,
        2**63,
        2**64,
        -(2**63),
        -(2**63) - 1,
        1.0,
        1.5,
        1j,
    ),
    *(
        None,
        "a",
        b"a",
        (1,),
        [1],
        np.int8(1),
        np.uint64(2),
        np.float32(0.5),
        np.bool_(True),
        np.str_("a"),
    ),
    *(np.array(1), slice(0, 1), object(), len, int, types.int64),
]


class Indexed:
    def __index__(self):
        return 1


@pytest.mark.parametrize("kind", [types.int16, types.int64, types.float64, types.unicode_type], ids=str)
def test_any_argument_does_the_same_again(kind):
    """What a first call of a kind of arguments does in Python the second one does in a slot."""
    first = VALUES[kind][1]

    def fresh():
        items, table, members = List.empty_list(kind), Dict.empty(kind, kind), Set.empty(kind)
        items.append(first)
        table[first] = first
        members.add(first)
        return items, table, members

    uses = [
        lambda items, table, members, one: items[one],
        lambda items, table, members, one: items.__setitem__(0, one),
        lambda items, table, members, one: items.__setitem__(one, first),
        lambda items, table, members, one: items.append(one),
        lambda items, table, members, one: items.pop(one),
        lambda items, table, members, one: one in items,
        lambda items, table, members, one: items.__delitem__(one),
        lambda items, table, members, one: table[one],
        lambda items, table, members, one: table.get(one, "none"),
        lambda items, table, members, one: table.__setitem__(one, first),
        lambda items, table, members, one: table.__setitem__(first, one),
        lambda items, table, members, one: one in table,
        lambda items, table, members, one: table.__delitem__(one),
        lambda items, table, members, one: one in members,
        lambda items, table, members, one: members.add(one),
        lambda items, table, members, one: members.discard(one),
    ]
    for argument in [*ARGUMENTS, Indexed()]:
        for use in uses:
            ends = []
            for _ in range(2):
                containers = fresh()
                ends.append((outcome(use, *containers, argument), *map(repr, containers)))
            assert ends[0] == ends[1], (argument, use)


def test_errors_say_what_lists_and_dicts_say():
    items, table = List([1]), Dict({1: 2.5})
    for _ in range(2):
        for use in (
            lambda one: one[1],
            lambda one: one[-2],
            lambda one: one.__setitem__(1, 2),
            lambda one: one.__delitem__(1),
            lambda one: one.pop(7),
        ):
            assert outcome(use, items)[0] is IndexError
            assert outcome(use, items) == outcome(use, [1])
        for use in (lambda one: one[5], lambda one: one.__delitem__(5), lambda one: one.pop(5)):
            assert outcome(use, table) == outcome(use, {1: 2.5})
    for wrong in (
        lambda: items.append(),
        lambda: items.append(1, 2),
        lambda: items.pop(1, 2),
        lambda: table.get(),
    ):
        with pytest.raises(TypeError, match="argument"):
            wrong()
    assert str(inspect.signature(List.append)) == "(self, /, item)" and "out" in List.pop.__doc__
    assert items.append(item=3) is None and items.pop(index=1) == 3


def test_lists_grow_while_they_are_gone_through():
    for made in (List([1, 2, 3]), List(["1", "2", "3"])):
        plain, found = list(made), []
        for items in (made, plain):
            seen = []
            for item in items:
                seen.append(item)
                if len(items) < 6:
                    items.append(item)
                if len(seen) == 5:
                    items.pop()
            found.append(seen)
        assert found[0] == found[1] and list(made) == plain
        iterator = iter(made)
        assert len(list(iterator)) == len(made)
        made.append(made[0])
        assert list(iterator) == []


@pytest.mark.parametrize("keys", [[1, 2, 3], [1.5, 2.5, 3.5], ["a", "b", "c"], [(1, 2), (3, 4), (5, 6)]])
@pytest.mark.parametrize(
    "view", [iter, dict.items, dict.values, dict.keys], ids=["iter", "items", "values", "keys"]
)
def test_dicts_that_change_in_size_are_not_gone_through(keys, view):
    table, members = Dict(dict.fromkeys(keys, 1)), Set(keys)
    view = view if view is iter else getattr(Dict, view.__name__)
    iterator = iter(view(table))
    next(iterator)
    del table[keys[2]]
    with pytest.raises(RuntimeError, match="dictionary changed size during iteration"):
        next(iterator)
    assert list(iterator) == []
    iterator = iter(members)
    next(iterator)
    members.discard(keys[0])
    with pytest.raises(RuntimeError, match="set changed size during iteration"):
        next(iterator)
    # What comes last is looked at, too.
    iterator = iter(view(table))
    next(iterator), next(iterator)
    table[keys[2]] = 1
    with pytest.raises(RuntimeError, match="changed size"):
        next(iterator)


def test_entries_that_move_are_found_while_a_dict_is_gone_through():
    table = Dict({key: 10 * key for key in range(10)})
    del table[0]
    seen = []
    for key, value in table.items():
        seen.append((key, value))
        if key == 3:
            # The holes are closed, and other entries are where these were.
            for extra in range(100, 140):
                table[extra] = extra
            for extra in range(100, 140):
                del table[extra]
            table[5] = 7
    assert seen == [(key, 7 if key == 5 else 10 * key) for key in range(1, 10)]
    values = iter(table.values())
    assert next(values) == 10
    del table[2]
    table[50] = 1
    with pytest.raises(KeyError, match="2"):
        next(values)
    shrunk = Dict({key: key for key in range(1000)})
    values = iter(shrunk.values())
    assert [next(values) for _ in range(900)] == list(range(900))
    shrunk.clear()
    for key in range(2000, 3000):
        shrunk[key] = 1
    del shrunk[2001]
    shrunk[0] = 1
    with pytest.raises(KeyError, match="900"):
        next(values)


def test_derived_classes_have_their_own_ways():
    class Doubling(List):
        def __getitem__(self, index):
            return 2 * super().__getitem__(index)

        def append(self, item):
            super().append(item + 1)

    items = Doubling([1, 2])
    items.append(5)
    assert [items[0], items[-1]] == [4, 12] and list(items) == [2, 3, 6] and items.pop() == 6

    class Defaulting(Dict):
        def __getitem__(self, key):
            return super().__getitem__(key) if key in self else -1

        def __iter__(self):
            return reversed([*super().__iter__()])

    table = Defaulting({1: 10, 2: 20})
    for _ in range(2):
        assert table[7] == -1 and table.get(7, "none") == -1 and table.get(1) == 10
        assert list(table.items()) == [(2, 20), (1, 10)] and list(table.values()) == [20, 10]
    assert type(pickle.loads(pickle.dumps(List([1])))) is List

    class Counted(Set):
        def __contains__(self, item):
            return item == 99

    members = Counted([1])
    assert 99 in members and 1 not in members and list(members) == [1]


def test_copies_and_pickles_are_of_their_own():
    for made, change in (
        (List([1, 2]), lambda one: one.append(3)),
        (Dict({1: 2}), lambda one: one.__setitem__(3, 4)),
        (Set([1]), lambda one: one.add(3)),
    ):
        for other in (copy.copy(made), copy.deepcopy(made), pickle.loads(pickle.dumps(made))):
            assert other == made and type(other) is type(made)
            change(other)
            assert len(other) == len(made) + 1


def test_containers_without_types_do_what_they_did():
    items, table, members = List(), Dict(), Set()
    for _ in range(2):
        assert len(items) == len(table) == len(members) == 0
        assert [*items, *table, *members, *table.items()] == [] and 1 not in items
        assert 1 not in table and 1 not in members and table.get(1, 5) == 5
        members.discard(1)
    for use, error in (
        (lambda: items[0], IndexError),
        (lambda: items.pop(), IndexError),
        (lambda: table[0], KeyError),
        (lambda: table.__delitem__(0), KeyError),
    ):
        assert outcome(use)[0] is error
    iterator = iter(items)
    items.append(1)
    assert next(iterator) == 1
    with pytest.raises(AttributeError, match="'List' object has no attribute 'wrong'"):
        _ = items.wrong
    with pytest.raises(TypeError, match="the typed.Dict has no type yet"):
        njit(lambda table: len(table))(Dict())


def test_slots_refuse_what_is_no_container():
    for cls in List.__mro__[1], Dict.__mro__[1], Set.__mro__[1]:
        with pytest.raises(TypeError):
            len(cls())
    with pytest.raises(TypeError):
        List.__getitem__([1], 0)
    # The memory of a container of another class is what it is.
    wrong = List([1, 2])
    wrong._meminfo = Dict({"a": 1})._meminfo
    for use in (
        lambda: wrong[0],
        lambda: wrong.append(1),
        lambda: wrong.pop(),
        lambda: list(wrong),
    ):
        outcome(use)


@pytest.mark.parametrize("items", [[1, 2], [1.5], [True], [1j], ["text", "€"], [(1, "a")]], ids=repr)
def test_memory_and_references_are_given_back(items):
    def use():
        made, table, members = List(items), Dict(dict.fromkeys(items, items[0])), Set(items)
        for item in made:
            assert item in table and item in members and table[item] == table.get(item) == items[0]
        made.append(items[0])
        made[0] = made[-1]
        made.pop(), list(table.items()), list(table.values()), list(members)
        next(iter(made)), next(iter(table)), next(iter(table.items())), next(iter(members))
        outcome(lambda: made[99])
        del made[0]
        del table[items[0]]
        members.discard(items[0])

    use()
    assert holds_its_memory(use)
    made = List(items)
    table = Dict(dict.fromkeys(items, 1))
    counts = [sys.getrefcount(one) for one in (made, made._meminfo, table, table._meminfo, items[0])]
    for _ in range(100):
        made[0] = made[0]
        made.append(items[0])
        made.pop()
        outcome(lambda: made[99])
        (
            list(made),
            list(table),
            list(table.items()),
            len(made),
            len(table),
            items[0] in table,
            table[items[0]],
        )
        table[items[0]] = 1
    after = [sys.getrefcount(one) for one in (made, made._meminfo, table, table._meminfo, items[0])]
    assert after[:4] == counts[:4] and abs(after[4] - counts[4]) < 5


def test_iterators_in_cycles_are_collected():
    class Own(List):
        pass

    class OwnDict(Dict):
        pass

    for make in (lambda: Own([1]), lambda: OwnDict({1: 2})):
        made = make()
        made.iterators = [iter(made), iter(made)]
        if isinstance(made, Dict):
            made.iterators += [iter(made.items()), iter(made.values())]
        next(made.iterators[0])
        kept = weakref.ref(made)
        del made
        gc.collect()
        assert kept() is None


@njit(nogil=True)
def hold(container, begun, ended):
    count = len(container)
    turns = 0
    while ended[0] == 0 and turns < 1 << 33:
        begun[0] = 1
        turns += 1
    return count


@pytest.mark.parametrize(
    "made",
    [List([1, 2, 3]), List(["a", "b"]), Dict({1: 2}), Dict({"a": "b"}), Set([1, 2])],
    ids=lambda made: str(made._type),
)
def test_what_a_running_call_uses_is_read_and_not_changed(made):
    begun, ended = np.zeros(1, np.int64), np.zeros(1, np.int64)
    key = next(iter(made))
    other = made.copy()

    def change(one):
        if isinstance(one, List):
            one.append(key)
        elif isinstance(one, Dict):
            one[key] = one[key]
        else:
            one.add(key)

    change(other)
    thread = threading.Thread(target=hold, args=(made, begun, ended))
    thread.start()
    try:
        while begun[0] == 0:
            pass
        assert len(made) == len(list(made)) > 0 and key in made
        assert [*made][0] == key
        if not isinstance(made, Set):
            assert made[0 if isinstance(made, List) else key] is not None
        if isinstance(made, Dict):
            assert list(made.items()) == [(key, made[key])] and list(made.values()) == [made.get(key)]
        for _ in range(2):
            with pytest.raises(RuntimeError, match="is changed while other threads use it"):
                change(made)
        # Others aren't concerned.
        change(other)
    finally:
        ended[0] = 1
        thread.join()
    change(made)


def test_threads_that_use_one_list_leave_it_whole():
    items, table = List([0]), Dict({0: 0})
    total = njit(nogil=True)(lambda items: sum([item for item in items]))
    total(items)
    failed = []

    def work(seed):
        chance = random.Random(seed)
        for turn in range(2000):
            try:
                use = chance.randrange(6)
                if use == 0:
                    items.append(turn)
                elif use == 1 and len(items) > 1:
                    items.pop()
                elif use == 2:
                    total(items)
                elif use == 3:
                    table[chance.randrange(50)] = turn
                elif use == 4:
                    list(items)
                else:
                    table.get(chance.randrange(50))
            except (RuntimeError, IndexError):
                pass
            except Exception as error:
                failed.append(error)

    threads = [threading.Thread(target=work, args=(seed,)) for seed in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not failed and total(items) == sum(items) and len(table) == len(list(table))
