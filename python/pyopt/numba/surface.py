"""Which of Numba's modules are there, what pyopt has for each, and which of its names are refused on use.

A line is a module: its name, the modules of pyopt that its names are looked up in (``=a,b``), the names that
are taken as decorators with arguments (``@``), as decorators without (``!``) and as functions that register
something (``~``), and names that are refused on use. Other names don't exist, but in modules with a ``*``:
any other name in them is refused on use.
"""

_EXTENSION = "@lower_constant @iternext_impl @iterator_impl"
_TEMPLATES = (
    "~make_callable_template ~make_concrete_template ~make_intrinsic_template ~make_overload_template "
    "~make_overload_attribute_template ~make_overload_method_template"
)

_MODULES = f"""
numba =pyopt
numba.types =pyopt.types
numba.errors =pyopt.errors
numba.config =pyopt.config
numba.extending =pyopt.extending {_EXTENSION} include_path
numba.typed =pyopt.typed
numba.typed.typedlist =pyopt.typed *
numba.typed.typeddict =pyopt.typed *
numba.experimental =pyopt.experimental
numba.experimental.structref =pyopt.structures
numba.experimental.function_type =pyopt.types
numba.cuda =pyopt.cuda
numba.cuda.cudadrv.error =pyopt.cuda *
numba.cuda.types =pyopt.types
numba.np
numba.np.extensions cross2d
numba.np.numpy_support =pyopt.numba.numpy_support *
numba.np.ufunc =pyopt,pyopt.ufuncs Vectorize GUVectorize
numba.np.ufunc.decorators =pyopt,pyopt.ufuncs
numba.np.ufunc.dufunc =pyopt.ufuncs
numba.np.ufunc.gufunc =pyopt.ufuncs
numba.np.ufunc.parallel =pyopt,pyopt.numba.threads
numba.np.unsafe
numba.misc
numba.misc.special =pyopt
numba.stencils
numba.stencils.stencil =pyopt.stencils
numba.parfors
numba.cpython
numba.cpython.unsafe
numba.core
numba.core.boxing =pyopt.extending @reflect *
numba.core.caching =pyopt.numba.caches *
numba.core.ccallback =pyopt.cfuncs
numba.core.compiler_lock =pyopt.numba.locks
numba.core.compiler_machinery @register_pass *
numba.core.config =pyopt.config
numba.core.datamodel =pyopt.own_types @register_default @register *
numba.core.datamodel.models =pyopt.own_types @register_default *
numba.core.datamodel.registry @register_default @register *
numba.core.decorators =pyopt
numba.core.dispatcher =pyopt.dispatcher *
numba.core.entrypoints ~init_all
numba.core.errors =pyopt.errors
numba.core.extending =pyopt.extending {_EXTENSION}
numba.core.imputils =pyopt.extending,pyopt.numba.results {_EXTENSION} *
numba.core.pythonapi =pyopt.extending @reflect *
numba.core.serialize =pyopt.pickling *
numba.core.registry =pyopt.numba.dispatchers *
numba.core.rewrites !register_rewrite *
numba.core.sigutils =pyopt.numba.signatures
numba.core.target_extension =pyopt.numba.dispatchers *
numba.core.types =pyopt.types
numba.core.types.abstract =pyopt.types
numba.core.types.common =pyopt.types
numba.core.types.containers =pyopt.types
numba.core.types.function_type =pyopt.types
numba.core.types.functions =pyopt.types
numba.core.types.iterators =pyopt.types
numba.core.types.misc =pyopt.types
numba.core.types.npytypes =pyopt.types
numba.core.types.scalars =pyopt.types
numba.core.typing =pyopt.numba.signatures *
numba.core.typing.asnumbatype =pyopt.extending
numba.core.typing.cffi_utils =pyopt.cffi_types
numba.core.typing.ctypes_utils =pyopt.c_types
numba.core.typing.templates =pyopt.templates,pyopt.numba.signatures {_TEMPLATES} *
numba.core.typing.typeof =pyopt.extending,pyopt.types *
numba.core.unsafe
numba.core.utils =pyopt.config *
numba.core.withcontexts =pyopt,pyopt.with_blocks *
numba.core.cgutils =pyopt.intrinsics.cgutils
llvmlite
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
numba: pycc testing
numba.core: analysis annotations base bytecode byteflow callconv callwrapper cgutils codegen compiler
  consts controlflow cpu cpu_options debuginfo descriptors environment event externals fastmathpass
  funcdesc generators inline_closurecall interpreter intrinsics ir ir_utils itanium_mangler llvm_bindings
  lowering object_mode_passes optional options postproc pylowering runtime ssa targetconfig
  tracing transforms typeconv typed_passes typeinfer untyped_passes
numba.core.annotations: pretty_annotate type_annotations
numba.core.datamodel: manager packer testing
numba.core.rewrites: ir_print registry static_binop static_getitem static_raise
numba.core.runtime: context nrt nrtdynmod nrtopt
numba.core.typeconv: castgraph rules typeconv
numba.core.typing: arraydecl bufproto builtins cmathdecl collections context dictdecl
  enumdecl listdecl mathdecl npydecl setdecl
numba.core.unsafe: bytes eh nrt refcount
numba.cpython: builtins charseq cmathimpl enumimpl hashing heapq iterators listobj mathimpl numbers
  printimpl randomimpl rangeobj setobj slicing tupleobj unicode unicode_support
numba.cpython.unsafe: numbers tuple
numba.cuda: api api_util args cg codegen compiler cuda_paths cudadecl cudadrv cudaimpl cudamath decorators
  descriptor device_init deviceufunc dispatcher errors extending initialize intrinsic_wrapper intrinsics
  libdevice libdevicedecl libdevicefuncs libdeviceimpl mathimpl models nvvmutils printimpl random
  simulator stubs target testing ufuncs vector_types vectorizers
numba.cuda.cudadrv: devicearray driver nvvm
numba.misc: appdirs cffiimpl coverage_support dump_style findlib firstlinefinder init_utils inspection
  literal llvm_pass_timings memoryutils quicksort
numba.np: arraymath arrayobj linalg math npdatetime npdatetime_helpers npyfuncs npyimpl polynomial random
  types ufunc_db
numba.np.math: cmathimpl mathimpl numbers
numba.np.polynomial: polynomial_core polynomial_functions
numba.np.random: distributions generator_core generator_methods legacy random_methods
numba.np.types: datetime datetime_registry
numba.np.ufunc: array_exprs sigparse ufunc_base ufuncbuilder wrappers
numba.np.unsafe: ndarray
numba.parfors: array_analysis ir_utils parfor parfor_lowering parfor_lowering_utils
numba.stencils: stencilparfor
numba.typed: dictimpl dictobject listobject setobject typedobjectutils typedset
"""


class Module:
    """What pyopt has for a module of Numba's."""

    def __init__(self, words):
        """Sort the words of a line by their marks."""
        self.is_open = "*" in words
        self.sources = [one for word in words if word[0] == "=" for one in word[1:].split(",")]
        self.names = {word.lstrip("@!~"): word[0] for word in words if word[0] not in "=*"}


#: The modules by name; a package has others below it.
MODULES = {line.split()[0]: Module(line.split()[1:]) for line in _MODULES.strip().splitlines()}
for _line in _INNER.replace("\n  ", " ").strip().splitlines():
    _package, _, _names = _line.partition(":")
    for _name in _names.split():
        MODULES.setdefault(f"{_package}.{_name}", Module(["*"]))


def is_package(name):
    """Whether a module has others below it."""
    return any(other.startswith(f"{name}.") for other in MODULES)
