"""The methods of bytes that those of texts don't serve, and what makes bytes."""

import numpy as np

from pyopt.library import implements, intrinsics
from pyopt.library.shapes import flat
from pyopt.library.texts import (
    check_room,
    str_center,
    str_expandtabs,
    str_ljust,
    str_rjust,
    str_strip,
    str_zfill,
)


@implements("bytes.upper")
def bytes_upper(data):
    """Give bytes with the case of ``upper``; it is ASCII's."""
    return intrinsics.text("bytes_upper", data)


@implements("bytes.lower")
def bytes_lower(data):
    """Give bytes with the case of ``lower``; it is ASCII's."""
    return intrinsics.text("bytes_lower", data)


@implements("bytes.swapcase")
def bytes_swapcase(data):
    """Give bytes with the case of ``swapcase``; it is ASCII's."""
    return intrinsics.text("bytes_swapcase", data)


@implements("bytes.capitalize")
def bytes_capitalize(data):
    """Give bytes with the case of ``capitalize``; it is ASCII's."""
    return intrinsics.text("bytes_capitalize", data)


@implements("bytes.title")
def bytes_title(data):
    """Give bytes with the case of ``title``; it is ASCII's."""
    return intrinsics.text("bytes_title", data)


@implements("bytes.isalnum")
def bytes_isalnum(data):
    """Say whether ``isalnum`` is true of bytes, which are ASCII."""
    return intrinsics.text("bytes_isalnum", data)


@implements("bytes.isalpha")
def bytes_isalpha(data):
    """Say whether ``isalpha`` is true of bytes, which are ASCII."""
    return intrinsics.text("bytes_isalpha", data)


@implements("bytes.isdigit")
def bytes_isdigit(data):
    """Say whether ``isdigit`` is true of bytes, which are ASCII."""
    return intrinsics.text("bytes_isdigit", data)


@implements("bytes.islower")
def bytes_islower(data):
    """Say whether ``islower`` is true of bytes, which are ASCII."""
    return intrinsics.text("bytes_islower", data)


@implements("bytes.istitle")
def bytes_istitle(data):
    """Say whether ``istitle`` is true of bytes, which are ASCII."""
    return intrinsics.text("bytes_istitle", data)


@implements("bytes.isupper")
def bytes_isupper(data):
    """Say whether ``isupper`` is true of bytes, which are ASCII."""
    return intrinsics.text("bytes_isupper", data)


@implements("bytes.isspace")
def bytes_isspace(data):
    """Say whether bytes are all spaces."""
    return len(data) > 0 and len(str_strip(data)) == 0


@implements("bytes.splitlines")
def bytes_splitlines(data, keepends=False):
    """Split at the ends of lines."""
    parts = []
    begin = 0
    at = 0
    while at < len(data):
        if data[at] == 10 or data[at] == 13:
            end = at
            if data[at] == 13 and at + 1 < len(data) and data[at + 1] == 10:
                at += 1
            parts.append(data[begin : at + 1 if keepends else end])
            begin = at + 1
        at += 1
    if begin < len(data):
        parts.append(data[begin:])
    return parts


def as_text(data):
    """See bytes as a text of as many characters."""
    return intrinsics.text("as_text", data)


def as_bytes(text):
    """Give the bytes that the characters of a text are."""
    return intrinsics.text("as_bytes", text)


@implements("bytes.expandtabs")
def bytes_expandtabs(data, tabsize=8):
    """Replace tabs by spaces up to columns that are multiples of a size."""
    return as_bytes(str_expandtabs(as_text(data), tabsize))


@implements("bytes.zfill")
def bytes_zfill(data, width):
    """Put zeros before a number, behind its sign."""
    return as_bytes(str_zfill(as_text(data), width))


def check_fill_byte(name, fillbyte):
    """Raise TypeError unless there is one byte."""
    if len(fillbyte) != 1:
        raise TypeError(name + "() argument 2 must be a byte string of length 1, not bytes")


@implements("bytes.ljust")
def bytes_ljust(data, width, fillchar=b" "):
    """Fill up at the end."""
    check_fill_byte("ljust", fillchar)
    return as_bytes(str_ljust(as_text(data), width, as_text(fillchar)))


@implements("bytes.rjust")
def bytes_rjust(data, width, fillchar=b" "):
    """Fill up at the start."""
    check_fill_byte("rjust", fillchar)
    return as_bytes(str_rjust(as_text(data), width, as_text(fillchar)))


@implements("bytes.center")
def bytes_center(data, width, fillchar=b" "):
    """Fill up at both ends."""
    check_fill_byte("center", fillchar)
    return as_bytes(str_center(as_text(data), width, as_text(fillchar)))


@implements("bytes.translate")
def bytes_translate(data, table, delete=b""):
    """Replace each byte by that of a table, and leave some out."""
    made = []
    if table is None:
        for byte in data:
            if byte not in delete:
                made.append(byte)
        return intrinsics.text("bytes_of", made)
    if len(table) != 256:
        raise ValueError("translation table must be 256 characters long")
    for byte in data:
        if byte not in delete:
            made.append(table[byte])
    return intrinsics.text("bytes_of", made)


@implements("builtins.bytes.maketrans", "bytes.maketrans")
def bytes_maketrans(frm, to):
    """Make a table for ``translate``."""
    if len(frm) != len(to):
        raise ValueError("maketrans arguments must have same length")
    made = list(range(256))
    for at in range(len(frm)):
        made[frm[at]] = to[at]
    return intrinsics.text("bytes_of", made)


@implements("bytes.hex")
def bytes_hex(data, sep=None, bytes_per_sep=1):
    """Write bytes as hexadecimal digits."""
    if sep is None:
        return intrinsics.host_text("hex_of", data, "", bytes_per_sep)
    if len(sep) != 1:
        raise ValueError("sep must be length 1.")
    return intrinsics.host_text("hex_of", data, sep, bytes_per_sep)


@implements("builtins.bytes.fromhex", "bytes.fromhex")
def bytes_fromhex(string):
    """Read bytes from hexadecimal digits."""
    return intrinsics.host_text("from_hex", string)


@implements("builtins.bytes")
def bytes_of(source=b"", encoding=None, errors="strict"):
    """Make bytes: zeros, of ints, or of a text in an encoding."""
    if isinstance(source, str):
        if encoding is None:
            intrinsics.unsupported("string argument without an encoding")
        return intrinsics.host_text("encode", source, encoding, errors)
    if isinstance(source, bytes):
        return source
    if isinstance(source, int):
        if source < 0:
            raise ValueError("negative count")
        return as_bytes("\0" * source)
    made = []
    for byte in source:
        if isinstance(byte, float):
            raise TypeError("'float' object cannot be interpreted as an integer")
        if byte < 0 or byte > 255:
            raise ValueError("bytes must be in range(0, 256)")
        made.append(np.int64(byte))
    return intrinsics.text("bytes_of", made)


@implements("array.tobytes")
def array_to_bytes(a, order="C"):
    """Copy the bytes of the elements."""
    if order == "F":
        return bytes_of(flat(np.ascontiguousarray(a.T)).view(np.uint8))
    if order != "C":
        raise ValueError("order must be 'C' or 'F' in compiled code")
    return bytes_of(flat(np.ascontiguousarray(a)).view(np.uint8))


@implements("builtins.int.from_bytes")
def int_from_bytes(bytes, byteorder="big", signed=False):
    """Read an int of 64 bits from bytes."""
    if byteorder != "big" and byteorder != "little":
        raise ValueError("byteorder must be either 'little' or 'big'")
    found = np.uint64(0)
    size = len(bytes)
    negative = False
    if signed and size > 0:
        negative = (bytes[0] if byteorder == "big" else bytes[size - 1]) > 127
    for at in range(size):
        byte = bytes[at] if byteorder == "big" else bytes[size - 1 - at]
        # What is shifted out, and the bit of the sign, have to be what they say.
        if at + 8 < size and byte != (255 if negative else 0):
            raise OverflowError("the int does not fit into 64 bits")
        found = (found << np.uint64(8)) | np.uint64(byte)
    if negative and size < 8:
        found |= np.uint64(18446744073709551615) << np.uint64(8 * size)
    made = np.int64(found)
    if size >= 8 and (made < 0) != negative:
        raise OverflowError("the int does not fit into 64 bits")
    return made


@implements("int.to_bytes")
def int_to_bytes(number, length=1, byteorder="big", signed=False):
    """Write an int as so many bytes."""
    if byteorder != "big" and byteorder != "little":
        raise ValueError("byteorder must be either 'little' or 'big'")
    if length < 0:
        raise ValueError("length argument must be non-negative")
    check_room(length)
    if number < 0 and not signed:
        raise OverflowError("can't convert negative int to unsigned")
    made = []
    rest = number
    for _ in range(length):
        made.append(rest & 255)
        rest >>= 8
    fits = rest == 0 or rest == -1
    if signed:
        top = length > 0 and made[length - 1] > 127
        fits = rest == (-1 if top else 0) or (length == 0 and rest == 0)
    if not fits or (number >= 0 and rest != 0):
        raise OverflowError("int too big to convert")
    if byteorder == "big":
        made.reverse()
    return intrinsics.text("bytes_of", made)


@implements("numpy.frombuffer")
def frombuffer(buffer, dtype=None, count=-1, offset=0):
    """See bytes as an array of a type."""
    if dtype is None:
        return array_of_bytes(bytes_in(buffer), np.float64, count, offset)
    return array_of_bytes(bytes_in(buffer), dtype, count, offset)


def bytes_in(buffer):
    """See bytes, or an array, as an array of bytes."""
    if isinstance(buffer, np.ndarray):
        if not buffer.flags.c_contiguous:
            raise ValueError("ndarray is not C-contiguous")
        return flat(np.ascontiguousarray(buffer)).view(np.uint8)
    if not isinstance(buffer, bytes):
        intrinsics.unsupported("frombuffer takes bytes and arrays")
    return intrinsics.text("bytes_array", buffer)


def array_of_bytes(data, dtype, count, offset):
    """See a part of an array of bytes as one of a type."""
    size = np.empty(0, dtype).itemsize
    if offset < 0 or offset > len(data):
        raise ValueError("offset must be non-negative and no greater than buffer length")
    if len(data) == 0:
        raise ValueError("buffer is smaller than requested size")
    if count < 0:
        if (len(data) - offset) % size != 0:
            raise ValueError("buffer size must be a multiple of element size")
        return data[offset:].view(dtype)
    if count > (len(data) - offset) // size:
        raise ValueError("buffer is smaller than requested size")
    return data[offset : offset + count * size].view(dtype)
