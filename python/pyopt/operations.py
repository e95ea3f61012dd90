"""What Python calls methods of classes for: operations, by the names of the methods."""

import functools
import operator

#: What operations of Python's call methods of operands. ``__r…__`` are asked where the left one has none.
OPERATIONS = {
    "__len__": len,
    "__iter__": iter,
    "__bool__": bool,
    "__abs__": abs,
    "__hash__": hash,
    "__int__": int,
    "__float__": float,
    "__complex__": complex,
    "__neg__": operator.neg,
    "__pos__": operator.pos,
    "__invert__": operator.invert,
    "__getitem__": operator.getitem,
    "__setitem__": operator.setitem,
    "__delitem__": operator.delitem,
    "__contains__": operator.contains,
}
_BINARY = "add sub mul matmul truediv floordiv mod pow lshift rshift and or xor".split()
for _name in _BINARY:
    _function = getattr(operator, f"{_name}_" if _name in ("and", "or") else _name)
    OPERATIONS[f"__{_name}__"] = OPERATIONS[f"__r{_name}__"] = _function
    OPERATIONS[f"__i{_name}__"] = getattr(operator, f"i{_name}")
#: The methods that the right operand is asked for.
REFLECTED = frozenset(f"__r{_name}__" for _name in _BINARY)
#: The comparison that the right operand is asked for.
MIRRORED = {
    f"__{one}__": f"__{other}__"
    for one, other in {"eq": "eq", "ne": "ne", "lt": "gt", "le": "ge", "gt": "lt", "ge": "le"}.items()
}
for _name in MIRRORED:
    OPERATIONS[_name] = getattr(operator, _name.strip("_"))


def body_of_operation(name, operands, body_of, asks_right=True):
    """Give the body of an operation: what the left operand has for it, or else the right one; or None.

    ``body_of`` gives what the class of its second argument, the first operand, has for the name of a method.
    The right operand isn't asked where the left one does it by itself.
    """
    reflected = MIRRORED.get(name)
    if name in REFLECTED:
        name, reflected = f"__{name[len('__r') :]}", name
    body = body_of(name, *operands)
    if body is not None or reflected is None or not asks_right:
        return body
    swapped = body_of(reflected, *reversed(operands))
    return None if swapped is None else _swapped(swapped)


# What is made is one function however often it is asked for: caches of code compare answers.
@functools.cache
def _swapped(function):
    return lambda left, right: function(right, left)


# What `functools.total_ordering` writes, which asks for NotImplemented, without that: by the method that the
# class has, and the one that is made of it.
_ORDERINGS = {
    ("__lt__", "__gt__"): lambda self, other: not self < other and self != other,
    ("__lt__", "__le__"): lambda self, other: self < other or self == other,
    ("__lt__", "__ge__"): lambda self, other: not self < other,
    ("__le__", "__ge__"): lambda self, other: not self <= other or self == other,
    ("__le__", "__lt__"): lambda self, other: self <= other and self != other,
    ("__le__", "__gt__"): lambda self, other: not self <= other,
    ("__gt__", "__lt__"): lambda self, other: not self > other and self != other,
    ("__gt__", "__ge__"): lambda self, other: self > other or self == other,
    ("__gt__", "__le__"): lambda self, other: not self > other,
    ("__ge__", "__le__"): lambda self, other: not self >= other or self == other,
    ("__ge__", "__gt__"): lambda self, other: self >= other and self != other,
    ("__ge__", "__lt__"): lambda self, other: not self >= other,
}


def compiled_form(method):
    """Give a method as it can be compiled: those of ``functools.total_ordering`` without NotImplemented."""
    if getattr(method, "__module__", None) == "functools":
        for root, made in getattr(functools, "_convert", {}).items():
            for name, function in made:
                if function is method:
                    return _ORDERINGS[root, name]
    return method
