"""The Python side of the dispatcher: all that isn't on the path of a call."""

from _thread import RLock

from pyopt import _core


class DispatcherMethods:
    """Methods of a compiled function; the extension adds the call itself."""

    __slots__ = ()

    def __init__(self, py_func, options):
        """Take over the function's names; compile nothing yet."""
        # Written to the dictionary, as `functools.update_wrapper` does, without its import.
        attributes = self.__dict__
        attributes.update(py_func.__dict__)
        for name in ("__module__", "__name__", "__qualname__", "__doc__"):
            attributes[name] = getattr(py_func, name)
        attributes["__wrapped__"] = py_func
        self.targetoptions = options
        self.overloads = {}
        self._open = []
        self._closed = {}
        # Why the function can't be compiled at all, and signatures that it couldn't be compiled for so far.
        self.refusal = None
        self._postponed = []
        self._misses = {}
        self._hits = {}
        self._refusals = set()
        self._lock = RLock()

    def __repr__(self):
        """Name the function."""
        return f"<compiled function {self.__qualname__} of {self.__module__}>"

    def __reduce__(self):
        """Pickle by reference, as functions are."""
        return self.__qualname__

    @property
    def signatures(self):
        """Argument types of each compiled specialisation."""
        return list(self.overloads)

    @property
    def nopython_signatures(self):
        """Signature of each compiled specialisation."""
        from pyopt.types import Signature, from_text

        return [Signature(from_text(made.return_type), args) for args, made in self.overloads.items()]

    @property
    def stats(self):
        """How often each signature was found on disk and how often compiled, under Numba's names.

        ``cache_path`` is the directory of all functions with ``cache=True``, None for one without.
        """
        from collections import namedtuple

        stats = namedtuple("CompileStats", "cache_path cache_hits cache_misses")
        path = _core.cache_directory() if self.targetoptions.get("cache") else None
        return stats(path, dict(self._hits), dict(self._misses))

    def declare(self, signatures):
        """Compile for these signatures alone.

        What isn't supported is an error when the function is called: a program that never does runs.
        """
        for signature in signatures:
            try:
                self.compile(signature)
            except Exception as error:
                if not is_postponed(error):
                    raise
                self._postponed.append(signature)
        self.disable_compile()

    def compile(self, signature):
        """Compile for a signature: a string, a tuple of types, or types as ``int64(int64)``."""
        from pyopt.types import parse_signature

        returns, args = parse_signature(signature)
        expected = self.py_func.__code__.co_argcount + self.py_func.__code__.co_kwonlyargcount
        if len(args) != expected:
            from pyopt.errors import OptionError

            raise OptionError(
                f"signature {signature} has {len(args)} argument types, "
                f"but {self.__qualname__} has {expected} parameters"
            )
        from pyopt.first_class import is_open

        foreign = next((one for one in (*args, returns) if one is not None and one.is_foreign), None)
        if foreign is not None:
            from pyopt.errors import UnsupportedError

            raise UnsupportedError(f"{self.__qualname__}: the type {foreign} isn't supported yet")
        if is_open(args):
            self._open.append((args, returns))
            return None
        return self._compile(args, returns)

    def disable_compile(self, val=True):
        """Convert arguments to the signatures compiled so far instead of compiling further ones."""
        _core.set_compiles(self, not val)

    def recompile(self):
        """Compile all signatures again, with the present values of globals."""
        with self._lock:
            signatures = list(self.overloads)
            _core.clear_specialisations(self)
            self.overloads.clear()
            for args in signatures:
                self._compile(args, None, self._closed.get(args))

    def inspect_ir(self, stage, signature=None):
        """Return the module as it is after the pass named ``stage``; ``cse#2`` is its second run."""
        return self._overload(signature).inspect("ir", stage)

    def inspect_llvm(self, signature=None):
        """Return the LLVM IR of a signature, or a dict of all."""
        return self._inspect("llvm", signature)

    def inspect_asm(self, signature=None):
        """Return the assembly of a signature, or a dict of all."""
        return self._inspect("asm", signature)

    def inspect_cfg(self, signature=None):
        """Return the control flow graph that was made from the bytecode of a signature, or a dict of all."""
        return self._inspect("ir", signature, "py-translate-bytecode")

    def inspect_types(self, file=None, signature=None):
        """Print the functions with inferred types, of one signature or of all."""
        chosen = self.overloads.values() if signature is None else [self._overload(signature)]
        for made in chosen:
            print(made.inspect("ir", "infer-types"), file=file)

    def parallel_diagnostics(self, signature=None, level=1, file=None, html=False):
        """Print what became of the parallel loops of one signature or of all, as text or as HTML.

        Level 1 lists the loops beside the source, and those that are left after fusion; 2 also says which
        were merged and why others weren't, 3 what each makes and reduces, 4 also shows loops in loops.
        """
        from pyopt.parallel_diagnostics import report

        chosen = self.overloads.values() if signature is None else [self._overload(signature)]
        if not self.targetoptions["parallel"]:
            raise ValueError(f"{self.__qualname__} isn't compiled with parallel=True")
        for made in chosen:
            print(report(self, made, level, html), file=file)

    def _inspect(self, kind, signature, stage=None):
        if signature is not None:
            return self._overload(signature).inspect(kind, stage)
        return {args: made.inspect(kind, stage) for args, made in self.overloads.items()}

    def _overload(self, signature):
        from pyopt.types import parse_signature

        if signature is not None:
            args = parse_signature(signature).args
            made = self.overloads.get(args)
            if made is None:
                raise KeyError(f"{self.__qualname__} isn't compiled for {_listed(args)}")
            return made
        if len(self.overloads) == 1:
            return next(iter(self.overloads.values()))
        if not self.overloads:
            raise ValueError(f"{self.__qualname__} isn't compiled yet; call it or give it a signature")
        known = ", ".join(_listed(args) for args in self.overloads)
        raise ValueError(f"{self.__qualname__} is compiled for {known}; choose one with signature=")

    def _compile(self, args, returns, wrappers=None, is_call=False):
        from pyopt.bindings import collect

        self._refuse()
        with self._lock:
            made = self.overloads.get(args)
            if made is None:
                texts = [one.text for one in args]
                result = None if returns is None else returns.text
                described = collect(self, texts, wrappers)
                if is_call and self._finds_literals(described, texts):
                    return None
                request = (*described, texts, result)
                found = False
                if self.targetoptions.get("cache"):
                    made, found, refused = _core.compile_cached(*request)
                    if refused is not None:
                        self._warn_uncached(refused)
                else:
                    made = _core.compile(*request)
                counts = self._hits if found else self._misses
                counts[args] = counts.get(args, 0) + 1
                self.overloads[args] = made
                _core.add_specialisation(self, made)
            return made

    def _finds_literals(self, described, texts):
        """Say whether arguments are to be known by their values that were looked at by their types."""
        if not any(("named", "pyopt.literally") in bindings.values() for _, _, bindings, *_ in described[0]):
            return False
        found = _core.literal_parameters(*described, texts)
        _core.set_literals(self, found)
        return any(texts[position] in ("si64", "i1") for position in found)

    def _warn_uncached(self, reason):
        # Once for each reason: the signatures of a function share most of them.
        if reason not in self._refusals:
            self._refusals.add(reason)
            from pyopt.errors import warn_uncached

            warn_uncached(self.py_func, reason)

    def _compile_for(self, texts):
        from pyopt.types import from_text

        # Nothing is compiled where values of arguments are to be part of the types: the call tries again.
        return self._compile(tuple(map(from_text, texts)), None, is_call=True)

    def _refuse(self):
        if self.refusal is not None:
            raise self.refusal.with_traceback(None)

    def _reject_types(self, texts):
        from pyopt.types import from_text, parse_signature

        self._refuse()
        types = tuple(map(from_text, texts))
        while self._postponed:
            # What was missing when the function was decorated may be there now: itself, variables around it.
            made = self.compile(self._postponed[0])
            args = parse_signature(self._postponed.pop(0)).args
            if made is not None and _core.can_convert(texts, [one.text for one in args]):
                return made
        for args, returns in self._open:
            from pyopt.first_class import close

            closed = close(args, types)
            if closed is not None and _core.can_convert(texts, [one.text for one in closed[0]]):
                self._closed[closed[0]] = closed[1]
                return self._compile(closed[0], returns, closed[1])
        given = _listed(types)
        known = [*self.overloads, *(args for args, _ in self._open)]
        known = ", ".join(map(_listed, known)) or "nothing"
        raise TypeError(
            f"no matching definition for argument types {given}; {self.__qualname__} is compiled for {known}"
        )

    def _reject_call(self, /, *args, **kwargs):
        self._refuse()
        # A function with the same parameters and no body makes Python say what is wrong.
        function = self.py_func
        code = function.__code__
        starred = code.co_flags & 0x04  # *args
        count = code.co_argcount + code.co_kwonlyargcount + bool(starred)
        empty = (lambda: None).__code__
        stub = empty.replace(
            co_flags=empty.co_flags | starred,
            co_argcount=code.co_argcount,
            co_posonlyargcount=code.co_posonlyargcount,
            co_kwonlyargcount=code.co_kwonlyargcount,
            co_varnames=code.co_varnames[:count],
            co_nlocals=count,
            co_name=code.co_name,
            co_qualname=code.co_qualname,
        )
        stub = type(function)(stub, {}, function.__name__, function.__defaults__)
        stub.__kwdefaults__ = function.__kwdefaults__
        try:
            stub(*args, **kwargs)
        except TypeError as error:
            raise error.with_traceback(None) from None


def is_postponed(error):
    """Whether an error of a declared signature is raised when the function is called, not before."""
    from pyopt import config
    from pyopt.errors import PyoptError, UnsupportedError

    return isinstance(error, PyoptError if config.POSTPONE_ERRORS else UnsupportedError)


def _listed(args):
    return f"({', '.join(map(str, args))})"


Dispatcher = _core.dispatcher_type(DispatcherMethods)
