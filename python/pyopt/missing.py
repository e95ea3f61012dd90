"""Stand-ins for what pyopt doesn't have: programs may import and name it, and are refused on use."""

from pyopt.plain_bindings import MISSING_NAME


def refuse(name):
    """Raise the error that says what is missing."""
    if name.startswith("cuda."):
        # Programs catch this one where there may be no device.
        from pyopt.cuda import CudaSupportError as UnsupportedError
    else:
        from pyopt.errors import UnsupportedError

    raise UnsupportedError(f"'{name}' isn't supported by pyopt")


class Missing:
    """A function or module that isn't there; so are its attributes."""

    def __init__(self, name):
        """Keep the name that errors give."""
        setattr(self, MISSING_NAME, name)

    def __repr__(self):
        """Name what is missing."""
        return f"<missing {getattr(self, MISSING_NAME)}>"

    def __call__(self, *args, **kwargs):
        """Refuse."""
        refuse(getattr(self, MISSING_NAME))

    def __getitem__(self, index):
        """Refuse."""
        refuse(getattr(self, MISSING_NAME))

    def __getattr__(self, name):
        """Give what is as missing."""
        if name.startswith("__"):
            raise AttributeError(f"{self!r} has no attribute '{name}'")
        return missing(f"{getattr(self, MISSING_NAME)}.{name}")


class _MissingType(type):
    """The type of classes that aren't there: they can be derived from and asked for, not instantiated."""

    def __getattr__(cls, name):
        if name.startswith("__"):
            raise AttributeError(f"type object '{cls.__name__}' has no attribute '{name}'")
        return missing(f"{getattr(cls, MISSING_NAME)}.{name}")

    def __call__(cls, *args, **kwargs):
        refuse(getattr(cls, MISSING_NAME))

    def __getitem__(cls, item):
        return cls  # as it stands in annotations


def missing_class(name, doc=None):
    """Make a class that raises when it is instantiated."""
    module, _, plain = name.rpartition(".")
    scope = {MISSING_NAME: name, "__module__": module, "__doc__": doc or "Isn't supported by pyopt."}
    return _MissingType(plain, (), scope)


def missing(name):
    """Make what stands for a missing name: a class where it is written as classes are."""
    plain = name.rpartition(".")[2].lstrip("_")
    is_class = plain[:1].isupper() and not plain.isupper()
    return missing_class(name) if is_class else Missing(name)


def accept(*args, **options):
    """Take the arguments of a decorator that registers what pyopt doesn't ask for."""
    return lambda function: function


def accept_bare(function):
    """Be a decorator without arguments that registers what pyopt doesn't ask for."""
    return function


def ignore(*args, **options):
    """Be a function that registers what pyopt doesn't ask for."""


gdb, gdb_breakpoint, gdb_init = map(missing, ("gdb", "gdb_breakpoint", "gdb_init"))
