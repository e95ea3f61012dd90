"""What Numba has in ``numba.core.registry``: the class of compiled functions, and their target."""

from pyopt.compiler_objects import TargetContext, TypingContext
from pyopt.dispatcher import Dispatcher

__all__ = ["CPUDispatcher", "CPUTarget", "cpu_target"]

CPUDispatcher = Dispatcher


class CPUTarget:
    """This machine: what knows the types of values, and what code is compiled for without any option."""

    typing_context = TypingContext()
    target_context = TargetContext({})


cpu_target = CPUTarget()
