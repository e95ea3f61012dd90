"""Typed containers and instances that several threads use at the same time."""

import threading

import numpy as np
import pytest

from pyopt import njit, typed, types
from pyopt.experimental import jitclass


@njit(nogil=True)
def hold(container, begun, ended):
    """Use a container, without changing it, until it is to end."""
    count = len(container)
    turns = 0
    while ended[0] == 0 and turns < 1 << 33:
        begun[0] = 1
        turns += 1
    return count


@njit(nogil=True)
def change_and_hold(container, begun, ended):
    """Append to a list, and use it until it is to end."""
    container.append(1)
    turns = 0
    while ended[0] == 0 and turns < 1 << 33:
        begun[0] = 1
        turns += 1
    return len(container)


@jitclass([("values", types.ListType(types.int64)), ("count", types.int64)])
class Holder:
    """A class with a container and a number."""

    def __init__(self):
        self.values = typed.List([1])
        self.count = 0

    def __len__(self):
        return len(self.values)

    def append(self, value):
        self.values.append(value)
        self.count += 1


class Busy:
    """Runs a function on a container, on another thread, while the block runs."""

    def __init__(self, function, container):
        self.begun, self.ended = np.zeros(1, np.int64), np.zeros(1, np.int64)
        self.thread = threading.Thread(target=self.run, args=(function, container))
        self.error = None

    def run(self, function, container):
        try:
            function(container, self.begun, self.ended)
        except RuntimeError as error:
            self.error = error

    def __enter__(self):
        self.thread.start()
        while self.begun[0] == 0:
            assert self.thread.is_alive()
        return self

    def __exit__(self, *exception):
        self.ended[0] = 1
        self.thread.join()


CHANGES = [
    lambda c: c.append(4),
    lambda c: c.insert(0, 4),
    lambda c: c.pop(),
    lambda c: c.extend([1, 2]),
    lambda c: c.clear(),
    lambda c: c.sort(),
    lambda c: c.reverse(),
    lambda c: c.remove(2),
    lambda c: c.__delitem__(0),
    lambda c: c.__setitem__(slice(0, 1), [4]),
]


@pytest.mark.parametrize("change", CHANGES)
def test_a_list_that_another_thread_reads_is_not_changed(change):
    values = typed.List([3, 2, 1])
    with Busy(hold, values) as busy, pytest.raises(RuntimeError, match="while other threads use it"):
        change(values)
    assert busy.error is None
    assert list(values) == [3, 2, 1]
    change(values)


def test_items_are_read_and_numbers_replaced_meanwhile():
    values = typed.List([3, 2, 1])
    with Busy(hold, values) as busy:
        assert values[0] == 3
        values[0] = 5
        assert list(values) == [5, 2, 1]
    assert busy.error is None


def test_texts_are_not_replaced_meanwhile():
    values = typed.List(["a", "b"])
    with Busy(hold, values), pytest.raises(RuntimeError, match="while other threads use it"):
        values[0] = "c"
    values[0] = "c"
    assert list(values) == ["c", "b"]


def test_a_list_that_another_thread_changes_is_refused():
    values = typed.List([3, 2, 1])
    with Busy(change_and_hold, values) as busy:
        with pytest.raises(RuntimeError, match="another thread is changing"):
            len(values)
        with pytest.raises(RuntimeError, match="another thread is changing"):
            values.append(4)
    assert busy.error is None
    assert list(values) == [3, 2, 1, 1]
    values.append(5)


def test_dicts_and_sets():
    table, items = typed.Dict({1: 2}), typed.Set([1])
    with Busy(hold, table), pytest.raises(RuntimeError, match="while other threads use it"):
        table[2] = 3
    with Busy(hold, items), pytest.raises(RuntimeError, match="while other threads use it"):
        items.add(2)
    table[2] = 3
    items.add(2)
    assert (dict(table), sorted(items)) == ({1: 2, 2: 3}, [1, 2])


def test_what_containers_hold():
    inner = typed.List([1])
    outer = typed.List([inner])
    with Busy(hold, outer), pytest.raises(RuntimeError, match="while other threads use it"):
        inner.append(2)
    with Busy(hold, inner), pytest.raises(RuntimeError, match="while other threads use it"):
        outer[0].append(2)
    inner.append(2)
    assert list(outer[0]) == [1, 2]


def test_instances():
    one = Holder()
    with Busy(hold, one):
        with pytest.raises(RuntimeError, match="while other threads use it"):
            one.append(2)
        with pytest.raises(RuntimeError, match="while other threads use it"):
            one.values = typed.List([5])
        one.count = 7
    with Busy(change_and_hold, one), pytest.raises(RuntimeError, match="another thread is changing"):
        len(one.values)
    one.append(2)
    assert (list(one.values), one.count) == ([1, 1, 2], 9)


def test_many_threads_that_change_one():
    table = typed.Dict({0: 0})

    @njit(nogil=True)
    def fill(table, first):
        for key in range(first, first + 20000):
            table[key] = key
        return True

    fill(table, 0)
    ended = []

    def run(first):
        for turn in range(10):
            try:
                ended.append(fill(table, first + 20000 * turn))
            except RuntimeError:
                ended.append(False)

    threads = [threading.Thread(target=run, args=(1000000 * one,)) for one in range(1, 5)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(ended) == 40
    # However far each came, the table is whole.
    assert all(table[key] == key for key in table)


@jitclass([("values", types.List(types.int64))])
class HolderOfList:
    """A class with a list, which stays one of Python's nowhere."""

    def __init__(self):
        self.values = [1]

    def __len__(self):
        return len(self.values)

    def append(self, value):
        self.values.append(value)


def test_a_list_of_an_instance_is_one_threads():
    """As nothing is noted at the list itself, it isn't read either while others use the instance."""
    one = HolderOfList()
    with Busy(hold, one):
        for use in (lambda: one.append(2), lambda: len(one), lambda: one.values):
            with pytest.raises(RuntimeError, match="another thread is changing"):
                use()
    one.append(3)
    assert list(one.values) == [1, 3]
