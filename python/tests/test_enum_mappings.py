"""``__members__`` of enumerations: the members by their names, aliases included."""

import enum

import pytest

from pyopt import errors, njit


class Color(enum.Enum):
    RED = 1
    GREEN = 2
    ROT = 1


class Code(enum.IntEnum):
    OK = 200
    LOST = 404


class Single(enum.Flag):
    ONE = 1


def walked():
    names = [name for name in Color.__members__]
    pairs = [(name, member.value) for name, member in Color.__members__.items()]
    keys = [key for key in Color.__members__.keys()]  # noqa: SIM118
    values = [member for member in Color.__members__.values()]
    return names, pairs, keys, values, list(Code.__members__), sorted(Color.__members__)


def asked(name):
    members = Color.__members__
    known = (
        name in members,
        name not in members,
        len(members),
        members.get(name),
        members.get(name, Color.GREEN),
    )
    return known, name in members.keys(), len(members.items()), bool(members)  # noqa: SIM118


def counted():
    return (
        len(Single.__members__),
        {name: 0 for name in Single.__members__},
        list(enumerate(Code.__members__)),
    )


@pytest.mark.parametrize("function", [walked, counted])
def test_members_by_name(function):
    assert njit(function)() == function()


@pytest.mark.parametrize("name", ["RED", "ROT", "PINK", ""])
def test_names_that_are_asked_for(name):
    assert njit(asked)(name) == asked(name)

    def item(name):
        return Color.__members__[name]

    if name in Color.__members__:
        assert njit(item)(name) is item(name)
    else:
        with pytest.raises(KeyError, match=name):
            njit(item)(name)


def test_the_class_as_an_argument_and_results():
    def use(kind):
        return [name for name in kind.__members__], kind.__members__["OK"], kind.__members__

    found = njit(use)(Code)
    assert found == use(Code) and found[2] is not None
    assert type(found[2]) is type(Code.__members__)
    assert list(njit(lambda: Color.__members__.items())()) == list(Color.__members__.items())
    assert njit(lambda: str(Color.__members__.keys()))() == str(Color.__members__.keys())


def test_what_mappings_have_not():
    with pytest.raises(errors.TypingError, match="unknown attribute 'popitem'"):
        njit(lambda: Color.__members__.popitem())()
    with pytest.raises(errors.TypingError):
        njit(lambda: Color.__members__.items().items())()
    with pytest.raises(errors.TypingError):
        njit(lambda: Color.__members__[1])()
