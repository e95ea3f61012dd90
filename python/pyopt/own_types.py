"""Types of extensions' own: whose objects are of them, what they are made of, how they are converted.

The compiler has a value of such a type as the values of its fields, as those of a named tuple. At a call
the function that ``unbox`` has registered gives the fields of an object, and at a return that of ``box`` an
object for the fields. Their code is run in Python (``pyopt.intrinsics.interpreter``), as it is about
Python's objects.
"""

from array import array
from functools import partial

from pyopt import _core, forking, types
from pyopt.errors import TypingError
from pyopt.held_objects import as_kind, held_by, hold
from pyopt.types.text import enter_text

#: What copies instances of classes for calls.
takers = {}
#: The flag of classes that aren't static ones of C.
HEAP_TYPE = 1 << 9
_typeofs = {}
_models = {}
_boxes = {}
_unboxes = {}
_give_backs = {}
_of_python = {}
_implementations = {}
_own_types = {}
# The same by the identity of their types, which they keep.
_by_object = {}
_lock = forking.lock()
# What exports memory and is no array: known once `pyopt.buffers` is there.
_BUFFERS = (array, bytearray, memoryview)


class StructModel:
    """A model of types that have fields: ``members`` are names and types."""

    def __init__(self, dmm, fe_type, members):
        """Keep the fields."""
        self.members = list(members)


class OpaqueModel(StructModel):
    """A model of types without fields."""

    def __init__(self, dmm, fe_type):
        """Have none."""
        super().__init__(dmm, fe_type, [])


class DirectModel(StructModel):
    """A model of types of at most one field, which plain functions convert.

    That of ``unbox`` gives the field of an object; that of ``box`` gets a type and the field.
    """


class PlainModel(StructModel):
    """A model of types of any fields, which plain functions convert.

    That of ``unbox`` gives a list of the fields of an object; that of ``box`` gets a type and the fields.
    """


class DialectModel(PlainModel):
    """A model of types that a dialect has: ``mlir`` is the type's text there, ``members`` its fields.

    Code in MLIR's syntax (``pyopt.intrinsics.InMlir``) gets and gives values of the dialect's type; the pass
    that lowers the dialect's operations finds their fields. The function of ``unbox`` gives a list of the
    fields of an object; that of ``box`` gets the type and the fields.
    """

    def __init__(self, dmm, fe_type, mlir, members):
        """Keep both."""
        super().__init__(dmm, fe_type, members)
        self.mlir = mlir


class StructRefModel(DirectModel):
    """The model of references to structures: ``pyopt.structures`` has what is about them."""

    field = types.STRUCTURE

    def __init__(self, dmm, fe_type):
        """Have one field: the memory."""
        super().__init__(dmm, fe_type, [(self.field, fe_type.memory)])


class models:
    """The models that a type may have."""

    StructModel = StructModel
    DialectModel = DialectModel
    OpaqueModel = OpaqueModel
    StructRefModel = StructRefModel

    def __getattr__(self, name):
        """Refuse the others, by name."""
        raise NotImplementedError(
            f"the model '{name}'; there are StructModel, DialectModel, StructRefModel and OpaqueModel"
        )


models = models()


class NativeValue:
    """What an unboxing gives: a value, and whether there was an error."""

    def __init__(self, value, is_error=None, cleanup=None):
        """Keep both; what is to be cleaned up, Python does."""
        self.value = value
        self.is_error = is_error


def _nearest(table, kind):
    """Find the entry of a class or of its nearest base."""
    return next((table[one] for one in kind.__mro__ if one in table), None)


class _TypeofImplementation:
    """What type the objects of a class are of."""

    @staticmethod
    def register(kind, function=None):
        """Enter a function of an object and a context, or be the decorator of one."""

        def enter(function):
            _typeofs[kind] = function
            _core.set_unboxing(stand_in)
            return function

        return enter if function is None else enter(function)

    def __call__(self, value, context=None):
        """Give the type of an object."""
        function = _nearest(_typeofs, type(value))
        return types.argument_type(value) if function is None else function(value, context)


class _AsNumbaType:
    """What type stands for a class in annotations."""

    @staticmethod
    def register(kind, type=None):
        """Enter a type for a class."""
        if type is None:
            return lambda function: function
        _of_python[kind] = type
        return type

    def __call__(self, kind):
        """Give the type that stands for a class."""
        known = {
            bool: "boolean",
            int: "int64",
            float: "float64",
            complex: "complex128",
            str: "unicode_type",
            bytes: "bytes_type",
            type(None): "none",
        }
        if isinstance(kind, types.Type):
            return kind
        if kind in _of_python:
            return _of_python[kind]
        if kind in known:
            return getattr(types, known[kind])
        made = self._of_typing(kind)
        if made is None:
            raise TypingError(f"Cannot infer Numba type of Python type {kind!r}")
        return made

    def _of_typing(self, kind):
        """Give the type for one of ``typing``, or of a class with items in brackets; None for another one."""
        from types import NoneType, UnionType
        from typing import Union, get_args, get_origin

        origin, items = get_origin(kind), get_args(kind)
        if origin in (Union, UnionType):
            held = [one for one in items if one is not NoneType]
            if len(held) != 1:
                raise TypingError(f"Cannot type Union that is not an Optional: {kind}")
            return types.Optional(self(held[0]))
        makers = {list: types.ListType, dict: types.DictType, set: types.SetType}
        if origin is tuple and Ellipsis not in items:
            return types.Tuple([self(one) for one in items])
        return makers[origin](*map(self, items)) if origin in makers else None


def types_of_instances(cls):
    """Give the types that stand for a class and those that are derived from it, as far as they have any."""
    return entries_of_instances(_of_python, cls)


def entries_of_instances(table, cls):
    """Give the entries that a table by class has for a class and those that are derived from it."""
    own = [table[cls]] if cls in table else []
    return own + [one for derived in type.__subclasses__(cls) for one in entries_of_instances(table, derived)]


typeof_impl = _TypeofImplementation()
as_numba_type = _AsNumbaType()


def register_model(type_class):
    """Be the decorator of the model of a class of types."""
    return _entering(_models, type_class)


def _entering(table, key):
    def enter(value):
        table[key] = value
        return value

    return enter


def box(type_class):
    """Be the decorator of what writes code that makes an object of a value."""
    return _entering(_boxes, type_class)


def unbox(type_class):
    """Be the decorator of what writes code that makes a value of an object."""
    return _entering(_unboxes, type_class)


def give_back(type_class):
    """Be the decorator of what gives an argument the changes of the copy that compiled code had of it.

    It is a function of an object that was made of the copy when the call was over, and of the argument.
    """
    return _entering(_give_backs, type_class)


class _OwnType:
    """What is known of one type."""

    def __init__(self, type, model):
        self.type = type
        described = model(None, type)
        self.members = [(name, kept_type(one)) for name, one in described.members]
        #: The text of the type in the dialect that has it; None of any other type.
        self.mlir = getattr(described, "mlir", None)
        self._is_direct = isinstance(described, DirectModel)
        self._is_plain = isinstance(described, PlainModel)
        fields = [f".{name}" for name, _ in self.members] or ["."]
        items = [one.text for _, one in self.members] or [types.none.text]
        self._makers = [maker_of(one) for _, one in self.members]
        #: The positions of fields that are objects of Python's.
        self._objects = [at for at, (_, one) in enumerate(self.members) if isinstance(one, types.PyObject)]
        #: The class of what stands for its objects where the compiler takes and gives them: tuples.
        self.stand_in = _stand_in_class(type.name, tuple(fields), self.box)
        self.stand_in.__pyopt_own__ = self
        if type.__class__ in _give_backs:
            self.stand_in.__pyopt_give_back__ = self.give_back
        example = tuple.__new__(self.stand_in, [0] * len(fields))
        of_class = _core.typeof_text(example).partition("#py.")[2]
        self.text = f"!typed.sequence<tuple<{', '.join(items)}>, #py.{of_class}"
        # Arrays of constants are frozen, and values of a program's own type are of that all the same.
        is_declared = not type.__class__.__module__.startswith("pyopt.")
        self.stand_in.__pyopt_declared__ = self.text if is_declared else None

    def unbox(self, object):
        """Give what stands for an object."""
        function = _unboxes.get(type(self.type)) or _nearest(_unboxes, type(self.type))
        if function is None:
            raise TypeError(f"can't unbox {self.type} type: no function does")
        if self._is_direct:
            return tuple.__new__(self.stand_in, [function(object)])
        if self._is_plain:
            return tuple.__new__(self.stand_in, function(object) or [None])
        from pyopt.intrinsics.interpreter import run_unbox

        return self.made_of(run_unbox(function, self.type, object))

    def made_of(self, fields):
        """Give what stands for the object whose fields have been unboxed."""
        if not self.members:
            return tuple.__new__(self.stand_in, [None])
        return tuple.__new__(
            self.stand_in, [make(value) for make, value in zip(self._makers, fields, strict=True)]
        )

    def opened(self, values):
        """Give the fields' values as box functions have them: a field of an own type is a list again."""
        fields = [_opened(one) for one in values[: len(self.members)]]
        for at in self._objects:
            fields[at] = held_by(fields[at])
        return fields

    def box(self, values):
        """Make an object of the fields' values, which are in a list if they are opened already."""
        function = _boxes.get(type(self.type)) or _nearest(_boxes, type(self.type))
        if function is None:
            raise TypeError(f"cannot convert native {self.type} to Python object: no function boxes it")
        if self._is_direct:
            return function(self.type, *map(_boxed, values))
        if self._is_plain:
            return function(self.type, *map(_boxed, values[: len(self.members)]))
        from pyopt.intrinsics.interpreter import run_box

        fields = values if isinstance(values, list) else self.opened(values)
        made = run_box(function, self.type, fields)
        if made is fields:
            raise TypeError(
                f"cannot convert native {self.type} to Python object: its model has no fields, so that a "
                "value isn't the object that it was unboxed from; a StructModel keeps what is to be known"
            )
        return made

    def give_back(self, stand_in, object):
        """Give an argument the changes of its copy."""
        _give_backs[type(self.type)](self.box(stand_in), object)


def kept_type(kind):
    """Give the type that values of a type are kept as in a field: one that says a value doesn't go for it."""
    if isinstance(kind, types.Literal):
        return types.unliteral(kind)
    if not isinstance(kind, types.BaseTuple) or isinstance(kind, types.BaseNamedTuple):
        return kind
    items = [kept_type(one) for one in kind.types]
    return kind if items == list(kind.types) else types.Tuple(items)


def _stand_in_class(name, fields, box):
    return type(name, (tuple,), {"_fields": fields, "__slots__": (), "__pyopt_box__": staticmethod(box)})


def _opened(value):
    """Give a field as a box function has it."""
    own = getattr(type(value), "__pyopt_own__", None)
    if own is not None:
        return own.opened(value)
    return tuple(map(_opened, value)) if type(value) is tuple else value


def _boxed(value):
    """Make the object that a field is."""
    own = getattr(type(value), "__pyopt_own__", None)
    if own is not None:
        return own.box(value)
    return tuple(map(_boxed, value)) if type(value) is tuple else value


def maker_of(kind):
    """Give a function that makes the object that compiled code takes for a value of the type of a field."""
    if kind == types.float64:
        return float
    if isinstance(kind, types.Boolean):
        return bool
    return partial(object_of, kind)


def object_of(kind, value):
    """Make the object that compiled code takes for a value of the type of a field."""
    import numpy as np

    if isinstance(kind, types.Integer):
        bits = kind.bitwidth
        value &= (1 << bits) - 1
        value -= (1 << bits) if kind.signed and value >> (bits - 1) else 0
        return value if kind == types.int64 else np.dtype(kind.name).type(value)
    if isinstance(kind, types.Boolean):
        return bool(value)
    if isinstance(kind, types.Float):
        return float(value) if kind == types.float64 else np.dtype(kind.name).type(value)
    if isinstance(kind, types.Complex):
        value = complex(*value) if isinstance(value, list) else value
        return complex(value) if kind == types.complex128 else np.dtype(kind.name).type(value)
    if isinstance(kind, (types.CPointer, types.RawPointer)):
        return _pointer(kind, value)
    if isinstance(kind, types.PyObject):
        return hold(value)
    if isinstance(kind, types.Literal) and value == kind.literal_value:
        return value
    if (
        isinstance(kind, types.BaseTuple)
        and isinstance(value, (list, tuple))
        and len(value) == len(kind.types)
    ):
        made = [object_of(one, item) for one, item in zip(kind.types, value, strict=True)]
        return kind.instance_class(*made) if isinstance(kind, types.BaseNamedTuple) else tuple(made)
    own = own_type(kind)
    if own is not None and isinstance(value, (list, own.stand_in)):
        return own.made_of(value) if isinstance(value, list) else value
    found = types.argument_type(value)
    if found == kind:
        return value
    if not is_view_of(found, kind):
        raise TypeError(f"a field of the type {kind} is unboxed as {found}")
    return as_kind(value, kind)


def is_view_of(found, kind):
    """Whether an array of a type is one of another one, which says less of strides and of who may write."""
    return (
        isinstance(found, types.Array)
        and isinstance(kind, types.Array)
        and (found.dtype, found.ndim) == (kind.dtype, kind.ndim)
        and kind.layout in ("A", found.layout)
        and found.mutable >= kind.mutable
    )


def _pointer(kind, value):
    """Make the object of ``ctypes`` for an address."""
    import ctypes

    from pyopt.c_types import to_ctypes

    address = ctypes.c_void_p(value if isinstance(value, int) else 0)
    return ctypes.cast(address, to_ctypes(kind))


def own_type(type):
    """Give what is known of a type that has a model; None for any other type."""
    found = _by_object.get(id(type))
    if found is not None:
        return found
    kind = type.__class__
    model = None if kind.__module__.startswith("pyopt.types") else _nearest(_models, kind)
    return None if model is None else _known(type, kind, model)


def _known(type, kind, model):
    # One class for each type, whichever thread asks first: the class is part of the compiler's form.
    with _lock:
        known = _own_types.get((kind, type.key))
        if known is None:
            known = _own_types[kind, type.key] = _OwnType(type, model)
            enter_text(known.text, type)
            # What is asked for at each conversion is found without asking the type for its key.
            _by_object[id(known.type)] = known
    return known


def text_of(type):
    """Give the compiler's form of a type that has a model; None for any other type."""
    own = own_type(type)
    return own and own.text


def members_of(type):
    """Give names and types of the fields of a type that has a model; None for any other type."""
    own = own_type(type)
    return own and own.members


def stand_in(object, notes=None):
    """Give what stands for an object of an own type as an argument; None for any other object.

    Who makes a copy of it notes what the call's other arguments may have, too.
    """
    kind = type(object)
    taker = takers.get(kind) if notes is not None else None
    if taker is None and notes is not None and is_of_no_extension(kind):
        taker = _taker_of_class(kind)
    taken = None if taker is None else taker(object, notes)
    if taken is not None:
        return taken
    if kind in takers and not hasattr(kind, "__dataclass_fields__"):
        # A global.
        return None
    function = _typeofs.get(kind) or _nearest(_typeofs, kind)
    if function is None and (hasattr(kind, "__members__") or hasattr(object, "__members__")):
        # What compiled code has for enumerations.
        from pyopt import enums  # noqa: F401

        function = _nearest(_typeofs, kind)
    if function is None and hasattr(kind, "__dataclass_fields__"):
        from pyopt import data_classes

        data_classes.enter(kind)
        function = _typeofs.get(kind)
    if function is None and kind is frozenset:
        from pyopt import frozen_sets  # noqa: F401

        function = _typeofs.get(kind)
    if function is None and kind.__module__ == "collections":
        from pyopt import collection_arguments  # noqa: F401

        function = _typeofs.get(kind)
    if function is None and kind in _BUFFERS:
        from pyopt import buffers  # noqa: F401

        function = _typeofs.get(kind)
    if function is None and hasattr(kind, "_numba_type_") and not kind.__module__.startswith("pyopt"):
        # Numba's other way, for objects that know their types; those of our own ask what asks here.
        function = _own_answer
    found = None if function is None else function(object, None)
    if found is None:
        return None
    own = own_type(found)
    if own is None:
        raise TypingError(f"the type {found} of a '{type(object).__name__}' has no model")
    return own.unbox(object)


def is_of_no_extension(kind):
    """Whether no class that one is derived from has types of an extension's, whose matter its objects are."""
    return all(one in takers for one in kind.__mro__ if one in _typeofs)


def _taker_of_class(kind):
    """Give what copies instances of a class that has nothing else; None for any other class."""
    if not kind.__flags__ & HEAP_TYPE:
        return None
    from pyopt import extensions

    # One that is loaded with the first compilation would come too late.
    extensions.load()
    if not is_of_no_extension(kind):
        return None
    if hasattr(kind, "__dataclass_fields__"):
        from pyopt import data_classes

        data_classes.enter(kind)
        return takers.get(kind)
    from pyopt import bindings, plain_classes

    if not bindings.is_of_program(kind.__module__):
        return None
    if not plain_classes.is_plain(kind):
        return None
    plain_classes.enter(kind)
    return takers.get(kind)


def _own_answer(object, context):
    return object._numba_type_


def make_attribute_wrapper(typeclass, struct_attr, python_attr):
    """Let compiled code read a field of values of a class of types as an attribute."""
    from pyopt.extending import register_native

    def attribute(context, type):
        fields = dict(members_of(type) or ())
        if struct_attr not in fields:
            raise TypingError(f"{type} has no field '{struct_attr}'")

        def generate(context, builder, signature, arguments):
            opened = context.make_helper(builder, type, arguments[0])
            return getattr(opened, struct_attr)

        return fields[struct_attr](type), generate

    register_native(f"attribute:{python_attr}", attribute, typeclass)


def type_callable(function):
    """Be the decorator of what types calls of a function; ``lower_builtin`` has the code.

    The decorated function gets a typing context and gives a function of the arguments' types, which gives the
    result's type, a signature, or None.
    """
    from inspect import signature as parameters

    from pyopt.extending import name_of, register_native

    if isinstance(function, str):
        # One of Numba's own names for what its compiler does.
        if function == "__array_wrap__":
            from pyopt.array_like import register_wrap_type

            return register_wrap_type
        return lambda factory: factory
    name = name_of(function)

    def enter(factory):
        def typed(context, *arguments):
            typer = factory(context)
            try:
                parameters(typer).bind(*arguments)
            except TypeError as error:
                raise TypingError(str(error)) from None
            found = typer(*arguments)
            if found is None:
                return None
            signature = found if isinstance(found, types.Signature) else found(*arguments)
            return signature, implementation(name, signature)

        typed.origin = factory
        register_native(name, typed, None)
        return factory

    return enter


def lower_builtin(function, *kinds):
    """Be the decorator of the code of a function whose calls ``type_callable`` types."""
    from pyopt.extending import name_of

    def enter(implementation):
        if isinstance(function, str):
            if function in ("__array__", "__array_wrap__"):
                from pyopt.array_like import register

                register(function, kinds, implementation)
                return implementation
            if function == "iternext":
                # What iterates over own types is there as soon as there are some that can be iterated over.
                from pyopt import own_iterators  # noqa: F401
        key = function if isinstance(function, str) else name_of(function)
        _implementations.setdefault(key, []).insert(0, (kinds, implementation))
        return implementation

    return enter


def implementation(name, signature):
    """Give the code that ``lower_builtin`` has for calls of what a name stands for."""
    for kinds, code in _implementations.get(name, ()):
        if _fit(kinds, signature.args):
            return code
    raise TypingError(f"no lower_builtin has code for {signature}")


def implementation_of(function, signature):
    """Give the code that ``lower_builtin`` has for calls of a function; None if it has none."""
    from pyopt.extending import name_of

    try:
        return implementation(function if isinstance(function, str) else name_of(function), signature)
    except TypingError:
        return None


def _fit(kinds, arguments):
    if kinds and isinstance(kinds[-1], types.VarArg):
        kinds = kinds[:-1] + (kinds[-1].dtype,) * (len(arguments) - len(kinds) + 1)
    return len(kinds) == len(arguments) and all(map(_is_one, kinds, arguments))


def _is_one(kind, argument):
    """Whether a type is one that code is for."""
    if isinstance(kind, types.SliceType) and isinstance(argument, types.SliceType):
        # Numba has two types: what isn't said has a value that stands for it.
        return kind.has_step == argument.has_step
    return kind is types.Any or (isinstance(argument, kind) if isinstance(kind, type) else kind == argument)


# Objects of classes that are found out about when the first one is met are asked about from the start.
_core.set_unboxing(stand_in)
