"""What Numba has in ``numba.experimental``: classes, which compiled code doesn't have yet."""

from pyopt import config
from pyopt.missing import missing_class


def jitclass(cls_or_spec=None, spec=None):
    """Decorate a class; it can be named in types, and is refused when it is instantiated."""
    if isinstance(cls_or_spec, type):
        return _refused(cls_or_spec)
    return _refused


def _refused(cls):
    if config.DISABLE_JIT:
        return cls
    from pyopt.types import ClassType

    made = missing_class(f"{cls.__module__}.{cls.__qualname__}", cls.__doc__)
    made.class_type = ClassType(cls.__qualname__)
    return made


def __getattr__(name):
    if name == "structref":
        from pyopt import structures

        return structures
    raise AttributeError(f"module '{__name__}' has no attribute '{name}'")
