"""Exceptions of the compiler; what compiled code raises are Python's own."""


class PyoptError(Exception):
    """A function that can't be compiled.

    ``place`` and those in ``notes`` are ``(file, line, column, end column, function)``, columns from 1 and
    0 if unknown.
    """

    def __init__(self, message, place=None, notes=(), hint=None):
        """Keep the parts; the text is made from them."""
        super().__init__(message)
        self.message = message
        self.place = place
        self.notes = list(notes)
        self.hint = hint

    def __str__(self):
        """Render the message with the source lines it is about."""
        parts = [_render(self.message, self.place)]
        parts += [_render(f"note: {message}", place) for message, place in self.notes]
        if self.hint:
            parts.append(f"hint: {self.hint}")
        return "\n".join(parts)

    def __reduce__(self):
        """Pickle by the parts."""
        return type(self), (self.message, self.place, self.notes, self.hint)


class TypingError(PyoptError, TypeError):
    """Types don't fit, or can't be inferred."""


class UnsupportedError(PyoptError):
    """A feature of Python or NumPy that can't be compiled yet."""


class LoweringError(PyoptError):
    """The compiler failed on a function it had accepted: a bug in pyopt."""


class OptionError(PyoptError, ValueError):
    """An option, signature or stage name that doesn't exist or isn't supported yet."""


class StencilError(PyoptError, ValueError):
    """A stencil whose options contradict its kernel or its arguments."""


def _render(message, place):
    if place is None:
        return message
    file, line, column, end_column, function = place
    where = f"{file}:{line}" if not column else f"{file}:{line}:{column}"
    text = f"{message}\n  --> {where}" + (f", in {function}" if function else "")
    import linecache

    source = linecache.getline(file, line).rstrip()
    if source.strip():
        number = str(line)
        text += f"\n  {number} | {source}"
        if column:
            width = max(1, min(end_column, len(source) + 1) - column)
            # Tabs before the caret keep their width.
            lead = "".join(c if c == "\t" else " " for c in source[: column - 1])
            text += f"\n  {' ' * len(number)} | {lead}{'^' * width}"
    return text
