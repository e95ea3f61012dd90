"""Which of Numba's modules are there, what pyopt has for each, and which of its names are refused on use.

A line is a module: its name, the modules of pyopt that its names are looked up in (``=a,b``), the names that
are taken as decorators with arguments (``@``), as decorators without (``!``) and as functions that register
something (``~``), and names that are refused on use. Other names don't exist, but in modules with a ``*``:
these are about Numba's own inside, and any name in them is refused on use.
"""

_EXTENSION = (
    "@lower_builtin @lower_cast @lower_constant @lower_getattr @lower_getattr_generic @lower_setattr "
    "@lower_setattr_generic @iternext_impl @iterator_impl"
)
_TEMPLATES = (
    "!infer !infer_getattr @infer_global @bound_function "
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
numba.typed.dictobject *
numba.typed.listobject *
numba.experimental =pyopt.experimental
numba.experimental.structref ~define_proxy ~define_boxing ~define_constructor ~define_attributes !register *
numba.experimental.function_type =pyopt.types
numba.cuda =pyopt.cuda
numba.cuda.cudadrv *
numba.cuda.cudadrv.devicearray *
numba.cuda.cudadrv.driver *
numba.cuda.cudadrv.error =pyopt.cuda *
numba.cuda.cudadrv.nvvm *
numba.cuda.compiler *
numba.cuda.dispatcher *
numba.cuda.random *
numba.cuda.libdevice *
numba.cuda.simulator *
numba.cuda.types =pyopt.types
numba.np
numba.np.arrayobj *
numba.np.extensions cross2d
numba.np.linalg *
numba.np.npdatetime *
numba.np.npyimpl *
numba.np.numpy_support =pyopt.numba.numpy_support *
numba.np.random *
numba.np.random.generator_methods *
numba.np.ufunc =pyopt,pyopt.ufuncs Vectorize GUVectorize
numba.np.ufunc.decorators =pyopt,pyopt.ufuncs
numba.np.ufunc.dufunc =pyopt.ufuncs
numba.np.ufunc.gufunc =pyopt.ufuncs
numba.np.ufunc.parallel =pyopt,pyopt.numba.threads
numba.np.ufunc.ufuncbuilder *
numba.np.unsafe
numba.np.unsafe.ndarray *
numba.misc
numba.misc.quicksort *
numba.misc.special =pyopt
numba.stencils
numba.stencils.stencil =pyopt.stencils
numba.parfors
numba.parfors.array_analysis *
numba.parfors.parfor *
numba.cpython
numba.cpython.builtins *
numba.cpython.hashing *
numba.cpython.listobj *
numba.cpython.numbers *
numba.cpython.tupleobj *
numba.cpython.unicode *
numba.cpython.unsafe
numba.cpython.unsafe.tuple *
numba.pycc *
numba.testing *
numba.core
numba.core.analysis *
numba.core.annotations *
numba.core.base *
numba.core.boxing @box @unbox @reflect *
numba.core.bytecode *
numba.core.caching =pyopt.numba.caches *
numba.core.callconv *
numba.core.ccallback =pyopt.cfuncs
numba.core.cgutils *
numba.core.codegen *
numba.core.compiler *
numba.core.compiler_lock =pyopt.numba.locks
numba.core.compiler_machinery @register_pass *
numba.core.config =pyopt.config
numba.core.cpu *
numba.core.datamodel @register_default @register *
numba.core.datamodel.models @register_default *
numba.core.datamodel.registry @register_default @register *
numba.core.debuginfo *
numba.core.decorators =pyopt
numba.core.descriptors *
numba.core.dispatcher =pyopt.dispatcher *
numba.core.entrypoints ~init_all
numba.core.environment *
numba.core.errors =pyopt.errors
numba.core.event *
numba.core.extending =pyopt.extending {_EXTENSION}
numba.core.funcdesc *
numba.core.imputils {_EXTENSION} *
numba.core.inline_closurecall *
numba.core.ir *
numba.core.ir_utils *
numba.core.itanium_mangler *
numba.core.lowering *
numba.core.object_mode_passes *
numba.core.optional *
numba.core.options *
numba.core.postproc *
numba.core.pythonapi @box @unbox @reflect *
numba.core.registry =pyopt.numba.dispatchers *
numba.core.rewrites !register_rewrite *
numba.core.runtime *
numba.core.runtime.nrt *
numba.core.serialize *
numba.core.sigutils =pyopt.numba.signatures
numba.core.ssa *
numba.core.target_extension =pyopt.numba.dispatchers *
numba.core.targetconfig *
numba.core.tracing *
numba.core.transforms *
numba.core.typeconv *
numba.core.typeconv.rules *
numba.core.typed_passes *
numba.core.typeinfer *
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
numba.core.typing.builtins *
numba.core.typing.cffi_utils ~register_module ~register_type *
numba.core.typing.ctypes_utils *
numba.core.typing.npydecl *
numba.core.typing.templates =pyopt.numba.signatures {_TEMPLATES} *
numba.core.typing.typeof =pyopt.extending,pyopt.types *
numba.core.unsafe
numba.core.unsafe.bytes *
numba.core.unsafe.refcount *
numba.core.untyped_passes *
numba.core.utils =pyopt.config *
numba.core.withcontexts =pyopt *
llvmlite
llvmlite.binding *
llvmlite.ir *
llvmlite.ir.builder *
llvmlite.ir.instructions *
llvmlite.ir.types *
llvmlite.ir.values *
llvmlite.utils *
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


def is_package(name):
    """Whether a module has others below it."""
    return any(other.startswith(f"{name}.") for other in MODULES)
