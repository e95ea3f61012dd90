"""What people are told who write what can't be compiled, or what goes wrong when it runs.

Each program in ``mistakes`` ends with a call; beside it is what the call says. A message names the line, with
a caret below what is wrong, the types as the user writes them, the reason, and what to do about it. Programs
that other compilers refuse and this one runs have what they return.

``python python/tests/test_mistakes.py`` writes all messages again: read the difference. Where a version of
CPython gives other places than those before, ``NAME.since-3.12.txt`` is what is said from that version on.
3.10 knows lines alone.
"""

import re
import sys
from pathlib import Path

import pytest

PROGRAMS = sorted(Path(__file__).with_name("mistakes").glob("*.py"))


def told(program):
    """Run a program, and give what it says: the exception with its message, or what its last line gives."""
    *statements, call = program.read_text().rstrip().rsplit("\n", 1)
    scope = {"__name__": program.stem}
    # The lines of a diagnostic are read from the file, which it calls by its name.
    exec(compile("\n".join(statements), program, "exec"), scope)
    try:
        return f"{eval(call, scope)!r}\n"
    except Exception as error:
        text = str(error).replace(f"{program.parent}/", "")
        return f"{type(error).__name__}: {text}".rstrip() + "\n"


def expected(program):
    """Give the file with what a program says under this version of CPython."""
    for minor in range(sys.version_info.minor, 11, -1):
        file = program.with_suffix(f".since-3.{minor}.txt")
        if file.exists():
            return file
    return program.with_suffix(".txt")


def lines_alone(text):
    """Leave out of a message where in a line something is: columns, and what marks them."""
    text = re.sub(r"(--> \S+:\d+):\d+", r"\1", text)
    text = re.sub(r"^( *\d+ \|) [/|] ", r"\1   ", text, flags=re.MULTILINE)
    return [line for line in text.splitlines() if not re.fullmatch(r" *\|[ |_^-]*", line)]


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda program: program.stem)
def test_mistakes(program):
    said, wanted = told(program), expected(program).read_text()
    if sys.version_info < (3, 11):
        said, wanted = lines_alone(said), lines_alone(wanted)
    assert said == wanted


if __name__ == "__main__":
    for program in PROGRAMS:
        expected(program).write_text(told(program))
