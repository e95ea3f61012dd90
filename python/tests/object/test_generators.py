"""Generators and coroutines in object mode."""

import pytest
from twins import check

PROGRAMS = {
    "values": """
        @compiled
        def gen(n):
            for i in range(n):
                yield i, [j for j in range(i)]
            return "end"
        def main():
            g = gen(3)
            log(list(g)); log(list(g)); log(list(gen(0)))
            g = gen(1)
            next(g)
            try: next(g)
            except StopIteration as e: log(e.value)
    """,
    "send": """
        @compiled
        def gen():
            x = yield 1
            while x:
                x = (yield x) + (yield "second")
            return x
        def main():
            g = gen()
            for v in (None, 2, 3, 4, -1, 1):
                try: log(g.send(v))
                except StopIteration as e: log(e.value)
            try: gen().send(1)
            except TypeError as e: log(e)
    """,
    "throw and close": """
        @compiled
        def gen():
            try:
                while True:
                    try:
                        log((yield "ready"))
                    except ValueError as e:
                        log(e)
            except GeneratorExit:
                log("closed"); raise
            finally:
                log("finally")
        def main():
            g = gen(); log(next(g)); log(g.throw(ValueError("in"))); log(g.send("v")); g.close(); g.close()
            g = gen(); next(g); del g; log("deleted")
            g = gen()
            try: g.throw(KeyError("early"))
            except KeyError as e: log(e)
            g = gen(); next(g)
            g.throw(OSError("out"))
    """,
    "delegation": """
        @compiled
        def inner(n):
            try:
                x = yield n
                log(x)
                x = yield n + 1
            except ValueError as e:
                log(("inner", e))
                yield "recovered"
            return n * 2
        @compiled
        def outer():
            a = yield from inner(1)
            b = yield from [10, 20]
            c = yield from inner(a)
            return a, c
        def main():
            g = outer()
            log(g.gi_yieldfrom)
            log(next(g)); log(g.gi_yieldfrom.__name__); log(g.send("s")); log(g.throw(ValueError("t")))
            log(next(g)); log(next(g)); log(next(g)); log(list(g))
            yield_from_nothing = outer(); next(yield_from_nothing); yield_from_nothing.close()
    """,
    "stop iteration": """
        @compiled
        def gen():
            yield 1
            raise StopIteration("x")
        def main():
            list(gen())
    """,
    "state": """
        import inspect, types, collections.abc
        @compiled
        def gen(a):
            b = a
            log(g.gi_running)
            yield b
        def main():
            global g
            g = gen(5)
            log((type(g) is types.GeneratorType, inspect.isgenerator(g)))
            log(isinstance(g, collections.abc.Generator))
            log((g.__name__, g.__qualname__, g.gi_code.co_name, inspect.getgeneratorstate(g), g.gi_running))
            log(next(g)); log(inspect.getgeneratorlocals(g)); log(inspect.getgeneratorstate(g))
            log(g.gi_frame.f_lineno)
            list(g); log((inspect.getgeneratorstate(g), g.gi_frame))
    """,
    "recursion": """
        @compiled
        def tree(n):
            if n:
                yield from tree(n - 1)
                yield n
                yield from tree(n - 1)
        @compiled
        def main():
            return list(tree(4)), sum(x * y for x in tree(3) for y in tree(2))
    """,
    "already running": """
        @compiled
        def gen():
            yield next(g)
        def main():
            global g
            g = gen()
            next(g)
    """,
    "handled exception": """
        import sys
        @compiled
        def gen():
            try:
                raise ValueError("inner")
            except ValueError:
                yield sys.exc_info()[1]
                yield sys.exc_info()[1]
            yield sys.exc_info()[1]
        @compiled
        def main():
            g = gen()
            log(next(g)); log(sys.exc_info())
            try:
                raise KeyError("outer")
            except KeyError:
                log(next(g)); log(next(g)); log(sys.exc_info()[1])
    """,
    "coroutine": """
        import asyncio
        @compiled
        async def work(n):
            await asyncio.sleep(0)
            if n == 3: raise ValueError(n)
            return n * 2
        @compiled
        async def numbers(n):
            for i in range(n):
                await asyncio.sleep(0)
                yield i
        class Manager:
            @compiled
            async def __aenter__(self): log("enter"); return await work(1)
            @compiled
            async def __aexit__(self, *exc): log(exc[:2]); return True
        @compiled
        async def top():
            log(await asyncio.gather(work(1), work(2), work(3), return_exceptions=True))
            async for x in numbers(3): log(x)
            else: log("else")
            log([x async for x in numbers(4) if x % 2])
            log([await work(x) for x in (1, 2)])
            async with Manager() as m:
                log(m); raise KeyError("k")
            try: await 5
            except TypeError as e: log(e)
            try:
                async for x in 5: pass
            except TypeError as e: log(e)
            try:
                async with 5: pass
            except TypeError as e: log(e)
            g = numbers(5)
            log(await g.__anext__()); log(await g.asend(None)); await g.aclose()
            try: await asyncio.wait_for(asyncio.sleep(10), 0.001)
            except TimeoutError: log("timeout")
            return "done"
        def main():
            return asyncio.run(top())
    """,
    "coroutine by hand": """
        import inspect, types
        @compiled
        async def inner(): return await Awaitable()
        class Awaitable:
            @compiled
            def __await__(self):
                x = yield "suspended"
                return x
        @types.coroutine
        @compiled
        def old(): return (yield from Awaitable().__await__())
        @compiled
        async def top(): return await inner(), await old()
        def main():
            c = top()
            log((inspect.iscoroutine(c), inspect.iscoroutinefunction(top), c.cr_await))
            log(c.send(None)); log(c.cr_await.__name__); log(c.send(1))
            try: c.send(2)
            except StopIteration as e: log(e.value)
            try: c.send(None)
            except RuntimeError as e: log(e)
    """,
}


@pytest.mark.parametrize("source", PROGRAMS.values(), ids=PROGRAMS)
def test_program(source):
    """Each program does the same."""
    check(source)


def test_no_leak():
    """Suspended, exhausted and abandoned generators leave nothing behind."""
    import gc
    import sys

    from pyopt import jit

    sentinel = object()

    @jit(forceobj=True)
    def gen(value):
        items = [value]
        for item in items * 3:
            try:
                yield item, items
            finally:
                other = item
        return other

    def use(count):
        made = gen(sentinel)
        for _ in range(count):
            next(made, None)

    for count in range(5):
        use(count)
    gc.collect()
    objects, references = len(gc.get_objects()), sys.getrefcount(sentinel)
    for index in range(10_000):
        use(index % 5)
    gc.collect()
    assert sys.getrefcount(sentinel) == references
    assert abs(len(gc.get_objects()) - objects) < 50
