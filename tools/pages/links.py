"""Links from one page of the documentation to another, or to a source file."""

from __future__ import annotations

import re
from pathlib import Path

LINK = re.compile(r"\]\(([^)\s]+)\)|(?:href|src)=\"([^\"]+)\"")
CODE = re.compile(r"^ *```.*?^ *```$|`[^`\n]*`", re.MULTILINE | re.DOTALL)


def broken(page: Path) -> list[str]:
    """Return the links of a page that lead to no file, or to no heading of a page."""
    links = [one or other for one, other in LINK.findall(CODE.sub("", page.read_text()))]
    return [link for link in links if "://" not in link and not leads(page, link)]


def leads(page: Path, link: str) -> bool:
    """Tell whether there is something where a link leads."""
    name, _, heading = link.partition("#")
    target = page.parent / name if name else page
    if not target.exists():
        return False
    return not heading or heading in anchors(target)


def anchors(page: Path) -> set[str]:
    """Return the anchors of a page's headings, as GitHub makes them."""
    headings = re.findall(r"^#+ (.*)$", page.read_text(), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}
