"""Programs with threads, forks and regions inside of regions; ``test_concurrency.py`` runs each in a process.

How many threads there are and how much work one is worth are settings of a process.
"""

import multiprocessing
import os
import signal
import sys
import threading
import time

import numpy as np
import pytest
from pyopt._core import memory_stats

from pyopt import (
    get_num_threads,
    get_parallel_chunksize,
    get_thread_id,
    njit,
    objmode,
    parallel_chunksize,
    prange,
    set_num_threads,
    set_parallel_chunksize,
    threading_layer,
)


@njit(parallel=True)
def weighted(a, k):
    total = 0
    out = np.empty(len(a), np.int64)
    for i in prange(len(a)):
        out[i] = a[i] * k + i
        total += out[i]
    return total, out


def check_weighted(a, k):
    total, out = weighted(a, k)
    expected = a * k + np.arange(len(a))
    assert total == expected.sum()
    np.testing.assert_array_equal(out, expected)


def in_threads(*works):
    """Run functions at the same time and raise what one of them raises."""
    raised = []

    def guarded(work):
        try:
            work()
        except BaseException as error:
            raised.append(error)

    threads = [threading.Thread(target=guarded, args=(work,)) for work in works]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    if raised:
        raise raised[0]


def launch_from_two_threads():
    a = np.arange(2000)
    weighted(a, 1)

    def launch(first):
        for k in range(first, first + 300):
            check_weighted(a, k)

    def compile_others():
        for k in range(8):
            scope = {"np": np, "prange": prange}
            exec(
                f"def f(a):\n    s = {k}\n    for i in prange(len(a)):\n        s += a[i]\n    return s",
                scope,
            )
            assert njit(parallel=True)(scope["f"])(a) == k + a.sum()

    in_threads(lambda: launch(0), lambda: launch(1000), compile_others)
    if get_num_threads() > 1:
        assert threading_layer() == "rayon"


@njit(parallel=True)
def inner_sum(a, k):
    total = 0
    for j in prange(len(a)):
        total += a[j] * k
    return total


@njit(parallel=True)
def outer_of_calls(a, n):
    out = np.empty(n, np.int64)
    for i in prange(n):
        out[i] = inner_sum(a, i)
    return out


@njit(parallel=True)
def nested_loops(n, m):
    out = np.empty((n, m), np.int64)
    sums = np.zeros(n, np.int64)
    for i in prange(n):
        total = 0
        for j in prange(m):
            out[i, j] = i * j
            total += i + j
        sums[i] = total + (np.arange(m) * i).sum()
    return out, sums


def nest():
    a = np.arange(501)
    for n in (0, 1, 2, 3, 20):
        np.testing.assert_array_equal(outer_of_calls(a, n), np.arange(n) * a.sum())
        out, sums = nested_loops(n, 40)
        i, j = np.arange(n)[:, None], np.arange(40)
        np.testing.assert_array_equal(out, i * j)
        np.testing.assert_array_equal(sums, (i + j + i * j).sum(1))
    # From several threads as well.
    in_threads(*[lambda: [outer_of_calls(a, 30) for _ in range(50)]] * 3)


@njit(parallel=True)
def in_objects(n):
    total = 0.0
    out = np.zeros(n)
    for i in prange(n):
        with objmode(x="float64"):
            x = float(str(i)) + 0.5
        out[i] = x
        total += x
    return total, out


@njit(parallel=True)
def launch_in_objects(a, n):
    out = np.zeros(n, np.int64)
    for i in prange(n):
        with objmode(x="int64"):
            x = int(weighted(a, i)[0])
        out[i] = x
    return out


@njit(parallel=True)
def fail_in_objects(n):
    total = 0
    for i in prange(n):
        with objmode(x="int64"):
            x = 1 // (i - 5) if i < 8 else {}["missing"]
        total += x
    return total


def call_objects():
    for n in (0, 1, 2, 50):
        total, out = in_objects(n)
        np.testing.assert_array_equal(out, np.arange(n) + 0.5)
        assert total == out.sum()
        a = np.arange(100)
        expected = [(a * k + a).sum() for k in range(n)]
        np.testing.assert_array_equal(launch_in_objects(a, n), expected)
    with pytest.raises(ZeroDivisionError):
        fail_in_objects(60)
    in_threads(*[lambda: [in_objects(20) for _ in range(20)]] * 3)


@njit(parallel=True)
def fail_where(a, n):
    total = 0.0
    for i in prange(n):
        own = np.full(10, i)
        if a[i] < 0:
            raise ValueError("negative", i)
        total += own.sum() * a[i]
    return total


def fail():
    generator = np.random.default_rng(0)
    fail_where(np.ones(10), 10)
    before = memory_stats()[2]
    for n in (1, 3, 7, 8, 50, 400):
        for count in (1, 2, 5, n):
            a = np.ones(n)
            a[generator.integers(0, n, count)] = -1
            with pytest.raises(ValueError, match="negative") as caught:
                fail_where(a, n)
            # Parts are in the order of the iterations, and the first one that fails wins.
            assert caught.value.args == ("negative", int(np.argmin(a)))
            del caught
    assert memory_stats()[2] == before


def check_in_child():
    """Run regions in a forked child and leave."""
    try:
        for k in range(5):
            check_weighted(np.arange(1000), k)
        os._exit(0)
    except BaseException as error:
        print(error, file=sys.stderr)
        os._exit(1)


def fork():
    check_weighted(np.arange(1000), 1)
    for _ in range(3):
        child = os.fork()
        if child == 0:
            check_in_child()
        assert os.waitpid(child, 0)[1] == 0
        check_weighted(np.arange(1000), 2)
    with multiprocessing.get_context("fork").Pool(2) as pool:
        found = pool.starmap(weighted, [(np.arange(100), k) for k in range(6)])
    assert [total for total, _ in found] == [(np.arange(100) * k + np.arange(100)).sum() for k in range(6)]


def fork_during():
    check_weighted(np.arange(1000), 1)
    stop = threading.Event()

    def launch():
        k = 0
        while not stop.is_set():
            check_weighted(np.arange(20_000), k)
            k += 1

    def fork_often():
        try:
            for _ in range(30):
                child = os.fork()
                if child == 0:
                    check_in_child()
                assert os.waitpid(child, 0)[1] == 0
        finally:
            stop.set()

    in_threads(launch, launch, fork_often)


@njit(parallel=True)
def fork_inside(n):
    out = np.zeros(n, np.int64)
    for i in prange(n):
        with objmode(status="int64"):
            child = os.fork()
            if child == 0:
                check_in_child()
            status = os.waitpid(child, 0)[1]
        out[i] = status
    return out


def fork_in_a_region():
    assert not fork_inside(6).any()


@njit(parallel=True)
def threads_seen(n):
    out = np.zeros((3, n), np.int64)
    for i in prange(n):
        out[0, i] = get_num_threads()
        out[1, i] = get_thread_id()
        # It ends with the part.
        set_num_threads(1)
        out[2, i] = get_num_threads()
    return out, get_num_threads()


@njit
def set_compiled(n):
    set_num_threads(n)
    return get_num_threads()


def set_threads():
    most = get_num_threads()
    for n in range(1, most + 1):
        set_num_threads(np.int32(n))
        assert get_num_threads() == n
        out, after = threads_seen(100)
        assert after == n and get_num_threads() == n
        assert (out[0] <= n).all() and out[0, 0] == n and (out[2] == 1).all()
        assert out[1].min() == 0 and out[1].max() < n
    set_num_threads(most)
    assert get_thread_id() == 0

    def other():
        assert get_num_threads() == most
        set_num_threads(1)
        out, after = threads_seen(10)
        assert after == 1 and not out[1].any()

    in_threads(other, other)
    assert get_num_threads() == most
    assert set_compiled(1) == 1 == get_num_threads()
    assert set_compiled(most) == most == get_num_threads()
    for wrong in (0, -1, most + 1):
        for function in (set_num_threads, set_compiled):
            with pytest.raises(ValueError, match="number of threads must be between 1 and"):
                function(wrong)
    with pytest.raises(TypeError, match="the number of threads must be an integer, not 'two'"):
        set_num_threads("two")


@njit(parallel=True)
def part_starts(n):
    """Tell at which iterations parts begin: each begins without a size, and sets one."""
    starts = np.zeros(n, np.int64)
    for i in prange(n):
        starts[i] = get_parallel_chunksize() == 0
        set_parallel_chunksize(1)
    return starts


@njit(parallel=True)
def part_starts_with(n, size):
    inner = np.zeros(3, np.int64)
    inner[0] = get_parallel_chunksize()
    with parallel_chunksize(size):
        inner[1] = get_parallel_chunksize()
        starts = part_starts(n)
    inner[2] = get_parallel_chunksize()
    return starts, inner


@njit(parallel=True)
def harmonic(n, size):
    total = 0.0
    with parallel_chunksize(size):
        for i in prange(n):
            total += 1.0 / (i + 1)
            if i == 10_000_000:
                raise ValueError("far")
    return total


def set_chunksize():
    most = get_num_threads()
    for n in (1, 10, 943, 1000):
        for size in (1, 3, 8, 100, 2000):
            with parallel_chunksize(size):
                assert get_parallel_chunksize() == size
                starts = part_starts(n)
                assert get_parallel_chunksize() == size
            assert get_parallel_chunksize() == 0
            least = min(n, most)
            assert starts[0] == 1 and max(n // size, 1) <= starts.sum() <= max(n // size, 8 * least)
            again, inner = part_starts_with(n, size)
            np.testing.assert_array_equal(starts, again)
            assert inner.tolist() == [0, size, 0]
    # The parts say in which order numbers are added, whatever threads there are.
    found = set()
    for threads in {1, min(2, most), most}:
        set_num_threads(threads)
        found |= {harmonic(10_000, 100) for _ in range(5)}
    set_num_threads(most)
    assert len(found) == 1 and abs(found.pop() - (1 / np.arange(1, 10_001)).sum()) < 1e-12
    # The size is restored when an exception leaves the block.
    with pytest.raises(ValueError, match="far"):
        harmonic(10_000_001, 1000)
    assert get_parallel_chunksize() == 0
    assert set_parallel_chunksize(4) == 0 and njit(set_parallel_chunksize_to)(5) == 4
    assert set_parallel_chunksize(0) == 5
    in_threads(lambda: set_parallel_chunksize(3))
    assert get_parallel_chunksize() == 0
    for function in (set_parallel_chunksize, njit(set_parallel_chunksize_to)):
        with pytest.raises(ValueError, match="chunksize must be greater than or equal to zero"):
            function(-1)
    with pytest.raises(TypeError, match="the parallel chunksize must be an integer"):
        set_parallel_chunksize("3")


def set_parallel_chunksize_to(n):
    return set_parallel_chunksize(n)


@njit(parallel=True)
def long_work(n, rounds):
    total = 0
    for i in prange(n):
        for j in range(rounds):
            total += (i ^ j) & 1
    return total


def interrupt():
    # A shell starts programs in the background deaf to it.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    long_work(4, 10)
    threading.Timer(0.05, os.kill, (os.getpid(), signal.SIGINT)).start()
    begin = time.monotonic()
    with pytest.raises(KeyboardInterrupt):
        while time.monotonic() < begin + 60:
            long_work(16, 1_000_000)
    # And regions run on.
    assert long_work(7, 2) == 7


if __name__ == "__main__":
    globals()[sys.argv[1]]()
