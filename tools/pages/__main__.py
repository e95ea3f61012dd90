"""`python -m pages [--check]`: run what the pages show, and put the output into them.

A fenced block takes part when a comment stands on the line before it:

- `<!-- file: NAME -->`: the block is a file, there for the commands further down the page;
- `<!-- output -->`: the block is what the commands of the block before it print;
- `<!-- output: COMMAND -->`: the block is what the command prints;
- `<!-- stage: NAME -->`: the block is a stage of the compilation (`stages.py`);
- `<!-- ir -->`: the block is a module that `pyopt` parses and verifies;
- `<!-- part: FILE -->`: the block is code of a file of the repository, whose lines may be indented
  otherwise there; a line `…` stands for any that are left out.

With `--check` nothing is written, and the exit status is 1 when a page is stale. A link that leads
nowhere is an error in any case.
"""

from __future__ import annotations

import argparse
import difflib
import re
import sys
import tempfile
from itertools import groupby
from pathlib import Path

from pages.commands import Folder
from pages.links import broken
from pages.stages import Stages

ROOT = Path(__file__).resolve().parents[2]
PAGES = [*sorted(ROOT.glob("*.md")), *sorted((ROOT / "docs").rglob("*.md"))]

MARK = re.compile(r"<!-- (file|output|stage|ir|part)(?:: (.*))? -->")


def main() -> int:
    """Go through the pages; the exit status."""
    parser = argparse.ArgumentParser(prog="python -m pages", description=__doc__.splitlines()[0])
    parser.add_argument("--check", action="store_true", help="write nothing; fail on stale pages")
    check = parser.parse_args().check
    stages = Stages(ROOT)
    current = True
    for page in PAGES:
        for link in broken(page):
            current = False
            print(f"{page.relative_to(ROOT)}: {link} leads nowhere", file=sys.stderr)
        found = page.read_text()
        if not MARK.search(found):
            continue
        with tempfile.TemporaryDirectory() as folder:
            made = renewed(found, Folder(Path(folder), ROOT), stages)
        if made == found:
            continue
        name = page.relative_to(ROOT)
        if check:
            current = False
            print(f"{name} is stale; run `cargo xtask docs`", file=sys.stderr)
            lines = (found.splitlines(), made.splitlines())
            print(*difflib.unified_diff(*lines, lineterm=""), sep="\n", file=sys.stderr)
        else:
            page.write_text(made)
            print(f"wrote {name}", file=sys.stderr)
    return 0 if current else 1


def renewed(page: str, folder: Folder, stages: Stages) -> str:
    """Return a page with the blocks that are generated as they are now."""
    made, lines = [], iter(page.splitlines())
    previous, mark = [], None
    for line in lines:
        made.append(line)
        if not line.startswith("```"):
            mark = MARK.fullmatch(line)
            continue
        block = []
        for inner in lines:
            if inner == "```":
                break
            block.append(inner)
        match mark and mark.groups():
            case None:
                pass
            case ("file", name):
                folder.write(name, "\n".join(block) + "\n")
            case ("output", None):
                block = folder.output("\n".join(previous))
            case ("output", command):
                block = folder.output(command)
            case ("ir", _):
                stages.verify("\n".join(block))
            case ("part", name):
                check_part(block, name)
            case (_, name):
                block = stages.excerpt(name)
        made += [*block, "```"]
        previous, mark = block, None
    return "\n".join(made) + "\n"


def check_part(block: list[str], name: str) -> None:
    """Check that a block is in a file; raise SystemExit where it isn't."""
    stripped = [line.strip() for line in (ROOT / name).read_text().splitlines()]
    position = 0
    for is_gap, lines in groupby((line.strip() for line in block), "…".__eq__):
        if is_gap:
            continue
        wanted = list(lines)
        places = range(position, len(stripped) - len(wanted) + 1)
        found = next((at for at in places if stripped[at : at + len(wanted)] == wanted), None)
        if found is None:
            sys.exit(f"{name} doesn't have these lines, which a page shows:\n" + "\n".join(wanted))
        position = found + len(wanted)


if __name__ == "__main__":
    sys.exit(main())
