"""How compile errors read."""

import pickle

import pytest

from pyopt import errors, njit


@pytest.fixture
def source(tmp_path):
    path = tmp_path / "program.py"
    path.write_text("def f(a, b):\n\treturn a + b\n")
    return str(path)


def test_an_error_shows_the_source_line(source):
    error = errors.TypingError(
        "cannot add si64 and str",
        (source, 2, 9, 14, "f"),
        [("called here", (source, 1, 0, 0, "f")), ("types: si64, str", None)],
        "convert one of them",
    )
    assert str(error).splitlines() == [
        "cannot add si64 and str",
        f"  --> {source}:2:9, in f",
        "  2 | \treturn a + b",
        "    | \t       ^^^^^",
        "note: called here",
        f"  --> {source}:1, in f",
        "  1 | def f(a, b):",
        "note: types: si64, str",
        "hint: convert one of them",
    ]


def test_a_missing_file_is_only_named():
    error = errors.UnsupportedError("no", ("<nowhere>", 3, 1, 2, ""))
    assert str(error) == "no\n  --> <nowhere>:3:1"


def test_errors_are_the_builtin_kinds_that_they_specialise():
    assert issubclass(errors.TypingError, TypeError)
    assert issubclass(errors.StencilError, ValueError)
    assert issubclass(errors.OptionError, ValueError)
    assert all(
        issubclass(one, errors.PyoptError)
        for one in (errors.TypingError, errors.UnsupportedError, errors.LoweringError)
    )


def test_errors_are_pickled():
    error = pickle.loads(pickle.dumps(errors.TypingError("text", ("f.py", 1, 1, 2, "f"), [], "hint")))
    assert (error.message, error.place, error.hint) == ("text", ("f.py", 1, 1, 2, "f"), "hint")


def test_an_int_beyond_64_bits_names_its_argument():
    compiled = njit(lambda a, b: 0)
    for arguments in ((1, 2**63), (1, -(2**63) - 1), (1, (0, (2**80,)))):
        with pytest.raises(OverflowError, match="^argument 'b': the int does not fit into 64 bits$"):
            compiled(*arguments)
    with pytest.raises(OverflowError, match="^argument 'a'"):
        compiled(b=1, a=2**64)
    assert compiled(2**63 - 1, -(2**63)) == 0


def shares_a_variable(x):
    y = x + 1

    def inner():
        return y

    return inner()


def test_a_shared_variable_is_reported_where_it_is_assigned():
    with pytest.raises(errors.TypingError) as raised:
        njit(shares_a_variable)(1)
    line = shares_a_variable.__code__.co_firstlineno + 1
    text = str(raised.value)
    assert f"{__file__}:{line}:" in text
    # What to do is said once, without the line again.
    assert "hint: define the function at module level" in text
    assert text.count(f"{__file__}:") == 1
