"""What library functions need besides Python's and NumPy's own; the compiler knows these by name."""

import builtins
import time

import numpy as np

from pyopt import _core


def reshape(array, shape):
    """View a C-contiguous array with other sizes, whose product is that of its sizes."""
    return array.reshape(shape)


def is_strided(array):
    """Say whether an array's type leaves its strides open, but for that they are of whole elements."""
    return not array.flags.c_contiguous


def repeated(array, shape, strides):
    """View an array for reading only, with other sizes and strides: some of its own, or 0."""
    return np.lib.stride_tricks.as_strided(array, shape, strides, writeable=False)


def rearranged(array, shape, strides):
    """View an array with sizes and strides that are its own in another order."""
    return np.lib.stride_tricks.as_strided(array, shape, strides)


def strided(array, shape, strides):
    """View an array's memory with any sizes and strides, in bytes."""
    return np.lib.stride_tricks.as_strided(array, shape, strides)


def drop(items, position):
    """Leave out one item of a tuple whose items have one type."""
    return (*items[:position], *items[position + 1 :])


def insert(items, position, item):
    """Put an item into a tuple whose items have its type."""
    return (*items[:position], item, *items[position:])


def replace(items, position, item):
    """Replace one item of a tuple whose items have one type."""
    return (*items[:position], item, *items[position + 1 :])


def fill(item, count):
    """Make a tuple that holds an item a constant number of times."""
    return (item,) * count


def pool_size():
    """Give the most threads that regions may use."""
    return _core.pool_size()


def set_num_threads(count):
    """Set how many threads the regions of this thread use; there are so many."""
    _core.set_num_threads(count)


def set_parallel_chunksize(iterations):
    """Set about how many iterations parts of regions have, and give what was set before."""
    return _core.set_parallel_chunksize(iterations)


def is_constant(value):
    """Say whether an argument is a constant, which its parameter has to be annotated as ``known`` for."""
    return False


def value_of(optional):
    """Take the value of what may be None, and isn't."""
    return optional


def is_first(function):
    """Say whether a function is the first of those that it may be at run time."""
    return True


def first(function):
    """Take the first of the functions that it may be."""
    return function


def others(function):
    """Take the function for one of all but the first of those that it may be."""
    return function


def is_parallel():
    """Say whether loops are cut for threads."""
    return False


def prange(option, count):
    """Count from 0, on threads where ``parallel={...}`` has the option of this name on."""
    return range(count)


def parts(count, work):
    """Say into how many parts to cut iterations for threads, if each one takes so many simple operations."""
    return 1


def draw(name, like, parameters):
    """Draw a number of the type of another one from a distribution of the runtime's."""
    raise NotImplementedError("compiled code has the generator")


def draws(name, vector, start, stop, parameters):
    """Draw the elements of a vector between two positions from a distribution of the runtime's."""
    raise NotImplementedError("compiled code has the generator")


def clock(number):
    """Read a clock of the system's, in nanoseconds."""
    return time.clock_gettime_ns(number)


def unsupported(message):
    """Refuse the call when it is compiled: no body is made for its types."""
    raise TypeError(message)


def check(condition, error, template, *values):
    """Raise a built-in error unless a condition holds; a ``{}`` of the template is for an int or a shape."""
    if not condition:
        raise getattr(builtins, error)(template.format(*values))


def new_list(items, room):
    """Make an empty list for items like those of another one, with room for some."""
    return []


def truncate(items, length):
    """Drop the items of a list from a position on."""
    del items[length:]


def elementwise(function, loops, *operands):
    """Apply a function to the elements of arrays that are broadcast together, or to numbers.

    ``loops`` are the types that it may be compiled for, as ``"f32,f32->f32;f64,f64->f64"``; without any,
    those of the elements.
    """
    return np.vectorize(function)(*operands)


def new_table(like):
    """Make an empty dict or set for entries like those of another one."""
    return type(like)()


def is_key(table, key):
    """Say whether a key is of the type of the keys of a dict or set."""
    raise NotImplementedError("compiled code has tables")


def as_key(table, key):
    """Convert a number to the type of the keys of a dict or set, whether or not that has its value."""
    raise NotImplementedError("compiled code has tables")


def plain_key(key):
    """Give what a key is hashed by.

    That is the number of a member of an enumeration, the hash that the class of a named tuple defines, or
    else the key itself.
    """
    raise NotImplementedError("compiled code has tables")


def table_get(number, table):
    """Give the ``size``, ``end``, ``mask`` or ``limit`` of a dict or set: see ``pyopt.library.tables``."""
    raise NotImplementedError("compiled code has tables")


def table_grow(table, more):
    """Make room for more entries."""
    raise NotImplementedError("compiled code has tables")


def table_copy(table, made):
    """Put the entries of a dict or set into an empty one of its type."""
    raise NotImplementedError("compiled code has tables")


def table_slot(table, position):
    """Give a slot."""
    raise NotImplementedError("compiled code has tables")


def table_set_slot(table, position, slot):
    """Replace a slot."""
    raise NotImplementedError("compiled code has tables")


def table_first(table):
    """Give the number of the first entry that wasn't taken out; that of the end in an empty table."""
    raise NotImplementedError("compiled code has tables")


def table_has(table, entry):
    """Say whether an entry wasn't taken out."""
    raise NotImplementedError("compiled code has tables")


def table_key(table, entry):
    """Give the key of an entry."""
    raise NotImplementedError("compiled code has tables")


def table_value(table, entry):
    """Give the value of an entry."""
    raise NotImplementedError("compiled code has tables")


def table_set_value(table, entry, value):
    """Replace the value of an entry."""
    raise NotImplementedError("compiled code has tables")


def table_push(table, *parts):
    """Put an entry in, for which there is room and a slot."""
    raise NotImplementedError("compiled code has tables")


def table_remove(table, entry):
    """Take out an entry, whose slot says so already."""
    raise NotImplementedError("compiled code has tables")


def table_clear(table):
    """Take out all entries."""
    raise NotImplementedError("compiled code has tables")


def text(name, *operands):
    """Compute something of texts by the runtime's function of a name."""
    raise NotImplementedError("compiled code has the runtime's functions")


def host_text(name, *operands):
    """Make a text or bytes of values by a function of ``pyopt.texts``."""
    raise NotImplementedError("compiled code asks the interpreter")
