"""Generalised universal functions: of functions that take the core parts of their operands."""

import re

import numpy as np

from pyopt import types
from pyopt.decorators import prange
from pyopt.entry_points import entry_points
from pyopt.errors import OptionError
from pyopt.types import parse_signature
from pyopt.ufuncs.base import (
    INDEPENDENT,
    REDUCTION,
    SINGLE,
    Ufunc,
    element_type,
    make_function,
    numpy_type,
    operand_type,
)

_OPERANDS = re.compile(r"\(([^()]*)\)")
_SIGNATURE = re.compile(r"\([^()]*\)(,\([^()]*\))*(->(\([^()]*\)(,\([^()]*\))*)?)?")


@entry_points("__call__", "add", "reduce", "accumulate", "reduceat", "outer", "at")
class GUFunc(Ufunc):
    """A generalised universal function; without types it gets loops when it is called with new types."""

    def __init__(self, function, signature, writable_args=(), **options):
        """Read the signature and the parameters; compile nothing yet."""
        function = getattr(function, "py_func", function)
        code = getattr(function, "__code__", None)
        if code is None:
            raise TypeError(f"guvectorize takes a Python function, not a {type(function).__name__}")
        self._inputs, self._outputs = inputs, outputs = parse_core(signature)
        operands = inputs + outputs
        if code.co_argcount != len(operands) or code.co_flags & 0x0C or code.co_kwonlyargcount:
            raise TypeError(
                f"{function.__qualname__} has {code.co_argcount} parameters; "
                f"the signature {signature} has {len(operands)} operands"
            )
        names = list(dict.fromkeys(name for operand in operands for name in operand))
        core = [tuple(names.index(name) for name in operand) for operand in operands]
        self._parameters = code.co_varnames[: code.co_argcount]
        writable = {self._position(one) for one in _listed(writable_args)}
        # Inputs without core dimensions are numbers, unless types say otherwise.
        self._as_arrays = {}
        text = signature.replace(" ", "").removesuffix("->")
        self._written = {*writable, *range(len(inputs), len(operands))}
        self._only_read = [at for at in range(len(inputs)) if at not in writable]
        super().__init__(function, options, len(inputs), len(outputs), text, core, writable)
        self._arguments = (signature, writable_args)
        self._names = [f"a{index}" for index in range(len(operands))]
        self._jit_function = None

    def __call__(self, *args, **kwargs):
        """Apply to the core parts of arrays, broadcast over all other dimensions."""
        if "out" in kwargs:
            out = kwargs.pop("out")
            args += out if isinstance(out, tuple) else (out,)
        if self._postponed:
            self._add_postponed()
        if self._compiles:
            self._compile_for(args)
        if self._is_apart(args):
            return self.ufunc(*args, **kwargs)
        return self._call_apart(args, kwargs)

    def _compile_for(self, args):
        """Add the loop for the types of the operands of a call."""
        if len(args) != self.nargs:
            raise TypeError(
                f"{self.__name__}: without types the outputs must be given, for their types: "
                f"{self.__name__}({', '.join(self._parameters)})"
            )
        operands = tuple(element_type(one) for one in args)
        with self._lock:
            if operands not in self._loops:
                self._add(operands, {})

    def _is_apart(self, args):
        """Whether NumPy writes into the outputs that are given, and to no memory that is read.

        Nearly all calls are such, so this is what a call costs beside NumPy's own.
        """
        given, inputs = len(args), self._counts[0]
        for at in self._written:
            if at >= given or not isinstance(one := args[at], np.ndarray):
                continue
            if at >= inputs and self._is_replaced(at, one):
                return False
            for source in self._only_read:
                # Too few inputs are NumPy's error.
                read = args[source] if source < given else None
                if isinstance(read, np.ndarray) and np.may_share_memory(read, one):
                    return False
        return True

    def _call_apart(self, args, kwargs):
        """Call with operands that nothing is written to but what the function writes there.

        NumPy leaves an input as it is that is just the memory of an output, since functions of elements
        have read one when they write it; and what it puts in place of an output, to be cast or because it
        overlaps otherwise, doesn't have the output's elements, which a function may leave as they are.
        """
        args = list(args)
        written = [at for at in self._written if at < len(args) and isinstance(args[at], np.ndarray)]
        for at in self._only_read:
            one = args[at]
            if isinstance(one, np.ndarray) and any(np.may_share_memory(one, args[to]) for to in written):
                args[at] = one.copy("K")
        outputs = [at for at in written if at >= self.nin]
        replaced = []
        if any(self._is_replaced(at, args[at]) for at in outputs):
            dtypes = self._resolved(args, kwargs)
            for at in outputs:
                one = args[at]
                if one.dtype != dtypes[at] or not one.flags.aligned:
                    args[at] = one.astype(dtypes[at], order="K", casting="unsafe")
                    replaced.append((at, one))
        result = self.ufunc(*args, **kwargs)
        if not replaced:
            return result
        casting = kwargs.get("casting", "same_kind")
        for at, one in replaced:
            np.copyto(one, args[at], casting=casting)
            args[at] = one
        results = tuple(result) if self.nout > 1 else (result,)
        given = dict(replaced)
        results = tuple(given.get(self.nin + at, one) for at, one in enumerate(results))
        return results if self.nout > 1 else results[0]

    def _is_replaced(self, at, array):
        """Whether NumPy may put another array in place of an output."""
        only = self._only_dtypes[at]
        return only is None or array.dtype != only or not array.flags.aligned

    def _build(self):
        """Make NumPy's function anew, and note which operands have one dtype in all loops.

        Calls ask for that, and a dtype is found by its name, which takes longer than NumPy's whole call.
        """
        loops = super()._build()
        dtypes = [{numpy_type(loop[at]) for loop in self._loops} for at in range(self.nargs)]
        self._only_dtypes = [one.pop() if len(one) == 1 else None for one in dtypes]
        return loops

    def _resolved(self, args, kwargs):
        """Give the dtypes of the loop that NumPy takes for operands."""
        kinds = {bool: np.dtype(bool), int: int, float: float, complex: complex}
        dtypes = [kinds[type(one)] if type(one) in kinds else np.asarray(one).dtype for one in args]
        dtypes += [None] * (self.nargs - len(args))
        options = {name: kwargs[name] for name in ("casting", "signature") if name in kwargs}
        return self.ufunc.resolve_dtypes(tuple(dtypes), **options)

    def add(self, signature):
        """Compile for a signature such as ``void(float64[:,:], float64[:], float64[:])``."""
        returns, args = parse_signature(signature)
        if returns is not None and not isinstance(returns, types.NoneType):
            raise TypeError(f"signature {signature}: the function writes its outputs and returns nothing")
        if len(args) != self.nargs:
            raise OptionError(f"signature {signature}: {self.__name__} has {self.nargs} operands")
        arrays = {}
        for position, (one, core) in enumerate(zip(args, self._core, strict=True)):
            is_output = position >= self.nin
            rank = one.ndim if isinstance(one, types.Array) else 0
            is_one = rank == 1 and not core
            if (rank != len(core) and not is_one) or (is_output and rank == 0):
                what = "output" if is_output else "input"
                raise TypeError(
                    f"signature {signature}: {what} '{self._parameters[position]}' has {len(core)} core "
                    f"dimensions in {self._signature}, but the type {one}"
                )
            arrays[position] = is_one
        self._add(tuple(getattr(one, "dtype", one) for one in args), arrays, True)
        self._declared.append(signature)

    @property
    def is_dynamic(self):
        """Whether it is compiled for the types of calls."""
        return self._compiles

    @property
    def jit_function(self):
        """The Python function that compiled code calls in this one's place."""
        if self._jit_function is None:
            scope = {"function": self.dispatcher, "np": np}
            self._jit_function = make_function(self._jit_source(), scope, self)
        return self._jit_function

    def _position(self, argument):
        """Give the position of a writable argument: a number or a name."""
        names = self._parameters[: len(self._inputs)]
        position = names.index(argument) if argument in names else argument
        if not isinstance(position, int) or not 0 <= position < len(names):
            raise OptionError(f"writable_args: {argument!r} is no input; there are {', '.join(names)}")
        return position

    def _add(self, operands, arrays, is_signature=False):
        for one in operands:
            numpy_type(one)
        self._as_arrays[operands] = arrays
        self._add_loop(operands, self._make_kernel, is_signature)

    def _make_kernel(self, operands, pattern):
        """Give a kernel for the forms of the operands and the types of its arguments."""
        reduces = pattern[0] == REDUCTION
        independent = pattern[0] == INDEPENDENT
        parallel = independent and self._target == "parallel"
        forms = pattern[-len(operands) :]
        arguments, parts = [], []
        arrays = self._as_arrays[operands]
        for position, name in enumerate(self._names):
            element, form, core = operands[position], forms[position], self._core[position]
            as_array = not core and (position >= self.nin or arrays.get(position, False))
            arguments.append(operand_type(element, form, core))
            if reduces and position == 0:
                # The first input is the output.
                name, arguments = self._names[-1], []
            if form == SINGLE:
                parts.append(f"{name}.reshape(1)" if as_array else f"{name}[()]")
            else:
                parts.append(f"{name}[i:i + 1]" if as_array else f"{name}[i]")
        counted = self._names[1] if reduces else self._names[-1]
        source = (
            f"def kernel({', '.join(self._names[reduces:])}):\n"
            f"    for i in indices(len({counted})):\n        function({', '.join(parts)})\n"
        )
        scope = {"function": self.dispatcher, "indices": prange if parallel else range}
        return self._kernel((source, parallel), source, scope, parallel), arguments

    def _jit_source(self):
        """Write a function that does in compiled code what NumPy does for a call with outputs."""
        lines = [f"def kernel({', '.join(self._names)}):"]
        sizes, shapes = {}, []
        for position, (name, core) in enumerate(zip(self._names, self._inputs + self._outputs, strict=True)):
            if position < self.nin:
                lines.append(f"    {name} = np.asarray({name})")
            elif not core:
                lines.append(f"    {name} = {name}.reshape({name}.shape + (1,))")
            rank = len(core) or int(position >= self.nin)
            lines.append(f"    s{position} = {name}.shape[: {name}.ndim - {rank}]")
            if position < self.nin:
                shapes.append(f"s{position}")
            for axis, size in enumerate(core):
                found = f"{name}.shape[{name}.ndim - {len(core) - axis}]"
                known = sizes.setdefault(size, found)
                if known is not found:
                    message = f"{self.__name__}: operands have different sizes in the core dimension {size}"
                    lines.append(f"    if {found} != {known}:\n        raise ValueError({message!r})")
        for position, name in enumerate(self._names[: self.nin]):
            if position not in self._written:
                for other in sorted(self._written):
                    shared = f"np.may_share_memory({name}, {self._names[other]})"
                    lines.append(f"    {name} = {name}.copy() if {shared} else {name}")
        lines.append(f"    outer = np.broadcast_shapes({', '.join(shapes)})")
        parts = []
        for position, name in enumerate(self._names):
            if position not in self._written:
                core = f"{name}.shape[{name}.ndim - {len(self._core[position])} :]"
                lines.append(f"    {name} = np.broadcast_to({name}, outer + {core})")
            else:
                # What is written isn't repeated.
                message = f"{self.__name__}: what is written has other outer dimensions than the inputs"
                lines.append(f"    if s{position} != outer:\n        raise ValueError({message!r})")
            parts.append(f"{name}[at]")
        lines.append("    for at in np.ndindex(outer):")
        lines.append(f"        function({', '.join(parts)})")
        return "\n".join(lines) + "\n"


def parse_core(signature):
    """Read ``(m,n),(n)->(m)``: the names of the core dimensions of each input and of each output.

    There may be no outputs, and then no arrow: the function only writes to inputs.
    """
    text = signature.replace(" ", "") if isinstance(signature, str) else ""
    if not _SIGNATURE.fullmatch(text):
        raise OptionError(f"signature {signature!r}: expected core dimensions, as in '(m,n),(n)->(m)'")
    sides = []
    for side in [*text.split("->"), ""][:2]:
        operands = [tuple(one.split(",")) if one else () for one in _OPERANDS.findall(side)]
        sides.append(operands)
    inputs, outputs = sides
    known = {name for operand in inputs for name in operand}
    for name in (name for side in sides for operand in side for name in operand):
        if not name.isidentifier():
            raise OptionError(f"signature {signature!r}: {name!r} is no name of a dimension")
    for name in (name for operand in outputs for name in operand):
        if name not in known:
            raise OptionError(f"signature {signature!r}: no input has the output's dimension {name!r}")
    return inputs, outputs


def _listed(arguments):
    return [arguments] if isinstance(arguments, (int, str)) else arguments
