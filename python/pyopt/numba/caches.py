"""What Numba has in ``numba.core.caching`` that programs make objects of."""

from typing import ClassVar


class NullCache:
    """A cache that holds nothing; a program gives it to functions of which nothing is to be kept."""

    cache_path = None


class CacheImpl:
    """Where Numba's caches are kept; pyopt's is one for all functions, keyed by content."""

    #: A program may add classes that find a place: none is asked.
    _locator_classes: ClassVar = []


class _CacheLocator:
    """What such classes are derived from."""
