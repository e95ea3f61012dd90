"""What Numba has in ``numba.core.serialize``: pickles of compiled functions and of what they refer to."""

import pickle

from pyopt.pickling import is_serializable

__all__ = ["dumps", "is_serializable", "loads"]

loads = pickle.loads


def dumps(obj):
    """Pickle an object, functions that no module has included where cloudpickle is installed."""
    try:
        return pickle.dumps(obj)
    except (pickle.PicklingError, AttributeError):
        import cloudpickle

        return cloudpickle.dumps(obj)
