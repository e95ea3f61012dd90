# What type checkers know of the package, whose names are looked up when they are asked for. What a decorator
# makes of a function is called as the function is.

import builtins
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from typing import Any, Literal, NamedTuple, ParamSpec, Protocol, TextIO, TypeVar, overload, type_check_only

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pyopt import config as config
from pyopt import cuda as cuda
from pyopt import errors as errors
from pyopt import experimental as experimental
from pyopt import extending as extending
from pyopt import ir as ir
from pyopt import rewrites as rewrites
from pyopt import typed as typed
from pyopt import types as types
from pyopt.errors import ByteCodeSupportError as ByteCodeSupportError
from pyopt.errors import CompilerError as CompilerError
from pyopt.errors import ConstantInferenceError as ConstantInferenceError
from pyopt.errors import DeprecationError as DeprecationError
from pyopt.errors import ForbiddenConstruct as ForbiddenConstruct
from pyopt.errors import ForceLiteralArg as ForceLiteralArg
from pyopt.errors import InternalError as InternalError
from pyopt.errors import InternalTargetMismatchError as InternalTargetMismatchError
from pyopt.errors import IRError as IRError
from pyopt.errors import LiteralTypingError as LiteralTypingError
from pyopt.errors import LoweringError as LoweringError
from pyopt.errors import NonexistentTargetError as NonexistentTargetError
from pyopt.errors import NotDefinedError as NotDefinedError
from pyopt.errors import NumbaAssertionError as NumbaAssertionError
from pyopt.errors import NumbaAttributeError as NumbaAttributeError
from pyopt.errors import NumbaDebugInfoWarning as NumbaDebugInfoWarning
from pyopt.errors import NumbaDeprecationWarning as NumbaDeprecationWarning
from pyopt.errors import NumbaError as NumbaError
from pyopt.errors import NumbaExperimentalFeatureWarning as NumbaExperimentalFeatureWarning
from pyopt.errors import NumbaIndexError as NumbaIndexError
from pyopt.errors import NumbaInvalidConfigWarning as NumbaInvalidConfigWarning
from pyopt.errors import NumbaIRAssumptionWarning as NumbaIRAssumptionWarning
from pyopt.errors import NumbaKeyError as NumbaKeyError
from pyopt.errors import NumbaNotImplementedError as NumbaNotImplementedError
from pyopt.errors import NumbaParallelSafetyWarning as NumbaParallelSafetyWarning
from pyopt.errors import NumbaPedanticWarning as NumbaPedanticWarning
from pyopt.errors import NumbaPendingDeprecationWarning as NumbaPendingDeprecationWarning
from pyopt.errors import NumbaPerformanceWarning as NumbaPerformanceWarning
from pyopt.errors import NumbaRuntimeError as NumbaRuntimeError
from pyopt.errors import NumbaSystemWarning as NumbaSystemWarning
from pyopt.errors import NumbaTypeError as NumbaTypeError
from pyopt.errors import NumbaTypeSafetyWarning as NumbaTypeSafetyWarning
from pyopt.errors import NumbaValueError as NumbaValueError
from pyopt.errors import NumbaWarning as NumbaWarning
from pyopt.errors import RedefinedError as RedefinedError
from pyopt.errors import RequireLiteralValue as RequireLiteralValue
from pyopt.errors import TypingError as TypingError
from pyopt.errors import UnsupportedBytecodeError as UnsupportedBytecodeError
from pyopt.errors import UnsupportedError as UnsupportedError
from pyopt.errors import UnsupportedParforsError as UnsupportedParforsError
from pyopt.errors import UnsupportedRewriteError as UnsupportedRewriteError
from pyopt.errors import UntypedAttributeError as UntypedAttributeError
from pyopt.errors import VerificationError as VerificationError
from pyopt.types import Type as _Type

_P = ParamSpec("_P")
_R_co = TypeVar("_R_co", covariant=True)
_T = TypeVar("_T")

# `bool` is a type of compiled code here.
_bool = builtins.bool

# A signature: types that are called, a tuple of the arguments' types, or either as text.
_Signature = Any
_Signatures = _Signature | list[_Signature]
_Flags = _bool | Collection[str] | Mapping[str, _bool]
_ErrorModel = Literal["python", "numpy"]

__version__: str

class _VersionInfo(NamedTuple):
    major: int
    minor: int
    patch: int
    short: builtins.tuple[int, int]
    full: builtins.tuple[int, int, int]
    string: str
    tuple: builtins.tuple[str, ...]
    git_revision: str | None

version_info: _VersionInfo

@type_check_only
class _CompileStats(Protocol):
    cache_path: str | None
    cache_hits: dict[Any, int]
    cache_misses: dict[Any, int]

# What `jit` and `njit` make of a function.
@type_check_only
class _Dispatcher(Protocol[_P, _R_co]):
    __name__: str
    __qualname__: str
    py_func: Callable[_P, _R_co]
    overloads: dict[Any, Any]
    targetoptions: dict[str, Any]
    def __call__(self, *args: _P.args, **kwargs: _P.kwargs) -> _R_co: ...
    @property
    def signatures(self) -> list[tuple[_Type, ...]]: ...
    @property
    def nopython_signatures(self) -> list[Any]: ...
    @property
    def stats(self) -> _CompileStats: ...
    def compile(self, signature: _Signature) -> Callable[_P, _R_co]: ...
    def disable_compile(self, val: _bool = True) -> None: ...
    def recompile(self) -> None: ...
    def get_overload(self, signature: _Signature) -> Callable[_P, _R_co]: ...
    def inspect_ir(self, stage: str, signature: _Signature | None = None) -> str: ...
    def inspect_llvm(self, signature: _Signature | None = None) -> Any: ...
    def inspect_asm(self, signature: _Signature | None = None) -> Any: ...
    def inspect_ptx(self, signature: _Signature | None = None, chip: str | None = None) -> Any: ...
    def inspect_cfg(self, signature: _Signature | None = None) -> Any: ...
    def inspect_types(
        self, file: TextIO | None = None, signature: _Signature | None = None, pretty: _bool = False
    ) -> None: ...
    def parallel_diagnostics(
        self,
        signature: _Signature | None = None,
        level: int = 1,
        file: TextIO | None = None,
        html: _bool = False,
    ) -> None: ...

# Keeps the parameters and the result of what it decorates.
@type_check_only
class _Decorator(Protocol):
    def __call__(self, function: Callable[_P, _R_co], /) -> _Dispatcher[_P, _R_co]: ...

@overload
def jit(signature_or_function: Callable[_P, _R_co]) -> _Dispatcher[_P, _R_co]: ...
@overload
def jit(
    signature_or_function: _Signatures | None = None,
    *,
    nopython: _bool | None = ...,
    forceobj: _bool | None = ...,
    looplift: _bool | None = ...,
    parallel: _bool | Mapping[str, _bool] | None = ...,
    fastmath: _Flags | None = ...,
    error_model: _ErrorModel = ...,
    boundscheck: _bool | None = ...,
    nogil: _bool | None = ...,
    inline: Literal["never", "always"] | Callable[..., _bool] = ...,
    locals: Mapping[str, _Type] | None = ...,
    cache: _bool | None = ...,
    debug: _bool | None = ...,
    **options: Any,
) -> _Decorator: ...
@overload
def njit(signature_or_function: Callable[_P, _R_co]) -> _Dispatcher[_P, _R_co]: ...
@overload
def njit(
    signature_or_function: _Signatures | None = None,
    *,
    parallel: _bool | Mapping[str, _bool] | None = ...,
    fastmath: _Flags | None = ...,
    error_model: _ErrorModel = ...,
    boundscheck: _bool | None = ...,
    nogil: _bool | None = ...,
    inline: Literal["never", "always"] | Callable[..., _bool] = ...,
    locals: Mapping[str, _Type] | None = ...,
    cache: _bool | None = ...,
    debug: _bool | None = ...,
    **options: Any,
) -> _Decorator: ...
def jit_module(**options: Any) -> None: ...

# A loop over it is a loop over a range; it is one outside of compiled code.
prange = range

class pndindex:
    def __new__(cls, *shape: int) -> np.ndindex: ...  # type: ignore[misc]

def literally(value: _T) -> _T: ...
def literal_unroll(items: Iterable[_T]) -> Iterable[_T]: ...

@type_check_only
class _Stencil(Protocol):
    __name__: str
    py_func: Callable[..., Any]
    @property
    def neighborhood(self) -> Any: ...
    def __call__(self, *args: Any, out: NDArray[Any] | None = None) -> NDArray[Any]: ...

@overload
def stencil(func_or_mode: Callable[..., Any]) -> _Stencil: ...
@overload
def stencil(
    func_or_mode: str = "constant",
    *,
    neighborhood: Sequence[tuple[int, int]] | None = ...,
    cval: complex = ...,
    standard_indexing: Sequence[str] | str = ...,
) -> Callable[[Callable[..., Any]], _Stencil]: ...

# A universal function of the program's own; NumPy's class has the other methods.
@type_check_only
class _Ufunc(Protocol):
    __name__: str
    nin: int
    nout: int
    types: list[str]
    def __call__(self, *args: ArrayLike, **kwargs: Any) -> Any: ...
    def add(self, signature: _Signature) -> Any: ...
    def reduce(self, *args: Any, **kwargs: Any) -> Any: ...
    def accumulate(self, *args: Any, **kwargs: Any) -> Any: ...
    def reduceat(self, *args: Any, **kwargs: Any) -> Any: ...
    def outer(self, *args: Any, **kwargs: Any) -> Any: ...
    def at(self, *args: Any) -> None: ...

@overload
def vectorize(ftylist_or_function: Callable[..., Any]) -> _Ufunc: ...
@overload
def vectorize(
    ftylist_or_function: _Signatures | tuple[()] = (),
    *,
    target: Literal["cpu", "parallel", "cuda"] = ...,
    identity: int | str | None = ...,
    **options: Any,
) -> Callable[[Callable[..., Any]], _Ufunc]: ...
def guvectorize(*args: Any, **options: Any) -> Callable[[Callable[..., Any]], _Ufunc]: ...

class objmode:
    outputs: dict[str, Any]
    def __init__(self, **outputs: Any) -> None: ...
    def __enter__(self) -> None: ...
    def __exit__(self, *exception: object) -> None: ...

@type_check_only
class _CFunc(Protocol[_P, _R_co]):
    __name__: str
    native_name: str
    address: int
    @property
    def ctypes(self) -> Any: ...
    @property
    def cffi(self) -> Any: ...
    def __call__(self, *args: _P.args, **kwargs: _P.kwargs) -> _R_co: ...
    def inspect_llvm(self) -> str: ...

@type_check_only
class _CDecorator(Protocol):
    def __call__(self, function: Callable[_P, _R_co], /) -> _CFunc[_P, _R_co]: ...

def cfunc(
    sig: _Signature,
    locals: Mapping[str, _Type] | None = None,
    cache: _bool = False,
    pipeline_class: Any = None,
    **options: Any,
) -> _CDecorator: ...
def carray(ptr: Any, shape: int | tuple[int, ...], dtype: Any = None) -> NDArray[Any]: ...
def farray(ptr: Any, shape: int | tuple[int, ...], dtype: Any = None) -> NDArray[Any]: ...
def get_num_threads() -> int: ...
def set_num_threads(n: int) -> None: ...
def get_thread_id() -> int: ...
def get_parallel_chunksize() -> int: ...
def set_parallel_chunksize(n: int) -> int: ...
def threading_layer() -> str: ...

class parallel_chunksize:
    n: int
    before: int
    def __init__(self, n: int) -> None: ...
    def __enter__(self) -> None: ...
    def __exit__(self, *exception: object) -> None: ...

gdb: Any
gdb_breakpoint: Any
gdb_init: Any

def typeof(value: Any) -> _Type: ...
def from_dtype(dtype: Any) -> _Type: ...

# Types: called they are signatures, indexed they are arrays.
b1: Any
bool: Any
bool_: Any
boolean: Any
byte: Any
c16: Any
c8: Any
char: Any
complex128: Any
complex64: Any
deferred_type: Any
double: Any
f4: Any
f8: Any
ffi: Any
ffi_forced_object: Any
float32: Any
float64: Any
i1: Any
i2: Any
i4: Any
i8: Any
int16: Any
int32: Any
int64: Any
int8: Any
int_: Any
intc: Any
intp: Any
long_: Any
longlong: Any
none: Any
optional: Any
short: Any
size_t: Any
ssize_t: Any
u1: Any
u2: Any
u4: Any
u8: Any
uchar: Any
uint: Any
uint16: Any
uint32: Any
uint64: Any
uint8: Any
uintc: Any
uintp: Any
ulong: Any
ulonglong: Any
ushort: Any
void: Any

def load_extension(path: str) -> str: ...

# Devices.
class device_context:
    name: str
    def __init__(self, name: str, *, stream: int | None = None) -> None: ...
    def __enter__(self) -> device_context: ...
    def __exit__(self, *exception: object) -> None: ...

def devices() -> list[Any]: ...
def current_device() -> str: ...

class DeviceArray:
    device: str
    shape: tuple[int, ...]
    dtype: np.dtype[Any]
    def copy_to_host(self, ary: NDArray[Any] | None = None) -> NDArray[Any]: ...
    def copy_to_device(self, ary: ArrayLike) -> None: ...
    def synchronize(self) -> None: ...
    def __getattr__(self, name: str) -> Any: ...
    def __getitem__(self, index: Any) -> Any: ...
    def __setitem__(self, index: Any, value: Any) -> None: ...
    def __len__(self) -> int: ...

def device_array(
    shape: int | Sequence[int], dtype: Any = ..., order: str = "C", *, device: str | None = None
) -> DeviceArray: ...
def device_array_like(ary: Any, *, device: str | None = None) -> DeviceArray: ...
def to_device(obj: ArrayLike, *, device: str | None = None) -> DeviceArray: ...
def as_device_array(obj: Any, *, device: str = "cuda:0") -> DeviceArray: ...
