"""Prints functions at stages of their compilation, as Numba's ``NUMBA_DUMP_…`` ask."""

# What the code is asked for, by the setting; LLVM's IR is there as it is after the optimisation.
_VIEWS = {
    "DUMP_CFG": ("ir", "py-translate-bytecode"),
    "DUMP_IR": ("ir", "py-rewrite"),
    "ANNOTATE": ("ir", "infer-types"),
    "DUMP_LLVM": ("llvm", None),
    "DUMP_OPTIMIZED": ("llvm", None),
    "DUMP_ASSEMBLY": ("asm", None),
}


def dump(result, function, wanted):
    """Print what is asked for of a ``CompileResult``, each under a heading that names it and the function."""
    for name in wanted:
        heading = f"{name}: {function.__qualname__} {result.arguments}"
        print(f"{heading:-^80}")
        if name == "DUMP_BYTECODE":
            import dis

            dis.dis(function)
        else:
            print(result.inspect(*_VIEWS[name]))
        print("=" * 80)
