"""Universal functions of functions of scalars."""

import numpy as np

from pyopt import types
from pyopt.decorators import prange
from pyopt.dispatcher import Dispatcher
from pyopt.entry_points import entry_points
from pyopt.errors import OptionError
from pyopt.library import intrinsics
from pyopt.types import from_text, parse_signature
from pyopt.types.enums import IntEnumMember
from pyopt.ufuncs.base import (
    INDEPENDENT,
    REDUCTION,
    REORDERABLE,
    SINGLE,
    Ufunc,
    element_type,
    make_function,
    numpy_type,
    operand_type,
)

# Keywords that name the loop to take.
_CHOICES = {"dtype", "sig", "signature"}


@entry_points("__call__", "add", "reduce", "accumulate", "reduceat", "outer", "at")
class DUFunc(Ufunc):
    """A universal function of a function of scalars, which gets a loop for new types when it is called."""

    def __init__(self, function, **options):
        """Read the parameters; compile nothing yet."""
        function = getattr(function, "py_func", function)
        code = getattr(function, "__code__", None)
        if code is None:
            raise TypeError(f"vectorize takes a Python function, not a {type(function).__name__}")
        # What is behind `*` and `**` is empty in a call with just the operands.
        if code.co_kwonlyargcount or not code.co_argcount:
            raise TypeError(f"{function.__qualname__}: a universal function has positional parameters only")
        super().__init__(function, options, code.co_argcount, 1)
        self._names = [f"a{index}" for index in range(code.co_argcount)]
        self._jit_function = None

    def __call__(self, *args, **kwargs):
        """Apply to numbers or arrays as NumPy does; ``out``, ``where`` and the other keywords are its own."""
        if self._postponed:
            self._add_postponed()
        ufunc = self._chosen(kwargs)
        try:
            return ufunc(*args, **kwargs)
        except TypeError:
            # Either there is no loop for these types, or NumPy has a reason of its own.
            if not self._compiles or len(args) not in (self.nin, self.nargs):
                raise
            for handler in _handlers(args):
                # It knows which arrays it is about, and calls this with those.
                result = handler.__array_ufunc__(self, "__call__", *args, **kwargs)
                if result is not NotImplemented:
                    return result
            self._ensure([element_type(one) for one in args[: self.nin]])
            if self._chosen(kwargs) is ufunc:
                raise
        return self._chosen(kwargs)(*args, **kwargs)

    def add(self, signature):
        """Compile for a signature such as ``float64(float64, float64)`` or ``(float64, float64)``."""
        returns, args = parse_signature(signature)
        if len(args) != self.nin:
            raise OptionError(f"signature {signature}: {self.__name__} has {self.nin} operands")
        self._add(args, returns, is_signature=True)
        self._declared.append(signature)

    def _compile_for_argtys(self, argtys, return_type=None):
        # What libraries call that were written for Numba before `add` took types.
        self._add(list(argtys), return_type)

    def reduce(self, array, axis=0, dtype=None, *args, **kwargs):
        """Combine the elements along an axis or several, as ``numpy.add.reduce`` does."""
        kind = self._pair_kind(array, dtype, *args, **kwargs)
        return self._for_kind(kind).reduce(array, axis, kind, *args, **kwargs)

    def accumulate(self, array, axis=0, dtype=None, *args, **kwargs):
        """Combine the elements up to each one along an axis, as ``numpy.add.accumulate`` does."""
        kind = self._pair_kind(array, dtype, *args, **kwargs)
        return self._for_kind(kind).accumulate(array, axis, kind, *args, **kwargs)

    def reduceat(self, array, indices, axis=0, dtype=None, *args, **kwargs):
        """Combine the elements of slices along an axis, as ``numpy.add.reduceat`` does."""
        kind = self._pair_kind(array, dtype, *args, **kwargs)
        return self._for_kind(kind).reduceat(array, indices, axis, kind, *args, **kwargs)

    def outer(self, a, b, /, **kwargs):
        """Apply to all pairs of elements, as ``numpy.add.outer`` does."""
        self._ensure([element_type(a), element_type(b)], exact=False)
        return self._chosen(kwargs).outer(a, b, **kwargs)

    def at(self, a, indices, *operands):
        """Apply in place at indices, each as often as it occurs, as ``numpy.add.at`` does."""
        self._ensure([element_type(one) for one in (a, *operands)], exact=False)
        return self._in_order.at(a, indices, *operands)

    @property
    def jit_function(self):
        """What compiled code calls in this one's place; it is inlined, so that expressions are fused."""
        if self._jit_function is None:
            self._jit_function = self._make_jit_function()
        return self._jit_function

    @property
    def jit_attributes(self):
        """The attributes that compiled code knows, and what its reductions begin with."""
        # An empty tuple stands for nothing, where axes may be reduced in any order.
        begin = () if self._identity == REORDERABLE else self.identity
        return {**super().jit_attributes, "__identity__": begin}

    def _build(self):
        loops = super()._build()
        known = list(self._loops)
        # Signatures count in their order, as in Numba and in compiled code. NumPy would take one for the
        # very types of the operands, wherever it stands: so it isn't given those that never come first.
        late = [
            any(_fits(loop[: self.nin], before) for before in known[:at])
            for at, loop in enumerate(known[: self._signatures])
        ]
        reachable = [loop for at, loop in enumerate(loops) if at >= len(late) or not late[at]]
        self._in_order = self._make(reachable) if any(late) else self.ufunc
        return loops

    def _chosen(self, options):
        """Give NumPy's function for a call with these keywords."""
        return self.ufunc if _CHOICES & options.keys() else self._in_order

    def _for_kind(self, kind):
        return self._in_order if kind is None else self.ufunc

    def _pair_kind(self, array, dtype, out=None, *args, **kwargs):
        """Make a loop that combines elements, and give the dtype to combine them in, if it isn't theirs."""
        element = element_type(array)
        if dtype is not None and self._compiles:
            element = types.from_dtype(np.dtype(dtype))
        self._ensure([element] * 2, exact=False)
        loop = self._find_loop([element] * 2)
        if dtype is not None or not self._compiles or loop is None or loop[-1] == element:
            return dtype
        # Compiled code counts in 64 bits: the sum of two narrow ints isn't one of them.
        if out is not None:
            return dtype
        wide = loop[-1]
        self._ensure([wide] * 2)
        return numpy_type(wide) if self._find_loop([wide] * 2)[-1] == wide else dtype

    def _ensure(self, inputs, exact=True):
        """Make a loop if there is none; without ``exact`` one that the types can be cast to will do."""
        with self._lock:
            if len(inputs) != self.nin or not self._compiles or self._find_loop(inputs):
                return
            if exact or not any(_fits(inputs, loop) for loop in self._loops):
                self._add(inputs, None)

    def _add(self, inputs, returns, is_signature=False):
        with self._lock:
            for one in inputs:
                numpy_type(one)
            made = self.dispatcher._compile(tuple(inputs), None)
            if returns is None:
                returns = from_text(made.return_type)
            if isinstance(returns, IntEnumMember):
                # In an array members of enumerations of ints are the ints.
                returns = returns.dtype
            numpy_type(returns)
            self._add_loop((*inputs, returns), self._make_kernel, is_signature)
            self._jit_function = None

    def _make_kernel(self, operands, pattern):
        """Give a kernel for the forms of the operands and the types of its arguments."""
        reduces = pattern[0] == REDUCTION
        parallel = pattern[0] == INDEPENDENT and self._target == "parallel"
        forms = pattern[-len(operands) :]
        arguments = [operand_type(*one) for one in zip(operands, forms, strict=True)]
        if reduces:
            # The source names the type, which is in the key then.
            scope = {"function": self.dispatcher, "element": operands[-1]}
            dispatcher = self._kernel((REDUCTION, operands[-1]), _REDUCE, scope, False)
            return dispatcher, arguments[1:]
        singles = [name for name, form in zip(self._names, forms, strict=False) if form == SINGLE]
        before = "".join(f"    {name} = {name}[()]\n" for name in singles)
        elements = [name if name in singles else f"{name}[i]" for name in self._names]
        source = (
            f"def kernel({', '.join(self._names)}, out):\n{before}"
            f"    for i in indices(len(out)):\n        out[i] = function({', '.join(elements)})\n"
        )
        scope = {"function": self.dispatcher, "indices": prange if parallel else range}
        return self._kernel((*singles, parallel), source, scope, parallel), arguments

    def _make_jit_function(self):
        names = ", ".join(self._names)
        source = (
            f"def kernel({names}, out=None):\n"
            f"    result = elementwise(function, {self._loop_texts()!r}, {names})\n"
            "    if out is None:\n        return result\n"
            "    out[...] = result\n    return out\n"
        )
        scope = {"function": self.dispatcher, "elementwise": intrinsics.elementwise}
        return Dispatcher(make_function(source, scope, self), self.targetoptions | {"inline": "always"})

    def _loop_texts(self):
        if self._compiles:
            return ""
        texts = [[one.text for one in loop] for loop in self._loops]
        return ";".join(f"{','.join(loop[:-1])}->{loop[-1]}" for loop in texts)


_REDUCE = """\
def kernel(array, out):
    result = out[()]
    for i in range(len(array)):
        result = element(function(result, array[i]))
    out[()] = result
"""


def _handlers(operands):
    """Give the operands whose classes do themselves what a universal function does with them."""
    plain = np.ndarray.__array_ufunc__
    return [one for one in operands if getattr(type(one), "__array_ufunc__", None) not in (None, plain)]


def _fits(inputs, loop):
    """Whether types can be cast to those of a loop without losing anything."""
    pairs = zip(inputs, loop, strict=False)
    return all(np.can_cast(numpy_type(one), numpy_type(to), "safe") for one, to in pairs)
