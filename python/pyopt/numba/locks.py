"""What Numba has in ``numba.core.compiler_lock``; pyopt's compiler needs no lock around it."""

from pyopt import forking


class _Lock:
    """A lock that is also a decorator of functions that hold it."""

    def __init__(self):
        self._lock = forking.lock()

    def __enter__(self):
        """Take the lock."""
        self._lock.acquire()

    def __exit__(self, *exception):
        """Give the lock back; exceptions go on."""
        self._lock.release()

    def is_locked(self):
        """Whether this thread has the lock."""
        return self._lock._is_owned()

    def __call__(self, function):
        """Give a function that holds the lock while it runs."""
        from functools import wraps

        @wraps(function)
        def locked(*args, **kwargs):
            with self:
                return function(*args, **kwargs)

        return locked


global_compiler_lock = _Lock()
