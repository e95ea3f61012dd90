"""The start-up hook of the tests' processes, and of those that the tests start."""

from numba_tests.surface import stand_ins

stand_ins.install()
