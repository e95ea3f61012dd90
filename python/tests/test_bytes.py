"""``bytes`` in compiled code, against CPython."""

import math

import numpy as np
import pytest
from differential.memory import growth
from test_texts import TEXTS, outcome, same

from pyopt import errors, njit

#: Empty, one byte, ASCII of all kinds, bytes that are no ASCII and no UTF-8, spaces that only texts have.
DATA = [
    b"",
    b"a",
    b"abc",
    b"  a b\t c\n",
    b"Hello World",
    b"abcabcab",
    b"\x00\xff\x80",
    b"\x1c a \x85\xa0",
    b"a,b,,c",
    b"-12",
    b"line\r\nnext\rlast\n",
    b"\t1\t22\tx",
    b"x" * 300,
]
ALONE = (
    "upper lower swapcase capitalize title isalnum isalpha isascii isdigit islower isspace istitle isupper "
    "strip lstrip rstrip split rsplit splitlines hex expandtabs"
).split()
GLOBAL = b"global \xff"


@pytest.mark.parametrize("name", ALONE)
def test_methods_without_arguments(name):
    space = {}
    exec(f"def method(data):\n    return data.{name}()", space)
    same(space["method"], *[(data,) for data in DATA])


EXPRESSIONS = [
    "len(x), not x, bool(x), x or b'empty'",
    "[c for c in x], list(x), sum(x), sorted(x)",
    "[(i, c) for i, c in enumerate(x)], list(zip(x, x[1:])), list(reversed(x))",
    "x[1:], x[:-1], x[::-1], x[1:5:2], x[-3:], x[100:], x[5:1:-1]",
    "x + b'!', x * 3, 0 * x, x * -1, x + x",
    "x == b'abc', x != b'abc', x < b'abc', x >= b'b', x == 'abc', b'a' <= x < b'z'",
    "hash(x) == hash(b'abc'), {x: 1}.get(b'abc'), x in {b'abc', b'a'}, len({x, b'abc'})",
    "98 in x, b'bc' in x, b'' in x, x in (b'a', b'abc')",
    "x.find(b'b'), x.find(98), x.rfind(b'a'), x.find(b'a', 1), x.find(b'c', -3, -1)",
    "x.count(b'a'), x.count(b''), x.count(97), x.count(b'a', 1, 5)",
    "x.startswith(b'a'), x.endswith((b'x', b'c')), x.startswith(b'b', 1)",
    "x.split(b','), x.split(b'b', 1), x.rsplit(b'b', 1), x.split(None, 1), x.rsplit(None, 1)",
    "x.partition(b'b'), x.rpartition(b'b'), x.splitlines(True)",
    "x.replace(b'a', b'zz'), x.replace(b'', b'-'), x.replace(b'a', b'', 1)",
    "x.strip(b'a\\n'), x.lstrip(b' a'), x.rstrip(b'c')",
    "x.ljust(6), x.rjust(6, b'.'), x.center(7), x.center(8, b'*'), x.zfill(5)",
    "x.removeprefix(b'a'), x.removesuffix(b'c'), x.expandtabs(3)",
    "x.join([b'1', b'2', b'3']), b','.join([x, x]), b''.join((x, b'1'))",
    "repr(x), str(x), f'{x}', f'{x!r:>12}', '%s' % x, '{}'.format(x)",
    "x.hex(), bytes.fromhex('00 ff'), x.translate(None, b'a')",
    "x.translate(bytes.maketrans(b'ab', b'xy'))",
    "bytes(x), bytes(3), bytes(), bytes([1, 2, 255]), bytes('aé', 'utf-8'), bytes(range(4))",
    "(x, 1), [x, b'1'], {1: x}",
    "int.from_bytes(x[:7], 'little'), int.from_bytes(x[:4], 'big', signed=True)",
    "isinstance(x, bytes), isinstance(x, (str, int)), x is None",
    "GLOBAL, x + GLOBAL, GLOBAL[-1]",
    "x.decode('latin-1'), x.decode('utf-8', 'replace'), x.decode('ascii', 'ignore')",
]
ERRORS = [
    "x[5]",
    "x[-20]",
    "x.index(b'q')",
    "x.split(b'')",
    "x.partition(b'')",
    "bytes([256])",
    "bytes([-1])",
    "bytes(-1)",
    "x.decode()",
    "x.decode('ascii')",
    "bytes.fromhex('0')",
    "x.find(256)",
    "x.ljust(3, b'ab')",
    "(300).to_bytes(1, 'big')",
    "(-1).to_bytes(1, 'big')",
    "int.from_bytes(x + b'123456789', 'big')",
]


def made(expression):
    space = {"GLOBAL": GLOBAL}
    exec(f"def function(x):\n    return {expression}", space)
    return space["function"]


@pytest.mark.parametrize("expression", EXPRESSIONS)
def test_expressions(expression):
    same(made(expression), *[(data,) for data in DATA])


@pytest.mark.parametrize("expression", ERRORS)
def test_errors(expression):
    function = made(expression)
    compiled = njit(function)
    for data in DATA:
        expected, found = outcome(function, data), outcome(compiled, data)
        if is_error(found) and found[0] is OverflowError and "from_bytes" in expression:
            # Ints have 64 bits.
            assert expected >= 2**63
        elif is_error(expected):
            assert is_error(found) and issubclass(found[0], expected[0]), data
        else:
            assert found == expected, data


def is_error(result):
    return isinstance(result, tuple) and isinstance(result[0], type)


def test_ints_are_written_and_read():
    def there_and_back(n, size, order):
        data = n.to_bytes(size, order, signed=True)
        return data, int.from_bytes(data, order, signed=True), n.bit_length(), n.bit_count()

    numbers = [0, 1, -1, 127, -128, 255, 32767, -32768, 2**31, -(2**63), 2**63 - 1]
    same(there_and_back, *[(n, 8, order) for n in numbers for order in ("big", "little")])
    same(there_and_back, *[(n, 2, "big") for n in numbers if -32768 <= n < 32768])


def test_texts_become_bytes_and_bytes_texts():
    def encoded(text):
        return text.encode(), text.encode("utf-16-le"), text.encode("ascii", "replace")

    def strictly(text):
        return text.encode("latin-1")

    def decoded(data):
        return data.decode("utf-8", "surrogateescape"), data.decode("latin-1").encode("latin-1") == data

    texts = [text for text in TEXTS if text.isprintable() or text.isascii()]
    same(encoded, *[(text,) for text in texts])
    same(decoded, *[(data,) for data in DATA])
    compiled = njit(strictly)
    for text in TEXTS:
        expected, found = outcome(strictly, text), outcome(compiled, text)
        assert found == expected or (is_error(found) and is_error(expected))


def test_a_view_of_wide_text_is_encoded_by_its_characters():
    def part(text):
        return text[:3].encode(), text[:3].encode("ascii")

    same(part, ("abc🐍",), ("abc€",))


def test_an_argument_that_is_returned_is_the_object():
    data = b"some bytes that nobody keeps twice"
    assert njit(lambda data: data)(data) is data


def test_containers_of_bytes():
    def grouped(words):
        d = {}
        for word in words:
            d[word[:1]] = d.get(word[:1], 0) + len(word)
        return d, sorted(d), {word for word in words}, [word + b"!" for word in words]

    same(grouped, ([b"ab", b"c", b"ad", b""],))


def test_bytes_as_arrays():
    @njit
    def seen(data, offset):
        return np.frombuffer(data, np.uint8), np.frombuffer(data, np.int32, 2, offset).sum()

    data = bytes(range(24))
    bytes_found, total = seen(data, 4)
    np.testing.assert_array_equal(bytes_found, np.frombuffer(data, np.uint8))
    assert not bytes_found.flags.writeable
    assert total == np.frombuffer(data, np.int32, 2, 4).sum()
    with pytest.raises(ValueError, match="smaller than requested"):
        seen(data, 20)

    @njit
    def made(n):
        return np.frombuffer(b"ab" * n, dtype=np.uint16)

    np.testing.assert_array_equal(made(3), np.frombuffer(b"ababab", np.uint16))


def test_texts_and_bytes_don_t_mix():
    for expression in ("x + 'a'", "x.find('a')", "x.replace('a', b'b')", "'a' in x", "x < 'a'"):
        with pytest.raises(errors.TypingError):
            njit(made(expression))(b"abc")


def test_nothing_leaks():
    @njit
    def work(data):
        parts = data.split(b",")
        text = b"-".join(parts).decode().upper().encode()
        d = {part: part * 2 for part in parts}
        return text, d, np.frombuffer(data, np.uint8), data[1:]

    assert growth(lambda: work(b"a,b,c,dd,ee")) == 0


FLOATS = [0.0, -0.0, 1.0, -2.75, 0.1, 5e-324, -3.5e-310, 2.0**53, 1.5 * 2**61, 2.0**-62, math.inf, math.nan]


@pytest.mark.parametrize("number", [*FLOATS, 1e300])
def test_methods_of_floats(number):
    assert njit(lambda x: (x.hex(), x.is_integer()))(number) == (number.hex(), number.is_integer())


HEXADECIMALS = [
    *(number.hex() for number in FLOATS),
    " 0X1.8P1\n",
    "-Infinity",
    "+nan",
    "12aB.8",
    ".8p3",
    "-0x0p9999999999999999999",
    "0x" + "0" * 40 + "1p3",
    "0x1" + "0" * 300 + "p-1200",
    # Ties, and what decides them far behind.
    "0x1.00000000000008p0",
    "0x1.00000000000018p0",
    "0x1.000000000000080000000000001p0",
    "0x1p-1075",
    "0x1.0000000000001p-1075",
    "0x1.8p-1074",
    "0x1.fffffffffffff7ffp1023",
]


@pytest.mark.parametrize("text", HEXADECIMALS)
def test_floats_of_hexadecimal_digits(text):
    assert repr(njit(lambda text: float.fromhex(text))(text)) == repr(float.fromhex(text))


@pytest.mark.parametrize(
    "text",
    ["", "0x", ".", "p3", "1p", "0x1p+-3", "1.2.3", "0x1_0p0", "é", "0x1p1024", "0x1.fffffffffffff8p1023"],
)
def test_what_is_no_hexadecimal_float(text):
    def outcome(function):
        with pytest.raises((ValueError, OverflowError)) as raised:
            function(text)
        return repr(raised.value)

    assert outcome(njit(lambda text: float.fromhex(text))) == outcome(float.fromhex)


@pytest.mark.parametrize("number", [one for one in FLOATS if not 0 < abs(one) < 1e-300])
def test_ratios_of_floats(number):
    compiled = njit(lambda x: x.as_integer_ratio())
    try:
        expected = number.as_integer_ratio()
    except (OverflowError, ValueError) as error:
        with pytest.raises(type(error), match=str(error)):
            compiled(number)
    else:
        assert compiled(number) == expected


def test_ratios_that_64_bits_do_not_hold():
    for number in (1e300, 5e-324, 2.0**63):
        with pytest.raises(OverflowError, match="64 bits"):
            njit(lambda x: x.as_integer_ratio())(number)
    assert njit(lambda x: x.as_integer_ratio())(7) == (7, 1)
