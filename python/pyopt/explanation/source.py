"""The source of a file: which loops a place is in, and how the source has it."""

import ast
import linecache

_LOOPS = (ast.For, ast.While)
_STATEMENTS = (ast.Assign, ast.AnnAssign, ast.AugAssign)
_LONG = 60


class Source:
    """A file that remarks are about; of one that can't be read nothing is known."""

    def __init__(self, file):
        """Read the file, or what stands for it in `linecache`."""
        self.lines = linecache.getlines(file)
        try:
            tree = ast.parse("".join(self.lines))
        except SyntaxError:
            tree = ast.Module([], [])
        self._loops = [node for node in ast.walk(tree) if isinstance(node, _LOOPS)]
        self._nodes = [node for node in ast.walk(tree) if isinstance(node, (ast.expr, *_STATEMENTS))]

    def loop_at(self, line, column):
        """Give the statement of the innermost loop that a place is in: its line and column, or ``None``.

        What a ``for`` loop goes over is computed before it. Without a column the whole line counts.
        """
        around = [loop for loop in self._loops if self._runs_in(loop, line, column)]
        if not around:
            return None
        innermost = max(around, key=lambda loop: (loop.lineno, loop.col_offset))
        return innermost.lineno, innermost.col_offset + 1

    def loop_from(self, line, column):
        """Give the statement of the loop that the compiler has at a place: its line and column, or ``None``.

        Since 3.12 CPython has a ``for`` loop where what it goes over begins, before at its head.
        """
        for loop in self._loops:
            if isinstance(loop, ast.For) and (loop.iter.lineno, loop.iter.col_offset + 1) == (line, column):
                return loop.lineno, loop.col_offset + 1
        return self.loop_at(line, column)

    def depth(self, line, column):
        """Give the number of loops around a place, a loop that begins at it aside."""
        return sum(
            self._runs_in(loop, line, column) and (loop.lineno, loop.col_offset + 1) != (line, column)
            for loop in self._loops
        )

    def head(self, line, column):
        """Give the source of a loop's head, without the colon."""
        for loop in self._loops:
            if (loop.lineno, loop.col_offset + 1) == (line, column):
                if isinstance(loop, ast.While):
                    return f"while {_unparsed(loop.test)}"
                return f"for {_unparsed(loop.target)} in {_unparsed(loop.iter)}"
        return None

    def expression(self, line, column):
        """Give the source of the largest expression or assignment that begins at a place, or the line's."""
        found = [node for node in self._nodes if (node.lineno, node.col_offset + 1) == (line, column)]
        if found:
            largest = max(found, key=lambda node: (node.end_lineno, node.end_col_offset))
            return _unparsed(largest)
        if 0 < line <= len(self.lines):
            return _short(self.lines[line - 1].strip())
        return None

    @staticmethod
    def _runs_in(loop, line, column):
        if not loop.lineno <= line <= loop.end_lineno:
            return False
        if isinstance(loop, ast.While):
            return column == 0 or (line, column) >= (loop.lineno, loop.col_offset + 1)
        if column == 0:
            return line >= loop.lineno
        place = (line, column - 1)
        start = (loop.lineno, loop.col_offset)
        iterable = (loop.iter.lineno, loop.iter.col_offset), (loop.iter.end_lineno, loop.iter.end_col_offset)
        return place >= start and not iterable[0] <= place < iterable[1]


def _unparsed(node):
    return _short(ast.unparse(node))


def _short(text):
    return text if len(text) <= _LONG else text[: _LONG - 2] + " …"
