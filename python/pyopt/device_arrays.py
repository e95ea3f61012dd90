"""Arrays that stay on a device between calls."""

import numpy as np

from pyopt import _core


class DeviceArray(_core.DeviceArrayBase):
    """An array in a device's memory: calls of compiled functions take it as an array, and move nothing.

    Where a call runs on the CPU, or on another device, its contents are copied there and back. Slices are
    views of the same memory.
    """

    __slots__ = ()

    def __repr__(self):
        """Say what it is, without looking at its contents."""
        return f"<device array {self.dtype}{list(self.shape)} on {self.device}>"

    @property
    def device(self):
        """The name of the device."""
        return self._memory.device

    shape = property(lambda self: self._shadow.shape, doc="Extents.")
    strides = property(lambda self: self._shadow.strides, doc="Strides in bytes.")
    dtype = property(lambda self: self._shadow.dtype, doc="Type of the elements.")
    ndim = property(lambda self: self._shadow.ndim, doc="Number of dimensions.")
    size = property(lambda self: self._shadow.size, doc="Number of elements.")
    nbytes = property(lambda self: self._shadow.nbytes, doc="Bytes of the elements.")
    itemsize = property(lambda self: self._shadow.itemsize, doc="Bytes of an element.")

    @property
    def T(self):
        """The array with its dimensions in reverse order."""
        return self._view(self._shadow.T)

    def __len__(self):
        """Return the first extent."""
        return len(self._shadow)

    def __getitem__(self, index):
        """Return a view; elements are read from what ``copy_to_host`` returns."""
        found = self._shadow_view(index)
        return self._view(found)

    def __setitem__(self, index, value):
        """Copy values into a part of the array."""
        self._view(self._shadow_view(index)).copy_to_device(value)

    def _shadow_view(self, index):
        # An index with `...` gives a view in any case, also of one element.
        parts = index if isinstance(index, tuple) else (index,)
        if any(isinstance(part, (list, np.ndarray)) or part is None for part in parts):
            raise TypeError("device arrays are indexed by integers and slices")
        return self._shadow[parts if any(part is ... for part in parts) else (*parts, ...)]

    def reshape(self, *shape):
        """Return a view of another shape, of an array whose elements lie side by side."""
        made = self._shadow.view()
        try:
            made.shape = shape[0] if len(shape) == 1 and isinstance(shape[0], tuple) else shape
        except AttributeError:
            raise ValueError("the elements of a device array that is reshaped lie side by side") from None
        return self._view(made)

    def ravel(self):
        """Return a view of one dimension, of an array whose elements lie side by side."""
        return self.reshape(-1)

    def copy_to_host(self, ary=None):
        """Return the contents as a NumPy array: a new one, or ``ary`` if it is given."""
        if ary is None:
            ary = np.empty_like(self._shadow, subok=False)
        if (bytes := self._same_bytes(ary)) is not None:
            if not ary.flags.writeable:
                raise ValueError("the array to copy to is read-only")
            self._memory.read(*bytes)
        else:
            self._memory.to_host(False)
            np.copyto(ary, self._shadow, casting="no")
        return ary

    def copy_to_device(self, ary):
        """Take over the contents of an array, of the host or of a device."""
        if isinstance(ary, DeviceArray):
            ary = ary.copy_to_host()
        if (bytes := self._same_bytes(ary)) is not None:
            self._memory.write(*bytes)
        else:
            self._memory.to_host(True)
            self._shadow[...] = ary
            self._memory.publish()

    def _same_bytes(self, ary):
        """Say where an array's bytes go, if all lie side by side as they do here: offset, address, number."""
        own = self._shadow
        if not isinstance(ary, np.ndarray) or (ary.shape, ary.dtype) != (own.shape, own.dtype):
            return None
        both = ary.flags, own.flags
        if not (all(one.c_contiguous for one in both) or all(one.f_contiguous for one in both)):
            return None
        address = ary.__array_interface__["data"][0]
        return own.__array_interface__["data"][0] - self._memory.start, address, ary.nbytes

    def synchronize(self):
        """Wait for what was done with the array."""
        self._memory.synchronize()

    def __array__(self, dtype=None, copy=None):
        """Return the contents, for NumPy's functions."""
        if copy is False:
            raise ValueError("the contents of a device array can't be had without a copy")
        found = self.copy_to_host()
        return found if dtype is None else found.astype(dtype)

    @property
    def __cuda_array_interface__(self):
        """What other libraries of CUDA know the array by."""
        address = self._address()
        if address is None:
            raise AttributeError(f"arrays on {self.device} have no __cuda_array_interface__")
        return {
            "shape": self.shape,
            "typestr": self.dtype.str,
            "descr": self.dtype.descr,
            "strides": None if self._shadow.flags.c_contiguous else self.strides,
            "data": (address, False),
            "version": 3,
            # What was launched is done.
            "stream": None,
        }

    def _address(self):
        start = self._memory.share()
        return (
            None
            if start is None
            else start + self._shadow.__array_interface__["data"][0] - self._memory.start
        )

    def __dlpack_device__(self):
        """Give the kind and the number of the device."""
        kind, _, number = self.device.rpartition(":")
        if kind != "cuda":
            raise BufferError(f"arrays on {self.device} have no DLPack")
        return _DLPACK_CUDA, int(number)

    def __dlpack__(self, *, stream=None, max_version=None, dl_device=None, copy=None):
        """Give the array to another library of CUDA."""
        device = self.__dlpack_device__()
        if copy or (dl_device is not None and tuple(dl_device) != device):
            raise BufferError("DLPack shares a device array's memory, without a copy")
        kind = _DLPACK_KINDS.get(self.dtype.kind)
        if kind is None:
            raise BufferError(f"DLPack has no {self.dtype}")
        strides = [stride // self.itemsize for stride in self.strides]
        return _core.dlpack_capsule(
            self, self._address(), device, kind, 8 * self.itemsize, self.shape, strides
        )

    def _view(self, shadow):
        return DeviceArray(shadow, self._memory)


_DLPACK_CUDA = 2
_DLPACK_KINDS = {"i": 0, "u": 1, "f": 2, "c": 5, "b": 6}

_core.set_device_array_type(DeviceArray)


def device_array(shape, dtype=np.float64, order="C", *, device=None):
    """Make an array on a device, with any contents: on that of the context, if none is named."""
    name = _device(device)
    dtype = np.dtype(dtype)
    if dtype.hasobject:
        raise TypeError(f"a device has no arrays of {dtype}")
    shape = tuple(map(_extent, shape)) if np.iterable(shape) else (_extent(shape),)
    count = 1
    for extent in shape:
        count *= extent
    memory = _core.DeviceMemory(name, count * dtype.itemsize)
    return DeviceArray(np.ndarray(shape, dtype, buffer=memory, order=order), memory)


def device_array_like(ary, *, device=None):
    """Make an array on a device of the shape and the dtype of another one, with any contents."""
    columns = ary.ndim > 1 and ary.strides[0] < ary.strides[-1]
    return device_array(ary.shape, ary.dtype, "F" if columns else "C", device=device)


def to_device(obj, *, device=None):
    """Copy an array to a device: to that of the context, if none is named."""
    ary = obj if isinstance(obj, DeviceArray) else np.asarray(obj)
    made = device_array_like(ary, device=device)
    made.copy_to_device(ary)
    return made


def as_device_array(obj, *, device="cuda:0"):
    """Make an array on a device of one of another library of CUDA, such as CuPy, without a copy."""
    interface = obj.__cuda_array_interface__
    shape, dtype = tuple(interface["shape"]), np.dtype(interface["typestr"])
    address, is_readonly = interface["data"]
    strides = interface.get("strides")
    if strides is None:
        strides = np.empty(0, dtype).reshape(0, *shape[1:]).strides if shape else ()
    if interface.get("stream") is not None:
        from pyopt.offload import device_context, synchronize

        # What the other library has launched is to be done.
        with device_context(device, stream=interface["stream"]):
            synchronize()
    reach = (
        [(extent - 1) * stride for extent, stride in zip(shape, strides, strict=True)]
        if 0 not in shape
        else []
    )
    low = sum(step for step in reach if step < 0)
    size = 0 if 0 in shape else sum(step for step in reach if step > 0) - low + dtype.itemsize
    memory = _core.DeviceMemory.foreign(device, size, address + low, obj)
    shadow = np.ndarray(shape, dtype, buffer=memory, offset=-low, strides=strides)
    shadow.flags.writeable = not is_readonly
    return DeviceArray(shadow, memory)


def _device(name):
    name = _core.current_device() if name is None else name
    if name is None or name == "cpu":
        raise ValueError("name a device, or enter the context of one: the CPU's arrays are NumPy's")
    return name


def _extent(value):
    from operator import index

    extent = index(value)
    if extent < 0:
        raise ValueError("negative dimensions are not allowed")
    return extent
