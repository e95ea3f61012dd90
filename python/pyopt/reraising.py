"""What compiled code calls for a ``raise`` without an exception in a ``try`` that isn't in a handler.

Which exception that raises, and so which handler takes it, only the interpreter knows.
"""


def raise_handled():
    """Raise the exception that Python code is handling, if there is one."""
    raise
