"""Texts as bytes, bytes as texts, and tables that translate characters."""

from pyopt.library import implements, intrinsics


def writes_ascii(encoding):
    """Say whether an encoding writes ASCII as it is; CPython looks others up."""
    return encoding in ("utf-8", "utf8", "ascii", "latin-1", "latin1", "UTF-8", "iso-8859-1")


@implements("str.encode")
def str_encode(text, encoding="utf-8", errors="strict"):
    """Give the bytes of a text in an encoding."""
    if intrinsics.text("isascii", text) and writes_ascii(encoding):
        return intrinsics.text("as_bytes", text)
    return intrinsics.host_text("encode", text, encoding, errors)


@implements("bytes.decode")
def bytes_decode(data, encoding="utf-8", errors="strict"):
    """Give the text that bytes are in an encoding."""
    if intrinsics.text("isascii", data) and writes_ascii(encoding):
        return intrinsics.text("as_text", data)
    return intrinsics.host_text("decode", data, encoding, errors)


@implements("str.translate")
def str_translate(text, table):
    """Replace characters by what a table has for their code points."""
    parts = []
    for c in text:
        if ord(c) not in table:
            parts.append(c)
            continue
        value = table[ord(c)]
        if value is not None:
            parts.append(replacement(value))
    return intrinsics.text("join", "", parts)


def replacement(value):
    """Give the text that an entry of a table stands for."""
    if isinstance(value, int):
        if value < 0 or value > 0x10FFFF:
            raise ValueError("character mapping must be in range(0x110000)")
        return chr(value)
    if isinstance(value, str):
        return value
    raise TypeError("character mapping must return integer, None or str")


@implements("str.maketrans")
def maketrans_of_text(text, x, y=None, z=None):
    """Make a table; the text that the static method is called on doesn't matter."""
    return str_maketrans(x, y, z)


@implements("builtins.str.maketrans")
def str_maketrans(x, y=None, z=None):
    """Make a table for ``translate`` of a dict, or of the characters of texts."""
    if y is None:
        return table_of_keys(x)
    if len(x) != len(y):
        raise ValueError("the first two maketrans arguments must have equal length")
    if z is None:
        return table_of_characters(x, y)
    return table_with_removed(x, y, z)


def table_of_keys(table):
    """Make a table of a dict, whose keys may be characters."""
    made = {}
    for key, value in table.items():
        made[code_of(key)] = value
    return made


def table_of_characters(x, y):
    """Make a table that replaces the characters of a text by those of another one."""
    made = {}
    for at in range(len(x)):
        made[ord(x[at])] = ord(y[at])
    return made


def table_with_removed(x, y, z):
    """Make a table that also has the characters that go."""
    table = {}
    for at in range(len(x)):
        table[ord(x[at])] = ord(y[at])
    for c in z:
        table[ord(c)] = None
    return table


def code_of(key):
    """Give the code point that a key of a table stands for."""
    if isinstance(key, str):
        if len(key) != 1:
            raise ValueError("string keys in translate table must be of length 1")
        return ord(key)
    if not isinstance(key, int):
        intrinsics.unsupported("keys in translate table must be strings or integers")
    return key
