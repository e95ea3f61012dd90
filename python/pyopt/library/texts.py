"""The methods and operators of texts, built on the runtime's functions.

Positions go to these as they are given; a text ends where they say no end.
"""

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


@implements("str.isascii")
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


def bounds(start, stop):
    """Give positions for bounds that may be None."""
    return (0 if start is None else start, 9223372036854775807 if stop is None else stop)


@implements("str.find")
def str_find(text, sub, start=None, end=None):
    """Find the first place of a text in another one, or -1."""
    first, last = bounds(start, end)
    return intrinsics.text("find", text, sub, first, last)


@implements("str.rfind")
def str_rfind(text, sub, start=None, end=None):
    """Find the last place of a text in another one, or -1."""
    first, last = bounds(start, end)
    return intrinsics.text("rfind", text, sub, first, last)


@implements("str.index")
def str_index(text, sub, start=None, end=None):
    """Find the first place of a text in another one."""
    at = str_find(text, sub, start, end)
    if at < 0:
        raise ValueError("substring not found")
    return at


@implements("str.rindex")
def str_rindex(text, sub, start=None, end=None):
    """Find the last place of a text in another one."""
    at = str_rfind(text, sub, start, end)
    if at < 0:
        raise ValueError("substring not found")
    return at


@implements("str.count")
def str_count(text, sub, start=None, end=None):
    """Count the places of a text in another one that don't overlap."""
    first, last = bounds(start, end)
    return intrinsics.text("count", text, sub, first, last)


@implements("str.startswith")
def str_startswith(text, prefix, start=None, end=None):
    """Say whether a text, or one of several, begins another one."""
    first, last = bounds(start, end)
    if isinstance(prefix, tuple):
        for one in prefix:
            if intrinsics.text("matches", text, one, first, last, 0):
                return True
        return False
    return intrinsics.text("matches", text, prefix, first, last, 0)


@implements("str.endswith")
def str_endswith(text, suffix, start=None, end=None):
    """Say whether a text, or one of several, ends another one."""
    first, last = bounds(start, end)
    if isinstance(suffix, tuple):
        for one in suffix:
            if intrinsics.text("matches", text, one, first, last, 1):
                return True
        return False
    return intrinsics.text("matches", text, suffix, first, last, 1)


@implements("str.removeprefix")
def str_removeprefix(text, prefix):
    """Leave out a text at the start."""
    return text[len(prefix) :] if str_startswith(text, prefix) else text


@implements("str.removesuffix")
def str_removesuffix(text, suffix):
    """Leave out a text at the end."""
    return text[: len(text) - len(suffix)] if str_endswith(text, suffix) else text


def strip_ends(text, chars, ends):
    """Leave out characters at the start (1), the end (2) or both (3)."""
    if chars is None:
        return intrinsics.text("strip", text, text, 0, ends)
    return intrinsics.text("strip", text, chars, 1, ends)


@implements("str.strip")
def str_strip(text, chars=None):
    """Leave out characters at both ends."""
    return strip_ends(text, chars, 3)


@implements("str.lstrip")
def str_lstrip(text, chars=None):
    """Leave out characters at the start."""
    return strip_ends(text, chars, 1)


@implements("str.rstrip")
def str_rstrip(text, chars=None):
    """Leave out characters at the end."""
    return strip_ends(text, chars, 2)


@implements("str.split")
def str_split(text, sep=None, maxsplit=-1):
    """Split at a text, or at spaces."""
    if sep is None:
        return intrinsics.text("split", text, text, 0, maxsplit)
    if len(sep) == 0:
        raise ValueError("empty separator")
    return intrinsics.text("split", text, sep, 1, maxsplit)


@implements("str.join")
def str_join(text, iterable):
    """Put texts behind each other, with this one between them."""
    if isinstance(iterable, list):
        return intrinsics.text("join", text, iterable)
    made = []
    for item in iterable:
        made.append(item)
    return intrinsics.text("join", text, made)


@implements("str.replace")
def str_replace(text, old, new, count=-1):
    """Replace the places of a text by another one, so many at most."""
    return intrinsics.text("replace", text, old, new, count)


@implements("str.partition")
def str_partition(text, sep):
    """Split at the first place of a text."""
    if len(sep) == 0:
        raise ValueError("empty separator")
    at = str_find(text, sep)
    if at < 0:
        return text, "", ""
    return text[:at], sep, text[at + len(sep) :]


@implements("str.rpartition")
def str_rpartition(text, sep):
    """Split at the last place of a text."""
    if len(sep) == 0:
        raise ValueError("empty separator")
    at = str_rfind(text, sep)
    if at < 0:
        return "", "", text
    return text[:at], sep, text[at + len(sep) :]


def check_fill(fillchar):
    """Raise TypeError unless a text has one character."""
    if len(fillchar) != 1:
        raise TypeError("The fill character must be exactly one character long")


@implements("str.ljust")
def str_ljust(text, width, fillchar=" "):
    """Fill up at the end."""
    check_fill(fillchar)
    return intrinsics.text("pad", text, fillchar, 0, width - len(text))


@implements("str.rjust")
def str_rjust(text, width, fillchar=" "):
    """Fill up at the start."""
    check_fill(fillchar)
    return intrinsics.text("pad", text, fillchar, width - len(text), 0)


@implements("str.center")
def str_center(text, width, fillchar=" "):
    """Fill up at both ends; as CPython does, an odd one goes where the width says."""
    check_fill(fillchar)
    more = max(width - len(text), 0)
    left = more // 2 + (more & width & 1)
    return intrinsics.text("pad", text, fillchar, left, more - left)


@implements("str.zfill")
def str_zfill(text, width):
    """Put zeros before a number, behind its sign."""
    more = max(width - len(text), 0)
    if len(text) > 0 and (text[0] == "+" or text[0] == "-"):
        return text[0] + intrinsics.text("pad", text[1:], "0", more, 0)
    return intrinsics.text("pad", text, "0", more, 0)


@implements("str.__contains__")
def str_contains(text, wanted):
    """Say whether a text is in another one."""
    return str_find(text, wanted) >= 0


@implements("str.__getitem__")
def str_slice(text, part):
    """Take a part of a text."""
    start, stop, step = part.indices(len(text))
    return intrinsics.text("slice", text, start, stop, step)


@implements("str.__mul__")
def str_repeat(text, times):
    """Put a text behind itself so many times."""
    if times > 0 and len(text) > 1099511627776 // times:
        raise MemoryError()
    return intrinsics.text("repeat", text, times)


@implements("builtins.ord")
def ord_of(c):
    """Give the code point of a character."""
    if len(c) != 1:
        raise TypeError("ord() expected a character")
    return intrinsics.text("ord", c)


@implements("builtins.chr")
def chr_of(i):
    """Give the character of a code point."""
    if i < 0 or i > 1114111:
        raise ValueError("chr() arg not in range(0x110000)")
    return intrinsics.text("chr", i)
