"""What many threads do at once: it counts most where there is no global lock."""

import collections
import dataclasses
import enum
import gc
import os
import subprocess
import sys
import sysconfig
import textwrap
import threading

import numpy as np
import pytest

from pyopt import _core, njit, objmode, prange, types
from pyopt.experimental import jitclass
from pyopt.typed import Dict, List

pytestmark = pytest.mark.serial

THREADS = 16


@pytest.fixture(autouse=True)
def _switches_often():
    """Have threads that share a lock interrupt each other often."""
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-5)
    yield
    sys.setswitchinterval(before)


def at_once(*works):
    """Call functions on a thread each, at the same time; gives what they return."""
    results, errors = [None] * len(works), []
    start = threading.Barrier(len(works))

    def run(at, work):
        start.wait()
        try:
            results[at] = work()
        except BaseException as error:
            errors.append(error)

    threads = [threading.Thread(target=run, args=one) for one in enumerate(works)]
    for one in threads:
        one.start()
    for one in threads:
        one.join()
    if errors:
        raise errors[0]
    return results


def during(work, *others):
    """Call others again and again, on a thread each, until a function has returned."""
    done = threading.Event()

    def repeat(other):
        while not done.is_set():
            other()

    def run():
        try:
            return work()
        finally:
            done.set()

    return at_once(run, *((lambda other=other: repeat(other)) for other in others))[0]


def test_the_lock_stays_off():
    if not sysconfig.get_config_var("Py_GIL_DISABLED"):
        pytest.skip("this interpreter has a global lock")
    program = "import sys, pyopt; pyopt.njit(lambda: 1)(); print(sys._is_gil_enabled())"
    command = [sys.executable, "-W", "error", "-c", program]
    assert subprocess.check_output(command, text=True) == "False\n"
    assert not _core.OWN_FRAMES


def test_first_calls():
    for _ in range(5):

        @njit
        def total(values, factor):
            result = 0.0
            for value in values:
                result += value * factor
            return result

        values = np.arange(10.0)
        assert at_once(*[lambda f=total, v=values: f(v, 2)] * THREADS) == [90.0] * THREADS
        assert len(total.signatures) == 1


def test_first_calls_with_types_of_their_own():
    @njit
    def last(values):
        return values[-1]

    given = [np.arange(3).astype(dtype) for dtype in "bhilBHILfd"] + [(1, at) for at in range(3)] + [[1, 2]]
    assert at_once(*[lambda one=one: last(one) for one in given]) == [one[-1] for one in given]
    assert len(last.signatures) == 12


def test_calls_while_specialisations_come():
    for _ in range(3):

        @njit
        def same(value):
            return value

        def compile_more(same=same):
            for ndim in range(1, 5):
                for dtype in "ild":
                    given = np.ones((2,) * ndim, dtype)
                    assert same(given) is given

        def call(same=same):
            for at in range(100):
                assert same(at) == at and same(at / 2) == at / 2

        during(compile_more, *[call] * 8)
        assert len(same.signatures) == 14


def test_calls_while_code_is_compiled_again():
    scale = 1

    @njit
    def scaled(value):
        return value * scale

    def recompile():
        for _ in range(20):
            scaled.recompile()

    def call():
        for at in range(100):
            assert scaled(at) == at

    during(recompile, *[call] * 8)


def test_functions_of_one_name():
    def made(number):
        return lambda value: value + number

    @njit
    def apply(function, value):
        return function(value)

    functions = [made(number) for number in range(THREADS)]
    assert at_once(*[lambda one=one: apply(one, 0) for one in functions]) == list(range(THREADS))


def test_classes_that_are_met_first():
    for _ in range(5):
        Point = collections.namedtuple("Point", "x y")
        Point.size = lambda self: self.x * self.y

        @dataclasses.dataclass(frozen=True)
        class Pair:
            left: int
            right: int

            def total(self):
                return self.left + self.right

        class Colour(enum.Enum):
            RED = 1
            BLUE = 2

        @njit
        def sizes(point, pair, colour, is_blue=Colour.BLUE):
            return point.size() + pair.total(), colour is is_blue

        given = Point(2, 3), Pair(4, 5), Colour.BLUE
        assert at_once(*[lambda f=sizes, g=given: f(*g)] * THREADS) == [(15, True)] * THREADS
        assert len(sizes.signatures) == 1


def test_lists_that_are_changed_meanwhile():
    @njit
    def total(values):
        result = 0
        for value in values:
            result += value
        return result

    values = [1] * 10

    def grow():
        for _ in range(20000):
            values.append(1)
            if len(values) > 100:
                del values[10:]

    def add():
        assert 10 <= total(values) <= 101

    total(values)
    during(grow, *[add] * 4)


def test_what_lists_held_lasts():
    @njit(nogil=True)
    def total(arrays):
        result = 0.0
        for _ in range(20):
            for array in arrays:
                for value in array:
                    result += value
        return result

    arrays = [np.ones(1000) for _ in range(20)]

    def renew():
        for _ in range(3000):
            arrays[:] = [np.ones(1000) for _ in range(20)]
        gc.collect()

    def add():
        assert total(arrays) == 20 * 20 * 1000

    total(arrays)
    during(renew, *[add] * 4)


def test_what_blocks_take_out_of_lists_lasts():
    @njit
    def total(lists, texts):
        with objmode():
            empty()
        return len(lists[0][0]) + len(texts[0])

    def empty():
        nested.clear()
        words.clear()
        gc.collect()

    for _ in range(20):
        nested, words = [[np.ones(1000)], [np.ones(2000)]], ["one" * 1000]
        assert total(nested, words) == 4000


def test_dicts_and_sets_that_are_changed_meanwhile():
    @njit
    def total(values):
        result = 0
        for key in values:
            result += key
        return result

    table, some = {1: 1}, {1}

    def grow():
        for at in range(20000):
            table[1000 + at % 64] = some.add(1000 + at % 64)
            del table[1000 + at % 64]
            some.discard(1000 + at % 64)

    def add():
        assert total(some) in (1, *range(1001, 1065))

    def add_keys():
        # Values of two types are refused.
        table_of_ints = {key: 1 for key in list(table)}
        assert total(table_of_ints) in (1, *range(1001, 1065))

    total(some), total({1: 1})
    during(grow, *[add] * 3, add_keys)


def test_changes_are_written_back_by_all():
    @njit
    def put(values, table, value):
        values.append(value)
        table[value] = value

    values, table = [0], {0: 0}
    put([0], {0: 0}, 0)
    at_once(*[lambda at=at: [put(values, table, at) for _ in range(200)] for at in range(THREADS)])
    # Who writes last has what it was given, and its own.
    assert set(values) <= set(range(THREADS)) and table.keys() <= set(range(THREADS))


def test_typed_containers_of_all():
    table, values = Dict.empty(types.int64, types.int64), List.empty_list(types.int64)

    @njit
    def add(table, values, key):
        table[key] = table.get(key, 0) + 1
        values.append(key)

    def work():
        for at in range(500):
            add(table, values, at % 10)

    def work_from_python():
        for at in range(200):
            values.append(at % 10)

    add(table, values, 0)
    at_once(*[work] * 8, *[work_from_python] * 4)
    assert dict(table) == {0: 401, **dict.fromkeys(range(1, 10), 400)}
    assert len(values) == 8 * 500 + 4 * 200 + 1


def test_instances_of_all():
    @jitclass([("count", types.int64), ("seen", types.DictType(types.int64, types.int64))])
    class Counter:
        def __init__(self):
            self.count = 0
            self.seen = Dict.empty(types.int64, types.int64)

        def add(self, key):
            self.count += 1
            self.seen[key] = self.count

    counter = Counter()
    at_once(*[lambda at=at: [counter.add(at) for _ in range(300)] for at in range(THREADS)])
    assert counter.count == 300 * THREADS
    assert len(counter.seen) == THREADS


def test_blocks_let_others_use_containers():
    table = Dict.empty(types.int64, types.int64)
    arrived, go_on = threading.Event(), threading.Event()

    @njit
    def wait(table):
        table[1] = 1
        with objmode():
            pause()
        return table[2]

    def pause():
        arrived.set()
        assert go_on.wait(60)

    def other():
        assert arrived.wait(60)
        table[2] = 7
        go_on.set()

    assert at_once(lambda: wait(table), other)[0] == 7


def test_calls_without_the_lock_share_containers():
    values = List(range(1000))

    @njit(nogil=True)
    def total(values):
        result = 0
        for _ in range(100):
            for value in values:
                result += value
        return result

    @njit(nogil=True)
    def fill(values):
        for at in range(100000):
            values[at % 1000] += 0

    expected = total(values)
    assert at_once(*[lambda: total(values)] * 8) == [expected] * 8

    def try_to_fill():
        try:
            fill(values)
        except RuntimeError as error:
            assert "another thread" in str(error) or "several threads" in str(error), error

    def try_to_add():
        try:
            assert total(values) == expected
        except RuntimeError as error:
            assert "another thread" in str(error), error

    fill(values)
    at_once(*[lambda: [try_to_fill() for _ in range(20)], lambda: [try_to_add() for _ in range(20)]] * 4)


def test_generators_of_all():
    @njit
    def numbers(count):
        yield from range(count)

    generator = numbers(20000)

    def take():
        found = []
        while True:
            try:
                found.append(next(generator))
            except StopIteration:
                return found
            except ValueError as error:
                assert "already executing" in str(error)

    found = [one for part in at_once(*[take] * 8) for one in part]
    assert sorted(found) == list(range(20000))


def test_a_generator_at_work_is_not_closed():
    arrived, go_on = threading.Event(), threading.Event()

    @njit
    def numbers():
        with objmode():
            pause()
        yield 1

    def pause():
        arrived.set()
        assert go_on.wait(60)

    generator = numbers()

    def close():
        assert arrived.wait(60)
        with pytest.raises(ValueError, match="already executing"):
            generator.close()
        go_on.set()

    assert at_once(lambda: next(generator), close)[0] == 1
    generator.close()
    assert list(generator) == []


def test_exceptions():
    @njit
    def checked(values, at):
        if at % 2:
            raise ValueError("odd", at, values)
        return values[at]

    def work(at):
        values = np.arange(10)
        for _ in range(500):
            try:
                assert checked(values, at) == at
            except ValueError as error:
                assert error.args[:2] == ("odd", at) and error.args[2] is values
            else:
                assert at % 2 == 0

    at_once(*[lambda at=at: work(at) for at in range(8)])


def test_arrays_come_and_go():
    @njit
    def halves(values):
        return values[: len(values) // 2].copy(), values

    def work():
        for at in range(2000):
            given = np.arange(at % 50 + 2)
            half, same = halves(given)
            assert same is given and half.sum() == given[: len(given) // 2].sum()

    halves(np.arange(4))
    before = _core.memory_stats()
    at_once(*[work] * 8)
    gc.collect()
    after = _core.memory_stats()
    assert after[0] - after[1] <= before[0] - before[1] + 8


def test_parallel_loops_in_threads():
    @njit(parallel=True)
    def total(values):
        result = 0.0
        for at in prange(len(values)):
            result += values[at]
        return result

    values = np.ones(100_000)
    works = [lambda: [total(values) for _ in range(20)]] * 8
    assert at_once(*works) == [[100_000.0] * 20] * 8


CACHED = """
    import threading
    import numpy as np
    from pyopt import njit

    @njit(cache=True)
    def total(values, factor):
        return (values * factor).sum()

    results = []
    start = threading.Barrier(16)

    def work():
        start.wait()
        results.append(total(np.arange(10), 2))

    threads = [threading.Thread(target=work) for _ in range(16)]
    for one in threads:
        one.start()
    for one in threads:
        one.join()
    print(set(map(int, results)), len(results), sum(total.stats.cache_hits.values()))
"""


def test_cached_code(tmp_path):
    program = tmp_path / "program.py"
    program.write_text(textwrap.dedent(CACHED))

    environment = os.environ | {"PYOPT_CACHE_DIR": str(tmp_path / "cache")}
    runs = [
        subprocess.check_output([sys.executable, str(program)], text=True, env=environment) for _ in range(2)
    ]
    assert runs == ["{90} 16 0\n", "{90} 16 1\n"]


def test_values_that_are_asked_for():
    for _ in range(3):

        @njit
        def swapped(values, first, second):
            return np.swapaxes(values, first, second)

        values = np.ones((2, 3, 4))
        works = [(values, 0, 1), (values, 0, 2), (values, 1, 2), (values[0], 0, 1)] * 4
        found = at_once(*[lambda f=swapped, w=work: f(*w).shape for work in works])
        assert found == [np.swapaxes(*work).shape for work in works]
