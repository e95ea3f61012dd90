"""Attributes of the program's own modules and classes: for the compiler each becomes a global variable.

``settings.LIMIT`` and ``helpers.norm(x)`` are known when a function is compiled, as globals are. The
function's code is written again so that it loads a global of that dotted name, in as many instructions.
"""

import builtins
from opcode import EXTENDED_ARG, hasjrel, opmap, opname
from types import CodeType, ModuleType

from pyopt.c_functions import is_library

_CACHE, _NOP = opmap["CACHE"], opmap["NOP"]
_LOAD_GLOBAL, _LOAD_DEREF, _LOAD_ATTR = opmap["LOAD_GLOBAL"], opmap["LOAD_DEREF"], opmap["LOAD_ATTR"]
_LOAD_METHOD, _BEFORE_WITH = opmap["LOAD_METHOD"], opmap["BEFORE_WITH"]
# So many caches a load of a global has.
_CACHES = 5
# There is no value.
MISSING = object()


def variable(function, name, is_global):
    """Give the value of a global, builtin or free variable of a function, or ``MISSING``."""
    if is_global:
        value = function.__globals__.get(name, MISSING)
        return builtins.__dict__.get(name, MISSING) if value is MISSING else value
    free = function.__code__.co_freevars
    try:
        return function.__closure__[free.index(name)].cell_contents if name in free else MISSING
    except ValueError:  # it isn't assigned yet
        return MISSING


def with_globals(function, is_host):
    """Give the function's code with attributes as globals, and the values of these by their names.

    A module or class for which ``is_host`` holds is the compiler's business.
    """
    values = {}

    def resolve(path, is_global):
        """Follow the path as far as it leads through namespaces; give its length and the value."""
        value = variable(function, path[0], is_global)
        length = 1
        for attribute in path[1:]:
            is_space = isinstance(value, (ModuleType, type)) and not is_host(value)
            # A member of an enumeration is one for its value and its name, cffi's libraries for functions.
            if not is_space and not hasattr(type(value), "__members__") and not is_library(value):
                break
            found = getattr(value, attribute, MISSING)
            if found is MISSING:
                break
            value, length = found, length + 1
        return length, value

    return _rewritten(function.__code__, resolve, values, True), values


def _rewritten(code, resolve, values, is_outermost):
    def of(one):
        return _rewritten(one, resolve, values, False) if isinstance(one, CodeType) else one

    consts = tuple(map(of, code.co_consts))
    is_changed = any(one is not other for one, other in zip(consts, code.co_consts, strict=True))
    names, words, targets = list(code.co_names), bytearray(code.co_code), None
    # The blocks of `with` run in the interpreter, as they are written; what opens them doesn't.
    has_blocks = _BEFORE_WITH in words[::2]
    for path, is_global, start, ends in chains(code):
        # In nested functions a variable of one in between may have the name.
        if len(path) == 1 or not (is_global or is_outermost):
            continue
        length, value = resolve(path, is_global)
        if length == 1 or (has_blocks and not hasattr(value, "__enter__")):
            continue
        targets = set(_targets(code.co_code)) if targets is None else targets
        end, pushes_null = ends[length - 2]
        name = ".".join(path[:length])
        index = names.index(name) if name in names else len(names)
        if targets.isdisjoint(range(start + 2, end, 2)) and _put(words, start, end, index << 1 | pushes_null):
            values[name] = value
            names[index:] = names[index:] or [name]
            is_changed = True
    if not is_changed:
        return code
    return code.replace(co_consts=consts, co_names=tuple(names), co_code=bytes(words))


def _put(words, start, end, argument):
    """Put the load of a global in the place of a chain; say whether there is room for it."""
    load = [_LOAD_GLOBAL, argument & 0xFF, *[_CACHE, 0] * _CACHES]
    while argument := argument >> 8:
        load[:0] = [EXTENDED_ARG, argument & 0xFF]
    room = end - start - len(load)
    if room >= 0:
        words[start:end] = bytes([_NOP, 0] * (room // 2) + load)
    return room >= 0


def chains(code):
    """Yield for each load of a global or free variable, with the attributes that follow, where it is.

    These are the path of names, whether the variable is global, where the first instruction begins, and for
    each attribute where its instructions end, and whether they push what a call has below it.
    """
    path = is_global = first = ends = pushes_null = None
    for op, arg, start, end in _instructions(code.co_code):
        if path is not None:
            if op in (_LOAD_ATTR, _LOAD_METHOD):
                path.append(code.co_names[arg])
                ends.append((end, pushes_null or op == _LOAD_METHOD))
                continue
            yield path, is_global, first, ends
            path = None
        if op == _LOAD_GLOBAL:
            path, is_global, first, ends = [code.co_names[arg >> 1]], True, start, []
            pushes_null = bool(arg & 1)
        elif op == _LOAD_DEREF and (index := arg - _bound_count(code)) >= 0:
            path, is_global, first, ends = [code.co_freevars[index]], False, start, []
            pushes_null = False


def _bound_count(code):
    """Count the variables that are numbered before the free ones; a parameter may be a cell too."""
    return len(set(code.co_varnames) | set(code.co_cellvars))


def _instructions(bytecode):
    """Yield ``(operation, argument, begin, end)``; caches belong to the instruction before them."""
    at, extension, begin = 0, 0, 0
    while at < len(bytecode):
        op, arg = bytecode[at], bytecode[at + 1] | extension
        at += 2
        if op == EXTENDED_ARG:
            extension = arg << 8
            continue
        while at < len(bytecode) and bytecode[at] == _CACHE:
            at += 2
        yield op, arg, begin, at
        extension, begin = 0, at


def _targets(bytecode):
    """Yield where jumps lead."""
    for op, arg, _, end in _instructions(bytecode):
        if op in hasjrel:
            yield end + (-2 * arg if "BACKWARD" in opname[op] else 2 * arg)
