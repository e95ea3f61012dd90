"""Says which tests of object mode are about CPython's own frames: those run under 3.11 alone.

Elsewhere the interpreter runs the functions of object mode; `test_interpreted.py` has tests of these.
"""

from pathlib import Path

import pytest

from pyopt import _core

FOLDER = Path(__file__).parent
# Loops are lifted, and functions run by the interpreter, without compiled code on frames.
ANYWHERE = {"test_loop_lifting.py", "test_interpreted.py"}


def pytest_collection_modifyitems(items):
    if _core.OWN_FRAMES:
        return
    for item in items:
        if item.path.parent == FOLDER and item.path.name not in ANYWHERE:
            item.add_marker(pytest.mark.skip(reason="compiled code knows the frames of CPython 3.11 alone"))
