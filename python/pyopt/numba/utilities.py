"""What Numba has in ``numba.core.utils`` that programs take from there besides the version of Python."""

from inspect import signature

__all__ = ["pysignature"]

#: Numba's name of ``inspect.signature``.
pysignature = signature
