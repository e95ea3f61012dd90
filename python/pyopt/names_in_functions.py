"""The names in functions, and what they stand for when a function is compiled."""

from collections import Counter, OrderedDict, deque
from copy import deepcopy
from types import CodeType, ModuleType

import numpy

from pyopt.dispatcher import Dispatcher
from pyopt.host_names import is_host
from pyopt.namespaces import MISSING, Asked, chains, dotted, follow, imports, variable


def _is_own_name(dispatcher, name, value, is_global):
    """Whether a name will stand for a dispatcher that is just being made: it is called by its name."""
    function = dispatcher.py_func
    if not dispatcher.is_declaring or name != function.__name__:
        return False
    if not is_global:
        return value is MISSING
    # A function of this name may be there from before.
    found = function.__globals__.get(name, MISSING)
    is_former = type(found) is Dispatcher and found.__qualname__ == function.__qualname__
    return function.__qualname__ == name and (found is MISSING or is_former)


def names_in(function, own):
    """Yield `(name, value, module)` for what a function and those in it load; ``own`` is its dispatcher.

    The module is None for globals, builtins and free variables, and for the dotted names of what is in the
    program's own modules and classes; else it is that whose attribute the name is. The value of what isn't
    bound is ``MISSING``.
    """
    seen = set()
    codes = [function.__code__]
    for code in codes:  # grows by nested functions
        codes += [const for const in code.co_consts if isinstance(const, CodeType)]
        yield from imports(code)
        for path, is_global in chains(code):
            value = variable(function, path[0], is_global)
            if own is not None and _is_own_name(own, path[0], value, is_global):
                value = own
            if value is MISSING:
                yield path[0], value, None
                continue
            known, value = follow(value, path[1:], is_host)
            name, module = dotted(path[: known + 1]), None
            if _is_lacking(value, path[known + 1 :]):
                yield dotted(path[: known + 2]), MissingAttribute(value), None
                continue
            for attribute in (*path[known + 1 :], None):
                if (module, name) not in seen:
                    seen.add((module, name))
                    yield name, value, module
                # Attributes of anything but modules are the compiler's business.
                if attribute is None or not isinstance(value, ModuleType):
                    break
                module, name = value.__name__, attribute
                owner, value = value, getattr(value, attribute, MISSING)
                if value is MISSING:
                    yield attribute, MissingAttribute(owner), module
                    break


def _is_lacking(value, attributes):
    """Whether a value is known to lack the first of some attributes: a module or class of the program's."""
    if not attributes or not isinstance(value, (ModuleType, type)) or is_host(value):
        return False
    # What a class lacks is the compiler's business, unless it is asked whether it does.
    is_answered = isinstance(value, ModuleType) or isinstance(attributes[0], Asked)
    return is_answered and getattr(value, attributes[0], MISSING) is MISSING


class MissingAttribute:
    """An attribute that a module or class doesn't have."""

    def __init__(self, module):
        """Begin with the module."""
        self.module = module

    def advice(self, name):
        """Say what to write instead of the name, if one is like it."""
        from difflib import get_close_matches

        alike = get_close_matches(name, [one for one in dir(self.module) if not one.startswith("_")], 1)
        return f"write '{alike[0]}'" if alike else "use a name that the module has"


def unchanging(value):
    """Give an array or container as it is now, and any other value as it is."""
    if type(value) is numpy.ndarray and value.flags.writeable:
        return value.copy()
    if type(value) in (list, dict, set, deque, Counter, OrderedDict):
        try:
            return deepcopy(value)
        except Exception:
            # It holds what can't be copied, of which there is no constant.
            return value
    return value
