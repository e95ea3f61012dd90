"""Some hundred random programs, always the same; ``random_programs.py`` runs as many as one likes."""

import pytest
from random_programs import check_program, source_of


@pytest.mark.parametrize("seed", range(200))
def test_random_program(seed):
    try:
        check_program(seed)
    except Exception as error:
        error.add_note(source_of(seed))
        raise


@pytest.mark.parametrize("seed", range(150))
def test_small_random_program(seed):
    try:
        check_program(seed, small=True)
    except Exception as error:
        error.add_note(source_of(seed, small=True))
        raise


def test_programs_follow_from_their_numbers():
    assert source_of(5) == source_of(5)
    assert source_of(5) != source_of(6)
