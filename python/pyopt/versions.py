"""The version of the package, and versions in the form in which Numba gives them."""

from collections import namedtuple

from pyopt import _core

VersionInfo = namedtuple("VersionInfo", "major minor patch short full string tuple git_revision")


def parse(version):
    """Take a version of three numbers apart."""
    numbers = tuple(map(int, version.split(".")))
    return VersionInfo(*numbers, numbers[:2], numbers, version, tuple(version.split(".")), None)


#: That of the workspace, which the wheel has too.
__version__ = _core.__version__
version_info = parse(__version__)
