"""What Numba has in ``numba.core.caching`` that programs make objects of and ask functions for."""

from typing import ClassVar

from pyopt import _core


class NullCache:
    """A cache that holds nothing."""

    cache_path = None


class CacheImpl:
    """Where Numba's caches are kept; pyopt's is one for all functions, keyed by content."""

    #: A program may add classes that find a place: none is asked.
    _locator_classes: ClassVar = []


class FunctionCache(CacheImpl):
    """The cache of a function with ``cache=True``."""

    @property
    def cache_path(self):
        """The folder of pyopt's cache."""
        return _core.cache_directory()


class _CacheLocator:
    """What such classes are derived from."""
