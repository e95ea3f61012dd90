"""Rewrites of the program while it is compiled, written in Python.

A rewrite looks at one block at a time. ``match`` says whether there is something to change and remembers it;
``apply`` changes it. What ``apply`` makes must not match again::

    @register_rewrite("before-inference")
    class SquareByProduct(Rewrite):
        roots = ("py.binary",)

        def match(self, block, typemap, calltypes):
            self.block = block
            self.squares = [op for op in block.find("py.binary") if is_square(op)]
            return bool(self.squares)

        def apply(self):
            for op in self.squares:
                base, _ = op.operands
                product = self.block.insert(op, "py.binary", [base, base], ["!py.object"], {"kind": MUL})
                op.replace(product.results)

A block has ``operations``, ``arguments``, ``find(name)`` and ``insert(before, name, operands, types,
attributes)``; an operation ``name``, ``operands``, ``results``, ``attribute(name)``, ``set_attribute``,
``set_operand``, ``replace(values)``, ``erase()`` and ``location``; a value ``type``, ``definition`` and
``use_count``. Types and attributes are text in MLIR's notation. All of these end with the call that they were
handed to.
"""

from pyopt import _core
from pyopt._core import Block, Operation, Value

__all__ = ["Block", "Operation", "Rewrite", "Value", "register_rewrite"]


class Rewrite:
    """What a rewrite derives from; one object is made for each attempt at a block."""

    #: Names of operations of which a function needs one for the rewrite to be asked; none: always.
    roots = ()

    def match(self, block, typemap, calltypes):
        """Say whether something in the block is to be changed.

        ``typemap[value]`` is the type of a value, ``calltypes[op]`` the types of the arguments and the result
        of a call; before inference all are ``!py.object``.
        """
        return False

    def apply(self):
        """Change what ``match`` found."""
        raise NotImplementedError(f"{type(self).__name__} has no apply()")


def register_rewrite(point):
    """Add a class to the rewrites that run ``"before-inference"`` or ``"after-inference"``.

    Its name is the rewrite's: a class of the same name replaces it. Functions that are compiled already
    stay as they are.
    """

    def register(cls):
        if not (isinstance(cls, type) and issubclass(cls, Rewrite)):
            raise TypeError(f"{cls!r} is no subclass of pyopt.rewrites.Rewrite")

        def attempt(block):
            rewrite = cls()
            if not rewrite.match(block, _TYPES, _CALLS):
                return False
            rewrite.apply()
            return True

        _core.register_rewrite(cls.__name__, point, list(cls.roots), attempt)
        return cls

    return register


class _TypeMap:
    """The types of values, in the form of a mapping."""

    def __getitem__(self, value):
        return value.type


class _CallTypes:
    """The types of the arguments and the result of calls, in the form of a mapping."""

    def __getitem__(self, call):
        return tuple(value.type for value in call.operands), call.results[0].type


_TYPES = _TypeMap()
_CALLS = _CallTypes()
