"""What ``DUFunc`` and ``GUFunc`` have in common: loops, and the universal function of NumPy made of them."""

import numpy as np

from pyopt import _core, forking, types
from pyopt.bindings import remember_names
from pyopt.decorators import check_options, dispatcher_of, refused_option
from pyopt.dispatcher import Dispatcher, is_postponed
from pyopt.errors import OptionError
from pyopt.pickling import is_found, parts_of
from pyopt.types.enums import IntEnumMember

# Letters of a kernel's pattern: an operand that is one element, iterations that may run at once, and a loop
# that combines the elements of its second operand in the only element of its third, which is its first too.
SINGLE = "s"
INDEPENDENT = "p"
REDUCTION = "r"
_LAYOUTS = {"c": "C", "a": "A", "b": "bytes"}
_TARGETS = ("cpu", "parallel")
# NumPy's number for a function that begins with any element.
REORDERABLE = -2
_IDENTITIES = {None: -1, 0: 0, 1: 1, "reorderable": REORDERABLE}


class Ufunc:
    """A universal function whose loops are compiled; attributes and methods are those of NumPy's.

    ``ufunc`` is NumPy's object itself, made anew when a loop is added.
    """

    # What it was made with besides the function and the options.
    _arguments = ()

    def __init__(self, function, options, nin, nout, signature="", core=None, writable=()):
        """Check the options; there is no loop yet."""
        self._options = dict(options)
        self._declared = []
        options = dict(options)
        self._target = options.pop("target", "parallel" if options.pop("parallel", False) is True else "cpu")
        if self._target not in _TARGETS:
            raise OptionError(f"target={self._target!r}: there are {', '.join(_TARGETS)}")
        identity = options.pop("identity", None)
        if isinstance(identity, float) or identity not in _IDENTITIES:
            raise OptionError(f"identity={identity!r}: expected 0, 1, None or 'reorderable'")
        for name in ("forceobj", "looplift"):
            if options.pop(name, None):
                raise OptionError(f"{name}: universal functions have no such option; see target")
        options.setdefault("error_model", "numpy")
        self.targetoptions = check_options(options)
        refusal = refused_option(self.targetoptions, options)
        self.dispatcher = dispatcher_of(function, self.targetoptions, refusal)
        for name in ("__module__", "__name__", "__qualname__", "__doc__"):
            setattr(self, name, getattr(function, name))
        self.py_func = self.__wrapped__ = function
        self._identity = _IDENTITIES[identity]
        self._counts = (nin, nout)
        self._signature = signature
        self._writable = sorted(writable)
        self._core = core or [()] * (nin + nout)
        self._loops = {}
        # So many of the first loops are those of signatures.
        self._signatures = 0
        self._kernels = {}
        self._lock = forking.lock()
        self._compiles = True
        # Signatures that no loop could be made for so far.
        self._postponed = []
        self._build()

    def __repr__(self):
        """Name the function."""
        return f"<pyopt {type(self).__name__} '{self.__name__}'>"

    def __reduce__(self):
        """Pickle by reference, as functions are; what isn't found by its name, by its code."""
        if is_found(self):
            return self.__qualname__
        made_with = (*self._arguments, self._options)
        return _rebuilt, (type(self), parts_of(self.py_func), made_with, self._declared, self._compiles)

    def __copy__(self):
        """Give itself, as for functions."""
        return self

    def __deepcopy__(self, memo):
        """Give itself, as for functions."""
        return self

    @property
    def jit_attributes(self):
        """The attributes that compiled code knows, with their values."""
        return {name: getattr(self, name) for name in ("nin", "nout", "nargs", "identity", "signature")}

    def reduce(self, *args, **kwargs):
        """Combine the elements along an axis or several, where that is defined."""
        return self.ufunc.reduce(*args, **kwargs)

    def accumulate(self, *args, **kwargs):
        """Combine the elements up to each one along an axis, where that is defined."""
        return self.ufunc.accumulate(*args, **kwargs)

    def reduceat(self, *args, **kwargs):
        """Combine the elements of slices along an axis, where that is defined."""
        return self.ufunc.reduceat(*args, **kwargs)

    def outer(self, *args, **kwargs):
        """Apply to all pairs of elements, where that is defined."""
        return self.ufunc.outer(*args, **kwargs)

    def at(self, *args):
        """Apply in place at indices, where that is defined."""
        return self.ufunc.at(*args)

    def declare(self, signatures):
        """Make loops for these signatures alone; what isn't supported is an error when it is called."""
        for signature in signatures:
            try:
                self.add(signature)
            except Exception as error:
                if not is_postponed(error):
                    raise
                self._postponed.append(signature)
        if signatures:
            self.disable_compile()

    def _add_postponed(self):
        while self._postponed:
            self.add(self._postponed[0])
            self._postponed.pop(0)

    def disable_compile(self, val=True):
        """Take what the loops made so far can be cast to instead of compiling further ones."""
        self._compiles = not val

    def _build(self):
        """Make NumPy's function anew, and give its loops."""
        loops = []
        for operands, compile in self._loops.items():
            dtypes = [numpy_type(one) for one in operands]
            numbers = [dtype.num for dtype in dtypes]
            loops.append((numbers, [dtype.itemsize for dtype in dtypes], compile))
        # NumPy takes the first loop that fits: signatures are in the order the user wants, but not what
        # calls have asked for.
        loops[self._signatures :] = sorted(loops[self._signatures :], key=lambda loop: loop[0])
        self.ufunc = self._make(loops)
        return loops

    def _make(self, loops):
        return _core.make_ufunc(
            self.__name__,
            (self.__doc__ or "").replace("\0", " "),
            *self._counts,
            self._identity,
            loops,
            self._signature,
            [list(one) for one in self._core],
            self._writable,
        )

    def _add_loop(self, operands, make_kernel, is_signature):
        """Add the loop for the types of elements of all operands; those of signatures come first."""
        # Kernels are compiled when they are needed, of what names stand for now.
        memory = remember_names(self.dispatcher)
        if self.dispatcher.remembered is None:
            self.dispatcher.remembered = memory

        def compile_kernel(pattern):
            with self._lock:
                dispatcher, arguments = make_kernel(operands, pattern)
                of_callers, self.dispatcher.remembered = self.dispatcher.remembered, memory
                try:
                    return dispatcher._compile(tuple(arguments), None)
                finally:
                    self.dispatcher.remembered = of_callers

        operands = tuple(operands)
        if is_signature and operands not in self._loops:
            items = list(self._loops.items())
            items.insert(self._signatures, (operands, compile_kernel))
            self._loops = dict(items)
            self._signatures += 1
        self._loops[operands] = compile_kernel
        self._build()

    def _kernel(self, key, source, scope, parallel):
        """Give the dispatcher of a kernel's source, which is compiled once for all types."""
        found = self._kernels.get(key)
        if found is None:
            found = Dispatcher(
                make_function(source, scope, self), self.targetoptions | {"parallel": parallel}
            )
            self._kernels[key] = found
        return found

    def _find_loop(self, inputs):
        """Give the first loop whose inputs have exactly these types."""
        return next((loop for loop in self._loops if loop[: len(inputs)] == tuple(inputs)), None)

    nin = property(lambda self: self.ufunc.nin, doc="Number of inputs.")
    nout = property(lambda self: self.ufunc.nout, doc="Number of outputs.")
    nargs = property(lambda self: self.ufunc.nargs, doc="Number of operands.")
    ntypes = property(lambda self: self.ufunc.ntypes, doc="Number of loops.")
    types = property(lambda self: self.ufunc.types, doc="Types of the loops, as NumPy writes them.")
    identity = property(lambda self: self.ufunc.identity, doc="What a reduction of nothing gives.")
    signature = property(lambda self: self.ufunc.signature, doc="Core dimensions, or None.")


def _rebuilt(kind, parts, made_with, signatures, compiles):
    """Make a universal function as one that was pickled."""
    *arguments, options = made_with
    made = kind(parts, *arguments, **options)
    for signature in signatures:
        made.add(signature)
    made.disable_compile(not compiles)
    return made


def element_type(value):
    """Give the type of an operand's elements as compiled code knows it."""
    if isinstance(value, (bool, int, float, complex)):
        found = types.argument_type(value)
        # A member of an enumeration of ints is the int.
        return found.dtype if isinstance(found, IntEnumMember) else found
    return types.from_dtype(np.asarray(value).dtype)


def numpy_type(element):
    """Give the dtype of a type of elements; raise for those that NumPy's loops can't have."""
    if not isinstance(element, (types.Number, types.Boolean)):
        raise TypeError(f"universal functions work on numbers and truth values, not {element}")
    return np.dtype(element.name)


def operand_type(element, form, core=()):
    """Give the type of a kernel's argument: the elements of an operand that comes in some form."""
    if form == SINGLE:
        return types.Array(element, 0, "C")
    return types.Array(element, 1 + len(core), _LAYOUTS[form])


def make_function(source, scope, ufunc):
    """Make the function ``kernel`` that a source defines; its name is that of the universal function."""
    scope = {**scope, "__name__": ufunc.__module__}
    exec(source, scope)
    made = scope["kernel"]
    made.__qualname__ = ufunc.__qualname__
    return made
