"""Numba's environment variables, as pyopt's."""

#: Set in the environment to another value than 0, it makes ``import numba`` mean pyopt.
AS_NUMBA = "PYOPT_AS_NUMBA"
_OURS, _NUMBAS = "PYOPT_", "NUMBA_"


def take_over(environment):
    """Give pyopt's variables the values that Numba's have, and postpone errors of declarations to calls.

    Numba's count where both are set: in a child they may have been changed, when pyopt's are inherited.
    """
    for name, value in list(environment.items()):
        if name.startswith(_NUMBAS):
            environment[_OURS + name.removeprefix(_NUMBAS)] = value
    # A library's signatures that can't be compiled must not stop its import.
    environment.setdefault(f"{_OURS}POSTPONE_ERRORS", "1")


def is_wanted(environment):
    """Whether the environment asks for pyopt in Numba's place."""
    return environment.get(AS_NUMBA, "0") not in ("", "0")
