"""Passes over whole functions, written in Python.

A pass gets an operation and changes what is in it; :func:`pyopt.extending.add_pass` puts it into the
pipelines::

    from pyopt.extending import add_pass
    from pyopt.ir import register_pass

    @register_pass("halve-by-product", on="func.func")
    def halve_by_product(function):
        for op in function.walk("typed.binary"):
            ...

    add_pass("halve-by-product", at="after-fusion")

An operation has ``name``, ``operands``, ``results``, ``attributes``, ``regions``, ``successors``,
``parent``, ``block`` and ``location``; ``walk(name=None)``, ``attribute(name)``, ``set_attribute(name,
text)``, ``remove_attribute(name)``, ``set_operand(index, value)``, ``replace(values)``, ``erase()`` and
``move_before(op)``. A region has ``blocks``, ``parent`` and ``add_block(types)``. A block has
``operations``, ``arguments``, ``parent``, ``successors``, ``predecessors``, ``find(name)``, ``erase()``,
``add_argument(type)`` and ``insert(before, name, operands, types, attributes, regions, successors)``, which
makes any registered operation, at the end where ``before`` is None. A value has ``type``, ``definition``,
``block``, ``users``, ``use_count`` and ``replace_all_uses(value)``. Types and attributes are text in
MLIR's notation.

All of these end with the call that they were handed to. The operation that a pass runs on stays, as does
what is around it. What the pass leaves is verified: that it isn't valid is an error that names the pass, as
is an exception. ``insert`` verifies what it makes at once, but for terminators and operations with regions,
which aren't whole yet. A function with such a pass in its pipeline is not kept by ``cache=True``.
"""

from pyopt import _core
from pyopt._core import Block, Operation, Region, Value

__all__ = ["Block", "Operation", "Region", "Value", "register_pass"]


def register_pass(name, on="func.func", summary="a pass written in Python"):
    """Make the decorated function a pass of a name, which runs on each operation named ``on``.

    ``on`` is ``"builtin.module"``, or ``"func.func"`` (``"py.func"`` before inference). A pass of the same
    name that was registered before is replaced. Functions that are compiled already stay as they are.
    """

    def register(function):
        if not callable(function):
            raise TypeError(f"a pass is a function of an operation, not {function!r}")
        _core.register_pass(name, on, summary, function)
        return function

    return register
