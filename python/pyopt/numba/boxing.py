"""Numba's functions that box and unbox values of one kind, which their types say already."""

_KINDS = (
    *("array", "bool", "bytes", "complex", "datetime", "dtype", "float", "integer", "list", "namedtuple"),
    *("none", "optional", "record", "slice", "timedelta", "tuple", "unicodetype"),
)


def _unbox(typ, obj, c):
    return c.unbox(typ, obj)


def _box(typ, val, c):
    return c.box(typ, val)


__all__ = [f"{verb}_{kind}" for kind in _KINDS for verb in ("box", "unbox")]


def __getattr__(name):
    """Give the function of a kind of values."""
    verb, _, kind = name.partition("_")
    if kind in _KINDS and verb in ("box", "unbox"):
        return _box if verb == "box" else _unbox
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
