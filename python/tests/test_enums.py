"""Enumerations: members as globals, arguments, results, keys and items, and the classes themselves."""

import enum
import pickle

import numpy as np
import pytest

from pyopt import errors, njit, types, vectorize


class Color(enum.Enum):
    RED = 1
    GREEN = 2
    BLUE = 4
    ROT = 1


class Name(enum.Enum):
    FIRST = "first"
    SECOND = "zwei ♥"


class Mixed(enum.Enum):
    NUMBER = 1
    TEXT = "one"


class Code(enum.IntEnum):
    OK = 200
    MISSING = 404
    NEGATIVE = -3


class Flags(enum.IntFlag):
    A = 1
    B = 2


ALL = [*Color, *Name, *Mixed, *Code]


@njit
def same(x):
    return x


@njit
def value_of(x):
    return x.value


@njit
def name_of(x):
    return x.name


@njit
def compared(a, b):
    return a == b, a != b


@njit
def identical(a, b):
    return a is b, a is not b


@pytest.mark.parametrize("member", ALL, ids=str)
def test_members_cross_the_border(member):
    assert same(member) is member
    assert name_of(member) == member.name
    assert njit(lambda: member)() is member
    assert njit(lambda: (member, [member]))() == (member, [member])
    assert njit(lambda x: 1 if x else 2)(member) == (1 if member else 2)
    if not isinstance(member, Mixed):
        assert value_of(member) == member.value


def test_values_of_several_types_are_refused():
    with pytest.raises(errors.TypingError, match="unknown attribute .value. of type .*Mixed"):
        value_of(Mixed.TEXT)


@pytest.mark.parametrize("a", [*ALL, 1, 200, None], ids=str)
@pytest.mark.parametrize("b", [Color.RED, Color.BLUE, Name.FIRST, Mixed.NUMBER, Code.OK], ids=str)
def test_comparisons(a, b):
    assert compared(a, b) == (a == b, a != b)
    assert compared(b, a) == (b == a, b != a)
    assert identical(a, b) == (a is b, a is not b)


def test_members_of_no_ints_have_no_order_and_are_no_numbers():
    for use in (
        lambda x: x < Color.RED,
        lambda x: x + 1,
        lambda x: -x,
        lambda x: int(x),
        lambda x: np.sqrt(x),
        lambda x: np.arange(3)[x],
        lambda x: x.position,
    ):
        with pytest.raises((errors.TypingError, errors.UnsupportedError)):
            njit(use)(Color.GREEN)


ARITHMETIC = [
    lambda x: (x + 1, 1 - x, x * 2.5, x / 3, x // 7, x % 7, divmod(x, 7), x**2, -x, +x, ~x, abs(x)),
    lambda x: (x & 7, x | 8, x ^ 5, x > Code.OK, x >= 200, x < 404.5, x <= x, 200 == x, x != Code.MISSING),
    lambda x: (int(x), float(x), bool(x), min(x, 3), max(x, 3), complex(x), round(x), hash(x)),
    lambda x: (x.real, x.imag, x.conjugate(), x in (200, 3), x in [Code.OK], str(x + 0)),
    lambda x: list(range(x - 2, x)),
    lambda x: x == Color.RED,
]


@pytest.mark.parametrize("use", ARITHMETIC)
@pytest.mark.parametrize("member", Code)
def test_members_of_ints_are_ints(use, member):
    try:
        compiled = njit(use)(member)
    except (errors.TypingError, errors.UnsupportedError) as error:
        # Texts that are made at run time may not be there.
        assert "str" in str(error)
        return
    assert compiled == use(member)


def test_members_of_ints_index_and_change_in_place():
    @njit
    def of(array, items, x):
        array[x] = Code.OK
        array[-3:x] += x
        items[x] = x
        x += 1
        x -= Code.NEGATIVE
        return array[Code.NEGATIVE], items[x - 1], x

    for x in (Code.NEGATIVE,):
        arrays = np.arange(5), np.arange(5)
        assert of(arrays[0], [1, 2, 3, 4], x) == of.py_func(arrays[1], [1, 2, 3, 4], x)
        assert arrays[0].tolist() == arrays[1].tolist()


def test_paths_join():
    @njit
    def member(x):
        if x is Color.RED:
            return Color.GREEN
        return Color.RED

    @njit
    def number(x):
        return Code.OK if x else 3

    @njit
    def maybe(x, has):
        found = None
        if has:
            found = x
        return found

    assert member(Color.RED) is Color.GREEN and member(Color.BLUE) is Color.RED
    assert number(True) == 200 and number(False) == 3
    for one in (Color.RED, Code.OK):
        assert maybe(one, True) is one and maybe(one, False) is None


def test_keys_and_items():
    @njit
    def count(items):
        found = {}
        for item in items:
            if item not in found:
                found[item] = 0
            found[item] += 1
        return found

    for items in ([Color.RED, Color.BLUE, Color.RED], [Code.OK, Code.NEGATIVE, Code.OK], [Name.SECOND]):
        found = count(items)
        assert found == count.py_func(items) and [type(key) for key in found] == [type(items[0])] * len(found)

    @njit
    def in_tuples(x):
        pairs = {(x, 1): 2.5}
        pairs[Color.RED, 1] = 3.5
        return len(pairs), (x, 1) in pairs, pairs[x, 1], len({x, Color.RED, Color.GREEN})

    for x in Color:
        assert in_tuples(x) == in_tuples.py_func(x)

    @njit
    def missing(x):
        return {Color.RED: 1}[x]

    with pytest.raises(KeyError) as caught:
        missing(Color.BLUE)
    assert caught.value.args == (Color.BLUE,)


def test_classes():
    @njit
    def over():
        total = 0
        for at, color in enumerate(Color):
            total += at * color.value
        return total, len(Color), [color.name for color in Color], [code + 1 for code in Code]

    assert over() == over.py_func()

    @njit
    def made(value):
        return Color(value)

    @njit
    def of_class(kind, member):
        return kind, kind.OK, member in kind

    @njit
    def named():
        return Color["ROT"], Code["OK"], Color.ROT.name

    assert made(4) is Color.BLUE and made(Color.RED) is Color.RED
    with pytest.raises(ValueError, match="5 is not a valid Color"):
        made(5)
    assert njit(lambda value: Code(value))(-3) is Code.NEGATIVE
    assert of_class(Code, Code.OK) == (Code, Code.OK, True)
    assert named() == named.py_func()
    with pytest.raises(KeyError, match="PINK"):
        njit(lambda: Color["PINK"])()
    with pytest.raises(errors.TypingError):
        njit(lambda kind: kind.PINK)(Color)


def test_match_and_calls():
    @njit
    def number(color):
        match color:
            case Color.RED:
                return 1
            case Color.GREEN:
                return 2
        return 3

    @njit
    def through(color):
        return number(color) * 10

    for color in Color:
        assert through(color) == through.py_func(color)


def test_types():
    assert types.typeof(Color.RED) == types.EnumMember(Color, types.int64) == types.EnumMember(Color)
    assert isinstance(types.typeof(Code.OK), types.IntEnumMember)
    assert isinstance(types.typeof(Code), types.IntEnumClass)
    assert str(types.typeof(Color.RED)) == "Enum<int64>(Color)"
    assert str(types.typeof(Code.OK)) == "IntEnum<int64>(Code)"
    assert njit(types.int64(types.typeof(Code.OK)))(lambda x: x)(Code.OK) == 200
    other = enum.Enum("Color", ["RED"])
    assert types.typeof(other.RED) != types.typeof(Color.RED)
    assert same(other.RED) is other.RED and compared(other.RED, Color.RED) == (False, True)


class Equal(enum.Enum):
    A = 1

    def __eq__(self, other):
        return False

    __hash__ = enum.Enum.__hash__


class Part(float, enum.Enum):
    HALF = 0.5


class Large(enum.IntEnum):
    A = 1 << 63


@pytest.mark.parametrize(
    ("member", "why"),
    [
        (Part.HALF, "is one of float"),
        (Equal.A, "defines __eq__"),
        (Large.A, "beyond 64 bits"),
    ],
)
def test_enumerations_that_are_more_are_refused(member, why):
    with pytest.raises(errors.TypingError, match=why):
        same(member)
    with pytest.raises(errors.TypingError, match=why):
        njit(lambda: member)()


def test_code_that_is_kept_on_disk(tmp_path, monkeypatch):
    monkeypatch.setenv("PYOPT_CACHE_DIR", str(tmp_path))

    def use(x):
        return x, x == Color.GREEN, x.value, Color.BLUE

    for _ in range(2):
        compiled = njit(cache=True)(use)
        assert compiled(Color.GREEN) == use(Color.GREEN)
    assert pickle.loads(pickle.dumps(compiled(Color.RED))) == use(Color.RED)


class Size(enum.IntEnum):
    ROWS = 2
    COLUMNS = 3
    REST = -1


@njit
def shaped(values):
    made = np.zeros((Size.ROWS, Size.COLUMNS)), np.ones(Size.ROWS), np.full((Size.ROWS, 2), 7)
    return made, values.reshape((Size.ROWS, Size.COLUMNS)), values.reshape(Size.ROWS, Size.REST)


def test_members_are_shapes():
    values = np.arange(6)
    for found, expected in zip(shaped(values), shaped.py_func(values), strict=True):
        np.testing.assert_equal(found, expected)
    with pytest.raises(ValueError, match="negative dimensions"):
        njit(lambda: np.zeros(Size.REST))()
    with pytest.raises(ValueError, match=r"cannot reshape array of size 6 into shape \(2,2\)"):
        njit(lambda a: a.reshape(Size.ROWS, Size.ROWS))(values)


@vectorize
def sized(x):
    return Size.ROWS if x == Size.COLUMNS else Size.COLUMNS


def test_members_in_universal_functions_are_ints():
    values = np.arange(5)
    expected = np.where(values == 3, 2, 3)
    for function in (sized, njit(lambda a: sized(a))):
        found = function(values)
        assert found.dtype == np.int64
        np.testing.assert_array_equal(found, expected)


def test_members_of_ints_are_instances_of_int():
    def kinds(member):
        return isinstance(member, int), isinstance(member, float), isinstance(member, (float, int))

    for member in (Code.OK, Color.RED):
        assert njit(kinds)(member) == kinds(member)


class Signal(enum.Enum):
    LOW = 1
    HIGH = 2

    @property
    def doubled(self):
        return self.value * 2

    def plus(self, k=1):
        return self.value + k

    @classmethod
    def default(cls):
        return cls.LOW

    @staticmethod
    def half(x):
        return x / 2


class Level(enum.IntEnum):
    LOW = 1
    HIGH = 5

    @property
    def doubled(self):
        return self.value * 2 + 1

    def plus(self, k=1):
        return self + 10 * k


class Mode(enum.IntFlag):
    READ = 1
    WRITE = 2


def test_methods_of_members():
    def use(signal, level):
        own = signal.doubled, signal.plus(), signal.plus(k=3), signal.default(), signal.half(3)
        known = Signal.HIGH.plus(4), Signal.default(), Signal.half(5), Level.LOW.plus(), Level.HIGH.doubled
        return own, known, level.plus(2), level.doubled, hash(signal)

    for arguments in ((Signal.LOW, Level.HIGH), (Signal.HIGH, Level.LOW)):
        assert njit(use)(*arguments) == use(*arguments)


def test_flags_that_are_arguments():
    def use(mode):
        return mode & Mode.WRITE, mode | 4, mode == Mode.READ | Mode.WRITE

    for mode in (Mode.READ, Mode.READ | Mode.WRITE, Mode(0)):
        assert njit(use)(mode) == use(mode)


def test_what_is_no_value_of_a_member_is_named():
    for value in (7, -1):
        with pytest.raises(ValueError, match=f"{value} is not a valid Signal"):
            njit(lambda value: Signal(value))(value)


@pytest.mark.parametrize("kind", [np.uint8, np.int32, np.int64, np.float32, np.float64, np.bool_])
def test_members_of_ints_beside_arrays_are_ints_of_64_bits(kind):
    def use(array):
        return array + Code.OK, Code.MISSING * array, array - Code.NEGATIVE

    array = np.arange(3).astype(kind)
    for found, expected in zip(njit(use)(array), use(array), strict=True):
        np.testing.assert_array_equal(found, expected)
        assert found.dtype == expected.dtype


@njit("float64(float64, int64)")
def declared(a, b):
    return a / b


def test_members_of_ints_are_arguments_of_declared_functions():
    assert declared(Code.OK, Size.ROWS) == 100.0
    assert njit(lambda: declared(Code.OK, Size.ROWS))() == 100.0
    with pytest.raises(TypeError, match="No matching definition"):
        declared(Color.RED, 1)
