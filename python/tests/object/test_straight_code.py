"""Expressions, containers, loops, calls and attributes in object mode."""

import pytest
from twins import check

EXPRESSIONS = [
    "a + b", "a - b", "a * b", "a / b", "a // b", "a % b", "a ** 2", "a @ b", "a & b", "a | b", "a ^ b",
    "a << 2", "a >> 1", "-a", "+a", "~a", "not a", "a < b", "a <= b", "a == b", "a != b", "a > b", "a >= b",
    "a is b", "a is not b", "a in [b, 1]", "a not in (b, 2)", "a and b", "a or b", "a if b else (b, a)",
    "a < b < 3", "a[0]", "a[1:]", "a[::-1]", "(a, b)", "[a, b]", "{a, b}", "{a: b}", "[*a, *b]",
    "{**a, 'x': b}",
    "f'{a}{b!r:>10}{a!s}{b!a}'", "a.real", "len(a)", "(a, *b)", "[x for x in a]", "{x: y for x, y in a}",
    "(lambda x, y=b: (x, y))(a)", "print", "isinstance(a, int)", "max(a, b, key=str)", "(c := a)", "[a][0]",
    "'%s' % a", "a.__class__.__name__", "abs(a)", "sorted([a, b])", "undefined", "str(a).join(['1', '2'])",
    "dict(a=a, **b)", "int(*b)", "f'{a:{b}}'", "...", "b'x' + a", "1j * a", "a[b]", "a()", "a.x.y",
]  # fmt: skip

VALUES = [
    (1, 2),
    (2.5, 0),
    ("ab", "c"),
    ([1, 2], [3]),
    ({"p": 1}, {"q": 2}),
    (True, None),
    ((1, 2), (3,)),
    (0, 10),
]


@pytest.mark.parametrize("expression", EXPRESSIONS)
def test_expression(expression):
    """Each expression gives the same value or the same error."""
    check(
        f"""
        @compiled
        def main(a, b):
            return {expression}
        """,
        *VALUES,
    )


STATEMENTS = {
    "in place": "a += b; a *= 2; log(a); return a",
    "in place on an element": "c = [a, b]; c[0] += b; c[1:2] = [a]; return c",
    "while": "n = 0\nwhile n < 10:\n  n += 3\n  if n == 6: continue\n  log(n)\nelse: log('e')\nreturn n",
    "for": "t = []\nfor x in a:\n  if x == b: break\n  t += [x]\nelse:\n  t += ['else']\nreturn t",
    "nested": "return [(x, y) for x in range(3) for y in range(x) if x + y != 2]",
    "unpack": "x, y = a; log(x); return y",
    "unpack more": "x, *y = a; log(y); *z, w = b; return x, y, z, w",
    "unpack both": "x, *y, z = a; return x, y, z",
    "delete": "c = [1, 2, 3]; del c[0]; del c[:1]; return c",
    "delete local": "c = a; del c; return c",
    "delete twice": "c = a; del c; del c",
    "unbound": "if b: c = 1\nreturn c",
    "attributes": "class C: pass\nc = C(); c.x = a; c.x += b; log(c.x); del c.x; return c.x",
    "missing attribute": "return a.nothing",
    "import": "import math, os.path as p; from math import pi as q, tau; return math.pi == q, p.sep, tau",
    "failing import": "from math import nothing",
    "missing module": "import no_such_module",
    "global": "global G; G = a; log(G); del G; return G",
    "assert": "assert a, b; assert not a, (a, b)",
    "closure": "def inner(x):\n    nonlocal a\n    a = x\n    return a\nlog(inner(b)); return a",
    "empty cell": "def inner(): return c\nif not b: c = 1\nreturn inner()",
    "deleted cell": "def inner(): return a\ndel a\nreturn inner()",
    "defaults": "def inner(x, /, y=a, *z, k=b, **r): return x, y, z, k, r\nreturn inner(1, 2, 3, k=4, l=5)",
    "annotations": "def inner(x: a, *y: b) -> int: pass\nreturn inner.__annotations__, inner.__qualname__",
    "class": "class C:\n    'doc'\n    x = a\n    def m(self): return self.x, b\nreturn C().m(), C.__doc__",
    "starred calls": "log(max(*[1, 2], *(3,))); return dict(**{'x': a}, y=b)",
    "keyword twice": "return dict(**{'x': a}, **{'x': b})",
    "starred number": "return max(*a)",
    "starred mapping": "return dict(**a)",
    "sys": "import sys; return sys._getframe().f_code.co_name, sorted(locals()), eval('a'), sorted(vars())",
    "exec": "exec('log(a)'); return dir()",
    "strings": "s = ''\nfor i in a: s += str(i)\nreturn s",
    "slices": "c = list(range(10)); c[::2] = [0] * 5; return c[a:b]",
}


@pytest.mark.parametrize("body", STATEMENTS.values(), ids=STATEMENTS)
def test_statements(body):
    """Each body does the same in the same order."""
    lines = "\n".join("    " + line for line in body.split("\n"))
    check(f"@compiled\ndef main(a, b):\n{lines}\n", *VALUES, ([1, 2, 3, 4], (5, 6)))


def test_order_of_effects():
    """Operands are evaluated, and temporaries released, in CPython's order."""
    check(
        """
        class Loud:
            def __init__(self, name): self.name = name
            def __add__(self, other): log(f"{self.name}+{other.name}"); return Loud(self.name + other.name)
            def __getitem__(self, index): log(f"{self.name}[{index.name}]"); return Loud(self.name + "i")
            def __setitem__(self, index, value): log(f"{self.name}[{index.name}]={value.name}")
            def __lt__(self, other): log(f"{self.name}<{other.name}"); return self
            def __bool__(self): log(f"bool {self.name}"); return True
            def __call__(self, *args): log(f"call {self.name} {[a.name for a in args]}"); return self
            def __iter__(self): log(f"iter {self.name}"); return iter([self, self])
            def __del__(self): log(f"del {self.name}")

        @compiled
        def main():
            a, b = Loud("a"), Loud("b")
            a = a + b + Loud("c")
            b[Loud("d")] = a[Loud("e")]
            if a < b < Loud("f"):
                log("yes")
            for x in Loud("g"):
                log("item")
            del x
            Loud("h")(a, Loud("i"))
            [Loud("j"), Loud("k")][0]
            a = Loud("l")
            log("end")
        """
    )


def test_recursion():
    """Deep recursion raises as in CPython."""
    check(
        """
        @compiled
        def main(n):
            return 0 if n == 0 else 1 + main(n - 1)
        """,
        (10,),
        (500,),
    )


def test_recursion_limit():
    """Endless recursion is an error, not a crash."""
    from pyopt import jit

    @jit(forceobj=True)
    def endless(n):
        return endless(n + 1)

    with pytest.raises(RecursionError, match="maximum recursion depth exceeded"):
        endless(0)
