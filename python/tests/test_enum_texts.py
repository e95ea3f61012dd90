"""Enumerations of texts: members are texts with a class."""

import enum

import pytest

from pyopt import errors, njit, typed


class Text(str, enum.Enum):  # noqa: UP042
    A = "a"
    LONG = "longer ♥"
    EMPTY = ""
    SAME = "a"

    @property
    def doubled(self):
        return self + self

    def shouted(self, mark="!"):
        return self.upper() + mark


BASES = [Text]
if hasattr(enum, "StrEnum"):

    class Made(enum.StrEnum):
        A = enum.auto()
        LONG = "longer ♥"

    BASES.append(Made)

MEMBERS = [one for base in BASES for one in base]


def shown(found):
    return found, type(found), repr(found)


@pytest.mark.parametrize("member", MEMBERS, ids=repr)
def test_members_cross_the_border(member):
    assert njit(lambda x: x)(member) is member
    assert njit(lambda: member)() is member
    found = njit(lambda x: ([x], (x, 1), {x: 2}, {x}))(member)
    assert repr(found) == repr(([member], (member, 1), {member: 2}, {member}))
    assert njit(lambda x: x[0])([member]) is member
    assert njit(lambda x: (x.name, x.value, x.__class__))(member) == (member.name, member.value, type(member))
    assert type(njit(lambda x: x.value)(member)) is str


USES = [
    lambda x: (x.upper(), x.startswith("a"), x.replace("a", "b"), x.split("o"), x.find("g"), len(x)),
    lambda x: (x + "!", "<" + x, x * 2, x + x, "a" in x, x in "abc", x == "a", "a" == x, x != "b", x == 1),
    lambda x: (x < "b", x >= Text.A, x <= x, max(x, "c"), bool(x), not x, 1 if x else 2),
    lambda x: (str(x), repr(x), f"{x}", f"{x:>12}", f"{x!r}", "%s" % x, "{}".format(x)),  # noqa: UP031, UP032
    lambda x: (x is Text.A, x is x, x in ("a", "b"), x in [Text.A], x in {"a"}, x in {"a": 1}),
    lambda x: ([one for one in x], list(x), x[0:1], x[::-1], sorted(x), ",".join(x)),
    lambda x: ({"a": 1, "b": 2}.get(x, 0), {"a": 1, x: 3}, hash(x) == hash("a"), {x: 1}.get(x, 5)),
    lambda x: (isinstance(x, str), isinstance(x, Text), isinstance(x, int), type(x) is Text),
    lambda x: ("xay".split(x) if x else [], "a-b".startswith(x), "b".join(["1", "2"]), x.join(["1", "2"])),
]


@pytest.mark.parametrize("member", MEMBERS, ids=repr)
@pytest.mark.parametrize("use", USES)
def test_members_are_texts(use, member):
    # What is made of members by CPython may be a member where it is equal, as of "".split("a").
    assert njit(use)(member) == use(member)


def test_items_beyond_the_end():
    for member in Text:
        for at in (0, -1, 3):
            try:
                expected = member[at]
            except IndexError as error:
                with pytest.raises(IndexError, match=str(error)):
                    njit(lambda x, at: x[at])(member, at)
            else:
                assert njit(lambda x, at: x[at])(member, at) == expected


def test_methods_and_classes():
    def use(x):
        return x.doubled, x.shouted(), x.shouted(mark="?"), [one.value for one in Text], len(Text)

    for member in Text:
        assert njit(use)(member) == use(member)
    assert njit(lambda x: Text(x))("longer ♥") is Text.LONG
    assert njit(lambda x: Text(x))(Text.A) is Text.A
    assert njit(lambda x: Text[x])("SAME") is Text.A
    with pytest.raises(ValueError, match="'b' is not a valid Text"):
        njit(lambda x: Text(x))("b")


def test_paths_join_and_loops():
    def joined(flag):
        return Text.A if flag else "other"

    def member(flag):
        return Text.A if flag else Text.LONG

    def maybe(flag):
        return Text.A if flag else None

    def counted(items):
        counts = {}
        for item in items:
            counts[item] = counts.get(item, 0) + 1
        longest = Text.EMPTY
        for item in items:
            if len(item) > len(longest):
                longest = item
        return counts, longest

    for flag in (True, False):
        assert njit(joined)(flag) == joined(flag)
        assert njit(member)(flag) is member(flag)
        assert njit(maybe)(flag) is maybe(flag)
    for items in ([Text.A, Text.LONG, Text.A], [Text.LONG]):
        assert repr(njit(counted)(items)) == repr(counted(items))


def test_match():
    def use(x):
        match x:
            case Text.LONG:
                return 1
            case "a":
                return 2
        return 3

    for x in (*Text, "a", "b"):
        assert njit(use)(x) == use(x)


class Odd(str, enum.Enum):  # noqa: UP042
    def __new__(cls, text, number):
        made = str.__new__(cls, text)
        made._value_ = number
        return made

    A = ("a", 1)


def test_what_is_refused():
    with pytest.raises(errors.TypingError, match="have values that they don't equal"):
        njit(lambda x: x)(Odd.A)
    with pytest.raises(errors.TypingError, match="its text can be kept|Text"):
        njit(lambda x: typed.List([x]))(Text.A)


def test_code_that_is_kept_on_disk(tmp_path, monkeypatch):
    monkeypatch.setenv("PYOPT_CACHE_DIR", str(tmp_path))

    def use(x):
        return x, x + "!", x.name, Text.LONG

    for _ in range(2):
        assert repr(njit(cache=True)(use)(Text.A)) == repr(use(Text.A))


def methods_of_members():
    return Text.A.upper(), Text.LONG.split(" "), Text.A.doubled, Text.EMPTY.isascii(), Text.A.value.upper()


class Size(enum.IntEnum):
    LARGE = 10


def methods_of_numbers():
    return Size.LARGE.bit_length(), Size.LARGE.name.lower()


def test_methods_of_members_that_are_written_by_name():
    assert njit(methods_of_members)() == methods_of_members()
    assert njit(methods_of_numbers)() == methods_of_numbers()
