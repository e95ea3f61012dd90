"""What Numba has in ``numba.experimental``."""


def __getattr__(name):
    if name == "structref":
        from pyopt import structures

        return structures
    if name == "jitclass":
        from pyopt.jitclasses import jitclass

        return jitclass
    raise AttributeError(f"module '{__name__}' has no attribute '{name}'")
