"""What Numba has in ``numba.core.registry``: the class of compiled functions, and what compiles them."""

from pyopt.dispatcher import Dispatcher

__all__ = ["CPUDispatcher", "CPUTarget", "cpu_target"]

CPUDispatcher = Dispatcher


class CPUTarget:
    """The processor: the contexts in which functions are typed and code is generated."""

    @property
    def target_context(self):
        """What code generators get."""
        from pyopt.intrinsics.context import Context

        return Context()

    @property
    def typing_context(self):
        """What typing functions get."""
        return self.target_context.typing_context


cpu_target = CPUTarget()
