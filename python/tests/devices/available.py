"""Whether there is a device for tests: pocl's, which is the CPU."""

import pytest

from pyopt import device_context

NAME = "opencl:cpu:0"


def _reason():
    try:
        with device_context(NAME):
            return None
    except RuntimeError as error:
        return str(error)


reason = _reason()
#: Set-up installs what is needed where the system has packages of it.
needs_device = pytest.mark.skipif(reason is not None, reason=reason or "")
