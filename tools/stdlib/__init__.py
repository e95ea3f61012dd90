"""CPython's own tests over standard-library modules whose functions run in object mode."""
