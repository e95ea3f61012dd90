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
    "concurrent.futures": ("test.test_concurrent_futures",),
    "encodings": ("test.test_codecs",),
    "html.parser": ("test.test_htmlparser",),
    "pickle": ("test.test_pickle",),
    "sre_parse": ("test.test_re",),
    "typing": ("test.test_typing",),
    "unittest": ("unittest.test",),
    "urllib.parse": ("test.test_urlparse",),
    "weakref": ("test.test_weakref", "test.test_weakset"),
    "xml.etree": ("test.test_xml_etree",),
}

# Tests of the language: the functions of the tests themselves are compiled.
LANGUAGE = tuple(
    f"test.test_{name}"
    for name in (
        "asyncgen augassign baseexception binop bool builtin bytes call class compare complex "
        "context contextlib coroutines decorators defaultdict deque descr dict dictcomps "
        "enumerate except_star exception_group exception_variations exceptions extcall "
        "finalization float frame fstring funcattrs gc generator_stop generators genexps global "
        "grammar hash index int isinstance iter keywordonlyarg list listcomps long metaclass "
        "module named_expressions opcache operator ordered_dict patma positional_only_arg "
        "property raise range richcmp scope set setcomps slice sort string_literals subclassinit "
        "super sys_setprofile tuple typechecks types unicode unpack unpack_ex with yield_from"
    ).split()
)

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
    "_pydecimal",
    "abc",
    "argparse",
    "bdb",
    "cmd",
    "codecs",
    "copyreg",
    "dataclasses",
    "dis",
    "doctest",
    "email",
    "enum",
    "fileinput",
    "genericpath",
    "getopt",
    "gettext",
    "glob",
    "gzip",
    "hmac",
    "html.parser",
    "http.cookies",
    "inspect",
    "locale",
    "mimetypes",
    "optparse",
    "os",
    "pathlib",
    "pdb",
    "pickle",
    "plistlib",
    "posixpath",
    "random",
    "re",
    "sched",
    "shutil",
    "tempfile",
    "traceback",
    "typing",
    "uuid",
    "weakref",
    "xml.etree",
    "zipfile",
    "zoneinfo",
    *LANGUAGE,
)


def subject(module: str) -> Subject:
    """The subject of a module's name."""
    if module.startswith("test."):
        return Subject(module, (module,))
    return Subject(module, _TESTS.get(module, (f"test.test_{module.replace('.', '_')}",)))
