"""What compiled code calls to make texts and bytes of values, and numbers of texts."""


def format_value(value, conversion, spec):
    """Format a value as a replacement field of an f-string."""
    if conversion:
        value = {"s": str, "r": repr, "a": ascii}[conversion](value)
    return (format(value, spec),)


def name_of_class(exception, attribute):
    """Give the name of the class of an exception: ``__name__`` or ``__qualname__`` of it."""
    return (getattr(type(exception), attribute),)


def fill(template, values):
    """Format by the ``%`` operator."""
    return (template % values,)


def to_int(text, base):
    """Read an int, which has 64 bits in compiled code."""
    number = int(text, base)
    if not -(1 << 63) <= number < 1 << 63:
        raise OverflowError("the int does not fit into 64 bits")
    return (number,)


def to_float(text):
    """Read a float."""
    return (float(text),)


def format_template(template, names, *values):
    """Format as ``str.format`` does, where the last values have names."""
    names = names.split(",") if names else []
    first = len(values) - len(names)
    return (template.format(*values[:first], **dict(zip(names, values[first:], strict=True))),)


def format_map(template, mapping):
    """Format as ``str.format_map`` does."""
    return (template.format_map(mapping),)


def format_keys(template, names, *values):
    """Format as ``str.format_map`` does, with a dict of these names and values."""
    names = names.split("\0") if values else ()
    return (template.format_map(dict(zip(names, values, strict=True))),)


def encode(text, encoding, errors):
    """Give the bytes of a text in an encoding."""
    return (text.encode(encoding, errors),)


def decode(data, encoding, errors):
    """Give the text that bytes are in an encoding."""
    return (data.decode(encoding, errors),)


def hex_of(data, sep, bytes_per_sep):
    """Write bytes as hexadecimal digits."""
    return (data.hex(sep, bytes_per_sep) if sep else data.hex(),)


def from_hex(string):
    """Read bytes from hexadecimal digits."""
    return (bytes.fromhex(string),)


def random_key(text):
    """Give the key of 32-bit words, the lowest first, that ``random.seed`` makes of a text or bytes."""
    from hashlib import sha512

    data = text.encode() if isinstance(text, str) else bytes(text)
    number = int.from_bytes(data + sha512(data).digest(), "big")
    return (number.to_bytes(max(-(-number.bit_length() // 32), 1) * 4, "little"),)
