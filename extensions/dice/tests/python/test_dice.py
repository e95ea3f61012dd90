"""Values of a dialect's type in compiled functions."""

import ctypes

import pytest
from dice import Cup
from pyopt import errors, njit, prange

C = ctypes.CDLL(None)
C.erand48.restype = ctypes.c_double


def rolls(seed, count):
    """What C's library gives."""
    state = Cup(seed)._state
    return [C.erand48(state) for _ in range(count)]


def test_methods():
    @njit
    def roll(cup):
        return cup.roll()

    cup = Cup(42)
    assert [roll(cup) for _ in range(5)] == rolls(42, 5)
    assert "= dice.roll" in roll.inspect_ir("parfor-fuse")
    lowered = roll.inspect_ir("dice-lower")
    assert "= dice.roll" not in lowered and "@erand48" in lowered


def test_loops_calls_and_choices():
    @njit
    def next_of(cup):
        return cup.roll()

    @njit
    def total(one, other, count):
        cup, result = one, 0.0
        for at in range(count):
            result += next_of(cup) - cup.roll()
            cup = other if at % 3 == 0 else one
        return result

    expected, streams = 0.0, [iter(rolls(seed, 100)) for seed in (1, 2)]
    which = 0
    for at in range(40):
        expected += next(streams[which]) - next(streams[which])
        which = int(at % 3 == 0)
    assert total(Cup(1), Cup(2), 40) == expected


def test_each_roll_is_another():
    @njit
    def two(cup):
        return cup.roll(), cup.roll()

    assert list(two(Cup(7))) == rolls(7, 2)


def test_operators_and_attributes():
    @njit
    def throws(cup):
        return [cup * 6 for _ in range(20)], cup.address, hash(cup) == hash(cup.address)

    cup = Cup(3)
    found, address, same = throws(cup)
    assert found == [1 + int(roll * 6) for roll in rolls(3, 20)]
    assert address == cup.address and same


def test_objects_come_back():
    @njit
    def pick(one, other, first):
        return one if first else other

    @njit
    def at(address):
        return Cup(address)

    one, other = Cup(1), Cup(2)
    assert pick(one, other, True) is one and pick(one, other, False) is other
    assert at(other.address) is other


def test_containers():
    @njit
    def work(cups):
        seen = {}
        result = 0.0
        for cup in cups:
            seen[cup.address] = seen.get(cup.address, 0) + 1
            result += cup.roll()
        return result, len(seen), cups[0] == cups[1], cups[0] == cups[2]

    one, other = Cup(5), Cup(6)
    found = work((one, other, one))
    first, second = rolls(5, 2), rolls(6, 1)
    assert found == (first[0] + second[0] + first[1], 2, False, True)


def test_threads():
    @njit(parallel=True)
    def each(cups, out):
        for at in prange(len(out)):
            out[at] = cups[0].roll() if at == 0 else 0.0

    import numpy as np

    out = np.zeros(4)
    each((Cup(9),), out)
    assert out.tolist() == [*rolls(9, 1), 0.0, 0.0, 0.0]


def test_kept_on_disk(tmp_path, monkeypatch):
    def twice(cup):
        return cup.roll() + cup.roll()

    compiled = njit(cache=True)(twice)
    assert compiled(Cup(8)) == sum(rolls(8, 2))


def test_what_there_is_not():
    @njit
    def shake(cup):
        return cup.shake()

    with pytest.raises(errors.TypingError, match="'shake'.*Cup|Cup.*'shake'"):
        shake(Cup(1))
