"""What differs between the versions of CPython that the package runs in."""

import sys
from opcode import opmap

VERSION = sys.version_info[:2]

# The instructions that load an attribute, with how many bits of their argument are below the number of its
# name: since 3.12 one bit asks for what a call needs, which was another instruction.
if VERSION < (3, 12):
    ATTRIBUTE_LOADS = {opmap["LOAD_ATTR"]: 0, opmap["LOAD_METHOD"]: 0}
else:
    ATTRIBUTE_LOADS = {opmap["LOAD_ATTR"]: 1}

# The inline caches between instructions, which 3.10 doesn't have.
CACHE = opmap.get("CACHE")

# How many bits of the argument of a load of a global are below the number of its name: since 3.11 one bit
# asks for what a call needs.
GLOBAL_LOAD_BITS = 0 if VERSION < (3, 11) else 1

# How many bits of the argument of an import are below the number of the module's name: since 3.15 two say
# whether it is lazy.
IMPORT_BITS = 0 if VERSION < (3, 15) else 2

# What a wrapper takes over from a function: since 3.14 annotations are evaluated when they are asked for,
# and may name what isn't there yet.
ANNOTATIONS = "__annotations__" if VERSION < (3, 14) else "__annotate__"
WRAPPED = ("__module__", "__name__", "__qualname__", "__doc__", ANNOTATIONS)

# Since 3.14 small ints have an instruction of their own, and taking an item is a binary operator.
LOAD_SMALL_INT = opmap.get("LOAD_SMALL_INT")
_SUBSCRIPT = (opmap["BINARY_SUBSCR"], None) if VERSION < (3, 14) else (opmap["BINARY_OP"], 26)


def code_names(name, qualname):
    """Give the changes of a code object that name it; before 3.11 functions alone had qualified names."""
    return {"co_name": name} if VERSION < (3, 11) else {"co_name": name, "co_qualname": qualname}


def bound_count(code):
    """Count the variables that loads of cells number before the free ones.

    Since 3.11 locals are numbered with cells, and a parameter in a cell is both; before, cells are apart.
    """
    if VERSION < (3, 11):
        return len(code.co_cellvars)
    return len({*code.co_varnames, *code.co_cellvars})


def add_note(error, note):
    """Add what tracebacks show below an exception; those of 3.10 don't."""
    if VERSION < (3, 11):
        error.__notes__ = [*getattr(error, "__notes__", ()), note]
    else:
        error.add_note(note)


def copy_function_attributes(source, target):
    """Give a function those attributes of another one that its code and its dictionary don't have."""
    for name in ("__kwdefaults__", "__module__", "__qualname__", "__doc__"):
        setattr(target, name, getattr(source, name))
    if VERSION >= (3, 12):
        target.__type_params__ = source.__type_params__
    # Those that were assigned aren't evaluated.
    name = ANNOTATIONS if getattr(source, ANNOTATIONS) is not None else "__annotations__"
    setattr(target, name, getattr(source, name))


def is_subscript(op, arg):
    """Whether an instruction takes an item."""
    return op == _SUBSCRIPT[0] and _SUBSCRIPT[1] in (None, arg)
