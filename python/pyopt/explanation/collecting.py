"""From the compiler's remarks to loops."""

import os

import pyopt
from pyopt.explanation.loops import Fact, Loop, in_words
from pyopt.explanation.source import Source
from pyopt.explanation.texts import OBSTACLES, PASSES, SILENT

#: Files of functions that come with the package: their loops are no business of the program's.
_OWN = os.path.dirname(pyopt.__file__) + os.sep
_STATEMENTS = ("for", "while", "prange")
#: What is said of operations, which may be where the loop that follows them is.
_OF_OPERATIONS = ("allocation", "call", "check", "runtime")


def collect(remarks):
    """Give the loops that remarks are about, in the order of the source."""
    loops = _Loops()
    for remark in remarks:
        if remark["kind"] == "loop" and not remark["pass_name"]:
            loops.add(remark)
    for remark in remarks:
        loop = loops.of(remark)
        if loop is None:
            continue
        if remark["pass_name"]:
            _add_llvms(loop, remark, loops)
        else:
            _add_ours(loop, remark, loops)
    found = loops.in_order()
    for loop in found:
        _settle(loop)
    return found


class _Loops:
    """The loops of the program that are known, by their places."""

    def __init__(self):
        self._loops = {}
        #: The loops by the places that the compiler gives them.
        self._given = {}
        self._sources = {}

    def add(self, remark):
        """Take in a loop of the program."""
        place = self._place(remark)
        if place is None:
            return
        kind = remark["message"].split()[0]
        if kind not in _STATEMENTS:
            place = self._outermost(place)
        else:
            self._given[remark["file"], remark["line"], remark["column"]] = place
        if place in self._loops:
            self._loops[place].operations += 1
            return
        file, line, column = place
        source = self.source(file)
        text = source.head(line, column) if kind in _STATEMENTS else source.expression(line, column)
        self._loops[place] = Loop(file, line, column, kind, text, source.depth(line, column))

    def _outermost(self, place):
        """Give the place of the operation on arrays that one of the same line is a part of.

        The first one of a line is the one that is around the others: `sum(a * b + c)`.
        """
        file, line, column = place
        for loop in list(self._loops.values()):
            if (loop.file, loop.line) != (file, line) or loop.kind in _STATEMENTS:
                continue
            if loop.column > column:
                del self._loops[file, line, loop.column]
                loop.column, loop.source = column, self.source(file).expression(line, column)
                self._loops[place] = loop
            return file, line, loop.column
        return place

    def of(self, remark):
        """Give the innermost loop that a remark is about."""
        file, line, column = place = self.place_of(remark)
        exact = self._loops.get(place)
        if exact is not None or not line:
            return exact
        at_line = [loop for loop in self._loops.values() if (loop.file, loop.line) == (file, line)]
        operations = [loop for loop in at_line if loop.kind not in _STATEMENTS]
        if operations and (column == 0 or remark["pass_name"]):
            return operations[0]
        source = self.source(file)
        statement = source.loop_at(line, column)
        if statement is not None:
            return self._loops.get((file, *statement))
        if not source.lines:
            # What is known then is where loops begin.
            before = [loop for loop in self._loops.values() if loop.file == file and loop.line <= line]
            return max(before, key=lambda loop: (loop.line, loop.column), default=None)
        return operations[0] if operations else None

    def place_of(self, remark):
        """Give the file, the line and the column of a remark: of one about a loop where that begins."""
        place = remark["file"], remark["line"], remark["column"]
        is_of_loop = remark["pass_name"] or remark["kind"] not in _OF_OPERATIONS
        return self._given.get(place, place) if is_of_loop else place

    def source(self, file):
        """Give the source of a file, read once."""
        if file not in self._sources:
            self._sources[file] = Source(file)
        return self._sources[file]

    def in_order(self):
        """Give all loops, as they stand in the source."""
        return sorted(self._loops.values(), key=lambda loop: (loop.file, loop.line, loop.column))

    def _place(self, remark):
        """Give the file, the line and the column of a loop: of statements where they begin."""
        file, line, column = remark["file"], remark["line"], remark["column"]
        if not line or file.startswith(_OWN):
            return None
        kind = remark["message"].split()[0]
        statement = self.source(file).loop_from(line, column) if kind in _STATEMENTS else None
        return (file, *statement) if statement is not None else (file, line, column)


def _add_ours(loop, remark, loops):
    """Add what one of our passes says."""
    kind, message = remark["kind"], remark["message"]
    place = {"line": remark["line"], "column": remark["column"] or None}
    if kind == "schedule":
        loop.schedule, _, reason = message.partition(" schedule: ")
        loop.add_done(Fact("parallel", f"runs on threads, with a {loop.schedule} schedule: {reason}"))
    elif kind == "not-fused":
        loop.add_obstacle(Fact("not-fused", in_words(message), None))
    elif kind == "fused":
        if f":{loop.line}" not in message or loop.operations == 1:
            loop.add_done(Fact("fused", in_words(message)))
        else:
            loop.add_done(Fact("fused", "the operations on arrays of the line became one loop"))
    elif kind in PASSES:
        loop.add_done(Fact(PASSES[kind], in_words(message), None, **place))
    elif kind == "check":
        loop.add_obstacle(
            Fact(
                "check",
                f"may raise {message}, so iterations must be done one after the other",
                "checks are done ahead of loops where they don't depend on what the loop stores or adds up",
                **place,
            )
        )
    elif kind == "call":
        source = loops.source(remark["file"]).expression(remark["line"], remark["column"])
        text = f"calls a function that isn't part of the loop: `{source or message}`"
        loop.add_obstacle(
            Fact("call", text, "small functions that can't raise become part of their callers", **place)
        )
    elif kind == "allocation":
        text = "makes a new array in each iteration"
        advice = "make the array once, before the loop, and store into it"
        loop.add_obstacle(Fact("allocation", text, advice, **place))
    elif kind == "runtime":
        source = loops.source(remark["file"]).expression(remark["line"], remark["column"])
        text = f"`{source}` is done by the runtime, one call at a time"
        loop.add_obstacle(Fact("call", text, "arrays of numbers need no such calls", **place))


def _add_llvms(loop, remark, loops):
    """Add what one of LLVM's passes says."""
    name = remark["kind"]
    values = {key: value for key, value, _ in remark["arguments"]}
    if name == "Vectorized":
        width, interleaved = int(values["VectorizationFactor"]), int(values["InterleaveCount"])
        if loop.vector_width is None or width > loop.vector_width:
            loop.vector_width, loop.interleaved = width, interleaved
    elif name == "Interleaved":
        loop.interleaved = max(loop.interleaved or 1, int(values["InterleaveCount"]))
    elif name in ("FullyUnrolled", "PartialUnrolled", "RuntimeUnrolled") and "UnrollCount" in values:
        count = int(values["UnrollCount"])
        loop.unrolled = max(loop.unrolled or 1, count)
        if name == "FullyUnrolled":
            loop.add_done(Fact("unrolled", f"all {count} iterations are written out", origin="llvm"))
    elif remark["pass_name"] == "loop-idiom":
        loop.add_done(Fact("idiom", "became one call that fills or copies memory", origin="llvm"))
    elif remark["pass_name"] == "loop-delete":
        loop.add_done(Fact("removed", "was removed: nothing depends on it", origin="llvm"))
    elif remark["pass_name"] == "loop-vectorize" and name not in SILENT:
        file, line, column = loops.place_of(remark)
        found = OBSTACLES.get(name)
        if found is None:
            reason = remark["message"].removeprefix("loop not vectorized: ")
            text = f"isn't vectorised: {reason}"
            loop.add_obstacle(Fact("other", text, None, line, column or None, "llvm"))
            return
        kind, text, advice = found
        source = loops.source(file).expression(line, column)
        # Without a place in the loop the sentence ends where the source would stand.
        text = text.format(source) if source else text.partition(": `{}`")[0].replace("`{}`", "something")
        loop.add_obstacle(Fact(kind, text, advice, line, column or None, "llvm"))


def _settle(loop):
    """Say what was done in the end, and drop what is about copies of the loop that seldom run."""
    if any(fact.kind == "compared" for fact in loop.done):
        # The other version is for arrays that seldom are passed.
        loop.obstacles = [fact for fact in loop.obstacles if fact.kind != "not-fused"]
    if len(loop.done) > 1 or loop.vectorised or loop.obstacles:
        loop.done = [fact for fact in loop.done if fact.kind not in ("removed", "idiom")]
    if loop.vector_width is not None:
        loop.obstacles = [fact for fact in loop.obstacles if fact.kind == "not-fused"]
        # What is unrolled besides is what vectors leave.
        loop.unrolled = None
        text = f"vectorised: {loop.vector_width} elements at a time"
        if loop.interleaved and loop.interleaved > 1:
            text += f", {loop.interleaved} vectors an iteration"
        loop.done.insert(0, Fact("vectorised", text, origin="llvm"))
    else:
        if any(fact.origin == "pyopt" and fact.kind != "not-fused" for fact in loop.obstacles):
            # LLVM sees these as exits and calls.
            loop.obstacles = [
                fact for fact in loop.obstacles if fact.origin == "pyopt" or fact.kind == "order"
            ]
        if loop.interleaved and loop.interleaved > 1:
            text = f"does {loop.interleaved} iterations at once, without vectors"
            loop.done.append(Fact("interleaved", text, origin="llvm"))
    if loop.unrolled and not any(fact.kind == "unrolled" for fact in loop.done):
        loop.done.append(Fact("unrolled", f"unrolled {loop.unrolled} times", origin="llvm"))
