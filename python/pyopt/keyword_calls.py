"""Calls from Python of functions with ``**kwargs``: one compiled function for each set of names.

In compiled code such a function is specialised for the names that a call has. A call from Python goes
through a function with a keyword-only parameter for each of them, which calls it by these names.
"""

import keyword

from pyopt.host import code_names


def call(dispatcher, args, kwargs):
    """Call a function whose last parameter takes all further keywords; raise where arguments don't fit."""
    code = dispatcher.py_func.__code__
    by_name = code.co_varnames[code.co_posonlyargcount : code.co_argcount + code.co_kwonlyargcount]
    # The function sees the names in the order of the call.
    names = tuple(name for name in kwargs if name not in by_name)
    if not names:
        from pyopt.wrong_calls import reject

        reject(dispatcher.py_func, args, kwargs)
    made = dispatcher.keyword_calls.get(names)
    if made is None:
        made = dispatcher.keyword_calls.setdefault(names, _make(dispatcher, names))
    return made(*args, **kwargs)


def _make(dispatcher, names):
    """Make a function that has parameters of these names beside the function's own."""
    from pyopt.decorators import dispatcher_of

    _check(dispatcher, names)
    function = dispatcher.py_func
    code = function.__code__
    count = code.co_argcount + code.co_kwonlyargcount
    taken = {*code.co_varnames[:count], *names}
    # A keyword may have the name of a parameter that only positions fill.
    filled = [_unused(f"{name}_", taken) for name in code.co_varnames[: code.co_posonlyargcount]]
    plain = code.co_varnames[code.co_posonlyargcount : code.co_argcount]
    named = [*code.co_varnames[code.co_argcount : count], *names]
    rest = [f"*{_unused(code.co_varnames[count], taken)}"] if code.co_flags & 0x04 else []
    called = _unused("called", taken)
    parameters = [*filled, *(["/"] if filled else []), *plain, *(rest or ["*"]), *named]
    passed = [*filled, *plain, *rest, *(f"{name}={name}" for name in named)]
    source = f"def call({', '.join(parameters)}): return {called}({', '.join(passed)})"
    namespace = {called: dispatcher, "__name__": function.__module__}
    exec(compile(source, code.co_filename, "exec"), namespace)
    made = namespace["call"]
    names = code_names(code.co_name, getattr(code, "co_qualname", function.__qualname__))
    made.__code__ = made.__code__.replace(co_firstlineno=code.co_firstlineno, **names)
    made.__name__, made.__qualname__ = function.__name__, function.__qualname__
    made.__defaults__, made.__kwdefaults__ = function.__defaults__, function.__kwdefaults__
    # The disk cache keeps what the programmer wrote.
    return dispatcher_of(made, dispatcher.targetoptions | {"cache": False, "inline": "never"})


def _check(dispatcher, names):
    """Raise for names that no parameter can have."""
    from pyopt.errors import UnsupportedError

    for name in names:
        if not name.isidentifier() or keyword.iskeyword(name):
            raise UnsupportedError(
                f"{dispatcher.__qualname__}() got the keyword {name!r}, which can't be a parameter's name"
            )


def _unused(name, taken):
    """Give a name like this one that is none of those taken, and take it."""
    while name in taken:
        name += "_"
    taken.add(name)
    return name
