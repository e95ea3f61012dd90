"""``bytearray``, ``memoryview`` and ``array.array`` in compiled code: an array that sees their memory.

They are no arrays to programs: what an array does otherwise, such as adding, compiled code doesn't do with
them. Nothing resizes one, as its memory is in use while compiled code runs.
"""

import operator
from array import array
from functools import cache

import numpy as np

from pyopt import njit, own_types, types
from pyopt.errors import TypingError
from pyopt.extending import intrinsic, overload, overload_attribute, overload_method
from pyopt.intrinsics import InMlir
from pyopt.once import once


class BufferType(types.Type):
    """The type of objects of a class whose memory is seen as an array."""

    def __init__(self, kind, seen):
        """Describe objects of a class."""
        self.kind = kind
        self.seen = seen
        types.Type.__init__(self, f"{kind.__name__}({seen})")
        for name in ("dtype", "ndim", "layout", "mutable", "aligned"):
            setattr(self, name, getattr(seen, name))


class _ByteArray(BufferType, types.ByteArray):
    pass


class _MemoryView(BufferType, types.MemoryView):
    pass


class _PyArray(BufferType, types.PyArray):
    pass


_CLASSES = {bytearray: _ByteArray, memoryview: _MemoryView, array: _PyArray}


@own_types.register_model(BufferType)
class _Model(own_types.DirectModel):
    def __init__(self, dmm, fe_type):
        super().__init__(dmm, fe_type, [("memory", fe_type.seen)])


def _seen(buffer):
    """Give the array that sees a buffer."""
    if isinstance(buffer, memoryview):
        return np.asarray(buffer)
    dtype = buffer.typecode if isinstance(buffer, array) else np.uint8
    return np.frombuffer(buffer, dtype) if len(buffer) else np.empty(0, dtype)


own_types.unbox(BufferType)(_seen)


@own_types.box(BufferType)
def _(type, memory):
    if type.kind is memoryview:
        return memoryview(memory)
    if type.kind is bytearray:
        return bytearray(memory)
    return array(memory.dtype.char, memory.tobytes())


_BODIES = {bytearray: lambda self: bytearray, memoryview: lambda self: memoryview}


@overload_attribute(BufferType, "__class__", strict=False)
def _(self):
    return _BODIES.get(self.kind)


_type_of = cache(lambda kind, seen: _CLASSES[kind](kind, seen))


def _typeof(buffer, context=None):
    _enter_operators()
    return _type_of(type(buffer), types.argument_type(_seen(buffer)))


for _kind in own_types._BUFFERS:
    own_types.typeof_impl.register(_kind, _typeof)


@intrinsic
def memory_of(typingctx, buffer):
    """Give the array that sees a buffer."""
    if not isinstance(buffer, BufferType):
        raise TypingError(f"{buffer} is no buffer")
    seen = buffer.seen.text
    lines = [
        f"%fields = typed.as_tuple %arg0 : {buffer.text}",
        f"%memory = typed.tuple_get %fields[0] : tuple<{seen}> -> {seen}",
        f"return %memory : {seen}",
    ]
    return buffer.seen(buffer), InMlir(lines)


@intrinsic
def buffer_of(typingctx, memory, like):
    """Give an array as a buffer of the class of another one."""
    made = _type_of(like.kind, memory)
    return made(memory, like), InMlir(_wrapping(made))


@intrinsic
def _view_of(typingctx, memory):
    """Give an array as a memoryview."""
    made = _type_of(memoryview, memory)
    return made(memory), InMlir(_wrapping(made))


def _wrapping(made):
    return [
        f"%fields = typed.tuple(%arg0) : tuple<{made.seen.text}>",
        f"%made = typed.as_sequence %fields : {made.text}",
        f"return %made : {made.text}",
    ]


@overload(memoryview, strict=False)
def _(object):
    _enter_operators()
    if isinstance(object, BufferType):
        return lambda object: _view_of(memory_of(object))
    if isinstance(object, types.Bytes):
        return lambda object: _view_of(np.frombuffer(object, np.uint8))
    if isinstance(object, types.Array):
        return lambda object: _view_of(object)
    what = "bytes, arrays and buffers that were passed"
    raise TypingError(f"compiled code makes memoryviews of {what}, not of {object}")


@once
def _enter_operators():
    """Enter what operators do with buffers, when the first one is met."""
    for function, body in (
        (len, lambda buffer: len(memory_of(buffer))),
        (iter, lambda buffer: memory_of(buffer)),
        (bool, lambda buffer: len(memory_of(buffer)) > 0),
    ):
        overload(function, strict=False)(_for_buffers(body))
    overload(operator.contains, strict=False)(_contains)
    overload(operator.getitem)(_getitem)
    overload(operator.setitem)(_setitem)
    overload(operator.eq)(_equals(False))
    overload(operator.ne)(_equals(True))
    overload(np.frombuffer, strict=False)(_frombuffer)
    overload(bytes, strict=False)(_bytes)


def _for_buffers(body):
    return lambda buffer, *others: body if isinstance(buffer, BufferType) else None


@njit
def byte(value):
    """Give an int that is a byte; an error for any other one."""
    if value < 0 or value > 255:
        raise ValueError("byte must be in range(0, 256)")
    return value


def _contains(buffer, item):
    if not isinstance(buffer, BufferType):
        return None
    if not (buffer.kind is bytearray and isinstance(item, types.Integer)):
        return lambda buffer, item: item in memory_of(buffer)
    return lambda buffer, item: byte(item) in memory_of(buffer)


# What CPython says of an index that is outside, by the class, for reading and for writing.
_OUTSIDE = {
    bytearray: ("bytearray index out of range",) * 2,
    memoryview: ("index out of bounds on dimension 1",) * 2,
    array: ("array index out of range", "array assignment index out of range"),
}


@cache
def _checker(text):
    @njit
    def checked(buffer, index):
        size = len(memory_of(buffer))
        if index < -size or index >= size:
            raise IndexError(text)
        return index

    return checked


@njit
def _unchecked(buffer, index):
    return index


def _checked(buffer, index, writing=False):
    """Give what checks an index: Python's objects never reach outside of their memory."""
    is_place = isinstance(index, types.Integer) and buffer.seen.ndim == 1
    return _checker(_OUTSIDE[buffer.kind][writing]) if is_place else _unchecked


def _getitem(buffer, index):
    if not isinstance(buffer, BufferType):
        return None
    if not isinstance(index, types.SliceType):
        checked = _checked(buffer, index)
        return lambda buffer, index: memory_of(buffer)[checked(buffer, index)]
    if buffer.kind is memoryview:
        return lambda buffer, index: buffer_of(memory_of(buffer)[index], buffer)
    return lambda buffer, index: buffer_of(memory_of(buffer)[index].copy(), buffer)


def _setitem(buffer, index, item):
    if not isinstance(buffer, BufferType):
        return None
    if not buffer.seen.mutable:
        raise TypingError(f"cannot modify read-only memory: {buffer}")
    if isinstance(index, types.SliceType):
        return _slice_setter(buffer, item)
    checked = _checked(buffer, index, writing=True)
    if buffer.kind is bytearray:

        def set_byte(buffer, index, item):
            place = checked(buffer, index)
            memory_of(buffer)[place] = byte(item)

        return set_byte

    def set_item(buffer, index, item):
        memory_of(buffer)[checked(buffer, index)] = item

    return set_item


# What CPython raises when a slice would get another size, by the class: a memoryview has its size, the others
# can't be resized while their memory is in use, as it is here.
_RESIZED = {
    bytearray: (BufferError, "Existing exports of data: object cannot be re-sized"),
    memoryview: (ValueError, "memoryview assignment: lvalue and rvalue have different structures"),
    array: (BufferError, "cannot resize an array that is exporting buffers"),
}


def _slice_setter(buffer, item):
    """Give what assigns to a slice of a buffer."""
    if buffer.seen.ndim != 1:
        raise TypingError("compiled code assigns to slices of buffers of one dimension")
    raised, text = _RESIZED[buffer.kind]
    contents = _contents_for(buffer, item)

    def set_slice(buffer, index, item):
        new = contents(item)
        place = memory_of(buffer)[index]
        if len(new) != len(place):
            raise raised(text)
        for at in range(len(new)):
            place[at] = new[at]

    return set_slice


def _contents_for(buffer, item):
    """Give what copies the items that a slice of a buffer takes, which may be in the same memory."""
    if isinstance(item, BufferType):
        takes = item.seen.ndim == 1 and item.seen.dtype == buffer.seen.dtype
        if takes and (buffer.kind is not array or item.kind is array):
            return _copied
    elif buffer.seen.dtype == types.uint8 and buffer.kind is not array:
        if isinstance(item, types.Bytes) or getattr(item, "shown", None) == "bytearray":
            return _bytes_of
        if isinstance(item, types.List) and buffer.kind is bytearray:
            return _bytes_of_ints
    raise TypingError(f"a slice of {buffer} isn't assigned from {item} in compiled code")


@njit
def _copied(item):
    return memory_of(item).copy()


@njit
def _bytes_of(item):
    return bytes(item)


@njit
def _bytes_of_ints(item):
    return [byte(one) for one in item]


def _equals(negated):
    def implement(left, right):
        if isinstance(left, BufferType) and isinstance(right, types.Bytes):
            return _equals_bytes(
                left, lambda left, right: (bytes(memory_of(left).copy()) == right) != negated
            )
        if isinstance(left, types.Bytes) and isinstance(right, BufferType):
            return _equals_bytes(
                right, lambda left, right: (left == bytes(memory_of(right).copy())) != negated
            )
        if not (isinstance(left, BufferType) and isinstance(right, BufferType)):
            return None
        if left.seen.ndim != 1 or right.seen.ndim != 1:
            raise TypingError("compiled code compares buffers of one dimension")
        return lambda left, right: np.array_equal(memory_of(left), memory_of(right)) != negated

    return implement


def _equals_bytes(buffer, compare):
    """Give what compares a buffer with bytes; nothing for what never equals them."""
    is_of_bytes = buffer.seen.ndim == 1 and buffer.seen.dtype == types.uint8
    return compare if is_of_bytes and buffer.kind in (bytearray, memoryview) else None


def _frombuffer(buffer, dtype=float, count=-1, offset=0):
    if not isinstance(buffer, BufferType):
        return None

    def implement(buffer, dtype=np.float64, count=-1, offset=0):
        return np.frombuffer(memory_of(buffer), dtype, count, offset)

    return implement


def _bytes(source=b""):
    if not isinstance(source, BufferType) or source.seen.dtype != types.uint8:
        return None
    return lambda source=b"": bytes(memory_of(source))


def _constantly(body):
    return lambda self: body


for _name, _body in (
    ("tolist", lambda self: [item for item in memory_of(self)]),
    ("tobytes", lambda self: bytes(memory_of(self).copy().view(np.uint8))),
):
    overload_method(BufferType, _name)(_constantly(_body))

for _name, _body in (
    ("shape", lambda self: memory_of(self).shape),
    ("strides", lambda self: memory_of(self).strides),
    ("itemsize", lambda self: memory_of(self).itemsize),
    ("nbytes", lambda self: memory_of(self).nbytes),
    ("ndim", lambda self: memory_of(self).ndim),
    # A type says of one layout that the memory has it; it may have both.
    ("c_contiguous", lambda self: memory_of(self).flags.c_contiguous),
    ("f_contiguous", lambda self: memory_of(self).flags.f_contiguous),
    ("contiguous", lambda self: memory_of(self).flags.c_contiguous or memory_of(self).flags.f_contiguous),
):
    overload_attribute(BufferType, _name)(_constantly(_body))


@overload_attribute(BufferType, "readonly")
def _readonly(self):
    readonly = not self.seen.mutable
    return lambda self: readonly
