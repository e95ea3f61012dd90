"""A plugin that runs tests in the context of a device: ``-p on_device --device opencl:cpu:0``.

Tests that compare with Python stay as they are. At the end it says how much ran there.
"""

import pytest

from pyopt import device_context
from pyopt.offload import totals


def pytest_addoption(parser):
    parser.addoption("--device", required=True, help="the device that calls of the tests are for")


@pytest.fixture(autouse=True)
def on_device(request):
    with device_context(request.config.getoption("--device")):
        yield


def pytest_terminal_summary(terminalreporter, config):
    device = config.getoption("--device")
    terminalreporter.write_line(f"on {device}: {totals(device)}")
