"""Functions that are written anew: with the parameters of others, which they pass on."""

import inspect


def define(source, name, scope):
    """Run a definition in a scope; give what it defines."""
    scope = {"__name__": __name__, **scope}
    exec(source, scope)
    return scope[name]


def rename(function, name):
    """Give a function the name that errors call it by."""
    code = function.__code__
    names = {"co_name": name, "co_qualname": name}
    function.__code__ = code.replace(**{key: value for key, value in names.items() if hasattr(code, key)})
    function.__qualname__ = name


def static_body(function):
    """Give the body of the method that a static method is, where the instance comes first."""
    shown, passed, scope = parameters_of(function)
    source = f"def static(self{', ' if shown else ''}{shown}):\n    return function({', '.join(passed)})\n"
    return define(source, "static", scope | {"function": function})


def parameters_of(function, after=0):
    """Write a function's parameters, those that come after so many, and what a definition passes on.

    The third is a scope with the defaults.
    """
    parameters = list(inspect.signature(function).parameters.values())[after:]
    shown, passed, scope = [], [], {}
    is_after_star = False
    for at, one in enumerate(parameters):
        default = ""
        if one.default is not one.empty:
            scope[f"default_{at}"] = one.default
            default = f"=default_{at}"
        if one.kind is one.VAR_POSITIONAL:
            is_after_star = True
            shown.append(f"*{one.name}")
            passed.append(f"*{one.name}")
        elif one.kind is one.VAR_KEYWORD:
            raise TypeError("a jitclass has no methods with **kwargs")
        elif one.kind is one.KEYWORD_ONLY:
            if not is_after_star:
                shown.append("*")
                is_after_star = True
            shown.append(one.name + default)
            passed.append(f"{one.name}={one.name}")
        else:
            shown.append(one.name + default)
            passed.append(one.name)
    return ", ".join(shown), passed, scope
