"""What Numba has in ``numba.core.caching`` that programs make objects of."""


class NullCache:
    """A cache that holds nothing; a program gives it to functions of which nothing is to be kept."""

    cache_path = None
