"""Imports ``numba`` and ``llvmlite``: makes modules whose names are pyopt's, and knows their versions."""

import importlib.metadata
import os
import sys
from importlib import import_module
from importlib.machinery import ModuleSpec
from types import ModuleType

from pyopt.numba import LLVMLITE_VERSION, NUMBA_VERSION
from pyopt.numba.surface import MODULES, OURS, is_package
from pyopt.numba.variables import take_over

_VERSIONS = {"numba": NUMBA_VERSION, "llvmlite": LLVMLITE_VERSION}


class Facade(ModuleType):
    """A module of Numba's: its names are looked up in pyopt when they are asked for."""

    def __getattr__(self, name):
        """Find a name in pyopt, or make what stands for it if it is missing there."""
        found = _find(self.__name__, name)
        if not isinstance(found, ModuleType):
            # Settings can change: modules are asked again.
            if "pyopt.config" not in MODULES[self.__name__].sources:
                self.__dict__[name] = found
        return found

    def __setattr__(self, name, value):
        """Set a program's settings where pyopt has them."""
        if isinstance(value, Facade) and _has_function(self.__name__, name):
            # The import of a module that has the name of a function beside it doesn't hide that.
            return
        if not name.startswith("__") and "pyopt.config" in MODULES[self.__name__].sources:
            setattr(import_module("pyopt.config"), name, value)
        else:
            super().__setattr__(name, value)

    def __dir__(self):
        """List the names."""
        module = MODULES[self.__name__]
        listed = {*super().__dir__(), *module.names}
        for source in module.sources:
            listed.update(name for name in dir(import_module(source)) if not name.startswith("__"))
        return sorted(listed)

    def public_names(self):
        """Name what ``from … import *`` takes: what isn't a module that pyopt's own code imports."""
        names = (name for name in dir(self) if not name.startswith("_") and name.isidentifier())
        return [name for name in names if not isinstance(getattr(self, name, sys), ModuleType)]


def _has_function(module, name):
    """Whether pyopt has a function of the name of a module."""
    found = (getattr(import_module(source), name, None) for source in MODULES[module].sources)
    return any(callable(one) for one in found)


def _find(module, name):
    if name == "__all__":
        return sys.modules[module].public_names()
    below = f"{module}.{name}"
    if below in MODULES and not _has_function(module, name):
        return import_module(below)
    for source in () if name.startswith("__") else MODULES[module].sources:
        try:
            return getattr(import_module(source), name)
        except AttributeError:
            continue
    mark = MODULES[module].names.get(name)
    if mark is None and (name.startswith("__") or not MODULES[module].is_open):
        raise AttributeError(f"module '{module}' has no attribute '{name}'")
    from pyopt import missing

    kinds = {"@": missing.accept, "!": missing.accept_bare, "~": missing.ignore}
    return kinds.get(mark) or missing.missing(below)


class Finder:
    """Finds Numba's modules, and the metadata of its distribution."""

    @staticmethod
    def find_spec(name, path=None, target=None):
        """Find a module of the two packages; one that there is none of is none of theirs either."""
        if name not in MODULES:
            return None
        return ModuleSpec(name, Finder, origin="pyopt", is_package=is_package(name))

    @staticmethod
    def create_module(spec):
        """Make the module."""
        return Facade(spec.name, f"pyopt in the place of {spec.name}.")

    @staticmethod
    def exec_module(module):
        """Give the module what isn't looked up."""
        name = module.__name__
        scope = module.__dict__
        if name in _VERSIONS:
            from pyopt import versions

            scope["__version__"] = _VERSIONS[name]
            scope["version_info"] = versions.parse(_VERSIONS[name])
        scope["__file__"] = __file__
        if name == "numba":
            # Scripts set Numba's variables before they import it.
            take_over(os.environ)
            scope["__all__"] = _numbas_names()

    @staticmethod
    def invalidate_caches():
        """Nothing is kept."""

    @staticmethod
    def find_distributions(context=None):
        """Give the distributions of the two packages when they are asked for, by name or all."""
        wanted = getattr(context, "name", None)
        names = [name for name in _VERSIONS if wanted is None or wanted.lower() == name]
        return iter([_Distribution(name) for name in names])


class _Distribution(importlib.metadata.Distribution):
    """Says a version, and nothing else."""

    def __init__(self, name):
        self._name = name

    def read_text(self, filename):
        """Give the metadata; there is no other file."""
        if filename == "top_level.txt":
            return f"{self._name}\n"
        if filename != "METADATA":
            return None
        return f"Metadata-Version: 2.1\nName: {self._name}\nVersion: {_VERSIONS[self._name]}\n"

    def locate_file(self, path):
        """Give the path as it is: nothing is installed."""
        return path


def _numbas_names():
    import pyopt

    return [name for name in pyopt.__all__ if name not in OURS]
