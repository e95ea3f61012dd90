"""The Python side of the dispatcher: all that isn't on the path of a call."""

import sys
from _thread import get_ident
from time import perf_counter

from pyopt import _core, config, forking
from pyopt.entry_points import entry_points
from pyopt.host import WRAPPED
from pyopt.inspection import InspectionMethods

# Whether a function has been compiled that runs on several threads.
has_parallel_code = False


@entry_points("compile", "compile_for_c", "disable_compile", "recompile")
class DispatcherMethods(InspectionMethods):
    """Methods of a compiled function; the extension adds the call itself.

    A dispatcher compiles for the types of each call, or, with signatures that are declared, for these alone:
    then arguments are converted to the signature that fits best, as Numba chooses it, and results to its
    result, in calls from Python and from compiled code alike.
    """

    __slots__ = ()
    # What names stood for when signatures were declared, for all that is compiled from then on.
    remembered = None

    def __init__(self, py_func, options):
        """Take over the function's names; compile nothing yet."""
        # Written to the dictionary, as `functools.update_wrapper` does, without its import.
        attributes = self.__dict__
        attributes.update(py_func.__dict__)
        for name in WRAPPED:
            attributes[name] = getattr(py_func, name)
        attributes["__wrapped__"] = py_func
        self.targetoptions = options
        # What programs see of what is compiled, which few look at.
        self._results = {}
        # The argument types with items for those of calls that pass something without any.
        self._fills = {}
        # The signatures that were declared, by their argument types, and those of them that the function
        # couldn't be compiled for so far.
        self._declared = {}
        self._postponed = []
        self._can_compile = True
        # Whether the decorator is at work, so that the function's name doesn't stand for this yet.
        self.is_declaring = False
        # Why the function can't be compiled at all.
        self.refusal = None
        # What calls from Python go through that fill ``**kwargs``, by the names in it.
        self.keyword_calls = {}
        # While calls are tried with literals, by their threads: the first error, the arguments that are left
        # to try, and those that are tried now.
        self._trials = {}
        self._tried = set()
        self._misses = {}
        self._hits = {}
        self._refusals = set()
        self._lock = forking.lock()
        target = options.get("target")
        if target is None:
            _core.set_uses_devices(self, bool(options.get("parallel")))
        elif target != "cpu":
            _core.set_device(self)

    @property
    def _cache(self):
        """What Numba's programs ask for where code is kept: there is one place for all functions."""
        from pyopt.numba import caches

        given = self.__dict__.get("_cache")
        if given is not None:
            return given
        return caches.FunctionCache() if self.targetoptions.get("cache") else caches.NullCache()

    @_cache.setter
    def _cache(self, cache):
        """Keep what a program gives instead, for it to find again."""
        self.__dict__["_cache"] = cache

    def __repr__(self):
        """Name the function."""
        return f"<compiled function {self.__qualname__} of {self.__module__}>"

    def __reduce__(self):
        """Pickle by reference, as functions are; what isn't found by its name, by its code."""
        from pyopt.pickling import reduce_dispatcher

        return reduce_dispatcher(self)

    def __copy__(self):
        """Give itself, as for functions."""
        return self

    def __deepcopy__(self, memo):
        """Give itself, as for functions."""
        return self

    @property
    def __code__(self):
        """The code of the Python function."""
        return self.py_func.__code__

    func_code = __code__

    @property
    def __defaults__(self):
        """The defaults of the Python function's parameters."""
        return self.py_func.__defaults__

    @property
    def __kwdefaults__(self):
        """The defaults of its parameters that are passed by name alone."""
        return self.py_func.__kwdefaults__

    @property
    def _numba_type_(self):
        """The type of the function as an argument."""
        from pyopt.types import typeof

        return typeof(self)

    @property
    def is_compiling(self):
        """Whether a signature is being compiled."""
        return self._lock._is_owned()

    @property
    def prototypes(self):
        """The signatures that calls are converted to, as pairs of argument types and the result's or None.

        Signatures with types of functions are none of them: their code depends on what is passed.
        """
        if not self._declared:
            return []
        from pyopt.first_class import is_open

        # A copy, since another thread may declare one meanwhile.
        all_declared = list(self._declared.items())
        if any(is_open(args) for args, _ in all_declared):
            return []
        # A call with the types of a signature without a result compiles to the same anyway.
        declared = [one for one in all_declared if not any(self._foreign(one[0]))]
        return [one for one in declared if one[1] is not None or not self._can_compile]

    def declare(self, signatures):
        """Compile for these signatures alone.

        What isn't supported is an error when the function is called: a program that never does runs.
        """
        from pyopt.bindings import has_unbound_names

        wanted = list(map(self._checked, signatures))
        # All are known to the first one: the function may call itself, or be called by what it calls.
        for one in wanted:
            self._declared.setdefault(one.args, one.return_type)
        self._can_compile = False
        self._postponed = list(self._declared)
        self.is_declaring = True
        for args in list(self._declared):
            try:
                self._add(args)
            except Exception as error:
                if not is_postponed(error) and not has_unbound_names(self):
                    raise
        self.is_declaring = False
        self._settle()

    def postpone(self, signatures, compiles):
        """Declare signatures, as argument types and the result's, that are compiled when they are called."""
        self._declared.update(signatures)
        self._can_compile = compiles
        self._postponed = [] if compiles else list(self._declared)
        self._settle()

    def compile(self, signature):
        """Compile for a signature: a string, a tuple of types, or types as ``int64(int64)``.

        Returns what can be called with such arguments.
        """
        wanted = self._checked(signature)
        with self._lock:
            if wanted.args not in self.overloads:
                if not self._can_compile and wanted.args not in self._declared:
                    raise _noted(RuntimeError("compilation disabled"), f"of {self.__qualname__}")
                self._declared.setdefault(wanted.args, wanted.return_type)
                try:
                    self._add(wanted.args)
                except Exception:
                    if self._can_compile:
                        del self._declared[wanted.args]
                    raise
            return self.overloads[wanted.args].entry_point

    def compile_for_c(self, args, returns):
        """Compile a function that C code calls; it is no specialisation for calls from Python."""
        from pyopt.types import Signature

        self._refuse()
        self._checked(Signature(returns, args))
        return self._make(_forms(args), returns, for_c=True)

    def disable_compile(self, val=True):
        """Convert arguments to the signatures compiled so far instead of compiling further ones."""
        with self._lock:
            if val:
                for args in self.overloads:
                    self._declared.setdefault(args, None)
            self._can_compile = not val
            self._settle()

    def enable_caching(self):
        """Keep what is compiled from now on on disk, as with ``cache=True``."""
        self.targetoptions["cache"] = True

    def recompile(self):
        """Compile all signatures again, with the present values of globals."""
        with self._lock:
            signatures = list(self.overloads)
            if not self._can_compile:
                # Calls wait until all are done: the one that fits best may be the last.
                self._postponed = signatures.copy()
                self._settle()
            _core.clear_specialisations(self)
            self._results.clear()
            self._fills.clear()
            self.remembered = None
            self.is_declaring = not self._can_compile
            try:
                for args in signatures:
                    self._add(args)
            finally:
                self.is_declaring = False
            self._settle()

    def _settle(self):
        """Have calls with types that there is no code for come here, unless they are converted."""
        _core.set_compiles(self, self._can_compile or bool(self._postponed))

    def _checked(self, signature):
        """Give a signature with a type for each parameter; raise for any other one."""
        from pyopt.types import Signature, argument_type, parse_signature

        wanted = parse_signature(signature)
        # There are none where the module isn't there, which takes time to load.
        foreign = sys.modules.get("pyopt.types.foreign")
        Omitted = () if foreign is None else foreign.Omitted
        if any(isinstance(one, Omitted) for one in wanted.args):
            # An argument that isn't passed has its default's type, as in a call.
            given = [argument_type(one.value) if isinstance(one, Omitted) else one for one in wanted.args]
            wanted = Signature(wanted.return_type, given)
        code = self.py_func.__code__
        expected = code.co_argcount + code.co_kwonlyargcount
        given = len(wanted.args)
        # Each further argument of `*args` has a type of its own.
        if given < expected or (given > expected and not code.co_flags & 0x04):
            raise TypeError(
                f"Signature mismatch: {given} argument types given, but function takes {expected} arguments: "
                f"{signature} for {self.__qualname__}"
            )
        return wanted

    def _add(self, args):
        """Compile for a signature."""
        foreign = next(self._foreign(args), None)
        if foreign is not None:
            from pyopt.errors import UnsupportedError

            raise UnsupportedError(f"{self.__qualname__}: the type {foreign} isn't supported yet")
        self._compile(args, self._declared.get(args))
        if args in self._postponed:
            self._postponed.remove(args)

    def _foreign(self, args):
        """Yield the types of a declared signature that compiled code doesn't have."""
        types = (*args, self._declared.get(args))
        return (one for one in types if one is not None and one.is_foreign)

    def _device(self):
        """Give the name of the device that a call on this thread runs on; None for the CPU."""
        target = self.targetoptions.get("target")
        if target is None:
            return _core.current_device() if self.targetoptions.get("parallel") else None
        return None if target == "cpu" else _core.set_device(self, target)

    def _compile(self, args, returns, device=None):
        """Give the code for argument types."""
        return self._code(_forms(args), returns, device=device)

    def _code(self, types, returns, is_call=False, device=None):
        """Give the code for argument types as calls have them; None for a call that must be looked at again.

        That is so where arguments are to be known by their values.
        """
        forking.load()
        self._refuse()
        with self._lock:
            found = self._find(types, device)
            if found is not None:
                return found
            events = sys.modules.get("pyopt.numba.events")
            if events is None:
                return self._timed(types, returns, is_call, device)
            with events.compilation(self, types, returns):
                return self._timed(types, returns, is_call, device)

    def _timed(self, types, returns, is_call, device):
        begun = perf_counter()
        made = self._try(types, device) if is_call else self._make(types, returns, device=device)
        if made is not None:
            made.seconds = perf_counter() - begun
            if wanted := config.wanted_dumps():
                from pyopt.dumps import dump

                dump(self._result(made), self.py_func, wanted)
        return made

    def _find(self, types, device=None):
        """Give the code that there is for argument types; None if there is none."""
        known = _core.specialisations(self)
        return next((one for one in known if one.is_for(types, device)), None)

    def _result(self, code):
        """Give the ``CompileResult`` of one of the specialisations."""
        found = self._results.get(code)
        if found is None:
            from pyopt.compile_result import CompileResult

            found = self._results[code] = CompileResult(self, code)
        return found

    def _try(self, types, device):
        """Compile for a call; None for one that must be looked at again, with arguments as literals.

        What a body of an overload asks for as literals isn't known before, nor what a function like
        ``np.swapaxes`` does: then each argument that could be one is tried alone, and at last all of them.
        """
        try:
            made = self._make(types, None, is_call=True, device=device)
        except Exception as error:
            from pyopt.errors import TypingError

            if not isinstance(error, TypingError):
                raise
            thread = get_ident()
            candidates = types.literal_candidates
            if thread not in self._trials:
                choices = self._choices(error, candidates)
                if not choices:
                    from pyopt.collection_arguments import note_bare_classes
                    from pyopt.compile_result import types_of

                    note_bare_classes(error, types_of(types))
                    raise
                self._trials[thread] = error, iter(choices), []
            first, choices, positions = self._trials[thread]
            # Nor are those that this one tries, unless another one tries others since.
            if set(positions).isdisjoint(candidates):
                positions = next(choices, [])
                self._trials[thread] = first, choices, positions
                self._tried.update(positions)
            _core.set_literals(self, positions)
            if not positions:
                del self._trials[thread]
                raise first from None
            return None
        if made is not None:
            self._trials.pop(get_ident(), None)
        return made

    def _choices(self, error, candidates):
        """Give the positions of arguments to try as literals behind an error, one choice after another."""
        # Those that another thread tries are no candidates now.
        every = sorted(self._tried.union(candidates))
        if any(one in str(error.message) for one in ASKS_FOR_VALUES):
            return [[one] for one in every] + [every] * (len(every) > 1)
        if NO_BODY in str(error.message):
            # As in Numba overloads may know a default by its value.
            every = [at for at in every if self._has_default(at)]
            return [every] if every else []
        return []

    def _has_default(self, position):
        code, function = self.py_func.__code__, self.py_func
        if position < code.co_argcount:
            return position >= code.co_argcount - len(function.__defaults__ or ())
        names = code.co_varnames[: code.co_argcount + code.co_kwonlyargcount]
        return position < len(names) and names[position] in (function.__kwdefaults__ or {})

    def _make(self, types, returns, for_c=False, is_call=False, device=None):
        """Compile, or take from the disk."""
        forking.load()
        from pyopt.bindings import another_program

        with another_program():
            return self._make_program(types, returns, for_c, is_call, device)

    def _make_program(self, types, returns, for_c, is_call, device):
        from pyopt.bindings import collect

        global has_parallel_code
        has_parallel_code = has_parallel_code or self.targetoptions["parallel"]
        result = None if returns is None else returns.text
        described = collect(self, types)
        if is_call and (self._finds_literals(described, types) or _became_structures(types)):
            return None
        request = (*described, types, result, for_c, device)
        found = False
        if self.targetoptions.get("cache"):
            made, found, refused = _core.compile_cached(*request)
            if refused is not None:
                self._warn_uncached(refused)
        else:
            made = _core.compile(*request)
        counts = self._hits if found else self._misses
        counts[types] = counts.get(types, 0) + 1
        if not for_c:
            _core.add_specialisation(self, made)
        return made

    def _finds_literals(self, described, types):
        """Say whether arguments are to be known by their values that were looked at by their types."""
        if not any(("named", "pyopt.literally") in bindings.values() for _, _, bindings, *_ in described[0]):
            return False
        found = _core.literal_parameters(*described, types)
        _core.set_literals(self, found)
        return not set(found).isdisjoint(types.literal_candidates)

    def _warn_uncached(self, reason):
        # Once for each reason: the signatures of a function share most of them.
        if reason not in self._refusals:
            self._refusals.add(reason)
            from pyopt.errors import warn_uncached

            warn_uncached(self.py_func, reason)

    def _refuse(self):
        if self.refusal is not None:
            raise self.refusal.with_traceback(None)

    def _specialise(self, types):
        """Give the code for a call with arguments of types that there is none for yet."""
        forking.load()
        device = self._device()
        if self._can_compile:
            if types.has_empty:
                types = self._filled(types)
            if types is None:
                return None
            return self._code(types, None, is_call=True, device=device)
        if device is not None and len(fitting := self._fitting(types)) == 1:
            return self._compile(fitting[0], self._declared[fitting[0]], device=device)
        self._refuse()
        with self._lock:
            # What was missing when the function was decorated may be there now: itself, variables around it.
            failures = {}
            for args in list(self._postponed):
                try:
                    self._add(args)
                except Exception as error:
                    failures[args] = error
            self._settle()
            return self._converting(types, failures)

    def _filled(self, types):
        """Give argument types where lists, dicts and sets without items are of what the function puts in.

        None where the call must be looked at again.
        """
        found = self._fills.get(types)
        if found is None:
            from pyopt.bindings import collect

            self._refuse()
            described = collect(self, types)
            if _became_structures(types):
                return None
            found = self._fills[types] = _core.filled_arguments(*described, types) or types
        return found

    def _converting(self, types, failures):
        """Give the code of the one signature that argument types convert to most easily.

        ``failures`` are the errors of those that can't be compiled; that of the one that fits is raised.
        """
        best = self._fitting(types)
        if len(best) == 1:
            args = best[0]
            if args in failures:
                raise failures[args]
            return self._find(_forms(args))
        from pyopt.compile_result import types_of

        given = ", ".join(map(str, types_of(types)))
        if best:
            tied = "\n".join(map(self._described, best))
            raise TypeError(f"Ambiguous overloading for {self.py_func!r} ({given}):\n{tied}")
        for error in failures.values():
            raise error
        known = "\n".join(map(self._described, self._declared)) or "nothing"
        error = TypeError(f"No matching definition for argument type(s) {given}")
        raise _noted(error, f"{self.__qualname__} is compiled for\n{known}")

    def _fitting(self, types):
        """Give the declared signatures that argument types convert to most easily."""
        closed = [args for args in self._declared if not any(self._foreign(args))]
        best = _core.best_signatures(types, list(map(_forms, closed)))
        return [closed[place] for place in best]

    def _described(self, args):
        made = self.overloads.get(args)
        return str(args if made is None else made.signature)

    def _call_otherwise(self, /, *args, **kwargs):
        """Call with arguments that don't fill the parameters: raise, or collect those behind ``**``."""
        self._refuse()
        if self.py_func.__code__.co_flags & 0x08:
            from pyopt.keyword_calls import call

            return call(self, args, kwargs)
        from pyopt.wrong_calls import reject

        reject(self.py_func, args, kwargs)


# What the errors say of overloads whose bodies ask for values of arguments.
NEEDS_VALUES = "it needs values that are known when the caller is compiled"
# The same, and what those of functions say that the compiler knows.
ASKS_FOR_VALUES = (NEEDS_VALUES, "must be a constant", "must be constant ints")
# What is said of an overload that has nothing for the types of a call.
NO_BODY = "no body for these types"


def _became_structures(types):
    """Say whether instances were passed as values of which the program assigns fields."""
    data_classes = sys.modules.get("pyopt.data_classes")
    if data_classes is None:
        return False
    from pyopt.compile_result import types_of

    return data_classes.are_assigned(types_of(types))


def _forms(args):
    """Give argument types as calls have them."""
    return _core.ArgumentTypes([one.text for one in args])


def _noted(error, note):
    """Give an error with more to say than its message, which programs may compare."""
    from pyopt.host import add_note

    add_note(error, note)
    return error


def is_postponed(error):
    """Whether an error of a declared signature is raised when the function is called, not before."""
    from pyopt.c_functions import NullAddress
    from pyopt.errors import PyoptError, UnsupportedError

    postponed = PyoptError if config.POSTPONE_ERRORS else UnsupportedError
    # A C function that isn't there may be when it is needed.
    return isinstance(error, (postponed, NullAddress))


Dispatcher = _core.dispatcher_type(DispatcherMethods)
