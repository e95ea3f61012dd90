"""Instances of classes as arguments: compiled code has copies, whose changes go back when the call is over.

What instances refer to is copied with them, each instance once in a call however it is reached, so that
compiled code sees the same graph. Fields have the types of their annotations, or else those of what is found
in them. An attribute that was changed is assigned; a list, dict or set that the instance still has gets what
was changed in it. Attributes with values that compiled code doesn't have are none there.
"""

import collections
import math
import threading
import weakref
from functools import cache

from pyopt import njit, own_types, types
from pyopt.assigned_data_classes import taker_of
from pyopt.collection_arguments import KINDS
from pyopt.collection_types import HELD
from pyopt.containers import Container, maker_of
from pyopt.definitions import define
from pyopt.deques import DequeType, set_bound
from pyopt.errors import TypingError
from pyopt.instance_boxing import address_of, boxing_among, enter_table, raw_memory
from pyopt.observed_fields import Observations, is_structure
from pyopt.structures import SharedInstance, new

# Fields are read by tuples of so many.
_AT_ONCE = 16
# The attribute of a call's notes that has the copies.
_NOTE = "instances"
_BUILTIN = (list, dict, set)


class _Thread(threading.local):
    """What the calls of a thread have copies of, the latest last."""

    def __init__(self):
        self.calls = []


_thread = _Thread()


class _Copies:
    """The instances that a call has copies of."""

    def __init__(self):
        """Begin a call without any."""
        #: Instances and their copies, by the identity of the instance.
        self.made = {}
        #: Instances by the addresses of their copies, later also those that compiled code has made.
        self.by_address = {}
        self.is_given_back = False
        self._forget = enter_table(self, self.by_address)
        _thread.calls.append(weakref.ref(self, _thread.calls.remove))

    def __del__(self):
        """Forget the addresses, which are others' after the call."""
        self._forget()

    def add(self, root, notes):
        """Copy an instance with all that it refers to."""
        found = Observations(self.made)
        found.visit(root)
        for container in found.containers:
            if id(container) in notes:
                raise TypingError(
                    f"cannot pass instances that have one {type(container).__name__} together: compiled code "
                    "would have several copies of it"
                )
            # The containers are alive as long as the call's arguments.
            notes[id(container)] = container
        kinds = found.types()
        for instance in found.instances:
            plan = _plan_of(kinds[type(instance)])
            made = plan.made(instance)
            self.made[id(instance)] = instance, made, plan, []
            self.by_address[address_of(made)] = instance, made
        for instance in found.instances:
            _, made, plan, before = self.made[id(instance)]
            before += plan.fill(instance, made, self._copy)

    def _copy(self, value):
        """Give what compiled code takes for the value of a field."""
        known = self.made.get(id(value))
        if known is not None:
            return known[1]
        if type(value) in (list, set):
            return type(value)(map(self._copy, value))
        if type(value) is dict:
            return {key: self._copy(item) for key, item in value.items()}
        return value

    def give_back(self):
        """Give all instances the changes, those of what compiled code put in included."""
        if self.is_given_back:
            return
        self.is_given_back = True
        with boxing_among(self.by_address):
            changes = [
                (plan, instance, plan.changed(made, *before))
                for instance, made, plan, before in self.made.values()
            ]
        for plan, instance, (values, kept) in changes:
            plan.give_back(instance, values, kept)


def stand_in(instance, notes):
    """Give what stands for an instance that a call gets; None where compiled code has its values."""
    if not is_structure(type(instance)):
        return None
    copies = notes.get(_NOTE)
    if copies is None:
        copies = notes[_NOTE] = _Copies()
    if id(instance) not in copies.made:
        copies.add(instance, notes)
    return SharedInstance._pyopt_stand_in.__get__(copies.made[id(instance)][1])


@staticmethod
def _give_back(stand_in, instance):
    for call in reversed(_thread.calls):
        made = call().made.get(id(instance))
        if made is not None and SharedInstance._pyopt_stand_in.__get__(made[1]) is stand_in:
            call().give_back()
            return


def typeof(instance, context=None):
    """Give the type of an instance."""
    found = Observations({})
    found.visit(instance)
    return found.types()[type(instance)]


# By the identity of types, which plans keep: to hash a type is to hash its text.
_plans = {}


def _plan_of(kind):
    plan = _plans.get(id(kind))
    if plan is None:
        plan = _plans[id(kind)] = _Plan(kind)
    return plan


class _Plan:
    """What copies instances of a type, and gives changes back."""

    def __init__(self, kind):
        self.kind = kind
        fields = kind.field_dict
        #: Fields that are set where the copy is made; the others may be None, or refer to what is made later.
        self.early = [name for name, field in fields.items() if _is_early(field)]
        self.late = [name for name in fields if name not in self.early]
        self.containers = [name for name, field in fields.items() if _is_container(field)]
        self._early_of = [(name, _coercion(fields[name])) for name in self.early]
        self._late_of = [(name, _coercion(fields[name])) for name in self.late]
        own_types.own_type(kind).stand_in.__pyopt_give_back__ = _give_back
        self._make = _maker(kind, tuple(self.early))
        self._setters = {}
        self.names = names = list(fields)
        parts = [tuple(names[at : at + _AT_ONCE]) for at in range(0, len(names), _AT_ONCE)]
        self._readers = [_reader(kind, part) for part in parts]

    def made(self, instance):
        """Make a copy without the fields that refer to others."""
        values = [convert(getattr(instance, name)) for name, convert in self._early_of]
        with raw_memory():
            return self._make(*values)

    def fill(self, instance, made, copy):
        """Set the other fields of a copy; give what keeps the containers that it has, if it has some."""
        for name, convert in self._late_of:
            value = getattr(instance, name)
            if value is None:
                # So it is from the beginning.
                continue
            if not value and isinstance(value, (*_BUILTIN, *KINDS)):
                most = getattr(value, "maxlen", None)
                _emptier(self.kind, name)(made, -1 if most is None else most)
            else:
                put = self._setters.get(name)
                if put is None:
                    put = self._setters[name] = _setter(self.kind, name)
                put(made, convert(copy(value)))
        if not self.containers:
            return ()
        with raw_memory():
            return (_keeper(self.kind, tuple(self.containers))(made),)

    def changed(self, made, *before):
        """Give the fields' values as Python has them, and which containers are the ones that were there."""
        values = [value for read in self._readers for value in read(made)]
        kept = ()
        if self.containers:
            kept = _comparison(self.kind, tuple(self.containers))(made, *before)
        return dict(zip(self.names, values, strict=True)), dict(zip(self.containers, kept, strict=True))

    def give_back(self, instance, values, kept):
        """Give an instance what has changed."""
        for name, value in values.items():
            old = getattr(instance, name)
            if kept.get(name) and _is_same_kind(old, value):
                _update(old, value)
            elif kept.get(name) or not _is_same(old, value):
                object.__setattr__(instance, name, value)


def _is_early(field):
    return not isinstance(field, (types.Optional, types.StructRef, types.List))


def _is_container(field):
    return isinstance(field, (Container, types.List))


def _coercion(field):
    """Give what makes of a value one of the field's type, where an annotation takes several."""
    field = field.type if isinstance(field, types.Optional) else field
    if isinstance(field, types.Float):
        return lambda value: float(value) if type(value) is int else value
    items = getattr(field, "dtype", None)
    if isinstance(field, (types.List, *HELD[:2])) and isinstance(items, types.Float):
        return lambda value: value and type(value)(map(float, value))
    return lambda value: value


@cache
def _maker(kind, names):
    stores = "".join(f"    made.{name} = {name}\n" for name in names)
    source = f"def make({', '.join(names)}):\n    made = new(kind)\n{stores}    return made\n"
    return njit(define(source, "make", {"new": new, "kind": kind}))


@cache
def _setter(kind, name):
    field = kind.field_dict[name]
    taken = isinstance(field, HELD)
    scope = {"take": taker_of(field, True)} if taken else {}
    value = "take(value)" if taken else "value"
    return njit(define(f"def put(made, value):\n    made.{name} = {value}\n", "put", scope))


@cache
def _emptier(kind, name):
    field = kind.field_dict[name]
    if not isinstance(field, Container):
        # It has an empty list from the beginning.
        return lambda made, most: None
    make = maker_of(field)

    def put_deque(made, most):
        items = make()
        set_bound(items, most)
        store(made, items)

    scope = {"make": make}
    store = define(f"def store(made, items):\n    made.{name} = items\n", "store", scope)
    return njit(put_deque if isinstance(field, DequeType) else lambda made, most: store(made, make()))


@cache
def _keeper(kind, names):
    stores = "".join(f"    kept.{name} = made.{name}\n" for name in names)
    source = f"def keep(made):\n    kept = new(kind)\n{stores}    return kept\n"
    return njit(define(source, "keep", {"new": new, "kind": kind}))


@cache
def _comparison(kind, names):
    listed = "".join(f"made.{name} is kept.{name}, " for name in names)
    return njit(define(f"def compare(made, kept):\n    return ({listed})\n", "compare", {}))


@cache
def _reader(kind, names):
    listed = "".join(f"made.{name}, " for name in names)
    return njit(define(f"def read(made):\n    return ({listed})\n", "read", {}))


def _is_same_kind(old, new):
    return isinstance(old, (*_BUILTIN, *KINDS)) and isinstance(new, type(old))


def _update(old, new):
    """Give a container what another one holds, if that is something else."""
    if isinstance(old, list):
        if len(old) != len(new) or not all(map(_is_or_gets_same, old, new)):
            old[:] = new
    elif isinstance(old, dict):
        pairs = zip(old, new, strict=False)
        is_same = len(old) == len(new) and all(_is_same(one, other) for one, other in pairs)
        if not (is_same and all(_is_or_gets_same(old[key], new[key]) for key in old)):
            old.clear()
            # The method of a Counter adds, and an OrderedDict has an order of its own.
            (dict if isinstance(old, collections.Counter) else type(old)).update(old, new)
    elif isinstance(old, set):
        if old != new:
            old.clear()
            old.update(new)
    elif len(old) != len(new) or not all(map(_is_or_gets_same, old, new)):
        old.clear()
        old.extend(new)


def _is_or_gets_same(old, new):
    """Whether a value is another one, or a container that becomes as it."""
    if isinstance(old, _BUILTIN) and type(old) is type(new):
        _update(old, new)
        return True
    return _is_same(old, new)


def _is_same(old, new):
    """Whether a value is as good as another one."""
    if old is new:
        return True
    if isinstance(old, float) or isinstance(new, float):
        return (
            isinstance(old, (int, float))
            and isinstance(new, (int, float))
            and (old == new or (old != old and new != new))
            and math.copysign(1, old) == math.copysign(1, new)
        )
    if isinstance(old, tuple):
        return type(old) is type(new) and len(old) == len(new) and all(map(_is_same, old, new))
    interface = getattr(old, "__array_interface__", None)
    if interface is not None:
        return interface == getattr(new, "__array_interface__", None)
    if is_structure(type(old)):
        return False
    return type(old) is type(new) and bool(old == new)
