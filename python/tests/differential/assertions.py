"""Programs with ``assert``, in a module whose assertions pytest doesn't rewrite."""


def assertion(x):
    """Assert without a message."""
    assert x < 4
    return x


def assertion_with_message(x):
    """Assert with a message."""
    assert x >= 2, "x is below two"
    return x - 2


def assertion_with_arguments(n, x, flag):
    assert flag, (n, x)
    assert n > 5, x
    raise OSError(n, "reason")
