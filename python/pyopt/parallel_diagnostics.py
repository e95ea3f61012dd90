"""The report on parallel loops that ``parallel_diagnostics`` of a compiled function prints."""

import html as escapes
import inspect
import re

_BEFORE = "before fusion, "
_INSTRUCTION = "hoisted "
_ALLOCATION = "the array is made once"
_WIDTH = 80


def report(dispatcher, specialisation, level, as_html=False):
    """Write the report on one specialisation, as text or as a page of HTML."""
    if level not in (1, 2, 3, 4):
        raise ValueError(f"the level of diagnostics is between 1 and 4, not {level!r}")
    told = specialisation.diagnose(level)
    function = dispatcher.py_func
    code = function.__code__
    title = f"Function {function.__qualname__}, {code.co_filename} ({code.co_firstlineno})"
    warnings = [one for one in told if one[0]]
    before = [one for one in told if one[1].startswith(_BEFORE)]
    fusion = [one for one in told if not one[0] and "fused with" in one[1]]
    hoisted = [one for one in told if one[1].startswith((_INSTRUCTION, _ALLOCATION))]
    others = (*warnings, *before, *fusion, *hoisted)
    after = [one for one in told if one not in others]
    sections = [("Parallel loop listing", _listing(function, before))]
    if level > 1:
        sections.append(("Fusing loops", _lines(fusion) or ["no two loops stand side by side"]))
    sections.append(("After optimisation", _lines(after) or ["no parallel loops are left"]))
    if level > 2:
        for name, start in (("Instruction hoisting", _INSTRUCTION), ("Allocation hoisting", _ALLOCATION)):
            lines = _lines(one for one in hoisted if one[1].startswith(start))
            sections.append((name, lines or ["nothing is the same in all iterations"]))
    if warnings:
        sections.append(("Warnings", _lines(warnings)))
    return _page(title, sections) if as_html else _text(title, sections)


def _listing(function, before):
    """Give the source with the numbers of the loops at their lines, and below it those from elsewhere."""
    code = function.__code__
    at_line, elsewhere = {}, []
    for _, message, place in before:
        number = re.match(r"loop #(\d+)", message.removeprefix(_BEFORE))[1]
        if place is not None and place[0] == code.co_filename:
            at_line.setdefault(place[1], []).append(number)
        else:
            elsewhere.append(message.removeprefix(_BEFORE))
    try:
        lines, first = inspect.getsourcelines(function)
    except (OSError, TypeError):
        return [message.removeprefix(_BEFORE) for _, message, _ in before]
    rows = [(at, line.rstrip()) for at, line in enumerate(lines, first)]
    width = max((len(line) for _, line in rows), default=0) + 1
    listing = []
    for at, line in rows:
        numbers = ", ".join(f"#{number}" for number in at_line.get(at, ()))
        mark = "-" * (width - len(line)) + f"| {numbers}" if numbers else " " * (width - len(line)) + "|"
        listing.append(line + mark)
    return listing + elsewhere


def _lines(told):
    # The places are in the messages of loops; others get theirs.
    lines = []
    for _, message, place in told:
        where = "" if place is None or message.startswith("loop #") else f"line {place[1]}: "
        lines.append(where + message)
    return lines


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
