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
