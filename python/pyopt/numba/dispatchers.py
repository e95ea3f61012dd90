"""What Numba has in ``numba.core.registry``: the class of compiled functions."""

from pyopt.dispatcher import Dispatcher

CPUDispatcher = Dispatcher
