"""What a process enters once, whichever of its threads comes first."""

from functools import cache

from pyopt import forking

# Held by who enters something: one for all, as what is entered enters other things. Who holds it compiles
# nothing: compiling takes locks of its own, under which it may come here.
entering = forking.lock()


def once(function):
    """Have a function called once for its arguments, as ``functools.cache`` has where there is one thread.

    Threads that come meanwhile wait: they find all that the call enters, and get what it gives.
    """
    made = {}

    def call(*arguments):
        with entering:
            if arguments not in made:
                made[arguments] = function(*arguments)
            return made[arguments]

    return cache(call)
