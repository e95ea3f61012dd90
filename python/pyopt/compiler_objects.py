"""What programs look at of Numba's compiler: what is known here, under the names that it has there."""

from collections import namedtuple

from pyopt import _core

CompileStats = namedtuple("CompileStats", "cache_path cache_hits cache_misses")


class ParforDiagnostics:
    """What became of the parallel loops of a signature."""

    def __init__(self, dispatcher, code):
        """Keep what was compiled: the report is written when it is asked for."""
        self._dispatcher = dispatcher
        self._code = code

    def __str__(self):
        """Give the report on all that is known."""
        return self._report(4)

    def dump(self, level=1):
        """Print the report on a level from 1 to 4, as ``parallel_diagnostics`` does."""
        print(self._report(level))

    def count_parfors(self):
        """Count the parallel loops that are left after fusion."""
        from pyopt.parallel_diagnostics import loops_left

        return len(loops_left(self._code))

    def _report(self, level):
        from pyopt.parallel_diagnostics import report

        return report(self._dispatcher, self._code, level)


class CodeLibrary:
    """The code of a signature, as text."""

    def __init__(self, result):
        """Keep what was compiled."""
        self._result = result
        self.name = result.fndesc.qualname

    def get_llvm_str(self):
        """Give the LLVM IR."""
        return self._result.inspect("llvm")

    def get_asm_str(self):
        """Give the assembly."""
        return self._result.inspect("asm")


class TypeAnnotation:
    """The inferred types of a signature."""

    def __init__(self, result):
        """Keep what was compiled."""
        self._result = result
        self.signature = result.signature

    def __str__(self):
        """Give the module after inference."""
        return self._result.inspect("ir", "infer-types")


class FunctionDescriptor:
    """The names and types of a compiled function."""

    native = True

    def __init__(self, dispatcher, signature):
        """Take them from the function and a signature."""
        self.modname = dispatcher.__module__
        self.qualname = self.unique_name = dispatcher.__qualname__
        self.doc = dispatcher.__doc__ or ""
        self.args = tuple(signature.pysig.parameters)
        self.argtypes = signature.args
        self.restype = signature.return_type
        self.mangled_name = f"{self.modname}.{self.qualname}{signature.args}"

    @property
    def llvm_func_name(self):
        """The name of the code."""
        return self.mangled_name


class TypingContext:
    """What compiled code knows of Python's values."""

    def resolve_value_type(self, value):
        """Give the type of a value as an argument."""
        from pyopt.types import argument_type

        return argument_type(value)

    def resolve_argument_type(self, value):
        """Give the type of a value as an argument."""
        return self.resolve_value_type(value)

    def can_convert(self, fromty, toty):
        """Whether an argument of one type converts to another one."""
        given, wanted = (_core.ArgumentTypes([one.text]) for one in (fromty, toty))
        return bool(_core.best_signatures(given, [wanted]))


class TargetDescription:
    """What a dispatcher compiles for, and with which types."""

    def __init__(self, dispatcher):
        """Take both from the dispatcher."""
        self.target_context = dispatcher.targetctx
        self.typing_context = dispatcher.typingctx


class FunctionCompiler:
    """What compiles a function for types."""

    def __init__(self, dispatcher):
        """Keep the dispatcher, which has the results."""
        self._dispatcher = dispatcher
        self.py_func = dispatcher.py_func
        self.targetoptions = dispatcher.targetoptions
        self.targetdescr = TargetDescription(dispatcher)

    @property
    def pysig(self):
        """The parameters."""
        import inspect

        return inspect.signature(self.py_func)

    def compile(self, args, return_type):
        """Give the ``CompileResult`` for argument types and a result's, or None for the inferred one."""
        from pyopt.types import Signature

        return self._dispatcher.get_compile_result(Signature(return_type, args))


class CallTemplate:
    """What types a call of a compiled function."""

    def __init__(self, dispatcher, signature):
        """Keep the signature of the call."""
        self.key = dispatcher.py_func
        self.cases = [signature]


class TargetContext:
    """What code is compiled for: this machine, with a decorator's options."""

    def __init__(self, options):
        """Keep the options."""
        self.options = dict(options)
        self.target_name = "parallel" if options.get("parallel") else "cpu"
