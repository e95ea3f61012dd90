"""What Python calls methods of classes for: operations, by the names of the methods."""

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
