"""How compile errors read."""

import linecache
import pickle

import pytest
from tools import run, translate
from versions import needs_columns

from pyopt import errors, njit


@pytest.fixture
def source(tmp_path):
    path = tmp_path / "program.py"
    path.write_text("def f(a, b):\n\treturn a + b\n")
    return str(path)


def test_an_error_shows_the_source_line(source):
    error = errors.TypingError(
        "cannot add si64 and str",
        (source, 2, 9, 2, 14),
        [("called here", (source, 1, 0, 1, 0)), ("types: si64, str", None)],
        "convert one of them",
    )
    assert str(error).splitlines() == [
        "cannot add si64 and str",
        f" --> {source}:2:9",
        "  |",
        "2 |     return a + b",
        "  |            ^^^^^",
        "  |",
        "  = hint: convert one of them",
        "note: called here",
        f" --> {source}:1:1",
        "  |",
        "1 | def f(a, b):",
        "  | ^^^^^^^^^^^^",
        "  = note: types: si64, str",
    ]


def test_a_missing_file_is_only_named():
    error = errors.UnsupportedError("no", ("<nowhere>", 3, 1, 3, 2))
    assert str(error) == "no\n--> <nowhere>:3:1"


@needs_columns
def test_source_that_is_in_no_file_is_shown():
    text = "def f(a):\n    return a.nothing\n"
    linecache.cache["<typed in>"] = (len(text), None, text.splitlines(True), "<typed in>")
    scope = {}
    exec(compile(text, "<typed in>", "exec"), scope)
    with pytest.raises(errors.TypingError) as caught:
        njit(scope["f"])(1)
    assert "2 |     return a.nothing\n  |            ^^^^^^^^^" in str(caught.value)


@needs_columns
def test_exceptions_and_tools_show_the_same(tmp_path):
    path = tmp_path / "program.py"
    path.write_text("def f(a):\n    b = (a +\n\t     a.none)\n    return b\n")
    scope = {}
    exec(compile(path.read_text(), str(path), "exec"), scope)
    with pytest.raises(errors.TypingError) as caught:
        njit(scope["f"])(1)
    finished = run("pyopt", "--py-nopython-pipeline", "-", input=translate(path, "f(si64)"))
    shown = finished.stderr.decode()
    assert f"error: {caught.value}" == shown.strip()
    assert f"--> {path}:3:7" in shown
    assert "^^^^^^" in shown


def test_what_has_no_python_value_cannot_be_returned():
    with pytest.raises(errors.TypingError, match="cannot convert native .*dict_view.* to Python object"):
        njit(lambda d: d.keys())({1: 2})


def test_the_translator_shows_the_source(tmp_path):
    path = tmp_path / "program.py"
    path.write_text("def f(a):\n    return a +\n")
    finished = run("py-translate", path)
    assert finished.stderr.decode().splitlines() == [
        "error: invalid syntax",
        f" --> {path}:2:15",
        "  |",
        "2 |     return a +",
        "  |               ^",
    ]


def test_errors_are_the_builtin_kinds_that_they_specialise():
    assert issubclass(errors.TypingError, TypeError)
    assert issubclass(errors.StencilError, ValueError)
    assert issubclass(errors.OptionError, ValueError)
    assert all(
        issubclass(one, errors.PyoptError)
        for one in (errors.TypingError, errors.UnsupportedError, errors.LoweringError)
    )


def test_errors_are_pickled():
    error = pickle.loads(pickle.dumps(errors.TypingError("text", ("f.py", 1, 1, 1, 2), [], "hint")))
    assert (error.message, error.place, error.hint) == ("text", ("f.py", 1, 1, 1, 2), "hint")


def test_an_int_beyond_64_bits_names_its_argument():
    compiled = njit(lambda a, b: 0)
    for arguments in ((1, 2**64), (1, -(2**63) - 1), (1, (0, (2**80,)))):
        with pytest.raises(OverflowError, match="^argument 'b': the int does not fit into 64 bits$"):
            compiled(*arguments)
    with pytest.raises(OverflowError, match="^argument 'a'"):
        compiled(b=1, a=2**64)
    assert compiled(2**63 - 1, -(2**63)) == 0


def shares_a_variable(x):
    inner = []
    for y in range(x):
        inner.append(lambda z: z + y)  # noqa: B023
    return inner[0](x)


def test_the_cause_is_reported_and_not_what_its_callers_lack():
    @njit
    def refused(x):
        return x.nothing

    @njit
    def waits(x):
        total = 0
        for i in range(refused(x)):
            total += i
        return total

    @njit
    def uses(x):
        return waits(x) / waits(x)

    with pytest.raises(errors.TypingError, match="nothing"):
        uses(1)


def test_a_shared_variable_is_reported_where_the_function_is_made():
    with pytest.raises(errors.TypingError) as raised:
        njit(shares_a_variable)(1)
    line = shares_a_variable.__code__.co_firstlineno + 3
    text = str(raised.value)
    assert f"{__file__}:{line}:" in text
    # What to do is said once, without the line again.
    assert "uses 'y', which is assigned while the function is in use" in text
    assert "hint: pass what it needs as an argument" in text
    assert text.count(f"{__file__}:") == 1


def test_tracebacks_show_no_frame_of_the_package():
    @njit
    def wrong(x):
        return x + undefined_name  # noqa: F821

    @njit(["int64(int64, int64)", "int64(int32, int64)"])
    def declared(x, y):
        return x + y

    calls = [
        lambda: wrong(1),
        wrong,
        lambda: wrong(1, 2),
        lambda: wrong(y=1),
        lambda: wrong(1, x=2),
        lambda: declared("a", "b"),
        lambda: wrong(object()),
    ]
    for call in calls:
        with pytest.raises((errors.PyoptError, TypeError)) as caught:
            call()
        assert {str(frame.path) for frame in caught.traceback} == {__file__}
