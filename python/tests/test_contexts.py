"""``with`` on managers that compiled code has, against CPython."""

import pytest
from differential.memory import growth

from pyopt import errors, njit
from pyopt.experimental import jitclass
from pyopt.types import boolean, int64


@jitclass([("entered", int64), ("left", int64), ("failed", int64), ("swallows", boolean)])
class Manager:
    """Counts how it is entered and left."""

    def __init__(self, swallows):
        self.entered, self.left, self.failed, self.swallows = 0, 0, 0, swallows

    def __enter__(self):
        self.entered += 1
        return self

    def __exit__(self, kind, value, traceback):
        self.left += 1
        if kind is not None and value is not None:
            self.failed += 1
        return self.swallows


def counts(manager):
    return manager.entered, manager.left, manager.failed


def plain(manager, n):
    with manager as same:
        n += same.entered
    return n, counts(manager)


def returned(manager, n):
    with manager:
        if n > 2:
            return 10, counts(manager)
    return n, counts(manager)


def in_a_loop(manager, n):
    found = 0
    for i in range(n):
        with manager:
            if i == 1:
                continue
            if i == 3:
                break
            found += i
    return found, counts(manager)


def raised(manager, n):
    try:
        with manager:
            n = 12 // n
    except ZeroDivisionError:
        return -1, counts(manager)
    return n, counts(manager)


def nested(manager, n):
    with manager as outer, manager as inner:
        n += outer.entered + inner.entered
        with manager:
            if n > 5:
                raise ValueError("too large")
    return n, counts(manager)


FUNCTIONS = [plain, returned, in_a_loop, raised, nested]
counts = njit(counts)


@pytest.mark.parametrize("function", FUNCTIONS, ids=lambda function: function.__name__)
@pytest.mark.parametrize("swallows", [False, True])
def test_like_cpython(function, swallows):
    compiled = njit(function)
    for n in (0, 1, 4):
        results = []
        for one in (function, compiled):
            manager = Manager(swallows)
            try:
                results.append((one(manager, n), counts(manager)))
            except ValueError as error:
                results.append((str(error), counts(manager)))
        assert results[0] == results[1]


def test_exceptions_are_told_by_isinstance():
    @jitclass([("count", int64)])
    class OfValues:
        def __init__(self):
            self.count = 0

        def __enter__(self):
            return 1

        def __exit__(self, kind, value, traceback):
            if isinstance(value, ValueError):
                self.count += 1
            return True

    @njit
    def use(n):
        manager = OfValues()
        with manager:
            if n:
                raise ValueError("a")
            raise KeyError(n)
        return manager.count

    assert (use(1), use(0)) == (1, 0)


def test_what_is_refused():
    @jitclass([])
    class OfAClass:
        def __init__(self):
            pass

        def __enter__(self):
            return 1

        def __exit__(self, kind, value, traceback):
            return kind is ValueError

    @njit
    def use():
        with OfAClass():
            raise ValueError("a")
        return 1

    with pytest.raises(errors.TypingError, match="which exception this is"):
        use()
    with pytest.raises(errors.TypingError, match="__enter__"):

        @njit
        def no_manager(n):
            with n:
                return 1

        no_manager(1)


def test_nothing_leaks():
    @njit
    def use(n):
        total = 0
        for i in range(n):
            with Manager(True):
                total += [i, n][i % 3]
        return total

    assert growth(lambda: use(10)) == 0
