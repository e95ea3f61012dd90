"""Exceptions and warnings of the compiler; what compiled code raises are Python's own.

pyopt itself raises ``TypingError``, ``UnsupportedError``, ``LoweringError``, ``OptionError``,
``StencilError`` and ``DeviceError``. The other classes have Numba's names and hierarchy, for programs
that catch them, or raise them as bodies of overloads do.
"""


class PyoptError(Exception):
    """A function that can't be compiled.

    ``place`` and those in ``notes`` are ``(file, line, column, end line, end column)``; columns count bytes
    from 1 and are 0 if unknown, the last is behind the end.
    """

    def __init__(self, message, place=None, notes=(), hint=None, *, loc=None, highlighting=True):
        """Keep the parts; the text is made from them. ``loc`` is a place as Numba has it."""
        super().__init__(message)
        self.message = self.msg = message
        self.loc = loc
        self.place = place if loc is None else (loc.filename, loc.line, 0, loc.line, 0)
        self.notes = list(notes)
        self.hint = hint

    def __str__(self):
        """Render the message with the source lines it is about."""
        from pyopt._core import render_error

        return render_error(str(self.message), self.place, self.notes, self.hint, _source)

    def __reduce__(self):
        """Pickle by the parts."""
        return type(self), (self.message, self.place, self.notes, self.hint)

    def add_context(self, text):
        """Add what was being done when the error was found."""
        self.notes.append((text, None))
        return self


NumbaError = PyoptError


class TypingError(PyoptError, TypeError):
    """Types don't fit, or can't be inferred."""


class UnsupportedError(PyoptError):
    """A feature of Python or NumPy that can't be compiled yet."""


class LoweringError(PyoptError):
    """The compiler failed on a function it had accepted: a bug in pyopt."""


class OptionError(PyoptError, ValueError):
    """An option, signature or stage name that doesn't exist or isn't supported yet."""


class UnknownOptionError(OptionError, KeyError):
    """An option that no decorator has."""


class UnknownNameError(OptionError, NameError):
    """A name that is none of a type's or of a transformation's."""


class DeviceError(PyoptError, RuntimeError):
    """A device isn't there, or its driver refuses something."""


class NumbaTypeError(TypingError):
    """A type that isn't allowed."""


class NumbaValueError(TypingError):
    """A value that isn't allowed."""


class StencilError(NumbaValueError, ValueError):
    """A stencil whose options contradict its kernel or its arguments."""


class StencilOptionError(OptionError, StencilError):
    """An option of stencils that doesn't exist or isn't supported."""


class NoTypeError(NumbaValueError, ValueError):
    """``typeof`` is asked for the type of what compiled code can't take."""


class NumbaAttributeError(TypingError):
    """An attribute that a type lacks."""


class NumbaAssertionError(TypingError):
    """An assumption that doesn't hold."""


class NumbaNotImplementedError(TypingError):
    """A case that isn't implemented."""


class NumbaKeyError(TypingError):
    """A key that isn't there."""


class NumbaIndexError(TypingError):
    """An index that isn't there."""


class NumbaRuntimeError(PyoptError):
    """An error while compiled code ran."""


class UntypedAttributeError(TypingError):
    """An attribute of which no type is known."""


class RequireLiteralValue(TypingError):
    """An argument that must be a constant."""


class LiteralTypingError(TypingError):
    """A value that there is no literal type for."""


class ForceLiteralArg(PyoptError):
    """A request to compile again, with arguments as constants."""


class UnsupportedBytecodeError(PyoptError):
    """An instruction of Python that can't be compiled."""


class UnsupportedRewriteError(UnsupportedError):
    """A rewrite that can't be done."""


class UnsupportedParforsError(PyoptError):
    """A system without parallel loops."""


class IRError(PyoptError):
    """A program whose form is wrong."""


class RedefinedError(IRError):
    """A name that is defined twice."""


class NotDefinedError(IRError):
    """A name that isn't defined."""


class VerificationError(IRError):
    """A program that doesn't verify."""


class ConstantInferenceError(PyoptError):
    """A value that isn't constant."""


class DeprecationError(PyoptError):
    """A feature that is gone."""


class ForbiddenConstruct(LoweringError):
    """A construct that isn't allowed where it stands."""


class ByteCodeSupportError(PyoptError):
    """Bytecode of another version of Python."""


class CompilerError(PyoptError):
    """The compiler failed."""


class InternalError(PyoptError):
    """The compiler failed for a reason of its own."""


class InternalTargetMismatchError(InternalError):
    """Code for one target in that for another."""


class NonexistentTargetError(InternalError):
    """A target that doesn't exist."""


class PyoptWarning(Warning):
    """What a user should know about a function that was compiled."""

    def __init__(self, msg="", loc=None, highlighting=True):
        """Keep the message; ``loc`` is a place as Numba has it."""
        super().__init__(msg)
        self.msg = msg
        self.loc = loc


NumbaWarning = PyoptWarning


class ParallelSafetyWarning(PyoptWarning):
    """A ``prange`` with iterations that depend on each other: on one thread, or with an uncertain result."""


NumbaParallelSafetyWarning = ParallelSafetyWarning


class NumbaPerformanceWarning(PyoptWarning):
    """Code that is slower than it could be."""


class NumbaDeprecationWarning(PyoptWarning, DeprecationWarning):
    """A feature that will change or go."""


class NumbaPendingDeprecationWarning(PyoptWarning, PendingDeprecationWarning):
    """A feature that may change or go."""


class NumbaTypeSafetyWarning(PyoptWarning):
    """A conversion that may lose something."""


class NumbaExperimentalFeatureWarning(PyoptWarning):
    """A feature that may still change."""


class NumbaInvalidConfigWarning(PyoptWarning):
    """A setting that isn't valid."""


class NumbaPedanticWarning(PyoptWarning):
    """What only a developer of the compiler should know."""


class NumbaIRAssumptionWarning(NumbaPedanticWarning):
    """A pass that found a form of program it doesn't expect."""


class NumbaDebugInfoWarning(PyoptWarning):
    """A function that debuggers can't show."""


class NumbaSystemWarning(PyoptWarning):
    """A system that lacks something."""


class CacheWarning(PyoptWarning):
    """A function with ``cache=True`` that is compiled in each process; the message says why."""


def warn_uncached(function, reason):
    """Warn that nothing is kept on disk of a Python function."""
    import warnings

    code = function.__code__
    message = f"{function.__qualname__} isn't kept on disk: {reason}"
    warnings.warn_explicit(message, CacheWarning, code.co_filename, code.co_firstlineno)


def warn(message, place):
    """Warn of what the compiler found at ``(file, line)``."""
    import warnings

    file, line = place or ("<unknown>", 1)
    warnings.warn_explicit(message, ParallelSafetyWarning, file, line)


def _source(file):
    # Through linecache, which also knows what was typed into a prompt or a notebook.
    import linecache

    return "".join(linecache.getlines(file))
