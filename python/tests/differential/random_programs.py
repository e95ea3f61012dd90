"""Random programs, compiled and interpreted: scalars, branches, loops, calls, tuples, loads and stores.

``python random_programs.py --count 10000 --seed 7`` runs that many; every program follows from its number,
so ``--count 1 --seed N`` repeats the one that was printed. With ``--small`` they are of a few statements and
meet one kind of arrays each, so many more run in the same time. Integers wrap in the interpreter too (see
``model``), divisions by zero and unbound variables raise in both.

``checked_allocator.py random_programs.py --count 2000 --small`` runs them, or any other script, where memory
that was freed is overwritten: what uses it afterwards, in the compiler or in what it made, fails then and
not once in a while. ``test_checked_allocator.py`` does that for a few.
"""

import argparse
import random
import sys
import traceback

import numpy as np
from compare import check

from pyopt import errors

INTEGERS = ("i", "j", "k", "m")
FLOATS = ("x", "y", "z")
INDENT = "    "
# What programs call: with branches, loops that are left early, and several results.
HELPERS = """
def mix(p, q):
    if p < q:
        return p - q
    return (p ^ q) + 1


def damp(x, n):
    for step in range(n & 3):
        x = x * 0.5 + step
        if x > 100.0:
            return x
    else:
        x = mix(n, 2) - x
    return -x


def both(p, x):
    return p + 1, (x, p % 3)


"""
# Assignments of whole arrays, which may overlap what they read.
WHOLE = (
    "v[:] = v * {name} + 1.0",
    "v[:] = v[::-1] - v",
    "v[1:] = v[:-1] * 0.5",
    "w[:] = w * 3 - w[::-1]",
    "w[1:] += w[:-1]",
    "a[:] = a[::-1]",
    "a[1:, ::2] = a[:-1, ::-2] * 0.5",
    "a[:, 0] = a[:, -1] + {name}",
    "a[::2] -= a[1::2, ::-1]",
    "a[:, 1:] = a[:, :-1]",
    "a[{index} % 4] = {name}",
    "a[{index} % 4, ::3] = v[:2] * {name}",
    "b[:] = v < {name}",
    "b[:] = ~b[::-1]",
    "b[1:] = b[:-1] | (v[1:] == {name})",
    "w[b] = 4",
)


class Writer:
    """Writes one program."""

    def __init__(self, seed, small):
        """Begin with a number that everything follows from."""
        self.deepest = 2 if small else 5
        self.statements = (1, 3) if small else (3, 7)
        self.random = random.Random(seed)
        self.lines = []
        self.loops = 0
        self.counters = 0
        self.work = 1

    def program(self):
        """Write a function of two integers, two floats, and arrays of one and two dimensions."""
        self.line(0, "def program(i, j, x, y, v, w, a, b):")
        self.line(1, "k = 3")
        self.line(1, "z = 0.5")
        # One variable may be read before it is assigned.
        if self.random.random() < 0.9:
            self.line(1, "m = i - j")
        else:
            self.line(1, "if i < j:")
            self.line(2, "m = 1")
        self.block(1, self.random.randint(*self.statements))
        self.line(1, "return i, j, k, m, x, y, z")
        return HELPERS + "\n".join(self.lines) + "\n"

    def line(self, depth, text):
        """Add a line."""
        self.lines.append(INDENT * depth + text)

    def block(self, depth, count, in_loop=False):
        """Write statements, at least one."""
        for _ in range(max(1, count)):
            self.statement(depth, in_loop)

    def statement(self, depth, in_loop):
        """Write one statement, which may hold blocks."""
        nested = [self.branch, self.for_loop, self.while_loop] if depth < self.deepest else []
        simple = [
            self.assign,
            self.assign,
            self.augment,
            self.store,
            self.store,
            self.swap,
            self.whole_array,
            self.unpack,
        ]
        choices = simple + nested * 2
        if in_loop:
            choices.append(self.leave)
        if depth > 1:
            choices.append(self.give_up)
        self.random.choice(choices)(depth, in_loop)

    def assign(self, depth, in_loop):
        """Write ``name = expression``."""
        if self.random.random() < 0.5:
            self.line(depth, f"{self.random.choice(INTEGERS)} = {self.integer(3)}")
        else:
            self.line(depth, f"{self.random.choice(FLOATS)} = {self.real(3)}")

    def augment(self, depth, in_loop):
        """Write ``name op= expression``."""
        if self.random.random() < 0.5:
            operator = self.random.choice(("+", "-", "*", "^", "&", "|", "//", "%"))
            self.line(depth, f"{self.random.choice(INTEGERS)} {operator}= {self.integer(2)}")
        else:
            operator = self.random.choice("+-*/")
            self.line(depth, f"{self.random.choice(FLOATS)} {operator}= {self.real(2)}")

    def swap(self, depth, in_loop):
        """Write an assignment to several names at once."""
        kind = self.random.choice((INTEGERS[:3], FLOATS))
        one, other = self.random.sample(kind, 2)
        self.line(depth, f"{one}, {other} = {other}, {one}")

    def store(self, depth, in_loop):
        """Write an element."""
        operator = self.random.choice(("=", "=", "+=", "-=", "*="))
        place, value = self.random.choice(
            (
                (f"v[{self.index('v')}]", self.real(2)),
                (f"w[{self.index('w')}]", self.integer(2)),
                (f"a[{self.integer(1)} % 4, {self.integer(1)} % 6]", self.real(2)),
            )
        )
        self.line(depth, f"{place} {operator} {value}")
        if self.random.random() < 0.2:
            self.line(depth, f"b[{self.index('b')}] = {self.condition(1)} and True")

    def unpack(self, depth, in_loop):
        """Write the several results of a call, or a tuple that is kept."""
        number = self.random.choice(FLOATS)
        if self.random.random() < 0.5:
            self.line(depth, f"k, ({number}, m) = both({self.integer(1)}, {self.real(1)})")
        else:
            self.line(depth, f"pair = ({self.integer(2)}, {self.real(1)})")
            self.line(depth, f"k, {number} = pair[0] + k, pair[-1]")

    def whole_array(self, depth, in_loop):
        """Write all elements."""
        name = self.random.choice(FLOATS)
        text = self.random.choice(WHOLE).format(name=name, index=self.integer(1))
        self.line(depth, text)

    def branch(self, depth, in_loop):
        """Write ``if``, maybe with ``elif`` and ``else``."""
        self.line(depth, f"if {self.condition(2)}:")
        self.block(depth + 1, self.random.randint(1, 3), in_loop)
        if self.random.random() < 0.3:
            self.line(depth, f"elif {self.condition(1)}:")
            self.block(depth + 1, self.random.randint(1, 2), in_loop)
        if self.random.random() < 0.5:
            self.line(depth, "else:")
            self.block(depth + 1, self.random.randint(1, 2), in_loop)

    def for_loop(self, depth, in_loop):
        """Write a loop over a range."""
        if self.work > 400:
            return self.assign(depth, in_loop)
        name = self.random.choice(("n", "p", "q", *INTEGERS[2:]))
        bounds = self.random.choice(
            (
                str(self.random.randint(0, 7)),
                f"{self.integer(1)} % 6",
                f"{self.near()}, {self.near()}",
                f"{self.near()}, {self.near()}, {self.random.choice((1, 2, 3, -1, -2))}",
                f"{self.random.choice('ij')} % 5, {self.random.choice('ij')} % 9, {self.integer(1)} % 3",
                "len(v)",
            )
        )
        self.line(depth, f"for {name} in range({bounds}):")
        return self.loop_body(depth, in_loop, 7)

    def while_loop(self, depth, in_loop):
        """Write a loop that counts down, or leaves earlier."""
        if self.work > 400:
            return self.assign(depth, in_loop)
        self.counters += 1
        counter = f"c{self.counters}"
        self.line(depth, f"{counter} = {self.random.randint(0, 6)}")
        condition = self.random.choice((f"{counter} > 0", f"{counter} > 0 and {self.condition(1)}"))
        self.line(depth, f"while {condition}:")
        self.line(depth + 1, f"{counter} -= 1")
        return self.loop_body(depth, in_loop, 6)

    def loop_body(self, depth, in_loop, trips):
        """Write a loop's body, and maybe its ``else``."""
        self.work *= trips
        self.block(depth + 1, self.random.randint(1, 4), True)
        self.work //= trips
        if self.random.random() < 0.2:
            self.line(depth, "else:")
            self.block(depth + 1, 1, in_loop)

    def leave(self, depth, in_loop):
        """Write ``break`` or ``continue`` under a condition."""
        self.line(depth, f"if {self.condition(1)}:")
        self.line(depth + 1, self.random.choice(("break", "continue")))

    def give_up(self, depth, in_loop):
        """Write ``return`` or ``raise`` under a condition."""
        self.line(depth, f"if {self.condition(2)}:")
        if self.random.random() < 0.5:
            self.line(depth + 1, "return k, j, i, k, z, y, x")
        else:
            self.line(depth + 1, f'raise ValueError("given up at {len(self.lines)}")')

    def near(self):
        """Write a small integer."""
        return str(self.random.randint(-5, 9))

    def index(self, array):
        """Write an index that is inside, from the front or from the end."""
        if self.random.random() < 0.2:
            return self.random.choice(("0", "-1", "2", "-3"))
        return f"{self.integer(1)} % len({array})" + self.random.choice(("", "", f" - len({array})"))

    def integer(self, depth):
        """Write an integer expression."""
        if depth == 0 or self.random.random() < 0.25:
            return self.random.choice(
                (
                    *INTEGERS,
                    *INTEGERS,
                    str(self.random.randint(0, 9)),
                    str(self.random.choice((31, 1000003, 1 << 40))),
                )
            )
        one, other = self.integer(depth - 1), self.integer(depth - 1)
        return self.random.choice(
            (
                f"({one} + {other})",
                f"({one} - {other})",
                f"({one} * {other})",
                f"({one} // {other})",
                f"({one} % {other})",
                f"({one} & {other})",
                f"({one} | {other})",
                f"({one} ^ {other})",
                f"({one} << ({other} & 15))",
                f"({one} >> ({other} & 63))",
                f"(-{one})",
                f"(~{one})",
                f"abs({one})",
                f"min({one}, {other})",
                f"max({one}, {other})",
                f"w[{self.index('w')}]",
                f"mix({one}, {other})",
                f"({one} if {self.condition(depth - 1)} else {other})",
            )
        )

    def real(self, depth):
        """Write a float expression."""
        if depth == 0 or self.random.random() < 0.25:
            return self.random.choice(
                (*FLOATS, *FLOATS, str(self.random.choice((0.0, 1.0, -2.5, 0.1, 1e10))))
            )
        one, other = self.real(depth - 1), self.real(depth - 1)
        return self.random.choice(
            (
                f"({one} + {other})",
                f"({one} - {other})",
                f"({one} * {other})",
                f"({one} / {other})",
                f"({one} + {self.random.choice(INTEGERS)})",
                f"({self.random.choice(INTEGERS)} * {other})",
                f"({self.random.choice(INTEGERS)} / {self.random.choice(INTEGERS)})",
                f"(-{one})",
                f"abs({one})",
                f"min({one}, {other})",
                f"max({one}, {other})",
                f"float({self.integer(depth - 1)})",
                f"v[{self.index('v')}]",
                f"a[{self.integer(1)} % 4, -1 - {self.integer(1)} % 6]",
                f"damp({one}, {self.random.choice(INTEGERS)})",
                f"({one} if {self.condition(depth - 1)} else {other})",
            )
        )

    def condition(self, depth):
        """Write a condition; both sides of a comparison are of one kind."""
        operator = self.random.choice(("<", "<=", "==", "!=", ">", ">="))
        below = max(0, depth - 1)
        simple = self.random.choice(
            (
                f"{self.integer(below)} {operator} {self.integer(below)}",
                f"{self.real(below)} {operator} {self.real(below)}",
                f"{self.integer(below)} % 3 == {self.random.randint(0, 2)}",
                self.random.choice(INTEGERS),
                f"b[{self.random.choice(INTEGERS)} % len(b)]",
                f"{self.near()} < {self.random.choice(INTEGERS)} {operator} {self.integer(below)}",
            )
        )
        if depth == 0 or self.random.random() < 0.6:
            return f"({simple})"
        word = self.random.choice(("and", "or"))
        return self.random.choice(
            (f"(not {self.condition(below)})", f"({simple} {word} {self.condition(below)})")
        )


def source_of(seed, small=False):
    """Give the program of a number."""
    return Writer(seed, small).program()


def arguments_of(seed, small):
    """Give a few lists of arguments for the program of a number."""
    chooser = random.Random(-seed - 1)
    generator = np.random.default_rng(seed)
    made = []
    for n in (3, 5, 9):
        v = generator.integers(-8, 9, 2 * n) / 4
        w = generator.integers(-20, 21, n)
        made.append(
            (
                chooser.choice((0, 1, -1, 7, -13, 2**62, -(2**63))),
                chooser.choice((0, 2, -5, 100, 2**63 - 1)),
                chooser.choice((0.0, -0.0, 1.5, -3.25, 1e200, float("inf"))),
                chooser.choice((0.5, 2.0, -7.75, float("nan"))),
                v[::2] if n == 5 else v[:n],
                w[::-1] if n == 9 else w,
                laid_out(generator.integers(-9, 10, (4, 6)) / 2, n),
                (generator.random(2 * n) < 0.5)[::2],
            )
        )
    return [made[seed % len(made)]] if small else made


def laid_out(matrix, n):
    """Give a matrix in C order, Fortran's, or with a step and backwards."""
    if n == 3:
        return matrix
    return np.asfortranarray(matrix) if n == 5 else np.repeat(matrix, 2, axis=1)[::-1, ::2]


def check_program(seed, small=False, source_of=source_of, **options):
    """Compile the program of a number and compare it with the interpreter."""
    names = {}
    exec(compile(source_of(seed, small), f"<random program {seed}>", "exec"), names)
    for args in arguments_of(seed, small):
        try:
            check(names["program"], *args, **options)
        except errors.TypingError as error:
            # Python itself folds constants, to more than 64 bits.
            if "does not fit into 64 bits" not in str(error):
                raise
        except AssertionError as error:
            if "does not fit into 64 bits" not in str(error):
                raise


def main(source_of=source_of, **checks):
    """Run a number of programs; print those that fail, and how many did."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--count", type=int, default=1000, help="how many programs")
    parser.add_argument("--seed", type=int, default=0, help="the number of the first")
    parser.add_argument("--small", action="store_true", help="few statements in each")
    parser.add_argument("--show", action="store_true", help="print the programs instead of running them")
    options = parser.parse_args()
    failures = 0
    for seed in range(options.seed, options.seed + options.count):
        if options.show:
            print(source_of(seed, options.small))
            continue
        try:
            check_program(seed, options.small, source_of, **checks)
        except Exception:
            failures += 1
            print(f"# program {seed}\n{source_of(seed, options.small)}")
            traceback.print_exc(file=sys.stdout)
    if not options.show:
        print(f"{options.count - failures} of {options.count} programs agree")
    return min(failures, 1)


if __name__ == "__main__":
    sys.exit(main())
