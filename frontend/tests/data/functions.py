"""Small functions whose compiled form the front end's tests read."""


def add(a, b):
    return a + b


def doloops(n):
    acc = 0
    for i in range(n):
        acc += 1
        if n == 10:
            break
    return acc


def while_sum(n):
    total = 0.0
    while n > 0:
        total += n
        n -= 1
    return total


def forever(n):
    while True:
        n += 1


def nested(a, n, m):
    for i in range(n):
        for j in range(m):
            if a[i, j] < 0:
                continue
            a[i, j] = a[i, j] * 2
    return a


def conditional(a, b):
    return max(a if a > b else -b, 0)


def chained(a, b, c):
    return a < b < c


def logical(a, b, c):
    return a and (b or not c)


def maybe_unbound(flag):
    if flag:
        value = 1
    return value


def unbound_after_loop(n):
    for i in range(n):
        pass
    return i


def deleted(x):
    del x
    return x


def swapped(a, b):
    a, b = b, a
    return a - b


def scale(values, *rest, factor=2, **options):
    return [factor * value for value in values]


def large_constants():
    return (0x123456789ABCDEF0123456789, -1.5, 2j, b"\x00\xff", "naïve", ..., None, frozenset)


def guarded(a):
    try:
        return a[0]
    except IndexError:
        return None


def checked(x):
    if x == 0:
        raise ValueError("x cannot be zero")
    assert x > 0, "negative"
    return 1 / x


def checked_once(flag, n):
    if flag:
        value = n
    total = value
    for i in range(n):
        total += value
    return total


def calls(f, a, *rest, **options):
    f(a, key=1)
    f.method(a)
    return f(*rest, a, **options, last=None)


def containers(a, b, c):
    pair = (a, [b, c], {a, b}, {a: b}, {"x": a, "y": b})
    first, *middle, last = c
    table = [1, 2, 3]
    squares = {k: k * k for k in table if k in b}
    return pair, first, middle, last, squares


def items(a, i, v):
    a[i] = v
    a[1:i] = a[::2]
    a.field = a.other
    a[i] += 1
    del a[i]
    del a.field
    return a is not v


def text(a, width):
    return f"{a!r}: {a:>{width}} {width}"


def globals_and_imports(n):
    global last
    from math import sqrt

    last = sqrt(n)
    return np.cos(last) @ last


def none_tests(a, b=1, /, c=2, *, d=3):
    if a is None:
        return b
    if c is not None:
        return not d
    return ~a


def with_block(lock):
    with lock:
        return 1


def generator(n):
    yield n


def generator_expression(n):
    return sum(i for i in n)


def local_class():
    class Point:
        pass

    return Point


def counter():
    count = 0

    def step():
        nonlocal count
        count += 1
        return count

    return step


def patterns(x):
    match x:
        case (a, b):
            return a + b
    return 0


# The code is what it is for the tests.
# ruff: noqa
