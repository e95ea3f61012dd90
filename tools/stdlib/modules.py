"""Which parts of the standard library are checked, and where CPython's tests for them are."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Subject:
    """A module whose functions are replaced, with those of its submodules, and its tests."""

    module: str
    tests: tuple[str, ...]


# Where the name of the test module doesn't follow from the module's.
_TESTS = {
    "_pydecimal": ("test.test_decimal",),
    "ast": ("test.test_unparse", "test.test_ast"),
    "email": ("test.test_email.test_email", "test.test_email.test_headerregistry"),
    "encodings": ("test.test_codecs",),
    "html.parser": ("test.test_htmlparser",),
    "pickle": ("test.test_pickle",),
    "typing": ("test.test_typing",),
    "urllib.parse": ("test.test_urlparse",),
    "weakref": ("test.test_weakref", "test.test_weakset"),
}

# Checked when no module is named on the command line.
DEFAULT = (
    "heapq",
    "bisect",
    "textwrap",
    "difflib",
    "fractions",
    "statistics",
    "colorsys",
    "base64",
    "string",
    "json",
    "calendar",
    "ast",
    "tokenize",
    "functools",
    "collections",
    "contextlib",
    "copy",
    "configparser",
    "csv",
    "fnmatch",
    "graphlib",
    "html",
    "ipaddress",
    "operator",
    "pprint",
    "queue",
    "reprlib",
    "shlex",
    "tomllib",
    "urllib.parse",
)


def subject(module: str) -> Subject:
    """The subject of a module's name."""
    if module.startswith("test."):
        return Subject(module, (module,))
    return Subject(module, _TESTS.get(module, (f"test.test_{module.replace('.', '_')}",)))
