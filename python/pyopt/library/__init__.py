"""NumPy's and Python's functions as Python source: the overload library.

When the compiler is built, the functions of the modules here are compiled to code objects, which become part
of it. A call of a function, method or item that it doesn't know by itself is one of the function that
``implements`` names: it is lifted, inferred for the argument types and compiled with its caller. So what a
program doesn't use costs it nothing.

The functions are written in the language of compiled code. What is known of an argument's type decides
branches before anything is compiled: ``a.ndim == 1``, ``a.dtype.kind == "f"``, ``axis is None`` and
``isinstance(a, tuple)`` choose the body for a kind of argument. Global names are ``np``, ``math``,
``intrinsics``, the builtins and other functions of the library, in whatever module. Division by zero doesn't
raise and indices aren't checked, whatever the caller's options.

Each function is also a Python function with the same meaning.
"""


class literal:
    """Annotates a parameter whose argument must be a constant: the function is compiled for its value."""


class known:
    """Annotates a parameter whose argument may be a constant: then the function is compiled for its value."""


class changed:
    """Annotates a parameter for a list that one of NumPy's functions changes; it sees others as tuples."""


def implements(*names, role=None, linked=False):
    """Say which functions a function is: ``numpy.cumsum``, or ``array.cumsum`` for the method.

    ``role`` is what passes know of its result, one of ``LibraryRole`` in the dialect ``parfor``. One with
    containers among its arguments is compiled with its caller unless it is ``linked``: then it is compiled
    once for their types, for what it does outweighs a call through memory.
    """
    return lambda function: function
