"""What a function of object mode has in common with other compiled functions, under Numba's names.

It has one specialisation, for objects, which takes whatever it is called with.
"""

from pyopt.entry_points import entry_point


class ObjectModeResult:
    """What a function of object mode has in its ``overloads``: one entry, for objects."""

    objectmode = True
    interpmode = False
    typing_error = None

    def __init__(self, function):
        """Keep the function, which is compiled when it is called."""
        self.entry_point = function
        self.metadata = {}

    @property
    def signature(self):
        """Objects, and an object."""
        from pyopt.types import Signature, pyobject

        return Signature(pyobject, [pyobject] * self.entry_point.__code__.co_argcount)

    @property
    def lifted(self):
        """The loops that run on machine types."""
        return tuple(one.dispatcher for one in getattr(self.entry_point, "lifted", ()))


class Members:
    """The attributes and methods of a function of object mode that say what it is compiled to."""

    is_compiling = False

    def __init__(self, function):
        """Keep the function."""
        self._function = function
        self._result = ObjectModeResult(function)

    @property
    def signatures(self):
        """The types of arguments that it is compiled for: objects."""
        return [self._result.signature.args]

    @property
    def nopython_signatures(self):
        """None: it doesn't run without the interpreter's objects."""
        return []

    @property
    def overloads(self):
        """What it is compiled to, by the types of arguments."""
        return {self._result.signature.args: self._result}

    @property
    def targetoptions(self):
        """What makes it one of object mode."""
        return {"nopython": False, "forceobj": True}

    @property
    def stats(self):
        """How often it was found on disk, where it is never kept, and how often compiled."""
        from collections import Counter

        from pyopt.compiler_objects import CompileStats

        return CompileStats(None, Counter(), Counter(self.signatures))

    def get_overload(self, signature):
        """Return what can be called with arguments of whatever types."""
        return self._function

    def get_compile_result(self, signature):
        """Return what it is compiled to, for whatever signature."""
        return self._result

    def get_metadata(self, signature=None):
        """Return what is known of the compilation, or a dict with that."""
        metadata = self._result.metadata
        return {self._result.signature.args: metadata} if signature is None else metadata

    @entry_point
    def inspect_types(self, file=None, signature=None, pretty=False):
        """Print the function as it is compiled, where everything is an object."""
        if pretty:
            from pyopt.errors import UnsupportedError

            raise UnsupportedError("inspect_types(pretty=True) isn't supported", hint="leave out pretty=True")
        print(f"{self._function.__name__} {self._result.signature.args}\n{'-' * 80}", file=file)
        print(self._function.inspect_ir("py-translate-bytecode"), "=" * 80, sep="\n", file=file)

    @entry_point
    def inspect_cfg(self, signature=None):
        """Return the control flow graph that was made from the bytecode, or a dict with that."""
        graph = self._function.inspect_ir("py-translate-bytecode")
        return {self._result.signature.args: graph} if signature is None else graph

    def disable_compile(self, val=True):
        """Do nothing: there are no other signatures to compile."""

    def recompile(self):
        """Do nothing: what names stand for is looked up when the function runs."""

    @entry_point
    def enable_caching(self):
        """Warn that nothing is kept on disk."""
        from pyopt.errors import warn_uncached

        warn_uncached(self._function.py_func, "it is compiled in object mode")


# The names that functions of object mode have; `python/src/object/function.rs` lists them, too.
NAMES = [name for name in vars(Members) if not name.startswith("_")]


def of_object_mode(function, name):
    """Give an attribute of a function of object mode, by its name."""
    return getattr(Members(function), name)
