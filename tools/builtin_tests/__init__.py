"""CPython's own tests of its built-in types, with their expressions in compiled code."""
