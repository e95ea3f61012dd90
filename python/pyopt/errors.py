"""Exceptions of the compiler; what compiled code raises are Python's own."""


class PyoptError(Exception):
    """A function that can't be compiled.

    ``place`` and those in ``notes`` are ``(file, line, column, end line, end column)``; columns count bytes
    from 1 and are 0 if unknown, the last is behind the end.
    """

    def __init__(self, message, place=None, notes=(), hint=None):
        """Keep the parts; the text is made from them."""
        super().__init__(message)
        self.message = message
        self.place = place
        self.notes = list(notes)
        self.hint = hint

    def __str__(self):
        """Render the message with the source lines it is about."""
        from pyopt._core import render_error

        return render_error(self.message, self.place, self.notes, self.hint, _source)

    def __reduce__(self):
        """Pickle by the parts."""
        return type(self), (self.message, self.place, self.notes, self.hint)


class TypingError(PyoptError, TypeError):
    """Types don't fit, or can't be inferred."""


class UnsupportedError(PyoptError):
    """A feature of Python or NumPy that can't be compiled yet."""


class LoweringError(PyoptError):
    """The compiler failed on a function it had accepted: a bug in pyopt."""


class OptionError(PyoptError, ValueError):
    """An option, signature or stage name that doesn't exist or isn't supported yet."""


class StencilError(PyoptError, ValueError):
    """A stencil whose options contradict its kernel or its arguments."""


class PyoptWarning(Warning):
    """What a user should know about a function that was compiled."""


class ParallelSafetyWarning(PyoptWarning):
    """A ``prange`` with iterations that depend on each other: on one thread, or with an uncertain result."""


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
