"""The methods and operators of texts, and those that bytes share, built on the runtime's functions.

Positions go to these as they are given; a text ends where they say no end.
"""

import numpy as np

from pyopt.library import implements, intrinsics


@implements("str.upper")
def str_upper(text):
    """Give a text with the case of ``upper``."""
    return intrinsics.text("upper", text)


@implements("str.lower")
def str_lower(text):
    """Give a text with the case of ``lower``."""
    return intrinsics.text("lower", text)


@implements("str.casefold")
def str_casefold(text):
    """Give a text with the case of ``casefold``."""
    return intrinsics.text("casefold", text)


@implements("str.swapcase")
def str_swapcase(text):
    """Give a text with the case of ``swapcase``."""
    return intrinsics.text("swapcase", text)


@implements("str.capitalize")
def str_capitalize(text):
    """Give a text with the case of ``capitalize``."""
    return intrinsics.text("capitalize", text)


@implements("str.title")
def str_title(text):
    """Give a text with the case of ``title``."""
    return intrinsics.text("title", text)


@implements("str.isalnum")
def str_isalnum(text):
    """Say whether ``isalnum`` is true of a text."""
    return intrinsics.text("isalnum", text)


@implements("str.isalpha")
def str_isalpha(text):
    """Say whether ``isalpha`` is true of a text."""
    return intrinsics.text("isalpha", text)


@implements("str.isascii", "bytes.isascii")
def str_isascii(text):
    """Say whether ``isascii`` is true of a text."""
    return intrinsics.text("isascii", text)


@implements("str.isdecimal")
def str_isdecimal(text):
    """Say whether ``isdecimal`` is true of a text."""
    return intrinsics.text("isdecimal", text)


@implements("str.isdigit")
def str_isdigit(text):
    """Say whether ``isdigit`` is true of a text."""
    return intrinsics.text("isdigit", text)


@implements("str.isidentifier")
def str_isidentifier(text):
    """Say whether ``isidentifier`` is true of a text."""
    return intrinsics.text("isidentifier", text)


@implements("str.islower")
def str_islower(text):
    """Say whether ``islower`` is true of a text."""
    return intrinsics.text("islower", text)


@implements("str.isnumeric")
def str_isnumeric(text):
    """Say whether ``isnumeric`` is true of a text."""
    return intrinsics.text("isnumeric", text)


@implements("str.isprintable")
def str_isprintable(text):
    """Say whether ``isprintable`` is true of a text."""
    return intrinsics.text("isprintable", text)


@implements("str.isspace")
def str_isspace(text):
    """Say whether ``isspace`` is true of a text."""
    return intrinsics.text("isspace", text)


@implements("str.istitle")
def str_istitle(text):
    """Say whether ``istitle`` is true of a text."""
    return intrinsics.text("istitle", text)


@implements("str.isupper")
def str_isupper(text):
    """Say whether ``isupper`` is true of a text."""
    return intrinsics.text("isupper", text)


def part_of(text, sub):
    """Give what is looked for: in bytes, that may be a byte as an int."""
    if isinstance(text, bytes) and isinstance(sub, int):
        if sub < 0 or sub > 255:
            raise ValueError("byte must be in range(0, 256)")
        made = []
        made.append(np.int64(sub))
        return intrinsics.text("bytes_of", made)
    return sub


def bounds(start, stop):
    """Give positions for bounds that may be None."""
    return (0 if start is None else start, 9223372036854775807 if stop is None else stop)


@implements("str.find", "bytes.find")
def str_find(text, sub, start=None, end=None):
    """Find the first place of a text in another one, or -1."""
    first, last = bounds(start, end)
    return intrinsics.text("find", text, part_of(text, sub), first, last)


@implements("str.rfind", "bytes.rfind")
def str_rfind(text, sub, start=None, end=None):
    """Find the last place of a text in another one, or -1."""
    first, last = bounds(start, end)
    return intrinsics.text("rfind", text, part_of(text, sub), first, last)


@implements("str.index", "bytes.index")
def str_index(text, sub, start=None, end=None):
    """Find the first place of a text in another one."""
    at = str_find(text, sub, start, end)
    if at < 0:
        if isinstance(text, bytes):
            raise ValueError("subsection not found")
        raise ValueError("substring not found")
    return at


@implements("str.rindex", "bytes.rindex")
def str_rindex(text, sub, start=None, end=None):
    """Find the last place of a text in another one."""
    at = str_rfind(text, sub, start, end)
    if at < 0:
        if isinstance(text, bytes):
            raise ValueError("subsection not found")
        raise ValueError("substring not found")
    return at


@implements("str.count", "bytes.count")
def str_count(text, sub, start=None, end=None):
    """Count the places of a text in another one that don't overlap."""
    first, last = bounds(start, end)
    return intrinsics.text("count", text, part_of(text, sub), first, last)


@implements("str.startswith", "bytes.startswith")
def str_startswith(text, prefix, start=None, end=None):
    """Say whether a text, or one of several, begins another one."""
    if isinstance(prefix, list):
        raise TypeError("startswith first arg must be str or a tuple of str, not list")
    first, last = bounds(start, end)
    if isinstance(prefix, tuple):
        for one in prefix:
            if intrinsics.text("matches", text, one, first, last, 0):
                return True
        return False
    return intrinsics.text("matches", text, prefix, first, last, 0)


@implements("str.endswith", "bytes.endswith")
def str_endswith(text, suffix, start=None, end=None):
    """Say whether a text, or one of several, ends another one."""
    if isinstance(suffix, list):
        raise TypeError("endswith first arg must be str or a tuple of str, not list")
    first, last = bounds(start, end)
    if isinstance(suffix, tuple):
        for one in suffix:
            if intrinsics.text("matches", text, one, first, last, 1):
                return True
        return False
    return intrinsics.text("matches", text, suffix, first, last, 1)


@implements("str.removeprefix", "bytes.removeprefix")
def str_removeprefix(text, prefix):
    """Leave out a text at the start."""
    if isinstance(prefix, tuple):
        raise TypeError("removeprefix() argument must be str, not tuple")
    return text[len(prefix) :] if str_startswith(text, prefix) else text


@implements("str.removesuffix", "bytes.removesuffix")
def str_removesuffix(text, suffix):
    """Leave out a text at the end."""
    if isinstance(suffix, tuple):
        raise TypeError("removesuffix() argument must be str, not tuple")
    return text[: len(text) - len(suffix)] if str_endswith(text, suffix) else text


def strip_ends(text, chars, ends):
    """Leave out characters at the start (1), the end (2) or both (3)."""
    if chars is None:
        if isinstance(text, bytes):
            return intrinsics.text("strip", text, b" \t\n\r\v\f", 1, ends)
        return intrinsics.text("strip", text, text, 0, ends)
    return intrinsics.text("strip", text, chars, 1, ends)


@implements("str.strip", "bytes.strip")
def str_strip(text, chars=None):
    """Leave out characters at both ends."""
    return strip_ends(text, chars, 3)


@implements("str.lstrip", "bytes.lstrip")
def str_lstrip(text, chars=None):
    """Leave out characters at the start."""
    return strip_ends(text, chars, 1)


@implements("str.rstrip", "bytes.rstrip")
def str_rstrip(text, chars=None):
    """Leave out characters at the end."""
    return strip_ends(text, chars, 2)


@implements("str.split", "bytes.split")
def str_split(text, sep=None, maxsplit=-1):
    """Split at a text, or at spaces."""
    if sep is None:
        if isinstance(text, bytes):
            return split_bytes_at_spaces(text, maxsplit)
        return intrinsics.text("split", text, text, 0, maxsplit)
    if len(sep) == 0:
        raise ValueError("empty separator")
    return intrinsics.text("split", text, sep, 1, maxsplit)


def split_bytes_at_spaces(data, maxsplit):
    """Split bytes at ASCII's spaces."""
    parts = []
    rest = str_lstrip(data)
    while len(rest) > 0:
        if len(parts) == maxsplit:
            parts.append(rest)
            break
        end = 0
        while end < len(rest) and rest[end] != 32 and (rest[end] < 9 or rest[end] > 13):
            end += 1
        parts.append(rest[:end])
        rest = str_lstrip(rest[end:])
    return parts


@implements("str.rsplit", "bytes.rsplit")
def str_rsplit(text, sep=None, maxsplit=-1):
    """Split at a text, or at spaces, from the end on."""
    if maxsplit < 0:
        return str_split(text, sep)
    parts = rsplit_at_spaces(text, maxsplit) if sep is None else rsplit_at(text, sep, maxsplit)
    parts.reverse()
    return parts


def rsplit_at(text, sep, maxsplit):
    """Split at a text; give the last part first."""
    if len(sep) == 0:
        raise ValueError("empty separator")
    parts = []
    end = len(text)
    for _ in range(maxsplit):
        at = str_rfind(text, sep, 0, end)
        if at < 0:
            break
        parts.append(text[at + len(sep) : end])
        end = at
    parts.append(text[:end])
    return parts


def rsplit_at_spaces(text, maxsplit):
    """Split at spaces; give the last part first."""
    parts = []
    rest = str_rstrip(text)
    for _ in range(maxsplit):
        if len(rest) == 0:
            break
        begin = len(rest)
        while begin > 0 and len(str_rstrip(rest[begin - 1 : begin])) > 0:
            begin -= 1
        parts.append(rest[begin:])
        rest = str_rstrip(rest[:begin])
    if len(rest) > 0:
        parts.append(rest)
    return parts


@implements("str.splitlines")
def str_splitlines(text, keepends=False):
    """Split at the ends of lines."""
    parts = []
    begin = 0
    at = 0
    while at < len(text):
        if text[at] in "\n\r\v\f\x1c\x1d\x1e\x85\u2028\u2029":
            end = at
            if text[at] == "\r" and at + 1 < len(text) and text[at + 1] == "\n":
                at += 1
            parts.append(text[begin : at + 1 if keepends else end])
            begin = at + 1
        at += 1
    if begin < len(text):
        parts.append(text[begin:])
    return parts


@implements("str.expandtabs")
def str_expandtabs(text, tabsize=8):
    """Replace tabs by spaces up to columns that are multiples of a size."""
    parts = []
    begin = 0
    column = 0
    for at in range(len(text)):
        c = text[at]
        if c == "\t":
            parts.append(text[begin:at])
            begin = at + 1
            if tabsize > 0:
                spaces = tabsize - column % tabsize
                parts.append(" " * spaces)
                column += spaces
        elif c == "\n" or c == "\r":
            column = 0
        else:
            column += 1
    parts.append(text[begin:])
    return intrinsics.text("join", "", parts)


@implements("str.join", "bytes.join")
def str_join(text, iterable):
    """Put texts behind each other, with this one between them."""
    if isinstance(iterable, list):
        return intrinsics.text("join", text, iterable)
    if isinstance(iterable, tuple) and len(iterable) == 0:
        return text[:0]
    made = []
    for item in iterable:
        made.append(item)
    return intrinsics.text("join", text, made)


@implements("str.replace", "bytes.replace")
def str_replace(text, old, new, count=-1):
    """Replace the places of a text by another one, so many at most."""
    return intrinsics.text("replace", text, old, new, count)


@implements("str.partition", "bytes.partition")
def str_partition(text, sep):
    """Split at the first place of a text."""
    if len(sep) == 0:
        raise ValueError("empty separator")
    at = str_find(text, sep)
    if at < 0:
        return text, text[:0], text[:0]
    return text[:at], sep, text[at + len(sep) :]


@implements("str.rpartition", "bytes.rpartition")
def str_rpartition(text, sep):
    """Split at the last place of a text."""
    if len(sep) == 0:
        raise ValueError("empty separator")
    at = str_rfind(text, sep)
    if at < 0:
        return text[:0], text[:0], text
    return text[:at], sep, text[at + len(sep) :]


def check_fill(fillchar):
    """Raise TypeError unless a text has one character."""
    if len(fillchar) != 1:
        raise TypeError("The fill character must be exactly one character long")


def check_room(length):
    """Raise MemoryError where there is no memory for a long text: the runtime can't, it ends the process."""
    if length > 16777216:
        if length > 1152921504606846976 or not intrinsics.text("has_room", 4 * length):
            raise MemoryError()


def padded(text, fillchar, before, behind):
    """Put so many of a character before and behind a text."""
    check_room(before)
    check_room(behind)
    return intrinsics.text("pad", text, fillchar, before, behind)


@implements("str.ljust")
def str_ljust(text, width, fillchar=" "):
    """Fill up at the end."""
    check_fill(fillchar)
    return padded(text, fillchar, 0, width - len(text))


@implements("str.rjust")
def str_rjust(text, width, fillchar=" "):
    """Fill up at the start."""
    check_fill(fillchar)
    return padded(text, fillchar, width - len(text), 0)


@implements("str.center")
def str_center(text, width, fillchar=" "):
    """Fill up at both ends; as CPython does, an odd one goes where the width says."""
    check_fill(fillchar)
    more = max(width - len(text), 0)
    left = more // 2 + (more & width & 1)
    return padded(text, fillchar, left, more - left)


@implements("str.zfill")
def str_zfill(text, width):
    """Put zeros before a number, behind its sign."""
    more = max(width - len(text), 0)
    if len(text) > 0 and (text[0] == "+" or text[0] == "-"):
        return text[0] + padded(text[1:], "0", more, 0)
    return padded(text, "0", more, 0)


@implements("str.__contains__", "bytes.__contains__")
def str_contains(text, wanted):
    """Say whether a text, or a byte in bytes, is in another one."""
    return str_find(text, wanted) >= 0


@implements("str.__getitem__", "bytes.__getitem__")
def str_slice(text, part):
    """Take a part of a text."""
    start, stop, step = part.indices(len(text))
    return intrinsics.text("slice", text, start, stop, step)


@implements("str.__mul__", "bytes.__mul__")
def str_repeat(text, times):
    """Put a text behind itself so many times."""
    if times > 0 and len(text) > 1152921504606846976 // times:
        raise MemoryError()
    check_room(len(text) * times)
    return intrinsics.text("repeat", text, times)


@implements("builtins.ord")
def ord_of(c):
    """Give the code point of a character."""
    intrinsics.check(
        len(c) == 1, "TypeError", "ord() expected a character, but string of length {} found", len(c)
    )
    return intrinsics.text("ord", c)


@implements("builtins.chr")
def chr_of(i):
    """Give the character of a code point."""
    if i < 0 or i > 1114111:
        raise ValueError("chr() arg not in range(0x110000)")
    return intrinsics.text("chr", i)


@implements("operator.index")
def as_index(a):
    """Give what stands for an int as one."""
    if isinstance(a, int):
        return int(a)
    if isinstance(a, (float, complex, str, bytes, list, tuple, dict, set, np.ndarray)):
        raise TypeError(f"'{type(a).__name__}' object cannot be interpreted as an integer")
    return a.__index__()


@implements("builtins.bin")
def bin_of(number):
    """Give the binary digits of an int."""
    return f"{as_index(number):#b}"


@implements("builtins.oct")
def oct_of(number):
    """Give the octal digits of an int."""
    return f"{as_index(number):#o}"


@implements("builtins.hex")
def hex_of(number):
    """Give the hexadecimal digits of an int."""
    return f"{as_index(number):#x}"


@implements("builtins.ascii")
def ascii_of(obj):
    """Give what ``repr`` gives, in ASCII."""
    return f"{obj!a}"


@implements("builtins.format")
def format_of(value, format_spec=""):
    """Format a value as a replacement field does."""
    return f"{value:{format_spec}}"
