"""The results of functions that keep a number of them (``functools.lru_cache``)."""

from pyopt.library import implements
from pyopt.library.dicts import pop_first


@implements("pyopt.recent_result")
def recent_result(results, key):
    """Give a result that is kept, which is then the one that was asked for last."""
    value = results.pop(key)
    results[key] = value
    return value


@implements("pyopt.keep_recent")
def keep_recent(results, key, value, most):
    """Keep a result, and at most so many: the one goes that wasn't asked for the longest time."""
    if len(results) >= most and key not in results:
        pop_first(results)
    results[key] = value
