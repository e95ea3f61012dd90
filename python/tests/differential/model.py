"""Numba's arithmetic for the interpreter: what a compiled function is expected to compute.

pyopt differs from Python on purpose where Numba does: integers have 64 bits and wrap, those without a sign
stay so among themselves, and a ``float32`` stays one among ``float32``. ``modelled`` rebuilds a function so
that the interpreter computes just that: its constants, ranges, array elements and results of NumPy calls are
``Int64``, ``UInt64`` and ``Float32`` objects, whose operators follow those rules. Every other rule is
CPython's and NumPy's own.
"""

import builtins
import dis
import itertools
import types

import numpy as np

MASK = (1 << 64) - 1


class Wrapped(int):
    """An integer of 64 bits; the subclasses say whether it has a sign."""

    def __neg__(self):
        """Wrap ``-MIN``."""
        return type(self)(-int(self))

    def __pos__(self):
        """Stay an integer of this kind."""
        return self

    def __invert__(self):
        """Flip all 64 bits."""
        return type(self)(~int(self))

    def __abs__(self):
        """Wrap ``abs(MIN)``."""
        return type(self)(abs(int(self)))

    def __lshift__(self, count):
        """Lose the bits that leave."""
        return type(self)(int(self) << int(count))

    def __rshift__(self, count):
        """Keep the kind of the left operand."""
        return type(self)(int(self) >> int(count))

    def __truediv__(self, other):
        """Divide as floats of 64 bits."""
        return _divide(self, other)

    def __rtruediv__(self, other):
        """Divide as floats of 64 bits."""
        return _divide(other, self)


def _divide(one, other):
    if isinstance(one, int) and isinstance(other, int):
        return float(one) / float(other) if other else int(one) / 0
    if isinstance(one, float) or isinstance(other, float):
        return float(one) / float(other)
    return NotImplemented


class Int64(Wrapped):
    """A signed integer of 64 bits."""

    def __new__(cls, value=0):
        """Wrap into the range."""
        value = int(value) & MASK
        return int.__new__(cls, value - (1 << 64) if value >> 63 else value)


class UInt64(Wrapped):
    """An integer of 64 bits without a sign."""

    def __new__(cls, value=0):
        """Wrap into the range."""
        return int.__new__(cls, int(value) & MASK)


class Float32:
    """A float of 32 bits: stays one among its kind, and is a float64 with anything else."""

    __slots__ = ("value",)
    __hash__ = None

    def __init__(self, value):
        """Round to 32 bits."""
        self.value = np.float32(value)

    def __float__(self):
        """Widen, exactly."""
        return float(self.value)

    def __int__(self):
        """Truncate."""
        return int(self.value)

    def __bool__(self):
        """Compare with zero."""
        return bool(self.value != 0)

    def __neg__(self):
        """Change the sign."""
        return Float32(-self.value)

    def __pos__(self):
        """Do nothing."""
        return self

    def __abs__(self):
        """Drop the sign."""
        return Float32(abs(self.value))


def _arithmetic(name):
    operation = getattr(int, name)
    float_operation = getattr(float, name, None)

    def method(self, other):
        if isinstance(other, int):
            result = operation(int(self), int(other))
            if isinstance(result, float):  # a negative exponent
                return result
            both_unsigned = isinstance(self, UInt64) and isinstance(other, UInt64)
            return (UInt64 if both_unsigned else Int64)(result)
        if isinstance(other, np.generic):
            other = scalar(other)
        if isinstance(other, float) and float_operation is not None:
            return float_operation(float(self), other)
        return NotImplemented

    return method


for _name in ("add", "sub", "mul", "floordiv", "mod", "and", "or", "xor", "pow"):
    setattr(Wrapped, f"__{_name}__", _arithmetic(f"__{_name}__"))
    setattr(Wrapped, f"__r{_name}__", _arithmetic(f"__r{_name}__"))


def _float32_arithmetic(name):
    operation = getattr(float, name)

    def method(self, other):
        if isinstance(other, Float32):
            if name in ("__truediv__", "__floordiv__", "__mod__"):
                operation(1.0, float(other))  # raises as Python does
            with np.errstate(all="ignore"):
                return Float32(getattr(np.float32, name)(self.value, other.value))
        if isinstance(other, (int, float)):
            return operation(float(self), float(other))
        return NotImplemented

    return method


for _name in ("add", "sub", "mul", "truediv", "floordiv", "mod", "pow"):
    setattr(Float32, f"__{_name}__", _float32_arithmetic(f"__{_name}__"))
    setattr(Float32, f"__r{_name}__", _float32_arithmetic(f"__r{_name}__"))


def _float32_comparison(name):
    operation = getattr(float, name)
    return lambda self, other: operation(float(self), float(other))


for _name in ("lt", "le", "eq", "ne", "gt", "ge"):
    setattr(Float32, f"__{_name}__", _float32_comparison(f"__{_name}__"))


class Modelled(np.ndarray):
    """An array whose elements are loaded as modelled scalars, and stored with NumPy's casts."""

    def __getitem__(self, index):
        """Model an element; a part stays modelled."""
        return scalar(super().__getitem__(_plain_index(index)))

    def __setitem__(self, index, value):
        """Cast as ``astype`` does."""
        if isinstance(value, int) and not isinstance(value, bool):
            if self.dtype.kind == "f":
                value = float(value)
            else:
                value = np.asarray(int(value) & MASK, np.uint64).astype(self.dtype)
        elif isinstance(value, Float32):
            value = np.asarray(value.value).astype(self.dtype)
        super().__setitem__(_plain_index(index), value)

    def __iter__(self):
        """Load one after the other."""
        return (self[index] for index in range(len(self)))

    def __array_wrap__(self, array, context=None, return_scalar=False):
        """Model results of ufuncs and reductions."""
        return scalar(array[()]) if return_scalar else array.view(Modelled)


def _plain_index(index):
    if isinstance(index, tuple):
        return tuple(map(_plain_index, index))
    return int(index) if isinstance(index, Wrapped) else index


def scalar(value):
    """Model a value as compiled code sees it."""
    if isinstance(value, (bool, np.bool_)):
        return bool(value)
    if isinstance(value, np.unsignedinteger):
        return UInt64(value)
    if isinstance(value, np.float32):
        return Float32(value)
    if isinstance(value, (float, np.float64)):
        return float(value)
    if isinstance(value, Wrapped):
        return value
    if isinstance(value, (int, np.signedinteger)):
        return Int64(value)
    if isinstance(value, np.ndarray):
        return value.view(Modelled)
    if type(value) is tuple:
        return tuple(map(scalar, value))
    return value


def unmodelled(value):
    """Turn a result of a modelled function into what a compiled one returns."""
    if isinstance(value, Wrapped):
        return int(value)
    if type(value) is int:
        return int(Int64(value))
    if isinstance(value, Float32):
        return float(value)
    if isinstance(value, Modelled):
        return value.view(np.ndarray)
    if isinstance(value, tuple):
        return tuple(map(unmodelled, value))
    return value


def _unwrapped(value):
    if isinstance(value, Float32):
        return value.value
    if isinstance(value, Wrapped):
        return int(value)
    if isinstance(value, tuple):
        return tuple(map(_unwrapped, value))
    return value


class _Numpy:
    """NumPy, with modelled results."""

    def __getattr__(self, name):
        """Wrap functions, and give anything else as it is."""
        found = getattr(np, name)
        if isinstance(found, type) and issubclass(found, np.generic):
            return found
        if not callable(found):
            return found

        def function(*args, **kwargs):
            kwargs = {key: _unwrapped(value) for key, value in kwargs.items()}
            with np.errstate(all="ignore"):
                return scalar(found(*map(_unwrapped, args), **kwargs))

        return function


class _Range:
    """A range of modelled integers."""

    def __init__(self, *args):
        self.numbers = builtins.range(*map(int, args))

    def __iter__(self):
        return map(Int64, self.numbers)

    def __reversed__(self):
        return map(Int64, reversed(self.numbers))

    @property
    def start(self):
        return Int64(self.numbers.start)

    @property
    def stop(self):
        return Int64(self.numbers.stop)

    @property
    def step(self):
        return Int64(self.numbers.step)

    def __contains__(self, number):
        return int(number) in self.numbers

    def __getitem__(self, position):
        return Int64(self.numbers[position])

    def __len__(self):
        return len(self.numbers)


def _enumerate(iterable, start=0):
    return zip(map(Int64, itertools.count(int(start))), iterable, strict=False)


def _int(value=0):
    return value if isinstance(value, Wrapped) else Int64(int(value))


_BUILTINS = {
    "np": _Numpy(),
    "range": _Range,
    "prange": _Range,
    "enumerate": _enumerate,
    "int": _int,
    "len": lambda value: Int64(len(value)),
    "round": lambda value: Int64(round(float(value))),
}


def modelled(function, memo=None):
    """Rebuild a Python function, and those that it calls, on modelled numbers."""
    memo = {} if memo is None else memo
    made = memo.get(function)
    if made is not None:
        return made
    code = _model_code(function.__code__)
    names = dict(function.__globals__)
    cells = tuple(types.CellType() for _ in function.__closure__ or ())
    made = types.FunctionType(code, names, function.__name__, None, cells or None)
    memo[function] = made
    made.__defaults__ = scalar(function.__defaults__) if function.__defaults__ else None
    if function.__kwdefaults__:
        made.__kwdefaults__ = {key: scalar(value) for key, value in function.__kwdefaults__.items()}
    for cell, source in zip(cells, function.__closure__ or (), strict=True):
        cell.cell_contents = _model_global(source.cell_contents, memo)
    for name in code.co_names:
        if name in names:
            names[name] = _model_global(names[name], memo)
    for name, value in _BUILTINS.items():
        if name not in names or name in ("np", "prange"):
            names[name] = value
    return made


def _model_global(value, memo):
    target = getattr(value, "py_func", value)
    if isinstance(target, types.FunctionType):
        return modelled(target, memo)
    return scalar(value)


def _model_code(code):
    code = _without_small_ints(code)
    return code.replace(co_consts=tuple(map(scalar, code.co_consts)))


def _without_small_ints(code):
    """Have instructions load small ints from the constants: since 3.14 they hold them themselves."""
    load_small, load = (dis.opmap.get(name) for name in ("LOAD_SMALL_INT", "LOAD_CONST"))
    if load_small is None:
        return code
    bytecode, constants = bytearray(code.co_code), list(code.co_consts)
    places = {}
    for at in range(0, len(bytecode), 2):
        # Opcodes are at even places; inline caches are zeros there.
        if bytecode[at] == load_small:
            value = bytecode[at + 1]
            if value not in places:
                places[value] = len(constants)
                constants.append(value)
            bytecode[at], bytecode[at + 1] = load, places[value]
    if len(constants) > 256:
        raise ValueError(f"{code.co_qualname} has more constants than an instruction can name")
    return code.replace(co_code=bytes(bytecode), co_consts=tuple(constants))
