"""The report on parallel loops that ``parallel_diagnostics`` of a compiled function prints."""

import html as escapes
import inspect
import re

from pyopt.offload import DeviceStats

_BEFORE = "before fusion, "
_INSTRUCTION = "hoisted "
_ALLOCATION = "the array is made once"
_STAYS = "the loop stays on the host"
_WIDTH = 80
_LOOP = re.compile(r"loop #(\d+) of (.*?): ((.*?) over \d+ dimension.*)")
_INSIDE = re.compile(r"(, inside of loop )#(\d+)")
_MERGED = re.compile(r"; merged with ([^;]*)")
# How messages name another loop than the one at whose line they stand.
_NAMED = re.compile(r"the loop of ([^()]*?) at ([^()]*?):(\d+)(?=\)?$)")


def report(dispatcher, specialisation, level, as_html=False):
    """Write the report on one specialisation, as text or as a page of HTML."""
    if level not in (1, 2, 3, 4):
        raise ValueError(f"the level of diagnostics is between 1 and 4, not {level!r}")
    told = specialisation.diagnose(level)
    function = dispatcher.py_func
    code = function.__code__
    title = f"Function {function.__qualname__}, {code.co_filename} ({code.co_firstlineno})"
    warnings = [one for one in told if one[0]]
    messages = [(message, place) for is_warning, message, place in told if not is_warning]
    before = [
        _Loop(message.removeprefix(_BEFORE), place) for message, place in messages if _BEFORE in message
    ]
    after = [_Loop(message, place) for message, place in messages if message.startswith("loop #")]
    _identify(before, after)
    fusion = [one for one in messages if "fused with" in one[0]]
    hoisted = [one for one in messages if one[0].startswith((_INSTRUCTION, _ALLOCATION))]
    known = (*fusion, *hoisted)
    schedules = [one for one in messages if one not in known and "loop #" not in one[0]]
    schedules = [_with_cost(*one, specialisation.host_loops) for one in schedules]
    source = _source(function)

    sections = [("Parallel loop listing", _listing(source, code.co_filename, before))]
    if level > 1:
        lines = [_with_numbers(message, place, before) for message, place in fusion]
        sections.append(("Fusing loops", lines or ["no two loops stand side by side"]))
        sections.append(("Before optimisation", _nests(before, {}) or ["no parallel loops"]))
    nests = _nests(after, _merged(before, after)) if level > 1 else []
    lines = [*nests, *([""] if nests else []), *map(str, after), *map(_line, schedules)]
    sections.append(("After optimisation", lines or ["no parallel loops are left"]))
    if level > 2:
        nothing = ["nothing is the same in all iterations"]
        moved = [one for one in hoisted if one[0].startswith(_INSTRUCTION)]
        sections.append(("Instruction hoisting", _instructions(moved, before, source) or nothing))
        made = [one for one in hoisted if one[0].startswith(_ALLOCATION)]
        lines = [_line(one) + _statement(one[1], source) for one in made]
        sections.append(("Allocation hoisting", lines or nothing))
    moved = dict(specialisation.device_counters)
    if specialisation.device is not None:
        moved.setdefault(specialisation.device, [0] * len(DeviceStats._fields))
    sections += [(f"On {device}", _moved(DeviceStats(*counted))) for device, counted in moved.items()]
    if warnings:
        sections.append(("Warnings", [_line(one[1:]) for one in warnings]))
    return _page(title, sections) if as_html else _text(title, sections)


def loops_left(specialisation):
    """Give the texts of the parallel loops of a specialisation that are left after fusion."""
    return [message for _, message, _ in specialisation.diagnose(1) if message.startswith("loop #")]


def _with_cost(message, place, host_loops):
    """Say of a loop that stays on the host what was copied there for it."""
    if not message.startswith(_STAYS) or place is None:
        return message, place
    copied = [(copies, size) for *at, copies, size in host_loops if at == list(place)[:2]]
    if copied:
        copies, size = map(sum, zip(*copied, strict=True))
        message += f"; {size} bytes were copied to the host for it, in {copies} copies"
    return message, place


def _moved(stats):
    """Say what calls did on a device so far."""
    return [
        f"{stats.launches} kernels launched",
        f"{stats.bytes_in} bytes copied to the device, in {stats.copies_in} copies",
        f"{stats.bytes_out} bytes copied to the host, in {stats.copies_out} copies",
    ]


class _Loop:
    """A loop that the compiler told of."""

    def __init__(self, message, place):
        number, self.function, self.text, self.pattern = _LOOP.fullmatch(message).groups()
        inside = _INSIDE.search(message)
        # Numbers of the compiler's count the loops of one function at one stage.
        self.number = int(number)
        self.outer = inside and int(inside[2])
        self.place = place and tuple(place)
        # The number in the report, which a loop keeps.
        self.id = None

    def __str__(self):
        return f"loop #{self.id} of {self.function}: {self.text}"


def _identify(before, after):
    """Number the loops, so that what is left of one has the number that it had."""
    for at, loop in enumerate(before):
        loop.id = at
    free, further = list(before), len(before)
    for loop in after:
        key = (loop.function, loop.pattern, loop.place)
        same = next((one for one in free if (one.function, one.pattern, one.place) == key), None)
        if same is None:
            loop.id, further = further, further + 1
        else:
            free.remove(same)
            loop.id = same.id
    for loops in (before, after):
        for loop in loops:
            outer = _outer(loop, loops)
            if outer is not None:
                loop.text = _INSIDE.sub(rf"\g<1>#{outer.id}", loop.text)


def _outer(loop, loops):
    around = (one for one in loops if (one.function, one.number) == (loop.function, loop.outer))
    return next(around, None)


def _merged(before, after):
    """Give the numbers of the loops that were merged into each loop."""
    left = {loop.id for loop in after}
    merged = {}
    for loop in after:
        found = _MERGED.search(loop.text)
        for other in before if found else ():
            named = other.place and f"{other.place[0]}:{other.place[1]}" in found[1]
            at_place = named or other.place == loop.place
            if other.id not in left and other.function == loop.function and at_place:
                merged.setdefault(loop.id, []).append(other.id)
    return merged


def _nests(loops, merged):
    """Draw which loops are inside of which, one below the other."""
    lines = []

    def draw(loop, depth):
        how = "serial" if ", on one thread" in loop.text else "parallel"
        others = ", ".join(f"#{other}" for other in merged.get(loop.id, ()))
        fused = f", fused with {others}" if others else ""
        lines.append("   " * depth + f"+--#{loop.id} ({how}{fused})")
        for inner in loops:
            if inner.outer is not None and _outer(inner, loops) is loop:
                draw(inner, depth + 1)

    for loop in loops:
        if loop.outer is None or _outer(loop, loops) is None:
            draw(loop, 0)
    return lines


def _source(function):
    """Give the lines of a function by their numbers."""
    try:
        lines, first = inspect.getsourcelines(function)
    except (OSError, TypeError):
        return {}
    return {at: line.rstrip() for at, line in enumerate(lines, first)}


def _listing(source, file, before):
    """Give the source with the numbers of the loops at their lines, and below it those from elsewhere."""
    at_line, elsewhere = {}, []
    for loop in before:
        if loop.place is not None and loop.place[0] == file and loop.place[1] in source:
            at_line.setdefault(loop.place[1], []).append(loop.id)
        else:
            elsewhere.append(str(loop))
    width = max(map(len, source.values()), default=0) + 1
    listing = []
    for at, line in source.items():
        numbers = ", ".join(f"#{number}" for number in at_line.get(at, ()))
        mark = "-" * (width - len(line)) + f"| {numbers}" if numbers else " " * (width - len(line)) + "|"
        listing.append(line + mark)
    return listing + elsewhere


def _at(place, loops, pattern=None):
    """Give the number of the loop at a place, or nothing if there are several."""
    found = [
        one for one in loops if one.place and one.place[:2] == place[:2] and pattern in (None, one.pattern)
    ]
    return f"#{found[0].id}, " if len(found) == 1 else ""


def _with_numbers(message, place, before):
    """Name the loops of a message by their numbers."""

    def numbered(found):
        return _at((found[2], int(found[3])), before, found[1]) + found[0]

    own = _at(tuple(place), before) if place else ""
    return own + _line((_NAMED.sub(numbered, message), place))


def _instructions(hoisted, before, source):
    """Group what was hoisted by loop and line."""
    groups = {}
    for message, place in hoisted:
        what, loop = re.fullmatch(r"hoisted (\S+) out of (.*)", message).groups()
        group = groups.setdefault(loop, {})
        group.setdefault(place and tuple(place), []).append(what.rpartition(".")[2])
    lines = []
    for loop, places in groups.items():
        lines.append(_with_numbers(loop, None, before) + ":")
        for place, kinds in places.items():
            lines.append("  " + _line((", ".join(kinds), place)) + _statement(place, source))
    return lines


def _statement(place, source):
    """Give the source at a place, in brackets."""
    text = source.get(place[1], "").strip() if place else ""
    return f"  [{text}]" if text else ""


def _line(told):
    message, place = told
    return message if place is None else f"line {place[1]}: {message}"


def _text(title, sections):
    text = ["=" * _WIDTH, f" Parallel loops: {title}", "=" * _WIDTH]
    for name, lines in sections:
        text += ["", f" {name} ".center(_WIDTH, "-"), *lines]
    return "\n".join(text)


def _page(title, sections):
    body = "".join(
        f"<h2>{escapes.escape(name)}</h2>\n<pre>{escapes.escape(chr(10).join(lines))}</pre>\n"
        for name, lines in sections
    )
    title = escapes.escape(title)
    return (
        f'<!DOCTYPE html>\n<html><head><meta charset="utf-8"><title>{title}</title></head>\n'
        f"<body><h1>Parallel loops: {title}</h1>\n{body}</body></html>"
    )
