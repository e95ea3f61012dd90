"""Texts in compiled code, against CPython."""

import pytest
from differential.memory import growth

from pyopt import errors, njit

# One for each width of code units, with ASCII, case that changes the length, spaces, combining characters,
# and surrogates.
TEXTS = [
    "",
    "a",
    "abc",
    "  a b  c ",
    "Hello, World! hello",
    "naïve Straße ﬁ",
    "ǅ ΑΣ ας",
    "€ 10 €",
    "a\u0301\u00a0\u2003z",
    "🐍 snake 🐍",
    "\ud800x\udfff",
    "a,b,,c,",
    "-12",
    "+3.5",
    "x" * 300,
]


def outcome(function, *arguments):
    """Give what a call returns or raises."""
    try:
        return function(*arguments)
    except Exception as error:
        return type(error), error.args


def same(function, *inputs):
    """Compare a compiled function with the Python function for many arguments."""
    compiled = njit(function)
    for arguments in inputs:
        assert outcome(compiled, *arguments) == outcome(function, *arguments), arguments


ALONE = (
    "upper lower casefold swapcase capitalize title isalnum isalpha isascii isdecimal isdigit isidentifier "
    "islower isnumeric isprintable isspace istitle isupper strip lstrip rstrip split"
).split()


@pytest.mark.parametrize("name", ALONE)
def test_methods_without_arguments(name):
    """Each method gives what CPython's gives."""
    space = {}
    exec(f"def method(text):\n    return text.{name}()", space)
    same(space["method"], *[(text,) for text in TEXTS])


def test_indices_and_slices():
    """Positions may be negative, huge, or outside."""

    def item(text, index):
        return text[index]

    def part(text, start, stop):
        return text[start:stop]

    def stepped(text, start, stop, step):
        return text[start:stop:step]

    bounds = [0, 1, 2, 5, -1, -3, 100, -100, 2**62, -(2**62)]
    same(part, *[(text, a, b) for text in TEXTS for a in bounds for b in bounds])
    steps = [1, 2, -1, -3, 2**62]
    same(stepped, *[(text, a, b, c) for text in TEXTS for a in bounds for b in bounds for c in steps])
    inside = [(text, at) for text in TEXTS for at in range(-len(text), len(text))]
    same(item, *inside)
    same(item, ("", 0), ("abc", 3), ("abc", -4))


def test_operators():
    """Texts are put together, repeated, compared, searched and hashed."""

    def operators(a, b):
        return a + b, a == b, a != b, a < b, a <= b, a > b, a >= b, a in b, b in a, len(a + b), hash(a + b)

    def repeated(a, times):
        return a * times, times * a

    same(operators, *[(a, b) for a in TEXTS for b in TEXTS])
    same(repeated, *[(a, times) for a in TEXTS for times in (0, 1, 3, -2)])


def test_searches():
    """Bounds of searches are those of slices."""

    def found(text, sub):
        return text.find(sub), text.rfind(sub), text.count(sub), text.startswith(sub), text.endswith(sub)

    def bounded(text, sub, a, b):
        return (
            text.find(sub, a, b),
            text.rfind(sub, a, b),
            text.count(sub, a, b),
            text.startswith(sub, a, b),
            text.endswith(sub, a, b),
        )

    def places(text, sub):
        return text.index(sub), text.rindex(sub)

    wanted = ["", "a", "b", "ab", "l", "€", "🐍", ",", "ß", "zz", "x"]
    same(found, *[(text, sub) for text in TEXTS for sub in wanted])
    same(places, *[(text, sub) for text in TEXTS for sub in wanted])
    bounds = [0, 1, -1, -2, 3, 50, -50]
    same(
        bounded, *[(text, sub, a, b) for text in TEXTS for sub in wanted[:7] for a in bounds for b in bounds]
    )


def test_parts():
    """Texts are taken apart and put together again."""

    def split(text, sep, most):
        return text.split(sep, most), text.split(None, most)

    def split_behind(text, sep, most):
        return text.rsplit(sep, most), text.rsplit(None, most), text.rsplit(sep), text.rsplit()

    def lines(text):
        return (
            text.splitlines(),
            text.splitlines(True),
            text.expandtabs(),
            text.expandtabs(3),
            text.expandtabs(0),
        )

    def joined(text, sep):
        return sep.join(text.split(sep)), sep.join([c for c in text]), sep.join(c + c for c in text)

    def partitioned(text, sep):
        return text.partition(sep), text.rpartition(sep)

    def cut(text, sub):
        return (
            text.removeprefix(sub),
            text.removesuffix(sub),
            text.strip(sub),
            text.lstrip(sub),
            text.rstrip(sub),
        )

    def replaced(text, old, new, count):
        return text.replace(old, new, count), text.replace(old, new)

    seps = [",", " ", "l", "€", "🐍", "ab", ""]
    same(split, *[(text, sep, most) for text in TEXTS for sep in seps for most in (-1, 0, 1, 2)])
    same(split_behind, *[(text, sep, most) for text in TEXTS for sep in seps for most in (-1, 0, 1, 2)])
    ends = ["a\nb", "a\r\nb\n", "\r", "\n\n\tx", "a\u2028b\x85\tc\x1c", "a\tbc\td\n\te", "\t€\t🐍\t."]
    same(lines, *[(text,) for text in (*TEXTS, *ends)])
    same(joined, *[(text, sep) for text in TEXTS for sep in seps[:-1]])
    same(partitioned, *[(text, sep) for text in TEXTS for sep in seps])
    same(cut, *[(text, sub) for text in TEXTS for sub in (*seps, "a", "c ")])
    counts = (-1, 0, 1, 2)
    same(
        replaced,
        *[
            (t, old, new, n)
            for t in TEXTS
            for old in (*seps, "a")
            for new in ("", "-", "€", "🐍🐍")
            for n in counts
        ],
    )


def test_filling():
    """Texts are filled up to a width."""

    def filled(text, width, fill):
        return text.ljust(width, fill), text.rjust(width, fill), text.center(width, fill), text.zfill(width)

    same(filled, *[(t, width, fill) for t in TEXTS for width in (-1, 0, 2, 5, 6, 30) for fill in " *€🐍"])
    same(filled, ("a", 3, ""), ("a", 3, "xy"))


def test_characters():
    """Characters have code points, in texts of any width."""

    def code(text):
        return [ord(c) for c in text], [chr(ord(c)) for c in text]

    def character(i):
        return chr(i)

    same(code, *[(text,) for text in TEXTS if text])
    same(character, *[(i,) for i in (0, 65, 255, 256, 0xD800, 0xFFFF, 0x10000, 0x10FFFF)])
    compiled = njit(character)
    for wrong in (-1, 0x110000):
        with pytest.raises(ValueError, match="chr"):
            compiled(wrong)


NUMBERS = [0, 1, -1, 12345, 2**63 - 1, -(2**63), 0.0, -0.0, 0.1, 1e15, 1e16, -1.5e300, 1e-4, 1e-5, 5e-324]
NUMBERS += [1 / 3, float("nan"), float("inf"), float("-inf"), True, False, 123456789.123]


def test_numbers_as_texts():
    """Numbers have the texts that they have in CPython."""

    def plain(x):
        return str(x), repr(x), f"{x}", f"<{x}|{x!r}>"

    def specified(x):
        return f"{x:10}", f"{x:<8}|", f"{x:^9}", f"{x:+}", f"{x:08.2f}", f"{x:e}", f"{x:g}"

    same(plain, *[(x,) for x in NUMBERS])
    same(specified, *[(x,) for x in NUMBERS])


def test_digits():
    """Ints have digits of other bases, also negative ones and truth values."""

    def digits(i):
        return bin(i), oct(i), hex(i), format(i, "_d"), ascii(i)

    same(digits, *[(i,) for i in (0, 1, -1, 255, 2**63 - 1, -(2**63), True)])


def test_numbers_of_texts():
    """Texts are read as numbers, or refused as CPython refuses them."""

    def as_int(text):
        return int(text)

    def as_float(text):
        return float(text)

    def with_base(text, base):
        return int(text, base)

    texts = [
        *TEXTS,
        "12",
        " -7\n",
        "1_000",
        "1__0",
        "٣",
        "0x10",
        "1e5",
        "nan",
        "-inf",
        ".5",
        "9223372036854775807",
    ]
    same(as_int, *[(text,) for text in texts])
    same(as_float, *[(text,) for text in texts if text != "nan"])
    same(with_base, *[(text, base) for text in texts if len(text) < 12 for base in (2, 10, 16, 36, 0)])
    with pytest.raises(OverflowError):
        njit(as_int)("9223372036854775808")


def test_generators_keep_texts():
    """A text outlives the suspension of a generator."""

    @njit
    def words(text, n):
        made = text + "!"
        for i in range(n):
            yield made + text + str(i)

    @njit
    def collected(text, n):
        return [word for word in words(text, n)]

    for text in TEXTS:
        expected = [f"{text}!{text}{i}" for i in range(3)]
        assert collected(text, 3) == expected
        assert list(words("".join(["", text]), 3)) == expected


def test_tuples_and_texts_in_fields():
    """Fields take texts, tuples and None."""

    def fields(a, b, width):
        return f"{a}{b!r:>{width}}", f"{(a, b)}", f"{a!a}", f"{None}", "%s=%5d" % (a, b)  # noqa: UP031

    same(fields, *[(text, number, 12) for text in TEXTS for number in (0, -5)])


def test_exceptions_hold_made_texts():
    """What an exception says is made at run time."""

    def checked(x):
        if x < 0:
            raise ValueError(f"bad {x}")
        return x

    same(checked, (1,), (-1,), (-2.5,))


def test_tables_of_texts():
    """Texts are keys, items and values, whatever their width."""

    def counted(text):
        seen = {}
        for word in text.split():
            seen[word] = seen.get(word, 0) + 1
        return seen

    def known(texts, wanted):
        return wanted in set(texts), {t: t.upper() for t in texts}

    def passed(table, key):
        return table[key], key + "x" in table, len(table), list(table)

    same(counted, *[(text * 3,) for text in TEXTS if text.split()])
    same(known, *[(TEXTS, text) for text in (*TEXTS, "no")])
    same(passed, *[({text: len(text) for text in TEXTS}, text) for text in TEXTS])


def test_loops_over_texts():
    """Texts are iterated, and grow in loops."""

    def turned(text):
        made = ""
        for c in text:
            made = c + made
        return made

    def numbered(n):
        made = ""
        for i in range(n):
            made += str(i)
            if i % 3 == 0:
                made += ","
        return made

    same(turned, *[(text,) for text in TEXTS])
    same(numbered, (0,), (1,), (500,))


def test_an_argument_is_returned_as_it_is():
    """A text that isn't changed is the same object."""

    @njit
    def same_text(a, b):
        return b if a == "" else a

    text = "some text that isn't interned €"
    assert same_text(text, "") is text


def test_nothing_leaks():
    """Every text that is made is given back, also when an exception leaves the function."""

    @njit
    def work(text, n):
        words = text.split()
        table = {}
        for i in range(n):
            word = words[i % len(words)] + str(i % 5)
            table[word.upper()] = f"{word}:{i}"
            if word[1:] in table:
                table.pop(word[1:])
        if n > 50:
            raise ValueError(f"too many: {n} {words[0]}")
        return ",".join(list(table.values())), words, table

    def run():
        work("one two drei €uro 🐍", 20)
        with pytest.raises(ValueError, match="too many: 51 one"):
            work("one two", 51)

    assert growth(run) == 0


FORMATS = [
    "'{} {}'.format(text, n)",
    "'{1}-{0!r:>12}-{1:05d}'.format(text, n)",
    "'{a}{{}}{b:.2f}'.format(a=text, b=n / 3)",
    "'{0.real}'.format(n), '{:{}}'.format(text, 20)",
    "text.join(['{}']).format(n)",
    "'{!a}'.format(text), ''.format(), '{{'.format()",
    "'{} {} {}'.format(None, True, (n, text))",
]


@pytest.mark.parametrize("expression", FORMATS)
def test_format(expression):
    """A template is taken apart, or left to Python."""
    space = {}
    exec(f"def function(text, n):\n    return {expression}", space)
    same(space["function"], *[(text, n) for text in TEXTS for n in (0, -7, 12345)])


@pytest.mark.parametrize(
    "call", ["'{} {}'.format(x)", "'{y}'.format(z=x)", "'{'.format(x)", "'{}{0}'.format(x)"]
)
def test_wrong_templates(call):
    """What a template asks for and isn't there is Python's error."""
    space = {}
    exec(f"def function(x):\n    return {call}", space)
    same(space["function"], ("a",))


MAPS = [
    "'{a}-{b!r:>5}'.format_map({'a': n, 'b': text})",
    "'{{}} plain'.format_map({})",
    "text.format_map({'a': n, 'b': 'two'})",
    "'{a[0]} {a}'.format_map({'a': (n, 2)})",
    "'{b}'.format_map({'a': n})",
    "'{}'.format_map({'a': n})",
    "'{0}'.format_map({'0': n})",
    "'{'.format_map({'a': text})",
]


@pytest.mark.parametrize("expression", MAPS)
def test_format_map(expression):
    """A dict whose keys are known may have values of several types."""
    space = {}
    exec(f"def function(text, n):\n    return {expression}", space)
    same(space["function"], *[(text, n) for text in ("", "{a:03d}", "{b}{a}", "{c}", "{") for n in (0, -7)])


def test_format_map_of_other_dicts():
    """A dict whose keys are known at run time is Python's while it is formatted."""

    def made(text, n):
        found = {}
        for at in range(n):
            found["k" + str(at)] = at * 1.5
        return text.format_map(found)

    same(made, ("{k0:.2f} {k1}", 3), ("{k0} {k1}", 1), ("", 1))
    same(lambda text, found: text.format_map(found), ("{a}{b}", {"a": 1, "b": 2}), ("{c}", {"a": 1}))


def test_translate():
    """Tables have code points, texts or nothing for code points."""

    def replaced(text):
        return text.translate({97: 98, 32: 95}), text.translate({97: "xx", 98: ""})

    def made(text):
        table = str.maketrans("abc", "xyz")
        return text.translate(table), text.translate(str.maketrans("a", "z", "b ")), table[97]

    def of_keys(text):
        return text.translate(str.maketrans({"a": "1", "b": "22"}))

    def some_removed(text):
        table = {"a": "1", "b": None, " ": "_" if len(text) > 3 else None}
        return text.translate(str.maketrans(table)), text.translate({97: None, 98: None})

    def by_instances(text):
        return text.translate("xyz".maketrans("abc", "xyz")), text.translate("a".maketrans({"b": "22"}))

    for function in (replaced, made, of_keys, some_removed, by_instances):
        same(function, *[(text,) for text in TEXTS])


def test_texts_of_containers():
    """Containers are written as they are at that time."""

    def written(n):
        items = [1, n]
        items.append(3)
        table = {"a": items, "b": [1]}
        table["c"] = []
        return str(items), repr(table), f"{items} {table}", str({1: 2.5}), str([(1, "x")]), str({5})

    same(written, (2,), (7,))
    printed = []

    def show(table):
        table[1] = 5
        print(table, [table], len(table))
        return 0

    import contextlib
    import io

    for function in (njit(show), show):
        with contextlib.redirect_stdout(io.StringIO()) as stream:
            function({1: 2, 3: 4})
        printed.append(stream.getvalue())
    assert printed[0] == printed[1]


def test_methods_by_the_name_of_their_class():
    def by_class(text):
        words = list(map(str.upper, text.split()))
        return str.strip(text), str.join("-", words), str.find(text, "b", 1), bytes.hex(b"az"), words

    same(by_class, *((text,) for text in TEXTS))
    for wrong in (lambda: str.upper(b"a"), lambda: str.upper()):
        with pytest.raises(errors.TypingError, match=r"str\.upper\(\)"):
            njit(wrong)()


def test_arguments_that_may_be_none():
    def parts(text, other, start):
        chars = other if start > 0 else None
        at = start if start > 1 else None
        return (
            text.strip(chars),
            text.lstrip(chars),
            text.split(chars),
            text.rsplit(chars),
            text.find("a", at),
        )

    same(
        parts,
        *(
            (text, other, start)
            for text in TEXTS
            for other in ("a", " ", "x\U0001f40d")
            for start in (0, 1, 2)
        ),
    )

    @njit
    def replaced(text, flag):
        new = "b" if flag else None
        return text.replace("a", new)

    assert replaced("abc", True) == "bbc"
    with pytest.raises(TypeError, match="expected unicode_type, got None"):
        replaced("abc", False)


def test_texts_of_bytes_and_of_nothing():
    def made(text):
        data = text.encode("utf-8", "surrogatepass")
        return (
            str(data, "utf-8", "replace"),
            str(data, encoding="latin-1"),
            "".join([]),
            b"".join([]),
            ",".join(()),
        )

    same(made, *((text,) for text in TEXTS))
    same(lambda text: ord(text), *((text,) for text in TEXTS))


def test_tables_of_translate_are_cpythons():
    """``maketrans`` gives code points and None; what is no table is an error."""

    def made(text):
        return str.maketrans(text, text[::-1]), str.maketrans("ab", "xy", text), str.maketrans({"a": text})

    def with_numbers(text, number):
        return text.translate({97: number})

    for text in ("", "a", "abc", "ab ab"):
        assert njit(made)(text) == made(text)
        assert text.translate(njit(made)(text)[1]) == text.translate(made(text)[1])
    same(with_numbers, ("abc", 98), ("abc", -1), ("abc", 0x110000), ("xyz", -1))
    with pytest.raises(errors.TypingError, match="keys in translate table must be strings or integers"):
        njit(lambda: str.maketrans({(1,): 2}))()


@pytest.mark.parametrize("text", ["'ab'.removeprefix(('a', 'b'))", "'ab'.removesuffix(('a', 'b'))"])
def test_affixes_that_are_tuples(text):
    """A tuple is for ``startswith`` alone."""
    space = {}
    exec(f"def removed():\n    return {text}", space)
    same(space["removed"], ())
