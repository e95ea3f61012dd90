"""Which of Numba's modules are there, what pyopt has for each, and which of its names are refused on use.

A line, which goes on in those that are indented, is a module: its name, the modules of pyopt that its names
are looked up in (``=a,b``), the names that are taken as decorators with arguments (``@``), as decorators
without (``!``) and as functions that register something (``~``), and at last the names that are refused on
use. Names in no list don't exist, as in Numba.
"""

_EXTENSION = (
    "@lower_builtin @lower_cast @lower_constant @lower_getattr @lower_getattr_generic @lower_setattr "
    "@lower_setattr_generic @iternext_impl @iterator_impl"
)

_MODULES = f"""
numba =pyopt
numba.types =pyopt.types
numba.errors =pyopt.errors
numba.config =pyopt.config
numba.extending =pyopt.extending {_EXTENSION} include_path
numba.typed =pyopt.typed
numba.typed.typedlist =pyopt.typed
numba.typed.typeddict =pyopt.typed
numba.experimental =pyopt.experimental
numba.experimental.structref ~define_proxy ~define_boxing ~define_constructor ~define_attributes !register
  StructRefProxy new
numba.experimental.function_type =pyopt.types
numba.cuda =pyopt.cuda
numba.cuda.cudadrv
numba.cuda.cudadrv.devicearray DeviceNDArray DeviceRecord MappedNDArray is_cuda_ndarray auto_device
numba.cuda.cudadrv.driver driver Device Stream
numba.cuda.cudadrv.error =pyopt.cuda CudaDriverError NvvmError NvvmSupportError
numba.cuda.cudadrv.nvvm NVVM
numba.cuda.compiler compile_cuda
numba.cuda.dispatcher CUDADispatcher
numba.cuda.random create_xoroshiro128p_states init_xoroshiro128p_states xoroshiro128p_uniform_float32
  xoroshiro128p_uniform_float64 xoroshiro128p_normal_float32 xoroshiro128p_normal_float64
numba.cuda.libdevice
numba.cuda.simulator
numba.cuda.types =pyopt.types
numba.np
numba.np.numpy_support =pyopt.numba.numpy_support as_struct_dtype carray farray map_arrayscalar_type
  map_layout resolve_output_type ufunc_find_matching_loop
numba.np.ufunc =pyopt,pyopt.ufuncs Vectorize GUVectorize
numba.np.ufunc.dufunc =pyopt.ufuncs
numba.np.ufunc.gufunc =pyopt.ufuncs
numba.np.ufunc.decorators =pyopt,pyopt.ufuncs
numba.np.ufunc.parallel =pyopt,pyopt.numba.threads
numba.np.ufunc.ufuncbuilder UFuncDispatcher
numba.np.unsafe
numba.np.unsafe.ndarray to_fixed_tuple empty_inferred
numba.np.arrayobj make_array load_item store_item getitem_arraynd_intp array_astype
numba.np.extensions cross2d
numba.np.linalg
numba.np.npyimpl
numba.np.npdatetime
numba.np.random
numba.np.random.generator_methods
numba.misc
numba.misc.special =pyopt
numba.misc.quicksort make_jit_quicksort
numba.stencils
numba.stencils.stencil =pyopt.stencils
numba.parfors
numba.parfors.parfor internal_prange Parfor ParforDiagnostics
numba.cpython
numba.cpython.hashing
numba.cpython.unicode
numba.cpython.unsafe
numba.cpython.unsafe.tuple tuple_setitem build_full_slice_tuple
numba.pycc CC
numba.testing
numba.core
numba.core.annotations
numba.core.base BaseContext
numba.core.boxing @box @unbox @reflect
numba.core.bytecode FunctionIdentity ByteCode
numba.core.caching FunctionCache NullCache _CacheImpl _CacheLocator _UserProvidedCacheLocator
numba.core.callconv
numba.core.ccallback =pyopt.cfuncs
numba.core.cgutils alloca_once alloca_once_value as_bool_bit copy_struct create_struct_proxy false_bit
  for_range get_null_value gep gep_inbounds get_or_insert_function if_likely if_unlikely int32_t intp_t
  is_not_null is_null is_true make_bytearray memcpy memset pack_array pack_struct pointer_add printf
  raw_memcpy sizeof true_bit unpack_tuple user_function voidptr_t
numba.core.codegen
numba.core.compiler @compile_isolated compile_extra compile_ir run_frontend CompilerBase Compiler
  DefaultPassBuilder Flags DEFAULT_FLAGS CompileResult
numba.core.compiler_lock =pyopt.numba.locks
numba.core.compiler_machinery @register_pass FunctionPass AnalysisPass LoweringPass PassManager CompilerPass
numba.core.config =pyopt.config
numba.core.cpu CPUContext ParallelOptions
numba.core.datamodel @register_default @register StructModel OpaqueModel default_manager models
numba.core.datamodel.models @register_default StructModel OpaqueModel PrimitiveModel PointerModel
  IntegerModel FloatModel TupleModel UniTupleModel
numba.core.datamodel.registry @register_default @register
numba.core.debuginfo
numba.core.decorators =pyopt
numba.core.descriptors
numba.core.dispatcher =pyopt.dispatcher OmittedArg LiftedLoop ObjModeLiftedWith
numba.core.entrypoints ~init_all
numba.core.environment
numba.core.errors =pyopt.errors
numba.core.event install_recorder install_timer install_listener Listener
numba.core.extending =pyopt.extending {_EXTENSION}
numba.core.fastmathpass
numba.core.funcdesc
numba.core.imputils {_EXTENSION} Registry impl_ret_borrowed impl_ret_new_ref impl_ret_untracked
numba.core.inline_closurecall
numba.core.intrinsics
numba.core.ir Var Expr Assign Const Global Arg Block Loc
numba.core.ir_utils guard find_callname get_definition
numba.core.itanium_mangler
numba.core.lowering
numba.core.object_mode_passes
numba.core.optional
numba.core.options
numba.core.postproc
numba.core.pythonapi @box @unbox @reflect NativeValue PythonAPI
numba.core.registry =pyopt.numba.dispatchers cpu_target
numba.core.removerefctpass
numba.core.rewrites !register_rewrite Rewrite
numba.core.runtime rtsys nrt
numba.core.runtime.nrt rtsys
numba.core.serialize ReduceMixin dumps _numba_unpickle
numba.core.sigutils =pyopt.numba.signatures
numba.core.ssa
numba.core.target_extension =pyopt.numba.dispatchers target_override target_registry dispatcher_registry
  jit_registry CPU GPU Generic
numba.core.targetconfig
numba.core.tracing
numba.core.transforms
numba.core.typeconv
numba.core.typed_passes
numba.core.typeinfer
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
numba.core.typing =pyopt.numba.signatures Context
numba.core.typing.asnumbatype =pyopt.extending
numba.core.typing.builtins
numba.core.typing.cffi_utils ~register_module ~register_type
numba.core.typing.ctypes_utils
numba.core.typing.npydecl
numba.core.typing.templates =pyopt.numba.signatures !infer !infer_getattr @infer_global @bound_function
  AbstractTemplate AttributeTemplate CallableTemplate ConcreteTemplate Registry builtin_registry
numba.core.typing.typeof =pyopt.extending,pyopt.types Purpose
numba.core.unsafe
numba.core.unsafe.refcount get_refcount
numba.core.untyped_passes
numba.core.utils =pyopt.config
numba.core.withcontexts =pyopt
llvmlite
llvmlite.binding load_library_permanently add_symbol address_of_symbol initialize initialize_native_target
  initialize_native_asmprinter parse_assembly create_mcjit_compiler get_host_cpu_name
  get_host_cpu_features Target
llvmlite.ir IRBuilder IntType FloatType DoubleType HalfType VoidType PointerType ArrayType
  LiteralStructType IdentifiedStructType FunctionType VectorType LabelType MetaDataType Type Constant
  Undefined Value Argument Block Function GlobalVariable Module Instruction PhiInstr CallInstr LoadInstr
  StoreInstr InlineAsm Context FormattedConstant MDValue Aggregate
llvmlite.ir.builder IRBuilder
llvmlite.ir.instructions Instruction PhiInstr CallInstr LoadInstr StoreInstr
llvmlite.ir.types IntType FloatType DoubleType VoidType PointerType ArrayType LiteralStructType
  FunctionType VectorType Type
llvmlite.ir.values Constant Undefined Value Argument Block Function GlobalVariable
llvmlite.llvmpy
llvmlite.utils
"""


class Module:
    """What pyopt has for a module of Numba's."""

    def __init__(self, words):
        """Sort the words of a line by their marks."""
        self.sources = words[0][1:].split(",") if words and words[0].startswith("=") else []
        self.names = {word.lstrip("@!~"): word[0] for word in words if not word.startswith("=")}


#: The modules by name; a package has others below it.
MODULES = {
    line.split()[0]: Module(line.split()[1:]) for line in _MODULES.replace("\n  ", " ").strip().splitlines()
}


def is_package(name):
    """Whether a module has others below it."""
    return any(other.startswith(f"{name}.") for other in MODULES)
