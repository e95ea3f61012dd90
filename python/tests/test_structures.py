"""References to structures: ``numba.experimental.structref``."""

import gc
import sys

import numpy as np
import pytest
from pyopt._core import memory_stats

from pyopt import errors, njit, prange, types
from pyopt.experimental import structref
from pyopt.extending import intrinsic, overload_attribute, overload_method


@structref.register
class PersonType(types.StructRef):
    """A name and a vector, of whatever types."""

    def preprocess_fields(self, fields):
        return tuple((name, types.unliteral(one)) for name, one in fields)


class Person(structref.StructRefProxy):
    def __new__(cls, name, vector):
        return structref.StructRefProxy.__new__(cls, name, vector)

    @property
    def name(self):
        return name_of(self)

    @property
    def vector(self):
        return vector_of(self)


structref.define_proxy(Person, PersonType, ["name", "vector"])


@njit
def name_of(person):
    return person.name


@njit
def vector_of(person):
    return person.vector


@njit
def set_vector(person, vector):
    person.vector = vector


@njit
def set_name(person, name):
    person.name = name


@overload_method(PersonType, "distance")
def _(self, other):
    if not isinstance(other, PersonType):
        raise errors.TypingError(f"other must be a person, not {other}")
    return lambda self, other: np.sqrt(((self.vector - other.vector) ** 2).sum())


@overload_attribute(PersonType, "both")
def _(self):
    return lambda self: (self.name, self.vector)


@structref.register
class PairType(types.StructRef):
    """Two values."""


class Pair(structref.StructRefProxy):
    @property
    def first(self):
        return njit(lambda pair: pair.first)(self)

    @property
    def second(self):
        return njit(lambda pair: pair.second)(self)


structref.define_proxy(Pair, PairType, ["first", "second"])


def test_made_in_python_and_in_compiled_code():
    alice = Person("Alice", vector=np.array([1.0, 2.0, 2.0]))

    @njit
    def make():
        bob = Person("unnamed", vector=np.zeros(3))
        bob.name = "Bob"
        bob.vector = np.ones(3) - 1
        return bob

    bob = make()
    assert type(bob) is Person and (alice.name, bob.name) == ("Alice", "Bob")
    np.testing.assert_array_equal(alice.vector, [1.0, 2.0, 2.0])
    assert njit(lambda a, b: a.distance(b))(alice, bob) == 3.0
    name, vector = njit(lambda a: a.both)(alice)
    assert name == "Alice" and vector.tolist() == [1.0, 2.0, 2.0]


def test_all_references_see_changes():
    pair = Pair(1, 2.5)

    @njit
    def change(pair):
        other = pair
        other.first += 10
        pair.second = other.second * 2
        return other

    same = change(pair)
    assert (pair.first, pair.second, same.first) == (11, 5.0, 11)
    change(same)
    assert (pair.first, pair.second) == (21, 10.0)


def test_fields_are_of_any_type_that_is_kept():
    values = [
        *(True, 2, 2.5, 3.5j, np.float32(1.5), np.uint8(255), np.datetime64("2020-02-03", "D")),
        *((1, 2.5), (4,), ((1, (2.0, True)), "text"), "tëxt", "", None, np.zeros((2, 0))),
    ]
    make = njit(lambda a, b: Pair(a, b))
    for first in values:
        for second in values[::3]:
            pair = make(first, second)
            for found, given in ((pair.first, first), (pair.second, second)):
                np.testing.assert_equal(found, given)
    assert structref.StructRefProxy.__new__(Pair, 1, 2).first == 1


def test_arrays_are_shared_and_outlive_their_names():
    vector = np.arange(4.0)
    person = Person("x", vector)
    vector[1] = 50.0
    assert person.vector[1] == 50.0
    before = sys.getrefcount(vector)
    set_vector(person, vector)
    set_vector(person, vector)
    assert sys.getrefcount(vector) == before
    address = vector.ctypes.data
    del vector
    gc.collect()
    kept = person.vector
    assert kept.ctypes.data == address and kept.tolist() == [0.0, 50.0, 2.0, 3.0]
    del person
    gc.collect()
    assert kept.tolist() == [0.0, 50.0, 2.0, 3.0]


def test_objects_of_arrays_are_given_up():
    class Noted(np.ndarray):
        pass

    import weakref

    vector = np.arange(4.0).view(Noted)
    gone = weakref.ref(vector)
    person = Person("x", vector)
    del vector
    gc.collect()
    assert gone() is not None
    set_vector(person, np.ones(1))
    gc.collect()
    assert gone() is None and person.vector.tolist() == [1.0]


def test_memory_is_given_back():
    @njit
    def many(n):
        total = 0.0
        last = Person("first", np.ones(3))
        for i in range(n):
            one = Person("next", np.full(3, 1.0 * i))
            if i % 2:
                last = one
            last.vector = last.vector + one.vector
            total += last.vector[0]
        return total

    many(10)
    gc.collect()
    before = memory_stats()
    many(100)
    for _ in range(10):
        person = Person("x", np.ones(5))
        set_vector(person, np.zeros(2))
        set_name(person, "y")
        person.vector
    del person
    assert_all_given_back(before)


def assert_all_given_back(before):
    gc.collect()
    (allocations, frees, live), (old_allocations, old_frees, old_live) = memory_stats(), before
    assert allocations > old_allocations
    assert (allocations - old_allocations, live) == (frees - old_frees, old_live)


def test_texts_outlive_their_objects():
    person = Person("".join(["na", "me"]), np.ones(1))
    for at in range(100):
        set_name(person, f"näme {at}")
        gc.collect()
        assert person.name == f"näme {at}"
    set_name(person, "\N{SNOWMAN}\N{GRINNING FACE}")
    assert person.name == "\N{SNOWMAN}\N{GRINNING FACE}"


def test_structures_in_structures():
    @njit
    def nest(pair):
        outer = Pair(pair, Pair(1, 2.0))
        outer.first.first += 1
        outer.second.second = 7.5
        return outer

    pair = Pair(5, 6)
    outer = nest(pair)
    assert pair.first == 6
    inner = outer.first
    assert type(inner) is Pair and inner.first == 6

    @njit
    def swap(outer, pair):
        outer.first = pair

    swap(outer, Pair(8, 9))
    assert outer.first.second == 9 and inner.first == 6 and outer.second.second == 7.5


def test_new_structures_have_zeros():
    inner = PairType([("first", types.int64), ("second", types.float64[::1])])
    kind = PairType([("first", inner), ("second", types.Optional(types.unicode_type))])

    @njit
    def make():
        made = structref.new(kind)
        return made.first.first, made.first.second.size, made.second is None, made

    first, size, is_none, made = make()
    assert (first, size, is_none) == (0, 0, True)
    assert made.first.second.shape == (0,) and made.second is None
    empty = PairType([("first", types.unicode_type), ("second", types.int8)])
    made = njit(lambda: structref.new(empty))()
    assert (made.first, made.second) == ("", 0)
    assert njit(lambda one: (one.first == "", one.first == "a"))(made) == (True, False)
    nested = PairType(
        [("first", types.Tuple((types.int8, types.Tuple((types.unicode_type,))))), ("second", types.none)]
    )
    assert njit(lambda: structref.new(nested))().first == (0, ("",))


def test_values_are_converted_to_the_type_of_the_field():
    pair = Pair(1.5, np.int16(2))
    njit(lambda pair: setattr_both(pair))(pair)
    assert pair.first == 7.0 and pair.second == 3
    with pytest.raises(errors.TypingError, match="first"):
        set_first(pair, "text")


@njit
def setattr_both(pair):
    pair.first = 7
    pair.second = 3


@njit
def set_first(pair, value):
    pair.first = value


def test_identity():
    @njit
    def of(a, b):
        c = a
        return a is b, a is c, a is not b, a is a.first

    a, b = Pair(Pair(1, 2), 1), Pair(Pair(1, 2), 1)
    assert of(a, b) == (False, True, True, False)
    assert of(a, a) == (True, True, False, False)


def test_in_loops_branches_tuples_and_lists():
    @njit
    def of(n):
        pairs = [Pair(i, 0.5) for i in range(n)]
        chosen = pairs[0]
        for pair in pairs:
            pair.second *= 2
            if pair.first == 3:
                chosen = pair
        return chosen, (chosen, pairs[1].second)

    chosen, (same, second) = of(5)
    assert chosen.first == same.first == 3 and chosen.second == second == 1.0


def test_lists_of_proxies():
    pairs = [Pair(1, 2.0), Pair(3, 4.0)]

    @njit
    def of(pairs):
        for pair in pairs:
            pair.first += 1
        return pairs[0].first + pairs[1].first

    assert of(pairs) == 6 and pairs[1].first == 4


def test_functions_that_raise_give_memory_back():
    @njit
    def of(person, fails):
        other = Person("x", person.vector + 1)
        if fails:
            raise ValueError(3)
        return other

    person = Person("x", np.ones(2))
    of(person, False)
    gc.collect()
    before = memory_stats()
    for _ in range(5):
        with pytest.raises(ValueError, match="3"):
            of(person, True)
    assert_all_given_back(before)
    assert person.vector.tolist() == [1.0, 1.0]


def test_read_in_parallel():
    @njit(parallel=True)
    def of(pair, n):
        total = 0.0
        for i in prange(n):
            total += pair.second * i
        return total

    assert of(Pair(1, 0.5), 1000) == 0.5 * 999 * 500


def test_a_proxy_alone():
    @structref.register
    class PlainType(types.StructRef):
        pass

    plain = PlainType(fields=[("values", types.int64[:]), ("counter", types.int64)])
    structref.define_boxing(PlainType, structref.StructRefProxy)

    @njit
    def make(values):
        made = structref.new(plain)
        made.values = values
        made.counter = 3
        return made

    made = make(np.arange(6)[::2])
    assert type(made) is structref.StructRefProxy and made._numba_type_ == plain
    assert not hasattr(made, "values")
    assert njit(lambda one: one.values * one.counter)(made).tolist() == [0, 6, 12]
    assert types.typeof(made) == plain


def test_types_are_checked():
    assert types.StructRef([("a", types.int64)]).field_dict == {"a": types.int64}
    with pytest.raises(ValueError, match="expecting a str for field name"):
        types.StructRef([(1, types.int64)])
    with pytest.raises(ValueError, match="expecting a Numba Type for field type"):
        types.StructRef([("a", 123)])
    with pytest.raises(ValueError, match="cannot register"):
        structref.register(types.StructRef)
    with pytest.raises(ValueError, match="cannot register"):
        structref.define_boxing(types.StructRef, Pair)


@pytest.mark.parametrize(
    ("use", "why"),
    [
        (lambda: Pair([1, 2], 1), "'first'.*a list"),
        (lambda: Pair(1, (Pair(1, 2), 3)), "'second'.*tuple of references"),
        (lambda: Pair(1, range(3)), "'second'.*compiled code doesn't"),
        (lambda: Pair(1, 2).third, "third"),
        (lambda: Pair(1), "Pair"),
        (lambda: structref.new(3), "StructRef"),
        (lambda: len(Pair(1, 2)), "Pair"),
        (lambda: Pair(1, 2)[0], "Pair"),
    ],
)
def test_refusals(use, why):
    with pytest.raises((errors.TypingError, errors.UnsupportedError), match=why):
        njit(use)()


def test_a_structure_of_its_own_type():
    """A field may refer to another structure of the type, or to none."""

    @structref.register
    class LinkType(types.StructRef):
        def preprocess_fields(self, fields):
            self.name = "Link"
            return [("value", types.int64), ("next", types.Optional(self))]

    link_type = LinkType([])

    @njit
    def total(n):
        first = structref.new(link_type)
        for i in range(n):
            link = structref.new(link_type)
            link.value = i
            link.next = first
            first = link
        found = 0
        at = first
        while at.next is not None:
            found += at.value
            at = at.next
        return found

    assert total(1000) == 499500


def test_threads_keep_arrays():
    @njit(parallel=True)
    def of(array, n):
        found = np.zeros(n)
        for i in prange(n):
            one = Pair(array, i)
            found[i] = one.second + one.first[0]
        return found.sum()

    array = np.ones(3)
    before = sys.getrefcount(array)
    assert of(array, 1000) == 499500 + 1000
    assert sys.getrefcount(array) == before


def test_code_that_is_kept_on_disk(tmp_path, monkeypatch):
    monkeypatch.setenv("PYOPT_CACHE_DIR", str(tmp_path))

    def make(values, counter):
        return Pair(values, counter)

    def use(pair, factor):
        return pair.first * factor + pair.second

    for _ in range(2):
        made = njit(cache=True)(make)(np.arange(3.0), 17)
        assert njit(cache=True)(use)(made, 3).tolist() == [17.0, 20.0, 23.0]


def test_other_attributes_are_not_set():
    @njit
    def of(pair):
        pair.third = 1

    with pytest.raises((errors.TypingError, errors.UnsupportedError), match="third|attribute"):
        of(Pair(1, 2))


def test_code_generators_open_structures():
    """As libraries do that derive from structures: fields by name, of any type."""

    @intrinsic
    def first(typingctx, reference):
        def generate(context, builder, signature, args):
            fields = structref._Utils(context, builder, reference).get_data_struct(args[0])
            return fields.first

        return dict(reference._fields)["first"](reference), generate

    @intrinsic
    def replace(typingctx, reference, value):
        def generate(context, builder, signature, args):
            utils = structref._Utils(context, builder, reference)
            again = utils.new_struct_ref(utils.get_struct_ref(args[0]).meminfo)
            utils.get_data_struct(again._getvalue()).first = args[1]
            return context.get_dummy_value()

        return types.none(reference, dict(reference._fields)["first"]), generate

    class OpenedType(types.StructRef):
        """The type of the class below."""

    class Opened(structref.StructRefProxy):
        """Has its fields from the constructor."""

    structref.define_proxy(Opened, structref.register(OpenedType), ["first", "second"])

    @njit
    def run(x):
        made = Opened(x, 2.5)
        replace(made, x + x)
        return first(made), made.first, made.second

    assert run(4) == (8, 8, 2.5)
    assert run("ab") == ("abab", "abab", 2.5)
    assert [one.tolist() for one in run(np.arange(2.0))[:2]] == [[0.0, 2.0]] * 2
