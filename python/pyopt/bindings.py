"""What the names in a function stand for: the compiler gets it by value.

``collect`` gives the function and all Python functions it can reach, each as ``(symbol, marshalled code,
bindings, defaults, stencil, options, function, target)``, and the attributes of modules that they use, by
qualified name. The target is what the name stands for: a compiled function, or the function. A binding is a
tagged tuple, such as ``("module", "numpy")``, ``("named", "numpy.sqrt")``, ``("function", symbol)`` or
``("int", 3)``.
"""

import marshal
import sys
import threading
from abc import ABCMeta
from collections import Counter, OrderedDict, defaultdict, deque
from contextlib import contextmanager
from functools import cache, cmp_to_key
from importlib import import_module
from itertools import count
from types import BuiltinFunctionType, FunctionType, MethodType
from weakref import WeakValueDictionary

import numpy

from pyopt import _core, c_functions, extensions, getters, made_functions, partials, plain_bindings, views
from pyopt.decorators import check_options, in_full
from pyopt.definitions import define
from pyopt.dispatcher import Dispatcher
from pyopt.entry_points import entry_point
from pyopt.host_names import host_name
from pyopt.names_in_functions import MissingAttribute, names_in, unchanging
from pyopt.namespaces import MISSING

# What `contextlib.contextmanager` makes of a generator is a function with this code.
_MANAGER_CODE = contextmanager(lambda: None).__code__
# The class of what `functools.lru_cache` and `cache` make.
CACHED = type(cache(lambda: None))
# The attribute of a function that is a reduction: its identity.
REDUCTION_IDENTITY = "__pyopt_reduction_identity__"

# Texts of views are made by all programs.
views.enter()

# Where a frozenset is only searched, each of its items is compared.
_MOST_ITEMS = 64


# Functions that were arguments, by the symbols that their types name, and the other way round.
_ARGUMENTS = {}
_SYMBOLS = {}


def argument_name(function):
    """Return what the compiler calls a function that is an argument, or None if it can't be called there.

    That is ``("symbol", …)`` of one that is compiled, and ``("host", …)`` of one known by module and name.
    """
    stand_in = c_functions.python_function(function) or partials.function_of(function)
    if stand_in is not None:
        return argument_name(stand_in)
    name = host_name(function)
    if type(function) is Dispatcher or (type(function) is FunctionType and name is None):
        symbol = _SYMBOLS.get(function)
        if symbol is None:
            # The number tells functions of one name apart, and says nothing of what else this process
            # has compiled: symbols are part of what is kept on disk.
            name = f"{function.__module__}.{function.__qualname__}"
            # Another thread may enter a function of that name at the same time: each symbol has one function.
            symbols = map(f"{name}:{{}}".format, count())
            free = (one for one in symbols if _ARGUMENTS.setdefault(one, function) is function)
            symbol = _SYMBOLS.setdefault(function, next(free))
        return "symbol", symbol
    types = sys.modules.get("pyopt.types")
    if types is not None and isinstance(function, types.Type):
        return None
    return None if name is None or name.startswith("pyopt.") else ("host", name)


class _Described(threading.local):
    """The functions of the program that this thread compiles, by their symbols in it."""

    def __init__(self):
        self.functions = WeakValueDictionary()


_described = _Described()


@contextmanager
def another_program():
    """Give what is compiled inside symbols of its own: a program that is being compiled keeps its."""
    outer = _described.functions
    _described.functions = WeakValueDictionary()
    try:
        yield
    finally:
        _described.functions = outer


def function_of(symbol):
    """Return the function whose type names a symbol: one of the program that is compiled, or an argument."""
    function = _described.functions.get(symbol)
    return _ARGUMENTS[symbol] if function is None else function


def collect(dispatcher, arguments=None):
    """Describe a dispatcher's function and those it reaches, itself first, and attributes of modules.

    ``arguments`` are the types that it is compiled for, if any: the functions among them are described too.
    """
    extensions.load()
    functions = _Functions()
    if dispatcher.is_declaring and dispatcher.remembered is None:
        functions.recorded = {}
    if arguments is not None:
        functions.classes += _classes_of(arguments)
    passed = () if arguments is None else arguments.functions
    named = {symbol: _ARGUMENTS[symbol] for symbol in passed}
    for symbol, function in named.items():
        functions.rename(function, symbol)
    functions.symbol_of(dispatcher)
    for function in named.values():
        functions.symbol_of(function)
    described = functions.describe_all()
    for stencil in functions.stencils:
        stencil.appliers.add(dispatcher)
    # What isn't bound yet will be when the function is called.
    if functions.recorded is not None and not functions.has_unbound_names:
        dispatcher.remembered = functions.recorded
    return described, functions.attributes


def _classes_of(arguments):
    """Give the classes of instances that are passed."""
    data_classes = sys.modules.get("pyopt.data_classes")
    if data_classes is None:
        return []
    from pyopt.compile_result import types_of

    return [*data_classes.classes_of(types_of(arguments))]


def remember_names(dispatcher):
    """Give what the names of a function, and of those it reaches, stand for now.

    As ``remembered`` of a dispatcher it says so for what is compiled later: what is declared with signatures
    has the values that globals had then, however late a caller or a loop is compiled.
    """
    functions = _Functions()
    functions.recorded = {}
    functions.symbol_of(dispatcher)
    functions.describe_all()
    return None if functions.has_unbound_names else functions.recorded


def has_unbound_names(dispatcher):
    """Whether a function, or one that it reaches, uses names that have no value, or none yet."""
    functions = _Functions()
    functions.symbol_of(dispatcher)
    functions.describe_all()
    return functions.has_unbound_names


def collect_body(function, name):
    """Describe a function that is the body of an overload, and those it reaches, as ``collect`` does.

    The symbols begin with ``name``; that of the function comes first.
    """
    functions = _Functions(f"{name}:")
    symbol = functions.symbol_of(function)
    return symbol, functions.describe_all(), functions.attributes


class _Functions:
    """The functions of one compilation, by identity of the Python function and of the stencil."""

    def __init__(self, prefix=""):
        self.prefix = prefix
        self.symbols = {}
        self.renamed = {}
        self.names = set()
        self.waiting = []
        self.attributes = {}
        self.has_unbound_names = False
        # The classes with instances that functions name.
        self.classes = []
        # Generators that `with` takes, by identity.
        self.managers = set()
        self.stencils = []
        # What the names in functions stand for, by identity, if it is to be remembered.
        self.recorded = None
        # What is remembered of the function that is being described.
        self._memory = None

    def rename(self, target, symbol):
        """Give a function that will be met a symbol, and with it a place of its own."""
        self.renamed[id(target)] = symbol

    def symbol_of(self, target, shown=None):
        """Return the symbol of a dispatcher, stencil or plain function; describe it later.

        ``shown`` is what Python code gets where it is returned, if that is something else.
        """
        function = getattr(target, "py_func", target)
        key = id(target) if id(target) in self.renamed else _identity(target)
        memory = getattr(target, "remembered", None) or self._memory
        if memory is not None and id(function) in memory:
            # With other values it is another function.
            key = (key, id(memory))
        else:
            memory = None
        symbol = self.symbols.get(key)
        if symbol is None:
            base = symbol = (
                self.renamed.get(id(target)) or f"{self.prefix}{function.__module__}.{function.__qualname__}"
            )
            count = 0
            while symbol in self.names:
                count += 1
                symbol = f"{base}.{count}"
            self.symbols[key] = symbol
            self.names.add(symbol)
            self.waiting.append((symbol, function, target, target if shown is None else shown, memory))
        return symbol

    def describe_all(self):
        """Describe the functions in the order in which they were met."""
        made = []
        # The list grows as callees are met.
        for at, (symbol, function, target, shown, memory) in enumerate(self.waiting):
            _described.functions[symbol] = target
            options = None
            self._memory = memory
            written = function
            if id(target) in self.managers:
                options = _options_of_manager(target)
            elif isinstance(target, Dispatcher):
                options = _options(target, is_callee=at > 0)
                if options["locals"]:
                    from pyopt.local_types import with_local_types

                    function = with_local_types(function, options["locals"])
            bindings = {}
            names = self._names_of(written, function, target, memory)
            for name, value, module in names:
                if value is MISSING:
                    self.has_unbound_names = True
                elif isinstance(value, MissingAttribute):
                    self.has_unbound_names = True
                    attribute = name.rpartition(".")[2]
                    missing = f"{value.module.__name__}.{attribute}"
                    if module is None:
                        bindings[name] = ("named", missing)
                    self.attributes[f"<missing {missing}>"] = ("str", value.advice(attribute))
                elif module is None:
                    bindings[name] = self.binding(value)
                else:
                    self.add_attribute(f"{module}.{name}", value)
            if "objmode" in function.__code__.co_names:
                from pyopt.with_blocks import written_types

                for text, type in written_types(function.__code__, names):
                    bindings[f"<type {text}>"] = ("type", type.text)
            if hasattr(function, REDUCTION_IDENTITY):
                bindings["<identity>"] = self.binding(_plain(getattr(function, REDUCTION_IDENTITY)))
            made_functions.note(symbol, function, shown)
            defaults = [(name, self.binding(value)) for name, value in _defaults(function)]
            stencil = getattr(target, "stencil_options", None)
            if stencil is not None:
                self.stencils.append(target)
                mode, neighborhood, cval, indexing = stencil
                stencil = (mode, neighborhood, None if cval is None else self.binding(cval), indexing)
            made.append(
                (
                    symbol,
                    marshal.dumps(function.__code__),
                    bindings,
                    defaults,
                    stencil,
                    options,
                    function,
                    shown,
                )
            )
        if self.classes:
            from pyopt import data_classes

            data_classes.note_stored(self.classes, [function for _, function, *_ in self.waiting])
        return made

    def _names_of(self, written, function, target, memory):
        """Give what the names in a function stand for, now or as it is remembered by what is written."""
        if memory is not None:
            return memory[id(written)][1]
        names = list(names_in(function, target if isinstance(target, Dispatcher) else None))
        if self.recorded is not None:
            # The function is kept, so that no other one gets its identity.
            kept = [(name, unchanging(value), module) for name, value, module in names]
            self.recorded[id(written)] = written, kept
        return names

    def add_attribute(self, name, value):
        """Describe an attribute of a module, unless its name says it all."""
        described = self.binding(value)
        if described not in (("named", name), ("module", name)):
            self.attributes[name] = described

    def binding(self, value):
        """Describe a value."""
        kind = type(value)
        simple = plain_bindings.SIMPLE.get(kind)
        if simple is not None:
            return simple(value)
        if kind is tuple:
            return ("tuple", [self.binding(item) for item in value])
        if kind is slice:
            return ("slice", [self.binding(part) for part in (value.start, value.stop, value.step)])
        if kind is Dispatcher or hasattr(kind, "stencil_options"):
            return ("function", self.symbol_of(value))
        if hasattr(kind, "jit_function"):
            symbol = self.symbol_of(value.jit_function)
            for attribute, constant in value.jit_attributes.items():
                self.attributes[f"{symbol}.{attribute}"] = self.binding(constant)
            return ("function", symbol)
        if isinstance(value, (numpy.ndarray, numpy.void)):
            return plain_bindings.masked(kind) or plain_bindings.frozen(value)
        if isinstance(value, numpy.generic):
            return self.scalar(value)
        if isinstance(value, type) and issubclass(value, tuple) and hasattr(value, "_fields"):
            return ("named_tuple", _core.named_tuple_slot(value))
        if isinstance(value, tuple) and hasattr(kind, "_fields"):
            return ("tuple_of", _core.named_tuple_slot(kind), [self.binding(item) for item in value])
        if hasattr(kind, "__members__") or getattr(value, "__members__", None):
            # What compiled code has for enumerations.
            from pyopt import enums

            self.attributes.update(enums.instances_of(value))
        if isinstance(value, numpy.dtype):
            return plain_bindings.dtype(value)
        if isinstance(value, type) and issubclass(value, BaseException) and value.__module__ != "builtins":
            return ("exception_class", _core.exception_class_names(value))
        if isinstance(value, BaseException):
            return ("exception", self.binding(kind), [self.binding(one) for one in value.args])
        c_function = self.c_function(value)
        if c_function is not None:
            return c_function
        applied = partials.function_of(value)
        if kind is MethodType and _overloaded_name(value) is None:
            from pyopt import class_methods

            applied = class_methods.function_of(value)
        if kind is CACHED:
            from pyopt import cached_functions

            applied = cached_functions.function_of(value)
            if isinstance(applied, str):
                # An error where it is used, if it is.
                return ("opaque", applied)
        if applied is not None:
            return ("function", self.symbol_of(applied, value))
        types = sys.modules.get("pyopt.types")
        if types is not None and isinstance(value, types.Type):
            if isinstance(value, types.StructRef):
                return self.own(value) or ("opaque", f"the type {value.name}")
            return ("opaque", f"the type {value.name}") if value.is_foreign else ("type", value.text)
        if kind is frozenset:
            return self.frozenset(value)
        if kind in (list, dict, set):
            return self.container(value)
        if kind is range:
            return self.called(_maker_of_range(value.start, value.stop, value.step))
        if kind is defaultdict:
            return ("opaque", "a global defaultdict, of which [] may put a key in,")
        if kind in (OrderedDict, Counter, deque):
            import_module("pyopt.global_collections")
            return self.container(value)
        if kind.__module__ == "collections":
            # What a program does with its own object can't be seen in a copy.
            return ("opaque", f"a global {kind.__name__}")
        own = self.own(value)
        if own is not None:
            return own
        load_overloads_of(value)
        overloaded = _overloaded_name(value)
        if overloaded is not None:
            self.add_instances(overloaded, value)
        name = overloaded or host_name(value)
        if name is not None:
            return ("named", name)
        if kind is entry_point:
            return self.binding(value.__wrapped__)
        if getattr(value, "__module__", None) == "contextlib":
            from pyopt import context_managers

            value = context_managers.KNOWN.get(value, value)
            kind = type(value)
        if kind is FunctionType and value.__code__ is _MANAGER_CODE:
            self.managers.add(id(value.__wrapped__))
            return ("function", self.symbol_of(value.__wrapped__, value))
        if kind is FunctionType:
            return ("function", self.symbol_of(value))
        if kind is BuiltinFunctionType and isinstance(value.__module__, str):
            # One of another module, which errors name.
            return ("named", f"{value.__module__}.{value.__qualname__}")
        for base, plain in plain_bindings.PLAIN.items():
            if isinstance(value, base):
                # As for an argument, compiled code sees the value without what the class adds.
                return plain_bindings.SIMPLE[base](plain(value))
        return ("opaque", plain_bindings.unknown(value))

    def frozenset(self, value):
        """Describe a frozenset by its items, in an order that is the same in every process."""
        from pyopt import frozen_sets  # noqa: F401

        if len(value) > _MOST_ITEMS:
            return ("opaque", f"a global frozenset of more than {_MOST_ITEMS} items")
        try:
            items = sorted(value)
        except TypeError:
            items = sorted(value, key=repr)
        return ("frozenset", [self.binding(item) for item in items])

    def container(self, value):
        """Describe a global list, dict or set by the function that compiled code calls for it."""
        from pyopt import global_containers

        try:
            loader = global_containers.loader_of(value, self.function_text)
        except global_containers.Refused as reason:
            return ("opaque", f"a global {type(value).__name__} {reason}")
        return self.called(loader)

    def function_text(self, value):
        """Give the compiler's text of a function; None for anything else."""
        from pyopt.types.text import quoted, symbol_text

        tag, name, *_ = (*self.binding(value), None)
        if tag == "function" and f"{name}.<called>" not in self.attributes:
            return f"#py.function<{symbol_text(name)}>"
        return f"#py.named<{quoted(name)}>" if tag == "named" else None

    def called(self, maker):
        """Describe a constant by the function that compiled code calls for it."""
        symbol = self.symbol_of(maker)
        self.attributes[f"{symbol}.<called>"] = ("bool", True)
        return ("function", symbol)

    def add_instances(self, name, value):
        """Describe the names of a class, and the types of its instances, which ``isinstance`` asks for.

        Those of a dataclass have as many types as its fields have: the name that they share stands for them.
        """
        found = []
        if isinstance(value, type):
            for attribute in ("__name__", "__qualname__"):
                self.attributes[f"{name}.{attribute}"] = ("str", getattr(value, attribute))
        classes = sys.modules.get("pyopt.data_classes")
        if isinstance(value, type) and classes and classes.has_types(value):
            self.classes.append(value)
            found = [self.binding(one) for one in classes.names_of_instances(value)]
        elif isinstance(value, type) and "pyopt.own_types" in sys.modules:
            known = sys.modules["pyopt.own_types"].types_of_instances(value)
            found = [("type", one.text) for one in known]
        if found:
            self.attributes[f"{name}.<instances>"] = ("tuple", found)

    def own(self, value):
        """Describe an object of an extension's type by its fields; None for anything else."""
        own_types = sys.modules.get("pyopt.own_types")
        try:
            stand_in = own_types and own_types.stand_in(value)
        except Exception as error:
            # An error where it is used, if it is.
            return ("opaque", f"an object of type {type(value).__qualname__}: {error}")
        if stand_in is None:
            return None
        structures = sys.modules.get("pyopt.structures")
        if structures is not None and isinstance(value, structures.StructRefProxy):
            # Python changes what is in it, or another thread does.
            return ("opaque", f"a global {value._type}")
        declared = getattr(stand_in, "__pyopt_declared__", None)
        return self.binding(stand_in) if declared is None else ("declared", self.fields(stand_in), declared)

    def fields(self, stand_in):
        """Describe the fields of an object of a declared type; the type says the classes."""
        return (
            "tuple",
            [
                self.fields(one) if getattr(one, "__pyopt_declared__", None) else self.binding(one)
                for one in stand_in
            ],
        )

    def c_function(self, value):
        """Describe a C function, or what cffi's are found with; None for anything else."""
        function = c_functions.python_function(value)
        if function is not None:
            return ("function", self.symbol_of(function, value))
        cfuncs = sys.modules.get("pyopt.cfuncs")
        if cfuncs is not None and type(value) is cfuncs.CFunc:
            return ("function", self.symbol_of(value.compiled_call, value))
        if c_functions.is_ffi_instance(value):
            return ("named", "pyopt.FFI")
        return c_functions.binding(value)

    def scalar(self, value):
        """Describe a NumPy scalar by its type and the number it is in Python."""
        try:
            ticks = isinstance(value, (numpy.datetime64, numpy.timedelta64))
            number = int(value.view("i8")) if ticks else value.item()
            return ("scalar", _core.typeof_text(value), self.binding(number))
        except TypeError as error:
            return ("opaque", f"an object of type {type(value).__name__}: {error}")


def _plain(value):
    """Return a named tuple as a tuple of its items: the compiler gives it the class of what is reduced."""
    return tuple(map(_plain, value)) if isinstance(value, tuple) else value


# The modules with the overloads of functions and classes, most of which programs don't need.
_OVERLOADS = (
    (frozenset, "frozen_sets"),
    (cmp_to_key, "comparisons"),
    (bytearray, "byte_arrays"),
    (memoryview, "buffers"),
)
_OVERLOADS_OF_CLASSES = {"collections": ("collection_comparisons", "ordered_dicts")}
_OVERLOADS_OF_MODULES = {"copy": ("copies",), "dataclasses": ("data_class_functions",)}


def is_of_program(module):
    """Whether a module isn't Python's, NumPy's or pyopt's own."""
    package = str(module).partition(".")[0]
    return package not in sys.stdlib_module_names and package not in ("numpy", "pyopt", "numba")


def load_overloads_of(value):
    """Load what compiled code has of a function or class that a program names."""
    home, is_class = getattr(value, "__module__", None), isinstance(value, type)
    if is_class and hasattr(value, "__dataclass_fields__"):
        from pyopt import data_classes

        data_classes.enter(value)
    elif (
        is_class
        and type(value) in (type, ABCMeta)
        and is_of_program(home)
        and _overloaded_name(value) is None
    ):
        from pyopt import plain_classes

        plain_classes.enter(value)
    if value is partials.partial:
        partials.enter()
    if is_class and value in getters.CLASSES:
        getters.enter()
    needed = [name for one, name in _OVERLOADS if value is one]
    if isinstance(home, str):
        needed += _OVERLOADS_OF_MODULES.get(home, ())
        needed += _OVERLOADS_OF_CLASSES.get(home, ()) if is_class else ()
    for name in needed:
        import_module(f"pyopt.{name}")


@cache
def _maker_of_range(*parts):
    """Give a function that makes a range of a start, stop and step; its name says which."""
    name = "_".join(["range", *map(str, parts)]).replace("-", "minus_")
    return define(f"def {name}():\n    return range{parts}\n", name, {})


def _overloaded_name(value):
    """Return the name of a function that has overloads."""
    extending = sys.modules.get("pyopt.extending")
    return extending and extending.overloaded_name(value)


def _defaults(function):
    """Yield the names of parameters that have defaults, with these."""
    values = function.__defaults__ or ()
    code = function.__code__
    yield from zip(code.co_varnames[code.co_argcount - len(values) : code.co_argcount], values, strict=True)
    yield from (function.__kwdefaults__ or {}).items()


def _identity(target):
    """What tells functions of one compilation apart: the Python function, or what says more of it."""
    is_special = hasattr(target, "stencil_options") or (type(target) is Dispatcher and target.prototypes)
    return id(target if is_special else getattr(target, "py_func", target))


def _options(dispatcher, is_callee):
    """Give a decorator's options, with the signatures that it declares.

    A callee that is put in the place of its calls has the types that are passed there, as in Numba.
    """
    is_inlined = is_callee and dispatcher.targetoptions["inline"] == "always"
    prototypes = [
        ([one.text for one in args], None if returns is None else returns.text)
        for args, returns in ([] if is_inlined else dispatcher.prototypes)
    ]
    return in_full(dispatcher.targetoptions) | {
        "prototypes": prototypes,
        "compiles": bool(prototypes) and dispatcher._can_compile,
        "context_manager": False,
    }


def _options_of_manager(target):
    """Give the options of a generator that is the code of a context manager."""
    given = _options(target, True) if isinstance(target, Dispatcher) else in_full(check_options({}))
    return {"prototypes": [], "compiles": False, **given, "context_manager": True}
