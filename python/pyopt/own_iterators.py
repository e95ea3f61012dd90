"""Iterators of extensions' own types: the code that ``lower_builtin`` has for ``getiter`` and ``iternext``.

The code for ``getiter`` makes an iterator of an iterable. That for ``iternext`` gives the next item, if there
is one, and moves the iterator on, which it does in memory: a field of the iterator is an
``EphemeralPointer``. A loop is one over a generator, whose variables outlive the places on the stack that
these fields point to: it has what is there as values, in a *state* of the iterator.
"""

from pyopt import types
from pyopt.errors import TypingError
from pyopt.extending import intrinsic, overload
from pyopt.intrinsics import cgutils
from pyopt.intrinsics.ir import Constant, IntType, LiteralStructType
from pyopt.own_types import StructModel, implementation, members_of, register_model

_templates = []


def register_template(template):
    """Take over a template that types ``getiter``: it gives the type of the iterator."""
    _templates.append(template)


def _iterator_type(iterable):
    """Give the type of the iterator over values of an own type; None if they have none."""
    if members_of(iterable) is None:
        return None
    for template in _templates:
        found = template(None).apply((iterable,), {})
        if found is not None:
            return found.return_type
    if isinstance(iterable, types.IteratorType):
        return iterable
    return getattr(iterable, "iterator_type", None)


class IteratorState(types.Type):
    """What an iterator consists of, with what its fields point to in their place."""

    def __init__(self, iterator):
        """Keep the type of the iterator."""
        super().__init__(f"state of {iterator.name}")
        self.iterator = iterator


@register_model(IteratorState)
class _StateModel(StructModel):
    def __init__(self, dmm, fe_type):
        fields = members_of(fe_type.iterator)
        super().__init__(
            dmm, fe_type, [(name, kind.dtype if _is_place(kind) else kind) for name, kind in fields]
        )


def _is_place(kind):
    return isinstance(kind, types.EphemeralPointer)


def _state_of(context, builder, state, iterator):
    """Write what makes the state of an opened iterator."""
    made = context.make_helper(builder, state)
    for name, kind in members_of(state.iterator):
        field = getattr(iterator, name)
        setattr(made, name, context.unpack_value(builder, kind.dtype, field) if _is_place(kind) else field)
    return made._getvalue()


def _opened(context, builder, state, value):
    """Write what makes the iterator of a state, and open it."""
    known, made = context.make_helper(builder, state, value), context.make_helper(builder, state.iterator)
    for name, kind in members_of(state.iterator):
        field = getattr(known, name)
        if _is_place(kind):
            place = cgutils.alloca_once(builder, context.get_data_type(kind.dtype))
            context.pack_value(builder, kind.dtype, field, place)
            field = place
        setattr(made, name, field)
    return made


class _Next:
    """What the code for ``iternext`` says: whether there is an item, and which."""

    def __init__(self, builder, kind):
        """Begin without an item."""
        self._builder = builder
        self._pair = cgutils.StructProxy(builder, LiteralStructType([kind, IntType(1)]), ("item", "is_valid"))

    def set_valid(self, is_valid=True):
        """Say whether there is an item."""
        self._pair.is_valid = (
            Constant(IntType(1), is_valid) if isinstance(is_valid, (bool, int)) else is_valid
        )

    def set_exhausted(self):
        """Say that there is none."""
        self.set_valid(False)

    def is_valid(self):
        """Give whether there is an item."""
        return self._pair.is_valid

    def yield_(self, value):
        """Give the item."""
        self._pair.item = value

    def yielded_value(self):
        """Give the item that was given."""
        return self._pair.item


@intrinsic
def _begin(typingctx, iterable):
    iterator = _iterator_type(iterable)
    state = IteratorState(iterator)
    if iterator == iterable:

        def itself(context, builder, signature, arguments):
            return _state_of(context, builder, state, context.make_helper(builder, iterator, arguments[0]))

        return state(iterable), itself
    code = implementation("getiter", iterator(iterable))

    def generate(context, builder, signature, arguments):
        made = code(context, builder, iterator(iterable), arguments)
        return _state_of(context, builder, state, context.make_helper(builder, iterator, made))

    return state(iterable), generate


@intrinsic
def _go_on(typingctx, state):
    iterator = state.iterator
    code = implementation("iternext", types.none(iterator))
    item = iterator.yield_type
    result = types.Tuple([types.boolean, item, state])

    def generate(context, builder, signature, arguments):
        opened = _opened(context, builder, state, arguments[0])
        found = _Next(builder, context.get_value_type(item))
        called = types.Tuple([item, types.boolean])(iterator)
        code(context, builder, called, [opened._getvalue()], found)
        parts = [found.is_valid(), found.yielded_value(), _state_of(context, builder, state, opened)]
        return context.make_tuple(builder, result, parts)

    return result(state), generate


@overload(iter)
def _iter(iterable):
    iterator = _iterator_type(iterable)
    if iterator is None:
        return None
    if members_of(iterator) is None:
        raise TypingError(f"the iterator {iterator} of {iterable} has no model")

    def body(iterable):
        state = _begin(iterable)
        while True:
            is_valid, item, state = _go_on(state)
            if not is_valid:
                return
            yield item

    return body
