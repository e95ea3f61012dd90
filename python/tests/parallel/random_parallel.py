"""Random programs of array statements and ``prange``, in parallel and in the interpreter.

``python random_parallel.py --count 10000 --seed 7`` runs that many, with ``--small`` of a few statements
each; every program follows from its number. With ``--unoptimized`` LLVM only generates code for what the
passes make of a program, which leaves time for several times as many.
All numbers are whole and small enough for sums of floats to be exact in any order, so that results must be
equal to the last bit however they are computed. A process should have ``PYOPT_WORK_PER_THREAD=1``, so that
small loops run on threads too, and some threads in ``PYOPT_NUM_THREADS``.
"""

import argparse
import random
import sys
import traceback

import numpy as np

from pyopt import get_num_threads, njit, prange, set_num_threads

INDENT = "    "
SIZES = (0, 1, 2, 3, 7, 16, 40)
SWITCHES = ("comprehension", "fusion", "inplace_binop", "numpy", "prange", "reduction", "setitem", "stencil")


class Writer:
    """Writes one program."""

    def __init__(self, seed):
        """Begin with a number that everything follows from."""
        self.random = random.Random(seed)
        self.lines = []
        # Arrays of `n` elements, and of `n` rows of 5; those that were made here share no memory.
        self.vectors = ["a", "b", "c", "d"]
        self.matrices = ["m", "p"]
        self.fresh = []
        self.scalars = ["x", "y"]
        self.made = 0
        self.depth = 0

    def program(self, small=False):
        """Write a function of four vectors, two matrices, their length and two numbers."""
        self.line("def program(a, b, c, d, m, p, n, x, y):")
        self.depth = 1
        for _ in range(self.random.randint(1, 3) if small else self.random.randint(3, 9)):
            self.statement()
        names = [*self.scalars, *self.vectors[4:], *self.matrices[2:]]
        self.line(f"return {', '.join(names)},")
        return "\n".join(self.lines) + "\n"

    def line(self, text):
        """Add a line."""
        self.lines.append(INDENT * self.depth + text)

    def pick(self, *choices):
        """Choose one."""
        return self.random.choice(choices)

    def new(self, prefix):
        """Give a name that isn't taken."""
        self.made += 1
        return f"{prefix}{self.made}"

    def statement(self):
        """Write one statement, which may hold others."""
        kinds = [
            self.make_vector,
            self.make_vector,
            self.make_matrix,
            self.assign_all,
            self.assign_slice,
            self.assign_slice,
            self.assign_matrix,
            self.in_place,
            self.masked,
            self.reduce,
            self.reduce,
            self.reduce_axis,
            self.prange_store,
            self.prange_store,
            self.prange_reduction,
            self.prange_rows,
            self.comprehension,
            self.scalar,
        ]
        if self.depth < 3:
            kinds += [self.branch, self.loop]
        self.random.choice(kinds)()

    # Expressions. Values stay small because each has a remainder taken.

    def vector(self, depth=2, low=0, high=0):
        """Write an expression of vectors without their first ``low`` and last ``high`` elements."""
        if depth == 0 or self.random.random() < 0.15:
            return self.leaf(low, high)
        left, right = self.vector(depth - 1, low, high), self.operand(depth - 1, low, high)
        return self.pick(
            f"({left} + {right})",
            f"({left} - {right})",
            f"({left} * {right} % 7)",
            f"np.maximum({left}, {right})",
            f"np.minimum({left}, {right})",
            f"np.abs({left})",
            f"(-{left})",
            f"np.where({left} > {right}, {left}, {right})",
            f"(({left} < {right}) * {self.pick(2, 3)})",
            f"({left} // {self.pick(2, 3)})",
        )

    def leaf(self, low, high):
        name = self.random.choice(self.vectors)
        if self.random.random() < 0.1:
            name = self.pick(
                "np.arange(n)", "np.ones(n)", "np.zeros(n, np.int32)", "np.full(n, 3)", "m[:, 1]", "p[:, 2]"
            )
        if low == high == 0:
            return self.pick(name, name, name, f"{name}[::-1]")
        # Shifted slices of the same size.
        shift = self.random.randint(0, low + high)
        return f"{name}[{shift}:n - {low + high - shift}]"

    def operand(self, depth, low, high):
        """Write a vector or a number."""
        if self.random.random() < 0.3:
            return self.number()
        return self.vector(depth, low, high)

    def number(self):
        """Write a number."""
        return self.pick(*self.scalars[-3:], "x", "2", "3", "-1")

    def matrix(self, depth=2):
        """Write an expression of n by 5 elements."""
        if depth == 0:
            name = self.random.choice(self.matrices)
            return self.pick(name, name, f"{name}[::-1]", f"{name}[:, ::-1]")
        left, right = self.matrix(depth - 1), self.matrix(depth - 1)
        row = self.pick("m[0:1]", "p[n - 1:n]") if self.random.random() < 0.5 else "np.arange(5)"
        vector = self.random.choice(self.vectors)
        column = self.pick(f"{vector}.reshape(n, 1)", f"{vector}[:, None]", "np.arange(5)[None, :]", "x")
        other = self.pick(right, right, row if row == "np.arange(5)" else right, column)
        return self.pick(
            f"({left} + {other})",
            f"({left} - {other})",
            f"({left} * {other} % 5)",
            f"np.maximum({left}, {other})",
            f"np.where({left} < {other}, {right}, {left})",
        )

    def element(self, at, arrays, depth=2):
        """Write a number from elements of arrays at an index."""
        if depth == 0 or not arrays:
            choices = [f"{name}[{at}]" for name in arrays] + [at, "2", "x"]
            return self.random.choice(choices)
        left, right = self.element(at, arrays, depth - 1), self.element(at, arrays, depth - 1)
        return self.pick(
            f"({left} + {right})",
            f"({left} - {right})",
            f"({left} * {right} % 9)",
            f"max({left}, {right})",
            f"({left} if {left} < {right} else 1)",
        )

    # Statements.

    def make_vector(self):
        """Write ``t = expression``."""
        text = self.vector()
        if text in self.vectors:
            text = f"{text} + 0"
        name = self.new("t")
        self.line(f"{name} = {text} + np.zeros(n, np.int64)")
        self.keep(self.vectors, name)

    def make_matrix(self):
        """Write ``q = expression`` of a matrix."""
        name = self.new("q")
        self.line(f"{name} = {self.matrix()} * 1")
        self.keep(self.matrices, name)

    def keep(self, names, name):
        """Make a new array known, unless it is made on one path only."""
        if self.depth == 1:
            names.append(name)
            self.fresh.append(name)
        else:
            # It lives in what is there on every path.
            self.line(f"x = x + np.sum({name}) % 3")

    def target(self, floats=False):
        """Choose a vector that may be written, one of floats for what NumPy doesn't cast to ints."""
        return self.pick("a", "b") if floats else self.random.choice(self.vectors)

    def assign_all(self):
        """Write an assignment to all elements."""
        self.line(f"{self.target()}[:] = {self.vector()} % 11")

    def assign_slice(self):
        """Write an assignment between shifted slices."""
        low, high = self.random.randint(0, 2), self.random.randint(0, 2)
        if low == high == 0:
            low = 1
        self.line("if n > 4:")
        operator = self.pick("=", "=", "+=", "-=")
        value = f"{self.vector(2, low, high)} % 13"
        self.line(f"{INDENT}{self.target(operator != '=')}[{low}:n - {high}] {operator} {value}")

    def assign_matrix(self):
        """Write an assignment to a matrix or a part of it."""
        name = self.random.choice(self.matrices)
        text = self.pick(
            f"{name}[:] = {self.matrix()} % 6",
            f"{name}[1:] = {name}[:-1] + 1",
            f"{name}[:, 1:] = {name}[:, :-1]",
            f"{name}[:, 0] = {self.vector()} % 6",
            f"m += {self.matrix()} % 4",
            f"{name}[:, 2] -= {name}[:, 3] % 3",
        )
        self.line(text)

    def in_place(self):
        """Write an operation in place."""
        self.line(f"{self.target(True)} {self.pick('+=', '-=')} {self.vector(1)} % 5")

    def masked(self):
        """Write an assignment where a mask is set."""
        name = self.target()
        self.line(f"{name}[{self.vector(1)} > {self.number()}] = {self.pick(0, 1, 5)}")

    def reduce(self):
        """Write a number from all elements."""
        name = self.new("s")
        what = self.pick(self.vector(), self.matrix())
        text = self.pick(
            f"np.sum({what})",
            f"({what} % 4).sum()",
            f"np.max(np.append({self.vector(1)}, 4))",
            f"np.prod({self.vector(1)}[:5] % 2 + 1)",
            f"np.sum({self.vector(1)} * {self.vector(1)})",
            f"np.count_nonzero({self.vector(1)} > 1)",
            f"np.any({what} > 3) * 2",
            f"np.all({what} > -3) + 1",
            f"({self.vector(1)}[:1]).sum()",
            f"np.argmax(np.append({self.vector(1)}, 4))",
            f"np.sum({self.vector(1)}[{self.vector(1)} > 1])",
        )
        guarded = self.pick(f"{what}.min()", f"np.argmax({what})", f"np.max({what})", f"np.argmin({what})")
        if self.random.random() < 0.3:
            text = f"0 if n == 0 else {guarded}"
        self.line(f"{name} = float({text}) % 32")
        self.number_known(name)

    def number_known(self, name):
        """Make a new number known, unless it is made on one path only."""
        if self.depth == 1:
            self.scalars.append(name)
        else:
            self.line(f"y = (y + {name}) % 16")

    def reduce_axis(self):
        """Write a vector from the rows of a matrix, or a number from its columns."""
        if self.random.random() < 0.6:
            name = self.new("t")
            text = self.pick(
                "{}.sum(axis=1)",
                "np.max({}, axis=1)",
                "np.argmin({}, axis=1)",
                "np.any({} > 2, axis=1) * 3",
                "np.dot({} * 1.0, np.arange(5.0)) % 16",
            )
            self.line(f"{name} = {text.format(self.matrix())}")
            self.keep(self.vectors, name)
        else:
            name = self.new("s")
            self.line(f"{name} = float(np.sum(np.sum({self.matrix()}, axis=0) * np.arange(5))) % 32")
            self.number_known(name)

    def independent(self, target):
        """Choose vectors that a loop which writes one may read at any index."""
        if target in self.fresh:
            return [name for name in self.vectors if name != target]
        return [name for name in self.fresh if name in self.vectors and name != target]

    def prange_store(self):
        """Write a ``prange`` that stores elements."""
        target = self.target()
        others = self.independent(target)
        reads = [target, *others]
        step = self.pick("n", "n", "0, n, 2", "1, n", "n - 1, -1, -1")
        self.line(f"for i in prange({step}):")
        self.depth += 1
        if self.random.random() < 0.3:
            self.line(f"if {self.element('i', reads, 1)} > {self.number()}:")
            self.line(f"{INDENT}continue")
        if others and self.random.random() < 0.4:
            self.line(f"near = {self.random.choice(others)}[n - 1 - i]")
        else:
            self.line(f"near = {self.element('i', reads, 1)}")
        if self.random.random() < 0.3:
            self.line(f"for j in range({self.pick(3, 'i % 3')}):")
            self.line(f"{INDENT}near = (near + {self.element('i', reads, 1)}) % 5")
        self.line(f"{target}[i] {self.pick('=', '=', '+=')} ({self.element('i', reads)} + near) % 13")
        self.depth -= 1

    def prange_reduction(self):
        """Write a ``prange`` that reduces."""
        name, value = self.new("s"), self.element("i", self.vectors)
        start, update = self.pick(
            ("0.0", "{name} += {value}"),
            ("0", "{name} += int({value})"),
            ("1.0", "{name} *= ({value}) % 2 + 1 if i < 9 else 1"),
            ("-100.0", "{name} = max({name}, {value})"),
            ("100.0", "{name} = min({name}, {value})"),
            ("5.0", "{name} -= {value}"),
            ("True", "{name} = {name} and {value} < 6"),
            ("False", "{name} |= {value} > 6"),
            ("-100.0", "if {value} > {name}: {name} = {value}"),
        )
        self.line(f"{name} = {start}")
        self.line("for i in prange(n):")
        self.depth += 1
        if self.random.random() < 0.4:
            self.line(f"if {self.element('i', self.vectors, 1)} < 2:")
            self.depth += 1
            self.line(update.format(name=name, value=value))
            self.depth -= 1
        else:
            self.line(update.format(name=name, value=value))
        self.depth -= 1
        self.line(f"{name} = float({name}) % 64")
        self.number_known(name)

    def prange_rows(self):
        """Write a ``prange`` whose iterations work on rows."""
        name = self.random.choice(self.matrices)
        self.line("for i in prange(n):")
        self.line(
            INDENT
            + self.pick(
                f"{name}[i] = ({name}[i] * 2 + i) % 7",
                f"{name}[i, :3] += 1",
                f"{name}[i, 1] = np.sum({name}[i]) % 9",
                f"for j in prange(5):\n{INDENT * (self.depth + 2)}{name}[i, j] = ({name}[i, j] + j) % 5",
            )
        )

    def comprehension(self):
        """Write an array made by a comprehension."""
        name = self.new("t")
        self.line(f"{name} = np.array([{self.element('i', self.vectors)} + 0.0 for i in range(n)])")
        self.keep(self.vectors, name)

    def scalar(self):
        """Write an assignment of a number."""
        self.line(f"{self.pick('x', 'y')} = ({self.number()} * 2 + {self.number()}) % 8")

    def block(self):
        """Write some statements further in."""
        self.depth += 1
        for _ in range(self.random.randint(1, 3)):
            self.statement()
        self.depth -= 1

    def branch(self):
        """Write ``if``, maybe with ``else``."""
        self.line(f"if {self.number()} > {self.pick(0, 1, 3)}:")
        self.block()
        if self.random.random() < 0.5:
            self.line("else:")
            self.block()

    def loop(self):
        """Write a loop around statements."""
        self.line(f"for {self.new('k')} in range({self.pick(2, 3)}):")
        self.block()


def source_of(seed, small=False):
    """Return the text of a program."""
    return Writer(seed).program(small)


def inputs_of(seed, size):
    """Return arguments; vectors may be views of one memory, strided or backwards.

    Types follow from the program's number alone, as far as NumPy says the same of layouts for every
    size: each more is another compilation.
    """
    generator, layouts = random.Random(seed * 100 + size), random.Random(seed)

    def numbers(count, dtype):
        return np.array([generator.randint(-4, 9) for _ in range(count)], dtype)

    memory = numbers(2 * size + 3, "f8")
    a = layouts.choice((memory[:size], memory[:size][::-1], memory[1 : 2 * size + 1 : 2]))
    shift = generator.randint(0, 3)
    b = generator.choice((memory[shift : size + shift], numbers(size, "f8"), memory[:size]))
    c = layouts.choice((numbers(size, "i8"), numbers(2 * size, "i4")[::2]))
    d = layouts.choice((numbers(size, "f4"), numbers(size, "i2")))
    m = numbers(size * 5, "f8").reshape(size, 5)
    p = layouts.choice(
        (numbers(size * 5, "f8").reshape(5, size).T, numbers(size * 10, "i8").reshape(size, 10)[:, ::2], m)
    )
    return [a, b, c, d, m, p, size, 2.0, 1.0]


def copied(arguments):
    """Copy arguments so that what shared memory shares it again."""
    arrays = [one for one in arguments if isinstance(one, np.ndarray)]
    bases = {}
    for one in arrays:
        base = one if one.base is None else one.base
        bases.setdefault(id(base), (base, base.copy()))
    result = []
    for one in arguments:
        if not isinstance(one, np.ndarray):
            result.append(one)
            continue
        base, copy = bases[id(one if one.base is None else one.base)]
        offset = one.__array_interface__["data"][0] - base.__array_interface__["data"][0]
        result.append(np.ndarray(one.shape, one.dtype, copy, offset, one.strides))
    return result


def run(function, arguments):
    """Return the results and the arguments behind a call, or the class of the exception."""
    arguments = copied(arguments)
    try:
        with np.errstate(all="ignore"):
            return [*function(*arguments), *arguments[:6]]
    except (ValueError, IndexError, ZeroDivisionError) as error:
        return type(error)


def check_program(seed, small=False, unoptimized=False):
    """Compare a program with the interpreter, for several sizes and numbers of threads."""
    scope = {"np": np, "prange": prange}
    exec(compile(source_of(seed, small), f"<program {seed}>", "exec"), scope)
    plain = scope["program"]
    choice = random.Random(seed)
    off = choice.sample(SWITCHES, choice.choice((0, 0, 0, 1, 3)))
    parallel = dict.fromkeys(off, False) if off else True
    compiled = njit(parallel=parallel, _dbg_optnone=unoptimized)(plain)
    most = get_num_threads()
    for size in choice.sample(SIZES, 3):
        arguments = inputs_of(seed, size)
        expected = run(plain, arguments)
        for threads in sorted({1, min(2, most), most}):
            set_num_threads(threads)
            try:
                found = run(compiled, arguments)
            finally:
                set_num_threads(most)
            compare(found, expected, f"size {size}, {threads} threads, without {off}")


def compare(found, expected, case):
    """Raise an AssertionError where results differ."""
    if isinstance(found, type) or isinstance(expected, type):
        assert found is expected, f"{case}: {found} instead of {expected}"
        return
    for at, (one, other) in enumerate(zip(found, expected, strict=True)):
        np.testing.assert_array_equal(one, other, err_msg=f"{case}: result {at}", strict=False)


def main():
    """Run as many programs as asked for."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--count", type=int, default=100)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--small", action="store_true")
    parser.add_argument("--unoptimized", action="store_true")
    given = parser.parse_args()
    failed = 0
    for seed in range(given.seed, given.seed + given.count):
        try:
            check_program(seed, given.small, given.unoptimized)
        except Exception:
            failed += 1
            print(f"program {seed}:\n{source_of(seed, given.small)}", file=sys.stderr)
            traceback.print_exc(limit=-3)
    print(f"{given.count} programs from {given.seed}, {failed} failed")
    return int(failed > 0)


if __name__ == "__main__":
    sys.exit(main())
