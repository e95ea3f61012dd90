"""What people are told who write what can't be compiled, or what goes wrong when it runs.

Each program in ``mistakes`` ends with a call; beside it is what the call says. A message names the line, with
a caret below what is wrong, the types as the user writes them, the reason, and what to do about it. Programs
that other compilers refuse and this one runs have what they return.

``python python/tests/test_mistakes.py`` writes all messages again: read the difference. Where a version of
CPython gives other places than those before, ``NAME.since-3.12.txt`` is what is said from that version on.
"""

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


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda program: program.stem)
def test_mistakes(program):
    assert told(program) == expected(program).read_text()


if __name__ == "__main__":
    for program in PROGRAMS:
        expected(program).write_text(told(program))
