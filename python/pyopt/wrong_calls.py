"""What is said of a call whose arguments don't fit a function's parameters."""


def reject(function, args, kwargs):
    """Raise what Python says of a call of the function."""
    # A function with the same parameters and no body makes Python say what is wrong.
    code = function.__code__
    starred = code.co_flags & 0x04  # *args
    count = code.co_argcount + code.co_kwonlyargcount + bool(starred)
    empty = (lambda: None).__code__
    stub = empty.replace(
        co_flags=empty.co_flags | starred,
        co_argcount=code.co_argcount,
        co_posonlyargcount=code.co_posonlyargcount,
        co_kwonlyargcount=code.co_kwonlyargcount,
        co_varnames=code.co_varnames[:count],
        co_nlocals=count,
        co_name=code.co_name,
    )
    stub = type(function)(stub, {}, function.__name__, function.__defaults__)
    stub.__kwdefaults__ = function.__kwdefaults__
    stub.__qualname__ = getattr(code, "co_qualname", function.__qualname__)
    try:
        stub(*args, **kwargs)
    except TypeError as error:
        raise error.with_traceback(None) from None
