"""What a compiled function tells of its code: the methods of dispatchers that look at it."""

from pyopt import _core


class InspectionMethods:
    """What a dispatcher is compiled to, and views of the stages that its code went through."""

    __slots__ = ()

    @property
    def typingctx(self):
        """What knows the types of values."""
        from pyopt.compiler_objects import TypingContext

        return TypingContext()

    @property
    def targetctx(self):
        """What code is compiled for."""
        from pyopt.compiler_objects import TargetContext

        return TargetContext(self.targetoptions)

    @property
    def targetdescr(self):
        """Both of these, under Numba's names."""
        from pyopt.compiler_objects import TargetDescription

        return TargetDescription(self)

    def get_function_type(self):
        """Give the type of functions of the declared signature; None without one, or with several."""
        declared = list(self._declared) if not self._can_compile else []
        return self.overloads[declared[0]].signature.as_type() if len(declared) == 1 else None

    def get_call_template(self, args, kws):
        """Compile for argument types by position and by name; give what a compiled call of it takes.

        That are a template that types the call, the parameters, and the types in their order.
        """
        import inspect

        from pyopt.compiler_objects import CallTemplate

        pysig = inspect.signature(self.py_func)
        bound = pysig.bind(*args, **kws)
        bound.apply_defaults()
        types = tuple(map(_type_of_argument, bound.args))
        self.compile(types)
        return CallTemplate(self, self.overloads[types].signature), pysig, types, {}

    def typeof_pyval(self, val):
        """Give the type of a value as an argument."""
        from pyopt.types import argument_type

        return argument_type(val)

    @property
    def _compiler(self):
        """What compiles the function for types."""
        from pyopt.compiler_objects import FunctionCompiler

        return FunctionCompiler(self)

    @property
    def locals(self):
        """The types of variables that the decorator was given, by their names."""
        return self.targetoptions["locals"]

    @property
    def overloads(self):
        """What the function is compiled to, by argument types, on the CPU."""
        return self._compiled_for(None)

    @property
    def signatures(self):
        """Argument types of each compiled specialisation."""
        return list(self.overloads)

    @property
    def nopython_signatures(self):
        """Signature of each compiled specialisation."""
        return [made.signature for made in self.overloads.values()]

    @property
    def stats(self):
        """How often each signature was found on disk and how often compiled, under Numba's names.

        ``cache_path`` is the directory of all functions with ``cache=True``, None for one without.
        """
        from collections import Counter

        from pyopt.compiler_objects import CompileStats

        path = _core.cache_directory() if self.targetoptions.get("cache") else None
        return CompileStats(path, Counter(self._cache_hits), Counter(self._cache_misses))

    # Numba's private names for the two, which programs use.
    _cache_hits = property(lambda self: _Counts.by_types(self._hits))
    _cache_misses = property(lambda self: _Counts.by_types(self._misses))

    def inspect_ir(self, stage, signature=None):
        """Return the module as it is after the pass named ``stage``; ``cse#2`` is its second run."""
        return self._overload(signature).inspect("ir", stage)

    def inspect_llvm(self, signature=None):
        """Return the LLVM IR of a signature, or a dict of all."""
        return self._inspect("llvm", signature)

    def inspect_asm(self, signature=None):
        """Return the assembly of a signature, or a dict of all."""
        return self._inspect("asm", signature)

    def inspect_ptx(self, signature=None, chip=None):
        """Return the PTX of a signature's kernels, or a dict of all, for an architecture such as ``"sm_80"``.

        It is made for this, of loops that can run on NVIDIA's devices, whether there is one or not. Without a
        name the architecture is that of the device that the code is for, or the oldest one that is supported.
        """
        return self._inspect("ptx", signature, chip)

    def inspect_cfg(self, signature=None):
        """Return the control flow graph that was made from the bytecode of a signature, or a dict of all."""
        return self._inspect("ir", signature, "py-translate-bytecode")

    def inspect_disasm_cfg(self, signature=None):
        """Raise ``UnsupportedError``: Numba asks a disassembler that is no part of it either."""
        from pyopt.errors import UnsupportedError

        raise UnsupportedError(
            "inspect_disasm_cfg isn't supported: there is no disassembler",
            hint="inspect_asm gives the assembly, inspect_cfg the control flow graph",
        )

    def inspect_types(self, file=None, signature=None, pretty=False):
        """Print the functions with inferred types, of one signature or of all."""
        if pretty:
            from pyopt.errors import UnsupportedError

            raise UnsupportedError("inspect_types(pretty=True) isn't supported", hint="leave out pretty=True")
        chosen = self._overloads().values() if signature is None else [self._overload(signature)]
        for made in chosen:
            print(f"{self.__name__} {made.arguments}\n{'-' * 80}", file=file)
            print(made.inspect("ir", "infer-types"), "=" * 80, sep="\n", file=file)

    def explain(self, signature=None):
        """Explain what was done to each loop of a signature, and what kept it from being faster.

        The text of the result is for people; its ``loops`` have the same for programs.
        """
        return self._overload(signature).explain()

    def parallel_diagnostics(self, signature=None, level=1, file=None, html=False):
        """Print what became of the parallel loops of one signature or of all, as text or as HTML.

        Level 1 lists the loops beside the source, and those that are left after fusion; 2 also says which
        were merged and why others weren't, 3 what each makes and reduces, 4 also shows loops in loops.
        """
        from pyopt.parallel_diagnostics import report

        chosen = self._overloads().values() if signature is None else [self._overload(signature)]
        if not self.targetoptions["parallel"]:
            raise ValueError(f"{self.__qualname__} isn't compiled with parallel=True")
        for made in chosen:
            print(report(self, made.code, level, html), file=file)

    def get_overload(self, signature):
        """Return what can be called of a signature that the function is compiled for."""
        return self._overload(signature).entry_point

    def get_compile_result(self, signature):
        """Return the result of compiling for a signature, compiling if need be."""
        from pyopt.types import parse_signature

        args = parse_signature(signature).args
        if args not in self.overloads:
            self.compile(signature)
        return self.overloads[args]

    def get_metadata(self, signature=None):
        """Return what is known of the compilation of a signature, or a dict for all."""
        if signature is not None:
            return self._overload(signature).metadata
        return {args: made.metadata for args, made in self.overloads.items()}

    def _inspect(self, kind, signature, stage=None):
        if signature is not None:
            return self._overload(signature).inspect(kind, stage)
        return {args: made.inspect(kind, stage) for args, made in self._overloads().items()}

    def _overloads(self):
        """Give what is compiled for the device of the context, or for the CPU."""
        return self._compiled_for(self._device())

    def _compiled_for(self, device):
        """Give what is compiled for a device, by its name, or for the CPU, by argument types."""
        results = map(self._result, (one for one in _core.specialisations(self) if one.device == device))
        return {one.arguments: one for one in results}

    def device_stats(self, signature=None):
        """Say what calls did on devices, by the device: launches, copies, and bytes that were copied."""
        return _device_stats(self, signature)

    def _overload(self, signature):
        from pyopt.types import parse_signature

        overloads = self._overloads()
        if signature is not None:
            args = parse_signature(signature).args
            made = overloads.get(args)
            if made is None:
                raise KeyError(f"{self.__qualname__} isn't compiled for {_listed(args)}")
            return made
        if len(overloads) == 1:
            return next(iter(overloads.values()))
        if not overloads:
            raise ValueError(f"{self.__qualname__} isn't compiled yet; call it or give it a signature")
        known = ", ".join(_listed(args) for args in overloads)
        raise ValueError(f"{self.__qualname__} is compiled for {known}; choose one with signature=")


def _device_stats(dispatcher, signature):
    from pyopt.offload import DeviceStats
    from pyopt.types import parse_signature

    wanted = None if signature is None else parse_signature(signature).args
    found = {}
    for code in _core.specialisations(dispatcher):
        if wanted not in (None, dispatcher._result(code).arguments):
            continue
        for device, counted in code.device_counters:
            before = found.get(device, [0] * len(counted))
            found[device] = [one + other for one, other in zip(before, counted, strict=True)]
    return {device: DeviceStats(*counters) for device, counters in found.items()}


def _listed(args):
    return f"({', '.join(map(str, args))})"


def _type_of_argument(value):
    """Give a type as it is, and that of a default."""
    from pyopt.types import Type, argument_type

    return value if isinstance(value, Type) else argument_type(value)


class _Counts(dict):
    """How often something happened, by argument types; what never did has the count 0."""

    @classmethod
    def by_types(cls, counts):
        from pyopt.compile_result import types_of

        return cls((types_of(types), count) for types, count in counts.items())

    def __missing__(self, key):
        return 0
