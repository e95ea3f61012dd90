"""Variables that functions share: `nonlocal`, and assignments while an inner function is in use."""

import copy
import functools

import pytest
from differential.programs import Programs
from memory import growth

from pyopt import TypingError, njit, prange
from pyopt.errors import ParallelSafetyWarning

PROGRAMS = program = Programs()


@program(4)
def accumulator(n):
    total = 0

    def add(x):
        nonlocal total
        total += x
        return total

    return [add(i) for i in range(n)], total


@program(5)
def int_that_becomes_a_float(n):
    t = 0

    def add(x):
        nonlocal t
        t += x * 0.5

    for i in range(n):
        add(i)
    return t


@program(5)
def none_or_a_number(n):
    t = None

    def add(x):
        nonlocal t
        if t is None or x > t:
            t = x

    for i in range(n):
        add(i)
    return t


@program([3, 1, 4, 1, 5])
def search(v):
    def go(i, s):
        nonlocal best, calls
        calls += 1
        if i >= len(v):
            best = max(best, s)
            return
        go(i + 1, s)
        go(i + 2, s + v[i])

    best = 0
    calls = 0
    go(0, 0)
    return best, calls


@program()
def two_functions():
    c = 0

    def inc():
        nonlocal c
        c += 1
        return c

    def dec():
        nonlocal c
        c -= 1
        return c

    a = inc()
    b = dec()
    d = inc()
    inc()
    return a, b, d, c


@program()
def late_binding():
    fs = []
    i = 0
    for i in range(3):
        fs.append(lambda: i)
    return [f() for f in fs]


@program()
def assigned_between_calls():
    k = 1
    f = lambda x: x * k  # noqa: E731
    a = f(2)
    k = 10
    return a, f(2), f(3)


@program([1, 2, 3])
def lazy_generator(v):
    k = 1
    g = (x * k for x in v)
    k = 5
    return list(g)


@program(3)
def nested(n):
    t = 0

    def outer(x):
        def inner(y):
            nonlocal t
            t += y

        inner(x)
        inner(x)
        return t

    return [outer(i) for i in range(n)], t


@program(3)
def one_in_each_turn(n):
    out = []
    for i in range(n):
        total = 0

        def add(x):
            nonlocal total
            total += x

        for j in range(i + 1):
            add(j)
        add(i)
        out.append(total)
    return out


@program("abc")
def text(s):
    acc = ""

    def put(c):
        nonlocal acc
        acc = c + acc

    for c in s:
        put(c)
    put("!")
    return acc


@program(6)
def generator(n):
    seen = 0

    def g():
        nonlocal seen
        for i in range(n):
            seen += 1
            yield i * seen

    a = list(g())
    b = sum(g())
    return a, b, seen


@program([[1, 0], [1, 1]])
def reset_before_each_search(grid):
    m = len(grid)
    n = len(grid[0])
    area = 0
    best = 0

    def dfs(i, j):
        nonlocal area
        if i < 0 or j < 0 or i >= m or j >= n or grid[i][j] == 0:
            return
        grid[i][j] = 0
        area += 1
        dfs(i + 1, j)
        dfs(i - 1, j)
        dfs(i, j + 1)
        dfs(i, j - 1)

    for i in range(m):
        for j in range(n):
            area = 0
            dfs(i, j)
            best = max(best, area)
    return best


@program(3)
def two_first_assignments(n):
    if n > 2:
        x = 1
    else:
        x = 2

    def f():
        nonlocal x
        x *= 2

    f()
    f()
    return x


@program(3)
def first_assignment_in_try(n):
    try:
        x = 10 // n
    except ZeroDivisionError:
        x = -1

    def f():
        nonlocal x
        x += 1
        return x

    return f() + f(), x


@program(0)
def empty_until_called(n):
    if n:
        x = 1

    def f():
        nonlocal x
        x = 3

    f()
    return x


@program(7)
def toggles(n):
    state = True
    count = 0

    def step():
        nonlocal state, count
        state = not state
        if state:
            count += 1

    for _ in range(n):
        step()
    step()
    return state, count


@program([5, 2, 8])
def lists(v):
    items = []

    def reset():
        nonlocal items
        items = [x for x in items if x > 3]

    for x in v:
        items.append(x)
        reset()
    reset()
    return items


@program(10)
def memo(n):
    calls = 0
    memo = {}

    def fib(k):
        nonlocal calls
        calls += 1
        if k in memo:
            return memo[k]
        r = k if k < 2 else fib(k - 1) + fib(k - 2)
        memo[k] = r
        return r

    return fib(n), calls


@program()
def two():
    a, b = 1, 2

    def swap():
        nonlocal a, b
        a, b = b, a

    swap()
    swap()
    swap()
    return a, b


@program()
def walrus():
    last = 0
    r = [last := x for x in range(4)]

    def f():
        return last

    last = 9
    return r, f(), f()


@program(4)
def tuples(n):
    st = (0, 1)

    def nxt():
        nonlocal st
        st = (st[1], st[0] + st[1])
        return st[0]

    return [nxt() for _ in range(n)], st


@program(4)
def passed_on(n):
    s = 0

    def add(x):
        nonlocal s
        s += x

    def each(f, k):
        for i in range(k):
            f(i)

    each(add, n)
    each(add, 2)
    return s


@program()
def factory():
    def make():
        c = 0

        def inc():
            nonlocal c
            c += 1
            return c

        return inc

    a = make()
    b = make()
    return a(), a(), b(), a(), b()


@program([3, 1, 2])
def sort_key(v):
    calls = 0

    def key(x):
        nonlocal calls
        calls += 1
        return -x

    return sorted(v, key=key), calls > 0


@program(3)
def exceptions(n):
    depth = 0

    def go(k):
        nonlocal depth
        depth += 1
        try:
            if k == 0:
                raise ValueError("x")
            go(k - 1)
        finally:
            depth -= 1

    try:
        go(n)
    except ValueError as e:
        return depth, str(e)
    return depth, ""


@program([3, 1, 2])
def sort_key_that_counts_in_floats(v):
    calls = 0.5

    def key(x):
        nonlocal calls
        calls += 1
        return -x

    return sorted(v, key=key), calls


@program([3, 1, 2])
def mapped(v):
    t = 0

    def acc(x):
        nonlocal t
        t += x
        return t

    return list(map(acc, v)), t, max(v, key=acc), t


@program([3, 1, 2])
def appended(v):
    seen = []

    def key(x):
        seen.append(x)
        return -x

    a = sorted(v, key=key)
    return a, sorted(seen)


@program([3, 1, 2])
def dict_of_a_key_function(v):
    seen = {}

    def key(x):
        seen[x] = seen.get(x, 0) + 1
        return -x

    return sorted(v, key=key), seen


@program(5)
def higher(n):
    log = []

    def run(f, k):
        for i in range(k):
            f(i)

    def twice(f, k):
        run(f, k)
        run(f, k)

    def put(i):
        log.append(i * i)

    twice(put, n)
    return log


@program(5)
def reduce(n):
    c = 0

    def f(a, b):
        nonlocal c
        c += 1
        return a + b

    return functools.reduce(f, range(n)), c


@program([1, 2, 3, 4])
def filtered(v):
    k = 0

    def odd(x):
        nonlocal k
        k += 1
        return x % 2 == 1

    return list(filter(odd, v)), k, [x for x in v if odd(x)], k


@program(3)
def recursive_generator(n):
    count = 0

    def walk(k):
        nonlocal count
        count += 1
        if k > 0:
            yield from walk(k - 1)
            yield k
            yield from walk(k - 1)

    return list(walk(n)), count


@program(4)
def permutations(n):
    out = []
    used = [False] * n
    cur = []
    steps = 0

    def back():
        nonlocal steps
        steps += 1
        if len(cur) == n:
            out.append(cur[:])
            return
        for i in range(n):
            if used[i]:
                continue
            used[i] = True
            cur.append(i)
            back()
            cur.pop()
            used[i] = False

    back()
    return len(out), out[5], steps


@program()
def text_instead_of_an_int():
    x = 1

    def f():
        nonlocal x
        x = "a"

    f()
    return x


@program(True)
def optional_list(b):
    x = None

    def f(v):
        nonlocal x
        x = v

    if b:
        f([1, 2])
    return x


@pytest.mark.parametrize(("function", "arguments"), PROGRAMS, ids=[one.__name__ for one, _ in PROGRAMS])
def test_programs(function, arguments):
    given, expected = copy.deepcopy(arguments), copy.deepcopy(arguments)
    result = njit(function)(*given)
    wanted = function(*expected)
    assert (repr(result), given) == (repr(wanted), expected)


def kept_in_a_loop(n):
    kept = []
    for at in range(n):
        kept.append(lambda: at)
    return kept[0]()


def deleted(n):
    def change():
        nonlocal n
        n = 2

    change()
    del n
    return 0


@pytest.mark.parametrize(
    ("function", "message"),
    [
        (kept_in_a_loop, "uses 'at', which is assigned while the function is in use"),
        (deleted, "'del' of a variable that an inner function uses is not supported"),
    ],
    ids=lambda one: getattr(one, "__name__", ""),
)
def test_refused(function, message):
    with pytest.raises(TypingError, match=message):
        njit(function)(3)


def test_variables_of_a_function_that_is_not_compiled():
    @njit
    def applied(function, x):
        return function(x)

    total = 0

    def add(x):
        nonlocal total
        total += x
        return total

    with pytest.raises(TypingError, match="assignment to 'total' of an enclosing function is not supported"):
        applied(add, 3)


def test_loops_on_threads():
    @njit(parallel=True)
    def calls(n):
        count = 0

        def fibonacci(k):
            nonlocal count
            count += 1
            return k if k < 2 else fibonacci(k - 1) + fibonacci(k - 2)

        total = 0
        for i in prange(n):
            total += fibonacci(i % 10)
        return count, total

    with pytest.warns(ParallelSafetyWarning, match="iterations change the same list"):
        assert calls(3000) == calls.py_func(3000)


def test_nothing_leaks():
    functions = [(njit(function), arguments) for function, arguments in PROGRAMS]

    def run():
        for function, arguments in functions:
            function(*copy.deepcopy(arguments))

    assert growth(run) == 0
