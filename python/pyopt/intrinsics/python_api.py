"""Python's API for box and unbox functions, under the names of Numba's ``c.pyapi``.

References aren't counted: what is done is done by Python code, which holds its objects.
"""

import operator

from pyopt import types
from pyopt.intrinsics import boundary
from pyopt.intrinsics.context import Context
from pyopt.intrinsics.interpreter import NULL, constant_object
from pyopt.intrinsics.ir import Constant, DoubleType, IntType
from pyopt.own_types import NativeValue, is_view_of, kept_type

_OBJECT = boundary.BYTE_POINTER


class BoxingContext:
    """What a box or unbox function gets: ``context``, ``builder``, ``pyapi``."""

    def __init__(self, builder):
        """Begin to write."""
        self.builder = builder
        self.context = _ObjectContext()
        self.pyapi = PythonApi(builder)
        self.env_manager = None

    def unbox(self, type, object):
        """Write what makes a value of a type of an object."""
        return self.pyapi.to_native_value(type, object)

    def box(self, type, value):
        """Write what makes an object of a value of a type."""
        return self.pyapi.from_native_value(type, value)


class _ObjectContext(Context):
    """What a box or unbox function gets as its context: addresses of objects are these."""

    def add_dynamic_addr(self, builder, intaddr, info):
        """Write the object at an address, as ``id`` has it: it is kept from then on."""
        import ctypes

        kept = ctypes.cast(intaddr, ctypes.py_object).value
        return builder.emit(_OBJECT, "python", action=lambda run: kept)


class _ApiCall:
    """Calls a Python function; an exception is set, and gives ``failure``."""

    def __init__(self, compute, failure):
        self.compute = compute
        self.failure = failure


def _with_known(compute, operands, is_value):
    """Give a function of those operands alone that are values."""
    first = len([one for one in is_value if one])
    if all(is_value[:first]):
        known = operands[first:]
        return lambda *values: compute(*values, *known)

    def computed(*values):
        values = iter(values)
        given = [next(values) if known else one for one, known in zip(operands, is_value, strict=True)]
        return compute(*given)

    return computed


def _function(compute, result=_OBJECT, failure=NULL):
    """Make a method that calls a function on objects; if that raises, the result is ``failure``."""

    def method(self, *operands):
        return self._call(compute, result, failure, *operands)

    method.__doc__ = "Call the function of the API of this name."
    return method


def _real_number(object):
    """Convert as ``PyFloat_AsDouble`` does: unlike Python's class, it doesn't read texts."""
    if isinstance(object, (str, bytes, bytearray)):
        raise TypeError(f"must be real number, not {object.__class__.__name__}")
    return float(object)


def _set_item(object, index, value):
    object[index] = value
    return 0


def _set_attribute(object, name, value):
    setattr(object, name, value)
    return 0


class PythonApi:
    """Writes calls on objects. Names and numbers may be Python's own instead of values."""

    pyobj = _OBJECT
    voidptr = _OBJECT
    py_ssize_t = long = longlong = IntType(64)

    def __init__(self, builder):
        """Write where a builder does."""
        self.builder = builder

    def __getattr__(self, name):
        """Refuse what isn't there, by name."""
        raise NotImplementedError(f"'pyapi.{name}' in a box or unbox function")

    def _call(self, compute, result, failure, *operands):
        """Write a call of a Python function; an exception is set, and gives ``failure``."""
        from pyopt.intrinsics.ir import Value

        is_value = [isinstance(one, Value) for one in operands]
        written = [one for one, known in zip(operands, is_value, strict=True) if known]
        if not all(is_value):
            compute = _with_known(compute, operands, is_value)
        return self.builder.emit(result, "python", *written, action=_ApiCall(compute, failure))

    def get_null_object(self):
        """Give the null pointer."""
        return Constant(_OBJECT, None)

    def _object(self, object):
        return self.builder.emit(_OBJECT, "python", action=lambda run: object)

    def serialize_object(self, object):
        """Keep an object for ``unserialize``."""
        return object

    def unserialize(self, kept):
        """Give an object that was kept."""
        return self._object(kept)

    def make_none(self):
        """Give None."""
        return self._object(None)

    borrow_none = make_none

    def incref(self, object):
        """Write nothing."""

    decref = incref

    def err_occurred(self):
        """Give the exception that is set, or null."""
        return self.builder.emit(_OBJECT, "python", action=lambda run: run.pending or NULL)

    def err_clear(self):
        """Forget the exception that is set."""

        def clear(run):
            run.pending = None

        self.builder.emit(None, "python", action=clear)

    def err_set_string(self, kind, message):
        """Set an exception of a class, or of the builtin one of a name."""
        import builtins

        kind = getattr(builtins, kind.removeprefix("PyExc_")) if isinstance(kind, str) else kind

        def set_error(run):
            run.pending = kind(message)

        self.builder.emit(None, "python", action=set_error)

    def err_format(self, kind, message, *arguments):
        """Set an exception, with a message as it is."""
        self.err_set_string(kind, message)

    object_getattr_string = object_getattr = _function(getattr)
    object_setattr_string = object_setattr = _function(_set_attribute, IntType(32), (1 << 32) - 1)
    object_getitem = sequence_getitem = dict_getitem = dict_getitem_string = _function(operator.getitem)
    tuple_getitem = list_getitem = _function(operator.getitem)
    object_setitem = dict_setitem = dict_setitem_string = _function(_set_item, IntType(32), (1 << 32) - 1)
    object_str = _function(str)
    object_istrue = _function(lambda one: int(bool(one)), IntType(32), (1 << 32) - 1)
    get_type = _function(type)
    tuple_size = list_size = _function(len, IntType(64), (1 << 64) - 1)
    number_float = _function(float)
    number_long = _function(int)
    float_as_double = _function(_real_number, DoubleType(), -1.0)
    float_from_double = _function(lambda one: one)
    long_as_longlong = long_as_ulonglong = number_as_ssize_t = _function(
        lambda one: operator.index(one) & ((1 << 64) - 1), IntType(64), (1 << 64) - 1
    )
    long_as_voidptr = _function(lambda one: operator.index(one) & ((1 << 64) - 1), _OBJECT, NULL)
    long_from_longlong = long_from_ssize_t = long_from_long = _function(
        lambda one: one - (1 << 64) if one >> 63 else one
    )
    long_from_ulonglong = _function(lambda one: one)
    bool_from_bool = _function(bool)
    string_from_constant_string = string_from_string = _function(str)
    dict_new = _function(lambda size=0: {})
    list_new = _function(lambda size: [None] * size)
    import_module_noblock = import_module = _function(__import__)

    def tuple_pack(self, items):
        """Make a tuple."""
        return self._call(lambda *items: items, _OBJECT, NULL, *items)

    def call_function_objargs(self, callee, arguments):
        """Call an object."""
        return self._call(lambda callee, *given: callee(*given), _OBJECT, NULL, callee, *arguments)

    def call_method(self, callee, method, objargs=()):
        """Call a method of an object."""
        return self._call(
            lambda object, *given: getattr(object, method)(*given), _OBJECT, NULL, callee, *objargs
        )

    def to_native_value(self, type, object):
        """Write what makes a value of a type of an object."""
        kind = boundary.value_type(kept_type(type))
        # Behind an error the code goes on, as machine code does, until it asks for the error.
        failure = [constant_object(kind, None), 1]
        pair = self._call(lambda one: [_unboxed(type, one), 0], _OBJECT, failure, object)
        value = self.builder.emit(kind, "python", pair, action=lambda run, pair: pair[0])
        error = self.builder.emit(IntType(1), "python", pair, action=lambda run, pair: pair[1])
        return NativeValue(value, is_error=error)

    def call_jit_code(self, function, signature, arguments):
        """Write a call of a function as compiled code: whether it raised, and what it gave."""
        from pyopt import njit
        from pyopt.own_types import object_of

        compiled = njit(function)
        kinds = signature.args

        def compute(*values):
            given = [object_of(kind, value) for kind, value in zip(kinds, values, strict=True)]
            return [0, _unboxed(signature.return_type, compiled(*given))]

        kind = boundary.value_type(signature.return_type)
        pair = self._call(compute, _OBJECT, [1, constant_object(kind, None)], *arguments)
        error = self.builder.emit(IntType(1), "python", pair, action=lambda run, pair: pair[0])
        value = self.builder.emit(kind, "python", pair, action=lambda run, pair: pair[1])
        return error, value

    def from_native_value(self, type, value, env_manager=None):
        """Write what makes an object of a value of a type."""
        return self._call(lambda one: _boxed(type, one), _OBJECT, NULL, value)


def _unboxed(type, object):
    from pyopt.own_types import own_type

    own = own_type(type)
    if own is not None:
        return own.unbox(object)
    if isinstance(type, types.Boolean):
        return int(bool(object))
    if isinstance(type, types.RawPointer):
        return operator.index(object) & ((1 << 64) - 1)
    if isinstance(type, types.Integer):
        number = operator.index(object)
        if not type.minval <= number <= type.maxval:
            raise OverflowError(f"{number} doesn't fit {type}")
        return number & ((1 << type.bitwidth) - 1)
    if isinstance(type, types.Float):
        # As Numba's: through ``PyNumber_Float``, which reads texts.
        return float(object)
    if isinstance(type, types.Complex):
        number = complex(_real_number(object) if isinstance(object, str) else object)
        return [number.real, number.imag]
    if object is NULL:
        raise SystemError(f"there is no object to unbox as {type}: an earlier call failed")
    if isinstance(type, types.BaseTuple) and isinstance(object, tuple) and len(object) == len(type.types):
        return [_unboxed(one, item) for one, item in zip(type.types, object, strict=True)]
    if isinstance(type, types.Literal) and object == type.literal_value:
        return object
    found = types.argument_type(object)
    if found != type and not is_view_of(found, type):
        raise TypeError(f"expected {type}, got {found}")
    return object


def _boxed(type, value):
    from pyopt.own_types import object_of, own_type

    own = own_type(type)
    if own is not None:
        return own.box(value) if isinstance(value, (list, own.stand_in)) else value
    if isinstance(type, types.BaseTuple) and not isinstance(type, types.BaseNamedTuple):
        return tuple(_boxed(one, item) for one, item in zip(type.types, value, strict=True))
    made = object_of(type, value)
    # As Numba's: numbers are Python's own.
    return made.item() if isinstance(type, types.Number) and hasattr(made, "item") else made
