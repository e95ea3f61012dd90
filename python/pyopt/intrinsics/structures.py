"""What intrinsics do with structures that are passed by reference: Numba's ``structref._Utils``."""

from pyopt import types
from pyopt.errors import TypingError
from pyopt.intrinsics import calls, cgutils


class Utils:
    """Opens references to structures of a type."""

    def __init__(self, context, builder, struct_type):
        """Keep what writes code, and the type of references."""
        self.context = context
        self.builder = builder
        self.struct_type = struct_type

    def get_struct_ref(self, val):
        """Open a reference: it has the field ``meminfo``."""
        return cgutils.create_struct_proxy(self.struct_type)(self.context, self.builder, value=val)

    def new_struct_ref(self, mi):
        """Make a reference to memory, and open it."""
        reference = cgutils.create_struct_proxy(self.struct_type)(self.context, self.builder)
        reference.meminfo = mi
        return reference

    def get_data_struct(self, val):
        """Open the structure that a reference refers to: its fields are attributes, to read and to write."""
        return Fields(self.builder, self.struct_type, val)


class Fields:
    """The fields of a structure as attributes. Each access is a call, which counts references."""

    def __init__(self, builder, struct_type, reference):
        """Open what a reference refers to."""
        self.__dict__.update(_builder=builder, _type=struct_type, _reference=reference)

    def _kind(self, name):
        kind = dict(self._type._fields).get(name)
        if kind is None:
            raise TypingError(f"{self._type} has no field '{name}'")
        return kind

    def __getattr__(self, name):
        """Read a field."""
        kind = self._kind(name)
        function = _made(f"def get(structure):\n    return structure.{name}\n", "get")
        return calls.call(self._builder, function, kind(self._type), [self._reference])

    def __setattr__(self, name, value):
        """Write a field."""
        signature = types.none(self._type, self._kind(name))
        function = _made(f"def put(structure, value):\n    structure.{name} = value\n", "put")
        calls.call(self._builder, function, signature, [self._reference, value])


def _made(source, name):
    scope = {"__name__": __name__}
    exec(source, scope)
    return scope[name]
