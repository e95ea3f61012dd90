"""Random indices of random arrays: ints, slices, ellipses, new axes, index arrays and masks, all together."""

import random

import numpy as np

from pyopt import njit

DTYPES = ("f8", "i8", "i4", "f4", "u1", "?", "c16")
INTS = ("i8", "i4", "i1")
OPERATORS = ("+=", "-=", "*=")


class Case:
    """An array, an index of it as text, and the index's parts that are arguments."""

    def __init__(self, seed):
        """Make the case of a seed."""
        self.random = random.Random(seed)
        self.arguments = []
        self.array = self._array(self.random.randint(1, 4))
        self.index = ", ".join(self._parts())

    def _array(self, rank):
        shape = tuple(self.random.choice([0, 1, 2, 3, 3, 4, 5]) for _ in range(rank))
        numbers = np.arange(1, int(np.prod(shape)) + 1)
        dtype = self.random.choice(DTYPES)
        array = (numbers % 2 == 0 if dtype == "?" else numbers.astype(dtype)).reshape(shape)
        layout = self.random.choice(["C", "C", "F", "strided", "reversed", "permuted"])
        if layout == "F":
            return np.asfortranarray(array)
        if layout == "strided":
            larger = np.zeros(tuple(2 * size + 1 for size in shape), array.dtype)
            view = larger[tuple(slice(1, None, 2) for _ in shape)]
            view[...] = array
            return view
        if layout == "reversed":
            return array[tuple(slice(None, None, -1) for _ in shape)]
        if layout == "permuted":
            axes = list(range(rank))
            self.random.shuffle(axes)
            return np.ascontiguousarray(array.transpose(axes)).transpose(np.argsort(axes))
        return array

    def _argument(self, value):
        self.arguments.append(value)
        return f"p{len(self.arguments) - 1}"

    def _slice(self, size):
        def bound():
            return self.random.choice(["", "", str(self.random.randint(-size - 2, size + 2))])

        step = self.random.choice(["", "", f":{self.random.choice([1, 2, 3, -1, -2, -3])}"])
        return f"{bound()}:{bound()}{step}"

    def _parts(self):
        rank = self.array.ndim
        together = self.random.choice([(3,), (2,), (1,), (2, 3), (0,), (4,)])
        # An ellipsis stands for a number of axes that is chosen before: so the sizes are known.
        skipped = self.random.randint(0, rank) if self.random.random() < 0.35 else None
        ellipsis_at = self.random.randint(0, rank - skipped) if skipped is not None else None
        parts = []
        axis = 0
        taken = 0
        stop = self.random.randint(1, rank) if skipped is None else rank
        while axis < stop:
            if taken == ellipsis_at:
                parts.append("...")
                axis += skipped
                ellipsis_at = None
                continue
            left = rank - axis if ellipsis_at is None else ellipsis_at - taken
            part, count = self._part(self.array.shape[axis:], left, together)
            parts.append(part)
            axis += count
            taken += count
        if ellipsis_at is not None:
            parts.append("...")
        return parts

    def _part(self, shape, left, together):
        size = shape[0]
        kind = self.random.random()
        if kind < 0.25 and size > 0:
            position = self.random.randint(-size, size - 1)
            number = self.random.choice([int, np.int8, np.int32, np.uint64])
            if number is np.uint64:
                position %= size
            is_constant = self.random.random() < 0.5
            return (str(position) if is_constant else self._argument(number(position))), 1
        if kind < 0.65 or size == 0:
            return self._slice(size), 1
        if kind < 0.73:
            return self.random.choice(["None", "np.newaxis"]), 0
        if kind < 0.9:
            wanted = together if self.random.random() < 0.7 else (1,) * len(together)
            positions = [self.random.randint(-size, size - 1) for _ in range(int(np.prod(wanted)))]
            dtype = self.random.choice(INTS)
            return self._argument(np.array(positions, dtype).reshape(wanted)), 1
        covered = shape[: self.random.randint(1, min(2, left))]
        holds = [self.random.random() < 0.5 for _ in range(int(np.prod(covered)))]
        return self._argument(np.array(holds, bool).reshape(covered)), len(covered)

    def selected(self):
        """Select in the interpreter; ``None`` where NumPy refuses."""
        names = {f"p{position}": value for position, value in enumerate(self.arguments)}
        try:
            return eval(f"a[{self.index}]", {"a": self.array, "np": np, **names})
        except IndexError:
            return None

    def _value(self, selected):
        shape = list(np.shape(selected))
        choice = self.random.randrange(4)
        if choice == 0:
            return self.random.choice([7, 2.0, True, np.int8(3)])
        if choice == 1 and shape:
            shape = shape[self.random.randint(0, len(shape)) :]
        elif choice == 2:
            shape = [size if self.random.random() < 0.6 else 1 for size in shape]
        dtype = self.random.choice([self.array.dtype, np.dtype("i8")])
        return (np.arange(int(np.prod(shape))) * 3 + 11).astype(dtype).reshape(shape)

    def functions(self):
        """Yield functions that read, assign and change in place, as text, with their arguments."""
        parameters = "".join(f", p{position}" for position in range(len(self.arguments)))
        yield f"def f(a{parameters}):\n    return a[{self.index}]", self.arguments
        selected = self.selected()
        if selected is None:
            return
        value = self._value(selected)
        header = f"def f(a, v{parameters}):\n    "
        yield f"{header}a[{self.index}] = v\n    return a", [value, *self.arguments]
        if self.array.dtype.kind != "b":
            operator = self.random.choice(OPERATORS)
            ones = np.ones(np.shape(selected), self.array.dtype)
            value = self.random.choice([2, ones * self.array.dtype.type(3)])
            yield f"{header}a[{self.index}] {operator} v\n    return a", [value, *self.arguments]


def outcome(function, array, arguments):
    """Run a function on a copy of an array in its layout: the result and the copy, or the error."""
    base = array
    while isinstance(base.base, np.ndarray):
        base = base.base
    memory = bytearray(base.ravel("K").tobytes() or b"\0")
    offset = array.ctypes.data - base.ctypes.data
    copy = np.ndarray(array.shape, array.dtype, memory, offset if array.size else 0, array.strides)
    try:
        return function(copy, *arguments), copy
    except (IndexError, ValueError) as error:
        return error, copy


def check(source, array, arguments):
    """Compare a function compiled with the interpreter's: values, type, memory that is shared."""
    names = {"np": np}
    exec(source, names)
    expected, changed = outcome(names["f"], array, arguments)
    actual, changed_too = outcome(njit(names["f"]), array, arguments)
    described = f"{source}\n{array.dtype}{array.shape}, strides {array.strides}: {arguments!r}"
    if isinstance(expected, Exception):
        assert isinstance(actual, type(expected)), f"{described}\n{expected!r}, not {actual!r}"
        return
    assert not isinstance(actual, Exception), f"{described}\n{actual!r}"
    one, other = np.asarray(actual), np.asarray(expected)
    assert one.shape == other.shape, described
    assert isinstance(actual, np.ndarray) == isinstance(expected, np.ndarray), described
    assert one.dtype == other.dtype or not isinstance(expected, np.ndarray), described
    assert np.array_equal(one, other), f"{described}\n{expected!r}\nnot {actual!r}"
    assert np.array_equal(changed, changed_too), f"{described}\n{changed!r}\nnot {changed_too!r}"
    if isinstance(expected, np.ndarray) and expected.size:
        assert np.shares_memory(expected, changed) == np.shares_memory(actual, changed_too), described
