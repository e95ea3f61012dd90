"""Devices that parallel loops run on: which there are, and which one calls are for.

Nothing of a driver is loaded before one of its devices is asked for.
"""

from collections import namedtuple

from pyopt import _core
from pyopt.decorators import of_package


class Device:
    """A device and what it can do; its attributes are those that ``vars`` lists.

    ``name`` is what it is asked for by, ``product`` what its maker calls it. Sizes of memory are in bytes;
    ``max_block`` is how many threads a block has at most, ``float64`` whether there is double precision.
    """

    def __init__(self, **capabilities):
        """Take what is known."""
        vars(self).update(capabilities)

    def __repr__(self):
        """Name the device."""
        return f"<device {self.name}: {self.product}>"


def devices():
    """List the devices that are present, the CPU first; this loads the drivers."""
    found = [Device(name="cpu", product="the CPU", float64=True, float16=False)]
    for _, _, listed in _core.list_devices():
        found += [Device(**capabilities) for capabilities in listed]
    return found


class device_context:
    """``with device_context("cuda:0"):`` has calls of parallel functions run their loops on a device.

    The name is that of one of ``devices()``, or its beginning: ``"opencl:gpu"`` is the first of that kind.
    ``"cpu"`` is the default. Contexts are those of a thread, and can be nested. ``stream`` is the address of
    a stream of CUDA that launches go to, instead of one of the thread's own.

    A context that was entered may be entered again.
    """

    def __init__(self, name, *, stream=None):
        """Take the name; whether there is such a device is found out when the context is entered."""
        if not isinstance(name, str):
            raise TypeError(f"the name of a device is a str, not {type(name).__name__}")
        self.name = name
        self._stream = stream

    def __repr__(self):
        """Name the device."""
        return f"device_context({self.name!r})"

    def __enter__(self):
        """Enter the context on this thread; raise ``DeviceError`` if there is no such device."""
        _core.enter_device(self.name, self._stream)
        return self

    def __exit__(self, *exception):
        """Leave the context; exceptions go on."""
        _core.leave_device()


of_package(device_context)


def current_device():
    """Return the name of the device that calls on this thread are for."""
    return _core.current_device() or "cpu"


def synchronize():
    """Wait until what this thread launched on the device of its context is done."""
    _core.synchronize_device()


#: What calls did on a device: kernels that were launched, copies to it and to the host, and their bytes.
DeviceStats = namedtuple("DeviceStats", "launches copies_in bytes_in copies_out bytes_out")


def totals(name):
    """Return what all calls have done on a device."""
    return DeviceStats(*_core.device_counters(name))


def memory_in_use(name):
    """Return how many bytes of a device's memory are in use, and how many are kept for later use."""
    return _core.device_memory(name)


def add_command(commands):
    """Add the command to those of ``python -m pyopt``."""
    parser = commands.add_parser("devices", help="list what parallel loops can run on")
    parser.set_defaults(run=_run)


def _run(_given):
    """Print the devices and, for drivers without any, why."""
    for device in devices():
        print(f"{device.name:15} {device.product}")
        if device.name != "cpu":
            print(f"{'':15} {_described(device)}")
    for driver, reason, _ in _core.list_devices():
        if reason is not None:
            print(f"{driver:15} none: {reason}")
    return 0


def _described(device):
    parts = [device.driver_version, device.architecture, f"{device.memory / 2**30:.1f} GiB"]
    parts.append(f"{device.compute_units} units")
    if not device.float64:
        parts.append("no float64")
    return ", ".join(filter(None, parts))
