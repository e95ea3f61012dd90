"""What Numba has in ``numba.core.serialize``: pickles of compiled functions and of what they refer to."""

import abc
import pickle

from pyopt.pickling import is_serializable

__all__ = ["ReduceMixin", "custom_rebuild", "custom_reduce", "dumps", "is_serializable", "loads"]

loads = pickle.loads


def dumps(obj):
    """Pickle an object, functions that no module has included where cloudpickle is installed."""
    try:
        return pickle.dumps(obj)
    except (pickle.PicklingError, AttributeError):
        import cloudpickle

        return cloudpickle.dumps(obj)


def custom_rebuild(reduced):
    """Make the object again that ``custom_reduce`` has described."""
    cls, states = reduced
    return cls._rebuild(**states)


def custom_reduce(cls, states):
    """Give what pickles an object as its class and what the class makes it of again."""
    return custom_rebuild, ((cls, states),)


class ReduceMixin(abc.ABC):
    """A class whose objects are pickled as what its ``_rebuild`` makes them of again."""

    @abc.abstractmethod
    def _reduce_states(self):
        """Give the arguments for ``_rebuild`` by name."""
        raise NotImplementedError

    @classmethod
    @abc.abstractmethod
    def _rebuild(cls, **states):
        """Make an object."""
        raise NotImplementedError

    def _reduce_class(self):
        return self.__class__

    def __reduce__(self):
        """Pickle by class and states."""
        return custom_reduce(self._reduce_class(), self._reduce_states())
