"""How compile errors read."""

import pickle

import pytest

from pyopt import errors


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
