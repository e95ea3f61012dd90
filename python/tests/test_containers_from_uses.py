"""Containers that are made and filled in all ways that programs have: later uses say what they hold.

Each program is compared with CPython, in which names of one container see each other's changes.
"""

import functools
import heapq
import itertools
from collections import Counter, defaultdict
from textwrap import indent

import pytest

from pyopt import njit

PROGRAMS = """
a, b = [], []
a.append(n); b.append("x")
return a, b

a, b = [], []
a, b = b, a
a.append(n); b.append(2.5)
return a, b

t = ([], {})
t[0].append(n)
t[1]["k"] = n
return t

a = [] if n > 2 else [7]
a.append(n)
return a

a = [] if n > 2 else []
a.append(n)
return a

a = [n] if n > 20 else []
b = a or [5]
b.append(n)
return a, b

a = []
b = a or []
b.append(n)
return a, b

def f(x, acc=None):
    if acc is None:
        acc = []
    acc.append(x)
    return acc
return f(n), f(n, [1])

r = [[] for _ in range(n)]
for i in range(n):
    r[i].append(i)
return r

r = [[] for _ in range(n)]
r[0] = [2.5]
return r

d = {k: [] for k in "abc"}
d["a"].append(n)
return d

d = {"a": [], "b": []}
d["b"].append(n)
return d

d = {}
for i in range(n):
    d.setdefault(i % 2, []).append(i)
return d

d = {}
for i in range(n):
    d.setdefault(i % 2, {})[i] = str(i)
return d

d = {}
for i in range(n):
    d.setdefault(i % 2, set()).add(i)
return d

d = defaultdict(list)
for i in range(n):
    d[i % 2].append(i)
return dict(d)

d = {}
for i in range(n):
    if i % 2 not in d:
        d[i % 2] = []
    d[i % 2].append(i)
return d

def rec(k, out):
    if k == 0:
        return out
    out.append(k)
    return rec(k - 1, out)
return rec(n, [])

def rec(k):
    if k == 0:
        return []
    r = rec(k - 1)
    r.append(k)
    return r
return rec(n)

def pick(c):
    a = []
    b = []
    return a if c else b
x = pick(n > 2)
x.append(n)
return x

def both():
    return [], []
x, y = both()
x.append(n); y.append("z")
return x, y

def both():
    return [], {}
x, y = both()
x.append(n); y[n] = "z"
return x, y

x = None
for i in range(n):
    if x is None:
        x = []
    x.append(i)
return x

stack = [[]]
for i in range(n):
    stack[-1].append(i)
    if i % 2:
        stack.append([])
return stack

cur = []
out = []
for i in range(n):
    cur.append(i)
    if i % 2:
        out.append(cur)
        cur = []
out.append(cur)
return out

grid = [[0] * n for _ in range(n)]
seen = [[] for _ in range(n)]
for i in range(n):
    seen[i].extend(grid[i])
return seen

r = [[]] * 3
r[0].append(n)
return r

r = [[], [1]]
r[0].append(n)
return r

r = [[]]
r += [[n]]
return r

r = []
r += [n, n]
r *= 2
return r

a = []
b = [a, a]
b[0].append(n)
return a, b

a = []
b = (a, n)
b[0].append(n)
return a

a = []
d = {"x": a}
d["x"].append(n)
return a, d

a = list()
b = dict()
c = set()
a.append(n); b[n] = a; c.add(n)
return a, b, c

a = []
for x in a:
    a.append(x + 1)
return len(a)

a = []
while len(a) < n:
    a.append([])
a[0].append(n)
return a

a = []
a.insert(0, [])
a[0].append(n)
return a

a = []
a.extend([[] for _ in range(n)])
a[1].append(2.5)
return a

best = []
for i in range(n):
    c = [j for j in range(i)]
    if len(c) > len(best):
        best = c
return best

best = []
for i in range(n):
    if i % 2:
        best = [i] + best
    else:
        best = best + [i]
return best

memo = {}
def f(k):
    if k < 2:
        return k
    if k in memo:
        return memo[k]
    memo[k] = f(k - 1) + f(k - 2)
    return memo[k]
return f(n)

parts = [[], [], []]
for i in range(n):
    parts[i % 3].append(i)
return parts

parts = ([], [], [])
for i in range(n):
    parts[i % 3].append(i)
return parts

low, high = [], []
for i in range(n):
    (low if i < 3 else high).append(i)
return low, high

low, high = [], []
for i in range(n):
    t = low if i < 3 else high
    t.append(i)
return low, high

x = {}
y = x
y[n] = []
x[n].append(1)
return x, y

s = set()
t = s
t.add((n, "a"))
return s

s = set()
s |= {n}
s.update([n + 1])
return s

d = {}
d.update({n: []})
d[n].append(2)
return d

d = dict(a=[])
d["a"].append(n)
return d

d = dict([("a", [])])
d["a"].append(n)
return d

d = dict.fromkeys([1, 2], 0)
d[1] = n
return d

a = [[]]
b = a.copy()
b[0].append(n)
return a, b

a = [[]]
b = a[:]
b[0].append(n)
return a, b

a = [[]]
b = list(a)
b[0].append(n)
return a, b

a = [[]]
b = [*a, [n]]
b[0].append(n)
return a, b

a = [[]]
b = a + [[n]]
b[0].append(n)
return a, b

a = [[]]
for x in reversed(a):
    x.append(n)
return a

a = [[], []]
for i, x in enumerate(a):
    x.append(i)
return a

a = [[], []]
for x, y in zip(a, [1, 2]):
    x.append(y)
return a

a = [[], []]
x, y = a
x.append(n)
return a

a = [[], []]
x, *y = a
x.append(n)
y[0].append(n)
return a

a = [([], n)]
a[0][0].append(n)
return a

a = [{}]
a[0]["x"] = n
return a

a = [{}, {}]
for d in a:
    d[n] = "v"
return a

a = {}
a["x"] = {}
a["x"]["y"] = n
return a

a = {}
a["x"] = {}
a["x"]["y"] = []
a["x"]["y"].append(n)
return a

a = []
f = a.append
f(n)
return a

a = []
f = lambda x: a.append(x)
f(n)
return a

a = []
def add(x):
    a.append(x)
add(n)
add(n + 1)
return a

def make():
    return []
a = make()
b = make()
a.append(n); b.append("s")
return a, b

def ident(x):
    return x
a = ident([])
a.append(n)
return a

def ident(x):
    return x
a = []
b = ident(a)
b.append(n)
return a, b

def first(t):
    return t[0]
a = []
first((a, 1)).append(n)
return a

def gen():
    for i in range(n):
        yield []
out = []
for x in gen():
    x.append(n)
    out.append(x)
return out

def gen(lists):
    for x in lists:
        yield x
a = [[], []]
for x in gen(a):
    x.append(n)
return a

try:
    a = []
    a.append(n // (n - 3))
except ZeroDivisionError:
    a = []
a.append(1)
return a

a = []
with_none = [None] * n
with_none[0] = n
a.append(with_none)
return a

a = [None] * n
for i in range(n):
    a[i] = []
return a

a = [None] * n
for i in range(n):
    a[i] = [i]
return a

a = [0] * n
a[0] = 2.5
return a[0]

h = []
for i in range(n):
    heapq.heappush(h, (i % 3, [i]))
return h[0]

res = []
def go(path, k):
    if k == 0:
        res.append(path[:])
        return
    for i in range(2):
        path.append(i)
        go(path, k - 1)
        path.pop()
go([], 2)
return res

def perms(items):
    if len(items) == 0:
        return [[]]
    out = []
    for i in range(len(items)):
        for rest in perms(items[:i] + items[i + 1:]):
            out.append([items[i]] + rest)
    return out
return perms([1, 2, n])

def subsets(items):
    out = [[]]
    for x in items:
        out += [s + [x] for s in out]
    return out
return subsets([1, 2, n])

graph = {}
for a, b in [(1, 2), (2, 3), (1, n)]:
    graph.setdefault(a, []).append(b)
    graph.setdefault(b, [])
return graph

graph = [[] for _ in range(n)]
for a, b in [(0, 1), (1, 2)]:
    graph[a].append(b)
    graph[b].append(a)
seen = set()
stack = [0]
while stack:
    x = stack.pop()
    if x in seen:
        continue
    seen.add(x)
    for y in graph[x]:
        stack.append(y)
return sorted(seen)

a = max([], default=[])
a.append(n)
return a

a = max([[1], [2]], default=[])
a.append(n)
return a

d = {}
x = d.get("a", [])
x.append(n)
return d, x

d = {"a": [1]}
x = d.get("b", [])
x.append(n)
return d, x

d = {"a": [1]}
x = d.pop("b", [])
x.append(n)
return d, x

d = {"a": []}
x = d.pop("a")
x.append(n)
return d, x

a = sorted([[], [n]])
a[0].append(n)
return a

a = list(map(lambda i: [], range(n)))
a[0].append(n)
return a

a = [[] for _ in range(n)]
b = [x for x in a if len(x) == 0]
b[0].append(n)
return a, b

a = {}
for i in range(n):
    a[i] = a.get(i - 1, []) + [i]
return a

x = y = []
x.append(n)
return x, y, x is y

a = []
b = []
if n > 2:
    b = a
b.append(n)
return a, b, a is b

a = []
b = a if n > 2 else [9]
b.append(n)
return a, b

a = "" or []
return len(a)

groups = [[]]
for i in range(n):
    if i % 3 == 0 and groups[-1]:
        groups.append([])
    groups[-1].append(i)
return groups

rows = []
for i in range(n):
    row = []
    rows.append(row)
    for j in range(i):
        row.append(j)
return rows

rows = []
for i in range(n):
    row = []
    rows.append(row)
rows[0].append(n)
return rows

it = iter([[], [1]])
x = next(it)
x.append(n)
return x

x = next((y for y in [[1], [2]] if len(y) > 5), [])
x.append(n)
return x

a, b = ([], []) if n > 2 else ([1], [2])
a.append(n)
b.append(n)
return a, b

def f(*args):
    args[0].append(n)
    return args
a = []
return f(a, 2)

def f(*args, **kw):
    kw["k"].append(n)
    return kw["k"]
return f(1, k=[])

def f(a=[], b=()):
    return len(a) + len(b)
return f()

a = functools.reduce(lambda acc, x: acc + [x], [1, 2, n], [])
return a

a = [[1, 2], [3]]
return sum(a, [])

a = [[1, 2], [3]]
return list(itertools.chain(*a))

a = [[], [3]]
return [x for r in a for x in r]

a = Counter()
a["x"] += n
return dict(a)

d = defaultdict(dict)
d["x"]["y"] = n
return {k: dict(v) for k, v in d.items()}

a = []
del a[:]
a[:] = [n]
return a

a = []
a[0:0] = [n, 2]
return a

a = {}
a |= {"x": []}
a["x"].append(n)
return a

if n > 100:
    return []
return [n]

if n < 100:
    return {}
return {n: "a"}

a = []
b = []
a.append(b)
b.append(n)
return a

a = []
b = []
b.append(n)
a.append(b)
b.append(n)
return a

match n:
    case 3:
        a = []
    case _:
        a = [1]
a.append(n)
return a

a = []
b = [a, a]
b[0].append(n)
b[1].append(n + 1)
return a, b, b[0] is b[1], b[0] is a

a = [[]]
b = a[:]
b[0].append(n)
b.append([1])
return a, b, a[0] is b[0]

a = [[], []]
b = a * 2
b[0].append(n)
return a, b

def pair():
    a = []
    return [a, a]
x = pair()
x[0].append(n)
return x

def pair(a):
    return [a, a]
x = pair([])
x[0].append(n)
return x

a = []
t = (a, [a])
t[1][0].append(n)
return t

a = []
d = {"x": a, "y": a}
d["x"].append(n)
return a, d

a = {}
b = [a, a]
b[0]["k"] = n
return a, b

a = [([], n)]
b = a[:]
b[0][0].append(n)
return a, b

m = [x * y for x in [1, n] for y in [n][-2:]]
d = {"k": 1}
if n > 3:
    d = dict(zip("ab", m))
return d

m = [x * y for x in [1, n] for y in [n][-2:]]
return dict(enumerate(m))

def f(*args):
    args[1].append(args[0])
    return args
return f(n, [])

def f(*args):
    count = 0
    for one in args:
        one.append(n)
        count += len(one)
    return count
a = []
b = [2]
return f(a, b), a, b

lists = [[1], [n]]
a = max(lists, default=[4])
a.append(9)
return lists, a

lists = [[1], [n]]
a = list(itertools.chain(lists, [[5]]))
a[0].append(8)
a[2].append(7)
return lists, a

lists = [[1], [n]]
a = [x for x in itertools.chain([[5]], lists)]
a[0].append(8)
return lists, a

def numbers(empty):
    for x in empty:
        yield x
return list(numbers([])), [x for x in zip([], [n])], next(iter([]), n)

def quiet(seen):
    seen.append(n)
    if n < 0:
        yield []
seen = []
for x in quiet(seen):
    seen.append(1)
return seen

a = [[1], [n]]
b = a[:]
b[0].append(n)
return a, b

a = [[1], [n]]
b = a[:1]
b[0].append(n)
return a, b

a = [[1], [n, 2]]
b = a * 2
b[0].append(n)
return a, b

a = [[1], [n, 2]]
b = [*a]
b[0].append(n)
return a, b

a = [[1], [n, 2]]
x, *y = a
y[0].append(n)
return a, y

a = [[1], [n, 2]]
b = sorted(a)
b[0].append(n)
return a, b

a = [[1], [n, 2]]
b = list(a)
b[0].append(n)
return a, b

a = [[1], [n, 2]]
b = a.copy()
b[0].append(n)
return a, b

a = [[1], [n, 2]]
b = list(reversed(a))
b[0].append(n)
return a, b

a = [[1], [n, 2]]
b = [x for x in a]
b[0].append(n)
return a, b

a = [[1], [n, 2]]
b = [x for i, x in enumerate(a) if i]
b[0].append(n)
return a, b

a = [[1], [n, 2]]
b = [(x, i) for i, x in enumerate(a)]
b[0][0].append(n)
return a, b

a = [[1], [n, 2]]
b = list(zip(a, a))
b[0][0].append(n)
return a, b

a = [[1], [n, 2]]
b = dict(enumerate(a))
b[0].append(n)
return a, b

a = [[1], [n, 2]]
b = {i: x for i, x in enumerate(a)}
b[0].append(n)
return a, b

x = [1]
a = [x, [n]]
a[0].append(n)
x.append(7)
return a, x

x = [1]
a = [x]
b = a + [[2]]
b[0].append(n)
return a, b, x

x = [1]
a = [x]
a += [[2]]
a[0].append(n)
return a, x

x = [1]
a = []
a.append(x)
a[0].append(n)
return a, x

x = [1]
a = {"k": x}
a["k"].append(n)
return a, x

x = [1]
a = dict(k=x)
a["k"].append(n)
return a, x

x = [1]
a = dict([("k", x)])
a["k"].append(n)
return a, x

x = [1]
a = {}
a.update({"k": x})
a["k"].append(n)
return a, x

x = [1]
t = (x, [x])
t[1][0].append(n)
return t, x

x = [1]
def f(y):
    return [y, y]
z = f(x)
z[0].append(n)
return x, z

def f(y):
    x = [y]
    return [x, x]
z = f(n)
z[0].append(n)
return z

def f(y):
    x = [y]
    return (x, x)
z, w = f(n)
z.append(n)
return z, w

def f(y):
    x = [y]
    return {"a": x, "b": x}
z = f(n)
z["a"].append(n)
return z

def f(y):
    x = [y]
    return [[x], [x]]
z = f(n)
z[0][0].append(n)
return z

x = [1]
a = [x, x]
for y in a:
    y.append(n)
return a, x

x = [1]
for y in (x, x):
    y.append(n)
return x

x = [1]
for y in [x, x]:
    y.append(n)
return x

x = [1]
y = [2]
for z in [x, y]:
    z.append(n)
return x, y

x = [1]
y = [2, 3]
for z in [x, y]:
    z.append(n)
return x, y

x = [1]
y = [2, 3]
for z in (x, y):
    z.append(n)
return x, y

x = [1]
y = [2]
z = min([x, y], key=lambda v: -v[0])
z.append(n)
return x, y

x = [1]
z = next(iter([x]))
z.append(n)
return x

x = [1]
y = [x][0]
y.append(n)
return x

x = [1]
y = (x, 2)[0]
y.append(n)
return x

x = [1]
y = {"a": x}["a"]
y.append(n)
return x

x = [1]
y = x if n > 3 else [2, 3]
y.append(n)
return x, y

x = [1]
y = x or [2]
y.append(n)
return x, y

x = [1]
def g():
    yield x
    yield x
for y in g():
    y.append(n)
return x

x = [1]
def g(v):
    yield v
    yield [5]
r = [y for y in g(x)]
r[0].append(n)
return x, r

x = [1]
a = [[x]]
b = a[:]
b[0][0].append(n)
return x, a, b

x = [1]
a = [[x]]
b = a[:]
b[0].append([n])
return x, a, b

x = [1]
a = [x] * 3
a[0].append(n)
return x, a

a = [[0] * 2] * 2
a[0][0] = n
return a

a = [[0, 0], [0, 0]]
b = a[1:]
b[0][1] = n
return a, b

a = [[0, 0], [0, 0]]
b = a[::-1]
b[0][1] = n
return a, b

a = [[0, 0], [0, 0]]
r = a[0]
r[1] = n
return a

a = [[0, 0], [0, 0]]
r = a[n % 2]
r[1] = n
return a

a = [[0, 0], [0, 0]]
a[0], a[1] = a[1], a[0]
a[0][0] = n
return a

a = [[0, 0], [1]]
a[0] = a[1]
a[0][0] = n
return a

a = [[0, 0], [1]]
a.append(a[0])
a[2][0] = n
return a

a = [[0, 0], [1]]
a.extend(a)
a[2][0] = n
return a

a = [[0, 0], [1]]
a.insert(0, a[1])
a[0][0] = n
return a

a = [[0, 0], [1]]
b = a.pop()
a.append(b)
b.append(n)
return a

a = [{1: 2}, {3: 4}]
b = a[:]
b[0][n] = 9
return a, b

a = [{1}, {3}]
b = a + []
b[0].add(n)
return a, b

a = [{1: [2]}]
b = a * 2
b[0][1].append(n)
return a, b

a = [(1, [2])]
b = a[:]
b[0][1].append(n)
return a, b

a = [(1, [2])]
for k, v in a:
    v.append(n)
return a

a = [(1, [2]), (2, [])]
for k, v in a:
    v.append(n)
return a

a = {1: [2], 2: []}
for k, v in a.items():
    v.append(n)
return a

a = {1: [2], 2: []}
b = a.copy()
b[1].append(n)
return a, b

a = {1: [2], 2: []}
b = dict(a)
b[1].append(n)
return a, b

a = {1: []}
b = dict(a)
b[1].append(n)
return a, b

a = {1: []}
b = {**a, 2: [4]}
b[1].append(n)
return a, b

a = {1: []}
b = a | {2: [4]}
b[1].append(n)
return a, b

a = {1: []}
b = list(a.values())
b[0].append(n)
return a, b

a = {1: []}
b = sorted(a.items())
b[0][1].append(n)
return a, b

a = [[1], [2]]
b = [x + [n] for x in a]
b[0].append(n)
return a, b

a = [[1], [2]]
b = list(map(lambda x: x, a))
b[0].append(n)
return a, b

a = [[1], [2]]
b = list(filter(lambda x: x[0] > 1, a))
b[0].append(n)
return a, b

a = [[3], [2]]
a.sort()
a[0].append(n)
b = a
b[1].append(8)
return a
""".strip().split("\n\n")

SCOPE = {
    "Counter": Counter,
    "defaultdict": defaultdict,
    "functools": functools,
    "heapq": heapq,
    "itertools": itertools,
}


@pytest.mark.parametrize("body", PROGRAMS)
def test_programs(body):
    scope = dict(SCOPE)
    exec(f"def program(n):\n{indent(body, '    ')}\n", scope)
    program = scope["program"]
    compiled = njit(program)
    for n in (3, 4):
        expected = program(n)
        found = compiled(n)
        assert repr(found) == repr(expected)
