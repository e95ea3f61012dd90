"""Blocks of Python inside compiled code."""

from pyopt.decorators import of_package


class _Block(type):
    """Lets ``with objmode:`` stand for ``with objmode():`` outside of compiled code."""

    def __enter__(cls):
        """Begin the block."""

    def __exit__(cls, *exception):
        """Leave the block; exceptions go on."""


class objmode(metaclass=_Block):
    """``with objmode(y="float64"):`` runs its body as Python in the middle of compiled code.

    The keywords are the types of the variables that the block assigns and that are used behind it: strings
    such as ``"float64[:, ::1]"``, or the names of types. The block gets the GIL while it runs. Outside of
    compiled code it changes nothing.

    A block can't be left by ``return``, ``break`` or ``continue``; exceptions leave it as any other code.
    """

    def __init__(self, **outputs):
        """Take the types; they only mean something to the compiler."""
        self.outputs = outputs

    def __enter__(self):
        """Begin the block."""

    def __exit__(self, *exception):
        """Leave the block; exceptions go on."""


of_package(objmode)
#: Numba's name where its compiler looks for it.
objmode_context = objmode


def written_types(code, names):
    """Yield the texts that are types with parts among a function's constants and names, and the types.

    The compiler reads those of numbers, arrays and tuples itself; it can't know containers and classes, which
    are defined in Python.
    """
    from pyopt.errors import OptionError
    from pyopt.types import StructRef, parse_signature

    for name, value, module in names:
        # As a value the type of a container is what makes one; here it is a type.
        if module is None and isinstance(value, StructRef) and not value.is_foreign:
            yield name, value
    for text in code.co_consts:
        if isinstance(text, str) and text.endswith(")") and text[0].isalpha():
            try:
                signature = parse_signature(text)
            except OptionError:
                continue
            types = signature.args
            if signature.return_type is None and len(types) == 1 and not types[0].is_foreign:
                yield text, types[0]
