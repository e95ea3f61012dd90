"""``python -m pyopt.numba script.py [args]``: run a program with pyopt in Numba's place.

``-m module`` and ``-c code`` stand in the place of the script. Python is started anew with a hook in the
environment, so that the program, the frames in its tracebacks and the processes it starts are as with Python
itself.
"""

import os
import sys
from pathlib import Path

from pyopt.numba.variables import AS_NUMBA


def main():
    """Replace this process by the program's."""
    given = sys.orig_argv
    at = next(index for index, one in enumerate(given) if one == "pyopt.numba" and given[index - 1] == "-m")
    arguments = given[at + 1 :]
    if not arguments or arguments[0] in ("-h", "--help"):
        print(__doc__)
        return 0 if arguments else 2
    if sys.flags.ignore_environment or sys.flags.no_site:
        print("python -m pyopt.numba works through the environment: leave out -E, -I and -S", file=sys.stderr)
        return 2
    package = Path(__file__).resolve().parents[2]
    environment = os.environ | {AS_NUMBA: "1"}
    # Without an installed hook there is this one; and pyopt itself may only be found from this folder.
    path = [str(Path(__file__).resolve().parent / "hook")]
    path += [] if str(package) in sys.path[1:] else [str(package)]
    path += [one for one in environment.get("PYTHONPATH", "").split(os.pathsep) if one and one not in path]
    environment["PYTHONPATH"] = os.pathsep.join(path)
    os.execve(sys.executable, [sys.executable, *given[1 : at - 1], *arguments], environment)


if __name__ == "__main__":
    sys.exit(main())
