"""Getters of ``operator``, ``itemgetter`` and the like, as functions that compiled code can call."""

from functools import cache
from operator import attrgetter, itemgetter, methodcaller

from pyopt.once import once

#: The classes.
CLASSES = (itemgetter, attrgetter, methodcaller)


def function_of(value):
    """Give the function that does what an object of one of the classes does."""
    made_by, made_of = value.__reduce__()[:2]
    if made_by in CLASSES:
        return _written(made_by, tuple(made_of), ())
    # A caller of a method with arguments by name is pickled as a partial object.
    return _written(methodcaller, (*made_by.args, *made_of), tuple(made_by.keywords.items()))


@once
def enter():
    """Let compiled code make them of what is known when it is compiled, where a program names the classes."""
    from pyopt.extending import overload

    for kind in CLASSES:
        overload(kind, strict=False, prefer_literal=True)(_maker(kind))


def _maker(kind):
    def make(*items, **keywords):
        if kind is itemgetter and len(items) == 1 and not hasattr(items[0], "literal_value"):
            return _getter_at_run_time
        given = [_known(kind, one) for one in items]
        named = [(name, _known(kind, one)) for name, one in keywords.items()]
        function = _written(kind, tuple(given), tuple(named))
        return lambda *items, **keywords: function

    return make


def _getter_at_run_time(*items):
    return lambda value: value[items[0]]


def _known(kind, item):
    """Give the value of an argument that is known; an error for any other one."""
    if not hasattr(item, "literal_value"):
        from pyopt.errors import TypingError

        name = kind.__name__
        raise TypingError(f"the arguments of {name} must be constants in compiled code; write a lambda")
    return item.literal_value


# Keys that are equal and of different types, as 1 and True, make different functions.
@cache
def _function(source, name, given, types):
    scope = {"__name__": __name__, **{f"given_{at}": one for at, one in enumerate(given)}}
    exec(source, scope)
    return scope[name]


def _written(kind, given, named):
    """Write the function: its globals are what the object has, which the compiler gets by their values."""
    name = kind.__name__
    if kind is methodcaller:
        method, *given = given
        listed = [f"given_{at}" for at in range(len(given))]
        listed += [f"{one}=given_{len(given) + at}" for at, (one, _) in enumerate(named)]
        parts = [f"value.{method}({', '.join(listed)})"]
        given = (*given, *(one for _, one in named))
    elif kind is attrgetter:
        parts, given = [f"value.{one}" for one in given], ()
    else:
        parts = [f"value[given_{at}]" for at in range(len(given))]
    result = parts[0] if len(parts) == 1 else f"({', '.join(parts)})"
    source = f"def {name}(value):\n    return {result}\n"
    return _function(source, name, given, tuple(map(type, given)))
