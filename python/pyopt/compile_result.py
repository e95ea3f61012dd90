"""The results of compiling a function for a signature, as Numba's programs look at them."""

from functools import cached_property


def _objects():
    # Few programs look at these, and each first call in a process waits for what is imported.
    from pyopt import compiler_objects

    return compiler_objects


def types_of(given):
    """Make Numba's types of argument types as calls have them."""
    from pyopt.types import from_text

    return tuple(map(from_text, given.texts))


class CompileResult:
    """What a function was compiled to for one signature: a value of a dispatcher's ``overloads``.

    ``signature`` is the signature with its return type, ``entry_point`` what can be called: with one argument
    for each parameter, which is converted to its type.
    """

    objectmode = False
    interpmode = False
    typing_error = None
    lifted = reload_init = referenced_envs = ()
    environment = call_helper = None

    def __init__(self, dispatcher, code):
        """Keep the code, which says what it was compiled for."""
        self._dispatcher = dispatcher
        self.code = code
        function = dispatcher.py_func
        for name in ("__module__", "__name__", "__qualname__", "__doc__"):
            setattr(code, name, getattr(function, name))

    def __repr__(self):
        """Name the function and the signature."""
        return f"<{self._dispatcher.__qualname__} compiled for {self.signature}>"

    @cached_property
    def metadata(self):
        """What became of parallel loops, and the seconds that compiling took."""
        return {
            "parfor_diagnostics": _objects().ParforDiagnostics(self._dispatcher, self.code),
            "timers": {"compiler_lock": self.code.seconds, "llvm_lock": 0.0},
        }

    @cached_property
    def arguments(self):
        """The types of the arguments."""
        return types_of(self.code.types)

    @property
    def signature(self):
        """The signature, with the return type that was declared or inferred, and the parameters."""
        import inspect

        from pyopt.types import Signature, from_text

        returns = from_text(self.code.declared_return or self.code.return_type)
        return Signature(returns, self.arguments, inspect.signature(self._dispatcher.py_func))

    @property
    def entry_point(self):
        """What can be called: the code."""
        return self.code

    @property
    def library(self):
        """The code that was generated."""
        return _objects().CodeLibrary(self)

    @property
    def type_annotation(self):
        """The functions with inferred types: its text is in the compiler's form."""
        return _objects().TypeAnnotation(self)

    @property
    def fndesc(self):
        """How the function is named and called."""
        return _objects().FunctionDescriptor(self._dispatcher, self.signature)

    @property
    def typing_context(self):
        """What knows the types of values."""
        return _objects().TypingContext()

    @property
    def target_context(self):
        """What the code was compiled for."""
        return _objects().TargetContext(self._dispatcher.targetoptions)

    def inspect(self, kind, stage=None):
        """Give a view of the code, as the extension names them."""
        text = self.code.inspect(kind, stage)
        comment = {"llvm": ";", "asm": "#"}.get(kind)
        return text if comment is None else f"{comment} {self._described}\n{text}"

    def explain(self):
        """Say what became of the loops."""
        from pyopt.explanation import Explanation

        return Explanation.of(self._described, self.code)

    @property
    def _described(self):
        """The function with its parameters and types, in one line."""
        returns, arguments = self.signature
        names = list(self.signature.pysig.parameters)
        # Each argument of `*args` has a type.
        names += [f"{names[-1]}.{at}" if names else "" for at in range(1, len(arguments) - len(names) + 1)]
        listed = ", ".join(f"{name}: {type}" for name, type in zip(names, arguments, strict=False))
        dispatcher = self._dispatcher
        return f"{dispatcher.__module__}.{dispatcher.__qualname__}({listed}) -> {returns}"
