"""Files of the cache: damaged ones, those of others, processes that write at once and are killed."""

import os
import random
import signal
import subprocess
import sys
import time

import pytest
from projects import Project, environment

# Processes that are stopped half-way and race one another, timed.
pytestmark = pytest.mark.serial

MAIN = """
import numpy as np
from pyopt import njit

@njit(cache=True)
def f(a):
    total = 0.0
    for x in np.sort(a):
        if x < 0:
            raise ValueError("negative")
        total += x
    return total

def run():
    return f(np.array([3.0, 1.0, 2.0]))
"""


@pytest.fixture
def project(tmp_path):
    made = Project(tmp_path, main=MAIN)
    assert made.run().counts == (0, 1)
    return made


def the_file(project, kind="functions"):
    (file,) = project.files(kind)
    return file


def test_damaged_files_are_replaced(project):
    file = the_file(project)
    whole = file.read_bytes()
    source = random.Random(1)
    damaged = {f"cut at {length}": whole[:length] for length in (0, 7, 8, 47, 48, 90, len(whole) - 1)}
    damaged |= {"longer": whole + b"?", "other": b"\x7fELF" + bytes(len(whole)), "zeros": bytes(len(whole))}
    # A bit in every part: the header's fields, the key, the label, machine code, tables.
    for position in [0, 6, 8, 15, 16, 47, 48, 79, 80, *source.sample(range(81, len(whole)), 8)]:
        changed = bytearray(whole)
        changed[position] ^= 1 << source.randrange(8)
        damaged[f"bit at {position}"] = bytes(changed)
    for what, content in damaged.items():
        file.write_bytes(content)
        assert project.run().counts == (0, 1), what
        assert project.run().counts == (1, 0), what


def test_every_region_is_checked(project):
    """Bits of a whole file, one in each 16 bytes, found without a process for each."""
    file = the_file(project)
    check = """
import sys
from pyopt import _core
directory, path = sys.argv[1:]
whole = open(path, "rb").read()
for position in range(0, len(whole), 16):
    changed = bytearray(whole)
    changed[position] ^= 1 << position // 16 % 8
    open(path, "wb").write(changed)
    (entry,) = [one for one in _core.cache_entries(directory) if one[2] == path]
    assert entry[5], position
"""
    command = [sys.executable, "-c", check, str(project.cache), str(file)]
    subprocess.run(command, env=environment(project.cache), check=True)


def test_an_entry_under_another_name_is_not_used(project):
    file = the_file(project)
    project.write(main=MAIN.replace("total += x", "total -= x"))
    assert project.run().value == "-6.0"
    (other,) = set(project.files()) - {file}
    other.write_bytes(file.read_bytes())
    again = project.run()
    assert (again.value, again.counts) == ("-6.0", (0, 1))


def test_library_code_that_is_gone_is_compiled_again(project):
    the_file(project, "library").unlink()
    assert project.run().counts == (0, 1)
    assert project.run().counts == (1, 0)
    the_file(project, "library").write_bytes(b"")
    assert project.run().counts == (0, 1)


def test_what_others_may_write_to_is_not_used(project):
    file = the_file(project)
    file.chmod(0o622)
    assert project.run().hits == 0
    # It was put in the place of the other.
    assert project.run().hits == 1
    file.parent.chmod(0o777)
    refused = project.run()
    assert refused.hits == 0
    ((kind, text),) = refused.told
    assert kind == "CacheWarning" and text.endswith("others may write to it")
    file.parent.chmod(0o700)
    moved = project.cache / "moved"
    file.rename(moved)
    file.symlink_to(moved)
    assert project.run().hits == 0
    if os.geteuid() == 0:
        os.chown(file, 65534, 65534)
        assert project.run().hits == 0


def test_directories_that_cannot_be_written(tmp_path):
    blocked = tmp_path / "file"
    blocked.write_text("")
    project = Project(tmp_path, main=MAIN)
    told = project.run(blocked).told
    assert [kind for kind, _ in told] == ["CacheWarning"]
    assert str(blocked) in told[0][1]
    # Who wants none isn't told.
    assert project.run("").told == []


def test_read_only_directories(project):
    file = the_file(project)
    for directory in (file.parent, file.parent.parent, project.cache):
        directory.chmod(0o500)
    try:
        if os.access(file.parent, os.W_OK):
            pytest.skip("nothing is read-only for this user")
        assert project.run().counts == (1, 0)
        project.write(main=MAIN.replace("total += x", "total -= x"))
        run = project.run()
        assert (run.value, run.counts) == ("-6.0", (0, 1))
        assert [kind for kind, _ in run.told] == ["CacheWarning"]
    finally:
        for directory in (project.cache, file.parent.parent, file.parent):
            directory.chmod(0o700)


def test_a_full_cache_forgets_what_was_used_longest_ago(tmp_path):
    main = MAIN.replace("np.sort(a)", "a")
    project = Project(tmp_path, main=main)
    project.run()
    size = the_file(project).stat().st_size
    limit = str(size * 4)
    for number in range(8):
        project.write(main=main.replace("total = 0.0", f"total = {number + 1}.0"))
        for path in project.files():
            os.utime(path, (time.time() - 10_000,) * 2)
        assert project.run(PYOPT_CACHE_SIZE=limit).counts == (0, 1)
    assert sum(path.stat().st_size for path in project.files()) <= 5 * size
    assert project.run(PYOPT_CACHE_SIZE=limit).counts == (1, 0)
    # Nothing fits.
    project.write(main=main.replace("total = 0.0", "total = 100.0"))
    run = project.run(PYOPT_CACHE_SIZE="10")
    assert run.counts == (0, 1) and "larger than 10 bytes" in run.told[0][1]


def test_processes_at_once_some_of_them_killed(tmp_path):
    main = """
import numpy as np
from pyopt import njit

def make(step):
    @njit(cache=True)
    def f(x):
        total = 0
        for i in range(x):
            total += i * step
        return total
    return f

every = [make(step) for step in range(12)]

def run():
    for function, step in zip(every, range(12)):
        assert function(10) == 45 * step
    return "done"
"""
    project = Project(tmp_path, main=main)
    source = random.Random(2)
    killed = 0
    for _ in range(2):
        processes = [project.start() for _ in range(16)]
        start = time.monotonic()
        for process in source.sample(processes, 8):
            time.sleep(source.uniform(0.05, 0.3))
            if process.poll() is None:
                process.send_signal(signal.SIGKILL)
                killed += 1
        for process in processes:
            out, errors = process.communicate(timeout=300)
            assert process.returncode in (0, -signal.SIGKILL), errors
            assert process.returncode != 0 or '"told": []' in out
        assert time.monotonic() - start < 300
    assert killed
    verified = command(project, "verify")
    assert verified.returncode == 0 and "0 are damaged" in verified.stdout
    assert project.run().value == "'done'"
    whole = [path for path in project.files() if not path.name.startswith(".")]
    assert len(whole) == 12


def command(project, *arguments):
    return subprocess.run(
        [sys.executable, "-m", "pyopt", "cache", *arguments],
        env=environment(project.cache),
        capture_output=True,
        text=True,
        check=False,
    )


def test_the_command(project):
    listed = command(project, "list").stdout
    assert "main.f(!typed.array<1, f64, C>)" in listed and "pyopt.library.sort" in listed
    assert "2 files" in command(project, "size").stdout
    assert command(project, "verify").returncode == 0
    file = the_file(project)
    file.write_bytes(file.read_bytes()[:-1])
    verified = command(project, "verify")
    assert verified.returncode == 1 and f"{file}: it is cut off" in verified.stdout
    assert "damaged" in command(project).stdout
    mine = project.cache / "mine"
    mine.write_text("not the cache's")
    assert "removed 2 files" in command(project, "clear").stdout
    assert "0 files" in command(project, "size").stdout
    assert mine.exists()
    assert project.run().counts == (0, 1)
    off = subprocess.run(
        [sys.executable, "-m", "pyopt", "cache", "size"], env=environment(""), capture_output=True, text=True
    )
    assert "PYOPT_CACHE_DIR is empty" in off.stdout


def test_stats_name_the_place(project):
    main = MAIN + "\n    return [f(np.ones(1)), f.stats]\n"
    project.write(main=main.replace("    return f(np.array([3.0, 1.0, 2.0]))\n", ""))
    value = project.run().value
    assert f"cache_path='{project.cache}'" in value
    hits = "Counter({(Array(float64, 1, 'C', False, aligned=True),): 1})"
    assert f"cache_hits={hits}, cache_misses=Counter()" in value


def test_functions_without_files(tmp_path):
    """From a zip file, from text, from a prompt: what counts is the code."""
    import zipfile

    with zipfile.ZipFile(tmp_path / "packed.zip", "w") as packed:
        packed.writestr(
            "inside.py", "from pyopt import njit\n@njit(cache=True)\ndef f(x):\n    return x + 1\n"
        )
    program = """
import sys
sys.path.insert(0, sys.argv[1])
from inside import f
from pyopt import njit
g = njit(cache=True)(eval("lambda x: x * 2"))
print(f(1), g(2), sum(f.stats.cache_hits.values()), sum(g.stats.cache_hits.values()))
"""
    for hits in ("0 0", "1 1"):
        command = [sys.executable, "-", str(tmp_path / "packed.zip")]
        env = environment(tmp_path / "cache")
        done = subprocess.run(command, input=program, env=env, capture_output=True, text=True, check=True)
        assert done.stdout == f"2 4 {hits}\n"


def test_forked_children_share_what_there_is(tmp_path):
    main = """
import os
import threading
from pyopt import njit

def make(step):
    @njit(cache=True)
    def f(x):
        return x + step
    return f

def use():
    # Functions of its own: a dispatcher's lock, like any of Python's, isn't one for a forked child.
    for step in range(6):
        assert make(step)(1) == 1 + step

def run():
    # The compiler is set up before there are threads.
    make(100)(1)
    thread = threading.Thread(target=use)
    thread.start()
    children = []
    for _ in range(4):
        child = os.fork()
        if child == 0:
            use()
            os._exit(0)
        children.append(child)
    thread.join()
    return [os.waitpid(child, 0)[1] for child in children]
"""
    project = Project(tmp_path, main=main)
    for _ in range(3):
        assert project.run().value == "[0, 0, 0, 0]"
    assert command(project, "verify").returncode == 0
