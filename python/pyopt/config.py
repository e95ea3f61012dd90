"""Settings, under the names of Numba's ``config``; each is that of an environment variable ``PYOPT_…``.

A setting is read from the environment when it is asked for first, and may be assigned. Which have an effect
is told in ``docs/options.md``; programs may set the others.
"""

import os
import sys
from types import ModuleType

# Settings that pyopt honours, and their values where the environment doesn't have them.
_HONOURED = {
    "ANNOTATE": 0,
    "AS_NUMBA": 0,
    "BOUNDSCHECK": None,
    "CACHE_DIR": "",
    "CPU_FEATURES": None,
    "CPU_NAME": None,
    "DEBUGGERS": "",
    "DEBUGINFO_DEFAULT": 0,
    "DISABLE_JIT": 0,
    "DUMP_ASSEMBLY": 0,
    "DUMP_BYTECODE": 0,
    "DUMP_CFG": 0,
    "DUMP_IR": 0,
    "DUMP_LLVM": 0,
    "DUMP_OPTIMIZED": 0,
    "FULL_TRACEBACKS": 0,
    "NUMBA_NUM_THREADS": None,
    "POSTPONE_ERRORS": 0,
    "RECOMPILE": 1,
    "WORK_PER_THREAD": 120_000,
}
# Settings of Numba's that change nothing here.
_WITHOUT_EFFECT = {
    **dict.fromkeys(
        "ALWAYS_WARN_UNINIT_VAR CHROME_TRACE CUDA_LOG_API_ARGS DEBUG DEBUG_ARRAY_OPT DEBUG_ARRAY_OPT_RUNTIME "
        "DEBUG_ARRAY_OPT_STATS DEBUG_CACHE DEBUG_FRONTEND DEBUG_INLINE_CLOSURE DEBUG_JIT DEBUG_NRT "
        "DEBUG_NRT_STACK_LIMIT DEBUG_TYPEINFER DEVELOPER_MODE DIFF_IR DISABLE_CUDA DISABLE_INTEL_SVML "
        "DISABLE_PERFORMANCE_WARNINGS DISABLE_TYPEINFER_FAIL_CACHE DUMP_FUNC_OPT DUMP_SSA ENABLE_CUDASIM "
        "ENABLE_PROFILING ENABLE_SYS_MONITORING EXTEND_VARIABLE_LIFETIMES HIGHLIGHT_DUMPS JIT_COVERAGE "
        "LLVM_PASS_TIMINGS NRT_STATS PARALLEL_DIAGNOSTICS SHOW_HELP TRACE USE_LLVMLITE_MEMORY_MANAGER "
        "CUDA_DEBUGINFO_DEFAULT CUDA_ENABLE_MINOR_VERSION_COMPATIBILITY CUDA_PER_THREAD_DEFAULT_STREAM "
        "CUDA_USE_NVIDIA_BINDING".split(),
        0,
    ),
    "HTML": None,
    **dict.fromkeys(
        "CUDA_ARRAY_INTERFACE_SYNC CUDA_LOW_OCCUPANCY_WARNINGS CUDA_VERBOSE_JIT_LOG "
        "CUDA_WARN_ON_IMPLICIT_COPY ENABLE_AVX LLVM_REFPRUNE_PASS LOOP_VECTORIZE SLP_VECTORIZE".split(),
        1,
    ),
    **dict.fromkeys("COLOR_SCHEME DEBUG_PRINT_AFTER DEBUG_PRINT_BEFORE DEBUG_PRINT_WRAP".split(), ""),
    "CACHE_LOCATOR_CLASSES": "",
    "CUDA_DEALLOCS_COUNT": 10,
    "CUDA_DEALLOCS_RATIO": 0.2,
    "CUDA_DEFAULT_PTX_CC": (5, 0),
    "CUDA_DRIVER": "",
    "CUDA_INCLUDE_PATH": "",
    "CUDA_LOG_LEVEL": "",
    "CUDA_LOG_SIZE": 1024,
    "CUDA_MEMORY_MANAGER": "default",
    "FORCE_CUDA_CC": None,
    "FUNCTION_CACHE_SIZE": 128,
    "GDB_BINARY": "gdb",
    "LLVM_REFPRUNE_FLAGS": "all",
    "OPT": 3,
    "PARFOR_MAX_TUPLE_SIZE": 100,
    "THREADING_LAYER": "default",
    "THREADING_LAYER_PRIORITY": ["tbb", "omp", "workqueue"],
}
# Facts about the machine, and what Numba finds out by itself.
_FACTS = {
    "IS_32BITS": False,
    "IS_OSX": False,
    "IS_WIN32": False,
    "MACHINE_BITS": 64,
    "RUNNING_UNDER_PROFILER": False,
    "USING_SVML": False,
}
# Numba's variables whose names aren't its setting's.
_VARIABLES = {
    "ANNOTATE": "DUMP_ANNOTATION",
    "DEBUGINFO_DEFAULT": "DEBUGINFO",
    "HTML": "DUMP_HTML",
    "NUMBA_NUM_THREADS": "NUM_THREADS",
}
# What is printed of functions that are compiled, in the order of the stages.
_DUMPS = ("DUMP_BYTECODE", "DUMP_CFG", "DUMP_IR", "ANNOTATE", "DUMP_LLVM", "DUMP_OPTIMIZED", "DUMP_ASSEMBLY")


def __getattr__(name):
    if name in _FACTS:
        return _FACTS[name]
    if name in ("NUMBA_DEFAULT_NUM_THREADS", "NUMBA_NUM_THREADS"):
        from pyopt import _core

        return _core.pool_size()
    if name == "PYVERSION":
        import sys

        return sys.version_info[:2]
    for settings in (_HONOURED, _WITHOUT_EFFECT):
        if name in settings:
            value = globals()[name] = _read(name, settings[name])
            return value
    raise AttributeError(f"module '{__name__}' has no attribute '{name}'")


class _Settings(ModuleType):
    """The settings; those that the extension reads from the environment are assigned there too."""

    def __setattr__(self, name, value):
        if name == "CACHE_DIR":
            os.environ["PYOPT_CACHE_DIR"] = value
            if not value:
                # As in Numba, an empty one is the user's own.
                del os.environ["PYOPT_CACHE_DIR"]
        super().__setattr__(name, value)


sys.modules[__name__].__class__ = _Settings


def wanted_dumps():
    """Name what is to be printed of each function that is compiled."""
    settings = sys.modules[__name__]
    return [name for name in _DUMPS if getattr(settings, name)]


def reload_config():
    """Read the settings from the environment again, as Numba's function of this name does."""
    from pyopt import numba

    if numba.is_installed():
        from pyopt.numba.variables import take_over

        take_over(os.environ)
    for name in (*_HONOURED, *_WITHOUT_EFFECT):
        globals().pop(name, None)


def _read(name, default):
    """Read a variable as a value of the default's type; an empty one counts as missing."""
    text = os.environ.get(f"PYOPT_{_VARIABLES.get(name, name)}", "")
    if not text:
        return default
    if isinstance(default, list):
        return text.split()
    if isinstance(default, str):
        return text
    try:
        return int(text)
    except ValueError:
        return text if default is None else default
