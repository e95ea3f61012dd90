"""Random programs on containers, texts, bytes, typed containers and classes, and how they are compared.

For CPython typed containers are its own, and the class is a plain one.
"""

import bisect
import heapq
import inspect
import random
import re
from collections import Counter, defaultdict, deque
from functools import reduce

from pyopt import njit, typed, types
from pyopt.errors import TypingError
from pyopt.experimental import jitclass

# What programs write; it is another one in compiled code.
TypedList = list


class Account:
    """A class with a number, a text and a list of numbers."""

    def __init__(self, number, name):
        self.number = number
        self.name = name
        self.past = TypedList([int(number)])

    def put(self, more):
        self.number += more
        self.past.append(more)
        return self.number

    def rename(self, name):
        self.name = name + self.name[:3]
        return len(self.name)

    @property
    def total(self):
        return sum([x for x in self.past])


#: What the names in programs stand for: in CPython, and in compiled code.
MODULES = {
    "bisect": bisect,
    "heapq": heapq,
    "Counter": Counter,
    "defaultdict": defaultdict,
    "deque": deque,
    "reduce": reduce,
}
PLAIN = MODULES | {"TypedList": list, "TypedDict": dict, "TypedSet": set}
COMPILED = MODULES | {"TypedList": typed.List, "TypedDict": typed.Dict, "TypedSet": typed.Set}


def _class_of(scope):
    """Give the class of programs as one whose globals are those of a scope."""
    made = {}
    for name in ("__init__", "put", "rename"):
        method = vars(Account)[name]
        made[name] = type(method)(method.__code__, scope, name)
    total = Account.total.fget
    made["total"] = property(type(total)(total.__code__, scope, "total"))
    return type("Account", (), made)


PLAIN["Account"] = _class_of(PLAIN)
_SPEC = [("number", types.int64), ("name", types.unicode_type), ("past", types.ListType(types.int64))]
COMPILED["Account"] = jitclass(_SPEC)(_class_of(COMPILED))

WORDS = ["", "a", "ab", "b", "€", "ß", "🐍 x", "A b"]

# Statements by the types of variables: `i`nt, `f`loat, `t`ext, `y` for bytes, `l`ist of ints, `w` for one of
# texts, `u` for one of floats, `z` for one of lists, `p` for one of pairs, a `d`ict of ints by texts, `g` for
# one of lists by ints, a `s`et of ints, `q` for a typed list, `r` for a typed dict, `h` for a typed set, an
# `a`ccount. `%` stands for an expression of the type behind it.
STATEMENTS = """
i = %i + %i
i = %i * 3 % 17
i = len(t)
i = len(l) + len(d) + len(s)
i = l[%i % len(l)] if l else -1
i = d.get(%t, %i)
i = t.find(%t)
i = y[%i % len(y)] if y else 0
i = sum(l) % 1000
i = max(l, default=%i)
i = t.count(%t) + y.count(b"a")
i = int(str(%i))
t = t + %t if len(t) < 40 else %t
t = t[%i % 5 :]
t = t[:: -1]
t = t.upper()
t = t.replace("a", %t) if len(t) < 40 else "r"
t = str(%i)
t = f"{%i}:{%t}"
t = "{}-{!r}".format(%i, %t)
t = ",".join(w)
t = ",".join([str(x) for x in l[:5]])
t = t.strip().title()
t = y.decode("latin-1")
t = w[%i % len(w)] if w else "none"
y = y + b"a\\xff" if len(y) < 30 else b""
y = y[%i % 4 :]
y = y.upper().replace(b"A", b"b")
y = t.encode()
y = bytes([x & 255 for x in l[:4]])
l.append(%i)
l.insert(%i % 4, %i)
l.extend([%i, %i])
l = sorted(l)[:30]
l = [x + %i for x in l if x % 2 == 0]
l.reverse()
l = l[%i % 3 :: 2]
l = sorted(s)
l.sort()
l = [x for x in y]
w.append(%t)
w = t.split()
w = t.split(",")
w = sorted(d)
w = [x.lower() for x in w][:20]
w = t.partition("a")[0].splitlines()
d[%t] = %i
d[%t] = d.get(%t, 0) + 1
d.setdefault(%t, %i)
d.pop(%t, 0)
d = {x: len(x) for x in w}
d = dict(zip(w, l))
d.update({%t: %i})
s.add(%i)
s.discard(%i)
s = {x % 7 for x in l}
s |= {%i, 3}
s = s & {1, 2, 3, 4} | {%i}
if %t in d: i = d[%t] if %t in d else 0
if %i in s: l.append(%i)
if t.startswith(%t): i += 1
for x in l[:6]: i += x % 5
for x in t[:8]: w.append(x)
for k, v in d.items(): i += v % 3 + len(k)
for k in sorted(s): i = i * 2 % 101 + k
f = %f * 2.0 + %i
f = %f / (1 + %i % 3 * (%i % 3))
f = sum(u)
f = float(%i) - f
f = round(%f, 2)
f = max(u) if u else %f
i = int(%f) % 1000
i = round(%f) % 1000
t = str(%f)
t = f"{%f:.3f}|{%i:5d}|{%t:>6}|{%i:x}"
t = "%d-%s-%.2f" % (%i, %t, %f)
t = repr(%t) + repr(%f)
t = %t * (%i % 3)
t = t[%i % 7 : %i % 9 : 2]
t = t[-3:] + t[:-3]
t = t.center(9, "*").rjust(12)
t = t.zfill(7).swapcase()
t = t.partition("a")[2]
t = t.rpartition("b")[0]
t = t.removeprefix("a").removesuffix("b")
t = t.capitalize().casefold()
t = t.expandtabs(4).lstrip().rstrip("x")
t = "".join(sorted(t[:20]))
t = "".join([chr(97 + x % 26) for x in l[:6]])
t = "|".join(f"{x}" for x in l[:4])
t = t.translate({97: "z", 98: "yy"}) if len(t) < 30 else t
t = "x" if t.isalpha() else "y" if t.isdigit() else %t
i = ord(t[0]) if t else -2
i = t.rfind(%t) + t.count("a", 1)
i = 2 * (hash(%t) == hash(t))
i = (%t < t) + 2 * (%t == t) + 4 * (t >= %t)
i = len(t.split("a")) + len(t.rsplit(None, 1)) + len(t.splitlines())
i = int(t) if t.isdecimal() and t.isascii() and len(t) < 9 else 5
i = t.index(%t) if %t in t else 3
i = int("12" + str(%i % 10 * (%i % 10)))
y = bytes([%i & 255, 7]) + y[1:9]
y = y * 2 if len(y) < 20 else y[::-1]
y = y.replace(b"a", b"\\x00\\xff") if len(y) < 20 else b"q"
y = b",".join([y[:3], b"k", y[3:6]])
y = y.strip(b"a ").lower()
y = y.split(b",")[0]
y = (%t).encode()[:20]
i = y.find(b"a") + y.count(b"\\xff") * 2 + (b"a" in y)
i = sum([x for x in y]) % 97
i = (y < b"k") + y.startswith(b"a") * 2
l[%i % 3 : %i % 5] = [%i, %i]
l[::2] = l[1::2] if len(l) % 2 == 0 else l[::2]
l[1:1] = l
l += l[:3]
l *= 2 if len(l) < 20 else 1
l.extend(l if len(l) < 20 else [1])
del l[%i % 2 :: 3]
del l[:1]
l = l + [%i] if len(l) < 40 else l[:3]
l = l[-5:] * 2
l = list(range(%i % 7))
l = [x * y for x in l[:4] for y in l[-2:]]
l = [x if x > 0 else -x for x in l]
l = [*l[:9], %i, *range(%i % 3)]
l = list(set(l) & {1, 2, 3, 4, 5, 6})[:0] + sorted(set(l))
l = [len(x) for x in z]
l = [b for _, b in enumerate(l)][:20]
l = [x for x, _ in zip(l, w)]
l.sort(reverse=True)
l.sort(key=lambda x: (x % 5, -x))
l = sorted(l, key=lambda x: -x)[:25]
l.pop(%i % len(l)) if l else 0
i = l.pop() if l else %i
i = l.index(%i) if %i in l else -9
i = l.count(%i) + (%i in l) * 10
i = (l < [%i, 2]) + 2 * (l == sorted(l))
if %i in l: l.remove(%i)
l.clear() if len(l) > 30 else l.append(%i)
i = min(l, key=lambda x: x % 7) if l else 0
i = reduce(lambda a, b: (a * 3 + b) % 1009, l, %i)
i = any([x > 3 for x in l]) + 2 * all([x < 7 for x in l])
heapq.heappush(l, %i)
i = heapq.heappop(l) if l else 1
l = heapq.nsmallest(3, l)
i = bisect.bisect_left(sorted(l), %i)
w.insert(%i % 3, %t)
w[0:1] = [%t, "k"]
w.sort(key=lambda x: len(x))
w.extend([x.upper() for x in w[:3]])
w = list(d)
w = [x for x in t]
w = sorted({x[:1] for x in w})
w = [a + b for a, b in zip(w, w[1:])][:10]
w.reverse()
t = w.pop() if w else "e"
t = max(w) if w else "m"
i = len({x for x in w}) + (%t in w)
u.append(%f)
u = [x / 2 for x in u][:20]
u = sorted([float(x) for x in l])
u.extend([%f, 1.5])
z.append([%i])
z.append(l[:3])
z[0].append(%i)
z[-1] = z[0]
z = [x[:] for x in z][:5]
z = sorted(z)[:6]
z = [[x] * 2 for x in l[:3]] + [[%i]]
i = sum([len(x) for x in z]) + len(z[0])
for x in z: x.append(%i)
for x in z[:2]: i += sum(x) % 13
p.append((%i, %t))
p = sorted(p)[:12]
p = list(zip(l, w)) or [(1, "a")]
p = [(a + 1, b + "x") for a, b in p][:9]
for a_, b_ in p: i += a_ % 7 + len(b_)
d.pop(%t) if %t in d else 0
d = dict(sorted(d.items())[:5])
d = {k: v + 1 for k, v in d.items()}
d |= {%t: %i}
d.update(d)
i = sum(d.values()) % 1000
i = d.pop(%t, %i)
i = d.setdefault(%t, %i)
i = max(d.values()) if d else 0
l = list(d.values())
for k in list(d): d[k + "x"] = d.pop(k)
if len(d) > 12: d.clear()
if d: i = d.popitem()[1]
del d[%t]
g[%i] = [%i]
g.setdefault(%i % 4, []).append(%i)
g[%i] = l[:2]
g = {k % 3: v for k, v in g.items()}
i = sum([len(x) for x in g.values()])
for k, x in g.items(): i += k % 3 + len(x)
for x in g.values(): x.append(7)
l = g.get(%i, [%i])
l = g[%i]
l = g.get(%i) or [%i]
l = (g.get(%i) or [])[:9]
i = len(g.get(%i) or []) + (6 if not g.get(%i) else 9)
i = (g.get(%i) == l) + 2 * (g.get(%i) != [%i]) + 4 * (g.get(%i) == g.get(%i))
for k in range(4): i += len(g[k]) if g.get(k) else k
for x in g.get(%i) or [%i]: i += x % 7
while not g.get(i % 5): g[i % 5] = [i]
e = g.get(%i); i = e[0] if e else -4
e = next((x for x in z if len(x) > %i % 4), None); i = len(e) if e else -5
e = d.get(%t); i = 3 if not e else e * 2
e = next((x for x in w if x > %t), None); t = e or "q"
a_, b_ = zip(*p); l = list(a_); w = list(b_)
c = defaultdict(list); c[%t] = l; c[%t].append(%i); l.append(%i); i = sum(c[%t]) % 997
c = defaultdict(set); c[%t] |= s; c[%t].update(l[:4], {%i}); s = c[%t] - {3}
c = defaultdict(Counter); c[%t].update(w); i = sum(c[%t].values())
d = {**d, **c} if (c := Counter(w)) else {**d, %t: %i}
s ^= {%i, 5}
s -= {%i}
s &= {1, 2, 3, %i}
s = s | set(l)
s.update(l)
s = {x * x % 50 for x in s}
s = set(range(%i % 6))
s.difference_update(l)
s.remove(%i)
i = len(s | {1}) + (s <= {1, 2, 3}) + (s.isdisjoint(l)) * 2
i = sum(s) % 1000
i = max(s) if s else -1
q.append(%i)
q.extend([%i, %i])
q.extend(q) if len(q) < 20 else q.clear()
q += q[:2]
q.insert(%i % 3, %i)
q[0:1] = [%i, 9]
q = TypedList([x + 1 for x in q]) if len(q) < 20 else q[:3]
q.sort()
q.reverse()
i = q.pop() if q else %i
i = q[%i % len(q)] if q else 4
i = sum([x for x in q]) % 1000 + (%i in q)
i = q[%i]
q[%i] = %i
del q[0]
for x in q[:4]: l.append(x)
r[%i] = %i
r[%i % 5] = r.get(%i, 2)
r.setdefault(%i, 4)
r.update(r)
r.update({%i: 3})
i = r.pop(%i, 0)
i = r[%i]
del r[%i]
for k, x in r.items(): i += k % 3 + x % 5
i = len(r) + (%i in r)
r = TypedDict({k: k + 1 for k in s})
h.add(%i)
h.discard(%i)
i = len(h) + (%i in h)
h |= {%i, 4}
h &= s | {%i}
h -= {%i}
h = h ^ {%i, 5}
h.update(l[:5], s)
h.difference_update(l)
s = s | {x for x in h.union(l[:3])}
i = (h == s) + 2 * (h <= s) + 4 * h.isdisjoint(l) + 8 * (h >= {3})
i = (q == l) + 2 * (q < l) + 4 * (q != [%i])
q = q + [%i] if len(q) < 20 else q * 0
q *= 2 if len(q) < 10 else 1
l += q if len(l) < 20 else q[:1]
r |= {%i: 5}
r = r | {%i: %i}
i = (r == {%i: 2}) + len({**r, 1: 2})
for x in sorted([x for x in h]): i = (i * 3 + x) % 211
i = a.put(%i)
i = a.rename(%t)
a.number = %i
a.name = %t
t = a.name + str(a.number)
i = a.total % 1000
a = Account(%i, %t)
q = a.past[:]
a.past = q
a.past.append(%i)
e = deque(l); e.appendleft(%i); e.rotate(%i); l = list(e)
e = deque([%i]); e.extend(l[:5]); e.popleft(); l = list(e)
c = Counter(t); i = c["a"] + len(c)
c = defaultdict(int); c[%t] += %i; i = c[%t] + len(c)
try: i = l[%i]
try: i = int(t)
try: i = d[%t]
try: i = a.put(%i // (%i % 3))
try: t = w[%i]
try: i = [1, 2][%i]; l.append(i)
while len(l) > 9: l.pop()
while i > 50: i //= 3
""".strip().splitlines()

EXPRESSIONS = {
    "i": ["i", "len(t)", "len(l)", "7", "-3", "n", "(i % 5)", "1"],
    "t": ["t", "'a'", "'ab'", "str(i % 10)", "t[:1]", "'€'", "t[-2:]", "a.name"],
    "f": ["f", "0.5", "-2.25", "(i / 4)", "1e16"],
}


# What begins statements that hold others.
BLOCKS = ("if", "for", "while", "try")


# What programs are passed.
PARAMETERS = ["n", "t", "y", "l", "w", "d", "s"]

# What the other variables are at first.
FIRST = {
    "i": "n",
    "f": "1.5",
    "u": "[0.5, n / 2]",
    "p": "[(n, 'ab')]",
    "z": "[[n], [1, 2]]",
    "g": "{1: [n]}",
    "a": "Account(n, 'ab')",
    "q": "TypedList([n, 3])",
    "r": "TypedDict({n: 1})",
    "h": "TypedSet([n])",
}

# What is returned of variables, but for those that are as they are.
RETURNED = {
    "d": "sorted(d.items())",
    "g": "sorted(g.items())",
    "s": "sorted(s)",
    "q": "[x for x in q]",
    "r": "sorted([x for x in r.items()])",
    "h": "sorted([x for x in h])",
    "a": "a.number, a.name, [x for x in a.past]",
}


def source(chance):
    """Write a program, with the variables that its statements use."""
    body = []
    for _ in range(chance.randint(3, 12)):
        statement = chance.choice(STATEMENTS)
        while (at := _hole(statement)) >= 0:
            statement = statement[:at] + chance.choice(EXPRESSIONS[statement[at + 1]]) + statement[at + 2 :]
        if chance.random() < 0.15 and not statement.startswith(BLOCKS):
            body.append(f"    for _ in range(i % 4): {statement}")
        elif statement.startswith("try"):
            body += [f"    {statement}", "    except (ValueError, LookupError, ArithmeticError): i = 77"]
        else:
            body.append(f"    {statement}")
    used = set(re.findall(r"\b[a-z]\b", "\n".join(body)))
    first = [f"    {name} = {value}" for name, value in FIRST.items() if name in used]
    returned = [RETURNED.get(name, name) for name in [*PARAMETERS[1:], *FIRST] if name in used]
    returned = [f"    return ({', '.join(returned)},)"]
    taken = ", ".join(name for name in PARAMETERS if name == "n" or name in used)
    return "\n".join([f"def program({taken}):", *first, *body, *returned])


def _hole(statement):
    """Find what stands for an expression; `% ` is the operator."""
    holes = (statement.find(f"%{kind}") for kind in EXPRESSIONS)
    return min((at for at in holes if at >= 0), default=-1)


def arguments(chance, taken):
    """Make arguments for the parameters of a program: what is passed has items, as compiled code asks for."""
    ints = [chance.randint(-9, 9) for _ in range(chance.randint(1, 5))]
    words = [chance.choice(WORDS) for _ in range(chance.randint(1, 4))]
    table = {chance.choice(WORDS): chance.randint(0, 9) for _ in range(3)}
    data = bytes(chance.randint(0, 255) for _ in range(chance.randint(0, 5)))
    made = chance.randint(0, 9), chance.choice(WORDS), data, ints, words, table, set(ints)
    return tuple(one for name, one in zip(PARAMETERS, made, strict=True) if name in taken)


def comparable(value):
    """Give a value in which what isn't a number equals itself, and signs of zeros differ."""
    if isinstance(value, float):
        return repr(value) if value != value or repr(value) == "-0.0" else value
    if isinstance(value, (list, tuple)):
        return [comparable(one) for one in value]
    return value


def outcome(function, given):
    """Give what a call returns or raises, and what became of the containers; TypingError goes on."""
    given = tuple(one.copy() if isinstance(one, (list, dict, set)) else one for one in given)
    try:
        found = function(*given)
    except TypingError:
        raise
    except Exception as error:
        return type(error), given
    return found, given


def compare(seed):
    """Run the program of a seed on some arguments; give what differs as text, or None."""
    chance = random.Random(seed)
    text = source(chance)
    plain, scope = dict(PLAIN), dict(COMPILED)
    exec(text, plain)
    exec(text, scope)
    compiled = njit(scope["program"])
    for _ in range(3):
        given = arguments(chance, inspect.signature(plain["program"]).parameters)
        expected, found = outcome(plain["program"], given), outcome(compiled, given)
        if comparable(expected) != comparable(found):
            return f"seed {seed}\n{text}\nof {given}\nCPython {expected}\nfound   {found}"
    return None
