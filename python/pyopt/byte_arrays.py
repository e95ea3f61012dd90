# The bodies of methods are named as these, and say what they do.
# ruff: noqa: D103
"""``bytearray`` that compiled code makes: a list of bytes in a structure, as typed containers are.

A bytearray that is an argument is seen where it is (``pyopt.buffers``), and so keeps its size.
"""

import operator

from pyopt import njit, own_types, types
from pyopt.buffers import BufferType, byte
from pyopt.containers import Container, held, maker_of, method
from pyopt.errors import TypingError
from pyopt.extending import overload, overload_method
from pyopt.once import once
from pyopt.structures import SharedInstance, define_shared


class ByteArrayType(Container):
    """The type of a ``bytearray`` that was made in compiled code."""

    shown, maker = "bytearray", "list_new"
    equals_its_class = False

    def __init__(self):
        """Describe it."""
        super().__init__(types.List(types.uint8), types.uint8)


TYPE = ByteArrayType()
_make = maker_of(TYPE)


class _Shared(SharedInstance):
    __slots__ = ()


define_shared(ByteArrayType, _Shared)


@njit
def _content(self):
    return bytes([int(byte) for byte in held(self)])


@own_types.box(ByteArrayType)
def _(type, memory):
    return bytearray(_content(_Shared._numba_box_(type, memory)))


@njit
def _byte(value):
    if isinstance(value, float):
        raise TypeError("'float' object cannot be interpreted as an integer")
    return types.uint8(byte(value))


@njit
def _of(items):
    made = _make()
    for item in items:
        held(made).append(_byte(item))
    return made


@njit
def _zeros(count):
    if count < 0:
        raise ValueError("negative count")
    made = _make()
    held(made).extend([types.uint8(0)] * count)
    return made


@overload(bytearray, strict=False)
def _(source=None, encoding=None, errors="strict"):
    _enter_operators()
    if source is None:
        return lambda *nothing: _make()
    if isinstance(source, types.UnicodeType):
        if encoding is None:
            raise TypingError("string argument without an encoding")
        return lambda source, encoding="utf-8", errors="strict": _of(source.encode(encoding, errors))
    if isinstance(source, (types.Integer, types.Boolean)):
        return lambda source: _zeros(source)
    if isinstance(source, ByteArrayType):
        return lambda source: source.copy()
    if isinstance(source, (types.Float, types.Complex, types.NoneType)):
        raise TypingError(f"cannot convert '{source}' object to bytearray")
    return lambda source: _of(source)


@overload(bytes, strict=False)
def _(source):
    return (lambda source: _content(source)) if isinstance(source, ByteArrayType) else None


def _is_bytes(type):
    return isinstance(type, (ByteArrayType, BufferType, types.Bytes))


@once
def _enter_operators():
    """Enter what operators do with bytearrays, when the first one is made."""
    for function in (operator.eq, operator.ne, operator.lt, operator.le, operator.gt, operator.ge):
        overload(function, strict=False)(_comparison(function))
    overload(operator.add, strict=False)(_add)
    overload(operator.mul, strict=False)(_mul)
    overload(operator.iadd, strict=False)(_iadd)
    overload(operator.getitem, strict=False)(_getitem)
    overload(operator.setitem, strict=False)(_setitem)
    overload(operator.contains, strict=False)(_contains)


def _comparison(function):
    def implement(left, right):
        if not (isinstance(left, ByteArrayType) and _is_bytes(right)):
            if not (isinstance(right, ByteArrayType) and _is_bytes(left)):
                return None
        return lambda left, right: function(bytes(left), bytes(right))

    return implement


def _add(left, right):
    if isinstance(left, ByteArrayType) and _is_bytes(right):

        def add(left, right):
            made = left.copy()
            made.extend(right)
            return made

        return add
    if isinstance(right, ByteArrayType) and isinstance(left, types.Bytes):
        return lambda left, right: left + bytes(right)
    return None


def _mul(left, right):
    if isinstance(left, ByteArrayType) and isinstance(right, types.Integer):
        return lambda left, right: _repeated(left, right)
    if isinstance(right, ByteArrayType) and isinstance(left, types.Integer):
        return lambda left, right: _repeated(right, left)
    return None


@njit
def _repeated(self, count):
    made = _make()
    items = held(self)[:]
    held(made).extend(items * count)
    return made


def _iadd(left, right):
    if not isinstance(left, ByteArrayType):
        return None

    def iadd(left, right):
        left.extend(right)
        return left

    return iadd


@method(ByteArrayType)
def __len__(self):
    return len(held(self))


@method(ByteArrayType)
def __bool__(self):
    return len(held(self)) > 0


@method(ByteArrayType)
def __iter__(self):
    return [int(byte) for byte in held(self)]


@njit
def _slice(self, index):
    made = _make()
    held(made).extend(held(self)[index])
    return made


@njit
def _set_slice(self, index, items):
    held(self)[index] = held(_of(items))


@njit
def _item(self, index):
    return int(held(self)[_checked(self, index)])


@njit
def _checked(self, index):
    size = len(held(self))
    if index < -size or index >= size:
        raise IndexError("bytearray index out of range")
    return index


@njit
def _set_byte(self, index, item):
    held(self)[_checked(self, index)] = _byte(item)


def _getitem(self, index):
    if not isinstance(self, ByteArrayType):
        return None
    return _slice if isinstance(index, types.SliceType) else lambda self, index: _item(self, index)


def _setitem(self, index, item):
    if not isinstance(self, ByteArrayType):
        return None
    body = _set_slice if isinstance(index, types.SliceType) else _set_byte
    return lambda self, index, item: body(self, index, item)


def _contains(self, item):
    if not isinstance(self, ByteArrayType):
        return None
    if _is_bytes(item):
        return lambda self, item: bytes(item) in _content(self)
    return lambda self, item: _byte(item) in held(self)


@method(ByteArrayType)
def __delitem__(self, index):
    del held(self)[index]


@method(ByteArrayType)
def append(self, item):
    held(self).append(_byte(item))


@overload_method(ByteArrayType, "extend")
def _(self, iterable):
    def extend(self, iterable):
        for item in iterable:
            held(self).append(_byte(item))

    # It may be the same one.
    return (lambda self, iterable: extend(self, bytes(iterable))) if _is_bytes(iterable) else extend


@method(ByteArrayType)
def insert(self, index, item):
    held(self).insert(index, _byte(item))


@method(ByteArrayType)
def pop(self, index=-1):
    if len(held(self)) == 0:
        raise IndexError("pop from empty bytearray")
    return int(held(self).pop(index))


@method(ByteArrayType)
def remove(self, value):
    if value not in held(self):
        raise ValueError("value not found in bytearray")
    held(self).remove(value)


@method(ByteArrayType)
def reverse(self):
    held(self).reverse()


@method(ByteArrayType)
def clear(self):
    held(self).clear()


@method(ByteArrayType)
def copy(self):
    made = _make()
    held(made).extend(held(self))
    return made


def _as_of_bytes(name, makes_bytes):
    """Let bytearrays have a method of bytes."""
    call = f"content(self).{name}(*args)"
    scope = {"content": _content, "of": _of}
    exec(f"def body(self, *args):\n    return {f'of({call})' if makes_bytes else call}\n", scope)
    overload_method(ByteArrayType, name, strict=False)(lambda self, *args: scope["body"])


for _name in (
    "count decode endswith find hex index isalnum isalpha isascii isdigit islower isspace istitle isupper "
    "rfind rindex startswith"
).split():
    _as_of_bytes(_name, makes_bytes=False)
for _name in (
    "capitalize center expandtabs ljust lower lstrip removeprefix removesuffix replace rjust rstrip strip "
    "swapcase title upper zfill"
).split():
    _as_of_bytes(_name, makes_bytes=True)
