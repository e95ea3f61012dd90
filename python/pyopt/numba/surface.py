"""Which of Numba's modules are there, what pyopt has for each, and which of its names are refused on use.

A line is a module: its name, the modules of pyopt that its names are looked up in (``=a,b``), the names that
are taken as decorators with arguments (``@``), as decorators without (``!``) and as functions that register
something (``~``), and names that are refused on use. Other names don't exist, but in modules with a ``*``:
any other name in them is refused on use.
"""

_EXTENSION = "@lower_constant @iternext_impl @iterator_impl"
_TEMPLATES = (
    "~make_callable_template ~make_concrete_template ~make_intrinsic_template ~make_overload_template"
)
_EXTENDING = "include_path ReduceMixin sentry_literal_args BoundLiteralArgs"
_UFUNCS = "PyUFunc_None PyUFunc_One PyUFunc_ReorderableNone PyUFunc_Zero"
_TYPES = (
    "BaseContainerIterator BaseContainerPayload ClassDataType DictItemsIterableType "
    "DictIteratorType DictKeysIterableType DictValuesIterableType ListIter ListPayload ListTypeIterableType "
    "ListTypeIteratorType MakeFunctionLiteral Poison RangeIteratorType SetEntry SetIter SetIterableType "
    "SetIteratorType SetPayload StructRefPayload UniTupleIter UnicodeIteratorType npy_bitgen npy_rng "
    "py2_string_type range_iter32_type range_iter64_type range_state32_type range_state64_type "
    "unsigned_range_iter64_type unsigned_range_state64_type"
)

_MODULES = f"""
numba =pyopt test
numba.types =pyopt.types {_TYPES}
numba.errors =pyopt.errors NOPColorScheme WarningsFixer deprecated new_error_context termcolor
numba.config =pyopt.config
numba.extending =pyopt.extending {_EXTENSION} {_EXTENDING}
numba.typed =pyopt.typed
numba.typed.typedlist =pyopt.typed *
numba.typed.listobject =pyopt.typed *
numba.typed.dictobject =pyopt.typed *
numba.typed.setobject =pyopt.typed *
numba.typed.typeddict =pyopt.typed *
numba.experimental =pyopt.experimental
numba.experimental.jitclass =pyopt.experimental *
numba.experimental.jitclass.base =pyopt.jitclasses *
numba.experimental.structref =pyopt.structures *
numba.experimental.function_type =pyopt.types,pyopt.numba.functions *
numba.cuda =pyopt.cuda
numba.cuda.cudadrv.error =pyopt.cuda *
numba.cuda.types =pyopt.types *
numba._helperlib =pyopt.numba.random_states *
numba.np
numba.np.arraymath =pyopt.numba.linear_algebra *
numba.np.arrayobj =pyopt.numba.array_indexing *
numba.np.extensions cross2d
numba.np.linalg =pyopt.numba.linear_algebra *
numba.np.numpy_support =pyopt.numba.numpy_support *
numba.np.types =pyopt.types *
numba.np.types.datetime =pyopt.types *
numba.np.ufunc =pyopt,pyopt.ufuncs Vectorize GUVectorize {_UFUNCS}
numba.np.ufunc.decorators =pyopt,pyopt.ufuncs *
numba.np.ufunc.dufunc =pyopt.ufuncs *
numba.np.ufunc.gufunc =pyopt.ufuncs *
numba.np.ufunc.parallel =pyopt,pyopt.numba.threads *
numba.np.unsafe
numba.np.unsafe.ndarray =pyopt.numba.unsafe *
numba.misc
numba.misc.special =pyopt
numba.tests
numba.tests.support *
numba.stencils
numba.stencils.stencil =pyopt.stencils *
numba.parfors
numba.cpython
numba.cpython.charseq =pyopt.numba.texts *
numba.cpython.unicode =pyopt.numba.texts *
numba.cpython.unsafe
numba.cpython.unsafe.tuple =pyopt.numba.unsafe *
numba.core
numba.core.boxing =pyopt.extending,pyopt.numba.boxing @reflect *
numba.core.caching =pyopt.numba.caches *
numba.core.ccallback =pyopt.cfuncs *
numba.core.compiler_lock =pyopt.numba.locks *
numba.core.compiler_machinery @register_pass *
numba.core.config =pyopt.config
numba.core.datamodel =pyopt.numba.data_models,pyopt.own_types *
numba.core.datamodel.models =pyopt.own_types,pyopt.numba.data_models *
numba.core.datamodel.registry =pyopt.numba.data_models *
numba.core.decorators =pyopt *
numba.core.dispatcher =pyopt.dispatcher *
numba.core.entrypoints ~init_all
numba.core.errors =pyopt.errors NOPColorScheme WarningsFixer deprecated new_error_context termcolor
numba.core.event =pyopt.numba.events *
numba.core.extending =pyopt.extending {_EXTENSION} {_EXTENDING}
numba.core.imputils =pyopt.extending,pyopt.numba.results {_EXTENSION} *
numba.core.pythonapi =pyopt.extending @reflect *
numba.core.serialize =pyopt.numba.serialization *
numba.core.registry =pyopt.numba.dispatchers *
numba.core.runtime =pyopt.numba.memory *
numba.core.runtime._nrt_python =pyopt.numba.memory *
numba.core.runtime.nrt =pyopt.numba.memory *
numba.core.rewrites !register_rewrite *
numba.core.sigutils =pyopt.numba.signatures *
numba.core.target_extension =pyopt.numba.dispatchers *
numba.core.types =pyopt.types {_TYPES}
numba.core.types.abstract =pyopt.types {_TYPES}
numba.core.types.common =pyopt.types {_TYPES}
numba.core.types.containers =pyopt.types {_TYPES}
numba.core.types.function_type =pyopt.types {_TYPES}
numba.core.types.functions =pyopt.types {_TYPES}
numba.core.types.iterators =pyopt.types {_TYPES}
numba.core.types.misc =pyopt.types {_TYPES}
numba.core.types.npytypes =pyopt.types {_TYPES}
numba.core.types.scalars =pyopt.types {_TYPES}
numba.core.typeconv =pyopt.types *
numba.core.typeconv.castgraph =pyopt.types *
numba.core.typing =pyopt.numba.signatures *
numba.core.typing.arraydecl =pyopt.numba.array_indexing *
numba.core.typing.asnumbatype =pyopt.extending *
numba.core.typing.cffi_utils =pyopt.cffi_types *
numba.core.typing.ctypes_utils =pyopt.c_types *
numba.core.typing.npydecl =pyopt.numba.numpy_support *
numba.core.typing.templates =pyopt.templates,pyopt.numba.signatures {_TEMPLATES} *
numba.core.typing.typeof =pyopt.numba.typing_values,pyopt.extending,pyopt.types *
numba.core.unsafe
numba.core.utils =pyopt.numba.utilities,pyopt.config *
numba.core.withcontexts =pyopt,pyopt.with_blocks *
numba.core.cgutils =pyopt.intrinsics.cgutils *
llvmlite
llvmlite.binding =pyopt.numba.symbols *
llvmlite.binding.dylib =pyopt.numba.symbols *
llvmlite.ir =pyopt.intrinsics.ir *
llvmlite.ir.types =pyopt.intrinsics.ir *
llvmlite.ir.values =pyopt.intrinsics.ir *
llvmlite.ir.builder =pyopt.intrinsics.ir *
"""

# Packages, and modules in them that are about Numba's own inside: any name in them is refused on use.
_INNER = """
llvmlite: binding ir utils
llvmlite.binding: analysis common config context dylib executionengine ffi initfini linker module
  newpassmanagers object_file options orcjit targets typeref value
llvmlite.ir: builder context instructions module transforms types values
numba: cloudpickle pycc runtests scripts testing _devicearray _dispatcher _dynfunc _version cext
  mviewbuf
numba.core: analysis annotations base bytecode byteflow callconv callwrapper cgutils codegen compiler
  consts controlflow cpu cpu_options debuginfo descriptors environment event externals fastmathpass
  funcdesc generators inline_closurecall interpreter intrinsics ir ir_utils itanium_mangler llvm_bindings
  lowering object_mode_passes optional options postproc pylowering runtime ssa targetconfig
  tracing transforms typeconv typed_passes typeinfer untyped_passes
numba.core.annotations: pretty_annotate type_annotations
numba.core.datamodel: manager packer testing
numba.core.rewrites: ir_print registry static_binop static_getitem static_raise
numba.core.runtime: context nrt nrtdynmod nrtopt
numba.core.typeconv: _typeconv castgraph rules typeconv
numba.core.typing: arraydecl bufproto builtins cmathdecl collections context dictdecl
  enumdecl listdecl mathdecl npydecl setdecl
numba.core.unsafe: bytes eh nrt refcount
numba.experimental.jitclass: _box boxing decorators overloads
numba.pycc: cc compiler decorators llvm_types platform
numba.cloudpickle: cloudpickle cloudpickle_fast
numba.scripts: generate_lower_listing
numba.cpython: builtins charseq cmathimpl enumimpl hashing heapq iterators listobj mathimpl numbers
  printimpl randomimpl rangeobj setobj slicing tupleobj unicode unicode_support
numba.cpython.unsafe: numbers
numba.cuda: api api_util args cg codegen compiler cuda_paths cudadecl cudadrv cudaimpl cudamath decorators
  descriptor device_init deviceufunc dispatcher errors extending initialize intrinsic_wrapper intrinsics
  libdevice libdevicedecl libdevicefuncs libdeviceimpl mathimpl models nvvmutils printimpl random
  kernels simulator simulator_init stubs target testing ufuncs vector_types vectorizers
numba.cuda.cudadrv: _extras devicearray devices driver drvapi dummyarray enums libs ndarray nvrtc nvvm rtapi
  runtime
numba.cuda.kernels: reduction transpose
numba.cuda.simulator: api compiler cudadrv kernel kernelapi reduction vector_types
numba.cuda.simulator.cudadrv: devicearray devices driver drvapi dummyarray error libs nvvm runtime
numba.misc: POST appdirs gdb_hook cffiimpl coverage_support dump_style findlib firstlinefinder help init_utils
  inspection
  mergesort numba_entry numba_gdbinfo numba_sysinfo timsort
  literal llvm_pass_timings memoryutils quicksort
numba.np: arraymath arrayobj linalg math npdatetime npdatetime_helpers npyfuncs npyimpl polynomial random
  types ufunc_db
numba.misc.help: inspector
numba.np.math: cmathimpl mathimpl numbers
numba.np.polynomial: polynomial_core polynomial_functions
numba.np.random: _constants distributions generator_core generator_methods legacy random_methods
numba.np.types: datetime_registry
numba.np.ufunc: _internal _num_threads array_exprs omppool sigparse tbbpool ufunc_base ufuncbuilder workqueue
  wrappers
numba.parfors: array_analysis ir_utils parfor parfor_lowering parfor_lowering_utils
numba.stencils: stencilparfor
numba.typed: dictimpl typedobjectutils typedset
"""


class Module:
    """What pyopt has for a module of Numba's."""

    def __init__(self, words):
        """Sort the words of a line by their marks."""
        self.is_open = "*" in words
        self.sources = [one for word in words if word[0] == "=" for one in word[1:].split(",")]
        self.names = {word.lstrip("@!~"): word[0] for word in words if word[0] not in "=*"}


#: Names of pyopt's that ``from numba import *`` doesn't give: of its own, or names that Numba keeps out.
OURS = frozenset(
    "DeviceArray as_device_array carray config cuda current_device device_array device_array_like "
    "device_context devices errors extending farray get_thread_id ir literally load_extension pndindex "
    "rewrites threading_layer to_device typed types version_info".split()
)
#: The modules by name; a package has others below it.
MODULES = {line.split()[0]: Module(line.split()[1:]) for line in _MODULES.strip().splitlines()}
for _line in _INNER.replace("\n  ", " ").strip().splitlines():
    _package, _, _names = _line.partition(":")
    for _name in _names.split():
        MODULES.setdefault(f"{_package}.{_name}", Module(["*"]))


def is_package(name):
    """Whether a module has others below it."""
    return any(other.startswith(f"{name}.") for other in MODULES)
