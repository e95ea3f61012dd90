"""What compiled code calls to make texts of values."""


def format_value(value, conversion, spec):
    """Format a value as a replacement field of an f-string."""
    if conversion:
        value = {"s": str, "r": repr, "a": ascii}[conversion](value)
    return (format(value, spec),)


def fill(template, values):
    """Format by the ``%`` operator."""
    return (template % values,)
