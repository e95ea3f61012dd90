"""``bytearray``, ``memoryview`` and ``array.array`` in compiled code, against CPython."""

import array
import copy

import numpy as np
import pytest
from differential.memory import growth

from pyopt import errors, njit

BUFFERS = [
    bytearray(b"abc"),
    bytearray(),
    memoryview(b"abcd"),
    memoryview(np.arange(5.0)),
    memoryview(np.arange(6, dtype=np.int16))[::2],
    array.array("i", [1, 2, 3]),
    array.array("d", [1.5, -2.5]),
    array.array("B"),
]


def plain(value):
    """Compare buffers by class and items."""
    if isinstance(value, (bytearray, memoryview, array.array)):
        return type(value), value.tolist() if hasattr(value, "tolist") else list(value)
    return [plain(one) for one in value] if isinstance(value, (tuple, list)) else value


def size(b):
    return len(b), bool(b), not b


def items(b):
    return [x for x in b], sum(b), list(b), sorted(b), max(b, default=0)


def ends(b):
    return b[0], b[-1], b[len(b) - 1]


def parts(b):
    return list(b[1:]), list(b[::-1]), b[:2]


def member(b):
    return 98 in b, b == b, b != b


@pytest.mark.parametrize("function", [size, items, ends, parts, member])
@pytest.mark.parametrize("buffer", BUFFERS, ids=lambda buffer: f"{type(buffer).__name__}-{len(buffer)}")
def test_reading(function, buffer):
    if function is ends and not len(buffer):
        with pytest.raises(IndexError):
            njit(boundscheck=True)(function)(buffer)
        return
    assert plain(njit(function)(buffer)) == plain(function(buffer))


def test_writing_is_seen():
    def write(b):
        b[0] = 65
        b[-1] = b[0] + 1
        return b[0]

    for buffer in (bytearray(b"abc"), array.array("d", [1, 2]), memoryview(bytearray(b"xyz"))):
        expected = copy.copy(buffer) if not isinstance(buffer, memoryview) else memoryview(bytearray(buffer))
        assert njit(write)(buffer) == write(expected)
        assert buffer == expected


def test_bytes_out_of_range():
    @njit
    def write(b, value):
        b[0] = value

    with pytest.raises(ValueError, match="byte must be in range"):
        write(bytearray(b"a"), 256)


def test_attributes():
    @njit
    def of_memoryview(b):
        return b.shape, b.strides, b.itemsize, b.nbytes, b.ndim, b.readonly, b.contiguous, b.tobytes()

    for view in (memoryview(b"abcd"), memoryview(np.arange(6, dtype=np.int16))[::2]):
        expected = (view.shape, view.strides, view.itemsize, view.nbytes, view.ndim, view.readonly)
        assert of_memoryview(view)[:6] == expected
        assert of_memoryview(view)[6] == view.contiguous

    @njit
    def contiguity(b):
        return b.c_contiguous, b.f_contiguous, b.contiguous

    # Memory may lie in both orders, though a type says one.
    cube = np.zeros((2, 3))
    for seen in (
        cube,
        cube.T,
        cube[:1],
        cube[:, :1],
        cube[:0],
        cube[0],
        cube[:, 1],
        np.zeros((1, 1)),
        cube.T[::2],
    ):
        view = memoryview(seen)
        assert contiguity(view) == (view.c_contiguous, view.f_contiguous, view.contiguous)


def test_buffers_as_arrays_and_bytes():
    @njit
    def seen(b):
        return np.frombuffer(b, np.uint8).sum(), bytes(b)

    assert seen(bytearray(b"abc")) == (294, b"abc")


@pytest.mark.parametrize("expression", ["b + b", "b * 2", "b < b", "b.append(1)"])
def test_what_arrays_do_otherwise_is_refused(expression):
    space = {}
    exec(f"def function(b):\n    return {expression}", space)
    with pytest.raises(errors.TypingError):
        njit(space["function"])(bytearray(b"abc"))


def test_read_only_memory_is_not_written():
    @njit
    def write(b):
        b[0] = 1

    with pytest.raises(errors.TypingError):
        write(memoryview(b"abc"))


def test_nothing_leaks():
    @njit
    def work(b):
        return sum(b), b[1:], bytes(b)

    buffer = bytearray(b"abcdef")
    assert growth(lambda: work(buffer)) == 0
    buffer.append(1)  # nobody holds its memory


@pytest.mark.parametrize(
    "buffer", [bytearray(b"abc"), memoryview(b"abc"), memoryview(b"xaxbxcx")[1::2], bytearray()]
)
@pytest.mark.parametrize("other", [b"abc", b"", b"abd"])
def test_buffers_of_bytes_equal_bytes(buffer, other):
    def compare(x, y):
        return x == y, y == x, x != y, y != x

    assert njit(compare)(buffer, other) == compare(buffer, other)


BUFFERS = (
    bytearray(b"abc"),
    memoryview(b"abc"),
    array.array("d", [1.5, 2.5, 3.5]),
    bytearray(),
    array.array("i"),
)


@pytest.mark.parametrize("buffer", BUFFERS, ids=lambda buffer: type(buffer).__name__)
@pytest.mark.parametrize("index", [-5, -4, -3, -1, 0, 2, 3, 100, 2**62])
def test_indices_are_checked(buffer, index):
    """Python's objects never reach outside of their memory, as NumPy's arrays may in compiled code."""

    def outcome(function, *arguments):
        try:
            return function(*arguments)
        except (IndexError, TypeError) as error:
            return type(error), str(error)

    def read(buffer, index):
        return buffer[index]

    def write(buffer, index):
        buffer[index] = 7
        return list(buffer)

    assert outcome(njit(read), buffer, index) == outcome(read, buffer, index)
    if not isinstance(buffer, memoryview):
        found, expected = buffer[:], buffer[:]
        assert outcome(njit(write), found, index) == outcome(write, expected, index)
        assert found == expected


@pytest.mark.parametrize("item", [0, 97, 255, 256, -1, 2**40])
def test_only_bytes_are_looked_for_in_a_bytearray(item):
    def found(buffer, item):
        return item in buffer

    for function in (found, njit(found)):
        if 0 <= item < 256:
            assert function(bytearray(b"abc"), item) is (item == 97)
        else:
            with pytest.raises(ValueError, match=r"byte must be in range\(0, 256\)"):
                function(bytearray(b"abc"), item)
    assert njit(found)(memoryview(b"abc"), item) is (item == 97)


def assigned_slices(b):
    b[1:3] = b"EL"
    b[-2:] = bytearray(b"XY")
    b[0:1] = [72]
    b[::2] = bytes(6)
    b[4:4] = b""
    m = memoryview(b)
    m[1:3] = b"zz"
    m[3:5] = m[4:6]
    b[1:5] = b[0:4]
    # Both are the same memory.
    m[2:8] = m[0:6]
    return bytes(b), m.tolist()


def assigned_from_itself(a):
    a[1:3] = a[2:4]
    a[:2] = a[2:]
    return a, sum(a)


def resized(b):
    b[1:3] = b[:1]


def no_byte(b):
    b[1:3] = [1, 300]


def test_slices_are_assigned():
    content = bytearray(b"hello world")
    own, other = bytearray(content), bytearray(content)
    assert plain(njit(assigned_slices)(own)) == plain(assigned_slices(other))
    assert own == other
    own, other = array.array("i", [1, 2, 3, 4]), array.array("i", [1, 2, 3, 4])
    assert plain(njit(assigned_from_itself)(own)) == plain(assigned_from_itself(other))
    with pytest.raises(ValueError, match=r"byte must be in range\(0, 256\)"):
        njit(no_byte)(bytearray(b"abcd"))


@pytest.mark.parametrize(
    "buffer",
    [bytearray(b"abcd"), memoryview(bytearray(b"abcd")), array.array("h", [1, 2, 3, 4])],
    ids=lambda one: type(one).__name__,
)
def test_slices_keep_their_size(buffer):
    # CPython says this where something else uses the memory, too.
    held = memoryview(buffer)
    with pytest.raises((BufferError, ValueError)) as expected:
        resized(buffer)
    held.release()
    with pytest.raises(expected.type) as found:
        njit(resized)(buffer)
    assert str(found.value) == str(expected.value)


def test_slices_of_other_types():
    def assign(b, item):
        b[:2] = item

    for buffer, item in (
        (bytearray(b"ab"), "ab"),
        (array.array("i", [1, 2]), b"ab"),
        (array.array("i", [1, 2]), array.array("h", [1, 2])),
        (memoryview(np.arange(2.0)), b"ab"),
        (memoryview(b"ab"), b"cd"),
    ):
        with pytest.raises(errors.TypingError):
            njit(assign)(buffer, item)


def viewed(b):
    m = memoryview(b)
    return (
        [m[1:4].tobytes(), m[2:] == b[2:], m == b, bytes(m[::-1]), m[0]],
        (len(m), m.readonly, m.nbytes, m.itemsize, m.shape),
        m.tolist(),
        sum(m),
        [x for x in m],
        m,
    )


@pytest.mark.parametrize(
    "content",
    [b"abcdef", bytearray(b"abcdef"), memoryview(b"abcdef")],
    ids=lambda value: type(value).__name__,
)
def test_memoryviews_are_made(content):
    assert plain(njit(viewed)(content)) == plain(viewed(content))


def test_memoryviews_of_arrays_write_to_them():
    @njit
    def write(a):
        m = memoryview(a)
        m[0] = 9
        return m

    for made in (np.arange(4.0), array.array("i", [1, 2])):
        assert write(made)[0] == 9 == made[0]
    with pytest.raises(errors.TypingError):
        write(b"ab")
    with pytest.raises(errors.TypingError, match="memoryviews of bytes, arrays and buffers that were passed"):
        write(5)


def test_memoryviews_keep_what_they_see():
    @njit
    def part(text):
        return memoryview((text + text).encode())[2:]

    assert part("ab").tobytes() == b"ab"
    assert growth(lambda: part("ab")) == 0
