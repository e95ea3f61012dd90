"""Object mode: what the runtime does in Python because it is seldom needed."""


def prepare_reraise(original, raised):
    """Say what is left to raise after ``except*`` clauses: an exception or None."""
    if not raised:
        return None
    if not isinstance(original, BaseExceptionGroup):
        # One exception was caught and wrapped, so one clause ran at most.
        return raised[0]
    new, again = [], []
    for exception in raised:
        if exception is not None:
            (again if _same_origin(exception, original) else new).append(exception)
    rest = _projection(original, again)
    if not new:
        return rest
    if rest is not None:
        new.append(rest)
    return new[0] if len(new) == 1 else BaseExceptionGroup("", new)


def _same_origin(exception, original):
    names = ("__notes__", "__traceback__", "__cause__", "__context__")
    return all(getattr(exception, name, None) is getattr(original, name, None) for name in names)


def _projection(group, kept):
    """Keep of a group what is in other groups."""
    leaves = set()

    def collect(exception):
        if isinstance(exception, BaseExceptionGroup):
            for inner in exception.exceptions:
                collect(inner)
        else:
            leaves.add(id(exception))

    for exception in kept:
        collect(exception)
    if not leaves:
        return None
    return group.split(lambda exception: id(exception) in leaves)[0]
