"""Thirty random programs with ``try``, always the same; ``random_tries.py`` runs as many as one likes."""

import pytest
from random_programs import check_program
from random_tries import source_of


@pytest.mark.parametrize("seed", range(30))
def test_random_try(seed):
    try:
        check_program(seed, False, source_of, message=False)
    except Exception as error:
        error.add_note(source_of(seed))
        raise
