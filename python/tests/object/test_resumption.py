"""Compiled and interpreted generators that delegate to each other, resumed in every way."""

import sys

import pytest
from twins import check

from pyopt import jit

CHAINS = '''
import random
import traceback


def steps(name):
    """A generator of both kinds: one that is compiled, one that isn't."""

    def interpreted(inner, choose):
        log((name, "begins"))
        try:
            for number in range(choose.randrange(4)):
                try:
                    got = yield name, number
                    log((name, "got", got))
                    if inner is not None:
                        log((name, "result", (yield from inner)))
                        inner = None
                except ValueError as error:
                    log((name, "caught", str(error)))
                    if choose.random() < 0.3:
                        raise KeyError(name) from error
                finally:
                    log((name, "finally", number))
            if choose.random() < 0.2:
                raise StopIteration(name)
            return name + "!"
        finally:
            log((name, "ends"))

    @compiled
    def machine(inner, choose):
        log((name, "begins"))
        try:
            for number in range(choose.randrange(4)):
                try:
                    got = yield name, number
                    log((name, "got", got))
                    if inner is not None:
                        log((name, "result", (yield from inner)))
                        inner = None
                except ValueError as error:
                    log((name, "caught", str(error)))
                    if choose.random() < 0.3:
                        raise KeyError(name) from error
                finally:
                    log((name, "finally", number))
            if choose.random() < 0.2:
                raise StopIteration(name)
            return name + "!"
        finally:
            log((name, "ends"))

    return interpreted, machine


def main(seed):
    choose = random.Random(seed)
    for turn in range(30):
        chain = None
        for name in "abcd"[: choose.randrange(1, 5)]:
            chain = choose.choice(steps(name))(chain, choose)
        for _ in range(12):
            kind = choose.randrange(16)
            try:
                if kind < 5:
                    log(next(chain))
                elif kind < 8:
                    log(chain.send(choose.choice([None, 1, "x"])))
                elif kind == 8:
                    log(chain.throw(ValueError("thrown")))
                elif kind == 9:
                    log(chain.throw(TypeError))
                elif kind == 10:
                    log(chain.__next__())
                elif kind == 11:
                    log(type(chain).__next__(chain))
                elif kind == 12 and choose.random() < 0.4:
                    log(chain.close())
                elif kind == 13 and choose.random() < 0.4:
                    log(list(chain))
                elif kind == 14 and choose.random() < 0.2:
                    chain.gi_frame.clear()
                elif kind == 15:
                    log((chain.gi_running, chain.gi_frame and chain.gi_frame.f_lineno > 0))
                    log(getattr(chain.gi_yieldfrom, "__name__", None))
            except BaseException as error:
                log((type(error), str(error), type(error.__cause__)))
        chain = None
'''


@pytest.mark.parametrize("seed", range(30))
def test_chains(seed):
    check(CHAINS, (seed,))


ASYNCHRONOUS = '''
import random


class Pause:
    def __await__(self):
        got = yield "pause"
        return got


async def interpreted_pause(choose):
    if choose.random() < 0.2:
        raise ValueError("pause")
    return await Pause()


@compiled
async def compiled_pause(choose):
    if choose.random() < 0.2:
        raise ValueError("pause")
    return await Pause()


async def interpreted_items(choose, pause):
    try:
        for number in range(choose.randrange(5)):
            got = await pause(choose)
            sent = yield number, got
            log(("sent", sent))
    except GeneratorExit:
        log("exit")
        raise
    finally:
        await Pause()
        log("items end")


@compiled
async def compiled_items(choose, pause):
    try:
        for number in range(choose.randrange(5)):
            got = await pause(choose)
            sent = yield number, got
            log(("sent", sent))
    except GeneratorExit:
        log("exit")
        raise
    finally:
        await Pause()
        log("items end")


async def interpreted_main(choose, items):
    total = []
    async for one in items:
        total.append(one)
    return total


@compiled
async def compiled_main(choose, items):
    total = []
    async for one in items:
        total.append(one)
    return total


@compiled
async def by_hand(choose, items):
    for _ in range(4):
        kind = choose.randrange(5)
        try:
            if kind == 0:
                log(await items.asend(None))
            elif kind == 1:
                log(await items.__anext__())
            elif kind == 2:
                log(await items.athrow(ValueError("thrown")))
            elif kind == 3:
                log(await anext(items, "default"))
            else:
                await items.aclose()
        except (ValueError, StopAsyncIteration, RuntimeError) as error:
            log((type(error), str(error)))
    return "by hand"


def drive(task, choose):
    """Run a coroutine to its end."""
    value = None
    for step in range(60):
        try:
            kind = choose.randrange(12)
            if kind == 0:
                pause = task.throw(ValueError("driver"))
            else:
                pause = task.send(value)
            value = step
            log(pause)
        except StopIteration as stop:
            return stop.value
        except ValueError as error:
            return str(error)
    task.close()


def main(seed):
    choose = random.Random(seed)
    for _ in range(20):
        pause = choose.choice([interpreted_pause, compiled_pause])
        items = choose.choice([interpreted_items, compiled_items])(choose, pause)
        task = choose.choice([interpreted_main, compiled_main, by_hand])(choose, items)
        if choose.random() < 0.3:
            task = task.__await__()
        log(drive(task, choose))
        if choose.random() < 0.5:
            try:
                items.aclose().send(None)
            except (StopIteration, RuntimeError, StopAsyncIteration, ValueError) as error:
                log(type(error))
        task = items = None
'''


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("seed", range(30))
def test_asynchronous(seed):
    check(ASYNCHRONOUS, (seed,))


def test_wrong_resumptions():
    check(
        """
        @compiled
        def own():
            try:
                next(it)
            except ValueError as error:
                log(str(error))
            yield 1
            it.send(2)

        @compiled
        def deep(n):
            if n:
                yield from deep(n - 1)
            yield n

        @compiled
        async def coroutine():
            raise StopIteration(1)

        @compiled
        def one():
            yield
            return (1, 2)

        def main():
            global it
            it = own()
            log(next(it))
            for call in (lambda: next(it), lambda: next(it), lambda: one().send(1)):
                try:
                    log(call())
                except Exception as error:
                    log((type(error), str(error)))
            try:
                list(deep(2000))
            except RecursionError as error:
                log("too deep")
            for make in (coroutine, one):
                task = make()
                for _ in range(3):
                    try:
                        log(task.send(None))
                    except BaseException as error:
                        log((type(error), str(error), type(error.__cause__), error.args))
        """
    )


@jit(forceobj=True)
def numbers(n):
    """Give some numbers."""
    for i in range(n):
        yield i + 1


def test_handled_exception_of_a_generator():
    check(
        """
        import sys

        @compiled
        def remembers():
            try:
                raise ValueError(1)
            except ValueError:
                yield sys.exc_info()[0]
                yield sys.exc_info()[0]
            yield sys.exc_info()[0]

        def main():
            it = remembers()
            log(sys.exc_info()[0])
            log(next(it))
            log(sys.exc_info()[0])
            try:
                raise KeyError
            except KeyError:
                log(next(it))
                log(sys.exc_info()[0])
                log(next(it))
            log(list(it))
            log(sys.exc_info()[0])
        """
    )


def test_generators_leak_nothing():
    """Neither by running to the end, nor by being dropped."""
    for _ in range(3):
        before = sys.getrefcount(numbers), sys.getrefcount(numbers.__code__), sys.getrefcount(None)
        for count in range(2000):
            list(numbers(3))
            next(numbers(count + 2))
            numbers(1)
        after = sys.getrefcount(numbers), sys.getrefcount(numbers.__code__), sys.getrefcount(None)
        assert all(abs(x - y) < 20 for x, y in zip(before, after, strict=True))
