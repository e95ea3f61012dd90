"""Bound methods as functions: what `max(counts, key=counts.get)` and `map(table.pop, keys)` pass.

A method that is passed on is a closure: one of these functions, with the object that it is bound to.
"""

from pyopt.library import implements


@implements("pyopt.bound.get")
def bound_get(receiver, *arguments):
    """Call the method of this name."""
    return receiver.get(*arguments)


@implements("pyopt.bound.index")
def bound_index(receiver, *arguments):
    """Call the method of this name."""
    return receiver.index(*arguments)


@implements("pyopt.bound.count")
def bound_count(receiver, *arguments):
    """Call the method of this name."""
    return receiver.count(*arguments)


@implements("pyopt.bound.find")
def bound_find(receiver, *arguments):
    """Call the method of this name."""
    return receiver.find(*arguments)


@implements("pyopt.bound.startswith")
def bound_startswith(receiver, *arguments):
    """Call the method of this name."""
    return receiver.startswith(*arguments)


@implements("pyopt.bound.endswith")
def bound_endswith(receiver, *arguments):
    """Call the method of this name."""
    return receiver.endswith(*arguments)


@implements("pyopt.bound.join")
def bound_join(receiver, items):
    """Call the method of this name."""
    return receiver.join(items)


@implements("pyopt.bound.pop")
def bound_pop(receiver, *arguments):
    """Call the method of this name."""
    return receiver.pop(*arguments)


@implements("pyopt.bound.add")
def bound_add(receiver, item):
    """Call the method of this name."""
    receiver.add(item)


@implements("pyopt.bound.append")
def bound_append(receiver, item):
    """Call the method of this name."""
    receiver.append(item)


@implements("pyopt.bound.__getitem__")
def bound_getitem(receiver, item):
    """Call the method of this name."""
    return receiver[item]


@implements("pyopt.bound.__contains__")
def bound_contains(receiver, item):
    """Call the method of this name."""
    return item in receiver


@implements("pyopt.bound.__len__")
def bound_len(receiver):
    """Call the method of this name."""
    return len(receiver)
