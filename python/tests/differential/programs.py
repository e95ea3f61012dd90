"""Programs that a test compares with CPython, each with the arguments that it is called with."""


class Programs(list):
    """Pairs of a function and its arguments; calling it gives a decorator that adds one."""

    def __call__(self, *arguments):
        """Compare what a function gives for some arguments with CPython."""

        def add(function):
            self.append((function, arguments))
            return function

        return add
