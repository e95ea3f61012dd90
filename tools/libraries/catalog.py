"""The libraries, and where the tests are in what they publish as source."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(frozen=True)
class Library:
    """A library: its tests, and what is no test of it."""

    name: str
    # The folder of its tests below that of the source; from there they are run.
    tests: str
    # Tests are modules of the package, and import each other as such.
    in_package: bool = False
    # Files that need what isn't there: data that isn't published, other programs, a device.
    left_out: tuple[str, ...] = ()
    # Arguments of pytest.
    arguments: tuple[str, ...] = field(default=())


LIBRARIES = {
    library.name: library
    for library in (
        Library("librosa", "tests"),
        Library("stumpy", "tests", left_out=("test_gpu_*", "test_*_gpu*", "test_*ed.py")),
        Library("quantecon", "quantecon", in_package=True),
        Library("galois", "tests"),
        Library("datashader", "datashader/tests", in_package=True),
        Library("resampy", "tests"),
        Library("pynndescent", "pynndescent/tests", in_package=True),
        Library("numbagg", "numbagg/test", in_package=True, left_out=("test_benchmark.py",)),
        Library("sparse", "sparse/numba_backend/tests", in_package=True),
        Library("numba-stats", "tests"),
        Library("numpy-groupies", "numpy_groupies/tests", in_package=True),
        Library("clifford", "clifford/test", in_package=True),
        Library("interpolation", "interpolation", in_package=True),
        Library("lenstronomy", "test/test_LensModel"),
        Library("pyts", "pyts", in_package=True),
        Library("quimb", "tests/test_matrix"),
        # Its objects in compiled code; those of its arrays need another library.
        Library("vector", "tests/backends", left_out=("test_[!n]*.py", "test_numpy.py")),
        # Some tests import a module that isn't published.
        Library(
            "vectorbt",
            "tests",
            left_out=("test_engine.py", "test_portfolio.py", "test_re*.py", "test_signals.py"),
        ),
        Library("numba-celltree", "tests"),
        Library("tslearn", "tests"),
        Library("arch", "arch/tests", in_package=True),
        Library("xugrid", "tests"),
        Library("xarray-spatial", "xrspatial/tests", in_package=True),
        Library("antropy", "tests"),
        Library("libpysal", "libpysal", in_package=True),
        Library("codex-africanus", "africanus", in_package=True),
        Library("pythermalcomfort", "tests"),
    )
}
