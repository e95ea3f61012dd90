"""Extending the compiler from Python: bodies for functions and methods that it doesn't know.

An overload is a function of argument types. It returns a Python function to be compiled in place of the call,
or None if it has nothing for these types::

    @overload(scipy.special.expit)
    def expit_overload(x):
        if isinstance(x, types.Float):
            def expit(x):
                return 1 / (1 + math.exp(-x))
            return expit
"""

from copy import copy
from functools import update_wrapper
from importlib import import_module
from itertools import chain, count

from pyopt import _core
from pyopt.bindings import REDUCTION_IDENTITY, collect_body
from pyopt.dispatcher import NEEDS_VALUES, NO_BODY, Dispatcher
from pyopt.errors import PyoptError, RequireLiteralValue, TypingError
from pyopt.host_names import is_host_object, qualified_name
from pyopt.once import entering
from pyopt.overload_parameters import check_parameters
from pyopt.types import Type, from_text, told

__all__ = [
    "intrinsic",
    "is_jitted",
    "overload",
    "overload_attribute",
    "overload_method",
    "reduction",
    "register_jitable",
]

_overloads = {}
_names = {}


def reduction(function=None, /, **options):
    """Declare that a function of two values is a reduction, which ``prange`` may do in parts.

    ``reduction(identity=value)`` decorates a Python function, or one that ``njit`` has compiled, of two
    arguments: what earlier iterations found and what later ones did. It gives what both are together. With
    ``acc = f(acc, value)`` in its body, also under ``if`` or in inner loops, a ``prange`` reduces ``acc``, a
    number or a tuple of numbers. ``identity`` is a constant that changes nothing: ``f(identity, x)`` and
    ``f(x, identity)`` are ``x``. ``f(f(a, b), c)`` must be ``f(a, f(b, c))``; ``f(a, b)`` may differ from
    ``f(b, a)``, as the parts are combined in the order of the iterations.

    Everywhere else the function is what it is. Raise ``TypeError`` for one that doesn't take two arguments,
    or when ``identity`` is missing.
    """
    if function is not None or set(options) != {"identity"}:
        raise TypeError("reduction takes the value that changes nothing: @reduction(identity=...)")

    def declare(function):
        python = getattr(function, "py_func", function)
        code = getattr(python, "__code__", None)
        if code is None:
            raise TypeError(f"a reduction is a Python function, not {function!r}")
        if code.co_argcount != 2 or code.co_kwonlyargcount or code.co_flags & 0x0C:
            place = f"{code.co_filename}:{code.co_firstlineno}"
            raise TypeError(f"{place}: the reduction {python.__qualname__} must take two arguments")
        setattr(python, REDUCTION_IDENTITY, options["identity"])
        return function

    return declare


def register_jitable(function=None, **options):
    """Mark a function that compiled code calls; in Python it stays what it is.

    It is compiled with its caller, under the caller's options, as any Python function is, but for those that
    are given here.
    """

    def register(function):
        if options:
            overload(function, jit_options=options, strict=False)(lambda *args, **kwargs: function)
        return function

    return register if function is None else register(function)


def overload(function, jit_options=None, strict=True, inline="never", prefer_literal=False, **options):
    """Register the decorated function as an overload of ``function``: whatever compiled code calls.

    That may be a function or class of the program's or a library's, one of NumPy's or Python's, which the
    compiler may have itself, or a function of ``operator``, whose overloads stand for the operator too. What
    was registered first is asked first, as in Numba, and all overloads before the compiler's own
    implementation.

    The overload gets the types of the arguments. With ``prefer_literal`` it gets ``types.Literal`` types
    first for those that are known when the caller is compiled, else only if it has no body for the others.
    With ``strict``, a body must have the parameters of the overload. ``jit_options`` are those of ``njit``
    that the body has for itself, such as ``error_model``. ``inline`` has no effect: the optimiser decides.
    """
    if isinstance(function, Dispatcher):
        raise TypeError(f"cannot overload {function!r}: it has code of its own")
    _check_inline(inline)
    name = name_of(function)
    return _Candidate.decorator(name, None, jit_options, strict, prefer_literal)


def _check_inline(inline):
    if not callable(inline) and inline not in ("never", "always"):
        raise ValueError(
            "kwarg 'inline' must be one of the strings 'always' or 'never', or it can be a callable that "
            f"returns True/False. Found value {inline}"
        )


def overload_method(type_class, name, jit_options=None, strict=True, prefer_literal=False, **options):
    """Register the decorated function as an overload of a method of a class of types, as ``overload`` does.

    The overload gets the type of the receiver first. Those of a class of types are asked before those of its
    bases.
    """
    _check_inline(options.get("inline", "never"))
    return _Candidate.decorator(f"method:{name}", type_class, jit_options, strict, prefer_literal)


def overload_attribute(type_class, name, jit_options=None, strict=True, prefer_literal=False, **options):
    """Register the decorated function, of the type of an object, as an overload of an attribute."""
    _check_inline(options.get("inline", "never"))
    return _Candidate.decorator(f"attribute:{name}", type_class, jit_options, strict, prefer_literal)


def is_jitted(function):
    """Whether a function is compiled, for machine types or for objects."""
    from pyopt.decorators import is_object_mode

    return isinstance(function, Dispatcher) or is_object_mode(function)


class Intrinsic:
    """A function whose code is written in LLVM's terms; in Python there is nothing to call."""

    def __init__(self, definition):
        """Take over the name of the typing function."""
        update_wrapper(self, definition)

    def __repr__(self):
        """Name it."""
        return f"<intrinsic {self.__qualname__}>"

    def __call__(self, *args, **kwargs):
        """Refuse."""
        raise NotImplementedError(f"'{self.__qualname__}' is for compiled code")


#: Numba's name.
_Intrinsic = Intrinsic


def intrinsic(function=None, /, *, prefer_literal=False, **options):
    """Make a function of compiled code whose code is written in LLVM's terms, as ``pyopt.intrinsics`` says.

    The decorated function gets a typing context and the types of the arguments; it returns a signature and a
    code generator, or None. ``prefer_literal`` is that of ``overload``; Numba's other options have no effect.
    """
    if function is None:
        return lambda function: intrinsic(function, prefer_literal=prefer_literal)
    made = Intrinsic(function)
    _Candidate.decorator(name_of(made), None, None, True, prefer_literal, True)(function)
    return made


# What few programs name isn't imported with the rest: modules, and the names that are found in them.
_HOMES = {
    "cfuncs": "get_cython_function_address",
    "conversions": "lower_cast",
    "overload_helpers": "SentryLiteralArgs overload_classmethod",
    "own_types": "NativeValue as_numba_type box lower_builtin make_attribute_wrapper models register_model "
    "type_callable typeof_impl unbox",
    "placement": "add_pass added_passes remove_pass",
    "templates": "infer infer_getattr infer_global lower_getattr lower_getattr_generic lower_setattr "
    "lower_setattr_generic",
}
_HOMES = {name: home for home, names in _HOMES.items() for name in names.split()}


def __getattr__(name):
    if name in _HOMES:
        return getattr(import_module(f"pyopt.{_HOMES[name]}"), name)
    if name == "reflect":
        # What is done for lists that change is the compiler's.
        return import_module("pyopt.missing").accept
    raise AttributeError(f"module '{__name__}' has no attribute '{name}'")


def __dir__():
    return sorted({*globals(), *_HOMES, "reflect"})


class _Candidate:
    """An overload, and what it is one of."""

    def __init__(self, implementation, type_class, jit_options, strict, prefer_literal, is_intrinsic=False):
        self.implementation = implementation
        self.type_class = type_class
        self.jit_options = jit_options
        self.strict = strict
        self.prefer_literal = prefer_literal
        self.is_intrinsic = is_intrinsic

    @staticmethod
    def decorator(name, type_class, *options):
        """Return the decorator that registers an overload."""

        def register(implementation):
            _overloads.setdefault(name, []).append(_Candidate(implementation, type_class, *options))
            _core.register_overload(name)
            if name.startswith("method:"):
                _core.register_overload(f"has-{name}")
            return implementation

        return register

    def of_name(self, attribute):
        """Give what one for all attributes is for one of a name."""
        made = copy(self)
        made.implementation = self.implementation(attribute)
        return made

    @property
    def origin(self):
        """What was decorated."""
        return getattr(self.implementation, "origin", self.implementation)

    @property
    def is_builtin(self):
        """Whether it is pyopt's own: how containers and classes are made is nobody's business."""
        return self.origin.__module__.startswith("pyopt.")

    def __str__(self):
        """Say where it is."""
        code = getattr(self.origin, "__code__", None)
        place = f" ({code.co_filename}:{code.co_firstlineno})" if code else ""
        return f"{self.origin.__qualname__}{place}"

    def distance(self, receiver):
        """Count the classes between that of a receiver's type and the one this is for; None if it isn't."""
        if self.type_class is None:
            return 0
        if isinstance(self.type_class, Type):
            return 0 if self.type_class == receiver else None
        bases = type(receiver).__mro__
        return bases.index(self.type_class) if self.type_class in bases else None

    def has_method(self, receiver):
        """Whether what is for a name, or for all, gives values of a type a method."""
        exists = getattr(self.implementation, "exists", None)
        if exists is None:
            return True
        from pyopt.intrinsics.typing_context import TypingContext

        return exists(TypingContext(), receiver)

    def implement(self, name, arguments, of_literals):
        """Describe what it has for a call, as ``resolve`` does; raise TypingError where it has nothing."""
        positional, keywords = _types(arguments)
        if self.is_intrinsic:
            from pyopt.intrinsics import native
            from pyopt.intrinsics.typing_context import Delegated

            try:
                return native(self.implementation, name, _ordered(self.implementation, arguments))
            except Delegated as code:
                body = code.function
        else:
            body = self._body(positional, keywords)
        if not of_literals:
            from pyopt.literal_requests import asks_for_values

            if asks_for_values(getattr(body, "py_func", body)):
                # One for literals is to be chosen.
                raise RequireLiteralValue(NEEDS_VALUES)
        values = [f"{keyword}={text}" if keyword else text for keyword, text, _ in arguments]
        return *collect_body(body, f"{name}({', '.join(values)})"), of_literals

    def _body(self, positional, keywords):
        from inspect import signature

        try:
            signature(self.implementation).bind(*positional, **keywords)
        except TypeError as error:
            raise TypingError(str(error)) from None
        body = self.implementation(*positional, **keywords)
        if body is None:
            raise TypingError(NO_BODY)
        function = getattr(body, "py_func", body)
        if self.strict:
            check_parameters(self.implementation, function)
        if self.jit_options:
            from pyopt.decorators import jit

            made = jit(**self.jit_options)(function)
            if made.refusal is not None:
                raise made.refusal
            return made
        return body


def name_of(function):
    """Return the name that the compiler has for a function, and take note of it."""
    with entering:
        return overloaded_name(function) or _new_name(function)


def _new_name(function):
    # The compiler takes what begins with Numba's name for its own.
    base = qualified_name(function).replace("numba.", "numba:", 1)
    # Functions that are made anew share a name; the number tells them apart, and says nothing of what else
    # this process has registered: names are part of what is kept on disk.
    taken = {name for _, name in _names.values()}
    numbered = (f"{base}:{number}" for number in count(1))
    is_own = is_host_object(function)
    known = base if is_own else next(name for name in chain([base], numbered) if name not in taken)
    _names[id(function)] = (function, known)
    return known


def register_native(name, implementation, type_class, prefer_literal=False):
    """Register what types and writes a function, method or attribute in LLVM's terms: an intrinsic.

    For ``attribute:*`` and ``setattribute:*``, all attributes that are read or set, and ``method:*`` it is a
    function of the name that gives such; a method's may have ``exists``, of a context and a type. For
    ``cast:*``, conversions, it is one of the target's text.
    """
    _Candidate.decorator(name, type_class, None, True, prefer_literal, True)(implementation)


def overloaded_name(value):
    """Return the name of a function that has overloads, or None."""
    function, name = _names.get(id(value), (None, None))
    return name if function is value else None


def resolve(name, arguments):
    """Describe the body for a call's arguments: keyword or None, type, and type of the value or None.

    Return its symbol, what it reaches, and whether it was chosen by values; or what ``native`` describes; or
    why there is nothing, as far as overloads of the program or of its libraries were asked.
    """
    if name.startswith("has-"):
        # Whether there is a method doesn't depend on what a call of it would pass.
        method = name.removeprefix("has-")
        receiver = told(from_text(arguments[0][1]))
        if not any(one.has_method(receiver) for one in _candidates(method, arguments)):
            return _nobody(method)
        return *collect_body(_exists, f"{name}({arguments[0][1]})"), False
    candidates = _candidates(name, arguments)
    by_values = [(keyword, literal or text, text) for keyword, text, literal in arguments]
    by_types = [(keyword, _always_shown(literal) or text, text) for keyword, text, literal in arguments]
    has_literals = by_values != by_types
    refusals = []
    for candidate in candidates:
        for of_literals in (True, False) if candidate.prefer_literal else (False, True):
            if of_literals and not has_literals:
                continue
            try:
                return candidate.implement(name, by_values if of_literals else by_types, of_literals)
            except PyoptError as error:
                reason = error.args[0] if error.args else type(error).__name__
                if not candidate.is_builtin:
                    refusals.append(f"{candidate}: {reason}")
                elif reason != NO_BODY:
                    refusals.append(reason)
    return "; ".join(dict.fromkeys(refusals)) or _nobody(name)


def _always_shown(literal):
    """Give what is known of a value if that is a display of several types: its items are literals for all."""
    from pyopt.types import LiteralList, LiteralStrKeyDict

    if literal is None or literal.startswith("!typed.literal"):
        return None
    return literal if isinstance(from_text(literal), (LiteralList, LiteralStrKeyDict)) else None


def _nobody(name):
    """Say that no overload of a name is for a type, if there are any but pyopt's own."""
    return "" if all(one.is_builtin for one in _overloads.get(name, ())) else "none is for this type"


def _candidates(name, arguments):
    """Give the overloads that are asked for a call, in their order: of methods those of the nearest class."""
    candidates = _overloads.get(name, [])
    if not name.startswith(("method:", "attribute:", "setattribute:", "cast:")):
        return candidates
    kind, _, attribute = name.partition(":")
    candidates = candidates + [one.of_name(attribute) for one in _overloads.get(f"{kind}:*", ())]
    receiver = told(from_text(arguments[0][1]))
    distances = [(one, one.distance(receiver)) for one in candidates]
    nearest = sorted((pair for pair in distances if pair[1] is not None), key=lambda pair: pair[1])
    return [one for one, _ in nearest]


def _exists(receiver):
    """Stand for the answer that a method is there."""
    return True


def _ordered(implementation, arguments):
    """Give the arguments of an intrinsic in the order of its parameters: place in the call, chosen, text."""
    places = {}
    positional = []
    for at, (keyword, chosen, text) in enumerate(arguments):
        if keyword is None:
            positional.append((at, chosen, text))
        else:
            places[keyword] = at, chosen, text
    from inspect import Parameter, signature

    try:
        bound = signature(implementation).bind(None, *positional, **places)
    except TypeError as error:
        raise TypingError(str(error)) from None
    kinds = {one.kind for one in bound.signature.parameters.values() if one.name in bound.arguments}
    if kinds & {Parameter.KEYWORD_ONLY, Parameter.VAR_KEYWORD}:
        raise TypingError("an intrinsic has no parameters that are passed by keyword alone")
    return bound.args[1:]


def _types(arguments):
    """Return the types of what is passed by position and by keyword."""
    types = [(keyword, told(from_text(text))) for keyword, text, _ in arguments]
    positional = [type for keyword, type in types if keyword is None]
    return positional, {keyword: type for keyword, type in types if keyword is not None}
