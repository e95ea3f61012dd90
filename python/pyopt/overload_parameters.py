"""Whether the body of an overload has the overload's parameters."""

from pyopt.errors import TypingError


def check_parameters(implementation, body):
    """Refuse a body whose parameters aren't the overload's: in names, kinds and defaults, not annotations."""
    from inspect import signature

    both = [list(signature(one).parameters.values()) for one in (implementation, body)]
    for parameters, where in zip(both, ("typing", "implementation"), strict=True):
        for one in parameters:
            if one.kind is one.VAR_KEYWORD:
                raise TypingError(
                    f"use of VAR_KEYWORD (e.g. **kwargs) is unsupported in an overload's {where} function; "
                    f"offending argument name is '{one}'"
                )
    starred = [one for one in both[0] if one.kind is one.VAR_POSITIONAL]
    if starred and not any(one.kind is one.VAR_POSITIONAL for one in both[1]):
        raise TypingError(
            "a VAR_POSITIONAL (e.g. *args) argument kind needs one in the implementation too; "
            f"offending argument name is '{starred[0]}'"
        )
    # Those with defaults, or behind `*`, are keyword arguments.
    expected, found = ([one for one in parameters if not _is_keyword(one)] for parameters in both)
    _expect_same("argument names", expected, found, lambda one: (one.name, one.kind))
    expected, found = ([one for one in parameters if _is_keyword(one)] for parameters in both)
    _expect_same("keyword argument names", expected, found, lambda one: (one.name, one.kind))
    _expect_same("keyword argument default values", expected, found, lambda one: one.default)


def _is_keyword(parameter):
    return parameter.kind is parameter.KEYWORD_ONLY or parameter.default is not parameter.empty


def _expect_same(what, expected, found, part):
    """Raise for the first parameter of an overload and its body that differ in a part."""
    from itertools import zip_longest

    for one, other in zip_longest(expected, found):
        if None in (one, other) or part(one) != part(other):
            given = [f"{side}: {one}" for side, one in (("typing", one), ("implementation", other)) if one]
            shown = [repr(one) for one in (*expected, *found)]
            raise TypingError(
                f"Typing and implementation arguments differ in {what}. "
                f"First difference: {_quoted(other, one)} ({'; '.join(given)}); all: {', '.join(shown)}"
            )


def _quoted(*parameters):
    return " and ".join(repr(str(one)) for one in parameters if one is not None)
