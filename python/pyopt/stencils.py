"""The ``stencil`` decorator: a kernel over relative indices, applied to every element of an array."""

from weakref import WeakSet

from pyopt.decorators import check_options, of_package
from pyopt.dispatcher import Dispatcher
from pyopt.entry_points import entry_point, entry_points
from pyopt.errors import StencilError, StencilOptionError


@entry_point
def stencil(func_or_mode="constant", **options):
    """Make a stencil of a kernel, which indexes its arrays relative to the element it computes.

    Options:

    * ``neighborhood``: lowest and highest relative index of each dimension; inferred where indices are
      constants
    * ``cval``: value of the border, where the neighborhood leaves the array; 0 by default
    * ``standard_indexing``: names of parameters that the kernel indexes absolutely
    """
    if isinstance(func_or_mode, str):
        return entry_point(lambda kernel: StencilFunc(kernel, func_or_mode, options))
    return StencilFunc(func_or_mode, "constant", options)


@entry_points("__call__")
class StencilFunc:
    """A stencil: callable from Python and from compiled functions."""

    # Read by `bindings`; instances set it.
    stencil_options = None

    def __init__(self, kernel, mode, options):
        """Check the options against the kernel's parameters."""
        if mode != "constant":
            raise StencilOptionError(f"stencil mode {mode!r} isn't supported; there is 'constant'")
        if getattr(kernel, "__code__", None) is None:
            kind = type(kernel).__name__
            raise TypeError(f"stencil takes a Python function, not an object of type '{kind}'")
        code = kernel.__code__
        parameters = code.co_varnames[: code.co_argcount]
        if not parameters:
            raise StencilError(f"the kernel {kernel.__qualname__} has no array parameter")
        known = {"neighborhood": None, "cval": None, "standard_indexing": ()}
        for name in options:
            if name not in known:
                raise StencilOptionError(f"unknown stencil option '{name}'; there are {', '.join(known)}")
        known |= options
        self.py_func = self.kernel = self.__wrapped__ = kernel
        self.mode = mode
        self.options = dict(options)
        self._neighborhood = _neighborhood(known["neighborhood"])
        indexing = _standard_indexing(known["standard_indexing"], parameters)
        self.stencil_options = (mode, self._neighborhood, known["cval"], indexing)
        self.__module__ = kernel.__module__
        self.__name__ = kernel.__name__
        self.__qualname__ = kernel.__qualname__
        self.__doc__ = kernel.__doc__
        self._callers = {}
        #: The compiled functions that apply the stencil, directly or by those they call.
        self.appliers = WeakSet()

    def __repr__(self):
        """Name the kernel."""
        return f"<stencil {self.__qualname__} of {self.__module__}>"

    def __reduce__(self):
        """Pickle by reference, as functions are."""
        return self.__qualname__

    @property
    def neighborhood(self):
        """Lowest and highest relative index of each dimension.

        What wasn't given is inferred, so it is None before the stencil is called.
        """
        if self._neighborhood is None:
            code = self.py_func.__code__
            lines = {f"{code.co_filename}:{line}" for _, _, line in code.co_lines()}
            for applier in [*self._callers.values(), *self.appliers]:
                for made in applier.overloads.values():
                    for places, offsets in made.code.stencil_neighborhoods():
                        if not lines.isdisjoint(places):
                            self._neighborhood = tuple(offsets)
                            return self._neighborhood
        return self._neighborhood

    def __call__(self, *args, out=None):
        """Apply the kernel; into ``out`` if given."""
        caller = self._callers.get((len(args), out is None))
        if caller is None:
            caller = self._make_caller(args, out is not None)
        return caller(*args) if out is None else caller(*args, out)

    def _make_caller(self, args, has_out):
        count = len(args)
        if count != self.py_func.__code__.co_argcount:
            from pyopt.wrong_calls import reject

            reject(self.py_func, args, {})
            raise TypeError(f"{self.__qualname__}() is called with all of its arguments")
        # A function that does nothing but apply the stencil, so that calls from Python take the same way as
        # those from compiled code.
        names = [f"a{index}" for index in range(count)]
        given = ", ".join([*names, "out"] if has_out else names)
        passed = ", ".join([*names, "out=out"] if has_out else names)
        function = eval(f"lambda stencil: lambda {given}: stencil({passed})")(self)
        function.__module__ = self.__module__
        function.__name__ = self.__name__
        function.__qualname__ = f"{self.__qualname__}.call"
        caller = Dispatcher(function, check_options({}))
        self._callers[count, not has_out] = caller
        return caller


def _neighborhood(value):
    if value is None:
        return None
    made = []
    for pair in value:
        is_pair = isinstance(pair, (tuple, list)) and len(pair) == 2
        if not is_pair or not all(isinstance(one, int) for one in pair):
            raise StencilError(f"neighborhood: expected a pair of ints for each dimension, got {pair!r}")
        if pair[0] > pair[1]:
            raise StencilError(f"neighborhood: the lowest index of {pair!r} is above the highest")
        made.append(tuple(pair))
    return tuple(made)


def _standard_indexing(names, parameters):
    names = [names] if isinstance(names, str) else list(names)
    for name in names:
        if name not in parameters:
            raise StencilError(f"standard_indexing: the kernel has no parameter {name!r}")
    if parameters[0] in names:
        raise StencilError(
            f"standard_indexing: the first parameter {parameters[0]!r} gives the shape; "
            "it is indexed relatively"
        )
    return names


of_package(stencil)
