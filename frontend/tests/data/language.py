"""The constructs of the language: together they use every instruction that CPython compiles to."""

from os.path import *

label: str = "module"


def exceptions(f, x):
    try:
        y = f(x)
        x = y + 1
    except (ValueError, KeyError) as error:
        return error, x
    except OSError:
        del x
        raise
    else:
        f(y)
    finally:
        print(y)
    return x, y


def raises(x):
    assert x, "no x"
    if x > 1:
        raise ValueError from x
    raise


def groups(f):
    try:
        f()
    except* ValueError as errors:
        f(errors)
    except* (TypeError, OSError):
        return_value = 1
    return return_value


def contexts(path):
    with open(path) as file, file:
        for line in file:
            if line:
                continue
            return line
    while True:
        try:
            return path()
        except StopIteration:
            break


def generator(items):
    total = 0
    for item in items:
        try:
            sent = yield item
            total += sent
        finally:
            yield total
    result = yield from items
    return result, (item for item in items if +item and ~item)


async def coroutine(manager):
    async with manager as items:
        async for item in items:
            await item
        else:
            return [item async for item in items]
    return {await item: item for item in ()}


async def asynchronous_generator(items):
    async for item in items:
        yield item
    yield {item for item in items}


def closures(x, *args, key=None, **options):
    def inner():
        nonlocal x
        x, x.y = x
        del x.y
        return key

    if not key:
        del key
    delete = lambda: inner
    return inner, delete, f"{x!r:>{args}}" f"{options}"


def shared():
    value = 1

    def drop():
        nonlocal value
        del value

    return drop


def names():
    global counter
    counter = 1
    del counter
    return counter


def classes(base):
    attribute = base

    class Inner(base, metaclass=type):
        attribute: int = attribute
        own = base
        del own

        def method(self):
            return super().method(), super(Inner, self).method

        def captured(self):
            return lambda: (self, super())

    return Inner


def patterns(subject):
    match subject:
        case {"a": [1, *rest], **others}:
            return rest, others
        case str(x) | int(real=x) if x:
            return x
        case (first, _):
            return first
        case None:
            return Ellipsis
    return subject


def calls(f, *args, **options):
    f(*args, 1, *args, key=1, **options, **options)
    f.method(1, key=2)
    return [*args, *args], {*args, 1}, {**options, "a": 1}, (*args,)


def operators(a, b, c):
    a[b] = a[b:c] = a[b:c:a]
    del a[b]
    a @= b
    first, *middle, last = a
    if (n := len(b)) > 1 and a is not b or b not in c and not a:
        return n if a < b < c else -n
    return first, middle, last, a.b.c, 1 == a != b, {"x": a, "y": b, "z": c}, {a, b}


def loops(a, b):
    while a:
        a -= 1
    while not a:
        a += 1
    while a is None:
        a = b
    while a is not None:
        a = None
    while a and b:
        if a or b:
            break
        a = b or not a
    for x in a:
        for y in b:
            if x:
                continue
            if y is None:
                return x
            if y is not None:
                break
        else:
            return y
    return None if b is None else b


def imports():
    import os.path as path
    from sys import argv, path as search

    return path, argv, search
