"""Runs a script of Python where the allocator shows what uses memory after it was freed, or frees it twice.

``python checked_allocator.py random_programs.py --count 2000 --small`` runs it in a process of its own.
Compiled code's memory is then that of glibc's allocator (``PYOPT_ALLOCATOR``), which fills what is freed, and
what is allocated but not written, with a pattern, and ends the process where something is freed twice. Its
caches of threads would keep both from most small pieces, so there are none (``tcache_count``), as there would
be with ``MALLOC_PERTURB_`` alone. Python's objects are of the same allocator (``PYTHONMALLOC``), but where
there is no global lock: such a build has its own alone.
``PERTURB`` in the environment is the pattern, else it is 165. The lit suite does the same with
``--param checked=1``.
"""

import os
import subprocess
import sys
import sysconfig


def environment(pattern=165):
    """Give the environment variables for a pattern from 1 to 255."""
    variables = {
        "PYOPT_ALLOCATOR": "system",
        "GLIBC_TUNABLES": f"glibc.malloc.perturb={pattern}:glibc.malloc.tcache_count=0",
        "MALLOC_PERTURB_": str(pattern),
    }
    has_choice = not sysconfig.get_config_var("Py_GIL_DISABLED")
    return variables | {"PYTHONMALLOC": "malloc"} if has_choice else variables


def run(arguments, pattern=165, **options):
    """Run Python with arguments in a process of its own."""
    command = [sys.executable, *map(str, arguments)]
    return subprocess.run(command, env=os.environ | environment(pattern), check=False, **options)


if __name__ == "__main__":
    sys.exit(run(sys.argv[1:], int(os.environ.get("PERTURB", "165"))).returncode)
