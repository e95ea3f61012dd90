"""What Numba has in ``numba.cuda``, as far as a program without a device needs it.

Kernels can be declared, and are refused when they are launched. There is never a device.
"""

from pyopt.errors import UnsupportedError
from pyopt.missing import missing

# What else a program may name. Those in capitals and all calls are refused on use.
_MISSING = frozenset(
    "activemask all_sync any_sync as_cuda_array atomic ballot_sync blockDim blockIdx brev cbrt cg clz "
    "close compile compile_for_current_device compile_ptx compile_ptx_for_current_device const cudadrv "
    "current_context declare_device default_stream defer_cleanup device_array device_array_like eq_sync "
    "event event_elapsed_time external_stream ffs fma fp16 from_cuda_array_interface get_current_device "
    "grid gridDim gridsize intrinsics laneid legacy_default_stream libdevice list_devices local "
    "managed_array mapped mapped_array mapped_array_like match_all_sync match_any_sync nanosleep "
    "open_ipc_array per_thread_default_stream pinned pinned_array pinned_array_like popc profile_start "
    "profile_stop profiling random reduce Reduce select_device selp shared shfl_down_sync shfl_sync "
    "shfl_up_sync shfl_xor_sync stream synchronize syncthreads syncthreads_and syncthreads_count "
    "syncthreads_or syncwarp threadIdx threadfence threadfence_block threadfence_system to_device "
    "warpsize DeviceNDArray MemoryPointer In Out InOut runtime set_memory_manager BaseCUDAMemoryManager "
    "HostOnlyCUDAMemoryManager GetIpcHandleMixin MappedMemory PinnedMemory MemoryInfo IpcHandle "
    "KernelRuntimeError is_float16_supported lanemask_lt prepare_shape_strides_dtype require_context "
    "shfl_sync_intrinsic vote_sync_intrinsic".split()
) | {
    # Vectors: `float4` and `float32x4`.
    f"{kind}{separator}{size}"
    for kinds, separator in (
        ("char short int long longlong uchar ushort uint ulong ulonglong float double", ""),
        ("int8 int16 int32 int64 uint8 uint16 uint32 uint64 float32 float64", "x"),
    )
    for kind in kinds.split()
    for size in (1, 2, 3, 4)
}


class CudaSupportError(UnsupportedError, RuntimeError):
    """There is no device."""


class Kernel:
    """A function for a device; Python keeps its own version as ``py_func``."""

    def __init__(self, function):
        """Take over the function's names."""
        from functools import update_wrapper

        update_wrapper(self, function)
        self.py_func = function

    def __getitem__(self, configuration):
        """Give what a launch is written with; it is refused when it is called."""
        return self

    def __call__(self, *args, **kwargs):
        """Refuse to launch."""
        raise CudaSupportError(f"a launch of the CUDA kernel {self.__qualname__} isn't supported by pyopt")

    def forall(self, *args, **kwargs):
        """Give what a launch for so many elements is written with."""
        return self


def jit(func_or_sig=None, **options):
    """Decorate a function for a device, with or without a signature."""
    is_function = hasattr(func_or_sig, "__code__")
    return Kernel(func_or_sig) if is_function else Kernel


def is_available():
    """Say that there is no device."""
    return False


def is_supported_version():
    """Say that there is no CUDA that could be used."""
    return False


def is_cuda_array(value):
    """Whether an object says that it is an array on a device."""
    return hasattr(value, "__cuda_array_interface__")


def detect():
    """Say that there is no device."""
    print("Found 0 CUDA devices")
    return False


class _Devices:
    """The list of devices: asking for them is an error, as in Numba without a device."""

    def __iter__(self):
        raise CudaSupportError("pyopt uses no CUDA device")

    __len__ = __getitem__ = __iter__


gpus = _Devices()


def __getattr__(name):
    if name in _MISSING:
        return missing(f"cuda.{name}")
    raise AttributeError(f"module '{__name__}' has no attribute '{name}'")
